/* report.c - summaries and comparisons of the groups of a tally. */
#include "pb/report.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "pb/tally.h"
#include "stats/tally_state.h"

/* No interval. A mean of times has none if no trial failed: failures count with
 * their limits and weigh most, and their rate is unknown then. */
#define NO_INTERVAL ((struct pb_interval){NAN, NAN})

/* Neither value nor interval. */
#define UNKNOWN ((struct pb_estimate){NAN, NO_INTERVAL})

/* The range of unlimited numbers. */
#define ANYTHING ((struct pb_interval){-INFINITY, INFINITY})

/* Fill the counts of s. */
static void
fill_counts(const struct pb_group *g, struct pb_summary *s)
{
	int64_t levels = 0;
	bool level = true, shares = true;

	s->killers = g->trial[0].killers;
	for (size_t i = 0; i < g->n; i++) {
		const struct pb_trial *e = &g->trial[i];

		s->k += e->success;
		if (!e->success && e->limit > s->limit)
			s->limit = e->limit;
		s->total = e->total > s->total ? e->total : s->total;
		shares &= e->total > 0 && e->collected >= 0;
		s->but_one += e->collected == e->total - 1;
		s->at_least += e->collected >= e->total - 1;
		s->outcomes.count[pb_tally_word(&s->outcomes, e->outcome)]++;
		if (*e->cause)
			s->causes.count[pb_tally_word(&s->causes, e->cause)]++;
		levels += e->levels;
		level &= e->levels >= 0;
		/* The killers, if all trials name them. */
		if (e->killers != s->killers)
			s->killers = 0;
		for (int k = 0; k < e->killers; k++)
			s->killed[k] += e->killed[k];
	}
	/* Not known of one trial: not known of all. */
	if (!shares)
		s->but_one = s->at_least = -1;
	s->n = (long)g->n;
	s->levels_mean = level ? (double)levels / (double)g->n : NAN;
}

/* Mean of x[n], n > 0, and its interval within range; sorts x, so that the
 * input's order has no effect. */
static struct pb_estimate
mean_estimate(double *x, size_t n, struct pb_interval range, double confidence)
{
	pb_sort(x, n);
	return (struct pb_estimate){pb_mean(x, n),
	    pb_mean_interval(x, n, (double)n - 1, range, confidence)};
}

/* Fill x with a number of each trial; false, with NAN, if a trial lacks it. */
static bool
pick_numbers(const struct pb_group *g,
    double (*number)(const struct pb_trial *, int), int what, double *x)
{
	for (size_t i = 0; i < g->n; i++)
		if (isnan(x[i] = number(&g->trial[i], what)))
			return false;
	return true;
}

/* The main number of a measure. */
static double
main_number(const struct pb_trial *e, int m)
{
	return pb_trial_number(e, (enum pb_measure)m);
}

/* The mean of a number; NAN where one trial lacks it. */
static struct pb_estimate
mean_of(const struct pb_group *g,
    double (*number)(const struct pb_trial *, int), int what,
    struct pb_interval range, double confidence, double *x)
{
	return pick_numbers(g, number, what, x)
	           ? mean_estimate(x, g->n, range, confidence)
	           : UNKNOWN;
}

static void
fill_means(const struct pb_group *g, struct pb_summary *s, double confidence,
    double *x)
{
	const struct pb_interval above = {0, INFINITY};
	const struct pb_interval all = {
	    0, s->at_least < 0 ? INFINITY : s->total};

	s->pellets = mean_of(g, main_number, PB_BY_PELLETS, all, confidence, x);
	s->score =
	    mean_of(g, main_number, PB_BY_SCORE, ANYTHING, confidence, x);
	s->deaths = mean_of(g, main_number, PB_BY_DEATHS, above, confidence, x);
	s->time_mean =
	    mean_of(g, main_number, PB_BY_TIME, above, confidence, x).value;
	/* No pellets and no score: this rule set has no scores. */
	if (s->total == 0 && s->score.value == 0)
		s->score = UNKNOWN;
	s->time_q1 = s->time_median = s->time_q3 = NAN;
	/* x is sorted here. */
	if (!isnan(s->time_mean)) {
		s->time_q1 = pb_quantile(x, g->n, 0.25);
		s->time_median = pb_quantile(x, g->n, 0.5);
		s->time_q3 = pb_quantile(x, g->n, 0.75);
	}
}

