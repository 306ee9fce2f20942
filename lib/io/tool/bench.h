/* bench.h - pb-bench: its command line, the trials that it plays or reads, and
 * its reports. */
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

/* A rule set with its built-in players and named programs as players; other
 * bodies may be programs, too. */
struct pb_bench_cast {
	struct pb_rules rules;
	const struct pb_player *row[PB_OPT_PLAYERS + PB_BENCH_AGENTS + 1];
	int ours; /* players of the rule set, the first in row */
	int n;    /* programs that play, behind them */
	struct pb_player own[PB_BENCH_AGENTS];
	struct pb_outside outside[PB_BENCH_AGENTS];
	struct pb_outside others; /* the other bodies' programs only */
};

struct pb_bench_agents {
	struct pb_opt_list given;
	double patience; /* for an answer (s) */
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

/* Some players under one set of constants, on every map, in every round. */
struct pb_experiment {
	const struct pb_rules *rules;
	int number;                    /* in pb_games[]; -1: localizers */
	struct pb_constants constants; /* not of localizers */
	struct pb_opt_players players;
	struct pb_numbers rounds;
	struct pb_settings_room *told; /* constants, of each player; owned */
};

/* A growing list; zeroed it is empty. */
struct pb_experiments {
	struct pb_experiment *at; /* owned */
	int n;
	size_t room;
	struct pb_opt_names vary; /* constants that do */
};

/*
 * A bound is "[PLAYER[@ROUND]:]NUMBER OP BOUND", blanks around OP allowed:
 *
 *	success>=0.95          every player, every round
 *	safe:time<=120         player safe, every round
 *	safe@10:success.lo>0.9 player safe, round 10: the interval's lower end
 *
 * NUMBER is a name that pb_summary_number() knows; OP is >=, <=, > or <.
 */
enum pb_expect_op { PB_AT_LEAST, PB_AT_MOST, PB_ABOVE, PB_BELOW };

struct pb_expect {
	const char *text;           /* as given, kept */
	char player[PB_TRIAL_NAME]; /* "" any */
	int round;                  /* 0: any */
	char number[PB_TRIAL_NAME];
	enum pb_expect_op op;
	double bound;
};

struct pb_trajectory_opts {
	bool asked;            /* --trajectory */
	const char *reference; /* file of the true poses, NULL: in the stream */
	const char *relations; /* file of known relations, NULL: none */
	double clock;          /* their time at time 0 of the poses (s), NAN:
	                          estimate it */
	const char *id;        /* of the robot */
	struct pb_traj_opts traj;

	/* Receives all records, maps too, for a picture; or NULL. */
	void (*see)(void *seer, struct pb_rec *r);
	void *seer;
};

/* Rules that are asked for, in their order; number: in pb_games[], -1: of
 * localizers. */
struct pb_bench_rules {
	const struct pb_rules *rules[PB_RULES];
	int number[PB_RULES];
	int n;
};

/* --table: a row for each player and setting, or all that is known. */
enum { PB_TABLE_ROWS = 1, PB_TABLE_ALL };

/* What the user wants. */
struct pb_bench_opts {
	/* what to play, as it was typed */
	const char *rules;
	const char *players;
	const char *rounds;
	struct pb_opt_list maps;
	struct pb_mapfile_opts pixels; /* how to read them */
	const char *world;     /* a map file, NULL: worlds are as maps are */
	struct pb_world truth; /* read from it */
	struct pb_opt_list vary;
	int houses; /* of seeds 1..houses, after the maps */
	int trials; /* of each player in each round */
	uint64_t seed;
	struct pb_constants constants;
	struct pb_weights_opt weights;
	const char *preset_name;
	struct pb_places places;
	struct pb_set set; /* a group for each rule set, ... */
	size_t first;      /* ... then these: of trajectories, localizers */
	char who[200];     /* the default players */
	struct pb_bench_localize loc;
	struct pb_bench_agents agents;

	/* what to play, as it is understood */
	struct pb_bench_rules chosen;
	struct pb_experiments list;

