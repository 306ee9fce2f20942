/* values.c - one number of each trial of a tally's group. */
#include "stats/values.h"

#include <math.h>
#include <stdlib.h>

#include "stats/tally_state.h"

/* Lengths are kept in whole micrometres (m). */
#define UM 1e-6

/* NAN: it has none. */
static double
value(const struct pb_entry *e, enum pb_value_of what)
{
	switch (what) {
	case PB_OF_TIME:
		return e->success && e->time >= 0 ? (double)e->time * PB_US
		                                  : NAN;
	case PB_OF_PELLETS:
		return e->collected;
	case PB_OF_SCORE:
		return (double)e->score / PB_SCORE;
	case PB_OF_ERROR:
		return e->updates > 0 && e->track[PB_TRACK_MEAN] >= 0
		           ? e->track[PB_TRACK_MEAN] * UM
		           : NAN;
	default:
		return NAN;
	}
}

static int
ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

enum pb_status
pb_tally_values(const struct pb_tally *t, int i, enum pb_value_of what,
    double **out, size_t *n)
{
	const struct pb_group *g = &t->group[i];
	double *v = malloc((g->n + 1) * sizeof(*v));

	if (v == NULL)
		return PB_ENOMEM;
	*n = 0;
	for (size_t k = 0; k < g->n; k++) {
		double x = value(&g->entry[k], what);

		if (isfinite(x))
			v[(*n)++] = x;
	}
	qsort(v, *n, sizeof(*v), ascending);
	*out = v;
	return PB_OK;
}
