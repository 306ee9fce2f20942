/* opt_players.c - who plays, from the names on a command line. */
#include "io/opt/opt_players.h"
#include "io/stream/suggest.h"

#include <stdio.h>
#include <string.h>

#include "io/opt/opt_list.h"

void
pb_opt_players_known(const struct pb_rules *r, char *text, size_t size)
{
	size_t len = strlen(text);

	for (int i = 0; r->player[i] && len < size; i++)
		len += (size_t)snprintf(text + len, size - len, "%s%s",
		    len ? ", " : "", r->player[i]->name);
}

const char *
pb_opt_player_name(int rules, int i)
{
	const struct pb_player *const *p = pb_games[rules].player;

	for (int k = 0; k < i; k++)
		if (!p[k])
			return NULL;
	return p[i] ? p[i]->name : NULL;
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
	char known[400] = "";
	struct pb_suggest near;
	const char *other;

	if (i >= 0)
		return i;
	near = pb_suggest_for(name);
	pb_opt_players_known(r, known, sizeof(known));
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
