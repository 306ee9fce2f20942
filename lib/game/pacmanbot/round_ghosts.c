/* round_ghosts.c - the ghosts of a round: where they are, what they do, who is
 * told. */
#include <math.h>

#include "game/pacmanbot/round.h"

bool
pb_round_has(const struct pb_round *r, int i)
{
	return r->o.ghosts >> i & 1;
}

struct pb_vec
pb_round_ghost(const struct pb_round *r, int i)
{
	return i == PB_HUNTER_CLYDE ? r->clyde.at : r->g.ghost[i].at;
}

static bool
kills(const struct pb_round *r, int i)
{
	return pb_round_has(r, i) && !pb_hunter_harmless(&r->g.ghost[i]);
}

int
pb_round_nearest(const struct pb_round *r, struct pb_vec p)
{
	double least = INFINITY;
	int best = -1;

	for (int i = 0; i < PB_HUNTERS; i++) {
		double d = pb_dist(p, pb_round_ghost(r, i));

		if (!kills(r, i) || d >= least)
			continue;
		least = d;
		best = i;
	}
	return best;
}

/* Where ghost i is, and what it is to the robot: nothing if it is harmless. */
static void
tell_pose(struct pb_round *r, int i)
{
	struct pb_vec point[PB_CLYDE_POINTS];
	struct pb_clyde c = r->clyde;

	if (!r->crew.tell)
		return;
	c.at = pb_round_ghost(r, i);
	pb_tell(r, (struct pb_news){.kind = PB_NEWS_POSE,
		       .body = i + 1,
		       .pose = {c.at.x, c.at.y, 0}});
	pb_clyde_cloud(&c, point);
	if (kills(r, i))
		pb_tell(r, (struct pb_news){.kind = PB_NEWS_OBSTACLE,
			       .body = i + 1,
			       .point = point,
			       .n = PB_CLYDE_POINTS});
}

bool
pb_round_placed(const struct pb_round *r, int i)
{
	return pb_round_has(r, i) && pb_crew_hears(&r->crew, i + 1);
}

/* Tell ghost i, who is placed by somebody else. */
static void
tell_ghost(struct pb_round *r, int i, struct pb_ghost_news n)
{
	n.t = pb_round_time(r);
	n.body = i + 1;
	if (pb_round_placed(r, i))
		r->crew.place(r->crew.ctx, &n,
		    i == PB_HUNTER_CLYDE ? &r->clyde.at : &r->g.ghost[i].at);
}

void
pb_ghosts_tell(struct pb_round *r, struct pb_ghost_news n)
{
	for (int i = 0; i < PB_HUNTERS; i++)
		tell_ghost(r, i, n);
}

/* Clyde has appeared; the others do. */
static void
place_ghosts(struct pb_round *r)
{
	const struct pb_clyde_world *w = &r->arena->clyde;

	pb_hunter_put(
	    &r->g.ghost[0], w, pb_grid_index(&w->grid, r->clyde.cell));
	for (int i = 1; i < PB_HUNTERS; i++)
		if (pb_round_has(r, i))
			pb_hunter_appear(&r->g.ghost[i], &r->arena->hunters);
}

void
pb_ghosts_start(struct pb_round *r, uint64_t seed, uint64_t trial)
{
	struct pb_rng g;

	pb_rng_start(&g, seed, trial, PB_FOR_GHOST, 0);
	pb_clyde_start(&r->clyde, g);
	pb_ghosts_tell(r, (struct pb_ghost_news){.told = PB_GHOST_STATE,
			      .state = pb_state_name(PB_MENU)});
	if (r->o.has_spawn) {
		pb_clyde_click(&r->clyde, r->o.spawn, NULL);
		tell_ghost(r, PB_HUNTER_CLYDE,
		    (struct pb_ghost_news){
			.told = PB_GHOST_CLICK, .at = r->o.spawn});
	}
	for (int i = 0; i < PB_HUNTERS; i++) {
		r->g.ghost[i].who = i;
		pb_rng_start(&r->g.ghost[i].rng, seed, trial, PB_FOR_GHOST, i);
	}
	place_ghosts(r);
}

/* Where the costmaps see ghost i: near their frame's origin, mostly. */
static void
mark_ghost(struct pb_round *r, int i)
{
	struct pb_round_state *g = &r->g;
	struct pb_vec origin = {0, 0}, at = pb_round_ghost(r, i);
	bool seen = kills(r, i) && pb_dist(at, origin) <= r->o.clyde_reach;
	int old;

	if (seen && r->o.clyde_missed > 0)
		seen = pb_rng_unit(&g->mark_rng) >= r->o.clyde_missed;
	g->marked = (g->marked & ~(1u << i)) | (unsigned)seen << i;
	if (!seen || r->o.clyde_trail <= 0)
		return;
	old = g->trail_n++ % pb_trail_room(r);
	g->trail[old].at = at;
	g->trail[old].t = pb_round_time(r);
}

