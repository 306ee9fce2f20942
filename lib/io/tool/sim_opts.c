/* sim_opts.c - the command line of pb-sim. */
#include "io/tool/sim_opts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"
#include "pb/games.h"
#include "policy/players.h"

/* Index of the rule set called name; -1: a message was printed. */
static int
find_rules(const char *name)
{
	const struct pb_rules *r = pb_rules_find(name);
	struct pb_suggest near = pb_suggest_for(name);
	char names[200];

	if (r)
		return (int)(r - pb_games);
	pb_opt_rules_known(names, sizeof(names));
	pb_suggest_try(&near, names);
	pb_msg_usage("--rules: expected one of %s, got \"%.80s\"%s", names,
	    name, pb_suggest_text(&near));
	return -1;
}

/* Index of r's player of that name, NULL: the default; -1: a message was
 * printed. */
static int
find_player(const struct pb_rules *r, const char *name)
{
	int i = pb_rules_player(r, name != NULL ? name : r->game->usual);
	char known[400];
	struct pb_error bad;
	const struct pb_rules *other;

	if (i >= 0)
		return i;
	/* A player of other rules: suggest them. */
	for (int k = 0; (other = pb_rules_at(k)) != NULL; k++)
		if (pb_rules_player(other, name) >= 0)
			break;
	if (other == NULL) {
		pb_opt_no_player(&r, 1, "", name, &bad);
		pb_msg_usage("--policy: %s", bad.text);
		return -1;
	}
	pb_opt_players_known(&r, 1, known, sizeof(known));
	pb_msg_usage("--policy: expected %s; \"%.80s\" plays %s", known, name,
	    other->game->name);
	return -1;
}

/* Modes that options go with: kinds of rule sets, then actions. */
enum {
	MAPS = 1,
	BOARDS = 2,
	HELD = 4,
	STARTS = 8,
	TURNS = 16,
	KINDS = 5,
	MATCH = 32,
	REPLAY = 64,
	SERVE = 128,
	CLIENT = 256,
	MODES = 9
};

/* Options that go with some modes only. */
static const struct {
	const char *names;
	unsigned modes;
} option_modes[] = {
    {"policy|weights", MATCH | CLIENT},
    {"seed|trial|agent|patience", MATCH | SERVE | CLIENT},
    {"ghost|feedback|wav|sensors|rate|preset|motion|localizer|round|"
     "keep-going",
	MATCH},
    {"provenance", MATCH | REPLAY},
    {"speed", MATCH | SERVE | CLIENT},
    {"referee", SERVE | CLIENT},
    {"listen|trust|origin", SERVE},
    {"connect|end-after|result", CLIENT},
    {"replay", HELD | REPLAY},
    {"serve", HELD | REPLAY | SERVE},
    {"client", HELD | REPLAY | CLIENT},
    {"heading", HELD},
    {"autostart|wait-start|rounds|trace|robot|dead-man|score|world|"
     "interactive|command|script|start|spawn-at|spacing|free-above|resolution",
	MAPS},
    {"play", BOARDS},
    {"joystick", STARTS},
    {"swarm", TURNS},
};

/* The modes of a game's kind. */
static unsigned
find_kinds(const struct pb_game *g)
{
	return (pb_opt_on_map(g) ? MAPS : BOARDS) | (g->held ? HELD : 0) |
	       (g->starts ? STARTS : 0) | (g->lockstep ? TURNS : 0);
}

