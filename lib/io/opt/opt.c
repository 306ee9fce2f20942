/* opt.c - options of the command line: their values, which were given, help. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/opt/opt.h"
#include "io/stream/text.h"
#include "pb/version.h"

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

struct pb_opt
pb_opt_of_param(const struct pb_param *p, void *base)
{
	static const enum pb_opt_kind kind[] = {
	    [PB_PARAM_REAL] = PB_OPT_NUM,
	    [PB_PARAM_LIMIT] = PB_OPT_LIMIT,
	    [PB_PARAM_COUNT] = PB_OPT_INT,
	    [PB_PARAM_BOOL] = PB_OPT_BOOL,
	    [PB_PARAM_CHOICE] = PB_OPT_NAME,
	};
	const char *arg = p->unit && *p->unit ? p->unit : "n";

	if (p->kind == PB_PARAM_BOOL)
		arg = "yes|no";
	if (p->words)
		arg = p->words;
	return (struct pb_opt){.name = p->name,
	    .kind = kind[p->kind],
	    .arg = arg,
	    .help = p->help,
	    .to = (char *)base + p->offset,
	    .min = p->min,
	    .max = p->max,
	    .words = p->words};
}

void
pb_param_value(
    const struct pb_param *p, const void *base, char *out, size_t size)
{
	const struct pb_opt o = pb_opt_of_param(p, (void *)base);

	pb_opt_value(&o, out, size);
}

void
pb_opt_names_add(struct pb_opt_names *names, const char *name)
{
	if (names->n < PB_OPT_NAMES && !pb_opt_names_have(names, name))
		snprintf(names->name[names->n++], PB_OPT_NAME_MAX, "%s", name);
}

bool
pb_opt_names_have(const struct pb_opt_names *names, const char *name)
{
	for (int i = 0; i < names->n; i++)
		if (strcmp(names->name[i], name) == 0)
			return true;
	return false;
}

bool
pb_opt_names_alone(const struct pb_opt_names *names, const char *name)
{
	for (int i = 0; i < names->n; i++)
		if (strcmp(names->name[i], name) != 0 &&
		    strcmp(names->name[i], "quiet") != 0)
			return pb_msg_usage(
			    "--%s: goes without --%s", name, names->name[i]);
	return true;
}

/* Whether it goes with that mode; 0: any. */
static bool
goes(const struct pb_opt *o, unsigned mode)
{
	return o->modes == 0 || mode == 0 || (o->modes & mode) != 0;
}

/* Columns of --help, and widest left one; what is longer has its own line. */
enum { WIDTH = 80, LEFT = 30 };

/*
 * Text in lines of WIDTH columns, broken at blanks, or else behind commas; the
 * first goes on in column `at`, the others begin in column `indent`.
 */
static void
put_text(const char *text, int at, int indent)
{
	while (*text != '\0') {
		int room = WIDTH - at, n = (int)strlen(text), cut = n;

		if (n > room) {
			for (cut = room; cut > 0 && text[cut] != ' '; cut--)
				;
			if (cut == 0)
				for (cut = room;
				     cut > 1 && text[cut - 1] != ','; cut--)
					;
			if (cut <= 1)
				cut = (int)strcspn(text, " ");
		}
		printf("%.*s\n", cut, text);
		text += cut + (int)strspn(text + cut, " ");
		at = indent;
		if (*text != '\0')
			printf("%*s", indent, "");
	}
}

void
pb_opt_help_line(const char *left, const char *text)
{
	if (strlen(left) >= LEFT)
		printf("%s\n%*s", left, LEFT, "");
	else
		printf("%-*s", LEFT, left);
	put_text(text, LEFT, LEFT);
}

static void
help_row(const struct pb_opt *o)
{
	char left[128], value[256], text[600];

	snprintf(left, sizeof(left), "  %c%c%c --%s%s%s", o->letter ? '-' : ' ',
	    o->letter ? o->letter : ' ', o->letter ? ',' : ' ', o->name,
	    o->arg ? " " : "", o->arg ? o->arg : "");
	pb_opt_value(o, value, sizeof(value));
	snprintf(text, sizeof(text), *value ? "%s (%s)" : "%s", o->help, value);
	pb_opt_help_line(left, text);
}

