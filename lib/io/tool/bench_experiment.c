/* bench_experiment.c - what a benchmark plays, one experiment after the other;
 * outside programs among its players; of localizers, the options and the log. */
#include "io/tool/bench_experiment.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "io/file/logfile.h"
#include "io/play/weights_opt.h"
#include "io/play/world.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"
#include "localize/traj.h"
#include "policy/localize_game.h"

/* One more that plays, as the usual player does where nobody asks it. */
static bool
add_player(struct pb_bench_agents *a, struct pb_bench_cast *c,
    const struct pb_rules *r, const char *given, struct pb_error *bad)
{
	int usual = pb_rules_player(r, r->game->usual);
	char name[PB_TRIAL_NAME];

	pb_agent_name(given, name, sizeof(name));
	if (c->n == PB_BENCH_AGENTS)
		return pb_error_set(bad, "agent: expected at most %d that play",
		    PB_BENCH_AGENTS);
	for (int i = 0; c->row[i]; i++)
		if (strcmp(c->row[i]->name, name) == 0)
			return pb_error_set(
			    bad, "agent: there is a player %s", name);
	memcpy(a->name[c->n], name, sizeof(name));
	c->own[c->n] = *r->player[usual];
	c->own[c->n].name = a->name[c->n];
	c->own[c->n].summary = "a program";
	c->own[c->n].weights = NULL;
	for (int i = 0;; i++)
		if (!c->row[i]) {
			c->row[i] = &c->own[c->n++];
			return true;
		}
}

static bool
fill(struct pb_bench_agents *a, struct pb_bench_cast *c,
    const struct pb_rules *r, struct pb_error *bad)
{
	struct pb_error why;

	for (int i = 0; r->player[i] && i < PB_OPT_PLAYERS; i++)
		c->row[i] = r->player[i];
	for (int i = 0; i < a->given.n; i++) {
		struct pb_outside x = c->others;

		if (!pb_outside_add(&x, r->game, a->given.arg[i], &why))
			return pb_error_set(bad, "agent: %.250s", why.text);
		if (!x.body[0])
			c->others = x;
		else if (!add_player(a, c, r, x.body[0], bad))
			return false;
		else
			c->outside[c->n - 1].body[0] = x.body[0];
	}
	for (int i = 0; i < c->n; i++)
		memcpy(&c->outside[i].body[1], &c->others.body[1],
		    sizeof(c->others.body) - sizeof(*c->others.body));
	c->has_others = pb_outside_ghosts(&c->others);
	c->rules = (struct pb_rules){r->game, c->row};
	return true;
}

const struct pb_rules *
pb_bench_agents_rules(
    struct pb_bench_agents *a, int number, struct pb_error *bad)
{
	struct pb_bench_cast *c = &a->cast[number];

	if (a->given.n == 0)
		return pb_rules_at(number);
	return c->rules.game || fill(a, c, pb_rules_at(number), bad) ? &c->rules
	                                                             : NULL;
}

const struct pb_outside *
pb_bench_agents_of(const struct pb_bench_agents *a,
    const struct pb_rules *rules, const struct pb_player *p)
{
	for (int k = 0; k < PB_RULES; k++) {
		const struct pb_bench_cast *c = &a->cast[k];

		if (rules != &c->rules)
			continue;
		for (int i = 0; i < c->n; i++)
			if (p == &c->own[i])
				return &c->outside[i];
		return c->has_others ? &c->others : NULL;
	}
	return NULL;
}

/* Whether name is one of the names. */
static bool
has(const char *names, const char *name)
{
	char word[PB_TRIAL_NAME];

	while (names && pb_opt_word(&names, word, sizeof(word)) > 0)
		if (strcmp(word, name) == 0)
			return true;
	return false;
}

const char *
pb_bench_agents_join(const struct pb_bench_agents *a, const char *names,
    char *list, size_t size, struct pb_error *bad)
{
	size_t len = (size_t)snprintf(list, size, "%s", names ? names : "");

	for (int i = 0; i < PB_BENCH_AGENTS && *a->name[i] && len < size; i++)
		if (!has(names, a->name[i]))
			len += (size_t)snprintf(list + len, size - len, "%s%s",
			    len > 0 ? "," : "", a->name[i]);
	if (len < size)
		return list;
	pb_error_set(bad, "policy: expected at most %zu bytes", size - 1);
	return NULL;
}

