/* console_run.c - a console from its first command to its last: those of the
 * command line, a stream, or the terminal with GNU readline. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* After stdio. */
#include <readline/history.h>
#include <readline/readline.h>

#include "io/console/console.h"
#include "io/play/steering.h"
#include "io/stream/text.h"

#define HISTORY 1000 /* lines remembered */

/* readline has one state, and calls back without a context. */
static struct {
	struct pb_console *c;
	char *before; /* what is in front of the word being completed; owned */
	volatile sig_atomic_t asked;
	bool end;
} self;

static void
on_interrupt(int sig)
{
	(void)sig;
	self.asked = 1;
}

/* Where lines are remembered; false: nowhere. */
static bool
history_path(char *out, size_t size)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (state != NULL && state[0] == '/') {
		snprintf(out, size, "%s/pb", state);
		mkdir(state, 0700);
		mkdir(out, 0700);
		return snprintf(out, size, "%s/pb/history", state) < (int)size;
	}
	return home != NULL && home[0] != '\0' &&
	       snprintf(out, size, "%s/.pb_history", home) < (int)size;
}

/* What may stand here and begins with text. */
static char *
next_match(const char *text, int state)
{
	static int i;
	char word[PB_REC_TEXT];

	if (state == 0)
		i = 0;
	while (pb_console_word(self.c, self.before, i++, word, sizeof(word)))
		if (strncmp(word, text, strlen(text)) == 0)
			return pb_copy(word);
	return NULL;
}

static char **
complete(const char *text, int start, int end)
{
	char **matches = NULL;

	(void)end;
	if ((self.before = strndup(rl_line_buffer, (size_t)start)) == NULL)
		return NULL;
	if (!pb_console_wants_file(self.before)) {
		rl_attempted_completion_over = 1;
		matches = rl_completion_matches(text, next_match);
	}
	free(self.before);
	return matches;
}

static void
set_prompt(void)
{
	const struct pb_play *p = &self.c->p;
	char prompt[64];

	snprintf(prompt, sizeof(prompt), "%s %.6g> ", p->game->name,
	    pb_play_time(p));
	rl_set_prompt(prompt);
}

static void
remember(const char *line)
{
	const HIST_ENTRY *last =
	    history_length > 0 ? history_get(history_base + history_length - 1)
			       : NULL;

	if (*line != '\0' && (last == NULL || strcmp(last->line, line) != 0))
		add_history(line);
}

static void
on_line(char *line)
{
	struct pb_error bad = {""};

	if (line == NULL) {
		fputs("\n", stderr);
		self.end = true;
	} else {
		remember(line);
		self.asked = 0;
		if (!pb_console_do(self.c, line, strlen(line), &bad))
			fprintf(stderr, "%s%s", pb_utf8_clean(bad.text),
			    bad.text[0] != '\0' ? "\n" : "");
		else if (self.asked)
			fprintf(stderr, "stopped\n");
	}
	self.asked = 0;
	free(line);
	fflush(stdout);
	self.end |= self.c->quit || pb_console_stopped(self.c);
	if (self.end)
		rl_callback_handler_remove();
	else
		set_prompt();
}

/* Ctrl-C at the prompt: the line is forgotten. */
static void
cancel(void)
{
	self.asked = 0;
	fputs("\n", stderr);
	rl_replace_line("", 0);
	set_prompt();
	rl_on_new_line();
	rl_redisplay();
}

/* What else is to end a wait for a key. */
static const int signals[] = {SIGQUIT, SIGTSTP, SIGWINCH, 0};

/*
 * Hold signals back, *open being the mask before, and do what the last ones
 * asked for: what comes from now on ends the wait. readline lets through what
 * it does something about.
 */
static void
hold_signals(sigset_t *open)
{
	pb_msg_hold(signals, open);
	while (rl_pending_signal() != 0) {
		rl_check_signals();
		pb_msg_hold(signals, NULL);
	}
}

