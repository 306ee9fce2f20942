/* mcl_opts.c - the constants of Monte Carlo localization. */
#include <math.h>
#include <stddef.h>

#include "localize/mcl_state.h"

#define PB_PARAMS_OF struct pb_mcl_opts

static const struct pb_param params[] = {
    PB_COUNT("particles-min", least, "", 10, 1000000, "particles, at least"),
    PB_COUNT("particles", most, "", 10, 1000000, "particles, at most"),
    PB_REAL("kld-error", kld_error, "", 0.001, 1,
	"error of the sampled distribution"),
    PB_REAL("kld-z", kld_z, "", 0, 6, "normal quantile: how surely"),
    PB_REAL("bin", bin, "m", 0.01, 100, "side of a bin of the belief"),
    PB_REAL("bin-turn", bin_turn, "rad", 0.01, 3.2, "its width in heading"),
    PB_CHOICE("model", model, "field|beam", "likelihood field or beam model"),
    PB_REAL("sigma", sigma, "m", 0.001, 10, "of the end of a beam"),
    PB_REAL("stray", stray, "", 0.02, 0.9,
	"share of beams that the map does not explain"),
    PB_REAL("spacing", spacing, "m", 0, 100,
	"between ends that count as independent"),
    PB_REAL("correlation", correlation, "m", 0, 100,
	"length over which errors of ends agree"),
    PB_COUNT("beams", beams, "", 4, PB_MCL_BEAMS, "of a scan, at most"),
    PB_REAL("rot-rot", rot_rot, "rad2/rad", 0, 10,
	"variance of heading, by turning"),
    PB_REAL("rot-trans", rot_trans, "rad2/m", 0, 10,
	"variance of heading, by driving"),
    PB_REAL("trans-trans", trans_trans, "m2/m", 0, 10,
	"variance of the way, by driving"),
    PB_REAL("trans-rot", trans_rot, "m2/rad", 0, 10,
	"variance of place, by turning"),
    PB_REAL(
	"blind", blind, "m", 0, 10, "motion between scans without odometry"),
    PB_REAL("blind-turn", blind_turn, "rad", 0, 3.2,
	"turn between scans without odometry"),
    PB_REAL("step", step, "m", 0.001, 100, "apply motion every so far"),
    PB_REAL("step-turn", step_turn, "rad", 0.001, 3.2, "or every so much"),
    PB_REAL("slow", slow, "", 0, 1, "weight of a scan in the long average"),
    PB_REAL("fast", fast, "", 0, 1, "weight of a scan in the short average"),
    PB_REAL("anywhere", anywhere, "", 0, 1, "chance of a jump while unsettled"),
};

const struct pb_param *
pb_mcl_params(size_t *n)
{
	*n = sizeof(params) / sizeof(*params);
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
