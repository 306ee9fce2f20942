/* ros_records.c - convert messages of a robot's topics to records. */
#include "io/ros/ros_records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/pool.h"
#include "io/rec/rec.h"
#include "io/stream/msg.h"
#include "io/stream/text.h"
#include "pb/param.h"

/* --- coordinate frames, and the scanner's mount --- */

/* Frames by the latest transform to their parents. Names have no leading slash,
 * which ROS 1 wrote. */
#define FRAMES_MAX 4096

struct frames {
	struct pb_ros_transform *at; /* n of them, owned */
	size_t n, room;
};

#define DEEP 64 /* most frames of a chain; more are a circle */

/* Rotation and translation: a point p becomes r p + t in the parent. */
struct rigid {
	double r[3][3], t[3];
};

/* The name without a leading slash. */
static const char *
skip_slash(const char *name)
{
	return name + strspn(name, "/");
}

/* The last part of a name: "robot1/odom" is a frame "odom". */
static const char *
last_part(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash ? slash + 1 : name;
}

static struct pb_ros_transform *
find_frame(const struct frames *f, const char *child)
{
	child = skip_slash(child);
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(skip_slash(f->at[i].child), child) == 0)
			return &f->at[i];
	return NULL;
}

/* Add a transform. Beyond the limit, new frames are ignored. */
static void
add_frame(struct frames *f, const struct pb_ros_transform *t)
{
	struct pb_ros_transform *known = find_frame(f, t->child);

	if (!known && f->n == FRAMES_MAX)
		return;
	if (!known && !pb_grow(&f->at, f->n, &f->room, sizeof(*f->at)))
		pb_msg_end_memory();
	if (!known)
		known = &f->at[f->n++];
	*known = *t;
}

/* A quaternion of zeros means no rotation. */
static struct rigid
make_rigid(const struct pb_ros_pose *p)
{
	double x = p->orientation.x, y = p->orientation.y;
	double z = p->orientation.z, w = p->orientation.w;
	double n = x * x + y * y + z * z + w * w, s = n > 0 ? 2 / n : 0;

	return (struct rigid){{{1 - s * (y * y + z * z), s * (x * y - w * z),
				   s * (x * z + w * y)},
				  {s * (x * y + w * z), 1 - s * (x * x + z * z),
				      s * (y * z - w * x)},
				  {s * (x * z - w * y), s * (y * z + w * x),
				      1 - s * (x * x + y * y)}},
	    {p->position.x, p->position.y, p->position.z}};
}

/* The transform b, then a. */
static struct rigid
compose(struct rigid a, struct rigid b)
{
	struct rigid c;

	for (int i = 0; i < 3; i++) {
		c.t[i] = a.t[i];
		for (int k = 0; k < 3; k++) {
			c.t[i] += a.r[i][k] * b.t[k];
			c.r[i][k] = 0;
			for (int j = 0; j < 3; j++)
				c.r[i][k] += a.r[i][j] * b.r[j][k];
		}
	}
	return c;
}

static struct rigid
invert(struct rigid a)
{
	struct rigid b;

	for (int i = 0; i < 3; i++) {
		b.t[i] = 0;
		for (int k = 0; k < 3; k++) {
			b.r[i][k] = a.r[k][i];
			b.t[i] -= a.r[k][i] * a.t[k];
		}
	}
	return b;
}

/* The transform from frame up to `top`; false: top is not above it. */
static bool
climb_frames(const struct frames *f, const char *frame, const char *top,
    struct rigid *out)
{
	static const struct pb_ros_pose here = {{0, 0, 0}, {0, 0, 0, 1}};

	*out = make_rigid(&here);
	top = skip_slash(top);
	for (int i = 0; i < DEEP; i++) {
		const struct pb_ros_transform *t;

		if (strcmp(skip_slash(frame), top) == 0)
			return true;
		if (!(t = find_frame(f, frame)))
			return false;
		*out = compose(make_rigid(&t->transform), *out);
		frame = t->header.frame;
	}
	return false;
}

/*
 * Find the mount on the robot, whose base is the frame `base`, of a scanner in
 * `frame`: along the chain between them, or over a common parent.
 *
 * Returns  false: not connected. *upside_down: beams turn clockwise, seen from
 *          above
 */
static bool
find_mount_on(const struct frames *f, const char *base, const char *frame,
    struct pb_pose *mount, bool *upside_down)
{
	const struct pb_ros_transform *t = NULL;
	const char *top = frame;
	struct rigid up, down;

	/* Find the nearest frame above the scanner that is also above the
	 * base. */
	for (int i = 0; !climb_frames(f, base, top, &down); i++) {
		if (i == DEEP || !(t = find_frame(f, top)))
			return false;
		top = t->header.frame;
	}
	if (!climb_frames(f, frame, top, &up))
		return false;
	up = compose(invert(down), up);
	*mount = (struct pb_pose){
	    up.t[0], up.t[1], pb_atan2(up.r[1][0], up.r[0][0])};
	*upside_down = up.r[2][2] < 0;
	return true;
}

/* --- roles of messages, and their records --- */

