/* controls.h - a game controller at any place of a game, and what it asks for.
 */
#pragma once

#include "check.h"
#include "game/pacmanbot/controller.h"

#define RESET_CALLS "disable reset_round event:reset reset_pellets reset_clyde "

/* The actions so far as one line, which empties the list. */
static inline const char *
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

static inline void
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
static inline struct pb_controller
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
	pb_controller_said(&c, place == STARTING ? 100 : 50, PB_SAID_HOME, -1);
	if (place == STARTING)
		goto out;
	pb_controller_tick(&c, 60);
	pb_controller_said(&c, 61, PB_SAID_COLLECTED, 0);
	if (place == AFTER_WIN)
		pb_controller_said(&c, 62, PB_SAID_COMPLETE, -1);
	if (place == DYING || place == AFTER_DEATH)
		pb_controller_said(
		    &c, place == DYING ? 100 : 62, PB_SAID_DEATH, -1);
	if (place == AFTER_DEATH)
		pb_controller_tick(&c, 70);
out:
	pb_controller_done(&c);
	return c;
}
