/* set.c - constants on the command line, --set 'name=value ...': names,
 * values, files, listings. */
#include "io/opt/opt.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/file.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"

/* Most bytes of a file of constants, some hundred times all of them. */
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
pb_set_tool(struct pb_set *s, const struct pb_tool *t)
{
	s->tool = t;
	*s->options = '\0';
	for (size_t i = 0; i < t->nopt; i++)
		if (t->opt[i].kind == PB_OPT_SET &&
		    strcmp(t->opt[i].name, "set") != 0)
			pb_opt_list_add(s->options, sizeof(s->options), "|",
			    t->opt[i].name);
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

/* The row of that name, params.n: there is none. */
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

const struct pb_set_group *
pb_set_find(const struct pb_set *s, const char *name, size_t *row)
{
	for (size_t k = 0; k < s->groups; k++)
		if ((*row = find_row(&s->group[k], name)) <
		    s->group[k].params.n)
			return &s->group[k];
	return NULL;
}

/* Whose constants are chosen, or have the name; each once. */
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
			pb_opt_list_add(out, size, ", ", g->of);
			n++;
		}
	}
	if (!name && n > 4)
		snprintf(out, size, "what was chosen");
}

/* What was probably meant: by meaning, which it returns, else by spelling. */
static bool
suggest(const struct pb_set *s, const char *name, char *out)
{
	struct pb_suggest near = pb_suggest_for(name);
	char one[PB_SET_NAME];

	*out = '\0';
	for (size_t k = 0; k < s->groups; k++) {
		const struct pb_set_group *g = &s->group[k];

		for (size_t i = 0; g->chosen && i < g->params.n; i++) {
			size_t was = near.distance;

			pb_set_name(g, i, one);
			if (pb_word_find(g->params.row[i].also, name,
				strlen(name)) >= 0) {
				strcpy(out, one);
				return true;
			}
			/* The name without its prefix is as good as it. */
			if (strlen(one) > strlen(name) &&
			    one[strlen(one) - strlen(name) - 1] == '-' &&
			    strcmp(one + strlen(one) - strlen(name), name) ==
				0) {
				near.distance = 1;
				strcpy(out, one);
			}
			pb_suggest_try(&near, one);
			if (near.distance < was)
				strcpy(out, one);
		}
	}
	return false;
}

/* No chosen group has it. */
static bool
refuse_name(const struct pb_set *s, const char *name, struct pb_error *bad)
{
	char chosen[120], owners[120], near[PB_SET_NAME];
	bool meant;

	list_owners(s, NULL, chosen, sizeof(chosen));
	list_owners(s, name, owners, sizeof(owners));
	meant = suggest(s, name, near);
	if (!meant && s->tool && pb_opt_find(s->tool, name))
		return pb_error_set(
		    bad, "%s: an option of its own: --%s", name, name);
	if (*owners && !meant)
		return pb_error_set(bad, "%s: a constant of %s%s%s", name,
		    owners, *chosen ? ", not of " : "", chosen);
	if (!*chosen)
		return pb_error_set(
		    bad, "%.60s: nothing that was chosen has constants", name);
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
	return pb_error_set(bad, "expected NAME=VALUE, got \"%.*s\"",
	    n < 80 ? (int)n : 80, word);
}

/* Set all words of the n bytes at text, which has no more lines. */
static bool
set_words(struct pb_set *s, const char *text, size_t n, struct pb_error *bad)
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

/* Set what the lines of a file say. */
static bool
set_file(struct pb_set *s, const char *path)
{
	const struct pb_file_look look = {
	    .most = {FILE_MAX, "the most for a file of constants"}};
	struct pb_error bad;
	char *bytes;
	size_t n;
	long line = 1;
	bool ok = true;

	if (pb_file_read(path, &look, &bytes, &n, &bad) != 0)
		return pb_msg_usage("--set: %s%s%s", bad.file,
		    bad.file[0] != '\0' ? ": " : "", bad.text);
	if (memchr(bytes, '\0', n)) {
		free(bytes);
		return pb_msg_usage(
		    "--set: %s: expected a text, got a zero byte", path);
	}
	for (char *at = bytes; ok && *at != '\0'; line++) {
		ok = set_words(s, at, strcspn(at, "#\n"), &bad);
		if (!ok)
			pb_msg_usage("%s:%ld: %s", path, line, bad.text);
		at += strcspn(at, "\n");
		at += *at != '\0';
	}
	free(bytes);
	return ok;
}

