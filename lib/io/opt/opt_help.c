/* opt_help.c - a command line from one table: usage, help, listing. */
#include <stdio.h>
#include <string.h>

#include "io/opt/opt.h"

/* Columns of --help, and widest left one; what is longer has its own line. */
enum { WIDTH = 80, LEFT = 30 };

/*
 * Text in lines of WIDTH columns, broken at blanks, or else behind commas; the
 * first goes on in column `at`, the others begin in column `indent`.
 */
static void
put_text(const char *text, int at, int indent)
{
	while (*text != '\0') {
		int room = WIDTH - at, n = (int)strlen(text), cut = n;

		if (n > room) {
			for (cut = room; cut > 0 && text[cut] != ' '; cut--)
				;
			if (cut == 0)
				for (cut = room;
				     cut > 1 && text[cut - 1] != ','; cut--)
					;
			if (cut <= 1)
				cut = (int)strcspn(text, " ");
		}
		printf("%.*s\n", cut, text);
		text += cut + (int)strspn(text + cut, " ");
		at = indent;
		if (*text != '\0')
			printf("%*s", indent, "");
	}
}

static void
help_row(const struct pb_opt *o)
{
	char left[128], value[256], text[600];
	int n;

	n = snprintf(left, sizeof(left), "  %c%c%c --%s%s%s",
	    o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
	    o->letter ? ',' : ' ', o->name, o->arg ? " " : "",
	    o->arg ? o->arg : "");
	pb_opt_value(o, value, sizeof(value));
	if (n >= LEFT)
		printf("%s\n%*s", left, LEFT, "");
	else
		printf("%-*s", LEFT, left);
	snprintf(text, sizeof(text), *value ? "%s (%s)" : "%s", o->help, value);
	put_text(text, LEFT, LEFT);
}

/* How what a group is of use with stands to the command line. */
enum fit { FITS, ABSENT, OTHER };

/* Whether `word`, n bytes, is in a list with commas between. */
static bool
listed(const char *list, const char *word, size_t n)
{
	for (;; list++) {
		size_t len = strcspn(list, ",");

		if (len == n && memcmp(list, word, n) == 0)
			return true;
		list += len;
		if (*list == '\0')
			return false;
	}
}

/* Bytes of the first option in `with`. */
static size_t
option_of(const char *with)
{
	return strcspn(with, "|=");
}

static enum fit
fit(const struct pb_opt_rows *r, const char *with)
{
	enum fit best = with == NULL ? FITS : ABSENT;

	while (with != NULL && best != FITS) {
		size_t n = option_of(with), all = strcspn(with, "|");

		for (size_t i = 0; i < r->n; i++) {
			const struct pb_opt_row *row = &r->row[i];

			if (row->arg == NULL ||
			    strncmp(row->o.name, with, n) != 0 ||
			    row->o.name[n] != '\0')
				continue;
			best = n == all || listed(row->arg, with + n + 1,
					       all - n - 1)
			           ? FITS
			           : OTHER;
			break;
		}
		with = with[all] == '|' ? with + all + 1 : NULL;
	}
	return best;
}

/* Of groups with words of one option, the first is that of no word at all. */
static bool
is_usual(const struct pb_tool *t, const struct pb_opt_group *g)
{
	size_t n = option_of(g->with);

	for (size_t i = 0; i < t->ngroup && g->with[n] == '='; i++) {
		const char *with = t->group[i].with;

		if (with != NULL && strncmp(with, g->with, n + 1) == 0)
			return strcmp(with, g->with) == 0;
	}
	return false;
}

/* Constants are shown with their word; options that are theirs also where no
 * word was given and it is the usual one. */
static bool
shown(const struct pb_tool *t, const struct pb_opt_rows *r,
    const struct pb_opt_row *row)
{
	const struct pb_opt_group *g = row->group;
	enum fit f = g == NULL ? FITS : fit(r, g->with);

	return f == FITS || (f == ABSENT && !row->constant && is_usual(t, g));
}

/* Options that are not shown for want of `with`. */
static size_t
hidden_by(
    const struct pb_tool *t, const struct pb_opt_rows *r, const char *with)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct pb_opt_group *g = r->row[i].group;

		n += g != NULL && g->with != NULL &&
		     strcmp(g->with, with) == 0 && !shown(t, r, &r->row[i]);
	}
	return n;
}

/* Whether a group before g begins its `with` with the same n bytes. */
static bool
said_before(const struct pb_tool *t, size_t g, size_t n)
{
	for (size_t k = 0; k < g; k++)
		if (t->group[k].with != NULL &&
		    strncmp(t->group[k].with, t->group[g].with, n) == 0)
			return true;
	return false;
}

/* "--rules one (31), other (28)": words of the option of group g that show
 * more options, and how many; empty if there are none. */
static void
hidden_of(const struct pb_tool *t, const struct pb_opt_rows *r, size_t g,
    char *text, size_t size)
{
	const char *with = t->group[g].with;
	size_t n = option_of(with), len = 0;

	*text = '\0';
	for (; g < t->ngroup && len < size; g++) {
		const char *word = t->group[g].with;
		size_t hidden;

		if (word == NULL || strncmp(word, with, n + 1) != 0 ||
		    said_before(t, g, strlen(word) + 1))
			continue;
		hidden = hidden_by(t, r, word);
		if (hidden > 0)
			len += (size_t)snprintf(text + len, size - len,
			    "%s%.*s%s%s (%zu)", len > 0 ? "," : "--",
			    len > 0 ? 0 : (int)n, with,
			    word[n] == '=' ? " " : "",
			    word[n] == '=' ? word + n + 1 : "", hidden);
	}
}

/* What is not shown, a paragraph for each option that it goes with. */
static void
put_hidden(const struct pb_tool *t, const struct pb_opt_rows *r)
{
	bool any = false;
	char text[1000];

	for (size_t g = 0; g < t->ngroup; g++) {
		const char *with = t->group[g].with;

		if (with == NULL || said_before(t, g, option_of(with) + 1))
			continue;
		hidden_of(t, r, g, text, sizeof(text));
		if (*text == '\0')
			continue;
		if (!any)
			puts(
			    "\nMore, shown by --help with these options, or by "
			    "--help all:");
		any = true;
		fputs("  ", stdout);
		put_text(text, 2, 6);
	}
}

void
pb_opt_help(const struct pb_tool *t, const struct pb_opt_rows *r, bool all)
{
	printf("usage: %s [option ...]%s%s\n%s\n\n", pb_msg_program(),
	    *t->operands ? " " : "", t->operands, t->purpose);
	for (size_t i = 0; i < r->n; i++) {
		if (!all && !shown(t, r, &r->row[i]))
			continue;
		if (r->row[i].title)
			printf("\n%s\n", r->row[i].title);
		help_row(&r->row[i].o);
	}
	if (!all)
		put_hidden(t, r);
}
