/* tum.h - trajectories in the format of the TUM RGB-D benchmark. */
#ifndef PB_IO_LOG_TUM_H
#define PB_IO_LOG_TUM_H

#include <stdbool.h>
#include <stddef.h>

#include "io/stream/msg.h"
#include "io/stream/text.h"
#include "pb/geom.h"

/*
 * A pose a line: t x y z qx qy qz qw, in seconds, metres and a quaternion.
 * Other tools (evo, rpg_trajectory_evaluation) read and write it.
 */
void pb_tum_put(struct pb_text *o, double t, struct pb_pose p);

/* Whether the line is one: eight numbers. */
bool pb_tum_is(const char *s, size_t n);

/*
 * The line as a pose record of the robot, without a source; nothing for an
 * empty line or a comment.
 *
 * Returns  false with bad filled in for a line that is no pose
 */
bool pb_tum_convert(
    const char *s, size_t n, struct pb_text *out, struct pb_error *bad);

#endif
