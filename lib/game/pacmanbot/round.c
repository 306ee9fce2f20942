/* round.c - one game of the pacmanbot rules: life, steps, the operator. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "game/pacmanbot/round_state.h"

static long
steps(double period, double dt)
{
	long n = lround(period / dt);

	return n < 1 ? 1 : n;
}

static struct pb_pace
paces(const struct pb_round_opts *o, const struct pb_player *p)
{
	double think = p->period > 0 ? p->period : o->planner_period;

	return (struct pb_pace){
	    .clyde = steps(o->clyde_period, o->dt),
	    .scan = steps(o->scan_period, o->dt),
	    .planner = steps(o->planner_period, o->dt),
	    .marker = steps(o->marker_period, o->dt),
	    .global = steps(o->global_period, o->dt),
	    .local = steps(o->local_period, o->dt),
	    .player = steps(think, o->dt),
	};
}

struct pb_clyde_opts
pb_round_clyde_opts(const struct pb_round_opts *o)
{
	struct pb_clyde_opts c = pb_clyde_defaults();

	c.clearance = o->clyde_clearance;
	c.speed = o->clyde_speed;
	/* His tick is a whole number of steps. */
	c.period = (double)steps(o->clyde_period, o->dt) * o->dt;
	c.radius = o->clyde_radius;
	c.spawn = o->spawn_on == PB_SPAWN_MAIN ? PB_CLYDE_MAIN : PB_CLYDE_ANY;
	return c;
}

static enum pb_status
allocate(struct pb_round *r)
{
	size_t n = (size_t)r->arena->n;
	struct pb_clyde_opts co = pb_round_clyde_opts(&r->o);
	enum pb_status st;

	if (r->player->memory)
		r->mem_size = r->player->memory(r->arena, &r->o, r->known);
	r->path = calloc(PB_WAYS, sizeof(*r->path));
	r->cells = calloc(PB_WAYS, sizeof(*r->cells));
	r->gone = calloc(5, n);
	r->mem = calloc(1, r->mem_size + 1);
	if (!r->path || !r->cells || !r->gone || !r->mem)
		return PB_ENOMEM;
	r->listed = r->gone + n;
	r->had = r->listed + n;
	r->left = r->had + n;
	r->remain = r->left + n;
	st = pb_search_new(&r->soft, &r->arena->soft);
	if (!st)
		st = pb_search_new(&r->hard, &r->arena->hard);
	return st ? st : pb_clyde_init(&r->clyde, &r->arena->clyde, &co);
}

enum pb_status
pb_round_new(struct pb_round **out, const struct pb_arena *a,
    const struct pb_round_opts *o, const struct pb_player *player,
    const void *known)
{
	struct pb_round *r;
	enum pb_status st = pb_round_check(o, NULL);

	if (st)
		return st;
	r = calloc(1, sizeof(*r));
	if (!r)
		return PB_ENOMEM;
	r->arena = a;
	r->o = *o;
	r->player = player;
	r->known = known;
	r->pace = paces(o, player);
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
pb_round_free(struct pb_round *r)
{
	if (!r)
		return;
	pb_clyde_clear(&r->clyde);
	pb_search_free(r->hard);
	pb_search_free(r->soft);
	free(r->mem);
	free(r->gone);
	free(r->cells);
	free(r->path);
	free(r);
}

void
pb_round_slim(struct pb_round *r)
{
	pb_search_free(r->hard);
	pb_search_free(r->soft);
	pb_search_free(r->clyde.search);
	r->hard = r->soft = r->clyde.search = NULL;
}

enum pb_status
pb_round_teach(struct pb_round *r, const void *known)
{
	const struct pb_player *p = r->player;

	if (p->memory != NULL &&
	    p->memory(r->arena, &r->o, known) != r->mem_size)
		return PB_EVALUE;
	r->known = known;
	return PB_OK;
}

static void
start_clyde(struct pb_round *r, uint64_t seed, uint64_t trial)
{
	struct pb_rng g;

	pb_rng_start(&g, seed, trial, PB_FOR_GHOST, 0);
	pb_clyde_start(&r->clyde, g);
	pb_tell_ghost(r, (struct pb_ghost_news){.told = PB_GHOST_STATE,
			     .state = pb_state_name(PB_MENU)});
	if (!r->o.has_spawn)
		return;
	pb_clyde_click(&r->clyde, r->o.spawn, NULL);
	pb_tell_ghost(r,
	    (struct pb_ghost_news){.told = PB_GHOST_CLICK, .at = r->o.spawn});
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
	};
	memset(r->gone, 0, 5 * (size_t)r->arena->n);
	memset(r->mem, 0, r->mem_size);
	pb_rng_start(&g->odom_rng, seed, trial, PB_FOR_ODOM, 0);
	pb_rng_start(&g->pose_rng, seed, trial, PB_FOR_POSE, 0);
	pb_rng_start(&g->mark_rng, seed, trial, PB_FOR_MOTION, 0);
	start_clyde(r, seed, trial);
	pb_controller_init(&g->ctl, r->o.clyde_speed, r->o.clyde_step,
	    r->o.theatrical, r->o.death_show);
	g->ctl.round = r->o.round;
	r->settling = false;
}

