/* policy.h - the ways of choosing Pac-Man's next move, by name. */
#ifndef PB_POLICY_POLICY_H
#define PB_POLICY_POLICY_H

#include "game/pacmanbot/player.h"
#include "game/pacmanbot/score.h"

/* The players of pacmanbot. */
extern const struct pb_player pb_player_seed;
extern const struct pb_player pb_player_nearest;
extern const struct pb_player pb_player_safe;

/* What pellets cost pb_player_seed. */
struct pb_score_opts pb_player_seed_scores(const struct pb_round_opts *o);

/* The player called name, NULL if there is none. */
const struct pb_player *pb_policy_find(const char *name);

/* Player i (0..) in the order of `--list-policies`, NULL past the last. */
const struct pb_player *pb_policy_at(int i);

#endif
