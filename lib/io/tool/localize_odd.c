/* localize_odd.c - what is odd about the stream of a localizer. */
#include <math.h>

#include "io/tool/localize.h"

/* Bits of `said`. */
enum { SAID_TIME = 1, SAID_BLIND = 2, SAID_BEAMS = 4, SAID_ANGLE = 8 };

/* Say it if it was not said before. */
static bool
news(struct pb_localize *z, unsigned what)
{
	bool first = !(z->said & what);

	z->said |= what;
	return first;
}

void
pb_localize_see_time(struct pb_localize *z, struct pb_place place)
{
	if (z->t < z->last_t && news(z, SAID_TIME))
		pb_msg_warn(place,
		    "t: %g s after %g s; records are taken in their order, "
		    "whatever the time",
		    z->t, z->last_t);
	if (isfinite(z->t))
		z->last_t = z->t;
}

void
pb_localize_see_stamp(struct pb_localize *z)
{
	z->stamps_again += z->scans > 0 && z->t == z->scan_t;
	z->scan_t = z->t;
}

void
pb_localize_see_scan(
    struct pb_localize *z, const struct pb_rec_scan *c, struct pb_place place)
{
	double end = c->angle_min + (double)(c->n - 1) * c->angle_increment;
	size_t seen = 0;

	for (size_t i = 0; i < c->n; i++)
		seen += isfinite(c->range[i]);
	if (seen == 0 && news(z, SAID_BLIND))
		pb_msg_warn(
		    place, "scan.ranges: no beam of %zu has a range", c->n);
	if (z->scans > 0 && c->n != z->beams && news(z, SAID_BEAMS))
		pb_msg_warn(place,
		    "scan.ranges: %zu beams, the scan before had %zu", c->n,
		    z->beams);
	z->beams = c->n;
	if (c->n > 0 &&
	    fabs(c->angle_max - end) > fabs(c->angle_increment) / 2 + 1e-6 &&
	    news(z, SAID_ANGLE))
		pb_msg_warn(place,
		    "scan.angle_max: %g by %zu beams, got %g; not used", end,
		    c->n, c->angle_max);
}

void
pb_localize_end(const struct pb_localize *z, struct pb_place at)
{
	const struct pb_localizer *m = z->o->method;

	/* A method without need of a world may have had nothing to do. */
	if (!z->method && m && (m->places & PB_LOC_NOWHERE))
		return;
	if (!z->method)
		pb_msg_refuse(at, "expected a map or maze record, got none");
	else if (!z->begun)
		pb_msg_note("no pose with source truth came, so nothing was "
			    "estimated");
	if (z->stamps_again > 0)
		pb_msg_note("%ld of %ld scans have the time of the scan "
			    "before; they are taken in their order, and their "
			    "poses have the same times",
		    z->stamps_again, z->scans);
	if (z->begun && z->scans > 0 && !z->has_odom)
		pb_msg_note("no odom record came: how the robot moved "
			    "between scans is not known");
}
