/* pellets.c - lay pellets in the free space of a map and keep the set. */
#include "game/pellets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "map/edt.h"
#include "pb/plan_grid.h"

struct pb_pellet_opts
pb_pellet_defaults(void)
{
	return (struct pb_pellet_opts){.spacing = 2,
	    .clearance = 0.3,
	    /* The inscribed radius of the published robot's footprint. */
	    .robot = 0.175,
	    .pickup = 0.25};
}

/* Whether v is a length: finite and not negative. */
static bool
is_length(double v)
{
	return v >= 0 && isfinite(v);
}

static enum pb_status
check_opts(const struct pb_pellet_opts *o)
{
	if (!is_length(o->spacing) || o->spacing == 0 ||
	    !is_length(o->clearance) || !is_length(o->robot) ||
	    !is_length(o->pickup) || !isfinite(o->from.x) ||
	    !isfinite(o->from.y) || o->count < 0 || o->count > PB_PELLETS_PICK)
		return PB_EVALUE;
	return PB_OK;
}

/* Work space of laying pellets. */
struct layer {
	const struct pb_map *m;
	const struct pb_pellet_opts *o;
	unsigned char *safe; /* by cell: 1 with free space around it */
	unsigned char *near; /* by cell: 1 if the robot can take it; or NULL */
	struct pb_pellets s; /* the result */
	size_t room;         /* capacity of s.all */
};

static void
layer_clear(struct layer *l)
{
	free(l->safe);
	free(l->near);
	pb_pellets_clear(&l->s);
}

/* Mark the cells where the robot's centre may be: at least its radius from the
 * centre of every cell that is not free, up to rounding. */
static enum pb_status
find_fit(const struct layer *l, unsigned char *mask)
{
	double r = l->o->robot / l->m->resolution;
	struct pb_edt e = {0};
	enum pb_status st = pb_edt_of_map(&e, l->m, false);

	for (size_t i = 0; st == PB_OK && i < pb_map_cells(l->m); i++)
		mask[i] = e.d2[i] > 0 && e.d2[i] >= r * r - 1e-9;
	pb_edt_clear(&e);
	return st;
}

/* Keep in mask only the cells connected with the robot's start, or the largest
 * part. */
static enum pb_status
keep_joined(const struct layer *l, unsigned char *mask)
{
	const struct pb_map *m = l->m;
	struct pb_cell c = pb_map_cell(m, l->o->from);
	bool from = l->o->reach == PB_REACH_FROM;
	struct pb_grid g;
	enum pb_status st;
	int part;

	if (from && (!pb_map_inside(m, c) || !mask[pb_map_index(m, c)]))
		return PB_EWALL;
	if ((st = pb_grid_init(&g, m->width, m->height, mask)) != PB_OK)
		return st;
	part = from ? pb_grid_part(&g, (int)pb_map_index(m, c)) : g.main;
	for (const struct pb_grid_run *r = g.run; r < g.run + g.row[g.height];
	     r++)
		memset(
		    mask + r->from, r->part == part, (size_t)(r->to - r->from));
	pb_grid_clear(&g);
	return PB_OK;
}

/* Fill l->near: the cells within `pickup` of where the robot can be. */
static enum pb_status
find_near(struct layer *l)
{
	const struct pb_map *m = l->m;
	struct pb_edt e;
	enum pb_status st;

	if (l->o->reach == PB_REACH_ALL)
		return PB_OK;
	if ((l->near = malloc(pb_map_cells(m))) == NULL)
		return PB_ENOMEM;
	if ((st = find_fit(l, l->near)) != PB_OK ||
	    (st = keep_joined(l, l->near)) != PB_OK ||
	    (st = pb_edt_init(&e, l->near, m->width, m->height, false)) !=
		PB_OK)
		return st;
	pb_edt_within(&e, l->o->pickup / m->resolution, l->near);
	pb_edt_clear(&e);
	return PB_OK;
}

static struct pb_pellet
pellet_in(const struct layer *l, struct pb_cell c)
{
	return (struct pb_pellet){.cell = c,
	    .at =
		l->o->center ? pb_map_centre(l->m, c) : pb_map_corner(l->m, c)};
}

/* Whether the robot can collect p, which may lie outside its cell: the
 * published placement ignores the map's yaw. */
static bool
is_in_reach(const struct layer *l, const struct pb_pellet *p)
{
	struct pb_cell c = p->cell;

	if (l->near == NULL)
		return true;
	if (l->m->origin.th != 0 && !l->o->center)
		c = pb_map_cell(l->m, p->at);
	return pb_map_inside(l->m, c) && l->near[pb_map_index(l->m, c)];
}

static enum pb_status
add_pellet(struct layer *l, struct pb_pellet p)
{
	if (l->s.n == PB_PELLETS_MAX)
		return PB_ESIZE;
	if (!pb_grow(&l->s.all, l->s.n, &l->room, sizeof(p)))
		return PB_ENOMEM;
	l->s.all[l->s.n++] = p;
	return PB_OK;
}