static enum pb_ros_role
find_pose_role(enum pb_ros_type type, const char *last)
{
	if (strcmp(last, "initialpose") == 0)
		return PB_ROLE_INITIAL;
	if (pb_word_find("ambiguous|unmapped|lost", last, strlen(last)) >= 0)
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
	    [PB_ROS_ECHO_SCAN] = PB_ROLE_SCAN,
	    [PB_ROS_ODOMETRY] = PB_ROLE_ODOM,
	    [PB_ROS_TF] = PB_ROLE_TF,
	    [PB_ROS_GRID] = PB_ROLE_MAP,
	    [PB_ROS_PATH] = PB_ROLE_PATH,
	    [PB_ROS_TWIST] = PB_ROLE_TWIST,
	    [PB_ROS_TWIST_STAMPED] = PB_ROLE_TWIST};
	const char *last = last_part(topic);
	bool pose = type == PB_ROS_POSE || type == PB_ROS_POSE_COV;

	if ((pose || type == PB_ROS_ODOMETRY) && strstr(last, "truth"))
		return PB_ROLE_TRUTH;
	return pose ? find_pose_role(type, last) : role[type];
}

/* By role: the type of record, the usual topic, and a noun for the note about
 * ignored topics, NULL: no note. */
static const struct {
	enum pb_rec_type record;
	const char *usual, *many;
} roles[] = {[PB_ROLE_SCAN] = {PB_REC_SCAN, "scan", "scans"},
    [PB_ROLE_ODOM] = {PB_REC_ODOM, "odom", "odometry"},
    [PB_ROLE_ESTIMATE] = {PB_REC_POSE, "amcl_pose", "poses"},
    [PB_ROLE_MAP] = {PB_REC_MAP, "map", "maps"},
    [PB_ROLE_PATH] = {PB_REC_PATH, "plan", NULL},
    [PB_ROLE_TWIST] = {PB_REC_TWIST, "cmd_vel", NULL},
    [PB_ROLE_TRUTH] = {PB_REC_POSE, NULL, NULL},
    [PB_ROLE_INITIAL] = {PB_REC_POSE, NULL, NULL},
    [PB_ROLE_UNSURE] = {PB_REC_POSE, NULL, NULL},
    [PB_ROLE_GOAL] = {PB_REC_GOAL, NULL, NULL}};

/* The header of a message, NULL: it has none. */
static const struct pb_ros_header *
find_header(const struct pb_ros_message *m)
{
	/* All messages but lists of transforms begin with a header. */
	return m->type == PB_ROS_TF || m->type == PB_ROS_OTHER
	           ? NULL
	           : &m->scan.header;
}

/* Convert a scan with several echoes of a beam: the first counts, NAN without
 * one. */
static void
keep_first_echoes(struct pb_ros_message *m)
{
	struct pb_ros_scan s = m->scan;

	s.range = pb_alloc(s.echoes, sizeof(*s.range));
	for (s.n = 0; s.n < s.echoes; s.n++)
		s.range[s.n] = s.echo[s.n].n > 0 ? s.echo[s.n].range[0] : NAN;
	s.echoes = 0;
	s.echo = NULL;
	pb_ros_clear(m);
	m->type = PB_ROS_SCAN;
	m->scan = s;
}

/* From here on, 32-bit floats are coarser than the 1e-6 m of records, so ranges
 * are rounded to the decimal that was meant (m). */
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
	/* By REP 117, NaN is a failed beam and -inf one that met something too
	 * near: no space is known to be free. Drivers write 0 for no return. */
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

/* Take x, y and yaw from a 6 x 6 covariance. */
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

static void
set_pose(struct pb_rec_pose *r, struct pb_pose p, enum pb_ros_role role)
{
	*r = (struct pb_rec_pose){.x = p.x, .y = p.y, .theta = p.th};
	PB_REC_SET(r->source, role == PB_ROLE_INITIAL ? "initial"
			      : role == PB_ROLE_TRUTH ? "truth"
						      : "estimate");
}

static bool
make_pose(const struct pb_ros_message *m, enum pb_ros_role role,
    struct pb_rec_pose *r, struct pb_error *bad)
{
	const struct pb_ros_pose *at =
	    m->type == PB_ROS_ODOMETRY ? &m->odometry.pose
	    : m->type == PB_ROS_POSE   ? &m->pose.pose
				       : &m->pose_cov.pose;

