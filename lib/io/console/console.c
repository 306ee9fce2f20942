/* console.c - an operator's commands to a game: their table, and a console
 * that reads them from the command line, a stream, or a terminal with GNU
 * readline. */
#include "io/console/console.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* readline needs stdio.h before it. */
#include <readline/history.h>
#include <readline/readline.h>

#include "game/pellets.h"
#include "io/play/steering.h"
#include "io/play/weights_opt.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "io/stream/pace.h"
#include "io/stream/text.h"

/* Make a new world of the current constants; on failure nothing changes. */
static bool
remake_world(struct pb_console *c, struct pb_error *bad)
{
	const struct pb_ground ground = pb_play_ground(&c->p);
	_Alignas(double) unsigned char before[PB_RULES_OPTS];
	const struct pb_player *player = c->play.player;
	struct pb_error why;

	memcpy(before, c->opts, sizeof(before));
	memcpy(c->opts, c->o->constants->base, c->p.game->opts_size);
	c->play.player = c->player;
	if (pb_play_on(&c->p, &ground, &why))
		return true;
	memcpy(c->opts, before, sizeof(before));
	c->play.player = player;
	*bad = why;
	return false;
}

/* Restart the game with the current constants. False: bad says why (empty: a
 * message was printed), and the old game goes on. */
static bool
begin_game(struct pb_console *c, struct pb_error *bad)
{
	const void *next = c->o->constants->base;
	char why[PB_GAME_WHY];
	const char *field = pb_game_check(c->p.game, next, why);

	if (field != NULL)
		return pb_error_set(bad, "%s: %s", field, why);
	if (!remake_world(c, bad))
		return false;
	bad->text[0] = '\0';
	return pb_play_begin(&c->p);
}

/* Play one step. False: the game is over. */
static bool
step_game(struct pb_console *c)
{
	if (pb_operator_over(&c->p))
		return false;
	pb_operator_step(&c->p);
	return true;
}

/* Whether the game waits for a command. */
static bool
is_idle(const struct pb_console *c)
{
	return pb_operator_idle(&c->p) || pb_operator_over(&c->p);
}

const char *
pb_console_state(const struct pb_console *c)
{
	struct pb_standing now;

	c->p.game->on_map->standing(c->p.state, &now);
	return now.phase;
}

const char *
pb_console_outcome(const struct pb_console *c)
{
	return c->p.game->ending(c->p.state);
}

static void
print_word(const char *name, const char *word)
{
	if (word[0] != '\0')
		fprintf(stderr, "%-12s %s\n", name, word);
}

/* Print a count; below 0: unknown. */
static void
print_count(const char *name, long n)
{
	if (n >= 0)
		fprintf(stderr, "%-12s %ld\n", name, n);
}

static void
print_place(const char *name, struct pb_pose p, const char *nowhere)
{
	if (isnan(p.x))
		print_word(name, nowhere);
	else
		fprintf(stderr, "%-12s %.2f,%.2f\n", name, p.x, p.y);
}

static void
print_map_status(const struct pb_console *c)
{
	const struct pb_game *g = c->p.game;
	const void *state = c->p.state;
	const unsigned char *there;
	struct pb_standing now;
	struct pb_pose at = {NAN, NAN, 0};
	bool localized = pb_game_estimate(g, state, &at);
	long left = 0;
	int all;

	g->on_map->standing(state, &now);
	g->on_map->pellets(state, &all, &there);
	for (int i = 0; i < all; i++)
		left += there[i];
	print_count("round", now.round);
	print_count("spawned", now.spawned);
	print_count("collected", now.collected);
	print_count("left", left);
	print_count("score", now.score);
	print_word("result", now.result);
	print_word("localized", localized ? "yes" : "no");
	fprintf(stderr, "%-12s %.4g\n", "clyde-speed", now.ghost_speed);
	if (!localized)
		at.x = NAN;
	print_place("robot", at, "unknown");
	print_place("clyde", pb_game_pose(g, state, 1), "none");
	print_count("ended", g->on_map->ended(state));
}

