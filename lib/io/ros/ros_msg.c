/* ros_msg.c - the messages of ROS that we know, from bytes and from JSON. */
#include "io/ros/ros_msg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "io/rec/rec.h"
#include "io/stream/num.h"

/* Rows stand in the order of the fields; all fields of a type have one. */
enum kind {
	REAL4, /* a number, as float, int32, ... */
	REAL8,
	INT4,   /* int32 */
	COUNT,  /* uint32 */
	FLAG,   /* bool, which is nowhere */
	STAMP,  /* sec and nanosec, in ns */
	SPAN,   /* the same of a duration, which is nowhere */
	SEQ,    /* of ROS 1 only */
	TEXT,   /* char[PB_ROS_NAME] */
	OBJECT, /* rows of a struct inside */
	LIST,   /* of such, allocated */
	REALS4, /* list of numbers, allocated */
	STRING, /* of any length, allocated; only written */
	NONE1,  /* list of uint8 that is empty, nowhere */
	ARRAY8, /* so many numbers in the struct: `lo` */
	CELLS   /* of the map of a grid */
};

/* Nowhere: passed over, and 0 when written. In JSON not looked at. */
#define NOWHERE SIZE_MAX

struct field {
	const char *key;
	enum kind kind;
	size_t at;
	enum pb_need need; /* in JSON */
	double lo, hi;     /* bounds; both 0: any number */
	double missing;
	const char *of;           /* the type of a part */
	const struct field *rows; /* of it */
	size_t n;                 /* of them */
	size_t size;              /* of an item (bytes) */
	size_t count;             /* where the number of items is */
};

#define AT(m)         offsetof(OF, m)
#define ROWS(name, r) .of = name, .rows = r, .n = sizeof(r) / sizeof(*(r))
#define MUST          PB_REQUIRED
#define MAY           PB_OPTIONAL

#define OF struct pb_ros_header
static const struct field header[] = {
    {"seq", SEQ, NOWHERE},
    {"stamp", STAMP, AT(stamp), MAY},
    {"frame_id", TEXT, AT(frame), MAY},
};
#undef OF

#define OF struct pb_ros_vector
static const struct field point[] = {
    {"x", REAL8, AT(x), MUST},
    {"y", REAL8, AT(y), MUST},
    {"z", REAL8, AT(z), MAY},
};
static const struct field rate[] = {
    {"x", REAL8, AT(x), MAY, .missing = NAN},
    {"y", REAL8, AT(y), MAY, .missing = NAN},
    {"z", REAL8, AT(z), MAY, .missing = NAN},
};
#undef OF

#define OF struct pb_ros_pose
static const struct field quaternion[] = {
    {"x", REAL8, AT(orientation.x), MAY},
    {"y", REAL8, AT(orientation.y), MAY},
    {"z", REAL8, AT(orientation.z), MUST},
    {"w", REAL8, AT(orientation.w), MUST},
};
static const struct field pose[] = {
    {"position", OBJECT, AT(position), MUST,
	ROWS("geometry_msgs/Point", point)},
    {"orientation", OBJECT, 0, MUST,
	ROWS("geometry_msgs/Quaternion", quaternion)},
};
static const struct field transform[] = {
    {"translation", OBJECT, AT(position), MUST,
	ROWS("geometry_msgs/Vector3", point)},
    {"rotation", OBJECT, 0, MUST, ROWS("geometry_msgs/Quaternion", quaternion)},
};
#undef OF

#define OF struct pb_ros_twist
static const struct field twist[] = {
    {"linear", OBJECT, AT(linear), MAY, ROWS("geometry_msgs/Vector3", rate)},
    {"angular", OBJECT, AT(angular), MAY, ROWS("geometry_msgs/Vector3", rate)},
};
/* What does not matter of it is not looked at. */
static const struct field twist_cov[] = {
    {"twist", OBJECT, 0, MAY, ROWS("geometry_msgs/Twist", twist)},
    {"covariance", ARRAY8, NOWHERE, .lo = 36},
};
#undef OF

#define OF struct pb_ros_scan
static const struct field scan[] = {
    {"header", OBJECT, AT(header), MAY, ROWS("std_msgs/Header", header)},
    {"angle_min", REAL4, AT(angle_min), MUST},
    {"angle_max", REAL4, AT(angle_max), MAY, .missing = NAN},
    {"angle_increment", REAL4, AT(angle_increment), MUST},
    {"time_increment", REAL4, NOWHERE},
    {"scan_time", REAL4, NOWHERE},
    {"range_min", REAL4, AT(range_min), MAY, 0, INFINITY, NAN},
    {"range_max", REAL4, AT(range_max), MAY, 0, INFINITY, NAN},
    {"ranges", REALS4, AT(range), MUST, .count = AT(n)},
    {"intensities", REALS4, NOWHERE},
};
#undef OF

