/* rules_zumy.h - trials of the zumy rules. */
#ifndef PB_POLICY_RULES_ZUMY_H
#define PB_POLICY_RULES_ZUMY_H

#include "game/zumy.h"
#include "policy/rules.h"

/* Options: struct pb_zumy_opts. */
extern const struct pb_rules pb_rules_zumy;

/* Fill in of r: rules, map, options, round. */
void pb_rules_zumy_key(
    struct pb_trial *r, const struct pb_maze *z, const struct pb_zumy_opts *o);

/* How the game ended, from `outcome` on. */
void pb_rules_zumy_ended(
    struct pb_trial *r, const struct pb_zumy *s, const struct pb_zumy_opts *o);

#endif
