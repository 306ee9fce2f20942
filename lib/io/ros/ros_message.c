/* ros_message.c - read and write messages of ROS as bytes and as JSON. */
#include "io/ros/ros_message.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "io/rec/rec.h"
#include "io/stream/line.h"
#include "io/stream/text.h"

/*
 * One cursor for CDR and the bytes of ROS 1, and for both directions: the same
 * code reads and writes a message. CDR (XCDR1) begins with four bytes; behind
 * them, each value lies at a multiple of its size. ROS 1 has neither these
 * bytes nor gaps, and its strings have no NUL. Numbers are doubles in memory:
 * no field read here has more than 53 bits.
 *
 * After the first failure the cursor does not move.
 */
struct wire {
	bool aligned; /* CDR */
	bool big;     /* big-endian */
	bool ok;
	struct pb_text *out;     /* output; NULL: read from in */
	const unsigned char *in; /* behind the first four bytes */
	size_t size, at;         /* of in */
	const char *field;       /* current field, for errors */
	struct pb_error *bad;
};

#define START ((size_t)4) /* bytes before the fields of CDR */

/* Begin to read a message of n bytes; false: bad says why not. */
static bool
begin_reading(struct wire *w, bool ros1, const unsigned char *data, size_t n,
    struct pb_error *bad)
{
	size_t start = ros1 ? 0 : START;

	if (n < start)
		return pb_error_set(
		    bad, "expected CDR, got a message of %zu bytes", n);
	if (!ros1 && (data[0] != 0 || data[1] > 1))
		return pb_error_set(bad,
		    "expected plain CDR (00 00 or 00 01), got encoding "
		    "%02x %02x",
		    data[0], data[1]);
	*w = (struct wire){.ok = true,
	    .aligned = !ros1,
	    .big = !ros1 && data[1] == 0,
	    .in = data + start,
	    .size = n - start,
	    .field = "message",
	    .bad = bad};
	return true;
}

/* Take the next n bytes, NULL at the end. */
static const unsigned char *
take_bytes(struct wire *w, size_t n)
{
	const unsigned char *p = w->in + w->at;

	if (w->ok && n > w->size - w->at)
		w->ok = pb_error_set(w->bad,
		    "%s: expected %zu bytes more, got %zu to the end of the "
		    "message",
		    w->field, n, w->size - w->at);
	if (!w->ok)
		return NULL;
	w->at += n;
	return p;
}

/* Skip the gap before a value of n bytes. */
static void
align_cursor(struct wire *w, size_t n)
{
	size_t gap = w->aligned ? -w->at & (n - 1) : 0;

	if (w->out) {
		pb_text_put(w->out, "\0\0\0\0\0\0\0", gap);
		w->at += gap;
	} else {
		take_bytes(w, gap);
	}
}

/* Read or write n bytes unchanged. */
static void
move_bytes(struct wire *w, void *bytes, size_t n)
{
	const unsigned char *p;

	if (w->out) {
		pb_text_put(w->out, bytes, n);
		w->at += n;
	} else if ((p = take_bytes(w, n)) && n > 0) {
		memcpy(bytes, p, n);
	}
}

#define COV 36 /* numbers of a covariance, 6 x 6 */

/* The kind of a message's field. */
enum kind {
	FIELD_REAL4, /* a number, as float, int32, ... */
	FIELD_REAL8,
	FIELD_INT4,   /* int32 */
	FIELD_COUNT,  /* uint32 */
	FIELD_FLAG,   /* bool, not stored */
	FIELD_STAMP,  /* sec and nanosec, stored as ns */
	FIELD_SEQ,    /* header's seq, in ROS 1 only */
	FIELD_TEXT,   /* char[PB_ROS_NAME] */
	FIELD_OBJECT, /* struct inside, with its own rows */
	FIELD_LIST,   /* list of structs, allocated */
	FIELD_REALS4, /* list of numbers, allocated */
	FIELD_NONE1,  /* list of uint8, always empty, not stored */
	FIELD_COV,    /* COV numbers in the struct */
	FIELD_CELLS   /* cells of a grid's map */
};

/* Bytes of a number of that kind. */
static int
find_size(enum kind kind)
{
	return kind == FIELD_FLAG ? 1 : kind == FIELD_REAL8 ? 8 : 4;
}

static double
decode_number(enum kind kind, uint64_t bits)
{
	uint32_t low = (uint32_t)bits;
	double d;
	float f;

	switch (kind) {
	case FIELD_FLAG:
		return (int8_t)bits;
	case FIELD_INT4:
		return (int32_t)low;
	case FIELD_COUNT:
		return low;
	case FIELD_REAL4:
		memcpy(&f, &low, sizeof(f));
		return (double)f;
	default:
		memcpy(&d, &bits, sizeof(d));
		return d;
	}
}

static uint64_t
encode_number(enum kind kind, double v)
{
	uint64_t bits;
	uint32_t low;
	float f = (float)v;

	if (kind == FIELD_REAL8) {
		memcpy(&bits, &v, sizeof(bits));
		return bits;
	}
	if (kind != FIELD_REAL4)
		return (uint64_t)(int64_t)v;
	memcpy(&low, &f, sizeof(low));
	return low;
}

/* Read or write a number; v NULL: skip it, or write 0. */
static void
move_number(struct wire *w, enum kind kind, double *v)
{
	int n = find_size(kind);
	unsigned char b[8] = {0};

	align_cursor(w, (size_t)n);
	if (w->out && v)
		pb_le_put(b, encode_number(kind, *v), n);
	move_bytes(w, b, (size_t)n);
	if (!w->out && w->ok && v)
		*v = decode_number(
		    kind, w->big ? pb_be_get(b, n) : pb_le_get(b, n));
}

/* Read or write the number of items. Each has at least `least` bytes: refuse a
 * number that the message cannot hold before allocating. */
