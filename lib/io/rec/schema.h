/* schema.h - types of records as rows of their members, which rec.c
 * interprets. */
#pragma once

#include <math.h>
#include <stddef.h>

#include "io/stream/json.h"
#include "io/stream/line.h"

/*
 * A row has a member's key, type, offset, valid range, and its value if
 * missing. Rows are written and read in their order: of two wrong members, the
 * first is reported. Members of other types have a codec.
 */
enum pb_kind {
	PB_KIND_NUM,    /* double, to 1e-6 */
	PB_KIND_EXACT,  /* double, in full */
	PB_KIND_SHORT,  /* double, six digits: later ones vary with the C
	                   library's logarithm */
	PB_KIND_ANGLE,  /* double, wrapped when read */
	PB_KIND_WHOLE,  /* int, long or size_t */
	PB_KIND_U64,    /* uint64_t, as a string beyond 63 bits */
	PB_KIND_HEX,    /* uint64_t, 16 hex digits */
	PB_KIND_FLAG,   /* bool */
	PB_KIND_TEXT,   /* char[size] */
	PB_KIND_CHOICE, /* int, index of a word in `words` */
	PB_KIND_CONST,  /* a constant, not stored */
	PB_KIND_RATIO,  /* quotient of two longs, only written */
	PB_KIND_GROUP,  /* rows of a struct inside, without a key */
	PB_KIND_OBJECT, /* rows of a struct inside, under a key */
	PB_KIND_LIST,   /* array of structs, each an object */
	PB_KIND_WHOLES, /* array of whole numbers */
	PB_KIND_REALS,  /* array of doubles, NaN is null */
	PB_KIND_TUPLES, /* array of arrays of equally many doubles */
	PB_KIND_POSE,   /* struct pb_pose, [x, y, theta] */
	PB_KIND_CODEC   /* code of its own */
};

enum pb_whole { PB_WHOLE_NONE, PB_WHOLE_INT, PB_WHOLE_LONG, PB_WHOLE_SIZE };

struct pb_field;

/* Functions for a member f of r, or all of r, of another type. */
struct pb_codec {
	void (*put)(struct pb_text *o, const struct pb_field *f, const void *r);
	void (*get)(struct pb_get *g, const struct pb_field *f, void *r);
	void (*clear)(void *member); /* free what it owns; or NULL */
};

struct pb_field {
	const char *key;
	const char *quoted; /* ,"key": as written */
	size_t length;      /* of quoted */
	enum pb_kind kind;
	enum pb_need need;
	size_t at;   /* offset of the member */
	size_t size; /* bytes of a text, or of an item of an array */
	struct {
		double lo, hi;
	} range;
	size_t other; /* offset of a second member: bound, flag or count */
	enum pb_whole whole, other_is; /* types of both, if whole numbers */
	const char *words;             /* of a choice */
	const char *expected;          /* expected value, for messages */
	const char *item;            /* expected item of tuples, for messages */
	const struct pb_field *rows; /* of a struct inside */
	size_t n;                    /* of rows; or most items of an array */
	bool exact;                  /* write all digits of numbers */
	bool all;                    /* an array must have n items */
	bool wrap; /* the last number of a tuple is an angle */
	const struct pb_codec *codec; /* of PB_KIND_CODEC */
};

/*
 * Rows, made from the member's name in the struct PB_OF: a member of another
 * type does not compile. need: REQUIRED, OPTIONAL, ... of enum pb_need; range:
 * one of those below.
 */
#define PB_MEMBER(m)   (((PB_OF *)0)->m)
#define PB_AT(type, m) _Generic(PB_MEMBER(m), type : offsetof(PB_OF, m))
#define PB_WHOLE(m)                      \
	_Generic(PB_MEMBER(m), int       \
		 : PB_WHOLE_INT, long    \
		 : PB_WHOLE_LONG, size_t \
		 : PB_WHOLE_SIZE)

/* Ranges. */
#define PB_RANGE_ANY           -INFINITY, INFINITY
#define PB_RANGE_NOT_NEGATIVE  0, INFINITY
#define PB_RANGE_SHARE         0, 1
#define PB_RANGE_COUNT         0, INT32_MAX
#define PB_RANGE_LINES         0, 0x1p63 /* or trials */
#define PB_RANGE_BETWEEN(a, b) a, b

