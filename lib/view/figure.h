/* figure.h - the parts of a PNG picture that is being drawn. */
#ifndef PB_VIEW_FIGURE_H
#define PB_VIEW_FIGURE_H

#include "base/status.h"
#include "view/canvas.h"
#include "view/viewport.h"
#include "view/render.h"
#include "view/scene.h"
#include "view/layers.h"

/* The map with everything on it is drawn apart, then put into its frame. */
struct pb_figure {
	struct pb_canvas map; /* port.width x port.height */
	struct pb_canvas all; /* with axes, title, legend */
	struct pb_viewport port;
	int font;      /* size of text: pixels per dot of the font */
	double unit;   /* width of a thin line (px) */
	int left, top; /* of the map within all */
	bool shows[3]; /* which of enum pb_dot the map shows */
};

/* Draw what the map shows, then all that stands on it, into g->map. */
enum pb_status pb_figure_map(struct pb_figure *g, const struct pb_map *m);
void pb_figure_things(struct pb_figure *g, const struct pb_scene *s,
    const struct pb_render_opts *o);

/* Radius of bodies (px). */
double pb_figure_radius(const struct pb_figure *g);

/* Metres between ticks. */
double pb_figure_step(const struct pb_figure *g);

/* Space that ticks and names of the axes take to the left (px). */
int pb_figure_margin(const struct pb_figure *g);

/* Ticks, labels and names around the map, into g->all. */
void pb_figure_axes(struct pb_figure *g);

/*
 * Write the legend at y, lines of at most width px from g->left on; with
 * draw false only count. Returns its height (px).
 */
int pb_figure_legend(struct pb_figure *g, int y, int width,
    const struct pb_scene *s, const struct pb_render_opts *o, bool draw);

#endif
