/* cell_ray.h - the published method that corrects the camera by rays. */
#pragma once

#include "localize/maze_rays.h"

/*
 * From the camera's cell a ray along each axis says what the sensor should
 * read; the difference moves the estimate along that axis. It answers nothing
 * without a cell from the camera, and remembers nothing but that cell.
 */
struct pb_cell_ray_opts {
	double radius;    /* of the robot, middle to sensor (m); known: cells */
	double cv_error;  /* candidates further from the cell are odd (cells) */
	double far;       /* readings from here on are not trusted (cells) */
	bool far_by_axis; /* ... if both of an axis are; else each by itself */
	bool repair_from_fix; /* y repair begins at the cell, whatever x did */
	double noise;         /* of a range, for the covariance (part of it) */
};

struct pb_cell_ray_place {
	struct pb_vec at; /* (cells) */
	double var[2];    /* along x and y (cells2) */
	bool read[2];     /* x, y: from a sensor, not the camera */
};

/*
 * Where the robot is.
 *
 * Given    row, col  the camera's cell, any values
 *          o         as above, radius in cells
 *          cell      side of a cell (m)
 * Note     The published rule for far readings counts an error and "nothing
 *          in range" as far. Variances are ours: that of the sensor, plus the
 *          square of half of what two sensors of an axis disagree by and of
 *          how far the estimate is outside of the cell; the camera's own for
 *          an axis without sensor.
 */
struct pb_cell_ray_place pb_cell_ray(const struct pb_cells *c,
    const struct pb_cell_ray_opts *o, double cell, const struct pb_tof *z,
    int row, int col);

extern const struct pb_localizer pb_loc_cell_ray;
