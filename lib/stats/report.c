/* report.c - everything that a tally has to say. */
#include "pb/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "stats/tally_state.h"
#include "pb/tally.h"

/*
 * Trial i of every map and round meets the same luck, so that maps and rounds
 * are no independent trials: in a house, the mean of ten rounds varies twice as
 * much as it would then. What is independent is the trial: all that one seed
 * and number came to, in whatever maps and rounds. A part is what one result
 * adds to the mean of the means.
 */
struct part {
	uint64_t seed;
	uint64_t trial;
	size_t stratum;
	double weight;  /* of it in the mean */
	double success; /* weight times what it is off the stratum's mean */
	double time;    /* the same (s) */
};

struct columns {
	const struct pb_group **group; /* of each stratum */
	size_t strata;
	size_t all;        /* results of all strata */
	size_t least;      /* of the smallest one */
	struct part *part; /* all of them; first the trials, when joined */
	size_t trials;
	bool lost; /* some failed */
	double *x; /* all of them */
};

struct pb_by
pb_report_by(const struct pb_report_opts *o, const char *rules)
{
	return o->by ? o->by(o->by_ctx, rules)
	             : (struct pb_by){.measure = PB_BY_SUCCESS};
}

/* Whether two groups are of one player with the same constants. */
static bool
same_player(const struct pb_trial *a, const struct pb_trial *b)
{
	return a->options == b->options && strcmp(a->rules, b->rules) == 0 &&
	       strcmp(a->policy, b->policy) == 0;
}

/* Strata have an order of their own, so that the input's order is none. */
static int
by_task(const void *a, const void *b)
{
	const struct pb_trial *x = &(*(const struct pb_group *const *)a)->key;
	const struct pb_trial *y = &(*(const struct pb_group *const *)b)->key;

	if (x->map_hash != y->map_hash)
		return x->map_hash < y->map_hash ? -1 : 1;
	return x->round < y->round ? -1 : x->round > y->round;
}

static int
by_trial(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->seed != y->seed)
		return x->seed < y->seed ? -1 : 1;
	if (x->trial != y->trial)
		return x->trial < y->trial ? -1 : 1;
	return x->stratum < y->stratum ? -1 : x->stratum > y->stratum;
}

/* The strata of group i's player; false without memory. */
static bool
make_columns(struct columns *c, const struct pb_tally *t, int i)
{
	c->group = calloc((size_t)t->groups, sizeof(const struct pb_group *));
	if (!c->group)
		return false;
	for (int k = i; k < t->groups; k++)
		if (same_player(&t->group[i].key, &t->group[k].key))
			c->group[c->strata++] = &t->group[k];
	qsort(c->group, c->strata, sizeof(const struct pb_group *), by_task);
	c->least = c->group[0]->n;
	for (size_t k = 0; k < c->strata; k++) {
		c->all += c->group[k]->n;
		if (c->group[k]->n < c->least)
			c->least = c->group[k]->n;
	}
	c->x = malloc((c->all + 1) * sizeof(*c->x));
	c->part = malloc((c->all + 1) * sizeof(*c->part));
	return c->x && c->part;
}

static void
free_columns(struct columns *c)
{
	free(c->group);
	free(c->part);
	free(c->x);
}

/* The parts of stratum k, and its means. */
static void
take_stratum(struct columns *c, size_t k, struct part *part, struct part *mean)
{
	const struct pb_group *g = c->group[k];
	double n = (double)g->n, weight = 1 / (n * (double)c->strata);
	struct pb_time_sum time = {0};
	bool untimed = false;
	long won = 0;

	for (size_t m = 0; m < g->n; m++) {
		won += g->entry[m].success;
		pb_time_add(&time, g->entry[m].capped);
		untimed |= g->entry[m].capped < 0;
	}
	c->lost |= won < (long)g->n;
	*mean = (struct part){.success = (double)won / n,
	    .time = untimed ? NAN : pb_time_of(time) / n};
	for (size_t m = 0; m < g->n; m++) {
		const struct pb_entry *e = &g->entry[m];

		part[m] = (struct part){.seed = e->seed,
		    .trial = e->trial,
		    .stratum = k,
		    .weight = weight,
		    .success = weight * (e->success - mean->success),
		    .time = weight * (PB_US * (double)e->capped - mean->time)};
	}
}

/* All parts of a trial become one; returns the mean of the strata's means. */
static struct part
join_trials(struct columns *c)
{
	struct part sum = {0}, *part = c->part;

	for (size_t k = 0; k < c->strata; k++) {
		struct part mean;

		take_stratum(c, k, part, &mean);
		part += c->group[k]->n;
		sum.success += mean.success;
		sum.time += mean.time;
	}
	sum.success /= (double)c->strata;
	sum.time /= (double)c->strata;
	qsort(c->part, c->all, sizeof(*c->part), by_trial);
	for (size_t i = 0; i < c->all; i++) {
		const struct part *p = &c->part[i];
		struct part *last = c->part + c->trials - (c->trials > 0);

		if (c->trials == 0 || last->seed != p->seed ||
		    last->trial != p->trial) {
			c->part[c->trials++] = *p;
			continue;
		}
		last->weight += p->weight;
		last->success += p->success;
		last->time += p->time;
	}
	return sum;
}

