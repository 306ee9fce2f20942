/* mcl.c - Monte Carlo localization: the method's table and its memory. */
#include "localize/mcl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "localize/frame.h"
#include "localize/mcl_state.h"

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

	k->slots = 64;
	while (k->slots < 2 * all)
		k->slots *= 2;
	reserve(&at, 1, sizeof(struct pb_mcl_mem));
	k->particle = reserve(&at, all, sizeof(struct pb_mcl_particle));
	k->spare = reserve(&at, all, sizeof(struct pb_mcl_particle));
	k->slot = reserve(&at, all, sizeof(int32_t));
	k->list = reserve(&at, all, sizeof(int32_t));
	k->table = reserve(&at, k->slots, sizeof(struct pb_mcl_bin));
	k->node = reserve(&at, PB_MCL_NODES, sizeof(struct pb_mcl_node));
	k->next = reserve(&at, all > PB_MCL_NODES / 2 ? 2 * all : PB_MCL_NODES,
	    sizeof(struct pb_mcl_node));
	k->size = at;
}

static void
forget(void *known)
{
	struct pb_mcl_known *k = known;

	if (k == NULL)
		return;
	pb_likelihood_clear(&k->field);
	if (k->rays != NULL)
		pb_rays_free(k->rays);
	free(k);
}

static enum pb_status
learn(const struct pb_loc_world *w, const void *opts, void **known)
{
	const struct pb_mcl_opts *o = opts;
	struct pb_mcl_known *k;
	enum pb_status s;

	if (w->map == NULL || !pb_mcl_check(o))
		return PB_EVALUE;
	k = calloc(1, sizeof(*k));
	if (k == NULL)
		return PB_ENOMEM;
	s = pb_likelihood_init(&k->field, w->map, o->sigma, o->stray);
	if (s == PB_OK && o->model == PB_MCL_BEAM)
		s = pb_rays_new(w->map, false, &k->rays);
	if (s != PB_OK) {
		forget(k);
		return s;
	}
	k->o = *o;
	k->size_x = w->map->width * w->map->resolution;
	k->size_y = w->map->height * w->map->resolution;
	k->turn_bins = (int)ceil(2 * PB_PI / o->bin_turn);
	arrange(k);
	*known = k;
	return PB_OK;
}

static size_t
memory(const void *known)
{
	return ((const struct pb_mcl_known *)known)->size;
}

/* One particle in every free place alike: what "anywhere" looks like. */
static void
scatter(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
{
	struct pb_mcl_particle *p =
	    PB_MCL_ARRAY(m, k, struct pb_mcl_particle, particle);
	double cell = k->field.resolution;

	m->anywhere = true;
	for (int i = 0; i < m->n; i++) {
		uint32_t c =
		    k->field
			.free[pb_rng_below(&m->rng, (uint32_t)k->field.nfree)];
		double col = c % (uint32_t)k->field.cols;
		double row = c / (uint32_t)k->field.cols;

		p[i].at.x = (col + pb_rng_unit(&m->rng)) * cell;
		p[i].at.y = (row + pb_rng_unit(&m->rng)) * cell;
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

static void
reset(void *mem, const void *known, const struct pb_loc_start *s)
{
	const struct pb_mcl_known *k = known;
	struct pb_mcl_mem *m = mem;
	struct pb_mcl_particle *p =
	    PB_MCL_ARRAY(m, k, struct pb_mcl_particle, particle);
	struct pb_gauss g;

	memset(m, 0, sizeof(*m));
	pb_rng_start(&m->rng, s->seed, s->trial, PB_FOR_FILTER, 0);
	if (s->kind == PB_LOC_NEAR && start_gauss(k, s, &g)) {
		m->n = k->o.least;
		for (int i = 0; i < m->n; i++) {
			p[i].at = pb_gauss_draw(&g, &m->rng);
			p[i].w = 1.0 / m->n;
			pb_mcl_hold(k, &p[i].at);
		}
	} else {
		m->n = k->o.most;
		scatter(m, k);
	}
}

static void
predict(void *mem, const void *known, struct pb_pose odom)
{
	pb_mcl_odom(mem, known, odom);
}

/*
 * Scans from the same place share their errors: one from a new place, a step
 * away, tells most; a repeated one little more than its own noise.
 */
static double
fresh(const struct pb_mcl_mem *m, const struct pb_mcl_known *k)
{
	double f = m->way / k->o.step + m->turn / k->o.step_turn;

	if (m->belief.n == 0 || !m->moved)
		return 1; /* the first, or who knows */
	return f < 0.1 ? 0.1 : f > 1 ? 1 : f;
}

static void
scan(void *mem, const void *known, const struct pb_scan *z)
{
	const struct pb_mcl_known *k = known;
	struct pb_mcl_mem *m = mem;

	pb_mcl_choose(k, z, &m->scan);
	if (m->scan.n == 0) { /* blind: what is believed is not confirmed */
		m->settled = 0;
		if (m->belief.status == PB_LOC_TRACKING)
			m->belief.status = PB_LOC_AMBIGUOUS;
		return;
	}
	m->fresh = fresh(m, k);
	m->scan.temper *= m->fresh;
	if (!m->anywhere && m->moved)
		pb_mcl_move(m, k);
	else if (!m->anywhere)
		pb_mcl_wander(m, k);
	pb_mcl_update(m, k);
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
		pb_mcl_carry(m, k, &out->at[i]);
		out->at[i].pose =
		    pb_likelihood_from(&k->field, out->at[i].pose);
		pb_loc_turn_cov(out->at[i].cov, k->field.origin.th);
	}
	if (out->n > 0)
		out->status = pb_mcl_modest(
		    out->status, out->at[0].cov[0][0] + out->at[0].cov[1][1]);
}

static size_t
particles(const void *mem, const void *known, struct pb_pose *out, size_t max)
{
	const struct pb_mcl_known *k = known;
	const struct pb_mcl_mem *m = mem;
	const struct pb_mcl_particle *p =
	    (const struct pb_mcl_particle *)((const char *)mem + k->particle);
	size_t n = (size_t)m->n < max ? (size_t)m->n : max;

	for (size_t i = 0; i < n; i++)
		out[i] =
		    pb_likelihood_from(&k->field, p[i * (size_t)m->n / n].at);
	return n;
}

const struct pb_localizer pb_loc_mcl = {.name = "mcl",
    .summary = "Monte Carlo localization on an occupancy map",
    .places = PB_LOC_ON_MAP,
    .params = pb_mcl_params,
    .opts_size = sizeof(struct pb_mcl_opts),
    .defaults = pb_mcl_defaults,
    .learn = learn,
    .forget = forget,
    .memory = memory,
    .reset = reset,
    .predict = predict,
    .scan = scan,
    .fix = NULL,
    .estimate = estimate,
    .particles = particles};
