/* board.c - tests of walls between cells, drawings and random boards. */
#include "check.h"

#include "map/board.h"
#include "pb/maze.h"

/* All lines of a drawing with their ends. */
static size_t
draw(const struct pb_maze *z, char *out)
{
	char line[PB_BOARD_LINE];
	size_t n = 0;

	for (int i = 0; i < PB_BOARD_LINES(z); i++) {
		pb_board_line(z, i, line);
		memcpy(out + n, line, strlen(line));
		n += strlen(line);
		out[n++] = '\n';
	}
	return n;
}

static bool
same_board(const struct pb_maze *a, const struct pb_maze *b)
{
	bool same = a->rows == b->rows && a->cols == b->cols &&
	            a->start.row == b->start.row &&
	            a->start.col == b->start.col && a->ghosts == b->ghosts;

	for (int r = 0; same && r < a->rows; r++)
		same = memcmp(a->cell[r], b->cell[r], (size_t)a->cols) == 0 &&
		       memcmp(a->side[r], b->side[r], (size_t)a->cols) == 0;
	for (int i = 0; same && i < a->ghosts; i++)
		same = a->ghost[i].row == b->ghost[i].row &&
		       a->ghost[i].col == b->ghost[i].col;
	return same;
}

test(walls_between)
{
	struct pb_maze z = {.rows = 2, .cols = 2};

	memset(z.cell, PB_MAZE_EMPTY, sizeof(z.cell));
	pb_maze_side(&z, 0, 0, PB_RIGHT, true);
	check(!pb_maze_pass(&z, 0, 0, PB_RIGHT));
	check(!pb_maze_pass(&z, 0, 1, PB_LEFT));
	check(pb_maze_pass(&z, 0, 0, PB_DOWN));
	check(!pb_maze_pass(&z, 0, 0, PB_UP));
	check(!pb_maze_pass(&z, -1, 0, PB_DOWN));
	check(pb_maze_sided(&z));
	z.cell[0][1] = PB_MAZE_WALL;
	pb_maze_tidy(&z);
	check(!pb_maze_sided(&z));
	z.cell[0][1] = PB_MAZE_EMPTY;
	check(pb_maze_pass(&z, 0, 0, PB_RIGHT));
}

test(cells_honour_walls)
{
	struct pb_maze z;
	struct pb_cells c;
	int a, b;

	check_int(pb_maze_standard("roomba", &z), PB_OK);
	check_int(pb_cells_init(&c, &z), PB_OK);
	check_int(c.n, 94);
	/* The wall in the middle of the top row. */
	a = pb_cells_at(&c, 0, 4);
	b = pb_cells_at(&c, 0, 5);
	check_int(c.cell[a].to[PB_RIGHT], -1);
	check_int(c.cell[a].wall[PB_RIGHT], 1);
	check_int(c.cell[a].wall[PB_LEFT], 5);
	check_int(pb_cells_dist(&c, a, b), 5);
	for (int i = 0; i < c.n; i++)
		check(pb_cells_dist(&c, 0, i) != PB_FAR);
	pb_cells_clear(&c);
}

/* What the board is said to be: no dead ends, the same left and right. */
test(standard_boards)
{
	struct pb_maze z;
	int pellets = 0, power = 0;

	check_int(pb_maze_standard("roomba", &z), PB_OK);
	check_int(z.rows, 11);
	check_int(z.cols, 10);
	for (int r = 0; r < z.rows; r++)
		for (int c = 0; c < z.cols; c++) {
			int n = 0;

			for (int d = 0; d < 4; d++) {
				static const int flip[] = {
				    PB_UP, PB_RIGHT, PB_DOWN, PB_LEFT};
				bool pass =
				    pb_maze_pass(&z, r, c, (enum pb_dir)d);

				n += pass;
				check(pass == pb_maze_pass(&z, r, 9 - c,
						  (enum pb_dir)flip[d]));
			}
			check(!pb_maze_open(&z, r, c) || n >= 2);
			pellets += z.cell[r][c] == PB_MAZE_PELLET;
			power += z.cell[r][c] == PB_MAZE_POWER;
		}
	check_int(pellets, 85);
	check_int(power, 4);
	check_int(z.ghosts, 4);
	check_int(z.homes, 4);

	check_int(pb_maze_standard("zumy", &z), PB_OK);
	check_int(z.rows, 7);
	check_int(z.cols, 10);
	check_int(z.cell[2][8], PB_MAZE_GOAL);
	/* The squares of the two tags. */
	check(!pb_maze_open(&z, 6, 0) && !pb_maze_open(&z, 0, 9));
}

