/*
 * pb-sim - plays one game. Reads map, pellets, cmd; writes them on and the
 * trace of the game: state, event, goal, path, pose, pellets, ..., result.
 */
#include <stdio.h>
#include <string.h>

#include "io/botsim.h"
#include "io/file.h"
#include "io/msg.h"
#include "io/opt_players.h"
#include "io/opt_round.h"
#include "io/pacsim.h"
#include "io/roombasim.h"
#include "io/swarm.h"
#include "io/zumysim.h"
#include "policy/bots.h"
#include "policy/policy.h"
#include "policy/roombas.h"
#include "policy/rules.h"
#include "policy/zumys.h"
#include "view/heat.h"
#include "view/human.h"
#include "view/operate.h"

struct opts {
	struct pb_session_opts session;
	struct pb_pacsim_opts pacbot;
	struct pb_roomba_opts roomba;
	struct pb_zumy_opts zumy;
	int which;  /* rule set */
	int player; /* its number there */
	const char
	    *given[PB_OPT_RULES]; /* an option of one rule set, NULL: none */
	const char *rules;
	const char *player_name; /* NULL: the usual one */
	const char *map;
	bool as_swarm;         /* a process for each robot */
	struct pb_swarm swarm; /* those that were not given */
	double rate;           /* of true poses, odometry, twists (1/s) */
	bool has_rate;
	const char *heat;  /* PNG file of where the player was, NULL: none */
	const char *known; /* whose knowledge to write, NULL: nobody's */
	int knower;        /* the same as a number */
	bool list;
	bool play;                 /* a human plays */
	bool paced;                /* speed was given */
	double speed;              /* times real time */
	struct pb_opt_names names; /* of all options given */
	bool interactive;
	struct pb_console_inputs inputs; /* commands for the console */
	struct pb_opt_common common;
};

static int
parse_args(struct opts *o, int argc, char **argv)
{
	struct pb_session_opts *s = &o->session;
	const char **g = &o->given[PB_OPT_PACMANBOT];
	struct pb_opt_preset preset = {&s->game, NULL};
	const struct pb_opt opt[] = {
	    {"rules", 'r', PB_OPT_TEXT, "name", "rule set", &o->rules},
	    {"policy", 'p', PB_OPT_TEXT, "name", "who plays; see --list",
		&o->player_name},
	    PB_OPT_MAP(&o->map),
	    PB_OPT_SEED(&s->seed),
	    {"trial", 't', PB_OPT_U64, "n", "trial of that seed", &s->trial},
	    {"autostart", 'a', PB_OPT_FLAG, NULL,
		"press start at once and after each round", &s->autostart,
		.given = g},
	    {"rounds", 'n', PB_OPT_INT, "n",
		"with --autostart: end after n rounds", &s->rounds, .min = 1,
		.max = 100000, .given = g},
	    {"trace", 0, PB_OPT_CALL, "kinds",
		"records to write: state,event,cmd,pellets,goal,path,pose,"
		"truth,clyde,odom,twist,obstacle, all or none",
		&s->trace, .call = pb_opt_trace, .given = g},
	    {"rate", 0, PB_OPT_NUM, "1/s", "of true poses, odometry and twists",
		&o->rate, .min = 0.001, .max = 1000, .seen = &o->has_rate},
	    {"heat", 0, PB_OPT_TEXT, "file",
		"draw where the player was into a PNG file", &o->heat},
	    {"known", 0, PB_OPT_TEXT, "name",
		"write the map that a patrol knows, or all of them", &o->known,
		.given = &o->given[PB_OPT_ZUMY]},
	    {"max-gap", 0, PB_OPT_NUM, "s",
		"refuse a command this far ahead of the game", &s->max_gap,
		.min = 0, .max = 1e6, .given = g},
	    {"list", 0, PB_OPT_FLAG, NULL, "list rule sets and their players",
		&o->list},
	    PB_OPT_CONSOLE(&o->interactive, &o->inputs),
	    PB_OPT_HUMAN(&o->play, &o->speed, &o->paced),
	    PB_OPT_CUES(&s->cues),
	    PB_OPT_PACSIM(&o->pacbot, &o->given[PB_OPT_PACBOT]),
	    {"score", 0, PB_OPT_TEXT, "command",
		"let a program choose the pellets, as pb-score --asked",
		&s->score, .given = g},
	    PB_OPT_ROUND(&preset, &s->game, g),
	    {"swarm", 0, PB_OPT_FLAG, NULL,
		"start a process for each ghost, and for who scores",
		&o->as_swarm},
	    PB_OPT_SENSES(&s->senses),
	    PB_OPT_COMMON_FILTER(&o->common),
	};
	struct pb_opt_group group[PB_OPT_RULES + 1] = {
	    pb_opt_round_group(&s->game),
	    pb_pacsim_group(&o->pacbot, &o->given[PB_OPT_PACBOT]),
	    pb_roombasim_group(&o->roomba, &o->given[PB_OPT_ROOMBA]),
	    pb_zumysim_group(&o->zumy, &o->given[PB_OPT_ZUMY]),
	    pb_senses_group(&s->senses)};
	const struct pb_tool tool = {"play one game and write its trace",
	    "[file ...]", opt, sizeof opt / sizeof opt[0], group,
	    PB_OPT_RULES + 1, -1, &o->names};
	int first;

	group[PB_OPT_PACMANBOT].given = g;
	first = pb_opt_parse(&tool, argc, argv);
	s->preset = preset.name;
	return first;
}

