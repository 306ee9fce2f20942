/* imagefile.c - tests of reading and writing PGM and PNG. */
#include "check.h"

#include <png.h>
#include <setjmp.h>
#include <string.h>

#include "io/imagefile.h"
#include "map/map.h"

/* Decode a copy of its exact size, so that a sanitizer sees any overrun. */
static int
decode(const void *p, size_t n, struct pb_image *im, struct pb_fault *f)
{
	char *copy = malloc(n > 0 ? n : 1);
	int rc;

	memcpy(copy, p, n);
	*im = (struct pb_image){0};
	rc = pb_image_decode(copy, n, "test", false, im, f);
	free(copy);
	return rc;
}

static void
check_pixels(const char *file, size_t n, int w, int h, const char *want)
{
	struct pb_image im;
	struct pb_fault f = {.text = ""};

	if (decode(file, n, &im, &f) != 0) {
		check_fail_(__FILE__, __LINE__, f.text);
		return;
	}
	check_int(im.width, w);
	check_int(im.height, h);
	check_int(im.channels, 1);
	check(memcmp(im.sample, want, (size_t)(w * h)) == 0);
	pb_image_clear(&im);
}

#define PGM(text, w, h, want) check_pixels(text, sizeof(text) - 1, w, h, want)

static void
test_pgm_raw(void)
{
	PGM("P5\n2 1\n255\n\xcd\xfe", 2, 1, "\xcd\xfe");
	PGM("P5 2 1 255 \xcd\xfe", 2, 1, "\xcd\xfe");
	PGM("P5 1 1 255\n\n", 1, 1, "\n"); /* a pixel that looks blank */
	PGM("P5 1 1 255\n#", 1, 1, "#");   /* or like a comment */
	PGM("P5 1 1 255\nabc", 1, 1, "a"); /* what follows is not ours */
	PGM("P5\r\n2 1\r\n255\r\n\xcd\xfe", 2, 1, "\xcd\xfe");
	PGM("P5 1 1 255\r\n", 1, 1, "\n");
	PGM("P5 3 1 2\n\x00\x01\x02", 3, 1, "\x00\x80\xff");
}

static void
test_pgm_comments_anywhere(void)
{
	PGM("P5# a\n# CREATOR: b 0.050 m/pix\n2# w\n#\n1 #h\n255\nab", 2, 1,
	    "ab");
	PGM("P5\n2 1\n255# last\nab", 2, 1, "ab");
	PGM("P2# a\n2 1 255\n1 # one\n2", 2, 1, "\x01\x02");
}

static void
test_pgm_16_bit_is_big_endian(void)
{
	PGM("P5 2 1 65535\n\x80\x00\xcd\xcd", 2, 1, "\x80\xcd");
	PGM("P5 2 1 256\n\x01\x00\x00\x80", 2, 1, "\xff\x80");
	PGM("P2 2 1 65535\n65535 257", 2, 1, "\xff\x01");
}

static void
test_pgm_plain(void)
{
	PGM("P2\n3 2\n255\n0 205 254\n255\t1\r\n2\n", 3, 2,
	    "\x00\xcd\xfe\xff\x01\x02");
	PGM("P2 1 1 255 7", 1, 1, "\x07");
}

static void
refuses(const char *file, size_t n, const char *text)
{
	struct pb_image im = {0};
	struct pb_fault f = {.text = ""};

	check_int(decode(file, n, &im, &f), -1);
	check(im.sample == NULL);
	if (strstr(f.text, text) == NULL && strstr(f.field, text) == NULL)
		printf("# \"%s: %s\" lacks \"%s\"\n", f.field, f.text, text);
	check(strstr(f.text, text) != NULL || strstr(f.field, text) != NULL);
}

#define REFUSES(file, text) refuses(file, sizeof(file) - 1, text)

static void
test_pgm_refused(void)
{
	REFUSES("", "empty");
	REFUSES("P6 1 1 255\nabc", "P6");
	REFUSES("GIF89a", "neither");
	REFUSES("P5", "width");
	REFUSES("P5 ", "width");
	REFUSES("P5 x", "width");
	REFUSES("P5 2 1", "maxval");
	REFUSES("P5 0 1 255\n", "no pixels");
	REFUSES("P5 20001 1 255\n", "20000");
	REFUSES("P5 99999999999999999999 1 255\n", "20000");
	REFUSES("P5 -1 1 255\n", "width");
	REFUSES("P5 2 1 0\nab", "maxval");
	REFUSES("P5 2 1 65536\nab", "65535");
	REFUSES("P5 2 1 255x", "white space");
	REFUSES("P5 2 1 255\na", "2 bytes, 1 are there");
	REFUSES("P5 2 1 256\nabc", "4 bytes, 3 are there");
	REFUSES("P5 2 1 100\n\x01\xff", "pixel (1, 0) is 255");
	REFUSES("P5 20000 20000 255\nabc", "truncated");
	REFUSES("P2 20000 20000 255\n1 2 3", "truncated");
	REFUSES("P2 2 2 255\n1 2 300 ", "pixel (0, 1) is 300");
	REFUSES("P2 2 2 255\n1 2 x 4", "expected a number");
}

