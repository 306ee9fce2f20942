/* slam.c - tests of finding the poses of a log, in generated houses. */
#include "check.h"

#include "localize/slam.h"
#include "localize/traj.h"
#include "map/edt.h"
#include "map/gen_house.h"
#include "pb/plan_grid.h"
#include "pb/ray.h"

enum { SCANS = 300, BEAMS = 181 };

/* A robot drives through a house and back. */
struct drive {
	struct pb_pose truth[SCANS], odom[SCANS], found[SCANS];
	double range[SCANS][BEAMS];
	struct pb_scan scan[SCANS];
	size_t n;
};

/* Go to p, facing th; on the spot turns are made in small steps. */
static void
go(struct drive *d, struct pb_vec p, double th)
{
	while (d->n > 0 && d->n < SCANS) {
		struct pb_pose q = d->truth[d->n - 1];
		double turn = pb_wrap(th - q.th);

		if (fabs(turn) < 0.5)
			break;
		q.th = pb_wrap(q.th + (turn > 0 ? 0.4 : -0.4));
		d->truth[d->n++] = q;
	}
	if (d->n < SCANS)
		d->truth[d->n++] = (struct pb_pose){p.x, p.y, th};
}

/* Where the robot drives: along the middle, from room to room. */
static void
plan(struct drive *d, const struct pb_map *m, struct pb_rng *r)
{
	size_t cells = pb_map_cells(m);
	unsigned char *mask = malloc(cells);
	int32_t *field = malloc(cells * sizeof(*field));
	int *path = malloc(cells * sizeof(*path)), at = -1;
	struct pb_edt e;
	struct pb_grid g;

	for (size_t i = 0; i < cells; i++)
		mask[i] = !pb_cell_free(m->cell[i]);
	check_int(pb_edt_init(&e, mask, m->width, m->height, true), PB_OK);
	for (size_t i = 0; i < cells; i++)
		mask[i] = pb_edt_clearance(&e, i, m->resolution) > 0.3;
	check_int(pb_grid_init(&g, m->width, m->height, mask), PB_OK);
	for (int leg = 0; leg < 1000 && d->n < SCANS; leg++) {
		int to = (int)pb_rng_below(r, (uint32_t)cells);
		size_t n;

		if (pb_grid_part(&g, to) != g.main)
			continue;
		at = at < 0 ? to : at;
		check_int(pb_field_from(&g, to, field), PB_OK);
		n = pb_field_descend(&g, field, at, path, cells);
		for (size_t i = 6; i < n && d->n < SCANS; i += 6) {
			struct pb_vec p =
			    pb_map_centre(m, pb_grid_cell(&g, path[i]));
			struct pb_vec q =
			    pb_map_centre(m, pb_grid_cell(&g, path[i - 3]));

			go(d, p, atan2(p.y - q.y, p.x - q.x));
		}
		at = to;
	}
	pb_grid_clear(&g);
	pb_edt_clear(&e);
	free(mask);
	free(field);
	free(path);
}

/* What its wheels and its lidar say, with noise. */
static void
sense(struct drive *d, const struct pb_map *m, struct pb_rng *r)
{
	struct pb_rays *rays;
	double out[BEAMS];

	check_int(pb_rays_new(m, false, &rays), PB_OK);
	for (size_t i = 0; i < d->n; i++) {
		struct pb_pose step;

		pb_ray_scan(
		    rays, d->truth[i], -PB_PI / 2, PB_PI / 180, BEAMS, 12, out);
		for (int k = 0; k < BEAMS; k++)
			d->range[i][k] = out[k] < 12
			                     ? out[k] + 0.01 * pb_rng_normal(r)
			                     : NAN;
		d->scan[i] = (struct pb_scan){.angle_min = -PB_PI / 2,
		    .inc = PB_PI / 180,
		    .range_max = 12,
		    .range = d->range[i],
		    .n = BEAMS};
		if (i == 0)
			continue;
		step = pb_pose_compose(
		    pb_pose_inverse(d->truth[i - 1]), d->truth[i]);
		step.x *= 1 + 0.05 * pb_rng_normal(r);
		step.y += 0.01 * pb_rng_normal(r);
		step.th += (0.01 + 0.05 * fabs(step.th)) * pb_rng_normal(r);
		d->odom[i] = pb_pose_compose(d->odom[i - 1], step);
	}
	pb_rays_free(rays);
}

