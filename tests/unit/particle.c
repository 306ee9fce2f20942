/* particle.c - tests of the published particle filter and its parts. */
#include "check.h"
#include "mazeworld.h"

#include "localize/methods.h"

/* Shares of draws against the weights. */
test(alias)
{
	static const double weight[] = {0, 5, 1, 0.25, 0, 13, 1e-9, 3};
	enum { N = 8, DRAWS = 400000 };
	double keep[N];
	uint32_t other[N], work[N];
	struct pb_alias a = {N, keep, other, work};
	int got[N] = {0};
	struct pb_rng r = draws(8, PB_FOR_TRIAL);

	check(pb_alias_fill(&a, weight));
	for (int i = 0; i < DRAWS; i++)
		got[pb_alias_draw(&a, &r)]++;
	for (int i = 0; i < N; i++)
		check_near(got[i] / (double)DRAWS, weight[i] / 22.25, 4e-3);
	check(!pb_alias_fill(&a, (const double[N]){0}));
}

/* A particle filter standing in a corner finds it, by few particles. */
test(particle_converges)
{
	struct world w;
	struct pb_particle_opts o;
	void *model, *mem;
	struct pb_belief b;
	struct pb_loc_start s = {.kind = PB_LOC_ANYWHERE, .seed = 1};
	struct pb_vec v = {1, 12.2};
	struct pb_loc_fix fix = {{1 * CELL, 12 * CELL}};
	struct pb_tof z;
	double range[4];
	struct pb_scan scan;
	struct pb_pose shown[10];

	open_world(&w, "pacman");
	pb_localizer_defaults(&pb_loc_particle, &o);
	o.particles = 5000;
	o.range_sd = 0.1;
	check_int(
	    pb_loc_particle.learn(&pb_loc_particle, &w.w, &o, &model), PB_OK);
	mem = malloc(pb_localizer_memory(&pb_loc_particle, model));
	pb_loc_particle.reset(mem, model, &s);
	z = exact(&w.cells, v);
	scan = as_scan(&z, range);
	for (int i = 0; i < 30; i++) {
		pb_loc_particle.predict(mem, model, (struct pb_pose){0});
		pb_loc_particle.fix(mem, model, &fix);
		pb_loc_particle.scan(mem, model, &scan);
	}
	pb_loc_particle.estimate(mem, model, &b);
	check_near(b.at[0].pose.x / CELL, v.x, 0.3);
	check_near(b.at[0].pose.y / CELL, v.y, 0.3);
	check_int(b.status, PB_LOC_TRACKING);
	check_int(pb_loc_particle.particles(mem, model, shown, 10), 10);
	free(mem);
	pb_loc_particle.forget(model);
	close_world(&w);
}
