/* games.c - the only list of the rule sets and their players. */
#include "pb/games.h"

#include <string.h>

#include "pb/match.h"
#include "game/pacmanbot/round_state.h"
#include "game/roomba/roomba.h"
#include "game/zumy/zumy.h"
#include "policy/players.h"

const struct pb_rules pb_games[] = {
    {&pb_game_pacmanbot, pb_pacmanbot_players},
    {&pb_game_pacbot, pb_pacbot_players},
    {&pb_game_roomba, pb_roomba_players},
    {&pb_game_zumy, pb_zumy_players},
    {NULL, NULL},
};

int
pb_rules_count(void)
{
	int n = 0;

	while (pb_games[n].game)
		n++;
	return n;
}

const struct pb_rules *
pb_rules_at(int i)
{
	return i >= 0 && i < pb_rules_count() ? &pb_games[i] : NULL;
}

const struct pb_rules *
pb_rules_find(const char *name)
{
	for (const struct pb_rules *r = pb_games; r->game; r++)
		if (strcmp(r->game->name, name) == 0)
			return r;
	return NULL;
}

int
pb_rules_player(const struct pb_rules *r, const char *name)
{
	for (int i = 0; r->player[i]; i++)
		if (strcmp(r->player[i]->name, name) == 0)
			return i;
	return -1;
}
