/* roomba.c - the Roomba game in lock-step. */
#include "game/roomba/roomba.h"

#include <string.h>

#include "game/roomba/roomba_state.h"

/* As in the Pacbot competition, so that results can be compared. */
enum { DOT = 10, PILL = 50, GHOST = 200 };

const char *
pb_roomba_ending_name(enum pb_roomba_ending e)
{
	static const char *const name[] = {
	    "playing", "cleared", "caught", "clock"};

	return name[e];
}

bool
pb_roomba_dot(const struct pb_roomba *s, int i)
{
	return s->dot[i / 64] >> i % 64 & 1;
}

bool
pb_roomba_pill(const struct pb_roomba_board *b, int i)
{
	return b->power[i / 64] >> i % 64 & 1;
}

void
pb_roomba_reset(struct pb_roomba *s, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o)
{
	s->pacman = (int16_t)b->start;
	s->dir = s->pushed = PB_STAY;
	s->power = s->combo = s->stopped = 0;
	for (int i = 0; i < o->ghosts; i++) {
		bool lost = s->ghost[i].state == PB_ROOMBA_LOST;

		s->ghost[i] =
		    (struct pb_roomba_ghost){.at = (int16_t)b->reset[i],
			.last = PB_STAY,
			.state = lost ? PB_ROOMBA_LOST : PB_ROOMBA_SEARCH};
	}
	s->events |= PB_ROOMBA_RESET;
}

void
pb_roomba_start(struct pb_roomba *s, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, uint64_t seed, uint64_t trial)
{
	*s = (struct pb_roomba){.lives = o->lives, .left = b->pellets};
	memcpy(s->dot, b->dot, sizeof(s->dot));
	for (unsigned i = 0; i < PB_ROOMBA_GHOSTS; i++)
		pb_rng_start(&s->rng[i], seed, trial, PB_FOR_GHOST, i);
	pb_roomba_reset(s, b, o);
}

void
pb_roomba_push(
    struct pb_roomba *s, const struct pb_roomba_board *b, enum pb_dir d)
{
	if (d == PB_STAY || b->cells.cell[s->pacman].exits >> d & 1)
		s->pushed = (int8_t)d;
}

enum pb_dir
pb_roomba_steer(
    const struct pb_roomba *s, const struct pb_roomba_board *b, enum pb_dir d)
{
	unsigned exits = b->cells.cell[s->pacman].exits;

	if (d == PB_STAY || exits >> d & 1)
		return d;
	if (s->pushed != PB_STAY)
		return (enum pb_dir)s->pushed;
	return s->dir != PB_STAY && exits >> s->dir & 1 ? (enum pb_dir)s->dir
	                                                : PB_STAY;
}

int16_t
pb_roomba_moved(const struct pb_roomba_board *b, int at, enum pb_dir d)
{
	return (int16_t)(d == PB_STAY ? at : b->cells.cell[at].to[d]);
}

void
pb_roomba_ghost_look(struct pb_roomba *s, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, int ghost, int pacman)
{
	struct pb_roomba_ghost *g = &s->ghost[ghost];

	if (g->state < PB_ROOMBA_KILLED)
		g->state = (int8_t)pb_roomba_state_of(
		    &b->cells, g->at, pacman, g->afraid, o->sense);
}

enum pb_dir
pb_roomba_ghost_decide(struct pb_roomba *s, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, int ghost, int pacman,
    const int16_t claim[PB_ROOMBA_GHOSTS])
{
	struct pb_roomba_ghost *g = &s->ghost[ghost];
	struct pb_roomba_sight sight = {.at = g->at,
	    .last = g->last,
	    .pacman = pacman,
	    .home = b->home[ghost],
	    .reset = b->reset[ghost]};

	if (g->state == PB_ROOMBA_LOST)
		return PB_STAY;
	pb_roomba_ghost_look(s, b, o, ghost, pacman);
	sight.state = (enum pb_roomba_state)g->state;
	for (int i = 0; i < o->ghosts; i++)
		if (i != ghost)
			sight.other[sight.others++] = claim[i];
	return pb_roomba_choose(
	    &b->cells, &o->nature[ghost], &sight, &s->rng[ghost]);
}

enum pb_dir
pb_roomba_ghost_move(struct pb_roomba *s, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, int ghost, const struct pb_roomba_moves *m)
{
	int16_t claim[PB_ROOMBA_GHOSTS];

	/* Those before it have claimed a cell, those after it are in one. */
	for (int i = 0; i < o->ghosts; i++)
		claim[i] = i < ghost
		               ? pb_roomba_moved(b, s->ghost[i].at, m->ghost[i])
		               : s->ghost[i].at;
	return pb_roomba_ghost_decide(
	    s, b, o, ghost, pb_roomba_moved(b, s->pacman, m->pacman), claim);
}

void
pb_roomba_lose(struct pb_roomba *s, int ghost)
{
	s->ghost[ghost].state = PB_ROOMBA_LOST;
	s->ghost[ghost].afraid = false;
}

