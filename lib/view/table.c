/* table.c - aligned tables for people. */
#include "view/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "io/utf8.h"
#include "view/columns.h"

struct row {
	char **cell; /* one a column, NULL: empty */
};

struct pb_table {
	char *align; /* one letter a column */
	size_t columns;
	struct row *row;
	size_t rows, cap;
	size_t at; /* next cell of the last row; columns: the row is full */
	bool failed;
};

/* Width of a column, and what of it lies before and from the point on. */
struct width {
	size_t all, before, after;
};

struct pb_table *
pb_table_new(const char *align)
{
	struct pb_table *t = calloc(1, sizeof(*t));

	if (t == NULL)
		return NULL;
	t->columns = strlen(align);
	t->at = t->columns;
	if ((t->align = strdup(align)) == NULL) {
		free(t);
		return NULL;
	}
	return t;
}

void
pb_table_free(struct pb_table *t)
{
	if (t == NULL)
		return;
	for (size_t r = 0; r < t->rows; r++) {
		for (size_t c = 0; c < t->columns; c++)
			free(t->row[r].cell[c]);
		free(t->row[r].cell);
	}
	free(t->row);
	free(t->align);
	free(t);
}

/* A new row, NULL if there is no memory. */
static struct row *
new_row(struct pb_table *t)
{
	struct row *r;
	size_t cap = t->cap == 0 ? 16 : 2 * t->cap;

	if (t->rows == t->cap) {
		if ((r = realloc(t->row, cap * sizeof(*r))) == NULL) {
			t->failed = true;
			return NULL;
		}
		t->row = r;
		t->cap = cap;
	}
	r = &t->row[t->rows];
	*r = (struct row){0};
	return r;
}

void
pb_table_put(struct pb_table *t, const char *text)
{
	struct row *r;

	if (t->failed || t->columns == 0)
		return;
	if (t->at == t->columns) {
		if ((r = new_row(t)) == NULL)
			return;
		r->cell = calloc(t->columns, sizeof(*r->cell));
		if (r->cell == NULL) {
			t->failed = true;
			return;
		}
		t->rows++;
		t->at = 0;
	}
	r = &t->row[t->rows - 1];
	if ((r->cell[t->at++] = strdup(text)) == NULL)
		t->failed = true;
}

void
pb_table_putf(struct pb_table *t, const char *format, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	pb_table_put(t, text);
}

void
pb_table_end(struct pb_table *t)
{
	t->at = t->columns;
}

/* Bytes of s before its decimal point, all if it has none. */
static size_t
point(const char *s)
{
	const char *p = strchr(s, '.');

	return p == NULL ? strlen(s) : (size_t)(p - s);
}

static const char *
text_of(const struct row *r, size_t c)
{
	return r->cell[c] == NULL ? "" : r->cell[c];
}

/* Headings and words stand to the right in a column of numbers. */
static bool
at_point(const struct pb_table *t, size_t row, size_t c)
{
	const char *s = text_of(&t->row[row], c);

	return t->align[c] == '.' && row > 0 && strspn(s, "0123456789+-") > 0;
}

static struct width
width_of(const struct pb_table *t, size_t c)
{
	struct width w = {0, 0, 0};

	for (size_t r = 0; r < t->rows; r++) {
		const char *s = text_of(&t->row[r], c);
		size_t n = strlen(s), k;

		if (at_point(t, r, c)) {
			k = point(s);
			if (pb_text_columns(s, k) > w.before)
				w.before = pb_text_columns(s, k);
			if (pb_text_columns(s + k, n - k) > w.after)
				w.after = pb_text_columns(s + k, n - k);
		} else if (pb_text_columns(s, n) > w.all) {
			w.all = pb_text_columns(s, n);
		}
	}
	if (w.before + w.after > w.all)
		w.all = w.before + w.after;
	return w;
}

static void
blanks(size_t n, FILE *f)
{
	while (n-- > 0)
		putc(' ', f);
}

/* A line of dashes under each column. */
static void
rule(const struct width *w, size_t columns, bool utf8, FILE *f)
{
	for (size_t c = 0; c < columns; c++) {
		blanks(c > 0 ? 2 : 0, f);
		for (size_t i = 0; i < w[c].all; i++)
			pb_columns_put(utf8 ? 0x2500 : '-', f);
	}
	putc('\n', f);
}

/*
 * One cell; `pending` blanks come before it and the blanks after it are
 * returned, so that none is printed at the end of a line.
 */
static size_t
cell(const struct pb_table *t, size_t row, size_t c, struct width w,
    size_t pending, FILE *f)
{
	const char *s = text_of(&t->row[row], c);
	size_t n = strlen(s), used = pb_text_columns(s, n), lead = 0;

	if (n == 0)
		return pending + w.all;
	if (at_point(t, row, c))
		lead = w.all - w.after - pb_text_columns(s, point(s));
	else if (t->align[c] != 'l')
		lead = w.all - used;
	blanks(pending + lead, f);
	pb_utf8_print(s, f);
	return w.all - used - lead;
}

enum pb_status
pb_table_print(const struct pb_table *t, bool utf8, FILE *f)
{
	struct width *w = malloc((t->columns + 1) * sizeof(*w));

	if (w == NULL || t->failed) {
		free(w);
		return PB_ENOMEM;
	}
	for (size_t c = 0; c < t->columns; c++)
		w[c] = width_of(t, c);
	for (size_t r = 0; r < t->rows; r++) {
		size_t pending = 0;

		for (size_t c = 0; c < t->columns; c++)
			pending = cell(t, r, c, w[c], pending, f) + 2;
		putc('\n', f);
		if (r == 0)
			rule(w, t->columns, utf8, f);
	}
	free(w);
	return PB_OK;
}
