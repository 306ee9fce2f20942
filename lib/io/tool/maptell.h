/* maptell.h - what there is to say about a map, for people and scripts. */
#ifndef PB_IO_TOOL_MAPTELL_H
#define PB_IO_TOOL_MAPTELL_H

#include <stdio.h>

#include "base/status.h"
#include "io/file/mapfile.h"
#include "io/stream/fault.h"
#include "io/stream/msg.h"
#include "map/map.h"
#include "map/pixel.h"

/*
 * Write `key: value` lines: name, size, extent, resolution, origin, counts of
 * free, occupied and unknown cells, pieces of free space, hash. Pieces hang
 * together by steps to the eight neighbours that cut no corner.
 *
 * Returns  PB_OK or PB_ENOMEM
 */
enum pb_status pb_maptell(FILE *out, const struct pb_map *m);

/*
 * Write how alike m and other are, as `key: value` lines: cells that either of
 * them knows, how many of these are equal, and then for each two kinds how
 * many cells are the first in m and the second in other.
 */
void pb_maptell_agree(
    FILE *out, const struct pb_map *m, const struct pb_map *other);

/*
 * Warn of what reading the map file name met: unknown cells kept from being
 * free, a resolution that nobody gave.
 */
void pb_maptell_notes(const char *name, const struct pb_mapfile_notes *n);

/* Read "a,b" or "all" into the unsigned at `to`, a set of dialects. */
bool pb_maptell_pair(void *to, const char *arg, struct pb_bad *bad);

/*
 * How differently loaders read the map file at path: a line `a b cells of all
 * per cent` for every pair from a to b of which `mask` has both bits.
 *
 * Returns  0, or -1 with f filled in
 */
int pb_maptell_compare(
    FILE *out, const char *path, unsigned mask, struct pb_fault *f);

#endif
