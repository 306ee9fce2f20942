/* safe.h - the player that plans in time against a forecast of Clyde's way, and
 * the filter by which it knows its pose. */
#pragma once

#include "game/pacmanbot/opts.h"
#include "pb/geom.h"
#include "policy/safe_marks.h"
#include "policy/safe_net.h"
#include "policy/safe_plan.h"

/*
 * A localizer's error lasts: the next estimate is wrong in much the same way.
 * Odometry is nearly right over a short way. So the filter's state is the
 * robot's pose *and* the present error of the localizer, which decays by
 * `keep` from one estimate to the next; a measurement is the sum of both and
 * nothing else. How large it is assumed to be, and how good odometry is, are
 * options of the round: pose_sd and the rest, odom_rot_rot and the rest.
 * Averaging over many estimates then happens by itself. An extended Kalman
 * filter (Thrun, Burgard and Fox, "Probabilistic Robotics", 2005, section 3.3).
 * A plain value; SI units, map frame.
 */
struct pb_safe_pose {
	int seen;            /* estimates so far */
	double s[6];         /* x, y, th; then the errors of each */
	double p[6][6];      /* covariance */
	struct pb_pose odom; /* odometry at the last estimate */
};

/*
 * Take in one estimate.
 *
 * Given    odom  odometry at the moment of the estimate
 */
void pb_safe_pose_see(struct pb_safe_pose *f, const struct pb_round_opts *o,
    struct pb_pose estimate, struct pb_pose odom);

/* Where the robot is now, given odometry now. */
struct pb_pose pb_safe_pose_now(
    const struct pb_safe_pose *f, struct pb_pose odom);

/* Made once by learn, shared by all games on the arena; read-only. */
struct pb_safe_known {
	struct pb_clyde_ground ground;
	struct pb_clyde_chain chain;
	struct pb_safe_net net;   /* that it plans on */
	struct pb_safe_net rough; /* that fleeing is solved on */
	struct pb_safe_value value;
	struct pb_safe_field field;
	struct pb_round_opts opts; /* as they were then */
	struct pb_tour tour;
	struct pb_safe_floor floor; /* zeroed where nothing is marked */
	struct pb_pool pool;        /* of what all these own */
};

/* The player's learn and forget, see pb/player.h. */
enum pb_status pb_safe_learn(const void *world, const void *opts, void **known);
void pb_safe_forget(void *known);
