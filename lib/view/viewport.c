/* viewport.c - the part of a map that is shown, its dots and its axes. */
#include "view/viewport.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clamp.h"
#include "base/elementary.h"

/* Lowest and highest column and row, both included. */
struct span {
	int c0, c1, r0, r1;
};

static void
span_add(struct span *s, int c0, int c1, int row)
{
	s->c0 = c0 < s->c0 ? c0 : s->c0;
	s->c1 = c1 > s->c1 ? c1 : s->c1;
	s->r0 = row < s->r0 ? row : s->r0;
	s->r1 = row > s->r1 ? row : s->r1;
}

/* What of the map is known, or all if nothing is. */
static struct span
span_known(const struct pb_map *m)
{
	struct span s = {INT_MAX, -1, INT_MAX, -1};
	const signed char *cell = m->cell;

	for (int row = 0; row < m->height; row++, cell += m->width) {
		int a = 0, b = m->width - 1;

		while (a <= b && pb_cell_unknown(cell[a]))
			a++;
		while (b > a && pb_cell_unknown(cell[b]))
			b--;
		if (a <= b)
			span_add(&s, a, b, row);
	}
	if (s.r1 < 0)
		s = (struct span){0, m->width - 1, 0, m->height - 1};
	return s;
}

/* Widen s to hold the box lo..hi of the map frame, but not beyond the map. */
static void
span_hold(
    struct span *s, const struct pb_map *m, struct pb_vec lo, struct pb_vec hi)
{
	for (int i = 0; i < 4; i++) {
		struct pb_vec v = {i & 1 ? hi.x : lo.x, i & 2 ? hi.y : lo.y};
		struct pb_cell c = pb_map_cell(m, v);

		span_add(s, pb_clamp_int(c.col, 0, m->width - 1),
		    pb_clamp_int(c.col, 0, m->width - 1),
		    pb_clamp_int(c.row, 0, m->height - 1));
	}
}

static void
set_window(struct pb_viewport *p, struct span s)
{
	p->col0 = s.c0;
	p->row0 = s.r0;
	p->cols = s.c1 - s.c0 + 1;
	p->rows = s.r1 - s.r0 + 1;
}

/* The cells of m that the options' box touches. */
static bool
window_box(const struct pb_map *m, const struct pb_render_opts *o,
    struct pb_viewport *p)
{
	double c0 = INFINITY, c1 = -INFINITY, r0 = INFINITY, r1 = -INFINITY;

	for (int i = 0; i < 4; i++) {
		struct pb_vec v = {
		    i & 1 ? o->x1 : o->x0, i & 2 ? o->y1 : o->y0};

		v = pb_vec_into(m->origin, v);
		c0 = fmin(c0, v.x / m->resolution);
		c1 = fmax(c1, v.x / m->resolution);
		r0 = fmin(r0, v.y / m->resolution);
		r1 = fmax(r1, v.y / m->resolution);
	}
	if (c1 <= 0 || r1 <= 0 || c0 >= m->width || r0 >= m->height)
		return false;
	/* A border that falls on a cell's edge does not take in the next. */
	set_window(
	    p, (struct span){pb_clamp_int(floor(c0 + 1e-6), 0, m->width - 1),
		   pb_clamp_int(ceil(c1 - 1e-6) - 1, 0, m->width - 1),
		   pb_clamp_int(floor(r0 + 1e-6), 0, m->height - 1),
		   pb_clamp_int(ceil(r1 - 1e-6) - 1, 0, m->height - 1)});
	if (p->cols < 1)
		p->cols = 1;
	if (p->rows < 1)
		p->rows = 1;
	return true;
}

/* The map without margins where nothing is known and nothing stands. */
static void
window_map(const struct pb_scene *s, bool whole, struct pb_viewport *p)
{
	const struct pb_map *m = s->map;
	struct span all = {0, m->width - 1, 0, m->height - 1}, k;
	struct pb_vec lo, hi;
	int rim;

	if (whole) {
		set_window(p, all);
		return;
	}
	k = span_known(m);
	if (pb_scene_bounds(s, &lo, &hi))
		span_hold(&k, m, lo, hi);
	/* Walls at the very edge would be hard to see: 1 % more, one cell at
	 * least. */
	rim = (k.c1 - k.c0 + k.r1 - k.r0) / 100 + 1;
	set_window(p, (struct span){pb_clamp_int(k.c0 - rim, 0, all.c1),
			  pb_clamp_int(k.c1 + rim, 0, all.c1),
			  pb_clamp_int(k.r0 - rim, 0, all.r1),
			  pb_clamp_int(k.r1 + rim, 0, all.r1)});
}

/*
 * Without a map: cells of 5 cm, or so many that the longer side has 1000,
 * around the things of the scene or the options' box.
 */
