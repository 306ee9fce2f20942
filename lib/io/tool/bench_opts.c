/* bench_opts.c - the command line of pb-bench: its options, and whether they go
 * together. */
#include "io/tool/bench_opts.h"

#include <math.h>
#include <string.h>

#include "io/rec/provenance.h"
#include "io/stream/file.h"
#include "io/stream/msg.h"
#include "io/stream/work.h"
#include "localize/onboard.h"
#include "policy/localize_game.h"

static const char only_localize[] = "only with -r localize";

static bool
is_localize(const struct pb_bench_opts *o)
{
	return o->rules && strcmp(o->rules, pb_game_localize.name) == 0;
}

static bool
read_expects(struct pb_bench_opts *o)
{
	struct pb_error bad;

	for (int i = 0; i < o->expect_text.n; i++)
		if (!pb_expect_parse(
			o->expect_text.arg[i], &o->expect[i], &bad))
			return pb_msg_usage("--expect: %s", bad.text);
	return true;
}

/* An option of a game, NULL: none was given. */
static const char *
game_option(const struct pb_bench_opts *o)
{
	for (int i = 0; i < PB_RULES; i++)
		if (o->given[i])
			return o->given[i];
	return NULL;
}

/* Relations need no true poses, and nothing that says how to find these. */
static bool
relations_fit(const struct pb_bench_opts *o)
{
	for (size_t i = 0; i < pb_traj_params.n; i++)
		if (pb_opt_names_have(&o->names, pb_traj_params.row[i].name))
			return pb_msg_usage("--%s: not with --relations",
			    pb_traj_params.row[i].name);
	return !o->traj.reference ||
	       pb_msg_usage("--reference: not with --relations");
}

/* Trajectories are read, not played. */
static bool
check_trajectory(struct pb_bench_opts *o)
{
	if (o->maps.n || o->players || o->from || o->resume || o->png ||
	    o->report || o->profile || o->vary.n || o->weights.files ||
	    game_option(o))
		return pb_msg_usage(
		    "--trajectory plays nothing and draws nothing: "
		    "no --map, --policy, --weights, --from, "
		    "--resume, --png, --report, --profile, --vary, constants of a game");
	if (o->wide && !o->table)
		return pb_msg_usage("--wide: goes with --table");
	if (o->traj.relations && !relations_fit(o))
		return false;
	if (!o->traj.relations && !o->traj.reference &&
	    pb_opt_names_have(&o->names, "clock"))
		return pb_msg_usage(
		    "--clock: only with --reference or --relations");
	for (int i = 0; i < o->expect_text.n; i++)
		if (!pb_trajectory_check(
			&o->traj, o->expect_text.arg[i], &o->expect[i]))
			return false;
	return pb_bench_localize_none(&o->loc, only_localize);
}

/* The first option given that is a game's and of no method, which a game may
 * have too; NULL: none. */
static const char *
of_games(const struct pb_bench_opts *o)
{
	const struct pb_localizer *m;

	for (int i = 0; i < o->names.n; i++)
		for (int k = 0; pb_games[k].game; k++)
			if (pb_opt_rules_have(k, o->names.name[i]) &&
			    !pb_onboard_row(o->names.name[i], &m))
				return o->names.name[i];
	return NULL;
}

/* Trials of localizers: their options, and none of a game. */
static bool
find_localize(struct pb_bench_opts *o, const char *map, struct pb_experiment *e)
{
	struct pb_bench_localize *b = &o->loc;
	struct pb_error bad;

	if (!pb_bench_localize_where(b, o->players, map, o->seed, &bad))
		return pb_msg_usage("--%s", bad.text);
	for (int i = 0; i < PB_RULES; i++) {
		const struct pb_localizer *m;
		const char *given = o->given[i];

		if (given && pb_onboard_row(given, &m))
			given = of_games(o);
		if (given && (b->maze || strcmp(given, "houses") != 0))
			return pb_msg_usage(
			    "--%s: not an option of the rules localize", given);
	}
	b->rules.trial.near = o->traj.traj.near;
	b->rules.trial.near_turn = o->traj.traj.near_turn;
	e->rules = &b->played.rules;
	e->number = -1;
	e->loc = b;
	return true;
}

