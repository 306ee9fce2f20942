#!/usr/bin/env python3
"""pacbot.py - the official Pacbot game as an environment for Python.

    python3 pacbot.py [LIBRARY]              play a game by chance, tell how
    python3 pacbot.py --wire [LIBRARY] |     the same as frames of the server
        pb-sim --from-wire

LIBRARY is libpb.so where it was installed, or build/libpb.so. Only ctypes is
needed. The structures mirror lib/game/pacbot/pacbot.h, lib/ghost/arcade.h and
lib/map/maze.h of the same version.
"""
import ctypes as c
import random
import sys

UP, LEFT, DOWN, RIGHT, STAY = range(5)


class At(c.Structure):
    _fields_ = [("row", c.c_int8), ("col", c.c_int8), ("dir", c.c_uint8)]


class Ghost(c.Structure):
    _fields_ = [("loc", At), ("next", At), ("trapped", c.c_uint8),
                ("fright", c.c_uint8), ("spawning", c.c_bool),
                ("eaten", c.c_bool)]


class State(c.Structure):
    """struct pb_pacbot: flat, so that a copy is a snapshot."""
    _fields_ = [("pellets", c.c_uint32 * 31), ("ghost", Ghost * 4),
                ("pac", At), ("tick", c.c_uint16),
                ("level_steps", c.c_uint16), ("score", c.c_uint16),
                ("period", c.c_uint8), ("mode", c.c_uint8),
                ("mode_steps", c.c_uint8), ("fruit_steps", c.c_uint8),
                ("level", c.c_uint8), ("lives", c.c_uint8),
                ("combo", c.c_uint8), ("left", c.c_uint8),
                ("active", c.c_uint8), ("paused", c.c_bool),
                ("pause_on_update", c.c_bool), ("ticked", c.c_bool)]


class Rules(c.Structure):
    _fields_ = [("exits", c.c_uint8 * 32 * 32), ("house", c.c_uint8 * 32 * 32),
                ("pellets", c.c_uint32 * 31), ("power", c.c_uint32 * 31),
                ("dots", c.c_uint8)]


class Place(c.Structure):
    _fields_ = [("row", c.c_int), ("col", c.c_int), ("dir", c.c_int)]


class Maze(c.Structure):
    _fields_ = [("name", c.c_char * 32), ("rows", c.c_int), ("cols", c.c_int),
                ("pitch", c.c_double), ("cell", c.c_char * 64 * 64),
                ("side", c.c_uint8 * 64 * 64), ("start", Place),
                ("ghost", Place * 4), ("ghosts", c.c_int),
                ("home", Place * 4), ("homes", c.c_int)]


PICK = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_int, c.c_int)


class Crew(c.Structure):
    _fields_ = [("turn", c.c_void_p), ("ctx", c.c_void_p), ("n", c.c_int)]


class Draw(c.Structure):
    _fields_ = [("pick", PICK), ("ctx", c.c_void_p), ("crew", Crew)]


class Pacbot:
    """reset(), step(move): (reward, done); state and frame() tell the rest."""

    def __init__(self, library="libpb.so", seed=1, ticks_per_cell=8):
        self.lib = c.CDLL(library)
        self.random = random.Random(seed)
        self.draw = Draw(PICK(lambda ctx, ghost, n: self.random.randrange(n)))
        self.ticks_per_cell = ticks_per_cell
        self.rules, self.state = Rules(), State()
        maze = Maze()
        if self.lib.pb_maze_standard(b"pacman", c.byref(maze)) != 0:
            raise RuntimeError("no standard board: another version?")
        self.lib.pb_pacbot_rules_init(c.byref(self.rules), c.byref(maze))
        self.lib.pb_pacbot_over.restype = c.c_bool

    def reset(self):
        self.lib.pb_pacbot_init(c.byref(self.state), c.byref(self.rules), 4)
        self._command(b"P")

    def step(self, move, ticks=None):
        """Let a cell's time pass, then make the move; ticks sees each one."""
        score, level = self.state.score, self.state.level
        for _ in range(self.ticks_per_cell):
            self.lib.pb_pacbot_begin(c.byref(self.state), c.byref(self.rules),
                                     c.byref(self.draw))
            if ticks:
                ticks(self.frame())
            if self.state.paused:
                self._command(b"P")
            self.lib.pb_pacbot_end(c.byref(self.state))
        if move != STAY:
            self._command(b"wasd"[move:move + 1])
        done = (self.lib.pb_pacbot_over(c.byref(self.state))
                or self.state.level != level)
        return self.state.score - score, done

    def exits(self):
        """The directions in which Pac-Man can go."""
        at = self.state.pac
        open_ = self.rules.exits[at.row][at.col] if at.row < 31 else 0
        return [d for d in range(4) if open_ >> d & 1]

    def frame(self):
        out = (c.c_uint8 * 159)()
        self.lib.pb_pacbot_frame(c.byref(self.state), out)
        return bytes(out)

    def _command(self, text):
        self.lib.pb_pacbot_command(c.byref(self.state), c.byref(self.rules),
                                   c.byref(self.draw), text, len(text))


def main(args):
    wire = "--wire" in args
    library = [a for a in args if a != "--wire"] or ["libpb.so"]
    game = Pacbot(library[0])
    ticks = sys.stdout.buffer.write if wire else None
    done, steps = False, 0
    game.reset()
    while not done:
        _, done = game.step(game.random.choice(game.exits() or [STAY]), ticks)
        steps += 1
    print(f"{game.state.score} points, {game.state.left} pellets left after "
          f"{steps} steps", file=sys.stderr if wire else sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
