/* param.h - a description of the constants in an options struct. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pb/decls.h"

PB_BEGIN_DECLS

/*
 * A module whose options struct holds many constants describes them once, as an
 * array of rows: --set takes them by name, --help constants and the manuals
 * print them, pb_params_defaults() fills in the defaults, and pb_params_check()
 * is the range test of the module's own pb_x_check(). The source of a value
 * stands beside its row. Everything is constant.
 */
enum pb_param_kind {
	PB_PARAM_REAL,  /* double, min..max */
	PB_PARAM_LIMIT, /* double from min on; INFINITY: no limit */
	PB_PARAM_COUNT, /* int, min..max */
	PB_PARAM_BOOL,  /* bool: the option takes yes or no */
	PB_PARAM_CHOICE /* int, the place of a word in `words` */
};

struct pb_param {
	const char *name;
	const char *unit;  /* "m", "s", ..., "" if none */
	const char *words; /* choices, "a|b", else NULL */
	size_t offset;     /* in the options struct */
	enum pb_param_kind kind;
	double usual; /* default; of a bool 0 or 1 */
	double min;   /* smallest value; unused where the row is no number */
	double max;   /* largest value; INFINITY: any finite number */

	/* The rest may be NULL. */
	const char *help; /* a few words, no stop; every row has some */
	const char
	    *when; /* condition of its effect, see pb_params_used(); or NULL */
	const char *group; /* heading of this row and of those that follow;
	                      NULL: that of the row before */
	const char *also;  /* wrong names that users may try, "a|b" */
};

/*
 * The rows of such an array. PB_PARAMS_OF names the struct of the fields; the
 * default of a choice is the first word. After the bounds come the help text
 * and other members by name:
 *
 *	#define PB_PARAMS_OF struct pb_x_opts
 *	PB_REAL("door", door, "m", 0.9, 0.6, 1.5, "least width of doors",
 *	    .when = "rooms", .also = "gate")
 */
#define PB_PARAM_(name, field, unit, words, kind, usual, min, max, ...)        \
	{                                                                      \
		name, unit, words, offsetof(PB_PARAMS_OF, field), kind, usual, \
		    min, max, __VA_ARGS__                                      \
	}
#define PB_REAL(name, field, unit, usual, min, max, ...)                   \
	PB_PARAM_(name, field, unit, NULL, PB_PARAM_REAL, usual, min, max, \
	    __VA_ARGS__)
#define PB_LIMIT(name, field, unit, usual, min, ...)                   \
	PB_PARAM_(name, field, unit, NULL, PB_PARAM_LIMIT, usual, min, \
	    INFINITY, __VA_ARGS__)
#define PB_COUNT(name, field, unit, usual, min, max, ...)                   \
	PB_PARAM_(name, field, unit, NULL, PB_PARAM_COUNT, usual, min, max, \
	    __VA_ARGS__)
#define PB_BOOL(name, field, usual, ...) \
	PB_PARAM_(                       \
	    name, field, "", NULL, PB_PARAM_BOOL, usual, 0, 0, __VA_ARGS__)
#define PB_CHOICE(name, field, words, ...) \
	PB_PARAM_(name, field, "", words, PB_PARAM_CHOICE, 0, 0, 0, __VA_ARGS__)

/*
 * Such an array, as PB_PARAMS(rows). Rows that came to it later, from `settled`
 * on, are in hashes only where a value is not the usual one: unchanged options
 * keep their old hash.
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

/* Give the parameters of the struct at base their usual values; parameter i
 * alone. */
void pb_params_defaults(struct pb_params p, void *base);
void pb_params_reset(struct pb_params p, size_t i, void *base);

/*
 * The first parameter of the struct at base that is out of its range or not
 * finite (limits may be INFINITY); NULL if all are fine.
 */
const struct pb_param *pb_params_check(struct pb_params p, const void *base);

/* The first row from `from` on whose value is not its default, or NULL. */
const struct pb_param *pb_params_unusual(
    struct pb_params p, size_t from, const void *base);

/* A choice other than a constant: a name, "policy", and its list of values,
 * "mcl,odom". */
struct pb_fact {
	const char *name, *words;
};

/*
 * Whether row i has an effect, by its `when`: alternatives with | between, each
 * of terms with & between. A term is "x=word", "x!=word" or "x" (it is yes, or
 * not 0), where x is another row that has an effect, or a fact. What is neither
 * holds.
 */
bool pb_params_used(struct pb_params p, const void *base, size_t i,
    const struct pb_fact *fact, size_t facts);

/* Add the first n bytes of s to a text in size bytes; what does not fit is cut
 * off. */
void pb_text_add(char *text, size_t size, const char *s, size_t n);

/* Add a word to a list in size bytes, `between` before all but the first. */
void pb_list_add(
    char *list, size_t size, const char *between, const char *word);

/*
 * Where row i has an effect, for people: "arm-how=fast or source random", ""
 * everywhere.
 *
 * Given    prefix   of the names of rows, NULL: none
 *          options  rows that are options of a tool, "a|b": "--a word"; NULL:
 *                   none
 */
void pb_params_when(struct pb_params p, size_t i, const char *prefix,
    const char *options, char *out, size_t size);

/* The heading that row i is listed under, NULL: none. */
const char *pb_params_group(struct pb_params p, size_t i);

/* The row of that name, NULL: there is none. */
const struct pb_param *pb_params_find(struct pb_params p, const char *name);

/* Feed the names and values of the parameters to a hash (see hash.h); of those
 * without an effect (pb_params_used) the usual values, as of all if base is
 * NULL. Row i alone. */
uint64_t pb_params_hash(uint64_t h, struct pb_params p, const void *base,
    const struct pb_fact *fact, size_t facts);
uint64_t pb_params_hash_row(uint64_t h, struct pb_params p, size_t i,
    const void *base, const struct pb_fact *fact, size_t facts);

/*
 * Set what row p describes in opts to the value that text says: a word, or a
 * decimal number of at most 15 digits, none of them 22 places from the point.
 *
 * Returns  NULL, or what was expected: words or a text of static storage
 */
const char *pb_param_read(
    const struct pb_param *p, void *opts, const char *text);

/* The place of word[0..n) in words ("a|b"), -1 if it is none of them. */
int pb_word_find(const char *words, const char *word, size_t n);

/* Word number i of words and its length in *n; NULL past the last. */
const char *pb_word(const char *words, int i, size_t *n);

PB_END_DECLS
