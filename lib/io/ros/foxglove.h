/* foxglove.h - a server of topics for Foxglove and Lichtblick. */
#pragma once

#include "io/ros/ros_topics.h"

/*
 * Version 1 of Foxglove's WebSocket protocol. Who connects is told which topics
 * there are, gets the messages of those that he subscribes to, and the last one
 * of latched topics when he does. Who is 8 MB behind for a second, or 16 MB, is
 * disconnected.
 */
struct pb_foxglove;

/* Whether that is [ws://][ADDRESS:]PORT; status 2 if not. */
bool pb_foxglove_check(const char *address);

/* Listen, and say where. NULL: the port cannot be had, which was said. */
struct pb_foxglove *pb_foxglove_open(const char *address);

/* Where its messages go. */
struct pb_ros_sink pb_foxglove_sink(struct pb_foxglove *f);

/* Serve the port for so long (s). A signal ends it early. */
void pb_foxglove_serve(struct pb_foxglove *f, double s);

/* Wait until what is under way has left, at most a second, and disconnect. */
void pb_foxglove_close(struct pb_foxglove *f);
