/* rplayer.h - what a player of the Roomba game sees. */
#ifndef PB_GAME_RPLAYER_H
#define PB_GAME_RPLAYER_H

#include "pb/player.h"
#include "game/roomba/roomba_drive.h"

/*
 * A player sees what the robots publish: cells, states, pellets, and, if they
 * have bodies, where each believes to be; not what they draw, which is zeroed
 * in its copy of the game.
 */
struct pb_roomba_view {
	const struct pb_roomba *s;
	const struct pb_roomba_board *board;
	const struct pb_roomba_opts *opts;
	struct pb_rng *rng;                  /* the player's own draws */
	const struct pb_roomba_fleet *fleet; /* NULL: robots without bodies */
};

#endif
