/* table.c - aligned tables for people. */
#include "view/table.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "io/stream/line.h"
#include "io/stream/text.h"
#include "view/term.h"

struct pb_table {
	char *align; /* one letter a column */
	size_t keys; /* columns that each part of the table begins with */
	size_t columns;
	char **cell; /* row by row; those missing in the last are empty */
	size_t cells, cap;
	bool failed; /* there was no memory */
};

/* Width of a column, and what of it lies before and from the point on. */
struct width {
	size_t all, before, after;
};

/* How a table is laid out: its widths, and what may go on below. */
struct layout {
	struct width *w; /* of each column */
	bool broken;     /* headings and text take several lines */
	size_t from, to; /* columns of a part, beside the keys */
};

/* Narrower than this no column of text becomes, and no table. */
enum { NARROW = 12, LEAST = 40 };

struct pb_table *
pb_table_new(const char *align)
{
	struct pb_table *t = calloc(1, sizeof(*t));
	char *bar;

	if (t == NULL || (t->align = strdup(align)) == NULL) {
		free(t);
		return NULL;
	}
	bar = strchr(t->align, '|');
	t->keys = bar == NULL ? 1 : (size_t)(bar - t->align);
	if (bar != NULL)
		memmove(bar, bar + 1, strlen(bar));
	t->columns = strlen(t->align);
	return t;
}

void
pb_table_free(struct pb_table *t)
{
	if (t == NULL)
		return;
	for (size_t i = 0; i < t->cells; i++)
		free(t->cell[i]);
	free(t->cell);
	free(t->align);
	free(t);
}

void
pb_table_put(struct pb_table *t, const char *text)
{
	if (t == NULL || t->failed)
		return;
	t->failed = !pb_grow(&t->cell, t->cells, &t->cap, sizeof(*t->cell)) ||
	            (t->cell[t->cells] = strdup(text)) == NULL;
	t->cells += !t->failed;
}

void
pb_table_putf(struct pb_table *t, const char *format, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	for (char *cell = text, *next; cell != NULL; cell = next) {
		if ((next = strchr(cell, '|')) != NULL)
			*next++ = '\0';
		pb_table_put(t,
		    strcmp(cell + strspn(cell, "+-"), "nan") == 0 ? "" : cell);
	}
}

bool
pb_table_has(const struct pb_table *t, const char *text)
{
	for (size_t i = 0; t != NULL && i < t->cells; i++)
		if (strcmp(t->cell[i], text) == 0)
			return true;
	return false;
}

static size_t
rows_of(const struct pb_table *t)
{
	return (t->cells + t->columns - 1) / t->columns;
}

/* Bytes of s before its decimal point, all if it has none. */
static size_t
point(const char *s)
{
	const char *p = strchr(s, '.');

	return p == NULL ? strlen(s) : (size_t)(p - s);
}

static const char *
text_of(const struct pb_table *t, size_t row, size_t c)
{
	size_t i = row * t->columns + c;

	return i < t->cells ? t->cell[i] : "";
}

/* Headings and words stand to the right in a column of numbers. */
static bool
at_point(const struct pb_table *t, size_t row, size_t c)
{
	const char *s = text_of(t, row, c);

	return t->align[c] == '.' && row > 0 && strspn(s, "0123456789+-") > 0;
}

/* The least columns in which s takes two lines. */
static size_t
two_lines(const char *s)
{
	size_t all = pb_text_columns(s, strlen(s));

	for (size_t max = (all + 1) / 2; max < all; max++) {
		const char *rest;

		pb_columns_line(s, max, &rest);
		if (pb_text_columns(rest, strlen(rest)) <= max &&
		    (rest == s || rest[-1] == ' '))
			return max;
	}
	return all;
}

static struct width
width_of(const struct pb_table *t, size_t c, bool broken)
{
	struct width w = {0, 0, 0};

	for (size_t r = 0; r < rows_of(t); r++) {
		const char *s = text_of(t, r, c);
		size_t n = strlen(s), k;

		if (at_point(t, r, c)) {
			k = point(s);
			if (pb_text_columns(s, k) > w.before)
				w.before = pb_text_columns(s, k);
			if (pb_text_columns(s + k, n - k) > w.after)
				w.after = pb_text_columns(s + k, n - k);
			continue;
		}
		k = broken && r == 0 ? two_lines(s) : pb_text_columns(s, n);
		if (k > w.all)
			w.all = k;
	}
	if (w.before + w.after > w.all)
		w.all = w.before + w.after;
	return w;
}

