/* roomba.c - the Roomba game in lock-step. */
#include "game/roomba/roomba.h"

#include <string.h>

/* As in the Pacbot competition, so that results can be compared. */
enum { DOT = 10, PILL = 50, GHOST = 200 };

static bool
has(const uint64_t *set, int i)
{
	return set[i / 64] >> i % 64 & 1;
}

bool
pb_roomba_dot(const struct pb_roomba *s, int i)
{
	return has(s->dot, i);
}

void
pb_roomba_reset(struct pb_roomba *s)
{
	s->pacman = (int16_t)s->board->start;
	s->dir = s->pushed = PB_STAY;
	s->power = s->combo = s->stopped = 0;
	for (int i = 0; i < s->opts->ghosts; i++) {
		bool lost = s->ghost[i].state == PB_ROOMBA_LOST;

		s->ghost[i] =
		    (struct pb_roomba_ghost){.at = (int16_t)s->board->reset[i],
			.last = PB_STAY,
			.state = lost ? PB_ROOMBA_LOST : PB_ROOMBA_SEARCH};
	}
	s->events |= PB_ROOMBA_RESET;
}

void
pb_roomba_start(struct pb_roomba *s, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, uint64_t seed, uint64_t trial)
{
	*s = (struct pb_roomba){
	    .board = b, .opts = o, .lives = o->lives, .left = b->pellets};
	memcpy(s->dot, b->dot, sizeof(s->dot));
	for (unsigned i = 0; i < PB_ROOMBA_GHOSTS; i++)
		pb_rng_start(&s->rng[i], seed, trial, PB_FOR_GHOST, i);
	pb_roomba_reset(s);
}

static unsigned
exits_of(const struct pb_roomba *s, int robot)
{
	return s->board->cells.cell[pb_roomba_cell(s, robot)].exits;
}

void
pb_roomba_push(struct pb_roomba *s, enum pb_dir d)
{
	if (d == PB_STAY || exits_of(s, 0) >> d & 1)
		s->pushed = (int8_t)d;
}

enum pb_dir
pb_roomba_steer(const struct pb_roomba *s, enum pb_dir d)
{
	unsigned exits = exits_of(s, 0);

	if (d == PB_STAY || exits >> d & 1)
		return d;
	if (s->pushed != PB_STAY)
		return (enum pb_dir)s->pushed;
	return s->dir != PB_STAY && exits >> s->dir & 1 ? (enum pb_dir)s->dir
	                                                : PB_STAY;
}

/* A ghost sees whether it searches, tracks or runs. */
static void
look(struct pb_roomba *s, struct pb_roomba_ghost *g)
{
	if (g->state < PB_ROOMBA_KILLED)
		g->state = (int8_t)pb_roomba_state_of(&s->board->cells, g->at,
		    s->pacman, g->afraid, s->opts->sense);
}

/* What a ghost does by its own mind. */
static enum pb_dir
choose(struct pb_roomba *s, int ghost)
{
	const struct pb_roomba_ghost *g = &s->ghost[ghost];
	struct pb_roomba_sight sight = {.at = g->at,
	    .last = g->last,
	    .pacman = s->pacman,
	    .home = s->board->home[ghost],
	    .reset = s->board->reset[ghost],
	    .barred = g->barred,
	    .state = (enum pb_roomba_state)g->state};

	for (int i = 0; i < s->opts->ghosts; i++)
		if (i != ghost)
			sight.other[sight.others++] = s->ghost[i].at;
	return pb_roomba_choose(
	    &s->board->cells, &s->opts->nature[ghost], &sight, &s->rng[ghost]);
}

enum pb_dir
pb_roomba_claim(
    struct pb_roomba *s, int robot, enum pb_dir stick, const struct pb_crew *c)
{
	struct pb_roomba_ghost *g = &s->ghost[robot - (robot > 0)];
	int16_t *at = robot == 0 ? &s->pacman : &g->at;
	enum pb_dir d;

	if (robot > 0 && g->state == PB_ROOMBA_LOST)
		return PB_STAY;
	if (robot > 0)
		look(s, g);
	if (pb_crew_hears(c, robot))
		d = c->hear(c->ctx, robot, exits_of(s, robot), -1);
	else
		d = pb_crew_told(c, robot,
		    robot == 0 ? pb_roomba_steer(s, stick)
			       : choose(s, robot - 1));
	if (d != PB_STAY)
		*at = s->board->cells.cell[*at].to[d];
	if (robot == 0) {
		s->dir = (int8_t)d;
		s->pushed = PB_STAY;
	} else if (d != PB_STAY) {
		g->last = (int8_t)d;
	}
	return d;
}

