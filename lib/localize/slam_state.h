/* slam_state.h - what the slam*.c share. */
#ifndef PB_LOCALIZE_SLAM_STATE_H
#define PB_LOCALIZE_SLAM_STATE_H

#include <stdbool.h>

#include "localize/posegraph.h"
#include "localize/slam.h"
#include "map/scan_match.h"

/* A key scan. */
struct pb_slam_key {
	size_t scan;                  /* its number in the log */
	const struct pb_point *point; /* its returns, in its frame */
	size_t n;
	double far; /* distance of the farthest (m) */
};

/* A scan that is none. */
struct pb_slam_other {
	int key;            /* before it */
	struct pb_pose rel; /* in the frame of the key */
};

struct pb_slam_work {
	const struct pb_slam_opts *o;
	const struct pb_scan *scan;
	const struct pb_pose *odom; /* NULL: none */
	size_t n;
	struct pb_point *point; /* of all key scans */
	size_t points;
	struct pb_slam_key *key;
	struct pb_slam_other *other; /* n: of each scan */
	struct pb_pose *pose;        /* of each key */
	int keys;
	struct pb_edge *edge;
	size_t edges, edgeroom;
	size_t firm;  /* edges before pairs of neighbours */
	double way;   /* of all scans that were matched (m) */
	long steps;   /* ... and how many they are */
	double *dist; /* of each key: scratch of loops */
	struct pb_target local, loop;
	struct pb_point *gathered; /* of a few keys, see pb_slam_gather */
	double gathered_far;       /* distance of the farthest (m) */
	struct pb_slam_report report;
};

/* Pose of key b in the frame of key a, as they are now. */
struct pb_pose pb_slam_between(const struct pb_slam_work *w, int a, int b);

/* What is to be seen from a place, of a few keys. */
struct pb_slam_view {
	int frame;        /* the key in whose frame */
	int first, last;  /* keys */
	struct pb_vec at; /* the place ... */
	double far;       /* ... and how far a scan there can reach (m) */
};

/* Draw it into t, with so many levels. */
enum pb_status pb_slam_draw(struct pb_slam_work *w,
    const struct pb_slam_view *v, int levels, struct pb_target *t);

/*
 * Gather points of key k and of up to `before` keys before it, in the frame of
 * k, thinned out, in w->gathered.
 *
 * Returns  how many
 */
size_t pb_slam_gather(struct pb_slam_work *w, int k, int before);

/* Keep what was measured of key b in the frame of key a. */
enum pb_status pb_slam_edge(struct pb_slam_work *w, int a, int b,
    struct pb_pose z, const double precision[3][3], double soft);

/* The same of a fit of b on points in the frame of a. */
enum pb_status pb_slam_fit_edge(
    struct pb_slam_work *w, int a, int b, const struct pb_fit *f, double soft);

/* Find the pose of the newest key from those before it. */
enum pb_status pb_slam_track(struct pb_slam_work *w);

/* Look for loops that the newest key closes, and solve if there are. */
enum pb_status pb_slam_close(struct pb_slam_work *w);

/* Match all neighbours with each other and solve. */
enum pb_status pb_slam_refine(struct pb_slam_work *w);

#endif
