/* pacmanbot_game.h - the PacManBot game as a rule set. */
#ifndef PB_GAME_PACMANBOT_GAME_H
#define PB_GAME_PACMANBOT_GAME_H

#include "pb/game.h"
#include "game/pacmanbot/round.h"

/* Options: struct pb_round_opts; worlds: struct pb_arena. Players see struct
 * pb_view. */
extern const struct pb_game pb_game_pacmanbot;

#endif