/* Poses are written of robots that have bodies. */
static bool
check_rate(const struct opts *o)
{
	bool bodies =
	    o->which == PB_OPT_PACMANBOT ||
	    (o->which == PB_OPT_ROOMBA &&
		o->roomba.motion == PB_MOTION_DRIVE) ||
	    (o->which == PB_OPT_ZUMY && o->zumy.motion == PB_ZUMY_DRIVE);

	if (!bodies && o->has_rate)
		pb_msg_usage("--rate: only with robots that have bodies; see "
			     "--motion drive");
	return bodies || !o->has_rate;
}

/* Whether commands lead the game. */
static bool
console(const struct opts *o)
{
	return o->interactive || o->inputs.n > 0;
}

/* The constants of the rules that are played. */
static void *
constants(struct opts *o)
{
	void *const all[PB_OPT_RULES] = {
	    [PB_OPT_PACMANBOT] = &o->session.game,
	    [PB_OPT_PACBOT] = &o->pacbot.game,
	    [PB_OPT_ROOMBA] = &o->roomba,
	    [PB_OPT_ZUMY] = &o->zumy,
	};

	return all[o->which];
}

/* Programs that play, those that are missing put together. */
static bool
check_programs(struct opts *o)
{
	const struct pb_swarm_game g = {.rules = o->which,
	    .constants = constants(o),
	    .seed = o->session.seed,
	    .trial = o->session.trial,
	    .rate = o->rate,
	    .swarm = o->as_swarm,
	    .patience = pb_opt_names_have(&o->names, "patience"),
	    .scores = o->which == PB_OPT_PACMANBOT &&
	              pb_policy_at(o->player) == &pb_player_seed,
	    .leads = console(o),
	    .agent = o->pacbot.agent != NULL,
	    .ghost = &o->pacbot.ghost,
	    .score = &o->session.score};

	if (!pb_swarm_programs(&o->swarm, &g))
		return false;
	o->session.ghost = o->pacbot.ghost.arg[0];
	o->session.patience = o->pacbot.patience;
	return true;
}

/* What the rules ask of the command line. */
static bool
check_game(struct opts *o, int operands)
{
	bool sensors = o->session.senses.sense.sensors != 0;

	switch (o->which) {
	case PB_OPT_PACMANBOT:
		return pb_botsim_check(&o->session, o->player, o->rate);
	case PB_OPT_PACBOT:
		return pb_pacsim_check(
		    &o->pacbot, &o->names, operands, sensors);
	default:
		if (!pb_opt_names_have(&o->names, "unknown-stops"))
			return true;
		pb_msg_usage("--unknown-stops: boards of %s have no unknown "
			     "cells, and their edge is a wall",
		    o->rules);
		return false;
	}
}

