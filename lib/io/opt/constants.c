/* constants.c - the constants of every rule set, set and told by name. */
#include "io/opt/constants.h"
#include "io/stream/suggest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/stream/num.h"

#define MORE " ..." /* was left out */

/* A text that ends in time. */
struct telling {
	char *out;
	size_t size;
	size_t len;
	bool full;
};

struct pb_constants
pb_constants_defaults(void)
{
	struct pb_constants c = {{{0}}};

	for (int i = 0; pb_games[i].game; i++)
		pb_games[i].game->defaults(c.of[i]);
	return c;
}

void *
pb_constants_of(const struct pb_constants *c, int rules)
{
	return (void *)c->of[rules];
}

struct pb_opt_group
pb_constants_group(struct pb_constants *c, int rules)
{
	const struct pb_game *game = pb_games[rules].game;
	struct pb_opt_group g = {
	    .title = game->heading, .base = c->of[rules], .with = game->with};

	g.param = game->params(&g.n);
	return g;
}

bool
pb_constants_set(struct pb_constants *c, int rules, const char *name,
    const char *value, struct pb_error *bad)
{
	size_t n;
	const struct pb_param *p = pb_games[rules].game->params(&n);
	struct pb_suggest near = pb_suggest_for(name);

	for (size_t i = 0; i < n; i++)
		if (strcmp(p[i].name, name) == 0)
			return pb_opt_param(&p[i], c->of[rules], value, bad);
	for (size_t i = 0; i < n; i++)
		pb_suggest_try(&near, p[i].name, strlen(p[i].name));
	return pb_error_set(bad, "expected a constant of %s, got \"%.80s\"%s",
	    pb_games[rules].game->name, name, pb_suggest_text(&near));
}

static void
tell(struct telling *t, const char *name, const char *value)
{
	size_t left = t->size - t->len;
	size_t need = strlen(name) + strlen(value) + 2;

	if (t->full)
		return;
	t->full = need + strlen(MORE) >= left;
	if (t->full)
		snprintf(t->out + t->len, left, "%s", MORE);
	else
		t->len += (size_t)snprintf(t->out + t->len, left, "%s%s=%s",
		    t->len ? " " : "", name, value);
}

void
pb_constants_value(
    const struct pb_param *p, const void *base, char *out, size_t size)
{
	const char *at = (const char *)base + p->offset, *word;
	size_t n = 0;

	switch (p->kind) {
	case PB_PARAM_REAL:
	case PB_PARAM_LIMIT:
		if (isinf(*(const double *)at))
			snprintf(out, size, "inf");
		else
			pb_num_exact(out, *(const double *)at);
		return;
	case PB_PARAM_BOOL:
		snprintf(out, size, "%s", *(const bool *)at ? "yes" : "no");
		return;
	case PB_PARAM_CHOICE:
		word = pb_word(p->words, *(const int *)at, &n);
		snprintf(out, size, "%.*s", (int)n, word);
		return;
	case PB_PARAM_COUNT:
		break;
	}
	pb_num_int(out, *(const int *)at);
}

static void
tell_place(struct telling *t, const char *name, const double *v, int n)
{
	char text[3 * PB_NUM_MAX] = "", one[PB_NUM_MAX];
	size_t len = 0;

	for (int i = 0; i < n; i++) {
		pb_num_exact(one, v[i]);
		len += (size_t)snprintf(
		    text + len, sizeof(text) - len, "%s%s", i ? "," : "", one);
	}
	tell(t, name, text);
}

static bool
is_asked(const struct pb_opt_names *asked, const char *name)
{
	return asked && strcmp(name, "round") != 0 &&
	       pb_opt_names_have(asked, name);
}

bool
pb_constants_tell(const struct pb_game *g, const void *opts, const char *preset,
    const struct pb_opt_names *asked, char *out)
{
	_Alignas(double) unsigned char usual[PB_RULES_OPTS];
	struct telling t = {.out = out, .size = PB_TRIAL_TOLD};
	char a[PB_NUM_MAX], b[PB_NUM_MAX];
	const char *name;
	double v[3];
	size_t n;
	const struct pb_param *p = g->params(&n);
	bool room;
	int k;

	out[0] = '\0';
	g->defaults(usual);
	if (preset && *preset && g->preset)
		g->preset(usual, preset);
	for (size_t i = 0; i < n; i++)
		if (is_asked(asked, p[i].name)) {
			pb_constants_value(&p[i], opts, a, sizeof(a));
			tell(&t, p[i].name, a);
		}
	room = !t.full;
	for (size_t i = 0; i < n; i++) {
		pb_constants_value(&p[i], opts, a, sizeof(a));
		pb_constants_value(&p[i], usual, b, sizeof(b));
		if (strcmp(p[i].name, "round") != 0 && strcmp(a, b) != 0 &&
		    !is_asked(asked, p[i].name))
			tell(&t, p[i].name, a);
	}
	for (int i = 0; g->place && (name = g->place(opts, i, v, &k)); i++)
		if (k > 0)
			tell_place(&t, name, v, k);
	return room;
}