/* Every beginning of a file is refused or, past the pixels, the image. */
static void
cut(const void *file, size_t n, size_t whole)
{
	for (size_t k = 0; k <= n; k++) {
		struct pb_image im;
		struct pb_fault f = {.text = ""};
		int rc = decode(file, k, &im, &f);

		check_int(rc, k < whole ? -1 : 0);
		check((rc == 0) == (f.text[0] == '\0'));
		if (rc == 0)
			pb_image_clear(&im);
	}
}

static void
test_pgm_cut_anywhere(void)
{
	static const char raw[] = "P5 # c\n3 2\n255\nabcdef";
	static const char deep[] = "P5 3 1 256\n\0\1\0\2\0\3";
	static const char plain[] = "P2\n3 1\n255\n1 2 3";

	cut(raw, sizeof(raw) - 1, sizeof(raw) - 1);
	cut(deep, sizeof(deep) - 1, sizeof(deep) - 1);
	cut(plain, sizeof(plain) - 1, sizeof(plain) - 1);
}

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
	struct pb_fault f = {.text = ""};
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
#define SORTS (sizeof(sorts) / sizeof(sorts[0]))

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

	check_int(pb_png_decode(file, n, "test", true, &im, NULL), 0);
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
		struct pb_fault f = {.text = ""};

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

static void
write_and_read(int channels, bool png)
{
	struct pb_image im, back;
	char *bytes[2] = {NULL, NULL};
	size_t n[2];

	check_int(pb_image_init(&im, 31, 9, channels), PB_OK);
	for (size_t i = 0; i < pb_image_bytes(&im); i++)
		im.sample[i] = (unsigned char)(i * 37 + i / 7);
	for (int k = 0; k < 2; k++) {
		FILE *out = open_memstream(&bytes[k], &n[k]);
		struct pb_fault f;

		check_int(png ? pb_png_write(out, "x", &im, &f)
			      : pb_pgm_write(out, "x", &im, &f),
		    0);
		fclose(out);
	}
	check_int((long long)n[0], (long long)n[1]);
	check(memcmp(bytes[0], bytes[1], n[0]) == 0);
	check_int(decode(bytes[0], n[0], &back, NULL), 0);
	check_int(back.channels, channels);
	check(back.width == 31 && back.height == 9);
	check(memcmp(back.sample, im.sample, pb_image_bytes(&im)) == 0);
	pb_image_clear(&back);
	pb_image_clear(&im);
	free(bytes[0]);
	free(bytes[1]);
}

static void
test_written_images_read_back(void)
{
	write_and_read(1, false);
	for (int channels = 1; channels <= 4; channels++)
		write_and_read(channels, true);
}

static void
test_full_disk(void)
{
	struct pb_image im;
	struct pb_fault f = {.text = ""};
	FILE *out = fopen("/dev/full", "wb");

	if (out == NULL)
		return;
	setvbuf(out, NULL, _IONBF, 0);
	check_int(pb_image_init(&im, 300, 300, 1), PB_OK);
	check_int(pb_pgm_write(out, "x", &im, &f), -1);
	check(f.system && f.text[0] != '\0');
	check_int(pb_png_write(out, "x", &im, &f), -1);
	check(f.system);
	fclose(out);
	pb_image_clear(&im);
}

static void
test_pgm_takes_gray_only(void)
{
	struct pb_image im;
	struct pb_fault f;

	check_int(pb_image_init(&im, 2, 2, 3), PB_OK);
	check_int(pb_pgm_write(stdout, "x", &im, &f), -1);
	pb_image_clear(&im);
}

int
main(void)
{
	run(test_pgm_raw);
	run(test_pgm_comments_anywhere);
	run(test_pgm_16_bit_is_big_endian);
	run(test_pgm_plain);
	run(test_pgm_refused);
	run(test_pgm_cut_anywhere);
	run(test_png_of_every_type_and_depth);
	run(test_png_gamma_is_seen_and_not_applied);
	run(test_png_palette_indices);
	run(test_png_cut_anywhere);
	run(test_png_damaged_anywhere);
	run(test_png_too_large);
	run(test_written_images_read_back);
	run(test_full_disk);
	run(test_pgm_takes_gray_only);
	return done();
}