#define OF struct pb_ros_odometry
static const struct field pose_any[] = {
    {"pose", OBJECT, 0, MUST, ROWS("geometry_msgs/Pose", pose)},
    {"covariance", ARRAY8, NOWHERE, .lo = 36},
};
static const struct field odometry[] = {
    {"header", OBJECT, AT(header), MAY, ROWS("std_msgs/Header", header)},
    {"child_frame_id", TEXT, AT(child), MAY},
    {"pose", OBJECT, AT(pose), MUST,
	ROWS("geometry_msgs/PoseWithCovariance", pose_any)},
    {"twist", OBJECT, AT(twist), MAY,
	ROWS("geometry_msgs/TwistWithCovariance", twist_cov)},
};
#undef OF

#define OF struct pb_ros_transform
static const struct field transform_stamped[] = {
    {"header", OBJECT, AT(header), MUST, ROWS("std_msgs/Header", header)},
    {"child_frame_id", TEXT, AT(child), MUST},
    {"transform", OBJECT, AT(transform), MUST,
	ROWS("geometry_msgs/Transform", transform)},
};
static const struct field tf[] = {
    {"transforms", LIST, offsetof(struct pb_ros_tf, transform), MUST,
	ROWS("geometry_msgs/TransformStamped", transform_stamped),
	.size = sizeof(OF), .count = offsetof(struct pb_ros_tf, n)},
};
#undef OF

#define OF struct pb_ros_grid
static const struct field info[] = {
    {"map_load_time", STAMP, NOWHERE},
    {"resolution", REAL4, AT(resolution), MUST, 1e-6, 1e6},
    {"width", COUNT, AT(width), MUST, 1, PB_MAP_SIDE},
    {"height", COUNT, AT(height), MUST, 1, PB_MAP_SIDE},
    {"origin", OBJECT, AT(origin), MUST, ROWS("geometry_msgs/Pose", pose)},
};
static const struct field grid[] = {
    {"header", OBJECT, AT(header), MAY, ROWS("std_msgs/Header", header)},
    {"info", OBJECT, 0, MUST, ROWS("nav_msgs/MapMetaData", info)},
    {"data", CELLS, 0, MUST},
};
#undef OF

#define OF struct pb_ros_pose_stamped
static const struct field pose_stamped[] = {
    {"header", OBJECT, AT(header), MAY, ROWS("std_msgs/Header", header)},
    {"pose", OBJECT, AT(pose), MUST, ROWS("geometry_msgs/Pose", pose)},
};
static const struct field path[] = {
    {"header", OBJECT, AT(header), MAY, ROWS("std_msgs/Header", header)},
    {"poses", LIST, offsetof(struct pb_ros_path, pose), MUST,
	ROWS("geometry_msgs/PoseStamped", pose_stamped), .size = sizeof(OF),
	.count = offsetof(struct pb_ros_path, n)},
};
#undef OF

#define OF struct pb_ros_pose_cov
static const struct field pose_with_cov[] = {
    {"pose", OBJECT, AT(pose), MUST, ROWS("geometry_msgs/Pose", pose)},
    {"covariance", ARRAY8, AT(cov), MUST, .lo = 36},
};
static const struct field pose_cov[] = {
    {"header", OBJECT, AT(header), MAY, ROWS("std_msgs/Header", header)},
    {"pose", OBJECT, 0, MUST,
	ROWS("geometry_msgs/PoseWithCovariance", pose_with_cov)},
};
#undef OF

#define OF struct pb_ros_twist_stamped
static const struct field plain_twist[] = {
    {"linear", OBJECT, AT(twist.linear), MUST,
	ROWS("geometry_msgs/Vector3", rate)},
    {"angular", OBJECT, AT(twist.angular), MUST,
	ROWS("geometry_msgs/Vector3", rate)},
};
static const struct field twist_stamped[] = {
    {"header", OBJECT, AT(header), MUST, ROWS("std_msgs/Header", header)},
    {"twist", OBJECT, AT(twist), MUST, ROWS("geometry_msgs/Twist", twist)},
};
#undef OF

#define OF struct pb_ros_poses
static const struct field poses[] = {
    {"header", OBJECT, AT(header), MAY, ROWS("std_msgs/Header", header)},
    {"poses", LIST, AT(pose), MUST, ROWS("geometry_msgs/Pose", pose),
	.size = sizeof(struct pb_ros_pose), .count = AT(n)},
};
#undef OF

