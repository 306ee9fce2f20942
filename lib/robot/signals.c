/* signals.c - gestures, lights and tunes of the robot, and the game events that
 * start them. */
#include "robot/signals.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/elementary.h"
#include "pb/geom.h"

/*
 * From PacManBot's game_event_mapper: 1.5 rad/s for 8 s or 5 s. Its timer
 * counts down by 0.1 in binary, which adds one message; the 0.25 s between
 * flips take three messages.
 */
const struct pb_gesture pb_gestures[] = {
    {"spin", 1.5, 0.1, 81, 0, 30}, {"shake", 1.5, 0.1, 51, 3, 0}, {NULL}};

/* Find a row by name in a table whose rows of `size` bytes begin with their
 * names; NULL: none. */
static const void *
find_row(const void *row, size_t size, const char *name)
{
	const char *const *is = row;

	for (; *is; is = (const void *)((const char *)is + size))
		if (strcmp(name, *is) == 0)
			return is;
	return NULL;
}

const struct pb_gesture *
pb_gesture_find(const char *name)
{
	return find_row(pb_gestures, sizeof(*pb_gestures), name);
}

double
pb_gesture_turn(const struct pb_gesture *d, int i)
{
	if (i > d->twists)
		return 0;
	return d->flip > 0 && (i - 1) / d->flip % 2 == 1 ? -d->w : d->w;
}

/* A frame of six letters of the palette, repeated. */
struct pb_light_part {
	const char *leds;
	int frames;
	bool turns; /* by one LED from frame to frame */
};

/* The palette of PacManBot's game_light_node. */
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
    {'k', {90, 0, 0}},   /* of a body that is killed */
    {'.', {0, 0, 0}},
};

/* Animations of PacManBot's game_light_node; 'G' is the ghost's colour. */
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

const struct pb_light pb_lights[] = {
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
    {NULL},
};

const struct pb_light *
pb_light_find(const char *name)
{
	for (const struct pb_light *l = pb_lights; l->name; l++)
		if (strcmp(name, l->name) == 0 ||
		    (l->alias && strcmp(name, l->alias) == 0))
			return l;
	return NULL;
}

static struct pb_led
led_of(char letter)
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

		r.led[n] = led_of(c == 'G' ? l->ghost : c);
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

/* Samples in 0.01 s. */
#define PER_CS (PB_TONE_RATE / 100)

/* Tunes of PacManBot's audio_library: MIDI note, 0.01 s. */
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
const struct pb_tune pb_tunes[] = {
    TUNE("start", tune_start),
    TUNE("pacman_theme", theme),
    TUNE("pellet", tune_pellet),
    TUNE("powerup", tune_power),
    TUNE("power pellet", tune_power),
    TUNE("ghost", ghost),
    TUNE("death", death),
    TUNE("win", tune_win),
    TUNE("rickroll", rickroll),
    {NULL},
};

