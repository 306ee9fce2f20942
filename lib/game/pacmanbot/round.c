/* round.c - one game of the pacmanbot rules: memory, start, steps, timeout. */
#include "game/pacmanbot/round_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void
pb_round_set_agents(struct pb_round *r, const struct pb_agents *c)
{
	r->agents = c ? *c : (struct pb_agents){.ctx = NULL};
}

/* A robot that stays within STUCK_DIST (m) for STUCK_TIME (s) is stuck. */
#define STUCK_DIST 0.5
#define STUCK_TIME 60.0

/* The time limit is over: press reset, as the operator would. */
static void
stop_at_limit(struct pb_round *r)
{
	struct pb_tracker *k = &r->g.track;
	double still = (double)(r->g.step - k->still_since) * r->o.dt;

	pb_round_end(r, still >= STUCK_TIME ? PB_STUCK : PB_TIMEOUT);
	pb_round_press_reset(r);
}

static void
update_tracker(struct pb_round *r)
{
	struct pb_tracker *k = &r->g.track;
	struct pb_vec p = pb_pose_vec(r->g.truth);
	double v = r->g.twist.v;

	if (!k->running)
		return;
	k->distance += (v < 0 ? -v : v) * r->o.dt;
	k->nearest = fmin(k->nearest, pb_round_danger(r));
	if (pb_dist(p, k->still) > STUCK_DIST) {
		k->still = p;
		k->still_since = r->g.step;
	}
	if ((double)(r->g.step - k->since) * r->o.dt >= r->o.duration)
		stop_at_limit(r);
}

static long
count_steps(double period, double dt)
{
	long n = lround(period / dt);

	return n < 1 ? 1 : n;
}

static struct pb_pace
compute_periods(const struct pb_round_opts *o, const struct pb_player *p)
{
	double think = p->period > 0 ? p->period : o->planner_period;

	return (struct pb_pace){
	    .clyde = count_steps(o->clyde_period, o->dt),
	    .scan = count_steps(o->scan_period, o->dt),
	    .planner = count_steps(o->planner_period, o->dt),
	    .marker = count_steps(o->marker_period, o->dt),
	    .global = count_steps(o->global_period, o->dt),
	    .local = count_steps(o->local_period, o->dt),
	    .player = count_steps(think, o->dt),
	};
}

static struct pb_clyde_opts
clyde_opts(const void *opts)
{
	const struct pb_round_opts *o = opts;
	struct pb_clyde_opts c = pb_clyde_defaults();

	c.clearance = o->clyde_clearance;
	c.speed = o->clyde_speed;
	/* Clyde's tick is a whole number of steps. */
	c.period = (double)count_steps(o->clyde_period, o->dt) * o->dt;
	c.radius = o->clyde_radius;
	c.spawn = o->spawn_on == PB_SPAWN_MAIN ? PB_CLYDE_MAIN : PB_CLYDE_ANY;
	return c;
}

static enum pb_status
allocate(struct pb_round *r)
{
	size_t n = (size_t)r->arena->n;
	struct pb_clyde_opts co = clyde_opts(&r->o);
	enum pb_status st;

	r->path = pb_pool_get(&r->pool, PB_WAYS, sizeof(*r->path));
	r->cells = pb_pool_get(&r->pool, PB_WAYS, sizeof(*r->cells));
	r->gone = pb_pool_get(&r->pool, n, 5);
	if (!r->arena->distance) {
		r->field.d = pb_pool_get(&r->pool, pb_map_cells(&r->arena->map),
		    sizeof(*r->field.d));
		r->work = pb_pool_get(
		    &r->pool, pb_field_room(&r->arena->hard), sizeof(*r->work));
	}
	if (r->pool.failed || pb_player_open(&r->ps) != PB_OK)
		return PB_ENOMEM;
	r->listed = r->gone + n;
	r->had = r->listed + n;
	r->left = r->had + n;
	r->remain = r->left + n;
	st = pb_search_new(&r->search, &r->arena->hard);
	if (!st)
		st = pb_perception_new(r);
	if (!st)
		st = pb_clyde_init(&r->clyde, &r->arena->clyde, &co, r->search);
	if (!st && r->ps.player->foresees)
		st = pb_clyde_init(&r->ahead, &r->arena->clyde, &co, r->search);
	return st;
}

