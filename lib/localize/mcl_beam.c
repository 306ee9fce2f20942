/* mcl_beam.c - how well a scan fits a pose, by the chosen model. */
#include "base/elementary.h"
#include "localize/mcl_state.h"

/*
 * The beam model of Thrun, Burgard and Fox ("Probabilistic Robotics", 2005,
 * section 6.3), scaled as the likelihood field is: 1 for a hit. Of stray
 * beams half are short, because somebody stands there; half are anywhere.
 */
static double
chance(const struct pb_mcl_opts *o, double z, double expected)
{
	double q = (z - expected) / o->sigma;

	return (1 - o->stray) * pb_exp(-0.5 * q * q) + 0.5 * o->stray +
	       (z < expected ? 0.5 * o->stray : 0);
}

static double
cast(
    const struct pb_mcl_known *k, const struct pb_mcl_scan *s, struct pb_pose p)
{
	struct pb_pose at[PB_MCL_BEAMS],
	    from = pb_likelihood_from(&k->field, p);
	double expected[PB_MCL_BEAMS], sum = 0;
	/* Beyond that nothing is left of a hit. */
	double max = k->size_x + k->size_y;

	for (int i = 0; i < s->n; i++)
		at[i] = (struct pb_pose){from.x, from.y, from.th + s->angle[i]};
	pb_ray_batch(k->rays, at, (size_t)s->n, max, expected);
	for (int i = 0; i < s->n; i++)
		sum += pb_log(chance(&k->o, s->range[i], expected[i]));
	return sum;
}

/* Log likelihood of the scan at p, tempered (nat). */
double
pb_mcl_fit(
    const struct pb_mcl_known *k, const struct pb_mcl_scan *s, struct pb_pose p)
{
	if (k->o.model == PB_MCL_BEAM)
		return s->temper * cast(k, s, p);
	return -s->temper / PB_LIKELIHOOD_NAT *
	       pb_likelihood_cost(&k->field, p, s->end, s->n);
}