#define PB_ROW(key_, kind_, need_, at_, range_, ...)                    \
	{                                                               \
		.key = key_, .quoted = ",\"" key_ "\":",                \
		.length = sizeof(",\"" key_ "\":") - 1,                 \
		.kind = PB_KIND_##kind_, .need = PB_##need_, .at = at_, \
		.range = {PB_RANGE_##range_}, __VA_ARGS__               \
	}
#define PB_HERE(m)     offsetof(PB_OF, m)
#define PB_ROWS(rows_) .rows = rows_, .n = sizeof(rows_) / sizeof(*(rows_))

#define NUM(key, m, need, range, unit_) \
	PB_ROW(key, NUM, need, PB_AT(double, m), range)
#define EXACT(key, m, need, range, unit_) \
	PB_ROW(key, EXACT, need, PB_AT(double, m), range)
#define SHORT(key, m, need, range) \
	PB_ROW(key, SHORT, need, PB_AT(double, m), range)
#define ANGLE(key, m, need) PB_ROW(key, ANGLE, need, PB_AT(double, m), ANY)
#define WHOLE(key, m, need, range) \
	PB_ROW(key, WHOLE, need, PB_HERE(m), range, .whole = PB_WHOLE(m))
#define U64(key, m, need)  PB_ROW(key, U64, need, PB_AT(uint64_t, m), ANY)
#define HEX(key, m, need)  PB_ROW(key, HEX, need, PB_AT(uint64_t, m), ANY)
#define FLAG(key, m, need) PB_ROW(key, FLAG, need, PB_AT(bool, m), ANY)
#define TEXT(key, m, need)                             \
	PB_ROW(key, TEXT, need, PB_AT(char *, m), ANY, \
	    .size = sizeof(PB_MEMBER(m)))
#define CHOICE(key, m, need, words_, expected_)                        \
	PB_ROW(key, CHOICE, need, PB_AT(int, m), ANY, .words = words_, \
	    .expected = expected_)
#define CODEC(key, m, need, codec_, unit_) \
	PB_ROW(key, CODEC, need, PB_HERE(m), ANY, .codec = &(codec_))

#define CODEC_OF_ALL(key, need, codec_, unit_) \
	PB_ROW(key, CODEC, need, 0, ANY, .codec = &(codec_))

/* A whole number from least to the value of another member, read before. */
#define UPTO(key, m, need, least, most)                         \
	PB_ROW(key, WHOLE, need, PB_HERE(m), BETWEEN(least, 0), \
	    .whole = PB_WHOLE(m), .other = PB_HERE(most),       \
	    .other_is = PB_WHOLE(most))

/* Members present if a flag is set; reading them sets it. */
#define U64_IF(key, m, flag)                             \
	PB_ROW(key, U64, GIVEN, PB_AT(uint64_t, m), ANY, \
	    .other = PB_AT(bool, flag))

/* A number written as null if unknown. */
#define NUM_IF(key, m, flag, range, unit_)               \
	PB_ROW(key, NUM, GIVEN, PB_AT(double, m), range, \
	    .other = PB_AT(bool, flag))

/* A flag about a number, written if the number is known. */
#define FLAG_OF(key, m, number)                       \
	PB_ROW(key, FLAG, KNOWN, PB_AT(bool, m), ANY, \
	    .other = PB_AT(double, number))

/* An angle; if missing, it is 0 and the flag is set. */
#define ANGLE_UNLESS(key, m, flag)                        \
	PB_ROW(key, ANGLE, UNLESS, PB_AT(double, m), ANY, \
	    .other = PB_AT(bool, flag))

/* Members that are constant, or computed when written. */
#define CONST(key, value, need) \
	PB_ROW(key, CONST, need, 0, BETWEEN(value, value))
#define RATIO(key, m, of)                                \
	PB_ROW(key, RATIO, WRITTEN, PB_AT(long, m), ANY, \
	    .other = PB_AT(long, of))

/* A value and its interval under key, key_lo, key_hi. */
#define ESTIMATE(key, value, in, unit) \
	NUM(key, value, OPTIONAL, ANY, unit), INTERVAL(key, in, unit)
#define INTERVAL(key, in, unit_)                     \
	NUM(key "_lo", in.lo, OPTIONAL, ANY, unit_), \
	    NUM(key "_hi", in.hi, OPTIONAL, ANY, unit_)

/* Rows of a struct inside: without a key, or under one. */
#define GROUP(m, rows_) \
	PB_ROW("", GROUP, REQUIRED, PB_HERE(m), ANY, PB_ROWS(rows_))
#define OBJECT(key, m, need, rows_) \
	PB_ROW(key, OBJECT, need, PB_HERE(m), ANY, PB_ROWS(rows_))

/* Rows that are present if a number is not 0, or a flag is set; when read, if
 * the first row is present. */
#define GROUP_COUNTED(m, count, rows_)                              \
	PB_ROW("", GROUP, NONZERO, PB_HERE(m), ANY, PB_ROWS(rows_), \
	    .other = PB_AT(int, count))
#define GROUP_IF(flag, rows_)                            \
	PB_ROW("", GROUP, GIVEN, 0, ANY, PB_ROWS(rows_), \
	    .other = PB_AT(bool, flag))

/*
 * Arrays of at most `most` items. If another member of type size_t has their
 * number, they are allocated; else they are in the struct, with an int as their
 * number, or of fixed length.
 */
#define PB_ITEMS(m)   .size = sizeof(*PB_MEMBER(m))
#define PB_COUNTED(c) .other = PB_HERE(c), .other_is = PB_WHOLE(c)

#define LIST(key, m, count, need, most, expected_, rows_)                  \
	PB_ROW(key, LIST, need, PB_HERE(m), BETWEEN(0, most), PB_ITEMS(m), \
	    PB_COUNTED(count), .expected = expected_, PB_ROWS(rows_))

/* Whole numbers >= 0 in the struct. */
#define WHOLES(key, m, count, expected_)                            \
	PB_ROW(key, WHOLES, OPTIONAL, PB_HERE(m), ANY, PB_ITEMS(m), \
	    .n = sizeof(PB_MEMBER(m)) / sizeof(*PB_MEMBER(m)),      \
	    .whole = PB_WHOLE(m[0]), PB_COUNTED(count), .expected = expected_)

/* Doubles in the struct: an int has their number, or missing ones are NAN. */
#define REALS(key, m, need, most, ...)                                    \
	PB_ROW(key, REALS, need, PB_HERE(m), ANY, .size = sizeof(double), \
	    .n = most, __VA_ARGS__)

/* Allocated points or poses. */
#define POINTS(key, m, count, need, unit_)                      \
	PB_ROW(key, TUPLES, need, PB_HERE(m), ANY, PB_ITEMS(m), \
	    PB_COUNTED(count), .n = PB_REC_POINTS_MAX,          \
	    .wrap = sizeof(*PB_MEMBER(m)) == 3 * sizeof(double))

/* Tuples in the struct. */
#define TUPLES(key, m, need, range, ...)                          \
	PB_ROW(key, TUPLES, need, PB_HERE(m), range, PB_ITEMS(m), \
	    .n = sizeof(PB_MEMBER(m)) / sizeof(*PB_MEMBER(m)), __VA_ARGS__)

/* [x, y, theta]; if missing, 0. */
#define POSE(key, m, need, exact_) \
	PB_ROW(key, POSE, need, PB_AT(struct pb_pose, m), ANY, .exact = exact_)

/* Cells of a board under "rows", if any. */
extern const struct pb_codec pb_rows_codec;

/* Address of a codec's member. */
#define PB_IN(r, f) ((void *)((const char *)(r) + (f)->at))

/* A type of record. */
struct pb_schema {
	const char *name;
	const char *opening; /* {"type":"name" */
	size_t length;       /* of opening */
	const struct pb_field *rows;
	size_t n;
	size_t size; /* of the struct */
	bool header; /* has neither time nor body */
	bool unread; /* only written: passed on when read */
	/* Called before the rows are read, and after them if all were valid. */
	void (*begin)(struct pb_get *g, void *r);
	void (*end)(struct pb_get *g, void *r);
};

/* Properties of a type, behind its rows; BODY: none. */
#define PB_TYPE(name_, of, rows_, ...)                                 \
	{                                                              \
		.name = name_, .opening = "{\"type\":\"" name_ "\"",   \
		.length = sizeof("{\"type\":\"" name_ "\"") - 1,       \
		PB_ROWS(rows_), .size = sizeof(struct of), __VA_ARGS__ \
	}
#define BODY   .header = false
#define HEADER .header = true

/* Round numbers and wrap angles as writing and reading would. Returns the key
 * of the first required member that is missing, NULL: none. */
const char *pb_schema_settle(const struct pb_schema *y, void *r);

/* Types by subject. */
extern const struct pb_schema pb_game_schemas[], pb_map_schemas[],
    pb_run_schemas[];

/* End the record and its line. */
void pb_put_end(struct pb_text *o);

/* Write ,"key":value; behind a bracket without the comma. */
void pb_put_key(struct pb_text *o, const char *key);
void pb_put_num(struct pb_text *o, const char *key, double v);

void pb_put_int(struct pb_text *o, const char *key, int64_t v);
void pb_put_text(struct pb_text *o, const char *key, const char *v);

/* [v[0], ...] */
void pb_put_nums(struct pb_text *o, const char *key, const double *v, size_t n);

/* Read any finite number. */
void pb_get_real(
    struct pb_get *g, const char *key, enum pb_need need, double *out);

#define PB_GET_WORD(g, key, need, field) \
	pb_get_text(g, key, need, field, sizeof(field))
