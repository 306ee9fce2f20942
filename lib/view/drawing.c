/* drawing.c - draw marks as PNG, SVG or PDF with cairo. */
#include "view/drawing.h"

#include <cairo/cairo-pdf.h>
#include <cairo/cairo-svg.h>
#include <cairo/cairo.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "io/stream/file.h"
#include "io/stream/line.h"
#include "io/stream/text.h"
#include "view/canvas.h"
#include "view/term.h"

/*
 * This font, or what fontconfig takes instead. Layout does not depend on a
 * font's widths, so pictures are alike everywhere: room for text is computed
 * from its characters, and wider text is squeezed.
 */
#define FAMILY    "DejaVu Sans"
#define CHARACTER 0.62 /* room for a character, in type sizes */
#define CAPITAL   0.73 /* height of a capital, in type sizes */

/* Marks farther off than this are omitted, as cairo's numbers are limited
 * (px). */
#define FAR 1e5

/* Most boxes of dots in one path. */
#define BOXES 4096

enum form { FORM_PNG, FORM_SVG, FORM_PDF };

struct pb_drawing {
	enum form form;
	struct pb_file file; /* unless stdout */
	FILE *out;
	int error; /* errno of a write that failed */
	cairo_surface_t *paper;
	cairo_t *cr;
	bool type; /* a font was found */
};

/* Functions of cairo that are used; it is loaded for a process's first picture.
 * The Makefile defines its SONAME. */
#ifndef LIBCAIRO
#define LIBCAIRO "libcairo.so.2"
#endif
/* clang-format off */
#define CAIRO(X) \
	X(arc) X(clip) X(create) X(destroy) X(fill) X(font_face_destroy) \
	X(font_options_create) X(font_options_destroy) \
	X(font_options_set_antialias) X(font_options_set_hint_metrics) \
	X(font_options_set_hint_style) X(image_surface_create) X(line_to) \
	X(matrix_init_identity) X(move_to) X(new_sub_path) X(paint) \
	X(pdf_surface_create_for_stream) X(pdf_surface_set_metadata) \
	X(rectangle) X(restore) X(rotate) X(save) X(scale) \
	X(scaled_font_create) X(scaled_font_destroy) X(scaled_font_status) \
	X(set_dash) X(set_font_face) X(set_font_options) X(set_font_size) \
	X(set_line_cap) X(set_line_join) X(set_line_width) \
	X(set_source_rgb) X(set_source_rgba) X(show_text) X(status) \
	X(status_to_string) X(stroke) X(surface_destroy) X(surface_finish) \
	X(surface_status) X(surface_write_to_png_stream) \
	X(svg_surface_create_for_stream) X(svg_surface_set_document_unit) \
	X(text_extents) X(toy_font_face_create) X(translate)
/* clang-format on */

#define MEMBER(f) __typeof__(cairo_##f) *(f);
#define NAME(f)   "cairo_" #f,

static struct {
	CAIRO(MEMBER)
} cairo;

static const char *const cairo_names[] = {CAIRO(NAME)};

static const char *const suffix[] = {
    [FORM_PNG] = ".png", [FORM_SVG] = ".svg", [FORM_PDF] = ".pdf"};

static enum form
find_form(const char *path)
{
	enum form i = FORM_PDF;

	while (i > FORM_PNG && !pb_file_has_suffix(path, suffix[i]))
		i--;
	return i;
}

bool
pb_drawing_named(const char *path)
{
	return pb_file_has_suffix(path, suffix[find_form(path)]);
}

static cairo_status_t
write_bytes(void *user, const unsigned char *bytes, unsigned int n)
{
	struct pb_drawing *d = user;

	if (fwrite(bytes, 1, n, d->out) == n)
		return CAIRO_STATUS_SUCCESS;
	d->error = errno;
	return CAIRO_STATUS_WRITE_ERROR;
}

/* Choose gray antialiasing and unrounded widths; without any font, no text is
 * drawn. */
