/* segment.h - points in a direction, and straight lines between two. */
#pragma once

#include "base/direction.h"
#include "pb/geom.h"

/* The point so far from p in direction th (rad). */
static inline struct pb_vec
pb_point_at(struct pb_vec p, double th, double far)
{
	pb_pair u = pb_direction(th);

	return (struct pb_vec){p.x + far * u[0], p.y + far * u[1]};
}

/* The point that is a share u of the way from a to b. */
static inline struct pb_vec
pb_between(struct pb_vec a, struct pb_vec b, double u)
{
	return (struct pb_vec){a.x + u * (b.x - a.x), a.y + u * (b.y - a.y)};
}

/* On which share of the way from a to b, 0..1, one is nearest to p. */
static inline double
pb_nearest_share(struct pb_vec a, struct pb_vec b, struct pb_vec p)
{
	double x = b.x - a.x, y = b.y - a.y, d2 = x * x + y * y;
	double u = d2 > 0 ? ((p.x - a.x) * x + (p.y - a.y) * y) / d2 : 0;

	return u < 0 ? 0 : u > 1 ? 1 : u;
}

/* Distance of p to the line from a to b. */
static inline double
pb_line_dist(struct pb_vec p, struct pb_vec a, struct pb_vec b)
{
	return pb_dist(p, pb_between(a, b, pb_nearest_share(a, b, p)));
}
