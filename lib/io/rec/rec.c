/* rec.c - read, write and list records of any type by the rows of their
 * schemas. */
#include "io/rec/rec.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/rec/schema.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"
#include "pb/geom.h"
#include "pb/param.h"
#include "pb/version.h"

struct pb_stamp
pb_stamp_at(double t, const char *id)
{
	struct pb_stamp s = {.t = t};

	if (id)
		PB_REC_SET(s.id, id);
	return s;
}

struct pb_stamp
pb_stamp_none(void)
{
	return pb_stamp_at(NAN, NULL);
}

void
pb_rec_set(char *out, size_t size, const char *text)
{
	size_t n = pb_utf8_cut(text, strlen(text), size - 1);

	memcpy(out, text, n);
	out[n] = 0;
}

/* The schema of a type, NULL: unknown. */
static const struct pb_schema *
find_schema(enum pb_rec_type type)
{
	const struct pb_schema *const all[] = {
	    pb_game_schemas, pb_map_schemas, pb_run_schemas};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (all[i][type].name)
			return &all[i][type];
	return NULL;
}

const char *
pb_rec_name(enum pb_rec_type type)
{
	const struct pb_schema *y = find_schema(type);

	return y ? y->name : "";
}

/* Types by a hash of their names, PB_REC_OTHER: none. */
static unsigned char of_hash[256];

static unsigned char
hash_name(const char *name)
{
	size_t n = strlen(name);

	return (unsigned char)(n > 0 ? 8 * name[0] + 3 * name[n - 1] + n : 0);
}

static void
fill_hash(void)
{
	for (int i = 1; i < PB_REC_TYPES; i++) {
		unsigned char at = hash_name(pb_rec_name((enum pb_rec_type)i));

		while (of_hash[at] != PB_REC_OTHER)
			at++;
		of_hash[at] = (unsigned char)i;
	}
}

/* The type with that name, PB_REC_OTHER: none. */
static enum pb_rec_type
find_type(const char *name)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	unsigned char at;

	pthread_once(&once, fill_hash);
	for (at = hash_name(name); of_hash[at] != PB_REC_OTHER; at++)
		if (strcmp(name, pb_rec_name(of_hash[at])) == 0)
			return of_hash[at];
	return PB_REC_OTHER;
}

void
pb_put_end(struct pb_text *o)
{
	pb_text_put(o, "}", 1);
	pb_text_line(o);
}

void
pb_put_key(struct pb_text *o, const char *key)
{
	size_t n = strlen(key);
	char *at = pb_text_room(o, n + 4);

	if (o->len > 0 && at[-1] != '{')
		*at++ = ',';
	*at++ = '"';
	memcpy(at, key, n);
	at += n;
	*at++ = '"';
	*at++ = ':';
	o->len = (size_t)(at - o->s);
}

void
pb_put_num(struct pb_text *o, const char *key, double v)
{
	pb_put_key(o, key);
	pb_text_num(o, v);
}

void
pb_put_int(struct pb_text *o, const char *key, int64_t v)
{
	pb_put_key(o, key);
	pb_text_int(o, v);
}

void
pb_put_text(struct pb_text *o, const char *key, const char *v)
{
	pb_put_key(o, key);
	pb_text_string(o, v);
}

static void
write_numbers(struct pb_text *o, const double *v, size_t n, bool exact)
{
	pb_text_put(o, "[", 1);
	for (size_t i = 0; i < n; i++) {
		pb_text_put(o, ",", i ? 1 : 0);
		if (exact)
			pb_text_exact(o, v[i]);
		else
			pb_text_num(o, v[i]);
	}
	pb_text_put(o, "]", 1);
}

void
pb_put_nums(struct pb_text *o, const char *key, const double *v, size_t n)
{
	pb_put_key(o, key);
	write_numbers(o, v, n, false);
}

void
pb_get_real(struct pb_get *g, const char *key, enum pb_need need, double *out)
{
	pb_get_num(g, key, need, -INFINITY, INFINITY, out);
}

