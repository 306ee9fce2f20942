/* maprecord.h - the map in a file of records, or made of a board. */
#ifndef PB_IO_FILE_MAPRECORD_H
#define PB_IO_FILE_MAPRECORD_H

#include <stddef.h>

#include "io/stream/fault.h"
#include "io/stream/msg.h"
#include "map/map.h"

/*
 * The first map or maze of the records in p[0..n) of the file at path; the
 * board that p[0..n) is. A maze becomes a map by its own measure.
 *
 * Returns  0 and m for pb_map_clear, or -1 with f filled in
 */
int pb_maprecord_read(const char *path, const char *p, size_t n,
    struct pb_map *m, struct pb_fault *f);
int pb_maprecord_board(const char *path, const char *p, size_t n,
    struct pb_map *m, struct pb_fault *f);

/* A record's complaint as a file's. Returns -1. */
int pb_maprecord_fault(
    struct pb_fault *f, const char *path, long line, const struct pb_bad *bad);

#endif
