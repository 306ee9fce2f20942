/* render.c - options of a picture, and what an output can show. */
#include "view/render.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct pb_render_opts
pb_render_defaults(void)
{
	return (struct pb_render_opts){0};
}

bool
pb_render_box(const char *word, struct pb_render_opts *o)
{
	double v[4];
	char *end;

	for (int i = 0; i < 4; i++) {
		if (isspace((unsigned char)*word))
			return false;
		v[i] = strtod(word, &end);
		if (end == word || !isfinite(v[i]) ||
		    *end != (i < 3 ? ',' : '\0'))
			return false;
		word = end + 1;
	}
	if (v[0] >= v[2] || v[1] >= v[3])
		return false;
	o->has_box = true;
	o->x0 = v[0];
	o->y0 = v[1];
	o->x1 = v[2];
	o->y1 = v[3];
	return true;
}

/* A variable that is set and not empty, or NULL. */
static const char *
variable(const char *name)
{
	const char *v = getenv(name);

	return v != NULL && v[0] != '\0' ? v : NULL;
}

/*
 * Whether the locale that the environment names is one of UTF-8. Read from
 * the names themselves: the tools never call setlocale(), so that numbers
 * keep their points.
 */
static bool
utf8_locale(void)
{
	static const char *const name[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *v = NULL;

	for (int i = 0; i < 3 && v == NULL; i++)
		v = variable(name[i]);
	if (v == NULL || (v = strchr(v, '.')) == NULL)
		return false;
	return (v[1] == 'u' || v[1] == 'U') && (v[2] == 't' || v[2] == 'T') &&
	       (v[3] == 'f' || v[3] == 'F') &&
	       (strncmp(v + 4, "8", 1) == 0 || strncmp(v + 4, "-8", 2) == 0);
}

static enum pb_depth
depth_of(enum pb_when when, bool tty)
{
	const char *term = variable("TERM");
	const char *more = variable("COLORTERM");

	if (when == PB_WHEN_NEVER)
		return PB_DEPTH_NONE;
	if (when == PB_WHEN_AUTO &&
	    (!tty || variable("NO_COLOR") != NULL || term == NULL ||
		strcmp(term, "dumb") == 0))
		return PB_DEPTH_NONE;
	if (more != NULL &&
	    (strcmp(more, "truecolor") == 0 || strcmp(more, "24bit") == 0))
		return PB_DEPTH_TRUE;
	if (term != NULL && strstr(term, "256") != NULL)
		return PB_DEPTH_256;
	return PB_DEPTH_16;
}

/* A whole number from the environment, or other. */
static int
number_of(const char *name, int other)
{
	const char *v = variable(name);
	char *end;
	long n;

	if (v == NULL)
		return other;
	n = strtol(v, &end, 10);
	if (*end != '\0' || n < 1 || n > PB_RENDER_CHARS)
		return other;
	return (int)n;
}

static void
size_of(struct pb_tty *t, bool tty, FILE *f)
{
	struct winsize w = {0};

	t->width = 80;
	t->height = 40;
	if (tty && ioctl(fileno(f), TIOCGWINSZ, &w) == 0 && w.ws_col > 0 &&
	    w.ws_row > 0) {
		t->width = w.ws_col;
		t->height = w.ws_row - 1; /* the prompt's line */
	}
	t->width = number_of("COLUMNS", t->width);
	t->height = number_of("LINES", t->height);
}

struct pb_tty
pb_tty_of(const struct pb_render_opts *o, FILE *f)
{
	struct pb_tty t = {.utf8 = utf8_locale()};
	bool tty = isatty(fileno(f));

	size_of(&t, tty, f);
	if (o->width > 0)
		t.width = o->width;
	if (o->height > 0)
		t.height = o->height;
	if (t.height < 1)
		t.height = 1;
	t.style = o->style;
	if (t.style == PB_STYLE_AUTO)
		t.style = t.utf8 ? PB_STYLE_HALF : PB_STYLE_ASCII;
	if (t.style == PB_STYLE_ASCII)
		t.utf8 = false;
	else
		t.utf8 = true;
	t.depth = depth_of(o->color, tty);
	return t;
}
