/* sense.c - tests of the simulated sensors. */
#include "check.h"

#include "map/board.h"
#include "pb/drive.h"
#include "pb/maze.h"
#include "robot/sense.h"

/* Numbers that are finite: how many, mean, standard deviation. */
struct sums {
	double n, mean, sd;
};

static struct sums
sums_of(const double *v, int n)
{
	struct sums s = {0};
	double sum = 0, sum2 = 0;

	for (int i = 0; i < n; i++)
		if (isfinite(v[i])) {
			s.n++;
			sum += v[i];
			sum2 += v[i] * v[i];
		}
	s.mean = sum / s.n;
	s.sd = sqrt(fmax(0, sum2 / s.n - s.mean * s.mean));
	return s;
}

static struct pb_rng
stream(unsigned which)
{
	struct pb_rng g;

	pb_rng_start(&g, 1, 0, PB_FOR_SENSOR, which);
	return g;
}

/* A square room from (0, 0) to (4, 4), its walls one cell of 10 cm outside. */
static struct pb_rays *
room(void)
{
	struct pb_map m;
	struct pb_rays *r;

	check_int(pb_map_init(&m, 42, 42, 0.1, (struct pb_pose){-0.1, -0.1, 0}),
	    PB_OK);
	for (int y = 0; y < 42; y++)
		for (int x = 0; x < 42; x++)
			m.cell[y * 42 + x] =
			    x == 0 || y == 0 || x == 41 || y == 41 ? 100 : 0;
	check_int(pb_rays_new(&m, true, &r), PB_OK);
	pb_map_clear(&m);
	return r;
}

test(lidar_sees_walls)
{
	struct pb_sense_lidar_opts o = pb_sense_defaults().lidar;
	struct pb_rays *w = room();
	struct pb_rng g = stream(0);
	double out[360];

	o.noise = o.drop = 0;
	pb_sense_lidar(&o, w, NULL, 0, (struct pb_pose){1, 1.5, 0}, &g, out);
	check_near(out[180], 3, 1e-12);   /* ahead */
	check_near(out[270], 2.5, 1e-12); /* left */
	check_near(out[0], 1, 1e-12);     /* behind */
	check_near(out[90], 1.5, 1e-12);  /* right */
	check_near(out[225], 2.5 * sqrt(2), 1e-12);
	pb_sense_lidar(
	    &o, w, NULL, 0, (struct pb_pose){1, 1.5, PB_PI / 2}, &g, out);
	check_near(out[180], 2.5, 1e-12);
	o.max = 2.6;
	o.min = 1.2;
	pb_sense_lidar(&o, w, NULL, 0, (struct pb_pose){1, 1.5, 0}, &g, out);
	check(isnan(out[180]) && isnan(out[0]));
	check_near(out[270], 2.5, 1e-12);
	/* Nothing is drawn that has no effect. */
	check(g.s[0] == stream(0).s[0]);
	pb_rays_free(w);
}

/* Way along a ray to a thing, by steps as long as nothing can be in the way. */
static double
slow_hit(struct pb_thing t, struct pb_pose p, double th, double max)
{
	double way = 0, gap;
	struct pb_vec u = {cos(th), sin(th)};

	if (t.radius > 0 && u.x * (t.at.x - p.x) + u.y * (t.at.y - p.y) <= 0)
		return INFINITY;
	do {
		gap = pb_things_gap(
		    &t, 1, (struct pb_vec){p.x + way * u.x, p.y + way * u.y});
		way += gap;
	} while (gap > 1e-10 && way < max);
	return gap > 1e-10 ? INFINITY : way;
}

