/* schema.h - a type of record as rows of its members; rec.c walks them. */
#pragma once

#include <math.h>
#include <stddef.h>

#include "io/stream/json.h"
#include "io/stream/line.h"

/*
 * A row says how a member is called, what it is, where it is, what it may be
 * and what it is when it is missing. Rows stand in the order in which they
 * are written, and are read in it: of two members that are wrong the first is
 * complained about. Members that are like no others have a codec.
 */
enum pb_kind {
	PB_KIND_NUM,    /* double, to 1e-6 */
	PB_KIND_EXACT,  /* double, in full */
	PB_KIND_SHORT,  /* double, to six digits: what comes after them is the
	                   C library's logarithm's */
	PB_KIND_ANGLE,  /* double, wrapped when read */
	PB_KIND_WHOLE,  /* int, long or size_t */
	PB_KIND_U64,    /* uint64_t, as a string beyond 63 bits */
	PB_KIND_HEX,    /* uint64_t, 16 hex digits */
	PB_KIND_FLAG,   /* bool */
	PB_KIND_TEXT,   /* char[size] */
	PB_KIND_CHOICE, /* int, the place of a word in `words` */
	PB_KIND_CONST,  /* a number that is always the same, in no member */
	PB_KIND_RATIO,  /* one long through another, only written */
	PB_KIND_GROUP,  /* rows of a struct inside, without a key */
	PB_KIND_OBJECT, /* rows of a struct inside, under a key */
	PB_KIND_LIST,   /* array of structs, each an object */
	PB_KIND_WHOLES, /* array of whole numbers */
	PB_KIND_REALS,  /* array of doubles, NaN is null */
	PB_KIND_TUPLES, /* array of arrays of as many doubles */
	PB_KIND_POSE,   /* struct pb_pose, [x, y, theta] */
	PB_KIND_CODEC   /* code of its own */
};

enum pb_whole { PB_WHOLE_NONE, PB_WHOLE_INT, PB_WHOLE_LONG, PB_WHOLE_SIZE };

struct pb_field;

/* A member f of r, or all of r, that is like no others. */
struct pb_codec {
	void (*put)(struct pb_text *o, const struct pb_field *f, const void *r);
	void (*get)(struct pb_get *g, const struct pb_field *f, void *r);
	void (*clear)(void *member); /* free what it owns; or NULL */
};

struct pb_field {
	const char *key;
	const char *quoted; /* ,"key": as it is written */
	size_t length;      /* of that */
	enum pb_kind kind;
	enum pb_need need;
	size_t at;   /* of the member */
	size_t size; /* of a text, of an item of an array (bytes) */
	struct {
		double lo, hi;
	} range;
	size_t other; /* of a second member: a bound, a flag, a count */
	enum pb_whole whole, other_is; /* what the two are, if numbers */
	const char *words;             /* of a choice */
	const char *expected;          /* complaint about all of it */
	const char *item;              /* complaint about an item of tuples */
	const struct pb_field *rows;   /* of a part */
	size_t n;                      /* of them; most items of an array */
	bool exact;                    /* numbers are written in full */
	bool all;                      /* an array has n items */
	bool wrap;                     /* a tuple's last number is an angle */
	const struct pb_codec *codec;  /* if that is its kind */
};

/*
 * Rows, made from the member's name in the struct that PB_OF is defined as: a
 * member of another type does not compile. need is REQUIRED, OPTIONAL, ..., as
 * in enum pb_need without its prefix; range is one of those below.
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

/* A whole number from least to what another member says, which is read. */
#define UPTO(key, m, need, least, most)                         \
	PB_ROW(key, WHOLE, need, PB_HERE(m), BETWEEN(least, 0), \
	    .whole = PB_WHOLE(m), .other = PB_HERE(most),       \
	    .other_is = PB_WHOLE(most))

/* Members that a flag says are given: it is set when they are read. */
#define U64_IF(key, m, flag)                             \
	PB_ROW(key, U64, GIVEN, PB_AT(uint64_t, m), ANY, \
	    .other = PB_AT(bool, flag))

/* A number that is written as null if it is not known. */
#define NUM_IF(key, m, flag, range, unit_)               \
	PB_ROW(key, NUM, GIVEN, PB_AT(double, m), range, \
	    .other = PB_AT(bool, flag))

/* A flag that says something of a number, if that is known. */
#define FLAG_OF(key, m, number)                       \
	PB_ROW(key, FLAG, KNOWN, PB_AT(bool, m), ANY, \
	    .other = PB_AT(double, number))

/* An angle that is 0 and a flag where it is missing. */
#define ANGLE_UNLESS(key, m, flag)                        \
	PB_ROW(key, ANGLE, UNLESS, PB_AT(double, m), ANY, \
	    .other = PB_AT(bool, flag))

/* What is there always, and what follows from the rest. */
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

/* Rows of a struct inside: among those of this one, or under a key. */
#define GROUP(m, rows_) \
	PB_ROW("", GROUP, REQUIRED, PB_HERE(m), ANY, PB_ROWS(rows_))
#define OBJECT(key, m, need, rows_) \
	PB_ROW(key, OBJECT, need, PB_HERE(m), ANY, PB_ROWS(rows_))

