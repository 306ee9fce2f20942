/* surroundings.h - what the robot's body and its lidar meet: walls as they
 * are, boxes, people. */
#pragma once

#include "game/pacmanbot/opts.h"
#include "map/edt.h"
#include "pb/localizer.h"
#include "pb/map.h"
#include "pb/ray.h"
#include "robot/sense.h"

/*
 * The robot plans by its map; its body and its lidar meet the world. Made once
 * with the arena, then only read: threads share it. Map frame, SI units.
 */

/* Walls about a body on the arena's cells. */
struct pb_walls {
	struct pb_edt edt;   /* to the nearest wall */
	unsigned char *free; /* a cell: farther from walls than the inscribed
	                        radius */
};

struct pb_surroundings {
	struct pb_map map;    /* the robot's, all of it */
	struct pb_map world;  /* as it is; cells of its own */
	bool differs;         /* from the map: walls hold here */
	struct pb_walls body; /* what stops a body, if it differs */
	struct pb_rays *rays; /* of the lidar */
	const struct pb_localizer *method; /* NULL: noise on the truth */
	void *known;                       /* what it has learnt of the map */
};

/*
 * Make them.
 *
 * Given    part   of the robot's map: the cells of the arena
 *          map    all of it
 *          truth  the world as it is, NULL: as the map says
 *          at     a place of the robot (m), which has to be free there
 * Returns  PB_OK and s for pb_surroundings_clear; PB_EWALL, PB_EVALUE (it is
 *          of another frame), PB_ENOFREE (more people than free floor),
 *          PB_ENOMEM, or what learn() of the localizer says; *why gets a text
 *          for people (static storage)
 */
enum pb_status pb_surroundings_init(struct pb_surroundings *s,
    const struct pb_map *part, const struct pb_map *map,
    const struct pb_map *truth, struct pb_vec at, const struct pb_round_opts *o,
    const char **why);
void pb_surroundings_clear(struct pb_surroundings *s);

/* People, seen from above: a disc as wide as shoulders (m). */
#define PB_PERSON 0.25

/*
 * What the lidar of a robot at p measures.
 *
 * Given    t    n things that stand about
 *          out  room for o->lidar.beams
 * Returns  out: ranges (m), NAN for nothing in range; and the scan of them,
 *          which points to out
 */
struct pb_scan pb_surroundings_scan(const struct pb_surroundings *s,
    const struct pb_round_opts *o, const struct pb_thing *t, int n,
    struct pb_pose p, struct pb_rng *rng, double *out);
