/* grid.c - a planning grid: where one may go, and what hangs together. */
#include "map/grid.h"

#include <stdlib.h>
#include <string.h>

#include "map/map.h"

/* An image's y counts down, a row counts up. */
static const signed char move_col[PB_MOVES] = {1, -1, 0, 0, 1, -1, 1, -1};
static const signed char move_row[PB_MOVES] = {0, 0, -1, 1, -1, -1, 1, 1};

int
pb_move_col(int k)
{
	return move_col[k];
}

int
pb_move_row(int k)
{
	return move_row[k];
}

/*
 * The moves of one row. Given a row and its neighbours, or a row of zeros
 * where there is none, all of width cells.
 */
static void
row_moves(const unsigned char *below, const unsigned char *row,
    const unsigned char *above, int width, unsigned char *move)
{
	for (int x = 0; x < width; x++) {
		bool more = x + 1 < width;
		int e = more && row[x + 1], w = x > 0 && row[x - 1];
		int s = below[x], n = above[x];
		int se = e && s && below[x + 1], sw = w && s && below[x - 1];
		int ne = e && n && above[x + 1], nw = w && n && above[x - 1];

		move[x] =
		    (unsigned char)(e | w << 1 | s << 2 | n << 3 | se << 4 |
				    sw << 5 | ne << 6 | nw << 7);
		if (!row[x])
			move[x] = 0;
	}
}

static enum pb_status
find_moves(struct pb_grid *g)
{
	size_t w = (size_t)g->width;
	unsigned char *none = calloc(w, 1);

	if (none == NULL)
		return PB_ENOMEM;
	for (int y = 0; y < g->height; y++) {
		const unsigned char *row = g->free + (size_t)y * w;

		row_moves(y > 0 ? row - w : none, row,
		    y + 1 < g->height ? row + w : none, g->width,
		    g->move + (size_t)y * w);
	}
	free(none);
	return PB_OK;
}

/* The first cell known to hang together with i; shortens the way to it. */
static int32_t
first_of(int32_t *part, int32_t i)
{
	while (part[i] != i) {
		part[i] = part[part[i]];
		i = part[i];
	}
	return i;
}

static void
join(int32_t *part, int32_t a, int32_t b)
{
	a = first_of(part, a);
	b = first_of(part, b);
	if (a < b)
		part[b] = a;
	else
		part[a] = b;
}

/*
 * A diagonal needs both cells beside it, so straight moves decide what hangs
 * together. Each cell points at an earlier one of its part, or at itself.
 */
static void
link_cells(struct pb_grid *g)
{
	int32_t n = g->width * g->height;

	for (int32_t i = 0; i < n; i++) {
		g->part[i] = g->free[i] ? i : -1;
		if (g->move[i] & 1 << 1)
			join(g->part, i, i - 1);
		if (g->move[i] & 1 << 2)
			join(g->part, i, i - g->width);
	}
}

/* Replace links by numbers: written as -2 - number until all are known. */
static void
number_parts(struct pb_grid *g)
{
	int32_t n = g->width * g->height;

	for (int32_t i = 0; i < n; i++) {
		if (g->part[i] == i)
			g->part[i] = -2 - g->nparts++;
		else if (g->part[i] >= 0)
			g->part[i] = g->part[g->part[i]];
	}
	for (int32_t i = 0; i < n; i++)
		if (g->part[i] != -1)
			g->part[i] = -2 - g->part[i];
}

static enum pb_status
measure_parts(struct pb_grid *g)
{
	size_t n = (size_t)g->width * (size_t)g->height;

	g->size = calloc((size_t)g->nparts + 1, sizeof(*g->size));
	if (g->size == NULL)
		return PB_ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (g->part[i] >= 0) {
			g->size[g->part[i]]++;
			g->nfree++;
		}
	g->main = g->nparts > 0 ? 0 : -1;
	for (int k = 1; k < g->nparts; k++)
		if (g->size[k] > g->size[g->main])
			g->main = k;
	return PB_OK;
}

static enum pb_status
fill(struct pb_grid *g, const unsigned char *mask)
{
	size_t n = (size_t)g->width * (size_t)g->height;
	enum pb_status st;

	g->free = malloc(n);
	g->move = malloc(n);
	g->part = malloc(n * sizeof(*g->part));
	if (g->free == NULL || g->move == NULL || g->part == NULL)
		return PB_ENOMEM;
	for (size_t i = 0; i < n; i++)
		g->free[i] = mask[i] != 0;
	if ((st = find_moves(g)) != PB_OK)
		return st;
	link_cells(g);
	number_parts(g);
	return measure_parts(g);
}

enum pb_status
pb_grid_init(
    struct pb_grid *g, int width, int height, const unsigned char *mask)
{
	struct pb_grid t = {.width = width, .height = height};
	enum pb_status st;

	if (width < 1 || height < 1 || width > PB_MAP_SIDE ||
	    height > PB_MAP_SIDE)
		return PB_ESIZE;
	if ((st = fill(&t, mask)) != PB_OK) {
		pb_grid_clear(&t);
		return st;
	}
	*g = t;
	return PB_OK;
}

void
pb_grid_clear(struct pb_grid *g)
{
	free(g->free);
	free(g->move);
	free(g->part);
	free(g->size);
	*g = (struct pb_grid){0};
}

int
pb_grid_index(const struct pb_grid *g, struct pb_cell c)
{
	if (c.col < 0 || c.row < 0 || c.col >= g->width || c.row >= g->height)
		return -1;
	return c.row * g->width + c.col;
}

struct pb_cell
pb_grid_cell(const struct pb_grid *g, int i)
{
	return (struct pb_cell){i % g->width, i / g->width};
}

bool
pb_grid_joined(const struct pb_grid *g, int a, int b)
{
	return a >= 0 && b >= 0 && g->part[a] >= 0 && g->part[a] == g->part[b];
}
