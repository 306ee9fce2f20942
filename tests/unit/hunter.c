/* hunter.c - tests of the arcade's ghosts in metres, alone and in a round. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "ghost/hunter.h"
#include "rounds.h"

/* An empty room of 10 x 8 m, cells of 0.1 m, and hunters who live in it. */
struct room {
	struct pb_map m;
	struct pb_clyde_world ground;
	struct pb_hunter_world w;
	struct pb_search *s;
};

static void
room_init(struct room *r)
{
	struct pb_clyde_opts o = pb_clyde_defaults();

	memset(r, 0, sizeof(*r));
	check_int(pb_map_init(&r->m, 100, 80, 0.1, (struct pb_pose){0}), PB_OK);
	memset(r->m.cell, 0, 8000);
	check_int(pb_clyde_world_init(&r->ground, &r->m, &o), PB_OK);
	check_int(
	    pb_hunter_world_init(&r->w, &r->ground, (struct pb_vec){1, 1}, 6),
	    PB_OK);
	check_int(pb_search_new(&r->s, &r->ground.grid), PB_OK);
}

static void
room_clear(struct room *r)
{
	pb_search_free(r->s);
	pb_hunter_world_clear(&r->w);
	pb_clyde_world_clear(&r->ground);
	pb_map_clear(&r->m);
}

static struct pb_vec
place(const struct room *r, int i)
{
	return pb_clyde_place(&r->ground, pb_grid_cell(&r->ground.grid, i));
}

static struct pb_hunter
standing(struct room *r, int who, double x, double y)
{
	struct pb_hunter h = {.who = who};

	pb_rng_start(&h.rng, 1, 1, PB_FOR_GHOST, (uint64_t)who);
	pb_hunter_put(&h, &r->ground,
	    pb_hunter_near(&r->ground, r->w.part, (struct pb_vec){x, y}));
	return h;
}

/* A robot at (4, 3) that looks along y; a walk of 0.05 m a tick. */
static struct pb_hunter_sight
seen(void)
{
	return (struct pb_hunter_sight){.located = true,
	    .robot = {4, 3, PB_PI / 2},
	    .paired = true,
	    .blinky = {3, 3},
	    .chase = true,
	    .cell = 0.5,
	    .walk = 0.05,
	    .period = 0.2};
}

static void
check_target(struct room *r, struct pb_hunter *h,
    const struct pb_hunter_sight *v, double x, double y)
{
	struct pb_vec p = place(r, pb_hunter_target(h, &r->w, v));

	check(fabs(p.x - x) < 0.08 && fabs(p.y - y) < 0.08);
}

static void
test_targets(void)
{
	struct room r;
	struct pb_hunter_sight v = seen();
	struct pb_hunter h;

	room_init(&r);
	h = standing(&r, PB_HUNTER_BLINKY, 8, 6);
	check_target(&r, &h, &v, 4, 3);
	h = standing(&r, PB_HUNTER_PINKY, 8, 6);
	check_target(&r, &h, &v, 4, 5);
	/* As far beyond (4, 4) as blinky is on this side. */
	h = standing(&r, PB_HUNTER_INKY, 8, 6);
	check_target(&r, &h, &v, 5, 5);
	v.paired = false;
	check_target(&r, &h, &v, 4, 4);
	/* What is in no cell of theirs: the nearest one. */
	v.robot = (struct pb_pose){9, 7.9, 0};
	h = standing(&r, PB_HUNTER_PINKY, 1, 1);
	check_target(&r, &h, &v, 9.7, 7.8);
	/* Who knows nothing stays. */
	v.located = false;
	check_target(&r, &h, &v, 1, 1);
	room_clear(&r);
}

