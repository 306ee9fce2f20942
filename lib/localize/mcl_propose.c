/* mcl_propose.c - particles drawn where a scan fits. */
#include <limits.h>
#include <math.h>

#include "base/elementary.h"
#include "localize/mcl_state.h"

/*
 * Logarithm of the integral of prior times likelihood about a mode (Laplace).
 */
static double
mass(const struct pb_mcl_known *k, const struct pb_mcl_scan *s,
    const struct pb_gauss *g, double log_prior)
{
	return pb_mcl_fit(k, s, g->mean) + log_prior - g->log_norm;
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
void
pb_mcl_look_near(struct pb_mcl_mem *m, const struct pb_mcl_known *k, int c)
{
	const struct pb_gauss *g = &m->cluster[c].g;
	double x = 3 * sqrt(g->cov[0][0]), y = 3 * sqrt(g->cov[1][1]);
	struct pb_mcl_window w = {{g->mean.x - x, g->mean.y - y},
	    {g->mean.x + x, g->mean.y + y}, g->mean.th, 3 * sqrt(g->cov[2][2])};
	struct pb_pose from[PB_MCL_NEAR];
	int n = pb_mcl_search(m, k, &w, from, m->moved ? 4 : PB_MCL_NEAR);

	m->cluster[c].mode = m->nmodes;
	for (int i = 0; i < n; i++) {
		struct pb_gauss at;
		double log_mass;

		if (!pb_mcl_match(k, &m->scan, g, from[i], &at))
			continue;
		log_mass = mass(k, &m->scan, &at,
		    pb_log(m->cluster[c].w) + pb_gauss_log(g, at.mean));
		if (widen(&at))
			add_mode(m, &at, log_mass, c);
	}
	m->cluster[c].modes = m->nmodes - m->cluster[c].mode;
}

/* All places of the map where the scan fits, before anything was known. */
void
pb_mcl_look_everywhere(
    struct pb_mcl_mem *m, const struct pb_mcl_known *k, double share)
{
	struct pb_mcl_window w = {
	    {0, 0}, {k->size_x, k->size_y}, 0, PB_PI + 0.1};
	struct pb_pose from[PB_MCL_MODES];
	double cell = k->field.resolution;
	double log_prior = pb_log(share) - pb_log((double)k->field.nfree *
						  cell * cell * 2 * PB_PI);
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
share_out(struct pb_mcl_mem *m, int draws)
{
	double top = -INFINITY, sum = 0;

	for (int i = 0; i < m->nmodes; i++)
		if (m->mode[i].log_mass > top)
			top = m->mode[i].log_mass;
	for (int i = 0; i < m->nmodes; i++)
		sum += pb_exp(m->mode[i].log_mass - top);
	for (int i = 0; i < m->nmodes; i++)
		m->mode[i].draws = (int)floor(
		    draws * pb_exp(m->mode[i].log_mass - top) / sum + 0.5);
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
	sum = c->n * pb_exp(p - top);
	for (int i = 0; i < c->modes; i++)
		sum += m->mode[c->mode + i].draws *
		       pb_exp(pb_gauss_log(&m->mode[c->mode + i].g, x) - top);
	return top + pb_log(sum);
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
		p[i].w += pb_log(m->cluster[c].n) + prior - mix;
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
			q->w = pb_mcl_fit(k, &m->scan, q->at);
			if (o->cluster < 0) {
				q->w += -pb_log(area) - pb_log(o->draws) -
				        pb_gauss_log(&o->g, q->at);
				continue;
			}
			mix =
			    density(m, &m->cluster[o->cluster], q->at, &prior);
			q->w += pb_log(m->cluster[o->cluster].w) + prior - mix;
		}
	}
	return elsewhere;
}

/*
 * Draw about so many particles from the modes and append them to the n that
 * were weighed, all with the logarithm of their weight. Returns the first of
 * those that may be anywhere.
 */
int
pb_mcl_propose(
    struct pb_mcl_mem *m, const struct pb_mcl_known *k, int draws, int *n)
{
	share_out(m, draws);
	if (*n > 0)
		balance(m, k);
	return draw(m, k, n);
}