static void
choose_font(struct pb_drawing *d)
{
	cairo_font_options_t *o = cairo.font_options_create();
	cairo_font_face_t *face = cairo.toy_font_face_create(
	    FAMILY, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
	cairo_matrix_t one;
	cairo_scaled_font_t *font;

	cairo.matrix_init_identity(&one);
	cairo.font_options_set_antialias(o, CAIRO_ANTIALIAS_GRAY);
	cairo.font_options_set_hint_style(o, CAIRO_HINT_STYLE_SLIGHT);
	/* Rounded widths would add up to another length. */
	cairo.font_options_set_hint_metrics(o, CAIRO_HINT_METRICS_OFF);
	font = cairo.scaled_font_create(face, &one, &one, o);
	d->type = cairo.scaled_font_status(font) == CAIRO_STATUS_SUCCESS;
	cairo.scaled_font_destroy(font);
	if (d->type) {
		cairo.set_font_face(d->cr, face);
		cairo.set_font_options(d->cr, o);
	}
	cairo.font_face_destroy(face);
	cairo.font_options_destroy(o);
}

static void
start_drawing(struct pb_drawing *d, int width, int height)
{
	if (cairo.create == NULL)
		pb_file_functions(LIBCAIRO,
		    sizeof(cairo_names) / sizeof(*cairo_names), cairo_names,
		    &cairo);
	if (d->form == FORM_SVG) {
		d->paper = cairo.svg_surface_create_for_stream(
		    write_bytes, d, width, height);
		cairo.svg_surface_set_document_unit(
		    d->paper, CAIRO_SVG_UNIT_PX);
	} else if (d->form == FORM_PDF) {
		d->paper = cairo.pdf_surface_create_for_stream(
		    write_bytes, d, width, height);
		/* A fixed date: equal pictures are equal files. */
		cairo.pdf_surface_set_metadata(d->paper,
		    CAIRO_PDF_METADATA_CREATE_DATE, "1970-01-01T00:00:00Z");
	} else {
		d->paper = cairo.image_surface_create(
		    CAIRO_FORMAT_RGB24, width, height);
	}
	d->cr = cairo.create(d->paper);
	cairo.set_source_rgb(d->cr, 1, 1, 1);
	cairo.paint(d->cr);
	cairo.set_line_cap(d->cr, CAIRO_LINE_CAP_ROUND);
	cairo.set_line_join(d->cr, CAIRO_LINE_JOIN_ROUND);
	choose_font(d);
}

struct pb_drawing *
pb_drawing_open(struct pb_target to, int width, int height, struct pb_error *f)
{
	struct pb_drawing *d;

	if (width < 1 || height < 1 || width > PB_DRAWING_SIDE ||
	    height > PB_DRAWING_SIDE) {
		pb_error_file_status(f, to.path, PB_ESIZE);
		return NULL;
	}
	d = pb_alloc(1, sizeof(*d));
	d->out = to.out ? to.out : stdout;
	d->form = find_form(to.path);
	/* The file gets its name once it is complete. */
	if (!to.out && strcmp(to.path, "-") != 0) {
		if (pb_file_create(to.path, &d->file, f) != 0) {
			free(d);
			return NULL;
		}
		d->out = d->file.out;
	}
	start_drawing(d, width, height);
	return d;
}

/* Write everything to the stream. */
static cairo_status_t
finish_stream(struct pb_drawing *d)
{
	cairo_status_t st;

	st = cairo.status(d->cr);
	if (st == CAIRO_STATUS_SUCCESS && d->form == FORM_PNG)
		st =
		    cairo.surface_write_to_png_stream(d->paper, write_bytes, d);
	cairo.destroy(d->cr);
	cairo.surface_finish(d->paper);
	if (st == CAIRO_STATUS_SUCCESS)
		st = cairo.surface_status(d->paper);
	cairo.surface_destroy(d->paper);
	return st;
}

int
pb_drawing_close(struct pb_drawing *d, struct pb_error *f)
{
	const char *name = d->file.path ? d->file.path : "<stdout>";
	cairo_status_t st = finish_stream(d);
	int r = 0;

	/* The first error is the reason of later ones. */
	errno = d->error;
	if (st == CAIRO_STATUS_NO_MEMORY)
		pb_msg_end_memory();
	if (st != CAIRO_STATUS_SUCCESS && d->error == 0)
		r = pb_error_file(
		    f, name, 0, NULL, "cairo: %s", cairo.status_to_string(st));
	else if (st != CAIRO_STATUS_SUCCESS)
		r = pb_error_errno(f, name, "write");
	else if (d->file.path != NULL)
		r = pb_file_finish(&d->file, f);
	else if (fflush(d->out) == EOF || ferror(d->out))
		r = pb_error_errno(f, name, "write");
	pb_file_abandon(&d->file);
	free(d);
	return r;
}

struct pb_pen
pb_full(struct pb_rgb color)
{
	return (struct pb_pen){.color = color, .opacity = 1};
}

struct pb_pen
pb_stroke(struct pb_rgb color, double width)
{
	return (struct pb_pen){.color = color, .opacity = 1, .width = width};
}

struct pb_pen
pb_ink_pen(enum pb_ink i, double opacity, double width)
{
	return (struct pb_pen){pb_inks[i].paper, opacity, width, 0, 0};
}

static bool
is_near(struct pb_vec p)
{
	return fabs(p.x) <= FAR && fabs(p.y) <= FAR;
}

static void
set_ink(struct pb_drawing *d, struct pb_rgb k, double opacity)
{
	cairo.set_source_rgba(
	    d->cr, k.r / 255.0, k.g / 255.0, k.b / 255.0, opacity);
}

/* Fill or stroke the current path. */
static void
use_pen(struct pb_drawing *d, const struct pb_pen *pen)
{
	const double dash[2] = {pen->on, pen->off};

	set_ink(d, pen->color, pen->opacity);
	if (!(pen->width > 0)) {
		cairo.fill(d->cr);
		return;
	}
	cairo.set_line_width(d->cr, pen->width);
	cairo.set_dash(d->cr, dash, pen->on > 0 ? 2 : 0, 0);
	cairo.stroke(d->cr);
}

/* Clip p..q to the visible part; false: none. */
static bool
clip_segment(
    struct pb_vec p, struct pb_vec q, struct pb_vec *a, struct pb_vec *b)
{
	double s = 0, e = 1;

	*a = p;
	*b = q;
	if (is_near(p) && is_near(q))
		return true;
	if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(q.x) ||
	    !isfinite(q.y) || !pb_clip(p.x, q.x, -FAR, FAR, &s, &e) ||
	    !pb_clip(p.y, q.y, -FAR, FAR, &s, &e))
		return false;
	*a = pb_segment_at(p, q, s);
	*b = pb_segment_at(p, q, e);
	return is_near(*a) && is_near(*b);
}

