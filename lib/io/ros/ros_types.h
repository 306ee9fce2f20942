/* ros_types.h - the messages of ROS that we know, and their fields. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "io/stream/json.h"
#include "io/stream/text.h"
#include "pb/geom.h"
#include "pb/map.h"

/*
 * Fields have the names and units of ROS; angles in radians, lengths in
 * metres. A type is one table of its fields, by which it is read from CDR, the
 * bytes of ROS 1 and the JSON of rosbridge alike, and written. In JSON fields
 * may be missing: NAN, but 0 where that says nothing.
 */
#define PB_ROS_NAME  256       /* bytes of a frame's or topic's name */
#define PB_ROS_NEVER INT64_MIN /* no stamp */

struct pb_ros_header {
	int64_t stamp; /* (ns) */
	char frame[PB_ROS_NAME];
};

struct pb_ros_vector {
	double x, y, z;
};

/* Also a transform, its translation and rotation. */
struct pb_ros_pose {
	struct pb_ros_vector position;
	struct {
		double x, y, z, w;
	} orientation;
};

struct pb_ros_twist {
	struct pb_ros_vector linear, angular; /* (m/s, rad/s) */
};

enum pb_ros_type {
	PB_ROS_OTHER,
	PB_ROS_SCAN,     /* sensor_msgs/LaserScan */
	PB_ROS_ODOMETRY, /* nav_msgs/Odometry */
	PB_ROS_TF,       /* tf2_msgs/TFMessage, tf/tfMessage */
	PB_ROS_GRID,     /* nav_msgs/OccupancyGrid */
	PB_ROS_POSE,     /* geometry_msgs/PoseStamped */
	PB_ROS_POSE_COV, /* geometry_msgs/PoseWithCovarianceStamped */
	PB_ROS_PATH,     /* nav_msgs/Path */
	PB_ROS_TWIST,    /* geometry_msgs/Twist */
	PB_ROS_TWIST_STAMPED,
	PB_ROS_TYPES, /* of those that are read; the rest is only written: */
	PB_ROS_POSES = PB_ROS_TYPES, /* geometry_msgs/PoseArray */
	PB_ROS_MARKERS,              /* visualization_msgs/MarkerArray */
	PB_ROS_STRING,               /* std_msgs/String */
	PB_ROS_INT,                  /* std_msgs/Int32 */
	PB_ROS_CLOCK,                /* rosgraph_msgs/Clock */
	PB_ROS_ALL
};

struct pb_ros_scan {
	struct pb_ros_header header;
	double angle_min, angle_max, angle_increment;
	double range_min, range_max;
	double *range; /* owned */
	size_t n;
};

struct pb_ros_odometry {
	struct pb_ros_header header;
	char child[PB_ROS_NAME]; /* frame: the robot's base */
	struct pb_ros_pose pose;
	struct pb_ros_twist twist;
};

struct pb_ros_transform {
	struct pb_ros_header header; /* frame: the parent */
	char child[PB_ROS_NAME];
	struct pb_ros_pose transform;
};

struct pb_ros_tf {
	struct pb_ros_transform *transform; /* owned */
	size_t n;
};

struct pb_ros_grid {
	struct pb_ros_header header;
	double resolution, width, height;
	struct pb_ros_pose origin;
	struct pb_map map; /* made of these; owned */
};

struct pb_ros_pose_stamped {
	struct pb_ros_header header;
	struct pb_ros_pose pose;
};

struct pb_ros_pose_cov {
	struct pb_ros_header header;
	struct pb_ros_pose pose;
	double cov[36]; /* of x, y, z, roll, pitch, yaw, row by row */
};

struct pb_ros_path {
	struct pb_ros_header header;
	struct pb_ros_pose_stamped *pose; /* owned */
	size_t n;
};

struct pb_ros_twist_stamped {
	struct pb_ros_header header; /* without a stamp in a plain Twist */
	struct pb_ros_twist twist;
};

struct pb_ros_poses {
	struct pb_ros_header header;
	struct pb_ros_pose *pose; /* owned */
	size_t n;
};

enum pb_ros_shape {
	PB_ROS_CYLINDER = 3,
	PB_ROS_SPHERE = 2,
	PB_ROS_SPHERES = 7 /* one at each point */
};

enum pb_ros_action { PB_ROS_ADD = 0, PB_ROS_DELETE = 2, PB_ROS_DELETE_ALL };

struct pb_ros_marker {
	struct pb_ros_header header;
	char ns[PB_ROS_NAME];
	double id;
	double shape, action; /* enum pb_ros_shape, enum pb_ros_action */
	struct pb_ros_pose pose;
	struct pb_ros_vector scale; /* (m) */
	struct {
		double r, g, b, a; /* 0..1 */
	} color;
	struct pb_ros_vector *point; /* owned */
	size_t n;
};

struct pb_ros_markers {
	struct pb_ros_marker *marker; /* owned */
	size_t n;
};

struct pb_ros_text {
	char *s; /* owned */
};

struct pb_ros_int {
	double value;
};

struct pb_ros_clock {
	int64_t now; /* (ns) */
};

/* Rows stand in the order of the fields; all fields of a type have one. */
enum pb_ros_kind {
	PB_FIELD_REAL4, /* a number, as float, int32, ... */
	PB_FIELD_REAL8,
	PB_FIELD_INT4,   /* int32 */
	PB_FIELD_COUNT,  /* uint32 */
	PB_FIELD_FLAG,   /* bool, which is nowhere */
	PB_FIELD_STAMP,  /* sec and nanosec, in ns */
	PB_FIELD_SPAN,   /* the same of a duration, which is nowhere */
	PB_FIELD_SEQ,    /* of ROS 1 only */
	PB_FIELD_TEXT,   /* char[PB_ROS_NAME] */
	PB_FIELD_OBJECT, /* rows of a struct inside */
	PB_FIELD_LIST,   /* of such, allocated */
	PB_FIELD_REALS4, /* list of numbers, allocated */
	PB_FIELD_STRING, /* of any length, allocated; only written */
	PB_FIELD_NONE1,  /* list of uint8 that is empty, nowhere */
	PB_FIELD_ARRAY8, /* so many numbers in the struct: `lo` */
	PB_FIELD_CELLS   /* of the map of a grid */
};

/* Nowhere: passed over, and 0 when written. In JSON not looked at. */
#define PB_FIELD_NOWHERE SIZE_MAX

struct pb_ros_field {
	const char *key;
	enum pb_ros_kind kind;
	size_t at;
	enum pb_need need; /* in JSON */
	double lo, hi;     /* bounds; both 0: any number */
	double missing;
	const char *of;                  /* the type of a part */
	const struct pb_ros_field *rows; /* of it */
	size_t n;                        /* of them */
	size_t size;                     /* of an item (bytes) */
	size_t count;                    /* where the number of items is */
};

/* A type: the rows of its fields, and the bytes of its struct. */
struct pb_ros_table {
	const char *name, *old_name; /* in ROS 1; what it was once */
	const struct pb_ros_field *rows;
	size_t n, size;
};

extern const struct pb_ros_table pb_ros_tables[PB_ROS_ALL];

/* The type called name, "sensor_msgs/LaserScan" or with msg/ in it. */
enum pb_ros_type pb_ros_type_of(const char *name);

/* The name that ROS 2 has for a type, and its definition, "ros2msg". */
void pb_ros_put_name(struct pb_text *o, enum pb_ros_type type);
void pb_ros_put_schema(struct pb_text *o, enum pb_ros_type type);
