/* safe_chain.h - how Clyde wanders in the long run: a Markov chain. */
#ifndef PB_POLICY_SAFE_CHAIN_H
#define PB_POLICY_SAFE_CHAIN_H

#include "policy/safe_walk.h"

/*
 * A state is a coarse block and the way by which Clyde came into it: from
 * one of its eight neighbours, or because his last leg ended there. Going on
 * is counted over the shortest ways between all pairs of blocks, so that one
 * step back tells much of where he is heading. Made once, then only read.
 */
struct pb_safe_chain {
	int side;          /* of a coarse block (blocks of the walk) */
	int blocks;        /* coarse blocks with a node */
	int *block;        /* by node of the walk: its coarse block; owned */
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

/* The way of a leg that begins in the block itself. */
#define PB_SAFE_BEGIN 4

/*
 * The way into the block of node b from that of node a: 0..8, PB_SAFE_BEGIN
 * if they are one.
 */
int pb_safe_way(const struct pb_safe_chain *c, int node_a, int node_b);

/*
 * Count the chain.
 *
 * Given    side  of coarse blocks, >= 1 (blocks of the walk)
 * Returns  PB_OK and c for pb_safe_chain_clear, or PB_ENOMEM
 */
enum pb_status pb_safe_chain_init(
    struct pb_safe_chain *c, const struct pb_safe_walk *w, int side);
void pb_safe_chain_clear(struct pb_safe_chain *c);

/*
 * State of each node of a tree for one who walks along it.
 *
 * Given    way   by which the root's block was entered
 * Returns  state: one number for each node reached, -1 where nobody was
 *          ever counted
 */
void pb_safe_chain_mark(const struct pb_safe_chain *c,
    const struct pb_safe_tree *t, int way, int *state);

/*
 * How likely he leaves each state on a walk.
 *
 * Given    dist   that Clyde walks (m), at most half a visit or it is cut
 * Returns  leave  a number a state
 */
void pb_safe_chain_pace(
    const struct pb_safe_chain *c, double dist, float *leave);

/*
 * Let time pass.
 *
 * Given    p      probability of each state
 *          leave  from pb_safe_chain_pace
 *          q      room for as many
 * Returns  q, the probabilities afterwards
 */
void pb_safe_chain_step(const struct pb_safe_chain *c, const float *p,
    const float *leave, float *q);

#endif