/* What of a marker is always empty. */
static const struct field image[] = {
    {"header", OBJECT, NOWHERE, MAY, ROWS("std_msgs/Header", header)},
    {"format", TEXT, NOWHERE},
    {"data", NONE1, NOWHERE},
};
static const struct field place[] = {
    {"u", REAL4, NOWHERE},
    {"v", REAL4, NOWHERE},
};
static const struct field mesh[] = {
    {"filename", TEXT, NOWHERE},
    {"data", NONE1, NOWHERE},
};

#define OF struct pb_ros_marker
static const struct field color[] = {
    {"r", REAL4, AT(color.r), MAY},
    {"g", REAL4, AT(color.g), MAY},
    {"b", REAL4, AT(color.b), MAY},
    {"a", REAL4, AT(color.a), MAY},
};
/* As since 2022; before, a marker had neither texture nor mesh_file. */
static const struct field marker[] = {
    {"header", OBJECT, AT(header), MAY, ROWS("std_msgs/Header", header)},
    {"ns", TEXT, AT(ns), MAY},
    {"id", INT4, AT(id), MAY},
    {"type", INT4, AT(shape), MAY},
    {"action", INT4, AT(action), MAY},
    {"pose", OBJECT, AT(pose), MAY, ROWS("geometry_msgs/Pose", pose)},
    {"scale", OBJECT, AT(scale), MAY, ROWS("geometry_msgs/Vector3", point)},
    {"color", OBJECT, 0, MAY, ROWS("std_msgs/ColorRGBA", color)},
    {"lifetime", SPAN, NOWHERE},
    {"frame_locked", FLAG, NOWHERE},
    {"points", LIST, AT(point), MAY, ROWS("geometry_msgs/Point", point),
	.size = sizeof(struct pb_ros_vector), .count = AT(n)},
    {"colors", LIST, NOWHERE, MAY, ROWS("std_msgs/ColorRGBA", color)},
    {"texture_resource", TEXT, NOWHERE},
    {"texture", OBJECT, NOWHERE, MAY,
	ROWS("sensor_msgs/CompressedImage", image)},
    {"uv_coordinates", LIST, NOWHERE, MAY,
	ROWS("visualization_msgs/UVCoordinate", place)},
    {"text", TEXT, NOWHERE},
    {"mesh_resource", TEXT, NOWHERE},
    {"mesh_file", OBJECT, NOWHERE, MAY,
	ROWS("visualization_msgs/MeshFile", mesh)},
    {"mesh_use_embedded_materials", FLAG, NOWHERE},
};
static const struct field markers[] = {
    {"markers", LIST, offsetof(struct pb_ros_markers, marker), MUST,
	ROWS("visualization_msgs/Marker", marker), .size = sizeof(OF),
	.count = offsetof(struct pb_ros_markers, n)},
};
#undef OF

static const struct field string[] = {
    {"data", STRING, offsetof(struct pb_ros_text, s), MUST},
};
static const struct field number[] = {
    {"data", INT4, offsetof(struct pb_ros_int, value), MUST},
};
static const struct field clock[] = {
    {"clock", STAMP, offsetof(struct pb_ros_clock, now), MUST},
};

/* The types and their tables; old_name: what ROS 1 called it once. */
#define TABLE(r, of) r, sizeof(r) / sizeof(*(r)), sizeof(struct of)
static const struct {
	const char *name, *old_name;
	const struct field *rows;
	size_t n, size;
} types[PB_ROS_ALL] = {
    [PB_ROS_SCAN] = {"sensor_msgs/LaserScan", "", TABLE(scan, pb_ros_scan)},
    [PB_ROS_ODOMETRY] = {"nav_msgs/Odometry", "",
	TABLE(odometry, pb_ros_odometry)},
    [PB_ROS_TF] = {"tf2_msgs/TFMessage", "tf/tfMessage", TABLE(tf, pb_ros_tf)},
    [PB_ROS_GRID] = {"nav_msgs/OccupancyGrid", "", TABLE(grid, pb_ros_grid)},
    [PB_ROS_POSE] = {"geometry_msgs/PoseStamped", "",
	TABLE(pose_stamped, pb_ros_pose_stamped)},
    [PB_ROS_POSE_COV] = {"geometry_msgs/PoseWithCovarianceStamped", "",
	TABLE(pose_cov, pb_ros_pose_cov)},
    [PB_ROS_PATH] = {"nav_msgs/Path", "", TABLE(path, pb_ros_path)},
    [PB_ROS_TWIST] = {"geometry_msgs/Twist", "",
	TABLE(plain_twist, pb_ros_twist_stamped)},
    [PB_ROS_TWIST_STAMPED] = {"geometry_msgs/TwistStamped", "",
	TABLE(twist_stamped, pb_ros_twist_stamped)},
    [PB_ROS_POSES] = {"geometry_msgs/PoseArray", "",
	TABLE(poses, pb_ros_poses)},
    [PB_ROS_MARKERS] = {"visualization_msgs/MarkerArray", "",
	TABLE(markers, pb_ros_markers)},
    [PB_ROS_STRING] = {"std_msgs/String", "", TABLE(string, pb_ros_text)},
    [PB_ROS_INT] = {"std_msgs/Int32", "", TABLE(number, pb_ros_int)},
    [PB_ROS_CLOCK] = {"rosgraph_msgs/Clock", "", TABLE(clock, pb_ros_clock)},
};

