/* bench_localize.h - what pb-bench needs for trials of localizers. */
#ifndef PB_IO_BENCH_LOCALIZE_H
#define PB_IO_BENCH_LOCALIZE_H

#include <stdbool.h>

#include "io/filter.h"
#include "io/opt.h"
#include "policy/rules_localize.h"

struct pb_bench_localize {
	const char *log; /* file of the drive */
	int scans;       /* enum pb_filter_scans */
	struct pb_rules_localize_opts rules;
	struct pb_drive drive; /* read from the log */
	const char *given;     /* an option of these, NULL: none */
	const char *simulated; /* one of simulated drives */
};

struct pb_bench_localize pb_bench_localize_defaults(void);

/* Rows of pb-bench's table; b: struct pb_bench_localize *. */
#define PB_OPT_BENCH_LOCALIZE(b)                                              \
	{.name = "log",                                                       \
	    .kind = PB_OPT_TEXT,                                              \
	    .arg = "file",                                                    \
	    .help = "with -r localize: the drive, a log or records",          \
	    .to = &(b)->log,                                                  \
	    .given = &(b)->given},                                            \
	{                                                                     \
		.name = "scans", .kind = PB_OPT_NAME, .arg = PB_FILTER_SCANS, \
		.help = "take every scan of the log, or every other, from 0", \
		.to = &(b)->scans, .words = PB_FILTER_SCANS,                  \
		.given = &(b)->given                                          \
	}

/* The constants of trials and of simulated drives: groups for struct pb_tool.
 */
struct pb_opt_group pb_bench_localize_group(struct pb_bench_localize *b);
struct pb_opt_group pb_bench_drive_group(struct pb_bench_localize *b);

/*
 * Whether the options make sense; if not it was said.
 *
 * Given    trajectory  an option given of those for trajectories, or NULL:
 *                      near and near-turn are also ours
 *          from        nothing is played
 */
bool pb_bench_localize_fits(
    const struct pb_bench_localize *b, const char *trajectory, bool from);

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
