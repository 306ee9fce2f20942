/*
 * round.c - tests of whole games: the same bytes everywhere, copies, who
 * judges, and every way in which a round can end. Malloc is counted: a step
 * must not allocate.
 */
#include "check.h"

#include <stdbool.h>
#include <string.h>

#include "game/round.h"
#include "policy/policy.h"

/*
 * A walled house of 8 x 6 m, cells of 0.1 m, with a wall across and a gap in
 * it; rooms of different width, so that no way is as long as another.
 */
static struct pb_map
house(void)
{
	enum { W = 80, H = 60 };
	struct pb_map m = {0};

	check_int(
	    pb_map_init(&m, W, H, 0.1, (struct pb_pose){-1, -2, 0}), PB_OK);
	for (int i = 0; i < W * H; i++) {
		int x = i % W, y = i / W;
		bool edge = x == 0 || y == 0 || x == W - 1 || y == H - 1;
		bool wall = x == 37 && (y < 22 || y > 33);

		m.cell[i] = edge || wall ? 100 : 0;
	}
	return m;
}

/* An arena, what the player learnt of it, and a game. */
struct game {
	struct pb_arena *a;
	const struct pb_player *p;
	void *known;
	struct pb_round *r;
};

static struct game
game_on(const struct pb_map *m, const struct pb_round_opts *o,
    const struct pb_pellets *s, const struct pb_player *p)
{
	struct game g = {.p = p};

	check_int(pb_arena_new(&g.a, m, o, s, NULL), PB_OK);
	if (p->learn)
		check_int(p->learn(g.a, o, &g.known), PB_OK);
	check_int(pb_round_new(&g.r, g.a, o, p, g.known), PB_OK);
	return g;
}

static struct game
game(const struct pb_round_opts *o, const struct pb_player *p)
{
	struct pb_map m = house();
	struct game g = game_on(&m, o, NULL, p);

	pb_map_clear(&m);
	return g;
}

static void
over(struct game g)
{
	pb_round_free(g.r);
	if (g.known)
		g.p->forget(g.known);
	pb_arena_free(g.a);
}

/* Press start whenever it can be pressed, for `steps` steps. */
static void
steps(struct pb_round *r, int n)
{
	for (int i = 0; i < n; i++) {
		pb_round_step(r);
		if (pb_round_state(r) == PB_MENU && pb_round_localized(r))
			pb_round_press_start(r);
	}
}

static struct pb_round_opts
noisy(void)
{
	struct pb_round_opts o = pb_round_defaults();

	o.pose_sd = 0.1;
	o.clyde_trail = 2;
	o.clyde_missed = 0.2;
	o.v_max = 0.4;
	return o;
}

/*
 * Pinned: several rounds, deaths, shows and all. The number is the same for
 * gcc and clang, -O0 and -O3; whoever changes the model changes it here.
 */
static void
test_pinned(void)
{
	struct pb_round_opts o = noisy();
	struct game g = game(&o, &pb_player_seed);

	pb_round_start(g.r, 42, 7);
	steps(g.r, 40000);
	check(pb_round_ended(g.r) > 5);
	if (pb_round_hash(g.r) != UINT64_C(0x9ca9b1b8de71b113))
		printf("# 0x%016llx\n", (unsigned long long)pb_round_hash(g.r));
	check(pb_round_hash(g.r) == UINT64_C(0x9ca9b1b8de71b113));
	over(g);
}

/* What was played before, and who watches, leaves no trace. */
static void
count_events(void *ctx, const struct pb_event *e)
{
	(void)e;
	++*(long *)ctx;
}

static void
test_same_again(void)
{
	struct pb_round_opts o = noisy();
	struct game g = game(&o, &pb_player_seed);
	struct pb_outcome a, b, c;
	long events = 0;

	a = pb_round_play(g.r, 5, 1);
	b = pb_round_play(g.r, 5, 2);
	pb_round_watch(g.r, count_events, &events);
	c = pb_round_play(g.r, 5, 1);
	check(a.hash == c.hash && a.hash != b.hash && events > 1000);
	check(a.time == c.time && a.collected == c.collected);
	over(g);
}

