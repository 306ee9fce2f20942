/* ros_topics.h - the topics that a game is told on, and who is told. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "io/ros/ros_msg.h"

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
	PB_TOPIC_LOST,
	PB_TOPIC_INITIAL,
	PB_TOPIC_TRUTH,
	PB_TOPIC_PARTICLES,
	PB_TOPIC_GOAL,
	PB_TOPIC_PLAN,
	PB_TOPIC_MARKERS,
	PB_TOPIC_EVENTS,
	PB_TOPIC_SCORE,
	PB_TOPICS
};

/* Who subscribes late to a latched topic gets its last message. */
extern const struct pb_ros_topic_row {
	const char *name;
	enum pb_ros_type type;
	bool latched;
} pb_ros_topics[PB_TOPICS];

/* offered_qos_profiles of rosbag2, with numbers as its versions up to 8. */
const char *pb_ros_qos(enum pb_ros_topic topic);

/* Where messages go; m is the caller's. What goes wrong is kept there. */
struct pb_ros_sink {
	void (*send)(void *self, enum pb_ros_topic topic, int64_t t,
	    struct pb_ros_message *m);
	void *self;
};
