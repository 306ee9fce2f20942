/* feedback.c - what the robot shows of a game: light, sound and motion. */
#include "game/feedback.h"

#include <math.h>
#include <string.h>

/* PacManBot, audio_node: the same tune again sooner is dropped (s). */
#define DEBOUNCE 0.25

/* Room for a name, cleaned; longer ones are nobody's. */
#define NAME 32

/* PacManBot, game_event_mapper. */
static const struct pb_occasion occasion[] = {
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
};
enum { OCCASIONS = sizeof(occasion) / sizeof(*occasion) };

const struct pb_occasion *
pb_occasion_at(int i)
{
	return i >= 0 && i < OCCASIONS ? &occasion[i] : NULL;
}

const struct pb_occasion *
pb_occasion_find(const char *name)
{
	for (int i = 0; i < OCCASIONS; i++)
		if (strcmp(name, occasion[i].name) == 0)
			return &occasion[i];
	return NULL;
}

void
pb_feedback_start(struct pb_feedback *f)
{
	*f = (struct pb_feedback){.light_due = INFINITY,
	    .tune_due = INFINITY,
	    .busy_until = -INFINITY,
	    .last_at = -INFINITY,
	    .dance_due = INFINITY};
}

static bool
blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The name without blanks around it, "" if it is too long for any. */
static const char *
clean(const char *name, bool lower, char out[NAME])
{
	size_t n;

	while (blank(*name))
		name++;
	n = strlen(name);
	while (n > 0 && blank(name[n - 1]))
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
show(struct pb_feedback *f, double t, const struct pb_light *l)
{
	f->light = l;
	f->light_from = t;
	f->frame = 0;
	f->light_due = frame_time(f, 0);
}

enum pb_feedback_heard
pb_feedback_light(struct pb_feedback *f, double t, const char *name)
{
	char word[NAME];
	const struct pb_light *l = pb_light_find(clean(name, true, word));

	if (l == NULL)
		return PB_UNKNOWN;
	show(f, t, l);
	return PB_HEARD;
}

enum pb_feedback_heard
pb_feedback_sound(struct pb_feedback *f, double t, const char *name)
{
	char word[NAME];
	const struct pb_tune *n = pb_tune_find(clean(name, false, word));

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
halt(struct pb_feedback *f, double t)
{
	f->dance = NULL;
	f->relight = NULL;
	f->dance_due = f->still ? INFINITY : t;
}

static double
twist_time(const struct pb_feedback *f)
{
	return f->dance_from + f->twist * f->dance->period;
}

enum pb_feedback_heard
pb_feedback_dance(struct pb_feedback *f, double t, const char *name)
{
	char word[NAME];
	const struct pb_gesture *d;

	if (strcmp(clean(name, true, word), "stop") == 0) {
		halt(f, t);
		return PB_HEARD;
	}
	d = pb_gesture_find(word);
	if (d == NULL)
		return PB_UNKNOWN;
	if (f->still)
		return PB_HEARD;
	f->dance = d;
	f->dance_from = t;
	f->twist = 1;
	f->relight = NULL;
	f->dance_due = twist_time(f);
	return PB_HEARD;
}

enum pb_feedback_heard
pb_feedback_event(struct pb_feedback *f, double t, const char *name)
{
	char word[NAME];
	const struct pb_occasion *o = pb_occasion_find(clean(name, true, word));
	const struct pb_reaction *r;

	if (o == NULL)
		return PB_UNKNOWN;
	r = &o->does;
	if (r->sound != NULL)
		pb_feedback_sound(f, t, r->sound);
	if (r->light != NULL)
		pb_feedback_light(f, t, r->light);
	if (r->halts)
		halt(f, t);
	if (r->dance != NULL) {
		pb_feedback_dance(f, t, r->dance);
		if (f->dance != NULL && f->dance->relight > 0)
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
	f->light_due =
	    l->loops || f->frame <= last ? frame_time(f, f->frame) : INFINITY;
}

static void
next_sound(struct pb_feedback *f, struct pb_cue *c)
{
	*c = (struct pb_cue){.kind = PB_CUE_SOUND,
	    .t = f->tune_due,
	    .name = f->tune->name,
	    .tune = f->tune};
	f->tune_due = INFINITY;
}

static void
next_motion(struct pb_feedback *f, struct pb_cue *c)
{
	const struct pb_gesture *d = f->dance;
	bool goes_on = d != NULL && f->twist <= d->twists;

	*c = (struct pb_cue){.kind = PB_CUE_MOTION,
	    .t = f->dance_due,
	    .name = goes_on ? d->name : "stop"};
	if (!goes_on) {
		f->dance = NULL;
		f->dance_due = INFINITY;
		return;
	}
	c->w = pb_gesture_turn(d, f->twist);
	if (f->relight != NULL && f->twist % d->relight == 0)
		show(f, f->dance_due, f->relight);
	f->twist++;
	f->dance_due = twist_time(f);
}

bool
pb_feedback_next(struct pb_feedback *f, double until, struct pb_cue *c)
{
	double light = f->light_due, sound = f->tune_due, body = f->dance_due;
	double first = fmin(fmin(light, sound), body);

	/* INFINITY: nothing is due, whatever the time. */
	if (!(first <= until) || isinf(first))
		return false;
	/* At the same time the node's order: sound, light, motion. */
	if (light == first && sound > first)
		next_light(f, c);
	else if (sound == first)
		next_sound(f, c);
	else
		next_motion(f, c);
	return true;
}

double
pb_feedback_rest(const struct pb_feedback *f)
{
	double rest = -INFINITY;

	if (f->light_due < INFINITY) {
		const struct pb_light *l = f->light;

		rest = frame_time(
		    f, l->loops ? l->frames : l->frames - 1 + l->again);
	}
	if (f->dance != NULL)
		rest = fmax(rest,
		    f->dance_from + (f->dance->twists + 1) * f->dance->period);
	return fmax(rest, f->busy_until);
}

void
pb_feedback_end(struct pb_feedback *f, double t)
{
	bool moves = f->dance != NULL && f->twist > 1;

	f->tune_due = f->dance_due = f->light_due = INFINITY;
	f->dance = NULL;
	f->relight = NULL;
	if (moves)
		halt(f, t);
	if (f->lit)
		show(f, t, pb_light_find("off"));
}