bool
pb_set_apply(struct pb_set *s)
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
		          : set_words(s, arg, strlen(arg), &bad);
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

/* Whether an option of its own set the constant of that name. */
static bool
has_option(const struct pb_set *s, const char *name)
{
	for (size_t i = 0; i < s->args; i++)
		if (s->arg[i].name && strcmp(s->arg[i].name, name) == 0)
			return true;
	return false;
}

bool
pb_set_idle(const struct pb_set *s, const struct pb_set_group *g, size_t i,
    struct pb_error *bad)
{
	char name[PB_SET_NAME], when[200];

	if (!g->given[i] || is_used(s, g, i) ||
	    pb_params_unusual(g->params, i, g->base) != &g->params.row[i])
		return true;
	pb_set_name(g, i, name);
	pb_params_when(
	    g->params, i, g->prefix, s->options, when, sizeof(when));
	return pb_error_set(bad, "--%s%s: changes nothing here; goes with %s",
	    has_option(s, name) ? "" : "set: ", name, when);
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

/* What a row allows. */
static void
tell_range(const struct pb_param *p, char *out, size_t size)
{
	char lo[PB_NUM_MAX], hi[PB_NUM_MAX];

	pb_num_exact(lo, p->min);
	pb_num_exact(hi, isfinite(p->max) ? p->max : 0);
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

void
pb_set_dump(const struct pb_set *s, bool all)
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
			tell_range(p, range, sizeof(range));
			pb_params_when(g->params, i, g->prefix, NULL, when,
			    sizeof(when));
			printf("%s\t%s\t%s\t%s\t%s", name, value,
			    *p->unit ? p->unit : "-", range, p->help);
			if (all)
				printf("\t%s", *when ? when : "-");
			putchar('\n');
		}
	}
}

/* The heading of row i. */
static const char *
heading(const struct pb_set_group *g, size_t i)
{
	const char *group = pb_params_group(g->params, i);

	return group ? group : g->title;
}

static void
help_row(const struct pb_set_group *g, size_t i)
{
	const struct pb_param *p = &g->params.row[i];
	char name[PB_SET_NAME], value[200], range[200], left[320], text[600];

	pb_set_name(g, i, name);
	pb_param_value(p, g->base, value, sizeof(value));
	tell_range(p, range, sizeof(range));
	snprintf(left, sizeof(left), "  %s=%s%s%s", name, value,
	    *p->unit ? " " : "", p->unit);
	snprintf(text, sizeof(text), "%s (%s)", p->help, range);
	pb_opt_help_line(left, text);
}

/* Whether a row before (k, i) has that heading. */
static bool
is_headed(const struct pb_set *s, size_t k, size_t i, const char *title)
{
	for (size_t a = 0; a <= k; a++) {
		const struct pb_set_group *g = &s->group[a];
		size_t n = a == k ? i : g->params.n;

		for (size_t b = 0; g->chosen && b < n; b++)
			if (is_used(s, g, b) &&
			    strcmp(heading(g, b), title) == 0)
				return true;
	}
	return false;
}

/* All rows of one heading. */
static void
help_heading(const struct pb_set *s, const char *title)
{
	printf("\n%s\n", title);
	for (size_t k = 0; k < s->groups; k++) {
		const struct pb_set_group *g = &s->group[k];

		for (size_t i = 0; g->chosen && i < g->params.n; i++)
			if (is_used(s, g, i) &&
			    strcmp(heading(g, i), title) == 0)
				help_row(g, i);
	}
}

void
pb_set_help(const struct pb_set *s)
{
	char of[200];

	list_owners(s, NULL, of, sizeof(of));
	if (*of == '\0') {
		printf("Nothing that was chosen has constants.\n");
		return;
	}
	printf("Constants of %s, as --set would take them:\n", of);
	for (size_t k = 0; k < s->groups; k++) {
		const struct pb_set_group *g = &s->group[k];

		for (size_t i = 0; g->chosen && i < g->params.n; i++)
			if (is_used(s, g, i) &&
			    !is_headed(s, k, i, heading(g, i)))
				help_heading(s, heading(g, i));
	}
}
