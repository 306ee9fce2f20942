/* console_game.c - a game played by the commands of its operator. */
#include "io/console/console_game.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/console/console_tty.h"

bool
pb_console_game_check(
    const struct pb_console_game *p, char *const *files, int n)
{
	bool needs_map =
	    pb_games[p->game.rules].game->board == NULL && *p->game.map == NULL;
	int uses = p->interactive + (needs_map && n == 0);

	for (int i = 0; i < n; i++)
		uses += strcmp(files[i], "-") == 0;
	for (int i = 0; i < p->inputs->n; i++)
		uses += p->inputs->input[i].file &&
		        strcmp(p->inputs->input[i].text, "-") == 0;
	if (pb_games[p->game.rules].game->board != NULL && n > 0)
		pb_msg_usage("the console of %s reads no files; see --script",
		    pb_games[p->game.rules].game->name);
	else if (uses > 1)
		pb_msg_usage("standard input cannot hold both %s; see --map "
			     "and --script",
		    needs_map ? "the map and commands" : "of two things");
	else
		return true;
	return false;
}

/* The rest comes from a person or a stream. */
static void
listen(struct pb_console *c, const struct pb_console_game *p)
{
	if (!isatty(STDIN_FILENO)) {
		pb_console_file(c, "-", p->game.common->keep_going);
		return;
	}
	pb_console_tty(c);
}

/* On the screen, records would drown what commands tell. */
static void
hide_records(const struct pb_console_game *p)
{
	if (!p->interactive || !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return;
	pb_msg_note("records are not shown: direct standard output to a file "
		    "to have them");
	if (freopen("/dev/null", "w", stdout) == NULL)
		pb_msg_system("/dev/null");
}

static void
play(const struct pb_console_game *p, struct pb_console *c)
{
	enum pb_exit before = pb_msg_worst();

	pb_console_play(c, p->inputs, p->game.common->keep_going);
	if (p->interactive && !c->quit && !pb_console_stopped(c) &&
	    (pb_msg_worst() == before || p->game.common->keep_going))
		listen(c, p);
	if (!pb_msg_stopped())
		pb_stage_leave(&c->stage);
}

void
pb_console_game_play(const struct pb_console_game *p, char *const *files, int n)
{
	struct pb_text out = {.to = stdout};
	struct pb_stage_opts o = p->game;
	const struct pb_session_opts *session = o.session;
	struct pb_settings settings = {.of = &o};
	char header[256];
	struct pb_console c = {.settings = &settings,
	    .out = &out,
	    .draw = p->draw,
	    .header = header};

	pb_msg_catch();
	hide_records(p);
	snprintf(header, sizeof(header), "%s, seed %llu, trial %llu, map %s",
	    pb_games[o.rules].game->name, (unsigned long long)session->seed,
	    (unsigned long long)session->trial, *o.map != NULL ? *o.map : "-");
	if (pb_stage_open(&c.stage, &o, files, n))
		play(p, &c);
	pb_console_clear(&c);
	pb_stage_close(&c.stage);
	pb_settings_clear(&settings);
	pb_text_clear(&out);
}
