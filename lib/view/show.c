/* show.c - records shown: as pictures, and as a page that plays them. */
#include "view/show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/pool.h"
#include "io/file/filter.h"
#include "io/play/steering.h"
#include "io/stream/file.h"
#include "io/stream/line.h"
#include "io/stream/msg.h"
#include "io/stream/pace.h"
#include "io/stream/text.h"
#include "view/canvas.h"
#include "view/drawing.h"
#include "view/scene.h"
#include "view/term.h"

/* --- a page --- */

/* The page (replay.html); where the record belongs there is a line that says
 * so. */
static const char html[] = {
#include "replay.inc"
    0};
#define PLACE "@RECORD@"

#define FRAME   (1 / 30.0) /* between frames, at least (s) */
#define SCANS   0.33       /* between two scans, at least (s) */
#define GUESSES 0.5        /* the same of beliefs */
#define BACK    1.0        /* a clock that goes back farther began anew (s) */
#define DOTS    1000       /* most dots of a map along a side */
#define POINTS  96         /* most points of a list */

/* Items of a body beside its pose, written when they change. */
enum item { MODE, COV, GOAL, PATH, SCAN, SOLID, CLOUD, GUESS, ITEMS };
static const char *const words[ITEMS] = {
    "mode", "cov", "goal", "path", "scan", "solid", "cloud", "guess"};

struct told_body {
	bool placed;
	int64_t x, y, th;     /* (mm, mrad) */
	uint64_t told[ITEMS]; /* hash of the text, 0: none */
	double when[ITEMS];   /* (s) */
};

struct told_pellet {
	int64_t x, y; /* (mm) */
	bool power, eaten;
};

/* The state of a game last written. */
struct told {
	struct pb_pose corner; /* of the map, with its turn */
	int64_t unit;          /* of points in lists (mm) */
	struct told_body body[PB_SCENE_BODIES];
	size_t bodies;
	struct told_pellet *pellet;
	size_t pellets, pellets_cap;
	size_t marks;
	uint64_t score, state, ring, target; /* hashes */
	struct pb_trial result;
};

/*
 * One HTML file that needs no others: the player's script and the records,
 * frame by frame, each with the changes only. It is written as the records
 * come, so memory is bounded, and appears whole or not at all. A game ends with
 * its result, or where time goes back.
 *
 * Places are in whole millimetres along the map's own axes, from the map's
 * corner; lists of points, such as scans, are coarser and thinned; scans come
 * at most three times a second, beliefs twice.
 */
struct page {
	struct pb_file file;
	const struct pb_render_opts *o;
	struct pb_text frame; /* changes that are not written yet */
	struct pb_text piece; /* of one of them */
	bool outside;         /* the box is beside the map */

	int games;          /* begun up to now */
	bool begun;         /* there is a frame of this game */
	bool timed;         /* there was a time in it */
	bool over;          /* there was its result */
	double now;         /* the latest time (s) */
	double from;        /* time of the frame's first record (s) */
	int64_t ms;         /* time of the last frame (ms) */
	const char *source; /* file of the last record */
	bool new_map;       /* one came since the last frame */
	struct told told;
};

/* --- text --- */

/* Write the text, and empty it. A '<' is escaped: "</script>" would end the
 * script element. */
static void
write_escaped(struct page *p, struct pb_text *o)
{
	for (size_t i = 0; i < o->len; i++)
		if (o->s[i] == '<')
			fputs("\\u003c", p->file.out);
		else
			putc(o->s[i], p->file.out);
	o->len = 0;
}

static void
put_int(struct pb_text *o, int64_t v)
{
	pb_text_puts(o, ",");
	pb_text_int(o, v);
}

static void
put_string(struct pb_text *o, const char *s)
{
	pb_text_puts(o, ",");
	pb_text_string(o, s);
}

/* Write an unsigned number in base 32: five bits a character, lowest first,
 * plus 32 if another character follows. */
static void
put_code(struct pb_text *o, uint64_t v)
{
	static const char digit[] = "0123456789abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_";

	for (; v >= 32; v >>= 5)
		pb_text_put(o, &digit[v % 32 + 32], 1);
	pb_text_put(o, &digit[v], 1);
}

