/* image_bmp.c - reading BMP, the third format of map_server. */
#include <string.h>

#include "io/file/imagefile.h"
#include "io/rec/rec.h"
#include "io/stream/le.h"

/* The usual headers of Windows: of the file, then of the image; later ones
 * of the image begin with the latter. */
enum { FILE_HEADER = 14, INFO_HEADER = 40, COLOURS = 256 };

struct bmp {
	const unsigned char *p;
	size_t n;
	const char *name;
	struct pb_error *f;
	long width, height;   /* (pixels) */
	bool top_down;        /* the first row is the upper one */
	int bits;             /* per pixel: 8 or 24 */
	unsigned long pixels; /* where they begin */
	int colours;          /* in the palette */
	bool gray;            /* entry i of the palette is the gray i */
	unsigned char palette[COLOURS][3]; /* red, green, blue */
};

static unsigned long
number(const struct bmp *b, size_t at, int bytes)
{
	return pb_le_get(b->p + at, bytes);
}

static int
complain(const struct bmp *b, const char *text)
{
	return pb_error_file(b->f, b->name, 0, NULL, "BMP: %s", text);
}

bool
pb_bmp_is(const void *p, size_t n)
{
	const unsigned char *s = p;

	/* Two letters alone may begin a text; the header has 40 to 124 bytes.
	 */
	return n >= FILE_HEADER + 4 && s[0] == 'B' && s[1] == 'M' &&
	       s[14] >= INFO_HEADER && s[14] < 128 && s[15] == 0 &&
	       s[16] == 0 && s[17] == 0;
}

bool
pb_bmp_size(const void *p, size_t n, long *width, long *height)
{
	const struct bmp b = {.p = p, .n = n};

	if (!pb_bmp_is(p, n) || n < FILE_HEADER + INFO_HEADER)
		return false;
	*width = (int32_t)number(&b, 18, 4);
	*height = (int32_t)number(&b, 22, 4);
	*height = *height < 0 ? -*height : *height;
	return true;
}

static int
read_palette(struct bmp *b)
{
	size_t at = FILE_HEADER + b->p[14];
	unsigned long used = number(b, 46, 4);

	if (b->bits != 8)
		return 0;
	b->colours = used > 0 && used < COLOURS ? (int)used : COLOURS;
	if (b->n < at || (b->n - at) / 4 < (size_t)b->colours)
		return complain(b, "truncated: the file ends in the palette");
	b->gray = true;
	for (int i = 0; i < b->colours; i++, at += 4)
		for (int k = 0; k < 3; k++) {
			b->palette[i][k] = b->p[at + 2 - (size_t)k];
			b->gray &= b->palette[i][k] == i;
		}
	return 0;
}

static int
read_header(struct bmp *b)
{
	char text[128];

	if (!pb_bmp_size(b->p, b->n, &b->width, &b->height))
		return complain(b, "truncated: the file ends in its header");
	b->pixels = number(b, 10, 4);
	b->bits = (int)number(b, 28, 2);
	b->top_down = (int32_t)number(b, 22, 4) < 0;
	if (number(b, 30, 4) != 0 || (b->bits != 8 && b->bits != 24))
		return complain(b,
		    "expected 8 or 24 bits a pixel, not compressed: save it "
		    "so, or as PNG");
	if (b->width < 1 || b->height < 1)
		return complain(b, "the image has no pixels");
	if (b->width > PB_MAP_SIDE || b->height > PB_MAP_SIDE)
		return pb_error_file(b->f, b->name, 0, NULL,
		    "BMP: %ld x %ld pixels; a side has at most %d", b->width,
		    b->height, PB_MAP_SIDE);
	if (pb_cells_over(b->width, b->height, text))
		return complain(b, text);
	return read_palette(b);
}

/* A pixel of 8 bits: its index, or its colour. */
static int
read_index(const struct bmp *b, int i, bool one, unsigned char *to)
{
	if (i >= b->colours)
		return complain(b, "a pixel has no colour in the palette");
	if (one)
		*to = (unsigned char)i;
	else
		memcpy(to, b->palette[i], 3);
	return 0;
}

static int
read_pixels(const struct bmp *b, struct pb_image *im)
{
	size_t used = (size_t)b->width * (size_t)b->bits / 8;
	size_t stride = (used + 3) / 4 * 4;
	size_t need = stride * (size_t)(b->height - 1) + used;

	if (b->pixels > b->n || b->n - b->pixels < need)
		return pb_error_file(b->f, b->name, 0, NULL,
		    "BMP: truncated: %ld x %ld pixels need %zu bytes from "
		    "%lu on, the file has %zu",
		    b->width, b->height, need, b->pixels, b->n);
	for (long v = 0; v < b->height; v++) {
		long from = b->top_down ? v : b->height - 1 - v;
		const unsigned char *s =
		    b->p + b->pixels + stride * (size_t)from;
		unsigned char *to = pb_image_at(im, 0, (int)v);

		for (long x = 0; x < b->width; x++, to += im->channels) {
			if (b->bits == 8 &&
			    read_index(b, *s++, im->channels == 1, to) != 0)
				return -1;
			for (int k = 2; b->bits == 24 && k >= 0; k--)
				to[k] = *s++;
		}
	}
	return 0;
}

int
pb_bmp_decode(const void *p, size_t n, const char *name, bool indices,
    struct pb_image *im, struct pb_error *f)
{
	struct bmp b = {.p = p, .n = n, .name = name, .f = f};
	struct pb_image got = {0};
	bool one;

	if (!pb_bmp_is(p, n))
		return complain(&b, "not a BMP image");
	if (read_header(&b) != 0)
		return -1;
	one = b.bits == 8 && (indices || b.gray);
	/* More pixels than the file has are no reason to get memory. */
	if (n < (size_t)b.width * (size_t)b.height * (size_t)b.bits / 8)
		return complain(&b, "truncated: more pixels than the file has");
	if (pb_image_init(
		&got, (int)b.width, (int)b.height, one ? 1 : 3) != PB_OK)
		return pb_error_file_nomem(f, name);
	got.maxval = 255;
	got.palette = b.bits == 8 && !b.gray;
	if (read_pixels(&b, &got) != 0) {
		pb_image_clear(&got);
		return -1;
	}
	*im = got;
	return 0;
}
