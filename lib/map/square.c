/* square.c - cells with a free square around them: the published rule. */
#include "map/square.h"

#include <math.h>
#include <string.h>

void
pb_mask_free(const struct pb_map *m, unsigned char *out)
{
	size_t n = pb_map_cells(m);

	/* As unsigned numbers the unknown cells are above all free ones. */
	for (size_t i = 0; i < n; i++)
		out[i] = (unsigned char)m->cell[i] <= PB_CELL_FREE;
}

int
pb_square_cells(double length, double resolution)
{
	double n = nearbyint(length / resolution);

	return n > PB_MAP_SIDE ? PB_MAP_SIDE + 1 : n > 1 ? (int)n : 1;
}

/* Mark the cells of a row with c free ones on either side. */
static void
mark_row(const unsigned char *in, int width, int c, unsigned char *out)
{
	int n = 0;

	memset(out, 0, (size_t)width);
	for (int x = 0; x < width; x++) {
		n = in[x] ? n + 1 : 0;
		if (n > 2 * c)
			out[x - c] = 1;
	}
}

/*
 * The square is a product: free along the row for every row of a stretch of
 * 2c + 1. So one pass marks rows, and counts per column how many marked rows
 * end here; it rewrites the row c above, whose marks it has counted already.
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
