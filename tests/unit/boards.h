/* boards.h - random boards for the tests of grids, fields and paths. */
#pragma once

#include <string.h>

#include "pb/rng.h"

/* Open a rectangle of a board. */
static inline void
board_open(unsigned char *b, int w, int x0, int y0, int x1, int y1, int v)
{
	for (int y = y0; y < y1; y++)
		for (int x = x0; x < x1; x++)
			b[y * w + x] = (unsigned char)v;
}

/*
 * A board of w x h bytes, 1 where free: scattered walls, rooms joined by
 * chance, or open space with a few blocks, by the number `style`.
 */
static inline void
board_make(struct pb_rng *r, int style, int w, int h, unsigned char *b)
{
	int rooms = style % 3 == 1;

	board_open(b, w, 0, 0, w, h, !rooms);
	for (int i = 0; i < (rooms ? 9 : 6) && style % 3 != 0; i++) {
		int x = (int)pb_rng_below(r, (unsigned)w);
		int y = (int)pb_rng_below(r, (unsigned)h);
		int x1 = x + 1 + (int)pb_rng_below(r, (unsigned)(w - x));
		int y1 = y + 1 + (int)pb_rng_below(r, (unsigned)(h - y));

		if (!rooms && x1 - x > w / 3)
			x1 = x + w / 3;
		board_open(b, w, x, y, x1, y1, rooms);
	}
	for (int i = 0; style % 3 == 0 && i < w * h; i++)
		b[i] = pb_rng_unit(r) > 0.05 + 0.1 * (style / 3 % 4);
}
