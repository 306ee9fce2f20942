/* clyde_maps.h - small maps and streams for the tests of Clyde. */
#pragma once

#include "check.h"
#include "pb/clyde.h"

/* A map of 0.05 m cells from picture rows: '.' free, '#' not. */
static inline void
draw(struct pb_map *m, const char *const *row, int n)
{
	int width = (int)strlen(row[0]);

	check_int(
	    pb_map_init(m, width, n, 0.05, (struct pb_pose){-1, 2, 0}), PB_OK);
	for (int v = 0; v < n; v++)
		for (int u = 0; u < width; u++)
			m->cell[(n - 1 - v) * width + u] =
			    row[v][u] == '.' ? 0 : 100;
}

/* Open floor with random blocks on it. */
static inline void
scatter(struct pb_map *m, int width, int height, int blocks, struct pb_rng *r)
{
	check_int(
	    pb_map_init(m, width, height, 0.05, (struct pb_pose){0.3, -0.7, 0}),
	    PB_OK);
	memset(m->cell, 0, pb_map_cells(m));
	for (int i = 0; i < blocks; i++)
		m->cell[pb_rng_below(r, (uint32_t)pb_map_cells(m))] = 100;
}

/* Clearance of one cell, so that small maps have room. */
static inline struct pb_clyde_opts
slim(void)
{
	struct pb_clyde_opts o = pb_clyde_defaults();

	o.clearance = 0.05;
	return o;
}

static inline struct pb_rng
stream(uint64_t seed)
{
	struct pb_rng r = draws(seed, PB_FOR_GHOST);

	return r;
}

/* Every cell of the square around (u, v) is in the map and free. */
static inline bool
slow_safe(const struct pb_map *m, int col, int row, int c)
{
	if (col < c || col >= m->width - c || row < c || row >= m->height - c)
		return false;
	for (int dy = -c; dy <= c; dy++)
		for (int dx = -c; dx <= c; dx++)
			if (m->cell[(row + dy) * m->width + col + dx] != 0)
				return false;
	return true;
}
