/* pacmanbot_players.h - the players of the PacManBot game. */
#pragma once

#include "game/pacmanbot/arena.h"
#include "game/score.h"

extern const struct pb_player pb_player_seed;
extern const struct pb_player pb_player_nearest;
extern const struct pb_player pb_player_safe;
extern const struct pb_player pb_player_oracle;