static const char *const track_name[] = {[PB_TRACK_MEAN] = "error_mean",
    [PB_TRACK_MEDIAN] = "error_median",
    [PB_TRACK_RMS] = "error_rms",
    [PB_TRACK_PACE] = "pace",
    [PB_TRACK_CELL] = "wrong_cell",
    [PB_TRACK_LOST] = "lost_updates",
    [PB_TRACK_WRONG] = "wrong_updates"};

/* A track of a trial; the square of a root mean square. */
static double
squared_track(const struct pb_trial *e, int t)
{
	int track = pb_trial_track(e, (enum pb_tally_track)t);
	double m = PB_US * track;

	if (track < 0)
		return NAN;
	if (t >= PB_TRACK_CELL)
		return (double)track / e->updates;
	return t == PB_TRACK_RMS ? m * m : m;
}

static void
sum_tracks(const struct pb_group *g, struct pb_summary *s, double confidence,
    double *x)
{
	struct pb_interval range = {0, 1};
	struct pb_estimate *rms = &s->track[PB_TRACK_RMS];
	double updates = 0;

	for (size_t i = 0; i < g->n; i++)
		updates += g->trial[i].updates;
	s->updates_mean = updates > 0 ? updates / (double)g->n : NAN;
	for (int t = 0; t < PB_TRACKS; t++) {
		range.hi = t < PB_TRACK_CELL ? INFINITY : 1;
		s->track[t] =
		    mean_of(g, squared_track, t, range, confidence, x);
	}
	rms->value = sqrt(rms->value);
	rms->in.lo = sqrt(rms->in.lo);
	rms->in.hi = sqrt(rms->in.hi);
}

