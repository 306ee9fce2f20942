/* ros_message.h - messages of ROS: from bytes and from JSON, and to both. */
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
	PB_ROS_ECHO_SCAN, /* sensor_msgs/MultiEchoLaserScan */
	PB_ROS_TYPES, /* number of types that are read; the following are only
	                 written: */
	PB_ROS_POSES = PB_ROS_TYPES, /* geometry_msgs/PoseArray */
	PB_ROS_MARKERS,              /* visualization_msgs/MarkerArray */
	PB_ROS_CLOCK,                /* rosgraph_msgs/Clock */
	PB_ROS_ALL
};

/* What a beam met, one behind the other. */
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
	struct pb_ros_echo *echo; /* of beams in place of that, owned */
	size_t echoes;            /* beams with them */
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

struct pb_ros_clock {
	int64_t now; /* (ns) */
};

/* The type called name, "sensor_msgs/LaserScan" or with msg/ in it, and its
 * name without that. */
enum pb_ros_type pb_ros_type_of(const char *name);
const char *pb_ros_type_name(enum pb_ros_type type);

/* The name that ROS 2 has for a type, and its definition, "ros2msg". */
void pb_ros_put_name(struct pb_text *o, enum pb_ros_type type);
void pb_ros_put_schema(struct pb_text *o, enum pb_ros_type type);

/* How a recording has a message. */
enum pb_bag_encoding {
	PB_BAG_CDR,  /* of ROS 2, its four first bytes included */
	PB_BAG_ROS1, /* of ROS 1 */
	PB_BAG_JSON,
	PB_BAG_OTHER /* not for us */
};

struct pb_bag_message {
	const char *topic;
	const char *type; /* "sensor_msgs/LaserScan", without msg/ */
	enum pb_bag_encoding encoding;
	const char *encoded; /* its name in the recording, for complaints */
	const char *file;    /* of several: the part it came from */
	int64_t t;           /* when it was logged (ns) */
	uint64_t offset;     /* in the file, of its record, or of the chunk
	                        that holds it; a row's number in SQLite */
	const unsigned char *data; /* all pointers until the next call */
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
 * "msg":{..}}; "fragment", a part of such a line; "status", a message of the
 * server.
 */
bool pb_rosbridge_is(const char *s, size_t n);

/* The longest message, all parts together (bytes): a map of 5000 x 5000. */
#define PB_ROSBRIDGE_MOST ((size_t)1 << 26)

/* What the fields of a message in JSON look like. */
enum pb_ros_type pb_ros_type_like(const struct pb_get *g);

/* The decimal number with the fewest digits whose nearest float is v: 0.05
 * instead of 0.05000000074505806. */
double pb_ros_meant(double v);

/*
 * Read a message of that type, which is one of ours: of n bytes, or from JSON.
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

/* Write m, which stays as it is: as CDR, little-endian, or as ROS 1 has it; as
 * JSON for rosbridge. */
void pb_ros_write(struct pb_text *o, struct pb_ros_message *m, bool ros1);
void pb_ros_put(struct pb_text *o, struct pb_ros_message *m);

/* A pose in the plane, and back. */
struct pb_ros_pose pb_ros_pose_of(struct pb_pose p);
struct pb_pose pb_ros_plane(const struct pb_ros_pose *p);

/* The topics on which a game is published. */
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

/* Late subscribers of a latched topic get its last message. */
extern const struct pb_ros_topic_row {
	const char *name;
	enum pb_ros_type type;
	bool latched;
} pb_ros_topics[PB_TOPICS];
