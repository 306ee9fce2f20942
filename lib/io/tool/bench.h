/* bench.h - pb-bench: command line; trials played or read; reports. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "io/file/filter.h"
#include "io/opt/rules_opts.h"
#include "io/play/program.h"
#include "io/play/weights_opt.h"
#include "io/play/world.h"
#include "io/rec/rec.h"
#include "io/stream/pace.h"
#include "io/tool/localize.h"
#include "localize/traj.h"
#include "pb/games.h"
#include "pb/report.h"
#include "pb/tally.h"

#define PB_BENCH_AGENTS 32
#define PB_BENCH_NAMES  512 /* bytes of players' names with commas */

/* A rule set whose players are the built-in ones and programs; other bodies may
 * be programs, too. */
struct pb_bench_cast {
	struct pb_rules rules;
	const struct pb_player *row[PB_OPT_PLAYERS + PB_BENCH_AGENTS + 1];
	int ours; /* built-in players, first in row */
	int n;    /* programs that play, behind them */
	struct pb_player own[PB_BENCH_AGENTS];
	struct pb_outside outside[PB_BENCH_AGENTS];
	struct pb_outside others; /* programs of other bodies only */
};

struct pb_bench_agents {
	struct pb_opt_list given;
	double patience; /* limit for an answer (s) */
	char name[PB_BENCH_AGENTS][PB_TRIAL_NAME];
	struct pb_bench_cast cast[PB_RULES];
};

struct pb_bench_localize {
	const char *log; /* file of the drive */
	int scans;       /* enum pb_filter_scans */
	struct pb_localize_game_opts rules;
	struct pb_localize_rules played;
	struct pb_drive drive;  /* read from the log */
	struct pb_ros_opts ros; /* of the log */
	struct pb_method_opts methods;
};

/* Some players with one set of constants, on all maps and in all rounds. */
struct pb_experiment {
	const struct pb_rules *rules;
	int number;                    /* index in pb_games[]; -1: localizers */
	struct pb_constants constants; /* unused by localizers */
	struct pb_opt_players players;
	struct pb_numbers rounds;
	struct pb_settings_room *settings; /* constants of each player; owned */
};

/* A growing list; zeroed it is empty. */
struct pb_experiments {
	struct pb_experiment *at; /* owned */
	int n;
	size_t room;
	struct pb_opt_names vary; /* names of varied constants */
};

/*
 * A bound is "[PLAYER[@ROUND]:]NUMBER OP BOUND"; blanks around OP are allowed:
 *
 * 	success>=0.95          every player, every round
 * 	safe:time<=120         player safe, every round
 * 	safe@10:success.lo>0.9 player safe, round 10: the interval's lower end
 *
 * NUMBER is a name that pb_summary_number() knows; OP is >=, <=, > or <.
 */
enum pb_expect_op { PB_AT_LEAST, PB_AT_MOST, PB_ABOVE, PB_BELOW };

struct pb_expect {
	const char *text;           /* as typed, not copied */
	char player[PB_TRIAL_NAME]; /* "" any */
	int round;                  /* 0: any */
	char number[PB_TRIAL_NAME];
	enum pb_expect_op op;
	double bound;
};

struct pb_trajectory_opts {
	bool asked;            /* --trajectory */
	const char *reference; /* file with true poses, NULL: in the stream */
	const char *relations; /* file of known relations, NULL: none */
	double clock; /* time of the reference at time 0 of the poses (s), NAN:
	                 estimate it */
	const char *id; /* of the robot */
	struct pb_traj_opts traj;

	/* Receives all records, also maps, for a picture; or NULL. */
	void (*see)(void *seer, struct pb_rec *r);
	void *seer;
};

/* Rule sets to be played, in order; number: index in pb_games[], -1:
 * localizers. */
struct pb_bench_rules {
	const struct pb_rules *rules[PB_RULES];
	int number[PB_RULES];
	int n;
};

/* --table: a row for each player and setting, or all measures. */
enum { PB_TABLE_ROWS = 1, PB_TABLE_ALL };

