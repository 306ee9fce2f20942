/* show.c - show records: as pictures, as an HTML page that plays them, and to a
 * person who plays at the terminal. */
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

/* --- the HTML page --- */

/* The page (replay.html); the line PLACE is replaced by the records. */
static const char html[] = {
#include "replay.inc"
    0};
#define PLACE "@RECORD@"

#define FRAME   (1 / 30.0) /* least time between frames (s) */
#define SCANS   0.33       /* least time between two scans (s) */
#define GUESSES 0.5        /* least time between two beliefs (s) */
#define BACK    1.0        /* a clock that goes back by more was reset (s) */
#define DOTS    1000       /* most dots of a map along a side */
#define POINTS  96         /* most points of a list */

/* Items of a body besides its pose, written when they change. */
enum item { MODE, COV, GOAL, PATH, SCAN, SOLID, CLOUD, GUESS, ITEMS };
static const char *const words[ITEMS] = {
    "mode", "cov", "goal", "path", "scan", "solid", "cloud", "guess"};

struct told_body {
	bool placed;
	int64_t x, y, th;     /* (mm, mrad) */
	uint64_t told[ITEMS]; /* hash of the item last written, 0: none */
	double when[ITEMS];   /* when it was written (s) */
};

struct told_pellet {
	int64_t x, y; /* (mm) */
	bool power, eaten;
};

/* What was last written of a game. */
struct told {
	struct pb_pose corner; /* of the map, with its rotation */
	int64_t unit;          /* resolution of points in lists (mm) */
	struct told_body body[PB_SCENE_BODIES];
	size_t bodies;
	struct told_pellet *pellet;
	size_t pellets, pellets_cap;
	size_t marks;
	uint64_t score, state, ring, target; /* hashes */
	struct pb_trial result;
};

/*
 * An HTML page that needs no other files: the player's script and the records
 * as frames, each with the changes only. It is written while records come, so
 * memory is bounded, and as a whole or not at all. A game ends with its result,
 * or when time goes back.
 *
 * Places are in whole millimetres along the map's axes, from the map's corner;
 * lists of points, such as scans, are coarser and thinned; scans are written at
 * most three times a second, beliefs twice.
 */
struct page {
	struct pb_file file;
	const struct pb_render_opts *o;
	struct pb_text frame; /* changes not yet written */
	struct pb_text piece; /* the change being composed */
	bool outside;         /* the box is outside of the map */

	int games;          /* begun so far */
	bool begun;         /* a frame of this game was written */
	bool timed;         /* a record of it had a time */
	bool over;          /* its result came */
	double now;         /* latest time (s) */
	double from;        /* time of the current frame's first record (s) */
	int64_t ms;         /* time of the last frame (ms) */
	const char *source; /* file of the last record */
	bool new_map;       /* a map came since the last frame */
	struct told told;
};

/* --- text --- */

/* Write the text to the file and empty it. '<' is escaped, as "</script>" would
 * end the script element. */
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
add_int(struct pb_text *o, int64_t v)
{
	pb_text_puts(o, ",");
	pb_text_int(o, v);
}

static void
add_string(struct pb_text *o, const char *s)
{
	pb_text_puts(o, ",");
	pb_text_string(o, s);
}

/* Add an unsigned number in base 32: five bits a character, lowest first, plus
 * 32 if another character follows. */
static void
add_code(struct pb_text *o, uint64_t v)
{
	static const char digit[] = "0123456789abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_";

	for (; v >= 32; v >>= 5)
		pb_text_put(o, &digit[v % 32 + 32], 1);
	pb_text_put(o, &digit[v], 1);
}

static void
add_signed(struct pb_text *o, int64_t v)
{
	add_code(o, v < 0 ? (uint64_t)-v * 2 - 1 : (uint64_t)v * 2);
}

/* --- numbers --- */

/* Convert to whole mm; numbers beyond 1e12 mm become 1e12. */
static int64_t
to_whole(double v)
{
	return (int64_t)floor(fmin(fmax(v, -1e12), 1e12) + 0.5);
}

