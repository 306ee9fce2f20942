/*
 * mcl_search.c - where a scan fits: near a pose, in a window, and particles
 * drawn there.
 */
#include "localize/mcl_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"

/* Quadratic approximation of -log posterior about a pose. */
struct normal {
	double a[3][3]; /* curvature */
	double b[3];    /* slope */
	double cost;    /* -log posterior (nat) */
};

/* Expectation maximization: each beam is weighted by the probability that it
 * hit a mapped obstacle; beams far from all obstacles weigh nothing. */
static void
add_beam(const struct pb_likelihood *f, double d, const double j[3],
    double temper, struct normal *q)
{
	double s2 = f->sigma * f->sigma;
	double hit = (1 - f->stray) * pb_exp(-0.5 * d * d / s2);
	double w = temper * hit / (hit + f->stray) / s2;

	q->cost -= temper * pb_log(hit + f->stray);
	for (int i = 0; i < 3; i++) {
		q->b[i] += w * d * j[i];
		for (int k = 0; k <= i; k++)
			q->a[i][k] += w * j[i] * j[k];
	}
}

static void
add_prior(double inv[3][3], const struct pb_gauss *g, struct pb_pose p,
    struct normal *q)
{
	double d[3];

	pb_gauss_diff(p, g->mean, d);
	for (int i = 0; i < 3; i++) {
		double s = 0;

		for (int k = 0; k < 3; k++)
			s += inv[i][k] * d[k];
		for (int k = 0; k <= i; k++)
			q->a[i][k] += inv[i][k];
		q->b[i] += s;
		q->cost += 0.5 * d[i] * s;
	}
}

static void
linearise(const struct pb_mcl_model *k, const struct pb_mcl_scan *s,
    const struct pb_gauss *prior, double inv[3][3], struct pb_pose p,
    struct normal *q)
{
	pb_pair u = pb_direction(p.th);
	double c = u[0], n = u[1];

	memset(q, 0, sizeof(*q));
	for (int i = 0; i < s->n; i++) {
		double x = c * s->end[i].x - n * s->end[i].y;
		double y = n * s->end[i].x + c * s->end[i].y;
		struct pb_vec g;
		double d = pb_likelihood_dist(&k->field, p.x + x, p.y + y, &g);
		double j[3] = {g.x, g.y, g.y * x - g.x * y};

		add_beam(&k->field, d, j, s->temper, q);
	}
	if (prior != NULL)
		add_prior(inv, prior, p, q);
	for (int i = 0; i < 3; i++)
		for (int l = 0; l < i; l++)
			q->a[l][i] = q->a[i][l];
}

/* One Levenberg-Marquardt step from p; lambda damps it. */
static bool
damped_step(const struct normal *q, double lambda, struct pb_pose p,
    struct pb_pose *out)
{
	/* Regularise with 1 m and 1 rad: directions that no beam observes do
	 * not move. */
	double a[3][3], inv[3][3], d[3] = {0};

	memcpy(a, q->a, sizeof(a));
	for (int i = 0; i < 3; i++)
		a[i][i] += lambda * a[i][i] + 1;
	if (!pb_gauss_invert(a, inv))
		return false;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			d[i] -= inv[i][j] * q->b[j];
	*out = (struct pb_pose){p.x + d[0], p.y + d[1], pb_wrap(p.th + d[2])};
	return true;
}

bool
pb_mcl_gauss(const struct pb_mcl_model *k, struct pb_pose mean,
    double cov[3][3], struct pb_gauss *out)
{
	double cell = k->field.resolution;

	cov[0][0] += cell * cell / 12;
	cov[1][1] += cell * cell / 12;
	cov[2][2] += PB_MCL_TURN_VAR;
	return pb_gauss_init(out, mean, cov);
}

static bool
fit_gaussian(const struct pb_mcl_model *k, struct normal *q, struct pb_pose p,
    struct pb_gauss *out)
{
	double cov[3][3];

	for (int i = 0; i < 3; i++)
		q->a[i][i] += 1;
	return pb_gauss_invert(q->a, cov) && pb_mcl_gauss(k, p, cov, out);
}