/*
 * Trials that could not tell less if all that one of them came to were alike
 * in every stratum (Kish).
 */
static double
fewest_trials(const struct columns *c)
{
	double sum = 0;

	for (size_t i = 0; i < c->trials; i++)
		sum += c->part[i].weight * c->part[i].weight;
	return 1 / sum;
}

/*
 * The exact interval for as many trials as would make the rate as sure as it
 * is (Korn and Graubard, "Confidence intervals for proportions with small
 * expected number of positive counts estimated from survey data", 1998),
 * which the fewest are where trials do not differ and so do not tell.
 */
static struct pb_interval
rate_interval(const struct columns *c, double rate, double confidence)
{
	double n = (double)c->trials, fewest = fewest_trials(c), var = 0;
	double trials = fewest;

	for (size_t i = 0; i < c->trials; i++)
		var += c->part[i].success * c->part[i].success;
	if (var > 0 && c->least > 1) {
		double z = -pb_normal_quantile((1 - confidence) / 2);
		double t = pb_t_two_sided(confidence, (double)c->least - 1);

		trials = rate * (1 - rate) / (var * n / (n - 1));
		trials *= (z / t) * (z / t);
		trials = fmin(fmax(trials, fewest), (double)c->all);
	}
	return pb_rate_interval(rate * trials, trials, confidence);
}

static struct pb_interval
time_interval(const struct columns *c, double time, double confidence)
{
	const struct pb_interval range = {0, INFINITY};

	if (isnan(time) || !c->lost || c->least < PB_MEAN_LEAST)
		return PB_UNTOLD;
	for (size_t i = 0; i < c->trials; i++)
		c->x[i] = time + (double)c->trials * c->part[i].time;
	return pb_mean_interval(
	    c->x, c->trials, (double)c->least - 1, range, confidence);
}

/* The interquartile mean of the share of pellets; NAN if one has none. */
static struct pb_estimate
share(struct columns *c, double confidence)
{
	const struct pb_interval range = {0, 1};
	size_t n = 0;

	for (size_t k = 0; k < c->strata; k++)
		for (size_t m = 0; m < c->group[k]->n; m++) {
			const struct pb_entry *e = &c->group[k]->entry[m];

			if (e->total == 0)
				return (struct pb_estimate){NAN, {NAN, NAN}};
			c->x[n++] = (double)e->collected / e->total;
		}
	pb_sort(c->x, n);
	return (struct pb_estimate){pb_iqm(c->x, n),
	    pb_iqm_interval(c->x, n, fewest_trials(c), range, confidence)};
}

static struct pb_trial
key_of(const struct pb_trial *k)
{
	struct pb_trial key = {.options = k->options, .told = k->told};

	memcpy(key.rules, k->rules, sizeof(key.rules));
	memcpy(key.policy, k->policy, sizeof(key.policy));
	memcpy(key.preset, k->preset, sizeof(key.preset));
	return key;
}

static void
estimate(struct pb_aggregate *a, struct columns *c, double confidence)
{
	struct part mean = join_trials(c);

	a->trials = (long)c->trials;
	a->rate.value = mean.success;
	a->rate.in = rate_interval(c, mean.success, confidence);
	a->pellets = share(c, confidence);
	a->time.value = mean.time;
	a->time.in = time_interval(c, mean.time, confidence);
}

static enum pb_status
add_one(struct pb_report *r, const struct pb_tally *t, int i, double confidence)
{
	struct columns c = {0};
	struct pb_aggregate a = {.key = key_of(&t->group[i].key)};

	if (!make_columns(&c, t, i)) {
		free_columns(&c);
		return PB_ENOMEM;
	}
	a.strata = (int)c.strata;
	a.n = (long)c.all;
	if (a.strata > 1) {
		estimate(&a, &c, confidence);
		r->aggregate[r->aggregates++] = a;
	}
	free_columns(&c);
	return PB_OK;
}

/* Whether an earlier group is of the same player. */
static bool
came_before(const struct pb_tally *t, int i)
{
	for (int k = 0; k < i; k++)
		if (same_player(&t->group[i].key, &t->group[k].key))
			return true;
	return false;
}

static enum pb_status
add_aggregates(struct pb_report *r, const struct pb_tally *t, double confidence)
{
	enum pb_status s = PB_OK;

	r->aggregate = calloc((size_t)t->groups + 1, sizeof(*r->aggregate));
	if (!r->aggregate)
		return PB_ENOMEM;
	for (int i = 0; s == PB_OK && i < t->groups; i++)
		if (!came_before(t, i))
			s = add_one(r, t, i, confidence);
	return s;
}

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
compare_all(struct pb_report *r, const struct pb_tally *t,
    const struct pb_report_opts *o)
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
			s = pb_tally_compare(t, j, t, i,
			    pb_report_by(o, t->group[i].key.rules),
			    o->confidence, &r->comparison[r->comparisons]);
			if (s == PB_ENOMEM)
				return s;
			r->comparisons += s == PB_OK;
			if (s == PB_ENOENT && r->apart++ == 0) {
				r->apart_pair[0] = i;
				r->apart_pair[1] = j;
			}
		}
	return PB_OK;
}

