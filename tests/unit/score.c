/* score.c - tests of the Clyde-aware choice of a pellet. */

#include "check.h"

#include "game/score.h"

static const struct pb_vec origin = {0, 0};

/* A robot at the origin and a ghost `dist` metres to its right. */
static struct pb_scene
facing(double dist, double closing)
{
	return (struct pb_scene){.robot = origin,
	    .has_ghost = true,
	    .ghost = {dist, 0},
	    .closing = closing};
}

test(constants)
{
	struct pb_score_opts o = pb_score_defaults(), r = pb_score_report();

	check(
	    o.risk_radius == 2 && o.risk_weight == 3 && o.replan_margin == 0.3);
	check(o.direction_penalty == 5 && o.death_radius == 0.25);
	check(o.emergency_radius == 2 && o.warning_radius == 3);
	check(o.approach_speed == 0.03);
	check(o.cosine && o.waive && o.prefer_safe && o.exclude);
	check(!r.cosine && !r.waive && !r.prefer_safe && !r.exclude);
	check(pb_params_check(pb_score_params, &o) == NULL);
	check(pb_params_check(pb_score_params, &r) == NULL);
}

test(check_names_the_field)
{
	struct pb_score_opts o = pb_score_defaults();
	const struct pb_param *p;

	o.warning_radius = -1;
	p = pb_params_check(pb_score_params, &o);
	check(p != NULL && strcmp(p->name, "warning-radius") == 0);
	o = pb_score_defaults();
	o.replan_margin = NAN;
	p = pb_params_check(pb_score_params, &o);
	check(p != NULL && strcmp(p->name, "replan-margin") == 0);
	o.replan_margin = INFINITY;
	check(pb_params_check(pb_score_params, &o) == p);
}

test(threat_edges)
{
	struct pb_score_opts o = pb_score_defaults();
	const struct {
		double dist, closing;
		bool threat;
	} c[] = {{0, 9, false}, {0.25, 9, false}, {0.2500001, -9, true},
	    {2, -9, true}, {2.0000001, 0.0299, false}, {2.0000001, 0.03, true},
	    {3, 0.03, true}, {3, 0.02, false}, {3.0000001, 9, false}};
	struct pb_scene s;

	for (size_t i = 0; i < sizeof(c) / sizeof(*c); i++) {
		s = facing(c[i].dist, c[i].closing);
		check_int(pb_threat(&o, &s), c[i].threat);
	}
	s = facing(1, 0);
	s.has_ghost = false;
	check(!pb_threat(&o, &s));
}

test(closing_speed)
{
	struct pb_closing c = {0};

	pb_closing_see(&c, origin, (struct pb_vec){3, 0}, 10);
	check(c.speed == 0 && c.seen);
	pb_closing_see(&c, origin, (struct pb_vec){2.9, 0}, 10.2);
	check_near(c.speed, 0.5, 1e-9);
	/* Time stands still or runs back: the speed stays, the place counts. */
	pb_closing_see(&c, origin, (struct pb_vec){2, 0}, 10.2);
	check_near(c.speed, 0.5, 1e-9);
	pb_closing_see(&c, origin, (struct pb_vec){2.2, 0}, 10.4);
	check_near(c.speed, -1, 1e-9);
	pb_closing_see(&c, origin, (struct pb_vec){2, 0}, 3);
	check_near(c.speed, -1, 1e-9);
	pb_closing_see(&c, origin, (struct pb_vec){1.9, 0}, 4);
	check_near(c.speed, 0.1, 1e-9);
}

test(terms)
{
	struct pb_score_opts o = pb_score_defaults(), rep = pb_score_report();
	struct pb_scene s = facing(2, 0);
	struct pb_vec ahead = {1, 1}, back = {-1, 0}, beyond = {5, 0};
	struct pb_score r;

	/* By hand: sqrt 2 away, sqrt 2 from the ghost, 45 degrees off. */
	r = pb_score_pellet(&o, &s, true, ahead);
	check_near(r.distance, sqrt(2), 1e-12);
	check_near(r.risk, 3 * (2 - sqrt(2)), 1e-12);
	check_near(r.direction, 5 * (1 + sqrt(0.5)), 1e-12);
	check_near(r.total, r.distance + r.risk + r.direction, 0);
	check(!r.safe && !r.excluded);
	r = pb_score_pellet(&rep, &s, true, ahead);
	check_near(r.direction, 5 * (1 + 2), 1e-12);
	r = pb_score_pellet(&o, &s, false, ahead);
	check(r.direction == 0 && !r.safe);

	r = pb_score_pellet(&o, &s, true, back);
	check(r.safe && r.direction == 0 && r.risk == 0);

	/* Straight past the ghost: safe for the code, not for the report. */
	r = pb_score_pellet(&o, &s, true, beyond);
	check(r.safe && r.direction == 0);
	r = pb_score_pellet(&rep, &s, true, beyond);
	check(!r.safe);
	check_near(r.direction, 5 * (1 + 10), 1e-12);
}

