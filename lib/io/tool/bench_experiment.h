/* bench_experiment.h - what a benchmark plays, one experiment after the other;
 * outside programs among its players; of localizers, the options and the log. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "io/file/filter.h"
#include "io/opt/opt.h"
#include "io/opt/rules_opts.h"
#include "io/play/program.h"
#include "io/rec/rec.h"
#include "io/tool/localize.h"
#include "pb/games.h"

#define PB_BENCH_AGENTS 32
#define PB_BENCH_NAMES  512 /* bytes of players' names with commas */

/*
 * A rule set whose players are its own and programs, which have the name that
 * they were given; other bodies may be programs, too, whoever plays.
 */
struct pb_bench_cast {
	struct pb_rules rules; /* its game is NULL: not made yet */
	const struct pb_player *row[PB_OPT_PLAYERS + PB_BENCH_AGENTS + 1];
	struct pb_player own[PB_BENCH_AGENTS];
	struct pb_outside outside[PB_BENCH_AGENTS];
	struct pb_outside others; /* without anybody who plays */
	bool has_others;
	int n; /* that play */
};

struct pb_bench_agents {
	struct pb_opt_list given;
	double patience; /* for an answer (s) */
	char name[PB_BENCH_AGENTS][PB_TRIAL_NAME];
	struct pb_bench_cast cast[PB_RULES];
};

/*
 * Rule set number `number` with the programs; without any, as it is.
 *
 * Returns  NULL and bad: what was given does not fit it
 */
const struct pb_rules *pb_bench_agents_rules(
    struct pb_bench_agents *a, int number, struct pb_error *bad);

/* The programs of a game of those rules that p plays; NULL: none. */
const struct pb_outside *pb_bench_agents_of(const struct pb_bench_agents *a,
    const struct pb_rules *rules, const struct pb_player *p);

/*
 * Put names (NULL: none) and the programs that are not among them into list,
 * with commas between.
 *
 * Returns  NULL and bad: there is no room
 */
const char *pb_bench_agents_join(const struct pb_bench_agents *a,
    const char *names, char *list, size_t size, struct pb_error *bad);


struct pb_bench_localize {
	const char *log; /* file of the drive */
	int scans;       /* enum pb_filter_scans */
	struct pb_localize_game_opts rules;
	struct pb_localize_rules played;
	struct pb_drive drive; /* read from the log */
	bool maze;             /* in mazes: pb_bench_localize_where() */

	struct pb_ros_opts ros; /* of the log */
	struct pb_method_opts methods;
};

/*
 * Defaults, for pb_bench_localize_clear; b is not moved from then on.
 *
 * Returns  whether there was memory
 */
bool pb_bench_localize_init(struct pb_bench_localize *b);

/* Rows of pb-bench's table; b: struct pb_bench_localize *. */
/* clang-format off */
#define PB_OPT_BENCH_LOCALIZE(b)                                            \
	{"log", 0, PB_OPT_TEXT, "file",                                     \
	    "with -r localize: the drive, a log or records",                \
	    &(b)->log},                             \
	PB_OPT_ROS(&(b)->ros, .modes = 0),                      \
	{"scans", 0, PB_OPT_NAME, PB_FILTER_SCANS,                          \
	    "take every scan of the log, or every other, from 0",           \
	    &(b)->scans, .words = PB_FILTER_SCANS}
/* clang-format on */

/* Add their constants to what --set knows; traj: what near is of. */
void pb_bench_localize_sets(
    struct pb_bench_localize *b, struct pb_traj_opts *traj, struct pb_set *s);

/* Choose those that count with these methods (NULL: the usual one) where
 * pb_bench_localize_where() says; first: number of the first group. */
void pb_bench_localize_choose(const struct pb_bench_localize *b,
    const char *methods, struct pb_set *s, size_t first);

/* Warn of more trials than the drive has stretches. */
void pb_bench_localize_doubt(
    const struct pb_bench_localize *b, uint64_t trials);

/*
 * Whether trials are in mazes, into b->maze and b->played: as the methods named
 * are for (NULL: none was), else on maps if there is a log, else as the first
 * map is (NULL: none).
 *
 * Returns  false with bad filled in if methods are for both
 */
bool pb_bench_localize_where(struct pb_bench_localize *b, const char *methods,
    const char *map, uint64_t seed, struct pb_error *bad);

/*
 * Read the log, if there is one, and check that trials can be drawn from it.
 *
 * Returns  whether it worked; if not, why was said; for
 *          pb_bench_localize_clear in either case
 */
bool pb_bench_localize_load(
    struct pb_bench_localize *b, const struct pb_opt_common *common);
void pb_bench_localize_clear(struct pb_bench_localize *b);

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
	const char *const *map; /* files, not owned */
	int maps;
	int houses; /* then the random houses of seeds 1..houses */
	char preset[PB_REC_WORD];
	struct pb_told_room told; /* constants, by pb_experiments_tell; owned */
};

/* A growing list; zeroed it is empty. */
struct pb_experiments {
	struct pb_experiment *at; /* owned */
	int n;
	size_t room;
	struct pb_opt_names vary;       /* constants that do */
	const struct pb_set *set;       /* of all constants, not owned */
	struct pb_bench_agents *agents; /* not owned, NULL: none */
};

#define PB_EXPERIMENTS_MAX 10000

/* Options of the rules, for struct pb_rules. */
const void *pb_experiment_opts(const struct pb_experiment *e);

/* Its player i. */
const struct pb_player *pb_experiment_player(
    const struct pb_experiment *e, int i);

/* What the command line asks for, as it was typed. */
struct pb_bench_asked {
	const char *rules, *policy, *rounds; /* NULL: the usual ones */
	const struct pb_opt_list *maps, *vary;
};

/*
 * Add an experiment for each of the rules and each combination of the values
 * of constants. Players are shared out among the rules that know them; without
 * any, each of the rules has its usual one.
 *
 * Given    usual  what all of them have: constants, trials, seed, houses; its
 *                 rules, if it has some, are taken instead of x's
 * Returns  false with bad filled in ("policy: expected ..."); then some may
 *          have been added
 */
bool pb_experiments_add(struct pb_experiments *l,
    const struct pb_bench_asked *x, const struct pb_experiment *usual,
    struct pb_error *bad);

/*
 * Tell the constants of every experiment: those that are asked for, which all
 * of them have then with the values that count, and others that are not usual.
 *
 * Returns  false without memory
 */
bool pb_experiments_tell(struct pb_experiments *l);

void pb_experiments_clear(struct pb_experiments *l);
