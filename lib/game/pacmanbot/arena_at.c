/* arena_at.c - what an arena has at a place. */
#include "game/pacmanbot/arena.h"

int
pb_arena_cell(const struct pb_arena *a, struct pb_vec p)
{
	const struct pb_map *m = &a->map;
	struct pb_vec q;
	double dx = p.x - m->origin.x;
	double dy = p.y - m->origin.y;

	q.x = (a->yaw_cos * dx + a->yaw_sin * dy) * a->per_metre;
	q.y = (a->yaw_cos * dy - a->yaw_sin * dx) * a->per_metre;
	if (!(q.x >= m->left && q.x < m->left + m->width && q.y >= m->below &&
		q.y < m->below + m->height))
		return -1;
	return ((int)q.y - m->below) * m->width + (int)q.x - m->left;
}

struct pb_vec
pb_arena_centre(const struct pb_arena *a, int i)
{
	const struct pb_map *m = &a->map;
	double c = (m->left + i % m->width + 0.5) * m->resolution;
	double r = (m->below + i / m->width + 0.5) * m->resolution;

	return (struct pb_vec){
	    m->origin.x + a->yaw_cos * c - a->yaw_sin * r,
	    m->origin.y + a->yaw_sin * c + a->yaw_cos * r,
	};
}

double
pb_arena_clearance(const struct pb_arena *a, struct pb_vec p)
{
	int i = pb_arena_cell(a, p);

	return i < 0 ? 0
	             : pb_edt_clearance(&a->edt, (size_t)i, a->map.resolution);
}

/* The column or row v of n, the nearest one if it is beyond them. */
static int
between(double v, int n)
{
	return v > n - 1 ? n - 1 : v > 0 ? (int)v : 0;
}

int
pb_arena_near(const struct pb_arena *a, const struct pb_grid *g, int to,
    struct pb_vec p, double tol)
{
	struct pb_cell c = pb_map_cell(&a->map, p);
	double k = tol * a->per_metre + 1;
	struct pb_cell lo = {
	    between(c.col - k, g->width), between(c.row - k, g->height)};
	struct pb_cell hi = {
	    between(c.col + k, g->width), between(c.row + k, g->height)};
	double best = tol;
	int found = -1;

	for (int row = lo.row; row <= hi.row; row++)
		for (int col = lo.col; col <= hi.col; col++) {
			int i = row * g->width + col;
			double d;

			if (!pb_grid_joined(g, i, to))
				continue;
			d = pb_dist(p, pb_arena_centre(a, i));
			if (d < best || (found < 0 && d <= best)) {
				best = d;
				found = i;
			}
		}
	return found;
}
