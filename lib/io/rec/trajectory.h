/* trajectory.h - records of how far a trajectory is from the true one. */
#ifndef PB_IO_REC_TRAJECTORY_H
#define PB_IO_REC_TRAJECTORY_H

#include "io/rec/type.h"
#include "io/stream/text.h"
#include "localize/traj.h"

/* How far an estimated trajectory is from the true one. */
struct pb_rec_trajectory {
	struct pb_traj_report report;
	struct pb_traj_opts opts;
	char version[PB_REC_WORD]; /* of the tool, "" if missing */
};

/* How poses lie to each other where nobody knows the true ones. */
struct pb_rec_spread {
	char of[PB_REC_WORD]; /* "trial": of a file; "ends": the last of each */
	char file[PB_REC_TEXT]; /* "" if missing */
	struct pb_scatter scatter;
	char version[PB_REC_WORD];
};

void pb_put_spread(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_spread *y);

void pb_put_trajectory(
    struct pb_text *o, struct pb_stamp s, const struct pb_rec_trajectory *y);

#endif
