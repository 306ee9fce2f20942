/* pacbot_players.h - the players of the Pacbot game. */
#ifndef PB_POLICY_PACBOT_PLAYERS_H
#define PB_POLICY_PACBOT_PLAYERS_H

#include "pb/bot.h"

/* All of them, in the order of --list, NULL-ended. */
extern const struct pb_player *const pb_pacbot_players[];

extern const struct pb_player pb_bot_random; /* any open direction */
extern const struct pb_player pb_bot_greedy; /* nearest pellet, ghosts or not */
extern const struct pb_player pb_bot_flee;   /* nearest pellet in safe reach */
extern const struct pb_player pb_bot_power;  /* power pellets, then ghosts */
extern const struct pb_player pb_bot_search; /* looks ahead in the engine */

#endif
