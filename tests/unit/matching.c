/* matching.c - tests of scan matching: search, lines, normals. */
#include "check.h"

#include "map/scan_match.h"
#include "pb/map.h"

enum { POINTS = 60 };

/* Points on the walls of an L, 4 by 3 m, as a robot at 0, 0 sees them. */
static size_t
corner(struct pb_rng *r, struct pb_point *p)
{
	for (int i = 0; i < POINTS; i++) {
		double u = pb_rng_unit(r);

		if (i % 2 == 0)
			p[i] = (struct pb_point){{2, 3 * u - 1.5}, {-1, 0}};
		else
			p[i] = (struct pb_point){{4 * u - 2, 1.5}, {0, -1}};
	}
	return POINTS;
}

static void
draw(struct pb_target *t, const struct pb_point *p, size_t n)
{
	struct pb_vec lo = {-4, -4}, hi = {4, 4};
	struct pb_pose here = {0, 0, 0};

	check_int(pb_target_begin(t, lo, hi, n), PB_OK);
	pb_target_add(t, here, p, n);
	check_int(pb_target_finish(t), PB_OK);
}

test(nearness_of_cells)
{
	struct pb_target t = pb_target_empty(0.05, 0.1);
	struct pb_point p[2] = {{{0.31, 0.2}, {0, 0}}, {{0.5, 0.22}, {0, 0}}};

	draw(&t, p, 2);
	for (int r = 0; r < t.field.height; r++)
		for (int c = 0; c < t.field.width; c++) {
			struct pb_vec v = {t.lo.x + (c + 0.5) * t.cell,
			    t.lo.y + (r + 0.5) * t.cell};
			double a = pb_dist(v, p[0].at), b = pb_dist(v, p[1].at);
			double d = fmin(a, b);
			int i = r * t.field.width + c;

			check_near(PB_MATCH_FULL - t.field.cost[i],
			    d > 0.3 ? 0 : 255 * exp(-d * d / 0.02), 4);
			if (d < 0.29 && fabs(a - b) > 0.02)
				check_int(t.near[i], a < b ? 0 : 1);
			if (d > 0.3)
				check_int(t.field.cost[i], PB_MATCH_FULL);
		}
	pb_target_clear(&t);
}

/* A point counts up to one cell beyond the sides of the box. */
test(points_beyond_the_box)
{
	struct pb_target t = pb_target_empty(0.05, 0.1);
	double at[] = {-4.06, -4.04, 0.3, 4.04, 4.06};

	for (int i = 0; i < 25; i++) {
		struct pb_point p = {{at[i % 5], at[i / 5]}, {0, 0}};
		bool in = fabs(p.at.x) < 4.05 && fabs(p.at.y) < 4.05;

		draw(&t, &p, 1);
		check_int((int)t.n, in);
		for (int k = 0; k < t.field.width * t.field.height; k++)
			check(in || t.field.cost[k] == PB_MATCH_FULL);
	}
	pb_target_clear(&t);
}

/* The largest field, and one of one row or column more. */
test(largest_target)
{
	struct pb_target t = pb_target_empty(1, 2);
	struct pb_vec o = {0, 0}, hi = {0, 0};
	double most;

	check_int(pb_target_begin(&t, o, o, 1), PB_OK);
	check_int(t.field.width, t.field.height);
	most = PB_MAP_SIDE - t.field.width;
	for (int i = 0; i < 2; i++) {
		double *side = i ? &hi.x : &hi.y;

		*side = most;
		check_int(pb_target_begin(&t, o, hi, 1), PB_OK);
		check_int(i ? t.field.width : t.field.height, PB_MAP_SIDE);
		*side = most + 1;
		check_int(pb_target_begin(&t, o, hi, 1), PB_ESIZE);
		*side = 0;
	}
	pb_target_clear(&t);
}

/* The score of one place, the slow way. */
static double
slow_score(const struct pb_target *t, const struct pb_point *p, size_t n,
    struct pb_pose guess, const struct pb_match_window *w, int x, int y, int k)
{
	struct pb_pose f = guess;
	double dx = x * t->cell, dy = y * t->cell, th = k * w->turn;
	long sum = 0;

	f.th += th;
	for (size_t i = 0; i < n; i++) {
		struct pb_vec v = pb_vec_from(f, p[i].at);
		int c = (int)floor((v.x - t->lo.x) / t->cell) + x;
		int r = (int)floor((v.y - t->lo.y) / t->cell) + y;

		if (c >= 0 && r >= 0 && c < t->field.width &&
		    r < t->field.height)
			sum += PB_MATCH_FULL -
			       t->field.cost[r * t->field.width + c];
	}
	return (double)sum / (PB_MATCH_FULL * (double)n) -
	       w->weight / 2 *
	           ((dx * dx + dy * dy) / (w->spread * w->spread) +
		       th * th / (w->spread_th * w->spread_th));
}

static double
slow_search(const struct pb_target *t, const struct pb_point *p, size_t n,
    struct pb_pose guess, const struct pb_match_window *w)
{
	int nx = (int)(w->x / t->cell), ny = (int)(w->y / t->cell);
	int turns = (int)(w->th / w->turn);
	double best = -INFINITY;

	for (int k = -turns; k <= turns; k++)
		for (int y = -ny; y <= ny; y++)
			for (int x = -nx; x <= nx; x++) {
				struct pb_vec d = {
				    guess.x + x * t->cell - w->avoid.x,
				    guess.y + y * t->cell - w->avoid.y};

				if (d.x * d.x + d.y * d.y <
					w->apart * w->apart &&
				    fabs(guess.th + k * w->turn - w->avoid.th) <
					w->apart_th)
					continue;
				best = fmax(best,
				    slow_score(t, p, n, guess, w, x, y, k));
			}
	return best;
}

