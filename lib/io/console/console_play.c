/* console_play.c - commands from the command line, files and streams. */
#include <string.h>

#include "io/console/console_parts.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"

static bool
play_lines(struct pb_console *c, struct pb_lines *in, bool keep_going)
{
	struct pb_error bad = {""};
	struct pb_line l;
	bool all = true;

	while (!c->quit && !pb_console_stopped(c)) {
		enum pb_line_got got = pb_lines_next(in, &l, &bad);

		if (got == PB_LINE_END)
			break;
		if (got == PB_LINE_FAIL)
			return false;
		if (got == PB_LINE_TEXT &&
		    pb_console_do(c, l.text, l.len, &bad))
			continue;
		pb_msg_error_at(l.at, &bad);
		all = false;
		if (!keep_going)
			break;
	}
	return all;
}

bool
pb_console_file(struct pb_console *c, const char *path, bool keep_going)
{
	char *file = (char *)path;
	struct pb_lines *in = pb_lines_new(&file, 1);
	bool ok;

	if (in == NULL) {
		pb_msg_system("no memory to read %.80s", path);
		return false;
	}
	c->depth++;
	ok = play_lines(c, in, keep_going);
	c->depth--;
	pb_lines_free(in);
	return ok;
}

static bool
play_line(struct pb_console *c, const char *line, long i)
{
	struct pb_error bad;

	if (pb_console_do(c, line, strlen(line), &bad))
		return true;
	pb_msg_error_at((struct pb_place){"--command", i}, &bad);
	return false;
}

bool
pb_console_add_line(void *to, const char *arg, struct pb_error *bad)
{
	struct pb_console_inputs *l = to;

	if (l->n == PB_CONSOLE_INPUTS)
		return pb_error_set(
		    bad, "given more than %d times", PB_CONSOLE_INPUTS);
	l->input[l->n++] = (struct pb_console_input){arg, false};
	return true;
}

bool
pb_console_add_file(void *to, const char *arg, struct pb_error *bad)
{
	struct pb_console_inputs *l = to;

	if (!pb_console_add_line(to, arg, bad))
		return false;
	l->input[l->n - 1].file = true;
	return true;
}

void
pb_console_play(
    struct pb_console *c, const struct pb_console_inputs *l, bool keep_going)
{
	for (int i = 0; i < l->n; i++) {
		const struct pb_console_input *in = &l->input[i];
		bool ok = in->file ? pb_console_file(c, in->text, keep_going)
		                   : play_line(c, in->text, i + 1);

		if ((!ok && !keep_going) || c->quit || pb_console_stopped(c))
			return;
	}
}
