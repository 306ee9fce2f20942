/* change.h - parts and unions of maps. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pb/geom.h"
#include "pb/status.h"

struct pb_map;

/* Ends included; empty if hi is below lo. */
struct pb_cellbox {
	struct pb_cell lo, hi;
};

#define PB_CELLBOX_EMPTY ((struct pb_cellbox){{0, 0}, {-1, -1}})

static inline bool
pb_cellbox_empty(struct pb_cellbox b)
{
	return b.hi.col < b.lo.col;
}

/* The smallest box that holds b and c. */
static inline struct pb_cellbox
pb_cellbox_join(struct pb_cellbox b, struct pb_cell c)
{
	if (pb_cellbox_empty(b))
		return (struct pb_cellbox){c, c};
	b.lo.col = c.col < b.lo.col ? c.col : b.lo.col;
	b.lo.row = c.row < b.lo.row ? c.row : b.lo.row;
	b.hi.col = c.col > b.hi.col ? c.col : b.hi.col;
	b.hi.row = c.row > b.hi.row ? c.row : b.hi.row;
	return b;
}

/*
 * These functions make a new map; every cell keeps its place in the map frame,
 * whatever the origin's yaw. dst is for pb_map_clear and untouched on failure.
 */

/*
 * The cells of src from lo to hi, both included; what lies outside src is
 * unknown.
 *
 * Returns  PB_OK, PB_ENOMEM, or PB_ESIZE: no cells, or too many
 */
enum pb_status pb_map_crop(const struct pb_map *src, struct pb_cell lo,
    struct pb_cell hi, struct pb_map *dst);

/* The bounding box of all known cells. */
struct pb_cellbox pb_map_known(const struct pb_map *m);

/*
 * The least part of m with all cells that are not unknown: what a game needs
 * of a map whose image is mostly unknown. Of a map without any, one cell.
 *
 * Returns  PB_OK and a part for pb_map_clear, or PB_ENOMEM
 */
enum pb_status pb_map_part(const struct pb_map *m, struct pb_map *part);

/*
 * A map of one cell for each k x k cells of a source of width x height cells,
 * whose origin and resolution (m) those are, to be filled row by row. Occupied
 * wins over unknown and unknown over free, so walls get no holes and nothing
 * new is free; of a kind the highest value. What lies beyond the source's upper
 * and right edge is unknown.
 *
 * Returns  PB_OK and m for pb_map_clear, or as pb_map_init
 */
enum pb_status pb_map_coarse_init(struct pb_map *m, int k, long width,
    long height, double resolution, struct pb_pose origin);

/* Add n cells of the source from (col, row) on. */
void pb_map_coarse_add(struct pb_map *m, int k, long col, long row,
    const signed char *cell, long n);

/* The same of a map; *dst gets its name. */
enum pb_status pb_map_coarsen(
    const struct pb_map *src, int k, struct pb_map *dst);

/*
 * Resample the map onto axes without yaw, as pb_map_merge does, for programs
 * that ignore yaw. Right angles lose nothing.
 *
 * Returns  PB_OK and *dst, for pb_map_clear; or PB_ENOMEM or PB_ESIZE
 */
enum pb_status pb_map_straighten(const struct pb_map *src, struct pb_map *dst);

/* Steps of pb_map_change, in this order. A zeroed struct changes nothing. */
struct pb_change {
	bool straighten; /* onto axes without yaw, as pb_map_straighten */
	bool crop;       /* to the box from lo to hi (m) */
	struct pb_vec lo, hi;
	bool trim; /* unknown margins */
};

/*
 * Change m. Returns PB_OK, or PB_ENOMEM, PB_ESIZE, or PB_ENOENT: no cell lies
 * in the box, or all are unknown; m is a map still.
 */
enum pb_status pb_map_change(struct pb_map *m, const struct pb_change *c);

/*
 * Add to a what b knows.
 *
 * Given    a, b  maps of one frame; places, sizes, turns and resolutions may
 *                differ
 * Returns  PB_OK and *dst, for pb_map_clear, with the cells and the name of a,
 *          and as many more as b needs; or PB_ENOMEM, or PB_ESIZE: together
 *          they are too large; then dst is untouched
 * Note     a cell of dst is compared with the one of b that holds its centre.
 *          Occupied wins over free and free over unknown; of two values of a
 *          kind the higher is taken. Then the cells that hold centres of
 *          occupied ones of b become occupied, so that walls which are thinner
 *          there get no holes.
 */
enum pb_status pb_map_merge(
    const struct pb_map *a, const struct pb_map *b, struct pb_map *dst);

/* Cells along its sides, which may be too many. */
void pb_map_merged_size(
    const struct pb_map *a, const struct pb_map *b, long *width, long *height);
