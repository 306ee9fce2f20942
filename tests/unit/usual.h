/* usual.h - the usual constants of the games on boards of robots. */
#pragma once

#include "game/roomba/roomba.h"
#include "game/zumy/zumy.h"

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
