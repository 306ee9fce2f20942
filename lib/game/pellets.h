/* pellets.h - lay pellets in the free space of a map. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pb/map.h"

struct pb_pellet {
	int id;              /* 0.. in scan order, top row first */
	struct pb_vec at;    /* place in the map frame (m) */
	struct pb_cell cell; /* the cell that was tested */
};

/* Which pellets to leave out. */
enum pb_pellet_reach {
	PB_REACH_ALL,  /* none, as the published generator */
	PB_REACH_MAIN, /* pellets outside of the largest part of the map where
	                  the robot fits */
	PB_REACH_FROM  /* pellets that it cannot reach from its start */
};

/* Options of laying; pb_pellet_defaults() is the published generator. */
struct pb_pellet_opts {
	double spacing;   /* distance of rows and columns, > 0 (2 m) */
	double clearance; /* half side of the free square, >= 0 (0.3 m) */
	bool center;      /* pellets at cell centres, with the origin's yaw;
	                     published: upper left corners, yaw ignored */
	enum pb_pellet_reach reach;
	struct pb_vec from; /* the robot's start (m) */
	double robot;       /* radius of the robot, for reach, >= 0 (0.175 m) */
	double pickup; /* distance at which it takes a pellet, >= 0 (0.25 m) */
	int count;     /* most pellets, 0..PB_PELLETS_PICK; 0: all (0) */
};

/*
 * A set of pellets: all that were laid and which of them remain. It belongs
 * to one thread while it changes.
 */
struct pb_pellets {
	size_t n;              /* pellets laid */
	struct pb_pellet *all; /* n, by id; owned */
	unsigned char *gone;   /* n: 1 when removed; owned */
	size_t left;           /* pellets that remain */
	size_t unreachable;    /* left out because nothing leads there */
};

/* Most pellets of a set: 100 million cells' worth at 10 x 10 cells each. */
#define PB_PELLETS_MAX 1000000

/* Largest `count`: each pick tests all pellets. */
#define PB_PELLETS_PICK 10000

/* The published constants: 2 m, 0.3 m, corners. */
struct pb_pellet_opts pb_pellet_defaults(void);

/*
 * Lay pellets as the published generator does: every step-th column of every
 * step-th row from the top left, where the cell is free and so is the square
 * around it; step and half side are max(1, round(length / R)).
 *
 * Given    m  a map
 *          o  options, in range
 * Returns  PB_OK and s for pb_pellets_clear (maybe with no pellet in it);
 *          PB_EVALUE (options), PB_ENOFREE (no free cell), PB_EWALL (the
 *          robot does not fit at o->from), PB_ESIZE (over PB_PELLETS_MAX),
 *          PB_ENOMEM and s untouched
 * Note     reach: some cell within `pickup` of the pellet's, in a turned
 *          map of the cell in which the corner comes to lie, is joined to
 *          o->from, or to the largest part, by cells at least `robot` from all
 * that is not free. Ids are given afterwards and have no gaps. Note     count
 * picks pellets one at a time: first the farthest from the mean of all, then
 * always the one farthest from its nearest picked one; of equals the farthest
 * from the mean, then the lowest id. So four of them lie in the corners of a
 * square.
 */
enum pb_status pb_pellets_lay(struct pb_pellets *s, const struct pb_map *m,
    const struct pb_pellet_opts *o);

/*
 * A spacing below o's with which pellets can be laid: the largest one tried
 * that lays 5, else the one that lays most; 0 if none lays any.
 *
 * Returns  it (m), a multiple of 0.1 m, and how many in *n
 */
double pb_pellets_spacing(
    const struct pb_map *m, const struct pb_pellet_opts *o, size_t *n);

/* Free what s owns and zero it. A zeroed set is fine, and empty. */
void pb_pellets_clear(struct pb_pellets *s);

/* Remove pellet id: PB_OK, or PB_ENOENT if it is unknown or gone. */
enum pb_status pb_pellets_remove(struct pb_pellets *s, int id);

/* Restore all pellets. */
void pb_pellets_reset(struct pb_pellets *s);