/* Convert to metres along the map's axes, from its corner. */
static struct pb_vec
to_map_axes(const struct page *p, struct pb_vec v)
{
	return pb_vec_into(p->told.corner, v);
}

static int64_t
to_map_angle(const struct page *p, double th)
{
	return to_whole(1e3 * pb_wrap(th - p->told.corner.th));
}

static void
add_vec(struct page *p, struct pb_text *o, struct pb_vec v)
{
	v = to_map_axes(p, v);
	add_int(o, to_whole(1e3 * v.x));
	add_int(o, to_whole(1e3 * v.y));
}

static void
add_ellipse(struct page *p, struct pb_text *o, const double cov[3][3])
{
	struct pb_ellipse e = pb_ellipse(cov);

	add_int(o, to_whole(1e3 * e.long_axis));
	add_int(o, to_whole(1e3 * e.short_axis));
	add_int(o, to_map_angle(p, e.turn));
}

static void
add_points(struct page *p, struct pb_text *o, const struct pb_points *l)
{
	size_t every = l->n / POINTS + 1;
	int64_t x = 0, y = 0;

	pb_text_puts(o, ",\"");
	for (size_t i = 0; i < l->n; i += every) {
		/* Always keep the last point: the end of a path. */
		size_t k = i + every < l->n ? i : l->n - 1;
		struct pb_vec v = to_map_axes(p, l->at[k]);
		int64_t cx = to_whole(1e3 * v.x / (double)p->told.unit);
		int64_t cy = to_whole(1e3 * v.y / (double)p->told.unit);

		if (!isfinite(v.x))
			continue;
		add_signed(o, cx - x);
		add_signed(o, cy - y);
		x = cx;
		y = cy;
	}
	pb_text_puts(o, "\"");
}

/* --- changes since the last frame --- */

static void
add_item(
    struct page *p, struct pb_text *o, const struct pb_body *b, enum item what)
{
	const struct pb_points *const list[ITEMS] = {[PATH] = &b->path,
	    [SCAN] = &b->scan,
	    [SOLID] = &b->solid,
	    [CLOUD] = &b->cloud};

	if (what == MODE && b->mode[0] != '\0') {
		add_string(o, b->mode);
	} else if (what == COV && b->has_cov) {
		add_ellipse(p, o, b->cov);
	} else if (what == GOAL && b->has_goal) {
		add_vec(p, o, b->goal);
	} else if (what == GUESS) {
		for (int i = 0; i < b->guesses; i++) {
			add_vec(p, o, pb_pose_vec(b->guess[i].pose));
			add_int(o, to_map_angle(p, b->guess[i].pose.th));
			add_ellipse(p, o, b->guess[i].cov);
		}
	} else if (list[what] != NULL && list[what]->n > 0) {
		add_points(p, o, list[what]);
	}
}

/* Add the change to the frame unless its hash equals *told; NULL: always. */
static void
add_change(struct page *p, uint64_t *told)
{
	uint64_t hash = pb_hash_bytes(PB_HASH_START, p->piece.s, p->piece.len);

	if (told == NULL || hash != *told) {
		pb_text_put(&p->frame, p->piece.s, p->piece.len);
		pb_text_puts(&p->frame, "]");
	}
	if (told != NULL)
		*told = hash;
}

/* Begin a change: a word, then its numbers. */
static struct pb_text *
begin_change(struct page *p, const char *word)
{
	p->piece.len = 0;
	pb_text_puts(&p->piece, ",[\"");
	pb_text_puts(&p->piece, word);
	pb_text_puts(&p->piece, "\"");
	return &p->piece;
}

static void
add_item_change(struct page *p, const struct pb_body *b, size_t i,
    enum item what, bool last)
{
	struct told_body *k = &p->told.body[i];
	bool belief = what == CLOUD || what == GUESS;
	double pause = what == SCAN ? SCANS : belief ? GUESSES : 0;
	struct pb_text *o;
	size_t bare;

