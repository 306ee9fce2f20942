/* edt.c - exact squared Euclidean distance to the nearest wall cell. */
#include "map/edt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Two passes, after Meijster, Roerdink and Hesselink, "A general algorithm
 * for computing distance transforms in linear time" (2000): the distance
 * within each column, then along each row the lower envelope of the parabolas
 * (x - u)^2 + gap(u)^2. Here a row is cut at its walls: no parabola reaches
 * beyond a place where another is 0.
 *
 * A column without walls counts from NONE up; sums stay within 16 bits.
 */
#define NONE 40000

enum pb_status
pb_edt_init(struct pb_edt *e, int width, int height)
{
	size_t w = (size_t)width, n = w * (size_t)height;
	struct pb_edt t = {.width = width, .height = height};

	if (width < 1 || height < 1 || width > PB_EDT_SIDE ||
	    height > PB_EDT_SIDE)
		return PB_ESIZE;
	t.d2 = malloc(n * sizeof(*t.d2));
	t.gap = malloc(n * sizeof(*t.gap));
	t.hull = malloc(3 * (w + 2) * sizeof(*t.hull));
	if (t.d2 == NULL || t.gap == NULL || t.hull == NULL) {
		pb_edt_clear(&t);
		return PB_ENOMEM;
	}
	*e = t;
	return PB_OK;
}

void
pb_edt_trim(struct pb_edt *e)
{
	free(e->gap);
	free(e->hull);
	e->gap = NULL;
	e->hull = NULL;
}

void
pb_edt_clear(struct pb_edt *e)
{
	pb_edt_trim(e);
	free(e->d2);
	*e = (struct pb_edt){0};
}

/* Distance of each cell to the nearest wall below it in its column. */
static void
sweep_up(const unsigned char *wall, int width, int height, bool border,
    uint16_t *gap)
{
	size_t w = (size_t)width;

	for (size_t x = 0; x < w; x++)
		gap[x] = wall[x] ? 0 : border ? 1 : NONE;
	for (int y = 1; y < height; y++) {
		const unsigned char *in = wall + (size_t)y * w;
		const uint16_t *below = gap + (size_t)(y - 1) * w;
		uint16_t *g = gap + (size_t)y * w;

		for (size_t x = 0; x < w; x++)
			g[x] = in[x] ? 0 : (uint16_t)(below[x] + 1);
	}
}

/* Let the row above (its walls in either direction) improve row g. */
static void
sweep_down(const uint16_t *above, int width, uint16_t *g)
{
	for (int x = 0; x < width; x++) {
		uint16_t v = (uint16_t)(above[x] + 1);

		g[x] = v < g[x] ? v : g[x];
	}
}

/* The lower envelope of a stretch of a row. */
struct hull {
	int n;       /* parabolas on it */
	int32_t *u;  /* place of each one's lowest point, ascending */
	int32_t *g2; /* its value there */
	int32_t *x;  /* first cell where it is the lowest of all */
};

static int32_t
parabola(const struct hull *h, int k, int x)
{
	int32_t d = x - h->u[k];

	return d * d + h->g2[k];
}

/*
 * Put the parabola at u >= all others on the envelope; `end` is the end of
 * the stretch. Two neighbours meet half way with no division.
 */
static void
push(struct hull *h, int u, int32_t g2, int begin, int end)
{
	int32_t num, x = begin;
	int k = h->n - 1;

	for (; k >= 0; k--) {
		int32_t d = h->x[k] - u;

		if (parabola(h, k, h->x[k]) <= d * d + g2)
			break;
	}
	if (k >= 0) {
		int d = u - h->u[k];

		num = d * (u + h->u[k]) + g2 - h->g2[k];
		x = d == 1 ? (num >> 1) + 1 : num / (2 * d) + 1;
	}
	h->n = k + 1;
	if (x >= end)
		return;
	h->u[h->n] = u;
	h->g2[h->n] = g2;
	h->x[h->n++] = x;
}

/* Write the envelope over the stretch begin..end - 1. */
static void
spread(const struct hull *h, int begin, int end, int32_t *out)
{
	if (h->n == 0)
		for (int x = begin; x < end; x++)
			out[x] = PB_EDT_FAR;
	for (int k = 0; k < h->n; k++) {
		int stop = k + 1 < h->n ? h->x[k + 1] : end;
		int32_t u = h->u[k], g2 = h->g2[k];

		for (int x = h->x[k]; x < stop; x++)
			out[x] = (x - u) * (x - u) + g2;
	}
}

/* A stretch without walls, with a wall before and after it or not. */
static void
stretch(struct hull *h, const uint16_t *g, int begin, int end, bool before,
    bool after, int32_t *out)
{
	h->n = 0;
	if (before)
		push(h, begin - 1, 0, begin, end);
	for (int x = begin; x < end; x++)
		if (g[x] < NONE)
			push(h, x, (int32_t)g[x] * g[x], begin, end);
	if (after)
		push(h, end, 0, begin, end);
	spread(h, begin, end, out);
}

static void
row(struct hull *h, const uint16_t *g, int width, bool border, int32_t *out)
{
	int x = 0, begin;

	while (x < width) {
		for (; x < width && g[x] == 0; x++)
			out[x] = 0;
		if (x == width)
			break;
		for (begin = x; x < width && g[x] != 0; x++)
			;
		stretch(h, g, begin, x, begin > 0 || border,
		    x < width || border, out);
	}
}

void
pb_edt_run(struct pb_edt *e, const unsigned char *wall, bool border)
{
	size_t w = (size_t)e->width;
	struct hull h = {0, e->hull, e->hull + w + 2, e->hull + 2 * (w + 2)};

	sweep_up(wall, e->width, e->height, border, e->gap);
	for (int y = e->height - 1; y >= 0; y--) {
		uint16_t *g = e->gap + (size_t)y * w;

		if (y < e->height - 1)
			sweep_down(g + w, e->width, g);
		else if (border)
			for (size_t x = 0; x < w; x++)
				g[x] = g[x] > 1 ? 1 : g[x];
		row(&h, g, e->width, border, e->d2 + (size_t)y * w);
	}
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
