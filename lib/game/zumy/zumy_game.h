/* zumy_game.h - the Zumy game as a rule set. */
#ifndef PB_GAME_ZUMY_GAME_H
#define PB_GAME_ZUMY_GAME_H

#include "pb/game.h"
#include "game/zumy/zumy_drive.h"

/* Options: struct pb_zumy_opts. Players see struct pb_zumy_view. */
extern const struct pb_game pb_game_zumy;

#endif
