"""rosrobot.py FILE [OPTION=VALUE ...] - a simulated robot and its ROS behind a
rosbridge server, whose port goes to FILE.

It drives as /cmd_vel says in the room of `room`, 5 x 4 m with a wall in it, and
tells /scan, /odom and /tf_static, all with noise. What it did goes to stdout as
lines: t x y v w, and how many topics it was told. Options: blind=T, no scans
from T s after the first command on, which is said; seed=N.
"""
import json
import math
import random
import sys
import threading
import time

import websocket

W, H, RES = 5.0, 4.0, 0.05
BOXES = [(2.2, 0, 2.4, 2.2)]
BEAMS, REACH = 120, 8.0


def room():
    """The same as a record."""
    rows = []
    for r in range(round(H / RES)):
        y, row = H - (r + 0.5) * RES, ""
        for c in range(round(W / RES)):
            x = (c + 0.5) * RES
            edge = not (RES < x < W - RES and RES < y < H - RES)
            row += "#" if edge or inside(x, y) else "."
        rows.append(row)
    return {"type": "map", "resolution": RES, "rows": rows}


def inside(x, y):
    return any(a <= x <= c and b <= y <= d for a, b, c, d in BOXES)


def segments():
    for a, b, c, d in [(RES, RES, W - RES, H - RES)] + BOXES:
        yield from (((a, b), (c, b)), ((c, b), (c, d)), ((c, d), (a, d)),
                    ((a, d), (a, b)))


WALLS = list(segments())


def cast(x, y, th):
    dx, dy, best = math.cos(th), math.sin(th), REACH + 1
    for (ax, ay), (bx, by) in WALLS:
        ex, ey = bx - ax, by - ay
        d = dx * ey - dy * ex
        if abs(d) > 1e-12:
            t = ((ax - x) * ey - (ay - y) * ex) / d
            u = ((ax - x) * dy - (ay - y) * dx) / d
            if 0 <= u <= 1 and 1e-9 < t < best:
                best = t
    return best


class Robot:
    def __init__(self, blind):
        self.x, self.y, self.th = 1.0, 1.0, 0.5
        self.odom = [0.0, 0.0, 0.0]
        self.v = self.w = 0.0
        self.began = None
        self.blind = blind
        self.lock = threading.Lock()
        self.clients = {}
        self.told = set()

    def hear(self, s):
        topics = set()
        try:
            while True:
                op, b = websocket.frame(s)
                if op != 1:
                    continue
                m = json.loads(b)
                if m["op"] == "call_service":
                    websocket.tell(s, json.dumps(
                        {"op": "service_response", "service": m["service"],
                         "result": True, "values": {
                             "topics": ["/tf_static", "/scan", "/odom"],
                             "types": ["tf2_msgs/msg/TFMessage",
                                       "sensor_msgs/msg/LaserScan",
                                       "nav_msgs/msg/Odometry"]}}))
                elif m["op"] == "subscribe":
                    if m["topic"] == "/tf_static":
                        self.frames(s)
                    with self.lock:
                        topics.add(m["topic"])
                        self.clients[s] = topics
                elif m["op"] == "publish":
                    self.told.add(m["topic"])
                    if m["topic"] == "/cmd_vel":
                        self.v = m["msg"]["linear"]["x"]
                        self.w = m["msg"]["angular"]["z"]
                        self.began = self.began or time.monotonic()
        except (EOFError, OSError):
            with self.lock:
                self.clients.pop(s, None)

    def publish(self, topic, msg):
        b = json.dumps({"op": "publish", "topic": topic, "msg": msg})
        with self.lock:
            for s, topics in list(self.clients.items()):
                try:
                    if topic in topics:
                        websocket.tell(s, b)
                except OSError:
                    self.clients.pop(s)

    def frames(self, s):
        msg = {"transforms": [{
            "header": {"stamp": {"sec": 0, "nanosec": 0},
                       "frame_id": "base_link"}, "child_frame_id": "laser",
            "transform": {"translation": {"x": -0.04, "y": 0.0, "z": 0.1},
                          "rotation": {"x": 0.0, "y": 0.0, "z": 0.70710678,
                                       "w": 0.70710678}}}]}
        websocket.tell(s, json.dumps(
            {"op": "publish", "topic": "/tf_static", "msg": msg}))

    def header(self, now, frame):
        ns = int(1e9 * (1000 + now))
        return {"stamp": {"sec": ns // 10**9, "nanosec": ns % 10**9},
                "frame_id": frame}

    def move(self, dt):
        noise = random.gauss
        v = self.v * (1 + noise(0, 0.02))
        w = self.w * (1 + noise(0, 0.02))
        x = self.x + v * dt * math.cos(self.th)
        y = self.y + v * dt * math.sin(self.th)
        self.th += w * dt
        if RES < x < W - RES and RES < y < H - RES and not inside(x, y):
            self.x, self.y = x, y
        o = self.odom
        o[0] += self.v * dt * math.cos(o[2])
        o[1] += self.v * dt * math.sin(o[2])
        o[2] += self.w * dt

    def tell_odom(self, now):
        x, y, th = self.odom
        zero = {"x": 0.0, "y": 0.0, "z": 0.0}
        self.publish("/odom", {
            "header": self.header(now, "odom"), "child_frame_id": "base_link",
            "pose": {"pose": {
                "position": {"x": x, "y": y, "z": 0.0},
                "orientation": {"x": 0.0, "y": 0.0, "z": math.sin(th / 2),
                                "w": math.cos(th / 2)}}},
            "twist": {"twist": {"linear": dict(zero, x=self.v),
                                "angular": dict(zero, z=self.w)}}})

    def tell_scan(self, now):
        lx = self.x - 0.04 * math.cos(self.th)
        ly = self.y - 0.04 * math.sin(self.th)
        step = 2 * math.pi / BEAMS
        ranges = []
        for i in range(BEAMS):
            r = cast(lx, ly, self.th + math.pi / 2 - math.pi + i * step)
            ranges.append(None if r > REACH or random.random() < 0.01
                          else r + random.gauss(0, 0.01))
        self.publish("/scan", {
            "header": self.header(now, "laser"), "angle_min": -math.pi,
            "angle_max": math.pi - step, "angle_increment": step,
            "range_min": 0.05, "range_max": REACH, "ranges": ranges})

    def live(self):
        begin = last = time.monotonic()
        k = 0
        told = False
        while True:
            k += 1
            time.sleep(max(0, begin + 0.05 * k - time.monotonic()))
            now = time.monotonic()
            self.move(now - last)
            last = now
            print(f"{now - begin:.3f} {self.x:.3f} {self.y:.3f} "
                  f"{self.v:.4f} {self.w:.4f} {len(self.told)}", flush=True)
            self.tell_odom(now - begin)
            dark = self.began and now - self.began > self.blind
            if k % 2 == 0 and not dark:
                self.tell_scan(now - begin)
            if dark and not told:
                print(f"# blind {now - begin:.3f}", flush=True)
                told = True


def main(path, *options):
    o = dict(x.split("=") for x in options)
    random.seed(int(o.get("seed", 1)))
    robot = Robot(float(o.get("blind", "inf")))
    server = websocket.listen(path)
    threading.Thread(target=robot.live, daemon=True).start()
    while True:
        threading.Thread(target=robot.hear, args=(websocket.greet(server),),
                         daemon=True).start()


if sys.argv[1] == "room":
    print(json.dumps(room()))
else:
    main(*sys.argv[1:])
