/* charts.c - performance profiles in the terminal and as PNG. */
#include "view/charts.h"

#include <math.h>
#include <string.h>

#include "io/stream/utf8.h"
#include "view/canvas.h"
#include "view/glyphs.h"
#include "view/glyphs.h"
#include "view/viewport.h"

/* Told apart by every eye, and by their letters without any colour. */
static const enum pb_ink inks[PB_PROFILE_CURVES] = {PB_INK_TARGET, PB_INK_GHOST,
    PB_INK_PATH, PB_INK_OTHER, PB_INK_PELLET, PB_INK_TEXT, PB_INK_DEATH,
    PB_INK_DIM};

double
pb_profile_at(const struct pb_profile_curve *c, double x, bool at_most)
{
	size_t lo = 0, hi = c->n;

	/* The first value above x, or the first not below it. */
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (at_most ? c->value[mid] <= x : c->value[mid] < x)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (double)(at_most ? lo : c->n - lo) / (double)c->all;
}

#define ROUNDING 1e-6 /* values nearer than this part of them are one place */

/*
 * Where the horizontal axis begins and ends; false if there is none: without
 * any value, or with values too large to subtract.
 */
static bool
range(const struct pb_profile *p, double *from, double *to)
{
	bool any = false;

	for (int i = 0; i < p->curves; i++) {
		const struct pb_profile_curve *c = &p->curve[i];

		if (c->n == 0)
			continue;
		*from = !any || c->value[0] < *from ? c->value[0] : *from;
		*to =
		    !any || c->value[c->n - 1] > *to ? c->value[c->n - 1] : *to;
		any = true;
	}
	if (any && *from > 0 && *from < *to / 2)
		*from = 0;
	/* An axis needs some length, more than rounding leaves of it. */
	if (any && !(*to - *from > ROUNDING * fabs(*from)))
		*to = *from + fmax(1, ROUNDING * fabs(*from));
	return any && isfinite(*to - *from);
}

/* --- the terminal --- */

#define LINES 16 /* of the plot */
#define LEFT  6  /* columns of the numbers at its left */

struct plot {
	const struct pb_profile *p;
	struct pb_glyphs c;
	double from, to;
	int width; /* columns of the plot */
};

static void
print_grid(struct plot *g, bool utf8)
{
	char text[16];

	for (int y = 0; y <= LINES; y++) {
		pb_glyphs_put(
		    &g->c, LEFT - 1, y, utf8 ? 0x2502 : '|', PB_INK_DIM);
		if (y % 4 != 0)
			continue;
		snprintf(text, sizeof(text), "%3d", 100 - 100 * y / LINES);
		pb_glyphs_text(&g->c, 0, y, text, PB_INKS);
		for (int x = 0; x < g->width; x++)
			pb_glyphs_put(&g->c, LEFT + x, y, utf8 ? 0x00b7 : '.',
			    PB_INK_DIM);
	}
	pb_glyphs_text(&g->c, 3, 0, "%", PB_INKS);
}

static void
print_curve(struct plot *g, int i)
{
	for (int x = 0; x < g->width; x++) {
		double v = g->from + (g->to - g->from) * x / (g->width - 1);
		double share = pb_profile_at(&g->p->curve[i], v, g->p->at_most);

		pb_glyphs_put(&g->c, LEFT + x,
		    (int)floor(LINES * (1 - share) + 0.5), 'a' + (uint32_t)i,
		    inks[i]);
	}
}

/* Numbers below: left, middle, right; then what they are. */
static void
print_axis(struct plot *g)
{
	char text[32];
	int at;

	for (int k = 0; k < 3; k++) {
		snprintf(text, sizeof(text), "%.4g",
		    g->from + (g->to - g->from) * k / 2);
		at = LEFT + (g->width - 1) * k / 2 - (int)strlen(text) * k / 2;
		pb_glyphs_text(&g->c, at, LINES + 1, text, PB_INKS);
	}
	at = pb_glyphs_text(&g->c, LEFT, LINES + 2,
	    g->p->at_most ? "share of trials at most so many: "
			  : "share of trials at least so many: ",
	    PB_INK_DIM);
	pb_glyphs_text(&g->c, at, LINES + 2, g->p->what, PB_INKS);
}

enum pb_status
pb_profile_print(const struct pb_profile *p, const struct pb_tty *t, FILE *f)
{
	struct plot g = {.p = p, .width = t->width - LEFT - 1};
	char text[16];

	if (!range(p, &g.from, &g.to))
		return PB_EVALUE;
	g.width = g.width < 20 ? 20 : g.width;
	if (pb_glyphs_init(&g.c, LEFT + g.width, LINES + 3 + p->curves) !=
	    PB_OK)
		return PB_ENOMEM;
	print_grid(&g, t->utf8);
	/* The first is the one that people look for: it is drawn last. */
	for (int i = p->curves - 1; i >= 0; i--)
		print_curve(&g, i);
	print_axis(&g);
	for (int i = 0; i < p->curves; i++) {
		snprintf(text, sizeof(text), "%c  ", 'a' + i);
		pb_glyphs_text(&g.c,
		    pb_glyphs_text(&g.c, LEFT, LINES + 3 + i, text, inks[i]),
		    LINES + 3 + i, p->curve[i].label, PB_INKS);
	}
	if (p->title[0] != '\0') {
		pb_utf8_print(p->title, f);
		putc('\n', f);
	}
	pb_glyphs_print(&g.c, t->depth, false, f);
	pb_glyphs_clear(&g.c);
	return PB_OK;
}

/* --- PNG --- */

#define FONT   2   /* pixels per dot of the font */
#define X0     90  /* left end of the plot (px) */
#define Y0     70  /* its top (px) */
#define WIDTH  760 /* its size (px) */
#define HEIGHT 440
#define KEYS   30 /* height of a line of the key (px) */

