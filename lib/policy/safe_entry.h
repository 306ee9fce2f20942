/* safe_entry.h - ways from where the robot is into the net. */
#ifndef PB_POLICY_SAFE_ENTRY_H
#define PB_POLICY_SAFE_ENTRY_H

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
	double clyde;         /* Clyde's speed (m/s) */
	double price;         /* of a second */
	const float *rest;    /* by node: time from there to the end of the
	                         best tour (s) */
	const float *fetch;   /* by node: the same once what lies there is
	                         fetched (s); INFINITY: nothing lies there */
	int kept;             /* nodes that the robot drives through now */
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

/* Ways to the node that owns the place and to others that it can see; none
 * if the net has no node. */
void pb_safe_entries_find(const struct pb_safe_field *f,
    const struct pb_safe_task *task, struct pb_safe_entries *out);

/*
 * Chance of being caught on the way by entry i.
 *
 * Given    row  of the table of harm, of the first step of the way
 */
float pb_safe_entry_harm(const struct pb_safe_field *f,
    const struct pb_safe_entries *in, int i, const float *row);

/*
 * First step in which the robot can be at each node.
 *
 * Given    line  room for a number a node
 * Returns  soon  a number a node, steps + 1: not in time
 */
void pb_safe_entries_soon(const struct pb_safe_field *f,
    const struct pb_safe_entries *in, int *line, int *soon);

/*
 * How far from here it can be in each step, to the end of any edge.
 *
 * Given    soon    from pb_safe_entries_soon
 * Returns  within  steps + 1 distances (m), never falling
 */
void pb_safe_entries_within(const struct pb_safe_field *f,
    const struct pb_safe_task *task, const int *soon, double *within);

#endif
