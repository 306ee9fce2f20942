/* dance.h - what the robot does on the spot to be seen: spin and shake. */
#ifndef PB_ROBOT_DANCE_H
#define PB_ROBOT_DANCE_H

#include <stdbool.h>

/*
 * Twists sent at a steady period, of which only the turn rate is not zero; each
 * holds until the next. The first one comes a period after the command, and a
 * period after the last one a zero twist ends it. Everything is constant.
 */
struct pb_dance {
	const char *name; /* "spin", "shake" */
	double w;         /* turn rate, at first positive (rad/s) */
	double period;    /* between twists (s) */
	int twists;       /* without the last, zero one */
	int flip;         /* its sign changes after so many, 0: never */
	int relight;      /* each time after so many the light of the event
	                   * begins again, 0: never */
};

/*
 * Dance i, 0..; NULL behind the last.
 *
 * Given    exact  as the report says it, with nothing lost to a timer's
 *                 period; else as the published node counts it
 */
const struct pb_dance *pb_dance_at(int i, bool exact);

/* The one of that name, NULL if there is none. */
const struct pb_dance *pb_dance_find(const char *name, bool exact);

/* Turn rate of twist i, 1..; 0 of the one behind the last (rad/s). */
double pb_dance_w(const struct pb_dance *d, int i);

/* The angle that the whole dance turns the robot by (rad). */
double pb_dance_angle(const struct pb_dance *d);

#endif
