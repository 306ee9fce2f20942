/* localize.h - run a localization method on a stream of records, or find
 * problems of it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "io/opt/opt.h"
#include "io/ros/ros_records.h"
#include "io/ros/rosbridge.h"
#include "pb/localizer.h"
#include "policy/localize_game.h"

/*
 * Records in, poses out: a map or maze starts the method, which receives odom,
 * scan and fix records of the robot; it answers after each scan and each fix
 * that it uses. One thread.
 */
enum pb_localize_start {
	PB_START_ANYWHERE, /* all free places equally likely */
	PB_START_AT,       /* near a pose */
	PB_START_TRUTH     /* near the first pose with source truth */
};

/* The constants of all methods, in the order of pb_localizer_at(), as options
 * prefixed by the methods' names. */
struct pb_method_opts {
	void *constants[PB_LOCALIZE_METHODS]; /* a struct each, owned */
	char title[PB_LOCALIZE_METHODS][48];  /* of their groups */
};

/* Set defaults; end with pb_method_opts_clear(). */
void pb_method_opts_init(struct pb_method_opts *o);
void pb_method_opts_clear(struct pb_method_opts *o);

/* Add them to --set: a group for each method, none chosen. */
void pb_method_sets(struct pb_method_opts *o, struct pb_set *s);

struct pb_localize_opts {
	const struct pb_localizer *method; /* NULL: the best for the world */
	struct pb_method_opts methods;
	int start;         /* enum pb_localize_start */
	bool asked;        /* the user gave the start */
	struct pb_pose at; /* PB_START_AT */
	double var[3];  /* variance of x, y, theta of a start without covariance
	                   (m2, m2, rad2) */
	uint64_t seed;  /* of random draws */
	uint64_t trial; /* number of the trial with that seed */
	double cell;    /* side of a maze's cell (m), 0: by the maze */
	const char *id; /* of the robot; records without id are of it */
	bool belief;    /* write belief records, too */
	int particles;  /* most particles in a belief */
};

/* Set defaults; end with pb_localize_opts_clear() of its methods. */
void pb_localize_opts_init(struct pb_localize_opts *o);

struct pb_localize_stream_opts {
	struct pb_localize_opts loc;
	const char *map; /* file of the map or maze, NULL: in the stream */
	int scans;       /* enum pb_filter_scans: scans to use */
	bool wait;       /* no method: hold the stream until a pose comes */
	bool convert;    /* no method: only read and write */
	const char *tum; /* file that also gets the poses, NULL: none */
	double clock;    /* time of tum at time 0 of records (s) */
	bool live;       /* while not tracking, use the newest scan */
	struct pb_ros_opts ros;
	struct pb_rosbridge_in_opts robot; /* instead of operands */
};

/*
 * Read the streams named by operands to their ends, and pass them on to stdout
 * with poses of the robot instead of earlier estimates. A refused record gets a
 * message. The file o->tum is written as a whole or not at all.
 */
void pb_localize_stream(const struct pb_localize_stream_opts *o,
    const struct pb_opt_common *common, char **files, int n);

/* Print a table of the streams' ROS topics to stdout. */
void pb_localize_info(const struct pb_localize_stream_opts *o,
    const struct pb_opt_common *common, char **files, int n);

/*
 * Read the recording named by files, of any kind that pb_localize_stream()
 * reads, and print findings to stdout, a line each, worst first:
 *
 * FILE:LINE: SEVERITY: CODE: TEXT; WHAT TO DO
 *
 * Status 1 if a finding is an error. With a map, of o->map or of the recording,
 * the default method localizes on it, to see whether it fits.
 */
void pb_doctor(const struct pb_localize_stream_opts *o,
    const struct pb_opt_common *common, char **files, int n);