enum pb_status
pb_round_new(struct pb_round **out, const struct pb_arena *a,
    const struct pb_round_opts *o, const struct pb_player *player,
    const void *model)
{
	struct pb_round *r;
	const char *why;
	enum pb_status st;

	if (pb_round_wrong(o, &why))
		return PB_EVALUE;
	r = calloc(1, sizeof(*r));
	if (!r)
		return PB_ENOMEM;
	r->arena = a;
	r->o = *o;
	r->ps = (struct pb_player_state){
	    .world = a, .opts = &r->o, .player = player, .model = model};
	r->pace = compute_periods(o, player);
	st = allocate(r);
	if (st) {
		pb_round_free(r);
		return st;
	}
	pb_round_start(r, 0, 0);
	*out = r;
	return PB_OK;
}

void
pb_round_free(void *round)
{
	struct pb_round *r = round;

	if (!r)
		return;
	pb_clyde_clear(&r->clyde);
	pb_clyde_clear(&r->ahead);
	for (int i = 0; r->people && i < r->o.people; i++)
		pb_clyde_clear(&r->people[i]);
	pb_search_free(r->search);
	pb_player_close(&r->ps);
	pb_pool_clear(&r->pool);
	free(r);
}

void
pb_round_slim(void *round)
{
	struct pb_round *r = round;

	pb_search_free(r->search);
	pb_clyde_clear(&r->ahead);
	r->search = r->clyde.search = NULL;
	for (int i = 0; r->people && i < r->o.people; i++)
		r->people[i].search = NULL;
}

void
pb_round_start(struct pb_round *r, uint64_t seed, uint64_t trial)
{
	struct pb_round_state *g = &r->g;

	*g = (struct pb_round_state){
	    .seed = seed,
	    .trial = trial,
	    .truth = r->arena->start,
	    .nav = {.pellet = -1, .cell = -1, .doing = PB_RECOVER_NONE},
	    .node = {.fresh = true},
	    .track = {.last = {.cause = "", .bumps = -1}},
	};
	memset(r->gone, 0, 5 * (size_t)r->arena->n);
	memset(r->ps.mem, 0, r->ps.mem_size);
	pb_rng_start(&g->odom_rng, seed, trial, PB_FOR_ODOM, 0);
	pb_rng_start(&g->pose_rng, seed, trial, PB_FOR_POSE, 0);
	pb_rng_start(&g->mark_rng, seed, trial, PB_FOR_MOTION, 0);
	pb_ghosts_start(r, seed, trial);
	pb_perception_start(r);
	pb_controller_init(&g->ctl, r->o.clyde_speed, r->o.clyde_step,
	    r->o.theatrical, r->o.death_show);
	g->ctl.round = r->o.round;
	r->settling = false;
}

void
pb_round_copy(void *to, const void *from)
{
	struct pb_round *dst = to;
	const struct pb_round *src = from;

	dst->g = src->g;
	dst->settling = src->settling;
	pb_clyde_copy(&dst->clyde, &src->clyde);
	memcpy(dst->path, src->path, (size_t)src->g.nav.n * sizeof(*dst->path));
	memcpy(dst->gone, src->gone, 5 * (size_t)src->arena->n);
	memcpy(dst->ps.mem, src->ps.mem,
	    pb_player_lasting(src->ps.player, src->ps.mem_size));
	pb_perception_copy(dst, src);
}

