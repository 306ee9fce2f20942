/* maze_trial.h - one trial of a localization method in a maze. */
#ifndef PB_LOCALIZE_MAZE_TRIAL_H
#define PB_LOCALIZE_MAZE_TRIAL_H

#include "localize/drive.h"
#include "localize/maze_drive.h"

/* SI units. Which protocol is that of struct pb_loc_trial_opts. */
struct pb_maze_trial_opts {
	int updates; /* scans that count */
	int warm;    /* scans before, but for PB_LOC_GLOBAL; after them the
	                robot is lifted with PB_LOC_KIDNAP */
	double near; /* right if no further off (cells) */
	struct pb_maze_drive_opts drive;
};

struct pb_maze_trial_opts pb_maze_trial_defaults(void);

/* All but those of the drive; static storage, *n rows. */
const struct pb_param *pb_maze_trial_params(size_t *n);

/* Memory of a trial. */
struct pb_maze_seat {
	struct pb_maze_drive drive;
	double errors[]; /* room for opts.updates */
};

/*
 * One trial: the drive is drawn from (seed, trial), the same for all methods,
 * and the method draws from them too. Allocates nothing.
 *
 * Given    a          a method that has learnt the maze
 *          protocol   enum pb_loc_protocol; but with PB_LOC_GLOBAL the method
 *                     is told the start
 *          near_turn  right if turned no further away (rad)
 */
struct pb_loc_result pb_maze_trial(struct pb_loc_taught a,
    const struct pb_maze_drive_world *w, const struct pb_maze_trial_opts *o,
    int protocol, double near_turn, uint64_t seed, uint64_t trial,
    struct pb_maze_seat *seat);

#endif
