/* json_value.c - a quick reader for common lines of JSON, and their values. */
#include "io/stream/json_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/utf8.h"

#define DEPTH   64  /* of nesting */
#define MEMBERS 128 /* of an object: keys are compared each with each */
#define DIGITS  40  /* of a number: none of these is beyond a double */

/*
 * A line is read in one of two ways: all its values are kept, or it is only
 * looked through. Then the values are the keys of the objects that are open,
 * where they stand in the line. The compiler makes each way its own code.
 */
#define EITHER static inline __attribute__((always_inline))

struct scan {
	struct pb_json_values *to;
	const char *end;  /* behind the last bracket */
	char *text;       /* where the next string goes, NULL in a look */
	const char *time; /* in a look: the value of "t", or NULL */
};

void
pb_json_values_init(struct pb_json_values *l)
{
	l->v = l->few;
	l->n = 0;
	l->cap = PB_JSON_FEW;
	l->text = l->brief;
	l->no_memory = false;
}

void
pb_json_values_clear(struct pb_json_values *l)
{
	if (l->v != l->few)
		free(l->v);
	if (l->text != l->brief)
		free(l->text);
	pb_json_values_init(l);
}

static bool
grow(struct pb_json_values *l)
{
	size_t cap = 2 * l->cap;
	struct pb_json_value *v =
	    realloc(l->v == l->few ? NULL : l->v, cap * sizeof(*v));

	l->no_memory = v == NULL;
	if (v == NULL)
		return false;
	if (l->v == l->few)
		memcpy(v, l->few, sizeof(l->few));
	l->v = v;
	l->cap = cap;
	return true;
}

static inline struct pb_json_value *
add(struct pb_json_values *l, enum pb_json_kind kind)
{
	struct pb_json_value *v;

	if (l->n == l->cap && !grow(l))
		return NULL;
	v = &l->v[l->n++];
	v->kind = kind;
	v->span = 1;
	v->n = 0;
	return v;
}

