/* axis.c - names, values and steps of a picture's axes. */
#include "view/viewport.h"

#include <math.h>
#include <stdio.h>

#include "base/elementary.h"

/* A yaw this near to a right angle is one: 1e-9 rad is 1 um in 1 km. */
#define SQUARE 1e-9

bool
pb_viewport_square(const struct pb_viewport *p)
{
	return fabs(pb_sin(p->origin.th)) < SQUARE ||
	       fabs(pb_cos(p->origin.th)) < SQUARE;
}

/* The axis along the direction (c, s), at the window's corner. */
static struct pb_axis
along(const struct pb_viewport *p, double c, double s, int cells)
{
	struct pb_vec corner = {
	    p->col0 * p->resolution, p->row0 * p->resolution};

	corner = pb_vec_from(p->origin, corner);
	if (fabs(s) < SQUARE)
		return (struct pb_axis){"x", corner.x, c > 0 ? 1 : -1};
	if (fabs(c) < SQUARE)
		return (struct pb_axis){"y", corner.y, s > 0 ? 1 : -1};
	return (struct pb_axis){"", cells * p->resolution, 1};
}

struct pb_axis
pb_viewport_across(const struct pb_viewport *p)
{
	struct pb_axis a =
	    along(p, pb_cos(p->origin.th), pb_sin(p->origin.th), p->col0);

	if (a.name[0] == '\0')
		a.name = "u";
	return a;
}

struct pb_axis
pb_viewport_upwards(const struct pb_viewport *p)
{
	struct pb_axis a =
	    along(p, -pb_sin(p->origin.th), pb_cos(p->origin.th), p->row0);

	if (a.name[0] == '\0')
		a.name = "v";
	return a;
}

int
pb_axis_ticks(struct pb_axis a, double metres, double step, double *first)
{
	double end = a.zero + a.sign * metres;
	double lo = ceil(fmin(a.zero, end) / step - 1e-6);
	double hi = floor(fmax(a.zero, end) / step + 1e-6);

	*first = lo;
	if (!(fabs(lo) < 1e9 && fabs(hi) < 1e9) || hi < lo || hi - lo > 1e6)
		return 0;
	return (int)(hi - lo) + 1;
}

void
pb_axis_text(char *out, size_t size, double step, double i)
{
	/* Zero has no sign. */
	snprintf(
	    out, size, "%.*f", pb_nice_digits(step), i == 0 ? 0.0 : i * step);
}

double
pb_nice_above(double v)
{
	static const double step[] = {1, 2, 5, 10};
	double ten = pow(10, floor(log10(v)));

	for (int i = 0; i < 4; i++)
		if (step[i] * ten >= v * (1 - 1e-9))
			return step[i] * ten;
	return 10 * ten;
}

int
pb_nice_digits(double step)
{
	int n = (int)-floor(log10(step) + 1e-9);

	return n < 0 ? 0 : n > 9 ? 9 : n;
}
