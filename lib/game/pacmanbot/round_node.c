/*
 * round_node.c - the nodes: the published planner node without its choice of
 * pellets, and the judge; Clyde's node; the controller's actions; begin and
 * outcome of a round.
 */
#include "game/pacmanbot/round_state.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"

/* Pass a message of the planner node to the controller. */
static void
pass_report(struct pb_round *r, enum pb_node_message said, int pellet)
{
	struct pb_controller *c = &r->g.ctl;
	bool before =
	    c->state == PB_RETURNING_HOME && c->pending == PB_PENDING_START;

	pb_controller_receive(c, pb_round_time(r), said, pellet);
	if (said == PB_MSG_HOME_FAILED && before)
		pb_round_end(r, PB_HOME_FAILED);
	pb_run_actions(r);
}

static void
send_report(struct pb_round *r, enum pb_node_message said)
{
	pb_report(r, pb_node_message_name(said), "controller", -1, NAN);
	pass_report(r, said, -1);
}

/* The place by which pickup and death are judged. */
static struct pb_vec
decisive_place(const struct pb_round *r)
{
	if (r->o.judge == PB_JUDGE_TRUTH)
		return pb_pose_vec(r->g.truth);
	return pb_pose_vec(r->g.est.pose);
}

static int
count_remaining(const struct pb_round *r)
{
	int n = 0;

	for (int i = 0; i < r->arena->n; i++)
		n += r->listed[i] && !r->had[i];
	return n;
}

static void
check_death(struct pb_round *r)
{
	struct pb_round_state *g = &r->g;
	struct pb_node *n = &g->node;

	if (!n->enabled || !g->est.ever || n->dying || n->returning)
		return;
	if (pb_dist(decisive_place(r), r->clyde.at) > r->o.death_radius)
		return;
	n->dying = true;
	n->enabled = false;
	pb_emit_signal(r, "clyde killed");
	send_report(r, PB_MSG_DEATH);
	pb_nav_cancel(r, PB_END_CANCELLED);
}

static void
remove_pellet(struct pb_round *r, int i)
{
	r->gone[i] = 1;
	pb_report(r, "remove_pellet", "pellets", i, NAN);
}

static void
collect_pellet(struct pb_round *r, int i)
{
	r->had[i] = 1;
	pb_report(
	    r, pb_node_message_name(PB_MSG_COLLECTED), "controller", i, NAN);
	remove_pellet(r, i);
	pass_report(r, PB_MSG_COLLECTED, i);
}

/* Collect pellets in reach; runs at each pose, also outside of rounds. */
static void
pick_up(struct pb_round *r)
{
	struct pb_nav *v = &r->g.nav;
	struct pb_vec p = decisive_place(r);

	if (!r->g.est.ever)
		return;
	if (!r->o.idle_pickup && r->g.ctl.state != PB_RUNNING)
		return;
	for (int i = 0; i < r->arena->n; i++) {
		if (!r->listed[i] || r->had[i] ||
		    pb_dist(p, r->arena->at[i]) > r->o.pickup_radius)
			continue;
		if (v->kind == PB_GOAL_PELLET && v->pellet == i)
			pb_nav_cancel(r, PB_END_CANCELLED);
		collect_pellet(r, i);
	}
}

void
pb_judge_step(struct pb_round *r)
{
	check_death(r);
	pick_up(r);
}

static void
record_clyde_closing(struct pb_round *r)
{
	struct pb_round_state *g = &r->g;
	struct pb_vec p = pb_pose_vec(g->est.pose);

	if (g->est.ever)
		pb_closing_see(
		    &g->node.closing, p, r->clyde.at, pb_round_time(r));
	check_death(r);
}

void
pb_node_markers(struct pb_round *r)
{
	int remaining = 0;

	for (int i = 0; i < r->arena->n; i++) {
		r->listed[i] = !r->gone[i] && !r->had[i];
		remaining += !r->gone[i];
	}
	r->g.node.markers = true;
	pb_controller_markers(&r->g.ctl, remaining);
	pb_emit(r, (struct pb_event){.kind = PB_EVENT_PELLETS});
	pb_run_actions(r);
}

