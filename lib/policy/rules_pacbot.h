/* rules_pacbot.h - trials of the pacbot rules. */
#ifndef PB_POLICY_RULES_PACBOT_H
#define PB_POLICY_RULES_PACBOT_H

#include "pb/match.h"
#include "policy/rules.h"

/* Options: struct pb_match_opts. */
extern const struct pb_rules pb_rules_pacbot;

/* How the match ended, from `outcome` on. */
void pb_rules_pacbot_ended(struct pb_trial *r, const struct pb_match *m);

#endif