/* Boxes and discs, also about the sensor; what is touched can be either. */
test(lidar_sees_things)
{
	struct pb_sense_lidar_opts o = pb_sense_defaults().lidar;
	struct pb_rays *w = room();
	struct pb_rng g = stream(0), r = stream(1);

	o.noise = o.drop = 0;
	o.min = 0;
	for (int trial = 0; trial < 300; trial++) {
		struct pb_pose p = {pb_rng_between(&r, 0.2, 3.8),
		    pb_rng_between(&r, 0.2, 3.8), pb_rng_between(&r, -3, 3)};
		struct pb_thing t[3] = {{.radius = 0}};
		double seen[100], walls[100];
		int differ = 0;

		o.beams = 1 + (int)pb_rng_below(&r, 100);
		o.first = pb_rng_between(&r, -7, 7);
		o.span = pb_rng_between(&r, 0.1, 6.2);
		o.max = pb_rng_between(&r, 1, 6);
		for (int i = 0; i < 3; i++) {
			t[i].at.x = pb_rng_between(&r, 0, 4);
			t[i].at.y = pb_rng_between(&r, 0, 4);
			if (pb_rng_below(&r, 2))
				t[i].radius = pb_rng_between(&r, 0.05, 1);
			else
				t[i].half = (struct pb_vec){
				    pb_rng_between(&r, 0.02, 0.8),
				    pb_rng_between(&r, 0.02, 0.8)};
		}
		pb_sense_lidar(&o, w, NULL, 0, p, &g, walls);
		pb_sense_lidar(&o, w, t, 3, p, &g, seen);
		for (int k = 0; k < o.beams; k++) {
			double th = p.th + o.first + k * o.span / o.beams;
			double d = isnan(walls[k]) ? INFINITY : walls[k];

			for (int i = 0; i < 3; i++)
				d = fmin(d, slow_hit(t[i], p, th, o.max));
			differ += d > 0 && d < o.max
			              ? !(fabs(seen[k] - d) < 1e-6)
			              : !isnan(seen[k]);
		}
		check(differ <= 1); /* a ray that touches */
	}
	pb_rays_free(w);
}

test(lidar_noise_and_dropouts)
{
	enum { N = 40000 };
	struct pb_sense_lidar_opts o = pb_sense_defaults().lidar;
	static double d[N];
	struct pb_rays *w = room();
	struct pb_rng g = stream(0);
	struct sums s;

	o.beams = 1;
	o.first = 0;
	o.noise = 0.03;
	o.drop = 0.1;
	for (int i = 0; i < N; i++)
		pb_sense_lidar(
		    &o, w, NULL, 0, (struct pb_pose){1, 1, 0}, &g, &d[i]);
	s = sums_of(d, N);
	check_near(s.n, 0.9 * N, 6 * sqrt(0.09 * N));
	check_near(s.mean, 3, 6 * 0.03 / sqrt(N));
	check_near(s.sd, 0.03, 0.001);
	pb_rays_free(w);
}

test(tof_looks_out_from_the_rim)
{
	struct pb_sense_tof_opts o = pb_sense_defaults().tof;
	struct pb_rays *w = room();
	struct pb_rng g = stream(0);
	double out[8];

	o.noise = o.unit = 0;
	o.radius = 0.1;
	o.max = 3;
	pb_sense_tof(&o, w, NULL, 0, 4, (struct pb_pose){0.5, 1.5, 0}, &g, out);
	check(isnan(out[0]));
	check_near(out[1], 2.4, 1e-6);
	check_near(out[2], 0.4, 1e-6);
	check_near(out[3], 1.4, 1e-6);
	pb_sense_tof(&o, w, NULL, 0, 8, (struct pb_pose){0.5, 1.5, 0}, &g, out);
	check_near(out[2], 2.4, 1e-6);
	check_near(out[4], 0.4, 1e-6);
	check_near(out[3], 0.5 * sqrt(2) - 0.1, 1e-3);
	check_near(out[5], 0.5 * sqrt(2) - 0.1, 1e-3);
	pb_sense_tof(
	    &o, w, NULL, 0, 4, (struct pb_pose){0.5, 1.5, PB_PI}, &g, out);
	check_near(out[0], 0.4, 1e-6);
	/* At the wall it is not "nothing in range". */
	o.unit = 0.001;
	pb_sense_tof(
	    &o, w, NULL, 0, 4, (struct pb_pose){0.05, 1.5, 0}, &g, out);
	check_near(out[2], 0.001, 1e-12);
	pb_rays_free(w);
}

/* A wide sensor sees the nearest wall within its cone. */
test(tof_cone)
{
	struct pb_sense_tof_opts o = pb_sense_defaults().tof;
	struct pb_rays *w = room();
	struct pb_rng g = stream(0);
	double out[4];

	o.noise = o.unit = o.radius = 0;
	o.max = 5;
	o.cone = 0.5;
	o.rays = 21;
	pb_sense_tof(&o, w, NULL, 0, 4, (struct pb_pose){1, 0.1, 0}, &g, out);
	check_near(out[0], 0.1 / sin(0.25), 1e-9);
	o.rays = 1;
	pb_sense_tof(&o, w, NULL, 0, 4, (struct pb_pose){1, 0.1, 0}, &g, out);
	check_near(out[0], 3, 1e-12);
	pb_rays_free(w);
}

