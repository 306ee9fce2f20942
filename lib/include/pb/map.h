/* map.h - an occupancy map: storage, meaning of a cell, frames. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pb/decls.h"
#include "pb/geom.h"
#include "pb/status.h"

PB_BEGIN_DECLS

/*
 * A map is a nav_msgs/OccupancyGrid: row-major, row 0 at the bottom, each cell
 * -1 (unknown) or 0..100 (chance of an obstacle, per cent). Its origin is the
 * pose, in the map frame, of the lower left corner of cell (0, 0). Threads may
 * share a map while none changes it.
 *
 * A part of a map (pb_map_part) keeps the origin of the whole one and
 * counts what it leaves out on each side. Its own cells count from its own
 * corner, but their places are computed as in the whole map, to the last bit.
 * Functions that make, change, write or draw maps take whole maps.
 */
struct pb_map {
	int width;             /* columns, 1..PB_MAP_SIDE (cells) */
	int height;            /* rows, 1..PB_MAP_SIDE (cells) */
	double resolution;     /* side of a cell, > 0 (m) */
	struct pb_pose origin; /* lower left corner of the whole map */
	int left, right;       /* columns of it beside this part, else 0 */
	int below, above;      /* rows */
	signed char *cell;     /* width * height, owned by the map */
	char name[64];         /* of the map, "" if none; cut, never over */
	double deformation;    /* expected of a SLAM's map (m), 0: not known */
};

/* The longest side: 20,000 cells is 1 km at 5 cm, and 400 MB of cells. */
#define PB_MAP_SIDE 20000

/* Most cells between the map's origin and that of the map frame: there a double
 * still resolves a few thousandths of a cell. */
#define PB_MAP_FAR 1e12

/*
 * A cell up to PB_CELL_FREE is free, from PB_CELL_OCCUPIED on an obstacle; in
 * between, and below 0, it is unknown. These are map_server's default
 * thresholds, 0.25 and 0.65.
 */
#define PB_CELL_UNKNOWN  (-1)
#define PB_CELL_FREE     25
#define PB_CELL_OCCUPIED 65

/*
 * Make m a map of unknown cells.
 *
 * Given    width, height  1..PB_MAP_SIDE
 *          resolution     > 0, finite (m)
 *          origin         finite; x and y at most PB_MAP_FAR cells
 * Returns  PB_OK and a map for pb_map_clear, or PB_ENOMEM, PB_ESIZE (sides),
 *          PB_EVALUE (resolution, origin) and m untouched
 */
enum pb_status pb_map_init(struct pb_map *m, int width, int height,
    double resolution, struct pb_pose origin);

/* Free what m owns and zero it. A zeroed map is fine. */
void pb_map_clear(struct pb_map *m);

/* Make dst a copy of src; dst is overwritten, not cleared. */
enum pb_status pb_map_copy(struct pb_map *dst, const struct pb_map *src);

/* Number of cells. */
size_t pb_map_cells(const struct pb_map *m);

/* Number of free cells. */
size_t pb_map_free_cells(const struct pb_map *m);

/* Whether c is a cell of m. */
bool pb_map_inside(const struct pb_map *m, struct pb_cell c);

/* Index of c in m->cell; c must be inside. */
size_t pb_map_index(const struct pb_map *m, struct pb_cell c);

/* The cell with index i < pb_map_cells(m). */
struct pb_cell pb_map_cell_of(const struct pb_map *m, size_t i);

/* Value of c, PB_CELL_UNKNOWN outside. */
int pb_map_at(const struct pb_map *m, struct pb_cell c);

/* What a value means: exactly one of the three holds. */
bool pb_cell_free(int value);
bool pb_cell_occupied(int value);
bool pb_cell_unknown(int value);

/*
 * The cell that holds p; it may lie outside the map, and does if p is not
 * finite. Honours origin yaw.
 */
struct pb_cell pb_map_cell(const struct pb_map *m, struct pb_vec p);

/*
 * A length without the dust of arithmetic: the nearest multiple of 1e-12 m, so
 * that 111 cells of 0.05 m make 5.55 m in files, and not 5.550000000000001.
 */
double pb_map_dusted(double v);

/* Centre of c in the map frame (m). Honours origin yaw. */
struct pb_vec pb_map_centre(const struct pb_map *m, struct pb_cell c);

/*
 * The published systems' place of a cell: the *upper left corner* of its
 * pixel, x = u R + x0, y = (H - v) R + y0 with v counted from the top row
 * and the origin's yaw ignored.
 */
struct pb_vec pb_map_corner(const struct pb_map *m, struct pb_cell c);

/*
 * The inverse of pb_map_corner as the published ghost node has it:
 * round((X - x0) / R), round(H - (Y - y0) / R), halves to even, clamped to
 * the whole map.
 */
struct pb_cell pb_map_corner_cell(const struct pb_map *m, struct pb_vec p);

/*
 * 64-bit hash of everything that decides a game on m: size, resolution,
 * origin, cells; not the name. The same on every machine. For whole maps.
 */
uint64_t pb_map_hash(const struct pb_map *m);

PB_END_DECLS