const struct pb_tune *
pb_tune_find(const char *name)
{
	return find_row(pb_tunes, sizeof(*pb_tunes), name);
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

/* Amplitude of sample i of a note of n, 0..1: half a cosine at its edges. */
static double
envelope(int i, int n)
{
	int from_end = n - 1 - i, k = i < from_end ? i : from_end;

	return k < EDGE ? 0.5 - 0.5 * pb_cos(PB_PI * k / EDGE) : 1;
}

/*
 * Render the rest of the current note, at most n samples; returns the number.
 */
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

/*
 * From PacManBot's audio_node: a tune repeated within this time is dropped (s).
 */
#define DEBOUNCE 0.25

/* Room for a normalized name; longer ones are unknown. */
#define NAME 32

/* PacManBot, game_event_mapper. */
const struct pb_occasion pb_occasions[] = {
    {"start", {"start", "start"}},
    {"start theatrical", {"start", "pacman_theme", "spin"}},
    {"pellet", {"pellet", "pellet"}},
    {"power pellet", {"power pellet", "power pellet"}},
    {"powerup", {"power pellet", "power pellet"}},
    {"blinky caught", {"blinky caught", "ghost"}},
    {"pinky caught", {"pinky caught", "ghost"}},
    {"inky caught", {"inky caught", "ghost"}},
    {"clyde caught", {"clyde caught", "ghost"}},
    {"blinky killed", {"blinky killed", "death", "shake"}},
    {"pinky killed", {"pinky killed", "death", "shake"}},
    {"inky killed", {"inky killed", "death", "shake"}},
    {"clyde killed", {"clyde killed", "death", "shake"}},
    {"killed", {"game over", "death", "shake"}},
    {"death", {"game over", "death", "shake"}},
    {"game over", {"game over", "death", "shake"}},
    {"win", {"win", "win"}},
    {"reset", {.halts = true}},
    {NULL},
};

const struct pb_occasion *
pb_occasion_find(const char *name)
{
	return find_row(pb_occasions, sizeof(*pb_occasions), name);
}

void
pb_feedback_start(struct pb_feedback *f)
{
	*f = (struct pb_feedback){.light_due = INFINITY,
	    .tune_due = INFINITY,
	    .busy_until = -INFINITY,
	    .last_at = -INFINITY,
	    .gesture_due = INFINITY};
}

static bool
is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The name without surrounding blanks, "" if it is too long. */
static const char *
trim_name(const char *name, bool lower, char out[NAME])
{
	size_t n;

	while (is_blank(*name))
		name++;
	n = strlen(name);
	while (n > 0 && is_blank(name[n - 1]))
		n--;
	if (n >= NAME)
		n = 0;
	for (size_t i = 0; i < n; i++)
		out[i] = (char)(lower && name[i] >= 'A' && name[i] <= 'Z'
				    ? name[i] + 'a' - 'A'
				    : name[i]);
	out[n] = '\0';
	return out;
}

/* The published node shows the first frame when its timer first fires. */
static double
frame_time(const struct pb_feedback *f, long i)
{
	if (f->light->frames == 1)
		return f->light_from;
	return f->light_from + (double)(i + 1) * PB_RING_PERIOD;
}

static void
start_light(struct pb_feedback *f, double t, const struct pb_light *l)
{
	f->light = l;
	f->light_from = t;
	f->frame = 0;
	f->light_due = frame_time(f, 0);
}

enum pb_feedback_result
pb_feedback_light(struct pb_feedback *f, double t, const char *name)
{
	char word[NAME];
	const struct pb_light *l = pb_light_find(trim_name(name, true, word));

	if (l == NULL)
		return PB_UNKNOWN;
	start_light(f, t, l);
	return PB_HEARD;
}

enum pb_feedback_result
pb_feedback_sound(struct pb_feedback *f, double t, const char *name)
{
	char word[NAME];
	const struct pb_tune *n = pb_tune_find(trim_name(name, false, word));

	if (n == NULL)
		return PB_UNKNOWN;
	if (t < f->busy_until || (n == f->last && t - f->last_at < DEBOUNCE))
		return PB_DROPPED;
	f->tune = f->last = n;
	f->tune_due = f->last_at = t;
	f->busy_until = t + pb_tune_length(n);
	return PB_HEARD;
}

static void
stop_gesture(struct pb_feedback *f, double t)
{
	f->gesture = NULL;
	f->relight = NULL;
	f->gesture_due = f->still ? INFINITY : t;
}

static double
twist_time(const struct pb_feedback *f)
{
	return f->gesture_from + f->twist * f->gesture->period;
}

enum pb_feedback_result
pb_feedback_gesture(struct pb_feedback *f, double t, const char *name)
{
	char word[NAME];
	const struct pb_gesture *d;

	if (strcmp(trim_name(name, true, word), "stop") == 0) {
		stop_gesture(f, t);
		return PB_HEARD;
	}
	d = pb_gesture_find(word);
	if (d == NULL)
		return PB_UNKNOWN;
	if (f->still)
		return PB_HEARD;
	f->gesture = d;
	f->gesture_from = t;
	f->twist = 1;
	f->relight = NULL;
	f->gesture_due = twist_time(f);
	return PB_HEARD;
}

enum pb_feedback_result
pb_feedback_event(struct pb_feedback *f, double t, const char *name)
{
	char word[NAME];
	const struct pb_occasion *o =
	    pb_occasion_find(trim_name(name, true, word));
	const struct pb_reaction *r;

	if (o == NULL)
		return PB_UNKNOWN;
	r = &o->does;
	if (r->sound != NULL)
		pb_feedback_sound(f, t, r->sound);
	if (r->light != NULL)
		pb_feedback_light(f, t, r->light);
	if (r->halts)
		stop_gesture(f, t);
	if (r->gesture != NULL) {
		pb_feedback_gesture(f, t, r->gesture);
		if (f->gesture != NULL && f->gesture->relight > 0)
			f->relight = f->light;
	}
	return PB_HEARD;
}

static void
next_light(struct pb_feedback *f, struct pb_cue *c)
{
	const struct pb_light *l = f->light;
	long last = l->frames - 1 + l->again;

	*c = (struct pb_cue){.kind = PB_CUE_LIGHT,
	    .t = f->light_due,
	    .name = l->name,
	    .ring = pb_light_frame(l, f->frame)};
	f->lit = !pb_ring_dark(&c->ring);
	f->frame++;
	/* The repeated last frame. */
	if (!l->loops && f->frame > last)
		f->light_due = INFINITY;
	else if (l->loops || f->frame < l->frames)
		f->light_due = frame_time(f, f->frame);
}

static void
next_motion(struct pb_feedback *f, struct pb_cue *c)
{
	const struct pb_gesture *d = f->gesture;
	bool goes_on = d != NULL && f->twist <= d->twists;

	*c = (struct pb_cue){.kind = PB_CUE_MOTION,
	    .t = f->gesture_due,
	    .name = goes_on ? d->name : "stop"};
	if (!goes_on) {
		f->gesture = NULL;
		f->gesture_due = INFINITY;
		return;
	}
	c->w = pb_gesture_turn(d, f->twist);
	if (f->relight != NULL && f->twist % d->relight == 0)
		start_light(f, f->gesture_due, f->relight);
	f->twist++;
	f->gesture_due = twist_time(f);
}

bool
pb_feedback_next(struct pb_feedback *f, double until, struct pb_cue *c)
{
	double shine = f->light_due, sound = f->tune_due, body = f->gesture_due;
	double first = fmin(fmin(shine, sound), body);

	/* INFINITY: nothing is due, whatever the time. */
	if (!(first <= until) || isinf(first))
		return false;
	/* Of simultaneous cues the node's order: sound, light, motion. */
	if (shine == first && sound > first) {
		next_light(f, c);
	} else if (sound == first) {
		*c = (struct pb_cue){.kind = PB_CUE_SOUND,
		    .t = sound,
		    .name = f->tune->name,
		    .tune = f->tune};
		f->tune_due = INFINITY;
	} else {
		next_motion(f, c);
	}
	return true;
}

double
pb_feedback_rest(const struct pb_feedback *f)
{
	double rest = -INFINITY;

	if (f->light_due < INFINITY) {
		const struct pb_light *l = f->light;

		rest = frame_time(f, l->loops ? l->frames : l->frames - 1);
	}
	if (f->gesture != NULL)
		rest = fmax(rest, f->gesture_from + (f->gesture->twists + 1) *
							f->gesture->period);
	return fmax(rest, f->busy_until);
}

void
pb_feedback_end(struct pb_feedback *f, double t)
{
	bool moves = f->gesture != NULL && f->twist > 1;

	f->tune_due = f->gesture_due = f->light_due = INFINITY;
	f->gesture = NULL;
	f->relight = NULL;
	if (moves)
		stop_gesture(f, t);
	if (f->lit)
		start_light(f, t, pb_light_find("off"));
}