/* What completes the word behind a command. */
enum words { WORDS_NONE, WORDS_COMMANDS, WORDS_CONSTANTS };

/* A command with its argument. */
struct call {
	const struct command *v;
	const char *arg; /* the text after the name, or "" */
	struct pb_error *bad;
};

/* One command of the table. */
struct command {
	const char *name, *args; /* "": no arguments */
	const char *help;        /* one line, no capital, no full stop */
	bool (*act)(struct pb_console *c, struct call *k);
	enum words words;

	/* Of commands that send a cmd record: */
	const char *cmd;  /* name of the record */
	const char *what; /* its value, for people */
};

/* Whether the user interrupts a run. */
static bool
is_stopped(const struct pb_console *c)
{
	return pb_msg_stopped() || !pb_msg_out_ok() ||
	       (c->asked != NULL && *c->asked);
}

static bool
parse_number(const char *arg, const char *what, double *v, struct pb_error *bad)
{
	return pb_num_parse(arg, v) ||
	       pb_error_set(bad, "expected %s, got \"%.80s\"", what, arg);
}

/* Read the first word of *at into out, and move *at behind it; false: none, or
 * too long. */
static bool
parse_word(const char **at, char *out, size_t size)
{
	size_t n = strcspn(*at, " \t");

	if (n == 0 || n >= size)
		return false;
	memcpy(out, *at, n);
	out[n] = '\0';
	*at += n + strspn(*at + n, " \t");
	return true;
}

/* Most steps of a run. */
#define STEPS 1e9

/* When a run ends. */
struct until {
	double steps; /* ends after so many, INFINITY: no limit */
	double t;     /* or at this time of the game (s) */
	bool idle;    /* or when the game waits for a command */
};

/* Play until u is reached; returns the number of steps. */
static double
run_until(struct pb_console *c, const struct until *u)
{
	double from = pb_play_time(&c->p),
	       dt = pb_game_dt(c->p.game, c->p.state);
	double now = from, steps = 0;
	struct timespec began = pb_pace_now();

	while (!is_stopped(c) && steps < u->steps && now <= u->t - dt / 2 &&
	       !(u->idle && is_idle(c)) && step_game(c)) {
		steps++;
		now = pb_play_time(&c->p);
		if (c->speed > 0) {
			fflush(stdout);
			pb_pace_wait(began, (now - from) / c->speed);
		}
	}
	return steps;
}

static bool
do_step(struct pb_console *c, struct call *k)
{
	struct until u = {.steps = 1, .t = INFINITY};

	if (*k->arg != '\0' &&
	    !parse_number(k->arg, "a number of steps", &u.steps, k->bad))
		return false;
	if (u.steps < 1 || u.steps > STEPS || u.steps != floor(u.steps))
		return pb_error_set(k->bad,
		    "expected a number of steps from 1 to %.0f, got %s", STEPS,
		    k->arg);
	return run_until(c, &u) > 0 || is_stopped(c) ||
	       pb_error_set(k->bad, "the game is over");
}

/* Print how a run ended: the time, and what stopped it. */
static void
print_end(const struct pb_console *c)
{
	const char *outcome = pb_console_outcome(c);
	const char *why = is_stopped(c) ? "stopped"
	                  : is_idle(c)  ? "the game waits for a command"
	                                : "the time is over";

	pb_msg_note("run ended at t %.6g: %s; state %s%s%s",
	    pb_play_time(&c->p), why, pb_console_state(c),
	    outcome[0] != '\0' ? ", outcome " : "", outcome);
}

