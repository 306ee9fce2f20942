/* arena.h - what all games on one map share, read-only once made: walls, paths,
 * pellets, and obstacles of the body and the lidar; the players' view. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pool.h"
#include "game/pacmanbot/opts.h"
#include "game/pellets.h"
#include "map/edt.h"
#include "pb/clyde.h"
#include "pb/geom.h"
#include "pb/localizer.h"
#include "pb/map.h"
#include "pb/path.h"
#include "pb/plan_grid.h"
#include "pb/ray.h"
#include "pb/status.h"
#include "robot/sense.h"

/*
 * The robot plans by its map; its body and its lidar meet the world. Made once
 * with the arena, then only read: threads share it. Map frame, SI units.
 */

struct pb_surroundings {
	/* A world that differs from the map; else these are zeroed. */
	struct pb_map world; /* known part, cells of its own */
	struct pb_edt
	    edt; /* distances to the nearest wall, on the arena's cells */
	struct pb_grid
	    body; /* cells farther from walls than the inscribed radius */
	struct pb_rays *rays;              /* rays of the lidar */
	const struct pb_localizer *method; /* NULL: noise on the truth */
	void *model; /* what the method has learnt of the map */
};

/* People, seen from above: a disc as wide as shoulders (m). */
#define PB_PERSON 0.25

/*
 * Simulate a scan of the lidar of a robot at p.
 *
 * Given    t    n boxes and people
 *          out  room for o->lidar.beams
 * Returns  out: ranges (m), NAN for nothing in range; and the scan of them,
 *          which points to out
 */
struct pb_scan pb_surroundings_scan(const struct pb_surroundings *s,
    const struct pb_round_opts *o, const struct pb_thing *t, int n,
    struct pb_pose p, struct pb_rng *rng, double *out);

/*
 * Built once from a map and the arena part of the options, then only read, but
 * for way fields, which are made at the first need: threads share it. Grids and
 * fields have one entry a cell of `map`, in its order. A wall is a cell that is
 * not free, or, for plan_unknown, occupied.
 *
 * A way field holds the distance to one goal (pb_field units, PB_STEP a
 * cell), on the soft grid where that joins home to the goal, else on the hard
 * one: the soft cost of nav2 only decides between existing paths.
 */
struct pb_way_field {
	const struct pb_grid *grid; /* &arena->soft or &arena->hard */
	int goal;                   /* cell, -1: unreachable */
	int32_t *d; /* distance by cell; NULL: not stored, the map is large */
	atomic_bool made; /* d is filled in */
};

/* One thread at a time makes a way field. */
struct pb_field_maker {
	atomic_bool busy;
	int32_t *work; /* room for pb_field_between() */
};

struct pb_arena {
	struct pb_map map;       /* known part, owned; all of it for
	                            plan_unknown */
	double yaw_cos, yaw_sin; /* yaw of the map's origin */
	double per_metre;        /* cells per metre */
	struct pb_vec lo, hi;    /* corners of the known part (cells) */
	struct pb_edt edt; /* distances to the nearest wall, border included */
	struct pb_grid soft;         /* cells beyond the inflation radius */
	struct pb_grid hard;         /* cells beyond the inscribed radius */
	struct pb_clyde_world clyde; /* its safe cells */
	struct pb_pose start;        /* the robot's start and home */
	int home;                    /* cell of `start`, in `hard` */
	int n;                       /* pellets, 1..PB_ROUND_IDS */
	struct pb_pellet *pellet;    /* n: pellet[i].id == i; owned */
	struct pb_vec *at;           /* n: their places; owned */
	int *cell;                   /* n: where to drive to, joined to home
	                                and within plan_tol, or -1; owned */
	int reach;    /* number of pellets that can be driven to */
	int left_out; /* number of pellets that cannot be reached */
	struct pb_way_field *field;    /* n + 1: to pellet i; to home; owned */
	int32_t *distance;             /* memory of all fields */
	struct pb_field_maker *maker;  /* makes the fields; owned */
	struct pb_surroundings around; /* for the robot's own senses; zeroed:
	                                  it has none, the world is the map */
	const struct pb_edt *body_edt; /* distances to the true walls */
	const struct pb_grid *body;    /* cells where the robot truly fits */
	struct pb_pool pool;           /* owner of the arrays */
};

/*
 * Make an arena.
 *
 * Given    m  any map; it is copied
 *          o  checked; its arena part is used
 *          s  pellets to play for, or NULL: laid by the published rule
 *             at o's spacing and clearance, without those that the robot
 *             cannot reach unless o keeps them
 * Returns  PB_OK and *a for pb_arena_free, or *a untouched and
 *          PB_EVALUE (options, ids of s that are not 0..n-1 in order),
 *          PB_ENOFREE (no free cell for the robot, or none for Clyde),
 *          PB_EWALL (start or spawn in a wall or outside),
 *          PB_EPATH (no pellet can be reached from the start, or
 *          Clyde has nowhere to go),
 *          PB_ENOENT (no pellet at all, or none left), PB_ESIZE (more than
 *          PB_ROUND_IDS pellets), PB_ENOMEM; then *why, if not NULL, gets a
 *          text for people that says what is wrong (static storage)
 * Note     without a start the robot begins where the clearance is largest
 *          in the largest component of the hard grid, two pickup radii off
 *          every pellet where that is possible; of equals the lowest cell
 *          index.
 */