struct page {
	const struct pb_profile *p;
	struct pb_canvas c;
	double from, to;
};

static struct pb_vec
place(const struct page *g, double x, double share)
{
	/* The share of the axis first: values may be too large to multiply. */
	return (struct pb_vec){X0 + WIDTH * ((x - g->from) / (g->to - g->from)),
	    Y0 + HEIGHT * (1 - share)};
}

static void
draw_shares(struct page *g)
{
	struct pb_rgb k = pb_ink_paper(PB_INK_TEXT);
	char text[16];

	for (int i = 0; i <= 10; i++) {
		int y = Y0 + HEIGHT * i / 10;

		pb_canvas_fill(
		    &g->c, X0, y, X0 + WIDTH, y + 1, k, i == 10 ? 0.8 : 0.12);
		if (i % 2 != 0)
			continue;
		snprintf(text, sizeof(text), "%d%s", 100 - 10 * i,
		    i == 0 ? " %" : "");
		pb_canvas_text(&g->c, X0 - 12 - pb_text_width(text, FONT),
		    y - 7, FONT, text, k);
	}
}

static void
draw_values(struct page *g)
{
	struct pb_rgb k = pb_ink_paper(PB_INK_TEXT);
	const struct pb_axis axis = {"", g->from, 1};
	double length = g->to - g->from, step = pb_nice_above(length / 8), lo;
	int n = pb_axis_ticks(axis, length, step, &lo), w;
	char text[32];

	for (int i = 0; i < n; i++) {
		int x = pb_canvas_whole(place(g, (lo + i) * step, 0).x);

		pb_canvas_fill(&g->c, x, Y0, x + 1, Y0 + HEIGHT + 6, k, 0.12);
		pb_axis_text(text, sizeof(text), step, lo + i);
		pb_canvas_text(&g->c, x - pb_text_width(text, FONT) / 2,
		    Y0 + HEIGHT + 12, FONT, text, k);
	}
	w = pb_text_width(g->p->what, FONT);
	pb_canvas_text(
	    &g->c, X0 + (WIDTH - w) / 2, Y0 + HEIGHT + 38, FONT, g->p->what, k);
	pb_canvas_text_up(&g->c, 14, Y0 + HEIGHT - 40, FONT,
	    g->p->at_most ? "trials that are at most there"
			  : "trials that are at least there",
	    k);
}

/* The letter of curve i on a disc, so that colour is not needed. */
static void
draw_letter(struct page *g, struct pb_vec at, int i)
{
	char text[2] = {(char)('a' + i), '\0'};

	pb_canvas_disc(&g->c, at, 11, pb_ink_paper(inks[i]), 1);
	pb_canvas_disc(&g->c, at, 9, pb_ink_paper(PB_INK_PAPER), 1);
	pb_canvas_text(&g->c, pb_canvas_whole(at.x) - 5,
	    pb_canvas_whole(at.y) - 7, FONT, text, pb_ink_paper(PB_INK_TEXT));
}

static void
draw_curve(struct page *g, int i)
{
	const struct pb_profile_curve *c = &g->p->curve[i];
	struct pb_rgb k = pb_ink_paper(inks[i]);
	struct pb_vec last = place(g, g->from, 0);
	double mark = WIDTH * 0.5 * (i + 0.5) / g->p->curves;

	/* Letters sit where curves have come apart. */
	if (g->p->at_most)
		mark = WIDTH - mark;
	for (int x = 0; x <= WIDTH; x++) {
		double v = g->from + (g->to - g->from) * x / WIDTH;
		struct pb_vec at =
		    place(g, v, pb_profile_at(c, v, g->p->at_most));

		if (x > 0)
			pb_canvas_line(&g->c, last, at, 3, k, 1);
		last = at;
	}
	draw_letter(g,
	    place(g, g->from + (g->to - g->from) * mark / WIDTH,
		pb_profile_at(c, g->from + (g->to - g->from) * mark / WIDTH,
		    g->p->at_most)),
	    i);
}

static void
draw_key(struct page *g)
{
	int y = Y0 + HEIGHT + 72;
	char text[128];

	for (int i = 0; i < g->p->curves; i++, y += KEYS) {
		const struct pb_profile_curve *c = &g->p->curve[i];

		draw_letter(g, (struct pb_vec){X0 + 12, y + 7}, i);
		snprintf(text, sizeof(text),
		    "%.60s: %zu trials, %zu with a value", c->label, c->all,
		    c->n);
		pb_canvas_text(
		    &g->c, X0 + 34, y, FONT, text, pb_ink_paper(PB_INK_TEXT));
	}
}

int
pb_profile_png(const struct pb_profile *p, const char *path, struct pb_fault *f)
{
	struct page g = {.p = p};
	int e, big;

	if (!range(p, &g.from, &g.to))
		return pb_fault_set(
		    f, path, 0, NULL, "no trial has a value to draw");
	if (pb_canvas_init(&g.c, X0 + WIDTH + 50,
		Y0 + HEIGHT + 80 + KEYS * p->curves,
		pb_ink_paper(PB_INK_PAPER)) != PB_OK)
		return pb_fault_set(f, path, 0, NULL, "out of memory");
	big = pb_text_width(p->title, FONT + 1) < g.c.width - 40 ? FONT + 1
	                                                         : FONT;
	pb_canvas_text(&g.c, 20, 20, big, p->title, pb_ink_paper(PB_INK_TEXT));
	draw_shares(&g);
	draw_values(&g);
	for (int i = p->curves - 1; i >= 0; i--)
		draw_curve(&g, i);
	draw_key(&g);
	e = pb_canvas_png(&g.c, path, f);
	pb_canvas_clear(&g.c);
	return e;
}