static bool
do_run(struct pb_console *c, struct call *k)
{
	struct until u = {.steps = INFINITY, .t = INFINITY, .idle = true};
	double seconds = 0;

	if (*k->arg != '\0') {
		if (!parse_number(k->arg, "seconds", &seconds, k->bad))
			return false;
		if (seconds <= 0 || seconds > 1e6)
			return pb_error_set(k->bad,
			    "expected seconds above 0 and up to 1000000, got "
			    "%s",
			    k->arg);
		u.t = pb_play_time(&c->p) + seconds;
		u.idle = false;
	}
	if (run_until(c, &u) == 0 && !is_stopped(c))
		return pb_error_set(
		    k->bad, "the game waits for a command; try start");
	print_end(c);
	return true;
}

static bool
do_speed(struct pb_console *c, struct call *k)
{
	double times = 0;

	if (*k->arg == '\0') {
		fprintf(stderr, "speed %g\n", c->speed);
		return true;
	}
	if (!parse_number(k->arg, "a number", &times, k->bad))
		return false;
	if (times != 0 && (times < 0.01 || times > 1000))
		return pb_error_set(
		    k->bad, "expected 0, or 0.01 to 1000, got %s", k->arg);
	c->speed = times;
	return true;
}

static bool
do_restart(struct pb_console *c, struct call *k)
{
	return begin_game(c, k->bad);
}

static bool
do_status(struct pb_console *c, struct call *k)
{
	(void)k;
	fprintf(stderr, "%-12s %.6g\n", "t", pb_play_time(&c->p));
	print_word("state", pb_console_state(c));
	print_map_status(c);
	print_word("outcome", pb_console_outcome(c));
	return true;
}

static bool
do_state(struct pb_console *c, struct call *k)
{
	(void)k;
	pb_trace_state(&c->p.trace, &c->p.c.out);
	return true;
}

/* Draw the current state. */
static bool
do_map(struct pb_console *c, struct call *k)
{
	const struct pb_trace *t = &c->p.trace;
	struct pb_text o = {NULL};

	(void)k;
	pb_rec_put(&o, PB_REC_MAP, pb_stamp_none(), &c->p.land.map);
	pb_trace_state(t, &o);
	pb_trace_pellets(t, NULL, &o);
	pb_trace_poses(t, &o);
	if (c->o->draw != NULL)
		c->o->draw(o.s, o.len);
	pb_text_clear(&o);
	return true;
}

/* Constant i of the rule set, NULL behind the last. */
static const struct pb_param *
find_constant(const struct pb_console *c, int i)
{
	const struct pb_params *p = &c->o->constants->params;

	return i < (int)p->n ? &p->row[i] : NULL;
}

/* Set the player that plays after the next restart. */
static bool
set_player(struct pb_console *c, const char *name, struct pb_error *bad)
{
	const struct pb_rules *r = pb_rules_find(c->p.game->name);
	int i = pb_rules_player(r, name);
	struct pb_error why;

	if (i < 0 ? pb_opt_no_player(&r, 1, "", name, &why)
		  : pb_weights_suit(c->p.game, r->player[i],
			c->o->constants->base, false, &why)) {
		c->player = r->player[i];
		return true;
	}
	return pb_error_set(bad, "policy: %s", why.text);
}

static bool
do_set(struct pb_console *c, struct call *k)
{
	char name[64];

	if (!parse_word(&k->arg, name, sizeof(name)) || *k->arg == '\0')
		return pb_error_set(k->bad, "expected a constant and a value");
	if (strcmp(name, "policy") == 0
		? !set_player(c, k->arg, k->bad)
		: !pb_set_value(c->o->set, name, k->arg, k->bad))
		return false;
	fprintf(stderr, "%s is %s from the next restart on\n", name, k->arg);
	return true;
}

static bool
do_show(struct pb_console *c, struct call *k)
{
	const struct pb_param *p;
	char value[1024];
	bool any = *k->arg == '\0' || strcmp(k->arg, "policy") == 0;

	if (any)
		fprintf(stderr, "%-20s %-12s who plays\n", "policy",
		    c->player->name);
	for (int i = 0; (p = find_constant(c, i)) != NULL; i++) {
		if (*k->arg != '\0' && strcmp(k->arg, p->name) != 0)
			continue;
		any = true;
		pb_param_value(p, c->o->constants->base, value, sizeof(value));
		pb_opt_shorten(value, sizeof(value));
		fprintf(stderr, "%-20s %-12s %s\n", p->name, value, p->help);
	}
	return any || pb_error_set(
			  k->bad, "expected a constant, got \"%.80s\"", k->arg);
}

