/* localizer.h - the interface of localization methods. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pb/decls.h"
#include "pb/geom.h"
#include "pb/map.h"
#include "pb/maze.h"
#include "pb/param.h"
#include "pb/scan.h"
#include "pb/status.h"

PB_BEGIN_DECLS

/*
 * A localizer receives a robot's sensor data: odometry, range scans, fixes of a
 * camera. It never sees the truth. SI units; poses are in the frame of the map,
 * or, in a maze, in the frame of pb_cells_xy() times the side of a cell: x
 * along the rows, y along the columns, centres at whole cells. Records of a
 * maze are in the frame of pb_maze_to_map() instead, x right, y up, the lower
 * left corner of the board at the origin: readers and writers transform poses
 * and fixes by pb_maze_frame().
 *
 * `model` is computed once per world and shared by threads. The memory of
 * one robot is one flat block without pointers into itself: copying it is a
 * snapshot. Nothing allocates between learn() and forget().
 */
struct pb_loc_world {
	const struct pb_map *map;     /* NULL in a maze */
	const struct pb_maze *maze;   /* NULL on a map */
	const struct pb_cells *cells; /* cells of the maze */
	double cell;                  /* side of a cell of the maze (m) */
	bool (*stop)(void); /* ends a long search when true; the belief after
	                       that is meaningless; NULL: never */
};

/* Which worlds a method is for. */
enum pb_loc_place {
	PB_LOC_ON_MAP = 1,
	PB_LOC_IN_MAZE = 2,
	PB_LOC_NOWHERE = 4 /* needs none: both may be NULL */
};

/* Where the robot may be when it begins. */
enum pb_loc_begin {
	PB_LOC_ANYWHERE, /* all free places alike */
	PB_LOC_NEAR      /* a normal distribution about pose */
};
struct pb_loc_start {
	enum pb_loc_begin kind;
	struct pb_pose pose;  /* PB_LOC_NEAR: the mean */
	double cov[3][3];     /* covariance of x, y, theta (m2, m rad, rad2) */
	uint64_t seed, trial; /* of the method's random numbers */
	unsigned which;       /* number of the start in its trial, 0.. */
};

/* A coarse position from a camera; its age is not known. */
struct pb_loc_fix {
	struct pb_vec at; /* (m) */
};

/* How sure a method is of its answer. */
enum pb_loc_status {
	PB_LOC_LOST,      /* it does not know: the pose means nothing */
	PB_LOC_UNMAPPED,  /* off the known map: dead reckoning */
	PB_LOC_AMBIGUOUS, /* several places fit; the pose is one of them */
	PB_LOC_TRACKING   /* the pose holds within its covariance */
};
#define PB_LOC_STATUSES (PB_LOC_TRACKING + 1)

#define PB_LOC_HYPOTHESES 8
struct pb_hypothesis {
	struct pb_pose pose;
	double cov[3][3]; /* its covariance (m2, m rad, rad2) */
	double weight;    /* its share of the belief, 0..1 */
};
struct pb_belief {
	enum pb_loc_status status;
	int n; /* 0: nothing is known, else 1..PB_LOC_HYPOTHESES */
	struct pb_hypothesis at[PB_LOC_HYPOTHESES]; /* heaviest first */

	/* Of a method that says_fit; else 0. */
	double fit;  /* share of the beams that the map explains, 0..1; NAN:
	                too few beams */
	double jump; /* how far the last scan moved it off the odometry (m), 0:
	                not at all */
};

struct pb_localizer {
	const char *name;
	const char *summary; /* one line, no stop */
	unsigned places;     /* set of enum pb_loc_place */
	bool says_fit;       /* beliefs have fit and jump */

	/* Its constants: see pb_localizer_defaults(). */
	struct pb_params params;
	void (*rest)(void *opts); /* sets defaults of members without a row;
	                             NULL: none */
	size_t opts_size;

	/*
	 * Compute what is the same for all robots in this world. w is borrowed
	 * until forget().
	 *
	 * Returns  PB_OK and *model; PB_EVALUE (opts), PB_ENOFREE (a world
	 *          without a place to be), PB_EEMPTY (nothing to see in it),
	 *          PB_ENOMEM and *model untouched
	 */
	enum pb_status (*learn)(const struct pb_localizer *m,
	    const struct pb_loc_world *w, const void *opts, void **model);
	void (*forget)(void *model);

	/* Bytes of memory that one robot needs, see pb_localizer_memory(). */
	size_t mem_size;
	size_t (*more)(const void *model); /* beside these; NULL: none */

	/* Restart at the start s. */
	void (*reset)(
	    void *mem, const void *model, const struct pb_loc_start *s);

	/* Odometry: the robot is at odom in the odometry frame. */
	void (*predict)(void *mem, const void *model, struct pb_pose odom);

	/* A scan or a fix was taken at the last odom. Either may be NULL: the
	 * method does not use it, and callers drop those records. */
	void (*scan)(void *mem, const void *model, const struct pb_scan *z);
	void (*fix)(void *mem, const void *model, const struct pb_loc_fix *z);

	/* The current belief. */
	void (*estimate)(
	    const void *mem, const void *model, struct pb_belief *out);

	/*
	 * Its particles, for pictures: at most max of them, evenly chosen.
	 * NULL: it has none.
	 *
	 * Returns  how many were written
	 */
	size_t (*particles)(const void *mem, const void *model,
	    struct pb_pose *out, size_t max);
};

/* A method that has learnt a world, and its memory. */
struct pb_loc_instance {
	const struct pb_localizer *m;
	const void *model; /* NULL if it learns nothing */
	void *mem;
};

/* The method called name, NULL if there is none. */
const struct pb_localizer *pb_localizer_find(const char *name);

/* Method i (0..) in the order of --list-methods, NULL past the last. The first
 * one that fits a world is the default there. */
const struct pb_localizer *pb_localizer_at(int i);

/* The first method for a place, NULL if there is none. */
const struct pb_localizer *pb_localizer_for(enum pb_loc_place place);

/* The usual constants of m, in opts_size bytes. */
void pb_localizer_defaults(const struct pb_localizer *m, void *opts);

/* Bytes of memory that one robot needs. */
size_t pb_localizer_memory(const struct pb_localizer *m, const void *model);

/* "lost", "unmapped", "ambiguous", "tracking"; static storage. */
const char *pb_loc_status_text(enum pb_loc_status s);

/*
 * Records have mazes like maps: x along the columns, y up, the lower left
 * corner at the origin. Methods have x down the rows and y along the columns,
 * with the origin in the middle of the first cell.
 *
 * Given    cell  side of a cell (m)
 * Returns  the pose of the methods' frame in that of the records
 */
struct pb_pose pb_loc_frame(const struct pb_maze *z, double cell);

/* Turn the covariance of a pose: R cov R', R the rotation by turn (rad). */
void pb_loc_turn_cov(double cov[3][3], double turn);

PB_END_DECLS
