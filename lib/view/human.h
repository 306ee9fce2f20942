/* human.h - a player at the terminal: sees frames, steers by keys. */
#ifndef PB_VIEW_HUMAN_H
#define PB_VIEW_HUMAN_H

#include "io/pilot.h"

/*
 * The game runs in real time, times `speed`, for as long as it is not paused.
 * The stick stays where the last key has put it. Pictures go to the terminal
 * of the program; if that is standard output, too, nothing else goes there.
 */
struct pb_human;

/* clang-format off */
/* Options for pb_opt; p: bool *, s: double *, g: bool * s was given. */
#define PB_OPT_HUMAN(p, s, g)                                               \
	{"play", 0, PB_OPT_FLAG, NULL,                                      \
	    "steer yourself, in the terminal: arrow keys or w a s d", (p)}, \
	{"speed", 0, PB_OPT_NUM, "times", "with --play: times real time",   \
	    (s), .min = 0.0625, .max = 64, .seen = (g)}
/* clang-format on */

/*
 * Take the terminal.
 *
 * Given    speed  > 0, times real time
 * Returns  a player for pb_human_end(); NULL if there is no terminal or no
 *          memory, which was said
 */
struct pb_human *pb_human_begin(double speed);

/* Him as a pilot, good until pb_human_end(). */
struct pb_pilot pb_human_pilot(struct pb_human *h);

/* Leave the last picture and give the terminal back. NULL is none. */
void pb_human_end(struct pb_human *h);

#endif
