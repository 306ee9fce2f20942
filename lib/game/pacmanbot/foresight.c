/* foresight.c - Clyde's future, and whether anybody could have escaped him. */
#include "game/pacmanbot/foresight.h"

#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"

enum pb_status
pb_foresight_init(struct pb_foresight *f, const struct pb_arena *a,
    const struct pb_clyde_opts *o, struct pb_pool *pool)
{
	enum pb_status st;

	*f = (struct pb_foresight){.arena = a};
	st = pb_clyde_init(&f->first, &a->clyde, o);
	if (!st)
		st = pb_clyde_init(&f->ahead, &a->clyde, o);
	if (st)
		return st;
	/* Only copied from: it never looks for a way. */
	pb_search_free(f->first.search);
	f->first.search = NULL;
	f->in = pb_pool_get(pool, pb_map_cells(&a->map), 1);
	f->cell = pb_pool_get(pool, a->hard.nfree + 1, sizeof(*f->cell));
	f->ticks = (int)ceil(PB_FORESIGHT_TIME / o->period) + 1;
	f->at = pb_pool_get(pool, (size_t)f->ticks, sizeof(*f->at));
	return pool->failed ? PB_ENOMEM : PB_OK;
}

void
pb_foresight_clear(struct pb_foresight *f)
{
	pb_clyde_clear(&f->first);
	pb_clyde_clear(&f->ahead);
	*f = (struct pb_foresight){0};
}

void
pb_foresight_copy(struct pb_foresight *dst, const struct pb_foresight *src)
{
	pb_clyde_copy(&dst->first, &src->first);
	dst->place = src->place;
	dst->twist = src->twist;
}

void
pb_foresight_begin(struct pb_foresight *f, const struct pb_clyde *c,
    struct pb_pose robot, struct pb_twist twist)
{
	pb_clyde_copy(&f->first, c);
	f->place = robot;
	f->twist = twist;
}

void
pb_foresight_places(const struct pb_clyde *c, struct pb_clyde *ahead,
    double since, double dt, int n, struct pb_vec *at)
{
	long ticks = 0;

	pb_clyde_copy(ahead, c);
	for (int i = 0; i < n; i++) {
		/* A tick at the very moment counts: 1e-6 of one is rounding. */
		double due = (since + i * dt) / c->opts.period + 1e-6;

		for (; ticks + 1 <= due; ticks++)
			pb_clyde_tick(ahead);
		at[i] = ahead->at;
	}
}

void
pb_flood_start(struct pb_foresight *f, struct pb_vec p)
{
	int i = pb_arena_cell(f->arena, p);

	while (f->n > 0)
		f->in[f->cell[--f->n]] = 0;
	if (i < 0)
		return;
	f->in[i] = 1;
	f->cell[f->n++] = i;
}

/* Whether i, in the flood, touches dry ground where the body fits. */
static bool
shore(const struct pb_foresight *f, int i)
{
	const struct pb_grid *g = &f->arena->hard;

	for (int k = 0; k < PB_MOVES; k++) {
		int col = i % g->width + pb_move_col(k);
		int row = i / g->width + pb_move_row(k);
		int to = pb_grid_index(g, (struct pb_cell){col, row});

		if (to >= 0 && g->free[to] && f->in[to] != 1)
			return true;
	}
	return false;
}

/* Flood the cell (x, y) off c if their nearest points are not `far` apart. */
static void
wet(struct pb_foresight *f, struct pb_cell c, int x, int y, double far)
{
	const struct pb_grid *g = &f->arena->hard;
	int i = pb_grid_index(g, (struct pb_cell){c.col + x, c.row + y});
	double dx = fmax(abs(x) - 1, 0), dy = fmax(abs(y) - 1, 0);

	if (i < 0 || !g->free[i] || f->in[i] || dx * dx + dy * dy > far * far)
		return;
	f->in[i] = 2; /* it does not grow itself in this step */
	f->cell[f->n++] = i;
}

void
pb_flood_grow(struct pb_foresight *f, double dist)
{
	const struct pb_grid *g = &f->arena->hard;
	double far = dist * f->arena->per_metre;
	int reach = (int)ceil(far), n = f->n;

	for (int j = 0; j < n; j++) {
		struct pb_cell c = pb_grid_cell(g, f->cell[j]);

		if (!shore(f, f->cell[j]))
			continue;
		for (int y = -reach; y <= reach; y++)
			for (int x = -reach; x <= reach; x++)
				wet(f, c, x, y, far);
	}
	for (; n < f->n; n++)
		f->in[f->cell[n]] = 1;
}

/* To the corner that is farthest: all of the cell goes. */
static bool
takes(const struct pb_disc *d, int col, int row)
{
	double dx = fabs(col - d->col) + 0.5, dy = fabs(row - d->row) + 0.5;

	return dx * dx + dy * dy <= d->r * d->r;
}

