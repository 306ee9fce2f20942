/* slam.h - where a robot was, from its odometry and scans alone. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pb/geom.h"
#include "pb/param.h"
#include "pb/scan.h"
#include "pb/status.h"

/*
 * SLAM of a whole log. Scans at some distance are key scans. Each is matched
 * with those before it, then with old ones nearby, which closes loops; the
 * relative poses form a graph (posegraph.h) that is solved again after each
 * loop. At the end all neighbours are matched with each other and the graph is
 * solved, a few times. Then the other scans are matched with the key scans
 * around them.
 *
 * A step that fits badly at its odometry is searched for at all headings. After
 * a few scans without a match a new piece begins, which later matches may
 * connect with the old ones.
 */
struct pb_slam_opts {
	double key_step;  /* distance between key scans (m) */
	double key_turn;  /* or turn between key scans (rad) */
	double odom_step; /* standard deviation of odometry, per m */
	double odom_turn; /* and per rad turned */
	double reach;     /* returns beyond this are not matched (m) */
	int local;    /* number of key scans that the next is matched with */
	double drift; /* growth of the loop search radius per m driven */
	double loop_score; /* least nearness of a loop, 0..1 */
	double loop_share; /* least share of points on lines of a loop */
	int rounds;        /* final rounds of matching all neighbours */
	/* Progress: `done` of `all` scans' share of the work; called now and
	 * then if not NULL. False ends the run. */
	bool (*step)(void *ctx, size_t done, size_t all);
	void *ctx;
};

struct pb_slam_opts pb_slam_defaults(void);

/* The constants as options. */
extern const struct pb_params pb_slam_params;

/* How a scan is connected with another. */
enum pb_slam_kind {
	PB_SLAM_MATCHED, /* by a match */
	PB_SLAM_DENIED,  /* by a match that contradicts odometry */
	PB_SLAM_GUESSED, /* by odometry */
	PB_SLAM_CUT,     /* by a guess: a new piece begins */
	PB_SLAM_LOOP     /* by a loop */
};

struct pb_slam_mark {
	enum pb_slam_kind kind;
	size_t a, b; /* the scans, a < b */
};

struct pb_slam_report {
	size_t keys;     /* number of key scans */
	size_t lost;     /* key scans placed by odometry, without a match */
	size_t denied;   /* steps whose match contradicts odometry */
	size_t loops;    /* loops closed */
	double loop_off; /* largest final error of a loop (m) */
	size_t pairs;    /* neighbours matched in the last round */
	size_t pieces;   /* pieces connected by guesses only, 1: no guess */
	size_t compared; /* pairs of key scans that see the same */
	size_t contradictions; /* pairs that see through each other's returns */
	double deformation;    /* expected error of the poses (m), see below */
	/* Steps that are no plain match, in order, then loops; for free(). */
	struct pb_slam_mark *mark;
	size_t marks;
};

/*
 * Whether so many scans contradict each other that the poses must be wrong.
 * Some always do, for people walk and there is glass: up to 2.5 % of the pairs
 * of good maps, and more than 7 % of those of bad ones.
 */
bool pb_slam_contradicts(const struct pb_slam_report *r);

/*
 * A map whose expected deformation is larger is refused (m). The expected
 * deformation is the root mean square error of the key scans' places after
 * alignment, sqrt(S + W), from two experiments on the pose graph. In both, a
 * match has the information that is left when that of errors of the normals
 * is taken away: none along the walls of a bare corridor.
 *
 * S: mean over draws of what the solution moves by when each measurement is
 *    redrawn from its covariance (parametric bootstrap: Efron and Tibshirani,
 *    "An Introduction to the Bootstrap", 1993, 6.5).
 * W: what the solution moves by when the wheels count more: what matches
 *    claim without evidence, and wheels deny.
 *
 * Both are squared distances (m2), averaged over the key scans, after
 * alignment with the poses found. An error that matches share, as a loop
 * closed with the wrong place, is in neither.
 */
#define PB_SLAM_DEFORMED 0.15

/*
 * Poses of n scans, the first of which is at `start`.
 *
 * Given    scan  in order of time
 *          odom  n poses in the frame of the wheels
 *          out   room for n poses
 * Returns  PB_OK, out and *report; PB_EVALUE (opts), PB_EEMPTY (no scan),
 *          PB_ENOMEM, PB_ESIZE (scans far too wide), PB_ESTOPPED (by step)
 *          and out untouched
 * Note     the same input gives the same output
 */
enum pb_status pb_slam(const struct pb_slam_opts *o, struct pb_pose start,
    const struct pb_scan *scan, const struct pb_pose *odom, size_t n,
    struct pb_pose *out, struct pb_slam_report *report);
