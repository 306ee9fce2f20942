/* term.c - draw pictures as text for a terminal. */
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

/* --- abilities of the terminal --- */

/* The value of an environment variable, NULL: unset or empty. */
static const char *
read_env(const char *name)
{
	const char *v = getenv(name);

	return v != NULL && v[0] != '\0' ? v : NULL;
}

/* Whether the environment's locale uses UTF-8, by its name: the tools never
 * call setlocale(), so that numbers keep their decimal points. */
static bool
is_utf8_locale(void)
{
	static const char *const name[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *v = NULL;

	for (int i = 0; i < 3 && v == NULL; i++)
		v = read_env(name[i]);
	if (v == NULL || (v = strchr(v, '.')) == NULL)
		return false;
	/* "UTF-8" and "utf8" are both in use. */
	return strncasecmp(v, ".utf8", 5) == 0 ||
	       strncasecmp(v, ".utf-8", 6) == 0;
}

static bool
choose_color(enum pb_when when, bool tty)
{
	const char *term = read_env("TERM");

	return when == PB_WHEN_ALWAYS ||
	       (when == PB_WHEN_AUTO && tty && read_env("NO_COLOR") == NULL &&
		   term != NULL && strcmp(term, "dumb") != 0);
}

/* A whole number from the environment, or `other`. */
static int
read_env_number(const char *name, int other)
{
	const char *v = read_env(name);
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
find_size(struct pb_tty *t, bool tty, FILE *f)
{
	struct winsize w = {0};

	t->width = 80;
	t->height = 40;
	if (tty && ioctl(fileno(f), TIOCGWINSZ, &w) == 0 && w.ws_col > 0 &&
	    w.ws_row > 0) {
		t->width = w.ws_col;
		t->height = w.ws_row - 1; /* without the prompt's line */
	}
	/* These variables override the size of the terminal. */
	t->width = read_env_number("COLUMNS", t->width);
	t->height = read_env_number("LINES", t->height);
}

struct pb_tty
pb_tty_of(const struct pb_render_opts *o, FILE *f)
{
	struct pb_tty t = {.utf8 = is_utf8_locale()};
	bool tty = isatty(fileno(f));

	find_size(&t, tty, f);
	if (o->width > 0)
		t.width = o->width;
	if (o->height > 0)
		t.height = o->height;
	if (t.height < 1)
		t.height = 1;
	t.style = o->style;
	if (t.style == PB_STYLE_AUTO)
		t.style = t.utf8 ? PB_STYLE_HALF : PB_STYLE_ASCII;
	/* A requested style implies its characters. */
	t.utf8 = t.style != PB_STYLE_ASCII;
	t.color = choose_color(o->color, tty);
	return t;
}

/* Squared distance of two colours. */
static int
rgb_distance(struct pb_rgb a, struct pb_rgb b)
{
	int r = a.r - b.r, g = a.g - b.g, l = a.b - b.b;

	return r * r + g * g + l * l;
}

/* The nearest of a terminal's 256 colours: a cube of 6 x 6 x 6, and 24 grays.
 * The first 16 are not used, as users change them. */
static int
find_colour(struct pb_rgb k)
{
	static const unsigned char level[] = {0, 95, 135, 175, 215, 255};
	int best = 16;
	struct pb_rgb near = {0, 0, 0}, c;

	for (int i = 0; i < 240; i++) {
		c = (struct pb_rgb){
		    level[i / 36 % 6], level[i / 6 % 6], level[i % 6]};
		if (i >= 216)
			c.r = c.g = c.b = (unsigned char)(8 + 10 * (i - 216));
		if (rgb_distance(k, c) < rgb_distance(k, near)) {
			near = c;
			best = 16 + i;
		}
	}
	return best;
}

/* --- characters --- */

/* Ranges of characters, inclusive and ascending. */
struct range {
	uint32_t lo, hi;
};

static int
is_in_ranges(uint32_t u, const struct range *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (u >= r[i].lo && u <= r[i].hi)
			return 1;
	return 0;
}

/* Terminal columns of character u: 0 combining, 2 wide, else 1. */
static int
count_columns(uint32_t u)
{
	/* Combining marks, joiners, variation selectors. */
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
	if (is_in_ranges(u, none, sizeof(none) / sizeof(*none)))
		return 0;
	return 1 + is_in_ranges(u, wide, sizeof(wide) / sizeof(*wide));
}

size_t
pb_text_columns(const char *text, size_t n)
{
	size_t w = 0, len;

	for (; n > 0; text += len, n -= len)
		w += (size_t)count_columns(pb_utf8_shown(text, n, &len));
	return w;
}

void
pb_columns_put(uint32_t u, FILE *f)
{
	char out[4] = "";

	fwrite(out, 1, pb_utf8_put(out, u), f);
}

/* Code of the second column of a wide character. */
#define PB_CELL_REST 0

/*
 * Colours of a glyph: PB_INKS is the terminal's default colour, INK_OWN + i the
 * grid's own colour i (lights and ghosts). Columns and lines count from the top
 * left; what lies outside is not drawn.
 */
#define OWN     24
#define INK_OWN (PB_INKS + 1)

struct glyph {
	uint32_t code;      /* Unicode, one column wide */
	unsigned char ink;  /* enum pb_ink of the sign, PB_INKS: default */
	unsigned char back; /* of the background, PB_INKS: default */
};

struct glyphs {
	int width;
	int height;
	struct glyph *at; /* height * width, owned */
	struct pb_rgb own[OWN];
	int owned; /* number of own[] in use */
};

/* Allocate a grid of blanks. */
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

/* The glyph at a place, NULL: outside. */
static struct glyph *
glyphs_at(struct glyphs *c, int x, int y)
{
	if (x < 0 || y < 0 || x >= c->width || y >= c->height)
		return NULL;
	return &c->at[(size_t)y * (size_t)c->width + (size_t)x];
}

/* Set a sign, and keep the background. */
static void
set_glyph(struct glyphs *c, int x, int y, uint32_t code, enum pb_ink ink)
{
	struct glyph *g = glyphs_at(c, x, y);

	if (g == NULL)
		return;
	g->code = code;
	g->ink = (unsigned char)ink;
}

/* Add a colour to the grid; returns its ink. */
static enum pb_ink
add_ink(struct glyphs *c, struct pb_rgb k)
{
	int i = 0;

	while (i < c->owned && rgb_distance(c->own[i], k) > 0)
		i++;
	if (i == OWN)
		return PB_INKS;
	c->own[i] = k;
	c->owned = i < c->owned ? c->owned : i + 1;
	return (enum pb_ink)(INK_OWN + i);
}

/* Write UTF-8 text, cut at the right edge; returns the column behind it.
 * Invalid bytes and control characters become '?'. */
static int
write_text(struct glyphs *c, int x, int y, const char *text, enum pb_ink ink)
{
	size_t n = strlen(text), len;

	/* Combining characters are dropped. */
	for (; n > 0; text += len, n -= len) {
		uint32_t u = pb_utf8_shown(text, n, &len);
		int w = count_columns(u);

		if (w == 2 && x + 1 >= c->width)
			break;
		if (w > 0)
			set_glyph(c, x++, y, u, ink);
		if (w == 2)
			set_glyph(c, x++, y, PB_CELL_REST, ink);
	}
	return x;
}

/* Switch the terminal to an ink; base: 30 for signs, 40 for backgrounds. */
static void
print_ink(const struct glyphs *c, int ink, int base, FILE *f)
{
	if (ink == PB_INKS)
		fprintf(f, "\033[%dm", base + 9);
	else
		fprintf(f, "\033[%d;5;%dm", base + 8,
		    find_colour(ink >= INK_OWN ? c->own[ink - INK_OWN]
					       : pb_inks[ink].screen));
}

/* Number of glyphs of a line up to the last visible one. */
static int
count_used(const struct glyph *g, int n, bool color)
{
	/* A blank on a coloured background is visible. */
	while (n > 0 && g[n - 1].code == ' ' &&
	       (!color || g[n - 1].back == PB_INKS))
		n--;
	return n;
}

/* Print line y without blanks at its end and without line feed. */
static void
print_line(const struct glyphs *c, int y, bool color, FILE *f)
{
	const struct glyph *g = c->at + (size_t)y * (size_t)c->width;
	int n = count_used(g, c->width, color);
	int ink = PB_INKS, back = PB_INKS;

	for (int x = 0; x < n; x++) {
		if (color) {
			if (g[x].back != back)
				print_ink(c, back = g[x].back, 40, f);
			/* The colour of a blank is invisible: do not change
			 * it. */
			if (g[x].ink != ink && g[x].code != ' ')
				print_ink(c, ink = g[x].ink, 30, f);
		}
		if (g[x].code != PB_CELL_REST)
			pb_columns_put(g[x].code, f);
	}
	if (ink != PB_INKS || back != PB_INKS)
		fputs("\033[0m", f);
}

/*
 * Print the grid with as few colour changes as possible and no blanks at the
 * ends of lines. home: place each line by its number and clear its rest, to
 * draw over an earlier frame.
 */
static void
print_glyphs(const struct glyphs *c, bool color, bool home, FILE *f)
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

/* Add the lights from column x of line y on, see pb_ring_print(). Returns the
 * column behind them. */
static int
add_ring(struct glyphs *c, int x, int y, const struct pb_ring *r, bool utf8)
{
	for (int i = 0; i < PB_RING_LEDS; i++, x++) {
		struct pb_led l = r->led[i];

		if (l.r == 0 && l.g == 0 && l.b == 0)
			set_glyph(c, x, y, utf8 ? 0x25cb : '.', PB_INK_DIM);
		else
			set_glyph(c, x, y, utf8 ? 0x25cf : 'o',
			    add_ink(c, (struct pb_rgb){l.r, l.g, l.b}));
	}
	return x;
}

void
pb_ring_print(const struct pb_ring *r, const struct pb_tty *t, FILE *f)
{
	struct glyphs line = new_glyphs(PB_RING_LEDS, 1);

	add_ring(&line, 0, 0, r, t->utf8);
	print_line(&line, 0, t->color, f);
	free(line.at);
}

/* --- a scene --- */

/* Layout of the map on the grid of characters. */
struct sketch {
	const struct pb_scene *s;
	const struct pb_render_opts *o;
	const struct pb_tty *t;
	struct glyphs cells; /* empty while measuring */
	struct pb_viewport port;
	unsigned char *dot; /* of the map */
	int sx, sy;         /* dots per character */
	int left, top;      /* character of the map's upper left corner */
	int cols;           /* of the map (characters) */
	int lines;
	bool axes;
	int legend; /* lines of the legend */
};

static uint32_t
choose_code(const struct sketch *k, enum pb_sign g)
{
	return k->t->utf8 ? pb_signs[g].utf8 : pb_signs[g].ascii;
}

/* The character for a block of sy rows of sx dots. */
static struct glyph
make_glyph(const struct sketch *k, int col, int line)
{
	static const uint32_t half[] = {' ', 0x2580, 0x2584, 0x2588};
	/* Bits of Unicode's braille dots, by row and column. */
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
				  : unknown ? choose_code(k, PB_SIGN_UNKNOWN)
			      : house   ? choose_code(k, PB_SIGN_HOUSE)
					: ' ',
	    walls     ? PB_INK_WALL
	    : unknown ? PB_INK_UNKNOWN
	    : house   ? PB_INK_HOUSE
		      : PB_INKS,
	    unknown ? PB_INK_SHADE : PB_INK_FREE};
}

static void
draw_map(struct sketch *k)
{
	k->dot = pb_alloc((size_t)k->port.width * (size_t)k->port.height, 1);
	pb_viewport_shrink(&k->port, k->s->map, k->dot);
	for (int y = 0; y < k->lines; y++)
		for (int x = 0; x < k->cols; x++) {
			struct glyph *g =
			    glyphs_at(&k->cells, k->left + x, k->top + y);

			if (g != NULL)
				*g = make_glyph(k, x, y);
		}
}

/* Move a pellet's sign off a wall that shares its character in a shrunk map, to
 * the nearest free character beside it that nothing separates from it. */
static struct pb_vec
move_off_wall(const struct sketch *k, struct pb_vec d)
{
	int x = (int)floor(d.x / k->sx - 1e-6),
	    y = (int)floor(d.y / k->sy - 1e-6);
	const struct pb_viewport *p = &k->port;
	double cells = (double)p->num / (double)p->den;
	struct pb_vec best = d;
	double least = INFINITY;

	if (p->board || make_glyph(k, x, y).ink != PB_INK_WALL)
		return d;
	for (int i = 0; i < 9; i++) {
		int u = x + i % 3 - 1, v = y + i / 3 - 1;
		struct pb_vec q = {(u + 0.5) * k->sx, (v + 0.5) * k->sy};
		double far = pb_dist(d, q);
		bool clear = u >= 0 && v >= 0 && u < k->cols && v < k->lines &&
		             far < least && make_glyph(k, u, v).code == ' ';

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

/* The character at a dot, NULL: outside of the map. */
static struct glyph *
glyph_at_dot(struct sketch *k, struct pb_vec d)
{
	/* A dot on the border of two characters belongs to the left one. */
	double x = floor(d.x / k->sx - 1e-6), y = floor(d.y / k->sy - 1e-6);

	if (!(x >= 0 && y >= 0 && x < k->cols && y < k->lines))
		return NULL;
	return glyphs_at(&k->cells, k->left + (int)x, k->top + (int)y);
}

static void
draw_code(struct sketch *k, struct pb_vec d, uint32_t code, enum pb_ink ink)
{
	struct glyph *g = glyph_at_dot(k, d);

	if (g != NULL) {
		g->code = code;
		g->ink = (unsigned char)ink;
	}
}

/* The ink of a sign, maybe of a ghost. */
static enum pb_ink
choose_ink(struct sketch *k, enum pb_sign g, const struct pb_body *b)
{
	bool ghost = b && b->kind == PB_BODY_GHOST;

	if (ghost && (g == PB_SIGN_GHOST_TRAIL || g == PB_SIGN_DEATH))
		return add_ink(&k->cells, pb_scene_ghost_color(b->id));
	return pb_signs[g].ink;
}

static void
draw_sign(void *to, enum pb_sign g, struct pb_vec v, const struct pb_body *b)
{
	struct sketch *k = to;
	struct pb_vec d = pb_viewport_at(&k->port, v);
	bool pellet = g == PB_SIGN_PELLET || g == PB_SIGN_POWER ||
	              g == PB_SIGN_EATEN || g == PB_SIGN_TARGET;

	if (pellet && glyph_at_dot(k, d))
		d = move_off_wall(k, d);
	/* Draw a death beside the robot that is still there. */
	else if (g == PB_SIGN_DEATH && glyph_at_dot(k, d) &&
		 glyph_at_dot(k, d)->ink == PB_INK_ROBOT)
		d.x += k->sx;
	draw_code(k, d, choose_code(k, g), choose_ink(k, g, b));
}

static void
draw_segment(struct sketch *k, struct pb_vec p, struct pb_vec q, enum pb_sign g,
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
	n = fmin(n, 2 * (k->cols + k->lines)); /* ends may be infinite */
	for (double i = 0; i <= n; i++) {
		double s = n > 0 ? a + (b - a) * i / n : a;

		draw_sign(k, g, pb_segment_at(p, q, s), whose);
	}
}

static void
draw_line(void *to, enum pb_sign g, const struct pb_points *p,
    const struct pb_body *b)
{
	for (size_t i = 1; i < p->n; i++)
		draw_segment(to, p->at[i - 1], p->at[i], g, b);
}

static void
draw_dots(void *to, enum pb_sign g, const struct pb_points *p)
{
	for (size_t i = 0; i < p->n; i++)
		draw_sign(to, g, p->at[i], NULL);
}

static void
draw_hypothesis(void *to, const struct pb_hypothesis *h, int rank)
{
	struct sketch *k = to;

	draw_code(k, pb_viewport_at(&k->port, pb_pose_vec(h->pose)),
	    '0' + (uint32_t)rank, pb_signs[PB_SIGN_GUESS].ink);
}

/* The character of a body, by heading or id. */
static uint32_t
choose_body_code(const struct sketch *k, const struct pb_body *b)
{
	static const uint32_t ascii[] = {'>', '^', '<', 'v'};
	static const uint32_t arrow[] = {0x25ba, 0x25b2, 0x25c4, 0x25bc};
	unsigned char c = (unsigned char)b->id[0];
	double th;

	if (b->kind == PB_BODY_ROBOT) {
		if (!isfinite(b->pose.th))
			return 'R';
		/* Directions are relative to the map's axes. */
		th = pb_wrap(b->pose.th - k->port.origin.th);
		return (k->t->utf8 ? arrow
				   : ascii)[(lround(th / (PB_PI / 2)) + 4) % 4];
	}
	if (b->kind == PB_BODY_GHOST)
		return (unsigned char)pb_scene_ghost_letter(b->id);
	return (uint32_t)(isalnum(c) ? tolower(c) : '@');
}

static enum pb_ink
choose_body_ink(struct sketch *k, const struct pb_body *b)
{
	return b->kind == PB_BODY_ROBOT ? PB_INK_ROBOT
	       : b->kind == PB_BODY_GHOST
	           ? add_ink(&k->cells, pb_scene_ghost_color(b->id))
	           : PB_INK_OTHER;
}

static void
draw_body(void *to, const struct pb_body *b)
{
	struct sketch *k = to;

	draw_code(k, pb_viewport_at(&k->port, pb_pose_vec(b->pose)),
	    choose_body_code(k, b), choose_body_ink(k, b));
}

/* Least columns between two ticks: a label of 5 with room around. */
#define TICK_COLUMNS 9

static struct pb_axis
make_axis(const struct sketch *k, bool up)
{
	return pb_viewport_axis(&k->port, up,
	    pb_nice_above(TICK_COLUMNS * k->sx * pb_viewport_metres(&k->port)));
}

/* Draw labels and ticks at the left of the map. */
static void
draw_vertical_axis(struct sketch *k, const struct pb_axis *a)
{
	double dot = pb_viewport_metres(&k->port) * k->port.tall;
	char text[64];

	for (int y = 0; y < k->lines; y++)
		set_glyph(&k->cells, k->left - 1, k->top + y,
		    k->t->utf8 ? 0x2502 : '|', PB_INK_DIM);
	for (int i = 0; i < a->ticks; i++) {
		double d = pb_axis_tick(a, i, text) / dot;
		int y = (int)floor((k->port.height - d) / k->sy);

		if (y == k->lines)
			y--;
		if (y < 0 || y >= k->lines)
			continue;
		write_text(&k->cells, k->left - 1 - (int)strlen(text),
		    k->top + y, text, PB_INKS);
		set_glyph(&k->cells, k->left - 1, k->top + y,
		    k->t->utf8 ? 0x2524 : '+', PB_INK_DIM);
	}
}

static void
draw_horizontal_axis(struct sketch *k, const struct pb_axis *a)
{
	double dot = pb_viewport_metres(&k->port);
	int y = k->top + k->lines, from = 0, n;
	char text[64];

	for (int x = 0; x < k->cols; x++)
		set_glyph(&k->cells, k->left + x, y, k->t->utf8 ? 0x2500 : '-',
		    PB_INK_DIM);
	set_glyph(
	    &k->cells, k->left - 1, y, k->t->utf8 ? 0x2514 : '+', PB_INK_DIM);
	for (int i = 0; i < a->ticks; i++) {
		int x = (int)floor(pb_axis_tick(a, i, text) / dot / k->sx);
		int at = k->left + x - (int)strlen(text) / 2;

		if (x < 0 || x >= k->cols)
			continue;
		set_glyph(&k->cells, k->left + x, y, k->t->utf8 ? 0x252c : '+',
		    PB_INK_DIM);
		/* Omit a label that would touch the previous one. */
		if (at >= from && at + (int)strlen(text) <= k->cells.width)
			from =
			    1 + write_text(&k->cells, at, y + 1, text, PB_INKS);
	}
	snprintf(text, sizeof(text), "%s (m)", a->name);
	n = k->left + k->cols - (int)strlen(text);
	if (n < from)
		n = from;
	if (n + (int)strlen(text) <= k->cells.width)
		write_text(&k->cells, n, y + 1, text, PB_INK_DIM);
}

static void
draw_axes(struct sketch *k)
{
	const struct pb_axis up = make_axis(k, true),
			     across = make_axis(k, false);
	char text[16];

	draw_vertical_axis(k, &up);
	draw_horizontal_axis(k, &across);
	snprintf(text, sizeof(text), "%s (m)", up.name);
	write_text(&k->cells,
	    k->left > (int)strlen(text) ? k->left - (int)strlen(text) : 0, 0,
	    text, PB_INK_DIM);
}

/* Position in the legend. */
struct pen {
	struct sketch *k;
	int x, y;
};

static void
draw_entry(struct pen *p, uint32_t code, enum pb_ink ink, const char *text)
{
	int n = (int)strlen(text) + 2;

	if (p->x > 0 && p->x + n > p->k->t->width) {
		p->x = 0;
		p->y++;
	}
	set_glyph(&p->k->cells, p->x, p->y, code, ink);
	write_text(&p->k->cells, p->x + 2, p->y, text, PB_INKS);
	p->x += n + 2;
}

/* Draw the legend below the axes; returns its lines. */
static int
draw_legend(struct sketch *k)
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
			draw_entry(&p, choose_body_code(k, e[i].body),
			    choose_body_ink(k, e[i].body), e[i].text);
		else
			draw_entry(&p, choose_code(k, e[i].sign),
			    choose_ink(k, e[i].sign, e[i].body), e[i].text);
	if (pb_viewport_turned(&k->port, text, sizeof(text)))
		draw_entry(&p, ' ', PB_INKS, text);
	return p.y - top + (p.x > 0);
}

/* Smaller pictures have no axes, to leave room for the map (characters). */
#define AXES_WIDTH  24
#define AXES_HEIGHT 10

/* Most dots of a cell in an enlarged map. */
#define ENLARGE 8

/* Lines of heading, axis and legend. */
static int
count_other_lines(const struct sketch *k)
{
	return 3 * k->axes + k->legend;
}

/* Fit the map between the margins. */
static void
fit_map(struct sketch *k)
{
	int width = k->t->width - k->left;
	int height = k->t->height - count_other_lines(k);

	width = width < 1 ? 1 : width;
	height = height < 1 ? 1 : height;
	pb_viewport_fit(&k->port, width * k->sx, height * k->sy,
	    k->t->style == PB_STYLE_ASCII ? 2 : 1, ENLARGE);
	k->cols = (k->port.width + k->sx - 1) / k->sx;
	k->lines = (k->port.height + k->sy - 1) / k->sy;
}

/*
 * The left margin depends on tick labels, these on the scale, and the scale on
 * the margin; likewise the legend's lines. Two passes: more would only
 * alternate.
 */
static void
lay_out(struct sketch *k)
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

		fit_map(k);
		if (k->legend)
			k->legend = draw_legend(k);
		up = make_axis(k, true);
		if (k->axes)
			k->left = pb_axis_label_width(&up) + 1;
	}
	fit_map(k);
	if (k->legend)
		k->legend = draw_legend(k);
}

