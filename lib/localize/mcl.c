/* mcl.c - Monte Carlo localization: options, motion, particles, method. */
#include "localize/mcl_state.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "pb/localizer.h"

static uint32_t
hash_bin(int32_t x, int32_t y, int32_t th)
{
	uint64_t h = (uint64_t)(uint32_t)x * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ (uint32_t)y) * UINT64_C(0xc2b2ae3d27d4eb4f);
	h = (h ^ (uint32_t)th) * UINT64_C(0x165667b19e3779f9);
	return (uint32_t)(h >> 32);
}

/* The slot of a bin in the hash table, or the empty slot for it. */
static uint32_t
find_slot(
    const struct pb_mcl_bin *t, uint32_t mask, int32_t x, int32_t y, int32_t th)
{
	uint32_t s = hash_bin(x, y, th) & mask;

	while (t[s].used && (t[s].x != x || t[s].y != y || t[s].th != th))
		s = (s + 1) & mask;
	return s;
}

/* Mask of the part of the hash table used for n particles: at least 2 n slots,
 * if the table has them. */
static uint32_t
table_mask(const struct pb_mcl_model *k, int n)
{
	uint32_t slots = 64;

	while (slots < 2 * (uint32_t)n && slots < k->slots)
		slots *= 2;
	return slots - 1;
}

/*
 * Put the first n particles into bins. Bins in use are listed in `list`, the
 * slot of each particle is in `slot`.
 *
 * Returns  the number of bins
 */
int
pb_mcl_fill_bins(struct pb_mcl_mem *m, const struct pb_mcl_model *k, int n)
{
	const struct pb_mcl_particle *p = PB_MCL_PARTICLES(m, k);
	struct pb_mcl_bin *t = PB_MCL_BINS(m, k);
	int32_t *slot = PB_MCL_ARRAY(m, k, int32_t, slot);
	int32_t *list = PB_MCL_ARRAY(m, k, int32_t, list);
	uint32_t mask = table_mask(k, n);
	double turn = k->turn_bins / (2 * PB_PI);
	int bins = 0;

	memset(t, 0, ((size_t)mask + 1) * sizeof(*t));
	for (int i = 0; i < n; i++) {
		int32_t x = (int32_t)floor(p[i].at.x / k->o.bin);
		int32_t y = (int32_t)floor(p[i].at.y / k->o.bin);
		int32_t th =
		    (int32_t)((p[i].at.th + PB_PI) * turn) % k->turn_bins;
		uint32_t s = find_slot(t, mask, x, y, th);

		if (!t[s].used) {
			t[s] = (struct pb_mcl_bin){.x = x,
			    .y = y,
			    .th = th,
			    .label = -1,
			    .used = true};
			list[bins++] = (int32_t)s;
		}
		t[s].n++;
		t[s].w += p[i].w;
		slot[i] = (int32_t)s;
	}
	return bins;
}

/* Flood fill: give the label of slot s to all connected bins. */
static void
flood_label(const struct pb_mcl_model *k, struct pb_mcl_bin *t, uint32_t mask,
    int32_t s, int32_t *stack)
{
	int32_t label = t[s].label;
	int n = 0;

	stack[n++] = s;
	while (n > 0) {
		struct pb_mcl_bin b = t[stack[--n]];

		for (int i = 0; i < 27; i++) {
			int32_t th =
			    (b.th + i / 9 - 1 + k->turn_bins) % k->turn_bins;
			uint32_t u = find_slot(
			    t, mask, b.x + i % 3 - 1, b.y + i / 3 % 3 - 1, th);

			if (!t[u].used || t[u].label >= 0)
				continue;
			t[u].label = label;
			stack[n++] = (int32_t)u;
		}
	}
}

/* Insert c into the heaviest clusters, which are sorted by weight. */
static void
rank_cluster(struct pb_mcl_mem *m, struct pb_mcl_cluster c)
{
	int i = m->nclusters;

	if (i == PB_MCL_CLUSTERS) {
		if (c.w <= m->cluster[i - 1].w)
			return;
		i--;
	} else
		m->nclusters++;
	for (; i > 0 && m->cluster[i - 1].w < c.w; i--)
		m->cluster[i] = m->cluster[i - 1];
	m->cluster[i] = c;
}

/* Label the components of touching bins; returns how many there are. */
static int32_t
label_components(struct pb_mcl_mem *m, const struct pb_mcl_model *k, int bins)
{
	struct pb_mcl_bin *t = PB_MCL_BINS(m, k);
	const int32_t *list = PB_MCL_ARRAY(m, k, int32_t, list);
	int32_t *stack = PB_MCL_ARRAY(m, k, int32_t, next);
	uint32_t mask = table_mask(k, m->n);
	int32_t labels = 0;

	for (int i = 0; i < bins; i++)
		if (t[list[i]].label < 0) {
			t[list[i]].label = labels++;
			flood_label(k, t, mask, list[i], stack);
		}
	return labels;
}

struct total {
	double w;
	int32_t n;
};

/* Weigh the components and keep the heaviest as clusters. */
static void
keep_heaviest(struct pb_mcl_mem *m, const struct pb_mcl_model *k, int bins,
    int32_t labels)
{
	const struct pb_mcl_bin *t = PB_MCL_BINS(m, k);
	const int32_t *list = PB_MCL_ARRAY(m, k, int32_t, list);
	struct total *sum = PB_MCL_ARRAY(m, k, struct total, next);

	memset(sum, 0, (size_t)labels * sizeof(*sum));
	for (int i = 0; i < bins; i++) {
		const struct pb_mcl_bin *b = &t[list[i]];

		sum[b->label].w += b->w;
		sum[b->label].n += b->n;
	}
	m->nclusters = 0;
	for (int i = 0; i < labels; i++)
		rank_cluster(m, (struct pb_mcl_cluster){
				    .label = i, .w = sum[i].w, .n = sum[i].n});
}

