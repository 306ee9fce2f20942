/* tally.c - sort finished trials into groups, and order trials by how well they
 * went. */
#include "pb/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/pool.h"
#include "stats/tally_state.h"

/*
 * Largest time (s): above all limits of games, and exact in whole microseconds.
 */
#define TIME_MAX 1e12

/* Largest score (points): exact in millionths. */
#define SCORE_MAX 1e12
#define SCORE     1e6

/* Errors are clamped to this (m). */
#define LENGTH_MAX 2000.0

/* Hash of the options without the player's part: its program, weights and
 * constants. */
static uint64_t
hash_options(const struct pb_trial *r)
{
	return r->options ^ (r->program[0] ? PB_TRIAL_PROGRAM : 0) ^
	       r->weights ^ r->own;
}

/* Whether a and b belong to one group, in all but the policy if !policy. */
static bool
same_group(const struct pb_trial *a, const struct pb_trial *b, bool policy)
{
	return a->map_hash == b->map_hash &&
	       (policy ? a->options == b->options
		       : hash_options(a) == hash_options(b)) &&
	       a->round == b->round && strcmp(a->rules, b->rules) == 0 &&
	       (!policy || strcmp(a->policy, b->policy) == 0);
}

/* The group of r, -1 if none. Trials mostly repeat the order of groups, so the
 * search starts after the last group found. */
static int
find_group(const struct pb_tally *t, const struct pb_trial *r)
{
	for (int i = 0; i < t->groups; i++) {
		int g = (t->last + 1 + i) % t->groups;

		if (same_group(&t->group[g].key, r, true))
			return g;
	}
	return -1;
}

/* Slot of (seed, trial) in g's table: where it is or would be. */
static size_t
find_slot(const struct pb_group *g, uint64_t seed, uint64_t trial)
{
	uint64_t h = pb_hash_u64(pb_hash_u64(PB_HASH_START, seed), trial);
	size_t s = (size_t)(h ^ h >> 32) & (g->slots - 1);

	for (; g->slot[s]; s = (s + 1) & (g->slots - 1)) {
		const struct pb_trial *e = &g->trial[g->slot[s] - 1];

		if (e->seed == seed && e->trial == trial)
			break;
	}
	return s;
}

const struct pb_trial *
pb_group_find(const struct pb_group *g, uint64_t seed, uint64_t trial)
{
	size_t s;

	if (g->slots == 0)
		return NULL;
	s = find_slot(g, seed, trial);
	return g->slot[s] ? &g->trial[g->slot[s] - 1] : NULL;
}

/* Make room for one more trial and keep the table at most half full. */
static bool
grow_group(struct pb_group *g)
{
	size_t slots = g->slots ? 2 * g->slots : 64;
	struct pb_trial *all;
	size_t *slot;

	if (2 * (g->n + 1) <= g->slots)
		return true;
	all = realloc(g->trial, slots / 2 * sizeof(*all));
	if (!all)
		return false;
	g->trial = all;
	slot = calloc(slots, sizeof(*slot));
	if (!slot)
		return false;
	free(g->slot);
	g->slot = slot;
	g->slots = slots;
	for (size_t i = 0; i < g->n; i++)
		slot[find_slot(g, all[i].seed, all[i].trial)] = i + 1;
	return true;
}

int
pb_tally_word(const struct pb_tally_words *c, const char *word)
{
	int i = 0;

	while (i < c->n && strcmp(c->word[i], word) != 0)
		i++;
	return i;
}

static void
keep_word(struct pb_tally_words *c, int i, const char *word)
{
	if (i < c->n)
		return;
	memcpy(c->word[i], word, strlen(word) + 1);
	c->n++;
}

/* Add a build, unless it is unknown or there are too many. */
static void
add_build(struct pb_builds *b, uint64_t build)
{
	int i = 0;

	while (i < b->n && b->build[i] != build)
		i++;
	if (build == 0 || i == PB_BUILDS)
		return;
	b->build[i] = build;
	b->n += i == b->n;
}

/* A length in whole micrometres, as records have it. */
static int
to_micrometres(double m)
{
	return isnan(m) ? -1 : (int)llround(fmin(m, LENGTH_MAX) * 1e6);
}

