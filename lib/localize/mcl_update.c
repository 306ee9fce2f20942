/* mcl_update.c - what a scan does to the particles. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "localize/mcl_state.h"

static double
fit(const struct pb_mcl_known *k, const struct pb_mcl_scan *s, struct pb_pose p)
{
	return -s->temper / PB_LIKELIHOOD_NAT *
	       pb_likelihood_cost(&k->field, p, s->end, s->n);
}

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
		double f = fit(k, &m->scan, p[i].at);

		p[i].w = log(p[i].w) + f;
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
		double w = c >= 0 ? exp(p[i].w - top[c]) : 0;

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
 * Logarithm of the integral of prior times likelihood about a mode (Laplace).
 */
static double
mass(const struct pb_mcl_known *k, const struct pb_mcl_scan *s,
    const struct pb_gauss *g, double log_prior)
{
	return fit(k, s, g->mean) + log_prior - g->log_norm;
}

static void
add_mode(struct pb_mcl_mem *m, const struct pb_gauss *g, double log_mass,
    int cluster)
{
	for (int i = 0; i < m->nmodes; i++) {
		struct pb_mcl_mode *o = &m->mode[i];
		double d[3];

		pb_gauss_diff(g->mean, o->g.mean, d);
		if (o->cluster == cluster &&
		    d[0] * d[0] + d[1] * d[1] < 0.1 * 0.1 && fabs(d[2]) < 0.05)
			return; /* two ways to the same place */
	}
	if (m->nmodes < PB_MCL_MODES)
		m->mode[m->nmodes++] = (struct pb_mcl_mode){
		    .g = *g, .log_mass = log_mass, .cluster = cluster};
}

/* Proposals are wider than what they propose: twice the variance. */
static bool
widen(struct pb_gauss *g)
{
	double cov[3][3];

	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			cov[i][j] = 2 * g->cov[i][j];
	return pb_gauss_init(g, g->mean, cov);
}

/* The places within three sigma of a cluster where the scan fits. */
static void
look_near(struct pb_mcl_mem *m, const struct pb_mcl_known *k, int c)
{
	const struct pb_gauss *g = &m->cluster[c].g;
	double x = 3 * sqrt(g->cov[0][0]), y = 3 * sqrt(g->cov[1][1]);
	struct pb_mcl_window w = {{g->mean.x - x, g->mean.y - y},
	    {g->mean.x + x, g->mean.y + y}, g->mean.th, 3 * sqrt(g->cov[2][2])};
	struct pb_pose from[4];
	int n = pb_mcl_search(m, k, &w, from, 4);

	m->cluster[c].mode = m->nmodes;
	for (int i = 0; i < n; i++) {
		struct pb_gauss at;
		double log_mass;

		if (!pb_mcl_match(k, &m->scan, g, from[i], &at))
			continue;
		log_mass = mass(k, &m->scan, &at,
		    log(m->cluster[c].w) + pb_gauss_log(g, at.mean));
		if (widen(&at))
			add_mode(m, &at, log_mass, c);
	}
	m->cluster[c].modes = m->nmodes - m->cluster[c].mode;
}

/* All places of the map where the scan fits, before anything was known. */
static void
look_everywhere(
    struct pb_mcl_mem *m, const struct pb_mcl_known *k, double share)
{
	struct pb_mcl_window w = {
	    {0, 0}, {k->size_x, k->size_y}, 0, PB_PI + 0.1};
	struct pb_pose from[PB_MCL_MODES];
	double cell = k->field.resolution;
	double log_prior =
	    log(share) - log((double)k->field.nfree * cell * cell * 2 * PB_PI);
	int n = pb_mcl_search(m, k, &w, from, PB_MCL_MODES);

	for (int i = 0; i < n; i++) {
		struct pb_gauss at;
		double log_mass;

		if (!pb_mcl_match(k, &m->scan, NULL, from[i], &at))
			continue;
		log_mass = mass(k, &m->scan, &at, log_prior);
		if (widen(&at))
			add_mode(m, &at, log_mass, -1);
	}
}

