/* square_ray.c - rays at any angle through the squares of a maze. */
#include "localize/square_ray.h"

#include <math.h>

/* No maze is there (cells). */
#define FAR (4.0 * PB_MAZE_SIDE)

double
pb_square_hit(const struct pb_regions *g, struct pb_vec v, double ux, double uy,
    double most, int *axis)
{
	int sx = ux > 0 ? 1 : -1, sy = uy > 0 ? 1 : -1, x, y;
	double px = ux != 0 ? fabs(1 / ux) : INFINITY; /* way per square */
	double py = uy != 0 ? fabs(1 / uy) : INFINITY;
	double t = 0, nx, ny;

	*axis = 0;
	if (!(fabs(v.x) < FAR && fabs(v.y) < FAR))
		return 0;
	x = (int)floor(v.x);
	y = (int)floor(v.y);
	nx = ux != 0 ? (x + (sx > 0) - v.x) / ux : INFINITY;
	ny = uy != 0 ? (y + (sy > 0) - v.y) / uy : INFINITY;
	while (pb_region_at(g, x, y) >= 0) {
		*axis = !(nx < ny);
		if (nx < ny) {
			t = nx;
			nx += px;
			x += sx;
		} else {
			t = ny;
			ny += py;
			y += sy;
		}
		if (t >= most)
			return most;
	}
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

	if (!(fabs(v.x) < FAR && fabs(v.y) < FAR))
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
