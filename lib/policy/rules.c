/* rules.c - the rule sets by name. */
#include "policy/rules.h"

#include <math.h>
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

/* A name that may be too long for where it goes. */
static void
copy(char *out, size_t size, const char *name)
{
	size_t n = strlen(name);

	n = n < size ? n : size - 1;
	memcpy(out, name, n);
	out[n] = '\0';
}

struct pb_trial
pb_rules_key(const struct pb_rules *r, const struct pb_ground *g,
    const void *opts, int round)
{
	struct pb_trial k = {.map_hash = pb_ground_hash(g),
	    .options = r->fingerprint(opts, g->pellets),
	    .round = round,
	    .removed = -1,
	    .deaths = -1,
	    .levels = -1,
	    .eaten = -1,
	    .decisions = -1,
	    .collisions = -1,
	    .driven = NAN,
	    .nearest = NAN};

	copy(k.rules, sizeof(k.rules), r->name);
	copy(k.map, sizeof(k.map), pb_ground_name(g));
	return k;
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
