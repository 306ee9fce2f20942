#!/usr/bin/env python3
"""learn.py - numbers that players play by, learnt from games; see learn.sh.

An evolution strategy: each generation plays games with sets of numbers that
are drawn around a middle, in pairs on opposite sides of it; the middle moves
to the better half, and how far the draws go is learnt for each number. All
sets of a generation play the same games, and no generation those of another.
"""
import argparse
import itertools
import json
import math
import os
import random
import struct
import subprocess
import sys
import tempfile

# What a leaf of Pacbot's search is worth: see lib/policy/pacbot_search.h.
LEAF = [
    ("hold", 2400), ("hold_ticks", 3000), ("share", 25), ("wait_hold", 2000),
    ("shares", 2), ("route", 1.5), ("wait_leave", 15), ("wait_step", 20),
    ("death", 4000), ("later", 2), ("per_tick", 0.05), ("pellet", 40),
    ("per_cell", 1), ("fruit", 1000), ("fruit_cell", 50), ("chase", 1.1),
    ("chase_slow", 1.6), ("again", 1), ("spare", 40), ("sure", 0.95),
    ("near", 5), ("gather", 1)]
BEAM = [8, 20, 3, 2, 10, 16]
FAR = [66, 40, 8, 0, 12, 20]

# The published planner of PacManBot, by its options.
PLANNER = [
    ("risk-radius", 2), ("risk-weight", 3), ("direction-penalty", 5),
    ("emergency-radius", 2), ("warning-radius", 3), ("approach-speed", 0.03),
    ("replan-margin", 0.3)]


def write_tensors(path, tensors):
    """Safetensors: the length of a header, the header, the numbers."""
    head, data = {}, b""
    for name, values in tensors:
        b = struct.pack("<%df" % len(values), *values)
        head[name] = {"dtype": "F32", "shape": [len(values)],
                      "data_offsets": [len(data), len(data) + len(b)]}
        data += b
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path + ".new", "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + data)
    os.replace(path + ".new", path)


def read_tensors(path):
    with open(path, "rb") as f:
        n, = struct.unpack("<Q", f.read(8))
        head, data = json.loads(f.read(n)), f.read()
    return {k: list(struct.unpack("<%df" % t["shape"][0],
                                  data[slice(*t["data_offsets"])]))
            for k, t in head.items() if k != "__metadata__"}


def summaries(words):
    r = subprocess.run(words, stdout=subprocess.PIPE, check=True)
    lines = [json.loads(s) for s in r.stdout.splitlines()]
    return [s for s in lines if s["type"] == "summary"]


class Pacbot:
    """The leaf of `quick`, at several speeds."""
    names, start = zip(*LEAF)
    most = 1e5
    life = 1500  # points that a death costs
    speeds, look = "8,10,12", BEAM

    def __init__(self, a):
        self.beam = self.look
        if a.start:
            t = read_tensors(a.start)
            self.start, self.beam = t["leaf"], t["beam"]
        if a.beam:
            self.beam = [float(w) for w in a.beam.split(",")]
        self.start = self.start[:len(self.names)]
        self.words = ["-r", "pacbot", "-p", "quick"]
        if not any("ticks-per-cell" in w for w in a.more):
            self.words += ["--vary", "ticks-per-cell=" + self.speeds]
        if a.death is not None:
            self.life = a.death

    def write(self, values, path):
        rest = [0] * (len(LEAF) - len(values))
        write_tensors(path, [("leaf", values + rest), ("beam", self.beam)])

    def prepare(self, generation, seed, folder):
        return []

    def given(self, values, path):
        self.write(values, path)
        return ["--weights", path]

    def worth(self, s):
        return s["score_mean"] - self.life * s["deaths_mean"]


class Search(Pacbot):
    """The leaf of `search`, who looks as far as it does with its usual
    --nodes and does not ask how near ghosts are, for who is in step."""
    names, start = zip(*LEAF[:-2])
    speeds, look = "12", FAR
    life = 500


