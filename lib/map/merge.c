/* merge.c - one map of what two maps of a place know. */
#include "map/merge.h"

#include "map/change.h"

static int
larger(int a, int b)
{
	return a > b ? a : b;
}

static int
smaller(int a, int b)
{
	return a < b ? a : b;
}

/* Occupied, free, unknown: what is said first counts. */
static int
weight(int value)
{
	if (pb_cell_occupied(value))
		return 2;
	return pb_cell_free(value);
}

static int
stronger(int a, int b)
{
	if (weight(a) != weight(b))
		return weight(a) > weight(b) ? a : b;
	return larger(a, b);
}

/* Make the box of cells from lo to hi of m hold what b knows. */
static void
widen(const struct pb_map *m, const struct pb_map *b, struct pb_cell *lo,
    struct pb_cell *hi)
{
	struct pb_cell from, to;

	if (!pb_map_known(b, &from, &to))
		return;
	for (int k = 0; k < 4; k++) {
		struct pb_cell corner = {
		    k & 1 ? to.col : from.col, k & 2 ? to.row : from.row};
		struct pb_cell c = pb_map_cell(m, pb_map_centre(b, corner));

		lo->col = smaller(lo->col, c.col);
		lo->row = smaller(lo->row, c.row);
		hi->col = larger(hi->col, c.col);
		hi->row = larger(hi->row, c.row);
	}
}

static void
put(struct pb_map *m, size_t i, int value)
{
	m->cell[i] = (signed char)stronger(m->cell[i], value);
}

enum pb_status
pb_map_merge(const struct pb_map *a, const struct pb_map *b, struct pb_map *dst)
{
	struct pb_cell lo = {0, 0}, hi = {a->width - 1, a->height - 1};
	struct pb_map got;
	enum pb_status st;

	widen(a, b, &lo, &hi);
	st = pb_map_crop(a, lo, hi, &got);
	if (st != PB_OK)
		return st;
	for (size_t i = 0; i < pb_map_cells(&got); i++) {
		struct pb_vec v = pb_map_centre(&got, pb_map_cell_of(&got, i));

		put(&got, i, pb_map_at(b, pb_map_cell(b, v)));
	}
	for (size_t i = 0; i < pb_map_cells(b); i++) {
		struct pb_cell c;

		if (!pb_cell_occupied(b->cell[i]))
			continue;
		c = pb_map_cell(&got, pb_map_centre(b, pb_map_cell_of(b, i)));
		if (pb_map_inside(&got, c))
			put(&got, pb_map_index(&got, c), b->cell[i]);
	}
	*dst = got;
	return PB_OK;
}
