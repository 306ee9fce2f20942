/* ros_convert.c - a message of ROS as the record that it means. */
#include "io/ros/ros_convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/ros/frames.h"

static enum pb_ros_role
role_of_pose(enum pb_ros_type type, const char *last)
{
	if (strcmp(last, "initialpose") == 0)
		return PB_ROLE_INITIAL;
	if (strcmp(last, "ambiguous") == 0 || strcmp(last, "lost") == 0)
		return PB_ROLE_UNSURE;
	if (type == PB_ROS_POSE && strstr(last, "goal"))
		return PB_ROLE_GOAL;
	return PB_ROLE_ESTIMATE;
}

enum pb_ros_role
pb_ros_role_of(enum pb_ros_type type, const char *topic)
{
	static const enum pb_ros_role role[PB_ROS_TYPES] = {
	    [PB_ROS_SCAN] = PB_ROLE_SCAN,
	    [PB_ROS_ODOMETRY] = PB_ROLE_ODOM,
	    [PB_ROS_TF] = PB_ROLE_TF,
	    [PB_ROS_GRID] = PB_ROLE_MAP,
	    [PB_ROS_PATH] = PB_ROLE_PATH,
	    [PB_ROS_TWIST] = PB_ROLE_TWIST,
	    [PB_ROS_TWIST_STAMPED] = PB_ROLE_TWIST};
	const char *last = pb_frame_last(topic);
	bool pose = type == PB_ROS_POSE || type == PB_ROS_POSE_COV;

	if ((pose || type == PB_ROS_ODOMETRY) && strstr(last, "truth"))
		return PB_ROLE_TRUTH;
	return pose ? role_of_pose(type, last) : role[type];
}

const struct pb_ros_header *
pb_ros_header_of(const struct pb_ros_message *m)
{
	/* All but a list of transforms begin with theirs. */
	return m->type == PB_ROS_TF || m->type == PB_ROS_OTHER
	           ? NULL
	           : &m->scan.header;
}

/* Ranges of 32 bits from here on are further apart than the 1e-6 m of records,
 * which do not round them to what was meant (m). */
#define COARSE 16

static void
make_scan(struct pb_ros_scan *s, struct pb_rec_scan *c)
{
	*c = (struct pb_rec_scan){.angle_min = s->angle_min,
	    .angle_increment = s->angle_increment,
	    .angle_max = s->angle_max,
	    .range_min = s->range_min,
	    .range_max = s->range_max,
	    .range = s->range,
	    .n = s->n};
	s->range = NULL;
	/* By REP 117 a beam of NaN failed and one of -inf met something too
	 * near: nothing is known to be free. Drivers write 0 for no return. */
	for (size_t i = 0; i < c->n; i++) {
		double r = c->range[i];

		if (isnan(r) || r == -INFINITY)
			c->range[i] = -1;
		else if (!(r > 0))
			c->range[i] = NAN;
		else if (r >= COARSE && (double)(float)r == r)
			c->range[i] = pb_ros_meant(r);
	}
}

static void
make_odom(const struct pb_ros_odometry *o, struct pb_rec_odom *d)
{
	struct pb_pose p = pb_ros_plane(&o->pose);

	*d = (struct pb_rec_odom){
	    p.x, p.y, p.th, o->twist.linear.x, o->twist.angular.z};
}

/* The part of a 6 x 6 covariance that lies in the plane. */
static bool
make_cov(const double *v, double cov[3][3], struct pb_error *bad)
{
	static const int axis[3] = {0, 1, 5};

	for (int i = 0; i < 9; i++) {
		cov[i / 3][i % 3] = v[6 * axis[i / 3] + axis[i % 3]];
		if (!isfinite(cov[i / 3][i % 3]))
			return pb_error_set(
			    bad, "covariance: expected finite numbers");
	}
	return true;
}

