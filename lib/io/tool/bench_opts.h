/* bench_opts.h - the command line of pb-bench. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "io/opt/opt.h"
#include "io/opt/rules_opts.h"
#include "io/play/weights_opt.h"
#include "io/play/world.h"
#include "io/tool/bench_experiment.h"
#include "io/tool/bench_report.h"
#include "io/tool/bench_trajectory.h"

/* What the user wants. */
struct pb_bench_opts {
	/* what to play, as it was typed */
	const char *rules;
	const char *players;
	const char *rounds;
	struct pb_opt_list maps;
	const char *world;     /* a map file, NULL: worlds are as maps are */
	struct pb_world truth; /* read from it */
	struct pb_opt_list vary;
	int houses;
	int trials;
	uint64_t seed;
	struct pb_constants constants;
	struct pb_weights_opt weights;
	const char *preset_name;
	struct pb_places places;
	struct pb_set set; /* a group for each rule set, ... */
	size_t first;      /* ... then these: of trajectories, localizers */
	char who[200];     /* the usual players, if nobody says who plays */
	struct pb_bench_localize loc;
	struct pb_bench_agents agents;

	/* what to play, as it is understood */
	struct pb_experiments list;

	/* how to play it */
	int jobs;
	struct pb_shard shard;
	const char *resume;
	bool from;

	/* what to compare with, and by what */
	struct pb_by by;
	const char *baseline;
	double margin; /* NAN: none */

	/* what to say of it */
	double confidence;
	struct pb_opt_list expect_text;
	struct pb_expect expect[PB_OPT_LIST_MAX];
	bool no_results;
	bool table;
	bool wide; /* its tables */
	bool csv;
	const char *png;
	const char *report; /* a page of it all */
	const char *heat;
	int profile; /* enum pb_value_of */

	/* something else to do */
	bool list_rules;
	struct pb_trajectory_opts traj;

	struct pb_opt_names names; /* of all that were given */
	struct pb_opt_common common;
};

/*
 * Read the command line.
 *
 * Returns  number of the first operand, o for pb_bench_opts_clear; -1 if
 *          there is nothing to do, and what was wrong was said
 */
int pb_bench_opts_read(struct pb_bench_opts *o, int argc, char **argv);
void pb_bench_opts_clear(struct pb_bench_opts *o);

/* What is better under the rules of that name, for struct pb_report_opts; opts:
 * struct pb_bench_opts. */
struct pb_by pb_bench_by(const void *opts, const char *rules);

/* Whether something else than records is written to standard output. */
bool pb_bench_for_people(const struct pb_bench_opts *o);
