/* ros_msg.h - messages of ROS, from bytes and from JSON, and to both. */
#pragma once

#include <stdbool.h>

#include "io/ros/ros_types.h"
#include "io/ros/wire.h"

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
		struct pb_ros_text text;
		struct pb_ros_int number;
		struct pb_ros_clock clock;
	};
};

/* What the fields of a message in JSON look like. */
enum pb_ros_type pb_ros_type_like(const struct pb_get *g);

/*
 * The decimal number with the fewest digits of which v is the nearest float:
 * 0.05, where who wrote the message meant 0.05, and not 0.05000000074505806.
 */
double pb_ros_meant(double v);

/*
 * Read a message of that type, which is one of ours.
 *
 * Returns  true and m for pb_ros_clear(); false with bad (of g) filled in, and
 *          nothing to clear
 */
bool pb_ros_read(
    struct pb_ros_message *m, enum pb_ros_type type, struct pb_wire *w);
bool pb_ros_get(
    struct pb_ros_message *m, enum pb_ros_type type, struct pb_get *g);
void pb_ros_clear(struct pb_ros_message *m);

/* Write m, which stays as it is: as bytes, as JSON for rosbridge. */
void pb_ros_write(struct pb_ros_message *m, struct pb_wire *w);
void pb_ros_put(struct pb_text *o, struct pb_ros_message *m);

/* A pose in the plane, and back. */
struct pb_ros_pose pb_ros_pose_of(struct pb_pose p);
struct pb_pose pb_ros_plane(const struct pb_ros_pose *p);
