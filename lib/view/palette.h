/* palette.h - the colours of pictures and what they mean. */
#ifndef PB_VIEW_PALETTE_H
#define PB_VIEW_PALETTE_H

#include <stdbool.h>

/*
 * Okabe and Ito's colours, which people with any common colour blindness
 * tell apart, and grays. Nothing is told by colour alone.
 */
struct pb_rgb {
	unsigned char r, g, b;
};

enum pb_ink {
	PB_INK_FREE,
	PB_INK_UNKNOWN,
	PB_INK_SHADE, /* behind the sign for unknown */
	PB_INK_WALL,
	PB_INK_PELLET,
	PB_INK_POWER,
	PB_INK_EATEN,
	PB_INK_ROBOT,
	PB_INK_ROBOT_TRAIL,
	PB_INK_GHOST,
	PB_INK_GHOST_TRAIL,
	PB_INK_OTHER,
	PB_INK_PATH,
	PB_INK_TARGET,
	PB_INK_SCAN,
	PB_INK_SOLID,
	PB_INK_DEATH,
	PB_INK_TEXT,
	PB_INK_DIM,
	PB_INK_PAPER,
	PB_INKS
};

/* The colour of an ink on white paper (PNG), and on a dark terminal. */
struct pb_rgb pb_ink_paper(enum pb_ink i);
struct pb_rgb pb_ink_screen(enum pb_ink i);

/* A place in the terminal's 256 and 16 colours nearest to k. */
int pb_rgb_256(struct pb_rgb k);
int pb_rgb_16(struct pb_rgb k);

#endif
