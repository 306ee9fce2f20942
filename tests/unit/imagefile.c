/* imagefile.c - tests of reading PGM and BMP and of writing PGM and PNG; see
 * pgmset.c and png.c, too. */
#include "check.h"

#include "decode.h"
#include "map/pixel.h"
#include "pb/map.h"

static void
check_pixels(const char *file, size_t n, int w, int h, const char *want)
{
	struct pb_image im;
	struct pb_error f = {.text = ""};

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

test(pgm_raw)
{
	PGM("P5\n2 1\n255\n\xcd\xfe", 2, 1, "\xcd\xfe");
	PGM("P5 2 1 255 \xcd\xfe", 2, 1, "\xcd\xfe");
	PGM("P5 1 1 255\n\n", 1, 1, "\n"); /* a pixel that looks blank */
	PGM("P5 1 1 255\n#", 1, 1, "#");   /* or like a comment */
	PGM("P5 1 1 255\nabc", 1, 1, "a"); /* what follows is not ours */
	PGM("P5\r\n2 1\r\n255\r\n\xcd\xfe", 2, 1, "\xcd\xfe");
	PGM("P5 1 1 255\r\n", 1, 1, "\n");
	/* Which of two it is, the length of the file tells. */
	PGM("P5 2 1 255\r\nab", 2, 1, "ab");
	PGM("P5 2 1 255\r\na", 2, 1, "\na");
	PGM("P5 2 1 255\r\nabc", 2, 1, "\na");
	PGM("P5 1 1 65535\r\n\xcd\xcd", 1, 1, "\xcd");
	PGM("P5 1 1 65535\r\n\x0a", 1, 1, "\n");
	PGM("P5 3 1 2\n\x00\x01\x02", 3, 1, "\x00\x80\xff");
}

#define REFUSES(file, text) refuses(file, sizeof(file) - 1, text)

test(pgm_refused)
{
	REFUSES("", "empty");
	REFUSES("P6 2 1 255\nabc", "6 bytes, 3 are there");
	REFUSES("GIF8", "a GIF image");
	REFUSES("\xff\xd8\xff\xe0", "a JPEG image");
	REFUSES("P1 1 1 0", "a PBM image");
	REFUSES("P60", "neither");
	REFUSES("P5 2 1 255\na", "2 bytes, 1 are there");
	REFUSES("P5 2 1 256\nabc", "4 bytes, 3 are there");
	REFUSES("P5 2 1 100\n\x01\xff", "pixel (1, 0) is 255");
	REFUSES("P5 20000 5000 255\nabc", "truncated");
	REFUSES("P5 20000 5001 255\nabc",
	    "20000 x 5001 are 100020000 cells, --max-cells is 100000000");
	REFUSES("P2 20000 5000 255\n1 2 3", "truncated");
	REFUSES("P2 2 2 255\n1 2 300 ", "pixel (0, 1) is 300");
}

/* A BMP as a painting program writes it. */
struct bmp {
	int bits, w, h, header;
	bool down;    /* the upper row first */
	bool colours; /* a palette that is not gray i for i */
	unsigned char file[8000];
	size_t n;
};

static void
put(struct bmp *b, size_t at, unsigned long v, int bytes)
{
	for (int i = 0; i < bytes; i++, v >>= 8)
		b->file[at + (size_t)i] = (unsigned char)v;
	if (at + (size_t)bytes > b->n)
		b->n = at + (size_t)bytes;
}

static unsigned
shade(int x, int y)
{
	return (unsigned)(x * 37 + y * 91) & 255;
}

/* Entries 255 - i are the gray i where colours are asked for. */
static void
put_headers(struct bmp *b)
{
	put(b, 0, 'B' | 'M' << 8, 2);
	put(b, 14, (unsigned)b->header, 4);
	put(b, 18, (unsigned)b->w, 4);
	put(b, 22, b->down ? -(unsigned long)b->h : (unsigned)b->h, 4);
	put(b, 26, 1, 2);
	put(b, 28, (unsigned)b->bits, 2);
	put(b, 14 + (size_t)b->header - 1, 0, 1);
	for (unsigned i = 0; b->bits == 8 && i < 256; i++) {
		unsigned v = b->colours ? 255 - i : i;

		put(b, b->n, v | v << 8 | v << 16, 4);
	}
}

static void
make_bmp(struct bmp *b)
{
	size_t bytes = (size_t)b->bits / 8, row;

	memset(b->file, 0, sizeof(b->file));
	b->n = 0;
	put_headers(b);
	row = b->n;
	put(b, 10, row, 4);
	for (int i = 0; i < b->h; i++) {
		for (int x = 0; x < b->w; x++) {
			unsigned v = shade(x, b->down ? i : b->h - 1 - i);

			v = b->bits == 8 && b->colours ? 255 - v : v;
			put(b, row + (size_t)x * bytes, v | v << 8 | v << 16,
			    b->bits / 8);
		}
		row += ((size_t)b->w * bytes + 3) / 4 * 4;
	}
}

/* The same grays as in the PGM, whatever the BMP is like; nothing less. */
static void
check_bmp(struct bmp b)
{
	struct pb_image im;
	struct pb_error f = {.text = ""};

	make_bmp(&b);
	check_int(decode(b.file, b.n, &im, &f), 0);
	if (f.text[0] != '\0') {
		printf(
		    "# %d bits, header of %d: %s\n", b.bits, b.header, f.text);
		return;
	}
	check(im.width == b.w && im.height == b.h);
	check(im.palette == (b.bits == 8 && b.colours));
	check_int(im.channels, b.bits == 8 && !b.colours ? 1 : 3);
	for (int y = 0; y < b.h; y++)
		for (int x = 0; x < b.w; x++)
			for (int k = 0; k < im.channels; k++)
				check_int(pb_image_at(&im, x, y)[k],
				    (int)shade(x, y));
	pb_image_clear(&im);
	cut(b.file, b.n, b.n);
}

test(bmp)
{
	for (int bits = 8; bits <= 24; bits += 16)
		for (int w = 1; w < 19; w += 3) {
			struct bmp b = {bits, w, 5, .header = 40};

			check_bmp(b);
			b.down = true;
			check_bmp(b);
			b.colours = true;
			b.header = 124;
			check_bmp(b);
		}
}

test(bmp_refused)
{
	static const struct {
		size_t at;
		unsigned long v;
		const char *text;
	} bad[] = {{30, 1, "not compressed"}, {30, 3, "not compressed"},
	    {28, 1, "8 or 24 bits"}, {28, 32, "8 or 24 bits"},
	    {14, 12, "neither"}, {18, 0, "no pixels"}, {22, 0, "no pixels"},
	    {18, 0xffffffff, "no pixels"}, {18, 20001, "at most 20000"},
	    {22, 0x80000000, "max-cells"}, {10, 0xffffffff, "truncated"},
	    {46, 1, "no colour"}};
	struct bmp b = {8, 4, 4, 40};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		make_bmp(&b);
		put(&b, bad[i].at, bad[i].v, bad[i].at == 28 ? 2 : 4);
		refuses((const char *)b.file, b.n, bad[i].text);
	}
	make_bmp(&b);
	put(&b, 18, 20000, 4);
	put(&b, 22, 5000, 4);
	refuses((const char *)b.file, b.n, "truncated");
	put(&b, 22, -5001ul, 4);
	refuses((const char *)b.file, b.n, "max-cells");
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
		struct pb_error f;

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

test(written_images_read_back)
{
	write_and_read(1, false);
	for (int channels = 1; channels <= 4; channels++)
		write_and_read(channels, true);
}

test(full_disk)
{
	struct pb_image im;
	struct pb_error f = {.text = ""};
	FILE *out = fopen("/dev/full", "wb");

	if (out == NULL)
		return;
	setvbuf(out, NULL, _IONBF, 0);
	check_int(pb_image_init(&im, 300, 300, 1), PB_OK);
	check_int(pb_pgm_write(out, "x", &im, &f), -1);
	check(f.kind == PB_ERROR_SYSTEM && f.text[0] != '\0');
	check_int(pb_png_write(out, "x", &im, &f), -1);
	check(f.kind == PB_ERROR_SYSTEM);
	fclose(out);
	pb_image_clear(&im);
}
