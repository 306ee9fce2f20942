/* json.c - parse lines of JSON, read members of objects. */
#include "io/stream/json.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/text.h"

#define DEPTH      2048  /* deepest nesting */
#define MEMBERS    64    /* objects with more are checked by sorting */
#define LONG_LINE  65536 /* bytes; a longer line may hold a map */
#define WHOLE_MOST 19    /* digits that always fit in 64 bits without a sign */

/*
 * A line is either parsed into values (keep), or only validated. Then only the
 * keys of the open objects are stored, to find duplicates. Inlining compiles
 * each function for either case.
 */
#define EITHER static inline __attribute__((always_inline))

struct scan {
	struct pb_json *to;
	const char *first, *end; /* of the line */
	char *text;              /* room for the next string */
	const char *time; /* validating: the value of the member "t", or NULL */
	bool escaped;     /* a string had a backslash */
	const char *at;   /* first byte that is no JSON, NULL: none so far */
	const char *expected; /* what should be at `at` */
};

static const char too_deep[] =
    "lists and objects are nested more than 2048 deep";
static const char twice[] = "a key that is there twice";

static void
init_json(struct pb_json *l)
{
	l->v = l->few;
	l->n = 0;
	l->cap = PB_JSON_FEW;
	l->text = l->brief;
}

void
pb_json_close(struct pb_json *l)
{
	if (l->v != l->few)
		free(l->v);
	if (l->text != l->brief)
		free(l->text);
	init_json(l);
}

/* Allocate room for all strings of the line: they are no longer than the line.
 * Eight bytes more, as eight are stored at a time, and one before the first
 * string, which is_new() reads. */
static void
alloc_text(struct scan *c)
{
	struct pb_json *l = c->to;
	size_t n = (size_t)(c->end - c->first) + 9;

	if (n > PB_JSON_SHORT)
		l->text = pb_resize(NULL, n);
	l->text[0] = 0;
	c->text = l->text + 1;
}

static void
grow_values(struct pb_json *l)
{
	size_t cap = 2 * l->cap;
	struct pb_json_value *v =
	    pb_resize(l->v == l->few ? NULL : l->v, cap * sizeof(*v));

	if (l->v == l->few)
		memcpy(v, l->few, sizeof(l->few));
	l->v = v;
	l->cap = cap;
}

static inline struct pb_json_value *
add_value(struct pb_json *l, enum pb_json_kind kind)
{
	struct pb_json_value *v;

	if (l->n == l->cap)
		grow_values(l);
	v = &l->v[l->n++];
	v->kind = kind;
	v->span = 1;
	v->n = 0;
	return v;
}

/* Note where the line is no JSON, and what should be there; only the first
 * failure counts. Returns NULL. */
