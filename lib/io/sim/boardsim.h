/* boardsim.h - what pb-sim is to do with a game on a board, whichever. */
#ifndef PB_IO_SIM_BOARDSIM_H
#define PB_IO_SIM_BOARDSIM_H

#include <stdint.h>

#include "io/opt/opt.h"
#include "io/sim/agent.h"
#include "io/sim/cues.h"
#include "io/sim/pilot.h"
#include "io/sim/senses.h"

struct pb_boardsim {
	const char
	    *board; /* name or file, NULL: the usual board of the rules */
	uint64_t seed, trial;
	const struct pb_pilot *pilot; /* who steers instead, NULL: nobody */
	const struct pb_senses_opts *senses;    /* checked; NULL: none */
	const struct pb_cues_opts *cues;        /* checked */
	const struct pb_agent_outside *outside; /* programs, NULL: none */
	const struct pb_opt_common *common;
	struct pb_maze *maze; /* NULL, or for the board, rows 0 without, ... */
	struct pb_heat *heat; /* ... and where the player was on it */
};

#endif