/* Root mean square distance (m) after alignment. */
static double
error_of(const struct drive *d, const struct pb_pose *p)
{
	struct pb_pose s = pb_traj_align(p, d->truth, d->n);
	double sum = 0;

	for (size_t i = 0; i < d->n; i++) {
		struct pb_pose q = pb_pose_compose(s, p[i]);
		double e = pb_dist(pb_pose_vec(q), pb_pose_vec(d->truth[i]));

		sum += e * e;
	}
	return sqrt(sum / (double)d->n);
}

static const struct pb_pose nowhere = {0, 0, 0};

/* Find the poses, from start on. */
static struct pb_slam_report
find(struct drive *d, struct pb_pose start)
{
	struct pb_slam_opts o = pb_slam_defaults();
	struct pb_slam_report r;
	size_t loops = 0, denied = 0, at = 0;

	check_int(
	    pb_slam(&o, start, d->scan, d->odom, d->n, d->found, &r), PB_OK);
	/* The marks say what the numbers say, in order. */
	for (size_t i = 0; i < r.marks; i++) {
		const struct pb_slam_mark *m = &r.mark[i];

		check(m->a < m->b && m->b < d->n);
		check(m->kind == PB_SLAM_LOOP || m->b > at);
		at = m->kind == PB_SLAM_LOOP ? at : m->b;
		loops += m->kind == PB_SLAM_LOOP;
		denied += m->kind == PB_SLAM_DENIED;
	}
	check_int((long)loops, (long)r.loops);
	check_int((long)denied, (long)r.denied);
	free(r.mark);
	r.mark = NULL;
	return r;
}

static void
drive_house_of(uint64_t seed, double width, double height, struct drive *d)
{
	struct pb_house_opts o = pb_house_defaults();
	struct pb_map m;
	struct pb_rng r;

	memset(d, 0, sizeof(*d));
	o.seed = seed;
	o.width = width;
	o.height = height;
	check_int(pb_gen_house(&o, &m), PB_OK);
	pb_rng_start(&r, seed, 0, PB_FOR_TRIAL, 0);
	plan(d, &m, &r);
	pb_rng_start(&r, seed, 0, PB_FOR_SENSOR, 0);
	sense(d, &m, &r);
	pb_map_clear(&m);
}

static void
drive_house(uint64_t seed, struct drive *d)
{
	drive_house_of(seed, 18, 14, d);
}

test(slam_in_a_house)
{
	static struct drive d;
	struct pb_slam_report r;
	struct pb_pose start = {1, 2, 0.5};

	for (uint64_t seed = 1; seed <= 2; seed++) {
		drive_house(seed, &d);
		check_int((long)d.n, SCANS);
		d.n = 200;
		check(error_of(&d, d.odom) > 0.3);
		r = find(&d, start);
		check_near(d.found[0].x, 1, 0);
		check_near(error_of(&d, d.found), 0, 0.05);
		check(r.loops > 0 && r.keys > d.n / 3);
	}
}

/* From step `at` on the wheels believe to have come from elsewhere: the robot
 * was carried there, past so many scans. */
static void
carry(struct drive *d, size_t at, size_t past)
{
	struct pb_pose from = d->odom[at], to = d->odom[at + past];

	for (size_t i = at; i + past < d->n; i++) {
		struct pb_pose step = pb_pose_into(to, d->odom[i + past]);

		d->truth[i] = d->truth[i + past];
		d->scan[i] = d->scan[i + past];
		d->odom[i] = pb_pose_compose(from, step);
	}
	d->n -= past;
}

test(slam_that_is_carried)
{
	static struct drive d;
	struct pb_slam_report r;

	/* To where it was before: the pieces are joined. */
	drive_house(1, &d);
	carry(&d, 150, 40);
	d.n = 200;
	r = find(&d, nowhere);
	check_int((long)r.pieces, 1);
	check(r.lost > 0);
	check_near(error_of(&d, d.found), 0, 0.1);

	/* To where it never was: that is said. */
	drive_house(1, &d);
	carry(&d, 20, 240);
	d.n = 40; /* 20 there: of a place that is known, enough */
	r = find(&d, nowhere);
	check_int((long)r.pieces, 2);
}

/* Wheels that count every way as forward, and a turn that they missed. */
test(slam_that_doubts_the_wheels)
{
	static struct drive d;
	struct pb_pose odom = nowhere;
	struct pb_slam_report r;

	drive_house(2, &d);
	d.n = 150;
	for (size_t i = 1; i < d.n; i++) {
		struct pb_pose step = pb_pose_into(d.truth[i - 1], d.truth[i]);

		if (i % 10 == 0)
			step.x = -step.x;
		if (i == 77)
			step.th = 0;
		d.odom[i] = odom = pb_pose_compose(odom, step);
	}
	r = find(&d, nowhere);
	check_int((long)r.pieces, 1);
	check(r.denied > 0);
	check_near(error_of(&d, d.found), 0, 0.1);
}

