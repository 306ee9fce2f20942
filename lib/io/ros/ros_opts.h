/* ros_opts.h - what of a robot's topics is to be read, and by what. */
#pragma once

#include "io/opt/opt.h"
#include "io/ros/bag.h"

/* What reads recordings; only tools that name it need its libraries. */
struct pb_bag_reader {
	struct pb_bag *(*open)(const char *name, struct pb_source *s,
	    const char *head, size_t n, struct pb_error *bad);
	enum pb_bag_got (*next)(
	    struct pb_bag *b, struct pb_bag_message *m, struct pb_error *bad);
	void (*close)(struct pb_bag *b);
};

struct pb_ros_survey;

struct pb_ros_opts {
	struct pb_bag_reader reader; /* zeroed: recordings are refused */
	struct pb_opt_list topic; /* to be taken, beside others by their type */
	bool has_laser;
	double
	    laser[3]; /* where the scanner is, whatever frames say (m, rad) */
	struct pb_ros_survey *survey; /* only count messages; NULL: make
	                                 records */
};

#define PB_ROS_READER                                  \
	{                                              \
		pb_bag_open, pb_bag_next, pb_bag_close \
	}

/* Rows of a tool's option table; p: struct pb_ros_opts *. */
#define PB_OPT_ROS(p, ...)                                                   \
	{.name = "topic",                                                    \
	    .kind = PB_OPT_LIST,                                             \
	    .arg = "name",                                                   \
	    .help = "of ROS: the topic to take where several are of a type", \
	    .to = &(p)->topic,                                               \
	    __VA_ARGS__},                                                    \
	{                                                                    \
		.name = "laser", .kind = PB_OPT_POSE, .arg = "x,y,theta",    \
		.help = "of ROS: where the scanner is on the robot",         \
		.to = (p)->laser, .seen = &(p)->has_laser, __VA_ARGS__       \
	}
