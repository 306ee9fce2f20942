/* game_records.c - commands, states and feedback, pellets, moves and ticks. */
#include <stdlib.h>
#include <string.h>

#include "io/rec/rec.h"
#include "io/rec/schema.h"

/* What a command is about tells its kind by its kind of JSON. */
static void
put_value(struct pb_text *o, const struct pb_field *f, const void *r)
{
	const struct pb_rec_cmd *c = r;

	if (c->kind == PB_VALUE_TEXT)
		pb_put_text(o, f->key, c->text);
	else if (c->kind == PB_VALUE_NUM)
		pb_put_num(o, f->key, c->num);
	else if (c->kind == PB_VALUE_POINT)
		pb_put_nums(o, f->key, (double[]){c->point.x, c->point.y}, 2);
}

static void
get_value(struct pb_get *g, const struct pb_field *f, void *r)
{
	struct pb_rec_cmd *c = r;
	const struct pb_json_value *v = pb_get_value(g, f->key);
	double p[2] = {0};

	if (!v)
		return;
	if (pb_json_is(v, PB_JSON_STRING)) {
		c->kind = PB_VALUE_TEXT;
		PB_GET_WORD(g, f->key, f->need, c->text);
	} else if (pb_json_is(v, PB_JSON_ARRAY)) {
		c->kind = PB_VALUE_POINT;
		pb_get_nums(g, f->key, f->need, 2, p);
		c->point = (struct pb_vec){p[0], p[1]};
	} else if (pb_json_is_number(v)) {
		c->kind = PB_VALUE_NUM;
		pb_get_real(g, f->key, f->need, &c->num);
	} else {
		pb_get_fail(g, f->key, "a string, a number or [x, y]");
	}
}

static const struct pb_codec value = {
    "string, number or [x, y]", put_value, get_value};

#define PB_OF struct pb_rec_cmd
static const struct pb_field cmd_rows[] = {
    TEXT("name", name, REQUIRED),
    CODEC_OF_ALL("value", OPTIONAL, value, NULL),
};
#undef PB_OF

#define PB_OF struct pb_rec_state
static const struct pb_field state_rows[] = {
    TEXT("state", state, REQUIRED),
    WHOLE("round", round, OPTIONAL, COUNT),
    WHOLE("spawned", spawned, OPTIONAL, COUNT),
    WHOLE("collected", collected, OPTIONAL, COUNT),
    WHOLE("score", score, OPTIONAL, COUNT),
    TEXT("result", result, OPTIONAL),
};
#undef PB_OF

/* The ring has 6 LEDs of 8 bits a colour: all are set, or none. */
static void
put_leds(struct pb_text *o, const struct pb_field *f, const void *r)
{
	const struct pb_rec_event *e = r;
	double v[6][3];

	for (int i = 0; i < 3 * e->leds; i++)
		v[i / 3][i % 3] = e->led[i / 3][i % 3];
	if (e->leds > 0)
		pb_put_tuples(o, f->key, *v, (size_t)e->leds, 3);
}

static void
get_leds(struct pb_get *g, const struct pb_field *f, void *r)
{
	struct pb_rec_event *e = r;
	struct pb_walk w;
	double v[3];

	if (!pb_get_walk(g, f->key, f->need, &w))
		return;
	while (pb_walk_next(g, &w) && pb_walk_nums(g, &w, 3, v)) {
		if (e->leds == 6) {
			pb_get_fail(g, f->key, "6 colours");
			return;
		}
		for (int c = 0; c < 3; c++) {
			if (v[c] < 0 || v[c] > 255) {
				pb_walk_fail(g, &w, "numbers from 0 to 255");
				return;
			}
			e->led[e->leds][c] = (unsigned char)v[c];
		}
		e->leds++;
	}
	if (*g->ok && e->leds != 6)
		pb_get_fail(g, f->key, "6 colours");
}

static void
put_notes(struct pb_text *o, const struct pb_field *f, const void *r)
{
	const struct pb_rec_event *e = r;
	const void *note = e->note;

	if (e->notes > 0)
		pb_put_tuples(o, f->key, note, (size_t)e->notes, 2);
}

static void
get_notes(struct pb_get *g, const struct pb_field *f, void *r)
{
	struct pb_rec_event *e = r;
	struct pb_walk w;
	double v[2];

	if (!pb_get_walk(g, f->key, f->need, &w))
		return;
	while (pb_walk_next(g, &w) && pb_walk_nums(g, &w, 2, v)) {
		if (e->notes == PB_REC_NOTES) {
			pb_get_fail(g, f->key, "at most 64 notes");
			return;
		}
		if (v[0] < 0 || v[1] < 0) {
			pb_walk_fail(g, &w, "a pitch and a length");
			return;
		}
		e->note[e->notes].hz = v[0];
		e->note[e->notes++].s = v[1];
	}
}

static const struct pb_codec leds = {
    "list of [red, green, blue]", put_leds, get_leds};
static const struct pb_codec notes = {
    "list of [pitch, length]", put_notes, get_notes};