static void
put_signed(struct pb_text *o, int64_t v)
{
	put_code(o, v < 0 ? (uint64_t)-v * 2 - 1 : (uint64_t)v * 2);
}

/* --- numbers --- */

/* Millimetres for the page; numbers outside its range become 1e12 mm. */
static int64_t
whole(double v)
{
	return (int64_t)floor(fmin(fmax(v, -1e12), 1e12) + 0.5);
}

/* In metres along the map's axes. */
static struct pb_vec
local(const struct page *p, struct pb_vec v)
{
	return pb_vec_into(p->told.corner, v);
}

static int64_t
turn(const struct page *p, double th)
{
	return whole(1e3 * pb_wrap(th - p->told.corner.th));
}

static void
put_vec(struct page *p, struct pb_text *o, struct pb_vec v)
{
	v = local(p, v);
	put_int(o, whole(1e3 * v.x));
	put_int(o, whole(1e3 * v.y));
}

static void
put_ellipse(struct page *p, struct pb_text *o, const double cov[3][3])
{
	struct pb_ellipse e = pb_ellipse(cov);

	put_int(o, whole(1e3 * e.long_axis));
	put_int(o, whole(1e3 * e.short_axis));
	put_int(o, turn(p, e.turn));
}

static void
put_points(struct page *p, struct pb_text *o, const struct pb_points *l)
{
	size_t every = l->n / POINTS + 1;
	int64_t x = 0, y = 0;

	pb_text_puts(o, ",\"");
	for (size_t i = 0; i < l->n; i += every) {
		/* The end of a path is where it leads. */
		size_t k = i + every < l->n ? i : l->n - 1;
		struct pb_vec v = local(p, l->at[k]);
		int64_t cx = whole(1e3 * v.x / (double)p->told.unit);
		int64_t cy = whole(1e3 * v.y / (double)p->told.unit);

		if (!isfinite(v.x))
			continue;
		put_signed(o, cx - x);
		put_signed(o, cy - y);
		x = cx;
		y = cy;
	}
	pb_text_puts(o, "\"");
}

/* --- changes since the last frame --- */

static void
put_item(
    struct page *p, struct pb_text *o, const struct pb_body *b, enum item what)
{
	const struct pb_points *const list[ITEMS] = {[PATH] = &b->path,
	    [SCAN] = &b->scan,
	    [SOLID] = &b->solid,
	    [CLOUD] = &b->cloud};

	if (what == MODE && b->mode[0] != '\0') {
		put_string(o, b->mode);
	} else if (what == COV && b->has_cov) {
		put_ellipse(p, o, b->cov);
	} else if (what == GOAL && b->has_goal) {
		put_vec(p, o, b->goal);
	} else if (what == GUESS) {
		for (int i = 0; i < b->guesses; i++) {
			put_vec(p, o, pb_pose_vec(b->guess[i].pose));
			put_int(o, turn(p, b->guess[i].pose.th));
			put_ellipse(p, o, b->guess[i].cov);
		}
	} else if (list[what] != NULL && list[what]->n > 0) {
		put_points(p, o, list[what]);
	}
}

/* Write the piece unless it equals the last one, by its hash. NULL: in any
 * case. */
static void
tell_frame(struct page *p, uint64_t *told)
{
	uint64_t hash = pb_hash_bytes(PB_HASH_START, p->piece.s, p->piece.len);

	if (told == NULL || hash != *told) {
		pb_text_put(&p->frame, p->piece.s, p->piece.len);
		pb_text_puts(&p->frame, "]");
	}
	if (told != NULL)
		*told = hash;
}

/* Begin a piece: a word, and the number that it is about. */
static struct pb_text *
begin(struct page *p, const char *word)
{
	p->piece.len = 0;
	pb_text_puts(&p->piece, ",[\"");
	pb_text_puts(&p->piece, word);
	pb_text_puts(&p->piece, "\"");
	return &p->piece;
}

