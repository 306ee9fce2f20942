/* signals.h - what the robot shows: gestures, lights, tunes, and the game
 * events that start them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Twists sent at a steady period, of which only the turn rate is not zero; each
 * holds until the next. The first one comes a period after the command, and a
 * period after the last one a zero twist ends it. Everything is constant.
 */
struct pb_gesture {
	const char *name; /* "spin", "shake" */
	double w;         /* first turn rate (rad/s) */
	double period;    /* time between twists (s) */
	int twists;       /* twists without the final zero twist */
	int flip;    /* the sign changes after this many twists, 0: never */
	int relight; /* each time after this many the light of the event
	              * begins again, 0: never */
};

/* All of them; the last has no name, as in the tables below. The one of a name,
 * NULL if there is none. */
extern const struct pb_gesture pb_gestures[];
const struct pb_gesture *pb_gesture_find(const char *name);

/* Turn rate of twist i, 1..; 0 of the one behind the last (rad/s). */
double pb_gesture_turn(const struct pb_gesture *d, int i);

/*
 * The lightring of a Create 3 as PacManBot's game_light_node lights it. LED 0
 * is the first of the message. Everything is constant.
 */
#define PB_RING_LEDS   6
#define PB_RING_PERIOD 0.15 /* from frame to frame (s) */

struct pb_led {
	unsigned char r, g, b;
};

struct pb_ring {
	struct pb_led led[PB_RING_LEDS];
};

/* A colour or an animation. */
struct pb_light {
	const char *name;  /* lower case */
	const char *alias; /* another name, NULL if none */
	int frames;        /* >= 1; 1: a colour, which needs no clock */
	bool loops;        /* restarts after the last frame */
	bool again;        /* the last frame is sent once more at the end */
	char ghost;        /* its colour in the palette, 0: none */
	const struct pb_light_part
	    *part; /* parts that the frames are made of */
};

/* All of them, and the one of a name or alias, NULL if there is none. */
extern const struct pb_light pb_lights[];
const struct pb_light *pb_light_find(const char *name);

/* Frame i (0..) of l; a light that does not loop stays at its last. */
struct pb_ring pb_light_frame(const struct pb_light *l, long i);

/* Whether all six are off. */
bool pb_ring_dark(const struct pb_ring *r);

/*
 * PacManBot's audio_library: notes played one after the other. Lengths are
 * kept in hundredths of a second, which all of them are, so that sums are
 * exact. Tunes are constant.
 */
struct pb_note {
	uint8_t midi; /* 69 is a' */
	uint8_t cs;   /* length (0.01 s) */
};

#define PB_TUNE_NOTES 29 /* of the longest */

struct pb_tune {
	const char *name; /* case matters */
	const struct pb_note *note;
	int n;
};

/* All of them, and the one of exactly that name, NULL if there is none. */
extern const struct pb_tune pb_tunes[];
const struct pb_tune *pb_tune_find(const char *name);

/* Length of a tune (s). */
double pb_tune_length(const struct pb_tune *t);

/* Pitch of a MIDI note, 0..127, rounded as sent to the robot (Hz): f(m) = 440 *
 * 2^((m - 69) / 12). */
int pb_midi_hz(int midi);

/* State of converting a tune to samples. Each note is a sine of its pitch with
 * soft edges, so that none clicks; it has exactly its length. */
#define PB_TONE_RATE 44100 /* samples a second */
struct pb_tone {
	const struct pb_tune *tune; /* NULL: silence */
	int note;                   /* index of the current note */
	int at;                     /* samples of it already rendered */
	double c, s;                /* phase, as cosine and sine */
};

/* Begin t from its first note; NULL: be silent. */
void pb_tone_start(struct pb_tone *v, const struct pb_tune *t);

/* The next n samples; behind the tune they are 0. */
void pb_tone_render(struct pb_tone *v, int16_t *out, int n);