#define PB_OF struct pb_rec_event
static const struct pb_field event_rows[] = {
    TEXT("name", name, REQUIRED),
    WHOLE("pellet", pellet, OPTIONAL, COUNT),
    TEXT("text", text, OPTIONAL),
    NUM("duration", duration, OPTIONAL, NOT_NEGATIVE, "s"),
    NUM("w", w, OPTIONAL, ANY, "rad/s"),
    CODEC_OF_ALL("leds", OPTIONAL, leds, NULL),
    CODEC_OF_ALL("notes", OPTIONAL, notes, NULL),
};
#undef PB_OF

#define PB_OF struct pb_rec_pellet
static const struct pb_field pellet_rows[] = {
    WHOLE("id", id, REQUIRED, COUNT),
    NUM("x", x, REQUIRED, ANY, "m"),
    NUM("y", y, REQUIRED, ANY, "m"),
    CHOICE("kind", power, ALWAYS, "pellet|power", "\"pellet\" or \"power\""),
};
#undef PB_OF

#define PB_OF struct pb_rec_pellets
static const struct pb_field pellets_rows[] = {
    LIST("pellets", pellet, n, PB_REC_PELLETS_MAX, pellet_rows),
};

static int
by_value(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return (x > y) - (x < y);
}

/* Ids come sorted from every tool of ours; else sort a copy. */
static void
refuse_twins(struct pb_get *g, void *at)
{
	const struct pb_rec_pellets *p = at;
	bool rising = true;
	long *id;

	for (size_t i = 1; i < p->n; i++)
		rising = rising && p->pellet[i - 1].id < p->pellet[i].id;
	if (rising)
		return;
	id = calloc(p->n, sizeof(*id));
	for (size_t i = 0; id && i < p->n; i++)
		id[i] = p->pellet[i].id;
	if (id)
		qsort(id, p->n, sizeof(*id), by_value);
	for (size_t i = 1; id && *g->ok && i < p->n; i++)
		if (id[i] == id[i - 1])
			*g->ok = pb_error_set(g->bad,
			    "pellets.pellets: expected unlike ids, got two of "
			    "%ld",
			    id[i]);
	if (!id)
		pb_get_nomem(g, "pellets");
	free(id);
}
#undef PB_OF

#define PB_OF struct pb_rec_target
static const struct pb_field target_rows[] = {
    WHOLE("pellet", pellet, NULLED, COUNT),
    NUM("x", x, OPTIONAL, ANY, "m"),
    NUM("y", y, OPTIONAL, ANY, "m"),
    NUM("total", total, OPTIONAL, ANY, "m"),
    TEXT("why", why, OPTIONAL),
    FLAG("threat", threat, ALWAYS),
    FLAG("changed", changed, ALWAYS),
};
#undef PB_OF

#define PB_OF struct pb_rec_score
static const struct pb_field score_rows[] = {
    WHOLE("id", id, REQUIRED, COUNT),
    NUM("x", x, REQUIRED, ANY, "m"),
    NUM("y", y, REQUIRED, ANY, "m"),
    NUM("distance", distance, REQUIRED, ANY, "m"),
    NUM("risk", risk, REQUIRED, ANY, "m"),
    NUM("direction", direction, REQUIRED, ANY, "m"),
    NUM("total", total, REQUIRED, ANY, "m"),
    FLAG("safe", safe, ALWAYS),
    FLAG("excluded", excluded, ALWAYS),
};
#undef PB_OF

#define PB_OF struct pb_rec_scored
static const struct pb_field scored_rows[] = {
    FLAG("threat", threat, ALWAYS),
    LIST("pellets", pellet, n, PB_REC_PELLETS_MAX, score_rows),
};
#undef PB_OF

/* Where the next update puts a body. */
#define PB_OF struct pb_seen_body
static const struct pb_field next_rows[] = {
    WHOLE("next_row", next_row, REQUIRED, BETWEEN(INT16_MIN, INT16_MAX)),
    WHOLE("next_col", next_col, REQUIRED, BETWEEN(INT16_MIN, INT16_MAX)),
    TEXT("next_dir", next_dir, REQUIRED),
};
static const struct pb_field body_rows[] = {
    TEXT("id", id, REQUIRED),
    WHOLE("row", row, REQUIRED, BETWEEN(INT16_MIN, INT16_MAX)),
    WHOLE("col", col, REQUIRED, BETWEEN(INT16_MIN, INT16_MAX)),
    TEXT("dir", dir, OPTIONAL),
    TEXT("mode", mode, OPTIONAL),
    WHOLE("fright", fright, OPTIONAL, BETWEEN(0, 255)),
    WHOLE("trapped", trapped, OPTIONAL, BETWEEN(0, 255)),
    FLAG("spawning", spawning, OPTIONAL),
    FLAG("eaten", eaten, OPTIONAL),
    GROUP_IF(has_next, next_rows),
};
#undef PB_OF