test(search_equals_exhaustive_search)
{
	struct pb_target t = pb_target_empty(0.1, 0.15);
	struct pb_point p[POINTS];
	struct pb_rng r = draws(2, PB_FOR_SENSOR);

	for (int i = 0; i < 40; i++) {
		size_t n = corner(&r, p);
		/* Of some, most points are beside the target. */
		double far = i % 8 < 6 ? 1 : 12;
		struct pb_pose guess = {pb_rng_between(&r, -far, far),
		    pb_rng_between(&r, -far, far),
		    pb_rng_between(&r, -0.2, 0.2)};
		struct pb_match_window w = {.x = pb_rng_between(&r, 0, 2),
		    .y = pb_rng_between(&r, 0, 2),
		    .th = 0.3,
		    .turn = 0.05,
		    .spread = i % 2 ? 0.5 : INFINITY,
		    .spread_th = i % 3 ? 0.2 : INFINITY,
		    .weight = 0.1,
		    .apart = i % 4 ? 0 : 0.7,
		    .apart_th = i % 5 ? INFINITY : 0.12};
		struct pb_pose pose;
		double score, want;

		draw(&t, p, n);
		corner(&r, p);
		want = slow_search(&t, p, n, guess, &w);
		check_int(
		    pb_match_search(&t, p, n, guess, &w, -10, &pose, &score),
		    isfinite(want) ? PB_OK : PB_ENOENT);
		if (isfinite(want))
			check_near(score, want, 1e-12);
		check_int(
		    pb_match_search(&t, p, n, guess, &w, 1, &pose, &score),
		    PB_ENOENT);
	}
	pb_target_clear(&t);
}

test(lines_find_the_pose_to_the_millimetre)
{
	struct pb_target t = pb_target_empty(0.05, 0.1);
	struct pb_point p[POINTS], q[POINTS];
	struct pb_rng r = draws(3, PB_FOR_SENSOR);

	for (int i = 0; i < 20; i++) {
		struct pb_pose true_pose = {pb_rng_between(&r, -0.1, 0.1),
		    pb_rng_between(&r, -0.1, 0.1),
		    pb_rng_between(&r, -0.05, 0.05)};
		struct pb_pose into = pb_pose_inverse(true_pose);
		struct pb_fit f;

		draw(&t, p, corner(&r, p));
		corner(&r, q);
		for (int k = 0; k < POINTS; k++)
			q[k] = pb_point_from(into, q[k]);
		f = pb_match_lines(
		    &t, q, POINTS, (struct pb_pose){0, 0, 0}, 0.3, 30);
		check_near(f.pose.x, true_pose.x, 1e-3);
		check_near(f.pose.y, true_pose.y, 1e-3);
		check_near(f.pose.th, true_pose.th, 1e-3);
		check(f.share > 0.8);
	}
	pb_target_clear(&t);
}

/* What a fit tells of each direction, from the points where they lie. */
test(precision_of_a_fit)
{
	struct pb_target t = pb_target_empty(0.05, 0.1);
	struct pb_pose at = {0.5, 1, 0.3}, into = pb_pose_inverse(at);
	struct pb_point p[POINTS], q[POINTS];
	double want[3][3] = {{0}};
	struct pb_rng r = draws(7, PB_FOR_SENSOR);
	struct pb_fit f;

	draw(&t, p, corner(&r, p));
	for (int k = 0; k < POINTS; k++) {
		double x = p[k].at.x - at.x, y = p[k].at.y - at.y;
		double j[3] = {p[k].normal.x, p[k].normal.y,
		    p[k].normal.y * x - p[k].normal.x * y};

		q[k] = pb_point_from(into, p[k]);
		for (int i = 0; i < 9; i++)
			want[i / 3][i % 3] += j[i / 3] * j[i % 3];
	}
	f = pb_match_lines(&t, q, POINTS, at, 0.3, 1);
	check(f.n > POINTS - 6 && f.n <= POINTS);
	for (int i = 0; i < 9; i++)
		check_near(f.precision[i / 3][i % 3], want[i / 3][i % 3],
		    0.1 * want[2][2]);
	pb_target_clear(&t);
}

test(no_lines_no_fit)
{
	struct pb_target t = pb_target_empty(0.05, 0.1);
	struct pb_point p[POINTS];
	struct pb_pose far = {100, 0, 0};
	struct pb_rng r = draws(4, PB_FOR_SENSOR);
	struct pb_fit f;

	draw(&t, p, corner(&r, p));
	f = pb_match_lines(&t, p, POINTS, far, 0.3, 5);
	check_int((long)f.n, 0);
	check_near(f.share, 0, 0);
	check_near(f.pose.x, 100, 0);
	pb_target_clear(&t);
}

test(normals_of_a_straight_wall)
{
	double range[101];
	struct pb_scan s = {.angle_min = -0.5,
	    .inc = 0.01,
	    .range_max = 80,
	    .range = range,
	    .n = 101};
	struct pb_point p[101];

	for (int i = 0; i < 101; i++)
		range[i] = 5 / cos(-0.5 + 0.01 * i);
	range[50] = NAN;
	range[51] = -1;
	check_int((long)pb_returns(&s, 6, p), 99);
	for (int i = 0; i < 99; i++) {
		check_near(p[i].at.x, 5, 1e-5);
		check_near(p[i].normal.x, -1, 1e-3);
		check_near(p[i].normal.y, 0, 1e-2);
	}
	range[3] = 80;
	check_int((long)pb_returns(&s, 5.2, p), 53);
}
