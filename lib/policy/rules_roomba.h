/* rules_roomba.h - trials of the roomba rules. */
#ifndef PB_POLICY_RULES_ROOMBA_H
#define PB_POLICY_RULES_ROOMBA_H

#include "game/roomba/roomba_drive.h"
#include "game/roomba/rplayer.h"
#include "policy/rules.h"

/* Options: struct pb_roomba_opts. */
extern const struct pb_rules pb_rules_roomba;

/* How the game ended, from `outcome` on. */
void pb_rules_roomba_ended(struct pb_trial *r, const struct pb_roomba *s,
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o);

/* The same of a game with bodies: times are seconds. */
void pb_rules_roomba_driven(struct pb_trial *r, const struct pb_roomba_fleet *f,
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o);

/* What player p does now, and where robots have bodies, those of f, which is
 * NULL without; its view of both is without what robots draw. */
enum pb_dir pb_rules_roomba_ask(const struct pb_roomba_player *p,
    const struct pb_roomba *s, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o, struct pb_rng *rng,
    const struct pb_roomba_fleet *f);

#endif
