/* rules_pacbot.h - trials of the pacbot rules. */
#ifndef PB_POLICY_RULES_PACBOT_H
#define PB_POLICY_RULES_PACBOT_H

#include "game/match.h"
#include "policy/rules.h"

/* Options: struct pb_match_opts. */
extern const struct pb_rules pb_rules_pacbot;

/*
 * What a maze is to the rules: a map of one cell for each of its cells and
 * the pellets, which a world is made of.
 *
 * Returns  PB_OK, m for pb_map_clear and p for pb_pellets_clear; or PB_ENOMEM
 */
enum pb_status pb_rules_pacbot_board(
    const struct pb_maze *z, struct pb_map *m, struct pb_pellets *p);

/* Fill in of r: rules, map, options, round. */
void pb_rules_pacbot_key(struct pb_trial *r, const struct pb_map *m,
    const struct pb_pellets *p, const struct pb_match_opts *o);

/* How the match ended, from `outcome` on. */
void pb_rules_pacbot_ended(struct pb_trial *r, const struct pb_match *m);

#endif