/* Levenberg-Marquardt: lambda grows where a step worsens the fit, and shrinks
 * where it does not. */
bool
pb_mcl_match(const struct pb_mcl_model *k, const struct pb_mcl_scan *s,
    const struct pb_gauss *prior, struct pb_pose from, struct pb_gauss *out)
{
	struct normal q, next;
	struct pb_pose p = from, to;
	double inv[3][3] = {{0}}, lambda = 0.01;

	if (prior != NULL) {
		double cov[3][3];

		memcpy(cov, prior->cov, sizeof(cov));
		if (!pb_gauss_invert(cov, inv))
			return false;
	}
	linearise(k, s, prior, inv, p, &q);
	for (int i = 0; i < 12; i++) {
		double gain;

		if (!damped_step(&q, lambda, p, &to))
			return false;
		linearise(k, s, prior, inv, to, &next);
		gain = q.cost - next.cost;
		if (gain <= 0) {
			lambda *= 8;
			continue;
		}
		p = to;
		q = next;
		lambda /= 4;
		if (gain < 1e-3)
			break;
	}
	return fit_gaussian(k, &q, p, out);
}

static bool
is_apart(struct pb_pose a, const struct pb_pose *b, int n)
{
	for (int i = 0; i < n; i++) {
		double dx = a.x - b[i].x, dy = a.y - b[i].y;

		if (dx * dx + dy * dy < 0.3 * 0.3 &&
		    fabs(pb_wrap(a.th - b[i].th)) < 0.2)
			return false;
	}
	return true;
}

static int
pick_places(const struct pb_mcl_model *k, const struct pb_corr_window *w,
    struct pb_corr_node *list, int nodes, struct pb_pose *out, int max)
{
	double cell = k->field.resolution;
	int n = 0;

	pb_corr_heap(list, nodes);
	while (nodes > 0 && n < max) {
		struct pb_corr_node b = pb_corr_pop(list, &nodes);
		/* The middle of the block; the table is padded by one cell. */
		struct pb_pose p = {2 * b.i * cell, 2 * b.j * cell,
		    pb_wrap(w->th + b.turn * w->turn)};

		if (is_apart(p, out, n))
			out[n++] = p;
	}
	return n;
}

/* The column or row of the table that holds v (m), clamped to the table. */
static int
table_index(const struct pb_mcl_model *k, double v, int first, int n)
{
	double c = floor(v / k->field.resolution) + 1;

	return c < first ? first : c > first + n - 1 ? first + n - 1 : (int)c;
}

static struct pb_corr_window
lattice_window(const struct pb_mcl_model *k, const struct pb_mcl_window *w)
{
	const struct pb_corr_field *f = &k->field.table;
	double turn = 2 * PB_PI / PB_MCL_TURNS;
	int side = (int)fmin(ceil(w->half / turn), PB_MCL_TURNS / 2);
	int turns = 2 * side < PB_MCL_TURNS ? 2 * side + 1 : PB_MCL_TURNS;

	return (struct pb_corr_window){
	    .i0 = table_index(k, w->lo.x, f->left, f->width),
	    .i1 = table_index(k, w->hi.x, f->left, f->width),
	    .j0 = table_index(k, w->lo.y, f->below, f->height),
	    .j1 = table_index(k, w->hi.y, f->below, f->height),
	    .th = (floor(w->th / turn + 0.5) - side) * turn,
	    .turn = turn,
	    .turns = turns,
	    .stop = k->stop};
}

/*
 * Poses of the window, best first, each 0.3 m or 0.2 rad from the better ones,
 * where the scan fits nearly as well as at the best (within 12 nat). Holds up
 * to `room` blocks, at most k->o.blocks.
 */
