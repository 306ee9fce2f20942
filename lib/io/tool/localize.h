/* localize.h - a localization method on a stream of records. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "io/opt/opt.h"
#include "io/ros/ros_records.h"
#include "io/ros/rosbridge.h"
#include "pb/localizer.h"
#include "policy/localize_game.h"

/*
 * Records in, poses out: a map or maze begins; odom, scan and fix records of
 * the robot go to the method; after each scan and each fix that it uses, its
 * answer is due. One thread.
 */
enum pb_localize_start {
	PB_START_ANYWHERE, /* all free places alike */
	PB_START_AT,       /* near a pose */
	PB_START_TRUTH     /* near the first pose with source truth */
};

/* The constants of all methods, in the order of pb_localizer_at(), as options
 * with the methods' names before theirs. */
struct pb_method_opts {
	void *constants[PB_LOCALIZE_METHODS]; /* each its struct, owned */
	char title[PB_LOCALIZE_METHODS][48];  /* of their groups */
};

/* Defaults, for pb_method_opts_clear. */
void pb_method_opts_init(struct pb_method_opts *o);
void pb_method_opts_clear(struct pb_method_opts *o);

/* Add them to what --set knows, a group for each method, none of them chosen.
 */
void pb_method_sets(struct pb_method_opts *o, struct pb_set *s);

struct pb_localize_opts {
	const struct pb_localizer *method; /* NULL: the best for the world */
	struct pb_method_opts methods;
	int start;         /* enum pb_localize_start */
	bool asked;        /* for the start, by the user */
	struct pb_pose at; /* PB_START_AT */
	double var[3];     /* variance of x, y, theta where a start has no
	                      covariance (m2, m2, rad2) */
	uint64_t seed;     /* of the method's draws */
	uint64_t trial;    /* of that seed */
	double cell;       /* side of a maze's cell (m), 0: as the maze says */
	const char *id;    /* of the robot; records without an id are of this robot */
	bool belief;       /* write belief records too */
	int particles;     /* in them, at most */
};

/* Defaults, for pb_method_opts_clear. */
void pb_localize_opts_init(struct pb_localize_opts *o);

struct pb_localize_stream_opts {
	struct pb_localize_opts loc;
	const char *map; /* file of the map or maze, NULL: in the stream */
	int scans;       /* enum pb_filter_scans: those that count */
	bool wait;       /* no method: hold the stream until a pose comes */
	bool convert;    /* no method: only read and write */
	const char *tum; /* file for the poses as well, NULL: none */
	double clock;    /* its time where that of records is 0 (s) */
	bool live;       /* while not sure, take the newest scan that came */
	struct pb_ros_opts ros;
	struct pb_rosbridge_in_opts robot; /* in place of operands */
};

/*
 * Read the streams named by operands to their ends and pass them on to stdout,
 * with the poses of the robot in place of earlier estimates. A refused record
 * gets a message. The file of o->tum appears whole, or not at all.
 */
void pb_localize_stream(const struct pb_localize_stream_opts *o,
    const struct pb_opt_common *common, char **files, int n);

/* Write which topics of ROS the streams have, as a table, to stdout. */
void pb_localize_info(const struct pb_localize_stream_opts *o,
    const struct pb_opt_common *common, char **files, int n);