/* Wrap an angle unless it is a rounded pi. */
static double
wrap_beyond_pi(double a)
{
	/* Rounded pi, 3.141593, must not become -pi. */
	return fabs(a) <= PB_PI + 1e-6 ? a : pb_wrap(a);
}

static void write_rows(
    struct pb_text *o, const struct pb_field *f, size_t n, const void *r);
static void read_rows(
    struct pb_get *g, const struct pb_field *f, size_t n, void *r);

/* The member at offset `at` of r. */
#define READ(type, r, at) \
	(*(const type *)(const void *)((const char *)(r) + (at)))
#define EDIT(type, r, at) (*(type *)(void *)((char *)(r) + (at)))

/* Read a whole number of any width. */
static long
read_whole(enum pb_whole kind, const void *r, size_t at)
{
	if (kind == PB_WHOLE_INT)
		return READ(int, r, at);
	if (kind == PB_WHOLE_LONG)
		return READ(long, r, at);
	return (long)READ(size_t, r, at);
}

static void
set_whole(enum pb_whole kind, void *r, size_t at, long v)
{
	if (kind == PB_WHOLE_INT)
		EDIT(int, r, at) = (int)v;
	else if (kind == PB_WHOLE_LONG)
		EDIT(long, r, at) = v;
	else
		EDIT(size_t, r, at) = (size_t)v;
}

static double
read_ratio(const struct pb_field *f, const void *r)
{
	long n = READ(long, r, f->at), of = READ(long, r, f->other);

	return n >= 0 && of > 0 ? (double)n / (double)of : NAN;
}

/* Whether the array is allocated. */
static bool
is_owned(const struct pb_field *f)
{
	return f->kind >= PB_KIND_LIST && f->other_is == PB_WHOLE_SIZE;
}

/* Whether any of three numbers differs from `none`, which may be NAN. */
static bool
differs_from(const double v[3], double none)
{
	for (int i = 0; i < 3; i++)
		if (isnan(none) ? !isnan(v[i]) : v[i] != none)
			return true;
	return false;
}

/* Whether an optional member is present, see rec.h. */
static bool
is_known(const struct pb_field *f, const void *r)
{
	if (f->kind <= PB_KIND_ANGLE)
		return isfinite(READ(double, r, f->at));
	switch (f->kind) {
	case PB_KIND_WHOLE:
		return read_whole(f->whole, r, f->at) >= 0;
	case PB_KIND_U64:
	case PB_KIND_HEX:
		return READ(uint64_t, r, f->at) != 0;
	case PB_KIND_FLAG:
		return READ(bool, r, f->at);
	case PB_KIND_TEXT:
		return READ(char, r, f->at) != 0;
	case PB_KIND_LIST:
	case PB_KIND_WHOLES:
	case PB_KIND_TUPLES:
		return read_whole(f->other_is, r, f->other) > 0;
	case PB_KIND_REALS:
		return differs_from(&READ(double, r, f->at), NAN);
	case PB_KIND_POSE:
		return differs_from(&READ(double, r, f->at), 0);
	case PB_KIND_OBJECT:
		return is_known(f->rows, (const char *)r + f->at);
	default:
		return true;
	}
}

/* Whether NONZERO omits the member: by its own count, or the first row of an
 * object. */
static bool
is_zero(const struct pb_field *f, const void *r)
{
	if (f->kind == PB_KIND_GROUP)
		return READ(int, r, f->other) == 0;
	if (f->kind == PB_KIND_OBJECT)
		return is_zero(f->rows, (const char *)r + f->at);
	if (f->kind <= PB_KIND_ANGLE)
		return !(READ(double, r, f->at) > 0);
	return read_whole(f->whole, r, f->at) == 0;
}

