/* sample_size.c - how many trials a question takes. */
#include "stats/sample_size.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "base/elementary.h"
#include "pb/stats.h"

double
pb_trials_apart(double p1, double p2, double alpha, double power)
{
	double mean = (p1 + p2) / 2, d = p1 - p2;
	double a =
	    pb_normal_quantile(1 - alpha / 2) * sqrt(2 * mean * (1 - mean));
	double b =
	    pb_normal_quantile(power) * sqrt(p1 * (1 - p1) + p2 * (1 - p2));

	assert(d != 0);
	return ceil((a + b) * (a + b) / (d * d));
}

/* What is left out of a sum of binomial chances on each side (deviations): a
 * chance of 1e-11, far below that of 1e-6 which --power leaves at most. */
#define TAIL 7

/* No more trials than this are tried (trials): a search ends without any. */
#define TRIED (4 * PB_PLAN_COUNTED)

/* The counts of n trials of chance p that are worth adding up. */
struct window {
	long lo, hi;
	double chance; /* of lo */
	double odds;   /* p / (1 - p) */
	long n;
};

static struct window
window_of(long n, double p)
{
	double mean = (double)n * p, reach = TAIL * sqrt(mean * (1 - p)) + 6;
	struct window w = {.n = n, .odds = p < 1 ? p / (1 - p) : 0};

	w.lo = mean > reach ? (long)(mean - reach) : 0;
	w.hi = mean + reach < (double)n ? (long)(mean + reach) : n;
	if (p <= 0 || p >= 1) {
		w.lo = w.hi = p <= 0 ? 0 : n;
		w.chance = 1;
		return w;
	}
	w.chance = pb_exp(
	    pb_log_gamma((double)n + 1) - pb_log_gamma((double)w.lo + 1) -
	    pb_log_gamma((double)(n - w.lo) + 1) + (double)w.lo * pb_log(p) +
	    (double)(n - w.lo) * pb_log(1 - p));
	return w;
}

/* From the chance of k the one of k + 1. */
static double
next_chance(const struct window *w, long k, double chance)
{
	return chance * (double)(w->n - k) / (double)(k + 1) * w->odds;
}

/* Chance of at least k of n at p. */
static double
at_least(long k, long n, double p)
{
	if (k <= 0 || k > n)
		return k <= 0;
	return pb_beta_below(p, (double)k, (double)(n - k + 1));
}

double
pb_power_paired(long n, double diff, double split, double alpha)
{
	const struct window w = window_of(n, split);
	double won = (split + fabs(diff)) / (2 * split);
	double chance = w.chance, power = 0;
	long need = w.lo / 2 + 1;

	assert(diff != 0 && fabs(diff) <= split && split <= 1);
	/* The fewest wins of m that reject grow by one or none with m. */
	for (long m = w.lo; m <= w.hi; m++) {
		while (need <= m && 2 * at_least(need, m, 0.5) > alpha)
			need++;
		power += chance * at_least(need, m, won);
		chance = next_chance(&w, m, chance);
	}
	return power;
}

/* Halvings of what the least difference is within (to 1e-6 of it). */
#define HALVINGS 20

