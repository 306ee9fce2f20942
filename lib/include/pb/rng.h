/* rng.h - seeded random streams, one per (seed, trial, purpose). */
#pragma once

#include <stdint.h>

#include "pb/decls.h"

PB_BEGIN_DECLS

/*
 * One generator for the whole toolkit: xoshiro256** (Blackman and Vigna,
 * "Scrambled linear pseudorandom number generators", 2018), its state filled by
 * splitmix64 from a hash of seed, trial and purpose. Every purpose has its own
 * stream, so that a player that draws more numbers does not change the ghost:
 * two players on the same seed meet the same Clyde. A generator belongs to one
 * thread; copying the struct is a snapshot.
 */
struct pb_rng {
	uint64_t s[4];
};

/* What a stream is for. Append only: the numbers are part of the results. */
enum pb_purpose {
	PB_FOR_MAP = 1, /* map and board generation */
	PB_FOR_GHOST,   /* ghosts: spawn, destinations, frightened turns */
	PB_FOR_POSE,    /* error of the pose estimate that the game sees */
	PB_FOR_ODOM,    /* error of wheel odometry */
	PB_FOR_SENSOR,  /* range sensors, camera fixes */
	PB_FOR_MOTION,  /* error of the motors */
	PB_FOR_PLAYER,  /* draws that a player makes for itself */
	PB_FOR_FILTER,  /* draws that a localizer makes for itself */
	PB_FOR_TRIAL    /* set-up of a trial: starts, orders */
};

/*
 * Start the stream of one purpose of one trial.
 *
 * Given    seed, trial, purpose  any values; `which` distinguishes equal
 *                                purposes (the ghost's number), else 0
 * Returns  r, ready; the same four numbers always give the same stream
 */
void pb_rng_start(struct pb_rng *r, uint64_t seed, uint64_t trial,
    enum pb_purpose purpose, unsigned which);

/* 64 uniform bits. */
uint64_t pb_rng_u64(struct pb_rng *r);

/* Uniform in [0, 1): a multiple of 2^-53. */
double pb_rng_unit(struct pb_rng *r);

/* Uniform in [lo, hi). */
double pb_rng_between(struct pb_rng *r, double lo, double hi);

/*
 * Uniform in 0..n-1 without bias (Lemire, "Fast random integer generation in
 * an interval", 2019).
 *
 * Given    n  > 0
 */
uint32_t pb_rng_below(struct pb_rng *r, uint32_t n);

/*
 * Standard normal deviate, by the polar method. Its spare value is thrown
 * away, so that a snapshot of the state is a snapshot of the stream.
 */
double pb_rng_normal(struct pb_rng *r);

PB_END_DECLS
