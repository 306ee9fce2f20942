/*
 * png.c [DIR] - tests of reading PNG of every kind that the format has, and
 * broken ones, put together without libpng; or write them into DIR, for make
 * fuzz.
 */
#define CHECK_MAIN
#include "check.h"

#include <stdint.h>
#include <zlib.h>

#include "decode.h"

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

static void
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

static void
put32(struct file *f, unsigned long v)
{
	const unsigned char b[4] = {(unsigned char)(v >> 24),
	    (unsigned char)(v >> 16), (unsigned char)(v >> 8),
	    (unsigned char)v};

	put(f, b, 4);
}

static void
put_chunk(struct file *f, const char *type, const void *p, size_t n)
{
	size_t from;

	put32(f, n);
	from = f->n;
	put(f, type, 4);
	put(f, p, n);
	put32(f, crc32(0, f->s + from, (uInt)(f->n - from)));
}

static int
stored(int type)
{
	return type == RGB          ? 3
	       : type == RGB_ALPHA  ? 4
	       : type == GRAY_ALPHA ? 2
	                            : 1;
}

static int
colours_of(const struct kind *k)
{
	return k->colours ? k->colours : 1 << k->depth;
}

/* Stored sample c of pixel (u, v): as irregular as one likes. */
static unsigned
sample(const struct kind *k, int u, int v, int c)
{
	uint32_t x = (uint32_t)(u * 7919 + v * 104729 + c * 1299709 + k->type);

	x *= 2654435761u;
	if (k->type == PALETTE)
		return (x >> 12) % (uint32_t)colours_of(k);
	return (x >> 8) & ((1u << k->depth) - 1);
}

/* Colour i of the palette, and its alpha. */
static unsigned char
colour(int i, int c)
{
	return (unsigned char)(i * 37 + c * 101 + (i == 0 ? 205 : 0));
}

static unsigned char
paeth(int a, int b, int c)
{
	int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);

	return (unsigned char)(pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
}

/* The row `now` of n bytes under `up`, filtered; bpp bytes a pixel. */
static void
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
static size_t
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
static void
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

static void
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

static void
put_palette(struct file *f, const struct kind *k)
{
	unsigned char rgb[256 * 3];
	int n = colours_of(k);

	for (int i = 0; i < 3 * n; i++)
		rgb[i] = colour(i / 3, i % 3);
	put_chunk(f, "PLTE", rgb, (size_t)(3 * n));
}

static void
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
static void
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

static void
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

static struct file
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

/* Every pair of colour type and depth that the format allows. */
static const int sorts[][2] = {{GRAY, 1}, {GRAY, 2}, {GRAY, 4}, {GRAY, 8},
    {GRAY, 16}, {RGB, 8}, {RGB, 16}, {PALETTE, 1}, {PALETTE, 2}, {PALETTE, 4},
    {PALETTE, 8}, {GRAY_ALPHA, 8}, {GRAY_ALPHA, 16}, {RGB_ALPHA, 8},
    {RGB_ALPHA, 16}};
#define SORTS (sizeof(sorts) / sizeof(*sorts))

static const char *seeds; /* where to write instead of testing */
static int made;

static struct kind
kind(size_t i)
{
	return (struct kind){.type = sorts[i][0],
	    .depth = sorts[i][1],
	    .width = 11,
	    .height = 9,
	    .level = 6};
}

static bool
transparent(const struct kind *k, int u, int v)
{
	for (int c = 0; c < stored(k->type); c++)
		if (sample(k, u, v, c) != sample(k, 1, 0, c))
			return false;
	return true;
}

/* What sample c of pixel (u, v) is to be: of 0..255, gray or RGB, alpha. */
static int
wanted(const struct kind *k, int u, int v, int c)
{
	double max = (1 << k->depth) - 1;
	int i = (int)sample(k, u, v, 0);

	if (k->type == PALETTE && c == 3)
		return i < colours_of(k) - 1 ? colour(i, 3) : 255;
	if (k->type == PALETTE)
		return colour(i, c);
	if (c == stored(k->type))
		return transparent(k, u, v) ? 0 : 255;
	return (int)floor(sample(k, u, v, c) * 255 / max + 0.5);
}

static void
keep(const struct file *f)
{
	char path[512];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%03d", seeds, made++);
	out = fopen(path, "wb");
	if (out == NULL || fwrite(f->s, 1, f->n, out) != f->n ||
	    fclose(out) != 0) {
		perror(path);
		exit(3);
	}
}

