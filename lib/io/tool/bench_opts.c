/* bench_opts.c - the command line of pb-bench: options, their checks, and the
 * list of experiments, with programs as players. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "io/stream/file.h"
#include "io/stream/text.h"
#include "io/tool/bench.h"
#include "policy/localize_game.h"

enum { EXPERIMENTS_MAX = 10000 };

/* Add a program as a player; the default player decides where it is not asked.
 * False: a message was printed. */
static bool
add_player(struct pb_bench_agents *a, struct pb_bench_cast *c,
    const struct pb_rules *r, const char *given)
{
	int usual = pb_rules_player(r, r->game->usual), end = c->ours + c->n;
	char name[PB_TRIAL_NAME];

	pb_agent_name(given, name, sizeof(name));
	if (c->n == PB_BENCH_AGENTS)
		return pb_msg_usage(
		    "--agent: expected at most %d that play", PB_BENCH_AGENTS);
	for (int i = 0; i < end; i++)
		if (strcmp(c->row[i]->name, name) == 0)
			return pb_msg_usage(
			    "--agent: there is a player %s", name);
	memcpy(a->name[c->n], name, sizeof(name));
	c->own[c->n] = *r->player[usual];
	c->own[c->n].name = a->name[c->n];
	c->own[c->n].summary = "a program";
	c->own[c->n].weights = NULL;
	c->outside[c->n].body[0] = given;
	c->row[end] = &c->own[c->n++];
	return true;
}

/* Collect built-in players and programs. False: a message was printed. */
static bool
fill_cast(struct pb_bench_agents *a, struct pb_bench_cast *c,
    const struct pb_rules *r)
{
	struct pb_outside *x = &c->others;
	struct pb_error why;

	for (; r->player[c->ours] && c->ours < PB_OPT_PLAYERS; c->ours++)
		c->row[c->ours] = r->player[c->ours];
	for (int i = 0; i < a->given.n; i++) {
		if (!pb_outside_add(x, r->game, a->given.arg[i], &why))
			return pb_msg_usage("--agent: %s", why.text);
		if (x->body[0] && !add_player(a, c, r, x->body[0]))
			return false;
		x->body[0] = NULL;
	}
	for (int i = 0; i < c->n; i++)
		memcpy(&c->outside[i].body[1], &x->body[1],
		    sizeof(x->body) - sizeof(*x->body));
	c->rules = (struct pb_rules){r->game, c->row};
	return true;
}

const struct pb_outside *
pb_experiment_programs(
    const struct pb_bench_opts *o, const struct pb_experiment *e, int i)
{
	const struct pb_bench_cast *c =
	    &o->agents.cast[e->number < 0 ? 0 : e->number];
	int own = e->players.player[i] - c->ours;

	if (e->rules != &c->rules)
		return NULL;
	return own >= 0                        ? &c->outside[own]
	       : pb_outside_ghosts(&c->others) ? &c->others
	                                       : NULL;
}

/* Whether name is in a list separated by commas. */
static bool
has_name(const char *names, const char *name)
{
	char word[PB_TRIAL_NAME];

	while (names && pb_opt_word(&names, word, sizeof(word)) > 0)
		if (strcmp(word, name) == 0)
			return true;
	return false;
}

/* Join names (NULL: none) and the programs not among them, with commas. False,
 * with a message: too many. */
static bool
join_names(
    const struct pb_bench_agents *a, const char *names, char *list, size_t size)
{
	size_t len = (size_t)snprintf(list, size, "%s", names ? names : "");

	for (int i = 0; i < PB_BENCH_AGENTS && *a->name[i] && len < size; i++)
		if (!has_name(names, a->name[i]))
			len += (size_t)snprintf(list + len, size - len, "%s%s",
			    len > 0 ? "," : "", a->name[i]);
	return len < size ||
	       pb_msg_usage("--policy: expected at most %zu bytes", size - 1);
}

/* Groups of add_localize_groups(), before those of methods. */
enum { PROTOCOL, NEAR, ON_MAPS, IN_MAZES, MAZE_DRIVES, METHODS };

/* Add the constants of trials of localizers to --set; traj: struct that "near"
 * belongs to. */
static void
add_localize_groups(
    struct pb_bench_localize *b, struct pb_traj_opts *traj, struct pb_set *s)
{
	const struct pb_set_group group[] = {
	    [PROTOCOL] = {.of = "localize",
		.title = "trials",
		.params = pb_loc_protocol_params,
		.base = &b->rules.trial},
	    [NEAR] = {.of = "localize",
		.title = "trials",
		.params = pb_traj_near_params,
		.base = traj},
	    [ON_MAPS] = {.of = "localize on maps",
		.title = "trials",
		.params = pb_loc_trial_params,
		.base = &b->rules.trial},
	    [IN_MAZES] = {.of = "localize in mazes",
		.title = "trials",
		.params = pb_maze_trial_params,
		.base = &b->rules.maze},
	    [MAZE_DRIVES] = {.of = "simulated drives in mazes",
		.title = "simulated drives",
		.params = pb_maze_drive_params,
		.base = &b->rules.maze.drive}};

