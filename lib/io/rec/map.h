/* map.h - records of maps and boards. */
#ifndef PB_IO_REC_MAP_H
#define PB_IO_REC_MAP_H

#include "io/rec/type.h"
#include "io/text.h"
#include "map/map.h"
#include "map/maze.h"

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
