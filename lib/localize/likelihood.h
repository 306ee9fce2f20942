/* likelihood.h - how well the end of a beam fits a map, worked out before. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pb/geom.h"
#include "pb/map.h"
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
#define PB_LIKELIHOOD_NAT    64
#define PB_LIKELIHOOD_LEVELS 7

/*
 * The lowest cost in a window, for all windows on a lattice, which is that of
 * the whole map; of those not kept it is `most`. As many as a search reads at
 * a time are in memory on either side of a row, and rows around them:
 * pb_likelihood_at().
 */
struct pb_likelihood_level {
	int left;      /* first column kept (windows) */
	int below;     /* first row kept (windows) */
	int width;     /* kept (windows) */
	int height;    /* (windows) */
	uint8_t *cost; /* of window (i, j), which covers the cells of the padded
	                  table from (i - 1) 2^k on, 2^(k + 1) a side, owned */
	uint8_t *free; /* 1 where block (i, j) of 2^k cells holds a free cell of
	                  the map; same lattice without the shift, owned */
};

#define PB_LIKELIHOOD_TILE 16

/*
 * Where window (left + u, below + v) is in a level's arrays, for any u and v.
 * Those to the right of it up to PB_LIKELIHOOD_TILE follow, and there is the
 * same of the next row behind a row.
 */
static inline size_t
pb_likelihood_at(const struct pb_likelihood_level *l, int u, int v)
{
	const int tile = PB_LIKELIHOOD_TILE;

	u = u < -tile ? -tile : u > l->width ? l->width : u;
	v = (unsigned)(v + 1) <= (unsigned)l->height ? v : l->height;
	return (size_t)((v + 1) * (l->width + tile) + u + tile);
}

/*
 * The table is padded: one cell around the map. Only the rectangle is kept in
 * which something can differ from `most` and `reach`: of a small house in a
 * large image that is a small part.
 */
struct pb_likelihood {
	int left;              /* first column kept of the padded table */
	int below;             /* first row kept */
	int width;             /* kept (cells) */
	int height;            /* the same (cells) */
	int cols;              /* of the map, unpadded (cells) */
	int rows;              /* the same (cells) */
	double resolution;     /* side of a cell (m) */
	struct pb_pose origin; /* of the grid frame in the map frame */
	uint8_t *cost;         /* of a beam that ends in a cell, owned */
	uint16_t *dist;        /* to the nearest obstacle (1/256 cell), at most
	                          `reach`, owned */
	double reach;          /* (m) */
	double sigma;          /* (m) */
	double stray;          /* 0..1 */
	uint8_t most;          /* cost of a beam that hits nothing */
	size_t nfree;          /* free cells of the map */
	uint32_t *free;        /* their indices in m->cell, owned */
	struct pb_likelihood_level level[PB_LIKELIHOOD_LEVELS]; /* [0] unused */
};

/* The end of a beam in the robot's frame (m). */
struct pb_beam_end {
	double x;
	double y;
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

/*
 * Cost of a scan.
 *
 * Given    p       in the grid frame, no farther than 1e6 cells from it
 *          end[n]  no farther than 1e6 cells from the robot
 * Returns  the sum over the beams (1/64 nat)
 */
int32_t pb_likelihood_cost(const struct pb_likelihood *f, struct pb_pose p,
    const struct pb_beam_end *end, int n);

/*
 * Distance from (x, y) of the grid frame to the nearest obstacle, between the
 * centres of cells bilinear.
 *
 * Returns  distance (m), `reach` where it is more, and its slope in g
 */
double pb_likelihood_dist(
    const struct pb_likelihood *f, double x, double y, struct pb_vec *g);

/* Share of the beams of a scan from p that end within d of an obstacle. */
double pb_likelihood_share(const struct pb_likelihood *f, struct pb_pose p,
    const struct pb_beam_end *end, int n, double d);
