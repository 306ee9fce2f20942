/* bench_experiment.h - what a benchmark plays: one experiment after the other.
 */
#ifndef PB_IO_TOOL_BENCH_EXPERIMENT_H
#define PB_IO_TOOL_BENCH_EXPERIMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "io/opt/rules_opts.h"
#include "io/opt/opt.h"
#include "io/rec/rec.h"
#include "io/tool/bench_localize.h"

/* Some players under one set of constants, on every map, in every round. */
struct pb_experiment {
	const struct pb_rules *rules;
	int number; /* in pb_games[]; -1: localizers, with `loc` */
	struct pb_constants constants;
	struct pb_bench_localize *loc; /* of those, not owned */
	struct pb_opt_players players;
	struct pb_numbers rounds;
	uint64_t trials; /* of each player in each round */
	uint64_t seed;
	char **map; /* files; belong to the list of experiments */
	int maps;
	int houses; /* then the random houses of seeds 1..houses */
	char preset[PB_REC_WORD];
	char told[PB_TRIAL_TOLD]; /* constants, by pb_experiments_tell */
};

/* A growing list; zeroed it is empty. */
struct pb_experiments {
	struct pb_experiment *at; /* owned */
	int n;
	char ***map; /* lists of map files, owned */
	int lists;
	struct pb_bench_localize **loc; /* options of localizers, owned */
	int locs;
	struct pb_opt_names asked; /* constants that were given or vary */
};

#define PB_EXPERIMENTS_MAX 10000

/* Options of the rules, for struct pb_rules. */
const void *pb_experiment_opts(const struct pb_experiment *e);

/*
 * Add what x asks for: an experiment for each of its rules and each
 * combination of the values of its constants. Players are shared out among
 * the rules that know them; without any, each of the rules has its usual one.
 *
 * Given    usual  what x does not say: constants, trials, seed, houses; its
 *                 rules, if it has some, are taken instead of x's
 * Returns  false with bad filled in ("policy: expected ..."); then some may
 *          have been added
 */
bool pb_experiments_add(struct pb_experiments *l,
    const struct pb_rec_experiment *x, const struct pb_experiment *usual,
    struct pb_error *bad);

/*
 * Add what the experiment records in a file ("-": standard input) ask for;
 * other records are passed over.
 *
 * Returns  whether all of them were good and there was one; if not, why was
 *          said, with file, line and field
 */
bool pb_experiments_read(struct pb_experiments *l, const char *path,
    const struct pb_experiment *usual);

/*
 * Tell the constants of every experiment: those that are asked for, which all
 * of them have then with the values that count, and others that are not usual.
 *
 * Returns  whether there was room for those that are asked for
 */
bool pb_experiments_tell(struct pb_experiments *l);

void pb_experiments_clear(struct pb_experiments *l);

#endif
