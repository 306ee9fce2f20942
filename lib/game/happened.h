/* happened.h - the events of the games on boards, by name. */
#ifndef PB_GAME_HAPPENED_H
#define PB_GAME_HAPPENED_H

#include "game/roomba/roomba.h"
#include "game/zumy/zumy.h"
#include "pb/pacbot.h"

/*
 * What happened in a tick, as the names that feedback.h knows, in the order in
 * which it is told. Text is static. A game of pacmanbot tells by itself.
 */
#define PB_HAPPENED 16

struct pb_happened {
	const char *name[PB_HAPPENED];
	int n;
};

/* From one tick, a, to the next, b: pellets, ghosts, lives and levels. */
struct pb_happened pb_pacbot_happened(const struct pb_pacbot *a,
    const struct pb_pacbot *b, const struct pb_pacbot_rules *k);

/* In the last tick of s; at its start it began. */
struct pb_happened pb_roomba_happened(const struct pb_roomba *s);
struct pb_happened pb_zumy_happened(const struct pb_zumy *s);

#endif
