/*
 * pb-ghost - moves one ghost. Reads map, state, cmd and the time of every
 * record; writes pose, obstacle. Or, a robot of a swarm, reads what all robots
 * say; writes move, message.
 */
#include <math.h>
#include <string.h>

#include "io/opt/opt.h"
#include "io/opt/constants.h"
#include "io/opt/opt_round.h"
#include "io/play/play.h"
#include "io/sim/haunt.h"
#include "io/sim/pacghost.h"

#define BEHAVIOURS "clyde|roomba|patrol|arcade"
enum { CLYDE, ROOMBA, PATROL, GROUPS, ARCADE = GROUPS };

struct opts {
	int kind;
	const char *name; /* which robot of a swarm */
	struct pb_constants constants;
	double rate; /* of poses (1/s) */
	bool has_rate;
	const char *seeded;        /* seed or trial, NULL: not given */
	const char *given[GROUPS]; /* an option of one kind, NULL: none */
	struct pb_opt_names names; /* of all options given */
	struct pb_haunt_opts haunt;
	double spawn[2];
	double near[2];
	bool has_near;
	struct pb_opt_common common;
};

/* The rules of robots that play a whole game, by behaviour; -1: none. */
static int
rules_of(int kind)
{
	size_t n;
	const char *word = pb_word(BEHAVIOURS, kind, &n);

	for (int i = 0; pb_games[i].game; i++)
		if (pb_games[i].game->lockstep &&
		    strncmp(word, pb_games[i].game->behaviour, n) == 0)
			return i;
	return -1;
}

/* Whether it is a robot that writes poses. */
static bool
has_body(const struct opts *o)
{
	int i = rules_of(o->kind);

	return i >= 0 &&
	       pb_games[i].game->drives(pb_constants_of(&o->constants, i));
}

/* An option that the behaviour has no use for, NULL if there is none. */
static const char *
odd_option(const struct opts *o)
{
	int rules = rules_of(o->kind);
	bool swarm = rules >= 0;

	for (int k = 0; k < GROUPS; k++)
		if (k != o->kind && o->given[k] &&
		    !(swarm && pb_opt_rules_have(rules, o->given[k])))
			return o->given[k];
	if (o->kind == ARCADE && o->seeded)
		return o->seeded;
	if (o->has_rate && !has_body(o))
		return "rate";
	if (swarm && o->common.keep_going)
		return "keep-going";
	return swarm && o->common.rejects ? "rejects" : NULL;
}

static bool
fits(const struct opts *o, int operands)
{
	const char *odd = odd_option(o);
	bool named = o->kind != CLYDE;

	if (!pb_opt_names_took(&o->names, &o->given[o->kind]))
		return false;
	if (odd)
		pb_msg_usage("--%s: does not go with this --behaviour", odd);
	else if (named != (o->name != NULL))
		pb_msg_usage(named ? "--name: which robot is missing"
				   : "--name: does not go with clyde");
	else if (named && operands > 0)
		pb_msg_usage("--name: reads standard input only");
	else
		return true;
	return false;
}

/* What the table cannot check. */
static bool
complete(struct opts *o, int operands)
{
	struct pb_clyde_opts *c = &o->haunt.ghost.clyde;

	if (!fits(o, operands))
		return false;
	o->haunt.ghost.spawn = (struct pb_vec){o->spawn[0], o->spawn[1]};
	c->near = (struct pb_vec){o->near[0], o->near[1]};
	if (o->has_near)
		c->spawn = PB_CLYDE_NEAR;
	if (c->spawn != PB_CLYDE_NEAR || o->has_near)
		return true;
	return pb_msg_usage("--spawn near: --spawn-near X,Y is missing");
}