static bool
is_written(const struct pb_field *f, const void *r)
{
	switch (f->need) {
	case PB_OPTIONAL:
		return is_known(f, r);
	case PB_NONZERO:
		return !is_zero(f, r) && is_known(f, r);
	case PB_GIVEN:
		return READ(bool, r, f->other);
	case PB_UNLESS:
		return !READ(bool, r, f->other);
	case PB_KNOWN:
		return !isnan(READ(double, r, f->other));
	case PB_READ:
		return false;
	default:
		return f->kind != PB_KIND_RATIO || !isnan(read_ratio(f, r));
	}
}

/* Write the key; the first of an object has no comma before it. */
static void
write_key(struct pb_text *o, const struct pb_field *f)
{
	size_t skip = o->len > 0 && o->s[o->len - 1] == '{';

	pb_text_put(o, f->quoted + skip, f->length - skip);
}

static void
write_item(struct pb_text *o, const struct pb_field *f, const void *item)
{
	switch (f->kind) {
	case PB_KIND_LIST:
		pb_text_put(o, "{", 1);
		write_rows(o, f->rows, f->n, item);
		pb_text_put(o, "}", 1);
		break;
	case PB_KIND_WHOLES:
		pb_text_int(o, read_whole(f->whole, item, 0));
		break;
	case PB_KIND_REALS:
		pb_text_num(o, READ(double, item, 0));
		break;
	default:
		write_numbers(o, item, f->size / sizeof(double), f->exact);
		break;
	}
}

static void
write_items(struct pb_text *o, const struct pb_field *f, const void *r)
{
	size_t n =
	    f->other_is ? (size_t)read_whole(f->other_is, r, f->other) : f->n;
	const char *item =
	    is_owned(f) ? READ(void *, r, f->at) : (const char *)r + f->at;

	pb_text_put(o, "[", 1);
	for (size_t i = 0; i < n; i++, item += f->size) {
		pb_text_put(o, ",", i ? 1 : 0);
		write_item(o, f, item);
	}
	pb_text_put(o, "]", 1);
}

static void
write_whole(struct pb_text *o, const struct pb_field *f, const void *r)
{
	if (f->need == PB_NULLED && !is_known(f, r))
		pb_text_num(o, NAN);
	else
		pb_text_int(o, read_whole(f->whole, r, f->at));
}

/* Write six digits. */
static void
write_short(struct pb_text *o, double v)
{
	char digits[PB_NUM_MAX];

	snprintf(digits, sizeof(digits), "%.6g", v);
	pb_num_parse(digits, &v);
	pb_text_exact(o, v);
}

static void
write_hex(struct pb_text *o, uint64_t v)
{
	char hex[18];

	for (int i = 16; i >= 1; i--, v >>= 4)
		hex[i] = "0123456789abcdef"[v & 15];
	hex[0] = hex[17] = '"';
	pb_text_put(o, hex, sizeof(hex));
}

static void
write_choice(struct pb_text *o, const char *words, int i)
{
	size_t n;
	const char *word = pb_word(words, i, &n);

	pb_text_put(o, "\"", 1);
	pb_text_put(o, word, n);
	pb_text_put(o, "\"", 1);
}

/* Write the value of a member with a key and without a codec. */
static void
write_value(struct pb_text *o, const struct pb_field *f, const void *r)
{
	switch (f->kind) {
	case PB_KIND_NUM:
	case PB_KIND_ANGLE:
		pb_text_num(o, READ(double, r, f->at));
		break;
	case PB_KIND_EXACT:
		pb_text_exact(o, READ(double, r, f->at));
		break;
	case PB_KIND_SHORT:
		write_short(o, READ(double, r, f->at));
		break;
	case PB_KIND_WHOLE:
		write_whole(o, f, r);
		break;
	case PB_KIND_U64:
		pb_text_u64(o, READ(uint64_t, r, f->at));
		break;
	case PB_KIND_HEX:
		write_hex(o, READ(uint64_t, r, f->at));
		break;
	case PB_KIND_FLAG:
		pb_text_puts(o, READ(bool, r, f->at) ? "true" : "false");
		break;
	case PB_KIND_TEXT:
		pb_text_string(o, &READ(char, r, f->at));
		break;
	case PB_KIND_CHOICE:
		write_choice(o, f->words, READ(int, r, f->at));
		break;
	case PB_KIND_CONST:
		pb_text_int(o, (int64_t)f->range.lo);
		break;
	case PB_KIND_RATIO:
		pb_text_num(o, read_ratio(f, r));
		break;
	case PB_KIND_OBJECT:
		pb_text_put(o, "{", 1);
		write_rows(o, f->rows, f->n, (const char *)r + f->at);
		pb_text_put(o, "}", 1);
		break;
	case PB_KIND_LIST:
	case PB_KIND_WHOLES:
	case PB_KIND_REALS:
	case PB_KIND_TUPLES:
		write_items(o, f, r);
		break;
	case PB_KIND_POSE:
		write_numbers(o, &READ(double, r, f->at), 3, f->exact);
		break;
	default:
		break;
	}
}

