/* ros_export.c - records of a game as messages on the topics of ROS, in a file
 * and live. */
#include "view/show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/hash.h"
#include "io/file/filter.h"
#include "io/ros/mcap.h"
#include "io/ros/rosbridge.h"
#include "io/stream/msg.h"
#include "io/stream/net.h"
#include "io/stream/pace.h"
#include "view/canvas.h"

#define SECOND INT64_C(1000000000) /* (ns) */

/* A clock that goes back farther began anew: poses come late by less. */
#define BACK SECOND

/* Interval at which unchanged pellets are published again. */
#define REPEAT SECOND

/* A TurtleBot 4 is 0.34 m wide, and Clyde as large; pellets are as the
 * published game's (m). On boards of cells they are parts of a cell. */
#define WIDTH        0.34
#define PELLET       0.1
#define WIDTH_CELLS  0.8
#define PELLET_CELLS 0.2
#define POWER        2.0 /* a power pellet to a pellet */

/* The outputs of a game, and the state last published there. */
struct export
{
	struct pb_mcap_write *bag;       /* NULL: none */
	struct pb_text cdr;              /* of its last message */
	struct pb_rosbridge_out *client; /* the same */
	unsigned only;                   /* set of topics, 0: all */
	double speed;          /* times real time, of what the client gets */
	bool paced;            /* a record had a time */
	double zero, newest;   /* of the first, of the last of them (s) */
	struct timespec start; /* wall clock at the first */

	struct pb_scene scene; /* built from the records */

	bool any;       /* a message was sent */
	int64_t now;    /* the newest stamp (ns) */
	int64_t offset; /* of stamps, in a second game */
	bool begun;     /* a record had a stamp */

	/* Frames: odom in the map, the base in odom. */
	struct pb_pose drift, wheel;
	bool has_wheel; /* odometry came */
	bool posed;     /* a pose did: cells do not matter */
	bool estimated; /* a sure estimate did: the truth does not matter */
	struct pb_pose mount;

	/* As last published. */
	bool has_base;
	struct pb_pose base;      /* the robot in the map */
	uint64_t bodies, pellets; /* hashes */
	int64_t repeated;         /* when pellets were (ns) */
};

static void
emit(struct export *x, enum pb_ros_topic topic, struct pb_ros_message *m)
{
	m->type = pb_ros_topics[topic].type;
	x->any = true;
	if (x->only && !(x->only >> topic & 1))
		return;
	if (x->bag) {
		x->cdr.len = 0;
		pb_ros_write(&x->cdr, m, false);
		pb_mcap_write_message(
		    x->bag, topic, x->now, x->cdr.s, x->cdr.len);
	}
	if (x->client)
		pb_rosbridge_out_send(x->client, topic, m);
}

static struct pb_ros_header
header(int64_t t, const char *frame)
{
	struct pb_ros_header h = {.stamp = t};

	pb_rec_set(h.frame, sizeof(h.frame), frame);
	return h;
}

/* Of the robot that the stream is about. */
static bool
is_robot(struct export *x, const struct pb_rec *r)
{
	const char *id = r->stamp.id;

	return *id == '\0' ||
	       pb_scene_body(&x->scene, id)->kind == PB_BODY_ROBOT;
}

static struct pb_ros_marker
marker(const struct export *x, const char *ns, size_t id,
    enum pb_ros_shape shape, double width, struct pb_rgb k)
{
	struct pb_ros_marker m = {.header = header(x->now, "map"),
	    .id = (double)id,
	    .shape = shape,
	    .action = PB_ROS_ADD,
	    .pose = pb_ros_pose_of((struct pb_pose){0, 0, 0}),
	    .scale = {width, width, width},
	    .color = {k.r / 255.0, k.g / 255.0, k.b / 255.0, 1}};

	pb_rec_set(m.ns, sizeof(m.ns), ns);
	return m;
}

static void
send_markers(struct export *x, struct pb_ros_marker *m, size_t n)
{
	emit(x, PB_TOPIC_MARKERS,
	    &(struct pb_ros_message){.markers = {.marker = m, .n = n}});
}

/* A width in metres, or on a board in cells. */
static double
width(const struct export *x, double metres, double cells)
{
	return x->scene.board.rows > 0 ? cells * x->scene.board.pitch : metres;
}