void
pb_flood_bite(struct pb_foresight *f, const struct pb_disc *d)
{
	int n = 0, width = f->arena->map.width;

	for (int j = 0; j < f->n; j++) {
		int i = f->cell[j];

		if (takes(d, i % width, i / width))
			f->in[i] = 0;
		else
			f->cell[n++] = i;
	}
	f->n = n;
}

/* Whether a cell of the flood is there for good: none of Clyde's places from
 * the k-th on takes it, and nothing else dries it any more. */
static bool
outlasts(const struct pb_foresight *f, int k)
{
	int width = f->arena->map.width;

	for (int j = 0; j < f->n; j++) {
		int i = f->cell[j], l = k;

		while (l < f->ticks && !takes(&f->at[l], i % width, i / width))
			l++;
		if (l == f->ticks)
			return true;
	}
	return false;
}

/* What a robot can have done t seconds after the start. */
struct bounds {
	double s;    /* driven (m) ... */
	double back; /* ... of it backwards (m) */
	double turn; /* turned (rad) */
};

static struct bounds
bounds_at(const struct pb_foresight *f, const struct pb_limits *l, double dt,
    double t)
{
	double v = fabs(f->twist.v), w = fabs(f->twist.w);
	double up = fmax((l->v_max - v) / l->v_acc, 0);
	double ramp = fmin(t, up);
	double s = v * ramp + l->v_acc * ramp * (ramp + dt) / 2;

	return (struct bounds){s + fmax(v, l->v_max) * (t - ramp),
	    fmax(-l->v_min, v) * t,
	    fmin(w * t + l->w_acc * t * (t + dt) / 2, fmax(w, l->w_max) * t)};
}

/* Whether nothing is in the way within s of the start: walls turn motions. */
static bool
clear_around(const struct pb_foresight *f, double s)
{
	const struct pb_grid *g = &f->arena->hard;
	int i = pb_arena_cell(f->arena, pb_pose_vec(f->place));
	int reach = (int)ceil(s * f->arena->per_metre);

	for (int y = -reach; y <= reach; y++)
		for (int x = -reach; x <= reach; x++) {
			int to =
			    pb_grid_index(g, (struct pb_cell){i % g->width + x,
						 i / g->width + y});

			if (to < 0 || !g->free[to])
				return false;
		}
	return true;
}

/* How far p, in the robot's frame, is from all that lies in its wedge. */
static double
beside(struct pb_vec p, double turn)
{
	double d = pb_hypot(p.x, p.y);
	double off = fabs(pb_atan2(p.y, p.x)) - turn;

	return off <= 0 ? 0 : off < PB_PI / 2 ? d * pb_sin(off) : d;
}

/*
 * Rounding up every step adds up, so dry what is farther from the start than
 * the robot can have driven, or, as long as it cannot have turned by more than
 * a right angle, lies farther beside what is ahead of it than it can have gone
 * backwards.
 */
static void
dry(struct pb_foresight *f, struct bounds b)
{
	double half = 0.7072 * f->arena->map.resolution + 1e-9;
	bool wedge = b.turn <= PB_PI / 2 && clear_around(f, b.s);
	int n = 0;

	for (int j = 0; j < f->n; j++) {
		int i = f->cell[j];
		struct pb_vec p =
		    pb_vec_into(f->place, pb_arena_centre(f->arena, i));

		if (pb_hypot(p.x, p.y) > b.s + half ||
		    (wedge && beside(p, b.turn) > b.back + half))
			f->in[i] = 0;
		else
			f->cell[n++] = i;
	}
	f->n = n;
}

/* For so long that is worth while (s). */
#define DRY_TIME 2.0

bool
pb_foresight_doomed(struct pb_foresight *f, const struct pb_limits *l,
    double dt, double radius, double time)
{
	double period = f->first.opts.period;
	double v = fmax(l->v_max, fabs(f->twist.v));
	int k = 0;

	if (time > PB_FORESIGHT_TIME)
		return false;
	if (time <= period + 1e-6)
		return true;
	pb_clyde_copy(&f->ahead, &f->first);
	for (int i = 0; i < f->ticks; i++) {
		pb_clyde_tick(&f->ahead);
		f->at[i] = pb_arena_disc(f->arena, f->ahead.at, radius);
	}
	pb_flood_start(f, pb_pose_vec(f->place));
	for (double t = period; t < PB_FORESIGHT_TIME && f->n > 0;
	     t += period, k++) {
		if (t >= DRY_TIME && outlasts(f, k))
			return false;
		pb_flood_grow(f, v * period);
		if (t < DRY_TIME)
			dry(f, bounds_at(f, l, dt, t));
		pb_flood_bite(f, &f->at[k]);
	}
	return f->n == 0;
}
