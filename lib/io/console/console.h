/* console.h - an operator's commands to a game of pb-sim on a map. */
#pragma once

#include <signal.h>

#include "io/opt/opt.h"
#include "io/play/play.h"

/*
 * A line is a command and its arguments, separated by blanks; an empty line
 * and one that begins with # do nothing. Records go where the game's trace
 * goes; messages for people go to stderr.
 */
#define PB_CONSOLE_LINE 1024 /* bytes of the longest line */

/* Commands done first, in the order of the command line. */
#define PB_CONSOLE_INPUTS 64
struct pb_console_input {
	const char *text; /* a line, or the name of a file */
	bool file;
};
struct pb_console_inputs {
	struct pb_console_input input[PB_CONSOLE_INPUTS];
	int n;
};

/* For PB_OPT_CALL; to: struct pb_console_inputs *. */
bool pb_console_add_line(void *to, const char *arg, struct pb_error *bad);
bool pb_console_add_file(void *to, const char *arg, struct pb_error *bad);

/* clang-format off */
/* Options for pb_opt; i: bool *, l: struct pb_console_inputs * */
#define PB_OPT_CONSOLE(i, l)                                                \
	{"interactive", 'i', PB_OPT_FLAG, NULL,                             \
	    "be the operator: read commands from standard input", (i)},                                                  \
	{"command", 'c', PB_OPT_CALL, "command",                            \
	    "carry out a command of the console", (l),                      \
	    .call = pb_console_add_line},                     \
	{"script", 'f', PB_OPT_CALL, "file",                                \
	    "carry out the commands of a file", (l),                        \
	    .call = pb_console_add_file}
/* clang-format on */

/* What to play. Nothing is owned. */
struct pb_console_opts {
	const struct pb_play_opts *play; /* but for its opts and pilot */
	struct pb_set *set; /* of --set, which the command `set` changes ... */
	const struct pb_set_group *constants; /* ... for the next game */
	const struct pb_console_inputs *inputs;
	bool interactive; /* then read commands from stdin */

	/* Draw records as a picture; NULL: not available. */
	void (*draw)(const char *records, size_t n);
};

/* A console; writes the trace of its game. It belongs to one thread, and must
 * not move while it is open. */
struct pb_console {
	const struct pb_console_opts *o;

	/* The game. */
	struct pb_play p;
	struct pb_play_opts play; /* options of the current game */
	_Alignas(double) unsigned char opts[PB_RULES_OPTS]; /* its constants */
	const struct pb_player *player; /* after the next restart */

	/* The commands. */
	double speed; /* of runs, times real time; 0: without waiting */
	bool quit;
	volatile sig_atomic_t *asked; /* set to stop a run, or NULL */
};

/* Check that standard input is used at most once: for commands or the map.
 * False: a message was printed. */
bool pb_console_check(
    const struct pb_console_opts *o, char *const *files, int n);

/* Play by commands. Errors are printed. */
void pb_console_play(
    const struct pb_console_opts *o, char *const *files, int n);

/*
 * Read the map, maybe from records of the files, and begin a game.
 *
 * Returns  false: a message was printed; call pb_console_close() in any case
 */
bool pb_console_open(struct pb_console *c, const struct pb_console_opts *o,
    char *const *files, int n);

/* Write pending records, and play lights and sounds to their ends. */
void pb_console_leave(struct pb_console *c);
void pb_console_close(struct pb_console *c);

/*
 * Do the command of a line.
 *
 * Given    n  bytes of the line, which may be any
 *
 * Returns  false with bad filled in, and nothing changed: refused
 */
bool pb_console_do(
    struct pb_console *c, const char *line, size_t n, struct pb_error *bad);

/* The state of the game, and how it ended ("": not yet), in words. */
const char *pb_console_state(const struct pb_console *c);
const char *pb_console_outcome(const struct pb_console *c);
