/* shape.c - smooth lines, discs, rings and polygons. */
#include "view/canvas.h"

#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"

/*
 * A pixel is covered by the part of it that lies within the shape, taken
 * from the distance d of its centre to the edge (d < 0 inside): all of it at
 * half a pixel inside, none at half a pixel outside.
 */
static double
cover(double d)
{
	/* Points too far off to tell, d not a number, cover nothing. */
	return d <= -0.5 ? 1 : d < 0.5 ? 0.5 - d : 0;
}

/* Pixels that a box touches, cut to the canvas. */
struct area {
	int x0, y0, x1, y1;
};

static int
cut(double v, int n)
{
	return v < 0 ? 0 : v > n ? n : (int)v;
}

static struct area
area_of(const struct pb_canvas *c, struct pb_vec lo, struct pb_vec hi)
{
	return (struct area){cut(floor(lo.x - 1), c->width),
	    cut(floor(lo.y - 1), c->height), cut(ceil(hi.x + 1), c->width),
	    cut(ceil(hi.y + 1), c->height)};
}

static bool
finite_vec(struct pb_vec p)
{
	return isfinite(p.x) && isfinite(p.y);
}

/* Distance of p from the segment a..b. */
static double
from_segment(struct pb_vec p, struct pb_vec a, struct pb_vec b)
{
	double dx = b.x - a.x, dy = b.y - a.y, n = dx * dx + dy * dy, s = 0;

	if (n > 0)
		s = ((p.x - a.x) * dx + (p.y - a.y) * dy) / n;
	s = s < 0 ? 0 : s > 1 ? 1 : s;
	dx = p.x - a.x - s * dx;
	dy = p.y - a.y - s * dy;
	return sqrt(dx * dx + dy * dy);
}

static struct area
area_of_segment(
    const struct pb_canvas *c, struct pb_vec p, struct pb_vec q, double width)
{
	struct pb_vec lo = {
	    fmin(p.x, q.x) - width / 2, fmin(p.y, q.y) - width / 2};
	struct pb_vec hi = {
	    fmax(p.x, q.x) + width / 2, fmax(p.y, q.y) + width / 2};

	return area_of(c, lo, hi);
}

void
pb_canvas_line(struct pb_canvas *c, struct pb_vec p, struct pb_vec q,
    double width, struct pb_rgb k, double a)
{
	struct area r;

	if (!finite_vec(p) || !finite_vec(q))
		return;
	r = area_of_segment(c, p, q, width);
	for (int y = r.y0; y < r.y1; y++)
		for (int x = r.x0; x < r.x1; x++) {
			struct pb_vec m = {x + 0.5, y + 0.5};
			double v = cover(from_segment(m, p, q) - width / 2);

			if (v > 0)
				pb_canvas_dot(c, x, y, k, v * a);
		}
}

/* Raise the mask to the cover of one segment. */
static void
mask_segment(const struct pb_canvas *c, unsigned char *mask, struct pb_vec p,
    struct pb_vec q, double width)
{
	struct area r = area_of_segment(c, p, q, width);

	for (int y = r.y0; y < r.y1; y++)
		for (int x = r.x0; x < r.x1; x++) {
			struct pb_vec m = {x + 0.5, y + 0.5};
			double v = cover(from_segment(m, p, q) - width / 2);
			unsigned char w = (unsigned char)(v * 255 + 0.5);
			size_t i = (size_t)y * (size_t)c->width + (size_t)x;

			if (w > mask[i])
				mask[i] = w;
		}
}

void
pb_canvas_polyline(struct pb_canvas *c, const struct pb_vec *p, size_t n,
    double width, struct pb_rgb k, double a)
{
	unsigned char *mask = calloc((size_t)c->width * (size_t)c->height, 1);

	if (mask == NULL)
		return;
	for (size_t i = 1; i < n; i++)
		if (finite_vec(p[i - 1]) && finite_vec(p[i]))
			mask_segment(c, mask, p[i - 1], p[i], width);
	for (int y = 0; y < c->height; y++)
		for (int x = 0; x < c->width; x++) {
			size_t i = (size_t)y * (size_t)c->width + (size_t)x;

			if (mask[i] > 0)
				pb_canvas_dot(c, x, y, k, a * mask[i] / 255.0);
		}
	free(mask);
}