static void
tell_item(struct page *p, const struct pb_body *b, size_t i, enum item what,
    bool last)
{
	struct told_body *k = &p->told.body[i];
	bool belief = what == CLOUD || what == GUESS;
	double pause = what == SCAN ? SCANS : belief ? GUESSES : 0;
	struct pb_text *o;
	size_t bare;

	if (!last && k->told[what] != 0 && p->now - k->when[what] < pause)
		return;
	o = begin(p, words[what]);
	put_int(o, (int64_t)i);
	bare = o->len;
	put_item(p, o, b, what);
	/* What never was there has not gone. */
	if (o->len == bare && k->told[what] == 0)
		return;
	bare = p->frame.len;
	tell_frame(p, &k->told[what]);
	if (p->frame.len > bare)
		k->when[what] = p->now;
}

static void
tell_new_body(struct page *p, const struct pb_body *b)
{
	struct pb_rgb c = pb_scene_ghost_color(b->id);
	const char letter[2] = {pb_scene_ghost_letter(b->id), '\0'};
	struct pb_text *o = begin(p, "body");
	char text[32];

	put_string(o, b->id);
	put_string(o, pb_body_kinds[b->kind]);
	snprintf(text, sizeof(text), "#%02x%02x%02x", c.r, c.g, c.b);
	put_string(o, text);
	put_string(o, letter);
	tell_frame(p, NULL);
}

/* [body, how far it went, heading unless unknown, 1 after a jump] */
static void
tell_pose(struct page *p, const struct pb_body *b, size_t i)
{
	struct told_body *k = &p->told.body[i];
	struct pb_vec v = local(p, pb_pose_vec(b->pose));
	int64_t x = whole(1e3 * v.x), y = whole(1e3 * v.y);
	int64_t th = isfinite(b->pose.th) ? turn(p, b->pose.th) : k->th;
	const struct pb_points *trail = &b->trail;
	bool jump = trail->n > 1 && !isfinite(trail->at[trail->n - 2].x);

	if (!b->placed || (k->placed && x == k->x && y == k->y && th == k->th))
		return;
	pb_text_puts(&p->frame, ",[");
	pb_text_int(&p->frame, (int64_t)i);
	put_int(&p->frame, x - k->x);
	put_int(&p->frame, y - k->y);
	if (th != k->th || jump)
		put_int(&p->frame, th);
	pb_text_puts(&p->frame, jump ? ",1]" : "]");
	k->placed = true;
	k->x = x;
	k->y = y;
	k->th = th;
}

static void
tell_bodies(struct page *p, const struct pb_scene *s, bool last)
{
	for (size_t i = 0; i < s->bodies; i++) {
		if (i == p->told.bodies) {
			tell_new_body(p, &s->body[i]);
			p->told.bodies++;
		}
		tell_pose(p, &s->body[i], i);
		for (int what = 0; what < ITEMS; what++)
			tell_item(p, &s->body[i], i, (enum item)what, last);
	}
}

/* Write a pellet: place and kind of a new or moved one, the number of one that
 * is gone or back. */
static void
tell_pellet(struct page *p, const struct pb_spot *s, size_t i)
{
	struct told_pellet *k = &p->told.pellet[i];
	struct pb_vec v = local(p, s->at);
	struct told_pellet now = {.x = whole(1e3 * v.x),
	    .y = whole(1e3 * v.y),
	    .power = s->power,
	    .eaten = s->eaten};
	bool same = i < p->told.pellets && now.x == k->x && now.y == k->y &&
	            now.power == k->power;
	struct pb_text *o;

	if (same && now.eaten == k->eaten)
		return;
	o = begin(p, same ? now.eaten ? "eaten" : "back" : "pellet");
	put_int(o, (int64_t)i);
	if (!same) {
		put_int(o, now.x);
		put_int(o, now.y);
		put_int(o, s->id);
		put_int(o, now.power + 2 * now.eaten);
	}
	tell_frame(p, NULL);
	*k = now;
}

