/* controller.c - tests of the game controller: rounds, and what it counts. */
#include "check.h"
#include "controls.h"

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
	pb_controller_said(&c, 10, PB_SAID_HOME, -1);
	expect(&c, "state:starting event:start theatrical disable");
	pb_controller_tick(&c, 17.9);
	expect(&c, "");
	pb_controller_tick(&c, 18);
	expect(&c, "state:running speed:0.25 enable");
	pb_controller_said(&c, 20, PB_SAID_COLLECTED, 1);
	expect(&c, "counts event:pellet");
	pb_controller_said(&c, 21, PB_SAID_COLLECTED, 0);
	expect(&c, "counts event:pellet state:complete result disable "
		   "event:win state:returning_home return_home");
	check_str(c.result, "Complete - Score: 2");
	pb_controller_said(&c, 30, PB_SAID_HOME, -1);
	expect(&c, RESET_CALLS "speed:0.3 state:menu result counts");
	check_str(c.result, "Complete - Score: 2");
	check(c.round == 2 && c.score == 2 && c.collected == 0);
}

/* The next round adds to the score, and a start only clears the result. */
test(score_over_rounds)
{
	struct pb_controller c = at(AFTER_WIN);

	check(c.score == 1 && c.collected == 1);
	pb_controller_said(&c, 100, PB_SAID_HOME, -1);
	check(c.collected == 0 && c.score == 1 && c.round == 2);
	check(pb_controller_start(&c));
	check(c.result[0] == '\0' && c.score == 1 && c.round == 2);
	pb_controller_markers(&c, 3);
	pb_controller_said(&c, 110, PB_SAID_HOME, -1);
	pb_controller_tick(&c, 120);
	pb_controller_said(&c, 121, PB_SAID_COLLECTED, 0);
	check(c.collected == 1 && c.score == 2);
	pb_controller_said(&c, 122, PB_SAID_DEATH, -1);
	check(strcmp(c.result, "Death - Score: 2") == 0 && c.score == 2);
	pb_controller_tick(&c, 127);
	pb_controller_said(&c, 130, PB_SAID_HOME_FAILED, -1);
	check(c.score == 0 && c.round == 1);
	check_str(c.result, "Death - Score: 2");
}

test(death)
{
	struct pb_controller c = at(RUNNING);

	pb_controller_said(&c, 100, PB_SAID_DEATH, -1);
	expect(&c, "state:dying result disable");
	pb_controller_tick(&c, 104.99);
	expect(&c, "");
	pb_controller_tick(&c, 105);
	expect(&c, "state:returning_home return_home");
	pb_controller_said(&c, 110, PB_SAID_HOME, -1);
	expect(&c, RESET_CALLS "speed:0.25 state:menu result counts");
	check_str(c.result, "Death - Score: 1");
}

test(home_failed)
{
	struct pb_controller c = at(TO_START);

	pb_controller_said(&c, 100, PB_SAID_HOME_FAILED, -1);
	expect(&c, RESET_CALLS "speed:0.25 state:menu result counts");
	check_str(c.result, "Could not return home before start");
	c = at(AFTER_WIN);
	pb_controller_said(&c, 100, PB_SAID_HOME_FAILED, -1);
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
	pb_controller_said(&c, 10, PB_SAID_HOME, -1);
	pb_controller_tick(&c, 20);
	pb_controller_done(&c);
	pb_controller_said(&c, 21, PB_SAID_COLLECTED, 0);
	check(c.state == PB_RUNNING && c.collected == 1);
	pb_controller_said(&c, 22, PB_SAID_COMPLETE, -1);
	check(c.state == PB_RETURNING_HOME);
}

test(ids)
{
	struct pb_controller c = at(RUNNING);

	pb_controller_markers(&c, 1000);
	pb_controller_done(&c);
	pb_controller_said(&c, 101, PB_SAID_COLLECTED, 0); /* had it */
	check(c.collected == 1 && c.actions == 0);
	pb_controller_said(&c, 102, PB_SAID_COLLECTED, PB_ROUND_IDS - 1);
	pb_controller_said(&c, 103, PB_SAID_COLLECTED, PB_ROUND_IDS - 1);
	check_int(c.collected, 2);
	/* Without an id, or with one that cannot be read, each counts. */
	pb_controller_said(&c, 104, PB_SAID_COLLECTED, -1);
	pb_controller_said(&c, 105, PB_SAID_COLLECTED, -1);
	check_int(c.collected, 4);
	pb_controller_said(&c, 106, PB_SAID_COLLECTED, PB_ROUND_IDS + 7);
	check(c.collected == 5 && c.score == 5);
	pb_controller_reset(&c);
	pb_controller_start(&c);
	pb_controller_said(&c, 107, PB_SAID_HOME, -1);
	pb_controller_tick(&c, 120);
	pb_controller_said(&c, 121, PB_SAID_COLLECTED, 0); /* forgotten */
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
