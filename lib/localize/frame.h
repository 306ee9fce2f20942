/* frame.h - the frame of the methods for mazes in that of maps. */
#ifndef PB_LOCALIZE_FRAME_H
#define PB_LOCALIZE_FRAME_H

#include "base/geom.h"
#include "map/maze.h"

/*
 * Records have mazes as maps are: x along the columns, y up, the lower left
 * corner at the origin. Methods count rows down from the middle of the first
 * cell: x along the rows, y along the columns.
 *
 * Given    cell  side of a cell (m)
 * Returns  the pose of the methods' frame in that of the records
 */
struct pb_pose pb_loc_frame(const struct pb_maze *z, double cell);

/* Turn the covariance of a pose: R cov R', R the rotation by turn (rad). */
void pb_loc_turn_cov(double cov[3][3], double turn);

#endif