static void
window_bare(const struct pb_scene *s, const struct pb_render_opts *o,
    struct pb_viewport *p)
{
	struct pb_vec lo = {-1, -1}, hi = {1, 1};
	double side;

	if (o->has_box) {
		lo = (struct pb_vec){o->x0, o->y0};
		hi = (struct pb_vec){o->x1, o->y1};
	} else if (pb_scene_bounds(s, &lo, &hi)) {
		side = 0.5 + 0.05 * fmax(hi.x - lo.x, hi.y - lo.y);
		lo = (struct pb_vec){lo.x - side, lo.y - side};
		hi = (struct pb_vec){hi.x + side, hi.y + side};
	}
	side = fmax(hi.x - lo.x, hi.y - lo.y);
	p->resolution = fmax(0.05, side / 1000);
	p->origin = (struct pb_pose){lo.x, lo.y, 0};
	p->col0 = p->row0 = 0;
	/* One more than 1000: rounding may add a cell. */
	p->cols = pb_clamp_int(ceil((hi.x - lo.x) / p->resolution), 1, 1001);
	p->rows = pb_clamp_int(ceil((hi.y - lo.y) / p->resolution), 1, 1001);
}

bool
pb_viewport_window(const struct pb_scene *s, const struct pb_render_opts *o,
    struct pb_viewport *p)
{
	*p = (struct pb_viewport){.num = 1, .den = 1, .tall = 1};
	if (s->map == NULL) {
		window_bare(s, o, p);
		return true;
	}
	p->origin = s->map->origin;
	p->resolution = s->map->resolution;
	if (o->has_box)
		return window_box(s->map, o, p);
	window_map(s, o->whole, p);
	return true;
}

void
pb_viewport_scale(struct pb_viewport *p, long num, long den, int tall)
{
	p->num = num;
	p->den = den;
	p->tall = tall;
	p->width = (int)((p->cols * den + num - 1) / num);
	p->height = (int)((p->rows * den + num * tall - 1) / (num * tall));
}

void
pb_viewport_fit(
    struct pb_viewport *p, int width, int height, int tall, int most)
{
	long k = most;

	if (k > width / p->cols)
		k = width / p->cols;
	if (k > (long)height * tall / p->rows)
		k = (long)height * tall / p->rows;
	if (k > 1)
		k -= k % tall; /* whole dots both ways */
	if (k >= 1)
		pb_viewport_scale(p, 1, k, tall);
	/* Shrink by what fits the tighter side, whichever that is. */
	else if ((long)p->cols * tall * height >= (long)p->rows * width)
		pb_viewport_scale(p, p->cols, width, tall);
	else
		pb_viewport_scale(p, p->rows, (long)height * tall, tall);
}

struct pb_vec
pb_viewport_at(const struct pb_viewport *p, struct pb_vec v)
{
	double dot = (double)p->num / (double)p->den * p->resolution;

	v = pb_vec_into(p->origin, v);
	return (struct pb_vec){(v.x - p->col0 * p->resolution) / dot,
	    p->height - (v.y - p->row0 * p->resolution) / (dot * p->tall)};
}

double
pb_viewport_metres(const struct pb_viewport *p)
{
	return p->resolution * (double)p->num / (double)p->den;
}

/*
 * The cells lo <= c < hi of dot i: each of the n cells in just one dot when
 * the map is shrunk, each dot in just one cell when it is enlarged.
 */
static void
dot_cells(long i, long num, long den, int n, int *lo, int *hi)
{
	long a = i * num / den, b = (i + 1) * num / den;

	if (b <= a)
		b = a + 1;
	*hi = b > n ? n : (int)b;
	*lo = a >= *hi ? *hi - 1 : (int)a;
}

/* Raise the dots of one line to what a row of cells shows. */
static void
raise_line(const struct pb_viewport *p, const signed char *row,
    const unsigned char kind[256], unsigned char *line)
{
	for (int x = 0; x < p->width; x++) {
		unsigned char d = line[x];
		int lo, hi;

		dot_cells(x, p->num, p->den, p->cols, &lo, &hi);
		for (int c = lo; c < hi && d < PB_DOT_WALL; c++) {
			unsigned char k = kind[(unsigned char)row[p->col0 + c]];

			d = k > d ? k : d;
		}
		line[x] = d;
	}
}

