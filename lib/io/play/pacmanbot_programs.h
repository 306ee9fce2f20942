/* pacmanbot_programs.h - the ghost and the scores of a pacmanbot game as
 * programs of their own. */
#ifndef PB_IO_PLAY_PACMANBOT_PROGRAMS_H
#define PB_IO_PLAY_PACMANBOT_PROGRAMS_H

#include <stdbool.h>

#include "game/pacmanbot/round.h"
#include "io/play/program.h"
#include "io/play/pacmanbot_trace.h"
#include "io/stream/text.h"
#include "pb/map.h"

/*
 * The program reads the map, then what Clyde has to know: state records, cmd
 * records to him, estimated poses of the robot. It answers with a pose of
 * "clyde" after his commands reset_ghosts and spawn, and when the time of the
 * records comes to the end of one of his periods, where there is a state in any
 * case. Whatever else it writes is passed over. What it is told has all digits,
 * so if its answers have them, its game is the one with a Clyde inside.
 */
struct pb_botghost {
	const char *command;
	const struct pb_map *map; /* borrowed */
	struct pb_agent agent;
	struct pb_text ask;
	const char *state; /* the game's, static storage */
	bool failed;       /* it cannot go on; that was said */
};

/*
 * Start the program and let it move the Clyde of r; g, m and command outlive
 * that. For pb_botghost_end in any case; a zeroed one is fine.
 *
 * Returns  false: the system failed, and it was said
 */
bool pb_botghost_begin(struct pb_botghost *g, const char *command,
    double patience, const struct pb_map *m, struct pb_round *r);
void pb_botghost_end(struct pb_botghost *g);

/*
 * The program reads what the planner's node hears: the controller's cmd
 * records, goals and how they ended, estimated poses of the robot, poses of
 * Clyde. When the planner's timer has to choose it reads the pellets that are
 * left and a cmd record "choose" to "planner"; it answers with a target record
 * of that time, without a pellet if there is none to go to. Whatever else it
 * writes is passed over. What it is told has all digits.
 */
struct pb_botscore {
	const char *command;
	const struct pb_arena *arena; /* borrowed */
	const long *id;               /* of its pellets, NULL: 0..n-1 */
	struct pb_agent agent;
	struct pb_text ask;
	struct pb_trace trace;        /* into ask */
	struct pb_rec_pellet *pellet; /* room for all, owned */
	long told;                    /* lines since its last answer */
	bool failed;                  /* it cannot go on; that was said */
};

/*
 * Start the program and let it choose in r. Arena, ids and command outlive
 * that. For pb_botscore_end in any case; a zeroed one is fine.
 *
 * Returns  false: the system failed, and it was said
 */
bool pb_botscore_begin(struct pb_botscore *b, const char *command,
    double patience, const struct pb_arena *a, const long *id,
    struct pb_round *r);
void pb_botscore_end(struct pb_botscore *b);

#endif
