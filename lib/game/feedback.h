/* feedback.h - what the robot shows of a game: light, sound and motion. */
#pragma once

#include <stdbool.h>

#include "robot/signals.h"

/*
 * PacManBot's game_event_mapper, game_light_node and audio_node in one. Events
 * of a game, or names of lights, tunes and dances, go in with the time at which
 * they come; cues come out with the time at which they are due. Times are
 * seconds of one clock, which never runs backwards. A feedback is a plain
 * value: a copy of it goes on where it was.
 *
 *	pb_feedback_start(&f);
 *	pb_feedback_event(&f, 12.5, "pellet");
 *	while (pb_feedback_next(&f, now, &cue))
 *		show(&cue);
 */

/* What an event leads to: names, NULL: nothing. */
struct pb_reaction {
	const char *light, *sound, *dance;
	bool halts; /* a dance is ended */
};

/* An event by name. */
struct pb_occasion {
	const char *name;
	struct pb_reaction does;
};

/* Event i, 0.., aliases among them; NULL behind the last. */
const struct pb_occasion *pb_occasion_at(int i);

/* The event of exactly that name, NULL if there is none. */
const struct pb_occasion *pb_occasion_find(const char *name);

enum pb_cue_kind { PB_CUE_LIGHT, PB_CUE_SOUND, PB_CUE_MOTION };

struct pb_cue {
	enum pb_cue_kind kind;
	double t;                   /* when it is due (s) */
	const char *name;           /* of the light, tune or dance; "stop" */
	struct pb_ring ring;        /* LIGHT: what it shows from now on */
	const struct pb_tune *tune; /* SOUND: begins now */
	double w;                   /* MOTION: turn rate from now on (rad/s) */
};

/* What became of a name. */
enum pb_feedback_heard {
	PB_HEARD,
	PB_DROPPED, /* a sound while another plays, or too soon again */
	PB_UNKNOWN  /* there is no such thing: nothing changed */
};

struct pb_feedback {
	bool still; /* no motion at all; may be set at any time */

	/* Light. */
	const struct pb_light *light; /* what is shown, NULL: nothing yet */
	double light_from;            /* when it was asked for (s) */
	double light_due;             /* the next frame (s), INFINITY: none */
	long frame;                   /* the next one */
	bool lit;                     /* some LED is on */

	/* Sound. */
	const struct pb_tune *tune; /* accepted and not given out yet */
	double tune_due;            /* (s), INFINITY: none */
	double busy_until;          /* a tune plays until then (s) */
	const struct pb_tune *last; /* the one accepted last */
	double last_at;             /* (s) */

	/* Motion. */
	const struct pb_gesture *dance; /* NULL: none */
	double dance_from;              /* when it was asked for (s) */
	double dance_due; /* the next twist (s), INFINITY: none; with no
	                   * dance the zero twist */
	int twist;        /* the next one, 1.. */
	const struct pb_light *relight; /* light of the dance's event */
};

/* Nothing is lit, sounds or moves. */
void pb_feedback_start(struct pb_feedback *f);

/*
 * Something happens at time t. First take the cues that are due until t.
 *
 * Given    name  blanks around it and, but for sounds, its case do not matter
 * Returns  for an event PB_HEARD, if it has any such, or PB_UNKNOWN; a light
 *          and a dance replace what went on, a sound is dropped while another
 *          plays and within 0.25 s of the same one
 * Note     the dance "stop" is a zero twist
 */
enum pb_feedback_heard pb_feedback_event(
    struct pb_feedback *f, double t, const char *name);
enum pb_feedback_heard pb_feedback_light(
    struct pb_feedback *f, double t, const char *name);
enum pb_feedback_heard pb_feedback_sound(
    struct pb_feedback *f, double t, const char *name);
enum pb_feedback_heard pb_feedback_dance(
    struct pb_feedback *f, double t, const char *name);

/*
 * The next cue that is due at `until` or before, in the order of time.
 *
 * Returns  false if there is none, *c untouched
 */
bool pb_feedback_next(struct pb_feedback *f, double until, struct pb_cue *c);

/*
 * When all that ends by itself will have ended, loops gone through once, or
 * -INFINITY if nothing goes on (s).
 */
double pb_feedback_rest(const struct pb_feedback *f);

/*
 * The nodes shut down at time t: no cue is due any more but those that stop
 * the robot, if it moves, and darken the ring, if it is lit.
 */
void pb_feedback_end(struct pb_feedback *f, double t);
