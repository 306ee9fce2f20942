/* utf8.c - the characters of UTF-8 (RFC 3629). */
#include "io/stream/utf8.h"

#include <stdbool.h>
#include <string.h>

size_t
pb_utf8_char(const char *s, size_t n)
{
	const unsigned char *u = (const unsigned char *)s;
	/* Range of the second byte: keeps out overlong forms and surrogates. */
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
 * Control characters (Cc), format characters (Cf, Unicode 15), separators of
 * lines and paragraphs, and what is for nobody to see: noncharacters.
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
