/* font.h - a small fixed font, drawn for this project. */
#ifndef PB_VIEW_FONT_H
#define PB_VIEW_FONT_H

#include <stdbool.h>

/* Printable ASCII in a box of 5 x 9 dots, of which 2 rows go below the line. */
#define PB_FONT_FIRST   0x20
#define PB_FONT_LAST    0x7e
#define PB_FONT_COLUMNS 5
#define PB_FONT_ROWS    9
#define PB_FONT_ABOVE   7 /* rows above the base line */
#define PB_FONT_ADVANCE 6 /* from glyph to glyph */

/* The rows of c from the top, 5 bits each; a box if c is not printable. */
const unsigned char *pb_font_rows(unsigned char c);

/* Whether the glyph of c has a dot at column x of row y; false outside. */
bool pb_font_dot(unsigned char c, int x, int y);

#endif
