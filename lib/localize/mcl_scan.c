/* mcl_scan.c - which beams of a scan a filter uses. */
#include <math.h>

#include "base/elementary.h"
#include "localize/mcl_state.h"

/* Walks over the beams of a scan whose ends are far enough from each other. */
struct walk {
	const struct pb_scan *z;
	double far;     /* ends beyond are outside the map from anywhere (m) */
	double spacing; /* (m) */
	size_t i;
	bool any;
	struct pb_beam_end last;
	double range, angle; /* of the last */
};

static bool
usable(const struct pb_scan *z, double r)
{
	double max = isfinite(z->range_max) && z->range_max > 0 ? z->range_max
	                                                        : INFINITY;

	return isfinite(r) && r > 0 && r >= z->range_min && r < max;
}

/*
 * Neighbouring beams that end close together hit the same thing: if the map
 * is wrong there, all of them are. They count as one.
 */
static bool
step(struct walk *w)
{
	for (; w->i < w->z->n; w->i++) {
		double r = w->z->range[w->i], dx, dy;
		double a = w->z->angle_min + (double)w->i * w->z->inc;
		struct pb_beam_end e;

		if (!usable(w->z, r) || !isfinite(a))
			continue;
		r = fmin(r + w->z->radius, w->far);
		e.x = r * pb_cos(a);
		e.y = r * pb_sin(a);
		dx = e.x - w->last.x;
		dy = e.y - w->last.y;
		if (w->any && dx * dx + dy * dy < w->spacing * w->spacing)
			continue;
		w->last = e;
		w->range = r;
		w->angle = a;
		w->any = true;
		w->i++;
		return true;
	}
	return false;
}

/*
 * How many independent beams the n in `end` are worth: errors of beams whose
 * ends are d apart correlate by exp(-d / l), so that along the scan they are
 * an autoregressive process. What n of its values tell of its mean is that
 * number (the sum of the elements of the inverse of their correlation
 * matrix).
 */
static double
worth(const struct pb_beam_end *end, int n, double l)
{
	double sum = 1;

	for (int i = 1; i < n; i++) {
		double dx = end[i].x - end[i - 1].x;
		double dy = end[i].y - end[i - 1].y;
		double r = l > 0 ? pb_exp(-sqrt(dx * dx + dy * dy) / l) : 0;

		sum += (1 - r) / (1 + r);
	}
	return sum;
}

/* The bits of i < PB_MCL_SEEK in reverse. */
static int
reversed(int i)
{
	int r = 0;

	for (int bit = 1; bit < PB_MCL_SEEK; bit *= 2)
		r = 2 * r + ((i & bit) != 0);
	return r;
}

/*
 * Beams of a search are in an order that looks in all directions first: a
 * place that does not fit is known early.
 */
void
pb_mcl_choose(const struct pb_mcl_known *k, const struct pb_scan *z,
    struct pb_mcl_scan *s)
{
	struct walk w = {.z = z,
	    .far = 2 * (k->size_x + k->size_y),
	    .spacing = k->o.spacing};
	int all = 0, most = k->o.beams;

	while (step(&w))
		all++;
	w.i = 0;
	w.any = false;
	s->n = s->nseek = 0;
	for (int i = 0; i < all && step(&w); i++) /* spread the dropped ones */
		if (all <= most ||
		    (long)i * most / all != (long)(i + 1) * most / all) {
			s->range[s->n] = w.range;
			s->angle[s->n] = w.angle;
			s->end[s->n++] = w.last;
		}
	if (s->n > 0)
		s->temper = worth(s->end, s->n, k->o.correlation) / s->n;
	for (int i = 0; i < PB_MCL_SEEK; i++) {
		int b = reversed(i);

		if (s->n > PB_MCL_SEEK)
			s->seek[s->nseek++] = s->end[b * s->n / PB_MCL_SEEK];
		else if (b < s->n)
			s->seek[s->nseek++] = s->end[b];
	}
}
