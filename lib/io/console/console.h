/* console.h - an operator's commands to one game of pb-sim, on a map. */
#pragma once

#include <signal.h>

#include "io/opt/opt.h"
#include "io/play/play.h"

/*
 * A line is a command and its arguments, separated by blanks; an empty line
 * and one that begins with # do nothing. Records go where the game's trace
 * goes; messages for people go to stderr.
 */
#define PB_CONSOLE_LINE 1024 /* longest line (bytes) */

/* What is carried out first, in the order of the command line. */
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

/* What the user wants. Nothing is owned. */
struct pb_console_opts {
	const struct pb_play_opts *play; /* but for `opts` and `pilot` */
	struct pb_set *set;              /* --set's, which `set` changes ... */
	const struct pb_set_group *constants; /* ... for the next game: these
	                                         of the rules */
	const struct pb_console_inputs *inputs;
	bool interactive; /* then commands from standard input */

	/* Draw records as a picture; NULL: not available. */
	void (*draw)(const char *records, size_t n);
};

/* A console; it writes the trace of its game. It belongs to one thread, and is
 * not moved while it is open. */
struct pb_console {
	const struct pb_console_opts *o;

	/* The game. */
	struct pb_play p;
	struct pb_play_opts play; /* as the game began */
	_Alignas(double) unsigned char opts[PB_RULES_OPTS]; /* the same */
	const struct pb_player *player; /* from the next restart on */

	/* The commands. */
	double speed; /* of runs, times real time; 0: as fast as can be */
	bool quit;
	volatile sig_atomic_t *asked; /* someone wants to stop a run, or NULL */
};

/* Check that standard input is used once at most: for commands, or for the map.
 * False: a message was printed. */
bool pb_console_check(
    const struct pb_console_opts *o, char *const *files, int n);

/* Play by the commands. Errors are printed. */
void pb_console_play(
    const struct pb_console_opts *o, char *const *files, int n);

/*
 * Read the map, of which records may be in the files, and begin.
 *
 * Returns  false: a message was printed; c is for pb_console_close in any case
 */
bool pb_console_open(struct pb_console *c, const struct pb_console_opts *o,
    char *const *files, int n);

/* Write what waits to be written, and play lights and sounds to their ends. */
void pb_console_leave(struct pb_console *c);
void pb_console_close(struct pb_console *c);

/*
 * Carry out a line.
 *
 * Given    n  its length; it may hold any bytes
 * Returns  false with bad filled in, and nothing changed, if it is refused
 */
bool pb_console_do(
    struct pb_console *c, const char *line, size_t n, struct pb_error *bad);

/* The state of the game and how it ended, "" if it has not, as words. */
const char *pb_console_state(const struct pb_console *c);
const char *pb_console_outcome(const struct pb_console *c);
