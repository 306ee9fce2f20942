/* clyde_belief.h - where Clyde is going, by how he has moved. */
#pragma once

#include <limits.h>

#include "base/pool.h"
#include "pb/clyde.h"
#include "pb/geom.h"
#include "pb/status.h"

/*
 * Clyde's safe cells are joined to square blocks; a block with a safe cell
 * is a node. Every safe cell keeps more than a block's side from all walls,
 * so blocks that touch are joined in the world too. Made once, then only
 * read; a tree is a workspace of one thread. Lengths of ways are counted in
 * units of a fifth of a block: 5 straight, 7 diagonal.
 */
#define PB_SAFE_DIAGONAL 7

struct pb_clyde_walk {
	const struct pb_clyde_world *world; /* borrowed */
	int side;                           /* of a block (cells) */
	int cols, rows;                     /* blocks */
	double unit;                        /* a fifth of a block's side (m) */
	int n;                              /* nodes */
	int *node;         /* by block: its node, -1 none; owned */
	int *block;        /* n: its block, row * cols + col; owned */
	struct pb_vec *at; /* n: mean place of the block's safe cells; owned */
	float *share;      /* n: safe cells of the block; owned */
	int *next;         /* 8 n: neighbours, -1 none; owned */
};

/* Returns PB_OK, or PB_ENOMEM; what w owns is in the pool. */
enum pb_status pb_clyde_walk_init(struct pb_clyde_walk *w,
    const struct pb_clyde_world *world, struct pb_pool *pool);

/* All shortest ways from one node; lists of n entries each. */
struct pb_safe_tree {
	int count;  /* nodes reached */
	int *dist;  /* n: units, -1: not reached */
	int *up;    /* the node before, -1 at the root */
	int *order; /* the nodes reached, by ascending distance */
	int *ring;  /* 8 n, work */
};

/* A tree whose lists lie in a block. */
struct pb_safe_tree pb_safe_tree_in(struct pb_block *b, int n);

/* So far reaches all. */
#define PB_SAFE_TREE_ALL INT_MAX

/*
 * Grow the tree from a node, up to a distance.
 *
 * Note     of several shortest ways it takes the one that Clyde's search
 *          takes in the open: see enters_diagonally
 */
void pb_safe_tree_grow(
    struct pb_safe_tree *t, const struct pb_clyde_walk *w, int root, int reach);

/*
 * A state is a coarse block and the way by which Clyde came into it: from
 * one of its eight neighbours, or because his last leg ended there. Going on
 * is counted over the shortest ways between all pairs of blocks, so that one
 * step back tells much of where he is heading. Made once, then only read.
 */
struct pb_clyde_chain {
	int side;          /* of a coarse block (blocks of the walk) */
	int blocks;        /* coarse blocks with a node */
	int *block;        /* by node of the walk: its coarse block; owned */
	int *number;       /* in the grid of them: the block, -1; owned */
	int cols;          /* of that grid */
	int *col, *row;    /* blocks: where in the grid of them; owned */
	struct pb_vec *at; /* blocks: mean place (m); owned */
	int *centre;       /* blocks: node of the walk nearest to at; owned */
	int *way;          /* 9 blocks: state entered by a way, -1; owned */
	int states;
	int *where;    /* states: coarse block; owned */
	float *stay;   /* states: mean length of a visit (m); owned */
	float *mass;   /* states: part of his time spent there; owned */
	int *first;    /* states + 1: start in `to`; owned */
	int *to;       /* states that follow a state; owned */
	float *chance; /* their probabilities, adding up to 1; owned */
};

/* Ways into a block, and that of a leg that begins in the block itself. */
#define PB_CLYDE_WAYS 9
#define PB_SAFE_BEGIN 4

/*
 * Count the chain.
 *
 * Given    side  of coarse blocks, >= 1 (blocks of the walk), larger where
 *                there would be more states
 *          most  than this, where fewer are possible
 *          pool  for what c owns
 * Returns  PB_OK or PB_ENOMEM
 */
enum pb_status pb_clyde_chain_init(struct pb_clyde_chain *c,
    const struct pb_clyde_walk *w, int side, int most, struct pb_pool *pool);

/*
 * Where he may be in the chain: a list of states beside their chances, since
 * most of them have none. In the caller's memory; zeroed work memory is none.
 */
struct pb_clyde_spread {
	int n;       /* states with a chance */
	int *state;  /* n of them */
	float *p;    /* states: the chance of each */
	int *state2; /* work, as the next, which is 0 */
	float *p2;
};