struct pb_json_value *
pb_json_add(struct pb_json_values *l, enum pb_json_kind kind)
{
	return add(l, kind);
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* A bracket ends the line: nothing but a string can lead beyond it. */
static inline const char *
past_blanks(const char *s)
{
	while ((unsigned char)*s <= ' ' && is_blank(*s))
		s++;
	return s;
}

/* Eight bytes, the first the lowest on every machine. */
static uint64_t
eight_bytes(const char *s)
{
	uint64_t w;

	memcpy(&w, s, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	w = __builtin_bswap64(w);
#endif
	return w;
}

/* Bits of the first of eight bytes that ends the plain part of a string, and
 * maybe of later ones; 0: none does. The quote, 0x22, trades places with the
 * blank, 0x20, and is the first that is no control character then. */
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

/* Bytes of the string at s up to its quote, SIZE_MAX if it is none; to: room
 * for a copy of it and of eight bytes more, or NULL. */
EITHER size_t
string_bytes(const char *s, const char *end, char *to)
{
	size_t n = (size_t)(end - s), i = 0, k;

	for (;;) {
		for (; i + 8 <= n; i += 8) {
			uint64_t bits = special_bits(eight_bytes(s + i));

			if (to)
				memcpy(to + i, s + i, 8);
			if (bits != 0) {
				i += (size_t)__builtin_ctzll(bits) / 8;
				if (s[i] == '"')
					return i;
				break;
			}
		}
		for (; i < n && is_plain(s[i]); i++)
			if (to)
				to[i] = s[i];
		if (i < n && s[i] == '"')
			return i;
		/* A character of more than one byte, or the end. */
		k = i < n && (s[i] & 0x80) != 0 ? pb_utf8_char(s + i, n - i)
		                                : 0;
		if (k == 0)
			return SIZE_MAX;
		if (to)
			memcpy(to + i, s + i, k);
		i += k;
	}
}

/* The string behind the quote at s - 1. */
EITHER const char *
scan_string(struct scan *c, const char *s, bool key, bool keep)
{
	struct pb_json_value *v = NULL;
	size_t n;

	if ((keep || key) && !(v = add(c->to, PB_JSON_STRING)))
		return NULL;
	n = string_bytes(s, c->end, keep ? c->text : NULL);
	if (n == SIZE_MAX)
		return NULL;
	if (v) {
		v->text = keep ? c->text : s;
		v->n = (uint32_t)n;
	}
	if (keep) {
		c->text[n] = 0;
		c->text += n + 1;
	}
	return s + n + 1;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The value of mantissa x 10^power, which is written at s. */
static double
real_of(const char *s, uint64_t mantissa, int digits, int power)
{
	static const double ten[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7,
	    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
	    1e19, 1e20, 1e21, 1e22};

	/* Both are exact, and one operation rounds once, as strtod does. */
	if (digits > 19 || mantissa > (uint64_t)1 << 53 || power < -22 ||
	    power > 22)
		return strtod(s, NULL);
	return power < 0 ? (double)mantissa / ten[-power]
	                 : (double)mantissa * ten[power];
}

/* Two digits of an exponent at most, with its letter. */
static const char *
scan_exponent(const char *s, int *power)
{
	bool minus = s[1] == '-';
	int e = 0, n = 0;

	for (s += 1 + (minus || s[1] == '+'); is_digit(*s) && n < 3; n++)
		e = 10 * e + (*s++ - '0');
	*power += minus ? -e : e;
	return n == 1 || n == 2 ? s : NULL;
}

/* A digit or a minus is at s; a bracket ends the line, and so any number. */
EITHER const char *
scan_number(struct scan *c, const char *s, bool keep)
{
	bool minus = *s == '-';
	const char *first = s + minus, *point = NULL;
	struct pb_json_value *v;
	uint64_t m = 0;
	ptrdiff_t digits;
	int power = 0;

	for (s = first; is_digit(*s); s++)
		m = 10 * m + (uint64_t)(*s - '0');
	digits = s - first;
	if (digits == 0 || (*first == '0' && digits > 1))
		return NULL;
	if (*s == '.') {
		for (point = ++s; is_digit(*s); s++)
			m = 10 * m + (uint64_t)(*s - '0');
		if (s == point)
			return NULL;
		digits += s - point;
	}
	if (digits >= DIGITS)
		return NULL;
	power = point ? (int)(point - s) : 0;
	if (*s == 'e' || *s == 'E') {
		point = s;
		s = scan_exponent(s, &power);
	}
	if (s == NULL || (point == NULL && digits > 18))
		return NULL;
	if (!keep)
		return s;
	v = add(c->to, point ? PB_JSON_REAL : PB_JSON_WHOLE);
	if (v == NULL)
		return NULL;
	if (point == NULL) {
		v->whole = (int64_t)(minus ? 0 - m : m);
		return s;
	}
	v->real = real_of(first, m, (int)digits, power);
	if (minus)
		v->real = -v->real;
	return s;
}

EITHER const char *
scan_word(struct scan *c, const char *s, const char *word,
    enum pb_json_kind kind, bool keep)
{
	size_t n = strlen(word);

	return (size_t)(c->end - s) >= n && memcmp(s, word, n) == 0 &&
	               (!keep || add(c->to, kind))
	           ? s + n
	           : NULL;
}

static const char *keep_inside(struct scan *c, const char *s, int depth);
static const char *look_inside(struct scan *c, const char *s, int depth);

EITHER const char *
scan_value(struct scan *c, const char *s, int depth, bool keep)
{
	if (*s == '"')
		return scan_string(c, s + 1, false, keep);
	if (is_digit(*s) || *s == '-')
		return scan_number(c, s, keep);
	if (*s == '{' || *s == '[')
		return depth == DEPTH ? NULL
		       : keep         ? keep_inside(c, s, depth + 1)
		                      : look_inside(c, s, depth + 1);
	if (*s == 't')
		return scan_word(c, s, "true", PB_JSON_TRUE, keep);
	if (*s == 'f')
		return scan_word(c, s, "false", PB_JSON_FALSE, keep);
	return scan_word(c, s, "null", PB_JSON_NULL, keep);
}

/* Where the members of an object are. */
struct members {
	size_t at;     /* the first key among the values */
	uint32_t n;    /* so far */
	uint64_t seen; /* some bits of the keys */
};

/* The key at s and its colon, if it was not there before. */
EITHER const char *
scan_key(struct scan *c, const char *s, struct members *o, bool keep)
{
	const char *first = s + 1;
	const struct pb_json_value *k, *end;
	uint64_t mark;
	size_t n;

	if (*s != '"' || o->n++ >= MEMBERS ||
	    !(s = scan_string(c, first, true, keep)))
		return NULL;
	n = (size_t)(s - first) - 1;
	mark = (uint64_t)(unsigned char)s[-2] + n * 11 +
	       (unsigned char)*first * 5u;
	mark = (uint64_t)1 << (mark & 63);
	if (o->seen & mark) {
		end = c->to->v + c->to->n - 1;
		for (k = c->to->v + o->at; k < end;
		     k += keep ? 1 + k[1].span : 1)
			if (k->n == n && memcmp(k->text, first, n) == 0)
				return NULL;
	}
	o->seen |= mark;
	s = past_blanks(s);
	return *s == ':' ? past_blanks(s + 1) : NULL;
}

/* Past the blanks and the comma behind a value, NULL without one; the bracket
 * may have been that of another. */
EITHER const char *
past_comma(const struct scan *c, const char **s)
{
	if (*s == NULL || *s == c->end)
		return *s = NULL;
	*s = past_blanks(*s);
	return **s == ',' ? (*s = past_blanks(*s + 1)) : NULL;
}

/* Members from the key at s on; leads to the bracket behind them. */
EITHER const char *
scan_members(
    struct scan *c, const char *s, struct members *o, int depth, bool keep)
{
	do {
		const char *key = s + 1;

		s = scan_key(c, s, o, keep);
		if (s && !keep && depth == 1 && key[0] == 't' && key[1] == '"')
			c->time = s;
		if (s)
			s = scan_value(c, s, depth, keep);
	} while (past_comma(c, &s));
	return s;
}

/* What stands between the brackets, the first of which is at s. */
EITHER const char *
scan_inside(struct scan *c, const char *s, int depth, bool keep)
{
	bool object = *s == '{';
	size_t at = c->to->n;
	struct members o = {.at = keep ? at + 1 : at};

	if (keep && !add(c->to, object ? PB_JSON_OBJECT : PB_JSON_ARRAY))
		return NULL;
	s = past_blanks(s + 1);
	if (object && *s != '}')
		s = scan_members(c, s, &o, depth, keep);
	else if (!object && *s != ']') {
		do {
			s = scan_value(c, s, depth, keep);
			o.n++;
		} while (past_comma(c, &s));
	}
	if (s == NULL || *s != (object ? '}' : ']'))
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
keep_inside(struct scan *c, const char *s, int depth)
{
	return scan_inside(c, s, depth, true);
}

static const char *
look_inside(struct scan *c, const char *s, int depth)
{
	return scan_inside(c, s, depth, false);
}

/* The object that is the whole of s[0..n) but for blanks; false: something
 * else is. */
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

bool
pb_json_scan(struct pb_json_values *l, const char *s, size_t n)
{
	struct scan c = {.to = l};

	if (!find_object(&s, &n))
		return false;
	/* A string takes no more than its quotes leave; eight are stored. */
	if (n + 8 > PB_JSON_SHORT && !(l->text = malloc(n + 8))) {
		l->text = l->brief;
		l->no_memory = true;
		return false;
	}
	c.text = l->text;
	c.end = s + n;
	return keep_inside(&c, s, 1) == c.end;
}

/* The value of the key "type" at s, if that comes first; NULL: it does not. */
static const char *
first_type(const char *s, const char *end, size_t *n)
{
	static const char key[] = "\"type\"";

	s = past_blanks(s + 1);
	if ((size_t)(end - s) < sizeof(key) ||
	    memcmp(s, key, sizeof(key) - 1) != 0)
		return NULL;
	s = past_blanks(s + sizeof(key) - 1);
	if (*s != ':' || *(s = past_blanks(s + 1)) != '"')
		return NULL;
	*n = string_bytes(++s, end, NULL);
	return *n == SIZE_MAX ? NULL : s;
}

bool
pb_json_type(const char *s, size_t n, char *type, size_t size)
{
	const char *t = find_object(&s, &n) ? first_type(s, s + n, &n) : NULL;

	if (t == NULL || n >= size)
		return false;
	memcpy(type, t, n);
	type[n] = 0;
	return true;
}

bool
pb_json_look(const char *s, size_t n, double *t)
{
	struct pb_json_values l;
	struct scan c = {.to = &l};
	bool read;

	if (!find_object(&s, &n))
		return false;
	pb_json_values_init(&l);
	c.end = s + n;
	read = look_inside(&c, s, 1) == c.end;
	if (read && c.time && (is_digit(*c.time) || *c.time == '-') &&
	    scan_number(&c, c.time, true))
		*t = pb_json_number(l.v);
	pb_json_values_clear(&l);
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
	return v && (v->kind == PB_JSON_WHOLE || v->kind == PB_JSON_REAL);
}

double
pb_json_number(const struct pb_json_value *v)
{
	if (pb_json_is(v, PB_JSON_WHOLE))
		return (double)v->whole;
	return pb_json_is(v, PB_JSON_REAL) ? v->real : 0;
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
		*out = (long)v->whole;
		return true;
	}
	/* Beyond 2^53 doubles skip integers: 1e17 may mean another one. */
	if (!pb_json_is(v, PB_JSON_REAL) || v->real != floor(v->real) ||
	    fabs(v->real) > 0x1p53)
		return false;
	*out = (long)v->real;
	return true;
}
