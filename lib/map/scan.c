/* scan.c - what the beams of a scan say. */
#include "map/scan.h"

#include <math.h>

enum pb_scan_says
pb_scan_beam(const struct pb_scan *s, size_t i)
{
	double r = s->range[i];

	if (isnan(r) || r == INFINITY || r > s->range_max)
		return PB_BEAM_FREE;
	return r > 0 && r >= s->range_min ? PB_BEAM_HIT : PB_BEAM_NONE;
}

double
pb_scan_way(const struct pb_scan *s, size_t i)
{
	return s->range[i] + s->radius;
}