test(drawings_read_back)
{
	static char text[PB_BOARD_LINE * (2 * PB_MAZE_SIDE + 2)];
	struct pb_board_opts o = pb_board_defaults(PB_BOARD_ROOMBA);
	struct pb_board_fault f;
	struct pb_maze z, back;

	for (unsigned s = 1; s <= 50; s++) {
		o.seed = s;
		o.rows = 3 + (int)(s * 7 % 30);
		o.cols = 3 + (int)(s * 11 % 30);
		check_int(pb_gen_board(&o, &z), PB_OK);
		check_int(
		    pb_board_parse(text, draw(&z, text), &back, &f), PB_OK);
		check(same_board(&z, &back));
	}
	check_int(pb_maze_standard("roomba", &z), PB_OK);
	check_int(pb_board_parse(text, draw(&z, text), &back, &f), PB_OK);
	check(same_board(&z, &back));
}

static void
refuses(const char *text, long line, long column)
{
	struct pb_maze z = {.rows = 77};
	struct pb_board_fault f = {0};

	check(pb_board_parse(text, strlen(text), &z, &f) != PB_OK);
	check_int(f.line, line);
	check_int(f.column, column);
	check(f.text[0] != '\0');
	check_int(z.rows, 77);
}

test(bad_drawings)
{
	refuses("", 1, 0);
	refuses("+---+\n", 1, 0);
	refuses("+--+\n|  |\n+--+\n", 1, 0);
	refuses("+---+\n| x |\n+---+\n", 2, 3);
	refuses("+---+\n|.. |\n+---+\n", 2, 2);
	refuses("+---+\n| . |\n+-- +\n", 3, 4);
	refuses("+---+\n| . |\n", 2, 0);
	refuses("+---+\n| . |.\n+---+\n", 2, 6);
	refuses("+---+\n| k |\n+---+\n", 1, 0);
	refuses("+---+\n| . |\n+---+\nhomes 3,3\n", 4, 0);
	refuses("+---+\n| . |\n+---+\nhomes 1,0\n", 4, 0);
	refuses("+---+\n| . |\n+---+\nhomes 0,1\n", 4, 0);
	refuses("+---+\n| . |\n+---+\ncell 0\n", 4, 6);
	refuses("+---+\n| . |\n+---+\nhello\n", 4, 0);
}

test(grids_of_numbers)
{
	static const char text[] = "0 0 1\n0 9 0\n";
	struct pb_board_fault f;
	struct pb_maze z;

	check(pb_board_is_grid(text, sizeof(text) - 1));
	check(!pb_board_is_grid("###\n#.#\n", 8));
	check(pb_board_is("+---+-", 6) && pb_board_is("+   +", 5));
	check(!pb_board_is("+--+-+", 6) && !pb_board_is("+-", 2) &&
	      !pb_board_is("|---+", 5) && !pb_board_is("++--+", 5));
	check(!pb_board_is_grid("010\n110\n", 8));
	check_int(pb_board_parse_grid(text, sizeof(text) - 1, &z, &f), PB_OK);
	check_int(z.rows, 2);
	check_int(z.cols, 3);
	check_int(z.cell[1][2], PB_MAZE_WALL); /* the first line is below */
	check_int(z.cell[0][1], PB_MAZE_GOAL);
	check_int(pb_board_parse_grid("0 0\n0\n", 6, &z, &f), PB_EVALUE);
	check_int(f.line, 2);
	check_int(pb_board_parse_grid("0 x\n", 4, &z, &f), PB_EVALUE);
	check_int(f.column, 3);
	check(!pb_board_is_grid("0 2\n", 4));
}

