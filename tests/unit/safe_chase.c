/* safe_chase.c - hunters in safe's thoughts beside those that play. */
#include "rounds.h"

#include "base/elementary.h"
#include "policy/safe.h"

/* Learned on the house, with everybody who hunts. */
struct hunt {
	struct pb_round_opts o;
	struct pb_map m;
	struct pb_arena *a;
	struct pb_safe_known *k;
	struct pb_search *s;
};

/* Learned once, for all tests: what they change is their own. */
static struct hunt h;

static void
hunt_make(void)
{
	void *known = NULL;

	h.o = pb_round_defaults();
	h.o.ghosts = (1 << PB_HUNTERS) - 1;
	h.m = house();
	check_int(pb_arena_new(&h.a, &h.m, &h.o, NULL, NULL), PB_OK);
	check_int(pb_safe_learn(h.a, &h.o, &known), PB_OK);
	h.k = known;
	check_int(pb_search_new(&h.s, &h.a->clyde.grid), PB_OK);
}

static void
hunt_clear(void)
{
	pb_search_free(h.s);
	pb_safe_forget(h.k);
	pb_arena_free(h.a);
	pb_map_clear(&h.m);
}

/* The node of the net at p, and the block that hunters make for there. */
static int
block_at(struct pb_vec p)
{
	return h.k->chase.goal[pb_safe_net_at(&h.k->net, p)];
}

/* Where a robot is that drives round the wall of the house, through its gap. */
static struct pb_pose
lap(double t)
{
	double a = 0.35 * t;

	return (struct pb_pose){2.6 + 2.2 * pb_cos(a), 0.75 + 0.4 * pb_sin(a),
	    pb_wrap(pb_atan2(0.4 * pb_cos(a), -2.2 * pb_sin(a)))};
}

/* Somebody chases the robot for 24 s: `who`, beside a blinky. */
static double
farthest_apart(int who, double modes)
{
	const double dt = 0.2, speed = 0.25;
	struct pb_hunter real[2] = {{.who = PB_HUNTER_BLINKY}, {.who = who}};
	struct pb_safe_hunter now[2];
	struct pb_safe_hound hound[2];
	struct pb_safe_pack pack = {2, now, speed, 0.5, modes, 1};
	double far = 0;

	for (int i = 0; i < 2; i++) {
		pb_rng_start(&real[i].rng, 1, 1, PB_FOR_GHOST, (uint64_t)i);
		pb_hunter_put(&real[i], &h.a->clyde,
		    pb_hunter_near(&h.a->clyde, h.a->hunters.part,
			i == 0 ? (struct pb_vec){5.5, 2.5}
			       : (struct pb_vec){-0.3, -1}));
		now[i] = (struct pb_safe_hunter){real[i].who, real[i].at, 0};
		hound[i] = pb_safe_hound_at(&h.k->chase, &now[i]);
	}
	for (int t = 1; t <= 120; t++) {
		struct pb_pose robot = lap(t * dt);
		struct pb_safe_prey prey = {pb_pose_vec(robot),
		    block_at(pb_pose_vec(robot)), (float)pb_cos(robot.th),
		    (float)pb_sin(robot.th)};
		struct pb_hunter_sight v = {.located = true,
		    .robot = robot,
		    .paired = true,
		    .chase = pb_hunter_chases(modes + (t - 1) * dt, 1),
		    .cell = 0.5,
		    .walk = speed * dt,
		    .period = dt};

		for (int i = 0; i < 2; i++) {
			v.blinky = real[0].at;
			pb_hunter_tick(
			    &real[i], &h.a->hunters, &h.a->clyde, h.s, &v);
		}
		pb_safe_chase_step(
		    &h.k->chase, &pack, &prey, t * dt, dt, hound);
		far =
		    fmax(far, pb_dist(real[1].at, h.k->walk.at[hound[1].node]));
	}
	return far;
}

static void
test_they_walk_as_hunters_do(void)
{
	/* What inky makes for goes as far astray as its blinky, twice. */
	for (int who = PB_HUNTER_BLINKY; who < PB_HUNTERS; who++) {
		double most = who == PB_HUNTER_INKY ? 1 : 0.4;

		check(farthest_apart(who, 30) < most);
		/* They chase from the 7th second on. */
		check(farthest_apart(who, 0) < most);
	}
}

