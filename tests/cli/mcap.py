"""mcap.py HOW <MESSAGES >FILE - messages of rosbridge as a recording in MCAP.

HOW is 1 for the bytes of ROS 1, 2 or big for CDR, json for JSON, other for an
encoding without a name.
"""
import json
import struct
import sys

HEADER = [("stamp", "time"), ("frame_id", "text")]
VECTOR = [("x", "d"), ("y", "d"), ("z", "d")]
TURN = VECTOR + [("w", "d")]
POSE = [("position", VECTOR), ("orientation", TURN)]
STAMPED = [("header", HEADER), ("pose", POSE)]
TWIST = [("linear", VECTOR), ("angular", VECTOR)]
COV = [("covariance", 36)]
SWEEP = [("header", HEADER)] + [
    (key, "f") for key in ("angle_min", "angle_max", "angle_increment",
                           "time_increment", "scan_time", "range_min",
                           "range_max")]
ECHOES = [[("echoes", ["f"])]]
TYPES = {
    "scan": ("sensor_msgs/LaserScan",
             SWEEP + [("ranges", ["f"]), ("intensities", ["f"])]),
    "echoes": ("sensor_msgs/MultiEchoLaserScan",
               SWEEP + [("ranges", ECHOES), ("intensities", ECHOES)]),
    "odom": ("nav_msgs/Odometry", [
        ("header", HEADER), ("child_frame_id", "text"),
        ("pose", [("pose", POSE)] + COV), ("twist", [("twist", TWIST)] + COV)]),
    "tf": ("tf2_msgs/TFMessage", [("transforms", [[
        ("header", HEADER), ("child_frame_id", "text"),
        ("transform", [("translation", VECTOR), ("rotation", TURN)])]])]),
    "map": ("nav_msgs/OccupancyGrid", [
        ("header", HEADER),
        ("info", [("map_load_time", "time"), ("resolution", "f"),
                  ("width", "I"), ("height", "I"), ("origin", POSE)]),
        ("data", ["b"])]),
    "goal_pose": ("geometry_msgs/PoseStamped", STAMPED),
    "amcl_pose": ("geometry_msgs/PoseWithCovarianceStamped",
                  [("header", HEADER), ("pose", [("pose", POSE)] + COV)]),
    "plan": ("nav_msgs/Path", [("header", HEADER), ("poses", [STAMPED])]),
    "cmd_vel": ("geometry_msgs/Twist", TWIST),
    "events": ("std_msgs/String", [("data", "text")]),
}
TYPES["initialpose"] = TYPES["ground_truth"] = TYPES["amcl_pose"]
TYPES["tf_static"] = TYPES["tf"]
how = sys.argv[1]
order = ">" if how == "big" else "<"


class Writer:
    """The bytes of one message."""

    def __init__(self):
        self.b = b""

    def num(self, kind, value):
        size = struct.calcsize("<" + kind)
        if how != "1":
            self.b += bytes(-len(self.b) % size)
        self.b += struct.pack(order + kind, value)

    def put(self, kind, value):
        if kind == "text":
            s = (value or "").encode() + (b"" if how == "1" else b"\0")
            self.num("I", len(s))
            self.b += s
        elif kind == "time":
            value = value or {}
            self.num("i", value.get("sec", 0))
            self.num("I", value.get("nanosec", 0))
        elif isinstance(kind, int):
            for v in value or [0] * kind:
                self.num("d", v)
        elif isinstance(kind, str):
            none = float("inf") if kind == "f" and value is None else 0
            self.num(kind, none if value is None else value)
        elif isinstance(kind[0], tuple):
            if kind is HEADER and how == "1":
                self.num("I", 7)
            for key, part in kind:
                self.put(part, (value or {}).get(key))
        else:
            self.num("I", len(value or []))
            for v in value or []:
                self.put(kind[0], float("inf") if v is None else v)


def encoded(rows, msg):
    if how == "json":
        return json.dumps(msg).replace('"nanosec"', '"nsec"').encode()
    w = Writer()
    w.put(rows, msg)
    start = {"1": b"", "2": b"\0\1\0\0", "big": b"\0\0\0\0",
             "other": b""}[how]
    return start + w.b


def text(s):
    return struct.pack("<I", len(s)) + s.encode()


def record(op, content):
    sys.stdout.buffer.write(struct.pack("<BQ", op, len(content)) + content)


sys.stdout.buffer.write(b"\x89MCAP0\r\n")
record(1, text("ros1" if how == "1" else "ros2") + text("test"))
channel = {}
t = 0
for line in sys.stdin:
    m = json.loads(line)
    topic = m["topic"]
    if topic.split("/")[-1] not in TYPES:
        continue
    name, rows = TYPES[topic.split("/")[-1]]
    if topic not in channel:
        n = channel[topic] = len(channel) + 1
        name = name if how == "1" else name.replace("/", "/msg/")
        record(3, struct.pack("<H", n) + text(name) +
               text({"1": "ros1msg", "json": "jsonschema"}.get(
                   how, "ros2msg")) +
               struct.pack("<I", 0))
        record(4, struct.pack("<HH", n, n) + text(topic) +
               text({"1": "ros1", "json": "json", "other": ""}.get(
                   how, "cdr")) +
               struct.pack("<I", 0))
    s = m["msg"].get("header", {}).get("stamp", {})
    t = s.get("sec", 0) * 10**9 + s.get("nanosec", 0) or t
    record(5, struct.pack("<HIQQ", channel[topic], 0, t, t) +
           encoded(rows, m["msg"]))
record(15, struct.pack("<I", 0))
record(2, struct.pack("<QQI", 0, 0, 0))
sys.stdout.buffer.write(b"\x89MCAP0\r\n")
