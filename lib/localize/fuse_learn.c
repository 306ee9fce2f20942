/* fuse_learn.c - how noisy the ranges are, and by how much too long. */
#include <math.h>

#include "localize/fuse.h"

/* The median of the noise moves by this part a reading. */
#define NOISE_STEP 0.02
/* Standard deviation of what is even or normal, by the median. */
#define BY_MEDIAN 1.3
/*
 * Offset of all sensors: learned from walls that are so far apart at most, over
 * so many scans, within bounds.
 */
#define OFF_WITHIN 2.0 /* (cells) */
#define OFF_SCANS  100.0
#define OFF_MAX    0.1 /* (cells) */

/* Shorter readings are all rounding (cells). */
#define NOISE_FROM 1.5

/* The sensor reads a wall, as far as one can tell. */
static bool
is_wall(const struct pb_fuse_sense *s, double z, double h)
{
	return pb_tof_heard(z) &&
	       fabs(z - h) < 4 * sqrt(pb_fuse_var(s, h)) + OFF_MAX;
}

/*
 * From wall to wall is known: what two opposite sensors read too much, they do
 * wherever the robot is between them.
 */
static void
learn_offset(struct pb_fuse_sense *s, const double *z, const double *h, int a)
{
	double by = (z[a] + z[a + 2] - h[a] - h[a + 2]) / 2;

	if (h[a] + h[a + 2] < OFF_WITHIN && is_wall(s, z[a], h[a]) &&
	    is_wall(s, z[a + 2], h[a + 2]))
		s->more += by / OFF_SCANS;
	s->more = fmin(fmax(s->more, -OFF_MAX), OFF_MAX);
}

void
pb_fuse_learn_ranges(struct pb_fuse_sense *s, const struct pb_fuse_known *k,
    const struct pb_fuse_guess *q, const struct pb_tof *z)
{
	struct pb_vec v = {q->x[0], q->x[1]};
	double *sd = &s->noise, h[PB_TOF], along;
	int axis;

	for (int i = 0; i < PB_TOF; i++) {
		h[i] = pb_fuse_expect(k, s, v, i, z->turn[i], &axis, &along);
		if (!pb_tof_heard(z->r[i]) || h[i] < NOISE_FROM)
			continue;
		*sd *= fabs(z->r[i] - h[i]) / h[i] * BY_MEDIAN > *sd
		           ? 1 + NOISE_STEP
		           : 1 - NOISE_STEP;
		*sd = fmin(fmax(*sd, PB_FUSE_NOISE_MIN), PB_FUSE_NOISE_MAX);
	}
	learn_offset(s, z->r, h, 0);
	learn_offset(s, z->r, h, 1);
}