int
pb_mcl_search(struct pb_mcl_mem *m, const struct pb_mcl_model *k,
    const struct pb_mcl_window *near, int room, struct pb_pose *out, int max)
{
	struct pb_corr_node *a = PB_MCL_ARRAY(m, k, struct pb_corr_node, node);
	struct pb_corr_node *b = PB_MCL_ARRAY(m, k, struct pb_corr_node, next);
	struct pb_corr_node *list;
	const struct pb_corr_window w = lattice_window(k, near);
	const struct pb_corr_field *f = &k->field.table;
	const int32_t slack = 12 * PB_LIKELIHOOD_NAT;
	struct pb_vec p[PB_MCL_SEEK];
	int32_t best = INT32_MAX;
	int seek = m->scan.nseek, n;

	if (seek == 0)
		return 0;
	for (int i = 0; i < seek; i++) {
		p[i].x = m->scan.seek[i].x / k->field.resolution;
		p[i].y = m->scan.seek[i].y / k->field.resolution;
	}
	/*
	 * Pass 1, a narrow beam of 2048 blocks, gives the best cost. Pass 2
	 * keeps all blocks within the slack of it: bounds of large blocks prune
	 * only once a limit is known.
	 */
	n = pb_corr_search(f, p, seek, &w, 3, UINT16_MAX, a, b, 2048, &list);
	for (int i = 0; i < n; i++)
		best = list[i].cost < best ? list[i].cost : best;
	if (n == 0)
		return 0;
	n = pb_corr_search(f, p, seek, &w, 5, best + slack, a, b, room, &list);
	return pick_places(k, &w, list, n, out, max);
}

/*
 * Logarithm of the integral of prior times likelihood about a mode (Laplace).
 */
static double
log_mass_of(const struct pb_mcl_model *k, const struct pb_mcl_scan *s,
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
			return; /* the same place twice */
	}
	if (m->nmodes < PB_MCL_MODES)
		m->mode[m->nmodes++] = (struct pb_mcl_mode){
		    .g = *g, .log_mass = log_mass, .cluster = cluster};
}

/* A proposal has twice the variance of its mode. */
static bool
double_variance(struct pb_gauss *g)
{
	double cov[3][3];

	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			cov[i][j] = 2 * g->cov[i][j];
	return pb_gauss_init(g, g->mean, cov);
}

/* Find modes within three standard deviations of cluster c. */
void
pb_mcl_search_near(struct pb_mcl_mem *m, const struct pb_mcl_model *k, int c)
{
	const struct pb_gauss *g = &m->cluster[c].g;
	double x = 3 * sqrt(g->cov[0][0]), y = 3 * sqrt(g->cov[1][1]);
	struct pb_mcl_window w = {{g->mean.x - x, g->mean.y - y},
	    {g->mean.x + x, g->mean.y + y}, g->mean.th, 3 * sqrt(g->cov[2][2])};
	struct pb_pose from[PB_MCL_NEAR];
	int room = k->o.blocks / (m->nclusters > 0 ? m->nclusters : 1);
	int least =
	    k->o.blocks < PB_MCL_NEAR_NODES ? k->o.blocks : PB_MCL_NEAR_NODES;
	int n = pb_mcl_search(m, k, &w, room > least ? room : least, from,
	    m->moved ? 4 : PB_MCL_NEAR);

	m->cluster[c].mode = m->nmodes;
	for (int i = 0; i < n; i++) {
		struct pb_gauss at;
		double log_mass;

		if (!pb_mcl_match(k, &m->scan, g, from[i], &at))
			continue;
		log_mass = log_mass_of(k, &m->scan, &at,
		    pb_log(m->cluster[c].w) + pb_gauss_log(g, at.mean));
		if (double_variance(&at))
			add_mode(m, &at, log_mass, c);
	}
	m->cluster[c].modes = m->nmodes - m->cluster[c].mode;
}

/*
 * Slip model: wheels slide, are pushed, or count backwards as forwards. The
 * robot is then near its pose at the last scan, within the motion of the wheels
 * plus these margins.
 */
#define SLIP_WAY  0.1 /* (m) */
#define SLIP_TURN 0.1 /* (rad) */

/* Distribution of the robot's pose by the slip model. g: its pose by odometry.
 * from: where to start matching: unmoved, moved backwards, as odometry. */
