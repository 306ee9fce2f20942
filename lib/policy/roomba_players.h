/* roomba_players.h - the players of the Roomba game. */
#ifndef PB_POLICY_ROOMBA_PLAYERS_H
#define PB_POLICY_ROOMBA_PLAYERS_H

#include "game/roomba/rplayer.h"

/* All of them, in the order of --list, NULL-ended. */
extern const struct pb_player *const pb_roomba_players[];

extern const struct pb_player pb_roomba_random;
extern const struct pb_player pb_roomba_greedy;
extern const struct pb_player pb_roomba_flee;
extern const struct pb_player pb_roomba_plan;

#endif
