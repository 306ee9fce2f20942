/* opt.c - options of the command line: which there are, which were given. */
#include "io/opt/opt.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/msg.h"
#include "pb/version.h"

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
	struct option *longs; /* nopt + 1, owned */
	char *shorts;         /* owned */
	bool early;           /* the first pass: what is early, --help */
	bool help;            /* --help was found */
	bool constants;       /* --dump-constants was found */
	bool lenient;         /* what is wrong is passed over */
};

/* SAID: refused, and how to use the tool is not to be said as well. */
enum end { GO, DONE, BAD, SAID };

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

static const struct pb_opt *
find_option(const struct pb_tool *t, const char *name)
{
	const struct pb_opt *o = t->opt;

	while (strcmp(o->name, name) != 0)
		o++;
	return o;
}

/* getopt's two descriptions of the rows. */
static bool
make_getopt(struct pass *p)
{
	char *s;

	p->longs = calloc(p->t->nopt + 1, sizeof(*p->longs));
	p->shorts = s = calloc(1, 2 * p->t->nopt + 2);
	if (!p->longs || !s)
		return false;
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
	return true;
}

static void
dump(const struct pb_tool *t)
{
	for (size_t i = 0; i < t->nopt; i++) {
		const struct pb_opt *o = &t->opt[i];
		char value[256];

		pb_opt_value(o, value, sizeof(value));
		printf("%c\t%s\t%s\t%s\t%s\t%s\n", o->letter ? o->letter : '-',
		    o->name, o->arg ? o->arg : "-", pb_opt_kind(o),
		    *value ? value : "-", o->help);
	}
}

bool
pb_opt_goes(const struct pb_opt *o, unsigned mode)
{
	return o->modes == 0 || mode == 0 || (o->modes & mode) != 0;
}

/* Whether all options that were given go with the mode; what does not is said.
 */
static bool
go_with(const struct pass *p, unsigned mode)
{
	const struct pb_opt_names *names = p->t->names;
	char list[200] = "";

	for (int i = 0; mode != 0 && i < names->n; i++) {
		const struct pb_opt *o = find_option(p->t, names->name[i]);

		if (pb_opt_goes(o, mode))
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
	for (size_t i = 0; i < p->t->nopt; i++)
		if (strcmp(p->t->opt[i].name, name) == 0)
			return false;
	if (!pb_set_find(p->t->set, name, &row))
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
		pb_opt_help(p->t, 0, true);
		return DONE;
	}
	p->lenient = strcmp(what, "constants") != 0;
	if (run_pass(p, argc, argv) != GO || !choose(p, argc, argv, &mode))
		return SAID;
	if (p->lenient)
		pb_opt_help(p->t, mode, strcmp(what, "all") == 0);
	else if (pb_set_apply(p->t->set))
		pb_set_help(p->t->set);
	return DONE;
}

/* What comes after the options were read. */
static enum end
chosen(struct pass *p, int argc, char **argv)
{
	const struct pb_tool *t = p->t;
	int operands = argc - optind;
	unsigned mode;

	/* "--dump-constants all" */
	if (t->max_operands >= 0 && operands > t->max_operands &&
	    !p->constants) {
		pb_msg_usage("unexpected operand \"%.80s\"",
		    argv[optind + t->max_operands]);
		return BAD;
	}
	if (!choose(p, argc, argv, &mode) || !go_with(p, mode) ||
	    (t->set && !pb_set_apply(t->set)))
		return SAID;
	if (!p->constants)
		return GO;
	pb_set_dump(t->set, operands > 0 && strcmp(argv[argc - 1], "all") == 0);
	return DONE;
}

static enum end
run_passes(struct pass *p, int argc, char **argv)
{
	enum end e;

	if (!make_getopt(p)) {
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
	return e == GO ? chosen(p, argc, argv) : e;
}

/* The seed, if the tool has one. */
static const uint64_t *
seed_of(const struct pb_tool *t)
{
	for (size_t i = 0; i < t->nopt; i++) {
		const struct pb_opt *o = &t->opt[i];

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
	if (t->set)
		t->set->tool = t;
	e = run_passes(&p, argc, argv);
	if (e == BAD)
		fprintf(stderr,
		    "usage: %s [option ...]%s%s; --help tells more\n",
		    pb_msg_program(), *t->operands ? " " : "", t->operands);
	if (e == GO) {
		pb_provenance_start(seed_of(t));
		pb_build_check();
	}
	free(p.longs);
	free(p.shorts);
	if (t->set)
		t->set->tool = NULL; /* the set may outlive the tool */
	return e == GO ? optind : -1;
}
