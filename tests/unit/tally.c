/* tally.c - tests of counting, summing up and comparing trials. */
#include "check.h"
#include "made_trials.h"

#include <math.h>

#include "pb/tally.h"
#include "stats/tally_state.h"

/* A made-up benchmark: player b wins more often, and neither sorted. */
static struct pb_trial
random_trial(int player, uint64_t i)
{
	struct pb_trial r;
	struct pb_rng g;
	double luck;

	pb_rng_start(&g, 3, i, PB_FOR_TRIAL, 0);
	luck = pb_rng_unit(&g) + 0.3 * pb_rng_unit(&g) * player;
	r = trial_of(player ? "b" : "a", i, luck > 0.5);
	r.seed = i % 2;
	if (!r.success) {
		r.collected = r.score = (int)pb_rng_below(&g, 8);
		strcpy(r.outcome, luck < 0.2 ? "timeout" : "killed");
	}
	r.time = 0.000001 * pb_rng_below(&g, 900000000);
	return r;
}

test(groups)
{
	struct pb_tally *t = pb_tally_new();
	struct pb_trial other = trial_of("a", 0, true);

	check_int(pb_tally_groups(t), 0);
	add(t, trial_of("a", 0, true));
	add(t, trial_of("b", 0, true));
	add(t, trial_of("a", 1, false));
	other.round = 2;
	add(t, other);
	other.options = 6;
	add(t, other);
	other.map_hash = 78;
	add(t, other);
	strcpy(other.rules, "pacbot");
	add(t, other);
	strcpy(other.map, "another name"); /* for people only */
	check_int(pb_tally_add(t, &other), PB_TALLY_AGAIN);
	check_int(pb_tally_groups(t), 6);
	check(pb_tally_comparable(t, 0, 1) && pb_tally_comparable(t, 1, 0));
	check(!pb_tally_comparable(t, 0, 0));
	check(!pb_tally_comparable(t, 1, 2));
	pb_tally_free(t);
	pb_tally_free(NULL);
}

test(same_trial_twice)
{
	struct pb_tally *t = pb_tally_new();
	struct pb_trial a = trial_of("a", 4, true), b;
	struct pb_summary s;

	a.hash = 7;
	b = a;
	check(!pb_tally_get(t, &a));
	add(t, a);
	check_int(pb_tally_add(t, &a), PB_TALLY_AGAIN);
	b.time += 1e-9; /* below a microsecond */
	check_int(pb_tally_add(t, &b), PB_TALLY_AGAIN);
	b.time += 1e-3;
	check_int(pb_tally_add(t, &b), PB_TALLY_CONFLICT);
	b = trial_of("a", 4, false);
	check_int(pb_tally_add(t, &b), PB_TALLY_CONFLICT);
	b = a;
	b.hash = a.hash + 1;
	check_int(pb_tally_add(t, &b), PB_TALLY_HASH);
	b.hash = 0; /* not known */
	check_int(pb_tally_add(t, &b), PB_TALLY_AGAIN);
	check_int(pb_tally_summary(t, 0, 0.95, &s), PB_OK);
	check_int(s.n, 1);
	check_int(s.k, 1);
	pb_tally_free(t);
}

/* What is refused leaves nothing: no word, no constants. */
test(refused_leaves_nothing)
{
	struct pb_tally *t = pb_tally_new();
	struct pb_trial a = trial_of("a", 4, true), b = a;
	const struct pb_setting nine = {"lives", "9"};
	struct pb_summary s;

	a.hash = 7;
	add(t, a);
	b.settings = (struct pb_settings){&nine, 1};
	strcpy(b.outcome, "lost");
	strcpy(b.cause, "seen");
	check_int(pb_tally_add(t, &b), PB_TALLY_CONFLICT);
	memcpy(b.outcome, a.outcome, sizeof(b.outcome));
	b.hash = 8;
	check_int(pb_tally_add(t, &b), PB_TALLY_HASH);
	check_int(pb_tally_summary(t, 0, 0.95, &s), PB_OK);
	check_int(s.outcomes.n, 1);
	check_int(s.causes.n, 0);
	check_int(s.key.settings.n, 0);
	/* The same trial may tell more of the constants, and nothing else. */
	b.hash = 7;
	check_int(pb_tally_add(t, &b), PB_TALLY_AGAIN);
	check_int(pb_tally_summary(t, 0, 0.95, &s), PB_OK);
	check_int(s.causes.n, 0);
	check(pb_settings_equal(s.key.settings, b.settings) &&
	      s.key.settings.at != &nine);
	check_str(pb_settings_value(s.key.settings, "lives"), "9");
	check(pb_settings_value(s.key.settings, "live") == NULL);
	pb_tally_free(t);
}

