/* image_bmp.c - reading BMP, the third format of map_server. */
#include <string.h>

#include "io/file/imagefile.h"
#include "io/rec/rec.h"
#include "io/stream/le.h"

#define FILE_HEADER 14 /* bytes in front of the header of the image */
#define CORE_HEADER 12 /* of OS/2: sizes of 16 bits, no compression */
#define INFO_HEADER 40 /* of Windows; later ones begin with it */
#define COLOURS     256

/* How the samples are packed. */
enum { BI_RGB = 0, BI_RLE8, BI_RLE4, BI_BITFIELDS, BI_JPEG, BI_PNG };

struct bmp {
	const unsigned char *p;
	size_t n;
	const char *name;
	struct pb_error *f;
	size_t header;        /* bytes of the image's header */
	long width, height;   /* (pixels) */
	bool top_down;        /* the first row is the upper one */
	int bits;             /* per pixel */
	unsigned long pixels; /* where they begin */
	int colours;          /* in the palette */
	bool gray;            /* entry i of the palette is the gray i */
	unsigned char palette[COLOURS][3]; /* red, green, blue */
	int at[4]; /* byte of red, green, blue, alpha; -1: none */
};

static unsigned long
number(const struct bmp *b, size_t at, int bytes)
{
	return pb_le_get(b->p + at, bytes);
}

/* The same with a sign, 32 bits. */
static long
signed_number(const struct bmp *b, size_t at)
{
	return (int32_t)number(b, at, 4);
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

	/* Two letters alone may begin a text; the size of the header is 12, or
	 * 40 to 124. */
	return n >= FILE_HEADER + 4 && s[0] == 'B' && s[1] == 'M' &&
	       (s[14] == CORE_HEADER ||
		   (s[14] >= INFO_HEADER && s[14] < 128)) &&
	       s[15] == 0 && s[16] == 0 && s[17] == 0;
}

bool
pb_bmp_size(const void *p, size_t n, long *width, long *height)
{
	const struct bmp b = {.p = p, .n = n};
	bool core = pb_bmp_is(p, n) && b.p[14] == CORE_HEADER;

	if (!pb_bmp_is(p, n) ||
	    n < FILE_HEADER + (core ? CORE_HEADER : INFO_HEADER))
		return false;
	*width = core ? (long)number(&b, 18, 2) : signed_number(&b, 18);
	*height = core ? (long)number(&b, 20, 2) : signed_number(&b, 22);
	*height = *height < 0 ? -*height : *height;
	return true;
}

/* Which byte of a pixel a mask of eight bits takes; -1 if it is no such. */
static int
byte_of(unsigned long mask)
{
	for (int i = 0; i < 4; i++)
		if (mask == 0xfful << 8 * i)
			return i;
	return -1;
}

/* Where red, green, blue and alpha are in a pixel of 24 or 32 bits. */
static int
read_masks(struct bmp *b)
{
	static const int usual[4] = {2, 1, 0, -1};
	size_t end = FILE_HEADER + INFO_HEADER;

	memcpy(b->at, usual, sizeof(usual));
	if (b->header == CORE_HEADER || number(b, 30, 4) != BI_BITFIELDS)
		return 0;
	if (b->bits != 32 || b->n < end + 16)
		return complain(b, "expected masks of 32 bits a pixel");
	for (int i = 0; i < 3; i++)
		b->at[i] = byte_of(number(b, end + 4 * (size_t)i, 4));
	/* Headers from version 3 on have a fourth one. */
	if (b->header >= INFO_HEADER + 16)
		b->at[3] = byte_of(number(b, end + 12, 4));
	if (b->at[0] < 0 || b->at[1] < 0 || b->at[2] < 0)
		return complain(
		    b, "masks that are no whole bytes are not read");
	return 0;
}

static int
read_palette(struct bmp *b)
{
	size_t entry = b->header == CORE_HEADER ? 3 : 4;
	size_t at = FILE_HEADER + b->header;
	unsigned long used = 0;

	if (b->bits > 8)
		return 0;
	if (b->header != CORE_HEADER)
		used = number(b, 46, 4);
	b->colours = 1 << b->bits;
	if (used > 0 && used < (unsigned long)b->colours)
		b->colours = (int)used;
	if (b->n < at || (b->n - at) / entry < (size_t)b->colours)
		return complain(b, "truncated: the file ends in the palette");
	b->gray = b->bits == 8;
	for (int i = 0; i < b->colours; i++, at += entry)
		for (int k = 0; k < 3; k++) {
			b->palette[i][k] = b->p[at + 2 - (size_t)k];
			b->gray &= b->palette[i][k] == i;
		}
	return 0;
}

