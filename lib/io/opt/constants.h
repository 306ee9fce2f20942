/* constants.h - the constants of every rule set, set and told by name. */
#ifndef PB_IO_OPT_CONSTANTS_H
#define PB_IO_OPT_CONSTANTS_H

#include <stdbool.h>
#include <stddef.h>

#include "io/opt/opt.h"
#include "io/opt/opt_fit.h"
#include "pb/games.h"
#include "pb/tally.h"

/* Of rule set i, see pb_rules_at(), the options struct in row i. */
struct pb_constants {
	_Alignas(double) unsigned char of[PB_RULES][PB_RULES_OPTS];
};

struct pb_constants pb_constants_defaults(void);

/* Those of one rule set, as it takes them. */
void *pb_constants_of(const struct pb_constants *c, int rules);

/* Those of one rule set as options: a group for struct pb_tool. */
struct pb_opt_group pb_constants_group(struct pb_constants *c, int rules);

/*
 * Set one by the name of its option.
 *
 * Returns  false with bad filled in if the rules have none of that name or
 *          it does not take the value
 */
bool pb_constants_set(struct pb_constants *c, int rules, const char *name,
    const char *value, struct pb_error *bad);

/* The value of p as it would be typed; size at least PB_NUM_MAX. */
void pb_constants_value(
    const struct pb_param *p, const void *base, char *out, size_t size);

/*
 * Say what is asked for, then what else differs from the defaults, or from a
 * preset (NULL: none), for people: "clyde-speed=0.3 lives=1". What does not fit
 * is left out, and " ..." says so. The round is told elsewhere.
 *
 * Given    opts   as the game takes them
 *          asked  for, by name; NULL: none
 *          out    PB_TRIAL_TOLD bytes
 * Returns  whether there was room for those that were asked for
 */
bool pb_constants_tell(const struct pb_game *g, const void *opts,
    const char *preset, const struct pb_opt_names *asked, char *out);

#endif
