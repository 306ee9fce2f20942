/* foresight.c - tests of Clyde's future and of who could have escaped him. */
#include "game/pacmanbot/foresight.h"

#include <string.h>

#include "base/elementary.h"
#include "check.h"
#include "pb/rng.h"

enum { W = 60, H = 26, TALL = 5 };

/*
 * A corridor too narrow to pass Clyde in, cells of 0.1 m, closed at both ends;
 * on request with a room beside its right end.
 */
static struct pb_map
corridor(bool room)
{
	struct pb_map m = {0};

	check_int(pb_map_init(&m, W, H, 0.1, (struct pb_pose){0}), PB_OK);
	for (int i = 0; i < W * H; i++) {
		int x = i % W, y = i / W;
		bool in = x > 0 && x < W - 1 && y > 0 && y <= TALL;
		bool beside = x > W - 18 && x < W - 1 && y > 0 && y < H - 1;

		m.cell[i] = in || (room && beside) ? 0 : 100;
	}
	return m;
}

struct scene {
	struct pb_map m;
	struct pb_arena *a;
	struct pb_clyde c;
	struct pb_foresight f;
	struct pb_pool pool;
};

/* Robot at the right end, Clyde in the middle, running. */
static struct scene
scene(bool room, uint64_t trial)
{
	struct scene s = {.m = corridor(room)};
	struct pb_round_opts o = pb_round_defaults();
	struct pb_clyde_opts co = pb_clyde_defaults();
	struct pb_pellet one = {.id = 0, .at = {1, 0.3}};
	struct pb_pellets set = {.n = 1, .all = &one};
	struct pb_rng r;

	o.has_start = true;
	o.start = (struct pb_pose){5.6, 0.3, 0};
	o.clyde_clearance = co.clearance = 0.2;
	check_int(pb_arena_new(&s.a, &s.m, &o, &set, NULL), PB_OK);
	check_int(pb_clyde_init(&s.c, &s.a->clyde, &co), PB_OK);
	pb_rng_start(&r, 7, trial, PB_FOR_GHOST, 0);
	pb_clyde_start(&s.c, r);
	check_int(pb_clyde_put(&s.c, (struct pb_vec){4.5, 0.35}, NULL), PB_OK);
	pb_clyde_state(&s.c, "running");
	check_int(pb_foresight_init(&s.f, s.a, &co, &s.pool), PB_OK);
	pb_foresight_begin(
	    &s.f, &s.c, (struct pb_pose){5.6, 0.3, 0}, (struct pb_twist){0, 0});
	return s;
}

static void
over(struct scene *s)
{
	pb_foresight_clear(&s->f);
	pb_pool_clear(&s->pool);
	pb_clyde_clear(&s->c);
	pb_arena_free(s->a);
	pb_map_clear(&s->m);
}

static void
test_his_future_is_what_he_does(void)
{
	struct scene s = scene(true, 3);
	struct pb_vec at[200];
	uint64_t was = pb_clyde_hash(0, &s.c);

	/* Half a tick is over: i * 0.1 s from now, a tick at each odd i. */
	pb_foresight_places(&s.c, &s.f.ahead, 0.1, 0.1, 200, at);
	check(pb_clyde_hash(0, &s.c) == was);
	for (int i = 0; i < 200; i++) {
		if (i % 2 == 1)
			pb_clyde_tick(&s.c);
		check(at[i].x == s.c.at.x && at[i].y == s.c.at.y);
	}
	over(&s);
}

/* One step of the flood over all pairs of cells. */
static void
slow_step(const struct scene *s, unsigned char *in, double dist,
    struct pb_vec clyde, double radius)
{
	static unsigned char was[W * H];
	double far = dist * 10;
	int n = s->a->map.width * s->a->map.height, w = s->a->map.width;

	memcpy(was, in, (size_t)n);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			int dx = abs(i % w - j % w), dy = abs(i / w - j / w);

			dx -= dx > 0;
			dy -= dy > 0;
			if (was[i] && s->a->hard.free[j] &&
			    dx * dx + dy * dy <= far * far)
				in[j] = 1;
		}
	for (int i = 0; i < n; i++) {
		double most = 0;

		for (int corner = 0; corner < 4; corner++) {
			struct pb_vec p = pb_arena_centre(s->a, i);

			p.x += corner % 2 ? 0.05 : -0.05;
			p.y += corner / 2 ? 0.05 : -0.05;
			most = fmax(most, pb_dist(p, clyde));
		}
		if (most <= radius)
			in[i] = 0;
	}
}

/* The twin, and a thousand robots that go as they like: each that keeps away
 * from Clyde is in the flood. */