static bool
do_quit(struct pb_console *c, struct call *k)
{
	(void)k;
	c->quit = true;
	return true;
}

/* Send a cmd record with the name in the table to the game. */
static bool
send_command(struct pb_console *c, const struct call *k, struct pb_rec_cmd r)
{
	static const char field[] = "cmd.value: ";
	struct pb_play *p = &c->p;
	struct pb_error *bad = k->bad;
	bool start = strcmp(k->v->cmd, "start") == 0;
	struct pb_pose at;

	PB_REC_SET(r.name, k->v->cmd);
	if (!pb_operator_takes(p, &r, "", bad)) {
		if (strncmp(bad->text, field, strlen(field)) == 0)
			memmove(bad->text, bad->text + strlen(field),
			    strlen(bad->text + strlen(field)) + 1);
		return false;
	}
	if (start && pb_game_estimate(p->game, p->state, &at) &&
	    !p->game->on_map->idle(p->state))
		return pb_error_set(
		    bad, "cannot start from state \"%s\"", pb_console_state(c));
	pb_rec_put(
	    &p->c.out, PB_REC_CMD, pb_stamp_at(pb_play_time(p), NULL), &r);
	pb_operator_command(p, &r, "");
	if (start && p->wants)
		fprintf(stderr, "the robot does not know where it is yet: "
				"start waits for that\n");
	return true;
}

static bool
run_plain_command(struct pb_console *c, struct call *k)
{
	return send_command(c, k, (struct pb_rec_cmd){.kind = PB_VALUE_NONE});
}

static bool
run_valued_command(struct pb_console *c, struct call *k)
{
	struct pb_rec_cmd r = {.kind = PB_VALUE_NUM};

	return parse_number(k->arg, k->v->what, &r.num, k->bad) &&
	       send_command(c, k, r);
}

static bool
do_spawn(struct pb_console *c, struct call *k)
{
	struct pb_rec_cmd r = {.kind = PB_VALUE_POINT};
	char x[32];

	if (!parse_word(&k->arg, x, sizeof(x)))
		return pb_error_set(k->bad, "expected x and y in metres");
	return parse_number(x, "x in metres", &r.point.x, k->bad) &&
	       parse_number(k->arg, "y in metres", &r.point.y, k->bad) &&
	       send_command(c, k, r);
}

static bool do_help(struct pb_console *c, struct call *k);

static const struct command table[] = {
    {"start", "",
	"press start; a robot that is lost waits with it until it knows "
	"where it is",
	run_plain_command, .cmd = "start"},
    {"reset", "", "back to the beginning, where the game waits for start",
	run_plain_command, .cmd = "reset"},
    {"status", "", "tell how things stand", do_status},
    {"state", "", "write the state as a record", do_state},
    {"step", "[n]", "let n steps pass, or one", do_step},
    {"run", "[seconds]",
	"let time pass, to the end of what goes on if nothing is said", do_run},
    {"speed", "[times]", "play runs at so many times real time; 0: at once",
	do_speed},
    {"clyde-speed", "m/s", "Clyde's speed until the next round begins",
	run_valued_command, .cmd = "speed", .what = "a speed in m/s"},
    {"base-speed", "m/s", "Clyde's speed in round 1", run_valued_command,
	.cmd = "base_speed", .what = "a speed in m/s"},
    {"spawn", "x y", "where Clyde appears from now on", do_spawn,
	.cmd = "spawn"},
    {"reset-clyde", "", "Clyde appears anew", run_plain_command,
	.cmd = "reset_ghosts"},
    {"remove-pellet", "id", "a pellet disappears and does not score",
	run_valued_command, .cmd = "remove_pellet",
	.what = "the number of a pellet"},
    {"reset-pellets", "", "all pellets come back", run_plain_command,
	.cmd = "reset_pellets"},
    {"map", "", "draw the game", do_map},
    {"set", "constant value", "change a constant from the next restart on",
	do_set, .words = WORDS_CONSTANTS},
    {"show", "[constant]", "tell a constant, or all of them", do_show,
	.words = WORDS_CONSTANTS},
    {"restart", "", "begin anew, with the constants as they are set",
	do_restart},
    {"help", "[command]", "list the commands, or explain one", do_help,
	.words = WORDS_COMMANDS},
    {"quit", "", "leave", do_quit},
};
enum { COMMANDS = sizeof(table) / sizeof(*table) };

