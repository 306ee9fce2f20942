/* chartpng.c - rates with intervals as a PNG chart. */
#include "view/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/canvas.h"

#define FONT 2   /* pixels per dot of the font */
#define ROW  40  /* height of a rate (px) */
#define BAR  700 /* width of 0 to 100 % (px) */
#define TOP  70  /* of the first row (px) */
#define MOST 100 /* rates */

/* Width of the labels (px). */
static int
labels(const struct pb_rate *r, size_t n)
{
	int w = 0;

	for (size_t i = 0; i < n; i++) {
		int k = pb_text_width(r[i].label, FONT);

		w = k > w ? k : w;
	}
	return w > BAR ? BAR : w;
}

/* Vertical lines each 10 %, with numbers each 20 %. */
static void
grid(struct pb_canvas *c, int x, int bottom)
{
	struct pb_rgb k = pb_ink_paper(PB_INK_TEXT);
	char text[16];

	for (int i = 0; i <= 10; i++) {
		int u = x + BAR * i / 10;

		pb_canvas_fill(c, u, TOP, u + 1, bottom, k,
		    i == 0 || i == 10 ? 0.8 : 0.12);
		if (i % 2 != 0)
			continue;
		snprintf(
		    text, sizeof(text), "%d%s", 10 * i, i == 10 ? " %" : "");
		pb_canvas_text(c, u - pb_text_width(text, FONT) / 2, bottom + 8,
		    FONT, text, k);
	}
}

/* A bar up to the rate, its interval with ends, the number. */
static void
row(struct pb_canvas *c, int x, int y, const struct pb_rate *r)
{
	struct pb_rgb k = pb_ink_paper(PB_INK_TEXT);
	double u = x + BAR * r->rate, lo = x + BAR * r->lo;
	double hi = x + BAR * r->hi, m = y + ROW / 2.0;
	char text[64];

	pb_canvas_fill(c, x, y + 8, (int)(u + 0.5), y + ROW - 8,
	    pb_ink_paper(PB_INK_SCAN), 0.35);
	pb_canvas_line(
	    c, (struct pb_vec){lo, m}, (struct pb_vec){hi, m}, 3, k, 1);
	for (int i = 0; i < 2; i++) {
		double e = i ? hi : lo;

		pb_canvas_line(c, (struct pb_vec){e, m - 7},
		    (struct pb_vec){e, m + 7}, 3, k, 1);
	}
	pb_canvas_disc(c, (struct pb_vec){u, m}, 6, k, 1);
	pb_canvas_disc(
	    c, (struct pb_vec){u, m}, 4, pb_ink_paper(PB_INK_PELLET), 1);
	snprintf(text, sizeof(text), "%.1f [%.1f, %.1f]", 100 * r->rate,
	    100 * r->lo, 100 * r->hi);
	pb_canvas_text(c, x + BAR + 20, (int)m - 7, FONT, text, k);
	pb_canvas_text(c, x - 14 - pb_text_width(r->label, FONT), (int)m - 7,
	    FONT, r->label, k);
}

int
pb_chart_png(const char *title, const struct pb_rate *r, size_t n,
    const char *path, struct pb_fault *f)
{
	int x = labels(r, n) + 34, bottom = TOP + (int)n * ROW + 8, e, big;
	struct pb_canvas c;

	if (n == 0 || n > MOST)
		return pb_fault_set(f, path, 0, NULL,
		    "expected 1 to %d rates, got %zu", MOST, n);
	if (pb_canvas_init(&c, x + BAR + 20 + 12 * 20 + 20, bottom + 50,
		pb_ink_paper(PB_INK_PAPER)) != PB_OK)
		return pb_fault_nomem(f, path);
	big = pb_text_width(title, FONT + 1) < c.width - 40 ? FONT + 1 : FONT;
	pb_canvas_text(&c, 20, 18, big, title, pb_ink_paper(PB_INK_TEXT));
	grid(&c, x, bottom);
	for (size_t i = 0; i < n; i++)
		row(&c, x, TOP + 4 + (int)i * ROW, &r[i]);
	e = pb_canvas_png(&c, path, f);
	pb_canvas_clear(&c);
	return e;
}