/* (us) */
static int64_t
time_in_us(const struct pb_trial *t)
{
	return isnan(t->time) ? -1 : llround(t->time * 1e6);
}

int64_t
pb_trial_capped(const struct pb_trial *t)
{
	if (isnan(t->time) || (!t->success && !(t->limit > 0)))
		return -1;
	return t->success ? time_in_us(t)
	                  : llround(fmax(t->limit, t->time) * 1e6);
}

static int64_t
scaled_score(const struct pb_trial *t)
{
	return isnan(t->score) ? INT64_MIN : llround(t->score * SCORE);
}

int
pb_trial_track(const struct pb_trial *t, enum pb_tally_track what)
{
	const double length[] = {[PB_TRACK_MEAN] = t->error_mean,
	    [PB_TRACK_MEDIAN] = t->error_median,
	    [PB_TRACK_RMS] = t->error_rms,
	    [PB_TRACK_PACE] = t->pace};

	if (t->updates <= 0)
		return -1;
	return what == PB_TRACK_CELL    ? t->wrong_cell
	       : what == PB_TRACK_LOST  ? t->lost
	       : what == PB_TRACK_WRONG ? t->wrong
	                                : to_micrometres(length[what]);
}

static bool
same_result(const struct pb_trial *a, const struct pb_trial *b)
{
	for (int i = 0; i < PB_TRACKS; i++)
		if (pb_trial_track(a, (enum pb_tally_track)i) !=
		    pb_trial_track(b, (enum pb_tally_track)i))
			return false;
	return time_in_us(a) == time_in_us(b) &&
	       pb_trial_capped(a) == pb_trial_capped(b) &&
	       scaled_score(a) == scaled_score(b) &&
	       a->collected == b->collected && a->total == b->total &&
	       a->deaths == b->deaths && a->levels == b->levels &&
	       strcmp(a->outcome, b->outcome) == 0 &&
	       a->success == b->success && a->updates == b->updates;
}

static bool
is_sane(const struct pb_trial *r)
{
	return r->collected >= -1 && r->total >= -1 &&
	       (r->total < 0 || r->collected <= r->total) &&
	       r->total <= PB_TALLY_PELLETS && !(r->time < 0) &&
	       !(r->time > TIME_MAX) && !(r->limit > TIME_MAX) &&
	       !(fabs(r->score) > SCORE_MAX) && r->killers >= 0 &&
	       r->killers <= PB_KILLERS;
}

/* Compare lists by names and values; < 0: a comes first. */
static int
compare_settings(struct pb_settings a, struct pb_settings b)
{
	for (int i = 0; i < a.n && i < b.n; i++) {
		int name = strcmp(a.at[i].name, b.at[i].name);
		int order = name ? name : strcmp(a.at[i].value, b.at[i].value);

		if (order != 0)
			return order;
	}
	return (a.n > b.n) - (a.n < b.n);
}

bool
pb_settings_equal(struct pb_settings a, struct pb_settings b)
{
	return compare_settings(a, b) == 0;
}

const char *
pb_settings_value(struct pb_settings s, const char *name)
{
	for (int i = 0; i < s.n; i++)
		if (strcmp(s.at[i].name, name) == 0)
			return s.at[i].value;
	return NULL;
}

/*
 * Merge the constants of two equal keys: one lists more if a constant was
 * varied that has its default in the other. The result does not depend on the
 * order. False without memory.
 */
static bool
add_settings(struct pb_trial *key, struct pb_settings r)
{
	size_t size = (size_t)r.n * sizeof(*r.at);
	struct pb_setting *at;

	if (r.n < key->settings.n ||
	    (r.n == key->settings.n && compare_settings(r, key->settings) >= 0))
		return true;
	if ((at = malloc(size)) == NULL)
		return false;
	memcpy(at, r.at, size);
	free((struct pb_setting *)key->settings.at);
	key->settings = (struct pb_settings){at, r.n};
	return true;
}

/* Index of a cause, -1: none. The last free index is given to a cause without
 * its part after the colon: "ended: status 7" becomes "ended". */