static const struct command *
find_command(const char *name)
{
	for (int i = 0; i < COMMANDS; i++)
		if (strcmp(table[i].name, name) == 0)
			return &table[i];
	return NULL;
}

static bool
do_help(struct pb_console *c, struct call *k)
{
	(void)c;
	for (int i = 0; *k->arg == '\0' && i < COMMANDS; i++)
		fprintf(stderr, "%-14s %s\n", table[i].name, table[i].help);
	if (*k->arg == '\0')
		return true;
	if ((k->v = find_command(k->arg)) == NULL)
		return pb_error_set(
		    k->bad, "expected a command, got \"%.80s\"", k->arg);
	fprintf(stderr, "%s %s\n\t%s\n", k->v->name, k->v->args, k->v->help);
	return true;
}

/* Refuse an unknown command. */
static bool
refuse_command(const char *line, const char *name, struct pb_error *bad)
{
	struct pb_suggest near = pb_suggest_for(name);

	for (int i = 0; i < COMMANDS; i++)
		pb_suggest_try(&near, table[i].name);
	return pb_error_set(bad,
	    "expected a command (see help), got \"%.80s\"%s", line,
	    pb_suggest_text(&near));
}

/* Do the command of a line. */
static bool
do_line(struct pb_console *c, const char *line, struct pb_error *bad)
{
	const struct command *v;
	struct pb_error why = {""};
	const char *arg = line;
	char name[32];

	if (!parse_word(&arg, name, sizeof(name)) ||
	    (v = find_command(name)) == NULL)
		return refuse_command(line, arg == line ? line : name, bad);
	if (v->args[0] == '\0' && *arg != '\0')
		pb_error_set(
		    &why, "expected nothing after it, got \"%.80s\"", arg);
	else if (v->act(c, &(struct call){v, arg, &why}))
		return true;
	*bad = why;
	if (why.text[0] != '\0')
		pb_error_set(bad, "%s: %s", v->name, why.text);
	bad->kind = why.kind;
	return false;
}

bool
pb_console_do(
    struct pb_console *c, const char *line, size_t n, struct pb_error *bad)
{
	char text[PB_CONSOLE_LINE + 1];
	size_t from = 0;

	while (n > 0 && strchr(" \t\r\n", line[n - 1]) && line[n - 1] != '\0')
		n--;
	while (from < n && (line[from] == ' ' || line[from] == '\t'))
		from++;
	if (from == n || line[from] == '#')
		return true;
	if (n - from > PB_CONSOLE_LINE)
		return pb_error_set(bad,
		    "expected a command of at most %d bytes, got %zu",
		    PB_CONSOLE_LINE, n - from);
	for (size_t i = from; i < n; i++)
		if ((unsigned char)line[i] < ' ' && line[i] != '\t')
			return pb_error_set(
			    bad, "expected text, got a control character");
	memcpy(text, line + from, n - from);
	text[n - from] = '\0';
	return do_line(c, text, bad);
}

