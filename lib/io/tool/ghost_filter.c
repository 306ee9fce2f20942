/* ghost_filter.c - Clyde, moved by the records of a stream. */
#include "io/tool/ghost_filter.h"

#include <math.h>
#include <string.h>

#include "io/file/filter.h"
#include "io/play/world.h"
#include "io/rec/rec.h"
#include "io/stream/msg.h"
#include "map/change.h"
#include "pb/map.h"

/* The ghost and his time. */
struct game {
	const struct pb_ghost_opts *o;
	struct pb_map map, part; /* where he can be of it */
	struct pb_clyde_world world;
	struct pb_clyde clyde;
	struct pb_text out;
	bool ready;  /* there is a map to walk on */
	bool lost;   /* it was said that he has no destination */
	bool moved;  /* by a command: he is to be shown */
	bool timed;  /* t0 and last are set */
	double t0;   /* ticks are counted from here (s) */
	double last; /* the stamp before (s) */
	double done; /* ticks */
};

struct pb_ghost_opts
pb_ghost_defaults(void)
{
	return (struct pb_ghost_opts){.id = "clyde",
	    .seed = 1,
	    .clyde = pb_clyde_defaults(),
	    .duration = INFINITY,
	    .ticks = -1,
	    .max_gap = 3600};
}

/* Write where he is at time t (s). */
static void
show(struct game *g, double t)
{
	struct pb_stamp s = pb_stamp_at(t, g->o->id);
	struct pb_vec at = g->clyde.at, point[PB_CLYDE_POINTS];
	struct pb_rec_pose p = {.x = at.x, .y = at.y};
	struct pb_rec_obstacle b = {.x = NAN, .y = NAN, .radius = NAN};

	pb_rec_put(&g->out, PB_REC_POSE, s, &p);
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
	pb_rec_put(&g->out, PB_REC_OBSTACLE, s, &b);
}

/* Say once per standstill that he has nowhere to go. */
static void
heed(struct game *g, unsigned what)
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

/* Where the operator wants him; also before the game. */
static bool
click(struct game *g, struct pb_vec p, const char *field, struct pb_error *bad)
{
	unsigned what = 0;
	enum pb_status st = pb_clyde_click(&g->clyde, p, &what);

	if (st != PB_OK)
		return pb_error_set(bad, "%s: %s at (%g, %g): %s", field,
		    g->o->id, p.x, p.y, pb_status_text(st));
	heed(g, what);
	g->moved = true;
	return true;
}

/* A game begins, with his draws of a trial. */
static bool
appear(struct game *g, uint64_t trial, struct pb_error *bad)
{
	const struct pb_ghost_opts *o = g->o;
	struct pb_rng r;

	g->timed = g->lost = false;
	g->t0 = g->done = 0;
	pb_rng_start(&r, o->seed, trial, PB_FOR_GHOST, 0);
	heed(g, pb_clyde_start(&g->clyde, r));
	if (o->has_spawn && !click(g, o->spawn, "--spawn-at", bad))
		return false;
	pb_clyde_state(&g->clyde, o->wait ? "waiting" : "running");
	g->moved = false;
	return true;
}

/* Take his place on the map; false with bad filled in if there is none. */
static bool
place(struct game *g, struct pb_error *bad)
{
	const struct pb_ghost_opts *o = g->o;
	enum pb_status st = pb_map_part(&g->map, &g->part);

	if (st == PB_OK)
		st = pb_clyde_world_init(&g->world, &g->part, &o->clyde);
	if (st == PB_ENOMEM)
		pb_msg_end_memory();
	if (st != PB_OK)
		return pb_error_set(bad,
		    "map: %s for %s (clyde-clearance is %g m)",
		    pb_status_text(st), o->id, o->clyde.clearance);
	st = pb_clyde_init(&g->clyde, &g->world, &o->clyde);
	if (st == PB_ENOMEM)
		pb_msg_end_memory();
	if (st != PB_OK)
		return pb_error_set(bad, "--spawn-near: (%g, %g): %s",
		    o->clyde.near.x, o->clyde.near.y, pb_status_text(st));
	g->out.exact = o->exact;
	return appear(g, o->trial, bad);
}

/* As published: a click while he runs is ignored, one into a wall is not. */
static bool
spawn(struct game *g, const struct pb_rec_cmd *c, struct pb_error *bad)
{
	if (c->kind != PB_VALUE_POINT)
		return pb_error_set(bad, "cmd.value: expected a point [x, y]");
	if (!g->clyde.running)
		return click(g, c->point, "cmd.value", bad);
	pb_msg_warn((struct pb_place){0},
	    "spawn ignored: %s is running; disable him first", g->o->id);
	return true;
}

static bool
command(struct game *g, const struct pb_rec_cmd *c, struct pb_error *bad)
{
	if (strcmp(c->name, "spawn") == 0)
		return spawn(g, c, bad);
	if (strcmp(c->name, "speed") == 0 && c->kind != PB_VALUE_NUM)
		return pb_error_set(bad, "cmd.value: expected a speed in m/s");
	if (strcmp(c->name, "speed") == 0 &&
	    pb_clyde_speed(&g->clyde, c->num) != PB_OK)
		pb_msg_warn((struct pb_place){0},
		    "speed ignored: %g is not greater than 0", c->num);
	if (strcmp(c->name, "enable") == 0)
		pb_clyde_state(&g->clyde, "running");
	if (strcmp(c->name, "disable") == 0)
		pb_clyde_state(&g->clyde, "disabled");
	if (strcmp(c->name, "reset_ghosts") == 0) {
		heed(g, pb_clyde_reset(&g->clyde));
		g->moved = true;
	}
	return true;
}

