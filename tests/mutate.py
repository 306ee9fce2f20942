#!/usr/bin/env python3
"""Change the library at random, one small change at a time, and see whether a
unit test fails: what survives shows where tests look away.

mutate.py [-n 100] [-s 1] [-f REGEX] [-d DIR] [FOLDER ...]

Each mutation changes one comparison, operator, number or jump of a source in
FOLDER (default: lib/game lib/ghost lib/localize lib/map); the same seed and
sources give the same ones. It is made in a copy of the sources in DIR (default
/tmp/pb-mutate, kept: a second run builds little), one object is compiled, and
the unit tests of the pure library that ran that line are linked with it and
run: first the one named like the file, then the quickest, until one fails.
Which test runs which line is counted once, by gcov. A test may take ten times
as long as it did, and 1 GB.

Printed is a line for each mutation: killed and by what, not built (no other
object code: the same program), survived, or equivalent, if tests/mutate.txt
gives the reason why no test can tell. At the end what share of the others was
killed; status 1 if that is below 90 %. It takes a quarter of an hour on one
core, or more; it is no part of the tests.
"""
import argparse
import hashlib
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys

SWAPS = {
    "<": ["<=", ">"], "<=": ["<", ">"], ">": [">=", "<"], ">=": [">", "<"],
    "==": ["!="], "!=": ["=="], "+": ["-"], "-": ["+"], "*": ["/"],
    "/": ["*"], "&&": ["||"], "||": ["&&"], "+=": ["-="], "-=": ["+="],
    "<<": [">>"], ">>": ["<<"], "&": ["|"], "|": ["&"], "%": ["*"],
}
SITES = re.compile(
    r"(?<=\s)(?P<op><=|>=|==|!=|&&|\|\||\+=|-=|<<|>>|[-+*/%<>&|])(?=\s)"
    r"|(?P<num>(?<![\w.\"])\d+(?:\.\d*)?(?:e-?\d+)?(?![\w.]))"
    r"|(?P<word>\b(?:true|false|continue|break)\b)"
    r"|(?P<no>(?<=\()!(?=[a-z(]))")
TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def blank(text):
    """The text with comments, strings, directives and asserts as blanks."""
    hide = re.compile(
        r"/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])+'"
        r"|^[ \t]*#(?:\\\n|[^\n])*|\bassert\([^;]*;", re.S | re.M)
    return hide.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def changes(site):
    """What can stand in place of a site."""
    if site["op"]:
        return SWAPS[site["op"]]
    if site["num"]:
        if re.fullmatch(r"\d+", site["num"]):
            return [str(int(site["num"]) + 1)]
        return [repr(float(site["num"]) * 1.5)]
    if site["no"]:
        return [""]
    return [{"true": "false", "false": "true", "continue": "",
             "break": ""}[site["word"]]]


def sites(top, folders):
    """All places of sources that were built: file, offset, old, new."""
    found = []
    for folder in folders:
        for where, _, names in sorted(os.walk(os.path.join(top, folder))):
            for name in sorted(n for n in names if n.endswith(".c")):
                path = os.path.relpath(os.path.join(where, name), top)
                if not os.path.exists(
                        os.path.join(top, "build", path[:-2] + ".o")):
                    continue
                with open(os.path.join(top, path), encoding="utf-8") as f:
                    text = blank(f.read())
                for m in SITES.finditer(text):
                    found += [(path, m.start(), m[0], new)
                              for new in changes(m)]
    return found


