/* json_nonfinite.c - the four things that jansson cannot take. */
#include "io/stream/json_nonfinite.h"

#include <stdlib.h>
#include <string.h>

/* Behind the string that begins at s. */
static const char *
past_string(const char *s, const char *end)
{
	for (s++; s < end && *s != '"'; s++)
		if (*s == '\\' && s + 1 < end)
			s++;
	return s < end ? s + 1 : end;
}

/* Length of the word for no number at s, 0 if there is none. */
static size_t
no_number(const char *s, const char *end)
{
	static const char *const words[] = {"NaN", "Infinity", "-Infinity"};

	for (int i = 0; i < 3; i++) {
		size_t n = strlen(words[i]);

		if ((size_t)(end - s) >= n && memcmp(s, words[i], n) == 0)
			return n;
	}
	return 0;
}

/* Of what is outside of strings, the part that has none of the words. */
static const char *
past_plain(const char *s, const char *end)
{
	while (s < end && *s != '"' && *s != 'N' && *s != 'I' && *s != '-')
		s++;
	return s;
}

static const char *
past_blanks(const char *s, const char *end)
{
	while (s < end && (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r'))
		s++;
	return s;
}

/* Replace \u0000 in the string s[0..n); whether there was one. */
static bool
mend_key(char *s, size_t n)
{
	bool found = false;

	for (size_t i = 0; i + 6 < n; i += s[i] == '\\' ? 2 : 1)
		if (memcmp(s + i, "\\u0000", 6) == 0) {
			memcpy(s + i + 2, "fdd0", 4);
			found = true;
		}
	return found;
}

char *
pb_json_nonfinite(const char *s, size_t n, size_t *m, bool *nan)
{
	const char *end = s + n;
	char *out = malloc(n + n / 3 + 1); /* at worst null for each NaN */
	char *at = out;
	bool mended = false;

	*nan = false;
	while (out && s < end) {
		size_t word = no_number(s, end);
		const char *next = s + word;

		if (word > 0) {
			memcpy(at, "null", 4);
			at += 4;
			*nan = true;
		} else {
			const char *then;

			next = *s == '"' ? past_string(s, end)
			                 : past_plain(s + 1, end);
			memcpy(at, s, (size_t)(next - s));
			then = past_blanks(next, end);
			if (*s == '"' && then < end && *then == ':')
				mended |= mend_key(at, (size_t)(next - s));
			at += next - s;
		}
		s = next;
	}
	if (!mended && !*nan) {
		free(out);
		return NULL;
	}
	*m = (size_t)(at - out);
	return out;
}

/* Behind the array's bracket, if that stands behind the key at s. */
static const char *
array_of(const char *s, const char *end)
{
	static const char key[] = "\"data\"";
	const size_t n = sizeof(key) - 1;

	if ((size_t)(end - s) < n || memcmp(s, key, n) != 0)
		return NULL;
	s = past_blanks(s + n, end);
	if (s == end || *s != ':')
		return NULL;
	s = past_blanks(s + 1, end);
	return s < end && *s == '[' ? s + 1 : NULL;
}

static const char *
find_array(const char *s, const char *end)
{
	const char *array = NULL;

	while (!array && (s = memchr(s, '"', (size_t)(end - s))) != NULL)
		array = array_of(s++, end);
	return array;
}

/* Behind the number at s, NULL if it is none from -1 to 100. */
static const char *
read_cell(const char *s, const char *end, signed char *cell)
{
	const char *first = s;
	int v = 0;

	if (end - s >= 2 && s[0] == '-' && s[1] == '1') {
		*cell = -1;
		return s + 2; /* -12 has no comma there */
	}
	while (s < end && *s >= '0' && *s <= '9' && s - first < 3)
		v = v * 10 + (*s++ - '0');
	if (s == first || v > 100 || (*first == '0' && s - first > 1))
		return NULL;
	*cell = (signed char)v;
	return s;
}

/* Read the cells up to the bracket; false if there is anything else. */
static bool
read_cells(const char *s, const char *close, struct pb_lift *l)
{
	s = past_blanks(s, close);
	while (s < close) {
		s = read_cell(s, close, &l->cell[l->cells]);
		if (!s)
			return false;
		l->cells++;
		s = past_blanks(s, close);
		if (s == close)
			return true;
		if (*s != ',')
			return false;
		s = past_blanks(s + 1, close);
	}
	return l->cells == 0; /* no cell behind the last comma */
}

/* The line without what is between the brackets. */
static bool
join_rest(const char *s, const char *array, const char *close, const char *end,
    struct pb_lift *l)
{
	static const char mark[] = "\"\\u0001\"";
	size_t before = (size_t)(array - 1 - s);
	size_t after = (size_t)(end - (close + 1));
	const size_t n = sizeof(mark) - 1;

	l->at = before;
	l->len = before + n + after;
	l->rest = malloc(l->len);
	if (!l->rest)
		return false;
	memcpy(l->rest, s, before);
	memcpy(l->rest + before, mark, n);
	memcpy(l->rest + before + n, close + 1, after);
	return true;
}

bool
pb_json_lift(const char *s, size_t n, struct pb_lift *l)
{
	const char *end = s + n, *array = find_array(s, end), *close;

	*l = (struct pb_lift){0};
	if (!array || memchr(s, '\\', n))
		return false;
	close = memchr(array, ']', (size_t)(end - array));
	if (!close)
		return false;
	/* A cell and its comma take two bytes or more. */
	l->cell = malloc((size_t)(close - array) / 2 + 1);
	if (l->cell && read_cells(array, close, l) &&
	    join_rest(s, array, close, end, l))
		return true;
	free(l->cell);
	*l = (struct pb_lift){0};
	return false;
}

static bool
in_number(char c)
{
	return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' ||
	       c == 'e' || c == 'E';
}

static const char *
past_number(const char *s, const char *end)
{
	while (s < end && in_number(*s))
		s++;
	return s;
}

size_t
pb_json_number_over(const char *s, size_t n, size_t max)
{
	const char *end = s + n;

	while (s < end) {
		const char *next =
		    *s == '"' ? past_string(s, end) : past_number(s, end);

		if (*s != '"' && (size_t)(next - s) > max)
			return (size_t)(next - s);
		s = next > s ? next : s + 1;
	}
	return 0;
}