/* How many particles to draw from each mode: by mass, all in all `draws`. */
static void
share_out(struct pb_mcl_mem *m, double log_tracked, int draws)
{
	double top = log_tracked, sum;

	for (int i = 0; i < m->nmodes; i++)
		if (m->mode[i].log_mass > top)
			top = m->mode[i].log_mass;
	sum = log_tracked > -INFINITY ? exp(log_tracked - top) : 0;
	for (int i = 0; i < m->nmodes; i++)
		sum += exp(m->mode[i].log_mass - top);
	for (int i = 0; i < m->nmodes; i++)
		m->mode[i].draws = (int)floor(
		    draws * exp(m->mode[i].log_mass - top) / sum + 0.5);
}

/* Log of n_p p(x) + sum n_m q_m(x), the density that all of c's samples have.
 */
static double
density(const struct pb_mcl_mem *m, const struct pb_mcl_cluster *c,
    struct pb_pose x, double *log_prior)
{
	double p = pb_gauss_log(&c->g, x), top = p, sum;

	*log_prior = p;
	for (int i = 0; i < c->modes; i++) {
		double q = pb_gauss_log(&m->mode[c->mode + i].g, x);

		top = q > top ? q : top;
	}
	sum = c->n * exp(p - top);
	for (int i = 0; i < c->modes; i++)
		sum += m->mode[c->mode + i].draws *
		       exp(pb_gauss_log(&m->mode[c->mode + i].g, x) - top);
	return top + log(sum);
}

/*
 * Particles and draws together are one sample of a mixture; each weighs what
 * it ought to over the density of the mixture (Veach and Guibas, "Optimally
 * combining sampling techniques", 1995, the balance heuristic).
 */
static void
balance(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
{
	struct pb_mcl_particle *p =
	    PB_MCL_ARRAY(m, k, struct pb_mcl_particle, particle);
	const struct pb_mcl_bin *t =
	    PB_MCL_ARRAY(m, k, struct pb_mcl_bin, table);
	const int32_t *slot = PB_MCL_ARRAY(m, k, int32_t, slot);

	for (int i = 0; i < m->n; i++) {
		int32_t c = t[slot[i]].label;
		double prior, mix;

		if (c < 0 || m->cluster[c].modes == 0)
			continue;
		mix = density(m, &m->cluster[c], p[i].at, &prior);
		p[i].w += log(m->cluster[c].n) + prior - mix;
	}
}

/*
 * Append the draws to the n particles. Returns the first that may be anywhere.
 */
static int
draw(struct pb_mcl_mem *m, const struct pb_mcl_known *k, int *n)
{
	struct pb_mcl_particle *p =
	    PB_MCL_ARRAY(m, k, struct pb_mcl_particle, particle);
	double cell = k->field.resolution;
	double area = (double)k->field.nfree * cell * cell * 2 * PB_PI;
	int elsewhere = INT_MAX;

	for (int i = 0; i < m->nmodes; i++) {
		const struct pb_mcl_mode *o = &m->mode[i];

		if (o->cluster < 0 && *n < elsewhere)
			elsewhere = *n;

		for (int j = 0; j < o->draws && *n < 2 * k->o.most; j++) {
			struct pb_mcl_particle *q = &p[(*n)++];
			double prior, mix;

			q->at = pb_gauss_draw(&o->g, &m->rng);
			q->w = fit(k, &m->scan, q->at);
			if (o->cluster < 0) {
				q->w += -log(area) - log(o->draws) -
				        pb_gauss_log(&o->g, q->at);
				continue;
			}
			mix =
			    density(m, &m->cluster[o->cluster], q->at, &prior);
			q->w += log(m->cluster[o->cluster].w) + prior - mix;
		}
	}
	return elsewhere;
}

/* Back from logarithms, so that the sum is 1; returns the log of the sum. */
static double
normalise(struct pb_mcl_particle *p, int n)
{
	double top = -INFINITY, sum = 0;

	for (int i = 0; i < n; i++)
		if (p[i].w > top)
			top = p[i].w;
	if (top == -INFINITY || isnan(top)) {
		for (int i = 0; i < n; i++)
			p[i].w = 1.0 / n;
		return -INFINITY;
	}
	for (int i = 0; i < n; i++)
		sum += p[i].w = exp(p[i].w - top);
	for (int i = 0; i < n; i++)
		p[i].w /= sum;
	return top + log(sum);
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
		double f = fit(k, &m->scan, m->mode[i].g.mean);

		best = f > best ? f : best;
	}
	return exp(best / m->scan.temper / m->scan.n);
}

