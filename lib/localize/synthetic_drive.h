/* synthetic_drive.h - a drive that nobody drove: a simulated robot goes from
 * place to place. */
#pragma once

#include "localize/trial.h"

/*
 * The robot goes along shortest paths to places drawn one after the other,
 * all of the largest part of the map that keeps clear of walls, and looks
 * where it goes. It has the lidar and the wheels of robot/sense.h.
 */
struct pb_synthetic_opts {
	int scans;        /* of the drive */
	double period;    /* from scan to scan (s) */
	double speed;     /* along the path (m/s) */
	double turn;      /* turn rate, at most (rad/s) */
	double clearance; /* from a wall or the unknown (m) */
	double noise;     /* times the usual errors of the sensors */
};

struct pb_synthetic_opts pb_synthetic_defaults(void);

/* Described for the command line. */
extern const struct pb_params pb_synthetic_params;

/*
 * Make a drive on m.
 *
 * Given    o     checked by pb_params_check()
 * Returns  PB_OK and d for pb_drive_clear; PB_ENOFREE (nowhere to go to),
 *          PB_ENOMEM, and d untouched
 */
enum pb_status pb_synthetic_drive(const struct pb_map *m,
    const struct pb_synthetic_opts *o, uint64_t seed, struct pb_drive *d);
