/* simopts.c - the command line of pb-sim. */
#include "io/sim/simopts.h"

struct pb_sim_opts
pb_sim_defaults(void)
{
	return (struct pb_sim_opts){.pacbot = pb_pacsim_defaults(),
	    .constants = pb_constants_defaults(),
	    .rate = 5,
	    .speed = 1,
	    .session = {.seed = 1,
		.rounds = 1,
		.max_gap = 3600,
		.senses = pb_senses_defaults(),
		.trace = PB_TRACE_DEFAULT}};
}

static bool
is_held(const struct pb_game *g)
{
	return g->held;
}

static bool
explores(const struct pb_game *g)
{
	return g->explored != NULL;
}

static bool
starts(const struct pb_game *g)
{
	return g->starts;
}

/* Where it is noted that an option of such a game was given. */
static const char **
given_of(struct pb_sim_opts *o, bool (*is)(const struct pb_game *g))
{
	int i = 0;

	while (pb_games[i].game && !is(pb_games[i].game))
		i++;
	return &o->given[i];
}

void
pb_sim_opts_clear(struct pb_sim_opts *o)
{
	pb_swarm_clear(&o->swarm);
}

int
pb_sim_opts_read(struct pb_sim_opts *o, int argc, char **argv)
{
	struct pb_session_opts *s = &o->session;
	const char **g = &o->given[PB_OPT_PACMANBOT];
	const char **pacbot = given_of(o, is_held);
	struct pb_round_opts *game =
	    pb_constants_of(&o->constants, PB_OPT_PACMANBOT);
	struct pb_opt_preset preset = {game, NULL};
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
		"draw where the player was into a PNG file, or .svg, .pdf, .list",
		&o->heat},
	    {"known", 0, PB_OPT_TEXT, "name",
		"write the map that a patrol knows, or all of them", &o->known,
		.given = given_of(o, explores)},
	    {"max-gap", 0, PB_OPT_NUM, "s",
		"refuse a command this far ahead of the game", &s->max_gap,
		.min = 0, .max = 1e6, .given = g},
	    {"list", 0, PB_OPT_FLAG, NULL, "list rule sets and their players",
		&o->list},
	    PB_OPT_CONSOLE(&o->interactive, &o->inputs),
	    {"play", 0, PB_OPT_FLAG, NULL,
		"steer yourself, in the terminal: arrow keys or w a s d",
		&o->play},
	    {"joystick", 0, PB_OPT_TEXT, "device",
		"steer yourself, by a joystick of Linux such as /dev/input/js0",
		&o->joystick, .given = given_of(o, starts)},
	    {"speed", 0, PB_OPT_NUM, "times",
		"with --play, --joystick, --serve, --client: times real time",
		&o->speed, .min = 0.0625, .max = 64, .seen = &o->paced},
	    PB_OPT_CUES(&s->cues),
	    PB_OPT_PACSIM(&o->pacbot, pacbot),
	    {"score", 0, PB_OPT_TEXT, "command",
		"let a program choose the pellets, as pb-score --asked",
		&s->score, .given = g},
	    PB_OPT_ROUND(&preset, game, g),
	    {"swarm", 0, PB_OPT_FLAG, NULL,
		"start a process for each ghost, and for who scores",
		&o->as_swarm},
	    PB_OPT_SENSES(&s->senses),
	    PB_OPT_COMMON_FILTER(&o->common),
	    {"dump-records", 0, PB_OPT_DUMP, NULL,
		"list the members of records for programs, one a line",
		.act = pb_rec_list},
	};
	struct pb_opt_group group[PB_RULES + 1];
	int rules = pb_rules_count();
	const struct pb_tool tool = {"play one game and write its trace",
	    "[file ...]", opt, sizeof(opt) / sizeof(*opt), group,
	    (size_t)rules + 1, -1, &o->names};
	int first;

	o->self = argv[0];
	for (int i = 0; i < rules; i++) {
		group[i] = pb_constants_group(&o->constants, i);
		group[i].given = &o->given[i];
	}
	group[rules] = pb_senses_group(&s->senses);
	first = pb_opt_parse(&tool, argc, argv);
	s->preset = preset.name;
	o->pacbot.speed = o->speed;
	return first;
}
