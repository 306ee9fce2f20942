/* console.h - an operator's commands to a game: the table, a line, its words.
 */
#pragma once

#include <signal.h>

#include "io/console/settings.h"
#include "io/console/stage.h"
#include "io/play/feedback_out.h"

/*
 * A line is a command and what it takes, separated by blanks; an empty line
 * and one that begins with # do nothing. Records go where the game's trace
 * goes; what is said to people goes to stderr.
 */
#define PB_CONSOLE_LINE  1024 /* longest line (bytes) */
#define PB_CONSOLE_UNDO  16   /* commands that can be taken back */
#define PB_CONSOLE_MARKS 32   /* snapshots with a name */

/* What completes a word behind a command. */
enum pb_console_words {
	PB_WORDS_NONE,
	PB_WORDS_COMMANDS,
	PB_WORDS_FILES,
	PB_WORDS_SETTINGS,
	PB_WORDS_KNOWN, /* names of numbers and states of the game */
	PB_WORDS_EVENTS,
	PB_WORDS_LIGHTS,
	PB_WORDS_SOUNDS,
	PB_WORDS_DANCES,
	PB_WORDS_DIRECTIONS,
	PB_WORDS_MARKS
};

/* What a command changes, and an undo takes back. */
enum pb_console_changes {
	PB_CHANGES_NOTHING,
	PB_CHANGES_GAME,
	PB_CHANGES_SETTINGS
};

/* How things were: the game with what it shows, or the settings. */
struct pb_console_past {
	void *game;                        /* owned, or NULL */
	struct pb_cues_copy cues;          /* with the game */
	struct pb_settings_copy *settings; /* owned, or NULL */
};

struct pb_console;
typedef bool pb_console_fn(
    struct pb_console *c, const char *arg, struct pb_error *bad);

/* One command of the table. */
struct pb_console_command {
	const char *name, *args; /* args "": it takes none */
	const char *help;        /* one line, no capital, no full stop */
	pb_console_fn *act;      /* given what is behind the name, or "" */
	enum pb_console_changes changes;
	bool kept; /* in a saved session */
	enum pb_console_words words;

	/* Of those that do the same with something else. */
	const char *cmd;         /* name of the cmd record */
	const char *what;        /* its value, for people */
	enum pb_stage_view view; /* what is written */
	enum pb_rec_type cue;    /* light, sound or motion */
};

struct pb_console_mark {
	char name[PB_REC_WORD];
	struct pb_console_past was;
};

struct pb_console {
	/* Set by the caller. */
	struct pb_stage stage;
	struct pb_settings *settings;
	struct pb_text *out; /* where the trace goes */
	/* Draw records for people; NULL: nobody can. */
	void (*draw)(const char *records, size_t n);
	const char *header; /* first line of a saved session, after "# " */

	/* Its own. */
	double speed; /* of runs, times real time; 0: as fast as can be */
	bool live;    /* time passes while it waits for a command */
	double due;   /* when the next step of that is (s); 0: unknown */
	bool quit;
	const struct pb_console_command *now; /* that is carried out */
	long steps; /* that the present command let pass */
	bool anew;  /* and whether it made the game begin */
	struct pb_console_past undo[PB_CONSOLE_UNDO]; /* oldest first */
	int undos;
	struct pb_console_mark mark[PB_CONSOLE_MARKS];
	int marks;
	struct pb_text session;       /* lines that made the game what it is */
	struct pb_cues cues;          /* of lights and sounds asked for, without
	                               * feedback of the game */
	int depth;                    /* of files that are being played */
	volatile sig_atomic_t *asked; /* someone wants to stop a run, or NULL */
};

/* Command i (0..), NULL past the last; the one of that name, NULL: none. */
const struct pb_console_command *pb_console_at(int i);
const struct pb_console_command *pb_console_find(const char *name);

/*
 * Carry out a line.
 *
 * Given    n  its length; it may hold any bytes
 * Returns  false with bad filled in, and nothing changed, if it is refused
 */
bool pb_console_do(
    struct pb_console *c, const char *line, size_t n, struct pb_error *bad);

/* Play the commands of a file, "-" for standard input; keep_going: also those
 * behind a refused one. False if one was refused, which was said. */
bool pb_console_file(struct pb_console *c, const char *path, bool keep_going);

/* What is to be carried out at first, in the order of the command line. */
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
/* Options for pb_opt; i: bool *, l: struct pb_console_inputs *. */
#define PB_OPT_CONSOLE(i, l)                                                \
	{"interactive", 'i', PB_OPT_FLAG, NULL,                             \
	    "be the operator: read commands from standard input", (i)},     \
	{"command", 'c', PB_OPT_CALL, "command",                            \
	    "carry out a command of the console", (l),                      \
	    .call = pb_console_add_line},                                   \
	{"script", 'f', PB_OPT_CALL, "file",                                \
	    "carry out the commands of a file", (l),                        \
	    .call = pb_console_add_file}
/* clang-format on */

/* Carry them out, as far as none is refused, or all; what is refused is said.
 */
void pb_console_play(
    struct pb_console *c, const struct pb_console_inputs *l, bool keep_going);

/* Let time pass in between two lines, until `now` of its clock (s). */
void pb_console_live(struct pb_console *c, double now);

/* Whether a run is to end, though there is more to play. */
bool pb_console_stopped(const struct pb_console *c);

/*
 * What may come next.
 *
 * Given    line  what there is of it, up to where a word begins
 *          i     0..
 * Returns  whether there is a word i, and it in out
 */
bool pb_console_word(const struct pb_console *c, const char *line, int i,
    char *out, size_t size);

/* Whether the name of a file may come next. */
bool pb_console_wants_file(const char *line);

void pb_console_clear(struct pb_console *c);

/* Commands for the table in console.c: console_time.c, console_look.c. */
pb_console_fn pb_console_step, pb_console_run, pb_console_speed, pb_console_go,
    pb_console_pause, pb_console_undo, pb_console_snapshot, pb_console_restart;
pb_console_fn pb_console_status, pb_console_put, pb_console_scores,
    pb_console_map, pb_console_set, pb_console_show, pb_console_save,
    pb_console_replay, pb_console_help, pb_console_quit, pb_console_start,
    pb_console_reset, pb_console_bare, pb_console_valued, pb_console_spawn,
    pb_console_event, pb_console_cue, pb_console_move;

/* What they share. */

/*
 * How things are: the game and what it shows, or the settings; forget it.
 * False: there is no memory.
 */
bool pb_console_keep(struct pb_console *c, enum pb_console_changes what,
    struct pb_console_past *p);
void pb_console_forget(struct pb_console_past *p);

/* Have p be the last thing that can be taken back. */
void pb_console_push(struct pb_console *c, struct pb_console_past p);

/* The value of what the game knows under that name; false: nothing. */
bool pb_console_known(
    const struct pb_console *c, const char *name, char *out, size_t size);

/* Arguments. False with bad filled in. */
bool pb_console_number(
    const char *arg, const char *what, double *v, struct pb_error *bad);

/* The first word of *at into out, *at behind it; false: there is none, or it
 * is too long. */
bool pb_console_take(const char **at, char *out, size_t size);

/* What lights and sounds go to: those of the game if it shows any. */
struct pb_cues *pb_console_ring(struct pb_console *c);

/* Write what lights, sounds and motions are due. */
void pb_console_cues(struct pb_console *c);

/* The game cannot do that. */
bool pb_console_cannot(const struct pb_console *c, struct pb_error *bad);