enum pb_ros_type
pb_ros_type_of(const char *name)
{
	const char *slash = strchr(name, '/'), *msg = "/msg/";
	size_t n = slash ? (size_t)(slash - name) + 1 : 0;
	const char *last = name + n;

	if (slash && strncmp(slash, msg, strlen(msg)) == 0)
		last = slash + strlen(msg);
	for (int i = 1; slash && i < PB_ROS_TYPES; i++)
		if ((strncmp(types[i].name, name, n) == 0 &&
			strcmp(types[i].name + n, last) == 0) ||
		    strcmp(types[i].old_name, name) == 0)
			return (enum pb_ros_type)i;
	return PB_ROS_OTHER;
}

const char *
pb_ros_type_name(enum pb_ros_type type)
{
	return types[type].name;
}

enum pb_ros_type
pb_ros_type_like(const struct pb_get *g)
{
	const json_t *in = pb_get_value(g, "pose");

	if (pb_get_value(g, "ranges"))
		return PB_ROS_SCAN;
	if (in &&
	    (pb_get_value(g, "twist") || pb_get_value(g, "child_frame_id")))
		return PB_ROS_ODOMETRY;
	if (in)
		return json_object_get(in, "pose") ? PB_ROS_POSE_COV
		                                   : PB_ROS_POSE;
	if (pb_get_value(g, "info"))
		return PB_ROS_GRID;
	if (pb_get_value(g, "transforms"))
		return PB_ROS_TF;
	if (pb_get_value(g, "twist"))
		return PB_ROS_TWIST_STAMPED;
	if (pb_get_value(g, "linear") && pb_get_value(g, "angular"))
		return PB_ROS_TWIST;
	/* Poses of a particle cloud have no headers. */
	in = json_array_get(pb_get_value(g, "poses"), 0);
	return json_object_get(in, "pose") ? PB_ROS_PATH : PB_ROS_OTHER;
}

double
pb_ros_yaw(const struct pb_ros_pose *p)
{
	return pb_yaw(p->orientation.x, p->orientation.y, p->orientation.z,
	    p->orientation.w);
}

/* The map of a grid whose info was read. */
static bool
make_map(struct pb_ros_grid *g, struct pb_error *bad)
{
	struct pb_pose origin = {
	    g->origin.position.x, g->origin.position.y, pb_ros_yaw(&g->origin)};

	return pb_map_room(&g->map, (long)g->width, (long)g->height,
	    g->resolution, origin, "info", bad);
}

/* The place of a member, or of a pointer to its items; of a part that is
 * nowhere neither is. */
static void *
in(void *r, size_t at)
{
	return at == NOWHERE || !r ? NULL : (char *)r + at;
}

/* Where n items of so many bytes go; NULL: nowhere, or it was said. */
static void *
make_list(const struct field *f, void *r, size_t n, size_t size,
    struct pb_error *bad, bool *ok)
{
	void *list = NULL;

	if (n > PB_REC_POINTS_MAX)
		*ok =
		    pb_error_set(bad, "%s: expected at most %d items, got %zu",
			f->key, PB_REC_POINTS_MAX, n);
	else if (n > 0 && !(list = calloc(n, size)))
		*ok = pb_error_nomem(bad, f->key);
	if (!list)
		return NULL;
	memcpy(in(r, f->at), &list, sizeof(list));
	*(size_t *)in(r, f->count) = n;
	return list;
}

/*
 * The decimal number with the fewest digits of which v is the nearest float:
 * 0.05, where who wrote the message meant 0.05, and not 0.05000000074505806.
 */
static double
meant(double v)
{
	char s[PB_NUM_MAX];
	double d = v;

	for (int digits = 6; digits <= 9; digits++) {
		snprintf(s, sizeof(s), "%.*g", digits, v);
		if (pb_num_parse(s, &d) && (float)d == (float)v)
			return d;
	}
	return v;
}

/* Whether a number that was read is what may be there. */
static void
check(struct pb_wire *w, const struct field *f, double v)
{
	bool bounded = f->lo != 0 || f->hi != 0;

	if (w->out || !w->ok || f->at == NOWHERE)
		return;
	if (f->need == MUST && !isfinite(v))
		w->ok = pb_error_set(
		    w->bad, "%s: expected a number, got %g", f->key, v);
	else if (bounded && (v < f->lo || v > f->hi))
		w->ok = pb_error_set(w->bad,
		    "%s: expected a number from %g to %g, got %g", f->key,
		    f->lo, f->hi, v);
}

