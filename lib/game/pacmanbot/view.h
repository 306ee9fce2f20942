/* view.h - what a player of pacmanbot sees. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pb/geom.h"
#include "game/pacmanbot/opts.h"
#include "pb/player.h"

struct pb_arena;
struct pb_clyde;

/*
 * A player sees what the published planner node could subscribe to, and the
 * read-only arena: never the true pose and never a random stream of the game,
 * unless it is a measure of what can be had at all.
 * The view and what it points to live for the call.
 */
enum pb_goal_kind {
	PB_GOAL_NONE,
	PB_GOAL_PELLET,
	PB_GOAL_HOME,
	PB_GOAL_POINT,
	PB_GOAL_PATH
};

/* How the last goal that is no longer active ended. */
enum pb_goal_end {
	PB_END_NONE, /* there was none yet */
	PB_END_REACHED,
	PB_END_FAILED,   /* navigation gave up */
	PB_END_CANCELLED /* by a pickup, a newer answer or the controller */
};

/* What a player is told that foresees, and nobody else. */
struct pb_truth {
	struct pb_pose robot;         /* its true pose, map frame */
	const struct pb_clyde *clyde; /* to be copied and ticked ahead ... */
	struct pb_clyde *ahead;       /* ... here: scratch */
};

/* Something that the lidar saw where the map has no wall. */
struct pb_mark {
	struct pb_vec at; /* in the map, by the pose at that time (m) */
	double since, t;  /* seen first and last (s) */
	size_t raster;    /* its place on the layer's raster */
};

/* A mark stands for a disc as wide as its raster (cells of the map). */
#define PB_MARK_CELLS 1

/* The follower of paths turns on the spot when it is misaligned by more than
 * the first, until it is less than the second (rad). */
#define PB_TURN_AT 0.8
#define PB_TURN_TO 0.25

struct pb_view {
	double t;            /* now (s) */
	double run_t;        /* since this round's `running` began (s) */
	struct pb_pose pose; /* estimate as last published, map frame */
	struct pb_pose odom; /* wheel odometry, its own frame */
	struct pb_pose odom_at_pose; /* the same when pose was published */
	double v;                    /* measured speed (m/s) */
	double w;                    /* measured turn rate (rad/s) */
	struct pb_vec clyde;         /* as last published (m) */
	double clyde_t;              /* when (s) */
	double closing;              /* he comes nearer at this speed, as the
	                                published node measures it (m/s) */
	double clyde_speed;          /* as last published (m/s) */
	int pellets;                 /* number of pellets of the arena */
	const unsigned char *left;   /* left[i]: pellet i of the arena is on
	                                the planner's list and not collected */
	int remaining;               /* how many are */
	int marks;                   /* of the sensor layer */
	const struct pb_mark *mark;
	enum pb_goal_kind goal;    /* active goal */
	int goal_pellet;           /* its pellet, -1 if none */
	enum pb_goal_end last_end; /* of the goal before */
	const struct pb_arena *arena;
	const struct pb_round_opts *opts;
	const struct pb_truth *truth; /* NULL: the player does not foresee */
};