void
pb_round_copy(struct pb_round *dst, const struct pb_round *src)
{
	dst->g = src->g;
	dst->settling = src->settling;
	pb_clyde_copy(&dst->clyde, &src->clyde);
	memcpy(dst->path, src->path, (size_t)src->g.nav.n * sizeof(*dst->path));
	memcpy(dst->gone, src->gone, 5 * (size_t)src->arena->n);
	memcpy(dst->mem, src->mem, src->mem_size);
}

static bool
due(const struct pb_round *r, long pace)
{
	return r->g.step % pace == 0;
}

/* Where the costmaps see him: near their frame's origin, mostly. */
static void
mark_clyde(struct pb_round *r)
{
	struct pb_round_state *g = &r->g;
	struct pb_vec origin = {0, 0};
	bool seen = pb_dist(r->clyde.at, origin) <= r->o.clyde_reach;

	if (seen && r->o.clyde_missed > 0)
		seen = pb_rng_unit(&g->mark_rng) >= r->o.clyde_missed;
	g->marked = seen;
	if (!seen || r->o.clyde_trail <= 0)
		return;
	g->trail[g->trail_n % PB_TRAIL].at = r->clyde.at;
	g->trail[g->trail_n % PB_TRAIL].t = pb_round_time(r);
	g->trail_n++;
}

/* His node says where he is: every tick, and where he appears anew. */
static void
publish_clyde(struct pb_round *r)
{
	struct pb_round_state *g = &r->g;
	double now = pb_round_time(r);

	g->clyde_t = now;
	mark_clyde(r);
	pb_tell(r, (struct pb_event){.kind = PB_EV_CLYDE,
		       .pose = {r->clyde.at.x, r->clyde.at.y, 0}});
	if (pb_clyde_wipe_due(&r->clyde, &g->wipe, now)) {
		g->wipe = (struct pb_clyde_wipe){true, now, r->clyde.at};
		g->track.clears++;
		pb_tell_text(r, PB_EV_CLEAR, "clyde");
	}
	pb_node_clyde(r);
}

static void
step_clyde(struct pb_round *r)
{
	pb_clyde_tick(&r->clyde);
	pb_tell_ghost(r, (struct pb_ghost_news){.told = PB_GHOST_TICK});
	publish_clyde(r);
}

static void
step_estimate(struct pb_round *r)
{
	struct pb_round_state *g = &r->g;
	struct pb_estimate_opts eo = {r->o.pose_sd, r->o.pose_th_sd,
	    r->o.pose_keep, r->o.pose_min_d, r->o.pose_min_a};

	if (!pb_estimate_due(&g->est, &eo, g->odom.pose))
		return;
	pb_estimate_update(&g->est, &eo, g->truth, g->odom.pose, &g->pose_rng);
	g->est_t = pb_round_time(r);
	pb_tell(
	    r, (struct pb_event){.kind = PB_EV_ESTIMATE, .pose = g->est.pose});
	pb_tell_ghost(r, (struct pb_ghost_news){
			     .told = PB_GHOST_ROBOT, .robot = g->est.pose});
	pb_node_pose(r);
}

