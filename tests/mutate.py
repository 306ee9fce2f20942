#!/usr/bin/env python3
"""Change the library at random, one small change at a time, and see whether a
test fails: what survives shows where tests look away.

mutate.py [-F FAMILY] [-n 200] [-s 1] [-f REGEX] [-j 1] [-q] [-d DIR]
          [FOLDER ...]

A family is folders of sources and the tests and pins that belong to them
(FAMILIES; core is the default); FOLDER takes the place of its folders. A
mutation changes one comparison, operator, number or jump, or removes one
statement: an assignment, a call, a return in the midst of a function with its
condition. What frees memory stays: make asan tells. The same seed and sources
give the same mutations.

It is made in a copy of the sources in DIR (default /tmp/pb-mutate, kept: a
second run builds little): one object is compiled and linked before the
libraries. Unit tests that ran that line are run until one fails, first the one
named like the file, then the quickest; then pins (tests/pin/commands) whose
command matches the family's pattern, first those made to show much (with files
of tests/pin), of others those that take less than a second; outside the core
then tests of the family's bats files as unit tests are, unless there is -q:
less is killed then, but sooner. Which test runs which line is counted once by
gcov, and again when the test has changed. A unit test may take ten times as
long as it did, and 1 GB; a bats test must fail twice.

Printed is a line for each mutation that changes the object: killed and by what,
survived, or equivalent, if tests/mutate.txt gives the reason why no test can
tell. At the end what share of the others was killed; status 1 if that is below
90 %. It takes from a quarter of an hour on; it is no part of the tests.
"""
import argparse
import concurrent.futures
import contextlib
import filecmp
import functools
import hashlib
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from subprocess import DEVNULL, PIPE, Popen, STDOUT

FAMILIES = {  # folders, bats files, pins
    "core": ("lib/game lib/ghost lib/localize lib/map", "",
             "pb-(sim|ghost|score|localize|pellets|mapgen r|bench -r)"),
    "io/ros": ("lib/io/ros", "ros rosout trajectory doctor limits",
               "--export|--convert"),
    "io/file": ("lib/io/file", "filekind filters boards mapping trajectory"
                " limits pb-mapgen localize",
                "pb-mapgen|--convert|--trajectory"),
    "io/play": ("lib/io/play", "play pb-sim programs bots feedback replay"
                " pacbot pacbot-options zumy roomba commands serve swarm live"
                " limits", "pb-sim"),
    "io/rest": ("lib/io/stream lib/io/rec lib/io/tool lib/io/opt",
                "filekind filters conventions doctor limits set pb-sim score"
                " pb-mapgen pellets localize pb-bench bench-matrix",
                "-Z|-k|for o in|nosuch"),
    "view": ("lib/view", "render rosout report replay score pb-bench play"
             " bench-matrix pb-mapgen",
             "--(render|live|export|png|heat|report|table|csv|play|traj)"
             "|-f| map"),
}
SWAPS = {
    "<": ["<=", ">"], "<=": ["<", ">"], ">": [">=", "<"], ">=": [">", "<"],
    "==": ["!="], "!=": ["=="], "+": ["-"], "-": ["+"], "*": ["/"],
    "/": ["*"], "&&": ["||"], "||": ["&&"], "+=": ["-="], "-=": ["+="],
    "<<": [">>"], ">>": ["<<"], "&": ["|"], "|": ["&"], "%": ["*"],
    "true": ["false"], "false": ["true"],
}
SITES = re.compile(
    r"(?<=\s)(?P<op><=|>=|==|!=|&&|\|\||\+=|-=|<<|>>|[-+*/%<>&|])(?=\s)"
    r"|(?P<num>(?<![\w.\"])\d+(?:\.\d*)?(?:e-?\d+)?(?![\w.]))"
    r"|(?P<word>\b(?:true|false|continue|break)\b)"
    r"|(?P<no>(?<=\()!(?=[a-z(]))")
STATEMENTS = re.compile(
    r"^[ \t]+((?:if \([^;{}]*\)\s+)?return\b[^;{}]*;(?!\s*^\})"
    r"|(?!\w*(?:free|destroy))\w+(?:(?:->|\.)\w+)*\([^;{}]*\);"
    r"|[*(]*[a-z]\w*(?:(?:->|\.)\w+|\[[^;{}=]*?\]|\))*"
    r"(?:\+\+;|--;|\s+(?:[-+*/|&^%]|<<|>>)?=\s[^;{}]*;))", re.M)
TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def blank(text):
    """The text with comments, strings, directives and asserts as blanks."""
    hide = re.compile(
        r"/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])+'"
        r"|^[ \t]*#(?:\\\n|[^\n])*|\bassert\([^;]*;", re.S | re.M)
    return hide.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def changes(site):
    """What can stand in place of a site."""
    n = site["num"]
    return SWAPS.get(site[0], [""]) if not n else [
        str(int(n) + 1) if n.isdigit() else repr(float(n) * 1.5)]


def sites(path):
    """All places of a source: file, offset, length, new text."""
    with open(os.path.join(TOP, path), encoding="utf-8") as f:
        text = blank(f.read())
    found = [(path, m.start(), len(m[0]), new)
             for m in SITES.finditer(text) for new in changes(m)]
    return found + [
        (path, m.start(1), len(m[1]), ";" + "\n" * m[1].count("\n"))
        for m in STATEMENTS.finditer(text)
        if text[:m.start()].rstrip()[-1:] in (";", "{", "}", ")")]


def limited(kilobytes, cpu, seconds, *command):
    """A command that may use so much."""
    return ["sh", "-c", f"ulimit -v {kilobytes}; ulimit -t {cpu:.0f}; exec "
            f'timeout -k 1 {seconds:.0f} "$@"', "sh", *command]