	set_pose(r, pb_ros_plane(at), role);
	/* By convention, a covariance of zeros is unknown. */
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

static void
make_path(const struct pb_ros_path *p, struct pb_rec_points *r)
{
	*r = (struct pb_rec_points){pb_alloc(p->n, sizeof(*r->point)), p->n};
	for (size_t i = 0; i < p->n; i++)
		r->point[i] = pb_pose_vec(pb_ros_plane(&p->pose[i].pose));
}

/* Convert m to r, whose type is set; a scan gets no mount. r takes over what m
 * owns. False with bad filled in: m is incomplete. */
static bool
make_record(struct pb_ros_message *m, enum pb_ros_role role, struct pb_rec *r,
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
		make_path(&m->path, &r->path);
		return true;
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

/* --- counts of topics --- */

#define TOPICS 100000 /* most topics of a recording */

void
pb_ros_survey_clear(struct pb_ros_survey *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->at[i].name);
	free(s->at);
	*s = (struct pb_ros_survey){.at = NULL};
}

struct pb_ros_count *
pb_ros_survey_row(struct pb_ros_survey *s, const char *topic, const char *type)
{
	size_t n = strlen(topic) + 1;
	char *name;

	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->at[i].name, topic) == 0 &&
		    strcmp(s->at[i].type, type) == 0)
			return &s->at[i];
	if (s->n == TOPICS)
		return NULL;
	if (!pb_grow(&s->at, s->n, &s->room, sizeof(*s->at)))
		pb_msg_end_memory();
	name = pb_alloc(n + strlen(type) + 1, 1);
	memcpy(name, topic, n);
	strcpy(name + n, type);
	s->at[s->n] = (struct pb_ros_count){.name = name,
	    .type = name + n,
	    .first = PB_ROS_NEVER,
	    .last = PB_ROS_NEVER};
	return &s->at[s->n++];
}

/* Count a message at t; frame NULL: unknown. False: too many topics. */
static bool
count_topic(struct pb_ros_survey *s, const char *topic, const char *type,
    int64_t t, const char *frame, struct pb_error *bad)
{
	struct pb_ros_count *p = pb_ros_survey_row(s, topic, type);

	if (!p)
		return pb_error_set(bad, "more than %d topics", TOPICS);
	if (frame && p->frame[0] == '\0')
		pb_rec_set(p->frame, sizeof(p->frame), frame);
	if (t != PB_ROS_NEVER && (p->first == PB_ROS_NEVER || t < p->first))
		p->first = t;
	p->last = t > p->last ? t : p->last;
	p->n++;
	return true;
}

static int
compare_names(const void *a, const void *b)
{
	const struct pb_ros_count *p = a, *q = b;
	int by = strcmp(p->name, q->name);

	return by ? by : strcmp(p->type, q->type);
}

static double
measure_seconds(int64_t first, int64_t last)
{
	return first == PB_ROS_NEVER
	           ? 0
	           : 1e-9 * (double)((uint64_t)last - (uint64_t)first);
}

static int
max_width(int width, const char *s)
{
	int n = (int)strlen(s);

	return n > width ? n : width;
}

static void
print_rows(const struct pb_ros_survey *s, FILE *out)
{
	int name = 5, type = 4;

	for (size_t i = 0; i < s->n; i++) {
		name = max_width(name, s->at[i].name);
		type = max_width(type, s->at[i].type);
	}
	fprintf(out, "%-*s  %-*s  %8s  %7s  %s\n", name, "topic", type, "type",
	    "messages", "Hz", "frame");
	for (size_t i = 0; i < s->n; i++) {
		const struct pb_ros_count *p = &s->at[i];
		double t = measure_seconds(p->first, p->last);
		char rate[32] = "-";

		if (t > 0)
			snprintf(
			    rate, sizeof(rate), "%.1f", (double)(p->n - 1) / t);
		fprintf(out, "%-*s  %-*s  %8ld  %7s  %s\n", name, p->name, type,
		    p->type, p->n, rate, p->frame[0] ? p->frame : "-");
	}
}

void
pb_ros_survey_print(struct pb_ros_survey *s, FILE *out)
{
	int64_t first = PB_ROS_NEVER, last = PB_ROS_NEVER;
	long n = 0;

	if (s->n > 0)
		qsort(s->at, s->n, sizeof(*s->at), compare_names);
	for (size_t i = 0; i < s->n; i++) {
		const struct pb_ros_count *p = &s->at[i];

		n += p->n;
		last = p->last > last ? p->last : last;
		if (p->first != PB_ROS_NEVER &&
		    (first == PB_ROS_NEVER || p->first < first))
			first = p->first;
	}
	fprintf(out, "%ld messages, %zu topics, %.1f s", n, s->n,
	    measure_seconds(first, last));
	if (s->timed)
		fprintf(out, "; t is 0 at %.6f s", s->start);
	fprintf(out, "\n");
	print_rows(s, out);
}

/* --- records ordered by their stamps --- */

#define SECOND INT64_C(1000000000) /* (ns) */

/* Most that odometry is delayed behind scans (ns): a real robot's was 0.3 s. */
#define LATE (SECOND / 2)

/* Topics are collected for this long before one of a role is chosen (ns). */
#define SETTLE SECOND

/* Longest wait of a scan for its transforms, and of all records for topics
 * named by the user (ns): a real recording had transforms 0.6 s after its first
 * scan. */
#define FRAMES (3 * SECOND)

/* Odometry is interpolated over gaps up to this (ns). */
#define GAP SECOND

/* A stamp this far back means that the clock was reset (ns). */
#define BACK LATE

/* Stamps and log use one clock if they differ by less (ns). */
#define APART (10 * SECOND)

/* Times are from 1970 to 2043, so that sums of three do not overflow (ns). */
#define LATEST (INT64_C(1) << 61)

/* Most records held back. */
#define HELD 1024

#define NONE PB_ROS_NEVER

