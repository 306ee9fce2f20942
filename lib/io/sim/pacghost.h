/* pacghost.h - ghosts of a Pacbot match as programs of their own. */
#ifndef PB_IO_SIM_PACGHOST_H
#define PB_IO_SIM_PACGHOST_H

#include "io/opt/opt.h"
#include "io/sim/agent.h"
#include "io/stream/text.h"
#include "pb/match.h"

/*
 * The match and its ghosts: each program reads the maze, then, whenever its
 * ghost has to decide where to turn after the cell that it is about to enter, a
 * tick without the ghosts' plans, and answers with a move. A frightened ghost
 * turns by a draw of the match: it comes before the tick, as a draw record.
 */
struct pb_pacghosts {
	const struct pb_opt_list *command; /* in the ghosts' order */
	const struct pb_maze *z;
	const struct pb_match *match;
	struct pb_agent agent[PB_ARCADE_GHOSTS];
	struct pb_text ask;
	bool failed; /* one cannot go on; it was said */
};

/* "red", "pink", "cyan", "orange". */
extern const char *const pb_pacghost_name[PB_ARCADE_GHOSTS];

/* Start the programs and have the match ask them. False: it was said. */
bool pb_pacghosts_begin(struct pb_pacghosts *g,
    const struct pb_opt_list *command, double patience, const struct pb_maze *z,
    struct pb_match *match);
void pb_pacghosts_end(struct pb_pacghosts *g);

/*
 * Be such a ghost: read standard input, write moves.
 *
 * Given    name  one of those above, or "blinky", "pinky", "inky", "clyde"
 * Returns  false if there is none of that name
 */
bool pb_pacghost_run(const char *name, const struct pb_opt_common *common);

#endif