bool
pb_mcl_slip_prior(const struct pb_mcl_mem *m, const struct pb_gauss *g,
    struct pb_gauss *out, struct pb_pose from[3])
{
	struct pb_pose back = {-m->since.x, -m->since.y, m->since.th};
	struct pb_pose was =
	    pb_pose_compose(g->mean, pb_pose_inverse(m->since));
	pb_pair u = pb_direction(was.th);
	double along = SLIP_WAY + m->way, turn = SLIP_TURN + 0.5 * m->turn;
	double a = along * along, b = SLIP_WAY * SLIP_WAY, cov[3][3];

	from[0] = was;
	from[1] = pb_pose_compose(was, back);
	from[2] = g->mean;
	memcpy(cov, g->cov, sizeof(cov));
	cov[0][0] += u[0] * u[0] * a + u[1] * u[1] * b;
	cov[1][1] += u[1] * u[1] * a + u[0] * u[0] * b;
	cov[0][1] += u[0] * u[1] * (a - b);
	cov[1][0] = cov[0][1];
	cov[2][2] += turn * turn;
	was.th = pb_wrap(was.th + 0.5 * m->since.th);
	return pb_gauss_init(out, was, cov);
}

/*
 * Find modes by the slip model that lie more than three standard deviations
 * from odometry and weigh at least a thousandth (7 nat) of cluster c. They form
 * a new cluster without particles.
 */
void
pb_mcl_search_slipped(struct pb_mcl_mem *m, const struct pb_mcl_model *k, int c)
{
	const struct pb_mcl_cluster *o = &m->cluster[c];
	struct pb_mcl_cluster *slip = &m->cluster[m->nclusters];
	struct pb_pose from[3];
	double best = o->log_w;

	if (m->nclusters == PB_MCL_CLUSTERS)
		return;
	*slip = (struct pb_mcl_cluster){
	    .w = o->w * k->o.slip, .label = -1, .mode = m->nmodes};
	if (!pb_mcl_slip_prior(m, &o->g, &slip->g, from))
		return;
	for (int i = o->mode; i < o->mode + o->modes; i++)
		best = fmax(best, m->mode[i].log_mass);
	for (int i = 0; i < 3; i++) {
		struct pb_gauss at;
		double log_mass;

		if (!pb_mcl_match(k, &m->scan, &slip->g, from[i], &at) ||
		    o->g.log_norm - pb_gauss_log(&o->g, at.mean) < 0.5 * 3 * 3)
			continue;
		log_mass = log_mass_of(k, &m->scan, &at,
		    pb_log(slip->w) + pb_gauss_log(&slip->g, at.mean));
		if (log_mass > best - 7 && double_variance(&at))
			add_mode(m, &at, log_mass, m->nclusters);
	}
	slip->modes = m->nmodes - slip->mode;
	m->nclusters += slip->modes > 0;
}

/* Find modes in the whole map, with a uniform prior of weight `share`. */
void
pb_mcl_search_everywhere(
    struct pb_mcl_mem *m, const struct pb_mcl_model *k, double share)
{
	struct pb_mcl_window w = {
	    {0, 0}, {k->size_x, k->size_y}, 0, PB_PI + 0.1};
	struct pb_pose from[PB_MCL_MODES];
	double cell = k->field.resolution;
	double log_prior = pb_log(share) - pb_log((double)k->field.nfree *
						  cell * cell * 2 * PB_PI);
	int n = pb_mcl_search(m, k, &w, k->o.blocks, from, PB_MCL_MODES);

	for (int i = 0; i < n; i++) {
		struct pb_gauss at;
		double log_mass;

		if (!pb_mcl_match(k, &m->scan, NULL, from[i], &at))
			continue;
		log_mass = log_mass_of(k, &m->scan, &at, log_prior);
		if (double_variance(&at))
			add_mode(m, &at, log_mass, -1);
	}
}

/* Distribute `draws` particles over the modes by their mass. */
static void
allot_draws(struct pb_mcl_mem *m, int draws)
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

/* Log of n_p p(x) + sum n_m q_m(x), the sampling density of all samples of
 * cluster c. */
static double
mixture_density(const struct pb_mcl_mem *m, const struct pb_mcl_cluster *c,
    struct pb_pose x, double *log_prior)
{
	double p = pb_gauss_log(&c->g, x), q[PB_MCL_NEAR], sum;
	double top = c->n > 0 ? p : -INFINITY;

