/* opt_value.c - a command line from one table: values. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/opt/opt_row.h"
#include "io/stream/num.h"
#include "io/stream/suggest.h"
#include "pb/geom.h"

static bool
bounded(const struct pb_opt *o)
{
	return o->min != 0 || o->max != 0;
}

static bool
in_bounds(const struct pb_opt *o, double v)
{
	return isfinite(v) && (!bounded(o) || (v >= o->min && v <= o->max));
}

/* Say which numbers would have been right. */
static bool
refuse_number(const struct pb_opt *o, const char *what, const char *arg,
    struct pb_error *bad)
{
	char lo[PB_NUM_MAX], hi[PB_NUM_MAX], range[3 * PB_NUM_MAX] = "";

	pb_num_exact(lo, o->min);
	pb_num_exact(hi, o->max);
	if (bounded(o) && isfinite(o->min) && isfinite(o->max))
		snprintf(range, sizeof(range), " from %s to %s", lo, hi);
	else if (bounded(o) && isfinite(o->min))
		snprintf(range, sizeof(range), " from %s on", lo);
	else if (bounded(o) && isfinite(o->max))
		snprintf(range, sizeof(range), " up to %s", hi);
	return pb_error_set(
	    bad, "expected %s%s, got \"%.80s\"", what, range, arg);
}

static bool
set_num(const struct pb_opt *o, const char *arg, struct pb_error *bad)
{
	double v;

	if (!pb_num_parse(arg, &v) || !in_bounds(o, v))
		return refuse_number(o, "a number", arg, bad);
	*(double *)o->to = v;
	return true;
}

static bool
set_limit(const struct pb_opt *o, const char *arg, struct pb_error *bad)
{
	double v;

	if (strcmp(arg, "inf") == 0)
		v = INFINITY;
	else if (!pb_num_parse(arg, &v) || v < o->min)
		return pb_error_set(bad,
		    "expected a number from %g on or inf, got \"%.80s\"",
		    o->min, arg);
	*(double *)o->to = v;
	return true;
}

/* Records hold no empty id, and none that is longer. */
static bool
set_id(const struct pb_opt *o, const char *arg, struct pb_error *bad)
{
	size_t n = strlen(arg);

	if (n == 0 || n > PB_OPT_ID_MAX)
		return pb_error_set(bad,
		    "expected an id of 1 to %d bytes, got \"%.80s\"",
		    PB_OPT_ID_MAX, arg);
	*(const char **)o->to = arg;
	return true;
}

static bool
set_text(const struct pb_opt *o, const char *arg, struct pb_error *bad)
{
	if (*arg == '\0' && strcmp(o->arg, "file") == 0)
		return pb_error_set(
		    bad, "expected the name of a file, got none");
	*(const char **)o->to = arg;
	return true;
}

static bool
set_int(const struct pb_opt *o, const char *arg, struct pb_error *bad)
{
	int64_t v;

	if (!pb_num_parse_int(arg, &v) || v < INT32_MIN || v > INT32_MAX ||
	    !in_bounds(o, (double)v))
		return refuse_number(o, "a whole number", arg, bad);
	*(int *)o->to = (int)v;
	return true;
}

static bool
set_u64(const struct pb_opt *o, const char *arg, struct pb_error *bad)
{
	if (pb_num_parse_u64(arg, o->to))
		return true;
	return pb_error_set(bad,
	    "expected a whole number from 0 to 18446744073709551615, "
	    "got \"%.80s\"",
	    arg);
}

static bool
set_bool(const struct pb_opt *o, const char *arg, struct pb_error *bad)
{
	int i = pb_word_find("no|yes", arg, strlen(arg));

	if (i < 0)
		return pb_error_set(
		    bad, "expected yes or no, got \"%.80s\"", arg);
	*(bool *)o->to = i;
	return true;
}

static bool
set_name(const struct pb_opt *o, const char *arg, struct pb_error *bad)
{
	int i = pb_word_find(o->words, arg, strlen(arg));

	struct pb_suggest near = pb_suggest_for(arg);

	pb_suggest_list(&near, o->words);
	if (i < 0)
		return pb_error_set(bad,
		    "expected one of %.150s, got \"%.40s\"%s", o->words, arg,
		    pb_suggest_text(&near));
	*(int *)o->to = i;
	return true;
}

/* Numbers with commas between: at least `least`, at most `most` <= 3. */
static bool
set_tuple(const struct pb_opt *o, const char *arg, int least, int most,
    const char *what, struct pb_error *bad)
{
	double v[3] = {0};
	int n = 0;
	const char *s = arg;

	for (bool more = true; more; n++) {
		size_t len = strcspn(s, ",");
		char one[64];

		more = s[len] == ',';
		if (n >= most || len >= sizeof(one))
			return refuse_number(o, what, arg, bad);
		memcpy(one, s, len);
		one[len] = 0;
		if (!pb_num_parse(one, &v[n]) || !in_bounds(o, v[n]))
			return refuse_number(o, what, arg, bad);
		s += len + more;
	}
	if (n < least)
		return refuse_number(o, what, arg, bad);
	if (most == 3)
		v[2] = pb_wrap(v[2]);
	memcpy(o->to, v, (size_t)most * sizeof(*v));
	return true;
}

static bool
set_list(const struct pb_opt *o, const char *arg, struct pb_error *bad)
{
	struct pb_opt_list *l = o->to;

	if (l->n == PB_OPT_LIST_MAX)
		return pb_error_set(
		    bad, "given more than %d times", PB_OPT_LIST_MAX);
	l->arg[l->n++] = arg;
	return true;
}

bool
pb_opt_set(const struct pb_opt *o, const char *arg, struct pb_error *bad)
{
	switch (o->kind) {
	case PB_OPT_FLAG:
	case PB_OPT_UNSET:
	case PB_OPT_HUSH:
		*(bool *)o->to = o->kind != PB_OPT_UNSET;
		if (o->kind == PB_OPT_HUSH)
			pb_msg_quiet(true);
		return true;
	case PB_OPT_BOOL:
		return set_bool(o, arg, bad);
	case PB_OPT_INT:
		return set_int(o, arg, bad);
	case PB_OPT_NUM:
		return set_num(o, arg, bad);
	case PB_OPT_LIMIT:
		return set_limit(o, arg, bad);
	case PB_OPT_U64:
		return set_u64(o, arg, bad);
	case PB_OPT_TEXT:
		return set_text(o, arg, bad);
	case PB_OPT_ID:
		return set_id(o, arg, bad);
	case PB_OPT_NAME:
		return set_name(o, arg, bad);
	case PB_OPT_PAIR:
		return set_tuple(o, arg, 2, 2, "two numbers X,Y", bad);
	case PB_OPT_POSE:
		return set_tuple(o, arg, 2, 3, "numbers X,Y[,THETA]", bad);
	case PB_OPT_LIST:
		return set_list(o, arg, bad);
	case PB_OPT_CALL:
		return o->call(o->to, arg, bad);
	case PB_OPT_DO:
		o->act();
		return true;
	case PB_OPT_HELP:
	case PB_OPT_VERSION:
	case PB_OPT_DUMP:
		break;
	}
	return true;
}
