/* mazefuse.c - tests of the localizer that fuses ranges, wheels and camera. */
#include "check.h"
#include "mazerun.h"

#include "localize/fuse.h"

static struct mazerun_score
drive(const char *name, const struct mazerun_opts *o, int skip)
{
	const struct pb_localizer *l = pb_localizer_find(name);
	_Alignas(double) char opts[512];

	check(l != NULL && l->opts_size <= sizeof(opts));
	pb_localizer_defaults(l, opts);
	return mazerun_score(o, l, opts, skip);
}

/* Ahead of the published ones at every noise, by far; and honest. */
test(ahead_of_the_published)
{
	static const double noise[] = {0, 0.01, 0.03, 0.1};
	static const char *const name[] = {"cell-ray", "region", "corridor"};

	for (int i = 0; i < 8; i++) {
		struct mazerun_opts o = mazerun_defaults();
		struct mazerun_score r;

		o.d.noise = noise[i / 2];
		o.ticks = 2000;
		if (i % 2 != 0) {
			o.d.late = 15;
			o.d.wrong = 0.2;
		}
		r = drive("fuse", &o, 50);
		check(r.rmse < 0.02);
		check(r.max < 0.2);
		check(r.sure_bad == 0 && r.tracking > 0.99);
		check(r.chi2 > 0.1 && r.chi2 < 2.5);
		for (int k = 0; k < 3; k++) {
			struct mazerun_score p = drive(name[k], &o, 50);

			check(r.rmse < p.rmse / 3);
			check(r.wrong <= p.wrong);
		}
	}
}

/* Readings lost, things in the way, and all the rest. */
test(bad_readings)
{
	struct mazerun_opts o = mazerun_defaults();
	struct mazerun_score r;

	o.d.drop = 0.2;
	o.d.block = 0.02;
	o.d.block_for = 30;
	o.d.late = 15;
	o.d.wrong = 0.2;
	for (int seed = 1; seed <= 3; seed++) {
		o.seed = (uint64_t)seed;
		r = drive("fuse", &o, 50);
		check(r.rmse < 0.02);
		check(r.sure_bad == 0);
	}
}

/* Anywhere, and no camera: soon it knows, and before it does not pretend. */
test(global_start)
{
	for (int seed = 1; seed <= 10; seed++) {
		struct mazerun_opts o = mazerun_defaults();
		struct mazerun_score r;

		o.d.every = 0;
		o.anywhere = true;
		o.ticks = 400;
		o.seed = (uint64_t)seed;
		r = drive("fuse", &o, 0);
		check(r.sure_bad < 0.01);
		r = drive("fuse", &o, 200);
		check(r.bad == 0 && r.tracking > 0.99);
	}
}

/* The sides of a ring look alike: it says so, up to a corner. */
test(ambiguous_until_a_corner)
{
	double sure = 0;

	for (int seed = 1; seed <= 10; seed++) {
		struct mazerun_opts o = mazerun_defaults();
		struct mazerun_score r;

		o.maze = "outer";
		o.d.every = 0;
		o.anywhere = true;
		o.ticks = 1500;
		o.seed = (uint64_t)seed;
		r = drive("fuse", &o, 0);
		check(r.sure_bad == 0);
		sure += r.tracking / 10;
	}
	check(sure > 0.5 && sure < 0.95);
}

/* Without a camera it takes until the views differ. */
test(kidnap)
{
	for (int seed = 1; seed <= 10; seed++) {
		struct mazerun_opts o = mazerun_defaults();
		struct mazerun_score r;

		o.kidnap_at = 300;
		o.ticks = 800;
		o.seed = (uint64_t)seed;
		o.d.every = seed % 2;
		r = drive("fuse", &o, seed % 2 != 0 ? 350 : 550);
		check(r.bad == 0 && r.tracking > 0.99);
	}
}

/* How late the camera is, how often wrong, and what else it learns. */
test(learns_the_robot)
{
	struct mazerun_opts o = mazerun_defaults();
	struct pb_fuse_opts opts;
	struct mazerun_pair *p = malloc(sizeof(*p));
	const struct pb_fuse *f;
	double mean = 0;

	o.d.late = 12;
	o.d.wrong = 0.3;
	pb_localizer_defaults(&pb_loc_fuse, &opts);
	mazerun_pair_open(p, &o, &pb_loc_fuse, &opts);
	check_int(pb_localizer_memory(&pb_loc_fuse, p->model), sizeof(*f));
	for (int t = 0; t < 3000; t++)
		mazerun_pair_tick(p);
	f = p->mem;
	for (int i = 0; i < PB_FUSE_TRAIL; i++)
		mean += i * f->sense.lag[i];
	check_near(mean, 12, 0.5);
	check_near(f->sense.wrong, 0.3, 0.2);
	/* Wheels measure too little, by 0 to 8 of 100. */
	check_near(f->at[0].x[2], 0.04, 0.02);
	check_near(f->sense.noise, 0.006, 0.004);
	mazerun_pair_close(p);
	free(p);
}

