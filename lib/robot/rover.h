/* rover.h - a robot's body: true pose, estimated pose, and path following. */
#pragma once

#include <stdbool.h>

#include "pb/drive.h"
#include "pb/geom.h"
#include "pb/param.h"
#include "pb/rng.h"

/*
 * A particle filter publishes a pose after some motion, and its error lasts
 * from one publication to the next. Here the estimate is the truth plus an
 * error that is a first-order autoregressive process, one per coordinate:
 *
 *	e' = keep e + sqrt(1 - keep^2) sd N(0, 1)
 *
 * so that its standard deviation is sd at every update.
 */
struct pb_estimate_opts {
	double sd;    /* standard deviation of x and of y (m), >= 0 */
	double th_sd; /* standard deviation of the heading (rad), >= 0 */
	double keep;  /* share of the error that stays, 0..1 */
	double min_d; /* update after this motion along an axis (m) */
	double min_a; /* or after this turn (rad), >= 0 */
};

struct pb_estimator {
	bool ever;             /* there was an update */
	struct pb_pose error;  /* present error, map axes */
	struct pb_pose odom;   /* odometry at the last update */
	struct pb_pose pose;   /* estimate at the last update */
	struct pb_pose in_map; /* odometry frame in the map, by the estimate */
};

/*
 * Whether an update is due: the first, and after enough motion. As in AMCL,
 * motion is the change of either coordinate, not the distance.
 */
bool pb_estimate_due(const struct pb_estimator *e,
    const struct pb_estimate_opts *o, struct pb_pose odom);

/*
 * Update: draw the error, set pose and in_map.
 *
 * Given    truth, odom  poses at this moment, in the map and odometry frames
 *          r            the stream for PB_FOR_POSE
 */
void pb_estimate_update(struct pb_estimator *e,
    const struct pb_estimate_opts *o, struct pb_pose truth, struct pb_pose odom,
    struct pb_rng *r);

/* The estimate carried on by odometry: what steering uses in between. */
struct pb_pose pb_estimate_now(
    const struct pb_estimator *e, struct pb_pose odom);

/* Source of estimates: the error model above, or a method on board. */
enum pb_rover_localizer { PB_ROVER_NOISE, PB_ROVER_MCL, PB_ROVER_ODOM };

/*
 * A differential drive that follows commanded twists within its acceleration
 * and a relative error, and a localizer with correlated errors. SI units, map
 * frame. The state is flat; copying it is a snapshot.
 */
struct pb_rover_opts {
	struct pb_estimate_opts estimate; /* min_d, min_a: not used */
	double slip;   /* standard deviation of a twist (share) */
	double v_acc;  /* acceleration (m/s2), 0: no limit */
	double w_acc;  /* acceleration of the turn rate (rad/s2), 0: no limit */
	int localizer; /* enum pb_rover_localizer */
};

/*
 * Rows (see param.h) of the rover at a field; how its game calls a step; the
 * usual errors of its place (m) and heading (rad).
 */
#define PB_ROVER_ROWS(rover, step, sd_, th_sd_)                              \
	PB_REAL("pose-noise", rover.estimate.sd, "m", sd_, 0, 10,            \
	    "standard deviation of the estimated x and y",                   \
	    .when = "motion=drive&localizer=noise", .also = "noise|error"),  \
	    PB_REAL("heading-noise", rover.estimate.th_sd, "rad", th_sd_, 0, \
		3, "standard deviation of the estimated heading",            \
		.when = "motion=drive&localizer=noise"),                     \
	    PB_REAL("pose-keep", rover.estimate.keep, "", 0.9, 0, 0.999,     \
		"share of the error that stays from " step " to " step,      \
		.when = "motion=drive&localizer=noise"),                     \
	    PB_REAL("slip", rover.slip, "share", 0.05, 0, 1,                 \
		"standard deviation of the wheels' speeds",                  \
		.when = "motion=drive", .also = "odom|odometry"),            \
	    PB_REAL("accel", rover.v_acc, "m/s2", 0, 0, 100,                 \
		"acceleration of robots, 0: without limit",                  \
		.when = "motion=drive"),                                     \
	    PB_REAL("turn-accel", rover.w_acc, "rad/s2", 0, 0, 1000,         \
		"the same of their turn rate", .when = "motion=drive")