/* Word i of a list. */
static const char *
find_word(const struct pb_console *c, enum words words, int i)
{
	const struct pb_param *p;

	if (words == WORDS_COMMANDS)
		return i < COMMANDS ? table[i].name : NULL;
	if (words != WORDS_CONSTANTS)
		return NULL;
	if (i == 0)
		return "policy";
	p = find_constant(c, i - 1);
	return p != NULL ? p->name : NULL;
}

/* Word i of a constant's values. */
static bool
find_constant_word(
    const struct pb_console *c, const char *name, int i, char *out, size_t size)
{
	const struct pb_param *p =
	    pb_params_find(c->o->constants->params, name);
	const char *words = p == NULL                  ? NULL
	                    : p->kind == PB_PARAM_BOOL ? "no|yes"
	                                               : p->words;
	const struct pb_player *const *who =
	    pb_rules_find(c->p.game->name)->player;
	size_t n = size;
	const char *word = words != NULL ? pb_word(words, i, &n) : NULL;

	if (strcmp(name, "policy") == 0 && who[i] != NULL)
		word = who[i]->name;
	if (word != NULL)
		snprintf(out, size, "%.*s", (int)n, word);
	return word != NULL;
}

/*
 * Find a word that may come next.
 *
 * Given    line: text before that word; i: 0..
 *
 * Returns  whether there is a word i, in out
 */
static bool
find_completion(
    const struct pb_console *c, const char *line, int i, char *out, size_t size)
{
	const struct command *v;
	const char *at = line + strspn(line, " \t"), *word = NULL;
	char name[32], constant[64];

	if (*at == '\0')
		word = find_word(c, WORDS_COMMANDS, i);
	else if (!parse_word(&at, name, sizeof(name)) ||
		 (v = find_command(name)) == NULL)
		return false;
	else if (*at == '\0')
		word = find_word(c, v->words, i);
	else if (v->act == do_set &&
		 parse_word(&at, constant, sizeof(constant)))
		return *at == '\0' &&
		       find_constant_word(c, constant, i, out, size);
	if (word != NULL)
		snprintf(out, size, "%s", word);
	return word != NULL;
}

/* Do the commands of a file, "-" for stdin; keep_going: continue behind a
 * refused one. False, with a message: one was refused. */