static void
tell_pellets(struct page *p, const struct pb_scene *s)
{
	struct told *k = &p->told;

	for (size_t i = 0; i < s->pellets; i++) {
		if (!pb_grow(
			&k->pellet, i, &k->pellets_cap, sizeof(*k->pellet)))
			pb_msg_end_memory();
		tell_pellet(p, &s->pellet[i], i);
		k->pellets = i < k->pellets ? k->pellets : i + 1;
	}
}

/* Write changes that belong to no body. */
static void
tell_rest(struct page *p, const struct pb_scene *s)
{
	static const char *const mark[] = {[PB_SIGN_DEATH] = "died",
	    [PB_SIGN_HOME] = "home",
	    [PB_SIGN_DENIED] = "denied",
	    [PB_SIGN_GUESSED] = "guessed",
	    [PB_SIGN_CUT] = "cut"};
	char text[PB_RING_LEDS * 6 + 1] = "";

	for (; p->told.marks < s->marks; p->told.marks++) {
		struct pb_mark m = s->mark[p->told.marks];

		put_vec(p, begin(p, mark[m.kind]), m.at);
		if (m.by)
			put_int(&p->piece, m.by - s->body);
		tell_frame(p, NULL);
	}
	for (int i = 0; i < PB_RING_LEDS; i++)
		snprintf(text + 6 * i, 7, "%02x%02x%02x", s->ring.led[i].r,
		    s->ring.led[i].g, s->ring.led[i].b);
	put_string(begin(p, "ring"), text);
	if (s->has_ring)
		tell_frame(p, &p->told.ring);
	put_int(begin(p, "target"), s->has_target ? s->target : -1);
	if (s->has_target || p->told.target != 0)
		tell_frame(p, &p->told.target);
}

/* --- the map --- */

/* ["map", columns, rows, side of a dot and its lower left corner (mm), runs of
 * dots, the top row first: the length times PB_DOTS and what it is] */
static void
tell_map(struct page *p, const struct pb_scene *s, const struct pb_viewport *v)
{
	struct pb_text *o = &p->frame;
	size_t n = (size_t)v->width * (size_t)v->height;
	unsigned char *dot = pb_alloc(n, 1);

	pb_viewport_shrink(v, s->map, dot);
	pb_text_puts(o, ",[\"map\"");
	put_int(o, v->width);
	put_int(o, v->height);
	pb_text_puts(o, ",");
	pb_text_exact(o, 1e3 * pb_viewport_metres(v));
	put_int(o, whole(1e3 * v->col0 * v->resolution));
	put_int(o, whole(1e3 * v->row0 * v->resolution));
	pb_text_puts(o, ",\"");
	for (size_t i = 0, k; i < n; i = k) {
		for (k = i + 1; k < n && dot[k] == dot[i]; k++)
			;
		put_code(o, PB_DOTS * (k - i) + dot[i]);
	}
	pb_text_puts(o, "\"]");
	free(dot);
}

/* The first map of a game says where its corner is and how fine it is. */
static void
place_map(struct page *p, const struct pb_scene *s)
{
	struct pb_viewport v;
	double side;

	if (!p->new_map && p->begun)
		return;
	if (!pb_viewport_window(s, p->o, &v)) {
		p->outside = true;
		return;
	}
	pb_viewport_fit(&v, DOTS, DOTS, 1, 1);
	side = pb_viewport_metres(&v) * fmax(v.width, v.height);
	if (!p->begun) {
		p->told.corner = s->map ? s->map->origin : (struct pb_pose){0};
		p->told.unit = whole(fmin(fmax(side, 1), 1e6));
	}
	if (s->map != NULL)
		tell_map(p, s, &v);
	p->new_map = false;
}

/* --- frames and games --- */

/* Write what has changed until now: [milliseconds since the last, change ...]
 */
