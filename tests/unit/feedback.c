/* feedback.c - tests of what light, sound and motion go with what happens. */
#include "check.h"

#include "robot/signals.h"

/* The published timer, counted as Python counts. */
static int
count_twists(double seconds)
{
	int n = 0;

	for (double left = seconds; left > 0; left -= 0.1)
		n++;
	return n;
}

/* The angle that a whole gesture turns the robot by (rad). */
static double
angle(const struct pb_gesture *d)
{
	double sum = 0;

	for (int i = 1; i <= d->twists; i++)
		sum += pb_gesture_turn(d, i) * d->period;
	return sum;
}

test(dances)
{
	const struct pb_gesture *spin = pb_gesture_find("spin");
	const struct pb_gesture *shake = pb_gesture_find("shake");
	double left = 0.25, w = 1.5, sum = 0;

	check_int(spin->twists, count_twists(8.0));
	check_int(spin->twists, 81);
	check_int(shake->twists, count_twists(5.0));
	check_int(shake->twists, 51);
	for (int i = 1; i <= shake->twists; i++) {
		check_near(pb_gesture_turn(shake, i), w, 0);
		sum += w * 0.1;
		left -= 0.1;
		if (left <= 0) {
			w = -w;
			left = 0.25;
		}
	}
	check_near(pb_gesture_turn(shake, 52), 0, 0);
	check_near(angle(shake), sum, 1e-9);
	check_near(angle(shake), 0.45, 1e-9);
	check_near(angle(spin), 12.15, 1e-9);
	check(pb_gesture_find("waltz") == NULL);
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

test(theatrical)
{
	struct pb_cue c[400];
	struct pb_feedback f;
	double angle = 0, w = 0, since = 0;
	int n, frames = 0;

	pb_feedback_start(&f);
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
	check_near(c[n - 1].t, 2 + 6 + 51 * 0.15, 1e-9);
	check_near(c[n - 2].t, c[n - 1].t, 0);
	check(!pb_feedback_next(&f, INFINITY, c));
}

test(frames_in_time)
{
	struct pb_cue c[100];
	struct pb_feedback f;
	int n;

	pb_feedback_start(&f);
	pb_feedback_light(&f, 1, "pellet");
	check_int(cues(&f, 1.149, c, 100), 0);
	n = cues(&f, 10, c, 100);
	check_int(n, 4);
	for (int i = 0; i < n; i++)
		check_near(c[i].t, 1 + 0.15 * (i + 1), 1e-9);
	pb_feedback_light(&f, 10, "start");
	n = cues(&f, 10 + 51 * 0.15 + 0.01, c, 100);
	/* The closing yellow comes twice at once. */
	check_int(n, 52);
	check_near(c[50].t - 10, 7.65, 1e-9);
	check_near(c[51].t, c[50].t, 0);
	check_int(cues(&f, 1e9, c, 100), 0);
	/* A loop ends only when something else begins. */
	pb_feedback_light(&f, 20, "pacman");
	check_int(cues(&f, 20 + 15.01, c, 100), 100);
	pb_feedback_light(&f, 40, "green");
	check_int(cues(&f, 35.2, c, 100), 1);
	pb_feedback_light(&f, 35.2, "red");
	check_int(cues(&f, 1e9, c, 100), 1);
	check_near(c[0].t, 35.2, 0);
}

test(busy)
{
	struct pb_feedback f;
	struct pb_cue c[20];

	pb_feedback_start(&f);
	check_int(pb_feedback_sound(&f, 0, "pellet"), PB_HEARD);
	check_int(pb_feedback_sound(&f, 0.119, "win"), PB_DROPPED);
	/* Not busy any more, but the same too soon. */
	check_int(pb_feedback_sound(&f, 0.2, "pellet"), PB_DROPPED);
	check_int(pb_feedback_sound(&f, 0.25, "pellet"), PB_HEARD);
	check_int(pb_feedback_sound(&f, 0.37, "ghost"), PB_HEARD);
	check_int(pb_feedback_sound(&f, 0.9, "Ghost"), PB_UNKNOWN);
	check_int(pb_feedback_sound(&f, 0.9, " ghost "), PB_HEARD);
	cues(&f, 0.9, c, 20);
}

/* Every row of the specification's table of events. */
test(events)
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

	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		struct pb_feedback f;
		struct pb_cue c[20];
		const char *got[3] = {NULL, NULL, NULL};
		int n;

		pb_feedback_start(&f);
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
test(names)
{
	struct pb_feedback f;
	struct pb_cue c;

	pb_feedback_start(&f);
	for (const struct pb_occasion *o = pb_occasions; o->name; o++) {
		const struct pb_reaction *r = &o->does;

		check(pb_occasion_find(o->name) == o);
		check(!r->light || pb_light_find(r->light));
		check(!r->sound || pb_tune_find(r->sound));
		check(!r->gesture || pb_gesture_find(r->gesture));
	}
	check_int(
	    pb_feedback_event(&f, 1, "pelletpelletpelletpelletpelletpell"),
	    PB_UNKNOWN);
	check_int(pb_feedback_event(&f, 1, ""), PB_UNKNOWN);
	check_int(pb_feedback_gesture(&f, 1, "waltz"), PB_UNKNOWN);
	check(!pb_feedback_next(&f, INFINITY, &c));
}

test(end)
{
	struct pb_feedback f;
	struct pb_cue c[200];
	int n;

	/* Nothing was on: nothing to switch off. */
	pb_feedback_start(&f);
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
test(motion)
{
	struct pb_feedback f;
	struct pb_cue c[400];
	int n;

	pb_feedback_start(&f);
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

	pb_feedback_start(&f);
	f.still = true;
	pb_feedback_event(&f, 0, "start theatrical");
	pb_feedback_event(&f, 1, "reset");
	n = cues(&f, 20, c, 400);
	check_int(count(c, n, PB_CUE_MOTION), 0);
	check_int(count(c, n, PB_CUE_LIGHT), 52);
}