	/* how to play it */
	int jobs;
	struct pb_shard shard;
	const char *resume;
	bool from;

	/* what to compare with, and by what */
	struct pb_criterion by;
	const char *baseline;
	double margin; /* NAN: none */

	/* options of the report */
	double confidence;
	struct pb_opt_list expect_text;
	struct pb_expect expect[PB_OPT_LIST_MAX];
	bool no_results;
	int table; /* PB_TABLE_ROWS, ..., 0: none */
	bool csv;
	const char *png;
	const char *report; /* a page of it all */
	const char *heat;

	/* something else to do */
	bool list_rules;
	struct pb_trajectory_opts traj;

	struct pb_opt_names names; /* of all that were given */
	struct pb_opt_common common;
};

/* Options of its rules. */
const void *pb_experiment_opts(
    const struct pb_bench_opts *o, const struct pb_experiment *e);

/* Its player i, and the programs of a game that it plays; NULL: none. */
const struct pb_player *pb_experiment_player(
    const struct pb_experiment *e, int i);
const struct pb_outside *pb_experiment_programs(
    const struct pb_bench_opts *o, const struct pb_experiment *e, int i);

/*
 * Read the command line.
 *
 * Returns  number of the first operand, o for pb_bench_opts_clear; -1 if there
 *          is nothing to do, with a message if something was wrong
 */
int pb_bench_opts_read(struct pb_bench_opts *o, int argc, char **argv);
void pb_bench_opts_clear(struct pb_bench_opts *o);

/* What is better under the rules of that name, for struct pb_report_opts; opts:
 * struct pb_bench_opts. */
struct pb_criterion pb_bench_by(const void *opts, const char *rules);

/* What messages call the map of trials. */
static inline const char *
pb_bench_map(const struct pb_trial *k)
{
	return *k->map ? k->map : "without a name";
}

/* Whether something else than records is written to standard output. */
bool pb_bench_for_people(const struct pb_bench_opts *o);

/*
 * Read a bound. The rate of an outcome that did not happen is 0 if the rules
 * know it.
 *
 * Returns  true, or false with bad filled in and e untouched
 */
bool pb_expect_parse(
    const char *text, struct pb_expect *e, struct pb_error *bad);

/* The same for numbers of any kind: e->number may be any word. */
bool pb_expect_read(
    const char *text, struct pb_expect *e, struct pb_error *bad);

/* Check that r has summaries that e applies to and that all keep it; print the
 * first that does not. */
bool pb_expect_judge(const struct pb_expect *e, const struct pb_report *r);

/* "score", "score>=5000". */
void pb_by_text(struct pb_criterion by, char *out, size_t size);

/* Write the report to stdout as records, or its summaries as CSV; nothing where
 * a table is asked for. */
void pb_bench_write(const struct pb_bench_opts *o, const struct pb_report *r);

/* Print warnings about the report, and which bounds and margin it does not
 * keep. */
void pb_bench_judge(const struct pb_bench_opts *o, const struct pb_report *r);

/* The poses of one file, without true ones. */
struct pb_trial_spread {
	const char *file; /* operand, or "<stdin>" */
	struct pb_scatter scatter;
	struct pb_claims claims;
};

/* The results for the poses. */
struct pb_trajectory_found {
	bool related;  /* with known relations; else: */
	bool compared; /* with true ones: report, and the claims of trials */
	bool truth;    /* related are the true poses */
	struct pb_relations_report relations;
	struct pb_traj_report report;
	struct pb_trial_spread *trial; /* owned */
	size_t trials;
	struct pb_scatter ends; /* the last pose of each, of several */
};

/*
 * Read the poses of the streams named by operands and compare them (with a
 * reference, poses without a source are estimates), or judge them by known
 * relations, with the odometry of the streams. Without true poses, measure the
 * scatter of all poses, each file a trial.
 *
 * Returns  whether it worked; if not, a message said why; r for
 *          pb_trajectory_clear() in either case
 */
bool pb_trajectory_run(const struct pb_trajectory_opts *o,
    const struct pb_opt_common *common, char *const *files, int n,
    struct pb_trajectory_found *r);
void pb_trajectory_clear(struct pb_trajectory_found *r);

/* Write r as records to stdout. */
void pb_trajectory_write(
    const struct pb_trajectory_opts *o, const struct pb_trajectory_found *r);

/* Read a bound like "ate<=0.06"; an invalid one gets a message. */
bool pb_trajectory_check(
    const struct pb_trajectory_opts *o, const char *bound, struct pb_expect *e);

/* Check that r has the number of the bound; print it if not. */
bool pb_trajectory_has(const struct pb_expect *e, struct pb_place at,
    const struct pb_trajectory_found *r);

/*
 * Say if r does not keep it. Bounds of trials hold for each, those of places
 * apart for the ends of several.
 */
void pb_trajectory_judge(
    const struct pb_expect *e, const struct pb_trajectory_found *r);

/* Sums over games. */
struct pb_notes {
	long games;
	struct pb_heat heat;
};

/*
 * Every player plays every trial of every round: for each round, for each
 * trial, for each player. Trial i of all players has the same (seed, i), so
 * they meet the same ghost and the same luck. The order of the results and
 * the results themselves do not depend on the threads, which only read this.
 */
struct pb_trials {
	const struct pb_bench_opts *o; /* seed, trials, shard, jobs, agents */
	const struct pb_experiment *e; /* rules, players, rounds */
	const void *opts;              /* of the rules, checked */
	struct pb_ground ground;       /* named */

