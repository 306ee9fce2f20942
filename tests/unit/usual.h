/* usual.h - the usual constants of the games on boards of robots. */
#pragma once

#include "game/roomba/roomba.h"
#include "game/zumy/zumy.h"
#include "pb/match.h"

/* Let the clock of a game of Pacbot move on to its next update; how many ticks
 * that takes, 0: it is paused. */
static inline int
pacbot_update(struct pb_pacbot *s, const struct pb_pacbot_rules *k,
    const struct pb_arcade_draw *draw)
{
	int ticks = 0;

	if (s->paused)
		return 0;
	do {
		pb_pacbot_end(s);
		ticks++;
	} while (!pb_pacbot_begin(s, k, draw) && !s->paused);
	return ticks;
}

static inline struct pb_match_opts
pb_match_defaults(void)
{
	struct pb_match_opts o = {0};

	pb_params_defaults(pb_match_params, &o);
	return o;
}

static inline struct pb_roomba_opts
pb_roomba_defaults(void)
{
	struct pb_roomba_opts o = {0};

	pb_params_defaults(pb_roomba_params, &o);
	return o;
}

static inline struct pb_zumy_opts
pb_zumy_defaults(void)
{
	struct pb_zumy_opts o = {0};

	pb_params_defaults(pb_zumy_params, &o);
	return o;
}
