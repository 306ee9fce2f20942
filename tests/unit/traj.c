/* traj.c - tests of trajectory errors. */
#include "check.h"

#include <string.h>

#include "base/rng.h"
#include "localize/localizer.h"
#include "localize/traj.h"

#define N 200

static struct pb_timed ref[N], est[N];

/* A way of N poses, an estimate with errors, moved by `shift`. */
static void
make(uint64_t seed, struct pb_pose shift, double error)
{
	struct pb_pose p = {1, 2, 0.3};
	struct pb_rng r;

	pb_rng_start(&r, seed, 0, PB_FOR_ODOM, 0);
	for (int i = 0; i < N; i++) {
		struct pb_pose d = {
		    0.3 * pb_rng_unit(&r), 0, pb_rng_between(&r, -0.3, 0.3)};
		struct pb_pose e = {error * pb_rng_normal(&r),
		    error * pb_rng_normal(&r), error * pb_rng_normal(&r)};

		p = pb_pose_compose(p, d);
		ref[i] = (struct pb_timed){0.4 * i, p, PB_TRAJ_SILENT};
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
	check_int(pb_traj_compare(ref, N, est, N, &o, &r), PB_OK);
	return r;
}

/* By hand: errors of 3 and 4 m, of 1 and 0 rad. */
static void
test_numbers(void)
{
	struct pb_timed a[] = {{0, {0, 0, 0}, -1}, {1, {1, 0, 0}, -1}};
	struct pb_timed b[] = {
	    {0.004, {0, 3, 1}, -1}, {1, {5, 0, 0}, -1}, {2, {9, 9, 0}, -1}};
	struct pb_traj_opts o = pb_traj_defaults();
	struct pb_traj_report r;

	check_int(pb_traj_compare(a, 2, b, 3, &o, &r), PB_OK);
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
	check_int((long long)r.rpe_m.n, 0);
	check(isnan(r.rpe_m.place.rmse));
	check_int(pb_traj_compare(a, 2, b + 2, 1, &o, &r), PB_ENOENT);
	check_int(pb_traj_compare(a, 0, b, 3, &o, &r), PB_ENOENT);
	check_int(pb_traj_compare(a, 2, b, 0, &o, &r), PB_ENOENT);
}

/* A frame of its own is all that is wrong with the estimate. */
static void
test_moved(void)
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
static void
test_alignment(void)
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

/* The reference nearest in time, by looking at all of them. */
static void
test_match(void)
{
	struct pb_rng r;
	size_t of[N];

	pb_rng_start(&r, 3, 0, PB_FOR_ODOM, 0);
	for (int round = 0; round < 20; round++) {
		size_t nr = pb_rng_below(&r, N), ne = pb_rng_below(&r, N);
		size_t n = 0, found;

		for (size_t i = 0; i < nr; i++)
			ref[i] =
			    (struct pb_timed){.t = 0.1 * pb_rng_below(&r, 100)};
		for (size_t i = 0; i < ne; i++)
			est[i] = (struct pb_timed){.t = 10 * pb_rng_unit(&r)};
		pb_traj_sort(ref, nr);
		found = pb_traj_match(ref, nr, est, ne, 0.03, of);
		for (size_t i = 0; i < ne; i++) {
			double best = INFINITY;

			for (size_t k = 0; k < nr; k++)
				best = fmin(best, fabs(ref[k].t - est[i].t));
			if (best > 0.03) {
				check(of[i] == nr);
				continue;
			}
			n++;
			check(of[i] < nr);
			check_near(fabs(ref[of[i]].t - est[i].t), best, 1e-15);
		}
		check_int((long long)found, (long long)n);
	}
}

/*
 * Relative errors in the two steps of evo: indices at which the way since the
 * one before reaches the step, then the pairs of these.
 */
static void
test_relative(void)
{
	struct pb_traj_report r;
	size_t id[N], ids = 0, n = 0;
	double way = 0, sum = 0, turn = 0;

	make(4, (struct pb_pose){0, 0, 0}, 0.05);
	r = compare();
	for (size_t i = 1; i < N; i++) {
		way +=
		    pb_dist(pb_pose_vec(ref[i].p), pb_pose_vec(ref[i - 1].p));
		if (way >= 1) {
			id[ids++] = i;
			way = 0;
		}
	}
	for (size_t k = 1; k < ids; k++, n++) {
		struct pb_pose q = pb_pose_compose(
		    pb_pose_inverse(ref[id[k - 1]].p), ref[id[k]].p);
		struct pb_pose p = pb_pose_compose(
		    pb_pose_inverse(est[id[k - 1]].p), est[id[k]].p);
		struct pb_pose e = pb_pose_compose(pb_pose_inverse(q), p);

		sum += e.x * e.x + e.y * e.y;
		turn += e.th * e.th;
	}
	check(n > 10);
	check_int((long long)r.rpe_m.n, (long long)n);
	check_near(r.rpe_m.place.rmse, sqrt(sum / (double)n), 1e-12);
	check_near(r.rpe_m.turn.rmse, sqrt(turn / (double)n), 1e-12);
	/* Every third pose is the first after a second. */
	check_int((long long)r.rpe_s.n, (N - 1) / 3 - 1);
}

/* Lost, ambiguous, right, confident and wrong, each for its time. */
static void
test_status(void)
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

int
main(void)
{
	run(test_numbers);
	run(test_moved);
	run(test_alignment);
	run(test_match);
	run(test_relative);
	run(test_status);
	return done();
}