void
pb_roomba_lose(struct pb_roomba *s, int ghost)
{
	s->ghost[ghost].state = PB_ROOMBA_LOST;
	s->ghost[ghost].afraid = false;
}

void
pb_roomba_collect(struct pb_roomba *s)
{
	int i = s->pacman;
	bool pill = has(s->board->power, i);

	if (!has(s->dot, i))
		return;
	s->dot[i / 64] &= ~(UINT64_C(1) << i % 64);
	s->left--;
	s->events |= PB_ROOMBA_PELLET;
	s->score += pill ? PILL : DOT;
	if (!pill)
		return;
	s->power = (int16_t)s->opts->power_time;
	s->combo = 0;
	s->events |= PB_ROOMBA_POWER_ON;
	for (int k = 0; k < s->opts->ghosts; k++)
		s->ghost[k].afraid = s->ghost[k].state < PB_ROOMBA_KILLED;
}

void
pb_roomba_power_over(struct pb_roomba *s)
{
	s->events |= PB_ROOMBA_POWER_OFF;
	for (int i = 0; i < s->opts->ghosts; i++)
		s->ghost[i].afraid = false;
}

void
pb_roomba_touch(struct pb_roomba *s, int i)
{
	struct pb_roomba_ghost *g = &s->ghost[i];

	if (g->state >= PB_ROOMBA_KILLED)
		return;
	if (g->afraid) {
		g->afraid = false;
		g->state = PB_ROOMBA_KILLED;
		s->score += GHOST << s->combo;
		s->combo++;
		s->eaten++;
		s->events |= PB_ROOMBA_EATEN << i;
		return;
	}
	s->events |= PB_ROOMBA_KILLS << i;
	s->deaths++;
	s->kills[i]++;
	s->lives--;
	s->stopped = (int16_t)s->opts->delay;
	if (s->lives == 0)
		s->ending = PB_ROOMBA_CAUGHT;
}

void
pb_roomba_arrive(struct pb_roomba *s, int i)
{
	struct pb_roomba_ghost *g = &s->ghost[i];

	if (g->state != PB_ROOMBA_KILLED || g->at != s->board->reset[i])
		return;
	g->state = PB_ROOMBA_SEARCH;
	s->events |= (unsigned)PB_ROOMBA_BACK << i;
}

bool
pb_roomba_goes_on(struct pb_roomba *s)
{
	if (s->ending == PB_ROOMBA_ON && s->left == 0)
		s->ending = PB_ROOMBA_CLEARED;
	if (s->ending == PB_ROOMBA_ON && s->tick >= s->opts->limit)
		s->ending = PB_ROOMBA_CLOCK;
	return s->ending == PB_ROOMBA_ON;
}

/* In one cell, or each now where the other was. */
static bool
met(const struct pb_roomba *s, const int16_t *was, int i, int k)
{
	int a = pb_roomba_cell(s, i), b = pb_roomba_cell(s, k);

	return a == b || (a == was[k] && b == was[i]);
}

/* All are where they have driven to, and what comes of it. */
static void
happen(struct pb_roomba *s, const int16_t was[PB_ROOMBA_ROBOTS])
{
	int n = pb_roomba_robots(s);

	for (int i = 2; i < n; i++)
		for (int k = 1; k < i; k++)
			s->collisions += met(s, was, i, k);
	if (s->power > 0 && --s->power == 0)
		pb_roomba_power_over(s);
	pb_roomba_collect(s);
	for (int i = 1; i < n && s->stopped == 0; i++)
		if (met(s, was, i, 0))
			pb_roomba_touch(s, i - 1);
	for (int i = 1; i < n; i++)
		pb_roomba_arrive(s, i - 1);
}

bool
pb_roomba_step(struct pb_roomba *s, enum pb_dir stick, const struct pb_crew *c)
{
	int16_t was[PB_ROOMBA_ROBOTS];
	bool drives = s->stopped == 0;

	if (s->ending != PB_ROOMBA_ON)
		return false;
	for (int i = 0; drives && i < pb_roomba_robots(s); i++) {
		was[i] = pb_roomba_cell(s, i);
		pb_roomba_claim(s, i, stick, c);
	}
	/* Only now: what programs are asked has the time of the tick before. */
	s->tick++;
	s->events = 0;
	if (drives)
		happen(s, was);
	else if (--s->stopped == 0)
		pb_roomba_reset(s);
	return pb_roomba_goes_on(s);
}
