/* node_programs.h - programs in the places of nodes of a game on a map: the
 * ghost's, and the planner's that chooses the next pellet. */
#ifndef PB_IO_PLAY_NODE_PROGRAMS_H
#define PB_IO_PLAY_NODE_PROGRAMS_H

#include <stdbool.h>

#include "io/play/program.h"
#include "io/play/trace.h"
#include "io/stream/text.h"
#include "pb/game.h"
#include "pb/map.h"

/*
 * The ghost reads the map, then what he has to know: state records, cmd
 * records to him, estimated poses of the robot. He answers with his pose after
 * his commands reset_ghosts and spawn, and when the time of the records comes
 * to the end of one of his periods, where there is a state in any case.
 *
 * The planner reads what the published node hears: cmd records of the
 * controller, goals and how they ended, estimated poses of the robot, poses of
 * the ghost. When it has to choose it reads the pellets that are left and a cmd
 * record "choose" to "planner"; it answers with a target record of that time,
 * without a pellet if there is none to go to.
 *
 * Whatever else they write is passed over. What they are told has all digits,
 * so if their answers have them, their game is the one without programs.
 */
struct pb_node_program {
	const char *command; /* NULL: no program */
	struct pb_agent agent;
	struct pb_text ask;
	long told; /* lines since its last answer */
};

struct pb_nodes {
	struct pb_node_program ghost, planner;
	const char *name;         /* of the ghost */
	const struct pb_map *map; /* borrowed */
	const char *state;        /* the game's as the ghost knows it */
	struct pb_trace trace;    /* to the planner */
	bool failed;              /* one cannot go on; that was said */
};

/*
 * Start the programs that there are commands for.
 *
 * Given    ghost, planner  commands, kept; NULL: none
 *          m               where the game is played, kept
 *          game, state     the game, not yet started; kept
 *          id              of its pellets, NULL: 0..n-1; kept
 * Returns  false: the system failed, and it was said; for pb_nodes_end in any
 *          case
 */
bool pb_nodes_begin(struct pb_nodes *p, const char *ghost, const char *planner,
    double patience, const struct pb_map *m, const struct pb_game *game,
    const void *state, const long *id);
void pb_nodes_end(struct pb_nodes *p);

/* For a crew: let the planner hear, and choose; let the ghost move. */
void pb_nodes_tell(struct pb_nodes *p, const struct pb_news *n);
void pb_nodes_choose(
    struct pb_nodes *p, const unsigned char *left, struct pb_answer *out);
void pb_nodes_place(
    struct pb_nodes *p, const struct pb_ghost_news *n, struct pb_vec *at);

#endif
