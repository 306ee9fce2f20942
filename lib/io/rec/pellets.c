/* pellets.c - records about pellets: the set, scores, the target. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/rec/fields.h"

void
pb_put_pellets(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_pellets *p)
{
	pb_put_begin(o, PB_REC_PELLETS, s);
	pb_put_key(o, "pellets");
	pb_text_put(o, "[", 1);
	for (size_t i = 0; i < p->n; i++) {
		const struct pb_rec_pellet *q = &p->pellet[i];

		pb_text_puts(o, i ? ",{\"id\":" : "{\"id\":");
		pb_text_int(o, q->id);
		pb_put_num(o, "x", q->x);
		pb_put_num(o, "y", q->y);
		pb_put_text(o, "kind", q->power ? "power" : "pellet");
		pb_text_put(o, "}", 1);
	}
	pb_text_put(o, "]", 1);
	pb_put_end(o);
}

static void
get_pellet(struct pb_get *g, struct pb_rec_pellet *q)
{
	char kind[PB_REC_WORD] = "pellet";

	pb_get_int(g, "id", PB_REQUIRED, 0, INT32_MAX, &q->id);
	pb_get_real(g, "x", PB_REQUIRED, &q->x);
	pb_get_real(g, "y", PB_REQUIRED, &q->y);
	PB_GET_WORD(g, "kind", PB_OPTIONAL, kind);
	q->power = strcmp(kind, "power") == 0;
	if (g->ok && !q->power && strcmp(kind, "pellet") != 0)
		pb_get_fail(g, "kind", "\"pellet\" or \"power\"");
}

static int
by_value(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return (x > y) - (x < y);
}

/* Ids come sorted from every tool of ours; else sort a copy. */
static void
refuse_twins(struct pb_get *g, const struct pb_rec_pellets *p)
{
	bool rising = true;
	long *id;

	for (size_t i = 1; i < p->n; i++)
		rising = rising && p->pellet[i - 1].id < p->pellet[i].id;
	if (!g->ok || rising)
		return;
	id = calloc(p->n, sizeof(*id));
	for (size_t i = 0; id && i < p->n; i++)
		id[i] = p->pellet[i].id;
	if (id)
		qsort(id, p->n, sizeof(*id), by_value);
	for (size_t i = 1; id && g->ok && i < p->n; i++)
		if (id[i] == id[i - 1]) {
			g->ok = false;
			pb_bad_set(g->bad,
			    "pellets.pellets: expected unlike ids, got two of "
			    "%ld",
			    id[i]);
		}
	if (!id)
		pb_get_nomem(g, "pellets");
	free(id);
}

void
pb_get_pellets(struct pb_get *g, struct pb_rec_pellets *p)
{
	struct pb_walk w;
	struct pb_get sub;

	*p = (struct pb_rec_pellets){0};
	if (!pb_get_walk(g, "pellets", PB_REQUIRED, &w))
		return;
	p->pellet =
	    pb_get_room(g, &w, PB_REC_PELLETS_MAX, sizeof(*p->pellet), &p->n);
	for (size_t i = 0; i < p->n && pb_walk_next(g, &w); i++) {
		if (!pb_walk_object(g, &w, &sub))
			return;
		get_pellet(&sub, &p->pellet[i]);
		g->ok = sub.ok;
	}
	refuse_twins(g, p);
}

void
pb_put_target(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_target *t)
{
	pb_put_begin(o, PB_REC_TARGET, s);
	if (t->pellet >= 0)
		pb_put_int(o, "pellet", t->pellet);
	else
		pb_put_num(o, "pellet", NAN);
	pb_put_num_if(o, "x", t->x);
	pb_put_num_if(o, "y", t->y);
	pb_put_num_if(o, "total", t->total);
	pb_put_text_if(o, "why", t->why);
	pb_put_bool(o, "threat", t->threat);
	pb_put_bool(o, "changed", t->changed);
	pb_put_end(o);
}

struct pb_rec_target
pb_rec_target_none(void)
{
	return (struct pb_rec_target){
	    .pellet = -1, .x = NAN, .y = NAN, .total = NAN};
}

void
pb_get_target(struct pb_get *g, struct pb_rec_target *t)
{
	*t = pb_rec_target_none();
	pb_get_int(g, "pellet", PB_OPTIONAL, 0, INT32_MAX, &t->pellet);
	pb_get_real(g, "x", PB_OPTIONAL, &t->x);
	pb_get_real(g, "y", PB_OPTIONAL, &t->y);
	pb_get_real(g, "total", PB_OPTIONAL, &t->total);
	PB_GET_WORD(g, "why", PB_OPTIONAL, t->why);
	pb_get_bool(g, "threat", PB_OPTIONAL, &t->threat);
	pb_get_bool(g, "changed", PB_OPTIONAL, &t->changed);
}

void
pb_put_scored(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_scored *c)
{
	pb_put_begin(o, PB_REC_SCORED, s);
	pb_put_bool(o, "threat", c->threat);
	pb_put_key(o, "pellets");
	pb_text_put(o, "[", 1);
	for (size_t i = 0; i < c->n; i++) {
		const struct pb_rec_score *q = &c->pellet[i];

		pb_text_puts(o, i ? ",{\"id\":" : "{\"id\":");
		pb_text_int(o, q->id);
		pb_put_num(o, "x", q->x);
		pb_put_num(o, "y", q->y);
		pb_put_num(o, "distance", q->distance);
		pb_put_num(o, "risk", q->risk);
		pb_put_num(o, "direction", q->direction);
		pb_put_num(o, "total", q->total);
		pb_put_bool(o, "safe", q->safe);
		pb_put_bool(o, "excluded", q->excluded);
		pb_text_put(o, "}", 1);
	}
	pb_text_put(o, "]", 1);
	pb_put_end(o);
}

static void
get_score(struct pb_get *g, struct pb_rec_score *q)
{
	pb_get_int(g, "id", PB_REQUIRED, 0, INT32_MAX, &q->id);
	pb_get_real(g, "x", PB_REQUIRED, &q->x);
	pb_get_real(g, "y", PB_REQUIRED, &q->y);
	pb_get_real(g, "distance", PB_REQUIRED, &q->distance);
	pb_get_real(g, "risk", PB_REQUIRED, &q->risk);
	pb_get_real(g, "direction", PB_REQUIRED, &q->direction);
	pb_get_real(g, "total", PB_REQUIRED, &q->total);
	pb_get_bool(g, "safe", PB_OPTIONAL, &q->safe);
	pb_get_bool(g, "excluded", PB_OPTIONAL, &q->excluded);
}

void
pb_get_scored(struct pb_get *g, struct pb_rec_scored *c)
{
	struct pb_walk w;
	struct pb_get sub;

	*c = (struct pb_rec_scored){0};
	pb_get_bool(g, "threat", PB_OPTIONAL, &c->threat);
	if (!pb_get_walk(g, "pellets", PB_REQUIRED, &w))
		return;
	c->pellet =
	    pb_get_room(g, &w, PB_REC_PELLETS_MAX, sizeof(*c->pellet), &c->n);
	for (size_t i = 0; i < c->n && pb_walk_next(g, &w); i++) {
		if (!pb_walk_object(g, &w, &sub))
			return;
		get_score(&sub, &c->pellet[i]);
		g->ok = sub.ok;
	}
}