static void
test_flood_holds_every_motion(void)
{
	enum { ROBOTS = 1000, TICKS = 60 };
	static unsigned char in[W * H];
	static struct pb_vec p[ROBOTS];
	struct scene s = scene(true, 5);
	double v = 0.31, dt = 0.2, radius = 0.2512;
	struct pb_rng r;
	int alive = 0;

	pb_rng_start(&r, 1, 0, PB_FOR_PLAYER, 0);
	memset(in, 0, sizeof(in));
	pb_flood_start(&s.f, pb_pose_vec(s.f.place));
	in[pb_arena_cell(s.a, pb_pose_vec(s.f.place))] = 1;
	for (int i = 0; i < ROBOTS; i++)
		p[i] = pb_pose_vec(s.f.place);
	for (int k = 0; k < TICKS; k++) {
		struct pb_disc d;

		pb_clyde_tick(&s.c);
		d = pb_arena_disc(s.a, s.c.at, radius);
		pb_flood_grow(&s.f, v * dt);
		pb_flood_bite(&s.f, &d);
		slow_step(&s, in, v * dt, s.c.at, radius);
		check(memcmp(in, s.f.in, pb_map_cells(&s.a->map)) == 0);
		alive = 0;
		for (int i = 0; i < ROBOTS; i++) {
			/* Half away from him, half anywhere, at full speed. */
			double th = i % 2 ? pb_rng_between(&r, -PB_PI, PB_PI)
			                  : pb_atan2(p[i].y - s.c.at.y,
						p[i].x - s.c.at.x) +
			                        pb_rng_between(&r, -1, 1);
			struct pb_vec to = {p[i].x + v * dt * pb_cos(th),
			    p[i].y + v * dt * pb_sin(th)};
			int cell = pb_arena_cell(s.a, to);

			if (cell >= 0 && s.a->hard.free[cell])
				p[i] = to;
			if (pb_dist(p[i], s.c.at) <= radius)
				p[i] = (struct pb_vec){-1, -1};
			cell = pb_arena_cell(s.a, p[i]);
			alive += cell >= 0;
			check(cell < 0 || s.f.in[cell] == 1);
		}
	}
	check(alive > 100);
	over(&s);
}

static const struct pb_limits robot = {
    .v_max = 0.31, .v_min = -0.15, .w_max = 2.2, .v_acc = 3, .w_acc = 3.5};

static void
test_who_is_doomed(void)
{
	int dead_end = 0, with_room = 0;

	for (uint64_t trial = 0; trial < 40; trial++) {
		for (int room = 0; room < 2; room++) {
			struct scene s = scene(room, trial);
			bool doomed =
			    pb_foresight_doomed(&s.f, &robot, 0.05, 0.35, 10);
			double nearest = 9;

			/* He came for it, or went away. */
			for (int k = 0; k < 100; k++) {
				pb_clyde_tick(&s.c);
				nearest = fmin(nearest,
				    pb_dist(pb_pose_vec(s.f.place), s.c.at));
			}
			check(!doomed || nearest < 0.5);
			*(room ? &with_room : &dead_end) += doomed;
			check(
			    !pb_foresight_doomed(&s.f, &robot, 0.05, 0.35, 21));
			over(&s);
		}
	}
	check(dead_end > 0 && dead_end < 40);
	check_int(with_room, 0);
}

/* A robot that drives at random or away, as drives go, until it is caught. */
static bool
survives(struct scene *s, double radius, struct pb_rng *r)
{
	struct pb_pose p = s->f.place;
	struct pb_twist u = s->f.twist, want = u;
	int style = (int)pb_rng_below(r, 3);

	pb_clyde_copy(&s->c, &s->f.first);
	for (int i = 1; i <= 400; i++) {
		struct pb_vec c = pb_vec_into(p, s->c.at);
		double away = pb_wrap(pb_atan2(c.y, c.x) + PB_PI);
		struct pb_pose to;
		int cell;

		if (i % 8 == 1)
			want = (struct pb_twist){pb_rng_between(r, -0.15, 0.6),
			    pb_rng_between(r, -3, 3)};
		if (style > 0)
			want.w = 8 * away;
		if (style > 1)
			want.v = fabs(away) < 1 ? 0.31 : -0.15;
		u = pb_drive_limit(u, want, &robot, 0.05);
		to = pb_drive_move(p, u, 0.05);
		cell = pb_arena_cell(s->a, pb_pose_vec(to));
		if (cell < 0 || !s->a->hard.free[cell]) {
			to.x = p.x;
			to.y = p.y;
		}
		p = to;
		if (i % 4 == 0) {
			pb_clyde_tick(&s->c);
			if (pb_dist(pb_pose_vec(p), s->c.at) <= radius)
				return false;
		}
	}
	return true;
}

/* Clyde next to a robot that spins in the room: nobody gets away from a
 * doomed start, somebody from most others. */
static void
test_none_escapes_who_is_doomed(void)
{
	struct pb_rng r;
	int doomed = 0, others = 0, saved = 0;

	pb_rng_start(&r, 2, 0, PB_FOR_PLAYER, 0);
	for (uint64_t trial = 0; trial < 60; trial++) {
		struct scene s = scene(true, trial);
		double a = pb_rng_between(&r, -PB_PI, PB_PI);
		double d = pb_rng_between(&r, 0.1, 0.3);
		struct pb_vec at = {5, 1.3},
			      c = {at.x + d * pb_cos(a), at.y + d * pb_sin(a)};
		bool lost, one = false;

		check_int(pb_clyde_put(&s.c, c, NULL), PB_OK);
		pb_foresight_begin(&s.f, &s.c,
		    (struct pb_pose){
			at.x, at.y, pb_rng_between(&r, -PB_PI, PB_PI)},
		    (struct pb_twist){0, trial % 2 ? 1.5 : 0});
		lost = pb_foresight_doomed(&s.f, &robot, 0.05, 0.25, 10);
		for (int i = 0; i < 60; i++)
			one |= survives(&s, 0.25, &r);
		check(!lost || !one);
		doomed += lost;
		others += !lost;
		saved += !lost && one;
		over(&s);
	}
	check(doomed > 5 && others > 5 && saved > others / 4);
}

int
main(void)
{
	run(test_his_future_is_what_he_does);
	run(test_flood_holds_every_motion);
	run(test_who_is_doomed);
	run(test_none_escapes_who_is_doomed);
	return done();
}