/* What is recalled counts as the trial itself. */
/* Each build once, none twice, and no more than there is room for. */
test(builds)
{
	struct pb_tally *t = pb_tally_new();

	for (uint64_t i = 0; i < 3 * PB_BUILDS; i++) {
		struct pb_trial r = trial_of(i % 2 ? "a" : "b", i, true);
		struct pb_builds b;
		uint64_t known = i / 2 < PB_BUILDS ? i / 2 : PB_BUILDS;

		r.build = i / 2 * 2; /* each twice, and the first is none */
		add(t, r);
		b = pb_tally_builds(t);
		check_int(b.n, (int)known);
	}
	pb_tally_free(t);
}

test(recall)
{
	struct pb_tally *t = pb_tally_new();

	for (uint64_t i = 0; i < 200; i++)
		add(t, random_trial(0, i));
	for (uint64_t i = 0; i < 200; i++) {
		struct pb_trial r = random_trial(0, i), asked = r;
		const struct pb_trial *back;

		asked.collected = asked.total = asked.score = -1;
		asked.time = asked.limit = -1;
		asked.success = !r.success;
		strcpy(asked.outcome, "forgotten");
		back = pb_tally_get(t, &asked);
		check(back != NULL);
		check_str(back->outcome, r.outcome);
		check_near(back->time, r.time, 1e-9);
		check_int(pb_tally_add(t, back), PB_TALLY_AGAIN);
	}
	pb_tally_free(t);
}

/* Who killed is added up if all trials tell it. */
test(kills)
{
	struct pb_tally *t = pb_tally_new();
	struct pb_trial r;
	struct pb_summary s;

	for (int i = 0; i < 10; i++) {
		r = trial_of("a", (uint64_t)i, false);
		r.killers = 3;
		r.killed[0] = i;
		r.killed[2] = 1;
		add(t, r);
	}
	check_int(pb_tally_summary(t, 0, 0.95, &s), PB_OK);
	check_int(s.killers, 3);
	check_int(s.killed[0], 45);
	check_int(s.killed[1], 0);
	check_int(s.killed[2], 10);
	add(t, trial_of("a", 10, false));
	check_int(pb_tally_summary(t, 0, 0.95, &s), PB_OK);
	check_int(s.killers, 0);
	r.trial = 11;
	r.killers = PB_KILLERS + 1;
	check_int(pb_tally_add(t, &r), PB_TALLY_REFUSED);
	pb_tally_free(t);
}

test(refused)
{
	struct pb_tally *t = pb_tally_new();
	struct pb_trial r = trial_of("a", 0, true);

	r.collected = 9;
	check_int(pb_tally_add(t, &r), PB_TALLY_REFUSED);
	r.collected = -2;
	check_int(pb_tally_add(t, &r), PB_TALLY_REFUSED);
	r.collected = 8;
	r.time = -1;
	check_int(pb_tally_add(t, &r), PB_TALLY_REFUSED);
	r.time = 1e300;
	check_int(pb_tally_add(t, &r), PB_TALLY_REFUSED);
	r.time = 60;
	r.score = -2e12;
	check_int(pb_tally_add(t, &r), PB_TALLY_REFUSED);
	check_int(pb_tally_groups(t), 0);
	/* Not known, which is not 0. */
	r.collected = -1;
	r.score = NAN;
	check(isnan(pb_trial_number(&r, PB_BY_PELLETS)));
	check(isnan(pb_trial_number(&r, PB_BY_RANK)));
	for (int i = 0; i < PB_TALLY_OUTCOMES; i++) {
		r = trial_of("a", (uint64_t)i, false);
		snprintf(r.outcome, sizeof(r.outcome), "end %d", i);
		add(t, r);
	}
	r = trial_of("a", 99, true);
	check_int(pb_tally_add(t, &r), PB_TALLY_REFUSED);
	pb_tally_free(t);
}