static void
write_rows(struct pb_text *o, const struct pb_field *f, size_t n, const void *r)
{
	for (size_t i = 0; i < n; i++) {
		if (!is_written(&f[i], r)) {
			continue;
		} else if (f[i].kind == PB_KIND_GROUP) {
			write_rows(
			    o, f[i].rows, f[i].n, (const char *)r + f[i].at);
		} else if (f[i].kind == PB_KIND_CODEC) {
			if (f[i].codec->put)
				f[i].codec->put(o, &f[i], r);
		} else {
			write_key(o, &f[i]);
			write_value(o, &f[i], r);
		}
	}
}

void
pb_rec_put(
    struct pb_text *o, enum pb_rec_type type, struct pb_stamp s, const void *r)
{
	const struct pb_schema *y = find_schema(type);

	pb_text_put(o, y->opening, y->length);
	if (isfinite(s.t))
		pb_put_num(o, "t", s.t);
	if (*s.id)
		pb_put_text(o, "id", s.id);
	write_rows(o, y->rows, y->n, r);
	pb_put_end(o);
}

/* Write a value as in the record, except for quotes of texts, and flags as R's
 * read.csv expects them (TRUE, FALSE). */
static void
write_field(struct pb_text *o, const struct pb_field *f, const void *r)
{
	size_t at = o->len;

	if (f->kind == PB_KIND_TEXT) {
		pb_text_field(o, &READ(char, r, f->at));
		return;
	}
	if (f->kind == PB_KIND_FLAG)
		pb_text_puts(o, READ(bool, r, f->at) ? "TRUE" : "FALSE");
	else
		write_value(o, f, r);
	if (at < o->len && o->s[at] == '"') {
		memmove(o->s + at, o->s + at + 1, o->len - at - 2);
		o->len -= 2;
	}
	pb_text_put(o, ",", 1);
}

/* is: whether the group of these rows is present. */
static void
write_fields(struct pb_text *o, const struct pb_field *f, size_t n,
    const void *r, bool is)
{
	for (; n > 0; f++, n--) {
		bool num = f->kind <= PB_KIND_ANGLE;
		bool known = is && r && is_written(f, r);

		if (f->kind == PB_KIND_GROUP)
			write_fields(o, f->rows, f->n,
			    r ? (const char *)r + f->at : NULL, known);
		else if (f->kind >= PB_KIND_GROUP)
			continue;
		else if (r && (f->kind == PB_KIND_FLAG ||
				  (known && !(num && !is_known(f, r)))))
			write_field(o, f, r);
		else
			pb_text_field(o, r ? "" : f->key);
	}
}

void
pb_rec_row(struct pb_text *o, enum pb_rec_type type, const void *r)
{
	const struct pb_schema *y = find_schema(type);

	write_fields(o, y->rows, y->n, r, true);
}

