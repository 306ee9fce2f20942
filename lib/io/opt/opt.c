/* opt.c - options of the command line and constants of --set: parse, check,
 * print help and listings. */
#include <assert.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/opt/opt.h"
#include "io/stream/file.h"
#include "io/stream/text.h"
#include "pb/version.h"

static bool
has_bounds(const struct pb_opt *o)
{
	return o->min != 0 || o->max != 0;
}

static bool
in_bounds(const struct pb_opt *o, double v)
{
	return isfinite(v) && (!has_bounds(o) || (v >= o->min && v <= o->max));
}

/* Refuse an argument; the message names the bounds of the option. */
static bool
refuse_number(const struct pb_opt *o, const char *what, const char *arg,
    struct pb_error *bad)
{
	char lo[PB_NUM_MAX], hi[PB_NUM_MAX], range[3 * PB_NUM_MAX] = "";

	pb_num_exact(lo, o->min);
	pb_num_exact(hi, o->max);
	if (has_bounds(o) && isfinite(o->min) && isfinite(o->max))
		snprintf(range, sizeof(range), " from %s to %s", lo, hi);
	else if (has_bounds(o) && isfinite(o->min))
		snprintf(range, sizeof(range), " from %s on", lo);
	else if (has_bounds(o) && isfinite(o->max))
		snprintf(range, sizeof(range), " up to %s", hi);
	return pb_error_set(
	    bad, "expected %s%s, got \"%.80s\"", what, range, arg);
}

