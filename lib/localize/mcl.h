/* mcl.h - Monte Carlo localization on an occupancy map. */
#ifndef PB_LOCALIZE_MCL_H
#define PB_LOCALIZE_MCL_H

#include "pb/localizer.h"

/*
 * The constants of the method `mcl`; what they mean, where they come from and
 * what breaks if they change is in pb-localizers(7). Defaults hold on every
 * log that we have: there is one configuration.
 */
enum pb_mcl_model { PB_MCL_FIELD, PB_MCL_BEAM };

struct pb_mcl_opts {
	int least;          /* particles, at least */
	int most;           /* particles, at most */
	double kld_error;   /* of the sampled distribution, 0..1 */
	double kld_z;       /* quantile of the normal: how surely */
	double bin;         /* side of a bin (m) */
	double bin_turn;    /* the same of the heading (rad) */
	int model;          /* enum pb_mcl_model */
	double sigma;       /* of a beam's end (m) */
	double stray;       /* share of beams that the map does not explain */
	double spacing;     /* ends of beams that count as independent (m) */
	double correlation; /* length over which errors of ends agree (m) */
	int beams;          /* at most, of one scan */
	double rot_rot;     /* variance of heading per rad turned (rad) */
	double rot_trans;   /* variance of heading per m driven (rad2/m) */
	double trans_trans; /* variance along the way per m driven (m) */
	double trans_rot;   /* variance of place per rad turned (m2/rad) */
	double blind;       /* motion between scans without odometry (m) */
	double blind_turn;  /* the same of the heading (rad) */
	double step;        /* apply motion every so far (m) */
	double step_turn;   /* or every so much (rad) */
	double slow;        /* weight of a scan in the long average, 0..1 */
	double fast;        /* in the short one, 0..1 */
	double anywhere;    /* chance of a jump while unsettled, 0..1 */
};

extern const struct pb_localizer pb_loc_mcl;

#endif
