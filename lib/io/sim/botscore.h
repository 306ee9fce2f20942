/* botscore.h - who chooses the pellets of a pacmanbot game, as a program. */
#ifndef PB_IO_SIM_BOTSCORE_H
#define PB_IO_SIM_BOTSCORE_H

#include <stdbool.h>

#include "io/sim/agent.h"
#include "io/stream/text.h"
#include "io/sim/trace.h"

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
