/* measure.c - by what trials are compared: which of two went better, and which
 * of all worst. */
#include "pb/result.h"
#include "pb/tally.h"
#include "stats/tally_state.h"

/* What a measure looks at first; PB_BY_RANK goes on. */
static const struct {
	const char *name;
	bool less;   /* is better, and -1 not known */
	double unit; /* of what a tally keeps */
} measures[PB_MEASURES] = {
    [PB_BY_RULES] = {"rules", false, 1},
    [PB_BY_SUCCESS] = {"success", false, 1},
    [PB_BY_SCORE] = {"score", false, PB_SCORE},
    [PB_BY_PELLETS] = {"pellets", false, 1},
    [PB_BY_TIME] = {"time", true, 1 / PB_US},
    [PB_BY_DEATHS] = {"deaths", true, 1},
    [PB_BY_ERROR] = {"error", true, 1 / PB_US},
    [PB_BY_RANK] = {"rank", false, PB_SCORE},
};

const char *
pb_measure_name(enum pb_measure m)
{
	return measures[m].name;
}

bool
pb_by_less(struct pb_by by)
{
	return measures[by.measure].less && by.sense == 0;
}

bool
pb_by_is_rate(struct pb_by by)
{
	return by.measure == PB_BY_SUCCESS || by.sense != 0;
}

/* As a tally keeps it. */
static int64_t
amount(const struct pb_entry *e, enum pb_measure m)
{
	switch (m) {
	case PB_BY_SCORE:
	case PB_BY_RANK:
		return e->score;
	case PB_BY_PELLETS:
		return e->collected;
	case PB_BY_TIME:
		return e->capped;
	case PB_BY_DEATHS:
		return e->deaths;
	case PB_BY_ERROR:
		return e->track[PB_TRACK_MEAN];
	default:
		return e->success;
	}
}

double
pb_entry_number(const struct pb_entry *e, enum pb_measure m)
{
	int64_t v = amount(e, m);

	return measures[m].less && v < 0 ? NAN : (double)v / measures[m].unit;
}

/* More is better; less of what is known is better than nothing known. */
static int64_t
worth(const struct pb_entry *e, enum pb_measure m)
{
	int64_t v = amount(e, m);

	return !measures[m].less ? v : v < 0 ? INT64_MIN : -v;
}

struct pb_merit
pb_entry_merit(const struct pb_entry *e, struct pb_by by)
{
	double v = pb_entry_number(e, by.measure);
	bool kept = by.sense > 0 ? v >= by.bound : v <= by.bound;
	struct pb_merit m = {e->success, {worth(e, by.measure)}};

	if (by.sense != 0)
		return (struct pb_merit){kept, {kept}};
	if (by.measure == PB_BY_RANK) {
		m.number[1] = worth(e, PB_BY_DEATHS);
		m.number[2] = worth(e, PB_BY_TIME);
	}
	return m;
}

double
pb_entry_effect(const struct pb_entry *e, struct pb_by by)
{
	return by.sense ? pb_entry_merit(e, by).won
	                : pb_entry_number(e, by.measure);
}

struct pb_merit
pb_merit_of(const struct pb_trial *t, struct pb_by by)
{
	struct pb_entry e = pb_entry_of(t, 0, 0);

	return pb_entry_merit(&e, by);
}

int
pb_merit_compare(const struct pb_merit *a, const struct pb_merit *b)
{
	for (int i = 0; i < 3; i++)
		if (a->number[i] != b->number[i])
			return a->number[i] > b->number[i] ? 1 : -1;
	return 0;
}

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