static void
move_count(struct wire *w, size_t least, size_t *n)
{
	double v = (double)*n;

	move_number(w, FIELD_COUNT, &v);
	if (w->out || !w->ok)
		return;
	*n = (size_t)v;
	if (*n > (w->size - w->at) / least)
		w->ok = pb_error_set(w->bad,
		    "%s: expected room for %zu items, got %zu bytes to the end "
		    "of the message",
		    w->field, *n, w->size - w->at);
}

/* Read or write a string of size bytes, NUL included; refuse longer ones. */
static void
move_string(struct wire *w, char *s, size_t size)
{
	size_t n = w->out ? strlen(s) + w->aligned : 0;

	move_count(w, 1, &n);
	if (w->ok && !w->out && n > size - !w->aligned)
		w->ok = pb_error_set(w->bad,
		    "%s: expected a string of at most %zu bytes, got a longer "
		    "one",
		    w->field, size - 1);
	if (!w->ok)
		return;
	move_bytes(w, s, n);
	if (!w->out)
		s[n < size ? n : size - 1] = '\0';
}

/* --- types, by their fields --- */

/* Rows are in the order of the fields; each field of a type has one. */

/* Offset of fields that are not stored: skipped when read, 0 when written,
 * ignored in JSON. */
#define FIELD_NOWHERE SIZE_MAX

struct field {
	const char *key;
	enum kind kind;
	size_t at;
	enum pb_need need; /* whether JSON must have it */
	double lo, hi;     /* bounds; both 0: none */
	double missing;
	const char *of;           /* type of a struct inside, ... */
	const struct field *rows; /* ... its rows, ... */
	size_t n;                 /* ... and their number */
	size_t size;              /* bytes of an item */
	size_t count;             /* offset of the number of items */
};

/* A type: the rows of its fields. */
struct table {
	const char *name; /* name in ROS 1; NULL: never the type of a field */
	const struct field *rows;
	size_t n;
	const char *old_name; /* former name, NULL: none */
};

#define AT(m)         offsetof(OF, m)
#define ROWS(name, r) .of = name, .rows = r, .n = sizeof(r) / sizeof(*(r))
#define MUST          PB_REQUIRED
#define MAY           PB_OPTIONAL

/* Row of the header that most messages begin with. */
#define HEADER(need)                                      \
	{                                                 \
		"header", FIELD_OBJECT, AT(header), need, \
		    ROWS("std_msgs/Header", header)       \
	}

/* Rows of a time or duration; stored as one number. */
static const struct field moment[] = {
    {"sec", FIELD_INT4, FIELD_NOWHERE},
    {"nanosec", FIELD_COUNT, FIELD_NOWHERE},
};
#define TIME ROWS("builtin_interfaces/Time", moment)

#define OF struct pb_ros_header
static const struct field header[] = {
    {"seq", FIELD_SEQ, FIELD_NOWHERE},
    {"stamp", FIELD_STAMP, AT(stamp), MAY, TIME},
    {"frame_id", FIELD_TEXT, AT(frame), MAY},
};
#undef OF

#define OF struct pb_ros_vector
static const struct field point[] = {
    {"x", FIELD_REAL8, AT(x), MUST},
    {"y", FIELD_REAL8, AT(y), MUST},
    {"z", FIELD_REAL8, AT(z), MAY},
};
static const struct field rate[] = {
    {"x", FIELD_REAL8, AT(x), MAY, .missing = NAN},
    {"y", FIELD_REAL8, AT(y), MAY, .missing = NAN},
    {"z", FIELD_REAL8, AT(z), MAY, .missing = NAN},
};
#undef OF

#define OF struct pb_ros_pose
static const struct field quaternion[] = {
    {"x", FIELD_REAL8, AT(orientation.x), MAY},
    {"y", FIELD_REAL8, AT(orientation.y), MAY},
    {"z", FIELD_REAL8, AT(orientation.z), MUST},
    {"w", FIELD_REAL8, AT(orientation.w), MUST},
};
static const struct field pose[] = {
    {"position", FIELD_OBJECT, AT(position), MUST,
	ROWS("geometry_msgs/Point", point)},
    {"orientation", FIELD_OBJECT, 0, MUST,
	ROWS("geometry_msgs/Quaternion", quaternion)},
};
static const struct field transform[] = {
    {"translation", FIELD_OBJECT, AT(position), MUST,
	ROWS("geometry_msgs/Vector3", point)},
    {"rotation", FIELD_OBJECT, 0, MUST,
	ROWS("geometry_msgs/Quaternion", quaternion)},
};
#undef OF

#define OF struct pb_ros_twist
static const struct field twist[] = {
    {"linear", FIELD_OBJECT, AT(linear), MAY,
	ROWS("geometry_msgs/Vector3", rate)},
    {"angular", FIELD_OBJECT, AT(angular), MAY,
	ROWS("geometry_msgs/Vector3", rate)},
};
/* The covariance behind it is not needed. */
static const struct field twist_cov[] = {
    {"twist", FIELD_OBJECT, 0, MAY, ROWS("geometry_msgs/Twist", twist)},
    {"covariance", FIELD_COV, FIELD_NOWHERE},
};
#undef OF

#define OF struct pb_ros_echo
static const struct field echo[] = {
    {"echoes", FIELD_REALS4, AT(range), MUST, .count = AT(n)},
};
#undef OF

#define OF struct pb_ros_scan
#define SWEEP                                                                  \
	HEADER(MAY), {"angle_min", FIELD_REAL4, AT(angle_min), MUST},          \
	    {"angle_max", FIELD_REAL4, AT(angle_max), MAY, .missing = NAN},    \
	    {"angle_increment", FIELD_REAL4, AT(angle_increment), MUST},       \
	    {"time_increment", FIELD_REAL4, FIELD_NOWHERE},                    \
	    {"scan_time", FIELD_REAL4, FIELD_NOWHERE},                         \
	    {"range_min", FIELD_REAL4, AT(range_min), MAY, 0, INFINITY, NAN},  \
	{                                                                      \
		"range_max", FIELD_REAL4, AT(range_max), MAY, 0, INFINITY, NAN \
	}
