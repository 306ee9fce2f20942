/* program.h - programs that play: processes, and bodies that are asked. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "io/opt/opt.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"
#include "pb/seen.h"

/* The longest answer (bytes). */
#define PB_AGENT_LINE 4096

/* A zeroed agent is none. It belongs to one thread. */
struct pb_agent {
	pid_t pid; /* leads a process group of its own; 0: none */
	int to, from;
	double patience; /* for an answer (s) */
	char line[PB_AGENT_LINE];
	size_t len;  /* bytes in line[] */
	size_t used; /* of the answer before, to be dropped */
	bool skips;  /* lines that are too long are no answers: drop them */
	bool inside; /* of such a line */
};

/*
 * What is given is NAME=COMMAND or a command alone. A name has letters, digits,
 * '-', '_', '.', not all of them capitals: DEBUG=1 is an assignment of sh(1).
 * A command without a name is named after itself, without the folders of
 * its words; a long one ends with a hash in place of its end.
 */
const char *pb_agent_command(const char *given);
void pb_agent_name(const char *given, char *name, size_t size);

/* The outside programs of a game, as they were given; zeroed: none. */
struct pb_agent_outside {
	const char *player;       /* plays, or chooses; NULL: none */
	struct pb_opt_list ghost; /* move the first ghosts */
};

/* Name them in a result that is filled in otherwise. x: NULL is none. */
void pb_agent_credit(const struct pb_agent_outside *x, struct pb_trial *r);

/* Start sh -c command. False: the system failed, and it was said. */
bool pb_agent_start(struct pb_agent *a, const char *command, double patience);

/*
 * Send text of whole lines; only the last one may be a question. If it skips
 * lines, those that it says until it has read all may be dropped.
 *
 * Returns  false and bad: it has gone, or did not read for `patience`; or the
 *          text is short, and none of it was sent
 */
bool pb_agent_tell(
    struct pb_agent *a, const struct pb_text *o, struct pb_error *bad);

/*
 * Wait for its next line.
 *
 * Returns  the line without its end, of *n bytes, good until the next call;
 *          NULL and bad: it has ended, took too long, or the line is too long
 */
const char *pb_agent_answer(
    struct pb_agent *a, size_t *n, struct pb_error *bad);

/* Kill its group at once; then it is none. */
void pb_agent_kill(struct pb_agent *a);

/* Close its input, give it half a second to end, then kill its group. */
void pb_agent_end(struct pb_agent *a);

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
