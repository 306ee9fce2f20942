/* ros_types.c - the messages of ROS that we know, and their fields. */
#include "io/ros/ros_types.h"

#include <math.h>
#include <string.h>

#define AT(m)         offsetof(OF, m)
#define ROWS(name, r) .of = name, .rows = r, .n = sizeof(r) / sizeof(*(r))
#define MUST          PB_REQUIRED
#define MAY           PB_OPTIONAL

/* The header that most messages begin with. */
#define HEADER(need)                                         \
	{                                                    \
		"header", PB_FIELD_OBJECT, AT(header), need, \
		    ROWS("std_msgs/Header", header)          \
	}

#define OF struct pb_ros_header
static const struct pb_ros_field header[] = {
    {"seq", PB_FIELD_SEQ, PB_FIELD_NOWHERE},
    {"stamp", PB_FIELD_STAMP, AT(stamp), MAY},
    {"frame_id", PB_FIELD_TEXT, AT(frame), MAY},
};
#undef OF

#define OF struct pb_ros_vector
static const struct pb_ros_field point[] = {
    {"x", PB_FIELD_REAL8, AT(x), MUST},
    {"y", PB_FIELD_REAL8, AT(y), MUST},
    {"z", PB_FIELD_REAL8, AT(z), MAY},
};
static const struct pb_ros_field rate[] = {
    {"x", PB_FIELD_REAL8, AT(x), MAY, .missing = NAN},
    {"y", PB_FIELD_REAL8, AT(y), MAY, .missing = NAN},
    {"z", PB_FIELD_REAL8, AT(z), MAY, .missing = NAN},
};
#undef OF

#define OF struct pb_ros_pose
static const struct pb_ros_field quaternion[] = {
    {"x", PB_FIELD_REAL8, AT(orientation.x), MAY},
    {"y", PB_FIELD_REAL8, AT(orientation.y), MAY},
    {"z", PB_FIELD_REAL8, AT(orientation.z), MUST},
    {"w", PB_FIELD_REAL8, AT(orientation.w), MUST},
};
static const struct pb_ros_field pose[] = {
    {"position", PB_FIELD_OBJECT, AT(position), MUST,
	ROWS("geometry_msgs/Point", point)},
    {"orientation", PB_FIELD_OBJECT, 0, MUST,
	ROWS("geometry_msgs/Quaternion", quaternion)},
};
static const struct pb_ros_field transform[] = {
    {"translation", PB_FIELD_OBJECT, AT(position), MUST,
	ROWS("geometry_msgs/Vector3", point)},
    {"rotation", PB_FIELD_OBJECT, 0, MUST,
	ROWS("geometry_msgs/Quaternion", quaternion)},
};
#undef OF

#define OF struct pb_ros_twist
static const struct pb_ros_field twist[] = {
    {"linear", PB_FIELD_OBJECT, AT(linear), MAY,
	ROWS("geometry_msgs/Vector3", rate)},
    {"angular", PB_FIELD_OBJECT, AT(angular), MAY,
	ROWS("geometry_msgs/Vector3", rate)},
};
/* What does not matter of it is not looked at. */
static const struct pb_ros_field twist_cov[] = {
    {"twist", PB_FIELD_OBJECT, 0, MAY, ROWS("geometry_msgs/Twist", twist)},
    {"covariance", PB_FIELD_ARRAY8, PB_FIELD_NOWHERE, .lo = 36},
};
#undef OF

#define OF struct pb_ros_scan
static const struct pb_ros_field scan[] = {
    HEADER(MAY),
    {"angle_min", PB_FIELD_REAL4, AT(angle_min), MUST},
    {"angle_max", PB_FIELD_REAL4, AT(angle_max), MAY, .missing = NAN},
    {"angle_increment", PB_FIELD_REAL4, AT(angle_increment), MUST},
    {"time_increment", PB_FIELD_REAL4, PB_FIELD_NOWHERE},
    {"scan_time", PB_FIELD_REAL4, PB_FIELD_NOWHERE},
    {"range_min", PB_FIELD_REAL4, AT(range_min), MAY, 0, INFINITY, NAN},
    {"range_max", PB_FIELD_REAL4, AT(range_max), MAY, 0, INFINITY, NAN},
    {"ranges", PB_FIELD_REALS4, AT(range), MUST, .count = AT(n)},
    {"intensities", PB_FIELD_REALS4, PB_FIELD_NOWHERE},
};
#undef OF

