/* program.h - bodies that are programs, asked when they have to decide. */
#ifndef PB_IO_PLAY_PROGRAM_H
#define PB_IO_PLAY_PROGRAM_H

#include "io/file/filter.h"
#include "io/sim/agent.h"
#include "pb/seen.h"

/*
 * Such a program reads the board, a maze record, then a tick record whenever
 * its body has to decide, and answers with a move. A ghost that has to draw
 * lots gets a draw record before that, and ticks without what the ghosts will
 * do next.
 */
struct pb_programs {
	struct pb_agent player, body[PB_SEEN_BODIES];
	const char *command;             /* of the player, NULL: none */
	const struct pb_opt_list *ghost; /* of the other bodies, or NULL */
	struct pb_text ask;
	long decisions; /* that the player was asked */
};

/* Start the programs that there are commands for. False: it was said. */
bool pb_programs_begin(struct pb_programs *p, const char *command,
    const struct pb_opt_list *ghost, double patience, const struct pb_maze *z);

/* End them; `forfeit`: the player has failed and is not looked at. */
void pb_programs_end(struct pb_programs *p, bool forfeit);

/* Ask the player what it does at time t, as it sees k. False: it was said. */
bool pb_programs_ask(
    struct pb_programs *p, double t, struct pb_seen *k, enum pb_dir *d);

/*
 * Ask body i (0..) behind the player's, called `name`, which of `ways` it
 * takes.
 *
 * Given    drawn  lot that it draws, -1: none
 * Returns  false: it was said
 */
bool pb_programs_turn(struct pb_programs *p, const char *name, double t, int i,
    struct pb_seen *k, unsigned ways, int drawn, enum pb_dir *d);

/* The first of `ways`, which are some. */
enum pb_dir pb_programs_first(unsigned ways);

/* The direction of a move record, -1: bad says what is wrong with it. */
int pb_move_dir(const struct pb_rec_move *m, struct pb_error *bad);

#endif