static void
walk_num(struct pb_wire *w, const struct field *f, double *v)
{
	static const enum pb_wire_num kind[] = {[REAL4] = PB_WIRE_F32,
	    [REAL8] = PB_WIRE_F64,
	    [INT4] = PB_WIRE_I32,
	    [COUNT] = PB_WIRE_U32,
	    [FLAG] = PB_WIRE_I8};

	pb_wire_num(w, kind[f->kind], v);
	if (f->kind == REAL4 && !w->out && w->ok && v)
		*v = meant(*v);
	if (v)
		check(w, f, *v);
}

#define SECOND 1000000000 /* (ns) */

static void
walk_stamp(struct pb_wire *w, int64_t *t)
{
	int64_t ns = w->out && t && *t != PB_ROS_NEVER ? *t : 0;
	int64_t whole = ns / SECOND - (ns % SECOND < 0);
	double s = (double)whole, rest = (double)(ns - whole * SECOND);

	pb_wire_num(w, PB_WIRE_I32, &s);
	pb_wire_num(w, PB_WIRE_U32, &rest);
	if (w->out || !w->ok || !t)
		return;
	if (rest >= SECOND)
		w->ok = pb_error_set(w->bad,
		    "%s: expected less than %d nanoseconds, got %.0f", w->field,
		    SECOND, rest);
	*t = (int64_t)s * SECOND + (int64_t)rest;
}

static void
walk_reals(struct pb_wire *w, const struct field *f, void *r)
{
	size_t n = w->out && f->at != NOWHERE ? *(size_t *)in(r, f->count) : 0;
	double *v = NULL;

	pb_wire_count(w, sizeof(float), &n);
	if (w->out && n > 0)
		v = *(double **)in(r, f->at);
	else if (w->ok && !w->out && f->at != NOWHERE)
		v = make_list(f, r, n, sizeof(*v), w->bad, &w->ok);
	for (size_t i = 0; w->ok && i < n; i++)
		pb_wire_num(w, PB_WIRE_F32, v ? v + i : NULL);
}

static void
walk_cells(struct pb_wire *w, struct pb_ros_grid *g)
{
	size_t n = w->out ? pb_map_cells(&g->map) : 0, all;

	pb_wire_count(w, 1, &n);
	if (!w->out && w->ok)
		w->ok = make_map(g, w->bad);
	if (!w->ok)
		return;
	all = pb_map_cells(&g->map);
	if (n != all) {
		w->ok = pb_error_set(
		    w->bad, "data: expected %zu cells, got %zu", all, n);
		return;
	}
	pb_wire_bytes(w, g->map.cell, n);
	for (size_t i = 0; w->ok && !w->out && i < n; i++)
		if (g->map.cell[i] < -1 || g->map.cell[i] > 100)
			w->ok = pb_error_set(w->bad,
			    "data[%zu]: expected a whole number from -1 to "
			    "100, got %d",
			    i, g->map.cell[i]);
}

static void
walk_array(struct pb_wire *w, const struct field *f, double *v)
{
	for (int i = 0; i < (int)f->lo; i++)
		pb_wire_num(w, PB_WIRE_F64, v ? v + i : NULL);
}

static void walk(
    struct pb_wire *w, const struct field *rows, size_t n, void *r);

/* Of each item there are at least so many bytes. */
#define LEAST ((size_t)64)

static void
walk_list(struct pb_wire *w, const struct field *f, void *r)
{
	size_t n = w->out && f->at != NOWHERE ? *(size_t *)in(r, f->count) : 0;
	char *at = NULL;

	pb_wire_count(w, LEAST, &n);
	if (w->out && n > 0)
		at = *(char **)in(r, f->at);
	else if (w->ok && !w->out)
		at = make_list(f, r, n, f->size, w->bad, &w->ok);
	for (size_t i = 0; w->ok && at && i < n; i++)
		walk(w, f->rows, f->n, at + i * f->size);
}

static void
walk_text(struct pb_wire *w, const struct field *f, char *s)
{
	static char empty[1];

	if (f->kind == STRING && s)
		memcpy(&s, s, sizeof(s));
	pb_wire_text(w, s ? s : empty, s ? PB_ROS_NAME : 1);
}