/* Keep one of so many scans. */
static void
thin(struct drive *d, size_t every)
{
	size_t n = 0;

	for (size_t i = 0; i < d->n; i += every) {
		d->truth[n] = d->truth[i];
		d->scan[n] = d->scan[i];
		d->odom[n++] = d->odom[i];
	}
	d->n = n;
}

/* Scans that have little in common hang together all the same. */
test(slam_of_few_scans)
{
	static const uint64_t seed[] = {1, 4, 5};
	static const size_t every[] = {5, 6, 3};
	static struct drive d;
	struct pb_slam_opts o = pb_slam_defaults();
	struct pb_pose again[SCANS];
	struct pb_slam_report r;

	for (int i = 0; i < 3; i++) {
		drive_house(seed[i], &d);
		thin(&d, every[i]);
		r = find(&d, nowhere);
		check_int((long)r.pieces, 1);
		check_near(error_of(&d, d.found), 0, 0.1);
		if (i != 1)
			continue;
		/* The same scans again, the same bytes. */
		check_int(pb_slam(&o, nowhere, d.scan, d.odom, d.n, again, &r),
		    PB_OK);
		free(r.mark);
		check(memcmp(again, d.found, d.n * sizeof(*again)) == 0);
	}
}

/* Where there are too few scans it is told. */
test(slam_of_too_few_scans)
{
	static struct drive d;
	struct pb_slam_report r;
	static const struct {
		uint64_t seed;
		double width, height;
		size_t every;
		bool told;
	} t[] = {{10, 12, 9, 6, false}, {11, 30, 20, 5, false},
	    {5, 12, 9, 5, true}, {5, 12, 9, 6, true}, {9, 30, 20, 6, true}};

	for (int i = 0; i < 5; i++) {
		drive_house_of(t[i].seed, t[i].width, t[i].height, &d);
		thin(&d, t[i].every);
		r = find(&d, nowhere);
		check(pb_slam_contradicts(&r) == t[i].told);
		check(t[i].told || error_of(&d, d.found) < 0.45);
	}
}

/* A scan that is nonsense is no reason to lose the way. */
test(slam_past_a_bad_scan)
{
	static struct drive d;
	static double nonsense[BEAMS];
	struct pb_slam_report r;

	drive_house(1, &d);
	for (int i = 0; i < BEAMS; i++)
		nonsense[i] = 0.3 + 0.1 * (i * 7 % 13);
	d.n = 150;
	d.scan[50].range = d.scan[100].range = nonsense;
	r = find(&d, nowhere);
	check_int((long)r.pieces, 1);
	check_near(error_of(&d, d.found), 0, 0.05);
}

/* So many steps are enough. */
static bool
enough(void *ctx, size_t done, size_t all)
{
	int *left = ctx;

	check(done < all);
	return --*left > 0;
}

test(slam_of_nothing)
{
	struct pb_slam_opts o = pb_slam_defaults();
	struct pb_slam_report r;
	struct pb_pose none = {0, 0, 0}, out[3];
	struct pb_scan blind[3] = {{.inc = 1}, {.inc = 1}, {.inc = 1}};
	struct pb_pose odom[3] = {{0, 0, 0}, {5, 0, 0}, {5, 5, 1}};

	check_int(pb_slam(&o, none, blind, odom, 0, out, &r), PB_EEMPTY);
	check_int(pb_slam(&o, none, blind, odom, 3, out, &r), PB_OK);
	check_int((long)r.lost, 2);
	free(r.mark);
	for (int i = 0; i < 3; i++)
		check_near(pb_dist(pb_pose_vec(out[i]), pb_pose_vec(odom[i])),
		    0, 1e-9);
	/* Each scan, twice each pair of neighbours, each key: 12 steps. */
	o.step = enough;
	for (int n = 1; n <= 13; n++) {
		int left = n;

		o.ctx = &left;
		r.mark = NULL;
		check(pb_slam(&o, none, blind, odom, 3, out, &r) ==
		      (n > 12 ? PB_OK : PB_ESTOPPED));
		free(r.mark);
	}
	o.reach = NAN;
	check_int(pb_slam(&o, none, blind, odom, 3, out, &r), PB_EVALUE);
}