struct slot {
	char topic[PB_ROS_NAME]; /* "": none yet */
	enum pb_ros_rank rank;
	bool said;    /* a note about ignored topics was printed */
	int64_t last; /* newest stamp, NONE: none */
};

/* A record held back. */
struct item {
	long epoch;    /* number of clock resets before it */
	int64_t place; /* time by which it is ordered (ns); NONE: first */
	int64_t t;     /* stamp; NONE: none */
	enum pb_ros_role role;
	long line;
	char frame[PB_ROS_NAME]; /* of a scan */
	struct pb_rec rec;
};

struct pb_ros_records {
	const struct pb_ros_opts *o;
	const char *file;
	struct frames frames;
	char base[PB_ROS_NAME];    /* frame that odometry moves; "": unknown */
	char scanner[PB_ROS_NAME]; /* frame of the last scan; "": unknown */
	struct slot slot[PB_ROLES + 1]; /* the last: true poses without topic */
	uint64_t seen;      /* bits of o->topic.arg that had messages */
	uint64_t unread;    /* ... messages of unsupported types */
	long heard, read;   /* messages, and those of supported types */
	char left_out[400]; /* topics of unsupported types, cut */

	struct item *held[HELD]; /* owned, in order */
	size_t n;
	bool flush;             /* give all that are held */
	long epoch;             /* clock resets so far, ... */
	long given_epoch;       /* ... and before the last record given */
	int64_t oldest, newest; /* stamps of sensors; NONE: none yet */
	int64_t skew;           /* stamps minus clock of the log (ns) */

	bool begun;
	int64_t first; /* time 0 of the records, once begun */

	/* Times of the last odometry received and given. */
	int64_t wheel_t, given_t;
	struct pb_pose wheel;
	struct pb_rec_odom given;
	int64_t corrected; /* wheel_t of the last estimate by frames */
	bool lost;         /* a scan waited for its frame in vain */
};

struct pb_ros_records *
pb_ros_records_new(const struct pb_ros_opts *o, const char *file)
{
	struct pb_ros_records *k = pb_alloc(1, sizeof(*k));

	k->o = o;
	k->file = file;
	k->oldest = k->newest = k->wheel_t = k->given_t = k->corrected = NONE;
	for (int i = 0; i <= PB_ROLES; i++)
		k->slot[i] = (struct slot){.said = k->o->survey, .last = NONE};
	return k;
}

static void
item_free(struct item *i)
{
	if (i)
		pb_rec_clear(&i->rec);
	free(i);
}

void
pb_ros_records_free(struct pb_ros_records *k)
{
	if (!k)
		return;
	for (size_t i = 0; i < k->n; i++)
		item_free(k->held[i]);
	free(k->frames.at);
	free(k);
}

/* Drop held records of a role whose topic is replaced. */
static void
drop_role(struct pb_ros_records *k, enum pb_ros_role role)
{
	size_t n = 0;

	for (size_t i = 0; i < k->n; i++)
		if (k->held[i]->role == role)
			item_free(k->held[i]);
		else
			k->held[n++] = k->held[i];
	k->n = n;
}

/* Bits of the names given by the user that match a topic. */
static uint64_t
match_names(const struct pb_opt_list *named, const char *topic)
{
	uint64_t bits = 0;

	for (int i = 0; i < named->n; i++)
		if (strcmp(skip_slash(named->arg[i]), skip_slash(topic)) == 0)
			bits |= (uint64_t)1 << i;
	return bits;
}

enum pb_ros_rank
pb_ros_rank_of(
    const struct pb_opt_list *named, enum pb_ros_role role, const char *topic)
{
	const char *last = last_part(topic);

	if (match_names(named, topic) != 0)
		return PB_RANK_NAMED;
	if (strcmp(skip_slash(topic), roles[role].usual) == 0)
		return PB_RANK_USUAL;
	if (strcmp(last, roles[role].usual) == 0)
		return PB_RANK_ALIKE;
	return strstr(topic, "costmap") ? PB_RANK_UNFIT : PB_RANK_SOME;
}

/* Whether topics were collected long enough to choose one of each role. */
static bool
has_settled(const struct pb_ros_records *k)
{
	uint64_t all = k->o->topic.n < 64 ? ((uint64_t)1 << k->o->topic.n) - 1
	                                  : UINT64_MAX;
	int64_t span = k->newest == NONE ? 0 : k->newest - k->oldest;

	return span >= (k->seen == all ? SETTLE : FRAMES);
}

static void
note_left_out(struct slot *s, enum pb_ros_role role, const char *topic)
{
	const char *what = roles[role].many;

	if (s->said || s->rank == PB_RANK_NAMED || !what)
		return;
	s->said = true;
	if (s->topic[0])
		pb_msg_note("ignoring %s of %.80s, using those of %.80s; see "
			    "--topic",
		    what, topic, s->topic);
	else
		pb_msg_note("ignoring %s of %.80s; see --topic", what, topic);
}

/* Use this topic for its role if it ranks above the current one. Returns
 * whether it is used. */