static int
wrong_samples(const struct kind *k, const struct pb_image *im)
{
	int bad = 0;

	for (int v = 0; v < k->height; v++)
		for (int u = 0; u < k->width; u++)
			for (int c = 0; c < im->channels; c++)
				bad += pb_image_at(im, u, v)[c] !=
				       wanted(k, u, v, c);
	return bad;
}

static void
good(struct kind k)
{
	struct file f = make_file(&k);
	struct pb_error why = {.text = ""};
	struct pb_image im;

	made++;
	if (seeds) {
		keep(&f);
	} else if (decode(f.s, f.n, &im, &why) != 0) {
		check_fail_(__FILE__, __LINE__, why.text);
	} else {
		check_int(im.width, k.width);
		check_int(im.height, k.height);
		check_int(im.channels,
		    (k.type == PALETTE ? 3 : stored(k.type)) + k.key);
		check_int(wrong_samples(&k, &im), 0);
		check(im.palette == (k.type == PALETTE));
		check(im.gamma == (k.gamma != 0 && k.gamma != 45455));
		pb_image_clear(&im);
	}
	if (check_bad)
		printf("# type %d depth %d %dx%d %s\n", k.type, k.depth,
		    k.width, k.height, k.odd ? k.odd : "");
	free(f.s);
}

test(filters_and_interlacing)
{
	for (size_t i = 0; i < SORTS; i++)
		for (int filter = 0; filter <= MIXED; filter++) {
			struct kind k = kind(i);

			k.filter = filter;
			good(k);
			k.interlaced = true;
			good(k);
		}
}

/* Passes of an interlaced image may be empty. */
test(small_sizes)
{
	for (size_t i = 0; i < SORTS; i++)
		for (int n = 0; n < 81; n++) {
			struct kind k = kind(i);

			k.width = 1 + n % 9;
			k.height = 1 + n / 9;
			k.filter = MIXED;
			k.interlaced = true;
			good(k);
			k.interlaced = false;
			good(k);
			if (seeds)
				n += 37;
		}
}

test(transparency)
{
	for (size_t i = 0; i < SORTS; i++) {
		struct kind k = kind(i);

		if (k.type == GRAY_ALPHA || k.type == RGB_ALPHA)
			continue;
		k.key = true;
		good(k);
		k.interlaced = true;
		good(k);
	}
}

test(palettes)
{
	for (int n = 2; n <= 256; n = n < 16 ? n + 1 : n * 2) {
		struct kind k = kind(10);

		k.colours = n;
		good(k);
		k.key = true;
		good(k);
	}
}

test(gamma)
{
	static const int gamma[] = {35000, 45455, 55000, 70000, 100000, 250000};

	for (size_t i = 0; i < SORTS; i++)
		for (int g = 0; g < 6; g++) {
			struct kind k = kind(i);

			k.gamma = gamma[g];
			good(k);
		}
}

test(compression_and_chunks)
{
	for (int level = 0; level <= 9; level++) {
		struct kind k = kind(3 + (size_t)level % 3);

		k.level = level;
		k.width = k.height = 40;
		good(k);
		k.piece = 1 << level;
		good(k);
	}
}

test(chunks_beside)
{
	static const char *const odd[] = {"cHRM", "pHYs", "tIME", "tEXt",
	    "zTXt", "iTXt", "sBIT", "prVt", "oFFs", "sPLT"};

	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		struct kind k = kind(5);

		k.odd = odd[i];
		good(k);
	}
}

/* Change byte at of a file, mend the CRC of the chunk at `chunk` if > 0. */
static void
spoil(const char *text, size_t i, size_t at, int to, size_t chunk)
{
	struct kind k = kind(i);
	struct file f = make_file(&k);
	size_t n;
	unsigned long crc;

	f.s[at] = (unsigned char)to;
	if (chunk > 0) {
		n = (size_t)f.s[chunk + 2] << 8 | f.s[chunk + 3];
		crc = crc32(0, f.s + chunk + 4, (uInt)n + 4);
		for (int b = 0; b < 4; b++)
			f.s[chunk + 8 + n + (size_t)b] =
			    (unsigned char)(crc >> (24 - 8 * b));
	}
	if (seeds)
		keep(&f);
	else
		refuses((const char *)f.s, f.n, text);
	free(f.s);
}

/* Offsets: 8 signature, 8 IHDR: width 16, height 20, depth 24, type 25,
   compression 26, filter 27, interlace 28, CRC 29; 33 the next chunk. */
