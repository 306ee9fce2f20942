/* layers.h - what stands for what, as characters and on paper. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "view/viewport.h"
#include "view/drawing.h"
#include "view/render.h"
#include "view/scene.h"

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

/* What a mark of the scene is drawn as. */
enum pb_sign pb_sign_mark(enum pb_mark_kind k);

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
 * The marks on paper are drawn around p, u pixels to the unit (about the width
 * of a thin line); headings th count as on the picture, 0 to the right.
 */
void pb_draw_sign(
    struct pb_drawing *d, enum pb_sign what, struct pb_vec p, double u);

/* A body of radius r (px), a ghost in this mode. */
void pb_draw_body(struct pb_drawing *d, const struct pb_body *b,
    const char *mode, struct pb_vec p, double r, double th);

/*
 * The ellipse that holds 95 % of a Gaussian with this covariance of x and y:
 * its half axes are sqrt(5.991 l) for the two eigenvalues l (chi-square, two
 * degrees of freedom), the longer one at `turn` (rad).
 */
struct pb_ellipse {
	double long_axis, short_axis, turn;
};
struct pb_ellipse pb_ellipse(const double cov[3][3]);

/* A hypothesis by its rank, 1..9, and where it looks. */
void pb_draw_guess(
    struct pb_drawing *d, struct pb_vec p, double u, double th, int rank);