test(degenerate_directions)
{
	struct pb_score_opts o = pb_score_defaults();
	struct pb_scene s = facing(1, 0);
	struct pb_score r;

	/* A pellet under the robot has no direction: cosine 0, safe. */
	r = pb_score_pellet(&o, &s, true, (struct pb_vec){1e-9, 0});
	check(r.safe && r.direction == 0);
	r = pb_score_pellet(&o, &s, true, (struct pb_vec){1.1e-9, 0});
	check(!r.safe);
	/* At right angles the cosine is 0: safe though it comes nearer. */
	s.ghost = (struct pb_vec){1, 1};
	r = pb_score_pellet(&o, &s, true, (struct pb_vec){1, -1});
	check(r.safe);
	/* As far from the ghost as the robot is not farther. */
	s.ghost = (struct pb_vec){1, 0};
	r = pb_score_pellet(&o, &s, true, (struct pb_vec){2, 0});
	check(!r.safe);
}

test(no_ghost)
{
	struct pb_score_opts o = pb_score_defaults();
	struct pb_scene s = {.robot = {1, 1}};
	struct pb_vec at[] = {{3, 1}, {1, 2}, {1, 0}};
	struct pb_score out[3];
	struct pb_choice c = pb_score_choose(&o, &s, at, NULL, 3, out);

	check_int(c.index, 1); /* the first of two equals */
	check_int(c.why, PB_WHY_BEST);
	check(!c.threat && out[0].safe && out[0].total == 2);
}

test(exceptions)
{
	struct pb_score_opts o = pb_score_defaults(), rep = pb_score_report();
	struct pb_scene s = facing(1.5, 0);
	struct pb_vec at[] = {{1.5, 0.1}, {0.05, 0}, {-9, 0}};
	unsigned char left[] = {1, 1, 0};
	struct pb_score out[3];
	struct pb_choice c;

	/* 14.7 or so against 9 behind: the override takes the far one. */
	c = pb_score_choose(&o, &s, at, NULL, 3, NULL);
	check_int(c.index, 2);
	check_int(c.why, PB_WHY_SAFE);
	check(c.threat);
	c = pb_score_choose(&o, &s, at, left, 3, out);
	check_int(c.index, 1);
	check_int(c.why, PB_WHY_BEST);
	check(out[2].total == 0 && out[0].excluded && !out[1].excluded);
	/* Only what lies under the ghost is left. */
	c = pb_score_choose(&o, &s, at, NULL, 1, NULL);
	check_int(c.index, 0);
	check_int(c.why, PB_WHY_FALLBACK);
	c = pb_score_choose(&rep, &s, at, NULL, 1, NULL);
	check_int(c.why, PB_WHY_BEST);
	c = pb_score_choose(&o, &s, at, NULL, 0, NULL);
	check_int(c.index, -1);
	check_int(c.why, PB_WHY_NONE);
}

test(margin)
{
	struct pb_score_opts o = pb_score_defaults();
	struct pb_scene s = {.robot = origin};
	struct pb_vec cur = {2, 0};

	o.replan_margin = 0.25;
	check(!pb_score_replan(&o, &s, cur, (struct pb_vec){0, 1.75}));
	check(pb_score_replan(&o, &s, cur, (struct pb_vec){0, 1.7499}));
	check(!pb_score_replan(&o, &s, cur, cur));
}

/* The quirk: a pellet chosen for its safe direction loses on plain totals. */
test(safe_best_may_lose_the_margin)
{
	struct pb_score_opts o = pb_score_defaults();
	struct pb_scene s = facing(2.5, 0.1);
	struct pb_vec at[] = {{0, 0.4}, {-30, 0}};
	struct pb_choice c;

	s.ghost = (struct pb_vec){0.1, 2.5};
	c = pb_score_choose(&o, &s, at, NULL, 2, NULL);
	check_int(c.index, 1);
	check_int(c.why, PB_WHY_SAFE);
	check(!pb_score_replan(&o, &s, at[0], at[1]));
}

/*
 * The slow twin: the published rules said once more, one question at a time,
 * with lists instead of a single pass.
 */
struct twin {
	double total[16];
	bool safe[16], out[16];
};

static double
norm(double x, double y)
{
	return sqrt(x * x + y * y);
}

