/* player.h - what a player of pacmanbot sees and what it can answer. */
#ifndef PB_GAME_PLAYER_H
#define PB_GAME_PLAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/pacmanbot/opts.h"
#include "pb/geom.h"
#include "pb/status.h"

struct pb_arena;

/*
 * A player sees what the published planner node could subscribe to, and the
 * read-only arena: never the true pose and never a random stream of the game.
 * Its memory is one flat block without pointers into itself, so that copying
 * the block is a snapshot. The view and what it points to live for the call.
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

struct pb_view {
	double t;            /* now (s) */
	double run_t;        /* since this round's `running` began (s) */
	int round;           /* 1.. */
	bool has_pose;       /* pose and pose_t mean something */
	struct pb_pose pose; /* estimate as last published, map frame */
	double pose_t;       /* when it was published (s) */
	unsigned poses;      /* published so far */
	struct pb_pose odom; /* wheel odometry, its own frame */
	struct pb_pose odom_at_pose; /* the same at pose_t */
	struct pb_pose
	    nav;  /* pose carried on by odometry: what nav2 steers by */
	double v; /* measured speed (m/s) */
	double w; /* measured turn rate (rad/s) */
	struct pb_vec clyde;       /* as last published */
	double clyde_t;            /* when (s) */
	double closing;            /* he comes nearer at this speed, as the
	                              published node measures it (m/s) */
	double clyde_speed;        /* as last published (m/s) */
	int pellets;               /* number of pellets of the arena */
	const unsigned char *left; /* left[i]: pellet i of the arena is on
	                              the planner's list and not collected */
	int remaining;             /* how many are */
	enum pb_goal_kind goal;    /* active goal */
	int goal_pellet;           /* its pellet, -1 if none */
	struct pb_vec goal_at;     /* its place */
	enum pb_goal_end last_end; /* of the goal before */
	const struct pb_arena *arena;
	const struct pb_round_opts *opts;
};

enum pb_answer_kind {
	PB_KEEP,      /* go on with what is active */
	PB_GO_PELLET, /* navigate to a pellet */
	PB_GO_POINT,  /* navigate to a point */
	PB_GO_PATH,   /* follow way-points, walls avoided, Clyde not */
	PB_STOP       /* cancel the goal and stand still */
};

struct pb_answer {
	enum pb_answer_kind kind;
	int pellet;                 /* index in the arena; PB_GO_PELLET */
	struct pb_vec at;           /* PB_GO_POINT */
	const struct pb_vec *way;   /* PB_GO_PATH: the robot's place onwards */
	int ways;                   /* 1..PB_WAYS */
	double speed;               /* not faster than this (m/s); 0: v_max */
	bool localizes;             /* steer by odom_in_map, not by nav2's */
	struct pb_pose odom_in_map; /* pose of the odometry frame in the map */
};

#define PB_WAYS 4096 /* way-points of one path; the rest is cut off */

struct pb_player {
	const char *name;
	const char *summary; /* one line, no stop */
	double period;       /* between decisions (s); 0: planner_period */

	/*
	 * What can be worked out once per arena and shared by threads.
	 * NULL: nothing. *known is for forget(); untouched on failure.
	 */
	enum pb_status (*learn)(const struct pb_arena *a,
	    const struct pb_round_opts *o, void **known);
	void (*forget)(void *known);

	/* Bytes of memory that one game needs, 0 for none. */
	size_t (*memory)(const struct pb_arena *a, const void *known);

	/*
	 * A pose estimate was published, in whatever state the game is; memory
	 * is zero when a game starts, and this may come before any reset. NULL:
	 * not wanted. v->left means nothing here.
	 */
	void (*hear)(void *mem, const void *known, const struct pb_view *v);

	/* A new round begins: forget the last. v->left is complete. */
	void (*reset)(void *mem, const void *known, const struct pb_view *v);

	/*
	 * Decide. *out is PB_KEEP on entry, v_max, nav2's localization;
	 * out->way may point into mem.
	 */
	void (*decide)(void *mem, const void *known, const struct pb_view *v,
	    struct pb_answer *out);
};

#endif