/* Set members to "missing" where that is not 0. */
static void
set_none(const struct pb_field *f, size_t n, void *r)
{
	for (const struct pb_field *end = f + n; f < end; f++) {
		bool zero = f->need == PB_ALWAYS || f->need == PB_NONZERO ||
		            f->need == PB_UNLESS;

		if (f->kind <= PB_KIND_ANGLE)
			EDIT(double, r, f->at) = zero ? 0 : NAN;
		switch (f->kind) {
		case PB_KIND_WHOLE:
			if (f->need == PB_OPTIONAL || f->need == PB_NULLED)
				set_whole(f->whole, r, f->at, -1);
			else if (f->range.lo > 0) /* counted from 1 */
				set_whole(
				    f->whole, r, f->at, (long)f->range.lo);
			break;
		case PB_KIND_CHOICE:
			if (f->range.lo > 0) /* not the first word */
				EDIT(int, r, f->at) = (int)f->range.lo;
			break;
		case PB_KIND_GROUP:
		case PB_KIND_OBJECT:
			if (f->need != PB_NONZERO && f->need != PB_GIVEN)
				set_none(f->rows, f->n, (char *)r + f->at);
			break;
		default:
			break;
		}
	}
}

void
pb_rec_none(enum pb_rec_type type, void *r)
{
	const struct pb_schema *y = find_schema(type);

	memset(r, 0, y->size);
	set_none(y->rows, y->n, r);
}

static void
read_long(struct pb_get *g, const struct pb_field *f, void *r)
{
	double limit = f->range.hi; /* 2^63 exceeds long: no limit */
	long v = read_whole(f->whole, r, f->at);
	long hi = limit < 0x1p63 ? (long)limit : LONG_MAX;

	if (f->other_is)
		hi = read_whole(f->other_is, r, f->other);
	pb_get_int(g, f->key, f->need, (long)f->range.lo, hi, &v);
	set_whole(f->whole, r, f->at, v);
}

static void
read_hex(struct pb_get *g, const char *key, enum pb_need need, uint64_t *out)
{
	char text[18] = "";

	pb_get_text(g, key, need, text, sizeof(text));
	if (!*g->ok || !*text)
		return;
	if (strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16)
		*out = strtoull(text, NULL, 16);
	else
		pb_get_fail(g, key, "16 hex digits");
}

static void
read_choice(struct pb_get *g, const struct pb_field *f, int *out)
{
	char word[PB_REC_WORD] = "";
	int i;

	PB_GET_WORD(g, f->key, f->need, word);
	i = pb_word_find(f->words, word, strlen(word));
	if (i >= 0)
		*out = i;
	else if (*word || (f->expected && pb_get_value(g, f->key)))
		pb_get_fail(g, f->key, f->expected ? f->expected : f->words);
}

/* Read a struct with its own rows. */
static void
read_object(struct pb_get *g, const struct pb_field *f, void *r)
{
	struct pb_get sub;

	if (pb_get_object(g, f->key, f->need, &sub))
		read_rows(&sub, f->rows, f->n, r);
}

/* Read an object of an array; its members are missing at first. */
static void
read_listed(
    struct pb_get *g, struct pb_walk *w, const struct pb_field *f, void *item)
{
	struct pb_get sub;

	if (!pb_walk_object(g, w, &sub))
		return;
	set_none(f->rows, f->n, item);
	read_rows(&sub, f->rows, f->n, item);
}

/* Read numbers in the range of f. */
static void
read_tuple(
    struct pb_get *g, struct pb_walk *w, const struct pb_field *f, double *v)
{
	size_t numbers = f->size / sizeof(*v);

	if (!pb_walk_nums(g, w, (int)numbers, v))
		return;
	for (size_t i = 0; i < numbers; i++)
		if (v[i] < f->range.lo || v[i] > f->range.hi)
			pb_walk_fail(g, w, f->item);
	if (f->wrap)
		v[2] = wrap_beyond_pi(v[2]);
}

static void
read_item(
    struct pb_get *g, struct pb_walk *w, const struct pb_field *f, void *item)
{
	long v;

	if (f->kind == PB_KIND_LIST)
		read_listed(g, w, f, item);
	else if (f->kind == PB_KIND_TUPLES)
		read_tuple(g, w, f, item);
	else if (!pb_json_long(w->at, &v) || v < 0 || v > INT32_MAX)
		pb_walk_fail(g, w, "a whole number of at least 0");
	else
		set_whole(f->whole, item, 0, v);
}

