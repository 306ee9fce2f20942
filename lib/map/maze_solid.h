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

/*
 * Map cells along a cell of pb_maze_walled(): of corridors of 0.43 m remain
 * 0.376 m, so that a body of 0.34 m, as wide as a Roomba, is not in the walls.
 */
#define PB_MAZE_WALLED 16

/*
 * A board whose robots are smaller than its cells, as roomba's and zumy's: the
 * map that pb_maze_to_map() makes with cells of z's own size and
 * PB_MAZE_WALLED, in the same frame, and about it a wall one map cell thick.
 * Walls between cells are an eighth of a cell thick.
 *
 * Returns  PB_OK and a map for pb_map_clear, or a status of pb_map_init
 */
enum pb_status pb_maze_walled(const struct pb_maze *z, struct pb_map *m);

#endif