test(broken_headers)
{
	spoil("neither", 3, 0, 'P', 0);
	spoil("neither", 3, 4, '\n', 0);
	spoil("CRC", 3, 19, 99, 0);
	spoil("IHDR", 3, 19, 0, 8);
	spoil("IHDR", 3, 23, 0, 8);
	spoil("--max-cells", 3, 16, 0x80, 8);
	spoil("PNG", 3, 12, 'J', 0);
	for (int depth = 0; depth < 20; depth++)
		if (depth != 8 && depth != 16)
			spoil("IHDR", 5, 24, depth, 8);
	for (int type = 0; type < 9; type++)
		if (type == 1 || type == 5 || type > 6)
			spoil("IHDR", 3, 25, type, 8);
	spoil("PLTE", 3, 25, PALETTE, 8);
	spoil("IHDR", 3, 26, 1, 8);
	spoil("IHDR", 3, 27, 1, 8);
	spoil("IHDR", 3, 28, 2, 8);
}

test(broken_chunks)
{
	spoil("PNG", 3, 36, 0xff, 0);
	spoil("PNG", 3, 33, 0xff, 0);      /* longer than 2^31 */
	spoil("IDAT", 3, 45, 0x55, 0);     /* in the pixels */
	spoil("PNG", 3, 41, 0xff, 33);     /* header of zlib */
	spoil("IEND", 3, 37, 'i', 33);     /* no pixels at all */
	spoil("critical", 3, 37, 'Q', 33); /* a chunk that must be known */
	spoil("PNG", 7, 37, 'Q', 33);      /* no palette */
}

/* A row with a filter that there is not. */
test(broken_filter)
{
	for (int filter = 6; filter < 256; filter += 83) {
		struct kind k = kind(3);
		struct file f;

		k.filter = filter;
		f = make_file(&k);
		if (seeds)
			keep(&f);
		else
			refuses((const char *)f.s, f.n, "filter");
		free(f.s);
	}
}

/* The index of a colour that the palette does not have: black, or refused. */
test(index_beyond_palette)
{
	struct kind k = kind(10);
	struct file f = {0};
	struct pb_image im;

	put_head(&f, &k);
	put_chunk(&f, "PLTE", "\xcd\xcd\xcd\xfe\xfe\xfe", 6);
	put_pixels(&f, &k);
	put_chunk(&f, "IEND", "", 0);
	if (seeds) {
		keep(&f);
	} else if (decode(f.s, f.n, &im, NULL) == 0) {
		for (int u = 0; u < k.width; u++) {
			unsigned x = sample(&k, u, 0, 0);

			check_int(pb_image_at(&im, u, 0)[0], x == 0   ? 0xcd
							     : x == 1 ? 0xfe
								      : 0);
		}
		pb_image_clear(&im);
	}
	free(f.s);
}

/* ROS 1 takes the indices of a palette for gray. */
test(palette_indices)
{
	struct kind k = kind(8);
	struct file f = make_file(&k);
	struct pb_image im;

	check_int(
	    pb_image_decode((char *)f.s, f.n, "test", true, &im, NULL), 0);
	check_int(im.channels, 1);
	for (int u = 0; u < k.width; u++)
		check_int(im.sample[u], (int)sample(&k, u, 0, 0));
	pb_image_clear(&im);
	free(f.s);
}

test(cut_anywhere)
{
	for (size_t i = 0; i < SORTS; i += 4) {
		struct kind k = kind(i);
		struct file f;

		k.interlaced = i % 8 == 0;
		f = make_file(&k);
		cut(f.s, f.n, f.n);
		free(f.s);
	}
}

/* Any byte may be wrong: refused or decoded, never anything else. */
test(damaged_anywhere)
{
	struct kind k = kind(9);
	struct file f;
	struct pb_image im;
	int refused = 0;

	k.interlaced = k.key = true;
	f = make_file(&k);
	for (size_t i = 0; i < f.n; i++) {
		struct pb_error why = {.text = ""};

		f.s[i] ^= 0x41;
		if (decode(f.s, f.n, &im, &why) == 0) {
			pb_image_clear(&im);
		} else {
			refused++;
			check(why.text[0] != '\0');
			check(strchr(why.text, '\n') == NULL);
		}
		f.s[i] ^= 0x41;
	}
	check(refused > (int)f.n / 2);
	free(f.s);
}

test(too_large)
{
	/* Signature and header of 20001 x 1; the CRC is right. */
	static const unsigned char head[] = {0x89, 'P', 'N', 'G', '\r', '\n',
	    0x1a, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0, 0x4e, 0x21, 0, 0,
	    0, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0};

	refuses((const char *)head, sizeof(head), "--coarsen");
}

int
main(int argc, char **argv)
{
	seeds = argc > 1 ? argv[1] : NULL;
	run_tests();
	printf("# %d images\n", made);
	return done();
}