static void
test_corners(void)
{
	struct room r;
	struct pb_hunter_sight v = seen();
	struct pb_hunter h;

	room_init(&r);
	v.chase = false;
	h = standing(&r, PB_HUNTER_BLINKY, 5, 4);
	check_target(&r, &h, &v, 9.7, 7.8);
	h = standing(&r, PB_HUNTER_PINKY, 5, 4);
	check_target(&r, &h, &v, 0.2, 7.8);
	h = standing(&r, PB_HUNTER_INKY, 5, 4);
	check_target(&r, &h, &v, 9.7, 0.3);
	room_clear(&r);
}

/* Who has come to where the robot was expected makes for the robot. */
static void
test_arrives(void)
{
	struct room r;
	struct pb_hunter_sight v = seen();
	struct pb_hunter h;

	room_init(&r);
	h = standing(&r, PB_HUNTER_PINKY, 4, 5.6);
	for (int i = 0; i < 20; i++)
		pb_hunter_tick(&h, &r.w, &r.ground, r.s, &v);
	check_target(&r, &h, &v, 4, 3);
	v.robot.x = 5;
	check_target(&r, &h, &v, 5, 5);
	room_clear(&r);
}

static void
test_modes(void)
{
	check(!pb_hunter_chases(0, 1) && !pb_hunter_chases(6.9, 1));
	check(pb_hunter_chases(7, 1) && pb_hunter_chases(26.9, 1));
	check(!pb_hunter_chases(27, 1) && pb_hunter_chases(34, 1));
	check(!pb_hunter_chases(54, 1) && pb_hunter_chases(59, 1));
	check(!pb_hunter_chases(83, 1) && pb_hunter_chases(1e6, 1));
	check(!pb_hunter_chases(69.9, 10) && pb_hunter_chases(70, 10));
	check(pb_hunter_chases(0, 0));
}

/* It walks as far as it should, whatever changes on the way. */
static void
test_walks(void)
{
	struct room r;
	struct pb_hunter_sight v = seen();
	struct pb_hunter h, twin;

	room_init(&r);
	h = standing(&r, PB_HUNTER_BLINKY, 9, 3);
	for (int i = 0; i < 60; i++) {
		struct pb_vec was = h.at;

		pb_hunter_tick(&h, &r.w, &r.ground, r.s, &v);
		check(pb_dist(was, h.at) <= 0.05 + 1e-9);
		if (i == 30)
			twin = h;
		if (i == 20)
			v.robot.y = 3.2;
		if (i >= 31)
			pb_hunter_tick(&twin, &r.w, &r.ground, r.s, &v);
	}
	check_int(pb_hunter_hash(1, &h) == pb_hunter_hash(1, &twin), true);
	for (int i = 0; i < 60; i++)
		pb_hunter_tick(&h, &r.w, &r.ground, r.s, &v);
	check(pb_dist(h.at, pb_pose_vec(v.robot)) < 0.1);
	room_clear(&r);
}

static void
test_fright_and_home(void)
{
	struct room r;
	struct pb_hunter_sight v = seen();
	struct pb_hunter h;
	struct pb_vec was;
	int n = 0;

	room_init(&r);
	h = standing(&r, PB_HUNTER_BLINKY, 9, 3);
	pb_hunter_frighten(&h, 1);
	check(pb_hunter_harmless(&h));
	for (; pb_hunter_harmless(&h); n++) {
		was = h.at;
		pb_hunter_tick(&h, &r.w, &r.ground, r.s, &v);
		check(
		    pb_dist(was, h.at) <= 0.05 * PB_HUNTER_FRIGHT_PACE + 1e-9);
	}
	check_int(n, 5);
	for (int i = 0; i < 40; i++)
		pb_hunter_tick(&h, &r.w, &r.ground, r.s, &v);
	pb_hunter_frighten(&h, 6);
	pb_hunter_eat(&h, &r.ground, h.at);
	check(h.eaten && pb_hunter_harmless(&h));
	/* Who was eaten is not frightened again. */
	pb_hunter_frighten(&h, 6);
	for (n = 0; h.eaten && n < 1000; n++)
		pb_hunter_tick(&h, &r.w, &r.ground, r.s, &v);
	check(n > 5 && n < 40 && h.cell == h.home && !pb_hunter_harmless(&h));
	room_clear(&r);
}

