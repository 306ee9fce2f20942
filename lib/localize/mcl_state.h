/* mcl_state.h - Monte Carlo localization on an occupancy map: its options, its
 * likelihood field, the state of the filter, and the searches of the map. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pool.h"
#include "localize/gauss.h"
#include "map/correlate.h"
#include "pb/geom.h"
#include "pb/localizer.h"
#include "pb/map.h"
#include "pb/rng.h"
#include "pb/status.h"

/*
 * The likelihood field of Thrun, Burgard and Fox ("Probabilistic Robotics",
 * 2005, section 6.4): a beam that ends d from the nearest obstacle has
 *
 *	p(d) = (1 - stray) exp(-d^2 / 2 sigma^2) + stray
 *
 * up to a factor that all poses share; a beam that ends outside the map has
 * `stray`. What is kept is the cost -log p in whole steps of 1/64 nat, so
 * that the sum over a scan is an integer: exact, in any order.
 *
 * Poses are in the *grid frame*: metres, its origin at the lower left corner
 * of cell (0, 0), its axes along rows and columns. pb_likelihood_into and
 * pb_likelihood_from turn map poses into it and back. Once made, a field is
 * read only: threads may share it.
 */
#define PB_LIKELIHOOD_NAT 64

/*
 * The table is padded: one cell around the map. Only the rectangle is kept in
 * which something can differ from `most` and `reach`: of a small house in a
 * large image that is a small part.
 */
struct pb_likelihood {
	struct pb_corr_field table; /* costs of beams that end in a cell */
	int cols;                   /* columns of the unpadded map */
	int rows;                   /* rows of the unpadded map */
	double resolution;          /* side of a cell (m) */
	struct pb_pose origin; /* origin of the grid frame in the map frame */
	uint16_t *dist;        /* to the nearest obstacle (1/256 cell), at most
	                          `reach` */
	double reach;          /* (m) */
	double sigma;          /* (m) */
	double stray;          /* 0..1 */
	uint8_t *kind;         /* enum pb_likelihood_cell of the same cells */
	size_t nfree;          /* number of free cells */
	uint32_t *before; /* by row of the table: free cells in earlier rows */
	struct pb_pool pool; /* owner of all arrays */
};

/*
 * Make the field of m, which may be freed afterwards.
 *
 * Given    sigma  of the distance to the obstacle, > 0 (m)
 *          stray  in [0.02, 1): what a beam has that hits nothing; the lowest
 *                 keeps costs within a byte
 * Returns  PB_OK and f for pb_likelihood_clear; PB_EVALUE (sigma, stray),
 *          PB_ENOFREE, PB_EEMPTY (no obstacle), PB_ENOMEM and f untouched
 */
enum pb_status pb_likelihood_init(struct pb_likelihood *f,
    const struct pb_map *m, double sigma, double stray);

/* Free what f owns and zero it. A zeroed f is fine. */
void pb_likelihood_clear(struct pb_likelihood *f);

/* A pose of the map frame in the grid frame, and back. */
struct pb_pose pb_likelihood_into(
    const struct pb_likelihood *f, struct pb_pose p);
struct pb_pose pb_likelihood_from(
    const struct pb_likelihood *f, struct pb_pose p);

/* Free cell k < nfree of the map, row by row. */
struct pb_cell pb_likelihood_free(const struct pb_likelihood *f, uint32_t k);

/*
 * Cost of a scan.
 *
 * Given    p       in the grid frame, no farther than 1e6 cells from it
 *          end[n]  ends of beams in the robot's frame (m), no farther than
 *                  1e6 cells from it
 * Returns  the sum over the beams (1/64 nat)
 */
int32_t pb_likelihood_cost(const struct pb_likelihood *f, struct pb_pose p,
    const struct pb_vec *end, int n);

/*
 * Distance from (x, y) of the grid frame to the nearest obstacle, between the
 * centres of cells bilinear.
 *
 * Returns  distance (m), `reach` where it is more, and its slope in g
 */
double pb_likelihood_dist(
    const struct pb_likelihood *f, double x, double y, struct pb_vec *g);

/* What is at (x, y) of the grid frame. */
enum pb_likelihood_cell {
	PB_LIKELIHOOD_UNKNOWN,
	PB_LIKELIHOOD_FREE,
	PB_LIKELIHOOD_WALL
};
enum pb_likelihood_cell pb_likelihood_at(
    const struct pb_likelihood *f, double x, double y);

/*
 * The constants of the method `mcl`; what they mean, where they come from and
 * what breaks if they change is in pb-localizers(7). Defaults hold on every
 * log that we have: there is one configuration.
 */
