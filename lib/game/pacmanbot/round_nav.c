/* round_nav.c - navigation: goals, progress, recoveries, results. */
#include <math.h>

#include "game/pacmanbot/round_state.h"

/* A player's path is followed to its very end (m). */
#define PATH_TOL 0.05

/* The local costmap is 3 m wide: it shows this much of the path ahead (m). */
#define LOCAL_VIEW 1.5

/* nav2's behaviours: spin (rad), wait (s), back up (m). */
static const double recovery_size[PB_RECOVERIES] = {0, 1.57, 5.0, 0.3};

struct pb_pose
pb_nav_pose(const struct pb_round *r)
{
	const struct pb_round_state *g = &r->g;

	if (g->nav.localizes)
		return pb_pose_compose(g->nav.odom_in_map, g->odom.pose);
	return pb_estimate_now(&g->est, g->odom.pose);
}

static void
restart_progress(struct pb_round *r)
{
	r->g.nav.progress = pb_pose_vec(pb_nav_pose(r));
	r->g.nav.progress_t = pb_round_time(r);
}

static void
tell_goal(struct pb_round *r, const char *what)
{
	const struct pb_nav *v = &r->g.nav;

	pb_tell(r, (struct pb_event){.kind = PB_EV_GOAL,
		       .text = what,
		       .id = v->pellet,
		       .at = v->at});
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
tell_path(struct pb_round *r)
{
	pb_tell(r, (struct pb_event){.kind = PB_EV_PATH,
		       .path = r->path,
		       .id = r->g.nav.pellet,
		       .n = r->g.nav.n});
}

void
pb_nav_cancel(struct pb_round *r, enum pb_goal_end end)
{
	static const char *const names[] = {
	    "none", "reached", "failed", "cancelled"};
	struct pb_nav *v = &r->g.nav;

	if (v->kind == PB_GOAL_NONE)
		return;
	pb_tell(r, (struct pb_event){.kind = PB_EV_GOAL_END,
		       .text = names[end],
		       .id = v->pellet,
		       .at = v->at});
	v->kind = PB_GOAL_NONE;
	v->pellet = -1;
	v->n = 0;
	v->doing = PB_RECOVER_NONE;
	v->last_end = end;
}

static void
finish(struct pb_round *r, bool reached)
{
	enum pb_goal_kind kind = r->g.nav.kind;
	int pellet = r->g.nav.pellet;

	pb_nav_cancel(r, reached ? PB_END_REACHED : PB_END_FAILED);
	pb_node_goal_over(r, kind, pellet, reached);
}

/* Something went wrong: the next recovery, or none are left. */
static void
fail(struct pb_round *r)
{
	struct pb_nav *v = &r->g.nav;

	if (v->kind == PB_GOAL_PATH || v->tried >= r->o.recoveries) {
		finish(r, false);
		return;
	}
	v->doing = (enum pb_recovery)(v->tried % PB_RECOVERIES);
	v->doing_left = recovery_size[v->doing];
	v->tried++;
	v->n = 0;
	v->blocked = false;
	if (v->doing == PB_RECOVER_CLEAR) {
		r->g.trail_n = 0;
		pb_tell_text(r, PB_EV_CLEAR, "recovery");
	}
}

static void
plan(struct pb_round *r, bool local)
{
	struct pb_nav *v = &r->g.nav;

	if (pb_plan(r, local)) {
		v->blocked = false;
		tell_path(r);
	} else if (local) {
		if (!v->blocked)
			v->blocked_t = pb_round_time(r);
		v->blocked = true;
	} else {
		fail(r);
	}
}

static void
new_goal(struct pb_round *r)
{
	if (!r->o.plan_on_update)
		plan(r, false);
}

void
pb_nav_pellet(struct pb_round *r, int pellet)
{
	const struct pb_arena *a = r->arena;

	set_goal(r, PB_GOAL_PELLET, pellet, a->at[pellet], a->cell[pellet]);
	tell_goal(r, "pellet");
	new_goal(r);
}

/* The cell to drive to for a goal anywhere, -1 if none is near enough. */
static int
goal_cell(const struct pb_round *r, struct pb_vec at)
{
	const struct pb_arena *a = r->arena;
	int i = pb_arena_cell(a, at);

	if (pb_grid_joined(&a->hard, i, a->home))
		return i;
	return pb_arena_near(a, &a->hard, a->home, at, r->o.plan_tol);
}

void
pb_nav_point(struct pb_round *r, struct pb_vec at)
{
	set_goal(r, PB_GOAL_POINT, -1, at, goal_cell(r, at));
	tell_goal(r, "point");
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
	tell_goal(r, "home");
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
		tell_goal(r, "path");
	}
	v->at = way[n - 1];
	v->n = n;
	v->follow.at = 0;
	tell_path(r);
}

static bool
arrived(const struct pb_round *r)
{
	const struct pb_nav *v = &r->g.nav;
	double tol = v->kind == PB_GOAL_PATH ? PATH_TOL : r->o.goal_tol;

	/* A path that comes back to its start has to be driven first. */
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
		fail(r);
		return;
	}
	if (pb_dist(pb_pose_vec(pb_nav_pose(r)), v->progress) >
	    r->o.progress_dist)
		restart_progress(r);
	else if (now - v->progress_t > r->o.progress_time)
		fail(r);
}

static bool
due(const struct pb_round *r, long pace)
{
	return r->g.step % pace == 0;
}

/* Replanning: the whole way at 1 Hz, around a fresh obstacle at 5 Hz. */
static void
replan(struct pb_round *r)
{
	struct pb_nav *v = &r->g.nav;

	if (v->kind == PB_GOAL_PATH)
		return;
	if (due(r, r->pace.global))
		plan(r, false);
	else if (v->n > 0 && due(r, r->pace.local) &&
		 (v->blocked || pb_plan_blocked(r, LOCAL_VIEW)))
		plan(r, true);
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
	if (arrived(r))
		finish(r, true);
	else if (v->n > 0)
		check_progress(r);
	else
		restart_progress(r);
}
