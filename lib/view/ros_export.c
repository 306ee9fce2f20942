/* ros_export.c - convert records of a game to messages of ROS, in a file or
 * live. */
#include "view/show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/hash.h"
#include "io/file/filter.h"
#include "io/ros/bag.h"
#include "io/ros/rosbridge.h"
#include "io/stream/msg.h"
#include "io/stream/net.h"
#include "io/stream/pace.h"
#include "view/canvas.h"

#define SECOND INT64_C(1000000000) /* (ns) */

/* A clock that goes back by more has restarted; late poses go back by less
 * (ns). */
#define BACK SECOND

/* Unchanged pellets are published again after this (ns). */
#define REPEAT SECOND

/* Sizes of markers: a TurtleBot 4 is 0.34 m wide, as are ghosts; pellets as in
 * the published game (m). On boards they are shares of a cell. */
#define WIDTH        0.34
#define PELLET       0.1
#define WIDTH_CELLS  0.8
#define PELLET_CELLS 0.2
#define POWER        2.0 /* size of a power pellet, in pellets */

/* Outputs of a game, and the state last published. */
struct export
{
	struct pb_mcap_write *bag;       /* NULL: none */
	struct pb_text cdr;              /* last message of the bag */
	struct pb_rosbridge_out *client; /* NULL: none */
	unsigned only;                   /* set of topics, 0: all */
	double speed;                    /* for the client, times real time */
	bool paced;                      /* a record had a time */
	double zero, newest;   /* times of the first and last record (s) */
	struct timespec start; /* wall clock at the first */

	struct pb_scene scene; /* built from the records */

	bool any;       /* a message was sent */
	int64_t now;    /* the newest stamp (ns) */
	int64_t offset; /* added to stamps after a restart (ns) */
	bool begun;     /* a record had a stamp */

	/* Transforms: odom in the map; the base in odom. */
	struct pb_pose drift, wheel;
	bool has_wheel; /* odometry came */
	bool posed;     /* a pose came: ignore cells */
	bool estimated; /* a tracking estimate came: ignore the true pose */
	struct pb_pose mount;

	/* Last published: */
	bool has_base;
	struct pb_pose base;      /* the robot in the map */
	uint64_t bodies, pellets; /* hashes */
	int64_t repeated;         /* when pellets were published (ns) */
};

static void
send_message(
    struct export *x, enum pb_ros_topic topic, struct pb_ros_message *m)
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
make_header(int64_t t, const char *frame)
{
	struct pb_ros_header h = {.stamp = t};

	pb_rec_set(h.frame, sizeof(h.frame), frame);
	return h;
}

/* Whether a record is of the robot. */
static bool
is_robot(struct export *x, const struct pb_rec *r)
{
	const char *id = r->stamp.id;

	return *id == '\0' ||
	       pb_scene_body(&x->scene, id)->kind == PB_BODY_ROBOT;
}

static struct pb_ros_marker
make_marker(const struct export *x, const char *ns, size_t id,
    enum pb_ros_shape shape, double width, struct pb_rgb k)
{
	struct pb_ros_marker m = {.header = make_header(x->now, "map"),
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
	send_message(x, PB_TOPIC_MARKERS,
	    &(struct pb_ros_message){.markers = {.marker = m, .n = n}});
}

/* A width in metres, or on a board in cells. */
static double
choose_width(const struct export *x, double metres, double cells)
{
	return x->scene.board.rows > 0 ? cells * x->scene.board.pitch : metres;
}

/* Make the marker of a robot or ghost, standing on the floor. */
static struct pb_ros_marker
make_body_marker(const struct export *x, const char *ns, size_t id,
    struct pb_pose p, struct pb_rgb color)
{
	struct pb_ros_marker m = make_marker(x, ns, id, PB_ROS_SPHERE,
	    choose_width(x, WIDTH, WIDTH_CELLS), color);

