/* mcl_motion.c - what odometry tells a filter. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "localize/mcl_state.h"

/* Variances of a small motion d, in the frame where it began. */
struct spread {
	double along, across, turn;
};

static struct spread
spread_of(const struct pb_mcl_opts *o, struct pb_pose d)
{
	double way = sqrt(d.x * d.x + d.y * d.y), turn = fabs(d.th);

	return (struct spread){o->trans_trans * way + o->trans_rot * turn,
	    o->trans_rot * turn, o->rot_trans * way + o->rot_rot * turn};
}

static struct pb_pose
relative(struct pb_pose from, struct pb_pose to)
{
	return pb_pose_compose(pb_pose_inverse(from), to);
}

void
pb_mcl_odom(
    struct pb_mcl_mem *m, const struct pb_mcl_known *k, struct pb_pose odom)
{
	struct pb_pose d;
	double far = 1e3 * (k->size_x + k->size_y);

	/* Nonsense is not heard; so far, no robot is. */
	if (!isfinite(odom.x) || !isfinite(odom.y) || !isfinite(odom.th))
		return;
	odom.th = pb_wrap(odom.th);
	d = relative(m->odom, odom);
	m->odom = odom;
	if (!m->driven || fabs(d.x) > far || fabs(d.y) > far) {
		m->driven = m->moved = true;
		return;
	}
	m->moved = true;
	m->todo = pb_pose_compose(m->todo, d);
	m->since = pb_pose_compose(m->since, d);
	m->way += sqrt(d.x * d.x + d.y * d.y);
	m->turn += fabs(d.th);
	if (m->todo.x * m->todo.x + m->todo.y * m->todo.y >=
		k->o.step * k->o.step ||
	    fabs(m->todo.th) >= k->o.step_turn)
		pb_mcl_move(m, k);
}

static double
clamp(double v, double lo, double hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

/* Beyond its own size off the map a particle is as good as dead. */
void
pb_mcl_hold(const struct pb_mcl_known *k, struct pb_pose *p)
{
	p->x = clamp(p->x, -k->size_x, 2 * k->size_x);
	p->y = clamp(p->y, -k->size_y, 2 * k->size_y);
}

/*
 * Half of the heading's error before the way and half after it, so that
 * cutting a way into steps changes nothing much.
 */
static void
move(const struct pb_mcl_known *k, struct pb_pose d, const double root[3],
    struct pb_rng *r, struct pb_pose *p)
{
	double half = root[2] * 0.70710678118654752;
	double th = p->th + (half > 0 ? half * pb_rng_normal(r) : 0);
	double x = d.x, y = d.y, c = pb_cos(th), s = pb_sin(th);

	if (root[0] > 0)
		x += root[0] * pb_rng_normal(r);
	if (root[1] > 0)
		y += root[1] * pb_rng_normal(r);
	p->x = p->x + c * x - s * y;
	p->y = p->y + s * x + c * y;
	pb_mcl_hold(k, p);
	th += d.th + (half > 0 ? half * pb_rng_normal(r) : 0);
	p->th = pb_wrap(th);
}

static void
move_all(
    struct pb_mcl_mem *m, const struct pb_mcl_known *k, const double root[3])
{
	struct pb_mcl_particle *p =
	    PB_MCL_ARRAY(m, k, struct pb_mcl_particle, particle);

	for (int i = 0; i < m->n; i++)
		move(k, m->todo, root, &m->rng, &p[i].at);
	m->todo = (struct pb_pose){0, 0, 0};
}

/* Apply what is left of odometry. */
void
pb_mcl_move(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
{
	struct spread v = spread_of(&k->o, m->todo);
	double root[3] = {sqrt(v.along), sqrt(v.across), sqrt(v.turn)};

	move_all(m, k, root);
}

/*
 * There is no odometry: nobody knows. Particles that far apart would fall into
 * bins that do not touch, each a cluster too narrow to hold where the robot
 * went; so the clusters are made before, and widened.
 */
void
pb_mcl_wander(struct pb_mcl_mem *m, const struct pb_mcl_known *k)
{
	const double root[3] = {k->o.blind, k->o.blind, k->o.blind_turn};

	pb_mcl_group(m, k);
	for (int c = 0; c < m->nclusters; c++) {
		struct pb_gauss *g = &m->cluster[c].g;
		double cov[3][3];

		memcpy(cov, g->cov, sizeof(cov));
		for (int i = 0; i < 3; i++)
			cov[i][i] += root[i] * root[i];
		pb_gauss_init(g, g->mean, cov);
	}
	move_all(m, k, root);
}

/* Move a hypothesis of the last scan along the odometry since. */
void
pb_mcl_carry(const struct pb_mcl_mem *m, const struct pb_mcl_known *k,
    struct pb_hypothesis *h)
{
	double c = pb_cos(h->pose.th), s = pb_sin(h->pose.th);
	struct pb_pose d = m->since;
	double way = m->way, turn = m->turn;
	double place = k->o.trans_trans * way + k->o.trans_rot * turn;
	/* The derivative of composing with d by the pose. */
	const double j[3][3] = {
	    {1, 0, -s * d.x - c * d.y}, {0, 1, c * d.x - s * d.y}, {0, 0, 1}};

	pb_gauss_map(h->cov, j);
	h->cov[0][0] += place;
	h->cov[1][1] += place;
	h->cov[2][2] += k->o.rot_trans * way + k->o.rot_rot * turn;
	h->pose = pb_pose_compose(h->pose, d);
}