	*log_prior = p;
	for (int i = 0; i < c->modes; i++) {
		q[i] = pb_gauss_log(&m->mode[c->mode + i].g, x);
		top = q[i] > top ? q[i] : top;
	}
	sum = c->n > 0 ? c->n * pb_exp(p - top) : 0;
	for (int i = 0; i < c->modes; i++)
		sum += m->mode[c->mode + i].draws * pb_exp(q[i] - top);
	return top + pb_log(sum);
}

/*
 * Balance heuristic (Veach and Guibas, "Optimally combining sampling
 * techniques", 1995): particles and draws are one sample of a mixture, each
 * weighted by prior over mixture density.
 */
static void
reweigh_particles(struct pb_mcl_mem *m, const struct pb_mcl_model *k)
{
	struct pb_mcl_particle *p = PB_MCL_PARTICLES(m, k);
	const struct pb_mcl_bin *t = PB_MCL_BINS(m, k);
	const int32_t *slot = PB_MCL_ARRAY(m, k, int32_t, slot);

	for (int i = 0; i < m->n; i++) {
		int32_t c = t[slot[i]].label;
		double prior, mix;

		if (c < 0 || m->cluster[c].modes == 0)
			continue;
		mix = mixture_density(m, &m->cluster[c], p[i].at, &prior);
		p[i].w += pb_log(m->cluster[c].n) + prior - mix;
	}
}

/* Append draws from the modes to the n particles. */
static void
draw_from_modes(struct pb_mcl_mem *m, const struct pb_mcl_model *k, int *n)
{
	struct pb_mcl_particle *p = PB_MCL_PARTICLES(m, k);
	double cell = k->field.resolution;
	double area = (double)k->field.nfree * cell * cell * 2 * PB_PI;

	for (int i = 0; i < m->nmodes; i++) {
		const struct pb_mcl_mode *o = &m->mode[i];
		bool near = o->cluster >= 0;
		double share = near ? pb_log(m->cluster[o->cluster].w)
		                    : -pb_log(area) - pb_log(o->draws);

		for (int j = 0; j < o->draws && *n < 2 * k->o.most; j++) {
			struct pb_mcl_particle *q = &p[(*n)++];
			double prior, mix;

			q->at = pb_gauss_draw(&o->g, &m->rng);
			q->w = pb_mcl_fit(k, &m->scan, q->at);
			if (!near) {
				q->w += share - pb_gauss_log(&o->g, q->at);
				continue;
			}
			mix = mixture_density(
			    m, &m->cluster[o->cluster], q->at, &prior);
			q->w += share + prior - mix;
		}
	}
}

/* Mixture proposal: append about `draws` particles, drawn from the modes, to
 * the n weighed ones. All weights are logarithms. */
void
pb_mcl_propose(
    struct pb_mcl_mem *m, const struct pb_mcl_model *k, int draws, int *n)
{
	allot_draws(m, draws);
	if (*n > 0)
		reweigh_particles(m, k);
	draw_from_modes(m, k, n);
}

/* Iterates over beams whose ends are at least `spacing` apart. */
struct beam_walk {
	const struct pb_scan *z;
	pb_pair mount;  /* cosine and sine of the scanner's heading */
	double far;     /* ends are clamped to this, outside of the map (m) */
	double spacing; /* least distance between ends (m) */
	size_t i;
	bool any;
	struct pb_vec last;
};

static bool
is_usable(const struct pb_scan *z, double r)
{
	double max = isfinite(z->range_max) && z->range_max > 0 ? z->range_max
	                                                        : INFINITY;

	return isfinite(r) && r > 0 && r >= z->range_min && r < max;
}

static struct pb_vec
beam_end(const struct beam_walk *w, double r, double a)
{
	pb_pair u = pb_direction(a), m = w->mount;
	struct pb_pose at = w->z->mount;
	double x = r * u[0], y = r * u[1];

	return (struct pb_vec){
	    at.x + m[0] * x - m[1] * y, at.y + m[1] * x + m[0] * y};
}

