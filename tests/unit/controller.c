/*
 * controller.c - tests of the game controller: rounds, what it counts, and
 * every state against every input.
 */
#include "check.h"

#include "game/pacmanbot/round_state.h"

#define RESET_CALLS "disable reset_round event:reset reset_pellets reset_clyde "

/* The actions so far as one line, which empties the list. */
static const char *
acts(struct pb_controller *c)
{
	static char line[1024];
	size_t n = 0;

	line[0] = '\0';
	for (int i = 0; i < c->actions; i++) {
		const struct pb_action *a = &c->action[i];

		n += (size_t)snprintf(line + n, sizeof(line) - n, "%s%s",
		    i > 0 ? " " : "", pb_act_name(a->act));
		if (a->act == PB_ACT_EVENT || a->act == PB_ACT_STATE)
			n += (size_t)snprintf(
			    line + n, sizeof(line) - n, ":%s", a->text);
		if (a->act == PB_ACT_SPEED)
			n += (size_t)snprintf(
			    line + n, sizeof(line) - n, ":%g", a->value);
	}
	pb_controller_done(c);
	return line;
}

static void
expect(struct pb_controller *c, const char *want)
{
	check_str(acts(c), want);
}

/* Where a game can be: the states, and why the robot goes home. */
enum place {
	MENU,
	TO_START,
	STARTING,
	RUNNING,
	DYING,
	AFTER_DEATH,
	AFTER_WIN,
	PLACES
};

/* A controller at `place`, at 100 s, three pellets, one of them collected. */
static struct pb_controller
at(enum place place)
{
	struct pb_controller c;

	pb_controller_init(&c, 0.25, 0.05, 8, 5);
	pb_controller_markers(&c, 3);
	if (place == MENU)
		goto out;
	pb_controller_start(&c);
	pb_controller_markers(&c, 3);
	if (place == TO_START)
		goto out;
	pb_controller_receive(
	    &c, place == STARTING ? 100 : 50, PB_MSG_HOME, -1);
	if (place == STARTING)
		goto out;
	pb_controller_tick(&c, 60);
	pb_controller_receive(&c, 61, PB_MSG_COLLECTED, 0);
	if (place == AFTER_WIN)
		pb_controller_receive(&c, 62, PB_MSG_COMPLETE, -1);
	if (place == DYING || place == AFTER_DEATH)
		pb_controller_receive(
		    &c, place == DYING ? 100 : 62, PB_MSG_DEATH, -1);
	if (place == AFTER_DEATH)
		pb_controller_tick(&c, 70);
out:
	pb_controller_done(&c);
	return c;
}

test(begin)
{
	struct pb_controller c;

	pb_controller_init(&c, 0.25, 0.05, 8, 5);
	expect(&c, "disable speed:0.25 state:menu result counts");
	check(c.round == 1 && c.score == 0 && c.result[0] == '\0');
}

test(a_round)
{
	struct pb_controller c = at(MENU);

	check(pb_controller_start(&c));
	expect(&c, RESET_CALLS "speed:0.25 state:menu result counts "
			       "state:returning_home return_home");
	check(!pb_controller_start(&c));
	pb_controller_markers(&c, 2);
	expect(&c, "counts");
	pb_controller_receive(&c, 10, PB_MSG_HOME, -1);
	expect(&c, "state:starting event:start theatrical disable");
	pb_controller_tick(&c, 17.9);
	expect(&c, "");
	pb_controller_tick(&c, 18);
	expect(&c, "state:running speed:0.25 enable");
	pb_controller_receive(&c, 20, PB_MSG_COLLECTED, 1);
	expect(&c, "counts event:pellet");
	pb_controller_receive(&c, 21, PB_MSG_COLLECTED, 0);
	expect(&c, "counts event:pellet state:complete result disable "
		   "event:win state:returning_home return_home");
	check_str(c.result, "Complete - Score: 2");
	pb_controller_receive(&c, 30, PB_MSG_HOME, -1);
	expect(&c, RESET_CALLS "speed:0.3 state:menu result counts");
	check_str(c.result, "Complete - Score: 2");
	check(c.round == 2 && c.score == 2 && c.collected == 0);
}

/* The next round adds to the score, and a start only clears the result. */
test(score_over_rounds)
{
	struct pb_controller c = at(AFTER_WIN);

	check(c.score == 1 && c.collected == 1);
	pb_controller_receive(&c, 100, PB_MSG_HOME, -1);
	check(c.collected == 0 && c.score == 1 && c.round == 2);
	check(pb_controller_start(&c));
	check(c.result[0] == '\0' && c.score == 1 && c.round == 2);
	pb_controller_markers(&c, 3);
	pb_controller_receive(&c, 110, PB_MSG_HOME, -1);
	pb_controller_tick(&c, 120);
	pb_controller_receive(&c, 121, PB_MSG_COLLECTED, 0);
	check(c.collected == 1 && c.score == 2);
	pb_controller_receive(&c, 122, PB_MSG_DEATH, -1);
	check(strcmp(c.result, "Death - Score: 2") == 0 && c.score == 2);
	pb_controller_tick(&c, 127);
	pb_controller_receive(&c, 130, PB_MSG_HOME_FAILED, -1);
	check(c.score == 0 && c.round == 1);
	check_str(c.result, "Death - Score: 2");
}

