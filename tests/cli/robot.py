"""robot.py <RECORDS >MESSAGES - a log as messages of a robot to rosbridge.

Its scanner is 5 cm in front of its middle and looks to the left; the frames are
told after the first scan.
"""
import json
import math
import sys

LASER = {"translation": {"x": 0.05, "y": 0, "z": 0.2},
         "rotation": {"x": 0, "y": 0, "z": math.sqrt(0.5), "w": math.sqrt(0.5)}}


def header(t, frame):
    ms = 1000000 + round(1000 * t)
    return {"stamp": {"sec": ms // 1000, "nanosec": ms % 1000 * 10**6},
            "frame_id": frame}


def publish(topic, msg):
    print(json.dumps({"op": "publish", "topic": topic, "msg": msg}))


def pose(r):
    """The scanner was where the log has the robot."""
    th = r["theta"]
    return {"position": {"x": r["x"] - 0.05 * math.cos(th),
                         "y": r["y"] - 0.05 * math.sin(th), "z": 0},
            "orientation": {"x": 0, "y": 0, "z": math.sin(th / 2),
                            "w": math.cos(th / 2)}}


told = False
for line in sys.stdin:
    r = json.loads(line)
    if r["type"] == "odom":
        publish("/odom", {"header": header(r["t"], "odom"),
                          "child_frame_id": "base_link",
                          "pose": {"pose": pose(r)},
                          "twist": {"twist": {"linear": {"x": 0},
                                              "angular": {"z": 0}}}})
    elif r["type"] == "pose":
        publish("/ground_truth", {"header": header(r["t"], "map"),
                                  "pose": {"pose": pose(r),
                                           "covariance": 36 * [0]}})
    else:
        publish("/scan", {"header": header(r["t"], "laser"),
                          "angle_min": r["angle_min"] - math.pi / 2,
                          "angle_increment": r["angle_increment"],
                          "range_min": 0.1, "range_max": r["range_max"],
                          "ranges": r["ranges"]})
        if not told:
            publish("/tf_static", {"transforms": [
                {"header": header(0, "base_link"), "child_frame_id": "laser",
                 "transform": LASER}]})
        told = True
