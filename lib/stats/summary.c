/* summary.c - what the groups of a tally come to, and how they compare. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "stats/tally_state.h"
#include "pb/tally.h"

/* Everything that is counted rather than sorted. */
static void
count_up(const struct pb_group *g, struct pb_summary *s)
{
	int64_t pellets = 0, score = 0, deaths = 0, levels = 0;
	int64_t parts = 0; /* of the score, in millionths */
	struct pb_time_sum capped = {0};
	bool die = true, level = true, timed = true;

	for (size_t i = 0; i < g->n; i++) {
		const struct pb_entry *e = &g->entry[i];

		s->k += e->success;
		s->but_one += e->collected == e->total - 1;
		s->at_least += e->collected >= e->total - 1;
		s->pellets[e->collected]++;
		s->outcomes.count[e->outcome]++;
		if (e->cause > 0)
			s->causes.count[e->cause - 1]++;
		pellets += e->collected;
		score += e->score / (int64_t)PB_SCORE;
		parts += e->score % (int64_t)PB_SCORE;
		deaths += e->deaths;
		levels += e->levels;
		die &= e->deaths >= 0;
		level &= e->levels >= 0;
		pb_time_add(&capped, e->capped);
		timed &= e->capped >= 0;
	}
	s->n = (long)g->n;
	s->pellets_mean = (double)pellets / (double)g->n;
	s->score_mean =
	    ((double)score + (double)parts / PB_SCORE) / (double)g->n;
	s->deaths_mean = die ? (double)deaths / (double)g->n : NAN;
	s->levels_mean = level ? (double)levels / (double)g->n : NAN;
	s->time_mean = timed ? pb_time_of(capped) / (double)g->n : NAN;
}

/* Who killed, if all trials tell. */
static void
count_kills(const struct pb_group *g, struct pb_summary *s)
{
	s->killers = g->entry[0].killers;
	for (size_t i = 0; i < g->n; i++) {
		const struct pb_entry *e = &g->entry[i];

		if (e->killers != s->killers)
			s->killers = 0;
		for (int k = 0; k < e->killers; k++)
			s->killed[k] =
			    e->killed[k] < 0 ? -1 : s->killed[k] + e->killed[k];
	}
}

struct pb_estimate
pb_mean_estimate(
    double *x, size_t n, struct pb_interval range, double confidence)
{
	pb_sort(x, n);
	return (struct pb_estimate){pb_mean(x, n),
	    pb_mean_interval(x, n, (double)n - 1, range, confidence)};
}

static void
iqm_interval(const struct pb_group *g, struct pb_summary *s, double confidence,
    double *x)
{
	const struct pb_interval range = {0, s->total};

	for (size_t i = 0; i < g->n; i++)
		x[i] = g->entry[i].collected;
	pb_sort(x, g->n);
	s->pellets_iqm = pb_iqm(x, g->n);
	s->iqm_in = pb_iqm_interval(x, g->n, (double)g->n, range, confidence);
}

static void
mean_intervals(const struct pb_group *g, struct pb_summary *s,
    double confidence, double *x)
{
	const struct pb_interval above = {0, INFINITY};

	for (size_t i = 0; i < g->n; i++)
		x[i] = (double)g->entry[i].score / PB_SCORE;
	s->score_in = pb_mean_estimate(x, g->n, PB_ANYTHING, confidence).in;
	s->deaths_in = PB_UNTOLD;
	if (isnan(s->deaths_mean))
		return;
	for (size_t i = 0; i < g->n; i++)
		x[i] = g->entry[i].deaths;
	s->deaths_in = pb_mean_estimate(x, g->n, above, confidence).in;
}

const char *
pb_tally_track_name(enum pb_tally_track t)
{
	static const char *const name[] = {[PB_TRACK_MEAN] = "error_mean",
	    [PB_TRACK_MEDIAN] = "error_median",
	    [PB_TRACK_RMS] = "error_rms",
	    [PB_TRACK_PACE] = "pace",
	    [PB_TRACK_CELL] = "wrong_cell",
	    [PB_TRACK_LOST] = "lost_updates",
	    [PB_TRACK_WRONG] = "wrong_updates"};

	return name[t];
}

/* One track of all trials into x; false if one of them lacks it. */
static bool
pick_track(const struct pb_group *g, enum pb_tally_track t, double *x)
{
	for (size_t i = 0; i < g->n; i++) {
		const struct pb_entry *e = &g->entry[i];
		int told = e->track[t];

		if (told < 0)
			return false;
		x[i] = t < PB_TRACK_CELL ? PB_US * told
		                         : (double)told / e->updates;
		if (t == PB_TRACK_RMS)
			x[i] *= x[i];
	}
	return true;
}

