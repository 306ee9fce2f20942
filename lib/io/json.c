/* json.c - one line of JSON, read in place: grammar and index. */
#include "io/json.h"

#include <stdint.h>
#include <string.h>

#include "io/json_scan.h"
#include "io/num.h"
#include "io/utf8.h"

static bool
blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void
pb_scan_blanks(struct pb_scan *c)
{
	while (c->s < c->end && blank(*c->s))
		c->s++;
}

/* Complain about the byte at which c stands. */
static bool
unexpected(const struct pb_scan *c, const char *expected)
{
	long column = (long)(c->s - c->start) + 1;

	if (c->s >= c->end)
		return pb_bad_set(c->bad,
		    "column %ld: expected %s, got the end of the line", column,
		    expected);
	if (*c->s < ' ' || *c->s > '~')
		return pb_bad_set(c->bad,
		    "column %ld: expected %s, got byte 0x%02x", column,
		    expected, (unsigned char)*c->s);
	return pb_bad_set(c->bad, "column %ld: expected %s, got '%c'", column,
	    expected, *c->s);
}

/* The four hex digits at s, -1 if they are none. */
static long
hex4(const char *s, const char *end)
{
	long v = 0;

	if (end - s < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		char h = s[i];
		int digit = h >= '0' && h <= '9'   ? h - '0'
		            : h >= 'a' && h <= 'f' ? h - 'a' + 10
		            : h >= 'A' && h <= 'F' ? h - 'A' + 10
		                                   : -1;

		if (digit < 0)
			return -1;
		v = v * 16 + digit;
	}
	return v;
}

/*
 * The escape that starts with the backslash at s.
 *
 * Returns  its length, 0 if it is none; *point is the character
 */
static size_t
escape(const char *s, const char *end, uint32_t *point)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *at;
	long hi, lo;

	if (end - s < 2)
		return 0;
	at = s[1] ? strchr(from, s[1]) : NULL;
	if (at) {
		*point = (unsigned char)to[at - from];
		return 2;
	}
	if (s[1] != 'u')
		return 0;
	hi = hex4(s + 2, end);
	/* A NUL would end the text early wherever C keeps it. */
	if (hi <= 0 || (hi >= 0xdc00 && hi <= 0xdfff))
		return 0;
	*point = (uint32_t)hi;
	if (hi < 0xd800 || hi > 0xdbff)
		return 6;
	if (end - s < 12 || s[6] != '\\' || s[7] != 'u')
		return 0;
	lo = hex4(s + 8, end);
	if (lo < 0xdc00 || lo > 0xdfff)
		return 0;
	*point = 0x10000 + (uint32_t)((hi - 0xd800) << 10 | (lo - 0xdc00));
	return 12;
}

static bool
scan_string(struct pb_scan *c)
{
	if (c->s >= c->end || *c->s != '"')
		return unexpected(c, "a string");
	for (c->s++; c->s < c->end && *c->s != '"';) {
		unsigned char b = (unsigned char)*c->s;
		uint32_t point;
		size_t n;

		if (b == '\\')
			n = escape(c->s, c->end, &point);
		else
			n = b < ' ' ? 0
			    : b < 0x80
			        ? 1
			        : pb_utf8_char(c->s, (size_t)(c->end - c->s));
		if (n == 0)
			return unexpected(
			    c, b == '\\' ? "an escape" : "UTF-8 text");
		c->s += n;
	}
	if (c->s >= c->end)
		return unexpected(c, "a closing quote");
	c->s++;
	return true;
}

/* The length of the word w if it stands at c, else 0. */
static size_t
word(const struct pb_scan *c, const char *w)
{
	size_t n = strlen(w);

	if ((size_t)(c->end - c->s) < n || memcmp(c->s, w, n) != 0)
		return 0;
	return n;
}

static bool
scan_atom(struct pb_scan *c)
{
	static const char *const atoms[] = {
	    "true", "false", "null", "NaN", "Infinity", "-Infinity"};
	double v;
	size_t n = pb_num_scan(c->s, (size_t)(c->end - c->s), &v);

	for (size_t i = 0; n == 0 && i < 6; i++)
		n = word(c, atoms[i]);
	if (n == 0)
		return unexpected(c, "a value");
	c->s += n;
	return true;
}

/*
 * Behind an item of a list that closes with `close`: true and *more says
 * whether a comma came, so that another item must follow.
 */
static bool
list_goes_on(struct pb_scan *c, char close, bool *more)
{
	pb_scan_blanks(c);
	if (c->s < c->end && (*c->s == ',' || *c->s == close)) {
		*more = *c->s++ == ',';
		pb_scan_blanks(c);
		return true;
	}
	return unexpected(c, close == ']' ? "',' or ']'" : "',' or '}'");
}

static bool
scan_key(struct pb_scan *c, size_t *n)
{
	const char *start = c->s;

	if (!scan_string(c))
		return false;
	*n = (size_t)(c->s - start);
	pb_scan_blanks(c);
	if (c->s >= c->end || *c->s != ':')
		return unexpected(c, "':'");
	c->s++;
	pb_scan_blanks(c);
	return true;
}