/* The set is published at once, not at the next marker period. */
void
pb_round_reset_pellets(struct pb_round *r)
{
	memset(r->gone, 0, (size_t)r->arena->n);
	pb_node_markers(r);
}

bool
pb_node_plays(const struct pb_round *r)
{
	const struct pb_node *n = &r->g.node;

	return n->enabled && !n->dying && !n->returning;
}

/* End the round if no pellet is left and none is being driven to. */
static void
check_round_end(struct pb_round *r)
{
	struct pb_node *n = &r->g.node;

	if (!n->markers || count_remaining(r) > 0 ||
	    r->g.nav.kind == PB_GOAL_PELLET)
		return;
	if (pb_node_plays(r)) {
		n->enabled = false;
		pb_nav_cancel(r, PB_END_CANCELLED);
	}
	send_report(r, PB_MSG_COMPLETE);
}

void
pb_node_timer(struct pb_round *r, bool played)
{
	if (pb_node_plays(r))
		pb_judge_step(r);
	if (played && !r->g.node.dying)
		check_round_end(r);
}

static struct pb_view
make_view(struct pb_round *r, struct pb_truth *truth)
{
	const struct pb_round_state *g = &r->g;
	double t = pb_round_time(r);
	struct pb_view v = {
	    .t = t,
	    .run_t = t - (double)g->track.since * r->o.dt,
	    .pose = g->est.pose,
	    .odom = g->odom.pose,
	    .odom_at_pose = g->est.odom,
	    .v = g->odom.twist.v,
	    .w = g->odom.twist.w,
	    .clyde = r->clyde.at,
	    .clyde_t = g->clyde_t,
	    .closing = g->node.closing.speed,
	    .clyde_speed = r->clyde.speed,
	    .pellets = r->arena->n,
	    .left = r->left,
	    .remaining = count_remaining(r),
	    .marks = g->marks,
	    .mark = g->mark,
	    .goal = g->nav.kind,
	    .goal_pellet = g->nav.pellet,
	    .last_end = g->nav.last_end,
	    .arena = r->arena,
	    .opts = &r->o,
	    .truth = r->ps.player->foresees ? truth : NULL,
	};

	*truth = (struct pb_truth){g->truth, &r->clyde, &r->ahead};
	return v;
}

void
pb_node_pose(struct pb_round *r)
{
	struct pb_round_state *g = &r->g;

	if (!g->node.has_home) {
		g->node.has_home = true;
		g->node.home = g->est.pose;
	}
	if (r->ps.player->see_estimate) {
		struct pb_truth truth;
		struct pb_view v = make_view(r, &truth);

		r->ps.player->see_estimate(r->ps.mem, r->ps.model, &v);
	}
	pb_judge_step(r);
}

/* Navigate to pellet i, unless it is the goal already. */
static void
navigate_to_pellet(struct pb_round *r, int i)
{
	struct pb_nav *v = &r->g.nav;

	if (i < 0 || i >= r->arena->n || !r->left[i])
		return;
	if (v->kind == PB_GOAL_PELLET && v->pellet == i)
		return;
	pb_nav_cancel(r, PB_END_CANCELLED);
	pb_nav_pellet(r, i);
}

static void
obey_command(struct pb_round *r, const struct pb_answer *a)
{
	struct pb_nav *v = &r->g.nav;
	bool slower = a->speed > 0 && a->speed < r->o.v_max;

	v->localizes = a->localizes;
	v->odom_in_map = a->odom_in_map;
	v->speed = slower ? a->speed : r->o.v_max;
	switch (a->kind) {
	case PB_KEEP:
		break;
	case PB_GO_PELLET:
		navigate_to_pellet(r, a->pellet);
		break;
	case PB_GO_POINT:
		if (v->kind == PB_GOAL_POINT && v->at.x == a->at.x &&
		    v->at.y == a->at.y)
			break;
		pb_nav_cancel(r, PB_END_CANCELLED);
		pb_nav_point(r, a->at);
		break;
	case PB_GO_PATH:
		if (v->kind != PB_GOAL_PATH)
			pb_nav_cancel(r, PB_END_CANCELLED);
		if (a->ways > 0)
			pb_nav_path(r, a->way, a->ways);
		break;
	case PB_STOP:
		pb_nav_cancel(r, PB_END_CANCELLED);
		break;
	}
	pb_node_result(r);
}

