/* feedback.c - tests of light, sound and motion. */
#include "check.h"

#include <string.h>

#include "game/feedback.h"

/* What follows is written down from the specification, not from the tables. */
static const struct pb_led yellow = {255, 180, 0}, red = {255, 0, 0},
			   blue = {0, 0, 255}, orange = {255, 80, 0},
			   pink = {255, 60, 180}, white = {255, 255, 255},
			   off = {0, 0, 0};

static int
same(struct pb_led a, struct pb_led b)
{
	return a.r == b.r && a.g == b.g && a.b == b.b;
}

static void
check_ring(const char *name, long i, const struct pb_led want[PB_RING_LEDS])
{
	struct pb_ring r = pb_light_frame(pb_light_find(name), i);

	for (int k = 0; k < PB_RING_LEDS; k++)
		if (!same(r.led[k], want[k])) {
			printf("# %s, frame %ld, led %d\n", name, i, k);
			check(same(r.led[k], want[k]));
		}
}

static void
check_all(const char *name, long i, struct pb_led c)
{
	check_ring(name, i, (struct pb_led[]){c, c, c, c, c, c});
}

static void
test_start(void)
{
	const struct pb_led pattern[] = {yellow, red, blue, orange, pink, off};
	const struct pb_light *l = pb_light_find("start");

	check_int(l->frames, 51);
	check(!l->loops && l->again);
	for (int step = 0; step < 30; step++) {
		struct pb_led want[PB_RING_LEDS];

		for (int i = 0; i < PB_RING_LEDS; i++)
			want[i] = pattern[((i - step) % 6 + 6) % 6];
		check_ring("start", step, want);
	}
	for (int step = 30; step < 50; step++)
		check_all("start", step, off);
	check_all("start", 50, yellow);
	check_all("start", 51, yellow);
}

static void
test_game_over(void)
{
	check_int(pb_light_find("game over")->frames, 6);
	check(pb_light_find("game over")->loops);
	for (int step = 0; step < 13; step++) {
		struct pb_led want[PB_RING_LEDS];

		for (int i = 0; i < PB_RING_LEDS; i++)
			want[i] = (struct pb_led){60, 0, 0};
		want[(step + 1) % 6].r = want[(step + 5) % 6].r = 140;
		want[step % 6].r = 255;
		check_ring("game over", step, want);
	}
}

static void
test_pellets(void)
{
	const struct pb_led chomp[2][6] = {
	    {yellow, off, off, off, yellow, yellow},
	    {yellow, yellow, off, yellow, yellow, yellow}};

	check_int(pb_light_find("pellet")->frames, 4);
	check(!pb_light_find("pellet")->loops);
	check_ring("pellet", 0, chomp[0]);
	check_ring("pellet", 1, chomp[1]);
	check_all("pellet", 2, (struct pb_led){80, 55, 0});
	check_all("pellet", 3, off);
	check_all("pellet", 99, off);
	for (int i = 0; i < 5; i++)
		check_ring("pacman", i, chomp[i % 2]);
	for (int i = 0; i < 5; i++)
		check_all("power pellet", i, i % 2 ? white : yellow);
	check(pb_light_find("powerup") == pb_light_find("power pellet"));
}

static void
test_win(void)
{
	const struct pb_led y = yellow, w = white, b = {0, 80, 255}, p = pink,
			    o = orange;
	const struct pb_led want[6][6] = {{y, w, b, p, o, w},
	    {w, y, w, b, p, o}, {o, w, y, w, b, p}, {p, o, w, y, w, b},
	    {off, off, off, off, off, off}, {w, w, w, w, w, w}};

	check_int(pb_light_find("win")->frames, 6);
	for (int i = 0; i < 14; i++)
		check_ring("win", i, want[i % 6]);
}

static void
test_ghosts(void)
{
	const char *const name[] = {"blinky", "pinky", "inky", "clyde"};
	const struct pb_led colour[] = {red, pink, blue, orange};
	const struct pb_led dim = {90, 0, 0};

	for (int i = 0; i < 4; i++) {
		struct pb_led g = colour[i];
		const struct pb_led one[] = {g, red, g, red, g, red},
				    two[] = {red, g, red, g, red, g};
		char word[32];

		snprintf(word, sizeof word, "%s caught", name[i]);
		check_int(pb_light_find(word)->frames, 2);
		check_all(word, 0, g);
		check_all(word, 3, yellow);
		snprintf(word, sizeof word, "%s killed", name[i]);
		check_int(pb_light_find(word)->frames, 6);
		check(pb_light_find(word)->loops);
		check_all(word, 0, g);
		check_all(word, 1, red);
		check_ring(word, 2, one);
		check_ring(word, 3, two);
		check_all(word, 4, dim);
		check_all(word, 5, off);
		check_all(word, 6, g);
	}
}

