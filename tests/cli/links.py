"""links.py SECONDS SEED - clients behind links that delay, cut and stall.

pb-sim --client, pb-localize --connect and pb-mapgen --publish connect again or
say why they end, in the time that their manuals name; with SECONDS above 30
also where that is 10 s and more. Status 1 and the reason if one does not.
"""
import json
import random
import re
import socket
import subprocess
import sys
import threading
import time

from live import HOST, RESET, over, run_all, server, stop
from websocket import frame, greet, tell


class Link:
    """Passes connections on to a port, each as the plan says, the last for
    ever: after so many bytes both ways it is cut, reset or stalls; or it passes
    all. Bytes come late and in other pieces than they were sent in."""

    def __init__(self, to, seed, *plan):
        self.to, self.r, self.plan = to, random.Random(seed), list(plan)
        self.taken = 0
        self.server = socket.create_server((HOST, 0))
        self.port = self.server.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            a, _ = self.server.accept()
            self.taken += 1
            how, n = self.plan.pop(0) if len(self.plan) > 1 else self.plan[0]
            if how == "reset":
                a.setsockopt(*RESET)
            if n == 0 and how != "pass":
                a.close()
                continue
            b, passed = socket.create_connection((HOST, self.to)), [0]
            for s, t in ((a, b), (b, a)):
                threading.Thread(target=self.pump, args=(s, t, how, n, passed),
                                 daemon=True).start()

    def pump(self, s, t, how, limit, passed):
        try:
            while (b := s.recv(self.r.randrange(1, 900))):
                if how != "pass" and passed[0] + len(b) > limit:
                    t.sendall(b[:max(limit - passed[0], 0)])
                    passed[0] = limit
                    if how == "stall":
                        over.wait()
                    break
                passed[0] += len(b)
                if self.r.random() < 0.2:
                    over.wait(self.r.uniform(0, 0.05))
                t.sendall(b)
        except OSError:
            pass
        for i in (s, t):
            try:
                i.shutdown(socket.SHUT_RD)  # wakes the other direction
            except OSError:
                pass
            i.close()


def ends(name, want, t, said, args):
    """A tool ends with that status within t (s) and has said all of that on
    standard error. What it wrote."""
    began = time.monotonic()
    p = subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    try:
        out, err = p.communicate(timeout=t)
    except subprocess.TimeoutExpired:
        p.kill()
        raise AssertionError(f"{name} hangs: {p.communicate()[1]}") from None
    for i in said:
        assert re.search(i, err), f"{name}: no {i}: {err}"
    assert p.returncode == want, f"{name}: status {p.returncode}: {err}"
    print(f"{name}: status {want} after {time.monotonic() - began:.1f} s")
    return out


def match(port, seed, kind, name, want, t, said, outcome, plan, *options):
    """pb-sim --client."""
    link = Link(port, seed, *plan)
    out = ends(f"client, {kind}, {name}", want, t, said, [
        "pb-sim", "--client", "--referee", "--speed", "8", "-p", "greedy",
        *options, "--connect", f"{kind}://{HOST}:{link.port}"])
    assert json.loads(out or "{}").get("outcome") == outcome, out
    assert name != "cut" or link.taken == len(plan), link.taken


def matches(port, seed, kind):
    return [(match, port, seed, kind, *how) for how in (
        ("cut", 0, 14, ["the server has gone", "frames, "], "timeout",
         [("cut", 3000), ("reset", 5000), ("reset", 0), ("cut", 40), ("pass", 0)],
         "--end-after", "6"),
        ("stalled", 3, 8, [": no frames come any more\n"], "disconnected",
         [("stall", 5000)], "--patience", "1.5"),
        ("gone", 3, 8, ["the server has gone", ": cannot connect"],
         "disconnected", [("cut", 5000), ("cut", 0)], "--patience", "1"),
        ("stalled at first", 3, 8,
         [": cannot connect" if kind == "ws" else ": 0 frames came"], None,
         [("stall", 40)], "--patience", "1"))]


def robot(s):
    """A connection to rosbridge: who asks for scans gets 20 a second."""
    while True:
        m = json.loads(frame(s)[1])
        if m["op"] == "call_service":
            tell(s, json.dumps({"op": "service_response", "values": {
                "topics": ["/scan"], "types": ["sensor_msgs/LaserScan"]}}))
        while m["op"] == "subscribe" and not over.wait(0.05):
            t = time.monotonic()
            tell(s, json.dumps({"op": "publish", "topic": "/scan", "msg": {
                "header": {"stamp": {"sec": int(t), "nanosec": int(t % 1 * 1e9)},
                           "frame_id": "laser"}, "angle_min": 0,
                "angle_increment": 0.1, "ranges": [1] * 40}}))


def robots():
    """The port of a rosbridge server."""
    at = socket.create_server((HOST, 0))

    def serve():
        while True:
            try:
                robot(greet(at))
            except (OSError, EOFError):
                pass
    for _ in range(4):
        threading.Thread(target=serve, daemon=True).start()
    return at.getsockname()[1]


def listen(port, seed, name, want, t, said, scans, plan, *options):
    """pb-localize --connect."""
    link = Link(port, seed, *plan)
    out = ends("robot, " + name, want, t, said, [
        "pb-localize", "--convert", "--connect", f"ws://{HOST}:{link.port}",
        *options])
    assert out.count('"type":"scan"') >= scans, out[-999:]


def publish(port, seed, name, want, t, said, speed, plan):
    """pb-mapgen --publish."""
    link = Link(port, seed, *plan)
    ends("publish, " + name, want, t, said, [
        "sh", "-c", "pb-sim -a --trace pose --set duration=24 testdata/flat.jsonl |"
        f"pb-mapgen --speed {speed} --publish ws://{HOST}:{link.port}"])
    assert name != "cut" or link.taken == len(plan), link.taken


def main(seconds, seed):
    bad, gone = [], ["the server has gone"]
    p, ws, tcp = server("--speed", "8", "--set", "ghosts=0")  # nobody is caught
    port = robots()
    plan = [("cut", 9000), ("reset", 5000), ("pass", 0)]
    jobs = [
        *matches(ws, seed, "ws"), *matches(tcp, seed, "tcp"),
        (listen, port, seed, "cut", 0, 14, gone, 40, plan, "--end-after", "7"),
        (publish, port, seed, "cut", 0, 20, gone, 4, plan)]
    if seconds > 30:
        plan, gone = [("stall", 9000), ("stall", 9)], [*gone, ": cannot connect"]
        jobs += [
            (listen, port, seed, "stalled", 3, 20, gone, 9, plan, "--patience", "2"),
            (publish, port, seed, "stalled", 3, 30, gone, 1, plan)]

    def attempt(f, *args):
        try:
            f(*args)
        except (AssertionError, OSError, ValueError) as e:
            bad.append(str(e))
    for j in run_all((attempt, *job) for job in jobs):
        j.join()
    over.set()
    stop(p)
    assert not bad, "\n".join(bad)


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2])