class Planner:
    """The weights of `seed`, on houses that are made for it."""
    names, start = zip(*PLANNER)
    most = 100

    def __init__(self, a):
        if a.start:
            with open(a.start) as f:
                given = json.load(f)
            self.start = [float(given[n]) for n in self.names]
        self.words = ["-p", "seed", "--set",
                      "idle-pickup=no pose-noise=0.05"]
        self.mapgen = os.path.join(os.path.dirname(a.bench), "pb-mapgen")

    def prepare(self, generation, seed, folder):
        """Six houses that no generation had before."""
        names = []
        for i in range(6):
            names += ["-m", os.path.join(folder, "house%d" % i)]
            with open(names[-1], "wb") as f:
                subprocess.run(
                    [self.mapgen, "-q", "random-house", "-s",
                     str(100003 * seed + 6 * generation + i)],
                    stdout=f, check=True)
        return names

    def write(self, values, path):
        with open(path + ".new", "w") as f:
            json.dump(dict(zip(self.names, values)), f)
            f.write("\n")
        os.replace(path + ".new", path)

    def given(self, values, path):
        return [w for n, v in zip(self.names, values)
                for w in ("--set", "%s=%r" % (n, v))]

    @staticmethod
    def worth(s):
        return 100 * s["rate"] + s["pellets_mean"]


TASKS = {"pacbot": Pacbot, "planner": Planner, "search": Search}


def four_digits(x):
    """So that the last bit of no logarithm decides a game."""
    return float("%.4g" % x)


