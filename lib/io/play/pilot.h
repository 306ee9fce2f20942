/* pilot.h - somebody who sees a grid game and steers in it, tick by tick. */
#pragma once

#include "io/rec/rec.h"
#include "robot/signals.h"

/*
 * A game shows him its board, then its state and the robot's lights whenever
 * those have changed, and asks him before each tick. view/human.h is one at the
 * terminal.
 */
struct pb_pilot {
	void *user;
	void (*board)(void *user, const struct pb_maze *z); /* or NULL */
	void (*show)(void *user, const struct pb_seen *k);
	void (*light)(void *user, const struct pb_ring *r);

	/*
	 * It is time t of the game (s). Returns false if he leaves the game;
	 * else *stick is where he steers, PB_STAY: nowhere. NULL: he only
	 * looks on, and somebody else plays.
	 */
	bool (*ask)(void *user, double t, enum pb_dir *stick);

	/* The game is over, and how it ended; or NULL. */
	void (*over)(void *user, const struct pb_rec_result *r);
};

/* Whether there is a pilot who steers; p may be NULL. */
static inline bool
pb_pilot_steers(const struct pb_pilot *p)
{
	return p != NULL && p->ask != NULL;
}

static inline void
pb_pilot_over(const struct pb_pilot *p, const struct pb_rec_result *r)
{
	if (p != NULL && p->over != NULL)
		p->over(p->user, r);
}
