/* roomba_course.h - the Roomba game with bodies, foreseen leg by leg. */
#ifndef PB_GAME_ROOMBA_COURSE_H
#define PB_GAME_ROOMBA_COURSE_H

#include "game/roomba/roomba_drive.h"

/*
 * What roomba_drive.h plays in small steps, for players that play on in
 * thought: a robot turns towards the next centre at its turn rate until it is
 * within its aim, drives straight at its speed until it is near enough, and
 * decides. Between decisions nothing has to be stepped through. Controllers
 * are exact and nothing is noisy, so times are those of the game but for its
 * steps and its noise.
 *
 * SI units, frame and rules as there; a robot decides by the game's rules with
 * the draws of s. The struct is flat.
 */
struct pb_roomba_leg {
	struct pb_vec from, to; /* it drives on the line between them */
	double off, there; /* when it has turned, and when it decides (s) */
	double th;         /* heading on the line (rad) */
};

struct pb_roomba_course {
	struct pb_roomba s;
	double now;   /* time since it was begun (s) */
	double power; /* when the pill is over (s) */
	struct pb_roomba_leg leg[PB_ROOMBA_ROBOTS];
};

/* Begin as f is; s->tick counts on from there. */
void pb_roomba_course_begin(struct pb_roomba_course *c,
    const struct pb_roomba_fleet *f, const struct pb_roomba_board *b,
    const struct pb_roomba_opts *o);

/* Where robot i is now (m). */
struct pb_vec pb_roomba_course_at(const struct pb_roomba_course *c, int i);

/*
 * Pac-Man decides, and all drive until he decides again, is killed, or the
 * game ends.
 *
 * Given    stick  where it points, see pb_roomba_steer
 * Returns  whether he decides again
 */
bool pb_roomba_course_on(struct pb_roomba_course *c,
    const struct pb_roomba_board *b, const struct pb_roomba_opts *o,
    enum pb_dir stick);

#endif
