/* roomba_ghosts.c - how an autonomous ghost of the Roomba game chooses its way.
 */
#include "ghost/roomba_ghosts.h"

#include <limits.h>
#include <stdlib.h>

const char *const pb_roomba_name[PB_ROOMBA_GHOSTS] = {
    "blinky", "pinky", "inky", "clyde"};

const char *const pb_roomba_state_name[5] = {
    "searching", "tracking", "running", "killed", "lost"};

enum pb_roomba_state
pb_roomba_state_of(
    const struct pb_cells *c, int at, int pacman, bool afraid, int sense)
{
	int dr = c->cell[at].row - c->cell[pacman].row;
	int dc = c->cell[at].col - c->cell[pacman].col;

	if (afraid)
		return PB_ROOMBA_RUN;
	return dr * dr + dc * dc <= sense * sense ? PB_ROOMBA_TRACK
	                                          : PB_ROOMBA_SEARCH;
}

/* The direction in which a difference along one axis points. */
static int
along_cols(int dc)
{
	return dc > 0 ? PB_RIGHT : PB_LEFT;
}

static int
along_rows(int dr)
{
	return dr > 0 ? PB_DOWN : PB_UP;
}

/* Whether a robot in cell i may step in direction d. */
static bool
may(const struct pb_cells *c, int i, int d)
{
	return c->cell[i].exits >> d & 1;
}

/*
 * What a ghost `dr` rows down and `dc` columns right forbids: to go towards
 * one that is straight ahead within two cells, no wall between; to enter the
 * cell that one on a diagonal may enter too.
 */
static unsigned
forbidden(const struct pb_cells *c, int at, int other, int dr, int dc)
{
	unsigned set = 0;
	int d;

	if (dr == 0 || dc == 0) {
		d = dr == 0 ? along_cols(dc) : along_rows(dr);
		if (abs(dr + dc) == 1 ||
		    (may(c, at, d) && may(c, c->cell[at].to[d], d)))
			set = 1u << d;
		return set;
	}
	if (may(c, other, along_rows(-dr)))
		set |= 1u << along_cols(dc);
	if (may(c, other, along_cols(-dc)))
		set |= 1u << along_rows(dr);
	return set;
}

unsigned
pb_roomba_free(const struct pb_cells *c, const struct pb_roomba_sight *s)
{
	const struct pb_cell_at *me = &c->cell[s->at];
	unsigned set = me->exits & ~s->barred;

	for (int i = 0; i < s->others; i++) {
		const struct pb_cell_at *o = &c->cell[s->other[i]];
		int dr = o->row - me->row, dc = o->col - me->col;
		bool straight = (dr == 0 || dc == 0) && abs(dr + dc) <= 2;

		if (straight || (abs(dr) == 1 && abs(dc) == 1))
			set &= ~forbidden(c, s->at, s->other[i], dr, dc);
	}
	return set;
}

/* How far along each direction the vector goes. */
static void
project(int right, int up, int dot[4])
{
	dot[PB_UP] = up;
	dot[PB_LEFT] = -right;
	dot[PB_DOWN] = -up;
	dot[PB_RIGHT] = right;
}

/* The direction within pi/8 of the vector, -1: it lies between two. */
static int
nearest_axis(const int dot[4])
{
	int best = 0;
	double along, across;

	for (int d = 1; d < 4; d++)
		if (dot[d] > dot[best])
			best = d;
	along = dot[best];
	across = abs(dot[(best + 1) % 4]);
	/* tan(pi/8) is irrational: whole numbers are never at the border. */
	return across < 0.41421356237309503 * along ? best : -1;
}

unsigned
pb_roomba_fit(unsigned allowed, int right, int up)
{
	int dot[4], axis, best = INT_MIN, second = INT_MIN;
	unsigned near = 0, set = 0;

	if (right == 0 && up == 0)
		return allowed;
	project(right, up, dot);
	axis = nearest_axis(dot);
	if (axis >= 0 && allowed >> axis & 1)
		return 1u << axis;
	/* cos(3 pi/4) squared is 1/2. */
	for (int d = 0; d < 4; d++)
		if (allowed >> d & 1 &&
		    (dot[d] >= 0 ||
			2 * dot[d] * dot[d] < right * right + up * up))
			near |= 1u << d;
	for (int d = 0; d < 4; d++)
		if (near >> d & 1 && dot[d] > best) {
			second = best;
			best = dot[d];
		} else if (near >> d & 1 && dot[d] > second) {
			second = dot[d];
		}
	for (int d = 0; d < 4; d++)
		if (near >> d & 1 && dot[d] >= second)
			set |= 1u << d;
	return set;
}

/* The directions that the state asks for, of those allowed; 0: none fits. */
static unsigned
asked(const struct pb_cells *c, const struct pb_roomba_nature *n,
    const struct pb_roomba_sight *s, unsigned allowed)
{
	bool search = s->state == PB_ROOMBA_SEARCH;
	bool away = s->state == PB_ROOMBA_RUN || (!search && n->away);
	int to = search ? s->home : s->pacman, up, right;

	if (to < 0)
		return allowed;
	up = c->cell[s->at].row - c->cell[to].row;
	right = c->cell[to].col - c->cell[s->at].col;
	/* About its home a ghost wanders, or it would stand there. */
	if (search && up * up + right * right <= 1)
		return allowed;
	return away ? pb_roomba_fit(allowed, -right, -up)
	            : pb_roomba_fit(allowed, right, up);
}

static double
chance(const struct pb_roomba_nature *n, enum pb_roomba_state s)
{
	return s == PB_ROOMBA_SEARCH  ? n->search
	       : s == PB_ROOMBA_TRACK ? n->track
	                              : n->run;
}

/* Number i (0..) of the directions in set. */
static enum pb_dir
pick(unsigned set, unsigned i)
{
	int d = 0;

	for (;; d++)
		if (set >> d & 1 && i-- == 0)
			return (enum pb_dir)d;
}

enum pb_dir
pb_roomba_choose(const struct pb_cells *c, const struct pb_roomba_nature *n,
    const struct pb_roomba_sight *s, struct pb_rng *r)
{
	static const unsigned char count[16] = {
	    0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
	bool enforce = pb_rng_unit(r) < chance(n, s->state);
	double draw = pb_rng_unit(r);
	unsigned set = pb_roomba_free(c, s), want;

	if (set == 0)
		return PB_STAY;
	if (s->state == PB_ROOMBA_KILLED) {
		want = set & pb_cells_first(c, s->at, s->reset);
		if (want != 0)
			return pick(want, (unsigned)(draw * count[want]));
	}
	if (s->last != PB_STAY && set & ~(1u << (s->last + 2) % 4))
		set &= ~(1u << (s->last + 2) % 4);
	want =
	    enforce && s->state != PB_ROOMBA_KILLED ? asked(c, n, s, set) : set;
	if (want != 0)
		set = want;
	return pick(set, (unsigned)(draw * count[set]));
}
