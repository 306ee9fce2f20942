/* body.c - records about a body: where it is, how it moves, what it sees. */
#include <math.h>

#include "io/rec/fields.h"

void
pb_put_pose(struct pb_text *o, struct pb_stamp s, const struct pb_rec_pose *p)
{
	pb_put_begin(o, PB_REC_POSE, s);
	pb_put_num(o, "x", p->x);
	pb_put_num(o, "y", p->y);
	if (!p->no_theta)
		pb_put_num(o, "theta", p->theta);
	pb_put_text_if(o, "source", p->source);
	pb_put_text_if(o, "status", p->status);
	if (p->has_cov)
		pb_put_cov(o, p->cov);
	pb_put_end(o);
}

void
pb_get_pose(struct pb_get *g, struct pb_rec_pose *p)
{
	*p = (struct pb_rec_pose){0};
	pb_get_real(g, "x", PB_REQUIRED, &p->x);
	pb_get_real(g, "y", PB_REQUIRED, &p->y);
	p->theta = NAN;
	pb_get_angle(g, "theta", PB_OPTIONAL, &p->theta);
	p->no_theta = isnan(p->theta);
	p->theta = p->no_theta ? 0 : p->theta;
	PB_GET_WORD(g, "source", PB_OPTIONAL, p->source);
	PB_GET_WORD(g, "status", PB_OPTIONAL, p->status);
	p->has_cov = pb_get_cov(g, PB_OPTIONAL, p->cov);
}

void
pb_put_odom(struct pb_text *o, struct pb_stamp s, const struct pb_rec_odom *d)
{
	pb_put_begin(o, PB_REC_ODOM, s);
	pb_put_num(o, "x", d->x);
	pb_put_num(o, "y", d->y);
	pb_put_num(o, "theta", d->theta);
	pb_put_num_if(o, "v", d->v);
	pb_put_num_if(o, "w", d->w);
	pb_put_end(o);
}

void
pb_get_odom(struct pb_get *g, struct pb_rec_odom *d)
{
	*d = (struct pb_rec_odom){.v = NAN, .w = NAN};
	pb_get_real(g, "x", PB_REQUIRED, &d->x);
	pb_get_real(g, "y", PB_REQUIRED, &d->y);
	pb_get_angle(g, "theta", PB_REQUIRED, &d->theta);
	pb_get_real(g, "v", PB_OPTIONAL, &d->v);
	pb_get_real(g, "w", PB_OPTIONAL, &d->w);
}

/* The beams that failed, if any did. */
static void
put_errors(struct pb_text *o, const struct pb_rec_scan *c)
{
	bool any = false;

	for (size_t i = 0; i < c->n; i++) {
		if (!(c->range[i] < 0))
			continue;
		if (!any)
			pb_put_key(o, "errors");
		pb_text_put(o, any ? "," : "[", 1);
		pb_text_num(o, (double)i);
		any = true;
	}
	if (any)
		pb_text_put(o, "]", 1);
}

struct pb_scan
pb_rec_as_scan(const struct pb_rec_scan *c)
{
	return (struct pb_scan){.angle_min = c->angle_min,
	    .inc = c->angle_increment,
	    .range_min = isnan(c->range_min) ? 0 : c->range_min,
	    .range_max = isnan(c->range_max) ? INFINITY : c->range_max,
	    .radius = c->radius,
	    .range = c->range,
	    .n = c->n};
}

void
pb_put_scan(struct pb_text *o, struct pb_stamp s, const struct pb_rec_scan *c)
{
	pb_put_begin(o, PB_REC_SCAN, s);
	/* An increment rounded to 1e-6 would be off by 3e-4 at beam 360. */
	pb_put_exact(o, "angle_min", c->angle_min);
	pb_put_exact(o, "angle_increment", c->angle_increment);
	pb_put_num_if(o, "range_min", c->range_min);
	pb_put_num_if(o, "range_max", c->range_max);
	if (c->radius > 0)
		pb_put_num(o, "radius", c->radius);
	pb_put_key(o, "ranges");
	pb_text_put(o, "[", 1);
	for (size_t i = 0; i < c->n; i++) {
		pb_text_put(o, ",", i ? 1 : 0);
		pb_text_num(o, c->range[i] < 0 ? NAN : c->range[i]);
	}
	pb_text_put(o, "]", 1);
	put_errors(o, c);
	pb_put_end(o);
}

/* Whatever sensors write for "no return" becomes NAN. */
static void
drop_no_returns(struct pb_rec_scan *c)
{
	for (size_t i = 0; i < c->n; i++) {
		double r = c->range[i];

		if (!isfinite(r) || r <= 0 || r > c->range_max ||
		    r < c->range_min)
			c->range[i] = NAN;
	}
}

static void
get_errors(struct pb_get *g, struct pb_rec_scan *c)
{
	struct pb_walk w;

	if (!pb_get_walk(g, "errors", PB_OPTIONAL, &w))
		return;
	while (pb_walk_next(g, &w)) {
		long i;

		if (!pb_json_long(w.at, &i) || i < 0 || (size_t)i >= c->n)
			pb_walk_fail(g, &w, "the number of a beam, from 0 on");
		else
			c->range[i] = -1;
	}
}

void
pb_get_scan(struct pb_get *g, struct pb_rec_scan *c)
{
	*c = (struct pb_rec_scan){
	    .angle_max = NAN, .range_min = NAN, .range_max = NAN};
	pb_get_real(g, "angle_min", PB_REQUIRED, &c->angle_min);
	pb_get_real(g, "angle_increment", PB_REQUIRED, &c->angle_increment);
	pb_get_real(g, "angle_max", PB_OPTIONAL, &c->angle_max);
	pb_get_num(g, "range_min", PB_OPTIONAL, 0, INFINITY, &c->range_min);
	pb_get_num(g, "range_max", PB_OPTIONAL, 0, INFINITY, &c->range_max);
	pb_get_num(g, "radius", PB_OPTIONAL, 0, INFINITY, &c->radius);
	pb_get_list(
	    g, "ranges", PB_REQUIRED, PB_REC_BEAMS_MAX, &c->range, &c->n);
	drop_no_returns(c);
	if (g->ok)
		get_errors(g, c);
}

void
pb_put_fix(struct pb_text *o, struct pb_stamp s, const struct pb_rec_fix *f)
{
	pb_put_begin(o, PB_REC_FIX, s);
	pb_put_num(o, "x", f->x);
	pb_put_num(o, "y", f->y);
	pb_put_end(o);
}

void
pb_get_fix(struct pb_get *g, struct pb_rec_fix *f)
{
	*f = (struct pb_rec_fix){0};
	pb_get_real(g, "x", PB_REQUIRED, &f->x);
	pb_get_real(g, "y", PB_REQUIRED, &f->y);
}

void
pb_put_twist(struct pb_text *o, struct pb_stamp s, const struct pb_rec_twist *w)
{
	pb_put_begin(o, PB_REC_TWIST, s);
	pb_put_num(o, "v", w->v);
	pb_put_num(o, "w", w->w);
	pb_put_end(o);
}

void
pb_get_twist(struct pb_get *g, struct pb_rec_twist *w)
{
	*w = (struct pb_rec_twist){0};
	pb_get_real(g, "v", PB_REQUIRED, &w->v);
	pb_get_real(g, "w", PB_REQUIRED, &w->w);
}
