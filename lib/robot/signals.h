/*
 * signals.h - what the robot shows by itself: gestures, the ring of lights,
 * tunes.
 */
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
	double w;         /* turn rate, at first positive (rad/s) */
	double period;    /* between twists (s) */
	int twists;       /* without the last, zero one */
	int flip;         /* its sign changes after so many, 0: never */
	int relight;      /* each time after so many the light of the event
	                   * begins again, 0: never */
};

/* Gesture i, 0..; NULL behind the last. */
const struct pb_gesture *pb_gesture_at(int i);

/* The one of that name, NULL if there is none. */
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
	bool loops;        /* begins anew after the last one */
	bool again;        /* the last one is sent once more at the end */
	char ghost;        /* its colour in the palette, 0 if none */
	const struct pb_light_part *part; /* what the frames are made of */
};

/* Light i, 0..; NULL behind the last. */
const struct pb_light *pb_light_at(int i);

/* The light of that name or alias, NULL if there is none. */
const struct pb_light *pb_light_find(const char *name);

/*
 * Frame i of l, 0..: of one that loops it goes on for ever, of others it stays
 * at the last.
 */
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
	const char *name; /* as the case is */
	const struct pb_note *note;
	int n;
};

/* Tune i, 0..; NULL behind the last. */
const struct pb_tune *pb_tune_at(int i);

/* The tune of exactly that name, NULL if there is none. */
const struct pb_tune *pb_tune_find(const char *name);

/* How long it takes (s). */
double pb_tune_length(const struct pb_tune *t);

/*
 * Pitch of a MIDI note, 0..127, rounded as the robot is told it (Hz):
 * f(m) = 440 * 2^((m - 69) / 12).
 */
int pb_midi_hz(int midi);

/*
 * A tune on its way into samples. Each note is a sine of its pitch with soft
 * edges, so that none clicks; it has exactly its length.
 */
#define PB_TONE_RATE 44100 /* samples a second */
struct pb_tone {
	const struct pb_tune *tune; /* NULL: silence */
	int note;                   /* that sounds */
	int at;                     /* samples of it that were given */
	double c, s;                /* its phase, as cosine and sine */
};

/* Begin t from its first note; NULL: be silent. */
void pb_tone_start(struct pb_tone *v, const struct pb_tune *t);

/* The next n samples; behind the tune they are 0. */
void pb_tone_render(struct pb_tone *v, int16_t *out, int n);
