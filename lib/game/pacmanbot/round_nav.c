/* round_nav.c - navigation: paths around Clyde, goals, recoveries. */
#include <math.h>
#include <string.h>

#include "game/pacmanbot/round_state.h"

/* Clyde, its old places that are still in the costmap, and lidar marks. */
struct mark_discs {
	int n;
	struct pb_disc disc[PB_TRAIL + 1 + PB_MARKS];
};

/* Add the marks of the sensor layer that were seen after time `from`. */
static void
add_layer_marks(
    const struct pb_round *r, double from, double grow, struct mark_discs *m)
{
	const struct pb_round_state *g = &r->g;
	double radius = PB_MARK_CELLS * r->arena->map.resolution + grow;

	for (int i = 0; i < g->marks; i++)
		if (g->mark[i].t >= from)
			m->disc[m->n++] =
			    pb_arena_disc(r->arena, g->mark[i].at, radius);
}

/*
 * Collect the discs to avoid. Their radius grows by the inscribed radius, or,
 * to keep a distance where there is room, by the inflation radius: costs in
 * between are soft.
 */
static void
collect_marks(
    const struct pb_round *r, bool local, double grow, struct mark_discs *m)
{
	const struct pb_round_state *g = &r->g;
	double radius = r->o.clyde_radius + grow;
	double now = pb_round_time(r);

	m->n = 0;
	/* The global costmap has the marks since Clyde's node cleared it. */
	add_layer_marks(r, local ? -INFINITY : g->wipe.t, grow, m);
	if (g->marked)
		m->disc[m->n++] = pb_arena_disc(r->arena, r->clyde.at, radius);
	if (!local || r->o.clyde_trail <= 0)
		return;
	for (int i = 0; i < PB_TRAIL && i < g->trail_n; i++)
		if (now - g->trail[i].t <= r->o.clyde_trail)
			m->disc[m->n++] =
			    pb_arena_disc(r->arena, g->trail[i].at, radius);
}

static bool
in_disc(struct pb_disc d, double col, double row)
{
	double dc = col - d.col, dr = row - d.row;

	return dc * dc + dr * dr <= d.r * d.r;
}

static bool
is_marked(const struct pb_arena *a, const struct mark_discs *m, int cell)
{
	int col = cell % a->map.width, row = cell / a->map.width;

	for (int i = 0; i < m->n; i++)
		if (in_disc(m->disc[i], col, row))
			return true;
	return false;
}

static bool
on_mark(const struct pb_round *r, const struct mark_discs *m, struct pb_vec p)
{
	int cell = pb_arena_cell(r->arena, p);

	return cell >= 0 && is_marked(r->arena, m, cell);
}

/* Index of the first marked cell after an unmarked one, or of a marked last
 * cell; n if none. */
static size_t
first_marked(const struct pb_arena *a, const struct mark_discs *m,
    const int *cell, size_t n)
{
	bool out = false;

	for (size_t i = 0; i < n; i++) {
		bool in = is_marked(a, m, cell[i]);

		if (in && (out || i + 1 == n))
			return i;
		out = out || !in;
	}
	return n;
}

/* The cell of g nearest to p from which the goal can be reached: the estimate
 * may lie in a wall. */
static int
find_start_cell(
    const struct pb_round *r, const struct pb_grid *g, struct pb_vec p)
{
	return pb_arena_near(r->arena, g, r->g.nav.cell, p, r->o.plan_tol);
}

/* Store cells as points of r->path; a complete path ends at the goal itself. */
static void
store_path(struct pb_round *r, const int *cell, size_t n)
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

/* The distance field to the goal, if any: the arena's, or in a large map the
 * game's own, extended as far as p. */
static const struct pb_way_field *
get_field(struct pb_round *r, struct pb_vec p)
{
	const struct pb_nav *v = &r->g.nav;
	const struct pb_arena *a = r->arena;
	const struct pb_way_field *f = NULL;
	const struct pb_grid *g;
	int from;
	int i = v->kind == PB_GOAL_PELLET ? v->pellet
	        : v->kind == PB_GOAL_HOME ? a->n
	                                  : -1;

	if (i >= 0 && a->field[i].goal == v->cell)
		f = pb_arena_field(a, i);
	g = f ? f->grid : &a->hard;
	if (!r->field.d || (from = find_start_cell(r, g, p)) < 0)
		return f;
	if (r->field.grid != g || r->field.goal != v->cell ||
	    r->field.d[from] >= r->known) {
		r->field.grid = g;
		r->field.goal = v->cell;
		r->known =
		    pb_field_between(g, v->cell, from, r->work, r->field.d);
	}
	/* The field may not reach p. */
	return r->field.d[from] < r->known ? &r->field : f;
}

