/* sweep.c - effects of constants: by hand, and how often their intervals hold.
 */
#include "stats/sweep.h"

#include <math.h>

#include "made_trials.h"
#include "pb/report.h"

/* Trial i of the cell where a and b are that, with the score. */
static void
add_cell(struct pb_tally *t, int a, int b, uint64_t i, bool won, double score)
{
	struct pb_trial r = trial_of("p", i, won);

	r.options = 100 * (uint64_t)a + (uint64_t)b;
	r.score = score;
	snprintf(r.told, sizeof(r.told), "a=%d fixed=7 b=%d", a, b);
	add(t, r);
}

static struct pb_by
by_score(const void *ctx, const char *rules)
{
	(void)ctx;
	(void)rules;
	return (struct pb_by){.measure = PB_BY_SCORE};
}

static const struct pb_report_opts by_scores = {
    .confidence = 0.95, .by = by_score};
static const struct pb_report_opts by_success = {.confidence = 0.95};

static void
test_told(void)
{
	const char *told = "a=1 fixed=x=y ... b=22", *at = told, *s;
	size_t n, name;

	s = pb_told_value(told, "b", &n);
	check(s && n == 2 && s[0] == '2');
	s = pb_told_value(told, "fixed", &n);
	check(s && n == 3 && memcmp(s, "x=y", 3) == 0);
	check(pb_told_value(told, "fix", &n) == NULL && n == 0);
	n = 9;
	check(pb_told_value("", "a", &n) == NULL && n == 0);
	for (int k = 0; k < 3; k++)
		check(pb_told_next(&at, &n, &name) != NULL);
	check(pb_told_next(&at, &n, &name) == NULL);
}

/* Scores 10 a + b + (a = 2 and b = 5) + noise that b = 6 lacks, alone. */
static void
test_by_hand(void)
{
	struct pb_tally *t = pb_tally_new();
	struct pb_report r;
	const struct pb_effect *e;

	for (uint64_t i = 0; i < 40; i++)
		for (int a = 1; a <= 2; a++)
			for (int b = 4; b <= 6; b++)
				add_cell(t, a, b, i, i % 2,
				    10 * a + b + (a == 2 && b == 5) +
					(double)(i % 8) * (b != 6));
	check_int(pb_report_make(&r, t, &by_scores), PB_OK);
	check_int(r.sweeps.cells, 5); /* more than a few: with the first only */
	for (int i = 0; i < r.sweeps.cells; i++)
		check_int(r.sweeps.cell[i].second, 0);
	check_int(r.comparisons, 0);
	check_int(r.sweeps.effects, 1 + 2 + 2);
	e = r.sweeps.effect;
	check(strcmp(e[0].of, "b=5") == 0 && strcmp(e[0].from, "b=4") == 0);
	check_near(e[0].effect.value, 1.5, 1e-12);
	check(isnan(e[0].effect.in.lo)); /* all alike */
	check_int(e[0].contrasts, 2);
	check_near(e[1].effect.value, 2 - 3.5, 1e-12);
	check(e[1].effect.in.lo < -1.5 && e[1].effect.in.hi > -1.5);
	check(strcmp(e[2].of, "a=2") == 0);
	check_int(e[2].constants, 1);
	check_int(e[2].contrasts, 3);
	check_near(e[2].effect.value, 10 + 1.0 / 3, 1e-12);
	check_int(e[3].constants, 2);
	check(strcmp(e[3].of, "b=5 a=2") == 0);
	check(strcmp(e[3].from, "b=4 a=1") == 0);
	check_near(e[3].effect.value, 1, 1e-12);
	check_near(e[4].effect.value, 0, 1e-12);
	pb_report_clear(&r);
	pb_tally_free(t);
}

/* Cells that are missing, or lack trials, take their contrasts with them. */
static void
test_gaps(void)
{
	struct pb_tally *t = pb_tally_new();
	struct pb_report r;

	for (uint64_t i = 0; i < 40; i++) {
		add_cell(t, 1, 4, i, i % 2, 0);
		add_cell(t, 2, 4, i, i % 4 > 0, 0);
		if (i < 30)
			add_cell(t, 1, 5, i, true, 0);
	}
	check_int(pb_report_make(&r, t, &by_success), PB_OK);
	check_int(r.sweeps.cells, 3); /* few: all pairs */
	check_int(r.sweeps.effects, 2);
	check_int(r.sweeps.effect[1].n, 30);
	/* of one pair it is what the comparison says */
	check_near(
	    r.sweeps.effect[0].effect.value, r.sweeps.cell[0].rate, 1e-12);
	check_near(r.sweeps.effect[0].effect.in.lo, r.sweeps.cell[0].rate_in.lo,
	    1e-12);
	check_near(r.sweeps.effect[0].effect.in.hi, r.sweeps.cell[0].rate_in.hi,
	    1e-12);
	/* Holm's correction is over the three. */
	check_near(
	    r.sweeps.cell[1].p_holm, fmin(1, 3 * r.sweeps.cell[1].p), 1e-12);
	pb_report_clear(&r);
	pb_tally_free(t);
}

static bool
within(const struct pb_effect *e, double truth)
{
	return e->effect.in.lo <= truth && truth <= e->effect.in.hi;
}

/*
 * Intervals of 95 % hold as often as that: of rates at the middle and near 1,
 * and of skewed scores, where trials of all cells share half their luck.
 */
static void
cover(const double rate[4], int n)
{
	struct pb_rng rng;
	long held[2][3] = {{0}};
	const int runs = 200;

	pb_rng_start(&rng, 2031, 0, PB_FOR_TRIAL, 0);
	for (int run = 0; run < runs; run++) {
		struct pb_tally *t = pb_tally_new();
		struct pb_report r;

		for (int i = 0; i < n; i++) {
			double luck = pb_rng_unit(&rng);

			for (int k = 0; k < 4; k++) {
				double own = pb_rng_unit(&rng);
				bool won = (i % 2 ? luck : own) < rate[k];

				/* exponential with mean 1 + k k: 1, 2, 5, 10 */
				add_cell(t, k / 2, k % 2, (uint64_t)i, won,
				    -log((i % 2 ? luck : own) + 1e-12) *
					(1 + k * k));
			}
		}
		for (int by = 0; by < 2; by++) {
			const double d[4] = {1, 2, 5, 10};
			const double *x = by ? d : rate;

			check_int(pb_report_make(
				      &r, t, by ? &by_scores : &by_success),
			    PB_OK);
			check_int(r.sweeps.effects, 3);
			held[by][0] += within(&r.sweeps.effect[0],
			    (x[1] - x[0] + x[3] - x[2]) / 2);
			held[by][1] += within(&r.sweeps.effect[1],
			    (x[2] - x[0] + x[3] - x[1]) / 2);
			held[by][2] += within(
			    &r.sweeps.effect[2], x[3] - x[1] - x[2] + x[0]);
			pb_report_clear(&r);
		}
		pb_tally_free(t);
	}
	for (int by = 0; by < 2; by++)
		for (int k = 0; k < 3; k++) {
			double share = (double)held[by][k] / runs;

			check(share >= 0.92 && share <= 0.99);
		}
}

/* Rates at the middle and near 1, few trials and more. */
static void
test_coverage(void)
{
	const double middle[] = {0.5, 0.6, 0.55, 0.8};
	const double high[] = {0.97, 0.95, 0.98, 0.9};

	cover(middle, 30);
	cover(middle, 100);
	cover(high, 100);
}

int
main(void)
{
	run(test_told);
	run(test_by_hand);
	run(test_gaps);
	run(test_coverage);
	return done();
}
