/* agent.h - outside programs: processes that read lines and answer. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "io/opt/opt.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "pb/game.h"

/* The longest answer (bytes). */
#define PB_AGENT_LINE 4096

/* Why one cannot go on: the word of the trial that it ends. */
enum pb_agent_fault {
	PB_AGENT_FINE,
	PB_AGENT_LATE,    /* it took too long */
	PB_AGENT_GARBLED, /* it said what is no answer */
	PB_AGENT_ENDED    /* it has gone, or could not be started */
};
const char *pb_agent_fault_name(enum pb_agent_fault f);

/* A zeroed agent is none. It belongs to one thread. */
struct pb_agent {
	pid_t pid; /* leads a process group of its own; 0: none */
	enum pb_agent_fault fault;
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

/* Rows of pb_opt: programs as they are given into a struct pb_opt_list, and how
 * long to wait for them (s). */
#define PB_OPT_AGENTS(list, patience_)                              \
	{"agent", 0, PB_OPT_LIST, "command",                        \
	    "a program that plays; BODY:... is that body", (list)}, \
	{                                                           \
		.name = "patience", .kind = PB_OPT_NUM, .arg = "s", \
		.help = "for an answer of a program that plays",    \
		.to = (patience_), .min = 0.001, .max = 86400       \
	}

/* The outside programs of a game, as they were given; zeroed: none. */
struct pb_outside {
	const char *body[PB_BODIES]; /* NULL: none; [0] is the player's, or who
	                                chooses for it */
};

/*
 * Add one as it is given: [BODY:][NAME=]COMMAND, where BODY is an id of a body
 * of g; without, it plays.
 *
 * Returns  false and bad: another game's body, or it has one, or no command
 */
bool pb_outside_add(struct pb_outside *x, const struct pb_game *g,
    const char *given, struct pb_error *bad);

/* Whether there is one of body 1 or later. */
bool pb_outside_ghosts(const struct pb_outside *x);

/* Name them in a result that is filled in otherwise. x: NULL is none. */
void pb_outside_credit(
    const struct pb_outside *x, const struct pb_game *g, struct pb_trial *r);

/*
 * Start sh -c command.
 *
 * Returns  false and bad: the system failed; errno says why
 */
bool pb_agent_start(struct pb_agent *a, const char *command, double patience,
    struct pb_error *bad);

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

/* Whether answers came that nobody has asked for. */
bool pb_agent_unread(const struct pb_agent *a);

/* Kill its group at once; then it is none. */
void pb_agent_kill(struct pb_agent *a);

/* Close its input, give it half a second to end, then kill its group. */
void pb_agent_end(struct pb_agent *a);
