/* fuse_see.c - the late and sometimes wrong camera. */
#include <math.h>

#include "base/elementary.h"
#include "localize/fuse.h"

/* Where guesses are told apart the camera's cells are known to this (cells). */
#define BLUR 0.15

/* A delay as likely as this is known. */
#define KNOWN_LAG 0.5

/* Delays less likely than this are not looked at. */
#define UNLIKELY 1e-3

/* A cell like the one before says no more, but so much (part). */
#define SAME_NEWS 0.05

/* Chance that the delay changes, a fix. */
#define LAG_CHANGE 1e-3

/* Memory of how often the camera is wrong (fixes), and bounds of that. */
#define WRONG_FIXES 50.0
#define WRONG_MIN   0.02
#define WRONG_MAX   0.6

/*
 * An axis known worse than this takes the camera's word, and is not known
 * better by it: cells that follow each other err alike (cells2).
 */
#define UNSURE 0.15

/* Where the wheels were `lag` ticks ago, seen from now (cells). */
static struct pb_vec
back(const struct pb_fuse_trail *t, int now, int lag)
{
	const struct pb_vec *a, *b;
	int i = now - 1 - lag;

	if (t->n == 0)
		return (struct pb_vec){0, 0};
	if (i < 0)
		i = 0;
	if (i < t->n - PB_FUSE_TRAIL)
		i = t->n - PB_FUSE_TRAIL;
	a = &t->at[(t->n - 1) % PB_FUSE_TRAIL];
	b = &t->at[i % PB_FUSE_TRAIL];
	return (struct pb_vec){b->x - a->x, b->y - a->y};
}

/* Chance that a coordinate of that mean and variance is in a cell. */
static double
in_cell(double x, double var, int cell)
{
	double d = fabs(x - cell), s = sqrt(2 * (var + BLUR * BLUR));

	if (d > 0.5 + 3 * s)
		return 0;
	return (pb_erfc((d - 0.5) / s) - pb_erfc((d + 0.5) / s)) / 2;
}

/* Chance of the cell seen, if the camera is right and `lag` ticks late. */
static double
right(const struct pb_fuse *f, const struct pb_fuse_guess *q, int lag)
{
	struct pb_vec d = back(&f->trail, f->fix_at, lag);
	double x =
	    in_cell(q->x[0] + d.x * (1 + q->x[2]), q->p[0][0], f->fix.row);

	if (!(x > 0))
		return 0;
	return x *
	       in_cell(q->x[1] + d.y * (1 + q->x[2]), q->p[1][1], f->fix.col);
}

static double
right_at_any_lag(const struct pb_fuse *f, const struct pb_fuse_known *k,
    const struct pb_fuse_guess *q)
{
	double sum = 0;

	for (int i = 0; i <= k->o.delay; i++)
		if (f->sense.lag[i] > UNLIKELY)
			sum += f->sense.lag[i] * right(f, q, i);
	return sum;
}

double
pb_fuse_seen(const struct pb_fuse *f, const struct pb_fuse_known *k,
    const struct pb_fuse_guess *q)
{
	double any = f->sense.wrong * pb_exp(-k->log_cells);

	return pb_log((1 - f->sense.wrong) * right_at_any_lag(f, k, q) + any);
}

/* Learn from the heaviest guess how late the camera is, and how often wrong. */
static void
learn(struct pb_fuse *f, const struct pb_fuse_known *k)
{
	struct pb_fuse_sense *s = &f->sense;
	double any = s->wrong * pb_exp(-k->log_cells), sum = 0, good = 0;
	double change = LAG_CHANGE / (k->o.delay + 1);

	for (int i = 0; i <= k->o.delay; i++) {
		double p = (1 - s->wrong) * right(f, &f->at[0], i);

		good += s->lag[i] * p;
		s->lag[i] *= p + any;
		sum += s->lag[i];
	}
	for (int i = 0; i <= k->o.delay; i++)
		s->lag[i] = s->lag[i] / sum * (1 - LAG_CHANGE) + change;
	s->wrong += (any / (any + good) - s->wrong) / WRONG_FIXES;
	s->wrong = fmin(fmax(s->wrong, WRONG_MIN), WRONG_MAX);
}

static int
likeliest_lag(const struct pb_fuse *f, const struct pb_fuse_known *k)
{
	int best = 0;

	for (int i = 1; i <= k->o.delay; i++)
		if (f->sense.lag[i] > f->sense.lag[best])
			best = i;
	return best;
}

/*
 * A guess that hardly knows where it is goes where the camera says: its cell,
 * and the way since, whose mean and spread are those of the delays.
 */
static void
follow(const struct pb_fuse *f, const struct pb_fuse_known *k,
    struct pb_fuse_guess *q, int a)
{
	double mean = 0, second = 0, v = q->p[a][a], r, by;

	for (int i = 0; i <= k->o.delay && v > UNSURE; i++) {
		struct pb_vec d = back(&f->trail, f->fix_at, i);
		double way = a == 0 ? d.x : d.y;

		mean += f->sense.lag[i] * way;
		second += f->sense.lag[i] * way * way;
	}
	r = pb_tof_cell_var(BLUR) + second - mean * mean;
	by = (a == 0 ? f->fix.row : f->fix.col) - mean - q->x[a];
	if (v > UNSURE && by * by < 9 * (v + r))
		pb_fuse_condition(
		    q, a, v / (v + r) * by, fmax(v * r / (v + r), UNSURE));
}

/*
 * The robot is in the cell or beyond its nearer edge, if the delay is known:
 * that counts when it has just crossed one.
 */
static void
take_edges(
    struct pb_fuse *f, const struct pb_fuse_known *k, struct pb_fuse_guess *q)
{
	const int cell[2] = {f->fix.row, f->fix.col};
	int lag = likeliest_lag(f, k);
	struct pb_vec b = back(&f->trail, f->fix_at, lag);
	const double d[2] = {b.x, b.y};
	double wrong = f->sense.wrong, above;

	if (f->sense.lag[lag] < KNOWN_LAG)
		return;
	for (int a = 0; a < 2; a++) {
		double by = d[a] * (1 + q->x[2]), slip = k->o.slip * d[a];
		double x = q->x[a] + by - cell[a], edge = x > 0 ? 0.5 : -0.5;
		double blur = k->o.edge * k->o.edge + slip * slip;
		double sd = sqrt(q->p[a][a] + blur);

		if (fabs(x - edge) < 4 * sd)
			pb_fuse_side(q, a, cell[a] + edge - by, blur,
			    x > 0 ? 1 : wrong, x > 0 ? wrong : 1, &above);
	}
}

void
pb_fuse_see(struct pb_fuse *f, const struct pb_fuse_known *k)
{
	double part = f->seen ? fmin(f->fix_gone + SAME_NEWS, 1) : 1;

	for (int i = 0; i < f->n; i++) {
		f->at[i].lw += part * pb_fuse_seen(f, k, &f->at[i]);
		follow(f, k, &f->at[i], 0);
		follow(f, k, &f->at[i], 1);
	}
	pb_fuse_tidy(f);
	if (f->heard && f->n > 0 && f->at[0].lw > pb_log(0.9) &&
	    f->at[0].fit > 0.3) {
		learn(f, k);
		take_edges(f, k, &f->at[0]);
	}
	f->seen = true;
	f->fix_gone = 0;
}
