/* zumy_thought.h - a game of Zumy that is played on in thought. */
#pragma once

#include "game/zumy/zumy.h"

/* A game in thought. */
struct pb_zumy_thought {
	/* A body is in the next cell so many ticks before its leg's end, looks
	 * aside so many before it looks where it turns, and so many quarters
	 * from where it looked. */
	int16_t in[PB_ZUMY_ROBOTS], aside[PB_ZUMY_ROBOTS];
	int16_t quarters[PB_ZUMY_ROBOTS];
	struct pb_zumy s; /* last: of its patrols only those who play */
};

/* Bytes of a thought of so many patrols. */
size_t pb_zumy_thought_size(int patrols);

/* How legs go; copying it is a snapshot. */
#define PB_ZUMY_FADES 64
struct pb_zumy_legs {
	double spread; /* by which they were measured, < 0: they were not */
	struct pb_zumy_pace pace;
	double fade[PB_ZUMY_FADES]; /* what so many ticks leave of a belief */
	bool drawn;                 /* a time that was measured, or the mean */
	struct pb_rng rng;          /* of the times */
};

/*
 * A game is played on in thought, with options that are the thought's own.
 * Robots under way are told in step, and go on as in the mean or as is drawn,
 * see pb_zumy_legs_resume. Legs are measured where errors are not as they were.
 *
 * Given    v     of a game with bodies
 *          seed  of a measurement
 * Returns  l, o and s, what player and patrols misread gone
 */
void pb_zumy_legs_begin(struct pb_zumy_legs *l, const struct pb_zumy_view *v,
    uint64_t seed, struct pb_zumy_opts *o, struct pb_zumy *s);
void pb_zumy_legs_resume(struct pb_zumy_legs *l, struct pb_zumy_thought *t);

/*
 * Let a tick pass, and then as many in which robots only go on, at most `most`.
 *
 * Given    d  as pb_zumy_tick has it
 * Returns  the ticks after the first
 */
int pb_zumy_legs_tick(
    struct pb_zumy_legs *l, struct pb_zumy_thought *t, enum pb_dir d, int most);