/* Neighbouring beams that end close together hit the same object: if the map is
 * wrong there, all of them are. They count as one. */
static bool
next_beam(struct beam_walk *w)
{
	for (; w->i < w->z->n; w->i++) {
		double r = w->z->range[w->i], dx, dy;
		double a = w->z->angle_min + (double)w->i * w->z->inc;
		struct pb_vec e;

		if (!is_usable(w->z, r) || !isfinite(a))
			continue;
		r = fmin(r + w->z->radius, w->far);
		e = beam_end(w, r, a);
		dx = e.x - w->last.x;
		dy = e.y - w->last.y;
		if (w->any && dx * dx + dy * dy < w->spacing * w->spacing)
			continue;
		w->last = e;
		w->any = true;
		w->i++;
		return true;
	}
	return false;
}

/*
 * Effective number of independent beams: errors of beams whose ends are d apart
 * correlate by exp(-d / l), an autoregressive process along the scan. The
 * effective number for its mean is the sum of the elements of the inverse
 * correlation matrix.
 */
static double
effective_beams(const struct pb_vec *end, int n, double l)
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

/* Fill s->end, thinned evenly from `all` beams if they are too many. Returns
 * the number of beams. */
static int
thin_beams(const struct pb_mcl_model *k, const struct pb_scan *z,
    struct pb_mcl_scan *s, int all)
{
	struct beam_walk w = {.z = z,
	    .mount = pb_direction(z->mount.th),
	    .far = 2 * (k->size_x + k->size_y),
	    .spacing = k->o.spacing};
	int i = 0, most = k->o.beams;

	s->n = 0;
	for (; next_beam(&w); i++)
		if (all <= most
			? i < most
			: (long)i * most / all != (long)(i + 1) * most / all)
			s->end[s->n++] = w.last;
	return i;
}

/* Set the temper, and the beams of a search, ordered so that all directions
 * come early: a wrong place is then rejected after few beams. */
static void
finish_scan(const struct pb_mcl_model *k, struct pb_mcl_scan *s)
{
	s->nseek = 0;
	if (s->n > 0)
		s->temper =
		    effective_beams(s->end, s->n, k->o.correlation) / s->n;
	for (int i = 0; i < PB_MCL_SEEK; i++) {
		int b = pb_corr_order(i, PB_MCL_SEEK);

		if (s->n > PB_MCL_SEEK)
			s->seek[s->nseek++] = s->end[b * s->n / PB_MCL_SEEK];
		else if (b < s->n)
			s->seek[s->nseek++] = s->end[b];
	}
}

void
pb_mcl_choose_beams(const struct pb_mcl_model *k, const struct pb_scan *z,
    struct pb_mcl_scan *s)
{
	int all = thin_beams(k, z, s, 0);

	if (all > k->o.beams)
		thin_beams(k, z, s, all);
	s->mount = z->mount;
	finish_scan(k, s);
}

/*
 * Compare a beam with the map along its whole path, as the obstacle at its end
 * may be the wall of another room. It went through an obstacle if it leaves it
 * again by PB_MCL_CLEAR; a beam that grazes a wall does not. A beam that ends
 * at an obstacle fits, even through the unknown. Steps are as long as the
 * distance to the nearest obstacle.
 *
 * Returns  what it met, and in *off the distance of its end from an obstacle
 * (m)
 */
static enum pb_mcl_met
classify_beam(const struct pb_likelihood *f, struct pb_vec from,
    struct pb_vec to, double *off)
{
	double dx = to.x - from.x, dy = to.y - from.y;
	double way = sqrt(dx * dx + dy * dy), at = 0;
	double touch = 0.5 * fmin(f->resolution, f->reach);
	double clear = fmin(PB_MCL_CLEAR, f->reach);
	enum pb_likelihood_cell c;
	bool touched = false, unknown = false;
	struct pb_vec slope;

