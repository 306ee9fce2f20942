/* layers.c - what stands for what, as characters and on paper. */
#include "view/layers.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"

/*
 * Signs differ without colour. All beyond ASCII are in WGL4, which the fonts
 * of terminals have.
 */
static const struct {
	uint32_t ascii, utf8;
	enum pb_ink ink;
	const char *text;
} sign[PB_SIGNS] = {
    [PB_SIGN_WALL] = {'#', 0x2588, PB_INK_WALL, "wall"},
    [PB_SIGN_UNKNOWN] = {'?', 0x2591, PB_INK_UNKNOWN, "unknown"},
    [PB_SIGN_PARTICLE] = {',', 0x2219, PB_INK_OTHER, "particle"},
    [PB_SIGN_SCAN] = {'"', '"', PB_INK_SCAN, "scan"},
    [PB_SIGN_VIEW] = {'"', '"', PB_INK_SCAN, "seen by a ghost"},
    [PB_SIGN_GHOST_TRAIL] = {'~', '~', PB_INK_GHOST_TRAIL, "ghost's trail"},
    [PB_SIGN_TRAIL] = {':', 0xb7, PB_INK_ROBOT_TRAIL, "trail"},
    [PB_SIGN_OTHER_TRAIL] = {':', 0xb7, PB_INK_OTHER, "other trail"},
    [PB_SIGN_PATH] = {'*', '*', PB_INK_PATH, "path"},
    [PB_SIGN_SOLID] = {'%', '%', PB_INK_SOLID, "obstacle"},
    [PB_SIGN_EATEN] = {'\'', 0x25cb, PB_INK_EATEN, "eaten"},
    [PB_SIGN_PELLET] = {'.', 0x2022, PB_INK_PELLET, "pellet"},
    [PB_SIGN_POWER] = {'o', 0x25cf, PB_INK_POWER, "power pellet"},
    [PB_SIGN_HOME] = {'H', 'H', PB_INK_TEXT, "home"},
    [PB_SIGN_GOAL] = {'x', 'x', PB_INK_TARGET, "goal"},
    [PB_SIGN_TARGET] = {'X', 'X', PB_INK_TARGET, "target"},
    [PB_SIGN_DEATH] = {'+', 0x2020, PB_INK_DEATH, "caught"},
    [PB_SIGN_GUESS] = {'1', '1', PB_INK_TARGET, "hypothesis, 1 the likeliest"},
    [PB_SIGN_ROBOT] = {'>', 0x25ba, PB_INK_ROBOT, "robot"},
};

uint32_t
pb_sign_code(enum pb_sign g, bool utf8)
{
	return utf8 ? sign[g].utf8 : sign[g].ascii;
}

enum pb_ink
pb_sign_ink(enum pb_sign g)
{
	return sign[g].ink;
}

const char *
pb_sign_text(enum pb_sign g)
{
	return sign[g].text;
}

enum pb_sign
pb_sign_mark(enum pb_mark_kind k)
{
	return k == PB_MARK_DEATH  ? PB_SIGN_DEATH
	       : k == PB_MARK_HOME ? PB_SIGN_HOME
	                           : PB_SIGN_EATEN;
}

uint32_t
pb_sign_body(const struct pb_body *b, const struct pb_viewport *p, bool utf8)
{
	static const uint32_t ascii[] = {'>', '^', '<', 'v'};
	static const uint32_t arrow[] = {0x25ba, 0x25b2, 0x25c4, 0x25bc};
	unsigned char c = (unsigned char)b->id[0], last = c;
	double th;

	if (c != '\0')
		last = (unsigned char)b->id[strlen(b->id) - 1];

	if (b->kind == PB_BODY_ROBOT) {
		if (!isfinite(b->pose.th))
			return 'R';
		/* Axes are the map's own: so are directions. */
		th = pb_wrap(b->pose.th - p->origin.th);
		return (
		    utf8 ? arrow : ascii)[(lround(th / (PB_PI / 2)) + 4) % 4];
	}
	/* Ghosts of a kind are told apart by their numbers. */
	if (b->kind == PB_BODY_GHOST && isdigit(last))
		return last;
	if (!isalnum(c))
		return '@';
	return (uint32_t)(b->kind == PB_BODY_GHOST ? toupper(c) : tolower(c));
}

