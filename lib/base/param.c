/* param.c - usual values and ranges of described options, lists of words. */
#include "pb/param.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/hash.h"
#include "pb/status.h"

const char *
pb_status_text(enum pb_status s)
{
	static const char *const text[] = {
	    [PB_OK] = "success",
	    [PB_ENOMEM] = "out of memory",
	    [PB_EVALUE] = "value out of range",
	    [PB_ESIZE] = "too large",
	    [PB_ENOFREE] = "no free cell",
	    [PB_EWALL] = "in a wall or outside the map",
	    [PB_EPATH] = "no path",
	    [PB_EEMPTY] = "nothing that a sensor could see",
	    [PB_ENOENT] = "not found",
	    [PB_EVAGUE] = "more than one answer fits",
	    [PB_ESTOPPED] = "stopped",
	};

	return (unsigned)s < sizeof(text) / sizeof(*text) ? text[s]
	                                                  : "unknown status";
}

static bool
is_real(const struct pb_param *p)
{
	return p->kind == PB_PARAM_REAL || p->kind == PB_PARAM_LIMIT;
}

/* The value of a row as a number, whatever its type. */
static double
get_value(const struct pb_param *p, const void *base)
{
	const char *at = (const char *)base + p->offset;

	if (is_real(p))
		return *(const double *)at;
	return p->kind == PB_PARAM_BOOL ? *(const bool *)at : *(const int *)at;
}

static bool
is_in_range(const struct pb_param *p, const void *base)
{
	double v = get_value(p, base);
	int words = 0;
	size_t n;

	while (pb_word(p->words, words, &n))
		words++;
	switch (p->kind) {
	case PB_PARAM_REAL:
		return isfinite(v) && v >= p->min && v <= p->max;
	case PB_PARAM_LIMIT:
		return v >= p->min;
	case PB_PARAM_COUNT:
		return v >= p->min && v <= p->max;
	case PB_PARAM_CHOICE:
		return v >= 0 && v < words;
	case PB_PARAM_BOOL:
		break;
	}
	return true;
}

const struct pb_param *
pb_params_check(struct pb_params p, const void *base)
{
	for (size_t i = 0; i < p.n; i++)
		if (!is_in_range(&p.row[i], base))
			return p.row + i;
	return NULL;
}

void
pb_params_reset(struct pb_params p, size_t i, void *base)
{
	const struct pb_param *r = &p.row[i];
	char *at = (char *)base + r->offset;

	if (is_real(r))
		*(double *)at = r->usual;
	else if (r->kind == PB_PARAM_BOOL)
		*(bool *)at = r->usual != 0;
	else
		*(int *)at = (int)r->usual;
}

void
pb_params_defaults(struct pb_params p, void *base)
{
	for (size_t i = 0; i < p.n; i++)
		pb_params_reset(p, i, base);
}

const char *
pb_word(const char *words, int i, size_t *n)
{
	while (words) {
		const char *end = strchr(words, '|');

		*n = end ? (size_t)(end - words) : strlen(words);
		if (i-- == 0)
			return words;
		words = end ? end + 1 : NULL;
	}
	return NULL;
}

int
pb_word_find(const char *words, const char *word, size_t n)
{
	size_t len;
	const char *w;

	for (int i = 0; (w = pb_word(words, i, &len)); i++)
		if (len == n && memcmp(w, word, n) == 0)
			return i;
	return -1;
}

const char *
pb_params_group(struct pb_params p, size_t i)
{
	while (i > 0 && !p.row[i].group)
		i--;
	return p.n > 0 ? p.row[i].group : NULL;
}

/* Index of the row named name[0..n), p.n: none. */
static size_t
find_row(struct pb_params p, const char *name, size_t n)
{
	size_t i = 0;

	while (i < p.n && (strncmp(p.row[i].name, name, n) != 0 ||
			      p.row[i].name[n] != '\0'))
		i++;
	return i;
}

const struct pb_param *
pb_params_find(struct pb_params p, const char *name)
{
	size_t i = find_row(p, name, strlen(name));

	return i < p.n ? &p.row[i] : NULL;
}