static void
take_widths(const struct pb_table *t, struct layout *l, bool broken)
{
	l->broken = broken;
	for (size_t c = 0; c < t->columns; c++)
		l->w[c] = width_of(t, c, broken);
}

static size_t
width_from(const struct layout *l, size_t from, size_t to)
{
	size_t sum = 0;

	for (size_t c = from; c < to; c++)
		sum += l->w[c].all + (c > from ? 2 : 0);
	return sum;
}

/* A column without a heading, an interval, belongs to the one before it. */
static bool
goes_on(const struct pb_table *t, size_t c)
{
	return c > 0 && c < t->columns && *text_of(t, 0, c) == '\0';
}

/* Take from the widest columns of text in [from, to) until they fit. */
static void
shrink(const struct pb_table *t, struct layout *l, size_t from, size_t to,
    size_t width)
{
	while (width_from(l, from, to) > width) {
		size_t best = to;

		for (size_t c = from; c < to; c++)
			if (t->align[c] == 'l' && !goes_on(t, c) &&
			    l->w[c].all > NARROW &&
			    (best == to || l->w[c].all > l->w[best].all))
				best = c;
		if (best == to)
			return;
		l->w[best].all--;
	}
}

/* Put headings back on one line as long as there is room. */
static void
mend_headings(const struct pb_table *t, struct layout *l, size_t width)
{
	for (size_t c = 0; c < t->columns; c++) {
		struct width was = l->w[c], one = width_of(t, c, false);

		if (one.all > was.all && t->align[c] != 'l')
			l->w[c] = one;
		if (width_from(l, 0, t->columns) > width)
			l->w[c] = was;
	}
}

/* The end of the columns that stay with column c. */
static size_t
group_end(const struct pb_table *t, size_t c)
{
	do
		c++;
	while (goes_on(t, c));
	return c;
}

/* Make the first columns narrow enough for any other to stand beside them. */
static void
part_keys(const struct pb_table *t, struct layout *l, size_t width)
{
	size_t most = NARROW, next;

	for (size_t c = t->keys; c < t->columns; c = next) {
		next = group_end(t, c);
		shrink(t, l, c, next, width / 3);
		if (width_from(l, c, next) > most)
			most = width_from(l, c, next);
	}
	shrink(t, l, 0, t->keys, most + 2 < width ? width - 2 - most : 0);
	for (size_t c = t->keys; c < t->columns; c++)
		if (t->align[c] == 'l' && !goes_on(t, c)) {
			l->w[c] = width_of(t, c, true);
			shrink(t, l, c, c + 1,
			    width - 2 - width_from(l, 0, t->keys));
		}
}

/*
 * As it comes if that fits; else with headings and long texts over several
 * lines; what does not fit even then goes into parts of its own.
 */
static void
lay_out(const struct pb_table *t, struct layout *l, size_t width)
{
	take_widths(t, l, false);
	if (width_from(l, 0, t->columns) <= width)
		return;
	take_widths(t, l, true);
	shrink(t, l, 0, t->columns, width);
	if (width_from(l, 0, t->columns) <= width) {
		mend_headings(t, l, width);
		return;
	}
	take_widths(t, l, true);
	part_keys(t, l, width);
}

/* The end of the part that begins with column `from`, behind the keys. */
static size_t
part_end(
    const struct pb_table *t, const struct layout *l, size_t from, size_t width)
{
	size_t used = width_from(l, 0, t->keys), to = from;

	while (to < t->columns) {
		size_t next = group_end(t, to);

		if (to > from && used + 2 + width_from(l, to, next) > width)
			break;
		used += 2 + width_from(l, to, next);
		to = next;
	}
	return to;
}

/* Whether the part has column c: the keys, then its own. */
static bool
shown(const struct pb_table *t, const struct layout *l, size_t c)
{
	return c < t->keys || (c >= l->from && c < l->to);
}

