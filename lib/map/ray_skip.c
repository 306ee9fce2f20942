/* ray_skip.c - how far a ray may leap from each cell of a map without hitting.
 */
#include "map/ray_skip.h"

#include <stdlib.h>

/*
 * A block is 1 to 31 cells one way and 1, 2, 4 or 8 times that the other: a
 * byte is 5 bits of size and 3 of shape. Shapes 0 to 3 are 1, 2, 4, 8 times as
 * long as high, shapes 5 to 7 are 2, 4, 8 times as high as long;
 * PB_RAY_SKIP_OUT has shape 4. With squares alone a ray along a corridor makes
 * half as many leaps again.
 */
#define SIZE        PB_RAY_SKIP_SIZE
#define LONG(shape) ((shape) < 4 ? 1 << (shape) : 1)
#define HIGH(shape) ((shape) < 4 ? 1 : 1 << ((shape)-4))

/*
 * What a block is worth, for each cell of its short side (1/20), by shape. Of
 * a dozen sets of weights, with these rays made the fewest leaps in a house
 * (2.5) and on a real map (2.9).
 */
static const int worth[8] = {20, 25, 28, 30, 20, 25, 28, 30};

/* What is needed while the tables are made; all planes have a border. */
struct work {
	size_t pitch, cells;
	ptrdiff_t sx, sy; /* to the next column and row ahead */
	unsigned char *square;
	unsigned char *half, *whole; /* sizes of one shape and the next */
	unsigned char *block;        /* the best so far */
};

static bool
stops(int value, bool unknown_stops)
{
	return pb_cell_occupied(value) ||
	       (unknown_stops && pb_cell_unknown(value));
}

/*
 * An open square reaches one cell farther than the least of the three that
 * begin at the neighbours ahead.
 */
static void
squares(struct work *w, const struct pb_map *m, bool unknown_stops)
{
	for (int i = 0; i < m->height; i++) {
		int row = w->sy > 0 ? m->height - 1 - i : i;
		const signed char *cell =
		    m->cell + (size_t)row * (size_t)m->width;
		unsigned char *at =
		    w->square + (size_t)(row + 1) * w->pitch + 1;

		for (int k = 0; k < m->width; k++) {
			int col = w->sx > 0 ? m->width - 1 - k : k;
			unsigned char *a = at + col;
			int n = SIZE - 1;

			n = a[w->sx] < n ? a[w->sx] : n;
			n = a[w->sy] < n ? a[w->sy] : n;
			n = a[w->sx + w->sy] < n ? a[w->sx + w->sy] : n;
			*a = stops(cell[col], unknown_stops)
			         ? 0
			         : (unsigned char)(n + 1);
		}
	}
}

/*
 * Two blocks of the shape in half, one behind the other, make one of the next
 * shape, which goes to whole. A block of the next cell, less one, is open from
 * this cell too if the cells on its short side are: the size is that or one
 * more. It is kept if it is the best so far.
 *
 * Given    k      cell; whole has been made for the next
 *          step   to the next cell along the side that grows
 *          side   of a block in half, along it, over its size
 *          shape  of the blocks in whole
 */
static inline void
lengthen(struct work *w, size_t k, ptrdiff_t step, int side, int shape)
{
	unsigned char *whole = w->whole + k, *half = w->half + k;
	int n, best = w->block[k];

	*whole = 0;
	if (*half == 0)
		return;
	n = whole[step] < *half ? whole[step] + 1 : *half;
	n -= half[n * side * step] < n;
	*whole = (unsigned char)n;
	if (n * worth[shape] > (best & SIZE) * worth[best >> 5])
		best = shape << 5 | n;
	w->block[k] = (unsigned char)best;
}

static void
lengthen_high(struct work *w, int side, int shape)
{
	for (size_t i = 0; i < w->cells; i++)
		lengthen(
		    w, w->sy > 0 ? w->cells - 1 - i : i, w->sy, side, shape);
}

/*
 * Here a cell has to wait for the one before it: some rows at a time, so that
 * there is something to do meanwhile.
 */
static void
lengthen_long(struct work *w, int side, int shape)
{
	enum { ROWS = 16 };
	size_t pitch = w->pitch, rows = w->cells / pitch;

	for (size_t low = 0; low < rows; low += ROWS) {
		size_t end = low + ROWS < rows ? low + ROWS : rows;

		for (size_t i = 0; i < pitch; i++) {
			size_t col = w->sx > 0 ? pitch - 1 - i : i;

			for (size_t row = low; row < end; row++)
				lengthen(
				    w, row * pitch + col, w->sx, side, shape);
		}
	}
}

/* What lies outside the map stops no rays. */
static void
open_border(struct work *w)
{
	unsigned char *top = w->block + w->cells - w->pitch;

	for (size_t k = 0; k < w->pitch; k++)
		w->block[k] = top[k] = PB_RAY_SKIP_OUT;
	for (unsigned char *row = w->block; row < top; row += w->pitch)
		row[0] = row[w->pitch - 1] = PB_RAY_SKIP_OUT;
}

static void
fill_quadrant(struct work *w, const struct pb_map *m, bool unknown_stops)
{
	squares(w, m, unknown_stops);
	for (size_t k = 0; k < w->cells; k++)
		w->block[k] = w->square[k];
	for (int high = 0; high < 2; high++) {
		for (size_t k = 0; k < w->cells; k++)
			w->half[k] = w->square[k];
		for (int i = 1; i < 4; i++) {
			unsigned char *made = w->whole;

			if (high)
				lengthen_high(w, 1 << (i - 1), 4 + i);
			else
				lengthen_long(w, 1 << (i - 1), i);
			w->whole = w->half;
			w->half = made;
		}
	}
	if (!unknown_stops)
		open_border(w);
}

static void
name_sizes(struct pb_ray_skip *l)
{
	for (int i = 0; i < 256; i++)
		l->size[i] = (pb_pair){
		    (i & SIZE) * LONG(i >> 5), (i & SIZE) * HIGH(i >> 5)};
}

enum pb_status
pb_ray_skip_init(
    struct pb_ray_skip *l, const struct pb_map *m, bool unknown_stops)
{
	size_t pitch = (size_t)m->width + 2;
	size_t cells = pitch * ((size_t)m->height + 2);
	unsigned char *block = malloc(4 * cells + 1), *room = calloc(3, cells);
	struct work w = {.pitch = pitch, .cells = cells, .square = room};

	if (block == NULL || room == NULL) {
		free(block);
		free(room);
		return PB_ENOMEM;
	}
	*l = (struct pb_ray_skip){
	    .pitch = pitch, .cells = cells, .block = block};
	w.half = room + cells;
	w.whole = w.half + cells;
	for (int q = 0; q < 4; q++) {
		w.block = block + (size_t)q * cells;
		w.sx = q & 1 ? -1 : 1;
		w.sy = q & 2 ? -(ptrdiff_t)pitch : (ptrdiff_t)pitch;
		fill_quadrant(&w, m, unknown_stops);
	}
	block[4 * cells] = PB_RAY_SKIP_STOP;
	free(room);
	name_sizes(l);
	return PB_OK;
}

void
pb_ray_skip_clear(struct pb_ray_skip *l)
{
	free(l->block);
	*l = (struct pb_ray_skip){0};
}
