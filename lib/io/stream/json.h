/* json.h - one line of JSON, field by field. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/stream/json_value.h"
#include "io/stream/msg.h"

/*
 * Getters complain once: after the first failure the context is bad, further
 * calls do nothing and leave their outputs alone. So a record is read by
 * straight-line code and asked once at the end.
 */
#define PB_JSON_PATH  96 /* bytes of a field path, longer ones are cut */
#define PB_JSON_TUPLE 16 /* numbers of a tuple */

/* A line that was read; it must not move while it is open. */
struct pb_json {
	struct pb_json_values values;
	bool ok; /* nothing was complained of */
};

/* What getters work on: an object of the line, which must stay open. */
struct pb_get {
	const struct pb_json_value *obj;
	char path[PB_JSON_PATH]; /* "pose", "pellets.pellets[3]" */
	struct pb_error *bad;    /* filled on the first failure */
	bool *ok;                /* the line's: false from then on */
};

/* Readers ask for PB_REQUIRED only; the rest is for who writes, too. */
enum pb_need {
	PB_OPTIONAL, /* written if it is known: see io/rec/type.h */
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

/*
 * Read the object that is the whole of s[0..n).
 *
 * Given    path  what complaints call the object: a word
 * Returns  true and g for the getters, until pb_json_close(); false with bad
 *          filled in and nothing to close
 */
bool pb_json_open(struct pb_json *j, const char *s, size_t n, const char *path,
    struct pb_get *g, struct pb_error *bad);
void pb_json_close(struct pb_json *j);

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
 * -1 to 100.
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

/* Memory ran out for key. */
void pb_get_nomem(struct pb_get *g, const char *key);
