/* belief.c - records of what a localizer believes. */
#include "io/rec/fields.h"

static void
put_hypothesis(struct pb_text *o, const struct pb_hypothesis *h)
{
	pb_text_puts(o, "{\"x\":");
	pb_text_num(o, h->pose.x);
	pb_put_num(o, "y", h->pose.y);
	pb_put_num(o, "theta", h->pose.th);
	pb_put_num(o, "weight", h->weight);
	pb_put_cov(o, h->cov);
	pb_text_put(o, "}", 1);
}

static void
put_particles(struct pb_text *o, const struct pb_rec_belief *b)
{
	pb_put_key(o, "particles");
	for (size_t i = 0; i < b->particles; i++) {
		pb_text_puts(o, i ? ",[" : "[[");
		pb_text_num(o, b->particle[i].x);
		pb_text_put(o, ",", 1);
		pb_text_num(o, b->particle[i].y);
		pb_text_put(o, ",", 1);
		pb_text_num(o, b->particle[i].th);
		pb_text_put(o, "]", 1);
	}
	pb_text_put(o, "]", 1);
}

void
pb_put_belief(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_belief *b)
{
	pb_put_begin(o, PB_REC_BELIEF, s);
	pb_put_text(o, "status", b->status);
	pb_put_key(o, "hypotheses");
	pb_text_put(o, "[", 1);
	for (int i = 0; i < b->n; i++) {
		pb_text_put(o, ",", i ? 1 : 0);
		put_hypothesis(o, &b->at[i]);
	}
	pb_text_put(o, "]", 1);
	if (b->particles > 0)
		put_particles(o, b);
	pb_put_end(o);
}

static void
get_hypothesis(struct pb_get *g, struct pb_hypothesis *h)
{
	*h = (struct pb_hypothesis){.weight = 0};
	pb_get_real(g, "x", PB_REQUIRED, &h->pose.x);
	pb_get_real(g, "y", PB_REQUIRED, &h->pose.y);
	pb_get_angle(g, "theta", PB_REQUIRED, &h->pose.th);
	pb_get_num(g, "weight", PB_REQUIRED, 0, 1, &h->weight);
	pb_get_cov(g, PB_REQUIRED, h->cov);
}

static void
get_particles(struct pb_get *g, struct pb_rec_belief *b)
{
	struct pb_walk w;
	struct pb_pose *p;
	double v[3];

	if (!pb_get_walk(g, "particles", PB_OPTIONAL, &w))
		return;
	b->particle = p =
	    pb_get_room(g, &w, PB_REC_POINTS_MAX, sizeof(*p), &b->particles);
	for (; p && pb_walk_next(g, &w) && pb_walk_nums(g, &w, 3, v); p++)
		*p = (struct pb_pose){v[0], v[1], pb_near_wrap(v[2])};
}

void
pb_get_belief(struct pb_get *g, struct pb_rec_belief *b)
{
	struct pb_walk w;
	struct pb_get sub;

	*b = (struct pb_rec_belief){.n = 0};
	PB_GET_WORD(g, "status", PB_REQUIRED, b->status);
	if (!pb_get_walk(g, "hypotheses", PB_REQUIRED, &w))
		return;
	while (pb_walk_next(g, &w)) {
		if (b->n == PB_LOC_HYPOTHESES) {
			pb_get_fail(g, "hypotheses", "at most 8 of them");
			return;
		}
		if (!pb_walk_object(g, &w, &sub))
			return;
		get_hypothesis(&sub, &b->at[b->n++]);
		g->ok = sub.ok;
	}
	get_particles(g, b);
}
