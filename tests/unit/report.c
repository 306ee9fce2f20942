/* report.c - tests of reports on trials: all of them summed up and compared. */
#include "check.h"
#include "made_trials.h"

#include "pb/report.h"
#include "pb/stats.h"
#include "pb/tally.h"

static const struct pb_report_opts usual = {.confidence = 0.95};

/* Three players in two rounds, one of them alone in a third round. */
test(report)
{
	static const char *const who[] = {"a", "b", "c"};
	struct pb_tally *t = pb_tally_new();
	struct pb_report r;
	double p[3], holm[3];

	for (uint64_t i = 0; i < 60; i++)
		for (int round = 1; round <= 3; round++)
			for (int k = 0; k < (round < 3 ? 3 : 1); k++) {
				struct pb_trial x;

				x = trial_of(
				    who[k], i, i % 3 < (uint64_t)k || i > 50);
				x.round = round;
				add(t, x);
			}
	check_int(pb_report_make(&r, t, &usual), PB_OK);
	check_int(r.summaries, 7);
	check_int(r.comparisons, 6);
	check_int(r.comparison[0].first, 1); /* b - a */
	check_int(r.comparison[0].second, 0);
	check(r.comparison[0].rate.value > 0);
	for (int i = 0; i < 3; i++)
		p[i] = r.comparison[i].p;
	pb_holm(p, 3, holm);
	for (int i = 0; i < 6; i++)
		check_near(r.comparison[i].p_holm, holm[i % 3], 0);
	check(holm[0] > p[0]);
	pb_report_clear(&r);
	pb_tally_free(t);
}

test(report_of_nothing)
{
	struct pb_tally *t = pb_tally_new();
	struct pb_report r;

	check_int(pb_report_make(&r, t, &usual), PB_OK);
	check_int(r.summaries + r.comparisons, 0);
	pb_report_clear(&r);
	pb_tally_free(t);
}

/* Strata by hand: rates 1 and 0.5 mean 0.75, however many trials each has. */
test(aggregate)
{
	struct pb_tally *t = pb_tally_new();
	struct pb_report r;

	for (uint64_t i = 0; i < 40; i++) {
		struct pb_trial x = trial_of("a", i, true);

		if (i < 10)
			add(t, x);
		x = trial_of("a", i, i % 2);
		x.round = 2;
		add(t, x);
		if (i < 5)
			add(t, trial_of("b", i, true));
	}
	check_int(pb_report_make(&r, t, &usual), PB_OK);
	check_int(r.summaries, 3);
	check_int(r.aggregates, 1);           /* b has one round only */
	check_near(r.summary[0].limit, 0, 0); /* none was lost */
	check_near(r.summary[1].limit, 900, 0);
	check_int(r.aggregate[0].strata, 2);
	check_int(r.aggregate[0].n, 50);
	check_near(r.aggregate[0].rate.value, 0.75, 1e-12);
	check(
	    r.aggregate[0].rate.in.lo > 0.6 && r.aggregate[0].rate.in.hi < 0.9);
	/* In one round all collected 8 of 8, in the other half of them 7. */
	check_near(r.aggregate[0].pellets.value, 1 - 1.0 / 32, 1e-12);
	check_near(
	    r.aggregate[0].time.value, (60.25 + (60.25 + 900) / 2) / 2, 1e-9);
	pb_report_clear(&r);
	pb_tally_free(t);
}

/*
 * Ten rounds whose trials go alike are ten trials, not a hundred; rounds of
 * trials of their own are what they are: by Clopper and Pearson's tables.
 */
test(aggregate_of_clusters)
{
	struct pb_tally *t = pb_tally_new();
	struct pb_interval in;
	struct pb_report r;

	for (int round = 1; round <= 10; round++)
		for (uint64_t i = 0; i < 10; i++) {
			struct pb_trial x = trial_of("all", i, true);

			x.round = round;
			add(t, x);
			x = trial_of("alike", i, i > 0);
			x.round = round;
			add(t, x);
			x = trial_of("apart", i, true);
			x.round = round;
			x.seed = (uint64_t)round;
			add(t, x);
		}
	check_int(pb_report_make(&r, t, &usual), PB_OK);
	check_int(r.aggregates, 3);
	check_int(r.aggregate[0].trials, 10);
	check_int(r.aggregate[2].trials, 100);
	check_near(r.aggregate[0].rate.in.lo, 0.691503, 1e-6);
	check_near(r.aggregate[0].rate.in.hi, 1, 0);
	in = pb_rate_interval(9, 10, 0.95);
	check_near(r.aggregate[1].rate.in.lo, in.lo, 1e-9);
	check_near(r.aggregate[1].rate.in.hi, in.hi, 1e-9);
	check_near(r.aggregate[2].rate.in.lo, 0.963783, 1e-6);
	check(isnan(r.aggregate[0].time.in.lo)); /* nobody failed */
	check(isnan(r.aggregate[1].time.in.lo)); /* ten trials */
	pb_report_clear(&r);
	pb_tally_free(t);
}

test(baseline)
{
	struct pb_tally *t = pb_tally_new(), *base = pb_tally_new();
	const struct pb_report_opts asked = {.confidence = 0.95, .base = base};
	struct pb_trial x;
	struct pb_report r;

	for (uint64_t i = 0; i < 30; i++) {
		add(t, trial_of("a", i, i > 5));
		add(t, trial_of("c", i, true));
		x = trial_of("a", i, i > 2);
		x.options = 6; /* the only one there is */
		add(base, x);
		x = trial_of("b", i, true);
		add(base, x);
	}
	check_int(pb_report_make(&r, t, &asked), PB_OK);
	check_int(r.againsts, 1);
	check_int(r.against[0].first, 0);
	check_int(r.against[0].won.second, 3);
	check_int(r.against[0].won.first, 0);
	check_near(r.against[0].rate.value, -0.1, 1e-15);
	pb_report_clear(&r);
	x = trial_of("a", 0, false); /* and now one of the same options */
	add(base, x);
	check_int(pb_tally_find(t, 0, base), 2);
	x.options = 7;
	add(base, x);
	x = trial_of("c", 0, false);
	for (uint64_t o = 8; o < 10; o++) {
		x.options = o;
		add(base, x);
	}
	check_int(pb_tally_find(t, 1, base), -1); /* which of the two? */
	pb_tally_free(base);
	pb_tally_free(t);
}
