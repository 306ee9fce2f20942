/* pairing.c - tests of stamps, and of poses that find their references. */
#include "check.h"

#include "localize/traj.h"

#define N 60

static struct pb_timed ref[N], est[N];
static size_t of[N];
static struct pb_pair_ambiguity d;

static struct pb_stamps
judged(size_t n, const double *t)
{
	struct pb_stamps s;

	memset(&s, 1, sizeof(s));
	check_int(pb_stamps_check(t, sizeof(*t), n, &s), PB_OK);
	check_int((long long)s.n, (long long)n);
	return s;
}

test(good_stamps)
{
	double t[100] = {0};

	check(!judged(0, t).broken);
	for (int i = 0; i < 100; i++)
		t[i] = -3 + 0.1 * i;
	check(!judged(1, t).broken);
	check(!judged(100, t).broken);
	/* A scan that a logger wrote late, and a drive with a break. */
	t[50] -= 0.85;
	check(!judged(100, t).broken);
	check_int((long long)judged(100, t).back, 1);
	check_near(judged(100, t).late, 0.75, 1e-12);
	for (int i = 0; i < 100; i++)
		t[i] = 100 * i + (i > 70 ? 7200 : 0);
	check(!judged(100, t).broken);
	check_near(judged(100, t).jump, 0, 0);
}

test(broken_stamps)
{
	double t[100] = {0};
	struct pb_stamps s;

	for (int i = 0; i < 100; i++)
		t[i] = i;
	t[40] = t[39];
	s = judged(100, t);
	check(s.broken && s.repeated == 1 && s.back == 0);
	t[40] = t[3] + 1e-9; /* the same once it is written */
	s = judged(100, t);
	check(s.broken && s.repeated == 1 && s.back == 1);
	t[40] = NAN;
	s = judged(100, t);
	check(s.broken && s.repeated == 0 && s.missing == 1);
	t[40] = 4294967295.0;
	s = judged(100, t);
	check(s.broken && s.back == 1 && s.late > 4e9);
	for (int i = 0; i < 100; i++)
		t[i] = 0.1 * i + (i < 50 ? 0 : 4e9);
	s = judged(100, t);
	check(s.broken && s.back == 0 && s.jump > 3e9);
	for (int i = 0; i < 100; i++) /* every tenth a little late */
		t[i] = i - (i % 10 == 9 ? 1.5 : 0);
	s = judged(100, t);
	check(s.broken && s.back == 10);
	for (int i = 0; i < 100; i++)
		t[i] = -i;
	s = judged(100, t);
	check(s.broken && s.back == 99);
}

static enum pb_status
match(size_t nr, size_t ne, double max_dt)
{
	return pb_pair_poses(ref, nr, est, ne, max_dt, of, &d);
}

/* Times that tell all apart: the nearest, by looking at all of them. */
test(nearest)
{
	struct pb_rng r = draws(3, PB_FOR_ODOM);

	for (int round = 0; round < 200; round++) {
		size_t nr = pb_rng_below(&r, N), ne = pb_rng_below(&r, N);

		for (size_t i = 0; i < nr; i++)
			ref[i] = (struct pb_timed){.t = 10 * pb_rng_unit(&r)};
		for (size_t i = 0; i < ne; i++)
			est[i] = (struct pb_timed){.t = 10 * pb_rng_unit(&r)};
		check_int(match(nr, ne, 0.1), PB_OK);
		for (size_t i = 0; i < ne; i++) {
			double best = INFINITY;

			for (size_t k = 0; k < nr; k++)
				best = fmin(best, fabs(ref[k].t - est[i].t));
			check(best <= 0.1 || of[i] == nr);
			if (of[i] < nr)
				check_near(
				    fabs(ref[of[i]].t - est[i].t), best, 2e-6);
		}
		for (size_t k = 0; k < nr; k++) {
			size_t users = 0;

			for (size_t i = 0; i < ne; i++)
				users += of[i] == k;
			check(users <= 1);
		}
	}
}

/* Dense estimates: the nearest one, of one moment the last. */
test(once)
{
	const double t[] = {0.004, 0.001, 0.009, 1, 1, 1.002};

	ref[0] = (struct pb_timed){.t = 0};
	ref[1] = (struct pb_timed){.t = 1, .p = {5, 5, 0}};
	for (int i = 0; i < 6; i++)
		est[i] = (struct pb_timed){
		    .t = t[i], .p = {i, 0, 0}, .before = i < 3 ? 1 : 2};
	check_int(match(2, 6, 0.01), PB_OK);
	for (size_t i = 0; i < 6; i++)
		check_int((long long)of[i], i == 1 ? 0 : i == 4 ? 1 : 2);
}

/*
 * A drive of nr poses, each with its scan, whose stamps are times divided by
 * `unit`, cut; estimates of every step-th scan, if from >= first.
 */
static size_t
drive(size_t nr, double unit, size_t first, size_t step, bool one_stream)
{
	size_t ne = 0;

	for (size_t i = 0; i < nr; i++) {
		double t = unit > 0 ? floor(0.3 * (double)i / unit) * unit : 7;

		ref[i] = (struct pb_timed){.t = t, .p = {(double)i, 0, 0}};
		if (i >= first && (i - first) % step == 0)
			est[ne++] = (struct pb_timed){.t = t,
			    .p = {(double)i, 0.1, 0},
			    .before = one_stream ? i + 1 : PB_TIMED_APART};
	}
	return ne;
}

static void
check_right(size_t ne)
{
	for (size_t i = 0; i < ne; i++)
		check_near(ref[of[i]].p.x, est[i].p.x, 0);
}

test(rounded_stamps)
{
	const double unit[] = {0, 1, 10, 60};
	size_t ne;

	for (int u = 0; u < 4; u++) {
		for (size_t step = 1; step < 4; step++) {
			ne = drive(N, unit[u], step, step, true);
			check_int(match(N, ne, 0.01), PB_OK);
			check_right(ne);
		}
		ne = drive(N, unit[u], 0, 1, false);
		check_int(match(N, ne, 0.01), PB_OK);
		check_right(ne);
		/* In two streams nothing says which are left out. */
		ne = drive(N, unit[u], 1, 2, false);
		check_int(match(N, ne, 0.01), PB_EVAGUE);
		check(d.n > 0 && d.n <= ne);
		check_near(d.t, est[0].t, 0);
	}
}

/* The estimates' stamps were rounded, those of the references were not. */
test(rounded_on_one_side)
{
	for (int apart = 0; apart < 2; apart++) {
		drive(N, 1, 0, 1, !apart);
		for (size_t i = 0; i < N; i++)
			ref[i].t = 0.3 * (double)i;
		check_int(match(N, N, 0.01), PB_EVAGUE);
	}
}