/* Replace the label of each bin by its cluster's index, -1 if the cluster is
 * not among the heaviest. */
static void
relabel_bins(struct pb_mcl_mem *m, const struct pb_mcl_model *k, int bins)
{
	struct pb_mcl_bin *t = PB_MCL_BINS(m, k);
	const int32_t *list = PB_MCL_ARRAY(m, k, int32_t, list);
	int32_t *place = PB_MCL_ARRAY(m, k, int32_t, next);

	for (int i = 0; i < bins; i++)
		place[t[list[i]].label] = -1;
	for (int i = 0; i < m->nclusters; i++)
		place[m->cluster[i].label] = i;
	for (int i = 0; i < bins; i++)
		t[list[i]].label = place[t[list[i]].label];
}

/* Fit a normal distribution to each cluster. */
static void
fit_clusters(struct pb_mcl_mem *m, const struct pb_mcl_model *k)
{
	const struct pb_mcl_particle *p = PB_MCL_PARTICLES(m, k);
	const struct pb_mcl_bin *t = PB_MCL_BINS(m, k);
	const int32_t *slot = PB_MCL_ARRAY(m, k, int32_t, slot);
	struct pb_moments mo[PB_MCL_CLUSTERS];

	memset(mo, 0, sizeof(mo));
	for (int i = 0; i < m->n; i++) {
		int32_t c = t[slot[i]].label;

		if (c >= 0 && p[i].w > 0)
			pb_moments_add(&mo[c], p[i].at, p[i].w);
	}
	for (int c = 0; c < m->nclusters; c++) {
		double cov[3][3];
		struct pb_pose mean;

		if (!(mo[c].w > 0)) { /* weights that vanished */
			m->nclusters = c;
			return;
		}
		pb_moments_get(&mo[c], &mean, cov);
		pb_mcl_gauss(k, mean, cov, &m->cluster[c].g);
	}
}

/* Find the clusters of the particles; weights sum to 1. */
static void
find_clusters(struct pb_mcl_mem *m, const struct pb_mcl_model *k)
{
	int bins = pb_mcl_fill_bins(m, k, m->n);

	keep_heaviest(m, k, bins, label_components(m, k, bins));
	relabel_bins(m, k, bins);
	fit_clusters(m, k);
}

/* Number of particles for a belief over this many bins (Fox, "Adapting the
 * sample size in particle filters through KLD-sampling", 2003, equation 7). */
int
pb_mcl_kld(const struct pb_mcl_opts *o, int bins)
{
	double k = bins - 1, a, n;

	if (bins < 2)
		return o->least;
	a = 2 / (9 * k);
	a = 1 - a + sqrt(a) * o->kld_z;
	n = ceil(k / (2 * o->kld_error) * a * a * a);
	return n < o->least ? o->least : n > o->most ? o->most : (int)n;
}

/* Systematic resampling: draw n of the first `from` particles, at equal steps
 * of cumulative weight from u / n on. */
static void
draw_systematic(struct pb_mcl_mem *m, const struct pb_mcl_model *k, int from,
    int n, double u)
{
	struct pb_mcl_particle *p = PB_MCL_PARTICLES(m, k);
	struct pb_mcl_particle *q =
	    PB_MCL_ARRAY(m, k, struct pb_mcl_particle, spare);
	double sum = p[0].w;
	int i = 0;

	for (int j = 0; j < n; j++) {
		double at = (j + u) / n;

		while (sum <= at && i < from - 1)
			sum += p[++i].w;
		q[j] = (struct pb_mcl_particle){p[i].at, 1.0 / n};
	}
	memcpy(p, q, (size_t)n * sizeof(*p));
	m->n = n;
}

/*
 * Low-variance resampling of the first n particles, weights summing to 1. The
 * bins that count for KLD sampling have at least a tenth of a particle's mean
 * weight.
 */
void
pb_mcl_resample(struct pb_mcl_mem *m, const struct pb_mcl_model *k, int n)
{
	const struct pb_mcl_bin *t = PB_MCL_BINS(m, k);
	const int32_t *list = PB_MCL_ARRAY(m, k, int32_t, list);
	int all = pb_mcl_fill_bins(m, k, n), bins = 0;

	for (int i = 0; i < all; i++)
		bins += t[list[i]].w > 0.1 / n;
	draw_systematic(m, k, n, pb_mcl_kld(&k->o, bins), pb_rng_unit(&m->rng));
}

#define PB_PARAMS_OF struct pb_mcl_opts

static const struct pb_param rows[] = {
    PB_MCL_ROWS("", , "m", 500, 20000, 100, NULL),
    PB_REAL("rot-rot", rot_rot, "rad2/rad", 0.01, 0, 10,
	"variance of heading, by turning"),
    PB_REAL("rot-trans", rot_trans, "rad2/m", 0.01, 0, 10,
	"variance of heading, by driving"),
    PB_REAL("trans-trans", trans_trans, "m2/m", 0.01, 0, 10,
	"variance of the way, by driving"),
    PB_REAL("trans-rot", trans_rot, "m2/rad", 0.005, 0, 10,
	"variance of place, by turning"),
    PB_REAL(
	"blind", blind, "m", 2, 0, 10, "motion between scans without odometry"),
    PB_REAL("blind-turn", blind_turn, "rad", 0.7, 0, 3.2,
	"turn between scans without odometry"),
    PB_REAL("step", step, "m", 0.25, 0.001, 100,
	"apply motion after this distance"),
    PB_REAL(
	"step-turn", step_turn, "rad", 0.2, 0.001, 3.2, "or after this turn"),
    PB_REAL(
	"slow", slow, "", 0.02, 0, 1, "weight of a scan in the long average"),
    PB_REAL(
	"fast", fast, "", 0.3, 0, 1, "weight of a scan in the short average"),
    PB_REAL("anywhere", anywhere, "", 0.01, 0, 1,
	"chance of a jump while unsettled"),
    PB_REAL("slip", slip, "", 0.1, 0, 1, "chance that the wheels are wrong"),
    PB_REAL("obstacle", obstacle, "", 0.05, 0, 1,
	"chance that something not on the map stands in front; 0: never"),
};

