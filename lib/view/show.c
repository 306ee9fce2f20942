/* show.c - pictures for tools: options, a scene shown, a stream shown. */
#include "view/show.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "io/file/filter.h"
#include "io/stream/msg.h"
#include "io/stream/pace.h"
#include "view/animation.h"
#include "view/drawing.h"
#include "view/replay.h"
#include "view/scene_builder.h"

/* Frames a second of live pictures. */
#define FRAMES 20.0

/* The same of animations, longest side of their maps (px), and ticks of a game
 * without seconds that pass in one. */
#define PICTURES 10.0
#define SIDE     600
#define TICKS    4.0

bool
pb_show_named(const char *name)
{
	return pb_replay_named(name) || pb_animation_named(name) ||
	       pb_drawing_named(name);
}

bool
pb_show_asked(const struct pb_show_opts *o)
{
	return o->terminal || o->live || o->png != NULL;
}

static void
say(enum pb_status st)
{
	if (st == PB_ESIZE)
		pb_msg_refuse((struct pb_place){0},
		    "--box: nothing of the map lies in it");
	else if (st != PB_OK)
		pb_msg_system("%s", pb_status_text(st));
}

/* A picture of an animation: all of them are equally large, so there is no
 * legend that grows. */
static int
show_picture(struct pb_scene_builder *b, const struct pb_show_opts *o,
    struct pb_animation *a, struct pb_error *f)
{
	struct pb_render_opts look = o->render;

	look.into = a;
	look.no_legend = true;
	if (look.size == 0 && look.scale == 0)
		look.size = SIDE;
	pb_scene_build_caption(b);
	return pb_plot(b->scene, &look, o->png, f);
}

/* Into the file, which may be a page that shows one frame, or the end of an
 * animation. */
static int
show_file(struct pb_scene_builder *b, const struct pb_show_opts *o,
    struct pb_error *f)
{
	struct pb_animation *a = o->render.into;
	struct pb_replay *page;
	int r;

	if (pb_replay_named(o->png)) {
		page = pb_replay_open(o->png, &o->render, false, f);
		return page ? pb_replay_close(page, b, f) : -1;
	}
	if (!pb_animation_named(o->png))
		return pb_plot(b->scene, &o->render, o->png, f);
	if (a == NULL && (a = pb_animation_open(o->png, f)) == NULL)
		return -1;
	r = show_picture(b, o, a, f);
	return pb_animation_close(a, f) != 0 ? -1 : r;
}

void
pb_show(struct pb_scene_builder *b, const struct pb_show_opts *o)
{
	const struct pb_scene *s = b->scene;
	struct pb_error f = {0};
	struct pb_tty t;

	pb_scene_build_caption(b);
	if (o->png != NULL && show_file(b, o, &f) != 0) {
		pb_msg_error(&f);
	} else if (o->terminal || o->live) {
		t = pb_tty_of(&o->render, stdout);
		say(pb_term_draw(s, &o->render, &t, stdout));
	}
}

/* A stream that is being shown. */
struct stream {
	const struct pb_show_opts *o;
	struct pb_scene scene;
	struct pb_scene_builder feed;
	struct pb_replay *page;         /* that plays it, NULL: none */
	struct pb_animation *animation; /* NULL: none */
	bool drawn;                     /* it has a picture */
	bool stuck;                     /* one could not be drawn */
	double at;                      /* stream time of its last (s) */
	double played;                  /* the same from the beginning (s) */
	bool begun;                     /* a frame was drawn */
	double next;                    /* time of the next frame (s) */
	double zero;                    /* stream time at the first frame (s) */
	struct timespec start;          /* wall clock at the first frame */
};

static void
frame(struct stream *v)
{
	const struct pb_show_opts *o = v->o;
	struct pb_tty tty = pb_tty_of(&o->render, stdout);
	double t = v->scene.t;

	if (!v->begun) {
		v->start = pb_pace_now();
		v->zero = t;
		fputs("\033[?25l", stdout); /* no cursor meanwhile */
	} else if (o->speed > 0) {
		pb_pace_wait(v->start, (t - v->zero) / o->speed);
	}
	pb_scene_build_caption(&v->feed);
	say(pb_term_frame(&v->scene, &o->render, &tty, !v->begun, stdout));
	v->begun = true;
	v->next = t + (o->speed > 0 ? o->speed : 1) / FRAMES;
}

/* How long the last picture of the animation is seen (s). */
static double
seen(const struct stream *v)
{
	double pace = v->o->speed > 0 ? v->o->speed : 1;

	if (v->feed.ticks)
		pace *= TICKS;
	return v->drawn ? (v->scene.t - v->at) / pace : INFINITY;
}

/* Before the time goes on: what there is now is a picture, if one is due. What
 * fails does so in the end, too, and is said there. */
static void
animate(struct stream *v)
{
	struct pb_error bad;
	double s = seen(v);

	if (!(v->scene.t > 0) || (s >= 0 && s < 0.999 / PICTURES))
		return;
	v->played += v->drawn ? fmax(s, 1 / PICTURES) : 0;
	v->at = v->scene.t;
	v->drawn = true;
	pb_animation_time(v->animation, v->played);
	v->stuck = show_picture(&v->feed, v->o, v->animation, &bad) != 0;
}

