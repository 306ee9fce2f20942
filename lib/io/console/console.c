/* console.c - an operator's commands to a game: the table, a line, its words.
 */
#include "io/console/console.h"

#include <stdio.h>
#include <string.h>

#include "game/feedback.h"
#include "io/stream/num.h"
#include "io/stream/suggest.h"
#include "pb/seen.h"

static const struct pb_console_command table[] = {
    {"start", "",
	"press start; a robot that is lost waits with it until it knows "
	"where it is",
	pb_console_start, PB_CHANGES_GAME, .kept = true, .cmd = "start"},
    {"reset", "", "back to the beginning, where the game waits for start",
	pb_console_reset, PB_CHANGES_GAME, .kept = true, .cmd = "reset"},
    {"status", "", "tell how things stand", pb_console_status},
    {"state", "", "write the state as a record", pb_console_put, .kept = true,
	.view = PB_STAGE_STATE},
    {"step", "[n]", "let n steps pass, or one", pb_console_step,
	PB_CHANGES_GAME, .kept = true},
    {"run", "[seconds | until name op value]",
	"let time pass, to the end of what goes on if nothing is said",
	pb_console_run, PB_CHANGES_GAME, .kept = true, .words = PB_WORDS_KNOWN},
    {"go", "", "let time pass while waiting for commands", pb_console_go,
	PB_CHANGES_GAME},
    {"pause", "", "let no time pass while waiting for commands",
	pb_console_pause},
    {"speed", "[times]", "play runs at so many times real time; 0: at once",
	pb_console_speed, .kept = true},
    {"clyde-speed", "m/s", "Clyde's speed until the next round begins",
	pb_console_valued, PB_CHANGES_GAME, .kept = true, .cmd = "speed",
	.what = "a speed in m/s"},
    {"base-speed", "m/s", "Clyde's speed in round 1", pb_console_valued,
	PB_CHANGES_GAME, .kept = true, .cmd = "base_speed",
	.what = "a speed in m/s"},
    {"spawn", "x y", "where Clyde appears from now on", pb_console_spawn,
	PB_CHANGES_GAME, .kept = true, .cmd = "spawn"},
    {"reset-clyde", "", "Clyde appears anew", pb_console_bare, PB_CHANGES_GAME,
	.kept = true, .cmd = "reset_ghosts"},
    {"remove-pellet", "id", "a pellet disappears and does not score",
	pb_console_valued, PB_CHANGES_GAME, .kept = true,
	.cmd = "remove_pellet", .what = "the number of a pellet"},
    {"reset-pellets", "", "all pellets come back", pb_console_bare,
	PB_CHANGES_GAME, .kept = true, .cmd = "reset_pellets"},
    {"move", "up|left|down|right|stop", "where the player steers from now on",
	pb_console_move, PB_CHANGES_GAME, .kept = true,
	.words = PB_WORDS_DIRECTIONS},
    {"event", "name", "write a game event for lights, sounds and motion",
	pb_console_event, .kept = true, .words = PB_WORDS_EVENTS},
    {"light", "name", "show a light", pb_console_cue, .kept = true,
	.words = PB_WORDS_LIGHTS, .cue = PB_REC_LIGHT},
    {"sound", "name", "play a sound", pb_console_cue, .kept = true,
	.words = PB_WORDS_SOUNDS, .cue = PB_REC_SOUND},
    {"motion", "name", "make a motion, or stop", pb_console_cue, .kept = true,
	.words = PB_WORDS_DANCES, .cue = PB_REC_MOTION},
    {"map", "", "draw the game", pb_console_map},
    {"pellets", "", "write the pellets that are left", pb_console_put,
	.kept = true, .view = PB_STAGE_PELLETS},
    {"scores", "", "tell and write what pellets are worth now",
	pb_console_scores, .kept = true},
    {"set", "option value", "change an option from the next restart on",
	pb_console_set, PB_CHANGES_SETTINGS, .kept = true,
	.words = PB_WORDS_SETTINGS},
    {"show", "[option]", "tell an option, or all of them", pb_console_show,
	.words = PB_WORDS_SETTINGS},
    {"snapshot", "[name]", "keep the game under a name, or list the names",
	pb_console_snapshot, .kept = true, .words = PB_WORDS_MARKS},
    {"restart", "[snapshot]", "begin anew, or from a snapshot",
	pb_console_restart, .kept = true, .words = PB_WORDS_MARKS},
    {"undo", "[n]", "take back the last command that changed the game, or n",
	pb_console_undo, .kept = true},
    {"save", "file", "write the commands of this session into a file",
	pb_console_save, .words = PB_WORDS_FILES},
    {"replay", "file", "carry out the commands of a file", pb_console_replay,
	.words = PB_WORDS_FILES},
    {"help", "[command]", "list the commands, or explain one", pb_console_help,
	.words = PB_WORDS_COMMANDS},
    {"quit", "", "leave", pb_console_quit},
};
enum { COMMANDS = sizeof(table) / sizeof(*table) };