static const struct field scan[] = {
    SWEEP,
    {"ranges", FIELD_REALS4, AT(range), MUST, .count = AT(n)},
    {"intensities", FIELD_REALS4, FIELD_NOWHERE},
};
/* The intensities behind it are not needed. */
static const struct field echo_scan[] = {
    SWEEP,
    {"ranges", FIELD_LIST, AT(echo), MUST, ROWS("sensor_msgs/LaserEcho", echo),
	.size = sizeof(struct pb_ros_echo), .count = AT(echoes)},
};
#undef OF

#define OF struct pb_ros_odometry
static const struct field pose_any[] = {
    {"pose", FIELD_OBJECT, 0, MUST, ROWS("geometry_msgs/Pose", pose)},
    {"covariance", FIELD_COV, FIELD_NOWHERE},
};
static const struct field odometry[] = {
    HEADER(MAY),
    {"child_frame_id", FIELD_TEXT, AT(child), MAY},
    {"pose", FIELD_OBJECT, AT(pose), MUST,
	ROWS("geometry_msgs/PoseWithCovariance", pose_any)},
    {"twist", FIELD_OBJECT, AT(twist), MAY,
	ROWS("geometry_msgs/TwistWithCovariance", twist_cov)},
};
#undef OF

#define OF struct pb_ros_transform
static const struct field transform_stamped[] = {
    HEADER(MUST),
    {"child_frame_id", FIELD_TEXT, AT(child), MUST},
    {"transform", FIELD_OBJECT, AT(transform), MUST,
	ROWS("geometry_msgs/Transform", transform)},
};
static const struct field tf[] = {
    {"transforms", FIELD_LIST, offsetof(struct pb_ros_tf, transform), MUST,
	ROWS("geometry_msgs/TransformStamped", transform_stamped),
	.size = sizeof(OF), .count = offsetof(struct pb_ros_tf, n)},
};
#undef OF

#define OF struct pb_ros_grid
static const struct field info[] = {
    {"map_load_time", FIELD_STAMP, FIELD_NOWHERE, MAY, TIME},
    {"resolution", FIELD_REAL4, AT(resolution), MUST, 1e-6, 1e6},
    {"width", FIELD_COUNT, AT(width), MUST, 1, PB_MAP_SIDE},
    {"height", FIELD_COUNT, AT(height), MUST, 1, PB_MAP_SIDE},
    {"origin", FIELD_OBJECT, AT(origin), MUST,
	ROWS("geometry_msgs/Pose", pose)},
};
static const struct field grid[] = {
    HEADER(MAY),
    {"info", FIELD_OBJECT, 0, MUST, ROWS("nav_msgs/MapMetaData", info)},
    {"data", FIELD_CELLS, 0, MUST},
};
#undef OF

#define OF struct pb_ros_pose_stamped
static const struct field pose_stamped[] = {
    HEADER(MAY),
    {"pose", FIELD_OBJECT, AT(pose), MUST, ROWS("geometry_msgs/Pose", pose)},
};
static const struct field path[] = {
    HEADER(MAY),
    {"poses", FIELD_LIST, offsetof(struct pb_ros_path, pose), MUST,
	ROWS("geometry_msgs/PoseStamped", pose_stamped), .size = sizeof(OF),
	.count = offsetof(struct pb_ros_path, n)},
};
#undef OF

#define OF struct pb_ros_pose_cov
static const struct field pose_with_cov[] = {
    {"pose", FIELD_OBJECT, AT(pose), MUST, ROWS("geometry_msgs/Pose", pose)},
    {"covariance", FIELD_COV, AT(cov), MUST},
};
static const struct field pose_cov[] = {
    HEADER(MAY),
    {"pose", FIELD_OBJECT, 0, MUST,
	ROWS("geometry_msgs/PoseWithCovariance", pose_with_cov)},
};
#undef OF

#define OF struct pb_ros_twist_stamped
static const struct field plain_twist[] = {
    {"linear", FIELD_OBJECT, AT(twist.linear), MUST,
	ROWS("geometry_msgs/Vector3", rate)},
    {"angular", FIELD_OBJECT, AT(twist.angular), MUST,
	ROWS("geometry_msgs/Vector3", rate)},
};
static const struct field twist_stamped[] = {
    HEADER(MUST),
    {"twist", FIELD_OBJECT, AT(twist), MUST,
	ROWS("geometry_msgs/Twist", twist)},
};
#undef OF

#define OF struct pb_ros_poses
static const struct field poses[] = {
    HEADER(MAY),
    {"poses", FIELD_LIST, AT(pose), MUST, ROWS("geometry_msgs/Pose", pose),
	.size = sizeof(struct pb_ros_pose), .count = AT(n)},
};
#undef OF

/* Parts of a marker that are always empty. */
static const struct field image[] = {
    {"header", FIELD_OBJECT, FIELD_NOWHERE, MAY,
	ROWS("std_msgs/Header", header)},
    {"format", FIELD_TEXT, FIELD_NOWHERE},
    {"data", FIELD_NONE1, FIELD_NOWHERE},
};
static const struct field place[] = {
    {"u", FIELD_REAL4, FIELD_NOWHERE},
    {"v", FIELD_REAL4, FIELD_NOWHERE},
};
static const struct field mesh[] = {
    {"filename", FIELD_TEXT, FIELD_NOWHERE},
    {"data", FIELD_NONE1, FIELD_NOWHERE},
};

