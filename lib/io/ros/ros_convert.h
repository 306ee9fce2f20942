/* ros_convert.h - a message of ROS as the record that it means. */
#pragma once

#include <stdbool.h>

#include "io/rec/rec.h"
#include "io/ros/ros_msg.h"

/* What a message is for, by its type and by its topic's name. */
enum pb_ros_role {
	PB_ROLE_NONE,
	PB_ROLE_SCAN,
	PB_ROLE_ODOM,
	PB_ROLE_ESTIMATE, /* of the pose */
	PB_ROLE_MAP,
	PB_ROLE_PATH,
	PB_ROLE_TWIST,
	PB_ROLES, /* of those above one topic each is taken; of these all: */
	PB_ROLE_TRUTH = PB_ROLES,
	PB_ROLE_INITIAL,
	PB_ROLE_UNSURE, /* an estimate; its status is its topic's last part */
	PB_ROLE_GOAL,
	PB_ROLE_TF
};

enum pb_ros_role pb_ros_role_of(enum pb_ros_type type, const char *topic);

/*
 * Make r of m, without time and, of a scan, without mount; what r owns comes
 * out of m.
 *
 * Returns  false with bad filled in if it lacks something
 */
bool pb_ros_convert(struct pb_ros_message *m, enum pb_ros_role role,
    struct pb_rec *r, struct pb_error *bad);

/* The header of a message that has one, else NULL. */
const struct pb_ros_header *pb_ros_header_of(const struct pb_ros_message *m);
