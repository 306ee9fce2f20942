/*
 * safe_net.h - where the robot can drive: a graph, ways off walls, a round
 * trip.
 */
#pragma once

#include <stddef.h>

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
	const unsigned char *marked;  /* by map cell: closed by what the lidar
	                                 saw; NULL: nothing is, borrowed */
	const unsigned char *shut;    /* by node: for that it cannot be reached;
	                                 NULL: none, borrowed */
};

/*
 * Make a net.
 *
 * Given    side  of its blocks (m), larger where there would be more nodes
 *          most  than this, >= 1
 *          pool  for what it owns
 * Returns  PB_OK or PB_ENOMEM
 */
enum pb_status pb_safe_net_init(struct pb_safe_net *net,
    const struct pb_arena *a, double side, int most, struct pb_pool *pool);

/* Whether one can drive straight from a to b, points of the map frame; out of
 * what is marked, but not into it. */
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

/* Points of a band are this far apart at first (m). */
#define PB_SMOOTH_STEP 0.1

/*
 * The net joins its nodes by the shortest way that the body can take, which
 * grazes the ends of walls; a robot whose pose is a hand's breadth off rubs
 * there. The way becomes an elastic band (Quinlan and Khatib, "Elastic
 * bands", 1993): points close together, each of which moves, by small steps,
 * to where it lacks less room and the band stays smooth.
 *
 * Given    way    n >= 1 points
 *          room   clearance beyond which walls do not matter (m)
 *          max    room in out, >= 1
 * Returns  how many points of out were set; the first and the last of way
 *          stay where they are, unless max cuts it short
 */
int pb_path_smooth(const struct pb_safe_net *net, const struct pb_vec *way,
    int n, double room, struct pb_vec *out, int max);

/*
 * The rest of the way is an open tour through all places left, each visited
 * once, ending anywhere. Up to PB_ROUND_TRIP_EXACT places it is solved exactly
 * (Held and Karp, "A dynamic programming approach to sequencing problems",
 * 1962); beyond, every start gets a tour by the nearest neighbour rule,
 * improved by reversing stretches, two passes at most.
 */
#define PB_ROUND_TRIP_EXACT 10

/* The lesser of two, in one instruction. */
static inline float
pb_lesser(float a, float b)
{
	return a < b ? a : b;
}

/* Bytes of work memory for tours over up to n places. */
size_t pb_round_trip_bytes(int n);

/*
 * Length of the best open tour from each place through all others.
 *
 * Given    n     places, >= 0
 *          dist  dist[i * stride + j]: from place i to j (m), INFINITY: none
 *          left  n indices into dist: the places in question
 *          work  pb_round_trip_bytes(n)
 * Returns  rest[k]: length of the tour that begins at left[k] (m)
 * Note     what cannot be reached costs PB_ROUND_TRIP_NONE a time
 */
#define PB_ROUND_TRIP_NONE 1e4f
void pb_round_trip(int n, const float *dist, int stride, const int *left,
    void *work, float *rest);
