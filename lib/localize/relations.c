/* relations.c - how well a trajectory keeps known relations of its poses. */
#include "localize/relations.h"

#include <math.h>
#include <stdlib.h>

#include "base/named.h"
#include "base/segment.h"

/* The trajectory and its odometry, by time. */
struct tracks {
	const struct pb_timed_list *pose, *odom;
};

bool
pb_relations_number(
    const struct pb_relations_report *r, const char *name, double *value)
{
	const struct pb_named known[] = {{"nearest", r->nearest.m.mean},
	    {"nearest_turn", r->nearest.turn.mean},
	    {"between", r->between.m.mean},
	    {"between_turn", r->between.turn.mean}, {"far", (double)r->far},
	    {"repeated", (double)r->repeated}};

	return PB_NAMED(known, name, value);
}

/* The first of l that is not before t, l->n if none. */
static size_t
not_before(const struct pb_timed_list *l, double t)
{
	return pb_not_below(&l->at->t, sizeof(*l->at), l->n, t);
}

/* The first of l that is nearest to t. */
static size_t
nearest(const struct pb_timed_list *l, double t)
{
	size_t k = not_before(l, t);

	if (k == l->n || (k > 0 && t - l->at[k - 1].t <= l->at[k].t - t))
		k = not_before(l, l->at[k - 1].t);
	return k;
}

/* Whether another place of l has the stamp of that nearest to t. */
static bool
is_repeated(const struct pb_timed_list *l, double t)
{
	size_t k = nearest(l, t);

	for (size_t i = k + 1; i < l->n && l->at[i].t == l->at[k].t; i++)
		if (pb_pose_dist(l->at[i].p, l->at[k].p) > 0 ||
		    l->at[i].p.th != l->at[k].p.th)
			return true;
	return false;
}

static double
gap_of(const struct tracks *x, double t)
{
	return fabs(x->pose->at[nearest(x->pose, t)].t - t);
}

static struct pb_pose
odom_at(const struct tracks *x, double t)
{
	return x->odom->at[nearest(x->odom, t)].p;
}

/* The pose nearest to t, moved by odometry to the time t if it is far. */
static struct pb_pose
moved(const struct tracks *x, double t)
{
	const struct pb_timed *p = &x->pose->at[nearest(x->pose, t)];

	if (fabs(p->t - t) <= PB_RELATION_NEAR || x->odom->n == 0)
		return p->p;
	return pb_pose_compose(
	    p->p, pb_pose_into(odom_at(x, p->t), odom_at(x, t)));
}

/* Between the poses about t; before the first and after the last, these. */
static struct pb_pose
between(const struct tracks *x, double t)
{
	size_t k = not_before(x->pose, t);
	const struct pb_timed *b = &x->pose->at[k < x->pose->n ? k : k - 1];
	const struct pb_timed *a = k > 0 ? &x->pose->at[k - 1] : b;
	double u = b->t > a->t ? fmin((t - a->t) / (b->t - a->t), 1) : 0;

	return pb_segment_pose(a->p, b->p, u);
}

/* The difference of the relation that was found and the known one. */
static struct pb_pose
difference(struct pb_pose found, struct pb_pose known)
{
	return (struct pb_pose){
	    found.x - known.x, found.y - known.y, pb_wrap(found.th - known.th)};
}

/* The motion that is left between them. */
static struct pb_pose
remainder_of(struct pb_pose found, struct pb_pose known)
{
	return pb_pose_compose(found, pb_pose_inverse(known));
}

/* Room for the errors of n relations, one row a number. */
struct errors {
	size_t n;
	double *m, *m2, *turn, *turn2;
};

static void
put(struct errors *e, size_t i, struct pb_pose d)
{
	e->m2[i] = d.x * d.x + d.y * d.y;
	e->m[i] = sqrt(e->m2[i]);
	e->turn[i] = fabs(d.th);
	e->turn2[i] = d.th * d.th;
}

/* Their spans; `less`: deviations are over n - less. */
static struct pb_relation_errors
sum_up(const struct errors *e, size_t less)
{
	struct pb_relation_errors s = {pb_span_of(e->m, e->n),
	    pb_span_of(e->m2, e->n), pb_span_of(e->turn, e->n),
	    pb_span_of(e->turn2, e->n)};
	double f = e->n > less ? sqrt((double)e->n / (double)(e->n - less)) : 1;

	s.m.sd *= f;
	s.m2.sd *= f;
	s.turn.sd *= f;
	s.turn2.sd *= f;
	return s;
}

/* How near the poses are to the ends of relation r. */
static void
judge_stamps(const struct tracks *x, const struct pb_relation *r,
    struct pb_relations_report *out)
{
	double gap = fmax(gap_of(x, r->t1), gap_of(x, r->t2));
	bool far = gap > PB_RELATION_NEAR;
	const struct pb_timed_list *l =
	    far && x->odom->n > 0 ? x->odom : x->pose;

	out->far += far;
	out->gap = fmax(out->gap, gap);
	out->repeated += is_repeated(l, r->t1) || is_repeated(l, r->t2);
}

/* Whether both ends lie within the time of the poses. */
static bool
within(const struct pb_timed_list *l, const struct pb_relation *r)
{
	return fmin(r->t1, r->t2) >= l->at[0].t &&
	       fmax(r->t1, r->t2) <= l->at[l->n - 1].t;
}

static void
judge(const struct tracks *x, const struct pb_relation *r, struct errors *e,
    struct pb_relations_report *out)
{
	for (size_t i = 0; i < e->n; i++) {
		judge_stamps(x, &r[i], out);
		put(e, i,
		    difference(
			pb_pose_into(moved(x, r[i].t1), moved(x, r[i].t2)),
			r[i].d));
	}
	out->nearest = sum_up(e, 0);
	for (size_t i = 0; i < e->n; i++)
		put(e, i,
		    remainder_of(
			pb_pose_into(between(x, r[i].t1), between(x, r[i].t2)),
			r[i].d));
	out->between = sum_up(e, 1);
}

enum pb_status
pb_relations_judge(const struct pb_relation *r, size_t n,
    struct pb_timed_list *pose, struct pb_timed_list *odom,
    struct pb_relations_report *out)
{
	const struct tracks x = {pose, odom};
	double *room;
	struct errors e;
	size_t inside = 0;

	pb_timed_sort(pose->at, pose->n);
	pb_timed_sort(odom->at, odom->n);
	for (size_t i = 0; i < n; i++)
		inside += within(pose, &r[i]);
	if (inside == 0)
		return PB_ENOENT;
	if ((room = calloc(n, 4 * sizeof(*room))) == NULL)
		return PB_ENOMEM;
	e = (struct errors){n, room, room + n, room + 2 * n, room + 3 * n};
	*out = (struct pb_relations_report){
	    .n = n, .poses = pose->n, .odometry = odom->n};
	judge(&x, r, &e, out);
	free(room);
	return PB_OK;
}