#define OF struct pb_ros_marker
static const struct field color[] = {
    {"r", FIELD_REAL4, AT(color.r), MAY},
    {"g", FIELD_REAL4, AT(color.g), MAY},
    {"b", FIELD_REAL4, AT(color.b), MAY},
    {"a", FIELD_REAL4, AT(color.a), MAY},
};
/* As since 2022; older markers lack texture and mesh_file. */
static const struct field marker[] = {
    HEADER(MAY),
    {"ns", FIELD_TEXT, AT(ns), MAY},
    {"id", FIELD_INT4, AT(id), MAY},
    {"type", FIELD_INT4, AT(shape), MAY},
    {"action", FIELD_INT4, AT(action), MAY},
    {"pose", FIELD_OBJECT, AT(pose), MAY, ROWS("geometry_msgs/Pose", pose)},
    {"scale", FIELD_OBJECT, AT(scale), MAY,
	ROWS("geometry_msgs/Vector3", point)},
    {"color", FIELD_OBJECT, 0, MAY, ROWS("std_msgs/ColorRGBA", color)},
    {"lifetime", FIELD_STAMP, FIELD_NOWHERE, MAY,
	ROWS("builtin_interfaces/Duration", moment)},
    {"frame_locked", FIELD_FLAG, FIELD_NOWHERE},
    {"points", FIELD_LIST, AT(point), MAY, ROWS("geometry_msgs/Point", point),
	.size = sizeof(struct pb_ros_vector), .count = AT(n)},
    {"colors", FIELD_LIST, FIELD_NOWHERE, MAY,
	ROWS("std_msgs/ColorRGBA", color)},
    {"texture_resource", FIELD_TEXT, FIELD_NOWHERE},
    {"texture", FIELD_OBJECT, FIELD_NOWHERE, MAY,
	ROWS("sensor_msgs/CompressedImage", image)},
    {"uv_coordinates", FIELD_LIST, FIELD_NOWHERE, MAY,
	ROWS("visualization_msgs/UVCoordinate", place)},
    {"text", FIELD_TEXT, FIELD_NOWHERE},
    {"mesh_resource", FIELD_TEXT, FIELD_NOWHERE},
    {"mesh_file", FIELD_OBJECT, FIELD_NOWHERE, MAY,
	ROWS("visualization_msgs/MeshFile", mesh)},
    {"mesh_use_embedded_materials", FIELD_FLAG, FIELD_NOWHERE},
};
static const struct field markers[] = {
    {"markers", FIELD_LIST, offsetof(struct pb_ros_markers, marker), MUST,
	ROWS("visualization_msgs/Marker", marker), .size = sizeof(OF),
	.count = offsetof(struct pb_ros_markers, n)},
};
#undef OF

static const struct field clock[] = {
    {"clock", FIELD_STAMP, offsetof(struct pb_ros_clock, now), MUST, TIME},
};

#define TABLE(r) r, sizeof(r) / sizeof(*(r))
static const struct table tables[PB_ROS_ALL] = {
    [PB_ROS_SCAN] = {"sensor_msgs/LaserScan", TABLE(scan)},
    [PB_ROS_ODOMETRY] = {"nav_msgs/Odometry", TABLE(odometry)},
    [PB_ROS_TF] = {"tf2_msgs/TFMessage", TABLE(tf), "tf/tfMessage"},
    [PB_ROS_GRID] = {"nav_msgs/OccupancyGrid", TABLE(grid)},
    [PB_ROS_POSE] = {"geometry_msgs/PoseStamped", TABLE(pose_stamped)},
    [PB_ROS_POSE_COV] = {"geometry_msgs/PoseWithCovarianceStamped",
	TABLE(pose_cov)},
    [PB_ROS_PATH] = {"nav_msgs/Path", TABLE(path)},
    [PB_ROS_TWIST] = {"geometry_msgs/Twist", TABLE(plain_twist)},
    [PB_ROS_TWIST_STAMPED] = {"geometry_msgs/TwistStamped",
	TABLE(twist_stamped)},
    [PB_ROS_ECHO_SCAN] = {"sensor_msgs/MultiEchoLaserScan", TABLE(echo_scan)},
    [PB_ROS_POSES] = {"geometry_msgs/PoseArray", TABLE(poses)},
    [PB_ROS_MARKERS] = {"visualization_msgs/MarkerArray", TABLE(markers)},
    [PB_ROS_CLOCK] = {"rosgraph_msgs/Clock", TABLE(clock)},
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
		if ((strncmp(tables[i].name, name, n) == 0 &&
			strcmp(tables[i].name + n, last) == 0) ||
		    (tables[i].old_name &&
			strcmp(tables[i].old_name, name) == 0))
			return (enum pb_ros_type)i;
	return PB_ROS_OTHER;
}

const char *
pb_ros_type_name(enum pb_ros_type type)
{
	return tables[type].name;
}

void
pb_ros_put_name(struct pb_text *o, enum pb_ros_type type)
{
	const char *name = tables[type].name, *slash = strchr(name, '/');

	pb_text_put(o, name, (size_t)(slash - name));
	pb_text_puts(o, "/msg");
	pb_text_puts(o, slash);
}

#define PARTS 16

/* Collect the types that the rows use in all[], each once. */
static void
collect_types(struct table *all, size_t *n, const struct table *of)
{
	for (size_t i = 0, j; i < of->n; i++) {
		const struct field *f = &of->rows[i];
		struct table p = {f->of, f->rows, f->n};

		for (j = 0; p.name && j < *n; j++)
			if (strcmp(all[j].name, p.name) == 0)
				break;
		if (p.name && j == *n && *n < PARTS)
			all[(*n)++] = p;
	}
}

static void
add_definition(struct pb_text *o, const struct table *p)
{
	static const char *const word[] = {[FIELD_REAL4] = "float32",
	    [FIELD_REAL8] = "float64",
	    [FIELD_INT4] = "int32",
	    [FIELD_COUNT] = "uint32",
	    [FIELD_FLAG] = "bool",
	    [FIELD_TEXT] = "string",
	    [FIELD_REALS4] = "float32[]",
	    [FIELD_NONE1] = "uint8[]",
	    [FIELD_COV] = "float64[36]",
	    [FIELD_CELLS] = "int8[]"};

	for (size_t i = 0; i < p->n; i++) {
		const struct field *f = &p->rows[i];

		if (f->kind == FIELD_SEQ)
			continue;
		pb_text_puts(o, f->of ? f->of : word[f->kind]);
		pb_text_puts(o, f->kind == FIELD_LIST ? "[] " : " ");
		pb_text_puts(o, f->key);
		pb_text_puts(o, "\n");
	}
}