	if (!last && k->told[what] != 0 && p->now - k->when[what] < pause)
		return;
	o = begin_change(p, words[what]);
	add_int(o, (int64_t)i);
	bare = o->len;
	add_item(p, o, b, what);
	/* An item that was never written needs no removal. */
	if (o->len == bare && k->told[what] == 0)
		return;
	bare = p->frame.len;
	add_change(p, &k->told[what]);
	if (p->frame.len > bare)
		k->when[what] = p->now;
}

static void
add_body(struct page *p, const struct pb_body *b)
{
	struct pb_rgb c = pb_scene_ghost_color(b->id);
	const char letter[2] = {pb_scene_ghost_letter(b->id), '\0'};
	struct pb_text *o = begin_change(p, "body");
	char text[32];

	add_string(o, b->id);
	add_string(o, pb_body_kinds[b->kind]);
	snprintf(text, sizeof(text), "#%02x%02x%02x", c.r, c.g, c.b);
	add_string(o, text);
	add_string(o, letter);
	add_change(p, NULL);
}

/* Add [body, displacement, heading unless unknown, 1 after a jump]. */
static void
add_pose_change(struct page *p, const struct pb_body *b, size_t i)
{
	struct told_body *k = &p->told.body[i];
	struct pb_vec v = to_map_axes(p, pb_pose_vec(b->pose));
	int64_t x = to_whole(1e3 * v.x), y = to_whole(1e3 * v.y);
	int64_t th = isfinite(b->pose.th) ? to_map_angle(p, b->pose.th) : k->th;
	const struct pb_points *trail = &b->trail;
	bool jump = trail->n > 1 && !isfinite(trail->at[trail->n - 2].x);

	if (!b->placed || (k->placed && x == k->x && y == k->y && th == k->th))
		return;
	pb_text_puts(&p->frame, ",[");
	pb_text_int(&p->frame, (int64_t)i);
	add_int(&p->frame, x - k->x);
	add_int(&p->frame, y - k->y);
	if (th != k->th || jump)
		add_int(&p->frame, th);
	pb_text_puts(&p->frame, jump ? ",1]" : "]");
	k->placed = true;
	k->x = x;
	k->y = y;
	k->th = th;
}

static void
add_body_changes(struct page *p, const struct pb_scene *s, bool last)
{
	for (size_t i = 0; i < s->bodies; i++) {
		if (i == p->told.bodies) {
			add_body(p, &s->body[i]);
			p->told.bodies++;
		}
		add_pose_change(p, &s->body[i], i);
		for (int what = 0; what < ITEMS; what++)
			add_item_change(
			    p, &s->body[i], i, (enum item)what, last);
	}
}

/* Add a pellet: place and kind of a new or moved one, the index of one that is
 * gone or back. */
static void
add_pellet_change(struct page *p, const struct pb_spot *s, size_t i)
{
	struct told_pellet *k = &p->told.pellet[i];
	struct pb_vec v = to_map_axes(p, s->at);
	struct told_pellet now = {.x = to_whole(1e3 * v.x),
	    .y = to_whole(1e3 * v.y),
	    .power = s->power,
	    .eaten = s->eaten};
	bool same = i < p->told.pellets && now.x == k->x && now.y == k->y &&
	            now.power == k->power;
	struct pb_text *o;

	if (same && now.eaten == k->eaten)
		return;
	o = begin_change(p, same ? now.eaten ? "eaten" : "back" : "pellet");
	add_int(o, (int64_t)i);
	if (!same) {
		add_int(o, now.x);
		add_int(o, now.y);
		add_int(o, s->id);
		add_int(o, now.power + 2 * now.eaten);
	}
	add_change(p, NULL);
	*k = now;
}

