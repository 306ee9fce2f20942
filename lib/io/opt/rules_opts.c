/* rules_opts.c - the rule sets, their constants and players on the command
 * line. */
#include "io/opt/rules_opts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/opt/opt.h"
#include "io/stream/num.h"
#include "io/stream/suggest.h"

bool
pb_opt_preset(void *to, const char *arg, struct pb_error *bad)
{
	char names[160] = "";
	struct pb_opt_preset *p = to;
	const char *name;

	for (int i = 0; (name = p->game->preset_name(i)); i++) {
		if (strcmp(name, arg) == 0 &&
		    p->game->preset(p->opts, arg) == PB_OK) {
			*p->name = name;
			return true;
		}
		pb_opt_list_add(names, sizeof(names), ", ", name);
	}
	return pb_error_set(bad, "expected %s, got \"%.80s\"", names, arg);
}

struct pb_opt
pb_opt_place(
    const struct pb_game *g, const void *opts, int i, const char **given)
{
	const struct pb_game_place *p = &g->place[i];

	return (struct pb_opt){.name = p->name,
	    .kind = p->heading ? PB_OPT_POSE : PB_OPT_PAIR,
	    .arg = p->heading ? "x,y[,theta]" : "x,y",
	    .help = p->help,
	    .to = (char *)opts + p->at,
	    .seen = (bool *)((char *)opts + p->has),
	    .given = given};
}

int
pb_opt_rules_that(bool (*is)(const struct pb_game *g))
{
	int i = 0;

	while (!is(pb_games[i].game))
		i++;
	return i;
}

bool
pb_opt_on_map(const struct pb_game *g)
{
	return g->board == NULL;
}

bool
pb_opt_is_held(const struct pb_game *g)
{
	return g->held;
}

bool
pb_opt_explores(const struct pb_game *g)
{
	return g->explored != NULL;
}

/* The rule sets of a set, with something between two of them. */
static void
list_rules(unsigned set, const char *between, char *text, size_t size)
{
	text[0] = '\0';
	for (int i = 0; pb_games[i].game; i++)
		if (set >> i & 1)
			pb_opt_list_add(
			    text, size, between, pb_games[i].game->name);
}

void
pb_opt_rules_known(char *text, size_t size)
{
	list_rules(~0u, ", ", text, size);
}

void
pb_opt_rules_boards(char *text, size_t size)
{
	int left = 0;

	text[0] = '\0';
	for (int i = 0; pb_games[i].game; i++)
		left += pb_games[i].game->board != NULL;
	for (int i = 0; pb_games[i].game; i++)
		if (pb_games[i].game->board != NULL)
			pb_opt_list_add(text, size, --left > 0 ? ", " : " and ",
			    pb_games[i].game->name);
}

int
pb_opt_rules_find(const char *name)
{
	const struct pb_rules *r = pb_rules_find(name);
	struct pb_suggest near = pb_suggest_for(name);
	char names[200];

	if (r)
		return (int)(r - pb_games);
	pb_opt_rules_known(names, sizeof(names));
	pb_suggest_list(&near, names);
	pb_msg_usage("--rules: expected one of %s, got \"%.80s\"%s", names,
	    name, pb_suggest_text(&near));
	return -1;
}

bool
pb_opt_rules_have(int i, const char *name)
{
	const struct pb_params *p = pb_games[i].game->params;

	for (size_t k = 0; k < p->n; k++)
		if (strcmp(p->row[k].name, name) == 0)
			return true;
	return false;
}

bool
pb_opt_rules_fit(const char *const *given, unsigned set)
{
	for (int k = 0; pb_games[k].game; k++) {
		/* One that is played may have an option of that name. */
		bool fits = set >> k & 1 || !given[k];
		char names[80], owners[80];
		unsigned have = 1u << k;

		for (int i = 0; !fits && pb_games[i].game; i++)
			fits = set >> i & 1 && pb_opt_rules_have(i, given[k]);
		if (fits)
			continue;
		for (int i = 0; pb_games[i].game; i++)
			have |= (unsigned)pb_opt_rules_have(i, given[k]) << i;
		list_rules(set, " or ", names, sizeof(names));
		list_rules(have, " or ", owners, sizeof(owners));
		return pb_msg_usage("--%s: an option of the rules %s, not %s",
		    given[k], owners, names);
	}
	return true;
}

struct pb_constants
pb_constants_defaults(void)
{
	struct pb_constants c = {{{0}}};

	for (int i = 0; pb_games[i].game; i++)
		pb_game_defaults(pb_games[i].game, c.of[i]);
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

	return (struct pb_opt_group){.title = game->heading,
	    .params = *game->params,
	    .base = c->of[rules],
	    .with = game->with};
}

bool
pb_told_add(struct pb_told_room *t, const char *name, const char *value)
{
	struct pb_told *at =
	    realloc(t->at, (size_t)(t->n + 2) * sizeof(*t->at));

	if (at == NULL)
		return false;
	t->at = at;
	snprintf(at[t->n].name, sizeof(at->name), "%s", name);
	snprintf(at[t->n++].value, sizeof(at->value), "%s", value);
	return true;
}

