/* zumy.c - the Zumy game, tick by tick. */
#include "game/zumy/zumy.h"

#include <string.h>

#include "game/zumy/zumy_state.h"

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

/* Whether somebody waits for the cell of a patrol, but patrol i. */
static bool
unread_patrol(const struct pb_zumy *s, int i)
{
	for (int k = 0; k < PB_ZUMY_PATROLS; k++)
		if (k != i && s->patrol[k].body.unread)
			return true;
	return false;
}

bool
pb_zumy_asks(const struct pb_zumy *s)
{
	return s->ending == PB_ZUMY_ON && idle(&s->player) &&
	       !s->player.unread && !unread_patrol(s, -1);
}

/* Whether a robot, patrol `me` or the player, may be in cell c for others. */
static bool
is_free(const struct pb_zumy *s, const struct pb_zumy_opts *o, int me,
    struct pb_zumy_cell c)
{
	if (pb_zumy_slips(o, PB_ZUMY_OVERLAP))
		return true;
	if (me >= 0 && claims(&s->player, c))
		return false;
	for (int i = 0; i < o->patrols; i++)
		if (i != me && claims(&s->patrol[i].body, c))
			return false;
	return true;
}

bool
pb_zumy_may(const struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, enum pb_dir d)
{
	struct pb_zumy_cell c = beside(s->player.at, d);

	return d != PB_STAY && !s->frozen &&
	       pb_zumy_has(&b->ground.open, c.row, c.col) &&
	       is_free(s, o, -1, c);
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

/* What others read of where it is, in step. */
static void
read_cell(const struct pb_zumy_board *b, const struct pb_zumy_opts *o,
    struct pb_zumy_body *p)
{
	const struct pb_zumy_ground *g = &b->ground;
	struct pb_zumy_cell c;

	p->unread = pb_zumy_slips(o, PB_ZUMY_BLOCKING) &&
	            !pb_zumy_cell_read(p->at.col, g->rows - 1 - p->at.row,
			g->rows, g->cols, &c);
}

/* One tick of motion in step; true if it has just arrived. */
static bool
advance(const struct pb_zumy_motor *m, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, int robot, struct pb_zumy_body *p)
{
	if (m)
		return m->advance(m->ctx, robot, p);
	if (p->turn > 0) {
		if (--p->turn == 0)
			p->facing = p->turning;
		return false;
	}
	if (p->drive == 0)
		return false;
	if (--p->drive == o->cell_time / 2) {
		p->at = p->to;
		read_cell(b, o, p);
	}
	return p->drive == 0;
}

bool
pb_zumy_camera(
    struct pb_zumy *s, const struct pb_zumy_opts *o, int i, bool seen)
{
	struct pb_zumy_patrol *p = &s->patrol[i];
	bool stared = p->stares;

	p->seen = seen;
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

/* What camera i says; whether the patrols have won. */
static bool
look(struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, int i)
{
	const struct pb_zumy_patrol *p = &s->patrol[i];

	return !p->lost &&
	       pb_zumy_camera(s, o, i,
		   pb_patrol_sees(&b->ground, p->body.at,
		       (enum pb_dir)p->body.facing, s->player.at, o->range));
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
	struct pb_zumy_cell next = beside(s->patrol[i].body.at, d),
			    there = next;

	if (pb_zumy_slips(o, PB_ZUMY_WRAPS)) {
		there.col =
		    (int8_t)(there.col + (there.col < 0) * b->ground.cols);
		there.row = (int8_t)(there.row - (there.row >= b->ground.rows) *
						     b->ground.rows);
	}
	return d != PB_STAY &&
	       pb_zumy_has(&b->ground.open, there.row, there.col) &&
	       is_free(s, o, i, next);
}

/* Whether patrol i is told now, or waits to be. */
static bool
ping_own(struct pb_zumy *s, const struct pb_zumy_opts *o, int i)
{
	struct pb_zumy_patrol *p = &s->patrol[i];

	if (!pb_zumy_slips(o, PB_ZUMY_OWN_PINGS) || s->tick <= p->next)
		return true;
	if (s->player.unread || !pb_patrol_due(&p->next, s->tick, o->ping))
		return false;
	p->map.last = s->player.at;
	s->events |= (unsigned)PB_ZUMY_ASKED << i;
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

	if (p->body.unread)
		return;
	pb_patrol_reveal(&p->map, &b->ground, p->body.at);
	if (o->share)
		pb_zumy_share(s, o);
	if (!ping_own(s, o, i) || unread_patrol(s, i))
		return;
	if (pb_zumy_patrol_ends(s, b, o, i)) {
		pb_zumy_lose(s, i);
		return;
	}
	d = crew ? crew->decide(crew->ctx, s, i) : pb_zumy_choose(s, b, o, i);
	if (!p->lost && pb_zumy_patrol_may(s, b, o, i, d))
		set_off(&p->body, o, d);
}

/* Whether a patrol is in the cell next to the player and looks at him. */
int
pb_zumy_right_before(const struct pb_zumy *s, const struct pb_zumy_opts *o)
{
	for (int i = 0; i < o->patrols; i++) {
		const struct pb_zumy_body *p = &s->patrol[i].body;

		if (same(beside(p->at, p->misread ? PB_DOWN : p->facing),
			s->player.at))
			return i;
	}
	return -1;
}

enum pb_zumy_ending
pb_zumy_verdict(const struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, int by)
{
	bool there = same(s->player.at, b->ground.goal) && !s->player.unread;

	if (there && (by < 0 || pb_zumy_slips(o, PB_ZUMY_LATE_WIN)))
		return PB_ZUMY_REACHED;
	return by < 0 ? PB_ZUMY_ON : PB_ZUMY_SEEN;
}

/* Whether the game goes on, if patrol `by` has won, -1: none. */
static bool
judge(struct pb_zumy *s, const struct pb_zumy_board *b,
    const struct pb_zumy_opts *o, int by)
{
	s->ending = (int8_t)pb_zumy_verdict(s, b, o, by);
	s->by = (int8_t)(s->ending == PB_ZUMY_SEEN ? by : -1);
	return s->ending == PB_ZUMY_ON;
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
	if (pb_zumy_asks(s)) {
		if ((by = pb_zumy_right_before(s, o)) >= 0)
			return judge(s, b, o, by);
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
		return judge(s, b, o, won);
	if (s->tick % o->ping == 0 && !pb_zumy_slips(o, PB_ZUMY_OWN_PINGS))
		ping(s, o);
	for (int i = 0; i < o->patrols; i++) {
		struct pb_zumy_patrol *p = &s->patrol[i];

		if (p->stares || p->lost)
			continue;
		advance(m, b, o, 1 + i, &p->body);
		if (idle(&p->body))
			decide(s, b, o, crew, i);
	}
	if (advance(m, b, o, 0, &s->player)) {
		s->moves++;
		if (!judge(s, b, o, -1))
			return false;
	}
	if (s->tick >= o->limit)
		s->ending = PB_ZUMY_DRAW;
	return s->ending == PB_ZUMY_ON;
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
	read_cell(b, o, &s->player);
	for (int i = 0; i < o->patrols; i++) {
		read_cell(b, o, &s->patrol[i].body);
		s->patrol[i].map.last =
		    (struct pb_zumy_cell){(int8_t)(b->ground.rows - 2), 1};
	}
	if (!pb_zumy_slips(o, PB_ZUMY_OWN_PINGS))
		ping(s, o);
	pb_zumy_boot(s, o);
}

void
pb_zumy_boot(struct pb_zumy *s, const struct pb_zumy_opts *o)
{
	s->frozen = pb_zumy_slips(o, PB_ZUMY_FROZEN_START) &&
	            pb_zumy_right_before(s, o) >= 0;
}