static bool
make_pose(const struct pb_ros_message *m, enum pb_ros_role role,
    struct pb_rec_pose *r, struct pb_error *bad)
{
	const struct pb_ros_pose *at =
	    m->type == PB_ROS_ODOMETRY ? &m->odometry.pose
	    : m->type == PB_ROS_POSE   ? &m->pose.pose
				       : &m->pose_cov.pose;
	struct pb_pose p = pb_ros_plane(at);

	*r = (struct pb_rec_pose){.x = p.x, .y = p.y, .theta = p.th};
	PB_REC_SET(r->source, role == PB_ROLE_INITIAL ? "initial"
			      : role == PB_ROLE_TRUTH ? "truth"
						      : "estimate");
	/* By ROS's convention a covariance of zeros is one not known. */
	for (int i = 0; m->type == PB_ROS_POSE_COV && i < 36; i++)
		r->has_cov |= m->pose_cov.cov[i] != 0;
	return !r->has_cov || make_cov(m->pose_cov.cov, r->cov, bad);
}

static void
make_goal(const struct pb_ros_pose *at, struct pb_rec_goal *g)
{
	struct pb_pose p = pb_ros_plane(at);

	pb_rec_none(PB_REC_GOAL, g);
	PB_REC_SET(g->kind, "point");
	g->x = p.x;
	g->y = p.y;
	g->theta = p.th;
}

static bool
make_path(
    const struct pb_ros_path *p, struct pb_rec_points *r, struct pb_error *bad)
{
	*r = (struct pb_rec_points){calloc(p->n + 1, sizeof(*r->point)), p->n};
	if (!r->point)
		return pb_error_nomem(bad, "path");
	for (size_t i = 0; i < p->n; i++)
		r->point[i] = pb_pose_vec(pb_ros_plane(&p->pose[i].pose));
	return true;
}

static bool
make(struct pb_ros_message *m, enum pb_ros_role role, struct pb_rec *r,
    struct pb_error *bad)
{
	const struct pb_ros_twist *t = &m->twist.twist;

	switch (r->type) {
	case PB_REC_SCAN:
		make_scan(&m->scan, &r->scan);
		return true;
	case PB_REC_ODOM:
		make_odom(&m->odometry, &r->odom);
		return true;
	case PB_REC_MAP:
		r->map = m->grid.map;
		m->grid.map = (struct pb_map){.cell = NULL};
		return true;
	case PB_REC_PATH:
		return make_path(&m->path, &r->path, bad);
	case PB_REC_TWIST:
		r->twist = (struct pb_rec_twist){t->linear.x, t->angular.z};
		return true;
	case PB_REC_GOAL:
		make_goal(&m->pose.pose, &r->goal);
		return true;
	default:
		return make_pose(m, role, &r->pose, bad);
	}
}

bool
pb_ros_convert(struct pb_ros_message *m, enum pb_ros_role role,
    struct pb_rec *r, struct pb_error *bad)
{
	static const enum pb_rec_type type[] = {[PB_ROLE_SCAN] = PB_REC_SCAN,
	    [PB_ROLE_ODOM] = PB_REC_ODOM,
	    [PB_ROLE_ESTIMATE] = PB_REC_POSE,
	    [PB_ROLE_MAP] = PB_REC_MAP,
	    [PB_ROLE_PATH] = PB_REC_PATH,
	    [PB_ROLE_TWIST] = PB_REC_TWIST,
	    [PB_ROLE_TRUTH] = PB_REC_POSE,
	    [PB_ROLE_INITIAL] = PB_REC_POSE,
	    [PB_ROLE_UNSURE] = PB_REC_POSE,
	    [PB_ROLE_GOAL] = PB_REC_GOAL};
	bool map = role == PB_ROLE_MAP;

	r->type = type[role];
	r->owns = true;
	r->stamp = map ? pb_stamp_none() : pb_stamp_at(NAN, "robot");
	if (make(m, role, r, bad) && pb_rec_settle(r, bad))
		return true;
	pb_rec_clear(r);
	return false;
}