const struct pb_console_command *
pb_console_at(int i)
{
	return i >= 0 && i < COMMANDS ? &table[i] : NULL;
}

const struct pb_console_command *
pb_console_find(const char *name)
{
	for (int i = 0; i < COMMANDS; i++)
		if (strcmp(table[i].name, name) == 0)
			return &table[i];
	return NULL;
}

bool
pb_console_stopped(const struct pb_console *c)
{
	return pb_msg_stopped() || !pb_msg_out_ok() ||
	       (c->asked != NULL && *c->asked);
}

bool
pb_console_number(
    const char *arg, const char *what, double *v, struct pb_error *bad)
{
	return pb_num_parse(arg, v) ||
	       pb_error_set(bad, "expected %s, got \"%.80s\"", what, arg);
}

bool
pb_console_take(const char **at, char *out, size_t size)
{
	size_t n = strcspn(*at, " \t");

	if (n == 0 || n >= size)
		return false;
	memcpy(out, *at, n);
	out[n] = '\0';
	*at += n + strspn(*at + n, " \t");
	return true;
}

bool
pb_console_cannot(const struct pb_console *c, struct pb_error *bad)
{
	return pb_error_set(
	    bad, "not in the game of %s", c->stage.p.game->name);
}

bool
pb_console_known(
    const struct pb_console *c, const char *name, char *out, size_t size)
{
	const struct pb_stage *s = &c->stage;

	for (int i = 0; pb_stage_name(s, i) != NULL; i++)
		if (strcmp(pb_stage_name(s, i), name) == 0) {
			pb_stage_value(s, i, out, size);
			return true;
		}
	return false;
}

/* Keep the steps that passed without a command. */
static void
keep_steps(struct pb_console *c)
{
	if (c->steps == 0)
		return;
	pb_text_puts(&c->session, "step ");
	pb_text_int(&c->session, c->steps);
	pb_text_puts(&c->session, "\n");
	c->steps = 0;
}

/* Keep the line that was carried out; a run that was stopped as its steps. */
static void
keep(struct pb_console *c, const struct pb_console_command *v, const char *line)
{
	if (!v->kept)
		return;
	if (c->steps > 0 && c->asked != NULL && *c->asked) {
		keep_steps(c);
		return;
	}
	pb_text_puts(&c->session, line);
	pb_text_puts(&c->session, "\n");
}

/* There is no command of that name. */
static bool
refuse(const char *line, const char *name, struct pb_error *bad)
{
	struct pb_suggest near = pb_suggest_for(name);

	for (int i = 0; i < COMMANDS; i++)
		pb_suggest_try(&near, table[i].name, strlen(table[i].name));
	return pb_error_set(bad,
	    "expected a command (see help), got \"%.80s\"%s", line,
	    pb_suggest_text(&near));
}

/* Carry out a command; one that takes nothing has nothing behind it. */
static bool
act(struct pb_console *c, const struct pb_console_command *v, const char *arg,
    struct pb_error *bad)
{
	if (v->args[0] == '\0' && *arg != '\0')
		return pb_error_set(
		    bad, "expected nothing behind it, got \"%.80s\"", arg);
	c->now = v;
	return v->act(c, arg, bad);
}

