/* scene_builder.h - a scene from the records of a stream. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "io/rec/rec.h"
#include "view/scene.h"

/*
 * Feed records in the order in which they come; the scene is then the state
 * after the last of them, with the ways that led there. A zeroed struct with
 * `scene` set is ready.
 *
 * A pose without an id is the robot's. Where both the truth and estimates of
 * one body come, the body goes where the truth is and the estimates are a
 * body named "estimate". A board of cells becomes a map with one cell a cell.
 *
 * A body that has had a pose of its own is where poses say; the cells in tick
 * records place those that have none.
 *
 * A scan lies where its body is said to be at that time: by a pose of its own,
 * even if that comes later; else by the true pose; else where it was last.
 */
struct pb_scene_builder {
	struct pb_scene *scene;
	struct pb_rec_state state; /* latest */
	bool has_state;
	char outcome[PB_REC_WORD];        /* of the latest result, "" if none */
	int pellets;                      /* collected, of it */
	int total;                        /* of it */
	bool reset;                       /* at this time all began anew */
	bool reach;                       /* there is a cell to be reached */
	double cell;                      /* of a board (m), 0: its own */
	double side;                      /* of the present one (m) */
	int columns, rows;                /* of the board of cells, 0: none */
	long level;                       /* of a game with some, else < 2 */
	bool ticks;                       /* times count ticks of a game */
	bool posed[PB_SCENE_BODIES + 1];  /* a pose of that body was seen */
	bool truth[PB_SCENE_BODIES + 1];  /* the same of a true one */
	double last[PB_SCENE_BODIES + 1]; /* time of each body's pose (s) */
	const struct pb_body *scanner;    /* whose the last scan is */
	double scan_t;                    /* its time (s) */
	struct pb_pose scan_from;         /* where it lies */
};

/* The types of records that matter. */
extern const uint64_t pb_scene_wants;

/*
 * Take one record.
 *
 * Returns  true; a map is taken out of r. False with bad filled in: the
 *          record cannot be drawn
 */
bool pb_scene_build(
    struct pb_scene_builder *f, struct pb_rec *r, struct pb_error *bad);

/* Write time, state and result into the scene's caption. */
void pb_scene_build_caption(struct pb_scene_builder *f);

/* The board: walls as a map, pellets, where bodies begin. */
bool pb_scene_build_maze(
    struct pb_scene_builder *f, const struct pb_maze *z, struct pb_error *bad);

/* The state after a step: bodies, and the pellet that the player is on. */
void pb_scene_build_tick(struct pb_scene_builder *f, const struct pb_seen *k);
