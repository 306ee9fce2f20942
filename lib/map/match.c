/* match.c - what a scan is matched with: points drawn into cells. */
#include "map/match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "map/map.h"

/* Nearness ends at so many sigma. */
#define REACH 3.0

struct pb_target
pb_target_empty(double cell, double sigma)
{
	return (struct pb_target){.cell = cell, .sigma = sigma};
}

void
pb_target_clear(struct pb_target *t)
{
	free(t->level);
	free(t->near);
	free(t->point);
	free(t->work);
	*t = pb_target_empty(t->cell, t->sigma);
}

static enum pb_status
make_room(struct pb_target *t, size_t cells, size_t points)
{
	void *p;

	if (cells > t->cells) {
		free(t->level);
		free(t->near);
		t->cells = 0;
		t->level = malloc(cells * PB_MATCH_LEVELS);
		t->near = malloc(cells * sizeof(*t->near));
		if (t->level == NULL || t->near == NULL)
			return PB_ENOMEM;
		t->cells = cells;
	}
	if (points > t->points) {
		p = realloc(t->point, points * sizeof(*t->point));
		if (p == NULL)
			return PB_ENOMEM;
		t->point = p;
		t->points = points;
	}
	return PB_OK;
}

/* How far a point is drawn (cells). */
static double
reach(const struct pb_target *t)
{
	return REACH * t->sigma / t->cell;
}

/*
 * Cells about the box: what a point at its edge is drawn into, and an empty
 * block of the widest level, so that a block that begins outside is empty.
 */
static int
border(const struct pb_target *t)
{
	return (1 << (PB_MATCH_LEVELS - 1)) + (int)ceil(reach(t)) + 1;
}

enum pb_status
pb_target_begin(
    struct pb_target *t, struct pb_vec lo, struct pb_vec hi, size_t points)
{
	int side = border(t);
	double w = ceil((hi.x - lo.x) / t->cell) + 2 * side;
	double h = ceil((hi.y - lo.y) / t->cell) + 2 * side;
	size_t cells;
	enum pb_status st;

	t->n = 0;
	t->width = t->height = t->levels = 0;
	if (!(w <= PB_MAP_SIDE && h <= PB_MAP_SIDE))
		return PB_ESIZE;
	cells = (size_t)w * (size_t)h;
	st = make_room(t, cells, points);
	if (st != PB_OK)
		return st;
	t->width = (int)w;
	t->height = (int)h;
	t->lo = (struct pb_vec){lo.x - side * t->cell, lo.y - side * t->cell};
	memset(t->level, 0, cells);
	memset(t->near, 0xff, cells * sizeof(*t->near));
	return PB_OK;
}

/* Nearness by squared distance, in steps of 1 / STEPS of a squared reach. */
enum { STEPS = 1024 };
struct kernel {
	uint8_t at[STEPS + 1];
};

static void
make_kernel(struct kernel *k)
{
	for (int i = 0; i <= STEPS; i++)
		k->at[i] = (uint8_t)lround(
		    PB_MATCH_FULL * pb_exp(-REACH * REACH * i / STEPS / 2));
}

/* Draw point number i of t. */
static void
draw(struct pb_target *t, int32_t i, const struct kernel *k)
{
	double far = reach(t);
	double x = (t->point[i].at.x - t->lo.x) / t->cell - 0.5;
	double y = (t->point[i].at.y - t->lo.y) / t->cell - 0.5;
	int x0 = (int)ceil(x - far), x1 = (int)floor(x + far);
	int y0 = (int)ceil(y - far), y1 = (int)floor(y + far);
	double unit = STEPS / (far * far);

	for (int r = y0; r <= y1; r++) {
		size_t row = (size_t)r * (size_t)t->width;

		for (int c = x0; c <= x1; c++) {
			double d2 = (c - x) * (c - x) + (r - y) * (r - y);
			uint8_t v =
			    d2 * unit <= STEPS ? k->at[(int)(d2 * unit)] : 0;

			if (v > t->level[row + (size_t)c]) {
				t->level[row + (size_t)c] = v;
				t->near[row + (size_t)c] = i;
			}
		}
	}
}

/* Whether p lies in the box. */
static bool
fits(const struct pb_target *t, struct pb_vec p)
{
	double side = border(t) - 1;
	double x = (p.x - t->lo.x) / t->cell, y = (p.y - t->lo.y) / t->cell;

	return x >= side && y >= side && x <= t->width - side &&
	       y <= t->height - side;
}

void
pb_target_add(
    struct pb_target *t, struct pb_pose f, const struct pb_point *p, size_t n)
{
	struct kernel k;

	make_kernel(&k);
	for (size_t i = 0; i < n && t->n < t->points; i++) {
		t->point[t->n] = pb_point_from(f, p[i]);
		if (fits(t, t->point[t->n].at))
			draw(t, (int32_t)t->n++, &k);
	}
}

static uint8_t
max2(uint8_t a, uint8_t b)
{
	return a > b ? a : b;
}

/* Each cell of `out` is the best of the four of `in` that are `step` apart. */
static void
coarser(const uint8_t *in, int width, int height, int step, uint8_t *out)
{
	for (int r = 0; r < height; r++) {
		const uint8_t *a = in + (size_t)r * (size_t)width;
		const uint8_t *b =
		    r + step < height ? a + (size_t)step * (size_t)width : a;
		uint8_t *o = out + (size_t)r * (size_t)width;
		int c = 0;

		for (; c < width - step; c++)
			o[c] = max2(
			    max2(a[c], a[c + step]), max2(b[c], b[c + step]));
		for (; c < width; c++)
			o[c] = max2(a[c], b[c]);
	}
}

void
pb_target_finish(struct pb_target *t, int levels)
{
	size_t n = (size_t)t->width * (size_t)t->height;

	for (int k = 1; k < levels; k++)
		coarser(t->level + (size_t)(k - 1) * n, t->width, t->height,
		    1 << (k - 1), t->level + (size_t)k * n);
	t->levels = levels;
}
