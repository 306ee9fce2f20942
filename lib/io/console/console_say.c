/* console_say.c - the console's commands that tell the game something. */
#include <stdio.h>
#include <string.h>

#include "io/console/console_parts.h"

/* Hand a cmd record to the game. */
static bool
command(struct pb_console *c, const char *name, struct pb_rec_cmd r,
    struct pb_error *bad)
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
bare(struct pb_console *c, const char *name, const char *arg,
    struct pb_error *bad)
{
	return pb_console_none(arg, bad) &&
	       command(
		   c, name, (struct pb_rec_cmd){.kind = PB_VALUE_NONE}, bad);
}

static bool
number(struct pb_console *c, const char *name, const char *what,
    const char *arg, struct pb_error *bad)
{
	struct pb_rec_cmd r = {.kind = PB_VALUE_NUM};

	if (c->stage.type->command == NULL)
		return pb_console_cannot(c, bad);
	return pb_console_number(arg, what, &r.num, bad) &&
	       command(c, name, r, bad);
}

/* Games that only wait: begin anew if they have ended, and let time pass. */
static bool
let_go(struct pb_console *c, struct pb_error *bad)
{
	const struct pb_stage *s = &c->stage;

	if (s->type->hold(s->game, false))
		return true;
	if (!s->type->idle(s->game))
		return pb_error_set(bad, "the game is on; see reset");
	return pb_console_restart(c, "", bad);
}

bool
pb_console_start(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	if (c->stage.type->hold != NULL)
		return pb_console_none(arg, bad) && let_go(c, bad);
	return bare(c, "start", arg, bad);
}

bool
pb_console_reset(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	const struct pb_stage *s = &c->stage;

	if (s->type->hold != NULL) {
		if (!pb_console_none(arg, bad) ||
		    !pb_console_restart(c, "", bad))
			return false;
		s->type->hold(s->game, true);
		return true;
	}
	return bare(c, "reset", arg, bad);
}

bool
pb_console_reset_clyde(
    struct pb_console *c, const char *arg, struct pb_error *bad)
{
	return bare(c, "reset_ghosts", arg, bad);
}

bool
pb_console_reset_pellets(
    struct pb_console *c, const char *arg, struct pb_error *bad)
{
	return bare(c, "reset_pellets", arg, bad);
}

bool
pb_console_clyde_speed(
    struct pb_console *c, const char *arg, struct pb_error *bad)
{
	return number(c, "speed", "a speed in m/s", arg, bad);
}

bool
pb_console_base_speed(
    struct pb_console *c, const char *arg, struct pb_error *bad)
{
	return number(c, "base_speed", "a speed in m/s", arg, bad);
}

bool
pb_console_remove(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	return number(c, "remove_pellet", "the number of a pellet", arg, bad);
}

bool
pb_console_spawn(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	struct pb_rec_cmd r = {.kind = PB_VALUE_POINT};
	char x[32];

	if (c->stage.type->command == NULL)
		return pb_console_cannot(c, bad);
	if (!pb_console_take(&arg, x, sizeof(x)))
		return pb_error_set(bad, "expected x and y in metres");
	return pb_console_number(x, "x in metres", &r.point.x, bad) &&
	       pb_console_number(arg, "y in metres", &r.point.y, bad) &&
	       command(c, "spawn", r, bad);
}

bool
pb_console_move(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	int d = pb_dir_of(arg);

	if (c->stage.type->steer == NULL)
		return pb_console_cannot(c, bad);
	if (d > PB_STAY)
		return pb_error_set(bad,
		    "expected up, left, down, right or stop, got \"%.80s\"",
		    arg);
	c->stage.type->steer(c->stage.game, (enum pb_dir)d);
	return true;
}

struct pb_cues *
pb_console_ring(struct pb_console *c)
{
	struct pb_cues *game = c->stage.type->cues(c->stage.game);

	return game->o != NULL && pb_cues_asked(game->o) ? game : &c->cues;
}

void
pb_console_cues(struct pb_console *c)
{
	pb_cues_until(pb_console_ring(c), c->stage.type->time(c->stage.game));
}

/* Show it now, and what follows from it as time passes. */
static bool
show(struct pb_console *c, enum pb_rec_type type, const char *name,
    struct pb_error *bad)
{
	static const struct pb_cues_opts records = {.records = true};
	struct pb_cues *ring = pb_console_ring(c);
	double now = c->stage.type->time(c->stage.game);

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
	pb_cues_tell(pb_console_ring(c), c->out,
	    c->stage.type->time(c->stage.game), arg);
	return true;
}

bool
pb_console_light(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	return show(c, PB_REC_LIGHT, arg, bad);
}

bool
pb_console_sound(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	return show(c, PB_REC_SOUND, arg, bad);
}

bool
pb_console_motion(struct pb_console *c, const char *arg, struct pb_error *bad)
{
	return show(c, PB_REC_MOTION, arg, bad);
}
