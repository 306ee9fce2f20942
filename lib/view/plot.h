/* plot.h - a scene as a PNG picture. */
#ifndef PB_VIEW_PLOT_H
#define PB_VIEW_PLOT_H

#include "base/status.h"
#include "io/stream/fault.h"
#include "view/canvas.h"
#include "view/render.h"
#include "view/scene.h"

/*
 * Frames and shrinking are those of view/term.h. Colours are told apart by
 * colour-blind people (Okabe and Ito), and every kind of thing has its own
 * shape as well. The same scene gives the same bytes.
 */

/*
 * Draw s on a new canvas, with axes, scale bar, title and legend.
 *
 * Returns  PB_OK and c for pb_canvas_clear, or PB_ENOMEM, or PB_ESIZE:
 *          nothing of the map lies in the box
 */
enum pb_status pb_plot_draw(const struct pb_scene *s,
    const struct pb_render_opts *o, struct pb_canvas *c);

/*
 * Draw s into the PNG file at path, which appears whole or not at all; "-"
 * is standard output.
 *
 * Returns  0, or -1 with f (which may be NULL) filled in
 */
int pb_plot_png(const struct pb_scene *s, const struct pb_render_opts *o,
    const char *path, struct pb_fault *f);

#endif
