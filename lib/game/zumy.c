/* zumy.c - the Zumy game, tick by tick. */
#include "game/zumy.h"

#include <string.h>

#include "game/zumy_state.h"

const char *
pb_zumy_ending_name(enum pb_zumy_ending e)
{
	static const char *const name[] = {
	    "playing", "reached", "seen", "draw"};

	return name[e];
}

static bool
same(struct pb_zumy_cell a, struct pb_zumy_cell b)
{
	return a.row == b.row && a.col == b.col;
}

static struct pb_zumy_cell
beside(struct pb_zumy_cell c, enum pb_dir d)
{
	return (struct pb_zumy_cell){
	    (int8_t)(c.row + pb_dir_row[d]), (int8_t)(c.col + pb_dir_col[d])};
}

/* Whether body b is in cell c, or drives there. */
static bool
claims(const struct pb_zumy_body *b, struct pb_zumy_cell c)
{
	return same(b->at, c) || same(b->to, c);
}

static bool
idle(const struct pb_zumy_body *b)
{
	return b->turn == 0 && b->drive == 0;
}

bool
pb_zumy_asks(const struct pb_zumy *s)
{
	return s->ending == PB_ZUMY_ON && idle(&s->player);
}

/* Whether drivers go to cell c: with the slip, not where x + y is 0. */
static bool
drivable(const struct pb_zumy_board *b, const struct pb_zumy_opts *o,
    struct pb_zumy_cell c)
{
	return pb_zumy_has(&b->ground.open, c.row, c.col) &&
	       !((o->corner || o->compat) && c.col == 0 &&
		   c.row == b->ground.rows - 1);
}

bool
pb_zumy_may(const struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, enum pb_dir d)
{
	struct pb_zumy_cell c = beside(s->player.at, d);

	if (d == PB_STAY || !drivable(b, o, c))
		return false;
	for (int i = 0; i < o->patrols; i++)
		if (claims(&s->patrol[i].body, c))
			return false;
	return true;
}

/* Quarter turns from a to d: 0, 1 or 2. */
static int
quarters(int a, int d)
{
	int n = (d - a + 4) % 4;

	return n == 3 ? 1 : n;
}

static void
set_off(struct pb_zumy_body *b, const struct pb_zumy_opts *o, enum pb_dir d)
{
	b->to = beside(b->at, d);
	b->turning = (int8_t)d;
	b->turn = (int16_t)(quarters(b->facing, d) * o->turn_time);
	b->drive = (int16_t)o->cell_time;
	if (b->turn == 0)
		b->facing = b->turning;
}

/* One tick of motion in step; true if it has just arrived. */
static bool
advance(const struct pb_zumy_motor *m, const struct pb_zumy_opts *o, int robot,
    struct pb_zumy_body *b)
{
	if (m)
		return m->advance(m->ctx, robot, b);
	if (b->turn > 0) {
		if (--b->turn == 0)
			b->facing = b->turning;
		return false;
	}
	if (b->drive == 0)
		return false;
	if (--b->drive == o->cell_time / 2)
		b->at = b->to;
	return b->drive == 0;
}

/* What camera i says; whether the patrols have won. */
static bool
look(struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, int i)
{
	struct pb_zumy_patrol *p = &s->patrol[i];
	bool stared = p->stares;

	if (p->lost)
		return false;
	p->seen = pb_patrol_sees(&b->ground, p->body.at,
	    (enum pb_dir)p->body.facing, s->player.at, o->range);
	p->s = o->memory * p->s + (1 - o->memory) * p->seen;
	if (p->seen)
		for (int k = 0; k < o->patrols; k++)
			if (k == i || o->share)
				s->patrol[k].map.last = s->player.at;
	p->stares = p->s > o->stare;
	if (p->stares != stared)
		s->events |=
		    (unsigned)(p->stares ? PB_ZUMY_STARE : PB_ZUMY_RESUME) << i;
	return p->s > o->win;
}

void
pb_zumy_lose(struct pb_zumy *s, int i)
{
	s->patrol[i].lost = true;
	s->patrol[i].seen = s->patrol[i].stares = false;
}

static void
ping(struct pb_zumy *s, const struct pb_zumy_opts *o)
{
	s->events |= PB_ZUMY_PING;
	for (int i = 0; i < o->patrols; i++)
		s->patrol[i].map.last = s->player.at;
}

bool
pb_zumy_patrol_may(const struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, int i, enum pb_dir d)
{
	struct pb_zumy_cell next = beside(s->patrol[i].body.at, d);

	/* Off the board by the published slip: its driver refuses. */
	if (d == PB_STAY || !drivable(b, o, next) || claims(&s->player, next))
		return false;
	for (int k = 0; k < o->patrols; k++)
		if (k != i && claims(&s->patrol[k].body, next))
			return false;
	return true;
}

/*
 * A patrol that has arrived: learn, choose, set off. One that cannot tries
 * again in the next tick, mostly with the same result.
 */
