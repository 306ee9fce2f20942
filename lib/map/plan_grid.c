/* plan_grid.c - masks of cells, and planning grids with path distances. */
#include "pb/plan_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pb/map.h"

void
pb_mask_free(const struct pb_map *m, unsigned char *out)
{
	size_t n = pb_map_cells(m);

	/* Unsigned, unknown cells compare above all free ones. */
	for (size_t i = 0; i < n; i++)
		out[i] = (unsigned char)m->cell[i] <= PB_CELL_FREE;
}

int
pb_square_cells(double length, double resolution)
{
	double n = nearbyint(length / resolution);

	return n > PB_MAP_SIDE ? PB_MAP_SIDE + 1 : n > 1 ? (int)n : 1;
}

/* Mark the cells of a row with c free ones on either side; out may be in. */
static void
mark_row(const unsigned char *in, int width, int c, unsigned char *out)
{
	int n = 0;

	for (int x = 0; x < width; x++) {
		n = in[x] ? n + 1 : 0;
		if (x >= c)
			out[x - c] = n > 2 * c;
	}
	memset(out + width - c, 0, (size_t)c);
}

/*
 * The square is a product of row and column intervals: one pass marks rows, and
 * counts per column the marked rows that end here; it overwrites the row c
 * above, whose marks are counted already.
 */
void
pb_square_mask(const unsigned char *in, int width, int height, int c,
    uint16_t *run, unsigned char *out)
{
	size_t w = (size_t)width;

	if (c > (width - 1) / 2 || c > (height - 1) / 2) {
		memset(out, 0, w * (size_t)height);
		return;
	}
	memset(run, 0, w * sizeof(*run));
	for (int y = 0; y < height; y++) {
		unsigned char *row = out + (size_t)y * w;

		mark_row(in + (size_t)y * w, width, c, row);
		for (size_t x = 0; x < w; x++)
			run[x] = (uint16_t)(row[x] ? run[x] + 1 : 0);
		if (y < c)
			continue;
		row = out + (size_t)(y - c) * w;
		for (size_t x = 0; x < w; x++)
			row[x] = run[x] > 2 * c;
	}
	memset(out + (size_t)(height - c) * w, 0, (size_t)c * w);
}

unsigned char *
pb_square_safe(const struct pb_map *m, double clearance)
{
	unsigned char *mask = malloc(pb_map_cells(m));
	uint16_t *run = malloc((size_t)m->width * sizeof(run[0]));

	if (mask != NULL && run != NULL) {
		pb_mask_free(m, mask);
		pb_square_mask(mask, m->width, m->height,
		    pb_square_cells(clearance, m->resolution), run, mask);
	} else {
		free(mask);
		mask = NULL;
	}
	free(run);
	return mask;
}

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

/* The move bits of one cell, or of eight in the bytes of words; each neighbour,
 * and the cell itself (mid), is 1 or 0. */
static uint64_t
move_bits(uint64_t mid, const uint64_t side[PB_MOVES])
{
	uint64_t e = side[0], w = side[1], s = side[2], n = side[3];

	return mid * 0xff &
	       (e | w << 1 | s << 2 | n << 3 | (e & s & side[4]) << 4 |
		   (w & s & side[5]) << 5 | (e & n & side[6]) << 6 |
		   (w & n & side[7]) << 7);
}

static uint64_t
load_eight(const unsigned char *at)
{
	uint64_t v;

	memcpy(&v, at, sizeof(v));
	return v;
}

/* Compute the moves of a row of width cells, given its neighbour rows (zeros
 * outside). */
static void
row_moves(const unsigned char *below, const unsigned char *row,
    const unsigned char *above, int width, unsigned char *move)
{
	int x = 0;

	while (x < width) {
		if (x > 0 && x + 8 < width) {
			uint64_t v = move_bits(load_eight(row + x),
			    (uint64_t[]){load_eight(row + x + 1),
				load_eight(row + x - 1), load_eight(below + x),
				load_eight(above + x),
				load_eight(below + x + 1),
				load_eight(below + x - 1),
				load_eight(above + x + 1),
				load_eight(above + x - 1)});

			memcpy(move + x, &v, sizeof(v));
			x += 8;
		} else {
			int e = x + 1 < width, w = x > 0;

			move[x] = (unsigned char)move_bits(row[x],
			    (uint64_t[]){e ? row[x + 1] : 0, w ? row[x - 1] : 0,
				below[x], above[x], e ? below[x + 1] : 0,
				w ? below[x - 1] : 0, e ? above[x + 1] : 0,
				w ? above[x - 1] : 0});
			x++;
		}
	}
}