void
pb_roomba_collect(struct pb_roomba *s, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o)
{
	int i = s->pacman;

	if (!pb_roomba_dot(s, i))
		return;
	s->dot[i / 64] &= ~(UINT64_C(1) << i % 64);
	s->left--;
	s->events |= PB_ROOMBA_PELLET;
	s->score += pb_roomba_pill(b, i) ? PILL : DOT;
	if (!pb_roomba_pill(b, i))
		return;
	s->power = (int16_t)o->power_time;
	s->combo = 0;
	s->events |= PB_ROOMBA_POWER_ON;
	for (int k = 0; k < o->ghosts; k++)
		s->ghost[k].afraid = s->ghost[k].state < PB_ROOMBA_KILLED;
}

void
pb_roomba_power_over(struct pb_roomba *s, const struct pb_roomba_opts *o)
{
	s->events |= PB_ROOMBA_POWER_OFF;
	for (int i = 0; i < o->ghosts; i++)
		s->ghost[i].afraid = false;
}

void
pb_roomba_touch(struct pb_roomba *s, const struct pb_roomba_opts *o, int i)
{
	struct pb_roomba_ghost *g = &s->ghost[i];

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
	s->stopped = (int16_t)o->delay;
	if (s->lives == 0)
		s->ending = PB_ROOMBA_CAUGHT;
}

bool
pb_roomba_goes_on(struct pb_roomba *s, const struct pb_roomba_opts *o)
{
	if (s->ending == PB_ROOMBA_ON && s->left == 0)
		s->ending = PB_ROOMBA_CLEARED;
	if (s->ending == PB_ROOMBA_ON && s->tick >= o->limit)
		s->ending = PB_ROOMBA_CLOCK;
	return s->ending == PB_ROOMBA_ON;
}

/* Two ghosts in one cell, or each now where the other was. */
static void
watch(struct pb_roomba *s, const struct pb_roomba_opts *o,
    const int16_t was[PB_ROOMBA_GHOSTS])
{
	for (int i = 1; i < o->ghosts; i++)
		for (int k = 0; k < i; k++) {
			int a = s->ghost[i].at, b = s->ghost[k].at;

			s->collisions += a == b || (a == was[k] && b == was[i]);
		}
}

/* In one cell, or each now where the other was. */
static void
meet(struct pb_roomba *s, const struct pb_roomba_opts *o, int pacman_was,
    const int16_t was[PB_ROOMBA_GHOSTS])
{
	for (int i = 0; i < o->ghosts; i++) {
		const struct pb_roomba_ghost *g = &s->ghost[i];
		bool met = g->at == s->pacman ||
		           (g->at == pacman_was && was[i] == s->pacman);

		if (!met || g->state >= PB_ROOMBA_KILLED)
			continue;
		pb_roomba_touch(s, o, i);
		if (s->stopped > 0)
			return;
	}
}

void
pb_roomba_arrive(struct pb_roomba *s, const struct pb_roomba_board *b, int i)
{
	struct pb_roomba_ghost *g = &s->ghost[i];

	if (g->state != PB_ROOMBA_KILLED || g->at != b->reset[i])
		return;
	g->state = PB_ROOMBA_SEARCH;
	s->events |= (unsigned)PB_ROOMBA_BACK << i;
}

/* Everybody to the cell that he has claimed, and what comes of it. */
static void
drive(struct pb_roomba *s, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, const struct pb_roomba_moves *m)
{
	int16_t was[PB_ROOMBA_GHOSTS];
	int pacman_was = s->pacman;

	s->pacman = pb_roomba_moved(b, s->pacman, m->pacman);
	s->dir = (int8_t)m->pacman;
	for (int i = 0; i < o->ghosts; i++) {
		was[i] = s->ghost[i].at;
		s->ghost[i].at = pb_roomba_moved(b, was[i], m->ghost[i]);
		if (m->ghost[i] != PB_STAY)
			s->ghost[i].last = (int8_t)m->ghost[i];
	}
	watch(s, o, was);
	if (s->power > 0 && --s->power == 0)
		pb_roomba_power_over(s, o);
	pb_roomba_collect(s, b, o);
	meet(s, o, pacman_was, was);
	for (int i = 0; i < o->ghosts; i++)
		pb_roomba_arrive(s, b, i);
}

bool
pb_roomba_drive(struct pb_roomba *s, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, const struct pb_roomba_moves *m)
{
	s->tick++;
	s->events = 0;
	if (s->stopped == 0)
		drive(s, b, o, m);
	else if (--s->stopped == 0)
		pb_roomba_reset(s, b, o);
	return pb_roomba_goes_on(s, o);
}

bool
pb_roomba_step(struct pb_roomba *s, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, enum pb_dir stick)
{
	struct pb_roomba_moves m = {.pacman = PB_STAY};

	if (s->ending != PB_ROOMBA_ON)
		return false;
	if (s->stopped == 0) {
		m.pacman = pb_roomba_steer(s, b, stick);
		for (int i = 0; i < o->ghosts; i++)
			m.ghost[i] = pb_roomba_ghost_move(s, b, o, i, &m);
	}
	return pb_roomba_drive(s, b, o, &m);
}
