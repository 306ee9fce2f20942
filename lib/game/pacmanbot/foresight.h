/* foresight.h - Clyde's future, and whether anybody could have escaped him. */
#pragma once

#include <stdbool.h>

#include "base/pool.h"
#include "game/pacmanbot/arena.h"
#include "pb/clyde.h"
#include "pb/drive.h"
#include "pb/geom.h"
#include "pb/path.h"
#include "pb/status.h"

/*
 * Clyde wanders whatever the robot does, so a copy of him that is ticked ahead
 * says where he will be; his own draws stay as they are. Map frame, SI units.
 *
 * A round keeps what a flood needs: Clyde as he was when `running` began, just
 * before his first tick in it, and where the robot then was and how it moved.
 * The flood knows nothing of ghosts that hunt, who answer what the robot does;
 * more of them kill no fewer.
 */
struct pb_foresight {
	const struct pb_arena *arena; /* not owned */
	struct pb_clyde first;        /* as he was when the round began */
	struct pb_clyde ahead;        /* scratch: to be ticked */
	struct pb_pose place;         /* where the robot then was */
	struct pb_twist twist;        /* and how it moved */
	unsigned char *in;            /* by cell: in the flood */
	int *cell;                    /* the flood's n cells */
	int n;
	struct pb_disc *at; /* what Clyde takes at each of his ticks */
	int ticks;
};

/*
 * All memory that is needed, what is not copied in the pool. PB_OK, PB_ENOMEM
 * or what pb_clyde_init says.
 */
enum pb_status pb_foresight_init(struct pb_foresight *f,
    const struct pb_arena *a, const struct pb_clyde_opts *o,
    struct pb_pool *pool);
void pb_foresight_clear(struct pb_foresight *f);

void pb_foresight_copy(
    struct pb_foresight *dst, const struct pb_foresight *src);

/* A round begins: Clyde runs already and has not ticked yet. */
void pb_foresight_begin(struct pb_foresight *f, const struct pb_clyde *c,
    struct pb_pose robot, struct pb_twist twist);

/*
 * What he will do, for a player that may know it.
 *
 * Given    since  time since his last tick (s), less than his period
 *          ahead  scratch on the same world
 * Returns  at[i]: where he will be after i * dt seconds, i < n
 */
void pb_foresight_places(const struct pb_clyde *c, struct pb_clyde *ahead,
    double since, double dt, int n, struct pb_vec *at);

/* The flood: it grows through cells where the body fits, dry ground. */
void pb_flood_start(struct pb_foresight *f, struct pb_vec p);
void pb_flood_grow(struct pb_foresight *f, double dist);
void pb_flood_bite(struct pb_foresight *f, const struct pb_disc *d);

/*
 * Whether a robot that died `time` seconds after the round had begun would
 * have been caught whatever it did: no motion within its limits of speed and
 * turning, which change every dt (s), keeps farther than `radius` from Clyde at
 * each of his ticks.
 *
 * Note     A proof for a judge who sees the robot where it is, since each
 *          step is rounded up to whole cells; he who judges by an estimate
 *          may err to both sides. Who is caught by Clyde's first tick could
 *          not have done a thing. Deaths beyond PB_FORESIGHT_TIME were never
 *          at the start: false at no cost.
 */
#define PB_FORESIGHT_TIME 20.0
bool pb_foresight_doomed(struct pb_foresight *f, const struct pb_limits *l,
    double dt, double radius, double time);
