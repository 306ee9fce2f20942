/* score.h - which pellet next: the published Clyde-aware choice. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pb/geom.h"
#include "pb/param.h"

/*
 * A pellet p costs
 *
 *	|p - robot| + risk_weight max(0, risk_radius - |p - ghost|) + D
 *
 * where D = direction_penalty (1 + a) if the ghost is a threat and p lies in
 * its direction, a being the alignment of the directions to ghost and pellet.
 * The lowest cost wins, with the exceptions of the switches below. Distances
 *are straight lines in metres, in the map frame. Threads share all of it.
 */
struct pb_score_opts {
	double risk_radius; /* distance from the ghost with a risk, >= 0 (m) */
	double risk_weight; /* cost per metre inside that radius, >= 0 */
	double direction_penalty; /* weight of D, >= 0 */
	double death_radius;      /* the robot is caught within this (m) */
	double emergency_radius;  /* a ghost within this is a threat (m) */
	double warning_radius; /* a closing ghost within this is a threat (m) */
	double approach_speed; /* least closing speed of a threat (m/s) */
	double replan_margin;  /* a new target must cost less by this (m) */
	/* Where the published code and its report differ; see the defaults. */
	bool cosine; /* a is the cosine, else the dot product (m^2) */
	bool waive; /* no D for pellets farther from the ghost than the robot */
	bool prefer_safe; /* under threat choose the best safe pellet */
	bool exclude;     /* exclude pellets within death_radius of the ghost */
};

/* The published code's constants, and every switch on. */
struct pb_score_opts pb_score_defaults(void);

/* The published report's version: the same constants, every switch off. */
struct pb_score_opts pb_score_report(void);

/* The table of them all; static storage. */
extern const struct pb_params pb_score_params;

/* How fast the ghost comes nearer; zeroed at the start of a round. */
struct pb_closing {
	bool seen;   /* dist and t are set */
	double dist; /* last distance between ghost and robot (m) */
	double t;    /* time of that (s) */
	double
	    speed; /* loss of distance per time, > 0: it comes nearer (m/s) */
};

/*
 * The ghost was seen at time t (s). If t is not later than the last time the
 * speed stays. The robot's place is its last estimate, which may be stale.
 */
void pb_closing_see(
    struct pb_closing *c, struct pb_vec robot, struct pb_vec ghost, double t);

/* Input of the choice of a pellet. */
struct pb_scene {
	struct pb_vec robot; /* (m) */
	bool has_ghost;      /* false: no risk, every direction safe */
	struct pb_vec ghost; /* (m) */
	double closing;      /* pb_closing.speed (m/s) */
};

/*
 * Whether the ghost threatens the robot: nearer than emergency_radius, or than
 * warning_radius and closing. Not within death_radius: then it is over.
 */
bool pb_threat(const struct pb_score_opts *o, const struct pb_scene *s);

/* The cost of a pellet, term by term. */
struct pb_score {
	double distance;  /* from the robot (m) */
	double risk;      /* cost of the ghost's distance */
	double direction; /* cost of the ghost's direction (D) */
	double total;     /* their sum */
	bool safe;        /* farther than the ghost, or not in its direction */
	bool excluded; /* within death_radius of the ghost (switch exclude) */
};

/* The cost of the pellet at p, with threat as pb_threat says. */
struct pb_score pb_score_pellet(const struct pb_score_opts *o,
    const struct pb_scene *s, bool threat, struct pb_vec p);

/* Why a pellet was chosen. */
enum pb_why {
	PB_WHY_NONE,    /* there was none to choose */
	PB_WHY_SAFE,    /* the best in a safe direction, under threat */
	PB_WHY_BEST,    /* the best of those not excluded */
	PB_WHY_FALLBACK /* all are excluded: the best of them */
};

struct pb_choice {
	long index; /* index of the pellet, -1: none */
	enum pb_why why;
	bool threat;
};

/*
 * Choose a pellet.
 *
 * Given    at    places of n pellets (m), in the order that decides ties: the
 *                first of equals wins
 *          left  NULL, or n flags: 0 for a pellet to pass over
 *          out   NULL, or room for n scores; those passed over are zero
 */
struct pb_choice pb_score_choose(const struct pb_score_opts *o,
    const struct pb_scene *s, const struct pb_vec *at,
    const unsigned char *left, size_t n, struct pb_score *out);

/*
 * Whether the robot on its way to `current` should turn to `next`: only if
 *
 *	total(next) + replan_margin < total(current)
 *
 * both under the same threat.
 *
 * Note     totals decide even where `next` was chosen for its safe
 *          direction, as published: that pellet may lose here.
 */
bool pb_score_replan(const struct pb_score_opts *o, const struct pb_scene *s,
    struct pb_vec current, struct pb_vec next);

/* The name of a reason: "safe". */
const char *pb_why_name(enum pb_why why);
