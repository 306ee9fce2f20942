/* canvas.h - a scene drawn once, whatever it is drawn on, and what stands for
 * what in it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "view/render.h"
#include "view/scene.h"
#include "view/viewport.h"

/* What stands for what. */
enum pb_sign {
	PB_SIGN_WALL,
	PB_SIGN_UNKNOWN,
	PB_SIGN_PARTICLE,
	PB_SIGN_SCAN,
	PB_SIGN_VIEW, /* of a ghost's camera */
	PB_SIGN_GHOST_TRAIL,
	PB_SIGN_TRAIL,
	PB_SIGN_OTHER_TRAIL, /* of an estimate, a truth */
	PB_SIGN_PATH,
	PB_SIGN_LOOP,
	PB_SIGN_SOLID,
	PB_SIGN_EATEN,
	PB_SIGN_PELLET,
	PB_SIGN_POWER,
	PB_SIGN_HOME,
	PB_SIGN_GOAL,
	PB_SIGN_TARGET,
	PB_SIGN_DENIED,
	PB_SIGN_GUESSED,
	PB_SIGN_CUT,
	PB_SIGN_DEATH,
	PB_SIGN_GUESS,
	PB_SIGN_ROBOT,
	PB_SIGNS
};

/* How it is drawn with characters, and called. */
struct pb_sign_look {
	uint32_t ascii, utf8;
	enum pb_ink ink;
	const char *text;
};
extern const struct pb_sign_look pb_signs[PB_SIGNS];

/* What the trail of such a body is drawn as. */
enum pb_sign pb_sign_trail(enum pb_body_kind k);

/* The character of a body: by heading or by its id. */
uint32_t pb_sign_body(
    const struct pb_body *b, const struct pb_viewport *p, bool utf8);
enum pb_ink pb_sign_body_ink(const struct pb_body *b);

/* Which signs the scene needs; used[] is filled in. */
void pb_signs_used(const struct pb_scene *s, const struct pb_render_opts *o,
    bool used[PB_SIGNS]);

/*
 * The ellipse that holds 95 % of a Gaussian with this covariance of x and y:
 * its half axes are sqrt(5.991 l) for the two eigenvalues l (chi-square, two
 * degrees of freedom), the longer one at `turn` (rad).
 */
struct pb_ellipse {
	double long_axis, short_axis, turn;
};
struct pb_ellipse pb_ellipse(const double cov[3][3]);

/*
 * What a picture is drawn on. Places are in the map frame (m); what is drawn
 * later lies above. `to` is handed to each call.
 */
struct pb_canvas {
	void *to;
	bool opaque; /* nothing of what lies below can be seen */

	/* A line along the points, broken at one that is not finite; b: whose
	 * trail or path it is, NULL: nobody's. */
	void (*line)(void *to, enum pb_sign what, const struct pb_points *p,
	    const struct pb_body *b);

	/* A dot at each of the points. */
	void (*dots)(void *to, enum pb_sign what, const struct pb_points *p);

	/* A round obstacle of radius r (m). */
	void (*disc)(void *to, struct pb_vec at, double r);

	/* A pellet, goal or mark. */
	void (*sign)(void *to, enum pb_sign what, struct pb_vec at);

	/* The number of a pellet, beside the sign that was drawn for it. */
	void (*text)(void *to, enum pb_sign what, struct pb_vec at, int id);

	/* A place where a body may be; rank 1: the likeliest. */
	void (*guess)(void *to, const struct pb_hypothesis *h, int rank);

	/* A body where it stands. */
	void (*body)(void *to, const struct pb_body *b);
};

/* Draw everything of the scene but its map. */
void pb_canvas_draw(const struct pb_canvas *c, const struct pb_scene *s,
    const struct pb_render_opts *o);
