/* frames.h - coordinate frames of a robot, and where its scanner is on it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "io/ros/ros_message.h"
#include "pb/geom.h"

/*
 * Frames by their transforms to their parents, the latest of each. Names have
 * no slash in front: ROS 1 wrote one.
 */
#define PB_FRAMES_MAX 4096

struct pb_frames {
	struct pb_ros_transform *at; /* n of them, owned; a zeroed struct has
	                                none */
	size_t n, room;
};

void pb_frames_clear(struct pb_frames *f);

/* The name without a slash in front, and its last part: "robot1/odom" is one
 * of the frames called "odom". */
const char *pb_frame_name(const char *name);
const char *pb_frame_last(const char *name);

/* A transform was heard: false without memory. Beyond the limit new frames are
 * left out. */
bool pb_frames_add(struct pb_frames *f, const struct pb_ros_transform *t);

/*
 * Where a scanner in `frame` is on the robot, whose base is the frame `base`:
 * along the chain between them, or by the frame that both are in.
 *
 * Returns  false if no chain leads from one to the other. *upside_down: its
 *          beams turn clockwise, seen from above
 */
bool pb_frames_mount(const struct pb_frames *f, const char *base,
    const char *frame, struct pb_pose *mount, bool *upside_down);
