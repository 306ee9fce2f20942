/* rules_zumy.h - trials of the zumy rules. */
#ifndef PB_POLICY_RULES_ZUMY_H
#define PB_POLICY_RULES_ZUMY_H

#include "game/zumy/zumy_drive.h"
#include "policy/rules.h"

/* Options: struct pb_zumy_opts. */
extern const struct pb_rules pb_rules_zumy;

/* How the game ended, from `outcome` on. */
void pb_rules_zumy_ended(
    struct pb_trial *r, const struct pb_zumy *s, const struct pb_zumy_opts *o);

#endif