struct pb_mcl_opts {
	int least;          /* least number of particles, if `most` allows it */
	int most;           /* largest number of particles */
	double kld_error;   /* error bound of KLD sampling, 0..1 */
	double kld_z;       /* normal quantile of that bound */
	double bin;         /* side of a bin (m) */
	double bin_turn;    /* width of a bin in heading (rad) */
	double sigma;       /* standard deviation of a beam's end (m) */
	double stray;       /* share of beams that the map does not explain */
	double spacing;     /* least distance of independent beam ends (m) */
	double correlation; /* correlation length of beam errors (m) */
	int beams;          /* most beams of a scan */
	double rot_rot;     /* variance of heading per rad turned (rad) */
	double rot_trans;   /* variance of heading per m driven (rad2/m) */
	double trans_trans; /* variance along the motion per m driven (m) */
	double trans_rot;   /* variance of place per rad turned (m2/rad) */
	double blind;       /* motion between scans without odometry (m) */
	double blind_turn;  /* turn between scans without odometry (rad) */
	double step;        /* motion after which odometry is applied (m) */
	double step_turn;   /* turn after which odometry is applied (rad) */
	double slow;        /* weight of a scan in w_slow, 0..1 */
	double fast;        /* weight of a scan in w_fast, 0..1 */
	double anywhere;    /* probability of a jump while unsettled, 0..1 */
	double slip;        /* probability of wheel slip, 0..1 */
	double obstacle;    /* probability of an unmapped obstacle; 0: none */
	int blocks;         /* memory of a search (blocks), 2048.. */
};

/*
 * Rows (see param.h) of its particles, and of what it makes of a scan: for
 * itself, and for games whose robots take it along and that give them names
 * with "mcl-" before them (see localize/onboard.h).
 *
 * Given    name          before the names
 *          at            before the fields: "mcl."
 *          m             unit of lengths
 *          least.. beams usual values
 */
/* clang-format off */
#define PB_MCL_ROWS(name, at, m, least_, most_, beams_, used)                 \
	PB_COUNT(name "particles-min", at least, "", least_, 10, 1000000,     \
	    "particles, at least, if mcl-particles allows",                   \
	    .when = used),                                                    \
	PB_COUNT(name "particles", at most, "", most_, 10, 1000000,           \
	    "particles, at most",                                             \
	    .when = used),                                                    \
	PB_REAL(name "kld-error", at kld_error, "", 0.05, 0.001, 1,           \
	    "KLD sampling: error of the distribution",                        \
	    .when = used),                                                    \
	PB_REAL(name "kld-z", at kld_z, "", 2.33, 0, 6,                       \
	    "normal quantile of KLD sampling's confidence",                   \
	    .when = used),                                                    \
	PB_REAL(name "bin", at bin, m, 0.25, 0.01, 100,                       \
	    "side of a bin of the belief",                                    \
	    .when = used),                                                    \
	PB_REAL(name "bin-turn", at bin_turn, "rad", 0.2, 0.01, 3.2,          \
	    "width of a bin in heading",                                      \
	    .when = used),                                                    \
	PB_REAL(name "sigma", at sigma, m, 0.07, 0.001, 10,                   \
	    "standard deviation of a beam's end",                             \
	    .when = used),                                                    \
	PB_REAL(name "stray", at stray, "", 0.05, 0.02, 0.9,                  \
	    "share of beams that the map does not explain",                   \
	    .when = used),                                                    \
	PB_REAL(name "spacing", at spacing, m, 0.2, 0, 100,                   \
	    "distance of beam ends that count as independent",                \
	    .when = used),                                                    \
	PB_REAL(name "correlation", at correlation, m, 0.35, 0, 100,          \
	    "length over which errors of ends agree",                         \
	    .when = used),                                                    \
	PB_COUNT(name "beams", at beams, "", beams_, 4, PB_MCL_BEAMS,         \
	    "beams of a scan that are used, at most",                         \
	    .when = used)
/* clang-format on */

extern const struct pb_localizer pb_loc_mcl;

/*
 * Inside, all poses are in the grid frame of the likelihood field. The memory
 * of a robot is struct pb_mcl_mem followed by its arrays, whose places are in
 * the known part.
 */
