/* console_look.c - the console's commands that show, set and say. */
#include <stdio.h>
#include <string.h>

#include "io/console/console.h"
#include "io/rec/rec.h"
#include "io/stream/file.h"
#include "io/stream/utf8.h"

bool
pb_console_status(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	struct pb_stage *s = &c->stage;
	char value[PB_REC_TEXT];

	(void)arg;
	(void)bad;
	for (int i = 0; pb_stage_name(s, i) != NULL; i++) {
		pb_stage_value(s, i, value, sizeof(value));
		if (value[0] != '\0')
			fprintf(stderr, "%-12s %s\n", pb_stage_name(s, i),
			    pb_utf8_clean(value));
	}
	return true;
}

bool
pb_console_put(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	(void)arg;
	return pb_stage_put(&c->stage, c->now->view, c->out) ||
	       pb_console_cannot(c, bad);
}

/* A table of the scored record, which is the first line of o. */
static void
tell_scores(const struct pb_text *o)
{
	struct pb_error bad;
	struct pb_rec r;
	const char *end = memchr(o->s, '\n', o->len);

	if (!end || !pb_rec_read(o->s, (size_t)(end - o->s),
			PB_REC_BIT(PB_REC_SCORED), &r, &bad))
		return;
	fprintf(stderr, "%6s %8s %8s %8s %9s %8s\n", "pellet", "total",
	    "distance", "risk", "direction", "");
	for (size_t i = 0; i < r.scored.n; i++) {
		const struct pb_rec_score *s = &r.scored.pellet[i];

		fprintf(stderr, "%6ld %8.2f %8.2f %8.2f %9.2f %s%s\n", s->id,
		    s->total, s->distance, s->risk, s->direction,
		    s->safe ? "safe" : "", s->excluded ? " excluded" : "");
	}
	pb_rec_clear(&r);
}

bool
pb_console_scores(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	struct pb_text o = {NULL};
	struct pb_stage *s = &c->stage;

	(void)arg;
	if (!pb_stage_put(s, PB_STAGE_SCORES, &o)) {
		pb_text_clear(&o);
		return s->p.game->commands != NULL
		           ? pb_error_set(bad, "the robot does not know where "
					       "it is yet")
		           : pb_console_cannot(c, bad);
	}
	if (o.len > 0)
		tell_scores(&o);
	pb_stage_put(s, PB_STAGE_SCORES, c->out);
	pb_text_clear(&o);
	return true;
}

bool
pb_console_map(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	struct pb_text o = {NULL};

	(void)arg;
	(void)bad;
	pb_stage_put(&c->stage, PB_STAGE_PICTURE, &o);
	if (c->draw != NULL && !o.failed && o.len > 0)
		c->draw(o.s, o.len);
	pb_text_clear(&o);
	return true;
}

bool
pb_console_set(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	char name[64];

	if (!pb_console_take(&arg, name, sizeof(name)) || *arg == '\0')
		return pb_error_set(bad, "expected an option and a value");
	return pb_settings_set(c->settings, name, arg, bad);
}

bool
pb_console_show(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	const char *name, *help;
	char value[PB_SETTINGS_PATH + 1];
	bool any = false;

	for (int i = 0; (name = pb_settings_name(c->settings, i, &help)); i++) {
		if (*arg != '\0' && strcmp(arg, name) != 0)
			continue;
		any = true;
		pb_settings_value(c->settings, i, value, sizeof(value));
		fprintf(stderr, "%-20s %-12s %s\n", name, pb_utf8_clean(value),
		    help);
	}
	return any ||
	       pb_error_set(bad, "expected an option, got \"%.80s\"", arg);
}

/* The lines of the session, a header before them. */
static void
write_session(const struct pb_console *c, FILE *f)
{
	fprintf(f, "# %s\n", c->header != NULL ? c->header : "pb-sim -i");
	fwrite(c->session.s, 1, c->session.len, f);
}

bool
pb_console_save(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	struct pb_file w;
	struct pb_error f;

	if (*arg == '\0')
		return pb_error_set(bad, "expected a file");
	if (c->session.failed)
		return pb_error_nomem(bad, "the session");
	if (pb_file_create(arg, &w, &f) != 0)
		return pb_error_quote(bad, &f);
	write_session(c, w.out);
	return pb_file_finish(&w, &f) == 0 || pb_error_quote(bad, &f);
}

/* Files that replay each other would never end. */
#define DEPTH 8

bool
pb_console_replay(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	if (*arg == '\0' || strcmp(arg, "-") == 0)
		return pb_error_set(bad, "expected a file, got \"%s\"", arg);
	if (c->depth >= DEPTH)
		return pb_error_set(
		    bad, "%d files replay each other already", DEPTH);
	return pb_console_file(c, arg, false) ||
	       pb_error_set(bad, "%.80s: not to its end", arg);
}

