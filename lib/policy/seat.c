/* seat.c - what seats of games on boards have in common. */
#include "policy/seat.h"

void
pb_seat_watch(void *seat, struct pb_match_watch w)
{
	((struct pb_seat *)seat)->watch = w;
}

const struct pb_heat *
pb_seat_heat(const void *seat)
{
	return &((const struct pb_seat *)seat)->heat;
}

void
pb_seat_around(const struct pb_seat *s, bool begins)
{
	if (s->watch.around != NULL)
		s->watch.around(s->watch.ctx, begins);
}
