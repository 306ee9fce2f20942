/* json.h - lines of JSON: their values in order, and field by field. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/stream/msg.h"

enum pb_json_kind {
	PB_JSON_NULL,
	PB_JSON_FALSE,
	PB_JSON_TRUE,
	PB_JSON_WHOLE, /* a number without fraction and exponent */
	PB_JSON_REAL,
	PB_JSON_STRING,
	PB_JSON_ARRAY,
	PB_JSON_OBJECT
};

/* What is in an array or object is behind it; a member's key is a string. The
 * cells of a map are behind none: see pb_get_cells(). */
struct pb_json_value {
	unsigned kind : 3;
	unsigned span : 29; /* from this value to the one that is not in it */
	uint32_t n;         /* items, members, bytes of a string, or which of
	                     * four words stood for null */
	union {
		const char *text; /* of a string, n bytes and a NUL */
		int64_t whole;
		double real;
	};
};

#define PB_JSON_FEW   64  /* values of a short line */
#define PB_JSON_SHORT 512 /* bytes of one */

/* A line that was read; it must not move while it is open. */
struct pb_json {
	bool ok;                 /* nothing was complained of */
	struct pb_json_value *v; /* the first is the whole; few, or owned */
	size_t n, cap;
	char *text; /* of the strings; brief, or owned */
	struct pb_json_value few[PB_JSON_FEW];
	char brief[PB_JSON_SHORT];
};

/* What getters work on: an object of the line, which must stay open. */
#define PB_JSON_PATH 96 /* bytes of a field path, longer ones are cut */
struct pb_get {
	const struct pb_json_value *obj;
	char path[PB_JSON_PATH]; /* "pose", "pellets.pellets[3]" */
	struct pb_error *bad;    /* filled on the first failure */
	bool *ok;                /* the line's: false from then on */
};

/*
 * Read the object that is the whole of s[0..n): all of RFC 8259, and NaN and
 * infinities as null, which some bridges write. Refused are keys that are there
 * twice and nesting beyond 2048. A number beyond the range of a double is
 * there, but pb_json_is_number() does not take it for one.
 *
 * Given    path  what complaints call the object: a word
 * Returns  true and g for the getters, until pb_json_close(); false with bad
 *          filled in and nothing to close
 */
bool pb_json_open(struct pb_json *j, const char *s, size_t n, const char *path,
    struct pb_get *g, struct pb_error *bad);
void pb_json_close(struct pb_json *j);

/*
 * Look through s[0..n) without keeping its values, which takes half the time.
 *
 * Returns  true where pb_json_open() would, and its member "t" if that is a
 *          number, else t untouched; false where it would not
 */
bool pb_json_look(const char *s, size_t n, double *t);

/* The string "type" where it is the first member of s[0..n); false: it is not,
 * has an escape or takes more than size with its NUL. The rest is not looked
 * at. */
bool pb_json_type(const char *s, size_t n, char *type, size_t size);

/* v may be NULL in all of these: then there is nothing. */
bool pb_json_is(const struct pb_json_value *v, enum pb_json_kind kind);
bool pb_json_is_number(const struct pb_json_value *v);

/* As a double, 0 of what is no number. */
double pb_json_number(const struct pb_json_value *v);

/* Items, members or bytes of v, 0 if it is of another kind. */
size_t pb_json_size(const struct pb_json_value *v, enum pb_json_kind kind);

/* The value of a member of v. */
const struct pb_json_value *pb_json_member(
    const struct pb_json_value *v, const char *key);

/* What comes after `at` in the array or object v: of members the value, whose
 * key is before it. NULL is before the first, and behind the last. */
const struct pb_json_value *pb_json_next(
    const struct pb_json_value *v, const struct pb_json_value *at);
#define PB_JSON_KEY(member) ((member)[-1].text)

/* The text of a string; NULL if v is none, or has a \u0000 in it. */
const char *pb_json_text(const struct pb_json_value *v);

/* v as a whole number; false and *out untouched if it is none. */
bool pb_json_long(const struct pb_json_value *v, long *out);

