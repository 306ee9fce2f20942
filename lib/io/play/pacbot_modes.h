/* pacbot_modes.h - what pb-sim does with Pacbot beside playing a match. */
#pragma once

#include "pb/match.h"
#include "io/opt/opt.h"
#include "io/play/pacbot_server.h"

struct pb_pacsim_opts pb_pacsim_defaults(void);

/* clang-format off */
/* Options for pb_opt; o: struct pb_pacsim_opts *, g: const char ** given. */
#define PB_OPT_PACSIM(o, g)                                                 \
	{"replay", 0, PB_OPT_FLAG, NULL,                                    \
	    "play recorded games and compare every field",                  \
	    &(o)->replay, .given = (g)},                                    \
	{"wire", 0, PB_OPT_FLAG, NULL,                                      \
	    "write the frames of the match, as the server would",           \
	    &(o)->wire, .given = (g)},                                      \
	{"from-wire", 0, PB_OPT_FLAG, NULL,                                 \
	    "read frames of a server and write tick records",               \
	    &(o)->from_wire, .given = (g)},                                 \
	PB_OPT_AGENTS(&(o)->agents, &(o)->patience),                        \
	{"ghost", 0, PB_OPT_LIST, "command",                                \
	    "let a program move a ghost; again for the next one",           \
	    &(o)->ghost},                                                   \
	{"heading", 0, PB_OPT_NUM, "rad",                                   \
	    "with --sensors: at which the robot is held",                   \
	    &(o)->heading, .min = -7, .max = 7, .given = (g)},              \
	{"answer", 0, PB_OPT_FLAG, NULL,                                    \
	    "be an agent: read ticks, write the moves of the player",       \
	    &(o)->answer, .given = (g)},                                    \
	{"serve", 0, PB_OPT_FLAG, NULL,                                     \
	    "be the server: read commands, write frames in real time",      \
	    &(o)->serve, .given = (g)},                                     \
	{"listen", 0, PB_OPT_LIST, "port",                                  \
	    "with --serve: for all who connect: [ws://|tcp://][ADDRESS:]PORT", \
	    &(o)->listen, .given = (g)},                                    \
	{"trust", 0, PB_OPT_LIST, "address",                                \
	    "with --listen: whose commands are taken, or all, or none",     \
	    &(o)->trust, .given = (g)},                                     \
	{"client", 0, PB_OPT_FLAG, NULL,                                    \
	    "be a client: read frames, write the player's commands",        \
	    &(o)->client, .given = (g)},                                    \
	{"connect", 0, PB_OPT_TEXT, "url",                                  \
	    "with --client: play on the server at ws:// or tcp://HOST:PORT", \
	    &(o)->connect, .given = (g)},                                   \
	{"end-after", 0, PB_OPT_LIMIT, "s",                                  \
	    "with --client: end after so long",                             \
	    &(o)->duration, .min = 0, .given = (g)},                        \
	{"result", 0, PB_OPT_TEXT, "file",                                  \
	    "with --client: write the result there",                        \
	    &(o)->result, .given = (g)},                                    \
	{"referee", 0, PB_OPT_FLAG, NULL,                                   \
	    "with --serve, --client: press play at every pause",            \
	    &(o)->referee, .given = (g)},                                   \
	{"lockstep", 0, PB_OPT_FLAG, NULL,                                  \
	    "with --serve, --client: a command answers each frame",         \
	    &(o)->lockstep, .given = (g)}
/* clang-format on */

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
