/* opt_value.c - values of options: taken from arguments, and told. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/opt/opt.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"

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
set_flag(const struct pb_opt *o, const char *arg, struct pb_error *bad)
{
	(void)arg;
	(void)bad;
	if (o->to)
		*(bool *)o->to = true;
	if (o->act)
		o->act();
	return true;
}

void
pb_opt_hush(void)
{
	pb_msg_quiet(true);
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

static bool
set_u64(const struct pb_opt *o, const char *arg, struct pb_error *bad)
{
	return pb_num_parse_u64(arg, o->to) ||
	       pb_error_set(bad,
		   "expected a whole number from 0 to 18446744073709551615, "
		   "got \"%.80s\"",
		   arg);
}

static bool
set_text(const struct pb_opt *o, const char *arg, struct pb_error *bad)
{
	size_t n = strlen(arg);

	if (n == 0 && strcmp(o->arg, "file") == 0)
		return pb_error_set(
		    bad, "expected the name of a file, got none");
	/* Records hold no empty id, and none that is longer. */
	if (o->kind == PB_OPT_ID && (n == 0 || n > PB_OPT_ID_MAX))
		return pb_error_set(bad,
		    "expected an id of 1 to %d bytes, got \"%.80s\"",
		    PB_OPT_ID_MAX, arg);
	*(const char **)o->to = arg;
	return true;
}

static bool
set_name(const struct pb_opt *o, const char *arg, struct pb_error *bad)
{
	int i = pb_word_find(o->words, arg, strlen(arg));
	struct pb_suggest near = pb_suggest_for(arg);

	pb_suggest_try(&near, o->words);
	if (i < 0)
		return pb_error_set(bad,
		    "expected one of %.150s, got \"%.40s\"%s", o->words, arg,
		    pb_suggest_text(&near));
	*(int *)o->to = i;
	return true;
}

void
pb_opt_list_add(char *list, size_t size, const char *between, const char *word)
{
	size_t len = strlen(list);

	snprintf(list + len, size - len, "%s%s", len > 0 ? between : "", word);
}

void
pb_opt_words(char *out, size_t size, const char *words, unsigned set,
    const char *between)
{
	size_t used = 0, n;
	const char *word;

	*out = 0;
	for (int i = 0; (word = pb_word(words, i, &n)) != NULL; i++)
		if (set >> i & 1 && used < size)
			used += (size_t)snprintf(out + used, size - used,
			    "%s%.*s", used > 0 ? between : "", (int)n, word);
}

static bool
refuse_words(const struct pb_opt *o, const char *arg, struct pb_error *bad)
{
	char some[200];

	pb_opt_words(some, sizeof(some), o->words, ~0u, ", ");
	return pb_error_set(bad,
	    "expected some of %s, separated by commas, got \"%.80s\"", some,
	    arg);
}

/* Words with commas or, where commas are taken, plus signs between. */
static bool
set_words(const struct pb_opt *o, const char *arg, struct pb_error *bad)
{
	int set = 0;

	for (const char *at = arg;; at++) {
		size_t n = strcspn(at, ",+");
		int i = pb_word_find(o->words, at, n);

		if (i < 0)
			return refuse_words(o, arg, bad);
		set |= 1 << i;
		at += n;
		if (*at == '\0')
			break;
	}
	*(int *)o->to = set;
	return true;
}

/* Two or three numbers with commas between; of a pose, the third is optional.
 */
