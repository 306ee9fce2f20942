/* human.h - a player at the terminal: sees frames, steers by keys. */
#pragma once

#include "io/play/play.h"

/*
 * The game runs in real time, times `speed`, for as long as it is not paused.
 * The stick stays where the last key has put it. Pictures go to the terminal
 * of the program; if that is standard output, too, nothing else goes there.
 */
struct pb_human;

/*
 * Take the terminal.
 *
 * Given    speed  > 0, times real time
 * Returns  a player for pb_human_end(), *pilot: him as a pilot until then;
 *          NULL if there is no terminal or no memory, which was said
 */
struct pb_human *pb_human_begin(double speed, struct pb_pilot *pilot);

/* Leave the last picture and give the terminal back. NULL is none. */
void pb_human_end(struct pb_human *h);
