"""live.py SECONDS SEED - a server of Pacbot among clients that fail.

Ten clients come, stall, send garbage, are cut in the middle of a frame and
return. Status 1 and the reason if the game does not go on, if memory,
descriptors or threads grow, or if a seat is not given back. Prints what was
measured. pb-sim is that of PATH.
"""
import os
import random
import re
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time

from websocket import head, take

HOST = "127.0.0.1"
FRAME = 159  # bytes of Pacbot's
SPEED = 20
UPGRADE = ("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
           "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").encode()
RESET = (socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
over = threading.Event()  # nobody begins anything new


def server(*options):
    """pb-sim --serve and its ports: of WebSockets, of TCP."""
    p = subprocess.Popen(
        ["pb-sim", "--serve", "--listen", HOST + ":0", "--listen",
         f"tcp://{HOST}:0", "--trust", HOST, *options],
        stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    return p, *(int(p.stderr.readline().rsplit(":", 1)[1]) for _ in "12")


def stop(p):
    p.terminate()
    said = p.communicate(timeout=10)[1]
    assert p.returncode == -15 and "no more commands: " in said, said


def run_all(jobs):
    jobs = [threading.Thread(target=f, args=args) for f, *args in jobs]
    for j in jobs:
        j.start()
    return jobs


def connect(port, source=HOST):
    s = socket.socket()
    s.settimeout(20)
    s.bind((source, 0))
    s.connect((HOST, port))
    return s


def join(port):
    s = connect(port)
    s.sendall(UPGRADE)
    assert " 101 " in head(s)
    return s


class Watcher(threading.Thread):
    """Counts the ticks that frames show; begins anew before the clock ends."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.s, self.ticks, self.frames, self.back = connect(port), 0, 0, 0
        self.start()

    def run(self):
        last = 0
        try:
            while True:
                now = int.from_bytes(take(self.s, FRAME)[:2], "big")
                self.frames += 1
                self.ticks += max(now - last, 0)
                self.back += now < last
                if last < 60000 <= now:
                    self.s.sendall(b"R")
                last = now
        except (EOFError, OSError):
            pass


def visit(r, ws, tcp):
    """One connection of a client that fails, one way or another."""
    stranger, web = r.random() < 0.3, r.random() < 0.5
    how = r.choice("read play deaf garbage cut mute".split())
    source = r.choice(("127.0.0.2", "127.0.0.3")) if stranger else HOST
    with connect(ws if web else tcp, source) as s:
        until = time.monotonic() + r.uniform(0, 2)
        if web and how != "mute":
            short = how == "garbage" and r.random() < 0.3
            s.sendall(UPGRADE[:r.randrange(len(UPGRADE))] if short else UPGRADE)
        # Who is trusted sends nothing that ends the game, or begins it anew.
        noise = r.randbytes(r.randrange(1, 20000))
        if not stranger:
            noise = re.sub(rb"[rRxwsad]", b"?", noise)
        if how == "garbage":
            s.sendall(noise)
        elif how == "cut":
            s.sendall(b"\x82\xfe\x7f\xff\0\0\0\0" + noise if web else b"x")
        while how in ("read", "play") and time.monotonic() < until:
            if not s.recv(9999):
                break
            if how == "play":
                move = r.choice((b"a", b"d", b"p"))
                s.sendall(b"\x82\x81\0\0\0\0" + move if web else move)
        if how in ("deaf", "mute"):
            over.wait(r.choice((1, 1, 1, 12)))
        if r.random() < 0.5:
            s.setsockopt(*RESET)


def client(r, visits, ws, tcp):
    while not over.is_set():
        try:
            visits.append(1)
            visit(r, ws, tcp)
        except (OSError, EOFError):
            pass


def sample(pid):
    """Memory (KB), descriptors, threads."""
    with open(f"/proc/{pid}/status", encoding="ascii") as f:
        had = dict(line.split(":", 1) for line in f)
    return (int(had["VmRSS"].split()[0]), len(os.listdir(f"/proc/{pid}/fd")),
            int(had["Threads"]))


def becomes(what):
    """Whether that is so within 10 s."""
    end = time.monotonic() + 10
    while not what() and time.monotonic() < end:
        time.sleep(0.05)
    return what()


def crowd(seconds, seed):
    # Without ghosts nobody dies, so that the match goes on.
    p, ws, tcp = server("--referee", "--speed", str(SPEED), "--set", "ghosts=0")
    watcher = Watcher(tcp)
    assert becomes(lambda: watcher.ticks > 200), "the game does not begin"
    before, t, calm = sample(p.pid), time.monotonic(), watcher.ticks
    over.wait(seconds / 8)
    calm = (watcher.ticks - calm) / (time.monotonic() - t)
    visits, samples = [], []
    t, ticks = time.monotonic(), watcher.ticks
    clients = run_all((client, random.Random(f"{seed}/{i}"), visits, ws, tcp)
                      for i in range(10))
    while time.monotonic() < t + seconds:
        over.wait(0.1)
        samples.append(sample(p.pid))
    rate = (watcher.ticks - ticks) / (time.monotonic() - t)
    over.set()
    for c in clients:
        c.join()
    print(f"{len(visits)} visits in {seconds:g} s; ticks/s: {calm:.0f} alone, "
          f"{rate:.0f} in the crowd; {watcher.frames} frames, "
          f"{watcher.ticks / 24 / 60:.1f} min of game; KB, descriptors, threads: "
          f"{before} before, {samples[-1]} at the end, at most "
          f"{tuple(max(x) for x in zip(*samples))}")
    assert becomes(lambda: sample(p.pid)[1] == before[1]), \
        f"descriptors: {sample(p.pid)[1]}, there were {before[1]}"
    for s in (join(ws), connect(tcp)):
        assert s.recv(FRAME), "no seat for one that is trusted"
    # A machine that has much else to do may have got busier.
    assert rate > 0.25 * calm and watcher.back <= watcher.ticks // 60000, \
        f"the game does not go on: {watcher.back} times back"
    assert all(s[2] == before[2] for s in samples), "threads"
    half = [max(s[0] for s in part) for part in
            (samples[:len(samples) // 2], samples[len(samples) // 2:])]
    with open(shutil.which("pb-sim"), "rb") as f:
        assert half[1] <= half[0] + 256 or b"__asan" in f.read(), half
    stop(p)


if __name__ == "__main__":
    crowd(float(sys.argv[1]), sys.argv[2])