/* A copy at any moment goes on as the original does. */
static void
test_copy(const struct pb_player *p)
{
	struct pb_round_opts o = noisy();
	struct game g = game(&o, p);
	struct pb_round *twin = NULL;

	check_int(pb_round_new(&twin, g.a, &o, p, g.known), PB_OK);
	pb_round_start(g.r, 1, 3);
	steps(twin, 700);
	for (int k = 0; k < 12; k++) {
		steps(g.r, 301);
		pb_round_copy(twin, g.r);
		check(pb_round_hash(twin) == pb_round_hash(g.r));
		steps(g.r, 400);
		steps(twin, 400);
		check(pb_round_hash(twin) == pb_round_hash(g.r));
	}
	pb_round_free(twin);
	over(g);
}

static void
test_copies(void)
{
	const struct pb_player *p;

	for (int i = 0; (p = pb_policy_at(i)); i++)
		test_copy(p);
}

/* Two players on one seed meet the same Clyde, place by place. */
struct walk {
	int n;
	struct pb_vec at[2000];
};

static void
note_clyde(void *ctx, const struct pb_event *e)
{
	struct walk *w = ctx;

	if (e->kind == PB_EV_CLYDE && w->n < 2000)
		w->at[w->n++] = pb_pose_vec(e->pose);
}

static void
test_same_clyde(void)
{
	static struct walk w[2];
	const struct pb_player *who[2] = {&pb_player_seed, &pb_player_nearest};
	struct pb_round_opts o = noisy();
	int same = 0;

	o.death_radius = 0; /* so that both go on for long */
	for (int i = 0; i < 2; i++) {
		struct game g = game(&o, who[i]);

		w[i].n = 0;
		pb_round_watch(g.r, note_clyde, &w[i]);
		pb_round_play(g.r, 9, 4);
		over(g);
	}
	while (same < w[0].n && same < w[1].n &&
	       pb_dist(w[0].at[same], w[1].at[same]) == 0)
		same++;
	check(same > 150);
	check(same == w[0].n || same == w[1].n);
}

/* Allocations of this program, if the C library lets them be counted. */
static long allocated;

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define COUNTED 1
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

void *
malloc(size_t n)
{
	allocated++;
	return __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	allocated++;
	return __libc_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	allocated++;
	return __libc_realloc(p, n);
}
#else
#define COUNTED 0
#endif

static void
test_steps_allocate_nothing(void)
{
	struct pb_round_opts o = noisy();
	const struct pb_player *p;

	for (int i = 0; (p = pb_policy_at(i)); i++) {
		struct game g = game(&o, p);
		long before = allocated;

		check(!COUNTED || before > 0);
		pb_round_start(g.r, 2, 2);
		steps(g.r, 3000);
		check_int(allocated, before);
		over(g);
	}
}

/* Each judge by its own pose, at each pickup and at the death. */
struct judging {
	const struct pb_round *r;
	const struct pb_arena *a;
	struct pb_vec estimate;
	int pickups, deaths;
	int off[2]; /* of them out of reach: of the estimate, of the truth */
};

static void
judge_event(void *ctx, const struct pb_event *e)
{
	struct judging *j = ctx;
	struct pb_vec at;
	double reach = 0.25 + 1e-9;

	if (e->kind == PB_EV_ESTIMATE)
		j->estimate = pb_pose_vec(e->pose);
	if (e->kind != PB_EV_STATUS)
		return;
	if (strcmp(e->text, "pellet_collected") == 0) {
		at = j->a->at[e->id];
		j->pickups++;
	} else if (strcmp(e->text, "death_detected") == 0) {
		at = pb_round_clyde(j->r);
		j->deaths++;
	} else {
		return;
	}
	j->off[0] += pb_dist(j->estimate, at) > reach;
	j->off[1] += pb_dist(pb_pose_vec(pb_round_truth(j->r)), at) > reach;
}

