/* opt.c - options of the command line: which there are, which were given. */
#include "io/opt/opt.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/build.h"
#include "io/stream/msg.h"
#include "io/stream/suggest.h"
#include "pb/version.h"

void
pb_opt_names_add(struct pb_opt_names *names, const char *name)
{
	if (names->n < PB_OPT_NAMES && !pb_opt_names_have(names, name))
		snprintf(names->name[names->n++], PB_OPT_NAME_MAX, "%s", name);
}

/* Note that the group whose options tell `given` refuses the value of name. */
static void
note_odd(struct pb_opt_names *names, const char *const *given, const char *name,
    const struct pb_error *bad)
{
	struct pb_opt_odd *odd = &names->odd[names->odds];

	if (names->odds == PB_OPT_ODD)
		return; /* the first ones are told anyway */
	odd->given = given;
	snprintf(odd->name, sizeof(odd->name), "%s", name);
	odd->bad = *bad;
	names->odds++;
}

bool
pb_opt_names_took(const struct pb_opt_names *names, const char *const *given)
{
	for (int i = 0; i < names->odds; i++)
		if (names->odd[i].given == given)
			return pb_msg_usage("--%s: %s", names->odd[i].name,
			    names->odd[i].bad.text);
	return true;
}

bool
pb_opt_names_have(const struct pb_opt_names *names, const char *name)
{
	for (int i = 0; i < names->n; i++)
		if (strcmp(names->name[i], name) == 0)
			return true;
	return false;
}

static bool
is_word(const char *words, const char *name)
{
	return pb_word_find(words, name, strlen(name)) >= 0;
}

bool
pb_opt_names_fit(const struct pb_opt_names *names,
    const struct pb_opt_fit *table, size_t n, unsigned mode)
{
	/* In the order of the command line, so that the first is told. */
	for (int i = 0; i < names->n; i++)
		for (size_t k = 0; k < n; k++)
			if (!(table[k].modes & mode) &&
			    is_word(table[k].names, names->name[i]))
				return pb_msg_usage("--%s: goes with %s",
				    names->name[i], table[k].with);
	return true;
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

/* getopt_long returns FIRST + number of the row, beyond any short letter. */
enum { FIRST = 256 };

/* What one pass over the command line looks at. */
struct pass {
	const struct pb_tool *t;
	struct pb_opt_rows rows;
	struct option *longs; /* rows.n + 1, owned */
	char *shorts;         /* owned */
	bool early;           /* the first pass: presets, --help */
	bool help;            /* --help was found */
};

enum end { GO, DONE, BAD };

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

bool
pb_opt_param(
    const struct pb_param *p, void *base, const char *arg, struct pb_error *bad)
{
	const struct pb_opt o = pb_opt_of_param(p, base);

	return pb_opt_set(&o, arg, bad);
}

void
pb_opt_group_name(const struct pb_opt_group *g, size_t i, char *out)
{
	const char *prefix = g->prefix ? g->prefix : "";
	const char *name = g->params.row[i].name;
	size_t n = strlen(prefix);
	bool bare = n == 0 || (strncmp(name, prefix, n) == 0 && name[n] == '-');

	snprintf(out, PB_OPT_NAME_MAX, "%s%s%s", bare ? "" : prefix,
	    bare ? "" : "-", name);
}

static bool
make_rows(struct pass *p)
{
	size_t n = p->t->nopt;

	for (size_t g = 0; g < p->t->ngroup; g++)
		n += p->t->group[g].params.n;
	p->rows.row = calloc(n ? n : 1, sizeof(*p->rows.row));
	if (!p->rows.row)
		return false;
	for (size_t i = 0; i < p->t->nopt; i++) {
		struct pb_opt_row *r = &p->rows.row[p->rows.n++];

		r->o = p->t->opt[i];
		/* --help shows it where it shows what it goes with. */
		for (size_t g = 0; r->o.given && g < p->t->ngroup; g++)
			if (p->t->group[g].given == r->o.given)
				r->group = &p->t->group[g];
	}
	for (size_t g = 0; g < p->t->ngroup; g++) {
		const struct pb_opt_group *group = &p->t->group[g];

		if (group->params.n > 0)
			p->rows.row[p->rows.n].title = group->title;
		for (size_t i = 0; i < group->params.n; i++) {
			struct pb_opt_row *r = &p->rows.row[p->rows.n++];

			r->o =
			    pb_opt_of_param(&group->params.row[i], group->base);
			r->o.given = group->given;
			r->group = group;
			r->constant = true;
			pb_opt_group_name(group, i, r->name);
			if (strcmp(r->name, r->o.name) != 0) {
				r->plain = r->o.name;
				r->o.name = r->name;
			}
		}
	}
	return true;
}

/* getopt's two descriptions of the rows. */
static bool
make_getopt(struct pass *p)
{
	char *s;

	p->longs = calloc(p->rows.n + 1, sizeof(*p->longs));
	p->shorts = s = calloc(1, 2 * p->rows.n + 2);
	if (!p->longs || !s)
		return false;
	*s++ = ':'; /* a missing argument is not an unknown option */
	for (size_t i = 0; i < p->rows.n; i++) {
		const struct pb_opt *o = &p->rows.row[i].o;
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
	return true;
}

/* An option of several groups is one option. */
static bool
named_before(const struct pb_opt_rows *r, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(r->row[k].o.name, r->row[i].o.name) == 0)
			return true;
	return false;
}

static void
dump(const struct pb_opt_rows *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct pb_opt *o = &r->row[i].o;
		char value[256];

		if (named_before(r, i))
			continue;
		pb_opt_value(o, value, sizeof(value));
		printf("%c\t%s\t%s\t%s\t%s\t%s\n", o->letter ? o->letter : '-',
		    o->name, o->arg ? o->arg : "-", pb_opt_kind(o),
		    *value ? value : "-", o->help);
	}
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
		dump(&p->rows);
	}
	return o->kind == PB_OPT_VERSION || o->kind == PB_OPT_DUMP;
}

