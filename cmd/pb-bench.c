/* pb-bench - play many games on all cores: reads a map, writes results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "game/match.h"
#include "game/opts.h"
#include "game/report.h"
#include "io/bench.h"
#include "io/bench_localize.h"
#include "io/expect.h"
#include "io/file.h"
#include "io/opt_list.h"
#include "io/opt_players.h"
#include "io/opt_round.h"
#include "io/results.h"
#include "io/trajectory.h"
#include "io/work.h"
#include "view/benchpaper.h"
#include "view/render.h"
#include "view/trajectory.h"

/* Players, rounds and maps times this still fit 64 bits. */
#define TRIALS_MAX 1000000000

/* What the user wants. */
struct opts {
	const char *rules_name;
	const struct pb_rules *rules;
	const void *opts; /* of the rules */
	const char *players_text;
	struct pb_opt_players players;
	struct pb_opt_list maps;
	int houses;
	int trials;
	uint64_t seed;
	int jobs;
	struct pb_numbers rounds;
	struct pb_shard shard;
	const char *resume;
	double confidence;
	bool from;
	bool list;
	bool no_results;
	bool table;
	bool chart;
	const char *png;
	const char *heat;
	bool time;
	struct pb_notes *notes; /* one a player, owned; NULL: none */
	struct pb_maze board;   /* of the notes */
	struct pb_opt_list expect_text;
	struct pb_expect expect[PB_OPT_LIST_MAX];
	struct pb_round_opts game;
	struct pb_opt_preset preset;
	char from_preset[PB_TRIAL_NAME]; /* of all records read, or "" */
	struct pb_match_opts match;
	struct pb_roomba_opts roomba;
	struct pb_zumy_opts zumy;
	struct pb_trajectory_opts traj;
	struct pb_bench_localize loc;
	const char *given[PB_OPT_RULES]; /* an option of one, NULL: none */
	struct pb_opt_common common;
};

static void
defaults(struct opts *o)
{
	*o = (struct opts){.rules_name = "pacmanbot",
	    .trials = 100,
	    .seed = 1,
	    .jobs = pb_work_processors(),
	    .shard = {0, 1},
	    .confidence = 0.95,
	    .game = pb_round_defaults(),
	    .match = pb_match_defaults(),
	    .roomba = pb_roomba_defaults(),
	    .zumy = pb_zumy_defaults(),
	    .traj = pb_trajectory_defaults(),
	    .loc = pb_bench_localize_defaults()};
	o->preset.game = &o->game;
}

/* Read the command line; the first operand, or -1. */
static int
parse_args(struct opts *o, int argc, char **argv)
{
	const struct pb_opt opt[] = {
	    {"rules", 'r', PB_OPT_TEXT, "name", "rule set; see --list",
		&o->rules_name},
	    {"policy", 'p', PB_OPT_TEXT, "names",
		"who plays, separated by commas; see --list", &o->players_text},
	    {"map", 'm', PB_OPT_LIST, "file",
		"play on the map in file; may be repeated", &o->maps},
	    {"houses", 0, PB_OPT_INT, "n",
		"play on the random houses of seeds 1 to n", &o->houses,
		.min = 1, .max = 10000, .given = &o->given[0]},
	    {"trials", 'n', PB_OPT_INT, "n",
		"trials of each player in each round", &o->trials, .min = 1,
		.max = TRIALS_MAX},
	    PB_OPT_SEED(&o->seed),
	    {"rounds", 0, PB_OPT_CALL, "list",
		"rounds to play, like 1-10 (default: as --round)", &o->rounds,
		.call = pb_opt_numbers, .given = &o->given[0]},
	    {"jobs", 'j', PB_OPT_INT, "n",
		"threads; the output does not depend on it", &o->jobs, .min = 1,
		.max = PB_WORK_THREADS},
	    {"shard", 0, PB_OPT_CALL, "i/n", "play part i of n of the trials",
		&o->shard, .call = pb_opt_shard},
	    {"resume", 0, PB_OPT_TEXT, "file",
		"keep results in file and play what it lacks", &o->resume},
	    {"from", 'f', PB_OPT_FLAG, NULL,
		"read result records instead of playing", &o->from},
	    {"expect", 'e', PB_OPT_LIST, "bound",
		"exit with 4 unless it is kept, like success>=0.95",
		&o->expect_text},
	    {"confidence", 0, PB_OPT_NUM, "share", "of all intervals",
		&o->confidence, .min = 0.5, .max = 0.9999},
	    {"no-results", 0, PB_OPT_FLAG, NULL, "print no result records",
		&o->no_results},
	    {"table", 0, PB_OPT_FLAG, NULL,
		"print a table for people instead of records", &o->table},
	    {"chart", 0, PB_OPT_FLAG, NULL,
		"print bars for people instead of records", &o->chart},
	    {"png", 0, PB_OPT_TEXT, "file",
		"draw the success rates into a PNG file", &o->png},
	    {"heat", 0, PB_OPT_TEXT, "file",
		"draw where the player was into a PNG file", &o->heat,
		.given = &o->given[PB_OPT_PACBOT]},
	    {"time", 0, PB_OPT_FLAG, NULL,
		"with --table: how long decisions took", &o->time,
		.given = &o->given[PB_OPT_PACBOT]},
	    {"list", 0, PB_OPT_FLAG, NULL, "list rule sets and their players",
		&o->list},
	    PB_OPT_ROUND(&o->preset, &o->game, &o->given[0]),
	    PB_OPT_TRAJECTORY(&o->traj),
	    PB_OPT_BENCH_LOCALIZE(&o->loc),
	    PB_OPT_COMMON_FILTER(&o->common),
	};
	struct pb_opt_group group[PB_OPT_RULES + 3] = {
	    pb_opt_round_group(&o->game),
	    {.title = "Constants of pacbot", .base = &o->match},
	    {.title = "Constants of roomba", .base = &o->roomba},
	    {.title = "Constants of zumy", .base = &o->zumy},
	    {.title = "Trajectories", .base = &o->traj.traj},
	    pb_bench_localize_group(&o->loc), pb_bench_drive_group(&o->loc)};
	const struct pb_tool tool = {
	    .purpose = "play many games on all cores and sum them up",
	    .operands = "[file ...]",
	    .opt = opt,
	    .nopt = sizeof(opt) / sizeof(*opt),
	    .group = group,
	    .ngroup = PB_OPT_RULES + 3,
	    .max_operands = -1};
	struct pb_opt_group *traj = &group[PB_OPT_RULES];

	for (int i = 0; i < PB_OPT_RULES; i++)
		group[i].given = &o->given[i];
	group[PB_OPT_PACBOT].param = pb_match_params(&group[PB_OPT_PACBOT].n);
	group[PB_OPT_ROOMBA].param = pb_roomba_params(&group[PB_OPT_ROOMBA].n);
	group[PB_OPT_ZUMY].param = pb_zumy_params(&group[PB_OPT_ZUMY].n);
	traj->given = &o->traj.given;
	traj->param = pb_traj_params(&traj->n);
	return pb_opt_parse(&tool, argc, argv);
}

