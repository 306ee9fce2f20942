/* animation.c - pictures one after the other in one file: animated PNG. */
#include "view/animation.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/stream/file.h"

#define LAST 2.0 /* the last picture stays so long (s) */

/* Where the chunk is whose contents are known at the end: behind the signature
 * and IHDR, which has 13 bytes and 12 around them. */
#define AT_ACTL 33L

/* A pixel that stays as it was; others are not transparent. */
#define CLEAR 0

struct box {
	int x0, y0, x1, y1; /* x0 <= x < x1 */
};

struct pb_animation {
	struct pb_file file;
	bool lack; /* of memory */
	int width, height;
	uint32_t *shown, *next;    /* red, green, blue, opacity: bits 24 to 0 */
	double t;                  /* of the picture that comes (s) */
	uint32_t pictures, chunks; /* written so far */

	/* A picture that waits for the next, which ends its time. */
	struct box box;
	unsigned char *packed;
	size_t size; /* 0: none waits */
	double since;
};

bool
pb_animation_named(const char *path)
{
	return path != NULL && pb_file_has_suffix(path, ".apng");
}

/* --- chunks --- */

static unsigned char *
put32(unsigned char *at, uint32_t v)
{
	for (int i = 24; i >= 0; i -= 8)
		*at++ = (unsigned char)(v >> i);
	return at;
}

/* A chunk of `head` and n more bytes. */
static void
chunk(struct pb_animation *a, const char *name, const unsigned char *head,
    size_t heads, const unsigned char *more, size_t n)
{
	unsigned char b[4];
	uLong crc = crc32(crc32(0, Z_NULL, 0), (const Bytef *)name, 4);
	FILE *out = a->file.out;

	put32(b, (uint32_t)(heads + n));
	fwrite(b, 1, sizeof(b), out);
	fwrite(name, 1, 4, out);
	if (heads > 0) {
		fwrite(head, 1, heads, out);
		crc = crc32(crc, head, (uInt)heads);
	}
	if (n > 0) {
		fwrite(more, 1, n, out);
		crc = crc32(crc, more, (uInt)n);
	}
	put32(b, (uint32_t)crc);
	fwrite(b, 1, sizeof(b), out);
}

static void
put_counts(struct pb_animation *a)
{
	unsigned char b[8];

	put32(put32(b, a->pictures), 0); /* for ever */
	chunk(a, "acTL", b, sizeof(b), NULL, 0);
}

static void
put_start(struct pb_animation *a)
{
	static const unsigned char signature[] = {
	    137, 'P', 'N', 'G', 13, 10, 26, 10};
	unsigned char b[13] = {[8] = 8, [9] = 6}; /* 8 bits, with opacity */

	fwrite(signature, 1, sizeof(signature), a->file.out);
	put32(put32(b, (uint32_t)a->width), (uint32_t)a->height);
	chunk(a, "IHDR", b, sizeof(b), NULL, 0);
	put_counts(a);
}

/* Write the picture that waits, which is seen until t. */
static void
put_picture(struct pb_animation *a, double t)
{
	double ms = fmin(fmax(floor(1e3 * (t - a->since) + 0.5), 1), 65535);
	unsigned char b[26], *at = put32(b, a->chunks++);
	bool first = a->pictures++ == 0;

	at = put32(at, (uint32_t)(a->box.x1 - a->box.x0));
	at = put32(at, (uint32_t)(a->box.y1 - a->box.y0));
	at = put32(at, (uint32_t)a->box.x0);
	at = put32(at, (uint32_t)a->box.y0);
	at = put32(at, (uint32_t)ms << 16 | 1000); /* so many thousandths */
	at[0] = 0;                                 /* it stays */
	at[1] = !first;                            /* over the one before */
	chunk(a, "fcTL", b, sizeof(b), NULL, 0);
	if (first) {
		chunk(a, "IDAT", a->packed, a->size, NULL, 0);
	} else {
		put32(b, a->chunks++);
		chunk(a, "fdAT", b, 4, a->packed, a->size);
	}
	a->size = 0;
}

/* --- pictures --- */

/* Where `next` is not as `shown`; false: nowhere. */
static bool
changed(const struct pb_animation *a, struct box *k)
{
	*k = (struct box){a->width, a->height, 0, 0};
	for (int y = 0; y < a->height; y++) {
		const uint32_t *s = a->shown + (size_t)y * a->width;
		const uint32_t *n = a->next + (size_t)y * a->width;
		int x0 = 0, x1 = a->width;

		while (x0 < x1 && s[x0] == n[x0])
			x0++;
		while (x1 > x0 && s[x1 - 1] == n[x1 - 1])
			x1--;
		if (x0 == x1)
			continue;
		k->x0 = x0 < k->x0 ? x0 : k->x0;
		k->x1 = x1 > k->x1 ? x1 : k->x1;
		k->y0 = y < k->y0 ? y : k->y0;
		k->y1 = y + 1;
	}
	return k->y1 > 0;
}

