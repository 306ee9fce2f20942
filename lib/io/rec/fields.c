/* fields.c - one record, key by key. */
#include "io/rec/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/param.h"
#include "io/stream/num.h"
#include "io/stream/utf8.h"

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

void
pb_put_begin(struct pb_text *o, enum pb_rec_type type, struct pb_stamp s)
{
	pb_put_open(o, pb_rec_name(type), s);
}

void
pb_put_open(struct pb_text *o, const char *name, struct pb_stamp s)
{
	pb_text_puts(o, "{\"type\":\"");
	pb_text_puts(o, name);
	pb_text_put(o, "\"", 1);
	pb_put_num_if(o, "t", s.t);
	pb_put_text_if(o, "id", s.id);
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

	if (!at)
		return;
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
pb_put_exact(struct pb_text *o, const char *key, double v)
{
	pb_put_key(o, key);
	pb_text_exact(o, v);
}

void
pb_put_short(struct pb_text *o, const char *key, double v)
{
	char digits[PB_NUM_MAX];

	snprintf(digits, sizeof(digits), "%.6g", v);
	pb_num_parse(digits, &v);
	pb_put_exact(o, key, v);
}

void
pb_put_int(struct pb_text *o, const char *key, int64_t v)
{
	pb_put_key(o, key);
	pb_text_int(o, v);
}

void
pb_put_u64(struct pb_text *o, const char *key, uint64_t v)
{
	char digits[PB_NUM_MAX];
	size_t n = pb_num_u64(digits, v);
	/* Most readers of JSON keep 63 bits of a number, if not fewer. */
	bool quoted = v > INT64_MAX;

	pb_put_key(o, key);
	pb_text_put(o, "\"", quoted);
	pb_text_put(o, digits, n);
	pb_text_put(o, "\"", quoted);
}

void
pb_put_bool(struct pb_text *o, const char *key, bool v)
{
	pb_put_key(o, key);
	pb_text_puts(o, v ? "true" : "false");
}

void
pb_put_text(struct pb_text *o, const char *key, const char *v)
{
	pb_put_key(o, key);
	pb_text_string(o, v);
}

void
pb_put_choice(struct pb_text *o, const char *key, const char *words, int i)
{
	size_t n;
	const char *word = pb_word(words, i, &n);

	pb_put_key(o, key);
	pb_text_put(o, "\"", 1);
	pb_text_put(o, word, n);
	pb_text_put(o, "\"", 1);
}

void
pb_put_hex(struct pb_text *o, const char *key, uint64_t v)
{
	char hex[18];

	for (int i = 16; i >= 1; i--, v >>= 4)
		hex[i] = "0123456789abcdef"[v & 15];
	hex[0] = hex[17] = '"';
	pb_put_key(o, key);
	pb_text_put(o, hex, sizeof(hex));
}

void
pb_put_points(
    struct pb_text *o, const char *key, const struct pb_vec *p, size_t n)
{
	pb_put_key(o, key);
	pb_text_put(o, "[", 1);
	for (size_t i = 0; i < n; i++) {
		pb_text_put(o, ",[", i ? 2 : 0);
		pb_text_put(o, "[", i ? 0 : 1);
		pb_text_num(o, p[i].x);
		pb_text_put(o, ",", 1);
		pb_text_num(o, p[i].y);
		pb_text_put(o, "]", 1);
	}
	pb_text_put(o, "]", 1);
}

void
pb_put_cov(struct pb_text *o, const double cov[3][3])
{
	pb_put_key(o, "cov");
	/* Variances of a millimetre are 1e-6: rounding would do. */
	for (int i = 0; i < 9; i++) {
		pb_text_puts(o, i == 0 ? "[[" : i % 3 ? "," : "],[");
		pb_text_exact(o, cov[i / 3][i % 3]);
	}
	pb_text_puts(o, "]]");
}

void
pb_put_num_if(struct pb_text *o, const char *key, double v)
{
	if (isfinite(v))
		pb_put_num(o, key, v);
}

void
pb_put_int_if(struct pb_text *o, const char *key, int64_t v)
{
	if (v >= 0)
		pb_put_int(o, key, v);
}

void
pb_put_text_if(struct pb_text *o, const char *key, const char *v)
{
	if (*v)
		pb_put_text(o, key, v);
}

void
pb_get_real(struct pb_get *g, const char *key, enum pb_need need, double *out)
{
	pb_get_num(g, key, need, -INFINITY, INFINITY, out);
}

double
pb_near_wrap(double a)
{
	/* pi itself is written as 3.141593; that must not become -pi. */
	return fabs(a) <= PB_PI + 1e-6 ? a : pb_wrap(a);
}

void
pb_get_angle(struct pb_get *g, const char *key, enum pb_need need, double *out)
{
	double a = NAN;

	pb_get_real(g, key, need, &a);
	if (isnan(a))
		return;
	*out = pb_near_wrap(a);
}

void
pb_get_hex(struct pb_get *g, const char *key, enum pb_need need, uint64_t *out)
{
	char text[18] = "";
	uint64_t v = 0;

	pb_get_text(g, key, need, text, sizeof(text));
	if (!g->ok || !*text)
		return;
	for (int i = 0; i < 16; i++) {
		const char *hex = "0123456789abcdef";
		const char *at = text[i] ? strchr(hex, text[i]) : NULL;

		if (!at) {
			pb_get_fail(g, key, "16 hex digits");
			return;
		}
		v = v << 4 | (uint64_t)(at - hex);
	}
	if (text[16])
		pb_get_fail(g, key, "16 hex digits");
	else
		*out = v;
}

void
pb_get_choice(struct pb_get *g, const char *key, enum pb_need need,
    const char *words, int *out)
{
	char word[PB_REC_WORD] = "";
	int i;

	PB_GET_WORD(g, key, need, word);
	i = pb_word_find(words, word, strlen(word));
	if (i >= 0)
		*out = i;
	else if (*word)
		pb_get_fail(g, key, words);
}

void
pb_get_points(struct pb_get *g, const char *key, enum pb_need need,
    struct pb_vec **out, size_t *n)
{
	struct pb_walk w;
	struct pb_vec *p;
	double v[2];

	*out = NULL;
	*n = 0;
	if (!pb_get_walk(g, key, need, &w))
		return;
	*out = p = pb_get_room(g, &w, PB_REC_POINTS_MAX, sizeof(*p), n);
	for (; p && pb_walk_next(g, &w) && pb_walk_nums(g, &w, 2, v); p++)
		*p = (struct pb_vec){v[0], v[1]};
}

bool
pb_get_cov(struct pb_get *g, enum pb_need need, double cov[3][3])
{
	struct pb_walk w;
	int row = 0;

	if (!pb_get_walk(g, "cov", need, &w))
		return false;
	for (; row < 3 && pb_walk_next(g, &w); row++)
		pb_walk_nums(g, &w, 3, cov[row]);
	if (g->ok && (row < 3 || pb_walk_next(g, &w)))
		pb_get_fail(g, "cov", "3 rows of 3 numbers");
	return g->ok;
}