enum pb_status pb_arena_new(struct pb_arena **a, const struct pb_map *m,
    const struct pb_round_opts *o, const struct pb_pellets *s,
    const char **why);

/*
 * Give it surroundings, see there.
 *
 * Given    map    that a was made of
 *          truth  the world as it is, NULL: as the map says
 */
enum pb_status pb_arena_surround(struct pb_arena *a, const struct pb_map *map,
    const struct pb_map *truth, const struct pb_round_opts *o,
    const char **why);

/* The way field to pellet i, or to home, i = a->n; made if it is kept. */
const struct pb_way_field *pb_arena_field(const struct pb_arena *a, int i);

/* NULL is fine. */
void pb_arena_free(void *arena);

/* Cell index of p, -1 outside the part. Inline: a step calls it 30 times. */
static inline int
pb_arena_cell(const struct pb_arena *a, struct pb_vec p)
{
	double dx = p.x - a->map.origin.x, dy = p.y - a->map.origin.y;
	double x = (a->yaw_cos * dx + a->yaw_sin * dy) * a->per_metre;
	double y = (a->yaw_cos * dy - a->yaw_sin * dx) * a->per_metre;

	if (!(x >= a->lo.x && x < a->hi.x && y >= a->lo.y && y < a->hi.y))
		return -1;
	return ((int)y - a->map.below) * a->map.width + (int)x - a->map.left;
}

/* Where pb_arena_new() found no pellets: a spacing that has some, and how many;
 * see pb_pellets_spacing(); opts: struct pb_round_opts *. */
double pb_arena_spacing(const struct pb_map *m, const void *opts, size_t *n);

/* Centre of cell index i. */
struct pb_vec pb_arena_centre(const struct pb_arena *a, int i);

/* What lies within a radius (m) of p, in cells: centre of cell (0, 0) at
 * (0, 0). */
struct pb_disc pb_arena_disc(
    const struct pb_arena *a, struct pb_vec p, double radius);

/*
 * The cell of p if grid g joins it to the cell `to`; else the nearest one that
 * is so joined, its centre at most tol (m) away; of equals the lowest index; -1
 * if there is none.
 */
int pb_arena_near(const struct pb_arena *a, const struct pb_grid *g, int to,
    struct pb_vec p, double tol);

/* Distance between p's cell and the nearest wall cell (m); 0 outside. */
double pb_arena_clearance(const struct pb_arena *a, struct pb_vec p);

/*
 * A player sees what the published planner node could subscribe to, and the
 * read-only arena: never the true pose and never a random stream of the game
 * (except `oracle`, an upper bound). The view and what it points to live for
 * the call.
 */
enum pb_goal_kind {
	PB_GOAL_NONE,
	PB_GOAL_PELLET,
	PB_GOAL_HOME,
	PB_GOAL_POINT,
	PB_GOAL_PATH
};

/* How the last goal that is no longer active ended. */
enum pb_goal_end {
	PB_END_NONE, /* no goal has ended yet */
	PB_END_REACHED,
	PB_END_FAILED,   /* navigation gave up */
	PB_END_CANCELLED /* by a pickup, a newer answer or the controller */
};

/* The truth that only the player `oracle` receives. */
struct pb_truth {
	struct pb_pose robot;         /* its true pose, map frame */
	const struct pb_clyde *clyde; /* true Clyde, to be copied ... */
	struct pb_clyde *ahead;       /* ... here and ticked ahead */
};

/* Something that the lidar saw where the map has no wall. */
struct pb_mark {
	struct pb_vec at; /* place by the pose at that time (m) */
	double since, t;  /* times when it was first and last seen (s) */
	size_t raster;    /* its index on the layer's raster */
};

/* A mark stands for a disc as wide as its raster (cells of the map). */
#define PB_MARK_CELLS 1

/* The follower of paths turns on the spot when it is misaligned by more than
 * the first, until it is less than the second (rad). */
#define PB_TURN_AT 0.8
#define PB_TURN_TO 0.25

struct pb_view {
	double t;            /* time (s) */
	double run_t;        /* time since `running` began in this round (s) */
	struct pb_pose pose; /* estimate as last published, map frame */
	struct pb_pose odom; /* wheel odometry, its own frame */
	struct pb_pose odom_at_pose; /* odometry when pose was published */
	double v;                    /* measured speed (m/s) */
	double w;                    /* measured turn rate (rad/s) */
	struct pb_vec clyde;         /* Clyde's last published place (m) */
	double clyde_t;              /* time of that (s) */
	double closing;              /* Clyde comes nearer at this speed, as the
	                                published node measures it (m/s) */
	double clyde_speed;          /* Clyde's last published speed (m/s) */
	int pellets;                 /* number of pellets of the arena */
	const unsigned char *left;   /* left[i]: pellet i of the arena is on
	                                the planner's list and not collected */
	int remaining;               /* number of pellets left */
	int marks;                   /* number of marks of the sensor layer */
	const struct pb_mark *mark;
	enum pb_goal_kind goal;    /* active goal */
	int goal_pellet;           /* its pellet, -1 if none */
	enum pb_goal_end last_end; /* how the goal before ended */
	const struct pb_arena *arena;
	const struct pb_round_opts *opts;
	const struct pb_truth *truth; /* NULL: the player does not foresee */
};
