/* mazeloc.c - tests of the published localization methods for mazes. */
#include "check.h"
#include "mazeworld.h"

#include "localize/methods.h"
#include "pb/localizer.h"

/* Beams by where they point, not by their number; what is not a range. */
test(readings_of_a_scan)
{
	static const double eight[] = {1, 9, 2, 9, NAN, 9, -1, 9};
	static const double four[] = {INFINITY, 1.6, 0, 1.5};
	struct pb_scan z = {.angle_min = -PB_PI / 2,
	    .inc = PB_PI / 4,
	    .range_max = 1.5,
	    .range = eight,
	    .n = 8};
	struct pb_tof t = pb_tof_from_scan(&z, 0, 0.5, 0);

	/* The first looks along -y, the third along +x. */
	check(t.r[3] == 2 && isnan(t.r[0]) && isnan(t.r[1]) && t.r[2] == -1);
	z.range_max = 2;
	check(pb_tof_from_scan(&z, 0, 0.5, 0).r[0] == 4);
	/* Turned left by a quarter, and 20 degrees more; 25 are too many. */
	check(pb_tof_from_scan(&z, PB_PI / 2, 0.5, 0).r[0] == 2);
	check(pb_tof_from_scan(&z, PB_PI / 2 + 0.35, 0.5, 0).r[0] == 2);
	z.n = 1;
	check(pb_tof_from_scan(&z, 0.44, 0.5, 0).r[3] == -1);
	z = (struct pb_scan){
	    .inc = PB_PI / 2, .range_max = 1.5, .range = four, .n = 4};
	t = pb_tof_from_scan(&z, 0, 1, 0);
	check(isnan(t.r[0]) && isnan(t.r[1]) && t.r[2] == 0 && t.r[3] == 1.5);
	/* Beams that point nowhere; the first does not. */
	z.inc = 1e308;
	z.range = eight;
	t = pb_tof_from_scan(&z, 0, 1, 0);
	check(t.r[0] == 1 && t.r[1] == -1 && t.r[2] == -1 && t.r[3] == -1);
	z.n = 0;
	check(pb_tof_from_scan(&z, 0, 1, 0).r[0] == -1);
}

/* From walls and from outside, too; the frame's x goes down the rows. */
test(steps_to_walls)
{
	static const int dx[PB_TOF] = {1, 0, -1, 0}, dy[PB_TOF] = {0, 1, 0, -1};
	struct world w;

	open_world(&w, "pacman");
	for (int row = -2; row <= 32; row++)
		for (int col = -2; col <= 29; col++)
			for (int i = 0; i < PB_TOF; i++) {
				int n = 1;

				while (pb_maze_open(
				    &w.maze, row + n * dx[i], col + n * dy[i]))
					n++;
				check_int(
				    pb_tof_steps(&w.cells, row, col, i), n);
			}
	close_world(&w);
}

/* Noise and rounding to millimetres; a place known to a cell, or wider. */
test(variances)
{
	check_near(pb_tof_var(2, 0.01, 0.1), 4e-4 + 1e-4 / 12, 1e-15);
	check_near(pb_tof_var(0, 0.01, 0.5), 4e-6 / 12, 1e-18);
	check_near(pb_tof_cell_var(0), 1.0 / 12, 1e-15);
	check_near(pb_tof_cell_var(1.5), 16.0 / 12, 1e-15);
}

/* The wheels' frame is turned into the maze's by the first heading. */
test(compass)
{
	struct pb_loc_start s = {
	    .kind = PB_LOC_NEAR, .pose = {0, 0, PB_PI / 2}};
	struct pb_compass c;
	struct pb_vec d;

	pb_compass_reset(&c, &s);
	check_near(pb_compass_heading(&c), PB_PI / 2, 0);
	pb_compass_move(&c, (struct pb_pose){7, 8, 0.3});
	check_near(pb_compass_heading(&c), PB_PI / 2, 1e-12);
	d = pb_compass_move(
	    &c, (struct pb_pose){7 + cos(0.3), 8 + sin(0.3), 0.4});
	check_near(d.x, 0, 1e-12);
	check_near(d.y, 1, 1e-12);
	check_near(pb_compass_heading(&c), PB_PI / 2 + 0.1, 1e-12);
	/* Wheels that begin anew have not driven. */
	d = pb_compass_move(&c, (struct pb_pose){-1e300, 1e300, 0});
	check(d.x == 0 && d.y == 0);
	s.kind = PB_LOC_ANYWHERE;
	pb_compass_reset(&c, &s);
	pb_compass_move(&c, (struct pb_pose){0, 0, 1});
	check_near(pb_compass_heading(&c), 1, 1e-12);
}

