/* rating.h - how strong players are: see struct pb_rating. */
#pragma once

#include <stdbool.h>

#include "pb/sequential.h"
#include "pb/tally.h"

struct pb_rater;

/* Given 1 < players <= PB_SEQ_PLAYERS. NULL without memory. */
struct pb_rater *pb_rater_new(int players);
void pb_rater_free(struct pb_rater *r);

/* Take a trial: how each player did. false without memory. */
bool pb_rater_add(struct pb_rater *r, const struct pb_merit *of);

/*
 * Rate all players.
 *
 * Returns  out[players], the strongest first; false without memory, out
 *          untouched
 * Note     time grows with trials * players^2
 */
bool pb_rater_rate(
    const struct pb_rater *r, double confidence, struct pb_rating *out);
