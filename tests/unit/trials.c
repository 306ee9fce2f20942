/* trials.c - tests of playing many trials, with rules made up for it. */
#define CHECK_MAIN
#include "check.h"

#include <stdatomic.h>

#include "base/hash.h"
#include "io/tool/bench.h"
#include "pb/tally.h"

/*
 * The made-up game: draw as many numbers as the options say; odd is won.
 * Player 1 draws one more. Worlds, lessons and seats are counted.
 */
static atomic_int worlds, lessons, seats, played;
static int seats_left = 1000;

static const char *const fake_outcomes[] = {"won", "lost", NULL};

struct fake_opts {
	int draws, round;
};

struct fake_seat {
	struct pb_player_state ps;
	int player;
	struct fake_opts o;
};

static const struct pb_player plain = {.name = "plain", .summary = "draws"},
			      more = {.name = "more", .summary = "draws"};
static const struct pb_player *const fake_players[] = {&plain, &more, NULL};

#define PB_PARAMS_OF struct fake_opts
static const struct pb_param fake_rows[] = {
    PB_COUNT("draws", draws, "", 0, 0, 100, "numbers"),
    PB_COUNT("round", round, "", 0, 1, 10, "of the game"),
};

static const struct pb_params fake_params = PB_PARAMS(fake_rows);

static uint64_t
fake_fingerprint(
    const void *opts, const struct pb_pellets *p, const char *player)
{
	(void)p;
	(void)player;
	return (uint64_t)((const struct fake_opts *)opts)->draws;
}

static enum pb_status
fake_prepare(const struct pb_ground *g, const void *opts, void **world,
    struct pb_refusal *no)
{
	(void)opts;
	if (g->map->width < 2) {
		*no = (struct pb_refusal){"too narrow", -1, -1};
		return PB_ENOFREE;
	}
	worlds++;
	*world = malloc(1);
	return PB_OK;
}

static void
fake_discard(void *world)
{
	worlds--;
	free(world);
}

static enum pb_status
fake_learn(const struct pb_player *p, const void *world, const void *opts,
    void **model)
{
	(void)opts;
	(void)world;
	if (p == &more) {
		lessons++;
		*model = malloc(1);
	}
	return PB_OK;
}

static void
fake_forget(const struct pb_player *p, void *model)
{
	(void)p;
	lessons--;
	free(model);
}

static enum pb_status
fake_open(void **state, const struct pb_player_state *ps)
{
	struct fake_seat *s;

	check(!ps->model == (ps->player != &more));
	if (seats >= seats_left)
		return PB_ENOMEM;
	s = malloc(sizeof(*s));
	*s = (struct fake_seat){
	    *ps, ps->player == &more, *(const struct fake_opts *)ps->opts};
	seats++;
	*state = s;
	return PB_OK;
}

static void
fake_close(void *state)
{
	seats--;
	free(state);
}

static void
fake_play(void *state, struct pb_trial *r, const struct pb_agents *c)
{
	const struct fake_seat *s = state;
	struct pb_rng g;
	uint64_t v = 0;

	(void)c;
	played++;
	pb_rng_start(&g, r->seed, r->trial, PB_FOR_TRIAL, (unsigned)s->o.round);
	for (int i = 0; i < s->o.draws + s->player; i++)
		v = pb_rng_u64(&g);
	r->success = v % 2;
	strcpy(r->outcome, fake_outcomes[!r->success]);
	r->total = 8;
	r->collected = (int)(v % 9);
	r->hash = v;
}

static const struct pb_game fake_game = {.name = "fake",
    .outcome = fake_outcomes,
    .rounds = 10,
    .opts_size = sizeof(struct fake_opts),
    .params = &fake_params,
    .fingerprint = fake_fingerprint,
    .prepare = fake_prepare,
    .discard = fake_discard,
    .learn = fake_learn,
    .forget = fake_forget,
    .open = fake_open,
    .close = fake_close,
    .play = fake_play};

static const struct pb_rules fake = {&fake_game, fake_players};

/* What came out of a run. */
struct got {
	uint64_t n;
	uint64_t fresh;
	uint64_t hash;
	uint64_t stop_after; /* none if 0 */
	struct pb_tally *tally;
	struct pb_trial first[8];
};

static uint64_t
hash_trial(uint64_t h, const struct pb_trial *r)
{
	h = pb_hash_bytes(h, r->policy, strlen(r->policy));
	h = pb_hash_bytes(h, r->outcome, strlen(r->outcome));
	h = pb_hash_u64(h, (uint64_t)r->round);
	return pb_hash_u64(pb_hash_u64(h, r->trial), r->hash);
}

static bool
take(void *ctx, const struct pb_trial *r, int who, bool fresh)
{
	struct got *g = ctx;

	(void)who;
	if (g->stop_after && g->n == g->stop_after)
		return false;
	if (g->n < 8)
		g->first[g->n] = *r;
	g->n++;
	g->fresh += fresh;
	g->hash = hash_trial(g->hash, r);
	check_int(pb_tally_add(g->tally, r), PB_TALLY_ADDED);
	return true;
}

