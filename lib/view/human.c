/* human.c - a person plays at the terminal: draw frames, read keys. */
#include "view/show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/play/steering.h"
#include "io/stream/pace.h"
#include "io/stream/line.h"
#include "io/stream/text.h"
#include "view/scene.h"
#include "view/term.h"

/* Most frames a second; more are not visible. */
#define FRAMES 30.0

#define SPEED_MIN 0.0625
#define SPEED_MAX 64.0

struct pb_human {
	FILE *tty;
	struct pb_render_opts look;
	struct pb_scene scene;
	struct pb_seen k; /* last state shown */
	double speed;     /* times real time */
	double t;         /* of the game (s) */
	double due;       /* when t is due, of pb_pace_seconds() */
	double drawn;     /* time of the last frame */
	bool begun;       /* t and due are set */
	bool first;       /* the screen was not cleared yet */
	bool changed;     /* since the last frame */
	bool paused;
	enum pb_dir stick;
	char end[160]; /* how the game ended, "": not yet */
};

static void
print_status(const struct pb_human *h, const struct pb_tty *tty, FILE *f)
{
	const struct pb_seen *k = &h->k;
	char time[PB_SCENE_CLOCK];

	if (h->scene.has_ring) {
		pb_ring_print(&h->scene.ring, tty, f);
		fputs("   ", f);
	}
	pb_scene_clock(&h->scene, h->t, time);
	fputs(time, f);
	if (k->score >= 0)
		fprintf(f, "   score %ld", k->score);
	if (k->lives >= 0)
		fprintf(f, "   lives %ld", k->lives);
	if (k->left >= 0)
		fprintf(f, "   pellets %ld", k->left);
	if (k->mode[0] != '\0') {
		fputs("   ", f);
		pb_utf8_print(k->mode, f);
	}
	fprintf(f, "   x%g%s", h->speed, h->paused ? "   PAUSED" : "");
}

/* Draw a frame in one write, as half a frame would flicker. */
static void
draw_game(struct pb_human *h)
{
	struct pb_tty tty = pb_tty_of(&h->look, h->tty);
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	if (f == NULL)
		pb_msg_end_memory();
	tty.height = tty.height > 3 ? tty.height - 2 : 1;
	pb_term_draw(&h->scene, &h->look, &tty,
	    h->first ? PB_FRAME_FIRST : PB_FRAME_NEXT, f);
	/* Without automatic wrap: a long line is cut. */
	fputs("\r\n\033[?7l", f);
	print_status(h, &tty, f);
	fprintf(f, "\033[K\033[?7h\r\n%.*s\033[K", tty.width - 1,
	    "arrows or wasd: steer  blank: stop  p: pause  "
	    "+ -: speed  q: quit");
	if (fclose(f) != 0)
		pb_msg_end_memory();
	fwrite(text, 1, n, h->tty);
	fflush(h->tty);
	free(text);
	h->first = h->changed = false;
	h->drawn = pb_pace_seconds();
}

static void
show_board(void *user, const struct pb_maze *z)
{
	struct pb_human *h = user;

	pb_scene_build_maze(&h->scene, z);
	h->changed = true;
}

static void
show_state(void *user, const struct pb_seen *k)
{
	struct pb_human *h = user;

	h->k = *k;
	pb_scene_build_tick(&h->scene, k);
	h->changed = true;
}

static void
show_light(void *user, const struct pb_ring *r)
{
	struct pb_human *h = user;

	h->scene.ring = *r;
	h->scene.has_ring = h->changed = true;
}

/* Change the speed; scales the time left until the next tick. */
static void
set_speed(struct pb_human *h, double factor)
{
	double now = pb_pace_seconds(), speed = h->speed * factor;

	if (speed < SPEED_MIN || speed > SPEED_MAX)
		return;
	h->due = now + fmax(h->due - now, 0) / factor;
	h->speed = speed;
	h->changed = true;
}

