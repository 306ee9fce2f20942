/* tune.c - the tunes that the robot plays, and their tones. */
#include "robot/tune.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/elementary.h"
#include "base/geom.h"

/* Loudest sample, and length of a note's soft edge (samples: 5 ms). */
#define LOUD 16000
#define EDGE (PB_TONE_RATE / 200)

/* Samples of a hundredth of a second. */
#define PER_CS (PB_TONE_RATE / 100)

/* PacManBot, audio_library: MIDI note, 0.01 s. */
static const struct pb_note start[] = {{60, 20}, {64, 20}, {67, 20}, {72, 35}};
static const struct pb_note theme[PB_TUNE_NOTES] = {{60, 20}, {72, 20},
    {67, 20}, {64, 20}, {72, 20}, {67, 20}, {64, 30}, {61, 20}, {73, 20},
    {68, 20}, {65, 20}, {73, 20}, {68, 20}, {65, 30}, {60, 20}, {72, 20},
    {67, 20}, {64, 20}, {72, 20}, {67, 20}, {64, 30}, {64, 20}, {65, 20},
    {66, 30}, {67, 20}, {68, 30}, {69, 20}, {70, 20}, {72, 30}};
static const struct pb_note pellet[] = {{72, 12}};
static const struct pb_note power[] = {{60, 12}, {64, 12}, {67, 12}, {72, 20}};
static const struct pb_note ghost[] = {{76, 10}, {72, 10}, {69, 12}, {65, 18}};
static const struct pb_note death[] = {{67, 20}, {64, 20}, {60, 35}, {55, 50}};
static const struct pb_note win[] = {
    {60, 15}, {64, 15}, {67, 15}, {72, 20}, {79, 40}};
static const struct pb_note rickroll[] = {{67, 20}, {69, 20}, {72, 35},
    {69, 20}, {76, 40}, {76, 20}, {74, 35}, {72, 20}, {67, 20}, {69, 20},
    {72, 35}, {69, 20}, {74, 40}, {74, 20}, {72, 35}, {71, 20}, {67, 20},
    {69, 20}, {72, 35}, {69, 20}, {72, 25}, {74, 25}, {76, 40}, {74, 25},
    {72, 25}, {71, 40}};

#define TUNE(name, notes)                                   \
	{                                                   \
		name, notes, sizeof(notes) / sizeof(*notes) \
	}
static const struct pb_tune tune[] = {
    TUNE("start", start),
    TUNE("pacman_theme", theme),
    TUNE("pellet", pellet),
    TUNE("powerup", power),
    TUNE("power pellet", power),
    TUNE("ghost", ghost),
    TUNE("death", death),
    TUNE("win", win),
    TUNE("rickroll", rickroll),
};
enum { TUNES = sizeof(tune) / sizeof(*tune) };

const struct pb_tune *
pb_tune_at(int i)
{
	return i >= 0 && i < TUNES ? &tune[i] : NULL;
}

const struct pb_tune *
pb_tune_find(const char *name)
{
	for (int i = 0; i < TUNES; i++)
		if (strcmp(name, tune[i].name) == 0)
			return &tune[i];
	return NULL;
}

double
pb_tune_length(const struct pb_tune *t)
{
	int cs = 0;

	for (int i = 0; i < t->n; i++)
		cs += t->note[i].cs;
	return cs / 100.0;
}

int
pb_midi_hz(int midi)
{
	return (int)rint(440 * pb_pow(2, (midi - 69) / 12.0));
}

void
pb_tone_start(struct pb_tone *v, const struct pb_tune *t)
{
	*v = (struct pb_tone){.tune = t, .c = 1};
}

/* How loud sample i of a note of n is, 0..1: half a cosine at its edges. */
static double
envelope(int i, int n)
{
	int from_end = n - 1 - i, k = i < from_end ? i : from_end;

	return k < EDGE ? 0.5 - 0.5 * pb_cos(PB_PI * k / EDGE) : 1;
}

/* The rest of the note that sounds, at most n samples; returns how many. */
static int
render_note(struct pb_tone *v, int16_t *out, int n)
{
	const struct pb_note *m = &v->tune->note[v->note];
	double step = 2 * PB_PI * pb_midi_hz(m->midi) / PB_TONE_RATE;
	double turn_c = pb_cos(step), turn_s = pb_sin(step);
	int all = m->cs * PER_CS, i;

	for (i = 0; i < n && v->at < all; i++, v->at++) {
		double c = v->c * turn_c - v->s * turn_s;

		out[i] = (int16_t)rint(LOUD * envelope(v->at, all) * v->s);
		v->s = v->s * turn_c + v->c * turn_s;
		v->c = c;
	}
	if (v->at == all) {
		v->at = 0;
		v->c = 1;
		v->s = 0;
		if (++v->note == v->tune->n)
			v->tune = NULL;
	}
	return i;
}

void
pb_tone_render(struct pb_tone *v, int16_t *out, int n)
{
	while (n > 0 && v->tune != NULL) {
		int got = render_note(v, out, n);

		out += got;
		n -= got;
	}
	memset(out, 0, (size_t)n * sizeof(*out));
}
