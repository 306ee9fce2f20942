/* trial.c - tests of trials on a recorded drive, with a method that cheats. */
#define CHECK_MAIN
#include "check.h"

#include <stddef.h>

#include "localize/trial.h"
#include "map/gen_house.h"

#define SCANS 100

/*
 * The robot drives along x, a metre a scan, the odometry in three steps of a
 * third between; scan i has the range i, by which the cheat knows its place.
 */
static struct pb_drive drive;

static struct pb_pose
place(double i)
{
	return (struct pb_pose){i, 2 * sin(i), 0.01 * i};
}

static void
make_drive(void)
{
	const struct pb_pose wheels = {5, -3, 2};

	for (int i = 0; i < 3 * SCANS; i++) {
		struct pb_timed h = {
		    .t = i / 3.0, .p = pb_pose_compose(wheels, place(i / 3.0))};

		check_int(pb_timed_add(&drive.pose[PB_POSE_ODOM], h), PB_OK);
		if (i % 3 == 0) {
			double range = i / 3.0;
			const struct pb_scan z = {
			    .range = &range, .n = 1, .inc = 1};
			struct pb_drive_scan *s;

			check_int(pb_drive_add_scan(&drive, h.t, &z), PB_OK);
			s = &drive.scan[drive.scans - 1];
			s->known = true;
			s->pose = place(i / 3.0);
		}
	}
}

/* What the cheat heard, and what it shall answer after scan number n. */
struct heard {
	int scans, resets;
	double first, last; /* ranges */
	double widest;      /* step of the odometry (m) */
	double jump;        /* between the ranges of two scans */
	struct pb_pose odom;
	bool has_odom;
	struct pb_loc_start start;
};

struct answer {
	int from; /* scans before it is sure */
	enum pb_loc_status before, after;
	double off;   /* of the answer (m) */
	int slips_at; /* one answer that is off by a metre, -1: none */
};

static void
cheat_reset(void *mem, const void *model, const struct pb_loc_start *s)
{
	struct heard *h = mem;

	(void)model;
	*h = (struct heard){.resets = h->resets + 1, .start = *s};
}

static void
cheat_predict(void *mem, const void *model, struct pb_pose odom)
{
	struct heard *h = mem;

	(void)model;
	if (h->has_odom)
		h->widest = fmax(h->widest,
		    pb_dist(pb_pose_vec(h->odom), pb_pose_vec(odom)));
	h->odom = odom;
	h->has_odom = true;
}

static void
cheat_scan(void *mem, const void *model, const struct pb_scan *z)
{
	struct heard *h = mem;

	(void)model;
	if (h->scans++ == 0)
		h->first = z->range[0];
	else
		h->jump = fmax(h->jump, fabs(z->range[0] - h->last));
	h->last = z->range[0];
}

static void
cheat_estimate(const void *mem, const void *model, struct pb_belief *b)
{
	const struct answer *a = model;
	const struct heard *h = mem;
	bool sure = h->scans > a->from;

	*b = (struct pb_belief){.status = sure ? a->after : a->before, .n = 1};
	b->at[0].pose = place(h->last);
	b->at[0].pose.x += a->off + (h->scans == a->slips_at ? 1 : 0);
}

static const struct pb_localizer cheat = {.name = "cheat",
    .reset = cheat_reset,
    .predict = cheat_predict,
    .scan = cheat_scan,
    .estimate = cheat_estimate};

/* But for what is between the members. */
static bool
same_heard(const struct heard *a, const struct heard *b)
{
	const struct pb_loc_start *s = &a->start, *t = &b->start;

	return memcmp(a, b, offsetof(struct heard, has_odom) + 1) == 0 &&
	       s->kind == t->kind && s->seed == t->seed &&
	       s->trial == t->trial &&
	       memcmp(&s->pose, &t->pose, sizeof(s->pose)) == 0 &&
	       memcmp(s->cov, t->cov, sizeof(s->cov)) == 0;
}