static void
step_robot(struct pb_round *r)
{
	struct pb_round_state *g = &r->g;

	pb_drive_step(r);
	if (due(r, r->pace.scan))
		step_estimate(r);
	if (!r->watch)
		return;
	pb_tell(r, (struct pb_event){.kind = PB_EV_POSE, .pose = g->truth});
	pb_tell(r, (struct pb_event){.kind = PB_EV_ODOM,
		       .pose = g->odom.pose,
		       .value = g->odom.twist.v,
		       .value2 = g->odom.twist.w});
	pb_tell(r, (struct pb_event){.kind = PB_EV_TWIST,
		       .value = g->twist.v,
		       .value2 = g->twist.w});
}

void
pb_round_step(struct pb_round *r)
{
	r->g.step++;
	pb_settle(r);
	if (due(r, r->pace.clyde))
		step_clyde(r);
	step_robot(r);
	pb_nav_step(r);
	if (due(r, r->pace.marker))
		pb_node_markers(r);
	if (r->o.judge == PB_JUDGE_TRUTH)
		pb_node_judge(r);
	if (due(r, r->pace.planner))
		pb_node_timer(r);
	if (due(r, r->pace.player))
		pb_node_player(r);
	pb_controller_tick(&r->g.ctl, pb_round_time(r), true);
	pb_settle(r);
	pb_track(r);
}

bool
pb_round_press_start(struct pb_round *r)
{
	bool ok = pb_controller_start(&r->g.ctl);

	pb_settle(r);
	return ok;
}

void
pb_round_press_reset(struct pb_round *r)
{
	pb_controller_reset(&r->g.ctl);
	pb_settle(r);
}

void
pb_round_clyde_speed(struct pb_round *r, double speed)
{
	if (pb_clyde_speed(&r->clyde, speed) != PB_OK)
		return;
	pb_tell(r, (struct pb_event){.kind = PB_EV_SPEED, .value = speed});
	pb_tell_ghost(
	    r, (struct pb_ghost_news){.told = PB_GHOST_SPEED, .speed = speed});
}

void
pb_round_base_speed(struct pb_round *r, double speed)
{
	pb_controller_base_speed(&r->g.ctl, speed);
	pb_settle(r);
}

enum pb_status
pb_round_click(struct pb_round *r, struct pb_vec p)
{
	enum pb_status st = pb_clyde_click(&r->clyde, p, NULL);

	if (st)
		return st;
	pb_tell_ghost(
	    r, (struct pb_ghost_news){.told = PB_GHOST_CLICK, .at = p});
	publish_clyde(r);
	return PB_OK;
}

enum pb_status
pb_round_remove(struct pb_round *r, int id)
{
	if (id < 0 || id >= r->arena->n || r->gone[id])
		return PB_ENOENT;
	r->gone[id] = 1;
	return PB_OK;
}

/* The set is published at once, not at the next marker tick. */
void
pb_round_reset_pellets(struct pb_round *r)
{
	memset(r->gone, 0, (size_t)r->arena->n);
	pb_node_markers(r);
}

void
pb_round_reset_clyde(struct pb_round *r)
{
	pb_clyde_reset(&r->clyde);
	pb_tell_ghost(r, (struct pb_ghost_news){.told = PB_GHOST_RESET});
	publish_clyde(r);
}

/* Nothing of the lead-in lasts longer than this without the round (s). */
#define LEAD_IN 600.0

static bool
never_begins(const struct pb_round *r)
{
	return !r->g.track.running &&
	       pb_round_time(r) > LEAD_IN + r->o.theatrical;
}

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
		if (never_begins(r))
			pb_end_round(r, PB_HOME_FAILED);
	}
	return r->g.track.last;
}
