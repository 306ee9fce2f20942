/* bench_opts.c - the command line of pb-bench: its options, and whether they go
 * together. */
#include "io/tool/bench_opts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/rec/rec.h"
#include "io/stream/file.h"
#include "io/stream/msg.h"
#include "io/stream/pace.h"
#include "policy/localize_game.h"

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

/* Trajectories are read, not played. */
static bool
check_trajectory(struct pb_bench_opts *o)
{
	if (o->wide && !o->table)
		return pb_msg_usage("--wide: goes with --table");
	if (o->traj.relations && o->traj.reference)
		return pb_msg_usage("--reference: not with --relations");
	if (!o->traj.relations && !o->traj.reference &&
	    pb_opt_names_have(&o->names, "clock"))
		return pb_msg_usage(
		    "--clock: only with --reference or --relations");
	for (int i = 0; i < o->expect_text.n; i++)
		if (!pb_trajectory_check(
			&o->traj, o->expect_text.arg[i], &o->expect[i]))
			return false;
	return true;
}

/* The options of trials of localizers. */
static bool
find_localize(struct pb_bench_opts *o, struct pb_experiment *e)
{
	static const char *const protocols[] = {[PB_LOC_GLOBAL] = "global",
	    [PB_LOC_TRACK] = "track",
	    [PB_LOC_KIDNAP] = "kidnap"};
	struct pb_bench_localize *b = &o->loc;

	pb_set_fact(&o->set, "protocol", protocols[b->rules.trial.protocol]);
	if (b->maze && o->houses > 0)
		return pb_msg_usage("--houses: not in mazes");
	if (b->maze && b->log)
		return pb_msg_usage("--log: not in mazes");
	if (!b->log && pb_opt_names_have(&o->names, "scans"))
		return pb_msg_usage("--scans: only with --log");
	b->rules.trial.near = o->traj.traj.near;
	b->rules.trial.near_turn = o->traj.traj.near_turn;
	e->rules = &b->played.rules;
	e->number = -1;
	e->loc = b;
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
	return pb_experiments_add(&o->list, &x, usual, &bad) || refuse(&bad);
}

static bool
tell_constants(struct pb_bench_opts *o)
{
	return pb_experiments_tell(&o->list) || pb_msg_nomem("constants");
}

/* What was set is used by some experiment. */
static bool
all_used(const struct pb_bench_opts *o)
{
	struct pb_error bad;

	for (size_t k = 0; k < o->set.groups; k++) {
		const struct pb_set_group *g = &o->set.group[k];

		for (size_t i = 0; g->chosen && i < g->params.n; i++) {
			bool used = pb_set_idle(&o->set, g, i, &bad);

			for (int e = 0; !used && e < o->list.n; e++)
				used = o->list.at[e].number == (int)k &&
				       pb_params_used(g->params,
					   pb_experiment_opts(&o->list.at[e]),
					   i, o->set.fact, o->set.facts);
			if (!used)
				return pb_msg_usage("%s", bad.text);
		}
	}
	return true;
}

static bool
find_experiments(struct pb_bench_opts *o)
{
	struct pb_experiment usual = {.constants = o->constants,
	    .trials = (uint64_t)o->trials,
	    .seed = o->seed,
	    .houses = o->houses};

	if (o->preset_name)
		PB_REC_SET(usual.preset, o->preset_name);
	o->list.set = &o->set;
	o->list.agents = &o->agents;
	return (!is_localize(o) || find_localize(o, &usual)) &&
	       list_experiments(o, &usual) && all_used(o) && tell_constants(o);
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
 * Given    n  how many operands there are
 * Returns  whether all is well; if not, why was said
 */
static bool
check(struct pb_bench_opts *o, int n)
{
	const char *what;

	if (o->traj.asked)
		return check_trajectory(o);
	if (!read_expects(o) ||
	    !pb_weights_opt_read(&o->weights, &o->constants) ||
	    !find_experiments(o) || !check_players(o))
		return false;
	what = clash(o, n);
	if (!what)
		what = clash_margin(o);
	if (what)
		return pb_msg_usage("%s", what);
	return pb_provenance_fits(!o->list_rules && !pb_bench_for_people(o));
}

static bool
defaults(struct pb_bench_opts *o)
{
	*o = (struct pb_bench_opts){.trials = 100,
	    .seed = 1,
	    .jobs = pb_work_processors(),
	    .shard = {0, 1},
	    .confidence = 0.95,
	    .margin = NAN,
	    .constants = pb_constants_defaults(),
	    .agents = {.patience = 10},
	    .traj = pb_trajectory_defaults()};
	if (pb_bench_localize_init(&o->loc))
		return true;
	return pb_msg_nomem("command line");
}

/* What options go with. */
enum { PLAY = 1, FROM = 2, TRAJECTORY = 4, LOCALIZE = 8, MAPS = 16 };
static const char *const modes[] = {"games that are played", "--from",
    "--trajectory", "-r localize", "the rules pacmanbot"};

/* Options that do not go with everything. */
static const struct {
	const char *names;
	unsigned modes;
} goes[] = {
    {"policy|map|trials|seed|jobs|shard|resume", PLAY | LOCALIZE},
    {"agent|patience|weights|vary|heat|motion|localizer|round", PLAY},
    {"houses", MAPS | LOCALIZE},
    {"rounds|preset|start|spawn-at|world", MAPS},
    {"from|png|report|profile|baseline|margin|by|no-results|csv|confidence",
	PLAY | LOCALIZE | FROM},
    {"reference|relations|clock|id", TRAJECTORY},
    {"log|topic|laser|scans", LOCALIZE},
};

static void
set_modes(struct pb_opt *opt, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < sizeof(goes) / sizeof(*goes); k++)
			if (pb_word_find(goes[k].names, opt[i].name,
				strlen(opt[i].name)) >= 0)
				opt[i].modes = goes[k].modes;
}

