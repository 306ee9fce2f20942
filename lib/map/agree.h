/* agree.h - how alike two maps of one place are. */
#ifndef PB_MAP_AGREE_H
#define PB_MAP_AGREE_H

#include <stddef.h>

#include "map/map.h"

/* Kinds of cells. */
enum pb_kind { PB_KIND_FREE, PB_KIND_OCCUPIED, PB_KIND_UNKNOWN, PB_KINDS };

enum pb_kind pb_cell_kind(int value);

/*
 * Count cells by what two maps say of them.
 *
 * Given    a, b  maps of one frame; sizes, places and resolutions may differ
 * Returns  n[i][j]: cells of kind i in a and j in b; a cell of a is compared
 *          with the one of b that holds its centre, a cell of b whose centre
 *          lies outside a counts as unknown there
 */
void pb_map_agree(const struct pb_map *a, const struct pb_map *b,
    size_t n[PB_KINDS][PB_KINDS]);

#endif