static bool
find_players(struct opts *o)
{
	const char *usual = o->rules->usual;

	return pb_opt_players(
	    &o->players, o->rules, o->players_text ? o->players_text : usual);
}

static bool
read_expects(struct opts *o)
{
	struct pb_bad bad;

	for (int i = 0; i < o->expect_text.n; i++)
		if (!pb_expect_parse(o->expect_text.arg[i], o->rules->outcome,
			&o->expect[i], &bad)) {
			pb_msg_usage("--expect: %s", bad.text);
			return false;
		}
	return true;
}

/* Trajectories are read, not played. */
static bool
check_trajectory(const struct opts *o)
{
	const char *what = NULL;

	for (int i = 0; i < PB_OPT_RULES; i++)
		if (o->given[i])
			what = o->given[i];

	if (o->maps.n || o->players_text || o->from || o->resume || o->chart ||
	    o->png || what) {
		pb_msg_usage("--trajectory plays nothing and draws no chart: "
			     "no --map, --policy, --from, --resume, --chart, "
			     "--png, constants of a game");
		return false;
	}
	for (int i = 0; i < o->expect_text.n; i++)
		if (!pb_trajectory_check(o->expect_text.arg[i]))
			return false;
	return true;
}

/* Trials of localizers: their options, and none of a game. */
static bool
find_localize(struct opts *o)
{
	for (int i = 0; i < PB_OPT_RULES; i++)
		if (o->given[i] && strcmp(o->given[i], "houses") != 0) {
			pb_msg_usage("--%s: not an option of the rules %s",
			    o->given[i], o->rules_name);
			return false;
		}
	o->rules = &pb_rules_localize;
	o->opts = &o->loc.rules;
	o->loc.rules.seed = o->seed;
	o->loc.rules.trial.near = o->traj.traj.near;
	o->loc.rules.trial.near_turn = o->traj.traj.near_turn;
	return pb_bench_localize_fits(&o->loc, o->traj.given, o->from);
}

static bool
find_rules(struct opts *o)
{
	const char *ours = o->loc.given ? o->loc.given : o->loc.simulated;
	const char *given = ours ? ours : o->traj.given;
	int rules;

	if (strcmp(o->rules_name, pb_rules_localize.name) == 0)
		return find_localize(o);
	if (given) {
		pb_msg_usage("--%s: only with %s", given,
		    ours ? "-r localize" : "--trajectory");
		return false;
	}
	rules = pb_opt_rules_find(o->rules_name);
	if (rules < 0 || !pb_opt_rules_fit(o->given, rules))
		return false;
	o->rules = pb_rules_at(rules);
	o->opts = rules == PB_OPT_ZUMY     ? (const void *)&o->zumy
	          : rules == PB_OPT_ROOMBA ? (const void *)&o->roomba
	          : rules == PB_OPT_PACBOT ? (const void *)&o->match
	                                   : &o->game;
	return true;
}

