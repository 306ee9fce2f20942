/* opt_players.h - who plays, from the names on a command line. */
#ifndef PB_IO_OPT_OPT_PLAYERS_H
#define PB_IO_OPT_OPT_PLAYERS_H

#include <stddef.h>

#include "io/stream/msg.h"
#include "pb/games.h"

#define PB_OPT_PLAYERS 64

struct pb_opt_players {
	int player[PB_OPT_PLAYERS]; /* numbers of r's players */
	int n;
};

/*
 * Pick the players of r from names separated by commas; others are left out.
 *
 * Returns  false with bad filled in ("policy: ...") if one comes twice
 */
bool pb_opt_players_pick(struct pb_opt_players *p, const struct pb_rules *r,
    const char *names, struct pb_error *bad);

/* Add the names of r's players to a text: "seed, nearest, safe". */
void pb_opt_players_known(const struct pb_rules *r, char *text, size_t size);

/* The name of player i (0..) of rule set `rules`, NULL past the last. */
const char *pb_opt_player_name(int rules, int i);

/* The number of r's player of that name, NULL: the usual one; -1: it was said.
 */
int pb_opt_player(const struct pb_rules *r, const char *name);

/*
 * Print a rule set and its players for --list: "rules TAB summary", then
 * "rules TAB player TAB summary" for each.
 */
void pb_opt_list_rules(const struct pb_rules *r);
void pb_opt_list_all(void);

#endif