/* The marker of a robot or ghost, standing on the floor. */
static struct pb_ros_marker
body_marker(const struct export *x, const char *ns, size_t id, struct pb_pose p,
    struct pb_rgb color)
{
	struct pb_ros_marker m = marker(
	    x, ns, id, PB_ROS_SPHERE, width(x, WIDTH, WIDTH_CELLS), color);

	if (!isfinite(p.th))
		p.th = 0;
	m.pose = pb_ros_pose_of(p);
	m.pose.position.z = m.scale.z / 2;
	return m;
}

/* List the robot and the ghosts, with room for PB_SCENE_BODIES + 1. Returns
 * their number. */
static size_t
body_markers(const struct export *x, struct pb_ros_marker *m)
{
	const struct pb_scene *s = &x->scene;
	size_t n = 0;

	if (x->has_base)
		m[n++] = body_marker(
		    x, "robot", 0, x->base, pb_inks[PB_INK_ROBOT].paper);
	for (size_t i = 0; i < s->bodies; i++)
		if (s->body[i].kind == PB_BODY_GHOST && s->body[i].placed)
			m[n++] = body_marker(x, "ghosts", i, s->body[i].pose,
			    pb_scene_ghost_color(s->body[i].id));
	return n;
}

/* Those that are not eaten, or those of them that give power, as one marker,
 * whose points the caller frees. */
static struct pb_ros_marker
spot_marker(const struct export *x, bool power)
{
	const struct pb_scene *s = &x->scene;
	struct pb_ros_marker m =
	    marker(x, power ? "power" : "pellets", 0, PB_ROS_SPHERES,
		width(x, PELLET, PELLET_CELLS) * (power ? POWER : 1),
		pb_inks[PB_INK_PELLET].paper);

	m.point = pb_alloc(s->pellets, sizeof(*m.point));
	for (size_t i = 0; i < s->pellets; i++)
		if (!s->pellet[i].eaten && s->pellet[i].power == power)
			m.point[m.n++] =
			    (struct pb_ros_vector){s->pellet[i].at.x,
				s->pellet[i].at.y, m.scale.z / 2};
	if (m.n == 0)
		m.action = PB_ROS_DELETE;
	return m;
}

/* Of the places of n markers. */
static uint64_t
hash_markers(const struct pb_ros_marker *m, size_t n)
{
	uint64_t h = PB_HASH_START;

	for (size_t i = 0; i < n; i++) {
		h = pb_hash_bytes(h, &m[i].pose, sizeof(m[i].pose));
		h = pb_hash_bytes(h, m[i].point, m[i].n * sizeof(*m[i].point));
	}
	return h;
}

/*
 * Publish markers that have changed: all bodies, and the pellets if they
 * changed or after REPEAT. Each message is complete, for subscribers that start
 * late or seek in a recording.
 */
static void
tell_markers(struct export *x)
{
	struct pb_ros_marker all[PB_SCENE_BODIES + 3];
	size_t n = body_markers(x, all);
	struct pb_ros_marker *spots = &all[n];
	uint64_t moved = hash_markers(all, n), eaten;
	bool due;

	spots[0] = spot_marker(x, false);
	spots[1] = spot_marker(x, true);
	eaten = hash_markers(spots, 2);
	due = x->scene.pellets > 0 &&
	      (eaten != x->pellets || x->now - x->repeated >= REPEAT);
	if (due || (n > 0 && moved != x->bodies)) {
		send_markers(x, all, due ? n + 2 : n);
		x->bodies = moved;
		x->pellets = eaten;
	}
	if (due)
		x->repeated = x->now;
	free(spots[0].point);
	free(spots[1].point);
}

static struct pb_ros_transform
transform(int64_t t, const char *parent, const char *child, struct pb_pose p)
{
	struct pb_ros_transform f = {
	    .header = header(t, parent), .transform = pb_ros_pose_of(p)};

	pb_rec_set(f.child, sizeof(f.child), child);
	return f;
}

/* Publish all transforms: listeners interpolate each of them. A pose that is
 * not estimated has its own frame, or it would be read as an estimate. */