static int
get_cause_index(const struct pb_group *g, char *cause)
{
	char *colon = strchr(cause, ':');
	int i = pb_tally_word(&g->causes, cause);

	if (colon && i >= PB_TALLY_OUTCOMES - 1) {
		*colon = '\0';
		i = pb_tally_word(&g->causes, cause);
	}
	return *cause ? i : -1;
}

static enum pb_tally_add
add_trial(struct pb_group *g, const struct pb_trial *trial)
{
	struct pb_trial copy = *trial, *r = &copy;
	int outcome = pb_tally_word(&g->outcomes, r->outcome);
	int cause = get_cause_index(g, r->cause);
	const struct pb_trial *old = pb_group_find(g, r->seed, r->trial);

	if (old && !same_result(old, r))
		return PB_TALLY_CONFLICT;
	/* Only the hash shows that games with equal results differ. */
	if (old && old->hash != r->hash && old->hash != 0 && r->hash != 0)
		return PB_TALLY_HASH;
	if (old)
		return add_settings(&g->key, r->settings) ? PB_TALLY_AGAIN
		                                          : PB_TALLY_NOMEM;
	if (outcome == PB_TALLY_OUTCOMES || cause == PB_TALLY_OUTCOMES)
		return PB_TALLY_REFUSED;
	if (!grow_group(g) || !add_settings(&g->key, r->settings))
		return PB_TALLY_NOMEM;
	keep_word(&g->outcomes, outcome, r->outcome);
	if (*r->cause)
		keep_word(&g->causes, cause, r->cause);
	add_build(&g->builds, r->build);
	g->trial[g->n] = *r;
	g->trial[g->n++].settings = (struct pb_settings){NULL, 0};
	g->slot[find_slot(g, r->seed, r->trial)] = g->n;
	g->one_seed &= r->seed == g->key.seed;
	if (strcmp(g->key.preset, r->preset) != 0)
		g->key.preset[0] = '\0';
	return PB_TALLY_ADDED;
}

enum pb_tally_add
pb_tally_add(struct pb_tally *t, const struct pb_trial *r)
{
	int i;

	if (!is_sane(r))
		return PB_TALLY_REFUSED;
	i = find_group(t, r);
	if (i < 0) {
		i = t->groups;
		if (!pb_grow(&t->group, (size_t)i, &t->room, sizeof(*t->group)))
			return PB_TALLY_NOMEM;
		t->group[i] = (struct pb_group){.key = *r, .one_seed = true};
		t->group[i].key.settings = (struct pb_settings){NULL, 0};
		t->groups++;
	}
	t->last = i;
	return add_trial(&t->group[i], r);
}

const struct pb_trial *
pb_tally_get(const struct pb_tally *t, const struct pb_trial *r)
{
	int i = find_group(t, r);

	return i < 0 ? NULL : pb_group_find(&t->group[i], r->seed, r->trial);
}

struct pb_builds
pb_tally_builds(const struct pb_tally *t)
{
	struct pb_builds all = {0};

	for (int i = 0; i < t->groups; i++)
		for (int k = 0; k < t->group[i].builds.n; k++)
			add_build(&all, t->group[i].builds.build[k]);
	return all;
}

int
pb_tally_groups(const struct pb_tally *t)
{
	return t->groups;
}

const struct pb_trial *
pb_tally_key(const struct pb_tally *t, int i)
{
	return &t->group[i].key;
}

bool
pb_tally_comparable(const struct pb_tally *t, int i, int j)
{
	const struct pb_trial *a = &t->group[i].key, *b = &t->group[j].key;

	return i != j && same_group(a, b, false) &&
	       strcmp(a->policy, b->policy) != 0;
}

struct pb_tally *
pb_tally_new(void)
{
	return calloc(1, sizeof(struct pb_tally));
}

void
pb_tally_free(struct pb_tally *t)
{
	if (!t)
		return;
	for (int i = 0; i < t->groups; i++) {
		free((struct pb_setting *)t->group[i].key.settings.at);
		free(t->group[i].trial);
		free(t->group[i].slot);
	}
	free(t->group);
	free(t);
}

