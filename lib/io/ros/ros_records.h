/* ros_records.h - the messages of a robot's topics as a stream of records. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "io/opt/opt.h"
#include "io/rec/rec.h"
#include "io/ros/bag.h"
#include "io/ros/ros_message.h"

/* What a message is for, by its type and by its topic's name. */
enum pb_ros_role {
	PB_ROLE_NONE,
	PB_ROLE_SCAN,
	PB_ROLE_ODOM,
	PB_ROLE_ESTIMATE, /* of the pose */
	PB_ROLE_MAP,
	PB_ROLE_PATH,
	PB_ROLE_TWIST,
	PB_ROLES, /* of the roles above one topic each is used; of the
	             following, all: */
	PB_ROLE_TRUTH = PB_ROLES,
	PB_ROLE_INITIAL,
	PB_ROLE_UNSURE, /* an estimate; its status is its topic's last part */
	PB_ROLE_GOAL,
	PB_ROLE_TF
};

enum pb_ros_role pb_ros_role_of(enum pb_ros_type type, const char *topic);

/* A zeroed struct is empty. */
struct pb_ros_survey {
	struct pb_ros_count {
		char *name, *type;       /* one piece, owned: the name's */
		char frame[PB_ROS_NAME]; /* of the first message, "" if none */
		long n;
		int64_t first, last; /* (ns) */
	} * at;                      /* n of them, owned */
	size_t n, room;
	bool timed;   /* records have times */
	double start; /* the stamp that these count from (s) */
};

void pb_ros_survey_clear(struct pb_ros_survey *s);

/* The row of a topic and type, added if it is new; its first and last time are
 * PB_ROS_NEVER then. NULL: there are too many. */
struct pb_ros_count *pb_ros_survey_row(
    struct pb_ros_survey *s, const char *topic, const char *type);

/* A table, by the names of topics, its first row how many and how long. */
void pb_ros_survey_print(struct pb_ros_survey *s, FILE *out);

/* What reads recordings; only tools that name it need its libraries. */
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
	struct pb_opt_list topic; /* to be taken, beside others by their type */
	bool has_laser;
	double
	    laser[3]; /* pose of the scanner, overriding transforms (m, rad) */
	struct pb_ros_survey *survey; /* only count messages; NULL: make
	                                 records */
	/* Is shown each message before records are made of it, of a type that
	 * is not read as NULL; or NULL. */
	void (*hear)(void *user, const struct pb_ros_heard *from,
	    const char *type, const struct pb_ros_message *m);
	void *user;            /* context of hear() */
	enum pb_ros_type only; /* other types are passed over; 0: none is */
	char *no_mount; /* PB_ROS_NAME bytes: gets the frame of scans without
	                   a transform from the base; NULL: a warning does */
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

/*
 * Messages come in the order of their arrival, records go out in the order of
 * their stamps, which count from the first: scans with the mount of their frame
 * and with the odometry of their moment in front of them, odometry (of a topic,
 * else of the transforms), estimates of the pose (of a topic, else those of map
 * to odom), initial poses, true poses, goals, maps, paths, velocities. Of
 * several topics of one kind, one is used.
 *
 * Therefore some are held back: at first for a second, unless topics have
 * their usual names; a scan until odometry has passed it, half a second at
 * most, and until its frame is known, three seconds at most.
 */
struct pb_ros_records;

/* How good a topic is for what it is for, a role below PB_ROLES, by its name.
 */
enum pb_ros_rank {
	PB_RANK_UNFIT, /* a costmap */
	PB_RANK_FRAME, /* transforms: of any frame, */
	PB_RANK_BASE,  /* of one with the name of a base, */
	PB_RANK_BELOW, /* or of one that the scanner is on */
	PB_RANK_SOME,
	PB_RANK_ALIKE, /* has the usual name below another, "/robot1/scan" */
	PB_RANK_USUAL, /* has the usual name */
	PB_RANK_NAMED  /* by the user */
};
enum pb_ros_rank pb_ros_rank_of(
    const struct pb_opt_list *named, enum pb_ros_role role, const char *topic);

/* Given    o     kept
 *          file  for complaints, kept */
struct pb_ros_records *pb_ros_records_new(
    const struct pb_ros_opts *o, const char *file);
void pb_ros_records_free(struct pb_ros_records *k);

/* Where a message came from, and when. */
struct pb_ros_heard {
	const char *topic;
	int64_t logged; /* (ns), PB_ROS_NEVER: not known */
	long line;      /* 0: none */
};

/*
 * Take a message, and out of m what it owns.
 *
 * Returns  false with bad filled in if it lacks something
 */
bool pb_ros_records_take(struct pb_ros_records *k,
    const struct pb_ros_heard *from, struct pb_ros_message *m,
    struct pb_error *bad);

/* The same of a type that is not ours: it is only counted. */
bool pb_ros_records_skip(struct pb_ros_records *k,
    const struct pb_ros_heard *from, const char *type, struct pb_error *bad);

/* The next record, for pb_rec_clear(), and the line it came from; false: none
 * can be given yet. */
bool pb_ros_records_next(
    struct pb_ros_records *k, struct pb_rec *r, long *line);

/* Hold none back until the next message; false: none is held. */
bool pb_ros_records_flush(struct pb_ros_records *k);

/* The messages have ended: print what was missing. */
void pb_ros_records_end(struct pb_ros_records *k);
