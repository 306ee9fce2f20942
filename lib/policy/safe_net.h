/* safe_net.h - where the robot can drive, thinned to a graph. */
#ifndef PB_POLICY_SAFE_NET_H
#define PB_POLICY_SAFE_NET_H

#include "game/pacmanbot/arena.h"

/*
 * The robot's planning grid is cut into blocks; of each block's cells the one
 * with most room becomes a node, and a second one where Clyde cannot come
 * near although he can to the first. Every cell belongs to the node that is
 * nearest by driving; nodes whose cells touch are joined, so the net hangs
 * together exactly as the grid does. Made once, then only read.
 */
struct pb_safe_net {
	const struct pb_arena *arena; /* borrowed */
	int side;                     /* of a block (cells) */
	int n;                        /* nodes */
	int *cell;                    /* n: map cell; owned */
	struct pb_vec *at;            /* n: its centre (m); owned */
	int *first;                   /* n + 1: start in to and len; owned */
	int *to;                      /* neighbours; owned */
	float *len;                   /* of the way there (m); owned */
	int *owner;                   /* by map cell: node, -1; owned */
};

/* Returns PB_OK and net for pb_safe_net_clear, or PB_ENOMEM. */
enum pb_status pb_safe_net_init(
    struct pb_safe_net *net, const struct pb_arena *a, double side);
void pb_safe_net_clear(struct pb_safe_net *net);

/* Whether one can drive straight from a to b, points of the map frame. */
bool pb_safe_net_sees(
    const struct pb_safe_net *net, struct pb_vec a, struct pb_vec b);

/* The node that owns p's cell, or one near by that p can see; -1: none. */
int pb_safe_net_at(const struct pb_safe_net *net, struct pb_vec p);

/*
 * Driving distance of every node from one.
 *
 * Given    line  room for n numbers
 * Returns  dist (m), INFINITY where there is no way
 */
void pb_safe_net_dist(
    const struct pb_safe_net *net, int from, int *line, float *dist);

#endif
