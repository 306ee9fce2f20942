/* botghost.h - the ghost of a pacmanbot game as a program of its own. */
#ifndef PB_IO_SIM_BOTGHOST_H
#define PB_IO_SIM_BOTGHOST_H

#include <stdbool.h>

#include "game/pacmanbot/round.h"
#include "io/sim/agent.h"
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

#endif
