/* seen.c - a game on a board of cells as anybody can see it. */
#include "game/seen.h"

struct pb_seen
pb_seen_none(void)
{
	return (struct pb_seen){.score = -1,
	    .lives = -1,
	    .left = -1,
	    .level = -1,
	    .combo = -1,
	    .period = -1,
	    .mode_steps = -1,
	    .level_steps = -1,
	    .fruit = -1};
}
