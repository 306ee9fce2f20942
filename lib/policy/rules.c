/* rules.c - the rule sets by name. */
#include "policy/rules.h"

#include <string.h>

#include "policy/rules_pacbot.h"
#include "policy/rules_pacmanbot.h"
#include "policy/rules_roomba.h"
#include "policy/rules_zumy.h"

static const struct pb_rules *const all[] = {
    &pb_rules_pacmanbot, &pb_rules_pacbot, &pb_rules_roomba, &pb_rules_zumy};

const char *
pb_ground_name(const struct pb_ground *g)
{
	return g->maze ? g->maze->name : g->map->name;
}

uint64_t
pb_ground_hash(const struct pb_ground *g)
{
	return g->maze ? pb_maze_hash(g->maze) : pb_map_hash(g->map);
}

const struct pb_rules *
pb_rules_at(int i)
{
	int n = (int)(sizeof(all) / sizeof(*all));

	return i >= 0 && i < n ? all[i] : NULL;
}

const struct pb_rules *
pb_rules_find(const char *name)
{
	const struct pb_rules *r;

	for (int i = 0; (r = pb_rules_at(i)); i++)
		if (strcmp(r->name, name) == 0)
			break;
	return r;
}

int
pb_rules_player(const struct pb_rules *r, const char *name)
{
	const char *n, *about;

	for (int i = 0; (n = r->player(i, &about)); i++)
		if (strcmp(n, name) == 0)
			return i;
	return -1;
}