/* Options of pb-bench. */
struct pb_bench_opts {
	/* what to play, as typed */
	const char *rules;
	const char *players;
	const char *rounds;
	struct pb_opt_list maps;
	struct pb_mapfile_opts pixels; /* how to read maps */
	const char *world;     /* file of the true map, NULL: same as the map */
	struct pb_world truth; /* read from it */
	struct pb_opt_list vary;
	int houses; /* random houses of seeds 1..houses, after the maps */
	int trials; /* for each player in each round */
	uint64_t seed;
	struct pb_constants constants;
	struct pb_weights_opt weights;
	const char *preset_name;
	struct pb_places places;
	struct pb_set set; /* groups of all rule sets, ... */
	size_t first;      /* ... first of trajectories, localizers */
	char who[200];     /* the default players */
	struct pb_bench_localize loc;
	struct pb_bench_agents agents;

	/* what to play, parsed */
	struct pb_bench_rules chosen;
	struct pb_experiments list;

	/* how to play it */
	int jobs;
	struct pb_shard shard;
	const char *resume;
	bool from;

	/* what to compare, and by which measure */
	struct pb_criterion by;
	const char *baseline;
	double margin; /* NAN: none */

	/* options of the report */
	double confidence;
	struct pb_opt_list expect_text;
	struct pb_expect expect[PB_OPT_LIST_MAX];
	bool no_results;
	int table; /* enum above; 0: none */
	bool csv;
	const char *png;
	const char *report; /* HTML page with all results */
	const char *heat;

	/* other modes */
	bool list_rules;
	struct pb_trajectory_opts traj;

	struct pb_opt_names names; /* all options given */
	struct pb_opt_common common;
};

/* Options of the experiment's rule set. */
const void *pb_experiment_opts(
    const struct pb_bench_opts *o, const struct pb_experiment *e);

/* Player i of the experiment; and programs of its games, NULL: none. */
const struct pb_player *pb_experiment_player(
    const struct pb_experiment *e, int i);
const struct pb_outside *pb_experiment_programs(
    const struct pb_bench_opts *o, const struct pb_experiment *e, int i);

/*
 * Read the command line.
 *
 * Returns  index of the first operand, and o for pb_bench_opts_clear(); -1:
 *          nothing to do, with a message if the line was refused
 */
int pb_bench_opts_read(struct pb_bench_opts *o, int argc, char **argv);
void pb_bench_opts_clear(struct pb_bench_opts *o);

/* The measure by which players of that rule set are compared, for struct
 * pb_report_opts; opts: struct pb_bench_opts. */
struct pb_criterion pb_bench_by(const void *opts, const char *rules);

/* Name of the trials' map in messages. */
static inline const char *
pb_bench_map(const struct pb_trial *k)
{
	return *k->map ? k->map : "without a name";
}

/* Whether stdout gets something else than records. */
bool pb_bench_for_people(const struct pb_bench_opts *o);

/*
 * Parse a bound. An outcome of the rule set that did not happen has rate 0.
 *
 * Returns  false with bad filled in, and e untouched
 */
bool pb_expect_parse(
    const char *text, struct pb_expect *e, struct pb_error *bad);

/* Parse a bound on any number: e->number may be any word. */
bool pb_expect_read(
    const char *text, struct pb_expect *e, struct pb_error *bad);

/* Check that r has summaries for the bound e and that all keep it; print the
 * first that does not. */
bool pb_expect_judge(const struct pb_expect *e, const struct pb_report *r);

/* Write the measure: "score" or "score>=5000". */
void pb_by_text(struct pb_criterion by, char *out, size_t size);

/* Write the report to stdout: records, or summaries as CSV; nothing with
 * --table. */
void pb_bench_write(const struct pb_bench_opts *o, const struct pb_report *r);

/* Print warnings about the report, and the bounds and margins it violates. */
void pb_bench_judge(const struct pb_bench_opts *o, const struct pb_report *r);

/* Poses of one file without true poses. */
struct pb_trial_spread {
	const char *file; /* operand, or "<stdin>" */
	struct pb_scatter scatter;
	struct pb_claims claims;
};

/* Results of judging poses. */
struct pb_trajectory_found {
	bool related;  /* by known relations; otherwise: */
	bool compared; /* with true poses: report, and claims of each trial */
	bool truth;    /* the related poses are the true ones */
	struct pb_relations_report relations;
	struct pb_traj_report report;
	struct pb_trial_spread *trial; /* owned */
	size_t trials;
	struct pb_scatter ends; /* of the last poses of several files */
};

