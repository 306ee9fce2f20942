/* search_value.h - what a state of the Pacbot game is worth to `search`. */
#ifndef PB_POLICY_SEARCH_VALUE_H
#define PB_POLICY_SEARCH_VALUE_H

#include "game/bot.h"
#include "policy/reach.h"

/*
 * Points of the game, plus what the state promises. Only differences between
 * states of one decision mean anything.
 */
struct pb_search_aim {
	const struct pb_bot_view *v;
	int since;   /* tick at which the last power pellet was eaten */
	int power;   /* power pellets left at the decision */
	double hold; /* points that keeping one of them is worth */
	int rows;    /* rows of the board that have power pellets: */
	int row[PB_PACBOT_ROWS];
	/* 1 + place in a cell's list of the nearest of its first pellet; 0:
	 * not looked for yet. */
	int16_t first[PB_REACH_CELLS];
};

/* The aim of a decision; since as above. */
struct pb_search_aim pb_search_aim(const struct pb_bot_view *v, int since);

/* Worth of s, `ticks` after the decision. Remembers pellets in a. */
double pb_search_value(
    struct pb_search_aim *a, const struct pb_pacbot *s, int ticks);

/* Power pellets left in s. */
int pb_search_power(const struct pb_pacbot *s, const struct pb_pacbot_rules *k);

#endif