test(tof_noise_units_and_failures)
{
	enum { N = 20000 };
	struct pb_sense_tof_opts o = pb_sense_defaults().tof;
	static double d[N];
	struct pb_rays *w = room();
	struct pb_rng g = stream(0);
	double out[4], lo = INFINITY, hi = 0;
	int failed = 0;
	struct sums s;

	o.fail = 0.05;
	for (int i = 0; i < N; i++) {
		pb_sense_tof(&o, w, NULL, 0, 4,
		    (struct pb_pose){3 - o.radius, 2, 0}, &g, out);
		d[i] = out[0] < 0 ? NAN : out[0];
		failed += out[0] < 0;
		if (out[0] < 0)
			continue;
		check_near(out[0] * 1000, floor(out[0] * 1000 + 0.5), 1e-9);
		lo = fmin(lo, out[0]);
		hi = fmax(hi, out[0]);
	}
	s = sums_of(d, N);
	check_near(failed, 0.05 * N, 6 * sqrt(0.0475 * N));
	check_near(s.mean, 1, 1e-3);
	check_near(s.sd, 0.01 / sqrt(3), 3e-4); /* uniform */
	check(lo >= 0.99 - 1e-9 && lo < 0.992);
	check(hi <= 1.01 + 1e-9 && hi > 1.008);
	pb_rays_free(w);
}

/* Along the corridors sensors read what pb_cells_ray() says. */
static void
compare_with_cells(const struct pb_maze *z)
{
	static const enum pb_dir dir[] = {PB_RIGHT, PB_UP, PB_LEFT, PB_DOWN};
	struct pb_sense_tof_opts o = pb_sense_defaults().tof;
	const double side = PB_MAZE_CELL, rim = o.radius / side;
	struct pb_rng g = stream(0);
	struct pb_cells c;
	struct pb_rays *w;
	struct pb_map m;
	double out[4];

	o.noise = o.unit = 0;
	check_int(pb_cells_init(&c, z), PB_OK);
	check_int(pb_maze_solid(z, side, &m), PB_OK);
	check_int(pb_rays_new(&m, true, &w), PB_OK);
	for (int i = 0; i < 4 * c.n; i++) {
		struct pb_vec v =
		    pb_cells_xy(c.cell[i / 4].row, c.cell[i / 4].col);
		int to = c.cell[i / 4].to[i % 4];
		double part = (i % 10) * 0.1;
		struct pb_vec at;

		if (to >= 0) {
			v.x += part * (c.cell[to].row - v.x);
			v.y += part * (c.cell[to].col - v.y);
		}
		at = pb_vec_from(pb_maze_frame(z->rows), v);
		pb_sense_tof(&o, w, NULL, 0, 4,
		    (struct pb_pose){at.x * side, at.y * side, 0}, &g, out);
		for (int k = 0; k < 4; k++) {
			double d = pb_cells_ray(&c, v, dir[k]) - rim;

			if (d * side >= o.max - 1e-6)
				check(!(out[k] < o.max - 1e-6));
			else
				check_near(out[k] / side, d, 1e-6);
		}
	}
	pb_rays_free(w);
	pb_map_clear(&m);
	pb_cells_clear(&c);
}

test(tof_in_mazes)
{
	struct pb_board_opts o = pb_board_defaults(PB_BOARD_MAZE);
	static const char *const name[] = {
	    "pacman", "playground", "outer", "blank", "open"};
	struct pb_maze z;

	for (int i = 0; i < 5; i++) {
		check_int(pb_maze_standard(name[i], &z), PB_OK);
		compare_with_cells(&z);
	}
	for (int i = 0; i < 20; i++) {
		o.seed = (uint64_t)i;
		o.loops = i * 0.05;
		check_int(pb_gen_board(&o, &z), PB_OK);
		compare_with_cells(&z);
	}
}

/* All at work for 10 s; count what comes and hash the ranges. */
struct run {
	int odoms, scans, fixes;
	double ranges;
	struct pb_pose odom;
};