/* Whether another row has the same name: an option of several rule sets. */
static bool
shared(const struct pass *p, const struct pb_opt *o)
{
	int n = 0;

	for (size_t i = 0; i < p->rows.n; i++)
		n += strcmp(p->rows.row[i].o.name, o->name) == 0;
	return n > 1;
}

/* Store an argument; what one rule set has alone tells most about it. */
static bool
store(const struct pass *p, const struct pb_opt_row *r, const char *arg,
    struct pb_error *bad)
{
	const struct pb_opt *o = &r->o;

	if (!pb_opt_set(o, arg, bad))
		return false;
	if (o->seen)
		*o->seen = true;
	if (o->given && (*o->given == NULL || !shared(p, o)))
		*o->given = r->plain ? r->plain : o->name;
	return true;
}

/* Store it in all rows of that name; false: none of them takes it. */
static bool
store_all(const struct pass *p, const char *name, const char *arg)
{
	struct pb_error bad, first = {""};
	bool differ = false;
	int took = 0;

	for (size_t i = 0; i < p->rows.n; i++) {
		const struct pb_opt_row *r = &p->rows.row[i];

		if (strcmp(r->o.name, name) != 0)
			continue;
		/* One of several rule sets may not be able to take it: only
		 * if that one is played is it refused, by names_took(). */
		if (store(p, r, arg, &bad))
			took++;
		else if (p->t->names && r->o.given) {
			note_odd(p->t->names, r->o.given, name, &bad);
			if (first.text[0] == '\0')
				first = bad;
			differ |= strcmp(first.text, bad.text) != 0;
		}
	}
	/* Of several that do not agree, the one that is played says why. */
	if (took == 0 && differ)
		for (size_t i = 0; i < p->rows.n; i++) {
			const struct pb_opt *o = &p->rows.row[i].o;

			if (o->given && !*o->given &&
			    strcmp(o->name, name) == 0)
				*o->given = o->name;
		}
	else if (took == 0)
		pb_msg_usage("--%s: %s", name, bad.text);
	return took > 0 || differ;
}

