/* rplayer.h - who drives Pac-Man in the Roomba game. */
#ifndef PB_GAME_RPLAYER_H
#define PB_GAME_RPLAYER_H

#include <stddef.h>

#include "game/roomba.h"

/*
 * A player sees what the robots publish: cells, states, pellets; not the
 * ghosts' draws, which are zeroed in its copy of the game.
 */
struct pb_roomba_view {
	const struct pb_roomba *s;
	const struct pb_roomba_board *board;
	const struct pb_roomba_opts *opts;
	struct pb_rng *rng; /* the player's own draws */
};

struct pb_roomba_player {
	const char *name;
	const char *summary; /* one line, no stop */

	/* Where the stick points, PB_STAY: nowhere. */
	enum pb_dir (*decide)(const struct pb_roomba_view *v);
};

#endif
