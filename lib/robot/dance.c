/* dance.c - what the robot does on the spot to be seen: spin and shake. */
#include "robot/dance.h"

#include <stddef.h>
#include <string.h>

/*
 * PacManBot, game_event_mapper: 1.5 rad/s for 8 s or 5 s. Its timer counts
 * these down by 0.1 in binary, which takes one message more than one thinks,
 * and the 0.25 s between flips, which takes three messages.
 */
static const struct pb_dance as_counted[] = {
    {"spin", 1.5, 0.1, 81, 0, 30},
    {"shake", 1.5, 0.1, 51, 3, 0},
};

/* The same times without a remainder: a shake ends where it began. */
static const struct pb_dance as_said[] = {
    {"spin", 1.5, 0.1, 80, 0, 0},
    {"shake", 1.5, 0.25, 20, 1, 0},
};
enum { DANCES = sizeof(as_said) / sizeof(*as_said) };

const struct pb_dance *
pb_dance_at(int i, bool exact)
{
	if (i < 0 || i >= DANCES)
		return NULL;
	return exact ? &as_said[i] : &as_counted[i];
}

const struct pb_dance *
pb_dance_find(const char *name, bool exact)
{
	const struct pb_dance *d;

	for (int i = 0; (d = pb_dance_at(i, exact)) != NULL; i++)
		if (strcmp(name, d->name) == 0)
			return d;
	return NULL;
}

double
pb_dance_w(const struct pb_dance *d, int i)
{
	if (i > d->twists)
		return 0;
	return d->flip > 0 && (i - 1) / d->flip % 2 == 1 ? -d->w : d->w;
}

double
pb_dance_angle(const struct pb_dance *d)
{
	int sum = 0;

	for (int i = 1; i <= d->twists; i++)
		sum += pb_dance_w(d, i) > 0 ? 1 : -1;
	return sum * d->period * d->w;
}
