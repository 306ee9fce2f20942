/* safe_task.h - what a plan is asked for, how the robot sets out, and what the
 * plan answers. */
#pragma once

#include "policy/safe_harm.h"

/* A question. */
struct pb_safe_task {
	struct pb_vec at;     /* where the robot is */
	double th;            /* its heading (rad) */
	double w;             /* it turns (rad/s) */
	double w_max;         /* it turns so fast at most (rad/s) */
	double w_acc;         /* and gets there at this rate (rad/s2) */
	double look_d;        /* after so far straight on (m) ... */
	double look_t;        /* or so long turning (s) there is an estimate */
	double look_a;        /* ... which takes a turn of this (rad) */
	struct pb_vec judged; /* where the judge sees it while it stands */
	struct pb_vec error;  /* of that place, as far as known (m) */
	double clyde;         /* his speed (m/s) */
	bool last;          /* what is fetched next ends the round */
	double price;       /* of a second */
	const float *rest;  /* by node: time from there to the end of the
	                       best tour (s) */
	const float *fetch; /* by node: the same once what lies there is
	                       fetched (s); INFINITY: nothing lies there */
	int kept;           /* nodes that the robot drives through now */
	const int *keep;
};

/*
 * A robot that turns gets a new estimate with nearly every scan, one that
 * drives straight about one a step: so many more chances to be seen caught.
 */
#define PB_SAFE_TURN_LOOKS 2

/*
 * A way from where the robot is straight to a node in sight. It takes the
 * turn on the spot that the follower makes first; and until there is a new
 * estimate the judge sees the robot where it was.
 */
struct pb_safe_entry {
	int node;
	int delay;  /* steps until it is there, >= 1 */
	int turn;   /* of these on the spot, first */
	int blind;  /* of these until the next estimate */
	double far; /* length of the way (m) */
};

/* Nodes in sight, no farther than this, are driven to straight (m). */
#define PB_SAFE_ENTRY_REACH 1.0

struct pb_safe_entries {
	int n; /* the first leads to the node that owns the place */
	struct pb_safe_entry e[PB_SAFE_SPOTS];
	struct pb_vec spot[PB_SAFE_SPOTS]; /* half-way (m) */
};

/*
 * Ways to the node that owns the place and to others that it can see; none
 * if the net has no node.
 */
void pb_safe_entries_find(const struct pb_safe_field *f,
    const struct pb_safe_task *task, struct pb_safe_entries *out);

/*
 * A robot that changes its mind with each estimate gets nowhere. It goes on
 * as before unless something else is better by so many seconds and by this
 * share of the risk.
 */
#define PB_SAFE_KEEP_TIME  1.0
#define PB_SAFE_KEEP_SHARE 0.1

/* Time until a robot that turns to the left at w looks `by` to the left, near
 * enough to drive on (s). */
double pb_safe_turn_time(const struct pb_safe_task *task, double by, double w);

/* Where the judge sees it in step k of the way by entry i: a place in a row
 * of harm. */
size_t pb_safe_entry_place(
    const struct pb_safe_field *f, const struct pb_safe_entry *e, int i, int k);

#define PB_SAFE_PLAN_ROOM (PB_SAFE_PLAN_STEPS + 1)

/* An answer. */
struct pb_safe_plan {
	int n;                       /* nodes to drive through now */
	int node[PB_SAFE_PLAN_ROOM]; /* until the first wait */
	bool fetch; /* the last one is where something is fetched */
	float risk; /* of being caught, by the plan */
	float cost; /* risk and price together */
	bool spin;  /* rather turn on the spot, for another estimate */
};
