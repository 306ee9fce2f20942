/* rules_pacmanbot.h - the row of pacmanbot in the table of rule sets. */
#ifndef PB_POLICY_RULES_PACMANBOT_H
#define PB_POLICY_RULES_PACMANBOT_H

#include "game/pacmanbot/round.h"
#include "policy/rules.h"

/* Its options are a struct pb_round_opts, its players those of policy.h. */
extern const struct pb_rules pb_rules_pacmanbot;

/* Fill r from `outcome` on to its end with how a round ended. */
void pb_trial_ended(
    struct pb_trial *r, const struct pb_outcome *e, double limit);

#endif
