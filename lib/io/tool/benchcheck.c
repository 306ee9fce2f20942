/* benchcheck.c - whether the options of pb-bench go together. */
#include "io/tool/benchcheck.h"

#include <math.h>
#include <string.h>

#include "io/stream/file.h"
#include "io/stream/provenance.h"
#include "policy/rules_localize.h"

static const char only_localize[] = "only with -r localize";

static bool
fail(const char *what)
{
	pb_msg_usage("%s", what);
	return false;
}

static bool
is_localize(const struct pb_bench_opts *o)
{
	return o->rules && strcmp(o->rules, pb_rules_localize.name) == 0;
}

static bool
read_expects(struct pb_bench_opts *o)
{
	struct pb_bad bad;

	for (int i = 0; i < o->expect_text.n; i++)
		if (!pb_expect_parse(
			o->expect_text.arg[i], &o->expect[i], &bad)) {
			pb_msg_usage("--expect: %s", bad.text);
			return false;
		}
	return true;
}

/* An option of a game, NULL: none was given. */
static const char *
game_option(const struct pb_bench_opts *o)
{
	for (int i = 0; i < PB_OPT_RULES; i++)
		if (o->given[i])
			return o->given[i];
	return NULL;
}

/* Trajectories are read, not played. */
static bool
check_trajectory(const struct pb_bench_opts *o)
{
	if (o->maps.n || o->players || o->from || o->resume || o->chart ||
	    o->png || o->profile || o->histogram || o->suite || o->vary.n ||
	    game_option(o))
		return fail(
		    "--trajectory plays nothing and draws no chart: "
		    "no --map, --policy, --from, --resume, --chart, "
		    "--png, --profile, --histogram, --suite, --vary, constants of a game");
	if (o->wide && !o->table)
		return fail("--wide: goes with --table");
	for (int i = 0; i < o->expect_text.n; i++)
		if (!pb_trajectory_check(o->expect_text.arg[i]))
			return false;
	return pb_bench_localize_none(&o->loc, only_localize);
}

/* Trials of localizers: their options, and none of a game. */
static bool
find_localize(struct pb_bench_opts *o, const char *map, struct pb_experiment *e)
{
	if (!pb_bench_localize_place(&o->loc, o->players, map, o->given))
		return false;
	o->loc.rules.seed = o->seed;
	o->loc.rules.trial.near = o->traj.traj.near;
	o->loc.rules.trial.near_turn = o->traj.traj.near_turn;
	e->rules = o->loc.maze ? &pb_rules_localize_maze : &pb_rules_localize;
	e->number = -1;
	e->loc = &o->loc;
	return true;
}

/* name=values */
static bool
split_vary(const char *arg, struct pb_rec_constant *c)
{
	const char *equals = strchr(arg, '=');
	size_t n = equals ? (size_t)(equals - arg) : 0;

	if (n > 0 && n < sizeof(c->name) && equals[1] &&
	    strlen(equals + 1) < sizeof(c->values)) {
		memcpy(c->name, arg, n);
		c->name[n] = '\0';
		strcpy(c->values, equals + 1);
		return true;
	}
	pb_msg_usage(
	    "--vary: expected NAME=VALUE,VALUE,..., got \"%.80s\"", arg);
	return false;
}

/* Whether some of the rules played have each option that was given. */
static bool
options_fit(const struct pb_bench_opts *o)
{
	const char *at = o->rules ? o->rules : pb_opt_rules_name(0);
	char name[PB_TRIAL_NAME];
	unsigned set = 0;

	while (pb_opt_word(&at, name, sizeof(name)) > 0)
		for (int i = 0; i < PB_OPT_RULES; i++)
			if (strcmp(name, pb_opt_rules_name(i)) == 0)
				set |= 1u << i;
	/* Names that nobody knows are complained about by whom they concern. */
	if (set != 0 && !pb_opt_rules_fit(o->given, set))
		return false;
	for (int i = 0; i < PB_OPT_RULES; i++)
		if (set >> i & 1 && !pb_opt_names_took(&o->names, &o->given[i]))
			return false;
	return true;
}

