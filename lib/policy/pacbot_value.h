/*
 * pacbot_value.h - what a state of the Pacbot game is worth to `search`, and
 * who is first.
 */
#ifndef PB_POLICY_PACBOT_VALUE_H
#define PB_POLICY_PACBOT_VALUE_H

#include "pb/bot.h"

#define PB_REACH_CELLS 1024 /* cells of the largest board */

/*
 * Times are ticks from now, in straight shortest ways; PB_FAR: never. A
 * frightened ghost is harmless until it thaws, a ghost in its house until it
 * can be out. A way is safe if Pac-Man is at each of its cells before any
 * ghost could be.
 */
struct pb_reach {
	int from;                       /* Pac-Man's cell; -1: none */
	uint16_t ghost[PB_REACH_CELLS]; /* when a ghost can be there */
	uint16_t pac[PB_REACH_CELLS];   /* when Pac-Man can, safely */
	uint8_t first[PB_REACH_CELLS];  /* direction that such a way begins */
	int16_t order[PB_REACH_CELLS];  /* the cells he can reach, by time */
	int n;                          /* how many */
};

/*
 * Fill r for what v shows.
 *
 * Given    margin  ticks by which Pac-Man must be earlier, >= 0
 */
void pb_reach(struct pb_reach *r, const struct pb_bot_view *v, int margin);

/* Whether a pellet lies on cell i of the board. */
bool pb_reach_pellet(const struct pb_bot_view *v, int i);

/*
 * The direction to the reachable cell that keeps the longest lead over the
 * ghosts, PB_STAY if that is where he is.
 */
int pb_reach_flee(const struct pb_reach *r);

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
	int since;    /* tick at which the last power pellet was eaten */
	int power;    /* power pellets left at the decision */
	bool fast;    /* whether he is faster than ghosts */
	bool waits;   /* for ghosts to come near a power pellet */
	double stake; /* what the ghosts that play are worth of all four */
	double hold;  /* points that keeping one of them is worth */
	int tick;     /* the last one at which that was asked, */
	double age;   /* and how much of it had worn off then */
	int16_t place[UINT8_MAX]; /* cells of the power pellets */
	struct pb_search_near near[PB_REACH_CELLS];
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
