/* swarm.c - what a command line may ask of a process of a swarm. */
#include "io/swarm.h"

#include <string.h>

#include "io/msg.h"
#include "io/opt_round.h"

static const char *
wrong(const struct pb_swarm_role *r)
{
	const char *driver = r->rules == PB_OPT_ROOMBA ? "pacman" : "player";

	if (r->rules != PB_OPT_ROOMBA && r->rules != PB_OPT_ZUMY)
		return "goes with roomba and zumy";
	if (strcmp(r->as, driver) != 0)
		return "expected pacman, or player; others are pb-ghost's";
	if (r->console)
		return "goes without --interactive, --command, --script";
	if (r->known)
		return "--known: patrols keep to themselves what they know";
	if (r->bodies)
		return "a swarm moves on the grid; see --motion";
	if (r->sensors)
		return "--sensors: a robot of a swarm has none";
	if (r->cues)
		return "--feedback and --wav: read what the swarm says";
	for (int i = 0; i < r->n; i++)
		if (strcmp(r->files[i], "-") == 0)
			return "standard input is the swarm's";
	return NULL;
}

bool
pb_swarm_fits(const struct pb_swarm_role *r)
{
	const char *why = r->as ? wrong(r) : NULL;

	if (why)
		pb_msg_usage("--as: %s", why);
	return !why;
}
