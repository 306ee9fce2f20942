/* sweep.c - cells of a sweep: told constants, and each cell with the first. */
#include "stats/sweep.h"

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

/* Each cell is compared with the first, on the trials that both have. */
static void
test_cells(void)
{
	struct pb_tally *t = pb_tally_new();
	struct pb_report r;

	for (uint64_t i = 0; i < 40; i++) {
		add_cell(t, 1, 4, i, i % 2, 10);
		add_cell(t, 2, 4, i, i % 4 > 0, 20);
		if (i < 30)
			add_cell(t, 1, 5, i, true, 11);
	}
	check_int(pb_report_make(&r, t, &by_success), PB_OK);
	check_int(r.comparisons, 0);
	check_int(r.sweeps.cells, 2);
	check_int(r.sweeps.cell[0].first, 1);
	check_int(r.sweeps.cell[1].first, 2);
	for (int i = 0; i < 2; i++)
		check_int(r.sweeps.cell[i].second, 0);
	check_int(r.sweeps.cell[1].n, 30);
	check_near(r.sweeps.cell[0].rate, 0.25, 1e-12);
	check_near(r.sweeps.cell[1].rate, 0.5, 1e-12);
	/* Holm's correction is over the two. */
	check(r.sweeps.cell[1].p < r.sweeps.cell[0].p);
	check_near(r.sweeps.cell[1].p_holm, 2 * r.sweeps.cell[1].p, 1e-12);
	check_near(r.sweeps.cell[0].p_holm, r.sweeps.cell[0].p, 1e-12);
	pb_report_clear(&r);
	check_int(pb_report_make(&r, t, &by_scores), PB_OK);
	check_near(r.sweeps.cell[0].effect, 10, 1e-12);
	pb_report_clear(&r);
	pb_tally_free(t);
}

int
main(void)
{
	run(test_told);
	run(test_cells);
	return done();
}
