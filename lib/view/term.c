/* term.c - pictures for a terminal. */
#include "view/term.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/elementary.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"

/* --- what it can show --- */

/* A variable that is set and not empty, or NULL. */
static const char *
env_variable(const char *name)
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
		v = env_variable(name[i]);
	if (v == NULL || (v = strchr(v, '.')) == NULL)
		return false;
	/* "UTF-8" and "utf8" are both in use. */
	return strncasecmp(v, ".utf8", 5) == 0 ||
	       strncasecmp(v, ".utf-8", 6) == 0;
}

static bool
color_of(enum pb_when when, bool tty)
{
	const char *term = env_variable("TERM");

	return when == PB_WHEN_ALWAYS ||
	       (when == PB_WHEN_AUTO && tty &&
		   env_variable("NO_COLOR") == NULL && term != NULL &&
		   strcmp(term, "dumb") != 0);
}

/* A whole number from the environment, or other. */
static int
number_of(const char *name, int other)
{
	const char *v = env_variable(name);
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
	/* These variables override the size of the terminal. */
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
	t.color = color_of(o->color, tty);
	return t;
}

/* How far a is from b, squared: only the order matters. */
static int
rgb_apart(struct pb_rgb a, struct pb_rgb b)
{
	int r = a.r - b.r, g = a.g - b.g, l = a.b - b.b;

	return r * r + g * g + l * l;
}

/*
 * The nearest of the 256 colours that terminals have: a cube of 6 x 6 x 6 and
 * 24 grays. The first 16 are what a user may have chosen.
 */
static int
nearest_colour(struct pb_rgb k)
{
	static const unsigned char level[] = {0, 95, 135, 175, 215, 255};
	int best = 16;
	struct pb_rgb near = {0, 0, 0}, c;

	for (int i = 0; i < 240; i++) {
		c = (struct pb_rgb){
		    level[i / 36 % 6], level[i / 6 % 6], level[i % 6]};
		if (i >= 216)
			c.r = c.g = c.b = (unsigned char)(8 + 10 * (i - 216));
		if (rgb_apart(k, c) < rgb_apart(k, near)) {
			near = c;
			best = 16 + i;
		}
	}
	return best;
}

/* --- characters --- */

/* Ranges of characters, both ends included, in order. */
struct range {
	uint32_t lo, hi;
};

static int
within(uint32_t u, const struct range *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (u >= r[i].lo && u <= r[i].hi)
			return 1;
	return 0;
}

/* Columns of a terminal that u takes: 0 combining, 2 wide, else 1. */
static int
columns_of(uint32_t u)
{
	/* Marks set over or under others, joiners, variation selectors. */
	static const struct range none[] = {{0x300, 0x36f}, {0x483, 0x489},
	    {0x591, 0x5bd}, {0x610, 0x61a}, {0x64b, 0x65f}, {0x1ab0, 0x1aff},
	    {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x202a, 0x202e},
	    {0x2060, 0x2064}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f},
	    {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xe0100, 0xe01ef}};
	/* East Asian wide and full width, and emoji. */
	static const struct range wide[] = {{0x1100, 0x115f}, {0x2e80, 0x303e},
	    {0x3041, 0xa4cf}, {0xa960, 0xa97f}, {0xac00, 0xd7a3},
	    {0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60},
	    {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff},
	    {0x1f900, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd}};

	if (u < 0x300)
		return 1;
	if (within(u, none, sizeof(none) / sizeof(*none)))
		return 0;
	return 1 + within(u, wide, sizeof(wide) / sizeof(*wide));
}

size_t
pb_text_columns(const char *text, size_t n)
{
	size_t w = 0, len;

	for (; n > 0; text += len, n -= len)
		w += (size_t)columns_of(pb_utf8_shown(text, n, &len));
	return w;
}

void
pb_columns_put(uint32_t u, FILE *f)
{
	char out[4] = "";

	fwrite(out, 1, pb_utf8_put(out, u), f);
}

/* The second column of a wide character. */
#define PB_CELL_REST 0

/*
 * Columns and lines count from the top left. What lies outside is not drawn.
 * PB_INKS as an ink means the terminal's own colour; INK_OWN + i is the
 * grid's own colour i, of lights and ghosts.
 */