/* To die early is not to be quick: without a limit it is no time at all. */
test(no_limit)
{
	const double none[] = {0, NAN};

	for (int i = 0; i < 2; i++) {
		struct pb_tally *t = pb_tally_new();
		struct pb_trial r = trial_of("a", 1, false);
		const struct pb_trial *back;
		struct pb_summary s;

		r.limit = none[i];
		add(t, trial_of("a", 0, true));
		add(t, r);
		back = pb_tally_get(t, &r);
		check(back != NULL && back->time == r.time);
		check_int(pb_tally_add(t, back), PB_TALLY_AGAIN);
		check_int(pb_tally_summary(t, 0, 0.95, &s), PB_OK);
		check(isnan(s.time_mean) && isnan(s.time_median) &&
		      isnan(s.time_q1) && isnan(s.time_q3));
		pb_tally_free(t);
	}
}

test(summary_by_hand)
{
	struct pb_tally *t = pb_tally_new();
	struct pb_trial r = trial_of("a", 3, false);
	const char *known[] = {"complete", "killed", "timeout", NULL};
	struct pb_summary s;
	double v;

	add(t, trial_of("a", 0, true));
	add(t, trial_of("a", 1, true));
	add(t, trial_of("a", 2, false));
	r.collected = 2;
	r.limit = 10; /* the time it lasted */
	add(t, r);
	check_int(pb_tally_summary(t, 0, 0.95, &s), PB_OK);
	check_int(s.n, 4);
	check_int(s.k, 2);
	check_int(s.but_one, 1);
	check_int(s.at_least, 3);
	check_int(s.total, 8);
	check_int(s.outcomes.n, 2);
	check(strcmp(s.outcomes.word[1], "killed") == 0 &&
	      s.outcomes.count[1] == 2);
	check_near(s.rate.lo, pb_rate_interval(2, 4, 0.95).lo, 0);
	check_near(s.most.hi, pb_rate_interval(3, 4, 0.95).hi, 0);
	check_near(s.pellets.value, 6.25, 1e-15);
	check_near(s.time_mean, (2 * 60.25 + 900 + 10) / 4, 1e-12);
	check_near(s.time_median, 60.25, 1e-12);
	check_near(s.time_q1, 47.6875, 1e-12); /* 10 + 3/4 * 50.25 */
	check(s.one_seed && s.key.seed == 1);
	check(pb_summary_number(&s, "success", known, &v) && v == 0.5);
	check(pb_summary_number(&s, "killed", known, &v) && v == 0.5);
	check(pb_summary_number(&s, "timeout", known, &v) && v == 0);
	check(!pb_summary_number(&s, "sucess", known, &v));
	pb_tally_free(t);
}

/* Games of years add up, whose microseconds 64 bits do not hold together. */
test(long_times)
{
	struct pb_tally *t = pb_tally_new();
	struct pb_summary s;

	for (uint64_t i = 0; i < 30; i++) {
		struct pb_trial r = trial_of("a", i, false);

		r.time = r.limit = 9e11 + (double)i;
		add(t, r);
	}
	check_int(pb_tally_summary(t, 0, 0.95, &s), PB_OK);
	check_near(s.time_mean, 9e11 + 14.5, 1e-3);
	pb_tally_free(t);
}

/*
 * Intervals of means against the normal one, for which 300 trials are enough.
 */
