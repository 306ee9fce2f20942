"""logs.py - write logs and trajectories of many kinds, for pins."""


def log(name, head, top, step, flaser=True, odo=True, offset=0.0, stamp=None):
    """A drive: `top` is what its scanner tells of nothing."""
    with open(name, "w", encoding="ascii") as f:
        f.write(head)
        for i in range(12):
            x, y, th = round(0.05 * i, 3), round(0.01 * i * i, 3), 0.04 * i
            t = 1000 + step * i if stamp is None else stamp(i)
            if odo:
                f.write(f"ODOM {x} {y} {th:.4f} {i % 3 / 10} 0.1 0 {t:.3f} "
                        f"host {t:.3f}\n")
            ranges = [top if (i + k) % 4 == 0 else round(1 + 0.07 * k + x, 2)
                      for k in range(9)]
            words = f"{len(ranges)} " + " ".join(map(str, ranges))
            lx = round(x + offset, 3)
            if flaser:
                f.write(f"FLASER {words} {lx} {y} {th:.4f} {x} {y} {th:.4f} "
                        f"{t:.3f} host {t:.3f}\n")
            else:
                f.write(f"ROBOTLASER1 0 -1.5 3 0.375 {top} 0.01 0 {words} 0 "
                        f"{lx} {y} {th:.4f} {x} {y} {th:.4f} 0 0 0.3 0.3 1e6 "
                        f"{t:.3f} host {t:.3f}\n")
            if i == 6:
                f.write(f"TRUEPOS {x} {y} {th:.4f} {x} {y} 0 {t:.3f} host "
                        f"{t:.3f}\n# note\nSYNC a\nNEFF 3 {t:.3f} h 1\n")


OFF = "PARAM robot_frontlaser_offset 0.1 host 0\n"
MAX = "PARAM robot_front_laser_max %s host 0\n"
log("a.log", "# x\n" + OFF, 81.91, 0.2, offset=0.1)
log("b.log", MAX % 8, 8.0, 0.2)
log("c.log", MAX % 80, 8.191, 0.2)
log("d.log", OFF + MAX % 50, 49.5, 0.2, flaser=False, offset=0.1)
log("e.log", "", 1000.0, 0.2, flaser=False)
log("f.log", "", 30.0, 0, odo=False)
log("g.log", "", 16.382, 0, stamp=lambda i: 1000 + i // 2 - (i == 7) * 3)
log("h.log", "", 0.0, 0, stamp=lambda i: 5 + i * 0.1 + (i > 8) * 9e5)
log("i.log", "", 32.8, 0, odo=False, stamp=lambda i: 0)
for n, head in enumerate((
        "x,y", "t,x,y,theta,cov_xx,cov_xy,cov_yy,cov_yawyaw",
        "elapsed_time_sec,y,x,theta_rad", "t,x", "y,z", "a,b", "x,y,x",
        "# c\nt, x, y, theta ", "t;x;y")):
    with open(f"{n}.csv", "w", encoding="ascii") as f:
        k = head.count(",") + 1
        f.write(head + "\r\n" + "".join(
            ",".join(str(round((i + 1) * 0.3 + j * j * 0.1, 2))
                     for j in range(k)) + "\n" for i in range(4)) +
                "#\n\n" + "nan," * (k - 1) + "1\n" + "1," * (k - 1) + "odd\n")
for n, text in enumerate((
        "# tum\n1 0.5 1 0 0 0 0.2 0.98\n2 1 1.5 0 0 0 -0.6 0.8\n\n",
        "1 2 3\n", "1 2 3 0 0 0 0 1 9\n", "1 2 3 0 0 0 x 1\n",
        "1 0.5 1 0.2 0 0 0 0\n2 1 1 5 0.5 0.5 0.5 0.5\n1 2 2 0 0 0 0 1\n")):
    with open(f"{n}.tum", "w", encoding="ascii") as f:
        f.write(text)
SCAN = ('{"type":"odom","t":%g,"x":%g,"y":0,"theta":0}\n{"type":"scan","t":%g,'
        '"angle_min":%s,"angle_increment":%s,"range_max":%s,"ranges":%s}\n')
for n, (low, inc, most, ranges) in enumerate((
        (-1, 0.5, 30, [1, 2, 3, 30, 4]), (-1, 0, 9, [1, 2, 3]),
        (-90, 45, 9, [1, 2, 3, 4, 5]), (-1, 0.5, 65535, [900, 2000, 65, 65535]),
        (-1, 2.5, 9, [1, 2, 3, 4, 5]), (-1, 0.1, 9, [1]),
        (-1, 0.5, 9, [5000, 5000, 5000, 1, 2]), (0, 0.5, 9, [0, 0, 9, 9.001]),
        (-1, 0.5, 9, [3, 3, 3, 3]), (-1, 0.5, 900, [150, 150, 3, 200]))):
    with open(f"{n}.jsonl", "w", encoding="ascii") as f:
        for i in range(4):
            t = [1, 1.5, 1.5, 1.25][i]
            f.write(SCAN % (t, i * 0.1, t, low, inc, most, ranges))