	for (size_t i = 0; i < METHODS; i++)
		pb_set_add(s, group[i]);
	pb_method_sets(&b->methods, s);
}

/* Choose the groups that apply to these methods (NULL: the default) in maps or
 * mazes; first: index of the first group. */
static void
choose_localize_groups(const struct pb_bench_localize *b, const char *methods,
    struct pb_set *s, size_t first)
{
	struct pb_set_group *g = &s->group[first];
	const char *at = methods ? methods : b->played.rules.game->usual;
	char name[PB_TRIAL_NAME];

	g[PROTOCOL].chosen = g[NEAR].chosen = true;
	g[ON_MAPS].chosen = !b->rules.in_maze;
	g[IN_MAZES].chosen = g[MAZE_DRIVES].chosen = b->rules.in_maze;
	pb_set_fact(s, "place", b->rules.in_maze ? "maze" : "map");
	while (pb_opt_word(&at, name, sizeof(name)) > 0)
		for (int i = 0; pb_localizer_at(i); i++)
			g[METHODS + i].chosen |=
			    strcmp(pb_localizer_at(i)->name, name) == 0;
}

/*
 * Find out whether trials are in mazes, for b->rules.in_maze and b->played: by
 * the named methods (NULL: none), else on maps if there is a log, else by the
 * first map (NULL: none). False, with a message: methods for both.
 */
static bool
find_localize_place(
    struct pb_bench_localize *b, const char *methods, const char *map)
{
	const struct pb_localizer *m;
	char name[PB_TRIAL_NAME];
	unsigned places = 0;

	/* Unknown names are refused later. */
	while (methods && pb_opt_word(&methods, name, sizeof(name)) > 0)
		if ((m = pb_localizer_find(name)) &&
		    !(m->places & PB_LOC_NOWHERE))
			places |= m->places;
	if ((places & PB_LOC_ON_MAP) && (places & PB_LOC_IN_MAZE))
		return pb_msg_usage("--policy: methods for maps and methods "
				    "for mazes do not go together");
	/* The methods decide, else the log; the map is read only if neither
	 * does. */
	b->rules.in_maze = places           ? places & PB_LOC_IN_MAZE
	                   : b->log || !map ? false
	                                    : pb_world_is_maze(map);
	pb_localize_rules(&b->played, b->rules.in_maze);
	return true;
}

const void *
pb_experiment_opts(const struct pb_bench_opts *o, const struct pb_experiment *e)
{
	if (e->number < 0)
		return &o->loc.rules;
	return pb_constants_of(&e->constants, e->number);
}

const struct pb_player *
pb_experiment_player(const struct pb_experiment *e, int i)
{
	return e->rules->player[e->players.player[i]];
}

/* Check that every name is a player of some rule set. */
static bool
check_names(const struct pb_rules *const *rules, int n, const char *list)
{
	const char *at = list;
	char name[PB_TRIAL_NAME];
	struct pb_error bad;
	int got;

	while ((got = pb_opt_word(&at, name, sizeof(name))) > 0)
		if (!pb_opt_some_play(rules, n, name))
			break;
	if (got == 0)
		return true;
	if (got < 0)
		return pb_msg_usage("--policy: expected names separated by "
				    "commas, got \"%.80s\"",
		    list);
	pb_opt_no_player(rules, n, "some of ", name, &bad);
	return pb_msg_usage("--policy: %s", bad.text);
}

/* Set a constant of one experiment. */
static bool
set_constant(const struct pb_bench_opts *o, struct pb_experiment *e,
    const char *name, const char *value)
{
	struct pb_set *s = pb_alloc(1, sizeof(*s));
	struct pb_error bad;
	bool ok;

	/* Copy the groups, to set the constant in this experiment only. */
	*s = o->set;
	for (size_t k = 0; k < s->groups; k++)
		s->group[k].chosen = (int)k == e->number;
	s->group[e->number].base = pb_constants_of(&e->constants, e->number);
	ok = pb_set_value(s, name, value, &bad) ||
	     pb_msg_usage("--vary: %s", bad.text);
	free(s);
	return ok;
}

/* Reset constants without effect to their defaults, so that equal games have
 * equal hashes. False, with a message: such a constant is varied. */
