/* plot.c - draw a scene or a heat map on paper. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "view/canvas.h"
#include "view/drawing.h"

#define ENLARGE   64   /* most pixels per cell */
#define USUAL     1200 /* longest side of a map (px) */
#define SMALL     800  /* maps smaller than this (px) ... */
#define LARGE     1600 /* ... may be enlarged up to this (px) */
#define LEAST     420  /* least width of a picture with legend (px) */
#define TYPE_WIDE 2600 /* wider maps have larger type (px) */
#define SIGNS     320  /* maps shorter than this (units) have small signs */
#define HEAT_SIZE 640  /* longest side of a heat map's board (px) */

/* A picture being drawn. */
struct figure {
	const struct pb_scene *s;
	const struct pb_render_opts *o;
	const char *title;
	struct pb_drawing *d; /* NULL while measuring */
	struct pb_viewport port;
	double em;   /* type size (px) */
	double unit; /* width of a thin line (px), less on small maps */
	int left, top, right; /* corner of the map, space at its right (px) */
	int width;            /* of the picture (px) */
	double axis, note;    /* heights below the map (px) */
	char turned[128];     /* note about the map's rotation */
	bool is_turned;       /* there is a note */

	/* Heat map to draw instead of the things on the board; NULL: none. */
	const struct pb_heat *heat;
	struct pb_scale ticks; /* scale of ticks per cell */
	unsigned char *dot;    /* of the map */
	bool shows[PB_DOTS];   /* kinds of dots in it */
};

static void
write_at(struct figure *g, double x, double y, enum pb_anchor anchor,
    const char *text)
{
	pb_draw_text(g->d, (struct pb_vec){x, y}, anchor, g->em,
	    pb_inks[PB_INK_TEXT].paper, text);
}

/* --- marks; heading 0 is to the right of the picture --- */

/* The point at distance r from p in direction th, counterclockwise. */
static struct pb_vec
shift_polar(struct pb_vec p, double r, double th)
{
	return pb_shifted(p, r * pb_cos(th), -r * pb_sin(th));
}

#define PIE 33 /* corners of Pac-Man: mouth and arc */

static void
draw_robot(struct pb_drawing *d, struct pb_vec p, double r, double th)
{
	const double mouth = 0.61; /* half of its angle (rad) */
	struct pb_vec pie[PIE + 1] = {p};

	th = isfinite(th) ? th : 0;
	for (int i = 1; i < PIE; i++)
		pie[i] = shift_polar(p, r,
		    th + mouth + (2 * PB_PI - 2 * mouth) * (i - 1) / (PIE - 2));
	pie[PIE] = p;
	pb_draw_line(
	    d, pie, PIE + 1, pb_ink_pen(PB_INK_TEXT, 1, 0.32 * r + 1.2));
	pb_draw_line(d, pie, PIE + 1, pb_ink_pen(PB_INK_ROBOT, 1, 0));
	/* The eye is above the mouth if Pac-Man looks right. */
	pb_draw_disc(d,
	    shift_polar(p, 0.45 * r, th + (pb_cos(th) < 0 ? -1.4 : 1.4)),
	    0.13 * r, pb_ink_pen(PB_INK_TEXT, 1, 0));
}

#define DOME 17 /* corners of a ghost's head, ... */
#define FEET 25 /* ... and of its three feet */

/* Corners of a ghost: dome, straight sides, feet from right to left. */
static void
make_ghost_outline(struct pb_vec p, double r, struct pb_vec out[DOME + FEET])
{
	for (int i = 0; i < DOME; i++)
		out[i] = shift_polar(p, r, PB_PI - PB_PI * i / (DOME - 1));
	for (int i = 0; i < FEET - 1; i++) {
		struct pb_vec foot =
		    pb_shifted(p, (1 - i / 8) * r * 2 / 3, 0.75 * r);

		out[DOME + i] = shift_polar(foot, r / 3, -PB_PI * (i % 8) / 7);
	}
	out[DOME + FEET - 1] = out[0];
}

/* Draw a frightened face: two eyes without pupils, a crooked mouth. */
static void
draw_fear(struct pb_drawing *d, struct pb_vec p, double r)
{
	struct pb_rgb white = pb_inks[PB_INK_PAPER].paper;
	struct pb_vec mouth[7];

	for (int i = 0; i < 7; i++)
		mouth[i] =
		    pb_shifted(p, (i - 3) * 0.2 * r, (i % 2 ? 0.32 : 0.52) * r);
	pb_draw_line(d, mouth, 7, pb_stroke(white, 0.12 * r));
	for (int i = -1; i <= 1; i += 2)
		pb_draw_disc(d, pb_shifted(p, i * 0.36 * r, -0.2 * r), 0.15 * r,
		    pb_full(white));
}

/* Draw a ghost; of an eaten one only the eyes. */
static void
draw_ghost(struct pb_drawing *d, const char *id, const char *mode,
    struct pb_vec p, double r, double th)
{
	struct pb_vec line[DOME + FEET];
	struct pb_rgb ink = pb_inks[PB_INK_TEXT].paper,
		      white = pb_inks[PB_INK_PAPER].paper;
	const char letter[2] = {pb_scene_ghost_letter(id), '\0'};
	bool afraid =
	    strcmp(mode, "frightened") == 0 || strcmp(mode, "running") == 0;
	bool eaten = strcmp(mode, "eaten") == 0 || strcmp(mode, "killed") == 0;