/* Choose the mode: rule set, kind of game, player. */
static unsigned
choose_mode(void *user, char *const *operand, int n)
{
	struct pb_sim_opts *o = user;
	unsigned sensors = (unsigned)o->session.senses.sensors, done;

	(void)operand;
	(void)n;
	/* Server, client and replay are of pacbot only. */
	if (o->rules == NULL)
		o->rules = pb_pacsim_other(&o->pacbot) ? "pacbot" : "pacmanbot";
	o->which = find_rules(o->rules);
	if (o->which < 0)
		return 0;
	o->game = pb_games[o->which].game;
	o->opts = pb_constants_of(&o->constants, o->which);
	o->on_map = pb_opt_on_map(o->game);
	o->player = find_player(pb_rules_at(o->which), o->player_name);
	if (o->player < 0)
		return 0;
	o->set.group[o->which].chosen = !o->pacbot.replay;
	o->set.group[pb_rules_count()].chosen = sensors != 0;
	pb_opt_words(
	    o->sensors, sizeof(o->sensors), pb_sensor_names, sensors, ",");
	pb_set_fact(&o->set, "sensors", o->sensors);
	/* Constants of players apply unless a program plays. */
	if (o->pacbot.agents.n == 0 && o->score == NULL)
		pb_set_fact(&o->set, "policy",
		    o->pacbot.serve
			? ""
			: pb_games[o->which].player[o->player]->name);
	pb_set_fact(&o->set, "mode", pb_pacsim_mode(&o->pacbot));
	if (!pb_constants_preset(&o->constants, o->which, o->preset))
		return 0;
	pb_constants_places(&o->constants, o->which, &o->places);
	o->session.preset = o->preset;
	if (!pb_pacsim_other(&o->pacbot))
		return find_kinds(o->game) | MATCH;
	done = (o->pacbot.replay ? REPLAY : 0) | (o->pacbot.serve ? SERVE : 0) |
	       (o->pacbot.client ? CLIENT : 0);
	if (o->game->held)
		return done;
	pb_msg_usage(
	    "--%s: only with the rules pacbot", done & REPLAY  ? "replay"
						: done & SERVE ? "serve"
							       : "client");
	return 0;
}

bool
pb_sim_commanded(const struct pb_sim_opts *o)
{
	return o->interactive || o->inputs.n > 0;
}

/* Refuse an empty command. NULL: not given. */
static bool
check_command(const char *option, const char *given)
{
	return given == NULL || *pb_agent_command(given) != '\0' ||
	       pb_msg_usage("--%s: expected a command, got none", option);
}

/* Assign the programs of --ghost to ghosts in order, except robots of a
 * swarm. */
static bool
add_ghosts(const struct pb_sim_opts *o, struct pb_outside *x)
{
	const struct pb_opt_list *ghost = &o->pacbot.ghost;

	for (int i = 0; i < ghost->n; i++) {
		if (!check_command("ghost", ghost->arg[i]))
			return false;
		if (x->body[1 + i])
			return pb_msg_usage("--ghost: two programs for %s",
			    o->game->body[1 + i]);
		x->body[1 + i] = ghost->arg[i];
	}
	return true;
}

/* Returns what is wrong with options of programs, NULL: nothing. */
static const char *
find_program_error(const struct pb_sim_opts *o, bool scores)
{
	const struct pb_opt_list *ghost = &o->pacbot.ghost;
	bool programs = o->as_swarm || ghost->n > 0 || o->score != NULL;

	if (ghost->n > pb_game_bodies(o->game, o->opts) - 1)
		return "--ghost: more programs than ghosts that play";
	if (o->score != NULL && !scores)
		return "--score: only with --policy seed: the others do not "
		       "choose by scores";
	if (pb_opt_names_have(&o->names, "patience") && !o->pacbot.connect &&
	    !programs && o->pacbot.agents.n == 0)
		return "--patience: only with --ghost, --score, --swarm and "
		       "--agent";
	if (programs && pb_sim_commanded(o))
		return "--ghost, --score, --swarm: not with commands "
		       "that lead the game";
	return NULL;
}

/* Append a call of a tool of pb: the one beside this program if that was called
 * by a path, so that a build uses its own tools. */
static void
add_tool(struct pb_text *t, const struct pb_sim_opts *o, const char *call)
{
	const char *slash = strrchr(o->self, '/');

	if (slash != NULL) {
		pb_text_puts(t, "PATH='");
		for (const char *s = o->self; s < slash; s++)
			if (*s == '\'')
				pb_text_puts(t, "'\\''");
			else
				pb_text_put(t, s, 1);
		pb_text_puts(t, "/':\"$PATH\" ");
	}
	pb_text_puts(t, "exec ");
	pb_text_puts(t, call);
}

/* The command of pb-ghost for robot 1 + i, which plays its own copy of the game
 * with the same constants. */
