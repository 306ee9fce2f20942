/* floorplan.h - rooms, corridors, doors and shared walls of a random house. */
#pragma once

#include <stdbool.h>

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

/* q and what lies up to `by` around it. */
static inline struct pb_rect
pb_rect_grown(struct pb_rect q, int by)
{
	return (struct pb_rect){q.x0 - by, q.y0 - by, q.x1 + by, q.y1 + by};
}

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