void
pb_canvas_disc(
    struct pb_canvas *c, struct pb_vec p, double r, struct pb_rgb k, double a)
{
	pb_canvas_line(c, p, p, 2 * r, k, a);
}

void
pb_canvas_ring(struct pb_canvas *c, struct pb_vec p, double r, double width,
    struct pb_rgb k, double a)
{
	struct area s;

	if (!finite_vec(p))
		return;
	s = area_of_segment(c, p, p, 2 * r + width);
	for (int y = s.y0; y < s.y1; y++)
		for (int x = s.x0; x < s.x1; x++) {
			struct pb_vec m = {x + 0.5, y + 0.5};
			double d = fabs(from_segment(m, p, p) - r);
			double v = cover(d - width / 2);

			if (v > 0)
				pb_canvas_dot(c, x, y, k, v * a);
		}
}

/* How far m is outside the wedge. */
static double
outside_wedge(struct pb_vec m, const struct pb_pie *pie)
{
	double dx = m.x - pie->p.x, dy = pie->p.y - m.y, th = pie->th;
	double u = dx * pb_cos(th) + dy * pb_sin(th);
	double v = fabs(dy * pb_cos(th) - dx * pb_sin(th));

	return v * pb_cos(pie->half) - u * pb_sin(pie->half);
}

void
pb_canvas_pie(struct pb_canvas *c, const struct pb_pie *pie, double grow,
    struct pb_rgb k, double a)
{
	struct pb_vec p = pie->p;
	struct area s;

	if (!finite_vec(p) || !isfinite(pie->th))
		return;
	s = area_of_segment(c, p, p, 2 * (pie->r + grow));
	for (int y = s.y0; y < s.y1; y++)
		for (int x = s.x0; x < s.x1; x++) {
			struct pb_vec m = {x + 0.5, y + 0.5};
			double d = fmax(from_segment(m, p, p) - pie->r,
			    -outside_wedge(m, pie));
			double v = cover(d - grow);

			if (v > 0)
				pb_canvas_dot(c, x, y, k, v * a);
		}
}

/* Signed distance from the side a..b, positive on its right. */
static double
beside(struct pb_vec m, struct pb_vec a, struct pb_vec b)
{
	double dx = b.x - a.x, dy = b.y - a.y, n = sqrt(dx * dx + dy * dy);

	if (n == 0)
		return -INFINITY;
	return ((m.y - a.y) * dx - (m.x - a.x) * dy) / n;
}

/* How far m is outside the polygon (its corners a little sharp). */
static double
outside(struct pb_vec m, const struct pb_vec *p, size_t n, double turn)
{
	double d = -INFINITY;

	for (size_t i = 0; i < n; i++)
		d = fmax(d, -turn * beside(m, p[i], p[(i + 1) % n]));
	return d;
}

/* +1 or -1: which way round the corners go. */
static double
turning(const struct pb_vec *p, size_t n)
{
	double area = 0;

	for (size_t i = 0; i < n; i++) {
		struct pb_vec a = p[i], b = p[(i + 1) % n];

		area += a.x * b.y - b.x * a.y;
	}
	return area < 0 ? -1 : 1;
}

void
pb_canvas_convex(struct pb_canvas *c, const struct pb_vec *p, size_t n,
    struct pb_rgb k, double a)
{
	struct pb_vec lo = {INFINITY, INFINITY}, hi = {-INFINITY, -INFINITY};
	double turn = turning(p, n);
	struct area r;

	for (size_t i = 0; i < n; i++) {
		if (!finite_vec(p[i]))
			return;
		lo = (struct pb_vec){fmin(lo.x, p[i].x), fmin(lo.y, p[i].y)};
		hi = (struct pb_vec){fmax(hi.x, p[i].x), fmax(hi.y, p[i].y)};
	}
	if (n < 3)
		return;
	r = area_of(c, lo, hi);
	for (int y = r.y0; y < r.y1; y++)
		for (int x = r.x0; x < r.x1; x++) {
			struct pb_vec m = {x + 0.5, y + 0.5};
			double v = cover(outside(m, p, n, turn));

			if (v > 0)
				pb_canvas_dot(c, x, y, k, v * a);
		}
}