static const struct fake_opts three_draws = {3, 1};
static const struct pb_experiment both = {
    .rules = &fake, .players = {{0, 1}, 2}, .rounds = {{1, 4}, 2}};
static struct pb_bench_opts o;
static struct pb_map map;

static struct pb_trials
request(struct got *g)
{
	*g = (struct got){.hash = PB_HASH_START, .tally = pb_tally_new()};
	o.seed = 5;
	o.trials = 50;
	o.shard = (struct pb_shard){0, 1};
	o.jobs = 1;
	return (struct pb_trials){.o = &o,
	    .e = &both,
	    .opts = &three_draws,
	    .ground = {.map = &map},
	    .take = take,
	    .ctx = g};
}

static void
nothing_left(struct got *g)
{
	check_int(worlds, 0);
	check_int(lessons, 0);
	check_int(seats, 0);
	pb_tally_free(g->tally);
}

test(order)
{
	struct got g;
	struct pb_trials t = request(&g);

	pb_trials_run(&t);
	check_int(t.status, PB_OK);
	check_int(t.end, PB_WORK_DONE);
	check_int((long long)t.taken, 200);
	check_int((long long)pb_trials_count(&o, &both), 200);
	check_int((long long)g.n, 200);
	check_str(g.first[0].policy, "plain");
	check_str(g.first[1].policy, "more");
	check(g.first[1].trial == 0 && g.first[2].trial == 1);
	check(g.first[0].round == 1 && g.first[0].seed == 5);
	check_str(g.first[0].map, "hall");
	check(g.first[0].map_hash == pb_map_hash(&map));
	check(g.first[0].options == 3);
	check_int(pb_tally_groups(g.tally), 4);
	nothing_left(&g);
}

test(threads)
{
	struct got one, g;
	struct pb_trials t = request(&one);

	pb_trials_run(&t);
	nothing_left(&one);
	for (int threads = 2; threads < 20; threads += 3) {
		t = request(&g);
		o.jobs = threads;
		pb_trials_run(&t);
		check(g.hash == one.hash && g.n == one.n);
		nothing_left(&g);
	}
}

/* The shards together hold every trial once. */
test(shards)
{
	for (uint64_t shards = 1; shards < 60; shards += 7) {
		struct got all;
		struct pb_trials t = request(&all);

		o.shard.n = shards;
		for (o.shard.i = 0; o.shard.i < shards; o.shard.i++) {
			uint64_t before = all.n;

			pb_trials_run(&t);
			check(all.n - before == pb_trials_count(&o, &both));
		}
		check_int((long long)all.n, 200);
		nothing_left(&all);
	}
}

test(known_are_not_played)
{
	struct got first, rest;
	struct pb_trials t = request(&first), u = request(&rest);
	uint64_t whole;

	pb_trials_run(&t);
	whole = first.hash;
	pb_tally_free(first.tally);
	t = request(&first);
	first.stop_after = 77;
	pb_trials_run(&t);
	check_int(t.end, PB_WORK_STOPPED);
	check_int((long long)first.n, 77);
	u.known = first.tally;
	o.jobs = 3;
	played = 0;
	pb_trials_run(&u);
	check_int(u.end, PB_WORK_DONE);
	/* In the round that is half known, each player plays one again. */
	check_int(played, 200 - 77 + both.players.n);
	check_int((long long)rest.fresh, 200 - 77);
	check_int((long long)rest.n, 200);
	check(rest.hash == whole);
	nothing_left(&rest);
	pb_tally_free(first.tally);
}

static bool
never(void *ctx, uint64_t taken)
{
	(void)ctx;
	(void)taken;
	return false;
}

test(failures)
{
	struct got g;
	struct pb_trials t = request(&g);
	struct pb_map narrow = map;

	narrow.width = 1;
	t.ground.map = &narrow;
	pb_trials_run(&t);
	check_int(t.status, PB_ENOFREE);
	check(t.no.why && strcmp(t.no.why, "too narrow") == 0);
	t.ground.map = &map;
	seats_left = 0; /* not even one to try */
	o.jobs = 3;
	pb_trials_run(&t);
	check_int(t.status, PB_ENOMEM);
	seats_left = 1000;
	check_int((long long)g.n, 0);
	o.trials = 0;
	t.pause = never;
	pb_trials_run(&t);
	check_int(t.status, PB_OK);
	check_int((long long)t.taken, 0);
	nothing_left(&g);
}

int
main(void)
{
	struct pb_pose origin = {0, 0, 0};

	if (pb_map_init(&map, 3, 2, 0.5, origin) != PB_OK)
		return 1;
	strcpy(map.name, "hall");
	run_tests();
	pb_map_clear(&map);
	return done();
}
