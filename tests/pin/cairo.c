/* cairo.c - a libcairo that writes which calls it gets, for pictures that
 * depend neither on fonts nor on cairo: cc -shared -fPIC -o libcairo.so.2
 * cairo.c */
#include <cairo/cairo-pdf.h>
#include <cairo/cairo-svg.h>
#include <cairo/cairo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define C cairo_t *c
#define S cairo_surface_t *s
#define SAY(name, args, format, ...)                              \
	void cairo_##name args                                    \
	{                                                         \
		fprintf(calls, #name format "\n", ##__VA_ARGS__); \
	}
#define MAKE(type, name, args, format, ...)                       \
	type *cairo_##name args                                   \
	{                                                         \
		fprintf(calls, #name format "\n", ##__VA_ARGS__); \
		return (type *)&text;                             \
	}
#define GOOD(name, ...)                          \
	cairo_status_t cairo_##name(__VA_ARGS__) \
	{                                        \
		return CAIRO_STATUS_SUCCESS;     \
	}

static FILE *calls;
static char *text;
static size_t length;
static double size;

static cairo_status_t
give(cairo_write_func_t f, void *user)
{
	fflush(calls);
	return f(user, (const unsigned char *)text, (unsigned)length);
}

static cairo_write_func_t stream;
static void *stream_user;

static cairo_surface_t *
begin(const char *what, double w, double h)
{
	if (calls != NULL)
		fclose(calls);
	free(text);
	calls = open_memstream(&text, &length);
	fprintf(calls, "<%s %.2f %.2f>\n", what, w, h);
	return (cairo_surface_t *)&text;
}

cairo_surface_t *
cairo_image_surface_create(cairo_format_t f, int w, int h)
{
	return begin(f == CAIRO_FORMAT_RGB24 ? "png" : "?", w, h);
}

MAKE(cairo_t, create, (S), "%s", s ? "" : "?")
MAKE(cairo_font_options_t, font_options_create, (void), "")
MAKE(cairo_font_face_t, toy_font_face_create,
    (const char *n, cairo_font_slant_t s, cairo_font_weight_t w), " %s %d %d",
    n, (int)s, (int)w)
MAKE(cairo_scaled_font_t, scaled_font_create,
    (cairo_font_face_t * f, const cairo_matrix_t *a, const cairo_matrix_t *b,
	const cairo_font_options_t *o),
    "%s", f &&a &&b &&o ? "" : "?")
GOOD(status, C)
GOOD(surface_status, S)
GOOD(scaled_font_status, cairo_scaled_font_t *f)
SAY(arc, (C, double x, double y, double r, double a, double b),
    " %.2f %.2f %.2f %.2f %.2f", x, y, r, a, b)
SAY(clip, (C), "")
SAY(destroy, (C), "")
SAY(fill, (C), "")
SAY(font_face_destroy, (cairo_font_face_t * f), "")
SAY(font_options_destroy, (cairo_font_options_t * o), "")
SAY(font_options_set_antialias, (cairo_font_options_t * o, cairo_antialias_t v),
    " %d", (int)v)
SAY(font_options_set_hint_metrics,
    (cairo_font_options_t * o, cairo_hint_metrics_t v), " %d", (int)v)
SAY(font_options_set_hint_style,
    (cairo_font_options_t * o, cairo_hint_style_t v), " %d", (int)v)
SAY(line_to, (C, double x, double y), " %.2f %.2f", x, y)
SAY(matrix_init_identity, (cairo_matrix_t * m), "")
SAY(move_to, (C, double x, double y), " %.2f %.2f", x, y)
SAY(new_sub_path, (C), "")
SAY(paint, (C), "")
SAY(pdf_surface_set_metadata, (S, cairo_pdf_metadata_t k, const char *v),
    " %d %s", (int)k, v)
SAY(rectangle, (C, double x, double y, double w, double h),
    " %.2f %.2f %.2f %.2f", x, y, w, h)
SAY(restore, (C), "")
SAY(rotate, (C, double a), " %.3f", a)
SAY(save, (C), "")
SAY(scale, (C, double x, double y), " %.3f %.3f", x, y)
SAY(scaled_font_destroy, (cairo_scaled_font_t * f), "")
SAY(set_dash, (C, const double *d, int n, double o), " %.2f %.2f %d %.2f", d[0],
    d[1], n, o)
SAY(set_font_face, (C, cairo_font_face_t *f), "")
SAY(set_font_options, (C, const cairo_font_options_t *o), "")
SAY(set_line_cap, (C, cairo_line_cap_t v), " %d", (int)v)
SAY(set_line_join, (C, cairo_line_join_t v), " %d", (int)v)
SAY(set_line_width, (C, double w), " %.2f", w)
SAY(set_source_rgb, (C, double r, double g, double b), " %.3f %.3f %.3f", r, g,
    b)
SAY(set_source_rgba, (C, double r, double g, double b, double a),
    " %.3f %.3f %.3f %.3f", r, g, b, a)
SAY(show_text, (C, const char *s), " %s", s)
SAY(stroke, (C), "")
SAY(surface_destroy, (S), "")
SAY(svg_surface_set_document_unit, (S, cairo_svg_unit_t u), " %d", (int)u)
SAY(translate, (C, double x, double y), " %.2f %.2f", x, y)

cairo_surface_t *
cairo_svg_surface_create_for_stream(
    cairo_write_func_t f, void *user, double w, double h)
{
	stream = f;
	stream_user = user;
	return begin("svg", w, h);
}

cairo_surface_t *
cairo_pdf_surface_create_for_stream(
    cairo_write_func_t f, void *user, double w, double h)
{
	stream = f;
	stream_user = user;
	return begin("pdf", w, h);
}

cairo_status_t
cairo_surface_write_to_png_stream(S, cairo_write_func_t f, void *user)
{
	return s ? give(f, user) : CAIRO_STATUS_NO_MEMORY;
}

void
cairo_surface_finish(S)
{
	if (s && stream)
		give(stream, stream_user);
	stream = NULL;
}

const char *
cairo_status_to_string(cairo_status_t st)
{
	return st ? "?" : "";
}

void
cairo_set_font_size(C, double v)
{
	fprintf(calls, "set_font_size %.2f\n", v);
	size = c ? v : 0;
}

/* Every other text is wider than its room. */
void
cairo_text_extents(C, const char *s, cairo_text_extents_t *e)
{
	memset(e, 0, sizeof(*e));
	e->x_advance =
	    c ? (strlen(s) % 2 ? 0.5 : 0.7) * size * (double)strlen(s) : 0;
}