/* In rings of four from the corners inwards, each by its distances. */
test(power_pellets_of_mazes)
{
	static const char *const want =
	    "4,1 4,26 10,7 10,20 16,12 16,15 28,12 28,15 34,7 34,20 40,1 40,26 ";
	struct pb_board_opts o = pb_board_defaults(PB_BOARD_MAZE);
	struct pb_maze z;
	char got[200];
	size_t n = 0;

	o.rows = 48;
	o.power = 12;
	check_int(pb_gen_board(&o, &z), PB_OK);
	for (int r = 0; r < z.rows; r++)
		for (int c = 0; c < z.cols; c++)
			if (z.cell[r][c] == PB_MAZE_POWER)
				n += (size_t)sprintf(got + n, "%d,%d ", r, c);
	check_str(got, want);
}

/* Every cell reached from the first, and how many ways out the least has. */
test(random_boards)
{
	struct pb_board_opts o = pb_board_defaults(PB_BOARD_ROOMBA);
	struct pb_maze z, again;
	struct pb_cells c;

	for (unsigned s = 1; s <= 200; s++) {
		o.seed = s;
		o.rows = 3 + (int)(s % 30);
		o.cols = 3 + (int)(s / 7 % 30);
		check_int(pb_gen_board(&o, &z), PB_OK);
		check_int(pb_gen_board(&o, &again), PB_OK);
		check(memcmp(&z, &again, sizeof(z)) == 0);
		check_int(pb_cells_init(&c, &z), PB_OK);
		check_int(c.n, o.rows * o.cols);
		for (int i = 0; i < c.n; i++) {
			int n = 0;

			for (int d = 0; d < 4; d++)
				n += c.cell[i].to[d] >= 0;
			check(n >= 2);
			check(pb_cells_dist(&c, 0, i) != PB_FAR);
		}
		pb_cells_clear(&c);
	}
}

/* If every wall is opened, a cell has ways to all its neighbours. */
test(board_without_walls)
{
	struct pb_board_opts o = pb_board_defaults(PB_BOARD_ROOMBA);
	struct pb_maze z;
	struct pb_cells c;

	o.loops = 1;
	check_int(pb_gen_board(&o, &z), PB_OK);
	check_int(pb_cells_init(&c, &z), PB_OK);
	for (int i = 0; i < c.n; i++) {
		int row = c.cell[i].row, col = c.cell[i].col, n = 0;

		for (int d = 0; d < 4; d++)
			n += c.cell[i].to[d] >= 0;
		check_int(n, 4 - (row == 0) - (row == o.rows - 1) - (col == 0) -
				 (col == o.cols - 1));
	}
	pb_cells_clear(&c);
}

test(random_zumy_boards)
{
	struct pb_board_opts o = pb_board_defaults(PB_BOARD_ZUMY);
	struct pb_maze z;
	struct pb_cells c;
	int goals;

	for (unsigned s = 1; s <= 200; s++) {
		o.seed = s;
		o.obstacles = 0.003 * s;
		check_int(pb_gen_board(&o, &z), PB_OK);
		check_int(pb_cells_init(&c, &z), PB_OK);
		goals = 0;
		for (int i = 0; i < c.n; i++) {
			check(pb_cells_dist(&c, 0, i) != PB_FAR);
			goals += z.cell[c.cell[i].row][c.cell[i].col] ==
			         PB_MAZE_GOAL;
		}
		check_int(goals, 1);
		check(c.n >= (int)((1 - o.obstacles) * 70));
		pb_cells_clear(&c);
	}
	o.rows = 2;
	check_int(pb_gen_board(&o, &z), PB_EVALUE);
}

/* A wall between cells takes the map cells on both its sides. */
test(boards_as_maps)
{
	struct pb_maze z = {.rows = 1, .cols = 2, .pitch = 0.5};
	struct pb_map m;

	memset(z.cell, PB_MAZE_EMPTY, sizeof(z.cell));
	pb_maze_side(&z, 0, 0, PB_RIGHT, true);
	check_int(pb_maze_to_map(&z, 0, 2, &m), PB_ESIZE);
	check_int(pb_maze_to_map(&z, 0, 5, &m), PB_OK);
	check_int(m.width, 10);
	check_near(m.resolution, 0.1, 1e-15);
	for (int col = 0; col < 10; col++)
		check_int(pb_map_at(&m, (struct pb_cell){col, 2}),
		    col == 4 || col == 5 ? 100 : 0);
	pb_map_clear(&m);
}
