/* geom.h - points, poses and cells of the plane. */
#pragma once

#include "pb/decls.h"

PB_BEGIN_DECLS

/*
 * Frames follow ROS: x right, y up, angles counter-clockwise from +x.
 * Lengths are metres and angles radians unless a field says otherwise.
 * Everything here is a value: nothing is shared, nothing is owned.
 */
#define PB_PI 3.14159265358979323846

struct pb_vec {
	double x; /* (m) */
	double y; /* (m) */
};

struct pb_pose {
	double x;  /* (m) */
	double y;  /* (m) */
	double th; /* heading, (-pi, pi] (rad) */
};

/* How a robot moves. */
struct pb_twist {
	double v; /* forward speed (m/s) */
	double w; /* turn rate (rad/s) */
};

/* A cell of a map; row 0 is the bottom row, as in OccupancyGrid. */
struct pb_cell {
	int col;
	int row;
};

/*
 * The angle equal to a modulo 2 pi.
 *
 * Given    a  angle (rad), finite
 * Returns  the same angle in (-pi, pi]
 */
double pb_wrap(double a);

/*
 * The turn about z of a quaternion, as ROS messages carry headings.
 *
 * Given    x, y, z, w  finite; all zero, as in messages left at their
 *                      defaults, is no turn
 * Returns  heading in (-pi, pi] (rad)
 */
double pb_yaw(double x, double y, double z, double w);

/* Euclidean distance between a and b (m). */
double pb_dist(struct pb_vec a, struct pb_vec b);

/* The position part of p. */
struct pb_vec pb_pose_vec(struct pb_pose p);

/* Euclidean distance between the places of a and b (m). */
double pb_pose_dist(struct pb_pose a, struct pb_pose b);

/* p, given in the frame whose pose is f, expressed in f's parent frame. */
struct pb_pose pb_pose_compose(struct pb_pose f, struct pb_pose p);

/* The pose i with pb_pose_compose(f, i) at the parent's origin. */
struct pb_pose pb_pose_inverse(struct pb_pose f);

/* The pose p, given in f's parent frame, expressed in the frame f. */
struct pb_pose pb_pose_into(struct pb_pose f, struct pb_pose p);

/* The point v, given in the frame f, expressed in f's parent frame. */
struct pb_vec pb_vec_from(struct pb_pose f, struct pb_vec v);

/* The point v, given in f's parent frame, expressed in the frame f. */
struct pb_vec pb_vec_into(struct pb_pose f, struct pb_vec v);

PB_END_DECLS