static void
test_colours(void)
{
	const char *const name[] = {
	    "yellow", "red", "blue", "pink", "orange", "white", "off"};
	const struct pb_led led[] = {
	    yellow, red, blue, pink, orange, white, off};

	for (int i = 0; i < 7; i++) {
		check_int(pb_light_find(name[i])->frames, 1);
		check_all(name[i], 0, led[i]);
	}
	check(pb_light_find("green") == NULL);
	check(pb_light_find("") == NULL);
}

/* Every light's parts make up its frames: the last is not the first of none. */
static void
test_all_lights(void)
{
	const struct pb_light *l;
	int n = 0;

	for (; (l = pb_light_at(n)) != NULL; n++) {
		check(pb_light_find(l->name) == l);
		for (long i = 0; i < 3L * l->frames; i++) {
			struct pb_ring a = pb_light_frame(l, i);
			struct pb_ring b =
			    pb_light_frame(l, i + (l->loops ? l->frames : 0));

			check(memcmp(&a, &b, sizeof a) == 0);
		}
	}
	check_int(n, 21);
	check(pb_light_at(-1) == NULL);
}

static void
test_tunes(void)
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
	check(pb_tune_at(9) == NULL);
	check(pb_tune_find("Pellet") == NULL);
}

/* Python's int(round(440 * 2 ** ((m - 69) / 12))). */
static void
test_pitch(void)
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

static void
test_tones(void)
{
	static int16_t x[8 * PB_TONE_RATE], y[8 * PB_TONE_RATE];
	const struct pb_tune *t;

	for (int i = 0; (t = pb_tune_at(i)) != NULL; i++) {
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
		check(memcmp(x, y, (size_t)all * sizeof *x) == 0);
	}
}

/* The published timer, counted as Python counts. */
static int
count_twists(double seconds)
{
	int n = 0;

	for (double left = seconds; left > 0; left -= 0.1)
		n++;
	return n;
}

static void
test_dances(void)
{
	const struct pb_dance *spin = pb_dance_find("spin", false);
	const struct pb_dance *shake = pb_dance_find("shake", false);
	double left = 0.25, w = 1.5, sum = 0;

	check_int(spin->twists, count_twists(8.0));
	check_int(spin->twists, 81);
	check_int(shake->twists, count_twists(5.0));
	check_int(shake->twists, 51);
	for (int i = 1; i <= shake->twists; i++) {
		check_near(pb_dance_w(shake, i), w, 0);
		sum += w * 0.1;
		left -= 0.1;
		if (left <= 0) {
			w = -w;
			left = 0.25;
		}
	}
	check_near(pb_dance_w(shake, 52), 0, 0);
	check_near(pb_dance_angle(shake), sum, 1e-9);
	check_near(pb_dance_angle(shake), 0.45, 1e-9);
	check_near(pb_dance_angle(spin), 12.15, 1e-9);
	check_near(pb_dance_angle(pb_dance_find("spin", true)), 12, 1e-9);
	check_near(pb_dance_angle(pb_dance_find("shake", true)), 0, 1e-9);
	check(pb_dance_find("waltz", false) == NULL);
}

/* All cues until t, at most n of them. */
static int
cues(struct pb_feedback *f, double t, struct pb_cue *c, int n)
{
	int i = 0;

	while (i < n && pb_feedback_next(f, t, &c[i])) {
		check(i == 0 || c[i].t >= c[i - 1].t);
		i++;
	}
	return i;
}

static int
count(const struct pb_cue *c, int n, enum pb_cue_kind kind)
{
	int k = 0;

	for (int i = 0; i < n; i++)
		k += c[i].kind == kind;
	return k;
}

static void
test_theatrical(void)
{
	struct pb_cue c[400];
	struct pb_feedback f;
	double angle = 0, w = 0, since = 0;
	int n, frames = 0;

	pb_feedback_start(&f, PB_COMPAT_CODE);
	check_int(pb_feedback_event(&f, 2, " Start THEATRICAL\n"), PB_HEARD);
	check_near(pb_feedback_rest(&f), 2 + 8.2, 1e-9);
	n = cues(&f, 100, c, 400);
	check_int(c[0].kind, PB_CUE_SOUND);
	check_near(c[0].t, 2, 0);
	check_int(count(c, n, PB_CUE_SOUND), 1);
	check_int(count(c, n, PB_CUE_MOTION), 82);
	/* 3 s of frames twice, then all of them. */
	check_int(count(c, n, PB_CUE_LIGHT), 20 + 20 + 52);
	for (int i = 0; i < n; i++) {
		if (c[i].kind == PB_CUE_LIGHT)
			frames++;
		if (c[i].kind != PB_CUE_MOTION)
			continue;
		angle += w * (c[i].t - since);
		since = c[i].t;
		w = c[i].w;
	}
	check_near(angle, 12.15, 1e-9);
	check_near(w, 0, 0);
	check_near(since, 2 + 8.2, 1e-9);
	check_near(c[n - 1].t, 2 + 6 + 52 * 0.15, 1e-9);
	check(!pb_feedback_next(&f, INFINITY, c));
}