def limits(seconds):
    """What a test may use."""
    def set_them():
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        cpu = int(seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return set_them


class Sources:
    """A copy of the sources, its build and what its tests run."""

    def __init__(self, where):
        self.dir = where
        self.hash = hashlib.sha256()
        os.makedirs(where, exist_ok=True)
        for part in ("Makefile", "lib", "tests/unit", "scripts"):
            self.copy(part)
        if not os.path.exists(os.path.join(where, "testdata")):
            os.symlink(os.path.join(TOP, "testdata"),
                       os.path.join(where, "testdata"))
        names = self.make("--eval=p:;@echo $(UNIT)", "p").split()
        self.make(*[f"build/tests/unit/{t}" for t in names])
        self.tests = self.learn(names)

    def copy(self, part):
        """What differs, so that make builds no more."""
        top = os.path.join(TOP, part)
        files = [top] if os.path.isfile(top) else sorted(
            os.path.join(d, n) for d, _, ns in os.walk(top) for n in ns)
        for path in files:
            to = os.path.join(self.dir, os.path.relpath(path, TOP))
            with open(path, "rb") as f:
                now = f.read()
            self.hash.update(now)
            was = None
            if os.path.exists(to):
                with open(to, "rb") as f:
                    was = f.read()
            if now != was:
                os.makedirs(os.path.dirname(to), exist_ok=True)
                shutil.copy(path, to)

    def make(self, *what):
        """Build; what make prints."""
        return subprocess.run(
            ["make", "-s", *what], cwd=self.dir, check=True, text=True,
            stdout=subprocess.PIPE).stdout

    def learn(self, names):
        """By test: how long it takes, and the lines of each file it runs."""
        keep = os.path.join(self.dir, "lines.json")
        if os.path.exists(keep):
            with open(keep, encoding="utf-8") as f:
                known = json.load(f)
            if known["hash"] == self.hash.hexdigest():
                return known["tests"]
        print("# counting which test runs which line", flush=True)
        self.make("O=cov", "CFLAGS=-O1 --coverage -fprofile-update=single",
                  *[f"cov/tests/unit/{t}" for t in names])
        tests = {t: self.count(t) for t in names}
        with open(keep, "w", encoding="utf-8") as f:
            json.dump({"hash": self.hash.hexdigest(), "tests": tests}, f)
        return tests

    def count(self, test):
        """What a test runs."""
        for d, _, names in os.walk(os.path.join(self.dir, "cov")):
            for n in names:
                if n.endswith(".gcda"):
                    os.remove(os.path.join(d, n))
        begin = os.times().children_user
        subprocess.run([f"cov/tests/unit/{test}"], cwd=self.dir, check=False,
                       stdout=subprocess.DEVNULL)
        seconds = os.times().children_user - begin
        data = [os.path.relpath(os.path.join(d, n), self.dir)
                for d, _, ns in os.walk(os.path.join(self.dir, "cov/lib"))
                for n in ns if n.endswith(".gcda")]
        lines = {}
        out = subprocess.run(["gcov", "--json-format", "--stdout", *data],
                             cwd=self.dir, check=True, text=True,
                             stdout=subprocess.PIPE).stdout
        for doc in out.splitlines():
            for f in json.loads(doc)["files"] if doc.startswith("{") else []:
                if f["file"].endswith(".c"):
                    lines.setdefault(f["file"], []).extend(
                        k["line_number"] for k in f["lines"] if k["count"])
        return {"seconds": seconds, "lines": lines}

    def order(self, path, first, last):
        """Tests of a statement's lines: named like the file, then quick."""
        stem = os.path.basename(path)[:-2]
        able = [t for t, k in self.tests.items()
                if any(first <= n <= last for n in k["lines"].get(path, []))]
        if not able:  # a table, or what gcov counts elsewhere
            able = [t for t, k in self.tests.items() if path in k["lines"]]
        return sorted(able, key=lambda t: (
            not (t.startswith(stem) or stem.startswith(t)),
            self.tests[t]["seconds"]))

    def compile(self, path, text):
        """The object of a changed source, None: it is no other program."""
        source = os.path.join(self.dir, path)
        obj = os.path.join("build", path[:-2] + ".o")
        into = os.path.join(self.dir, obj)
        with open(source, "rb") as f:
            was = f.read()
        times = os.stat(source), os.stat(into)
        with open(into, "rb") as f:
            before = f.read()
        try:
            with open(source, "w", encoding="utf-8") as f:
                f.write(text)
            built = subprocess.run(
                ["make", "-s", obj], cwd=self.dir, check=False,
                stderr=subprocess.DEVNULL).returncode == 0
            if built:
                shutil.copy(into, os.path.join(self.dir, "mutant.o"))
                with open(into, "rb") as f:
                    built = f.read() != before
        finally:
            with open(source, "wb") as f:
                f.write(was)
            with open(into, "wb") as f:
                f.write(before)
            for name, t in zip((source, into), times):
                os.utime(name, ns=(t.st_atime_ns, t.st_mtime_ns))
        return built

    def fails(self, test):
        """Whether a test notices the mutant."""
        subprocess.run(
            [*os.environ.get("CC", "cc").split(), "-o", "mutant",
             f"build/tests/unit/{test}.o", "mutant.o", "build/libpb.a", "-lm",
             *os.environ.get("LDFLAGS", "").split()],
            cwd=self.dir, check=True)
        seconds = 5 + 10 * self.tests[test]["seconds"]
        try:
            return subprocess.run(
                ["./mutant"], cwd=self.dir, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, timeout=10 * seconds, check=False,
                preexec_fn=limits(seconds)).returncode != 0
        except subprocess.TimeoutExpired:
            return True


def statement(text, at):
    """First and last line of the statement about an offset."""
    low = max(text.rfind(c, 0, at) for c in ";{}") + 1
    high = min((i for i in (text.find(c, at) for c in ";{") if i >= 0),
               default=len(text))
    while low < at and text[low].isspace():
        low += 1
    return text.count("\n", 0, low) + 1, text.count("\n", 0, high) + 1


def reasons():
    """Mutations that no test can tell: "file: line => line" to the reason."""
    with open(os.path.join(TOP, "tests/mutate.txt"), encoding="utf-8") as f:
        rows = [row.rstrip("\n") for row in f if row.strip()
                and not row.startswith("#")]
    return dict(zip(rows[::2], rows[1::2]))


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    p.add_argument("-n", type=int, default=100, help="mutations")
    p.add_argument("-s", type=int, default=1, help="seed")
    p.add_argument("-f", default="", help="only files that match")
    p.add_argument("-d", default="/tmp/pb-mutate", help="scratch directory")
    p.add_argument("folder", nargs="*", default=[
        "lib/game", "lib/ghost", "lib/localize", "lib/map"])
    o = p.parse_args()
    src = Sources(o.d)
    known = reasons()
    counts = {"killed": 0, "survived": 0, "equivalent": 0}
    choice = [s for s in sites(o.d, o.folder) if re.search(o.f, s[0])]
    random.Random(o.s).shuffle(choice)
    for path, at, old, new in choice:
        if sum(counts.values()) == o.n:
            break
        with open(os.path.join(o.d, path), encoding="utf-8") as f:
            text = f.read()
        mutant = text[:at] + new + text[at + len(old):]
        row = text.count("\n", 0, at)
        name = "%s: %s => %s" % (path, text.split("\n")[row].strip(),
                                 mutant.split("\n")[row].strip())
        end = "equivalent" if name in known else "survived"
        if end == "equivalent":
            by = ""
        elif not src.compile(path, mutant):
            continue
        else:
            tests = src.order(path, *statement(blank(text), at))
            by = next((t for t in tests if src.fails(t)), None)
            end = "killed" if by else "survived"
            by = by or ("none of %d tests" % len(tests))
        counts[end] += 1
        print("%-10s %s:%d %s (%s)" % (end, path, row + 1,
                                       name.split(": ", 1)[1], by), flush=True)
    n = counts["killed"] + counts["survived"]
    print("# %d killed of %d, %.1f %%; %d equivalent" % (
        counts["killed"], n, 100 * counts["killed"] / max(n, 1),
        counts["equivalent"]))
    sys.exit(counts["killed"] < 0.9 * n)


if __name__ == "__main__":
    main()
