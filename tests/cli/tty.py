#!/usr/bin/env python3
"""Run a command in a terminal of its own, as a shell would, and do things.

tty.py SCREEN COMMAND ACTION ...

SCREEN is a file for what the command shows. COMMAND is for sh -c. Actions:
  wait:REGEX   until REGEX shows up in what is new, 20 s at most
  type:TEXT    with \\e, \\r, \\xHH, ...
  sleep:SECONDS
  kill:NAME    send a signal to the command's process group
  size:ROWSxCOLUMNS
  stopped      until the command has stopped
  same         the terminal's settings are as they were, now
  ends         until the command has ended
Prints what failed and ends with 1, else prints how the command ended: a
status, or the name of a signal; "raw" after it if the terminal's settings are
not as they were.
"""
import fcntl
import os
import re
import select
import signal
import struct
import sys
import termios
import time

screen = open(sys.argv[1], "wb", buffering=0)
command, actions = sys.argv[2], sys.argv[3:]


def leader(slave, report):
    """The shell: makes the command its foreground job and tells of it."""
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    for fd in (0, 1, 2):
        os.dup2(slave, fd)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        # Whoever runs the tests in the background ignores SIGINT.
        for s in (signal.SIGTTOU, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
            signal.signal(s, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR1])
        os.execl("/bin/sh", "sh", "-c", "exec " + command)
    os.write(report, b"job %d\n" % job)
    while True:
        _, status = os.waitpid(job, os.WUNTRACED)
        if os.WIFSTOPPED(status):
            os.write(report, b"stopped\n")
            os.tcsetpgrp(0, os.getpid())
            signal.sigtimedwait([signal.SIGUSR1], 20)
            os.tcsetpgrp(0, job)
            os.killpg(job, signal.SIGCONT)
            continue
        end = (b"%d" % os.WEXITSTATUS(status) if os.WIFEXITED(status) else
               signal.Signals(os.WTERMSIG(status)).name.encode())
        os.write(report, b"ended " + end + b"\n")
        time.sleep(20)


master, slave = os.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
before = termios.tcgetattr(slave)
hear, tell = os.pipe()
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
shell = os.fork()
if shell == 0:
    os.close(master)
    leader(slave, tell)
seen, new, said = b"", b"", b""


def fail(what):
    print("failed:", what)
    print(seen[-3000:].decode(errors="replace"))
    os.kill(shell, signal.SIGKILL)
    sys.exit(1)


def pump(seconds):
    global seen, new, said
    ready, _, _ = select.select([master, hear], [], [], seconds)
    if master in ready:
        got = os.read(master, 65536)
        screen.write(got)
        seen += got
        new += got
    if hear in ready:
        said += os.read(hear, 4096)


def until(what, test, seconds=20):
    end = time.monotonic() + seconds
    while not test():
        left = end - time.monotonic()
        if left <= 0:
            return fail(what)
        pump(left)


def job():
    until("job", lambda: re.search(rb"job (\d+)\n", said))
    return int(re.search(rb"job (\d+)\n", said)[1])


def same():
    return termios.tcgetattr(slave) == before


def forget(test):
    global new
    m = re.search(test, new, re.S)
    if m:
        new = new[m.end():]
    return m


for a in actions:
    name, _, arg = a.partition(":")
    if name == "wait":
        until(a, lambda: forget(arg.encode()))
    elif name == "type":
        arg = arg.replace("\\e", "\\x1b")
        os.write(master, arg.encode().decode("unicode_escape").encode("latin1"))
    elif name == "sleep":
        end = time.monotonic() + float(arg)
        while time.monotonic() < end:
            pump(end - time.monotonic())
    elif name == "kill":
        os.killpg(job(), getattr(signal, arg))
    elif name == "size":
        r, c = map(int, arg.split("x"))
        fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", r, c, 0, 0))
        os.killpg(job(), signal.SIGWINCH)
    elif name == "stopped":
        until(a, lambda: b"stopped\n" in said)
        said = said.replace(b"stopped\n", b"")
    elif name == "continue":
        os.kill(shell, signal.SIGUSR1)
    elif name == "same":
        if not same():
            fail("the terminal is not as it was")
    elif name == "ends":
        until(a, lambda: b"ended " in said)
    else:
        fail("unknown action " + a)
until("end", lambda: b"ended " in said)
while select.select([master], [], [], 0.05)[0]:
    pump(0)
print(re.search(rb"ended (\w+)\n", said)[1].decode(), "" if same() else "raw",
      sep="" if same() else " ")
os.kill(shell, signal.SIGKILL)