/*
 * Getters complain once: after the first failure the context is bad, further
 * calls do nothing and leave their outputs alone. So a record is read by
 * straight-line code and asked once at the end.
 */
#define PB_JSON_TUPLE 16 /* numbers of a tuple */

/* Readers ask for PB_REQUIRED only; the rest is for who writes, too. */
enum pb_need {
	PB_OPTIONAL, /* written if it is known: see io/rec/rec.h */
	PB_REQUIRED,
	PB_ALWAYS,  /* written always; missing, it is 0 or the least */
	PB_NONZERO, /* written if it is over 0 */
	PB_NULLED,  /* written as null if it is not known */
	PB_GIVEN,   /* written if a flag says so */
	PB_UNLESS,  /* written unless a flag says so */
	PB_KNOWN,   /* written if another number is known */
	PB_WRITTEN, /* never read */
	PB_READ     /* never written */
};

/* The value of key, NULL if there is none or null. */
const struct pb_json_value *pb_get_value(
    const struct pb_get *g, const char *key);

/* A finite number in [lo, hi]. */
void pb_get_num(struct pb_get *g, const char *key, enum pb_need need, double lo,
    double hi, double *out);

/* A whole number in [lo, hi]. */
void pb_get_int(struct pb_get *g, const char *key, enum pb_need need, long lo,
    long hi, long *out);

void pb_get_bool(
    struct pb_get *g, const char *key, enum pb_need need, bool *out);

/* A string of at most size - 1 bytes; longer ones are refused. */
void pb_get_text(struct pb_get *g, const char *key, enum pb_need need,
    char *out, size_t size);

/* An unsigned number of 64 bits, or its digits as a string. */
void pb_get_u64(
    struct pb_get *g, const char *key, enum pb_need need, uint64_t *out);

/* Exactly n <= PB_JSON_TUPLE numbers: [x, y, yaw]. */
void pb_get_nums(
    struct pb_get *g, const char *key, enum pb_need need, int n, double *out);

/*
 * A list of at most max numbers, NaN for null. *out is allocated, NULL if
 * empty.
 */
void pb_get_list(struct pb_get *g, const char *key, enum pb_need need,
    size_t max, double **out, size_t *n);

/*
 * The object under key as one of its own, whose complaints go where g's go.
 * False if there is none.
 */
bool pb_get_object(
    struct pb_get *g, const char *key, enum pb_need need, struct pb_get *sub);

/*
 * The cells of a map under "data", row-major: exactly n whole numbers from
 * -1 to 100. Of a long line they are bytes that stand behind no value, so that
 * pb_json_next() finds none of them.
 */
void pb_get_cells(struct pb_get *g, size_t n, signed char *cell);

/* Walks over the items of an array. */
struct pb_walk {
	const struct pb_json_value *list;
	const struct pb_json_value *at; /* the item, NULL before the first */
	size_t i;                       /* number of the item */
	const char *key;                /* of the array, for complaints */
};

/* Before the first item; false if there is no array. */
bool pb_get_walk(
    struct pb_get *g, const char *key, enum pb_need need, struct pb_walk *w);

/* To the next item; false at the end, or if something went wrong. */
bool pb_walk_next(struct pb_get *g, struct pb_walk *w);

/*
 * Room for all items of the array: *n of `size` bytes, zeroed, from malloc.
 * NULL if the array is empty or *n would be over max.
 */
void *pb_get_room(struct pb_get *g, const struct pb_walk *w, size_t max,
    size_t size, size_t *n);

/* The item as an object of its own, which complains where g does. */
bool pb_walk_object(struct pb_get *g, struct pb_walk *w, struct pb_get *sub);

/* The item as exactly n numbers. */
bool pb_walk_nums(struct pb_get *g, struct pb_walk *w, int n, double *out);

/* Complain about the item: "path.points[3]: expected ..., got ...". */
void pb_walk_fail(
    struct pb_get *g, const struct pb_walk *w, const char *expected);

/* Complain about key: "pose.x: expected a number, got a string". */
void pb_get_fail(struct pb_get *g, const char *key, const char *expected);