static void
decide(struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, const struct pb_zumy_crew *crew, int i)
{
	struct pb_zumy_patrol *p = &s->patrol[i];
	enum pb_dir d;

	pb_patrol_reveal(&p->map, &b->ground, p->body.at);
	if (o->share)
		pb_zumy_share(s, o);
	d = crew ? crew->decide(crew->ctx, s, i) : pb_zumy_choose(s, b, o, i);
	if (!p->lost && pb_zumy_patrol_may(s, b, o, i, d))
		set_off(&p->body, o, d);
}

/* Whether a patrol is in the cell next to the player and looks at him. */
static int
right_before(const struct pb_zumy *s, const struct pb_zumy_opts *o)
{
	for (int i = 0; i < o->patrols; i++) {
		const struct pb_zumy_body *p = &s->patrol[i].body;

		if (same(beside(p->at, (enum pb_dir)p->facing), s->player.at))
			return i;
	}
	return -1;
}

static bool
end(struct pb_zumy *s, enum pb_zumy_ending e, int by)
{
	s->ending = (int8_t)e;
	s->by = (int8_t)by;
	return false;
}

bool
pb_zumy_tick_by(struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, enum pb_dir d,
    const struct pb_zumy_crew *crew, const struct pb_zumy_motor *m)
{
	int won = -1, by;

	if (s->ending != PB_ZUMY_ON)
		return false;
	s->tick++;
	s->events = 0;
	if (idle(&s->player)) {
		if ((by = right_before(s, o)) >= 0)
			return end(s, PB_ZUMY_SEEN, by);
		s->waits++;
		if (crew)
			d = crew->decide(crew->ctx, s, -1);
		if (pb_zumy_may(s, b, o, d)) {
			set_off(&s->player, o, d);
			s->waits = 0;
		}
	}
	for (int i = 0; i < o->patrols; i++)
		if (look(s, b, o, i) && won < 0)
			won = i;
	if (won >= 0)
		return end(s, PB_ZUMY_SEEN, won);
	if (s->tick % o->ping == 0)
		ping(s, o);
	for (int i = 0; i < o->patrols; i++) {
		struct pb_zumy_patrol *p = &s->patrol[i];

		if (p->stares || p->lost)
			continue;
		advance(m, o, 1 + i, &p->body);
		if (idle(&p->body))
			decide(s, b, o, crew, i);
	}
	if (advance(m, o, 0, &s->player)) {
		s->moves++;
		if (same(s->player.at, b->ground.goal))
			return end(s, PB_ZUMY_REACHED, -1);
	}
	return s->tick < o->limit || end(s, PB_ZUMY_DRAW, -1);
}

void
pb_zumy_heat(const struct pb_zumy *s, struct pb_heat *h)
{
	h->here[s->player.at.row][s->player.at.col]++;
	h->died[s->player.at.row][s->player.at.col] +=
	    s->ending == PB_ZUMY_SEEN;
}

bool
pb_zumy_tick(struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, enum pb_dir d)
{
	return pb_zumy_tick_by(s, b, o, d, NULL, NULL);
}

bool
pb_zumy_tick_crew(struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, const struct pb_zumy_crew *crew)
{
	return pb_zumy_tick_by(s, b, o, PB_STAY, crew, NULL);
}

/* The patrols' places: any cells far enough from the player, all different. */
static void
place_patrols(struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, struct pb_rng *r)
{
	int n = pb_zumy_room(b, o),
	    from = pb_cells_at(&b->cells, b->start.row, b->start.col);
	bool taken[PB_ZUMY_SIDE * PB_ZUMY_SIDE] = {false};

	for (int i = 0; i < o->patrols; i++) {
		int k = (int)pb_rng_below(r, (uint32_t)(n - i)), c = 0;

		for (;; c++) {
			int d = pb_cells_dist(&b->cells, from, c);

			if (d < o->near || d == PB_FAR || taken[c])
				continue;
			if (k-- == 0)
				break;
		}
		taken[c] = true;
		s->patrol[i].body.at = s->patrol[i].body.to =
		    (struct pb_zumy_cell){
			b->cells.cell[c].row, b->cells.cell[c].col};
		s->patrol[i].body.facing = s->patrol[i].body.turning =
		    (int8_t)pb_rng_below(r, 4);
	}
}

int
pb_zumy_room(const struct pb_zumy_board *b, const struct pb_zumy_opts *o)
{
	int from = pb_cells_at(&b->cells, b->start.row, b->start.col), n = 0;

	for (int c = 0; c < b->cells.n; c++) {
		int d = pb_cells_dist(&b->cells, from, c);

		n += d >= o->near && d != PB_FAR;
	}
	return n;
}

void
pb_zumy_start(struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, uint64_t seed, uint64_t trial)
{
	struct pb_rng r;

	*s = (struct pb_zumy){.by = -1};
	s->player.at = s->player.to = b->start;
	pb_rng_start(&r, seed, trial, PB_FOR_TRIAL, 0);
	place_patrols(s, b, o, &r);
	ping(s, o);
}