static int
compare_hash(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Count the different games by hash; h: room for all hashes. */
static long
count_distinct(const struct pb_group *g, uint64_t *h)
{
	size_t n = 0;
	long k = 0;

	for (size_t i = 0; i < g->n; i++)
		if (g->trial[i].hash != 0)
			h[n++] = g->trial[i].hash;
	qsort(h, n, sizeof(*h), compare_hash);
	for (size_t i = 0; i < n; i++)
		k += i == 0 || h[i] != h[i - 1];
	return n > 0 ? k : -1;
}

/* Sort the words, so that the input's order has no effect. */
static void
sort_words(struct pb_tally_words *c)
{
	for (int i = 1; i < c->n; i++)
		for (int k = i; k > 0; k--) {
			char *a = c->word[k - 1], *b = c->word[k];
			char name[PB_TRIAL_NAME];
			long n = c->count[k];

			if (strcmp(a, b) < 0)
				break;
			memcpy(name, a, sizeof(name));
			memcpy(a, b, sizeof(name));
			memcpy(b, name, sizeof(name));
			c->count[k] = c->count[k - 1];
			c->count[k - 1] = n;
		}
}

enum pb_status
pb_tally_summary(
    const struct pb_tally *t, int i, double confidence, struct pb_summary *s)
{
	const struct pb_group *g;
	void *room; /* of doubles, or of hashes */
	double *x;

	assert(i >= 0 && i < t->groups);
	g = &t->group[i];
	x = room = malloc((g->n + 1) * sizeof(double));
	/* A group is empty only if memory for its trial was short. */
	if (!x || g->n == 0) {
		free(x);
		return PB_ENOMEM;
	}
	*s = (struct pb_summary){.key = g->key,
	    .one_seed = g->one_seed,
	    .builds = g->builds,
	    .outcomes = g->outcomes,
	    .causes = g->causes,
	    .distinct = count_distinct(g, room)};
	fill_counts(g, s);
	fill_means(g, s, confidence, x);
	sum_tracks(g, s, confidence, x);
	sort_words(&s->outcomes);
	sort_words(&s->causes);
	s->rate = pb_rate_interval((double)s->k, (double)s->n, confidence);
	s->most = s->at_least < 0 ? NO_INTERVAL
	                          : pb_rate_interval((double)s->at_least,
					(double)s->n, confidence);
	free(x);
	return PB_OK;
}

static bool
find_word_rate(
    const struct pb_tally_words *c, const char *name, long n, double *value)
{
	for (int i = 0; i < c->n; i++)
		if (strcmp(name, c->word[i]) == 0) {
			*value = (double)c->count[i] / n;
			return true;
		}
	return false;
}

bool
pb_summary_number(const struct pb_summary *s, const char *name,
    const char *const *known, double *value)
{
	const struct pb_named numbers[] = {
	    {"n", s->n},
	    {"distinct", s->distinct < 0 ? NAN : s->distinct},
	    {"success", (double)s->k / s->n},
	    {"success.lo", s->rate.lo},
	    {"success.hi", s->rate.hi},
	    {"all_but_one", s->at_least < 0 ? NAN : (double)s->at_least / s->n},
	    {"all_but_one.lo", s->most.lo},
	    {"all_but_one.hi", s->most.hi},
	    {"pellets", s->pellets.value},
	    {"score", s->score.value},
	    {"deaths", s->deaths.value},
	    {"levels", s->levels_mean},
	    {"time", s->time_mean},
	    {"median_time", s->time_median},
	    {"updates", s->updates_mean},
	};

	if (PB_NAMED(numbers, name, value))
		return true;
	for (int t = 0; t < PB_TRACKS; t++)
		if (strcmp(name, track_name[t]) == 0) {
			*value = s->track[t].value;
			return true;
		}
	if (find_word_rate(&s->outcomes, name, s->n, value) ||
	    find_word_rate(&s->causes, name, s->n, value))
		return true;
	*value = 0;
	for (; known && *known; known++)
		if (strcmp(name, *known) == 0)
			return true;
	/* Outcomes of all games with outside programs. */
	return strcmp(name, "forfeit") == 0 || strcmp(name, "void") == 0;
}

/* Count which player did better on a trial. */
static void
count_winner(
    struct pb_comparison *c, const struct pb_trial *e, const struct pb_trial *f)
{
	struct pb_merit a = pb_trial_merit(e, c->by);
	struct pb_merit b = pb_trial_merit(f, c->by);
	int order = pb_merit_compare(&a, &b);

	c->won.first += order > 0;
	c->won.second += order < 0;
	c->won.both += order == 0 && a.won && b.won;
	c->won.none += order == 0 && !(a.won && b.won);
}

/* Compute differences trial by trial, and the winner. Returns the number of
 * common trials. */
static size_t
compare_trials(const struct pb_group *a, const struct pb_group *b,
    struct pb_comparison *c, double *pellets, double *time, double *effect)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++) {
		const struct pb_trial *e = &a->trial[i];
		const struct pb_trial *f = pb_group_find(b, e->seed, e->trial);

		if (!f)
			continue;
		count_winner(c, e, f);
		effect[n] =
		    pb_trial_effect(e, c->by) - pb_trial_effect(f, c->by);
		c->effect.value += effect[n];
		pellets[n] = main_number(e, PB_BY_PELLETS) -
		             main_number(f, PB_BY_PELLETS);
		c->pellets.value += pellets[n];
		c->time.value +=
		    pb_trial_capped(e) < 0 || pb_trial_capped(f) < 0 ? NAN : 0;
		time[n++] =
		    PB_US * (double)(pb_trial_capped(e) - pb_trial_capped(f));
	}
	return n;
}