void
pb_ros_put_schema(struct pb_text *o, enum pb_ros_type type)
{
	struct table all[PARTS] = {tables[type]};
	size_t n = 1;

	add_definition(o, all);
	collect_types(all, &n, all);
	for (size_t i = 1; i < n; i++) {
		for (int k = 0; k < 8; k++)
			pb_text_puts(o, "==========");
		pb_text_puts(o, "\nMSG: ");
		pb_text_puts(o, all[i].name);
		pb_text_puts(o, "\n");
		add_definition(o, &all[i]);
		collect_types(all, &n, &all[i]);
	}
}

enum pb_ros_type
pb_ros_type_like(const struct pb_get *g)
{
	const struct pb_json_value *in = pb_get_value(g, "pose"), *first;

	if ((first = pb_get_value(g, "ranges")))
		return pb_json_member(pb_json_next(first, NULL), "echoes")
		           ? PB_ROS_ECHO_SCAN
		           : PB_ROS_SCAN;
	if (in &&
	    (pb_get_value(g, "twist") || pb_get_value(g, "child_frame_id")))
		return PB_ROS_ODOMETRY;
	if (in)
		return pb_json_member(in, "pose") ? PB_ROS_POSE_COV
		                                  : PB_ROS_POSE;
	if (pb_get_value(g, "info"))
		return PB_ROS_GRID;
	if (pb_get_value(g, "transforms"))
		return PB_ROS_TF;
	if (pb_get_value(g, "twist"))
		return PB_ROS_TWIST_STAMPED;
	if (pb_get_value(g, "linear") && pb_get_value(g, "angular"))
		return PB_ROS_TWIST;
	/* Poses of a particle cloud have no header, those of a path do. */
	in = pb_json_next(pb_get_value(g, "poses"), NULL);
	return pb_json_member(in, "pose") ? PB_ROS_PATH : PB_ROS_OTHER;
}

static const char *
skip_blanks(const char *s, const char *end)
{
	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	return s;
}

/* Look for "op" : "publish" or another operation anywhere in the line. */
bool
pb_rosbridge_is(const char *s, size_t n)
{
	static const char *const word[] = {
	    "\"publish\"", "\"fragment\"", "\"status\""};
	const char *end = s + n, *p = s;

	while ((p = memchr(p, 'p', (size_t)(end - p))) != NULL) {
		const char *at = ++p;

		if (at - s < 3 || at == end || memcmp(at - 3, "\"op\"", 4) != 0)
			continue;
		at = skip_blanks(at + 1, end);
		if (at == end || *at != ':')
			continue;
		at = skip_blanks(at + 1, end);
		for (size_t k = 0; k < sizeof(word) / sizeof(*word); k++)
			if ((size_t)(end - at) >= strlen(word[k]) &&
			    memcmp(at, word[k], strlen(word[k])) == 0)
				return true;
	}
	return false;
}

/* Allocate the map of a grid whose info was read. */
static bool
alloc_map(struct pb_ros_grid *g, struct pb_error *bad)
{
	return pb_map_room(&g->map, (long)g->width, (long)g->height,
	    g->resolution, pb_ros_plane(&g->origin), "info", bad);
}

/* The address of a member, or of the pointer to its items; NULL: not stored. */
static void *
member_at(void *r, size_t at)
{
	return at == FIELD_NOWHERE || !r ? NULL : (char *)r + at;
}

/* The number of items of a list, and their address; none if not stored. */
static size_t
find_items(const struct field *f, void *r, void *items)
{
	if (f->at == FIELD_NOWHERE)
		return 0;
	memcpy(items, member_at(r, f->at), sizeof(void *));
	return *(size_t *)member_at(r, f->count);
}

/* Allocate n items of `size` bytes; NULL: not stored, or an error was set. */
static void *
alloc_items(const struct field *f, void *r, size_t n, size_t size,
    struct pb_error *bad, bool *ok)
{
	void *list;

	if (n > PB_REC_POINTS_MAX)
		*ok =
		    pb_error_set(bad, "%s: expected at most %d items, got %zu",
			f->key, PB_REC_POINTS_MAX, n);
	if (n == 0 || !*ok)
		return NULL;
	list = pb_alloc(n, size);
	memcpy(member_at(r, f->at), &list, sizeof(list));
	*(size_t *)member_at(r, f->count) = n;
	return list;
}

double
pb_ros_meant(double v)
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

/* Check that a number is in the field's range. */
static void
check_number(struct wire *w, const struct field *f, double v)
{
	bool bounded = f->lo != 0 || f->hi != 0;

	if (w->out || !w->ok || f->at == FIELD_NOWHERE)
		return;
	if (f->need == PB_REQUIRED && !isfinite(v))
		w->ok = pb_error_set(
		    w->bad, "%s: expected a number, got %g", f->key, v);
	else if (bounded && (v < f->lo || v > f->hi))
		w->ok = pb_error_set(w->bad,
		    "%s: expected a number from %g to %g, got %g", f->key,
		    f->lo, f->hi, v);
}

static void
move_field_number(struct wire *w, const struct field *f, double *v)
{
	move_number(w, f->kind, v);
	if (f->kind == FIELD_REAL4 && !w->out && w->ok && v)
		*v = pb_ros_meant(*v);
	if (v)
		check_number(w, f, *v);
}

#define SECOND 1000000000 /* (ns) */

