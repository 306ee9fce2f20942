/* report.c - everything that a tally has to say. */
#include "stats/report.h"

#include <stdlib.h>

static enum pb_status
sum_up(struct pb_report *r, const struct pb_tally *t, double confidence)
{
	int n = pb_tally_groups(t);
	enum pb_status s = PB_OK;

	r->summary = calloc(n ? (size_t)n : 1, sizeof(*r->summary));
	if (!r->summary)
		return PB_ENOMEM;
	while (s == PB_OK && r->summaries < n) {
		s = pb_tally_summary(
		    t, r->summaries, confidence, &r->summary[r->summaries]);
		r->summaries += s == PB_OK;
	}
	return s;
}

static long
count_pairs(const struct pb_tally *t)
{
	long pairs = 0;

	for (int i = 0; i < pb_tally_groups(t); i++)
		for (int j = i + 1; j < pb_tally_groups(t); j++)
			pairs += pb_tally_comparable(t, i, j);
	return pairs;
}

static enum pb_status
compare_all(struct pb_report *r, const struct pb_tally *t, double confidence)
{
	long pairs = count_pairs(t);

	r->comparison =
	    calloc(pairs ? (size_t)pairs : 1, sizeof(*r->comparison));
	if (!r->comparison)
		return PB_ENOMEM;
	for (int i = 0; i < pb_tally_groups(t); i++)
		for (int j = i + 1; j < pb_tally_groups(t); j++) {
			enum pb_status s;

			if (!pb_tally_comparable(t, i, j))
				continue;
			s = pb_tally_compare(t, j, t, i, confidence,
			    &r->comparison[r->comparisons]);
			if (s == PB_ENOMEM)
				return s;
			r->comparisons += s == PB_OK;
		}
	return PB_OK;
}

/* Whether two comparisons are tested together. */
static bool
one_family(const struct pb_tally *t, const struct pb_comparison *a,
    const struct pb_comparison *b)
{
	return a->first == b->first || a->first == b->second ||
	       pb_tally_comparable(t, a->first, b->first) ||
	       pb_tally_comparable(t, a->first, b->second);
}

/* Correct the family of comparison i, unless an earlier one was of it. */
static void
correct_family(struct pb_report *r, const struct pb_tally *t, int i, double *p)
{
	size_t n = (size_t)r->comparisons, m = 0;

	for (int k = 0; k < r->comparisons; k++) {
		if (!one_family(t, &r->comparison[i], &r->comparison[k]))
			continue;
		if (k < i)
			return;
		p[m++] = r->comparison[k].p;
	}
	pb_holm(p, m, p + n);
	m = 0;
	for (int k = i; k < r->comparisons; k++)
		if (one_family(t, &r->comparison[i], &r->comparison[k]))
			r->comparison[k].p_holm = p[n + m++];
}

static enum pb_status
correct(struct pb_report *r, const struct pb_tally *t)
{
	size_t n = (size_t)r->comparisons;
	double *p = malloc((2 * n + 1) * sizeof(*p));

	if (!p)
		return PB_ENOMEM;
	for (int i = 0; i < r->comparisons; i++)
		correct_family(r, t, i, p);
	free(p);
	return PB_OK;
}

/* All comparisons with the base are tested together. */
static enum pb_status
correct_base(struct pb_report *r)
{
	size_t n = (size_t)r->againsts;
	double *p = calloc(2 * n + 1, sizeof(*p));

	if (!p)
		return PB_ENOMEM;
	for (size_t i = 0; i < n; i++)
		p[i] = r->against[i].p;
	pb_holm(p, n, p + n);
	for (size_t i = 0; i < n; i++)
		r->against[i].p_holm = p[n + i];
	free(p);
	return PB_OK;
}

/* Each group against the same one of another tally. */
static enum pb_status
compare_base(struct pb_report *r, const struct pb_tally *t,
    const struct pb_report_opts *o)
{
	r->against = calloc((size_t)r->summaries + 1, sizeof(*r->against));
	if (!r->against)
		return PB_ENOMEM;
	for (int i = 0; i < r->summaries; i++) {
		int j = pb_tally_find(t, i, o->base);
		enum pb_status s = PB_ENOENT;

		if (j >= 0)
			s = pb_tally_compare(t, i, o->base, j, o->confidence,
			    &r->against[r->againsts]);
		if (s == PB_ENOMEM)
			return s;
		r->againsts += s == PB_OK;
	}
	return correct_base(r);
}

enum pb_status
pb_report_make(struct pb_report *r, const struct pb_tally *t,
    const struct pb_report_opts *o)
{
	struct pb_report made = {0};
	enum pb_status s = sum_up(&made, t, o->confidence);

	if (s == PB_OK)
		s = compare_all(&made, t, o->confidence);
	if (s == PB_OK)
		s = correct(&made, t);
	if (s == PB_OK && o->base)
		s = compare_base(&made, t, o);
	if (s == PB_OK)
		s = pb_report_aggregate(&made, t, o->confidence);
	if (s == PB_OK && o->seq)
		s = pb_report_judge(&made, t, o->seq);
	if (s == PB_OK)
		*r = made;
	else
		pb_report_clear(&made);
	return s;
}

void
pb_report_clear(struct pb_report *r)
{
	for (int i = 0; i < r->summaries; i++)
		pb_summary_clear(&r->summary[i]);
	free(r->summary);
	free(r->comparison);
	free(r->against);
	free(r->aggregate);
	free(r->verdict);
	*r = (struct pb_report){0};
}