static void
sum_tracks(const struct pb_group *g, struct pb_summary *s, double confidence,
    double *x)
{
	struct pb_interval range = {0, 1};
	double updates = 0;

	for (size_t i = 0; i < g->n; i++)
		updates += g->entry[i].updates;
	s->updates_mean = updates > 0 ? updates / (double)g->n : NAN;
	for (int t = 0; t < PB_TRACKS; t++) {
		struct pb_estimate e = {NAN, PB_UNTOLD};

		range.hi = t < PB_TRACK_CELL ? INFINITY : 1;
		if (pick_track(g, (enum pb_tally_track)t, x))
			e = pb_mean_estimate(x, g->n, range, confidence);
		s->track[t] = e.value;
		s->track_in[t] = e.in;
	}
	s->track[PB_TRACK_RMS] = sqrt(s->track[PB_TRACK_RMS]);
	s->track_in[PB_TRACK_RMS].lo = sqrt(s->track_in[PB_TRACK_RMS].lo);
	s->track_in[PB_TRACK_RMS].hi = sqrt(s->track_in[PB_TRACK_RMS].hi);
}

static void
sort_up(const struct pb_group *g, struct pb_summary *s, double *x)
{
	for (size_t i = 0; i < g->n; i++)
		x[i] = PB_US * (double)g->entry[i].capped;
	s->time_q1 = s->time_median = s->time_q3 = NAN;
	if (isnan(s->time_mean))
		return;
	pb_sort(x, g->n);
	s->time_q1 = pb_quantile(x, g->n, 0.25);
	s->time_median = pb_quantile(x, g->n, 0.5);
	s->time_q3 = pb_quantile(x, g->n, 0.75);
}

static int
most_pellets(const struct pb_group *g)
{
	int most = 0;

	for (size_t i = 0; i < g->n; i++)
		if (g->entry[i].total > most)
			most = g->entry[i].total;
	return most;
}

static int
by_hash(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Games that differ; h: room for as many as there are. */
static long
count_distinct(const struct pb_group *g, uint64_t *h)
{
	size_t n = 0;
	long k = 0;

	for (size_t i = 0; i < g->n; i++)
		if (g->entry[i].hash != 0)
			h[n++] = g->entry[i].hash;
	qsort(h, n, sizeof(*h), by_hash);
	for (size_t i = 0; i < n; i++)
		k += i == 0 || h[i] != h[i - 1];
	return n > 0 ? k : -1;
}

/* Words in order, so that it says nothing about the input's. */
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

static struct pb_trial
group_key(const struct pb_group *g)
{
	struct pb_trial key = g->key;

	memset(key.outcome, 0, sizeof(key.outcome));
	key.trial = key.build = 0;
	key.collected = key.total = key.score = 0;
	key.time = key.limit = 0;
	key.deaths = key.levels = -1;
	key.killers = 0;
	memset(key.killed, 0, sizeof(key.killed));
	key.success = false;
	key.updates = key.wrong = key.lost = key.wrong_cell = 0;
	return key;
}

enum pb_status
pb_tally_summary(
    const struct pb_tally *t, int i, double confidence, struct pb_summary *s)
{
	const struct pb_group *g;
	int total;
	long *pellets;
	void *room; /* of doubles, or of hashes */
	double *x;

	assert(i >= 0 && i < t->groups);
	g = &t->group[i];
	total = most_pellets(g);
	pellets = calloc((size_t)total + 1, sizeof(*pellets));
	x = room = malloc((g->n + 1) * sizeof(double));
	/* A group is empty only where there was no memory for its trial. */
	if (!pellets || !x || g->n == 0) {
		free(pellets);
		free(x);
		return PB_ENOMEM;
	}
	*s = (struct pb_summary){.key = group_key(g),
	    .one_seed = g->one_seed,
	    .builds = g->builds,
	    .total = total,
	    .pellets = pellets,
	    .outcomes = g->outcomes,
	    .causes = g->causes,
	    .distinct = count_distinct(g, room)};
	count_up(g, s);
	count_kills(g, s);
	sort_up(g, s, x);
	iqm_interval(g, s, confidence, x);
	mean_intervals(g, s, confidence, x);
	sum_tracks(g, s, confidence, x);
	sort_words(&s->outcomes);
	sort_words(&s->causes);
	s->rate = pb_rate_interval((double)s->k, (double)s->n, confidence);
	s->most =
	    pb_rate_interval((double)s->at_least, (double)s->n, confidence);
	free(x);
	return PB_OK;
}

void
pb_summary_clear(struct pb_summary *s)
{
	free(s->pellets);
	*s = (struct pb_summary){0};
}

static bool
word_rate(
    const struct pb_tally_words *c, const char *name, long n, double *value)
{
	for (int i = 0; i < c->n; i++)
		if (strcmp(name, c->word[i]) == 0) {
			*value = (double)c->count[i] / n;
			return true;
		}
	return false;
}

/* Of any game whose players are programs. */
static const char *const of_programs[] = {"forfeit", "void"};

static bool
outcome_rate(const struct pb_summary *s, const char *name,
    const char *const *known, double *value)
{
	if (word_rate(&s->outcomes, name, s->n, value) ||
	    word_rate(&s->causes, name, s->n, value))
		return true;
	*value = 0;
	for (; known && *known; known++)
		if (strcmp(name, *known) == 0)
			return true;
	return strcmp(name, of_programs[0]) == 0 ||
	       strcmp(name, of_programs[1]) == 0;
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
	    {"all_but_one", (double)s->at_least / s->n},
	    {"all_but_one.lo", s->most.lo},
	    {"all_but_one.hi", s->most.hi},
	    {"pellets", s->pellets_mean},
	    {"pellets_iqm", s->pellets_iqm},
	    {"score", s->score_mean},
	    {"deaths", s->deaths_mean},
	    {"levels", s->levels_mean},
	    {"time", s->time_mean},
	    {"median_time", s->time_median},
	    {"updates", s->updates_mean},
	};

	if (PB_NAMED(numbers, name, value))
		return true;
	for (int t = 0; t < PB_TRACKS; t++)
		if (strcmp(name, pb_tally_track_name((enum pb_tally_track)t)) ==
		    0) {
			*value = s->track[t];
			return true;
		}
	return outcome_rate(s, name, known, value);
}

