/* safe_harm.h - the chance of being caught, by place and time. */
#ifndef PB_POLICY_SAFE_HARM_H
#define PB_POLICY_SAFE_HARM_H

#include "policy/safe_belief.h"
#include "policy/safe_kill.h"
#include "policy/safe_net.h"
#include "policy/safe_value.h"

#define PB_SAFE_PLAN_STEPS 48 /* most steps ahead */
#define PB_SAFE_SOON       4  /* steps in which the present error lasts */

/* What is learned once about an arena for planning; then only read. */
struct pb_safe_field {
	const struct pb_safe_walk *walk; /* borrowed, as the next three */
	const struct pb_safe_chain *chain;
	const struct pb_safe_net *net;
	const struct pb_safe_value *value;
	struct pb_safe_kill moving; /* where the judge may see us some day */
	struct pb_safe_kill blocks; /* the same, if Clyde is somewhere in a
	                               coarse block */
	struct pb_safe_kill soon[PB_SAFE_SOON]; /* in the first steps, around
	                                           an error that decays */
	double keep;                            /* ... by this factor a step */
	struct pb_safe_kill still; /* where he sees us, until we move */
	double speed;              /* along the net (m/s) */
	double dt;                 /* of a step (s) */
	int steps;                 /* ahead, 1..PB_SAFE_PLAN_STEPS */
	float idle;                /* waiting must gain this part of a step */
	double luck;               /* the judge sees a robot that has turned so
	                              far off, like as not; 0: where it is (m) */
	double lag;                /* the judge sees a robot that drives so
	                              far back on its way (m) */
	unsigned char *edge;       /* by edge of the net: steps; owned */
	unsigned char *half;       /* steps until the judge sees it half-way;
	                              owned */
	int *first;                /* by coarse block: start in near; owned */
	int *near;                 /* nodes of the net near it; owned */
	float *harm;               /* chance there if Clyde is in it; owned */
};

/* Returns PB_OK, or PB_ENOMEM; fills what is owned from the rest. */
enum pb_status pb_safe_field_init(struct pb_safe_field *f);
void pb_safe_field_clear(struct pb_safe_field *f);

/* A row of the table of harm has a number for each node, then these. */
enum {
	PB_SAFE_STANDS,
	PB_SAFE_TURNS,
	PB_SAFE_SPOT, /* the first of the spots */
	PB_SAFE_SPOTS = 48,
	PB_SAFE_LUCK = PB_SAFE_SPOT + PB_SAFE_SPOTS, /* the first of these */
	PB_SAFE_LUCKS = 8,
	PB_SAFE_EXTRAS = PB_SAFE_LUCK + PB_SAFE_LUCKS
};

/* The robot, for a table of harm. */
struct pb_safe_robot {
	struct pb_vec at;     /* where it is */
	struct pb_vec judged; /* where the judge sees it while it stands */
	struct pb_vec error;  /* of that place, as far as known (m) */
	const double
	    *within;     /* 0..steps: so far from `at` it may be then (m) */
	const int *soon; /* by node: first step in which it can be there */
	int spots;       /* 0..PB_SAFE_SPOTS */
	const struct pb_vec *spot; /* places between `at` and nodes near by */
	int lucks;                 /* 0 or PB_SAFE_LUCKS */
	struct pb_vec luck[PB_SAFE_LUCKS]; /* where the judge may see it once
	                                      it has turned on the spot */
};

/*
 * Fill the table of harm.
 *
 * Given    ways    grown for the present moment
 *          clyde   his speed (m/s)
 *          chain   room for 4 * states numbers
 * Returns  harm    row t = 1..steps of net->n + PB_SAFE_EXTRAS numbers:
 *                  chance of being caught in step t at each node where the
 *                  robot can be by then, elsewhere less; then where it is
 *                  now, standing still and turning on the spot; at spots; and
 *                  standing still after a turn
 *          leaf    by node, if it can be reached: the same for ever after
 *                  the last step
 */
void pb_safe_harm_fill(const struct pb_safe_field *f,
    const struct pb_safe_ways *ways, double clyde,
    const struct pb_safe_robot *robot, float *chain, float *harm, float *leaf);

#endif