/* Replace the pellets by the published raster, from the top row on. */
static enum pb_status
lay_raster(struct layer *l, double spacing)
{
	int step = pb_square_cells(spacing, l->m->resolution);
	enum pb_status st;

	l->s.n = l->s.unreachable = 0;

	for (int v = 0; v < l->m->height; v += step)
		for (int u = 0; u < l->m->width; u += step) {
			struct pb_cell c = {u, l->m->height - 1 - v};
			struct pb_pellet p = pellet_in(l, c);

			if (!l->safe[pb_map_index(l->m, c)])
				continue;
			if (!is_in_reach(l, &p))
				l->s.unreachable++;
			else if ((st = add_pellet(l, p)) != PB_OK)
				return st;
		}
	return PB_OK;
}

static double
distance2(struct pb_vec a, struct pb_vec b)
{
	return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

static struct pb_vec
centroid_of(const struct pb_pellets *s)
{
	struct pb_vec c = {0, 0};

	for (size_t i = 0; i < s->n; i++) {
		c.x += s->all[i].at.x;
		c.y += s->all[i].at.y;
	}
	return (struct pb_vec){c.x / (double)s->n, c.y / (double)s->n};
}

/* Distances of a pellet while pellets are picked far from each other. */
struct far {
	double mean2; /* squared distance from the mean of all pellets (m2) */
	double near2; /* squared distance from the nearest picked one (m2) */
	bool picked;
};

static bool
is_farther(const struct far *a, const struct far *b)
{
	if (a->near2 != b->near2)
		return a->near2 > b->near2;
	return a->mean2 > b->mean2;
}

/* Pick `count` pellets far from one another, see pb_pellets_lay. */
static void
pick_spread(const struct pb_pellets *s, size_t count, struct far *far)
{
	struct pb_vec c = centroid_of(s);

	for (size_t i = 0; i < s->n; i++) {
		double d2 = distance2(s->all[i].at, c);

		far[i] = (struct far){d2, d2, false};
	}
	for (size_t k = 0; k < count; k++) {
		size_t best = s->n;

		for (size_t i = 0; i < s->n; i++)
			if (!far[i].picked &&
			    (best == s->n || is_farther(&far[i], &far[best])))
				best = i;
		far[best].picked = true;
		for (size_t i = 0; i < s->n; i++) {
			double d2 = distance2(s->all[i].at, s->all[best].at);

			if (k == 0 || d2 < far[i].near2)
				far[i].near2 = d2;
		}
	}
}

/* Keep `count` pellets far from one another; 0: all. */
static enum pb_status
thin_out(struct pb_pellets *s, size_t count)
{
	struct far *far;
	size_t n = 0;

	if (count == 0 || count >= s->n)
		return PB_OK;
	if ((far = malloc(s->n * sizeof(*far))) == NULL)
		return PB_ENOMEM;
	pick_spread(s, count, far);
	for (size_t i = 0; i < s->n; i++)
		if (far[i].picked)
			s->all[n++] = s->all[i];
	s->n = n;
	free(far);
	return PB_OK;
}

/* Mark the cells that may have a pellet. */
static enum pb_status
mark_cells(struct layer *l)
{
	enum pb_status st = check_opts(l->o);

	if (st != PB_OK)
		return st;
	if (pb_map_free_cells(l->m) == 0)
		return PB_ENOFREE;
	if ((l->safe = pb_square_safe(l->m, l->o->clearance)) == NULL)
		return PB_ENOMEM;
	return find_near(l);
}

static enum pb_status
lay_by_rule(struct layer *l)
{
	enum pb_status st;

	if ((st = mark_cells(l)) != PB_OK ||
	    (st = lay_raster(l, l->o->spacing)) != PB_OK ||
	    (st = thin_out(&l->s, (size_t)l->o->count)) != PB_OK)
		return st;
	for (size_t i = 0; i < l->s.n; i++)
		l->s.all[i].id = (int)i;
	l->s.gone = calloc(l->s.n + 1, 1);
	l->s.left = l->s.n;
	return l->s.gone != NULL ? PB_OK : PB_ENOMEM;
}

enum pb_status
pb_pellets_lay(struct pb_pellets *s, const struct pb_map *m,
    const struct pb_pellet_opts *o)
{
	struct layer l = {.m = m, .o = o};
	enum pb_status st = lay_by_rule(&l);

	if (st == PB_OK) {
		*s = l.s;
		l.s = (struct pb_pellets){0};
	}
	layer_clear(&l);
	return st;
}

double
pb_pellets_spacing(
    const struct pb_map *m, const struct pb_pellet_opts *o, size_t *n)
{
	struct layer l = {.m = m, .o = o};
	enum pb_status st = mark_cells(&l);
	double best = 0, v = o->spacing;

	*n = 0;
	/* Each spacing is about a tenth smaller. */
	while (st == PB_OK && *n < 5 && (v = floor(9 * v) / 10) > 0) {
		st = lay_raster(&l, v);
		if (st == PB_OK && l.s.n > *n) {
			best = v;
			*n = l.s.n;
		}
	}
	layer_clear(&l);
	return best;
}

void
pb_pellets_clear(struct pb_pellets *s)
{
	free(s->all);
	free(s->gone);
	*s = (struct pb_pellets){0};
}

enum pb_status
pb_pellets_remove(struct pb_pellets *s, int id)
{
	if (id < 0 || (size_t)id >= s->n || s->gone[id])
		return PB_ENOENT;
	s->gone[id] = 1;
	s->left--;
	return PB_OK;
}

void
pb_pellets_reset(struct pb_pellets *s)
{
	if (s->n > 0)
		memset(s->gone, 0, s->n);
	s->left = s->n;
}
