/* pacgame.h - a match of Pacbot being played: what pacplay.c does with it. */
#ifndef PB_IO_SIM_PACGAME_H
#define PB_IO_SIM_PACGAME_H

#include "io/sim/agent.h"
#include "io/sim/cues.h"
#include "io/sim/pacghost.h"
#include "io/sim/pacplay.h"
#include "io/sim/script.h"
#include "pb/drive.h"

/* A match being played; it is not moved while it is open. */
struct pb_pacgame {
	const struct pb_pacsim *p;
	const struct pb_maze *z;
	struct pb_match match;
	const struct pb_bot *bot; /* who decides, if no agent does */
	void *mem;                /* of the bot; owned */
	struct pb_agent agent;
	struct pb_pacghosts ghosts; /* those that are programs */
	struct pb_text ask;         /* for the agent */
	struct pb_moves moves;      /* of a script */
	size_t move;                /* of them, the next */
	bool scripted;
	enum pb_dir stick; /* of the pilot */
	bool left;         /* he has had enough */
	struct pb_text *out;
	uint8_t shown[PB_PACBOT_FRAME]; /* the last state written */
	bool forfeit;
	struct pb_senses senses;
	struct pb_cell_motion hop; /* where the robot's body is */
	struct pb_cues cues;
	struct pb_pacbot was; /* a tick ago */
};

/*
 * Memory for a match; it keeps p, z, b and o. False: there is none, which was
 * said. To be closed in any case.
 */
bool pb_pacgame_open(struct pb_pacgame *g, const struct pb_pacsim *p,
    const struct pb_maze *z, const struct pb_match_board *b, struct pb_text *o);
void pb_pacgame_close(struct pb_pacgame *g);

/*
 * Begin, as p says: false if the system failed, which was said. Let a tick
 * pass: false if the match is over. Write the result.
 */
bool pb_pacgame_begin(struct pb_pacgame *g);
bool pb_pacgame_step(struct pb_pacgame *g);
void pb_pacgame_result(struct pb_pacgame *g);

#endif
