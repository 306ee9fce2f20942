/* grid.c - records of the grid games. */
#include "io/rec/fields.h"

struct pb_rec_tick
pb_rec_tick_none(void)
{
	return (struct pb_rec_tick){.score = -1, .lives = -1, .left = -1};
}

static void
put_body(struct pb_text *o, const struct pb_rec_body *b)
{
	pb_text_puts(o, "{\"id\":");
	pb_text_string(o, b->id);
	pb_put_int(o, "row", b->row);
	pb_put_int(o, "col", b->col);
	pb_put_text_if(o, "dir", b->dir);
	pb_put_text_if(o, "mode", b->mode);
	pb_text_put(o, "}", 1);
}

void
pb_put_tick(struct pb_text *o, struct pb_stamp s, const struct pb_rec_tick *k)
{
	pb_put_begin(o, PB_REC_TICK, s);
	pb_put_int(o, "tick", k->tick);
	pb_put_int_if(o, "score", k->score);
	pb_put_int_if(o, "lives", k->lives);
	pb_put_int_if(o, "left", k->left);
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
get_body(struct pb_get *g, struct pb_rec_body *b)
{
	long row = 0, col = 0;

	*b = (struct pb_rec_body){0};
	PB_GET_WORD(g, "id", PB_REQUIRED, b->id);
	pb_get_int(g, "row", PB_REQUIRED, INT16_MIN, INT16_MAX, &row);
	pb_get_int(g, "col", PB_REQUIRED, INT16_MIN, INT16_MAX, &col);
	PB_GET_WORD(g, "dir", PB_OPTIONAL, b->dir);
	PB_GET_WORD(g, "mode", PB_OPTIONAL, b->mode);
	b->row = (int)row;
	b->col = (int)col;
}

void
pb_get_tick(struct pb_get *g, struct pb_rec_tick *k)
{
	struct pb_walk w;
	struct pb_get sub;

	*k = pb_rec_tick_none();
	pb_get_int(g, "tick", PB_REQUIRED, 0, INT32_MAX, &k->tick);
	pb_get_int(g, "score", PB_OPTIONAL, 0, INT32_MAX, &k->score);
	pb_get_int(g, "lives", PB_OPTIONAL, 0, INT32_MAX, &k->lives);
	pb_get_int(g, "left", PB_OPTIONAL, 0, INT32_MAX, &k->left);
	PB_GET_WORD(g, "hash", PB_OPTIONAL, k->hash);
	if (!pb_get_walk(g, "bodies", PB_REQUIRED, &w))
		return;
	while (pb_walk_next(g, &w) && pb_walk_object(g, &w, &sub)) {
		if (k->bodies == PB_REC_BODIES) {
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
