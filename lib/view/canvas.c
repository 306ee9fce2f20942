/* canvas.c - an RGB image: pixels, rectangles, text. */
#include "view/canvas.h"

#include <stdlib.h>
#include <string.h>

#include "view/font.h"

enum pb_status
pb_canvas_init(struct pb_canvas *c, int width, int height, struct pb_rgb fill)
{
	size_t n;
	unsigned char *px;

	if (width < 1 || height < 1 || width > PB_CANVAS_SIDE ||
	    height > PB_CANVAS_SIDE)
		return PB_ESIZE;
	n = (size_t)width * (size_t)height;
	if ((px = malloc(3 * n)) == NULL)
		return PB_ENOMEM;
	for (size_t i = 0; i < n; i++) {
		px[3 * i] = fill.r;
		px[3 * i + 1] = fill.g;
		px[3 * i + 2] = fill.b;
	}
	*c = (struct pb_canvas){width, height, px};
	return PB_OK;
}

void
pb_canvas_clear(struct pb_canvas *c)
{
	free(c->px);
	*c = (struct pb_canvas){0};
}

static unsigned char *
pixel(const struct pb_canvas *c, int x, int y)
{
	if (x < 0 || y < 0 || x >= c->width || y >= c->height)
		return NULL;
	return c->px + 3 * ((size_t)y * (size_t)c->width + (size_t)x);
}

/* From old to new by a in 0..1, rounded. */
static unsigned char
mix(unsigned char old, unsigned char new, double a)
{
	return (unsigned char)(old + a * (new - old) + 0.5);
}

int
pb_canvas_whole(double v)
{
	const int off = 8 * PB_CANVAS_SIDE;

	return v > -off ? v < off ? (int)v : off : -off;
}

void
pb_canvas_dot(struct pb_canvas *c, int x, int y, struct pb_rgb k, double a)
{
	unsigned char *p = pixel(c, x, y);

	if (p == NULL)
		return;
	a = a < 0 ? 0 : a > 1 ? 1 : a;
	p[0] = mix(p[0], k.r, a);
	p[1] = mix(p[1], k.g, a);
	p[2] = mix(p[2], k.b, a);
}

void
pb_canvas_copy(struct pb_canvas *c, int x, int y, const struct pb_canvas *src)
{
	for (int v = 0; v < src->height; v++)
		for (int u = 0; u < src->width; u++) {
			unsigned char *p = pixel(c, x + u, y + v);

			if (p != NULL)
				memcpy(p, pixel(src, u, v), 3);
		}
}

void
pb_canvas_fill(struct pb_canvas *c, int x0, int y0, int x1, int y1,
    struct pb_rgb k, double a)
{
	x0 = x0 < 0 ? 0 : x0;
	y0 = y0 < 0 ? 0 : y0;
	x1 = x1 > c->width ? c->width : x1;
	y1 = y1 > c->height ? c->height : y1;
	for (int y = y0; y < y1; y++)
		for (int x = x0; x < x1; x++)
			pb_canvas_dot(c, x, y, k, a);
}

/* One glyph, upright or turned to be read upwards. */
static void
glyph(struct pb_canvas *c, int x, int y, int size, bool up, unsigned char ch,
    struct pb_rgb k)
{
	for (int j = 0; j < PB_FONT_ROWS; j++)
		for (int i = 0; i < PB_FONT_COLUMNS; i++) {
			int u = x + (up ? j : i) * size;
			int v = y + (up ? -i - 1 : j) * size;

			if (pb_font_dot(ch, i, j))
				pb_canvas_fill(
				    c, u, v, u + size, v + size, k, 1);
		}
}

void
pb_canvas_text(struct pb_canvas *c, int x, int y, int size, const char *text,
    struct pb_rgb k)
{
	for (; *text != '\0' && x < c->width; text++) {
		glyph(c, x, y, size, false, (unsigned char)*text, k);
		x += PB_FONT_ADVANCE * size;
	}
}

void
pb_canvas_text_up(struct pb_canvas *c, int x, int y, int size, const char *text,
    struct pb_rgb k)
{
	for (; *text != '\0' && y > 0; text++) {
		glyph(c, x, y, size, true, (unsigned char)*text, k);
		y -= PB_FONT_ADVANCE * size;
	}
}

int
pb_text_width(const char *text, int size)
{
	int n = (int)strnlen(text, 10000);

	return n == 0 ? 0 : (n * PB_FONT_ADVANCE - 1) * size;
}

int
pb_text_height(int size)
{
	return PB_FONT_ROWS * size;
}
