/* mcl.c - Monte Carlo localization: options, motion, particles, method. */
#include "localize/mcl_state.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "pb/localizer.h"

static uint32_t
hash(int32_t x, int32_t y, int32_t th)
{
	uint64_t h = (uint64_t)(uint32_t)x * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ (uint32_t)y) * UINT64_C(0xc2b2ae3d27d4eb4f);
	h = (h ^ (uint32_t)th) * UINT64_C(0x165667b19e3779f9);
	return (uint32_t)(h >> 32);
}

/* The slot of a bin, or the empty one where it would be. */
static uint32_t
find(
    const struct pb_mcl_bin *t, uint32_t mask, int32_t x, int32_t y, int32_t th)
{
	uint32_t s = hash(x, y, th) & mask;

	while (t[s].used && (t[s].x != x || t[s].y != y || t[s].th != th))
		s = (s + 1) & mask;
	return s;
}

/* Slots in use for n particles: no table need be larger than twice that. */
static uint32_t
mask_for(const struct pb_mcl_known *k, int n)
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
pb_mcl_fill_bins(struct pb_mcl_mem *m, const struct pb_mcl_known *k, int n)
{
	const struct pb_mcl_particle *p = PB_MCL_PARTICLES(m, k);
	struct pb_mcl_bin *t = PB_MCL_BINS(m, k);
	int32_t *slot = PB_MCL_ARRAY(m, k, int32_t, slot);
	int32_t *list = PB_MCL_ARRAY(m, k, int32_t, list);
	uint32_t mask = mask_for(k, n);
	double turn = k->turn_bins / (2 * PB_PI);
	int bins = 0;

	memset(t, 0, ((size_t)mask + 1) * sizeof(*t));
	for (int i = 0; i < n; i++) {
		int32_t x = (int32_t)floor(p[i].at.x / k->o.bin);
		int32_t y = (int32_t)floor(p[i].at.y / k->o.bin);
		int32_t th =
		    (int32_t)((p[i].at.th + PB_PI) * turn) % k->turn_bins;
		uint32_t s = find(t, mask, x, y, th);

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

/* Give the label of slot s to all bins that it touches: a flood fill. */
static void
flood(const struct pb_mcl_known *k, struct pb_mcl_bin *t, uint32_t mask,
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
			uint32_t u = find(
			    t, mask, b.x + i % 3 - 1, b.y + i / 3 % 3 - 1, th);

			if (!t[u].used || t[u].label >= 0)
				continue;
			t[u].label = label;
			stack[n++] = (int32_t)u;
		}
	}
}

/* Keep c among the heaviest clusters, in order of weight. */
static void
rank(struct pb_mcl_mem *m, struct pb_mcl_cluster c)
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
components(struct pb_mcl_mem *m, const struct pb_mcl_known *k, int bins)
{
	struct pb_mcl_bin *t = PB_MCL_BINS(m, k);
	const int32_t *list = PB_MCL_ARRAY(m, k, int32_t, list);
	int32_t *stack = PB_MCL_ARRAY(m, k, int32_t, next);
	uint32_t mask = mask_for(k, m->n);
	int32_t labels = 0;

	for (int i = 0; i < bins; i++)
		if (t[list[i]].label < 0) {
			t[list[i]].label = labels++;
			flood(k, t, mask, list[i], stack);
		}
	return labels;
}

struct total {
	double w;
	int32_t n;
};

/* Weigh the components and keep the heaviest as clusters. */
static void
heaviest(struct pb_mcl_mem *m, const struct pb_mcl_known *k, int bins,
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
		rank(m, (struct pb_mcl_cluster){
			    .label = i, .w = sum[i].w, .n = sum[i].n});
}

/* Where each label's cluster stands, -1: it is not among the heaviest. */
static void
relabel(struct pb_mcl_mem *m, const struct pb_mcl_known *k, int bins)
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

