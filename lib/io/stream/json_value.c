/* json_value.c - a quick reader for common lines of JSON, and their values. */
#include "io/stream/json_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/utf8.h"

#define DEPTH   64  /* of nesting */
#define MEMBERS 128 /* of an object: keys are compared each with each */
#define DIGITS  40  /* of a number: none of these is beyond a double */

struct scan {
	struct pb_json_values *to;
	const char *end; /* behind the last bracket */
	char *text;      /* where the next string goes */
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

/* What is at s, 0 at the end. */
static char
look(const struct scan *c, const char *s)
{
	return s < c->end ? *s : 0;
}

static const char *
past_blanks(const struct scan *c, const char *s)
{
	while (
	    s < c->end && (*s == ' ' || *s == '\t' || *s == '\n' || *s == '\r'))
		s++;
	return s;
}

/* Eight bytes, the first the lowest on every machine. */
static uint64_t
eight_bytes(const char *s)
{
	uint64_t w = 0;

	for (int i = 0; i < 8; i++)
		w |= (uint64_t)(unsigned char)s[i] << 8 * i;
	return w;
}

/* Bits of the first of eight bytes that ends the plain part of a string, and
 * maybe of later ones; 0: none does. */
static uint64_t
special_bits(uint64_t w)
{
	const uint64_t ones = 0x0101010101010101, high = 0x80 * ones;
	uint64_t quote = w ^ ('"' * ones), slash = w ^ ('\\' * ones);

	return ((w - ' ' * ones) | w | (quote - ones) | (slash - ones)) & high;
}

static bool
is_plain(char c)
{
	return (signed char)c >= ' ' && c != '"' && c != '\\';
}

/* The string behind the quote at s - 1. */
static const char *
scan_string(struct scan *c, const char *s)
{
	struct pb_json_value *v = add(c->to, PB_JSON_STRING);
	char *t = c->text;

	if (v == NULL)
		return NULL;
	for (;;) {
		size_t n;

		for (; c->end - s >= 8; s += 8, t += 8) {
			uint64_t bits = special_bits(eight_bytes(s));

			memcpy(t, s, 8);
			if (bits != 0) {
				s += __builtin_ctzll(bits) / 8;
				t += __builtin_ctzll(bits) / 8;
				break;
			}
		}
		while (s < c->end && is_plain(*s))
			*t++ = *s++;
		if (look(c, s) == '"')
			break;
		if ((look(c, s) & 0x80) == 0) /* or the end */
			return NULL;
		n = pb_utf8_char(s, (size_t)(c->end - s));
		if (n == 0)
			return NULL;
		for (; n > 0; n--)
			*t++ = *s++;
	}
	v->text = c->text;
	v->n = (uint32_t)(t - c->text);
	*t = 0;
	c->text = t + 1;
	return s + 1;
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
static const char *
scan_number(struct scan *c, const char *s)
{
	struct pb_json_value *v = add(c->to, PB_JSON_WHOLE);
	bool minus = *s == '-';
	const char *first = s + minus, *point = NULL;
	uint64_t m = 0;
	int power = 0, digits;

	for (s = first; is_digit(*s); s++)
		m = 10 * m + (uint64_t)(*s - '0');
	digits = (int)(s - first < DIGITS ? s - first : DIGITS);
	if (v == NULL || digits == 0 || (*first == '0' && digits > 1))
		return NULL;
	if (*s != '.' && *s != 'e' && *s != 'E') {
		v->whole = (int64_t)(minus ? 0 - m : m);
		return digits <= 18 ? s : NULL;
	}
	if (*s == '.') {
		for (point = ++s; is_digit(*s); s++)
			m = 10 * m + (uint64_t)(*s - '0');
		if (s == point || s - point > DIGITS)
			return NULL;
		power = -(int)(s - point);
	}
	digits -= power;
	if (*s == 'e' || *s == 'E')
		s = scan_exponent(s, &power);
	if (s == NULL || digits >= DIGITS)
		return NULL;
	v->kind = PB_JSON_REAL;
	v->real = real_of(first, m, digits, power);
	if (minus)
		v->real = -v->real;
	return s;
}

static const char *
scan_word(
    struct scan *c, const char *s, const char *word, enum pb_json_kind kind)
{
	size_t n = strlen(word);

	return (size_t)(c->end - s) >= n && memcmp(s, word, n) == 0 &&
	               add(c->to, kind)
	           ? s + n
	           : NULL;
}

/* Whether the last string, a key of the object `at`, is there already. */
static bool
is_repeated(const struct pb_json_values *l, size_t at, uint64_t *seen)
{
	const struct pb_json_value *k = &l->v[l->n - 1], *o = &l->v[at + 1];
	unsigned first = (unsigned char)k->text[0];
	unsigned last = (unsigned char)k->text[k->n ? k->n - 1 : 0];
	uint64_t mark = (uint64_t)1 << ((first * 5 + last + k->n * 11) & 63);

	if (*seen & mark)
		for (; o < k; o += 1 + o[1].span)
			if (o->n == k->n && memcmp(o->text, k->text, k->n) == 0)
				return true;
	*seen |= mark;
	return false;
}

static const char *scan_value(struct scan *c, const char *s, int depth);

/* One member; *seen: some bits of the keys before. */
static const char *
scan_member(struct scan *c, const char *s, size_t at, uint64_t *seen, int depth)
{
	if (look(c, s) != '"')
		return NULL;
	s = scan_string(c, s + 1);
	if (s == NULL || is_repeated(c->to, at, seen))
		return NULL;
	s = past_blanks(c, s);
	return look(c, s) == ':' ? scan_value(c, past_blanks(c, s + 1), depth)
	                         : NULL;
}

/* What stands between the brackets, the first of which is at s. */
static const char *
scan_inside(struct scan *c, const char *s, int depth)
{
	bool object = *s == '{';
	char bracket = object ? '}' : ']';
	size_t at = c->to->n;
	uint64_t seen = 0;
	uint32_t n = 0;

	if (!add(c->to, object ? PB_JSON_OBJECT : PB_JSON_ARRAY))
		return NULL;
	s = past_blanks(c, s + 1);
	for (; n > 0 || look(c, s) != bracket; n++) {
		s = object ? scan_member(c, s, at, &seen, depth)
		           : scan_value(c, s, depth);
		if (s == NULL || (object && n >= MEMBERS))
			return NULL;
		s = past_blanks(c, s);
		if (look(c, s) != ',') {
			n++;
			break;
		}
		s = past_blanks(c, s + 1);
	}
	c->to->v[at].n = n;
	c->to->v[at].span = (unsigned)(c->to->n - at) & 0x1fffffff;
	return look(c, s) == bracket ? s + 1 : NULL;
}

static const char *
scan_value(struct scan *c, const char *s, int depth)
{
	switch (look(c, s)) {
	case '"':
		return scan_string(c, s + 1);
	case '{':
	case '[':
		return depth < DEPTH ? scan_inside(c, s, depth + 1) : NULL;
	case 't':
		return scan_word(c, s, "true", PB_JSON_TRUE);
	case 'f':
		return scan_word(c, s, "false", PB_JSON_FALSE);
	case 'n':
		return scan_word(c, s, "null", PB_JSON_NULL);
	case '-':
	case '0':
	case '1':
	case '2':
	case '3':
	case '4':
	case '5':
	case '6':
	case '7':
	case '8':
	case '9':
		return scan_number(c, s);
	default:
		return NULL;
	}
}

bool
pb_json_scan(struct pb_json_values *l, const char *s, size_t n)
{
	struct scan c = {.to = l};
	size_t from = 0;

	while (n > 0 && strchr(" \t\r\n", s[n - 1]))
		n--;
	while (from < n && strchr(" \t\r\n", s[from]))
		from++;
	if (n < from + 2 || s[from] != '{' || s[n - 1] != '}')
		return false;
	/* A string takes no more than its quotes leave; eight are stored. */
	if (n + 8 > PB_JSON_SHORT && !(l->text = malloc(n + 8))) {
		l->text = l->brief;
		l->no_memory = true;
		return false;
	}
	c.text = l->text;
	c.end = s + n;
	return scan_inside(&c, s + from, 1) == c.end;
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