static struct run
run_all(const struct pb_sense_opts *o, const struct pb_rays *w, uint64_t seed)
{
	static struct pb_sense s;
	struct run r = {0};
	struct pb_pose p = {1, 1, 0.3};

	pb_sense_start(&s, o, w, seed, 0, p);
	for (int i = 0; i <= 200; i++) {
		unsigned came = pb_sense_step(&s, i * 0.05, p, false);

		r.odoms += (came & PB_SENSED_ODOM) != 0;
		r.scans += (came & PB_SENSED_SCAN) != 0;
		r.fixes += (came & PB_SENSED_FIX) != 0;
		for (size_t k = 0; (came & PB_SENSED_SCAN) && k < s.n; k++)
			if (isfinite(s.range[k]))
				r.ranges = r.ranges * 0.999 + s.range[k];
		p.x += 0.01;
	}
	r.odom = s.odom.pose;
	return r;
}

test(sensors_together)
{
	struct pb_sense_opts o = pb_sense_defaults();
	struct pb_rays *w = room();
	struct run all, alone;

	o.sensors =
	    PB_SENSOR_LIDAR | PB_SENSOR_ODOM | PB_SENSOR_IMU | PB_SENSOR_CAMERA;
	o.imu.drift = 0.001;
	o.wheels_period = 0.5;
	o.camera.delay = 0.3;
	all = run_all(&o, w, 1);
	check_int(all.scans, 67);
	check_int(all.fixes, 98); /* at 0, 0.1 ... 10 s, 0.3 s late */
	check(all.odoms > 98 && all.odoms < 201);
	check_near(all.odom.th, 0.3, 0.05);
	check(all.ranges != run_all(&o, w, 2).ranges);
	/* No sensor's draws are another's. */
	o.sensors = PB_SENSOR_LIDAR;
	alone = run_all(&o, w, 1);
	check(alone.ranges == all.ranges);
	check_int(alone.odoms + alone.fixes, 0);
	o.sensors = PB_SENSOR_ODOM;
	check_int(run_all(&o, w, 1).odoms, 21);
	o.sensors = PB_SENSOR_TOF8;
	o.tof_period = 0;
	check_int(run_all(&o, w, 1).scans, 201);
	o.tof_period = 1e-300;
	check_int(run_all(&o, w, 1).scans, 201);
	o.sensors = 0;
	check_int(run_all(&o, w, 1).scans, 0);
	pb_rays_free(w);
}

/* Who is carried away does not find it in the odometry. */
test(carried)
{
	struct pb_sense_opts o = pb_sense_defaults();
	static struct pb_sense s;

	o.sensors = PB_SENSOR_ODOM;
	o.wheels = (struct pb_sense_wheels_opts){0};
	pb_sense_start(&s, &o, NULL, 1, 0, (struct pb_pose){1, 1, 0});
	pb_sense_step(&s, 0, (struct pb_pose){1, 1, 0}, false);
	pb_sense_step(&s, 1, (struct pb_pose){2, 1, 0}, false);
	pb_sense_step(&s, 2, (struct pb_pose){9, 9, 0}, true);
	pb_sense_step(&s, 3, (struct pb_pose){9, 10, 0}, false);
	check_near(s.odom.pose.x, 1, 1e-12);
	check_near(s.odom.pose.y, 1, 1e-12);
}

static void
wrong(const struct pb_sense_opts *o, const char *says)
{
	const char *why = pb_sense_wrong(o);

	check(why != NULL && strstr(why, says) != NULL);
}

test(check)
{
	struct pb_sense_opts o = pb_sense_defaults(), bad;

	check(pb_sense_wrong(&o) == NULL);
	bad = o;
	bad.sensors = PB_SENSOR_LIDAR | PB_SENSOR_TOF4;
	wrong(&bad, "one of lidar");
	bad.sensors = PB_SENSOR_IMU;
	wrong(&bad, "imu only with odom");
	bad = o;
	bad.lidar.min = 20;
	wrong(&bad, "lidar-max");
	bad = o;
	bad.camera.delay = 30;
	wrong(&bad, "camera-late");
	bad = o;
	bad.tof.rays = 0;
	wrong(&bad, "tof-rays");
	bad = o;
	bad.lidar.noise = NAN;
	wrong(&bad, "lidar-noise");
}