test(death)
{
	struct pb_controller c = at(RUNNING);

	pb_controller_receive(&c, 100, PB_MSG_DEATH, -1);
	expect(&c, "state:dying result disable");
	pb_controller_tick(&c, 104.99);
	expect(&c, "");
	pb_controller_tick(&c, 105);
	expect(&c, "state:returning_home return_home");
	pb_controller_receive(&c, 110, PB_MSG_HOME, -1);
	expect(&c, RESET_CALLS "speed:0.25 state:menu result counts");
	check_str(c.result, "Death - Score: 1");
}

test(home_failed)
{
	struct pb_controller c = at(TO_START);

	pb_controller_receive(&c, 100, PB_MSG_HOME_FAILED, -1);
	expect(&c, RESET_CALLS "speed:0.25 state:menu result counts");
	check_str(c.result, "Could not return home before start");
	c = at(AFTER_WIN);
	pb_controller_receive(&c, 100, PB_MSG_HOME_FAILED, -1);
	expect(&c, "result " RESET_CALLS "speed:0.3 state:menu result counts");
	check_str(c.result, "Complete - Score: 1; return home failed");
	check(c.round == 2 && c.score == 1);
}

/* The reset service: from anywhere, timers and all. */
test(reset)
{
	for (int p = 0; p < PLACES; p++) {
		struct pb_controller c = at((enum place)p);

		pb_controller_reset(&c);
		expect(&c, RESET_CALLS "speed:0.25 state:menu result counts");
		check(c.round == 1 && c.score == 0);
		check(c.result[0] == '\0' && c.spawned == 0 && c.awaiting);
		pb_controller_tick(&c, 1000);
		check(c.state == PB_MENU && c.actions == 0);
	}
}

test(markers)
{
	struct pb_controller c = at(RUNNING);

	check_int(c.spawned, 3);
	pb_controller_markers(&c, 2); /* 2 + 1 collected */
	check_int(c.spawned, 3);
	pb_controller_markers(&c, 0); /* a pellet fewer: never downwards */
	check_int(c.spawned, 3);
	pb_controller_markers(&c, 4);
	check_int(c.spawned, 5);
	expect(&c, "counts counts counts");
	pb_controller_reset(&c);
	check_int(c.spawned, 0);
	pb_controller_markers(&c, 0); /* an empty set counts, too */
	pb_controller_markers(&c, 0);
	check_int(c.spawned, 0);
}

/* Without a count of the spawned no collecting completes a round. */
test(nothing_spawned)
{
	struct pb_controller c = at(MENU);

	pb_controller_start(&c);
	pb_controller_receive(&c, 10, PB_MSG_HOME, -1);
	pb_controller_tick(&c, 20);
	pb_controller_done(&c);
	pb_controller_receive(&c, 21, PB_MSG_COLLECTED, 0);
	check(c.state == PB_RUNNING && c.collected == 1);
	pb_controller_receive(&c, 22, PB_MSG_COMPLETE, -1);
	check(c.state == PB_RETURNING_HOME);
}

test(ids)
{
	struct pb_controller c = at(RUNNING);

	pb_controller_markers(&c, 1000);
	pb_controller_done(&c);
	pb_controller_receive(&c, 101, PB_MSG_COLLECTED, 0); /* had it */
	check(c.collected == 1 && c.actions == 0);
	pb_controller_receive(&c, 102, PB_MSG_COLLECTED, PB_ROUND_IDS - 1);
	pb_controller_receive(&c, 103, PB_MSG_COLLECTED, PB_ROUND_IDS - 1);
	check_int(c.collected, 2);
	/* Without an id, or with one that cannot be read, each counts. */
	pb_controller_receive(&c, 104, PB_MSG_COLLECTED, -1);
	pb_controller_receive(&c, 105, PB_MSG_COLLECTED, -1);
	check_int(c.collected, 4);
	pb_controller_receive(&c, 106, PB_MSG_COLLECTED, PB_ROUND_IDS + 7);
	check(c.collected == 5 && c.score == 5);
	pb_controller_reset(&c);
	pb_controller_start(&c);
	pb_controller_receive(&c, 107, PB_MSG_HOME, -1);
	pb_controller_tick(&c, 120);
	pb_controller_receive(&c, 121, PB_MSG_COLLECTED, 0); /* forgotten */
	check_int(c.collected, 1);
}

test(base_speed)
{
	struct pb_controller c = at(MENU);
	const double bad[] = {0, -1, NAN, INFINITY};

	pb_controller_base_speed(&c, 0.4);
	expect(&c, "speed:0.4");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		pb_controller_base_speed(&c, bad[i]);
	expect(&c, "");
	check(c.base_speed == 0.4);
	c = at(STARTING);
	pb_controller_base_speed(&c, 0.5);
	expect(&c, "");
	pb_controller_tick(&c, 108);
	expect(&c, "state:running speed:0.5 enable");
	c = at(MENU);
	c.round = 11;
	check_near(pb_controller_speed(&c), 0.75, 1e-12); /* no limit */
}

/* An owner that never empties the list loses actions, not memory. */
test(full_list)
{
	struct pb_controller c = at(MENU);

	for (int i = 0; i < 100; i++)
		pb_controller_markers(&c, 1);
	check_int(c.actions, PB_ACTIONS);
}

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
		pb_controller_receive(
		    c, 100, (enum pb_node_message)(in - COLLECTED), 1);
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
