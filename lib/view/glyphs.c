/* glyphs.c - a grid of coloured characters and its way to a terminal. */
#include "view/glyphs.h"

#include <stdlib.h>
#include <string.h>

#include "io/utf8.h"
#include "view/columns.h"

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

	for (; n > 0; text += len, n -= len) {
		uint32_t u = pb_utf8_shown(text, n, &len);
		int w = pb_columns_of(u);

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
	k = ink >= PB_INK_OWN ? c->own[ink - PB_INK_OWN]
	                      : pb_ink_screen((enum pb_ink)ink);
	if (depth == PB_DEPTH_TRUE) {
		fprintf(f, "\033[%d;2;%d;%d;%dm", base + 8, k.r, k.g, k.b);
	} else if (depth == PB_DEPTH_256) {
		fprintf(f, "\033[%d;5;%dm", base + 8, pb_rgb_256(k));
	} else {
		i = pb_rgb_16(k);
		fprintf(f, "\033[%dm", i < 8 ? base + i : base + 52 + i);
	}
}

/* How many glyphs of a line show something. */
static int
used(const struct pb_glyph *g, int n, bool color)
{
	while (n > 0 && g[n - 1].code == ' ' &&
	       (!color || g[n - 1].back == PB_INKS))
		n--;
	return n;
}

void
pb_glyphs_line(const struct pb_glyphs *c, int y, enum pb_depth depth, FILE *f)
{
	const struct pb_glyph *g = c->at + (size_t)y * (size_t)c->width;
	int n = used(g, c->width, depth != PB_DEPTH_NONE);
	int ink = PB_INKS, back = PB_INKS;

	for (int x = 0; x < n; x++) {
		if (depth != PB_DEPTH_NONE) {
			if (g[x].back != back)
				put_ink(c, back = g[x].back, 40, depth, f);
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
		pb_glyphs_line(c, y, depth, f);
		if (home)
			fputs("\033[K", f);
		else
			putc('\n', f);
	}
}
