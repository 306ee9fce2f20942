/*
 * mazefuse_parts.c - tests of the parts of the localizer that fuses ranges,
 * wheels and camera, each against a slow and obvious one.
 */
#include "check.h"
#include "mazeworld.h"

#include "localize/fuse.h"

static void
learn(struct world *w, struct pb_fuse_opts *o, struct pb_fuse_model **k)
{
	void *model;

	open_world(w, "pacman");
	pb_localizer_defaults(&pb_loc_fuse, o);
	check_int(pb_loc_fuse.learn(&pb_loc_fuse, &w->w, o, &model), PB_OK);
	*k = model;
}

static void
unlearn(struct world *w, struct pb_fuse_model *k)
{
	pb_loc_fuse.forget(k);
	close_world(w);
}

/* The densities of all readings and the chance of none add up to one. */
test(ray_is_a_distribution)
{
	static const double h[] = {0, 0.26, 3, 12, 16.5, 16.9, 25};
	struct pb_fuse_opts o;
	struct pb_fuse_model *k;
	struct world w;

	learn(&w, &o, &k);
	for (int i = 0; i < 7; i++) {
		const double step = 1e-3, var = 0.01;
		double hit, sum, short_of, want;

		sum = pb_fuse_ray(k, NAN, h[i], var, 0.1, -1, &hit);
		check(hit == 0);
		for (double z = -3; z < 30; z += step) {
			double p = pb_fuse_ray(k, z, h[i], var, 0.1, -1, &hit);

			check(p > 0 && hit >= 0 && hit <= 1);
			/* Odd readings are spread over the reach. */
			if (z < 0 || z > k->o.reach)
				p -= k->o.odd / 2 / k->o.reach;
			/* Nothing is in the way before the rim. */
			short_of = fmax(fmin(h[i], k->o.reach), 0.5);
			if (z < fmin(0, h[i]) || (z >= k->o.reach && z < h[i]))
				p -= 0.1 / short_of;
			sum += p * step;
		}
		/* Nothing fits into less than half a cell. */
		want = h[i] < 0.5 ? 0.9 + 0.2 * h[i] : 1;
		check_near(sum, want, 2e-3);
	}
	unlearn(&w, k);
}

/* Mean of the exact posterior on a grid about the prior: slow and obvious. */
static struct pb_vec
grid_mean(const struct pb_fuse_model *k, const struct pb_fuse_sense *s,
    struct pb_vec prior, double sd, const struct pb_tof *z)
{
	double sum = 0, x = 0, y = 0;

	for (double dx = -4; dx <= 4; dx += 0.05)
		for (double dy = -4; dy <= 4; dy += 0.05) {
			struct pb_vec v = {
			    prior.x + sd * dx, prior.y + sd * dy};
			double p = exp(-(dx * dx + dy * dy) / 2), hit;

			for (int i = 0; i < PB_TOF; i++) {
				double room = pb_regions_ray(&k->w.g, v, i);
				double h = room - k->o.radius;

				if (h < 0) {
					p = 0;
					break;
				}
				p *= pb_fuse_ray(k, z->r[i], h,
				    pb_fuse_var(s, h), k->o.blocked, -1, &hit);
			}
			sum += p;
			x += p * v.x;
			y += p * v.y;
		}
	return (struct pb_vec){x / sum, y / sum};
}

static double
off2(struct pb_vec a, struct pb_vec b)
{
	double d = pb_dist(a, b);

	return d * d;
}

