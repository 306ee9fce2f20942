/* charts.c - tests of performance profiles. */
#include <unistd.h>

#include "check.h"
#include "pb/tally.h"
#include "view/bench_view.h"
#include "view/term.h"

/* The definition, counted one by one. */
static double
twin(const struct pb_profile_curve *c, double x, bool at_most)
{
	size_t k = 0;

	for (size_t i = 0; i < c->n; i++)
		k += at_most ? c->value[i] <= x : c->value[i] >= x;
	return (double)k / (double)c->all;
}

test(shares)
{
	double v[40];
	struct pb_rng r = draws(3, PB_FOR_TRIAL);
	struct pb_profile_curve c = {"", v, 40, 50};

	for (int i = 0; i < 40; i++)
		v[i] = (i > 0 ? v[i - 1] : 0) + pb_rng_below(&r, 3);
	for (double x = -1; x < v[39] + 2; x += 0.5) {
		check(pb_profile_at(&c, x, true) == twin(&c, x, true));
		check(pb_profile_at(&c, x, false) == twin(&c, x, false));
	}
	check(pb_profile_at(&c, 1e9, true) == 0.8);
	check(pb_profile_at(&c, -1, false) == 0.8);
	c.n = 0;
	check(pb_profile_at(&c, 0, true) == 0);
}

/* Values between which a double can hardly tell, and of one place. */
test(drawn_far_away)
{
	static const double far[][3] = {{1e17, 1e17 + 16, 1e17 + 32},
	    {1e17, 1e17, 1e17}, {1e299, 1e300, 1.7e308}, {7, 7, 7}};
	char path[] = "/tmp/pb-profile-XXXXXX";

	close(mkstemp(path));
	for (size_t i = 0; i < sizeof(far) / sizeof(*far); i++) {
		struct pb_profile p = {.what = "s",
		    .at_most = i % 2 == 0,
		    .curve = {{"far", far[i], 3, 3}},
		    .curves = 1};
		struct pb_error fault;

		check_int(pb_profile_draw(
			      &p, (struct pb_target){.path = path}, &fault),
		    0);
	}
	remove(path);
}

test(not_drawn)
{
	struct pb_profile p = {.what = "s",
	    .at_most = true,
	    .curve = {{"none", NULL, 0, 4}},
	    .curves = 1};
	struct pb_error bad;

	check_int(pb_profile_draw(&p,
		      (struct pb_target){.path = "/nonexistent/x.png"}, &bad),
	    -1);
	check_has(bad.text, "no trial has a value to draw");
}

test(values_of_trials)
{
	struct pb_tally *t = pb_tally_new();
	double *v = NULL;
	size_t n = 0;

	for (int i = 0; i < 7; i++) {
		struct pb_trial r = {.rules = "r",
		    .policy = "p",
		    .outcome = "o",
		    .trial = (uint64_t)i,
		    .round = 1,
		    .score = i * 5 % 7,
		    .total = 9,
		    .collected = 3,
		    .time = 20 - i,
		    .success = i % 2 == 0};

		check(pb_tally_add(t, &r) == PB_TALLY_ADDED);
	}
	check(pb_tally_values(t, 0, PB_OF_TIME, &v, &n) == PB_OK && n == 4);
	for (size_t i = 0; i < n; i++)
		check_near(v[i], 14 + 2 * (double)i, 1e-9);
	free(v);
	check(pb_tally_values(t, 0, PB_OF_SCORE, &v, &n) == PB_OK && n == 7);
	for (size_t i = 0; i < n; i++)
		check_near(v[i], (double)i, 0);
	free(v);
	check(pb_tally_values(t, 0, PB_OF_ERROR, &v, &n) == PB_OK && n == 0);
	free(v);
	pb_tally_free(t);
}
