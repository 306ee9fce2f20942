/* standard_mazes.c - the boards of the published games, and test grids. */
#include <assert.h>
#include <string.h>

#include "map/board.h"
#include "map/gen_maze.h"
#include "pb/maze.h"

#define GRID_SIDE 32 /* of the test grids (cells) */

static const char *const names[] = {"pacman", "playground", "outer", "blank",
    "open", "roomba", "zumy", "zumy-published", NULL};

/*
 * The official board. The ghosts' house is wall, the side tunnel is shut, and
 * the fruit appears at (17, 13).
 */
static const char *const pacman[] = {
    "############################",
    "#............##............#",
    "#.####.#####.##.#####.####.#",
    "#o####.#####.##.#####.####o#",
    "#.####.#####.##.#####.####.#",
    "#..........................#",
    "#.####.##.########.##.####.#",
    "#.####.##.########.##.####.#",
    "#......##....##....##......#",
    "######.##### ## #####.######",
    "######.##### ## #####.######",
    "######.##          ##.######",
    "######.## ######## ##.######",
    "######.## ######## ##.######",
    "######.   ########   .######",
    "######.## ######## ##.######",
    "######.## ######## ##.######",
    "######.##          ##.######",
    "######.## ######## ##.######",
    "######.## ######## ##.######",
    "#............##............#",
    "#.####.#####.##.#####.####.#",
    "#.####.#####.##.#####.####.#",
    "#o..##.......  .......##..o#",
    "###.##.##.########.##.##.###",
    "###.##.##.########.##.##.###",
    "#......##....##....##......#",
    "#.##########.##.##########.#",
    "#.##########.##.##########.#",
    "#..........................#",
    "############################",
};

static void
make_pacman(struct pb_maze *z)
{
	static const struct pb_maze_place ghost[4] = {
	    {11, 13, PB_LEFT}, /* red */
	    {13, 13, PB_DOWN}, /* pink */
	    {14, 11, PB_UP},   /* cyan */
	    {14, 15, PB_UP},   /* orange */
	};

	z->rows = (int)(sizeof(pacman) / sizeof(*pacman));
	z->cols = (int)strlen(pacman[0]);
	for (int r = 0; r < z->rows; r++)
		memcpy(z->cell[r], pacman[r], (size_t)z->cols);
	z->start = (struct pb_maze_place){23, 13, PB_RIGHT};
	memcpy(z->ghost, ghost, sizeof(ghost));
	z->ghosts = 4;
}

/* Two small loops in the lower right corner: 20 cells. */
static void
dig_playground(struct pb_maze *z)
{
	pb_maze_dig(z, 27, 24, 27, 30);
	pb_maze_dig(z, 30, 24, 30, 30);
	for (int c = 24; c <= 30; c += 3)
		pb_maze_dig(z, 27, c, 30, c);
}

/* One ring along the edge: 116 cells. */
static void
dig_outer(struct pb_maze *z)
{
	pb_maze_dig(z, 1, 1, 1, 30);
	pb_maze_dig(z, 30, 1, 30, 30);
	pb_maze_dig(z, 1, 1, 30, 1);
	pb_maze_dig(z, 1, 30, 30, 30);
}

static void
make_test_grid(const char *name, struct pb_maze *z)
{
	z->rows = z->cols = GRID_SIDE;
	z->start = (struct pb_maze_place){1, 1, PB_RIGHT};
	if (strcmp(name, "playground") == 0) {
		dig_playground(z);
		/* The published start, (1, 1), is inside a wall here. */
		z->start = (struct pb_maze_place){27, 24, PB_RIGHT};
	} else if (strcmp(name, "outer") == 0) {
		dig_outer(z);
	} else if (strcmp(name, "blank") == 0) {
		pb_maze_dig(z, 1, 1, 1, 1);
	} else {
		pb_maze_dig(z, 1, 1, 30, 30);
		z->start = (struct pb_maze_place){16, 16, PB_RIGHT};
	}
	if (pb_maze_open_cells(z) > 1)
		z->cell[z->start.row][z->start.col] = PB_MAZE_EMPTY;
}

/*
 * The official board pressed together: of its ten corridor columns and ten
 * corridor rows, and the row of the upper power pellets, each becomes one. The
 * published maze was this large, "a simplification of the actual board"; its
 * drawing is lost.
 */