#define OF struct pb_ros_odometry
static const struct pb_ros_field pose_any[] = {
    {"pose", PB_FIELD_OBJECT, 0, MUST, ROWS("geometry_msgs/Pose", pose)},
    {"covariance", PB_FIELD_ARRAY8, PB_FIELD_NOWHERE, .lo = 36},
};
static const struct pb_ros_field odometry[] = {
    HEADER(MAY),
    {"child_frame_id", PB_FIELD_TEXT, AT(child), MAY},
    {"pose", PB_FIELD_OBJECT, AT(pose), MUST,
	ROWS("geometry_msgs/PoseWithCovariance", pose_any)},
    {"twist", PB_FIELD_OBJECT, AT(twist), MAY,
	ROWS("geometry_msgs/TwistWithCovariance", twist_cov)},
};
#undef OF

#define OF struct pb_ros_transform
static const struct pb_ros_field transform_stamped[] = {
    HEADER(MUST),
    {"child_frame_id", PB_FIELD_TEXT, AT(child), MUST},
    {"transform", PB_FIELD_OBJECT, AT(transform), MUST,
	ROWS("geometry_msgs/Transform", transform)},
};
static const struct pb_ros_field tf[] = {
    {"transforms", PB_FIELD_LIST, offsetof(struct pb_ros_tf, transform), MUST,
	ROWS("geometry_msgs/TransformStamped", transform_stamped),
	.size = sizeof(OF), .count = offsetof(struct pb_ros_tf, n)},
};
#undef OF

#define OF struct pb_ros_grid
static const struct pb_ros_field info[] = {
    {"map_load_time", PB_FIELD_STAMP, PB_FIELD_NOWHERE},
    {"resolution", PB_FIELD_REAL4, AT(resolution), MUST, 1e-6, 1e6},
    {"width", PB_FIELD_COUNT, AT(width), MUST, 1, PB_MAP_SIDE},
    {"height", PB_FIELD_COUNT, AT(height), MUST, 1, PB_MAP_SIDE},
    {"origin", PB_FIELD_OBJECT, AT(origin), MUST,
	ROWS("geometry_msgs/Pose", pose)},
};
static const struct pb_ros_field grid[] = {
    HEADER(MAY),
    {"info", PB_FIELD_OBJECT, 0, MUST, ROWS("nav_msgs/MapMetaData", info)},
    {"data", PB_FIELD_CELLS, 0, MUST},
};
#undef OF

#define OF struct pb_ros_pose_stamped
static const struct pb_ros_field pose_stamped[] = {
    HEADER(MAY),
    {"pose", PB_FIELD_OBJECT, AT(pose), MUST, ROWS("geometry_msgs/Pose", pose)},
};
static const struct pb_ros_field path[] = {
    HEADER(MAY),
    {"poses", PB_FIELD_LIST, offsetof(struct pb_ros_path, pose), MUST,
	ROWS("geometry_msgs/PoseStamped", pose_stamped), .size = sizeof(OF),
	.count = offsetof(struct pb_ros_path, n)},
};
#undef OF

#define OF struct pb_ros_pose_cov
static const struct pb_ros_field pose_with_cov[] = {
    {"pose", PB_FIELD_OBJECT, AT(pose), MUST, ROWS("geometry_msgs/Pose", pose)},
    {"covariance", PB_FIELD_ARRAY8, AT(cov), MUST, .lo = 36},
};
static const struct pb_ros_field pose_cov[] = {
    HEADER(MAY),
    {"pose", PB_FIELD_OBJECT, 0, MUST,
	ROWS("geometry_msgs/PoseWithCovariance", pose_with_cov)},
};
#undef OF