void
pb_node_player(struct pb_round *r)
{
	struct pb_node *n = &r->g.node;
	const struct pb_player_state *ps = &r->ps;
	struct pb_answer a = {.kind = PB_KEEP, .pellet = -1};
	struct pb_truth truth;
	struct pb_view v;

	if (!pb_node_plays(r) || !r->g.est.ever || !n->markers ||
	    count_remaining(r) == 0)
		return;
	for (int i = 0; i < r->arena->n; i++)
		r->left[i] = r->listed[i] && !r->had[i];
	v = make_view(r, &truth);
	if (n->fresh)
		pb_player_reset(&r->ps, &v);
	n->fresh = false;
	if (r->agents.choose)
		r->agents.choose(r->agents.ctx, v.left, &a);
	else
		ps->player->decide(ps->mem, ps->model, &v, &a);
	obey_command(r, &a);
}

void
pb_node_result(struct pb_round *r)
{
	struct pb_node *n = &r->g.node;
	struct pb_nav *v = &r->g.nav;
	enum pb_goal_kind kind = v->result.kind;
	int pellet = v->result.pellet;
	bool reached = v->result.reached;

	v->result.kind = PB_GOAL_NONE;
	if (kind == PB_GOAL_HOME) {
		n->returning = false;
		send_report(r, reached ? PB_MSG_HOME : PB_MSG_HOME_FAILED);
	} else if (kind == PB_GOAL_PELLET && reached) {
		if (r->o.collect_on_arrival && !r->had[pellet])
			collect_pellet(r, pellet);
	} else if (kind == PB_GOAL_PELLET) {
		/*
		 * Removed from the world; the list follows at the next period.
		 */
		remove_pellet(r, pellet);
		r->g.track.removed++;
	}
}

static void
return_home(struct pb_round *r)
{
	struct pb_node *n = &r->g.node;

	n->enabled = false;
	n->dying = false;
	pb_nav_cancel(r, PB_END_CANCELLED);
	n->returning = n->has_home && pb_nav_home(r, pb_pose_vec(n->home));
	if (!n->returning)
		send_report(r, PB_MSG_HOME_FAILED);
	else
		pb_node_result(r);
}

static void
reset_round(struct pb_round *r)
{
	struct pb_node *n = &r->g.node;

	pb_nav_cancel(r, PB_END_CANCELLED);
	n->enabled = n->dying = n->returning = false;
	n->markers = false;
	n->closing = (struct pb_closing){0};
	for (int i = 0; i < r->arena->n; i++)
		r->had[i] = 0;
}

static void
command_node(struct pb_round *r, enum pb_act a)
{
	struct pb_node *n = &r->g.node;

	if (a == PB_ACT_ENABLE) {
		n->enabled = true;
		n->dying = n->returning = false;
		n->fresh = true;
		r->g.nav.localizes = false;
	} else if (a == PB_ACT_DISABLE) {
		n->enabled = false;
		r->g.nav.localizes = false;
		if (!n->returning)
			pb_nav_cancel(r, PB_END_CANCELLED);
	} else if (a == PB_ACT_RESET_ROUND) {
		reset_round(r);
	} else if (a == PB_ACT_RETURN_HOME) {
		return_home(r);
	}
}

/* Publish Clyde's pose, and its obstacle in the robot's costmaps. */
static void
emit_pose(struct pb_round *r)
{
	struct pb_vec point[PB_CLYDE_POINTS], at = r->clyde.at;

	if (!r->agents.emit)
		return;
	pb_emit(r, (struct pb_event){.kind = PB_EVENT_POSE,
		       .body = PB_CLYDE_BODY,
		       .pose = {at.x, at.y, 0}});
	pb_clyde_cloud(&r->clyde, point);
	pb_emit(r, (struct pb_event){.kind = PB_EVENT_OBSTACLE,
		       .body = PB_CLYDE_BODY,
		       .point = point,
		       .n = PB_CLYDE_POINTS});
}

