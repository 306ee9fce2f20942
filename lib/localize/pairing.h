/* pairing.h - which pose belongs to which, and what their stamps are worth. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pb/geom.h"
#include "pb/status.h"

/*
 * The order in which poses were told is the truth, their times are a claim:
 * logs have stamps that were rounded, stand still, go back or jump. All arrays
 * here are in the order of their stream. Nothing is shared; memory is had for
 * the time of a call.
 */
struct pb_timed {
	double t; /* (s), finite */
	struct pb_pose p;
	int status;      /* enum pb_loc_status, or PB_TRAJ_SILENT */
	size_t told;     /* of an estimate: references that its stream had told
	                    before it, or PB_TIMED_APART */
	double sigma[3]; /* standard deviations of x, y, theta that it claims,
	                    NAN: none (m, m, rad) */
};

/* The references are those of another stream. */
#define PB_TIMED_APART SIZE_MAX

/* A zeroed list is empty. */
struct pb_timed_list {
	struct pb_timed *at; /* owned */
	size_t n, cap;
};

/* PB_OK, or PB_ENOMEM and l as it was. */
enum pb_status pb_timed_add(struct pb_timed_list *l, struct pb_timed x);
void pb_timed_clear(struct pb_timed_list *l);

/* Sort x[n] by t, and poses of one time by told. */
void pb_timed_sort(struct pb_timed *x, size_t n);

/*
 * The first of n numbers, each so many bytes from the one before, that is not
 * below v, by halving; n if none is.
 *
 * Given    x  the first of them; they do not fall
 */
size_t pb_not_below(const double *x, size_t stride, size_t n, double v);

/* What the stamps of records are worth as times. */
struct pb_stamps {
	size_t n;
	size_t missing;  /* no number */
	size_t repeated; /* those that one before has, too */
	size_t back;     /* those before that of the record before */
	double late;     /* farthest step back (s) */
	double jump;     /* a step ahead that cannot be, 0: none (s) */
	bool broken;     /* they tell no time: number the records instead */
};

/*
 * Stamps are broken if some are missing or come twice, if one lies more than a
 * second before the one before it, or more than every twentieth does at all,
 * or if one step takes over an hour and ten times as long as all others.
 *
 * Given    t  the first of n, each so many bytes from the one before
 * Returns  PB_OK and s, or PB_ENOMEM
 */
enum pb_status pb_stamps_judge(
    const double *t, size_t stride, size_t n, struct pb_stamps *s);

/* How an estimate finds its reference. */
enum pb_pairing {
	PB_PAIR_ONCE,    /* by time; a reference has one estimate at most */
	PB_PAIR_NEAREST, /* by time; it may have several */
	PB_PAIR_ORDER    /* the first with the first, whatever the times */
};
#define PB_PAIRINGS "once|nearest|order"

/* Estimates for which several references may be the one. */
struct pb_pair_doubt {
	size_t n;
	double t; /* stamp of the first such estimate (s) */
};

/*
 * For each estimate its reference: the nearest in time, within max_dt. Where
 * several references have that time the first estimate of that time has the
 * first of them, and so on, if there are as many; else, in one stream, each
 * has the last that was told before it. A reference that several estimates are
 * nearest to has the nearest of them, of equals the last.
 *
 * Returns  PB_OK with of[ne], the index in ref or nr if none; PB_ENOMEM;
 *          PB_ESIZE if the order is to count and there are not as many of
 *          both; PB_EVAGUE and d if more than one reference fits
 */
enum pb_status pb_pair_poses(const struct pb_timed *ref, size_t nr,
    const struct pb_timed *est, size_t ne, enum pb_pairing how, double max_dt,
    size_t *of, struct pb_pair_doubt *d);
