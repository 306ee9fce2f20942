/* ring.h - the ring of lights as six signs on a line. */
#ifndef PB_VIEW_RING_H
#define PB_VIEW_RING_H

#include "robot/ring.h"
#include "view/glyphs.h"

/*
 * A letter for the colour of a light, Y R B O P W, small if it is dim, '.' if
 * it is off: what a terminal without colours shows.
 */
char pb_ring_letter(struct pb_led l);

/*
 * Put the six lights from column x of line y on: discs in their colours, or
 * letters where there are no colours or no discs; returns the column after.
 */
int pb_ring_put(struct pb_glyphs *c, int x, int y, const struct pb_ring *r,
    bool utf8, enum pb_depth depth);

/* The same on f, wherever that stands. */
void pb_ring_print(const struct pb_ring *r, const struct pb_tty *t, FILE *f);

#endif
