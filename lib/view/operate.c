/* operate.c - the operator's console of a game, with its pictures. */
#include "view/operate.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/console_tty.h"
#include "io/grid.h"
#include "io/stage_bot.h"
#include "view/still.h"

bool
pb_operate_check(const struct pb_operate *p, char *const *files, int n)
{
	bool needs_map = p->rules == PB_OPT_PACMANBOT && p->map == NULL;
	int uses = p->interactive + (needs_map && n == 0);

	for (int i = 0; i < n; i++)
		uses += strcmp(files[i], "-") == 0;
	for (int i = 0; i < p->inputs->n; i++)
		uses += p->inputs->input[i].file &&
		        strcmp(p->inputs->input[i].text, "-") == 0;
	if (p->rules != PB_OPT_PACMANBOT && n > 0)
		pb_msg_usage("the console of %s reads no files; see --script",
		    pb_opt_rules_name(p->rules));
	else if (uses > 1)
		pb_msg_usage("standard input cannot hold both %s; see --map "
			     "and --script",
		    needs_map ? "the map and commands" : "of two things");
	else
		return true;
	return false;
}

static void
draw(const char *records, size_t n)
{
	pb_still(records, n, stderr);
}

/* The game: of pacmanbot by bot, else by grid. */
static bool
open_stage(const struct pb_operate *p, const struct pb_botsim *bot,
    const struct pb_grid_opts *grid, char *const *files, int n,
    struct pb_stage *stage)
{
	static const struct pb_grid_type *const type[PB_OPT_RULES] = {
	    [PB_OPT_PACBOT] = &pb_grid_pacbot,
	    [PB_OPT_ROOMBA] = &pb_grid_roomba,
	    [PB_OPT_ZUMY] = &pb_grid_zumy};

	if (type[p->rules] == NULL)
		return pb_stage_bot_new(bot, files, n, grid->out, stage);
	return pb_grid_new(type[p->rules], grid, stage);
}

/* The rest comes from a person or a stream. */
static void
listen(struct pb_console *c, const struct pb_operate *p)
{
	if (!isatty(STDIN_FILENO)) {
		pb_console_file(c, "-", p->common->keep_going);
		return;
	}
	pb_console_tty(c);
}

/* On the screen, records would drown what commands tell. */
static void
hide_records(const struct pb_operate *p)
{
	if (!p->interactive || !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return;
	pb_msg_note("records are not shown: direct standard output to a file "
		    "to have them");
	if (freopen("/dev/null", "w", stdout) == NULL)
		pb_msg_system("/dev/null");
}

static void
play(const struct pb_operate *p, struct pb_console *c)
{
	enum pb_exit before = pb_msg_worst();

	pb_console_play(c, p->inputs, p->common->keep_going);
	if (p->interactive && !c->quit && !pb_console_stopped(c) &&
	    (pb_msg_worst() == before || p->common->keep_going))
		listen(c, p);
	if (!pb_msg_stopped())
		c->stage.type->leave(c->stage.game);
}

void
pb_operate(const struct pb_operate *p, char *const *files, int n)
{
	struct pb_text out = {.to = stdout};
	struct pb_settings settings;
	struct pb_botsim bot = {p->session, p->map, p->common};
	const struct pb_grid_opts grid = {p->constants, p->seed, p->trial,
	    p->player, p->map, p->rate, p->common, &out};
	char header[256];
	struct pb_console c = {.settings = &settings,
	    .out = &out,
	    .draw = draw,
	    .patience = p->session != NULL ? p->session->max_gap : 3600,
	    .header = header};

	pb_msg_catch();
	hide_records(p);
	pb_settings_init(&settings, p->rules, p->constants, p->seed, p->trial,
	    p->player, p->session);
	snprintf(header, sizeof(header), "%s, seed %llu, trial %llu, map %s",
	    pb_opt_rules_name(p->rules), (unsigned long long)*p->seed,
	    (unsigned long long)*p->trial, p->map != NULL ? p->map : "-");
	if (open_stage(p, &bot, &grid, files, n, &c.stage))
		play(p, &c);
	pb_console_clear(&c);
	if (p->rules == PB_OPT_PACMANBOT)
		pb_stage_bot_free(&c.stage);
	else
		pb_grid_free(&c.stage);
	pb_text_clear(&out);
}