/* Fill r->cells with the shortest path without marks; returns its length. */
static size_t
find_plain_path(
    struct pb_round *r, const struct pb_way_field *f, struct pb_vec p)
{
	const struct pb_grid *g = f ? f->grid : &r->arena->hard;
	int from = find_start_cell(r, g, p);
	struct pb_path way;

	if (from < 0)
		return 0;
	if (f && f->d)
		return pb_field_descend(g, f->d, from, r->cells, PB_WAYS);
	way = pb_path_find(
	    r->search, g, from, r->g.nav.cell, NULL, 0, NULL, PB_FIELD_NONE);
	for (size_t i = 0; i < way.n && i < PB_WAYS; i++)
		r->cells[i] = way.cell[i];
	return way.n < PB_WAYS ? way.n : PB_WAYS;
}

static bool
find_path_around(struct pb_round *r, const struct pb_grid *g, struct pb_vec p,
    const struct mark_discs *m, const int32_t *d)
{
	int from = find_start_cell(r, g, p);
	struct pb_path way;

	if (from < 0)
		return false;
	/* The path must not depend on how far earlier searches have extended
	 * the field. */
	way = pb_path_find(r->search, g, from, r->g.nav.cell, m->disc,
	    (size_t)m->n, d, d && d == r->field.d ? d[from] : PB_FIELD_NONE);
	if (way.n == 0)
		return false;
	store_path(r, way.cell, way.n);
	return true;
}

/* The planner may end a path within plan_tol of an unreachable goal: cut the
 * plain path where it enters the marks. */
static bool
cut_path_at_marks(struct pb_round *r, const struct mark_discs *m, size_t n)
{
	size_t k = first_marked(r->arena, m, r->cells, n);
	double d;

	if (k == 0 || k >= n)
		return false;
	d = pb_dist(pb_arena_centre(r->arena, r->cells[k - 1]), r->g.nav.at);
	if (d > r->o.plan_tol)
		return false;
	store_path(r, r->cells, k);
	return true;
}

/*
 * Plan a path to nav.cell from the navigation pose, around the marks of the
 * global (local: of the local) costmap. Returns whether there is one, in
 * r->path and nav.n.
 */
static bool
find_path(struct pb_round *r, bool local)
{
	const struct pb_arena *a = r->arena;
	struct pb_vec p = pb_pose_vec(pb_nav_pose(r));
	const struct pb_way_field *f;
	struct mark_discs wide, near;
	size_t n;

	if (r->g.nav.cell < 0)
		return false;
	f = get_field(r, p);
	n = find_plain_path(r, f, p);
	if (n == 0)
		return false;
	collect_marks(r, local, r->o.inflation, &wide);
	if (first_marked(a, &wide, r->cells, n) == n) {
		store_path(r, r->cells, n);
		return true;
	}
	collect_marks(r, local, r->o.inscribed, &near);
	if (f && f->grid == &a->soft) {
		if (find_path_around(r, &a->soft, p, &wide, f->d) ||
		    find_path_around(r, &a->soft, p, &near, f->d) ||
		    find_path_around(r, &a->hard, p, &near, NULL))
			return true;
	} else if (find_path_around(r, &a->hard, p, &near, f ? f->d : NULL)) {
		return true;
	}
	return cut_path_at_marks(r, &near, n);
}

/* Whether a mark blocks the next `ahead` metres of the path. */
static bool
is_blocked(const struct pb_round *r, double ahead)
{
	const struct pb_nav *v = &r->g.nav;
	struct mark_discs m;
	bool out = false;

	collect_marks(r, true, r->o.inscribed, &m);
	if (m.n == 0 || v->n == 0)
		return false;
	for (int i = v->follow.at; i < v->n && ahead > 0; i++) {
		bool in = on_mark(r, &m, r->path[i]);

		if (in && out)
			return true;
		out = out || !in;
		if (i + 1 < v->n)
			ahead -= pb_dist(r->path[i], r->path[i + 1]);
	}
	return false;
}

/* A detour avoids marks that were seen within this time (s). */
#define IN_SIGHT 0.5

/* Replan a player's path around the first obstacle on it that the lidar sees.
 * Returns whether the path can be followed. */