#define OWN     24
#define INK_OWN (PB_INKS + 1)

struct glyph {
	uint32_t code;      /* Unicode, one column wide */
	unsigned char ink;  /* enum pb_ink of the sign, PB_INKS: none */
	unsigned char back; /* of the ground, PB_INKS: none */
};

struct glyphs {
	int width;
	int height;
	struct glyph *at; /* height * width, owned */
	struct pb_rgb own[OWN];
	int owned; /* how many of own[] are set */
};

/* A grid of spaces. */
static struct glyphs
new_glyphs(int width, int height)
{
	size_t n = (size_t)width * (size_t)height;
	struct glyphs c = {
	    .width = width, .height = height, .at = pb_alloc(n, sizeof(*c.at))};

	for (size_t i = 0; i < n; i++)
		c.at[i] = (struct glyph){' ', PB_INKS, PB_INKS};
	return c;
}

/* The glyph at a place, NULL outside. */
static struct glyph *
glyphs_at(struct glyphs *c, int x, int y)
{
	if (x < 0 || y < 0 || x >= c->width || y >= c->height)
		return NULL;
	return &c->at[(size_t)y * (size_t)c->width + (size_t)x];
}

/* Put a sign, keeping the ground. */
static void
glyphs_put(struct glyphs *c, int x, int y, uint32_t code, enum pb_ink ink)
{
	struct glyph *g = glyphs_at(c, x, y);

	if (g == NULL)
		return;
	g->code = code;
	g->ink = (unsigned char)ink;
}

/* The ink of a colour that the grid has from now on. */
static enum pb_ink
own_ink(struct glyphs *c, struct pb_rgb k)
{
	int i = 0;

	while (i < c->owned && rgb_apart(c->own[i], k) > 0)
		i++;
	if (i == OWN)
		return PB_INKS;
	c->own[i] = k;
	c->owned = i < c->owned ? c->owned : i + 1;
	return (enum pb_ink)(INK_OWN + i);
}

/*
 * Put UTF-8 text, cut at the right edge; returns the column after it. A byte
 * that is no UTF-8 and control characters show as '?'.
 */
static int
glyphs_text(struct glyphs *c, int x, int y, const char *text, enum pb_ink ink)
{
	size_t n = strlen(text), len;

	/* What combines with the letter before it has no place of its own. */
	for (; n > 0; text += len, n -= len) {
		uint32_t u = pb_utf8_shown(text, n, &len);
		int w = columns_of(u);

		if (w == 2 && x + 1 >= c->width)
			break;
		if (w > 0)
			glyphs_put(c, x++, y, u, ink);
		if (w == 2)
			glyphs_put(c, x++, y, PB_CELL_REST, ink);
	}
	return x;
}

/* Switch the terminal to an ink; base is 30 for signs, 40 for grounds. */
static void
put_ink(const struct glyphs *c, int ink, int base, FILE *f)
{
	if (ink == PB_INKS)
		fprintf(f, "\033[%dm", base + 9);
	else
		fprintf(f, "\033[%d;5;%dm", base + 8,
		    nearest_colour(ink >= INK_OWN ? c->own[ink - INK_OWN]
						  : pb_inks[ink].screen));
}

/* How many glyphs of a line show something. */
static int
used(const struct glyph *g, int n, bool color)
{
	/* A blank on a coloured ground does show. */
	while (n > 0 && g[n - 1].code == ' ' &&
	       (!color || g[n - 1].back == PB_INKS))
		n--;
	return n;
}

/* Print line y, without the blanks at its end and without a line feed. */
static void
print_line(const struct glyphs *c, int y, bool color, FILE *f)
{
	const struct glyph *g = c->at + (size_t)y * (size_t)c->width;
	int n = used(g, c->width, color);
	int ink = PB_INKS, back = PB_INKS;

	for (int x = 0; x < n; x++) {
		if (color) {
			if (g[x].back != back)
				put_ink(c, back = g[x].back, 40, f);
			/* The colour of a blank cannot be seen: no change for
			 * it. */
			if (g[x].ink != ink && g[x].code != ' ')
				put_ink(c, ink = g[x].ink, 30, f);
		}
		if (g[x].code != PB_CELL_REST)
			pb_columns_put(g[x].code, f);
	}
	if (ink != PB_INKS || back != PB_INKS)
		fputs("\033[0m", f);
}

