/* pacbot_search.h - a player of Pacbot that looks ahead in the exact engine. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/beam.h"
#include "pb/match.h"
#include "pb/player.h"

#define PB_SEARCH_CELLS 1024 /* of the largest board */

#define PB_SEARCH_AROUND 20 /* cells: a ghost is taken to be no farther off */

#define PB_SEARCH_KNOWN 15 /* pellets remembered for each cell */

/* The nearest pellets of a cell, as the decision sees them. */
struct pb_search_near {
	int16_t n;    /* entries in use */
	int16_t next; /* index in the cell's list to continue from */
	struct pb_search_pellet {
		uint16_t steps;
		uint8_t row, col;
	} pellet[PB_SEARCH_KNOWN];
};

/*
 * Weights of the value of a state, all of which can be learnt; in points unless
 * noted.
 *
 * A power pellet is held back until four ghosts are near enough to be
 * eaten for 3,000; `hold` is the least gain for which it is eaten. It decays
 * with time, or Pac-Man would wait for ever.
 *
 * Chasing ghosts come nearer by themselves: a robot as fast as the ghosts
 * waits near a power pellet, as long as there is time to eat all pellets before
 * the level speeds up. That time is divided among the power pellets, `shares`
 * times each, since few take all of it. A slower robot eats other pellets
 * meanwhile, and `hold` wears off with the pellets left: of those above 20,
 * where the ghosts speed up, there should be `share` for each power pellet.
 */
struct pb_search_weights {
	double hold, hold_ticks; /* ticks after which, or sooner, it is 0 */
	double share;            /* pellets */
	double wait_hold;        /* hold while waiting */
	double shares;           /* times */
	double route;            /* cells to go for each pellet that is left */
	double wait_leave;       /* a pellet eaten while it waits */
	double wait_step;        /* a cell to the nearest power pellet, then */
	double death, later;     /* a life; dying a tick later */
	double per_tick;         /* lost time */
	double pellet;           /* a pellet eaten, beside its points */
	double per_cell;         /* distance to the nearest pellet */
	double fruit;            /* a fruit: pellets can wait */
	double fruit_cell;       /* distance to it, of which that is lost */

	/* Hunting a ghost that flees at random. */
	double chase;      /* times the shortest way to where it is now, */
	double chase_slow; /* the same for a robot in step that is not faster
	                      than ghosts */
	double again;      /* cells more for each ghost */
	double spare;      /* ticks of fright left when the chance is near 1 */
	double sure;       /* the best chance */

	/* Ghosts that are not frightened. */
	double near;   /* a cell that one is nearer than six */
	double gather; /* a cell that one is off, while there is power */
};

/*
 * Points of the game, plus what the state promises. Only differences between
 * states of one decision mean anything.
 */
struct pb_search_eval {
	const struct pb_bot_view *v;
	const struct pb_search_weights *leaf;
	int since;  /* tick at which the last power pellet was eaten */
	int power;  /* power pellets left at the decision */
	bool fast;  /* ghosts are no faster than the robot */
	bool slow;  /* ghosts are as fast as the robot */
	bool looks; /* ghosts that are not frightened have a value */
	double company[PB_SEARCH_AROUND + 1]; /* value of a ghost by its
	                                         distance, */
	double best_company; /* largest sum of those of all four */
	double chase; /* weight chase or chase_slow, by the robot's speed */
	bool waits;   /* it waits for ghosts near a power pellet */
	double stake; /* share of the four ghosts in play */
	double hold;  /* value of keeping a power pellet (points), */
	double
	    hold_ticks; /* wearing off this long since the last one (ticks) */
	int tick;       /* the last one at which that was asked, */
	double age;     /* and how much of it had worn off then */
	int16_t place[UINT8_MAX]; /* cells of the power pellets */
	struct pb_search_near near[PB_SEARCH_CELLS];
};

/* a: the aim of a decision; v and leaf, not owned, and since as above. */
void pb_search_eval(struct pb_search_eval *a, const struct pb_bot_view *v,
    const struct pb_search_weights *leaf, int since);

/*
 * Worth of s, `ticks` after the decision and with `fruits` eaten since; if it
 * is not above `floor`, some number that is not. Remembers pellets in a.
 */
double pb_search_value(struct pb_search_eval *a, const struct pb_pacbot *s,
    int ticks, int fruits, double floor);

/* Whether Pac-Man eats a fruit on going from s to the state `to`. */
bool pb_search_eats_fruit(
    const struct pb_pacbot *s, const struct pb_pacbot *to);

/* Whether a frightened ghost might still be caught in s. */
bool pb_search_can_catch(
    const struct pb_search_eval *a, const struct pb_pacbot *s);

/* Power pellets left in s. */
int pb_search_power(const struct pb_pacbot *s, const struct pb_pacbot_rules *k);

/* The players, see pacbot_search.c. */
extern const struct pb_player pb_bot_search, pb_bot_quick;
