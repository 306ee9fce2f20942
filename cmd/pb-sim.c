/*
 * pb-sim - plays one game. Reads map, pellets, cmd; passes them on, and writes
 * the trace of the game: state, event, goal, path, pose, pellets, ..., result.
 */
#include <stdio.h>
#include <unistd.h>

#include "io/console/console.h"
#include "io/opt/rules_opts.h"
#include "io/play/play.h"
#include "io/stream/file.h"
#include "io/tool/sim_opts.h"
#include "view/drawing.h"
#include "view/show.h"

static struct pb_play_opts
make_play_opts(const struct pb_sim_opts *o)
{
	return (struct pb_play_opts){.game = o->game,
	    .player = pb_games[o->which].player[o->player],
	    .board = o->map,
	    .pixels = &o->pixels,
	    .session = &o->session,
	    .heading = o->pacbot.heading,
	    .common = &o->common,
	    .summary = o->pictures};
}

static void
run_chosen_mode(const struct pb_sim_opts *o, const struct pb_pilot *pilot,
    char **files, int n)
{
	struct pb_play_opts p = make_play_opts(o);
	const struct pb_pacsim other = {&o->pacbot, o->opts, &p};

	p.opts = o->opts;
	p.pilot = pilot;
	p.programs = &o->asked;
	p.robots = o->game->lockstep ? &o->pacbot.ghost : NULL;
	p.patience = o->pacbot.patience;
	p.outside = &o->outside;
	if (pb_pacsim_other(&o->pacbot)) {
		pb_pacsim_run(&other, files, n);
		return;
	}
	if (o->joystick != NULL &&
	    (p.joystick = pb_joystick_open(o->joystick, o->speed)) == NULL)
		return;
	pb_play_run(&p, files, n);
	pb_joystick_close(p.joystick);
}

static void
run_console(struct pb_sim_opts *o, char **files, int n)
{
	const struct pb_play_opts p = make_play_opts(o);
	const struct pb_console_opts c = {.play = &p,
	    .set = &o->set,
	    .constants = &o->set.group[o->which],
	    .inputs = &o->inputs,
	    .interactive = o->interactive,
	    .draw = pb_still};

	if (pb_console_check(&c, files, n))
		pb_console_play(&c, files, n);
}

static void
run_game(struct pb_sim_opts *o, char **files, int n)
{
	struct pb_human *human;
	struct pb_pilot pilot;

	if (pb_sim_commanded(o)) {
		run_console(o, files, n);
		return;
	}
	if (!o->play) {
		run_chosen_mode(o, NULL, files, n);
		return;
	}
	pb_msg_catch();
	if ((human = pb_human_begin(o->speed, &pilot)) == NULL)
		return;
	run_chosen_mode(o, &pilot, files, n);
	pb_human_end(human);
}

/* On a terminal, draw the end of the game instead of writing its records. */
static void
draw_picture(struct pb_sim_opts *o, char **files, int n)
{
	const struct pb_show_opts show = {
	    .terminal = true, .speed = 1, .render.trail = PB_RENDER_TRAIL};
	struct pb_file records;
	struct pb_error bad;
	int out;

	if (pb_file_scratch(&records, &bad) != 0) {
		pb_msg_error(&bad);
		return;
	}
	pb_msg_note("records are not shown: add \">game.jsonl\" to keep them, "
		    "\"| jq\" to read them");
	o->pictures = true;
	out = dup(STDOUT_FILENO);
	dup2(fileno(records.out), STDOUT_FILENO);
	run_game(o, files, n);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	close(out);
	if (pb_msg_worst() == PB_EXIT_OK && !pb_msg_stopped())
		pb_show_stream(&show, &o->common, &records.temp, 1);
	pb_file_abandon(&records);
}

int
main(int argc, char **argv)
{
	static struct pb_sim_opts o;
	int first;

	pb_msg_start(argv[0]);
	first = pb_sim_opts_read(&o, argc, argv);
	if (first >= 0) {
		if (pb_cues_alone(&o.names))
			pb_cues_filter(&o.session.cues, &o.common, argv + first,
			    argc - first);
		else if (o.list)
			pb_opt_list_all();
		else if (isatty(STDOUT_FILENO) && !o.play &&
			 !pb_pacsim_other(&o.pacbot))
			draw_picture(&o, argv + first, argc - first);
		else
			run_game(&o, argv + first, argc - first);
	}
	pb_sim_opts_clear(&o);
	return pb_msg_finish();
}