static void
send_frames(struct export *x, int64_t t)
{
	static const struct pb_pose same_place = {0, 0, 0};
	const char *place = x->estimated ? "map" : "ground_truth";
	struct pb_ros_transform f[3];
	size_t n = 0;

	if (x->has_base && !x->estimated)
		f[n++] = transform(t, "map", place, same_place);
	if (x->has_base)
		f[n++] = x->has_wheel
		             ? transform(t, place, "odom", x->drift)
		             : transform(t, place, "base_link", x->base);
	if (x->has_wheel)
		f[n++] = transform(t, "odom", "base_link", x->wheel);
	emit(x, PB_TOPIC_TF,
	    &(struct pb_ros_message){.tf = {.transform = f, .n = n}});
}

/* The robot is at p in the map; odometry is corrected by that. */
static void
set_base(struct export *x, int64_t t, struct pb_pose p)
{
	if (!isfinite(p.th))
		p.th = x->base.th;
	x->base = p;
	x->has_base = true;
	if (x->has_wheel)
		x->drift = pb_pose_compose(p, pb_pose_inverse(x->wheel));
	send_frames(x, t);
}

static void
send_pose(
    struct export *x, enum pb_ros_topic topic, int64_t t, struct pb_pose p)
{
	emit(x, topic,
	    &(struct pb_ros_message){
		.pose = {header(t, "map"), pb_ros_pose_of(p)}});
}

/* The topic of a pose that is not true. */
static enum pb_ros_topic
pose_topic(const struct pb_rec_pose *p)
{
	if (strcmp(p->source, "initial") == 0)
		return PB_TOPIC_INITIAL;
	if (strcmp(p->status, "lost") == 0)
		return PB_TOPIC_LOST;
	if (strcmp(p->status, "unmapped") == 0)
		return PB_TOPIC_UNMAPPED;
	return p->status[0] == '\0' || strcmp(p->status, "tracking") == 0
	           ? PB_TOPIC_POSE
	           : PB_TOPIC_AMBIGUOUS;
}

static void
take_pose(struct export *x, int64_t t, const struct pb_rec *r)
{
	static const int axis[3] = {0, 1, 5};
	const struct pb_rec_pose *p = &r->pose;
	struct pb_pose at = {p->x, p->y, p->theta};
	struct pb_ros_message m = {.pose_cov = {.header = header(t, "map"),
				       .pose = pb_ros_pose_of(at)}};
	bool truth = strcmp(p->source, "truth") == 0;
	enum pb_ros_topic topic = pose_topic(p);

	if (!is_robot(x, r) && strcmp(r->stamp.id, "truth") != 0)
		return;
	if (truth) {
		send_pose(x, PB_TOPIC_TRUTH, t, at);
	} else {
		for (int i = 0; p->has_cov && i < 9; i++)
			m.pose_cov.cov[6 * axis[i / 3] + axis[i % 3]] =
			    p->cov[i / 3][i % 3];
		emit(x, topic, &m);
	}
	if (truth ? x->estimated : topic != PB_TOPIC_POSE)
		return;
	x->posed = true;
	x->estimated |= !truth;
	set_base(x, t, at);
}

/* What is not known is 0, as drivers have it. */
static double
or_none(double v)
{
	return isfinite(v) ? v : 0;
}

static void
take_odom(struct export *x, int64_t t, const struct pb_rec *r)
{
	const struct pb_rec_odom *o = &r->odom;
	struct pb_pose p = {o->x, o->y, o->theta};
	struct pb_ros_message m = {.odometry = {.header = header(t, "odom"),
				       .child = "base_link",
				       .pose = pb_ros_pose_of(p)}};

	m.odometry.twist.linear.x = or_none(o->v);
	m.odometry.twist.angular.z = or_none(o->w);
	emit(x, PB_TOPIC_ODOM, &m);
	/* Odometry begins at the robot's published pose. */
	if (!x->has_wheel && x->has_base)
		x->drift = pb_pose_compose(x->base, pb_pose_inverse(p));
	x->has_wheel = true;
	x->wheel = p;
	send_frames(x, t);
}

static void
take_twist(struct export *x, int64_t t, const struct pb_rec *r)
{
	struct pb_ros_message m = {.twist = {.header = header(t, "")}};

	m.twist.twist.linear.x = or_none(r->twist.v);
	m.twist.twist.angular.z = or_none(r->twist.w);
	emit(x, PB_TOPIC_CMD_VEL, &m);
}

static bool
same(struct pb_pose a, struct pb_pose b)
{
	return a.x == b.x && a.y == b.y && a.th == b.th;
}

