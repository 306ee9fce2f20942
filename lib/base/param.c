/* param.c - usual values and ranges of described options, lists of words. */
#include "pb/param.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/hash.h"

static bool
good(const struct pb_param *p, const void *base)
{
	const char *at = (const char *)base + p->offset;
	double v;
	int i;

	if (p->kind == PB_PARAM_BOOL)
		return true;
	if (p->kind == PB_PARAM_REAL || p->kind == PB_PARAM_LIMIT) {
		memcpy(&v, at, sizeof(v));
		if (p->kind == PB_PARAM_LIMIT)
			return v >= p->min;
		return isfinite(v) && v >= p->min && v <= p->max;
	}
	memcpy(&i, at, sizeof(i));
	if (p->kind == PB_PARAM_CHOICE || p->kind == PB_PARAM_SET) {
		int words = 0;
		size_t n;

		while (pb_word(p->words, words, &n))
			words++;
		return p->kind == PB_PARAM_CHOICE ? i >= 0 && i < words
		                                  : i > 0 && i < 1 << words;
	}
	return i >= p->min && i <= p->max;
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
		char *at = (char *)base + p.row[i].offset;

		switch (p.row[i].kind) {
		case PB_PARAM_REAL:
		case PB_PARAM_LIMIT:
			*(double *)at = p.row[i].usual;
			break;
		case PB_PARAM_BOOL:
			*(bool *)at = p.row[i].usual != 0;
			break;
		case PB_PARAM_COUNT:
		case PB_PARAM_CHOICE:
		case PB_PARAM_SET:
			*(int *)at = (int)p.row[i].usual;
			break;
		}
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
	const char *at = (const char *)base + p->offset;

	h = pb_hash_bytes(h, p->name, strlen(p->name) + 1);
	switch (p->kind) {
	case PB_PARAM_REAL:
	case PB_PARAM_LIMIT:
		return pb_hash_double(h, *(const double *)at);
	case PB_PARAM_BOOL:
		return pb_hash_u64(h, *(const bool *)at);
	case PB_PARAM_COUNT:
	case PB_PARAM_CHOICE:
	case PB_PARAM_SET:
		break;
	}
	return pb_hash_u64(h, (uint64_t) * (const int *)at);
}

static bool
is_usual(const struct pb_param *p, const void *base)
{
	const char *at = (const char *)base + p->offset;

	switch (p->kind) {
	case PB_PARAM_REAL:
	case PB_PARAM_LIMIT:
		return *(const double *)at == p->usual;
	case PB_PARAM_BOOL:
		return *(const bool *)at == (p->usual != 0);
	case PB_PARAM_COUNT:
	case PB_PARAM_CHOICE:
	case PB_PARAM_SET:
		break;
	}
	return *(const int *)at == (int)p->usual;
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
