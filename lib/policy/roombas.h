/* roombas.h - the players of the Roomba game, by name. */
#ifndef PB_POLICY_ROOMBAS_H
#define PB_POLICY_ROOMBAS_H

#include "game/roomba/rplayer.h"

extern const struct pb_roomba_player pb_roomba_random;
extern const struct pb_roomba_player pb_roomba_greedy;
extern const struct pb_roomba_player pb_roomba_flee;
extern const struct pb_roomba_player pb_roomba_plan;

/* Player i (0..), NULL past the last; the one called name, NULL if none. */
const struct pb_roomba_player *pb_roomba_player_at(int i);
const struct pb_roomba_player *pb_roomba_player_find(const char *name);

#endif