static void
hypotheses(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
{
	double cell = k->field.resolution;

	m->belief.n = 0;
	for (int c = 0; c < m->nclusters && c < PB_LOC_HYPOTHESES; c++) {
		struct pb_hypothesis *h = &m->belief.at[m->belief.n++];

		h->pose = m->cluster[c].g.mean;
		h->weight = m->cluster[c].w;
		memcpy(h->cov, m->cluster[c].g.cov, sizeof h->cov);
		(void)cell;
	}
	m->second = 1 - m->cluster[0].w;
	m->share = pb_likelihood_share(&k->field, m->belief.at[0].pose,
	    m->scan.end, m->scan.n, 2 * k->o.sigma);
}

/* The chance that the robot is not where the particles are. */
static double
doubt(struct pb_mcl_mem *m, const struct pb_mcl_known *k, double q)
{
	double now = m->fast < q ? m->fast : q;
	double jump = m->slow > 0 ? 1 - now / m->slow : 0;
	/* Without odometry nothing says how far the robot went. */
	double a = m->settled < 5 || !m->moved ? k->o.anywhere : 0;

	if (jump > 0.25 && jump > a)
		a = jump;
	return a < 0.5 ? a : 0.5;
}

static void
judge(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
{
	const struct pb_hypothesis *h = &m->belief.at[0];
	double var = h->cov[0][0] + h->cov[1][1];
	bool sure = m->second < 0.05 && var < 0.3 * 0.3 &&
	            h->cov[2][2] < 0.2 * 0.2 && m->share > 0.6;

	(void)k;
	m->settled = sure ? m->settled + 1 : 0;
	m->belief.status = m->share < 0.4 || var > 1 ? PB_LOC_LOST
	                   : m->settled >= 3         ? PB_LOC_TRACKING
	                                             : PB_LOC_AMBIGUOUS;
}

static void
average(struct pb_mcl_mem *m, const struct pb_mcl_known *k, double q)
{
	if (m->slow == 0)
		m->slow = m->fast = q;
	m->slow += k->o.slow * (q - m->slow);
	m->fast += k->o.fast * (q - m->fast);
}

void
pb_mcl_update(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
{
	struct pb_mcl_particle *p =
	    PB_MCL_ARRAY(m, k, struct pb_mcl_particle, particle);
	double away = 1, q = 0, jumped = 0;
	int first, n = m->n, draws = n > k->o.least ? n : k->o.least;

	m->nmodes = 0;
	if (m->anywhere)
		n = 0;
	else {
		pb_mcl_group(m, k);
		q = weigh(m, k);
		count_effective(m, k);
		for (int c = 0; c < m->nclusters; c++)
			if (m->cluster[c].ess < 0.5 * m->cluster[c].n)
				look_near(m, k, c);
		q = quality(m, k, q);
		away = doubt(m, k, q);
	}
	if (away > 0)
		look_everywhere(m, k, away);
	share_out(m, -INFINITY, draws);
	if (!m->anywhere)
		balance(m, k);
	first = draw(m, k, &n);
	normalise(p, n);
	for (int i = first; i < n; i++)
		jumped += p[i].w;
	/* What was not there before has yet to prove itself. */
	if (jumped > 0.05)
		m->settled = 0;
	q = quality(m, k, n == 0 ? -INFINITY : fit(k, &m->scan, p[0].at));
	average(m, k, q);
	if (n != m->n || effective(p, n) < 0.5 * n)
		pb_mcl_resample(m, k, n);
	m->anywhere = false;
	pb_mcl_group(m, k);
	hypotheses(m, k);
	judge(m, k);
}