enum pb_status
pb_tally_compare(const struct pb_tally *t, int i, const struct pb_tally *u,
    int j, struct pb_criterion by, double confidence, struct pb_comparison *c)
{
	const struct pb_group *a = &t->group[i], *b = &u->group[j];
	struct pb_comparison r = {.first = i, .second = j, .by = by};
	double *x = malloc(3 * a->n * sizeof(*x));
	size_t n;

	if (!x)
		return PB_ENOMEM;
	n = compare_trials(a, b, &r, x, x + a->n, x + 2 * a->n);
	if (n == 0) {
		free(x);
		return PB_ENOENT;
	}
	r.n = (long)n;
	r.alone = (long)(a->n + b->n - 2 * n);
	r.rate.value = (double)(r.won.first - r.won.second) / r.n;
	r.rate.in = pb_pairs_interval(r.won, confidence);
	r.least = pb_pairs_least(r.won, confidence, PB_POWER);
	r.p = r.p_holm = pb_mcnemar(r.won);
	r.effect = isnan(r.effect.value) ? UNKNOWN
	           : pb_criterion_is_rate(by)
	               ? r.rate
	               : mean_estimate(x + 2 * a->n, n, ANYTHING, confidence);
	/* A failure without a time still has lost; else the difference is
	 * unknown. */
	if (isnan(r.effect.value) && by.measure != PB_BY_TIME) {
		r.rate = UNKNOWN;
		r.least = r.p = r.p_holm = NAN;
		memset(&r.won, 0, sizeof(r.won));
	}
	r.pellets = isnan(r.pellets.value)
	                ? UNKNOWN
	                : mean_estimate(x, n, ANYTHING, confidence);
	if (!isnan(r.time.value))
		r.time = mean_estimate(x + a->n, n, ANYTHING, confidence);
	if (isnan(r.time.value) || r.won.both == r.n)
		r.time.in = NO_INTERVAL;
	free(x);
	*c = r;
	return PB_OK;
}

/* Whether two groups have one player and one task; options may differ. */
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

/* Values averaged over all maps and rounds. */
enum { RATE, SHARE, TIME, VALUES };

/*
 * Trial i of all maps and rounds uses the same random numbers, so that these
 * are not independent: in a house, the mean of ten rounds varies twice as much
 * as if they were. Independent are the trials: all results of one seed and
 * number. A part is what one result contributes to the mean of the means.
 */
struct part {
	uint64_t seed;
	uint64_t trial;
	size_t stratum;
	double weight;      /* its weight in the mean */
	double off[VALUES]; /* weight times deviation from the stratum's mean */
};

struct columns {
	struct pb_pool room;           /* owner of all arrays */
	const struct pb_group **group; /* by stratum: its group */
	size_t strata;
	size_t all;        /* results of all strata */
	size_t least;      /* results of the smallest stratum */
	struct part *part; /* parts of all results; after joining of trials */
	size_t trials;
	double mean[VALUES]; /* means of the strata's means */
	double *x;           /* work space for all results */
};

/* Whether two groups are of one player with the same constants. */
static bool
same_player(const struct pb_trial *a, const struct pb_trial *b)
{
	return a->options == b->options && strcmp(a->rules, b->rules) == 0 &&
	       strcmp(a->policy, b->policy) == 0;
}

/* Sort strata, so that the input's order has no effect. */
static int
compare_task(const void *a, const void *b)
{
	const struct pb_trial *x = &(*(const struct pb_group *const *)a)->key;
	const struct pb_trial *y = &(*(const struct pb_group *const *)b)->key;

	if (x->map_hash != y->map_hash)
		return x->map_hash < y->map_hash ? -1 : 1;
	return x->round < y->round ? -1 : x->round > y->round;
}

static int
compare_trial(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->seed != y->seed)
		return x->seed < y->seed ? -1 : 1;
	if (x->trial != y->trial)
		return x->trial < y->trial ? -1 : 1;
	return x->stratum < y->stratum ? -1 : x->stratum > y->stratum;
}

/* Collect the strata of group i's player; false without memory. */
static bool
make_columns(struct columns *c, const struct pb_tally *t, int i)
{
	c->group = pb_pool_get(
	    &c->room, (size_t)t->groups, sizeof(const struct pb_group *));
	if (!c->group)
		return false;
	for (int k = i; k < t->groups; k++)
		if (same_player(&t->group[i].key, &t->group[k].key))
			c->group[c->strata++] = &t->group[k];
	qsort(
	    c->group, c->strata, sizeof(const struct pb_group *), compare_task);
	c->least = c->group[0]->n;
	for (size_t k = 0; k < c->strata; k++) {
		c->all += c->group[k]->n;
		if (c->group[k]->n < c->least)
			c->least = c->group[k]->n;
	}
	c->x = pb_pool_get(&c->room, c->all, sizeof(*c->x));
	c->part = pb_pool_get(&c->room, c->all, sizeof(*c->part));
	return !c->room.failed;
}

