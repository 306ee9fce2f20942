/* session.h - one pacmanbot game, set up and commanded by records. */
#ifndef PB_IO_SESSION_H
#define PB_IO_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "game/round.h"
#include "io/trace.h"
#include "io/world.h"

/* What the user wants; copied, but for what it points to. */
struct pb_session_opts {
	struct pb_round_opts game;      /* checked */
	const struct pb_player *player; /* who plays */
	const char *preset;             /* its name for the result, or NULL */
	uint64_t seed, trial;
	bool autostart;  /* press start at once, and after each round */
	int rounds;      /* with autostart: end after so many, >= 1 */
	double patience; /* end when no round begins or ends for so long (s) */
	uint32_t trace;  /* enum pb_trace_kind */
	double period;   /* of poses in the trace (s) */
};

/*
 * A zeroed session with o and out set is ready for records. The world comes
 * first; the game begins with the first command, or when the input is over.
 */
struct pb_session {
	struct pb_session_opts o;
	struct pb_text *out;
	struct pb_world world;
	struct pb_arena *arena;
	void *known; /* what the player has learnt about the arena */
	struct pb_round *round;
	struct pb_trace trace;
	uint64_t map_hash;
	uint64_t options;     /* hash of all options */
	int played;           /* rounds whose result was written */
	bool wants;   /* start was asked for and not yet pressed */
	bool started; /* it was pressed */
	struct pb_trial last; /* result that waits for the robot to be home */
	bool waits;
};

/*
 * A map or pellets record, before the game begins; afterwards it is refused.
 *
 * Returns  true; false with bad filled in
 */
bool pb_session_world(
    struct pb_session *s, struct pb_rec *r, struct pb_bad *bad);

/*
 * Begin the game if it has not begun: the world is complete.
 *
 * Returns  true; false with bad filled in, or its text empty if it was said
 */
bool pb_session_begin(struct pb_session *s, struct pb_bad *bad);

/* Play until time t of the game (s), or until all rounds are over. */
void pb_session_until(struct pb_session *s, double t);

/*
 * Carry out a command of the operator.
 *
 * Returns  true, also for commands that are for others; false with bad
 *          filled in: a value that the command cannot take
 */
bool pb_session_command(struct pb_session *s, const struct pb_rec_cmd *c,
    const char *id, struct pb_bad *bad);

/* The input is over: play to the end and write the last result. */
void pb_session_finish(struct pb_session *s);

/* Whether all rounds asked for are over and the robot is home again. */
bool pb_session_over(const struct pb_session *s);

void pb_session_clear(struct pb_session *s);

#endif
