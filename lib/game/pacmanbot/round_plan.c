/* round_plan.c - ways to a goal, around Clyde where the costmaps show him. */
#include <math.h>

#include "game/pacmanbot/round_state.h"

/* Clyde and the places where he still seems to be. */
struct marks {
	int n;
	struct pb_disc disc[PB_TRAIL + 1];
};

/* p in the coordinates of a disc: centre of cell (0, 0) at (0, 0). */
static struct pb_disc
disc_at(const struct pb_arena *a, struct pb_vec p, double radius)
{
	struct pb_vec q = pb_vec_into(a->map.origin, p);

	return (struct pb_disc){
	    q.x * a->per_metre - 0.5 - a->map.left,
	    q.y * a->per_metre - 0.5 - a->map.below,
	    radius * a->per_metre,
	};
}

/*
 * The obstacle's radius grows by the inscribed radius, or, to keep off where
 * there is room, by the inflation radius: costs in between are soft.
 */
static void
look(const struct pb_round *r, bool local, double grow, struct marks *m)
{
	const struct pb_round_state *g = &r->g;
	double radius = r->o.clyde_radius + grow;
	double now = pb_round_time(r);

	m->n = 0;
	if (g->marked)
		m->disc[m->n++] = disc_at(r->arena, r->clyde.at, radius);
	if (!local || r->o.clyde_trail <= 0)
		return;
	for (int i = 0; i < PB_TRAIL && i < g->trail_n; i++)
		if (now - g->trail[i].t <= r->o.clyde_trail)
			m->disc[m->n++] =
			    disc_at(r->arena, g->trail[i].at, radius);
}

static bool
in_disc(struct pb_disc d, double col, double row)
{
	double dc = col - d.col, dr = row - d.row;

	return dc * dc + dr * dr <= d.r * d.r;
}

static bool
marked(const struct pb_arena *a, const struct marks *m, int cell)
{
	int col = cell % a->map.width, row = cell / a->map.width;

	for (int i = 0; i < m->n; i++)
		if (in_disc(m->disc[i], col, row))
			return true;
	return false;
}

/* First of n cells that is marked after one that is not; n if none is. */
static size_t
first_marked(
    const struct pb_arena *a, const struct marks *m, const int *cell, size_t n)
{
	bool out = false;

	for (size_t i = 0; i < n; i++) {
		bool in = marked(a, m, cell[i]);

		if (in && (out || i + 1 == n))
			return i;
		out = out || !in;
	}
	return n;
}

/*
 * The cell of g nearest to p from which the goal can be reached: the estimate
 * may lie in a wall, where the robot is not.
 */
static int
foothold(const struct pb_round *r, const struct pb_grid *g, struct pb_vec p)
{
	int goal = r->g.nav.cell;
	int at = pb_arena_cell(r->arena, p);

	if (pb_grid_joined(g, at, goal))
		return at;
	return pb_arena_near(r->arena, g, goal, p, r->o.plan_tol);
}

/* Put cells into r->path as points; the goal itself ends a complete way. */
static void
keep_path(struct pb_round *r, const int *cell, size_t n)
{
	const struct pb_arena *a = r->arena;
	struct pb_nav *v = &r->g.nav;
	bool whole;

	if (n > PB_WAYS)
		n = PB_WAYS;
	for (size_t i = 0; i < n; i++)
		r->path[i] = pb_arena_centre(a, cell[i]);
	whole = cell[n - 1] == v->cell;
	if (whole && pb_dist(v->at, r->path[n - 1]) < a->map.resolution)
		r->path[n - 1] = v->at;
	v->n = (int)n;
	v->follow.at = 0;
}