static void
add_pellet_changes(struct page *p, const struct pb_scene *s)
{
	struct told *k = &p->told;

	for (size_t i = 0; i < s->pellets; i++) {
		if (!pb_grow(
			&k->pellet, i, &k->pellets_cap, sizeof(*k->pellet)))
			pb_msg_end_memory();
		add_pellet_change(p, &s->pellet[i], i);
		k->pellets = i < k->pellets ? k->pellets : i + 1;
	}
}

/* Add changes that belong to no body. */
static void
add_other_changes(struct page *p, const struct pb_scene *s)
{
	static const char *const mark[] = {[PB_SIGN_DEATH] = "died",
	    [PB_SIGN_HOME] = "home",
	    [PB_SIGN_DENIED] = "denied",
	    [PB_SIGN_GUESSED] = "guessed",
	    [PB_SIGN_CUT] = "cut"};
	char text[PB_RING_LEDS * 6 + 1] = "";

	for (; p->told.marks < s->marks; p->told.marks++) {
		struct pb_mark m = s->mark[p->told.marks];

		add_vec(p, begin_change(p, mark[m.kind]), m.at);
		if (m.by)
			add_int(&p->piece, m.by - s->body);
		add_change(p, NULL);
	}
	for (int i = 0; i < PB_RING_LEDS; i++)
		snprintf(text + 6 * i, 7, "%02x%02x%02x", s->ring.led[i].r,
		    s->ring.led[i].g, s->ring.led[i].b);
	add_string(begin_change(p, "ring"), text);
	if (s->has_ring)
		add_change(p, &p->told.ring);
	add_int(begin_change(p, "target"), s->has_target ? s->target : -1);
	if (s->has_target || p->told.target != 0)
		add_change(p, &p->told.target);
}

/* --- the map --- */

/* Add ["map", columns, rows, side of a dot and its lower left corner (mm), runs
 * of dots, top row first: length * PB_DOTS + kind]. */
static void
add_map(struct page *p, const struct pb_scene *s, const struct pb_viewport *v)
{
	struct pb_text *o = &p->frame;
	size_t n = (size_t)v->width * (size_t)v->height;
	unsigned char *dot = pb_alloc(n, 1);

	pb_viewport_shrink(v, s->map, dot);
	pb_text_puts(o, ",[\"map\"");
	add_int(o, v->width);
	add_int(o, v->height);
	pb_text_puts(o, ",");
	pb_text_exact(o, 1e3 * pb_viewport_metres(v));
	add_int(o, to_whole(1e3 * v->col0 * v->resolution));
	add_int(o, to_whole(1e3 * v->row0 * v->resolution));
	pb_text_puts(o, ",\"");
	for (size_t i = 0, k; i < n; i = k) {
		for (k = i + 1; k < n && dot[k] == dot[i]; k++)
			;
		add_code(o, PB_DOTS * (k - i) + dot[i]);
	}
	pb_text_puts(o, "\"]");
	free(dot);
}

/* The first map of a game sets its corner and resolution. */
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
		p->told.unit = to_whole(fmin(fmax(side, 1), 1e6));
	}
	if (s->map != NULL)
		add_map(p, s, &v);
	p->new_map = false;
}

/* --- frames and games --- */

