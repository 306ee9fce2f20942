/* rules_zumy.c - trials of the zumy rules. */
#include "policy/rules_zumy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "policy/seat.h"
#include "policy/zumys.h"

/* A thread's game. */
struct seat {
	struct pb_seat common;
	const struct pb_zumy_board *board;
	const struct pb_zumy_opts *opts;
	const struct pb_zumy_player *player;
	void *mem;                  /* of the player, owned */
	struct pb_zumy_fleet fleet; /* in step, s alone plays */
};

static const char *const patrol_name[PB_ZUMY_PATROLS] = {"patrol1", "patrol2",
    "patrol3", "patrol4", "patrol5", "patrol6", "patrol7", "patrol8"};

static const char *const outcomes[] = {"reached", "seen", "draw", NULL};

static const char *
player_name(int i, const char **about)
{
	const struct pb_zumy_player *p = pb_zumy_player_at(i);

	*about = p ? p->summary : NULL;
	return p ? p->name : NULL;
}

static uint64_t
fingerprint(const void *opts, const struct pb_pellets *pellets)
{
	size_t n;
	const struct pb_param *p = pb_zumy_params(&n);

	(void)pellets;
	return pb_params_hash(PB_HASH_START, p, n, opts);
}

static enum pb_status
world_new(
    void **world, const struct pb_ground *g, const void *opts, const char **why)
{
	const struct pb_zumy_opts *o = opts;
	struct pb_zumy_board *b;
	enum pb_status st = PB_ENOMEM;

	*why = pb_zumy_board_wrong(g->maze);
	if (!*why)
		*why = pb_zumy_fleet_wrong(g->maze, o);
	if (*why)
		return PB_EVALUE;
	b = calloc(1, sizeof(*b));
	if (b)
		st = pb_zumy_board_init(b, g->maze);
	if (st == PB_OK && pb_zumy_room(b, o) < o->patrols) {
		pb_zumy_board_clear(b);
		*why =
		    "has no room for so many patrols; see --patrols, --start-distance";
		st = PB_EVALUE;
	}
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
		pb_zumy_board_clear(world);
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
	s->player = pb_zumy_player_at(player);
	s->mem = malloc(s->player->memory + 1);
	if (!s->mem) {
		free(s);
		return PB_ENOMEM;
	}
	*seat = s;
	return PB_OK;
}

static void
seat_free(void *seat)
{
	struct seat *s = seat;

	if (s)
		free(s->mem);
	free(s);
}

static uint64_t
hash_state(const struct pb_zumy *s, int patrols)
{
	uint64_t h = pb_hash_u64(PB_HASH_START, (uint64_t)s->tick);

	h = pb_hash_u64(h, (uint64_t)s->player.at.row);
	h = pb_hash_u64(h, (uint64_t)s->player.at.col);
	for (int i = 0; i < patrols; i++) {
		const struct pb_zumy_patrol *p = &s->patrol[i];

		h = pb_hash_u64(h, (uint64_t)p->body.at.row);
		h = pb_hash_u64(h, (uint64_t)p->body.at.col);
		h = pb_hash_double(h, p->s);
		for (int r = 0; r < PB_ZUMY_SIDE; r++)
			h = pb_hash_u64(h, p->map.known.row[r]);
	}
	return h;
}

void
pb_rules_zumy_ended(
    struct pb_trial *r, const struct pb_zumy *s, const struct pb_zumy_opts *o)
{
	const char *name = pb_zumy_ending_name(s->ending);

	memcpy(r->outcome, name, strlen(name) + 1);
	r->success = s->ending == PB_ZUMY_REACHED;
	r->total = 1; /* the goal */
	r->collected = r->success;
	r->score = r->success;
	r->time = (double)s->tick / PB_ZUMY_HZ;
	r->limit = (double)o->limit / PB_ZUMY_HZ;
	r->removed = -1;
	r->driven = r->nearest = NAN;
	r->deaths = s->ending == PB_ZUMY_SEEN;
	r->killers = o->patrols;
	memset(r->killed, 0, sizeof(r->killed));
	if (s->ending == PB_ZUMY_SEEN)
		r->killed[s->by] = 1;
	r->eaten = -1;
	r->decisions = s->moves;
	r->hash = hash_state(s, o->patrols);
}

static enum pb_dir
ask(const struct seat *g, const struct pb_zumy_view *v)
{
	enum pb_dir d;

	pb_seat_around(&g->common, true);
	d = g->player->decide(g->mem, v);
	pb_seat_around(&g->common, false);
	return d;
}

static void
play(void *seat, struct pb_trial *r)
{
	struct seat *g = seat;
	struct pb_rng rng;
	struct pb_zumy *s = &g->fleet.s;
	bool on = true, drive = g->opts->motion == PB_ZUMY_DRIVE;
	const struct pb_zumy_view v = {
	    s, g->board, g->opts, &rng, drive ? &g->fleet : NULL};

	g->common.heat = (struct pb_heat){0};
	pb_rng_start(&rng, r->seed, r->trial, PB_FOR_PLAYER, 0);
	pb_zumy_fleet_start(&g->fleet, g->board, g->opts, r->seed, r->trial);
	while (on) {
		enum pb_dir d = PB_STAY;

		if (pb_zumy_asks(s))
			d = ask(g, &v);
		on = drive ? pb_zumy_fleet_tick(&g->fleet, g->board, g->opts, d)
		           : pb_zumy_tick(s, g->board, g->opts, d);
		pb_zumy_heat(s, &g->common.heat);
	}
	pb_rules_zumy_ended(r, s, g->opts);
	if (drive)
		r->collisions = g->fleet.collisions;
}

const struct pb_rules pb_rules_zumy = {
    .name = "zumy",
    .summary = "reach the goal unseen by patrols that explore",
    .outcome = outcomes,
    .killer = patrol_name,
    .rounds = 1,
    .on_mazes = true,
    .board = "zumy",
    .usual = "sneak",
    .player = player_name,
    .fingerprint = fingerprint,
    .world = world_new,
    .world_free = world_free,
    .seat = seat_new,
    .seat_free = seat_free,
    .play = play,
    .watch = pb_seat_watch,
    .heat = pb_seat_heat,
};
