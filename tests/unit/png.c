/* png.c - tests of reading PNG. */
#include "check.h"

#include <png.h>
#include <string.h>

#include "decode.h"

/* A PNG as some program might write it. */
struct sort {
	int type, depth;
	bool interlaced;
	bool transparent; /* a tRNS chunk */
};

#define SIDE    13
#define COLOURS 4

static const png_color palette[COLOURS] = {
    {205, 205, 205}, {0, 0, 0}, {254, 254, 254}, {10, 200, 30}};
static const png_byte palette_alpha[2] = {255, 40};

static int
stored_channels(int type)
{
	return (type & PNG_COLOR_MASK_PALETTE) != 0
	           ? 1
	           : ((type & PNG_COLOR_MASK_COLOR) != 0 ? 3 : 1) +
	                 ((type & PNG_COLOR_MASK_ALPHA) != 0);
}

/* The stored sample c of pixel (u, v): as irregular as one likes. */
static unsigned int
sample(const struct sort *s, int u, int v, int c)
{
	unsigned int x = (unsigned int)(u * 7919 + v * 104729 + c * 1299709);

	x = x * 2654435761u;
	if (s->type == PNG_COLOR_TYPE_PALETTE)
		return (x >> 20) % (s->depth == 1 ? 2 : COLOURS);
	return (x >> 8) & ((1u << s->depth) - 1);
}

static void
pack_row(const struct sort *s, int v, png_bytep row)
{
	int n = stored_channels(s->type), bit = 0;

	memset(row, 0, SIDE * 8);
	for (int u = 0; u < SIDE; u++)
		for (int c = 0; c < n; c++) {
			unsigned int x = sample(s, u, v, c);

			for (int b = s->depth - 1; b >= 0; b--, bit++)
				row[bit / 8] |=
				    (png_byte)(((x >> b) & 1) << (7 - bit % 8));
		}
}

static void
set_transparent(png_structp png, png_infop at, const struct sort *s)
{
	png_color_16 key = {0};

	if (s->type == PNG_COLOR_TYPE_PALETTE) {
		png_set_tRNS(png, at, palette_alpha, 2, NULL);
		return;
	}
	key.gray = key.red = (png_uint_16)sample(s, 2, 3, 0);
	key.green = (png_uint_16)sample(s, 2, 3, 1);
	key.blue = (png_uint_16)sample(s, 2, 3, 2);
	png_set_tRNS(png, at, NULL, 0, &key);
}

static char *
make_png(const struct sort *s, double gamma, size_t *n)
{
	png_structp png =
	    png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_infop at = png_create_info_struct(png);
	png_byte row[SIDE][SIDE * 8];
	png_bytep rows[SIDE];
	char *bytes = NULL;
	FILE *out = open_memstream(&bytes, n);

	png_init_io(png, out);
	png_set_IHDR(png, at, SIDE, SIDE, s->depth, s->type,
	    s->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, 0, 0);
	if (s->type == PNG_COLOR_TYPE_PALETTE)
		png_set_PLTE(png, at, palette, s->depth == 1 ? 2 : COLOURS);
	if (s->transparent)
		set_transparent(png, at, s);
	if (gamma > 0)
		png_set_gAMA(png, at, gamma);
	png_write_info(png, at);
	for (int v = 0; v < SIDE; v++) {
		pack_row(s, v, row[v]);
		rows[v] = row[v];
	}
	png_write_image(png, rows);
	png_write_end(png, NULL);
	png_destroy_write_struct(&png, &at);
	fclose(out);
	return bytes;
}

static int
to_byte(unsigned int x, int depth)
{
	double max = (double)((1u << depth) - 1);

	return (int)floor(x * 255 / max + 0.5);
}

/* Whether the pixel has the colour that the tRNS chunk makes transparent. */
static bool
is_key(const struct sort *s, int u, int v)
{
	int n = stored_channels(s->type);

	for (int c = 0; c < n; c++)
		if (sample(s, u, v, c) != sample(s, 2, 3, c))
			return false;
	return true;
}

/* What sample c of pixel (u, v) should be decoded to. */
static int
wanted(const struct sort *s, int u, int v, int c)
{
	unsigned int x = sample(s, u, v, 0);

	if (s->type == PNG_COLOR_TYPE_PALETTE) {
		if (c == 3)
			return x < 2 ? palette_alpha[x] : 255;
		return c == 0   ? palette[x].red
		       : c == 1 ? palette[x].green
		                : palette[x].blue;
	}
	if (c >= stored_channels(s->type))
		return is_key(s, u, v) ? 0 : 255;
	return to_byte(sample(s, u, v, c), s->depth);
}

static void
check_png(const struct sort *s)
{
	size_t n;
	char *file = make_png(s, 0, &n);
	struct pb_image im;
	struct pb_error f = {.text = ""};
	int bad = 0, channels = s->type == PNG_COLOR_TYPE_PALETTE
	                            ? 3
	                            : stored_channels(s->type);

	if (decode(file, n, &im, &f) != 0) {
		check_fail_(__FILE__, __LINE__, f.text);
		free(file);
		return;
	}
	check_int(im.width, SIDE);
	check_int(im.height, SIDE);
	check_int(im.channels, channels + s->transparent);
	for (int v = 0; v < SIDE; v++)
		for (int u = 0; u < SIDE; u++)
			for (int c = 0; c < im.channels; c++)
				bad += pb_image_at(&im, u, v)[c] !=
				       wanted(s, u, v, c);
	if (bad != 0)
		printf("# type %d, depth %d, interlaced %d, tRNS %d\n", s->type,
		    s->depth, s->interlaced, s->transparent);
	check_int(bad, 0);
	check(im.palette == (s->type == PNG_COLOR_TYPE_PALETTE));
	check(!im.gamma);
	pb_image_clear(&im);
	free(file);
}

