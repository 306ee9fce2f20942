/* round_ghosts.c - Clyde in a round: where he is, and who is told. */
#include "game/pacmanbot/round.h"

/* Where he is, and what he is to the robot. */
static void
tell_pose(struct pb_round *r)
{
	struct pb_vec point[PB_CLYDE_POINTS], at = r->clyde.at;

	if (!r->crew.tell)
		return;
	pb_tell(r, (struct pb_news){.kind = PB_NEWS_POSE,
		       .body = PB_CLYDE_BODY,
		       .pose = {at.x, at.y, 0}});
	pb_clyde_cloud(&r->clyde, point);
	pb_tell(r, (struct pb_news){.kind = PB_NEWS_OBSTACLE,
		       .body = PB_CLYDE_BODY,
		       .point = point,
		       .n = PB_CLYDE_POINTS});
}

void
pb_ghosts_tell(struct pb_round *r, struct pb_ghost_news n)
{
	n.t = pb_round_time(r);
	n.body = PB_CLYDE_BODY;
	if (pb_crew_hears(&r->crew, n.body))
		r->crew.place(r->crew.ctx, &n, &r->clyde.at);
}

void
pb_ghosts_start(struct pb_round *r, uint64_t seed, uint64_t trial)
{
	struct pb_rng g;

	pb_rng_start(&g, seed, trial, PB_FOR_GHOST, 0);
	pb_clyde_start(&r->clyde, g);
	pb_ghosts_tell(r, (struct pb_ghost_news){.told = PB_GHOST_STATE,
			      .state = pb_state_name(PB_MENU)});
	if (!r->o.has_spawn)
		return;
	pb_clyde_click(&r->clyde, r->o.spawn, NULL);
	pb_ghosts_tell(r, (struct pb_ghost_news){
			      .told = PB_GHOST_CLICK, .at = r->o.spawn});
}

/* Where the costmaps see him: near their frame's origin, mostly. */
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

/* His node clears the costmap, now and then. */
static void
wipe(struct pb_round *r, double now)
{
	struct pb_round_state *g = &r->g;

	if (!pb_clyde_wipe_due(&r->clyde, &g->wipe, now))
		return;
	g->wipe = (struct pb_clyde_wipe){true, now, r->clyde.at};
	pb_tell_clear(r);
}

/* His node says where he is: every tick, and when he appears anew. */
static void
publish_clyde(struct pb_round *r)
{
	r->g.clyde_t = pb_round_time(r);
	mark_clyde(r);
	tell_pose(r);
	pb_things_tell(r);
	wipe(r, r->g.clyde_t);
	pb_node_ghosts(r);
}

void
pb_ghosts_step(struct pb_round *r)
{
	pb_clyde_tick(&r->clyde);
	pb_ghosts_tell(r, (struct pb_ghost_news){.told = PB_GHOST_TICK});
	publish_clyde(r);
}

void
pb_round_clyde_speed(struct pb_round *r, double speed)
{
	if (pb_clyde_speed(&r->clyde, speed) != PB_OK)
		return;
	pb_tell(r, (struct pb_news){.kind = PB_NEWS_REPORT,
		       .name = "speed",
		       .to = "clyde",
		       .pellet = -1,
		       .v = speed});
	pb_ghosts_tell(r,
	    (struct pb_ghost_news){.told = PB_GHOST_SPEED, .speed = speed});
}

enum pb_status
pb_round_click(struct pb_round *r, struct pb_vec p)
{
	enum pb_status st = pb_clyde_click(&r->clyde, p, NULL);

	if (st)
		return st;
	pb_ghosts_tell(
	    r, (struct pb_ghost_news){.told = PB_GHOST_CLICK, .at = p});
	publish_clyde(r);
	return PB_OK;
}

void
pb_round_reset_clyde(struct pb_round *r)
{
	pb_clyde_reset(&r->clyde);
	pb_ghosts_tell(r, (struct pb_ghost_news){.told = PB_GHOST_RESET});
	publish_clyde(r);
}