/* Where the scanner is, once and when that changes. */
static const char *
tell_mount(struct export *x, int64_t t, struct pb_pose mount)
{
	static const struct pb_pose middle = {0, 0, 0};
	struct pb_ros_transform f = transform(t, "base_link", "laser", mount);

	if (!same(mount, x->mount))
		emit(x, PB_TOPIC_TF_STATIC,
		    &(struct pb_ros_message){.tf = {.transform = &f, .n = 1}});
	x->mount = mount;
	return same(mount, middle) ? "base_link" : "laser";
}

/* ROS measures from the scanner's middle; nothing met is inf, an error NaN. */
static double
range(const struct pb_rec_scan *c, double d)
{
	return isnan(d) ? INFINITY : d < 0 ? NAN : d + c->radius;
}

static void
take_scan(struct export *x, int64_t t, const struct pb_rec *r)
{
	const struct pb_rec_scan *c = &r->scan;
	struct pb_ros_message m = {
	    .scan = {.header = header(t, tell_mount(x, t, c->mount)),
		.angle_min = c->angle_min,
		.angle_increment = c->angle_increment,
		.range_min = or_none(c->range_min) + c->radius,
		.range_max = c->range_max + c->radius,
		.range = pb_alloc(c->n, sizeof(double)),
		.n = c->n}};
	struct pb_ros_scan *s = &m.scan;
	double farthest = 0;

	s->angle_max = c->angle_min +
	               c->angle_increment * (double)(c->n > 0 ? c->n - 1 : 0);
	for (size_t i = 0; i < c->n; i++) {
		s->range[i] = range(c, c->range[i]);
		if (isfinite(s->range[i]) && s->range[i] > farthest)
			farthest = s->range[i];
	}
	if (!isfinite(s->range_max))
		s->range_max = farthest;
	emit(x, PB_TOPIC_SCAN, &m);
	pb_ros_clear(&m);
}

/* What is believed: particles, or else where the robot may be. */
static void
take_belief(struct export *x, int64_t t, const struct pb_rec *r)
{
	const struct pb_rec_belief *b = &r->belief;
	size_t n = b->particles > 0 ? b->particles : (size_t)b->n;
	struct pb_ros_message m = {
	    .poses = {.header = header(t, "map"),
		.pose = pb_alloc(n, sizeof(struct pb_ros_pose)),
		.n = n}};

	for (size_t i = 0; i < n; i++)
		m.poses.pose[i] = pb_ros_pose_of(
		    b->particles > 0 ? b->particle[i] : b->at[i].pose);
	emit(x, PB_TOPIC_PARTICLES, &m);
	pb_ros_clear(&m);
}

static void
take_goal(struct export *x, int64_t t, const struct pb_rec *r)
{
	const struct pb_rec_goal *g = &r->goal;
	bool sent = g->status[0] == '\0' || strcmp(g->status, "sent") == 0;

	if (sent && isfinite(g->x) && isfinite(g->y))
		send_pose(x, PB_TOPIC_GOAL, t,
		    (struct pb_pose){g->x, g->y, or_none(g->theta)});
}

/* Each pose of a path looks to the next. */
static void
take_path(struct export *x, int64_t t, const struct pb_rec *r)
{
	const struct pb_rec_points *p = &r->path;
	struct pb_ros_message m = {
	    .path = {.header = header(t, "map"),
		.pose = pb_alloc(p->n, sizeof(struct pb_ros_pose_stamped)),
		.n = p->n}};
	struct pb_pose at = {0, 0, 0};

	for (size_t i = 0; i < p->n; i++) {
		at.x = p->point[i].x;
		at.y = p->point[i].y;
		if (i + 1 < p->n)
			at.th = pb_atan2(
			    p->point[i + 1].y - at.y, p->point[i + 1].x - at.x);
		m.path.pose[i] = (struct pb_ros_pose_stamped){
		    m.path.header, pb_ros_pose_of(at)};
	}
	emit(x, PB_TOPIC_PLAN, &m);
	pb_ros_clear(&m);
}

