/* fields.c - one record, key by key. */
#include "io/rec/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/num.h"
#include "io/stream/utf8.h"
#include "pb/param.h"

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
pb_put_int(struct pb_text *o, const char *key, int64_t v)
{
	pb_put_key(o, key);
	pb_text_int(o, v);
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

static void
put_tuple(struct pb_text *o, const double *v, size_t n)
{
	pb_text_put(o, "[", 1);
	for (size_t i = 0; i < n; i++) {
		pb_text_put(o, ",", i ? 1 : 0);
		pb_text_num(o, v[i]);
	}
	pb_text_put(o, "]", 1);
}

void
pb_put_nums(struct pb_text *o, const char *key, const double *v, size_t n)
{
	pb_put_key(o, key);
	put_tuple(o, v, n);
}

void
pb_put_tuples(struct pb_text *o, const char *key, const double *v, size_t n,
    size_t numbers)
{
	pb_put_key(o, key);
	pb_text_put(o, "[", 1);
	for (size_t i = 0; i < n; i++, v += numbers) {
		pb_text_put(o, ",", i ? 1 : 0);
		put_tuple(o, v, numbers);
	}
	pb_text_put(o, "]", 1);
}

void
pb_put_points(
    struct pb_text *o, const char *key, const struct pb_vec *p, size_t n)
{
	pb_put_tuples(o, key, (const double *)(const void *)p, n, 2);
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