void
pb_draw_line(
    struct pb_drawing *d, const struct pb_vec *p, size_t n, struct pb_pen pen)
{
	struct pb_vec a, b, end = {NAN, NAN};

	for (size_t i = 1; i < n; i++) {
		if (!clip_segment(p[i - 1], p[i], &a, &b))
			continue;
		if (a.x != end.x || a.y != end.y)
			cairo.move_to(d->cr, a.x, a.y);
		cairo.line_to(d->cr, b.x, b.y);
		end = b;
	}
	use_pen(d, &pen);
}

void
pb_draw_segment(
    struct pb_drawing *d, struct pb_vec a, struct pb_vec b, struct pb_pen pen)
{
	const struct pb_vec p[2] = {a, b};

	pb_draw_line(d, p, 2, pen);
}

void
pb_draw_disc(struct pb_drawing *d, struct pb_vec p, double r, struct pb_pen pen)
{
	if (!is_near(p) || !(r > 0 && r <= FAR))
		return;
	/* Otherwise a line would connect the last path. */
	cairo.new_sub_path(d->cr);
	cairo.arc(d->cr, p.x, p.y, r, 0, 2 * PB_PI);
	use_pen(d, &pen);
}

void
pb_draw_box(struct pb_drawing *d, double x0, double y0, double x1, double y1,
    struct pb_pen pen)
{
	const struct pb_vec p = {x0, y0}, q = {x1, y1};

	if (!is_near(p) || !is_near(q))
		return;
	cairo.rectangle(d->cr, x0, y0, x1 - x0, y1 - y0);
	use_pen(d, &pen);
}

