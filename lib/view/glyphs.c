/* glyphs.c - characters of a terminal: their widths, and coloured grids of
 * them. */
#include "view/glyphs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/utf8.h"

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

size_t
pb_columns_line(const char *s, size_t max, const char **rest)
{
	size_t n = strlen(s), used = 0, end = 0, at = 0, len;

	while (at < n) {
		size_t w =
		    (size_t)columns_of(pb_utf8_shown(s + at, n - at, &len));

		if (s[at] == ' ')
			end = at;
		if (used + w > max && at > 0 && s[at] != ' ')
			break;
		used += w;
		at += len;
	}
	/* Break at the last blank that fits, in a word only if there is none.
	 */
	if (at < n && end > 0)
		at = end;
	*rest = s + at + strspn(s + at, " ");
	return at;
}

void
pb_columns_wrap(const char *text, size_t width, FILE *f)
{
	while (*text != '\0') {
		const char *rest;
		size_t n = pb_columns_line(text, width, &rest);

		for (size_t len; n > 0; text += len, n -= len)
			pb_columns_put(pb_utf8_shown(text, n, &len), f);
		putc('\n', f);
		text = rest;
	}
}

void
pb_columns_put(uint32_t u, FILE *f)
{
	char out[4] = "";

	fwrite(out, 1, pb_utf8_put(out, u), f);
}

/* The second column of a wide character. */
#define PB_CELL_REST 0

enum pb_status
pb_glyphs_init(struct pb_glyphs *c, int width, int height)
{
	size_t n;
	struct pb_glyph *at;

	if (width < 1 || height < 1 || width > 8 * PB_RENDER_CHARS ||
	    height > 8 * PB_RENDER_CHARS)
		return PB_ESIZE;
	n = (size_t)width * (size_t)height;
	if ((at = malloc(n * sizeof(*at))) == NULL)
		return PB_ENOMEM;
	for (size_t i = 0; i < n; i++)
		at[i] = (struct pb_glyph){' ', PB_INKS, PB_INKS};
	*c = (struct pb_glyphs){.width = width, .height = height, .at = at};
	return PB_OK;
}

void
pb_glyphs_clear(struct pb_glyphs *c)
{
	free(c->at);
	*c = (struct pb_glyphs){0};
}

struct pb_glyph *
pb_glyphs_at(struct pb_glyphs *c, int x, int y)
{
	if (x < 0 || y < 0 || x >= c->width || y >= c->height)
		return NULL;
	return &c->at[(size_t)y * (size_t)c->width + (size_t)x];
}

void
pb_glyphs_put(struct pb_glyphs *c, int x, int y, uint32_t code, enum pb_ink ink)
{
	struct pb_glyph *g = pb_glyphs_at(c, x, y);

	if (g == NULL)
		return;
	g->code = code;
	g->ink = (unsigned char)ink;
}

int
pb_glyphs_text(
    struct pb_glyphs *c, int x, int y, const char *text, enum pb_ink ink)
{
	size_t n = strlen(text), len;

	/* What combines with the letter before it has no place of its own. */
	for (; n > 0; text += len, n -= len) {
		uint32_t u = pb_utf8_shown(text, n, &len);
		int w = columns_of(u);

		if (w == 2 && x + 1 >= c->width)
			break;
		if (w > 0)
			pb_glyphs_put(c, x++, y, u, ink);
		if (w == 2)
			pb_glyphs_put(c, x++, y, PB_CELL_REST, ink);
	}
	return x;
}

/* Switch the terminal to an ink; base is 30 for signs, 40 for grounds. */
static void
put_ink(
    const struct pb_glyphs *c, int ink, int base, enum pb_depth depth, FILE *f)
{
	struct pb_rgb k;
	int i;

	if (ink == PB_INKS) {
		fprintf(f, "\033[%dm", base + 9);
		return;
	}
	k = ink >= PB_INK_OWN ? c->own[ink - PB_INK_OWN] : pb_inks[ink].screen;
	if (depth == PB_DEPTH_TRUE) {
		fprintf(f, "\033[%d;2;%d;%d;%dm", base + 8, k.r, k.g, k.b);
	} else if (depth == PB_DEPTH_256) {
		fprintf(
		    f, "\033[%d;5;%dm", base + 8, pb_rgb_nearest(k, 16, 256));
	} else {
		i = pb_rgb_nearest(k, 0, 16);
		/* Bright colours are 90..97 for signs, 100..107 for grounds. */
		fprintf(f, "\033[%dm", i < 8 ? base + i : base + 52 + i);
	}
}

