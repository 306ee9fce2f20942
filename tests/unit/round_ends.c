/* round_ends.c - tests of every way in which a round can end. */
#include "check.h"
#include "rounds.h"

#include "game/pacmanbot/round_state.h"
#include "policy/players.h"

/* Two pellets, the second in a closed closet that nothing leads to. */
static struct pb_map
closet(void)
{
	struct pb_map m = house();

	for (int y = 0; y < 60; y++)
		for (int x = 60; x < 63; x++)
			m.cell[y * 80 + x] = 100;
	return m;
}

static struct pb_round_opts
quiet_at(double x, double y)
{
	struct pb_round_opts o = pb_round_defaults();

	o.has_start = true;
	o.start = (struct pb_pose){x, y, 0};
	o.death_radius = 0;
	return o;
}

test(given_up)
{
	struct pb_pellet two[2] = {
	    {.id = 0, .at = {1.5, 1}}, {.id = 1, .at = {6.2, 1}}};
	struct pb_pellets s = {.n = 2, .all = two};
	struct pb_round_opts o = quiet_at(0, 0);
	struct pb_map m = closet();
	const struct pb_player *p[] = {
	    &pb_player_seed, &pb_player_safe, &pb_player_oracle};

	for (int i = 0; i < 3; i++) {
		struct game g = game_on(&m, &o, &s, p[i]);
		struct pb_outcome e = pb_round_play(g.r, 1, 1);

		check_int(e.ending, PB_PARTIAL);
		check(e.spawned == 2 && e.collected == 1 && e.removed >= 1);
		check(g.r->had[0] && !g.r->had[1] && e.score == 1);
		over(g);
	}
	pb_map_clear(&m);
}

/* A pellet at home is picked up before the round and counts for nothing. */
test(pellet_at_home)
{
	struct pb_pellet two[2] = {
	    {.id = 0, .at = {0.05, 0.05}}, {.id = 1, .at = {1.5, 1}}};
	struct pb_pellets s = {.n = 2, .all = two};
	struct pb_map m = house();

	for (int idle = 0; idle < 2; idle++) {
		struct pb_round_opts o = quiet_at(0, 0);
		struct pb_outcome e;
		struct game g;

		o.idle_pickup = idle;
		g = game_on(&m, &o, &s, &pb_player_seed);
		e = pb_round_play(g.r, 1, 1);
		check_int(e.ending, idle ? PB_PARTIAL : PB_DONE);
		check_int(e.collected, idle ? 1 : 2);
		check(e.removed == 0);
		over(g);
	}
	pb_map_clear(&m);
}

test(complete)
{
	struct pb_round_opts o = quiet_at(0, 0);
	struct game g = game(&o, &pb_player_nearest);
	struct pb_outcome e = pb_round_play(g.r, 1, 1);

	check_int(e.ending, PB_DONE);
	check(e.spawned == g.a->n && e.collected == g.a->n);
	check(e.time > 0 && e.time < 200 && e.distance > 5);
	check(e.distance < 0.65 * e.time && e.round == 1);
	/* Home, and the next round is a faster one. */
	for (int i = 0; i < 2000 && g.r->g.ctl.state != PB_MENU; i++)
		pb_round_step(g.r);
	check_int(g.r->g.ctl.round, 2);
	check_near(pb_controller_speed(&g.r->g.ctl), 0.3, 1e-12);
	over(g);
}

test(killed)
{
	struct pb_round_opts o = quiet_at(0, 0);
	struct pb_outcome e;
	struct game g;

	o.death_radius = 0.25;
	o.has_spawn = true;
	o.spawn = (struct pb_vec){0.1, 0.1};
	g = game(&o, &pb_player_seed);
	e = pb_round_play(g.r, 1, 1);
	check_int(e.ending, PB_KILLED);
	check(e.time < 1 && e.nearest < 0.4 && e.collected == 0);
	over(g);
}

/* Too little time; and a player that does not move at all. */
static void
do_nothing(void *mem, const void *model, const void *v, struct pb_answer *out)
{
	(void)mem;
	(void)model;
	(void)v;
	out->kind = PB_STOP;
}

test(out_of_time)
{
	static const struct pb_player idle = {
	    .name = "idle", .decide = do_nothing};
	struct pb_round_opts o = quiet_at(0, 0);
	struct pb_outcome e;
	struct game g;

	o.duration = 10;
	g = game(&o, &pb_player_seed);
	e = pb_round_play(g.r, 1, 1);
	check_int(e.ending, PB_TIMEOUT);
	check_near(e.time, 10, 1e-9);
	check_int(g.r->g.ctl.state, PB_MENU);
	over(g);
	o.duration = 59;
	g = game(&o, &idle);
	check_int(pb_round_play(g.r, 1, 1).ending, PB_TIMEOUT);
	over(g);
	o.duration = 61;
	g = game(&o, &idle);
	e = pb_round_play(g.r, 1, 1);
	check_int(e.ending, PB_STUCK);
	check(e.distance == 0 && e.collected == 0);
	over(g);
}

/* A first estimate far off: home is nowhere, and the round cannot begin. */
test(home_failed)
{
	struct pb_round_opts o = quiet_at(0, 0);
	struct game g;
	int failed = 0;

	o.estimate.sd = 10;
	g = game(&o, &pb_player_seed);
	for (uint64_t trial = 0; trial < 10; trial++) {
		struct pb_outcome e = pb_round_play(g.r, 1, trial);

		failed += e.ending == PB_HOME_FAILED;
		if (e.ending == PB_HOME_FAILED)
			check(e.time == 0 && e.collected == 0);
	}
	check(failed > 5);
	over(g);
}

/* The services between steps. */
test(services)
{
	struct pb_round_opts o = quiet_at(0, 0);
	struct game g = game(&o, &pb_player_seed);
	struct pb_vec c;

	pb_round_start(g.r, 1, 1);
	check(!g.r->g.est.ever);
	steps(g.r, 100);
	check(!pb_round_press_start(g.r));
	check_int(pb_round_remove(g.r, 1), PB_OK);
	check(!pb_round_left(g.r)[1] && pb_round_left(g.r)[0]);
	check_int(pb_round_remove(g.r, 1), PB_ENOENT);
	check_int(pb_round_remove(g.r, -1), PB_ENOENT);
	check_int(pb_round_remove(g.r, g.a->n), PB_ENOENT);
	pb_round_reset_pellets(g.r);
	check(pb_round_left(g.r)[1]);
	check_int(pb_round_click(g.r, (struct pb_vec){0, 0}), PB_OK);
	c = g.r->clyde.at;
	check(hypot(c.x, c.y) < 0.1);
	check_int(pb_round_click(g.r, (struct pb_vec){-9, 0}), PB_EWALL);
	pb_round_reset_clyde(g.r); /* the clicked cell stays his */
	check(pb_dist(c, g.r->clyde.at) == 0);
	steps(g.r, 400);
	check_int(g.r->g.ctl.state, PB_RUNNING);
	check(pb_round_click(g.r, (struct pb_vec){0, 0}) != PB_OK);
	pb_round_press_reset(g.r);
	check_int(g.r->g.ctl.state, PB_MENU);
	over(g);
}
