/* opt_players.c - who plays, from the names on a command line. */
#include "io/opt_players.h"

#include <stdio.h>

#include "io/msg.h"
#include "io/opt_list.h"

/* "seed, nearest, safe" for a complaint. */
static void
list_players(const struct pb_rules *r, char *text, size_t size)
{
	const char *name, *about;
	size_t len = 0;

	text[0] = '\0';
	for (int i = 0; (name = r->player(i, &about)) && len < size; i++)
		len += (size_t)snprintf(
		    text + len, size - len, "%s%s", i ? ", " : "", name);
}

static bool
add(struct pb_opt_players *p, const struct pb_rules *r, const char *name)
{
	int who = pb_rules_player(r, name);
	char known[400];

	for (int i = 0; i < p->n; i++)
		if (p->player[i] == who) {
			pb_msg_usage("--policy: %s is named twice", name);
			return false;
		}
	if (who >= 0 && p->n < PB_OPT_PLAYERS) {
		p->player[p->n++] = who;
		return true;
	}
	list_players(r, known, sizeof(known));
	pb_msg_usage(
	    "--policy: expected some of %s, got \"%.80s\"", known, name);
	return false;
}

bool
pb_opt_players(
    struct pb_opt_players *p, const struct pb_rules *r, const char *names)
{
	const char *at = names;
	char name[PB_TRIAL_NAME];
	int got;

	p->n = 0;
	while ((got = pb_opt_word(&at, name, sizeof(name))) > 0)
		if (!add(p, r, name))
			return false;
	if (got < 0)
		pb_msg_usage("--policy: expected names separated by commas, "
			     "got \"%.80s\"",
		    names);
	return got == 0;
}

void
pb_opt_list_rules(const struct pb_rules *r)
{
	const char *name, *about;

	printf("%s\t%s\n", r->name, r->summary);
	for (int i = 0; (name = r->player(i, &about)); i++)
		printf("%s\t%s\t%s\n", r->name, name, about);
}