/* The distance field to the goal, if there is one. */
static const struct pb_way_field *
field_of(const struct pb_round *r)
{
	const struct pb_nav *v = &r->g.nav;
	const struct pb_way_field *f = NULL;

	if (v->kind == PB_GOAL_PELLET)
		f = &r->arena->field[v->pellet];
	else if (v->kind == PB_GOAL_HOME)
		f = &r->arena->field[r->arena->n];
	return f && f->goal == v->cell ? f : NULL;
}

/* The shortest way that would be without Clyde, in r->cells; its length. */
static size_t
plain_way(struct pb_round *r, const struct pb_way_field *f, struct pb_vec p)
{
	const struct pb_grid *g = f ? f->grid : &r->arena->hard;
	int from = foothold(r, g, p);
	struct pb_path way;

	if (from < 0)
		return 0;
	if (f && f->d)
		return pb_field_descend(g, f->d, from, r->cells, PB_WAYS);
	way = pb_path_find(g == &r->arena->soft ? r->soft : r->hard, from,
	    r->g.nav.cell, NULL, 0, NULL);
	for (size_t i = 0; i < way.n && i < PB_WAYS; i++)
		r->cells[i] = way.cell[i];
	return way.n < PB_WAYS ? way.n : PB_WAYS;
}

static bool
find_around(struct pb_round *r, const struct pb_grid *g, struct pb_vec p,
    const struct marks *m, const int32_t *d)
{
	struct pb_search *s = g == &r->arena->soft ? r->soft : r->hard;
	int from = foothold(r, g, p);
	struct pb_path way;

	if (from < 0)
		return false;
	way = pb_path_find(s, from, r->g.nav.cell, m->disc, (size_t)m->n, d);
	if (way.n == 0)
		return false;
	keep_path(r, way.cell, way.n);
	return true;
}

/*
 * The planner may end a path up to plan_tol from a goal that it cannot reach:
 * here where the plain way enters the marks.
 */
static bool
fall_short(struct pb_round *r, const struct marks *m, size_t n)
{
	size_t k = first_marked(r->arena, m, r->cells, n);
	double d;

	if (k == 0 || k >= n)
		return false;
	d = pb_dist(pb_arena_centre(r->arena, r->cells[k - 1]), r->g.nav.at);
	if (d > r->o.plan_tol)
		return false;
	keep_path(r, r->cells, k);
	return true;
}

bool
pb_plan(struct pb_round *r, bool local)
{
	const struct pb_arena *a = r->arena;
	struct pb_vec p = pb_pose_vec(pb_nav_pose(r));
	const struct pb_way_field *f = field_of(r);
	struct marks wide, near;
	size_t n;

	if (r->g.nav.cell < 0)
		return false;
	n = plain_way(r, f, p);
	if (n == 0)
		return false;
	look(r, local, r->o.inflation, &wide);
	if (first_marked(a, &wide, r->cells, n) == n) {
		keep_path(r, r->cells, n);
		return true;
	}
	look(r, local, r->o.inscribed, &near);
	if (f && f->grid == &a->soft) {
		if (find_around(r, &a->soft, p, &wide, f->d) ||
		    find_around(r, &a->soft, p, &near, f->d) ||
		    find_around(r, &a->hard, p, &near, NULL))
			return true;
	} else if (find_around(r, &a->hard, p, &near, f ? f->d : NULL)) {
		return true;
	}
	return fall_short(r, &near, n);
}

bool
pb_plan_blocked(const struct pb_round *r, double ahead)
{
	const struct pb_nav *v = &r->g.nav;
	struct marks m;
	bool out = false;

	look(r, true, r->o.inscribed, &m);
	if (m.n == 0 || v->n == 0)
		return false;
	for (int i = v->follow.at; i < v->n && ahead > 0; i++) {
		int cell = pb_arena_cell(r->arena, r->path[i]);
		bool in = cell >= 0 && marked(r->arena, &m, cell);

		if (in && out)
			return true;
		out = out || !in;
		if (i + 1 < v->n)
			ahead -= pb_dist(r->path[i], r->path[i + 1]);
	}
	return false;
}
