/* opt_round.c - the options of a pacmanbot game. */
#include "io/opt/opt_round.h"
#include "io/stream/suggest.h"

#include <stdio.h>
#include <string.h>

bool
pb_opt_preset(void *to, const char *arg, struct pb_bad *bad)
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
	return pb_bad_set(bad, "expected %s, got \"%.80s\"", names, arg);
}

struct pb_opt_group
pb_opt_round_group(struct pb_round_opts *o)
{
	struct pb_opt_group g = {.title = "Constants of pacmanbot",
	    .base = o,
	    .with = "rules=pacmanbot"};

	g.param = pb_round_params(&g.n);
	return g;
}

/* The rule sets and what is theirs on the command line. */
static const struct {
	const char *name;
	const struct pb_param *(*params)(size_t *n);
} rules[PB_OPT_RULES] = {
    [PB_OPT_PACMANBOT] = {"pacmanbot", pb_round_params},
    [PB_OPT_PACBOT] = {"pacbot", pb_match_params},
    [PB_OPT_ROOMBA] = {"roomba", pb_roomba_params},
    [PB_OPT_ZUMY] = {"zumy", pb_zumy_params},
};

const struct pb_param *
pb_opt_rules_params(int i, size_t *n)
{
	return rules[i].params(n);
}

const char *
pb_opt_rules_name(int i)
{
	return i >= 0 && i < PB_OPT_RULES ? rules[i].name : NULL;
}

int
pb_opt_rules_find(const char *name)
{
	struct pb_near near;
	int i = 0;

	while (i < PB_OPT_RULES && strcmp(rules[i].name, name) != 0)
		i++;
	if (i < PB_OPT_RULES)
		return i;
	near = pb_near_to(name);
	for (i = 0; i < PB_OPT_RULES; i++)
		pb_near_try(&near, rules[i].name, strlen(rules[i].name));
	pb_msg_usage("--rules: expected one of pacmanbot, pacbot, roomba, "
		     "zumy, got \"%.80s\"%s",
	    name, pb_near_text(&near));
	return -1;
}

bool
pb_opt_rules_have(int i, const char *name)
{
	size_t n;
	const struct pb_param *p = rules[i].params(&n);

	for (size_t k = 0; k < n; k++)
		if (strcmp(p[k].name, name) == 0)
			return true;
	return false;
}

/* "pacbot or roomba" */
static void
list_rules(unsigned set, char *text, size_t size)
{
	size_t len = 0;

	text[0] = '\0';
	for (int i = 0; i < PB_OPT_RULES; i++)
		if (set >> i & 1 && len < size)
			len += (size_t)snprintf(text + len, size - len, "%s%s",
			    len ? " or " : "", rules[i].name);
}

bool
pb_opt_rules_fit(const char *const *given, unsigned set)
{
	for (int k = 0; k < PB_OPT_RULES; k++) {
		bool fits = set >> k & 1 || !given[k];
		char names[80], owners[80];
		unsigned have = 1u << k;

		for (int i = 0; !fits && i < PB_OPT_RULES; i++)
			fits = set >> i & 1 && pb_opt_rules_have(i, given[k]);
		if (fits)
			continue;
		for (int i = 0; i < PB_OPT_RULES; i++)
			have |= (unsigned)pb_opt_rules_have(i, given[k]) << i;
		list_rules(set, names, sizeof(names));
		list_rules(have, owners, sizeof(owners));
		pb_msg_usage("--%s: an option of the rules %s, not %s",
		    given[k], owners, names);
		return false;
	}
	return true;
}
