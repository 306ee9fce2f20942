/* games.h - the rule sets and their players. */
#pragma once

#include "pb/game.h"
#include "pb/decls.h"

PB_BEGIN_DECLS

struct pb_rules {
	const struct pb_game *game;
	const struct pb_player *const *player; /* NULL-ended */
};

/* Most rule sets that there can be, and most bytes of options of one. */
#define PB_RULES      8
#define PB_RULES_OPTS 1024

/* All rule sets; the last one has no game. */
extern const struct pb_rules pb_games[];

/* Rule set i (0..), NULL past the last. */
const struct pb_rules *pb_rules_at(int i);

/* How many there are. */
int pb_rules_count(void);

/* The rule set called name, NULL if there is none. */
const struct pb_rules *pb_rules_find(const char *name);

/* Number of the player called name, -1 if r has none. */
int pb_rules_player(const struct pb_rules *r, const char *name);

PB_END_DECLS