void
pb_constants_value(
    const struct pb_param *p, const void *base, char *out, size_t size)
{
	const struct pb_opt o = pb_opt_of_param(p, (void *)base);

	pb_opt_value(&o, out, size);
}

static bool
is_asked(const struct pb_opt_names *asked, const char *name)
{
	return asked && strcmp(name, "round") != 0 &&
	       pb_opt_names_have(asked, name);
}

bool
pb_constants_tell(const struct pb_game *g, const void *opts, const char *preset,
    const struct pb_opt_names *asked, struct pb_told_room *told)
{
	_Alignas(double) unsigned char usual[PB_RULES_OPTS];
	char a[PB_NUM_MAX], b[PB_NUM_MAX], text[3 * PB_NUM_MAX];
	size_t n = g->params->n;
	const struct pb_param *p = g->params->row;
	bool ok = true;

	pb_game_defaults(g, usual);
	if (preset && *preset && g->preset)
		g->preset(usual, preset);
	for (size_t i = 0; i < n; i++)
		if (is_asked(asked, p[i].name)) {
			pb_constants_value(&p[i], opts, a, sizeof(a));
			ok = ok && pb_told_add(told, p[i].name, a);
		}
	for (size_t i = 0; i < n; i++) {
		/* As text: what cannot be seen is no difference. */
		pb_constants_value(&p[i], opts, a, sizeof(a));
		pb_constants_value(&p[i], usual, b, sizeof(b));
		if (strcmp(p[i].name, "round") != 0 && strcmp(a, b) != 0 &&
		    !is_asked(asked, p[i].name))
			ok = ok && pb_told_add(told, p[i].name, a);
	}
	for (int i = 0; g->place && g->place[i].name; i++) {
		const struct pb_opt o = pb_opt_place(g, opts, i, NULL);

		pb_opt_value(&o, text, sizeof(text));
		if (*text)
			ok = ok && pb_told_add(told, o.name, text);
	}
	return ok;
}

struct pb_told_list
pb_constants_told(struct pb_told_room *told, uint64_t weights)
{
	struct pb_told *spare = told->at + told->n;

	if (!weights || !told->at)
		return (struct pb_told_list){told->at, told->n};
	snprintf(spare->name, sizeof(spare->name), "weights");
	snprintf(spare->value, sizeof(spare->value), "%016" PRIx64, weights);
	return (struct pb_told_list){told->at, told->n + 1};
}

bool
pb_opt_some_play(const struct pb_rules *const *rules, int n, const char *player)
{
	for (int i = 0; i < n; i++)
		if (pb_rules_player(rules[i], player) >= 0)
			return true;
	return false;
}

void
pb_opt_players_known(
    const struct pb_rules *const *rules, int n, char *text, size_t size)
{
	text[0] = '\0';
	for (int i = 0; i < n; i++)
		for (int k = 0; rules[i]->player[k]; k++) {
			const char *name = rules[i]->player[k]->name;

			if (!pb_opt_some_play(rules, i, name))
				pb_opt_list_add(text, size, ", ", name);
		}
}

bool
pb_opt_players_pick(struct pb_opt_players *p, const struct pb_rules *r,
    const char *names, struct pb_error *bad)
{
	const char *at = names;
	char name[PB_TRIAL_NAME];

	p->n = 0;
	while (pb_opt_word(&at, name, sizeof(name)) > 0) {
		int who = pb_rules_player(r, name);

		if (who < 0 || p->n == PB_OPT_PLAYERS)
			continue;
		for (int i = 0; i < p->n; i++)
			if (p->player[i] == who)
				return pb_error_set(
				    bad, "policy: %s is named twice", name);
		p->player[p->n++] = who;
	}
	return true;
}

/* The first rules that have a player of that name, NULL: none. */
static const char *
plays_elsewhere(const char *name)
{
	const struct pb_rules *r;

	for (int i = 0; (r = pb_rules_at(i)) != NULL; i++)
		if (pb_rules_player(r, name) >= 0)
			return r->game->name;
	return NULL;
}

int
pb_opt_player(const struct pb_rules *r, const char *name)
{
	int i = pb_rules_player(r, name != NULL ? name : r->game->usual);
	char known[400];
	struct pb_suggest near;
	const char *other;

	if (i >= 0)
		return i;
	near = pb_suggest_for(name);
	pb_opt_players_known(&r, 1, known, sizeof(known));
	/* Who names a player of other rules has forgotten --rules. */
	other = plays_elsewhere(name);
	pb_suggest_list(&near, known);
	if (other != NULL)
		pb_msg_usage("--policy: expected %s; \"%.80s\" plays %s", known,
		    name, other);
	else
		pb_msg_usage("--policy: expected %s, got \"%.80s\"%s", known,
		    name, pb_suggest_text(&near));
	return -1;
}

void
pb_opt_list_rules(const struct pb_rules *r)
{
	const char *rules = r->game->name;

	printf("%s\t%s\n", rules, r->game->summary);
	for (int i = 0; r->player[i]; i++)
		printf("%s\t%s\t%s\n", rules, r->player[i]->name,
		    r->player[i]->summary);
}

void
pb_opt_list_all(void)
{
	const struct pb_rules *r;

	for (int i = 0; (r = pb_rules_at(i)) != NULL; i++)
		pb_opt_list_rules(r);
}
