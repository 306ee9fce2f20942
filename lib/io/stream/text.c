/* text.c - UTF-8 characters; parse and print numbers. */
#include "io/stream/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t
pb_utf8_char(const char *s, size_t n)
{
	const unsigned char *u = (const unsigned char *)s;
	/* Bounds of the second byte: exclude overlong forms and surrogates. */
	unsigned lo = 0x80, hi = 0xbf;
	size_t len;

	if (n == 0)
		return 0;
	if (u[0] < 0x80)
		return 1;
	if (u[0] < 0xc2 || u[0] > 0xf4)
		return 0;
	len = u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : 4;
	if (u[0] == 0xe0)
		lo = 0xa0;
	else if (u[0] == 0xed)
		hi = 0x9f;
	else if (u[0] == 0xf0)
		lo = 0x90;
	else if (u[0] == 0xf4)
		hi = 0x8f;
	if (len > n || u[1] < lo || u[1] > hi)
		return 0;
	for (size_t i = 2; i < len; i++)
		if (u[i] < 0x80 || u[i] > 0xbf)
			return 0;
	return len;
}

uint32_t
pb_utf8_code(const char *s, size_t n)
{
	uint32_t code = (unsigned char)s[0];

	if (n > 1)
		code &= 0xffu >> (n + 1);
	for (size_t i = 1; i < n; i++)
		code = code << 6 | ((unsigned char)s[i] & 0x3f);
	return code;
}

/*
 * Whether a character is invisible or changes the text around it: control (Cc)
 * and format characters (Cf, Unicode 15), separators of lines and paragraphs,
 * noncharacters.
 */