static bool
settle_constants(const struct pb_bench_opts *o, struct pb_experiment *e)
{
	const struct pb_params *p = e->rules->game->params;
	const struct pb_set *s = &o->set;
	void *opts = pb_constants_of(&e->constants, e->number);
	char when[200];

	for (size_t i = 0; i < p->n; i++) {
		if (pb_params_used(*p, opts, i, s->fact, s->facts))
			continue;
		if (!pb_opt_names_have(&o->list.vary, p->row[i].name) ||
		    pb_params_unusual(*p, i, opts) != &p->row[i]) {
			pb_params_reset(*p, i, opts);
			continue;
		}
		pb_params_when(*p, i, NULL, s->options, when, sizeof(when));
		return pb_msg_usage(
		    "--vary: %s: has no effect here, only with %s",
		    p->row[i].name, when);
	}
	return true;
}

/* Record the constants that were set and have an effect for a localizer. */
static void
record_localizer(const struct pb_set *s, const char *method,
    struct pb_settings_room *settings)
{
	char name[PB_SET_NAME], value[PB_NUM_MAX];

	for (size_t k = 0; k < s->groups; k++) {
		const struct pb_set_group *g = &s->group[k];

		/* Groups of methods have the method's name as title. */
		if (!g->chosen || (pb_localizer_find(g->title) != NULL &&
				      strcmp(g->title, method) != 0))
			continue;
		for (size_t i = 0; i < g->params.n; i++) {
			if (!g->given[i])
				continue;
			pb_set_name(g, i, name);
			pb_param_value(
			    &g->params.row[i], g->base, value, sizeof(value));
			pb_settings_add(settings, name, value);
		}
	}
}

/* Check that players that need weights have them, and that given weights are
 * used. */
static bool
check_weights(const struct pb_bench_opts *o, const struct pb_experiment *e)
{
	const struct pb_game *g = e->rules->game;
	const void *opts = pb_experiment_opts(o, e);
	const struct pb_weights *w = pb_game_weights(g, opts);
	struct pb_error bad;
	bool taken = false;

	for (int i = 0; w && i < e->players.n; i++) {
		const struct pb_player *p = pb_experiment_player(e, i);

		taken |= p->weights && pb_weights_meant(p->weights, w);
	}
	for (int i = 0; i < e->players.n; i++)
		if (!pb_weights_suit(
			g, pb_experiment_player(e, i), opts, taken, &bad))
			return pb_weights_say("policy", &bad);
	return true;
}

/* Check one combination of constants and add it. */
static bool
add_experiment(struct pb_bench_opts *o, const struct pb_experiment *chosen)
{
	struct pb_experiments *l = &o->list;
	struct pb_experiment *e;
	const struct pb_game *g = chosen->rules->game;
	bool game = chosen->number >= 0;
	char why[PB_GAME_WHY];
	const char *wrong = NULL;

	if (l->n == EXPERIMENTS_MAX)
		return pb_msg_usage(
		    "--vary: expected at most %d combinations, got more",
		    EXPERIMENTS_MAX);
	if (!pb_grow(&l->at, (size_t)l->n, &l->room, sizeof(*l->at)))
		pb_msg_end_memory();
	e = &l->at[l->n];
	*e = *chosen;
	if (game && !settle_constants(o, e))
		return false;
	if (game)
		wrong = pb_game_check(g, pb_experiment_opts(o, e), why);
	if (wrong)
		return pb_msg_usage("--%s%s: %s",
		    pb_params_find(*g->params, wrong) ? "set: " : "", wrong,
		    why);
	if (game && !check_weights(o, e))
		return false;
	if (e->rounds.n == 0)
		e->rounds = (struct pb_numbers){
		    {game ? pb_game_round(g, pb_experiment_opts(o, e)) : 1}, 1};
	l->n++;
	return true;
}

/* Add all combinations of the i-th and later lists of values. */
static bool
add_combinations(struct pb_bench_opts *o, int i, const struct pb_experiment *e)
{
	struct pb_experiment *next;
	bool ok = true;
	char name[PB_OPT_NAME_MAX], value[PB_REC_WORD];
	const char *arg = o->vary.arg[i], *at;
	size_t n;
	int got = 0;

	if (i == o->vary.n)
		return add_experiment(o, e);
	n = strcspn(arg, "=");
	at = arg + n + 1;
	if (n == 0 || n >= sizeof(name) || !arg[n] || !*at)
		return pb_msg_usage("--vary: expected "
				    "NAME=VALUE,VALUE,..., got \"%.80s\"",
		    arg);
	snprintf(name, sizeof(name), "%.*s", (int)n, arg);
	for (int k = 0; k < i; k++)
		if (strncmp(o->vary.arg[k], arg, n + 1) == 0)
			return pb_msg_usage("--vary: %s: given twice; list "
					    "all values in one --vary",
			    name);
	pb_opt_names_add(&o->list.vary, name);
	if (e->number < 0)
		return pb_msg_usage(
		    "--vary: %s: trials of localizers do not vary", name);
	if (strcmp(name, "round") == 0)
		return pb_msg_usage("--vary: %s: not a constant to vary", name);
	next = pb_alloc(1, sizeof(*next));
	while (ok && (got = pb_opt_word(&at, value, sizeof(value))) > 0) {
		*next = *e;
		ok = set_constant(o, next, name, value) &&
		     add_combinations(o, i + 1, next);
	}
	free(next);
	if (!ok)
		return false;
	return got == 0 ||
	       pb_msg_usage("--vary: %s: expected values, got \"%.80s\"", name,
		   arg + n + 1);
}

