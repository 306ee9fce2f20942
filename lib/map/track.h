/* track.h - where a body was at a time: poses of a log, looked up. */
#ifndef PB_MAP_TRACK_H
#define PB_MAP_TRACK_H

#include <stdbool.h>
#include <stddef.h>

#include "pb/geom.h"
#include "pb/status.h"

/*
 * A pose and its time (s), NAN if it has none. Poses are kept in the order in
 * which a log tells them; times rise as a rule.
 */
struct pb_track_pose {
	double t;
	struct pb_pose pose;
};

/* A zeroed track is empty. Read only, threads may share it. */
struct pb_track {
	struct pb_track_pose *at; /* n of them, owned */
	size_t n, room;
};

void pb_track_clear(struct pb_track *k);

/* Add a pose at the end. PB_OK, or PB_ENOMEM and k as it was. */
enum pb_status pb_track_add(struct pb_track *k, double t, struct pb_pose pose);

/*
 * The pose at time t.
 *
 * Given    told  poses that the log told before it asked, <= k->n
 *          t     (s), NAN: no time
 *          gap   poses farther away in time mean nothing (s)
 * Returns  true and the pose: that told last if it has the same time or times
 *          are missing; else, between two poses at most gap apart, a share of
 *          the way from one to the other; else the nearest pose, at most gap
 *          away. False: none of these
 */
bool pb_track_find(const struct pb_track *k, size_t told, double t, double gap,
    struct pb_pose *pose);

#endif