/* Whether the options make sense where trials of localizers are. */
static bool
localize_fits(const struct pb_bench_opts *o)
{
	const struct pb_bench_localize *b = &o->loc;
	const char *traj = o->traj.given;
	bool near = traj && strcmp(traj, "near") == 0;
	struct pb_error bad;

	if (traj && !near && strcmp(traj, "near-turn") != 0)
		return pb_msg_usage("--%s: only with --trajectory", traj);
	if (b->maze && near)
		return pb_msg_usage("--near: not in mazes; see --maze-near");
	if (!pb_bench_localize_fits(b, &o->list.at[0].players, &bad))
		return pb_msg_usage("--%s", bad.text);
	if (b->log && b->simulated)
		return pb_msg_usage("--%s: not with --log", b->simulated);
	return b->log || b->scans == PB_SCANS_ALL || o->from ||
	       pb_msg_usage("--scans: only with --log");
}

/* Whether some of the rules played have each option that was given. */
static bool
options_fit(const struct pb_bench_opts *o)
{
	const char *at = o->rules ? o->rules : pb_games[0].game->name;
	char name[PB_TRIAL_NAME];
	const struct pb_rules *r;
	unsigned set = 0;

	while (pb_opt_word(&at, name, sizeof(name)) > 0)
		if ((r = pb_rules_find(name)) != NULL)
			set |= 1u << (r - pb_games);
	/* Names that nobody knows are complained about by whom they concern. */
	if (set != 0 && !pb_opt_rules_fit(o->given, set))
		return false;
	for (int i = 0; i < PB_RULES; i++)
		if (set >> i & 1 && !pb_opt_names_took(&o->names, &o->given[i]))
			return false;
	return true;
}

static bool
refuse(const struct pb_error *bad)
{
	if (bad->kind == PB_ERROR_MEMORY)
		return pb_msg_error_at((struct pb_place){0}, bad);
	return pb_msg_usage("--%s", bad->text);
}

/* Who plays: those that were named, and the programs. */
static const char *
join_agents(
    struct pb_bench_opts *o, char list[PB_BENCH_NAMES], struct pb_error *bad)
{
	const char *at = o->rules ? o->rules : pb_games[0].game->name;
	char name[PB_TRIAL_NAME];
	const struct pb_rules *r;

	while (pb_opt_word(&at, name, sizeof(name)) > 0)
		if ((r = pb_rules_find(name)) != NULL &&
		    !pb_bench_agents_rules(
			&o->agents, (int)(r - pb_games), bad))
			return NULL;
	return pb_bench_agents_join(
	    &o->agents, o->players, list, PB_BENCH_NAMES, bad);
}

static bool
list_experiments(struct pb_bench_opts *o, const struct pb_experiment *usual)
{
	static char list[PB_BENCH_NAMES];
	struct pb_bench_asked x = {
	    o->rules, o->players, o->rounds, &o->maps, &o->vary};
	struct pb_error bad;

	if (o->agents.given.n > 0 && !is_localize(o) &&
	    !(x.policy = join_agents(o, list, &bad)))
		return refuse(&bad);
	if (!is_localize(o) && !options_fit(o))
		return false;
	return pb_experiments_add(&o->list, &x, usual, &bad) || refuse(&bad);
}

static bool
tell_constants(struct pb_bench_opts *o)
{
	return pb_experiments_tell(&o->list) || pb_msg_nomem("constants");
}

static bool
find_experiments(struct pb_bench_opts *o, const char *operand)
{
	const char *map = o->maps.n ? o->maps.arg[0] : operand;
	struct pb_experiment usual = {.constants = o->constants,
	    .trials = (uint64_t)o->trials,
	    .seed = o->seed,
	    .houses = o->houses};

	if (o->preset_name)
		PB_REC_SET(usual.preset, o->preset_name);
	o->list.asked = o->names;
	o->list.agents = &o->agents;
	if (is_localize(o) && o->agents.given.n > 0)
		return pb_msg_usage(
		    "--agent: localize has methods, no players");
	if (is_localize(o))
		return find_localize(o, map, &usual) &&
		       list_experiments(o, &usual) && tell_constants(o) &&
		       localize_fits(o);
	if (!pb_bench_localize_none(&o->loc, only_localize))
		return false;
	if (o->traj.given)
		return pb_msg_usage(
		    "--%s: only with --trajectory", o->traj.given);
	return list_experiments(o, &usual) && tell_constants(o);
}

