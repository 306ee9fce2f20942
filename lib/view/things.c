/* things.c - what stands on the map, as characters. */
#include "view/layers.h"

#include <math.h>

#include "base/elementary.h"

/* Put a sign where v is, if that is on the map's part of the grid. */
static void
put(struct pb_sketch *k, struct pb_vec v, uint32_t code, enum pb_ink ink)
{
	struct pb_vec d = pb_viewport_at(&k->port, v);
	/* The middle of an even number of characters is always the left one. */
	double x = floor(d.x / k->sx - 1e-6), y = floor(d.y / k->sy - 1e-6);

	if (x >= 0 && y >= 0 && x < k->cols && y < k->lines)
		pb_glyphs_put(
		    &k->cells, k->left + (int)x, k->top + (int)y, code, ink);
}

static void
put_sign(struct pb_sketch *k, struct pb_vec v, enum pb_sign g)
{
	put(k, v, pb_sign_code(g, k->utf8), pb_sign_ink(g));
}

/*
 * The part a..b of the segment p + s (q - p), 0 <= s <= 1, that lies between
 * lo and hi in one coordinate (Liang and Barsky); false: none.
 */
static bool
clip(double p, double q, double lo, double hi, double *a, double *b)
{
	double d = q - p, s0, s1;

	if (d == 0)
		return p >= lo && p <= hi;
	s0 = (lo - p) / d;
	s1 = (hi - p) / d;
	*a = fmax(*a, fmin(s0, s1));
	*b = fmin(*b, fmax(s0, s1));
	return *a <= *b;
}

static void
put_segment(
    struct pb_sketch *k, struct pb_vec p, struct pb_vec q, enum pb_sign g)
{
	struct pb_vec u = pb_viewport_at(&k->port, p),
		      v = pb_viewport_at(&k->port, q);
	double a = 0, b = 1, n;

	if (!clip(u.x, v.x, 0, k->port.width, &a, &b) ||
	    !clip(u.y, v.y, 0, k->port.height, &a, &b))
		return;
	n = ceil(fmax(fabs(v.x - u.x) / k->sx, fabs(v.y - u.y) / k->sy) *
		 (b - a) * 2);
	for (double i = 0; i <= n; i++) {
		double s = n > 0 ? a + (b - a) * i / n : a;

		put_sign(k,
		    (struct pb_vec){
			p.x + s * (q.x - p.x), p.y + s * (q.y - p.y)},
		    g);
	}
}

static void
put_line(struct pb_sketch *k, const struct pb_points *p, enum pb_sign g)
{
	for (size_t i = 1; i < p->n; i++)
		put_segment(k, p->at[i - 1], p->at[i], g);
}

static void
put_points(struct pb_sketch *k, const struct pb_points *p, enum pb_sign g)
{
	for (size_t i = 0; i < p->n; i++)
		put_sign(k, p->at[i], g);
}

static void
put_circle(struct pb_sketch *k, struct pb_vec c, double r, enum pb_sign g)
{
	struct pb_vec p = {c.x + r, c.y};

	for (int i = 1; i <= 32; i++) {
		double th = i * PB_PI / 16;
		struct pb_vec q = {c.x + r * pb_cos(th), c.y + r * pb_sin(th)};

		put_segment(k, p, q, g);
		p = q;
	}
}

static void
put_trails(struct pb_sketch *k, const struct pb_scene *s)
{
	for (size_t i = 0; i < s->bodies; i++) {
		put_points(k, &s->body[i].cloud, PB_SIGN_PARTICLE);
		put_points(k, &s->body[i].scan, PB_SIGN_SCAN);
	}
	for (size_t i = 0; i < s->bodies; i++)
		if (s->body[i].kind == PB_BODY_GHOST)
			put_line(k, &s->body[i].trail, PB_SIGN_GHOST_TRAIL);
	for (size_t i = 0; i < s->bodies; i++)
		if (s->body[i].kind != PB_BODY_GHOST)
			put_line(k, &s->body[i].trail, PB_SIGN_TRAIL);
}

static void
put_plans(struct pb_sketch *k, const struct pb_scene *s)
{
	for (size_t i = 0; i < s->bodies; i++) {
		const struct pb_body *b = &s->body[i];

		put_line(k, &b->path, PB_SIGN_PATH);
		put_points(k, &b->solid, PB_SIGN_SOLID);
		if (b->radius > 0)
			put_circle(k, b->disc, b->radius, PB_SIGN_SOLID);
		if (b->has_goal)
			put_sign(k, b->goal, PB_SIGN_GOAL);
	}
}

static void
put_pellets(struct pb_sketch *k, const struct pb_scene *s)
{
	for (int eaten = 1; eaten >= 0; eaten--)
		for (size_t i = 0; i < s->pellets; i++) {
			const struct pb_spot *p = &s->pellet[i];

			if (p->eaten == eaten)
				put_sign(k, p->at,
				    p->eaten   ? PB_SIGN_EATEN
				    : p->power ? PB_SIGN_POWER
					       : PB_SIGN_PELLET);
		}
	for (size_t i = 0; i < s->pellets && s->has_target; i++)
		if (s->pellet[i].id == s->target && !s->pellet[i].eaten)
			put_sign(k, s->pellet[i].at, PB_SIGN_TARGET);
}

static void
put_marks(struct pb_sketch *k, const struct pb_scene *s, bool death)
{
	for (size_t i = 0; i < pb_scene_marks(s); i++) {
		struct pb_mark m = pb_scene_mark_at(s, i);

		if ((m.kind == PB_MARK_DEATH) == death)
			put_sign(k, m.at,
			    m.kind == PB_MARK_DEATH  ? PB_SIGN_DEATH
			    : m.kind == PB_MARK_HOME ? PB_SIGN_HOME
						     : PB_SIGN_EATEN);
	}
}

/* Hypotheses by rank, the likeliest on top. */
static void
put_guesses(struct pb_sketch *k, const struct pb_body *b)
{
	for (int i = b->guesses - 1; i >= 0; i--)
		put(k, pb_pose_vec(b->guess[i].pose), '1' + (uint32_t)i,
		    pb_sign_ink(PB_SIGN_GUESS));
}

/* Others first: the robot is never hidden. */
static void
put_bodies(struct pb_sketch *k, const struct pb_scene *s)
{
	static const enum pb_body_kind order[] = {
	    PB_BODY_OTHER, PB_BODY_GHOST, PB_BODY_ROBOT};

	for (int n = 0; n < 3; n++)
		for (size_t i = 0; i < s->bodies; i++) {
			const struct pb_body *b = &s->body[i];

			if (b->placed && b->kind == order[n])
				put(k, pb_pose_vec(b->pose),
				    pb_sign_body(b, &k->port, k->utf8),
				    pb_sign_body_ink(b));
		}
}

void
pb_sketch_things(struct pb_sketch *k, const struct pb_scene *s,
    const struct pb_render_opts *o)
{
	if (!o->no_trails)
		put_trails(k, s);
	put_plans(k, s);
	put_marks(k, s, false);
	put_pellets(k, s);
	put_marks(k, s, true);
	for (size_t i = 0; i < s->bodies; i++)
		put_guesses(k, &s->body[i]);
	put_bodies(k, s);
}
