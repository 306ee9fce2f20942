/*
 * ray.h - range along a ray through an occupancy map, and the cells of a
 * line.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pb/decls.h"
#include "pb/geom.h"
#include "pb/map.h"
#include "pb/status.h"

PB_BEGIN_DECLS

/*
 * Coordinates are in cells: cell (c, r) is the square from (c, r) to
 * (c + 1, r + 1), without its upper sides. A walk is a value; nothing is
 * shared.
 *
 *	struct pb_traverse w = pb_traverse_start(a, b);
 *	do
 *		visit(w.at);
 *	while (pb_traverse_next(&w));
 */
struct pb_traverse {
	struct pb_cell at; /* current cell */
	int step_x;        /* -1, 0 or 1 (columns) */
	int step_y;        /* -1, 0 or 1 (rows) */
	long left_x;       /* steps along x that remain */
	long left_y;       /* steps along y that remain */
	double next_x;     /* share of the line at the next x side */
	double next_y;     /* share of the line at the next y side */
	double share_x;    /* from one x side to the next */
	double share_y;    /* from one y side to the next */
};

/*
 * Begin in the cell of a, towards that of b.
 *
 * Given    a, b  ends (cells), within a thousand million of 0
 */
struct pb_traverse pb_traverse_start(struct pb_vec a, struct pb_vec b);

/*
 * Go on to the next cell that the line crosses.
 *
 * Returns  false at the cell of b, and w stays there
 * Note     every cell once, neighbours share a side: a line through a corner
 *          passes beside it. Steps are counted, so rounding cannot lead past
 *          b (Amanatides and Woo, "A fast voxel traversal algorithm", 1987).
 */
bool pb_traverse_next(struct pb_traverse *w);

/*
 * Everything is in the map frame; the origin's yaw is honoured. What a ray
 * needs of a map is worked out once and read only afterwards: threads may
 * share it. The map may be freed once it is prepared. What lies outside the
 * map, or the part of one that it is, is unknown.
 */
struct pb_rays;

/*
 * Make tables for rays through m.
 *
 * Given    unknown_stops  unknown cells stop a ray as obstacles do
 * Returns  PB_OK and *r for pb_rays_free, or PB_ENOMEM and *r untouched
 * Note     4 bytes a cell, 3 more meanwhile; time linear in the cells
 */
enum pb_status pb_rays_new(
    const struct pb_map *m, bool unknown_stops, struct pb_rays **r);
void pb_rays_free(struct pb_rays *r);

/*
 * Distance from p's place to the first face of a cell that stops rays, along
 * p's heading.
 *
 * Given    p    pose in the map frame; its place may be any, also outside
 *               the map, its heading is finite
 *          max  range limit (m), > 0; may be INFINITY
 * Returns  distance (m) in [0, max]: max if nothing was hit, 0 if p is in a
 *          cell that stops rays or outside the map or part
 * Note     exact: the same bits as walking from cell to cell along
 *          pb_direction(heading). A ray through a corner of cells crosses the
 *          edge of the row first.
 */
double pb_ray(const struct pb_rays *r, struct pb_pose p, double max);

/* pb_ray for n poses: several times as fast as single calls, fastest if poses
 * that follow each other are near each other. */
void pb_ray_batch(const struct pb_rays *r, const struct pb_pose *p, size_t n,
    double max, double *out);

/* pb_ray for n beams of a scan at p, beam i at p.th + angle_min + i * inc. */
void pb_ray_scan(const struct pb_rays *r, struct pb_pose p, double angle_min,
    double inc, size_t n, double max, double *out);

PB_END_DECLS
