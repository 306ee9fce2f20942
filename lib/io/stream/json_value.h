/* json_value.h - a reader of lines of JSON: their values, in order. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/stream/error.h"

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
 * cells of a map are behind none: see pb_json_cells(). */
struct pb_json_value {
	unsigned kind : 3;
	unsigned span : 29; /* from this value to the one that is not in it */
	uint32_t n;         /* items, members, bytes of a string, or which word
	                     * of pb_json_null[] stood for null */
	union {
		const char *text; /* of a string, n bytes and a NUL */
		int64_t whole;
		double real;
	};
};

extern const char *const pb_json_null[];

#define PB_JSON_FEW   64  /* values of a short line */
#define PB_JSON_SHORT 512 /* bytes of one */

/* Must not move while it is in use. */
struct pb_json_values {
	struct pb_json_value *v; /* the first is the whole; few, or owned */
	size_t n, cap;
	char *text; /* of the strings; brief, or owned */
	bool no_memory;
	struct pb_json_value few[PB_JSON_FEW];
	char brief[PB_JSON_SHORT];
};

void pb_json_values_init(struct pb_json_values *l);
void pb_json_values_clear(struct pb_json_values *l);

/*
 * Read the value that is the whole of s[0..n): all of RFC 8259, and NaN and
 * infinities as null, which some bridges write. Refused are keys that are there
 * twice and nesting beyond 2048. A number beyond the range of a double is
 * there, but pb_json_is_number() does not take it for one.
 *
 * Returns  false with bad filled in and nothing to clear
 */
bool pb_json_scan(
    struct pb_json_values *l, const char *s, size_t n, struct pb_error *bad);

/*
 * Look through s[0..n) without keeping its values, which takes half the time.
 *
 * Returns  true where pb_json_scan would, of an object, and its member "t" if
 *          that is a number, else t untouched; false where it would not, or
 *          there is no memory
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

/* The cells of a map that v holds, pb_json_size() of them, each a byte from -1
 * to 100: a long array of such numbers under the key "data", which has no
 * items for pb_json_next(). NULL: v is anything else. */
const char *pb_json_cells(const struct pb_json_value *v);

/* The text of a string; NULL if v is none, or has a \u0000 in it. */
const char *pb_json_text(const struct pb_json_value *v);

/* v as a whole number; false and *out untouched if it is none. */
bool pb_json_long(const struct pb_json_value *v, long *out);
