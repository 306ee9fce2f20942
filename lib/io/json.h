/* json.h - one line of JSON, read in place. */
#ifndef PB_IO_JSON_H
#define PB_IO_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/msg.h"

/*
 * A strict reader (RFC 8259, UTF-8 checked, depth limited, duplicate keys
 * refused) with one tolerance: NaN, Infinity and -Infinity where a number may
 * stand, as rosbridge writes them. It builds no tree: an object is an index
 * of its members in the line, arrays are walked. So a map of millions of
 * cells is read straight into its cells. A tree library is the twin that the
 * tests compare with.
 *
 * Getters complain once: after the first failure the context is bad, further
 * calls do nothing and leave their outputs alone. So a record is read by
 * straight-line code and asked once at the end.
 */
#define PB_JSON_DEPTH 64  /* objects and arrays inside each other */
#define PB_JSON_KEYS  128 /* members of one object that is read */
#define PB_JSON_PATH  96  /* bytes of a field path, longer ones are cut */
#define PB_JSON_TUPLE 16  /* numbers of a tuple */

/* A value in the line. */
struct pb_jval {
	const char *s; /* its first byte */
	size_t n;      /* its length */
};

struct pb_jobj {
	struct {
		struct pb_jval key; /* with its quotes */
		struct pb_jval val;
	} member[PB_JSON_KEYS];
	int n;
};

/* What getters work on. */
struct pb_get {
	struct pb_jobj obj;
	char path[PB_JSON_PATH]; /* "pose", "pellets.pellets[3]" */
	struct pb_bad *bad;      /* filled on the first failure */
	bool ok;
};

enum pb_need { PB_OPTIONAL, PB_REQUIRED };

/* Index the object that is the whole of s[0..n); s[n] must be readable. */
bool pb_json_object(struct pb_get *g, const char *s, size_t n, const char *path,
    struct pb_bad *bad);

/* Whether the object has the key, with a value other than null. */
bool pb_get_has(const struct pb_get *g, const char *key);

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

/* An unsigned number of 64 bits, all of its digits kept. */
void pb_get_u64(
    struct pb_get *g, const char *key, enum pb_need need, uint64_t *out);

/* Exactly n <= PB_JSON_TUPLE finite numbers: [x, y, yaw]. */
void pb_get_nums(
    struct pb_get *g, const char *key, enum pb_need need, int n, double *out);

/*
 * A list of at most max numbers, NaN for null; NaN and infinities are kept.
 * *out is allocated, NULL if empty.
 */
void pb_get_list(struct pb_get *g, const char *key, enum pb_need need,
    size_t max, double **out, size_t *n);

/* Walks over the items of an array. */
struct pb_walk {
	struct pb_jval at; /* the item */
	const char *next;  /* behind it */
	const char *end;   /* the closing bracket */
	size_t i;          /* number of the item */
	const char *key;   /* of the array, for complaints */
};

/* Before the first item; false if there is no array. */
bool pb_get_walk(
    struct pb_get *g, const char *key, enum pb_need need, struct pb_walk *w);

/* To the next item; false at the end, or if something went wrong. */
bool pb_walk_next(struct pb_get *g, struct pb_walk *w);

/*
 * Room for all items of the array at whose start w is: *n of `size` bytes,
 * zeroed, from malloc. NULL if the array is empty or *n would be over max.
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

/* Raw value of key, .s NULL if there is none. */
struct pb_jval pb_get_raw(const struct pb_get *g, const char *key);

/* v as a whole number; false and *out untouched if it is none. */
bool pb_jval_long(struct pb_jval v, long *out);

/* What v is, for complaints: "a string", "null", ... */
const char *pb_jval_kind(struct pb_jval v);

/*
 * Decode a JSON string into buf.
 *
 * Returns  its length; size or more if it did not fit (buf then holds what
 *          fits, cut at a character)
 */
size_t pb_jval_text(struct pb_jval v, char *buf, size_t size);

#endif