/* Where a metre of the way from anywhere to anywhere leads. */
static void
test_ways_begin_as_theirs(void)
{
	struct pb_rng g;
	double sum = 0;
	int n = 0;

	pb_rng_start(&g, 1, 1, PB_FOR_GHOST, 7);
	for (int i = 0; i < 1000; i++) {
		const struct pb_clyde_walk *w = &h.k->walk;
		int from = (int)pb_rng_below(&g, (uint32_t)w->n);
		int goal = (int)pb_rng_below(&g, (uint32_t)h.k->chain.blocks);
		struct pb_vec to = w->at[h.k->chain.centre[goal]];
		struct pb_hunter real = {.who = PB_HUNTER_BLINKY};
		struct pb_safe_hunter now = {PB_HUNTER_BLINKY, w->at[from], 0};
		struct pb_safe_hound hound =
		    pb_safe_hound_at(&h.k->chase, &now);
		struct pb_safe_pack pack = {1, &now, 1, 0.5, 100, 1};
		struct pb_safe_prey prey = {to, goal, 1, 0};
		struct pb_hunter_sight v = {.located = true,
		    .robot = {to.x, to.y, 0},
		    .chase = true,
		    .walk = 1,
		    .period = 1};

		if (pb_dist(to, w->at[from]) < 1.5)
			continue;
		pb_hunter_put(&real, &h.a->clyde,
		    pb_hunter_near(
			&h.a->clyde, h.a->hunters.part, w->at[from]));
		pb_hunter_tick(&real, &h.a->hunters, &h.a->clyde, h.s, &v);
		pb_safe_chase_step(&h.k->chase, &pack, &prey, 1, 1, &hound);
		sum += pb_dist(real.at, w->at[hound.node]);
		n++;
	}
	/* Straight moves first would lead 0.25 m astray. */
	check(n > 500 && sum / n < 0.1);
}

static void
test_who_is_harmless_stays(void)
{
	struct pb_safe_hunter one = {PB_HUNTER_BLINKY, {5.5, 2.5}, 1};
	struct pb_safe_pack pack = {1, &one, 0.25, 0.5, 100, 1};
	struct pb_safe_prey prey = {{0, 0}, 0, 1, 0};
	struct pb_safe_hound hound;
	int node;

	prey.block = block_at(prey.at);
	hound = pb_safe_hound_at(&h.k->chase, &one);
	node = hound.node;
	pb_safe_chase_step(&h.k->chase, &pack, &prey, 1, 1, &hound);
	check_int(hound.node, node);
	pb_safe_chase_step(&h.k->chase, &pack, &prey, 2, 1, &hound);
	check(hound.node != node);
}

/* Who stands is come to, as near as hunters can: also off a block's middle. */
static void
test_they_come_to_who_stands(void)
{
	for (int i = 0; i < h.k->net.n; i += 7) {
		struct pb_vec p = h.k->net.at[i];
		struct pb_safe_hunter one = {PB_HUNTER_BLINKY, {5.5, 2.5}, 0};
		struct pb_safe_pack pack = {1, &one, 0.25, 0.5, 100, 1};
		struct pb_safe_prey prey = {p, block_at(p), 1, 0};
		struct pb_safe_hound hound =
		    pb_safe_hound_at(&h.k->chase, &one);
		struct pb_vec near;

		for (int t = 1; t <= 60; t++)
			pb_safe_chase_step(
			    &h.k->chase, &pack, &prey, t, 1, &hound);
		near = pb_clyde_place(&h.a->clyde,
		    pb_grid_cell(&h.a->clyde.grid,
			pb_hunter_near(&h.a->clyde, h.a->hunters.part, p)));
		check(pb_dist(near, h.k->walk.at[hound.node]) < 0.15);
	}
}

/* To flee costs most beside the hunter, and less with each metre of its way. */
static void
test_near_is_worse(void)
{
	const struct pb_safe_net *net;
	double near = 0, far = 0;
	int nears = 0, fars = 0;

	net = h.k->value.net;
	for (int x = 0; x < net->n; x++) {
		struct pb_safe_hunter one = {PB_HUNTER_BLINKY, {5.5, 2.5}, 0};
		struct pb_safe_hound hound =
		    pb_safe_hound_at(&h.k->chase, &one);
		double d = pb_dist(net->at[x], one.at);
		float worth = pb_safe_chase_worth(&h.k->chase, x, &hound);

		check(worth >= 0 && worth <= 2);
		near += d < 1 ? worth : 0;
		nears += d < 1;
		far += d > 4 ? worth : 0;
		fars += d > 4;
	}
	check(nears > 0 && fars > 0 && near / nears > 2 * far / fars);
}

int
main(void)
{
	run(hunt_make);
	run(test_ways_begin_as_theirs);
	run(test_they_walk_as_hunters_do);
	run(test_who_is_harmless_stays);
	run(test_they_come_to_who_stands);
	run(test_near_is_worse);
	hunt_clear();
	return done();
}
