/* score_planner.h - what the planner of a game knows, from records. */
#pragma once

#include <stdbool.h>

#include "game/score.h"
#include "io/opt/opt.h"
#include "io/rec/rec.h"

/* Ids of ghosts, of which the nearest counts; of equals the first one. */
#define PB_PLANNER_GHOSTS 8
struct pb_planner_ghosts {
	char id[PB_PLANNER_GHOSTS][PB_OPT_ID_MAX + 1];
	int n;
};

/* Set robot, ghosts, other, target and named; the rest zero. Map frame. */
struct pb_planner {
	const char *robot; /* id of its poses */
	const struct pb_planner_ghosts *ghosts;
	const char *other; /* robot poses of this source do not count */
	struct pb_vec ghost[PB_PLANNER_GHOSTS];
	unsigned known;  /* bit i: ghost i had a pose */
	unsigned fresh;  /* and one since they were looked at, */
	double ghosts_t; /* all with this stamp (s) */
	size_t n;        /* pellets of the last record */
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

/* Read ids separated by commas: false with bad filled in. */
bool pb_planner_ids(
    struct pb_planner_ghosts *g, const char *ids, struct pb_error *bad);

/* The number of a ghost, -1: there is none of that id. */
int pb_planner_ghost(const struct pb_planner_ghosts *g, const char *id);

/* A new set of pellets; a target that is still there stays. */
void pb_planner_pellets(struct pb_planner *p, const struct pb_rec_pellets *r);

/* The commands that the published planner obeys. False with bad filled in. */
bool pb_planner_cmd(
    struct pb_planner *p, const struct pb_rec_cmd *c, struct pb_error *bad);

/* What navigation says of the robot's goals: that is the target now, or it is
 * none any more. */
void pb_planner_goal(
    struct pb_planner *p, struct pb_stamp s, const struct pb_rec_goal *g);

/* A pose of a ghost or the robot; returns whether it was the robot's. */
bool pb_planner_pose(
    struct pb_planner *p, struct pb_stamp s, const struct pb_rec_pose *r);

/*
 * A first target, another, or the same.
 *
 * Returns  why in a word, static storage; *threat: whether the ghost is one
 */
const char *pb_planner_choose(
    struct pb_planner *p, const struct pb_score_opts *o, bool *threat);
