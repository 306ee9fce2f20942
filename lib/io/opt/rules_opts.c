/* rules_opts.c - the rule sets, their constants and players on the command
 * line. */
#include "io/opt/rules_opts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "io/stream/text.h"

struct pb_opt
pb_places_opt(struct pb_places *p, int i, unsigned modes)
{
	const struct pb_rules *r = pb_games;
	const struct pb_game_place *place;

	while (!pb_opt_on_map(r->game))
		r++;
	place = &r->game->on_map->place[i];
	return (struct pb_opt){.name = place->name,
	    .kind = place->heading ? PB_OPT_POSE : PB_OPT_PAIR,
	    .arg = place->heading ? "x,y[,theta]" : "x,y",
	    .help = place->help,
	    .to = p->v[i],
	    .seen = &p->has[i],
	    .modes = modes};
}

void
pb_constants_places(
    struct pb_constants *c, int rules, const struct pb_places *p)
{
	const struct pb_map_game *m = pb_games[rules].game->on_map;
	char *opts = pb_constants_of(c, rules);

	for (int i = 0; m && m->place[i].name; i++)
		if (p->has[i]) {
			memcpy(opts + m->place[i].at, p->v[i],
			    (m->place[i].heading ? 3 : 2) * sizeof(double));
			*(bool *)(opts + m->place[i].has) = true;
		}
}

bool
pb_opt_on_map(const struct pb_game *g)
{
	return g->board == NULL;
}

void
pb_opt_rules_known(char *text, size_t size)
{
	text[0] = '\0';
	for (int i = 0; pb_games[i].game; i++)
		pb_list_add(text, size, ", ", pb_games[i].game->name);
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
			pb_list_add(text, size, --left > 0 ? ", " : " and ",
			    pb_games[i].game->name);
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

void
pb_constants_sets(struct pb_constants *c, struct pb_set *s)
{
	for (int i = 0; pb_games[i].game; i++)
		pb_set_add(
		    s, (struct pb_set_group){.of = pb_games[i].game->name,
			   .title = pb_games[i].game->name,
			   .params = *pb_games[i].game->params,
			   .base = c->of[i]});
}

bool
pb_constants_preset(struct pb_constants *c, int rules, const char *name)
{
	const struct pb_game *g = pb_games[rules].game;
	char names[160] = "";

	if (!name)
		return true;
	if (!g->preset)
		return pb_msg_usage("--preset: %s has none", g->name);
	if (pb_game_preset(g, c->of[rules], name))
		return true;
	for (const struct pb_game_preset *p = g->preset; p->name; p++)
		pb_list_add(names, sizeof(names), ", ", p->name);
	return pb_msg_usage(
	    "--preset: expected %s, got \"%.80s\"", names, name);
}

void
pb_settings_add(struct pb_settings_room *t, const char *name, const char *value)
{
	t->at = pb_resize(t->at, (size_t)(t->n + 2) * sizeof(*t->at));
	snprintf(t->at[t->n].name, sizeof(t->at->name), "%s", name);
	snprintf(t->at[t->n++].value, sizeof(t->at->value), "%s", value);
}

void
pb_constants_tell(const struct pb_game *g, const void *opts, const char *player,
    const char *preset, const struct pb_opt_names *asked,
    struct pb_settings_room *settings)
{
	const struct pb_fact who = {"policy", player};
	_Alignas(double) unsigned char usual[PB_RULES_OPTS];
	char a[PB_NUM_MAX], b[PB_NUM_MAX], text[3 * PB_NUM_MAX];
	size_t n = g->params->n;
	const struct pb_param *p = g->params->row;

	pb_game_defaults(g, usual);
	if (preset)
		pb_game_preset(g, usual, preset);
	for (size_t i = 0; i < n; i++) {
		if (strcmp(p[i].name, "round") == 0 ||
		    !pb_params_used(*g->params, opts, i, &who, 1))
			continue;
		/* Compared as text: values that print alike are no
		 * difference. */
		pb_param_value(&p[i], opts, a, sizeof(a));
		pb_param_value(&p[i], usual, b, sizeof(b));
		if (strcmp(a, b) != 0 ||
		    (asked && pb_opt_names_have(asked, p[i].name)))
			pb_settings_add(settings, p[i].name, a);
	}
	for (int i = 0; g->on_map && g->on_map->place[i].name; i++) {
		const struct pb_game_place *place = &g->on_map->place[i];
		const struct pb_opt o = {
		    .kind = place->heading ? PB_OPT_POSE : PB_OPT_PAIR,
		    .to = (char *)opts + place->at,
		    .seen = (bool *)((char *)opts + place->has)};

		pb_opt_value(&o, text, sizeof(text));
		if (*text)
			pb_settings_add(settings, place->name, text);
	}
}

struct pb_settings
pb_constants_settings(struct pb_settings_room *settings, uint64_t weights)
{
	struct pb_setting *spare;

	if (!weights)
		return (struct pb_settings){settings->at, settings->n};
	if (!settings->at)
		settings->at = pb_alloc(1, sizeof(*settings->at));
	spare = settings->at + settings->n;
	snprintf(spare->name, sizeof(spare->name), "weights");
	snprintf(spare->value, sizeof(spare->value), "%016" PRIx64, weights);
	return (struct pb_settings){settings->at, settings->n + 1};
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
				pb_list_add(text, size, ", ", name);
		}
}

bool
pb_opt_no_player(const struct pb_rules *const *rules, int n, const char *some,
    const char *name, struct pb_error *bad)
{
	struct pb_suggest near = pb_suggest_for(name);
	char known[400];

	pb_opt_players_known(rules, n, known, sizeof(known));
	pb_suggest_try(&near, known);
	return pb_error_set(bad, "expected %s%s, got \"%.60s\"%s", some, known,
	    name, pb_suggest_text(&near));
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