	/*
	 * Trials not to play again, or NULL. Where new ones are to join them
	 * in a round, the first of each player is played all the same: see
	 * whether the results are still what they were.
	 */
	const struct pb_tally *known;

	/* Sum of the heat of all games; NULL: not wanted, or the rules have
	 * none. */
	struct pb_notes *notes;

	/* Called in order; fresh: not known before. False ends the run. */
	bool (*take)(void *ctx, const struct pb_trial *r, int who, bool fresh);

	/* Called before that if a program ended the trial: why. */
	void (*failed)(void *ctx, const struct pb_trial *r, const char *why);

	/* Called some ten times a second with how many were taken. */
	bool (*pause)(void *ctx, uint64_t taken);
	void *ctx;

	/* What came of it. */
	enum pb_work_end end;
	enum pb_status status; /* why nothing could be played, else PB_OK */
	struct pb_refusal no;  /* why the options do not fit the ground */
	uint64_t taken;        /* trials handed over */
	struct pb_world_reach reach;

	/* While it lasts. */
	void *world;
	void *set;            /* the options with a round; owned */
	void **learnt;        /* of each player; owned */
	struct pb_trial *key; /* of each, all but the number; owned */
	bool mixed;           /* some of a round are known, and not the last */
};

/* How many trials of an experiment o asks for on a map, known ones included. */
uint64_t pb_trials_count(
    const struct pb_bench_opts *o, const struct pb_experiment *e);

/* Play. */
void pb_trials_run(struct pb_trials *t);

/* A run and its results. */
struct pb_bench {
	struct pb_bench_opts *o;

	/* With --from: results. For experiments without maps: boards, or
	 * streams with a map record; none: the usual board, or standard
	 * input. */
	char *const *file;
	int files;

	struct pb_tally *tally; /* gets the results; owned */
	struct pb_tally *base;  /* to compare with, NULL: nothing; owned */
	struct pb_notes *notes; /* NULL: none wanted; owned */
	struct pb_maze board;   /* the last one played on */
	const struct pb_report *report; /* of the tally, once it is made */
};

/*
 * Play all trials, or with --from read the results. Results are written in the
 * order of experiments, maps, rounds, trials, players; each result is added to
 * the tally too. A signal caught by pb_msg_catch() ends the run between two
 * results.
 *
 * Given    b  its options, files; the rest zero
 * Returns  whether there is something to tell (or keep_going); if not, why was
 *          said. b for pb_bench_clear() in any case
 */
bool pb_bench_run(struct pb_bench *b);
void pb_bench_clear(struct pb_bench *b);
