/* opt_round.c - the options of a pacmanbot game. */
#include "io/opt_round.h"

#include <stdio.h>

bool
pb_opt_preset(void *to, const char *arg, struct pb_bad *bad)
{
	char names[160] = "";
	size_t len = 0;
	struct pb_opt_preset *p = to;
	const char *name;

	if (pb_round_preset(p->game, arg) == PB_OK) {
		p->name = arg;
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
	struct pb_opt_group g = {.title = "Constants of pacmanbot", .base = o};

	g.param = pb_round_params(&g.n);
	return g;
}

bool
pb_opt_rules_fit(
    const char *const *given, const char *const *rules, int n, int i)
{
	for (int k = 0; k < n; k++)
		if (k != i && given[k]) {
			pb_msg_usage("--%s: an option of the rules %s, not %s",
			    given[k], rules[k], rules[i]);
			return false;
		}
	return true;
}