#define PB_MCL_BEAMS    512 /* most beams of a scan that are used */
#define PB_MCL_SEEK     64  /* most beams that a search looks at */
#define PB_MCL_MODES    256 /* most places that a search gives */
#define PB_MCL_NEAR     32  /* the same of a search near a cluster */
#define PB_MCL_CLUSTERS 128 /* most clusters that are looked after */
#define PB_MCL_TURNS    180 /* headings that a search tries */
#define PB_MCL_OFF      3   /* sigma: a beam ends elsewhere than the map says */
#define PB_MCL_CLEAR                                                       \
	0.25            /* (m) farther from an obstacle nothing touches it \
	                 */
#define PB_MCL_NEARER 3 /* to one that ends farther, if it is an obstacle */
/* Least variance of a heading: (0.2 degrees)^2 (rad2). */
#define PB_MCL_TURN_VAR 1.2e-5
#define PB_MCL_NODES    131072 /* blocks that a search holds, usually */
/*
 * Clusters share them: each has as many for its search, and no fewer than this.
 * Where a scan fits nowhere there are 100 clusters, each as large as the map:
 * on the map intel such a scan took 0.64 s with PB_MCL_NODES for each, 0.21 s
 * with 16384, 0.15 s with this; rates and errors of 20 global starts and 20
 * kidnaps on each of seven logs are those of 8192.
 */
#define PB_MCL_NEAR_NODES 4096

struct pb_mcl_particle {
	struct pb_pose at;
	double w; /* share of the belief; its logarithm during an update */
};

/* A bin of the belief. */
struct pb_mcl_bin {
	int32_t x, y, th; /* index of the bin; th counts around the circle */
	int32_t label;    /* its component, or -1 */
	bool used;        /* false: an empty slot */
	int32_t n;        /* particles in the bin */
	double w;         /* weight of the bin */
};

/* A group of particles in bins that touch. */
struct pb_mcl_cluster {
	struct pb_gauss g;
	double w;      /* share of the belief */
	int32_t n;     /* number of particles */
	int32_t label; /* label of its bins */
	double ess;    /* effective number of particles, after weighing */
	double log_w;  /* log of the sum of weights, after weighing */
	int32_t modes; /* number of modes found in it, from `mode` on */
	int32_t mode;
};

/* A place where the scan fits, and how well. */
struct pb_mcl_mode {
	struct pb_gauss g; /* normal distribution about the best fit */
	double log_mass;   /* log of the integral of prior times likelihood */
	int32_t draws;     /* particles to draw from it */
	int32_t cluster;   /* the cluster of its prior, -1: uniform prior */
};

/* The beams of a scan that are used, and which of them a search looks at. */
struct pb_mcl_scan {
	int n;
	struct pb_vec end[PB_MCL_BEAMS];
	struct pb_pose mount; /* pose of the scanner on the robot */
	int nseek;
	struct pb_vec seek[PB_MCL_SEEK];
	double temper; /* exponent of the likelihood */
};

struct pb_mcl_model {
	struct pb_mcl_opts o;
	struct pb_likelihood field;
	bool (*stop)(void);    /* see struct pb_loc_world */
	double size_x, size_y; /* size of the map (m) */
	int turn_bins;         /* bins around the circle */
	/* Places of the arrays in the memory of a robot (bytes). */
	size_t particle, spare, slot, table, list, node, next, size;
	uint32_t slots; /* slots of the hash table, a power of two */
};

struct pb_mcl_mem {
	struct pb_rng rng;
	int n;                /* number of particles */
	bool anywhere;        /* no scan has been used yet */
	bool moved;           /* odometry came since the last scan */
	bool driven;          /* odometry came at all */
	struct pb_pose odom;  /* last odometry */
	struct pb_pose todo;  /* motion not yet applied to the particles */
	struct pb_pose since; /* motion since the last scan */
	double way, turn;     /* length (m) and turning (rad) of `since` */
	double slow, fast;    /* w_slow and w_fast of augmented MCL */
	double fresh;         /* independence of the current scan, 0..1 */
	double agreed;        /* independent scans since a contradiction */
	double agreed_way;    /* distance driven since then (m) */
	struct pb_pose came;  /* without odometry: pose where agreed_way ends */
	double needed;        /* independent scans needed for tracking */
	double back;          /* scans that fit the map again, off the map */
	bool known;           /* the place is known: tracking */
	bool placed;  /* it was found or given: leaving takes more evidence */
	double fit;   /* average share of beams that the map explains */
	double heard; /* independent scans in that average */
	struct pb_pose seen; /* pose where the last scan fits best */
	double unseen; /* independent scans since the last global search */
	int nclusters;
	struct pb_mcl_cluster cluster[PB_MCL_CLUSTERS];
	int nmodes;
	struct pb_mcl_mode mode[PB_MCL_MODES];
	struct pb_mcl_scan scan;
	struct pb_belief
	    belief;    /* belief at the last scan, in the grid frame */
	double hidden; /* share of beams skipped as stopped in front */
	double off;    /* share of beams skipped as off the map */
};

