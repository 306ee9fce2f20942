/* segment.h - points in a direction and on the way to another. */
#pragma once

#include "base/clamp.h"
#include "base/direction.h"
#include "pb/geom.h"

/* The point so far from p in direction th (rad). */
static inline struct pb_vec
pb_point_at(struct pb_vec p, double th, double far)
{
	pb_pair u = pb_direction(th);

	return (struct pb_vec){p.x + far * u[0], p.y + far * u[1]};
}

/* The share u of the way from a to b. */
static inline struct pb_vec
pb_segment_at(struct pb_vec a, struct pb_vec b, double u)
{
	return (struct pb_vec){a.x + u * (b.x - a.x), a.y + u * (b.y - a.y)};
}

/* The same of poses, which turn the shorter way meanwhile. */
static inline struct pb_pose
pb_segment_pose(struct pb_pose a, struct pb_pose b, double u)
{
	struct pb_vec v = pb_segment_at(pb_pose_vec(a), pb_pose_vec(b), u);

	return (struct pb_pose){v.x, v.y,
	    pb_direction_wrap(a.th + u * pb_direction_wrap(b.th - a.th))};
}

/* Where on the segment from a to b, 0..1, the point p is nearest to it. */
static inline double
pb_segment_nearest(struct pb_vec a, struct pb_vec b, struct pb_vec p)
{
	double dx = b.x - a.x, dy = b.y - a.y, d2 = dx * dx + dy * dy;

	if (!(d2 > 0))
		return 0;
	return pb_clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / d2, 0, 1);
}

/* How far p is from the segment from a to b. */
static inline double
pb_segment_dist(struct pb_vec a, struct pb_vec b, struct pb_vec p)
{
	return pb_dist(p, pb_segment_at(a, b, pb_segment_nearest(a, b, p)));
}
