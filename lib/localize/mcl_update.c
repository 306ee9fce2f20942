/* mcl_update.c - what a scan does to the particles. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "localize/mcl_state.h"

/*
 * Tracking is: one place has nearly all of the belief, it is no larger than
 * a robot, the map explains most of the scan there, and all that has been so
 * for SETTLED independent scans. Below LOST the map explains too little for
 * any place to mean something.
 */
#define BESIDE    0.05 /* belief in other places */
#define SPREAD    0.3  /* root of the variance of the place (m) */
#define SWING     0.2  /* of the heading (rad) */
#define EXPLAINED 0.6  /* share of beams that end within 2 sigma */
#define LOST      0.4
#define SETTLED   3
#define WORSE     0.25 /* fits so much worse than before: look elsewhere */
#define VAGUE     1.0  /* a place larger than this is none (m) */

/*
 * Multiply the weights by the likelihood; logarithms from here on. Returns
 * the best fit.
 */
static double
weigh(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
{
	struct pb_mcl_particle *p =
	    PB_MCL_ARRAY(m, k, struct pb_mcl_particle, particle);
	double best = -INFINITY;

	for (int i = 0; i < m->n; i++) {
		double f = pb_mcl_fit(k, &m->scan, p[i].at);

		p[i].w = pb_log(p[i].w) + f;
		best = f > best ? f : best;
	}
	return best;
}

/* Effective number of particles in each cluster, after weighing. */
static void
count_effective(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
{
	const struct pb_mcl_particle *p =
	    PB_MCL_ARRAY(m, k, struct pb_mcl_particle, particle);
	const struct pb_mcl_bin *t =
	    PB_MCL_ARRAY(m, k, struct pb_mcl_bin, table);
	const int32_t *slot = PB_MCL_ARRAY(m, k, int32_t, slot);
	double top[PB_MCL_CLUSTERS], sum[PB_MCL_CLUSTERS][2];

	for (int c = 0; c < m->nclusters; c++) {
		top[c] = -INFINITY;
		sum[c][0] = sum[c][1] = 0;
	}
	for (int i = 0; i < m->n; i++) {
		int32_t c = t[slot[i]].label;

		if (c >= 0 && p[i].w > top[c])
			top[c] = p[i].w;
	}
	for (int i = 0; i < m->n; i++) {
		int32_t c = t[slot[i]].label;
		double w = c >= 0 ? pb_exp(p[i].w - top[c]) : 0;

		if (c >= 0 && top[c] > -INFINITY) {
			sum[c][0] += w;
			sum[c][1] += w * w;
		}
	}
	for (int c = 0; c < m->nclusters; c++)
		m->cluster[c].ess =
		    sum[c][1] > 0 ? sum[c][0] * sum[c][0] / sum[c][1] : 0;
}

/*
 * Back from logarithms, so that the sum is 1. If nothing is left of all
 * weights, they are equal.
 */
static void
normalise(struct pb_mcl_particle *p, int n)
{
	double top = -INFINITY, sum = 0;

	for (int i = 0; i < n; i++)
		if (p[i].w > top)
			top = p[i].w;
	if (top == -INFINITY || isnan(top)) {
		for (int i = 0; i < n; i++)
			p[i].w = 1.0 / n;
		return;
	}
	for (int i = 0; i < n; i++)
		sum += p[i].w = pb_exp(p[i].w - top);
	for (int i = 0; i < n; i++)
		p[i].w /= sum;
}

static double
effective(const struct pb_mcl_particle *p, int n)
{
	double s = 0;

	for (int i = 0; i < n; i++)
		s += p[i].w * p[i].w;
	return 1 / s;
}

/*
 * How well the scan fits where the robot is taken to be: the geometric mean
 * of the beams' likelihoods at the best particle or match, which neither the
 * number of beams nor that of particles scales.
 */
static double
quality(const struct pb_mcl_mem *m, const struct pb_mcl_known *k, double best)
{
	for (int i = 0; i < m->nmodes; i++) {
		double f = pb_mcl_fit(k, &m->scan, m->mode[i].g.mean);

		best = f > best ? f : best;
	}
	return pb_exp(best / m->scan.temper / m->scan.n);
}

static void
hypotheses(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
{
	m->belief.n = 0;
	for (int c = 0; c < m->nclusters && c < PB_LOC_HYPOTHESES; c++) {
		struct pb_hypothesis *h = &m->belief.at[m->belief.n++];

		h->pose = m->cluster[c].g.mean;
		h->weight = m->cluster[c].w;
		memcpy(h->cov, m->cluster[c].g.cov, sizeof(h->cov));
	}
	m->share = pb_likelihood_share(&k->field, m->belief.at[0].pose,
	    m->scan.end, m->scan.n, 2 * k->o.sigma);
}

/*
 * The chance that the robot is not where the particles are. While that is
 * not settled, one independent scan after the other is looked up in the whole
 * map.
 */
static double
doubt(struct pb_mcl_mem *m, const struct pb_mcl_known *k, double q)
{
	double now = m->fast < q ? m->fast : q;
	double jump = m->slow > 0 ? 1 - now / m->slow : 0;
	double a = 0;

	m->unseen += m->fresh;
	if (m->unseen >= 1 && m->settled < 2 * SETTLED)
		a = k->o.anywhere;
	if (jump > WORSE && !m->moved)
		m->settled = 0; /* no wheels say that it is here all the same */
	if (jump > WORSE && jump > a)
		a = jump;
	if (a > 0)
		m->unseen = 0;
	return a < 0.5 ? a : 0.5;
}

static void
judge(struct pb_mcl_mem *m)
{
	const struct pb_hypothesis *h = &m->belief.at[0];
	double var = h->cov[0][0] + h->cov[1][1];
	bool sure = h->weight > 1 - BESIDE && var < SPREAD * SPREAD &&
	            h->cov[2][2] < SWING * SWING && m->share > EXPLAINED;

	m->settled = sure ? m->settled + m->fresh : 0;
	if (m->share < LOST)
		m->belief.status = PB_LOC_LOST;
	else if (m->settled >= SETTLED)
		m->belief.status = PB_LOC_TRACKING;
	else
		m->belief.status = PB_LOC_AMBIGUOUS;
}

/* The most that may be said of a place of that variance (m2). */
enum pb_loc_status
pb_mcl_modest(enum pb_loc_status s, double var)
{
	if (var > VAGUE * VAGUE)
		return PB_LOC_LOST;
	if (var > SPREAD * SPREAD && s == PB_LOC_TRACKING)
		return PB_LOC_AMBIGUOUS;
	return s;
}

static void
average(struct pb_mcl_mem *m, const struct pb_mcl_known *k, double q)
{
	if (m->slow == 0)
		m->slow = m->fast = q;
	m->slow += k->o.slow * (q - m->slow);
	m->fast += k->o.fast * (q - m->fast);
}

/* Weigh the particles and look near those that are too few; how well it fits.
 */
static double
track(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
{
	double best;

	if (m->moved)
		pb_mcl_group(m, k);
	best = weigh(m, k);
	count_effective(m, k);
	for (int c = 0; c < m->nclusters; c++)
		if (m->cluster[c].ess < 0.5 * m->cluster[c].n)
			pb_mcl_look_near(m, k, c);
	return quality(m, k, best);
}

/* Belief in particles from the first on; they have yet to prove themselves. */
static void
distrust(
    struct pb_mcl_mem *m, const struct pb_mcl_particle *p, int first, int n)
{
	double w = 0;

	for (int i = first; i < n; i++)
		w += p[i].w;
	if (w > BESIDE)
		m->settled = 0;
}

void
pb_mcl_update(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
{
	struct pb_mcl_particle *p =
	    PB_MCL_ARRAY(m, k, struct pb_mcl_particle, particle);
	int n = m->anywhere ? 0 : m->n, first;
	int draws = m->n > k->o.least ? m->n : k->o.least;
	double away = 1;

	m->nmodes = 0;
	if (n > 0)
		away = doubt(m, k, track(m, k));
	if (away > 0)
		pb_mcl_look_everywhere(m, k, away);
	first = pb_mcl_propose(m, k, draws, &n);
	if (n == 0) { /* the scan fits nowhere; nothing is known still */
		m->belief.n = 0;
		m->belief.status = PB_LOC_LOST;
		return;
	}
	normalise(p, n);
	distrust(m, p, first, n);
	average(m, k, quality(m, k, pb_mcl_fit(k, &m->scan, p[0].at)));
	if (n != m->n || effective(p, n) < 0.5 * n)
		pb_mcl_resample(m, k, n);
	m->anywhere = false;
	pb_mcl_group(m, k);
	hypotheses(m, k);
	judge(m);
}
