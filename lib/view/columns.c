/* columns.c - the columns that text takes on a terminal. */
#include "view/columns.h"

#include <string.h>

#include "io/utf8.h"

/* Ranges of characters, both ends included, in order. */
struct range {
	uint32_t lo, hi;
};

static int
within(uint32_t u, const struct range *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (u >= r[i].lo && u <= r[i].hi)
			return 1;
	return 0;
}

int
pb_columns_of(uint32_t u)
{
	/* Marks set over or under others, joiners, variation selectors. */
	static const struct range none[] = {{0x300, 0x36f}, {0x483, 0x489},
	    {0x591, 0x5bd}, {0x610, 0x61a}, {0x64b, 0x65f}, {0x1ab0, 0x1aff},
	    {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x202a, 0x202e},
	    {0x2060, 0x2064}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f},
	    {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xe0100, 0xe01ef}};
	/* East Asian wide and full width, and emoji. */
	static const struct range wide[] = {{0x1100, 0x115f}, {0x2e80, 0x303e},
	    {0x3041, 0xa4cf}, {0xa960, 0xa97f}, {0xac00, 0xd7a3},
	    {0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60},
	    {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff},
	    {0x1f900, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd}};

	if (u < 0x300)
		return 1;
	if (within(u, none, sizeof(none) / sizeof(*none)))
		return 0;
	return 1 + within(u, wide, sizeof(wide) / sizeof(*wide));
}

size_t
pb_text_columns(const char *text, size_t n)
{
	size_t w = 0, len;

	for (; n > 0; text += len, n -= len)
		w += (size_t)pb_columns_of(pb_utf8_shown(text, n, &len));
	return w;
}

size_t
pb_columns_line(const char *s, size_t max, const char **rest)
{
	size_t n = strlen(s), used = 0, end = 0, at = 0, len;

	while (at < n) {
		size_t w =
		    (size_t)pb_columns_of(pb_utf8_shown(s + at, n - at, &len));

		if (s[at] == ' ')
			end = at;
		if (used + w > max && at > 0 && s[at] != ' ')
			break;
		used += w;
		at += len;
	}
	if (at < n && end > 0)
		at = end;
	*rest = s + at + strspn(s + at, " ");
	return at;
}

void
pb_columns_wrap(const char *text, size_t width, FILE *f)
{
	while (*text != '\0') {
		const char *rest;
		size_t n = pb_columns_line(text, width, &rest);

		for (size_t len; n > 0; text += len, n -= len)
			pb_columns_put(pb_utf8_shown(text, n, &len), f);
		putc('\n', f);
		text = rest;
	}
}

void
pb_columns_put(uint32_t u, FILE *f)
{
	char out[4] = "";

	fwrite(out, 1, pb_utf8_put(out, u), f);
}
