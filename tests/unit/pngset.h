/* pngset.h - PNG files of every kind, put together without libpng. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { GRAY = 0, RGB = 2, PALETTE = 3, GRAY_ALPHA = 4, RGB_ALPHA = 6 };
enum { MIXED = 5 }; /* each row has the filter after the one before */

struct kind {
	int type, depth;
	int width, height;
	bool interlaced;
	int filter;      /* of every row, 0..4, or MIXED */
	int level;       /* of zlib */
	int piece;       /* IDAT chunks of so many bytes, 0: one */
	int colours;     /* of the palette, 0: all that fit */
	bool key;        /* a tRNS chunk: pixel (1, 0) is transparent */
	int gamma;       /* gAMA (1/100000), 0: none */
	const char *odd; /* more chunks before IDAT, see put_odd() */
};

struct file {
	unsigned char *s;
	size_t n, cap;
};

static inline void
put(struct file *f, const void *p, size_t n)
{
	if (f->n + n > f->cap) {
		f->cap = 2 * (f->n + n);
		f->s = realloc(f->s, f->cap);
	}
	if (n > 0)
		memcpy(f->s + f->n, p, n);
	f->n += n;
}

static inline void
put32(struct file *f, unsigned long v)
{
	const unsigned char b[4] = {(unsigned char)(v >> 24),
	    (unsigned char)(v >> 16), (unsigned char)(v >> 8),
	    (unsigned char)v};

	put(f, b, 4);
}

static inline void
put_chunk(struct file *f, const char *type, const void *p, size_t n)
{
	size_t from;

	put32(f, n);
	from = f->n;
	put(f, type, 4);
	put(f, p, n);
	put32(f, crc32(0, f->s + from, (uInt)(f->n - from)));
}

static inline int
stored(int type)
{
	return type == RGB          ? 3
	       : type == RGB_ALPHA  ? 4
	       : type == GRAY_ALPHA ? 2
	                            : 1;
}

static inline int
colours_of(const struct kind *k)
{
	return k->colours ? k->colours : 1 << k->depth;
}

/* Stored sample c of pixel (u, v): as irregular as one likes. */
static inline unsigned
sample(const struct kind *k, int u, int v, int c)
{
	uint32_t x = (uint32_t)(u * 7919 + v * 104729 + c * 1299709 + k->type);

	x *= 2654435761u;
	if (k->type == PALETTE)
		return (x >> 12) % (uint32_t)colours_of(k);
	return (x >> 8) & ((1u << k->depth) - 1);
}

/* Colour i of the palette, and its alpha. */
static inline unsigned char
colour(int i, int c)
{
	return (unsigned char)(i * 37 + c * 101 + (i == 0 ? 205 : 0));
}

static inline unsigned char
paeth(int a, int b, int c)
{
	int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);

	return (unsigned char)(pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
}

/* The row `now` of n bytes under `up`, filtered; bpp bytes a pixel. */
static inline void
filter_row(unsigned char *to, int filter, const unsigned char *now,
    const unsigned char *up, size_t n, size_t bpp)
{
	for (size_t i = 0; i < n; i++) {
		int a = i < bpp ? 0 : now[i - bpp], b = up[i];
		int c = i < bpp ? 0 : up[i - bpp];
		int guess = filter == 1   ? a
		            : filter == 2 ? b
		            : filter == 3 ? (a + b) / 2
		            : filter == 4 ? paeth(a, b, c)
		                          : 0;

		to[i] = (unsigned char)(now[i] - guess);
	}
}

/* Every dx-th pixel from u0 on of row v, packed; how many bytes that is. */
static inline size_t
pack(const struct kind *k, int v, int u0, int dx, unsigned char *row)
{
	size_t bit = 0;

	memset(row, 0, (size_t)k->width * 8 + 8);
	for (int u = u0; u < k->width; u += dx)
		for (int c = 0; c < stored(k->type); c++) {
			unsigned x = sample(k, u, v, c);

			for (int b = k->depth - 1; b >= 0; b--, bit++)
				row[bit / 8] |=
				    (unsigned char)((x >> b & 1)
						    << (7 - bit % 8));
		}
	return (bit + 7) / 8;
}

/* One pass: every dx-th pixel of every dy-th row from (u0, v0) on. */
static inline void
put_pass(struct file *f, const struct kind *k, int u0, int v0, int dx, int dy)
{
	size_t room = (size_t)k->width * 8 + 8;
	size_t bpp = (size_t)(stored(k->type) * k->depth + 7) / 8;
	unsigned char *now = calloc(3, room), *up = now + room, *to = up + room;
	unsigned char type;

	for (int v = v0, i = 0; v < k->height && u0 < k->width; v += dy, i++) {
		size_t n = pack(k, v, u0, dx, now);

		type = (unsigned char)(k->filter == MIXED ? i % 5 : k->filter);
		filter_row(to, type, now, up, n, bpp);
		put(f, &type, 1);
		put(f, to, n);
		memcpy(up, now, room);
	}
	free(now);
}

