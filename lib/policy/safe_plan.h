/* safe_plan.h - the next seconds: a search over places and times. */
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
	const struct pb_vec *future; /* Clyde's place after 0..steps steps;
	                                NULL: not known */
	bool last;                   /* what is fetched next ends the round */
	double price;                /* of a second */
	const float *rest;  /* by node: time from there to the end of the
	                       best tour (s) */
	const float *fetch; /* by node: the same once what lies there is
	                       fetched (s); INFINITY: nothing lies there */
};

#define PB_SAFE_PLAN_ROOM (PB_SAFE_PLAN_STEPS + 1)

/* An answer. */
struct pb_safe_plan {
	int n;                       /* nodes to drive through now */
	int node[PB_SAFE_PLAN_ROOM]; /* until the first wait */
	bool fetch; /* the last one is where something is fetched */
	float risk; /* of being caught, by the plan */
	float cost; /* risk and price together */
};

/*
 * Time is cut into steps in which the robot drives half a block of its net.
 * For every step and node the belief gives the chance of being caught there
 * then; beyond the last step the value of fleeing speaks. Backwards from
 * there, two games are solved at once: S, survive; and V, reach some place
 * that is left to fetch, pay for the time that the rest of the tour takes,
 * and survive from then on. Time costs `price` a second, in chances of being
 * caught. What the robot may do at once it may do at every later step, so
 * waiting, dodging, turning back and entering a dead end behind Clyde's back
 * are the same thing.
 */
size_t pb_safe_plan_bytes(const struct pb_safe_field *f);

/*
 * Plan.
 *
 * Given    ways  grown for the present moment
 *          work  pb_safe_plan_bytes
 * Returns  the best plan; n = 0: stay
 */
struct pb_safe_plan pb_safe_plan_make(const struct pb_safe_field *f,
    const struct pb_clyde_ways *ways, const struct pb_safe_task *task,
    void *work);
