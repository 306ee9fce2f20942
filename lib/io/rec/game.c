/* game.c - records of the game controller: commands, states, feedback. */
#include <math.h>
#include <string.h>

#include "io/rec/fields.h"

void
pb_put_cmd(struct pb_text *o, struct pb_stamp s, const struct pb_rec_cmd *c)
{
	pb_put_begin(o, PB_REC_CMD, s);
	pb_put_text(o, "name", c->name);
	if (c->kind == PB_VALUE_TEXT)
		pb_put_text(o, "value", c->text);
	else if (c->kind == PB_VALUE_NUM)
		pb_put_num(o, "value", c->num);
	else if (c->kind == PB_VALUE_POINT) {
		pb_put_key(o, "value");
		pb_text_put(o, "[", 1);
		pb_text_num(o, c->point.x);
		pb_text_put(o, ",", 1);
		pb_text_num(o, c->point.y);
		pb_text_put(o, "]", 1);
	}
	pb_put_end(o);
}

static void
get_value(struct pb_get *g, struct pb_rec_cmd *c)
{
	const json_t *v = pb_get_value(g, "value");
	double p[2] = {0};

	if (!g->ok || !v)
		return;
	if (json_is_string(v)) {
		c->kind = PB_VALUE_TEXT;
		PB_GET_WORD(g, "value", PB_REQUIRED, c->text);
	} else if (json_is_array(v)) {
		c->kind = PB_VALUE_POINT;
		pb_get_nums(g, "value", PB_REQUIRED, 2, p);
		c->point = (struct pb_vec){p[0], p[1]};
	} else if (json_is_number(v)) {
		c->kind = PB_VALUE_NUM;
		pb_get_real(g, "value", PB_REQUIRED, &c->num);
	} else {
		pb_get_fail(g, "value", "a string, a number or [x, y]");
	}
}

void
pb_get_cmd(struct pb_get *g, struct pb_rec_cmd *c)
{
	*c = (struct pb_rec_cmd){0};
	PB_GET_WORD(g, "name", PB_REQUIRED, c->name);
	get_value(g, c);
}

struct pb_rec_state
pb_rec_state_none(void)
{
	return (struct pb_rec_state){
	    .round = -1, .spawned = -1, .collected = -1, .score = -1};
}

void
pb_put_state(struct pb_text *o, struct pb_stamp s, const struct pb_rec_state *e)
{
	pb_put_begin(o, PB_REC_STATE, s);
	pb_put_text(o, "state", e->state);
	pb_put_int_if(o, "round", e->round);
	pb_put_int_if(o, "spawned", e->spawned);
	pb_put_int_if(o, "collected", e->collected);
	pb_put_int_if(o, "score", e->score);
	pb_put_text_if(o, "result", e->result);
	pb_put_end(o);
}

void
pb_get_state(struct pb_get *g, struct pb_rec_state *e)
{
	*e = pb_rec_state_none();
	PB_GET_WORD(g, "state", PB_REQUIRED, e->state);
	pb_get_int(g, "round", PB_OPTIONAL, 0, INT32_MAX, &e->round);
	pb_get_int(g, "spawned", PB_OPTIONAL, 0, INT32_MAX, &e->spawned);
	pb_get_int(g, "collected", PB_OPTIONAL, 0, INT32_MAX, &e->collected);
	pb_get_int(g, "score", PB_OPTIONAL, 0, INT32_MAX, &e->score);
	PB_GET_WORD(g, "result", PB_OPTIONAL, e->result);
}

struct pb_rec_event
pb_rec_event_none(void)
{
	return (struct pb_rec_event){.pellet = -1, .duration = NAN, .w = NAN};
}

static void
put_leds(struct pb_text *o, const struct pb_rec_event *e)
{
	pb_put_key(o, "leds");
	for (int i = 0; i < e->leds; i++) {
		pb_text_puts(o, i ? ",[" : "[[");
		for (int c = 0; c < 3; c++) {
			pb_text_put(o, ",", c ? 1 : 0);
			pb_text_int(o, e->led[i][c]);
		}
		pb_text_put(o, "]", 1);
	}
	pb_text_put(o, "]", 1);
}

static void
put_notes(struct pb_text *o, const struct pb_rec_event *e)
{
	pb_put_key(o, "notes");
	for (int i = 0; i < e->notes; i++) {
		pb_text_puts(o, i ? ",[" : "[[");
		pb_text_num(o, e->note[i].hz);
		pb_text_put(o, ",", 1);
		pb_text_num(o, e->note[i].s);
		pb_text_put(o, "]", 1);
	}
	pb_text_put(o, "]", 1);
}

void
pb_put_event(struct pb_text *o, enum pb_rec_type type, struct pb_stamp s,
    const struct pb_rec_event *e)
{
	pb_put_begin(o, type, s);
	pb_put_text(o, "name", e->name);
	pb_put_int_if(o, "pellet", e->pellet);
	pb_put_text_if(o, "text", e->text);
	pb_put_num_if(o, "duration", e->duration);
	pb_put_num_if(o, "w", e->w);
	if (e->leds > 0)
		put_leds(o, e);
	if (e->notes > 0)
		put_notes(o, e);
	pb_put_end(o);
}

static void
get_leds(struct pb_get *g, struct pb_rec_event *e)
{
	struct pb_walk w;
	double v[3];

	if (!pb_get_walk(g, "leds", PB_OPTIONAL, &w))
		return;
	while (pb_walk_next(g, &w) && pb_walk_nums(g, &w, 3, v)) {
		if (e->leds == 6) {
			pb_get_fail(g, "leds", "6 colours");
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
	if (g->ok && e->leds != 6)
		pb_get_fail(g, "leds", "6 colours");
}

static void
get_notes(struct pb_get *g, struct pb_rec_event *e)
{
	struct pb_walk w;
	double v[2];

	if (!pb_get_walk(g, "notes", PB_OPTIONAL, &w))
		return;
	while (pb_walk_next(g, &w) && pb_walk_nums(g, &w, 2, v)) {
		if (e->notes == PB_REC_NOTES) {
			pb_get_fail(g, "notes", "at most 64 notes");
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

void
pb_get_event(struct pb_get *g, struct pb_rec_event *e)
{
	*e = pb_rec_event_none();
	PB_GET_WORD(g, "name", PB_REQUIRED, e->name);
	pb_get_int(g, "pellet", PB_OPTIONAL, 0, INT32_MAX, &e->pellet);
	PB_GET_WORD(g, "text", PB_OPTIONAL, e->text);
	pb_get_num(g, "duration", PB_OPTIONAL, 0, INFINITY, &e->duration);
	pb_get_real(g, "w", PB_OPTIONAL, &e->w);
	get_leds(g, e);
	get_notes(g, e);
}
