/*
 * pngset.c [DIR] - tests of reading PNG of every kind that the format has, and
 * broken ones, made by pngset.h; or write them into DIR, for make fuzz.
 */
#include "pngset.h"

#include "check.h"
#include "decode.h"

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

static void
test_filters_and_interlacing(void)
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
static void
test_small_sizes(void)
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

static void
test_transparency(void)
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

static void
test_palettes(void)
{
	for (int n = 2; n <= 256; n = n < 16 ? n + 1 : n * 2) {
		struct kind k = kind(10);

		k.colours = n;
		good(k);
		k.key = true;
		good(k);
	}
}

static void
test_gamma(void)
{
	static const int gamma[] = {35000, 45455, 55000, 70000, 100000, 250000};

	for (size_t i = 0; i < SORTS; i++)
		for (int g = 0; g < 6; g++) {
			struct kind k = kind(i);

			k.gamma = gamma[g];
			good(k);
		}
}

static void
test_compression_and_chunks(void)
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

static void
test_chunks_beside(void)
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
static void
test_broken_headers(void)
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

static void
test_broken_chunks(void)
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
static void
test_broken_filter(void)
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
static void
test_index_beyond_palette(void)
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

int
main(int argc, char **argv)
{
	seeds = argc > 1 ? argv[1] : NULL;
	run(test_filters_and_interlacing);
	run(test_small_sizes);
	run(test_transparency);
	run(test_palettes);
	run(test_gamma);
	run(test_compression_and_chunks);
	run(test_chunks_beside);
	run(test_broken_headers);
	run(test_broken_chunks);
	run(test_broken_filter);
	run(test_index_beyond_palette);
	printf("# %d images\n", made);
	return done();
}