static void
move_stamp(struct wire *w, int64_t *t)
{
	int64_t ns = w->out && t && *t != PB_ROS_NEVER ? *t : 0;
	int64_t whole = ns / SECOND - (ns % SECOND < 0);
	double s = (double)whole, rest = (double)(ns - whole * SECOND);

	move_number(w, FIELD_INT4, &s);
	move_number(w, FIELD_COUNT, &rest);
	if (w->out || !w->ok || !t)
		return;
	if (rest >= SECOND)
		w->ok = pb_error_set(w->bad,
		    "%s: expected less than %d nanoseconds, got %.0f", w->field,
		    SECOND, rest);
	*t = (int64_t)s * SECOND + (int64_t)rest;
}

static void
move_reals(struct wire *w, const struct field *f, void *r)
{
	double *v = NULL;
	size_t n = w->out ? find_items(f, r, &v) : 0;

	move_count(w, sizeof(float), &n);
	if (w->ok && !w->out && f->at != FIELD_NOWHERE)
		v = alloc_items(f, r, n, sizeof(*v), w->bad, &w->ok);
	for (size_t i = 0; w->ok && i < n; i++)
		move_number(w, FIELD_REAL4, v ? v + i : NULL);
}

static void
move_cells(struct wire *w, struct pb_ros_grid *g)
{
	size_t n = w->out ? pb_map_cells(&g->map) : 0, all;

	move_count(w, 1, &n);
	if (!w->out && w->ok)
		w->ok = alloc_map(g, w->bad);
	if (!w->ok)
		return;
	all = pb_map_cells(&g->map);
	if (n != all) {
		w->ok = pb_error_set(
		    w->bad, "data: expected %zu cells, got %zu", all, n);
		return;
	}
	move_bytes(w, g->map.cell, n);
	for (size_t i = 0; w->ok && !w->out && i < n; i++)
		if (g->map.cell[i] < -1 || g->map.cell[i] > 100)
			w->ok = pb_error_set(w->bad,
			    "data[%zu]: expected a whole number from -1 to "
			    "100, got %d",
			    i, g->map.cell[i]);
}

static void
move_cov(struct wire *w, double *v)
{
	for (int i = 0; i < COV; i++)
		move_number(w, FIELD_REAL8, v ? v + i : NULL);
}

static void move_fields(
    struct wire *w, const struct field *rows, size_t n, void *r);

/* Least bytes of an item with neither list nor string. */
#define LEAST ((size_t)64)

static void
move_list(struct wire *w, const struct field *f, void *r)
{
	char *at = NULL;
	size_t n = w->out ? find_items(f, r, &at) : 0;

	move_count(w, f->size < LEAST ? sizeof(float) : LEAST, &n);
	if (w->ok && !w->out)
		at = alloc_items(f, r, n, f->size, w->bad, &w->ok);
	for (size_t i = 0; w->ok && at && i < n; i++)
		move_fields(w, f->rows, f->n, at + i * f->size);
}

static void
move_text(struct wire *w, char *s)
{
	static char empty[1];

	move_string(w, s ? s : empty, s ? PB_ROS_NAME : 1);
}

static void
move_field(struct wire *w, const struct field *f, void *r)
{
	void *at = member_at(r, f->at);
	size_t none = 0;

	w->field = f->key;
	switch (f->kind) {
	case FIELD_SEQ:
		if (!w->aligned)
			move_number(w, FIELD_COUNT, NULL);
		break;
	case FIELD_STAMP:
		move_stamp(w, at);
		break;
	case FIELD_TEXT:
		move_text(w, at);
		break;
	case FIELD_NONE1:
		move_count(w, 1, &none);
		break;
	case FIELD_OBJECT:
		move_fields(w, f->rows, f->n, at);
		break;
	case FIELD_LIST:
		move_list(w, f, r);
		break;
	case FIELD_REALS4:
		move_reals(w, f, r);
		break;
	case FIELD_COV:
		move_cov(w, at);
		break;
	case FIELD_CELLS:
		move_cells(w, r);
		break;
	default:
		move_field_number(w, f, at);
		break;
	}
}

/* Read or write all fields. */
static void
move_fields(struct wire *w, const struct field *rows, size_t n, void *r)
{
	for (size_t i = 0; w->ok && i < n; i++)
		move_field(w, &rows[i], r);
}

/* Read the stamp under key; ROS 1, ROS 2 and MCAP call its members
 * differently. */
static void
get_stamp(struct pb_get *g, const char *key, int64_t *t)
{
	static const char *const rest[] = {"nanosec", "nsecs", "nsec"};
	struct pb_get at;
	long s = 0, ns = 0;

	*t = PB_ROS_NEVER;
	if (!pb_get_object(g, key, PB_OPTIONAL, &at))
		return;
	pb_get_int(&at, "sec", PB_OPTIONAL, 0, INT32_MAX, &s);
	pb_get_int(&at, "secs", PB_OPTIONAL, 0, INT32_MAX, &s);
	for (size_t i = 0; i < sizeof(rest) / sizeof(*rest); i++)
		pb_get_int(&at, rest[i], PB_OPTIONAL, 0, SECOND - 1, &ns);
	*t = (int64_t)s * SECOND + ns;
}

static void
get_num(struct pb_get *g, const struct field *f, double *v)
{
	bool bounded = f->lo != 0 || f->hi != 0;
	long whole = 0;

	if (f->kind == FIELD_COUNT) {
		pb_get_int(
		    g, f->key, f->need, (long)f->lo, (long)f->hi, &whole);
		*v = (double)whole;
	} else {
		*v = f->missing;
		pb_get_num(g, f->key, f->need, bounded ? f->lo : -INFINITY,
		    bounded ? f->hi : INFINITY, v);
	}
}

static void
get_cov(struct pb_get *g, const struct field *f, double *v)
{
	size_t n;
	double *list;

	pb_get_list(g, f->key, f->need, COV, &list, &n);
	if (*g->ok && n != COV)
		pb_get_fail(g, f->key, "36 numbers");
	if (*g->ok)
		memcpy(v, list, COV * sizeof(*v));
	free(list);
}