double
pb_type_room(const char *text, double size)
{
	return (double)pb_text_columns(text, strlen(text)) * CHARACTER * size;
}

static void
write_text(struct pb_drawing *d, struct pb_vec p, enum pb_anchor anchor,
    double size, const char *text)
{
	static const double part[] = {0, -0.5, -1, -0.5};
	double room = pb_type_room(text, size);
	cairo_text_extents_t e;

	cairo.save(d->cr);
	cairo.translate(d->cr, p.x, p.y);
	if (anchor == PB_ANCHOR_UP)
		cairo.rotate(d->cr, -PB_PI / 2);
	cairo.set_font_size(d->cr, size);
	cairo.text_extents(d->cr, text, &e);
	/* Squeeze text that is wider than its room. */
	if (e.x_advance > room)
		cairo.scale(d->cr, room / e.x_advance, 1);
	cairo.move_to(d->cr, part[anchor] * e.x_advance, CAPITAL / 2 * size);
	cairo.show_text(d->cr, text);
	cairo.restore(d->cr);
}

void
pb_draw_text(struct pb_drawing *d, struct pb_vec p, enum pb_anchor anchor,
    double size, struct pb_rgb color, const char *text)
{
	char shown[512];
	size_t left = strlen(text), n = 0, len;

	/* Copy visible characters in valid UTF-8, cut to fit. */
	for (; left > 0 && n + 5 < sizeof(shown); text += len, left -= len)
		n += pb_utf8_put(shown + n, pb_utf8_shown(text, left, &len));
	shown[n] = '\0';
	if (!is_near(p) || shown[0] == '\0' || !d->type)
		return;
	set_ink(d, color, 1);
	write_text(d, p, anchor, size, shown);
}

void
pb_draw_note(struct pb_drawing *d, double x, double y, enum pb_anchor anchor,
    const char *text)
{
	pb_draw_text(d, (struct pb_vec){x, y}, anchor, PB_TYPE,
	    pb_inks[PB_INK_TEXT].paper, text);
}

/* Add boxes for runs of dots of kind k in `rows` equal rows, as in an enlarged
 * map. Returns how many are not filled yet. */
static int
add_runs(struct pb_drawing *d, struct pb_vec at, const unsigned char *row,
    int width, int rows, int k, int boxes)
{
	for (int u = 0; u < width; u++) {
		int from = u;

		while (u < width && row[u] == k)
			u++;
		if (u == from)
			continue;
		cairo.rectangle(d->cr, at.x + from, at.y, u - from, rows);
		if (++boxes == BOXES) {
			cairo.fill(d->cr);
			boxes = 0;
		}
	}
	return boxes;
}

/* Number of equal rows from this one on. */
static int
count_equal_rows(const unsigned char *row, int width, int left)
{
	int n = 1;

	while (n < left &&
	       memcmp(row, row + (size_t)n * (size_t)width, (size_t)width) == 0)
		n++;
	return n;
}

void
pb_draw_dots(struct pb_drawing *d, int x, int y, const unsigned char *dot,
    int width, int height, const struct pb_rgb color[PB_DRAW_DOTS])
{
	pb_draw_box(d, x, y, x + width, y + height, pb_full(color[0]));
	for (int k = 1; k < PB_DRAW_DOTS; k++) {
		int boxes = 0, n;

		set_ink(d, color[k], 1);
		for (int v = 0; v < height; v += n) {
			const unsigned char *row =
			    dot + (size_t)v * (size_t)width;

			n = count_equal_rows(row, width, height - v);
			boxes = add_runs(d, (struct pb_vec){x, y + v}, row,
			    width, n, k, boxes);
		}
		cairo.fill(d->cr);
	}
}

void
pb_draw_within(struct pb_drawing *d, double x0, double y0, double x1, double y1)
{
	cairo.save(d->cr);
	cairo.rectangle(d->cr, x0, y0, x1 - x0, y1 - y0);
	cairo.clip(d->cr);
}

void
pb_draw_anywhere(struct pb_drawing *d)
{
	cairo.restore(d->cr);
}
