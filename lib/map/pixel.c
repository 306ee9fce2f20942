/* pixel.c - turning map images into cells and cells into images. */
#include "map/pixel.h"

/* Cells of all grays at once: an image has far more pixels than shades. */
struct table {
	signed char cell[256];
	bool guarded[256];
};

static void
table_fill(struct table *t, const struct pb_pixel_opts *o)
{
	for (int v = 0; v < 256; v++) {
		unsigned char s = (unsigned char)v;

		t->cell[v] =
		    (signed char)pb_pixel_cell(o, &s, 1, &t->guarded[v]);
	}
}

static signed char
storable(int cell)
{
	return (signed char)(cell < -1 || cell > 100 ? PB_CELL_UNKNOWN : cell);
}

/* One row of a gray image; each shade is counted in seen. */
static void
gray_row(const struct table *t, const unsigned char *s, int n,
    signed char *cell, size_t seen[256])
{
	for (int u = 0; u < n; u++) {
		cell[u] = storable(t->cell[s[u]]);
		seen[s[u]]++;
	}
}

/* One row of any other image; returns how many cells were guarded. */
static size_t
colour_row(const struct pb_pixel_opts *o, const unsigned char *s, int channels,
    int n, signed char *cell)
{
	size_t guarded = 0;
	bool g;

	for (int u = 0; u < n; u++, s += channels) {
		cell[u] = storable(pb_pixel_cell(o, s, channels, &g));
		guarded += g;
	}
	return guarded;
}

static void
count_cells(const struct pb_map *m, struct pb_pixel_count *count)
{
	size_t value[256] = {0};

	for (size_t i = 0; i < pb_map_cells(m); i++)
		value[(unsigned char)m->cell[i]]++;
	for (int v = -1; v <= 100; v++) {
		size_t n = value[(unsigned char)v];

		count->free += pb_cell_free(v) ? n : 0;
		count->occupied += pb_cell_occupied(v) ? n : 0;
		count->unknown += pb_cell_unknown(v) ? n : 0;
	}
}

static size_t
convert(
    const struct pb_pixel_opts *o, const struct pb_image *im, struct pb_map *m)
{
	struct table t;
	size_t seen[256] = {0}, guarded = 0;

	table_fill(&t, o);
	for (int v = 0; v < im->height; v++) {
		const unsigned char *s = pb_image_at(im, 0, v);
		signed char *cell =
		    m->cell +
		    pb_map_index(m, (struct pb_cell){0, im->height - 1 - v});

		if (im->channels == 1)
			gray_row(&t, s, im->width, cell, seen);
		else
			guarded +=
			    colour_row(o, s, im->channels, im->width, cell);
	}
	for (int v = 0; v < 256; v++)
		guarded += t.guarded[v] ? seen[v] : 0;
	return guarded;
}

enum pb_status
pb_pixel_map(const struct pb_pixel_opts *o, const struct pb_image *im,
    double resolution, struct pb_pose origin, struct pb_map *m,
    struct pb_pixel_count *count)
{
	enum pb_status st = pb_pixel_check(o);
	size_t guarded;

	if (st == PB_OK)
		st = pb_map_init(m, im->width, im->height, resolution, origin);
	if (st != PB_OK)
		return st;
	guarded = convert(o, im, m);
	if (count != NULL) {
		*count = (struct pb_pixel_count){.guarded = guarded};
		count_cells(m, count);
	}
	return PB_OK;
}

size_t
pb_pixel_differ(const struct pb_image *im, const struct pb_pixel_opts *a,
    const struct pb_pixel_opts *b)
{
	struct table ta, tb;
	size_t n = 0, pixels = pb_image_pixels(im);
	const unsigned char *s = im->sample;

	table_fill(&ta, a);
	table_fill(&tb, b);
	for (size_t i = 0; i < pixels; i++, s += im->channels) {
		if (im->channels == 1)
			n += ta.cell[*s] != tb.cell[*s];
		else
			n += pb_pixel_cell(a, s, im->channels, NULL) !=
			     pb_pixel_cell(b, s, im->channels, NULL);
	}
	return n;
}

struct pb_pixel_opts
pb_pixel_fit(const struct pb_map *m)
{
	struct pb_pixel_opts o = pb_pixel_defaults();

	for (size_t i = 0; i < pb_map_cells(m); i++) {
		int v = m->cell[i];

		if (v != 0 && v != 100 && v != PB_CELL_UNKNOWN) {
			o.mode = PB_MODE_RAW;
			break;
		}
	}
	return o;
}

enum pb_status
pb_pixel_image(const struct pb_map *m, struct pb_image *im)
{
	unsigned char pixel[256];
	bool raw = pb_pixel_fit(m).mode == PB_MODE_RAW;
	enum pb_status st = pb_image_init(im, m->width, m->height, 1);

	if (st != PB_OK)
		return st;
	for (int v = 0; v < 256; v++)
		pixel[v] = raw ? (unsigned char)v : PB_PIXEL_UNKNOWN;
	if (!raw) {
		pixel[0] = 254;
		pixel[100] = 0;
	}
	for (int v = 0; v < m->height; v++) {
		unsigned char *s = pb_image_at(im, 0, v);
		const signed char *cell =
		    m->cell +
		    pb_map_index(m, (struct pb_cell){0, m->height - 1 - v});

		for (int u = 0; u < m->width; u++)
			s[u] = pixel[(unsigned char)cell[u]];
	}
	return PB_OK;
}
