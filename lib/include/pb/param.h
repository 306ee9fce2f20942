/* param.h - a description of the constants in an options struct. */
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "pb/decls.h"

PB_BEGIN_DECLS

/*
 * A module whose options struct holds many constants describes them once, as
 * an array of rows; the command line makes a long option of each row, the
 * manual check compares them with the page, pb_params_defaults() makes the
 * usual options of them, and pb_params_check() is the range test of the
 * module's own pb_x_check(). Where a value is from stands beside its row.
 * Everything is constant.
 */
enum pb_param_kind {
	PB_PARAM_REAL,   /* double, min..max */
	PB_PARAM_LIMIT,  /* double from min on; INFINITY: no limit */
	PB_PARAM_COUNT,  /* int, min..max */
	PB_PARAM_BOOL,   /* bool: the option takes yes or no */
	PB_PARAM_CHOICE  /* int, the place of a word in `words` */
};

struct pb_param {
	const char *name;  /* long option without dashes */
	const char *unit;  /* "m", "s", ..., "" if none */
	const char *help;  /* a few words, no stop */
	const char *words; /* choices, "a|b", else NULL */
	size_t offset;     /* in the options struct */
	enum pb_param_kind kind;
	double usual; /* value, of a bool 0 or 1 */
	double min;   /* smallest value allowed; nothing where no number is */
	double max;   /* largest; INFINITY: any finite number */
};

/*
 * The rows of such an array. Its source says whose fields they name; the
 * usual one of choices is the first word:
 *
 *	#define PB_PARAMS_OF struct pb_x_opts
 */
#define PB_PARAM_(name, field, unit, help, words, kind, usual, min, max)      \
	{                                                                     \
		name, unit, help, words, offsetof(PB_PARAMS_OF, field), kind, \
		    usual, min, max                                           \
	}
#define PB_REAL(name, field, unit, usual, min, max, help) \
	PB_PARAM_(name, field, unit, help, NULL, PB_PARAM_REAL, usual, min, max)
#define PB_LIMIT(name, field, unit, usual, min, help)                        \
	PB_PARAM_(name, field, unit, help, NULL, PB_PARAM_LIMIT, usual, min, \
	    INFINITY)
#define PB_COUNT(name, field, unit, usual, min, max, help) \
	PB_PARAM_(                                         \
	    name, field, unit, help, NULL, PB_PARAM_COUNT, usual, min, max)
#define PB_BOOL(name, field, usual, help) \
	PB_PARAM_(name, field, "", help, NULL, PB_PARAM_BOOL, usual, 0, 0)
#define PB_CHOICE(name, field, words, help) \
	PB_PARAM_(name, field, "", help, words, PB_PARAM_CHOICE, 0, 0, 0)

/*
 * Such an array, as PB_PARAMS(rows). Rows that came to it later, from
 * `settled` on, are in hashes only where a value is not the usual one:
 * options that nobody changed keep the hash that they had.
 */
struct pb_params {
	const struct pb_param *row;
	size_t n, settled;
};

#define PB_PARAMS_SINCE(rows, settled)                         \
	{                                                      \
		rows, sizeof(rows) / sizeof(*(rows)), settled, \
	}
#define PB_PARAMS(rows) PB_PARAMS_SINCE(rows, sizeof(rows) / sizeof(*(rows)))

/* Give the parameters of the struct at base their usual values. */
void pb_params_defaults(struct pb_params p, void *base);

/*
 * The first parameter of the struct at base that is out of its range or not
 * finite (limits may be INFINITY); NULL if all are fine.
 */
const struct pb_param *pb_params_check(struct pb_params p, const void *base);

/* The first of the rows from `from` on that has not its usual value, or NULL.
 */
const struct pb_param *pb_params_unusual(
    struct pb_params p, size_t from, const void *base);

/* Feed the names and values of the parameters to a hash (see hash.h). */
uint64_t pb_params_hash(uint64_t h, struct pb_params p, const void *base);

/* The place of word[0..n) in words ("a|b"), -1 if it is none of them. */
int pb_word_find(const char *words, const char *word, size_t n);

/* Word number i of words and its length in *n; NULL past the last. */
const char *pb_word(const char *words, int i, size_t *n);

PB_END_DECLS
