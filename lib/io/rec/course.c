/* course.c - records about where a body goes and what is in its way. */
#include <math.h>

#include "io/rec/fields.h"

struct pb_rec_goal
pb_rec_goal_none(void)
{
	return (struct pb_rec_goal){
	    .pellet = -1, .x = NAN, .y = NAN, .theta = NAN};
}

void
pb_put_goal(struct pb_text *o, struct pb_stamp s, const struct pb_rec_goal *l)
{
	pb_put_begin(o, PB_REC_GOAL, s);
	pb_put_text_if(o, "kind", l->kind);
	pb_put_text_if(o, "status", l->status);
	pb_put_int_if(o, "pellet", l->pellet);
	pb_put_num_if(o, "x", l->x);
	pb_put_num_if(o, "y", l->y);
	pb_put_num_if(o, "theta", l->theta);
	pb_put_end(o);
}

void
pb_get_goal(struct pb_get *g, struct pb_rec_goal *l)
{
	*l = pb_rec_goal_none();
	PB_GET_WORD(g, "kind", PB_OPTIONAL, l->kind);
	PB_GET_WORD(g, "status", PB_OPTIONAL, l->status);
	pb_get_int(g, "pellet", PB_OPTIONAL, 0, INT32_MAX, &l->pellet);
	pb_get_real(g, "x", PB_OPTIONAL, &l->x);
	pb_get_real(g, "y", PB_OPTIONAL, &l->y);
	pb_get_angle(g, "theta", PB_OPTIONAL, &l->theta);
}

void
pb_put_path(struct pb_text *o, struct pb_stamp s, const struct pb_rec_points *p)
{
	pb_put_begin(o, PB_REC_PATH, s);
	pb_put_points(o, "points", p->point, p->n);
	pb_put_end(o);
}

void
pb_get_path(struct pb_get *g, struct pb_rec_points *p)
{
	pb_get_points(g, "points", PB_REQUIRED, &p->point, &p->n);
}

void
pb_put_obstacle(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_obstacle *b)
{
	pb_put_begin(o, PB_REC_OBSTACLE, s);
	pb_put_num_if(o, "x", b->x);
	pb_put_num_if(o, "y", b->y);
	pb_put_num_if(o, "radius", b->radius);
	if (b->n > 0)
		pb_put_points(o, "points", b->point, b->n);
	pb_put_end(o);
}

void
pb_get_obstacle(struct pb_get *g, struct pb_rec_obstacle *b)
{
	enum pb_need disc;

	*b = (struct pb_rec_obstacle){.x = NAN, .y = NAN, .radius = NAN};
	pb_get_points(g, "points", PB_OPTIONAL, &b->point, &b->n);
	disc = b->n > 0 ? PB_OPTIONAL : PB_REQUIRED;
	pb_get_real(g, "x", disc, &b->x);
	pb_get_real(g, "y", disc, &b->y);
	pb_get_num(g, "radius", disc, 0, INFINITY, &b->radius);
}