/* Lines of the box, unfiltered, in which what stays is clear. */
static size_t
put_lines(const struct pb_animation *a, struct box k, unsigned char *out)
{
	unsigned char *at = out;

	for (int y = k.y0; y < k.y1; y++) {
		size_t line = (size_t)y * (size_t)a->width;

		*at++ = 0;
		for (int x = k.x0; x < k.x1; x++) {
			uint32_t v = a->next[line + (size_t)x];

			at = put32(
			    at, a->shown[line + (size_t)x] == v ? CLEAR : v);
		}
	}
	return (size_t)(at - out);
}

static void
pack(struct pb_animation *a)
{
	size_t room = (4 * (size_t)(a->box.x1 - a->box.x0) + 1) *
	              (size_t)(a->box.y1 - a->box.y0);
	uLongf size = compressBound((uLong)room);
	unsigned char *lines = malloc(room), *packed = malloc(size);

	free(a->packed);
	a->packed = packed;
	if (lines == NULL || packed == NULL ||
	    compress2(packed, &size, lines, put_lines(a, a->box, lines), 9) !=
		Z_OK) {
		a->lack = true;
		size = 0;
	}
	a->size = size;
	free(lines);
}

/* The first picture decides how large all are. */
static bool
begin(struct pb_animation *a, int width, int height)
{
	size_t n = (size_t)width * (size_t)height;

	a->shown = calloc(n, sizeof(*a->shown));
	a->next = calloc(n, sizeof(*a->next));
	if (a->shown == NULL || a->next == NULL) {
		a->lack = true;
		return false;
	}
	a->width = width;
	a->height = height;
	put_start(a);
	return true;
}

void
pb_animation_time(struct pb_animation *a, double t)
{
	a->t = t;
}

void
pb_animation_add(struct pb_animation *a, const unsigned char *pixel, int width,
    int height, int stride)
{
	uint32_t *was;
	struct box box;

	if (a->lack || (a->width == 0 && !begin(a, width, height)))
		return;
	for (int y = 0; y < height && y < a->height; y++) {
		const unsigned char *line = pixel + (ptrdiff_t)y * stride;

		/* Sixteen shades are enough for soft edges: a third less. */
		for (int x = 0; x < width && x < a->width; x++) {
			uint32_t v;

			memcpy(&v, line + 4 * (size_t)x, sizeof(v));
			a->next[(size_t)y * (size_t)a->width + (size_t)x] =
			    (v >> 4 & 0x0f0f0f) * 17 << 8 | 255;
		}
	}
	if (!changed(a, &box))
		return;
	if (a->size > 0)
		put_picture(a, a->t);
	a->box = box;
	a->since = a->t;
	pack(a);
	/* What was shown is not needed any more; its rest is written anew. */
	was = a->shown;
	a->shown = a->next;
	a->next = was;
	memcpy(a->next, a->shown,
	    (size_t)a->width * (size_t)a->height * sizeof(*a->next));
}

struct pb_animation *
pb_animation_open(const char *path, struct pb_error *f)
{
	struct pb_animation *a = calloc(1, sizeof(*a));

	if (a == NULL)
		pb_error_file_nomem(f, path);
	else if (pb_file_create(path, &a->file, f) == 0)
		return a;
	free(a);
	return NULL;
}

/* The end, and in its place how many there are. */
static int
put_rest(struct pb_animation *a, struct pb_error *f)
{
	FILE *out = a->file.out;

	put_picture(a, a->t + LAST);
	chunk(a, "IEND", NULL, 0, NULL, 0);
	if (fseek(out, AT_ACTL, SEEK_SET) != 0)
		return pb_error_errno(f, a->file.path, "write");
	put_counts(a);
	return pb_file_finish(&a->file, f);
}

int
pb_animation_close(struct pb_animation *a, struct pb_error *f)
{
	int r = a->lack       ? pb_error_file_nomem(f, a->file.path)
	        : a->size > 0 ? put_rest(a, f)
	                      : -1;

	pb_file_abandon(&a->file);
	free(a->shown);
	free(a->next);
	free(a->packed);
	free(a);
	return r;
}
