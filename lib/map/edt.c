/* edt.c - exact squared Euclidean distance to the nearest wall cell. */
#include "map/edt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Two passes (Meijster, Roerdink and Hesselink, "A general algorithm for
 * computing distance transforms in linear time", 2000): the distance within
 * each column, then along each row the lower envelope of the parabolas
 * (x - u)^2 + gap(u)^2. A row is cut at its walls: no parabola reaches beyond
 * a wall.
 *
 * A column without walls counts from NONE up; sums stay within 16 bits.
 */
#define NONE 40000

/* A parabola of the lower envelope of a row. */
struct arc {
	int32_t u;  /* place of its lowest point, ascending */
	int32_t g2; /* its value there */
	int32_t x;  /* first cell where it is the lowest of all */
};

/*
 * The distances within columns are stored in the right halves of the result's
 * rows until these are computed, which saves half as much memory again.
 */
static uint16_t *
gap_row(const struct pb_edt *e, int y)
{
	size_t w = (size_t)e->width;

	return (uint16_t *)(e->d2 + (size_t)y * w) + w;
}

/* Distance of each cell to the nearest wall below it in its column. */
static void
sweep_up(const struct pb_edt *e, const unsigned char *wall, bool border)
{
	size_t w = (size_t)e->width;
	uint16_t *g = gap_row(e, 0);

	for (size_t x = 0; x < w; x++)
		g[x] = wall[x] ? 0 : border ? 1 : NONE;
	for (int y = 1; y < e->height; y++) {
		const unsigned char *in = wall + (size_t)y * w;
		const uint16_t *below = g;

		g = gap_row(e, y);
		for (size_t x = 0; x < w; x++)
			g[x] = in[x] ? 0 : (uint16_t)(below[x] + 1);
	}
}

/* Update row g by the row above, whose distances are final. */
static void
sweep_down(const uint16_t *above, int width, uint16_t *g)
{
	for (int x = 0; x < width; x++) {
		uint16_t v = (uint16_t)(above[x] + 1);

		g[x] = v < g[x] ? v : g[x];
	}
}

static int32_t
parabola_at(const struct arc *h, int x)
{
	int32_t d = x - h->u;

	return d * d + h->g2;
}

/*
 * Add the parabola at u, right of all others, to the envelope h of n arcs;
 * `end`: end of the stretch. Adjacent ones meet half-way without a division.
 * Returns the new number of arcs.
 */
static inline int
push_arc(struct arc *h, int n, int u, int32_t g2, int32_t begin, int32_t end)
{
	int32_t x = begin;

	for (; n > 0; n--) {
		int32_t d = h[n - 1].x - u;

		if (parabola_at(&h[n - 1], h[n - 1].x) <= d * d + g2)
			break;
	}
	if (n > 0) {
		int32_t v = h[n - 1].u, d = u - v;
		int32_t num = d * (u + v) + g2 - h[n - 1].g2;

		x = d == 1 ? (num >> 1) + 1 : num / (2 * d) + 1;
	}
	if (x < end)
		h[n++] = (struct arc){u, g2, x};
	return n;
}

/* Write the envelope over the stretch begin..end - 1. */
static void
write_hull(const struct arc *h, int n, int begin, int end, int32_t *out)
{
	if (n == 0)
		for (int x = begin; x < end; x++)
			out[x] = PB_EDT_FAR;
	for (int k = 0; k < n; k++) {
		int stop = k + 1 < n ? h[k + 1].x : end;
		int32_t u = h[k].u, g2 = h[k].g2;

		for (int x = h[k].x; x < stop; x++)
			out[x] = (x - u) * (x - u) + g2;
	}
}

/*
 * Transform a stretch without walls; before, after: whether a wall bounds it.
 */
static void
transform_stretch(struct arc *h, const uint16_t *g, int begin, int end,
    bool before, bool after, int32_t *out)
{
	int n = 0;

	if (before)
		n = push_arc(h, n, begin - 1, 0, begin, end);
	for (int x = begin; x < end; x++)
		if (g[x] < NONE)
			n = push_arc(h, n, x, (int32_t)g[x] * g[x], begin, end);
	if (after)
		n = push_arc(h, n, end, 0, begin, end);
	write_hull(h, n, begin, end, out);
}