/* With --from nothing is played: what says how is refused. */
static bool
from_fits(const struct pb_bench_opts *o)
{
	static const char played[] = "games that are played, not read";
	static const char not_played[] =
	    "goes with trials that are played, not read";
	static const struct pb_opt_fit fit = {
	    "policy|weights|preset|trials|seed|jobs|shard|vary|agent|patience",
	    0, played};
	const char *constant = game_option(o);

	if (!o->from)
		return true;
	if (!constant)
		constant = o->traj.given;
	if (constant)
		return pb_msg_usage("--%s: goes with %s", constant, played);
	return pb_bench_localize_none(&o->loc, not_played) &&
	       pb_opt_names_fit(&o->names, &fit, 1, 1);
}

/* A measure, or one that is to keep a bound. */
static bool
read_by(void *to, const char *arg, struct pb_error *bad)
{
	struct pb_by by = {.sense = 0};
	struct pb_expect e = {.text = NULL};
	const char *name = arg;

	if (strpbrk(arg, "<>")) {
		if (!pb_expect_read(arg, &e, bad))
			return false;
		if (e.op != PB_AT_LEAST && e.op != PB_AT_MOST)
			return pb_error_set(
			    bad, "expected >= or <=, got \"%.80s\"", arg);
		name = e.number;
		by.sense = e.op == PB_AT_LEAST ? 1 : -1;
		by.bound = e.bound;
	}
	for (int m = 0; m < PB_MEASURES; m++)
		if (strcmp(name, pb_measure_name((enum pb_measure)m)) == 0)
			by.measure = (enum pb_measure)m;
	if (strcmp(name, pb_measure_name(by.measure)) != 0 ||
	    e.player[0] != '\0')
		return pb_error_set(bad,
		    "expected success, score, pellets, time, deaths, error, "
		    "rank or rules, got \"%.80s\"",
		    arg);
	if (by.sense != 0 &&
	    (by.measure == PB_BY_RULES || by.measure == PB_BY_RANK))
		return pb_error_set(bad, "%s has no number for a bound", name);
	*(struct pb_by *)to = by;
	return true;
}

/* What success may fall by is a share, other numbers are as they are. */
static const char *
clash_margin(struct pb_bench_opts *o)
{
	const struct pb_by *by = &o->by;

	if (isnan(o->margin))
		return NULL;
	if (!o->baseline)
		return "--margin: goes with --baseline";
	if (by->measure == PB_BY_RULES)
		o->by.measure = PB_BY_SUCCESS;
	if (by->measure == PB_BY_RANK)
		return "--margin: not --by rank, which is no number";
	if (o->margin > 1 && pb_by_is_rate(*by))
		return "--margin: expected a share, at most 1";
	return NULL;
}

/* Whether players of all rules are watched while they play. */
static bool
all_watched(const struct pb_bench_opts *o)
{
	for (size_t i = 0; i < (size_t)o->list.n; i++)
		if (o->list.at[i].rules->game->look == NULL)
			return false;
	return true;
}

