/* frames.c - coordinate frames of a robot, and where its scanner is on it. */
#include "io/ros/frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/pool.h"

#define DEEP 64 /* frames of a chain; more is a circle */

/* Rotation matrix and shift: p in the parent is r p + t. */
struct rigid {
	double r[3][3], t[3];
};

void
pb_frames_clear(struct pb_frames *f)
{
	free(f->at);
	*f = (struct pb_frames){.at = NULL};
}

const char *
pb_frame_name(const char *name)
{
	return name + strspn(name, "/");
}

const char *
pb_frame_last(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash ? slash + 1 : name;
}

static struct pb_ros_transform *
find(const struct pb_frames *f, const char *child)
{
	child = pb_frame_name(child);
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(pb_frame_name(f->at[i].child), child) == 0)
			return &f->at[i];
	return NULL;
}

bool
pb_frames_add(struct pb_frames *f, const struct pb_ros_transform *t)
{
	struct pb_ros_transform *known = find(f, t->child);

	if (!known && f->n == PB_FRAMES_MAX)
		return true;
	if (!known && !pb_grow(&f->at, f->n, &f->room, sizeof(*f->at)))
		return false;
	if (!known)
		known = &f->at[f->n++];
	*known = *t;
	return true;
}

/* A quaternion that says nothing, all 0, turns nothing. */
static struct rigid
rigid_of(const struct pb_ros_pose *p)
{
	double x = p->orientation.x, y = p->orientation.y;
	double z = p->orientation.z, w = p->orientation.w;
	double n = x * x + y * y + z * z + w * w, s = n > 0 ? 2 / n : 0;

	return (struct rigid){{{1 - s * (y * y + z * z), s * (x * y - w * z),
				   s * (x * z + w * y)},
				  {s * (x * y + w * z), 1 - s * (x * x + z * z),
				      s * (y * z - w * x)},
				  {s * (x * z - w * y), s * (y * z + w * x),
				      1 - s * (x * x + y * y)}},
	    {p->position.x, p->position.y, p->position.z}};
}

/* First b, then a. */
static struct rigid
compose(struct rigid a, struct rigid b)
{
	struct rigid c;

	for (int i = 0; i < 3; i++) {
		c.t[i] = a.t[i];
		for (int k = 0; k < 3; k++) {
			c.t[i] += a.r[i][k] * b.t[k];
			c.r[i][k] = 0;
			for (int j = 0; j < 3; j++)
				c.r[i][k] += a.r[i][j] * b.r[j][k];
		}
	}
	return c;
}

static struct rigid
inverse(struct rigid a)
{
	struct rigid b;

	for (int i = 0; i < 3; i++) {
		b.t[i] = 0;
		for (int k = 0; k < 3; k++) {
			b.r[i][k] = a.r[k][i];
			b.t[i] -= a.r[k][i] * a.t[k];
		}
	}
	return b;
}

/* From frame up to `top`, if that is above it. */
static bool
climb(const struct pb_frames *f, const char *frame, const char *top,
    struct rigid *out)
{
	static const struct pb_ros_pose here = {{0, 0, 0}, {0, 0, 0, 1}};

	*out = rigid_of(&here);
	top = pb_frame_name(top);
	for (int i = 0; i < DEEP; i++) {
		const struct pb_ros_transform *t;

		if (strcmp(pb_frame_name(frame), top) == 0)
			return true;
		if (!(t = find(f, frame)))
			return false;
		*out = compose(rigid_of(&t->transform), *out);
		frame = t->header.frame;
	}
	return false;
}

bool
pb_frames_mount(const struct pb_frames *f, const char *base, const char *frame,
    struct pb_pose *mount, bool *upside_down)
{
	const struct pb_ros_transform *t = NULL;
	const char *top = frame;
	struct rigid up, down;

	/* The nearest frame above the scanner that is above the base, too. */
	for (int i = 0; !climb(f, base, top, &down); i++) {
		if (i == DEEP || !(t = find(f, top)))
			return false;
		top = t->header.frame;
	}
	if (!climb(f, frame, top, &up))
		return false;
	up = compose(inverse(down), up);
	*mount = (struct pb_pose){
	    up.t[0], up.t[1], pb_atan2(up.r[1][0], up.r[0][0])};
	*upside_down = up.r[2][2] < 0;
	return true;
}
