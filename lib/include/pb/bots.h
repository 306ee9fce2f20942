/* bots.h - the players of the Pacbot game, by name. */
#ifndef PB_BOTS_H
#define PB_BOTS_H

#include "pb/bot.h"
#include "pb/decls.h"

PB_BEGIN_DECLS

extern const struct pb_bot pb_bot_random; /* any open direction */
extern const struct pb_bot pb_bot_greedy; /* nearest pellet, ghosts or not */
extern const struct pb_bot pb_bot_flee;   /* nearest pellet in safe reach */
extern const struct pb_bot pb_bot_power;  /* power pellets, then ghosts */
extern const struct pb_bot pb_bot_search; /* looks ahead in the engine */

/* The player called name, NULL if there is none. */
const struct pb_bot *pb_bot_find(const char *name);

/* Player i (0..), NULL past the last. */
const struct pb_bot *pb_bot_at(int i);

PB_END_DECLS

#endif