enum pb_ink
pb_sign_body_ink(const struct pb_body *b)
{
	return b->kind == PB_BODY_ROBOT   ? PB_INK_ROBOT
	       : b->kind == PB_BODY_GHOST ? PB_INK_GHOST
	                                  : PB_INK_OTHER;
}

static void
used_by_body(const struct pb_body *b, const struct pb_render_opts *o,
    bool used[PB_SIGNS])
{
	if (b->trail.n > 1 && !o->no_trails)
		used[b->kind == PB_BODY_GHOST   ? PB_SIGN_GHOST_TRAIL
		     : b->kind == PB_BODY_OTHER ? PB_SIGN_OTHER_TRAIL
						: PB_SIGN_TRAIL] = true;
	used[PB_SIGN_PATH] |= b->path.n > 1;
	if (b->scan.n > 0)
		used[b->kind == PB_BODY_GHOST ? PB_SIGN_VIEW : PB_SIGN_SCAN] =
		    true;
	used[PB_SIGN_PARTICLE] |= b->cloud.n > 0;
	used[PB_SIGN_GUESS] |= b->guesses > 0;
	used[PB_SIGN_SOLID] |= b->solid.n > 0 || b->radius > 0;
	used[PB_SIGN_GOAL] |= b->has_goal;
}

void
pb_signs_used(const struct pb_scene *s, const struct pb_render_opts *o,
    bool used[PB_SIGNS])
{
	memset(used, 0, PB_SIGNS * sizeof(used[0]));
	for (size_t i = 0; i < s->bodies; i++)
		used_by_body(&s->body[i], o, used);
	for (size_t i = 0; i < s->pellets; i++) {
		const struct pb_spot *p = &s->pellet[i];

		if (p->eaten)
			used[PB_SIGN_EATEN] = true;
		else if (s->has_target && p->id == s->target)
			used[PB_SIGN_TARGET] = true;
		else
			used[p->power ? PB_SIGN_POWER : PB_SIGN_PELLET] = true;
	}
	for (size_t i = 0; i < pb_scene_marks(s); i++)
		used[pb_sign_mark(pb_scene_mark_at(s, i).kind)] = true;
}

static struct pb_vec
shift(struct pb_vec p, double x, double y)
{
	return (struct pb_vec){p.x + x, p.y + y};
}

/* From p, r in the direction th, which turns as on the map. */
static struct pb_vec
away(struct pb_vec p, double r, double th)
{
	return shift(p, r * pb_cos(th), -r * pb_sin(th));
}

#define PIE 33 /* corners of Pac-Man: his mouth and an arc */

static void
draw_robot(struct pb_drawing *d, struct pb_vec p, double r, double th)
{
	const double mouth = 0.61; /* half of it: 35 degrees (rad) */
	struct pb_vec pie[PIE + 1] = {p};

	th = isfinite(th) ? th : 0;
	for (int i = 1; i < PIE; i++)
		pie[i] = away(p, r,
		    th + mouth + (2 * PB_PI - 2 * mouth) * (i - 1) / (PIE - 2));
	pie[PIE] = p;
	pb_draw_line(d, pie, PIE + 1,
	    pb_stroke(pb_ink_paper(PB_INK_TEXT), 0.32 * r + 1.2));
	pb_draw_line(d, pie, PIE + 1, pb_full(pb_ink_paper(PB_INK_ROBOT)));
	/* The eye above the mouth as seen by one who looks to the right. */
	pb_draw_disc(d, away(p, 0.45 * r, th + (pb_cos(th) < 0 ? -1.4 : 1.4)),
	    0.13 * r, pb_full(pb_ink_paper(PB_INK_TEXT)));
}

#define DOME 17 /* corners of a ghost's head, */
#define FEET 25 /* and of its three feet */

/* Dome, straight sides, feet from right to left. */
static void
ghost_outline(struct pb_vec p, double r, struct pb_vec out[DOME + FEET])
{
	for (int i = 0; i < DOME; i++)
		out[i] = away(p, r, PB_PI - PB_PI * i / (DOME - 1));
	for (int i = 0; i < FEET - 1; i++) {
		struct pb_vec foot =
		    shift(p, (1 - i / 8) * r * 2 / 3, 0.75 * r);

		out[DOME + i] = away(foot, r / 3, -PB_PI * (i % 8) / 7);
	}
	out[DOME + FEET - 1] = out[0];
}