/* Who did better on a trial. */
static void
count(
    struct pb_comparison *c, const struct pb_entry *e, const struct pb_entry *f)
{
	struct pb_merit a = pb_entry_merit(e, c->by);
	struct pb_merit b = pb_entry_merit(f, c->by);
	int order = pb_merit_compare(&a, &b);

	c->won.first += order > 0;
	c->won.second += order < 0;
	c->won.both += order == 0 && a.won && b.won;
	c->won.none += order == 0 && !(a.won && b.won);
}

/* Differences trial by trial, and who won; how many trials are common. */
static size_t
pair_up(const struct pb_group *a, const struct pb_group *b,
    struct pb_comparison *c, double *pellets, double *time, double *effect)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++) {
		const struct pb_entry *e = &a->entry[i];
		const struct pb_entry *f = pb_group_find(b, e->seed, e->trial);

		if (!f)
			continue;
		count(c, e, f);
		effect[n] =
		    pb_entry_effect(e, c->by) - pb_entry_effect(f, c->by);
		c->effect += effect[n];
		pellets[n] = e->collected - f->collected;
		c->time += e->capped < 0 || f->capped < 0 ? NAN : 0;
		time[n++] = PB_US * (double)(e->capped - f->capped);
	}
	return n;
}

static void
set_effect(struct pb_comparison *c, double *d, double confidence)
{
	struct pb_estimate e = {c->effect, PB_UNTOLD};

	if (pb_by_is_rate(c->by))
		e = (struct pb_estimate){c->rate, c->rate_in};
	else if (!isnan(c->effect))
		e = pb_mean_estimate(d, (size_t)c->n, PB_ANYTHING, confidence);
	c->effect = e.value;
	c->effect_in = e.in;
}

enum pb_status
pb_tally_compare(const struct pb_tally *t, int i, const struct pb_tally *u,
    int j, struct pb_by by, double confidence, struct pb_comparison *c)
{
	const struct pb_group *a = &t->group[i], *b = &u->group[j];
	struct pb_comparison r = {.first = i, .second = j, .by = by};
	double *x = malloc(3 * a->n * sizeof(*x));
	struct pb_estimate pellets, time;
	size_t n;

	if (!x)
		return PB_ENOMEM;
	n = pair_up(a, b, &r, x, x + a->n, x + 2 * a->n);
	if (n == 0) {
		free(x);
		return PB_ENOENT;
	}
	r.n = (long)n;
	r.alone = (long)(a->n + b->n - 2 * n);
	r.rate = (double)(r.won.first - r.won.second) / r.n;
	r.rate_in = pb_pairs_interval(r.won, confidence);
	r.least = pb_pairs_least(r.won, confidence, PB_POWER);
	r.p = r.p_holm = pb_mcnemar(r.won);
	set_effect(&r, x + 2 * a->n, confidence);
	pellets = pb_mean_estimate(x, n, PB_ANYTHING, confidence);
	time = pb_mean_estimate(x + a->n, n, PB_ANYTHING, confidence);
	r.pellets = pellets.value;
	r.pellets_in = pellets.in;
	/* It is NAN where a time is not known; or nobody failed. */
	r.time_in = isnan(r.time) || r.won.both == r.n ? PB_UNTOLD : time.in;
	r.time += time.value;
	free(x);
	*c = r;
	return PB_OK;
}

bool
pb_same_task(const struct pb_trial *a, const struct pb_trial *b)
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

		if (!pb_same_task(key, k))
			continue;
		if (key->options == k->options)
			return j;
		found = found == -1 ? j : -2;
	}
	return found < 0 ? -1 : found;
}
