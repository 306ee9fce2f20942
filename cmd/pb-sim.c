/*
 * pb-sim - plays one game. Reads map, pellets, cmd; writes them on and the
 * trace of the game: state, event, goal, path, pose, pellets, ..., result.
 */
#include "io/console/console.h"
#include "io/opt/rules_opts.h"
#include "io/play/play.h"
#include "io/tool/sim_opts.h"
#include "view/drawing.h"
#include "view/show.h"

static void
run(const struct pb_sim_opts *o, const struct pb_pilot *pilot, char **files,
    int n)
{
	struct pb_play_left left = {.maze = {.rows = 0}};
	struct pb_play_opts p = {.game = o->game,
	    .player = pb_games[o->which].player[o->player],
	    .opts = o->opts,
	    .board = o->map,
	    .session = &o->session,
	    .heading = o->pacbot.heading,
	    .explorers = o->explorers,
	    .pilot = pilot,
	    .programs = &o->asked,
	    .robots = o->game->lockstep ? &o->pacbot.ghost : NULL,
	    .patience = o->pacbot.patience,
	    .outside = &o->outside,
	    .common = &o->common};
	const struct pb_pacsim other = {&o->pacbot, p.opts, &p};

	if (pb_pacsim_other(&o->pacbot)) {
		pb_pacsim_run(&other, files, n);
		return;
	}
	if (!pb_file_writable(o->heat))
		return;
	if (o->joystick != NULL &&
	    (p.joystick = pb_joystick_open(o->joystick, o->speed)) == NULL)
		return;
	pb_play_run(&p, files, n, &left);
	pb_joystick_close(p.joystick);
	pb_heat_match(o->heat, left.who, o->session.seed, o->session.trial,
	    &left.maze, &left.heat);
}

static void
operate(struct pb_sim_opts *o, char **files, int n)
{
	const struct pb_play_opts p = {.game = o->game,
	    .player = pb_games[o->which].player[o->player],
	    .board = o->map,
	    .session = &o->session,
	    .heading = o->pacbot.heading,
	    .explorers = o->explorers,
	    .common = &o->common};
	const struct pb_console_opts c = {.play = &p,
	    .set = &o->set,
	    .constants = &o->set.group[o->which],
	    .known = o->known,
	    .inputs = &o->inputs,
	    .interactive = o->interactive,
	    .draw = pb_still};

	if (pb_console_check(&c, files, n))
		pb_console_play(&c, files, n);
}

static void
play(const struct pb_sim_opts *o, char **files, int n)
{
	struct pb_human *human;
	struct pb_pilot pilot;

	if (!o->play) {
		run(o, NULL, files, n);
		return;
	}
	pb_msg_catch();
	if ((human = pb_human_begin(o->speed, &pilot)) == NULL)
		return;
	run(o, &pilot, files, n);
	pb_human_end(human);
}

int
main(int argc, char **argv)
{
	struct pb_sim_opts o;
	int first;

	pb_msg_start(argv[0]);
	first = pb_sim_opts_read(&o, argc, argv);
	if (first >= 0) {
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
