/* grid.c - records of the grid games. */
#include <stdlib.h>

#include "io/rec/fields.h"

static void
put_body(struct pb_text *o, const struct pb_seen_body *b)
{
	pb_text_puts(o, "{\"id\":");
	pb_text_string(o, b->id);
	pb_put_int(o, "row", b->row);
	pb_put_int(o, "col", b->col);
	pb_put_text_if(o, "dir", b->dir);
	pb_put_text_if(o, "mode", b->mode);
	pb_put_int_if(o, "fright", b->fright);
	pb_put_int_if(o, "trapped", b->trapped);
	if (b->spawning)
		pb_put_bool(o, "spawning", true);
	if (b->eaten)
		pb_put_bool(o, "eaten", true);
	if (b->has_next) {
		pb_put_int(o, "next_row", b->next_row);
		pb_put_int(o, "next_col", b->next_col);
		pb_put_text(o, "next_dir", b->next_dir);
	}
	pb_text_put(o, "}", 1);
}

void
pb_put_tick(struct pb_text *o, struct pb_stamp s, const struct pb_seen *k)
{
	pb_put_begin(o, PB_REC_TICK, s);
	pb_put_int(o, "tick", k->tick);
	pb_put_int_if(o, "score", k->score);
	pb_put_int_if(o, "lives", k->lives);
	pb_put_int_if(o, "left", k->left);
	pb_put_int_if(o, "level", k->level);
	pb_put_int_if(o, "combo", k->combo);
	pb_put_int_if(o, "period", k->period);
	pb_put_text_if(o, "mode", k->mode);
	pb_put_int_if(o, "mode_steps", k->mode_steps);
	pb_put_int_if(o, "level_steps", k->level_steps);
	pb_put_int_if(o, "fruit", k->fruit);
	if (k->paused)
		pb_put_bool(o, "paused", true);
	if (k->pausing)
		pb_put_bool(o, "pausing", true);
	if (k->board.rows > 0)
		pb_put_rows(o, &k->board);
	pb_put_key(o, "bodies");
	pb_text_put(o, "[", 1);
	for (int i = 0; i < k->bodies; i++) {
		pb_text_put(o, ",", i ? 1 : 0);
		put_body(o, &k->body[i]);
	}
	pb_text_put(o, "]", 1);
	pb_put_text_if(o, "hash", k->hash);
	pb_put_end(o);
}

static void
get_body(struct pb_get *g, struct pb_seen_body *b)
{
	long row = 0, col = 0, fright = -1, trapped = -1, next[2] = {0, 0};

	*b = (struct pb_seen_body){0};
	PB_GET_WORD(g, "id", PB_REQUIRED, b->id);
	pb_get_int(g, "row", PB_REQUIRED, INT16_MIN, INT16_MAX, &row);
	pb_get_int(g, "col", PB_REQUIRED, INT16_MIN, INT16_MAX, &col);
	PB_GET_WORD(g, "dir", PB_OPTIONAL, b->dir);
	PB_GET_WORD(g, "mode", PB_OPTIONAL, b->mode);
	pb_get_int(g, "fright", PB_OPTIONAL, 0, 255, &fright);
	pb_get_int(g, "trapped", PB_OPTIONAL, 0, 255, &trapped);
	pb_get_bool(g, "spawning", PB_OPTIONAL, &b->spawning);
	pb_get_bool(g, "eaten", PB_OPTIONAL, &b->eaten);
	b->has_next = pb_get_value(g, "next_row") != NULL;
	if (b->has_next) {
		pb_get_int(
		    g, "next_row", PB_REQUIRED, INT16_MIN, INT16_MAX, &next[0]);
		pb_get_int(
		    g, "next_col", PB_REQUIRED, INT16_MIN, INT16_MAX, &next[1]);
		PB_GET_WORD(g, "next_dir", PB_REQUIRED, b->next_dir);
	}
	b->row = (int)row;
	b->col = (int)col;
	b->fright = (int)fright;
	b->trapped = (int)trapped;
	b->next_row = (int)next[0];
	b->next_col = (int)next[1];
}

/* What the rules of the Pacbot game keep count of. */
static void
get_rules(struct pb_get *g, struct pb_seen *k)
{
	pb_get_int(g, "level", PB_OPTIONAL, 0, 255, &k->level);
	pb_get_int(g, "combo", PB_OPTIONAL, 0, 255, &k->combo);
	pb_get_int(g, "period", PB_OPTIONAL, 1, 255, &k->period);
	PB_GET_WORD(g, "mode", PB_OPTIONAL, k->mode);
	pb_get_int(g, "mode_steps", PB_OPTIONAL, 0, 255, &k->mode_steps);
	pb_get_int(g, "level_steps", PB_OPTIONAL, 0, 65535, &k->level_steps);
	pb_get_int(g, "fruit", PB_OPTIONAL, 0, 255, &k->fruit);
	pb_get_bool(g, "paused", PB_OPTIONAL, &k->paused);
	pb_get_bool(g, "pausing", PB_OPTIONAL, &k->pausing);
	pb_get_rows(g, PB_OPTIONAL, &k->board);
}

