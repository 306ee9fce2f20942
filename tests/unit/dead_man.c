/* dead_man.c - tests of when a real robot has to stand. */
#include "check.h"

#include "io/play/play.h"
#include "io/stream/pace.h"

#define DT 0.01

/* Whether it may drive now; *at is where it takes itself to be. */
static bool
drives(struct pb_robot *b, struct pb_pose *at, bool *fresh)
{
	struct pb_text out = {.s = NULL};
	struct pb_twist u = {0.5, 0.1};

	*fresh = pb_robot_drive(b, 1, DT, &u, at, &out);
	pb_text_put(&out, "", 1);
	check((u.v == 0) == (u.w == 0));
	check_has(out.s, u.v > 0 ? ":0.5," : ":0,");
	pb_text_clear(&out);
	return u.v > 0;
}

static void
hear(struct pb_robot *b, double t, double x, const char *source,
    const char *status)
{
	struct pb_rec_pose p = {.x = x};

	PB_REC_SET(p.source, source);
	PB_REC_SET(p.status, status);
	pb_robot_hear(b, t, &p);
}

static void
sleep_for(double s)
{
	pb_pace_wait(pb_pace_now(), s);
}

test(poses_that_count)
{
	struct pb_robot b = {.dead_man = 5};
	struct pb_pose at = {7, 0, 0};
	bool fresh;

	hear(&b, 0, 1, "truth", "");
	hear(&b, 0, 1, "initial", "");
	hear(&b, 0, 1, "estimate", "lost");
	hear(&b, 0, 1, "estimate", "ambiguous");
	check(!drives(&b, &at, &fresh) && !fresh && at.x == 7);
	hear(&b, 0, 2, "estimate", "tracking");
	check(drives(&b, &at, &fresh) && fresh);
	/* It has moved on by what was commanded. */
	check(fabs(at.x - (2 + 0.5 * DT)) < 1e-9);
	check(drives(&b, &at, &fresh) && !fresh);
	check(fabs(at.x - (2 + 2 * 0.5 * DT)) < 1e-4);
	hear(&b, NAN, 3, "estimate", "");
	check(drives(&b, &at, &fresh) && fresh && at.x > 3);
}

/* Poses that queue up come often, and are old. */
test(poses_that_are_late)
{
	struct pb_robot b = {.dead_man = 0.2};
	struct pb_pose at = {0, 0, 0};
	bool fresh;

	hear(&b, 100, 1, "estimate", "tracking");
	check(drives(&b, &at, &fresh));
	sleep_for(0.3);
	check(!drives(&b, &at, &fresh));
	hear(&b, 100.05, 1, "estimate", "tracking");
	check(!drives(&b, &at, &fresh) && fresh);
	hear(&b, 100.3, 1, "estimate", "tracking");
	check(drives(&b, &at, &fresh));
	/* One from before the last is none. */
	sleep_for(0.25);
	hear(&b, 100.1, 1, "estimate", "tracking");
	check(!drives(&b, &at, &fresh) && !fresh);
	/* A clock that began anew is another clock. */
	hear(&b, 3, 1, "estimate", "tracking");
	check(drives(&b, &at, &fresh));
	pb_robot_clock(&b, -100);
	check(!drives(&b, &at, &fresh));
}

/* The first pose may be old: other records tell what time it is. */
test(poses_that_are_late_from_the_start)
{
	struct pb_robot b = {.dead_man = 0.2};
	struct pb_pose at = {0, 0, 0};
	bool fresh;

	pb_robot_clock(&b, 50);
	sleep_for(0.3);
	hear(&b, 50, 1, "estimate", "lost");
	hear(&b, 50.02, 1, "estimate", "tracking");
	check(!drives(&b, &at, &fresh) && fresh);
	pb_robot_clock(&b, 50.3);
	check(!drives(&b, &at, &fresh));
	hear(&b, 50.3, 1, "estimate", "tracking");
	check(drives(&b, &at, &fresh));
}