/* Read an array; it is allocated if the struct owns it. */
static void
read_items(struct pb_get *g, const struct pb_field *f, void *r)
{
	size_t most = f->kind == PB_KIND_LIST ? (size_t)f->range.hi : f->n;
	struct pb_walk w;
	char *item = (char *)r + f->at;

	if (!pb_get_walk(g, f->key, f->need, &w))
		return;
	if (is_owned(f)) {
		item = pb_get_room(
		    g, &w, most, f->size, &EDIT(size_t, r, f->other));
		EDIT(void *, r, f->at) = item;
	}
	for (; item && pb_walk_next(g, &w); item += f->size)
		if (w.i < most)
			read_item(g, &w, f, item);
		else
			pb_get_fail(g, f->key, f->expected);
	if (*g->ok && f->all && w.i < most)
		pb_get_fail(g, f->key, f->expected);
	if (f->other_is == PB_WHOLE_INT)
		EDIT(int, r, f->other) = *g->ok ? (int)w.i : 0;
}

/* Read at most n numbers; null and missing ones become NAN. */
static void
read_reals(struct pb_get *g, const struct pb_field *f, void *r)
{
	double *v = &EDIT(double, r, f->at), *list;
	size_t n;

	pb_get_list(g, f->key, f->need, f->n, &list, &n);
	for (size_t i = 0; i < f->n; i++)
		v[i] = i < n ? list[i] : f->other_is ? 0 : NAN;
	free(list);
	if (f->other_is)
		EDIT(int, r, f->other) = (int)n;
}

static void
read_pose(struct pb_get *g, const struct pb_field *f, struct pb_pose *p)
{
	double v[3] = {0};

	pb_get_nums(g, f->key, f->need, 3, v);
	*p = (struct pb_pose){
	    v[0], v[1], f->exact ? pb_wrap(v[2]) : wrap_beyond_pi(v[2])};
}

/* Read rows that may all be missing. */
static void
read_group(struct pb_get *g, const struct pb_field *f, void *r)
{
	if (f->need == PB_NONZERO && is_zero(f, r))
		return;
	if (f->need == PB_GIVEN) {
		bool given = pb_get_value(g, f->rows->key) != NULL;

		EDIT(bool, r, f->other) = given;
		if (!given)
			return;
	}
	if (f->need != PB_REQUIRED)
		set_none(f->rows, f->n, (char *)r + f->at);
	read_rows(g, f->rows, f->n, (char *)r + f->at);
}

static void
read_field(struct pb_get *g, const struct pb_field *f, void *r)
{
	double a = NAN;
	long same;

	switch (f->kind) {
	case PB_KIND_NUM:
	case PB_KIND_EXACT:
	case PB_KIND_SHORT:
		pb_get_num(g, f->key, f->need, f->range.lo, f->range.hi,
		    &EDIT(double, r, f->at));
		break;
	case PB_KIND_ANGLE:
		pb_get_real(g, f->key, f->need, &a);
		if (!isnan(a))
			EDIT(double, r, f->at) = wrap_beyond_pi(a);
		break;
	case PB_KIND_WHOLE:
		read_long(g, f, r);
		break;
	case PB_KIND_U64:
		pb_get_u64(g, f->key, f->need, &EDIT(uint64_t, r, f->at));
		break;
	case PB_KIND_HEX:
		read_hex(g, f->key, f->need, &EDIT(uint64_t, r, f->at));
		break;
	case PB_KIND_FLAG:
		pb_get_bool(g, f->key, f->need, &EDIT(bool, r, f->at));
		break;
	case PB_KIND_TEXT:
		pb_get_text(g, f->key, f->need, &EDIT(char, r, f->at), f->size);
		break;
	case PB_KIND_CHOICE:
		read_choice(g, f, &EDIT(int, r, f->at));
		break;
	case PB_KIND_CONST:
		pb_get_int(g, f->key, f->need, (long)f->range.lo,
		    (long)f->range.hi, &same);
		break;
	case PB_KIND_GROUP:
		read_group(g, f, r);
		break;
	case PB_KIND_OBJECT:
		read_object(g, f, (char *)r + f->at);
		break;
	case PB_KIND_LIST:
	case PB_KIND_WHOLES:
	case PB_KIND_TUPLES:
		read_items(g, f, r);
		break;
	case PB_KIND_REALS:
		read_reals(g, f, r);
		break;
	case PB_KIND_POSE:
		read_pose(g, f, &EDIT(struct pb_pose, r, f->at));
		break;
	case PB_KIND_CODEC:
		if (f->codec->get)
			f->codec->get(g, f, r);
		break;
	case PB_KIND_RATIO:
		break;
	}
}

