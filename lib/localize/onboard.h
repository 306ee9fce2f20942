/* onboard.h - localizers on board of the robots that play on a board. */
#pragma once

#include "pb/localizer.h"
#include "pb/result.h"
#include "robot/rover.h"

/*
 * A game whose robots have localizers has a row "localizer", and may have some
 * of the methods' own rows with the method's name before theirs:
 * "mcl-particles". Beams and most particles are then as a TurtleBot 4's AMCL
 * has them; 200 at least, fewer than its 500, do, since the filter looks where
 * a scan fits.
 */
#define PB_ONBOARD_MCL(at, m) \
	PB_MCL_ROWS("mcl-", at, m, 200, 2000, 60, "localizer=mcl")

/*
 * Make m learn a world with the constants of a robot that plays: the usual
 * ones, those that the rows p of the struct at base have of them, and what
 * suit() changes (NULL: nothing) by ctx.
 *
 * Returns  as learn() of the method, or PB_ENOMEM
 */
enum pb_status pb_onboard_learn(const struct pb_localizer *m,
    const struct pb_loc_world *w, struct pb_params p, const void *base,
    void (*suit)(const struct pb_localizer *m, void *opts, const void *ctx),
    const void *ctx, void **model);

/* Errors of the estimates that a robot steered by. */
struct pb_onboard_score {
	int updates, wrong, lost, wrong_cell;
	double sum, squares; /* of position errors, and of their squares */
	double off, turned;  /* last errors of place, and of heading (rad) */
};

/* Add an estimate: wrong: the method was sure and wrong; lost: it was lost;
 * other_cell: it had another cell. */
void pb_onboard_count(struct pb_onboard_score *s, struct pb_pose believed,
    struct pb_pose truth, bool wrong, bool lost, bool other_cell);

/* Fill the localizer's part of a trial; unit: that of places (m). */
void pb_onboard_report(
    const struct pb_onboard_score *s, double unit, struct pb_trial *r);

/*
 * A robot has odometry, which does not notice slip, and a lidar, which sees the
 * walls of the board and the other robots. A method for maps computes a pose
 * from these, and the robot steers by it. As methods and their constants are
 * made for houses, all lengths in this module are in cells: a cell of a board
 * corresponds to a metre of a corridor. So constants hold on boards of any
 * size, also those of lengths without a row.
 */

/* The localizers' data of a board; threads share it. */
struct pb_onboard;

/*
 * Given    localizer  enum pb_rover_localizer
 *          body       diameter of robots (m)
 *          p, base    rows of the game, and its options
 * Returns  PB_OK and *b for pb_onboard_free, NULL for noise; PB_ENOMEM and what
 *          else learn() of the method says, and *b untouched
 */
enum pb_status pb_onboard_new(const struct pb_maze *z, int localizer,
    double body, struct pb_params p, const void *base, struct pb_onboard **b);
void pb_onboard_free(struct pb_onboard *b);

/* Bytes of memory for n robots, flat: copying them is a snapshot. */
size_t pb_onboard_memory(const struct pb_onboard *b, int n);

/* The robots of one game, at most; b NULL: their estimates are not made here.
 */
#define PB_ONBOARD_ROBOTS 16
struct pb_onboard_robots {
	const struct pb_onboard *b;
	void *mem; /* memory of n robots */
	int n;
};

/* Start all robots; each is given its true pose. */
void pb_onboard_start(const struct pb_onboard_robots *c,
    const struct pb_rover *all, uint64_t seed, uint64_t trial);

/* Place robot i at p and give it that pose. */
void pb_onboard_place(
    const struct pb_onboard_robots *c, int i, struct pb_pose p);

/* Turn robot i of all on the spot, in no time, until its estimated heading is
 * `th`. */
void pb_onboard_turn(
    const struct pb_onboard_robots *c, struct pb_rover *all, int i, double th);

/* pb_rover_drive() of robot i of all, with its localizer if it has one. */
void pb_onboard_drive(const struct pb_onboard_robots *c, struct pb_rover *all,
    int i, const struct pb_rover_opts *o, struct pb_twist u, double dt);

/* Standard deviation of robot i's place along a line, by its last update (m);
 * sd if it has no localizer. */
double pb_onboard_spread(const struct pb_onboard_robots *c, int i, double sd);

/* The localization errors of robot i. */
void pb_onboard_result(struct pb_onboard_robots c, int i, struct pb_trial *r);
