/* sweep.c - cells of a sweep: each is compared with the first. */
#include "made_trials.h"
#include "pb/report.h"

/* Trial i of the cell where a and b are that, with the score. */
static void
add_cell(struct pb_tally *t, int a, int b, uint64_t i, bool won, double score)
{
	struct pb_trial r = trial_of("p", i, won);
	struct pb_setting told[] = {{"a", ""}, {"fixed", "7"}, {"b", ""}};

	r.options = 100 * (uint64_t)a + (uint64_t)b;
	r.score = score;
	snprintf(told[0].value, sizeof(told->value), "%d", a);
	snprintf(told[2].value, sizeof(told->value), "%d", b);
	r.settings = (struct pb_settings){told, 3};
	add(t, r);
}

static struct pb_criterion
by_score(const void *ctx, const char *rules)
{
	(void)ctx;
	(void)rules;
	return (struct pb_criterion){.measure = PB_BY_SCORE};
}

static const struct pb_report_opts by_scores = {
    .confidence = 0.95, .by = by_score};
static const struct pb_report_opts by_success = {.confidence = 0.95};

/* Each cell is compared with the first, on the trials that both have. */
test(cells)
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
	check_int(r.cells, 2);
	check_int(r.cell[0].first, 1);
	check_int(r.cell[1].first, 2);
	for (int i = 0; i < 2; i++)
		check_int(r.cell[i].second, 0);
	check_int(r.cell[1].n, 30);
	check_near(r.cell[0].rate.value, 0.25, 1e-12);
	check_near(r.cell[1].rate.value, 0.5, 1e-12);
	/* Holm's correction is over the two. */
	check(r.cell[1].p < r.cell[0].p);
	check_near(r.cell[1].p_holm, 2 * r.cell[1].p, 1e-12);
	check_near(r.cell[0].p_holm, r.cell[0].p, 1e-12);
	pb_report_clear(&r);
	check_int(pb_report_make(&r, t, &by_scores), PB_OK);
	check_near(r.cell[0].effect.value, 10, 1e-12);
	pb_report_clear(&r);
	pb_tally_free(t);
}
