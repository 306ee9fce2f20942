/* claims.c - statistics of the status of estimates, without true poses. */
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "base/pool.h"
#include "localize/traj.h"
#include "pb/stats.h"

/* Odometry is not interpolated over longer gaps (s). */
#define APART 1.0

/* Sums over estimates. */
struct sums {
	struct pb_claims *c;
	const struct pb_timed *odom; /* `no` odometry poses in their order */
	size_t no, at;               /* at: index of the pose at or before */
	bool has_jump;               /* estimates have the member `jump` */
	double near;                 /* least distance of a jump (m) */
	bool knew;                   /* tracking was not lost since `last` */
	struct pb_timed last;        /* the last tracking estimate */
	const struct pb_timed *was;  /* the previous estimate, or NULL */
	bool failed;                 /* memory was short */
	double poses[PB_LOC_STATUSES];
};

/* Odometry at time t, which must not fall from call to call. */
static bool
odometry_at(struct sums *s, double t, struct pb_pose *p)
{
	const struct pb_timed *a, *b;

	while (s->at + 1 < s->no && !(s->odom[s->at + 1].t > t))
		s->at++;
	if (s->no == 0 || !(fabs(s->odom[s->at].t - t) <= APART))
		return false;
	a = b = &s->odom[s->at];
	if (s->at + 1 < s->no && a->t <= t)
		b++;
	*p = b->t > a->t && b->t - a->t <= APART
	         ? pb_segment_pose(a->p, b->p, (t - a->t) / (b->t - a->t))
	         : a->p;
	return true;
}

/*
 * Distance driven from estimate a to b, and in *jump how far b deviates from
 * odometry. Without odometry it is the straight line, unless that was a jump.
 */
static double
distance_and_jump(struct sums *s, const struct pb_timed *a,
    const struct pb_timed *b, double *jump)
{
	struct pb_pose p, q;

	*jump = s->has_jump ? b->jump : 0;
	if (!odometry_at(s, a->t, &p) || !odometry_at(s, b->t, &q))
		return *jump > 0 || s->no > 0 ? 0 : pb_pose_dist(a->p, b->p);
	s->c->wheels = true;
	if (!s->has_jump)
		*jump = pb_pose_dist(
		    pb_pose_compose(a->p, pb_pose_into(p, q)), b->p);
	if (!s->has_jump && *jump <= s->near)
		*jump = 0;
	return pb_pose_dist(p, q);
}

/* Record the end or begin of a status. */
static void
record_transition(struct sums *s, const struct pb_timed *x)
{
	struct pb_claims *c = s->c;

	if (x->status == PB_LOC_TRACKING) {
		s->knew = true;
		s->last = *x;
		if (isnan(c->known_s)) {
			c->known_s = c->duration;
			c->known_m = c->way;
		}
	} else if (s->knew && x->status == PB_LOC_LOST) {
		s->knew = false;
		s->failed |= pb_timed_add(&c->lost, s->last) != PB_OK;
	} else if (x->status == PB_LOC_UNMAPPED &&
		   (s->was == NULL || s->was->status != PB_LOC_UNMAPPED)) {
		s->failed |= pb_timed_add(&c->unmapped,
				 s->was != NULL ? *s->was : *x) != PB_OK;
	}
	s->was = x;
}

static void
add_claims(struct sums *s, const struct pb_timed *x, size_t n)
{
	struct pb_claims *c = s->c;

	for (size_t i = 0; i < n; i++) {
		const struct pb_timed *next = &x[i + 1 < n ? i + 1 : i];
		double dt = next->t - x[i].t, jump = 0;
		double way =
		    i + 1 < n ? distance_and_jump(s, &x[i], next, &jump) : 0;

		if (x[i].status != PB_TRAJ_NO_STATUS) {
			record_transition(s, &x[i]);
			dt = isfinite(dt) ? fmax(dt, 0) : 0;
			c->n++;
			s->poses[x[i].status]++;
			c->time[x[i].status] += dt;
			c->gone[x[i].status] += way;
			c->duration += dt;
			c->way += way;
		}
		if (jump > 0) {
			struct pb_timed to = *next;

			to.jump = jump;
			s->failed |= pb_timed_add(&c->jump, to) != PB_OK;
		}
	}
}

enum pb_status
pb_claims_of(const struct pb_timed *x, size_t n, const struct pb_timed *odom,
    size_t no, double near, struct pb_claims *c)
{
	struct sums s = {.c = c, .odom = odom, .no = no, .near = near};
	double *fit = calloc(n + 1, sizeof(*fit));
	size_t k = 0;

	s.failed = fit == NULL;
	*c = (struct pb_claims){.known_s = NAN, .known_m = NAN};
	for (size_t i = 0; fit != NULL && i < n; i++) {
		if (isfinite(x[i].fit))
			fit[k++] = x[i].fit;
		s.has_jump |= isfinite(x[i].fit) || x[i].jump > 0;
	}
	c->fit = pb_spread_of(fit, k).median;
	free(fit);
	add_claims(&s, x, n);
	for (int i = 0; i < PB_LOC_STATUSES; i++) {
		c->time[i] = c->duration > 0 ? c->time[i] / c->duration
		                             : s.poses[i] / (double)c->n;
		c->gone[i] /= c->way;
	}
	if (s.failed || c->n == 0)
		pb_claims_clear(c);
	return s.failed ? PB_ENOMEM : PB_OK;
}

void
pb_claims_clear(struct pb_claims *c)
{
	pb_timed_clear(&c->jump);
	pb_timed_clear(&c->lost);
	pb_timed_clear(&c->unmapped);
	*c = (struct pb_claims){.n = 0};
}

bool
pb_claims_number(const struct pb_claims *c, const char *name, double *value)
{
	const struct pb_named known[] = {{"tracking", c->time[PB_LOC_TRACKING]},
	    {"ambiguous", c->time[PB_LOC_AMBIGUOUS]},
	    {"unmapped", c->time[PB_LOC_UNMAPPED]},
	    {"lost", c->time[PB_LOC_LOST]},
	    {"tracking_way", c->gone[PB_LOC_TRACKING]},
	    {"ambiguous_way", c->gone[PB_LOC_AMBIGUOUS]},
	    {"unmapped_way", c->gone[PB_LOC_UNMAPPED]},
	    {"lost_way", c->gone[PB_LOC_LOST]}, {"known_s", c->known_s},
	    {"known_m", c->known_m}, {"way", c->way}, {"fit", c->fit},
	    {"jumps", (double)c->jump.n}};

	return PB_NAMED(known, name, value);
}