static bool
choose_topic(struct pb_ros_records *k, enum pb_ros_role role, const char *topic,
    enum pb_ros_rank rank)
{
	struct slot *s = &k->slot[role];
	struct slot old = *s;
	bool open = s->topic[0] == '\0' || rank == PB_RANK_NAMED ||
	            role == PB_ROLE_ESTIMATE || !has_settled(k);

	if (strcmp(s->topic, topic) == 0)
		return true;
	if (!open || rank == PB_RANK_UNFIT ||
	    (s->topic[0] && rank <= s->rank)) {
		if (rank >= PB_RANK_SOME || rank == PB_RANK_UNFIT)
			note_left_out(s, role, topic);
		return false;
	}
	drop_role(k, role);
	*s = (struct slot){.rank = rank, .said = old.said, .last = NONE};
	pb_rec_set(s->topic, sizeof(s->topic), topic);
	if (old.topic[0] && old.rank >= PB_RANK_SOME)
		note_left_out(s, role, old.topic);
	return true;
}

static struct item *
new_item(enum pb_ros_role role, const struct pb_ros_heard *from)
{
	struct item *i = pb_alloc(1, sizeof(*i));

	i->role = role;
	i->line = from->line;
	i->rec.type = roles[role].record;
	i->rec.owns = true;
	i->rec.stamp =
	    role == PB_ROLE_MAP ? pb_stamp_none() : pb_stamp_at(NAN, "robot");
	return i;
}

/* Whether i was made and its record is valid; else free it. */
static bool
check_item(struct item *i, bool made, struct pb_error *bad)
{
	if (made && pb_rec_settle(&i->rec, bad))
		return true;
	item_free(i);
	return false;
}

static bool
comes_before(const struct item *a, const struct item *b)
{
	return a->epoch != b->epoch ? a->epoch < b->epoch : a->place < b->place;
}

/* Insert i in the order of time, behind equal ones. */
static void
hold_item(struct pb_ros_records *k, struct item *i)
{
	size_t at = k->n++;

	i->epoch = k->epoch;
	for (; at > 0 && comes_before(i, k->held[at - 1]); at--)
		k->held[at] = k->held[at - 1];
	k->held[at] = i;
	k->flush = false;
}

/* Whether records of this role advance the time; stamps of other roles may come
 * from another clock. */
static bool
is_sensed(enum pb_ros_role role)
{
	return role == PB_ROLE_SCAN || role == PB_ROLE_ODOM ||
	       role == PB_ROLE_ESTIMATE || role == PB_ROLE_TRUTH;
}

/* Advance the time to t, of a sensed record; detect resets of the clock. Topics
 * may be late, but each must be in order. */
static void
advance_time(struct pb_ros_records *k, enum pb_ros_role role, int64_t t)
{
	int64_t last = k->slot[role].last;

	if (last != NONE && t < last - BACK) {
		if (k->epoch++ == 0)
			pb_msg_note("stamps go back by %.3f s: the clock was "
				    "reset",
			    (double)(last - t) / (double)SECOND);
		k->newest = NONE;
		for (int i = 0; i <= PB_ROLES; i++)
			k->slot[i].last = NONE;
	}
	if (k->newest == NONE)
		k->oldest = t;
	k->newest = t > k->newest ? t : k->newest;
	if (t > k->slot[role].last)
		k->slot[role].last = t;
}

/* Set the item's time and place in the order, and hold it. */
static void
place_item(struct pb_ros_records *k, struct item *i, int64_t t)
{
	i->t = t;
	if (is_sensed(i->role) && t != NONE) {
		advance_time(k, i->role, t);
		i->place = t;
	} else {
		i->place = t == NONE || t > k->newest ? k->newest : t;
	}
	hold_item(k, i);
}

/* The time of a message: its stamp, else when it was logged. */
static int64_t
find_time(struct pb_ros_records *k, const struct pb_ros_header *h,
    const struct pb_ros_heard *from)
{
	bool stamped = h->stamp != NONE && h->stamp != 0;

	if (from->logged == NONE)
		return h->stamp;
	if (!stamped)
		return from->logged + k->skew;
	k->skew = h->stamp - from->logged;
	if (llabs(k->skew) < APART)
		k->skew = 0;
	return h->stamp;
}

/* Note the wheels' pose, to combine it with estimates from frames. */
static void
note_wheels(
    struct pb_ros_records *k, int64_t t, struct pb_pose p, const char *child)
{
	k->wheel_t = t;
	k->wheel = p;
	if (child[0])
		pb_rec_set(k->base, sizeof(k->base), skip_slash(child));
}

/* Make a record of a transform: odometry, or an estimate. */
static bool
add_moved(struct pb_ros_records *k, const struct pb_ros_heard *from,
    enum pb_ros_role role, int64_t t, struct pb_pose p, struct pb_error *bad)
{
	struct item *i = new_item(role, from);

	if (role == PB_ROLE_ODOM)
		i->rec.odom = (struct pb_rec_odom){p.x, p.y, p.th, NAN, NAN};
	else
		set_pose(&i->rec.pose, p, role);
	if (!check_item(i, true, bad))
		return false;
	place_item(k, i, t);
	return true;
}