/*
 * Print the grid, line by line, with as few colour changes as there are and
 * no blanks at the ends of lines. With home, each line is placed on the
 * terminal by its number and wiped to its end, for pictures in place.
 */
static void
glyphs_print(const struct glyphs *c, bool color, bool home, FILE *f)
{
	for (int y = 0; y < c->height; y++) {
		if (home)
			fprintf(f, "\033[%d;1H", y + 1);
		print_line(c, y, color, f);
		if (home)
			fputs("\033[K", f);
		else
			putc('\n', f);
	}
}

/* Put the lights from column x of line y on: see pb_ring_print. Returns the
 * column after them. */
static int
ring_put(struct glyphs *c, int x, int y, const struct pb_ring *r, bool utf8)
{
	for (int i = 0; i < PB_RING_LEDS; i++, x++) {
		struct pb_led l = r->led[i];

		if (l.r == 0 && l.g == 0 && l.b == 0)
			glyphs_put(c, x, y, utf8 ? 0x25cb : '.', PB_INK_DIM);
		else
			glyphs_put(c, x, y, utf8 ? 0x25cf : 'o',
			    own_ink(c, (struct pb_rgb){l.r, l.g, l.b}));
	}
	return x;
}

void
pb_ring_print(const struct pb_ring *r, const struct pb_tty *t, FILE *f)
{
	struct glyphs line = new_glyphs(PB_RING_LEDS, 1);

	ring_put(&line, 0, 0, r, t->utf8);
	print_line(&line, 0, t->color, f);
	free(line.at);
}

/* --- a scene --- */

/* Where the map lies on the grid of characters, and how it is drawn. */
struct sketch {
	const struct pb_scene *s;
	const struct pb_render_opts *o;
	const struct pb_tty *t;
	struct glyphs cells; /* empty while there is only counting */
	struct pb_viewport port;
	unsigned char *dot; /* that the map consists of */
	int sx, sy;         /* dots per character */
	int left, top;      /* character of the map's upper left corner */
	int cols;           /* of the map (characters) */
	int lines;
	bool axes;
	int legend; /* its lines */
};

static uint32_t
code_of(const struct sketch *k, enum pb_sign g)
{
	return k->t->utf8 ? pb_signs[g].utf8 : pb_signs[g].ascii;
}

