/* search_value.h - what a state of the Pacbot game is worth to `search`. */
#ifndef PB_POLICY_SEARCH_VALUE_H
#define PB_POLICY_SEARCH_VALUE_H

#include "game/bot.h"

/*
 * Points of the game, plus what the state promises. Only differences between
 * states of one decision mean anything.
 */
struct pb_search_aim {
	const struct pb_bot_view *v;
	int since;  /* tick at which the last power pellet was eaten */
	int power;  /* power pellets left at the decision */
	bool hoard; /* power pellets are worth keeping */
	int rows;   /* rows of the board that have power pellets: */
	int row[PB_PACBOT_ROWS];
};

/* The aim of a decision; since as above. */
struct pb_search_aim pb_search_aim(const struct pb_bot_view *v, int since);

/* Worth of s, `ticks` after the decision. */
double pb_search_value(
    const struct pb_search_aim *a, const struct pb_pacbot *s, int ticks);

/* Power pellets left in s. */
int pb_search_power(const struct pb_pacbot *s, const struct pb_pacbot_rules *k);

#endif
