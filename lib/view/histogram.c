/* histogram.c - how the values of trials are spread. */
#include "view/histogram.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "view/canvas.h"
#include "view/chart.h"
#include "view/viewport.h"

/* Ends of the values; false if there are none. *whole: integers only. */
static bool
range(const struct pb_profile *p, double *from, double *to, bool *whole)
{
	bool any = false;

	*whole = true;
	for (int i = 0; i < p->curves; i++) {
		const struct pb_profile_curve *c = &p->curve[i];

		if (c->n == 0)
			continue;
		*from = any ? fmin(*from, c->value[0]) : c->value[0];
		*to = any ? fmax(*to, c->value[c->n - 1]) : c->value[c->n - 1];
		any = true;
		for (size_t k = 0; k < c->n; k++)
			*whole &= c->value[k] == floor(c->value[k]);
	}
	return any && isfinite(*to - *from);
}

bool
pb_histogram_bins(const struct pb_profile *p, struct pb_bins *b)
{
	double from = 0, to = 0;
	bool whole;

	if (!range(p, &from, &to, &whole))
		return false;
	b->step = to > from ? pb_nice_above((to - from) / 20) : 1;
	if (whole && b->step < 1)
		b->step = 1;
	b->first = floor(from / b->step) * b->step;
	b->n = (int)floor((to - b->first) / b->step) + 1;
	return b->n >= 1 && b->n <= PB_HISTOGRAM_BINS;
}

void
pb_histogram_count(const struct pb_profile_curve *c, const struct pb_bins *b,
    unsigned long long count[PB_HISTOGRAM_BINS])
{
	memset(count, 0, PB_HISTOGRAM_BINS * sizeof(*count));
	for (size_t k = 0; k < c->n; k++) {
		int i = (int)floor((c->value[k] - b->first) / b->step);

		count[i < 0 ? 0 : i < b->n ? i : b->n - 1]++;
	}
}

enum pb_status
pb_histogram_print(const struct pb_profile *p, const struct pb_tty *t, FILE *f)
{
	unsigned long long count[PB_HISTOGRAM_BINS];
	char what[200];
	struct pb_bins b;

	if (!pb_histogram_bins(p, &b))
		return PB_EVALUE;
	for (int i = 0; i < p->curves; i++) {
		const struct pb_profile_curve *c = &p->curve[i];

		if (i > 0)
			putc('\n', f);
		snprintf(what, sizeof(what), "%.100s: %s; %zu of %zu trials",
		    c->label, p->what, c->n, c->all);
		pb_histogram_count(c, &b, count);
		pb_chart_counts(
		    what, count, (size_t)b.n, b.first, b.step, t, f);
	}
	return PB_OK;
}

/* --- PNG --- */

#define FONT   2   /* pixels per dot of the font */
#define X0     80  /* left end of the bars (px) */
#define Y0     60  /* top of the first panel (px) */
#define WIDTH  760 /* of the bars (px) */
#define HEIGHT 130 /* of the bars of a panel (px) */
#define PANEL  180 /* from a panel to the next (px) */

struct page {
	const struct pb_profile *p;
	struct pb_bins b;
	struct pb_canvas c;
	double most; /* the largest share of trials in a bin */
};

/* Lines at half and at the whole of the largest share. */
static void
draw_shares(struct page *g, int y)
{
	struct pb_rgb k = pb_ink_paper(PB_INK_TEXT);
	char text[16];

	for (int i = 0; i <= 2; i++) {
		int v = y + HEIGHT - HEIGHT * i / 2;

		pb_canvas_fill(
		    &g->c, X0, v, X0 + WIDTH, v + 1, k, i == 0 ? 0.8 : 0.15);
		snprintf(text, sizeof(text), "%.3g%s", 50 * i * g->most,
		    i == 2 ? "%" : "");
		pb_canvas_text(&g->c, X0 - 10 - pb_text_width(text, FONT),
		    v - 7, FONT, text, k);
	}
}

static void
draw_bars(struct page *g, int i)
{
	const struct pb_profile_curve *c = &g->p->curve[i];
	unsigned long long count[PB_HISTOGRAM_BINS];
	int y = Y0 + 30 + i * PANEL;
	char text[160];

	snprintf(text, sizeof(text), "%.60s: %zu of %zu trials", c->label, c->n,
	    c->all);
	pb_canvas_text(
	    &g->c, X0, y - 26, FONT, text, pb_ink_paper(PB_INK_TEXT));
	draw_shares(g, y);
	pb_histogram_count(c, &g->b, count);
	for (int k = 0; k < g->b.n; k++) {
		double share = (double)count[k] / (double)c->all;
		int h = (int)(HEIGHT * share / g->most + 0.5);

		pb_canvas_fill(&g->c, X0 + WIDTH * k / g->b.n + 1,
		    y + HEIGHT - h, X0 + WIDTH * (k + 1) / g->b.n - 1,
		    y + HEIGHT, pb_ink_paper(PB_INK_TARGET), 0.85);
	}
}

/* Where bins begin, under the last panel; every other one if they are many. */
static void
draw_axis(struct page *g)
{
	int y = Y0 + 30 + (g->p->curves - 1) * PANEL + HEIGHT + 10, w;
	int every = g->b.n > 12 ? 4 : 1;
	struct pb_rgb k = pb_ink_paper(PB_INK_TEXT);
	char text[32];

	assert(g->b.n > 0);
	for (int i = 0; i <= g->b.n; i += every) {
		int x = X0 + WIDTH * i / g->b.n;

		pb_canvas_fill(&g->c, x, y - 10, x + 1, y - 4, k, 0.8);
		pb_axis_text(text, sizeof(text), g->b.step,
		    floor(g->b.first / g->b.step + 0.5) + i);
		pb_canvas_text(
		    &g->c, x - pb_text_width(text, FONT) / 2, y, FONT, text, k);
	}
	w = pb_text_width(g->p->what, FONT);
	pb_canvas_text(
	    &g->c, X0 + (WIDTH - w) / 2, y + 26, FONT, g->p->what, k);
}

static double
largest_share(const struct page *g)
{
	unsigned long long count[PB_HISTOGRAM_BINS];
	double most = 0;

	for (int i = 0; i < g->p->curves; i++) {
		pb_histogram_count(&g->p->curve[i], &g->b, count);
		for (int k = 0; k < g->b.n; k++)
			most = fmax(most,
			    (double)count[k] / (double)g->p->curve[i].all);
	}
	return most;
}

int
pb_histogram_png(
    const struct pb_profile *p, const char *path, struct pb_fault *f)
{
	struct page g = {.p = p};
	int e;

	if (!pb_histogram_bins(p, &g.b))
		return pb_fault_set(
		    f, path, 0, NULL, "no trial has a value to draw");
	if (pb_canvas_init(&g.c, X0 + WIDTH + 40, Y0 + p->curves * PANEL + 60,
		pb_ink_paper(PB_INK_PAPER)) != PB_OK)
		return pb_fault_nomem(f, path);
	g.most = largest_share(&g);
	pb_canvas_text(
	    &g.c, 20, 18, FONT + 1, p->title, pb_ink_paper(PB_INK_TEXT));
	for (int i = 0; i < p->curves; i++)
		draw_bars(&g, i);
	draw_axis(&g);
	e = pb_canvas_png(&g.c, path, f);
	pb_canvas_clear(&g.c);
	return e;
}