/* On stdout: the options that go with the mode, or all. */
static void
print_help(const struct pb_tool *t, unsigned mode, bool all)
{
	bool hidden = false;

	printf("usage: %s [option ...] %s\n%s\n\n", pb_msg_program(),
	    t->operands, t->purpose);
	for (size_t i = 0; i < t->nopt; i++)
		if (all || goes(&t->opt[i], mode))
			help_row(&t->opt[i]);
		else
			hidden = true;
	if (hidden)
		puts("\n--help all lists the options of other modes, too.");
}

/* getopt_long returns FIRST + number of the row, beyond any short letter. */
enum { FIRST = 256 };

/* What one pass over the command line looks at. */
struct pass {
	const struct pb_tool *t;
	struct option *longs; /* nopt + 1, owned */
	char *shorts;         /* owned */
	bool early;           /* the first pass: what is early, --help */
	bool help;            /* --help was found */
	bool constants;       /* --dump-constants was found */
	bool lenient;         /* what is wrong is passed over */
};

/* SAID: refused, and how to use the tool is not to be said as well. */
enum end { GO, DONE, BAD, SAID };

const struct pb_opt *
pb_opt_find(const struct pb_tool *t, const char *name)
{
	for (size_t i = 0; i < t->nopt; i++)
		if (strcmp(t->opt[i].name, name) == 0)
			return &t->opt[i];
	return NULL;
}

/* getopt's two descriptions of the rows. */
static void
make_getopt(struct pass *p)
{
	char *s;

	p->longs = pb_alloc(p->t->nopt + 1, sizeof(*p->longs));
	p->shorts = s = pb_alloc(1, 2 * p->t->nopt + 2);
	*s++ = ':'; /* a missing argument is not an unknown option */
	for (size_t i = 0; i < p->t->nopt; i++) {
		const struct pb_opt *o = &p->t->opt[i];
		bool arg = o->kind >= PB_OPT_BOOL;

		p->longs[i] = (struct option){.name = o->name,
		    .has_arg = arg ? required_argument : no_argument,
		    .val = FIRST + (int)i};
		if (o->letter) {
			*s++ = o->letter;
			if (arg)
				*s++ = ':';
		}
	}
}

static void
dump(const struct pb_tool *t)
{
	for (size_t i = 0; i < t->nopt; i++) {
		const struct pb_opt *o = &t->opt[i];
		char value[256];

		pb_opt_value(o, value, sizeof(value));
		printf("%c\t%s\t%s\t%s\t%s\t%s\n", o->letter ? o->letter : '-',
		    o->name, o->arg ? o->arg : "-", kinds[o->kind].name,
		    *value ? value : "-", o->help);
	}
}

/* Whether all options that were given go with the mode; what does not is said.
 */
static bool
go_with(const struct pass *p, unsigned mode)
{
	const struct pb_opt_names *names = p->t->names;
	char list[200] = "";

	for (int i = 0; mode != 0 && i < names->n; i++) {
		const struct pb_opt *o = pb_opt_find(p->t, names->name[i]);

		if (goes(o, mode))
			continue;
		for (int k = 0; k < 32; k++)
			if (o->modes >> k & 1)
				pb_opt_list_add(
				    list, sizeof(list), ", ", p->t->mode[k]);
		return pb_msg_usage("--%s: goes with %s", o->name, list);
	}
	return true;
}

/* The options that print something and end the program. */
static bool
print_kind(const struct pass *p, const struct pb_opt *o)
{
	if (o->kind == PB_OPT_VERSION) {
		printf("%s %s\n", pb_msg_program(), PB_VERSION);
		pb_build_print();
	} else if (o->kind == PB_OPT_DUMP && o->act) {
		o->act();
	} else if (o->kind == PB_OPT_DUMP) {
		dump(p->t);
	}
	return o->kind == PB_OPT_VERSION || o->kind == PB_OPT_DUMP;
}