static void
rest(void *opts)
{
	((struct pb_mcl_opts *)opts)->blocks = PB_MCL_NODES;
}

/* Variances of a small motion d, in the frame where it began. */
struct spread {
	double along, across, turn;
};

static struct spread
motion_variance(const struct pb_mcl_opts *o, struct pb_pose d)
{
	double way = sqrt(d.x * d.x + d.y * d.y), turn = fabs(d.th);

	return (struct spread){o->trans_trans * way + o->trans_rot * turn,
	    o->trans_rot * turn, o->rot_trans * way + o->rot_rot * turn};
}

/* Clamp particles to one map size beyond the map: farther off they count for
 * nothing. */
static void
clamp_to_map(const struct pb_mcl_model *k, struct pb_pose *p)
{
	p->x = pb_clamp(p->x, -k->size_x, 2 * k->size_x);
	p->y = pb_clamp(p->y, -k->size_y, 2 * k->size_y);
}

/* Half of the heading's noise is added before the motion and half after it, so
 * that cutting a motion into steps hardly changes the result. */
static void
move_particle(const struct pb_mcl_model *k, struct pb_pose d,
    const double root[3], struct pb_rng *r, struct pb_pose *p)
{
	double half = root[2] * 0.70710678118654752;
	double th = p->th + (half > 0 ? half * pb_rng_normal(r) : 0);
	pb_pair u = pb_direction(th);
	double x = d.x, y = d.y, c = u[0], s = u[1];

	if (root[0] > 0)
		x += root[0] * pb_rng_normal(r);
	if (root[1] > 0)
		y += root[1] * pb_rng_normal(r);
	p->x = p->x + c * x - s * y;
	p->y = p->y + s * x + c * y;
	clamp_to_map(k, p);
	th += d.th + (half > 0 ? half * pb_rng_normal(r) : 0);
	p->th = pb_wrap(th);
}

static void
move_particles(
    struct pb_mcl_mem *m, const struct pb_mcl_model *k, const double root[3])
{
	struct pb_mcl_particle *p = PB_MCL_PARTICLES(m, k);

	for (int i = 0; i < m->n; i++)
		move_particle(k, m->todo, root, &m->rng, &p[i].at);
	m->todo = (struct pb_pose){0, 0, 0};
}

/* Apply the pending odometry. Variances add up, standard deviations do not. */
static void
apply_odometry(struct pb_mcl_mem *m, const struct pb_mcl_model *k)
{
	struct spread v = motion_variance(&k->o, m->todo);
	double root[3] = {sqrt(v.along), sqrt(v.across), sqrt(v.turn)};

	move_particles(m, k, root);
}

static void
predict(void *mem, const void *model, struct pb_pose odom)
{
	const struct pb_mcl_model *k = model;
	struct pb_mcl_mem *m = mem;
	struct pb_pose d;
	double far = 1e3 * (k->size_x + k->size_y);

	/* Reject odometry that is not finite. A step longer than any robot
	 * makes moves nothing: the wheels count anew from there. */
	if (!isfinite(odom.x) || !isfinite(odom.y) || !isfinite(odom.th))
		return;
	odom.th = pb_wrap(odom.th);
	d = pb_pose_into(m->odom, odom);
	m->odom = odom;
	if (!m->driven || fabs(d.x) > far || fabs(d.y) > far) {
		m->driven = m->moved = true;
		return;
	}
	m->moved = true;
	m->todo = pb_pose_compose(m->todo, d);
	m->since = pb_pose_compose(m->since, d);
	m->way += sqrt(d.x * d.x + d.y * d.y);
	m->turn += fabs(d.th);
	if (m->todo.x * m->todo.x + m->todo.y * m->todo.y >=
		k->o.step * k->o.step ||
	    fabs(m->todo.th) >= k->o.step_turn)
		apply_odometry(m, k);
}

/*
 * Without odometry particles spread by blind and blind-turn. Spread particles
 * would fall into bins that do not touch, each a cluster too narrow for the
 * motion; so clusters are found before, and widened.
 */
static void
move_without_odometry(struct pb_mcl_mem *m, const struct pb_mcl_model *k)
{
	const double root[3] = {k->o.blind, k->o.blind, k->o.blind_turn};

	find_clusters(m, k);
	for (int c = 0; c < m->nclusters; c++) {
		struct pb_gauss *g = &m->cluster[c].g;
		double cov[3][3];

		memcpy(cov, g->cov, sizeof(cov));
		for (int i = 0; i < 3; i++)
			cov[i][i] += root[i] * root[i];
		pb_gauss_init(g, g->mean, cov);
	}
	move_particles(m, k, root);
}

/* Move a hypothesis of the last scan along the odometry since. */
static void
carry_hypothesis(const struct pb_mcl_mem *m, const struct pb_mcl_model *k,
    struct pb_hypothesis *h)
{
	double c = pb_cos(h->pose.th), s = pb_sin(h->pose.th);
	struct pb_pose d = m->since;
	double way = m->way, turn = m->turn;
	double place = k->o.trans_trans * way + k->o.trans_rot * turn;
	/* Jacobian of composing the pose with d. */
	const double j[3][3] = {
	    {1, 0, -s * d.x - c * d.y}, {0, 1, c * d.x - s * d.y}, {0, 0, 1}};

	pb_gauss_map(h->cov, j);
	h->cov[0][0] += place;
	h->cov[1][1] += place;
	h->cov[2][2] += k->o.rot_trans * way + k->o.rot_rot * turn;
	h->pose = pb_pose_compose(h->pose, d);
}