static bool
is_base(const char *frame)
{
	const char *last = last_part(frame);

	return strcmp(last, "base_link") == 0 ||
	       strcmp(last, "base_footprint") == 0;
}

static bool
is_odom(const char *frame)
{
	return strstr(last_part(frame), "odom") != NULL;
}

/* How likely a frame that moves in that of odometry is the robot. */
static enum pb_ros_rank
rank_moved(const struct pb_ros_records *k, const char *frame)
{
	struct rigid up;

	if (k->scanner[0] && climb_frames(&k->frames, k->scanner, frame, &up))
		return PB_RANK_BELOW;
	return is_base(frame) ? PB_RANK_BASE : PB_RANK_FRAME;
}

/* Make odometry and estimates of transforms, where no topic has them. */
static bool
add_transform(struct pb_ros_records *k, const struct pb_ros_heard *from,
    const struct pb_ros_transform *t, struct pb_error *bad)
{
	struct pb_pose p = pb_ros_plane(&t->transform);
	const char *parent = last_part(t->header.frame);
	int64_t at;

	add_frame(&k->frames, t);
	if (is_odom(parent) && !is_odom(t->child) &&
	    choose_topic(k, PB_ROLE_ODOM, t->child, rank_moved(k, t->child))) {
		at = find_time(k, &t->header, from);
		note_wheels(k, at, p, t->child);
		return add_moved(k, from, PB_ROLE_ODOM, at, p, bad);
	}
	if (strcmp(parent, "map") != 0 || !is_odom(t->child) ||
	    k->wheel_t == k->corrected ||
	    !choose_topic(k, PB_ROLE_ESTIMATE, t->child, PB_RANK_FRAME))
		return true;
	k->corrected = k->wheel_t;
	p = pb_pose_compose(p, k->wheel);
	return add_moved(k, from, PB_ROLE_ESTIMATE, k->wheel_t, p, bad);
}

static bool
add_message(struct pb_ros_records *k, const struct pb_ros_heard *from,
    enum pb_ros_role role, struct pb_ros_message *m, struct pb_error *bad)
{
	const struct pb_ros_header *h = find_header(m);
	struct item *i;
	int64_t t;

	if (role < PB_ROLES &&
	    !choose_topic(k, role, from->topic,
		pb_ros_rank_of(&k->o->topic, role, from->topic)))
		return true;
	i = new_item(role, from);
	if (!check_item(i, make_record(m, role, &i->rec, bad), bad))
		return false;
	if (role == PB_ROLE_UNSURE)
		PB_REC_SET(i->rec.pose.status, last_part(from->topic));
	t = find_time(k, h, from);
	if (role == PB_ROLE_MAP)
		drop_role(k, role);
	if (role == PB_ROLE_SCAN) {
		pb_rec_set(i->frame, sizeof(i->frame), h->frame);
		pb_rec_set(k->scanner, sizeof(k->scanner), h->frame);
	}
	if (role == PB_ROLE_ODOM)
		note_wheels(
		    k, t, pb_ros_plane(&m->odometry.pose), m->odometry.child);
	place_item(k, i, role == PB_ROLE_MAP ? NONE : t);
	return true;
}

/* Note topics of unsupported types. */
static void
note_unread(struct pb_ros_records *k, const char *topic, const char *type)
{
	size_t n = strlen(k->left_out);
	char one[160];

	snprintf(one, sizeof(one), "%.80s (%.60s)", topic, type);
	if (n + sizeof(one) < sizeof(k->left_out) && !strstr(k->left_out, one))
		snprintf(k->left_out + n, sizeof(k->left_out) - n, "%s%s",
		    n > 0 ? ", " : "", one);
}

bool
pb_ros_records_skip(struct pb_ros_records *k, const struct pb_ros_heard *from,
    const char *type, struct pb_error *bad)
{
	k->heard++;
	note_unread(k, from->topic, type);
	k->unread |= match_names(&k->o->topic, from->topic);
	if (k->o->hear)
		k->o->hear(k->o->user, from, type, NULL);
	return !k->o->survey || count_topic(k->o->survey, from->topic, type,
				    from->logged, NULL, bad);
}

/* Count a message at its logged time, else its stamp. */
static bool
count_message(struct pb_ros_records *k, const struct pb_ros_heard *from,
    const struct pb_ros_message *m, struct pb_error *bad)
{
	const struct pb_ros_header *h = find_header(m);
	int64_t t = from->logged;

	if (m->type == PB_ROS_TF && m->tf.n > 0)
		h = &m->tf.transform[0].header;
	if (t == NONE && h)
		t = h->stamp;
	return count_topic(k->o->survey, from->topic, pb_ros_type_name(m->type),
	    t, h ? h->frame : NULL, bad);
}

static bool
check_time(int64_t t, const char *what, struct pb_error *bad)
{
	return t == NONE || (t >= 0 && t <= LATEST) ||
	       pb_error_set(bad,
		   "%s: expected a time from 0 to %lld s, got %lld", what,
		   (long long)(LATEST / SECOND), (long long)(t / SECOND));
}

