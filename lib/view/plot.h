/* plot.h - a scene as a picture on paper. */
#ifndef PB_VIEW_PLOT_H
#define PB_VIEW_PLOT_H

#include "io/stream/error.h"

#include "view/render.h"
#include "view/scene.h"

/*
 * Draw s into the file at path (see view/drawing.h) with axes, scale bar,
 * title and legend. Window and shrinking are those of view/term.h. Colours
 * are told apart by colour-blind people (Okabe and Ito), and every kind of
 * thing has its own shape as well. The same scene gives the same bytes.
 *
 * Returns  0, or -1 with f (which may be NULL) filled in
 */
int pb_plot(const struct pb_scene *s, const struct pb_render_opts *o,
    const char *path, struct pb_error *f);

#endif
