/* values.h - one number of each trial of a tally's group. */
#ifndef PB_STATS_VALUES_H
#define PB_STATS_VALUES_H

#include "stats/tally.h"

enum pb_value_of {
	PB_OF_NOTHING,
	PB_OF_TIME,    /* to success (s); failed trials have none */
	PB_OF_PELLETS, /* collected */
	PB_OF_SCORE,
	PB_OF_ERROR /* mean error of a localizer (m), if there was one */
};

/*
 * The values of group i, in ascending order.
 *
 * Returns  PB_OK, *out for free and *n of them; or PB_ENOMEM
 */
enum pb_status pb_tally_values(const struct pb_tally *t, int i,
    enum pb_value_of what, double **out, size_t *n);

#endif
