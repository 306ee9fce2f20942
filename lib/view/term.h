/* term.h - a scene as text for a terminal. */
#ifndef PB_VIEW_TERM_H
#define PB_VIEW_TERM_H

#include <stdio.h>

#include "pb/status.h"
#include "view/render.h"
#include "view/scene.h"

/*
 * The picture has the map's own axes: columns to the right, rows upwards,
 * whatever the origin's yaw. Where the yaw is a multiple of a right angle the
 * ticks are coordinates of the map frame; otherwise they are metres along the
 * map's edges from its lower left corner, and a line says where that corner
 * is and how it is turned.
 *
 * Maps are shrunk so that a wall never disappears: a dot is occupied if any
 * of its cells is, else unknown if any is, else free. Small maps are enlarged
 * by whole numbers only, the same in both directions.
 *
 * Signs: robot ^ > v < by heading (or R where its heading is not known),
 * ghosts by the first letter of their id, pellets . and o, eaten ones ',
 * paths *, trails :, target X, death places +.
 */

/*
 * Draw s to f.
 *
 * Given    s  scene
 *          o  checked options
 *          t  what f can show, from pb_tty_of or chosen
 * Returns  PB_OK, PB_ENOMEM, or PB_ESIZE: nothing of the map lies in the box
 */
enum pb_status pb_term_draw(const struct pb_scene *s,
    const struct pb_render_opts *o, const struct pb_tty *t, FILE *f);

/*
 * The same as frame after frame in place on a terminal: the first call
 * clears the screen, later ones write over it, line by line, without
 * clearing, so that nothing flickers.
 */
enum pb_status pb_term_frame(const struct pb_scene *s,
    const struct pb_render_opts *o, const struct pb_tty *t, bool first,
    FILE *f);

#endif