static bool
set_tuple(const struct pb_opt *o, const char *arg, struct pb_error *bad)
{
	bool pose = o->kind == PB_OPT_POSE;
	const char *what = pose ? "numbers X,Y[,THETA]" : "two numbers X,Y";
	double v[3] = {0};
	const char *at = arg;
	char one[64];
	int n = 0, got;

	while ((got = pb_opt_word(&at, one, sizeof(one))) > 0) {
		if (n == 2 + pose || !pb_num_parse(one, &v[n]) ||
		    !in_bounds(o, v[n]))
			return refuse_number(o, what, arg, bad);
		n++;
	}
	if (got < 0 || n < 2)
		return refuse_number(o, what, arg, bad);
	/* Records and games have angles in (-pi, pi]. */
	if (pose)
		v[2] = pb_wrap(v[2]);
	memcpy(o->to, v, (2 + (size_t)pose) * sizeof(*v));
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

static bool
set_call(const struct pb_opt *o, const char *arg, struct pb_error *bad)
{
	return o->call(o->to, arg, bad);
}

static bool
set_set(const struct pb_opt *o, const char *arg, struct pb_error *bad)
{
	bool named = strcmp(o->name, "set") != 0;
	struct pb_set *s = o->to;

	if (s->args == PB_SET_ARGS)
		return pb_error_set(
		    bad, "given more than %d times", PB_SET_ARGS);
	s->arg[s->args].name = named ? o->name : NULL;
	s->arg[s->args++].arg = arg;
	return true;
}

/* What listings call each kind, and what stores it; `flag` takes no argument.
 */
static const struct {
	const char *name;
	bool (*set)(
	    const struct pb_opt *o, const char *arg, struct pb_error *bad);
} kinds[] = {
    [PB_OPT_FLAG] = {"flag", set_flag},
    [PB_OPT_HELP] = {"flag"},
    [PB_OPT_VERSION] = {"flag"},
    [PB_OPT_DUMP] = {"flag"},
    [PB_OPT_CONSTANTS] = {"flag"},
    [PB_OPT_BOOL] = {"bool", set_bool},
    [PB_OPT_INT] = {"int", set_int},
    [PB_OPT_NUM] = {"number", set_num},
    [PB_OPT_LIMIT] = {"limit", set_limit},
    [PB_OPT_U64] = {"int", set_u64},
    [PB_OPT_TEXT] = {"text", set_text},
    [PB_OPT_ID] = {"id", set_text},
    [PB_OPT_NAME] = {"word", set_name},
    [PB_OPT_WORDS] = {"words", set_words},
    [PB_OPT_PAIR] = {"pair", set_tuple},
    [PB_OPT_POSE] = {"pose", set_tuple},
    [PB_OPT_LIST] = {"list", set_list},
    [PB_OPT_CALL] = {"text", set_call},
    [PB_OPT_SET] = {"text", set_set},
};

const char *
pb_opt_kind(const struct pb_opt *o)
{
	return kinds[o->kind].name;
}

bool
pb_opt_set(const struct pb_opt *o, const char *arg, struct pb_error *bad)
{
	return kinds[o->kind].set(o, arg, bad);
}

/* n numbers with commas between, "" if one is not finite. */
static void
put_tuple(char *out, size_t size, const double *v, int n)
{
	size_t used = 0;

	for (int i = 0; i < n; i++) {
		char one[PB_NUM_MAX];

		if (!isfinite(v[i])) {
			*out = 0;
			return;
		}
		pb_num_exact(one, v[i]);
		used += (size_t)snprintf(
		    out + used, size - used, i ? ",%s" : "%s", one);
	}
}

void
pb_opt_value(const struct pb_opt *o, char *out, size_t size)
{
	const char *word = NULL;
	size_t n = size;

	*out = 0;
	if (!o->to || (o->seen && !*o->seen))
		return;
	switch (o->kind) {
	case PB_OPT_INT:
		snprintf(out, size, "%d", *(int *)o->to);
		break;
	case PB_OPT_U64:
		snprintf(
		    out, size, "%llu", (unsigned long long)*(uint64_t *)o->to);
		break;
	case PB_OPT_BOOL:
		word = *(bool *)o->to ? "yes" : "no";
		break;
	case PB_OPT_TEXT:
	case PB_OPT_ID:
		word = *(const char **)o->to;
		break;
	case PB_OPT_NAME:
		if (*(int *)o->to >= 0)
			word = pb_word(o->words, *(int *)o->to, &n);
		break;
	case PB_OPT_WORDS:
		/* So that a list of sets can have commas. */
		pb_opt_words(out, size, o->words, *(unsigned *)o->to, "+");
		break;
	case PB_OPT_LIMIT:
		if (isinf(*(double *)o->to))
			word = "inf";
		else
			put_tuple(out, size, o->to, 1);
		break;
	case PB_OPT_NUM:
		put_tuple(out, size, o->to, 1);
		break;
	case PB_OPT_PAIR:
	case PB_OPT_POSE:
		put_tuple(out, size, o->to, o->kind == PB_OPT_PAIR ? 2 : 3);
		break;
	default:
		break;
	}
	if (word)
		snprintf(out, size, "%.*s", (int)n, word);
}

int
pb_opt_word(const char **at, char *out, int size)
{
	size_t n;

	if (!*at)
		return 0;
	n = strcspn(*at, ",");
	if (n == 0 || n >= (size_t)size)
		return -1;
	memcpy(out, *at, n);
	out[n] = '\0';
	*at = (*at)[n] == ',' ? *at + n + 1 : NULL;
	return 1;
}

static bool
add_number(struct pb_numbers *to, int64_t v)
{
	for (int i = 0; i < to->n; i++)
		if (to->v[i] == v)
			return false;
	if (v < 1 || v > PB_NUMBERS || to->n == PB_NUMBERS)
		return false;
	to->v[to->n++] = (int)v;
	return true;
}

/* "7" or "3-7". */
static bool
add_word(struct pb_numbers *to, char *word)
{
	char *dash = strchr(word, '-');
	int64_t lo, hi;

	if (dash)
		*dash = '\0';
	if (!pb_num_parse_int(word, &lo) ||
	    !pb_num_parse_int(dash ? dash + 1 : word, &hi) || lo > hi ||
	    hi > PB_NUMBERS)
		return false;
	for (; lo <= hi; lo++)
		if (!add_number(to, lo))
			return false;
	return true;
}

bool
pb_opt_numbers(void *to, const char *arg, struct pb_error *bad)
{
	struct pb_numbers list = {.n = 0};
	const char *at = arg;
	char word[32];
	int got;

	while ((got = pb_opt_word(&at, word, sizeof(word))) > 0)
		if (!add_word(&list, word))
			break;
	if (got != 0)
		return pb_error_set(bad,
		    "expected numbers from 1 to %d like 1,3,5-7, none twice, "
		    "got \"%.80s\"",
		    PB_NUMBERS, arg);
	*(struct pb_numbers *)to = list;
	return true;
}

bool
pb_opt_shard(void *to, const char *arg, struct pb_error *bad)
{
	const char *slash = strchr(arg, '/');
	size_t n = slash ? (size_t)(slash - arg) : 0;
	struct pb_shard s;
	char first[32];

	if (n == 0 || n >= sizeof(first))
		return pb_error_set(
		    bad, "expected I/N like 2/8, got \"%.80s\"", arg);
	memcpy(first, arg, n);
	first[n] = '\0';
	if (!pb_num_parse_u64(first, &s.i) ||
	    !pb_num_parse_u64(slash + 1, &s.n) || s.i < 1 || s.i > s.n)
		return pb_error_set(
		    bad, "expected I/N with I from 1 to N, got \"%.80s\"", arg);
	s.i--;
	*(struct pb_shard *)to = s;
	return true;
}