static struct pb_trial
try(const struct answer *a, const struct pb_loc_trial_opts *o, struct heard *h,
    uint64_t trial)
{
	double work[SCANS];
	struct pb_trial t;

	memset(&t, 0, sizeof(t));
	t.seed = 7;
	t.trial = trial;
	memset(h, 0, sizeof(*h));
	check_int(pb_loc_trial_check(&drive, o), PB_OK);
	pb_loc_trial(
	    (struct pb_loc_instance){&cheat, a, h}, &drive, o, work, &t);
	return t;
}

test(outcomes)
{
	const struct {
		struct answer a;
		const char *outcome;
		int found, wrong;
	} want[] = {
	    {{0, 0, PB_LOC_TRACKING, 0, -1}, "localized", 1, 0},
	    {{9, PB_LOC_LOST, PB_LOC_TRACKING, 0.4, -1}, "localized", 10, 0},
	    {{9, PB_LOC_LOST, PB_LOC_AMBIGUOUS, 0, -1}, "not_yet", -1, 0},
	    {{9, PB_LOC_AMBIGUOUS, PB_LOC_LOST, 0, -1}, "lost", -1, 0},
	    {{5, PB_LOC_LOST, PB_LOC_TRACKING, 0.6, -1}, "wrong", -1, 15},
	    {{5, PB_LOC_LOST, PB_LOC_TRACKING, 0, 12}, "localized", 13, 1},
	};
	struct pb_loc_trial_opts o = pb_loc_trial_defaults();
	struct heard h;

	o.updates = 20;
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		struct pb_trial r = try(&want[i].a, &o, &h, i);

		check_str(r.outcome, want[i].outcome);
		check_int(r.success, r.found > 0);
		check_int(r.updates, 20);
		check_int(r.found, want[i].found);
		check_int(r.wrong, want[i].wrong);
		check_near(r.limit, 19, 1e-9);
		check_near(r.time, r.found > 0 ? r.found - 1 : 19, 1e-9);
		check_near(r.error, want[i].a.off, 1e-9);
		check_int(h.resets, 1);
		check_int(h.scans, 20);
		check_int(h.start.kind, PB_LOC_ANYWHERE);
		check_near(h.jump, 1, 0);
		check_near(h.last - h.first, 19, 0);
	}
}

/* Starts differ from trial to trial, and every scan can be one. */
test(starts)
{
	const struct answer a = {0, 0, PB_LOC_TRACKING, 0, -1};
	struct pb_loc_trial_opts o = pb_loc_trial_defaults();
	bool seen[SCANS] = {false};
	uint64_t stretch[SCANS] = {0};
	struct heard h, again;
	int n = 0;

	o.updates = SCANS - 4;
	o.protocol = PB_LOC_TRACK;
	for (uint64_t i = 0; i < 100; i++) {
		struct pb_trial r = try(&a, &o, &h, i);
		struct pb_trial s = try(&a, &o, &again, i);

		check(memcmp(&r, &s, sizeof(r)) == 0);
		check(same_heard(&h, &again));
		check_int(h.start.kind, PB_LOC_NEAR);
		check_near(h.start.pose.x, h.first, 0);
		check_near(h.start.cov[2][2], o.var_turn, 0);
		check((stretch[(int)h.first] == r.hash) == seen[(int)h.first]);
		stretch[(int)h.first] = r.hash;
		seen[(int)h.first] = true;
	}
	for (int i = 0; i < SCANS; i++)
		n += seen[i];
	check_int(n, 5);
	check(seen[0] && seen[4]);
	check_int((long long)pb_loc_stretches(SCANS, &o), n);
	check_int((long long)pb_loc_stretches(SCANS - 5, &o), 0);
}

