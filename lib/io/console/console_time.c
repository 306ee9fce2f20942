/* console_time.c - the console's commands that let time pass, and those that
 * turn it back. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/console/console.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "io/stream/num.h"
#include "io/stream/pace.h"
#include "io/stream/suggest.h"
#include "io/stream/utf8.h"

/* Longest run that is asked for by number. */
#define STEPS 1e9

/* When a run ends. */
struct until {
	double steps; /* after so many, INFINITY: no limit */
	double t;     /* or at this time of the game (s) */
	bool idle;    /* or when nothing goes on */
	char name[PB_REC_WORD], op[3], value[PB_REC_TEXT]; /* name "": none */
};

static bool
compares(double a, const char *op, double b)
{
	if (op[0] == '<')
		return a < b || (op[1] == '=' && a == b);
	if (op[0] == '>')
		return a > b || (op[1] == '=' && a == b);
	return (a == b) == (op[0] == '=');
}

/* Whether what was waited for has come. */
static bool
holds(const struct pb_console *c, const struct until *u)
{
	char now[PB_REC_TEXT] = "";
	double a, b;

	if (u->name[0] == '\0')
		return false;
	pb_console_known(c, u->name, now, sizeof(now));
	if (pb_num_parse(now, &a) && pb_num_parse(u->value, &b))
		return compares(a, u->op, b);
	return (strcmp(now, u->value) == 0) == (u->op[0] == '=') &&
	       (u->op[0] == '=' || u->op[0] == '!');
}

static bool
step(struct pb_console *c)
{
	if (!pb_stage_step(&c->stage))
		return false;
	c->steps++;
	pb_console_cues(c);
	return true;
}

/* How long a condition may take (s). */
static double
patience(const struct pb_console *c)
{
	return c->settings->of->session->max_gap;
}

/* Say how a run ended: the time, and what stopped it. */
static void
tell_end(const struct pb_console *c, const char *why)
{
	const struct pb_stage *s = &c->stage;
	char state[PB_REC_TEXT] = "", outcome[PB_REC_TEXT] = "";

	pb_console_known(c, "state", state, sizeof(state));
	pb_console_known(c, "outcome", outcome, sizeof(outcome));
	pb_msg_note("run ended at t %.6g: %s; state %s%s%s",
	    pb_play_time(&s->p), pb_console_stopped(c) ? "stopped" : why, state,
	    outcome[0] != '\0' ? ", outcome " : "", outcome);
}

/*
 * Why what u waits for can never come, NULL if it may: counts that only go up
 * or down, times that are too far ahead, a game in which nothing goes on.
 */
static bool
can_come(
    const struct pb_console *c, const struct until *u, struct pb_error *bad)
{
	static const struct {
		const char *name;
		int way;
	} count[] = {{"t", 1}, {"score", 1}, {"level", 1}, {"lives", -1}};
	const struct pb_stage *s = &c->stage;
	char now[PB_REC_TEXT] = "";
	double a, b, gap;
	bool numbers;

	pb_console_known(c, u->name, now, sizeof(now));
	numbers = pb_num_parse(now, &a) && pb_num_parse(u->value, &b);
	if (pb_num_parse(now, &a) && !numbers)
		return pb_error_set(
		    bad, "%s is a number, got \"%.80s\"", u->name, u->value);
	for (size_t i = 0; numbers && i < sizeof(count) / sizeof(*count); i++) {
		bool up = count[i].way > 0;
		bool past = up ? a > b : a < b;

		/* Of a game with rounds that begin anew only time is such. */
		if (i > 0 && s->p.game->board == NULL)
			break;
		if (strcmp(count[i].name, u->name) != 0 || u->op[0] == '!' ||
		    u->op[0] == (up ? '>' : '<'))
			continue;
		if (past || (a == b && u->op[1] == '\0' && u->op[0] != '='))
			return pb_error_set(bad,
			    "%s is %s already and only goes %s", u->name, now,
			    up ? "up" : "down");
	}
	gap =
	    numbers && strcmp(u->name, "t") == 0 && u->op[0] != '!' ? b - a : 0;
	if (gap > patience(c))
		return pb_error_set(bad,
		    "t %s is more than %g s ahead; see --max-gap", u->value,
		    patience(c));
	if (pb_stage_idle(s) &&
	    (strcmp(u->name, "t") != 0 || s->p.game->starts))
		return pb_error_set(
		    bad, "nothing goes on, and %s is \"%s\"", u->name, now);
	return true;
}

