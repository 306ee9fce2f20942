/* opt_round.c - the options of a pacmanbot game. */
#include "io/opt/opt_round.h"
#include "io/stream/suggest.h"

#include <stdio.h>
#include <string.h>

bool
pb_opt_preset(void *to, const char *arg, struct pb_error *bad)
{
	char names[160] = "";
	size_t len = 0;
	struct pb_opt_preset *p = to;
	const char *name;

	for (int i = 0; (name = pb_round_preset_name(i)); i++)
		if (strcmp(name, arg) == 0 &&
		    pb_round_preset(p->game, arg) == PB_OK) {
			p->name = name;
			return true;
		}
	for (int i = 0; (name = pb_round_preset_name(i)); i++)
		if (len < sizeof(names))
			len += (size_t)snprintf(names + len,
			    sizeof(names) - len, "%s%s", i ? ", " : "", name);
	return pb_error_set(bad, "expected %s, got \"%.80s\"", names, arg);
}

const struct pb_param *
pb_opt_rules_params(int i, size_t *n)
{
	return pb_games[i].game->params(n);
}

const char *
pb_opt_rules_name(int i)
{
	const struct pb_rules *r = pb_rules_at(i);

	return r ? r->game->name : NULL;
}

/* The rule sets of a set, with something between two of them. */
static void
list_rules(unsigned set, const char *between, char *text, size_t size)
{
	size_t len = 0;

	text[0] = '\0';
	for (int i = 0; pb_games[i].game; i++)
		if (set >> i & 1 && len < size)
			len += (size_t)snprintf(text + len, size - len, "%s%s",
			    len ? between : "", pb_games[i].game->name);
}

void
pb_opt_rules_known(char *text, size_t size)
{
	list_rules(~0u, ", ", text, size);
}

int
pb_opt_rules_find(const char *name)
{
	struct pb_suggest near = pb_suggest_for(name);
	char names[200];

	for (int i = 0; pb_games[i].game; i++) {
		if (strcmp(pb_games[i].game->name, name) == 0)
			return i;
		pb_suggest_try(&near, pb_games[i].game->name,
		    strlen(pb_games[i].game->name));
	}
	pb_opt_rules_known(names, sizeof(names));
	pb_msg_usage("--rules: expected one of %s, got \"%.80s\"%s", names,
	    name, pb_suggest_text(&near));
	return -1;
}

bool
pb_opt_rules_have(int i, const char *name)
{
	size_t n;
	const struct pb_param *p = pb_games[i].game->params(&n);

	for (size_t k = 0; k < n; k++)
		if (strcmp(p[k].name, name) == 0)
			return true;
	return false;
}

bool
pb_opt_rules_fit(const char *const *given, unsigned set)
{
	for (int k = 0; pb_games[k].game; k++) {
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
		pb_msg_usage("--%s: an option of the rules %s, not %s",
		    given[k], owners, names);
		return false;
	}
	return true;
}
