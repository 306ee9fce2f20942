/* rules_pacmanbot.c - trials of the pacmanbot rules. */
#include "policy/rules_pacmanbot.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "game/pacmanbot/round.h"
#include "policy/policy.h"

struct seat {
	struct pb_round *round;
	double limit; /* of a trial's time (s) */
};

static const char *const outcomes[] = {
    "complete", "partial", "killed", "timeout", "stuck", "home_failed", NULL};

static const char *
player_name(int i, const char **about)
{
	const struct pb_player *p = pb_policy_at(i);

	*about = p ? p->summary : NULL;
	return p ? p->name : NULL;
}

static uint64_t
hash_vec(uint64_t h, struct pb_vec v)
{
	return pb_hash_double(pb_hash_double(h, v.x), v.y);
}

/* The round is a key of its own and no part of the options. */
static uint64_t
fingerprint(const void *opts, const struct pb_pellets *pellets)
{
	const struct pb_round_opts *o = opts;
	uint64_t h = PB_HASH_START;
	size_t n;
	const struct pb_param *p = pb_round_params(&n);

	for (size_t i = 0; i < n; i++)
		if (strcmp(p[i].name, "round") != 0)
			h = pb_params_hash(h, &p[i], 1, o);
	h = pb_hash_u64(h, o->has_start);
	if (o->has_start)
		h = pb_hash_double(
		    hash_vec(h, pb_pose_vec(o->start)), o->start.th);
	h = pb_hash_u64(h, o->has_spawn);
	if (o->has_spawn)
		h = hash_vec(h, o->spawn);
	h = pb_hash_u64(h, pellets ? pellets->n : 0);
	for (size_t i = 0; pellets && i < pellets->n; i++)
		h = hash_vec(h, pellets->all[i].at);
	return h;
}

static enum pb_status
world_new(
    void **world, const struct pb_ground *g, const void *opts, const char **why)
{
	struct pb_arena *a;
	enum pb_status s = pb_arena_new(&a, g->map, opts, g->pellets, why);

	if (s == PB_OK)
		*world = a;
	return s;
}

static void
world_free(void *world)
{
	pb_arena_free(world);
}

static int
beyond(const void *world)
{
	const struct pb_arena *a = world;

	return a->n - a->reach;
}

static struct pb_round_opts
opts_of_round(const void *opts, int round)
{
	struct pb_round_opts o = *(const struct pb_round_opts *)opts;

	o.round = round;
	return o;
}

static enum pb_status
lesson_new(
    void **lesson, const void *world, const void *opts, int player, int round)
{
	const struct pb_player *p = pb_policy_at(player);
	struct pb_round_opts o = opts_of_round(opts, round);

	*lesson = NULL;
	return p->learn ? p->learn(world, &o, lesson) : PB_OK;
}

static void
lesson_free(void *lesson, int player)
{
	const struct pb_player *p = pb_policy_at(player);

	if (p->forget && lesson)
		p->forget(lesson);
}

static void
seat_free(void *arg)
{
	struct seat *s = arg;

	if (!s)
		return;
	pb_round_free(s->round);
	free(s);
}

static enum pb_status
seat_new(void **seat, const void *world, const void *opts, int player,
    int round, const void *lesson)
{
	struct pb_round_opts o = opts_of_round(opts, round);
	struct seat *s = calloc(1, sizeof(*s));
	enum pb_status st;

	if (!s)
		return PB_ENOMEM;
	s->limit = o.duration;
	st = pb_round_new(&s->round, world, &o, pb_policy_at(player), lesson);
	if (st != PB_OK) {
		free(s);
		return st;
	}
	*seat = s;
	return PB_OK;
}

void
pb_trial_ended(struct pb_trial *r, const struct pb_outcome *e, double limit)
{
	const char *name = pb_ending_name(e->ending);

	memcpy(r->outcome, name, strlen(name) + 1);
	r->collected = e->collected;
	r->total = e->spawned;
	r->score = e->score;
	r->time = e->time;
	r->limit = limit;
	r->success = e->ending == PB_DONE;
	r->removed = e->removed;
	r->deaths = r->levels = r->eaten = r->decisions = -1;
	r->driven = e->distance;
	r->nearest = e->nearest;
	r->hash = e->hash;
}

static void
play(void *arg, struct pb_trial *r)
{
	struct seat *s = arg;
	struct pb_outcome e = pb_round_play(s->round, r->seed, r->trial);

	pb_trial_ended(r, &e, s->limit);
}

const struct pb_rules pb_rules_pacmanbot = {
    .name = "pacmanbot",
    .summary = "a house, a robot, one ghost",
    .outcome = outcomes,
    .usual = "seed",
    .rounds = 10,
    .player = player_name,
    .fingerprint = fingerprint,
    .world = world_new,
    .world_free = world_free,
    .beyond = beyond,
    .lesson = lesson_new,
    .lesson_free = lesson_free,
    .seat = seat_new,
    .seat_free = seat_free,
    .play = play,
};