/* Whether somebody leads the game who can, and nobody else is to. */
static bool
check_play(const struct opts *o, int operands)
{
	const char *why = NULL;
	bool odd = o->heat != NULL ||
	           (o->which == PB_OPT_PACBOT && !pb_pacsim_match(&o->pacbot));

	if (o->heat != NULL && o->which == PB_OPT_PACMANBOT)
		why = "--heat: goes with pacbot, roomba and zumy";
	else if (!o->play && o->paced)
		why = "--speed: goes with --play";
	else if (console(o) && (odd || o->play))
		why = "commands lead one game, and write nothing but records "
		      "of it";
	else if (o->play && o->which == PB_OPT_PACMANBOT)
		why = "--play: goes with pacbot, roomba and zumy; the robot "
		      "of pacmanbot is driven by its planner";
	else if (o->play && (o->player_name != NULL || operands > 0))
		why = "--play: you are the player; there is no other, no file";
	else if (o->play && !pb_pacsim_match(&o->pacbot))
		why = "--play: goes with a match in records";
	if (why != NULL)
		pb_msg_usage("%s", why);
	return why == NULL;
}

static bool
check_known(struct opts *o)
{
	struct pb_bad bad;
	bool ok =
	    pb_zumyknown_find(o->known, o->zumy.patrols, &o->knower, &bad);

	if (!ok)
		pb_msg_usage("--%s", bad.text);
	return ok;
}

/* Options of rules that are not played are refused, not ignored. */
static bool
check_args(struct opts *o, int operands)
{
	const struct pb_pacsim_opts *p = &o->pacbot;

	if (o->list)
		return pb_opt_names_alone(&o->names, "list");
	/* Frames and recordings are of this game and no other. */
	if (o->rules == NULL)
		o->rules = p->from_wire || p->replay || p->conform
		               ? "pacbot"
		               : "pacmanbot";
	if (!pb_cues_check(&o->session.cues, &o->names))
		return false;
	if (pb_cues_alone(&o->names))
		return true;
	o->which = pb_opt_rules_find(o->rules);
	if (o->which < 0 || !pb_opt_rules_fit(o->given, 1u << o->which) ||
	    !pb_opt_names_took(&o->names, &o->given[o->which]))
		return false;
	if (!pb_senses_check(&o->session.senses) ||
	    !pb_trail_fits(!o->pacbot.wire) || !check_play(o, operands))
		return false;
	o->player = pb_opt_player(pb_rules_at(o->which), o->player_name);
	return o->player >= 0 && check_rate(o) && check_programs(o) &&
	       check_known(o) && check_game(o, operands);
}

static void
run_pacmanbot(
    const struct opts *o, const struct pb_pilot *pilot, char **files, int n)
{
	const struct pb_botsim p = {&o->session, o->map, &o->common};

	(void)pilot;
	pb_botsim_run(&p, files, n);
}

static const char *
who_plays(const struct pb_pilot *pilot, int scripts, const char *name)
{
	return pb_pilot_steers(pilot) ? "human" : scripts ? "script" : name;
}

static void
run_pacbot(
    const struct opts *o, const struct pb_pilot *pilot, char **files, int n)
{
	struct pb_maze maze = {.rows = 0};
	struct pb_heat heat = {0};
	const struct pb_pacsim p = {.o = &o->pacbot,
	    .bot = pb_bot_at(o->player),
	    .board = o->map,
	    .seed = o->session.seed,
	    .trial = o->session.trial,
	    .pilot = pilot,
	    .senses = &o->session.senses,
	    .cues = &o->session.cues,
	    .common = &o->common,
	    .maze = &maze,
	    .heat = &heat};

	if (!pb_file_writable(o->heat))
		return;
	pb_pacsim_run(&p, files, n);
	pb_heat_match(
	    o->heat, pb_pacsim_who(&p, n > 0), p.seed, p.trial, &maze, &heat);
}

