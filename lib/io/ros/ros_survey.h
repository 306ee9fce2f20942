/* ros_survey.h - which topics there are, counted. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "io/ros/ros_msg.h"

/* A zeroed struct has seen nothing. */
struct pb_ros_survey {
	struct pb_ros_topic {
		char *name, *type;       /* one piece, owned: the name's */
		char frame[PB_ROS_NAME]; /* of the first message, "" if none */
		long n;
		int64_t first, last; /* (ns) */
	} * at;                      /* n of them, owned */
	size_t n, room;
	bool timed;   /* records have times */
	double start; /* the stamp that these count from (s) */
};

/* A message at t, NULL: no frame is known; false without memory. */
bool pb_ros_survey_add(struct pb_ros_survey *s, const char *topic,
    const char *type, int64_t t, const char *frame);
void pb_ros_survey_clear(struct pb_ros_survey *s);

/* A table, by the names of topics, its first row how many and how long. */
void pb_ros_survey_print(struct pb_ros_survey *s, FILE *out);