/* An array of a robot. */
#define PB_MCL_ARRAY(m, k, type, place) ((type *)((char *)(m) + (k)->place))
#define PB_MCL_PARTICLES(m, k) \
	PB_MCL_ARRAY(m, k, struct pb_mcl_particle, particle)
#define PB_MCL_BINS(m, k) PB_MCL_ARRAY(m, k, struct pb_mcl_bin, table)

/* Choose the beams that are used. */
void pb_mcl_choose_beams(const struct pb_mcl_model *k, const struct pb_scan *z,
    struct pb_mcl_scan *s);

/* What a beam met. */
enum pb_mcl_met {
	PB_MCL_OFF_MAP,   /* it went where the map knows nothing */
	PB_MCL_AS_MAPPED, /* it ended at what the map has */
	PB_MCL_IN_FRONT,  /* it ended before that */
	PB_MCL_BEHIND     /* it went through what the map has */
};

/* What all beams of a scan met from one place. */
struct pb_mcl_view {
	uint8_t met[PB_MCL_BEAMS];
	int n[4];   /* number of beams of each kind */
	int astray; /* of the beams that went through an obstacle, those that
	               end in free space */
};

/*
 * Classify what the beams of s met, from p.
 *
 * Returns  the misfit of the scan (nat): neighbours that end in front count
 * once, as one obstacle stopped them
 */
double pb_mcl_classify_beams(const struct pb_mcl_model *k,
    const struct pb_mcl_scan *s, struct pb_pose p, struct pb_mcl_view *v);

/* Beam skipping: leave out the beams that an unmapped obstacle stopped, and
 * those that end far from any obstacle of the map. Sets their shares. */
void pb_mcl_skip_beams(const struct pb_mcl_model *k, struct pb_mcl_scan *s,
    const struct pb_gauss *prior, struct pb_pose *at, int n, double *hidden,
    double *off);

/* Fill the bins; number of particles by KLD sampling; resample. */
int pb_mcl_fill_bins(struct pb_mcl_mem *m, const struct pb_mcl_model *k, int n);
int pb_mcl_kld(const struct pb_mcl_opts *o, int bins);
void pb_mcl_resample(struct pb_mcl_mem *m, const struct pb_mcl_model *k, int n);

/* Log likelihood of a scan at p (nat). */
double pb_mcl_fit(const struct pb_mcl_model *k, const struct pb_mcl_scan *s,
    struct pb_pose p);

/*
 * A normal distribution no narrower than the map's resolution: obstacles are
 * known to a cell, over which a uniform distribution has its side squared / 12.
 * cov grows by that.
 */
bool pb_mcl_gauss(const struct pb_mcl_model *k, struct pb_pose mean,
    double cov[3][3], struct pb_gauss *out);

/* Refine a pose by maximum likelihood times prior (NULL: none). False if that
 * fails. */
bool pb_mcl_match(const struct pb_mcl_model *k, const struct pb_mcl_scan *s,
    const struct pb_gauss *prior, struct pb_pose from, struct pb_gauss *out);

/* Find the poses of a window where the scan fits. */
struct pb_mcl_window {
	struct pb_vec lo, hi; /* corners (m) */
	double th, half;      /* headings th - half .. th + half (rad) */
};
int pb_mcl_search(struct pb_mcl_mem *m, const struct pb_mcl_model *k,
    const struct pb_mcl_window *w, int room, struct pb_pose *out, int max);

/*
 * Find modes: near cluster c; where the slip model, whose prior
 * pb_mcl_slip_prior() computes, puts cluster c; in the whole map. Then draw
 * particles from them.
 */
void pb_mcl_search_near(
    struct pb_mcl_mem *m, const struct pb_mcl_model *k, int c);
bool pb_mcl_slip_prior(const struct pb_mcl_mem *m, const struct pb_gauss *g,
    struct pb_gauss *out, struct pb_pose from[3]);
void pb_mcl_search_slipped(
    struct pb_mcl_mem *m, const struct pb_mcl_model *k, int c);
void pb_mcl_search_everywhere(
    struct pb_mcl_mem *m, const struct pb_mcl_model *k, double share);
void pb_mcl_propose(
    struct pb_mcl_mem *m, const struct pb_mcl_model *k, int draws, int *n);