/* Check that the times are in a valid range. */
static bool
check_times(const struct pb_ros_heard *from, const struct pb_ros_message *m,
    struct pb_error *bad)
{
	const struct pb_ros_header *h = find_header(m);

	for (size_t i = 0; m->type == PB_ROS_TF && i < m->tf.n; i++)
		if (!check_time(
			m->tf.transform[i].header.stamp, "header.stamp", bad))
			return false;
	return check_time(from->logged, "log time", bad) &&
	       (!h || check_time(h->stamp, "header.stamp", bad));
}

bool
pb_ros_records_take(struct pb_ros_records *k, const struct pb_ros_heard *from,
    struct pb_ros_message *m, struct pb_error *bad)
{
	enum pb_ros_role role = pb_ros_role_of(m->type, from->topic);
	const char *type = pb_ros_type_name(m->type);

	k->heard++;
	k->read += role != PB_ROLE_NONE;
	if (k->o->survey && !count_message(k, from, m, bad))
		return false;
	if (m->type == PB_ROS_ECHO_SCAN)
		keep_first_echoes(m);
	if (k->o->hear)
		k->o->hear(k->o->user, from, type, m);
	/* While only counting, make records until one has a time. */
	if (k->o->survey && k->begun)
		return true;
	if (role == PB_ROLE_NONE) {
		note_unread(k, from->topic, type);
		k->unread |= match_names(&k->o->topic, from->topic);
		return true;
	}
	if (!check_times(from, m, bad))
		return k->o->survey;
	k->seen |= match_names(&k->o->topic, from->topic);
	if (role != PB_ROLE_TF)
		return add_message(k, from, role, m, bad) || k->o->survey;
	for (size_t i = 0; i < m->tf.n; i++)
		if (!add_transform(k, from, &m->tf.transform[i], bad) &&
		    !k->o->survey)
			return false;
	return true;
}

/* Find the mount of the scanner with that frame; false: unknown. */
static bool
find_mount(const struct pb_ros_records *k, const char *frame,
    struct pb_pose *mount, bool *upside_down)
{
	const struct frames *f = &k->frames;

	*mount = (struct pb_pose){0, 0, 0};
	*upside_down = false;
	if (frame[0] == '\0' || strcmp(skip_slash(frame), k->base) == 0)
		return true;
	if (k->base[0] && find_mount_on(f, k->base, frame, mount, upside_down))
		return true;
	if (is_base(frame))
		return true;
	for (size_t i = 0; i < f->n; i++) {
		const char *child = f->at[i].child;
		const char *parent = f->at[i].header.frame;

		if ((is_base(child) &&
			find_mount_on(f, child, frame, mount, upside_down)) ||
		    (is_base(parent) &&
			find_mount_on(f, parent, frame, mount, upside_down)))
			return true;
	}
	return false;
}

/* Whether the first held record may be given now. */
static bool
is_ready(struct pb_ros_records *k, const struct item *i)
{
	int64_t scan = k->slot[PB_ROLE_SCAN].last;
	int64_t odom = k->slot[PB_ROLE_ODOM].last;
	bool certain =
	    i->role >= PB_ROLES || k->slot[i->role].rank >= PB_RANK_USUAL;
	bool upside_down;
	struct pb_pose m;

	if (k->flush || k->n == HELD || i->epoch != k->epoch)
		return true;
	if ((!certain || k->o->topic.n > 0) && !has_settled(k))
		return false;
	if (i->place == NONE)
		return true;
	if ((scan != NONE && scan < i->place) ||
	    (odom != NONE && odom < i->place))
		return k->newest - i->place >= LATE;
	return i->role != PB_ROLE_SCAN || k->o->has_laser || k->lost ||
	       find_mount(k, i->frame, &m, &upside_down) ||
	       k->newest - i->place >= FRAMES;
}

static void
set_mount(struct pb_ros_records *k, struct item *i)
{
	struct pb_rec_scan *c = &i->rec.scan;
	struct pb_pose m = {
	    k->o->laser[0], k->o->laser[1], pb_wrap(k->o->laser[2])};
	bool upside_down = false;

	if (!k->o->has_laser && !find_mount(k, i->frame, &m, &upside_down) &&
	    !k->lost && !k->o->survey) {
		k->lost = true;
		if (k->o->no_mount)
			pb_rec_set(k->o->no_mount, PB_ROS_NAME, i->frame);
		else
			pb_msg_warn((struct pb_place){k->file, i->line},
			    "scan: no transform from the robot's base to the "
			    "frame \"%.80s\"; assuming that the scanner is "
			    "in the robot's middle; see --laser",
			    i->frame);
	}
	c->mount = (struct pb_pose){
	    pb_num_rounded(m.x), pb_num_rounded(m.y), pb_num_rounded(m.th)};
	if (upside_down) {
		c->angle_min = -c->angle_min;
		c->angle_increment = -c->angle_increment;
	}
}

static double
to_seconds(int64_t t)
{
	return pb_num_rounded(
	    (double)(t / SECOND) + 1e-9 * (double)(t % SECOND));
}

