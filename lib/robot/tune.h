/* tune.h - the tunes that the robot plays, and their tones. */
#ifndef PB_ROBOT_TUNE_H
#define PB_ROBOT_TUNE_H

#include <stdint.h>

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

#endif
