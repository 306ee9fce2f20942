/* maze_trial.c - one trial of a localization method in a maze. */
#include "localize/maze_trial.h"

#include <math.h>

/* Variance of a start that a method is told: it stands in a cell (m2). */
#define START_VAR 1e-4

/* 30 seconds of play, after 1.5 in which what is late has come. */
struct pb_maze_trial_opts
pb_maze_trial_defaults(void)
{
	return (struct pb_maze_trial_opts){.updates = 2000,
	    .warm = 100,
	    .near = 0.5,
	    .drive = pb_maze_drive_defaults()};
}

#define PB_PARAMS_OF struct pb_maze_trial_opts

const struct pb_param *
pb_maze_trial_params(size_t *n)
{
	static const struct pb_param list[] = {
	    PB_COUNT("maze-updates", updates, "scans", 1, 1e6,
		"that count in a trial"),
	    PB_COUNT("maze-warm-up", warm, "scans", 0, 1e6,
		"before them, with track and kidnap"),
	    PB_REAL(
		"maze-near", near, "cells", 0, 100, "right if no further off"),
	};

	*n = sizeof(list) / sizeof(*list);
	return list;
}

/* A trial under way. */
struct course {
	struct pb_loc_taught a;
	struct pb_maze_drive *d;
};

static void
begin(struct course *c, int protocol, uint64_t seed, uint64_t trial)
{
	struct pb_loc_start s = {.kind = PB_LOC_NEAR,
	    .cov = {{START_VAR, 0, 0}, {0, START_VAR, 0}, {0, 0, 0}},
	    .seed = seed,
	    .trial = trial,
	    .pose = pb_maze_drive_pose(c->d)};

	/* The robot knows no heading but its compass's. */
	s.pose.th = pb_maze_drive_odom(c->d).th;
	if (protocol == PB_LOC_GLOBAL) {
		s.kind = PB_LOC_ANYWHERE;
		s.pose.x = s.pose.y = 0;
	}
	c->a.m->reset(c->a.mem, c->a.known, &s);
	c->a.m->predict(c->a.mem, c->a.known, pb_maze_drive_odom(c->d));
}

/* The camera's answer comes before the ranges of the same time. */
static void
hear(struct course *c)
{
	struct pb_loc_fix fix;
	struct pb_scan z;
	bool seen = pb_maze_drive_tick(c->d, &fix);

	c->a.m->predict(c->a.mem, c->a.known, pb_maze_drive_odom(c->d));
	if (seen && c->a.m->fix != NULL)
		c->a.m->fix(c->a.mem, c->a.known, &fix);
	z = pb_maze_drive_scan(c->d);
	if (c->a.m->scan != NULL)
		c->a.m->scan(c->a.mem, c->a.known, &z);
}

struct pb_loc_result
pb_maze_trial(struct pb_loc_taught a, const struct pb_maze_drive_world *w,
    const struct pb_maze_trial_opts *o, int protocol, double near_turn,
    uint64_t seed, uint64_t trial, struct pb_maze_seat *seat)
{
	struct course c = {a, &seat->drive};
	int warm = protocol == PB_LOC_GLOBAL ? 0 : o->warm;
	double period = o->drive.period;
	struct pb_loc_judge j = {.near = o->near * w->cell,
	    .near_turn = near_turn,
	    .cell = w->cell,
	    .errors = seat->errors,
	    .t0 = (warm + 1) * period};

	pb_maze_drive_start(c.d, w, &o->drive, seed, trial);
	begin(&c, protocol, seed, trial);
	for (int i = 0; i < warm; i++)
		hear(&c);
	if (protocol == PB_LOC_KIDNAP)
		pb_maze_drive_lift(c.d);
	for (int i = warm + 1; i <= warm + o->updates; i++) {
		struct pb_belief b;

		hear(&c);
		a.m->estimate(a.mem, a.known, &b);
		pb_loc_judge(&j, &b, i * period, pb_maze_drive_pose(c.d));
	}
	return pb_loc_judged(&j);
}