static bool
refuse(const struct pb_bad *bad)
{
	static const char constants[] = "constants.";
	size_t n = sizeof(constants) - 1;
	bool vary = strncmp(bad->text, constants, n) == 0;

	if (bad->system)
		pb_msg_bad((struct pb_place){0}, bad);
	else
		pb_msg_usage(
		    "--%s%s", vary ? "vary: " : "", bad->text + vary * n);
	return false;
}

/* The command line as if it were a line of a suite. */
static bool
list_experiments(struct pb_bench_opts *o, const struct pb_experiment *usual)
{
	static struct pb_rec_constant vary[PB_OPT_LIST_MAX];
	struct pb_rec_experiment x = pb_rec_experiment_none();
	struct pb_bad bad;

	PB_REC_SET(x.rules, o->rules ? o->rules : "");
	PB_REC_SET(x.policy, o->players ? o->players : "");
	PB_REC_SET(x.rounds, o->rounds ? o->rounds : "");
	PB_REC_SET(x.preset, o->preset.name ? o->preset.name : "");
	x.map = (char **)o->maps.arg;
	x.maps = (size_t)o->maps.n;
	x.constant = vary;
	x.constants = (size_t)o->vary.n;
	if (!is_localize(o) && !options_fit(o))
		return false;
	for (int i = 0; i < o->vary.n; i++)
		if (!split_vary(o->vary.arg[i], &vary[i]))
			return false;
	return pb_experiments_add(&o->list, &x, usual, &bad) || refuse(&bad);
}

static bool
read_suite(struct pb_bench_opts *o, const struct pb_experiment *usual)
{
	const char *what = game_option(o) ? game_option(o) : o->local;

	if (!what)
		return pb_experiments_read(&o->list, o->suite, usual);
	pb_msg_usage("--%s: say it in the file of --suite", what);
	return false;
}

static bool
tell_constants(struct pb_bench_opts *o)
{
	if (pb_experiments_tell(&o->list))
		return true;
	pb_msg_usage("--%s: constants that are varied take more than %d bytes "
		     "with their values",
	    o->suite ? "suite" : "vary", PB_TRIAL_TOLD - 1);
	return false;
}

static bool
find_experiments(struct pb_bench_opts *o, const char *operand)
{
	const char *map = o->maps.n ? o->maps.arg[0] : operand;
	struct pb_experiment usual = {.constants = o->constants,
	    .trials = (uint64_t)o->trials,
	    .seed = o->seed,
	    .houses = o->houses};

	if (o->preset.name)
		PB_REC_SET(usual.preset, o->preset.name);
	o->list.asked = o->names;
	if (is_localize(o) && !o->suite)
		return find_localize(o, map, &usual) &&
		       list_experiments(o, &usual) && tell_constants(o) &&
		       pb_bench_localize_fits(&o->loc, o->traj.given,
			   &o->list.at[0].players, o->from);
	if (!pb_bench_localize_none(&o->loc, only_localize))
		return false;
	if (o->traj.given) {
		pb_msg_usage("--%s: only with --trajectory", o->traj.given);
		return false;
	}
	return (o->suite ? read_suite(o, &usual)
			 : list_experiments(o, &usual)) &&
	       tell_constants(o);
}

/* With --from nothing is played: what says how is refused. */
static bool
from_fits(const struct pb_bench_opts *o)
{
	static const char played[] = "games that are played, not read";
	static const char not_played[] =
	    "goes with trials that are played, not read";
	static const struct pb_opt_fit fits[] = {
	    {"policy", 0, played},
	    {"preset", 0, played},
	    {"trials", 0, played},
	    {"seed", 0, played},
	    {"jobs", 0, played},
	    {"shard", 0, played},
	    {"vary", 0, played},
	};
	const char *constant = game_option(o);

	if (!o->from)
		return true;
	if (!constant)
		constant = o->traj.given;
	if (constant)
		pb_msg_usage("--%s: goes with %s", constant, played);
	return !constant && pb_bench_localize_none(&o->loc, not_played) &&
	       pb_opt_names_fit(
		   &o->names, fits, sizeof(fits) / sizeof(*fits), 1);
}