static void
transform_row(
    struct arc *h, const uint16_t *g, int width, bool border, int32_t *out)
{
	int x = 0, begin;

	while (x < width) {
		for (; x < width && g[x] == 0; x++)
			out[x] = 0;
		if (x == width)
			break;
		for (begin = x; x < width && g[x] != 0; x++)
			;
		transform_stretch(h, g, begin, x, begin > 0 || border,
		    x < width || border, out);
	}
}

/* gap: work space for two rows; hull: for an envelope. */
static void
transform_map(const struct pb_edt *e, const unsigned char *wall, bool border,
    uint16_t *gap, struct arc *hull)
{
	size_t w = (size_t)e->width;

	sweep_up(e, wall, border);
	for (int y = e->height - 1; y >= 0; y--) {
		uint16_t *g = y % 2 ? gap + w : gap;

		memcpy(g, gap_row(e, y), w * sizeof(*g));
		if (y < e->height - 1)
			sweep_down(y % 2 ? gap : gap + w, e->width, g);
		else if (border)
			for (size_t x = 0; x < w; x++)
				g[x] = g[x] > 1 ? 1 : g[x];
		transform_row(hull, g, e->width, border, e->d2 + (size_t)y * w);
	}
}

enum pb_status
pb_edt_init(struct pb_edt *e, const unsigned char *wall, int width, int height,
    bool border)
{
	size_t w = (size_t)width, n = w * (size_t)height;
	struct pb_edt t = {.width = width, .height = height};
	uint16_t *gap;
	struct arc *hull;

	if (width < 1 || height < 1 || width > PB_EDT_SIDE ||
	    height > PB_EDT_SIDE)
		return PB_ESIZE;
	t.d2 = malloc(n * sizeof(*t.d2));
	gap = malloc(2 * w * sizeof(*gap));
	hull = malloc((w + 2) * sizeof(*hull));
	if (t.d2 != NULL && gap != NULL && hull != NULL) {
		transform_map(&t, wall, border, gap, hull);
		*e = t;
	} else {
		free(t.d2);
		t.d2 = NULL;
	}
	free(gap);
	free(hull);
	return t.d2 != NULL ? PB_OK : PB_ENOMEM;
}

enum pb_status
pb_edt_of_map(struct pb_edt *e, const struct pb_map *m, bool unknown_open)
{
	size_t n = pb_map_cells(m);
	unsigned char *wall = malloc(n);
	enum pb_status st = PB_ENOMEM;

	for (size_t i = 0; wall != NULL && i < n; i++)
		wall[i] = unknown_open ? pb_cell_occupied(m->cell[i])
		                       : !pb_cell_free(m->cell[i]);
	if (wall != NULL)
		st = pb_edt_init(e, wall, m->width, m->height, true);
	free(wall);
	return st;
}

void
pb_edt_clear(struct pb_edt *e)
{
	free(e->d2);
	*e = (struct pb_edt){0};
}

double
pb_edt_clearance(const struct pb_edt *e, size_t i, double resolution)
{
	if (e->d2[i] == PB_EDT_FAR)
		return INFINITY;
	return sqrt(e->d2[i]) * resolution;
}

void
pb_edt_within(const struct pb_edt *e, double r, unsigned char *out)
{
	size_t n = (size_t)e->width * (size_t)e->height;
	double r2 = floor(r * r + 1e-9);
	int32_t most = r2 < PB_EDT_FAR - 1 ? (int32_t)r2 : PB_EDT_FAR - 1;

	for (size_t i = 0; i < n; i++)
		out[i] = e->d2[i] <= most;
}

enum pb_status
pb_edt_grid(const struct pb_edt *e, double r, struct pb_grid *g)
{
	size_t n = (size_t)e->width * (size_t)e->height;
	unsigned char *mask = malloc(n);
	enum pb_status st;

	if (mask == NULL)
		return PB_ENOMEM;
	pb_edt_within(e, r, mask);
	for (size_t i = 0; i < n; i++)
		mask[i] = !mask[i];
	st = pb_grid_init(g, e->width, e->height, mask);
	free(mask);
	return st;
}