/* How many glyphs of a line show something. */
static int
used(const struct pb_glyph *g, int n, bool color)
{
	/* A blank on a coloured ground does show. */
	while (n > 0 && g[n - 1].code == ' ' &&
	       (!color || g[n - 1].back == PB_INKS))
		n--;
	return n;
}

/* Print line y, without the blanks at its end and without a line feed. */
static void
print_line(const struct pb_glyphs *c, int y, enum pb_depth depth, FILE *f)
{
	const struct pb_glyph *g = c->at + (size_t)y * (size_t)c->width;
	int n = used(g, c->width, depth != PB_DEPTH_NONE);
	int ink = PB_INKS, back = PB_INKS;

	for (int x = 0; x < n; x++) {
		if (depth != PB_DEPTH_NONE) {
			if (g[x].back != back)
				put_ink(c, back = g[x].back, 40, depth, f);
			/* The colour of a blank cannot be seen: no change for
			 * it. */
			if (g[x].ink != ink && g[x].code != ' ')
				put_ink(c, ink = g[x].ink, 30, depth, f);
		}
		if (g[x].code != PB_CELL_REST)
			pb_columns_put(g[x].code, f);
	}
	if (ink != PB_INKS || back != PB_INKS)
		fputs("\033[0m", f);
}

void
pb_glyphs_print(
    const struct pb_glyphs *c, enum pb_depth depth, bool home, FILE *f)
{
	for (int y = 0; y < c->height; y++) {
		if (home)
			fprintf(f, "\033[%d;1H", y + 1);
		print_line(c, y, depth, f);
		if (home)
			fputs("\033[K", f);
		else
			putc('\n', f);
	}
}

/* Full discs and empty ones. */
#define DISC_ON  0x25cf
#define DISC_OFF 0x25cb

/* A light whose strongest part is below is dim (0..255). */
#define DIM 200

static int
strongest(struct pb_led l)
{
	int most = l.r > l.g ? l.r : l.g;

	return l.b > most ? l.b : most;
}

/* How far l is from k, both as bright as can be. */
static int
apart(struct pb_led l, int most, struct pb_led k)
{
	/* Brightness is told by the size of the letter. */
	int r = l.r * 255 / most - k.r, g = l.g * 255 / most - k.g;
	int b = l.b * 255 / most - k.b;

	return r * r + g * g + b * b;
}

/* The first letter of the colour that l is nearest to. */
static char
ring_letter(struct pb_led l)
{
	static const char *const name[] = {
	    "yellow", "red", "blue", "orange", "pink", "white"};
	int most = strongest(l), nearest = 3 * 255 * 255 + 1;
	char best = '.';

	if (most == 0)
		return best;
	for (int i = 0; i < 6; i++) {
		struct pb_led k =
		    pb_light_frame(pb_light_find(name[i]), 0).led[0];

		if (apart(l, most, k) < nearest) {
			nearest = apart(l, most, k);
			best = name[i][0];
		}
	}
	return (char)(most < DIM ? best : toupper((unsigned char)best));
}

int
pb_ring_put(struct pb_glyphs *c, int x, int y, const struct pb_ring *r,
    bool utf8, enum pb_depth depth)
{
	for (int i = 0; i < PB_RING_LEDS; i++, x++) {
		struct pb_led l = r->led[i];
		bool on = strongest(l) > 0;
		uint32_t sign = (unsigned char)ring_letter(l);

		if (utf8 && depth != PB_DEPTH_NONE)
			sign = on ? DISC_ON : DISC_OFF;
		c->own[i] = (struct pb_rgb){l.r, l.g, l.b};
		pb_glyphs_put(c, x, y, sign,
		    on ? (enum pb_ink)(PB_INK_OWN + i) : PB_INK_DIM);
	}
	return x;
}

void
pb_ring_print(const struct pb_ring *r, const struct pb_tty *t, FILE *f)
{
	struct pb_glyphs line;

	if (pb_glyphs_init(&line, PB_RING_LEDS, 1) != PB_OK)
		return;
	pb_ring_put(&line, 0, 0, r, t->utf8, t->depth);
	print_line(&line, 0, t->depth, f);
	pb_glyphs_clear(&line);
}
