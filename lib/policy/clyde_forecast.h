/* clyde_forecast.h - a forecast of Clyde's place from its past motion. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"
#include "pb/clyde.h"
#include "pb/geom.h"
#include "pb/status.h"

/*
 * Clyde walks shortest paths to uniformly drawn goals; such a walk is a leg.
 * Its safe cells are grouped into square blocks; a block with a safe cell is a
 * node. Lengths are in units of a fifth of a block's side: 5 for a straight
 * move, 7 for a diagonal one.
 *
 * Beyond the current leg a second-order Markov chain forecasts: a state is an
 * area, a square of some blocks, and the side by which Clyde entered it, from
 * one of its eight neighbours, or because a leg began there. It is counted on
 * the shortest paths from all areas to all nodes. Read-only once made.
 */
struct pb_clyde_model {
	const struct pb_clyde_world *world; /* borrowed */
	int side;                           /* side of a block (cells) */
	int cols, rows;                     /* columns and rows of blocks */
	double unit;                        /* length of a unit (m) */
	int n;                              /* number of nodes */
	int *node;                          /* by block: its node, -1 none */
	int *block;        /* by node: its block, row * cols + col */
	struct pb_vec *at; /* by node: mean place of the block's safe cells */
	float *share;      /* by node: safe cells of the block */
	int16_t *next;     /* by node, 8 each: neighbours, -1 none */

	int wide;  /* side of an area (blocks) */
	int areas; /* number of areas with a node */
	int *area; /* by node: its area */
	struct pb_vec
	    *middle; /* by area: place of the node nearest to its middle */
	int *state;  /* by area and side: state, -1 none */
	int states;
	int *where;    /* by state: its area */
	float *stay;   /* by state: mean length of a visit (m) */
	double visit;  /* mean length of all visits (m) */
	int *first;    /* states + 1: index of each state's list in `to` */
	int *to;       /* next states */
	float *chance; /* probability of each next state */
};

#define PB_CLYDE_NO_WAY UINT16_MAX

/* Number of sides of an area; the side of a leg that begins in it. */
enum { PB_CLYDE_SIDES = 9, PB_CLYDE_BEGINS = 4 };

/* Resolution of a model; lengths grow until the counts fit. */
struct pb_clyde_grain {
	double block; /* side of a block (m) */
	int nodes;    /* most nodes, <= INT16_MAX */
	double area;  /* side of an area (m) */
	int states;   /* most states */
};

/* Make a model; its memory is in the pool. Returns PB_OK or PB_ENOMEM. */
enum pb_status pb_clyde_model_init(struct pb_clyde_model *m,
    const struct pb_clyde_world *world, struct pb_clyde_grain grain,
    struct pb_pool *pool);

/* The node of p's block; off Clyde's ground the nearest. */
int pb_clyde_node_at(const struct pb_clyde_model *m, struct pb_vec p);

/* Goal inference: Clyde's possible goals are those for which its path up to now
 * was no detour; when it loses part of a tick, a new leg has begun. */
struct pb_clyde_belief {
	struct pb_vec at; /* place where Clyde was last seen */
	double t;         /* time of that (s) */
	int node;         /* its node */
	int from;         /* node where the current leg began */
	double gone;      /* distance walked on this leg (m) */
	int mark;         /* a recent node of the leg */
	double mark_gone; /* distance walked up to it (m) */
};

/* Clyde appeared at p; a leg begins. */
void pb_clyde_belief_reset(struct pb_clyde_belief *b,
    const struct pb_clyde_model *m, struct pb_vec p, double t);

/* Shortest paths from one node, computed again only if it changes. */
struct pb_clyde_paths {
	int *root;       /* 1 + the start node; 0: not computed */
	int *n;          /* number of reachable nodes */
	uint16_t *len;   /* by node: path length (units), PB_CLYDE_NO_WAY */
	uint16_t *order; /* the n nodes by ascending length */
	uint16_t *stack; /* work space */
};

/*
 * A forecast, advanced step by step, in the caller's memory, zeroed at first:
 * the tree of shortest paths from Clyde's node, up to the walked distance, and
 * the states of the chain that have a probability.
 */
struct pb_clyde_forecast {
	const struct pb_clyde_model *m; /* borrowed */
	struct pb_clyde_paths leg;   /* shortest paths from the leg's start */
	struct pb_clyde_paths ahead; /* shortest paths from Clyde's node */
	int n;                       /* number of reachable nodes */
	int *up;     /* by loaded node: previous node, -1 at the root */
	float *ends; /* by node: probability that the leg ends there */
	float
	    *load; /* by node: probability that the leg passes or ends there */
	double walked; /* distance walked since the start (units) */
	int passed;    /* nodes of the order already passed */

	int states;  /* number of states with a probability */
	int *state;  /* those states */
	float *p;    /* by state: probability */
	int *state2; /* work space, as p2, which is 0 */
	float *p2;
	double *far; /* length of the last step (m); 0: none */
	float *go;   /* by state: probability of leaving in that step */

	float *occupied; /* by area: probability of Clyde in this step */
};

struct pb_clyde_forecast pb_clyde_forecast_alloc(
    struct pb_block *b, const struct pb_clyde_model *m);

/* Update the belief: Clyde was seen at p at time t, walking at `speed`. Returns
 * whether a new leg has begun. */
bool pb_clyde_belief_update(struct pb_clyde_belief *b,
    struct pb_clyde_forecast *f, struct pb_vec p, double t, double speed);

/* Begin a forecast from the current belief. */
void pb_clyde_forecast_begin(
    struct pb_clyde_forecast *f, const struct pb_clyde_belief *b);

/* Begin a forecast with Clyde at p, in the chain, on no leg. */
void pb_clyde_forecast_begin_at(struct pb_clyde_forecast *f, struct pb_vec p);

/* Advance by a step in which Clyde walks `far` (m), and fill occupied. */
void pb_clyde_forecast_step(struct pb_clyde_forecast *f, double far);

/* Move the remaining probabilities from the leg to the chain. */
void pb_clyde_forecast_end(struct pb_clyde_forecast *f);
