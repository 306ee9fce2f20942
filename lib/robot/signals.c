/*
 * signals.c - what the robot shows by itself: gestures, the ring of lights,
 * tunes.
 */
#include "robot/signals.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/elementary.h"
#include "pb/geom.h"

/*
 * PacManBot, game_event_mapper: 1.5 rad/s for 8 s or 5 s. Its timer counts
 * these down by 0.1 in binary, which takes one message more than one thinks,
 * and the 0.25 s between flips, which takes three messages.
 */
static const struct pb_gesture gestures[] = {
    {"spin", 1.5, 0.1, 81, 0, 30},
    {"shake", 1.5, 0.1, 51, 3, 0},
};
enum { GESTURES = sizeof(gestures) / sizeof(*gestures) };

const struct pb_gesture *
pb_gesture_at(int i)
{
	return i >= 0 && i < GESTURES ? &gestures[i] : NULL;
}

const struct pb_gesture *
pb_gesture_find(const char *name)
{
	const struct pb_gesture *d;

	for (int i = 0; (d = pb_gesture_at(i)) != NULL; i++)
		if (strcmp(name, d->name) == 0)
			return d;
	return NULL;
}

double
pb_gesture_turn(const struct pb_gesture *d, int i)
{
	if (i > d->twists)
		return 0;
	return d->flip > 0 && (i - 1) / d->flip % 2 == 1 ? -d->w : d->w;
}

/* Six letters of the palette, shown a number of times. */
struct pb_light_part {
	const char *leds;
	int frames;
	bool turns; /* by one LED from frame to frame */
};

/* PacManBot, game_light_node: the palette. */
static const struct {
	char letter;
	struct pb_led led;
} palette[] = {
    {'Y', {255, 180, 0}},
    {'R', {255, 0, 0}},
    {'B', {0, 0, 255}},
    {'O', {255, 80, 0}},
    {'P', {255, 60, 180}},
    {'W', {255, 255, 255}},
    {'V', {0, 80, 255}}, /* the blue of a win */
    {'y', {80, 55, 0}},  /* behind a pellet */
    {'r', {140, 0, 0}},  /* beside the red one when a game is over */
    {'e', {60, 0, 0}},   /* and the rest */
    {'k', {90, 0, 0}},   /* of somebody killed */
    {'.', {0, 0, 0}},
};

/* The same: the animations. 'G' is the colour of the ghost. */
#define OFF "......"
static const struct pb_light_part start[] = {
    {"YRBOP.", 30, true}, {OFF, 20, false}, {"YYYYYY", 1, false}};
static const struct pb_light_part game_over[] = {{"Rreeer", 6, true}};
static const struct pb_light_part pellet[] = {{"Y...YY", 1, false},
    {"YY.YYY", 1, false}, {"yyyyyy", 1, false}, {OFF, 1, false}};
static const struct pb_light_part power[] = {
    {"YYYYYY", 1, false}, {"WWWWWW", 1, false}};
static const struct pb_light_part win[] = {
    {"YWVPOW", 4, true}, {OFF, 1, false}, {"WWWWWW", 1, false}};
static const struct pb_light_part caught[] = {
    {"GGGGGG", 1, false}, {"YYYYYY", 1, false}};
static const struct pb_light_part killed[] = {{"GGGGGG", 1, false},
    {"RRRRRR", 1, false}, {"GRGRGR", 1, false}, {"RGRGRG", 1, false},
    {"kkkkkk", 1, false}, {OFF, 1, false}};
static const struct pb_light_part solid[] = {{"GGGGGG", 1, false}};