/*
 * PacManBot's game_event_mapper, game_light_node and audio_node in one. Events
 * of a game, or names of lights, tunes and gestures, go in with the time at
 *which they come; cues come out with the time at which they are due. Times are
 * seconds of one clock, which never runs backwards. A feedback is a plain
 * value: a copy of it goes on where it was.
 *
 *	pb_feedback_start(&f);
 *	pb_feedback_event(&f, 12.5, "pellet");
 *	while (pb_feedback_next(&f, now, &cue))
 *		show(&cue);
 */

/* The reaction to an event: names, or NULL. */
struct pb_reaction {
	const char *light, *sound, *gesture;
	bool halts; /* a gesture is ended */
};

/* An event by name. */
struct pb_occasion {
	const char *name;
	struct pb_reaction does;
};

/* All of them, aliases among them, and the one of exactly that name, NULL if
 * there is none. */
extern const struct pb_occasion pb_occasions[];
const struct pb_occasion *pb_occasion_find(const char *name);

enum pb_cue_kind { PB_CUE_LIGHT, PB_CUE_SOUND, PB_CUE_MOTION };

struct pb_cue {
	enum pb_cue_kind kind;
	double t;            /* time at which it is due (s) */
	const char *name;    /* name of the light, tune or gesture; "stop" */
	struct pb_ring ring; /* LIGHT: what it shows from now on */
	const struct pb_tune *tune; /* SOUND: begins now */
	double w;                   /* MOTION: turn rate from now on (rad/s) */
};

/* Result of handling a name. */
enum pb_feedback_result {
	PB_HEARD,
	PB_DROPPED, /* a sound while another plays, or too soon again */
	PB_UNKNOWN  /* unknown name: nothing changed */
};

struct pb_feedback {
	bool still; /* no motion at all; may be set at any time */

	/* Light. */
	const struct pb_light *light; /* the current light, NULL: none yet */
	double light_from;            /* begin of the light (s) */
	double light_due; /* time of the next frame (s), INFINITY: none */
	long frame;       /* next frame */
	bool lit;         /* some LED is on */

	/* Sound. */
	const struct pb_tune
	    *tune;         /* accepted tune that has not begun, or NULL */
	double tune_due;   /* (s), INFINITY: none */
	double busy_until; /* end of the current tune (s) */
	const struct pb_tune *last; /* last accepted tune */
	double last_at;             /* time at which it was accepted (s) */

	/* Motion. */
	const struct pb_gesture *gesture; /* NULL: none */
	double gesture_from;              /* begin of the gesture (s) */
	double gesture_due; /* time of the next twist (s), INFINITY: none;
	                     * with no gesture that of the zero twist */
	int twist;          /* next twist, 1.. */
	const struct pb_light *relight; /* light of the gesture's event */
};

/* Nothing is lit, sounds or moves. */
void pb_feedback_start(struct pb_feedback *f);

/*
 * Handle an event at time t. First fetch the cues that are due until t.
 *
 * Given    name  blanks around it and, but for sounds, its case do not matter
 * Returns  for an event PB_HEARD, if it has any such, or PB_UNKNOWN; a light
 *          and a gesture replace what went on, a sound is dropped while another
 *          plays and within 0.25 s of the same one
 * Note     the gesture "stop" is a zero twist
 */
enum pb_feedback_result pb_feedback_event(
    struct pb_feedback *f, double t, const char *name);
enum pb_feedback_result pb_feedback_light(
    struct pb_feedback *f, double t, const char *name);
enum pb_feedback_result pb_feedback_sound(
    struct pb_feedback *f, double t, const char *name);
enum pb_feedback_result pb_feedback_gesture(
    struct pb_feedback *f, double t, const char *name);

/*
 * The next cue that is due at `until` or before, in the order of time.
 *
 * Returns  false if there is none, *c untouched
 */
bool pb_feedback_next(struct pb_feedback *f, double until, struct pb_cue *c);

/* The time when all lights, sounds and motions will have ended, loops counted
 * once; -INFINITY if none is active (s). */
double pb_feedback_rest(const struct pb_feedback *f);

/*
 * The nodes shut down at time t: no cue is due any more but those that stop
 * the robot, if it moves, and darken the ring, if it is lit.
 */
void pb_feedback_end(struct pb_feedback *f, double t);