/*
 * Status tracking: one place has nearly all of the belief; it is no larger than
 * a robot; the map explains most beams there; and over a distance driven the
 * estimate moved as odometry says. Likelihoods of beam ends cannot rule out
 * another building, since the field lets beams pass through its walls: the
 * share of beams whose whole path the map explains (`fit`) does. At the edge of
 * a map `fit` cannot either: there a wrong estimate shows by deviating from
 * odometry.
 */
#define BESIDE  0.05 /* most belief in other places */
#define SPREAD  0.3  /* most standard deviation of the place (m) */
#define SWING   0.2  /* the same of the heading (rad) */
#define WORSE   0.25 /* loss of fit that starts a search elsewhere (share) */
#define VAGUE   1.0  /* lost above this standard deviation (m) */
#define SHADE   0.25 /* ambiguous if more of the beams are skipped (share) */
#define PLACES  64   /* particles from which beams are classified */
#define SETTLED 3    /* independent scans that settle a place */

/*
 * Evidence, in shares of beams and independent scans. Chosen on six CARMEN logs
 * and a house, each on its own map, on halves of that map and on maps of the
 * others. On their own maps right places have a fit of 0.88 to 0.98 (median of
 * a log; 90 % of scans 0.76 or more), wrong ones 0.3 to 0.7. Tried: EXPLAINED
 * 0.5 to 0.8, HELD 0.5 to 0.7, AGREED 3 to 7, DRIVEN 1.25 to 4, TURNING 0.1 to
 * 0.8, REGAINED 9 to 20. Smaller values are wrong more often on halves of maps
 * and in other houses, larger ones lose scans on the right maps.
 */
#define EXPLAINED 0.7  /* least fit to begin tracking */
#define HELD      0.6  /* least fit to go on tracking */
#define LOST      0.4  /* below this fit the robot is lost */
#define FULL      0.9  /* a scan of this fit counts as a whole scan */
#define POOR      0.65 /* a scan of this fit or less counts LEAST */
#define LEAST     0.25 /* (scans); between both it grows by the square */
#define MEMORY    10   /* scans over which fit is averaged */
#define AGREED    5    /* scans without contradiction to begin tracking */
#define DRIVEN    2.5  /* and distance without contradiction (m) */
#define TURNING   0.3  /* distance that a turn counts for (m/rad) */
#define STEP      0.25 /* least motion without odometry (m, rad) */
#define PART      1.0  /* most distance that counts between two scans (m) */
#define REGAINED  16   /* AGREED after odometry contradicted tracking */
#define REDRIVEN  5.0  /* DRIVEN then, or without odometry (m) */
#define TURNED    0.4  /* share of both that a contradicted turn leaves */
#define LEAP      0.6  /* deviation that contradicts odometry (m) */
#define LEAP_TURN 0.35 /* the same of the heading (rad) */
#define LEAP_PART 0.2  /* allowed beside that, share of distance and turn */
#define FEW       0.2  /* least share of beams within the known map */
#define OFF       0.5  /* share of beams in the unknown: off the map */
#define BACK      2    /* scans that fit again: back on the map */
#define ADRIFT    3.0  /* off the map, worse known than this: no return (m) */

/* Multiply the weights by the likelihood; from here on they are logarithms.
 * Returns the log likelihood of the best particle. */
static double
weigh_particles(struct pb_mcl_mem *m, const struct pb_mcl_model *k)
{
	struct pb_mcl_particle *p = PB_MCL_PARTICLES(m, k);
	double best = -INFINITY, w = 1, log_w = 0;

	for (int i = 0; i < m->n; i++) {
		double f = pb_mcl_fit(k, &m->scan, p[i].at);

		/* After resampling all weights are equal: one logarithm. */
		if (p[i].w != w)
			log_w = pb_log(w = p[i].w);
		p[i].w = log_w + f;
		best = f > best ? f : best;
	}
	return best;
}

/* Fill ess and log_w of each cluster. */
static void
count_effective(struct pb_mcl_mem *m, const struct pb_mcl_model *k)
{
	const struct pb_mcl_particle *p = PB_MCL_PARTICLES(m, k);
	const struct pb_mcl_bin *t = PB_MCL_BINS(m, k);
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
	for (int c = 0; c < m->nclusters; c++) {
		m->cluster[c].ess =
		    sum[c][1] > 0 ? sum[c][0] * sum[c][0] / sum[c][1] : 0;
		m->cluster[c].log_w =
		    sum[c][1] > 0 ? top[c] + pb_log(sum[c][0]) : -INFINITY;
	}
}

/* Turn logarithms into weights with sum 1; equal weights if all are 0. */
static void
normalise_weights(struct pb_mcl_particle *p, int n)
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
effective_number(const struct pb_mcl_particle *p, int n)
{
	double s = 0;

	for (int i = 0; i < n; i++)
		s += p[i].w * p[i].w;
	return 1 / s;
}

/* Geometric mean of the beams' likelihoods: independent of the number of beams
 * and particles. */
static double
mean_fit(const struct pb_mcl_scan *s, double fit)
{
	return pb_exp(fit / s->temper / s->n);
}

/* Mean fit at the best particle or mode. */
static double
best_fit(const struct pb_mcl_mem *m, const struct pb_mcl_model *k, double best)
{
	for (int i = 0; i < m->nmodes; i++) {
		double f = pb_mcl_fit(k, &m->scan, m->mode[i].g.mean);

		best = f > best ? f : best;
	}
	return mean_fit(&m->scan, best);
}

static void
list_hypotheses(struct pb_mcl_mem *m)
{
	m->belief.n = 0;
	m->belief.jump = 0;
	for (int c = 0; c < m->nclusters && c < PB_LOC_HYPOTHESES; c++) {
		struct pb_hypothesis *h = &m->belief.at[m->belief.n++];

		h->pose = m->cluster[c].g.mean;
		h->weight = m->cluster[c].w;
		memcpy(h->cov, m->cluster[c].g.cov, sizeof(h->cov));
	}
}

