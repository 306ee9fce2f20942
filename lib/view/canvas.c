/* canvas.c - a scene drawn once, whatever it is drawn on, and what stands for
 * what in it. */
#include "view/canvas.h"

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

/* What a mark of the scene is drawn as. */
static enum pb_sign
sign_of_mark(enum pb_mark_kind k)
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
		used[sign_of_mark(pb_scene_mark_at(s, i).kind)] = true;
}

struct pb_ellipse
pb_ellipse(const double cov[3][3])
{
	double a = cov[0][0], d = cov[1][1], h = (cov[0][1] + cov[1][0]) / 2;
	double mean = (a + d) / 2, r = sqrt((a - d) * (a - d) / 4 + h * h);

	return (struct pb_ellipse){sqrt(5.991 * fmax(mean + r, 0)),
	    sqrt(5.991 * fmax(mean - r, 0)), 0.5 * pb_atan2(2 * h, a - d)};
}

/* What sensors and localizers see lies below everything else. */
static void
draw_points(const struct pb_canvas *c, const struct pb_scene *s)
{
	for (size_t i = 0; i < s->bodies; i++) {
		const struct pb_body *b = &s->body[i];

		c->dots(c->to, PB_SIGN_PARTICLE, &b->cloud);
		c->dots(c->to, PB_SIGN_SCAN, &b->scan);
	}
}

/* Ghosts' broken lines lie above whole ones, but never hide them. */
static void
draw_trails(const struct pb_canvas *c, const struct pb_scene *s)
{
	for (int above = 0; above < 2; above++)
		for (size_t i = 0; i < s->bodies; i++) {
			const struct pb_body *b = &s->body[i];
			bool ghost = b->kind == PB_BODY_GHOST;

			if (ghost == (above != c->opaque))
				c->line(c->to, pb_sign_trail(b->kind),
				    &b->trail, b);
		}
}

/* What a body means to do and how the costmap sees it. */
static void
draw_plan(const struct pb_canvas *c, const struct pb_body *b)
{
	c->line(c->to, PB_SIGN_PATH, &b->path, b);
	c->dots(c->to, PB_SIGN_SOLID, &b->solid);
	if (b->radius > 0)
		c->disc(c->to, b->disc, b->radius);
	if (b->has_goal)
		c->sign(c->to, PB_SIGN_GOAL, b->goal);
}

/* More pellets have no numbers: a board has hundreds. */
#define NUMBERED 64

static void
draw_pellets(const struct pb_canvas *c, const struct pb_scene *s)
{
	for (int eaten = 1; eaten >= 0; eaten--)
		for (size_t i = 0; i < s->pellets; i++) {
			const struct pb_spot *p = &s->pellet[i];

			if (p->eaten == eaten)
				c->sign(c->to,
				    p->eaten   ? PB_SIGN_EATEN
				    : p->power ? PB_SIGN_POWER
					       : PB_SIGN_PELLET,
				    p->at);
		}
	for (size_t i = 0; i < s->pellets; i++) {
		const struct pb_spot *p = &s->pellet[i];
		bool target = !p->eaten && s->has_target && p->id == s->target;

		if (target)
			c->sign(c->to, PB_SIGN_TARGET, p->at);
		if (s->pellets <= NUMBERED)
			c->text(c->to, target ? PB_SIGN_TARGET : PB_SIGN_PELLET,
			    p->at, p->id);
	}
}

static void
draw_marks(const struct pb_canvas *c, const struct pb_scene *s, bool death)
{
	for (size_t i = 0; i < pb_scene_marks(s); i++) {
		struct pb_mark m = pb_scene_mark_at(s, i);

		if ((m.kind == PB_MARK_DEATH) == death)
			c->sign(c->to, sign_of_mark(m.kind), m.at);
	}
}

/* The robot last, so that it is never hidden. */
static void
draw_bodies(const struct pb_canvas *c, const struct pb_scene *s)
{
	static const enum pb_body_kind order[] = {
	    PB_BODY_OTHER, PB_BODY_GHOST, PB_BODY_ROBOT};

	for (int k = 0; k < 3; k++)
		for (size_t i = 0; i < s->bodies; i++)
			if (s->body[i].placed && s->body[i].kind == order[k])
				c->body(c->to, &s->body[i]);
}

void
pb_canvas_draw(const struct pb_canvas *c, const struct pb_scene *s,
    const struct pb_render_opts *o)
{
	draw_points(c, s);
	if (!o->no_trails)
		draw_trails(c, s);
	c->line(c->to, PB_SIGN_LOOP, &s->loops, NULL);
	c->dots(c->to, PB_SIGN_LOOP, &s->loops);
	for (size_t i = 0; i < s->bodies; i++)
		draw_plan(c, &s->body[i]);
	draw_marks(c, s, false);
	draw_pellets(c, s);
	draw_marks(c, s, true);
	/* Hypotheses by rank, the likeliest on top. */
	for (size_t i = 0; i < s->bodies; i++)
		for (int k = s->body[i].guesses - 1; k >= 0; k--)
			c->guess(c->to, &s->body[i].guess[k], k + 1);
	draw_bodies(c, s);
}
