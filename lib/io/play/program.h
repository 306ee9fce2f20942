/* program.h - programs in the places of bodies that are asked: for a move on a
 * board, or in the places of nodes of a game on a map. */
#pragma once

#include <stdbool.h>

#include "io/play/agent.h"
#include "io/play/node_programs.h"

/*
 * On a board a program reads the maze, then at the begin of each game a reset
 * record, then a tick record whenever its body has to decide, and answers with
 * a move. A ghost that has to draw lots gets a draw record before that, and
 * ticks without what the ghosts will do next. On a map see node_programs.h.
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

/* A game begins, trial `trial` of `seed`; its state is kept. False as above. */
bool pb_programs_reset(
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
