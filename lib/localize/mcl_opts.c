/* mcl_opts.c - the constants of Monte Carlo localization. */
#include <math.h>
#include <stddef.h>

#include "localize/mcl_state.h"

#define AT(f) offsetof(struct pb_mcl_opts, f)
#define REAL(n, u, h, f, lo, hi)                            \
	{                                                   \
		n, u, h, NULL, AT(f), PB_PARAM_REAL, lo, hi \
	}
#define COUNT(n, h, f, lo, hi)                                \
	{                                                     \
		n, "", h, NULL, AT(f), PB_PARAM_COUNT, lo, hi \
	}

static const struct pb_param params[] = {
    COUNT("particles-min", "particles, at least", least, 10, 1000000),
    COUNT("particles", "particles, at most", most, 10, 1000000),
    REAL("kld-error", "", "error of the sampled distribution", kld_error, 0.001,
	1),
    REAL("kld-z", "", "normal quantile: how surely", kld_z, 0, 6),
    REAL("bin", "m", "side of a bin of the belief", bin, 0.01, 100),
    REAL("bin-turn", "rad", "its width in heading", bin_turn, 0.01, 3.2),
    {"model", "", "likelihood field or beam model", "field|beam", AT(model),
	PB_PARAM_CHOICE, 0, 1},
    REAL("sigma", "m", "of the end of a beam", sigma, 0.001, 10),
    REAL("stray", "", "share of beams that the map does not explain", stray,
	0.02, 0.9),
    REAL("spacing", "m", "between ends that count as independent", spacing, 0,
	100),
    REAL("correlation", "m", "length over which errors of ends agree",
	correlation, 0, 100),
    COUNT("beams", "of a scan, at most", beams, 4, PB_MCL_BEAMS),
    REAL("rot-rot", "rad2/rad", "variance of heading, by turning", rot_rot, 0,
	10),
    REAL("rot-trans", "rad2/m", "variance of heading, by driving", rot_trans, 0,
	10),
    REAL("trans-trans", "m2/m", "variance of the way, by driving", trans_trans,
	0, 10),
    REAL("trans-rot", "m2/rad", "variance of place, by turning", trans_rot, 0,
	10),
    REAL("blind", "m", "motion between scans without odometry", blind, 0, 10),
    REAL("blind-turn", "rad", "turn between scans without odometry", blind_turn,
	0, 3.2),
    REAL("step", "m", "apply motion every so far", step, 0.001, 100),
    REAL("step-turn", "rad", "or every so much", step_turn, 0.001, 3.2),
    REAL("slow", "", "weight of a scan in the long average", slow, 0, 1),
    REAL("fast", "", "weight of a scan in the short average", fast, 0, 1),
    REAL("anywhere", "", "chance of a jump while unsettled", anywhere, 0, 1),
};

const struct pb_param *
pb_mcl_params(size_t *n)
{
	*n = sizeof params / sizeof params[0];
	return params;
}

void
pb_mcl_defaults(void *opts)
{
	*(struct pb_mcl_opts *)opts = (struct pb_mcl_opts){.least = 500,
	    .most = 20000,
	    .kld_error = 0.05,
	    .kld_z = 2.33,
	    .bin = 0.25,
	    .bin_turn = 0.2,
	    .model = PB_MCL_FIELD,
	    .sigma = 0.07,
	    .stray = 0.05,
	    .spacing = 0.2,
	    .correlation = 0.35,
	    .beams = 100,
	    .rot_rot = 0.01,
	    .rot_trans = 0.01,
	    .trans_trans = 0.01,
	    .trans_rot = 0.005,
	    .blind = 2,
	    .blind_turn = 0.7,
	    .step = 0.25,
	    .step_turn = 0.2,
	    .slow = 0.02,
	    .fast = 0.3,
	    .anywhere = 0.01};
}

bool
pb_mcl_check(const struct pb_mcl_opts *o)
{
	size_t n;
	const struct pb_param *p = pb_mcl_params(&n);

	return pb_params_check(p, n, o) == NULL && o->least <= o->most &&
	       o->slow <= o->fast;
}