bool
pb_console_help(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	const struct pb_console_command *v;

	(void)c;
	for (int i = 0; *arg == '\0' && (v = pb_console_at(i)) != NULL; i++)
		fprintf(stderr, "%-14s %s\n", v->name, v->help);
	if (*arg == '\0')
		return true;
	if ((v = pb_console_find(arg)) == NULL)
		return pb_error_set(
		    bad, "expected a command, got \"%.80s\"", arg);
	fprintf(stderr, "%s %s\n\t%s\n", v->name, v->args, v->help);
	return true;
}

bool
pb_console_quit(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	(void)arg;
	(void)bad;
	c->quit = true;
	return true;
}

/* Hand a cmd record of the name in the table to the game. */
static bool
command(struct pb_console *c, struct pb_rec_cmd r, struct pb_error *bad)
{
	static const char field[] = "cmd.value: ";
	struct pb_stage *s = &c->stage;

	if (s->p.game->commands == NULL)
		return pb_console_cannot(c, bad);
	PB_REC_SET(r.name, c->now->cmd);
	if (pb_stage_command(s, &r, bad))
		return true;
	if (strncmp(bad->text, field, strlen(field)) == 0)
		memmove(bad->text, bad->text + strlen(field),
		    strlen(bad->text + strlen(field)) + 1);
	return false;
}

bool
pb_console_bare(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	(void)arg;
	return command(c, (struct pb_rec_cmd){.kind = PB_VALUE_NONE}, bad);
}

bool
pb_console_valued(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	struct pb_rec_cmd r = {.kind = PB_VALUE_NUM};

	if (c->stage.p.game->commands == NULL)
		return pb_console_cannot(c, bad);
	return pb_console_number(arg, c->now->what, &r.num, bad) &&
	       command(c, r, bad);
}

/* Games that only wait: begin anew if they have ended, and let time pass. */
static bool
let_go(struct pb_console *c, struct pb_error *bad)
{
	struct pb_stage *s = &c->stage;

	if (pb_stage_hold(s, false))
		return true;
	if (!pb_stage_idle(s))
		return pb_error_set(bad, "the game is on; see reset");
	return pb_console_restart(c, "", bad);
}

bool
pb_console_start(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	if (c->stage.p.game->starts)
		return let_go(c, bad);
	return pb_console_bare(c, arg, bad);
}

bool
pb_console_reset(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	struct pb_stage *s = &c->stage;

	if (!s->p.game->starts)
		return pb_console_bare(c, arg, bad);
	if (!pb_console_restart(c, "", bad))
		return false;
	pb_stage_hold(s, true);
	return true;
}

bool
pb_console_spawn(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	struct pb_rec_cmd r = {.kind = PB_VALUE_POINT};
	char x[32];

	if (c->stage.p.game->commands == NULL)
		return pb_console_cannot(c, bad);
	if (!pb_console_take(&arg, x, sizeof(x)))
		return pb_error_set(bad, "expected x and y in metres");
	return pb_console_number(x, "x in metres", &r.point.x, bad) &&
	       pb_console_number(arg, "y in metres", &r.point.y, bad) &&
	       command(c, r, bad);
}

bool
pb_console_move(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	int d = pb_dir_of(arg);

	if (c->stage.p.game->board == NULL)
		return pb_console_cannot(c, bad);
	if (d > PB_STAY)
		return pb_error_set(bad,
		    "expected up, left, down, right or stop, got \"%.80s\"",
		    arg);
	pb_stage_steer(&c->stage, (enum pb_dir)d);
	return true;
}

struct pb_cues *
pb_console_ring(struct pb_console *c)
{
	struct pb_cues *game = &c->stage.p.cues;

	return game->o != NULL && pb_cues_asked(game->o) ? game : &c->cues;
}

void
pb_console_cues(struct pb_console *c)
{
	pb_cues_until(pb_console_ring(c), pb_play_time(&c->stage.p));
}

/* Show it now, and what follows from it as time passes. */
bool
pb_console_cue(struct pb_console *c, const char *name, struct pb_error *bad)
{
	static const struct pb_cues_opts records = {.records = true};
	enum pb_rec_type type = c->now->cue;
	struct pb_cues *ring = pb_console_ring(c);
	double now = pb_play_time(&c->stage.p);

	if (ring->o == NULL)
		pb_cues_begin(ring, &records, now, c->out);
	pb_cues_until(ring, now);
	switch (pb_cues_play(ring, type, name)) {
	case PB_HEARD:
		return true;
	case PB_DROPPED:
		return pb_error_set(bad, "dropped: another one plays");
	default:
		return pb_error_set(bad, "expected a %s, got \"%.80s\"",
		    pb_rec_name(type), name);
	}
}

bool
pb_console_event(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	if (pb_occasion_find(arg) == NULL)
		return pb_error_set(
		    bad, "expected an event, got \"%.80s\"", arg);
	pb_cues_tell(
	    pb_console_ring(c), c->out, pb_play_time(&c->stage.p), arg);
	return true;
}