static int
check_packing(const struct bmp *b)
{
	static const char *const packed[] = {[BI_RLE8] = "RLE8",
	    [BI_RLE4] = "RLE4",
	    [BI_JPEG] = "JPEG",
	    [BI_PNG] = "PNG"};
	unsigned long how =
	    b->header == CORE_HEADER ? BI_RGB : number(b, 30, 4);

	if (how <= BI_PNG && packed[how] != NULL)
		return pb_error_file(b->f, b->name, 0, NULL,
		    "BMP: compressed by %s, which is not read: save it "
		    "without compression, or as PNG",
		    packed[how]);
	if (how != BI_RGB && how != BI_BITFIELDS)
		return complain(b, "an unknown compression");
	if (b->bits != 1 && b->bits != 4 && b->bits != 8 && b->bits != 24 &&
	    b->bits != 32)
		return pb_error_file(b->f, b->name, 0, NULL,
		    "BMP: expected 1, 4, 8, 24 or 32 bits a pixel, got %d",
		    b->bits);
	return 0;
}

static int
read_header(struct bmp *b)
{
	char text[128];

	if (!pb_bmp_size(b->p, b->n, &b->width, &b->height))
		return complain(b, "truncated: the file ends in its header");
	b->header = b->p[14];
	b->pixels = number(b, 10, 4);
	b->bits = (int)number(b, b->header == CORE_HEADER ? 24 : 28, 2);
	b->top_down = b->header != CORE_HEADER && signed_number(b, 22) < 0;
	if (b->width < 1 || b->height < 1)
		return complain(b, "the image has no pixels");
	if (b->width > PB_MAP_SIDE || b->height > PB_MAP_SIDE)
		return pb_error_file(b->f, b->name, 0, NULL,
		    "BMP: %ld x %ld pixels; a side has at most %d", b->width,
		    b->height, PB_MAP_SIDE);
	if (pb_cells_over(b->width, b->height, text))
		return complain(b, text);
	if (check_packing(b) != 0 || read_masks(b) != 0)
		return -1;
	return read_palette(b);
}

/* The pixel in column x of a row as samples. */
static int
read_pixel(const struct bmp *b, const unsigned char *row, size_t x, int indices,
    unsigned char *to)
{
	unsigned i, per = 8u / (unsigned)b->bits;

	if (b->bits > 8) {
		const unsigned char *s = row + x * (size_t)b->bits / 8;

		for (int k = 0; k < 4; k++)
			if (b->at[k] >= 0)
				to[k] = s[b->at[k]];
		return 0;
	}
	i = row[x / per] >> (8 - (unsigned)b->bits * (unsigned)(x % per + 1));
	i &= (1u << b->bits) - 1;
	if (i >= (unsigned)b->colours)
		return complain(b, "a pixel has no colour in the palette");
	if (indices)
		*to = (unsigned char)i;
	else
		memcpy(to, b->palette[i], 3);
	return 0;
}

static int
read_pixels(const struct bmp *b, bool one, struct pb_image *im)
{
	/* Rows are filled up to four bytes. */
	size_t stride = ((size_t)b->width * (size_t)b->bits + 31) / 32 * 4;
	size_t used = ((size_t)b->width * (size_t)b->bits + 7) / 8;
	size_t need = stride * (size_t)(b->height - 1) + used;
	size_t step = (size_t)im->channels;

	if (b->pixels > b->n || b->n - b->pixels < need)
		return pb_error_file(b->f, b->name, 0, NULL,
		    "BMP: truncated: %ld x %ld pixels need %zu bytes from "
		    "%lu on, the file has %zu",
		    b->width, b->height, need, b->pixels, b->n);
	for (long v = 0; v < b->height; v++) {
		long from = b->top_down ? v : b->height - 1 - v;
		const unsigned char *row =
		    b->p + b->pixels + stride * (size_t)from;
		unsigned char *to = pb_image_at(im, 0, (int)v);

		for (size_t x = 0; x < (size_t)b->width; x++, to += step)
			if (read_pixel(b, row, x, one, to) != 0)
				return -1;
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
	one = b.bits <= 8 && (indices || b.gray);
	/* More pixels than the file has are no reason to get memory. */
	if (n < (size_t)b.width * (size_t)b.height * (size_t)b.bits / 8)
		return complain(&b, "truncated: more pixels than the file has");
	if (pb_image_init(&got, (int)b.width, (int)b.height,
		one                          ? 1
		: b.at[3] >= 0 && b.bits > 8 ? 4
					     : 3) != PB_OK)
		return pb_error_file_nomem(f, name);
	got.maxval = 255;
	got.palette = b.bits <= 8 && !b.gray;
	if (read_pixels(&b, one, &got) != 0) {
		pb_image_clear(&got);
		return -1;
	}
	*im = got;
	return 0;
}