static void
flush(struct page *p, const struct pb_scene *s, bool last)
{
	int64_t ms = whole(1e3 * p->now);

	place_map(p, s);
	tell_bodies(p, s, last);
	tell_pellets(p, s);
	tell_rest(p, s);
	if (p->frame.len == 0)
		return;
	if (!p->begun)
		fprintf(
		    p->file.out, "%s\n{\"frames\":[", p->games++ ? "," : "");
	fprintf(p->file.out, "%s\n[%lld", p->begun ? "," : "",
	    (long long)(ms - p->ms));
	write_escaped(p, &p->frame);
	fputs("]", p->file.out);
	p->ms = ms;
	p->begun = true;
}

/* A member of what a game was; without text it has none. */
static void
put_member(struct pb_text *o, const char *name, const char *text)
{
	if (text[0] == '\0')
		return;
	put_string(o, name);
	pb_text_puts(o, ":");
	pb_text_string(o, text);
}

static void
put_number(struct pb_text *o, const char *name, double value)
{
	put_string(o, name);
	pb_text_puts(o, ":");
	pb_text_num(o, value);
}

/* The game is over: write its last frame, and what it was. */
static void
end_game(struct page *p, const struct pb_scene *s)
{
	const struct pb_trial *t = &p->told.result;
	struct pb_text *o = &p->piece;

	flush(p, s, true);
	if (!p->begun)
		return;
	o->len = 0;
	put_member(o, "name", p->o->title ? p->o->title : s->title);
	put_member(o, "source", p->source);
	put_member(o, "rules", t->rules);
	put_member(o, "player", t->policy);
	put_member(o, "outcome", t->outcome);
	if (s->outcome[0] != '\0' && fabs(s->took - s->t) >= 0.05)
		put_number(o, "took", s->took);
	if (p->over && s->collected >= 0 && s->total > 0) {
		put_number(o, "had", s->collected);
		put_number(o, "all", s->total);
	}
	put_number(o, "unit", (double)p->told.unit);
	put_number(o, "trail", s->game ? p->o->trail : 0);
	if (p->over)
		put_number(o, "round", t->round);
	else if (s->has_state)
		put_number(o, "round", (double)s->state.round);
	if (s->board.rows > 0)
		put_number(o, "side", 1e3 * s->board.pitch);
	if (s->ticks)
		put_number(o, "ticks", 1);
	pb_text_puts(o, "}");
	fputs("]", p->file.out);
	write_escaped(p, o);
}

/* Another game begins with r, in a world of its own or in the same one. */
static void
next_game(struct page *p, struct pb_scene *s, const struct pb_rec *r)
{
	struct told_pellet *pellet = p->told.pellet;
	size_t room = p->told.pellets_cap;
	bool world = r->type == PB_REC_MAP || r->type == PB_REC_MAZE;

	end_game(p, s);
	p->told = (struct told){.pellet = pellet, .pellets_cap = room};
	p->begun = p->timed = p->over = false;
	p->new_map = true;
	p->ms = 0;
	p->now = 0;
	s->marks = 0;
	if (world)
		pb_scene_clear(s);
}

/* Whether r begins another game. A header has no time; a map with a time is an
 * update within the game. */
static bool
is_next(const struct page *p, const struct pb_rec *r)
{
	bool world = r->type == PB_REC_MAP || r->type == PB_REC_MAZE;

	if (!p->timed)
		return false;
	if (p->over && (world || r->type == PB_REC_PELLETS ||
			   r->type == PB_REC_TICK || r->type == PB_REC_STATE))
		return true;
	return (world && !isfinite(r->stamp.t)) || r->stamp.t < p->now - BACK;
}

/* Time passes: write the changes up to now as a frame. */
static void
pass_record(struct page *p, const struct pb_scene *s, double t)
{
	if (!isfinite(t))
		return;
	if (p->timed && t - p->from >= FRAME) {
		flush(p, s, false);
		p->from = t;
	} else if (!p->timed) {
		p->from = t;
	}
	p->timed = true;
	p->now = fmax(p->now, t);
}

