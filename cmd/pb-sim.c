/*
 * pb-sim - plays one game. Reads map, pellets, cmd; writes them on and the
 * trace of the game: state, event, goal, path, pose, pellets, ..., result.
 */
#include "io/console/console_game.h"
#include "io/opt/opt_players.h"
#include "io/sim/simopts.h"
#include "io/stream/file.h"
#include "io/stream/msg.h"
#include "pb/bots.h"
#include "policy/roombas.h"
#include "policy/zumys.h"
#include "view/heat_map.h"
#include "view/human.h"
#include "view/show.h"

static void
run_pacmanbot(const struct pb_sim_opts *o, const struct pb_pilot *pilot,
    char **files, int n)
{
	const struct pb_botsim p = {&o->session, o->map, &o->common};

	(void)pilot;
	pb_botsim_run(&p, files, n);
}

/* A game on a board; what it leaves to be drawn. */
struct board {
	struct pb_maze maze;
	struct pb_heat heat;
};

static struct pb_boardsim
on_board(
    const struct pb_sim_opts *o, const struct pb_pilot *pilot, struct board *b)
{
	return (struct pb_boardsim){.board = o->map,
	    .seed = o->session.seed,
	    .trial = o->session.trial,
	    .pilot = pilot,
	    .senses = &o->session.senses,
	    .cues = &o->session.cues,
	    .outside = &o->outside,
	    .common = &o->common,
	    .maze = &b->maze,
	    .heat = &b->heat};
}

static void
draw_heat(const struct pb_sim_opts *o, const char *who, const struct board *b)
{
	char name[PB_TRIAL_NAME];

	if (o->outside.player) {
		pb_agent_name(o->outside.player, name, sizeof(name));
		who = name;
	}
	pb_heat_match(o->heat, who, o->session.seed, o->session.trial, &b->maze,
	    &b->heat);
}

static const char *
who_plays(const struct pb_pilot *pilot, int scripts, const char *name)
{
	return pb_pilot_steers(pilot) ? "human" : scripts ? "script" : name;
}

static void
run_pacbot(const struct pb_sim_opts *o, const struct pb_pilot *pilot,
    char **files, int n)
{
	struct board b = {.maze = {.rows = 0}};
	const struct pb_pacsim p = {.o = &o->pacbot,
	    .bot = pb_bot_at(o->player),
	    .sim = on_board(o, pilot, &b)};

	if (!pb_file_writable(o->heat))
		return;
	pb_pacsim_run(&p, files, n);
	draw_heat(o, pb_pacsim_who(&p, n > 0), &b);
}

static void
run_roomba(const struct pb_sim_opts *o, const struct pb_pilot *pilot,
    char **files, int n)
{
	struct board b = {.maze = {.rows = 0}};
	struct pb_roombasim p = {.o = &o->roomba,
	    .player = pb_roomba_player_at(o->player),
	    .sim = on_board(o, pilot, &b),
	    .programs = &o->pacbot.ghost,
	    .patience = o->pacbot.patience,
	    .rate = o->rate};

	if (!pb_file_writable(o->heat))
		return;
	if (o->joystick != NULL &&
	    (p.joystick = pb_joystick_open(o->joystick, o->speed)) == NULL)
		return;
	pb_roombasim_run(&p, files, n);
	pb_joystick_close(p.joystick);
	draw_heat(o,
	    p.joystick != NULL ? "human" : who_plays(pilot, n, p.player->name),
	    &b);
}

static void
run_zumy(const struct pb_sim_opts *o, const struct pb_pilot *pilot,
    char **files, int n)
{
	struct board b = {.maze = {.rows = 0}};
	const struct pb_zumysim p = {.o = &o->zumy,
	    .player = pb_zumy_player_at(o->player),
	    .sim = on_board(o, pilot, &b),
	    .programs = &o->pacbot.ghost,
	    .patience = o->pacbot.patience,
	    .rate = o->rate,
	    .known = o->knower};

	if (!pb_file_writable(o->heat))
		return;
	pb_zumysim_run(&p, files, n);
	draw_heat(o, who_plays(pilot, n, p.player->name), &b);
}

static void
draw(const char *records, size_t n)
{
	pb_still(records, n, stderr);
}

static void
operate(struct pb_sim_opts *o, char **files, int n)
{
	const struct pb_console_game p = {.game = {.rules = o->which,
					      .constants = pb_sim_constants(o),
					      .session = &o->session,
					      .player = &o->player,
					      .map = &o->map,
					      .known = &o->known,
					      .heading = &o->pacbot.heading,
					      .common = &o->common},
	    .inputs = &o->inputs,
	    .interactive = o->interactive,
	    .draw = draw};

	o->session.period = 1 / o->rate;
	if (pb_console_game_check(&p, files, n))
		pb_console_game_play(&p, files, n);
}

static void
play(const struct pb_sim_opts *o, char **files, int n)
{
	static void (*const run[PB_OPT_RULES])(const struct pb_sim_opts *o,
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
	struct pb_sim_opts o = pb_sim_defaults();
	int first;

	pb_msg_start(argv[0]);
	first = pb_sim_opts_read(&o, argc, argv);
	if (first >= 0 && pb_sim_opts_check(&o, argc - first)) {
		if (pb_cues_alone(&o.names))
			pb_cues_filter(&o.session.cues, &o.common, argv + first,
			    argc - first);
		else if (o.list)
			pb_opt_list_all();
		else if (pb_sim_commanded(&o))
			operate(&o, argv + first, argc - first);
		else
			play(&o, argv + first, argc - first);
	}
	pb_sim_opts_clear(&o);
	return pb_msg_finish();
}