class Sources:
    """A copy of the sources, its build and what its tests run."""

    def __init__(self, where, folders, edge, bats, pins, jobs):
        self.dir, self.hashes = where, {}
        self.make = functools.partial(self.run, "make", "-s", "CFLAGS=-O2")
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)
        self.lock = threading.Lock()
        for path in subprocess.run(["git", "ls-files"], cwd=TOP, check=True,
                                   text=True, stdout=PIPE).stdout.split():
            to = os.path.join(where, path)
            os.makedirs(os.path.dirname(to), exist_ok=True)
            with open(os.path.join(TOP, path), "rb") as f, open(to, "ab+") as g:
                now = f.read()
                g.seek(0)
                if g.read() != now:  # so that make builds no more
                    g.truncate(0)
                    g.write(now)
            shutil.copymode(os.path.join(TOP, path), to)
            self.hashes[path] = hashlib.sha256(now).hexdigest()
        units, self.tools, self.libs, every = (
            self.make("--eval=p:;@echo $(%s)" % v, "p").split() for v in (
                "UNIT_IO" if edge else "UNIT", "TOOLS", "LIBS_IO",
                "IO:%=lib/%.c" if edge else "PURE:%=lib/%.c"))
        every = [p for p in every if not p.endswith("/build.c")]  # is made.o
        self.paths = [p for p in every if p.startswith(
            tuple(f.rstrip("/") + "/" for f in folders))]
        print("# building", flush=True)
        what = ["all", *(f"build/tests/unit/{t}" for t in units)]
        self.make(*what)
        self.rules = {words[words.index("-o") + 1]: words for words in map(
            shlex.split, self.make("-n", "-B", *what).replace(
                "\\\n", " ").split("\n")) if "-o" in words}
        for t in self.tools:  # the main of each once
            words = self.rules[f"build/{t}"]
            at = words.index("-o")
            self.run(*words[:at], "-c", "-o", f"build/{t}.main.o",
                     words[at + 2])
            words[at + 2:] = [f"build/{t}.main.o", *words[at + 3:], *self.libs]
        self.keep = f"{where}/lines-{'edge' if edge else 'core'}.json"
        self.tests = self.learn(every, units, bats)
        self.pins = self.learn_pins(pins)

    def run(self, *command):
        """What a command prints that must succeed."""
        return subprocess.run(command, cwd=self.dir, check=True, text=True,
                              stdout=PIPE).stdout

    def link(self, target, out, objects):
        """A program with other objects in place of the library's."""
        words = self.rules[f"build/{target}"]
        at = words.index("-o") + 1
        self.run(*os.environ.get("CC", "cc").split(), "-pthread", "--coverage",
                 "-Wl,--as-needed", "-o", out, words[at + 1], *objects,
                 *words[at + 2:], *os.environ.get("LDFLAGS", "").split())

    def link_tools(self, into, objects):
        """A build directory with other tools."""
        top = os.path.join(self.dir, into)
        os.makedirs(top, exist_ok=True)
        for name in set(os.listdir(f"{self.dir}/build")) - {
                *self.tools, *os.listdir(top)}:
            os.symlink(f"{self.dir}/build/{name}", f"{top}/{name}")
        for t in self.tools:
            self.link(t, f"{into}/{t}", objects)

    def learn(self, every, units, bats):
        """By test: how long it takes, and the lines of each file it runs."""
        known = {}
        if os.path.exists(self.keep):
            with open(self.keep, encoding="utf-8") as f:
                known = json.load(f)
        common = "".join(h for p, h in self.hashes.items() if p.startswith((
            "lib/", "cmd/", "Makefile")) or p.endswith((".bash", ".h")))
        keys = {p: p + " " + hashlib.sha256(
            (common + self.hashes[p]).encode()).hexdigest() for p in [
                *(f"tests/unit/{u}.c" for u in units),
                *(f"tests/cli/{b}.bats" for b in bats)]}
        todo = [p for p in keys if keys[p] not in known]
        if todo:
            print(f"# counting which line {len(todo)} tests run", flush=True)
            objects = list(self.pool.map(
                lambda p: self.compile(p, "cov", None), every))
            self.link_tools("cov/bin", objects)
        jobs = {self.pool.submit(self.count, p, objects): p for p in todo}
        for job in concurrent.futures.as_completed(jobs):
            known[keys[jobs[job]]] = job.result()
            with open(self.keep, "w", encoding="utf-8") as f:
                json.dump(known, f)
        return {t: k for key in keys.values() for t, k in known[key].items()}

    def learn_pins(self, pattern):
        """The family's pins: seconds, hash, command; those first that show
        much of what was made to be shown."""
        print("# running pins", flush=True)
        with open(f"{self.dir}/tests/pin/pin.sha256", encoding="utf-8") as f:
            pins = [line.rstrip("\n").split("\t", 1) for line in f]
        learned = []
        for pin, command in pins:
            begin = time.monotonic()
            most = 20 if "tests/pin/" in command else 1
            if re.search(pattern, command) and self.pin(
                    command, "build", most) == pin:
                learned.append((time.monotonic() - begin, pin, command))
        return sorted(learned, key=lambda k: ("tests/pin/" not in k[2], k))

    def pin(self, command, tools, seconds):
        """The hashes of a command as scripts/pin.sh makes them."""
        with tempfile.TemporaryDirectory(dir=self.dir) as top:
            os.symlink(f"{self.dir}/testdata", f"{top}/testdata")
            tools = os.path.join(self.dir, tools)
            run = subprocess.run(
                limited(4 << 20, 9 + seconds, seconds, "bash", "-c", command),
                cwd=top, check=False, stdin=DEVNULL, capture_output=True, env={
                    **os.environ, "LC_ALL": "C", "O": tools, "top": self.dir,
                    "dir": top, "PATH": f"{tools}:{os.environ['PATH']}"})
        return "".join(
            hashlib.sha256(b).hexdigest()[:16] + " " for b in (
                run.stdout, run.stderr, b"status %d\n" % run.returncode))

    def count(self, path, objects):
        """What a unit test or the tests of a bats file run."""
        name = os.path.basename(path).rpartition(".")[0]
        top = os.path.join(self.dir, "cov/lines", path)
        env = {  # a folder of counts for each test, from here() on
            **os.environ, "GCOV_PREFIX": f"{top}/0", "O": "cov/bin",
            "BASH_FUNC_cd%%": '() { builtin cd "$@" && GCOV_PREFIX=' + top +
            '/${BATS_SUITE_TEST_NUMBER:-${GCOV_PREFIX##*/}}; }'}
        run = ["bats", "--tap", "--timing", path]
        if path.endswith(".c"):
            run = [f"cov/unit-{name}"]
            self.link(f"tests/unit/{name}", *run, objects)
        begin = time.monotonic()
        tap = subprocess.run(run, cwd=self.dir, check=False, text=True, env=env,
                             stdout=PIPE, stderr=DEVNULL).stdout
        seconds = time.monotonic() - begin
        always = self.lines(f"{top}/0")
        if path.endswith(".c"):
            return {name: {"seconds": seconds, "lines": always, "bats": None}}
        tests = {}
        for m in re.finditer(r"^ok (\d+) (.*) in (\d+)ms$", tap, re.M):
            lines = self.lines(f"{top}/{m[1]}")
            for k, v in always.items():  # of setup_file
                lines[k] = lines.get(k, []) + v
            tests[f"{name}: {m[2]}"] = {
                "seconds": int(m[3]) / 1000, "lines": lines, "bats": path}
        return tests

    def lines(self, top):
        """The lines of each file that were run, by counts below a folder."""
        with self.lock:
            data = [os.path.relpath(os.path.join(d, n), top + self.dir)
                    for d, _, ns in os.walk(top + self.dir) for n in ns]
            for name in data:  # beside the objects
                os.rename(f"{top}{self.dir}/{name}", f"{self.dir}/{name}")
            out = self.run("gcov", "--json-format", "--stdout", *data
                           ) if data else ""
        lines = {}
        for doc in out.splitlines():
            for f in json.loads(doc)["files"] if doc.startswith("{") else []:
                ran = [k["line_number"] for k in f["lines"] if k["count"]]
                if f["file"].endswith(".c") and ran:
                    lines.setdefault(f["file"], []).extend(ran)
        return lines

    def order(self, path, first, last):
        """Tests of a statement's lines: named like the file, then quick."""
        stem = os.path.basename(path)[:-2]
        able = [t for t, k in self.tests.items() if not {
            *range(first, last + 1)}.isdisjoint(k["lines"].get(path, []))]
        if not able:  # a table, or what gcov counts elsewhere
            able = [t for t, k in self.tests.items() if path in k["lines"]]
        return sorted(able, key=lambda t: (
            bool(self.tests[t]["bats"]),
            not (t.startswith(stem) or stem.startswith(t)),
            self.tests[t]["seconds"]))

    def compile(self, path, into, text):
        """The object of a source, changed or to be counted; None: of no other
        program."""
        words = self.rules[f"build/{path[:-2]}.o"]
        obj, source = f"{into}/{path[:-2]}.o", path
        os.makedirs(os.path.dirname(f"{self.dir}/{obj}"), exist_ok=True)
        more = ["-O1", "--coverage", "-fprofile-update=atomic"]
        if text is not None:
            source = f"{into}/{path}"
            with open(f"{self.dir}/{source}", "w", encoding="utf-8") as f:
                f.write(text)
            more = [f"-fmacro-prefix-map={into}/="]
        built = subprocess.run([*words[:-3], *more, "-o", obj, source],
                               cwd=self.dir, check=False, stderr=DEVNULL)
        return None if built.returncode or filecmp.cmp(
            *(f"{self.dir}/{o}" for o in (obj, words[-2])), False) else obj

    def killer(self, tests, into, obj):
        """The first test that notices a mutant, or None."""
        rest = [t for t in tests if self.tests[t]["bats"]]
        for t in tests[:len(tests) - len(rest)]:
            self.link(f"tests/unit/{t}", f"{into}/unit", [obj])
            cpu = 6 + 10 * self.tests[t]["seconds"]
            command = limited(1 << 20, cpu, 10 * cpu, f"{into}/unit")
            if subprocess.run(command, cwd=self.dir, check=False,
                              stdout=DEVNULL, stderr=STDOUT).returncode:
                return t
        self.link_tools(f"{into}/bin", [obj])
        for seconds, pin, command in self.pins:
            if self.pin(command, f"{into}/bin", 2 + 9 * seconds) != pin:
                return "pin: " + command[:60]
        seconds = 2
        while rest:  # each batch three times as long as the one before
            batch, left = [], seconds
            while rest and (not batch or left > 0):
                left -= self.tests[rest[0]]["seconds"]
                batch.append(rest.pop(0))
            by = self.fails(batch, into)
            if by and self.fails([by] if by in batch else batch, into):
                return by
            seconds *= 3
        return None

    def fails(self, batch, into):
        """The first of some bats tests that fails with other tools, or None."""
        tmp = os.path.join(self.dir, into, "tmp")
        shutil.rmtree(tmp, ignore_errors=True)
        os.makedirs(tmp)
        name = {t.partition(": ")[2]: t for t in batch}
        which = "|".join(re.sub(r"[][.*+?(){}^$|\\]", r"\\\g<0>", n)
                         for n in name)
        slow = max(self.tests[t]["seconds"] for t in batch)
        with Popen(
                limited(4 << 20, 60 + 10 * slow, 3600, "bats", "--tap", "-f",
                        f"^({which})$",
                        *sorted({self.tests[t]["bats"] for t in batch})),
                cwd=self.dir, text=True, errors="replace", stdin=DEVNULL,
                stdout=PIPE, stderr=STDOUT, start_new_session=True, env={
                    **os.environ, "O": f"{into}/bin", "TMPDIR": tmp,
                    "BATS_TEST_TIMEOUT": f"{10 + 5 * slow:.0f}"}) as p:
            by = None
            for line in p.stdout:
                m = re.match(r"not ok \d+ (.*?)(?: # timeout.*)?$", line)
                if m:
                    by = name.get(m[1], m[1])
                    break
            with contextlib.suppress(ProcessLookupError):
                os.killpg(p.pid, signal.SIGKILL)
        return by


