/* ros_records.h - convert messages of a robot's topics to records. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "io/opt/opt.h"
#include "io/rec/rec.h"
#include "io/ros/bag.h"
#include "io/ros/ros_message.h"

/* The role of a message, by its type and the name of its topic. */
enum pb_ros_role {
	PB_ROLE_NONE,
	PB_ROLE_SCAN,
	PB_ROLE_ODOM,
	PB_ROLE_ESTIMATE, /* of the pose */
	PB_ROLE_MAP,
	PB_ROLE_PATH,
	PB_ROLE_TWIST,
	PB_ROLES, /* above, one topic of each role is used; below, all: */
	PB_ROLE_TRUTH = PB_ROLES,
	PB_ROLE_INITIAL,
	PB_ROLE_UNSURE, /* an estimate; its status ends its topic */
	PB_ROLE_GOAL,
	PB_ROLE_TF
};

enum pb_ros_role pb_ros_role_of(enum pb_ros_type type, const char *topic);

/* Counts of topics. A zeroed struct is empty. */
struct pb_ros_survey {
	struct pb_ros_count {
		char *name, *type; /* one allocation, owned through name */
		char frame[PB_ROS_NAME]; /* of the first message; "": none */
		long n;
		int64_t first, last; /* (ns) */
	} * at;                      /* n of them, owned */
	size_t n, room;
	bool timed;   /* records have times */
	double start; /* stamp at time 0 (s) */
};

void pb_ros_survey_clear(struct pb_ros_survey *s);

/* The row of a topic and type, added if new, with first and last PB_ROS_NEVER.
 * NULL: too many. */
struct pb_ros_count *pb_ros_survey_row(
    struct pb_ros_survey *s, const char *topic, const char *type);

/* Print a table by names of topics; its first row has their number and
 * duration. */
void pb_ros_survey_print(struct pb_ros_survey *s, FILE *out);

/* Reader of recordings; only tools that use it link its libraries. */
struct pb_bag_reader {
	struct pb_bag *(*open)(const char *name, struct pb_source *s,
	    const char *head, size_t n, struct pb_error *bad);
	enum pb_next (*next)(
	    struct pb_bag *b, struct pb_bag_message *m, struct pb_error *bad);
	void (*close)(struct pb_bag *b);
};

struct pb_ros_heard;

struct pb_ros_opts {
	struct pb_bag_reader reader; /* zeroed: recordings are refused */
	struct pb_opt_list topic; /* topics to be used, beside others by type */
	bool has_laser;
	double
	    laser[3]; /* pose of the scanner, overriding transforms (m, rad) */
	struct pb_ros_survey *survey; /* only count; NULL: make records */
	/* Called for each message before it is converted, with m NULL if its
	 * type is not supported; or NULL. */
	void (*hear)(void *user, const struct pb_ros_heard *from,
	    const char *type, const struct pb_ros_message *m);
	void *user;            /* context of hear() */
	enum pb_ros_type only; /* skip other types; 0: skip none */
	char *no_mount; /* PB_ROS_NAME bytes: gets the frame of scans that lacks
	                   a transform from the base; NULL: print a warning */
};

#define PB_ROS_READER                                  \
	{                                              \
		pb_bag_open, pb_bag_next, pb_bag_close \
	}

/* Rows of a tool's option table; p: struct pb_ros_opts *. */
#define PB_OPT_ROS(p, ...)                                                \
	{.name = "topic",                                                 \
	    .kind = PB_OPT_LIST,                                          \
	    .arg = "name",                                                \
	    .help = "ROS topic to use where several have a type",         \
	    .to = &(p)->topic,                                            \
	    __VA_ARGS__},                                                 \
	{                                                                 \
		.name = "laser", .kind = PB_OPT_POSE, .arg = "x,y,theta", \
		.help = "ROS: pose of the scanner on the robot (m, rad)", \
		.to = (p)->laser, .seen = &(p)->has_laser, __VA_ARGS__    \
	}

/*
 * Messages arrive in any order; records are given in the order of their stamps,
 * counted from the first: scans with the mount of their frame, after odometry
 * interpolated to their time; odometry (of a topic, else of transforms);
 * estimates (of a topic, else of the transform from map to odom); initial
 * poses, true poses, goals, maps, paths, velocities. Of several topics for one
 * role, one is used.
 *
 * Therefore records are held back: at first for 1 s, unless topics have their
 * usual names; a scan until later odometry came, 0.5 s at most, and until its
 * frame is known, 3 s at most.
 */
struct pb_ros_records;

/* How well a topic fits its role (below PB_ROLES), by its name. */
enum pb_ros_rank {
	PB_RANK_UNFIT, /* a costmap */
	PB_RANK_FRAME, /* transform of any frame, ... */
	PB_RANK_BASE,  /* ... of one named like a base, ... */
	PB_RANK_BELOW, /* ... of one above the scanner */
	PB_RANK_SOME,
	PB_RANK_ALIKE, /* ends in the usual name: "/robot1/scan" */
	PB_RANK_USUAL, /* has the usual name */
	PB_RANK_NAMED  /* by the user */
};
enum pb_ros_rank pb_ros_rank_of(
    const struct pb_opt_list *named, enum pb_ros_role role, const char *topic);

/* o, file: kept; file is for messages. */
struct pb_ros_records *pb_ros_records_new(
    const struct pb_ros_opts *o, const char *file);
void pb_ros_records_free(struct pb_ros_records *k);

/* Topic and time of a message. */
struct pb_ros_heard {
	const char *topic;
	int64_t logged; /* (ns), PB_ROS_NEVER: unknown */
	long line;      /* 0: none */
};

/*
 * Convert a message; takes over what m owns.
 *
 * Returns  false with bad filled in: it is incomplete
 */
bool pb_ros_records_take(struct pb_ros_records *k,
    const struct pb_ros_heard *from, struct pb_ros_message *m,
    struct pb_error *bad);

/* Count a message of an unsupported type. */
bool pb_ros_records_skip(struct pb_ros_records *k,
    const struct pb_ros_heard *from, const char *type, struct pb_error *bad);

/* Give the next record, for pb_rec_clear(), and its line; false: none is
 * ready. */
bool pb_ros_records_next(
    struct pb_ros_records *k, struct pb_rec *r, long *line);

/* Give all held records before the next message; false: none is held. */
bool pb_ros_records_flush(struct pb_ros_records *k);

/* The messages have ended: warn of what was missing. */
void pb_ros_records_end(struct pb_ros_records *k);