/* Append the runs of row y; all runs so far have room for *room. */
static enum pb_status
append_runs(struct pb_grid *g, int y, const unsigned char *free, size_t *room)
{
	int32_t first = y * g->width;
	uint32_t n = g->row[y];

	for (int x = 0; x < g->width; n++) {
		const unsigned char *at =
		    memchr(free + x, 1, (size_t)(g->width - x));
		int from;

		if (at == NULL)
			break;
		if (n == *room) {
			struct pb_grid_run *more =
			    realloc(g->run, 2 * *room * sizeof(*more));

			if (more == NULL)
				return PB_ENOMEM;
			g->run = more;
			*room *= 2;
		}
		from = (int)(at - free);
		at = memchr(at, 0, (size_t)(g->width - from));
		x = at != NULL ? (int)(at - free) : g->width;
		g->run[n] = (struct pb_grid_run){first + from, first + x, -1};
	}
	g->row[y + 1] = n;
	return PB_OK;
}

static enum pb_status
find_moves(struct pb_grid *g, const unsigned char *mask)
{
	size_t w = (size_t)g->width, room = (size_t)g->height;
	unsigned char *none = calloc(w, 1);
	enum pb_status st = PB_OK;

	g->run = malloc(room * sizeof(*g->run));
	if (none == NULL || g->run == NULL)
		st = PB_ENOMEM;
	for (int y = 0; y < g->height && st == PB_OK; y++) {
		const unsigned char *row = mask + (size_t)y * w;

		row_moves(y > 0 ? row - w : none, row,
		    y + 1 < g->height ? row + w : none, g->width,
		    g->move + (size_t)y * w);
		st = append_runs(g, y, row, &room);
	}
	free(none);
	return st;
}

/* Union-find with path halving: the root of run i. */
static int32_t
find_root(struct pb_grid_run *run, int32_t i)
{
	while (run[i].part != i) {
		run[i].part = run[run[i].part].part;
		i = run[i].part;
	}
	return i;
}

static void
join(struct pb_grid_run *run, int32_t a, int32_t b)
{
	a = find_root(run, a);
	b = find_root(run, b);
	if (a < b)
		run[b].part = a;
	else
		run[a].part = b;
}

/*
 * Connect runs: a diagonal needs both cells beside it, so straight moves decide
 * what is connected. Each run points at an earlier one of its part, or at
 * itself.
 */
static void
link_runs(struct pb_grid *g)
{
	struct pb_grid_run *run = g->run;

	for (int y = 0; y < g->height; y++) {
		uint32_t k = g->row[y > 0 ? y - 1 : 0], below = g->row[y];

		for (uint32_t i = below; i < g->row[y + 1]; i++) {
			int32_t from = run[i].from - g->width;
			int32_t to = run[i].to - g->width;

			run[i].part = (int32_t)i;
			while (k < below && run[k].to <= from)
				k++;
			/* The last run may also touch the next one. */
			for (uint32_t j = k; j < below && run[j].from < to; j++)
				join(run, (int32_t)i, (int32_t)j);
		}
	}
}

/* Replace links by part numbers, written as -2 - number until all are known. */
static enum pb_status
number_parts(struct pb_grid *g)
{
	struct pb_grid_run *run = g->run;
	int32_t n = (int32_t)g->row[g->height];

	for (int32_t i = 0; i < n; i++)
		run[i].part =
		    run[i].part == i ? -2 - g->nparts++ : run[run[i].part].part;
	g->size = calloc((size_t)g->nparts + 1, sizeof(*g->size));
	if (g->size == NULL)
		return PB_ENOMEM;
	for (int32_t i = 0; i < n; i++) {
		uint32_t cells = (uint32_t)(run[i].to - run[i].from);

		run[i].part = -2 - run[i].part;
		g->size[run[i].part] += cells;
		g->nfree += cells;
	}
	g->main = g->nparts > 0 ? 0 : -1;
	for (int k = 1; k < g->nparts; k++)
		if (g->size[k] > g->size[g->main])
			g->main = k;
	return PB_OK;
}

static enum pb_status
fill_grid(struct pb_grid *g, const unsigned char *mask)
{
	enum pb_status st;

	g->move = malloc((size_t)g->width * (size_t)g->height);
	g->row = malloc(((size_t)g->height + 1) * sizeof(*g->row));
	if (g->move == NULL || g->row == NULL)
		return PB_ENOMEM;
	g->row[0] = 0;
	if ((st = find_moves(g, mask)) != PB_OK)
		return st;
	link_runs(g);
	return number_parts(g);
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
	if ((st = fill_grid(&t, mask)) != PB_OK) {
		pb_grid_clear(&t);
		return st;
	}
	*g = t;
	return PB_OK;
}