/* The character of a block of dots, of which there are sy rows of sx. */
static struct glyph
glyph_of(const struct sketch *k, int col, int line)
{
	static const uint32_t half[] = {' ', 0x2580, 0x2584, 0x2588};
	/* Unicode's numbering of the dots of braille, by row and column. */
	static const unsigned char braille[4][2] = {
	    {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
	unsigned walls = 0;
	bool unknown = false, house = false;

	for (int i = 0; i < k->sx * k->sy; i++) {
		int x = col * k->sx + i % k->sx, y = line * k->sy + i / k->sx;
		unsigned char v;

		if (x >= k->port.width || y >= k->port.height)
			continue;
		v = k->dot[(size_t)y * (size_t)k->port.width + (size_t)x];
		if (v == PB_DOT_WALL)
			walls |= k->sx == 1 ? 1u << i
			                    : braille[i / k->sx][i % k->sx];
		unknown |= v == PB_DOT_UNKNOWN;
		house |= v == PB_DOT_HOUSE;
	}
	return (struct glyph){walls     ? k->sx == 2   ? 0x2800 + walls
	                                  : k->sy == 1 ? '#'
	                                               : half[walls]
				  : unknown ? code_of(k, PB_SIGN_UNKNOWN)
			      : house   ? code_of(k, PB_SIGN_HOUSE)
					: ' ',
	    walls     ? PB_INK_WALL
	    : unknown ? PB_INK_UNKNOWN
	    : house   ? PB_INK_HOUSE
		      : PB_INKS,
	    unknown ? PB_INK_SHADE : PB_INK_FREE};
}

static void
put_map(struct sketch *k)
{
	k->dot = pb_alloc((size_t)k->port.width * (size_t)k->port.height, 1);
	pb_viewport_shrink(&k->port, k->s->map, k->dot);
	for (int y = 0; y < k->lines; y++)
		for (int x = 0; x < k->cols; x++) {
			struct glyph *g =
			    glyphs_at(&k->cells, k->left + x, k->top + y);

			if (g != NULL)
				*g = glyph_of(k, x, y);
		}
}

/*
 * Where the sign of a pellet stands: not on a wall that is in the same
 * character of a map that is shrunk, but in the nearest one beside it that is
 * free, unless something is between them.
 */
static struct pb_vec
off_wall(const struct sketch *k, struct pb_vec d)
{
	int x = (int)floor(d.x / k->sx - 1e-6),
	    y = (int)floor(d.y / k->sy - 1e-6);
	const struct pb_viewport *p = &k->port;
	double cells = (double)p->num / (double)p->den;
	struct pb_vec best = d;
	double least = INFINITY;

	if (p->board || glyph_of(k, x, y).ink != PB_INK_WALL)
		return d;
	for (int i = 0; i < 9; i++) {
		int u = x + i % 3 - 1, v = y + i / 3 - 1;
		struct pb_vec q = {(u + 0.5) * k->sx, (v + 0.5) * k->sy};
		double far = pb_dist(d, q);
		bool clear = u >= 0 && v >= 0 && u < k->cols && v < k->lines &&
		             far < least && glyph_of(k, u, v).code == ' ';

		for (double s = 0; s < 1 && clear; s += 0.02) {
			struct pb_vec at = pb_segment_at(d, q, s);
			double row = (p->height - at.y) * cells * p->tall;

			clear = pb_cell_free(pb_map_at(k->s->map,
			    (struct pb_cell){p->col0 + (int)(at.x * cells),
				p->row0 + (int)row}));
		}
		if (clear) {
			least = far;
			best = q;
		}
	}
	return best;
}

/* The character at a place among the dots, NULL: not on the map's part. */
static struct glyph *
glyph_under(struct sketch *k, struct pb_vec d)
{
	/* The middle of an even number of characters is always the left one. */
	double x = floor(d.x / k->sx - 1e-6), y = floor(d.y / k->sy - 1e-6);

	if (!(x >= 0 && y >= 0 && x < k->cols && y < k->lines))
		return NULL;
	return glyphs_at(&k->cells, k->left + (int)x, k->top + (int)y);
}

static void
put(struct sketch *k, struct pb_vec d, uint32_t code, enum pb_ink ink)
{
	struct glyph *g = glyph_under(k, d);

	if (g != NULL) {
		g->code = code;
		g->ink = (unsigned char)ink;
	}
}

/* The ink of a sign that may be a ghost's. */
static enum pb_ink
ink_of(struct sketch *k, enum pb_sign g, const struct pb_body *b)
{
	bool ghost = b && b->kind == PB_BODY_GHOST;

	if (ghost && (g == PB_SIGN_GHOST_TRAIL || g == PB_SIGN_DEATH))
		return own_ink(&k->cells, pb_scene_ghost_color(b->id));
	return pb_signs[g].ink;
}

static void
put_sign(void *to, enum pb_sign g, struct pb_vec v, const struct pb_body *b)
{
	struct sketch *k = to;
	struct pb_vec d = pb_viewport_at(&k->port, v);
	bool pellet = g == PB_SIGN_PELLET || g == PB_SIGN_POWER ||
	              g == PB_SIGN_EATEN || g == PB_SIGN_TARGET;

	if (pellet && glyph_under(k, d))
		d = off_wall(k, d);
	/* A death is beside the robot that still lies there. */
	else if (g == PB_SIGN_DEATH && glyph_under(k, d) &&
		 glyph_under(k, d)->ink == PB_INK_ROBOT)
		d.x += k->sx;
	put(k, d, code_of(k, g), ink_of(k, g, b));
}

static void
put_segment(struct sketch *k, struct pb_vec p, struct pb_vec q, enum pb_sign g,
    const struct pb_body *whose)
{
	struct pb_vec u = pb_viewport_at(&k->port, p),
		      v = pb_viewport_at(&k->port, q);
	double a = 0, b = 1, n;

	if (!pb_clip(u.x, v.x, 0, k->port.width, &a, &b) ||
	    !pb_clip(u.y, v.y, 0, k->port.height, &a, &b))
		return;
	n = ceil(fmax(fabs(v.x - u.x) / k->sx, fabs(v.y - u.y) / k->sy) *
		 (b - a) * 2);
	n = fmin(n, 2 * (k->cols + k->lines)); /* ends may be at infinity */
	for (double i = 0; i <= n; i++) {
		double s = n > 0 ? a + (b - a) * i / n : a;

		put_sign(k, g, pb_segment_at(p, q, s), whose);
	}
}

static void
put_line(void *to, enum pb_sign g, const struct pb_points *p,
    const struct pb_body *b)
{
	for (size_t i = 1; i < p->n; i++)
		put_segment(to, p->at[i - 1], p->at[i], g, b);
}

static void
put_dots(void *to, enum pb_sign g, const struct pb_points *p)
{
	for (size_t i = 0; i < p->n; i++)
		put_sign(to, g, p->at[i], NULL);
}

static void
put_guess(void *to, const struct pb_hypothesis *h, int rank)
{
	struct sketch *k = to;

	put(k, pb_viewport_at(&k->port, pb_pose_vec(h->pose)),
	    '0' + (uint32_t)rank, pb_signs[PB_SIGN_GUESS].ink);
}

/* The character of a body: by heading or by its id. */
static uint32_t
body_code(const struct sketch *k, const struct pb_body *b)
{
	static const uint32_t ascii[] = {'>', '^', '<', 'v'};
	static const uint32_t arrow[] = {0x25ba, 0x25b2, 0x25c4, 0x25bc};
	unsigned char c = (unsigned char)b->id[0];
	double th;

	if (b->kind == PB_BODY_ROBOT) {
		if (!isfinite(b->pose.th))
			return 'R';
		/* Axes are the map's own: so are directions. */
		th = pb_wrap(b->pose.th - k->port.origin.th);
		return (k->t->utf8 ? arrow
				   : ascii)[(lround(th / (PB_PI / 2)) + 4) % 4];
	}
	if (b->kind == PB_BODY_GHOST)
		return (unsigned char)pb_scene_ghost_letter(b->id);
	return (uint32_t)(isalnum(c) ? tolower(c) : '@');
}

static enum pb_ink
body_ink(struct sketch *k, const struct pb_body *b)
{
	return b->kind == PB_BODY_ROBOT ? PB_INK_ROBOT
	       : b->kind == PB_BODY_GHOST
	           ? own_ink(&k->cells, pb_scene_ghost_color(b->id))
	           : PB_INK_OTHER;
}

static void
put_body(void *to, const struct pb_body *b)
{
	struct sketch *k = to;

	put(k, pb_viewport_at(&k->port, pb_pose_vec(b->pose)), body_code(k, b),
	    body_ink(k, b));
}

/* Columns between two ticks at least: a label of 5 and room around it. */
#define TICK_COLUMNS 9

static struct pb_axis
axis_of(const struct sketch *k, bool up)
{
	return pb_viewport_axis(&k->port, up,
	    pb_nice_above(TICK_COLUMNS * k->sx * pb_viewport_metres(&k->port)));
}

/* Labels and ticks to the left of the map. */
static void
draw_vertical_axis(struct sketch *k, const struct pb_axis *a)
{
	double dot = pb_viewport_metres(&k->port) * k->port.tall;
	char text[64];

	for (int y = 0; y < k->lines; y++)
		glyphs_put(&k->cells, k->left - 1, k->top + y,
		    k->t->utf8 ? 0x2502 : '|', PB_INK_DIM);
	for (int i = 0; i < a->ticks; i++) {
		double d = pb_axis_tick(a, i, text) / dot;
		int y = (int)floor((k->port.height - d) / k->sy);

		if (y == k->lines)
			y--;
		if (y < 0 || y >= k->lines)
			continue;
		glyphs_text(&k->cells, k->left - 1 - (int)strlen(text),
		    k->top + y, text, PB_INKS);
		glyphs_put(&k->cells, k->left - 1, k->top + y,
		    k->t->utf8 ? 0x2524 : '+', PB_INK_DIM);
	}
}

static void
axis_across(struct sketch *k, const struct pb_axis *a)
{
	double dot = pb_viewport_metres(&k->port);
	int y = k->top + k->lines, from = 0, n;
	char text[64];

	for (int x = 0; x < k->cols; x++)
		glyphs_put(&k->cells, k->left + x, y, k->t->utf8 ? 0x2500 : '-',
		    PB_INK_DIM);
	glyphs_put(
	    &k->cells, k->left - 1, y, k->t->utf8 ? 0x2514 : '+', PB_INK_DIM);
	for (int i = 0; i < a->ticks; i++) {
		int x = (int)floor(pb_axis_tick(a, i, text) / dot / k->sx);
		int at = k->left + x - (int)strlen(text) / 2;

		if (x < 0 || x >= k->cols)
			continue;
		glyphs_put(&k->cells, k->left + x, y, k->t->utf8 ? 0x252c : '+',
		    PB_INK_DIM);
		/* A label that would touch the one before is left out. */
		if (at >= from && at + (int)strlen(text) <= k->cells.width)
			from = 1 +
			       glyphs_text(&k->cells, at, y + 1, text, PB_INKS);
	}
	snprintf(text, sizeof(text), "%s (m)", a->name);
	n = k->left + k->cols - (int)strlen(text);
	if (n < from)
		n = from;
	if (n + (int)strlen(text) <= k->cells.width)
		glyphs_text(&k->cells, n, y + 1, text, PB_INK_DIM);
}

static void
put_axes(struct sketch *k)
{
	const struct pb_axis up = axis_of(k, true), across = axis_of(k, false);
	char text[16];

	draw_vertical_axis(k, &up);
	axis_across(k, &across);
	snprintf(text, sizeof(text), "%s (m)", up.name);
	glyphs_text(&k->cells,
	    k->left > (int)strlen(text) ? k->left - (int)strlen(text) : 0, 0,
	    text, PB_INK_DIM);
}

/* Where the next entry of the legend goes. */
struct pen {
	struct sketch *k;
	int x, y;
};

static void
pen_entry(struct pen *p, uint32_t code, enum pb_ink ink, const char *text)
{
	int n = (int)strlen(text) + 2;

	if (p->x > 0 && p->x + n > p->k->t->width) {
		p->x = 0;
		p->y++;
	}
	glyphs_put(&p->k->cells, p->x, p->y, code, ink);
	glyphs_text(&p->k->cells, p->x + 2, p->y, text, PB_INKS);
	p->x += n + 2;
}

/* Put the legend below the axes; returns its lines. */
static int
put_legend(struct sketch *k)
{
	const int top = k->top + k->lines + 2 * k->axes;
	struct pen p = {k, 0, top};
	/* Walls and unknown cells need no entry. */
	const bool dot[PB_DOTS] = {[PB_DOT_HOUSE] = k->s->has_house};
	struct pb_legend e[PB_LEGEND];
	size_t n = pb_legend(k->s, k->o, dot, e);
	char text[128];

	for (size_t i = 0; i < n; i++)
		if (e[i].sign == PB_SIGN_ROBOT)
			pen_entry(&p, body_code(k, e[i].body),
			    body_ink(k, e[i].body), e[i].text);
		else
			pen_entry(&p, code_of(k, e[i].sign),
			    ink_of(k, e[i].sign, e[i].body), e[i].text);
	if (pb_viewport_turned(&k->port, text, sizeof(text)))
		pen_entry(&p, ' ', PB_INKS, text);
	return p.y - top + (p.x > 0);
}

/* Below this no axes are drawn: they would leave no room for the map. */
#define AXES_WIDTH  24
#define AXES_HEIGHT 10

/* A cell of a small map is enlarged to this many dots at most. */
#define ENLARGE 8

/* Lines of everything but the map: heading, axis, legend. */
static int
lines_around(const struct sketch *k)
{
	return 3 * k->axes + k->legend;
}

/* Fit the map between the margins. */
static void
fit(struct sketch *k)
{
	int width = k->t->width - k->left;
	int height = k->t->height - lines_around(k);

	width = width < 1 ? 1 : width;
	height = height < 1 ? 1 : height;
	pb_viewport_fit(&k->port, width * k->sx, height * k->sy,
	    k->t->style == PB_STYLE_ASCII ? 2 : 1, ENLARGE);
	k->cols = (k->port.width + k->sx - 1) / k->sx;
	k->lines = (k->port.height + k->sy - 1) / k->sy;
}

/*
 * The left margin depends on the tick labels, these on the scale, and that
 * on the margin; the same goes for the lines of the legend. Two rounds
 * settle it: later ones could only swing.
 */
static void
arrange(struct sketch *k)
{
	bool high = k->t->height >= AXES_HEIGHT;

	k->sx = k->t->style == PB_STYLE_BRAILLE ? 2 : 1;
	k->sy = k->t->style == PB_STYLE_BRAILLE ? 4
	        : k->t->style == PB_STYLE_HALF  ? 2
	                                        : 1;
	k->axes =
	    !(k->o->hide & PB_HIDE_AXES) && k->t->width >= AXES_WIDTH && high;
	k->legend =
	    !(k->o->hide & PB_HIDE_LEGEND) && k->t->height >= AXES_HEIGHT / 2;
	k->top = k->axes;
	k->left = k->axes ? 6 : 0;
	for (int i = 0; i < 2; i++) {
		struct pb_axis up;

		fit(k);
		if (k->legend)
			k->legend = put_legend(k);
		up = axis_of(k, true);
		if (k->axes)
			k->left = pb_axis_label_width(&up) + 1;
	}
	fit(k);
	if (k->legend)
		k->legend = put_legend(k);
}

/* Title, lights and caption, behind the name of the upward axis. A title for
 * which the others leave no room ends in dots. */
static void
heading(struct sketch *k)
{
	const struct pb_scene *s = k->s;
	const char *title = k->o->title != NULL ? k->o->title : s->title;
	int x = k->left < 4 ? 7 : k->left + 3; /* after "y (m)" */
	int from = x, rest = (int)strlen(s->caption);

	rest += s->has_ring ? PB_RING_LEDS + 2 : 0;
	if (title[0] != '\0')
		x = glyphs_text(&k->cells, x, 0, title, PB_INKS) + 2;
	if (x + rest > k->cells.width) {
		x = k->cells.width - rest;
		x = x < from + 6 ? from : x;
		for (int i = from > x - 4 ? from : x - 4; i < k->cells.width;
		     i++)
			glyphs_put(
			    &k->cells, i, 0, i < x - 2 ? '.' : ' ', PB_INKS);
	}
	if (s->has_ring)
		x = 2 + ring_put(&k->cells, x, 0, &s->ring, k->t->utf8);
	glyphs_text(&k->cells, x, 0, s->caption, PB_INKS);
}

bool
pb_term_draw(const struct pb_scene *s, const struct pb_render_opts *o,
    const struct pb_tty *t, enum pb_frame frame, FILE *f)
{
	struct sketch k = {.s = s, .o = o, .t = t};
	const struct pb_canvas c = {
	    &k, put_line, put_dots, put_sign, put_guess, put_body};
	bool home = frame != PB_FRAME_TEXT;
	int lines;

	if (!pb_viewport_window(s, o, &k.port))
		return false;
	if (frame == PB_FRAME_FIRST)
		fputs("\033[2J", f);
	arrange(&k);
	lines = k.lines + lines_around(&k);
	k.cells = new_glyphs(t->width, lines > t->height ? t->height : lines);
	put_map(&k);
	pb_canvas_draw(&c, s, o);
	if (k.axes) {
		put_axes(&k);
		heading(&k);
	}
	if (k.legend)
		put_legend(&k);
	glyphs_print(&k.cells, t->color, home, f);
	free(k.cells.at);
	free(k.dot);
	if (home) {
		fputs("\033[J", f); /* what a taller frame left below */
		fflush(f);
	}
	return true;
}