static bool
is_hidden(uint32_t u)
{
	static const struct {
		uint32_t lo, hi;
	} range[] = {{0, 0x1f}, {0x7f, 0x9f}, {0xad, 0xad}, {0x600, 0x605},
	    {0x61c, 0x61c}, {0x6dd, 0x6dd}, {0x70f, 0x70f}, {0x890, 0x891},
	    {0x8e2, 0x8e2}, {0x115f, 0x1160}, {0x180e, 0x180e},
	    {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
	    {0x3164, 0x3164}, {0xfdd0, 0xfdef}, {0xfeff, 0xfeff},
	    {0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0xfffe, 0xffff},
	    {0x110bd, 0x110bd}, {0x110cd, 0x110cd}, {0x13430, 0x1343f},
	    {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe00ff}};

	for (size_t i = 0; i < sizeof(range) / sizeof(*range); i++)
		if (u >= range[i].lo && u <= range[i].hi)
			return true;
	return false;
}

uint32_t
pb_utf8_shown(const char *s, size_t n, size_t *len)
{
	size_t k = pb_utf8_char(s, n);
	uint32_t code = k > 0 ? pb_utf8_code(s, k) : 0;

	*len = k > 0 ? k : 1;
	return is_hidden(code) ? '?' : code;
}

char *
pb_utf8_clean(char *s)
{
	size_t left = strlen(s), n;
	char *to = s;

	for (const char *from = s; left > 0; from += n, left -= n)
		to += pb_utf8_put(to, pb_utf8_shown(from, left, &n));
	*to = '\0';
	return s;
}

void
pb_utf8_print(const char *s, FILE *f)
{
	size_t left = strlen(s), n;
	char out[4];

	for (; left > 0; s += n, left -= n)
		fwrite(out, 1, pb_utf8_put(out, pb_utf8_shown(s, left, &n)), f);
}

size_t
pb_utf8_put(char out[4], uint32_t c)
{
	size_t len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};

	for (size_t i = len; i-- > 1; c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	out[0] = (char)(lead[len] | c);
	return len;
}

size_t
pb_utf8_cut(const char *s, size_t n, size_t max)
{
	if (n <= max)
		return n;
	while (max > 0 && ((unsigned char)s[max] & 0xc0) == 0x80)
		max--;
	return max;
}

/* Print the digits of v without leading zeros; returns their number. */
static size_t
print_digits(char *buf, uint64_t v)
{
	char tmp[20];
	size_t n = 0;

	do
		tmp[n++] = (char)('0' + v % 10);
	while ((v /= 10) != 0);
	for (size_t i = 0; i < n; i++)
		buf[i] = tmp[n - 1 - i];
	return n;
}

size_t
pb_num_int(char *buf, int64_t v)
{
	size_t n = 0;
	uint64_t u = (uint64_t)v;

	if (v < 0) {
		buf[n++] = '-';
		u = -u;
	}
	n += print_digits(buf + n, u);
	buf[n] = 0;
	return n;
}

size_t
pb_num_u64(char *buf, uint64_t v)
{
	size_t n = print_digits(buf, v);

	buf[n] = 0;
	return n;
}

/* Print u millionths in the shortest form. */
static size_t
print_millionths(char *buf, uint64_t u)
{
	size_t n = print_digits(buf, u / 1000000);
	uint64_t frac = u % 1000000;

	if (frac) {
		int digits = 6;

		buf[n++] = '.';
		for (; frac % 10 == 0; frac /= 10)
			digits--;
		for (int i = digits; i-- > 0; frac /= 10)
			buf[n + (size_t)i] = (char)('0' + frac % 10);
		n += (size_t)digits;
	}
	buf[n] = 0;
	return n;
}

/* Round by the C library: large numbers, and those near a half. */
static size_t
round_by_printf(char *buf, double v)
{
	size_t n = (size_t)snprintf(buf, PB_NUM_MAX, "%.6f", v);

	while (buf[n - 1] == '0')
		n--;
	if (buf[n - 1] == '.')
		n--;
	buf[n] = 0;
	return strcmp(buf, "-0") == 0 ? (size_t)pb_num_int(buf, 0) : n;
}

/* Round a >= 0 to millionths; false: too large, or too near a half. */
static bool
to_millionths(double a, uint64_t *u)
{
	double scaled = a * 1e6, frac;

	/*
	 * The product is off by less than 1e-3 of a unit below 2^40, so
	 * truncation after adding a half is right unless the fraction is that
	 * near to a half; then printf decides, which knows the exact value.
	 */
	if (!(scaled < 0x1p40))
		return false;
	*u = (uint64_t)scaled;
	frac = scaled - (double)*u;
	*u += frac > 0.5;
	return fabs(frac - 0.5) >= 1e-3;
}

size_t
pb_num_round(char *buf, double v)
{
	size_t n = 0;
	uint64_t u;

	if (!isfinite(v)) {
		memcpy(buf, "null", 5);
		return 4;
	}
	if (fabs(v) >= 1e15)
		return pb_num_exact(buf, v);
	if (!to_millionths(fabs(v), &u))
		return round_by_printf(buf, v);
	if (signbit(v) && u != 0)
		buf[n++] = '-';
	return n + print_millionths(buf + n, u);
}

double
pb_num_rounded(double v)
{
	char buf[PB_NUM_MAX];
	uint64_t u;

	if (!isfinite(v) || fabs(v) >= 1e15)
		return v;
	/* The quotient of two whole numbers is rounded once, as strtod does. */
	if (to_millionths(fabs(v), &u))
		return u == 0 ? 0 : copysign((double)u / 1e6, v);
	round_by_printf(buf, v);
	return strtod(buf, NULL);
}

size_t
pb_num_exact(char *buf, double v)
{
	if (!isfinite(v) || (v == floor(v) && fabs(v) < 1e15)) {
		if (isfinite(v))
			return pb_num_int(buf, (int64_t)v);
		memcpy(buf, "null", 5);
		return 4;
	}
	/* 15 digits survive decimal to double and back, 17 always suffice. */
	for (int digits = 15;; digits++) {
		int n = snprintf(buf, PB_NUM_MAX, "%.*g", digits, v);

		if (digits == 17 || strtod(buf, NULL) == v)
			return (size_t)n;
	}
}

/* Users write +1, .5 and 007; JSON does not. The set of characters excludes
 * everything else that strtod takes: blanks, hexadecimals, infinity. */
bool
pb_num_parse(const char *s, double *v)
{
	char *end;
	double x;

	if (!*s || strspn(s, "+-.0123456789eE") != strlen(s))
		return false;
	x = strtod(s, &end);
	if (end == s || *end || !isfinite(x))
		return false;
	*v = x;
	return true;
}

bool
pb_num_parse_int(const char *s, int64_t *v)
{
	char *end;
	long long x;

	if (!isdigit((unsigned char)s[*s == '-' || *s == '+']))
		return false;
	errno = 0;
	x = strtoll(s, &end, 10);
	if (*end || errno)
		return false;
	*v = x;
	return true;
}

bool
pb_num_parse_u64(const char *s, uint64_t *v)
{
	char *end;
	unsigned long long x;

	if (!isdigit((unsigned char)*s))
		return false;
	errno = 0;
	x = strtoull(s, &end, 10);
	if (*end || errno)
		return false;
	*v = x;
	return true;
}
