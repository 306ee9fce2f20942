/* rating.c - ratings of players: by hand for two, and how often they hold. */
#include "stats/rating.h"

#include <math.h>

#include "pb/rng.h"

#include "check.h"

static struct pb_merit
merit(int64_t v)
{
	return (struct pb_merit){v > 0, {v}};
}

/* Two players: the odds are what was won, and half a trial more for each. */
static void
test_two(void)
{
	struct pb_rater *r = pb_rater_new(2);
	struct pb_rating out[2];
	double p, se;

	for (int i = 0; i < 100; i++) {
		struct pb_merit of[] = {
		    merit(i < 70), merit(i >= 70 && i < 90)};

		check(pb_rater_add(r, of)); /* 70 to 20, 10 alike */
	}
	check(pb_rater_rate(r, 0.95, out));
	check_int(out[0].player, 0);
	check_int(out[0].rank, 1);
	check_int(out[1].rank, 2);
	check_int(out[1].players, 2);
	check_int(out[1].n, 100);
	check_near(out[0].points, 0.75, 1e-12);
	check_near(out[0].elo - out[1].elo, 400 * log10(75.5 / 25.5), 1e-6);
	check_near(out[0].elo, -out[1].elo, 1e-6);
	/* the delta method, as if all trials were won or lost: the larger */
	p = 75.5 / 101;
	se = 400 / log(10) / 2 / sqrt(101 * p * (1 - p));
	check_near(
	    out[0].in.hi - out[0].elo, pb_t_two_sided(0.95, 99) * se, 1e-6);
	pb_rater_free(r);
}

/* One who wins all has a rating, and an interval that says how little is
 * known; one trial has none. */
static void
test_all_won(void)
{
	struct pb_rater *r = pb_rater_new(3);
	const struct pb_merit of[] = {merit(1), merit(3), merit(2)};
	struct pb_rating out[3];

	check(pb_rater_add(r, of));
	check(pb_rater_rate(r, 0.95, out));
	check(isnan(out[0].in.lo) && isnan(out[2].in.hi));
	for (int i = 0; i < 49; i++)
		check(pb_rater_add(r, of));
	check(pb_rater_rate(r, 0.95, out));
	check_int(out[0].player, 1);
	check_int(out[1].player, 2);
	check_int(out[2].player, 0);
	check_near(out[1].elo, 0, 1e-6);
	check_near(out[0].points, 1, 0);
	check_near(out[2].points, 0, 0);
	check(out[0].elo > 400 && out[0].elo < 2000);
	check(out[0].in.hi - out[0].in.lo > 300);
	pb_rater_free(r);
}

/* Strengths that were drawn are found, and their intervals hold as often as
 * they say, though all players share the luck of a trial. */
static void
test_coverage(void)
{
	static const double strength[] = {0.8, 0.1, -0.2, -0.7};
	enum { PLAYERS = 4, TRIALS = 120, RUNS = 300 };
	const double elo = 400 / log(10);
	long in = 0;

	for (uint64_t run = 0; run < RUNS; run++) {
		struct pb_rater *r = pb_rater_new(PLAYERS);
		struct pb_rating out[PLAYERS];
		struct pb_rng g;

		pb_rng_start(&g, 11, run, PB_FOR_TRIAL, 0);
		for (int t = 0; t < TRIALS; t++) {
			struct pb_merit of[PLAYERS];

			/* Gumbel's noise makes Bradley and Terry's odds. */
			for (int i = 0; i < PLAYERS; i++)
				of[i] = merit(
				    (int64_t)(1e9 *
					      (strength[i] -
						  log(-log(pb_rng_unit(&g) +
							   1e-12)))));
			check(pb_rater_add(r, of));
		}
		check(pb_rater_rate(r, 0.95, out));
		for (int i = 0; i < PLAYERS; i++) {
			double true_one = elo * strength[out[i].player];

			in += out[i].in.lo <= true_one &&
			      true_one <= out[i].in.hi;
		}
		pb_rater_free(r);
	}
	check_near((double)in / (RUNS * PLAYERS), 0.955, 0.025);
}

/* Numbers of players mean nothing. */
static void
test_order(void)
{
	struct pb_rater *a = pb_rater_new(3), *b = pb_rater_new(3);
	struct pb_rating x[3], y[3];
	struct pb_rng g;

	pb_rng_start(&g, 5, 0, PB_FOR_TRIAL, 0);
	for (int t = 0; t < 50; t++) {
		struct pb_merit of[3], turned[3];

		for (int i = 0; i < 3; i++)
			of[i] = turned[(i + 1) % 3] =
			    merit((int64_t)pb_rng_below(&g, 3 + (uint32_t)i));
		check(pb_rater_add(a, of) && pb_rater_add(b, turned));
	}
	check(pb_rater_rate(a, 0.9, x) && pb_rater_rate(b, 0.9, y));
	for (int i = 0; i < 3; i++) {
		check_int(y[i].player, (x[i].player + 1) % 3);
		check_near(x[i].elo, y[i].elo, 1e-6);
		check_near(x[i].in.lo, y[i].in.lo, 1e-6);
	}
	pb_rater_free(a);
	pb_rater_free(b);
}

int
main(void)
{
	run(test_two);
	run(test_all_won);
	run(test_coverage);
	run(test_order);
	return done();
}
