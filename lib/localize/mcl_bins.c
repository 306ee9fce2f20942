/* mcl_bins.c - the belief in bins: how many particles it needs, its clusters.
 */
#include <math.h>
#include <string.h>

#include "localize/mcl.h"

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

	while (t[s].mark != 0 && (t[s].x != x || t[s].y != y || t[s].th != th))
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
pb_mcl_fill(struct pb_mcl_mem *m, const struct pb_mcl_known *k, int n)
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

		if (t[s].mark == 0) {
			t[s] = (struct pb_mcl_bin){
			    .x = x, .y = y, .th = th, .label = -1, .mark = 1};
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

			if (t[u].mark == 0 || t[u].label >= 0)
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

/*
 * The normal distribution of each cluster. None is narrower than what a cell
 * can tell; few particles know little of their own spread.
 */
#define FEW 10

static void
widen(const struct pb_mcl_known *k, int n, double cov[3][3])
{
	double cell = k->field.resolution, xy = cell * cell / 12;
	double th = PB_MCL_TURN_VAR;

	if (n < FEW) {
		xy = k->o.bin * k->o.bin / 100;
		th = k->o.bin_turn * k->o.bin_turn / 100;
	}
	cov[0][0] += xy;
	cov[1][1] += xy;
	cov[2][2] += th;
}

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
		pb_moments_take(&mo[c], &mean, cov);
		widen(k, m->cluster[c].n, cov);
		pb_gauss_init(&m->cluster[c].g, mean, cov);
	}
}

/* Find the clusters of the particles; weights sum to 1. */
void
pb_mcl_group(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
{
	int bins = pb_mcl_fill(m, k, m->n);

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

/* Bins that a systematic draw of n from the first `from` particles fills. */
static int
count(struct pb_mcl_mem *m, const struct pb_mcl_known *k, int from, int n,
    double u, int mark)
{
	const struct pb_mcl_particle *p = PB_MCL_PARTICLES(m, k);
	struct pb_mcl_bin *t = PB_MCL_BINS(m, k);
	const int32_t *slot = PB_MCL_ARRAY(m, k, int32_t, slot);
	double sum = 0, at = u / n;
	int bins = 0, drawn = 0;

	for (int i = 0; i < from && drawn < n; i++) {
		sum += p[i].w;
		if (sum <= at)
			continue;
		bins += t[slot[i]].mark != mark;
		t[slot[i]].mark = mark;
		while (drawn < n && sum > at)
			at = (++drawn + u) / n;
	}
	return bins;
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
 * as many as the belief that they stand for needs: the smallest number whose
 * own draw fills no more bins than it pays for.
 */
void
pb_mcl_resample(struct pb_mcl_mem *m, const struct pb_mcl_known *k, int n)
{
	double u = pb_rng_unit(&m->rng);
	int want = k->o.least, mark = 2;

	pb_mcl_fill(m, k, n);
	for (;; mark++) {
		int need = pb_mcl_kld(&k->o, count(m, k, n, want, u, mark));

		if (need <= want)
			break;
		want = need;
	}
	draw(m, k, n, want, u);
}
