/* console_say.c - the console's commands that tell the game something. */
#include <stdio.h>
#include <string.h>

#include "io/console_parts.h"
#include "io/pactick.h"

/* Hand a cmd record to the game. */
static bool
command(struct pb_console *c, const char *name, struct pb_rec_cmd r,
    struct pb_bad *bad)
{
	static const char field[] = "cmd.value: ";
	const struct pb_stage *s = &c->stage;

	if (s->type->command == NULL)
		return pb_console_cannot(c, bad);
	PB_REC_SET(r.name, name);
	if (s->type->command(s->game, &r, bad))
		return true;
	if (strncmp(bad->text, field, strlen(field)) == 0)
		memmove(bad->text, bad->text + strlen(field),
		    strlen(bad->text + strlen(field)) + 1);
	return false;
}

static bool
bare(
    struct pb_console *c, const char *name, const char *arg, struct pb_bad *bad)
{
	return pb_console_none(arg, bad) &&
	       command(
		   c, name, (struct pb_rec_cmd){.kind = PB_VALUE_NONE}, bad);
}

static bool
number(struct pb_console *c, const char *name, const char *what,
    const char *arg, struct pb_bad *bad)
{
	struct pb_rec_cmd r = {.kind = PB_VALUE_NUM};

	if (c->stage.type->command == NULL)
		return pb_console_cannot(c, bad);
	return pb_console_number(arg, what, &r.num, bad) &&
	       command(c, name, r, bad);
}

bool
pb_console_start(struct pb_console *c, const char *arg, struct pb_bad *bad)
{
	return bare(c, "start", arg, bad);
}

bool
pb_console_reset(struct pb_console *c, const char *arg, struct pb_bad *bad)
{
	return bare(c, "reset", arg, bad);
}

bool
pb_console_reset_clyde(
    struct pb_console *c, const char *arg, struct pb_bad *bad)
{
	return bare(c, "reset_ghosts", arg, bad);
}

bool
pb_console_reset_pellets(
    struct pb_console *c, const char *arg, struct pb_bad *bad)
{
	return bare(c, "reset_pellets", arg, bad);
}

bool
pb_console_clyde_speed(
    struct pb_console *c, const char *arg, struct pb_bad *bad)
{
	return number(c, "speed", "a speed in m/s", arg, bad);
}

bool
pb_console_base_speed(struct pb_console *c, const char *arg, struct pb_bad *bad)
{
	return number(c, "base_speed", "a speed in m/s", arg, bad);
}

bool
pb_console_remove(struct pb_console *c, const char *arg, struct pb_bad *bad)
{
	return number(c, "remove_pellet", "the number of a pellet", arg, bad);
}

bool
pb_console_spawn(struct pb_console *c, const char *arg, struct pb_bad *bad)
{
	struct pb_rec_cmd r = {.kind = PB_VALUE_POINT};
	char x[32];

	if (c->stage.type->command == NULL)
		return pb_console_cannot(c, bad);
	if (!pb_console_take(&arg, x, sizeof(x)))
		return pb_bad_set(bad, "expected x and y in metres");
	return pb_console_number(x, "x in metres", &r.point.x, bad) &&
	       pb_console_number(arg, "y in metres", &r.point.y, bad) &&
	       command(c, "spawn", r, bad);
}

bool
pb_console_move(struct pb_console *c, const char *arg, struct pb_bad *bad)
{
	int d = pb_pactick_dir_of(arg);

	if (c->stage.type->steer == NULL)
		return pb_console_cannot(c, bad);
	if (d > PB_STAY)
		return pb_bad_set(bad,
		    "expected up, left, down, right or stop, got \"%.80s\"",
		    arg);
	c->stage.type->steer(c->stage.game, (enum pb_dir)d);
	return true;
}

static double
tune_length(const struct pb_tune *t)
{
	int cs = 0;

	for (int i = 0; i < t->n; i++)
		cs += t->note[i].cs;
	return cs / 100.0;
}

static void
put_cue(struct pb_console *c, const struct pb_cue *q)
{
	static const enum pb_rec_type type[] = {[PB_CUE_LIGHT] = PB_REC_LIGHT,
	    [PB_CUE_SOUND] = PB_REC_SOUND,
	    [PB_CUE_MOTION] = PB_REC_MOTION};
	struct pb_rec_event e = pb_rec_event_none();

	PB_REC_SET(e.name, q->name);
	if (q->kind == PB_CUE_LIGHT) {
		e.leds = PB_RING_LEDS;
		for (int i = 0; i < PB_RING_LEDS; i++) {
			e.led[i][0] = q->ring.led[i].r;
			e.led[i][1] = q->ring.led[i].g;
			e.led[i][2] = q->ring.led[i].b;
		}
	} else if (q->kind == PB_CUE_SOUND) {
		e.duration = tune_length(q->tune);
	} else {
		e.w = q->w;
	}
	pb_put_event(c->out, type[q->kind], pb_stamp_at(q->t, NULL), &e);
}

void
pb_console_cues(struct pb_console *c)
{
	double now = c->stage.type->time(c->stage.game);
	struct pb_cue q;

	while (c->cued && pb_feedback_next(&c->cues, now, &q))
		put_cue(c, &q);
}

/* Show it now, and what follows from it as time passes. */
static bool
show(struct pb_console *c,
    enum pb_feedback_heard (*how)(
	struct pb_feedback *f, double t, const char *name),
    const char *what, const char *name, struct pb_bad *bad)
{
	double now = c->stage.type->time(c->stage.game);

	if (!c->cued)
		pb_feedback_start(&c->cues, PB_COMPAT_CODE);
	c->cued = true;
	pb_console_cues(c);
	switch (how(&c->cues, now, name)) {
	case PB_HEARD:
		pb_console_cues(c);
		return true;
	case PB_DROPPED:
		return pb_bad_set(bad, "dropped: another one plays");
	default:
		return pb_bad_set(
		    bad, "expected a %s, got \"%.80s\"", what, name);
	}
}

bool
pb_console_event(struct pb_console *c, const char *arg, struct pb_bad *bad)
{
	struct pb_rec_event e = pb_rec_event_none();
	double now = c->stage.type->time(c->stage.game);

	if (pb_occasion_find(arg) == NULL)
		return pb_bad_set(bad, "expected an event, got \"%.80s\"", arg);
	PB_REC_SET(e.name, arg);
	pb_put_event(c->out, PB_REC_EVENT, pb_stamp_at(now, NULL), &e);
	return true;
}

bool
pb_console_light(struct pb_console *c, const char *arg, struct pb_bad *bad)
{
	return show(c, pb_feedback_light, "light", arg, bad);
}

bool
pb_console_sound(struct pb_console *c, const char *arg, struct pb_bad *bad)
{
	return show(c, pb_feedback_sound, "sound", arg, bad);
}

bool
pb_console_motion(struct pb_console *c, const char *arg, struct pb_bad *bad)
{
	return show(c, pb_feedback_dance, "motion", arg, bad);
}
