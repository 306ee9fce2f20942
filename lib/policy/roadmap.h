/*
 * roadmap.h - where the robot can drive: a graph of places, what the lidar
 * closes on it, and tours of the pellets.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/graph.h"
#include "game/pacmanbot/arena.h"

/*
 * The robot's planning grid is cut into square blocks; of each block's cells
 * the one with most clearance becomes a node. Each cell belongs to the node
 * that is nearest by driving; nodes whose cells touch are joined, so parts of
 * the grid that have a node are connected as the grid is. Made once, then only
 * read; a game whose sensor layer closes something has a copy that points to
 * arrays of its own.
 */
struct pb_roadmap {
	const struct pb_arena *arena; /* borrowed */
	int side;                     /* side of a block (cells) */
	struct pb_graph graph;
	struct pb_vec *at;  /* by node: place (m) */
	float *len;         /* by edge: length (m) */
	int16_t *owner;     /* by map cell: node, -1 none */
	int *pellet_node;   /* by pellet: node to fetch it from, -1 none */
	float *pellet_dist; /* by pellet, a row of all nodes: length of the
	                      shortest path (m) */

	/* What the lidar closes; NULL: nothing. */
	const unsigned char *marked; /* by map cell: 1, closed by a mark */
	const unsigned char *shut;   /* by node: 1, all its cells are closed */
	const unsigned char *closed; /* by edge: 1, closed */
};

/*
 * Make nodes and edges.
 *
 * Given    side  side of the blocks (m), enlarged until `most` suffices
 *          most  most nodes, 1..INT16_MAX
 *          pool  for all arrays but owner
 *          cell_pool  for owner; may be the same
 * Returns  PB_OK or PB_ENOMEM
 */
enum pb_status pb_roadmap_init(struct pb_roadmap *r, const struct pb_arena *a,
    double side, int most, struct pb_pool *pool, struct pb_pool *cell_pool);

/* Fill pellet_node and pellet_dist. Returns PB_OK or PB_ENOMEM. */
enum pb_status pb_roadmap_measure_pellets(
    struct pb_roadmap *r, struct pb_pool *pool);

/* Whether one can drive straight from a to b, points of the map frame; it may
 * leave a marked area, but not enter one. */
bool pb_roadmap_can_drive(
    const struct pb_roadmap *r, struct pb_vec a, struct pb_vec b);

/* The node that owns p's cell, or the nearest one; -1: there is no node. */
int pb_roadmap_node_at(const struct pb_roadmap *r, struct pb_vec p);

/*
 * The part of the roadmap that marks of the sensor layer close, in a game's
 * memory; zeroed at first. A mark closes the cells that the robot's middle
 * cannot be on. A node moves to one of its open cells, or is shut; an edge is
 * closed if it leads through a closed cell. Closed edges can be waited for: a
 * mark expires after a time that grows with how long it was seen, so that
 * people who pass block a path for a moment only, and a box is checked ever
 * more seldom.
 */
struct pb_marks {
	struct pb_marks_now {
		bool any;      /* the arrays are filled */
		double t;      /* when they were filled (s) */
	} * now;               /* NULL: there is no sensor layer */
	unsigned char *cell;   /* by map cell: 1 closed */
	unsigned char *shut;   /* by node: 1, all its cells are closed */
	unsigned char *closed; /* by edge: 1, closed */
	unsigned char *was;    /* by edge: closed before the update */
	float *lasts;          /* by node: expected time until it opens (s) */
	struct pb_vec *at;     /* by node: its place */
	float *cost;           /* by edge: length, waiting included (m) */
	int *pellet_node;      /* as in struct pb_roadmap */
	float *pellet_dist;
	double *later; /* by pellet: not to be asked for before (s) */
	double *wait;  /* by pellet: length of the last postponement (s) */
	float *dist;   /* by node: work, as the next */
	void *work;
};

/* Allocate in b; without a sensor layer nothing. */
struct pb_marks pb_marks_alloc(
    struct pb_block *b, const struct pb_roadmap *r, bool layer);

/*
 * Close and open edges by the current marks, for a robot at p; distances are
 * recomputed only at intervals.
 *
 * Returns  whether distances were recomputed; *changed: an edge opened or
 * closed
 */
bool pb_marks_update(const struct pb_marks *m, const struct pb_roadmap *r,
    const struct pb_view *v, struct pb_vec p, bool *changed);

/* Navigation failed to fetch pellet i: do not ask for it for a while. */
void pb_marks_postpone(const struct pb_marks *m, int i, double t);

/* The roadmap r with its closed edges. */
struct pb_roadmap pb_marks_apply(
    const struct pb_marks *m, const struct pb_roadmap *r);

/* The lesser of two numbers, in one instruction. */
static inline float
pb_lesser(float a, float b)
{
	return a < b ? a : b;
}

/*
 * Time of the rest of the tour from each node: open tours through all remaining
 * pellets, the shortest ones up to ten pellets, beyond that by nearest
 * neighbours and 2-opt.
 */
struct pb_tour {
	float *rest;   /* by node: time to the end of the best tour (s) */
	float *fetch;  /* by node: the same after the node's pellet is
	                  fetched (s); INFINITY: it has none */
	float *length; /* by remaining pellet: rest of the tour (m); this and
	                  the following are work space */
	int *left, *order, *index, *near;
	float *best;
};

struct pb_tour pb_tour_alloc(struct pb_block *b, const struct pb_roadmap *r);

/* Compute t for a robot that drives at `speed` and pellets with left[i] set. */
void pb_tour_update(const struct pb_tour *t, const struct pb_roadmap *r,
    const unsigned char *left, double speed);
