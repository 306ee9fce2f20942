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

/* The value of a parameter of the struct at base, whatever its type. */
static double
value_of(const struct pb_param *p, const void *base)
{
	const char *at = (const char *)base + p->offset;

	if (is_real(p))
		return *(const double *)at;
	return p->kind == PB_PARAM_BOOL ? *(const bool *)at : *(const int *)at;
}

static bool
good(const struct pb_param *p, const void *base)
{
	double v = value_of(p, base);
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
		if (!good(&p.row[i], base))
			return &p.row[i];
	return NULL;
}

void
pb_params_defaults(struct pb_params p, void *base)
{
	for (size_t i = 0; i < p.n; i++) {
		const struct pb_param *r = &p.row[i];
		char *at = (char *)base + r->offset;

		if (is_real(r))
			*(double *)at = r->usual;
		else if (r->kind == PB_PARAM_BOOL)
			*(bool *)at = r->usual != 0;
		else
			*(int *)at = (int)r->usual;
	}
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

static uint64_t
hash_one(uint64_t h, const struct pb_param *p, const void *base)
{
	double v = value_of(p, base);

	h = pb_hash_bytes(h, p->name, strlen(p->name) + 1);
	if (is_real(p))
		return pb_hash_double(h, v);
	return pb_hash_u64(h, (uint64_t)(int)v);
}

static bool
is_usual(const struct pb_param *p, const void *base)
{
	return value_of(p, base) == p->usual;
}

const struct pb_param *
pb_params_unusual(struct pb_params p, size_t from, const void *base)
{
	for (size_t i = from; i < p.n; i++)
		if (!is_usual(&p.row[i], base))
			return &p.row[i];
	return NULL;
}

uint64_t
pb_params_hash(uint64_t h, struct pb_params p, const void *base)
{
	for (size_t i = 0; i < p.n; i++)
		if (i < p.settled || !is_usual(&p.row[i], base))
			h = hash_one(h, &p.row[i], base);
	return h;
}