/* Whether two comparisons are tested together; all are without a tally. */
static bool
one_family(const struct pb_tally *t, const struct pb_comparison *a,
    const struct pb_comparison *b)
{
	return t == NULL || a->first == b->first || a->first == b->second ||
	       pb_tally_comparable(t, a->first, b->first) ||
	       pb_tally_comparable(t, a->first, b->second);
}

/* Correct the family of c[i], unless an earlier one was of it. */
static void
correct_family(
    struct pb_comparison *c, int n, const struct pb_tally *t, int i, double *p)
{
	size_t m = 0;

	for (int k = 0; k < n; k++) {
		if (!one_family(t, &c[i], &c[k]))
			continue;
		if (k < i)
			return;
		p[m++] = c[k].p;
	}
	pb_holm(p, m, p + n);
	m = 0;
	for (int k = i; k < n; k++)
		if (one_family(t, &c[i], &c[k]))
			c[k].p_holm = p[(size_t)n + m++];
}

enum pb_status
pb_comparisons_correct(struct pb_comparison *c, int n, const struct pb_tally *t)
{
	double *p = malloc((2 * (size_t)n + 1) * sizeof(*p));

	if (!p)
		return PB_ENOMEM;
	for (int i = 0; i < n; i++)
		correct_family(c, n, t, i, p);
	free(p);
	return PB_OK;
}

/* Whether two groups may be cells of one sweep. */
static bool
same_sweep(const struct pb_trial *a, const struct pb_trial *b)
{
	return pb_same_task(a, b) && strcmp(a->preset, b->preset) == 0 &&
	       strcmp(a->program, b->program) == 0 &&
	       strcmp(a->ghosts, b->ghosts) == 0;
}

/* Whether a cell of the sweep from group `first` on, before group i, has the
 * same constants as group i: the two differ in what nobody can name. */
static bool
told_before(const struct pb_tally *t, int first, int i)
{
	const struct pb_trial *key = &t->group[i].key;

	for (int k = first; k < i; k++)
		if (same_sweep(&t->group[k].key, key) &&
		    pb_told_same(t->group[k].key.told, key->told))
			return true;
	return false;
}

static bool
begins_sweep(const struct pb_tally *t, int i)
{
	for (int k = 0; k < i; k++)
		if (same_sweep(&t->group[k].key, &t->group[i].key))
			return false;
	return true;
}

/* Compare each cell of the sweep that begins with group i with that group;
 * nothing if none begins there. */
static enum pb_status
add_sweep(struct pb_report *r, const struct pb_tally *t, int i,
    const struct pb_report_opts *o)
{
	struct pb_by by = pb_report_by(o, t->group[i].key.rules);
	int from = r->cells;

	for (int k = i + 1; begins_sweep(t, i) && k < t->groups; k++) {
		enum pb_status s;

		if (!same_sweep(&t->group[i].key, &t->group[k].key) ||
		    told_before(t, i, k))
			continue;
		if (!pb_grow(
			&r->cell, (size_t)r->cells, &r->room, sizeof(*r->cell)))
			return PB_ENOMEM;
		s = pb_tally_compare(
		    t, k, t, i, by, o->confidence, &r->cell[r->cells]);
		if (s == PB_ENOMEM)
			return s;
		r->cells += s == PB_OK;
	}
	return pb_comparisons_correct(&r->cell[from], r->cells - from, NULL);
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
			s = pb_tally_compare(t, i, o->base, j,
			    pb_report_by(o, t->group[i].key.rules),
			    o->confidence, &r->against[r->againsts]);
		if (s == PB_ENOMEM)
			return s;
		r->againsts += s == PB_OK;
	}
	return pb_comparisons_correct(r->against, r->againsts, NULL);
}

enum pb_status
pb_report_make(struct pb_report *r, const struct pb_tally *t,
    const struct pb_report_opts *o)
{
	struct pb_report made = {0};
	enum pb_status s = sum_up(&made, t, o->confidence);

	if (s == PB_OK)
		s = compare_all(&made, t, o);
	if (s == PB_OK)
		s = pb_comparisons_correct(
		    made.comparison, made.comparisons, t);
	for (int i = 0; s == PB_OK && i < t->groups; i++)
		s = add_sweep(&made, t, i, o);
	if (s == PB_OK && o->base)
		s = compare_base(&made, t, o);
	if (s == PB_OK)
		s = add_aggregates(&made, t, o->confidence);
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
	free(r->cell);
	free(r->aggregate);
	*r = (struct pb_report){0};
}
