/* change.h - parts and coarser versions of a map, in the same place. */
#ifndef PB_MAP_CHANGE_H
#define PB_MAP_CHANGE_H

#include "map/map.h"

/*
 * All make a new map; every cell keeps its place in the map frame, whatever
 * the origin's yaw. dst is for pb_map_clear and untouched on failure.
 */

/*
 * The cells of src from lo to hi, both included; what lies outside src is
 * unknown.
 *
 * Returns  PB_OK, PB_ENOMEM, or PB_ESIZE: no cells, or too many
 */
enum pb_status pb_map_crop(const struct pb_map *src, struct pb_cell lo,
    struct pb_cell hi, struct pb_map *dst);

/*
 * Smallest and largest column and row with a cell whose centre lies in the
 * box from a to b (m, map frame; the map may be turned in it).
 *
 * Returns  whether there is any
 */
bool pb_map_in_box(const struct pb_map *m, struct pb_vec a, struct pb_vec b,
    struct pb_cell *lo, struct pb_cell *hi);

/*
 * Smallest and largest column and row with a cell that is not unknown.
 *
 * Returns  whether there is any
 */
bool pb_map_known(
    const struct pb_map *m, struct pb_cell *lo, struct pb_cell *hi);

/*
 * The least part of m with all cells that are not unknown: what a game needs
 * of a map whose image is mostly unknown. Of a map without any, one cell.
 *
 * Returns  PB_OK and a part for pb_map_clear, or PB_ENOMEM
 */
enum pb_status pb_map_part(const struct pb_map *m, struct pb_map *part);

/*
 * One cell for each k x k cells of src, counted from its origin; cells that
 * are missing at the other edges are unknown. Occupied wins over unknown and
 * unknown over free, so walls never get holes and nothing new is free. Of
 * several values the highest of the winning kind is taken.
 *
 * Given    k  >= 1
 */
enum pb_status pb_map_coarsen(
    const struct pb_map *src, int k, struct pb_map *dst);

/*
 * The same map on axes without yaw, for programs that ignore it. Each cell
 * takes the value of the src cell at its centre, unknown beyond; then the
 * cells in which centres of occupied ones lie become occupied, so that a turn
 * makes no holes in walls. Right angles lose nothing.
 *
 * Returns  PB_OK, PB_ENOMEM, or PB_ESIZE: the turned map is too large
 */
enum pb_status pb_map_straighten(const struct pb_map *src, struct pb_map *dst);

/* What pb_map_change does, in this order. A zeroed struct changes nothing. */
struct pb_change {
	bool straighten;
	bool crop; /* to the box from lo to hi (m) */
	struct pb_vec lo, hi;
	bool trim;   /* unknown margins */
	int coarsen; /* cells to one; 0 and 1 leave them */
};

/* Whether c changes anything. */
bool pb_change_any(const struct pb_change *c);

/*
 * Change m. Returns PB_OK, or PB_ENOMEM, or PB_ENOENT: no cell lies in the
 * box, or all are unknown; m is a map still.
 */
enum pb_status pb_map_change(struct pb_map *m, const struct pb_change *c);

#endif
