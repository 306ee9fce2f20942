/* safe_plan.h - the next seconds: a dynamic program over places and times. */
#pragma once

#include <stdbool.h>

#include "pb/geom.h"
#include "policy/clyde_forecast.h"
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

/*
 * The game of fleeing for its own sake: for each node of the net and each state
 * of Clyde's chain, the least chance of being caught over the next minute or so
 * by a robot that sees Clyde and moves every step as it likes. Solved by value
 * iteration (Bellman, "Dynamic programming", 1957). Dead ends and places to
 * step aside need no rules of their own: they have high and low values. Made
 * once, then only read.
 */
struct pb_safe_value {
	const struct pb_safe_net *net; /* borrowed */
	double step;                   /* time of one move of the robot (s) */
	double speed; /* Clyde's, for which it was made (m/s) */
	float *risk;  /* by state, net->n each; owned */
};

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
	const struct pb_clyde_ground *ground; /* borrowed, as the next three */
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
	int *first;  /* by place of Clyde's, the nodes of his ground
	                and then the chain's blocks: start in near;
	                owned */
	int *near;   /* nodes of the net near it; owned */
	float *harm; /* chance there if Clyde is in it; owned */
};

/* Returns PB_OK or PB_ENOMEM; makes what is owned, in the pool, of the rest. */
enum pb_status pb_safe_field_init(
    struct pb_safe_field *f, struct pb_pool *pool);

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
	const struct pb_clyde_belief *belief;
	double clyde;                /* his speed (m/s) */
	const struct pb_vec *future; /* Clyde's place after 0..steps steps;
	                                NULL: not known */
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
 * For every step and node Clyde's futures give the chance of being caught there
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
 * Given    work  pb_safe_plan_bytes
 * Returns  the best plan; n = 0: stay
 */
struct pb_safe_plan pb_safe_plan_make(
    const struct pb_safe_field *f, const struct pb_safe_task *task, void *work);
