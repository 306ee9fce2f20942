/* ros_message.h - read and write messages of ROS as bytes and as JSON. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/stream/json.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "pb/geom.h"
#include "pb/map.h"

/*
 * Fields have the names and units of ROS (rad, m). One table of fields for each
 * type serves to read and write CDR, the bytes of ROS 1, and the JSON of
 * rosbridge. Fields missing in JSON are NAN, or 0 where that is the neutral
 * value.
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

/* A pose or transform. */
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
	PB_ROS_ECHO_SCAN, /* sensor_msgs/MultiEchoLaserScan */
	PB_ROS_TYPES, /* number of types that are read; the following are only
	                 written: */
	PB_ROS_POSES = PB_ROS_TYPES, /* geometry_msgs/PoseArray */
	PB_ROS_MARKERS,              /* visualization_msgs/MarkerArray */
	PB_ROS_CLOCK,                /* rosgraph_msgs/Clock */
	PB_ROS_ALL
};

/* All ranges of one beam, nearest first. */
struct pb_ros_echo {
	double *range; /* owned */
	size_t n;
};

struct pb_ros_scan {
	struct pb_ros_header header;
	double angle_min, angle_max, angle_increment;
	double range_min, range_max;
	double *range; /* owned */
	size_t n;
	struct pb_ros_echo *echo; /* of each beam, instead of range; owned */
	size_t echoes;            /* number of those */
};

struct pb_ros_odometry {
	struct pb_ros_header header;
	char child[PB_ROS_NAME]; /* frame of the robot's base */
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
	struct pb_map map; /* made from the fields above; owned */
};

struct pb_ros_pose_stamped {
	struct pb_ros_header header;
	struct pb_ros_pose pose;
};

struct pb_ros_pose_cov {
	struct pb_ros_header header;
	struct pb_ros_pose pose;
	double cov[36]; /* 6 x 6, of x, y, z, roll, pitch, yaw */
};

struct pb_ros_path {
	struct pb_ros_header header;
	struct pb_ros_pose_stamped *pose; /* owned */
	size_t n;
};

struct pb_ros_twist_stamped {
	struct pb_ros_header header; /* a plain Twist has no stamp */
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

struct pb_ros_clock {
	int64_t now; /* (ns) */
};

/* The type with that name ("sensor_msgs/LaserScan", or with msg/); and the name
 * of a type without msg/. */
enum pb_ros_type pb_ros_type_of(const char *name);
const char *pb_ros_type_name(enum pb_ros_type type);

/* Write the name of a type in ROS 2, and its definition ("ros2msg"). */
void pb_ros_put_name(struct pb_text *o, enum pb_ros_type type);
void pb_ros_put_schema(struct pb_text *o, enum pb_ros_type type);

/* Encoding of a message in a recording. */
enum pb_bag_encoding {
	PB_BAG_CDR,  /* ROS 2, its first four bytes included */
	PB_BAG_ROS1, /* of ROS 1 */
	PB_BAG_JSON,
	PB_BAG_OTHER /* not supported */
};

struct pb_bag_message {
	const char *topic;
	const char *type; /* "sensor_msgs/LaserScan", without msg/ */
	enum pb_bag_encoding encoding;
	const char *encoded; /* name of the encoding, for errors */
	const char *file;    /* part of a recording in a folder */
	int64_t t;           /* when it was logged (ns) */
	uint64_t offset; /* offset in the file of the record or its chunk; of
	                    SQLite: row number */
	const unsigned char *data; /* pointers are valid until the next call */
	size_t size;
};

struct pb_ros_message {
	enum pb_ros_type type;
	union {
		struct pb_ros_scan scan;
		struct pb_ros_odometry odometry;
		struct pb_ros_tf tf;
		struct pb_ros_grid grid;
		struct pb_ros_pose_stamped pose;
		struct pb_ros_pose_cov pose_cov;
		struct pb_ros_path path;
		struct pb_ros_twist_stamped twist;
		struct pb_ros_poses poses;
		struct pb_ros_markers markers;
		struct pb_ros_clock clock;
	};
};

/*
 * Whether a line looks like one of rosbridge: {"op":"publish","topic":..,
 * "msg":{..}}; "fragment", a part of a long one; "status", a message of the
 * server.
 */
bool pb_rosbridge_is(const char *s, size_t n);

/* Bytes of the longest message: a map of 5000 x 5000 cells. */
#define PB_ROSBRIDGE_MOST ((size_t)1 << 26)

/* Guess the type of a message in JSON from its fields. */
enum pb_ros_type pb_ros_type_like(const struct pb_get *g);

/* The decimal number with the fewest digits whose nearest float is v: 0.05
 * instead of 0.05000000074505806. */
double pb_ros_meant(double v);

/*
 * Read a message of a type below PB_ROS_TYPES: n bytes, or JSON.
 *
 * Returns  true and m for pb_ros_clear(); false with bad (of g) filled in, and
 *          nothing to clear
 */
bool pb_ros_read(struct pb_ros_message *m, enum pb_ros_type type,
    enum pb_bag_encoding encoding, const void *data, size_t n,
    struct pb_error *bad);
bool pb_ros_get(
    struct pb_ros_message *m, enum pb_ros_type type, struct pb_get *g);
void pb_ros_clear(struct pb_ros_message *m);

/* Write m, which does not change: as little-endian CDR, or as bytes of ROS 1;
 * or as JSON for rosbridge. */
void pb_ros_write(struct pb_text *o, struct pb_ros_message *m, bool ros1);
void pb_ros_put(struct pb_text *o, struct pb_ros_message *m);

/* Convert a pose in the plane, and back. */
struct pb_ros_pose pb_ros_pose_of(struct pb_pose p);
struct pb_pose pb_ros_plane(const struct pb_ros_pose *p);

/* Topics that a game is published on. */
enum pb_ros_topic {
	PB_TOPIC_CLOCK,
	PB_TOPIC_MAP,
	PB_TOPIC_TF,
	PB_TOPIC_TF_STATIC,
	PB_TOPIC_SCAN,
	PB_TOPIC_ODOM,
	PB_TOPIC_CMD_VEL,
	PB_TOPIC_POSE,
	PB_TOPIC_AMBIGUOUS,
	PB_TOPIC_UNMAPPED,
	PB_TOPIC_LOST,
	PB_TOPIC_INITIAL,
	PB_TOPIC_TRUTH,
	PB_TOPIC_PARTICLES,
	PB_TOPIC_GOAL,
	PB_TOPIC_PLAN,
	PB_TOPIC_MARKERS,
	PB_TOPICS
};

/* A latched topic sends its last message to late subscribers. */
extern const struct pb_ros_topic_row {
	const char *name;
	enum pb_ros_type type;
	bool latched;
} pb_ros_topics[PB_TOPICS];