static void
read_rows(struct pb_get *g, const struct pb_field *f, size_t n, void *r)
{
	for (size_t i = 0; *g->ok && i < n; i++) {
		if (f[i].need == PB_WRITTEN)
			continue;
		if ((f[i].need == PB_GIVEN && f[i].kind != PB_KIND_GROUP) ||
		    f[i].need == PB_UNLESS)
			EDIT(bool, r, f[i].other) =
			    (pb_get_value(g, f[i].key) != NULL) ==
			    (f[i].need == PB_GIVEN);
		read_field(g, &f[i], r);
	}
}

const char *
pb_schema_settle(const struct pb_schema *y, void *r)
{
	const char *missing = NULL;

	for (size_t i = 0; i < y->n; i++) {
		const struct pb_field *f = &y->rows[i];
		double v;

		if (f->kind != PB_KIND_NUM && f->kind != PB_KIND_ANGLE)
			continue;
		v = pb_num_rounded(READ(double, r, f->at));
		if (f->kind == PB_KIND_ANGLE)
			v = wrap_beyond_pi(v);
		EDIT(double, r, f->at) = isfinite(v) ? v : NAN;
		if (f->need == PB_REQUIRED && !isfinite(v) && !missing)
			missing = f->key;
	}
	return missing;
}

/* Free what r owns. */
static void
clear_rows(const struct pb_field *f, size_t n, void *r)
{
	for (const struct pb_field *end = f + n; f < end; f++)
		if (is_owned(f))
			free(EDIT(void *, r, f->at));
		else if (f->kind == PB_KIND_GROUP)
			clear_rows(f->rows, f->n, (char *)r + f->at);
		else if (f->kind == PB_KIND_CODEC && f->codec->clear)
			f->codec->clear(PB_IN(r, f));
}

/* Read the members of a record of r->type. */
static void
read_record(struct pb_get *g, struct pb_rec *r)
{
	const struct pb_schema *y = find_schema(r->type);

	strcpy(g->path, y->name);
	pb_get_real(g, "t", PB_OPTIONAL, &r->stamp.t);
	PB_GET_WORD(g, "id", PB_OPTIONAL, r->stamp.id);
	r->owns = true;
	pb_rec_none(r->type, &r->map);
	if (y->begin)
		y->begin(g, &r->map);
	read_rows(g, y->rows, y->n, &r->map);
	if (*g->ok && y->end)
		y->end(g, &r->map);
	if (!*g->ok)
		pb_rec_clear(r);
}

static bool
is_wanted(uint64_t want, enum pb_rec_type type)
{
	const struct pb_schema *y = find_schema(type);

	return y && !y->unread && (want & PB_REC_BIT(type)) != 0;
}

/* Most lines begin with their type: of unwanted types, only validate the
 * line. */
static bool
skip_unwanted(const char *s, size_t n, uint64_t want, struct pb_rec *r)
{
	char name[64];
	enum pb_rec_type type;

	if (!pb_json_type(s, n, name, sizeof(name)))
		return false;
	type = find_type(name);
	if (is_wanted(want, type) || !pb_json_look(s, n, &r->stamp.t))
		return false;
	r->type = type;
	return true;
}

