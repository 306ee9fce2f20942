/* show.c - pictures for tools: options, a scene shown, a stream shown. */
#include "view/show.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "io/filter.h"
#include "view/feed.h"
#include "view/plot.h"
#include "view/term.h"

/* Frames a second of live pictures. */
#define FRAMES 20.0

struct pb_show_opts
pb_show_defaults(void)
{
	return (struct pb_show_opts){.look = pb_render_defaults(), .speed = 1};
}

bool
pb_show_box(void *to, const char *arg, struct pb_bad *bad)
{
	if (pb_render_box(arg, to))
		return true;
	return pb_bad_set(bad,
	    "expected x0,y0,x1,y1 with x0 < x1 and y0 < y1, got \"%.80s\"",
	    arg);
}

static bool
say(enum pb_status st)
{
	if (st == PB_ESIZE)
		pb_msg_refuse((struct pb_place){0},
		    "--box: nothing of the map lies in it");
	else if (st != PB_OK)
		pb_msg_system("%s", pb_status_text(st));
	return st == PB_OK;
}

static bool
draw_png(const struct pb_scene *s, const struct pb_show_opts *o)
{
	struct pb_fault f = {0};
	struct pb_place at;

	if (pb_plot_png(s, &o->look, o->png, &f) == 0)
		return true;
	at = (struct pb_place){f.file, f.line};
	if (!f.system) {
		pb_msg_refuse(at, "%s", f.text);
		return false;
	}
	errno = 0; /* the text has it already */
	pb_msg_system("%s: %s", f.file, f.text);
	return false;
}

bool
pb_show_scene(const struct pb_scene *s, const struct pb_show_opts *o)
{
	struct pb_tty t;

	if (o->png != NULL && !draw_png(s, o))
		return false;
	if (!o->render && !o->live)
		return true;
	t = pb_tty_of(&o->look, stdout);
	return say(pb_term_draw(s, &o->look, &t, stdout));
}

/* A stream that is being shown. */
struct stream {
	const struct pb_show_opts *o;
	struct pb_scene scene;
	struct pb_feed feed;
	bool live;
	bool begun;            /* a frame was drawn */
	double next;           /* time of the next frame (s) */
	struct timespec start; /* wall clock at the first frame */
	double zero;           /* stream time at the first frame (s) */
};

/* Wait until the wall clock is where stream time t has to be shown. */
static void
wait_for(struct stream *s, double t)
{
	double due = (t - s->zero) / s->o->speed, whole = floor(due);
	struct timespec at = s->start;

	if (!(due >= 0) || due > 1e9)
		return;
	at.tv_sec += (time_t)whole;
	at.tv_nsec += (long)((due - whole) * 1e9);
	if (at.tv_nsec >= 1000000000) {
		at.tv_nsec -= 1000000000;
		at.tv_sec++;
	}
	/* A signal ends the wait early: the filter then looks at it. */
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

static void
frame(struct stream *s)
{
	double t = s->scene.t;
	struct pb_tty tty = pb_tty_of(&s->o->look, stdout);

	if (!s->begun) {
		clock_gettime(CLOCK_MONOTONIC, &s->start);
		s->zero = t;
		fputs("\033[?25l", stdout); /* no cursor meanwhile */
	} else if (s->o->speed > 0) {
		wait_for(s, t);
	}
	pb_feed_caption(&s->feed);
	say(pb_term_frame(&s->scene, &s->o->look, &tty, !s->begun, stdout));
	s->begun = true;
	s->next = t + (s->o->speed > 0 ? s->o->speed : 1) / FRAMES;
}

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_bad *bad)
{
	struct stream *s = f->user;

	if (!pb_feed_take(&s->feed, r, bad))
		return false;
	if (s->live && s->scene.t >= s->next && s->scene.t > 0)
		frame(s);
	return true;
}

/* The last picture; after live frames it stands where they stood. */
static bool
finish(struct stream *s)
{
	struct pb_show_opts last = *s->o;

	pb_feed_caption(&s->feed);
	if (s->begun) {
		frame(s);
		fputs("\n\033[?25h", stdout);
		last.render = last.live = false;
	}
	if (s->scene.short_of_memory)
		pb_msg_warn((struct pb_place){0},
		    "out of memory: the picture is not complete");
	return pb_show_scene(&s->scene, &last);
}

bool
pb_show_stream(const struct pb_show_opts *o, const struct pb_opt_common *common,
    char *const *files, int n)
{
	struct stream *s = calloc(1, sizeof(*s));
	struct pb_filter f = {
	    .want = pb_feed_want, .common = common, .take = take, .user = s};
	bool ok;

	if (s == NULL) {
		pb_msg_system("out of memory");
		return false;
	}
	s->o = o;
	s->feed.scene = &s->scene;
	s->live = o->live && isatty(STDOUT_FILENO);
	ok = pb_filter_run(&f, files, n);
	ok = finish(s) && ok;
	pb_filter_clear(&f);
	pb_scene_clear(&s->scene);
	free(s);
	return ok;
}
