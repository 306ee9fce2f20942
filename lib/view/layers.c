/* layers.c - which character stands for what, and what walls look like. */
#include "view/layers.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