static const char *
make_ghost_command(struct pb_sim_opts *o, int i)
{
	_Alignas(double) unsigned char usual[PB_RULES_OPTS];
	const struct pb_params *p = o->game->params;
	struct pb_text t = {.exact = true};

	add_tool(&t, o, "pb-ghost --behaviour ");
	pb_text_puts(&t, o->game->behaviour);
	pb_text_puts(&t, " --name ");
	pb_text_puts(&t, o->game->body[1 + i]);
	/* Only one prints a message if they are killed. */
	pb_text_puts(&t, i > 0 ? " --quiet" : "");
	pb_text_puts(&t, " --seed ");
	pb_text_u64(&t, o->session.seed);
	pb_text_puts(&t, " --trial ");
	pb_text_u64(&t, o->session.trial);
	if (pb_game_drives(o->game, o->opts)) {
		pb_text_puts(&t, " --rate ");
		pb_text_exact(&t, o->session.rate);
	}
	pb_game_defaults(o->game, usual);
	for (size_t k = 0; k < p->n; k++) {
		char a[PB_NUM_MAX], b[PB_NUM_MAX];

		pb_param_value(&p->row[k], o->opts, a, sizeof(a));
		pb_param_value(&p->row[k], usual, b, sizeof(b));
		if (strcmp(a, b) == 0)
			continue;
		pb_text_puts(&t, " --set ");
		pb_text_puts(&t, p->row[k].name);
		pb_text_puts(&t, "=");
		pb_text_puts(&t, a);
	}
	pb_text_put(&t, "", 1);
	return o->command[o->commands++] = t.s;
}

/* Check the programs that play; make the commands of missing robots. */
static bool
check_programs(struct pb_sim_opts *o)
{
	bool scores = o->on_map &&
	              pb_games[o->which].player[o->player] == &pb_player_seed;
	int bodies = pb_game_bodies(o->game, o->opts);
	struct pb_opt_list *ghost = &o->pacbot.ghost;
	struct pb_outside *x = &o->outside;
	const char *why;

	if (o->as_swarm && pb_outside_ghosts(x))
		return pb_msg_usage("--swarm: not with --agent for a ghost");
	for (int i = bodies; i < PB_BODIES; i++)
		if (x->body[i])
			return pb_msg_usage(
			    "--agent: %s does not play in this game",
			    o->game->body[i]);
	o->asked = *x;
	if (!check_command("score", o->score))
		return false;
	/* On a map, the player's program chooses pellets. */
	if (o->on_map && x->body[0])
		o->score = x->body[0];
	/* Note the user's programs before others are added. */
	x->body[0] = o->on_map ? o->score : x->body[0];
	if (!add_ghosts(o, x))
		return false;
	if ((why = find_program_error(o, scores)) != NULL)
		return pb_msg_usage("%s", why);
	for (; o->as_swarm && ghost->n + 1 < bodies; ghost->n++)
		ghost->arg[ghost->n] = make_ghost_command(o, ghost->n);
	if (o->on_map)
		o->asked.body[0] = o->score;
	return o->game->lockstep || add_ghosts(o, &o->asked);
}

/* Check the options by the rule set. */
static bool
check_game(struct pb_sim_opts *o, int operands)
{
	bool sensors = o->session.senses.sensors != 0;
	char why[PB_GAME_WHY];
	const char *wrong = pb_game_check(o->game, o->opts, why);

	if (wrong != NULL)
		return pb_msg_usage("--%s%s: %s",
		    pb_params_find(*o->game->params, wrong) ? "set: " : "",
		    wrong, why);
	return !o->game->held || pb_pacsim_check(&o->pacbot, operands, sensors);
}

/* Check --robot: a real robot has its own world and sensors. */
static bool
check_robot(const struct pb_sim_opts *o)
{
	static const char *const simulated[] = {"sensors", "localizer",
	    "start-anywhere", "clutter", "people", "world"};

	if (!o->session.robot)
		return !pb_opt_names_have(&o->names, "dead-man") ||
		       pb_msg_usage("--dead-man: only with --robot");
	for (size_t i = 0; i < sizeof(simulated) / sizeof(*simulated); i++)
		if (pb_opt_names_have(&o->names, simulated[i]) ||
		    pb_set_given(&o->set, simulated[i]))
			return pb_msg_usage(
			    "--%s: not with --robot, which is a real one",
			    simulated[i]);
	return (o->session.autostart && !pb_sim_commanded(o)) ||
	       pb_msg_usage(
		   "--robot: only with --autostart, and without commands");
}

/* Check that at most one option decides who plays, and that a named player is
 * used. */