/* Published: which walls a robot between two cells may use. */
test(corridor_walls)
{
	static const int at[][2] = {{20, 15}, {1, 1}};
	struct world w;

	open_world(&w, "pacman");
	for (int i = 0; i < 2; i++) {
		struct pb_corridor s = {.prev = {at[i][0], at[i][1]},
		    .next = {at[i][0] + 1, at[i][1]}};
		struct pb_corridor_walls u =
		    pb_corridor_walls(&w.cells, &s, 0, false, 8);

		check(!u.left && u.right && u.ahead && u.back);
	}
	close_world(&w);
}

struct tick {
	struct world w;
	struct pb_corridor_model *k;
	struct pb_corridor s;
};

static void
begin_tick(struct tick *t, const char *maze, struct pb_vec at)
{
	struct pb_corridor_opts o;
	void *model;

	pb_localizer_defaults(&pb_loc_corridor, &o);
	open_world(&t->w, maze);
	check_int(pb_loc_corridor.learn(&pb_loc_corridor, &t->w.w, &o, &model),
	    PB_OK);
	t->k = model;
	pb_corridor_begin(&t->s, &t->w.cells, at);
}

static void
end_tick(struct tick *t)
{
	pb_loc_corridor.forget(t->k);
	close_world(&t->w);
}

/* Published: without readings the answer is the camera's cell. */
test(corridor_without_sensors)
{
	struct pb_tof z = {{NAN, NAN, NAN, NAN}};
	struct pb_tof_cell fix = {1, 1, true};
	struct tick t;

	begin_tick(&t, "pacman", (struct pb_vec){1, 1});
	check(pb_corridor_tick(&t.s, t.k, &z, fix));
	check(t.s.at.x == 1 && t.s.at.y == 1);
	end_tick(&t);
}

/* Published: in the open the far walls leave the estimate where it was. */
test(corridor_in_the_open)
{
	static const struct pb_tof z[] = {
	    {{16.175, 21.175, 16.175, 11.175}}, {{10, 10, 10, 10}}};
	static const int next[][2] = {{20, 16}, {20, 14}};

	for (int i = 0; i < 2; i++) {
		struct pb_tof_cell none = {0};
		struct tick t;

		begin_tick(&t, "open", (struct pb_vec){20, 15});
		memcpy(t.s.next, next[i], sizeof(t.s.next));
		check_int(pb_corridor_ahead(&t.s), i == 0 ? 1 : 3);
		check(pb_corridor_tick(&t.s, t.k, &z[i], none));
		check(t.s.at.x > 19 && t.s.at.x < (i == 0 ? 22 : 21));
		check(i == 1 || (t.s.at.y > 14 && t.s.at.y < 17));
		end_tick(&t);
	}
}

/* The root of a negative sum lets an estimate pass that a distance would not.
 */
test(corridor_middle)
{
	struct pb_tof z = {{-1, -1, -1, -1}};
	struct pb_tof_cell none = {0};
	struct tick t;

	begin_tick(&t, "open", (struct pb_vec){20, 15});
	for (int far = -1; far <= 1; far += 2) {
		pb_corridor_begin(&t.s, &t.w.cells, (struct pb_vec){20, 15});
		t.s.at.x += 4 * far;
		check_int(pb_corridor_tick(&t.s, t.k, &z, none), far < 0);
	}
	end_tick(&t);
}

