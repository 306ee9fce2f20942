/* clyde_markov.h - where Clyde walks: his ways and a Markov chain. */
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

/* Longest side of a block (m): a fraction of what decides a meeting. */
#define PB_CLYDE_WALK_SIDE 0.1

/* More nodes than this, and blocks are made larger. */
#define PB_CLYDE_WALK_NODES 20000

/* Returns PB_OK, or PB_ENOMEM; what w owns is in the pool. */
enum pb_status pb_clyde_walk_init(struct pb_clyde_walk *w,
    const struct pb_clyde_world *world, struct pb_pool *pool);

/* The node whose block holds p; off Clyde's ground the nearest. */
int pb_clyde_walk_at(const struct pb_clyde_walk *w, struct pb_vec p);

/*
 * Given    of      by node: its group, 0..n-1; none is empty
 * Returns  share   n, 0 at first: safe cells of each
 *          at      n, 0 at first: mean place of those (m)
 *          middle  n: the node nearest to it
 */
void pb_clyde_walk_groups(const struct pb_clyde_walk *w, const int *of, int n,
    float *share, struct pb_vec *at, int *middle);

/*
 * Whether Clyde, walking from a to b in the open, enters b by a diagonal: of
 * straight moves and diagonals he makes those first of which there are more. So
 * it is where the bearing has a sine below sqrt 2 - 1 against the nearest axis;
 * this is where the Euclidean heuristic of his search prefers one predecessor
 * to the other.
 */
bool pb_clyde_enters_diagonally(struct pb_vec a, struct pb_vec b);

/* All shortest ways from one node; lists of n entries each. */
struct pb_safe_tree {
	int count;  /* nodes reached */
	int *dist;  /* n: units, -1: not reached */
	int *up;    /* the node before, -1 at the root */
	int *order; /* the nodes reached, by ascending distance */
	int *ring;  /* 8 n, work */
};

/* A tree whose lists lie in a block, or in a pool. */
struct pb_safe_tree pb_safe_tree_in(struct pb_block *b, int n);
struct pb_safe_tree pb_safe_tree_get(struct pb_pool *p, int n);

/* So far reaches all. */
#define PB_SAFE_TREE_ALL INT_MAX

/*
 * Grow the tree from a node, up to a distance.
 *
 * Note     of several shortest ways it takes the one that Clyde's search
 *          takes in the open: see pb_clyde_enters_diagonally
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

/* The way into the block of node b from that of node a: 0..8, PB_SAFE_BEGIN
 * if they are one. */
int pb_clyde_chain_way(const struct pb_clyde_chain *c, int node_a, int node_b);

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
