/*
 * intervals.c - how often the intervals of a benchmark hold the truth. With
 * a number as operand: the table of pb-bench(1), of so many benchmarks each.
 */
#define CHECK_MAIN
#include "check.h"
#include "made_trials.h"

#include "pb/report.h"

#define LIMIT 900.0

/*
 * Trials as the player seed has them in testdata/house.yaml: in 1366 games,
 * 379 of which it lost, pellets of those lost, and deciles of the time (s) of
 * those won.
 */
static const double lost[] = {30, 8, 13, 48, 23, 89, 168};
static const double decile[] = {
    42.9, 46.2, 48.25, 49.2, 49.8, 50.4, 51.45, 53.4, 56.2, 59.4, 73.05};

enum of {
	RATE,
	SCORE,
	APART,
	PELLETS,
	TIME,
	ALL_RATE,
	ALL_PELLETS,
	ALL_TIME,
	OFS
};

static const char *const name[OFS] = {"rate", "mean score", "rate, difference",
    "pellets, difference", "time, difference", "rate, aggregate",
    "pellets, aggregate", "time, aggregate"};

static double truth[OFS];
static int told[OFS], held[OFS];

static int
pellets_lost(double u)
{
	double all = 0, sum = 0;
	int i = 0;

	for (int k = 0; k < 7; k++)
		all += lost[k];
	for (; i < 6 && (sum += lost[i]) < u * all; i++)
		continue;
	return i;
}

static double
time_won(double u)
{
	int i = u < 1 ? (int)(10 * u) : 9;

	return decile[i] + (10 * u - i) * (decile[i + 1] - decile[i]);
}

/* A trial of a player who wins with chance p: luck says whether, u how. */
static struct pb_trial
trial(const char *who, uint64_t i, int round, double p, double luck, double u)
{
	struct pb_trial t = trial_of(who, i, luck < p);

	t.round = round;
	t.limit = LIMIT;
	t.total = 7;
	t.collected = t.score = t.success ? 7 : pellets_lost(u);
	t.time = t.success ? time_won(u) : 30;
	return t;
}

static void
find_truth(double p, double q)
{
	double pellets = 0, time = 0;

	for (int i = 0; i < 1000; i++) {
		pellets += pellets_lost((i + 0.5) / 1000) / 1000.0;
		time += time_won((i + 0.5) / 1000) / 1000;
	}
	truth[RATE] = p;
	truth[SCORE] = 7 * p + pellets * (1 - p);
	truth[APART] = q - p;
	truth[PELLETS] = (q - p) * (7 - pellets);
	truth[TIME] = (q - p) * (time - LIMIT);
	truth[ALL_RATE] = (p + q) / 2;
	truth[ALL_PELLETS] =
	    truth[ALL_RATE] + (1 - truth[ALL_RATE]) * pellets / 7;
	truth[ALL_TIME] =
	    truth[ALL_RATE] * time + (1 - truth[ALL_RATE]) * LIMIT;
}

static void
look(enum of k, struct pb_interval in)
{
	told[k] += !isnan(in.lo);
	held[k] += in.lo <= truth[k] + 1e-3 && truth[k] - 1e-3 <= in.hi;
}

/* A benchmark of n trials; half of all luck is common to all who play. */
static void
one_run(uint64_t run, int n, double p, double q)
{
	const struct pb_report_opts usual = {.confidence = 0.95};
	struct pb_tally *t = pb_tally_new();
	struct pb_report r;
	struct pb_rng g;

	pb_rng_start(
	    &g, run, (uint64_t)(1000 * p) + (uint64_t)n, PB_FOR_TRIAL, 0);
	for (int i = 0; i < n; i++) {
		double common = pb_rng_unit(&g);
		bool same = pb_rng_unit(&g) < 0.5;

		for (int k = 0; k < 3; k++) {
			double own = pb_rng_unit(&g), u = pb_rng_unit(&g);

			add(t, trial(k == 1 ? "b" : "a", (uint64_t)i,
				   k == 2 ? 2 : 1, k ? q : p,
				   same ? common : own, u));
		}
	}
	check_int(pb_report_make(&r, t, &usual), PB_OK);
	look(RATE, r.summary[0].rate);
	look(SCORE, r.summary[0].score.in);
	look(APART, r.comparison[0].rate.in);
	look(PELLETS, r.comparison[0].pellets.in);
	look(TIME, r.comparison[0].time.in);
	look(ALL_RATE, r.aggregate[0].rate.in);
	look(ALL_PELLETS, r.aggregate[0].pellets.in);
	look(ALL_TIME, r.aggregate[0].time.in);
	pb_report_clear(&r);
	pb_tally_free(t);
}

/* The least of all rates, of intervals told (%); 100 if none was. */
static void
cover(int n, int runs, double least[OFS])
{
	static const double rate[] = {0.5, 0.7, 0.9, 0.95, 0.99};

	for (int k = 0; k < OFS; k++)
		least[k] = NAN;
	for (size_t i = 0; i < sizeof(rate) / sizeof(*rate); i++) {
		memset(told, 0, sizeof(told));
		memset(held, 0, sizeof(held));
		find_truth(rate[i], 0.9 * rate[i]);
		for (int run = 0; run < runs; run++)
			one_run((uint64_t)run, n, rate[i], 0.9 * rate[i]);
		for (int k = 0; k < OFS; k++)
			if (told[k] > runs / 20)
				least[k] =
				    fmin(isnan(least[k]) ? 100 : least[k],
					100.0 * held[k] / told[k]);
	}
}

/* 200 benchmarks: three standard deviations below 95 % are 90.4 %. */
test(all_hold)
{
	double least[OFS];

	for (int n = 5; n <= 80; n *= 4) {
		cover(n, 200, least);
		for (int k = 0; k < OFS; k++)
			check(isnan(least[k]) || least[k] >= 90.4);
	}
}

int
main(int argc, char **argv)
{
	static const int n[] = {5, 10, 20, 50, 100, 200};
	double least[6][OFS];

	if (argc < 2) {
		run_tests();
		return done();
	}
	for (int i = 0; i < 6; i++)
		cover(n[i], atoi(argv[1]), least[i]);
	for (int k = 0; k < OFS; k++) {
		printf(".It %s", name[k]);
		for (int i = 0; i < 6; i++)
			if (isnan(least[i][k]))
				printf(" Ta \\&*");
			else
				printf(" Ta %.1f", least[i][k]);
		printf("\n");
	}
	return 0;
}