static bool
find_detour(struct pb_round *r)
{
	struct pb_nav *v = &r->g.nav;
	const struct pb_arena *a = r->arena;
	struct pb_vec p = pb_pose_vec(pb_nav_pose(r));
	struct mark_discs m = {.n = 0};
	struct pb_path way;
	int first = v->follow.at, past, from, n, tail;

	add_layer_marks(r, pb_round_time(r) - IN_SIGHT, r->o.inscribed, &m);
	/* A robot too near an obstacle may drive away from it. */
	while (first < v->n && on_mark(r, &m, r->path[first]))
		first++;
	while (first < v->n && !on_mark(r, &m, r->path[first]))
		first++;
	past = first;
	while (past < v->n && on_mark(r, &m, r->path[past]))
		past++;
	if (first == v->n)
		return true;
	if (past == v->n)
		return false;
	v->cell = pb_arena_cell(a, r->path[past]);
	from = find_start_cell(r, &a->hard, p);
	way = pb_path_find(r->search, &a->hard, from, v->cell, m.disc,
	    (size_t)m.n, NULL, PB_FIELD_NONE);
	if (from < 0 || way.n == 0)
		return false;
	/* The detour, then the rest of the path. */
	tail = v->n - past;
	n = (int)(way.n < PB_WAYS ? way.n : PB_WAYS);
	if (tail > PB_WAYS - n)
		tail = PB_WAYS - n;
	memmove(r->path + n, r->path + past, (size_t)tail * sizeof(*r->path));
	for (int i = 0; i < n; i++)
		r->path[i] = pb_arena_centre(a, way.cell[i]);
	v->n = n + tail;
	v->follow.at = 0;
	return true;
}

/* Goal tolerance of a player's path (m). */
#define PATH_TOL 0.05

/* The local costmap is 3 m wide: it shows this much of the path ahead (m). */
#define LOCAL_VIEW 1.5

/* nav2's behaviours: spin (rad), wait (s), back up (m). */
static const double recovery_size[PB_RECOVERIES] = {0, 1.57, 5.0, 0.3};

static void
restart_progress(struct pb_round *r)
{
	r->g.nav.progress = pb_pose_vec(pb_nav_pose(r));
	r->g.nav.progress_t = pb_round_time(r);
}

static void
emit_goal(struct pb_round *r, const char *what)
{
	const struct pb_nav *v = &r->g.nav;

	pb_emit(r, (struct pb_event){.kind = PB_EVENT_GOAL,
		       .name = what,
		       .pellet = v->pellet,
		       .pose = {v->at.x, v->at.y, 0}});
}

static void
set_goal(struct pb_round *r, enum pb_goal_kind kind, int pellet,
    struct pb_vec at, int cell)
{
	struct pb_nav *v = &r->g.nav;

	v->kind = kind;
	v->pellet = pellet;
	v->at = at;
	v->cell = cell;
	v->n = 0;
	v->follow.at = 0;
	v->blocked = false;
	v->doing = PB_RECOVER_NONE;
	v->tried = 0;
	restart_progress(r);
}

static void
emit_path(struct pb_round *r)
{
	pb_emit(
	    r, (struct pb_event){
		   .kind = PB_EVENT_PATH, .point = r->path, .n = r->g.nav.n});
}

void
pb_nav_cancel(struct pb_round *r, enum pb_goal_end end)
{
	static const char *const names[] = {
	    "none", "reached", "failed", "cancelled"};
	struct pb_nav *v = &r->g.nav;

	if (v->kind == PB_GOAL_NONE)
		return;
	pb_emit(r, (struct pb_event){.kind = PB_EVENT_GOAL_END,
		       .name = names[end],
		       .pellet = v->pellet});
	v->kind = PB_GOAL_NONE;
	v->pellet = -1;
	v->n = 0;
	v->doing = PB_RECOVER_NONE;
	v->last_end = end;
}

static void
finish_goal(struct pb_round *r, bool reached)
{
	enum pb_goal_kind kind = r->g.nav.kind;
	int pellet = r->g.nav.pellet;

	pb_nav_cancel(r, reached ? PB_END_REACHED : PB_END_FAILED);
	r->g.nav.result.kind = kind;
	r->g.nav.result.pellet = pellet;
	r->g.nav.result.reached = reached;
}

/* Start the next recovery; fail if none is left. */
static void
try_recovery(struct pb_round *r)
{
	struct pb_nav *v = &r->g.nav;

	if (v->kind == PB_GOAL_PATH || v->tried >= r->o.recoveries) {
		finish_goal(r, false);
		return;
	}
	v->doing = (enum pb_recovery)(v->tried % PB_RECOVERIES);
	v->doing_left = recovery_size[v->doing];
	v->tried++;
	v->n = 0;
	v->blocked = false;
	if (v->doing == PB_RECOVER_CLEAR) {
		r->g.trail_n = 0;
		pb_marks_forget(r);
		pb_report(r, "clear", "global_costmap", -1, NAN);
	}
}

