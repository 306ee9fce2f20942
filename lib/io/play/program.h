/* program.h - programs in the places of bodies that are asked: for a move on a
 * board, or in the places of nodes of a game on a map. */
#pragma once

#include <stdbool.h>

#include "io/play/agent.h"
#include "io/play/trace.h"
#include "io/stream/line.h"
#include "pb/game.h"
#include "pb/map.h"

/*
 * All read the map, and a reset record before each game. A ghost reads what it
 * has to know: state records, cmd records to it, estimated poses of the robot.
 * It answers with its pose after its commands reset_ghosts and spawn, and when
 * the time of the records comes to the end of a period of the ghosts, where
 * there is a state in any case.
 *
 * The planner reads what the published node hears: cmd records of the
 * controller, goals and how they ended, estimated poses of the robot, poses of
 * the ghosts. When it has to choose it reads the pellets that are left and a
 * cmd record "choose" to "planner"; it answers with a target record of that
 * time, without a pellet if there is none to go to.
 *
 * Whatever else they write is passed over. What they are told has all digits,
 * so if their answers have them, their game is the one without programs.
 */
struct pb_node_program {
	struct pb_agent *agent; /* started; NULL: no program */
	struct pb_text ask;
	long told; /* lines since its last answer */
};

struct pb_nodes {
	struct pb_node_program node[PB_BODIES]; /* [0]: the planner */
	const struct pb_map *map;               /* borrowed */
	const char *state;     /* the game's as the ghosts know it */
	struct pb_trace trace; /* to the planner */
};

/*
 * On a board a program reads the maze, then at the begin of each game a reset
 * record, then a tick record whenever its body has to decide, and answers with
 * a move. A ghost that has to draw lots gets a draw record before that, and
 * ticks without what the ghosts will do next. On a map see struct pb_nodes.
 */
struct pb_programs {
	const struct pb_game *game;
	const struct pb_outside *given;
	const void *state; /* of the game that is played */
	double patience;
	struct pb_agent body[PB_BODIES];
	struct pb_nodes nodes;
	struct pb_text ask;
	long decisions; /* that the player was asked in this game */

	bool failed;           /* one cannot go on: */
	int who;               /* its body */
	struct pb_error error; /* and why */
	struct pb_place at;    /* in what it said */
};

/*
 * Start the programs of bodies.
 *
 * Given    game, x, ground  kept, with what they point to
 *          id               of the pellets on a map, NULL: 0..n-1; kept
 * Returns  false: one cannot be started, as when it fails; for
 *          pb_programs_end in any case
 */
bool pb_programs_begin(struct pb_programs *p, const struct pb_game *game,
    const struct pb_outside *x, double patience, const struct pb_ground *ground,
    const long *id);

/* A game begins, trial `trial` of `seed`; its state is kept. */
void pb_programs_reset(
    struct pb_programs *p, const void *state, uint64_t seed, uint64_t trial);

/* End them, those that have failed at once. */
void pb_programs_end(struct pb_programs *p);

/* Whether there is a program of body i. */
bool pb_programs_have(const struct pb_programs *p, int i);

/* After a game: whether the player answered what nobody asked, so that it may
 * have played old moves. Then it has failed. */
bool pb_programs_eager(struct pb_programs *p);

/* Say why it failed, unless a signal asks us to end. */
void pb_programs_complain(const struct pb_programs *p);

/*
 * What a crew does by them, with the struct pb_programs as its ctx. Where one
 * fails, `failed` is set, and what is returned is some move.
 */
struct pb_crew pb_programs_crew(struct pb_programs *p);

/* The direction of a move record, -1: bad says what is wrong with it. */
int pb_move_dir(const struct pb_rec_move *m, struct pb_error *bad);
