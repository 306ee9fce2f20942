/* mcl_beams.c - the beams of a scan that count, and how well they fit. */
#include <math.h>

#include "base/elementary.h"
#include "localize/mcl.h"

/* Walks over the beams of a scan whose ends are far enough from each other. */
struct walk {
	const struct pb_scan *z;
	pb_pair mount;  /* cosine and sine of the scanner's heading */
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

/* Where a beam ends, in the robot's frame. */
static struct pb_beam_end
end_of(const struct walk *w, double r, double a)
{
	pb_pair u = pb_direction(a), m = w->mount;
	struct pb_pose at = w->z->mount;
	double x = r * u[0], y = r * u[1];

	return (struct pb_beam_end){
	    at.x + m[0] * x - m[1] * y, at.y + m[1] * x + m[0] * y};
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
		e = end_of(w, r, a);
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
 * Take beams, which number `all`, spread evenly if these are too many. Returns
 * how many there are.
 */
static int
take(const struct pb_mcl_known *k, const struct pb_scan *z,
    struct pb_mcl_scan *s, int all)
{
	struct walk w = {.z = z,
	    .mount = pb_direction(z->mount.th),
	    .far = 2 * (k->size_x + k->size_y),
	    .spacing = k->o.spacing};
	int i = 0, most = k->o.beams;

	s->n = 0;
	for (; step(&w); i++)
		if (all <= most
			? i < most
			: (long)i * most / all != (long)(i + 1) * most / all) {
			s->range[s->n] = w.range;
			s->angle[s->n] = w.angle;
			s->end[s->n++] = w.last;
		}
	return i;
}

/*
 * What the scan is worth, and the beams of a search: in an order that looks in
 * all directions first, so that a place that does not fit is known early.
 */
static void
complete(const struct pb_mcl_known *k, struct pb_mcl_scan *s)
{
	s->nseek = 0;
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

void
pb_mcl_choose(const struct pb_mcl_known *k, const struct pb_scan *z,
    struct pb_mcl_scan *s)
{
	int all = take(k, z, s, 0);

	if (all > k->o.beams)
		take(k, z, s, all);
	s->mount = z->mount;
	complete(k, s);
}

/* What a beam met, seen from a place. */
enum met { KNOWN, IN_FRONT, BEHIND };

/*
 * The map has something about where the beam ends, *off away; or nothing there
 * nor on the way; or it would have gone through something. Steps are as far as
 * nothing can be.
 */
static enum met
meets(const struct pb_likelihood *f, struct pb_vec from, struct pb_vec to,
    double *off)
{
	double dx = to.x - from.x, dy = to.y - from.y;
	double way = sqrt(dx * dx + dy * dy), at = 0;
	double touch = 0.5 * fmin(f->resolution, f->reach);
	struct pb_vec slope;

	*off = pb_likelihood_dist(f, to.x, to.y, &slope);
	if (*off < PB_MCL_OFF * f->sigma)
		return KNOWN;
	while (at < way) {
		double free = pb_likelihood_dist(
		    f, from.x + dx * at / way, from.y + dy * at / way, &slope);

		if (free < touch)
			return BEHIND;
		at += free;
	}
	return IN_FRONT;
}

/* What all beams of a scan met. */
struct view {
	uint8_t met[PB_MCL_BEAMS];
	int in_front, behind; /* how many */
};

/*
 * Returns  how badly that explains the scan at p (nat): neighbours that end in
 *          front count once, as what one obstacle stopped
 */
static double
view_from(const struct pb_mcl_known *k, const struct pb_mcl_scan *s,
    struct pb_pose p, struct view *v)
{
	pb_pair u = pb_direction(p.th);
	struct pb_pose mount = pb_pose_compose(p, s->mount);
	struct pb_vec from = {mount.x, mount.y};
	double obstacle = -pb_log(k->o.obstacle), cost = 0;

	v->in_front = v->behind = 0;
	for (int i = 0; i < s->n; i++) {
		double x = s->end[i].x, y = s->end[i].y, off;
		struct pb_vec to = {
		    p.x + u[0] * x - u[1] * y, p.y + u[1] * x + u[0] * y};

		v->met[i] = (uint8_t)meets(&k->field, from, to, &off);
		off = fmin(off / k->field.sigma, PB_MCL_OFF);
		if (v->met[i] != IN_FRONT)
			cost += s->temper * 0.5 * off * off;
		else if (i == 0 || v->met[i - 1] != IN_FRONT)
			cost += obstacle;
		v->in_front += v->met[i] == IN_FRONT;
		v->behind += v->met[i] == BEHIND;
	}
	return cost;
}

/*
 * Whoever stands before a robot hides the map. What ends nearer than the map
 * has it does not say where the robot is; as beams that each failed by chance,
 * it would count as often as one obstacle stops beams. (AMCL leaves out beams
 * that fit at too few particles, whatever they met: do_beamskip.) Where beams
 * are longer than the map allows, the robot is elsewhere: then all stay.
 *
 * Given    prior  of the robot's place
 *          at[n]  places where it may be, n > 0
 * Returns  the share of the beams that went, and in at[0] the place that
 *          explains most, which it is by
 */
double
pb_mcl_put_aside(const struct pb_mcl_known *k, struct pb_mcl_scan *s,
    const struct pb_gauss *prior, struct pb_pose *at, int n)
{
	struct view v;
	double least = INFINITY;
	int best = 0, all = s->n;

	for (int i = 0; i < n; i++) {
		double cost =
		    view_from(k, s, at[i], &v) - pb_gauss_log(prior, at[i]);

		if (cost < least) {
			least = cost;
			best = i;
		}
	}
	at[0] = at[best];
	view_from(k, s, at[0], &v);
	if (v.in_front < PB_MCL_NEARER * v.behind)
		return 0;
	s->n = 0;
	for (int i = 0; i < all; i++)
		if (v.met[i] != IN_FRONT) {
			s->end[s->n] = s->end[i];
			s->range[s->n] = s->range[i];
			s->angle[s->n++] = s->angle[i];
		}
	complete(k, s);
	return (double)(all - s->n) / all;
}

/*
 * The beam model of Thrun, Burgard and Fox ("Probabilistic Robotics", 2005,
 * section 6.3), scaled as the likelihood field is: 1 for a hit. Of stray
 * beams half are short, because somebody stands there; half are anywhere.
 */
static double
chance(const struct pb_mcl_opts *o, double z, double expected)
{
	double q = (z - expected) / o->sigma;

	return (1 - o->stray) * pb_exp(-0.5 * q * q) + 0.5 * o->stray +
	       (z < expected ? 0.5 * o->stray : 0);
}

static double
cast(
    const struct pb_mcl_known *k, const struct pb_mcl_scan *s, struct pb_pose p)
{
	struct pb_pose at[PB_MCL_BEAMS],
	    from = pb_pose_compose(pb_likelihood_from(&k->field, p), s->mount);
	double expected[PB_MCL_BEAMS], sum = 0;
	/* Beyond that nothing is left of a hit. */
	double max = k->size_x + k->size_y;

	for (int i = 0; i < s->n; i++)
		at[i] = (struct pb_pose){from.x, from.y, from.th + s->angle[i]};
	pb_ray_batch(k->rays, at, (size_t)s->n, max, expected);
	for (int i = 0; i < s->n; i++)
		sum += pb_log(chance(&k->o, s->range[i], expected[i]));
	return sum;
}

/* Log likelihood of the scan at p, tempered (nat). */
double
pb_mcl_fit(
    const struct pb_mcl_known *k, const struct pb_mcl_scan *s, struct pb_pose p)
{
	if (k->o.model == PB_MCL_BEAM)
		return s->temper * cast(k, s, p);
	return -s->temper / PB_LIKELIHOOD_NAT *
	       pb_likelihood_cost(&k->field, p, s->end, s->n);
}