/* One correction, near edges of regions too, against the grid. */
test(correction_against_grid)
{
	enum { DRAWS = 300 };
	const double sd = 0.08, noise = 0.02;
	struct pb_fuse_opts o;
	struct pb_fuse_model *k;
	struct world w;
	struct pb_rng r = draws(3, PB_FOR_TRIAL);
	struct pb_fuse_sense s = {.noise = noise, .unit = 1e-5};
	double ours = 0, best = 0, before = 0;
	struct pb_fuse_hypothesis still = {.x = {1, 1}, .fit = 0.5};
	struct pb_tof silent = {.r = {0}};

	learn(&w, &o, &k);
	for (int i = 0; i < PB_TOF; i++)
		s.stays[i] = -1;
	for (int n = 0; n < DRAWS; n++) {
		const struct pb_cell_at *c =
		    &w.cells.cell[pb_rng_below(&r, (uint32_t)w.cells.n)];
		struct pb_vec v = {c->row + pb_rng_between(&r, -0.2, 0.2),
		    c->col + pb_rng_between(&r, -0.2, 0.2)};
		struct pb_vec prior = {
		    v.x + sd * pb_rng_normal(&r), v.y + sd * pb_rng_normal(&r)};
		struct pb_tof z = exact(&w.cells, v);
		struct pb_fuse_hypothesis q = {.x = {prior.x, prior.y},
		    .p = {{sd * sd, 0, 0}, {0, sd * sd, 0}, {0, 0, 1e-4}}};
		struct pb_vec grid;

		for (int i = 0; i < PB_TOF; i++)
			z.r[i] *= 1 + noise * pb_rng_normal(&r);
		grid = grid_mean(k, &s, prior, sd, &z);
		pb_fuse_correct(&q, k, &s, &z, 1);
		ours += off2((struct pb_vec){q.x[0], q.x[1]}, v);
		best += off2(grid, v);
		before += off2(prior, v);
		check(q.p[0][0] > 0 && q.p[1][1] > 0);
	}
	/* Nothing is better than the grid, and little is lost. */
	check(best < 0.2 * before);
	check(sqrt(ours) < 1.25 * sqrt(best));
	/* Without any reading nothing fits better or worse. */
	for (int i = 0; i < PB_TOF; i++)
		silent.r[i] = -1;
	pb_fuse_correct(&still, k, &s, &silent, 1);
	check(still.fit == 0.5 && still.lw == 0);
	unlearn(&w, k);
}

/* Hypotheses of one place are one, as heavy as they are together. */
test(merged_hypotheses_against_sums)
{
	struct pb_fuse *f = calloc(1, sizeof(*f));
	struct pb_rng r = draws(6, PB_FOR_TRIAL);

	for (int t = 0; t < 100; t++) {
		double sum[4] = {0}, all = 0;

		f->n = 12;
		for (int i = 0; i < f->n; i++) {
			double lw = pb_rng_between(&r, -9, -3);

			f->at[i] = (struct pb_fuse_hypothesis){
			    .x = {i % 4, 0.1 * (i / 4)}, .lw = lw};
			sum[i % 4] += exp(lw);
			all += exp(lw);
		}
		pb_fuse_prune(f);
		check_int(f->n, 4);
		for (int i = 0; i < f->n; i++) {
			int place = (int)f->at[i].x[0];

			check_near(exp(f->at[i].lw), sum[place] / all, 1e-12);
			check(i == 0 || f->at[i].lw <= f->at[i - 1].lw);
		}
	}
	free(f);
}

/* Whatever is heard, the belief is one. */
test(survives_nonsense)
{
	static const double odd[] = {NAN, -1, 0, 1e-9, 1e9, INFINITY, 0.5, 3};
	struct world w;
	struct pb_fuse_opts o;
	struct pb_fuse_model *k;
	struct pb_rng r = draws(4, PB_FOR_TRIAL);
	struct pb_fuse *f = malloc(sizeof(*f));
	struct pb_loc_start start = {.kind = PB_LOC_NEAR, .pose = {9, 9, 1}};

	learn(&w, &o, &k);
	pb_loc_fuse.reset(f, k, &start);
	for (int t = 0; t < 3000; t++) {
		double range[9];
		struct pb_scan z = {.inc = PB_PI / 4,
		    .range_max = INFINITY,
		    .range = range,
		    .n = pb_rng_below(&r, 10)};
		struct pb_loc_fix fix = {{pb_rng_between(&r, -9, 9),
		    odd[4 + pb_rng_below(&r, 2) * 2]}};
		struct pb_belief b;
		double sum = 0;

		for (int i = 0; i < 9; i++)
			range[i] = odd[pb_rng_below(&r, 8)];
		pb_loc_fuse.predict(f, k,
		    (struct pb_pose){pb_rng_between(&r, -1, 1), 0, 0.1 * t});
		pb_loc_fuse.scan(f, k, &z);
		pb_loc_fuse.fix(f, k, &fix);
		pb_loc_fuse.estimate(f, k, &b);
		for (int i = 0; i < b.n; i++) {
			check(isfinite(b.at[i].pose.x) &&
			      isfinite(b.at[i].pose.y));
			check(b.at[i].cov[0][0] > 0 && b.at[i].cov[1][1] > 0);
			check(i == 0 || b.at[i].weight <= b.at[i - 1].weight);
			sum += b.at[i].weight;
		}
		check(sum <= 1 + 1e-9 && (b.n == 0 || sum > 0));
	}
	free(f);
	unlearn(&w, k);
}