/* What no scene remembers. */
static void
note_record(struct page *p, const struct pb_rec *r)
{
	const struct pb_rec_event *e = &r->event;
	struct pb_text *o;

	if (r->type == PB_REC_TICK && r->tick.score >= 0) {
		o = begin(p, "score");
		put_int(o, r->tick.score);
		put_int(o, r->tick.lives);
		put_int(o, r->tick.level);
		tell_frame(p, &p->told.score);
	} else if (r->type == PB_REC_STATE) {
		o = begin(p, "state");
		put_string(o, r->state.state);
		put_int(o, r->state.score);
		tell_frame(p, &p->told.state);
	} else if (r->type == PB_REC_EVENT || r->type == PB_REC_SOUND) {
		o = begin(p, r->type == PB_REC_SOUND ? "tune" : "event");
		put_string(o, e->name);
		for (int i = 0; i < e->notes && r->type == PB_REC_SOUND; i++) {
			put_int(o, whole(e->note[i].hz));
			put_int(o, whole(1e3 * e->note[i].s));
		}
		tell_frame(p, NULL);
	} else if (r->type == PB_REC_RESULT) {
		p->told.result = r->result.trial;
		p->told.result.settings = (struct pb_settings){NULL, 0};
		p->over = true;
	}
	p->new_map |= r->type == PB_REC_MAP || r->type == PB_REC_MAZE;
}

/*
 * Given    o     title, box, whole, hide; kept by the caller
 *          grid  games are first shown side by side
 * Returns  a page for page_close, NULL with bad filled in
 */
static struct page *
page_open(const char *path, const struct pb_render_opts *o, bool grid,
    struct pb_error *bad)
{
	struct page *p = pb_alloc(1, sizeof(*p));
	const char *place = strstr(html, PLACE);

	if (pb_file_create(path, &p->file, bad) != 0) {
		free(p);
		return NULL;
	}
	p->o = o;
	p->source = "";
	p->new_map = true;
	fwrite(html, 1, (size_t)(place - html), p->file.out);
	fprintf(p->file.out, "{\"grid\":%d,\"hide\":[%s],\"games\":[", grid,
	    o->hide & PB_HIDE_TRAILS ? "\"trails\"" : "");
	return p;
}

/* Free p and leave the file as it was. */
static void
page_abandon(struct page *p)
{
	pb_file_abandon(&p->file);
	pb_text_clear(&p->frame);
	pb_text_clear(&p->piece);
	free(p->told.pellet);
	free(p);
}

/* Write the last frame and the file's end, and free p. False with bad filled
 * in: the file is removed. */
static bool
page_close(struct page *p, struct pb_scene *s, struct pb_error *bad)
{
	const char *rest = strstr(html, PLACE) + strlen(PLACE);
	bool ok = false;

	end_game(p, s);
	fputs("]}", p->file.out);
	fputs(rest, p->file.out);
	if (p->outside)
		pb_error_file(bad, p->file.path, 0, "",
		    "nothing of the map lies in the box");
	else
		ok = pb_file_finish(&p->file, bad) == 0;
	page_abandon(p);
	return ok;
}

/* --- pictures --- */

bool
pb_replay_named(const char *path)
{
	return path != NULL && pb_file_has_suffix(path, ".html");
}

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

/* Draw s; print a note about things that are not drawn. */
static void
draw(const struct pb_scene *s, const struct pb_render_opts *o,
    enum pb_frame frame)
{
	struct pb_tty t = pb_tty_of(o, stdout);

	if (!pb_term_draw(s, o, &t, frame, stdout))
		pb_msg_refuse((struct pb_place){0},
		    "--box: nothing of the map lies in it");
}

/* Into the file, which may be a page that shows one frame. */
static bool
show_file(
    struct pb_scene *s, const struct pb_show_opts *o, struct pb_error *bad)
{
	struct page *page;

	if (!pb_replay_named(o->png))
		return pb_plot(s, &o->render, o->png, bad) == 0;
	page = page_open(o->png, &o->render, false, bad);
	return page && page_close(page, s, bad);
}

void
pb_show(struct pb_scene *s, const struct pb_show_opts *o)
{
	struct pb_error bad;

	pb_scene_build_caption(s);
	if (o->png != NULL && !show_file(s, o, &bad))
		pb_msg_error(&bad);
	else if (o->terminal || o->live)
		draw(s, &o->render, PB_FRAME_TEXT);
}