/* Value v of a trial, NAN: unknown. */
static double
get_value(const struct pb_trial *e, int v)
{
	if (v == SHARE)
		return e->total > 0 && e->collected >= 0
		           ? (double)e->collected / e->total
		           : NAN;
	return pb_trial_number(e, v == RATE ? PB_BY_SUCCESS : PB_BY_TIME);
}

static void
fill_stratum(struct columns *c, size_t k, struct part *part)
{
	const struct pb_group *g = c->group[k];
	double weight = 1 / ((double)g->n * (double)c->strata);
	double mean[VALUES];

	for (int v = 0; v < VALUES; v++) {
		mean[v] = NAN;
		if (pick_numbers(g, get_value, v, c->x)) {
			pb_sort(c->x, g->n);
			mean[v] = pb_mean(c->x, g->n);
		}
		c->mean[v] += mean[v];
	}
	for (size_t m = 0; m < g->n; m++) {
		const struct pb_trial *e = &g->trial[m];

		part[m] = (struct part){.seed = e->seed,
		    .trial = e->trial,
		    .stratum = k,
		    .weight = weight};
		for (int v = 0; v < VALUES; v++)
			part[m].off[v] = weight * (get_value(e, v) - mean[v]);
	}
}

static void
join_trials(struct columns *c)
{
	struct part *part = c->part;

	for (size_t k = 0; k < c->strata; k++) {
		fill_stratum(c, k, part);
		part += c->group[k]->n;
	}
	for (int v = 0; v < VALUES; v++)
		c->mean[v] /= (double)c->strata;
	qsort(c->part, c->all, sizeof(*c->part), compare_trial);
	for (size_t i = 0; i < c->all; i++) {
		const struct part *p = &c->part[i];
		struct part *last = c->part + c->trials - (c->trials > 0);

		if (c->trials == 0 || last->seed != p->seed ||
		    last->trial != p->trial) {
			c->part[c->trials++] = *p;
			continue;
		}
		last->weight += p->weight;
		for (int v = 0; v < VALUES; v++)
			last->off[v] += p->off[v];
	}
}

/* The effective number of trials if all results within a stratum were equal
 * (Kish). */
static double
fewest_trials(const struct columns *c)
{
	double sum = 0;

	for (size_t i = 0; i < c->trials; i++)
		sum += c->part[i].weight * c->part[i].weight;
	return 1 / sum;
}

/*
 * The exact interval for the effective number of trials (Korn and Graubard,
 * "Confidence intervals for proportions with small expected number of positive
 * counts estimated from survey data", 1998); fewest_trials() if the trials do
 * not differ.
 */
static struct pb_interval
rate_interval(const struct columns *c, double confidence)
{
	double n = (double)c->trials, fewest = fewest_trials(c), var = 0;
	double trials = fewest, rate = c->mean[RATE];

	for (size_t i = 0; i < c->trials; i++)
		var += c->part[i].off[RATE] * c->part[i].off[RATE];
	if (var > 0 && c->least > 1) {
		double z = -pb_normal_quantile((1 - confidence) / 2);
		double t = pb_t_two_sided(confidence, (double)c->least - 1);

		trials = rate * (1 - rate) / (var * n / (n - 1));
		trials *= (z / t) * (z / t);
		trials = fmin(fmax(trials, fewest), (double)c->all);
	}
	return pb_rate_interval(rate * trials, trials, confidence);
}