static void get_fields(
    struct pb_get *g, const struct field *rows, size_t n, void *r);

static void
get_items(struct pb_get *g, const struct field *f, void *r)
{
	struct pb_walk w;
	struct pb_get item;
	char *at;

	if (!pb_get_walk(g, f->key, f->need, &w))
		return;
	at = alloc_items(
	    f, r, pb_json_size(w.list, PB_JSON_ARRAY), f->size, g->bad, g->ok);
	for (; at && pb_walk_next(g, &w); at += f->size)
		if (pb_walk_object(g, &w, &item))
			get_fields(&item, f->rows, f->n, at);
}

static void
get_cells(struct pb_get *g, struct pb_ros_grid *of)
{
	*g->ok = *g->ok && alloc_map(of, g->bad);
	if (*g->ok)
		pb_get_cells(g, pb_map_cells(&of->map), of->map.cell);
}

/* Read ranges: JSON has neither infinity nor NaN. Bridges write null for both,
 * nearly always for a beam without return. */
static void
get_reals(struct pb_get *g, const struct field *f, void *r)
{
	double **v = member_at(r, f->at);
	size_t *n = member_at(r, f->count);

	pb_get_list(g, f->key, f->need, PB_REC_BEAMS_MAX, v, n);
	for (size_t i = 0; *g->ok && i < *n; i++)
		if (isnan((*v)[i]))
			(*v)[i] = INFINITY;
}

static void
get_field(struct pb_get *g, const struct field *f, void *r)
{
	void *at = member_at(r, f->at);
	struct pb_get part = {NULL, "", g->bad, g->ok};

	switch (f->kind) {
	case FIELD_STAMP:
		get_stamp(g, f->key, at);
		break;
	case FIELD_TEXT:
		pb_get_text(g, f->key, f->need, at, PB_ROS_NAME);
		break;
	case FIELD_OBJECT:
		/* If it is missing, all its members are. */
		pb_get_object(g, f->key, f->need, &part);
		get_fields(&part, f->rows, f->n, at);
		break;
	case FIELD_LIST:
		get_items(g, f, r);
		break;
	case FIELD_REALS4:
		get_reals(g, f, r);
		break;
	case FIELD_COV:
		get_cov(g, f, at);
		break;
	case FIELD_CELLS:
		get_cells(g, r);
		break;
	default:
		get_num(g, f, at);
		break;
	}
}

/* Read the fields from JSON. */
static void
get_fields(struct pb_get *g, const struct field *rows, size_t n, void *r)
{
	for (size_t i = 0; *g->ok && i < n; i++)
		if (rows[i].at != FIELD_NOWHERE)
			get_field(g, &rows[i], r);
}

static void
begin_message(struct pb_ros_message *m, enum pb_ros_type type)
{
	*m = (struct pb_ros_message){.type = type};
	if (type == PB_ROS_TWIST)
		m->twist.header.stamp = PB_ROS_NEVER;
}

bool
pb_ros_get(struct pb_ros_message *m, enum pb_ros_type type, struct pb_get *g)
{
	begin_message(m, type);
	get_fields(g, tables[type].rows, tables[type].n, &m->scan);
	if (!*g->ok)
		pb_ros_clear(m);
	return *g->ok;
}

static bool
read_json(struct pb_ros_message *m, enum pb_ros_type type, const void *data,
    size_t n, struct pb_error *bad)
{
	struct pb_text text = {.s = NULL};
	struct pb_json j;
	struct pb_get g;
	bool ok;

	pb_text_put(&text, data, n);
	pb_text_put(&text, "", 1);
	ok = pb_json_open(&j, text.s, n, "msg", &g, bad);
	if (ok) {
		ok = pb_ros_get(m, type, &g);
		pb_json_close(&j);
	}
	pb_text_clear(&text);
	return ok;
}

bool
pb_ros_read(struct pb_ros_message *m, enum pb_ros_type type,
    enum pb_bag_encoding encoding, const void *data, size_t n,
    struct pb_error *bad)
{
	struct wire w;

	if (encoding == PB_BAG_JSON)
		return read_json(m, type, data, n, bad);
	if (!begin_reading(&w, encoding == PB_BAG_ROS1, data, n, bad))
		return false;
	begin_message(m, type);
	move_fields(&w, tables[type].rows, tables[type].n, &m->scan);
	if (!w.ok)
		pb_ros_clear(m);
	return w.ok;
}

void
pb_ros_write(struct pb_text *o, struct pb_ros_message *m, bool ros1)
{
	struct wire w = {.ok = true, .aligned = !ros1, .out = o};

	if (!ros1)
		pb_text_put(o, "\0\1\0\0", START);
	move_fields(&w, tables[m->type].rows, tables[m->type].n, &m->scan);
}

/* Ranges in JSON: infinity has no name, and rosbridge refuses null. A beam
 * without return gets this range, longer than any limit (m). */
#define NO_RETURN 3e38

static void
write_number(struct pb_text *o, double v)
{
	pb_text_exact(o, isfinite(v) ? v : v > 0 ? NO_RETURN : 0);
}

static void
write_numbers(struct pb_text *o, const double *v, size_t n)
{
	pb_text_puts(o, "[");
	for (size_t i = 0; i < n; i++) {
		pb_text_put(o, ",", i > 0);
		write_number(o, v[i]);
	}
	pb_text_puts(o, "]");
}

static void
write_cells(struct pb_text *o, const struct pb_map *m)
{
	pb_text_puts(o, "[");
	for (size_t i = 0; i < pb_map_cells(m); i++) {
		pb_text_put(o, ",", i > 0);
		pb_text_int(o, m->cell[i]);
	}
	pb_text_puts(o, "]");
}