/* Two cells from which all walls are as far, in the reach of the sensors. */
static void
find_alike(const struct pb_cells *c, struct pb_vec at[2], double far[PB_TOF])
{
	for (int a = 0; a < c->n; a++)
		for (int b = a + 1; b < c->n; b++) {
			const struct pb_cell_at *p = &c->cell[a];
			const struct pb_cell_at *q = &c->cell[b];
			bool alike = true;

			for (int i = 0; i < PB_TOF; i++) {
				far[i] = pb_tof_steps(c, p->row, p->col, i);
				alike &= far[i] < 10 &&
				         far[i] ==
				             pb_tof_steps(c, q->row, q->col, i);
			}
			at[0] = pb_cells_xy(p->row, p->col);
			at[1] = pb_cells_xy(q->row, q->col);
			if (alike && pb_dist(at[0], at[1]) > 3)
				return;
		}
	check(false);
}

/* Log of the weight of the hypothesis at v. */
static double
weight_at(const struct pb_fuse *f, struct pb_vec v)
{
	for (int i = 0; i < f->n; i++)
		if (fabs(f->at[i].x[0] - v.x) < 0.1 &&
		    fabs(f->at[i].x[1] - v.y) < 0.1)
			return f->at[i].lw;
	return -INFINITY;
}

/* The camera sees a cell, the robot goes far from it and stays there; so the
 * cell is no news for who looks at it much later. */
test(an_old_fix_says_nothing)
{
	for (int wait = 0; wait <= 100; wait += 100) {
		struct mazerun_opts o = mazerun_defaults();
		struct mazerun_pair *p = malloc(sizeof(*p));
		struct pb_fuse_opts opts;
		struct pb_vec at[2];
		double far[PB_TOF], apart;
		struct pb_scan z = {.inc = PB_PI / 2,
		    .range_max = 1.5,
		    .range = far,
		    .n = PB_TOF};
		struct pb_loc_fix fix;

		o.anywhere = true;
		pb_localizer_defaults(&pb_loc_fuse, &opts);
		mazerun_pair_open(p, &o, &pb_loc_fuse, &opts);
		find_alike(&p->s.cells, at, far);
		for (int i = 0; i < PB_TOF; i++)
			far[i] = far[i] * PB_MAZE_CELL - PB_TOF_RADIUS;
		fix.at = (struct pb_vec){
		    at[0].x * PB_MAZE_CELL, at[0].y * PB_MAZE_CELL};
		p->l->predict(p->mem, p->model, (struct pb_pose){0, 0, 0});
		p->l->fix(p->mem, p->model, &fix);
		for (int t = 0; t <= wait; t++)
			p->l->predict(p->mem, p->model,
			    (struct pb_pose){wait > 0 ? 3 : 0, 0, 0});
		p->l->scan(p->mem, p->model, &z);
		apart = weight_at(p->mem, at[0]) - weight_at(p->mem, at[1]);
		if (wait > 0)
			check_near(apart, 0, 0.1);
		else
			check(apart > 1);
		mazerun_pair_close(p);
		free(p);
	}
}

/* Wheels that say nothing: it goes by the ranges alone. */
test(without_wheels)
{
	struct mazerun_opts o = mazerun_defaults();
	struct mazerun_score r;

	o.d.wheels = false;
	o.anywhere = true;
	r = drive("fuse", &o, 100);
	check(r.sure_bad == 0);
	check(r.rmse < 0.1);
}

/* A robot that is held askew, and one whose compass is wrong. */
test(askew)
{
	static const double heading[] = {0.05, 0.2, 0.39, 0.785, -2};
	static const double compass[] = {0.05, -0.1, 0.1};

	for (int i = 0; i < 8; i++) {
		struct mazerun_opts o = mazerun_defaults();
		struct mazerun_score r;

		if (i < 5)
			o.d.heading = heading[i];
		else
			o.d.compass = compass[i - 5];
		o.d.every = i < 5 ? 0 : 1;
		o.d.late = 15;
		o.ticks = 2000;
		r = drive("fuse", &o, 300);
		check(r.rmse < 0.02);
		check(r.wrong < 0.01);
		check(r.sure_bad == 0);
	}
}