static void
walk_field(struct pb_wire *w, const struct field *f, void *r)
{
	void *at = in(r, f->at);
	size_t none = 0;

	w->field = f->key;
	switch (f->kind) {
	case SEQ:
		if (!w->aligned)
			pb_wire_num(w, PB_WIRE_U32, NULL);
		break;
	case STAMP:
	case SPAN:
		walk_stamp(w, at);
		break;
	case TEXT:
	case STRING:
		walk_text(w, f, at);
		break;
	case NONE1:
		pb_wire_count(w, 1, &none);
		break;
	case OBJECT:
		walk(w, f->rows, f->n, at);
		break;
	case LIST:
		walk_list(w, f, r);
		break;
	case REALS4:
		walk_reals(w, f, r);
		break;
	case ARRAY8:
		walk_array(w, f, at);
		break;
	case CELLS:
		walk_cells(w, r);
		break;
	default:
		walk_num(w, f, at);
		break;
	}
}

/* Read all fields, or write them. */
static void
walk(struct pb_wire *w, const struct field *rows, size_t n, void *r)
{
	for (size_t i = 0; w->ok && i < n; i++)
		walk_field(w, &rows[i], r);
}

/* The stamp under key; ROS 1 and 2 and MCAP have names of their own. */
static void
get_stamp(struct pb_get *g, const char *key, int64_t *t)
{
	static const char *const rest[] = {"nanosec", "nsecs", "nsec"};
	struct pb_get at;
	long s = 0, ns = 0;

	if (!pb_get_object(g, key, PB_OPTIONAL, &at))
		return;
	pb_get_int(&at, "sec", PB_OPTIONAL, 0, INT32_MAX, &s);
	pb_get_int(&at, "secs", PB_OPTIONAL, 0, INT32_MAX, &s);
	for (size_t i = 0; i < sizeof(rest) / sizeof(*rest); i++)
		pb_get_int(&at, rest[i], PB_OPTIONAL, 0, SECOND - 1, &ns);
	g->ok &= at.ok;
	*t = (int64_t)s * SECOND + ns;
}

static void
get_num(struct pb_get *g, const struct field *f, double *v)
{
	bool bounded = f->lo != 0 || f->hi != 0;
	long whole = 0;

	if (f->kind == COUNT) {
		pb_get_int(
		    g, f->key, f->need, (long)f->lo, (long)f->hi, &whole);
		*v = (double)whole;
	} else {
		pb_get_num(g, f->key, f->need, bounded ? f->lo : -INFINITY,
		    bounded ? f->hi : INFINITY, v);
	}
}

static void
get_array(struct pb_get *g, const struct field *f, double *v)
{
	size_t n, all = (size_t)f->lo;
	char expected[64];
	double *list;

	pb_get_list(g, f->key, f->need, all, &list, &n);
	snprintf(expected, sizeof(expected), "%zu numbers", all);
	if (g->ok && n != all)
		pb_get_fail(g, f->key, expected);
	if (g->ok)
		memcpy(v, list, all * sizeof(*v));
	free(list);
}

static void get(struct pb_get *g, const struct field *rows, size_t n, void *r);

static void
get_items(struct pb_get *g, const struct field *f, void *r)
{
	struct pb_walk w;
	struct pb_get item;
	char *at;

	if (!pb_get_walk(g, f->key, f->need, &w))
		return;
	at = make_list(f, r, json_array_size(w.list), f->size, g->bad, &g->ok);
	for (; at && pb_walk_next(g, &w); at += f->size)
		if (pb_walk_object(g, &w, &item)) {
			get(&item, f->rows, f->n, at);
			g->ok &= item.ok;
		}
}

static void
get_cells(struct pb_get *g, struct pb_ros_grid *of)
{
	g->ok = g->ok && make_map(of, g->bad);
	if (g->ok)
		pb_get_cells(g, pb_map_cells(&of->map), of->map.cell);
}

static void
get_field(struct pb_get *g, const struct field *f, void *r)
{
	void *at = in(r, f->at);
	struct pb_get part;

	switch (f->kind) {
	case STAMP:
		get_stamp(g, f->key, at);
		break;
	case TEXT:
		pb_get_text(g, f->key, f->need, at, PB_ROS_NAME);
		break;
	case OBJECT:
		if (pb_get_object(g, f->key, f->need, &part)) {
			get(&part, f->rows, f->n, at);
			g->ok &= part.ok;
		}
		break;
	case LIST:
		get_items(g, f, r);
		break;
	case REALS4:
		pb_get_list(
		    g, f->key, f->need, PB_REC_BEAMS_MAX, at, in(r, f->count));
		break;
	case ARRAY8:
		get_array(g, f, at);
		break;
	case CELLS:
		get_cells(g, r);
		break;
	default:
		get_num(g, f, at);
		break;
	}
}

/* Read the fields from JSON. */
static void
get(struct pb_get *g, const struct field *rows, size_t n, void *r)
{
	for (size_t i = 0; g->ok && i < n; i++)
		if (rows[i].at != NOWHERE)
			get_field(g, &rows[i], r);
}