static void
step_estimate(struct pb_round *r)
{
	struct pb_round_state *g = &r->g;

	if (!pb_perception_step(r))
		return;
	pb_emit(r,
	    (struct pb_event){.kind = PB_EVENT_ESTIMATE, .pose = g->est.pose});
	pb_ghosts_notify(r, (struct pb_ghost_event){
				.kind = PB_GHOST_ROBOT, .robot = g->est.pose});
	pb_node_pose(r);
}

static void
step_robot(struct pb_round *r)
{
	struct pb_round_state *g = &r->g;

	pb_people_step(r);
	pb_drive_step(r);
	if (pb_due(r, r->pace.scan))
		step_estimate(r);
	if (!r->agents.emit)
		return;
	pb_emit(r, (struct pb_event){.kind = PB_EVENT_POSE, .pose = g->truth});
	pb_emit(r, (struct pb_event){.kind = PB_EVENT_ODOM,
		       .pose = g->odom.pose,
		       .v = g->odom.twist.v,
		       .w = g->odom.twist.w});
	pb_emit(
	    r, (struct pb_event){
		   .kind = PB_EVENT_TWIST, .v = g->twist.v, .w = g->twist.w});
}

void
pb_round_step(struct pb_round *r)
{
	const bool played = pb_node_plays(r);
	int ended = r->g.track.ended;

	r->g.step++;
	pb_run_actions(r);
	if (pb_due(r, r->pace.clyde))
		pb_ghosts_step(r);
	step_robot(r);
	pb_nav_step(r);
	pb_node_result(r);
	if (pb_due(r, r->pace.marker))
		pb_node_markers(r);
	if (r->o.judge == PB_JUDGE_TRUTH)
		pb_judge_step(r);
	if (pb_due(r, r->pace.planner))
		pb_node_timer(r, played);
	if (pb_due(r, r->pace.player))
		pb_node_player(r);
	pb_controller_tick(&r->g.ctl, pb_round_time(r));
	pb_run_actions(r);
	update_tracker(r);
	if (pb_agents_quit(&r->agents) && r->g.track.ended == ended)
		pb_round_end(r, PB_TIMEOUT);
}

bool
pb_round_press_start(struct pb_round *r)
{
	bool ok = pb_controller_start(&r->g.ctl);

	pb_run_actions(r);
	return ok;
}

void
pb_round_press_reset(struct pb_round *r)
{
	pb_controller_reset(&r->g.ctl);
	pb_run_actions(r);
}

void
pb_round_base_speed(struct pb_round *r, double speed)
{
	pb_controller_base_speed(&r->g.ctl, speed);
	pb_run_actions(r);
}

enum pb_status
pb_round_remove(struct pb_round *r, int id)
{
	if (id < 0 || id >= r->arena->n || r->gone[id])
		return PB_ENOENT;
	r->gone[id] = 1;
	return PB_OK;
}

/* Longest time before the round begins (s). */
#define LEAD_IN 600.0

struct pb_outcome
pb_round_play(struct pb_round *r, uint64_t seed, uint64_t trial)
{
	pb_round_start(r, seed, trial);
	while (r->g.track.ended == 0) {
		pb_round_step(r);
		if (r->g.track.ended > 0)
			break;
		if (r->g.ctl.state == PB_MENU && r->g.est.ever)
			pb_round_press_start(r);
		if (!r->g.track.running &&
		    pb_round_time(r) > LEAD_IN + r->o.theatrical)
			pb_round_end(r, PB_HOME_FAILED);
	}
	return r->g.track.last;
}

const unsigned char *
pb_round_left(const struct pb_round *r)
{
	for (int i = 0; i < r->arena->n; i++)
		r->remain[i] = !r->gone[i];
	return r->remain;
}

const char *const pb_endings[] = {
    "complete", "partial", "killed", "timeout", "stuck", "home_failed", NULL};

const char *
pb_ending_name(enum pb_ending e)
{
	return e == PB_PLAYING ? "playing" : pb_endings[e - 1];
}
