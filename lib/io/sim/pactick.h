/* pactick.h - a Pacbot game as a tick record, and back. */
#ifndef PB_IO_SIM_PACTICK_H
#define PB_IO_SIM_PACTICK_H

#include "io/rec/game_records.h"
#include "io/stream/msg.h"
#include "pb/pacbot.h"

/*
 * Fill k from s.
 *
 * Given    z     the board with its walls
 *          k     its rules
 *          next  whether s knows where the ghosts will go
 */
void pb_pactick(struct pb_seen *r, const struct pb_pacbot *s,
    const struct pb_maze *z, const struct pb_pacbot_rules *k, bool next);

/*
 * The game that r shows, at the place in its tick where commands come.
 *
 * Returns  false if r lacks something that this takes, or puts something
 *          where the board has a wall; bad says what
 */
bool pb_pactick_read(const struct pb_seen *r,
    const struct pb_pacbot_rules *k, struct pb_pacbot *s, struct pb_bad *bad);

/* Seconds of the game's clock. */
struct pb_stamp pb_pactick_stamp(int ticks);

/* "up", "left", "down", "right", "stop"; PB_STAY + 1 for other words. */
const char *pb_pactick_dir(int d);
int pb_pactick_dir_of(const char *word);

/* The direction of a move, -1 with bad filled in if it is none. */
int pb_pactick_move(const struct pb_rec_move *m, struct pb_bad *bad);

#endif
