/* localize.h - a localization method on a stream of records. */
#ifndef PB_IO_TOOL_LOCALIZE_H
#define PB_IO_TOOL_LOCALIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "io/stream/filter.h"
#include "pb/localizer.h"

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

#define PB_LOCALIZE_METHODS 16

struct pb_localize_opts {
	const struct pb_localizer *method;    /* NULL: the best for the world */
	void *constants[PB_LOCALIZE_METHODS]; /* of each method, its struct */
	int start;                            /* enum pb_localize_start */
	struct pb_pose at;                    /* PB_START_AT */
	double var[3];  /* variance of x, y, theta where a start has no
	                   covariance (m2, m2, rad2) */
	uint64_t seed;  /* of the method's draws */
	uint64_t trial; /* of that seed */
	double cell;    /* side of a maze's cell (m), 0: as the maze says */
	const char *id; /* of the robot; records without id are his too */
	bool belief;    /* write belief records too */
	int particles;  /* in them, at most */
};

struct pb_localize {
	const struct pb_localize_opts *o;
	const struct pb_localizer *method; /* at work; NULL: no world yet */
	struct pb_map map;                 /* owned */
	struct pb_maze maze;
	struct pb_cells cells; /* owned */
	double side;           /* of a cell of the maze (m) */
	bool turned;           /* the method has a frame of its own, ... */
	struct pb_pose frame;  /* ... this, in that of the records */
	void *known, *mem;     /* of the method, owned */
	bool begun;            /* the method was started */
	bool has_odom;
	struct pb_pose odom;   /* the last one */
	struct pb_pose *cloud; /* room for particles, owned */

	/* What pb_localize_take() found. */
	bool replaced; /* the record is an estimate that ours replace */
	bool due;      /* the method has a new answer */
	double t;      /* of the record, NAN if it has none (s) */

	/* What was odd, so that it is said once. */
	unsigned said;
	double last_t;
	double scan_t;     /* of the scan before (s) */
	long stamps_again; /* scans with the time of the one before */
	size_t beams;      /* of the scan before */
	long scans;        /* the method was given */
	long answers;      /* written */
};

/* Room for o's constants, filled with defaults; false without memory. */
bool pb_localize_opts_init(struct pb_localize_opts *o);
void pb_localize_opts_clear(struct pb_localize_opts *o);

/* z begins without a world; o is kept by the caller. */
void pb_localize_init(struct pb_localize *z, const struct pb_localize_opts *o);
void pb_localize_clear(struct pb_localize *z);

/*
 * Take a record: a map (moved out of r), a maze, or what the robot heard. Sets
 * replaced, due and t. What is odd but can be dealt with is said once.
 *
 * Returns  false with bad filled in if the record is refused
 */
bool pb_localize_take(struct pb_localize *z, struct pb_rec *r,
    struct pb_place place, struct pb_bad *bad);

/*
 * Take the map or maze at path, a file of any kind or a name that
 * pb_mapsource_is_name() knows, and write it as a record.
 *
 * Returns  whether it worked; if not, why was said
 */
bool pb_localize_load(
    struct pb_localize *z, const char *path, struct pb_text *out);

/* What the method believes now. */
void pb_localize_answer(const struct pb_localize *z, struct pb_belief *b);

/* Write it: a pose if there is one, and a belief if that was asked for. */
void pb_localize_write(
    struct pb_localize *z, const struct pb_belief *b, struct pb_text *out);

/* What is odd about the time, or a scan, is said, once of each kind. */
void pb_localize_see_time(struct pb_localize *z, struct pb_place place);
void pb_localize_see_stamp(struct pb_localize *z); /* at the end */
void pb_localize_see_scan(
    struct pb_localize *z, const struct pb_rec_scan *c, struct pb_place place);

/* After the last record of the stream at `at`: say what was missing in it. */
void pb_localize_end(const struct pb_localize *z, struct pb_place at);

#endif
