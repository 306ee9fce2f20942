/* rating.c - how strong players are, from trials that all of them met. */
#include "stats/rating.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "base/grow.h"

/* Trials that each wins against each, beside those played. */
#define PRIOR 0.5

/* A place is the number of players who did better. */
struct pb_rater {
	int players;
	size_t n, cap;        /* places */
	unsigned char *place; /* of each player, trial by trial */
};

struct pb_rater *
pb_rater_new(int players)
{
	struct pb_rater *r = calloc(1, sizeof(*r));

	assert(players > 1 && players <= PB_SEQ_PLAYERS);
	if (r)
		r->players = players;
	return r;
}

void
pb_rater_free(struct pb_rater *r)
{
	if (r)
		free(r->place);
	free(r);
}

bool
pb_rater_add(struct pb_rater *r, const struct pb_merit *of)
{
	for (int i = 0; i < r->players; i++) {
		unsigned char place = 0;

		for (int j = 0; j < r->players; j++)
			place += pb_merit_compare(&of[j], &of[i]) > 0;
		if (!pb_grow(&r->place, r->n, &r->cap, sizeof(*r->place)))
			return false;
		r->place[r->n++] = place;
	}
	return true;
}

/* A square matrix, row by row, and what is worked out with it. */
struct work {
	int n;
	double *won;      /* [n * n]: i against j, those alike by half */
	double *strength; /* [n] natural logarithm of odds */
	double *slope;    /* [n] of the likelihood */
	double *inverse; /* [n * n] of its curvature, for strengths of mean 0 */
	double *spread;  /* [n * n] of the slope, trial by trial */
	double *room;    /* [n * n] */
};

static double
points(unsigned char mine, unsigned char other)
{
	return mine < other ? 1 : mine == other ? 0.5 : 0;
}

/* Chance of i to do better than j. */
static double
chance(const struct work *w, int i, int j)
{
	return 1 / (1 + pb_exp(w->strength[j] - w->strength[i]));
}

static void
count(struct work *w, const struct pb_rater *r)
{
	int n = w->n;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			w->won[i * n + j] = i != j ? PRIOR : 0;
	for (size_t t = 0; t < r->n; t += (size_t)n)
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				if (i != j)
					w->won[i * n + j] +=
					    points(r->place[t + (size_t)i],
						r->place[t + (size_t)j]);
}

/* Gauss and Jordan; a is positive definite and is spent. */
static void
invert(double *a, double *inverse, int n)
{
	for (int i = 0; i < n * n; i++)
		inverse[i] = i % (n + 1) == 0;
	for (int k = 0; k < n; k++) {
		double pivot = a[k * n + k];

		for (int j = 0; j < n; j++) {
			a[k * n + j] /= pivot;
			inverse[k * n + j] /= pivot;
		}
		for (int i = 0; i < n; i++) {
			double f = a[i * n + k];

			for (int j = 0; i != k && j < n; j++) {
				a[i * n + j] -= f * a[k * n + j];
				inverse[i * n + j] -= f * inverse[k * n + j];
			}
		}
	}
}

/*
 * Slope and curvature of the logarithm of the likelihood. All strengths may be
 * more by as much, which 1/n in each place of the curvature stands for, and is
 * taken out of its inverse again.
 */
static void
differentiate(struct work *w)
{
	int n = w->n;

	for (int i = 0; i < n; i++) {
		double sum = 0;

		w->slope[i] = 0;
		for (int j = 0; j < n; j++) {
			double p = chance(w, i, j);
			double all = w->won[i * n + j] + w->won[j * n + i];

			if (i == j)
				continue;
			w->slope[i] += w->won[i * n + j] - all * p;
			w->room[i * n + j] = 1.0 / n - all * p * (1 - p);
			sum += all * p * (1 - p);
		}
		w->room[i * n + i] = 1.0 / n + sum;
	}
	invert(w->room, w->inverse, n);
	for (int i = 0; i < n * n; i++)
		w->inverse[i] -= 1.0 / n;
}