/* Whether a row has the value `word`; without a word, whether it is not 0. */
static bool
has_value(
    const struct pb_param *r, const void *base, const char *word, size_t n)
{
	int v = get_value(r, base) != 0;

	if (!word)
		return v;
	if (r->kind == PB_PARAM_BOOL)
		return v == pb_word_find("no|yes", word, n);
	return pb_word_find(r->words, word, n) == (int)get_value(r, base);
}

/* Whether a word is in a comma-separated list. */
static bool
is_listed(const char *list, const char *word, size_t n)
{
	for (const char *at = list; *at; at += *at == ',') {
		size_t len = strcspn(at, ",");

		if (!word || (len == n && memcmp(at, word, n) == 0))
			return true;
		at += len;
	}
	return false;
}

/* The choices and constants that a condition may ask for. */
struct asked {
	struct pb_params p;
	const void *base;
	const struct pb_fact *fact;
	size_t facts;
};

static bool
fact_holds(const struct asked *a, const char *term, size_t n)
{
	size_t len = 0, i;
	const char *word = NULL;
	bool negated = false;

	while (len < n && term[len] != '=' && term[len] != '!')
		len++;
	if (len < n) {
		negated = term[len] == '!';
		word = term + len + 1 + negated;
		n -= (size_t)(word - term);
	}
	i = find_row(a->p, term, len);
	if (i < a->p.n)
		return pb_params_used(a->p, a->base, i, a->fact, a->facts) &&
		       has_value(&a->p.row[i], a->base, word, n) != negated;
	for (i = 0; i < a->facts; i++)
		if (strncmp(a->fact[i].name, term, len) == 0 &&
		    a->fact[i].name[len] == '\0')
			return is_listed(a->fact[i].words, word, n) != negated;
	return true;
}

bool
pb_params_used(struct pb_params p, const void *base, size_t i,
    const struct pb_fact *fact, size_t facts)
{
	const struct asked a = {p, base, fact, facts};
	const char *at = p.row[i].when;
	bool all = true, any = at == NULL;

	while (!any && *at) {
		size_t n = strcspn(at, "&|");

		all = all && fact_holds(&a, at, n);
		at += n;
		if (*at != '&') {
			any = all;
			all = true;
		}
		at += *at != '\0';
	}
	return any;
}

void
pb_text_add(char *text, size_t size, const char *s, size_t n)
{
	size_t len = strlen(text);

	if (n > size - 1 - len)
		n = size - 1 - len;
	memcpy(text + len, s, n);
	text[len + n] = '\0';
}

void
pb_list_add(char *list, size_t size, const char *between, const char *word)
{
	if (*list)
		pb_text_add(list, size, between, strlen(between));
	pb_text_add(list, size, word, strlen(word));
}

/* Append a term of `when`, n bytes at `at`: "--motion drive", "localizer=mcl",
 * "policy seed". */
static void
add_term(char *out, size_t size, struct pb_params p, const char *at, size_t n,
    const char *prefix, const char *options)
{
	size_t name = strcspn(at, "=!&|"), op = strspn(at + name, "!=");
	const char *is = op == 2 ? " not " : op == 1 ? " " : "";
	bool row = find_row(p, at, name) < p.n;
	bool option = row && op == 1 && pb_word_find(options, at, name) >= 0;

	if (row && !option) {
		if (prefix) {
			pb_text_add(out, size, prefix, strlen(prefix));
			pb_text_add(out, size, "-", 1);
		}
		pb_text_add(out, size, at, n);
		return;
	}
	pb_text_add(out, size, "--", option ? 2 : 0);
	pb_text_add(out, size, at, name);
	pb_text_add(out, size, is, strlen(is));
	pb_text_add(out, size, at + name + op, n - name - op);
}

void
pb_params_when(struct pb_params p, size_t i, const char *prefix,
    const char *options, char *out, size_t size)
{
	const char *at = p.row[i].when;

	*out = '\0';
	while (at && *at) {
		size_t n = strcspn(at, "&|");

		add_term(out, size, p, at, n, prefix, options);
		at += n;
		if (*at)
			pb_list_add(
			    out, size, *at++ == '&' ? " and " : " or ", "");
	}
}

