/* policy.c - the ways of choosing Pac-Man's next move, by name. */
#include "policy/policy.h"

#include <string.h>

static const struct pb_player *const players[] = {
    &pb_player_seed,
    &pb_player_nearest,
    &pb_player_safe,
};

const struct pb_player *
pb_policy_at(int i)
{
	int n = sizeof(players) / sizeof(*players);

	return i >= 0 && i < n ? players[i] : NULL;
}

const struct pb_player *
pb_policy_find(const char *name)
{
	const struct pb_player *p;

	for (int i = 0; (p = pb_policy_at(i)); i++)
		if (strcmp(p->name, name) == 0)
			return p;
	return NULL;
}
