/* merge.h - one map of what two maps of a place know. */
#ifndef PB_MAP_MERGE_H
#define PB_MAP_MERGE_H

#include "map/map.h"

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

#endif