/* Options that go together, or do not. */
static const char *
clash(const struct pb_bench_opts *o, int operands)
{
	static char boards[200] = "--heat: goes with ";
	size_t n = strlen(boards);

	if (o->from && (o->maps.n || o->houses || o->resume))
		return "--from plays nothing: no --map, --houses, --resume, "
		       "--suite";
	if (o->from && o->heat)
		return "--from plays nothing: no --heat";
	if (o->heat && !all_watched(o)) {
		pb_opt_rules_boards(boards + n, sizeof(boards) - n);
		return boards;
	}
	/* Notes are kept for each player, not for each experiment. */
	if (o->heat && o->list.n > 1)
		return "--heat: expected one set of constants";
	if (o->heat &&
	    (o->list.at[0].players.n > 1 || o->maps.n + operands > 1))
		return "--heat: expected one player on one board";
	if (!o->from && operands && (o->maps.n || o->houses))
		return "the map comes from options or from files, not both";
	if (o->profile && !o->png && !o->report)
		return "--profile: goes with --png or --report";
	if (o->report && strcmp(o->report, "-") == 0)
		return "--report: expected a file, got standard output";
	if (o->wide && o->csv)
		return "--wide: goes with --table";
	if (o->csv && o->table)
		return "expected one of --csv and --table";
	if (o->resume && strcmp(o->resume, "-") == 0)
		return "--resume: expected a file, got standard input";
	if (o->resume && pb_file_has_suffix(o->resume, ".gz"))
		return "--resume: lines cannot be added to a file in .gz; "
		       "compress it when it is complete";
	if (o->agents.given.n == 0 && pb_opt_names_have(&o->names, "patience"))
		return "--patience: goes with --agent";
	/* Both would read it, and the first gets all. */
	if (o->baseline && strcmp(o->baseline, "-") == 0 && o->from)
		return "--baseline: expected a file, got standard input";
	return NULL;
}

static bool
was_trained(const struct pb_player *p)
{
	return p->weights != NULL;
}

/* Whether somebody plays of whom that is true. */
static bool
plays(const struct pb_bench_opts *o, bool (*is)(const struct pb_player *p))
{
	for (int i = 0; i < o->list.n; i++)
		for (int k = 0; k < o->list.at[i].players.n; k++)
			if (is(pb_experiment_player(&o->list.at[i], k)))
				return true;
	return false;
}

/* Whether what players play by has a player. */
static bool
check_players(struct pb_bench_opts *o)
{
	if (o->from)
		return true;
	if (o->weights.files && !plays(o, was_trained))
		return pb_weights_unused(&o->weights);
	return true;
}

/*
 * Check what no single option can tell, and make the list of experiments.
 *
 * Given    files, n  the operands
 * Returns  whether all is well; if not, why was said
 */
static bool
check(struct pb_bench_opts *o, char *const *files, int n)
{
	const char *what;

	if (o->traj.asked)
		return check_trajectory(o);
	if (!read_expects(o) ||
	    !pb_weights_opt_read(&o->weights, &o->constants) ||
	    !find_experiments(o, n ? files[0] : NULL) || !check_players(o))
		return false;
	what = clash(o, n);
	if (!what)
		what = clash_margin(o);
	if (what)
		return pb_msg_usage("%s", what);
	return from_fits(o) &&
	       pb_provenance_fits(!o->list_rules && !pb_bench_for_people(o));
}

static bool
defaults(struct pb_bench_opts *o)
{
	int maps;

	*o = (struct pb_bench_opts){.trials = 100,
	    .seed = 1,
	    .jobs = pb_work_processors(),
	    .shard = {0, 1},
	    .confidence = 0.95,
	    .margin = NAN,
	    .constants = pb_constants_defaults(),
	    .agents = {.patience = 10},
	    .traj = pb_trajectory_defaults()};
	maps = pb_opt_rules_that(pb_opt_on_map);
	o->preset = (struct pb_opt_preset){pb_games[maps].game,
	    pb_constants_of(&o->constants, maps), &o->preset_name};
	if (pb_bench_localize_init(&o->loc))
		return true;
	return pb_msg_nomem("command line");
}

#define VALUES "none|time|pellets|score|error"