bool
pb_rec_read(const char *s, size_t n, uint64_t want, struct pb_rec *r,
    struct pb_error *bad)
{
	const struct pb_json_value *v;
	struct pb_json line;
	struct pb_get g;

	r->type = PB_REC_OTHER;
	r->owns = false;
	r->stamp = (struct pb_stamp){.t = NAN};
	if (skip_unwanted(s, n, want, r))
		return true;
	if (!pb_json_open(&line, s, n, "record", &g, bad))
		return false;
	v = pb_get_value(&g, "type");
	if (pb_json_text(v) == NULL)
		pb_get_fail(&g, "type", "a string");
	else
		r->type = find_type(v->text);
	if (*g.ok && is_wanted(want, r->type))
		read_record(&g, r);
	else if (*g.ok && pb_json_is_number(v = pb_get_value(&g, "t")))
		r->stamp.t = pb_json_number(v); /* see rec.h */
	pb_json_close(&line);
	return *g.ok;
}

struct pb_rec *
pb_rec_add(struct pb_rec_few *f, enum pb_rec_type type, struct pb_stamp s)
{
	struct pb_rec *r = &f->rec[f->n++];

	r->type = type;
	r->owns = true;
	r->stamp = s;
	return r;
}

void
pb_rec_clear(struct pb_rec *r)
{
	const struct pb_schema *y = find_schema(r->type);

	if (r->owns && y)
		clear_rows(y->rows, y->n, &r->map);
	r->owns = false;
	r->type = PB_REC_OTHER;
}

void
pb_rec_write(struct pb_text *o, const struct pb_rec *r)
{
	const struct pb_schema *y = find_schema(r->type);

	if (y && !y->unread)
		pb_rec_put(o, r->type, y->header ? pb_stamp_none() : r->stamp,
		    &r->map);
}

void
pb_rec_put_pose(
    struct pb_text *o, struct pb_stamp s, struct pb_pose at, const char *source)
{
	struct pb_rec_pose r = {.x = at.x, .y = at.y, .theta = at.th};

	PB_REC_SET(r.source, source);
	pb_rec_put(o, PB_REC_POSE, s, &r);
}

static struct {
	bool asked;
	bool started;
	struct pb_rec_provenance is; /* owns all but the texts of arg */
} self;

void
pb_provenance_ask(void)
{
	self.asked = true;
	pb_input.hashed = true;
}

void
pb_provenance_args(int argc, char **argv)
{
	free(self.is.arg);
	self.is.args = 0;
	self.is.arg = pb_alloc((size_t)argc + 1, sizeof(*self.is.arg));
	for (int i = 1; i < argc; i++)
		self.is.arg[self.is.args++] = argv[i];
}

static void
write_provenance(struct pb_text *out)
{
	struct pb_rec_provenance *p = &self.is;

	p->input = pb_input.hash;
	p->build = pb_build_digest();
	PB_REC_SET(p->tool, pb_msg_program());
	PB_REC_SET(p->version, PB_VERSION);
	PB_REC_SET(p->commit, pb_build_commit);
	PB_REC_SET(p->compiler, pb_build_compiler);
	pb_rec_put(out, PB_REC_PROVENANCE, pb_stamp_none(), p);
}

/* Write the record to stdout if requested. */
static void
write_record(void)
{
	struct pb_text out = {.to = stdout};

	if (!self.started)
		return;
	if (self.asked)
		write_provenance(&out);
	pb_text_clear(&out);
	free(self.is.arg);
	self.is.arg = NULL;
	self.started = false;
}

void
pb_provenance_start(const uint64_t *seed)
{
	self.started = true;
	pb_msg_at_finish(write_record);
	self.is.has_seed = seed != NULL;
	self.is.seed = seed != NULL ? *seed : 0;
}

bool
pb_provenance_fits(bool records)
{
	return records || !self.asked ||
	       pb_msg_usage("--provenance: only for output of records");
}
