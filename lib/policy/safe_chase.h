/* safe_chase.h - ghosts that hunt, as safe thinks that they will walk. */
#pragma once

#include "ghost/hunter.h"
#include "policy/safe_harm.h"

/*
 * Hunters walk shortest ways to a target that their rules say (ghost/hunter.h):
 * here over the nodes of Clyde's walk, to the coarse block nearest to the
 * target, and there to the robot itself. Made once, then only read.
 */
struct pb_safe_chase {
	const struct pb_safe_field *field; /* borrowed */
	int rows;                          /* of the grid of coarse blocks */
	int *near; /* by place in that grid: the block nearest to it of
	              those where hunters can be; owned, as all below */
	int *goal; /* by node of the field's net: the same */
	unsigned char *step;    /* by block * nodes of the walk + node: which
	                           of its neighbours is next on the way to the
	                           block, PB_SAFE_THERE: none */
	float *way;             /* by block * blocks + block: from the second
	                           to the first (m), INFINITY: none */
	float *worth;           /* see pb_safe_chase_worth */
	int corner[PB_HUNTERS]; /* the block where each scatters */
};

#define PB_SAFE_THERE 8

/*
 * Given    f      its value's net is the one that fleeing is solved on
 *          speed  of hunters (m/s)
 *          pool   for what c owns
 * Returns  PB_OK or PB_ENOMEM
 */
enum pb_status pb_safe_chase_init(struct pb_safe_chase *c,
    const struct pb_safe_field *f, double speed, struct pb_pool *pool);

/* One that hunts now. */
struct pb_safe_hunter {
	int who;          /* PB_HUNTER_* */
	struct pb_vec at; /* (m) */
	double calm;      /* harmless for so long (s) */
};

/* Those that hunt, and what they go by. */
struct pb_safe_pack {
	int n;                               /* 0..PB_HUNTERS - 1 */
	const struct pb_safe_hunter *hunter; /* n */
	double speed;                        /* theirs (m/s) */
	double cell;                         /* of the arcade (m) */
	double modes; /* their clock of scatter and chase (s) ... */
	double scale; /* ... and what the arcade's times are scaled by */
};

/* One of them in thought. */
struct pb_safe_hound {
	int node;    /* of the walk */
	int reached; /* block: the target that it has come to, -1: none */
	float gone;  /* of the way to the next node (m) */
};

struct pb_safe_hound pb_safe_hound_at(
    const struct pb_safe_chase *c, const struct pb_safe_hunter *h);

/* The robot, as they know it. */
struct pb_safe_prey {
	struct pb_vec at; /* (m) */
	int block;        /* the nearest to it where they can be */
	float x, y;       /* where it looks to: a direction of length 1 */
};

/* Let all hounds of the pack walk for dt seconds; then it is t seconds later
 * than now. */
void pb_safe_chase_step(const struct pb_safe_chase *c,
    const struct pb_safe_pack *pack, const struct pb_safe_prey *prey, double t,
    double dt, struct pb_safe_hound *hound);

/*
 * What it costs to flee from one of them, where the robot is at node x and the
 * hound is: the chance of being caught, and what it is worth to be let alone.
 *
 * Given    x  node of the net that fleeing is solved on
 */
float pb_safe_chase_worth(
    const struct pb_safe_chase *c, int x, const struct pb_safe_hound *h);
