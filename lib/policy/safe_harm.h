/*
 * safe_harm.h - the chance of being caught: by the judge, by place and time,
 * for good.
 */
#pragma once

#include <stdbool.h>

#include "pb/geom.h"
#include "policy/clyde_belief.h"
#include "policy/safe_net.h"

/*
 * Whether Clyde is within the death radius is decided by a pose that differs
 * from where the robot means to be: a circular normal error in the plane.
 * The chance is a function of the distance alone, kept as a table over its
 * square, so that no root is taken. A value.
 */
#define PB_SAFE_KILL_STEPS 256

struct pb_safe_kill {
	double reach;  /* beyond it the chance is 0 (m) */
	double reach2; /* its square (m2) */
	double scale;  /* table steps per square metre (1/m2) */
	float chance[PB_SAFE_KILL_STEPS + 1];
};

/*
 * Given    radius  caught within it (m), > 0
 *          sd      of the error, of each coordinate (m), >= 0
 *          least   chances below it count as 0, > 0
 */
struct pb_safe_kill pb_safe_kill_make(double radius, double sd, double least);

/* Chance between a and b: the nearest entry, monotone falling. */
static inline float
pb_safe_kill_at(const struct pb_safe_kill *k, struct pb_vec a, struct pb_vec b)
{
	double x = a.x - b.x, y = a.y - b.y, d2 = x * x + y * y;

	return d2 < k->reach2 ? k->chance[(int)(d2 * k->scale + 0.5)] : 0;
}

/* Nodes that are worked on together: two registers of four floats. */
#define PB_SAFE_LANES 8

/*
 * The game of fleeing for its own sake, solved: for each node of the net and
 * each state of Clyde's chain, the least chance of being caught over the next
 * minute or so by a robot that sees Clyde and moves every step as it likes.
 * Dead ends and places to step aside need no rules of their own: they have
 * high and low values. Made once, then only read.
 */
struct pb_safe_value {
	const struct pb_safe_net *net; /* borrowed */
	int states;                    /* of the chain */
	double step;                   /* time of one move of the robot (s) */
	double speed; /* Clyde's, for which it was made (m/s) */
	float *risk;  /* by groups of nodes, states and nodes; owned */
};

/* Where the risks of a node are, one in each PB_SAFE_LANES, by state. */
static inline int
pb_safe_value_row(int node, int states)
{
	return node / PB_SAFE_LANES * states * PB_SAFE_LANES +
	       node % PB_SAFE_LANES;
}

/*
 * Solve it.
 *
 * Given    speed    the robot's, along the net (m/s), > 0
 *          clyde    Clyde's (m/s), > 0
 *          kill     chance of being caught at a distance
 *          horizon  time constant over which the future counts (s)
 *          pool     for what v owns
 * Returns  PB_OK or PB_ENOMEM
 */
enum pb_status pb_safe_value_init(struct pb_safe_value *v,
    const struct pb_safe_net *net, const struct pb_clyde_chain *c,
    const struct pb_safe_kill *kill, double speed, double clyde, double horizon,
    struct pb_pool *pool);

#define PB_SAFE_PLAN_STEPS 48 /* most steps ahead */

/* What is learned once about an arena for planning; then only read. */
struct pb_safe_field {
	const struct pb_clyde_walk *walk; /* borrowed, as the next three */
	const struct pb_clyde_chain *chain;
	const struct pb_safe_net *net;
	const struct pb_safe_value *value;
	struct pb_safe_kill kill; /* chance of being caught, by distance */
	double keep;              /* of the present error, each step */
	double speed;             /* along the net (m/s) */
	double dt;                /* of a step (s) */
	int steps;                /* ahead, 1..PB_SAFE_PLAN_STEPS */
	double lag;               /* the judge sees a robot that drives so
	                             far back on its way (m) */
	float *edge;              /* by edge of the net: steps; owned */
	unsigned char *half;      /* steps until the judge sees it half-way;
	                             owned */
	int *flees;               /* by node: that of the value's net there;
	                             owned */
	int *first;               /* by coarse block: start in near; owned */
	int *near;                /* nodes of the net near it; owned */
	float *harm;              /* chance there if Clyde is in it; owned */
};

/* Returns PB_OK or PB_ENOMEM; makes what is owned, in the pool, of the rest. */
enum pb_status pb_safe_field_init(
    struct pb_safe_field *f, struct pb_pool *pool);

/* How far ahead Clyde's ways are to be known (units) if he is so fast (m/s). */
int pb_safe_field_reach(const struct pb_safe_field *f, double clyde);

/* A row of the table of harm has a number for each node, then these. */
enum {
	PB_SAFE_STANDS,
	PB_SAFE_TURNS,
	PB_SAFE_SPOT, /* the first of the spots */
	PB_SAFE_SPOTS = 48,
	PB_SAFE_EXTRAS = PB_SAFE_SPOT + PB_SAFE_SPOTS
};

/* The robot, for a table of harm. */
struct pb_safe_robot {
	struct pb_vec at;     /* where it is */
	struct pb_vec judged; /* where the judge sees it while it stands */
	struct pb_vec error;  /* of that place, as far as known (m) */
	const double
	    *within;       /* 0..steps: so far from `at` it may be then (m) */
	const float *soon; /* by node: first step in which it can be there */
	int spots;         /* 0..PB_SAFE_SPOTS */
	const struct pb_vec *spot; /* places between `at` and nodes near by */
};

/*
 * Fill the table of harm.
 *
 * Given    ways    grown for the present moment; unused with a future
 *          future  Clyde's place after 0..steps steps, if it is known, or
 *                  NULL
 *          clyde   his speed (m/s)
 *          chain   work: where he may be once this leg is over
 *          block   room for a number a coarse block
 * Returns  harm    row t = 1..steps of net->n + PB_SAFE_EXTRAS numbers:
 *                  chance of being caught in step t at each node where the
 *                  robot can be by then, elsewhere less; then where it is
 *                  now, standing still and turning on the spot; at spots
 *          leaf    by node, if it can be reached: the same for ever after
 *                  the last step
 */
void pb_safe_harm_fill(const struct pb_safe_field *f,
    const struct pb_clyde_ways *ways, const struct pb_vec *future, double clyde,
    const struct pb_safe_robot *robot, struct pb_clyde_spread *chain,
    float *block, float *harm, float *leaf);
