/* round_cause.c - why a round was lost, as far as that can be proved. */
#include <math.h>

#include "game/pacmanbot/round.h"

/*
 * Where the robot can come to is flooded on a lattice of SUB times SUB points
 * for each cell of the arena, a word for each cell: bit SUB * row + col. A
 * point stands for the square around it and is open if the robot fits anywhere
 * there, so what stays dry is out of its reach however it drives.
 */
#define SUB 8
#define ALL UINT64_MAX

/* The first column and row; the last are SUB - 1 bits farther. */
#define COLUMN UINT64_C(0x0101010101010101)

void
pb_reach_get(struct pb_reach *f, const struct pb_arena *a, struct pb_pool *pool)
{
	size_t n = pb_map_cells(&a->map);

	f->wet = pb_pool_get(pool, n, sizeof(*f->wet));
	f->stack = pb_pool_get(pool, n, sizeof(*f->stack));
	f->stacked = pb_pool_get(pool, n, 1);
}

/* Half a diagonal of a point's square (m), with room for rounding. */
static double
slack(const struct pb_arena *a)
{
	return 0.7072 / SUB * a->map.resolution + 1e-9;
}

/* Where point k of cell i is. */
static struct pb_vec
point(const struct pb_arena *a, int i, int k)
{
	struct pb_vec c = pb_arena_centre(a, i);
	double x = ((k % SUB + 0.5) / SUB - 0.5) * a->map.resolution;
	double y = ((k / SUB + 0.5) / SUB - 0.5) * a->map.resolution;

	return (struct pb_vec){c.x + a->yaw_cos * x - a->yaw_sin * y,
	    c.y + a->yaw_sin * x + a->yaw_cos * y};
}

/* Points of cell i where the robot fits: walls hold for all of a cell, boxes
 * for each point. People go away again, and close nothing. */
static uint64_t
open_points(const struct pb_round *r, int i)
{
	const struct pb_arena *a = r->arena;
	const struct pb_thing *box = r->g.thing;
	double need = r->o.inscribed - slack(a);
	double gap = pb_things_gap(box, r->o.clutter, pb_arena_centre(a, i));
	uint64_t open = 0;

	if (!a->body_free[i] || gap < need - a->map.resolution)
		return 0;
	if (gap >= need + a->map.resolution)
		return ALL;
	for (int k = 0; k < SUB * SUB; k++)
		if (pb_things_gap(box, r->o.clutter, point(a, i, k)) >= need)
			open |= UINT64_C(1) << k;
	return open;
}

/* b and what is beside it in its rows; in its columns. */
static uint64_t
widen(uint64_t b)
{
	return b | (b & ~(COLUMN << (SUB - 1))) << 1 | (b & ~COLUMN) >> 1;
}

static uint64_t
heighten(uint64_t b)
{
	return b | b << SUB | b >> SUB;
}

/* Points of a cell that touch those of b, which are of the cell (x, y) off. */
static uint64_t
beside(uint64_t b, int x, int y)
{
	if (x == 0)
		b = widen(b);
	else
		b = x > 0 ? (b & COLUMN) << (SUB - 1) : b >> (SUB - 1) & COLUMN;
	if (y == 0)
		return heighten(b);
	return y > 0 ? b << SUB * (SUB - 1) : b >> SUB * (SUB - 1);
}

/* Flood from b within the points that are open. */
static uint64_t
fill(uint64_t b, uint64_t open)
{
	uint64_t before;

	b &= open;
	do {
		before = b;
		b = heighten(widen(b)) & open;
	} while (b != before);
	return b;
}

/* Let the neighbours of cell i have what touches its points. */
static void
flow(struct pb_round *r, int i)
{
	struct pb_reach *f = &r->reach;
	const struct pb_grid *g = &r->arena->hard;
	struct pb_cell c = pb_grid_cell(g, i);

	for (int k = 0; k < PB_MOVES; k++) {
		int x = pb_move_col(k), y = pb_move_row(k);
		int to =
		    pb_grid_index(g, (struct pb_cell){c.col + x, c.row + y});
		uint64_t b;

		if (to < 0 || f->wet[to] == ALL)
			continue;
		b = beside(f->wet[i], -x, -y) & ~f->wet[to];
		if (b != 0)
			b = fill(b | f->wet[to], open_points(r, to));
		if ((b & ~f->wet[to]) == 0)
			continue;
		f->wet[to] |= b;
		if (!f->stacked[to])
			f->stack[f->n++] = to;
		f->stacked[to] = 1;
	}
}

/* Flood from where the robot is. Returns whether it is where it fits. */
static bool
flood(struct pb_round *r)
{
	struct pb_reach *f = &r->reach;
	int i = pb_arena_cell(r->arena, pb_pose_vec(r->g.truth));
	size_t cells = pb_map_cells(&r->arena->map);

	for (size_t k = 0; k < cells; k++)
		f->wet[k] = f->stacked[k] = 0;
	f->n = 0;
	/* All points of its cell: it is at one of them. */
	if (i < 0 || (f->wet[i] = open_points(r, i)) == 0)
		return false;
	f->stack[f->n++] = i;
	while (f->n > 0) {
		i = f->stack[--f->n];
		f->stacked[i] = 0;
		flow(r, i);
	}
	return true;
}

