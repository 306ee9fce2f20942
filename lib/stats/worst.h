/* worst.h - which trials of a group went worst. */
#pragma once

#include "pb/tally.h"

/*
 * Up to n trials of group i, the worst first: by a measure that is a share,
 * lost ones only. Those alike go by success, pellets, seed and number.
 *
 * Given    by  not PB_BY_RULES
 * Returns  how many there are in out, as pb_tally_get has them
 */
int pb_tally_worst(const struct pb_tally *t, int i, struct pb_by by, int n,
    struct pb_trial *out);