static const struct pb_light light[] = {
    {"start", NULL, 51, false, true, 0, start},
    {"game over", NULL, 6, true, false, 0, game_over},
    {"pellet", NULL, 4, false, false, 0, pellet},
    {"power pellet", "powerup", 2, true, false, 0, power},
    {"pacman", NULL, 2, true, false, 0, pellet},
    {"win", NULL, 6, true, false, 0, win},
    {"blinky caught", NULL, 2, true, false, 'R', caught},
    {"pinky caught", NULL, 2, true, false, 'P', caught},
    {"inky caught", NULL, 2, true, false, 'B', caught},
    {"clyde caught", NULL, 2, true, false, 'O', caught},
    {"blinky killed", NULL, 6, true, false, 'R', killed},
    {"pinky killed", NULL, 6, true, false, 'P', killed},
    {"inky killed", NULL, 6, true, false, 'B', killed},
    {"clyde killed", NULL, 6, true, false, 'O', killed},
    {"off", NULL, 1, false, false, '.', solid},
    {"yellow", NULL, 1, false, false, 'Y', solid},
    {"red", NULL, 1, false, false, 'R', solid},
    {"blue", NULL, 1, false, false, 'B', solid},
    {"pink", NULL, 1, false, false, 'P', solid},
    {"orange", NULL, 1, false, false, 'O', solid},
    {"white", NULL, 1, false, false, 'W', solid},
};
enum { LIGHTS = sizeof(light) / sizeof(*light) };

const struct pb_light *
pb_light_at(int i)
{
	return i >= 0 && i < LIGHTS ? &light[i] : NULL;
}

const struct pb_light *
pb_light_find(const char *name)
{
	for (int i = 0; i < LIGHTS; i++)
		if (strcmp(name, light[i].name) == 0 ||
		    (light[i].alias && strcmp(name, light[i].alias) == 0))
			return &light[i];
	return NULL;
}

static struct pb_led
colour(char letter)
{
	int i = 0;

	while (palette[i].letter != letter && palette[i].letter != '.')
		i++;
	return palette[i].led;
}

struct pb_ring
pb_light_frame(const struct pb_light *l, long i)
{
	const struct pb_light_part *p = l->part;
	struct pb_ring r;
	int k = (int)(l->loops            ? i % l->frames
		      : i < l->frames - 1 ? i
					  : l->frames - 1);

	for (; k >= p->frames; p++)
		k -= p->frames;
	for (int n = 0; n < PB_RING_LEDS; n++) {
		int from = p->turns ? (n - k) % PB_RING_LEDS : n;
		char c = p->leds[from < 0 ? from + PB_RING_LEDS : from];

		r.led[n] = colour(c == 'G' ? l->ghost : c);
	}
	return r;
}

bool
pb_ring_dark(const struct pb_ring *r)
{
	for (int i = 0; i < PB_RING_LEDS; i++)
		if (r->led[i].r + r->led[i].g + r->led[i].b > 0)
			return false;
	return true;
}

/* Loudest sample, and length of a note's soft edge (samples: 5 ms). */
#define LOUD 16000
#define EDGE (PB_TONE_RATE / 200)

/* Samples of a hundredth of a second. */
#define PER_CS (PB_TONE_RATE / 100)

/* PacManBot, audio_library: MIDI note, 0.01 s. */
static const struct pb_note tune_start[] = {
    {60, 20}, {64, 20}, {67, 20}, {72, 35}};
static const struct pb_note theme[PB_TUNE_NOTES] = {{60, 20}, {72, 20},
    {67, 20}, {64, 20}, {72, 20}, {67, 20}, {64, 30}, {61, 20}, {73, 20},
    {68, 20}, {65, 20}, {73, 20}, {68, 20}, {65, 30}, {60, 20}, {72, 20},
    {67, 20}, {64, 20}, {72, 20}, {67, 20}, {64, 30}, {64, 20}, {65, 20},
    {66, 30}, {67, 20}, {68, 30}, {69, 20}, {70, 20}, {72, 30}};
static const struct pb_note tune_pellet[] = {{72, 12}};
static const struct pb_note tune_power[] = {
    {60, 12}, {64, 12}, {67, 12}, {72, 20}};
static const struct pb_note ghost[] = {{76, 10}, {72, 10}, {69, 12}, {65, 18}};
static const struct pb_note death[] = {{67, 20}, {64, 20}, {60, 35}, {55, 50}};
static const struct pb_note tune_win[] = {
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
    TUNE("start", tune_start),
    TUNE("pacman_theme", theme),
    TUNE("pellet", tune_pellet),
    TUNE("powerup", tune_power),
    TUNE("power pellet", tune_power),
    TUNE("ghost", ghost),
    TUNE("death", death),
    TUNE("win", tune_win),
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