static bool
play_file(struct pb_console *c, const char *path, bool keep_going)
{
	char *file = (char *)path;
	struct pb_lines *in = pb_lines_new(&file, 1);
	struct pb_error bad = {""};
	enum pb_next got = PB_NEXT;
	struct pb_line l;
	bool all = true;

	while ((all || keep_going) && !c->quit && !is_stopped(c) &&
	       (got = pb_lines_next(in, &l, &bad)) != PB_END &&
	       got != PB_HALT) {
		if (got == PB_NEXT && pb_console_do(c, l.text, l.len, &bad))
			continue;
		pb_msg_error_at(l.at, &bad);
		all = false;
	}
	pb_lines_free(in);
	return all && got != PB_HALT;
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
pb_console_leave(struct pb_console *c)
{
	pb_operator_leave(&c->p);
	pb_cues_finish(&c->p.cues);
}

bool
pb_console_open(struct pb_console *c, const struct pb_console_opts *o,
    char *const *files, int n)
{
	const struct pb_game *game = o->play->game;

	*c = (struct pb_console){
	    .o = o, .play = *o->play, .player = o->play->player};
	c->play.opts = c->opts;
	memcpy(c->opts, o->constants->base, game->opts_size);
	return pb_play_open(&c->p, &c->play) &&
	       pb_play_read_map(&c->p, files, n) && pb_play_on_map(&c->p);
}

void
pb_console_close(struct pb_console *c)
{
	if (c->p.game != NULL)
		pb_play_close(&c->p);
}

#define HISTORY 1000 /* most lines in the history file */

/* Global, as readline calls back without a context. */
static struct {
	struct pb_console *c;
	char *before; /* line before the completed word; owned */
	volatile sig_atomic_t asked;
	bool end;
} self;

static void
on_interrupt(int sig)
{
	(void)sig;
	self.asked = 1;
}

/* Find the path of the history file; false: none can be written. */
static bool
find_history(char *out, size_t size)
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

/* The next completion of text. */
static char *
complete_next(const char *text, int state)
{
	static int i;
	char word[PB_REC_TEXT];

	if (state == 0)
		i = 0;
	while (find_completion(self.c, self.before, i++, word, sizeof(word)))
		if (strncmp(word, text, strlen(text)) == 0)
			return pb_copy(word);
	return NULL;
}

static char **
complete_word(const char *text, int start, int end)
{
	char **matches;

	(void)end;
	if ((self.before = strndup(rl_line_buffer, (size_t)start)) == NULL)
		return NULL;
	rl_attempted_completion_over = 1;
	matches = rl_completion_matches(text, complete_next);
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
add_history_line(const char *line)
{
	const HIST_ENTRY *last =
	    history_length > 0 ? history_get(history_base + history_length - 1)
			       : NULL;

	if (*line != '\0' && (last == NULL || strcmp(last->line, line) != 0))
		add_history(line);
}

static void
handle_line(char *line)
{
	struct pb_error bad = {""};

	if (line == NULL) {
		fputs("\n", stderr);
		self.end = true;
	} else {
		add_history_line(line);
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
	self.end |= self.c->quit || is_stopped(self.c);
	if (self.end)
		rl_callback_handler_remove();
	else
		set_prompt();
}

/* Ctrl-C at the prompt: drop the line. */
static void
cancel_line(void)
{
	self.asked = 0;
	fputs("\n", stderr);
	rl_replace_line("", 0);
	set_prompt();
	rl_on_new_line();
	rl_redisplay();
}

/* Further signals that end a wait for a key. */
static const int signals[] = {SIGQUIT, SIGTSTP, SIGWINCH, 0};

/* Block signals (*open: the mask before) and handle those that came: a later
 * one ends the wait. readline unblocks those that it handles. */
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
read_keys(void)
{
	sigset_t open;

	while (!self.end) {
		bool key;

		hold_signals(&open);
		if (self.asked)
			cancel_line();
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
 * Read commands from the terminal until end of input, quit, or a signal. Prompt
 * and echo go to stderr. Ctrl-C cancels a line or stops a run. The history is
 * $XDG_STATE_HOME/pb/history or ~/.pb_history, if writable. A refused line gets
 * a message and has no effect.
 */
static void
run_terminal(struct pb_console *c)
{
	struct sigaction sa = {.sa_handler = on_interrupt}, old, old_pipe;
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	char path[4096];
	bool keeps = find_history(path, sizeof(path));

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
	rl_attempted_completion_function = complete_word;
	using_history();
	stifle_history(HISTORY);
	if (keeps)
		read_history(path);
	rl_callback_handler_install("", handle_line);
	set_prompt();
	rl_forced_update_display();
	read_keys();
	if (keeps)
		write_history(path);
	errno = 0; /* the history may be unwritable */
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
	       pb_msg_usage("standard input cannot be %s; see --map and "
			    "--script",
		   needs_map ? "both the map and commands"
			     : "read for two purposes");
}

/* Do the commands of the command line; false: a refused one ends it. */
static bool
play_inputs(struct pb_console *c, bool keep_going)
{
	const struct pb_console_inputs *l = c->o->inputs;
	bool ok = true;

	for (int i = 0; i < l->n && ok; i++) {
		const char *text = l->input[i].text;
		struct pb_error bad;

		if (l->input[i].file)
			ok = play_file(c, text, keep_going);
		else if (!pb_console_do(c, text, strlen(text), &bad))
			ok = pb_msg_error_at(
			    (struct pb_place){"--command", i + 1}, &bad);
		ok = (ok || keep_going) && !c->quit && !is_stopped(c);
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
				play_file(c, "-", keep_going);
		}
		if (!pb_msg_stopped())
			pb_console_leave(c);
	}
	pb_console_close(c);
	free(c);
}
