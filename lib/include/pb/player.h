/* player.h - the interface of players: the next move, in any game. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pb/geom.h"
#include "pb/status.h"
#include "pb/maze.h"
#include "pb/weights.h"
#include "pb/decls.h"

PB_BEGIN_DECLS

/*
 * A player is asked when the body that it plays has to decide. It sees a view
 * of its game: struct pb_view of pacmanbot, pb_bot_view of pacbot,
 * pb_roomba_view, pb_zumy_view; the view and what it points to live for the
 * call. It answers with a direction in games on cells, else with a goal.
 *
 * Its memory is one flat block without pointers into itself, so that copying
 * what lasts of it is a snapshot.
 */
enum pb_answer_kind {
	PB_KEEP,      /* go on with what is active */
	PB_GO_PELLET, /* navigate to a pellet */
	PB_GO_POINT,  /* navigate to a point */
	PB_GO_PATH,   /* follow way-points, walls avoided, Clyde not */
	PB_STOP       /* cancel the goal and stand still */
};

struct pb_answer {
	enum pb_dir dir; /* games on cells; PB_STAY: stand */

	enum pb_answer_kind kind;
	int pellet;       /* index in the arena; PB_GO_PELLET */
	struct pb_vec at; /* PB_GO_POINT */
	const struct pb_vec
	    *way;       /* PB_GO_PATH: way-points from the robot's place on */
	int ways;       /* 1..PB_WAYS */
	double speed;   /* speed limit (m/s); 0: v_max */
	bool localizes; /* steer by odom_in_map instead of nav2's pose */
	struct pb_pose odom_in_map; /* pose of the odometry frame in the map */
};

#define PB_WAYS 4096 /* way-points of one path; the rest is cut off */

struct pb_player {
	const char *name;
	const char *summary; /* one line, no stop */
	double period;       /* of pacmanbot: between decisions (s); 0: its
	                        planner_period */
	bool foresees;       /* of pacmanbot: it may see the truth and what
	                        Clyde will do; no robot can */

	/* The weights that a trained player needs in the options
	 * (pb_game.weights). NULL: it is not trained. */
	const struct pb_weights_plan *weights;

	/* Compute what games on one world share; threads share it. NULL:
	 * nothing. *model is for forget(); untouched on failure. */
	enum pb_status (*learn)(
	    const void *world, const void *opts, void **model);
	void (*forget)(void *model);

	/* Bytes of memory that one game needs. NULL: none. */
	size_t (*memory)(
	    const void *world, const void *opts, const void *model);

	/* Leading bytes that last from decision to decision; the rest is
	 * work space, which copies leave out. 0: all last. */
	size_t lasting;

	/*
	 * Of pacmanbot: a pose estimate was published, in any state of the
	 * game; memory is zero when a game starts, and this may come before any
	 * reset. view->left means nothing here. NULL: not wanted.
	 */
	void (*see_estimate)(void *mem, const void *model, const void *view);

	/* A new game or round begins. NULL: not wanted. */
	void (*reset)(void *mem, const void *model, const void *view);

	/* Decide by the view alone, in games on cells. NULL: decide(). */
	enum pb_dir (*choose)(const void *view);

	/* Decide. *out is PB_STAY, PB_KEEP, v_max and nav2's localization on
	 * entry; out->way may point into mem. */
	void (*decide)(void *mem, const void *model, const void *view,
	    struct pb_answer *out);
};

/* Bytes of p's memory of size `bytes` that a copy of a game includes. */
static inline size_t
pb_player_lasting(const struct pb_player *p, size_t bytes)
{
	return p->lasting ? p->lasting : bytes;
}

PB_END_DECLS
