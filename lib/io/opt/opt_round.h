/* opt_round.h - the options of a pacmanbot game, for every tool that plays. */
#ifndef PB_IO_OPT_OPT_ROUND_H
#define PB_IO_OPT_OPT_ROUND_H

#include "game/pacmanbot/opts.h"
#include "io/opt/opt.h"
#include "pb/games.h"

/* The argument of --preset. */
struct pb_opt_preset {
	struct pb_round_opts *game; /* becomes the preset */
	const char *name;           /* for the results; NULL: none was given */
};

/* For PB_OPT_CALL; to: struct pb_opt_preset *. */
bool pb_opt_preset(void *to, const char *arg, struct pb_error *bad);

/* Places of a game. o: struct pb_round_opts *, g: const char ** given. */
#define PB_OPT_PLACES(o, g)                                                   \
	{.name = "start",                                                     \
	    .kind = PB_OPT_POSE,                                              \
	    .arg = "x,y[,theta]",                                             \
	    .help = "where the robot starts and has its home (m, rad)",       \
	    .to = &(o)->start.x,                                              \
	    .seen = &(o)->has_start,                                          \
	    .given = (g)},                                                    \
	{                                                                     \
		.name = "spawn-at", .kind = PB_OPT_PAIR, .arg = "x,y",        \
		.help = "where Clyde appears, as if it had been clicked (m)", \
		.to = &(o)->spawn.x, .seen = &(o)->has_spawn, .given = (g)    \
	}

/* What is no plain constant: presets and places. p: struct pb_opt_preset *. */
#define PB_OPT_ROUND(p, o, g)                                           \
	{.name = "preset",                                              \
	    .kind = PB_OPT_CALL,                                        \
	    .arg = "name",                                              \
	    .help = "take the constants of a preset, then those given", \
	    .to = (p),                                                  \
	    .call = pb_opt_preset,                                      \
	    .early = true,                                              \
	    .given = (g)},                                              \
	    PB_OPT_PLACES(o, g)

/* The one that is played when nobody says. */
#define PB_OPT_PACMANBOT 0

/* The constants of rule set i, which must be one of them. */
const struct pb_param *pb_opt_rules_params(int i, size_t *n);

/* Name of rule set i, NULL past the last; its number, or -1: it was said. */
const char *pb_opt_rules_name(int i);
int pb_opt_rules_find(const char *name);

/* All names: "pacmanbot, pacbot, roomba, zumy". */
void pb_opt_rules_known(char *text, size_t size);

/* Whether rule set i has a constant of that name; some are of several. */
bool pb_opt_rules_have(int i, const char *name);

/*
 * Whether no option of other rule sets was given. If one was, it is said.
 *
 * Given    given  PB_RULES of them: the `given` of each one's options
 *          set    of the rule sets that are played: bit i for number i
 */
bool pb_opt_rules_fit(const char *const *given, unsigned set);

#endif