#define OF struct pb_ros_twist_stamped
static const struct pb_ros_field plain_twist[] = {
    {"linear", PB_FIELD_OBJECT, AT(twist.linear), MUST,
	ROWS("geometry_msgs/Vector3", rate)},
    {"angular", PB_FIELD_OBJECT, AT(twist.angular), MUST,
	ROWS("geometry_msgs/Vector3", rate)},
};
static const struct pb_ros_field twist_stamped[] = {
    HEADER(MUST),
    {"twist", PB_FIELD_OBJECT, AT(twist), MUST,
	ROWS("geometry_msgs/Twist", twist)},
};
#undef OF

#define OF struct pb_ros_poses
static const struct pb_ros_field poses[] = {
    HEADER(MAY),
    {"poses", PB_FIELD_LIST, AT(pose), MUST, ROWS("geometry_msgs/Pose", pose),
	.size = sizeof(struct pb_ros_pose), .count = AT(n)},
};
#undef OF

/* What of a marker is always empty. */
static const struct pb_ros_field image[] = {
    {"header", PB_FIELD_OBJECT, PB_FIELD_NOWHERE, MAY,
	ROWS("std_msgs/Header", header)},
    {"format", PB_FIELD_TEXT, PB_FIELD_NOWHERE},
    {"data", PB_FIELD_NONE1, PB_FIELD_NOWHERE},
};
static const struct pb_ros_field place[] = {
    {"u", PB_FIELD_REAL4, PB_FIELD_NOWHERE},
    {"v", PB_FIELD_REAL4, PB_FIELD_NOWHERE},
};
static const struct pb_ros_field mesh[] = {
    {"filename", PB_FIELD_TEXT, PB_FIELD_NOWHERE},
    {"data", PB_FIELD_NONE1, PB_FIELD_NOWHERE},
};

#define OF struct pb_ros_marker
static const struct pb_ros_field color[] = {
    {"r", PB_FIELD_REAL4, AT(color.r), MAY},
    {"g", PB_FIELD_REAL4, AT(color.g), MAY},
    {"b", PB_FIELD_REAL4, AT(color.b), MAY},
    {"a", PB_FIELD_REAL4, AT(color.a), MAY},
};
/* As since 2022; before, a marker had neither texture nor mesh_file. */
static const struct pb_ros_field marker[] = {
    HEADER(MAY),
    {"ns", PB_FIELD_TEXT, AT(ns), MAY},
    {"id", PB_FIELD_INT4, AT(id), MAY},
    {"type", PB_FIELD_INT4, AT(shape), MAY},
    {"action", PB_FIELD_INT4, AT(action), MAY},
    {"pose", PB_FIELD_OBJECT, AT(pose), MAY, ROWS("geometry_msgs/Pose", pose)},
    {"scale", PB_FIELD_OBJECT, AT(scale), MAY,
	ROWS("geometry_msgs/Vector3", point)},
    {"color", PB_FIELD_OBJECT, 0, MAY, ROWS("std_msgs/ColorRGBA", color)},
    {"lifetime", PB_FIELD_SPAN, PB_FIELD_NOWHERE},
    {"frame_locked", PB_FIELD_FLAG, PB_FIELD_NOWHERE},
    {"points", PB_FIELD_LIST, AT(point), MAY,
	ROWS("geometry_msgs/Point", point),
	.size = sizeof(struct pb_ros_vector), .count = AT(n)},
    {"colors", PB_FIELD_LIST, PB_FIELD_NOWHERE, MAY,
	ROWS("std_msgs/ColorRGBA", color)},
    {"texture_resource", PB_FIELD_TEXT, PB_FIELD_NOWHERE},
    {"texture", PB_FIELD_OBJECT, PB_FIELD_NOWHERE, MAY,
	ROWS("sensor_msgs/CompressedImage", image)},
    {"uv_coordinates", PB_FIELD_LIST, PB_FIELD_NOWHERE, MAY,
	ROWS("visualization_msgs/UVCoordinate", place)},
    {"text", PB_FIELD_TEXT, PB_FIELD_NOWHERE},
    {"mesh_resource", PB_FIELD_TEXT, PB_FIELD_NOWHERE},
    {"mesh_file", PB_FIELD_OBJECT, PB_FIELD_NOWHERE, MAY,
	ROWS("visualization_msgs/MeshFile", mesh)},
    {"mesh_use_embedded_materials", PB_FIELD_FLAG, PB_FIELD_NOWHERE},
};
static const struct pb_ros_field markers[] = {
    {"markers", PB_FIELD_LIST, offsetof(struct pb_ros_markers, marker), MUST,
	ROWS("visualization_msgs/Marker", marker), .size = sizeof(OF),
	.count = offsetof(struct pb_ros_markers, n)},
};
#undef OF

