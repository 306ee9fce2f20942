/* maze_solid.h - the walls of a maze as they stand, for rays at any angle. */
#ifndef PB_MAP_MAZE_SOLID_H
#define PB_MAP_MAZE_SOLID_H

#include "map/map.h"
#include "map/maze.h"

/*
 * The walls of an arena are eroded by half a cell: there is wall in the square
 * between four centres of cells if all four cells are walls, and only there.
 * This makes an occupancy map of those squares, in the frame of
 * pb_maze_to_map(): x right, y up, the lower left corner of the board at the
 * origin. Its outer squares stand out of the board by half a cell.
 *
 * Given    cell  side of a cell (m), > 0
 * Returns  PB_OK and a map for pb_map_clear, one square a cell of it, walls
 *          occupied and all else free, named after z; or a status of
 *          pb_map_init
 * Note     walls one cell thick have no squares: nobody sees them
 */
enum pb_status pb_maze_solid(
    const struct pb_maze *z, double cell, struct pb_map *m);

#endif
