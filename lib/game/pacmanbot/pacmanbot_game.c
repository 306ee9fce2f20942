/* pacmanbot_game.c - the PacManBot game as a rule set. */
#include "game/pacmanbot/pacmanbot_game.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

static const char *const bodies[] = {"robot", "clyde", NULL};
static const char *const outcomes[] = {
    "complete", "partial", "killed", "timeout", "stuck", "home_failed", NULL};

struct state {
	struct pb_seat seat;
	struct pb_round *round; /* owned, with the player's memory */
};

static void
defaults(void *opts)
{
	*(struct pb_round_opts *)opts = pb_round_defaults();
}

static const char *
check(const void *opts)
{
	const char *field = NULL;

	pb_round_check(opts, &field);
	return field;
}

static enum pb_status
preset(void *opts, const char *name)
{
	return pb_round_preset(opts, name);
}

static const char *
place(const void *opts, int i, double v[3], int *n)
{
	const struct pb_round_opts *o = opts;

	if (i == 0) {
		*n = o->has_start ? 3 : 0;
		v[0] = o->start.x;
		v[1] = o->start.y;
		v[2] = o->start.th;
		return "start";
	}
	*n = o->has_spawn ? 2 : 0;
	v[0] = o->spawn.x;
	v[1] = o->spawn.y;
	return i == 1 ? "spawn-at" : NULL;
}

static int
count_bodies(const void *opts)
{
	(void)opts;
	return 2;
}

static bool
has_bodies(const void *opts)
{
	(void)opts;
	return true;
}

static uint64_t
hash_vec(uint64_t h, struct pb_vec v)
{
	return pb_hash_double(pb_hash_double(h, v.x), v.y);
}

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
prepare(const struct pb_ground *g, const void *opts, void **world,
    struct pb_refusal *no)
{
	struct pb_arena *a;
	enum pb_status st;

	*no = (struct pb_refusal){NULL, -1, -1};
	st = pb_arena_new(&a, g->map, opts, g->pellets, &no->why);
	if (st == PB_OK)
		*world = a;
	else if (st != PB_ENOMEM && !no->why)
		no->why = pb_status_text(st);
	return st;
}

static void
discard(void *world)
{
	pb_arena_free(world);
}

static int
beyond(const void *world)
{
	const struct pb_arena *a = world;

	return a->n - a->reach;
}

static enum pb_status
open_state(void **state, const struct pb_seat *seat)
{
	struct state *s = calloc(1, sizeof(*s));
	enum pb_status st;

	if (!s)
		return PB_ENOMEM;
	s->seat = *seat;
	st = pb_round_new(
	    &s->round, seat->world, seat->opts, seat->player, seat->known);
	if (st == PB_OK)
		*state = s;
	else
		free(s);
	return st;
}

static void
close_state(void *state)
{
	struct state *s = state;

	pb_round_free(s->round);
	free(s);
}

void
pb_round_result(struct pb_trial *r, const struct pb_outcome *e, double limit)
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
play(void *state, struct pb_trial *r)
{
	struct state *s = state;
	const struct pb_round_opts *o = s->seat.opts;
	struct pb_outcome e = pb_round_play(s->round, r->seed, r->trial);

	pb_round_result(r, &e, o->duration);
}

const struct pb_game pb_game_pacmanbot = {
    .name = "pacmanbot",
    .summary = "a house, a robot, one ghost",
    .usual = "seed",
    .body = bodies,
    .outcome = outcomes,
    .behaviour = "clyde",
    .rounds = 10,
    .heading = "Constants of pacmanbot",
    .with = "rules=pacmanbot",
    .opts_size = sizeof(struct pb_round_opts),
    .params = pb_round_params,
    .defaults = defaults,
    .check = check,
    .preset_name = pb_round_preset_name,
    .preset = preset,
    .place = place,
    .fingerprint = fingerprint,
    .bodies = count_bodies,
    .drives = has_bodies,
    .prepare = prepare,
    .discard = discard,
    .beyond = beyond,
    .open = open_state,
    .close = close_state,
    .play = play,
};
