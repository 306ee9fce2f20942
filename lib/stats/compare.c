/* compare.c - groups of trials against each other, trial by trial. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/seqtest.h"
#include "stats/tally_state.h"

/* Differences trial by trial, and who won; how many trials are common. */
static size_t
pair_up(const struct pb_group *a, const struct pb_group *b,
    struct pb_comparison *c, double *pellets, double *time)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++) {
		const struct pb_entry *e = &a->entry[i];
		const struct pb_entry *f = pb_group_find(b, e->seed, e->trial);

		if (!f)
			continue;
		c->won.both += e->success && f->success;
		c->won.first += e->success && !f->success;
		c->won.second += !e->success && f->success;
		c->won.none += !e->success && !f->success;
		pellets[n] = e->collected - f->collected;
		c->time += e->capped < 0 || f->capped < 0 ? NAN : 0;
		time[n++] = PB_US * (double)(e->capped - f->capped);
	}
	return n;
}

/* The mean of d[n] and its interval; sorts d, so that its order is none. */
static double
difference(double *d, size_t n, double confidence, struct pb_interval *in)
{
	const struct pb_interval any = {-INFINITY, INFINITY};

	pb_sort(d, n);
	*in = pb_mean_interval(d, n, (double)n - 1, any, confidence);
	return pb_mean(d, n);
}

/*
 * McNemar's question as a race, trial by trial: a p-value that holds whenever
 * the run ended. PB_ENOMEM or PB_OK.
 */
static enum pb_status
race(const struct pb_group *a, const struct pb_group *b, double *p)
{
	const struct pb_entry **e = malloc((a->n + 1) * sizeof(*e));
	struct pb_race r = pb_race_start(1e-300);

	if (!e)
		return PB_ENOMEM;
	for (size_t i = 0; i < a->n; i++)
		e[i] = &a->entry[i];
	qsort(e, a->n, sizeof(*e), pb_entry_order);
	for (size_t i = 0; i < a->n; i++) {
		const struct pb_entry *f =
		    pb_group_find(b, e[i]->seed, e[i]->trial);

		if (f)
			pb_race_add(&r, e[i]->success, f->success);
	}
	free(e);
	*p = pb_race_p(&r);
	return PB_OK;
}

/* What holds whenever a run ends: nothing is known of means. */
static enum pb_status
any_time(const struct pb_group *a, const struct pb_group *b, double confidence,
    struct pb_comparison *c)
{
	enum pb_status s = race(a, b, &c->p);

	c->sequential = true;
	c->p_holm = c->p;
	c->rate_in = pb_pairs_anytime(c->won, confidence);
	c->pellets_in = c->time_in = PB_UNTOLD;
	return s;
}

enum pb_status
pb_tally_compare(const struct pb_tally *t, int i, const struct pb_tally *u,
    int j, double confidence, struct pb_comparison *c)
{
	const struct pb_group *a = &t->group[i], *b = &u->group[j];
	struct pb_comparison r = {.first = i, .second = j};
	double *x = malloc(2 * a->n * sizeof(*x));
	bool untimed;
	size_t n;

	if (!x)
		return PB_ENOMEM;
	n = pair_up(a, b, &r, x, x + a->n);
	if (n == 0) {
		free(x);
		return PB_ENOENT;
	}
	r.n = (long)n;
	r.alone = (long)(a->n + b->n - 2 * n);
	r.rate = (double)(r.won.first - r.won.second) / r.n;
	r.rate_in = pb_pairs_interval(r.won, confidence);
	r.p = r.p_holm = pb_mcnemar(r.won);
	r.pellets = difference(x, n, confidence, &r.pellets_in);
	untimed = isnan(r.time);
	r.time = difference(x + a->n, n, confidence, &r.time_in);
	if (untimed)
		r.time = NAN;
	if (untimed || r.won.both == r.n)
		r.time_in = PB_UNTOLD;
	free(x);
	if ((a->sequential || b->sequential) &&
	    any_time(a, b, confidence, &r) != PB_OK)
		return PB_ENOMEM;
	*c = r;
	return PB_OK;
}

/* Whether two groups ask the same question: options may differ. */
static bool
same_task(const struct pb_trial *a, const struct pb_trial *b)
{
	return a->map_hash == b->map_hash && a->round == b->round &&
	       strcmp(a->rules, b->rules) == 0 &&
	       strcmp(a->policy, b->policy) == 0;
}

int
pb_tally_find(const struct pb_tally *t, int i, const struct pb_tally *base)
{
	const struct pb_trial *key = &t->group[i].key;
	int found = -1;

	for (int j = 0; j < base->groups; j++) {
		const struct pb_trial *k = &base->group[j].key;

		if (!same_task(key, k))
			continue;
		if (key->options == k->options)
			return j;
		found = found == -1 ? j : -2;
	}
	return found < 0 ? -1 : found;
}