/* Main number of each measure; PB_BY_RANK has further ones. */
static const struct {
	const char *name;
	bool less;   /* is better, and -1 not known; else INT64_MIN is not */
	double unit; /* of its amount */
} measures[PB_MEASURES] = {
    [PB_BY_RULES] = {"rules", false, 1},
    [PB_BY_SUCCESS] = {"success", false, 1},
    [PB_BY_SCORE] = {"score", false, SCORE},
    [PB_BY_PELLETS] = {"pellets", false, 1},
    [PB_BY_TIME] = {"time", true, 1 / PB_US},
    [PB_BY_DEATHS] = {"deaths", true, 1},
    [PB_BY_ERROR] = {"error", true, 1 / PB_US},
    [PB_BY_RANK] = {"rank", false, SCORE},
};

const char *
pb_measure_name(enum pb_measure m)
{
	return measures[m].name;
}

bool
pb_criterion_is_less(struct pb_criterion by)
{
	return measures[by.measure].less && by.sense == 0;
}

bool
pb_criterion_is_rate(struct pb_criterion by)
{
	return by.measure == PB_BY_SUCCESS || by.sense != 0;
}

static int64_t
main_amount(const struct pb_trial *e, enum pb_measure m)
{
	switch (m) {
	case PB_BY_SCORE:
	case PB_BY_RANK:
		return scaled_score(e);
	case PB_BY_PELLETS:
		return e->collected >= 0 && e->total != 0 ? e->collected
		                                          : INT64_MIN;
	case PB_BY_TIME:
		return pb_trial_capped(e);
	case PB_BY_DEATHS:
		return e->deaths;
	case PB_BY_ERROR:
		return pb_trial_track(e, PB_TRACK_MEAN);
	default:
		return e->success;
	}
}

double
pb_trial_number(const struct pb_trial *e, enum pb_measure m)
{
	int64_t v = main_amount(e, m);

	return v == INT64_MIN || (measures[m].less && v < 0)
	           ? NAN
	           : (double)v / measures[m].unit;
}

/* Value of a trial: larger is better, unknown is worst. */
static int64_t
value_of_trial(const struct pb_trial *e, enum pb_measure m)
{
	int64_t v = main_amount(e, m);

	return !measures[m].less ? v : v < 0 ? INT64_MIN : -v;
}

struct pb_merit
pb_trial_merit(const struct pb_trial *e, struct pb_criterion by)
{
	double v = pb_trial_number(e, by.measure);
	bool kept = by.sense > 0 ? v >= by.bound : v <= by.bound;
	struct pb_merit m = {e->success, {value_of_trial(e, by.measure)}};

	if (by.sense != 0)
		return (struct pb_merit){kept, {kept}};
	if (by.measure == PB_BY_RANK) {
		m.number[1] = value_of_trial(e, PB_BY_DEATHS);
		m.number[2] = value_of_trial(e, PB_BY_TIME);
	}
	return m;
}

double
pb_trial_effect(const struct pb_trial *e, struct pb_criterion by)
{
	double v = pb_trial_number(e, by.measure);

	return by.sense && !isnan(v) ? pb_trial_merit(e, by).won : v;
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
is_worse(
    const struct pb_trial *a, const struct pb_trial *b, struct pb_criterion by)
{
	struct pb_merit x = pb_trial_merit(a, by), y = pb_trial_merit(b, by);
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
pb_tally_worst(const struct pb_tally *t, int i, struct pb_criterion by, int n,
    struct pb_trial *out)
{
	const struct pb_group *g = &t->group[i];
	int have = 0, k;

	for (size_t e = 0; e < g->n; e++) {
		const struct pb_trial *x = &g->trial[e];

		if (pb_criterion_is_rate(by) && pb_trial_merit(x, by).won)
			continue;
		for (k = have; k > 0 && is_worse(x, &out[k - 1], by); k--)
			if (k < n)
				out[k] = out[k - 1];
		if (k == n)
			continue;
		out[k] = *x;
		out[k].settings = g->key.settings;
		memcpy(out[k].preset, g->key.preset, sizeof(out[k].preset));
		have += have < n;
	}
	return have;
}