static void
draw_ghost(
    struct pb_drawing *d, const char *id, struct pb_vec p, double r, double th)
{
	struct pb_vec line[DOME + FEET];
	struct pb_rgb ink = pb_ink_paper(PB_INK_TEXT),
		      white = pb_ink_paper(PB_INK_PAPER);
	const char number[2] = {id[strlen(id) - 1], '\0'};

	ghost_outline(p, r, line);
	pb_draw_line(d, line, DOME + FEET, pb_stroke(ink, 0.32 * r + 1.2));
	pb_draw_line(d, line, DOME + FEET, pb_full(pb_scene_ghost_color(id)));
	for (int i = -1; i <= 1; i += 2) {
		struct pb_vec eye = shift(p, i * 0.4 * r, -0.15 * r);

		pb_draw_disc(d, eye, 0.3 * r, pb_full(white));
		pb_draw_disc(d, isfinite(th) ? away(eye, 0.13 * r, th) : eye,
		    0.16 * r, pb_full(ink));
	}
	/* Ghosts of a kind have numbers. */
	if (number[0] >= '0' && number[0] <= '9' && r >= 8)
		pb_draw_text(d, shift(p, 0, 0.6 * r), PB_ANCHOR_MIDDLE, 0.8 * r,
		    white, number);
}

/* A square on its corner. */
static void
draw_diamond(struct pb_drawing *d, struct pb_vec p, double r, struct pb_pen pen)
{
	const struct pb_vec at[5] = {shift(p, r, 0), shift(p, 0, r),
	    shift(p, -r, 0), shift(p, 0, -r), shift(p, r, 0)};

	pb_draw_line(d, at, 5, pen);
}

/* An estimate, or the truth: where it is and looks. */
static void
draw_other(struct pb_drawing *d, struct pb_vec p, double r, double th)
{
	struct pb_pen ink = pb_stroke(pb_ink_paper(PB_INK_TEXT), 1.5);

	draw_diamond(d, p, r, pb_full(pb_ink_paper(PB_INK_OTHER)));
	draw_diamond(d, p, r, ink);
	if (isfinite(th))
		pb_draw_segment(d, p, away(p, 1.6 * r, th), ink);
}

/* A place known only roughly: a frame. */
static void
draw_fix(struct pb_drawing *d, struct pb_vec p, double r)
{
	const struct pb_vec at[5] = {shift(p, r, r), shift(p, -r, r),
	    shift(p, -r, -r), shift(p, r, -r), shift(p, r, r)};

	pb_draw_line(d, at, 5, pb_stroke(pb_ink_paper(PB_INK_TEXT), 4));
	pb_draw_line(d, at, 5, pb_stroke(pb_ink_paper(PB_INK_OTHER), 2));
}

void
pb_draw_body(struct pb_drawing *d, const struct pb_body *b, struct pb_vec p,
    double r, double th)
{
	static const char *const kind[] = {[PB_BODY_ROBOT] = "robot",
	    [PB_BODY_GHOST] = "ghost",
	    [PB_BODY_OTHER] = "other"};

	pb_draw_begin(d, kind[b->kind], p, th, b->id);
	if (b->kind == PB_BODY_ROBOT)
		draw_robot(d, p, r, th);
	else if (b->kind == PB_BODY_GHOST)
		draw_ghost(d, b->id, p, r, th);
	else if (strcmp(b->id, "fix") == 0)
		draw_fix(d, p, r);
	else
		draw_other(d, p, 0.6 * r, th);
	pb_draw_end(d);
}

static void
draw_pellet(struct pb_drawing *d, struct pb_vec p, double u, bool power)
{
	double r = power ? 5.5 * u : 3.5 * u;

	pb_draw_disc(d, p, r + 0.8 * u, pb_full(pb_ink_paper(PB_INK_TEXT)));
	pb_draw_disc(d, p, r,
	    pb_full(pb_ink_paper(power ? PB_INK_POWER : PB_INK_PELLET)));
	if (power)
		pb_draw_disc(d, p, 2 * u, pb_full(pb_ink_paper(PB_INK_PAPER)));
}

/* An empty ring where there was one. */
static void
draw_eaten(struct pb_drawing *d, struct pb_vec p, double u)
{
	struct pb_pen white = pb_full(pb_ink_paper(PB_INK_PAPER));

	white.opacity = 0.7;
	pb_draw_disc(d, p, 3.5 * u, white);
	pb_draw_disc(
	    d, p, 3.5 * u, pb_stroke(pb_ink_paper(PB_INK_EATEN), 1.3 * u));
}