/* More rows, if a number is not 0, or a flag is set: if the first is there. */
#define GROUP_COUNTED(m, count, rows_)                              \
	PB_ROW("", GROUP, NONZERO, PB_HERE(m), ANY, PB_ROWS(rows_), \
	    .other = PB_AT(int, count))
#define GROUP_IF(flag, rows_)                            \
	PB_ROW("", GROUP, GIVEN, 0, ANY, PB_ROWS(rows_), \
	    .other = PB_AT(bool, flag))

/*
 * Arrays: at most `most` items. Those that another member of size_t counts are
 * allocated; others are in the struct, counted by an int, or by nothing where
 * they are always all there.
 */
#define PB_ITEMS(m)   .size = sizeof(*PB_MEMBER(m))
#define PB_COUNTED(c) .other = PB_HERE(c), .other_is = PB_WHOLE(c)

#define LIST(key, m, count, need, most, expected_, rows_)                  \
	PB_ROW(key, LIST, need, PB_HERE(m), BETWEEN(0, most), PB_ITEMS(m), \
	    PB_COUNTED(count), .expected = expected_, PB_ROWS(rows_))

/* Whole numbers of at least 0, in the struct. */
#define WHOLES(key, m, count, expected_)                            \
	PB_ROW(key, WHOLES, OPTIONAL, PB_HERE(m), ANY, PB_ITEMS(m), \
	    .n = sizeof(PB_MEMBER(m)) / sizeof(*PB_MEMBER(m)),      \
	    .whole = PB_WHOLE(m[0]), PB_COUNTED(count), .expected = expected_)

/* Doubles in the struct: an int counts them, or those missing are NaN. */
#define REALS(key, m, need, most, ...)                                    \
	PB_ROW(key, REALS, need, PB_HERE(m), ANY, .size = sizeof(double), \
	    .n = most, __VA_ARGS__)

/* Points, or poses, allocated. */
#define POINTS(key, m, count, need, unit_)                      \
	PB_ROW(key, TUPLES, need, PB_HERE(m), ANY, PB_ITEMS(m), \
	    PB_COUNTED(count), .n = PB_REC_POINTS_MAX,          \
	    .wrap = sizeof(*PB_MEMBER(m)) == 3 * sizeof(double))

/* Tuples in the struct. */
#define TUPLES(key, m, need, range, ...)                          \
	PB_ROW(key, TUPLES, need, PB_HERE(m), range, PB_ITEMS(m), \
	    .n = sizeof(PB_MEMBER(m)) / sizeof(*PB_MEMBER(m)), __VA_ARGS__)

/* [x, y, theta]; 0 if it is missing. */
#define POSE(key, m, need, exact_) \
	PB_ROW(key, POSE, need, PB_AT(struct pb_pose, m), ANY, .exact = exact_)

/* The cells of a board under "rows", if it has any. */
extern const struct pb_codec pb_rows_codec;

/* Where a codec finds its member, if it is not of all. */
#define PB_IN(r, f) ((void *)((const char *)(r) + (f)->at))

/* A type of record. */
struct pb_schema {
	const char *name;
	const char *opening; /* {"type":"name" */
	size_t length;       /* of that */
	const struct pb_field *rows;
	size_t n;
	size_t size; /* of the struct */
	bool header; /* neither time nor body */
	bool unread; /* no tool reads it: it is passed on as it came */
	/* Before the rows are read, and after them if they were fine. */
	void (*begin)(struct pb_get *g, void *r);
	void (*end)(struct pb_get *g, void *r);
};

/* Special properties of a type follow its rows; BODY: none. */
#define PB_TYPE(name_, of, rows_, ...)                                 \
	{                                                              \
		.name = name_, .opening = "{\"type\":\"" name_ "\"",   \
		.length = sizeof("{\"type\":\"" name_ "\"") - 1,       \
		PB_ROWS(rows_), .size = sizeof(struct of), __VA_ARGS__ \
	}
#define BODY   .header = false
#define HEADER .header = true

/*
 * Numbers and angles as they would be if they had been written and read.
 * Returns the key of the first that must be there and is not, or NULL.
 */
const char *pb_schema_settle(const struct pb_schema *y, void *r);

/* Of each subject, those types that belong to it. */
extern const struct pb_schema pb_game_schemas[], pb_map_schemas[],
    pb_run_schemas[];

/* End the record's object, and its line. */
void pb_put_end(struct pb_text *o);

/* One field: ,"key":value, without the comma behind a bracket. */
void pb_put_key(struct pb_text *o, const char *key);
void pb_put_num(struct pb_text *o, const char *key, double v);

void pb_put_int(struct pb_text *o, const char *key, int64_t v);
void pb_put_text(struct pb_text *o, const char *key, const char *v);

/* [v[0], ...] */
void pb_put_nums(struct pb_text *o, const char *key, const double *v, size_t n);

/* Any finite number. */
void pb_get_real(
    struct pb_get *g, const char *key, enum pb_need need, double *out);

#define PB_GET_WORD(g, key, need, field) \
	pb_get_text(g, key, need, field, sizeof(field))