/* Let time pass until u says so. Returns whether that was what ended it. */
static bool
pass(struct pb_console *c, const struct until *u)
{
	struct pb_stage *s = &c->stage;
	double t = pb_play_time(&s->p), dt = s->p.game->dt(s->p.state);
	double now = t;
	struct timespec from = pb_pace_now();

	while (!pb_console_stopped(c)) {
		if ((double)c->steps >= u->steps || now > u->t - dt / 2 ||
		    holds(c, u) || (u->idle && pb_stage_idle(s)))
			return true;
		if (!step(c))
			return u->name[0] == '\0';
		now = pb_play_time(&s->p);
		if (c->speed > 0) {
			fflush(stdout);
			pb_pace_wait(from, (now - t) / c->speed);
		}
		if (u->name[0] != '\0' && now - t > patience(c))
			return false;
	}
	return true; /* who stopped it knows */
}

void
pb_console_live(struct pb_console *c, double now)
{
	struct pb_stage *s = &c->stage;
	double dt = s->p.game->dt(s->p.state) / (c->speed > 0 ? c->speed : 1);

	c->due = pb_pace_due(c->due, now);
	while (c->live && c->due <= now) {
		c->due += dt;
		c->live = step(c);
	}
}

bool
pb_console_step(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	struct until u = {.steps = 1, .t = INFINITY};

	if (*arg != '\0' &&
	    !pb_console_number(arg, "a number of steps", &u.steps, bad))
		return false;
	if (u.steps < 1 || u.steps > STEPS || u.steps != floor(u.steps))
		return pb_error_set(bad,
		    "expected a number of steps from 1 to %.0f, got %s", STEPS,
		    arg);
	pass(c, &u);
	if (c->steps == 0 && !pb_console_stopped(c))
		return pb_error_set(bad, "the game is over");
	return true;
}

/* "name>=value", blanks around the sign allowed. */
static bool
read_condition(const struct pb_console *c, const char *arg, struct until *u,
    struct pb_error *bad)
{
	static const char *const op[] = {">=", "<=", "!=", "=", ">", "<"};
	const char *end = arg + strcspn(arg, "<>=!"), *name = end, *value;
	char now[PB_REC_TEXT];
	struct pb_suggest near;
	size_t n = 0;

	while (name > arg && name[-1] == ' ')
		name--;
	for (size_t i = 0; i < sizeof(op) / sizeof(*op) && n == 0; i++)
		if (strncmp(end, op[i], strlen(op[i])) == 0)
			n = strlen(op[i]);
	value = end + n + strspn(end + n, " \t");
	if (n == 0 || *value == '\0' || name == arg ||
	    (size_t)(name - arg) >= sizeof(u->name) ||
	    strlen(value) >= sizeof(u->value))
		return pb_error_set(bad,
		    "expected name, one of >= <= != = > <, value, got "
		    "\"%.80s\"",
		    arg);
	memcpy(u->name, arg, (size_t)(name - arg));
	memcpy(u->op, end, n);
	snprintf(u->value, sizeof(u->value), "%s", value);
	near = pb_suggest_for(u->name);
	for (size_t i = 0; pb_stage_name(&c->stage, i) != NULL; i++)
		pb_suggest_list(&near, pb_stage_name(&c->stage, i));
	return pb_console_known(c, u->name, now, sizeof(now)) ||
	       pb_error_set(bad, "nothing is known as \"%s\"; see status%s",
		   u->name, pb_suggest_text(&near));
}

