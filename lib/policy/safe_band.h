/* safe_band.h - keep a way off the walls. */
#ifndef PB_POLICY_SAFE_BAND_H
#define PB_POLICY_SAFE_BAND_H

#include "game/pacmanbot/arena.h"

/* Points of a band are this far apart at first (m). */
#define PB_SAFE_BAND_STEP 0.1

/*
 * The net joins its nodes by the shortest way that the body can take, which
 * grazes the ends of walls; a robot whose pose is a hand's breadth off rubs
 * there. The way becomes an elastic band (Quinlan and Khatib, "Elastic
 * bands", 1993): points close together, each of which moves, by small steps,
 * to where it lacks less room and the band stays smooth.
 *
 * Given    way    n >= 1 points
 *          room   clearance beyond which walls do not matter (m)
 *          max    room in out, >= 1
 * Returns  how many points of out were set; the first and the last of way
 *          stay where they are, unless max cuts it short
 */
int pb_safe_band(const struct pb_arena *a, const struct pb_vec *way, int n,
    double room, struct pb_vec *out, int max);

#endif
