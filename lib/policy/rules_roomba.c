/* rules_roomba.c - trials of the roomba rules. */
#include "policy/rules_roomba.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "policy/roombas.h"
#include "policy/seat.h"

/* A thread's game. */
struct seat {
	struct pb_seat common;
	const struct pb_roomba_board *board;
	const struct pb_roomba_opts *opts;
	const struct pb_roomba_player *player;
	struct pb_roomba s;
	struct pb_roomba_fleet fleet;
};

static const char *const outcomes[] = {"cleared", "caught", "clock", NULL};

static const char *
player_name(int i, const char **about)
{
	const struct pb_roomba_player *p = pb_roomba_player_at(i);

	*about = p ? p->summary : NULL;
	return p ? p->name : NULL;
}

static uint64_t
fingerprint(const void *opts, const struct pb_pellets *pellets)
{
	size_t n;
	const struct pb_param *p = pb_roomba_params(&n);

	(void)pellets;
	return pb_params_hash(PB_HASH_START, p, n, opts);
}

static enum pb_status
world_new(
    void **world, const struct pb_ground *g, const void *opts, const char **why)
{
	const struct pb_roomba_opts *o = opts;
	struct pb_roomba_board *b;
	enum pb_status st = PB_ENOMEM;
	int row, col;

	*why = pb_roomba_board_wrong(g->maze, &row, &col);
	if (!*why && o->ghosts > g->maze->ghosts)
		*why = "has not so many places for ghosts; see --ghosts";
	if (!*why)
		*why = pb_roomba_fleet_wrong(g->maze, o);
	if (*why)
		return PB_EVALUE;
	b = calloc(1, sizeof(*b));
	if (b)
		st = pb_roomba_board_init(b, g->maze);
	if (st == PB_OK)
		*world = b;
	else
		free(b);
	return st;
}

static void
world_free(void *world)
{
	if (world)
		pb_roomba_board_clear(world);
	free(world);
}

static enum pb_status
seat_new(void **seat, const void *world, const void *opts, int player,
    int round, const void *lesson)
{
	struct seat *s = calloc(1, sizeof(*s));

	(void)round;
	(void)lesson;
	if (!s)
		return PB_ENOMEM;
	s->board = world;
	s->opts = opts;
	s->player = pb_roomba_player_at(player);
	*seat = s;
	return PB_OK;
}

static uint64_t
hash_state(const struct pb_roomba *s)
{
	uint64_t h = pb_hash_u64(PB_HASH_START, (uint64_t)s->tick);

	h = pb_hash_u64(h, (uint64_t)s->pacman);
	h = pb_hash_u64(h, (uint64_t)s->score);
	for (int i = 0; i < PB_ROOMBA_WORDS; i++)
		h = pb_hash_u64(h, s->dot[i]);
	for (int i = 0; i < PB_ROOMBA_GHOSTS; i++) {
		h = pb_hash_u64(h, (uint64_t)s->ghost[i].at);
		h = pb_hash_u64(h, (uint64_t)s->ghost[i].state);
	}
	return h;
}

void
pb_rules_roomba_ended(struct pb_trial *r, const struct pb_roomba *s,
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o)
{
	const char *name = pb_roomba_ending_name(s->ending);

	memcpy(r->outcome, name, strlen(name) + 1);
	r->success = s->ending == PB_ROOMBA_CLEARED;
	r->total = b->pellets;
	r->collected = b->pellets - s->left;
	r->score = s->score;
	r->time = s->tick;
	r->limit = o->limit;
	r->removed = -1;
	r->driven = r->nearest = NAN;
	r->deaths = s->deaths;
	r->killers = o->ghosts;
	memset(r->killed, 0, sizeof(r->killed));
	for (int i = 0; i < o->ghosts; i++)
		r->killed[i] = s->kills[i];
	r->eaten = s->eaten;
	r->decisions = s->tick;
	r->collisions = s->collisions;
	r->hash = hash_state(s);
}

enum pb_dir
pb_rules_roomba_ask(const struct pb_roomba_player *p, const struct pb_roomba *s,
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o,
    struct pb_rng *rng, const struct pb_roomba_fleet *f)
{
	struct pb_roomba seen = *s;
	struct pb_roomba_fleet bodies;
	const struct pb_roomba_view v = {
	    &seen, b, o, rng, f != NULL ? &bodies : NULL};

	memset(seen.rng, 0, sizeof(seen.rng));
	if (f != NULL)
		bodies = pb_roomba_fleet_seen(f);
	return p->decide(&v);
}

void
pb_rules_roomba_driven(struct pb_trial *r, const struct pb_roomba_fleet *f,
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o)
{
	pb_rules_roomba_ended(r, &f->s, b, o);
	r->time = pb_roomba_fleet_time(f, b, o);
	r->limit = o->limit * b->side / o->bodies.way.v;
}

static enum pb_dir
ask(const struct seat *g, const struct pb_roomba *s, struct pb_rng *rng,
    const struct pb_roomba_fleet *f)
{
	enum pb_dir d;

	pb_seat_around(&g->common, true);
	d = pb_rules_roomba_ask(g->player, s, g->board, g->opts, rng, f);
	pb_seat_around(&g->common, false);
	return d;
}

static void
play_driving(struct seat *g, struct pb_trial *r, struct pb_rng *rng)
{
	struct pb_roomba_fleet *f = &g->fleet;
	bool on = true;

	pb_roomba_fleet_start(f, g->board, g->opts, r->seed, r->trial);
	while (on) {
		enum pb_dir d = PB_STAY;

		if (pb_roomba_fleet_asks(f))
			d = ask(g, &f->s, rng, f);
		on = pb_roomba_fleet_step(f, g->board, g->opts, d);
		pb_roomba_heat(&f->s, g->board, &f->bot[0].rover.pose,
		    f->step % g->opts->bodies.steps == 0, &g->common.heat);
	}
	pb_rules_roomba_driven(r, f, g->board, g->opts);
}

static void
play(void *seat, struct pb_trial *r)
{
	struct seat *g = seat;
	struct pb_rng rng;
	bool on = true;

	g->common.heat = (struct pb_heat){0};
	pb_rng_start(&rng, r->seed, r->trial, PB_FOR_PLAYER, 0);
	if (g->opts->motion == PB_MOTION_DRIVE) {
		play_driving(g, r, &rng);
		return;
	}
	pb_roomba_start(&g->s, g->board, g->opts, r->seed, r->trial);
	while (on) {
		enum pb_dir d = PB_STAY;

		if (g->s.stopped == 0)
			d = ask(g, &g->s, &rng, NULL);
		on = pb_roomba_step(&g->s, g->board, g->opts, d);
		pb_roomba_heat(&g->s, g->board, NULL, true, &g->common.heat);
	}
	pb_rules_roomba_ended(r, &g->s, g->board, g->opts);
}

const struct pb_rules pb_rules_roomba = {
    .name = "roomba",
    .summary = "a board with walls between cells, ghosts without a master",
    .outcome = outcomes,
    .killer = pb_roomba_name,
    .rounds = 1,
    .on_mazes = true,
    .board = "roomba",
    .usual = "plan",
    .player = player_name,
    .fingerprint = fingerprint,
    .world = world_new,
    .world_free = world_free,
    .seat = seat_new,
    .seat_free = free,
    .play = play,
    .watch = pb_seat_watch,
    .heat = pb_seat_heat,
};
