/* rules_pacbot.c - trials of the pacbot rules. */
#include "policy/rules_pacbot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "pb/bots.h"

static const char *const outcomes[] = {
    "cleared", "survived", "caught", "clock", "forfeit", NULL};

static const char *
player_name(int i, const char **about)
{
	const struct pb_bot *b = pb_bot_at(i);

	*about = b ? b->summary : NULL;
	return b ? b->name : NULL;
}

static uint64_t
fingerprint(const void *opts, const struct pb_pellets *pellets)
{
	size_t n;
	const struct pb_param *p = pb_match_params(&n);

	(void)pellets;
	return pb_params_hash(PB_HASH_START, p, n, opts);
}

static enum pb_status
world_new(
    void **world, const struct pb_ground *g, const void *opts, const char **why)
{
	struct pb_match_board *b;
	enum pb_status st;

	(void)opts;
	*why = pb_match_board_wrong(g->maze);
	if (*why)
		return PB_EVALUE;
	b = calloc(1, sizeof(*b));
	if (!b)
		return PB_ENOMEM;
	st = pb_match_board_init(b, g->maze);
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
		pb_match_board_clear(world);
	free(world);
}

static enum pb_status
seat_new(void **seat, const void *world, const void *opts, int player,
    int round, const void *lesson)
{
	struct pb_match *m = calloc(1, sizeof(*m));
	enum pb_status st = PB_ENOMEM;

	(void)round;
	(void)lesson;
	if (m)
		st = pb_match_init(m, world, opts, pb_bot_at(player));
	if (st == PB_OK)
		*seat = m;
	else
		free(m);
	return st;
}

static void
seat_free(void *seat)
{
	if (seat)
		pb_match_clear(seat);
	free(seat);
}

void
pb_rules_pacbot_ended(struct pb_trial *r, const struct pb_match *m)
{
	const struct pb_match_outcome *e = &m->out;
	const char *name = pb_match_ending_name(e->ending);
	uint8_t frame[PB_PACBOT_FRAME];
	int levels = m->opts->levels > 0 ? m->opts->levels : e->cleared + 1;

	pb_pacbot_frame(&m->s, frame);
	memcpy(r->outcome, name, strlen(name) + 1);
	r->collected = e->pellets;
	r->total = levels * m->board->rules.dots;
	r->score = e->score;
	r->time = (double)e->ticks / PB_PACBOT_FPS;
	r->limit = (double)UINT16_MAX / PB_PACBOT_FPS;
	r->success =
	    e->ending == PB_MATCH_CLEARED || e->ending == PB_MATCH_SURVIVED;
	r->removed = -1;
	r->driven = r->nearest = NAN;
	r->deaths = e->deaths;
	r->levels = e->cleared;
	r->eaten = e->eaten;
	r->decisions = e->decisions;
	r->hash = pb_hash_bytes(PB_HASH_START, frame, sizeof(frame));
}

static void
play(void *seat, struct pb_trial *r)
{
	pb_match_play(seat, r->seed, r->trial);
	pb_rules_pacbot_ended(r, seat);
}

static void
watch(void *seat, struct pb_match_watch w)
{
	struct pb_match *m = seat;

	m->watch = w;
}

static const struct pb_heat *
heat(const void *seat)
{
	const struct pb_match *m = seat;

	return &m->heat;
}

const struct pb_rules pb_rules_pacbot = {
    .name = "pacbot",
    .summary = "the competition's board, four ghosts",
    .outcome = outcomes,
    .rounds = 1,
    .on_mazes = true,
    .board = "pacman",
    .usual = "search",
    .player = player_name,
    .fingerprint = fingerprint,
    .world = world_new,
    .world_free = world_free,
    .seat = seat_new,
    .seat_free = seat_free,
    .play = play,
    .watch = watch,
    .heat = heat,
};