/* Draw title, lights and caption, behind the upward axis's name. A title that
 * is too long ends with dots. */
static void
draw_heading(struct sketch *k)
{
	const struct pb_scene *s = k->s;
	const char *title = k->o->title != NULL ? k->o->title : s->title;
	int x = k->left < 4 ? 7 : k->left + 3; /* after "y (m)" */
	int from = x, rest = (int)strlen(s->caption);

	rest += s->has_ring ? PB_RING_LEDS + 2 : 0;
	if (title[0] != '\0')
		x = write_text(&k->cells, x, 0, title, PB_INKS) + 2;
	if (x + rest > k->cells.width) {
		x = k->cells.width - rest;
		x = x < from + 6 ? from : x;
		for (int i = from > x - 4 ? from : x - 4; i < k->cells.width;
		     i++)
			set_glyph(
			    &k->cells, i, 0, i < x - 2 ? '.' : ' ', PB_INKS);
	}
	if (s->has_ring)
		x = 2 + add_ring(&k->cells, x, 0, &s->ring, k->t->utf8);
	write_text(&k->cells, x, 0, s->caption, PB_INKS);
}

bool
pb_term_draw(const struct pb_scene *s, const struct pb_render_opts *o,
    const struct pb_tty *t, enum pb_frame frame, FILE *f)
{
	struct sketch k = {.s = s, .o = o, .t = t};
	const struct pb_canvas c = {
	    &k, draw_line, draw_dots, draw_sign, draw_hypothesis, draw_body};
	bool home = frame != PB_FRAME_TEXT;
	int lines;

	if (!pb_viewport_window(s, o, &k.port))
		return false;
	if (frame == PB_FRAME_FIRST)
		fputs("\033[2J", f);
	lay_out(&k);
	lines = k.lines + count_other_lines(&k);
	k.cells = new_glyphs(t->width, lines > t->height ? t->height : lines);
	draw_map(&k);
	pb_canvas_draw(&c, s, o);
	if (k.axes) {
		draw_axes(&k);
		draw_heading(&k);
	}
	if (k.legend)
		draw_legend(&k);
	print_glyphs(&k.cells, t->color, home, f);
	free(k.cells.at);
	free(k.dot);
	if (home) {
		fputs("\033[J", f); /* remains of a taller frame */
		fflush(f);
	}
	return true;
}
