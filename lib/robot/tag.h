/* tag.h - flat tags that a camera sees, and the published twist to a point. */
#ifndef PB_ROBOT_TAG_H
#define PB_ROBOT_TAG_H

#include <stdbool.h>

#include "base/geom.h"

/* The pose of one tag in the frame of another: p = r p' + p. SI units. */
struct pb_tag {
	double r[3][3];
	double p[3];
};

struct pb_twist3 {
	double v[3]; /* m/s */
	double w[3]; /* rad/s */
};

/* A tag at p and height z (m), tilted: r = Rz(p.th) Ry(pitch) Rx(roll). */
struct pb_tag pb_tag_at(struct pb_pose p, double z, double pitch, double roll);

struct pb_tag pb_tag_inverse(const struct pb_tag *t);

/*
 * What the published controller makes of a robot's tag t and a point: the
 * logarithm of the motion that takes the robot there, looking along the line
 * to it, but for the angle. Its axis has length 1, however small the rotation,
 * and is along z only if nothing is tilted (Murray, Li, Sastry, section 2.3.2).
 *
 * Returns  whether there is one; not where the rotation is none or a half
 */
bool pb_tag_screw(
    const struct pb_tag *t, struct pb_vec to, struct pb_twist3 *out);

#endif
