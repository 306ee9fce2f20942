/* field.c - geodesic distances over a planning grid, and descent on them. */
#include "map/field.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static const int32_t cost[PB_MOVES] = {
    PB_STEP, PB_STEP, PB_STEP, PB_STEP, PB_DIAG, PB_DIAG, PB_DIAG, PB_DIAG};

enum pb_status
pb_wave_init(struct pb_wave *w, size_t cells)
{
	int32_t *block = malloc((3 * cells + 1) * sizeof(*block));

	if (block == NULL)
		return PB_ENOMEM;
	*w = (struct pb_wave){.room = cells};
	for (int k = 0; k < 3; k++)
		w->list[k] = block + (size_t)k * cells;
	return PB_OK;
}

void
pb_wave_clear(struct pb_wave *w)
{
	free(w->list[0]);
	*w = (struct pb_wave){0};
}

/*
 * Dial's buckets, one step wide: as no move is shorter than a step, whatever
 * is in the lowest bucket is final, in any order, and its neighbours fall in
 * the two next. A cell stands in a bucket at most once, and no more when its
 * distance has meanwhile dropped into an earlier one.
 */
struct front {
	int32_t *list[3]; /* this bucket and the two next */
	size_t n[3];      /* entries of each */
	int32_t base;     /* where this bucket begins */
};

/* Cell i can be reached at distance d, base <= d < base + 3 steps. */
static void
offer(struct front *f, int32_t *out, int32_t i, int32_t d)
{
	int32_t old = out[i], edge;
	int k;

	if (d >= old)
		return;
	out[i] = d;
	k = d >= f->base + 2 * PB_STEP ? 2 : d >= f->base + PB_STEP ? 1 : 0;
	edge = f->base + (k + 1) * PB_STEP;
	if (old >= edge)
		f->list[k][f->n[k]++] = i;
}

static void
expand(struct front *f, const struct pb_grid *g, int32_t i, int32_t limit,
    const int *step, int32_t *out)
{
	int32_t d = out[i];

	for (unsigned m = g->move[i], k = 0; m != 0; m >>= 1, k++)
		if (m & 1 && d + cost[k] <= limit)
			offer(f, out, i + step[k], d + cost[k]);
}

/* Go on to the next bucket. */
static void
advance(struct front *f)
{
	int32_t *list = f->list[0];

	f->list[0] = f->list[1];
	f->list[1] = f->list[2];
	f->list[2] = list;
	f->n[0] = f->n[1];
	f->n[1] = f->n[2];
	f->n[2] = 0;
	f->base += PB_STEP;
}

/* Start the sources of this bucket; k of n are started already. */
static size_t
start(struct front *f, const struct pb_grid *g,
    const struct pb_field_source *src, size_t n, size_t k, int32_t limit,
    int32_t *out)
{
	if (k < n && f->n[0] + f->n[1] + f->n[2] == 0)
		f->base = src[k].at;
	for (; k < n && src[k].at < f->base + PB_STEP; k++) {
		assert(k == 0 || src[k].at >= src[k - 1].at);
		if (src[k].cell >= 0 && g->free[src[k].cell] &&
		    src[k].at <= limit)
			offer(f, out, src[k].cell, src[k].at);
	}
	return k;
}

void
pb_field_make(struct pb_wave *w, const struct pb_grid *g,
    const struct pb_field_source *src, size_t n, int32_t limit, int32_t *out)
{
	size_t cells = (size_t)g->width * (size_t)g->height, k = 0;
	struct front f = {.list = {w->list[0], w->list[1], w->list[2]}};
	int step[PB_MOVES];

	assert(g->nfree <= w->room && limit <= PB_FIELD_MAX);
	for (int i = 0; i < PB_MOVES; i++)
		step[i] = pb_move_row(i) * g->width + pb_move_col(i);
	for (size_t i = 0; i < cells; i++)
		out[i] = PB_FIELD_NONE;
	for (;; advance(&f)) {
		k = start(&f, g, src, n, k, limit, out);
		if (f.n[0] + f.n[1] + f.n[2] == 0 && k == n)
			break;
		for (size_t i = 0; i < f.n[0]; i++)
			if (out[f.list[0][i]] >= f.base)
				expand(&f, g, f.list[0][i], limit, step, out);
		f.n[0] = 0;
	}
}

void
pb_field_from(
    struct pb_wave *w, const struct pb_grid *g, int cell, int32_t *out)
{
	struct pb_field_source src = {cell, 0};

	pb_field_make(w, g, &src, 1, PB_FIELD_MAX, out);
}

double
pb_field_cells(int32_t d)
{
	return d == PB_FIELD_NONE ? INFINITY : (double)d / PB_STEP;
}

int
pb_field_next(const struct pb_grid *g, const int32_t *field, int from)
{
	if (field[from] == PB_FIELD_NONE)
		return -1;
	for (int k = 0; k < PB_MOVES; k++) {
		int to = from + pb_move_row(k) * g->width + pb_move_col(k);

		if (g->move[from] & 1 << k && field[to] != PB_FIELD_NONE &&
		    field[to] + cost[k] == field[from])
			return to;
	}
	return -1;
}

size_t
pb_field_descend(const struct pb_grid *g, const int32_t *field, int from,
    int *path, size_t max)
{
	size_t n = 0;

	if (from < 0 || field[from] == PB_FIELD_NONE)
		return 0;
	for (int i = from; i >= 0 && n < max; i = pb_field_next(g, field, i))
		path[n++] = i;
	return n;
}