/* Drive n steps of a square of 1 m sides, turning to the way or not. */
static struct pb_pose
square(
    const struct pb_sense_wheels_opts *o, int n, bool turns, struct pb_rng *g)
{
	struct pb_sense_odom d = {0};
	struct pb_pose p = {2, 3, turns ? 0.5 : 0}, q;

	for (int i = 0; i < 4 * n; i++) {
		double th = turns ? p.th : i / n * PB_PI / 2;

		q = (struct pb_pose){
		    p.x + cos(th) / n, p.y + sin(th) / n, p.th};
		pb_sense_odom_move(&d, o, p, q, 0.1, g);
		p = q;
		if (!turns || i % n != n - 1)
			continue;
		q.th = pb_wrap(p.th + PB_PI / 2);
		pb_sense_odom_move(&d, o, p, q, 0.1, g);
		p = q;
	}
	return d.pose;
}

test(wheels_without_noise)
{
	struct pb_sense_wheels_opts o = {0};
	struct pb_rng g = stream(0);
	struct pb_sense_odom d = {0};
	struct pb_pose p;

	for (int turns = 0; turns < 2; turns++) {
		p = square(&o, 10, turns, &g);
		check_near(p.x, 0, 1e-12);
		check_near(p.y, 0, 1e-12);
		check_near(p.th, 0, 1e-12);
	}
	o.bias = 0.04;
	o.turn_bias = 0.1;
	pb_sense_odom_move(&d, &o, (struct pb_pose){1, 1, 1},
	    (struct pb_pose){1 + cos(1), 1 + sin(1), 1}, 0.5, &g);
	check_near(d.pose.x, 1.04, 1e-12);
	check_near(d.v, 2.08, 1e-12);
	pb_sense_odom_move(&d, &o, (struct pb_pose){1, 1, 1},
	    (struct pb_pose){1, 1, 2}, 0.5, &g);
	check_near(d.pose.th, 1.1, 1e-12);
	check_near(d.w, 2.2, 1e-12);
	check(g.s[0] == stream(0).s[0]);
}

/* What is gained over a way does not depend on the steps it is cut into. */
test(wheels_noise)
{
	enum { N = 4000 };
	static const int steps[] = {1, 20};
	struct pb_sense_wheels_opts o = {
	    .trans_trans = 4e-4, .rot_trans = 9e-4};
	static double x[N], th[N];
	struct pb_rng g = stream(0);

	for (int k = 0; k < 2; k++) {
		int n = steps[k];

		for (int i = 0; i < N; i++) {
			struct pb_sense_odom d = {0};

			for (int j = 0; j < n; j++)
				pb_sense_odom_move(&d, &o, (struct pb_pose){0},
				    (struct pb_pose){1.0 / n, 0, 0}, 0.1, &g);
			x[i] = sqrt(d.pose.x * d.pose.x + d.pose.y * d.pose.y);
			th[i] = d.pose.th;
		}
		check_near(sums_of(x, N).mean, 1, 2e-3);
		check_near(sums_of(x, N).sd, 0.02, 0.001);
		check_near(sums_of(th, N).mean, 0, 2e-3);
		check_near(sums_of(th, N).sd, 0.03, 0.0015);
	}
	o = pb_sense_defaults().wheels;
	o.trans_trans = o.rot_trans = 0;
	for (int i = 0; i < N; i++) {
		struct pb_sense_odom d = {0};

		pb_sense_odom_move(&d, &o, (struct pb_pose){0},
		    (struct pb_pose){0, 1, 0}, 0.1, &g);
		check(d.pose.x == 0 && d.pose.y >= 1 && d.pose.y <= 1.08);
		x[i] = d.pose.y;
	}
	check_near(sums_of(x, N).mean, 1.04, 0.002);
	check_near(sums_of(x, N).sd, 0.04 / sqrt(3), 0.001);
}

test(wheels_that_stand)
{
	struct pb_sense_wheels_opts o = pb_sense_defaults().wheels;
	struct pb_rng g = stream(0);
	struct pb_sense_odom d = {.pose = {1, 2, 3}, .v = 1, .w = 1};
	struct pb_pose p = {5, 6, 0.7};

	pb_sense_odom_move(&d, &o, p, p, 0.1, &g);
	check(d.pose.x == 1 && d.pose.y == 2 && d.pose.th == 3);
	check(d.v == 0 && d.w == 0);
	check(g.s[0] == stream(0).s[0]);
}

