/*
 * maze_rays.c - where the regions of a maze are, and rays at any angle
 * through it.
 */
#include "localize/maze_rays.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Outside of all mazes (cells). */
#define FAR (2.0 * PB_MAZE_SIDE)

static bool
solid(const struct pb_cells *c, int x, int y)
{
	return pb_cells_at(c, x, y) < 0 && pb_cells_at(c, x + 1, y) < 0 &&
	       pb_cells_at(c, x, y + 1) < 0 && pb_cells_at(c, x + 1, y + 1) < 0;
}

/* What a square sees along each axis. */
static struct pb_region
view(const struct pb_cells *c, int x, int y)
{
	struct pb_region r = {
	    {(int8_t)x, (int8_t)y}, {(int8_t)(x + 1), (int8_t)(y + 1)}, {0}};
	int a = x, b = y, d = x, e = y;

	while (!solid(c, a, y))
		a++;
	while (!solid(c, x, b))
		b++;
	while (!solid(c, d, y))
		d--;
	while (!solid(c, x, e))
		e--;
	r.face[0] = (int8_t)a;
	r.face[1] = (int8_t)b;
	r.face[2] = (int8_t)(d + 1);
	r.face[3] = (int8_t)(e + 1);
	return r;
}

static bool
same(const struct pb_cells *c, const struct pb_region *r, int x, int y)
{
	struct pb_region v;

	if (solid(c, x, y))
		return false;
	v = view(c, x, y);
	return memcmp(v.face, r->face, sizeof(v.face)) == 0;
}

static void
grow(const struct pb_cells *c, struct pb_regions *g, int x, int y)
{
	struct pb_region r = view(c, x, y);

	while (same(c, &r, x, r.hi[1]))
		r.hi[1]++;
	while (same(c, &r, r.hi[0], y))
		r.hi[0]++;
	for (int i = x; i < r.hi[0]; i++)
		for (int j = y; j < r.hi[1]; j++)
			g->of[i + 2][j + 2] = (int16_t)g->n;
	g->at[g->n++] = r;
}

enum pb_status
pb_regions_init(struct pb_regions *g, const struct pb_cells *c)
{
	size_t most = (size_t)(c->rows + 1) * (size_t)(c->cols + 1);
	struct pb_region *at = malloc(most * sizeof(*at));

	if (at == NULL)
		return PB_ENOMEM;
	memset(g, 0, sizeof(*g));
	memset(g->of, -1, sizeof(g->of));
	g->at = at;
	for (int x = -1; x < c->rows; x++)
		for (int y = -1; y < c->cols; y++)
			if (g->of[x + 2][y + 2] < 0 && !solid(c, x, y))
				grow(c, g, x, y);
	return PB_OK;
}

void
pb_regions_clear(struct pb_regions *g)
{
	free(g->at);
	*g = (struct pb_regions){0};
}

int
pb_region_at(const struct pb_regions *g, int x, int y)
{
	if (x < -1 || x >= PB_MAZE_SIDE || y < -1 || y >= PB_MAZE_SIDE)
		return -1;
	return g->of[x + 2][y + 2];
}

int
pb_region_of(const struct pb_regions *g, struct pb_vec v)
{
	int x, y, bx, by, r;

	if (!(fabs(v.x) < FAR && fabs(v.y) < FAR))
		return -1;
	x = (int)floor(v.x);
	y = (int)floor(v.y);
	bx = v.x > x ? x : x - 1;
	by = v.y > y ? y : y - 1;
	/* On an edge of squares the point belongs to both of its sides. */
	if ((r = pb_region_at(g, x, y)) < 0 &&
	    (r = pb_region_at(g, bx, y)) < 0 &&
	    (r = pb_region_at(g, x, by)) < 0)
		r = pb_region_at(g, bx, by);
	return r;
}

double
pb_regions_ray(const struct pb_regions *g, struct pb_vec v, int i)
{
	int r = pb_region_of(g, v);
	double at = (i & 1) == 0 ? v.x : v.y;

	return r < 0 ? 0 : fabs(g->at[r].face[i] - at);
}

/* No maze is there (cells). */
#define RAY_FAR (4.0 * PB_MAZE_SIDE)

double
pb_square_hit(const struct pb_regions *g, struct pb_vec v, double ux, double uy,
    double most, int *axis)
{
	int sx = ux > 0 ? PB_REGION_SQUARES : -PB_REGION_SQUARES;
	int sy = uy > 0 ? 1 : -1, x, y;
	double px = ux != 0 ? fabs(1 / ux) : INFINITY; /* way per square */
	double py = uy != 0 ? fabs(1 / uy) : INFINITY;
	double t = 0, nx, ny;
	const int16_t *at;

	*axis = 0;
	if (!(fabs(v.x) < RAY_FAR && fabs(v.y) < RAY_FAR))
		return 0;
	x = (int)v.x - (v.x < (int)v.x);
	y = (int)v.y - (v.y < (int)v.y);
	if (pb_region_at(g, x, y) < 0)
		return 0;
	nx = ux != 0 ? (x + (sx > 0) - v.x) / ux : INFINITY;
	ny = uy != 0 ? (y + (sy > 0) - v.y) / uy : INFINITY;
	at = &g->of[x + 2][y + 2];
	do {
		*axis = !(nx < ny);
		if (nx < ny) {
			t = nx;
			nx += px;
			at += sx;
		} else {
			t = ny;
			ny += py;
			at += sy;
		}
		if (t >= most)
			return most;
	} while (*at >= 0);
	return t;
}

double
pb_square_ray(const struct pb_regions *g, struct pb_vec v, double ux, double uy,
    double most)
{
	int axis;

	return pb_square_hit(g, v, ux, uy, most, &axis);
}

/* From v to the square at (x, y), squared. */
static double
off(struct pb_vec v, int x, int y)
{
	double dx = fmax(fmax(x - v.x, v.x - (x + 1)), 0);
	double dy = fmax(fmax(y - v.y, v.y - (y + 1)), 0);

	return dx * dx + dy * dy;
}

bool
pb_square_touch(const struct pb_regions *g, struct pb_vec v, double radius)
{
	int x, y;

	if (!(fabs(v.x) < RAY_FAR && fabs(v.y) < RAY_FAR))
		return true;
	x = (int)floor(v.x);
	y = (int)floor(v.y);
	for (int i = x - 1; i <= x + 1; i++)
		for (int j = y - 1; j <= y + 1; j++)
			if (pb_region_at(g, i, j) < 0 &&
			    off(v, i, j) < radius * radius)
				return true;
	return false;
}