struct pb_clyde_spread pb_clyde_spread_in(struct pb_block *b, int states);

/* Nowhere. */
void pb_clyde_spread_clear(
    struct pb_clyde_spread *s, const struct pb_clyde_chain *c);

/* With some more chance in a state. */
void pb_clyde_spread_add(struct pb_clyde_spread *s, int state, float chance);

/* Let Clyde walk so far (m), at most half a visit or it is cut. */
void pb_clyde_spread_step(
    struct pb_clyde_spread *s, const struct pb_clyde_chain *c, double dist);

/*
 * Places that are farther than a plan looks are told apart by quarter: a square
 * of nodes, told by the node nearest to its middle. Made once, then only read.
 */
struct pb_clyde_quarters {
	const struct pb_clyde_walk *walk; /* borrowed */
	int n;                            /* quarters */
	int *of;       /* by node of the walk: its quarter; owned */
	int *middle;   /* n: node nearest to its middle; owned */
	float *share;  /* n: safe cells of each; owned */
	int16_t *way;  /* by node, n each: way to each (units),
	                  PB_CLYDE_NO_WAY: none, or longer; owned */
	float *detour; /* PB_CLYDE_DETOURS: chance of a way that is so
	                  many units longer; owned */
};

#define PB_CLYDE_NO_WAY  20000
#define PB_CLYDE_DETOURS 421 /* longer ones have no chance */

/* Returns PB_OK, or PB_ENOMEM; what q owns is in the pool. */
enum pb_status pb_clyde_quarters_init(struct pb_clyde_quarters *q,
    const struct pb_clyde_walk *w, struct pb_pool *pool);

/*
 * Clyde walks shortest ways to places drawn evenly. So the places to which
 * he may be going are those for which the way so far was no detour, each
 * with the same chance, and when he loses part of a tick or leaves every
 * shortest way from where he set out, a new leg has begun. Lengths in metres.
 */
struct pb_clyde_belief {
	struct pb_vec at; /* where he was seen last */
	double t;         /* when (s) */
	int node;         /* of the walk, there or nearest to it */
	int from;         /* node where this leg began */
	int way;          /* by which he came into his coarse block */
	double gone;      /* walked on this leg */
	int mark;         /* node a little way back on this leg */
	double mark_gone; /* walked up to there */
	int measured;     /* node from which `begin` was last filled, or -1 */
};

/* Lists of one entry a node or a quarter, in the caller's memory. */
struct pb_clyde_ways {
	struct pb_safe_tree tree; /* from where he is, as far as one looks */
	int *begin;  /* way from where the leg began (units), -1: none */
	float *ends; /* chance that the leg ends here, of nodes in the tree */
	float *load; /* chance that it leads through here, its end included */
	int way;     /* by which he came into his coarse block */
	float *far;  /* quarters: chance that it ends there, off the tree */
	int16_t *least, *first, *last; /* quarters: work */
};

struct pb_clyde_ways pb_clyde_ways_in(
    struct pb_block *b, const struct pb_clyde_quarters *q);

/* He appeared at p; a leg begins. */
void pb_clyde_belief_reset(struct pb_clyde_belief *b,
    const struct pb_clyde_walk *w, struct pb_vec p, double t);

/*
 * He was seen at p at time t, walking at `speed`.
 *
 * Returns  whether a new leg has begun
 */
bool pb_clyde_belief_see(struct pb_clyde_belief *b, struct pb_clyde_ways *ways,
    const struct pb_clyde_walk *w, const struct pb_clyde_chain *c,
    struct pb_vec p, double t, double speed);

/*
 * Work out the ways before him.
 *
 * Given    reach  so far (units), at most half of PB_CLYDE_NO_WAY; beyond it
 *                 ways lead on from the nodes that are nearly as far
 * Returns  ways; chances add up to 1 over `ends` of the tree's nodes and `far`
 */
void pb_clyde_belief_grow(struct pb_clyde_belief *b, struct pb_clyde_ways *ways,
    const struct pb_clyde_quarters *q, int reach);

/* The state of the chain in which he comes to a node of the tree. */
int pb_clyde_ways_state(
    const struct pb_clyde_ways *ways, const struct pb_clyde_chain *c, int node);

/* The coarse block of a place, or of the nearest node. */
int pb_clyde_chain_at(const struct pb_clyde_chain *c,
    const struct pb_clyde_walk *w, struct pb_vec p);

/* The state of the chain at the last of n places that Clyde comes by. */
int pb_clyde_chain_state(const struct pb_clyde_chain *c,
    const struct pb_clyde_walk *w, const struct pb_vec *at, int n);