class Learner:
    def __init__(self, a):
        self.a, self.task = a, TASKS[a.task](a)
        self.rng = random.Random(a.seed)
        self.middle = [math.log(max(x, 1e-3)) for x in self.task.start]
        self.spread = [a.spread] * len(self.middle)
        self.games = 0

    def values(self, x):
        return [four_digits(min(math.exp(max(v, -12)), self.task.most))
                for v in x]

    def play(self, x, generation, n, more, path):
        a = self.a
        words = [a.bench, "-q", "--no-results", "-n", str(n), "-s",
                 str(1000003 * a.seed + generation)]
        words += self.task.words + more
        s = summaries(words + self.task.given(self.values(x), path) + a.more)
        self.games += sum(i["n"] for i in s)
        return sum(map(self.task.worth, s)) / len(s)

    def draw(self):
        sets = []
        for _ in range(self.a.sets // 2):
            z = [self.rng.gauss(0, 1) * s for s in self.spread]
            sets.append([m + d for m, d in zip(self.middle, z)])
            sets.append([m - d for m, d in zip(self.middle, z)])
        return sets

    def learn(self, generation, folder):
        sets, path = self.draw(), os.path.join(folder, "set")
        more = self.task.prepare(generation, self.a.seed, folder)
        worth = [self.play(x, generation, self.a.games, more, path)
                 for x in sets]
        best = sorted(range(len(sets)), key=lambda i: (-worth[i], i))
        best = best[:len(sets) // 2]
        share = [math.log(len(best) + 1) - math.log(k + 1)
                 for k in range(len(best))]
        total, old, rate = sum(share), self.middle, 0.15
        self.middle = [sum(w * sets[i][k] for w, i in zip(share, best)) / total
                       for k in range(len(old))]
        for k, m in enumerate(old):
            v = sum(w * (sets[i][k] - m) ** 2 for w, i in zip(share, best))
            self.spread[k] = math.sqrt(
                (1 - rate) * self.spread[k] ** 2 + rate * v / total)
        return worth

    def halve(self, folder):
        """Of many sets, the one that is best in ever more games."""
        sets, n, path = [self.middle], self.a.games, folder + "/set"
        while len(sets) < self.a.sets:
            sets.append([m + self.rng.gauss(0, 1) * s
                         for m, s in zip(self.middle, self.spread)])
        for g in itertools.count():
            more = self.task.prepare(g, self.a.seed, folder)
            worth = [self.play(x, g, n, more, path) for x in sets]
            best = sorted(range(len(sets)), key=lambda i: (-worth[i], i))
            self.middle = sets[best[0]]
            self.say(g, worth, {"sets": len(sets)})
            if len(sets) < 8:
                return
            sets, n = [sets[i] for i in best[:len(sets) // 4]], 4 * n

    def check(self):
        """What each generation of earlier runs, whose lines are the files of
        --check, reaches in games of a seed that none of them learnt on."""
        logs = [self.log(path) for path in self.a.check]
        first = dict(zip(self.task.names, self.task.start), games=0)
        rows = [[first] * len(logs)] + list(map(list, zip(*logs)))
        games, points, curve = [r[0]["games"] for r in rows], [], []
        with tempfile.TemporaryDirectory() as d:
            for g, row in enumerate(rows):
                points.append([self.again(x, d) for x in row] if g else
                              [self.again(first, d)] * len(row))
                curve.append(interval(points[-1]))
                mean, lo, hi = (round(x, 3) for x in curve[-1])
                print(json.dumps({
                    "generation": g, "games": games[g], "worth": mean,
                    "worth_lo": lo, "worth_hi": hi,
                    "runs": [round(x, 3) for x in points[-1]]}), flush=True)
        with open(self.a.output, "w") as f:
            f.write(drawn(games, points, curve))

    def log(self, path):
        rows = []
        with open(path, errors="replace") as f:
            for i, line in enumerate(f):
                try:
                    row = json.loads(line)
                except ValueError:
                    raise ValueError("%s:%d: is not JSON" % (path, i + 1))
                for name in ("games",) + tuple(self.task.names):
                    if not isinstance(row, dict) or \
                            not isinstance(row.get(name), (int, float)):
                        raise ValueError('%s:%d: no number "%s"' %
                                         (path, i + 1, name))
                rows.append(row)
        if not rows:
            raise ValueError("%s: is empty" % path)
        return rows

    def again(self, line, folder):
        a, t = self.a, self.task
        words = [a.bench, "-q", "--no-results", "-n", str(a.games), "-s",
                 str(a.seed), *t.words, *t.prepare(0, a.seed, folder),
                 *t.given([line[n] for n in t.names], folder + "/set")]
        s = summaries(words + a.more)
        return sum(map(t.worth, s)) / len(s)

    def say(self, generation, worth, more):
        self.task.write(self.values(self.middle), self.a.output)
        print(json.dumps(
            {"generation": generation + 1, "games": self.games,
             "worth": round(sum(worth) / len(worth), 3),
             "best": round(max(worth), 3), **more,
             **dict(zip(self.task.names, self.values(self.middle)))}),
            flush=True)

    def run(self):
        self.task.write(self.values(self.middle), self.a.output)
        with tempfile.TemporaryDirectory() as d:
            if self.a.halve:
                return self.halve(d)
            for g in range(self.a.generations):
                self.say(g, self.learn(g, d), {})


# Student's t of 0.975 for one less than so many runs.
T = [0, 0, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262]


def interval(points):
    """The mean of runs and its 95 % interval."""
    n, mean = len(points), sum(points) / len(points)
    if n < 2:
        return mean, mean, mean
    s = math.sqrt(sum((p - mean) ** 2 for p in points) / (n - 1))
    reach = (T[n] if n < len(T) else 2.2) * s / math.sqrt(n)
    return mean, mean - reach, mean + reach


def ticks(lo, hi):
    """Some round numbers from lo to hi."""
    step = 10 ** math.floor(math.log10((hi - lo) / 2))
    step = next(step * k for k in (1, 2, 5, 10) if (hi - lo) / step / k <= 6)
    return [step * i for i in range(math.ceil(lo / step),
                                    math.floor(hi / step) + 1)]


def drawn(games, points, curve):
    """An SVG picture of the curve in its interval, with a line for each run."""
    lo = min(min(p) for p in points + [c[1:] for c in curve])
    hi = max(max(p) for p in points + [c[1:] for c in curve])
    hi += (hi == lo) * (abs(hi) or 1)

    def at(i, y):
        return "%.1f,%.1f" % (70 + 510 * games[i] / games[-1],
                              300 - 270 * (y - lo) / (hi - lo))

    def line(ys, style):
        return '<polyline fill="none" %s points="%s"/>\n' % (
            style, " ".join(at(i, y) for i, y in enumerate(ys)))

    band = [at(i, c[2]) for i, c in enumerate(curve)]
    band += [at(i, curve[i][1]) for i in reversed(range(len(curve)))]
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="600" height="350" '
           'font-family="sans-serif" font-size="13">\n'
           '<rect width="600" height="350" fill="white"/>\n'
           '<polygon fill="#0072b2" fill-opacity="0.2" points="%s"/>\n' %
           " ".join(band)]
    out += [line(run, 'stroke="#999"') for run in zip(*points)]
    out.append(line([c[0] for c in curve], 'stroke="#0072b2" stroke-width="3"'))
    out.append('<path fill="none" stroke="black" d="M70,30 V300 H580"/>\n')
    for y in ticks(lo, hi):
        out.append('<text x="62" y="%.1f" text-anchor="end">%.6g</text>\n' % (
            304 - 270 * (y - lo) / (hi - lo), y))
    for x in ticks(0, games[-1]):
        out.append('<text x="%.1f" y="318" text-anchor="middle">%.6g</text>\n'
                   % (70 + 510 * x / games[-1], x))
    out.append('<text x="325" y="340" text-anchor="middle">games played to '
               'learn, in each of %d runs</text>\n' % len(points[0]))
    out.append('<text x="70" y="18">worth in other games: mean and 95 % '
               'interval, grey: the runs</text>\n</svg>\n')
    return "".join(out)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("task", choices=sorted(TASKS))
    p.add_argument("-o", "--output", required=True, help="file of the numbers")
    p.add_argument("-s", "--seed", type=int, default=1)
    p.add_argument("-g", "--generations", type=int, default=30)
    p.add_argument("-n", "--games", type=int, default=24,
                   help="of each set and setting")
    p.add_argument("--sets", type=int, default=20, help="in a generation")
    p.add_argument("--halve", action="store_true",
                   help="no generations: the best quarter again in four "
                   "times the games, until it is one")
    p.add_argument("--spread", type=float, default=0.25,
                   help="of the first draws, in logarithms")
    p.add_argument("--start", help="file to go on from")
    p.add_argument("--check", nargs="+", metavar="LOG",
                   help="learn nothing: play what each generation of earlier "
                   "runs had learnt, by their lines, and draw it as SVG")
    p.add_argument("--beam", help="of pacbot: how far it looks, six numbers")
    p.add_argument("--death", type=float,
                   help="of pacbot, search: points that one costs")
    p.add_argument("--bench", default=os.environ.get("O", "build") +
                   "/pb-bench")
    p.epilog = "Options of the games follow after --."
    words = sys.argv[1:]
    cut = words.index("--") if "--" in words else len(words)
    a = p.parse_args(words[:cut])
    a.more = words[cut + 1:]
    if not issubclass(TASKS[a.task], Pacbot):
        for name in "beam", "death":
            if getattr(a, name) is not None:
                p.error("--%s: not an option of %s" % (name, a.task))
    try:
        learner = Learner(a)
        if a.check:
            learner.check()
        else:
            learner.run()
    except (OSError, ValueError, KeyError, struct.error,
            subprocess.CalledProcessError) as e:
        sys.exit("learn.py: %s" % e)


main()