#define PB_OF struct pb_seen
static const struct pb_field tick_rows[] = {
    WHOLE("tick", tick, REQUIRED, COUNT),
    WHOLE("score", score, OPTIONAL, COUNT),
    WHOLE("lives", lives, OPTIONAL, COUNT),
    WHOLE("left", left, OPTIONAL, COUNT),
    /* What the rules of the Pacbot game keep count of. */
    WHOLE("level", level, OPTIONAL, BETWEEN(0, 255)),
    WHOLE("combo", combo, OPTIONAL, BETWEEN(0, 255)),
    WHOLE("period", period, OPTIONAL, BETWEEN(1, 255)),
    TEXT("mode", mode, OPTIONAL),
    WHOLE("mode_steps", mode_steps, OPTIONAL, BETWEEN(0, 255)),
    WHOLE("level_steps", level_steps, OPTIONAL, BETWEEN(0, 65535)),
    WHOLE("fruit", fruit, OPTIONAL, BETWEEN(0, 255)),
    FLAG("paused", paused, OPTIONAL),
    FLAG("pausing", pausing, OPTIONAL),
    CODEC("rows", board, OPTIONAL, pb_rows_codec, NULL),
    LIST_IN(
	"bodies", body, bodies, PB_SEEN_BODIES, "at most 16 bodies", body_rows),
    TEXT("hash", hash, OPTIONAL),
};
#undef PB_OF

#define PB_OF struct pb_rec_move
static const struct pb_field move_rows[] = {
    TEXT("dir", dir, REQUIRED),
};
#undef PB_OF

/* Numbers of a joystick, and how many; a stick has two axes. Only read. */
static void
get_sticks(struct pb_get *g, const struct pb_field *f, void *r)
{
	double *out = PB_IN(r, f), *v = NULL;
	size_t n = 0;

	pb_get_list(g, f->key, f->need, PB_REC_JOY_MAX, &v, &n);
	for (size_t i = 0; i < n; i++)
		out[i] = v[i];
	free(v);
	*PB_OTHER(r, f) = (int)n;
	if (n == 1 && strcmp(f->key, "axes") == 0)
		pb_get_fail(g, f->key, "two axes or more");
}

static const struct pb_codec sticks = {"numbers", NULL, get_sticks};

#define PB_OF struct pb_rec_joy
static const struct pb_field joy_rows[] = {
    CODEC_MANY("axes", axis, axes, ALWAYS, sticks),
    CODEC_MANY("buttons", button, buttons, ALWAYS, sticks),
};
#undef PB_OF

static void
end_joy(struct pb_get *g, void *r)
{
	struct pb_rec_joy *j = r;

	(void)g;
	for (int i = 0; i < j->buttons; i++)
		j->button[i] = j->button[i] > 0;
}

#define PB_OF struct pb_rec_message
static const struct pb_field message_rows[] = {
    TEXT("name", name, REQUIRED),
    TEXT("to", to, OPTIONAL),
    TEXT("value", value, OPTIONAL),
};
#undef PB_OF

#define PB_OF struct pb_rec_draw
static const struct pb_field draw_rows[] = {
    TEXT("purpose", purpose, OPTIONAL),
    EXACT("value", value, REQUIRED, ANY, NULL),
};
#undef PB_OF

#define PB_OF struct pb_rec_reset
static const struct pb_field reset_rows[] = {
    U64("trial", trial, REQUIRED),
    U64("seed", seed, REQUIRED),
};
#undef PB_OF

const struct pb_schema pb_game_schemas[PB_REC_TYPES] = {
    [PB_REC_CMD] = PB_TYPE("cmd", pb_rec_cmd, cmd_rows, BODY),
    [PB_REC_STATE] = PB_TYPE("state", pb_rec_state, state_rows, BODY),
    [PB_REC_EVENT] = PB_TYPE("event", pb_rec_event, event_rows, BODY),
    [PB_REC_LIGHT] = PB_TYPE("light", pb_rec_event, event_rows, BODY),
    [PB_REC_SOUND] = PB_TYPE("sound", pb_rec_event, event_rows, BODY),
    [PB_REC_MOTION] = PB_TYPE("motion", pb_rec_event, event_rows, BODY),
    [PB_REC_PELLETS] =
	PB_TYPE("pellets", pb_rec_pellets, pellets_rows, .end = refuse_twins),
    [PB_REC_TARGET] = PB_TYPE("target", pb_rec_target, target_rows, BODY),
    [PB_REC_SCORED] = PB_TYPE("scored", pb_rec_scored, scored_rows, BODY),
    [PB_REC_TICK] = PB_TYPE("tick", pb_seen, tick_rows, BODY),
    [PB_REC_MOVE] = PB_TYPE("move", pb_rec_move, move_rows, BODY),
    [PB_REC_JOY] = PB_TYPE("joy", pb_rec_joy, joy_rows, .end = end_joy),
    [PB_REC_MESSAGE] = PB_TYPE("message", pb_rec_message, message_rows, BODY),
    [PB_REC_DRAW] = PB_TYPE("draw", pb_rec_draw, draw_rows, BODY),
    [PB_REC_RESET] = PB_TYPE("reset", pb_rec_reset, reset_rows),
};