/* Seconds since the first time given. */
static double
convert_time(struct pb_ros_records *k, int64_t t)
{
	if (t == NONE)
		return NAN;
	if (!k->begun)
		k->first = t;
	if (k->o->survey && !k->o->survey->timed) {
		k->o->survey->timed = true;
		k->o->survey->start = to_seconds(t);
	}
	k->begun = true;
	return to_seconds(t - k->first);
}

/* The next held odometry of an epoch. */
static const struct item *
find_next_odom(const struct pb_ros_records *k, long epoch)
{
	for (size_t i = 0; i < k->n && k->held[i]->epoch == epoch; i++)
		if (k->held[i]->role == PB_ROLE_ODOM)
			return k->held[i];
	return NULL;
}

/* Interpolate linearly from a to b; u: 0..1. */
static struct pb_rec_odom
blend_odom(const struct pb_rec_odom *a, const struct pb_rec_odom *b, double u)
{
	return (struct pb_rec_odom){a->x + u * (b->x - a->x),
	    a->y + u * (b->y - a->y),
	    pb_wrap(a->theta + u * pb_wrap(b->theta - a->theta)),
	    a->v + u * (b->v - a->v), a->w + u * (b->w - a->w)};
}

/* Interpolate the odometry at a scan's time, if measured before and after
 * it. */
static bool
interpolate(struct pb_ros_records *k, const struct item *scan, struct pb_rec *r)
{
	const struct item *b = find_next_odom(k, scan->epoch);
	struct pb_error bad;
	double u;

	if (scan->role != PB_ROLE_SCAN || !b || k->given_t == NONE ||
	    scan->t <= k->given_t || scan->t >= b->t || b->t - k->given_t > GAP)
		return false;
	u = (double)(scan->t - k->given_t) / (double)(b->t - k->given_t);
	k->given = blend_odom(&k->given, &b->rec.odom, u);
	k->given_t = scan->t;
	r->type = PB_REC_ODOM;
	r->owns = true;
	r->stamp = pb_stamp_at(convert_time(k, scan->t), "robot");
	r->odom = k->given;
	return pb_rec_settle(r, &bad);
}

bool
pb_ros_records_next(struct pb_ros_records *k, struct pb_rec *r, long *line)
{
	struct item *i = k->n > 0 ? k->held[0] : NULL;

	if (!i || !is_ready(k, i))
		return false;
	*line = i->line;
	if (i->epoch != k->given_epoch)
		k->given_t = NONE;
	k->given_epoch = i->epoch;
	if (interpolate(k, i, r))
		return true;
	k->n--;
	memmove(k->held, k->held + 1, k->n * sizeof(struct item *));
	if (i->role == PB_ROLE_SCAN)
		set_mount(k, i);
	if (i->role == PB_ROLE_ODOM) {
		k->given_t = i->t;
		k->given = i->rec.odom;
	}
	i->rec.stamp.t = convert_time(k, i->t);
	*r = i->rec;
	free(i);
	return true;
}

bool
pb_ros_records_flush(struct pb_ros_records *k)
{
	k->flush = true;
	return k->n > 0;
}

/* Warn of scanners of unsupported types, or of scans without odometry although
 * there are transforms. */
static void
warn_missing(const struct pb_ros_records *k)
{
	bool scans = k->slot[PB_ROLE_SCAN].topic[0] != '\0';
	char some[512] = "";
	size_t i, n = 0;

	if (!scans &&
	    (strstr(k->left_out, "Scan)") || strstr(k->left_out, "Cloud")))
		pb_msg_warn((struct pb_place){k->file, 0},
		    "no sensor_msgs/LaserScan came; these types are not "
		    "supported: %s",
		    k->left_out);
	if (!scans || k->slot[PB_ROLE_ODOM].topic[0])
		return;
	for (i = 0; i < k->frames.n && n < sizeof(some) / 2; i++)
		n += (size_t)snprintf(some + n, sizeof(some) - n,
		    "%s%.80s to %.80s", i > 0 ? ", " : "",
		    k->frames.at[i].header.frame, k->frames.at[i].child);
	if (i > 0)
		pb_msg_warn((struct pb_place){k->file, 0},
		    "no odometry: no topic has it, nor is there a transform "
		    "from a frame called odom to the robot, but %s%s",
		    some, i < k->frames.n ? ", ..." : "");
}

void
pb_ros_records_end(struct pb_ros_records *k)
{
	const struct pb_place at = {k->file, 0};

	if (k->heard == 0 && !k->o->only && pb_msg_worst() == PB_EXIT_OK &&
	    !pb_msg_stopped())
		pb_msg_refuse(at, "expected messages, got none");
	else if (k->read == 0 && k->left_out[0] && !k->o->survey)
		pb_msg_warn(
		    at, "no message is of a supported type: %s", k->left_out);
	else if (!k->o->survey && !k->o->only)
		warn_missing(k);
	for (int i = 0; i < k->o->topic.n && !k->o->survey; i++)
		if (!(k->seen & (uint64_t)1 << i))
			pb_msg_warn(at, "no message of the topic %.80s%s",
			    k->o->topic.arg[i],
			    k->unread & (uint64_t)1 << i
				? " is of a supported type"
				: "");
	k->flush = true;
}