static const char roomba[] = "+---+---+---+---+---+---+---+---+---+---+\n"
			     "| .   .   .   .   . | .   .   .   .   . |\n"
			     "+   +---+   +---+   +   +---+   +---+   +\n"
			     "| o | # | . | # | . | . | # | . | # | o |\n"
			     "+   +---+   +---+   +   +---+   +---+   +\n"
			     "| .   .   .   .   .   .   .   .   .   . |\n"
			     "+   +---+   +   +---+---+   +   +---+   +\n"
			     "| .   .   . | .   . | .   . | .   .   . |\n"
			     "+---+---+   +---+   +   +---+   +---+---+\n"
			     "| # | # | . | .   B   C   . | . | # | # |\n"
			     "+---+---+   +   +   +   +   +   +---+---+\n"
			     "| # | # | .   . | k   i | .   . | # | # |\n"
			     "+---+---+   +   +---+---+   +   +---+---+\n"
			     "| # | # | . | .   .   .   . | . | # | # |\n"
			     "+---+---+   +   +---+---+   +   +---+---+\n"
			     "| .   .   .   .   . | .   .   .   .   . |\n"
			     "+   +---+   +---+   +   +---+   +---+   +\n"
			     "| o   . | .   .   P   .   .   . | .   o |\n"
			     "+---+   +   +   +---+---+   +   +   +---+\n"
			     "| .   .   . | .   . | .   . | .   .   . |\n"
			     "+   +---+---+---+   +   +---+---+---+   +\n"
			     "| .   .   .   .   .   .   .   .   .   . |\n"
			     "+---+---+---+---+---+---+---+---+---+---+\n"
			     "homes 0,9 0,0 10,9 10,0\n"
			     "cell 0.43\n";

/* Ten by seven like the published one, whose two tags are obstacles too. */
static const char zumy[] = "1 0 0 0 0 0 0 0 0 0\n"
			   "0 0 1 1 0 1 0 1 1 0\n"
			   "0 1 0 0 0 1 0 0 0 0\n"
			   "0 0 0 1 0 0 0 1 1 0\n"
			   "1 1 0 1 1 0 1 0 9 0\n"
			   "0 0 0 0 0 0 0 0 1 0\n"
			   "0 1 0 1 1 0 1 0 0 1\n";

/* The authors' own board, cell by cell. */
static const char zumy_published[] = "1 0 0 1 0 1 0 0 0 0\n"
				     "0 0 0 0 0 0 0 1 0 0\n"
				     "0 1 1 1 0 1 0 1 1 0\n"
				     "0 0 0 0 0 0 0 1 0 0\n"
				     "0 1 0 1 0 1 0 0 9 1\n"
				     "0 1 0 1 0 1 0 1 0 0\n"
				     "0 0 0 1 0 0 0 1 0 1\n";

/* A board of ours is a text that parses. */
static void
make_board(bool numbers, const char *text, size_t n, struct pb_maze *z)
{
	struct pb_board_fault f;
	enum pb_status st = numbers ? pb_board_parse_grid(text, n, z, &f)
	                            : pb_board_parse(text, n, z, &f);

	assert(st == PB_OK);
	(void)st;
}

enum pb_status
pb_maze_standard(const char *name, struct pb_maze *z)
{
	int i = 0;

	while (names[i] != NULL && strcmp(names[i], name) != 0)
		i++;
	if (names[i] == NULL)
		return PB_ENOENT;
	*z = (struct pb_maze){0};
	memset(z->cell, PB_MAZE_WALL, sizeof(z->cell));
	if (i == 0)
		make_pacman(z);
	else if (strcmp(name, "roomba") == 0)
		make_board(false, roomba, sizeof(roomba) - 1, z);
	else if (strcmp(name, "zumy") == 0)
		make_board(true, zumy, sizeof(zumy) - 1, z);
	else if (strcmp(name, "zumy-published") == 0)
		make_board(true, zumy_published, sizeof(zumy_published) - 1, z);
	else
		make_test_grid(name, z);
	memcpy(z->name, names[i], strlen(names[i]) + 1);
	return PB_OK;
}

const char *const *
pb_maze_names(void)
{
	return names;
}
