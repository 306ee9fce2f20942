/* hunter.h - the arcade's ghosts on the ground of Clyde's: they hunt a robot.
 */
#pragma once

#include <stdbool.h>

#include "pb/clyde.h"
#include "pb/geom.h"
#include "pb/path.h"
#include "pb/rng.h"

/*
 * A hunter walks on Clyde's cells, the shortest way to a target, a cell that
 * depends on what it is up to. It knows the robot's pose as last published,
 * never the truth. Where the target is no cell of its own the nearest one is
 * taken. Metres, map frame. A hunter is a plain value: a copy goes on alike.
 */
enum {
	PB_HUNTER_CLYDE,
	PB_HUNTER_BLINKY,
	PB_HUNTER_PINKY,
	PB_HUNTER_INKY,
	PB_HUNTERS
};

/* Words of a set of them, by bit. */
#define PB_HUNTER_NAMES "clyde|blinky|pinky|inky"

/* Cells of a way that are kept; then it is looked for again. */
#define PB_HUNTER_WAY 48

/* How fast it walks when it is frightened (the arcade's first level) and once
 * it was eaten, beside its usual speed. */
#define PB_HUNTER_FRIGHT_PACE (2.0 / 3)
#define PB_HUNTER_EATEN_PACE  2.0

/* Made once for a part of the ground; then only read. */
struct pb_hunter_world {
	const struct pb_clyde_world *ground; /* borrowed */
	int part;                            /* of its grid: where they live */
	int corner[PB_HUNTERS];              /* each one's corner, a cell */
	int *home; /* cells to appear on, `homes` of them; owned */
	int homes;
};

/*
 * Make the world of the part that is nearest to the robot's start.
 *
 * Given    apart  they appear so far from the start by the way, or as far as
 *                 there is (m)
 * Returns  PB_OK and w for pb_hunter_world_clear, or PB_ENOMEM
 */
enum pb_status pb_hunter_world_init(struct pb_hunter_world *w,
    const struct pb_clyde_world *ground, struct pb_vec start, double apart);
void pb_hunter_world_clear(struct pb_hunter_world *w);

/* What they know in a tick. */
struct pb_hunter_sight {
	bool located;         /* the robot's pose was published: it is ... */
	struct pb_pose robot; /* ... this */
	bool paired;          /* blinky plays, and is here: */
	struct pb_vec blinky;
	bool chase;    /* else they scatter */
	double cell;   /* what stands for a cell of the arcade (m) */
	double walk;   /* so far in a tick (m) */
	double period; /* of a tick (s) */
};

struct pb_hunter {
	int who;
	struct pb_rng rng; /* of homes and frightened ways */
	struct pb_vec at;  /* (m) */
	int cell;          /* where it was last */
	int home;          /* where it appeared */
	int aim;           /* frightened: the cell drawn, -1: none yet */
	int reached;       /* target of the chase that it has come to, or -1 */
	double fright;     /* frightened for so long (s) */
	bool eaten;        /* on its way home */
	int goal;          /* of the way */
	int n, next;       /* cells of it, and the one that it walks to */
	int way[PB_HUNTER_WAY];
};

/*
 * Whether the arcade's first level has them chase, t seconds into a round:
 * they scatter for 7, chase for 20, 7, 20, 5, 20, 5 and chase from then on,
 * all times `scale`.
 */
bool pb_hunter_chases(double t, double scale);

/* Stand at cell i, which becomes its home. */
void pb_hunter_put(
    struct pb_hunter *h, const struct pb_clyde_world *ground, int i);

/* Appear on a drawn cell. */
void pb_hunter_appear(struct pb_hunter *h, const struct pb_hunter_world *w);

/* Be frightened for t seconds, unless it was eaten. */
void pb_hunter_frighten(struct pb_hunter *h, double t);

/* So much of the fright is over (s). */
void pb_hunter_calm(struct pb_hunter *h, double t);

/* It was eaten, at p: from now on it goes home. */
void pb_hunter_eat(
    struct pb_hunter *h, const struct pb_clyde_world *ground, struct pb_vec p);

/* It does no harm: it is frightened, or was eaten. */
bool pb_hunter_harmless(const struct pb_hunter *h);

/* The cell of the part that is nearest to p. */
int pb_hunter_near(
    const struct pb_clyde_world *ground, int part, struct pb_vec p);

/* Where it is going: a cell, see the manual for each one's rule. */
int pb_hunter_target(struct pb_hunter *h, const struct pb_hunter_world *w,
    const struct pb_hunter_sight *v);

/*
 * One tick.
 *
 * Given    s  on the ground's grid
 *          w  NULL: it was eaten, and needs none
 */
void pb_hunter_tick(struct pb_hunter *h, const struct pb_hunter_world *w,
    const struct pb_clyde_world *ground, struct pb_search *s,
    const struct pb_hunter_sight *v);

/* Feed all that decides what it will do to a hash. */
uint64_t pb_hunter_hash(uint64_t x, const struct pb_hunter *h);