/* In the middle of a corridor's cell all agree and the ray method is exact. */
test(cell_ray)
{
	struct pb_cell_ray_opts o;
	struct world w;
	struct pb_vec v = {5, 6.3};
	struct pb_tof z;
	struct pb_cell_ray_place p;

	open_world(&w, "pacman");
	pb_localizer_defaults(&pb_loc_cell_ray, &o);
	o.radius /= CELL;
	z = exact(&w.cells, v);
	/* Up, at (5, 6), is a corridor; both ends along y are far away. */
	p = pb_cell_ray(&w.cells, &o, CELL, &z, 5, 6);
	check_near(p.at.x, 5, 1e-9);
	check_near(p.at.y, 6.3 - 0.3 * (z.r[3] >= 5), 1e-9);
	/* In a corner both axes are read. */
	v = (struct pb_vec){1.1, 1.2};
	z = exact(&w.cells, v);
	p = pb_cell_ray(&w.cells, &o, CELL, &z, 1, 1);
	check_near(p.at.x, 1.1, 1e-9);
	check_near(p.at.y, 1.2, 1e-9);
	check(p.read[0] && p.read[1] && p.var[0] < 1e-2);
	/* Beyond `far` the camera is trusted. */
	for (int i = 0; i < PB_TOF; i++)
		z.r[i] = NAN;
	p = pb_cell_ray(&w.cells, &o, CELL, &z, 1, 1);
	check(p.at.x == 1 && p.at.y == 1 && !p.read[0] && !p.read[1]);
	close_world(&w);
}

/*
 * In the corridor of column 6, one cell beside of the camera's: both x
 * candidates are odd, so the cell is moved towards the y candidate.
 */
test(cell_ray_repairs)
{
	struct pb_cell_ray_opts o;
	struct world w;
	struct pb_vec v = {5, 1.2}; /* row 5 meets column 1 */
	struct pb_tof z;
	struct pb_cell_ray_place p;

	open_world(&w, "pacman");
	pb_localizer_defaults(&pb_loc_cell_ray, &o);
	o.radius /= CELL;
	z = exact(&w.cells, v);
	p = pb_cell_ray(&w.cells, &o, CELL, &z, 5, 2);
	check_near(p.at.x, 5, 1e-9);
	check_near(p.at.y, 1.2, 1e-9);
	close_world(&w);
}

/* Once it has read ranges, the camera alone moves it no more. */
test(cell_ray_waits_for_ranges)
{
	struct pb_cell_ray_opts o;
	struct pb_loc_start start = {.kind = PB_LOC_NEAR};
	struct pb_loc_fix there = {{5 * CELL, 2 * CELL}};
	struct world w;
	struct pb_belief b;
	void *model, *mem = calloc(1, 4096);
	struct pb_tof z;
	struct pb_scan s;
	double range[4];

	open_world(&w, "pacman");
	pb_localizer_defaults(&pb_loc_cell_ray, &o);
	check_int(
	    pb_loc_cell_ray.learn(&pb_loc_cell_ray, &w.w, &o, &model), PB_OK);
	pb_loc_cell_ray.reset(mem, model, &start);
	pb_loc_cell_ray.fix(mem, model, &there);
	pb_loc_cell_ray.estimate(mem, model, &b);
	check_near(b.at[0].pose.x, 5 * CELL, 1e-9);
	check_near(b.at[0].pose.y, 2 * CELL, 1e-9);
	z = exact(&w.cells, (struct pb_vec){5, 1.2});
	s = as_scan(&z, range);
	for (int i = 0; i < 2; i++) {
		pb_loc_cell_ray.scan(mem, model, &s);
		pb_loc_cell_ray.fix(mem, model, &there);
		pb_loc_cell_ray.estimate(mem, model, &b);
		check_near(b.at[0].pose.x, 5 * CELL, 1e-9);
		check_near(b.at[0].pose.y, 1.2 * CELL, 1e-9);
	}
	pb_loc_cell_ray.forget(model);
	free(mem);
	close_world(&w);
}

