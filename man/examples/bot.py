#!/usr/bin/env python3
"""Plays every rule set: to what is nearest, well away from ghosts; pb-agents(7)."""
import collections
import json
import math
import sys

STEPS = {"up": (-1, 0), "left": (0, -1), "down": (1, 0), "right": (0, 1)}


def way(board, walls, start, ghosts, berth):
    """How a shortest way to a pellet or goal begins, over berth cells from ghosts."""
    first = {start: "stop"}
    queue = collections.deque(first)
    while queue:
        row, col = here = queue.popleft()
        for name, (down, right) in STEPS.items():
            r, c = to = row + down, col + right
            if (to in first or board.get(to, "#") == "#" or
                    walls and walls[2 * row + 1 + down][4 * col + 2 + 2 * right] != " " or
                    any(abs(r - y) + abs(c - x) <= berth for y, x in ghosts)):
                continue
            first[to] = name if here == start else first[here]
            if board[to] in ".oG":
                return first[to]
            queue.append(to)
    return None


def move(maze, tick):
    """On a board: the next step; in Zumy only the maze has rows."""
    board = {(r, c): cell for r, row in enumerate(tick.get("rows") or maze["rows"])
             for c, cell in enumerate(row)}
    me, *ghosts = tick["bodies"]
    start = me["row"], me["col"]
    ghosts = [(g["row"], g["col"]) for g in ghosts
              if g["mode"] != "frightened" and tick.get("mode") != "power"]
    ways = (way(board, maze.get("drawing"), start, ghosts, berth)
            for berth in (4, 3, 2, 1, 0, -1))
    return {"type": "move", "dir": next(filter(None, ways), "stop")}


def target(pellets, robot, clyde, t):
    """On a map: the next pellet, if there is one more than 1 m from Clyde."""
    def cost(pellet):
        at, me, ghost = ((p["x"], p["y"]) for p in (pellet, robot, clyde))
        return math.dist(at, ghost) < 1, math.dist(at, me)
    return {"type": "target", "t": t, "pellet": min(pellets, key=cost)["id"]}


last = {}  # the newest record of each type and body
for line in sys.stdin:
    new = json.loads(line)
    last[new["type"], new.get("id", "")] = new
    if new["type"] == "tick":
        print(json.dumps(move(last["maze", ""], new)), flush=True)
    elif new.get("name") == "choose":
        print(json.dumps(target(last["pellets", ""]["pellets"], last["pose", "robot"],
                                last["pose", "clyde"], new["t"])), flush=True)