void
pb_ghosts_notify(struct pb_round *r, struct pb_ghost_event n)
{
	n.t = pb_round_time(r);
	n.body = PB_CLYDE_BODY;
	if (pb_agents_decide(&r->agents, n.body))
		r->agents.place(r->agents.ctx, &n, &r->clyde.at);
}

void
pb_ghosts_start(struct pb_round *r, uint64_t seed, uint64_t trial)
{
	struct pb_rng g;

	pb_rng_start(&g, seed, trial, PB_FOR_GHOST, 0);
	pb_clyde_start(&r->clyde, g);
	pb_ghosts_notify(r, (struct pb_ghost_event){.kind = PB_GHOST_STATE,
				.state = pb_state_name(PB_MENU)});
	if (!r->o.has_spawn)
		return;
	pb_clyde_click(&r->clyde, r->o.spawn, NULL);
	pb_ghosts_notify(r,
	    (struct pb_ghost_event){.kind = PB_GHOST_CLICK, .at = r->o.spawn});
}

/* Mark Clyde in the costmaps: only within clyde_reach of the origin, and not if
 * the mark is missed. */
static void
mark_clyde(struct pb_round *r)
{
	struct pb_round_state *g = &r->g;
	struct pb_vec origin = {0, 0}, at = r->clyde.at;
	int old;

	g->marked = pb_dist(at, origin) <= r->o.clyde_reach;
	if (g->marked && r->o.clyde_missed > 0)
		g->marked = pb_rng_unit(&g->mark_rng) >= r->o.clyde_missed;
	if (!g->marked || r->o.clyde_trail <= 0)
		return;
	old = g->trail_n++ % PB_TRAIL;
	g->trail[old].at = at;
	g->trail[old].t = pb_round_time(r);
}

/* Let Clyde's node clear the costmap, when due. */
static void
clear_costmap(struct pb_round *r, double now)
{
	struct pb_round_state *g = &r->g;

	if (!pb_clyde_wipe_due(&r->clyde, &g->wipe, now))
		return;
	g->wipe = (struct pb_clyde_wipe){true, now, r->clyde.at};
	pb_report(r, "clear", "global_costmap", -1, NAN);
}

/* Clyde's node publishes its pose: every tick, and when it respawns. */
static void
publish_clyde(struct pb_round *r)
{
	r->g.clyde_t = pb_round_time(r);
	mark_clyde(r);
	emit_pose(r);
	pb_emit_things(r);
	clear_costmap(r, r->g.clyde_t);
	record_clyde_closing(r);
}

void
pb_ghosts_step(struct pb_round *r)
{
	pb_clyde_tick(&r->clyde);
	pb_ghosts_notify(r, (struct pb_ghost_event){.kind = PB_GHOST_TICK});
	publish_clyde(r);
}

void
pb_round_clyde_speed(struct pb_round *r, double speed)
{
	if (pb_clyde_speed(&r->clyde, speed) != PB_OK)
		return;
	pb_report(r, "speed", "clyde", -1, speed);
	pb_ghosts_notify(
	    r, (struct pb_ghost_event){.kind = PB_GHOST_SPEED, .speed = speed});
}

enum pb_status
pb_round_click(struct pb_round *r, struct pb_vec p)
{
	enum pb_status st = pb_clyde_click(&r->clyde, p, NULL);

	if (st)
		return st;
	pb_ghosts_notify(
	    r, (struct pb_ghost_event){.kind = PB_GHOST_CLICK, .at = p});
	publish_clyde(r);
	return PB_OK;
}

void
pb_round_reset_clyde(struct pb_round *r)
{
	pb_clyde_reset(&r->clyde);
	pb_ghosts_notify(r, (struct pb_ghost_event){.kind = PB_GHOST_RESET});
	publish_clyde(r);
}

