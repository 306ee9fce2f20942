#!/usr/bin/env python3
"""agree.py MAP OTHER - how alike two maps are, records in files.

Cells that either knows, how many of these are equal, and for each two kinds
how many cells are the first in MAP and the second in OTHER. A cell of MAP is
compared with the one of OTHER that holds its centre; a cell of OTHER whose
centre lies outside of MAP is unknown there.
"""
import json
import math
import sys

KINDS = ['free', 'occupied', 'unknown']


class Map:
    def __init__(self, path):
        with open(path) as lines:
            m = next(r for r in map(json.loads, lines) if r['type'] == 'map')
        self.width, self.height = m['width'], m['height']
        self.res = m['resolution']
        self.x, self.y, th = m['origin']
        self.cos, self.sin = math.cos(th), math.sin(th)
        if 'rows' in m:  # the first is the highest
            self.cell = [{'.': 0, '#': 1}.get(c, 2)
                         for row in reversed(m['rows']) for c in row]
        else:
            self.cell = [0 if 0 <= v <= 25 else 1 if v >= 65 else 2
                         for v in m['data']]

    def at(self, x, y):
        """What it says of a place; None outside."""
        x, y = x - self.x, y - self.y
        col = math.floor((self.cos * x + self.sin * y) / self.res)
        row = math.floor((self.cos * y - self.sin * x) / self.res)
        if 0 <= col < self.width and 0 <= row < self.height:
            return self.cell[row * self.width + col]
        return None

    def cells(self):
        for i, kind in enumerate(self.cell):
            x = (i % self.width + 0.5) * self.res
            y = (i // self.width + 0.5) * self.res
            yield (kind, self.x + self.cos * x - self.sin * y,
                   self.y + self.sin * x + self.cos * y)


a, b = Map(sys.argv[1]), Map(sys.argv[2])
n = [[0] * 3 for _ in range(3)]
for kind, x, y in a.cells():
    other = b.at(x, y)
    n[kind][2 if other is None else other] += 1
for kind, x, y in b.cells():
    if a.at(x, y) is None:
        n[2][kind] += 1
known = sum(map(sum, n)) - n[2][2]
equal = n[0][0] + n[1][1]
print(f'known: {known} cells')
print(f'equal: {equal} cells, {100 * equal / known:.1f} %')
for i in range(3):
    for j in range(3):
        print(f'{KINDS[i]}, {KINDS[j]}: {n[i][j]}')