/*
 * Probability that the robot is not near the particles (augmented MCL). While
 * the pose is not settled, each further independent scan is matched with the
 * whole map.
 */
static double
lost_probability(struct pb_mcl_mem *m, const struct pb_mcl_model *k, double q)
{
	double now = m->fast < q ? m->fast : q;
	double jump = m->slow > 0 ? 1 - now / m->slow : 0;
	double a = 0;

	m->unseen += m->fresh;
	if (m->unseen >= 1 && m->agreed < 2 * SETTLED)
		a = k->o.anywhere;
	/* Without odometry nothing else supports the place. */
	if (jump > WORSE && !m->moved)
		m->agreed = fmin(m->agreed, AGREED - SETTLED);
	if (jump > WORSE && jump > a)
		a = jump;
	if (a > 0)
		m->unseen = 0;
	return a < 0.5 ? a : 0.5;
}

/* Update `fit`: share of all beams that the map explains from the best place,
 * averaged over independent scans. */
static void
update_fit(struct pb_mcl_mem *m, const struct pb_mcl_model *k,
    const struct pb_mcl_scan *all)
{
	struct pb_mcl_view v;
	double scan;
	int says, met;

	pb_mcl_classify_beams(k, all, m->belief.at[0].pose, &v);
	met = v.n[PB_MCL_AS_MAPPED];
	says = all->n - v.n[PB_MCL_OFF_MAP];
	m->belief.fit = NAN;
	if (says < fmax(4, FEW * all->n))
		return;
	m->belief.fit = (double)met / says;
	/* An unmapped obstacle is no evidence against the place. */
	if (m->hidden > 0)
		says -= v.n[PB_MCL_IN_FRONT];
	if (says == 0)
		return;
	scan = m->moved ? m->fresh : 1;
	m->heard = fmin(m->heard + scan, MEMORY);
	m->fit += fmin(scan / m->heard, 1) * ((double)met / says - m->fit);
}

/*
 * Compare the new estimate with `expected`, the last one moved by odometry, or
 * the given start. A leap resets the evidence for the place. vague: allow three
 * standard deviations of `expected`.
 */
static void
check_odometry(
    struct pb_mcl_mem *m, const struct pb_hypothesis *expected, bool vague)
{
	const double(*cov)[3] = expected->cov;
	struct pb_pose now = m->belief.at[0].pose;
	double way = pb_pose_dist(now, expected->pose);
	double turn = fabs(pb_wrap(now.th - expected->pose.th));
	double most = LEAP + LEAP_PART * m->way;
	double most_turn = LEAP_TURN + LEAP_PART * m->turn;
	bool leapt;

	if (vague) {
		most = fmax(most, 3 * sqrt(cov[0][0] + cov[1][1]));
		most_turn = fmax(most_turn, 3 * sqrt(cov[2][2]));
	}
	leapt = way > most;
	if (!leapt && turn <= most_turn)
		return;
	m->belief.jump = way;
	m->agreed = fmin(m->agreed, TURNED * AGREED);
	m->agreed_way = fmin(m->agreed_way, TURNED * DRIVEN);
	if (!leapt)
		return;
	m->agreed = m->agreed_way = m->fit = m->heard = 0;
	if (m->placed)
		m->needed = REGAINED;
}

/* Distance since the last scan, turns included (m). Without odometry it is that
 * of the estimates, whose noise does not count. */
static double
way_since_scan(struct pb_mcl_mem *m)
{
	struct pb_pose at = m->belief.at[0].pose;
	double way = pb_pose_dist(m->came, at);
	double turn = fabs(pb_wrap(at.th - m->came.th));

	if (m->driven)
		return m->way + TURNING * m->turn;
	if (way < STEP && turn < STEP)
		return 0;
	m->came = at;
	return way + TURNING * turn;
}

/* Distance without contradiction that tracking needs (m). */
static double
needed_way(const struct pb_mcl_mem *m)
{
	return !m->driven || m->needed >= REGAINED ? REDRIVEN : DRIVEN;
}

static void
update_status(struct pb_mcl_mem *m)
{
	const struct pb_hypothesis *h = &m->belief.at[0];
	double var = h->cov[0][0] + h->cov[1][1], gain;
	bool sure = h->weight > 1 - BESIDE && var < SPREAD * SPREAD &&
	            h->cov[2][2] < SWING * SWING &&
	            m->fit > (m->known ? HELD : EXPLAINED);

	gain = pb_clamp((m->fit - POOR) / (FULL - POOR), 0, 1);
	gain = fmax(gain * gain, LEAST);
	/* Without odometry the belief is widened before each scan: then low
	 * certainty alone does not reset the evidence. */
	if (sure) {
		m->agreed += m->fresh * gain;
		m->agreed_way += fmin(way_since_scan(m), PART) * gain;
	} else if (m->moved || m->fit < HELD)
		m->agreed = m->agreed_way = 0;
	m->known = sure && m->agreed >= m->needed && !isnan(m->belief.fit) &&
	           m->agreed_way >= needed_way(m);
	if (m->known) {
		m->needed = AGREED;
		m->placed = true;
	}
	if (m->known && m->hidden < SHADE)
		m->belief.status = PB_LOC_TRACKING;
	else if (m->heard > 0 && m->fit < LOST)
		m->belief.status = PB_LOC_LOST;
	else
		m->belief.status = PB_LOC_AMBIGUOUS;
}

/* The best status that a place of variance var allows (m2). */
static enum pb_loc_status
limit_status(enum pb_loc_status s, double var)
{
	if (s == PB_LOC_UNMAPPED)
		return s;
	if (var > VAGUE * VAGUE)
		return PB_LOC_LOST;
	if (var > SPREAD * SPREAD && s == PB_LOC_TRACKING)
		return PB_LOC_AMBIGUOUS;
	return s;
}

/* Update w_slow and w_fast of augmented MCL (Thrun, Burgard and Fox,
 * "Probabilistic Robotics", 2005, section 8.3.3). */
