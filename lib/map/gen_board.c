/* gen_board.c - random boards for robots: walls between cells, obstacles. */
#include "map/gen_board.h"

#include <string.h>

#include "base/rng.h"

/* Cells by number, row by row, in a queue or a random order. */
struct list {
	short cell[PB_BOARD_SIDE_MAX * PB_BOARD_SIDE_MAX];
	int n;
};

struct pb_board_opts
pb_roomba_board_defaults(void)
{
	return (struct pb_board_opts){
	    .rows = 11, .cols = 10, .seed = 1, .loops = 0.1, .power = 4};
}

struct pb_board_opts
pb_zumy_board_defaults(void)
{
	return (struct pb_board_opts){
	    .rows = 7, .cols = 10, .seed = 1, .obstacles = 0.3};
}

enum pb_status
pb_board_opts_check(const struct pb_board_opts *o, const char **bad)
{
	const char *wrong = NULL;

	if (o->rows < PB_BOARD_SIDE_MIN || o->rows > PB_BOARD_SIDE_MAX)
		wrong = "rows";
	else if (o->cols < PB_BOARD_SIDE_MIN || o->cols > PB_BOARD_SIDE_MAX)
		wrong = "cols";
	else if (!(o->loops >= 0 && o->loops <= 1))
		wrong = "loops";
	else if (o->power < 0 || o->power > 4)
		wrong = "power";
	else if (!(o->obstacles >= 0 && o->obstacles <= 0.6))
		wrong = "obstacles";
	if (wrong != NULL && bad != NULL)
		*bad = wrong;
	return wrong != NULL ? PB_EVALUE : PB_OK;
}

static bool
inside(const struct pb_maze *z, int row, int col)
{
	return row >= 0 && row < z->rows && col >= 0 && col < z->cols;
}

/* Walls all about the cells, which hold what says. */
static void
begin(struct pb_maze *z, const struct pb_board_opts *o, char what)
{
	*z = (struct pb_maze){
	    .rows = o->rows, .cols = o->cols, .start = {.row = -1}};
	for (int r = 0; r < z->rows; r++)
		memset(z->cell[r], what, (size_t)z->cols);
}

/* Ways out of a cell. */
static int
exits(const struct pb_maze *z, int row, int col)
{
	int n = 0;

	for (int d = 0; d < 4; d++)
		n += pb_maze_pass(z, row, col, (enum pb_dir)d);
	return n;
}

/* A direction from (row, col) to a cell not yet part of the tree, or -1. */
static int
untouched(const struct pb_maze *z, bool in[][PB_MAZE_SIDE], int row, int col,
    struct pb_rng *rng)
{
	int from = (int)pb_rng_below(rng, 4);

	for (int i = 0; i < 4; i++) {
		int d = (from + i) % 4;
		int r = row + pb_dir_row[d], c = col + pb_dir_col[d];

		if (inside(z, r, c) && !in[r][c])
			return d;
	}
	return -1;
}

/* A tree of ways through all cells, by a random walk that turns back. */
static void
carve(struct pb_maze *z, struct pb_rng *rng)
{
	bool in[PB_MAZE_SIDE][PB_MAZE_SIDE] = {{false}};
	struct list way = {.n = 1};

	in[0][0] = true;
	while (way.n > 0) {
		int row = way.cell[way.n - 1] / z->cols;
		int col = way.cell[way.n - 1] % z->cols;
		int d = untouched(z, in, row, col, rng);

		if (d < 0) {
			way.n--;
			continue;
		}
		pb_maze_side(z, row, col, (enum pb_dir)d, false);
		row += pb_dir_row[d];
		col += pb_dir_col[d];
		in[row][col] = true;
		way.cell[way.n++] = (short)(row * z->cols + col);
	}
}

/* Open walls that stand in nobody's way. */
static void
open_up(struct pb_maze *z, const struct pb_board_opts *o, struct pb_rng *rng)
{
	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++) {
			for (int d = PB_DOWN; d <= PB_RIGHT; d++)
				if (pb_rng_unit(rng) < o->loops &&
				    inside(z, r + pb_dir_row[d],
					c + pb_dir_col[d]))
					pb_maze_side(
					    z, r, c, (enum pb_dir)d, false);
			while (!o->dead_ends && exits(z, r, c) < 2) {
				int d = (int)pb_rng_below(rng, 4);

				if (inside(z, r + pb_dir_row[d],
					c + pb_dir_col[d]))
					pb_maze_side(
					    z, r, c, (enum pb_dir)d, false);
			}
		}
}