static void
write_stamp(struct pb_text *o, int64_t t)
{
	pb_text_puts(o, "{\"sec\":");
	pb_text_int(o, t == PB_ROS_NEVER ? 0 : t / SECOND);
	pb_text_puts(o, ",\"nanosec\":");
	pb_text_int(o, t == PB_ROS_NEVER ? 0 : t % SECOND);
	pb_text_puts(o, "}");
}

static void write_fields(
    struct pb_text *o, const struct field *rows, size_t n, void *r);

static void
write_list(struct pb_text *o, const struct field *f, void *r)
{
	char *at = NULL;
	size_t n = find_items(f, r, &at);

	pb_text_puts(o, "[");
	for (size_t i = 0; i < n; i++) {
		pb_text_put(o, ",", i > 0);
		write_fields(o, f->rows, f->n, at + i * f->size);
	}
	pb_text_puts(o, "]");
}

static void
write_value(struct pb_text *o, const struct field *f, void *r)
{
	void *at = member_at(r, f->at);

	switch (f->kind) {
	case FIELD_STAMP:
		write_stamp(o, *(int64_t *)at);
		break;
	case FIELD_TEXT:
		pb_text_string(o, at);
		break;
	case FIELD_OBJECT:
		write_fields(o, f->rows, f->n, at);
		break;
	case FIELD_LIST:
		write_list(o, f, r);
		break;
	case FIELD_REALS4:
		write_numbers(
		    o, *(double **)at, *(size_t *)member_at(r, f->count));
		break;
	case FIELD_COV:
		write_numbers(o, at, COV);
		break;
	case FIELD_CELLS:
		write_cells(o, &((struct pb_ros_grid *)r)->map);
		break;
	case FIELD_INT4:
	case FIELD_COUNT:
		pb_text_int(o, (int64_t) * (double *)at);
		break;
	default:
		write_number(o, *(double *)at);
		break;
	}
}

/* Write the fields as JSON; those not stored get their defaults. */
static void
write_fields(struct pb_text *o, const struct field *rows, size_t n, void *r)
{
	bool first = true;

	pb_text_puts(o, "{");
	for (size_t i = 0; i < n; i++) {
		if (rows[i].at == FIELD_NOWHERE)
			continue;
		pb_text_put(o, ",", !first);
		pb_text_string(o, rows[i].key);
		pb_text_puts(o, ":");
		write_value(o, &rows[i], r);
		first = false;
	}
	pb_text_puts(o, "}");
}

void
pb_ros_put(struct pb_text *o, struct pb_ros_message *m)
{
	write_fields(o, tables[m->type].rows, tables[m->type].n, &m->scan);
}

struct pb_ros_pose
pb_ros_pose_of(struct pb_pose p)
{
	return (struct pb_ros_pose){.position = {p.x, p.y, 0},
	    .orientation = {.z = pb_sin(p.th / 2), .w = pb_cos(p.th / 2)}};
}

struct pb_pose
pb_ros_plane(const struct pb_ros_pose *p)
{
	return (struct pb_pose){p->position.x, p->position.y,
	    pb_yaw(p->orientation.x, p->orientation.y, p->orientation.z,
		p->orientation.w)};
}

/* Free allocated lists; structs inside have none. */
static void
free_lists(const struct field *rows, size_t n, void *r)
{
	for (const struct field *f = rows; f < rows + n; f++) {
		char *at = NULL;
		size_t items = 0;

		if (f->kind == FIELD_LIST || f->kind == FIELD_REALS4)
			items = find_items(f, r, &at);
		else if (f->kind == FIELD_CELLS)
			pb_map_clear(&((struct pb_ros_grid *)r)->map);
		for (size_t i = 0; i < items && f->rows; i++)
			free_lists(f->rows, f->n, at + i * f->size);
		free(at);
	}
}

void
pb_ros_clear(struct pb_ros_message *m)
{
	free_lists(tables[m->type].rows, tables[m->type].n, &m->scan);
	m->type = PB_ROS_OTHER;
}

/* Names of Nav2, except for the last two. An estimate that is not tracking has
 * its own topic, so that no robot uses it as /amcl_pose. */
const struct pb_ros_topic_row pb_ros_topics[PB_TOPICS] = {
    [PB_TOPIC_CLOCK] = {"/clock", PB_ROS_CLOCK, false},
    [PB_TOPIC_MAP] = {"/map", PB_ROS_GRID, true},
    [PB_TOPIC_TF] = {"/tf", PB_ROS_TF, false},
    [PB_TOPIC_TF_STATIC] = {"/tf_static", PB_ROS_TF, true},
    [PB_TOPIC_SCAN] = {"/scan", PB_ROS_SCAN, false},
    [PB_TOPIC_ODOM] = {"/odom", PB_ROS_ODOMETRY, false},
    [PB_TOPIC_CMD_VEL] = {"/cmd_vel", PB_ROS_TWIST, false},
    [PB_TOPIC_POSE] = {"/amcl_pose", PB_ROS_POSE_COV, false},
    [PB_TOPIC_AMBIGUOUS] = {"/amcl_pose/ambiguous", PB_ROS_POSE_COV, false},
    [PB_TOPIC_UNMAPPED] = {"/amcl_pose/unmapped", PB_ROS_POSE_COV, false},
    [PB_TOPIC_LOST] = {"/amcl_pose/lost", PB_ROS_POSE_COV, false},
    [PB_TOPIC_INITIAL] = {"/initialpose", PB_ROS_POSE_COV, false},
    [PB_TOPIC_PARTICLES] = {"/particle_cloud", PB_ROS_POSES, false},
    [PB_TOPIC_GOAL] = {"/goal_pose", PB_ROS_POSE, false},
    [PB_TOPIC_PLAN] = {"/plan", PB_ROS_PATH, false},
    [PB_TOPIC_TRUTH] = {"/ground_truth", PB_ROS_POSE, false},
    [PB_TOPIC_MARKERS] = {"/markers", PB_ROS_MARKERS, false},
};
