/* show.c - pictures for tools: options, a scene shown, a stream shown. */
#include "view/show.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "io/file/filter.h"
#include "io/stream/msg.h"
#include "io/stream/pace.h"
#include "view/plot.h"
#include "view/scene_builder.h"
#include "view/term.h"

/* Frames a second of live pictures. */
#define FRAMES 20.0

struct pb_show_opts
pb_show_defaults(void)
{
	return (struct pb_show_opts){
	    .render = pb_render_defaults(), .speed = 1};
}

bool
pb_show_asked(const struct pb_show_opts *o)
{
	return o->terminal || o->live || o->png != NULL;
}

bool
pb_show_box(void *to, const char *arg, struct pb_error *bad)
{
	if (pb_render_box(arg, to))
		return true;
	return pb_error_set(bad,
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
draw_file(const struct pb_scene *s, const struct pb_show_opts *o)
{
	struct pb_error f = {0};

	if (pb_plot(s, &o->render, o->png, &f) == 0)
		return true;
	pb_msg_error(&f);
	return false;
}

bool
pb_show(const struct pb_scene *s, const struct pb_show_opts *o)
{
	struct pb_tty t;

	if (o->png != NULL && !draw_file(s, o))
		return false;
	if (!o->terminal && !o->live)
		return true;
	t = pb_tty_of(&o->render, stdout);
	return say(pb_term_draw(s, &o->render, &t, stdout));
}

static void
frame(
    struct pb_live *v, struct pb_scene_builder *f, const struct pb_show_opts *o)
{
	double t = f->scene->t;
	struct pb_tty tty = pb_tty_of(&o->render, stdout);

	if (!v->begun) {
		v->start = pb_pace_now();
		v->zero = t;
		fputs("\033[?25l", stdout); /* no cursor meanwhile */
	} else if (o->speed > 0) {
		pb_pace_wait(v->start, (t - v->zero) / o->speed);
	}
	pb_scene_build_caption(f);
	say(pb_term_frame(f->scene, &o->render, &tty, !v->begun, stdout));
	v->begun = true;
	v->next = t + (o->speed > 0 ? o->speed : 1) / FRAMES;
}

void
pb_live_step(
    struct pb_live *v, struct pb_scene_builder *f, const struct pb_show_opts *o)
{
	/* Time that runs backwards is a new run: show it from its start. */
	if (v->begun && f->scene->t < v->next - o->speed - 1) {
		v->begun = false;
		v->next = f->scene->t;
	}
	if (o->live && f->scene->t > 0 && f->scene->t >= v->next &&
	    isatty(STDOUT_FILENO))
		frame(v, f, o);
}

bool
pb_live_end(
    struct pb_live *v, struct pb_scene_builder *f, const struct pb_show_opts *o)
{
	struct pb_show_opts last = *o;

	pb_scene_build_caption(f);
	if (v->begun) {
		frame(v, f, o);
		fputs("\n\033[?25h", stdout);
		last.terminal = last.live = false;
	}
	if (f->scene->short_of_memory)
		pb_msg_warn((struct pb_place){0},
		    "out of memory: the picture is not complete");
	return pb_show(f->scene, &last);
}

/* A stream that is being shown. */
struct stream {
	const struct pb_show_opts *o;
	struct pb_scene scene;
	struct pb_scene_builder feed;
	struct pb_live live;
};

static bool
take(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct stream *s = f->user;

	if (!pb_scene_build(&s->feed, r, bad))
		return false;
	pb_live_step(&s->live, &s->feed, s->o);
	return true;
}

bool
pb_show_stream(const struct pb_show_opts *o, const struct pb_opt_common *common,
    char *const *files, int n)
{
	struct stream *s = calloc(1, sizeof(*s));
	struct pb_filter f = {
	    .want = pb_scene_wants, .common = common, .take = take, .user = s};
	bool ok;

	if (s == NULL) {
		pb_msg_system("out of memory");
		return false;
	}
	s->o = o;
	s->feed.scene = &s->scene;
	ok = pb_filter_run(&f, files, n);
	ok = pb_live_end(&s->live, &s->feed, o) && ok;
	pb_filter_clear(&f);
	pb_scene_clear(&s->scene);
	free(s);
	return ok;
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

/* The line at the beginning of s, without its end. */
static size_t
line_length(const char *s, size_t n)
{
	const char *end = memchr(s, '\n', n);

	return end != NULL ? (size_t)(end - s) : n - 1;
}

void
pb_still(const char *records, size_t n, FILE *f)
{
	struct pb_scene *s = calloc(1, sizeof(*s));
	struct pb_scene_builder *v = calloc(1, sizeof(*v));
	const struct pb_render_opts look = pb_render_defaults();
	struct pb_tty tty = pb_tty_of(&look, f);
	enum pb_status st = PB_ENOMEM;

	if (s != NULL && v != NULL) {
		v->scene = s;
		while (n > 0) {
			size_t len = line_length(records, n);

			feed(v, records, len);
			records += len + 1;
			n -= len + 1;
		}
		pb_scene_build_caption(v);
		st = pb_term_draw(s, &look, &tty, f);
		pb_scene_clear(s);
	}
	if (st == PB_ENOMEM) {
		errno = ENOMEM;
		pb_msg_system("no picture");
	} else if (st != PB_OK)
		pb_msg_note("no picture: %s", pb_status_text(st));
	free(s);
	free(v);
}
