/*
 * controller_arrows.c - tests of the game controller: every state against
 * every input, and what is published on each arrow, in order.
 */
#include "check.h"
#include "controls.h"

static enum place
place_of(const struct pb_controller *c)
{
	switch (c->state) {
	case PB_MENU:
		return MENU;
	case PB_STARTING:
		return STARTING;
	case PB_RUNNING:
		return RUNNING;
	case PB_DYING:
		return DYING;
	case PB_RETURNING_HOME:
		return c->pending == PB_PENDING_START       ? TO_START
		       : c->pending == PB_PENDING_COMPLETED ? AFTER_WIN
		                                            : AFTER_DEATH;
	case PB_COMPLETE:
		break;
	}
	return PLACES;
}

enum input {
	START,
	RESET,
	COLLECTED,
	COMPLETE,
	DEATH,
	HOME,
	HOME_FAILED,
	LATER, /* all timers are due */
	SOON,  /* no timer is due */
	INPUTS
};

static void
give(struct pb_controller *c, enum input in)
{
	if (in == START)
		pb_controller_start(c);
	else if (in == RESET)
		pb_controller_reset(c);
	else if (in == LATER)
		pb_controller_tick(c, 200);
	else if (in == SOON)
		pb_controller_tick(c, 104.9);
	else
		pb_controller_said(c, 100, (enum pb_said)(in - COLLECTED), 1);
}

test(every_arrow)
{
	/* Row: place; column: START RESET COLLECTED COMPLETE DEATH HOME
	 * HOME_FAILED LATER SOON. */
	static const enum place to[PLACES][INPUTS] = {
	    {TO_START, MENU, MENU, MENU, MENU, MENU, MENU, MENU, MENU},
	    {TO_START, MENU, TO_START, TO_START, TO_START, STARTING, MENU,
		TO_START, TO_START},
	    {STARTING, MENU, STARTING, AFTER_WIN, DYING, STARTING, STARTING,
		RUNNING, STARTING},
	    {RUNNING, MENU, RUNNING, AFTER_WIN, DYING, RUNNING, RUNNING,
		RUNNING, RUNNING},
	    {DYING, MENU, DYING, DYING, DYING, DYING, DYING, AFTER_DEATH,
		DYING},
	    {AFTER_DEATH, MENU, AFTER_DEATH, AFTER_DEATH, AFTER_DEATH, MENU,
		MENU, AFTER_DEATH, AFTER_DEATH},
	    {AFTER_WIN, MENU, AFTER_WIN, AFTER_WIN, AFTER_WIN, MENU, MENU,
		AFTER_WIN, AFTER_WIN},
	};

	for (int p = 0; p < PLACES; p++) {
		for (int in = 0; in < INPUTS; in++) {
			struct pb_controller c = at((enum place)p);
			bool moved;

			check_int(place_of(&c), p);
			give(&c, (enum input)in);
			if (place_of(&c) != to[p][in])
				printf("# place %d, input %d\n", p, in);
			check_int(place_of(&c), to[p][in]);
			moved = to[p][in] != (enum place)p || in == RESET;
			if (p == RUNNING && in == COLLECTED)
				moved = true;
			check_int(c.actions > 0, moved);
		}
	}
}
