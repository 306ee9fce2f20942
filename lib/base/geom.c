/* geom.c - points, poses and cells of the plane. */
#include "pb/geom.h"

#include <math.h>

#include "base/elementary.h"

double
pb_wrap(double a)
{
	return pb_direction_wrap(a);
}

double
pb_yaw(double x, double y, double z, double w)
{
	return pb_wrap(
	    pb_atan2(2 * (w * z + x * y), w * w + x * x - y * y - z * z));
}

double
pb_dist(struct pb_vec a, struct pb_vec b)
{
	double dx = a.x - b.x, dy = a.y - b.y;

	/* sqrt is correctly rounded everywhere, hypot is not. */
	return sqrt(dx * dx + dy * dy);
}

struct pb_vec
pb_pose_vec(struct pb_pose p)
{
	return (struct pb_vec){p.x, p.y};
}

double
pb_pose_dist(struct pb_pose a, struct pb_pose b)
{
	return pb_dist(pb_pose_vec(a), pb_pose_vec(b));
}

struct pb_pose
pb_pose_compose(struct pb_pose f, struct pb_pose p)
{
	struct pb_vec v = pb_vec_from(f, (struct pb_vec){p.x, p.y});

	return (struct pb_pose){v.x, v.y, pb_wrap(f.th + p.th)};
}

struct pb_pose
pb_pose_inverse(struct pb_pose f)
{
	struct pb_vec v = pb_vec_into(f, (struct pb_vec){0, 0});

	return (struct pb_pose){v.x, v.y, pb_wrap(-f.th)};
}

/* By the inverse, whose rounding results know. */
struct pb_pose
pb_pose_into(struct pb_pose f, struct pb_pose p)
{
	return pb_pose_compose(pb_pose_inverse(f), p);
}

struct pb_vec
pb_vec_from(struct pb_pose f, struct pb_vec v)
{
	pb_pair u;

	if (f.th == 0)
		return (struct pb_vec){f.x + v.x, f.y + v.y};
	u = pb_direction(f.th);
	return (struct pb_vec){
	    f.x + u[0] * v.x - u[1] * v.y, f.y + u[1] * v.x + u[0] * v.y};
}

struct pb_vec
pb_vec_into(struct pb_pose f, struct pb_vec v)
{
	double dx = v.x - f.x, dy = v.y - f.y;
	pb_pair u;

	if (f.th == 0)
		return (struct pb_vec){dx, dy};
	u = pb_direction(f.th);
	return (struct pb_vec){u[0] * dx + u[1] * dy, u[0] * dy - u[1] * dx};
}
