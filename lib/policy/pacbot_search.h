/* pacbot_search.h - a player of Pacbot that looks ahead in the exact engine. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/beam.h"
#include "pb/match.h"
#include "pb/player.h"

#define PB_SEARCH_CELLS 1024 /* cells of the largest board */
#define PB_SEARCH_AROUND \
	20                 /* distances of ghosts are clamped to this (cells) */
#define PB_SEARCH_KNOWN 15 /* nearest pellets cached for each cell */

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
 * A power pellet is kept until four ghosts are near enough to be eaten for
 * 3,000 points; `hold` is the least gain for which it is eaten. It decays with
 * time, or Pac-Man would wait for ever.
 *
 * Chasing ghosts come nearer by themselves: a robot as fast as the ghosts
 * waits near a power pellet, as long as there is time to eat all pellets before
 * the level speeds up. That time is divided among the power pellets, `shares`
 * times each, since few take all of it. A slower robot eats other pellets
 * meanwhile, and `hold` wears off with the pellets left: of those above 20,
 * where the ghosts speed up, there should be `share` for each power pellet.
 */
struct pb_search_weights {
	double hold;       /* value of keeping a power pellet */
	double hold_ticks; /* it decays to 0 in at most this time (ticks) */
	double share;      /* pellets left for each power pellet (pellets) */
	double wait_hold;  /* hold while waiting */
	double shares;     /* factor on the time of a power pellet */
	double route;      /* path length for each pellet left (cells) */
	double wait_leave; /* eating a pellet while waiting */
	double
	    wait_step; /* distance to a power pellet while waiting, per cell */
	double death;  /* loss of a life */
	double later;  /* dying a tick later */
	double per_tick;   /* a tick of time */
	double pellet;     /* eating a pellet, beside its points */
	double per_cell;   /* distance to the nearest pellet, per cell */
	double fruit;      /* a fruit: pellets can wait */
	double fruit_cell; /* loss of that value per cell of distance */

	/* Hunting a frightened ghost, which turns at random. */
	double chase; /* path length of a catch over the present distance */
	double chase_slow; /* the same on the grid, no faster than ghosts */
	double again;      /* additional distance for each ghost (cells) */
	double spare;      /* probability is (left - time) / (left + spare) */
	double sure;       /* largest probability */

	/* Ghosts that are not frightened. */
	double near; /* a cell that a ghost is nearer than six cells */
	double
	    gather; /* a cell of a ghost's distance, with power pellets left */
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
	double ghost_value[PB_SEARCH_AROUND +
			   1];    /* value of a ghost by its distance */
	double best_ghosts_value; /* largest sum of those of all four */
	double chase; /* weight chase or chase_slow, by the robot's speed */
	bool waits;   /* it waits for ghosts near a power pellet */
	double stake; /* share of the four ghosts in play */
	double hold;  /* value of keeping a power pellet (points) */
	double hold_ticks;        /* time in which it decays (ticks) */
	int tick;                 /* last tick for which `age` was computed */
	double age;               /* decay at that tick, 0..1 */
	int16_t place[UINT8_MAX]; /* cells of the power pellets */
	struct pb_search_near near[PB_SEARCH_CELLS];
};

/* Prepare the evaluation a of a decision; v and leaf are not owned. */
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
