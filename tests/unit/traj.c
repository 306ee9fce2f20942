/* traj.c - tests of trajectory errors. */
#include "check.h"

#include "localize/traj.h"
#include "pb/localizer.h"

#define N 200

static struct pb_timed ref[N], est[N];
static struct pb_pair_ambiguity doubt;

/* A way of N poses, an estimate with errors, moved by `shift`. */
static void
make(uint64_t seed, struct pb_pose shift, double error)
{
	struct pb_pose p = {1, 2, 0.3};
	struct pb_rng r = draws(seed, PB_FOR_ODOM);

	for (int i = 0; i < N; i++) {
		struct pb_pose d = {
		    0.3 * pb_rng_unit(&r), 0, pb_rng_between(&r, -0.3, 0.3)};
		struct pb_pose e = {error * pb_rng_normal(&r),
		    error * pb_rng_normal(&r), error * pb_rng_normal(&r)};

		p = pb_pose_compose(p, d);
		ref[i] = (struct pb_timed){0.4 * i, p, PB_TRAJ_NO_STATUS};
		est[i] = ref[i];
		est[i].p = pb_pose_compose(shift, pb_pose_compose(ref[i].p, e));
	}
}

static struct pb_traj_report
compare(void)
{
	struct pb_traj_opts o = pb_traj_defaults();
	struct pb_traj_report r;

	memset(&r, 0, sizeof(r));
	check_int(pb_traj_compare(ref, N, est, N, &o, &r, &doubt), PB_OK);
	return r;
}

/* By hand: errors of 3 and 4 m, of 1 and 0 rad. */
test(numbers)
{
	struct pb_timed a[] = {{0, {0, 0, 0}, -1}, {1, {1, 0, 0}, -1}};
	struct pb_timed b[] = {
	    {0.004, {0, 3, 1}, -1}, {1, {5, 0, 0}, -1}, {2, {9, 9, 0}, -1}};
	struct pb_traj_opts o = pb_traj_defaults();
	struct pb_traj_report r;

	check_int(pb_traj_compare(a, 2, b, 3, &o, &r, &doubt), PB_OK);
	check_int((long long)r.pairs, 2);
	check_int((long long)r.alone, 1);
	check_near(r.ate.place.rmse, sqrt(12.5), 1e-12);
	check_near(r.ate.place.mean, 3.5, 1e-12);
	check_near(r.ate.place.median, 3.5, 1e-12);
	check_near(r.ate.place.max, 4, 0);
	check_near(r.ate.turn.rmse, sqrt(0.5), 1e-12);
	check_near(r.length, 1, 0);
	check_near(r.duration, 0.996, 1e-12);
	check_int((long long)r.wrong, 2);
	check(isnan(r.found));
	check_int((long long)r.rpe_m.n, 1);
	o.step_m = 1.01;
	check_int(pb_traj_compare(a, 2, b, 3, &o, &r, &doubt), PB_OK);
	check_int((long long)r.rpe_m.n, 0);
	check(isnan(r.rpe_m.place.rmse));
	check_int(pb_traj_compare(a, 2, b + 2, 1, &o, &r, &doubt), PB_ENOENT);
	check_int(pb_traj_compare(a, 0, b, 3, &o, &r, &doubt), PB_ENOENT);
	check_int(pb_traj_compare(a, 2, b, 0, &o, &r, &doubt), PB_ENOENT);
}

/* A frame of its own is all that is wrong with the estimate. */
test(moved)
{
	struct pb_pose shift = {-3, 5, 2.5};
	struct pb_traj_report r;

	make(1, shift, 0);
	r = compare();
	check(r.ate.place.rmse > 1);
	check_near(r.ate_best.place.max, 0, 1e-9);
	check_near(r.ate_best.turn.max, 0, 1e-9);
	check_near(r.rpe_m.place.max, 0, 1e-9);
	check_near(r.rpe_s.turn.max, 0, 1e-9);
	shift = pb_pose_inverse(shift);
	check_near(r.shift.x, shift.x, 1e-9);
	check_near(r.shift.y, shift.y, 1e-9);
	check_near(r.shift.th, shift.th, 1e-9);
}

static double
cost(struct pb_pose shift)
{
	double sum = 0;

	for (int i = 0; i < N; i++) {
		struct pb_pose p = pb_pose_compose(shift, est[i].p);

		sum += (p.x - ref[i].p.x) * (p.x - ref[i].p.x) +
		       (p.y - ref[i].p.y) * (p.y - ref[i].p.y);
	}
	return sum;
}