	*off = pb_likelihood_dist(f, to.x, to.y, &slope);
	while (at < way) {
		double x = from.x + dx * at / way, y = from.y + dy * at / way;
		double free = pb_likelihood_dist(f, x, y, &slope);

		c = pb_likelihood_at(f, x, y);
		touched = touched || c == PB_LIKELIHOOD_WALL;
		if (free >= clear && touched)
			return PB_MCL_BEHIND;
		unknown =
		    unknown || (free >= clear && c == PB_LIKELIHOOD_UNKNOWN);
		at += fmax(touch, free);
	}
	c = pb_likelihood_at(f, to.x, to.y);
	if (*off < PB_MCL_OFF * f->sigma)
		return PB_MCL_AS_MAPPED;
	if (touched)
		return PB_MCL_BEHIND;
	return unknown || c == PB_LIKELIHOOD_UNKNOWN ? PB_MCL_OFF_MAP
	                                             : PB_MCL_IN_FRONT;
}

double
pb_mcl_classify_beams(const struct pb_mcl_model *k, const struct pb_mcl_scan *s,
    struct pb_pose p, struct pb_mcl_view *v)
{
	pb_pair u = pb_direction(p.th);
	struct pb_pose mount = pb_pose_compose(p, s->mount);
	struct pb_vec from = {mount.x, mount.y};
	double obstacle = -pb_log(k->o.obstacle), cost = 0;

	memset(v->n, 0, sizeof(v->n));
	v->astray = 0;
	for (int i = 0; i < s->n; i++) {
		double x = s->end[i].x, y = s->end[i].y, off;
		struct pb_vec to = {
		    p.x + u[0] * x - u[1] * y, p.y + u[1] * x + u[0] * y};

		v->met[i] = (uint8_t)classify_beam(&k->field, from, to, &off);
		v->n[v->met[i]]++;
		off = fmin(off / k->field.sigma, PB_MCL_OFF);
		v->astray += v->met[i] == PB_MCL_BEHIND && off == PB_MCL_OFF;
		if (v->met[i] != PB_MCL_IN_FRONT)
			cost += s->temper * 0.5 * off * off;
		else if (i == 0 || v->met[i - 1] != PB_MCL_IN_FRONT)
			cost += obstacle;
	}
	return cost;
}

/*
 * People in front of a robot hide the map. A beam that ends nearer than the map
 * has it does not say where the robot is; treated as independent failures, such
 * beams would count once each instead of once an obstacle. (AMCL skips beams
 * that fit at too few particles, whatever they met: do_beamskip.) If beams are
 * longer than the map allows, the robot is elsewhere, and no beam is skipped.
 *
 * Given    prior  of the robot's place
 *          at[n]  places where it may be, n > 0
 * Returns  in at[0] the place that explains most
 */
void
pb_mcl_skip_beams(const struct pb_mcl_model *k, struct pb_mcl_scan *s,
    const struct pb_gauss *prior, struct pb_pose *at, int n, double *hidden,
    double *off)
{
	struct pb_mcl_view v;
	double least = INFINITY;
	int best = 0, all = s->n;

	for (int i = 0; i < n; i++) {
		double cost = pb_mcl_classify_beams(k, s, at[i], &v) -
		              pb_gauss_log(prior, at[i]);

		if (cost < least) {
			least = cost;
			best = i;
		}
	}
	at[0] = at[best];
	pb_mcl_classify_beams(k, s, at[0], &v);
	*hidden = (double)v.n[PB_MCL_IN_FRONT] / all;
	*off = (double)v.n[PB_MCL_OFF_MAP] / all;
	if (v.n[PB_MCL_IN_FRONT] + v.n[PB_MCL_OFF_MAP] <
	    PB_MCL_NEARER * v.astray) {
		*hidden = *off = 0;
		return;
	}
	s->n = 0;
	for (int i = 0; i < all; i++)
		if (v.met[i] != PB_MCL_IN_FRONT && v.met[i] != PB_MCL_OFF_MAP)
			s->end[s->n++] = s->end[i];
	finish_scan(k, s);
}

/* Log likelihood of the scan at p, tempered (nat). */
double
pb_mcl_fit(
    const struct pb_mcl_model *k, const struct pb_mcl_scan *s, struct pb_pose p)
{
	return -s->temper / PB_LIKELIHOOD_NAT *
	       pb_likelihood_cost(&k->field, p, s->end, s->n);
}