/* Take a record, and draw a frame if one is due and somebody sees it. */
static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct stream *v = f->user;

	if (v->animation && !v->stuck && r->stamp.t != v->scene.t &&
	    isfinite(r->stamp.t))
		animate(v);
	if (v->page
		? !pb_replay_take(v->page, &v->feed, r, f->line.at.file, bad)
		: !pb_scene_build(&v->feed, r, bad))
		return false;
	/* Time that runs backwards is a new run: show it from its start. */
	if (v->begun && v->scene.t < v->next - v->o->speed - 1) {
		v->begun = false;
		v->next = v->scene.t;
	}
	if (v->o->live && v->scene.t > 0 && v->scene.t >= v->next &&
	    isatty(STDOUT_FILENO))
		frame(v);
	return true;
}

/* The final picture, live or not. */
static void
last_frame(struct stream *v)
{
	struct pb_show_opts last = *v->o;
	struct pb_error bad;

	if (v->page) {
		if (pb_replay_close(v->page, &v->feed, &bad) != 0)
			pb_msg_error(&bad);
		last.png = NULL;
	}
	last.render.into = v->animation;
	if (v->animation && v->drawn)
		pb_animation_time(v->animation, v->played + seen(v));
	if (v->begun) {
		frame(v);
		fputs("\n\033[?25h", stdout);
		last.terminal = last.live = false;
	}
	if (v->scene.short_of_memory)
		pb_msg_warn((struct pb_place){0},
		    "out of memory: the picture is not complete");
	pb_show(&v->feed, &last);
}

/* Nothing came: a picture that is there is better than one of nothing. */
static void
refuse_empty(struct stream *v, char *const *files, int n)
{
	struct pb_error none;
	const char *name = n > 1                        ? NULL
	                   : strcmp(files[0], "-") == 0 ? "<stdin>"
	                                                : files[0];

	if (v->page)
		pb_replay_abandon(v->page);
	if (v->animation) /* without a picture it leaves the file, too */
		pb_animation_close(v->animation, &none);
	if (pb_msg_worst() == PB_EXIT_OK && !pb_msg_stopped())
		pb_msg_refuse((struct pb_place){name, 0},
		    "expected records to draw, got none");
}

/* The page or animation, if the file is one; false: it was said why not. */
static bool
open_player(struct stream *v, bool grid)
{
	const struct pb_show_opts *o = v->o;
	struct pb_error bad;

	if (pb_replay_named(o->png))
		v->page = pb_replay_open(o->png, &o->render, grid, &bad);
	else if (pb_animation_named(o->png))
		v->animation = pb_animation_open(o->png, &bad);
	else
		return true;
	return v->page || v->animation || pb_msg_error(&bad);
}

void
pb_show_stream(const struct pb_show_opts *o, const struct pb_opt_common *common,
    char *const *files, int n)
{
	struct stream *s = calloc(1, sizeof(*s));
	struct pb_filter f = {
	    .want = pb_scene_wants, .common = common, .take = take, .user = s};

	if (s == NULL) {
		pb_msg_system("out of memory");
		return;
	}
	s->o = o;
	s->feed.scene = &s->scene;
	if (open_player(s, n > 1)) {
		f.want |= s->page ? PB_REC_BIT(PB_REC_SOUND) : 0;
		pb_filter_run(&f, files, n);
		if (f.seen & f.want)
			last_frame(s);
		else
			refuse_empty(s, files, n);
		pb_scene_clear(&s->scene);
	}
	free(s);
}

/* These records are ours: what is wrong is that memory has run out. */
static void
lack(const struct pb_error *bad)
{
	if (bad->kind != PB_ERROR_MEMORY || !pb_msg_no_memory())
		pb_msg_note("%s", bad->text);
}

static void
feed(struct pb_scene_builder *f, const char *line, size_t n)
{
	struct pb_error bad;
	struct pb_rec r;

	if (!pb_rec_read(line, n, pb_scene_wants, &r, &bad)) {
		lack(&bad);
		return;
	}
	if (!pb_scene_build(f, &r, &bad))
		lack(&bad);
	pb_rec_clear(&r);
}

void
pb_still(const char *records, size_t n)
{
	struct stream *v = calloc(1, sizeof(*v));
	const struct pb_render_opts look = {0};
	struct pb_tty tty = pb_tty_of(&look, stderr);
	enum pb_status st = PB_ENOMEM;

	if (v != NULL) {
		v->feed.scene = &v->scene;
		while (n > 0) {
			const char *end = memchr(records, '\n', n);
			size_t len = end ? (size_t)(end - records) : n - 1;

			feed(&v->feed, records, len);
			records += len + 1;
			n -= len + 1;
		}
		pb_scene_build_caption(&v->feed);
		st = pb_term_draw(&v->scene, &look, &tty, stderr);
		pb_scene_clear(&v->scene);
	}
	if (st == PB_ENOMEM) {
		errno = ENOMEM;
		pb_msg_system("no picture");
	} else if (st != PB_OK)
		pb_msg_note("no picture: %s", pb_status_text(st));
	free(v);
}
