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
	if (s->at == s->end && s->at == from)
		return pb_error_file(s->f, s->name, s->line, what,
		    "truncated: the file ends before it");
	if (s->at == from)
		return pb_error_file(
		    s->f, s->name, s->line, what, "expected a number");
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

/* The sample of 0..255 nearest to v of 0..maxval. */
static unsigned char
to_byte(long v, long maxval)
{
	return (unsigned char)((v * 255 + maxval / 2) / maxval);
}

static int
too_bright(struct scan *s, size_t i, long width, long v, long maxval)
{
	return pb_error_file(s->f, s->name, 0, NULL,
	    "pixel (%zu, %zu) is %ld, over the maximum of %ld",
	    i % (size_t)width, i / (size_t)width, v, maxval);
}

static int
read_raw(struct scan *s, const struct header *h, unsigned char *out)
{
	size_t n = (size_t)(h->width * h->height);
	size_t have = (size_t)(s->end - s->at);
	size_t bytes = h->maxval > 255 ? 2 : 1;

	if (have < n * bytes)
		return pb_error_file(s->f, s->name, 0, NULL,
		    "truncated: %ld x %ld pixels need %zu bytes, %zu are there",
		    h->width, h->height, n * bytes, have);
	if (h->maxval == 255) {
		memcpy(out, s->at, n);
		s->at += n;
		return 0;
	}
	for (size_t i = 0; i < n; i++, s->at += bytes) {
		long v = bytes == 1 ? s->at[0] : 256L * s->at[0] + s->at[1];

		if (v > h->maxval)
			return too_bright(s, i, h->width, v, h->maxval);
		out[i] = to_byte(v, h->maxval);
	}
	return 0;
}

static int
read_plain(struct scan *s, const struct header *h, unsigned char *out)
{
	size_t n = (size_t)(h->width * h->height);
	long v = 0;

	for (size_t i = 0; i < n; i++) {
		if (number(s, "pixel", 65535, &v) != 0)
			return -1;
		if (v > h->maxval)
			return too_bright(s, i, h->width, v, h->maxval);
		out[i] = to_byte(v, h->maxval);
	}
	return 0;
}

/* A pixel of plain PGM takes two bytes, one of raw PGM one: no bombs. */
static bool
is_plausible(const struct scan *s, const struct header *h)
{
	size_t n = (size_t)(h->width * h->height);

	return h->raw || (size_t)(s->end - s->at) >= 2 * n - 1;
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
	int rc;

	if (!pb_pgm_is(p, n))
		return complain(&s, "not a PGM image");
	if (read_header(&s, &h) != 0)
		return -1;
	if (!is_plausible(&s, &h))
		return complain(&s, "truncated: more pixels than the file has");
	if (h.raw && (size_t)(s.end - s.at) < (size_t)(h.width * h.height))
		return read_raw(&s, &h, NULL); /* too short, and says so */
	if (pb_image_init(&got, (int)h.width, (int)h.height, 1) != PB_OK)
		return pb_error_file_nomem(f, name);
	got.maxval = (int)h.maxval;
	rc = h.raw ? read_raw(&s, &h, got.sample)
	           : read_plain(&s, &h, got.sample);
	if (rc != 0) {
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
