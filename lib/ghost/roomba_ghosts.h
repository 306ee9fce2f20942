/* roomba_ghosts.h - how an autonomous ghost of the Roomba game chooses its way.
 */
#pragma once

#include <stdbool.h>

#include "pb/maze.h"
#include "pb/rng.h"

/*
 * Every ghost decides for itself, from what the robots publish: their cells,
 * and whether Pac-Man is powered up. A move is one of the four directions,
 * chosen uniformly among those that four constraints leave: walls, collision
 * avoidance, no reversing, and the direction that its state asks for, which is
 * enforced only with a chance of its own (Elston, Dixon and Stachura,
 * "Pac-Man Implementation", 2008). Only the first two may leave none: the
 * ghost waits; each of the others is dropped if it would.
 */
#define PB_ROOMBA_GHOSTS 4
enum { PB_BLINKY, PB_PINKY, PB_INKY, PB_CLYDE };

/* "blinky", "pinky", ... */
extern const char *const pb_roomba_name[PB_ROOMBA_GHOSTS];

enum pb_roomba_state {
	PB_ROOMBA_SEARCH, /* drive to its home and about it */
	PB_ROOMBA_TRACK,  /* Pac-Man is near: after him, or away */
	PB_ROOMBA_RUN,    /* he is powered up: away */
	/* From here on it touches nobody. */
	PB_ROOMBA_KILLED, /* eaten: drive to its reset point */
	PB_ROOMBA_LOST    /* it has failed: the body stands, to the end */
};

/* "searching", "tracking", "running", "killed", "lost". */
extern const char *const pb_roomba_state_name[5];

/* The character of a ghost: how often its state's direction is enforced. */
struct pb_roomba_nature {
	double search; /* chance, 0..1, as those below */
	double track;  /* its aggressiveness */
	double run;
	bool away; /* tracking, it goes away from Pac-Man */
};

/* What a ghost knows when it decides. Cells are numbers of pb_cells. */
struct pb_roomba_sight {
	int at;     /* its own cell */
	int last;   /* direction of its last move, PB_STAY: none */
	int pacman; /* his cell */
	int home;   /* where it searches, -1: anywhere */
	int reset;  /* where it drives when it was eaten */
	int other[PB_ROOMBA_GHOSTS - 1]; /* cells of the other ghosts */
	int others;
	unsigned barred; /* bit d: that way it would come too near to one */
	enum pb_roomba_state state;
};

/*
 * The state of a ghost that is not killed.
 *
 * Given    afraid  it was told that Pac-Man is powered up
 *          sense   radius within which it tracks him, through walls (cells)
 */
enum pb_roomba_state pb_roomba_state_of(
    const struct pb_cells *c, int at, int pacman, bool afraid, int sense);

/* Directions that walls and the other ghosts leave: bit d for direction d. */
unsigned pb_roomba_free(
    const struct pb_cells *c, const struct pb_roomba_sight *s);

/*
 * Of the directions `allowed`, those that fit the angle of (right, up): if it
 * lies within pi/8 of an allowed direction, that one; else the two nearest
 * ones, more if they are equally near, none at 3 pi/4 or more. 0 if none fits;
 * all if the vector has no length.
 */
unsigned pb_roomba_fit(unsigned allowed, int right, int up);

/*
 * Choose. A draw is made for the enforcement and one for the choice, whatever
 * the situation is.
 *
 * Returns  a direction, PB_STAY: it waits
 */
enum pb_dir pb_roomba_choose(const struct pb_cells *c,
    const struct pb_roomba_nature *n, const struct pb_roomba_sight *s,
    struct pb_rng *r);
