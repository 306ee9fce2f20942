/* roomba_game.h - the Roomba game as a rule set. */
#ifndef PB_GAME_ROOMBA_GAME_H
#define PB_GAME_ROOMBA_GAME_H

#include "pb/game.h"
#include "game/roomba/roomba_drive.h"

/* Options: struct pb_roomba_opts. Players see struct pb_roomba_view. */
extern const struct pb_game pb_game_roomba;

#endif