static bool
set_flag(const struct pb_opt *o, const char *arg, struct pb_error *bad)
{
	if (arg && strcmp(arg, o->words) != 0)
		return pb_error_set(
		    bad, "expected %s, got \"%.80s\"", o->words, arg);
	if (o->words)
		*(int *)o->to = arg ? 2 : 1;
	else if (o->to)
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
	bool limit = o->kind == PB_OPT_LIMIT;
	double v = INFINITY;

	if (limit && strcmp(arg, "inf") != 0 &&
	    (!pb_num_parse(arg, &v) || v < o->min))
		return pb_error_set(bad,
		    "expected a number from %g on or inf, got \"%.80s\"",
		    o->min, arg);
	if (!limit && (!pb_num_parse(arg, &v) || !in_bounds(o, v)))
		return refuse_number(o, "a number", arg, bad);
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

	const char *base = strrchr(arg, '/'), *dot;

	if (n == 0 && strcmp(o->arg, "file") == 0)
		return pb_error_set(
		    bad, "expected the name of a file, got none");
	dot = strrchr(base ? base : arg, '.');
	if (o->words && dot &&
	    pb_word_find(o->words, dot + 1, strlen(dot + 1)) < 0)
		return pb_error_set(bad,
		    "expected a name in one of .%s, got \"%.80s\"", o->words,
		    arg);
	/* A record holds ids of 1 to PB_OPT_ID_MAX bytes. */
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
pb_opt_words(char *out, size_t size, const char *words, unsigned set,
    const char *between)
{
	size_t n;
	const char *word;

	*out = 0;
	for (int i = 0; (word = pb_word(words, i, &n)) != NULL; i++)
		if (set >> i & 1) {
			if (*out)
				pb_text_add(
				    out, size, between, strlen(between));
			pb_text_add(out, size, word, n);
		}
}

/* Parse words separated by ',' or '+'; inside a list of several sets only '+'
 * is unambiguous. */
static bool
set_words(const struct pb_opt *o, const char *arg, struct pb_error *bad)
{
	char some[200];
	int set = 0;

	for (const char *at = arg;; at++) {
		size_t n = strcspn(at, ",+");
		int i = pb_word_find(o->words, at, n);

		if (i < 0) {
			pb_opt_words(some, sizeof(some), o->words, ~0u, ", ");
			return pb_error_set(bad,
			    "expected some of %s, separated by commas, got "
			    "\"%.80s\"",
			    some, arg);
		}
		set |= 1 << i;
		at += n;
		if (*at == '\0')
			break;
	}
	*(int *)o->to = set;
	return true;
}

/* Parse "X,Y" or, of a pose, "X,Y[,THETA]". */
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
	/* Records and games store angles in (-pi, pi]. */
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

/* By kind: its name in --dump-options, and the function that stores a value. */
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
    [PB_OPT_LIMIT] = {"limit", set_num},
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

/* Write n numbers with commas between into out; "" if one is not finite. */
static void
print_tuple(char *out, size_t size, const double *v, int n)
{
	*out = 0;
	for (int i = 0; i < n; i++) {
		char one[PB_NUM_MAX];

		if (!isfinite(v[i])) {
			*out = 0;
			return;
		}
		pb_num_exact(one, v[i]);
		pb_list_add(out, size, ",", one);
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
		/* '+', because commas separate whole sets in a list. */
		pb_opt_words(out, size, o->words, *(unsigned *)o->to, "+");
		break;
	case PB_OPT_LIMIT:
		if (isinf(*(double *)o->to))
			word = "inf";
		else
			print_tuple(out, size, o->to, 1);
		break;
	case PB_OPT_NUM:
		print_tuple(out, size, o->to, 1);
		break;
	case PB_OPT_PAIR:
	case PB_OPT_POSE:
		print_tuple(out, size, o->to, o->kind == PB_OPT_PAIR ? 2 : 3);
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

/* Add the number "7" or the range "3-7". False: not a number from 1 to
 * PB_NUMBERS, or already in the list. */
static bool
add_range(struct pb_numbers *to, char *word)
{
	char *dash = strchr(word, '-');
	int64_t lo, hi;

	if (dash)
		*dash = '\0';
	if (!pb_num_parse_int(word, &lo) ||
	    !pb_num_parse_int(dash ? dash + 1 : word, &hi) || lo > hi ||
	    lo < 1 || hi > PB_NUMBERS)
		return false;
	for (; lo <= hi; lo++) {
		for (int i = 0; i < to->n; i++)
			if (to->v[i] == lo)
				return false;
		to->v[to->n++] = (int)lo;
	}
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
		if (!add_range(&list, word))
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
pb_opt_shorten(char *text, size_t size)
{
	char was[256], one[64];
	const char *at = was;
	double v;

	snprintf(was, sizeof(was), "%s", text);
	if (strspn(was, "0123456789.,e+-") != strlen(was))
		return;
	*text = '\0';
	while (pb_opt_word(&at, one, sizeof(one)) > 0) {
		if (strlen(one) > 8 && strchr(one, '.') &&
		    pb_num_parse(one, &v))
			snprintf(one, sizeof(one), "%.3g", v);
		pb_list_add(text, size, ",", one);
	}
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
			    "--%s: not with --%s", name, names->name[i]);
	return true;
}

/* Returns the row with that name, NULL: there is none. */
static const struct pb_opt *
find_option(const struct pb_tool *t, const char *name)
{
	for (size_t i = 0; i < t->nopt; i++)
		if (strcmp(t->opt[i].name, name) == 0)
			return &t->opt[i];
	return NULL;
}

/* Width of --help, and column where the text begins. An option that is longer
 * than LEFT gets a line of its own. */
enum { WIDTH = 80, LEFT = 30 };

/*
 * Print text in lines of at most WIDTH columns, broken at blanks, else behind
 * commas. The first line begins in column `at`, the others in column `indent`.
 */
static void
fold_text(const char *text, int at, int indent)
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

/* Print one row of help: left, then the text folded in column LEFT. */
static void
print_row(const char *left, const char *text)
{
	if (strlen(left) >= LEFT)
		printf("%s\n%*s", left, LEFT, "");
	else
		printf("%-*s", LEFT, left);
	fold_text(text, LEFT, LEFT);
}

/* --- constants, --set 'name=value ...' --- */

/* Most bytes of a file of constants: 256 KiB, some hundred times what all
 * constants together need. */
#define FILE_MAX ((size_t)1 << 18)

/* Bytes of the longest name=value. */
enum { WORD = 256 };

struct pb_set_group *
pb_set_add(struct pb_set *s, struct pb_set_group g)
{
	assert(s->groups < PB_SET_GROUPS && g.params.n <= PB_SET_ROWS);
	s->group[s->groups] = g;
	return &s->group[s->groups++];
}

void
pb_set_fact(struct pb_set *s, const char *name, const char *words)
{
	size_t i = 0;

	while (i < s->facts && strcmp(s->fact[i].name, name) != 0)
		i++;
	if (words) {
		assert(i < PB_SET_FACTS);
		s->fact[i] = (struct pb_fact){name, words};
		s->facts += i == s->facts;
	} else if (i < s->facts) {
		s->fact[i] = s->fact[--s->facts];
	}
}

void
pb_set_name(const struct pb_set_group *g, size_t i, char *out)
{
	const char *prefix = g->prefix ? g->prefix : "";
	const char *name = g->params.row[i].name;
	size_t n = strlen(prefix);
	bool bare = n == 0 || (strncmp(name, prefix, n) == 0 && name[n] == '-');

	snprintf(out, PB_SET_NAME, "%s%s%s", bare ? "" : prefix,
	    bare ? "" : "-", name);
}

/* Returns the row with that name, params.n: there is none. */
static size_t
find_row(const struct pb_set_group *g, const char *name)
{
	char one[PB_SET_NAME];

	for (size_t i = 0; i < g->params.n; i++) {
		pb_set_name(g, i, one);
		if (strcmp(one, name) == 0)
			return i;
	}
	return g->params.n;
}

/* Returns the row that lists that name among its other names (`also`),
 * params.n: there is none. */
static size_t
find_alias(const struct pb_set_group *g, const char *name)
{
	size_t i = 0;

	while (i < g->params.n &&
	       pb_word_find(g->params.row[i].also, name, strlen(name)) < 0)
		i++;
	return i;
}

/* Find the constant, chosen or not, that has that name, else one that lists it
 * among its other names. False: there is none. */
static bool
find_constant(const struct pb_set *s, const char *name, char out[PB_SET_NAME])
{
	size_t (*find)(const struct pb_set_group *g, const char *name) =
	    find_row;

	for (int pass = 0; pass < 2; pass++, find = find_alias)
		for (size_t k = 0; k < s->groups; k++) {
			size_t i = find(&s->group[k], name);

			if (i < s->group[k].params.n) {
				pb_set_name(&s->group[k], i, out);
				return true;
			}
		}
	return false;
}

/* List the owners of the chosen constants or, if name is given, of the
 * constants with that name; each once. */
static void
list_owners(const struct pb_set *s, const char *name, char *out, size_t size)
{
	int n = 0;

	*out = '\0';
	for (size_t k = 0; k < s->groups; k++) {
		const struct pb_set_group *g = &s->group[k];
		bool listed =
		    name ? find_row(g, name) < g->params.n : g->chosen;

		if (listed && !strstr(out, g->of)) {
			pb_list_add(out, size, ", ", g->of);
			n++;
		}
	}
	if (!name && n > 4)
		snprintf(out, size, "what was chosen");
}

/* Find the chosen constant whose spelling is nearest, "": none is near. */
static void
find_similar(const struct pb_set *s, const char *name, char out[PB_SET_NAME])
{
	struct pb_suggest near = pb_suggest_for(name);
	char one[PB_SET_NAME];

	*out = '\0';
	for (size_t k = 0; k < s->groups; k++) {
		const struct pb_set_group *g = &s->group[k];

		for (size_t i = 0; g->chosen && i < g->params.n; i++) {
			size_t was = near.distance, n;

			pb_set_name(g, i, one);
			n = strlen(one) - strlen(name);
			/* A name that lacks only its prefix ("bin" for mcl-bin)
			 * counts as one wrong letter. */
			if (strlen(one) > strlen(name) && one[n - 1] == '-' &&
			    strcmp(one + n, name) == 0) {
				near.distance = 1;
				strcpy(out, one);
			}
			pb_suggest_try(&near, one);
			if (near.distance < was)
				strcpy(out, one);
		}
	}
}

/* Find the constant that the user probably meant. True: by another name of it
 * (`also`); false: by its spelling, "" if none is near. */
static bool
suggest_constant(
    const struct pb_set *s, const char *name, char out[PB_SET_NAME])
{
	for (size_t k = 0; k < s->groups; k++) {
		const struct pb_set_group *g = &s->group[k];
		size_t i = g->chosen ? find_alias(g, name) : g->params.n;

		if (i < g->params.n) {
			pb_set_name(g, i, out);
			return true;
		}
	}
	find_similar(s, name, out);
	return false;
}

/* Refuse a name that no chosen group has. */
static bool
refuse_name(const struct pb_set *s, const char *name, struct pb_error *bad)
{
	char chosen[120], owners[120], near[PB_SET_NAME];
	bool meant;

	list_owners(s, NULL, chosen, sizeof(chosen));
	list_owners(s, name, owners, sizeof(owners));
	meant = suggest_constant(s, name, near);
	if (*owners && !meant)
		return pb_error_set(bad, "%s: a constant of %s%s%s", name,
		    owners, *chosen ? ", not of " : "", chosen);
	if (!meant && s->tool && find_option(s->tool, name))
		return pb_error_set(
		    bad, "%s: an option, not a constant: --%s", name, name);
	if (!*chosen)
		return pb_error_set(bad,
		    "%.60s: the chosen rules, players and methods have no constants",
		    name);
	if (*near)
		return pb_error_set(bad,
		    "%.60s: no constant of %s; did you mean \"%s\"?", name,
		    chosen, near);
	return pb_error_set(bad,
	    "%.60s: no constant of %s; see --help constants", name, chosen);
}

bool
pb_set_value(
    struct pb_set *s, const char *name, const char *value, struct pb_error *bad)
{
	bool found = false;

	for (size_t k = 0; k < s->groups; k++) {
		struct pb_set_group *g = &s->group[k];
		size_t i = g->chosen ? find_row(g, name) : g->params.n;
		struct pb_error why;
		struct pb_opt o;

		if (i == g->params.n)
			continue;
		o = pb_opt_of_param(&g->params.row[i], g->base);
		if (!pb_opt_set(&o, value, &why))
			return pb_error_set(bad, "%s: %.250s", name, why.text);
		g->given[i] = found = true;
	}
	return found || refuse_name(s, name, bad);
}

/* Set "name=value", the n bytes at word. */
static bool
set_word(struct pb_set *s, const char *word, size_t n, struct pb_error *bad)
{
	char name[WORD];
	char *equals;

	if (n < sizeof(name)) {
		memcpy(name, word, n);
		name[n] = '\0';
		equals = strchr(name, '=');
		if (equals && equals != name) {
			*equals = '\0';
			return pb_set_value(s, name, equals + 1, bad);
		}
	}
	return pb_error_set(bad,
	    "expected NAME=VALUE without blanks or unit, got \"%.*s\"",
	    n < 80 ? (int)n : 80, word);
}

/* Set all words of the n bytes at text, which is one line. */
static bool
set_all(struct pb_set *s, const char *text, size_t n, struct pb_error *bad)
{
	const char *end = text + n, *at = text;

	while (at < end) {
		const char *word = at;

		while (at < end && !strchr(" \t\r\n", *at))
			at++;
		if (at > word && !set_word(s, word, (size_t)(at - word), bad))
			return false;
		at++;
	}
	return true;
}

/* Set the constants in the lines of a file. */
static bool
set_file(struct pb_set *s, const char *path)
{
	const struct pb_file_look look = {
	    .most = {FILE_MAX, "the most for a file of constants"}};
	struct pb_error bad;
	char *bytes;
	size_t n;
	long line = 1;
	bool ok = true, empty = true;

	if (*path == '\0')
		return pb_msg_usage("--set: expected a file's name behind @");
	if (pb_file_read(path, &look, &bytes, &n, &bad) != 0)
		return pb_msg_usage("--set: %s%s%s", bad.file,
		    bad.file[0] != '\0' ? ": " : "", bad.text);
	if (memchr(bytes, '\0', n)) {
		free(bytes);
		return pb_msg_usage(
		    "--set: %s: expected a text, got a zero byte", path);
	}
	for (char *at = bytes; ok && *at != '\0'; line++) {
		ok = set_all(s, at, strcspn(at, "#\n"), &bad);
		if (!ok)
			pb_msg_usage("%s:%ld: %s", path, line, bad.text);
		empty = empty && strspn(at, " \t\r") == strcspn(at, "#\n");
		at += strcspn(at, "\n");
		at += *at != '\0';
	}
	free(bytes);
	if (ok && empty)
		pb_msg_warn((struct pb_place){path, 0}, "sets no constant");
	return ok;
}

/* Apply all --set and similar options. False: a message was printed. */
static bool
apply_sets(struct pb_set *s)
{
	struct pb_error bad;

	for (size_t i = 0; i < s->args; i++) {
		const char *name = s->arg[i].name, *arg = s->arg[i].arg;
		bool ok;

		if (!name && *arg == '@') {
			if (!set_file(s, arg + 1))
				return false;
			continue;
		}
		ok = name ? pb_set_value(s, name, arg, &bad)
		          : set_all(s, arg, strlen(arg), &bad);
		if (!ok)
			return pb_msg_usage(
			    "--%s%s", name ? "" : "set: ", bad.text);
	}
	return true;
}

bool
pb_set_given(const struct pb_set *s, const char *name)
{
	for (size_t k = 0; k < s->groups; k++) {
		const struct pb_set_group *g = &s->group[k];
		size_t i = find_row(g, name);

		if (i < g->params.n && g->given[i])
			return true;
	}
	return false;
}

/* Whether row i of g has an effect. */
static bool
is_used(const struct pb_set *s, const struct pb_set_group *g, size_t i)
{
	return pb_params_used(g->params, g->base, i, s->fact, s->facts);
}

bool
pb_set_idle(const struct pb_set *s, const struct pb_set_group *g, size_t i,
    struct pb_error *bad)
{
	char name[PB_SET_NAME], when[200];
	bool own = false; /* an option of its own set it */

	if (!g->given[i] || is_used(s, g, i) ||
	    pb_params_unusual(g->params, i, g->base) != &g->params.row[i])
		return true;
	pb_set_name(g, i, name);
	for (size_t k = 0; k < s->args; k++)
		own |= s->arg[k].name && strcmp(s->arg[k].name, name) == 0;
	pb_params_when(g->params, i, g->prefix, s->options, when, sizeof(when));
	return pb_error_set(bad, "--%s%s: has no effect here, only with %s",
	    own ? "" : "set: ", name, when);
}

bool
pb_set_fits(const struct pb_set *s)
{
	struct pb_error bad;

	for (size_t k = 0; k < s->groups; k++) {
		const struct pb_set_group *g = &s->group[k];

		for (size_t i = 0; g->chosen && i < g->params.n; i++)
			if (!pb_set_idle(s, g, i, &bad))
				return pb_msg_usage("%s", bad.text);
	}
	return true;
}

/* Describe the values that a row allows, with shortened numbers for people. */
static void
describe_range(const struct pb_param *p, bool people, char *out, size_t size)
{
	char lo[PB_NUM_MAX], hi[PB_NUM_MAX];

	pb_num_exact(lo, p->min);
	pb_num_exact(hi, isfinite(p->max) ? p->max : 0);
	if (people) {
		pb_opt_shorten(lo, sizeof(lo));
		pb_opt_shorten(hi, sizeof(hi));
	}
	if (p->kind == PB_PARAM_BOOL)
		snprintf(out, size, "yes|no");
	else if (p->words)
		snprintf(out, size, "%s", p->words);
	else if (isfinite(p->max))
		snprintf(out, size, "%s..%s", lo, hi);
	else
		snprintf(out, size, "%s..%s", lo,
		    p->kind == PB_PARAM_LIMIT ? "inf" : "");
}

/*
 * Print the chosen constants for programs, one a line, separated by tabs: name,
 * value, unit, range, help. With all: also those without effect, and behind the
 * help the condition of an effect.
 */
static void
dump_constants(const struct pb_set *s, bool all)
{
	char name[PB_SET_NAME], value[200], range[200], when[200];

	for (size_t k = 0; k < s->groups; k++) {
		const struct pb_set_group *g = &s->group[k];

		for (size_t i = 0; g->chosen && i < g->params.n; i++) {
			const struct pb_param *p = &g->params.row[i];

			if (!all && !is_used(s, g, i))
				continue;
			pb_set_name(g, i, name);
			pb_param_value(p, g->base, value, sizeof(value));
			describe_range(p, false, range, sizeof(range));
			pb_params_when(
			    g->params, i, g->prefix, NULL, when, sizeof(when));
			printf("%s\t%s\t%s\t%s\t%s", name, value,
			    *p->unit ? p->unit : "-", range, p->help);
			if (all)
				printf("\t%s", *when ? when : "-");
			putchar('\n');
		}
	}
}

/* Returns the heading above row i in the help. */
static const char *
find_heading(const struct pb_set_group *g, size_t i)
{
	const char *group = pb_params_group(g->params, i);

	return group ? group : g->title;
}

static void
help_constant(const struct pb_set_group *g, size_t i)
{
	const struct pb_param *p = &g->params.row[i];
	char name[PB_SET_NAME], value[200], range[200], left[320], text[600];

	pb_set_name(g, i, name);
	pb_param_value(p, g->base, value, sizeof(value));
	pb_opt_shorten(value, sizeof(value));
	describe_range(p, true, range, sizeof(range));
	snprintf(left, sizeof(left), "  %s=%s%s%s", name, value,
	    *p->unit ? " " : "", p->unit);
	snprintf(text, sizeof(text), "%s (%s)", p->help, range);
	print_row(left, text);
}

/* Print all rows that have this heading. */
static void
help_heading(const struct pb_set *s, const char *title)
{
	printf("\n%s\n", title);
	for (size_t k = 0; k < s->groups; k++) {
		const struct pb_set_group *g = &s->group[k];

		for (size_t i = 0; g->chosen && i < g->params.n; i++)
			if (is_used(s, g, i) &&
			    strcmp(find_heading(g, i), title) == 0)
				help_constant(g, i);
	}
}

/* Print the chosen constants for people, grouped under headings. */
static void
help_constants(const struct pb_set *s)
{
	struct pb_opt_names headings = {.n = 0};
	char of[200];

	list_owners(s, NULL, of, sizeof(of));
	if (*of == '\0') {
		printf("Nothing that was chosen has constants.\n");
		return;
	}
	printf("Constants of %s, as --set would take them:\n", of);
	for (size_t k = 0; k < s->groups; k++) {
		const struct pb_set_group *g = &s->group[k];

		for (size_t i = 0; g->chosen && i < g->params.n; i++) {
			const char *title = find_heading(g, i);

			if (!is_used(s, g, i) ||
			    pb_opt_names_have(&headings, title))
				continue;
			pb_opt_names_add(&headings, title);
			help_heading(s, title);
		}
	}
}

/* --- the command line --- */

/* Whether the option goes with that mode; 0: with any. */
static bool
goes_with_mode(const struct pb_opt *o, unsigned mode)
{
	return o->modes == 0 || mode == 0 || (o->modes & mode) != 0;
}

/* Print help: the options that go with the mode, or all. */
static void
print_help(const struct pb_tool *t, unsigned mode, bool all)
{
	char left[128], value[256], text[600];
	bool hidden = false;

	printf("usage: %s [option ...] %s\n%s\n\n", pb_msg_program(),
	    t->operands, t->purpose);
	for (size_t i = 0; i < t->nopt; i++) {
		const struct pb_opt *o = &t->opt[i];
		char c = o->letter;

		if (!all && !goes_with_mode(o, mode)) {
			hidden = true;
			continue;
		}
		snprintf(left, sizeof(left), "  %c%c%c --%s%s%s", c ? '-' : ' ',
		    c ? c : ' ', c ? ',' : ' ', o->name, o->arg ? " " : "",
		    o->arg ? o->arg : "");
		pb_opt_value(o, value, sizeof(value));
		pb_opt_shorten(value, sizeof(value));
		snprintf(text, sizeof(text), *value ? "%s (%s)" : "%s", o->help,
		    value);
		print_row(left, text);
	}
	if (hidden)
		puts("\n--help all lists the options of other modes, too.");
}

/* getopt_long returns FIRST + row of the option; letters are below 256. */
enum { FIRST = 256 };

/* State of one pass over the command line. */
struct pass {
	const struct pb_tool *t;
	struct option *longs; /* nopt + 1, owned */
	char *shorts;         /* owned */
	bool early;           /* first pass: only early options and --help */
	bool help;            /* --help was found */
	bool constants;       /* --dump-constants was found */
	bool lenient;         /* errors are ignored */
};

/* SAID: refused with a message that needs no usage line behind it. */
enum end { GO, DONE, BAD, SAID };

/* Translate the rows into getopt's two descriptions. */
static void
make_getopt(struct pass *p)
{
	char *s;

	p->longs = pb_alloc(p->t->nopt + 1, sizeof(*p->longs));
	p->shorts = s = pb_alloc(1, 2 * p->t->nopt + 2);
	*s++ = ':'; /* a missing argument gives ':', not '?' */
	for (size_t i = 0; i < p->t->nopt; i++) {
		const struct pb_opt *o = &p->t->opt[i];
		bool arg = o->kind >= PB_OPT_BOOL;

		p->longs[i] = (struct option){.name = o->name,
		    .has_arg = arg        ? required_argument
		               : o->words ? optional_argument
		                          : no_argument,
		    .val = FIRST + (int)i};
		if (o->letter) {
			*s++ = o->letter;
			if (arg)
				*s++ = ':';
		}
	}
}

/* Print the words that options take: "option TAB word" lines. */
static void
list_words(const struct pb_tool *t)
{
	const char *word;
	bool any = false;
	size_t n;

	for (size_t i = 0; i < t->nopt; i++) {
		const struct pb_opt *o = &t->opt[i];

		if (o->kind != PB_OPT_NAME && o->kind != PB_OPT_WORDS)
			continue;
		for (int k = 0; (word = pb_word(o->words, k, &n)); k++) {
			printf("%s\t%.*s\n", o->name, (int)n, word);
			any = true;
		}
	}
	if (!any)
		pb_msg_note("no option takes words; see --help");
}

static void
dump_options(const struct pb_tool *t)
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

/* Check that all given options go with the mode; print the first that does
 * not. */
static bool
check_modes(const struct pass *p, unsigned mode)
{
	const struct pb_opt_names *names = p->t->names;
	char list[200] = "";

	for (int i = 0; mode != 0 && i < names->n; i++) {
		const struct pb_opt *o = find_option(p->t, names->name[i]);

		if (goes_with_mode(o, mode))
			continue;
		for (int k = 0; k < 32; k++)
			if (o->modes >> k & 1)
				pb_list_add(
				    list, sizeof(list), ", ", p->t->mode[k]);
		return pb_msg_usage("--%s: only with %s", o->name, list);
	}
	return true;
}

static enum end
apply_option(struct pass *p, const struct pb_opt *o, const char *arg)
{
	struct pb_error bad;

	if (o->kind == PB_OPT_HELP) {
		p->help = true;
		return p->early ? DONE : GO;
	}
	if (p->early && o->kind == PB_OPT_VERSION) {
		printf("%s %s\n", pb_msg_program(), PB_VERSION);
		pb_build_print();
		return DONE;
	}
	if (p->early && o->kind == PB_OPT_DUMP) {
		if (o->act)
			o->act();
		else if (strcmp(o->name, "list") == 0)
			list_words(p->t);
		else
			dump_options(p->t);
		return DONE;
	}
	p->constants |= o->kind == PB_OPT_CONSTANTS;
	if (o->kind == PB_OPT_CONSTANTS)
		return GO;
	if (p->early != o->early)
		return GO;
	if (p->t->names)
		pb_opt_names_add(p->t->names, o->name);
	if (pb_opt_set(o, arg, &bad)) {
		if (o->seen)
			*o->seen = true;
	} else if (!p->lenient) {
		pb_msg_usage("--%s: %s", o->name, bad.text);
		return BAD;
	}
	return GO;
}

static const struct pb_opt *
find_row_of(const struct pass *p, int c)
{
	if (c >= FIRST)
		return &p->t->opt[c - FIRST];
	for (size_t i = 0; i < p->t->nopt; i++)
		if (p->t->opt[i].letter == c)
			return &p->t->opt[i];
	return NULL;
}

/* Options of other tools that users try here, and what to do instead. Used only
 * where a tool has no option of that name. */
static const struct {
	const char *names, *instead;
} expected[] = {
    {"o|output|out",
	"records go to standard output: end the command with >FILE"},
    {"png|svg|pdf|html|render|draw|plot",
	"pipe the records into pb-mapgen --render -o FILE.png, .svg or .html"},
    {"house|maze|random",
	"make the map by pb-mapgen random-house or random-maze, -s SEED"},
};

/* Returns what to do instead of an unknown option, NULL: nothing known. */
static const char *
find_instead(const char *name)
{
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		if (pb_word_find(expected[i].names, name, strlen(name)) >= 0)
			return expected[i].instead;
	return NULL;
}

/* Refuse "--name" or "--name=value": no option has that name, or several begin
 * with it. If it is a constant, say how to set it. */
static enum end
refuse_unknown(const struct pass *p, const char *arg, const char *value)
{
	char name[PB_OPT_NAME_MAX], meant[PB_SET_NAME], known[160] = "";
	size_t n = strcspn(arg + 2, "=");
	struct pb_suggest near;
	const char *instead;

	snprintf(name, sizeof(name), "%.*s", (int)n, arg + 2);
	if (p->t->set && find_constant(p->t->set, name, meant)) {
		value = arg[2 + n] ? arg + 3 + n : value ? value : "VALUE";
		pb_msg_usage(
		    "--%s is not an option but a constant: --set %s=%.80s",
		    name, meant, value);
		return SAID;
	}
	instead = find_instead(name);
	near = pb_suggest_for(name);
	for (size_t i = 0; i < p->t->nopt; i++) {
		const char *row = p->t->opt[i].name;

		/* getopt_long accepts an unambiguous beginning: if an option
		 * begins with name here, several do. */
		pb_suggest_try(&near, row);
		if (strncmp(row, name, n) == 0)
			pb_list_add(known, sizeof(known), ", --", row);
	}
	if (*known)
		pb_msg_usage("ambiguous option --%s: --%s", name, known);
	else if (instead)
		pb_msg_usage("unknown option --%s; %s", name, instead);
	else if (near.best != NULL)
		pb_msg_usage("unknown option --%s; did you mean --%.*s?", name,
		    (int)near.n, near.best);
	else
		pb_msg_usage("unknown option --%s", name);
	return BAD;
}

/* Report what getopt_long refused; c is '?' or ':'. */
static enum end
report_misuse(const struct pass *p, int c, char **argv)
{
	const struct pb_opt *o = find_row_of(p, optopt);

	/* optopt is the option's val; 0 for an unknown long option. */
	if (c == ':' && o)
		pb_msg_usage("--%s: expected an argument, got none", o->name);
	else if (optopt >= FIRST && o)
		pb_msg_usage("--%s: takes no argument", o->name);
	else if (optopt == 'o')
		pb_msg_usage("unknown option -o; %s", find_instead("o"));
	else if (optopt)
		pb_msg_usage("unknown option -%c", optopt);
	else
		return refuse_unknown(p, argv[optind - 1], argv[optind]);
	return BAD;
}

static enum end
run_pass(struct pass *p, int argc, char **argv)
{
	int c;

	optind = 0; /* glibc: 0 resets its state, also inside of "-abc" */
	opterr = 0;
	while ((c = getopt_long(argc, argv, p->shorts, p->longs, NULL)) != -1) {
		const struct pb_opt *o = find_row_of(p, c);
		bool known = c != '?' && c != ':' && o;
		enum end e;

		if (p->lenient && !known)
			continue;
		e = known ? apply_option(p, o, optarg)
		          : report_misuse(p, c, argv);
		if (e != GO && !p->lenient)
			return e;
	}
	return GO;
}

/* Choose the mode of the tool, 0: it has none. False: the tool refused the
 * options with a message. */
static bool
choose_mode(const struct pass *p, int argc, char **argv, unsigned *mode)
{
	const struct pb_tool *t = p->t;

	*mode =
	    t->choose ? t->choose(t->user, argv + optind, argc - optind) : 0;
	return *mode != 0 || !t->choose;
}

/* Print the help that fits the rest of the command line. --help may stand
 * anywhere, and other options may be wrong. */
static enum end
print_help_for(struct pass *p, int argc, char **argv)
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
	if (run_pass(p, argc, argv) != GO || !choose_mode(p, argc, argv, &mode))
		return SAID;
	if (p->lenient)
		print_help(p->t, mode, strcmp(what, "all") == 0);
	else if (apply_sets(p->t->set))
		help_constants(p->t->set);
	return DONE;
}

/* Choose the mode, check the operands, apply --set. */
static enum end
finish_parsing(struct pass *p, int argc, char **argv)
{
	const struct pb_tool *t = p->t;
	unsigned mode;

	if (!choose_mode(p, argc, argv, &mode) || !check_modes(p, mode) ||
	    !pb_file_operands(argv + optind, argc - optind, t->is_word) ||
	    (t->set && !apply_sets(t->set)))
		return SAID;
	if (!p->constants)
		return GO;
	dump_constants(
	    t->set, optind < argc && strcmp(argv[argc - 1], "all") == 0);
	return DONE;
}

static enum end
run_passes(struct pass *p, int argc, char **argv)
{
	enum end e;

	make_getopt(p);
	/* Early options take effect in a first pass, see pb_opt.early. */
	p->early = true;
	e = run_pass(p, argc, argv);
	p->early = false;
	if (p->help)
		return print_help_for(p, argc, argv);
	if (e == GO)
		e = run_pass(p, argc, argv);
	return e == GO ? finish_parsing(p, argc, argv) : e;
}

int
pb_opt_parse(const struct pb_tool *t, int argc, char **argv)
{
	const struct pb_opt *seed = find_option(t, "seed");
	struct pass p = {.t = t};
	struct pb_set *s = t->set;
	enum end e;

	pb_provenance_args(argc, argv);
	if (s) {
		s->tool = t;
		*s->options = '\0';
	}
	for (size_t i = 0; s && i < t->nopt; i++)
		if (t->opt[i].kind == PB_OPT_SET &&
		    strcmp(t->opt[i].name, "set") != 0)
			pb_list_add(s->options, sizeof(s->options), "|",
			    t->opt[i].name);
	e = run_passes(&p, argc, argv);
	if (e == BAD)
		fprintf(stderr, "usage: %s [option ...] %s; see --help\n",
		    pb_msg_program(), t->operands);
	if (e == GO) {
		pb_provenance_start(seed ? seed->to : NULL);
		pb_build_check();
	}
	free(p.longs);
	free(p.shorts);
	if (s)
		s->tool = NULL; /* the set may outlive the tool */
	return e == GO ? optind : -1;
}