/* Parse the list of --rules. False: a message was printed. */
static bool
find_rules(struct pb_bench_rules *c, const char *list)
{
	const char *at = list;
	char name[PB_TRIAL_NAME] = "", known[200];
	struct pb_suggest near;
	int got;

	while ((got = pb_opt_word(&at, name, sizeof(name))) > 0) {
		const struct pb_rules *r = pb_rules_find(name);
		int k = 0;

		while (k < c->n && c->rules[k] != r)
			k++;
		if (!r || k < c->n)
			break;
		c->number[c->n] = (int)(r - pb_games);
		c->rules[c->n++] = r;
	}
	near = pb_suggest_for(got > 0 ? name : list);
	pb_opt_rules_known(known, sizeof(known));
	pb_suggest_try(&near, known);
	pb_suggest_try(&near, "localize");
	/* A name was given twice. */
	return got == 0 ||
	       pb_msg_usage("--rules: expected some of %s, none twice, or "
			    "localize, got \"%.80s\"%s",
		   known, list,
		   near.distance > 0 ? pb_suggest_text(&near) : "");
}

/* Pick the players of r from names separated by commas. */
static bool
pick_players(
    struct pb_opt_players *p, const struct pb_rules *r, const char *names)
{
	const char *at = names;
	char name[PB_TRIAL_NAME];

	while (pb_opt_word(&at, name, sizeof(name)) > 0) {
		int who = pb_rules_player(r, name);

		if (who < 0 || p->n == PB_OPT_PLAYERS)
			continue;
		for (int i = 0; i < p->n; i++)
			if (p->player[i] == who)
				return pb_msg_usage(
				    "--policy: %s is named twice", name);
		p->player[p->n++] = who;
	}
	return p->n > 0 ||
	       pb_msg_usage(
		   "--policy: expected a player of %s too, got \"%.80s\"",
		   r->game->name, names);
}

/*
 * Add an experiment for each of the rules and each combination of the values of
 * constants. Each player goes to the rule sets that have it; without names,
 * each rule set gets its default player.
 *
 * Given    policy  the players, NULL: the default ones
 * Returns  false: a message was printed; some may have been added
 */
static bool
add_experiments(struct pb_bench_opts *o, const char *policy)
{
	const struct pb_bench_rules *c = &o->chosen;
	struct pb_numbers rounds = {.n = 0};
	struct pb_experiment *e;
	struct pb_error why;
	bool ok = true;

	if (!check_names(c->rules, c->n, policy))
		return false;
	if (o->rounds && !pb_opt_numbers(&rounds, o->rounds, &why))
		return pb_msg_usage("--rounds: %s", why.text);
	e = pb_alloc(1, sizeof(*e));
	for (int i = 0; ok && i < c->n; i++) {
		const struct pb_game *g = c->rules[i]->game;

		e->rules = c->rules[i];
		e->number = c->number[i];
		e->constants = o->constants;
		e->rounds = rounds;
		e->players.n = 0;
		ok = pick_players(
		    &e->players, e->rules, policy ? policy : g->usual);
		if (ok && g->board != NULL && o->houses && c->n == 1)
			ok = pb_msg_usage(
			    "--houses: not an option of %s", g->name);
		ok = ok && add_combinations(o, 0, e);
	}
	free(e);
	return ok;
}

/* Record the constants with an effect for player i of an experiment: those of
 * --set and --vary, and others that differ from their defaults. */
static void
record_player(
    const struct pb_bench_opts *o, const struct pb_experiment *e, int i)
{
	const char *player = pb_experiment_player(e, i)->name;
	const struct pb_outside *x = pb_experiment_programs(o, e, i);
	const struct pb_set_group *g;
	struct pb_opt_names asked = o->list.vary;

	if (e->number < 0) {
		record_localizer(&o->set, player, &e->settings[i]);
		return;
	}
	if (x && x->body[0])
		player = "";
	g = &o->set.group[e->number];
	for (size_t k = 0; k < g->params.n; k++)
		if (g->given[k])
			pb_opt_names_add(&asked, g->params.row[k].name);
	pb_constants_tell(e->rules->game, pb_experiment_opts(o, e), player,
	    o->preset_name, &asked, &e->settings[i]);
}