/* Write the changes so far: [milliseconds since the last frame, change ...] */
static void
write_frame(struct page *p, const struct pb_scene *s, bool last)
{
	int64_t ms = to_whole(1e3 * p->now);

	place_map(p, s);
	add_body_changes(p, s, last);
	add_pellet_changes(p, s);
	add_other_changes(p, s);
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

/* Add a member about the game; not if text is empty. */
static void
add_text_member(struct pb_text *o, const char *name, const char *text)
{
	if (text[0] == '\0')
		return;
	add_string(o, name);
	pb_text_puts(o, ":");
	pb_text_string(o, text);
}

static void
add_number_member(struct pb_text *o, const char *name, double value)
{
	add_string(o, name);
	pb_text_puts(o, ":");
	pb_text_num(o, value);
}

/* The game is over: write its last frame and its properties. */
static void
end_game(struct page *p, const struct pb_scene *s)
{
	const struct pb_trial *t = &p->told.result;
	struct pb_text *o = &p->piece;

	write_frame(p, s, true);
	if (!p->begun)
		return;
	o->len = 0;
	add_text_member(o, "name", p->o->title ? p->o->title : s->title);
	add_text_member(o, "source", p->source);
	add_text_member(o, "rules", t->rules);
	add_text_member(o, "player", t->policy);
	add_text_member(o, "outcome", t->outcome);
	if (s->outcome[0] != '\0' && fabs(s->took - s->t) >= 0.05)
		add_number_member(o, "took", s->took);
	if (p->over && s->collected >= 0 && s->total > 0) {
		add_number_member(o, "had", s->collected);
		add_number_member(o, "all", s->total);
	}
	add_number_member(o, "unit", (double)p->told.unit);
	add_number_member(o, "trail", s->game ? p->o->trail : 0);
	if (p->over)
		add_number_member(o, "round", t->round);
	else if (s->has_state)
		add_number_member(o, "round", (double)s->state.round);
	if (s->board.rows > 0)
		add_number_member(o, "side", 1e3 * s->board.pitch);
	if (s->ticks)
		add_number_member(o, "ticks", 1);
	pb_text_puts(o, "}");
	fputs("]", p->file.out);
	write_escaped(p, o);
}

/* Begin another game with r, in a new world or the same. */
static void
begin_next_game(struct page *p, struct pb_scene *s, const struct pb_rec *r)
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

/* Whether r begins another game: headers have no time; a map with a time is an
 * update within the game. */
static bool
begins_game(const struct page *p, const struct pb_rec *r)
{
	bool world = r->type == PB_REC_MAP || r->type == PB_REC_MAZE;

	if (!p->timed)
		return false;
	if (p->over && (world || r->type == PB_REC_PELLETS ||
			   r->type == PB_REC_TICK || r->type == PB_REC_STATE))
		return true;
	return (world && !isfinite(r->stamp.t)) || r->stamp.t < p->now - BACK;
}

/* Advance the time; write a frame if it is due. */
static void
advance_time(struct page *p, const struct pb_scene *s, double t)
{
	if (!isfinite(t))
		return;
	if (p->timed && t - p->from >= FRAME) {
		write_frame(p, s, false);
		p->from = t;
	} else if (!p->timed) {
		p->from = t;
	}
	p->timed = true;
	p->now = fmax(p->now, t);
}

/* Note what the scene does not store. */
static void
note_record(struct page *p, const struct pb_rec *r)
{
	const struct pb_rec_event *e = &r->event;
	struct pb_text *o;

	if (r->type == PB_REC_TICK && r->tick.score >= 0) {
		o = begin_change(p, "score");
		add_int(o, r->tick.score);
		add_int(o, r->tick.lives);
		add_int(o, r->tick.level);
		add_change(p, &p->told.score);
	} else if (r->type == PB_REC_STATE) {
		o = begin_change(p, "state");
		add_string(o, r->state.state);
		add_int(o, r->state.score);
		add_change(p, &p->told.state);
	} else if (r->type == PB_REC_EVENT || r->type == PB_REC_SOUND) {
		o = begin_change(p, r->type == PB_REC_SOUND ? "tune" : "event");
		add_string(o, e->name);
		for (int i = 0; i < e->notes && r->type == PB_REC_SOUND; i++) {
			add_int(o, to_whole(e->note[i].hz));
			add_int(o, to_whole(1e3 * e->note[i].s));
		}
		add_change(p, NULL);
	} else if (r->type == PB_REC_RESULT) {
		p->told.result = r->result.trial;
		p->told.result.settings = (struct pb_settings){NULL, 0};
		p->over = true;
	}
	p->new_map |= r->type == PB_REC_MAP || r->type == PB_REC_MAZE;
}

/*
 * Given    o: title, box, whole, hide; kept by the caller. grid: show games
 *          side by side first.
 *
 * Returns  a page for page_close(), NULL with bad filled in
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

/* Free p without a file. */
static void
page_abandon(struct page *p)
{
	pb_file_abandon(&p->file);
	pb_text_clear(&p->frame);
	pb_text_clear(&p->piece);
	free(p->told.pellet);
	free(p);
}

/* Write the last frame and the end of the file, and free p. False with bad
 * filled in: the file is removed. */
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

/* Draw s on the terminal; print a note about things outside of the map. */
static void
draw_terminal(const struct pb_scene *s, const struct pb_render_opts *o,
    enum pb_frame frame)
{
	struct pb_tty t = pb_tty_of(o, stdout);

	if (!pb_term_draw(s, o, &t, frame, stdout))
		pb_msg_refuse((struct pb_place){0},
		    "--box: nothing of the map lies in it");
}

/* Draw s into the file, maybe as a page with one frame. */
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
		draw_terminal(s, &o->render, PB_FRAME_TEXT);
}