static void
begin_round(struct pb_round *r)
{
	struct pb_tracker *k = &r->g.track;

	k->running = true;
	k->since = r->g.step;
	k->removed = 0;
	k->bumps = 0;
	k->score = (struct pb_onboard_score){.updates = 0};
	k->distance = 0;
	k->nearest = pb_round_danger(r);
	k->still = pb_pose_vec(r->g.truth);
	k->still_since = r->g.step;
}

/* Whether any remaining pellet, or if none remains any that navigation gave up,
 * is reachable on the map. */
static bool
is_any_reachable(const struct pb_round *r)
{
	const unsigned char *done = r->gone;
	int left = 0;

	for (int i = 0; i < r->arena->n; i++)
		left += !r->gone[i];
	if (left == 0)
		done = r->had;
	for (int i = 0; i < r->arena->n; i++)
		if (!done[i] && r->arena->cell[i] >= 0)
			return true;
	return false;
}

/*
 * Why a round that ended with e was lost: "caught"; "lost", the robot did not
 * know where it was; "stuck", it did not move for a minute; "unreachable", no
 * path on the map leads to a remaining pellet; "given_up", navigation gave up
 * though there was a path; "timeout".
 */
static const char *
find_cause(const struct pb_round *r, enum pb_ending e)
{
	const struct pb_round_state *g = &r->g;
	/* Between updates odometry continues the estimate. */
	struct pb_pose p = pb_estimate_now(&g->est, g->odom.pose);
	bool wrong = pb_pose_dist(p, g->truth) > r->o.misplaced;
	bool lost = !g->est.ever ||
	            (r->loc != NULL && (wrong || g->belief == PB_LOC_LOST));

	switch (e) {
	case PB_KILLED:
		return wrong ? "caught_misplaced" : "caught";
	case PB_HOME_FAILED:
		return lost ? "lost" : "given_up";
	case PB_PLAYING:
	case PB_DONE:
		return "";
	case PB_STUCK:
	case PB_TIMEOUT:
	case PB_PARTIAL:
		break;
	}
	if (!is_any_reachable(r))
		return "unreachable";
	if (lost)
		return "lost";
	if (e == PB_PARTIAL)
		return "given_up";
	return e == PB_STUCK ? "stuck" : "timeout";
}

static uint64_t
hash_robot(uint64_t h, const struct pb_round_state *g)
{
	h = pb_hash_pose(h, g->truth);
	h = pb_hash_double(h, g->twist.v);
	h = pb_hash_double(h, g->twist.w);
	h = pb_hash_pose(h, g->odom.pose);
	h = pb_hash_pose(h, g->est.pose);
	h = pb_hash_pose(h, g->est.error);
	h = pb_hash_rng(h, &g->odom_rng);
	h = pb_hash_rng(h, &g->pose_rng);
	return pb_hash_rng(h, &g->mark_rng);
}

static uint64_t
hash_nav(uint64_t h, const struct pb_round *r)
{
	const struct pb_nav *v = &r->g.nav;

	h = pb_hash_u64(h, (uint64_t)v->kind);
	h = pb_hash_u64(h, (uint64_t)v->pellet + 1);
	h = pb_hash_u64(h, (uint64_t)v->follow.at);
	h = pb_hash_u64(h, (uint64_t)v->tried);
	for (int i = 0; i < v->n; i++)
		h = pb_hash_vec(h, r->path[i]);
	return h;
}

uint64_t
pb_round_hash(const struct pb_round *r)
{
	const struct pb_round_state *g = &r->g;
	const struct pb_controller *c = &g->ctl;
	uint64_t h = pb_hash_u64(PB_HASH_START, (uint64_t)g->step);
	size_t n = (size_t)r->arena->n;

	h = hash_robot(h, g);
	h = hash_nav(h, r);
	h = pb_hash_vec(h, r->clyde.at);
	h = pb_hash_rng(h, &r->clyde.rng);
	h = pb_hash_u64(h, (uint64_t)c->state);
	h = pb_hash_u64(h, (uint64_t)c->round);
	h = pb_hash_u64(h, (uint64_t)c->collected);
	h = pb_hash_u64(h, (uint64_t)c->score);
	h = pb_hash_bytes(h, r->gone, n);
	h = pb_hash_bytes(h, r->listed, n);
	return pb_hash_bytes(h, r->had, n);
}