/* What is missing. */
static void
none(const struct field *rows, size_t n, void *r)
{
	for (size_t i = 0; i < n; i++) {
		const struct field *f = &rows[i];
		void *at = in(r, f->at);

		if (at && f->kind == OBJECT)
			none(f->rows, f->n, at);
		else if (at && f->kind == STAMP)
			*(int64_t *)at = PB_ROS_NEVER;
		else if (at && (f->kind == REAL4 || f->kind == REAL8))
			*(double *)at = f->missing;
	}
}

static void
begin(struct pb_ros_message *m, enum pb_ros_type type)
{
	*m = (struct pb_ros_message){.type = type};
	if (type == PB_ROS_TWIST)
		m->twist.header.stamp = PB_ROS_NEVER;
	none(types[type].rows, types[type].n, &m->scan);
}

static bool
finish(struct pb_ros_message *m, bool ok)
{
	if (!ok)
		pb_ros_clear(m);
	return ok;
}

bool
pb_ros_read(struct pb_ros_message *m, enum pb_ros_type type, struct pb_wire *w)
{
	begin(m, type);
	walk(w, types[type].rows, types[type].n, &m->scan);
	return finish(m, w->ok);
}

bool
pb_ros_get(struct pb_ros_message *m, enum pb_ros_type type, struct pb_get *g)
{
	begin(m, type);
	get(g, types[type].rows, types[type].n, &m->scan);
	return finish(m, g->ok);
}

void
pb_ros_write(struct pb_ros_message *m, struct pb_wire *w)
{
	walk(w, types[m->type].rows, types[m->type].n, &m->scan);
}

/* What is not finite has no name in JSON, and rosbridge refuses null: a beam
 * that met nothing is longer than any range, one that failed is none. */
#define NO_RETURN 3e38

static void
put_num(struct pb_text *o, double v)
{
	pb_text_exact(o, isfinite(v) ? v : v > 0 ? NO_RETURN : 0);
}

static void
put_nums(struct pb_text *o, const double *v, size_t n)
{
	pb_text_puts(o, "[");
	for (size_t i = 0; i < n; i++) {
		pb_text_put(o, ",", i > 0);
		put_num(o, v[i]);
	}
	pb_text_puts(o, "]");
}

static void
put_cells(struct pb_text *o, const struct pb_map *m)
{
	pb_text_puts(o, "[");
	for (size_t i = 0; i < pb_map_cells(m); i++) {
		pb_text_put(o, ",", i > 0);
		pb_text_int(o, m->cell[i]);
	}
	pb_text_puts(o, "]");
}

static void
put_stamp(struct pb_text *o, int64_t t)
{
	pb_text_puts(o, "{\"sec\":");
	pb_text_int(o, t == PB_ROS_NEVER ? 0 : t / SECOND);
	pb_text_puts(o, ",\"nanosec\":");
	pb_text_int(o, t == PB_ROS_NEVER ? 0 : t % SECOND);
	pb_text_puts(o, "}");
}

static void put(struct pb_text *o, const struct field *rows, size_t n, void *r);

static void
put_list(struct pb_text *o, const struct field *f, void *r)
{
	size_t n = *(size_t *)in(r, f->count);
	char *at = *(char **)in(r, f->at);

	pb_text_puts(o, "[");
	for (size_t i = 0; i < n; i++) {
		pb_text_put(o, ",", i > 0);
		put(o, f->rows, f->n, at + i * f->size);
	}
	pb_text_puts(o, "]");
}

static void
put_value(struct pb_text *o, const struct field *f, void *r)
{
	void *at = in(r, f->at);

	switch (f->kind) {
	case STAMP:
		put_stamp(o, *(int64_t *)at);
		break;
	case TEXT:
		pb_text_string(o, at);
		break;
	case STRING:
		pb_text_string(o, *(char **)at);
		break;
	case OBJECT:
		put(o, f->rows, f->n, at);
		break;
	case LIST:
		put_list(o, f, r);
		break;
	case REALS4:
		put_nums(o, *(double **)at, *(size_t *)in(r, f->count));
		break;
	case ARRAY8:
		put_nums(o, at, (size_t)f->lo);
		break;
	case CELLS:
		put_cells(o, &((struct pb_ros_grid *)r)->map);
		break;
	case INT4:
	case COUNT:
		pb_text_int(o, (int64_t) * (double *)at);
		break;
	default:
		put_num(o, *(double *)at);
		break;
	}
}

