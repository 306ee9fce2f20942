/* gen_house.h - random houses with furniture, as lidar maps. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pb/map.h"
#include "pb/param.h"
#include "pb/rng.h"
#include "pb/status.h"

/*
 * A house is rooms, corridors, doors and furniture on an occupancy map; its
 * outside and the inside of walls and cupboards are unknown. Its free space is
 * always one piece, and stays one for a robot that keeps `clearance` from
 * everything. The origin puts (0, 0) at the middle of the map.
 */
struct pb_house_opts {
	double width;      /* width of the map, margins included (m) */
	double height;     /* height of the map, margins included (m) */
	double resolution; /* side of a cell (m) */
	uint64_t seed;
	double room_area; /* rooms are about this large (m^2) */
	double corridor;  /* width of corridors (m) */
	double door;      /* least width of a door; some are wider (m) */
	double loops;     /* chance of a door beyond those needed, 0..1 */
	double cut;       /* chance that an outer room is missing, 0..1 */
	double furniture; /* pieces per square metre of room, >= 0 */
	double ragged;    /* chance that a cell at a wall is marked, 0..1 */
	double clearance; /* distance that the robot keeps from walls (m) */
};

/* The least house is one room of 2.5 m between walls and margins (m). */
#define PB_HOUSE_SIDE_MIN 3.74
/* Larger sites take a minute to find shared walls among all rooms (m). */
#define PB_HOUSE_SIDE_MAX 500.0
#define PB_HOUSE_CELL_MIN 0.005 /* (m) */
/* Coarser cells let a wall fill the door (m). */
#define PB_HOUSE_CELL_MAX 0.2

/* A flat of 14 m by 11 m at 5 cm, seed 1. */
struct pb_house_opts pb_house_defaults(void);

/* Rows of the options. */
extern const struct pb_params pb_house_params;

/*
 * Check the options.
 *
 * Returns  PB_OK, or PB_EVALUE or PB_ESIZE with *bad, if not NULL, the name
 *          of the first option that is wrong (static storage)
 */
enum pb_status pb_house_check(const struct pb_house_opts *o, const char **bad);

/*
 * Make the house that o describes. The same options give the same cells
 * everywhere.
 *
 * Returns  PB_OK and a map for pb_map_clear, or a status of pb_house_check,
 *          or PB_ENOMEM, and m untouched
 */
enum pb_status pb_gen_house(const struct pb_house_opts *o, struct pb_map *m);