	make_ghost_outline(p, r, line);
	if (!eaten) {
		pb_draw_line(
		    d, line, DOME + FEET, pb_stroke(ink, 0.32 * r + 1.2));
		pb_draw_line(d, line, DOME + FEET,
		    pb_full(afraid ? pb_inks[PB_INK_TARGET].paper
				   : pb_scene_ghost_color(id)));
	}
	if (afraid) {
		draw_fear(d, p, r);
		return;
	}
	for (int i = -1; i <= 1; i += 2) {
		struct pb_vec eye = pb_shifted(p, i * 0.4 * r, -0.15 * r);

		pb_draw_disc(d, eye, 0.3 * r + eaten, pb_full(ink));
		pb_draw_disc(d, eye, 0.3 * r, pb_full(white));
		pb_draw_disc(d,
		    isfinite(th) ? shift_polar(eye, 0.13 * r, th) : eye,
		    0.16 * r, pb_full(ink));
	}
	if (!eaten && r >= 8)
		pb_draw_text(d, pb_shifted(p, 0, 0.6 * r), PB_ANCHOR_MIDDLE,
		    0.8 * r, white, letter);
}

/* Polygons of size one. */
static const struct pb_vec diamond[] = {
    {1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
static const struct pb_vec square[] = {
    {1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {1, 1}};
static const struct pb_vec house[] = {{-5, 0}, {0, -5}, {5, 0}, {3, 0}, {3, 4},
    {1, 4}, {1, 1.5}, {-1, 1.5}, {-1, 4}, {-3, 4}, {-3, 0}, {-5, 0}};

/* Draw a polygon of n corners, r times as large, around p. */
static void
draw_shape(struct pb_drawing *d, const struct pb_vec *shape, size_t n,
    struct pb_vec p, double r, struct pb_pen pen)
{
	struct pb_vec at[12];

	for (size_t i = 0; i < n; i++)
		at[i] = pb_shifted(p, r * shape[i].x, r * shape[i].y);
	pb_draw_line(d, at, n, pen);
}

/* Draw an estimate or a true pose, with its heading. */
static void
draw_other(struct pb_drawing *d, struct pb_vec p, double r, double th)
{
	struct pb_pen ink = pb_ink_pen(PB_INK_TEXT, 1, 1.5);

	draw_shape(d, diamond, 5, p, r, pb_ink_pen(PB_INK_OTHER, 1, 0));
	draw_shape(d, diamond, 5, p, r, ink);
	if (isfinite(th))
		pb_draw_segment(d, p, shift_polar(p, 1.6 * r, th), ink);
}

/* Draw a body of radius r (px); mode: of a ghost, "" in the legend. */
static void
draw_body(struct pb_drawing *d, const struct pb_body *b, const char *mode,
    struct pb_vec p, double r, double th)
{
	if (b->kind == PB_BODY_ROBOT) {
		draw_robot(d, p, r, th);
	} else if (b->kind == PB_BODY_GHOST) {
		draw_ghost(d, b->id, mode, p, r, th);
	} else if (strcmp(b->id, "fix") == 0) {
		/* A fix has only an approximate place: a frame. */
		draw_shape(d, square, 5, p, r, pb_ink_pen(PB_INK_TEXT, 1, 4));
		draw_shape(d, square, 5, p, r, pb_ink_pen(PB_INK_OTHER, 1, 2));
	} else {
		draw_other(d, p, 0.6 * r, th);
	}
}

/* Parts of signs on paper, in units, drawn in this order. */
enum shape { NOTHING, DISC, TICKS, CROSS, HOUSE, DIAMOND, SQUARE };
static const struct part {
	enum shape shape;
	double r; /* radius; of ticks: outer end */
	enum pb_ink ink;
	double opacity;
	double width; /* of its line, 0: filled */
	double from;  /* inner end of ticks */
} parts[PB_SIGNS][3] = {
    [PB_SIGN_PELLET] = {{DISC, 4.3, PB_INK_TEXT, 1},
	{DISC, 3.5, PB_INK_PELLET, 1}},
    [PB_SIGN_POWER] = {{DISC, 6.3, PB_INK_TEXT, 1},
	{DISC, 5.5, PB_INK_PELLET, 1}, {DISC, 2, PB_INK_PAPER, 1}},
    /* An empty ring. */
    [PB_SIGN_EATEN] = {{DISC, 3.5, PB_INK_PAPER, 0.7},
	{DISC, 3.5, PB_INK_EATEN, 1, 1.3}},
    [PB_SIGN_TARGET] = {{DISC, 7, PB_INK_TARGET, 1, 1.5},
	{TICKS, 10, PB_INK_TARGET, 1, 1.5, 7}},
    [PB_SIGN_GOAL] = {{TICKS, 6, PB_INK_TARGET, 1, 1.5, 2.5}},
    [PB_SIGN_HOME] = {{HOUSE, 1, PB_INK_TEXT, 1}},
    [PB_SIGN_DEATH] = {{CROSS, 6, PB_INK_TEXT, 1, 5},
	{CROSS, 6, PB_INK_DEATH, 1, 3}},
    [PB_SIGN_DENIED] = {{DIAMOND, 6, PB_INK_PAPER, 1, 4},
	{DIAMOND, 6, PB_INK_DEATH, 1, 2}},
    [PB_SIGN_GUESSED] = {{SQUARE, 4.5, PB_INK_TEXT, 1},
	{SQUARE, 3.5, PB_INK_PELLET, 1}},
    [PB_SIGN_CUT] = {{TICKS, 9, PB_INK_PAPER, 1, 4},
	{TICKS, 9, PB_INK_DEATH, 1, 2}, {DISC, 4, PB_INK_DEATH, 1}},
    [PB_SIGN_SOLID] = {{DIAMOND, 2, PB_INK_SOLID, 0.8}},
};

/* Draw a part; by: the ghost that caught the player there, NULL: none. */
static void
draw_part(struct pb_drawing *d, const struct part *m, struct pb_vec p, double u,
    const struct pb_body *by)
{
	double r = m->r * u;
	struct pb_pen pen = {
	    pb_inks[m->ink].paper, m->opacity, m->width * u, 0, 0};

	if (m->ink == PB_INK_DEATH && by)
		pen.color = pb_scene_ghost_color(by->id);
	switch (m->shape) {
	case NOTHING:
		break;
	case DISC:
		pb_draw_disc(d, p, r, pen);
		break;
	case TICKS: /* four around p */
		for (int i = 0; i < 4; i++)
			pb_draw_segment(d,
			    shift_polar(p, m->from * u, i * PB_PI / 2),
			    shift_polar(p, r, i * PB_PI / 2), pen);
		break;
	case CROSS:
		pb_draw_segment(
		    d, pb_shifted(p, -r, -r), pb_shifted(p, r, r), pen);
		pb_draw_segment(
		    d, pb_shifted(p, -r, r), pb_shifted(p, r, -r), pen);
		break;
	case HOUSE:
		draw_shape(d, house, 12, p, r, pen);
		break;
	case DIAMOND:
		draw_shape(d, diamond, 5, p, r, pen);
		break;
	case SQUARE:
		draw_shape(d, square, 5, p, r, pen);
		break;
	}
}

/* Draw a hypothesis with its rank, 1..9, and heading. */
static void
draw_guess(struct pb_drawing *d, struct pb_vec p, double u, double th, int rank)
{
	const char text[2] = {(char)('0' + rank), '\0'};
	struct pb_rgb k = pb_inks[PB_INK_TARGET].paper;
	double r = 6.5 * u;

	if (isfinite(th))
		pb_draw_segment(
		    d, p, shift_polar(p, 1.9 * r, th), pb_stroke(k, 1.5 * u));
	pb_draw_disc(d, p, r + u, pb_full(k));
	pb_draw_disc(d, p, r, pb_ink_pen(PB_INK_PAPER, 1, 0));
	pb_draw_text(
	    d, p, PB_ANCHOR_MIDDLE, 1.5 * r, pb_inks[PB_INK_TEXT].paper, text);
}

/* Draw a sign; u: pixels of a unit (about a thin line's width). */
static void
draw_sign(struct pb_drawing *d, enum pb_sign what, struct pb_vec p, double u,
    const struct pb_body *by)
{
	for (int i = 0; i < 3; i++)
		draw_part(d, &parts[what][i], p, u, by);
}

/* --- scales with round numbers --- */

double
pb_scale_at(const struct pb_scale *s, double v)
{
	if (!(s->hi > s->lo))
		return 0.5;
	return s->is_log ? pb_log(v / s->lo) / pb_log(s->hi / s->lo)
	                 : (v - s->lo) / (s->hi - s->lo);
}

void
pb_draw_scale(struct pb_drawing *d, struct pb_vec at, double wide,
    const struct pb_scale *s)
{
	bool one = !(s->hi > s->lo);
	double v = s->lo, free_from = 0, step = 1;
	char text[64];

	/* Steps of whole numbers are at least 1. The room of a label is that of
	 * the last number, with the digits that steps of two ems need. */
	if (!one) {
		double per = (s->hi - s->lo) / wide;

		step = pb_nice_above(2 * PB_TYPE * per);
		snprintf(
		    text, sizeof(text), "%.*f", pb_nice_digits(step), s->hi);
		step = pb_nice_above(
		    (pb_type_room(text, PB_TYPE) + PB_TYPE) * per);
		if (s->is_whole)
			step = fmax(step, 1);
		/* If no 1, 2 or 5 is in the range, the least value gets a
		 * number. */
		if (!s->is_log)
			v = step * ceil(s->lo / step - 1e-9) + 0; /* no -0 */
		else if (pb_nice_above(s->lo) <= s->hi)
			v = pb_nice_above(s->lo);
	}
	for (; v <= s->hi + 1e-9 * step;
	     v = s->is_log ? pb_nice_above(1.5 * v) : v + step) {
		double x = floor(at.x + wide * pb_scale_at(s, v)), half;

		snprintf(text, sizeof(text), "%.*f",
		    pb_nice_digits(s->is_log && !one ? v : step), v);
		half = pb_type_room(text, PB_TYPE) / 2;
		if (x - half < free_from)
			continue;
		pb_draw_box(
		    d, x, at.y, x + 1, at.y + 5, pb_ink_pen(PB_INK_TEXT, 1, 0));
		pb_draw_note(d, x, at.y + 17, PB_ANCHOR_MIDDLE, text);
		free_from = x + half + 0.5 * PB_TYPE;
	}
}

/* --- layers of the map --- */

static void
draw_map(struct figure *g)
{
	const struct pb_rgb ink[] = {[PB_DOT_FREE] = pb_inks[PB_INK_FREE].paper,
	    [PB_DOT_UNKNOWN] = pb_inks[PB_INK_UNKNOWN].paper,
	    [PB_DOT_WALL] =
		pb_inks[g->heat ? PB_INK_UNKNOWN : PB_INK_WALL].paper,
	    [PB_DOT_HOUSE] =
		pb_inks[g->heat ? PB_INK_FREE : PB_INK_HOUSE].paper};

	pb_draw_dots(
	    g->d, g->left, g->top, g->dot, g->port.width, g->port.height, ink);
}

static struct pb_vec
paper_point(const struct figure *g, struct pb_vec v)
{
	return pb_shifted(pb_viewport_at(&g->port, v), g->left, g->top);
}

static double
to_heading(const struct figure *g, double th)
{
	return th - g->port.origin.th;
}

/* Side of a cell of the board, if there is one (px). */
static double
measure_cell(const struct figure *g)
{
	return g->port.board
	           ? g->port.board->pitch / pb_viewport_metres(&g->port)
	           : INFINITY;
}

/* Radius of bodies (px): that of a TurtleBot 4 within limits of visibility. */
static double
choose_radius(const struct figure *g)
{
	double real = 0.175 / pb_viewport_metres(&g->port); /* (m) */

	/* A body is not larger than its cell. */
	return fmin(fmin(fmax(real, 8 * g->unit), 12 * g->unit),
	    0.48 * measure_cell(g));
}

/* The pen of a line; only the robot's trail is solid. */
static struct pb_pen
choose_pen(enum pb_sign sign, double u)
{
	static const struct {
		double width, on, off; /* in units */
	} how[PB_SIGNS] = {[PB_SIGN_TRAIL] = {2.2, 0, 0},
	    [PB_SIGN_PATH] = {1.5, 14, 4},
	    [PB_SIGN_LOOP] = {1.3, 6, 3},
	    [PB_SIGN_GHOST_TRAIL] = {3, 4, 6},
	    [PB_SIGN_OTHER_TRAIL] = {2, 0.2, 4}};

	return (struct pb_pen){pb_inks[pb_signs[sign].ink].paper, 0.9,
	    how[sign].width * u, how[sign].on * u, how[sign].off * u};
}

/* Radius of dots (units): few dots are larger, to be visible. */
static double
choose_dot_radius(enum pb_sign what, size_t n)
{
	bool doubt = what >= PB_SIGN_LOST && what <= PB_SIGN_AMBIGUOUS;

	return what == PB_SIGN_PARTICLE ? 1.5
	       : doubt                  ? 2
	       : what == PB_SIGN_LOOP   ? 2.5
	       : n > 32                 ? 1
	                                : 3;
}

static void
draw_line(void *to, enum pb_sign what, const struct pb_points *p,
    const struct pb_body *b)
{
	struct figure *g = to;
	struct pb_pen pen = choose_pen(what, g->unit);
	struct pb_vec *q;

	if (p->n < 2)
		return;
	q = pb_alloc(p->n, sizeof(*q));
	if (what == PB_SIGN_GHOST_TRAIL)
		pen.color = pb_scene_ghost_color(b->id);
	for (size_t i = 0; i < p->n; i++)
		q[i] = paper_point(g, p->at[i]);
	pb_draw_line(g->d, q, p->n, pen);
	free(q);
}

static void
draw_dots(void *to, enum pb_sign what, const struct pb_points *p)
{
	struct figure *g = to;
	struct pb_pen pen = pb_ink_pen(pb_signs[what].ink, 0.9, 0);
	double r = choose_dot_radius(what, p->n) * g->unit;

	for (size_t k = 0; k < p->n; k++)
		if (what == PB_SIGN_SOLID)
			draw_sign(g->d, what, paper_point(g, p->at[k]), g->unit,
			    NULL);
		else
			pb_draw_disc(g->d, paper_point(g, p->at[k]), r, pen);
}

static void
draw_scene_sign(
    void *to, enum pb_sign what, struct pb_vec at, const struct pb_body *by)
{
	struct figure *g = to;

	draw_sign(g->d, what, paper_point(g, at), g->unit, by);
}

static void
draw_ellipse(struct figure *g, struct pb_pose at, const double cov[3][3])
{
	struct pb_ellipse e = pb_ellipse(cov);
	struct pb_pose f = {at.x, at.y, e.turn};
	struct pb_pen pen = pb_ink_pen(PB_INK_ROBOT_TRAIL, 1, g->unit);
	struct pb_vec p[65];

	if (!(e.long_axis > 0) || !isfinite(e.long_axis))
		return;
	for (int i = 0; i <= 64; i++) {
		double s = i * PB_PI / 32;
		struct pb_vec v = {
		    e.long_axis * pb_cos(s), e.short_axis * pb_sin(s)};

		p[i] = paper_point(g, pb_vec_from(f, v));
	}
	pb_draw_line(g->d, p, 65, pen);
}

static void
draw_hypothesis(void *to, const struct pb_hypothesis *h, int rank)
{
	struct figure *g = to;

	draw_ellipse(g, h->pose, h->cov);
	draw_guess(g->d, paper_point(g, pb_pose_vec(h->pose)), g->unit,
	    to_heading(g, h->pose.th), rank);
}

static void
draw_scene_body(void *to, const struct pb_body *b)
{
	struct figure *g = to;

	if (b->has_cov)
		draw_ellipse(g, b->pose, b->cov);
	draw_body(g->d, b, b->mode, paper_point(g, pb_pose_vec(b->pose)),
	    choose_radius(g), to_heading(g, b->pose.th));
}

/* --- axes --- */

/* Make an axis with room for labels of five characters. */
static struct pb_axis
make_axis(const struct figure *g, bool up)
{
	double room = (up ? 3.2 : 5) * g->em;

	return pb_viewport_axis(
	    &g->port, up, pb_nice_above(room * pb_viewport_metres(&g->port)));
}

/* Position of a tick in whole pixels from the start of its axis. */
static double
place_tick(
    const struct figure *g, const struct pb_axis *a, int i, char text[64])
{
	return floor(
	    pb_axis_tick(a, i, text) / pb_viewport_metres(&g->port) + 0.5);
}

/* Pen of the faint lines through the map at each tick. */
#define GRID pb_ink_pen(PB_INK_TEXT, 0.08, 0)

/* Draw ticks, numbers and name of the axis below the map, or at its left. */
static void
draw_axis(struct figure *g, bool up)
{
	const struct pb_axis a = make_axis(g, up);
	double x = g->left, y = g->top + g->port.height, gap = 0.5 * g->em;
	double x1 = x + g->port.width, free_from = 0;
	struct pb_pen ink = pb_ink_pen(PB_INK_TEXT, 1, 0);
	char text[64];

	for (int j = 0; j < a.ticks; j++) {
		double at = place_tick(g, &a, j, text);
		double u = x + at, v = y - at;
		double half = pb_type_room(text, g->em) / 2;

		if (up) {
			pb_draw_box(g->d, x - gap, v, x, v + 2, ink);
			pb_draw_box(g->d, x, v, x1, v + 1, GRID);
			write_at(g, x - 1.5 * gap, v, PB_ANCHOR_RIGHT, text);
			continue;
		}
		pb_draw_box(g->d, u, y, u + 2, y + gap, ink);
		pb_draw_box(g->d, u, g->top, u + 1, y, GRID);
		if (u - half < free_from)
			continue;
		write_at(g, u, y + 1.25 * g->em, PB_ANCHOR_MIDDLE, text);
		free_from = u + half + 0.8 * g->em;
	}
	snprintf(text, sizeof(text), "%s (m)", a.name);
	if (up)
		write_at(g, 0.8 * g->em, (g->top + y) / 2, PB_ANCHOR_UP, text);
	else
		write_at(
		    g, (x + x1) / 2, y + 2.6 * g->em, PB_ANCHOR_MIDDLE, text);
}

static void
draw_axes(struct figure *g)
{
	double x0 = g->left - 1, y0 = g->top - 1;
	double x1 = x0 + g->port.width + 2, y1 = y0 + g->port.height + 2;
	const struct pb_vec frame[5] = {
	    {x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}, {x0, y0}};

	draw_axis(g, false);
	draw_axis(g, true);
	pb_draw_line(g->d, frame, 5, pb_ink_pen(PB_INK_TEXT, 1, 2));
}

/* --- fit of scans over time --- */

#define STRIP(g) (7 * (g)->em) /* height of its box (px) */

/* Find the range of times with fits; false: there are none. */
static bool
find_fit_times(const struct figure *g, struct pb_scale *t)
{
	*t = (struct pb_scale){INFINITY, -INFINITY, false, false};
	for (int k = 0; k < PB_LOC_STATUSES; k++)
		for (size_t i = 0; i < g->s->fit[k].n; i++) {
			t->lo = fmin(t->lo, g->s->fit[k].at[i].x);
			t->hi = fmax(t->hi, g->s->fit[k].at[i].x);
		}
	return t->hi > t->lo && isfinite(t->hi - t->lo) &&
	       !(g->o->hide & PB_HIDE_AXES);
}

/* Draw a dot for each estimate, coloured by status; y: upper end. */
static void
draw_fit(struct figure *g, double y)
{
	double wide = g->port.width, h = STRIP(g);
	struct pb_scale t;

	if (!find_fit_times(g, &t))
		return;
	y += g->em;
	for (int i = 0; i <= 1; i++) {
		pb_draw_box(g->d, g->left, y + i * h, g->left + wide,
		    y + i * h + 1, pb_ink_pen(PB_INK_TEXT, 1, 0));
		write_at(g, g->left - 0.75 * g->em, y + i * h, PB_ANCHOR_RIGHT,
		    i ? "0" : "1");
	}
	write_at(g, 0.8 * g->em, y + h / 2, PB_ANCHOR_UP, "fit");
	pb_draw_scale(g->d, (struct pb_vec){g->left, y + h}, wide, &t);
	write_at(g, g->left + wide / 2, y + h + 2.6 * g->em, PB_ANCHOR_MIDDLE,
	    "t (s)");
	for (int k = PB_LOC_TRACKING; k >= 0; k--) {
		const struct pb_points *p = &g->s->fit[k];
		enum pb_sign what = k == PB_LOC_TRACKING
		                        ? PB_SIGN_TRAIL
		                        : (enum pb_sign)(PB_SIGN_LOST + k);

		for (size_t i = 0; i < p->n; i++)
			pb_draw_disc(g->d,
			    (struct pb_vec){
				g->left + wide * pb_scale_at(&t, p->at[i].x),
				y + h * (1 - p->at[i].y)},
			    1.8 * g->unit,
			    pb_ink_pen(pb_signs[what].ink, 0.9, 0));
	}
}

/* --- heat map --- */

/* YlGnBu of ColorBrewer (Brewer, 2003) without its lightest colour: safe for
 * colour-blind people, and steadily darker. */
static const struct pb_rgb ramp[] = {{237, 248, 177}, {199, 233, 180},
    {127, 205, 187}, {65, 182, 196}, {29, 145, 192}, {34, 94, 168},
    {37, 52, 148}, {8, 29, 88}};
#define COLORS ((int)(sizeof(ramp) / sizeof(*ramp)))

static struct pb_pen
choose_heat_pen(double share)
{
	double at = share * (COLORS - 1);
	int i = at < COLORS - 1 ? (int)at : COLORS - 2;
	struct pb_rgb a = ramp[i], b = ramp[i + 1];

	at -= i;
	return pb_full(
	    (struct pb_rgb){(unsigned char)(a.r + at * (b.r - a.r) + 0.5),
		(unsigned char)(a.g + at * (b.g - a.g) + 0.5),
		(unsigned char)(a.b + at * (b.b - a.b) + 0.5)});
}

/* Colour the cells, and write the player's deaths on each. */
static void
draw_heat(struct figure *g)
{
	const struct pb_maze *z = &g->s->board;
	/* Leave a gap between cells for their walls. */
	double half = 0.5 * z->pitch / pb_viewport_metres(&g->port);
	double in = half - (pb_maze_sided(z) ? floor(half / 4) : 1);
	char text[24];

	for (int i = 0; i < z->rows * z->cols; i++) {
		int r = i / z->cols, c = i % z->cols;
		double n = (double)g->heat->here[r][c];
		struct pb_vec m = paper_point(
		    g, pb_pose_vec(pb_maze_pose(z, r, c, PB_STAY, 0)));

		if (n > 0)
			pb_draw_box(g->d, m.x - in, m.y - in, m.x + in,
			    m.y + in,
			    choose_heat_pen(pb_scale_at(&g->ticks, n)));
		snprintf(text, sizeof(text), "%" PRIu64, g->heat->died[r][c]);
		if (g->heat->died[r][c] == 0)
			continue;
		pb_draw_disc(g->d, m, in, pb_ink_pen(PB_INK_PAPER, 1, 0));
		pb_draw_text(g->d, m, PB_ANCHOR_MIDDLE,
		    fmin(g->em, 2.6 * in / (double)strlen(text)),
		    pb_inks[PB_INK_DEATH].paper, text);
	}
}

/* Draw the colour scale from y on: a bar with numbers below it. */
static void
draw_heat_scale(struct figure *g, double y)
{
	const int steps = 60;
	double wide = g->port.width, h = g->em;

	if (!(g->ticks.hi > 0))
		return;
	for (int i = 0; i < steps; i++)
		pb_draw_box(g->d, floor(g->left + wide * i / steps), y,
		    floor(g->left + wide * (i + 1) / steps), y + h,
		    choose_heat_pen((i + 0.5) / steps));
	pb_draw_scale(g->d, (struct pb_vec){g->left, y + h}, wide, &g->ticks);
	write_at(g, g->left, y + 3.5 * h, PB_ANCHOR_LEFT,
	    "ticks on a cell (white: none); numbers on cells: deaths");
}

/* --- legend --- */

/* Position in the legend; without a drawing, entries are only measured. */
struct pen {
	struct figure *g;
	double x, y;  /* upper left corner of the next entry (px) */
	double right; /* right end of lines (px) */
};

#define LINE(g) (1.9 * (g)->em) /* height of a line of the legend (px) */
#define ICON(g) (2.8 * (g)->em) /* width of its icons (px) */

/* Make room for an entry; returns the middle of its icon. */
static struct pb_vec
place_entry(struct pen *p, const char *text)
{
	struct figure *g = p->g;
	double gap = 0.5 * g->em;
	double w = ICON(g) + gap + pb_type_room(text, g->em);
	struct pb_vec icon;

	if (p->x > g->left && p->x + w > p->right) {
		p->x = g->left;
		p->y += LINE(g);
	}
	icon = (struct pb_vec){p->x + ICON(g) / 2, p->y + LINE(g) / 2};
	if (g->d != NULL)
		write_at(g, icon.x + (ICON(g) / 2 + gap), icon.y,
		    PB_ANCHOR_LEFT, text);
	p->x += w + 2 * gap;
	return icon;
}

/* Draw a square in the colour of a kind of cell, with an edge. */
static void
draw_square_icon(struct figure *g, struct pb_vec m, enum pb_ink i)
{
	double r = floor(0.6 * g->em);

	m = (struct pb_vec){floor(m.x), floor(m.y)};
	pb_draw_box(g->d, m.x - r, m.y - r, m.x + r, m.y + r,
	    pb_ink_pen(PB_INK_TEXT, 1, 0));
	pb_draw_box(g->d, m.x - r + 1, m.y - r + 1, m.x + r - 1, m.y + r - 1,
	    pb_ink_pen(i, 1, 0));
}

static void
draw_icon(struct figure *g, struct pb_vec m, enum pb_sign sign,
    const struct pb_body *b)
{
	enum pb_ink ink = pb_signs[sign].ink;
	double u = 0.1 * g->em;
	struct pb_pen pen = choose_pen(sign, u);

	if (sign == PB_SIGN_GHOST_TRAIL && b)
		pen.color = pb_scene_ghost_color(b->id);
	switch (sign) {
	case PB_SIGN_WALL:
	case PB_SIGN_UNKNOWN:
	case PB_SIGN_HOUSE:
		draw_square_icon(g, m, ink);
		break;
	case PB_SIGN_SCAN:
	case PB_SIGN_VIEW:
	case PB_SIGN_PARTICLE:
	case PB_SIGN_LOST:
	case PB_SIGN_UNMAPPED:
	case PB_SIGN_AMBIGUOUS:
		/* Five dots in a row; those of particles alternate in
		 * height. */
		for (int k = -2; k <= 2; k++)
			pb_draw_disc(g->d,
			    pb_shifted(m, 3 * k * u,
				k % 2 && sign == PB_SIGN_PARTICLE ? 2 * u : 0),
			    1.2 * u, pb_ink_pen(ink, 1, 0));
		break;
	case PB_SIGN_GUESS:
		draw_guess(g->d, m, u, 0, 1);
		break;
	case PB_SIGN_LOOP:
		for (int i = -1; i <= 1; i += 2)
			pb_draw_disc(g->d, pb_shifted(m, i * ICON(g) / 2, 0),
			    choose_dot_radius(sign, 2) * u,
			    pb_ink_pen(ink, 0.9, 0));
		/* fallthrough */
	case PB_SIGN_GHOST_TRAIL:
	case PB_SIGN_TRAIL:
	case PB_SIGN_OTHER_TRAIL:
	case PB_SIGN_PATH:
		pb_draw_segment(g->d, pb_shifted(m, -ICON(g) / 2, 0),
		    pb_shifted(m, ICON(g) / 2, 0), pen);
		break;
	default:
		draw_sign(
		    g->d, sign, m, sign == PB_SIGN_TARGET ? 0.7 * u : u, b);
		break;
	}
}

/* Draw the legend from y on, or only measure it; returns its height (px). */
static double
draw_legend(struct figure *g, double y)
{
	struct pen p = {g, g->left, y, g->width - g->right};
	struct pb_legend entry[PB_LEGEND];
	size_t n = pb_legend(g->s, g->o, g->shows, entry);

	for (size_t i = 0; i < n; i++) {
		const struct pb_body *b = entry[i].body;
		struct pb_vec m = place_entry(&p, entry[i].text);

		if (g->d == NULL)
			continue;
		if (entry[i].sign == PB_SIGN_ROBOT)
			draw_body(g->d, b, "", m, 0.7 * g->em, 0);
		else
			draw_icon(g, m, entry[i].sign, b);
	}
	return p.y + LINE(g) - y;
}

/* --- the picture --- */

static void
choose_scale(struct pb_viewport *p, const struct pb_render_opts *o)
{
	int side = o->size > 0 ? o->size : USUAL;

	pb_viewport_fit(p, side, side, 1, ENLARGE);
	if (o->size == 0 && p->width < SMALL && p->height < SMALL)
		pb_viewport_fit(p, LARGE, LARGE, 1, ENLARGE);
}

/* Draw the robot's lights to the right of p, centred vertically. */
static void
draw_ring(struct figure *g, struct pb_vec p, const struct pb_ring *r)
{
	double half = 0.6 * g->em;

	for (int i = 0; i < PB_RING_LEDS; i++) {
		struct pb_led l = r->led[i];
		struct pb_vec at = pb_shifted(p, half * (1 + 2.5 * i), 0);

		pb_draw_disc(
		    g->d, at, half, pb_full((struct pb_rgb){l.r, l.g, l.b}));
		pb_draw_disc(g->d, at, half, pb_ink_pen(PB_INK_DIM, 1, 2));
	}
}

#define TITLE 1.4 /* type size of the title, in ems */

/* Draw the title, and below it caption and lights, if any. */
static void
draw_heading(struct figure *g)
{
	const struct pb_scene *s = g->s;
	double y = 1.4 * g->em;

	if (g->title[0] != '\0') {
		pb_draw_text(g->d, (struct pb_vec){g->left, y}, PB_ANCHOR_LEFT,
		    TITLE * g->em, pb_inks[PB_INK_TEXT].paper, g->title);
		y += 1.7 * g->em;
	}
	write_at(g, g->left, y, PB_ANCHOR_LEFT, s->caption);
	if (s->has_ring)
		draw_ring(g,
		    (struct pb_vec){
			g->left + (pb_type_room(s->caption, g->em) + g->em), y},
		    &s->ring);
}

/* Lay out map, title, axes and legend; returns the height of the picture. */
static int
lay_out(struct figure *g)
{
	bool caption = g->s->caption[0] != '\0' || g->s->has_ring;
	bool bare = g->o->hide & PB_HIDE_AXES;
	const struct pb_axis up = make_axis(g, true);
	struct pb_scale times;
	double height, wide;

	g->right = (int)(1.6 * g->em);
	g->left = (int)g->em;
	if (!bare)
		g->left =
		    (int)((2.6 + 0.62 * pb_axis_label_width(&up)) * g->em);
	g->top =
	    (int)((1 + 1.7 * (g->title[0] != '\0') + 1.6 * caption) * g->em);
	wide = fmax(pb_type_room(g->title, TITLE * g->em),
	    pb_type_room(g->s->caption, g->em) +
		g->s->has_ring * (2.5 * PB_RING_LEDS + 1) * g->em);
	wide += g->left + g->right;
	g->width = g->left + g->port.width + g->right;
	if (g->width < LEAST && !(bare && (g->o->hide & PB_HIDE_LEGEND)))
		g->width = LEAST;
	if (g->width < wide)
		g->width = (int)wide;
	g->axis = bare ? g->em : 3.8 * g->em;
	g->is_turned =
	    !bare && pb_viewport_turned(&g->port, g->turned, sizeof(g->turned));
	g->note = g->is_turned ? 1.8 * g->em : 0;
	if (find_fit_times(g, &times))
		g->note += STRIP(g) + 4 * g->em;
	height = g->top + g->port.height + g->axis + g->note;
	if (g->heat)
		height += 4.8 * g->em;
	else if (!(g->o->hide & PB_HIDE_LEGEND))
		height += draw_legend(g, 0) + 0.6 * g->em;
	return (int)height;
}

/* Draw all parts. */
static void
draw_figure(struct figure *g)
{
	const struct pb_canvas c = {g, draw_line, draw_dots, draw_scene_sign,
	    draw_hypothesis, draw_scene_body};
	double x1 = g->left + g->port.width, y1 = g->top + g->port.height;

	draw_map(g);
	if (!(g->o->hide & PB_HIDE_AXES))
		draw_axes(g);
	pb_draw_within(g->d, g->left, g->top, x1, y1);
	if (g->heat)
		draw_heat(g);
	else
		pb_canvas_draw(&c, g->s, g->o);
	pb_draw_anywhere(g->d);
	draw_heading(g);
	if (g->is_turned)
		write_at(g, g->left, y1 + g->axis + g->em / 2, PB_ANCHOR_LEFT,
		    g->turned);
	draw_fit(g, y1 + g->axis + (g->is_turned ? 1.8 * g->em : 0));
	if (g->heat)
		draw_heat_scale(g, y1 + g->axis + 0.5 * g->em);
	else if (!(g->o->hide & PB_HIDE_LEGEND))
		draw_legend(g, y1 + g->axis + g->note);
}

/* Draw a figure whose scene, options and title are set. */
static int
plot_figure(struct figure *g, const char *path, struct pb_error *f)
{
	const struct pb_target to = {.path = path};
	size_t n;
	int height;

	if (!pb_viewport_window(g->s, g->o, &g->port))
		return pb_error_file(
		    f, path, 0, "", "nothing of the map lies in the box");
	choose_scale(&g->port, g->o);
	/* A wide map has larger type. */
	g->em = PB_TYPE;
	if (g->port.width > TYPE_WIDE)
		g->em *= (double)g->port.width / TYPE_WIDE + 0.5;
	g->unit =
	    fmin(0.1 * g->em, fmax(g->port.width, g->port.height) / SIGNS);
	g->unit = fmin(g->unit, measure_cell(g) / 18);
	n = (size_t)g->port.width * (size_t)g->port.height;
	g->dot = pb_alloc(n, 1);
	pb_viewport_shrink(&g->port, g->s->map, g->dot);
	for (size_t i = 0; i < n; i++)
		g->shows[g->dot[i]] = true;
	height = lay_out(g);
	g->d = pb_drawing_open(to, g->width, height, f);
	if (g->d != NULL)
		draw_figure(g);
	free(g->dot);
	return g->d != NULL ? pb_drawing_close(g->d, f) : -1;
}

int
pb_plot(const struct pb_scene *s, const struct pb_render_opts *o,
    const char *path, struct pb_error *f)
{
	return plot_figure(&(struct figure){.s = s,
			       .o = o,
			       .title = o->title != NULL ? o->title : s->title},
	    path, f);
}

/* --- heat map of a player --- */

void
pb_heat_draw(const char *path, const char *title, long games,
    const struct pb_maze *z, const struct pb_heat *heat)
{
	struct pb_scene s = {.cell = 0};
	struct figure g = {.s = &s,
	    .o = &(struct pb_render_opts){.size = HEAT_SIZE},
	    .title = title,
	    .heat = heat,
	    .ticks = {.lo = INFINITY, .is_log = true}};
	uint64_t died = 0;
	struct pb_error f;

	if (pb_scene_build_maze(&s, z) != PB_OK) {
		pb_error_status(&f, path, PB_EVALUE);
		pb_msg_error(&f);
		return;
	}
	for (int i = 0; i < z->rows * z->cols; i++) {
		double n = (double)heat->here[i / z->cols][i % z->cols];

		g.ticks.lo = n > 0 ? fmin(g.ticks.lo, n) : g.ticks.lo;
		g.ticks.hi = fmax(g.ticks.hi, n);
		died += heat->died[i / z->cols][i % z->cols];
	}
	snprintf(s.caption, sizeof(s.caption),
	    "where the player was in %ld game%s; %" PRIu64 " death%s", games,
	    games == 1 ? "" : "s", died, died == 1 ? "" : "s");
	if (plot_figure(&g, path, &f) != 0)
		pb_msg_error(&f);
	pb_scene_clear(&s);
}