void
pb_grid_clear(struct pb_grid *g)
{
	free(g->move);
	free(g->run);
	free(g->row);
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

int
pb_grid_part(const struct pb_grid *g, int i)
{
	uint32_t lo = g->row[i / g->width], hi = g->row[i / g->width + 1];

	if (lo == hi)
		return -1;
	/* Binary search for the last run that begins at i or before. */
	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (g->run[mid].from <= i)
			lo = mid;
		else
			hi = mid;
	}
	return g->run[lo].from <= i && i < g->run[lo].to ? g->run[lo].part : -1;
}

bool
pb_grid_joined(const struct pb_grid *g, int a, int b)
{
	int part = a >= 0 && b >= 0 ? pb_grid_part(g, a) : -1;

	return part >= 0 && part == pb_grid_part(g, b);
}

/* --- fields --- */

static const int32_t cost[PB_MOVES] = {
    PB_STEP, PB_STEP, PB_STEP, PB_STEP, PB_DIAG, PB_DIAG, PB_DIAG, PB_DIAG};

/*
 * Dial's algorithm with buckets one step wide: as no move is shorter, all cells
 * in the lowest bucket are final, in any order, and their neighbours fall into
 * the next two. A cell is in a bucket at most once; an entry whose distance has
 * dropped since is skipped.
 */
struct front {
	int32_t *list[3]; /* this bucket and the two next */
	size_t n[3];      /* entries of each */
	int32_t base;     /* where this bucket begins */
};

/* Insert cell i at distance d, base <= d < base + 3 steps. */
static void
insert_cell(struct front *f, int32_t *out, int32_t i, int32_t d)
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
expand(struct front *f, const struct pb_grid *g, int32_t i, const int *step,
    int32_t *out)
{
	int32_t d = out[i];

	for (unsigned m = g->move[i], k = 0; m != 0; m >>= 1, k++)
		if (m & 1 && d + cost[k] <= PB_FIELD_MAX)
			insert_cell(f, out, i + step[k], d + cost[k]);
}

static void
next_bucket(struct front *f)
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

size_t
pb_field_room(const struct pb_grid *g)
{
	return 3 * g->nfree + 1;
}

int32_t
pb_field_between(
    const struct pb_grid *g, int cell, int to, int32_t *work, int32_t *out)
{
	size_t cells = (size_t)g->width * (size_t)g->height;
	struct front f = {.list = {work, work + g->nfree, work + 2 * g->nfree}};
	int step[PB_MOVES];

	for (int i = 0; i < PB_MOVES; i++)
		step[i] = pb_move_row(i) * g->width + pb_move_col(i);
	for (size_t i = 0; i < cells; i++)
		out[i] = PB_FIELD_NONE;
	if (cell >= 0 && pb_grid_free(g, cell))
		insert_cell(&f, out, cell, 0);
	for (; f.n[0] + f.n[1] + f.n[2] > 0; next_bucket(&f)) {
		if (to >= 0 && out[to] < f.base / 5 * 4)
			break;
		for (size_t i = 0; i < f.n[0]; i++)
			if (out[f.list[0][i]] >= f.base)
				expand(&f, g, f.list[0][i], step, out);
		f.n[0] = 0;
	}
	for (size_t i = 0; to >= 0 && i < cells; i++)
		if (out[i] > f.base)
			out[i] = f.base;
	return f.base;
}

enum pb_status
pb_field_from(const struct pb_grid *g, int cell, int32_t *out)
{
	int32_t *work = malloc(pb_field_room(g) * sizeof(*work));

	if (work == NULL)
		return PB_ENOMEM;
	pb_field_between(g, cell, -1, work, out);
	free(work);
	return PB_OK;
}

double
pb_field_cells(int32_t d)
{
	return d == PB_FIELD_NONE ? INFINITY : (double)d / PB_STEP;
}

/*
 * The next cell downhill: the first move, in the grid's order, that lies on
 * a shortest path to the field's source.
 *
 * Given    from  a free cell
 * Returns  index, or -1 at a source or where the field is PB_FIELD_NONE
 */
static int
field_next(const struct pb_grid *g, const int32_t *field, int from)
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
	for (int i = from; i >= 0 && n < max; i = field_next(g, field, i))
		path[n++] = i;
	return n;
}