/* No small step away from the alignment is better; nor is any of 720 turns. */
test(alignment)
{
	struct pb_traj_report r;
	double best;

	make(2, (struct pb_pose){1, -1, -2}, 0.3);
	r = compare();
	best = cost(r.shift);
	check_near(sqrt(best / N), r.ate_best.place.rmse, 1e-12);
	for (int i = 0; i < 27; i++) {
		struct pb_pose p = {r.shift.x + 1e-3 * (i % 3 - 1),
		    r.shift.y + 1e-3 * (i / 3 % 3 - 1),
		    r.shift.th + 1e-3 * (i / 9 - 1)};

		check(cost(p) >= best * (1 - 1e-12));
	}
	for (int i = 0; i < 720; i++) {
		struct pb_pose turn = {0, 0, i * PB_PI / 360};
		double x = 0, y = 0;

		for (int k = 0; k < N; k++) {
			struct pb_pose p = pb_pose_compose(turn, est[k].p);

			x += (ref[k].p.x - p.x) / N;
			y += (ref[k].p.y - p.y) / N;
		}
		check(cost((struct pb_pose){x, y, turn.th}) >=
		      best * (1 - 1e-12));
	}
}

/* Pairs of poses, and what their steps are off by, as written in a book. */
static size_t from[N], to[N], pairs;

static void
pair(size_t i, size_t k)
{
	from[pairs] = i;
	to[pairs++] = k;
}

static void
check_steps(const struct pb_traj_error *e)
{
	double sum = 0, turn = 0, most = 0;

	check_int((long long)e->n, (long long)pairs);
	for (size_t n = 0; n < pairs; n++) {
		struct pb_pose a = pb_pose_compose(
		    pb_pose_inverse(ref[from[n]].p), ref[to[n]].p);
		struct pb_pose b = pb_pose_compose(
		    pb_pose_inverse(est[from[n]].p), est[to[n]].p);
		struct pb_pose d = pb_pose_compose(pb_pose_inverse(a), b);

		sum += d.x * d.x + d.y * d.y;
		turn += d.th * d.th;
		most = fmax(most, sqrt(d.x * d.x + d.y * d.y));
	}
	if (pairs > 0) {
		check_near(e->place.rmse, sqrt(sum / (double)pairs), 1e-12);
		check_near(e->turn.rmse, sqrt(turn / (double)pairs), 1e-12);
		check_near(e->place.max, most, 1e-12);
	}
	pairs = 0;
}

/* What lies between poses i and k, by unit: s, m. */
static double
between(size_t i, size_t k, int unit)
{
	double sum = 0;

	for (; i < k; i++)
		sum += unit == 0 ? ref[i + 1].t - ref[i].t
		                 : pb_dist(pb_pose_vec(ref[i].p),
				       pb_pose_vec(ref[i + 1].p));
	return sum;
}

/* One behind the other: ends are where the sum since the last one will do. */
static void
pair_chain(double step, int unit)
{
	size_t last = 0;

	for (size_t i = 1; i < N; i++) {
		if (between(last, i, unit) < step)
			continue;
		pair(last, i);
		last = i;
	}
}

/* By the pairs of evo, found the long way. */
test(relative)
{
	struct pb_traj_opts o = pb_traj_defaults();
	struct pb_traj_report r;

	for (int i = 0; i < 16; i++) {
		make(4 + (uint64_t)i, (struct pb_pose){0, 0, 0}, 0.05);
		for (int k = 0; i % 4 == 3 && k < N; k++) /* it stood still */
			ref[k].p = ref[k / 5 * 5].p;
		o.step_s = 0.7 + i;
		o.step_m = 0.3 * (i + 1);
		check_int(
		    pb_traj_compare(ref, N, est, N, &o, &r, &doubt), PB_OK);
		check(r.rpe_m.n > 2);
		pair_chain(o.step_s, 0);
		check_steps(&r.rpe_s);
		pair_chain(o.step_m, 1);
		check_steps(&r.rpe_m);
	}
}

/* Lost, ambiguous, right, confident and wrong, each for its time. */
test(status)
{
	struct pb_traj_report r;

	make(5, (struct pb_pose){0, 0, 0}, 0);
	for (int i = 0; i < N; i++) {
		est[i].t = ref[i].t = i;
		est[i].status = i < 50    ? PB_LOC_LOST
		                : i < 100 ? PB_LOC_AMBIGUOUS
		                          : PB_LOC_TRACKING;
		if (i >= 150 && i < 160)
			est[i].p.x += 0.51;
		if (i >= 160 && i < 165)
			est[i].p.th = pb_wrap(est[i].p.th + 0.27);
	}
	r = compare();
	check_near(r.lost, 50.0 / (N - 1), 1e-12);
	check_near(r.ambiguous, 50.0 / (N - 1), 1e-12);
	check_near(r.found, 100, 0);
	check_int((long long)r.wrong, 15);
}