/* What no single option can tell. */
static bool
check_args(struct opts *o, int operands)
{
	const char *what = NULL, *field;

	if (o->traj.asked)
		return check_trajectory(o);
	if (!find_rules(o) || !find_players(o) || !read_expects(o))
		return false;
	if (o->rounds.n == 0)
		o->rounds = (struct pb_numbers){{o->game.round}, 1};
	if (o->from && (o->maps.n || o->houses || o->resume))
		what = "--from plays nothing: no --map, --houses, --resume";
	else if (o->from && (o->time || o->heat))
		what = "--from plays nothing: no --heat, --time";
	else if (o->time && !o->table)
		what = "--time: goes with --table";
	else if (o->heat && (o->players.n > 1 || o->maps.n + operands > 1))
		what = "--heat: expected one player on one board";
	else if (!o->from && operands && (o->maps.n || o->houses))
		what = "the map comes from options or from files, not both";
	else if (o->resume && strcmp(o->resume, "-") == 0)
		what = "--resume: expected a file, got standard input";
	if (what) {
		pb_msg_usage("%s", what);
		return false;
	}
	if (!pb_trail_fits(!o->list && !o->table && !o->chart))
		return false;
	if (pb_round_check(&o->game, &field) == PB_OK &&
	    pb_match_check(&o->match, &field) == PB_OK)
		return true;
	pb_msg_usage("--%s: out of range", field);
	return false;
}

static void
print_list(void)
{
	const struct pb_rules *r;

	for (int i = 0; (r = pb_rules_at(i)); i++)
		pb_opt_list_rules(r);
	pb_opt_list_rules(&pb_rules_localize);
}

/* Fill the tally: by playing, or from records, which name a preset. */
static bool
fill(struct opts *o, struct pb_tally *t, char **files, int n)
{
	struct pb_results in = {.tally = t, .common = &o->common};
	const struct pb_bench b = {.rules = o->rules,
	    .opts = o->opts,
	    .player = o->players.player,
	    .players = o->players.n,
	    .round = o->rounds.v,
	    .rounds = o->rounds.n,
	    .trials = (uint64_t)o->trials,
	    .seed = o->seed,
	    .shard = o->shard.i,
	    .shards = o->shard.n,
	    .threads = o->jobs,
	    .notes = o->notes,
	    .board = &o->board,
	    .map = o->maps.arg,
	    .maps = o->maps.n,
	    .houses = o->houses,
	    .file = files,
	    .files = n,
	    .results = !o->no_results && !o->table && !o->chart,
	    .resume = o->resume,
	    .preset = o->preset.name,
	    .common = &o->common};

	if (!o->from)
		return (o->rules != &pb_rules_localize ||
			   pb_bench_localize_load(&o->loc, &o->common)) &&
		       pb_bench_play(&b, t);
	if (!pb_results_read(&in, files, n))
		return false;
	snprintf(o->from_preset, sizeof(o->from_preset), "%s", in.preset);
	return true;
}

static void
report(const struct opts *o, const struct pb_tally *t)
{
	struct pb_report r;
	const struct pb_bench_paper p = {.report = &r,
	    .confidence = o->confidence,
	    .rules = o->rules,
	    .player = o->players.player,
	    .players = o->players.n,
	    .notes = o->notes,
	    .time = o->time,
	    .board = &o->board};

	if (pb_report_make(&r, t, o->confidence, o->seed) != PB_OK) {
		pb_msg_system("no memory for the summaries");
		return;
	}
	if (o->table || o->chart)
		pb_bench_people(&p, o->table, o->chart, stdout);
	else
		pb_bench_write(&r, o->confidence,
		    o->from ? o->from_preset : o->preset.name);
	if (!o->table && !o->chart && !o->common.quiet && isatty(STDERR_FILENO))
		pb_bench_people(&p, true, false, stderr);
	if (o->png != NULL)
		pb_bench_draw_rates(&p, o->png);
	if (o->heat != NULL)
		pb_bench_draw_heat(&p, o->heat);
	for (int i = 0; i < o->expect_text.n; i++)
		pb_expect_judge(&o->expect[i], &r, o->rules->outcome);
	pb_report_clear(&r);
}

int
main(int argc, char **argv)
{
	struct pb_tally *t;
	struct opts o;
	int first;

	pb_msg_start(argv[0]);
	defaults(&o);
	first = parse_args(&o, argc, argv);
	if (first < 0 || !check_args(&o, argc - first))
		return pb_msg_finish();
	if (o.list) {
		print_list();
		return pb_msg_finish();
	}
	if (o.traj.asked) {
		pb_trajectory_show(&o.traj, &o.common, &o.expect_text, o.table,
		    argv + first, argc - first);
		return pb_msg_finish();
	}
	pb_msg_catch();
	if (!pb_file_writable(o.png) || !pb_file_writable(o.heat))
		return pb_msg_finish();
	t = pb_tally_new();
	if (o.time || o.heat)
		o.notes = calloc((size_t)o.players.n, sizeof(*o.notes));
	if (!t || ((o.time || o.heat) && !o.notes))
		pb_msg_system("no memory");
	else if (fill(&o, t, argv + first, argc - first))
		report(&o, t);
	free(o.notes);
	pb_tally_free(t);
	pb_bench_localize_clear(&o.loc);
	return pb_msg_finish();
}
