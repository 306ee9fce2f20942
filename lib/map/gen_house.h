/*
 * gen_house.h - random houses with furniture, as a lidar would have mapped
 * them.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pb/map.h"
#include "pb/param.h"
#include "pb/rng.h"
#include "pb/status.h"

/*
 * Everything is in cells of the map to come: column and row of the lower left
 * cell, and one past the upper right cell. A plan owns its lists and belongs
 * to one thread.
 */
struct pb_rect {
	int x0, y0; /* first column and row (cells) */
	int x1, y1; /* one past the last (cells) */
};

struct pb_room {
	struct pb_rect at; /* inside of the walls */
	bool corridor;     /* long and narrow, kept nearly empty */
	bool dropped;      /* cut from the outline: outside of the house */
};

struct pb_door {
	struct pb_rect at; /* the hole in the wall */
	int a, b;          /* the rooms it joins */
};

struct pb_floorplan {
	struct pb_room *room;
	int rooms;
	struct pb_door *door;
	int doors;
	int wall; /* thickness, of doors too (cells) */
};

/* What a plan is made from, in cells but where said otherwise. */
struct pb_plan_opts {
	struct pb_rect site; /* where the house stands, walls included */
	int wall;            /* thickness of every wall, >= 1 */
	int side_min;        /* no room is narrower */
	int corridor;        /* width of corridors */
	int door_min;        /* width of doors: at least, */
	int door_max;        /* at most */
	double room_cells;   /* rooms larger than about this are split */
	double loops;        /* chance that a wall in no tree gets a door */
	double cut;          /* chance that an outer room is left out */
};

/*
 * Split the site into rooms by recursive halving, with a corridor where the
 * halves are large, cut some rooms from the outline and join the others by
 * doors: a random tree and, in some of the other shared walls, doors that
 * close loops. Any two rooms that are left are connected.
 *
 * Given    o  as documented above; the site holds at least one room
 *          r  random stream, advanced
 * Returns  PB_OK and a plan for pb_floorplan_clear, or PB_ENOMEM, PB_ESIZE
 *          (the site holds no room) and p untouched
 */
enum pb_status pb_floorplan_init(
    struct pb_floorplan *p, const struct pb_plan_opts *o, struct pb_rng *r);

/* Free what p owns and zero it. A zeroed plan is fine. */
void pb_floorplan_clear(struct pb_floorplan *p);

/* A wall between two rooms, wide enough for a door. In cells. */
struct pb_wall {
	int a, b;          /* the rooms, a < b */
	struct pb_rect at; /* the wall without its ends */
};

/*
 * The part of the wall between rooms p and q in which a door of door_min
 * fits, walls being `thick`. Returns false, w unspecified, if they share none.
 */
bool pb_wall_between(const struct pb_rect *p, const struct pb_rect *q,
    int thick, int door_min, struct pb_rect *w);

/*
 * All walls that rooms share, by a, then by b.
 *
 * Given    room, n  rooms of a plan; no two overlap. Dropped ones count.
 * Returns  PB_OK, or PB_ENOMEM and *wall, *walls untouched
 *          *wall  the list, from malloc
 */
enum pb_status pb_walls_find(const struct pb_room *room, int n, int thick,
    int door_min, struct pb_wall **wall, int *walls);

struct pb_furnish_opts {
	double density; /* pieces per square metre, >= 0 */
	int clearance;  /* what the robot keeps from everything (cells) */
};

/*
 * Put cupboards, tables and pots into the rooms of plan p, drawn on m. A
 * piece that would cut a room's doors from each other, for a robot that keeps
 * the clearance in both axes, is left out, so what was one piece stays one.
 *
 * Given    m  the house, walls and doors drawn; changed
 *          r  random stream, advanced
 * Returns  PB_OK or PB_ENOMEM (m may have some of the furniture)
 */
enum pb_status pb_furnish(struct pb_map *m, const struct pb_floorplan *p,
    const struct pb_furnish_opts *o, struct pb_rng *r);

/*
 * A house is rooms, corridors, doors and furniture on an occupancy map whose
 * outside, and the inside of walls and cupboards, nobody has seen. Its free
 * space is always one piece, and stays one for a robot that keeps `clearance`
 * from everything. The origin puts (0, 0) at the middle of the map.
 */
struct pb_house_opts {
	double width;      /* of the map, margins included (m) */
	double height;     /* of the map, margins included (m) */
	double resolution; /* side of a cell (m) */
	uint64_t seed;
	double room_area; /* rooms are about this large (m^2) */
	double corridor;  /* width of corridors (m) */
	double door;      /* least width of a door; some are wider (m) */
	double loops;     /* chance of a door beyond those needed, 0..1 */
	double cut;       /* chance that an outer room is missing, 0..1 */
	double furniture; /* pieces per square metre of room, >= 0 */
	double ragged;    /* chance that a cell at a wall is marked, 0..1 */
	double clearance; /* what the robot keeps from walls (m) */
};

/* The least house is one room of 2.5 m between walls and margins (m). */
#define PB_HOUSE_SIDE_MIN 3.74
/* Beyond, the search for shared walls among all rooms takes a minute (m). */
#define PB_HOUSE_SIDE_MAX 500.0
#define PB_HOUSE_CELL_MIN 0.005 /* (m) */
/* Coarser, and a wall swallows the door (m). */
#define PB_HOUSE_CELL_MAX 0.2

/* A flat of 14 m by 11 m at 5 cm, seed 1. */
struct pb_house_opts pb_house_defaults(void);

/* Options of which a user may have any in their ranges. */
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