static const struct sort sorts[] = {
    {PNG_COLOR_TYPE_GRAY, 1, false, false},
    {PNG_COLOR_TYPE_GRAY, 2, false, false},
    {PNG_COLOR_TYPE_GRAY, 4, false, false},
    {PNG_COLOR_TYPE_GRAY, 8, false, false},
    {PNG_COLOR_TYPE_GRAY, 16, false, false},
    {PNG_COLOR_TYPE_GRAY_ALPHA, 8, false, false},
    {PNG_COLOR_TYPE_GRAY_ALPHA, 16, false, false},
    {PNG_COLOR_TYPE_RGB, 8, false, false},
    {PNG_COLOR_TYPE_RGB, 16, false, false},
    {PNG_COLOR_TYPE_RGB_ALPHA, 8, false, false},
    {PNG_COLOR_TYPE_RGB_ALPHA, 16, false, false},
    {PNG_COLOR_TYPE_PALETTE, 1, false, false},
    {PNG_COLOR_TYPE_PALETTE, 2, false, false},
    {PNG_COLOR_TYPE_PALETTE, 4, false, false},
    {PNG_COLOR_TYPE_PALETTE, 8, false, false},
    {PNG_COLOR_TYPE_GRAY, 1, false, true},
    {PNG_COLOR_TYPE_GRAY, 4, false, true},
    {PNG_COLOR_TYPE_GRAY, 8, false, true},
    {PNG_COLOR_TYPE_RGB, 8, false, true},
    {PNG_COLOR_TYPE_PALETTE, 2, false, true},
    {PNG_COLOR_TYPE_PALETTE, 8, false, true},
};
#define SORTS (sizeof(sorts) / sizeof(*sorts))

static void
test_png_of_every_type_and_depth(void)
{
	for (size_t i = 0; i < SORTS; i++) {
		struct sort s = sorts[i];

		check_png(&s);
		s.interlaced = true;
		check_png(&s);
	}
}

static void
test_png_gamma_is_seen_and_not_applied(void)
{
	struct sort s = {PNG_COLOR_TYPE_GRAY, 8, false, false};
	struct pb_image im;
	size_t n;
	char *file = make_png(&s, 1.0, &n);

	check_int(decode(file, n, &im, NULL), 0);
	check(im.gamma);
	check_int(im.sample[5], (int)sample(&s, 5, 0, 0));
	pb_image_clear(&im);
	free(file);
	file = make_png(&s, 1 / 2.2, &n);
	check_int(decode(file, n, &im, NULL), 0);
	check(!im.gamma);
	pb_image_clear(&im);
	free(file);
}

static void
test_png_palette_indices(void)
{
	struct sort s = {PNG_COLOR_TYPE_PALETTE, 2, false, false};
	struct pb_image im;
	size_t n;
	char *file = make_png(&s, 0, &n);

	check_int(pb_image_decode(file, n, "test", true, &im, NULL), 0);
	check_int(im.channels, 1);
	for (int u = 0; u < SIDE; u++)
		check_int(im.sample[u], (int)sample(&s, u, 0, 0));
	pb_image_clear(&im);
	free(file);
}

static void
test_png_cut_anywhere(void)
{
	for (size_t i = 0; i < SORTS; i += 5) {
		struct sort s = sorts[i];
		size_t n;
		char *file;

		s.interlaced = i % 2 == 0;
		file = make_png(&s, 0, &n);
		cut(file, n, n);
		free(file);
	}
}

/* Any byte may be wrong: refused or decoded, never anything else. */
static void
test_png_damaged_anywhere(void)
{
	struct sort s = {PNG_COLOR_TYPE_PALETTE, 4, true, true};
	struct pb_image im;
	size_t n;
	char *file = make_png(&s, 0, &n);
	int refused = 0;

	for (size_t i = 0; i < n; i++) {
		struct pb_error f = {.text = ""};

		file[i] ^= 0x41;
		if (decode(file, n, &im, &f) == 0) {
			pb_image_clear(&im);
		} else {
			refused++;
			check(f.text[0] != '\0');
			check(strchr(f.text, '\n') == NULL);
		}
		file[i] ^= 0x41;
	}
	check(refused > (int)n / 2);
	free(file);
}

static void
test_png_too_large(void)
{
	/* Signature and header of 20001 x 1; the CRC is right. */
	static const unsigned char head[] = {0x89, 'P', 'N', 'G', '\r', '\n',
	    0x1a, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0, 0x4e, 0x21, 0, 0,
	    0, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0};

	refuses((const char *)head, sizeof(head), "PNG");
}

int
main(void)
{
	run(test_png_of_every_type_and_depth);
	run(test_png_gamma_is_seen_and_not_applied);
	run(test_png_palette_indices);
	run(test_png_cut_anywhere);
	run(test_png_damaged_anywhere);
	run(test_png_too_large);
	return done();
}
