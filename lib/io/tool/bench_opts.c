/* bench_opts.c - the command line of pb-bench: its options. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "io/stream/work.h"
#include "io/tool/benchcheck.h"

/* Rows of the table: those of all parts below. */
#define ROWS_MAX 80

static bool
defaults(struct pb_bench_opts *o)
{
	*o = (struct pb_bench_opts){.trials = 100,
	    .seed = 1,
	    .jobs = pb_work_processors(),
	    .shard = {0, 1},
	    .confidence = 0.95,
	    .plan = {.rates = {NAN, NAN},
		.width = {NAN, NAN},
		.margin = NAN,
		.split = NAN,
		.alpha = 0.05,
		.power = 0.8},
	    .constants = pb_constants_defaults(),
	    .traj = pb_trajectory_defaults()};
	o->preset.game = &o->constants.game;
	if (pb_bench_localize_init(&o->loc))
		return true;
	errno = ENOMEM;
	pb_msg_system("command line");
	return false;
}

#define ADD(to, rows) \
	(memcpy((to), (rows), sizeof(rows)), sizeof(rows) / sizeof(*(rows)))

static size_t
add_what(struct pb_bench_opts *o, struct pb_opt *to)
{
	const struct pb_opt rows[] = {
	    {"rules", 'r', PB_OPT_TEXT, "names",
		"rule sets, separated by commas; see --list", &o->rules,
		.given = &o->local},
	    {"policy", 'p', PB_OPT_TEXT, "names",
		"who plays, separated by commas; see --list", &o->players,
		.given = &o->local},
	    {"map", 'm', PB_OPT_LIST, "file",
		"play on the map in file; may be repeated", &o->maps,
		.given = &o->local},
	    {"houses", 0, PB_OPT_INT, "n",
		"play on the random houses of seeds 1 to n", &o->houses,
		.min = 1, .max = 10000, .given = &o->given[0]},
	    {"trials", 'n', PB_OPT_INT, "n",
		"trials of each player in each round", &o->trials, .min = 1,
		.max = PB_REC_TRIALS_MAX},
	    PB_OPT_SEED(&o->seed),
	    {"rounds", 0, PB_OPT_TEXT, "list",
		"rounds to play, like 1-10 (default: as --round)", &o->rounds,
		.given = &o->given[0]},
	    {"vary", 0, PB_OPT_LIST, "name=values",
		"play with each value of a constant, like lives=1,3; may be "
		"repeated",
		&o->vary, .given = &o->local},
	    {"suite", 0, PB_OPT_TEXT, "file",
		"play the experiments in file, one a line", &o->suite},
	};

	return ADD(to, rows);
}

static size_t
add_how(struct pb_bench_opts *o, struct pb_opt *to)
{
	const struct pb_opt rows[] = {
	    {"jobs", 'j', PB_OPT_INT, "n",
		"threads; the output does not depend on it", &o->jobs, .min = 1,
		.max = PB_WORK_THREADS},
	    {"shard", 0, PB_OPT_CALL, "i/n", "play part i of n of the trials",
		&o->shard, .call = pb_opt_shard},
	    {"resume", 0, PB_OPT_TEXT, "file",
		"keep results in file and play what it lacks", &o->resume},
	    {"from", 'f', PB_OPT_FLAG, NULL,
		"read result records instead of playing", &o->from},
	    {"torn-ok", 0, PB_OPT_FLAG, NULL,
		"let a gate count a file whose last line is cut", &o->torn_ok},
	};

	return ADD(to, rows);
}

static size_t
add_tests(struct pb_bench_opts *o, struct pb_opt *to)
{
	const struct pb_opt rows[] = {
	    {"baseline", 0, PB_OPT_TEXT, "file",
		"compare with the results in file", &o->baseline},
	    {"margin", 0, PB_OPT_NUM, "share",
		"exit with 4 unless success fell by less", &o->plan.margin,
		.min = 1e-6, .max = 1},
	    {"sprt", 0, PB_OPT_PAIR, "p0,p1",
		"end a round when rates are p1 or more, or p0 or less",
		&o->sprt, .min = 1e-6, .max = 0.999999, .seen = &o->has_sprt},
	    {"race", 0, PB_OPT_FLAG, NULL,
		"end a round when it is known which players are better",
		&o->seq.race},
	    {"alpha", 0, PB_OPT_NUM, "share",
		"chance of tests to see what is not there", &o->plan.alpha,
		.min = 1e-9, .max = 0.5},
	    {"power", 0, PB_OPT_NUM, "share",
		"chance of tests to see what is there", &o->plan.power,
		.min = 0.5, .max = 0.999999},
	    {"plan", 0, PB_OPT_PAIR, "p1,p2",
		"play nothing; say how many trials tell two rates apart",
		&o->plan.rates, .max = 1},
	    {"plan-width", 0, PB_OPT_PAIR, "p,half",
		"the same for an interval of half a width", &o->plan.width,
		.max = 1},
	    {"split", 0, PB_OPT_NUM, "share",
		"with --plan: of trials that one player only wins",
		&o->plan.split, .min = 1e-6, .max = 1},
	};

	return ADD(to, rows);
}

