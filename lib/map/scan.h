/* scan.h - a scan: ranges measured around a robot. */
#ifndef PB_MAP_SCAN_H
#define PB_MAP_SCAN_H

#include <stddef.h>

/* As sensor_msgs/LaserScan; beam i points to angle_min + i inc. */
struct pb_scan {
	double angle_min; /* in the robot's frame (rad) */
	double inc;       /* beam to beam (rad) */
	double range_min; /* shorter is noise, 0 if not known (m) */
	double range_max; /* longer is no return, INFINITY if not known (m) */
	double radius;    /* ranges begin so far from the middle (m); 0: not
	                     known, methods for mazes take their own, others
	                     the middle */
	const double
	    *range; /* (m); NAN, INFINITY: no return; < 0: no reading */
	size_t n;   /* beams, any number */
};

/* What a reading says. */
enum pb_scan_says {
	PB_BEAM_NONE, /* nothing: it failed, is 0 or is noise */
	PB_BEAM_FREE, /* no return */
	PB_BEAM_HIT   /* an obstacle at pb_scan_way() */
};

enum pb_scan_says pb_scan_beam(const struct pb_scan *s, size_t i);

/* From the middle of the robot to where beam i ended, a hit (m). */
double pb_scan_way(const struct pb_scan *s, size_t i);

#endif
