/* robot.h - a real robot in the place of a simulated one. */
#pragma once

#include "io/rec/rec.h"
#include "io/stream/line.h"
#include "pb/drive.h"

/* A robot whose poses come as records, and whose twists go out as such. */
struct pb_robot {
	double dead_man; /* without a pose for so long it stands (s) */

	bool knows;    /* a pose came */
	bool fresh;    /* since the last step */
	double heard;  /* when the robot was there, as we know (s) */
	double stamp;  /* the same by its clock */
	double behind; /* by how much that is behind ours, at least (s) */
	struct pb_pose at;
};

/*
 * A pose of the robot has come, its stamp t (NAN: none). One that came late,
 * by more than others did, is as old as it is: poses that queue up somewhere
 * are no news. What is not sure where it is does not count.
 */
void pb_robot_hear(struct pb_robot *b, double t, const struct pb_rec_pose *p);

/* For pb_crew.drive, of a step of dt at time t of the game: writes the twist.
 */
bool pb_robot_drive(struct pb_robot *b, double t, double dt, struct pb_twist *u,
    struct pb_pose *at, struct pb_text *out);

/* Nobody leads it any more. */
void pb_robot_stop(double t, struct pb_text *out);
