/* score_planner.h - what the planner of a game knows, from records. */
#pragma once

#include <stdbool.h>

#include "game/score.h"
#include "io/rec/rec.h"

/* Set robot, ghost, other, target and named; the rest zero. Map frame. */
struct pb_planner {
	const char *robot; /* id of its poses */
	const char *ghost;
	const char *other; /* robot poses of this source do not count */
	size_t n;          /* pellets of the last record */
	bool has_pellets;
	long *id; /* owned, as all room below */
	struct pb_vec *at;
	unsigned char *left;
	struct pb_score *score;
	struct pb_rec_score *row; /* room for a scored record */
	bool has_robot;
	struct pb_scene scene;
	struct pb_closing closing;
	long target; /* place in id[], -1: none */
	long named;  /* id of the last target written, -1: none */
	bool off;    /* a cmd said so */
};

void pb_planner_clear(struct pb_planner *p);

/* A new set of pellets; a target that is still there stays. False: no memory,
 * which was said. */
bool pb_planner_pellets(struct pb_planner *p, const struct pb_rec_pellets *r);

/* The commands that the published planner obeys. False with bad filled in. */
bool pb_planner_cmd(
    struct pb_planner *p, const struct pb_rec_cmd *c, struct pb_error *bad);

/* What navigation says of the robot's goals: that is the target now, or it is
 * none any more. */
void pb_planner_goal(
    struct pb_planner *p, struct pb_stamp s, const struct pb_rec_goal *g);

/* A pose of the ghost or the robot; returns whether it was the robot's. */
bool pb_planner_pose(
    struct pb_planner *p, struct pb_stamp s, const struct pb_rec_pose *r);

/*
 * A first target, another, or the same.
 *
 * Returns  why in a word, static storage; *threat: whether the ghost is one
 */
const char *pb_planner_choose(
    struct pb_planner *p, const struct pb_score_opts *o, bool *threat);