/* His node clears the costmap, now and then. */
static void
wipe(struct pb_round *r, double now)
{
	struct pb_round_state *g = &r->g;

	if (!pb_round_has(r, PB_HUNTER_CLYDE) ||
	    !pb_clyde_wipe_due(&r->clyde, &g->wipe, now))
		return;
	g->wipe = (struct pb_clyde_wipe){true, now, r->clyde.at};
	pb_tell_clear(r);
}

/* Their nodes say where they are: every tick, and where they appear anew. */
static void
publish_ghosts(struct pb_round *r)
{
	r->g.clyde_t = pb_round_time(r);
	for (int i = 0; i < PB_HUNTERS; i++)
		if (pb_round_has(r, i)) {
			mark_ghost(r, i);
			tell_pose(r, i);
		}
	pb_things_tell(r);
	wipe(r, r->g.clyde_t);
	pb_node_ghosts(r);
}

/* What the ghosts that hunt know in this tick. */
static struct pb_hunter_sight
sight(const struct pb_round *r)
{
	const struct pb_round_state *g = &r->g;
	double period = r->clyde.opts.period;

	return (struct pb_hunter_sight){.located = g->est.ever,
	    .robot = g->est.pose,
	    .paired = pb_round_has(r, PB_HUNTER_BLINKY),
	    .blinky = g->ghost[PB_HUNTER_BLINKY].at,
	    .chase = pb_hunter_chases(g->modes_t, r->o.ghost_modes),
	    .cell = r->o.ghost_cell,
	    .walk = r->clyde.speed * r->o.ghost_pace * period,
	    .period = period};
}

/* Clyde wanders, more slowly if he is frightened, or goes home. */
static void
step_clyde(struct pb_round *r)
{
	struct pb_hunter *h = &r->g.ghost[PB_HUNTER_CLYDE];
	struct pb_hunter_sight v = sight(r);
	double speed = r->clyde.speed;

	if (r->clyde.running && h->eaten) {
		v.walk = speed * v.period;
		pb_hunter_tick(h, NULL, &r->arena->clyde, r->clyde.search, &v);
		r->clyde.at = h->at;
		if (!h->eaten)
			pb_clyde_put(&r->clyde, h->at, NULL);
		return;
	}
	if (h->fright > 0)
		r->clyde.speed *= PB_HUNTER_FRIGHT_PACE;
	pb_clyde_tick(&r->clyde);
	r->clyde.speed = speed;
	if (r->clyde.running)
		pb_hunter_calm(h, v.period);
}

/* The others move; the clock of their modes rests while one is frightened. */
static void
step_hunters(struct pb_round *r)
{
	struct pb_round_state *g = &r->g;
	struct pb_hunter_sight v;
	bool calm = true;

	if (!r->clyde.running || r->o.ghosts >> 1 == 0)
		return;
	for (int i = 0; i < PB_HUNTERS; i++)
		calm = calm && g->ghost[i].fright <= 0;
	for (int i = 1; i < PB_HUNTERS; i++) {
		v = sight(r);
		if (pb_round_has(r, i) && !pb_round_placed(r, i))
			pb_hunter_tick(&g->ghost[i], &r->arena->hunters,
			    &r->arena->clyde, r->clyde.search, &v);
	}
	if (calm)
		g->modes_t += v.period;
}

void
pb_ghosts_step(struct pb_round *r)
{
	step_clyde(r);
	pb_ghosts_tell(r, (struct pb_ghost_news){.told = PB_GHOST_TICK});
	step_hunters(r);
	publish_ghosts(r);
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
	for (int i = 0; i < PB_HUNTERS; i++)
		tell_ghost(r, i,
		    (struct pb_ghost_news){.told = PB_GHOST_SPEED,
			.speed = i == PB_HUNTER_CLYDE
		                     ? speed
		                     : speed * r->o.ghost_pace});
}

enum pb_status
pb_round_click(struct pb_round *r, struct pb_vec p)
{
	enum pb_status st = pb_clyde_click(&r->clyde, p, NULL);

	if (st)
		return st;
	tell_ghost(r, PB_HUNTER_CLYDE,
	    (struct pb_ghost_news){.told = PB_GHOST_CLICK, .at = p});
	r->g.ghost[0].home =
	    pb_grid_index(&r->arena->clyde.grid, r->clyde.cell);
	publish_ghosts(r);
	return PB_OK;
}

void
pb_round_reset_clyde(struct pb_round *r)
{
	pb_clyde_reset(&r->clyde);
	place_ghosts(r);
	pb_ghosts_tell(r, (struct pb_ghost_news){.told = PB_GHOST_RESET});
	publish_ghosts(r);
}
