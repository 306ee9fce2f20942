/* mapping.h - an occupancy map grown from scans at known poses. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "map/change.h"
#include "pb/geom.h"
#include "pb/map.h"
#include "pb/param.h"
#include "pb/scan.h"
#include "pb/status.h"

/*
 * Everything is in the map frame, SI units. Cells lie on the lattice of
 * multiples of the resolution, so that maps of one place fit on each other.
 * A mapping belongs to one thread.
 */
struct pb_mapping_opts {
	double resolution; /* side of a cell (m) */
	double range;      /* returns beyond this are not used (m) */
	double clear;      /* a beam without return clears up to here (m) */
	double margin;     /* unknown space around the map (m) */
	double hit;        /* probability of an obstacle where a beam ended */
	double miss;       /* probability of one where a beam passed */
	bool chances;      /* cells have probabilities instead of free and
	                      occupied */
	size_t most;       /* most cells of a map, 0: no limit but its sides */
};

struct pb_mapping_opts pb_mapping_defaults(void);

/* The constants as options. */
extern const struct pb_params pb_mapping_params;

/* Evidence of a cell. */
struct pb_evidence {
	int16_t odds;  /* log odds of an obstacle (1/256), saturating; 0:
	                  nothing is known */
	uint16_t scan; /* number of that which touched it last, the number
	                  before if it only ended beside */
};

struct pb_mapping {
	struct pb_mapping_opts o;
	int16_t hit, miss;        /* log odds that a scan adds (1/256) */
	struct pb_cellbox room;   /* box of the stored cells */
	struct pb_cellbox known;  /* box of the cells with evidence */
	struct pb_evidence *cell; /* the cells of `room`, row by row, owned */
	uint16_t scan;            /* number of the last scan, even */
};

/*
 * Start a mapping without evidence.
 *
 * Returns  PB_OK and m for pb_mapping_clear, or PB_EVALUE and m untouched
 */
enum pb_status pb_mapping_init(
    struct pb_mapping *m, const struct pb_mapping_opts *o);

/* Free what m owns and zero it. A zeroed m is fine. */
void pb_mapping_clear(struct pb_mapping *m);

/*
 * Add a scan. The cell where a beam ends gains odds, those that it crossed lose
 * some; a cell counts once a scan, and a cell with an end is not crossed. Cells
 * beside an end, or beside the line between the ends of neighbours, become free
 * once beams crossed them, but keep the evidence of ends: ranges have noise,
 * and a wall would lose the side from which it is seen.
 *
 * Given    p  pose of the scanner
 * Returns  PB_OK; PB_EVALUE: p is not finite; PB_ESIZE: the map would have a
 *          side of more than PB_MAP_SIDE cells, or more cells than o.most;
 *          PB_ENOMEM; then m is as it was
 * Note     the storage grows by itself, seldom
 */
enum pb_status pb_mapping_add(
    struct pb_mapping *m, struct pb_pose p, const struct pb_scan *s);

/*
 * The map of the evidence up to now, with its margins.
 *
 * Returns  PB_OK and out for pb_map_clear; PB_EEMPTY: no beam was usable;
 *          PB_ESIZE, PB_ENOMEM and out untouched
 */
enum pb_status pb_mapping_map(const struct pb_mapping *m, struct pb_map *out);
