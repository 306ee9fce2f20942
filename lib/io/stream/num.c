/* num.c - numbers as text, the same in every locale and on every machine. */
#include "io/stream/num.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The digits of v, no leading zeros (one for 0); returns how many. */
static size_t
put_digits(char *buf, uint64_t v)
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
	n += put_digits(buf + n, u);
	buf[n] = 0;
	return n;
}

size_t
pb_num_u64(char *buf, uint64_t v)
{
	size_t n = put_digits(buf, v);

	buf[n] = 0;
	return n;
}

/* u millionths, shortest. */
static size_t
put_millionths(char *buf, uint64_t u)
{
	size_t n = put_digits(buf, u / 1000000);
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

/* The same by the C library, for numbers that need its care. */
static size_t
round_slowly(char *buf, double v)
{
	size_t n = (size_t)snprintf(buf, PB_NUM_MAX, "%.6f", v);

	while (buf[n - 1] == '0')
		n--;
	if (buf[n - 1] == '.')
		n--;
	buf[n] = 0;
	return strcmp(buf, "-0") == 0 ? (size_t)pb_num_int(buf, 0) : n;
}

/* a >= 0 in millionths; false for numbers that need more care. */
static bool
millionths(double a, uint64_t *u)
{
	double scaled = a * 1e6, frac;

	/*
	 * The product is off by less than 1e-3 of a unit below 2^40, so
	 * truncation after adding a half is right unless the fraction is that
	 * near to a half; then printf, which knows the exact value, decides.
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
	if (!millionths(fabs(v), &u))
		return round_slowly(buf, v);
	if (signbit(v) && u != 0)
		buf[n++] = '-';
	return n + put_millionths(buf + n, u);
}

double
pb_num_rounded(double v)
{
	char buf[PB_NUM_MAX];
	uint64_t u;

	if (!isfinite(v) || fabs(v) >= 1e15)
		return v;
	/* The quotient of two whole numbers is rounded once, as by strtod. */
	if (millionths(fabs(v), &u))
		return u == 0 ? 0 : copysign((double)u / 1e6, v);
	round_slowly(buf, v);
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

/*
 * People write +1, .5 and 007; JSON does not. Everything else that strtod
 * takes (blanks, hexadecimals, infinity) is shut out by the characters.
 */
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