/* Write the fields as JSON; those that are nowhere have their defaults. */
static void
put(struct pb_text *o, const struct field *rows, size_t n, void *r)
{
	bool first = true;

	pb_text_puts(o, "{");
	for (size_t i = 0; i < n; i++) {
		if (rows[i].at == NOWHERE)
			continue;
		pb_text_put(o, ",", !first);
		pb_text_string(o, rows[i].key);
		pb_text_puts(o, ":");
		put_value(o, &rows[i], r);
		first = false;
	}
	pb_text_puts(o, "}");
}

void
pb_ros_put(struct pb_text *o, struct pb_ros_message *m)
{
	put(o, types[m->type].rows, types[m->type].n, &m->scan);
}

void
pb_ros_put_name(struct pb_text *o, enum pb_ros_type type)
{
	const char *name = types[type].name, *slash = strchr(name, '/');

	pb_text_put(o, name, (size_t)(slash - name));
	pb_text_puts(o, "/msg");
	pb_text_puts(o, slash);
}

static const struct field moment[] = {
    {"sec", INT4, NOWHERE},
    {"nanosec", COUNT, NOWHERE},
};

/* A type that others are made of. */
struct part {
	const char *name;
	const struct field *rows;
	size_t n;
};

#define PARTS 16

static struct part
part_of(const struct field *f)
{
	static const size_t n = sizeof(moment) / sizeof(*moment);

	if (f->kind == STAMP)
		return (struct part){"builtin_interfaces/Time", moment, n};
	if (f->kind == SPAN)
		return (struct part){"builtin_interfaces/Duration", moment, n};
	return (struct part){f->of, f->rows, f->n};
}

/* Keep in all[] the types that the rows name, those once. */
static void
collect(struct part *all, size_t *n, const struct part *of)
{
	for (size_t i = 0, j; i < of->n; i++) {
		struct part p = part_of(&of->rows[i]);

		for (j = 0; p.name && j < *n; j++)
			if (strcmp(all[j].name, p.name) == 0)
				break;
		if (p.name && j == *n && *n < PARTS)
			all[(*n)++] = p;
	}
}

static void
put_definition(struct pb_text *o, const struct part *p)
{
	static const char *const word[] = {[REAL4] = "float32",
	    [REAL8] = "float64",
	    [INT4] = "int32",
	    [COUNT] = "uint32",
	    [FLAG] = "bool",
	    [TEXT] = "string",
	    [STRING] = "string",
	    [REALS4] = "float32[]",
	    [NONE1] = "uint8[]",
	    [CELLS] = "int8[]"};

	for (size_t i = 0; i < p->n; i++) {
		const struct field *f = &p->rows[i];
		const char *part = part_of(f).name;

		if (f->kind == SEQ)
			continue;
		if (f->kind == ARRAY8) {
			pb_text_puts(o, "float64[");
			pb_text_int(o, (int64_t)f->lo);
			pb_text_puts(o, "]");
		} else {
			pb_text_puts(o, part ? part : word[f->kind]);
			pb_text_put(o, "[]", f->kind == LIST ? 2 : 0);
		}
		pb_text_puts(o, " ");
		pb_text_puts(o, f->key);
		pb_text_puts(o, "\n");
	}
}

void
pb_ros_put_schema(struct pb_text *o, enum pb_ros_type type)
{
	struct part all[PARTS] = {
	    {types[type].name, types[type].rows, types[type].n}};
	size_t n = 1;

	put_definition(o, all);
	collect(all, &n, all);
	for (size_t i = 1; i < n; i++) {
		for (int k = 0; k < 8; k++)
			pb_text_puts(o, "==========");
		pb_text_puts(o, "\nMSG: ");
		pb_text_puts(o, all[i].name);
		pb_text_puts(o, "\n");
		put_definition(o, &all[i]);
		collect(all, &n, &all[i]);
	}
}

struct pb_ros_pose
pb_ros_pose_of(struct pb_pose p)
{
	return (struct pb_ros_pose){.position = {p.x, p.y, 0},
	    .orientation = {.z = pb_sin(p.th / 2), .w = pb_cos(p.th / 2)}};
}

static void
clear_markers(struct pb_ros_markers *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->marker[i].point);
	free(m->marker);
}

void
pb_ros_clear(struct pb_ros_message *m)
{
	if (m->type == PB_ROS_SCAN)
		free(m->scan.range);
	else if (m->type == PB_ROS_TF)
		free(m->tf.transform);
	else if (m->type == PB_ROS_PATH)
		free(m->path.pose);
	else if (m->type == PB_ROS_GRID)
		pb_map_clear(&m->grid.map);
	else if (m->type == PB_ROS_POSES)
		free(m->poses.pose);
	else if (m->type == PB_ROS_MARKERS)
		clear_markers(&m->markers);
	else if (m->type == PB_ROS_STRING)
		free(m->text.s);
	m->type = PB_ROS_OTHER;
}