static inline void
put_pixels(struct file *f, const struct kind *k)
{
	static const int pass[7][4] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8},
	    {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
	struct file raw = {0};
	uLongf n;
	unsigned char *z;

	if (k->interlaced)
		for (int i = 0; i < 7; i++)
			put_pass(&raw, k, pass[i][0], pass[i][1], pass[i][2],
			    pass[i][3]);
	else
		put_pass(&raw, k, 0, 0, 1, 1);
	n = compressBound(raw.n);
	z = malloc(n);
	compress2(z, &n, raw.s, raw.n, k->level);
	for (size_t at = 0; at < n;) {
		size_t some = k->piece ? (size_t)k->piece : n;

		some = some > n - at ? n - at : some;
		put_chunk(f, "IDAT", z + at, some);
		at += some;
		if (k->piece == 1)
			put_chunk(f, "IDAT", "", 0);
	}
	free(z);
	free(raw.s);
}

static inline void
put_palette(struct file *f, const struct kind *k)
{
	unsigned char rgb[256 * 3];
	int n = colours_of(k);

	for (int i = 0; i < 3 * n; i++)
		rgb[i] = colour(i / 3, i % 3);
	put_chunk(f, "PLTE", rgb, (size_t)(3 * n));
}

static inline void
put_key(struct file *f, const struct kind *k)
{
	unsigned char b[256];
	int n = stored(k->type);

	if (k->type == PALETTE) { /* one entry less than there are colours */
		n = colours_of(k) - 1;
		for (int i = 0; i < n; i++)
			b[i] = colour(i, 3);
		put_chunk(f, "tRNS", b, (size_t)n);
		return;
	}
	for (int c = 0; c < n; c++) {
		unsigned x = sample(k, 1, 0, c);

		b[2 * c] = (unsigned char)(x >> 8);
		b[2 * c + 1] = (unsigned char)x;
	}
	put_chunk(f, "tRNS", b, (size_t)(2 * n));
}

/* Chunks that do not change a sample. */
static inline void
put_odd(struct file *f, const char *type)
{
	static const unsigned char chrm[32] = {0, 0, 0x7a, 0x26, 0, 0, 0x80,
	    0x84, 0, 0, 0xfa, 0, 0, 0, 0x80, 0xe8, 0, 0, 0x75, 0x30, 0, 0, 0xea,
	    0x60, 0, 0, 0x3a, 0x98, 0, 0, 0x17, 0x70};
	static const struct {
		const char *type, *p;
		size_t n;
	} odd[] = {{"cHRM", (const char *)chrm, 32}, {"sRGB", "\0", 1},
	    {"pHYs", "\0\0\x0b\x13\0\0\x0b\x13\1", 9},
	    {"tIME", "\7\xea\13\25\25\31\0", 7}, {"tEXt", "Title\0a map", 11},
	    {"zTXt", "Title\0\0x\234K\4\0\0b\0b", 17},
	    {"iTXt", "Title\0\0\0de\0Titel\0Gr\303\274n", 21},
	    {"sBIT", "\10\10\10", 3}, {"prVt", "ours", 4},
	    {"oFFs", "\0\0\0\1\0\0\0\2\0", 9},
	    {"sPLT", "six\0\10\1\2\3\4\0\5", 11}};

	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++)
		if (strcmp(odd[i].type, type) == 0)
			put_chunk(f, type, odd[i].p, odd[i].n);
}

static inline void
put_head(struct file *f, const struct kind *k)
{
	unsigned char b[13] = {0, 0, 0, 0, 0, 0, 0, 0, (unsigned char)k->depth,
	    (unsigned char)k->type, 0, 0, k->interlaced};

	b[2] = (unsigned char)(k->width >> 8);
	b[3] = (unsigned char)k->width;
	b[6] = (unsigned char)(k->height >> 8);
	b[7] = (unsigned char)k->height;
	put(f, "\x89PNG\r\n\x1a\n", 8);
	put_chunk(f, "IHDR", b, 13);
}

static inline struct file
make_file(const struct kind *k)
{
	struct file f = {0};
	unsigned char gamma[4] = {0, (unsigned char)(k->gamma >> 16),
	    (unsigned char)(k->gamma >> 8), (unsigned char)k->gamma};

	put_head(&f, k);
	if (k->gamma)
		put_chunk(&f, "gAMA", gamma, 4);
	if (k->odd)
		put_odd(&f, k->odd);
	if (k->type == PALETTE)
		put_palette(&f, k);
	if (k->key)
		put_key(&f, k);
	put_pixels(&f, k);
	put_chunk(&f, "IEND", "", 0);
	return f;
}