test(intervals_of_means)
{
	struct pb_tally *t = pb_tally_new();
	struct pb_trial r = {{0}};
	struct pb_summary s;
	double v;

	for (uint64_t i = 0; i < 300; i++) {
		r = trial_of("a", i, true);
		r.deaths = (int)(i % 3);
		r.levels = 2;
		r.score = (int)(100 * (i % 2));
		add(t, r);
	}
	check_int(pb_tally_summary(t, 0, 0.95, &s), PB_OK);
	check_near(s.score.value, 50, 0);
	check_near(s.score.in.lo, 50 - 1.96 * 50 / sqrt(300), 0.6);
	check_near(s.score.in.hi, 50 + 1.96 * 50 / sqrt(300), 0.6);
	check_near(s.deaths.value, 1, 0);
	check_near(s.deaths.in.lo, 1 - 1.96 * sqrt(2.0 / 3 / 300), 0.01);
	check_near(s.deaths.in.hi, 1 + 1.96 * sqrt(2.0 / 3 / 300), 0.01);
	check_near(s.levels_mean, 2, 0);

	/* One that does not tell leaves the mean unknown. */
	r.trial = 300;
	r.deaths = -1;
	add(t, r);
	check_int(pb_tally_summary(t, 0, 0.95, &s), PB_OK);
	check(isnan(s.deaths.value) && isnan(s.deaths.in.lo));
	check(pb_summary_number(&s, "deaths", NULL, &v) && isnan(v));
	check(pb_summary_number(&s, "levels", NULL, &v) && v == 2);
	pb_tally_free(t);
}

static const struct pb_criterion success = {.measure = PB_BY_SUCCESS};

static bool
same_summary(const struct pb_summary *a, const struct pb_summary *b)
{
	bool same =
	    a->n == b->n && a->k == b->k && a->outcomes.n == b->outcomes.n;

	for (int i = 0; same && i < a->outcomes.n; i++)
		same = strcmp(a->outcomes.word[i], b->outcomes.word[i]) == 0 &&
		       a->outcomes.count[i] == b->outcomes.count[i];
	return same && a->time_mean == b->time_mean &&
	       a->time_median == b->time_median && a->time_q3 == b->time_q3 &&
	       memcmp(&a->pellets, &b->pellets, sizeof(a->pellets)) == 0 &&
	       memcmp(&a->score, &b->score, sizeof(a->score)) == 0 &&
	       a->deaths.value == b->deaths.value;
}

/* Backwards, in shards, with repetitions: the same to the last bit. */
test(order_does_not_matter)
{
	struct pb_tally *t = pb_tally_new(), *u = pb_tally_new();
	struct pb_comparison c, d;
	enum { N = 999 };

	for (uint64_t i = 0; i < N; i++)
		for (int p = 0; p < 2; p++)
			add(t, random_trial(p, i));
	for (uint64_t shard = 0; shard < 3; shard++)
		for (int p = 0; p < 2; p++)
			for (uint64_t i = N; i-- > 0;)
				if (i % 3 == shard)
					add(u, random_trial(p, i));
	for (int p = 0; p < 2; p++) {
		struct pb_trial r = random_trial(p, 500);
		struct pb_summary a, b;

		check_int(pb_tally_add(u, &r), PB_TALLY_AGAIN);
		check_int(pb_tally_summary(t, p, 0.95, &a), PB_OK);
		check_int(pb_tally_summary(u, p, 0.95, &b), PB_OK);
		check(same_summary(&a, &b));
		check(!a.one_seed && !b.one_seed);
	}
	check_int(pb_tally_compare(t, 1, t, 0, success, 0.95, &c), PB_OK);
	check_int(pb_tally_compare(u, 1, u, 0, success, 0.95, &d), PB_OK);
	check(c.pellets.in.lo == d.pellets.in.lo);
	check(c.time.value == d.time.value);
	check(c.time.in.hi == d.time.in.hi && c.p == d.p);
	pb_tally_free(t);
	pb_tally_free(u);
}

