/* settings.h - options of a game that can be changed between two games. */
#ifndef PB_IO_SETTINGS_H
#define PB_IO_SETTINGS_H

#include "io/opt_round.h"
#include "io/session.h"
#include "policy/rules.h"

/* Who plays, for an option. */
struct pb_settings_player {
	const struct pb_rules *rules;
	int *number;                  /* of the player among theirs */
	const struct pb_player **bot; /* him, in pacmanbot; else NULL */
};

#define PB_SETTINGS 12

/* The constants of a rule set, and what else there is. Nothing is owned. */
struct pb_settings {
	int rules;  /* PB_OPT_PACMANBOT, ... */
	void *base; /* struct of the rules' constants */
	struct pb_opt opt[PB_SETTINGS];
	int n; /* of opt[] */
	struct pb_settings_player player;
	struct pb_opt_preset preset;
	struct pb_session_opts *session; /* of pacmanbot, else NULL */
};

/*
 * Given    rules, base  as above
 *          seed, trial, player  where they are
 *          session      of pacmanbot; else NULL
 * Note     s points into itself: it must not be moved
 */
void pb_settings_init(struct pb_settings *s, int rules, void *base,
    uint64_t *seed, uint64_t *trial, int *player,
    struct pb_session_opts *session);

/* Returns false with bad filled in: no such name, or no value of it. */
bool pb_settings_set(struct pb_settings *s, const char *name, const char *value,
    struct pb_bad *bad);

/* Name of setting i (0..) and what it is; NULL past the last. */
const char *pb_settings_name(
    const struct pb_settings *s, int i, const char **help);

/* Its value as it would be typed, "" if it has none. */
void pb_settings_value(
    const struct pb_settings *s, int i, char *out, size_t size);

#endif
