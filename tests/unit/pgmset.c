/*
 * pgmset.c - tests of reading PGM in every way that the format allows it to be
 * written, and broken ones.
 */

#include "check.h"
#include "decode.h"

enum { W = 5, H = 3, N = W * H };

/* What separates the words of a file. */
struct layout {
	const char *magic, *width, *height, *maxval; /* behind these */
	const char *sample;                          /* of a plain one */
	const char *tail;                            /* behind the last */
};

static const struct layout layouts[] = {
    {"\n", " ", "\n", "\n", " ", "\n"},
    {" ", " ", " ", " ", " ", ""},
    {"\n", " ", "\n", "\n", " ", ""},
    {"\r\n", " ", "\r\n", "\r\n", "\r\n", "\r\n"},
    {"\n\n", "  \t", " \n\n", "\n", " \n\t", "\n\n"},
    {"\t", "\v", "\f", "\r", "\v", "\f"},
    /* A comment at one place, */
    {"# c\n", " ", "\n", "\n", " ", "\n"},
    {"\n# c\n", " ", "\n", "\n", " ", "\n"},
    {"\n", " # c\n", "\n", "\n", " ", "\n"},
    {"\n", "# c\n", "\n", "\n", " ", "\n"},
    {"\n", " ", "\n# c\n", "\n", " ", "\n"},
    {"\n", " ", "# c\n", "\n", " ", "\n"},
    {"\n", " ", "\n", "# c\n", " ", "\n"},
    {"\n", " ", "\n", "\n", "# c\n", "\n"},
    {"\n", " ", "\n", "\n", " ", "# c"},
    /* and everywhere: empty, numbers, more than one, with a carriage return. */
    {"#\n", "#\n", "#\n", "#\n", "#\n", "#\n"},
    {"# 7 7\n", "\n#9\n", " # 1 2\n", "# 3\n", "# 8 8\n", "# 6\n"},
    {"\n# a\n# b\n", "\n#a\n#b\n", " #\n#\n\n", "# a # b\n", "\n#\n# 1\n ",
	"\n#\n#\n"},
    {"# P2\r\n", "# c\r\n", "# c\r\n", "# c\r\n", "# c\r\n", "# c\r\n"},
};
enum { LAYOUTS = sizeof(layouts) / sizeof(*layouts) };

static const long maxvals[] = {1, 7, 254, 255, 256, 1000, 65535};
enum { MAXVALS = sizeof(maxvals) / sizeof(*maxvals) };

struct file {
	char *s; /* owned */
	size_t n;
	size_t last; /* where the last sample begins */
};

/* Sample i of an image that has black, white and what lies between. */
static long
sample(int i, long maxval)
{
	return i * maxval / (N - 1);
}

static void
put_sample(FILE *f, bool raw, long maxval, long v)
{
	if (!raw)
		fprintf(f, "%ld", v);
	else if (maxval > 255)
		fprintf(f, "%c%c", (int)(v >> 8), (int)(v & 255));
	else
		fputc((int)v, f);
}

/* The image with sample `at` (-1: none) changed to v. */
static struct file
make(bool raw, const struct layout *l, long maxval, int at, long v)
{
	struct file f = {NULL, 0, 0};
	FILE *out = open_memstream(&f.s, &f.n);

	fprintf(out, "P%d%s%d%s%d%s%ld%s", raw ? 5 : 2, l->magic, W, l->width,
	    H, l->height, maxval, l->maxval);
	for (int i = 0; i < N; i++) {
		if (i > 0 && !raw)
			fputs(l->sample, out);
		f.last = (size_t)ftell(out);
		put_sample(out, raw, maxval, i == at ? v : sample(i, maxval));
	}
	if (!raw)
		fputs(l->tail, out);
	fclose(out);
	return f;
}

static int
wrong_samples(const struct pb_image *im, long maxval)
{
	int bad = 0;

	for (int i = 0; i < N; i++) {
		double want = (double)sample(i, maxval) * 255 / (double)maxval;

		bad += im->sample[i] != (int)floor(want + 0.5);
	}
	return bad;
}

static void
good(const struct file *f, long maxval)
{
	struct pb_error why = {.text = ""};
	struct pb_image im;

	if (decode(f->s, f->n, &im, &why) != 0) {
		check_fail_(__FILE__, __LINE__, why.text);
		return;
	}
	check(im.width == W && im.height == H && im.channels == 1);
	check_int(im.maxval, maxval);
	check_int((long long)im.spare, 0);
	check_int(wrong_samples(&im, maxval), 0);
	pb_image_clear(&im);
}

