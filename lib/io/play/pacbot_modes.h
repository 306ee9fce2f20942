/* pacbot_modes.h - what pb-sim does with Pacbot beside playing a match. */
#ifndef PB_IO_PLAY_PACBOT_MODES_H
#define PB_IO_PLAY_PACBOT_MODES_H

#include "io/opt/opt.h"
#include "io/play/play.h"
#include "io/stream/error.h"
#include "pb/match.h"

/*
 * The game that r shows, at the place in its tick where commands come.
 *
 * Returns  false if r lacks something that this takes, or puts something
 *          where the board has a wall; bad says what
 */
bool pb_pactick_read(const struct pb_seen *r, const struct pb_pacbot_rules *k,
    struct pb_pacbot *s, struct pb_error *bad);

/*
 * Be a ghost that is asked (io/play/program.h): read standard input, write
 * moves.
 *
 * Given    name  one of pb_pacbot_ghost, or "blinky", "pinky", "inky", "clyde"
 * Returns  false if there is none of that name
 */
bool pb_pacghost_run(const char *name, const struct pb_opt_common *common);

/* One of the modes at most; none: play a match. */
struct pb_pacsim_opts {
	bool replay;       /* read recordings, test our engine */
	bool conform;      /* read recordings, test the engine that made them */
	int record;        /* iterations to record, 0: record nothing */
	double odd;        /* chance of an odd command in a recording */
	bool wire;         /* play, and write the server's frames */
	bool from_wire;    /* read frames, write ticks */
	bool answer;       /* read ticks, write moves */
	bool serve;        /* be the server: read commands, write frames */
	bool client;       /* be its client: read frames, write commands */
	bool referee;      /* of the server or client: press play */
	bool lockstep;     /* they wait for each other, not for the clock */
	double speed;      /* of the server, times real time */
	const char *agent; /* program that plays, NULL: none */
	struct pb_opt_list ghost; /* programs that move ghosts */
	double patience;          /* for its answers (s) */
	double heading;           /* at which the robot is held (rad) */
};

struct pb_pacsim_opts pb_pacsim_defaults(void);

/* clang-format off */
/* Options for pb_opt; o: struct pb_pacsim_opts *, g: const char ** given. */
#define PB_OPT_PACSIM(o, g)                                                 \
	{"replay", 0, PB_OPT_FLAG, NULL,                                    \
	    "play recorded games and compare every field",                  \
	    &(o)->replay, .given = (g)},                                    \
	{"conform", 0, PB_OPT_FLAG, NULL,                                   \
	    "judge recordings of another engine",                           \
	    &(o)->conform, .given = (g)},                                   \
	{"record", 0, PB_OPT_INT, "n", "record a game of n iterations",     \
	    &(o)->record, .min = 1, .max = 100000000, .given = (g)},        \
	{"odd", 0, PB_OPT_NUM, "share",                                     \
	    "with --record: chance of an odd command an iteration",         \
	    &(o)->odd, .min = 0, .max = 1, .given = (g)},                   \
	{"wire", 0, PB_OPT_FLAG, NULL,                                      \
	    "write the frames of the match, as the server would",           \
	    &(o)->wire, .given = (g)},                                      \
	{"from-wire", 0, PB_OPT_FLAG, NULL,                                 \
	    "read frames of a server and write tick records",               \
	    &(o)->from_wire, .given = (g)},                                 \
	{"agent", 0, PB_OPT_TEXT, "command",                                \
	    "let a program play: it reads ticks and writes moves",          \
	    &(o)->agent},                                     \
	{"ghost", 0, PB_OPT_LIST, "command",                                \
	    "let a program move a ghost; again for the next one",           \
	    &(o)->ghost},                                                   \
	{"patience", 0, PB_OPT_NUM, "s",                                    \
	    "for an answer of a program that plays",           \
	    &(o)->patience, .min = 0.001, .max = 86400},                    \
	{"heading", 0, PB_OPT_NUM, "rad",                                   \
	    "with --sensors: at which the robot is held",                   \
	    &(o)->heading, .min = -7, .max = 7, .given = (g)},              \
	{"answer", 0, PB_OPT_FLAG, NULL,                                    \
	    "be an agent: read ticks, write the moves of the player",       \
	    &(o)->answer, .given = (g)},                                    \
	{"serve", 0, PB_OPT_FLAG, NULL,                                     \
	    "be the server: read commands, write frames in real time",      \
	    &(o)->serve, .given = (g)},                                     \
	{"client", 0, PB_OPT_FLAG, NULL,                                    \
	    "be a client: read frames, write the player's commands",        \
	    &(o)->client, .given = (g)},                                    \
	{"referee", 0, PB_OPT_FLAG, NULL,                                   \
	    "with --serve, --client: press play at every pause",            \
	    &(o)->referee, .given = (g)},                                   \
	{"lockstep", 0, PB_OPT_FLAG, NULL,                                  \
	    "with --serve, --client: a command answers each frame",         \
	    &(o)->lockstep, .given = (g)}
/* clang-format on */

struct pb_pacsim {
	const struct pb_pacsim_opts *o;
	const struct pb_match_opts *game;
	const struct pb_play_opts *play; /* the match */
};

/*
 * Whether o makes sense together with the options given by name, n operands,
 * and with sensors if there are any; if not it was said.
 */
bool pb_pacsim_check(const struct pb_pacsim_opts *o,
    const struct pb_opt_names *given, int n, bool sensors);

/* Whether o is a match in records between somebody here and the ghosts. */
bool pb_pacsim_match(const struct pb_pacsim_opts *o);

/* Whether something else is to be done than to play a match. */
bool pb_pacsim_other(const struct pb_pacsim_opts *o);

/* Do it. What goes wrong is said. */
void pb_pacsim_run(const struct pb_pacsim *p, char *const *files, int n);

/* Write the frame of a match, for pb_play_opts. */
void pb_pacsim_frame(const void *state);

/*
 * Be the player of somebody's --agent: read tick records from the files,
 * answer each with a move.
 */
void pb_pacsim_answer(const struct pb_pacsim *p, const struct pb_match_board *b,
    char *const *files, int n);

#endif