static void
test_judges(void)
{
	for (int judge = PB_JUDGE_ESTIMATE; judge <= PB_JUDGE_TRUTH; judge++) {
		struct pb_round_opts o = pb_round_defaults();
		struct judging j = {0};
		struct game g;

		o.pose_sd = 0.2;
		o.v_max = 0.31;
		o.clyde_speed = 0.5;
		o.judge = judge;
		o.collect_on_arrival = false;
		g = game(&o, &pb_player_seed);
		j = (struct judging){.r = g.r, .a = g.a};
		pb_round_watch(g.r, judge_event, &j);
		for (uint64_t trial = 0; trial < 20; trial++)
			pb_round_play(g.r, 3, trial);
		check(j.pickups > 20 && j.deaths > 3);
		check_int(j.off[judge], 0);
		check(j.off[1 - judge] > 3);
		over(g);
	}
}

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

static void
test_given_up(void)
{
	struct pb_pellet two[2] = {
	    {.id = 0, .at = {1.5, 1}}, {.id = 1, .at = {6.2, 1}}};
	struct pb_pellets s = {.n = 2, .all = two};
	struct pb_round_opts o = quiet_at(0, 0);
	struct pb_map m = closet();
	struct game g = game_on(&m, &o, &s, &pb_player_seed);
	struct pb_outcome e = pb_round_play(g.r, 1, 1);

	check_int(e.ending, PB_PARTIAL);
	check(e.spawned == 2 && e.collected == 1 && e.removed >= 1);
	check(e.missed == 2 && e.score == 1);
	over(g);
	pb_map_clear(&m);
}

/* A pellet at home is picked up before the round and counts for nothing. */
static void
test_pellet_at_home(void)
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

static void
test_complete(void)
{
	struct pb_round_opts o = quiet_at(0, 0);
	struct game g = game(&o, &pb_player_nearest);
	struct pb_outcome e = pb_round_play(g.r, 1, 1);

	check_int(e.ending, PB_DONE);
	check(e.spawned == g.a->n && e.collected == g.a->n && e.missed == 0);
	check(e.time > 0 && e.time < 200 && e.distance > 5);
	check(e.distance < 0.65 * e.time && e.round == 1);
	/* Home, and the next round is a faster one. */
	for (int i = 0; i < 2000 && pb_round_state(g.r) != PB_MENU; i++)
		pb_round_step(g.r);
	check_int(pb_round_controller(g.r)->round, 2);
	check_near(pb_controller_speed(pb_round_controller(g.r)), 0.3, 1e-12);
	over(g);
}

static void
test_killed(void)
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
do_nothing(void *mem, const void *known, const struct pb_view *v,
    struct pb_answer *out)
{
	(void)mem;
	(void)known;
	(void)v;
	out->kind = PB_STOP;
}

static void
test_out_of_time(void)
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
	check_int(pb_round_state(g.r), PB_MENU);
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
static void
test_home_failed(void)
{
	struct pb_round_opts o = quiet_at(0, 0);
	struct game g;
	int failed = 0;

	o.pose_sd = 10;
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
static void
test_services(void)
{
	struct pb_round_opts o = quiet_at(0, 0);
	struct game g = game(&o, &pb_player_seed);
	struct pb_vec c;

	pb_round_start(g.r, 1, 1);
	check(!pb_round_localized(g.r));
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
	c = pb_round_clyde(g.r);
	check(hypot(c.x, c.y) < 0.1);
	check_int(pb_round_click(g.r, (struct pb_vec){-9, 0}), PB_EWALL);
	pb_round_reset_clyde(g.r); /* the clicked cell stays his */
	check(pb_dist(c, pb_round_clyde(g.r)) == 0);
	steps(g.r, 400);
	check_int(pb_round_state(g.r), PB_RUNNING);
	check(pb_round_click(g.r, (struct pb_vec){0, 0}) != PB_OK);
	pb_round_press_reset(g.r);
	check_int(pb_round_state(g.r), PB_MENU);
	over(g);
}

int
main(void)
{
	run(test_pinned);
	run(test_same_again);
	run(test_copies);
	run(test_same_clyde);
	run(test_steps_allocate_nothing);
	run(test_judges);
	run(test_given_up);
	run(test_pellet_at_home);
	run(test_complete);
	run(test_killed);
	run(test_out_of_time);
	run(test_home_failed);
	run(test_services);
	return done();
}
