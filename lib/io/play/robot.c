/* robot.c - a real robot in the place of a simulated one. */
#include "io/play/robot.h"

#include <math.h>
#include <string.h>

#include "io/stream/pace.h"

/* Two clocks may drift apart like that (s/s): a few hundred times what
 * crystals do. */
#define DRIFT 1e-3

static void
put_twist(struct pb_twist u, double t, struct pb_text *out)
{
	const struct pb_rec_twist r = {u.v, u.w};

	pb_rec_put(out, PB_REC_TWIST, pb_stamp_at(t, "robot"), &r);
}

void
pb_robot_hear(struct pb_robot *b, double t, const struct pb_rec_pose *p)
{
	double now = pb_pace_seconds();
	double behind = now - t;

	if (strcmp(p->source, "estimate") != 0 ||
	    (*p->status != '\0' && strcmp(p->status, "tracking") != 0))
		return;
	if (b->knows && t >= b->stamp)
		behind = fmin(behind, b->behind + DRIFT * (t - b->stamp));
	b->behind = behind;
	b->stamp = t;
	b->heard = isnan(t) ? now : t + behind;
	b->at = (struct pb_pose){p->x, p->y, p->theta};
	b->knows = b->fresh = true;
}

bool
pb_robot_drive(struct pb_robot *b, double t, double dt, struct pb_twist *u,
    struct pb_pose *at, struct pb_text *out)
{
	bool fresh = b->fresh;
	/* The next twist leaves after dt: by then it is to stand. */
	bool dead =
	    !b->knows || pb_pace_seconds() + dt - b->heard > b->dead_man;

	if (dead)
		*u = (struct pb_twist){0, 0};
	put_twist(*u, t, out);
	if (fresh)
		*at = b->at;
	*at = pb_drive_move(*at, *u, dt);
	b->fresh = false;
	return fresh;
}

void
pb_robot_stop(double t, struct pb_text *out)
{
	put_twist((struct pb_twist){0, 0}, t, out);
}
