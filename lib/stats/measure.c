/* measure.c - by what trials are compared: which of two went better. */

#include "pb/result.h"
#include "stats/tally_state.h"

/* What a measure looks at; PB_BY_RANK is made of three. */
static const struct {
	const char *name, *unit;
	bool less; /* is better */
} measures[PB_MEASURES] = {
    [PB_BY_RULES] = {"rules", "", false},
    [PB_BY_SUCCESS] = {"success", "", false},
    [PB_BY_SCORE] = {"score", "", false},
    [PB_BY_PELLETS] = {"pellets", "", false},
    [PB_BY_TIME] = {"time", "s", true},
    [PB_BY_DEATHS] = {"deaths", "", true},
    [PB_BY_ERROR] = {"error", "m", true},
    [PB_BY_RANK] = {"rank", "", false},
};

const char *
pb_measure_name(enum pb_measure m)
{
	return measures[m].name;
}

const char *
pb_measure_unit(enum pb_measure m)
{
	return measures[m].unit;
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

double
pb_entry_number(const struct pb_entry *e, enum pb_measure m)
{
	switch (m) {
	case PB_BY_PELLETS:
		return e->collected;
	case PB_BY_TIME:
		return e->capped < 0 ? NAN : (double)e->capped * PB_US;
	case PB_BY_DEATHS:
		return e->deaths < 0 ? NAN : e->deaths;
	case PB_BY_ERROR:
		return e->track[PB_TRACK_MEAN] < 0
		           ? NAN
		           : e->track[PB_TRACK_MEAN] * PB_US;
	case PB_BY_SCORE:
	case PB_BY_RANK:
		return (double)e->score / PB_SCORE;
	default:
		return e->success;
	}
}

/* Less of what is known is better than nothing known. */
static int64_t
fewer(int64_t v)
{
	return v < 0 ? INT64_MIN : -v;
}

struct pb_merit
pb_entry_merit(const struct pb_entry *e, struct pb_by by)
{
	double v = pb_entry_number(e, by.measure);
	bool kept = by.sense > 0 ? v >= by.bound : v <= by.bound;

	if (by.sense != 0)
		return (struct pb_merit){kept, {kept}};
	switch (by.measure) {
	case PB_BY_SCORE:
		return (struct pb_merit){e->success, {e->score}};
	case PB_BY_PELLETS:
		return (struct pb_merit){e->success, {e->collected}};
	case PB_BY_TIME:
		return (struct pb_merit){e->success, {fewer(e->capped)}};
	case PB_BY_DEATHS:
		return (struct pb_merit){e->success, {fewer(e->deaths)}};
	case PB_BY_ERROR:
		return (struct pb_merit){
		    e->success, {fewer(e->track[PB_TRACK_MEAN])}};
	case PB_BY_RANK:
		return (struct pb_merit){
		    e->success, {e->score, fewer(e->deaths), fewer(e->capped)}};
	default:
		return (struct pb_merit){e->success, {e->success}};
	}
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