/*
 * Read the poses of the streams named by operands, and compare estimates with
 * true poses (with a reference, poses without a source are estimates), or judge
 * them by known relations and the streams' odometry. Without either, measure
 * the scatter of all poses; each file is a trial.
 *
 * Returns  false: a message was printed; r for pb_trajectory_clear() in either
 *          case
 */
bool pb_trajectory_run(const struct pb_trajectory_opts *o,
    const struct pb_opt_common *common, char *const *files, int n,
    struct pb_trajectory_found *r);
void pb_trajectory_clear(struct pb_trajectory_found *r);

/* Write r as records to stdout. */
void pb_trajectory_write(
    const struct pb_trajectory_opts *o, const struct pb_trajectory_found *r);

/* Parse a bound like "ate<=0.06". False: a message was printed. */
bool pb_trajectory_check(
    const struct pb_trajectory_opts *o, const char *bound, struct pb_expect *e);

/* Check that r has the number of the bound; print a message if not. */
bool pb_trajectory_has(const struct pb_expect *e, struct pb_place at,
    const struct pb_trajectory_found *r);

/* Print a message if r violates the bound. Bounds on the scatter of trials hold
 * for each; bounds on places for the ends of several. */
void pb_trajectory_judge(
    const struct pb_expect *e, const struct pb_trajectory_found *r);

/* Sums over all games. */
struct pb_notes {
	long games;
	struct pb_heat heat;
};

/*
 * Plays every trial of every round with every player: loops over rounds,
 * trials, players. Trial i has the same seed for all players: the same ghost
 * and random draws. Neither the results nor their order depend on the threads,
 * which only read this struct.
 */
struct pb_trials {
	const struct pb_bench_opts *o; /* seed, trials, shard, jobs, agents */
	const struct pb_experiment *e; /* rules, players, rounds */
	const void *opts;              /* of the rule set, checked */
	struct pb_ground ground;       /* with names */

	/*
	 * Trials not to be played again, or NULL. If a round gets new trials,
	 * the first known one of each player is played again, to check that
	 * results have not changed.
	 */
	const struct pb_tally *known;

	/* Sum of the heat maps of all games; NULL: not wanted, or the rule set
	 * has none. */
	struct pb_notes *notes;

	/* Called for each result in order; fresh: not known before. False ends
	 * the run. */
	bool (*take)(void *ctx, const struct pb_trial *r, int who, bool fresh);

	/* Called before `take` if a program ended the trial; why: its error. */
	void (*failed)(void *ctx, const struct pb_trial *r, const char *why);

	/* Called about ten times a second; taken: results so far. False ends
	 * the run. */
	bool (*pause)(void *ctx, uint64_t taken);
	void *ctx;

	/* Results: */
	enum pb_work_end end;
	enum pb_status status; /* why nothing could be played, else PB_OK */
	struct pb_refusal no;  /* why the options do not fit the ground */
	uint64_t taken;        /* results passed to take */
	struct pb_world_reach reach;

	/* Used during the run: */
	void *world;
	void *set;            /* options with the current round; owned */
	void **learnt;        /* by each player; owned */
	struct pb_trial *key; /* of each player, all but the number; owned */
	bool mixed; /* some trials of a round are known, the last is not */
};

/* Number of trials of an experiment on one map, known ones included. */
uint64_t pb_trials_count(
    const struct pb_bench_opts *o, const struct pb_experiment *e);

/* Play all trials. */
void pb_trials_run(struct pb_trials *t);

/* A run of pb-bench and its results. */
struct pb_bench {
	struct pb_bench_opts *o;

	/* With --from: result files. Otherwise, for experiments without maps:
	 * boards, or streams with a map; none: the default board, or stdin. */
	char *const *file;
	int files;

	struct pb_tally *tally;         /* all results; owned */
	struct pb_tally *base;          /* baseline, NULL: none; owned */
	struct pb_notes *notes;         /* NULL: not wanted; owned */
	struct pb_maze board;           /* last one played on */
	const struct pb_report *report; /* of the tally, once made */
};

/*
 * Play all trials, or read results with --from. Results are written in the
 * order of experiments, maps, rounds, trials, players, and added to the tally.
 * A signal caught by pb_msg_catch() ends the run between two results.
 *
 * Given    b  options and files set; all else zero
 *
 * Returns  whether there are results to report (or keep_going); if not, a
 *          message was printed. b for pb_bench_clear() in any case
 */
bool pb_bench_run(struct pb_bench *b);
void pb_bench_clear(struct pb_bench *b);