/* Most live frames a second. */
#define FRAMES 20.0

/* A stream being shown. */
struct stream {
	const struct pb_show_opts *o;
	struct pb_scene scene;
	struct page *page;     /* page that plays it, NULL: none */
	bool begun;            /* a frame was drawn */
	double next;           /* stream time of the next frame (s) */
	double zero;           /* stream time at the first frame (s) */
	struct timespec start; /* wall clock at the first frame */
};

static void
draw_frame(struct stream *v)
{
	const struct pb_show_opts *o = v->o;
	double t = v->scene.t;

	if (!v->begun) {
		v->start = pb_pace_now();
		v->zero = t;
		fputs("\033[?25l", stdout); /* hide the cursor */
	} else if (o->speed > 0) {
		pb_pace_wait(v->start, (t - v->zero) / o->speed);
	}
	pb_scene_build_caption(&v->scene);
	draw_terminal(
	    &v->scene, &o->render, v->begun ? PB_FRAME_NEXT : PB_FRAME_FIRST);
	v->begun = true;
	v->next = t + (o->speed > 0 ? o->speed : 1) / FRAMES;
}

/* Use a record; draw a frame first if one is due. */
static bool
handle_record(struct pb_filter *f, struct pb_rec *r, struct pb_error *bad)
{
	struct stream *v = f->user;
	struct page *p = v->page;

	(void)bad;
	if (p && begins_game(p, r))
		begin_next_game(p, &v->scene, r);
	if (p) {
		advance_time(p, &v->scene, r->stamp.t);
		p->source = f->line.at.file;
		note_record(p, r);
	}
	pb_scene_build(&v->scene, r);
	/* Time went back: a new run, shown from its start. */
	if (v->begun && v->scene.t < v->next - v->o->speed - 1) {
		v->begun = false;
		v->next = v->scene.t;
	}
	if (v->o->live && v->scene.t > 0 && v->scene.t >= v->next &&
	    isatty(STDOUT_FILENO))
		draw_frame(v);
	return true;
}

/* Draw the final picture, live or not. */
static void
draw_last_frame(struct stream *v)
{
	struct pb_show_opts last = *v->o;
	struct pb_error bad;

	if (v->page) {
		if (!page_close(v->page, &v->scene, &bad))
			pb_msg_error(&bad);
		last.png = NULL;
	}
	if (v->begun) {
		draw_frame(v);
		fputs("\n\033[?25h", stdout);
		last.terminal = last.live = false;
	}
	pb_show(&v->scene, &last);
}

/* No record came: keep an existing picture file. */
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

/* Open the page if the file is one; false: a message was printed. */
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
	    .take = handle_record,
	    .user = s};

	s->o = o;
	if (open_page(s, n > 1)) {
		f.want |= s->page ? PB_REC_BIT(PB_REC_SOUND) : 0;
		pb_filter_run(&f, files, n);
		if (f.seen & f.want)
			draw_last_frame(s);
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

/* Most frames a second; more are not visible. */
#define PLAY_RATE 30.0

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
		double next = h->drawn + 1 / PLAY_RATE;

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
