/* pursuit.h - the published pure pursuit of a path of cells. */
#ifndef PB_ROBOT_PURSUIT_H
#define PB_ROBOT_PURSUIT_H

#include <stdbool.h>

#include "robot/omni.h"

/*
 * A robot that can go any way follows a path of cells: it aims at where a
 * circle around it meets the path, at a speed that depends on how straight the
 * path is, and is turned back to its heading. Frame and unit are those of
 * pb_cells_xy(): cells and seconds.
 */
#define PB_PURSUIT_PATH 10 /* cells of a path that count */

struct pb_pursuit_opts {
	double lookahead;  /* radius of the circle (cells) */
	double speed;      /* (cells/s) */
	double turning;    /* part of the speed before a turn */
	double snap;       /* without path: a centre further off is driven to */
	double snap_gain;  /* ... with this gain (1/s) */
	double stuck_time; /* the same cell for so long is stuck (s) */
	double stuck_part; /* part of the lookahead then */
	double turn_gain;  /* of the error of heading (1/s) */
	double turn_dead;  /* errors below are none (rad) */
};

/* What it remembers: for how long the camera has said the same cell. */
struct pb_pursuit {
	int row, col;
	bool known;
	double same; /* (s) */
};

struct pb_pursuit_pose {
	struct pb_vec at; /* estimate (cells) */
	double th;        /* heading (rad) */
	int row, col;     /* the camera's cell */
	bool seen;        /* there is one */
};

/* Published values. */
struct pb_pursuit_opts pb_pursuit_defaults(void);

/*
 * The velocity in the frame of the maze.
 *
 * Given    s     zeroed at first; moves on
 *          path  n cells (row, col each) from the one after the camera's on,
 *                each a step from the one before; all but the first
 *                PB_PURSUIT_PATH are left out
 *          dt    since the last step (s)
 * Returns  false and v zero if there is no command: a path but no cell from
 *          the camera, or no path within the lookahead
 */
bool pb_pursuit_step(struct pb_pursuit *s, const struct pb_pursuit_opts *o,
    const struct pb_pursuit_pose *p, const int (*path)[2], int n, double dt,
    struct pb_vec *v);

/*
 * The point of a way of straight pieces at which a circle around `at` leaves
 * it: of the piece nearest to it, or else of the next.
 *
 * Given    way  n >= 1 points
 * Returns  false if the circle meets neither
 */
bool pb_pursuit_aim(struct pb_vec at, double radius, const struct pb_vec *way,
    int n, struct pb_vec *aim);

/* A velocity in the maze as the body sees it, with the heading held at `to`. */
struct pb_motion pb_pursuit_motion(
    const struct pb_pursuit_opts *o, struct pb_vec v, double th, double to);

#endif
