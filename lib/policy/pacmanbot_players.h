/* pacmanbot_players.h - the players of the PacManBot game. */
#ifndef PB_POLICY_PACMANBOT_PLAYERS_H
#define PB_POLICY_PACMANBOT_PLAYERS_H

#include "game/pacmanbot/view.h"
#include "game/score.h"

extern const struct pb_player pb_player_seed;
extern const struct pb_player pb_player_nearest;
extern const struct pb_player pb_player_safe;
extern const struct pb_player pb_player_oracle;

#endif