/* Pause; afterwards the next tick is as far off as before. */
static bool
pause_game(struct pb_human *h)
{
	double left = h->due - pb_pace_seconds();
	enum pb_key k;

	h->paused = true;
	do {
		draw_game(h);
		k = pb_keys_next(INFINITY);
		h->first = k == PB_KEY_REDRAW;
	} while (k != PB_KEY_PAUSE && k != PB_KEY_QUIT && k != PB_KEY_SIGNAL);
	h->paused = false;
	h->changed = true;
	h->due = pb_pace_seconds() + left;
	return k == PB_KEY_PAUSE;
}

/* Handle a key; false: the player leaves. */
static bool
handle_key(struct pb_human *h, enum pb_key k)
{
	static const enum pb_dir dir[] = {[PB_KEY_UP] = PB_UP,
	    [PB_KEY_LEFT] = PB_LEFT,
	    [PB_KEY_DOWN] = PB_DOWN,
	    [PB_KEY_RIGHT] = PB_RIGHT,
	    [PB_KEY_STOP] = PB_STAY};

	switch (k) {
	case PB_KEY_NONE:
		return true;
	case PB_KEY_PAUSE:
		return pause_game(h);
	case PB_KEY_FASTER:
	case PB_KEY_SLOWER:
		set_speed(h, k == PB_KEY_FASTER ? 2 : 0.5);
		return true;
	case PB_KEY_QUIT:
	case PB_KEY_SIGNAL:
		return false;
	case PB_KEY_REDRAW:
		h->first = h->changed = true;
		return true;
	default:
		h->stick = dir[k];
		return true;
	}
}

static bool
ask_keys(void *user, double t, enum pb_dir *stick)
{
	struct pb_human *h = user;
	double now = pb_pace_seconds();

	h->due = h->begun ? pb_pace_due(h->due, now) : now;
	if (h->begun)
		h->due += (t - h->t) / h->speed;
	h->begun = true;
	h->t = t;
	h->scene.ticks = t > 0 && t == (double)h->k.tick;
	fflush(stdout);
	do {
		double next = h->drawn + 1 / FRAMES;

		if (h->changed && pb_pace_seconds() > next)
			draw_game(h);
		next = h->changed ? fmin(h->due, next) : h->due;
		if (!handle_key(h, pb_keys_next(next)))
			return false;
	} while (pb_pace_seconds() < h->due);
	*stick = h->stick;
	return true;
}

static void
show_end(void *user, const struct pb_rec_result *r)
{
	struct pb_human *h = user;
	char time[PB_SCENE_CLOCK];
	int n;

	pb_scene_clock(&h->scene, r->trial.time, time);
	n = snprintf(h->end, sizeof(h->end), "%s: %s, %s",
	    r->trial.success ? "You won" : "You lost", r->trial.outcome, time);
	if (h->k.score >= 0 && n > 0 && n < (int)sizeof(h->end))
		snprintf(h->end + n, sizeof(h->end) - (size_t)n, ", score %ld",
		    h->k.score);
	h->changed = true;
}

struct pb_human *
pb_human_begin(double speed, struct pb_pilot *pilot)
{
	struct pb_human *h = pb_alloc(1, sizeof(*h));
	struct pb_error bad;

	if ((h->tty = pb_keys_begin(&bad)) == NULL) {
		pb_msg_usage("--play: %s", bad.text);
		free(h);
		return NULL;
	}
	if (isatty(STDOUT_FILENO) && freopen("/dev/null", "w", stdout) == NULL)
		pb_msg_system("/dev/null");
	h->look.hide = PB_HIDE_AXES | PB_HIDE_TRAILS;
	h->speed = speed;
	h->first = true;
	h->stick = PB_STAY;
	*pilot = (struct pb_pilot){
	    h, show_board, show_state, show_light, ask_keys, show_end};
	return h;
}

void
pb_human_end(struct pb_human *h)
{
	if (h == NULL)
		return;
	if (h->begun) {
		draw_game(h);
		fprintf(h->tty, "\r\n%s",
		    h->end[0] != '\0' ? h->end : "You left the game.");
	}
	fputs("\r\n", h->tty);
	fflush(h->tty);
	pb_keys_end();
	pb_scene_clear(&h->scene);
	free(h);
}