/* Whether player i of e would play the same games as in one of the first n
 * experiments. */
static bool
plays_again(
    const struct pb_experiment *e, int i, const struct pb_experiment *x, int n)
{
	const struct pb_settings settings = {
	    e->settings[i].at, e->settings[i].n};

	for (; n > 0; n--, x++)
		for (int k = 0; x->rules == e->rules && k < x->players.n; k++)
			if (x->players.player[k] == e->players.player[i] &&
			    pb_settings_equal(settings,
				(struct pb_settings){
				    x->settings[k].at, x->settings[k].n}))
				return true;
	return false;
}

/*
 * Record the constants of all players of all experiments. A player for which
 * the varied constants have no effect would play the same games again, and is
 * removed.
 */
static void
record_constants(struct pb_bench_opts *o)
{
	int n = o->list.n;

	o->list.n = 0;
	for (int i = 0; i < n; i++) {
		struct pb_experiment *e = &o->list.at[o->list.n];
		int kept = 0;

		*e = o->list.at[i];
		e->settings =
		    pb_alloc((size_t)e->players.n, sizeof(*e->settings));
		for (int k = 0; k < e->players.n; k++) {
			record_player(o, e, k);
			if (plays_again(e, k, o->list.at, o->list.n)) {
				free(e->settings[k].at);
				continue;
			}
			e->settings[kept] = e->settings[k];
			e->players.player[kept++] = e->players.player[k];
		}
		e->players.n = kept;
		if (kept > 0)
			o->list.n++;
		else
			free(e->settings);
	}
}

static bool
is_localize(const struct pb_bench_opts *o)
{
	return o->rules && strcmp(o->rules, pb_game_localize.name) == 0;
}

/* Check the options of --trajectory. */
static bool
check_trajectory(struct pb_bench_opts *o)
{
	if (o->traj.relations && o->traj.reference)
		return pb_msg_usage("--reference: not with --relations");
	if (!o->traj.relations && !o->traj.reference &&
	    pb_opt_names_have(&o->names, "clock"))
		return pb_msg_usage(
		    "--clock: only with --reference or --relations");
	if (o->traj.relations && isnan(o->traj.clock))
		return pb_msg_usage("--clock auto: not with --relations");
	for (int i = 0; i < o->expect_text.n; i++)
		if (!pb_trajectory_check(
			&o->traj, o->expect_text.arg[i], &o->expect[i]))
			return false;
	return true;
}

/* Check the options of trials of localizers. */
static bool
check_localize(struct pb_bench_opts *o)
{
	struct pb_bench_localize *b = &o->loc;

	pb_set_fact(
	    &o->set, "protocol", pb_loc_protocols[b->rules.trial.protocol]);
	if (b->rules.in_maze && b->log)
		return pb_msg_usage("--log: not in mazes");
	if (!b->log && pb_opt_names_have(&o->names, "scans"))
		return pb_msg_usage("--scans: only with --log");
	if (!b->rules.in_maze && !b->log)
		return pb_msg_usage(
		    "-r localize: expected --log FILE, a drive on the map; "
		    "pb-sim --sensors lidar,odom -p seed -m MAP writes one");
	b->rules.trial.near = o->traj.traj.near;
	b->rules.trial.near_turn = o->traj.traj.near_turn;
	return true;
}

/* List the experiments: the named players and the programs. */
static bool
list_experiments(struct pb_bench_opts *o)
{
	static char list[PB_BENCH_NAMES];
	struct pb_bench_agents *a = &o->agents;
	struct pb_bench_rules *c = &o->chosen;

	if (a->given.n == 0 || is_localize(o))
		return add_experiments(o, o->players);
	for (int i = 0; i < c->n; i++) {
		struct pb_bench_cast *cast = &a->cast[c->number[i]];

		if (!fill_cast(a, cast, c->rules[i]))
			return false;
		c->rules[i] = &cast->rules;
	}
	return join_names(a, o->players, list, sizeof(list)) &&
	       add_experiments(o, list);
}

/* Check that each constant set is used by some experiment. */
static bool
check_all_used(const struct pb_bench_opts *o)
{
	struct pb_error bad;

	for (size_t k = 0; k < o->set.groups; k++) {
		const struct pb_set_group *g = &o->set.group[k];

		for (size_t i = 0; g->chosen && i < g->params.n; i++) {
			bool used = pb_set_idle(&o->set, g, i, &bad);

			for (int e = 0; !used && e < o->list.n; e++)
				used =
				    o->list.at[e].number == (int)k &&
				    pb_params_used(g->params,
					pb_experiment_opts(o, &o->list.at[e]),
					i, o->set.fact, o->set.facts);
			if (!used)
				return pb_msg_usage("%s", bad.text);
		}
	}
	return true;
}