/* The map of the scene, and where the player is to go, if there is a place. */
static void
tell_ground(struct export *x)
{
	const struct pb_map *map = x->scene.map;
	struct pb_ros_message m = {.grid = {.header = header(x->now, "map"),
				       .resolution = map->resolution,
				       .width = map->width,
				       .height = map->height,
				       .origin = pb_ros_pose_of(map->origin),
				       .map = *map}};
	const struct pb_scene *s = &x->scene;

	emit(x, PB_TOPIC_MAP, &m);
	for (size_t i = 0; i < s->bodies; i++)
		if (s->body[i].kind == PB_BODY_ROBOT && s->body[i].has_goal)
			send_pose(x, PB_TOPIC_GOAL, x->now,
			    (struct pb_pose){
				s->body[i].goal.x, s->body[i].goal.y, 0});
}

/* A new game: delete the markers of the old one. */
static void
begin_anew(struct export *x)
{
	struct pb_ros_marker m =
	    marker(x, "", 0, PB_ROS_SPHERE, 0, (struct pb_rgb){0, 0, 0});

	m.color.a = 0;
	m.action = PB_ROS_DELETE_ALL;
	send_markers(x, &m, 1);
	x->bodies = x->pellets = 0;
	x->has_base = x->has_wheel = x->posed = x->estimated = false;
	x->drift = (struct pb_pose){0, 0, 0};
}

/* The stamp of a record; a record without a time gets the current one. */
static int64_t
stamp(struct export *x, double s)
{
	/* Records have times to the microsecond. */
	int64_t t = x->offset + llround(s * 1e6) * 1000;

	if (x->begun && t < x->now - BACK) {
		x->offset += x->now + SECOND - t;
		t = x->now + SECOND;
		begin_anew(x);
	}
	if (!x->begun || t > x->now) {
		x->now = t;
		emit(x, PB_TOPIC_CLOCK, &(struct pb_ros_message){.clock = {t}});
	}
	x->begun = true;
	return t;
}

static void
take_tick(struct export *x, int64_t t, const struct pb_rec *r)
{
	const struct pb_body *b = x->scene.body, *end = b + x->scene.bodies;

	(void)r;
	/* The robot's pose, if only its cell is known. */
	while (b < end && !(b->kind == PB_BODY_ROBOT && b->placed))
		b++;
	if (!x->posed && b < end)
		set_base(x, t, b->pose);
}

/* Take one record; a map is taken out of r. */
static void
export_take(struct export *x, struct pb_rec *r)
{
	/* Records that are no part of a picture, or not of that alone. */
	static const struct {
		void (*take)(struct export *, int64_t, const struct pb_rec *);
		bool own; /* of the robot alone */
	} takes[] = {[PB_REC_POSE] = {take_pose, false},
	    [PB_REC_ODOM] = {take_odom, true},
	    [PB_REC_TWIST] = {take_twist, true},
	    [PB_REC_SCAN] = {take_scan, true},
	    [PB_REC_BELIEF] = {take_belief, true},
	    [PB_REC_PATH] = {take_path, true},
	    [PB_REC_GOAL] = {take_goal, true},
	    [PB_REC_TICK] = {take_tick, false}};
	const uint64_t grounds =
	    PB_REC_BIT(PB_REC_MAP) | PB_REC_BIT(PB_REC_MAZE);
	const uint64_t marked =
	    PB_REC_BIT(PB_REC_MAZE) | PB_REC_BIT(PB_REC_TICK) |
	    PB_REC_BIT(PB_REC_POSE) | PB_REC_BIT(PB_REC_PELLETS) |
	    PB_REC_BIT(PB_REC_CMD);
	const uint64_t type = PB_REC_BIT(r->type);
	size_t i = (size_t)r->type;
	double s = r->stamp.t;
	int64_t t = isfinite(s) && fabs(s) < 1e9 ? stamp(x, s) : x->now;

	pb_scene_build(&x->scene, r);
	if (i < sizeof(takes) / sizeof(*takes) && takes[i].take &&
	    (!takes[i].own || is_robot(x, r)))
		takes[i].take(x, t, r);
	if (type & grounds)
		tell_ground(x);
	if (type & marked)
		tell_markers(x);
}

bool
pb_ros_export_asked(const struct pb_ros_export_opts *o)
{
	return o->file || o->publish;
}

static int
topic_of(const char *name)
{
	int i = 0;

	while (i < PB_TOPICS && strcmp(pb_ros_topics[i].name, name) != 0)
		i++;
	return i;
}