static int
parse(struct pb_bench_opts *o, int argc, char **argv)
{
	const struct pb_opt opt[] = {
	    {"rules", 'r', PB_OPT_TEXT, "names",
		"rule sets, separated by commas; see --list", &o->rules},
	    {"policy", 'p', PB_OPT_TEXT, "names",
		"who plays, separated by commas; see --list", &o->players},
	    PB_OPT_WEIGHTS(&o->weights),
	    PB_OPT_AGENTS(&o->agents.given, &o->agents.patience),
	    {"map", 'm', PB_OPT_LIST, "file",
		"play on the map in file; may be repeated", &o->maps},
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
		"play with each value of a constant, like lives=1,3", &o->vary},
	    {"jobs", 'j', PB_OPT_INT, "n",
		"threads; the output does not depend on it", &o->jobs, .min = 1,
		.max = PB_WORK_THREADS},
	    {"shard", 0, PB_OPT_CALL, "i/n", "play part i of n of the trials",
		&o->shard, .call = pb_opt_shard},
	    {"resume", 0, PB_OPT_TEXT, "file",
		"keep results in file and play what it lacks", &o->resume},
	    {"from", 'f', PB_OPT_FLAG, NULL,
		"read result records instead of playing", &o->from},
	    {"baseline", 0, PB_OPT_TEXT, "file",
		"compare with the results in file", &o->baseline},
	    {"margin", 0, PB_OPT_NUM, "x",
		"exit with 4 unless what is better fell by less", &o->margin,
		.min = 1e-6, .max = 1e9},
	    {"by", 0, PB_OPT_CALL, "measure",
		"what is better: score, rank, time<=60, ... (rules)", &o->by,
		.call = read_by},
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
	    {"csv", 0, PB_OPT_FLAG, NULL,
		"print summaries as CSV instead of records", &o->csv},
	    {"png", 0, PB_OPT_TEXT, "file",
		"draw success rates as PNG, .svg or .pdf", &o->png},
	    {"report", 0, PB_OPT_TEXT, "file",
		"write a page: tables, figures, replays", &o->report},
	    {"profile", 0, PB_OPT_NAME, VALUES,
		"draw how many trials reach what", &o->profile,
		.words = VALUES},
	    {"heat", 0, PB_OPT_TEXT, "file",
		"draw where the player was into a file, as --png", &o->heat},
	    {"list", 0, PB_OPT_FLAG, NULL, "list rule sets and their players",
		&o->list_rules},
	    PB_OPT_ROUND(&o->preset, &o->given[0]),
	    PB_OPT_WORLD(&o->world, &o->given[0]),
	    PB_OPT_TRAJECTORY(&o->traj),
	    PB_OPT_BENCH_LOCALIZE(&o->loc),
	    PB_OPT_COMMON_FILTER(&o->common),
	};
	struct pb_opt_group group[PB_RULES + 1 + PB_BENCH_LOCALIZE_GROUPS];
	int rules = pb_rules_count();
	struct pb_opt_group *traj = &group[rules];
	const struct pb_tool tool = {
	    "play many games on all cores and sum them up", "[file ...]", opt,
	    sizeof(opt) / sizeof(*opt), group,
	    (size_t)rules + 1 + pb_bench_localize_groups(&o->loc, traj + 1), -1,
	    &o->names};

	for (int i = 0; i < rules; i++) {
		group[i] = pb_constants_group(&o->constants, i);
		group[i].given = &o->given[i];
	}
	*traj = (struct pb_opt_group){.title = "Trajectories",
	    .params = pb_traj_params,
	    .base = &o->traj.traj,
	    .given = &o->traj.given,
	    .with = "trajectory"};
	return pb_opt_parse(&tool, argc, argv);
}

int
pb_bench_opts_read(struct pb_bench_opts *o, int argc, char **argv)
{
	int first = -1;

	if (defaults(o))
		first = parse(o, argc, argv);
	if (first >= 0 && check(o, argv + first, argc - first))
		return first;
	pb_bench_opts_clear(o);
	return -1;
}

struct pb_by
pb_bench_by(const void *opts, const char *rules)
{
	const struct pb_bench_opts *o = opts;
	const struct pb_rules *r = pb_rules_find(rules);
	struct pb_by by = o->by;

	if (by.measure == PB_BY_RULES)
		by.measure =
		    r && r->game->decides ? r->game->decides : PB_BY_SUCCESS;
	return by;
}

bool
pb_bench_for_people(const struct pb_bench_opts *o)
{
	return o->table || o->csv;
}

void
pb_bench_opts_clear(struct pb_bench_opts *o)
{
	pb_experiments_clear(&o->list);
	pb_weights_opt_clear(&o->weights);
	pb_bench_localize_clear(&o->loc);
	pb_world_clear(&o->truth);
}
