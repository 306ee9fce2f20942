/* localizer.c - tests of the table of methods and of dead reckoning. */
#include "check.h"

#include "localize/methods.h"

/* A robot with method m, started near `at`. */
static void *
robot(const struct pb_localizer *m, void *opts, struct pb_pose at, void **model)
{
	const struct pb_loc_world w = {.map = NULL};
	struct pb_loc_start s = {.kind = PB_LOC_NEAR,
	    .pose = at,
	    .cov = {{0.01, 0, 0}, {0, 0.02, 0}, {0, 0, 1e-4}}};
	void *mem;

	check_int(m->learn(m, &w, opts, model), PB_OK);
	mem = calloc(1, pb_localizer_memory(m, *model));
	m->reset(mem, *model, &s);
	return mem;
}

static struct pb_dead_opts
odom_opts(void)
{
	struct pb_dead_opts o;

	pb_localizer_defaults(&pb_loc_odom, &o);
	return o;
}

test(table)
{
	_Alignas(double) char opts[512];
	const struct pb_localizer *m;
	int n = 0;

	for (; (m = pb_localizer_at(n)); n++) {
		check(pb_localizer_find(m->name) == m);
		check(m->places != 0 && m->summary[0] != '\0');
		check(m->opts_size <= sizeof(opts));
		pb_localizer_defaults(m, opts);
		check(pb_params_check(m->params, opts) == NULL);
	}
	check(n > 0 && pb_localizer_at(-1) == NULL);
	check(pb_localizer_find("none") == NULL);
	check(pb_localizer_for(PB_LOC_NOWHERE) == &pb_loc_odom);
	check(pb_localizer_for(PB_LOC_ON_MAP) != NULL);
	check(pb_localizer_for(PB_LOC_IN_MAZE) != NULL);
}

/* The wheels' frame does not matter: only steps are carried on. */
test(steps)
{
	const struct pb_localizer *m = &pb_loc_odom;
	struct pb_dead_opts o = odom_opts();
	struct pb_pose at = {3, -1, 2}, frame = {-7, 4, 1}, wheels = {0, 0, 0};
	struct pb_belief b;
	struct pb_rng r;
	void *model, *mem = robot(m, &o, at, &model);

	pb_rng_start(&r, 2, 1, PB_FOR_ODOM, 0);
	m->predict(mem, model, pb_pose_compose(frame, wheels));
	for (int i = 0; i < 50; i++) {
		struct pb_pose d = {
		    pb_rng_unit(&r), 0, pb_rng_between(&r, -1, 1)};

		wheels = pb_pose_compose(wheels, d);
		at = pb_pose_compose(at, d);
		m->predict(mem, model, pb_pose_compose(frame, wheels));
	}
	m->estimate(mem, model, &b);
	check_int(b.n, 1);
	check_near(b.at[0].pose.x, at.x, 1e-9);
	check_near(b.at[0].pose.y, at.y, 1e-9);
	check_near(pb_wrap(b.at[0].pose.th - at.th), 0, 1e-9);
	check_near(b.at[0].weight, 1, 0);
	m->forget(model);
	free(mem);
}

/*
 * The covariance against what 20,000 robots with errors of the stated kind
 * do on the same way; small errors, so that theory and practice agree.
 */
test(spread)
{
	enum { ROBOTS = 20000, STEPS = 30 };
	const struct pb_localizer *m = &pb_loc_odom;
	struct pb_dead_opts o = {.drift = 0.004, .slip = 0.01, .lost_at = 9};
	struct pb_pose zero = {0, 0, 0}, wheels = zero, step[STEPS];
	struct pb_belief b;
	struct pb_rng r;
	void *model, *mem = robot(m, &o, zero, &model);
	double sum[3][3] = {{0}};

	pb_rng_start(&r, 2, 2, PB_FOR_ODOM, 0);
	m->predict(mem, model, zero);
	for (int i = 0; i < STEPS; i++) {
		step[i] = (struct pb_pose){
		    0.2 * pb_rng_unit(&r), 0, pb_rng_between(&r, -0.4, 0.4)};
		wheels = pb_pose_compose(wheels, step[i]);
		m->predict(mem, model, wheels);
	}
	m->estimate(mem, model, &b);
	for (int k = 0; k < ROBOTS; k++) {
		struct pb_pose p = {0.1 * pb_rng_normal(&r),
		    sqrt(0.02) * pb_rng_normal(&r), 0.01 * pb_rng_normal(&r)};
		double drift = o.drift * pb_rng_normal(&r);
		double slip = 1 + o.slip * pb_rng_normal(&r), e[3];

		for (int i = 0; i < STEPS; i++) {
			double len = step[i].x, half = drift * len / 2;
			struct pb_pose d = {slip * len * cos(half),
			    slip * len * sin(half), step[i].th + drift * len};

			p = pb_pose_compose(p, d);
		}
		e[0] = p.x - wheels.x;
		e[1] = p.y - wheels.y;
		e[2] = pb_wrap(p.th - wheels.th);
		for (int i = 0; i < 9; i++)
			sum[i / 3][i % 3] += e[i / 3] * e[i % 3] / ROBOTS;
	}
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++) {
			double scale =
			    sqrt(b.at[0].cov[i][i] * b.at[0].cov[k][k]);

			check_near(
			    b.at[0].cov[i][k] / scale, sum[i][k] / scale, 0.04);
		}
	m->forget(model);
	free(mem);
}

test(status)
{
	const struct pb_localizer *m = &pb_loc_odom;
	struct pb_dead_opts o = odom_opts();
	struct pb_loc_start s = {.kind = PB_LOC_ANYWHERE};
	struct pb_pose zero = {0, 0, 0};
	struct pb_belief b;
	void *model, *mem = robot(m, &o, zero, &model);

	m->predict(mem, model, zero);
	m->estimate(mem, model, &b);
	check_int(b.status, PB_LOC_TRACKING);
	m->predict(mem, model, (struct pb_pose){30, 0, 0});
	m->estimate(mem, model, &b);
	check_int(b.status, PB_LOC_LOST);
	m->reset(mem, model, &s);
	m->estimate(mem, model, &b);
	check_int(b.status, PB_LOC_LOST);
	check_int(b.n, 0);
	m->forget(model);
	free(mem);
	o.drift = -1;
	check_int(m->learn(m, &(struct pb_loc_world){.map = NULL}, &o, &model),
	    PB_EVALUE);
}