/* A line of dashes under each column. */
static void
rule(const struct pb_table *t, const struct layout *l, bool utf8, FILE *f)
{
	for (size_t c = 0; c < l->to; c++) {
		if (!shown(t, l, c))
			continue;
		fputs(c > 0 ? "  " : "", f);
		for (size_t i = 0; i < l->w[c].all; i++)
			pb_columns_put(utf8 ? 0x2500 : '-', f);
	}
	putc('\n', f);
}

/*
 * A line of a cell, n bytes of s; `pending` blanks come before it and the
 * blanks after it are returned, so that none is printed at the end of a line.
 */
static size_t
cell(const struct pb_table *t, size_t row, size_t c, struct width w,
    const char *s, size_t n, size_t pending, FILE *f)
{
	size_t used = pb_text_columns(s, n), lead = 0;

	if (n == 0)
		return pending + w.all;
	if (at_point(t, row, c))
		lead = w.all - w.after - pb_text_columns(s, point(s));
	else if (t->align[c] != 'l')
		lead = w.all - used;
	fprintf(f, "%*s", (int)(pending + lead), "");
	for (size_t len; n > 0; s += len, n -= len)
		pb_columns_put(pb_utf8_shown(s, n, &len), f);
	return w.all - used - lead;
}

/* Bytes of a line of a cell, which *s becomes; 0 where it has none. */
static size_t
line_of(const struct pb_table *t, const struct layout *l, size_t r, size_t c,
    size_t line, const char **s)
{
	const char *rest = text_of(t, r, c);
	size_t n = 0;

	for (size_t i = 0; i <= line; i++) {
		*s = rest;
		n = strlen(rest);
		rest += n;
		if (l->broken && !at_point(t, r, c))
			n = pb_columns_line(*s, l->w[c].all, &rest);
	}
	return n;
}

static size_t
lines_of(const struct pb_table *t, const struct layout *l, size_t r, size_t c)
{
	const char *s;
	size_t n = 0;

	while (line_of(t, l, r, c, n, &s) > 0)
		n++;
	return n;
}

/* A row of a part; headings of fewer lines stand lower. */
static void
print_row(const struct pb_table *t, const struct layout *l, size_t r, FILE *f)
{
	size_t high = 1;

	for (size_t c = 0; c < l->to; c++)
		if (shown(t, l, c) && lines_of(t, l, r, c) > high)
			high = lines_of(t, l, r, c);
	for (size_t i = 0; i < high; i++) {
		size_t pending = 0;

		for (size_t c = 0; c < l->to; c++) {
			size_t skip = r == 0 ? high - lines_of(t, l, r, c) : 0;
			const char *s = "";
			size_t n = 0;

			if (!shown(t, l, c))
				continue;
			if (i >= skip)
				n = line_of(t, l, r, c, i - skip, &s);
			pending = cell(t, r, c, l->w[c], s, n, pending, f) + 2;
		}
		putc('\n', f);
	}
}

enum pb_status
pb_table_print(const struct pb_table *t, bool utf8, int width, FILE *f)
{
	struct layout l = {.w = malloc((t->columns + 1) * sizeof(*l.w))};
	size_t max = width == 0      ? SIZE_MAX
	             : width < LEAST ? LEAST
	                             : (size_t)width;

	if (l.w == NULL || t->failed) {
		free(l.w);
		return PB_ENOMEM;
	}
	lay_out(t, &l, max);
	l.to = t->keys;
	for (bool more = t->cells > 0; more; more = l.to < t->columns) {
		if (l.to > t->keys)
			putc('\n', f);
		l.from = l.to;
		l.to = l.broken ? part_end(t, &l, l.from, max) : t->columns;
		for (size_t r = 0; r < rows_of(t); r++) {
			print_row(t, &l, r, f);
			if (r == 0)
				rule(t, &l, utf8, f);
		}
	}
	free(l.w);
	return PB_OK;
}

enum pb_status
pb_table_finish(struct pb_table *t, const struct pb_tty *tty, FILE *f)
{
	enum pb_status s = PB_ENOMEM;

	if (t)
		s = pb_table_print(t, tty->utf8, tty->width, f);
	pb_table_free(t);
	return s;
}
