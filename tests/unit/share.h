/* share.h - which part of a line lies in a cell, for tests of line walks. */
#pragma once

#include <math.h>

#include "pb/geom.h"

/* The share of the line from a to b within cell (c, r): the slow way. */
static inline double
share_in_cell(struct pb_vec a, struct pb_vec b, int c, int r)
{
	double from[2] = {a.x, a.y}, d[2] = {b.x - a.x, b.y - a.y};
	double lo = 0, hi = 1, cell[2] = {c, r};

	for (int k = 0; k < 2; k++) {
		double u, v;

		if (d[k] == 0) {
			if (floor(from[k]) != cell[k])
				return 0;
			continue;
		}
		u = (cell[k] - from[k]) / d[k];
		v = (cell[k] + 1 - from[k]) / d[k];
		lo = fmax(lo, fmin(u, v));
		hi = fmin(hi, fmax(u, v));
	}
	return hi - lo;
}