static void
test_frames_in_time(void)
{
	struct pb_cue c[100];
	struct pb_feedback f;
	int n;

	pb_feedback_start(&f, PB_COMPAT_CODE);
	pb_feedback_light(&f, 1, "pellet");
	check_int(cues(&f, 1.149, c, 100), 0);
	n = cues(&f, 10, c, 100);
	check_int(n, 4);
	for (int i = 0; i < n; i++)
		check_near(c[i].t, 1 + 0.15 * (i + 1), 1e-9);
	pb_feedback_light(&f, 10, "start");
	n = cues(&f, 10 + 51 * 0.15 + 0.01, c, 100);
	check_int(n, 51);
	check_near(c[50].t - 10, 7.65, 1e-9);
	check_int(cues(&f, 1e9, c, 100), 1);
	/* A loop ends only when something else begins. */
	pb_feedback_light(&f, 20, "pacman");
	check_int(cues(&f, 20 + 15.01, c, 100), 100);
	pb_feedback_light(&f, 40, "green");
	check_int(cues(&f, 35.2, c, 100), 1);
	pb_feedback_light(&f, 35.2, "red");
	check_int(cues(&f, 1e9, c, 100), 1);
	check_near(c[0].t, 35.2, 0);
}

static void
test_busy(void)
{
	struct pb_feedback f;
	struct pb_cue c[20];

	pb_feedback_start(&f, PB_COMPAT_CODE);
	check_int(pb_feedback_sound(&f, 0, "pellet"), PB_HEARD);
	check_int(pb_feedback_sound(&f, 0.119, "win"), PB_DROPPED);
	/* Not busy any more, but the same too soon. */
	check_int(pb_feedback_sound(&f, 0.2, "pellet"), PB_DROPPED);
	check_int(pb_feedback_sound(&f, 0.25, "pellet"), PB_HEARD);
	check_int(pb_feedback_sound(&f, 0.37, "ghost"), PB_HEARD);
	check_int(pb_feedback_sound(&f, 0.9, "Ghost"), PB_UNKNOWN);
	check_int(pb_feedback_sound(&f, 0.9, " ghost "), PB_HEARD);
	cues(&f, 0.9, c, 20);
	/* The report knows no debounce. */
	pb_feedback_start(&f, PB_COMPAT_REPORT);
	check_int(pb_feedback_sound(&f, 0, "pellet"), PB_HEARD);
	check_int(pb_feedback_sound(&f, 0.119, "pellet"), PB_DROPPED);
	check_int(pb_feedback_sound(&f, 0.12, "pellet"), PB_HEARD);
}

/* Every row of the specification's table of events. */
static void
test_events(void)
{
	static const struct {
		const char *event, *light, *sound, *dance;
	} want[] = {{"start", "start", "start", NULL},
	    {"pellet", "pellet", "pellet", NULL},
	    {"power pellet", "power pellet", "power pellet", NULL},
	    {"powerup", "power pellet", "power pellet", NULL},
	    {"pinky caught", "pinky caught", "ghost", NULL},
	    {"inky killed", "inky killed", "death", "shake"},
	    {"killed", "game over", "death", "shake"},
	    {"death", "game over", "death", "shake"},
	    {"game over", "game over", "death", "shake"},
	    {"win", "win", "win", NULL}, {"reset", NULL, NULL, "stop"}};

	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		struct pb_feedback f;
		struct pb_cue c[20];
		const char *got[3] = {NULL, NULL, NULL};
		int n;

		pb_feedback_start(&f, PB_COMPAT_CODE);
		check_int(pb_feedback_event(&f, 0, want[i].event), PB_HEARD);
		n = cues(&f, 0.3, c, 20);
		while (n-- > 0)
			got[c[n].kind] = c[n].name;
		for (int k = 0; k < 3; k++) {
			const char *w = k == 0   ? want[i].light
			                : k == 1 ? want[i].sound
			                         : want[i].dance;

			check(w == NULL ? got[k] == NULL
					: got[k] && strcmp(w, got[k]) == 0);
		}
	}
}

