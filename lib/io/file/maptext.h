/* maptext.h - maps as lines of characters: MovingAI and plain rows. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "io/stream/error.h"
#include "pb/map.h"

/*
 * Neither kind says how large a cell is or where the map lies: the caller
 * does. Both have the top row first.
 *
 * MovingAI: "type", "height", "width" and "map" lines, then rows in which
 * . G S are free and @ O T W are not.
 *
 * Rows: # X @ W 1 are occupied, . - 0 and a blank free, ? unknown; what a
 * line lacks on the right is unknown, too. Empty lines at the end do not
 * count.
 */
bool pb_movingai_is(const char *p, size_t n);

/* Whether p is nothing but rows. */
bool pb_rows_are(const char *p, size_t n);

/* Return 0 and a map for pb_map_clear, or -1 with f filled in. */
int pb_movingai_decode(const char *p, size_t n, const char *name,
    double resolution, struct pb_pose origin, struct pb_map *m,
    struct pb_error *f);
int pb_rows_decode(const char *p, size_t n, const char *name, double resolution,
    struct pb_pose origin, struct pb_map *m, struct pb_error *f);

/*
 * Write m; the caller asks ferror. Rows keep what is free, occupied and
 * unknown; MovingAI knows no unknown and makes it @, occupied.
 */
void pb_movingai_write(FILE *out, const struct pb_map *m);
void pb_rows_write(FILE *out, const struct pb_map *m);
