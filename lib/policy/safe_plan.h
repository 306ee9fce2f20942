/* safe_plan.h - the player `safe`: a dynamic program over places and times for
 * the next seconds, and the Kalman filter of its pose. */
#pragma once

#include <stdbool.h>

#include "game/pacmanbot/opts.h"
#include "pb/geom.h"
#include "policy/clyde_forecast.h"
#include "policy/roadmap.h"

/*
 * Probability that Clyde is within the death radius when the robot's place has
 * a circular normal error in the plane: a function of their nominal distance,
 * tabulated over its square, so that no root is taken. A value.
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

/* Risk with the robot at a and Clyde at b; falls with distance. */
static inline float
pb_collision_risk_at(
    const struct pb_collision_risk *k, struct pb_vec a, struct pb_vec b)
{
	double x = a.x - b.x, y = a.y - b.y, d2 = x * x + y * y;

	return d2 < k->reach2 ? k->chance[(int)(d2 * k->scale + 0.5)] : 0;
}

/* Risk with Clyde in an area and the robot at a node: per area the list of
 * nodes with a risk. */
struct pb_safe_hits {
	int *first; /* by area, and one more: start of its list */
	int *node;
	float *p;
};

#define PB_SAFE_RISK_UNITS 65535.0f /* of a chance of 1 */

/*
 * What is computed from an arena and options; then only read. `risk` is the
 * value of the pursuit-evasion game: for each node of the coarse roadmap and
 * each state of Clyde's Markov chain, the least probability of being caught
 * over the next minute or so for a robot that sees Clyde and may move in every
 * step. Solved by value iteration (Bellman, "Dynamic programming", 1957). Dead
 * ends and places to step aside need no rules of their own: they have high and
 * low values.
 */
struct pb_safe_model {
	struct pb_round_opts opts; /* a copy of the options */
	struct pb_clyde_model clyde;
	struct pb_roadmap roads; /* roadmap for planning */
	struct pb_roadmap rough; /* of the pursuit-evasion game; no owners */
	struct pb_collision_risk collision;
	struct pb_safe_hits hits; /* lists on `roads` */
	double speed;             /* along the roads (m/s) */
	double dt;                /* time of a step (s) */
	int steps;                /* ahead, 1..PB_SAFE_PLAN_STEPS */
	double lag;  /* the judge sees a driving robot this far behind (m) */
	float *edge; /* by edge of `roads`: length in steps */
	int *rough_node;     /* by node of `roads`: the node of `rough` there */
	uint16_t *risk;      /* by state, a row of the nodes of `rough`, 0 to
	                        PB_SAFE_RISK_UNITS */
	double sweep;        /* time of one move of the robot in the game (s) */
	struct pb_pool pool; /* owner of all memory */
};

/* Make a model; returns PB_OK or PB_ENOMEM. In both cases *m is for
 * pb_safe_model_clear. */
enum pb_status pb_safe_model_init(struct pb_safe_model *m,
    const struct pb_arena *a, const struct pb_round_opts *o);
void pb_safe_model_clear(struct pb_safe_model *m);

/* Solve the pursuit-evasion game; called by pb_safe_model_init. */
enum pb_status pb_safe_solve_pursuit(
    struct pb_safe_model *m, double clyde, double horizon);

/* The input of a plan. */
struct pb_safe_task {
	const struct pb_roadmap
	    *roads; /* the model's roadmap with the current marks */
	const struct pb_tour *tour; /* the pellets left */
	struct pb_vec at;           /* the robot's place */
	double th;                  /* its heading (rad) */
	double look;                /* distance until the next estimate (m) */
	struct pb_vec
	    judged; /* its place as the judge sees it while it stands */
	const struct pb_clyde_belief *belief;
	const struct pb_clyde_forecast *forecast; /* memory for one */
	double clyde;                             /* its speed (m/s) */
	const struct pb_vec *future; /* Clyde's place after 0..steps steps;
	                                NULL: not known */
	double time_weight;          /* risk that a second is worth (1/s) */
};

#define PB_SAFE_PLAN_STEPS 48 /* most steps ahead */
#define PB_SAFE_PLAN_ROOM  (PB_SAFE_PLAN_STEPS + 1)

/* The result of planning. */
struct pb_safe_plan {
	int n;                       /* nodes to drive through now */
	int node[PB_SAFE_PLAN_ROOM]; /* until the first wait */
	bool fetch;                  /* a pellet is fetched at the last node */
	float risk;                  /* probability of being caught */
	float cost;                  /* risk plus weighted time */
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

/*
 * A localizer's error lasts: the next estimate is wrong in much the same way.
 * Odometry is nearly right over a short distance. So the filter's state is the
 * robot's pose *and* the present error of the localizer, which decays by
 * `keep` from one estimate to the next; a measurement is the sum of both and
 * nothing else. How large it is assumed to be, and how good odometry is, are
 * options of the round: estimate.sd and the rest, wheels.rot_rot and the rest.
 * Averaging over many estimates then happens by itself. A Kalman filter (Thrun,
 * Burgard and Fox, "Probabilistic Robotics", 2005, section 3.2) for each of
 * x, y and heading: what an error of the heading does to the place is noise of
 * x and y. A plain value; SI units, map frame.
 */
struct pb_safe_axis {
	double at, error;      /* state */
	double var, cov, evar; /* covariance: of at, of both, of error */
};

struct pb_safe_pose {
	int seen;                    /* estimates up to now */
	struct pb_safe_axis axis[3]; /* x, y, heading */
	struct pb_pose odom;         /* odometry at the last estimate */
};

/*
 * Update the filter by an estimate.
 *
 * Given    odom  odometry at the moment of the estimate
 */
void pb_safe_pose_update(struct pb_safe_pose *f, const struct pb_round_opts *o,
    struct pb_pose estimate, struct pb_pose odom);

/* The pose of the odometry frame in the map, after the first estimate. */
struct pb_pose pb_safe_pose_frame(const struct pb_safe_pose *f);