/* All ticks that are due by time t, within the limits. */
static void
advance(struct game *g, double t)
{
	double period = g->o->clyde.period, k;

	/* Stamps are rounded to 1e-6 s: a tick that is due must not wait. */
	t = fmin(t, g->t0 + g->o->duration);
	k = floor((t - g->t0 + 1e-6) / period);
	if (g->o->ticks >= 0)
		k = fmin(k, g->o->ticks);
	while (
	    g->ready && g->done < k && pb_msg_out_ok() && !pb_msg_stopped()) {
		g->done++;
		heed(g, pb_clyde_tick(&g->clyde));
		show(g, g->t0 + g->done * period);
	}
}

/* Time comes from every stamp: first the ticks before it. */
static bool
heed_time(struct game *g, double t, struct pb_error *bad)
{
	if (!isfinite(t))
		return true;
	if (!g->timed) {
		double period = g->o->clyde.period;

		/* Ticks are multiples of the period, as in a game from 0. */
		g->timed = true;
		g->t0 = period * floor((t + 1e-6) / period);
		g->last = t;
	}
	if (t - g->last > g->o->max_gap)
		return pb_error_set(bad,
		    "t: %g s after the record before; --max-gap is %g",
		    t - g->last, g->o->max_gap);
	g->last = t;
	advance(g, t);
	return true;
}

static void
end(struct game *g)
{
	pb_clyde_clear(&g->clyde);
	pb_clyde_world_clear(&g->world);
	pb_map_clear(&g->part);
	pb_map_clear(&g->map);
	g->ready = false;
}

/* A map: a new game with its own time. Takes m over. */
static bool
begin(struct game *g, struct pb_map *m, struct pb_error *bad)
{
	end(g);
	g->map = *m;
	*m = (struct pb_map){0};
	g->ready = place(g, bad);
	return g->ready;
}

/* Records of this ghost that somebody else wrote are replaced. */
static bool
replaces(const struct game *g, const struct pb_rec *r)
{
	return (r->type == PB_REC_POSE || r->type == PB_REC_OBSTACLE) &&
	       strcmp(r->stamp.id, g->o->id) == 0;
}

/* A command without an id is for every ghost, and so is a reset of them. */
static bool
for_him(const struct game *g, const struct pb_rec *r)
{
	const char *id = r->stamp.id;

	return *id == '\0' || strcmp(id, g->o->id) == 0 ||
	       strcmp(r->cmd.name, "reset_ghosts") == 0;
}

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct game *g = f->user;

	if (r->type == PB_REC_MAP) {
		if (!begin(g, &r->map, bad))
			return false;
	} else if (!heed_time(g, r->stamp.t, bad)) {
		return false;
	}
	if (g->ready && r->type == PB_REC_CMD && for_him(g, r) &&
	    !command(g, &r->cmd, bad))
		return false;
	if (g->ready && r->type == PB_REC_RESET &&
	    !appear(g, r->reset.trial, bad))
		return false;
	if (g->ready && r->type == PB_REC_STATE)
		pb_clyde_state(&g->clyde, r->state.state);
	if (!replaces(g, r))
		pb_filter_pass(f);
	if (g->moved)
		show(g, g->timed ? g->last : NAN);
	g->moved = false;
	return true;
}

/* The map of -m in place of a record. */
static bool
load_map(struct game *g)
{
	struct pb_world w = {0};
	struct pb_error bad;
	bool ok = pb_world_file(&w, g->o->map) &&
	          (begin(g, &w.map, &bad) ||
		      pb_msg_error_at((struct pb_place){g->o->map, 0}, &bad));

	if (ok)
		pb_rec_put(&g->out, PB_REC_MAP, pb_stamp_none(), &g->map);
	pb_world_clear(&w);
	return ok;
}

/* After the last record: the ticks that the limits still ask for. */
static void
finish(struct game *g, char *const *files, int n)
{
	const struct pb_ghost_opts *o = g->o;

	if (!g->ready && pb_msg_worst() == PB_EXIT_OK)
		pb_world_no_map(files, n, 0);
	pb_msg_catch(); /* with -m no stream was read that would have */
	if (isfinite(o->duration) || o->ticks >= 0)
		advance(g, INFINITY);
	else if (g->ready && !g->timed)
		pb_msg_note("no record had a time t, so nothing moved; "
			    "--duration or --ticks makes the ghost go alone");
}

void
pb_ghost_run(const struct pb_ghost_opts *o, const struct pb_opt_common *common,
    char **files, int n)
{
	struct game g = {.o = o, .out.to = stdout};
	struct pb_filter f = {.want = PB_REC_ALL,
	    .passes = true,
	    .common = common,
	    .take = take,
	    .user = &g};
	bool ok = o->map == NULL || load_map(&g);

	/* With -m there may be no stdin to wait for. */
	if (ok && (o->map == NULL || n > 0))
		ok = pb_filter_run(&f, files, n);
	if (ok)
		finish(&g, files, n);
	end(&g);
	pb_text_clear(&g.out);
}
