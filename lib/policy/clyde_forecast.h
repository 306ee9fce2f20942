/* clyde_forecast.h - where Clyde will be in the next seconds, by how he has
 * moved. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"
#include "pb/clyde.h"
#include "pb/geom.h"
#include "pb/status.h"

/*
 * Clyde's safe cells are joined to square blocks; a block with a safe cell is
 * a node. Lengths are counted in units of a fifth of a block's side: 5 for a
 * straight move, 7 for a diagonal one. The shortest ways between all pairs of
 * nodes are measured once. Read-only once made.
 */
struct pb_clyde_ground {
	const struct pb_clyde_world *world; /* borrowed */
	int side;                           /* of a block (cells) */
	int cols, rows;                     /* blocks */
	double unit;                        /* (m) */
	int n;                              /* nodes */
	int *node;         /* by block: its node, -1 none; owned */
	int *block;        /* n: its block, row * cols + col; owned */
	struct pb_vec *at; /* n: mean place of the block's safe cells; owned */
	float *share;      /* n: safe cells of the block; owned */
	int *next;         /* 8 n: neighbours, -1 none; owned */
	uint16_t *way;     /* n * n: length of the shortest way between two
	                      nodes (units), PB_CLYDE_NO_WAY; owned */
	uint16_t *order;   /* n * n: by node, all that it has ways to, by
	                      ascending length, then PB_CLYDE_NO_WAY; owned */
};

#define PB_CLYDE_NO_WAY UINT16_MAX

/*
 * Given    side  of a block (m), larger where there would be more nodes
 *          most  than this, < PB_CLYDE_NO_WAY
 * Returns  PB_OK, or PB_ENOMEM; what g owns is in the pool
 */
enum pb_status pb_clyde_ground_init(struct pb_clyde_ground *g,
    const struct pb_clyde_world *world, double side, int most,
    struct pb_pool *pool);

/* The node whose block holds p; off Clyde's ground the nearest. */
int pb_clyde_ground_at(const struct pb_clyde_ground *g, struct pb_vec p);

/*
 * A Markov chain of his ways: a state is a coarse block and the way by which
 * he came into it, from one of its eight neighbours, or because a leg ended
 * there. It is counted on the shortest ways from all coarse blocks to
 * everywhere. Made once, then only read.
 */
struct pb_clyde_chain {
	int side;          /* of a coarse block (blocks of the ground) */
	int blocks;        /* coarse blocks with a node */
	int *block;        /* by node: its coarse block; owned */
	struct pb_vec *at; /* blocks: mean place (m); owned */
	int *state;        /* PB_CLYDE_WAYS blocks: state, -1 none; owned */
	int states;
	int *where;    /* states: coarse block; owned */
	float *stay;   /* states: mean length of a visit (m); owned */
	double visit;  /* the same of all visits (m) */
	int *first;    /* states + 1: start in `to`; owned */
	int *to;       /* states that follow a state; owned */
	float *chance; /* their probabilities, adding up to 1; owned */
};

/* Ways into a block; and that of a leg that begins in the block itself. */
enum { PB_CLYDE_WAYS = 9, PB_CLYDE_BEGINS = 4 };

/*
 * Given    side  of coarse blocks (blocks of the ground), >= 1; larger where
 *                there would be more states
 *          most  than this
 * Returns  PB_OK or PB_ENOMEM; what c owns is in the pool
 */
enum pb_status pb_clyde_chain_init(struct pb_clyde_chain *c,
    const struct pb_clyde_ground *g, int side, int most, struct pb_pool *pool);

/*
 * Where he may be in the chain: a list of states beside their chances, since
 * most of them have none. In the caller's memory.
 */
struct pb_clyde_spread {
	int n;       /* states with a chance */
	int *state;  /* n of them */
	float *p;    /* by state: its chance */
	int *state2; /* work, as the next, which is 0 */
	float *p2;
};

struct pb_clyde_spread pb_clyde_spread_in(struct pb_block *b, int states);

/* Nowhere. */
void pb_clyde_spread_clear(
    struct pb_clyde_spread *s, const struct pb_clyde_chain *c);

/* With some more chance of having come by a way into a node's block. */
void pb_clyde_spread_add(struct pb_clyde_spread *s,
    const struct pb_clyde_chain *c, int node, int came, float chance);

/* Let him walk so far (m). */
void pb_clyde_spread_walk(
    struct pb_clyde_spread *s, const struct pb_clyde_chain *c, double far);

/*
 * Clyde walks shortest ways to places drawn evenly. So the places to which he
 * may be going are those for which the way so far was no detour; and when he
 * loses part of a tick, a new leg has begun.
 */
struct pb_clyde_belief {
	struct pb_vec at; /* where he was seen last */
	double t;         /* when (s) */
	int node;         /* there */
	int from;         /* where this leg began */
	int came;         /* way into his coarse block */
	double gone;      /* walked on this leg (m) */
	int mark;         /* node a little way back on it */
	double mark_gone; /* walked up to there (m) */
};

/* He appeared at p; a leg begins. */
void pb_clyde_belief_reset(struct pb_clyde_belief *b,
    const struct pb_clyde_ground *g, struct pb_vec p, double t);

/* He was seen at p at time t, walking at `speed`. Returns whether a new leg has
 * begun. */
bool pb_clyde_belief_see(struct pb_clyde_belief *b,
    const struct pb_clyde_ground *g, const struct pb_clyde_chain *c,
    struct pb_vec p, double t, double speed);

/* All legs from a node: shortest ways to everywhere, with chances. */
struct pb_clyde_leg {
	const uint16_t *way, *order; /* rows of the ground's */
	int came;                    /* way into the node's coarse block */
	int n;                       /* nodes that can be reached */
	int *up;     /* by node with a load: the one before, -1 at the
	                beginning */
	float *ends; /* by node: chance that the leg ends there */
	float *load; /* by node: that it leads there, ends included */
};

struct pb_clyde_leg pb_clyde_leg_in(struct pb_block *b, int nodes);

/* Fill in the leg that he is on; its chances add up to 1. */
void pb_clyde_belief_leg(const struct pb_clyde_belief *b,
    const struct pb_clyde_ground *g, struct pb_clyde_leg *leg);

/* The way by which he comes into a node's coarse block. */
int pb_clyde_leg_came(const struct pb_clyde_leg *l,
    const struct pb_clyde_ground *g, const struct pb_clyde_chain *c, int node);
