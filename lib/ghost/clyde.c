/* clyde.c - the published ghost: it walks from one random cell to the next. */
#include "pb/clyde.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/elementary.h"
#include "pb/plan_grid.h"

/* List the runs of cells from the top row down, grouped by part; next[] and
 * cells[] are 0 for each part. */
static void
list_runs(struct pb_clyde_world *w, uint32_t *next, uint32_t *cells)
{
	const struct pb_grid *g = &w->grid;
	uint32_t all = 0, n = g->row[g->height];

	for (uint32_t k = 0; k < n; k++)
		next[g->run[k].part]++;
	w->first[0] = 0;
	for (int i = 0; i < g->nparts; i++) {
		w->first[i + 1] = w->first[i] + next[i];
		next[i] = w->first[i];
	}
	for (int row = g->height - 1; row >= 0; row--) {
		w->above[row] = all;
		for (uint32_t k = g->row[row]; k < g->row[row + 1]; k++) {
			const struct pb_grid_run *r = &g->run[k];
			uint32_t *before = &cells[r->part];

			w->run[next[r->part]++] =
			    (struct pb_clyde_run){r->from, *before};
			*before += (uint32_t)(r->to - r->from);
			all += (uint32_t)(r->to - r->from);
		}
	}
}

/* Fill w, whose grid is made. */
static enum pb_status
list_cells(struct pb_clyde_world *w)
{
	const struct pb_grid *g = &w->grid;
	size_t parts = (size_t)g->nparts;
	uint32_t *count;

	if (g->nfree == 0)
		return PB_ENOFREE;
	w->above = malloc((size_t)g->height * sizeof(w->above[0]));
	w->run = malloc(g->row[g->height] * sizeof(w->run[0]));
	w->first = malloc((parts + 1) * sizeof(w->first[0]));
	count = calloc(2 * parts, sizeof(count[0]));
	if (w->above == NULL || w->run == NULL || w->first == NULL ||
	    count == NULL) {
		free(count);
		return PB_ENOMEM;
	}
	list_runs(w, count, count + parts);
	free(count);
	return PB_OK;
}

/* Binary search in lo..hi (exclusive) for the last run with at most k cells
 * before it. */