/* The slow twin: match by looking at every pair of trials. */
test(compare_slow)
{
	struct pb_tally *t = pb_tally_new();
	struct pb_pairs w = {0};
	struct pb_comparison c;
	double pellets = 0, time = 0;
	long n = 0;

	for (uint64_t i = 0; i < 300; i++)
		add(t, random_trial(1, i));
	for (uint64_t i = 100; i < 350; i++)
		add(t, random_trial(0, i));
	for (uint64_t i = 0; i < 300; i++)
		for (uint64_t k = 100; k < 350; k++) {
			struct pb_trial b = random_trial(1, i);
			struct pb_trial a = random_trial(0, k);

			if (i != k)
				continue;
			n++;
			w.both += b.success && a.success;
			w.first += b.success && !a.success;
			w.second += !b.success && a.success;
			w.none += !b.success && !a.success;
			pellets += b.collected - a.collected;
			time += (b.success ? b.time : 900) -
			        (a.success ? a.time : 900);
		}
	check_int(pb_tally_compare(t, 0, t, 1, success, 0.9, &c), PB_OK);
	check_int(c.n, n);
	check_int(c.alone, 100 + 50);
	check_int(c.won.both, w.both);
	check_int(c.won.first, w.first);
	check_int(c.won.second, w.second);
	check_int(c.won.none, w.none);
	check_near(c.p, pb_mcnemar(w), 0);
	check_near(c.rate.value, (double)(w.first - w.second) / n, 1e-15);
	check_near(c.pellets.value, pellets / n, 1e-12);
	check_near(c.time.value, time / n, 1e-9);
	check(c.time.in.lo < c.time.value && c.time.value < c.time.in.hi);
	check(c.pellets.in.lo < c.pellets.value);
	check(c.pellets.value < c.pellets.in.hi);
	pb_tally_free(t);
}

/* a less b in the measure's own sense; the slow twin of its order. */
static double
ahead(
    const struct pb_trial *a, const struct pb_trial *b, struct pb_criterion by)
{
	double x = a->success ? a->time : 900, y = b->success ? b->time : 900;

	switch (by.measure) {
	case PB_BY_SCORE:
		return by.sense
		           ? (a->score >= by.bound) - (b->score >= by.bound)
		           : a->score - b->score;
	case PB_BY_PELLETS:
		return a->collected - b->collected;
	case PB_BY_TIME:
		return by.sense ? (x <= by.bound) - (y <= by.bound) : y - x;
	case PB_BY_DEATHS:
		return b->deaths - a->deaths;
	default:
		return a->score != b->score     ? a->score - b->score
		       : a->deaths != b->deaths ? b->deaths - a->deaths
		                                : y - x;
	}
}

static struct pb_trial
scored_trial(int p, uint64_t i)
{
	struct pb_trial r = random_trial(p, i);
	uint64_t luck = (2 * i + (uint64_t)p + 1) * 0x9e3779b97f4a7c15u >> 40;

	r.score = (double)(luck % 4);
	r.deaths = (int)(luck / 4 % 3);
	return r;
}

/* What is better may be anything that can be put in order. */
test(compare_by)
{
	static const struct pb_criterion all[] = {{PB_BY_SCORE, 0, 0},
	    {PB_BY_SCORE, 1, 2}, {PB_BY_PELLETS, 0, 0}, {PB_BY_TIME, 0, 0},
	    {PB_BY_TIME, -1, 600}, {PB_BY_DEATHS, 0, 0}, {PB_BY_RANK, 0, 0}};
	struct pb_tally *t = pb_tally_new();
	enum { N = 200 };

	for (uint64_t i = 0; i < N; i++)
		for (int p = 0; p < 2; p++)
			add(t, scored_trial(p, i));
	for (size_t k = 0; k < sizeof(all) / sizeof(*all); k++) {
		long first = 0, second = 0;
		struct pb_comparison c;

		for (uint64_t i = 0; i < N; i++) {
			struct pb_trial a = scored_trial(0, i);
			struct pb_trial b = scored_trial(1, i);
			double d = ahead(&a, &b, all[k]);

			first += d > 0;
			second += d < 0;
		}
		check_int(
		    pb_tally_compare(t, 0, t, 1, all[k], 0.95, &c), PB_OK);
		check(first + second > 0);
		check_int(c.won.first, first);
		check_int(c.won.second, second);
		check_int(c.won.both + c.won.none, N - first - second);
		check_near(c.p, pb_mcnemar(c.won), 0);
		check(c.effect.in.lo <= c.effect.value);
		check(c.effect.value <= c.effect.in.hi);
	}
	pb_tally_free(t);
}

test(compare_nothing_in_common)
{
	struct pb_tally *t = pb_tally_new();
	struct pb_comparison c;

	add(t, trial_of("a", 0, true));
	add(t, trial_of("b", 1, true));
	check_int(pb_tally_compare(t, 0, t, 1, success, 0.95, &c), PB_ENOENT);
	pb_tally_free(t);
}
