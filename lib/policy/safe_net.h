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

/* The node that owns p's cell, or the nearest one; -1: none. */
int pb_safe_net_at(const struct pb_safe_net *net, struct pb_vec p);

/*
 * Shortest ways from some nodes to all: Bellman-Ford with a queue.
 *
 * Given    cost  by edge of the net, >= 0
 *          most  ways that cost more are none
 *          line  room for 2 n numbers
 *          dist  by node: where the ways begin what there is to add, elsewhere
 *                INFINITY
 * Returns  dist  by node: the least cost, INFINITY where there is no way
 */
void pb_safe_net_distances(const struct pb_safe_net *net, const float *cost,
    float most, int *line, float *dist);

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
 * Note     what cannot be reached costs 10 km a time
 */
void pb_round_trip(int n, const float *dist, int stride, const int *left,
    void *work, float *rest);

/* Ways from and between pellets along a net; made once, then only read. */
struct pb_tour {
	const struct pb_safe_net *net; /* borrowed */
	int n;                         /* pellets of the arena */
	int *node;    /* n: node of the net at each, -1: none; owned */
	float *reach; /* n * nodes: from pellet to node (m); owned */
	float *apart; /* n^2: between pellets (m); owned */
};

/* Returns PB_OK, or PB_ENOMEM; what t owns is in the pool. */
enum pb_status pb_tour_init(
    struct pb_tour *t, const struct pb_safe_net *net, struct pb_pool *pool);

/* What is left, worked out anew when a pellet has gone. */
struct pb_tour_lists {
	float *rest;  /* by node: time from there to the end of the best tour
	                 (s) */
	float *fetch; /* by node: the same once what lies there is fetched (s);
	                 INFINITY: nothing lies there */
	float *tour;  /* by pellet left: rest of the tour from it (m) */
	int *left;    /* pellets left that can be reached */
	void *work;
};

struct pb_tour_lists pb_tour_lists_in(
    struct pb_block *b, const struct pb_tour *t);

/* Returns how many pellets are left that can be reached; l: see above. */
int pb_tour_rest(const struct pb_tour *t, const unsigned char *left,
    double speed, const struct pb_tour_lists *l);