static bool
run_until(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	struct until u = {.steps = INFINITY, .t = INFINITY};

	if (!read_condition(c, arg, &u, bad))
		return false;
	if (!holds(c, &u) && !can_come(c, &u, bad))
		return false;
	if (pass(c, &u)) {
		tell_end(c, arg);
		return true;
	}
	return pb_stage_idle(&c->stage)
	           ? pb_error_set(bad, "the game ended before %s", arg)
	           : pb_error_set(bad, "no %s within %g s", arg, patience(c));
}

bool
pb_console_run(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	struct pb_stage *s = &c->stage;
	struct until u = {.steps = INFINITY, .t = INFINITY, .idle = true};
	double seconds = 0;

	if (strncmp(arg, "until ", 6) == 0)
		return run_until(c, arg + 6 + strspn(arg + 6, " \t"), bad);
	if (*arg != '\0') {
		if (!pb_console_number(arg,
			"seconds, or \"until\" and a condition", &seconds, bad))
			return false;
		if (seconds <= 0 || seconds > 1e6)
			return pb_error_set(bad,
			    "expected seconds above 0 and up to 1000000, got "
			    "%s",
			    arg);
		u.t = pb_play_time(&s->p) + seconds;
		u.idle = false;
	}
	pass(c, &u);
	if (c->steps == 0 && !pb_console_stopped(c))
		return pb_error_set(bad, "nothing goes on");
	if (pb_stage_idle(s))
		tell_end(c, "nothing more goes on");
	else
		tell_end(c, "the time is over");
	return true;
}

bool
pb_console_speed(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	double v = 0;

	if (*arg == '\0') {
		fprintf(stderr, "speed %g\n", c->speed);
		return true;
	}
	if (!pb_console_number(arg, "a number", &v, bad))
		return false;
	if (v != 0 && (v < 0.01 || v > 1000))
		return pb_error_set(
		    bad, "expected 0, or 0.01 to 1000, got %s", arg);
	c->speed = v;
	return true;
}

bool
pb_console_go(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	(void)arg;
	if (c->asked == NULL)
		return pb_error_set(bad, "needs a terminal; see run");
	c->live = true;
	c->due = 0;
	return true;
}

bool
pb_console_pause(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	(void)arg;
	(void)bad;
	c->live = false;
	return true;
}

bool
pb_console_keep(struct pb_console *c, enum pb_console_changes what,
    struct pb_console_past *p)
{
	*p = (struct pb_console_past){.game = NULL};
	switch (what) {
	case PB_CHANGES_GAME:
		p->game = pb_stage_save(&c->stage);
		p->cues = pb_cues_save(pb_console_ring(c));
		return p->game != NULL;
	case PB_CHANGES_SETTINGS:
		p->settings = pb_settings_save(c->settings);
		return p->settings != NULL;
	default:
		return true;
	}
}

void
pb_console_forget(struct pb_console_past *p)
{
	if (p->game != NULL)
		pb_stage_drop(p->game);
	free(p->settings);
	*p = (struct pb_console_past){.game = NULL};
}

void
pb_console_push(struct pb_console *c, struct pb_console_past p)
{
	if (c->undos == PB_CONSOLE_UNDO) {
		pb_console_forget(&c->undo[0]);
		memmove(c->undo, c->undo + 1,
		    (PB_CONSOLE_UNDO - 1) * sizeof(*c->undo));
		c->undos--;
	}
	c->undo[c->undos++] = p;
}

/* Be at p again: a record that the operator has turned time back, and what is
 * the case then. */
static void
go_back(struct pb_console *c, const struct pb_console_past *p, const char *what)
{
	struct pb_stage *s = &c->stage;
	struct pb_rec_cmd r = {.kind = PB_VALUE_NONE};

	if (p->settings != NULL)
		pb_settings_load(c->settings, p->settings);
	if (p->game == NULL)
		return;
	pb_stage_load(s, p->game);
	PB_REC_SET(r.name, what);
	pb_rec_put(
	    c->out, PB_REC_CMD, pb_stamp_at(pb_play_time(&s->p), NULL), &r);
	pb_stage_put(s, PB_STAGE_NOW, c->out);
	pb_cues_load(pb_console_ring(c), &p->cues);
}