static void
average_fit(struct pb_mcl_mem *m, const struct pb_mcl_model *k, double q)
{
	if (m->slow == 0)
		m->slow = m->fast = q;
	m->slow += k->o.slow * (q - m->slow);
	m->fast += k->o.fast * (q - m->fast);
}

/* Weigh the particles and search near clusters with too few effective ones.
 * Returns the mean fit; *best: log likelihood of the best particle. */
static double
track_clusters(struct pb_mcl_mem *m, const struct pb_mcl_model *k, double *best)
{
	double q;

	if (m->moved)
		find_clusters(m, k);
	*best = weigh_particles(m, k);
	count_effective(m, k);
	for (int c = 0; c < m->nclusters; c++)
		if (m->cluster[c].ess < 0.5 * m->cluster[c].n)
			pb_mcl_search_near(m, k, c);
	q = best_fit(m, k, *best);
	if (!m->moved || k->o.slip == 0 || q > m->slow)
		return q;
	for (int c = 0, n = m->nclusters; c < n; c++)
		if (m->cluster[c].w > BESIDE)
			pb_mcl_search_slipped(m, k, c);
	return best_fit(m, k, *best);
}

/* Weigh and resample; belief.n is 0 if the scan fits nowhere. */
static void
update_belief(struct pb_mcl_mem *m, const struct pb_mcl_model *k)
{
	struct pb_mcl_particle *p = PB_MCL_PARTICLES(m, k);
	int n = m->anywhere ? 0 : m->n;
	int draws = m->n > k->o.least ? m->n : k->o.least;
	double away = 1, best = -INFINITY;

	m->nmodes = 0;
	if (n > 0)
		away = lost_probability(m, k, track_clusters(m, k, &best));
	if (away > 0)
		pb_mcl_search_everywhere(m, k, away);
	pb_mcl_propose(m, k, draws, &n);
	if (n == 0) { /* the scan fits nowhere: the place stays unknown */
		m->belief =
		    (struct pb_belief){.status = PB_LOC_LOST, .fit = NAN};
		return;
	}
	normalise_weights(p, n);
	average_fit(m, k, best_fit(m, k, best));
	if (n != m->n || effective_number(p, n) < 0.5 * n)
		pb_mcl_resample(m, k, n);
	m->anywhere = false;
	find_clusters(m, k);
	list_hypotheses(m);
}

/*
 * Reserve room for n elements after *at, in 16-byte steps; returns its offset.
 */
static size_t
reserve(size_t *at, size_t n, size_t size)
{
	size_t here = *at;

	*at += (n * size + 15) & ~(size_t)15;
	return here;
}

static void
lay_out_memory(struct pb_mcl_model *k)
{
	size_t all = 2 * (size_t)k->o.most, at = 0;
	size_t blocks = (size_t)k->o.blocks;

	k->slots = 64;
	while (k->slots < 2 * all)
		k->slots *= 2;
	reserve(&at, 1, sizeof(struct pb_mcl_mem));
	k->particle = reserve(&at, all, sizeof(struct pb_mcl_particle));
	k->spare = reserve(&at, all, sizeof(struct pb_mcl_particle));
	k->slot = reserve(&at, all, sizeof(int32_t));
	k->list = reserve(&at, all, sizeof(int32_t));
	k->table = reserve(&at, k->slots, sizeof(struct pb_mcl_bin));
	k->node = reserve(&at, blocks, sizeof(struct pb_corr_node));
	k->next = reserve(&at, all > blocks / 2 ? 2 * all : blocks,
	    sizeof(struct pb_corr_node));
	k->size = at;
}

static void
forget(void *model)
{
	struct pb_mcl_model *k = model;

	if (k == NULL)
		return;
	pb_likelihood_clear(&k->field);
	free(k);
}

static enum pb_status
learn(const struct pb_localizer *m, const struct pb_loc_world *w,
    const void *opts, void **model)
{
	const struct pb_mcl_opts *o = opts;
	struct pb_mcl_model *k;
	enum pb_status s;

	if (w->map == NULL || pb_params_check(m->params, opts) != NULL ||
	    o->slow > o->fast)
		return PB_EVALUE;
	k = calloc(1, sizeof(*k));
	if (k == NULL)
		return PB_ENOMEM;
	s = pb_likelihood_init(&k->field, w->map, o->sigma, o->stray);
	if (s != PB_OK) {
		forget(k);
		return s;
	}
	k->o = *o;
	k->stop = w->stop;
	k->o.least = o->least < o->most ? o->least : o->most;
	k->size_x = w->map->width * w->map->resolution;
	k->size_y = w->map->height * w->map->resolution;
	k->turn_bins = (int)ceil(2 * PB_PI / o->bin_turn);
	lay_out_memory(k);
	*model = k;
	return PB_OK;
}

static size_t
more(const void *model)
{
	return ((const struct pb_mcl_model *)model)->size;
}

/* Scatter the particles over all free cells and headings. */
static void
scatter_particles(struct pb_mcl_mem *m, const struct pb_mcl_model *k)
{
	struct pb_mcl_particle *p = PB_MCL_PARTICLES(m, k);
	double cell = k->field.resolution;

	m->anywhere = true;
	for (int i = 0; i < m->n; i++) {
		struct pb_cell c = pb_likelihood_free(
		    &k->field, pb_rng_below(&m->rng, (uint32_t)k->field.nfree));

		p[i].at.x = (c.col + pb_rng_unit(&m->rng)) * cell;
		p[i].at.y = (c.row + pb_rng_unit(&m->rng)) * cell;
		p[i].at.th = pb_wrap(pb_rng_between(&m->rng, -PB_PI, PB_PI));
		p[i].w = 1.0 / m->n;
	}
}

/* The start distribution in the grid frame; variances grow by 1 mm^2, as 0
 * would not be positive definite. */