	if (!isfinite(p.th))
		p.th = 0;
	m.pose = pb_ros_pose_of(p);
	m.pose.position.z = m.scale.z / 2;
	return m;
}

/* List the markers of robot and ghosts, up to PB_SCENE_BODIES + 1. Returns
 * their number. */
static size_t
list_body_markers(const struct export *x, struct pb_ros_marker *m)
{
	const struct pb_scene *s = &x->scene;
	size_t n = 0;

	if (x->has_base)
		m[n++] = make_body_marker(
		    x, "robot", 0, x->base, pb_inks[PB_INK_ROBOT].paper);
	for (size_t i = 0; i < s->bodies; i++)
		if (s->body[i].kind == PB_BODY_GHOST && s->body[i].placed)
			m[n++] =
			    make_body_marker(x, "ghosts", i, s->body[i].pose,
				pb_scene_ghost_color(s->body[i].id));
	return n;
}

/* Make one marker of all pellets left, or of all power pellets left; the caller
 * frees its points. */
static struct pb_ros_marker
make_pellet_marker(const struct export *x, bool power)
{
	const struct pb_scene *s = &x->scene;
	struct pb_ros_marker m =
	    make_marker(x, power ? "power" : "pellets", 0, PB_ROS_SPHERES,
		choose_width(x, PELLET, PELLET_CELLS) * (power ? POWER : 1),
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

/* Hash of the places of n markers. */
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
 * Publish changed markers: all bodies; and all pellets if any changed, or after
 * REPEAT. Each message is complete, for subscribers that start late or seek in
 * a recording.
 */
static void
publish_markers(struct export *x)
{
	struct pb_ros_marker all[PB_SCENE_BODIES + 3];
	size_t n = list_body_markers(x, all);
	struct pb_ros_marker *spots = &all[n];
	uint64_t moved = hash_markers(all, n), eaten;
	bool due;

	spots[0] = make_pellet_marker(x, false);
	spots[1] = make_pellet_marker(x, true);
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
make_transform(
    int64_t t, const char *parent, const char *child, struct pb_pose p)
{
	struct pb_ros_transform f = {
	    .header = make_header(t, parent), .transform = pb_ros_pose_of(p)};

	pb_rec_set(f.child, sizeof(f.child), child);
	return f;
}

/* Publish all transforms, as listeners interpolate each. A pose that is not
 * estimated has its own frame, so that it is not taken for an estimate. */
static void
send_frames(struct export *x, int64_t t)
{
	static const struct pb_pose same_place = {0, 0, 0};
	const char *place = x->estimated ? "map" : "ground_truth";
	struct pb_ros_transform f[3];
	size_t n = 0;

	if (x->has_base && !x->estimated)
		f[n++] = make_transform(t, "map", place, same_place);
	if (x->has_base)
		f[n++] = x->has_wheel
		             ? make_transform(t, place, "odom", x->drift)
		             : make_transform(t, place, "base_link", x->base);
	if (x->has_wheel)
		f[n++] = make_transform(t, "odom", "base_link", x->wheel);
	send_message(x, PB_TOPIC_TF,
	    &(struct pb_ros_message){.tf = {.transform = f, .n = n}});
}

/* Set the robot's pose p in the map, by correcting odom. */
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
	send_message(x, topic,
	    &(struct pb_ros_message){
		.pose = {make_header(t, "map"), pb_ros_pose_of(p)}});
}

/* The topic of a pose that is not true. */
static enum pb_ros_topic
choose_pose_topic(const struct pb_rec_pose *p)
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
publish_pose(struct export *x, int64_t t, const struct pb_rec *r)
{
	static const int axis[3] = {0, 1, 5};
	const struct pb_rec_pose *p = &r->pose;
	struct pb_pose at = {p->x, p->y, p->theta};
	struct pb_ros_message m = {.pose_cov = {.header = make_header(t, "map"),
				       .pose = pb_ros_pose_of(at)}};
	bool truth = strcmp(p->source, "truth") == 0;
	enum pb_ros_topic topic = choose_pose_topic(p);

	if (!is_robot(x, r) && strcmp(r->stamp.id, "truth") != 0)
		return;
	if (truth) {
		send_pose(x, PB_TOPIC_TRUTH, t, at);
	} else {
		for (int i = 0; p->has_cov && i < 9; i++)
			m.pose_cov.cov[6 * axis[i / 3] + axis[i % 3]] =
			    p->cov[i / 3][i % 3];
		send_message(x, topic, &m);
	}
	if (truth ? x->estimated : topic != PB_TOPIC_POSE)
		return;
	x->posed = true;
	x->estimated |= !truth;
	set_base(x, t, at);
}

/* Unknown numbers become 0, as drivers write them. */
static double
zero_if_nan(double v)
{
	return isfinite(v) ? v : 0;
}

static void
publish_odom(struct export *x, int64_t t, const struct pb_rec *r)
{
	const struct pb_rec_odom *o = &r->odom;
	struct pb_pose p = {o->x, o->y, o->theta};
	struct pb_ros_message m = {
	    .odometry = {.header = make_header(t, "odom"),
		.child = "base_link",
		.pose = pb_ros_pose_of(p)}};

	m.odometry.twist.linear.x = zero_if_nan(o->v);
	m.odometry.twist.angular.z = zero_if_nan(o->w);
	send_message(x, PB_TOPIC_ODOM, &m);
	/* Odometry starts at the robot's published pose. */
	if (!x->has_wheel && x->has_base)
		x->drift = pb_pose_compose(x->base, pb_pose_inverse(p));
	x->has_wheel = true;
	x->wheel = p;
	send_frames(x, t);
}

static void
publish_twist(struct export *x, int64_t t, const struct pb_rec *r)
{
	struct pb_ros_message m = {.twist = {.header = make_header(t, "")}};

	m.twist.twist.linear.x = zero_if_nan(r->twist.v);
	m.twist.twist.angular.z = zero_if_nan(r->twist.w);
	send_message(x, PB_TOPIC_CMD_VEL, &m);
}

static bool
is_same_pose(struct pb_pose a, struct pb_pose b)
{
	return a.x == b.x && a.y == b.y && a.th == b.th;
}

/* Publish the scanner's mount when it changes; returns its frame. */
static const char *
publish_mount(struct export *x, int64_t t, struct pb_pose mount)
{
	static const struct pb_pose middle = {0, 0, 0};
	struct pb_ros_transform f =
	    make_transform(t, "base_link", "laser", mount);

	if (!is_same_pose(mount, x->mount))
		send_message(x, PB_TOPIC_TF_STATIC,
		    &(struct pb_ros_message){.tf = {.transform = &f, .n = 1}});
	x->mount = mount;
	return is_same_pose(mount, middle) ? "base_link" : "laser";
}

/* Range from the scanner's centre; no return is inf, a failed beam NaN. */
static double
convert_range(const struct pb_rec_scan *c, double d)
{
	return isnan(d) ? INFINITY : d < 0 ? NAN : d + c->radius;
}

static void
publish_scan(struct export *x, int64_t t, const struct pb_rec *r)
{
	const struct pb_rec_scan *c = &r->scan;
	struct pb_ros_message m = {
	    .scan = {.header = make_header(t, publish_mount(x, t, c->mount)),
		.angle_min = c->angle_min,
		.angle_increment = c->angle_increment,
		.range_min = zero_if_nan(c->range_min) + c->radius,
		.range_max = c->range_max + c->radius,
		.range = pb_alloc(c->n, sizeof(double)),
		.n = c->n}};
	struct pb_ros_scan *s = &m.scan;
	double farthest = 0;

	s->angle_max = c->angle_min +
	               c->angle_increment * (double)(c->n > 0 ? c->n - 1 : 0);
	for (size_t i = 0; i < c->n; i++) {
		s->range[i] = convert_range(c, c->range[i]);
		if (isfinite(s->range[i]) && s->range[i] > farthest)
			farthest = s->range[i];
	}
	if (!isfinite(s->range_max))
		s->range_max = farthest;
	send_message(x, PB_TOPIC_SCAN, &m);
	pb_ros_clear(&m);
}

/* Publish a belief: particles, else hypotheses. */
static void
publish_belief(struct export *x, int64_t t, const struct pb_rec *r)
{
	const struct pb_rec_belief *b = &r->belief;
	size_t n = b->particles > 0 ? b->particles : (size_t)b->n;
	struct pb_ros_message m = {
	    .poses = {.header = make_header(t, "map"),
		.pose = pb_alloc(n, sizeof(struct pb_ros_pose)),
		.n = n}};

	for (size_t i = 0; i < n; i++)
		m.poses.pose[i] = pb_ros_pose_of(
		    b->particles > 0 ? b->particle[i] : b->at[i].pose);
	send_message(x, PB_TOPIC_PARTICLES, &m);
	pb_ros_clear(&m);
}

static void
publish_goal(struct export *x, int64_t t, const struct pb_rec *r)
{
	const struct pb_rec_goal *g = &r->goal;
	bool sent = g->status[0] == '\0' || strcmp(g->status, "sent") == 0;

	if (sent && isfinite(g->x) && isfinite(g->y))
		send_pose(x, PB_TOPIC_GOAL, t,
		    (struct pb_pose){g->x, g->y, zero_if_nan(g->theta)});
}

/* Publish a path; each pose looks to the next. */
static void
publish_path(struct export *x, int64_t t, const struct pb_rec *r)
{
	const struct pb_rec_points *p = &r->path;
	struct pb_ros_message m = {
	    .path = {.header = make_header(t, "map"),
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
	send_message(x, PB_TOPIC_PLAN, &m);
	pb_ros_clear(&m);
}

/* Publish the scene's map and the goals of its robots. */
static void
publish_map_and_goals(struct export *x)
{
	const struct pb_map *map = x->scene.map;
	struct pb_ros_message m = {
	    .grid = {.header = make_header(x->now, "map"),
		.resolution = map->resolution,
		.width = map->width,
		.height = map->height,
		.origin = pb_ros_pose_of(map->origin),
		.map = *map}};
	const struct pb_scene *s = &x->scene;

	send_message(x, PB_TOPIC_MAP, &m);
	for (size_t i = 0; i < s->bodies; i++)
		if (s->body[i].kind == PB_BODY_ROBOT && s->body[i].has_goal)
			send_pose(x, PB_TOPIC_GOAL, x->now,
			    (struct pb_pose){
				s->body[i].goal.x, s->body[i].goal.y, 0});
}

/* A new game: delete the old markers. */
static void
delete_markers(struct export *x)
{
	struct pb_ros_marker m =
	    make_marker(x, "", 0, PB_ROS_SPHERE, 0, (struct pb_rgb){0, 0, 0});

	m.color.a = 0;
	m.action = PB_ROS_DELETE_ALL;
	send_markers(x, &m, 1);
	x->bodies = x->pellets = 0;
	x->has_base = x->has_wheel = x->posed = x->estimated = false;
	x->drift = (struct pb_pose){0, 0, 0};
}

/* The stamp of a record; without a time, the current one. */
static int64_t
make_stamp(struct export *x, double s)
{
	/* Records round times to 1 us. */
	int64_t t = x->offset + llround(s * 1e6) * 1000;

	if (x->begun && t < x->now - BACK) {
		x->offset += x->now + SECOND - t;
		t = x->now + SECOND;
		delete_markers(x);
	}
	if (!x->begun || t > x->now) {
		x->now = t;
		send_message(
		    x, PB_TOPIC_CLOCK, &(struct pb_ros_message){.clock = {t}});
	}
	x->begun = true;
	return t;
}

static void
publish_tick(struct export *x, int64_t t, const struct pb_rec *r)
{
	const struct pb_body *b = x->scene.body, *end = b + x->scene.bodies;

	(void)r;
	/* Publish the robot's cell as its pose if it has no other. */
	while (b < end && !(b->kind == PB_BODY_ROBOT && b->placed))
		b++;
	if (!x->posed && b < end)
		set_base(x, t, b->pose);
}

/* Export a record; a map is moved out of r. */
static void
export_record(struct export *x, struct pb_rec *r)
{
	/* Records with messages besides the scene's markers. */
	static const struct {
		void (*take)(struct export *, int64_t, const struct pb_rec *);
		bool own; /* of the robot only */
	} takes[] = {[PB_REC_POSE] = {publish_pose, false},
	    [PB_REC_ODOM] = {publish_odom, true},
	    [PB_REC_TWIST] = {publish_twist, true},
	    [PB_REC_SCAN] = {publish_scan, true},
	    [PB_REC_BELIEF] = {publish_belief, true},
	    [PB_REC_PATH] = {publish_path, true},
	    [PB_REC_GOAL] = {publish_goal, true},
	    [PB_REC_TICK] = {publish_tick, false}};
	const uint64_t grounds =
	    PB_REC_BIT(PB_REC_MAP) | PB_REC_BIT(PB_REC_MAZE);
	const uint64_t marked =
	    PB_REC_BIT(PB_REC_MAZE) | PB_REC_BIT(PB_REC_TICK) |
	    PB_REC_BIT(PB_REC_POSE) | PB_REC_BIT(PB_REC_PELLETS) |
	    PB_REC_BIT(PB_REC_CMD);
	const uint64_t type = PB_REC_BIT(r->type);
	size_t i = (size_t)r->type;
	double s = r->stamp.t;
	int64_t t = isfinite(s) && fabs(s) < 1e9 ? make_stamp(x, s) : x->now;

	pb_scene_build(&x->scene, r);
	if (i < sizeof(takes) / sizeof(*takes) && takes[i].take &&
	    (!takes[i].own || is_robot(x, r)))
		takes[i].take(x, t, r);
	if (type & grounds)
		publish_map_and_goals(x);
	if (type & marked)
		publish_markers(x);
}

bool
pb_ros_export_asked(const struct pb_ros_export_opts *o)
{
	return o->file || o->publish;
}

static int
find_topic(const char *name)
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
		if (find_topic(o->only.arg[i]) == PB_TOPICS)
			return pb_msg_usage("--only: there is no topic "
					    "\"%.80s\"; see pb-ros(7)",
			    o->only.arg[i]);
	if (o->only.n > 0 && !pb_ros_export_asked(o))
		return pb_msg_usage("--only: only with --export or --publish");
	return !o->publish || pb_net_check("--publish", o->publish, false);
}

/* Interval of handling the connection (s). */
#define TURN 0.01

/* Handle the connection while waiting for the next line. */
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

/* Returns an export for export_free(); NULL: a message was printed. */
static struct export *
export_new(const struct pb_ros_export_opts *o)
{
	struct export *x = pb_alloc(1, sizeof(*x));
	struct pb_error bad;

	pb_msg_catch();
	for (int i = 0; i < o->only.n; i++)
		x->only |= 1u << find_topic(o->only.arg[i]);
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

/* Finish the export of the input `name`. */
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

/* Wait until time s is due, and handle the connection; false: it is lost. */
static bool
wait_until_due(struct export *x, double s)
{
	double left = 0;

	/* A time that goes back starts a new run. */
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
handle_record(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct export *x = f->user;

	bad->text[0] = '\0';
	if (x->client && !wait_until_due(x, r->stamp.t))
		return false;
	export_record(x, r);
	return true;
}

void
pb_ros_export_stream(const struct pb_ros_export_opts *o, double speed,
    const struct pb_opt_common *common, char *const *files, int n)
{
	struct export *x = export_new(o);
	struct pb_filter f = {.want = PB_REC_ALL,
	    .common = common,
	    .take = handle_record,
	    .user = x};

	if (!x)
		return;
	x->speed = speed;
	/* After a signal, finish the file with the records so far. */
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
	export_record(x, &r);
	export_end(x, NULL);
	export_free(x);
	pb_rec_clear(&r);
}
