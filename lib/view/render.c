/* render.c - how pictures look: options, colours, what an output can show. */
#include "view/render.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool
pb_render_box(void *to, const char *word, struct pb_error *bad)
{
	struct pb_render_opts *o = to;
	const char *at = word;
	double v[4] = {0};
	bool good = true;

	for (int i = 0; i < 4 && good; i++) {
		char *end;

		v[i] = strtod(at, &end);
		good = !isspace((unsigned char)*at) && end != at &&
		       isfinite(v[i]) && *end == (i < 3 ? ',' : '\0');
		at = end + 1;
	}
	if (!good || v[0] >= v[2] || v[1] >= v[3])
		return pb_error_set(bad,
		    "expected x0,y0,x1,y1 with x0 < x1 and y0 < y1, "
		    "got \"%.80s\"",
		    word);
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
	/* "UTF-8" and "utf8" are both in use. */
	return strncasecmp(v, ".utf8", 5) == 0 ||
	       strncasecmp(v, ".utf-8", 6) == 0;
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
	/* Who sets these wants them, whatever the terminal says. */
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
	/* A style that was asked for means characters that it consists of. */
	t.utf8 = t.style != PB_STYLE_ASCII;
	t.depth = depth_of(o->color, tty);
	return t;
}

/*
 * Okabe and Ito, "Color Universal Design" (2008): black, orange 230 159 0,
 * sky blue 86 180 233, bluish green 0 158 115, yellow 240 228 66, blue
 * 0 114 178, vermillion 213 94 0, reddish purple 204 121 167.
 */
const struct pb_ink_colors pb_inks[PB_INKS] = {
    [PB_INK_FREE] = {{255, 255, 255}, {16, 16, 20}},
    [PB_INK_UNKNOWN] = {{222, 224, 228}, {92, 94, 104}},
    [PB_INK_SHADE] = {{222, 224, 228}, {48, 50, 60}},
    [PB_INK_WALL] = {{38, 42, 56}, {86, 180, 233}},
    [PB_INK_PELLET] = {{230, 159, 0}, {240, 228, 66}},
    [PB_INK_POWER] = {{230, 159, 0}, {240, 228, 66}},
    [PB_INK_EATEN] = {{140, 140, 140}, {150, 150, 150}},
    [PB_INK_ROBOT] = {{240, 228, 66}, {240, 228, 66}},
    [PB_INK_ROBOT_TRAIL] = {{0, 114, 178}, {230, 159, 0}},
    [PB_INK_GHOST] = {{213, 94, 0}, {255, 120, 40}},
    [PB_INK_GHOST_TRAIL] = {{213, 94, 0}, {213, 94, 0}},
    [PB_INK_OTHER] = {{204, 121, 167}, {204, 121, 167}},
    [PB_INK_PATH] = {{0, 158, 115}, {0, 190, 140}},
    [PB_INK_TARGET] = {{0, 114, 178}, {255, 255, 255}},
    [PB_INK_SCAN] = {{204, 121, 167}, {204, 121, 167}},
    [PB_INK_SOLID] = {{213, 94, 0}, {213, 94, 0}},
    [PB_INK_DEATH] = {{190, 30, 45}, {255, 90, 90}},
    [PB_INK_TEXT] = {{30, 30, 36}, {220, 220, 220}},
    [PB_INK_DIM] = {{150, 152, 160}, {140, 140, 140}},
    [PB_INK_PAPER] = {{255, 255, 255}, {0, 0, 0}},
};

static int
apart(struct pb_rgb a, struct pb_rgb b)
{
	int r = a.r - b.r, g = a.g - b.g, l = a.b - b.b;

	/* Squared: only the order matters. */
	return r * r + g * g + l * l;
}

/* xterm's colours: 16 usual ones, a 6 x 6 x 6 cube, 24 grays. */
static struct pb_rgb
xterm(int i)
{
	static const struct pb_rgb usual[16] = {{0, 0, 0}, {205, 0, 0},
	    {0, 205, 0}, {205, 205, 0}, {0, 0, 238}, {205, 0, 205},
	    {0, 205, 205}, {229, 229, 229}, {90, 90, 90}, {255, 0, 0},
	    {0, 255, 0}, {255, 255, 0}, {92, 92, 255}, {255, 0, 255},
	    {0, 255, 255}, {255, 255, 255}};
	static const unsigned char level[] = {0, 95, 135, 175, 215, 255};
	unsigned char g;

	if (i < 16)
		return usual[i];
	if (i >= 232) {
		g = (unsigned char)(8 + 10 * (i - 232));
		return (struct pb_rgb){g, g, g};
	}
	i -= 16;
	return (struct pb_rgb){level[i / 36], level[i / 6 % 6], level[i % 6]};
}

int
pb_rgb_nearest(struct pb_rgb k, int from, int to)
{
	int best = from;

	for (int i = from + 1; i < to; i++)
		if (apart(k, xterm(i)) < apart(k, xterm(best)))
			best = i;
	return best;
}
