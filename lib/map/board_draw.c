/* board_draw.c - a board as a text that a person can draw. */
#include "map/board.h"

#include <string.h>

static void
draw_edge(const struct pb_maze *z, int row, char *out)
{
	for (int col = 0; col < z->cols; col++) {
		bool wall = !pb_maze_pass(z, row, col, PB_UP);

		memcpy(out + 4 * (size_t)col, wall ? "+---" : "+   ", 4);
	}
	memcpy(out + 4 * (size_t)z->cols, "+", 2);
}

/* A letter where nothing else is. */
static void
draw_letter(char *out, int col, char letter)
{
	if (out[4 * col + 2] == PB_MAZE_EMPTY)
		out[4 * col + 2] = letter;
}

static void
draw_row(const struct pb_maze *z, int row, char *out)
{
	for (int col = 0; col < z->cols; col++) {
		char *c = out + 4 * (size_t)col;
		bool wall = !pb_maze_pass(z, row, col, PB_LEFT);

		memcpy(c, wall ? "|   " : "    ", 4);
		c[2] = z->cell[row][col];
	}
	if (z->start.row == row)
		draw_letter(out, z->start.col, 'P');
	for (int g = 0; g < z->ghosts; g++)
		if (z->ghost[g].row == row)
			draw_letter(out, z->ghost[g].col, PB_BOARD_GHOSTS[g]);
	memcpy(out + 4 * (size_t)z->cols, "|", 2);
}

void
pb_board_line(const struct pb_maze *z, int i, char out[PB_BOARD_LINE])
{
	if (i % 2 == 0)
		draw_edge(z, i / 2, out);
	else
		draw_row(z, i / 2, out);
}