static int
parse_args(struct opts *o, int argc, char **argv)
{
	struct pb_haunt_opts *h = &o->haunt;
	struct pb_ghost_opts *g = &h->ghost;
	const char **c = &o->given[CLYDE];
	const struct pb_opt opt[] = {
	    {"behaviour", 'b', PB_OPT_NAME, BEHAVIOURS, "how the ghost moves",
		&o->kind, .words = BEHAVIOURS},
	    {"name", 0, PB_OPT_TEXT, "name", "which robot of a swarm",
		&o->name},
	    {"rate", 0, PB_OPT_NUM, "1/s", "of the poses of a robot's body",
		&o->rate, .min = 0.001, .max = 1000, .seen = &o->has_rate},
	    {"seed", 's', PB_OPT_U64, "n", "seed of all random draws", &g->seed,
		.given = &o->seeded},
	    {"trial", 't', PB_OPT_U64, "n", "trial of that seed", &g->trial,
		.given = &o->seeded},
	    {"map", 'm', PB_OPT_TEXT, "file", "read the map from file", &h->map,
		.given = c},
	    {"id", 'i', PB_OPT_ID, "id", "the ghost's id", &g->id, .given = c},
	    {"obstacle", 'o', PB_OPT_NAME, PB_GHOST_OBSTACLES,
		"how costmaps see the ghost", &g->obstacle,
		.words = PB_GHOST_OBSTACLES, .given = c},
	    {"duration", 'd', PB_OPT_LIMIT, "s",
		"go on for so long, with or without records", &h->duration,
		.given = c},
	    {"ticks", 'n', PB_OPT_INT, "n", "go on for so many ticks",
		&h->ticks, .min = 0, .max = 1e9, .given = c},
	    {"wait", 'w', PB_OPT_FLAG, NULL,
		"stand still till a record says running", &g->wait, .given = c},
	    {"exact", 0, PB_OPT_FLAG, NULL, "round no number", &g->exact,
		.given = c},
	    {"max-gap", 0, PB_OPT_LIMIT, "s",
		"refuse a record so much later than the one before",
		&h->max_gap, .given = c},
	    {"spawn-at", 0, PB_OPT_PAIR, "x,y",
		"where the ghost appears, as if it had been clicked", o->spawn,
		.seen = &g->has_spawn, .given = c},
	    {"spawn-near", 0, PB_OPT_PAIR, "x,y", "the point of --spawn near",
		o->near, .seen = &o->has_near, .given = c},
	    PB_OPT_COMMON_FILTER(&o->common),
	};
	struct pb_opt_group group[GROUPS] = {
	    {"Clyde", .base = &g->clyde, .given = c, .with = "behaviour=clyde"},
	    pb_constants_group(&o->constants, rules_of(ROOMBA)),
	    pb_constants_group(&o->constants, rules_of(PATROL))};
	const struct pb_tool tool = {"move a ghost over a map", "[file ...]",
	    opt, sizeof(opt) / sizeof(*opt), group, GROUPS, -1, &o->names};
	int first;

	group[ROOMBA].given = &o->given[ROOMBA];
	group[PATROL].given = &o->given[PATROL];
	group[ROOMBA].with = "behaviour=roomba";
	group[PATROL].with = "behaviour=patrol";
	group[CLYDE].param = pb_clyde_params(&group[CLYDE].n);
	first = pb_opt_parse(&tool, argc, argv);
	return first >= 0 && !complete(o, argc - first) ? -1 : first;
}

/* Whether the robot of that name plays, but for the player's. */
static bool
plays(const char *name, const struct pb_game *g, const void *opts)
{
	int n = g->bodies(opts) - 1;

	for (int i = 1; i <= n; i++)
		if (strcmp(name, g->body[i]) == 0)
			return true;
	return pb_msg_usage(
	    "--name: there is no \"%.80s\" among the %d that play", name, n);
}

/* A robot of a game in lock-step; "blinky", "patrol1", ... */
static void
run_robot(const struct opts *o, int rules)
{
	const struct pb_play_opts p = {.game = pb_games[rules].game,
	    .player = pb_games[rules].player[0],
	    .opts = pb_constants_of(&o->constants, rules),
	    .seed = o->haunt.ghost.seed,
	    .trial = o->haunt.ghost.trial,
	    .rate = o->rate,
	    .as = o->name};

	if (plays(o->name, p.game, p.opts))
		pb_play_run(&p, NULL, 0, NULL, NULL);
}

/* A ghost of a Pacbot match; "red" or "blinky", ... */
static void
run_arcade(const struct opts *o)
{
	if (!pb_pacghost_run(o->name, &o->common))
		pb_msg_usage(
		    "--name: no ghost of a match is \"%.80s\"", o->name);
}

int
main(int argc, char **argv)
{
	struct opts o = {.haunt = pb_haunt_defaults(),
	    .constants = pb_constants_defaults(),
	    .rate = 5,
	    .spawn = {NAN, NAN},
	    .near = {NAN, NAN}};
	int first;

	pb_msg_start(argv[0]);
	first = parse_args(&o, argc, argv);
	if (first >= 0 && rules_of(o.kind) >= 0)
		run_robot(&o, rules_of(o.kind));
	else if (first >= 0 && o.kind == ARCADE)
		run_arcade(&o);
	else if (first >= 0)
		pb_haunt_run(&o.haunt, &o.common, argv + first, argc - first);
	return pb_msg_finish();
}
