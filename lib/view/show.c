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
#include "view/drawing.h"
#include "view/replay.h"
#include "view/scene.h"
#include "view/term.h"

/* Frames a second of live pictures. */
#define FRAMES 20.0

bool
pb_show_named(const char *name)
{
	return pb_replay_named(name) || pb_drawing_named(name);
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

/* Into the file, which may be a page that shows one frame. */
static int
show_file(struct pb_scene_builder *b, const struct pb_show_opts *o,
    struct pb_error *f)
{
	struct pb_replay *page;

	if (!pb_replay_named(o->png))
		return pb_plot(b->scene, &o->render, o->png, f);
	page = pb_replay_open(o->png, &o->render, false, f);
	return page ? pb_replay_close(page, b, f) : -1;
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
	struct pb_replay *page; /* that plays it, NULL: none */
	bool begun;             /* a frame was drawn */
	double next;            /* time of the next frame (s) */
	double zero;            /* stream time at the first frame (s) */
	struct timespec start;  /* wall clock at the first frame */
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

/* Take a record, and draw a frame if one is due and somebody sees it. */
static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct stream *v = f->user;

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
	const char *name = n > 1                        ? NULL
	                   : strcmp(files[0], "-") == 0 ? "<stdin>"
	                                                : files[0];

	if (v->page)
		pb_replay_abandon(v->page);
	if (pb_msg_worst() == PB_EXIT_OK && !pb_msg_stopped())
		pb_msg_refuse((struct pb_place){name, 0},
		    "expected records to draw, got none");
}

/* The page, if the file is one; false: it was said why not. */
static bool
open_page(struct stream *v, bool grid)
{
	const struct pb_show_opts *o = v->o;
	struct pb_error bad;

	if (!pb_replay_named(o->png))
		return true;
	v->page = pb_replay_open(o->png, &o->render, grid, &bad);
	return v->page || pb_msg_error(&bad);
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
	if (open_page(s, n > 1)) {
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