static bool
check_play(const struct pb_sim_opts *o, int operands)
{
	const struct {
		const char *name;
		bool leads;
	} who[] = {{"--play", o->play}, {"--joystick", o->joystick != NULL},
	    {"--agent", o->pacbot.agent != NULL},
	    {"a file", !o->on_map && !o->pacbot.replay && operands > 0},
	    {"--score", o->score != NULL}, {"commands", pb_sim_commanded(o)}};
	const char *first = NULL;

	for (size_t i = 0; i < sizeof(who) / sizeof(*who); i++) {
		if (who[i].leads && first != NULL)
			return pb_msg_usage(
			    "%s: not with %s: only one can play", first,
			    who[i].name);
		if (i < 4 && who[i].leads &&
		    (o->player_name != NULL || o->weights.files != NULL))
			return pb_msg_usage("--%s: only with a game that "
					    "nobody else plays, here %s does",
			    o->player_name != NULL ? "policy" : "weights",
			    who[i].name);
		first = who[i].leads ? who[i].name : first;
	}
	return o->play || o->pacbot.serve || o->pacbot.client ||
	       o->joystick != NULL || !o->paced ||
	       pb_msg_usage("--speed: only with --play, --joystick, --serve "
			    "and --client");
}

static bool
check_weights(struct pb_sim_opts *o)
{
	const struct pb_player *p = pb_games[o->which].player[o->player];
	struct pb_error bad;

	if (!p->weights && !pb_weights_unused(&o->weights))
		return false;
	return pb_weights_opt_read(&o->weights, &o->constants) &&
	       (pb_weights_suit(o->game, p, o->opts, false, &bad) ||
		   pb_weights_say("policy", &bad));
}

static bool
check_opts(struct pb_sim_opts *o, int operands)
{
	const struct pb_sense_opts *s = &o->session.senses;
	struct pb_error bad;
	const char *why;

	if (o->list)
		return pb_opt_names_alone(&o->names, "list");
	if (!pb_cues_check(&o->session.cues))
		return false;
	/* A filter of events has no game. */
	if (pb_cues_alone(&o->names))
		return true;
	if (!pb_set_fits(&o->set))
		return false;
	for (int i = 0; i < o->pacbot.agents.n; i++)
		if (!pb_outside_add(
			&o->outside, o->game, o->pacbot.agents.arg[i], &bad))
			return pb_msg_usage("--agent: %s", bad.text);
	o->pacbot.agent = o->outside.body[0];
	if ((why = pb_sense_wrong(s)) != NULL)
		return pb_msg_usage("--%s%s",
		    strncmp(why, "sensors", 7) == 0 ? "" : "set: ", why);
	if (!pb_mapfile_opts_fit(&o->pixels, o->map, "with --map") ||
	    !pb_provenance_fits(!o->pacbot.serve && !o->pacbot.client) ||
	    !check_play(o, operands))
		return false;
	if (o->session.autostart && o->session.wait_start)
		return pb_msg_usage("--wait-start: not with --autostart");
	if (o->has_rate && !pb_game_drives(o->game, o->opts))
		return pb_msg_usage("--rate: only with robots that have "
				    "bodies; see --motion drive");
	if (!check_programs(o))
		return false;
	if (!check_game(o, operands) || !check_weights(o) || !check_robot(o))
		return false;
	if (o->world == NULL)
		return true;
	o->session.truth = &o->truth.map;
	return pb_world_file(&o->truth, o->world, &o->pixels);
}

