/* search_value.h - what a state of the Pacbot game is worth to `search`. */
#ifndef PB_POLICY_SEARCH_VALUE_H
#define PB_POLICY_SEARCH_VALUE_H

#include "game/bot.h"
#include "policy/reach.h"

#define PB_SEARCH_KNOWN 15 /* pellets remembered for each cell */

/* The nearest pellets of a cell, as the decision sees them. */
struct pb_search_near {
	int16_t n;    /* known so far */
	int16_t next; /* place in the cell's list to look from for more */
	struct pb_search_pellet {
		uint16_t steps;
		uint8_t row, col;
	} pellet[PB_SEARCH_KNOWN];
};

/*
 * Points of the game, plus what the state promises. Only differences between
 * states of one decision mean anything.
 */
struct pb_search_aim {
	const struct pb_bot_view *v;
	int since;   /* tick at which the last power pellet was eaten */
	int power;   /* power pellets left at the decision */
	double hold; /* points that keeping one of them is worth */
	int tick;    /* the last one at which that was asked, */
	double age;  /* and how much of it had worn off then */
	int rows;    /* rows of the board that have power pellets: */
	int row[PB_PACBOT_ROWS];
	struct pb_search_near near[PB_REACH_CELLS];
};

/* The aim of a decision; since as above. */
struct pb_search_aim pb_search_aim(const struct pb_bot_view *v, int since);

/*
 * Worth of s, `ticks` after the decision; if it is not above `floor`, some
 * number that is not. Remembers pellets in a.
 */
double pb_search_value(struct pb_search_aim *a, const struct pb_pacbot *s,
    int ticks, double floor);

/* Power pellets left in s. */
int pb_search_power(const struct pb_pacbot *s, const struct pb_pacbot_rules *k);

#endif