static bool
deeper(struct pb_scan *c)
{
	if (++c->depth > PB_JSON_DEPTH)
		return pb_bad_set(
		    c->bad, "more than %d levels of nesting", PB_JSON_DEPTH);
	c->s++;
	pb_scan_blanks(c);
	return true;
}

static bool
scan_array(struct pb_scan *c)
{
	bool more = true;

	if (!deeper(c))
		return false;
	if (c->s < c->end && *c->s == ']') {
		c->s++;
		more = false;
	}
	while (more)
		if (!pb_scan_value(c) || !list_goes_on(c, ']', &more))
			return false;
	c->depth--;
	return true;
}

static bool
escaped(struct pb_jval v)
{
	return memchr(v.s, '\\', v.n) != NULL;
}

static bool
same_key(struct pb_jval a, struct pb_jval b)
{
	char name[256];

	if (!escaped(a) && !escaped(b))
		return a.n == b.n && memcmp(a.s, b.s, a.n) == 0;
	/* Keys longer than any of ours cannot be asked for. */
	if (pb_jval_text(a, name, sizeof(name)) >= sizeof(name))
		return false;
	return pb_jval_is(b, name);
}

/* Add the member to the index. */
static bool
index_member(
    struct pb_scan *c, struct pb_jobj *o, struct pb_jval key, const char *val)
{
	if (o->n == PB_JSON_KEYS)
		return pb_bad_set(c->bad, "more than %d keys", PB_JSON_KEYS);
	for (int i = 0; i < o->n; i++)
		if (same_key(o->member[i].key, key))
			return pb_bad_set(c->bad, "duplicate key %.*s",
			    key.n > 64 ? 64 : (int)key.n, key.s);
	o->member[o->n].key = key;
	o->member[o->n].val = (struct pb_jval){val, (size_t)(c->s - val)};
	o->n++;
	return true;
}

/* Go past an object; index its members if o is not NULL. */
static bool
scan_object(struct pb_scan *c, struct pb_jobj *o)
{
	bool more = true;

	if (!deeper(c))
		return false;
	if (c->s < c->end && *c->s == '}') {
		c->s++;
		more = false;
	}
	while (more) {
		struct pb_jval key = {.s = c->s};
		const char *val;

		if (!scan_key(c, &key.n))
			return false;
		val = c->s;
		if (!pb_scan_value(c) || (o && !index_member(c, o, key, val)) ||
		    !list_goes_on(c, '}', &more))
			return false;
	}
	c->depth--;
	return true;
}

bool
pb_scan_value(struct pb_scan *c)
{
	switch (c->s < c->end ? *c->s : 0) {
	case '[':
		return scan_array(c);
	case '{':
		return scan_object(c, NULL);
	case '"':
		return scan_string(c);
	default:
		return scan_atom(c);
	}
}

size_t
pb_scan_checked(const char *s, const char *end)
{
	struct pb_bad bad;
	struct pb_scan c = {.s = s, .end = end, .start = s, .bad = &bad};

	return pb_scan_value(&c) ? (size_t)(c.s - s) : 0;
}

bool
pb_json_object(struct pb_get *g, const char *s, size_t n, const char *path,
    struct pb_bad *bad)
{
	struct pb_scan c = {.s = s, .end = s + n, .start = s, .bad = bad};

	g->path[0] = 0;
	strncat(g->path, path, sizeof(g->path) - 1);
	g->bad = bad;
	g->ok = false;
	g->obj.n = 0;
	bad->text[0] = 0;
	pb_scan_blanks(&c);
	if (c.s >= c.end || *c.s != '{')
		return unexpected(&c, "a JSON object");
	if (!scan_object(&c, &g->obj))
		return false;
	pb_scan_blanks(&c);
	if (c.s < c.end)
		return unexpected(&c, "the end of the line");
	g->ok = true;
	return true;
}

/* The character at s, decoded into one; *used is what it takes in the line. */
static size_t
character(const char *s, const char *end, char one[4], size_t *used)
{
	uint32_t point;

	if (*s == '\\') {
		*used = escape(s, end, &point);
		return pb_utf8_put(one, point);
	}
	*used = pb_utf8_char(s, (size_t)(end - s));
	memcpy(one, s, *used);
	return *used;
}

size_t
pb_jval_text(struct pb_jval v, char *buf, size_t size)
{
	const char *s = v.s + 1, *end = v.s + v.n - 1;
	size_t len = 0, kept = 0, used;
	bool fits = size > 0;

	for (; s < end; s += used) {
		char one[4];
		size_t n = character(s, end, one, &used);

		len += n;
		fits = fits && len < size;
		if (fits) {
			memcpy(buf + kept, one, n);
			kept = len;
		}
	}
	if (size > 0)
		buf[kept] = 0;
	return len;
}

bool
pb_jval_is(struct pb_jval v, const char *name)
{
	char text[256];
	size_t n = strlen(name);

	if (!escaped(v))
		return v.n == n + 2 && memcmp(v.s + 1, name, n) == 0;
	return pb_jval_text(v, text, sizeof(text)) == n &&
	       memcmp(text, name, n) == 0;
}