static int
parse_args(struct pb_sim_opts *o, int argc, char **argv)
{
	struct pb_session_opts *s = &o->session;
	const char *mode_names[MODES] = {
	    [1] = "games on boards that are played",
	    [KINDS] = "a match",
	    "--replay",
	    "--serve",
	    "--client"};
	struct pb_opt opt[] = {
	    {"rules", 'r', PB_OPT_TEXT, "name", "rule set", &o->rules},
	    {"policy", 'p', PB_OPT_TEXT, "name", "player; see --list",
		&o->player_name},
	    PB_OPT_WEIGHTS(&o->weights),
	    PB_OPT_MAP(&o->map),
	    PB_OPT_PIXELS(&o->pixels),
	    PB_OPT_SEED(&s->seed),
	    {"trial", 't', PB_OPT_U64, "n", "trial of that seed", &s->trial},
	    {"autostart", 'a', PB_OPT_FLAG, NULL,
		"press start at once, not at the input's end", &s->autostart},
	    {"wait-start", 0, PB_OPT_FLAG, NULL,
		"begin only when the input has a start command",
		&s->wait_start},
	    {"rounds", 'n', PB_OPT_INT, "n", "end after n rounds", &s->rounds,
		.min = 1, .max = 100000},
	    {"trace", 0, PB_OPT_CALL, "kinds",
		"records to write: state,event,cmd,pellets,goal,path,pose,"
		"truth,clyde,odom,twist,obstacle, all or none",
		&s->trace, .call = pb_opt_trace},
	    {"rate", 0, PB_OPT_NUM, "1/s",
		"how often true poses, odometry and twists are written",
		&s->rate, .min = 0.001, .max = 1000, .seen = &o->has_rate},
	    {"list", 0, PB_OPT_FLAG, NULL, "list rule sets and their players",
		&o->list},
	    PB_OPT_CONSOLE(&o->interactive, &o->inputs),
	    {"play", 0, PB_OPT_FLAG, NULL,
		"steer yourself: arrow keys or w a s d", &o->play},
	    {"joystick", 0, PB_OPT_TEXT, "device",
		"steer yourself, by a joystick of Linux such as /dev/input/js0",
		&o->joystick},
	    {"speed", 0, PB_OPT_NUM, "times",
		"speed of the game, times real time", &o->speed, .min = 0.0625,
		.max = 64, .seen = &o->paced},
	    {"robot", 0, PB_OPT_FLAG, NULL,
		"drive a real robot: read its poses, write twists", &s->robot},
	    {"dead-man", 0, PB_OPT_NUM, "s",
		"with --robot: stop it if no pose came for so long",
		&s->dead_man, .min = 0.1, .max = 60},
	    PB_OPT_CUES(&s->cues),
	    PB_OPT_PACSIM(&o->pacbot),
	    {"score", 0, PB_OPT_TEXT, "command",
		"let a program choose the pellets", &o->score},
	    {"preset", 0, PB_OPT_TEXT, "name",
		"begin with the constants of a preset", &o->preset},
	    pb_places_opt(&o->places, 0, MAPS),
	    pb_places_opt(&o->places, 1, MAPS),
	    PB_OPT_CHOOSERS(&o->set),
	    PB_OPT_SETS(&o->set),
	    PB_OPT_WORLD(&o->world),
	    {"swarm", 0, PB_OPT_FLAG, NULL, "start a process for each robot",
		&o->as_swarm},
	    PB_OPT_SENSES(&s->senses),
	    PB_OPT_COMMON_FILTER(&o->common),
	};
	const struct pb_tool tool =
	    PB_TOOL(o, opt, choose_mode, mode_names, .operands = "[file ...]",
		.purpose = "play one game and write its trace");
	int first;

	for (size_t i = 0; i < tool.nopt; i++)
		for (size_t k = 0;
		     k < sizeof(option_modes) / sizeof(*option_modes); k++)
			if (pb_word_find(option_modes[k].names, opt[i].name,
				strlen(opt[i].name)) >= 0)
				opt[i].modes = option_modes[k].modes;
	for (int i = 0; i < KINDS; i++) {
		snprintf(o->modes[i], sizeof(o->modes[i]), "the rules ");
		for (int k = 0; pb_games[k].game; k++)
			if (find_kinds(pb_games[k].game) >> i & 1)
				pb_list_add(o->modes[i], sizeof(o->modes[i]),
				    strlen(o->modes[i]) > 10 ? " or " : "",
				    pb_games[k].game->name);
		if (mode_names[i] == NULL)
			mode_names[i] = o->modes[i];
	}
	pb_constants_sets(&o->constants, &o->set);
	pb_set_add(&o->set, (struct pb_set_group){.of = "sensors (--sensors)",
				.title = "sensors",
				.params = pb_sense_params,
				.base = &s->senses});
	o->self = argv[0];
	first = pb_opt_parse(&tool, argc, argv);
	o->pacbot.speed = o->speed;
	return first;
}

int
pb_sim_opts_read(struct pb_sim_opts *o, int argc, char **argv)
{
	int first;

	*o = (struct pb_sim_opts){
	    .pacbot = {.patience = 10, .speed = 1, .duration = INFINITY},
	    .constants = pb_constants_defaults(),
	    .pixels = pb_mapfile_defaults(),
	    .speed = 1,
	    .session = {.seed = 1,
		.rate = 5,
		.dead_man = 0.5,
		.rounds = 1,
		.senses = pb_sense_defaults(),
		.trace = PB_TRACE_DEFAULT}};
	first = parse_args(o, argc, argv);
	if (first == argc - 1 && pb_pacsim_at(&o->pacbot, argv[first]))
		first++;
	return first >= 0 && check_opts(o, argc - first) ? first : -1;
}

void
pb_sim_opts_clear(struct pb_sim_opts *o)
{
	for (int i = 0; i < o->commands; i++)
		free(o->command[i]);
	pb_weights_opt_clear(&o->weights);
	pb_world_clear(&o->truth);
}
