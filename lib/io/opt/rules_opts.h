/* rules_opts.h - the rule sets, their constants and players on the command
 * line. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/opt/opt.h"
#include "io/stream/msg.h"
#include "pb/games.h"

struct pb_constants;

/* Places given on the command line; a preset comes first, they override it. */
#define PB_PLACES 2
struct pb_places {
	double v[PB_PLACES][3];
	bool has[PB_PLACES];
};

/* Option for place i of the rule sets that are played on maps; stores it in
 * p. */
struct pb_opt pb_places_opt(struct pb_places *p, int i, unsigned modes);

/* Copy the given places into the options of the rules. */
void pb_constants_places(
    struct pb_constants *c, int rules, const struct pb_places *p);

/* Options that set the constant of their name; s: struct pb_set *. */
/* clang-format off */
#define PB_OPT_CHOOSERS(s)                                                  \
	{"motion", 0, PB_OPT_SET, "word", "how robots move: grid, drive", (s)}, \
	{"localizer", 0, PB_OPT_SET, "word",                                \
	    "how the robot estimates its pose: noise, mcl, ...", (s)},      \
	{"spacing", 0, PB_OPT_SET, "m", "distance between pellets", (s)},   \
	{"round", 0, PB_OPT_SET, "n", "round to begin with", (s)}
/* clang-format on */

/* Whether the rule set is played on maps. */
bool pb_opt_on_map(const struct pb_game *g);

/* List the names of all rule sets: "a, b, c". */
void pb_opt_rules_known(char *text, size_t size);

/* List the rule sets that are played on boards: "a, b and c". */
void pb_opt_rules_boards(char *text, size_t size);

/* The options structs of all rule sets; row i belongs to pb_rules_at(i). */
struct pb_constants {
	_Alignas(double) unsigned char of[PB_RULES][PB_RULES_OPTS];
};

struct pb_constants pb_constants_defaults(void);

/* The options struct of one rule set, to be passed to it. */
void *pb_constants_of(const struct pb_constants *c, int rules);

/* Add the constants of all rule sets to s, in their order, none of them
 * chosen. */
void pb_constants_sets(struct pb_constants *c, struct pb_set *s);

/* Set the constants of the preset called name; NULL: none. False: a message was
 * printed. */
bool pb_constants_preset(struct pb_constants *c, int rules, const char *name);

/* A growing list of constants; zeroed it is empty; free it with free(at). */
struct pb_settings_room {
	struct pb_setting *at; /* n, and room for one more */
	int n;
};

/* Add a constant. */
void pb_settings_add(
    struct pb_settings_room *t, const char *name, const char *value);

/*
 * Add the constants that are asked for by name (asked, NULL: none), or differ
 * from the defaults or from a preset (NULL: none). Only those that have an
 * effect with that player ("": none of the built-in ones). The round is
 * recorded elsewhere.
 *
 * Given    opts  options struct of the rule set
 */
void pb_constants_tell(const struct pb_game *g, const void *opts,
    const char *player, const char *preset, const struct pb_opt_names *asked,
    struct pb_settings_room *settings);

/* The constants of a result, and the hash of the weights of a trained player
 * (0: none). Valid until `settings` changes. */
struct pb_settings pb_constants_settings(
    struct pb_settings_room *settings, uint64_t weights);

#define PB_OPT_PLAYERS 64

struct pb_opt_players {
	int player[PB_OPT_PLAYERS]; /* numbers of r's players */
	int n;
};

/* Whether one of the n rule sets has a player of that name. */
bool pb_opt_some_play(
    const struct pb_rules *const *rules, int n, const char *player);

/* Refuse a name that no player of the n rule sets has; some: "some of " or "".
 * Returns false. */
bool pb_opt_no_player(const struct pb_rules *const *rules, int n,
    const char *some, const char *name, struct pb_error *bad);

/* List the players of the n rule sets, each once: "seed, nearest, safe". */
void pb_opt_players_known(
    const struct pb_rules *const *rules, int n, char *text, size_t size);

/* Print a rule set and its players for --list: "rules TAB summary", then "rules
 * TAB player TAB summary" for each. */
void pb_opt_list_rules(const struct pb_rules *r);
void pb_opt_list_all(void);