static bool
store(const struct pass *p, const struct pb_opt *o, const char *arg)
{
	struct pb_error bad;

	if (pb_opt_set(o, arg, &bad)) {
		if (o->seen)
			*o->seen = true;
		return true;
	}
	return p->lenient || pb_msg_usage("--%s: %s", o->name, bad.text);
}

static enum end
take_option(struct pass *p, const struct pb_opt *o, const char *arg)
{
	if (o->kind == PB_OPT_HELP) {
		p->help = true;
		return p->early ? DONE : GO;
	}
	if (p->early && print_kind(p, o))
		return DONE;
	p->constants |= o->kind == PB_OPT_CONSTANTS;
	if (o->kind == PB_OPT_CONSTANTS)
		return GO;
	if (p->early != o->early)
		return GO;
	if (p->t->names)
		pb_opt_names_add(p->t->names, o->name);
	return store(p, o, arg) ? GO : BAD;
}

static const struct pb_opt *
row_with(const struct pass *p, int c)
{
	if (c >= FIRST)
		return &p->t->opt[c - FIRST];
	for (size_t i = 0; i < p->t->nopt; i++)
		if (p->t->opt[i].letter == c)
			return &p->t->opt[i];
	return NULL;
}

/*
 * Whether what was typed, "--name" or "--name=value", is the name of a constant
 * and of no option: then it is said how to set it.
 */
static bool
is_constant(const struct pass *p, const char *typed, const char *value)
{
	const char *equals = strchr(typed, '=');
	char name[PB_SET_NAME];
	size_t row;

	if (!p->t->set || strncmp(typed, "--", 2) != 0)
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(typed + 2, "="),
	    typed + 2);
	if (pb_opt_find(p->t, name) || !pb_set_find(p->t->set, name, &row))
		return false;
	value = equals ? equals + 1 : value ? value : "VALUE";
	pb_msg_usage(
	    "--%s is a constant now: --set %s=%.80s", name, name, value);
	return true;
}

/* No option has that name, "--name" or "--name=value", or several begin so. */
static void
unknown(const struct pass *p, const char *arg)
{
	char name[PB_OPT_NAME_MAX], known[160] = "";
	size_t n = strcspn(arg + 2, "="), len = 0;
	struct pb_suggest near;

	snprintf(name, sizeof(name), "%.*s", (int)n, arg + 2);
	near = pb_suggest_for(name);
	for (size_t i = 0; i < p->t->nopt; i++) {
		const char *row = p->t->opt[i].name;

		/* getopt_long takes what only one name begins with: here it
		 * is none, or several. */
		pb_suggest_try(&near, row);
		if (strncmp(row, name, n) == 0 && len < sizeof(known))
			len +=
			    (size_t)snprintf(known + len, sizeof(known) - len,
				"%s--%s", len ? ", " : "", row);
	}
	if (len >= sizeof(known))
		pb_msg_usage("ambiguous option --%s", name);
	else if (len > 0)
		pb_msg_usage("ambiguous option --%s: %s", name, known);
	else if (near.best != NULL)
		pb_msg_usage("unknown option --%s; did you mean --%.*s?", name,
		    (int)near.n, near.best);
	else
		pb_msg_usage("unknown option --%s", name);
}

/* What getopt_long did not understand: c is '?' or ':'. */
static enum end
misuse(const struct pass *p, int c, char **argv)
{
	const struct pb_opt *o = row_with(p, optopt);

	if (is_constant(p, argv[optind - 1], argv[optind]))
		return SAID;
	/* optopt is the option's val, 0 where there is no such long one. */
	if (c == ':' && o)
		pb_msg_usage("--%s: expected an argument, got none", o->name);
	else if (optopt >= FIRST && o)
		pb_msg_usage("--%s: takes no argument", o->name);
	else if (optopt)
		pb_msg_usage("unknown option -%c", optopt);
	else
		unknown(p, argv[optind - 1]);
	return BAD;
}