/* Parse a difference of clocks; NAN: to be estimated. */
static bool
read_clock(void *to, const char *arg, struct pb_error *bad)
{
	double v = NAN;

	if (strcmp(arg, "auto") != 0 &&
	    (!pb_num_parse(arg, &v) || !(fabs(v) <= 1e12)))
		return pb_error_set(bad,
		    "expected a number from -1e+12 to 1e+12 or auto, got "
		    "\"%.80s\"",
		    arg);
	*(double *)to = v;
	return true;
}

/* Parse a measure, or a measure with a bound. */
static bool
read_by(void *to, const char *arg, struct pb_error *bad)
{
	struct pb_criterion by = {.sense = 0};
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
	*(struct pb_criterion *)to = by;
	return true;
}

/* Check --margin: a share for success, for other measures any number. */
static const char *
check_margin(struct pb_bench_opts *o)
{
	const struct pb_criterion *by = &o->by;

	if (isnan(o->margin))
		return NULL;
	if (!o->baseline)
		return "--margin: only with --baseline";
	if (by->measure == PB_BY_RULES)
		o->by.measure = PB_BY_SUCCESS;
	if (by->measure == PB_BY_RANK)
		return "--margin: not --by rank, which is no number";
	if (o->margin > 1 && pb_criterion_is_rate(*by))
		return "--margin: expected a share, at most 1";
	return NULL;
}

/* Returns what is wrong with a combination of options, NULL: nothing. */
static const char *
find_clash(const struct pb_bench_opts *o, int operands)
{
	static char boards[200] = "--heat: only with ";
	size_t n = strlen(boards);

	/* Rule sets on maps count no visits. */
	for (int i = 0; o->heat && i < o->list.n; i++)
		if (o->list.at[i].rules->game->on_board == NULL) {
			pb_opt_rules_boards(boards + n, sizeof(boards) - n);
			return boards;
		}
	/* One picture shows one player with one set of constants. */
	if (o->heat && o->list.n > 1)
		return "--heat: expected one set of constants";
	if (o->heat &&
	    (o->list.at[0].players.n > 1 || o->maps.n + operands > 1))
		return "--heat: expected one player on one board";
	if (!o->from && operands && (o->maps.n || o->houses))
		return "the map comes from options or from files, not both";
	if (o->from && !o->report && (o->maps.n || o->weights.files))
		return "--map, --weights: with --from, only for --report";
	if (o->report && strcmp(o->report, "-") == 0)
		return "--report: expected a file, got standard output";
	if (o->csv && o->table)
		return "expected one of --csv and --table";
	if (o->resume && strcmp(o->resume, "-") == 0)
		return "--resume: expected a file, got standard input";
	if (o->resume && pb_file_has_suffix(o->resume, ".gz"))
		return "--resume: lines cannot be added to a file in .gz; "
		       "compress it when it is complete";
	if (o->agents.given.n == 0 && pb_opt_names_have(&o->names, "patience"))
		return "--patience: only with --agent";
	/* Both cannot read standard input. */
	if (o->baseline && strcmp(o->baseline, "-") == 0 && o->from)
		return "--baseline: expected a file, got standard input";
	return NULL;
}

/*
 * Check combinations of options, and make the list of experiments.
 *
 * Given    n  number of operands
 *
 * Returns  false: a message was printed
 */
static bool
check_opts(struct pb_bench_opts *o, int n)
{
	struct pb_error bad;
	const char *what;
	bool weights = false;

	if (o->traj.asked)
		return check_trajectory(o);
	for (int i = 0; i < o->expect_text.n; i++)
		if (!pb_expect_parse(
			o->expect_text.arg[i], &o->expect[i], &bad))
			return pb_msg_usage("--expect: %s", bad.text);
	if (!pb_weights_opt_read(&o->weights, &o->constants) ||
	    (is_localize(o) && !check_localize(o)) || !list_experiments(o) ||
	    !check_all_used(o))
		return false;
	record_constants(o);
	for (int i = 0; i < o->list.n; i++)
		for (int k = 0; k < o->list.at[i].players.n; k++)
			weights |=
			    pb_experiment_player(&o->list.at[i], k)->weights !=
			    NULL;
	/* At least one player must use the weights. */
	if (o->weights.files && !o->from && !weights &&
	    !pb_weights_unused(&o->weights))
		return false;
	if (!pb_mapfile_opts_fit(&o->pixels,
		o->maps.n > 0 ? o->maps.arg[0] : NULL, "with --map"))
		return false;
	what = find_clash(o, n);
	if (!what)
		what = check_margin(o);
	if (what)
		return pb_msg_usage("%s", what);
	return pb_provenance_fits(!o->list_rules && !pb_bench_for_people(o));
}