static const struct pb_ros_field string[] = {
    {"data", PB_FIELD_STRING, offsetof(struct pb_ros_text, s), MUST},
};
static const struct pb_ros_field number[] = {
    {"data", PB_FIELD_INT4, offsetof(struct pb_ros_int, value), MUST},
};
static const struct pb_ros_field clock[] = {
    {"clock", PB_FIELD_STAMP, offsetof(struct pb_ros_clock, now), MUST},
};

#define TABLE(r, of) r, sizeof(r) / sizeof(*(r)), sizeof(struct of)
const struct pb_ros_table pb_ros_tables[PB_ROS_ALL] = {
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
		if ((strncmp(pb_ros_tables[i].name, name, n) == 0 &&
			strcmp(pb_ros_tables[i].name + n, last) == 0) ||
		    strcmp(pb_ros_tables[i].old_name, name) == 0)
			return (enum pb_ros_type)i;
	return PB_ROS_OTHER;
}

void
pb_ros_put_name(struct pb_text *o, enum pb_ros_type type)
{
	const char *name = pb_ros_tables[type].name, *slash = strchr(name, '/');

	pb_text_put(o, name, (size_t)(slash - name));
	pb_text_puts(o, "/msg");
	pb_text_puts(o, slash);
}

static const struct pb_ros_field moment[] = {
    {"sec", PB_FIELD_INT4, PB_FIELD_NOWHERE},
    {"nanosec", PB_FIELD_COUNT, PB_FIELD_NOWHERE},
};

/* A type that others are made of. */
struct part {
	const char *name;
	const struct pb_ros_field *rows;
	size_t n;
};

#define PARTS 16

static struct part
part_of(const struct pb_ros_field *f)
{
	static const size_t n = sizeof(moment) / sizeof(*moment);

	if (f->kind == PB_FIELD_STAMP)
		return (struct part){"builtin_interfaces/Time", moment, n};
	if (f->kind == PB_FIELD_SPAN)
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
	static const char *const word[] = {[PB_FIELD_REAL4] = "float32",
	    [PB_FIELD_REAL8] = "float64",
	    [PB_FIELD_INT4] = "int32",
	    [PB_FIELD_COUNT] = "uint32",
	    [PB_FIELD_FLAG] = "bool",
	    [PB_FIELD_TEXT] = "string",
	    [PB_FIELD_STRING] = "string",
	    [PB_FIELD_REALS4] = "float32[]",
	    [PB_FIELD_NONE1] = "uint8[]",
	    [PB_FIELD_CELLS] = "int8[]"};

	for (size_t i = 0; i < p->n; i++) {
		const struct pb_ros_field *f = &p->rows[i];
		const char *part = part_of(f).name;

		if (f->kind == PB_FIELD_SEQ)
			continue;
		if (f->kind == PB_FIELD_ARRAY8) {
			pb_text_puts(o, "float64[");
			pb_text_int(o, (int64_t)f->lo);
			pb_text_puts(o, "]");
		} else {
			pb_text_puts(o, part ? part : word[f->kind]);
			pb_text_put(o, "[]", f->kind == PB_FIELD_LIST ? 2 : 0);
		}
		pb_text_puts(o, " ");
		pb_text_puts(o, f->key);
		pb_text_puts(o, "\n");
	}
}

void
pb_ros_put_schema(struct pb_text *o, enum pb_ros_type type)
{
	struct part all[PARTS] = {{pb_ros_tables[type].name,
	    pb_ros_tables[type].rows, pb_ros_tables[type].n}};
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