/* What was typed for the option that getopt_long returned last; a beginning of
 * its name is not to hide a constant. */
static bool
hides_constant(const struct pass *p, char **argv)
{
	bool apart = optarg && optarg == argv[optind - 1];

	return is_constant(p, argv[optind - 1 - apart], optarg);
}

static enum end
run_pass(struct pass *p, int argc, char **argv)
{
	int c;

	optind = 0; /* glibc: forget everything, also inside an argument */
	opterr = 0;
	while ((c = getopt_long(argc, argv, p->shorts, p->longs, NULL)) != -1) {
		const struct pb_opt *o = row_with(p, c);
		enum end e;

		if (p->lenient && (c == '?' || c == ':' || !o))
			continue;
		if (c >= FIRST && !p->lenient && hides_constant(p, argv))
			return SAID;
		e = c == '?' || c == ':' || !o ? misuse(p, c, argv)
		                               : take_option(p, o, optarg);
		if (e != GO && !p->lenient)
			return e;
	}
	return GO;
}

/* The mode of a tool that has some, 0: it has none; false: what was chosen is
 * refused, and it was said. */
static bool
choose(const struct pass *p, int argc, char **argv, unsigned *mode)
{
	const struct pb_tool *t = p->t;

	*mode =
	    t->choose ? t->choose(t->user, argv + optind, argc - optind) : 0;
	return *mode != 0 || !t->choose;
}

/*
 * Help on what goes with the rest of the command line, wherever --help stands
 * in it: whoever asks may get other things wrong.
 */
static enum end
help(struct pass *p, int argc, char **argv)
{
	const char *what;
	unsigned mode = 0;

	optind = 0;
	while (getopt_long(argc, argv, p->shorts, p->longs, NULL) != -1)
		;
	what = optind < argc ? argv[optind] : "";
	if (!p->t->set) {
		print_help(p->t, 0, true);
		return DONE;
	}
	p->lenient = strcmp(what, "constants") != 0;
	if (run_pass(p, argc, argv) != GO || !choose(p, argc, argv, &mode))
		return SAID;
	if (p->lenient)
		print_help(p->t, mode, strcmp(what, "all") == 0);
	else if (pb_set_apply(p->t->set))
		pb_set_help(p->t->set);
	return DONE;
}

/* What comes after the options were read. */
static enum end
chosen(struct pass *p, int argc, char **argv)
{
	const struct pb_tool *t = p->t;
	unsigned mode;

	if (!choose(p, argc, argv, &mode) || !go_with(p, mode) ||
	    (t->set && !pb_set_apply(t->set)))
		return SAID;
	if (!p->constants)
		return GO;
	pb_set_dump(
	    t->set, optind < argc && strcmp(argv[argc - 1], "all") == 0);
	return DONE;
}

static enum end
run_passes(struct pass *p, int argc, char **argv)
{
	enum end e;

	make_getopt(p);
	/* Twice over the same line: see pb_opt.early. */
	p->early = true;
	e = run_pass(p, argc, argv);
	p->early = false;
	if (p->help)
		return help(p, argc, argv);
	if (e == GO)
		e = run_pass(p, argc, argv);
	return e == GO ? chosen(p, argc, argv) : e;
}

int
pb_opt_parse(const struct pb_tool *t, int argc, char **argv)
{
	const struct pb_opt *seed = pb_opt_find(t, "seed");
	struct pass p = {.t = t};
	enum end e;

	pb_provenance_args(argc, argv);
	if (t->set)
		pb_set_tool(t->set, t);
	e = run_passes(&p, argc, argv);
	if (e == BAD)
		fprintf(stderr,
		    "usage: %s [option ...] %s; --help tells more\n",
		    pb_msg_program(), t->operands);
	if (e == GO) {
		pb_provenance_start(seed ? seed->to : NULL);
		pb_build_check();
	}
	free(p.longs);
	free(p.shorts);
	if (t->set)
		t->set->tool = NULL; /* the set may outlive the tool */
	return e == GO ? optind : -1;
}