/* Check raw and plain files of every layout and depth. */
static void
each(void (*one)(bool raw, const struct layout *l, long maxval))
{
	for (int raw = 0; raw < 2; raw++)
		for (int i = 0; i < LAYOUTS; i++)
			for (int k = 0; k < MAXVALS; k++) {
				bool was = check_bad;

				one(raw, &layouts[i], maxvals[k]);
				if (check_bad && !was)
					printf("# P%d layout %d maxval %ld\n",
					    raw ? 5 : 2, i, maxvals[k]);
			}
}

static void
whole(bool raw, const struct layout *l, long maxval)
{
	struct file f = make(raw, l, maxval, -1, 0);

	good(&f, maxval);
	free(f.s);
}

/*
 * Without its last sample no beginning is an image. But of two bytes "\r\n"
 * the second may be a pixel: that a byte is missing behind them is not seen.
 */
static void
cut_short(bool raw, const struct layout *l, long maxval)
{
	struct file f = make(raw, l, maxval, -1, 0);
	struct pb_error why;
	struct pb_image im;

	if (raw && maxval < 256 && strcmp(l->maxval, "\r\n") == 0)
		f.last--;
	for (size_t n = 0; n <= f.last; n++) {
		why = (struct pb_error){.text = ""};
		check_int(decode(f.s, n, &im, &why), -1);
		check(why.text[0] != '\0' && im.sample == NULL);
	}
	free(f.s);
}

/* What raw bytes can hold, and any number of a plain file. */
static void
over_maxval(bool raw, const struct layout *l, long maxval)
{
	long most = raw && maxval < 256 ? 255 : 65535;

	if (maxval == most)
		return;
	for (int at = 0; at < N; at += N - 1) {
		struct file f = make(raw, l, maxval, at, maxval + 1);

		refuses(f.s, f.n, at ? "pixel (4, 2) is" : "pixel (0, 0) is");
		free(f.s);
		f = make(raw, l, maxval, at, most);
		refuses(f.s, f.n, "over the maximum of");
		free(f.s);
	}
}

test(whole)
{
	each(whole);
}

test(cut_short)
{
	each(cut_short);
}

test(over_maxval)
{
	each(over_maxval);
}

/* What is behind "P2" or "P5" and no image, and a word of what is said. */
static const struct {
	const char *rest, *says;
} broken[] = {
    {"\n0 3 255\nabc", "no pixels"},
    {"\n5 0 255\nabc", "no pixels"},
    {"\n0 0 255\n", "no pixels"},
    {"\n5 3 0\nabc", "maxval"},
    {"\n5 3 65536\nabc", "65535"},
    {"\n5 3 99999999999999999999\nabc", "65535"},
    {"\n5 3 -1\nabc", "maxval"},
    {"\n5 3 x\nabc", "maxval"},
    {"\n5 3\nabc", "maxval"},
    {"\n5 3\n", "maxval"},
    {"\n5 3# 255\n", "maxval"},
    {"\n5 3 # 255", "maxval"},
    {"\n5 3 255abc", "white space"},
    {"\n5\n", "height"},
    {"\n", "width"},
    {"#", "width"},
    {"\n-5 3 255\nabc", "width"},
    {"\n5 -3 255\nabc", "height"},
    {"\n5.5 3 255\nabc", "height"},
    {"\n0x5 3 255\nabc", "height"},
    {"\n20001 3 255\nabc", "20000"},
    {"\n5 20001 255\nabc", "20000"},
    {"\n4294967297 3 255\nabc", "16777216"},
    {"\n5 18446744073709551619 255\nabc", "16777216"},
    {"\n9999 9999 255\n1 2 3\n", "truncated"},
    {"\n9999 9999 65535\n1 2 3\n", "truncated"},
    {"\n5 3 255\n1 2 3\n", "truncated"},
    {"\n9 1 7\n# 1\n", "truncated"},
};

test(broken)
{
	char file[80];

	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++)
		for (int kind = 2; kind <= 5; kind += 3) {
			snprintf(
			    file, sizeof(file), "P%d%s", kind, broken[i].rest);
			refuses(file, strlen(file), broken[i].says);
		}
}

/* In a plain file what is not a number is not a pixel. */
test(plain_words)
{
	static const char *const pixels[] = {
	    "1 x 3 4", "1 -2 3 4", "1 2.5 3 4", "1,2,3,4"};
	char file[80];

	for (size_t i = 0; i < sizeof(pixels) / sizeof(*pixels); i++) {
		snprintf(file, sizeof(file), "P2 2 2 9\n%s\n", pixels[i]);
		refuses(file, strlen(file), "expected a number");
	}
}
