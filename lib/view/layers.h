/* layers.h - the parts of a terminal picture that is being drawn. */
#ifndef PB_VIEW_LAYERS_H
#define PB_VIEW_LAYERS_H

#include <stdbool.h>
#include <stdint.h>

#include "view/glyphs.h"
#include "view/viewport.h"
#include "view/render.h"
#include "view/scene.h"

/* What stands for what. */
enum pb_sign {
	PB_SIGN_WALL,
	PB_SIGN_UNKNOWN,
	PB_SIGN_PARTICLE,
	PB_SIGN_SCAN,
	PB_SIGN_GHOST_TRAIL,
	PB_SIGN_TRAIL,
	PB_SIGN_PATH,
	PB_SIGN_SOLID,
	PB_SIGN_EATEN,
	PB_SIGN_PELLET,
	PB_SIGN_POWER,
	PB_SIGN_HOME,
	PB_SIGN_GOAL,
	PB_SIGN_TARGET,
	PB_SIGN_DEATH,
	PB_SIGN_GUESS,
	PB_SIGN_ROBOT,
	PB_SIGNS
};

/* Where the map lies on the grid of characters, and how it is drawn. */
struct pb_sketch {
	struct pb_glyphs cells;
	struct pb_viewport port;
	enum pb_style style;
	bool utf8;
	int sx, sy;    /* dots per character */
	int left, top; /* character of the map's upper left corner */
	int cols;      /* of the map (characters) */
	int lines;
};

/* The character of a sign. */
uint32_t pb_sign_code(enum pb_sign g, bool utf8);
enum pb_ink pb_sign_ink(enum pb_sign g);
const char *pb_sign_text(enum pb_sign g);

/* The character of a body: by heading or by its id. */
uint32_t pb_sign_body(
    const struct pb_body *b, const struct pb_viewport *p, bool utf8);
enum pb_ink pb_sign_body_ink(const struct pb_body *b);

/* Which signs the scene needs; used[] is filled in. */
void pb_signs_used(const struct pb_scene *s, const struct pb_render_opts *o,
    bool used[PB_SIGNS]);

/* Draw walls, then everything on them. PB_OK or PB_ENOMEM. */
enum pb_status pb_sketch_map(struct pb_sketch *k, const struct pb_map *m);
void pb_sketch_things(struct pb_sketch *k, const struct pb_scene *s,
    const struct pb_render_opts *o);

/* Axes with ticks, around the map; needs two lines below it. */
void pb_sketch_axes(struct pb_sketch *k);

/* Metres between ticks, and columns of the widest upward tick label. */
double pb_sketch_step(const struct pb_viewport *p, int sx);
int pb_sketch_label_width(const struct pb_viewport *p, double step);

/*
 * Write the legend in lines of at most width columns from line y on; with
 * cells NULL only count the lines. Returns their number.
 */
int pb_sketch_legend(struct pb_glyphs *cells, int y, int width,
    const struct pb_sketch *k, const struct pb_scene *s,
    const struct pb_render_opts *o);

#endif
