#!/usr/bin/env python3
"""Plays Pacbot: the nearest pellet, well away from ghosts; see pb-agents(7)."""
import collections
import json
import sys

STEPS = {"up": (-1, 0), "left": (0, -1), "down": (1, 0), "right": (0, 1)}


def way(board, start, ghosts, berth):
    """How a shortest way to a pellet begins, over berth cells from ghosts."""
    first = {start: "stop"}
    queue = collections.deque(first)
    while queue:
        row, col = here = queue.popleft()
        for name, (down, right) in STEPS.items():
            r, c = to = row + down, col + right
            if (to in first or board.get(to, "#") == "#" or
                    any(abs(r - y) + abs(c - x) <= berth for y, x in ghosts)):
                continue
            first[to] = name if here == start else first[here]
            if board[to] in ".o":
                return first[to]
            queue.append(to)
    return None


for line in sys.stdin:
    tick = json.loads(line)
    if tick["type"] != "tick":
        continue  # maze, reset: nothing is remembered from tick to tick
    board = {(r, c): cell for r, cells in enumerate(tick["rows"])
             for c, cell in enumerate(cells)}
    me, *ghosts = tick["bodies"]
    start = me["row"], me["col"]
    ghosts = [(g["row"], g["col"]) for g in ghosts if g["mode"] != "frightened"]
    ways = (way(board, start, ghosts, berth) for berth in (4, 3, 2, 1, 0, -1))
    move = next(filter(None, ways), "stop")
    print(json.dumps({"type": "move", "dir": move}), flush=True)