/* Choose the rule sets that are played, with their presets. */
static unsigned
choose_rules(struct pb_bench_opts *o)
{
	const char *at = o->rules ? o->rules : pb_games[0].game->name;
	char name[PB_TRIAL_NAME];
	const struct pb_rules *r;
	unsigned mode = PLAY;

	while (pb_opt_word(&at, name, sizeof(name)) > 0) {
		int i;

		/* Who reads the list later complains of other names. */
		if (!(r = pb_rules_find(name)))
			continue;
		i = (int)(r - pb_games);
		o->set.group[i].chosen = true;
		mode |= pb_opt_on_map(r->game) ? MAPS : 0;
		if (!o->players && o->agents.given.n == 0) {
			if (*o->who)
				pb_opt_list_add(o->who, sizeof(o->who), ",",
				    r->game->usual);
			else
				snprintf(o->who, sizeof(o->who), "%s",
				    r->game->usual);
		}
		if (r->game->preset &&
		    !pb_constants_preset(&o->constants, i, o->preset_name))
			return 0;
		pb_constants_places(&o->constants, i, &o->places);
	}
	if (o->agents.given.n == 0)
		pb_set_fact(
		    &o->set, "policy", o->players ? o->players : o->who);
	return mode;
}

static unsigned
choose(void *user, char *const *operand, int n)
{
	struct pb_bench_opts *o = user;
	const char *map = o->maps.n ? o->maps.arg[0]
	                  : n > 0   ? operand[0]
	                            : NULL;
	struct pb_error bad;

	if (o->list_rules)
		return PLAY | FROM | TRAJECTORY | LOCALIZE | MAPS;
	if (o->traj.asked) {
		o->set.group[o->first].chosen = !o->traj.relations;
		return TRAJECTORY;
	}
	if (o->from)
		return FROM;
	if (!is_localize(o))
		return choose_rules(o);
	if (!pb_bench_localize_where(&o->loc, o->players, map, o->seed, &bad))
		return pb_msg_usage("--%s", bad.text);
	pb_bench_localize_choose(&o->loc, o->players, &o->set, o->first + 1);
	return LOCALIZE;
}

#define VALUES "none|time|pellets|score|error"

static int
parse(struct pb_bench_opts *o, int argc, char **argv)
{
	const struct pb_game *maps =
	    pb_games[pb_opt_rules_that(pb_opt_on_map)].game;
	struct pb_opt opt[] = {
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
		.min = 1, .max = 10000},
	    {"trials", 'n', PB_OPT_INT, "n",
		"trials of each player in each round", &o->trials, .min = 1,
		.max = PB_REC_TRIALS_MAX},
	    PB_OPT_SEED(&o->seed),
	    {"rounds", 0, PB_OPT_TEXT, "list",
		"rounds to play, like 1-10 (default: as --round)", &o->rounds},
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
	    {"preset", 0, PB_OPT_TEXT, "name",
		"take the constants of a preset, then those set",
		&o->preset_name},
	    pb_places_opt(&o->places, maps, 0, MAPS),
	    pb_places_opt(&o->places, maps, 1, MAPS),
	    PB_OPT_WORLD(&o->world, .modes = MAPS),
	    PB_OPT_CHOOSERS(&o->set),
	    PB_OPT_SETS(&o->set),
	    PB_OPT_TRAJECTORY(&o->traj),
	    PB_OPT_BENCH_LOCALIZE(&o->loc),
	    PB_OPT_COMMON_FILTER(&o->common),
	};
	const struct pb_tool tool = {
	    .purpose = "play many games on all cores and sum them up",
	    .operands = "[file ...]",
	    .opt = opt,
	    .nopt = sizeof(opt) / sizeof(*opt),
	    .max_operands = -1,
	    .names = &o->names,
	    .set = &o->set,
	    .choose = choose,
	    .user = o,
	    .mode = modes};

	set_modes(opt, sizeof(opt) / sizeof(*opt));
	pb_constants_sets(&o->constants, &o->set);
	o->first = o->set.groups;
	pb_set_add(&o->set, (struct pb_set_group){.of = "trajectories",
				.title = "trajectories",
				.params = pb_traj_params,
				.base = &o->traj.traj});
	pb_bench_localize_sets(&o->loc, &o->traj.traj, &o->set);
	return pb_opt_parse(&tool, argc, argv);
}

int
pb_bench_opts_read(struct pb_bench_opts *o, int argc, char **argv)
{
	int first = -1;

	if (defaults(o))
		first = parse(o, argc, argv);
	if (first >= 0 && check(o, argc - first))
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
