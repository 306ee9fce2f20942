/* node_programs.h - programs in the places of nodes of a game on a map: the
 * ghosts', and the planner's that chooses the next pellet. */
#pragma once

#include <stdbool.h>

#include "io/play/agent.h"
#include "io/play/trace.h"
#include "io/stream/text.h"
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
 * Given    m     where the game is played, kept
 *          id    of its pellets, NULL: 0..n-1; kept
 *          body  PB_BODIES agents, those that were started told the map; kept
 */
void pb_nodes_begin(struct pb_nodes *p, const struct pb_game *game,
    const struct pb_map *m, const long *id, struct pb_agent *body);
void pb_nodes_end(struct pb_nodes *p);

/* A game is about to start; state is kept. False: there is no memory. */
bool pb_nodes_reset(struct pb_nodes *p, const void *state);

/* For a crew: let the planner hear, and choose; let a ghost move. False with
 * bad filled in: that program cannot go on. */
bool pb_nodes_tell(
    struct pb_nodes *p, const struct pb_news *n, struct pb_error *bad);
bool pb_nodes_choose(struct pb_nodes *p, const unsigned char *left,
    struct pb_answer *out, struct pb_error *bad);
bool pb_nodes_place(struct pb_nodes *p, const struct pb_ghost_news *n,
    struct pb_vec *at, struct pb_error *bad);
