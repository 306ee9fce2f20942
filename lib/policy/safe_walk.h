/* safe_walk.h - where Clyde can walk, thinned, and his ways from one place. */
#ifndef PB_POLICY_SAFE_WALK_H
#define PB_POLICY_SAFE_WALK_H

#include "base/geom.h"
#include "base/status.h"
#include "ghost/clyde.h"

/*
 * Clyde's safe cells are joined to square blocks; a block with a safe cell
 * is a node. Every safe cell keeps more than a block's side from all walls,
 * so blocks that touch are joined in the world too. Made once, then only
 * read; a tree is a workspace of one thread. Lengths of ways are counted in
 * units of a fifth of a block: 5 straight, 7 diagonal.
 */
struct pb_safe_walk {
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
#define PB_SAFE_WALK_SIDE 0.1

/* More nodes than this, and blocks are made larger. */
#define PB_SAFE_WALK_NODES 20000

/* Returns PB_OK and w for pb_safe_walk_clear, or PB_ENOMEM. */
enum pb_status pb_safe_walk_init(
    struct pb_safe_walk *w, const struct pb_clyde_world *world);
void pb_safe_walk_clear(struct pb_safe_walk *w);

/* The node whose block holds p, or one close to it; -1 if there is none. */
int pb_safe_walk_at(const struct pb_safe_walk *w, struct pb_vec p);

/* All shortest ways from one node; lists of n entries each. */
struct pb_safe_tree {
	int count;  /* nodes reached */
	int *dist;  /* units, -1: not reached */
	int *up;    /* the node before, -1 at the root */
	int *order; /* the nodes reached, by ascending distance */
	int *ring;  /* 8 n, work */
};

/* Bytes of a tree's lists; and a tree whose lists lie in that memory. */
size_t pb_safe_tree_bytes(int n);
struct pb_safe_tree pb_safe_tree_in(void *mem, int n);

/*
 * Grow the tree from a node.
 *
 * Note     of several shortest ways it takes the one that Clyde's search
 *          takes in the open: the more frequent move first. A node whose
 *          bearing from the root has a sine below sqrt 2 - 1 against the
 *          nearest axis is entered by a diagonal, others straight; this is
 *          where the Euclidean heuristic prefers one predecessor to the
 *          other
 */
void pb_safe_tree_grow(
    struct pb_safe_tree *t, const struct pb_safe_walk *w, int root);

#endif