/* Take the last thing that can be taken back into *p, which has what came
 * behind it. */
static void
pop(struct pb_console *c, struct pb_console_past *p)
{
	struct pb_console_past *last = &c->undo[--c->undos];

	if (last->game != NULL) {
		if (p->game != NULL)
			pb_stage_drop(p->game);
		p->game = last->game;
		p->cues = last->cues;
	}
	if (last->settings != NULL) {
		free(p->settings);
		p->settings = last->settings;
	}
}

bool
pb_console_undo(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	struct pb_console_past to = {.game = NULL};
	double n = 1;

	if (*arg != '\0' &&
	    !pb_console_number(arg, "a number of commands", &n, bad))
		return false;
	if (c->undos == 0)
		return pb_error_set(bad, "there is nothing to take back");
	if (n < 1 || n > c->undos || n != floor(n))
		return pb_error_set(bad,
		    "expected 1 to %d commands to take back, got %s", c->undos,
		    arg);
	for (int i = 0; i < (int)n; i++)
		pop(c, &to);
	go_back(c, &to, "undo");
	pb_console_forget(&to);
	return true;
}

static struct pb_console_mark *
find_mark(struct pb_console *c, const char *name)
{
	for (int i = 0; i < c->marks; i++)
		if (strcmp(c->mark[i].name, name) == 0)
			return &c->mark[i];
	return NULL;
}

bool
pb_console_snapshot(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	struct pb_console_mark *m = find_mark(c, arg);
	struct pb_console_past now;

	if (*arg == '\0') {
		for (int i = 0; i < c->marks; i++) {
			pb_utf8_print(c->mark[i].name, stderr);
			putc('\n', stderr);
		}
		return true;
	}
	if (strlen(arg) >= sizeof(m->name))
		return pb_error_set(bad, "expected a name of at most %zu bytes",
		    sizeof(m->name) - 1);
	if (m == NULL && c->marks == PB_CONSOLE_MARKS)
		return pb_error_set(
		    bad, "there are %d snapshots already", c->marks);
	if (!pb_console_keep(c, PB_CHANGES_GAME, &now))
		return pb_error_nomem(bad, arg);
	if (m == NULL)
		m = &c->mark[c->marks++];
	else
		pb_console_forget(&m->was);
	snprintf(m->name, sizeof(m->name), "%s", arg);
	m->was = now;
	return true;
}

/* Forget all that belongs to a game that is no more. */
static void
forget_all(struct pb_console *c)
{
	for (int i = 0; i < c->undos; i++)
		pb_console_forget(&c->undo[i]);
	for (int i = 0; i < c->marks; i++)
		pb_console_forget(&c->mark[i].was);
	c->undos = c->marks = 0;
}

bool
pb_console_restart(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	struct pb_stage *s = &c->stage;
	struct pb_console_mark *m = find_mark(c, arg);
	struct pb_console_past now;

	if (*arg != '\0') {
		if (m == NULL)
			return pb_error_set(bad, "no snapshot \"%.80s\"", arg);
		if (!pb_console_keep(c, PB_CHANGES_GAME, &now))
			return pb_error_nomem(bad, "undo");
		pb_console_push(c, now);
		go_back(c, &m->was, "restart");
		return true;
	}
	if (!pb_stage_begin(s, bad))
		return false;
	c->cues = (struct pb_cues){.o = NULL}; /* no clock runs backwards */
	forget_all(c);
	c->anew = true;
	return true;
}

void
pb_console_clear(struct pb_console *c)
{
	forget_all(c);
	pb_text_clear(&c->session);
}

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

	if (in == NULL)
		return pb_msg_system("no memory to read %.80s", path);
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