void
pb_viewport_shrink(
    const struct pb_viewport *p, const struct pb_map *m, unsigned char *dot)
{
	unsigned char kind[256]; /* what each of the values of a cell shows */

	memset(dot, PB_DOT_FREE, (size_t)p->width * (size_t)p->height);
	for (int v = -128; v < 128; v++)
		kind[(unsigned char)v] = pb_cell_occupied(v) ? PB_DOT_WALL
		                         : pb_cell_free(v)   ? PB_DOT_FREE
		                                             : PB_DOT_UNKNOWN;
	for (int y = 0; y < p->height && m != NULL; y++) {
		unsigned char *line =
		    dot + (size_t)(p->height - 1 - y) * (size_t)p->width;
		int lo, hi;

		dot_cells(y, p->num * p->tall, p->den, p->rows, &lo, &hi);
		for (int r = lo; r < hi; r++)
			raise_line(p,
			    m->cell + (size_t)(p->row0 + r) * (size_t)m->width,
			    kind, line);
	}
}

/* A yaw this near to a right angle is one: 1e-9 rad is 1 um in 1 km. */
#define SQUARE 1e-9

bool
pb_viewport_square(const struct pb_viewport *p)
{
	return fabs(pb_sin(p->origin.th)) < SQUARE ||
	       fabs(pb_cos(p->origin.th)) < SQUARE;
}

struct pb_axis
pb_viewport_axis(const struct pb_viewport *p, bool up, double step)
{
	struct pb_vec corner = pb_vec_from(p->origin,
	    (struct pb_vec){p->col0 * p->resolution, p->row0 * p->resolution});
	double c = pb_cos(p->origin.th), s = pb_sin(p->origin.th);
	struct pb_axis a = {.name = up ? "v" : "u",
	    .zero = (up ? p->row0 : p->col0) * p->resolution,
	    .sign = 1,
	    .length = (up ? p->rows : p->cols) * p->resolution,
	    .step = step};

	/* The direction of the axis, a quarter turn further if it goes up. */
	if (fabs(up ? c : s) < SQUARE) {
		a.name = "x";
		a.zero = corner.x;
		a.sign = (up ? -s : c) > 0 ? 1 : -1;
	} else if (fabs(up ? s : c) < SQUARE) {
		a.name = "y";
		a.zero = corner.y;
		a.sign = (up ? c : s) > 0 ? 1 : -1;
	}
	a.back = !up && a.sign < 0;
	pb_axis_divide(&a);
	return a;
}

void
pb_axis_divide(struct pb_axis *a)
{
	double end = a->zero + a->sign * a->length;
	double lo = ceil(fmin(a->zero, end) / a->step - 1e-6);
	double hi = floor(fmax(a->zero, end) / a->step + 1e-6);

	a->first = lo;
	a->ticks = 0;
	if (fabs(lo) < 1e9 && fabs(hi) < 1e9 && hi >= lo && hi - lo <= 1e6)
		a->ticks = (int)(hi - lo) + 1;
}

double
pb_axis_tick(const struct pb_axis *a, int i, char text[64])
{
	double v = a->first + (a->back ? a->ticks - 1 - i : i);

	pb_axis_text(text, 64, a->step, v);
	return (v * a->step - a->zero) * a->sign;
}

void
pb_axis_text(char *out, size_t size, double step, double i)
{
	/* Zero has no sign. */
	snprintf(
	    out, size, "%.*f", pb_nice_digits(step), i == 0 ? 0.0 : i * step);
}

double
pb_nice_above(double v)
{
	static const double step[] = {1, 2, 5, 10};
	/* Labels stay short with steps of 1, 2 and 5. */
	double ten = pow(10, floor(log10(v)));

	for (int i = 0; i < 4; i++)
		if (step[i] * ten >= v * (1 - 1e-9))
			return step[i] * ten;
	return 10 * ten;
}

int
pb_nice_digits(double step)
{
	int n = (int)-floor(log10(step) + 1e-9);

	return n < 0 ? 0 : n > 9 ? 9 : n;
}

int
pb_axis_label_width(const struct pb_axis *a)
{
	char text[64];
	size_t w;

	if (a->ticks == 0)
		return 0;
	pb_axis_tick(a, 0, text);
	w = strlen(text);
	pb_axis_tick(a, a->ticks - 1, text);
	return (int)(strlen(text) > w ? strlen(text) : w);
}

void
pb_viewport_corner(const struct pb_viewport *p, char *out, size_t size)
{
	snprintf(out, size,
	    "u, v from the map's corner (%.2f, %.2f), turned %.1f deg",
	    p->origin.x, p->origin.y, p->origin.th * 180 / PB_PI);
}

bool
pb_clip(double p, double q, double lo, double hi, double *a, double *b)
{
	double d = q - p, s0, s1;

	/* Parallel to the border: all of it or nothing. */
	if (d == 0)
		return p >= lo && p <= hi;
	s0 = (lo - p) / d;
	s1 = (hi - p) / d;
	*a = fmax(*a, fmin(s0, s1));
	*b = fmin(*b, fmax(s0, s1));
	return *a <= *b;
}