/* Four ticks around p, from a to b away from it. */
static void
draw_ticks(struct pb_drawing *d, struct pb_vec p, double a, double b,
    struct pb_pen pen)
{
	for (int i = 0; i < 4; i++)
		pb_draw_segment(d, away(p, a, i * PB_PI / 2),
		    away(p, b, i * PB_PI / 2), pen);
}

static void
draw_target(struct pb_drawing *d, struct pb_vec p, double u)
{
	struct pb_pen pen = pb_stroke(pb_ink_paper(PB_INK_TARGET), 1.5 * u);

	pb_draw_disc(d, p, 7 * u, pen);
	draw_ticks(d, p, 7 * u, 10 * u, pen);
}

static void
draw_goal(struct pb_drawing *d, struct pb_vec p, double u)
{
	draw_ticks(d, p, 2.5 * u, 6 * u,
	    pb_stroke(pb_ink_paper(PB_INK_TARGET), 1.5 * u));
}

/* A house with a door. */
static void
draw_home(struct pb_drawing *d, struct pb_vec p, double u)
{
	const struct pb_vec house[] = {shift(p, -5 * u, 0), shift(p, 0, -5 * u),
	    shift(p, 5 * u, 0), shift(p, 3 * u, 0), shift(p, 3 * u, 4 * u),
	    shift(p, u, 4 * u), shift(p, u, 1.5 * u), shift(p, -u, 1.5 * u),
	    shift(p, -u, 4 * u), shift(p, -3 * u, 4 * u), shift(p, -3 * u, 0),
	    shift(p, -5 * u, 0)};

	pb_draw_line(d, house, sizeof(house) / sizeof(*house),
	    pb_full(pb_ink_paper(PB_INK_TEXT)));
}

static void
draw_death(struct pb_drawing *d, struct pb_vec p, double u)
{
	double s = 5 * u;

	for (int pass = 0; pass < 2; pass++) {
		struct pb_pen pen =
		    pass ? pb_stroke(pb_ink_paper(PB_INK_DEATH), 2 * u)
			 : pb_stroke(pb_ink_paper(PB_INK_PAPER), 4 * u);

		pb_draw_segment(d, shift(p, -s, -s), shift(p, s, s), pen);
		pb_draw_segment(d, shift(p, -s, s), shift(p, s, -s), pen);
	}
}

static void
draw_solid(struct pb_drawing *d, struct pb_vec p, double u)
{
	struct pb_pen pen = pb_full(pb_ink_paper(PB_INK_SOLID));

	pen.opacity = 0.8;
	draw_diamond(d, p, 2 * u, pen);
}

void
pb_draw_guess(
    struct pb_drawing *d, struct pb_vec p, double u, double th, int rank)
{
	const char text[2] = {(char)('0' + rank), '\0'};
	struct pb_rgb k = pb_ink_paper(PB_INK_TARGET);
	double r = 6.5 * u;

	if (isfinite(th))
		pb_draw_segment(
		    d, p, away(p, 1.9 * r, th), pb_stroke(k, 1.5 * u));
	pb_draw_disc(d, p, r + u, pb_full(k));
	pb_draw_disc(d, p, r, pb_full(pb_ink_paper(PB_INK_PAPER)));
	pb_draw_text(
	    d, p, PB_ANCHOR_MIDDLE, 1.5 * r, pb_ink_paper(PB_INK_TEXT), text);
}

void
pb_draw_sign(struct pb_drawing *d, enum pb_sign what, struct pb_vec p, double u,
    const char *name)
{
	pb_draw_begin(d, pb_sign_text(what), p, NAN, name);
	switch (what) {
	case PB_SIGN_EATEN:
		draw_eaten(d, p, u);
		break;
	case PB_SIGN_PELLET:
	case PB_SIGN_POWER:
		draw_pellet(d, p, u, what == PB_SIGN_POWER);
		break;
	case PB_SIGN_HOME:
		draw_home(d, p, u);
		break;
	case PB_SIGN_GOAL:
		draw_goal(d, p, u);
		break;
	case PB_SIGN_TARGET:
		draw_target(d, p, u);
		break;
	case PB_SIGN_DEATH:
		draw_death(d, p, u);
		break;
	case PB_SIGN_SOLID:
		draw_solid(d, p, u);
		break;
	default:
		break;
	}
	pb_draw_end(d);
}
