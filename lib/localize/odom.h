/* odom.h - dead reckoning: where the wheels say that the robot is. */
#pragma once

#include "pb/localizer.h"

/*
 * The method "odom": the start, carried on by odometry, whatever the sensors
 * say; the least that any other method must beat. It needs no world. Started
 * anywhere it knows nothing and stays lost.
 *
 * Wheels err in one direction rather than at random: on each run the heading
 * turns away by an unknown share of the way, and lengths are off by another.
 * Both are part of the state, with the spread below, so that the covariance
 * of the pose grows as the error does.
 */
struct pb_dead_opts {
	double drift;   /* spread of the heading's error (rad/m) */
	double slip;    /* spread of the error of lengths (m/m) */
	double lost_at; /* lost when x or y is spread by more (m) */
};

extern const struct pb_localizer pb_loc_odom;
