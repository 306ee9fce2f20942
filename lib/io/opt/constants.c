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
	return (struct pb_constants){.game = pb_round_defaults(),
	    .match = pb_match_defaults(),
	    .roomba = pb_roomba_defaults(),
	    .zumy = pb_zumy_defaults()};
}

const void *
pb_constants_of(const struct pb_constants *c, int rules)
{
	switch (rules) {
	case PB_OPT_PACBOT:
		return &c->match;
	case PB_OPT_ROOMBA:
		return &c->roomba;
	case PB_OPT_ZUMY:
		return &c->zumy;
	default:
		return &c->game;
	}
}

struct pb_opt_group
pb_constants_group(struct pb_constants *c, int rules)
{
	static const char *const title[PB_OPT_RULES] = {
	    "Constants of pacmanbot", "Constants of pacbot",
	    "Constants of roomba", "Constants of zumy"};
	static const char *const with[PB_OPT_RULES] = {
	    "rules=pacmanbot", "rules=pacbot", "rules=roomba", "rules=zumy"};
	struct pb_opt_group g = {.title = title[rules],
	    .base = (void *)pb_constants_of(c, rules),
	    .with = with[rules]};

	g.param = pb_opt_rules_params(rules, &g.n);
	return g;
}

bool
pb_constants_set(struct pb_constants *c, int rules, const char *name,
    const char *value, struct pb_bad *bad)
{
	size_t n;
	const struct pb_param *p = pb_opt_rules_params(rules, &n);
	struct pb_near near = pb_near_to(name);

	for (size_t i = 0; i < n; i++)
		if (strcmp(p[i].name, name) == 0)
			return pb_opt_param(&p[i],
			    (void *)pb_constants_of(c, rules), value, bad);
	for (size_t i = 0; i < n; i++)
		pb_near_try(&near, p[i].name, strlen(p[i].name));
	return pb_bad_set(bad, "expected a constant of %s, got \"%.80s\"%s",
	    pb_opt_rules_name(rules), name, pb_near_text(&near));
}

const char *
pb_constants_check(const struct pb_constants *c, int rules)
{
	const struct pb_param *p, *wrong;
	const char *field = NULL;
	size_t n;

	if (rules == PB_OPT_PACMANBOT)
		return pb_round_check(&c->game, &field) == PB_OK ? NULL : field;
	if (rules == PB_OPT_PACBOT)
		return pb_match_check(&c->match, &field) == PB_OK ? NULL
		                                                  : field;
	p = pb_opt_rules_params(rules, &n);
	wrong = pb_params_check(p, n, pb_constants_of(c, rules));
	return wrong ? wrong->name : NULL;
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
pb_constants_tell(int rules, const void *opts, const char *preset,
    const struct pb_opt_names *asked, char *out)
{
	struct pb_constants usual = pb_constants_defaults();
	struct telling t = {.out = out, .size = PB_TRIAL_TOLD};
	const struct pb_round_opts *game = opts;
	char a[PB_NUM_MAX], b[PB_NUM_MAX];
	size_t n;
	const struct pb_param *p = pb_opt_rules_params(rules, &n);
	bool room;

	out[0] = '\0';
	if (preset && *preset)
		pb_round_preset(&usual.game, preset);
	for (size_t i = 0; i < n; i++)
		if (is_asked(asked, p[i].name)) {
			pb_constants_value(&p[i], opts, a, sizeof(a));
			tell(&t, p[i].name, a);
		}
	room = !t.full;
	for (size_t i = 0; i < n; i++) {

		pb_constants_value(&p[i], opts, a, sizeof(a));
		pb_constants_value(
		    &p[i], pb_constants_of(&usual, rules), b, sizeof(b));
		if (strcmp(p[i].name, "round") != 0 && strcmp(a, b) != 0 &&
		    !is_asked(asked, p[i].name))
			tell(&t, p[i].name, a);
	}
	if (rules != PB_OPT_PACMANBOT)
		return room;
	if (game->has_start)
		tell_place(&t, "start",
		    (double[]){game->start.x, game->start.y, game->start.th},
		    3);
	if (game->has_spawn)
		tell_place(&t, "spawn-at",
		    (double[]){game->spawn.x, game->spawn.y}, 2);
	return room;
}