/* Set defaults; end with pb_bench_opts_clear(). o must not move from then
 * on. */
static void
set_defaults(struct pb_bench_opts *o)
{
	*o = (struct pb_bench_opts){.trials = 100,
	    .seed = 1,
	    .jobs = pb_work_processors(),
	    .shard = {0, 1},
	    .confidence = 0.95,
	    .margin = NAN,
	    .constants = pb_constants_defaults(),
	    .pixels = pb_mapfile_defaults(),
	    .agents = {.patience = 10},
	    .loc = {.ros = {.reader = PB_ROS_READER},
		.rules = {.trial = pb_loc_trial_defaults(),
		    .maze = pb_maze_trial_defaults()}},
	    .traj = {.id = "robot", .traj = pb_traj_defaults()}};
	pb_method_opts_init(&o->loc.methods);
	for (int i = 0; i < PB_LOCALIZE_METHODS; i++)
		o->loc.rules.constants[i] = o->loc.methods.constants[i];
}

/* Modes that options go with. */
enum { PLAY = 1, FROM = 2, TRAJECTORY = 4, LOCALIZE = 8, MAPS = 16 };
static const char *const mode_names[] = {"games that are played", "--from",
    "--trajectory", "-r localize", "the rules pacmanbot"};

/* Options that go with some modes only. */
static const struct {
	const char *names;
	unsigned modes;
} option_modes[] = {
    {"policy|trials|seed|jobs|shard|resume", PLAY | LOCALIZE},
    {"map", PLAY | LOCALIZE | FROM},
    {"weights", PLAY | FROM},
    {"agent|patience|vary|heat|motion|localizer|round", PLAY},
    {"houses", MAPS},
    {"rounds|preset|start|spawn-at|world|spacing|free-above|resolution", MAPS},
    {"from|report|baseline|margin|by|no-results|csv|confidence",
	PLAY | LOCALIZE | FROM},
    {"png", PLAY | LOCALIZE | FROM | TRAJECTORY},
    {"reference|relations|clock|id", TRAJECTORY},
    {"log|topic|laser|scans", LOCALIZE},
};

