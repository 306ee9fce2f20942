/* scan_match.h - matching a scan to others: exhaustive search, then point-to-
 * line refinement. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "map/correlate.h"
#include "pb/geom.h"
#include "pb/scan.h"
#include "pb/status.h"

/*
 * A target is a set of points to match a scan to, in one frame, drawn into
 * cells: a cell holds how far its centre is from the nearest point, and which
 * point that is. A target belongs to one thread; it grows when it must and can
 * be reused.
 */
#define PB_MATCH_FULL 255 /* nearness of a cell whose centre is a point */

struct pb_target {
	double cell;      /* side of a cell (m) */
	double sigma;     /* nearness is exp(-d^2 / (2 sigma^2)) (m) */
	struct pb_vec lo; /* lower left corner of cell (0, 0) (m) */
	struct pb_corr_field field; /* PB_MATCH_FULL less nearness; owned */
	uint8_t *levels;            /* memory of its levels, owned */
	int16_t *far;  /* of a cell: half the squared distance of its
	                      nearest point, see scan_match.c */
	int32_t *near; /* of a cell: index of that point, where one is near */
	struct pb_point *point; /* n of them, owned */
	size_t n;
	size_t cells, points, size; /* room for them, and bytes of levels */
};

/* A target without points. cell and sigma > 0. */
struct pb_target pb_target_empty(double cell, double sigma);

/* Free what t owns; its sizes of cells stay. */
void pb_target_clear(struct pb_target *t);

/*
 * Forget the old points and make room for those of a box.
 *
 * Given    lo, hi  corners of the box (m)
 *          points  to come, at most
 * Returns  PB_OK, PB_ESIZE or PB_ENOMEM; then the target is empty
 */
enum pb_status pb_target_begin(
    struct pb_target *t, struct pb_vec lo, struct pb_vec hi, size_t points);

/* Draw n points given in the frame f; those outside the box are left out. */
void pb_target_add(
    struct pb_target *t, struct pb_pose f, const struct pb_point *p, size_t n);

/* Make it ready for pb_match_search. Returns PB_OK or PB_ENOMEM. */
enum pb_status pb_target_finish(struct pb_target *t);

/* The window of poses around a guess to search. */
struct pb_match_window {
	double x, y;      /* half sides, along the target's axes (m) */
	double th;        /* half angle (rad) */
	double turn;      /* angle between tried headings, > 0 (rad) */
	double spread;    /* standard deviation of the guess's place (m) */
	double spread_th; /* and heading (rad); INFINITY: none */
	double weight; /* penalty of a squared deviation; the best score is 1 */
	struct pb_pose avoid; /* poses near this one are excluded: */
	double apart;         /* nearer than this (m), 0: exclude none */
	double apart_th;      /* and turned from it by less than this (rad) */
};

/* Mean nearness (0..1) of n points of a robot at that pose. */
double pb_match_score(const struct pb_target *t, const struct pb_point *p,
    size_t n, struct pb_pose pose);

/*
 * The pose of the window with the highest score: mean nearness of the points
 * (0..1) less weight * (dx^2 + dy^2) / (2 spread^2) + dth^2 / ... of the way
 * from the guess.
 *
 * Given    p, n   points in the robot's frame
 *          least  scores up to this one do not count
 * Returns  PB_OK, *pose and *score; PB_ENOENT if no pose has a higher score
 *          than least; PB_ENOMEM
 * Note     of all poses on the lattice of cells and turns about the guess the
 *          best one (see correlate.h), exactly unless more than 65,536
 *          blocks may hold it. Of more than PB_CORR_POINTS points it takes
 *          that many
 */
enum pb_status pb_match_search(const struct pb_target *t,
    const struct pb_point *p, size_t n, struct pb_pose guess,
    const struct pb_match_window *w, double least, struct pb_pose *pose,
    double *score);

/* How well points fit a target. */
struct pb_fit {
	struct pb_pose pose;
	double precision[3][3]; /* sum of squared derivatives: of x, y (1), th
	                           (m2) */
	double share;           /* share of the points that lie near a line */
	size_t n;               /* number of those points */
};

/*
 * Improve a guess by least squares of the distances between the points and
 * the lines through their nearest neighbours (Censi, "An ICP variant using a
 * point-to-line metric", 2008). Surfaces must face the same way.
 *
 * Given    near  points farther from the target are left out (m); no more
 *                than 3 sigma count
 *          times steps, at most
 * Returns  the fit at the last step; n = 0 if too few points are near
 */
struct pb_fit pb_match_lines(const struct pb_target *t,
    const struct pb_point *p, size_t n, struct pb_pose guess, double near,
    int times);

/* A scan for comparing views. */
struct pb_match_view {
	const struct pb_point *point; /* its returns, in its frame */
	size_t n;
	struct pb_vec from; /* place of the scanner, in that frame (m) */
};

/* Agreement of two scans. */
struct pb_match_sight {
	double seen;    /* share of their returns in front of, or at, the
	                   other's return in that direction, both ways; hidden
	                   points and points out of view do not count */
	double through; /* of those, the share that the other one's beam passed
	                   through: a contradiction */
};

/* Given  at  pose of b in the frame of a */
struct pb_match_sight pb_match_sight(const struct pb_match_view *a,
    const struct pb_match_view *b, struct pb_pose at);