/* Newton's steps, none longer than 1; the likelihood has one summit. */
static void
climb(struct work *w)
{
	double most = 1;

	for (int k = 0; k < 200 && most > 1e-12; k++) {
		differentiate(w);
		most = 0;
		for (int i = 0; i < w->n; i++) {
			double step = 0;

			for (int j = 0; j < w->n; j++)
				step += w->inverse[i * w->n + j] * w->slope[j];
			w->room[i] = step;
			most = fmax(most, fabs(step));
		}
		for (int i = 0; i < w->n; i++)
			w->strength[i] += w->room[i] / fmax(1, most);
	}
	differentiate(w);
}

/* What the trials add to the slope, each times itself. */
static void
spread(struct work *w, const struct pb_rater *r)
{
	int n = w->n;

	for (int i = 0; i < n * n; i++)
		w->spread[i] = 0;
	for (size_t t = 0; t < r->n; t += (size_t)n) {
		for (int i = 0; i < n; i++) {
			w->slope[i] = 0;
			for (int j = 0; j < n; j++)
				if (i != j)
					w->slope[i] +=
					    points(r->place[t + (size_t)i],
						r->place[t + (size_t)j]) -
					    chance(w, i, j);
		}
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				w->spread[i * n + j] +=
				    w->slope[i] * w->slope[j];
	}
}

/* Variance of a strength: from trial to trial, or as of pairs if that is more.
 */
static double
variance(const struct work *w, int i, double trials)
{
	const double *row = &w->inverse[i * w->n];
	double sum = 0;

	for (int j = 0; j < w->n; j++)
		for (int k = 0; k < w->n; k++)
			sum += row[j] * w->spread[j * w->n + k] * row[k];
	return fmax(sum * trials / (trials - 1), row[i]);
}

static void
put(const struct work *w, double trials, double confidence,
    struct pb_rating *out)
{
	const double elo = 400 / pb_log(10);
	const double none = 1e-9; /* of rounding, and no strength */

	for (int i = 0; i < w->n; i++) {
		double won = 0, half = NAN;

		for (int j = 0; j < w->n; j++)
			won += i != j ? w->won[i * w->n + j] - PRIOR : 0;
		if (trials > 1)
			half = pb_t_two_sided(confidence, trials - 1) *
			       sqrt(variance(w, i, trials));
		out[i] = (struct pb_rating){.player = i,
		    .players = w->n,
		    .n = (long)trials,
		    .points = won / (trials * (w->n - 1)),
		    .elo =
			fabs(w->strength[i]) < none ? 0 : elo * w->strength[i],
		    .in = {elo * (w->strength[i] - half),
			elo * (w->strength[i] + half)}};
	}
}

static int
stronger(const void *a, const void *b)
{
	const struct pb_rating *x = a, *y = b;

	if (x->elo != y->elo)
		return x->elo > y->elo ? -1 : 1;
	return x->player - y->player;
}

bool
pb_rater_rate(
    const struct pb_rater *r, double confidence, struct pb_rating *out)
{
	int n = r->players;
	size_t square = (size_t)n * (size_t)n;
	double *all = calloc(4 * square + 2 * (size_t)n, sizeof(*all));
	struct work w = {.n = n};

	if (!all)
		return false;
	w.won = all;
	w.inverse = all + square;
	w.spread = all + 2 * square;
	w.room = all + 3 * square;
	w.strength = all + 4 * square;
	w.slope = w.strength + n;
	count(&w, r);
	climb(&w);
	spread(&w, r);
	put(&w, (double)(r->n / (size_t)n), confidence, out);
	qsort(out, (size_t)n, sizeof(*out), stronger);
	for (int i = 0; i < n; i++)
		out[i].rank = i + 1;
	free(all);
	return true;
}
