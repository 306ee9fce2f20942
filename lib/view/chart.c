/* chart.c - rates with intervals and histograms in the terminal. */
#include "view/chart.h"

#include <math.h>
#include <string.h>

#include "view/glyphs.h"
#include "view/glyphs.h"

/* Columns of the widest label, and room for a bar beside it. */
static int
label_columns(const struct pb_rate *r, size_t n, int width)
{
	size_t w = 0;

	for (size_t i = 0; i < n; i++) {
		size_t k = pb_text_columns(r[i].label, strlen(r[i].label));

		w = k > w ? k : w;
	}
	return (int)w > width / 3 ? width / 3 : (int)w;
}

static int
column(double v, int bar)
{
	v = !(v > 0) ? 0 : v > 1 ? 1 : v;
	return (int)floor(v * (bar - 1) + 0.5);
}

/* The interval as a line with ends, the rate as a dot on it. */
static void
rate_line(struct pb_glyphs *c, int y, int x, int bar, const struct pb_rate *r,
    const struct pb_tty *t)
{
	int lo = column(r->lo, bar), hi = column(r->hi, bar);

	for (int i = 0; i < bar; i++)
		pb_glyphs_put(c, x + i, y, t->utf8 ? 0xb7 : '.', PB_INK_DIM);
	for (int i = lo; i <= hi; i++)
		pb_glyphs_put(c, x + i, y,
		    !t->utf8  ? (i == lo || i == hi ? '|' : '-')
		    : i == lo ? 0x251c
		    : i == hi ? 0x2524
			      : 0x2500,
		    PB_INK_PATH);
	pb_glyphs_put(c, x + column(r->rate, bar), y, t->utf8 ? 0x25cf : 'o',
	    PB_INK_PELLET);
}

/* 0, 50 and 100 % under the bars. */
static void
rate_axis(struct pb_glyphs *c, int y, int x, int bar)
{
	pb_glyphs_text(c, x, y, "0", PB_INK_DIM);
	if (bar >= 20)
		pb_glyphs_text(
		    c, x + column(0.5, bar) - 1, y, "50", PB_INK_DIM);
	pb_glyphs_text(c, x + bar - 3, y, "100 %", PB_INK_DIM);
}

void
pb_chart_rates(
    const struct pb_rate *r, size_t n, const struct pb_tty *t, FILE *f)
{
	int label = label_columns(r, n, t->width), x = label + 2;
	int bar = t->width - x - 24;
	struct pb_glyphs c;
	char text[64];

	if (bar < 10)
		bar = 10;
	if (n == 0 || n > PB_RENDER_CHARS ||
	    pb_glyphs_init(&c, x + bar + 24, (int)n + 1) != PB_OK)
		return;
	for (size_t i = 0; i < n; i++) {
		int y = (int)i;

		pb_glyphs_text(&c, 0, y, r[i].label, PB_INKS);
		for (int k = label; k < x; k++)
			pb_glyphs_put(&c, k, y, ' ', PB_INKS);
		rate_line(&c, y, x, bar, &r[i], t);
		snprintf(text, sizeof(text), "%5.1f %% [%.1f, %.1f]",
		    100 * r[i].rate, 100 * r[i].lo, 100 * r[i].hi);
		pb_glyphs_text(&c, x + bar + 1, y, text, PB_INKS);
	}
	rate_axis(&c, (int)n, x, bar);
	pb_glyphs_print(&c, t->depth, false, f);
	pb_glyphs_clear(&c);
}

/* A bar of `eighths` of columns. */
static void
count_bar(struct pb_glyphs *c, int x, int y, long eighths, bool utf8)
{
	for (; eighths >= 8; eighths -= 8)
		pb_glyphs_put(c, x++, y, utf8 ? 0x2588 : '#', PB_INK_WALL);
	if (eighths == 0)
		return;
	if (utf8)
		pb_glyphs_put(c, x, y, 0x2590 - (uint32_t)eighths, PB_INK_WALL);
	else
		pb_glyphs_put(c, x, y, eighths >= 4 ? '#' : ':', PB_INK_WALL);
}

void
pb_chart_counts(const char *what, const unsigned long long *count, size_t n,
    double first, double step, const struct pb_tty *t, FILE *f)
{
	unsigned long long most = 0, all = 0;
	int bar = t->width - 8 - 20;
	struct pb_glyphs c;
	char text[64];

	for (size_t i = 0; i < n; i++) {
		all += count[i];
		most = count[i] > most ? count[i] : most;
	}
	bar = bar < 10 ? 10 : bar;
	if (n == 0 || n > PB_RENDER_CHARS ||
	    pb_glyphs_init(&c, bar + 28, (int)n + 1) != PB_OK)
		return;
	pb_glyphs_text(&c, 0, 0, what, PB_INKS);
	for (size_t i = 0; i < n; i++) {
		double part = most == 0 ? 0 : (double)count[i] / (double)most;
		long w = (long)ceil(part * 8 * bar);
		int x = 8 + (int)(w + 7) / 8 + 1;

		snprintf(text, sizeof(text), "%6.6g", first + (double)i * step);
		pb_glyphs_text(&c, 0, (int)i + 1, text, PB_INKS);
		count_bar(&c, 8, (int)i + 1, w, t->utf8);
		snprintf(text, sizeof(text), "%llu (%.1f %%)", count[i],
		    all == 0 ? 0 : 100.0 * (double)count[i] / (double)all);
		pb_glyphs_text(&c, x, (int)i + 1, text, PB_INKS);
	}
	pb_glyphs_print(&c, t->depth, false, f);
	pb_glyphs_clear(&c);
}