/* Estimate of the mean of values in [0, most], from each trial's deviation. */
static struct pb_estimate
mean_over(const struct columns *c, int v, double most, double confidence)
{
	const struct pb_interval range = {0, most};
	struct pb_estimate e = {c->mean[v], NO_INTERVAL};

	for (size_t i = 0; i < c->trials; i++)
		c->x[i] = e.value + (double)c->trials * c->part[i].off[v];
	if (c->least >= PB_MEAN_LEAST)
		e.in = pb_mean_interval(
		    c->x, c->trials, (double)c->least - 1, range, confidence);
	return e;
}

static struct pb_trial
aggregate_key(const struct pb_trial *k)
{
	struct pb_trial key = {.options = k->options, .settings = k->settings};

	memcpy(key.rules, k->rules, sizeof(key.rules));
	memcpy(key.policy, k->policy, sizeof(key.policy));
	memcpy(key.preset, k->preset, sizeof(key.preset));
	return key;
}

static enum pb_status
add_aggregate(
    struct pb_report *r, const struct pb_tally *t, int i, double confidence)
{
	struct columns c = {0};
	struct pb_aggregate a = {.key = aggregate_key(&t->group[i].key)};

	if (make_columns(&c, t, i) && c.strata > 1) {
		a.strata = (int)c.strata;
		a.n = (long)c.all;
		join_trials(&c);
		a.trials = (long)c.trials;
		a.rate.value = c.mean[RATE];
		a.rate.in = rate_interval(&c, confidence);
		a.pellets = mean_over(&c, SHARE, 1, confidence);
		a.time = mean_over(&c, TIME, INFINITY, confidence);
		if (a.rate.value == 1)
			a.time.in = NO_INTERVAL;
		r->aggregate[r->aggregates++] = a;
	}
	pb_pool_clear(&c.room);
	return c.room.failed ? PB_ENOMEM : PB_OK;
}

/* Whether group i is the first of its kind. */
static bool
is_first(const struct pb_tally *t, int i,
    bool (*same)(const struct pb_trial *, const struct pb_trial *))
{
	for (int k = 0; k < i; k++)
		if (same(&t->group[k].key, &t->group[i].key))
			return false;
	return true;
}

/* Comparisons being collected. */
struct list {
	struct pb_comparison **at;
	int *n;
	size_t room;
};

/* Add group i of t against group j of u, if they have trials in common:
 * PB_OK, PB_ENOENT (none in common) or PB_ENOMEM. */
static enum pb_status
add_comparison(struct list *l, const struct pb_tally *t, int i,
    const struct pb_tally *u, int j, const struct pb_report_opts *o)
{
	struct pb_criterion by = {.measure = PB_BY_SUCCESS};
	enum pb_status s;

	if (o->by)
		by = o->by(o->by_ctx, t->group[i].key.rules);
	if (!pb_grow(l->at, (size_t)*l->n, &l->room, sizeof(**l->at)))
		return PB_ENOMEM;
	s = pb_tally_compare(t, i, u, j, by, o->confidence, *l->at + *l->n);
	*l->n += s == PB_OK;
	return s;
}

/* Whether two comparisons belong to one family of tests; without a tally all
 * do. */
static bool
is_one_family(const struct pb_tally *t, const struct pb_comparison *a,
    const struct pb_comparison *b)
{
	return t == NULL || a->first == b->first || a->first == b->second ||
	       pb_tally_comparable(t, a->first, b->first) ||
	       pb_tally_comparable(t, a->first, b->second);
}

/* Apply Holm's correction to c[n]: to all together, or, with their tally, to
 * those of each task. PB_OK or PB_ENOMEM. */
static enum pb_status
correct_family(struct pb_comparison *c, int n, const struct pb_tally *t)
{
	double *p = malloc((2 * (size_t)n + 1) * sizeof(*p));

	for (int i = 0; p && i < n; i++) {
		size_t m = 0;
		int first = i;

		for (int k = n; k-- > 0;)
			if (is_one_family(t, &c[i], &c[k]))
				p[m++] = c[first = k].p;
		if (first < i)
			continue;
		pb_holm(p, m, p + n);
		for (int k = i; k < n; k++)
			if (is_one_family(t, &c[i], &c[k]))
				c[k].p_holm = p[(size_t)n + --m];
	}
	free(p);
	return p ? PB_OK : PB_ENOMEM;
}

