/* bench_localize.h - what pb-bench needs for trials of localizers. */
#ifndef PB_IO_TOOL_BENCH_LOCALIZE_H
#define PB_IO_TOOL_BENCH_LOCALIZE_H

#include <stdbool.h>

#include "io/file/filter.h"
#include "io/opt/opt.h"
#include "io/opt/rules_opts.h"
#include "io/tool/localize.h"

/* Groups of options: trials, on maps, drives, in mazes, of each method. */
#define PB_BENCH_LOCALIZE_GROUPS (5 + PB_LOCALIZE_METHODS)

struct pb_bench_localize {
	const char *log; /* file of the drive */
	int scans;       /* enum pb_filter_scans */
	struct pb_localize_game_opts rules;
	struct pb_localize_rules played;
	struct pb_drive drive; /* read from the log */
	bool maze;             /* in mazes: pb_bench_localize_where() */

	/* An option given of these, NULL: none. */
	const char *given;     /* of all */
	const char *on_maps;   /* of trials on maps */
	const char *simulated; /* of simulated drives there */
	const char *in_mazes;
	struct pb_method_opts methods;
};

/*
 * Defaults, for pb_bench_localize_clear; b is not moved from then on.
 *
 * Returns  whether there was memory
 */
bool pb_bench_localize_init(struct pb_bench_localize *b);

/* Rows of pb-bench's table; b: struct pb_bench_localize *. */
#define PB_OPT_BENCH_LOCALIZE(b)                                              \
	{.name = "log",                                                       \
	    .kind = PB_OPT_TEXT,                                              \
	    .arg = "file",                                                    \
	    .help = "with -r localize: the drive, a log or records",          \
	    .to = &(b)->log,                                                  \
	    .given = &(b)->on_maps},                                          \
	{                                                                     \
		.name = "scans", .kind = PB_OPT_NAME, .arg = PB_FILTER_SCANS, \
		.help = "take every scan of the log, or every other, from 0", \
		.to = &(b)->scans, .words = PB_FILTER_SCANS,                  \
		.given = &(b)->on_maps                                        \
	}

/* Groups for struct pb_tool: room for PB_BENCH_LOCALIZE_GROUPS; how many. */
size_t pb_bench_localize_groups(
    struct pb_bench_localize *b, struct pb_opt_group *out);

/* Whether no option of these was given; if one was, it is said, and why not. */
bool pb_bench_localize_none(const struct pb_bench_localize *b, const char *why);

/*
 * Whether trials are in mazes, into b->maze: as the methods named are for
 * (NULL: none was), else as the options given are, else as the first map is
 * (NULL: none).
 *
 * Returns  false with bad filled in if methods are for both
 */
bool pb_bench_localize_where(struct pb_bench_localize *b, const char *methods,
    const char *map, struct pb_error *bad);

/*
 * Whether all constants given have an effect there, with these methods.
 *
 * Given    field  what they are called in a complaint: "--", "constants."
 * Returns  false with bad filled in if one has none
 */
bool pb_bench_localize_fits(const struct pb_bench_localize *b,
    const struct pb_opt_players *players, const char *field,
    struct pb_error *bad);

/*
 * Read the log, if there is one, and check that trials can be drawn from it.
 *
 * Returns  whether it worked; if not, why was said; for
 *          pb_bench_localize_clear in either case
 */
bool pb_bench_localize_load(
    struct pb_bench_localize *b, const struct pb_opt_common *common);
void pb_bench_localize_clear(struct pb_bench_localize *b);

#endif
