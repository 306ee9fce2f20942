/* bag_write.h - a game's topics as a recording, as ros2 bag record makes it. */
#pragma once

#include "io/ros/ros_topics.h"
#include "io/stream/error.h"

struct pb_bag_write;

/*
 * Begin an MCAP file, which appears under that name when it is whole.
 *
 * Returns  NULL with bad filled in; for pb_bag_write_free()
 */
struct pb_bag_write *pb_bag_write_new(const char *name, struct pb_error *bad);

/* Where its messages go. */
struct pb_ros_sink pb_bag_write_sink(struct pb_bag_write *w);

/* It is whole. False with bad filled in: it is not, and leaves nothing. */
bool pb_bag_write_end(struct pb_bag_write *w, struct pb_error *bad);

/* Before the end: nothing is left. */
void pb_bag_write_free(struct pb_bag_write *w);
