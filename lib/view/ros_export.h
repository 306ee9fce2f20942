/* ros_export.h - records of a game as messages on the topics of ROS. */
#pragma once

#include <stdbool.h>

#include "io/rec/rec.h"
#include "io/ros/ros_topics.h"

/* Feed records in the order in which they come; pb-ros(7) says what becomes of
 * them. Sinks are told at once, in the order of the stream. */
struct pb_ros_export;

#define PB_ROS_SINKS 2

/* NULL without memory; for pb_ros_export_free(). */
struct pb_ros_export *pb_ros_export_new(void);
void pb_ros_export_free(struct pb_ros_export *x);

/* At most PB_ROS_SINKS of them, before the first record. */
void pb_ros_export_to(struct pb_ros_export *x, struct pb_ros_sink to);

/* Tell this topic, and no others but those of which that was said, too. */
void pb_ros_export_only(struct pb_ros_export *x, enum pb_ros_topic topic);

/* Take one record; a map is taken out of r. False with bad filled in: it cannot
 * be told, or there is no memory. */
bool pb_ros_export_take(
    struct pb_ros_export *x, struct pb_rec *r, struct pb_error *bad);

/* Whether there was anything to tell. */
bool pb_ros_export_any(const struct pb_ros_export *x);
