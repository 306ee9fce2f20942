/* rules_opts.h - the rule sets, their constants and players on the command
 * line. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/opt/opt.h"
#include "io/stream/msg.h"
#include "pb/games.h"

/* The argument of --preset. */
struct pb_opt_preset {
	const struct pb_game *game; /* that has presets */
	void *opts;                 /* of it; becomes the preset */
	const char **name;          /* for the results; becomes its name */
};

/* For PB_OPT_CALL; to: struct pb_opt_preset *. */
bool pb_opt_preset(void *to, const char *arg, struct pb_error *bad);

/* Place i (0..) of the options of g as an option. */
struct pb_opt pb_opt_place(
    const struct pb_game *g, const void *opts, int i, const char **given);

/* What is no plain constant: presets and two places. p: struct pb_opt_preset *,
 * filled in, g: const char ** given. */
/* clang-format off */
#define PB_OPT_ROUND(p, g)                                                  \
	{"preset", 0, PB_OPT_CALL, "name",                                  \
	    "take the constants of a preset, then those given",             \
	    (p), .call = pb_opt_preset, .early = true, .given = (g)},       \
	pb_opt_place((p)->game, (p)->opts, 0, g),                           \
	pb_opt_place((p)->game, (p)->opts, 1, g)
/* clang-format on */

/* Number of the first rule set that is so; there is one. */
int pb_opt_rules_that(bool (*is)(const struct pb_game *g));

/* Whether it is played on maps; its robot can be held at a heading; somebody
 * explores its board. */
bool pb_opt_on_map(const struct pb_game *g);
bool pb_opt_is_held(const struct pb_game *g);
bool pb_opt_explores(const struct pb_game *g);

/* Number of the rule set called name, or -1: it was said. */
int pb_opt_rules_find(const char *name);

/* All names, with commas between. */
void pb_opt_rules_known(char *text, size_t size);

/* Those of games on boards: "a, b and c". */
void pb_opt_rules_boards(char *text, size_t size);

/* Whether rule set i has a constant of that name; some are of several. */
bool pb_opt_rules_have(int i, const char *name);

/*
 * Whether no option of other rule sets was given. If one was, it is said.
 *
 * Given    given  PB_RULES of them: the `given` of each one's options
 *          set    of the rule sets that are played: bit i for number i
 */
bool pb_opt_rules_fit(const char *const *given, unsigned set);

/* Of rule set i, see pb_rules_at(), the options struct in row i. */
struct pb_constants {
	_Alignas(double) unsigned char of[PB_RULES][PB_RULES_OPTS];
};

struct pb_constants pb_constants_defaults(void);

/* Those of one rule set, as it takes them. */
void *pb_constants_of(const struct pb_constants *c, int rules);

/* Those of one rule set as options: a group for struct pb_tool. */
struct pb_opt_group pb_constants_group(struct pb_constants *c, int rules);

/* The value of p in the struct at base, as it would be typed. */
void pb_constants_value(
    const struct pb_param *p, const void *base, char *out, size_t size);

/* A growing list of constants, zeroed it is empty; for free(at). */
struct pb_told_room {
	struct pb_told *at; /* n, and room for one more */
	int n;
};

/* Add a constant; false without memory. */
bool pb_told_add(struct pb_told_room *t, const char *name, const char *value);

/*
 * Add what is asked for, then what else differs from the defaults, or from a
 * preset (NULL: none). The round is told elsewhere.
 *
 * Given    opts   as the game takes them
 *          asked  for, by name; NULL: none
 * Returns  false without memory
 */
bool pb_constants_tell(const struct pb_game *g, const void *opts,
    const char *preset, const struct pb_opt_names *asked,
    struct pb_told_room *told);

/* What a result tells: those, and the weights of a trained player; 0: none. It
 * is good until told changes. */
struct pb_told_list pb_constants_told(
    struct pb_told_room *told, uint64_t weights);

#define PB_OPT_PLAYERS 64

struct pb_opt_players {
	int player[PB_OPT_PLAYERS]; /* numbers of r's players */
	int n;
};

/*
 * Pick the players of r from names separated by commas; others are left out.
 *
 * Returns  false with bad filled in ("policy: ...") if one comes twice
 */
bool pb_opt_players_pick(struct pb_opt_players *p, const struct pb_rules *r,
    const char *names, struct pb_error *bad);

/* Whether one of n rule sets has a player of that name. */
bool pb_opt_some_play(
    const struct pb_rules *const *rules, int n, const char *player);

/* The names of the players of n rule sets, each once: "seed, nearest, safe". */
void pb_opt_players_known(
    const struct pb_rules *const *rules, int n, char *text, size_t size);

/* The number of r's player of that name, NULL: the usual one; -1: it was said.
 */
int pb_opt_player(const struct pb_rules *r, const char *name);

/*
 * Print a rule set and its players for --list: "rules TAB summary", then
 * "rules TAB player TAB summary" for each.
 */
void pb_opt_list_rules(const struct pb_rules *r);
void pb_opt_list_all(void);