static bool
start_gauss(const struct pb_mcl_model *k, const struct pb_loc_start *s,
    struct pb_gauss *g)
{
	struct pb_pose at = pb_likelihood_into(&k->field, s->pose);
	double v[3][3];

	memcpy(v, s->cov, sizeof(v));
	pb_loc_turn_cov(v, -k->field.origin.th);
	for (int i = 0; i < 3; i++)
		v[i][i] += 1e-6;
	if (!isfinite(at.x) || !isfinite(at.y) || !isfinite(at.th))
		return false;
	return pb_gauss_init(g, at, v);
}

static void
set_start(struct pb_mcl_mem *m, const struct pb_gauss *g)
{
	struct pb_hypothesis *h = &m->belief.at[0];

	m->belief.n = 1;
	m->belief.status = PB_LOC_AMBIGUOUS;
	m->placed = true;
	*h = (struct pb_hypothesis){.pose = g->mean, .weight = 1};
	memcpy(h->cov, g->cov, sizeof(h->cov));
}

static void
reset(void *mem, const void *model, const struct pb_loc_start *s)
{
	const struct pb_mcl_model *k = model;
	struct pb_mcl_mem *m = mem;
	struct pb_mcl_particle *p = PB_MCL_PARTICLES(m, k);
	struct pb_gauss g;

	memset(m, 0, sizeof(*m));
	m->belief.fit = NAN;
	m->needed = AGREED;
	pb_rng_start(&m->rng, s->seed, s->trial, PB_FOR_FILTER, s->which);
	if (s->kind == PB_LOC_NEAR && start_gauss(k, s, &g)) {
		m->n = k->o.least;
		m->agreed = AGREED; /* a given start counts as evidence */
		m->agreed_way = DRIVEN;
		set_start(m, &g);
		for (int i = 0; i < m->n; i++) {
			p[i].at = pb_gauss_draw(&g, &m->rng);
			p[i].w = 1.0 / m->n;
			clamp_to_map(k, &p[i].at);
		}
	} else {
		m->n = k->o.most;
		scatter_particles(m, k);
	}
}

/* Independence of the scan, 0.1..1: scans from one place share their errors, so
 * a repeated scan adds little more than its own noise. */
static double
independence(const struct pb_mcl_mem *m, const struct pb_mcl_model *k)
{
	double f = m->way / k->o.step + m->turn / k->o.step_turn;

	return m->slow == 0 ? 1 : pb_clamp(f, 0.1, 1);
}

/* The same from the scans, in case odometry is wrong: the distance between the
 * best matches of this scan and the last. */
static double
observed_independence(struct pb_mcl_mem *m, const struct pb_mcl_model *k)
{
	struct pb_pose last = m->seen;
	struct pb_gauss at;
	double f;

	if (m->slow == 0)
		return 1;
	m->seen = pb_pose_compose(m->belief.at[0].pose, m->since);
	if (pb_mcl_match(k, &m->scan, NULL, m->seen, &at))
		m->seen = at.mean;
	f = pb_pose_dist(m->seen, last) / k->o.step +
	    fabs(pb_wrap(m->seen.th - last.th)) / k->o.step_turn;
	if (f < 1 && !m->moved) { /* noise must not add up to a motion */
		m->seen = last;
		return 0;
	}
	return f < 1 ? f : 1;
}

/* Whether the scan fits near some place about as well as scans usually do; *at:
 * the match. */
static bool
fits_as_usual(const struct pb_mcl_mem *m, const struct pb_mcl_model *k,
    const struct pb_gauss *prior, struct pb_pose near, struct pb_pose *at)
{
	struct pb_gauss g;

	if (!pb_mcl_match(k, &m->scan, prior, near, &g))
		return false;
	*at = g.mean;
	return mean_fit(&m->scan, pb_mcl_fit(k, &m->scan, *at)) >=
	       (1 - WORSE) * m->slow;
}

/* The same for places that wheel slip explains. */
static bool
fits_after_slip(const struct pb_mcl_mem *m, const struct pb_mcl_model *k,
    const struct pb_gauss *prior)
{
	struct pb_gauss slip;
	struct pb_pose from[3], at;

	if (!pb_mcl_slip_prior(m, prior, &slip, from))
		return false;
	return fits_as_usual(m, k, &slip, from[0], &at) ||
	       fits_as_usual(m, k, &slip, from[1], &at) ||
	       fits_as_usual(m, k, &slip, from[2], &at);
}

/* Whether the robot was off the map and is known well enough to return. */
static bool
may_return(const struct pb_mcl_mem *m, const struct pb_hypothesis *h)
{
	return m->belief.status == PB_LOC_UNMAPPED &&
	       h->cov[0][0] + h->cov[1][1] < ADRIFT * ADRIFT;
}

/*
 * Whether a robot that was off the map is on it again: near the odometry pose,
 * BACK scans in a row fit and the map explains their beams. Scans that only end
 * inside the map count LEAST each.
 */
static bool
is_back_on_map(
    struct pb_mcl_mem *m, const struct pb_mcl_model *k, struct pb_hypothesis *h)
{
	struct pb_mcl_view v = {.n = {0}};
	struct pb_gauss prior;
	struct pb_pose at;
	double says = 0;

	if (pb_gauss_init(&prior, h->pose, h->cov) &&
	    fits_as_usual(m, k, &prior, h->pose, &at)) {
		pb_mcl_classify_beams(k, &m->scan, at, &v);
		says = m->scan.n - v.n[PB_MCL_OFF_MAP];
	}
	if (says > (1 - OFF) * m->scan.n &&
	    v.n[PB_MCL_AS_MAPPED] > EXPLAINED * says)
		m->back += m->fresh;
	else if (m->off < OFF)
		m->back += LEAST * m->fresh;
	else
		m->back = 0;
	if (m->back < BACK) {
		m->off = fmax(m->off, OFF);
		return false;
	}
	m->back = 0;
	return true;
}

