/* safe_plan.h - the next seconds: a dynamic program over places and times. */
#pragma once

#include <stdbool.h>

#include "game/pacmanbot/opts.h"
#include "pb/geom.h"
#include "policy/clyde_forecast.h"
#include "policy/roadmap.h"

/*
 * Whether Clyde is within the death radius is decided by a pose that differs
 * from where the robot means to be: a circular normal error in the plane.
 * The chance is a function of the distance alone, kept as a table over its
 * square, so that no root is taken. A value.
 */
#define PB_COLLISION_RISK_STEPS 256

struct pb_collision_risk {
	double reach;  /* beyond it the chance is 0 (m) */
	double reach2; /* its square (m2) */
	double scale;  /* table steps per square metre (1/m2) */
	float chance[PB_COLLISION_RISK_STEPS + 1];
};

/*
 * Given    radius  caught within it (m), > 0
 *          sd      of the error, of each coordinate (m), >= 0
 *          least   chances below it count as 0, > 0
 */
struct pb_collision_risk pb_collision_risk_make(
    double radius, double sd, double least);

/* Chance between a and b: the nearest entry, monotone falling. */
static inline float
pb_collision_risk_at(
    const struct pb_collision_risk *k, struct pb_vec a, struct pb_vec b)
{
	double x = a.x - b.x, y = a.y - b.y, d2 = x * x + y * y;

	return d2 < k->reach2 ? k->chance[(int)(d2 * k->scale + 0.5)] : 0;
}

/* Chance that Clyde in an area catches a robot at a node of a roadmap: lists of
 * the nodes where there is one. */
struct pb_safe_hits {
	int *first; /* by area, and one more: start in the next two */
	int *node;
	float *p;
};

#define PB_SAFE_RISK_UNITS 65535.0f /* of a chance of 1 */

/*
 * What is learned of an arena and options; then only read. `risk` is the value
 * of the pursuit-evasion game: for each node of the coarse roadmap and each
 * state of Clyde's Markov chain, the least probability of being caught over the
 * next minute or so for a robot that sees Clyde and may move in every step.
 * Solved by value iteration (Bellman, "Dynamic programming", 1957). Dead ends
 * and places to step aside need no rules of their own: they have high and low
 * values.
 */
struct pb_safe_model {
	struct pb_round_opts opts; /* as they were then */
	struct pb_clyde_model clyde;
	struct pb_roadmap roads; /* that it plans on */
	struct pb_roadmap rough; /* that fleeing is solved on; no owners */
	struct pb_collision_risk kill;
	struct pb_safe_hits hits; /* on `roads` */
	double speed;             /* along the roads (m/s) */
	double dt;                /* of a step (s) */
	int steps;                /* ahead, 1..PB_SAFE_PLAN_STEPS */
	double lag;  /* the judge sees a robot that drives this far back on its
	                way (m) */
	float *edge; /* by edge of `roads`: steps */
	int *flees;  /* by node of `roads`: that of `rough` there */
	uint16_t *risk;      /* by state, a row of the nodes of `rough`, 0 to
	                        PB_SAFE_RISK_UNITS */
	double sweep;        /* time of one move of the robot in it (s) */
	struct pb_pool pool; /* of what all these own */
};

/*
 * Make one; returns PB_OK or PB_ENOMEM. In both cases *m is for
 * pb_safe_model_clear.
 */
enum pb_status pb_safe_model_init(struct pb_safe_model *m,
    const struct pb_arena *a, const struct pb_round_opts *o);
void pb_safe_model_clear(struct pb_safe_model *m);

/*
 * Solve the game of fleeing; called by pb_safe_model_init.
 *
 * Given    clyde    its speed (m/s), > 0
 *          horizon  time constant over which the future counts (s)
 * Returns  PB_OK or PB_ENOMEM; risk and sweep are filled
 */
enum pb_status pb_safe_solve_pursuit(
    struct pb_safe_model *m, double clyde, double horizon);

/* The input of a plan. */
struct pb_safe_task {
	const struct pb_roadmap *roads; /* the model's, as they are now */
	const struct pb_tour *tour;     /* the pellets left */
	struct pb_vec at;               /* where the robot is */
	double th;                      /* its heading (rad) */
	double look;          /* distance after which a new estimate comes (m)
	                       */
	struct pb_vec judged; /* where the judge sees it while it stands */
	const struct pb_clyde_belief *belief;
	const struct pb_clyde_forecast *forecast; /* memory for one */
	double clyde;                             /* its speed (m/s) */
	const struct pb_vec *future; /* Clyde's place after 0..steps steps;
	                                NULL: not known */
	double price;                /* time weight: of a second */
};

#define PB_SAFE_PLAN_STEPS 48 /* most steps ahead */
#define PB_SAFE_PLAN_ROOM  (PB_SAFE_PLAN_STEPS + 1)

/* An answer. */
struct pb_safe_plan {
	int n;                       /* nodes to drive through now */
	int node[PB_SAFE_PLAN_ROOM]; /* until the first wait */
	bool fetch; /* the last one is where something is fetched */
	float risk; /* of being caught, by the plan */
	float cost; /* risk and price together */
};

/*
 * Time is cut into steps in which the robot drives half a block of its roads.
 * For every step and node Clyde's futures give the chance of being caught there
 * then; after the last step the value of the pursuit-evasion game is the
 * terminal value. Backwards from there, two values are computed at once: S,
 * survive; and V, reach some pellet that is left, pay for the time of the rest
 * of the tour, and survive from then on. Time costs `price` a second, in
 * probability of being caught. What the robot may do at once it may do at every
 * later step, so waiting, dodging, turning back and entering a dead end behind
 * Clyde's back are the same thing.
 */
size_t pb_safe_plan_bytes(const struct pb_safe_model *m);

/*
 * Plan.
 *
 * Given    work  pb_safe_plan_bytes
 * Returns  the best plan; n = 0: stay
 */
struct pb_safe_plan pb_safe_plan_make(
    const struct pb_safe_model *m, const struct pb_safe_task *task, void *work);