static void
test_homes(void)
{
	struct room r;
	struct pb_hunter h = {.who = PB_HUNTER_INKY};
	struct pb_hunter_world far;

	room_init(&r);
	pb_rng_start(&h.rng, 3, 1, PB_FOR_GHOST, 3);
	for (int i = 0; i < 100; i++) {
		pb_hunter_appear(&h, &r.w);
		check(pb_dist(h.at, (struct pb_vec){1, 1}) > 5);
	}
	/* Farther than there is: the farthest. */
	check_int(
	    pb_hunter_world_init(&far, &r.ground, (struct pb_vec){1, 1}, 1e3),
	    PB_OK);
	check(far.homes == 1 &&
	      pb_dist(place(&r, far.home[0]), (struct pb_vec){1, 1}) > 10);
	pb_hunter_world_clear(&far);
	room_clear(&r);
}

/* In a round: bodies of their own, snapshots, deaths by name. */
static const char *last_event;

static void
hear(void *ctx, const struct pb_news *n)
{
	int *poses = ctx;

	if (n->kind == PB_NEWS_POSE)
		poses[n->body]++;
	if (n->kind == PB_NEWS_EVENT && strstr(n->name, "killed"))
		last_event = n->name;
}

static void
test_round(void)
{
	struct pb_round_opts o = pb_round_defaults();
	struct game g, twin;
	struct pb_outcome e;
	int poses[5] = {0};
	struct pb_crew crew = {.ctx = poses, .tell = hear};

	o.ghosts = 1 << PB_HUNTER_BLINKY | 1 << PB_HUNTER_INKY;
	o.ghost_modes = 0;
	o.v_max = 0.1;
	g = game(&o, &pb_player_nearest);
	twin = game(&o, &pb_player_nearest);
	pb_round_start(g.r, 1, 1);
	pb_round_crew(g.r, &crew);
	steps(g.r, 400);
	pb_round_copy(twin.r, g.r);
	steps(g.r, 3000);
	steps(twin.r, 3000);
	check(pb_round_hash(g.r) == pb_round_hash(twin.r));
	check_int(g.r->g.track.ended > 0, true);
	e = g.r->g.track.last;
	check_int(e.ending, PB_KILLED);
	check(e.killer == PB_HUNTER_BLINKY || e.killer == PB_HUNTER_INKY);
	check(last_event != NULL && strcmp(last_event, "clyde killed") != 0);
	check(poses[1] == 0 && poses[2] > 100 && poses[3] == 0);
	check_int(poses[4], poses[2]);
	over(twin);
	over(g);
}

/* Every pellet has power and lasts: nobody kills any more. */
static void
test_power(void)
{
	struct pb_round_opts o = pb_round_defaults();
	struct game g;
	int eaten = 0;

	o.ghosts = (1 << PB_HUNTERS) - 1;
	o.power_pellets = 100;
	o.fright = 3600;
	o.ghost_apart = 4;
	g = game(&o, &pb_player_nearest);
	for (uint64_t t = 0; t < 20; t++) {
		struct pb_outcome e = pb_round_play(g.r, 1, t);

		if (e.ending == PB_DONE)
			eaten += e.eaten;
		check(e.ending == PB_DONE || e.ending == PB_KILLED);
		check(e.ending == PB_DONE || e.collected == 0 || e.eaten > 0);
	}
	check(eaten > 0);
	over(g);
}

int
main(void)
{
	run(test_targets);
	run(test_corners);
	run(test_arrives);
	run(test_modes);
	run(test_walks);
	run(test_fright_and_home);
	run(test_homes);
	run(test_round);
	run(test_power);
	return done();
}