/* Whether a point of the flood is within a radius of p. */
static bool
comes_to(const struct pb_round *r, struct pb_vec p, double radius)
{
	const struct pb_arena *a = r->arena;
	struct pb_cell c = pb_map_cell(&a->map, p);
	int reach = (int)ceil((radius + slack(a)) * a->per_metre) + 1;

	for (int y = -reach; y <= reach; y++)
		for (int x = -reach; x <= reach; x++) {
			int i = pb_grid_index(
			    &a->hard, (struct pb_cell){c.col + x, c.row + y});

			for (int k = 0; i >= 0 && k < SUB * SUB; k++)
				if (r->reach.wet[i] >> k & 1 &&
				    pb_dist(point(a, i, k), p) <=
					radius + slack(a))
					return true;
		}
	return false;
}

/* Whether a way from cell to cell leads to p: then the flood, which nothing
 * but boxes keeps from a cell that holds the robot, would come there, too. */
static bool
walks_to(const struct pb_round *r, struct pb_vec p)
{
	const struct pb_arena *a = r->arena;
	int from = pb_arena_cell(a, pb_pose_vec(r->g.truth));

	return r->o.clutter == 0 && a->body_free == a->hard.free &&
	       pb_grid_joined(&a->hard, from, pb_arena_cell(a, p));
}

/* Whether the robot could come to none of the pellets that are left, or where
 * navigation gave up the last ones, to none of those. */
static bool
closed_off(struct pb_round *r)
{
	const struct pb_arena *a = r->arena;
	const unsigned char *done = r->gone;
	int left = 0;

	for (int i = 0; i < a->n; i++)
		left += !r->gone[i];
	if (left == 0)
		done = r->had;
	for (int i = 0; i < a->n; i++)
		if (!done[i] && walks_to(r, a->at[i]))
			return false;
	if (!flood(r))
		return false;
	for (int i = 0; i < a->n; i++)
		if (!done[i] && comes_to(r, a->at[i], r->o.pickup_radius))
			return false;
	return true;
}

static bool
home_closed(struct pb_round *r)
{
	struct pb_vec home = pb_pose_vec(r->arena->start);

	return !walks_to(r, home) && flood(r) &&
	       !comes_to(r, home, r->o.goal_tol);
}

/* Why navigation gave up. */
static enum pb_cause
fruitless(bool closed, bool lost)
{
	if (closed)
		return PB_CAUSE_UNREACHABLE;
	return lost ? PB_CAUSE_LOST : PB_CAUSE_GIVEN_UP;
}

/* Whether Clyde alone, who wanders undisturbed, would have caught anybody. Of
 * one who is placed by a program nobody knows what he would have done. */
static bool
doomed(struct pb_round *r, double time)
{
	struct pb_limits l = pb_drive_limits(r, r->o.v_max);

	return !pb_crew_hears(&r->crew, PB_CLYDE_BODY) &&
	       pb_foresight_doomed(
		   &r->fore, &l, r->o.dt, r->o.death_radius, time);
}

enum pb_cause
pb_round_why(struct pb_round *r, enum pb_ending e, double time)
{
	const struct pb_round_state *g = &r->g;
	/* As odometry carries it on: in between it is not published. */
	struct pb_pose p = pb_estimate_now(&g->est, g->odom.pose);
	bool wrong = pb_pose_dist(p, g->truth) > r->o.misplaced;
	bool lost = !g->est.ever ||
	            (r->loc != NULL && (wrong || g->belief == PB_LOC_LOST));

	switch (e) {
	case PB_KILLED:
		if (doomed(r, time))
			return PB_CAUSE_AT_START;
		return wrong ? PB_CAUSE_MISPLACED : PB_CAUSE_CAUGHT;
	case PB_STUCK:
	case PB_TIMEOUT:
		if (closed_off(r))
			return PB_CAUSE_UNREACHABLE;
		if (lost)
			return PB_CAUSE_LOST;
		return e == PB_STUCK ? PB_CAUSE_STUCK : PB_CAUSE_TIMEOUT;
	case PB_PARTIAL:
		return fruitless(closed_off(r), lost);
	case PB_HOME_FAILED:
		return fruitless(home_closed(r), lost);
	case PB_BUMPED:
		return PB_CAUSE_BUMPED;
	case PB_PLAYING:
	case PB_DONE:
		break;
	}
	return PB_CAUSE_NONE;
}

const char *
pb_cause_name(enum pb_cause c)
{
	static const char *const name[] = {"", "caught_at_start", "caught",
	    "caught_misplaced", "lost", "stuck", "bumped", "unreachable",
	    "given_up", "timeout"};

	return name[c];
}