static void
plan_path(struct pb_round *r, bool local)
{
	struct pb_nav *v = &r->g.nav;

	if (find_path(r, local)) {
		v->blocked = false;
		emit_path(r);
	} else if (local) {
		if (!v->blocked)
			v->blocked_t = pb_round_time(r);
		v->blocked = true;
	} else {
		try_recovery(r);
	}
}

static void
new_goal(struct pb_round *r)
{
	if (!r->o.plan_on_update)
		plan_path(r, false);
}

void
pb_nav_pellet(struct pb_round *r, int pellet)
{
	const struct pb_arena *a = r->arena;

	set_goal(r, PB_GOAL_PELLET, pellet, a->at[pellet], a->cell[pellet]);
	emit_goal(r, "pellet");
	new_goal(r);
}

/* The cell to drive to for a goal at any place; -1 if none is near. */
static int
goal_cell(const struct pb_round *r, struct pb_vec at)
{
	const struct pb_arena *a = r->arena;

	return pb_arena_near(a, &a->hard, a->home, at, r->o.plan_tol);
}

void
pb_nav_point(struct pb_round *r, struct pb_vec at)
{
	set_goal(r, PB_GOAL_POINT, -1, at, goal_cell(r, at));
	emit_goal(r, "point");
	new_goal(r);
}

bool
pb_nav_home(struct pb_round *r, struct pb_vec at)
{
	int cell = goal_cell(r, at);

	if (cell < 0)
		return false;
	r->g.nav.speed = r->o.v_max;
	set_goal(r, PB_GOAL_HOME, -1, at, cell);
	emit_goal(r, "home");
	new_goal(r);
	return true;
}

void
pb_nav_path(struct pb_round *r, const struct pb_vec *way, int n)
{
	struct pb_nav *v = &r->g.nav;
	bool fresh = v->kind != PB_GOAL_PATH;

	if (n > PB_WAYS)
		n = PB_WAYS;
	for (int i = 0; i < n; i++)
		r->path[i] = way[i];
	if (fresh) {
		set_goal(r, PB_GOAL_PATH, -1, way[n - 1], -1);
		emit_goal(r, "path");
	}
	v->at = way[n - 1];
	v->n = n;
	v->follow.at = 0;
	if (r->g.marks > 0 && !find_detour(r)) {
		try_recovery(r);
		return;
	}
	emit_path(r);
}

static bool
has_arrived(const struct pb_round *r)
{
	const struct pb_nav *v = &r->g.nav;
	double tol = v->kind == PB_GOAL_PATH ? PATH_TOL : r->o.goal_tol;

	/* A path that returns to its start has to be driven first. */
	if (v->n == 0 || (v->kind == PB_GOAL_PATH && v->follow.at + 1 < v->n))
		return false;
	return pb_dist(pb_pose_vec(pb_nav_pose(r)), r->path[v->n - 1]) <= tol;
}

static void
check_progress(struct pb_round *r)
{
	struct pb_nav *v = &r->g.nav;
	double now = pb_round_time(r);

	if (v->kind == PB_GOAL_PATH)
		return;
	if (v->blocked && now - v->blocked_t > r->o.failure_time) {
		try_recovery(r);
		return;
	}
	if (pb_dist(pb_pose_vec(pb_nav_pose(r)), v->progress) >
	    r->o.progress_dist)
		restart_progress(r);
	else if (now - v->progress_t > r->o.progress_time)
		try_recovery(r);
}

/* Replan globally at 1 Hz, locally around a new obstacle at 5 Hz. */
static void
replan(struct pb_round *r)
{
	struct pb_nav *v = &r->g.nav;

	if (v->kind == PB_GOAL_PATH) {
		if (r->g.marks > 0 && pb_due(r, r->pace.local) &&
		    !find_detour(r))
			try_recovery(r);
		return;
	}
	if (pb_due(r, r->pace.global))
		plan_path(r, false);
	else if (v->n > 0 && pb_due(r, r->pace.local) &&
		 (v->blocked || is_blocked(r, LOCAL_VIEW)))
		plan_path(r, true);
}

void
pb_nav_step(struct pb_round *r)
{
	struct pb_nav *v = &r->g.nav;

	if (v->kind == PB_GOAL_NONE)
		return;
	if (v->doing != PB_RECOVER_NONE) {
		if (v->doing_left > 0)
			return;
		v->doing = PB_RECOVER_NONE;
		restart_progress(r);
	}
	replan(r);
	if (v->kind == PB_GOAL_NONE || v->doing != PB_RECOVER_NONE)
		return;
	if (has_arrived(r))
		finish_goal(r, true);
	else if (v->n > 0)
		check_progress(r);
	else
		restart_progress(r);
}