#define VALUES "none|time|pellets|score|error"

static size_t
add_paper(struct pb_bench_opts *o, struct pb_opt *to)
{
	const struct pb_opt rows[] = {
	    {"expect", 'e', PB_OPT_LIST, "bound",
		"exit with 4 unless it is kept, like success>=0.95",
		&o->expect_text},
	    {"confidence", 0, PB_OPT_NUM, "share", "of all intervals",
		&o->confidence, .min = 0.5, .max = 0.9999},
	    {"no-results", 0, PB_OPT_FLAG, NULL, "print no result records",
		&o->no_results},
	    {"table", 0, PB_OPT_FLAG, NULL,
		"print a table for people instead of records", &o->table},
	    {"wide", 0, PB_OPT_FLAG, NULL,
		"with --table: fold nothing, as wide as it comes", &o->wide},
	    {"chart", 0, PB_OPT_FLAG, NULL,
		"print bars for people instead of records", &o->chart},
	    {"tsv", 0, PB_OPT_FLAG, NULL,
		"print summaries with tabs between instead of records",
		&o->tsv},
	    {"png", 0, PB_OPT_TEXT, "file",
		"draw the success rates into a PNG file, or .svg, .pdf, .list",
		&o->png},
	    {"profile", 0, PB_OPT_NAME, VALUES,
		"draw how many trials reach what, with --table, --chart, --png",
		&o->profile, .words = VALUES},
	    {"histogram", 0, PB_OPT_NAME, VALUES,
		"draw how values are spread, with --table, --chart, --png",
		&o->histogram, .words = VALUES},
	    {"heat", 0, PB_OPT_TEXT, "file",
		"draw where the player was into a file, as --png", &o->heat},
	    {"time", 0, PB_OPT_FLAG, NULL,
		"with --table: how long decisions took", &o->time},
	    {"list", 0, PB_OPT_FLAG, NULL, "list rule sets and their players",
		&o->list_rules},
	};

	return ADD(to, rows);
}

static size_t
add_rest(struct pb_bench_opts *o, struct pb_opt *to)
{
	const struct pb_opt rows[] = {
	    PB_OPT_ROUND(&o->preset, &o->constants.game, &o->given[0]),
	    PB_OPT_TRAJECTORY(&o->traj),
	    PB_OPT_BENCH_LOCALIZE(&o->loc),
	    PB_OPT_COMMON_FILTER(&o->common),
	};

	return ADD(to, rows);
}

static int
parse(struct pb_bench_opts *o, int argc, char **argv)
{
	struct pb_opt opt[ROWS_MAX];
	size_t n = add_what(o, opt);
	struct pb_opt_group group[PB_OPT_RULES + 1 + PB_BENCH_LOCALIZE_GROUPS] =
	    {[PB_OPT_RULES] = {.title = "Trajectories",
		 .base = &o->traj.traj,
		 .with = "trajectory"}};
	struct pb_tool tool = {
	    .purpose = "play many games on all cores and sum them up",
	    .operands = "[file ...]",
	    .opt = opt,
	    .group = group,
	    .max_operands = -1,
	    .names = &o->names};
	struct pb_opt_group *traj = &group[PB_OPT_RULES];

	n += add_how(o, opt + n);
	n += add_tests(o, opt + n);
	n += add_paper(o, opt + n);
	n += add_rest(o, opt + n);
	tool.nopt = n;
	tool.ngroup =
	    PB_OPT_RULES + 1 + pb_bench_localize_groups(&o->loc, traj + 1);
	for (int i = 0; i < PB_OPT_RULES; i++) {
		group[i] = pb_constants_group(&o->constants, i);
		group[i].given = &o->given[i];
	}
	traj->given = &o->traj.given;
	traj->param = pb_traj_params(&traj->n);
	return pb_opt_parse(&tool, argc, argv);
}

int
pb_bench_opts_read(struct pb_bench_opts *o, int argc, char **argv)
{
	int first = -1;

	if (defaults(o))
		first = parse(o, argc, argv);
	if (first >= 0 && pb_bench_opts_check(o, argv + first, argc - first))
		return first;
	pb_bench_opts_clear(o);
	return -1;
}

bool
pb_bench_for_people(const struct pb_bench_opts *o)
{
	return o->table || o->chart || o->tsv;
}

void
pb_bench_opts_clear(struct pb_bench_opts *o)
{
	pb_experiments_clear(&o->list);
	pb_bench_localize_clear(&o->loc);
}
