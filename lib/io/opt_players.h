/* opt_players.h - who plays, from the names on a command line. */
#ifndef PB_IO_OPT_PLAYERS_H
#define PB_IO_OPT_PLAYERS_H

#include <stdbool.h>

#include "policy/rules.h"

#define PB_OPT_PLAYERS 64

struct pb_opt_players {
	int player[PB_OPT_PLAYERS]; /* numbers of r's players */
	int n;
};

/*
 * Read names separated by commas.
 *
 * Returns  false if one is no player of r or comes twice, which was said
 */
bool pb_opt_players(
    struct pb_opt_players *p, const struct pb_rules *r, const char *names);

/*
 * Print a rule set and its players for --list: "rules TAB summary", then
 * "rules TAB player TAB summary" for each.
 */
void pb_opt_list_rules(const struct pb_rules *r);

#endif
