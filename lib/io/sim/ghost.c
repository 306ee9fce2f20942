/* ghost.c - ghosts by name, moved by the records of a stream. */
#include "io/sim/ghost.h"

#include <math.h>
#include <string.h>

#include "io/rec/body_records.h"
#include "io/rec/game_records.h"
#include "io/stream/msg.h"
#include "map/change.h"

static void
clyde_show(struct pb_ghost *g, double t)
{
	struct pb_stamp s = pb_stamp_at(t, g->o->id);
	struct pb_vec at = g->clyde.at, point[PB_CLYDE_POINTS];
	struct pb_rec_pose p = {.x = at.x, .y = at.y};
	struct pb_rec_obstacle b = {.x = NAN, .y = NAN, .radius = NAN};

	pb_put_pose(g->out, s, &p);
	if (g->o->obstacle == PB_GHOST_NONE)
		return;
	if (g->o->obstacle == PB_GHOST_POINTS) {
		pb_clyde_cloud(&g->clyde, point);
		b.point = point;
		b.n = PB_CLYDE_POINTS;
	} else {
		b.x = at.x;
		b.y = at.y;
		b.radius = g->o->clyde.radius;
	}
	pb_put_obstacle(g->out, s, &b);
}

/* Say once per standstill that he has nowhere to go. */
static void
clyde_heed(struct pb_ghost *g, unsigned what)
{
	if (what & PB_CLYDE_PICKED)
		g->lost = false;
	if (!(what & PB_CLYDE_LOST) || g->lost)
		return;
	g->lost = true;
	pb_msg_warn((struct pb_place){0},
	    "%s at (%.3f, %.3f): no destination in %d draws; he stays there "
	    "and draws again every tick",
	    g->o->id, g->clyde.at.x, g->clyde.at.y, g->o->clyde.draws);
}

static double
clyde_period(const struct pb_ghost_opts *o)
{
	return o->clyde.period;
}

/* Where the operator wants him; also before the game. */
static bool
clyde_click(struct pb_ghost *g, struct pb_vec p, const char *field,
    struct pb_error *bad)
{
	unsigned what = 0;
	enum pb_status st = pb_clyde_click(&g->clyde, p, &what);

	if (st != PB_OK)
		return pb_error_set(bad, "%s: %s at (%g, %g): %s", field,
		    g->o->id, p.x, p.y, pb_status_text(st));
	clyde_heed(g, what);
	g->moved = true;
	return true;
}

static bool
clyde_begin(struct pb_ghost *g, struct pb_error *bad)
{
	const struct pb_ghost_opts *o = g->o;
	enum pb_status st = pb_map_part(g->map, &g->part);
	struct pb_rng r;

	if (st == PB_OK)
		st = pb_clyde_world_init(&g->world, &g->part, &o->clyde);
	if (st == PB_ENOMEM)
		return pb_error_nomem(bad, "map");
	if (st != PB_OK)
		return pb_error_set(bad,
		    "map: %s for %s (--clyde-clearance is %g m)",
		    pb_status_text(st), o->id, o->clyde.clearance);
	st = pb_clyde_init(&g->clyde, &g->world, &o->clyde);
	if (st == PB_ENOMEM)
		return pb_error_nomem(bad, o->id);
	if (st != PB_OK)
		return pb_error_set(bad, "--spawn-near: (%g, %g): %s",
		    o->clyde.near.x, o->clyde.near.y, pb_status_text(st));
	g->out->exact = o->exact;
	pb_rng_start(&r, o->seed, o->trial, PB_FOR_GHOST, 0);
	clyde_heed(g, pb_clyde_start(&g->clyde, r));
	if (o->has_spawn && !clyde_click(g, o->spawn, "--spawn-at", bad))
		return false;
	pb_clyde_state(&g->clyde, o->wait ? "waiting" : "running");
	g->moved = false;
	return true;
}

static void
clyde_end(struct pb_ghost *g)
{
	pb_clyde_clear(&g->clyde);
	pb_clyde_world_clear(&g->world);
	pb_map_clear(&g->part);
}

static void
clyde_tick(struct pb_ghost *g)
{
	clyde_heed(g, pb_clyde_tick(&g->clyde));
}

/* As published: a click while he runs is ignored, one into a wall is not. */
static bool
clyde_spawn(
    struct pb_ghost *g, const struct pb_rec_cmd *c, struct pb_error *bad)
{
	if (c->kind != PB_VALUE_POINT)
		return pb_error_set(bad, "cmd.value: expected a point [x, y]");
	if (!g->clyde.running)
		return clyde_click(g, c->point, "cmd.value", bad);
	pb_msg_warn((struct pb_place){0},
	    "spawn ignored: %s is running; disable him first", g->o->id);
	return true;
}

static bool
clyde_speed(
    struct pb_ghost *g, const struct pb_rec_cmd *c, struct pb_error *bad)
{
	if (c->kind != PB_VALUE_NUM)
		return pb_error_set(bad, "cmd.value: expected a speed in m/s");
	if (pb_clyde_speed(&g->clyde, c->num) != PB_OK)
		pb_msg_warn((struct pb_place){0},
		    "speed ignored: %g is not greater than 0", c->num);
	return true;
}

static bool
clyde_command(
    struct pb_ghost *g, const struct pb_rec_cmd *c, struct pb_error *bad)
{
	if (strcmp(c->name, "speed") == 0)
		return clyde_speed(g, c, bad);
	if (strcmp(c->name, "spawn") == 0)
		return clyde_spawn(g, c, bad);
	if (strcmp(c->name, "enable") == 0)
		pb_clyde_state(&g->clyde, "running");
	if (strcmp(c->name, "disable") == 0)
		pb_clyde_state(&g->clyde, "disabled");
	if (strcmp(c->name, "reset_ghosts") == 0) {
		clyde_heed(g, pb_clyde_reset(&g->clyde));
		g->moved = true;
	}
	return true;
}

static void
clyde_state(struct pb_ghost *g, const char *state)
{
	pb_clyde_state(&g->clyde, state);
}

static const struct pb_ghost_kind kinds[] = {
    {"clyde", "walks from one random cell to the next (PacManBot)",
	clyde_period, clyde_begin, clyde_end, clyde_tick, clyde_show,
	clyde_command, clyde_state},
};

const struct pb_ghost_kind *
pb_ghost_kind(int i)
{
	const int n = sizeof(kinds) / sizeof(*kinds);

	return i >= 0 && i < n ? &kinds[i] : NULL;
}
