/* zumy_thought.h - what players share who play on in thought. */
#pragma once

#include "game/zumy/zumy.h"

/* What a state is worth, lower is better: steps to the goal and what the
 * patrols believe to see; if he was seen, it is more than any other's. */
double pb_zumy_worth(const struct pb_zumy *s);

/* States of one key have nearly the same future: moves that have as many ticks
 * left, in steps of `grain`, and beliefs that are alike in steps of 1/belief.
 * Never 0. */
uint64_t pb_zumy_key(const struct pb_zumy *s, int grain, int belief);

/* The best of many states, by places; the states are the owner's. */
#define PB_ZUMY_BEST 12000
struct pb_zumy_best {
	int n, order[PB_ZUMY_BEST]; /* of the first n places, the best first */
	double worth[PB_ZUMY_BEST]; /* by place */
};

/*
 * Where to put a state that is worth so much; of equals the first stays ahead.
 * most  <= PB_ZUMY_BEST: so many are kept.
 *
 * Returns  its place; -1 if it is not among the best
 */
int pb_zumy_best_place(struct pb_zumy_best *b, int most, double worth);

/* Keys of states that were met. */
#define PB_ZUMY_MET ((size_t)1 << 22)
struct pb_zumy_met {
	size_t places, n;
	uint64_t key[PB_ZUMY_MET]; /* of those in use; 0: none */
};

/* None was met; `places` is a power of two, at most PB_ZUMY_MET. */
void pb_zumy_met_clear(struct pb_zumy_met *m, size_t places);

/* Whether a key was not met before; now it is, while half of the places are
 * free. */
bool pb_zumy_met_new(struct pb_zumy_met *m, uint64_t key);

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