/* The words of a line. */
static bool
run(struct pb_console *c, const char *line, struct pb_error *bad)
{
	const struct pb_console_command *v;
	struct pb_console_past was;
	struct pb_error why = {""};
	const char *arg = line;
	char name[32];

	if (!pb_console_take(&arg, name, sizeof(name)) ||
	    (v = pb_console_find(name)) == NULL)
		return refuse(line, arg == line ? line : name, bad);
	keep_steps(c); /* that passed since the last line */
	if (!pb_console_keep(c, v->changes, &was))
		return pb_error_nomem(bad, "undo");
	c->anew = false;
	if (act(c, v, arg, &why)) {
		keep(c, v, line);
		if (c->anew) /* no copy is of this game */
			pb_console_forget(&was);
		else if (v->changes != PB_CHANGES_NOTHING)
			pb_console_push(c, was);
		c->steps = 0;
		return true;
	}
	/* Steps that have passed can be taken back. */
	if (c->steps > 0)
		pb_console_push(c, was);
	else
		pb_console_forget(&was);
	keep_steps(c);
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
	return run(c, text, bad);
}

/* Word i of a fixed list. */
static const char *
fixed_word(const struct pb_console *c, enum pb_console_words words, int i)
{
	const struct pb_console_command *v = pb_console_at(i);
	const char *help;

	switch (words) {
	case PB_WORDS_COMMANDS:
		return v != NULL ? v->name : NULL;
	case PB_WORDS_SETTINGS:
		return pb_settings_name(c->settings, i, &help);
	case PB_WORDS_KNOWN:
		return pb_stage_name(&c->stage, i);
	case PB_WORDS_EVENTS:
		return pb_occasion_at(i) ? pb_occasion_at(i)->name : NULL;
	case PB_WORDS_LIGHTS:
		return pb_light_at(i) ? pb_light_at(i)->name : NULL;
	case PB_WORDS_SOUNDS:
		return pb_tune_at(i) ? pb_tune_at(i)->name : NULL;
	case PB_WORDS_DANCES:
		return pb_gesture_at(i, false) ? pb_gesture_at(i, false)->name
		                               : NULL;
	case PB_WORDS_DIRECTIONS:
		return i <= PB_STAY ? pb_dir_word(i) : NULL;
	case PB_WORDS_MARKS:
		return i < c->marks ? c->mark[i].name : NULL;
	default:
		return NULL;
	}
}

/* Which words come after a command and the n words in `behind`. */
static enum pb_console_words
words_after(const struct pb_console_command *v, const char *behind)
{
	if (v->words == PB_WORDS_KNOWN)
		return strcmp(behind, "until ") == 0 ? PB_WORDS_KNOWN
		                                     : PB_WORDS_NONE;
	return behind[0] == '\0' ? v->words : PB_WORDS_NONE;
}

bool
pb_console_word(
    const struct pb_console *c, const char *line, int i, char *out, size_t size)
{
	const struct pb_console_command *v;
	const char *at = line + strspn(line, " \t"), *word;
	char name[32], setting[64];

	if (*at == '\0')
		word = fixed_word(c, PB_WORDS_COMMANDS, i);
	else if (!pb_console_take(&at, name, sizeof(name)) ||
		 (v = pb_console_find(name)) == NULL)
		return false;
	else if (v->words == PB_WORDS_KNOWN && *at == '\0')
		word = i == 0 ? "until" : NULL;
	else if (v->changes == PB_CHANGES_SETTINGS &&
		 pb_console_take(&at, setting, sizeof(setting)))
		return *at == '\0' &&
		       pb_settings_word(c->settings, setting, i, out, size);
	else
		word = fixed_word(c, words_after(v, at), i);
	if (word != NULL)
		snprintf(out, size, "%s", word);
	return word != NULL;
}

bool
pb_console_wants_file(const char *line)
{
	const struct pb_console_command *v;
	const char *at = line + strspn(line, " \t");
	char name[32];

	return pb_console_take(&at, name, sizeof(name)) &&
	       (v = pb_console_find(name)) != NULL &&
	       (v->words == PB_WORDS_FILES ||
		   (v->changes == PB_CHANGES_SETTINGS &&
		       strncmp(at, "map ", 4) == 0));
}