/* The normal distribution of each cluster. */
static void
shape(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
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
mcl_group(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
{
	int bins = pb_mcl_fill_bins(m, k, m->n);

	heaviest(m, k, bins, components(m, k, bins));
	relabel(m, k, bins);
	shape(m, k);
}

/*
 * Particles that a belief over so many bins needs (Fox, "Adapting the sample
 * size in particle filters through KLD-sampling", 2003, equation 7).
 */
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

/* Draw n of the first `from` particles at equal distances of weight. */
static void
draw(struct pb_mcl_mem *m, const struct pb_mcl_known *k, int from, int n,
    double u)
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
 * Low-variance resampling of the first n particles, weights summing to 1, to
 * as many as the bins need in which there is belief: a tenth of what a
 * particle weighs.
 */
void
pb_mcl_resample(struct pb_mcl_mem *m, const struct pb_mcl_known *k, int n)
{
	const struct pb_mcl_bin *t = PB_MCL_BINS(m, k);
	const int32_t *list = PB_MCL_ARRAY(m, k, int32_t, list);
	int all = pb_mcl_fill_bins(m, k, n), bins = 0;

	for (int i = 0; i < all; i++)
		bins += t[list[i]].w > 0.1 / n;
	draw(m, k, n, pb_mcl_kld(&k->o, bins), pb_rng_unit(&m->rng));
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
    PB_REAL("step", step, "m", 0.25, 0.001, 100, "apply motion every so far"),
    PB_REAL("step-turn", step_turn, "rad", 0.2, 0.001, 3.2, "or every so much"),
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
spread_of(const struct pb_mcl_opts *o, struct pb_pose d)
{
	double way = sqrt(d.x * d.x + d.y * d.y), turn = fabs(d.th);

	return (struct spread){o->trans_trans * way + o->trans_rot * turn,
	    o->trans_rot * turn, o->rot_trans * way + o->rot_rot * turn};
}

/* Beyond its own size off the map a particle is as good as dead. */
static void
mcl_hold(const struct pb_mcl_known *k, struct pb_pose *p)
{
	p->x = pb_clamp(p->x, -k->size_x, 2 * k->size_x);
	p->y = pb_clamp(p->y, -k->size_y, 2 * k->size_y);
}

/*
 * Half of the heading's error before the way and half after it, so that
 * cutting a way into steps changes nothing much.
 */
static void
move(const struct pb_mcl_known *k, struct pb_pose d, const double root[3],
    struct pb_rng *r, struct pb_pose *p)
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
	mcl_hold(k, p);
	th += d.th + (half > 0 ? half * pb_rng_normal(r) : 0);
	p->th = pb_wrap(th);
}

static void
move_all(
    struct pb_mcl_mem *m, const struct pb_mcl_known *k, const double root[3])
{
	struct pb_mcl_particle *p = PB_MCL_PARTICLES(m, k);

	for (int i = 0; i < m->n; i++)
		move(k, m->todo, root, &m->rng, &p[i].at);
	m->todo = (struct pb_pose){0, 0, 0};
}

/* Apply what is left of odometry: variances add up, deviations do not. */
static void
mcl_move(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
{
	struct spread v = spread_of(&k->o, m->todo);
	double root[3] = {sqrt(v.along), sqrt(v.across), sqrt(v.turn)};

	move_all(m, k, root);
}

static void
predict(void *mem, const void *known, struct pb_pose odom)
{
	const struct pb_mcl_known *k = known;
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
		mcl_move(m, k);
}

/*
 * There is no odometry: nobody knows. Particles that far apart would fall into
 * bins that do not touch, each a cluster too narrow to hold where the robot
 * went; so the clusters are made before, and widened.
 */
static void
mcl_wander(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
{
	const double root[3] = {k->o.blind, k->o.blind, k->o.blind_turn};

	mcl_group(m, k);
	for (int c = 0; c < m->nclusters; c++) {
		struct pb_gauss *g = &m->cluster[c].g;
		double cov[3][3];

		memcpy(cov, g->cov, sizeof(cov));
		for (int i = 0; i < 3; i++)
			cov[i][i] += root[i] * root[i];
		pb_gauss_init(g, g->mean, cov);
	}
	move_all(m, k, root);
}

/* Move a hypothesis of the last scan along the odometry since. */
static void
mcl_carry(const struct pb_mcl_mem *m, const struct pb_mcl_known *k,
    struct pb_hypothesis *h)
{
	double c = pb_cos(h->pose.th), s = pb_sin(h->pose.th);
	struct pb_pose d = m->since;
	double way = m->way, turn = m->turn;
	double place = k->o.trans_trans * way + k->o.trans_rot * turn;
	/* The derivative of composing with d by the pose. */
	const double j[3][3] = {
	    {1, 0, -s * d.x - c * d.y}, {0, 1, c * d.x - s * d.y}, {0, 0, 1}};

	pb_gauss_map(h->cov, j);
	h->cov[0][0] += place;
	h->cov[1][1] += place;
	h->cov[2][2] += k->o.rot_trans * way + k->o.rot_rot * turn;
	h->pose = pb_pose_compose(h->pose, d);
}

/*
 * Tracking is: one place has nearly all of the belief, it is no larger than
 * a robot, the map explains most of what the beams met there, and over a way
 * driven the estimate went where the wheels say. The ends of beams alone do not
 * tell another building, as beams may pass through its walls: the share of
 * beams whose whole way the map explains does (`fit`). At the edge of a map
 * that does not tell either: there wrong estimates give themselves away as
 * they leave what the wheels say.
 */
#define BESIDE  0.05 /* belief in other places */
#define SPREAD  0.3  /* root of the variance of the place (m) */
#define SWING   0.2  /* of the heading (rad) */
#define WORSE   0.25 /* fits so much worse than before: look elsewhere */
#define VAGUE   1.0  /* a place larger than this is none (m) */
#define SHADE   0.25 /* hidden in a larger share of the view: who knows */
#define PLACES  64   /* that are asked whether something does */
#define SETTLED 3    /* independent scans to be taken for known, inside */

/*
 * Evidence, in shares of beams and independent scans. Chosen on six CARMEN logs
 * and a house, each on its own map, on halves of it and on those of the others:
 * on their own maps right places have a fit of .88 to .98 (median of a log,
 * tenths of scans .76 and up), wrong ones .3 to .7. Tried were EXPLAINED .5 to
 * .8, HELD .5 to .7, AGREED 3 to 7, DRIVEN 1.25 to 4, TURNING .1 to .8,
 * REGAINED 9 to 20: less is wrong more often on halves of maps and in other
 * houses, more loses scans on the right ones.
 */
#define EXPLAINED 0.7  /* fit to be believed */
#define HELD      0.6  /* the same to go on being believed */
#define LOST      0.4  /* below that no place means something */
#define FULL      0.9  /* a scan of that fit counts whole, ... */
#define POOR      0.65 /* ... one of this fit or less counts */
#define LEAST     0.25 /* so much, between them it grows by the square */
#define MEMORY    10   /* scans over which fit is averaged */
#define AGREED    5    /* scans without contradiction to be believed */
#define DRIVEN    2.5  /* way without contradiction to be believed (m) */
#define TURNING   0.3  /* way that a turn counts for (m/rad) */
#define STEP      0.25 /* without odometry less is none (m, rad) */
#define PART      1.0  /* most of it that counts between two scans (m) */
#define REGAINED  16   /* scans, after wheels denied what was believed; ... */
#define REDRIVEN  5.0  /* ... and way (m) */
#define TURNED    0.4  /* what remains of both after wheels slipped turning */
#define LEAP      0.6  /* farther from what the wheels say they deny (m) */
#define LEAP_TURN 0.35 /* the same of the heading (rad) */
#define LEAP_PART 0.2  /* of the way or turn may be missing beside that */
#define FEW       0.2  /* of the beams must say something */
#define OFF       0.5  /* of the beams where the map knows nothing: off it */
#define BACK      2    /* scans that fit again to be on it */
#define ADRIFT    3.0  /* off it and vaguer than this it may be anywhere (m) */

/*
 * Multiply the weights by the likelihood; logarithms from here on. Returns
 * the best fit.
 */
static double
weigh(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
{
	struct pb_mcl_particle *p = PB_MCL_PARTICLES(m, k);
	double best = -INFINITY, w = 1, log_w = 0;

	for (int i = 0; i < m->n; i++) {
		double f = pb_mcl_fit(k, &m->scan, p[i].at);

		/* They are all alike after resampling. */
		if (p[i].w != w)
			log_w = pb_log(w = p[i].w);
		p[i].w = log_w + f;
		best = f > best ? f : best;
	}
	return best;
}

/* Effective number of particles in each cluster, after weighing. */
static void
count_effective(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
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
 * The geometric mean of the beams' likelihoods, which neither the number of
 * beams nor that of particles scales.
 */
static double
mean_fit(const struct pb_mcl_scan *s, double fit)
{
	return pb_exp(fit / s->temper / s->n);
}

/* How well the scan fits where the robot is taken to be: at the best particle
 * or match. */
static double
quality(const struct pb_mcl_mem *m, const struct pb_mcl_known *k, double best)
{
	for (int i = 0; i < m->nmodes; i++) {
		double f = pb_mcl_fit(k, &m->scan, m->mode[i].g.mean);

		best = f > best ? f : best;
	}
	return mean_fit(&m->scan, best);
}

static void
hypotheses(struct pb_mcl_mem *m)
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
	if (m->unseen >= 1 && m->agreed < 2 * SETTLED)
		a = k->o.anywhere;
	/* No wheels say that it is here all the same. */
	if (jump > WORSE && !m->moved)
		m->agreed = fmin(m->agreed, AGREED - SETTLED);
	if (jump > WORSE && jump > a)
		a = jump;
	if (a > 0)
		m->unseen = 0;
	return a < 0.5 ? a : 0.5;
}

/*
 * How well the map explains all beams from the best place, and the average of
 * that over independent scans.
 */
static void
explain(struct pb_mcl_mem *m, const struct pb_mcl_known *k,
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
	/* What stands in front is no evidence against the place. */
	if (m->hidden > 0)
		says -= v.n[PB_MCL_IN_FRONT];
	if (says == 0)
		return;
	scan = m->moved ? m->fresh : 1;
	m->heard = fmin(m->heard + scan, MEMORY);
	m->fit += fmin(scan / m->heard, 1) * ((double)met / says - m->fit);
}

/*
 * Whether the wheels, or at first what was told, deny that the robot went to
 * its place; where that is vague, by three sigma.
 */
static void
compare(struct pb_mcl_mem *m, const struct pb_hypothesis *expected, bool vague)
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

/*
 * How far the robot has come since the last scan, turns counted. Without any
 * odometry only its estimates tell, whose noise is no way.
 */
static double
way_of(struct pb_mcl_mem *m)
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

/* How far a robot has to go, as its wheels or without any its estimates say, to
 * be believed (m). */
static double
needed_way(const struct pb_mcl_mem *m)
{
	return !m->driven || m->needed >= REGAINED ? REDRIVEN : DRIVEN;
}

static void
judge(struct pb_mcl_mem *m)
{
	const struct pb_hypothesis *h = &m->belief.at[0];
	double var = h->cov[0][0] + h->cov[1][1], gain;
	bool sure = h->weight > 1 - BESIDE && var < SPREAD * SPREAD &&
	            h->cov[2][2] < SWING * SWING &&
	            m->fit > (m->known ? HELD : EXPLAINED);

	gain = pb_clamp((m->fit - POOR) / (FULL - POOR), 0, 1);
	gain = fmax(gain * gain, LEAST);
	/* Without wheels a belief is spread anew before each scan: then it is
	 * not held against the place that it is not sure. */
	if (sure) {
		m->agreed += m->fresh * gain;
		m->agreed_way += fmin(way_of(m), PART) * gain;
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

/* The most that may be said of a place of that variance (m2). */
static enum pb_loc_status
mcl_modest(enum pb_loc_status s, double var)
{
	if (s == PB_LOC_UNMAPPED)
		return s;
	if (var > VAGUE * VAGUE)
		return PB_LOC_LOST;
	if (var > SPREAD * SPREAD && s == PB_LOC_TRACKING)
		return PB_LOC_AMBIGUOUS;
	return s;
}

/*
 * How well scans fit, in the long run and of late, as augmented MCL keeps it
 * (Thrun, Burgard and Fox, "Probabilistic Robotics", 2005, section 8.3.3).
 */
static void
average(struct pb_mcl_mem *m, const struct pb_mcl_known *k, double q)
{
	if (m->slow == 0)
		m->slow = m->fast = q;
	m->slow += k->o.slow * (q - m->slow);
	m->fast += k->o.fast * (q - m->fast);
}

/*
 * Weigh the particles, of which the best fits so well, and look near those that
 * are too few; how well it fits.
 */
static double
track(struct pb_mcl_mem *m, const struct pb_mcl_known *k, double *best)
{
	double q;

	if (m->moved)
		mcl_group(m, k);
	*best = weigh(m, k);
	count_effective(m, k);
	for (int c = 0; c < m->nclusters; c++)
		if (m->cluster[c].ess < 0.5 * m->cluster[c].n)
			pb_mcl_search_near(m, k, c);
	q = quality(m, k, *best);
	if (!m->moved || k->o.slip == 0 || q > m->slow)
		return q;
	for (int c = 0, n = m->nclusters; c < n; c++)
		if (m->cluster[c].w > BESIDE)
			pb_mcl_search_slipped(m, k, c);
	return quality(m, k, *best);
}

/* Weigh and resample; belief.n is 0 if the scan fits nowhere. */
static void
mcl_update(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
{
	struct pb_mcl_particle *p = PB_MCL_PARTICLES(m, k);
	int n = m->anywhere ? 0 : m->n;
	int draws = m->n > k->o.least ? m->n : k->o.least;
	double away = 1, best = -INFINITY;

	m->nmodes = 0;
	if (n > 0)
		away = doubt(m, k, track(m, k, &best));
	if (away > 0)
		pb_mcl_search_everywhere(m, k, away);
	pb_mcl_propose(m, k, draws, &n);
	if (n == 0) { /* the scan fits nowhere; nothing is known still */
		m->belief =
		    (struct pb_belief){.status = PB_LOC_LOST, .fit = NAN};
		return;
	}
	normalise(p, n);
	average(m, k, quality(m, k, best));
	if (n != m->n || effective(p, n) < 0.5 * n)
		pb_mcl_resample(m, k, n);
	m->anywhere = false;
	mcl_group(m, k);
	hypotheses(m);
}

/* Room for n things of that size, after what is there; 16-byte steps. */
static size_t
reserve(size_t *at, size_t n, size_t size)
{
	size_t here = *at;

	*at += (n * size + 15) & ~(size_t)15;
	return here;
}

static void
arrange(struct pb_mcl_known *k)
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
forget(void *known)
{
	struct pb_mcl_known *k = known;

	if (k == NULL)
		return;
	pb_likelihood_clear(&k->field);
	free(k);
}

static enum pb_status
learn(const struct pb_localizer *m, const struct pb_loc_world *w,
    const void *opts, void **known)
{
	const struct pb_mcl_opts *o = opts;
	struct pb_mcl_known *k;
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
	arrange(k);
	*known = k;
	return PB_OK;
}

static size_t
more(const void *known)
{
	return ((const struct pb_mcl_known *)known)->size;
}

/* One particle in every free place alike: what "anywhere" looks like. */
static void
scatter(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
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

/*
 * The covariance that was asked for, in the grid frame; a variance of 0 is
 * known to a millimetre.
 */
static bool
start_gauss(const struct pb_mcl_known *k, const struct pb_loc_start *s,
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

/* Where it is told to be. */
static void
told(struct pb_mcl_mem *m, const struct pb_gauss *g)
{
	struct pb_hypothesis *h = &m->belief.at[0];

	m->belief.n = 1;
	m->belief.status = PB_LOC_AMBIGUOUS;
	m->placed = true;
	*h = (struct pb_hypothesis){.pose = g->mean, .weight = 1};
	memcpy(h->cov, g->cov, sizeof(h->cov));
}

static void
reset(void *mem, const void *known, const struct pb_loc_start *s)
{
	const struct pb_mcl_known *k = known;
	struct pb_mcl_mem *m = mem;
	struct pb_mcl_particle *p = PB_MCL_PARTICLES(m, k);
	struct pb_gauss g;

	memset(m, 0, sizeof(*m));
	m->belief.fit = NAN;
	m->needed = AGREED;
	pb_rng_start(&m->rng, s->seed, s->trial, PB_FOR_FILTER, s->which);
	if (s->kind == PB_LOC_NEAR && start_gauss(k, s, &g)) {
		m->n = k->o.least;
		m->agreed = AGREED; /* a robot that is told may begin */
		m->agreed_way = DRIVEN;
		told(m, &g);
		for (int i = 0; i < m->n; i++) {
			p[i].at = pb_gauss_draw(&g, &m->rng);
			p[i].w = 1.0 / m->n;
			mcl_hold(k, &p[i].at);
		}
	} else {
		m->n = k->o.most;
		scatter(m, k);
	}
}

/*
 * Scans from the same place share their errors: one from a new place, a step
 * away, tells most; a repeated one little more than its own noise.
 */
static double
fresh(const struct pb_mcl_mem *m, const struct pb_mcl_known *k)
{
	double f = m->way / k->o.step + m->turn / k->o.step_turn;

	return m->slow == 0 ? 1 : pb_clamp(f, 0.1, 1);
}

/*
 * The same by what scans see, in case the wheels lie: how far the places are
 * apart where this one and the last fit best.
 */
static double
seen_fresh(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
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
	if (f < 1 && !m->moved) { /* noise alone must not add up */
		m->seen = last;
		return 0;
	}
	return f < 1 ? f : 1;
}

/*
 * Does the scan fit about as well as scans used to, near some place? *at is
 * where.
 */
static bool
as_ever(const struct pb_mcl_mem *m, const struct pb_mcl_known *k,
    const struct pb_gauss *prior, struct pb_pose near, struct pb_pose *at)
{
	struct pb_gauss g;

	if (!pb_mcl_match(k, &m->scan, prior, near, &g))
		return false;
	*at = g.mean;
	return mean_fit(&m->scan, pb_mcl_fit(k, &m->scan, *at)) >=
	       (1 - WORSE) * m->slow;
}

/* The same if the wheels are wrong. */
static bool
slipped_as_ever(const struct pb_mcl_mem *m, const struct pb_mcl_known *k,
    const struct pb_gauss *prior)
{
	struct pb_gauss slip;
	struct pb_pose from[3], at;

	if (!pb_mcl_slip_prior(m, prior, &slip, from))
		return false;
	return as_ever(m, k, &slip, from[0], &at) ||
	       as_ever(m, k, &slip, from[1], &at) ||
	       as_ever(m, k, &slip, from[2], &at);
}

/* Whether it was off the map, and its wheels still tell where about it is. */
static bool
is_off(const struct pb_mcl_mem *m, const struct pb_hypothesis *h)
{
	return m->belief.status == PB_LOC_UNMAPPED &&
	       h->cov[0][0] + h->cov[1][1] < ADRIFT * ADRIFT;
}

/*
 * Whether a robot that was off the map is on it again: near where the wheels
 * say, BACK scans in a row fit and the map explains their beams. Scans that
 * only end inside the map count LEAST of that. If not, it stays off.
 */
static bool
is_back(
    struct pb_mcl_mem *m, const struct pb_mcl_known *k, struct pb_hypothesis *h)
{
	struct pb_mcl_view v = {.n = {0}};
	struct pb_gauss prior;
	struct pb_pose at;
	double says = 0;

	if (pb_gauss_init(&prior, h->pose, h->cov) &&
	    as_ever(m, k, &prior, h->pose, &at)) {
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
 * Where the robot is known and went there by its wheels, but the scan fits
 * worse than it used to: does something in front of it explain that, or that
 * the map ends there? Then leave out what that stopped, or never met anything.
 * Tells the shares of the beams left out. `all` are those of the scan.
 */
static void
put_aside(struct pb_mcl_mem *m, const struct pb_mcl_known *k,
    const struct pb_mcl_scan *all, struct pb_hypothesis *h)
{
	const struct pb_mcl_particle *p = PB_MCL_PARTICLES(m, k);
	struct pb_pose from[1 + PLACES];
	struct pb_mcl_view v;
	struct pb_gauss prior;

	m->hidden = m->off = 0;
	if (m->slow == 0 || is_off(m, h)) {
		pb_mcl_classify_beams(k, &m->scan, h->pose, &v);
		m->off = (double)v.n[PB_MCL_OFF_MAP] / m->scan.n;
		if (m->slow == 0 || !is_back(m, k, h))
			return;
		m->off = 0;
	}
	if (k->o.obstacle == 0 || m->agreed < SETTLED || !m->moved)
		return;
	from[0] = h->pose;
	if (!pb_gauss_init(&prior, h->pose, h->cov) ||
	    as_ever(m, k, &prior, h->pose, &from[0]) ||
	    slipped_as_ever(m, k, &prior))
		return;
	for (int i = 0; i < PLACES; i++)
		from[1 + i] = p[(size_t)i * (size_t)m->n / PLACES].at;
	pb_mcl_skip_beams(
	    k, &m->scan, &prior, from, 1 + PLACES, &m->hidden, &m->off);
	if (m->hidden >= SHADE || m->off >= OFF ||
	    as_ever(m, k, &prior, from[0], &from[0]))
		return;
	m->scan = *all;
	m->hidden = m->off = 0;
}

/* Off the map only the wheels tell. */
static void
reckon(struct pb_mcl_mem *m, const struct pb_hypothesis *h)
{
	m->belief = (struct pb_belief){
	    .status = PB_LOC_UNMAPPED, .n = 1, .at = {*h}, .fit = NAN};
	m->agreed = SETTLED; /* back on it, that is to be seen anew */
	m->agreed_way = 0;
	m->needed = fmax(m->needed, SETTLED + AGREED);
	m->placed = true;
}

/* Nothing was seen: what is believed is not confirmed. */
static void
blind(struct pb_mcl_mem *m)
{
	if (m->belief.status == PB_LOC_TRACKING)
		m->belief.status = PB_LOC_AMBIGUOUS;
}

static void
scan(void *mem, const void *known, const struct pb_scan *z)
{
	const struct pb_mcl_known *k = known;
	struct pb_mcl_mem *m = mem;
	struct pb_hypothesis h = {0};
	struct pb_mcl_scan all;
	bool before = m->belief.n > 0 && !m->anywhere;
	/* Where the place before is vague, a leap is three sigma of it. */
	bool vague = m->slow == 0 || m->belief.status == PB_LOC_UNMAPPED;
	double seen;

	pb_mcl_choose_beams(k, z, &m->scan);
	all = m->scan;
	if (all.n == 0) {
		blind(m);
		return;
	}
	m->fresh = fresh(m, k);
	if (!m->anywhere && m->moved)
		mcl_move(m, k);
	else if (!m->anywhere)
		mcl_wander(m, k);
	if (before) {
		h = m->belief.at[0];
		mcl_carry(m, k, &h);
		put_aside(m, k, &all, &h);
	}
	if (m->off >= OFF)
		reckon(m, &h);
	else if (m->scan.n == 0)
		blind(m);
	else {
		seen = seen_fresh(m, k);
		if (!m->moved)
			m->fresh = seen;
		if (m->moved)
			m->scan.temper *= fmax(m->fresh, seen);
		mcl_update(m, k);
		if (m->belief.n > 0) {
			explain(m, k, &all);
			if (before && (m->moved || vague))
				compare(m, &h, vague);
			judge(m);
		}
	}
	m->since = m->todo = (struct pb_pose){0, 0, 0};
	m->way = m->turn = 0;
	m->moved = false;
}

static void
estimate(const void *mem, const void *known, struct pb_belief *out)
{
	const struct pb_mcl_known *k = known;
	const struct pb_mcl_mem *m = mem;

	*out = m->belief;
	for (int i = 0; i < out->n; i++) {
		mcl_carry(m, k, &out->at[i]);
		out->at[i].pose =
		    pb_likelihood_from(&k->field, out->at[i].pose);
		pb_loc_turn_cov(out->at[i].cov, k->field.origin.th);
	}
	if (out->n > 0)
		out->status = mcl_modest(
		    out->status, out->at[0].cov[0][0] + out->at[0].cov[1][1]);
}

static size_t
particles(const void *mem, const void *known, struct pb_pose *out, size_t max)
{
	const struct pb_mcl_known *k = known;
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
