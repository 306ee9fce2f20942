/* term.c - a scene as text for a terminal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/segment.h"
#include "view/canvas.h"
#include "view/glyphs.h"

/* Where the map lies on the grid of characters, and how it is drawn. */
struct sketch {
	const struct pb_scene *s;
	const struct pb_render_opts *o;
	const struct pb_tty *t;
	struct pb_glyphs cells; /* empty while there is only counting */
	struct pb_viewport port;
	int sx, sy;    /* dots per character */
	int left, top; /* character of the map's upper left corner */
	int cols;      /* of the map (characters) */
	int lines;
	bool axes;
	int legend; /* its lines */
};

static uint32_t
code_of(const struct sketch *k, enum pb_sign g)
{
	return k->t->utf8 ? pb_signs[g].utf8 : pb_signs[g].ascii;
}

/* The character of a block of dots, of which there are sy rows of sx. */
static struct pb_glyph
glyph_of(const struct sketch *k, const unsigned char *dot, int col, int line)
{
	/* Unicode's numbering of the dots of braille, by row and column. */
	static const unsigned char bit[4][2] = {
	    {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
	unsigned walls = 0;
	bool unknown = false;

	for (int j = 0; j < k->sy; j++)
		for (int i = 0; i < k->sx; i++) {
			int x = col * k->sx + i, y = line * k->sy + j;
			unsigned char v;

			if (x >= k->port.width || y >= k->port.height)
				continue;
			v = dot[(size_t)y * (size_t)k->port.width + (size_t)x];
			walls |= v == PB_DOT_WALL ? bit[j][i] : 0u;
			unknown |= v == PB_DOT_UNKNOWN;
		}
	return (struct pb_glyph){
	    walls == 0 ? unknown ? code_of(k, PB_SIGN_UNKNOWN) : ' '
	    : k->t->style == PB_STYLE_BRAILLE ? 0x2800 + walls
	    : k->t->style == PB_STYLE_ASCII   ? '#'
	    : !(walls & bit[0][0])            ? 0x2584 /* the lower half */
	    : walls & bit[1][0]               ? 0x2588
					      : 0x2580,
	    walls     ? PB_INK_WALL
	    : unknown ? PB_INK_UNKNOWN
		      : PB_INKS,
	    unknown ? PB_INK_SHADE : PB_INK_FREE};
}

static enum pb_status
put_map(struct sketch *k)
{
	size_t n = (size_t)k->port.width * (size_t)k->port.height;
	unsigned char *dot = malloc(n);

	if (dot == NULL)
		return PB_ENOMEM;
	pb_viewport_shrink(&k->port, k->s->map, dot);
	for (int y = 0; y < k->lines; y++)
		for (int x = 0; x < k->cols; x++) {
			struct pb_glyph *g =
			    pb_glyphs_at(&k->cells, k->left + x, k->top + y);

			if (g != NULL)
				*g = glyph_of(k, dot, x, y);
		}
	free(dot);
	return PB_OK;
}

/* Put a sign where v is, if that is on the map's part of the grid. */
static void
put(struct sketch *k, struct pb_vec v, uint32_t code, enum pb_ink ink)
{
	struct pb_vec d = pb_viewport_at(&k->port, v);
	/* The middle of an even number of characters is always the left one. */
	double x = floor(d.x / k->sx - 1e-6), y = floor(d.y / k->sy - 1e-6);

	if (x >= 0 && y >= 0 && x < k->cols && y < k->lines)
		pb_glyphs_put(
		    &k->cells, k->left + (int)x, k->top + (int)y, code, ink);
}

static void
put_sign(void *to, enum pb_sign g, struct pb_vec v)
{
	put(to, v, code_of(to, g), pb_signs[g].ink);
}

static void
put_segment(struct sketch *k, struct pb_vec p, struct pb_vec q, enum pb_sign g)
{
	struct pb_vec u = pb_viewport_at(&k->port, p),
		      v = pb_viewport_at(&k->port, q);
	double a = 0, b = 1, n;

	if (!pb_clip(u.x, v.x, 0, k->port.width, &a, &b) ||
	    !pb_clip(u.y, v.y, 0, k->port.height, &a, &b))
		return;
	n = ceil(fmax(fabs(v.x - u.x) / k->sx, fabs(v.y - u.y) / k->sy) *
		 (b - a) * 2);
	for (double i = 0; i <= n; i++) {
		double s = n > 0 ? a + (b - a) * i / n : a;

		put_sign(k, g, pb_segment_at(p, q, s));
	}
}

static void
put_line(void *to, enum pb_sign g, const struct pb_points *p,
    const struct pb_body *b)
{
	(void)b;
	/* Trails look the same but for those of ghosts. */
	if (g == PB_SIGN_OTHER_TRAIL)
		g = PB_SIGN_TRAIL;
	for (size_t i = 1; i < p->n; i++)
		put_segment(to, p->at[i - 1], p->at[i], g);
}

static void
put_dots(void *to, enum pb_sign g, const struct pb_points *p)
{
	for (size_t i = 0; i < p->n; i++)
		put_sign(to, g, p->at[i]);
}

static void
put_disc(void *to, struct pb_vec c, double r)
{
	struct pb_vec p = {c.x + r, c.y};

	for (int i = 1; i <= 32; i++) {
		double th = i * PB_PI / 16;
		struct pb_vec q = {c.x + r * pb_cos(th), c.y + r * pb_sin(th)};

		put_segment(to, p, q, PB_SIGN_SOLID);
		p = q;
	}
}

/* Characters are too large for numbers beside them. */
static void
put_text(void *to, enum pb_sign g, struct pb_vec v, int id)
{
	(void)to;
	(void)g;
	(void)v;
	(void)id;
}

static void
put_guess(void *to, const struct pb_hypothesis *h, int rank)
{
	put(to, pb_pose_vec(h->pose), '0' + (uint32_t)rank,
	    pb_signs[PB_SIGN_GUESS].ink);
}

static void
put_body(void *to, const struct pb_body *b)
{
	const struct sketch *k = to;

	put(to, pb_pose_vec(b->pose), pb_sign_body(b, &k->port, k->t->utf8),
	    pb_sign_body_ink(b));
}

static void
put_things(struct sketch *k)
{
	const struct pb_canvas c = {k, true, put_line, put_dots, put_disc,
	    put_sign, put_text, put_guess, put_body};

	pb_canvas_draw(&c, k->s, k->o);
}

/* Columns between two ticks at least: a label of 5 and room around it. */
#define TICK_COLUMNS 9

static struct pb_axis
axis_of(const struct sketch *k, bool up)
{
	return pb_viewport_axis(&k->port, up,
	    pb_nice_above(TICK_COLUMNS * k->sx * pb_viewport_metres(&k->port)));
}

/* Labels and ticks to the left of the map. */
static void
axis_up(struct sketch *k, const struct pb_axis *a)
{
	double dot = pb_viewport_metres(&k->port) * k->port.tall;
	char text[64];

	for (int y = 0; y < k->lines; y++)
		pb_glyphs_put(&k->cells, k->left - 1, k->top + y,
		    k->t->utf8 ? 0x2502 : '|', PB_INK_DIM);
	for (int i = 0; i < a->ticks; i++) {
		double d = pb_axis_tick(a, i, text) / dot;
		int y = (int)floor((k->port.height - d) / k->sy);

		if (y == k->lines)
			y--;
		if (y < 0 || y >= k->lines)
			continue;
		pb_glyphs_text(&k->cells, k->left - 1 - (int)strlen(text),
		    k->top + y, text, PB_INKS);
		pb_glyphs_put(&k->cells, k->left - 1, k->top + y,
		    k->t->utf8 ? 0x2524 : '+', PB_INK_DIM);
	}
}

static void
axis_across(struct sketch *k, const struct pb_axis *a)
{
	double dot = pb_viewport_metres(&k->port);
	int y = k->top + k->lines, from = 0, n;
	char text[64];

	for (int x = 0; x < k->cols; x++)
		pb_glyphs_put(&k->cells, k->left + x, y,
		    k->t->utf8 ? 0x2500 : '-', PB_INK_DIM);
	pb_glyphs_put(
	    &k->cells, k->left - 1, y, k->t->utf8 ? 0x2514 : '+', PB_INK_DIM);
	for (int i = 0; i < a->ticks; i++) {
		int x = (int)floor(pb_axis_tick(a, i, text) / dot / k->sx);
		int at = k->left + x - (int)strlen(text) / 2;

		if (x < 0 || x >= k->cols)
			continue;
		pb_glyphs_put(&k->cells, k->left + x, y,
		    k->t->utf8 ? 0x252c : '+', PB_INK_DIM);
		/* A label that would touch the one before is left out. */
		if (at >= from && at + (int)strlen(text) <= k->cells.width)
			from = 1 + pb_glyphs_text(
				       &k->cells, at, y + 1, text, PB_INKS);
	}
	snprintf(text, sizeof(text), "%s (m)", a->name);
	n = k->left + k->cols - (int)strlen(text);
	if (n < from)
		n = from;
	if (n + (int)strlen(text) <= k->cells.width)
		pb_glyphs_text(&k->cells, n, y + 1, text, PB_INK_DIM);
}

static void
put_axes(struct sketch *k)
{
	const struct pb_axis up = axis_of(k, true), across = axis_of(k, false);
	char text[16];

	axis_up(k, &up);
	axis_across(k, &across);
	snprintf(text, sizeof(text), "%s (m)", up.name);
	pb_glyphs_text(&k->cells,
	    k->left > (int)strlen(text) ? k->left - (int)strlen(text) : 0, 0,
	    text, PB_INK_DIM);
}

/* Where the next entry of the legend goes. */
struct pen {
	struct sketch *k;
	int x, y;
};

static void
pen_entry(struct pen *p, uint32_t code, enum pb_ink ink, const char *text)
{
	int n = (int)strlen(text) + 2;

	if (p->x > 0 && p->x + n > p->k->t->width) {
		p->x = 0;
		p->y++;
	}
	pb_glyphs_put(&p->k->cells, p->x, p->y, code, ink);
	pb_glyphs_text(&p->k->cells, p->x + 2, p->y, text, PB_INKS);
	p->x += n + 2;
}

/* A bar of about eight columns, as long as a round number of metres. */
static void
pen_scale(struct pen *p)
{
	struct sketch *k = p->k;
	double column = pb_viewport_metres(&k->port) * k->sx;
	double metres = pb_nice_above(4 * column);
	int n = (int)lround(metres / column);
	char text[48];

	snprintf(text, sizeof(text), "%.*f m", pb_nice_digits(metres), metres);
	for (int i = 0; i < n; i++)
		pb_glyphs_put(&k->cells, i, p->y,
		    !k->t->utf8 ? (i == 0 || i == n - 1 ? '|' : '-')
		    : i == 0    ? 0x251c
				: (i == n - 1 ? 0x2524 : 0x2500),
		    PB_INKS);
	pb_glyphs_text(&k->cells, n + 1, p->y, text, PB_INKS);
	p->x = n + 1 + (int)strlen(text) + 2;
}

/* Put the legend below the axes; returns its lines. */
static int
put_legend(struct sketch *k)
{
	const int top = k->top + k->lines + 2 * k->axes;
	struct pen p = {k, 0, top};
	bool used[PB_SIGNS];
	char text[128];

	pb_signs_used(k->s, k->o, used);
	/* What looks the same here has one entry. */
	used[PB_SIGN_TRAIL] |= used[PB_SIGN_OTHER_TRAIL];
	used[PB_SIGN_OTHER_TRAIL] = false;
	pen_scale(&p);
	for (size_t i = 0; i < k->s->bodies; i++) {
		const struct pb_body *b = &k->s->body[i];

		if (b->placed)
			pen_entry(&p, pb_sign_body(b, &k->port, k->t->utf8),
			    pb_sign_body_ink(b), b->id);
	}
	for (int g = 0; g < PB_SIGN_ROBOT; g++)
		if (used[g])
			pen_entry(&p, code_of(k, (enum pb_sign)g),
			    pb_signs[g].ink, pb_signs[g].text);
	if (!pb_viewport_square(&k->port)) {
		pb_viewport_corner(&k->port, text, sizeof(text));
		pen_entry(&p, ' ', PB_INKS, text);
	}
	return p.y - top + 1;
}

/* Below this no axes are drawn: they would leave no room for the map. */
#define AXES_WIDTH  24
#define AXES_HEIGHT 10

/* A cell of a small map is enlarged to so many dots at most. */
#define ENLARGE 8

/* Lines of everything but the map: heading, axis, legend. */
static int
lines_around(const struct sketch *k)
{
	return 3 * k->axes + k->legend;
}

/* Fit the map between the margins. */
static void
fit(struct sketch *k)
{
	int width = k->t->width - k->left;
	int height = k->t->height - lines_around(k);

	width = width < 1 ? 1 : width;
	height = height < 1 ? 1 : height;
	pb_viewport_fit(&k->port, width * k->sx, height * k->sy,
	    k->t->style == PB_STYLE_ASCII ? 2 : 1, ENLARGE);
	k->cols = (k->port.width + k->sx - 1) / k->sx;
	k->lines = (k->port.height + k->sy - 1) / k->sy;
}

/*
 * The left margin depends on the tick labels, these on the scale, and that
 * on the margin; the same goes for the lines of the legend. Two rounds
 * settle it: later ones could only swing.
 */
static void
arrange(struct sketch *k)
{
	bool high = k->t->height >= AXES_HEIGHT;

	k->sx = k->t->style == PB_STYLE_BRAILLE ? 2 : 1;
	k->sy = k->t->style == PB_STYLE_BRAILLE ? 4
	        : k->t->style == PB_STYLE_HALF  ? 2
	                                        : 1;
	k->axes = !k->o->no_axes && k->t->width >= AXES_WIDTH && high;
	k->legend = !k->o->no_legend && k->t->height >= AXES_HEIGHT / 2;
	k->top = k->axes;
	k->left = k->axes ? 6 : 0;
	for (int i = 0; i < 2; i++) {
		struct pb_axis up;

		fit(k);
		if (k->legend)
			k->legend = put_legend(k);
		up = axis_of(k, true);
		if (k->axes)
			k->left = pb_axis_label_width(&up) + 1;
	}
	fit(k);
	if (k->legend)
		k->legend = put_legend(k);
}

/* Title, lights and caption, behind the name of the upward axis. */
static void
heading(struct sketch *k)
{
	const struct pb_scene *s = k->s;
	const char *title = k->o->title != NULL ? k->o->title : s->title;
	int x = k->left < 4 ? 7 : k->left + 3; /* after "y (m)" */

	if (title[0] != '\0')
		x = pb_glyphs_text(&k->cells, x, 0, title, PB_INKS) + 2;
	if (s->has_ring)
		x = 2 + pb_ring_put(
			    &k->cells, x, 0, &s->ring, k->t->utf8, k->t->depth);
	pb_glyphs_text(&k->cells, x, 0, s->caption, PB_INKS);
}

static enum pb_status
draw(const struct pb_scene *s, const struct pb_render_opts *o,
    const struct pb_tty *t, bool home, FILE *f)
{
	struct sketch k = {.s = s, .o = o, .t = t};
	enum pb_status st;
	int lines;

	if (!pb_viewport_window(s, o, &k.port))
		return PB_ESIZE;
	arrange(&k);
	lines = k.lines + lines_around(&k);
	st = pb_glyphs_init(
	    &k.cells, t->width, lines > t->height ? t->height : lines);
	if (st == PB_OK)
		st = put_map(&k);
	if (st == PB_OK) {
		put_things(&k);
		if (k.axes) {
			put_axes(&k);
			heading(&k);
		}
		if (k.legend)
			put_legend(&k);
		pb_glyphs_print(&k.cells, t->depth, home, f);
	}
	pb_glyphs_clear(&k.cells);
	return st;
}

enum pb_status
pb_term_draw(const struct pb_scene *s, const struct pb_render_opts *o,
    const struct pb_tty *t, FILE *f)
{
	return draw(s, o, t, false, f);
}

enum pb_status
pb_term_frame(const struct pb_scene *s, const struct pb_render_opts *o,
    const struct pb_tty *t, bool first, FILE *f)
{
	enum pb_status st;

	if (first)
		fputs("\033[2J", f);
	st = draw(s, o, t, true, f);
	fputs("\033[J", f); /* what a taller frame left below */
	fflush(f);
	return st;
}