#define PB_ROVER_LOCALIZERS "noise|mcl|odom"
#define PB_ROVER_LOCALIZER_ROW(rover)                                \
	PB_CHOICE("localizer", rover.localizer, PB_ROVER_LOCALIZERS, \
	    "where robots' estimates are from", .when = "motion=drive")

/* With a method on board (localize/onboard.h) that sets `seen`; the functions
 * here set it only when the robot is carried. */
struct pb_rover {
	struct pb_pose pose;    /* true pose */
	struct pb_pose seen;    /* estimated pose, by which it steers */
	struct pb_twist twist;  /* true motion in the last step */
	struct pb_twist wheels; /* motion of the wheels, which may slip */
	struct pb_estimator error;
	struct pb_rng noise, motion;
};

/* Begin robot number `which` of trial `trial` of `seed` at p. */
void pb_rover_start(struct pb_rover *r, const struct pb_rover_opts *o,
    struct pb_pose p, uint64_t seed, uint64_t trial, unsigned which);

/* The robot is carried to p. */
void pb_rover_place(
    struct pb_rover *r, const struct pb_rover_opts *o, struct pb_pose p);

/* Drive with u for dt (s), then update the estimate. */
void pb_rover_drive(struct pb_rover *r, const struct pb_rover_opts *o,
    struct pb_twist u, double dt);

/*
 * Pure pursuit (Coulter, "Implementation of the pure pursuit path tracking
 * algorithm", 1992): aim at a point of the path at some distance ahead, the
 * carrot, and drive the arc that leads there. A robot that looks the wrong way
 * turns on the spot first. The path belongs to the caller.
 */
struct pb_follow_opts {
	double lookahead; /* distance of the carrot from the nearest point (m),
	                     > 0 */
	double turn_at;   /* turn on the spot if misaligned by more (rad) */
	double turn_to;   /* until misaligned by less (rad) */
};

struct pb_follow {
	int at;       /* nearest way-point so far */
	bool turning; /* it turns on the spot */
};

/* Whether the robot can drive straight from a to b. */
typedef bool pb_clear_fn(const void *ctx, struct pb_vec a, struct pb_vec b);

/*
 * The carrot: the point at most `lookahead` along the path from its nearest
 * point, pulled back until the straight line to it is clear.
 *
 * Given    f     moves on; start a path with a zeroed one
 *          p     place of the robot
 *          path  n >= 1 points, a few centimetres to metres apart
 *          clear NULL: everything is
 */
struct pb_vec pb_follow_carrot(struct pb_follow *f,
    const struct pb_follow_opts *o, struct pb_vec p, const struct pb_vec *path,
    int n, pb_clear_fn *clear, const void *ctx);

/*
 * The twist that leads to the carrot.
 *
 * Given    p       pose of the robot, same frame as the carrot
 *          carrot  where to aim
 *          rest    distance to the goal (m): it brakes to stop there
 *          l       limits; the twist respects those of speed, and slows down
 *                  in time for those of acceleration
 */
struct pb_twist pb_follow_twist(struct pb_follow *f,
    const struct pb_follow_opts *o, struct pb_pose p, struct pb_vec carrot,
    double rest, const struct pb_limits *l);

/*
 * A robot that can go any way follows a path of cells as published: it aims at
 * where a circle about it meets the lines of the path, at a speed that depends
 * on how straight the path is, and is turned back to its heading. Frame and
 * unit are those of pb_cells_xy(): cells and seconds.
 */
#define PB_PURSUIT_PATH 10 /* cells of a path that count */

