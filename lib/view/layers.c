/* layers.c - what stands for what, as characters and on paper. */
#include "view/layers.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"

/*
 * Signs differ without colour. All beyond ASCII are in WGL4, which the fonts
 * of terminals have.
 */
const struct pb_sign_look pb_signs[PB_SIGNS] = {
    [PB_SIGN_WALL] = {'#', 0x2588, PB_INK_WALL, "wall"},
    [PB_SIGN_UNKNOWN] = {'?', 0x2591, PB_INK_UNKNOWN, "unknown"},
    [PB_SIGN_PARTICLE] = {',', 0x2219, PB_INK_OTHER, "particle"},
    [PB_SIGN_SCAN] = {'"', '"', PB_INK_SCAN, "scan"},
    [PB_SIGN_VIEW] = {'"', '"', PB_INK_SCAN, "seen by a ghost"},
    [PB_SIGN_GHOST_TRAIL] = {'~', '~', PB_INK_GHOST_TRAIL, "ghost's trail"},
    [PB_SIGN_TRAIL] = {':', 0xb7, PB_INK_ROBOT_TRAIL, "trail"},
    [PB_SIGN_OTHER_TRAIL] = {':', 0xb7, PB_INK_OTHER, "other trail"},
    [PB_SIGN_PATH] = {'*', '*', PB_INK_PATH, "path"},
    [PB_SIGN_LOOP] = {'=', 0x2261, PB_INK_PATH, "loop closed"},
    [PB_SIGN_DENIED] = {'!', 0x203c, PB_INK_DEATH, "step the wheels deny"},
    [PB_SIGN_GUESSED] = {'&', 0x25ab, PB_INK_PELLET,
	"step by the wheels alone"},
    [PB_SIGN_CUT] = {'/', '/', PB_INK_DEATH, "way cut"},
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

enum pb_sign
pb_sign_mark(enum pb_mark_kind k)
{
	static const enum pb_sign sign[] = {[PB_MARK_DEATH] = PB_SIGN_DEATH,
	    [PB_MARK_HOME] = PB_SIGN_HOME,
	    [PB_MARK_DENIED] = PB_SIGN_DENIED,
	    [PB_MARK_GUESSED] = PB_SIGN_GUESSED,
	    [PB_MARK_CUT] = PB_SIGN_CUT};

	return sign[k];
}

enum pb_sign
pb_sign_trail(enum pb_body_kind k)
{
	return k == PB_BODY_GHOST   ? PB_SIGN_GHOST_TRAIL
	       : k == PB_BODY_OTHER ? PB_SIGN_OTHER_TRAIL
	                            : PB_SIGN_TRAIL;
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

void
pb_signs_used(const struct pb_scene *s, const struct pb_render_opts *o,
    bool used[PB_SIGNS])
{
	memset(used, 0, PB_SIGNS * sizeof(used[0]));
	for (size_t i = 0; i < s->bodies; i++) {
		const struct pb_body *b = &s->body[i];
		bool ghost = b->kind == PB_BODY_GHOST;

		used[pb_sign_trail(b->kind)] |= b->trail.n > 1 && !o->no_trails;
		used[PB_SIGN_PATH] |= b->path.n > 1;
		used[ghost ? PB_SIGN_VIEW : PB_SIGN_SCAN] |= b->scan.n > 0;
		used[PB_SIGN_PARTICLE] |= b->cloud.n > 0;
		used[PB_SIGN_GUESS] |= b->guesses > 0;
		used[PB_SIGN_SOLID] |= b->solid.n > 0 || b->radius > 0;
		used[PB_SIGN_GOAL] |= b->has_goal;
	}
	for (size_t i = 0; i < s->pellets; i++) {
		const struct pb_spot *p = &s->pellet[i];
		bool target = s->has_target && p->id == s->target;

		used[p->eaten   ? PB_SIGN_EATEN
		     : target   ? PB_SIGN_TARGET
		     : p->power ? PB_SIGN_POWER
				: PB_SIGN_PELLET] = true;
	}
	used[PB_SIGN_LOOP] = s->loops.n > 0;
	for (size_t i = 0; i < pb_scene_marks(s); i++)
		used[pb_sign_mark(pb_scene_mark_at(s, i).kind)] = true;
}

/* From p, r in the direction th, which turns as on the map. */
static struct pb_vec
away(struct pb_vec p, double r, double th)
{
	return pb_shifted(p, r * pb_cos(th), -r * pb_sin(th));
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
	pb_draw_line(
	    d, pie, PIE + 1, pb_ink_pen(PB_INK_TEXT, 1, 0.32 * r + 1.2));
	pb_draw_line(d, pie, PIE + 1, pb_ink_pen(PB_INK_ROBOT, 1, 0));
	/* The eye above the mouth as seen by one who looks to the right. */
	pb_draw_disc(d, away(p, 0.45 * r, th + (pb_cos(th) < 0 ? -1.4 : 1.4)),
	    0.13 * r, pb_ink_pen(PB_INK_TEXT, 1, 0));
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
		    pb_shifted(p, (1 - i / 8) * r * 2 / 3, 0.75 * r);

		out[DOME + i] = away(foot, r / 3, -PB_PI * (i % 8) / 7);
	}
	out[DOME + FEET - 1] = out[0];
}

/* Two eyes without a look, and a crooked mouth. */
static void
draw_fear(struct pb_drawing *d, struct pb_vec p, double r)
{
	struct pb_rgb white = pb_inks[PB_INK_PAPER].paper;
	struct pb_vec mouth[7];

	for (int i = 0; i < 7; i++)
		mouth[i] =
		    pb_shifted(p, (i - 3) * 0.2 * r, (i % 2 ? 0.32 : 0.52) * r);
	pb_draw_line(d, mouth, 7, pb_stroke(white, 0.12 * r));
	for (int i = -1; i <= 1; i += 2)
		pb_draw_disc(d, pb_shifted(p, i * 0.36 * r, -0.2 * r), 0.15 * r,
		    pb_full(white));
}

/* Of one that was eaten only the eyes are left. */
static void
draw_ghost(struct pb_drawing *d, const char *id, const char *mode,
    struct pb_vec p, double r, double th)
{
	struct pb_vec line[DOME + FEET];
	struct pb_rgb ink = pb_inks[PB_INK_TEXT].paper,
		      white = pb_inks[PB_INK_PAPER].paper;
	const char number[2] = {id[strlen(id) - 1], '\0'};
	bool afraid =
	    strcmp(mode, "frightened") == 0 || strcmp(mode, "running") == 0;
	bool eaten = strcmp(mode, "eaten") == 0 || strcmp(mode, "killed") == 0;

	ghost_outline(p, r, line);
	if (!eaten) {
		pb_draw_line(
		    d, line, DOME + FEET, pb_stroke(ink, 0.32 * r + 1.2));
		pb_draw_line(d, line, DOME + FEET,
		    pb_full(afraid ? pb_inks[PB_INK_TARGET].paper
				   : pb_scene_ghost_color(id)));
	}
	if (afraid) {
		draw_fear(d, p, r);
		return;
	}
	for (int i = -1; i <= 1; i += 2) {
		struct pb_vec eye = pb_shifted(p, i * 0.4 * r, -0.15 * r);

		pb_draw_disc(d, eye, 0.3 * r + eaten, pb_full(ink));
		pb_draw_disc(d, eye, 0.3 * r, pb_full(white));
		pb_draw_disc(d, isfinite(th) ? away(eye, 0.13 * r, th) : eye,
		    0.16 * r, pb_full(ink));
	}
	/* Ghosts of a kind have numbers. */
	if (number[0] >= '0' && number[0] <= '9' && r >= 8)
		pb_draw_text(d, pb_shifted(p, 0, 0.6 * r), PB_ANCHOR_MIDDLE,
		    0.8 * r, white, number);
}

/* Closed lines, one unit large. */
static const struct pb_vec diamond[] = {
    {1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
static const struct pb_vec frame[] = {
    {1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {1, 1}};
static const struct pb_vec house[] = {{-5, 0}, {0, -5}, {5, 0}, {3, 0}, {3, 4},
    {1, 4}, {1, 1.5}, {-1, 1.5}, {-1, 4}, {-3, 4}, {-3, 0}, {-5, 0}};

/* n corners, r times as large, around p. */
static void
draw_shape(struct pb_drawing *d, const struct pb_vec *shape, size_t n,
    struct pb_vec p, double r, struct pb_pen pen)
{
	struct pb_vec at[12];

	for (size_t i = 0; i < n; i++)
		at[i] = pb_shifted(p, r * shape[i].x, r * shape[i].y);
	pb_draw_line(d, at, n, pen);
}

/* An estimate, or the truth: where it is and looks. */
static void
draw_other(struct pb_drawing *d, struct pb_vec p, double r, double th)
{
	struct pb_pen ink = pb_ink_pen(PB_INK_TEXT, 1, 1.5);

	draw_shape(d, diamond, 5, p, r, pb_ink_pen(PB_INK_OTHER, 1, 0));
	draw_shape(d, diamond, 5, p, r, ink);
	if (isfinite(th))
		pb_draw_segment(d, p, away(p, 1.6 * r, th), ink);
}

/* A place known only roughly: a frame. */
static void
draw_fix(struct pb_drawing *d, struct pb_vec p, double r)
{
	draw_shape(d, frame, 5, p, r, pb_ink_pen(PB_INK_TEXT, 1, 4));
	draw_shape(d, frame, 5, p, r, pb_ink_pen(PB_INK_OTHER, 1, 2));
}

void
pb_draw_body(struct pb_drawing *d, const struct pb_body *b, const char *mode,
    struct pb_vec p, double r, double th)
{
	if (b->kind == PB_BODY_ROBOT)
		draw_robot(d, p, r, th);
	else if (b->kind == PB_BODY_GHOST)
		draw_ghost(d, b->id, mode, p, r, th);
	else if (strcmp(b->id, "fix") == 0)
		draw_fix(d, p, r);
	else
		draw_other(d, p, 0.6 * r, th);
}

/* What signs on paper consist of, in units: from below to above. */
enum shape { NOTHING, DISC, TICKS, CROSS, HOUSE, DIAMOND, SQUARE };
static const struct part {
	enum shape shape;
	double r; /* of it; ticks: where they end */
	enum pb_ink ink;
	double opacity;
	double width; /* of its line, 0: full */
	double from;  /* where ticks begin */
} parts[PB_SIGNS][3] = {
    [PB_SIGN_PELLET] = {{DISC, 4.3, PB_INK_TEXT, 1},
	{DISC, 3.5, PB_INK_PELLET, 1}},
    [PB_SIGN_POWER] = {{DISC, 6.3, PB_INK_TEXT, 1},
	{DISC, 5.5, PB_INK_POWER, 1}, {DISC, 2, PB_INK_PAPER, 1}},
    /* An empty ring where there was one. */
    [PB_SIGN_EATEN] = {{DISC, 3.5, PB_INK_PAPER, 0.7},
	{DISC, 3.5, PB_INK_EATEN, 1, 1.3}},
    [PB_SIGN_TARGET] = {{DISC, 7, PB_INK_TARGET, 1, 1.5},
	{TICKS, 10, PB_INK_TARGET, 1, 1.5, 7}},
    [PB_SIGN_GOAL] = {{TICKS, 6, PB_INK_TARGET, 1, 1.5, 2.5}},
    [PB_SIGN_HOME] = {{HOUSE, 1, PB_INK_TEXT, 1}},
    [PB_SIGN_DEATH] = {{CROSS, 5, PB_INK_PAPER, 1, 4},
	{CROSS, 5, PB_INK_DEATH, 1, 2}},
    [PB_SIGN_DENIED] = {{DIAMOND, 6, PB_INK_PAPER, 1, 4},
	{DIAMOND, 6, PB_INK_DEATH, 1, 2}},
    [PB_SIGN_GUESSED] = {{SQUARE, 4.5, PB_INK_TEXT, 1},
	{SQUARE, 3.5, PB_INK_PELLET, 1}},
    [PB_SIGN_CUT] = {{TICKS, 9, PB_INK_PAPER, 1, 4},
	{TICKS, 9, PB_INK_DEATH, 1, 2}, {DISC, 4, PB_INK_DEATH, 1}},
    [PB_SIGN_SOLID] = {{DIAMOND, 2, PB_INK_SOLID, 0.8}},
};

static void
draw_part(struct pb_drawing *d, const struct part *m, struct pb_vec p, double u)
{
	double r = m->r * u;
	struct pb_pen pen = {
	    pb_inks[m->ink].paper, m->opacity, m->width * u, 0, 0};

	switch (m->shape) {
	case NOTHING:
		break;
	case DISC:
		pb_draw_disc(d, p, r, pen);
		break;
	case TICKS: /* four of them, around p */
		for (int i = 0; i < 4; i++)
			pb_draw_segment(d, away(p, m->from * u, i * PB_PI / 2),
			    away(p, r, i * PB_PI / 2), pen);
		break;
	case CROSS:
		pb_draw_segment(
		    d, pb_shifted(p, -r, -r), pb_shifted(p, r, r), pen);
		pb_draw_segment(
		    d, pb_shifted(p, -r, r), pb_shifted(p, r, -r), pen);
		break;
	case HOUSE:
		draw_shape(d, house, 12, p, r, pen);
		break;
	case DIAMOND:
		draw_shape(d, diamond, 5, p, r, pen);
		break;
	case SQUARE:
		draw_shape(d, frame, 5, p, r, pen);
		break;
	}
}

struct pb_ellipse
pb_ellipse(const double cov[3][3])
{
	double a = cov[0][0], d = cov[1][1], h = (cov[0][1] + cov[1][0]) / 2;
	double mean = (a + d) / 2, r = sqrt((a - d) * (a - d) / 4 + h * h);

	return (struct pb_ellipse){sqrt(5.991 * fmax(mean + r, 0)),
	    sqrt(5.991 * fmax(mean - r, 0)), 0.5 * pb_atan2(2 * h, a - d)};
}

void
pb_draw_guess(
    struct pb_drawing *d, struct pb_vec p, double u, double th, int rank)
{
	const char text[2] = {(char)('0' + rank), '\0'};
	struct pb_rgb k = pb_inks[PB_INK_TARGET].paper;
	double r = 6.5 * u;

	if (isfinite(th))
		pb_draw_segment(
		    d, p, away(p, 1.9 * r, th), pb_stroke(k, 1.5 * u));
	pb_draw_disc(d, p, r + u, pb_full(k));
	pb_draw_disc(d, p, r, pb_ink_pen(PB_INK_PAPER, 1, 0));
	pb_draw_text(
	    d, p, PB_ANCHOR_MIDDLE, 1.5 * r, pb_inks[PB_INK_TEXT].paper, text);
}

void
pb_draw_sign(struct pb_drawing *d, enum pb_sign what, struct pb_vec p, double u)
{
	for (int i = 0; i < 3; i++)
		draw_part(d, &parts[what][i], p, u);
}