static __attribute__((cold, noinline)) const char *
fail(struct scan *c, const char *at, const char *expected)
{
	if (c->at == NULL) {
		c->at = at;
		c->expected = expected;
	}
	return NULL;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Skip blanks. Stops at the end of the line, where a bracket or a NUL is. */
static inline const char *
skip_blanks(const char *s)
{
	while ((unsigned char)*s <= ' ' && is_blank(*s))
		s++;
	return s;
}

/* Eight bytes, the first in the lowest bits on every machine. */
static uint64_t
load_eight(const char *s)
{
	uint64_t w;

	memcpy(&w, s, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	w = __builtin_bswap64(w);
#endif
	return w;
}

/* Returns 0 if all eight bytes are plain characters of a string; else the
 * lowest bit set is in the first that is not; higher bits may be wrong. Xor
 * with 2 makes the quote 0x20 and the blank 0x22, so that one comparison with
 * 0x21 finds the quote and all control characters. */
static uint64_t
special_bits(uint64_t w)
{
	const uint64_t ones = 0x0101010101010101, high = 0x80 * ones;

	return (((w ^ 0x02 * ones) - 0x21 * ones) | w |
		   ((w ^ '\\' * ones) - ones)) &
	       high;
}

static bool
is_plain(char c)
{
	return (signed char)c >= ' ' && c != '"' && c != '\\';
}

/* Read the four hexadecimal digits at s. */
static bool
read_hex(struct scan *c, const char *s, unsigned *out)
{
	unsigned x = 0;

	for (int i = 0; i < 4; i++, s++) {
		unsigned char d = s < c->end ? (unsigned char)*s : 0;
		unsigned lower = d | 0x20;

		if (d >= '0' && d <= '9')
			x = 16 * x + (d - '0');
		else if (lower >= 'a' && lower <= 'f')
			x = 16 * x + (lower - 'a' + 10);
		else
			return fail(c, s, "four hexadecimal digits") != NULL;
	}
	*out = x;
	return true;
}

/* Read the character whose hexadecimal digits are at s; a pair of surrogates
 * gives one. Returns the byte behind it. */
static const char *
read_unicode(struct scan *c, const char *s, unsigned *x)
{
	const char *digits = s;
	unsigned low = 0;

	if (!read_hex(c, s, x))
		return NULL;
	s += 4;
	if (*x < 0xd800 || *x > 0xdfff)
		return s;
	if (*x > 0xdbff || c->end - s < 2 || s[0] != '\\' || s[1] != 'u')
		return fail(c, digits, "a pair of surrogates");
	if (!read_hex(c, s + 2, &low))
		return NULL;
	if (low < 0xdc00 || low > 0xdfff)
		return fail(c, digits, "a pair of surrogates");
	*x = 0x10000 + ((*x - 0xd800) << 10) + (low - 0xdc00);
	return s + 6;
}

/* Read the escape at s, behind its backslash. Append its character to *to
 * unless that is NULL. Returns the byte behind it. */
static const char *
read_escape(struct scan *c, const char *s, char **to)
{
	static const char name[] = "\"\\/bfnrt", is[] = "\"\\/\b\f\n\r\t";
	const char *found = s < c->end && *s != '\0' ? strchr(name, *s) : NULL;
	unsigned x = 0;

	if (found != NULL) {
		x = (unsigned char)is[found - name];
		s++;
	} else if (s < c->end && *s == 'u') {
		s = read_unicode(c, s + 1, &x);
	} else {
		return fail(c, s, "one of \"\\/bfnrtu behind a backslash");
	}
	c->escaped = true;
	if (s != NULL && *to != NULL)
		*to += pb_utf8_put(*to, x);
	return s;
}

/* Read what ends the plain part of a string at s, other than its quote: an
 * escape or a character beyond ASCII. Returns the byte behind it, NULL: the
 * line is no JSON. */
static __attribute__((noinline)) const char *
read_special(struct scan *c, const char *s, char **to)
{
	size_t k;

	if (s == c->end)
		return fail(c, s, "a quote behind the string");
	if (*s == '\\')
		return read_escape(c, s + 1, to);
	if ((*s & 0x80) == 0)
		return fail(c, s, "no control character in a string");
	k = pb_utf8_char(s, (size_t)(c->end - s));
	if (k == 0)
		return fail(c, s, "UTF-8");
	if (*to != NULL) {
		memcpy(*to, s, k);
		*to += k;
	}
	return s + k;
}

/* Find the closing quote of the string that begins at s; NULL: it has none.
 * Copy its text to *to unless that is NULL, and advance *to. */
EITHER const char *
find_string_end(struct scan *c, const char *s, char **to)
{
	const char *const end = c->end;
	char *t = *to;

	for (;;) {
		while (end - s >= 8) {
			uint64_t bits = special_bits(load_eight(s));

			if (t)
				memcpy(t, s, 8);
			if (bits != 0) {
				size_t k = (size_t)__builtin_ctzll(bits) / 8;

				s += k;
				t = t ? t + k : NULL;
				if (*s == '"') {
					*to = t;
					return s;
				}
				break;
			}
			s += 8;
			t = t ? t + 8 : NULL;
		}
		for (; s < end && is_plain(*s); s++)
			if (t)
				*t++ = *s;
		*to = t;
		if (s < end && *s == '"')
			return s;
		s = read_special(c, s, to);
		if (s == NULL)
			return NULL;
		t = *to;
	}
}

/* Parse the string that begins at s, behind its quote. Returns the byte behind
 * the closing quote, NULL: the line is no JSON. */
EITHER const char *
scan_string(struct scan *c, const char *s, bool keep)
{
	struct pb_json_value *v =
	    keep ? add_value(c->to, PB_JSON_STRING) : NULL;
	char *to = keep ? c->text : NULL;

	s = find_string_end(c, s, &to);
	if (s == NULL)
		return NULL;
	if (keep) {
		v->text = c->text;
		v->n = (uint32_t)(to - c->text);
		*to = 0;
		c->text = to + 1;
	}
	return s + 1;
}

/* Parse a key while validating: store its place in the line or, if it has
 * escapes, a copy without them. */
EITHER const char *
check_key(struct scan *c, const char *s)
{
	char *none = NULL;
	const char *end;
	struct pb_json_value *v;

	end = find_string_end(c, s, &none);
	if (end == NULL)
		return NULL;
	if (c->escaped) {
		c->escaped = false; /* an earlier value may have set it */
		if (c->text == NULL)
			alloc_text(c);
		return scan_string(c, s, true);
	}
	v = add_value(c->to, PB_JSON_STRING);
	v->text = s;
	v->n = (uint32_t)(end - s);
	return end + 1;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The value of mantissa x 10^power, whose text is at s; infinity beyond the
 * range of a double. */
static double
make_real(const char *s, uint64_t mantissa, ptrdiff_t digits, long power)
{
	static const double ten[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7,
	    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
	    1e19, 1e20, 1e21, 1e22};

	/* Both factors are exact, and one operation rounds once, as strtod
	 * does. */
	if (digits > WHOLE_MOST || mantissa > (uint64_t)1 << 53 ||
	    power < -22 || power > 22)
		return strtod(s, NULL);
	return power < 0 ? (double)mantissa / ten[-power]
	                 : (double)mantissa * ten[power];
}

/* Parse an exponent, its letter included. Six digits are as good as more: the
 * result is 0 or infinity. */
static const char *
scan_exponent(struct scan *c, const char *s, long *power)
{
	bool minus = s[1] == '-';
	long e = 0;

	s += 1 + (minus || s[1] == '+');
	if (!is_digit(*s))
		return fail(c, s, "a digit");
	for (; is_digit(*s); s++)
		e = e < 1000000 ? 10 * e + (*s - '0') : e;
	*power += minus ? -e : e;
	return s;
}

/* Parse the number at s, a digit or a minus. It ends at the latest at the
 * bracket that ends the line. */
EITHER const char *
scan_number(struct scan *c, const char *s, bool keep)
{
	bool minus = *s == '-';
	const char *first = s + minus, *point = NULL;
	struct pb_json_value *v;
	uint64_t m = 0;
	ptrdiff_t digits;
	long power = 0;

	for (s = first; is_digit(*s); s++)
		m = 10 * m + (uint64_t)(*s - '0');
	digits = s - first;
	if (digits == 0)
		return fail(c, s, "a digit");
	if (*first == '0' && digits > 1)
		return fail(c, first, "a number without leading zeros");
	if (*s == '.') {
		for (point = ++s; is_digit(*s); s++)
			m = 10 * m + (uint64_t)(*s - '0');
		if (s == point)
			return fail(c, s, "a digit");
		digits += s - point;
		power = point - s;
	}
	if (*s == 'e' || *s == 'E') {
		point = s;
		s = scan_exponent(c, s, &power);
	}
	if (s == NULL || !keep)
		return s;
	/* A whole number beyond 64 bits becomes a real one. */
	if (digits > WHOLE_MOST || m > (uint64_t)INT64_MAX + minus)
		point = s;
	v = add_value(c->to, point ? PB_JSON_REAL : PB_JSON_WHOLE);
	if (point == NULL) {
		v->whole = (int64_t)(minus ? 0 - m : m);
		return s;
	}
	v->real = make_real(first, m, digits, power);
	if (minus)
		v->real = -v->real;
	return s;
}

EITHER const char *
scan_word(struct scan *c, const char *s, const char *word,
    enum pb_json_kind kind, bool keep)
{
	size_t n = strlen(word);

	if ((size_t)(c->end - s) < n || memcmp(s, word, n) != 0)
		return fail(c, s, "a value");
	if (keep)
		add_value(c->to, kind);
	return s + n;
}

static const char *const nulls[] = {"null", "NaN", "Infinity", "-Infinity"};

/* Parse null, NaN and infinities; all become null. */
static const char *
scan_nonfinite(struct scan *c, const char *s, bool keep)
{
	const uint32_t i = *s == 'N' ? 1 : *s == 'I' ? 2 : 3;

	s = scan_word(c, s, nulls[i], PB_JSON_NULL, keep);
	if (s != NULL && keep)
		c->to->v[c->to->n - 1].n = i;
	return s;
}

static const char *keep_container(struct scan *c, const char *s, int depth);
static const char *check_container(struct scan *c, const char *s, int depth);

EITHER const char *
scan_value(struct scan *c, const char *s, int depth, bool keep)
{
	if (*s == '"')
		return scan_string(c, s + 1, keep);
	if (is_digit(*s) || (*s == '-' && s[1] != 'I'))
		return scan_number(c, s, keep);
	if (*s == '{' || *s == '[') {
		if (depth == DEPTH)
			return fail(c, s, too_deep);
		return keep ? keep_container(c, s, depth + 1)
		            : check_container(c, s, depth + 1);
	}
	if (*s == 't')
		return scan_word(c, s, "true", PB_JSON_TRUE, keep);
	if (*s == 'f')
		return scan_word(c, s, "false", PB_JSON_FALSE, keep);
	if (*s == 'N' || *s == 'I' || *s == '-')
		return scan_nonfinite(c, s, keep);
	return scan_word(c, s, "null", PB_JSON_NULL, keep);
}

/* The members of an object so far. */
struct members {
	size_t at;     /* index of the first key among the values */
	uint32_t n;    /* how many */
	uint64_t seen; /* hash bits of the keys */
};

static bool
is_same_key(const struct pb_json_value *a, const struct pb_json_value *b)
{
	return a->n == b->n && memcmp(a->text, b->text, a->n) == 0;
}

static int
compare_keys(const void *a, const void *b)
{
	const struct pb_json_value
	    *const k = *(const struct pb_json_value *const *)a,
		   *const l = *(const struct pb_json_value *const *)b;

	if (k->n != l->n)
		return k->n < l->n ? -1 : 1;
	return memcmp(k->text, l->text, k->n);
}

/* Whether the keys of an object with more than MEMBERS members differ; s: its
 * end. */
static bool
check_keys(struct scan *c, const char *s, const struct members *o, bool keep)
{
	const struct pb_json_value **key = pb_alloc(o->n, sizeof(*key));
	const struct pb_json_value *k = c->to->v + o->at;
	bool differ = true;

	for (uint32_t i = 0; i < o->n; i++, k += keep ? 1 + k[1].span : 1)
		key[i] = k;
	qsort(key, o->n, sizeof(*key), compare_keys);
	for (uint32_t i = 1; i < o->n && differ; i++)
		differ = !is_same_key(key[i - 1], key[i]);
	free(key);
	return differ || fail(c, s, twice) != NULL;
}

/* Whether no earlier key of the object equals the last; of objects with more
 * than MEMBERS members check_keys() tests that. */
EITHER bool
is_new(struct scan *c, struct members *o, bool keep)
{
	const struct pb_json_value *end = c->to->v + c->to->n - 1, *k;
	const unsigned char *text = (const unsigned char *)end->text;
	uint64_t mark = text[(ptrdiff_t)end->n - 1] + end->n * 11 + text[0] * 5;

	mark = (uint64_t)1 << (mark & 63);
	if (o->seen & mark) {
		for (k = c->to->v + o->at; k < end;
		     k += keep ? 1 + k[1].span : 1)
			if (is_same_key(k, end))
				return false;
	}
	o->seen |= mark;
	return true;
}

/* Parse a new key and its colon. Returns the value's first byte. */
EITHER const char *
scan_key(struct scan *c, const char *s, struct members *o, bool keep)
{
	const char *first = s;

	if (*s != '"')
		return fail(c, s, "a key in quotes");
	s = keep ? scan_string(c, s + 1, true) : check_key(c, s + 1);
	if (s == NULL)
		return NULL;
	if (o->n++ < MEMBERS && !is_new(c, o, keep))
		return fail(c, first, twice);
	s = skip_blanks(s);
	return *s == ':' ? skip_blanks(s + 1) : fail(c, s, "':'");
}

/* Refuse a value without a comma or the closing bracket behind it. */
static __attribute__((cold, noinline)) const char *
refuse_no_comma(struct scan *c, const char *s, bool object)
{
	return fail(c, s, object ? "',' or '}'" : "',' or ']'");
}

/* Skip blanks and the comma behind a value. NULL: there is no comma. *s may be
 * the line's end, which belongs to an outer object, or NULL. */
EITHER const char *
skip_comma(struct scan *c, const char **s, bool object)
{
	if (*s == c->end)
		*s = refuse_no_comma(c, *s, object);
	if (*s == NULL)
		return NULL;
	*s = skip_blanks(*s);
	return **s == ',' ? (*s = skip_blanks(*s + 1)) : NULL;
}

/* Read a whole number from -1 to 100. Returns the byte behind it, NULL: another
 * value. */
static inline const char *
read_cell(const char *s, char *cell)
{
	const char *first = s;
	int v = 0;

	if (s[0] == '-' && s[1] == '1') {
		*cell = -1;
		return s + 2; /* of -12 the caller misses the comma */
	}
	while (is_digit(*s) && s - first < 3)
		v = v * 10 + (*s++ - '0');
	if (s == first || v > 100 || (*first == '0' && s - first > 1))
		return NULL;
	*cell = (char)v;
	return s;
}

/*
 * Parse an array that holds only cells of a map into bytes in the room for
 * strings. As values, the 16 million cells of a map of 200 m at 5 cm would take
 * 256 MB. NULL: it holds other values, too.
 */
static const char *
scan_cells(struct scan *c, const char *s)
{
	char *to = c->text;
	struct pb_json_value *v;

	do {
		s = read_cell(skip_blanks(s + 1), to++);
		if (s == NULL)
			return NULL;
		s = skip_blanks(s);
	} while (*s == ',');
	if (*s != ']')
		return NULL;
	v = add_value(c->to, PB_JSON_ARRAY);
	v->text = c->text;
	v->n = (uint32_t)(to - c->text);
	*to = 0; /* is_new() reads the byte before a key */
	c->text = to + 1;
	return s + 1;
}

/* Parse the array at s as cells if its key is "data" and the line is long.
 * NULL: it is another value. */
static const char *
scan_data_cells(struct scan *c, const struct pb_json_value *key, const char *s)
{
	return *s == '[' && key->n == 4 && memcmp(key->text, "data", 4) == 0 &&
	               c->end - c->first > LONG_LINE
	           ? scan_cells(c, s)
	           : NULL;
}

/* Parse the members of an object from the key at s on. Returns the bracket
 * behind them. */
EITHER const char *
scan_members(
    struct scan *c, const char *s, struct members *o, int depth, bool keep)
{
	do {
		const struct pb_json_value *key;
		const char *cells = NULL;

		s = scan_key(c, s, o, keep);
		if (s == NULL)
			return NULL;
		key = &c->to->v[c->to->n - 1];
		if (keep)
			cells = scan_data_cells(c, key, s);
		else if (depth == 1 && key->n == 1 && key->text[0] == 't')
			c->time = s;
		s = cells ? cells : scan_value(c, s, depth, keep);
	} while (skip_comma(c, &s, true));
	return s;
}

/* Parse an object or array whose bracket is at s. Returns the byte behind its
 * closing bracket. */
EITHER const char *
scan_container(struct scan *c, const char *s, int depth, bool keep)
{
	bool object = *s == '{';
	size_t at = c->to->n;
	struct members o = {.at = keep ? at + 1 : at};

	if (keep)
		add_value(c->to, object ? PB_JSON_OBJECT : PB_JSON_ARRAY);
	s = skip_blanks(s + 1);
	if (object && *s != '}')
		s = scan_members(c, s, &o, depth, keep);
	else if (!object && *s != ']') {
		do {
			s = scan_value(c, s, depth, keep);
			o.n++;
		} while (skip_comma(c, &s, false));
	}
	if (s == NULL)
		return NULL;
	if (*s != (object ? '}' : ']'))
		return refuse_no_comma(c, s, object);
	if (object && o.n > MEMBERS && !check_keys(c, s, &o, keep))
		return NULL;
	if (keep) {
		c->to->v[at].n = o.n;
		c->to->v[at].span = (unsigned)(c->to->n - at) & 0x1fffffff;
	} else {
		c->to->n = at;
	}
	return s + 1;
}

static const char *
keep_container(struct scan *c, const char *s, int depth)
{
	return scan_container(c, s, depth, true);
}

static const char *
check_container(struct scan *c, const char *s, int depth)
{
	return scan_container(c, s, depth, false);
}

/* Trim blanks from s[0..n). Whether the rest is one object. */
static bool
find_object(const char **s, size_t *n)
{
	while (*n > 0 && is_blank((*s)[*n - 1]))
		--*n;
	while (*n > 0 && is_blank(**s)) {
		++*s;
		--*n;
	}
	return *n >= 2 && **s == '{' && (*s)[*n - 1] == '}';
}

/* Describe what is at c->at, for a message. */
static void
describe_found(const struct scan *c, char *out, size_t size)
{
	static const char word[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	size_t left = (size_t)(c->end - c->at), n = 0;
	unsigned char b = left > 0 ? (unsigned char)*c->at : 0;

	while (n < left && n < 20 && c->at[n] != '\0' &&
	       strchr(word, c->at[n]) != NULL)
		n++;
	if (left == 0)
		snprintf(out, size, "the end");
	else if (b >= 0x7f || b < ' ')
		snprintf(out, size, "byte 0x%02x", b);
	else
		snprintf(out, size, "'%.*s'", n > 0 ? (int)n : 1, c->at);
}

/* Fill bad in with what is wrong at c->at, and its column from s on. Returns
 * false. */
static bool
report_failure(const struct scan *c, const char *s, struct pb_error *bad)
{
	char got[32], place[48];
	long line = 1, column = 1;

	for (; s < c->at; s++)
		if (*s == '\n') {
			line++;
			column = 1;
		} else {
			column += (*s & 0xc0) != 0x80; /* in characters */
		}
	if (line > 1) /* a file that holds one record over many lines */
		snprintf(place, sizeof(place), "line %ld", line);
	else
		snprintf(place, sizeof(place), "column %ld", column);
	if (c->expected == too_deep || c->expected == twice)
		return pb_error_set(bad, "%s, %s", c->expected, place);
	describe_found(c, got, sizeof(got));
	return pb_error_set(
	    bad, "not JSON: expected %s, got %s, %s", c->expected, got, place);
}

/* Parse the line in c; the bracket or NUL at its end stops the scanner. */
static bool
scan_line(struct scan *c)
{
	const char *s;

	alloc_text(c);
	s = scan_value(c, skip_blanks(c->first), 0, true);
	if (s == NULL)
		return false;
	while (s < c->end && is_blank(*s))
		s++;
	return s == c->end || fail(c, s, "the end") != NULL;
}

/* Parse s[0..n), which must be one object. False: bad says why not. */
static bool
scan(struct pb_json *l, const char *s, size_t n, struct pb_error *bad)
{
	struct scan c = {.to = l};
	const char *object = s;
	size_t len = n;
	char *copy = NULL;
	bool read;

	init_json(l);
	if (find_object(&object, &len)) {
		c.first = object;
	} else {
		copy = pb_resize(NULL, n + 1);
		memcpy(copy, s, n);
		copy[n] = '\0';
		c.first = s = copy;
		len = n;
	}
	c.end = c.first + len;
	read = scan_line(&c);
	if (!read) {
		report_failure(&c, s, bad);
		pb_json_close(l);
	}
	free(copy);
	return read;
}

/* The text of the member "type" of the object at s if it is the first and has
 * no escape, else NULL. */
static const char *
find_first_type(struct scan *c, const char *s, size_t *n)
{
	static const char key[] = "\"type\"";
	const char *end;
	char *none = NULL;

	s = skip_blanks(s + 1);
	if ((size_t)(c->end - s) < sizeof(key) ||
	    memcmp(s, key, sizeof(key) - 1) != 0)
		return NULL;
	s = skip_blanks(s + sizeof(key) - 1);
	if (*s != ':' || *(s = skip_blanks(s + 1)) != '"')
		return NULL;
	end = find_string_end(c, ++s, &none);
	if (end == NULL || c->escaped)
		return NULL;
	*n = (size_t)(end - s);
	return s;
}

bool
pb_json_type(const char *s, size_t n, char *type, size_t size)
{
	struct scan c = {0};
	const char *t;

	if (!find_object(&s, &n))
		return false;
	c.end = s + n;
	t = find_first_type(&c, s, &n);
	if (t == NULL || n >= size)
		return false;
	memcpy(type, t, n);
	type[n] = 0;
	return true;
}

bool
pb_json_look(const char *s, size_t n, double *t)
{
	struct pb_json l;
	struct scan c = {.to = &l};
	bool read;

	if (!find_object(&s, &n))
		return false;
	init_json(&l);
	c.first = s;
	c.end = s + n;
	read = check_container(&c, s, 1) == c.end;
	if (read && c.time && (is_digit(*c.time) || *c.time == '-') &&
	    scan_value(&c, c.time, 1, true) && pb_json_is_number(l.v))
		*t = pb_json_number(l.v);
	pb_json_close(&l);
	return read;
}

bool
pb_json_is(const struct pb_json_value *v, enum pb_json_kind kind)
{
	return v && v->kind == kind;
}

bool
pb_json_is_number(const struct pb_json_value *v)
{
	return pb_json_is(v, PB_JSON_WHOLE) ||
	       (pb_json_is(v, PB_JSON_REAL) && isfinite(v->real));
}

double
pb_json_number(const struct pb_json_value *v)
{
	if (pb_json_is(v, PB_JSON_WHOLE))
		return (double)v->whole;
	return pb_json_is_number(v) ? v->real : 0;
}

size_t
pb_json_size(const struct pb_json_value *v, enum pb_json_kind kind)
{
	return pb_json_is(v, kind) ? v->n : 0;
}

const struct pb_json_value *
pb_json_next(const struct pb_json_value *v, const struct pb_json_value *at)
{
	bool object = pb_json_is(v, PB_JSON_OBJECT);

	if (!object && !pb_json_is(v, PB_JSON_ARRAY))
		return NULL;
	at = at ? at + at->span : v + 1;
	return at < v + v->span ? at + object : NULL;
}

const struct pb_json_value *
pb_json_member(const struct pb_json_value *v, const char *key)
{
	const struct pb_json_value *k, *end;
	size_t n = strlen(key);

	if (!pb_json_is(v, PB_JSON_OBJECT))
		return NULL;
	end = v + v->span;
	for (k = v + 1; k < end; k += 1 + k[1].span)
		if (k->n == n && memcmp(k->text, key, n) == 0)
			return k + 1;
	return NULL;
}

const char *
pb_json_text(const struct pb_json_value *v)
{
	return pb_json_is(v, PB_JSON_STRING) && strlen(v->text) == v->n
	           ? v->text
	           : NULL;
}

bool
pb_json_long(const struct pb_json_value *v, long *out)
{
	if (pb_json_is(v, PB_JSON_WHOLE)) {
		if (v->whole < LONG_MIN || v->whole > LONG_MAX)
			return false;
		*out = (long)v->whole;
		return true;
	}
	/* Beyond 2^53 doubles skip integers: 1e17 may stand for several. */
	if (!pb_json_is(v, PB_JSON_REAL) || v->real != floor(v->real) ||
	    fabs(v->real) > 0x1p53)
		return false;
	*out = (long)v->real;
	return true;
}

bool
pb_json_open(struct pb_json *j, const char *s, size_t n, const char *path,
    struct pb_get *g, struct pb_error *bad)
{
	j->ok = scan(j, s, n, bad);
	*g = (struct pb_get){j->v, "", bad, &j->ok};
	strcpy(g->path, path);
	if (!j->ok || pb_json_is(g->obj, PB_JSON_OBJECT))
		return j->ok;
	pb_error_set(bad, "expected a JSON object, got %s",
	    pb_json_is(g->obj, PB_JSON_ARRAY) ? "an array" : "a bare value");
	pb_json_close(j);
	return j->ok = false;
}

const struct pb_json_value *
pb_get_value(const struct pb_get *g, const char *key)
{
	const struct pb_json_value *v = pb_json_member(g->obj, key);

	return pb_json_is(v, PB_JSON_NULL) ? NULL : v;
}

/* Describe a value for a message: numbers in full, the length of an array, else
 * the kind. */
static void
describe_value(const struct pb_json_value *v, char *out, size_t size)
{
	static const char *const kind[] = {[PB_JSON_OBJECT] = "an object",
	    [PB_JSON_STRING] = "a string",
	    [PB_JSON_TRUE] = "true",
	    [PB_JSON_FALSE] = "false"};
	char number[PB_NUM_MAX];

	if (pb_json_is(v, PB_JSON_WHOLE))
		pb_num_int(number, v->whole);
	else if (pb_json_is(v, PB_JSON_REAL))
		pb_num_exact(number, v->real);
	if (!v)
		snprintf(out, size, "nothing");
	else if (pb_json_is_number(v))
		snprintf(out, size, "%s", number);
	else if (pb_json_is(v, PB_JSON_REAL))
		snprintf(out, size, "a number beyond the range of a double");
	else if (pb_json_is(v, PB_JSON_ARRAY))
		snprintf(out, size, "an array of %zu",
		    pb_json_size(v, PB_JSON_ARRAY));
	else if (pb_json_is(v, PB_JSON_STRING) && !pb_json_text(v))
		snprintf(out, size, "a string with \\u0000 in it");
	else
		snprintf(out, size, "%s",
		    pb_json_is(v, PB_JSON_NULL) ? nulls[v->n] : kind[v->kind]);
}

/* Refuse v, which may be NULL, at path + where. */
static void
refuse_value(struct pb_get *g, const char *where, const struct pb_json_value *v,
    const char *expected)
{
	char got[48];

	if (!*g->ok)
		return;
	*g->ok = false;
	describe_value(v, got, sizeof(got));
	pb_error_set(
	    g->bad, "%s%s: expected %s, got %s", g->path, where, expected, got);
}

void
pb_get_fail(struct pb_get *g, const char *key, const char *expected)
{
	char where[80];

	snprintf(where, sizeof(where), ".%s", key);
	refuse_value(g, where, pb_json_member(g->obj, key), expected);
}

/* The value of key, NULL if it is missing or null; refuse the object if it is
 * required. */
static const struct pb_json_value *
find_value(
    struct pb_get *g, const char *key, enum pb_need need, const char *expected)
{
	const struct pb_json_value *v = *g->ok ? pb_get_value(g, key) : NULL;

	if (!v && need == PB_REQUIRED)
		pb_get_fail(g, key, expected);
	return v;
}

/* Refuse a value that is no number or outside of [lo, hi]; what: "a number". */
static void
fail_number(struct pb_get *g, const char *key, const char *what, bool is,
    double lo, double hi)
{
	char a[PB_NUM_MAX], b[PB_NUM_MAX], text[128];
	bool low = is && isfinite(lo), high = is && isfinite(hi);

	pb_num_exact(a, lo);
	pb_num_exact(b, hi);
	snprintf(text, sizeof(text), "%s%s%s%s%s", what,
	    low && high ? " from "
	    : low       ? " of at least "
	    : high      ? " of at most "
			: "",
	    low ? a : "", low && high ? " to " : "", high ? b : "");
	pb_get_fail(g, key, text);
}

void
pb_get_num(struct pb_get *g, const char *key, enum pb_need need, double lo,
    double hi, double *out)
{
	const struct pb_json_value *v = find_value(g, key, need, "a number");
	bool is = pb_json_is_number(v);
	double x = pb_json_number(v);

	if (is && x >= lo && x <= hi)
		*out = x;
	else if (v)
		fail_number(g, key, "a number", is, lo, hi);
}

void
pb_get_int(struct pb_get *g, const char *key, enum pb_need need, long lo,
    long hi, long *out)
{
	const struct pb_json_value *v =
	    find_value(g, key, need, "a whole number");
	long x;
	bool is = pb_json_long(v, &x);

	if (is && x >= lo && x <= hi)
		*out = x;
	else if (v)
		fail_number(
		    g, key, "a whole number", is, (double)lo, (double)hi);
}

/* Numbers are stored with 63 bits; larger ones come as strings. */
void
pb_get_u64(struct pb_get *g, const char *key, enum pb_need need, uint64_t *out)
{
	const struct pb_json_value *v =
	    find_value(g, key, need, "a whole number");
	long x;

	if (!v)
		return;
	if (pb_json_long(v, &x) && x >= 0)
		*out = (uint64_t)x;
	else if (!pb_json_text(v) || !pb_num_parse_u64(pb_json_text(v), out))
		pb_get_fail(g, key,
		    "a whole number from 0 to 9223372036854775807, larger "
		    "ones as a string");
}

void
pb_get_bool(struct pb_get *g, const char *key, enum pb_need need, bool *out)
{
	const struct pb_json_value *v =
	    find_value(g, key, need, "true or false");

	if (pb_json_is(v, PB_JSON_TRUE) || pb_json_is(v, PB_JSON_FALSE))
		*out = pb_json_is(v, PB_JSON_TRUE);
	else if (v)
		pb_get_fail(g, key, "true or false");
}

void
pb_get_text(struct pb_get *g, const char *key, enum pb_need need, char *out,
    size_t size)
{
	const struct pb_json_value *v = find_value(g, key, need, "a string");
	size_t n = pb_json_size(v, PB_JSON_STRING);

	if (!v)
		return;
	if (!pb_json_text(v)) {
		pb_get_fail(g, key, "a string");
	} else if (n >= size) {
		*g->ok = pb_error_set(g->bad,
		    "%s.%s: expected a string of at most %zu bytes, got a "
		    "longer one",
		    g->path, key, size - 1);
	} else {
		memcpy(out, v->text, n + 1);
	}
}

bool
pb_get_object(
    struct pb_get *g, const char *key, enum pb_need need, struct pb_get *sub)
{
	const struct pb_json_value *v = find_value(g, key, need, "an object");

	if (!v)
		return false;
	*sub = (struct pb_get){v, "", g->bad, g->ok};
	snprintf(sub->path, sizeof(sub->path), "%.60s%s%.30s", g->path,
	    *g->path ? "." : "", key);
	if (!pb_json_is(v, PB_JSON_OBJECT))
		pb_get_fail(g, key, "an object");
	return *g->ok;
}

bool
pb_get_walk(
    struct pb_get *g, const char *key, enum pb_need need, struct pb_walk *w)
{
	const struct pb_json_value *v = find_value(g, key, need, "an array");

	*w = (struct pb_walk){.list = v, .key = key};
	if (v && !pb_json_is(v, PB_JSON_ARRAY))
		pb_get_fail(g, key, "an array");
	return v && *g->ok;
}

bool
pb_walk_next(struct pb_get *g, struct pb_walk *w)
{
	if (!*g->ok)
		return false;
	w->i += w->at != NULL;
	w->at = pb_json_next(w->list, w->at);
	return w->at != NULL;
}

void
pb_walk_fail(struct pb_get *g, const struct pb_walk *w, const char *expected)
{
	char where[96];

	snprintf(where, sizeof(where), ".%s[%zu]", w->key, w->i);
	refuse_value(g, where, w->at, expected);
}

bool
pb_walk_object(struct pb_get *g, struct pb_walk *w, struct pb_get *sub)
{
	if (!*g->ok)
		return false;
	*sub = (struct pb_get){w->at, "", g->bad, g->ok};
	snprintf(sub->path, sizeof(sub->path), "%.60s.%.20s[%zu]", g->path,
	    w->key, w->i);
	if (!pb_json_is(w->at, PB_JSON_OBJECT))
		pb_walk_fail(g, w, "an object");
	return *g->ok;
}

void *
pb_get_room(struct pb_get *g, const struct pb_walk *w, size_t max, size_t size,
    size_t *n)
{
	size_t items = pb_json_size(w->list, PB_JSON_ARRAY);

	*n = 0;
	if (items == 0)
		return NULL;
	/* Check before allocating: a line of 64 MB may hold 32 million
	 * items. */
	if (items > max) {
		*g->ok = pb_error_set(g->bad,
		    "%s.%s: expected at most %zu items, got %zu", g->path,
		    w->key, max, items);
		return NULL;
	}
	*n = items;
	return pb_alloc(items, size);
}

void
pb_get_list(struct pb_get *g, const char *key, enum pb_need need, size_t max,
    double **out, size_t *n)
{
	struct pb_walk w;
	double *v;

	*out = NULL;
	*n = 0;
	if (!pb_get_walk(g, key, need, &w))
		return;
	*out = v = pb_get_room(g, &w, max, sizeof(*v), n);
	for (; v && pb_walk_next(g, &w); v++) {
		*v =
		    pb_json_is(w.at, PB_JSON_NULL) ? NAN : pb_json_number(w.at);
		if (!pb_json_is(w.at, PB_JSON_NULL) && !pb_json_is_number(w.at))
			pb_walk_fail(g, &w, "a number or null");
	}
	if (!*g->ok) {
		free(*out);
		*out = NULL;
		*n = 0;
	}
}

/* Read v, at path + where, as exactly n numbers. */
static void
get_tuple(struct pb_get *g, const char *where, const struct pb_json_value *v,
    int n, double *out)
{
	const struct pb_json_value *item = NULL;
	double x[PB_JSON_TUPLE];
	char text[128];

	if (pb_json_size(v, PB_JSON_ARRAY) != (size_t)n) {
		snprintf(text, sizeof(text), "an array of %d numbers", n);
		refuse_value(g, where, v, text);
		return;
	}
	for (int i = 0; i < n; i++) {
		item = pb_json_next(v, item);
		if (!pb_json_is_number(item)) {
			snprintf(text, sizeof(text), "%s[%d]", where, i);
			refuse_value(g, text, item, "a number");
			return;
		}
		x[i] = pb_json_number(item);
	}
	memcpy(out, x, (size_t)n * sizeof(*x));
}

bool
pb_walk_nums(struct pb_get *g, struct pb_walk *w, int n, double *out)
{
	char where[96];

	snprintf(where, sizeof(where), ".%s[%zu]", w->key, w->i);
	if (*g->ok)
		get_tuple(g, where, w->at, n, out);
	return *g->ok;
}

void
pb_get_nums(
    struct pb_get *g, const char *key, enum pb_need need, int n, double *out)
{
	char text[80];
	const struct pb_json_value *v;

	snprintf(text, sizeof(text), "an array of %d numbers", n);
	v = find_value(g, key, need, text);
	snprintf(text, sizeof(text), ".%s", key);
	if (v)
		get_tuple(g, text, v, n, out);
}

void
pb_get_cells(struct pb_get *g, size_t n, signed char *cell)
{
	struct pb_walk w;
	size_t got;
	long v;

	if (!pb_get_walk(g, "data", PB_REQUIRED, &w))
		return;
	got = pb_json_size(w.list, PB_JSON_ARRAY);
	if (got > 0 && w.list->span == 1 &&
	    got == n) /* cells as bytes, see scan_cells() */
		memcpy(cell, w.list->text, n);
	while (pb_walk_next(g, &w)) {
		if (!pb_json_long(w.at, &v) || v < -1 || v > 100)
			pb_walk_fail(g, &w, "a whole number from -1 to 100");
		else if (w.i < n)
			cell[w.i] = (signed char)v;
	}
	if (*g->ok && got != n)
		*g->ok = pb_error_set(g->bad,
		    "%s.data: expected %zu cells, got an array of %zu", g->path,
		    n, got);
}
