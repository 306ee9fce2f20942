/* map_records.h - records of maps and boards. */
#ifndef PB_IO_REC_MAP_RECORDS_H
#define PB_IO_REC_MAP_RECORDS_H

#include "io/rec/type.h"
#include "io/stream/text.h"
#include "pb/map.h"
#include "pb/maze.h"

/*
 * Maps and images from outside that have more cells are refused before there
 * is memory for them; the value of --max-cells.
 */
extern int pb_max_cells;

/* Whether width x height cells are too many; then text says so. */
bool pb_cells_over(long width, long height, char text[128]);

/*
 * A map is written as rows when its cells are 0, 100 and -1 only, else as
 * data: nothing is lost either way.
 */
void pb_put_map(struct pb_text *o, const struct pb_map *m);

/* The map that a body has made for itself, as it is at a time. */
void pb_put_map_of(
    struct pb_text *o, struct pb_stamp s, const struct pb_map *m);

void pb_put_maze(struct pb_text *o, const struct pb_maze *z);

#endif
