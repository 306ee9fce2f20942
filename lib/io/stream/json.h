/* json.h - parse lines of JSON, read members of objects. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/stream/msg.h"

enum pb_json_kind {
	PB_JSON_NULL,
	PB_JSON_FALSE,
	PB_JSON_TRUE,
	PB_JSON_WHOLE, /* number without fraction and exponent */
	PB_JSON_REAL,
	PB_JSON_STRING,
	PB_JSON_ARRAY,
	PB_JSON_OBJECT
};

/* A value. The items of an array or object follow it in the array of values; a
 * member is its key, a string, and its value. Cells of a map have no values:
 * see pb_get_cells(). */
struct pb_json_value {
	unsigned kind : 3;
	unsigned span : 29; /* values up to the next that is not inside */
	uint32_t n; /* items, members or bytes; of null, which word it was */
	union {
		const char *text; /* of a string, n bytes and a NUL */
		int64_t whole;
		double real;
	};
};

#define PB_JSON_FEW   64  /* values of a line that needs no malloc */
#define PB_JSON_SHORT 512 /* bytes of such a line */

/* A parsed line; it must not move while it is open. */
struct pb_json {
	bool ok;                 /* no getter has failed */
	struct pb_json_value *v; /* v[0] is the whole line; `few`, or owned */
	size_t n, cap;
	char *text; /* strings; `brief`, or owned */
	struct pb_json_value few[PB_JSON_FEW];
	char brief[PB_JSON_SHORT];
};

/* Getters read from an object of the line, which must stay open. */
#define PB_JSON_PATH 96 /* bytes of a field path; longer ones are cut */
struct pb_get {
	const struct pb_json_value *obj;
	char path[PB_JSON_PATH]; /* "pose", "pellets.pellets[3]" */
	struct pb_error *bad;    /* filled in on the first failure */
	bool *ok; /* of the line; false after the first failure */
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
 * Validate s[0..n) without storing its values; takes half the time.
 *
 * Returns  true where pb_json_open() would, with *t set to the member "t" if
 *          that is a number, else untouched
 */
bool pb_json_look(const char *s, size_t n, double *t);

/* Read the string "type" if it is the first member of s[0..n). False: it is
 * not, has an escape, or needs more than size bytes with its NUL. Does not
 * validate the rest. */
bool pb_json_type(const char *s, size_t n, char *type, size_t size);

/* In the functions below v may be NULL: a missing value. */
bool pb_json_is(const struct pb_json_value *v, enum pb_json_kind kind);
bool pb_json_is_number(const struct pb_json_value *v);

/* v as a double; 0 if it is no number. */
double pb_json_number(const struct pb_json_value *v);

/* The number of items, members or bytes of v; 0 if it is of another kind. */
size_t pb_json_size(const struct pb_json_value *v, enum pb_json_kind kind);

/* The value of a member of v. */
const struct pb_json_value *pb_json_member(
    const struct pb_json_value *v, const char *key);

/* The item behind `at` in the array or object v; of an object, the value of the
 * next member, whose key is PB_JSON_KEY. `at` NULL: the first item. Returns
 * NULL behind the last. */
const struct pb_json_value *pb_json_next(
    const struct pb_json_value *v, const struct pb_json_value *at);
#define PB_JSON_KEY(member) ((member)[-1].text)

/* The text of a string; NULL if v is no string or has a \u0000 in it. */
const char *pb_json_text(const struct pb_json_value *v);

/* Read v as a whole number. False, *out untouched: it is none. */
bool pb_json_long(const struct pb_json_value *v, long *out);

/*
 * Getters report one failure: after the first, the context is bad, and further
 * calls do nothing and leave their outputs alone. So a record is read by
 * straight-line code and checked once at the end.
 */
#define PB_JSON_TUPLE 16 /* most numbers of a tuple */

/* When a member is needed. Readers care only about PB_REQUIRED; the others say
 * when a writer writes it. */
enum pb_need {
	PB_OPTIONAL, /* written if it is known: see io/rec/rec.h */
	PB_REQUIRED,
	PB_ALWAYS,  /* always written; if missing, read as 0 or the minimum */
	PB_NONZERO, /* written if greater than 0 */
	PB_NULLED,  /* written as null if unknown */
	PB_GIVEN,   /* written if a flag says so */
	PB_UNLESS,  /* written unless a flag says so */
	PB_KNOWN,   /* written if another member is known */
	PB_WRITTEN, /* never read */
	PB_READ     /* never written */
};

/* The value of key, NULL if it is missing or null. */
const struct pb_json_value *pb_get_value(
    const struct pb_get *g, const char *key);

/* Read a finite number in [lo, hi]. */
void pb_get_num(struct pb_get *g, const char *key, enum pb_need need, double lo,
    double hi, double *out);

/* Read a whole number in [lo, hi]. */
void pb_get_int(struct pb_get *g, const char *key, enum pb_need need, long lo,
    long hi, long *out);

void pb_get_bool(
    struct pb_get *g, const char *key, enum pb_need need, bool *out);

/* Read a string of at most size - 1 bytes; refuse a longer one. */
void pb_get_text(struct pb_get *g, const char *key, enum pb_need need,
    char *out, size_t size);

/* Read an unsigned number of 64 bits, or a string of its digits. */
void pb_get_u64(
    struct pb_get *g, const char *key, enum pb_need need, uint64_t *out);

/* Read exactly n <= PB_JSON_TUPLE numbers: [x, y, yaw]. */
void pb_get_nums(
    struct pb_get *g, const char *key, enum pb_need need, int n, double *out);

/* Read a list of at most max numbers, null as NaN. *out is allocated, NULL if
 * the list is empty. */
void pb_get_list(struct pb_get *g, const char *key, enum pb_need need,
    size_t max, double **out, size_t *n);

/* Read the object under key as sub, which reports failures as g does. False if
 * there is none. */
bool pb_get_object(
    struct pb_get *g, const char *key, enum pb_need need, struct pb_get *sub);

/*
 * Read the cells of a map under "data", row-major: exactly n whole numbers from
 * -1 to 100. In a line of more than 64 KiB they are stored as bytes, and
 * pb_json_next() finds none of them.
 */
void pb_get_cells(struct pb_get *g, size_t n, signed char *cell);

/* Iterates over the items of an array. */
struct pb_walk {
	const struct pb_json_value *list;
	const struct pb_json_value *at; /* the item, NULL before the first */
	size_t i;                       /* index of the item */
	const char *key;                /* of the array, for messages */
};

/* Begin before the first item; false if there is no array. */
bool pb_get_walk(
    struct pb_get *g, const char *key, enum pb_need need, struct pb_walk *w);

/* Advance to the next item; false at the end or after a failure. */
bool pb_walk_next(struct pb_get *g, struct pb_walk *w);

/* Allocate an array for all items: *n of `size` bytes, zeroed, from malloc.
 * NULL if there are no items or more than max. */
void *pb_get_room(struct pb_get *g, const struct pb_walk *w, size_t max,
    size_t size, size_t *n);

/* Read the item as an object, which reports failures as g does. */
bool pb_walk_object(struct pb_get *g, struct pb_walk *w, struct pb_get *sub);

/* Read the item as exactly n numbers. */
bool pb_walk_nums(struct pb_get *g, struct pb_walk *w, int n, double *out);

/* Refuse the item: "path.points[3]: expected ..., got ...". */
void pb_walk_fail(
    struct pb_get *g, const struct pb_walk *w, const char *expected);

/* Refuse key: "pose.x: expected a number, got a string". */
void pb_get_fail(struct pb_get *g, const char *key, const char *expected);
