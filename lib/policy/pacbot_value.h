/* pacbot_value.h - what a state of the Pacbot game is worth to `search`. */
#ifndef PB_POLICY_PACBOT_VALUE_H
#define PB_POLICY_PACBOT_VALUE_H

#include "pb/bot.h"

#define PB_SEARCH_CELLS 1024 /* of the largest board */

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
	int since;         /* tick at which the last power pellet was eaten */
	int power;         /* power pellets left at the decision */
	bool fast;         /* whether ghosts are no faster than he is */
	bool slow;         /* whether ghosts are as fast */
	bool waits;        /* for ghosts to come near a power pellet */
	double stake;      /* what the ghosts that play are worth of all four */
	double hold;       /* points that keeping a power pellet is worth, */
	double hold_ticks; /* wearing off so long since the last one (ticks) */
	int tick;          /* the last one at which that was asked, */
	double age;        /* and how much of it had worn off then */
	int16_t place[UINT8_MAX]; /* cells of the power pellets */
	struct pb_search_near near[PB_SEARCH_CELLS];
};

/* The aim of a decision; since as above. */
struct pb_search_aim pb_search_aim(const struct pb_bot_view *v, int since);

/*
 * Worth of s, `ticks` after the decision and with `fruits` eaten since; if it
 * is not above `floor`, some number that is not. Remembers pellets in a.
 */
double pb_search_value(struct pb_search_aim *a, const struct pb_pacbot *s,
    int ticks, int fruits, double floor);

/* Whether Pac-Man eats a fruit on going from s to the state `to`. */
bool pb_search_eats_fruit(
    const struct pb_pacbot *s, const struct pb_pacbot *to);

/* Whether a frightened ghost might still be caught in s. */
bool pb_search_hunts(const struct pb_bot_view *v, const struct pb_pacbot *s);

/* Power pellets left in s. */
int pb_search_power(const struct pb_pacbot *s, const struct pb_pacbot_rules *k);

#endif