/* From where the formula has it upwards, then by halving. */
double
pb_pairs_least(struct pb_pairs t, double confidence, double power)
{
	long n = t.both + t.first + t.second + t.none;
	double differ = (double)(t.first + t.second + 2),
	       alpha = 1 - confidence;
	double split = differ / (double)(n + 2), lo = 0, hi;

	hi = (pb_normal_quantile(power) - pb_normal_quantile(alpha / 2)) *
	     sqrt(differ) / (double)(n + 2);
	if (differ > PB_PLAN_COUNTED)
		return fmin(1, hi);
	for (hi = fmin(1, hi);; lo = hi, hi = fmin(1, 2 * hi)) {
		if (pb_power_paired(n, hi, fmax(split, hi), alpha) >= power)
			break;
		if (hi == 1)
			return NAN;
	}
	for (int i = 0; i < HALVINGS; i++) {
		double mid = (lo + hi) / 2;

		if (pb_power_paired(n, mid, fmax(split, mid), alpha) < power)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}

/* The interval goes by trials that one only won: any others fill up n. */
static bool
passes(long n, long first, long second, double margin, double alpha)
{
	const struct pb_pairs t = {n - first - second, first, second, 0};

	return pb_pairs_interval(t, 1 - alpha).lo > -margin;
}

double
pb_power_margin(long n, double margin, double split, double alpha)
{
	const struct window w = window_of(n, split);
	double chance = w.chance, power = 0;
	long need = w.lo / 2;

	assert(margin > 0 && split > 0 && split <= 1);
	for (long m = w.lo; m <= w.hi; m++) {
		while (need > 0 &&
		       passes(n, need - 1, m - need + 1, margin, alpha))
			need--;
		while (need <= m && !passes(n, need, m - need, margin, alpha))
			need++;
		power += chance * at_least(need, m, 0.5);
		chance = next_chance(&w, m, chance);
	}
	return power;
}

/* A question whose power depends on n alone. */
struct question {
	bool margin;
	double by, split, alpha;
};

static double
power_of(const struct question *q, long n)
{
	return q->margin ? pb_power_margin(n, q->by, q->split, q->alpha)
	                 : pb_power_paired(n, q->by, q->split, q->alpha);
}

/* A number that reaches power with one below that does not, by halving; more
 * than TRIED: none does. */
static long
crossing(const struct question *q, double power, long guess)
{
	long lo = 0, hi = guess > 1 ? guess : 1;

	while (hi <= TRIED && power_of(q, hi) < power) {
		lo = hi;
		hi += hi / 2 + 1;
	}
	while (hi <= TRIED && hi - lo > 1) {
		long mid = (lo + hi) / 2;

		if (power_of(q, mid) < power)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}

/* Past the last number up to 5/4 n that falls short. */
static struct pb_plan
settle(const struct question *q, double power, double guess)
{
	long n, step;

	if (guess > PB_PLAN_COUNTED)
		return (struct pb_plan){guess, NAN};
	n = crossing(q, power, (long)guess);
	step = n / 400 + 1;
	for (long m = n + 1; m <= n + n / 4; m += step)
		if (power_of(q, m) < power) {
			n = m + 1;
			while (n <= TRIED && power_of(q, n) < power)
				n++;
			m = n;
		}
	if (n > TRIED)
		return (struct pb_plan){NAN, NAN};
	return (struct pb_plan){(double)n, power_of(q, n)};
}

/* The formula (Connor, 1987) is where to begin. */
struct pb_plan
pb_plan_paired(double diff, double split, double alpha, double power)
{
	const struct question q = {.by = diff, .split = split, .alpha = alpha};
	double a = -pb_normal_quantile(alpha / 2) * sqrt(split);
	double b = pb_normal_quantile(power) * sqrt(split - diff * diff);

	assert(diff != 0 && fabs(diff) <= split && split <= 1);
	return settle(&q, power, ceil((a + b) * (a + b) / (diff * diff)));
}

struct pb_plan
pb_plan_margin(double margin, double split, double alpha, double power)
{
	const struct question q = {
	    .margin = true, .by = margin, .split = split, .alpha = alpha};
	double z = pb_normal_quantile(power) - pb_normal_quantile(alpha / 2);

	return settle(&q, power, ceil(z * z * split / (margin * margin)));
}

/* The longer side of the exact interval; counts need not be whole. */
static double
longer_side(double p, double n, double confidence)
{
	struct pb_interval in = pb_rate_interval(p * n, n, confidence);

	return fmax(p - in.lo, in.hi - p);
}

/* It shrinks as n grows: double, then halve. */
double
pb_trials_width(double p, double half, double confidence)
{
	double lo = 0, hi = 1;

	assert(p >= 0 && p <= 1 && half >= 1e-6);
	while (longer_side(p, hi, confidence) > half) {
		lo = hi;
		hi *= 2;
	}
	while (hi - lo > 1) {
		double mid = floor((lo + hi) / 2);

		if (longer_side(p, mid, confidence) > half)
			lo = mid;
		else
			hi = mid;
	}
	return hi;
}