/* Frames a second of live pictures. */
#define FRAMES 20.0

/* A stream that is being shown. */
struct stream {
	const struct pb_show_opts *o;
	struct pb_scene scene;
	struct page *page;     /* that plays it, NULL: none */
	bool begun;            /* a frame was drawn */
	double next;           /* time of the next frame (s) */
	double zero;           /* stream time at the first frame (s) */
	struct timespec start; /* wall clock at the first frame */
};

static void
frame(struct stream *v)
{
	const struct pb_show_opts *o = v->o;
	double t = v->scene.t;

	if (!v->begun) {
		v->start = pb_pace_now();
		v->zero = t;
		fputs("\033[?25l", stdout); /* no cursor meanwhile */
	} else if (o->speed > 0) {
		pb_pace_wait(v->start, (t - v->zero) / o->speed);
	}
	pb_scene_build_caption(&v->scene);
	draw(&v->scene, &o->render, v->begun ? PB_FRAME_NEXT : PB_FRAME_FIRST);
	v->begun = true;
	v->next = t + (o->speed > 0 ? o->speed : 1) / FRAMES;
}

/* Process a record, and draw a frame if one is due and visible. */
static bool
take_record(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct stream *v = f->user;
	struct page *p = v->page;

	(void)bad;
	if (p && is_next(p, r))
		next_game(p, &v->scene, r);
	if (p) {
		pass_record(p, &v->scene, r->stamp.t);
		p->source = f->line.at.file;
		note_record(p, r);
	}
	pb_scene_build(&v->scene, r);
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
		if (!page_close(v->page, &v->scene, &bad))
			pb_msg_error(&bad);
		last.png = NULL;
	}
	if (v->begun) {
		frame(v);
		fputs("\n\033[?25h", stdout);
		last.terminal = last.live = false;
	}
	pb_show(&v->scene, &last);
}

/* Nothing came: a picture that is there is better than one of nothing. */
static void
refuse_empty(struct stream *v, char *const *files, int n)
{
	const char *name = n > 1                        ? NULL
	                   : strcmp(files[0], "-") == 0 ? "<stdin>"
	                                                : files[0];

	if (v->page)
		page_abandon(v->page);
	if (pb_msg_worst() == PB_EXIT_OK && !pb_msg_stopped())
		pb_msg_refuse((struct pb_place){name, 0},
		    "expected records to draw, got none");
}

/* The page, if the file is one; false: a message was printed why not. */
static bool
open_page(struct stream *v, bool grid)
{
	const struct pb_show_opts *o = v->o;
	struct pb_error bad;

	if (!pb_replay_named(o->png))
		return true;
	v->page = page_open(o->png, &o->render, grid, &bad);
	return v->page || pb_msg_error(&bad);
}

void
pb_show_stream(const struct pb_show_opts *o, const struct pb_opt_common *common,
    char *const *files, int n)
{
	struct stream *s = pb_alloc(1, sizeof(*s));
	struct pb_filter f = {.want = pb_scene_wants(),
	    .common = common,
	    .take = take_record,
	    .user = s};

	s->o = o;
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

void
pb_still(const char *records, size_t n)
{
	struct pb_scene *s = pb_alloc(1, sizeof(*s));
	const struct pb_render_opts look = {.trail = PB_RENDER_TRAIL};
	struct pb_tty tty = pb_tty_of(&look, stderr);
	struct pb_error bad;
	struct pb_rec r;

	while (n > 0) {
		const char *end = memchr(records, '\n', n);
		size_t len = end ? (size_t)(end - records) : n - 1;

		if (pb_rec_read(records, len, pb_scene_wants(), &r, &bad)) {
			pb_scene_build(s, &r);
			pb_rec_clear(&r);
		} else {
			pb_msg_note("%s", bad.text);
		}
		records += len + 1;
		n -= len + 1;
	}
	pb_scene_build_caption(s);
	pb_term_draw(s, &look, &tty, PB_FRAME_TEXT, stderr);
	pb_scene_clear(s);
	free(s);
}
