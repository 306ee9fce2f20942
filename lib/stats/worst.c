/* worst.c - which trials of a group went worst. */
#include "stats/worst.h"

#include "stats/tally_state.h"

/* Whether a went worse than b. */
static bool
worse(const struct pb_entry *a, const struct pb_trial *b, struct pb_by by)
{
	struct pb_merit x = pb_entry_merit(a, by), y = pb_merit_of(b, by);
	int order = pb_merit_compare(&x, &y);

	if (order != 0)
		return order < 0;
	if (a->success != b->success)
		return b->success;
	if (a->collected != b->collected)
		return a->collected < b->collected;
	return a->seed != b->seed ? a->seed < b->seed : a->trial < b->trial;
}

int
pb_tally_worst(const struct pb_tally *t, int i, struct pb_by by, int n,
    struct pb_trial *out)
{
	const struct pb_group *g = &t->group[i];
	int have = 0, k;

	for (size_t e = 0; e < g->n; e++) {
		const struct pb_entry *x = &g->entry[e];

		if (pb_by_is_rate(by) && pb_entry_merit(x, by).won)
			continue;
		for (k = have; k > 0 && worse(x, &out[k - 1], by); k--)
			if (k < n)
				out[k] = out[k - 1];
		if (k == n)
			continue;
		out[k] = g->key;
		out[k].seed = x->seed;
		out[k].trial = x->trial;
		pb_tally_get(t, &out[k]);
		have += have < n;
	}
	return have;
}
