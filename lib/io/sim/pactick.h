/* pactick.h - a Pacbot game out of a tick record. */
#ifndef PB_IO_SIM_PACTICK_H
#define PB_IO_SIM_PACTICK_H

#include "io/stream/error.h"
#include "pb/match.h"

/*
 * The game that r shows, at the place in its tick where commands come.
 *
 * Returns  false if r lacks something that this takes, or puts something
 *          where the board has a wall; bad says what
 */
bool pb_pactick_read(const struct pb_seen *r, const struct pb_pacbot_rules *k,
    struct pb_pacbot *s, struct pb_error *bad);

#endif