static enum end
take_option(struct pass *p, const struct pb_opt *o, const char *arg)
{
	p->help = o->kind == PB_OPT_HELP;
	if (p->help || (p->early && print_kind(p, o)))
		return DONE;
	/* A preset, wherever it stands, must not undo what is given. */
	if (p->early != o->early)
		return GO;
	if (p->t->names)
		pb_opt_names_add(p->t->names, o->name);
	return store_all(p, o->name, arg) ? GO : BAD;
}

static const struct pb_opt *
row_with(const struct pass *p, int c)
{
	if (c >= FIRST)
		return &p->rows.row[c - FIRST].o;
	for (size_t i = 0; i < p->rows.n; i++)
		if (p->rows.row[i].o.letter == c)
			return &p->rows.row[i].o;
	return NULL;
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
	for (size_t i = 0; i < p->rows.n; i++) {
		const char *row = p->rows.row[i].o.name;

		/* getopt_long takes what only one name begins with: here it
		 * is none, or several. */
		pb_suggest_try(&near, row, strlen(row));
		if (strncmp(row, name, n) == 0 && len < sizeof(known) &&
		    !named_before(&p->rows, i))
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

/*
 * Help on what goes with the rest of the command line, wherever --help stands
 * in it: whoever asks may get other things wrong.
 */
static enum end
help(struct pass *p, int argc, char **argv)
{
	int c;

	optind = 0;
	while ((c = getopt_long(argc, argv, p->shorts, p->longs, NULL)) != -1)
		for (size_t i = 0; i < p->rows.n; i++)
			if (c == FIRST + (int)i ||
			    (c == p->rows.row[i].o.letter && c != 0))
				p->rows.row[i].arg = optarg ? optarg : "";
	pb_opt_help(
	    p->t, &p->rows, optind < argc && strcmp(argv[optind], "all") == 0);
	return DONE;
}

static enum end
run_pass(struct pass *p, int argc, char **argv)
{
	int c;

	optind = 0; /* glibc: forget everything, also inside an argument */
	opterr = 0;
	while ((c = getopt_long(argc, argv, p->shorts, p->longs, NULL)) != -1) {
		const struct pb_opt *o = row_with(p, c);
		enum end e = c == '?' || c == ':' || !o
		                 ? misuse(p, c, argv)
		                 : take_option(p, o, optarg);

		if (e != GO)
			return e;
	}
	return GO;
}

static enum end
run_passes(struct pass *p, int argc, char **argv)
{
	enum end e;

	if (!make_rows(p) || !make_getopt(p)) {
		pb_msg_nomem("command line");
		return DONE;
	}
	/* Twice over the same line: see pb_opt.early. */
	p->early = true;
	e = run_pass(p, argc, argv);
	p->early = false;
	if (p->help)
		return help(p, argc, argv);
	if (e == GO)
		e = run_pass(p, argc, argv);
	if (e == GO && p->t->max_operands >= 0 &&
	    argc - optind > p->t->max_operands) {
		pb_msg_usage("unexpected operand \"%.80s\"",
		    argv[optind + p->t->max_operands]);
		e = BAD;
	}
	return e;
}

/* The seed, if the tool has one. */
static const uint64_t *
seed_of(const struct pb_opt_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		const struct pb_opt *o = &rows->row[i].o;

		if (o->kind == PB_OPT_U64 && strcmp(o->name, "seed") == 0)
			return o->to;
	}
	return NULL;
}

int
pb_opt_parse(const struct pb_tool *t, int argc, char **argv)
{
	struct pass p = {.t = t};
	enum end e;

	pb_provenance_args(argc, argv);
	e = run_passes(&p, argc, argv);
	if (e == BAD)
		fprintf(stderr,
		    "usage: %s [option ...]%s%s; --help tells more\n",
		    pb_msg_program(), *t->operands ? " " : "", t->operands);
	if (e == GO) {
		pb_provenance_start(seed_of(&p.rows));
		pb_build_check();
	}
	free(p.rows.row);
	free(p.longs);
	free(p.shorts);
	return e == GO ? optind : -1;
}