/* Constants; those of the published robot but for the speed. */
struct pb_pursuit_opts {
	double speed;     /* usual speed (cells/s) */
	double lookahead; /* radius of the circle (cells) */
	double turning;   /* share of the speed before a turn */
	double snap; /* without a path drive to a centre farther than this */
	double snap_gain; /* gain of that motion (1/s) */
};
struct pb_pursuit_opts pb_pursuit_usual(double speed);

/* State: the cell that the robot is in, and since when. */
struct pb_pursuit {
	int row, col;
	double same; /* time in the same cell (s) */
};

struct pb_pursuit_pose {
	struct pb_vec at; /* estimate (cells) */
	int row, col;     /* the cell that it is in */
};

/*
 * The velocity in the frame of the maze.
 *
 * Given    s     zeroed at first; moves on
 *          path  n cells (row, col each) from the one after the robot's on,
 *                each a step from the one before; all but the first
 *                PB_PURSUIT_PATH are left out
 *          dt    since the last step (s)
 * Returns  false and v zero if there is no command: it is where it aims at, or
 *          without a path near the centre of a cell
 */
bool pb_pursuit_step(struct pb_pursuit *s, const struct pb_pursuit_opts *o,
    const struct pb_pursuit_pose *p, const int (*path)[2], int n, double dt,
    struct pb_vec *v);

/* A velocity in the maze in the body's frame, with the heading held at `to`. */
struct pb_motion pb_pursuit_motion(struct pb_vec v, double th, double to);

/* The pose of one tag in the frame of another: p = r p' + p. SI units. */
struct pb_tag {
	double r[3][3];
	double p[3];
};

struct pb_twist3 {
	double v[3]; /* m/s */
	double w[3]; /* rad/s */
};

/* A tag at p and height z (m), tilted: r = Rz(p.th) Ry(pitch) Rx(roll). */
struct pb_tag pb_tag_at(struct pb_pose p, double z, double pitch, double roll);

/*
 * Two published controllers by which a differential drive goes to the
 * centre of the next cell. SI units, one frame for poses and points.
 *
 * Turn until the target is ahead within an angle, then drive with small
 * corrections until it is near.
 */
struct pb_waypoint_opts {
	double aim;     /* heading error below which it drives (rad) */
	double near;    /* distance from the centre that counts as there (m) */
	double v;       /* forward speed (m/s) */
	double w;       /* turn rate on the spot (rad/s) */
	double correct; /* turn rate per heading error while driving (1/s) */
};

struct pb_waypoint {
	struct pb_vec target;
	bool driving; /* it has turned, and drives */
};

/* The twist for the next dt (s). While it drives it does not stop to turn again
 * unless the target is behind it. */
struct pb_twist pb_waypoint_step(struct pb_waypoint *s,
    const struct pb_waypoint_opts *o, struct pb_pose p, double dt);

/*
 * The other way: the twist that would bring the robot there in one second,
 * turning first, then cut to a speed. The published code makes two mistakes:
 * its twist has a unit axis (see struct pb_tag), and a robot that was aligned
 * once does not turn on the spot again until it is there.
 */
struct pb_approach_opts {
	double turn_until; /* turn on the spot above this turn rate (rad/s) */
	double v;          /* largest forward speed (m/s) */
	double gain;       /* gain of the turn rate while driving */
	double near;       /* there if both coordinates are this near (cells) */
	bool published;    /* make the published mistakes */
};

/* State of the controller on its way to one point; zero it to begin. */
struct pb_leg {
	bool aligned;
	struct pb_twist3 last;      /* last turn before the cut to a speed */
	struct pb_twist3 commanded; /* the latest commanded twist */
};

/*
 * The twist to a point; zero, and *there, if it is reached.
 *
 * Given    p     where the robot believes to be
 *          tag   its tag at p, for the unit axis; NULL if not published
 *          cell  size of a cell (m)
 * Note     Where no axis is defined, it is that of the step before.
 */
struct pb_twist3 pb_approach(const struct pb_approach_opts *o,
    struct pb_leg *leg, struct pb_pose p, const struct pb_tag *tag,
    struct pb_vec to, struct pb_vec cell, bool *there);