/* Every place of the corridors, exact readings, the camera right. */
test(region_finds_every_place)
{
	struct pb_region_opts o;
	void *k;
	struct pb_region_at at;
	struct world w;
	struct pb_rng r = draws(7, PB_FOR_TRIAL);

	pb_localizer_defaults(&pb_loc_region, &o);
	open_world(&w, "pacman");
	check_int(pb_loc_region.learn(&pb_loc_region, &w.w, &o, &k), PB_OK);
	o.radius /= CELL;
	o.reach /= CELL;
	at = (struct pb_region_at){k, &o};
	for (int i = 0; i < w.cells.n; i++) {
		struct pb_vec v = {
		    w.cells.cell[i].row + pb_rng_between(&r, -0.2, 0.2),
		    w.cells.cell[i].col + pb_rng_between(&r, -0.2, 0.2)};
		struct pb_tof_cell fix = {
		    w.cells.cell[i].row, w.cells.cell[i].col, true};
		struct pb_tof z = exact(&w.cells, v);
		struct pb_belief b;
		bool near =
		    fmin(z.r[0], z.r[2]) <= 8 && fmin(z.r[1], z.r[3]) <= 8;

		pb_region_where(&at, &z, fix, 0, &b);
		check_int(b.n, 1);
		if (!near)
			continue; /* the camera's, as published */
		check_near(b.at[0].pose.x / CELL, v.x, 1e-9);
		check_near(b.at[0].pose.y / CELL, v.y, 1e-9);
	}
	pb_loc_region.forget(k);
	close_world(&w);
}

/* Without a camera the places that fit are listed, the true one with them. */
test(region_lists_what_fits)
{
	struct pb_region_opts o;
	void *k;
	struct pb_region_at at;
	struct world w;
	struct pb_tof_cell none = {0};
	struct pb_belief b;
	struct pb_vec v = {3, 6.1};
	struct pb_tof z;
	int found = 0;

	pb_localizer_defaults(&pb_loc_region, &o);
	open_world(&w, "pacman");
	check_int(pb_loc_region.learn(&pb_loc_region, &w.w, &o, &k), PB_OK);
	o.radius /= CELL;
	o.reach /= CELL;
	at = (struct pb_region_at){k, &o};
	z = exact(&w.cells, v);
	pb_region_where(&at, &z, none, 0, &b);
	check(b.n > 1);
	check_int(b.status, PB_LOC_AMBIGUOUS);
	for (int i = 0; i < b.n; i++)
		found += hypot(b.at[i].pose.x / CELL - v.x,
			     b.at[i].pose.y / CELL - v.y) < 1e-9;
	check_int(found, 1);
	/* Nothing fits four walls that touch. */
	z = (struct pb_tof){{-1, -1, -1, -1}};
	pb_region_where(&at, &z, none, 0, &b);
	check_int(b.status, PB_LOC_LOST);
	check_near(b.at[0].pose.x, 0, 0);
	pb_loc_region.forget(k);
	close_world(&w);
}

/* Every method for mazes: found by name, refuses bad options and worlds. */
test(contracts)
{
	struct world w, taped;
	const struct pb_localizer *l;

	open_world(&w, "blank");
	open_world(&taped, "roomba");
	for (int i = 0; (l = pb_localizer_at(i)) != NULL; i++) {
		char *opts = calloc(1, l->opts_size);
		void *model = &w;
		struct pb_cells none = {0};
		struct pb_loc_world bad = w.w;
		size_t n = l->params.n;
		const struct pb_param *p = l->params.row;

		check(pb_localizer_find(l->name) == l);
		pb_localizer_defaults(l, opts);
		check(pb_params_check(l->params, opts) == NULL);
		if (l->places != PB_LOC_IN_MAZE) {
			free(opts);
			continue;
		}
		bad.cells = &none;
		check_int(l->learn(l, &bad, opts, &model), PB_ENOFREE);
		bad = taped.w;
		check_int(l->learn(l, &bad, opts, &model), PB_EEMPTY);
		for (size_t k = 0; k < n; k++) {
			double nan = NAN;

			if (p[k].kind != PB_PARAM_REAL)
				continue;
			pb_localizer_defaults(l, opts);
			memcpy(opts + p[k].offset, &nan, sizeof(nan));
			check_int(l->learn(l, &w.w, opts, &model), PB_EVALUE);
		}
		check(model == &w);
		free(opts);
	}
	check(pb_localizer_find("no such method") == NULL);
	check(pb_localizer_at(-1) == NULL);
	close_world(&taped);
	close_world(&w);
}
