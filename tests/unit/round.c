/*
 * round.c - tests of whole games: the same bytes everywhere, copies, and who
 * judges. Malloc is counted: a step must not allocate.
 */
#include "check.h"
#include "rounds.h"

#include "game/pacmanbot/round_state.h"
#include "policy/players.h"

static struct pb_round_opts
noisy(void)
{
	struct pb_round_opts o = pb_round_defaults();

	o.estimate.sd = 0.1;
	o.clyde_trail = 2;
	o.clyde_missed = 0.2;
	o.v_max = 0.4;
	return o;
}

/*
 * Pinned: several rounds, deaths, shows and all. The number is the same for
 * gcc and clang, -O0 and -O3; whoever changes the model changes it here.
 */
test(pinned)
{
	struct pb_round_opts o = noisy();
	struct game g = game(&o, &pb_player_seed);

	pb_round_start(g.r, 42, 7);
	steps(g.r, 40000);
	check(g.r->g.track.ended > 5);
	if (pb_round_hash(g.r) != UINT64_C(0xf34ec022865b9fa3))
		printf("# 0x%016llx\n", (unsigned long long)pb_round_hash(g.r));
	check(pb_round_hash(g.r) == UINT64_C(0xf34ec022865b9fa3));
	over(g);
}

/* The house in the middle of an image of 200 x 150 cells. */
static struct pb_map
padded(signed char with, double yaw)
{
	struct pb_map m = house(), p = {0};

	check_int(
	    pb_map_init(&p, 200, 150, 0.1, (struct pb_pose){-7.3, -1.1, yaw}),
	    PB_OK);
	memset(p.cell, with, pb_map_cells(&p));
	for (int row = 0; row < m.height; row++)
		memcpy(p.cell + (size_t)(row + 43) * 200 + 61,
		    m.cell + (size_t)row * (size_t)m.width, (size_t)m.width);
	pb_map_clear(&m);
	return p;
}

/*
 * A game needs memory for what is known only, and nobody can tell: not from
 * the game in a house amid cells known as walls, which is kept whole.
 */
test(known_part)
{
	struct pb_round_opts o = noisy();

	for (int i = 0; i < 2; i++) {
		struct pb_map m = padded(-1, i * 0.7);
		struct pb_map w = padded(100, i * 0.7);
		const struct pb_player *p =
		    i ? &pb_player_safe : &pb_player_seed;
		struct pb_pellet_opts po = pb_pellet_defaults();
		struct pb_pellets s;
		struct game a, b;

		po.center = true; /* the published places ignore a yaw */
		check_int(pb_pellets_lay(&s, &m, &po), PB_OK);
		a = game_on(&m, &o, i ? &s : NULL, p);
		b = game_on(&w, &o, i ? &s : NULL, p);
		check_int((long long)pb_map_cells(&a.a->map), 80 * 60);
		check_int((long long)pb_map_cells(&b.a->map), 200 * 150);
		pb_round_start(a.r, 5, 0);
		pb_round_start(b.r, 5, 0);
		steps(a.r, 4000);
		steps(b.r, 4000);
		check(pb_round_hash(a.r) == pb_round_hash(b.r));
		over(a);
		over(b);
		pb_pellets_clear(&s);
		pb_map_clear(&m);
		pb_map_clear(&w);
	}
}

/* What was played before, and who watches, leaves no trace. */
static void
count_events(void *ctx, const struct pb_event *e)
{
	(void)e;
	++*(long *)ctx;
}

test(same_again)
{
	struct pb_round_opts o = noisy();
	struct game g = game(&o, &pb_player_seed);
	struct pb_outcome a, b, c;
	long events = 0;

	a = pb_round_play(g.r, 5, 1);
	b = pb_round_play(g.r, 5, 2);
	pb_round_set_agents(
	    g.r, &(struct pb_agents){.emit = count_events, .ctx = &events});
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

	check_int(pb_round_new(&twin, g.a, &o, p, g.model), PB_OK);
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

test(copies)
{
	const struct pb_player *p;

	for (int i = 0; (p = pb_pacmanbot_players[i]); i++)
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

	if (e->kind == PB_EVENT_POSE && e->body == 1 && w->n < 2000)
		w->at[w->n++] = pb_pose_vec(e->pose);
}

test(same_clyde)
{
	static struct walk w[2];
	const struct pb_player *who[2] = {&pb_player_seed, &pb_player_nearest};
	struct pb_round_opts o = noisy();
	int same = 0;

	o.death_radius = 0; /* so that both go on for long */
	for (int i = 0; i < 2; i++) {
		struct game g = game(&o, who[i]);

		w[i].n = 0;
		pb_round_set_agents(
		    g.r, &(struct pb_agents){.emit = note_clyde, .ctx = &w[i]});
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

test(steps_allocate_nothing)
{
	struct pb_round_opts o = noisy();
	const struct pb_player *p;

	for (int i = 0; (p = pb_pacmanbot_players[i]); i++) {
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

	if (e->kind == PB_EVENT_ESTIMATE)
		j->estimate = pb_pose_vec(e->pose);
	if (e->kind != PB_EVENT_REPORT)
		return;
	if (strcmp(e->name, "pellet_collected") == 0) {
		at = j->a->at[e->pellet];
		j->pickups++;
	} else if (strcmp(e->name, "death_detected") == 0) {
		at = j->r->clyde.at;
		j->deaths++;
	} else {
		return;
	}
	j->off[0] += pb_dist(j->estimate, at) > reach;
	j->off[1] += pb_dist(pb_pose_vec(j->r->g.truth), at) > reach;
}

test(judges)
{
	for (int judge = PB_JUDGE_ESTIMATE; judge <= PB_JUDGE_TRUTH; judge++) {
		struct pb_round_opts o = pb_round_defaults();
		struct judging j = {0};
		struct game g;

		o.estimate.sd = 0.2;
		o.v_max = 0.31;
		o.clyde_speed = 0.5;
		o.judge = judge;
		o.collect_on_arrival = false;
		g = game(&o, &pb_player_seed);
		j = (struct judging){.r = g.r, .a = g.a};
		pb_round_set_agents(
		    g.r, &(struct pb_agents){.emit = judge_event, .ctx = &j});
		for (uint64_t trial = 0; trial < 20; trial++)
			pb_round_play(g.r, 3, trial);
		check(j.pickups > 20 && j.deaths > 3);
		check_int(j.off[judge], 0);
		check(j.off[1 - judge] > 3);
		over(g);
	}
}