void
pb_get_tick(struct pb_get *g, struct pb_seen *k)
{
	struct pb_walk w;
	struct pb_get sub;

	*k = pb_seen_none();
	pb_get_int(g, "tick", PB_REQUIRED, 0, INT32_MAX, &k->tick);
	pb_get_int(g, "score", PB_OPTIONAL, 0, INT32_MAX, &k->score);
	pb_get_int(g, "lives", PB_OPTIONAL, 0, INT32_MAX, &k->lives);
	pb_get_int(g, "left", PB_OPTIONAL, 0, INT32_MAX, &k->left);
	get_rules(g, k);
	PB_GET_WORD(g, "hash", PB_OPTIONAL, k->hash);
	if (!pb_get_walk(g, "bodies", PB_REQUIRED, &w))
		return;
	while (pb_walk_next(g, &w) && pb_walk_object(g, &w, &sub)) {
		if (k->bodies == PB_SEEN_BODIES) {
			pb_get_fail(g, "bodies", "at most 16 bodies");
			return;
		}
		get_body(&sub, &k->body[k->bodies++]);
		g->ok = sub.ok;
	}
}

void
pb_put_move(struct pb_text *o, struct pb_stamp s, const struct pb_rec_move *m)
{
	pb_put_begin(o, PB_REC_MOVE, s);
	pb_put_text(o, "dir", m->dir);
	pb_put_end(o);
}

void
pb_get_move(struct pb_get *g, struct pb_rec_move *m)
{
	*m = (struct pb_rec_move){0};
	PB_GET_WORD(g, "dir", PB_REQUIRED, m->dir);
}

void
pb_put_joy(struct pb_text *o, struct pb_stamp s, const struct pb_rec_joy *j)
{
	pb_put_begin(o, PB_REC_JOY, s);
	pb_put_key(o, "axes");
	pb_text_put(o, "[", 1);
	for (int i = 0; i < j->axes; i++) {
		pb_text_put(o, ",", i ? 1 : 0);
		pb_text_num(o, j->axis[i]);
	}
	pb_text_put(o, "]", 1);
	pb_put_key(o, "buttons");
	pb_text_put(o, "[", 1);
	for (int i = 0; i < j->buttons; i++) {
		pb_text_put(o, ",", i ? 1 : 0);
		pb_text_int(o, j->button[i]);
	}
	pb_text_put(o, "]", 1);
	pb_put_end(o);
}

/* Numbers of a joystick, and how many. */
static int
get_sticks(struct pb_get *g, const char *key, double *out)
{
	double *v = NULL;
	size_t n = 0;

	pb_get_list(g, key, PB_OPTIONAL, PB_REC_JOY_MAX, &v, &n);
	for (size_t i = 0; g->ok && i < n; i++)
		out[i] = v[i];
	free(v);
	return g->ok ? (int)n : 0;
}

void
pb_get_joy(struct pb_get *g, struct pb_rec_joy *j)
{
	double pressed[PB_REC_JOY_MAX];

	*j = (struct pb_rec_joy){.axes = 0};
	j->axes = get_sticks(g, "axes", j->axis);
	j->buttons = get_sticks(g, "buttons", pressed);
	for (int i = 0; i < j->buttons; i++)
		j->button[i] = pressed[i] > 0;
	if (g->ok && j->axes == 1)
		pb_get_fail(g, "axes", "two axes or more");
}

void
pb_put_draw(struct pb_text *o, struct pb_stamp s, const struct pb_rec_draw *d)
{
	pb_put_begin(o, PB_REC_DRAW, s);
	pb_put_text_if(o, "purpose", d->purpose);
	pb_put_exact(o, "value", d->value);
	pb_put_end(o);
}

void
pb_get_draw(struct pb_get *g, struct pb_rec_draw *d)
{
	*d = (struct pb_rec_draw){0};
	PB_GET_WORD(g, "purpose", PB_OPTIONAL, d->purpose);
	pb_get_real(g, "value", PB_REQUIRED, &d->value);
}

void
pb_put_message(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_message *m)
{
	pb_put_begin(o, PB_REC_MESSAGE, s);
	pb_put_text(o, "name", m->name);
	pb_put_text_if(o, "to", m->to);
	pb_put_text_if(o, "value", m->value);
	pb_put_end(o);
}

void
pb_get_message(struct pb_get *g, struct pb_rec_message *m)
{
	*m = (struct pb_rec_message){.name = ""};
	PB_GET_WORD(g, "name", PB_REQUIRED, m->name);
	PB_GET_WORD(g, "to", PB_OPTIONAL, m->to);
	PB_GET_WORD(g, "value", PB_OPTIONAL, m->value);
}
