/* image_pgm.c - reading and writing PGM (portable graymap), plain and raw. */
#include <string.h>

#include "io/file/imagefile.h"
#include "pb/map.h"

struct scan {
	const unsigned char *at, *end;
	long line;
	const char *name;
	struct pb_error *f;
};

static bool
is_space(int c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static int
complain(struct scan *s, const char *text)
{
	return pb_error_file(s->f, s->name, s->line, NULL, "%s", text);
}

/* Skip white space and comments, which run from # to the end of the line. */
static void
skip(struct scan *s)
{
	for (; s->at < s->end; s->at++) {
		if (*s->at == '#')
			while (s->at + 1 < s->end && *s->at != '\n')
				s->at++;
		else if (!is_space(*s->at))
			return;
		s->line += *s->at == '\n';
	}
}

/* The next number, 0..limit, in *v. */
static int
number(struct scan *s, const char *what, long limit, long *v)
{
	const unsigned char *from;
	long n = 0;

	skip(s);
	from = s->at;
	for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++)
		n = n > limit ? n : 10 * n + (*s->at - '0');
	if (s->at == from)
		return pb_error_file(s->f, s->name, s->line, what,
		    s->at == s->end ? "truncated: the file ends before it"
				    : "expected a number");
	if (n > limit)
		return pb_error_file(
		    s->f, s->name, s->line, what, "greater than %ld", limit);
	*v = n;
	return 0;
}

struct header {
	bool raw;
	long width, height, maxval;
};

/*
 * One white-space byte ends the header. A comment may stand before it, whose
 * line end is that byte. "\r\n" counts as one if the file is longer by just
 * that byte, for editors make it; else its second half is the first pixel.
 */
static void
end_header(struct scan *s, const struct header *h)
{
	size_t need = (size_t)(h->width * h->height);

	if (s->at < s->end && *s->at == '#')
		while (s->at < s->end && *s->at != '\n')
			s->at++;
	if (h->maxval > 255)
		need *= 2;
	if (s->end - s->at > 1 && s->at[0] == '\r' && s->at[1] == '\n' &&
	    (size_t)(s->end - s->at) == need + 2)
		s->at++;
	if (s->at < s->end)
		s->at++;
}

static int
read_header(struct scan *s, struct header *h)
{
	h->raw = s->at[1] == '5';
	s->at += 2;
	if (number(s, "width", PB_MAP_SIDE, &h->width) != 0 ||
	    number(s, "height", PB_MAP_SIDE, &h->height) != 0 ||
	    number(s, "maxval", 65535, &h->maxval) != 0)
		return -1;
	if (h->width < 1 || h->height < 1)
		return complain(s, "the image has no pixels");
	if (h->maxval < 1)
		return complain(s, "maxval: expected 1..65535, got 0");
	if (s->at < s->end && *s->at != '#' && !is_space(*s->at))
		return complain(s, "expected white space after maxval");
	end_header(s, h);
	return 0;
}

/* The next sample of a raw image, of one byte or two, or of a plain one. */
static int
read_sample(struct scan *s, const struct header *h, long *v)
{
	if (!h->raw)
		return number(s, "pixel", 65535, v);
	*v = *s->at++;
	if (h->maxval > 255)
		*v = 256 * *v + *s->at++;
	return 0;
}

static int
read_samples(struct scan *s, const struct header *h, unsigned char *out)
{
	size_t n = (size_t)(h->width * h->height);

	if (h->raw && h->maxval == 255) {
		memcpy(out, s->at, n);
		s->at += n;
		return 0;
	}
	for (size_t i = 0; i < n; i++) {
		long v = 0;

		if (read_sample(s, h, &v) != 0)
			return -1;
		if (v > h->maxval)
			return pb_error_file(s->f, s->name, 0, NULL,
			    "pixel (%zu, %zu) is %ld, over the maximum of %ld",
			    i % (size_t)h->width, i / (size_t)h->width, v,
			    h->maxval);
		/* The sample of 0..255 nearest to v of 0..maxval. */
		out[i] = (unsigned char)((v * 255 + h->maxval / 2) / h->maxval);
	}
	return 0;
}

/* Whether the file can have so many pixels: no memory for those it has not. */
static int
check_length(struct scan *s, const struct header *h)
{
	size_t n = (size_t)(h->width * h->height);
	size_t have = (size_t)(s->end - s->at);
	size_t bytes = h->maxval > 255 ? 2 : 1;

	if (h->raw && have < n * bytes)
		return pb_error_file(s->f, s->name, 0, NULL,
		    "truncated: %ld x %ld pixels need %zu bytes, %zu are there",
		    h->width, h->height, n * bytes, have);
	/* A pixel of plain PGM takes two bytes, but for the last. */
	if (!h->raw && have < 2 * n - 1)
		return complain(s, "truncated: more pixels than the file has");
	return 0;
}

bool
pb_pgm_is(const void *p, size_t n)
{
	const unsigned char *s = p;

	return n >= 2 && s[0] == 'P' && (s[1] == '2' || s[1] == '5') &&
	       (n == 2 || is_space(s[2]) || s[2] == '#');
}

bool
pb_pgm_size(const void *p, size_t n, long *width, long *height)
{
	struct scan s = {p, (const unsigned char *)p + n, 1, NULL, NULL};

	if (!pb_pgm_is(p, n))
		return false;
	s.at += 2;
	return number(&s, NULL, PB_MAP_SIDE, width) == 0 &&
	       number(&s, NULL, PB_MAP_SIDE, height) == 0;
}

int
pb_pgm_decode(const void *p, size_t n, const char *name, struct pb_image *im,
    struct pb_error *f)
{
	struct scan s = {p, (const unsigned char *)p + n, 1, name, f};
	struct header h = {0};
	struct pb_image got = {0};

	if (!pb_pgm_is(p, n))
		return complain(&s, "not a PGM image");
	if (read_header(&s, &h) != 0 || check_length(&s, &h) != 0)
		return -1;
	if (pb_image_init(&got, (int)h.width, (int)h.height, 1) != PB_OK)
		return pb_error_file_nomem(f, name);
	got.maxval = (int)h.maxval;
	if (read_samples(&s, &h, got.sample) != 0) {
		pb_image_clear(&got);
		return -1;
	}
	if (h.raw)
		got.spare = (size_t)(s.end - s.at);
	*im = got;
	return 0;
}

int
pb_pgm_write(
    FILE *out, const char *name, const struct pb_image *im, struct pb_error *f)
{
	size_t n = pb_image_bytes(im);

	if (im->channels != 1)
		return pb_error_file(
		    f, name, 0, NULL, "PGM holds gray images only");
	if (fprintf(out, "P5\n%d %d\n255\n", im->width, im->height) < 0 ||
	    fwrite(im->sample, 1, n, out) != n)
		return pb_error_write(f, name);
	return 0;
}