static void
twin_score(const struct pb_scene *s, bool report, bool threat,
    const struct pb_vec *at, size_t n, struct twin *t)
{
	double rc = norm(s->robot.x - s->ghost.x, s->robot.y - s->ghost.y);

	for (size_t i = 0; i < n; i++) {
		double dr = norm(at[i].x - s->robot.x, at[i].y - s->robot.y);
		double dc = norm(at[i].x - s->ghost.x, at[i].y - s->ghost.y);
		double dot =
		    (s->ghost.x - s->robot.x) * (at[i].x - s->robot.x) +
		    (s->ghost.y - s->robot.y) * (at[i].y - s->robot.y);
		double cosine = rc > 1e-9 && dr > 1e-9 ? dot / (rc * dr) : 0;

		t->total[i] = dr;
		t->out[i] = false;
		t->safe[i] = true;
		if (!s->has_ghost)
			continue;
		if (dc < 2)
			t->total[i] += 3 * (2 - dc);
		t->out[i] = !report && dc <= 0.25;
		t->safe[i] = report ? dot <= 0 : dc > rc || cosine <= 0;
		if (threat && !t->safe[i])
			t->total[i] += 5 * (1 + (report ? dot : cosine));
	}
}

/* The first of the lowest among those that `in` lets through, or -1. */
static long
first_lowest(const struct twin *t, const bool *in, size_t n)
{
	long b = -1;

	for (size_t i = n; i-- > 0;)
		if (in[i] && (b < 0 || t->total[i] <= t->total[b]))
			b = (long)i;
	return b;
}

static long
twin_choose(const struct twin *t, bool report, bool threat,
    const unsigned char *left, size_t n)
{
	bool all[16], open[16], safe[16];
	long b;

	for (size_t i = 0; i < n; i++) {
		all[i] = left[i];
		open[i] = all[i] && !t->out[i];
		safe[i] = open[i] && t->safe[i] && threat && !report;
	}
	if ((b = first_lowest(t, safe, n)) >= 0)
		return b;
	if ((b = first_lowest(t, open, n)) >= 0)
		return b;
	return first_lowest(t, all, n);
}

/* On a coarse lattice, so that ties and all the edges happen. */
static struct pb_vec
lattice(struct pb_rng *r)
{
	return (struct pb_vec){
	    pb_rng_below(r, 25) * 0.25 - 3, pb_rng_below(r, 25) * 0.25 - 3};
}

static void
one_random_choice(struct pb_rng *r, int *seen)
{
	bool report = pb_rng_below(r, 4) == 0, threat;
	unsigned char left[16];
	struct pb_score_opts o =
	    report ? pb_score_report() : pb_score_defaults();
	struct pb_scene s = {.robot = lattice(r),
	    .has_ghost = pb_rng_below(r, 8) > 0,
	    .ghost = lattice(r),
	    .closing = pb_rng_between(r, -0.1, 0.1)};
	size_t n = pb_rng_below(r, pb_rng_below(r, 2) ? 3 : 17);
	struct pb_vec at[16];
	struct pb_score out[16];
	struct pb_choice c;
	struct twin t;
	double d;

	for (size_t i = 0; i < n; i++) {
		at[i] = lattice(r);
		left[i] = pb_rng_below(r, 5) > 0;
	}
	if (n > 0 && pb_rng_below(r, 4) == 0)
		s.ghost = at[0];
	d = norm(s.robot.x - s.ghost.x, s.robot.y - s.ghost.y);
	threat = s.has_ghost && d > 0.25 &&
	         (d <= 2 || (d <= 3 && s.closing >= 0.03));
	twin_score(&s, report, threat, at, n, &t);
	c = pb_score_choose(&o, &s, at, left, n, out);
	seen[c.why]++;
	check_int(c.threat, threat);
	check_int(c.index, twin_choose(&t, report, threat, left, n));
	for (size_t i = 0; i < n; i++)
		check_near(out[i].total, left[i] ? t.total[i] : 0, 1e-12);
}

test(twin_agrees)
{
	struct pb_rng r = draws(3, PB_FOR_TRIAL);
	int seen[4] = {0};

	for (int i = 0; i < 20000; i++)
		one_random_choice(&r, seen);
	for (int i = 0; i < 4; i++)
		check(seen[i] > 50); /* every rule was needed */
}

/* Turning or mirroring the whole scene changes no score. */
test(turns_change_nothing)
{
	struct pb_score_opts o = pb_score_defaults();
	struct pb_rng r = draws(4, PB_FOR_TRIAL);

	for (int i = 0; i < 1000; i++) {
		struct pb_pose f = {3, -1, pb_rng_between(&r, -3, 3)};
		struct pb_scene s = facing(1 + pb_rng_unit(&r), 0), q = s;
		struct pb_vec p = {
		    pb_rng_between(&r, -3, 3), pb_rng_between(&r, -3, 3)};
		double a, b;

		q.robot = pb_vec_from(f, s.robot);
		q.ghost = pb_vec_from(f, s.ghost);
		a = pb_score_pellet(&o, &s, true, p).total;
		b = pb_score_pellet(&o, &q, true, pb_vec_from(f, p)).total;
		check_near(a, b, 1e-9);
		p.y = -p.y;
		b = pb_score_pellet(&o, &s, true, p).total;
		check_near(a, b, 1e-12);
	}
}
