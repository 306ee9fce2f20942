/* pacbot_tick.h - a game of Pacbot out of a tick record. */
#pragma once

#include "io/rec/rec.h"
#include "pb/pacbot.h"

/*
 * The game that r shows, at the place in its tick where commands come.
 *
 * Returns  false if r lacks something that this takes, or puts something
 *          where the board has a wall; bad says what
 */
bool pb_pactick_read(const struct pb_seen *r, const struct pb_pacbot_rules *k,
    struct pb_pacbot *s, struct pb_error *bad);