/* Choose the rule sets and their presets. */
static unsigned
choose_rules(struct pb_bench_opts *o)
{
	unsigned mode = PLAY;

	for (int k = 0; k < o->chosen.n; k++) {
		const struct pb_rules *r = o->chosen.rules[k];
		int i = o->chosen.number[k];

		o->set.group[i].chosen = true;
		mode |= pb_opt_on_map(r->game) ? MAPS : 0;
		if (!o->players && o->agents.given.n == 0)
			pb_list_add(
			    o->who, sizeof(o->who), ",", r->game->usual);
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
choose_mode(void *user, char *const *operand, int n)
{
	struct pb_bench_opts *o = user;
	const char *map = o->maps.n ? o->maps.arg[0]
	                  : n > 0   ? operand[0]
	                            : NULL;

	if (o->traj.asked && !o->list_rules) {
		o->set.group[o->first].chosen = !o->traj.relations;
		return TRAJECTORY;
	}
	if (!is_localize(o) &&
	    !find_rules(
		&o->chosen, o->rules ? o->rules : pb_games[0].game->name))
		return 0;
	if (o->list_rules)
		return PLAY | FROM | TRAJECTORY | LOCALIZE | MAPS;
	if (is_localize(o))
		o->chosen =
		    (struct pb_bench_rules){{&o->loc.played.rules}, {-1}, 1};
	if (o->from)
		return FROM;
	if (!is_localize(o))
		return choose_rules(o);
	if (!find_localize_place(&o->loc, o->players, map))
		return 0;
	choose_localize_groups(&o->loc, o->players, &o->set, o->first + 1);
	return LOCALIZE;
}

static int
parse_args(struct pb_bench_opts *o, int argc, char **argv)
{
	struct pb_opt opt[] = {
	    {"rules", 'r', PB_OPT_TEXT, "names",
		"rule sets, separated by commas; see --list", &o->rules},
	    {"policy", 'p', PB_OPT_TEXT, "names",
		"players, separated by commas; see --list", &o->players},
	    PB_OPT_WEIGHTS(&o->weights),
	    PB_OPT_AGENTS(&o->agents.given, &o->agents.patience),
	    {"map", 'm', PB_OPT_LIST, "file",
		"play on the map in file; may be repeated", &o->maps},
	    PB_OPT_PIXELS(&o->pixels),
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
		"exit with 4 if the measure may be worse by x", &o->margin,
		.min = 1e-6, .max = 1e9},
	    {"by", 0, PB_OPT_CALL, "measure",
		"measure to compare: score, rank, time<=60, ... (rules)",
		&o->by, .call = read_by},
	    {"expect", 'e', PB_OPT_LIST, "bound",
		"exit with 4 if this does not hold, like success>=0.95",
		&o->expect_text},
	    {"confidence", 0, PB_OPT_NUM, "share",
		"confidence of all intervals", &o->confidence, .min = 0.5,
		.max = 0.9999},
	    {"no-results", 0, PB_OPT_FLAG, NULL, "print no result records",
		&o->no_results},
	    {"table", 0, PB_OPT_FLAG, NULL,
		"print tables instead of records; =all: all measures",
		&o->table, .words = "all"},
	    {"csv", 0, PB_OPT_FLAG, NULL,
		"print summaries as CSV instead of records", &o->csv},
	    {"png", 0, PB_OPT_TEXT, "file",
		"draw success rates, or a trajectory: .png, .svg, .pdf",
		&o->png, .words = PB_OPT_PICTURES},
	    {"report", 0, PB_OPT_TEXT, "file",
		"write a page: tables, figures, replays", &o->report},
	    {"heat", 0, PB_OPT_TEXT, "file",
		"draw a heat map of the player: .png, .svg, .pdf", &o->heat,
		.words = PB_OPT_PICTURES},
	    {"list", 0, PB_OPT_FLAG, NULL, "list rule sets and their players",
		&o->list_rules},
	    {"preset", 0, PB_OPT_TEXT, "name",
		"begin with the constants of a preset", &o->preset_name},
	    pb_places_opt(&o->places, 0, MAPS),
	    pb_places_opt(&o->places, 1, MAPS),
	    PB_OPT_WORLD(&o->world, .modes = MAPS),
	    PB_OPT_CHOOSERS(&o->set),
	    PB_OPT_SETS(&o->set),
	    {"trajectory", 0, PB_OPT_FLAG, NULL,
		"compare estimated with true poses", &o->traj.asked},
	    {"reference", 0, PB_OPT_TEXT, "file",
		"the true poses, if they are not in the stream",
		&o->traj.reference},
	    {"relations", 0, PB_OPT_TEXT, "file",
		"judge the poses by known relations between them",
		&o->traj.relations},
	    {"clock", 0, PB_OPT_CALL, "s|auto",
		"of the reference or relations where that of poses is 0",
		&o->traj.clock, .call = read_clock},
	    {"id", 0, PB_OPT_ID, "id", "of the robot whose poses these are",
		&o->traj.id},
	    {"log", 0, PB_OPT_TEXT, "file",
		"with -r localize: the drive, a log or records", &o->loc.log},
	    PB_OPT_ROS(&o->loc.ros, .modes = 0),
	    {"scans", 0, PB_OPT_NAME, PB_FILTER_SCANS,
		"take every scan of the log, or every other, from 0",
		&o->loc.scans, .words = PB_FILTER_SCANS},
	    PB_OPT_COMMON_FILTER(&o->common),
	};
	const struct pb_tool tool =
	    PB_TOOL(o, opt, choose_mode, mode_names, .operands = "[file ...]",
		.purpose = "play many games on all cores and sum them up");

	for (size_t i = 0; i < tool.nopt; i++)
		for (size_t k = 0;
		     k < sizeof(option_modes) / sizeof(*option_modes); k++)
			if (pb_word_find(option_modes[k].names, opt[i].name,
				strlen(opt[i].name)) >= 0)
				opt[i].modes = option_modes[k].modes;
	pb_constants_sets(&o->constants, &o->set);
	o->first = o->set.groups;
	pb_set_add(&o->set, (struct pb_set_group){.of = "trajectories",
				.title = "trajectories",
				.params = pb_traj_params,
				.base = &o->traj.traj});
	add_localize_groups(&o->loc, &o->traj.traj, &o->set);
	return pb_opt_parse(&tool, argc, argv);
}

int
pb_bench_opts_read(struct pb_bench_opts *o, int argc, char **argv)
{
	int first;

	set_defaults(o);
	first = parse_args(o, argc, argv);
	if (first >= 0 && check_opts(o, argc - first))
		return first;
	pb_bench_opts_clear(o);
	return -1;
}

struct pb_criterion
pb_bench_by(const void *opts, const char *rules)
{
	const struct pb_bench_opts *o = opts;
	const struct pb_rules *r = pb_rules_find(rules);
	struct pb_criterion by = o->by;

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
	for (int i = 0; i < o->list.n; i++) {
		struct pb_experiment *e = &o->list.at[i];

		for (int k = 0; e->settings && k < e->players.n; k++)
			free(e->settings[k].at);
		free(e->settings);
	}
	free(o->list.at);
	o->list = (struct pb_experiments){.n = 0};
	pb_weights_opt_clear(&o->weights);
	pb_drive_clear(&o->loc.drive);
	pb_method_opts_clear(&o->loc.methods);
	pb_world_clear(&o->truth);
}