/* A cut is far, and the wheels do not notice it. */
test(kidnap)
{
	const struct answer a = {0, 0, PB_LOC_TRACKING, 0, -1};
	struct pb_loc_trial_opts o = pb_loc_trial_defaults();
	struct heard h;
	double longest = 0;

	o.protocol = PB_LOC_KIDNAP;
	o.updates = 20;
	o.warm = 10;
	o.jump = 15;
	for (int i = 1; i < 3 * SCANS; i++)
		longest = fmax(longest, pb_dist(pb_pose_vec(place(i / 3.0)),
					    pb_pose_vec(place((i - 1) / 3.0))));
	for (uint64_t i = 0; i < 50; i++) {
		struct pb_trial r = try(&a, &o, &h, i);

		check_str(r.outcome, "localized");
		check_int(r.updates, 20);
		check_int(h.scans, 30);
		check(h.jump >= 14);
		check(r.jump >= 15);
		check(h.widest <= longest + 1e-9);
		check_near(r.limit, 19, 1e-9);
	}
}

/* Where there is one place only that is far enough it is found; where there is
 * none, the farthest is. */
test(far_kidnap)
{
	const struct answer a = {0, 0, PB_LOC_TRACKING, 0, -1};
	struct pb_loc_trial_opts o = pb_loc_trial_defaults();
	struct heard h;
	int last = 0;

	o.protocol = PB_LOC_KIDNAP;
	o.updates = 20;
	o.warm = 10;
	o.jump = 98.9; /* from the last scan to the first, no others */
	for (uint64_t i = 0; i < 1000; i++) {
		struct pb_trial r = try(&a, &o, &h, i);
		double from = h.start.pose.x + 9;

		last += from == SCANS - 1;
		check(from == SCANS - 1
			  ? r.jump >= o.jump
			  : r.jump < o.jump && r.jump > fmax(from, 80 - from));
	}
	check(last > 0);
	o.jump = 99.1;
	check_int(pb_loc_trial_check(&drive, &o), PB_EVALUE);
	o.protocol = PB_LOC_TRACK;
	check_int(pb_loc_trial_check(&drive, &o), PB_OK);
}

test(checks)
{
	struct pb_loc_trial_opts o = pb_loc_trial_defaults();
	struct pb_drive none = {.scans = 0};
	uint64_t h = pb_drive_hash(&drive);

	check_int(pb_loc_trial_check(&none, &o), PB_ESIZE);
	o.updates = SCANS;
	check_int(pb_loc_trial_check(&drive, &o), PB_OK);
	o.protocol = PB_LOC_KIDNAP;
	check_int(pb_loc_trial_check(&drive, &o), PB_ESIZE);
	drive.scan[3].known = false;
	check_int(pb_loc_trial_check(&drive, &o), PB_ENOENT);
	drive.scan[3].known = true;
	check(pb_drive_hash(&drive) == h);
	drive.scan[3].t += 0.5;
	check(pb_drive_hash(&drive) != h);
	drive.scan[3].t -= 0.5;
	drive.scan[2].scan.range_max += 1;
	check(pb_drive_hash(&drive) != h);
	drive.scan[2].scan.range_max -= 1;
	drive.scan[2].scan.range_min += 1;
	check(pb_drive_hash(&drive) != h);
	drive.scan[2].scan.range_min -= 1;
	check(pb_drive_hash(&drive) == h);
	drive.pose[PB_POSE_ODOM].at[0].p.x += 1;
	check(pb_drive_hash(&drive) != h);
}

/* A drive takes what comes, and keeps it. */
test(drive_grows)
{
	struct pb_drive d = {0};

	for (int i = 0; i < 1000; i++) {
		double range = i;
		const struct pb_scan z = {.range = &range, .n = 1, .inc = 1};

		check_int(pb_drive_add_scan(&d, i, &z), PB_OK);
		check(d.cap >= d.scans);
	}
	for (size_t i = 0; i < d.scans; i++)
		check(d.scan[i].scan.range[0] == (double)i);
	pb_drive_clear(&d);
}

int
main(void)
{
	make_drive();
	run_tests();
	pb_drive_clear(&drive);
	return done();
}