static void
run_roomba(
    const struct opts *o, const struct pb_pilot *pilot, char **files, int n)
{
	struct pb_maze maze = {.rows = 0};
	struct pb_heat heat = {0};
	const struct pb_roombasim p = {.o = &o->roomba,
	    .player = pb_roomba_player_at(o->player),
	    .board = o->map,
	    .seed = o->session.seed,
	    .trial = o->session.trial,
	    .programs = &o->pacbot.ghost,
	    .patience = o->pacbot.patience,
	    .rate = o->rate,
	    .pilot = pilot,
	    .senses = &o->session.senses,
	    .cues = &o->session.cues,
	    .common = &o->common,
	    .maze = &maze,
	    .heat = &heat};

	if (!pb_file_writable(o->heat))
		return;
	pb_roombasim_run(&p, files, n);
	pb_heat_match(o->heat, who_plays(pilot, n, p.player->name), p.seed,
	    p.trial, &maze, &heat);
}

static void
run_zumy(
    const struct opts *o, const struct pb_pilot *pilot, char **files, int n)
{
	struct pb_maze maze = {.rows = 0};
	struct pb_heat heat = {0};
	const struct pb_zumysim p = {.o = &o->zumy,
	    .player = pb_zumy_player_at(o->player),
	    .board = o->map,
	    .seed = o->session.seed,
	    .trial = o->session.trial,
	    .programs = &o->pacbot.ghost,
	    .patience = o->pacbot.patience,
	    .rate = o->rate,
	    .known = o->knower,
	    .pilot = pilot,
	    .senses = &o->session.senses,
	    .cues = &o->session.cues,
	    .common = &o->common,
	    .maze = &maze,
	    .heat = &heat};

	if (!pb_file_writable(o->heat))
		return;
	pb_zumysim_run(&p, files, n);
	pb_heat_match(o->heat, who_plays(pilot, n, p.player->name), p.seed,
	    p.trial, &maze, &heat);
}

static void
operate(struct opts *o, char **files, int n)
{
	const struct pb_operate p = {.game = {.rules = o->which,
					 .constants = constants(o),
					 .session = &o->session,
					 .player = &o->player,
					 .map = &o->map,
					 .known = &o->known,
					 .heading = &o->pacbot.heading,
					 .common = &o->common},
	    .inputs = &o->inputs,
	    .interactive = o->interactive};

	o->session.period = 1 / o->rate;
	if (pb_operate_check(&p, files, n))
		pb_operate(&p, files, n);
}

static void
play(const struct opts *o, char **files, int n)
{
	static void (*const run[PB_OPT_RULES])(const struct opts *o,
	    const struct pb_pilot *pilot, char **files, int n) = {
	    [PB_OPT_PACMANBOT] = run_pacmanbot,
	    [PB_OPT_PACBOT] = run_pacbot,
	    [PB_OPT_ROOMBA] = run_roomba,
	    [PB_OPT_ZUMY] = run_zumy,
	};
	struct pb_human *human;
	struct pb_pilot pilot;

	if (!o->play) {
		run[o->which](o, NULL, files, n);
		return;
	}
	pb_msg_catch();
	if ((human = pb_human_begin(o->speed)) == NULL)
		return;
	pilot = pb_human_pilot(human);
	run[o->which](o, &pilot, files, n);
	pb_human_end(human);
}

int
main(int argc, char **argv)
{
	struct opts o = {.pacbot = pb_pacsim_defaults(),
	    .roomba = pb_roomba_defaults(),
	    .zumy = pb_zumy_defaults(),
	    .rate = 5,
	    .speed = 1,
	    .session = {.game = pb_round_defaults(),
		.seed = 1,
		.rounds = 1,
		.max_gap = 3600,
		.senses = pb_senses_defaults(),
		.trace = PB_TRACE_DEFAULT}};
	int first;

	pb_msg_start(argv[0]);
	first = parse_args(&o, argc, argv);
	if (first >= 0 && check_args(&o, argc - first)) {
		if (pb_cues_alone(&o.names))
			pb_cues_filter(&o.session.cues, &o.common, argv + first,
			    argc - first);
		else if (o.list)
			pb_opt_list_all();
		else if (console(&o))
			operate(&o, argv + first, argc - first);
		else
			play(&o, argv + first, argc - first);
	}
	pb_swarm_clear(&o.swarm);
	return pb_msg_finish();
}
