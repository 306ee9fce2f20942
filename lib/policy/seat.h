/* seat.h - what seats of games on boards have in common. */
#ifndef PB_POLICY_SEAT_H
#define PB_POLICY_SEAT_H

#include "pb/match.h"

/* A seat (rules.h) begins with this. */
struct pb_seat {
	struct pb_match_watch watch;
	struct pb_heat heat; /* of the trial played last */
};

/* The watch and heat of struct pb_rules. */
void pb_seat_watch(void *seat, struct pb_match_watch w);
const struct pb_heat *pb_seat_heat(const void *seat);

/* Tell who watches that a decision begins, or ends. */
void pb_seat_around(const struct pb_seat *s, bool begins);

#endif