static void
put_pellets(struct pb_maze *z, int power)
{
	const int row[4] = {0, 0, z->rows - 1, z->rows - 1};
	const int col[4] = {z->cols - 1, 0, z->cols - 1, 0};
	int r = (z->rows - 1) / 2, c = (z->cols - 1) / 2;

	for (int i = 0; i < 4; i++) {
		z->home[i] = (struct pb_maze_place){row[i], col[i], PB_STAY};
		if (i < power)
			z->cell[row[i]][col[i]] = PB_MAZE_POWER;
	}
	z->homes = 4;
	z->ghost[0] = (struct pb_maze_place){r - (r > 0), c, PB_STAY};
	z->ghost[1] = (struct pb_maze_place){r, c, PB_STAY};
	z->ghost[2] = (struct pb_maze_place){r, c + 1, PB_STAY};
	z->ghost[3] = (struct pb_maze_place){r - (r > 0), c + 1, PB_STAY};
	z->ghosts = 4;
	z->start =
	    (struct pb_maze_place){z->rows - 1 - (z->rows > 5), c, PB_STAY};
	z->cell[z->start.row][c] = PB_MAZE_EMPTY;
	for (int i = 0; i < 4; i++)
		z->cell[z->ghost[i].row][z->ghost[i].col] = PB_MAZE_EMPTY;
}

enum pb_status
pb_gen_roomba(const struct pb_board_opts *o, struct pb_maze *z)
{
	struct pb_rng rng;

	if (pb_board_opts_check(o, NULL) != PB_OK)
		return PB_EVALUE;
	pb_rng_start(&rng, o->seed, 0, PB_FOR_MAP, 2);
	begin(z, o, PB_MAZE_PELLET);
	memcpy(z->name, "random-roomba", sizeof "random-roomba");
	z->pitch = 0.43;
	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++)
			for (int d = 0; d < 4; d++)
				pb_maze_side(z, r, c, (enum pb_dir)d, true);
	carve(z, &rng);
	open_up(z, o, &rng);
	pb_maze_tidy(z);
	put_pellets(z, o->power);
	return PB_OK;
}

/* Whether all cells to walk on hang together; *last is farthest from one. */
static bool
connected(const struct pb_maze *z, int *last)
{
	bool seen[PB_MAZE_SIDE][PB_MAZE_SIDE] = {{false}};
	short order[PB_MAZE_SIDE * PB_MAZE_SIDE];
	int i = 0, n;

	while (!pb_maze_open(z, i / z->cols, i % z->cols))
		i++;
	n = pb_maze_reach(z, i / z->cols, i % z->cols, seen, order);
	*last = order[n - 1];
	return n == pb_maze_open_cells(z);
}

static void
shuffle(struct list *l, int n, struct pb_rng *rng)
{
	for (int i = 0; i < n; i++) {
		int j = (int)pb_rng_below(rng, (uint32_t)i + 1);

		l->cell[i] = l->cell[j];
		l->cell[j] = (short)i;
	}
	l->n = n;
}

enum pb_status
pb_gen_zumy(const struct pb_board_opts *o, struct pb_maze *z)
{
	int cells = o->rows * o->cols, put = 0, want, last;
	struct list order;
	struct pb_rng rng;

	if (pb_board_opts_check(o, NULL) != PB_OK)
		return PB_EVALUE;
	pb_rng_start(&rng, o->seed, 0, PB_FOR_MAP, 3);
	begin(z, o, PB_MAZE_EMPTY);
	memcpy(z->name, "random-zumy", sizeof "random-zumy");
	z->pitch = 0.14;
	want = (int)(o->obstacles * cells);
	shuffle(&order, cells, &rng);
	for (int i = 0; i < cells && put < want; i++) {
		char *c =
		    &z->cell[order.cell[i] / z->cols][order.cell[i] % z->cols];

		*c = PB_MAZE_WALL;
		if (connected(z, &last))
			put++;
		else
			*c = PB_MAZE_EMPTY;
	}
	/* The last cell that a search reaches is at the end of a way. */
	connected(z, &last);
	z->cell[last / PB_MAZE_SIDE][last % PB_MAZE_SIDE] = PB_MAZE_GOAL;
	return PB_OK;
}