const struct pb_param *
pb_params_unusual(struct pb_params p, size_t from, const void *base)
{
	for (size_t i = from; i < p.n; i++)
		if (get_value(&p.row[i], base) != p.row[i].usual)
			return p.row + i;
	return NULL;
}

uint64_t
pb_params_hash_row(uint64_t h, struct pb_params p, size_t i, const void *base,
    const struct pb_fact *fact, size_t facts)
{
	const struct pb_param *r = &p.row[i];
	bool used = base && pb_params_used(p, base, i, fact, facts);
	double v = used ? get_value(r, base) : r->usual;

	if (i >= p.settled && v == r->usual)
		return h;
	h = pb_hash_bytes(h, r->name, strlen(r->name) + 1);
	return is_real(r) ? pb_hash_double(h, v)
	                  : pb_hash_u64(h, (uint64_t)(int)v);
}

uint64_t
pb_params_hash(uint64_t h, struct pb_params p, const void *base,
    const struct pb_fact *fact, size_t facts)
{
	for (size_t i = 0; i < p.n; i++)
		h = pb_params_hash_row(h, p, i, base, fact, facts);
	return h;
}

static int
digit_value(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : -1;
}

/* Parse all of s as an exponent of at most two digits; else return one out of
 * range. */
static int
parse_exponent(const char *s)
{
	int sign = *s == '-' ? -1 : 1, v = 0, n = 0;

	for (s += *s == '-' || *s == '+'; digit_value(*s) >= 0 && n < 4;
	     s++, n++)
		v = 10 * v + digit_value(*s);
	return *s || n == 0 || v > 99 ? 1 << 30 : sign * v;
}

/*
 * Parse a decimal number as strtod() does: sign, digits, point, exponent; at
 * most 15 digits, none more than 22 places from the point. Within these limits
 * the digits and the power of ten are exact doubles, and their product or
 * quotient is rounded once (Clinger, "How to read floating point numbers
 * accurately", 1990).
 */
static bool
parse_decimal(const char *s, double *v)
{
	const char *sign = s;
	bool point = false, any = false;
	double w = 0, scale = 1;
	int power = 0;

	for (s += *s == '-' || *s == '+'; *s == '.' || digit_value(*s) >= 0;
	     s++) {
		if ((*s == '.' && point) || w >= 1e14)
			return false;
		if (*s == '.') {
			point = true;
			continue;
		}
		any = true;
		w = 10 * w + digit_value(*s);
		power -= point;
	}
	if (*s == 'e' || *s == 'E')
		power += parse_exponent(s + 1);
	else if (*s)
		return false;
	if (!any || power < -22 || power > 22)
		return false;
	for (int k = 0; k < (power < 0 ? -power : power); k++)
		scale *= 10;
	w = power < 0 ? w / scale : w * scale;
	*v = *sign == '-' ? -w : w;
	return true;
}

static const char *
set_number(const struct pb_param *p, void *at, const char *text)
{
	bool whole = p->kind == PB_PARAM_COUNT;
	double v;

	if (p->kind == PB_PARAM_LIMIT && strcmp(text, "inf") == 0)
		v = INFINITY;
	else if (!parse_decimal(text, &v) || (whole && v != floor(v)))
		return whole ? "a whole number" : "a number";
	if (v < p->min || v > p->max)
		return "a number in its range";
	if (whole)
		*(int *)at = (int)v;
	else
		*(double *)at = v;
	return NULL;
}

const char *
pb_param_read(const struct pb_param *p, void *opts, const char *text)
{
	void *at = (char *)opts + p->offset;
	const char *words = p->kind == PB_PARAM_BOOL ? "no|yes" : p->words;
	int i;

	if (!words)
		return set_number(p, at, text);
	i = pb_word_find(words, text, strlen(text));
	if (i < 0)
		return words;
	if (p->kind == PB_PARAM_BOOL)
		*(bool *)at = i;
	else
		*(int *)at = i;
	return NULL;
}