test(imu)
{
	enum { N = 2000 };
	struct pb_sense_imu_opts o = pb_sense_defaults().imu;
	static double v[N];
	struct pb_rng g = stream(0);
	struct pb_sense_imu m;

	pb_sense_imu_start(&m, &o, &g);
	check(pb_sense_imu_step(&m, &o, 1.25, 0.1, &g) == 1.25);
	o = (struct pb_sense_imu_opts){.walk = 0.01, .drift = 0.02};
	for (int i = 0; i < N; i++) {
		pb_sense_imu_start(&m, &o, &g);
		for (int k = 0; k < 40; k++)
			v[i] = pb_sense_imu_step(&m, &o, 1, 0.1, &g);
	}
	/* After 4 s: 0.01 sqrt(4) and 0.02 * 4, independent. */
	check_near(sums_of(v, N).mean, 1, 0.01);
	check_near(sums_of(v, N).sd, sqrt(0.02 * 0.02 + 0.08 * 0.08), 0.005);
	o = (struct pb_sense_imu_opts){.noise = 0.05};
	pb_sense_imu_start(&m, &o, &g);
	for (int i = 0; i < N; i++)
		v[i] = pb_sense_imu_step(&m, &o, 1, 0.1, &g);
	check_near(sums_of(v, N).sd, 0.05, 0.003);
}

test(camera)
{
	enum { N = 20000 };
	struct pb_sense_camera_opts o = pb_sense_defaults().camera;
	struct pb_sense_camera c = {0};
	struct pb_rng g = stream(0);
	struct pb_vec at;
	int answers = 0, wrong = 0;

	o.delay = 0.25;
	pb_sense_camera_take_picture(
	    &c, &o, 1, (struct pb_vec){0.13, 0.05}, &g);
	pb_sense_camera_take_picture(&c, &o, 1.1, (struct pb_vec){1, 1}, &g);
	check(!pb_sense_camera_answer(&c, 1.2, &at));
	check(pb_sense_camera_answer(&c, 1.25, &at));
	check_near(at.x, 1.5 * 0.0889, 1e-12);
	check_near(at.y, 0.5 * 0.0889, 1e-12);
	check(!pb_sense_camera_answer(&c, 1.3, &at));
	check(pb_sense_camera_answer(&c, 1.4, &at));
	check(!pb_sense_camera_answer(&c, 9, &at));
	o = (struct pb_sense_camera_opts){
	    .cell = 0.5, .wrong = 0.2, .drop = 0.1};
	for (int i = 0; i < N; i++) {
		pb_sense_camera_take_picture(
		    &c, &o, i, (struct pb_vec){1, 2}, &g);
		if (!pb_sense_camera_answer(&c, i, &at))
			continue;
		answers++;
		if (at.x == 1.25 && at.y == 2.25)
			continue;
		wrong++;
		check(fabs(at.x - 1.25) + fabs(at.y - 2.25) == 0.5);
	}
	check_near(answers, 0.9 * N, 6 * sqrt(0.09 * N));
	check_near(wrong, 0.2 * answers, 6 * sqrt(0.16 * N));
}

/* As many pictures under way as may be. */
test(camera_that_is_very_late)
{
	struct pb_sense_camera_opts o = {.delay = 25.4, .period = 0.1};
	struct pb_sense_camera c = {0};
	struct pb_rng g = stream(0);
	struct pb_vec at = {0};
	int answers = 0;

	for (int i = 0; i < 2000; i++) {
		pb_sense_camera_take_picture(
		    &c, &o, i * 0.1, (struct pb_vec){i, 0}, &g);
		while (pb_sense_camera_answer(&c, i * 0.1, &at)) {
			answers++;
			check_near(at.x, i - 254, 0);
		}
	}
	check_int(answers, 2000 - 254);
}

test(hop)
{
	struct pb_cell_motion h = {0};

	check(pb_cell_motion_step(&h, (struct pb_vec){3, 4}, 4));
	check_near(h.at.x, 3, 0);
	for (int i = 1; i <= 4; i++) {
		check(!pb_cell_motion_step(&h, (struct pb_vec){3, 5}, 4));
		check_near(h.at.y, 4 + i * 0.25, 0);
	}
	check(!pb_cell_motion_step(&h, (struct pb_vec){3, 5}, 4));
	check_near(h.at.y, 5, 0);
	check(!pb_cell_motion_step(&h, (struct pb_vec){2, 5}, 1));
	check_near(h.at.x, 2, 0);
	check(pb_cell_motion_step(&h, (struct pb_vec){2, 9}, 4));
	check_near(h.at.y, 9, 0);
}