void
pb_round_end(struct pb_round *r, enum pb_ending e)
{
	const struct pb_controller *c = &r->g.ctl;
	struct pb_tracker *k = &r->g.track;

	k->last = (struct pb_outcome){
	    .ending = e,
	    .round = c->round,
	    .spawned = c->spawned,
	    .collected = c->collected,
	    .removed = k->removed,
	    .score = c->score,
	    .distance = k->distance,
	    .nearest = k->nearest,
	    .bumps = r->range ? k->bumps : -1,
	    .localized = k->score,
	};
	if (k->running)
		k->last.time = (double)(r->g.step - k->since) * r->o.dt;
	k->last.cause = find_cause(r, e);
	k->running = false;
	k->ended++;
	k->last.hash = pb_round_hash(r);
}

/* Begin or end a round with the controller's state. */
static void
enter_state(struct pb_round *r, enum pb_state s)
{
	const struct pb_controller *c = &r->g.ctl;

	pb_clyde_state(&r->clyde, pb_state_name(s));
	pb_ghosts_notify(r, (struct pb_ghost_event){.kind = PB_GHOST_STATE,
				.state = pb_state_name(s)});
	if (s == PB_STARTING || s == PB_DYING)
		r->g.show_t = pb_round_time(r);
	if (s == PB_RUNNING)
		begin_round(r);
	if (!r->g.track.running)
		return;
	if (s == PB_DYING)
		pb_round_end(r, PB_KILLED);
	else if (s == PB_COMPLETE)
		pb_round_end(
		    r, c->collected >= c->spawned ? PB_DONE : PB_PARTIAL);
	else if (s != PB_RUNNING)
		/* Reset by the operator: the round has no outcome. */
		r->g.track.running = false;
}

static void
emit_command(struct pb_round *r, const char *what, const char *to)
{
	pb_emit(r, (struct pb_event){
		       .kind = PB_EVENT_COMMAND, .name = what, .to = to});
}

static void
run_action(struct pb_round *r, const struct pb_action *a)
{
	switch (a->act) {
	case PB_ACT_DISABLE:
	case PB_ACT_ENABLE:
	case PB_ACT_RESET_ROUND:
	case PB_ACT_RETURN_HOME:
		emit_command(r, pb_act_name(a->act), "planner");
		command_node(r, a->act);
		break;
	case PB_ACT_EVENT:
		pb_emit_signal(r, a->text);
		break;
	case PB_ACT_RESET_PELLETS:
		emit_command(r, "reset_pellets", "pellets");
		pb_round_reset_pellets(r);
		break;
	case PB_ACT_RESET_CLYDE:
		emit_command(r, "reset_ghosts", "clyde");
		pb_round_reset_clyde(r);
		break;
	case PB_ACT_SPEED:
		pb_round_clyde_speed(r, a->value);
		break;
	case PB_ACT_STATE:
		pb_emit(r,
		    (struct pb_event){.kind = PB_EVENT_STATE, .name = a->text});
		enter_state(r, (enum pb_state)a->value);
		break;
	case PB_ACT_COUNTS:
	case PB_ACT_RESULT:
		pb_emit(r, (struct pb_event){.kind = PB_EVENT_STATE});
		break;
	}
}

/* Carry out all actions. An action may make the node send messages, which
 * append more actions: they are carried out in turn, not nested. */
void
pb_run_actions(struct pb_round *r)
{
	struct pb_controller *c = &r->g.ctl;

	if (r->settling)
		return;
	r->settling = true;
	for (int i = 0; i < c->actions; i++) {
		struct pb_action a = c->action[i];

		run_action(r, &a);
	}
	pb_controller_done(c);
	r->settling = false;
}
