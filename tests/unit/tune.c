/* tune.c - tests of tunes and of the tones that they are made of. */
#include "check.h"

#include "robot/signals.h"

/* Strength of frequency f in n samples (Goertzel). */
static double
strength(const int16_t *x, int n, double f)
{
	double k = 2 * cos(2 * 3.14159265358979323846 * f / PB_TONE_RATE);
	double a = 0, b = 0;

	for (int i = 0; i < n; i++) {
		double c = x[i] + k * a - b;

		b = a;
		a = c;
	}
	return a * a + b * b - k * a * b;
}

/* The pitch of 20..110 that is strongest. */
static int
heard(const int16_t *x, int n)
{
	double most = -1;
	int best = 0;

	for (int m = 40; m <= 100; m++) {
		double s = strength(x, n, pb_midi_hz(m));

		if (s > most) {
			most = s;
			best = m;
		}
	}
	return best;
}

test(tunes)
{
	static const struct {
		const char *name;
		int n;
		double length;
	} want[] = {{"start", 4, 0.95}, {"pacman_theme", 29, 6.4},
	    {"pellet", 1, 0.12}, {"powerup", 4, 0.56},
	    {"power pellet", 4, 0.56}, {"ghost", 4, 0.5}, {"death", 4, 1.25},
	    {"win", 5, 1.05}, {"rickroll", 26, 6.95}};

	for (int i = 0; i < 9; i++) {
		const struct pb_tune *t = pb_tune_find(want[i].name);
		double sum = 0;

		check_int(t->n, want[i].n);
		check(t->n <= PB_TUNE_NOTES);
		for (int k = 0; k < t->n; k++)
			sum += t->note[k].cs / 100.0;
		check_near(sum, want[i].length, 1e-9);
		check_near(pb_tune_length(t), want[i].length, 1e-12);
	}
	check(pb_tunes[9].name == NULL);
	check(pb_tune_find("Pellet") == NULL);
}

/* Python's int(round(440 * 2 ** ((m - 69) / 12))). */
test(pitch)
{
	check_int(pb_midi_hz(69), 440);
	check_int(pb_midi_hz(57), 220);
	check_int(pb_midi_hz(60), 262);
	check_int(pb_midi_hz(72), 523);
	check_int(pb_midi_hz(79), 784);
	check_int(pb_midi_hz(55), 196);
	check_int(pb_midi_hz(0), 8);
	check_int(pb_midi_hz(127), 12544);
}

test(tones)
{
	static int16_t x[8 * PB_TONE_RATE], y[8 * PB_TONE_RATE];

	for (const struct pb_tune *t = pb_tunes; t->name; t++) {
		int at = 0, all = (int)lround(pb_tune_length(t) * PB_TONE_RATE);
		struct pb_tone v, w;

		pb_tone_start(&v, t);
		pb_tone_render(&v, x, all - 1);
		check(v.tune == t);
		pb_tone_render(&v, x + all - 1, 100);
		check(v.tune == NULL);
		for (int k = 0; k < t->n; k++) {
			int n = t->note[k].cs * PB_TONE_RATE / 100;

			check_int(heard(x + at, n), t->note[k].midi);
			/* Edges: quiet, and no step that clicks. */
			check(abs(x[at]) <= 1 && abs(x[at + n - 1]) <= 1);
			at += n;
		}
		check_int(at, all);
		for (int k = 0; k + 1 < all + 99; k++)
			check(abs(x[k + 1] - x[k]) < 2500);
		for (int k = all; k < all + 99; k++)
			check_int(x[k], 0);
		/* In pieces it is the same. */
		pb_tone_start(&w, t);
		for (int k = 0; k < all; k += 777)
			pb_tone_render(&w, y + k, 777);
		check(memcmp(x, y, (size_t)all * sizeof(*x)) == 0);
	}
}
