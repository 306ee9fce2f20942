/* foresight.c - Clyde's future, and whether anybody could have escaped him. */
#include "game/pacmanbot/foresight.h"

#include <math.h>
#include <stdlib.h>

enum pb_status
pb_foresight_init(struct pb_foresight *f, const struct pb_arena *a,
    const struct pb_clyde_opts *o)
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
	f->in = calloc(pb_map_cells(&a->map), 1);
	f->cell = malloc((a->hard.nfree + 1) * sizeof(*f->cell));
	return f->in && f->cell ? PB_OK : PB_ENOMEM;
}

void
pb_foresight_clear(struct pb_foresight *f)
{
	pb_clyde_clear(&f->first);
	pb_clyde_clear(&f->ahead);
	free(f->in);
	free(f->cell);
	*f = (struct pb_foresight){0};
}

void
pb_foresight_slim(struct pb_foresight *f)
{
	pb_clyde_clear(&f->ahead);
	free(f->in);
	free(f->cell);
	f->in = NULL;
	f->cell = NULL;
}

void
pb_foresight_copy(struct pb_foresight *dst, const struct pb_foresight *src)
{
	pb_clyde_copy(&dst->first, &src->first);
	dst->place = src->place;
	dst->speed = src->speed;
}

void
pb_foresight_begin(struct pb_foresight *f, const struct pb_clyde *c,
    struct pb_vec robot, double speed)
{
	pb_clyde_copy(&f->first, c);
	f->place = robot;
	f->speed = fabs(speed);
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

void
pb_flood_bite(struct pb_foresight *f, struct pb_vec at, double radius)
{
	const struct pb_map *m = &f->arena->map;
	struct pb_vec q = pb_vec_into(m->origin, at);
	double r = radius * f->arena->per_metre;
	double col = q.x * f->arena->per_metre - 0.5 - m->left;
	double row = q.y * f->arena->per_metre - 0.5 - m->below;
	int n = 0;

	for (int j = 0; j < f->n; j++) {
		int i = f->cell[j];
		/* To the corner that is farthest: all of the cell goes. */
		double dx = fabs(i % m->width - col) + 0.5;
		double dy = fabs(i / m->width - row) + 0.5;

		if (dx * dx + dy * dy <= r * r)
			f->in[i] = 0;
		else
			f->cell[n++] = i;
	}
	f->n = n;
}

/* The farthest that it gets in a tick that ends t seconds after the start. */
static double
farthest(const struct pb_foresight *f, double v_max, double v_acc, double t)
{
	double period = f->first.opts.period, v = f->speed + v_acc * t;

	return fmin(v_max, v) * period;
}

bool
pb_foresight_doomed(struct pb_foresight *f, double v_max, double v_acc,
    double radius, double time)
{
	double period = f->first.opts.period;

	if (time > PB_FORESIGHT_TIME)
		return false;
	if (time <= period + 1e-6)
		return true;
	pb_clyde_copy(&f->ahead, &f->first);
	pb_flood_start(f, f->place);
	for (double t = 0; t < PB_FORESIGHT_TIME && f->n > 0; t += period) {
		pb_clyde_tick(&f->ahead);
		pb_flood_grow(f, farthest(f, v_max, v_acc, t + period));
		pb_flood_bite(f, f->ahead.at, radius);
	}
	return f->n == 0;
}