static void
loop(void)
{
	sigset_t open;

	while (!self.end) {
		bool key;

		hold_signals(&open);
		if (self.asked)
			cancel();
		self.end = pb_msg_stopped() || !pb_msg_out_ok();
		key = !self.end && pb_keys_wait(STDIN_FILENO, INFINITY, &open);
		pthread_sigmask(SIG_SETMASK, &open, NULL);
		if (key)
			rl_callback_read_char();
		else
			rl_check_signals();
	}
	rl_callback_handler_remove();
}

/*
 * Read commands from the terminal until the end of input, quit, or a signal.
 * Prompt and echo go to stderr. Ctrl-C cancels a line or stops a run. Lines
 * are remembered in $XDG_STATE_HOME/pb/history or ~/.pb_history, if that can
 * be written. A refused line is said and does no harm.
 */
static void
run_terminal(struct pb_console *c)
{
	struct sigaction sa = {.sa_handler = on_interrupt}, old, old_pipe;
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	char path[4096];
	bool keeps = history_path(path, sizeof(path));

	self.c = c;
	self.end = false;
	c->asked = &self.asked;
	sigaction(SIGINT, &sa, &old);
	sigaction(SIGPIPE, &ignore, &old_pipe);
	rl_readline_name = "pb-sim";
	rl_instream = stdin;
	rl_outstream = stderr;
	rl_persistent_signal_handlers = 1;
	rl_completer_word_break_characters = " \t";
	rl_attempted_completion_function = complete;
	using_history();
	stifle_history(HISTORY);
	if (keeps)
		read_history(path);
	rl_callback_handler_install("", on_line);
	set_prompt();
	rl_forced_update_display();
	loop();
	if (keeps)
		write_history(path);
	errno = 0; /* of a history that cannot be kept */
	sigaction(SIGINT, &old, NULL);
	sigaction(SIGPIPE, &old_pipe, NULL);
	c->asked = NULL;
}

bool
pb_console_check(const struct pb_console_opts *o, char *const *files, int n)
{
	bool needs_map = o->play->board == NULL;
	int uses = o->interactive + (needs_map && n == 0);

	for (int i = 0; i < n; i++)
		uses += strcmp(files[i], "-") == 0;
	for (int i = 0; i < o->inputs->n; i++)
		uses += o->inputs->input[i].file &&
		        strcmp(o->inputs->input[i].text, "-") == 0;
	return uses <= 1 ||
	       pb_msg_usage("standard input cannot hold both %s; see --map "
			    "and --script",
		   needs_map ? "the map and commands" : "of two things");
}

/* The commands of the command line; false if one was refused and ends it. */
static bool
play_inputs(struct pb_console *c, bool keep_going)
{
	const struct pb_console_inputs *l = c->o->inputs;
	bool ok = true;

	for (int i = 0; i < l->n && ok; i++) {
		const char *text = l->input[i].text;
		struct pb_error bad;

		if (l->input[i].file)
			ok = pb_console_file(c, text, keep_going);
		else if (!pb_console_do(c, text, strlen(text), &bad))
			ok = pb_msg_error_at(
			    (struct pb_place){"--command", i + 1}, &bad);
		ok = (ok || keep_going) && !c->quit && !pb_console_stopped(c);
	}
	return ok;
}

void
pb_console_play(const struct pb_console_opts *o, char *const *files, int n)
{
	bool keep_going = o->play->common->keep_going;
	struct pb_console *c = pb_alloc(1, sizeof(*c));

	pb_msg_catch();
	if (pb_console_open(c, o, files, n)) {
		if (play_inputs(c, keep_going) && o->interactive) {
			if (isatty(STDIN_FILENO))
				run_terminal(c);
			else
				pb_console_file(c, "-", keep_going);
		}
		if (!pb_msg_stopped())
			pb_console_leave(c);
	}
	pb_console_close(c);
	free(c);
}