/*
 * Beam skipping: if the place was settled, odometry moved the robot, and the
 * scan fits worse than usual, skip the beams that an obstacle in front stopped
 * and those that ended off the map, provided that the rest fits. Fills
 * m->hidden and m->off, the skipped shares. `all`: all beams of the scan.
 */
static void
skip_beams(struct pb_mcl_mem *m, const struct pb_mcl_model *k,
    const struct pb_mcl_scan *all, struct pb_hypothesis *h)
{
	const struct pb_mcl_particle *p = PB_MCL_PARTICLES(m, k);
	struct pb_pose from[1 + PLACES];
	struct pb_mcl_view v;
	struct pb_gauss prior;

	m->hidden = m->off = 0;
	if (m->slow == 0 || may_return(m, h)) {
		pb_mcl_classify_beams(k, &m->scan, h->pose, &v);
		m->off = (double)v.n[PB_MCL_OFF_MAP] / m->scan.n;
		if (m->slow == 0 || !is_back_on_map(m, k, h))
			return;
		m->off = 0;
	}
	if (k->o.obstacle == 0 || m->agreed < SETTLED || !m->moved)
		return;
	from[0] = h->pose;
	if (!pb_gauss_init(&prior, h->pose, h->cov) ||
	    fits_as_usual(m, k, &prior, h->pose, &from[0]) ||
	    fits_after_slip(m, k, &prior))
		return;
	for (int i = 0; i < PLACES; i++)
		from[1 + i] = p[(size_t)i * (size_t)m->n / PLACES].at;
	pb_mcl_skip_beams(
	    k, &m->scan, &prior, from, 1 + PLACES, &m->hidden, &m->off);
	if (m->hidden >= SHADE || m->off >= OFF ||
	    fits_as_usual(m, k, &prior, from[0], &from[0]))
		return;
	m->scan = *all;
	m->hidden = m->off = 0;
}

/* Dead reckoning off the map. */
static void
dead_reckon(struct pb_mcl_mem *m, const struct pb_hypothesis *h)
{
	m->belief = (struct pb_belief){
	    .status = PB_LOC_UNMAPPED, .n = 1, .at = {*h}, .fit = NAN};
	m->agreed =
	    SETTLED; /* back on the map the place must be confirmed anew */
	m->agreed_way = 0;
	m->needed = fmax(m->needed, SETTLED + AGREED);
	m->placed = true;
}

/* A scan without usable beams confirms nothing. */
static void
downgrade_status(struct pb_mcl_mem *m)
{
	if (m->belief.status == PB_LOC_TRACKING)
		m->belief.status = PB_LOC_AMBIGUOUS;
}

static void
scan(void *mem, const void *model, const struct pb_scan *z)
{
	const struct pb_mcl_model *k = model;
	struct pb_mcl_mem *m = mem;
	struct pb_hypothesis h = {0};
	struct pb_mcl_scan all;
	bool before = m->belief.n > 0 && !m->anywhere;
	/* A vague place may leap by three standard deviations. */
	bool vague = m->slow == 0 || m->belief.status == PB_LOC_UNMAPPED;
	double seen;

	pb_mcl_choose_beams(k, z, &m->scan);
	all = m->scan;
	if (all.n == 0) {
		downgrade_status(m);
		return;
	}
	m->fresh = independence(m, k);
	if (!m->anywhere && m->moved)
		apply_odometry(m, k);
	else if (!m->anywhere)
		move_without_odometry(m, k);
	if (before) {
		h = m->belief.at[0];
		carry_hypothesis(m, k, &h);
		skip_beams(m, k, &all, &h);
	}
	if (m->off >= OFF)
		dead_reckon(m, &h);
	else if (m->scan.n == 0)
		downgrade_status(m);
	else {
		seen = observed_independence(m, k);
		if (!m->moved)
			m->fresh = seen;
		if (m->moved)
			m->scan.temper *= fmax(m->fresh, seen);
		update_belief(m, k);
		if (m->belief.n > 0) {
			update_fit(m, k, &all);
			if (before && (m->moved || vague))
				check_odometry(m, &h, vague);
			update_status(m);
		}
	}
	m->since = m->todo = (struct pb_pose){0, 0, 0};
	m->way = m->turn = 0;
	m->moved = false;
}

static void
estimate(const void *mem, const void *model, struct pb_belief *out)
{
	const struct pb_mcl_model *k = model;
	const struct pb_mcl_mem *m = mem;

	*out = m->belief;
	for (int i = 0; i < out->n; i++) {
		carry_hypothesis(m, k, &out->at[i]);
		out->at[i].pose =
		    pb_likelihood_from(&k->field, out->at[i].pose);
		pb_loc_turn_cov(out->at[i].cov, k->field.origin.th);
	}
	if (out->n > 0)
		out->status = limit_status(
		    out->status, out->at[0].cov[0][0] + out->at[0].cov[1][1]);
}

static size_t
particles(const void *mem, const void *model, struct pb_pose *out, size_t max)
{
	const struct pb_mcl_model *k = model;
	const struct pb_mcl_mem *m = mem;
	const struct pb_mcl_particle *p = PB_MCL_PARTICLES(m, k);
	size_t n = (size_t)m->n < max ? (size_t)m->n : max;

	for (size_t i = 0; i < n; i++)
		out[i] =
		    pb_likelihood_from(&k->field, p[i * (size_t)m->n / n].at);
	return n;
}

const struct pb_localizer pb_loc_mcl = {.name = "mcl",
    .summary = "Monte Carlo localization on an occupancy map",
    .places = PB_LOC_ON_MAP,
    .says_fit = true,
    .params = PB_PARAMS(rows),
    .rest = rest,
    .opts_size = sizeof(struct pb_mcl_opts),
    .learn = learn,
    .forget = forget,
    .more = more,
    .reset = reset,
    .predict = predict,
    .scan = scan,
    .fix = NULL,
    .estimate = estimate,
    .particles = particles};