/* Whatever an event or row says exists. */
static void
test_names(void)
{
	const struct pb_occasion *o;
	struct pb_feedback f;
	struct pb_cue c;

	pb_feedback_start(&f, PB_COMPAT_CODE);
	for (int i = 0; (o = pb_occasion_at(i)) != NULL; i++)
		for (int k = 0; k < 2; k++) {
			const struct pb_reaction *r = &o->does[k];

			check(pb_occasion_find(o->name) == o);
			check(!r->light || pb_light_find(r->light));
			check(!r->sound || pb_tune_find(r->sound));
			check(!r->dance || pb_dance_find(r->dance, k));
		}
	check_int(
	    pb_feedback_event(&f, 1, "pelletpelletpelletpelletpelletpell"),
	    PB_UNKNOWN);
	check_int(pb_feedback_event(&f, 1, ""), PB_UNKNOWN);
	check_int(pb_feedback_dance(&f, 1, "waltz"), PB_UNKNOWN);
	check(!pb_feedback_next(&f, INFINITY, &c));
}

static void
test_report(void)
{
	struct pb_feedback f;
	struct pb_cue c[200];
	int n;

	pb_feedback_start(&f, PB_COMPAT_REPORT);
	pb_feedback_event(&f, 0, "clyde killed");
	n = cues(&f, 0, c, 200);
	check_int(n, 2);
	check(strcmp(c[0].name, "game over") == 0);
	check_near(c[0].t, 0, 0);
	check(strcmp(c[1].name, "death") == 0);
	n = cues(&f, 6, c, 200);
	check_int(count(c, n, PB_CUE_MOTION), 21);
	pb_feedback_event(&f, 6, "reset");
	n = cues(&f, 6, c, 200);
	check_int(n, 2);
	check(strcmp(c[0].name, "off") == 0 && strcmp(c[1].name, "stop") == 0);
	check_int(pb_feedback_event(&f, 7, "clyde caught"), PB_HEARD);
	check_int(cues(&f, 99, c, 200), 0);
}

static void
test_end(void)
{
	struct pb_feedback f;
	struct pb_cue c[200];
	int n;

	/* Nothing was on: nothing to switch off. */
	pb_feedback_start(&f, PB_COMPAT_CODE);
	pb_feedback_end(&f, 5);
	check(!pb_feedback_next(&f, INFINITY, c));
	check(pb_feedback_rest(&f) == -INFINITY);

	pb_feedback_event(&f, 10, "death");
	cues(&f, 11, c, 200);
	check_near(pb_feedback_rest(&f), 10 + 5.2, 1e-9);
	pb_feedback_end(&f, 11);
	n = cues(&f, 1e9, c, 200);
	check_int(n, 2);
	check(c[0].kind == PB_CUE_LIGHT && pb_ring_dark(&c[0].ring));
	check(c[1].kind == PB_CUE_MOTION && c[1].w == 0);
}

/* A new dance replaces the old one; reset stops it; still robots do none. */
static void
test_motion(void)
{
	struct pb_feedback f;
	struct pb_cue c[400];
	int n;

	pb_feedback_start(&f, PB_COMPAT_CODE);
	pb_feedback_event(&f, 0, "start theatrical");
	n = cues(&f, 1, c, 400);
	check_int(count(c, n, PB_CUE_MOTION), 10);
	pb_feedback_event(&f, 1, "killed");
	n = cues(&f, 2, c, 400);
	for (int i = 0; i < n; i++)
		check(c[i].kind != PB_CUE_MOTION ||
		      strcmp(c[i].name, "shake") == 0);
	pb_feedback_event(&f, 2, "reset");
	n = cues(&f, 20, c, 400);
	check_int(count(c, n, PB_CUE_MOTION), 1);
	check(c[0].kind == PB_CUE_MOTION && c[0].w == 0 && c[0].t == 2);

	pb_feedback_start(&f, PB_COMPAT_CODE);
	f.still = true;
	pb_feedback_event(&f, 0, "start theatrical");
	pb_feedback_event(&f, 1, "reset");
	n = cues(&f, 20, c, 400);
	check_int(count(c, n, PB_CUE_MOTION), 0);
	check_int(count(c, n, PB_CUE_LIGHT), 52);
}

int
main(void)
{
	run(test_start);
	run(test_game_over);
	run(test_pellets);
	run(test_win);
	run(test_ghosts);
	run(test_colours);
	run(test_all_lights);
	run(test_tunes);
	run(test_pitch);
	run(test_tones);
	run(test_dances);
	run(test_theatrical);
	run(test_frames_in_time);
	run(test_busy);
	run(test_events);
	run(test_names);
	run(test_report);
	run(test_end);
	run(test_motion);
	return done();
}