def statement(text, at):
    """First and last line of the statement about an offset."""
    low = max(text.rfind(c, 0, at) for c in ";{}") + 1
    low += len(text[low:at]) - len(text[low:at].lstrip())
    high = min(text.find(c, at) % (len(text) + 1) for c in ";{")
    return text.count("\n", 0, low) + 1, text.count("\n", 0, high) + 1


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    p.add_argument("-F", default="core", choices=FAMILIES, help="family")
    p.add_argument("-n", type=int, default=200, help="mutations")
    p.add_argument("-s", type=int, default=1, help="seed")
    p.add_argument("-f", default="", help="only files that match")
    p.add_argument("-j", type=int, default=1, help="mutants at a time")
    p.add_argument("-q", action="store_true", help="no bats tests")
    p.add_argument("-d", default="/tmp/pb-mutate", help="scratch directory")
    p.add_argument("folder", nargs="*")
    o = p.parse_args()
    folders, bats, pins = FAMILIES[o.F]
    src = Sources(os.path.realpath(o.d), o.folder or folders.split(),
                  bool(bats), [] if o.q else bats.split(), pins, o.j)
    with open(os.path.join(TOP, "tests/mutate.txt"), encoding="utf-8") as f:
        known = re.findall(r"^([^#\n].*)\n.+\n", f.read(), re.M)
    counts = {"killed": 0, "survived": 0, "equivalent": 0}
    choice = [s for path in src.paths if re.search(o.f, path)
              for s in sites(path)]
    random.Random(o.s).shuffle(choice)
    free = [f"mutant{i}" for i in range(o.j)]

    def work(site):
        """Make a mutation: how it ends, a line about it; None: not built."""
        path, at, length, new = site
        with open(os.path.join(src.dir, path), encoding="utf-8") as f:
            text = f.read()
        mutant = text[:at] + new + text[at + length:]
        row = text.count("\n", 0, at)
        change = "%s => %s" % tuple(t.split("\n")[row].strip()
                                    for t in (text, mutant))
        end, by, into = "equivalent", "", free.pop()
        obj = f"{path}: {change}" not in known and src.compile(
            path, into, mutant)
        if obj:
            tests = src.order(path, *statement(blank(text), at))
            by = src.killer(tests, into, obj)
            end = "killed" if by else "survived"
        free.append(into)
        return obj is not None and (
            end, "%-10s %s:%d %s (%s)" % (end, path, row + 1, change, by or (
                "none of %d tests" % len(tests) if obj else "")))

    running = []
    while (choice or running) and sum(counts.values()) < o.n:
        while choice and len(running) < 2 * o.j:
            running.append(src.pool.submit(work, choice.pop(0)))
        end = running.pop(0).result()
        if end:
            counts[end[0]] += 1
            print(end[1], flush=True)
    src.pool.shutdown(wait=False, cancel_futures=True)
    n = counts["killed"] + counts["survived"]
    print("# %d killed of %d, %.1f %%; %d equivalent" % (
        counts["killed"], n, 100 * counts["killed"] / max(n, 1),
        counts["equivalent"]))
    sys.exit(counts["killed"] < 0.9 * n)


if __name__ == "__main__":
    main()
