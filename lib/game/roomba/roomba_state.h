/* roomba_state.h - what happens in the Roomba game, however robots move. */
#ifndef PB_GAME_ROOMBA_STATE_H
#define PB_GAME_ROOMBA_STATE_H

#include "game/roomba/roomba.h"

/* For the rules' own sources: each changes s and notes what it does. */

/* Everybody to where he began. */
void pb_roomba_reset(struct pb_roomba *s, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o);

/* The cell that a move from cell `at` leads to. */
int16_t pb_roomba_moved(const struct pb_roomba_board *b, int at, enum pb_dir d);

/* Pac-Man takes what is in his cell. */
void pb_roomba_collect(struct pb_roomba *s, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o);

/* The pill is over. */
void pb_roomba_power_over(struct pb_roomba *s, const struct pb_roomba_opts *o);

/* Ghost i, which is not killed, and Pac-Man have touched. */
void pb_roomba_touch(
    struct pb_roomba *s, const struct pb_roomba_opts *o, int i);

/* Ghost i is in its cell: if it was eaten, that may be its reset point. */
void pb_roomba_arrive(
    struct pb_roomba *s, const struct pb_roomba_board *b, int i);

/* Whether the game goes on; sets its ending. */
bool pb_roomba_goes_on(struct pb_roomba *s, const struct pb_roomba_opts *o);

#endif