/* Tests that end a round early see all trials, in order. */
static const char *
clash_tests(struct pb_bench_opts *o)
{
	bool early = o->has_sprt || o->seq.race;

	if (early && o->shard.n > 1 && !o->from)
		return "--sprt, --race: a shard does not see all trials; test "
		       "the results of all of them, with --from";
	if (early && (o->time || o->heat))
		return "--sprt, --race: not with --heat, --time";
	if (o->has_sprt && !(o->sprt[0] < o->sprt[1]))
		return "--sprt: expected P0 below P1";
	if (!isnan(o->plan.margin) && !o->baseline && isnan(o->plan.rates[0]))
		return "--margin: goes with --baseline or --plan";
	if (o->baseline && strcmp(o->baseline, "-") == 0 && o->from)
		return "--baseline: expected a file, got standard input";
	o->seq.sprt = o->has_sprt;
	o->seq.p0 = o->sprt[0];
	o->seq.p1 = o->sprt[1];
	o->seq.alpha = o->plan.alpha;
	o->seq.power = o->plan.power;
	return NULL;
}

/* Whether players of all rules are watched while they play. */
static bool
all_watched(const struct pb_bench_opts *o)
{
	for (size_t i = 0; i < (size_t)o->list.n; i++)
		if (o->list.at[i].rules->heat == NULL)
			return false;
	return true;
}

/* Options that go together, or do not. */
static const char *
clash(const struct pb_bench_opts *o, int operands)
{
	if (o->from && (o->maps.n || o->houses || o->resume || o->suite))
		return "--from plays nothing: no --map, --houses, --resume, "
		       "--suite";
	if (o->from && (o->time || o->heat))
		return "--from plays nothing: no --heat, --time";
	if (o->time && !o->table)
		return "--time: goes with --table";
	if ((o->time || o->heat) && !all_watched(o))
		return "--heat, --time: go with pacbot, roomba and zumy";
	if ((o->time || o->heat) && o->list.n > 1)
		return "--heat, --time: expected one set of constants";
	if (o->heat &&
	    (o->list.at[0].players.n > 1 || o->maps.n + operands > 1))
		return "--heat: expected one player on one board";
	if (!o->from && operands && (o->maps.n || o->houses || o->suite))
		return "the map comes from options or from files, not both";
	if (o->profile && !o->table && !o->chart && !o->png)
		return "--profile: goes with --table, --chart or --png";
	if (o->histogram && !o->table && !o->chart && !o->png)
		return "--histogram: goes with --table, --chart or --png";
	if (o->profile && o->histogram)
		return "expected one of --profile, --histogram";
	if (o->wide && !o->table && (o->tsv || o->chart))
		return "--wide: goes with --table";
	if (o->tsv && (o->table || o->chart))
		return "--tsv: not with --table, --chart";
	if (o->resume && strcmp(o->resume, "-") == 0)
		return "--resume: expected a file, got standard input";
	if (o->resume && pb_file_is_gzip(o->resume))
		return "--resume: lines cannot be added to a file in .gz; "
		       "compress it when it is complete";
	if (o->torn_ok && !o->from && !o->baseline)
		return "--torn-ok: goes with --from or --baseline";
	return NULL;
}

bool
pb_bench_opts_check(struct pb_bench_opts *o, char *const *files, int n)
{
	const char *what;

	if (o->traj.asked)
		return check_trajectory(o);
	if (!pb_plan_check(&o->plan))
		return false;
	if (!read_expects(o) || !find_experiments(o, n ? files[0] : NULL))
		return false;
	what = clash(o, n);
	if (!what)
		what = clash_tests(o);
	if (what)
		return fail(what);
	return from_fits(o) &&
	       pb_trail_fits(!o->list_rules && !pb_bench_for_people(o));
}
