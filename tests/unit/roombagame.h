/* roombagame.h - Roomba games with bodies, and when two are the same. */
#pragma once

#include "check.h"
#include "usual.h"
#include "game/roomba/roomba.h"

static inline struct pb_roomba_opts
driving(void)
{
	struct pb_roomba_opts o = pb_roomba_defaults();

	o.motion = PB_MOTION_DRIVE;
	return o;
}

static inline void
without_noise(struct pb_roomba_opts *o)
{
	o->bodies.rover.slip = 0;
	o->bodies.rover.estimate.sd = o->bodies.rover.estimate.th_sd = 0;
}

static inline void
standard(struct pb_roomba_board *b)
{
	struct pb_maze z;

	check_int(pb_maze_standard("roomba", &z), PB_OK);
	check_int(pb_roomba_board_init(b, &z), PB_OK);
}

/* Who is where, and what happened to him. */
static inline bool
same_cells(const struct pb_roomba *a, const struct pb_roomba *b)
{
	bool same = a->pacman == b->pacman && a->score == b->score &&
	            a->deaths == b->deaths && a->eaten == b->eaten &&
	            memcmp(a->dot, b->dot, sizeof(a->dot)) == 0;

	for (int i = 0; i < PB_ROOMBA_GHOSTS; i++)
		same = same && a->ghost[i].at == b->ghost[i].at &&
		       a->ghost[i].state == b->ghost[i].state &&
		       a->ghost[i].afraid == b->ghost[i].afraid;
	return same;
}