bool
pb_ros_export_check(const struct pb_ros_export_opts *o)
{
	for (int i = 0; i < o->only.n; i++)
		if (topic_of(o->only.arg[i]) == PB_TOPICS)
			return pb_msg_usage("--only: there is no topic "
					    "\"%.80s\"; see pb-ros(7)",
			    o->only.arg[i]);
	if (o->only.n > 0 && !pb_ros_export_asked(o))
		return pb_msg_usage("--only: only with --export or --publish");
	return !o->publish || pb_net_check("--publish", o->publish, false);
}

/* The connection is kept up in turns of this length (s). */
#define TURN 0.01

/* Keep up the connection while the next line is waited for. */
static void
serve_meanwhile(void *user)
{
	pb_rosbridge_out_serve(user, TURN);
}

static void
export_free(struct export *x)
{
	pb_wait_meanwhile(NULL, NULL);
	pb_mcap_write_free(x->bag);
	pb_text_clear(&x->cdr);
	pb_rosbridge_out_close(x->client);
	pb_scene_clear(&x->scene);
	free(x);
}

/* For export_free(); NULL: a message was printed why not. */
static struct export *
export_new(const struct pb_ros_export_opts *o)
{
	struct export *x = pb_alloc(1, sizeof(*x));
	struct pb_error bad;

	pb_msg_catch();
	for (int i = 0; i < o->only.n; i++)
		x->only |= 1u << topic_of(o->only.arg[i]);
	if (o->file && !(x->bag = pb_mcap_write_new(o->file, &bad)))
		pb_msg_error(&bad);
	else if (!o->publish)
		return x;
	else if ((x->client = pb_rosbridge_out_open(o->publish)) != NULL) {
		pb_wait_meanwhile(serve_meanwhile, x->client);
		return x;
	}
	export_free(x);
	return NULL;
}

/* Finish the export of the input called `name`. */
static void
export_end(struct export *x, const char *name)
{
	struct pb_error bad;

	if (!x->any)
		pb_msg_refuse((struct pb_place){name, 0},
		    "expected records with a map or a time, got none");
	else if (x->bag && !pb_mcap_write_end(x->bag, &bad))
		pb_msg_error(&bad);
}

/* Wait until a record of time s is due, and keep up the connection; false: it
 * is lost. */
static bool
pace(struct export *x, double s)
{
	double left = 0;

	/* Time that runs backwards is a new run. */
	if (isfinite(s) && (!x->paced || s < x->newest - 1)) {
		x->paced = true;
		x->zero = s;
		x->start = pb_pace_now();
	}
	if (isfinite(s))
		x->newest = s;
	do {
		if (!pb_rosbridge_out_serve(
			x->client, left < TURN ? left : TURN))
			return false;
		if (x->paced && x->speed > 0)
			left = (x->newest - x->zero) / x->speed -
			       pb_pace_since(x->start);
	} while (left > 0 && !pb_msg_stopped());
	return true;
}

static bool
take_record(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct export *x = f->user;

	bad->text[0] = '\0';
	if (x->client && !pace(x, r->stamp.t))
		return false;
	export_take(x, r);
	return true;
}

void
pb_ros_export_stream(const struct pb_ros_export_opts *o, double speed,
    const struct pb_opt_common *common, char *const *files, int n)
{
	struct export *x = export_new(o);
	struct pb_filter f = {.want = PB_REC_ALL,
	    .common = common,
	    .take = take_record,
	    .user = x};

	if (!x)
		return;
	x->speed = speed;
	/* After an interrupt, finish the file with the records up to now. */
	if (pb_filter_run(&f, files, n) || pb_msg_stopped())
		export_end(x, strcmp(*files, "-") == 0 ? "<stdin>" : *files);
	export_free(x);
}

void
pb_ros_export_made(const struct pb_ros_export_opts *o, struct pb_mapsource *p)
{
	struct pb_rec r = {.type = p->has_map ? PB_REC_MAP : PB_REC_MAZE,
	    .owns = true,
	    .stamp = pb_stamp_none()};
	struct export *x = export_new(o);

	if (!x)
		return;
	if (p->has_map) {
		r.map = p->map;
		p->map.cell = NULL;
	} else {
		r.maze = p->maze;
	}
	export_take(x, &r);
	export_end(x, NULL);
	export_free(x);
	pb_rec_clear(&r);
}