static const struct pb_clyde_run *
find_run(
    const struct pb_clyde_run *lo, const struct pb_clyde_run *hi, uint32_t k)
{
	while (hi - lo > 1) {
		const struct pb_clyde_run *mid = lo + (hi - lo) / 2;

		if (mid->before <= k)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

int
pb_clyde_nth(const struct pb_clyde_world *w, int part, uint32_t k)
{
	const struct pb_grid_run *r;
	int lo = 0, hi = w->grid.height - 1;

	if (part >= 0) {
		const struct pb_clyde_run *c = find_run(
		    w->run + w->first[part], w->run + w->first[part + 1], k);

		return c->from + (int)(k - c->before);
	}
	/* The lowest row with at most k cells above it. */
	while (lo < hi) {
		int mid = lo + (hi - lo) / 2;

		if (w->above[mid] <= k)
			hi = mid;
		else
			lo = mid + 1;
	}
	k -= w->above[lo];
	for (r = w->grid.run + w->grid.row[lo];
	     k >= (uint32_t)(r->to - r->from); r++)
		k -= (uint32_t)(r->to - r->from);
	return r->from + (int)k;
}

enum pb_status
pb_clyde_world_init(struct pb_clyde_world *w, const struct pb_map *m,
    const struct pb_clyde_opts *o)
{
	struct pb_clyde_world v = {.map = m, .ignore_yaw = o->ignore_yaw};
	unsigned char *safe;
	enum pb_status st;

	if (pb_clyde_wrong(o) != NULL)
		return PB_EVALUE;
	if ((safe = pb_square_safe(m, o->clearance)) == NULL)
		return PB_ENOMEM;
	st = pb_grid_init(&v.grid, m->width, m->height, safe);
	free(safe);
	if (st == PB_OK)
		st = list_cells(&v);
	if (st != PB_OK) {
		pb_clyde_world_clear(&v);
		return st;
	}
	*w = v;
	return PB_OK;
}

void
pb_clyde_world_clear(struct pb_clyde_world *w)
{
	pb_grid_clear(&w->grid);
	free(w->above);
	free(w->run);
	free(w->first);
	*w = (struct pb_clyde_world){0};
}

bool
pb_clyde_safe(const struct pb_clyde_world *w, struct pb_cell c)
{
	int i = pb_grid_index(&w->grid, c);

	return i >= 0 && pb_grid_free(&w->grid, i);
}

struct pb_vec
pb_clyde_place(const struct pb_clyde_world *w, struct pb_cell c)
{
	const struct pb_map *m = w->map;

	if (w->ignore_yaw || m->origin.th == 0)
		return pb_map_corner(m, c);
	return pb_vec_from(
	    m->origin, (struct pb_vec){(m->left + c.col) * m->resolution,
			   (m->below + c.row + 1) * m->resolution});
}

struct pb_cell
pb_clyde_cell(const struct pb_clyde_world *w, struct pb_vec p)
{
	const struct pb_map *m = w->map;
	struct pb_vec v;

	if (w->ignore_yaw || m->origin.th == 0)
		return pb_map_corner_cell(m, p);
	/* p in the frame of the unturned map. */
	v = pb_vec_into(m->origin, p);
	return pb_map_corner_cell(
	    m, (struct pb_vec){m->origin.x + v.x, m->origin.y + v.y});
}

#define PB_PARAMS_OF struct pb_clyde_opts

static const struct pb_param params[] = {
    PB_REAL("clyde-clearance", clearance, "m", 0.25, 0, INFINITY,
	"free square around his cells, half a side"),
    /* Least values: just above 0. */
    PB_REAL("clyde-speed", speed, "m/s", 0.25, 1e-6, INFINITY,
	"his speed along his path"),
    PB_REAL(
	"clyde-period", period, "s", 0.2, 1e-3, INFINITY, "from tick to tick"),
    PB_COUNT(
	"clyde-draws", draws, "", 20, 1, 1000000, "tries for a destination"),
    PB_REAL("clyde-radius", radius, "m", 0.05, 0, INFINITY,
	"of the obstacle he stands for"),
    PB_CHOICE("spawn", spawn, "any|main|near", "cells that Clyde appears on"),
    PB_BOOL("ignore-yaw", ignore_yaw, false,
	"his places ignore the yaw of the map"),
};

const struct pb_params pb_clyde_params = PB_PARAMS(params);

struct pb_clyde_opts
pb_clyde_defaults(void)
{
	struct pb_clyde_opts o = {0};

	pb_params_defaults(pb_clyde_params, &o);
	o.wipe_period = 1.0;
	o.wipe_dist = 0.1;
	return o;
}

const char *
pb_clyde_wrong(const struct pb_clyde_opts *o)
{
	const struct pb_param *p = pb_params_check(pb_clyde_params, o);

	if (p != NULL)
		return p->name;
	if (o->spawn == PB_CLYDE_NEAR &&
	    !(isfinite(o->near.x) && isfinite(o->near.y)))
		return "spawn-near";
	return o->wipe_period >= 0 && o->wipe_dist >= 0 ? NULL : "wipe";
}

/* Place Clyde on a cell. */
static void
place_on_cell(struct pb_clyde *c, struct pb_cell cell)
{
	c->cell = cell;
	c->at = pb_clyde_place(c->world, cell);
	c->steps = c->next = 0;
}

/* Draw destinations until one is reachable; -1: none. Connected parts tell
 * whether a path exists. */
static int
draw_goal(struct pb_clyde *c)
{
	const struct pb_clyde_world *w = c->world;
	int from = pb_grid_index(&w->grid, c->cell);

	for (int i = 0; i < c->opts.draws; i++) {
		int to = pb_clyde_nth(
		    w, -1, pb_rng_below(&c->rng, (uint32_t)w->grid.nfree));

		if (to != from && pb_grid_joined(&w->grid, from, to))
			return to;
	}
	return -1;
}

/* Choose a destination; A* runs only once, for it. */
static unsigned
pick_destination(struct pb_clyde *c)
{
	const struct pb_clyde_world *w = c->world;
	int from = pb_grid_index(&w->grid, c->cell), to = draw_goal(c);
	struct pb_path p;

	c->steps = c->next = 0;
	if (to < 0)
		return PB_CLYDE_LOST;
	p = pb_path_ghost(c->search, &w->grid, from, to);
	memcpy(c->path, p.cell, p.n * sizeof(c->path[0]));
	c->steps = p.n;
	c->goal = pb_grid_cell(&w->grid, to);
	return PB_CLYDE_PICKED;
}

/* The part of the map that Clyde appears on, -1: all of them. */
static int
spawn_part(const struct pb_clyde_world *w, const struct pb_clyde_opts *o)
{
	struct pb_cell c;

	if (o->spawn == PB_CLYDE_ANY)
		return -1;
	if (o->spawn == PB_CLYDE_MAIN)
		return w->grid.main;
	c = pb_clyde_cell(w, o->near);
	return pb_grid_part(&w->grid, pb_grid_index(&w->grid, c));
}

/* Draw a cell to appear on, always with one draw. */
static struct pb_cell
draw_spawn_cell(struct pb_clyde *c)
{
	const struct pb_clyde_world *w = c->world;
	int part = spawn_part(w, &c->opts);
	uint32_t n = part >= 0 ? w->grid.size[part] : (uint32_t)w->grid.nfree;

	return pb_grid_cell(
	    &w->grid, pb_clyde_nth(w, part, pb_rng_below(&c->rng, n)));
}

enum pb_status
pb_clyde_init(struct pb_clyde *c, const struct pb_clyde_world *w,
    const struct pb_clyde_opts *o, struct pb_search *search)
{
	struct pb_clyde d = {
	    .world = w, .opts = *o, .speed = o->speed, .search = search};

	if (pb_clyde_wrong(o) != NULL)
		return PB_EVALUE;
	if (o->spawn == PB_CLYDE_NEAR &&
	    !pb_clyde_safe(w, pb_clyde_cell(w, o->near)))
		return PB_EWALL;
	/* No path is longer than the largest part. */
	d.path = malloc(w->grid.size[w->grid.main] * sizeof(d.path[0]));
	if (d.path == NULL)
		return PB_ENOMEM;
	*c = d;
	return PB_OK;
}

void
pb_clyde_clear(struct pb_clyde *c)
{
	free(c->path);
	*c = (struct pb_clyde){0};
}

unsigned
pb_clyde_start(struct pb_clyde *c, struct pb_rng r)
{
	c->rng = r;
	c->speed = c->opts.speed;
	c->placed = true;
	c->has_chosen = c->running = false;
	return pb_clyde_reset(c);
}

void
pb_clyde_copy(struct pb_clyde *dst, const struct pb_clyde *src)
{
	int *path = dst->path;
	struct pb_search *search = dst->search;

	*dst = *src;
	dst->path = path;
	dst->search = search;
	memcpy(path, src->path, src->steps * sizeof(path[0]));
}

/* Walk `left` metres along the path, at most to its end. */
static void
walk_path(struct pb_clyde *c, double left)
{
	const struct pb_grid *g = &c->world->grid;

	while (left > 0 && c->next < c->steps) {
		struct pb_vec to =
		    pb_clyde_place(c->world, pb_grid_cell(g, c->path[c->next]));
		double d = pb_dist(c->at, to);

		if (d > left) {
			c->at = pb_segment_at(c->at, to, left / d);
			return;
		}
		/* 1e-9 m as published: shorter steps take no distance. */
		if (d > 1e-9) {
			c->at = to;
			left -= d;
		}
		c->next++;
	}
}

unsigned
pb_clyde_tick(struct pb_clyde *c)
{
	struct pb_vec was = c->at;
	unsigned what = 0;

	if (!c->running || !c->placed)
		return 0;
	if (c->next >= c->steps)
		return pick_destination(c);
	walk_path(c, c->speed * c->opts.period);
	if (c->next >= c->steps) {
		c->cell = c->goal;
		what = pick_destination(c);
	}
	if (c->at.x != was.x || c->at.y != was.y)
		what |= PB_CLYDE_MOVED;
	return what;
}

unsigned
pb_clyde_reset(struct pb_clyde *c)
{
	place_on_cell(c, c->has_chosen ? c->chosen : draw_spawn_cell(c));
	return PB_CLYDE_MOVED | pick_destination(c);
}

enum pb_status
pb_clyde_speed(struct pb_clyde *c, double v)
{
	if (!(v > 0) || !isfinite(v))
		return PB_EVALUE;
	c->speed = v;
	return PB_OK;
}

/* White space by Python's strip(), within ASCII. */
static bool
is_blank(char ch)
{
	return ch == ' ' || (ch >= '\t' && ch <= '\r') ||
	       (ch >= '\x1c' && ch <= '\x1f');
}

void
pb_clyde_state(struct pb_clyde *c, const char *state)
{
	static const char name[] = "running";
	size_t n = sizeof(name) - 1, i = 0;

	while (is_blank(*state))
		state++;
	while (i < n && (state[i] | 0x20) == name[i])
		i++;
	c->running = i == n;
	for (state += i; c->running && *state != '\0'; state++)
		c->running = is_blank(*state);
}

enum pb_status
pb_clyde_move_to(struct pb_clyde *c, struct pb_vec p, unsigned *what)
{
	struct pb_cell cell;
	unsigned w;

	if (!isfinite(p.x) || !isfinite(p.y))
		return PB_EVALUE;
	cell = pb_clyde_cell(c->world, p);
	if (!pb_clyde_safe(c->world, cell))
		return PB_EWALL;
	place_on_cell(c, cell);
	c->placed = true;
	w = PB_CLYDE_MOVED | pick_destination(c);
	if (what != NULL)
		*what = w;
	return PB_OK;
}

enum pb_status
pb_clyde_click(struct pb_clyde *c, struct pb_vec p, unsigned *what)
{
	enum pb_status st;

	if (c->running)
		return PB_EVALUE;
	if ((st = pb_clyde_move_to(c, p, what)) != PB_OK)
		return st;
	c->chosen = c->cell;
	c->has_chosen = true;
	return PB_OK;
}

void
pb_clyde_cloud(const struct pb_clyde *c, struct pb_vec point[PB_CLYDE_POINTS])
{
	/* In the published order: centre, x, y, diagonals (0.7 for sin 45). */
	static const double at[PB_CLYDE_POINTS][2] = {{0, 0}, {1, 0}, {-1, 0},
	    {0, 1}, {0, -1}, {0.7, 0.7}, {0.7, -0.7}, {-0.7, 0.7},
	    {-0.7, -0.7}};

	for (int i = 0; i < PB_CLYDE_POINTS; i++)
		point[i] = (struct pb_vec){c->at.x + at[i][0] * c->opts.radius,
		    c->at.y + at[i][1] * c->opts.radius};
}

bool
pb_clyde_wipe_due(
    const struct pb_clyde *c, const struct pb_clyde_wipe *last, double t)
{
	return !last->ever || pb_dist(c->at, last->at) >= c->opts.wipe_dist ||
	       t - last->t >= c->opts.wipe_period;
}
