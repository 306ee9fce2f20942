/* safe_kill.c - the chance that the judge sees the robot caught. */
#include "policy/safe_kill.h"

#include <math.h>

#include "base/elementary.h"

/* Below this the error is nothing beside the cells of a map (m). */
#define LEAST_SD 0.005

/*
 * Chance that a normal error of deviation sd brings a point at distance d
 * into the disc of radius r: over slices of the disc across the line to the
 * point, density of the slice times chance of hitting its width.
 */
static double
in_disc(double d, double r, double sd)
{
	const int slices = 64;
	double sum = 0;

	for (int i = 0; i < slices; i++) {
		/* Slices end at cosines: narrow where the disc is steep. */
		double a = pb_cos(acos(-1.0) * i / slices) * r;
		double b = pb_cos(acos(-1.0) * (i + 1) / slices) * r;
		double x = (a + b) / 2;
		double half = sqrt(r * r - x * x) / (sd * sqrt(2.0));
		double lo = (b - d) / (sd * sqrt(2.0));
		double hi = (a - d) / (sd * sqrt(2.0));

		sum += (pb_erfc(lo) - pb_erfc(hi)) / 2 * (1 - pb_erfc(half));
	}
	return fmin(sum, 1);
}

struct pb_safe_kill
pb_safe_kill_make(double radius, double sd, double least)
{
	struct pb_safe_kill k;

	sd = fmax(sd, LEAST_SD);
	k.reach = radius;
	while (in_disc(k.reach, radius, sd) >= least)
		k.reach += sd / 8;
	k.reach2 = k.reach * k.reach;
	k.scale = PB_SAFE_KILL_STEPS / k.reach2;
	for (int i = 0; i < PB_SAFE_KILL_STEPS; i++)
		k.chance[i] = (float)in_disc(sqrt(i / k.scale), radius, sd);
	k.chance[PB_SAFE_KILL_STEPS] = 0;
	return k;
}