static enum pb_status
compare_all(struct pb_report *r, const struct pb_tally *t,
    const struct pb_report_opts *o)
{
	struct list l = {&r->comparison, &r->comparisons, 0};

	for (int i = 0; i < t->groups; i++)
		for (int j = i + 1; j < t->groups; j++) {
			enum pb_status s;

			if (!pb_tally_comparable(t, i, j))
				continue;
			s = add_comparison(&l, t, j, t, i, o);
			if (s == PB_ENOMEM)
				return s;
			if (s == PB_ENOENT && r->apart++ == 0) {
				r->apart_pair[0] = i;
				r->apart_pair[1] = j;
			}
		}
	return correct_family(r->comparison, r->comparisons, t);
}

/* Whether two groups may be cells of one sweep. */
static bool
same_sweep(const struct pb_trial *a, const struct pb_trial *b)
{
	return same_task(a, b) && strcmp(a->preset, b->preset) == 0 &&
	       strcmp(a->program, b->program) == 0 &&
	       strcmp(a->ghosts, b->ghosts) == 0;
}

/* Whether two groups have the same constants too. */
static bool
same_cell(const struct pb_trial *a, const struct pb_trial *b)
{
	return same_sweep(a, b) && pb_settings_equal(a->settings, b->settings);
}

/* Compare each cell of a sweep with the sweep's first. */
static enum pb_status
compare_cells(struct pb_report *r, const struct pb_tally *t,
    const struct pb_report_opts *o)
{
	struct list l = {&r->cell, &r->cells, 0};
	enum pb_status s = PB_OK;

	for (int i = 0; s == PB_OK && i < t->groups; i++) {
		int from = r->cells;

		if (!is_first(t, i, same_sweep))
			continue;
		for (int k = i + 1; k < t->groups; k++)
			if (same_sweep(&t->group[i].key, &t->group[k].key) &&
			    is_first(t, k, same_cell) &&
			    add_comparison(&l, t, k, t, i, o) == PB_ENOMEM)
				return PB_ENOMEM;
		if (r->cells > from)
			s = correct_family(
			    r->cell + from, r->cells - from, NULL);
	}
	return s;
}

/* Compare each group with the same one of the base tally. */
static enum pb_status
compare_base(struct pb_report *r, const struct pb_tally *t,
    const struct pb_report_opts *o)
{
	struct list l = {&r->against, &r->againsts, 0};

	for (int i = 0; i < t->groups; i++) {
		int j = pb_tally_find(t, i, o->base);

		if (j >= 0 &&
		    add_comparison(&l, t, i, o->base, j, o) == PB_ENOMEM)
			return PB_ENOMEM;
	}
	return correct_family(r->against, r->againsts, NULL);
}

enum pb_status
pb_report_make(struct pb_report *r, const struct pb_tally *t,
    const struct pb_report_opts *o)
{
	size_t room = (size_t)t->groups + 1;
	struct pb_report made = {.summary = calloc(room, sizeof(*r->summary)),
	    .aggregate = calloc(room, sizeof(*r->aggregate))};
	enum pb_status s = made.summary && made.aggregate ? PB_OK : PB_ENOMEM;

	for (int i = 0; s == PB_OK && i < t->groups; i++) {
		s = pb_tally_summary(t, i, o->confidence, &made.summary[i]);
		made.summaries += s == PB_OK;
	}
	if (s == PB_OK && (s = compare_all(&made, t, o)) == PB_OK &&
	    (s = compare_cells(&made, t, o)) == PB_OK && o->base)
		s = compare_base(&made, t, o);
	for (int i = 0; s == PB_OK && i < t->groups; i++)
		if (is_first(t, i, same_player))
			s = add_aggregate(&made, t, i, o->confidence);
	if (s == PB_OK)
		*r = made;
	else
		pb_report_clear(&made);
	return s;
}

void
pb_report_clear(struct pb_report *r)
{
	free(r->summary);
	free(r->comparison);
	free(r->against);
	free(r->cell);
	free(r->aggregate);
	*r = (struct pb_report){0};
}