/* A log being read; true poses find their scans at its end. */
struct log {
	struct pb_drive *d;
	struct pb_timed_list truth, scan;
};

bool
pb_bench_localize_init(struct pb_bench_localize *b)
{
	*b = (struct pb_bench_localize){.ros = {.reader = PB_ROS_READER},
	    .rules = {.trial = pb_loc_trial_defaults(),
		.maze = pb_maze_trial_defaults(),
		.tour = pb_synthetic_defaults()}};
	if (!pb_method_opts_init(&b->methods))
		return false;
	for (int i = 0; i < PB_LOCALIZE_METHODS; i++)
		b->rules.constants[i] = b->methods.constants[i];
	return true;
}

/* Groups of pb_bench_localize_sets(), before those of the methods. */
enum { PROTOCOL, NEAR, ON_MAPS, DRIVES, IN_MAZES, MAZE_DRIVES, METHODS };

void
pb_bench_localize_sets(
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
	    [DRIVES] = {.of = "simulated drives on maps",
		.title = "simulated drives",
		.params = pb_synthetic_params,
		.base = &b->rules.tour},
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

void
pb_bench_localize_choose(const struct pb_bench_localize *b, const char *methods,
    struct pb_set *s, size_t first)
{
	struct pb_set_group *g = &s->group[first];
	const char *at = methods ? methods : b->played.rules.game->usual;
	char name[PB_TRIAL_NAME];

	g[PROTOCOL].chosen = g[NEAR].chosen = true;
	g[ON_MAPS].chosen = !b->maze;
	g[DRIVES].chosen = !b->maze && !b->log;
	g[IN_MAZES].chosen = g[MAZE_DRIVES].chosen = b->maze;
	pb_set_fact(s, "place", b->maze ? "maze" : "map");
	while (pb_opt_word(&at, name, sizeof(name)) > 0)
		for (int i = 0; pb_localizer_at(i); i++)
			g[METHODS + i].chosen |=
			    strcmp(pb_localizer_at(i)->name, name) == 0;
}

/* The worlds that methods named are for; others are told of later. */
static unsigned
places_of(const char *methods)
{
	const struct pb_localizer *m;
	unsigned places = 0;
	char name[PB_TRIAL_NAME];

	while (methods && pb_opt_word(&methods, name, sizeof(name)) > 0)
		if ((m = pb_localizer_find(name)) &&
		    !(m->places & PB_LOC_NOWHERE))
			places |= m->places;
	return places;
}

bool
pb_bench_localize_where(struct pb_bench_localize *b, const char *methods,
    const char *map, uint64_t seed, struct pb_error *bad)
{
	unsigned places = places_of(methods);

	if ((places & PB_LOC_ON_MAP) && (places & PB_LOC_IN_MAZE))
		return pb_error_set(bad,
		    "policy: methods for maps and methods for mazes do not go "
		    "together");
	/* Methods know best, then the log; a map is looked at last. */
	b->maze = places           ? places & PB_LOC_IN_MAZE
	          : b->log || !map ? false
	                           : pb_world_is_maze(map);
	b->rules.seed = seed;
	pb_localize_rules(&b->played, b->maze);
	return true;
}

static bool
add_truth(struct log *g, double t, const struct pb_rec_pose *p)
{
	return pb_timed_add(&g->truth,
		   (struct pb_timed){.t = t, .p = {p->x, p->y, p->theta}}) ==
	       PB_OK;
}

static bool
add_scan(struct log *g, double t, const struct pb_rec_scan *c)
{
	const struct pb_scan z = pb_rec_as_scan(c);

	return pb_drive_add_scan(g->d, t, &z) == PB_OK &&
	       pb_timed_add(&g->scan,
		   (struct pb_timed){.t = t, .told = g->truth.n}) == PB_OK;
}

static bool
take_log(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct log *g = f->user;
	struct pb_heard h = {.kind = PB_HEARD_ODOM, .t = r->stamp.t};
	bool ok = true;

	if (!pb_filter_is_of(r, "robot"))
		return true;
	if (r->type != PB_REC_ODOM && !isfinite(r->stamp.t))
		return pb_error_set(bad, "%s.t: expected a number, got nothing",
		    pb_rec_name(r->type));
	if (r->type == PB_REC_SCAN) {
		ok = add_scan(g, r->stamp.t, &r->scan);
	} else if (r->type == PB_REC_ODOM) {
		h.odom = (struct pb_pose){r->odom.x, r->odom.y, r->odom.theta};
		ok = pb_drive_add(g->d, h) == PB_OK;
	} else if (strcmp(r->pose.source, "truth") == 0) {
		/* Estimates of who wrote the log are not ours to judge. */
		ok = add_truth(g, r->stamp.t, &r->pose);
	}
	return ok || pb_error_nomem(bad, "log");
}

/* Where stamps tell no time, records count as one scan a second. */
static enum pb_status
number_scans(struct log *g, const char *log)
{
	struct pb_stamps s = {.n = 0};
	char text[160];
	enum pb_status st = PB_OK;

	if (g->scan.n > 0)
		st = pb_stamps_judge(
		    &g->scan.at->t, sizeof(*g->scan.at), g->scan.n, &s);
	if (st != PB_OK || !s.broken)
		return st;
	pb_msg_warn((struct pb_place){log, 0},
	    "%s; scans are numbered, one a second",
	    pb_stamps_text(&s, text, sizeof(text)));
	for (size_t i = 0, scan = 0; i < g->d->n; i++) {
		g->d->heard[i].t = (double)scan;
		scan += g->d->heard[i].kind == PB_HEARD_SCAN;
	}
	return PB_OK;
}

/* The true pose at each scan. */
static bool
join(struct log *g, const char *log)
{
	size_t n = g->scan.n, *of = calloc(n + 1, sizeof(*of));
	struct pb_pair_doubt doubt;
	enum pb_status st = PB_ENOMEM;

	if (of)
		st = pb_pair_poses(g->truth.at, g->truth.n, g->scan.at, n,
		    PB_PAIR_ONCE, pb_traj_defaults().max_dt, of, &doubt);
	/* Of two scans of one moment, only the last was given the pose. */
	for (size_t i = n; st == PB_OK && i-- > 1;)
		if (of[i - 1] == g->truth.n &&
		    g->scan.at[i - 1].t == g->scan.at[i].t &&
		    g->scan.at[i - 1].told == g->scan.at[i].told)
			of[i - 1] = of[i];
	for (size_t i = 0; st == PB_OK && i < n; i++)
		if (of[i] < g->truth.n) {
			struct pb_heard *h = &g->d->heard[g->d->at[i]];

			h->known = true;
			h->truth = g->truth.at[of[i]].p;
		}
	free(of);
	if (st == PB_OK)
		st = number_scans(g, log);
	if (st == PB_EVAGUE)
		return pb_msg_refuse((struct pb_place){log, 0},
		    "%zu of %zu scans, the first at %g s, have a time that "
		    "leaves open which of %zu true poses is theirs",
		    doubt.n, n, doubt.t, g->truth.n);
	return st == PB_OK || pb_msg_system("%s: no memory", log);
}

static bool
check_log(const struct pb_bench_localize *b)
{
	const struct pb_loc_trial_opts *o = &b->rules.trial;

	switch (pb_loc_trial_check(&b->drive, o)) {
	case PB_OK:
		return true;
	case PB_ENOENT:
		return pb_msg_refuse((struct pb_place){b->log, 0},
		    "expected a pose with source truth at every scan");
	case PB_EVALUE:
		return pb_msg_refuse((struct pb_place){b->log, 0},
		    "no two places of the drive are jump=%g m apart", o->jump);
	default:
		return pb_msg_refuse((struct pb_place){b->log, 0},
		    "expected at least %d scans, got %zu; see updates",
		    o->updates + (o->protocol == PB_LOC_KIDNAP ? o->warm : 0),
		    b->drive.scans);
	}
}

bool
pb_bench_localize_load(
    struct pb_bench_localize *b, const struct pb_opt_common *common)
{
	struct log g = {.d = &b->drive};
	char *file[] = {(char *)b->log};
	struct pb_filter f = {.want = PB_REC_BIT(PB_REC_SCAN) |
	                              PB_REC_BIT(PB_REC_ODOM) |
	                              PB_REC_BIT(PB_REC_POSE),
	    .scans = b->scans,
	    .common = common,
	    .ros = &b->ros,
	    .take = take_log,
	    .user = &g};
	bool ok;

	if (!b->log)
		return true;
	ok = pb_filter_run(&f, file, 1) && join(&g, b->log);
	pb_timed_clear(&g.truth);
	pb_timed_clear(&g.scan);
	b->rules.drive = &b->drive;
	b->rules.drive_hash = pb_drive_hash(&b->drive);
	return ok && check_log(b);
}

void
pb_bench_localize_doubt(const struct pb_bench_localize *b, uint64_t trials)
{
	const struct pb_loc_trial_opts *o = &b->rules.trial;
	size_t scans = b->log ? b->drive.scans : (size_t)b->rules.tour.scans;
	uint64_t n = b->maze ? 0 : pb_loc_stretches(scans, o);

	if (n > 0 && trials > n)
		pb_msg_warn((struct pb_place){b->log, 0},
		    "the drive has %" PRIu64 " different stretch%s of "
		    "updates=%d; %" PRIu64 " trials are not independent",
		    n, n == 1 ? "" : "es", o->updates, trials);
}

void
pb_bench_localize_clear(struct pb_bench_localize *b)
{
	pb_drive_clear(&b->drive);
	pb_method_opts_clear(&b->methods);
}

const void *
pb_experiment_opts(const struct pb_experiment *e)
{
	if (e->number < 0)
		return &e->loc->rules;
	return pb_constants_of(&e->constants, e->number);
}

const struct pb_player *
pb_experiment_player(const struct pb_experiment *e, int i)
{
	return e->rules->player[e->players.player[i]];
}

/* What is being added: a place in every list of values. */
struct adding {
	struct pb_experiments *l;
	const struct pb_bench_asked *x;
	struct pb_experiment e; /* rules, map, ..., but for constants */
	struct pb_error *bad;
};

static bool
append(struct adding *a, const struct pb_experiment *e)
{
	struct pb_experiments *l = a->l;

	if (l->n == PB_EXPERIMENTS_MAX)
		return pb_error_set(a->bad,
		    "vary: expected at most %d combinations, got more",
		    PB_EXPERIMENTS_MAX);
	if (!pb_grow(&l->at, (size_t)l->n, &l->room, sizeof(*l->at)))
		return pb_error_nomem(a->bad, "experiments");
	l->at[l->n++] = *e;
	return true;
}

/* Every name must be known, before it is shared out. */
static bool
check_players(const struct pb_rules *const *rules, int n, const char *list,
    struct pb_error *bad)
{
	const char *at = list;
	char name[PB_TRIAL_NAME], known[200] = "";
	struct pb_suggest near;
	int got;

	while ((got = pb_opt_word(&at, name, sizeof(name))) > 0)
		if (!pb_opt_some_play(rules, n, name))
			break;
	if (got == 0)
		return true;
	if (got < 0)
		return pb_error_set(bad,
		    "policy: expected names separated by commas, got "
		    "\"%.80s\"",
		    list);
	pb_opt_players_known(rules, n, known, sizeof(known));
	near = pb_suggest_for(name);
	pb_suggest_try(&near, known);
	return pb_error_set(bad, "policy: expected some of %s, got \"%.60s\"%s",
	    known, name, pb_suggest_text(&near));
}

/* Set the constant of that name. */
static bool
set_constant(const struct adding *a, struct pb_experiment *e, const char *name,
    const char *value, struct pb_error *bad)
{
	struct pb_set s = *a->l->set;

	/* The same names, of this experiment alone. */
	for (size_t k = 0; k < s.groups; k++)
		s.group[k].chosen = (int)k == e->number;
	s.group[e->number].base = pb_constants_of(&e->constants, e->number);
	return pb_set_value(&s, name, value, bad);
}

/* Constants that change nothing here are the usual ones, so that games that are
 * equal have equal hashes; false, with bad filled in: one that varies. */
static bool
settle(const struct adding *a, struct pb_experiment *e)
{
	const struct pb_params *p = e->rules->game->params;
	const struct pb_set *s = a->l->set;
	void *opts = pb_constants_of(&e->constants, e->number);

	for (size_t i = 0; i < p->n; i++) {
		if (pb_params_used(*p, opts, i, s->fact, s->facts))
			continue;
		if (pb_opt_names_have(&a->l->vary, p->row[i].name) &&
		    pb_params_unusual(*p, i, opts) == &p->row[i])
			return pb_error_set(a->bad,
			    "vary: %s: changes nothing where %s is not so",
			    p->row[i].name, p->row[i].when);
		pb_params_reset(*p, i, opts);
	}
	return true;
}

/* As pb_experiments_tell, for one of localizers. */
static bool
tell_localizers(struct pb_experiment *e, const struct pb_set *s)
{
	char name[PB_SET_NAME], value[PB_NUM_MAX];
	bool ok = true;

	for (size_t k = 0; k < s->groups; k++) {
		const struct pb_set_group *g = &s->group[k];

		for (size_t i = 0; g->chosen && i < g->params.n; i++) {
			if (!g->given[i])
				continue;
			pb_set_name(g, i, name);
			pb_constants_value(
			    &g->params.row[i], g->base, value, sizeof(value));
			ok = ok && pb_told_add(&e->told, name, value);
		}
	}
	return ok;
}

/* Whether weights are given to all who need them, and for somebody. */
static bool
weights_suit(const struct pb_experiment *e, struct pb_error *bad)
{
	const struct pb_game *g = e->rules->game;
	const void *opts = pb_experiment_opts(e);
	const struct pb_weights *w = pb_game_weights(g, opts);
	bool taken = false;

	for (int i = 0; w && i < e->players.n; i++) {
		const struct pb_player *p = pb_experiment_player(e, i);

		taken |= p->weights && pb_weights_meant(p->weights, w);
	}
	for (int i = 0; i < e->players.n; i++)
		if (!pb_weights_suit(
			g, pb_experiment_player(e, i), opts, taken, bad))
			return false;
	return true;
}

/* One combination is chosen: check it and add it. */
static bool
add_one(struct adding *a, struct pb_experiment e)
{
	bool game = e.number >= 0;
	const char *wrong = NULL, *why;
	struct pb_error no;

	if (game && !settle(a, &e))
		return false;
	if (game)
		wrong =
		    pb_game_check(e.rules->game, pb_experiment_opts(&e), &why);
	if (wrong)
		return pb_error_set(a->bad, "%s%s: %s",
		    pb_params_find(*e.rules->game->params, wrong) ? "set: "
								  : "",
		    wrong, why);
	if (game && !weights_suit(&e, &no))
		return pb_error_set(a->bad, "policy: %.300s", no.text);
	if (e.rounds.n == 0)
		e.rounds = (struct pb_numbers){
		    {game ? pb_game_round(e.rules->game, pb_experiment_opts(&e))
			  : 1},
		    1};
	return append(a, &e);
}

/* The name of the i-th list of values, which are *values; NULL and bad filled
 * in if there is none. */
static const char *
vary_name(const struct adding *a, int i, char name[PB_OPT_NAME_MAX],
    const char **values)
{
	const char *arg = a->x->vary->arg[i], *equals = strchr(arg, '=');
	size_t n = equals ? (size_t)(equals - arg) : 0;

	if (n == 0 || n >= PB_OPT_NAME_MAX || !equals[1]) {
		pb_error_set(a->bad,
		    "vary: expected NAME=VALUE,VALUE,..., got \"%.80s\"", arg);
		return NULL;
	}
	memcpy(name, arg, n);
	name[n] = '\0';
	*values = equals + 1;
	return name;
}

/* The i-th list of values and those after it, in all combinations. */
static bool
add_all(struct adding *a, int i, struct pb_experiment e)
{
	char name[PB_OPT_NAME_MAX], value[PB_REC_WORD];
	struct pb_error why;
	const char *at;
	int got;

	if (i == a->x->vary->n)
		return add_one(a, e);
	if (!vary_name(a, i, name, &at))
		return false;
	pb_opt_names_add(&a->l->vary, name);
	if (e.loc != NULL)
		return pb_error_set(
		    a->bad, "vary: %s: trials of localizers do not vary", name);
	if (strcmp(name, "round") == 0)
		return pb_error_set(
		    a->bad, "vary: %s: not a constant to vary", name);
	while ((got = pb_opt_word(&at, value, sizeof(value))) > 0) {
		if (!set_constant(a, &e, name, value, &why))
			return pb_error_set(a->bad, "vary: %.250s", why.text);
		if (!add_all(a, i + 1, e))
			return false;
	}
	return got == 0 ||
	       pb_error_set(a->bad, "vary: %s: expected values, got \"%.80s\"",
		   name, strchr(a->x->vary->arg[i], '=') + 1);
}

/* The rules that are asked for, in the order of the list. */
struct chosen {
	const struct pb_rules *rules[PB_RULES];
	int number[PB_RULES];
	int n;
};

/* Add the rules of that name; false if none, or they are there. */
static bool
choose(struct chosen *c, const char *name)
{
	const struct pb_rules *r = pb_rules_find(name);

	for (int k = 0; k < c->n; k++)
		if (c->rules[k] == r)
			return false;
	if (r) {
		c->number[c->n] = (int)(r - pb_games);
		c->rules[c->n++] = r;
	}
	return r != NULL;
}

/* With the programs that play along. */
static bool
join_agents(struct chosen *c, struct pb_bench_agents *a, struct pb_error *bad)
{
	for (int i = 0; a && i < c->n; i++)
		if (!(c->rules[i] =
			    pb_bench_agents_rules(a, c->number[i], bad)))
			return false;
	return true;
}

static bool
find_rules(struct chosen *c, const char *list, struct pb_error *bad)
{
	const char *at = list;
	char name[PB_TRIAL_NAME] = "", known[200];
	struct pb_suggest near;
	int got;

	while ((got = pb_opt_word(&at, name, sizeof(name))) > 0)
		if (!choose(c, name))
			break;
	near = pb_suggest_for(got > 0 ? name : list);
	pb_opt_rules_known(known, sizeof(known));
	pb_suggest_try(&near, known);
	pb_suggest_try(&near, "localize");
	/* One that is right came twice. */
	return got == 0 ||
	       pb_error_set(bad,
		   "rules: expected some of %s, none twice, or localize, got "
		   "\"%.80s\"%s",
		   known, list,
		   near.distance > 0 ? pb_suggest_text(&near) : "");
}

static bool
set_rounds(struct adding *a)
{
	struct pb_error why;

	if (!a->x->rounds || pb_opt_numbers(&a->e.rounds, a->x->rounds, &why))
		return true;
	return pb_error_set(a->bad, "rounds: %.250s", why.text);
}

/* Under the i-th of the rules. */
static bool
add_under(struct adding *a, const struct chosen *c, int i)
{
	struct pb_experiment e = a->e;
	const char *names =
	    a->x->policy ? a->x->policy : c->rules[i]->game->usual;

	e.rules = c->rules[i];
	e.number = c->number[i];
	if (!pb_opt_players_pick(&e.players, e.rules, names, a->bad))
		return false;
	if (e.players.n == 0)
		return pb_error_set(a->bad,
		    "policy: expected a player of %s too, got \"%.80s\"",
		    e.rules->game->name, names);
	if (e.rules->game->board != NULL && e.houses && c->n == 1)
		return pb_error_set(
		    a->bad, "houses: not an option of %s", e.rules->game->name);
	if (e.rules->game->board != NULL)
		e.houses = 0;
	return add_all(a, 0, e);
}

bool
pb_experiments_add(struct pb_experiments *l, const struct pb_bench_asked *x,
    const struct pb_experiment *usual, struct pb_error *bad)
{
	struct chosen c = {.rules = {usual->rules}, .number = {-1}, .n = 1};
	struct adding a = {.l = l, .x = x, .e = *usual, .bad = bad};

	a.e.map = x->maps->arg;
	a.e.maps = x->maps->n;
	if (!usual->rules) {
		c.n = 0;
		if (!find_rules(&c,
			x->rules ? x->rules : pb_games[0].game->name, bad) ||
		    !join_agents(&c, l->agents, bad))
			return false;
	}
	if (!check_players(c.rules, c.n, x->policy, bad) || !set_rounds(&a))
		return false;
	for (int i = 0; i < c.n; i++)
		if (!add_under(&a, &c, i))
			return false;
	return true;
}

/* What is told of these rules also where it is usual: what --set and --vary
 * name. */
static struct pb_opt_names
list_asked(const struct pb_experiments *l, int rules)
{
	const struct pb_set_group *g = &l->set->group[rules];
	struct pb_opt_names asked = l->vary;

	for (size_t i = 0; i < g->params.n; i++)
		if (g->given[i])
			pb_opt_names_add(&asked, g->params.row[i].name);
	return asked;
}

bool
pb_experiments_tell(struct pb_experiments *l)
{
	struct pb_opt_names asked;
	bool ok = true;

	for (int i = 0; ok && i < l->n; i++) {
		struct pb_experiment *e = &l->at[i];

		if (e->number < 0) {
			ok = tell_localizers(e, l->set);
			continue;
		}
		asked = list_asked(l, e->number);
		ok = pb_constants_tell(e->rules->game,
		    pb_constants_of(&e->constants, e->number), e->preset,
		    &asked, &e->told);
	}
	return ok;
}

void
pb_experiments_clear(struct pb_experiments *l)
{
	for (int i = 0; i < l->n; i++)
		free(l->at[i].told.at);
	free(l->at);
	*l = (struct pb_experiments){.n = 0};
}
