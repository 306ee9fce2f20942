/* maze.c - tests of the standard grids, the grid rules and random mazes. */
#include "check.h"

#include "map/board.h"
#include "pb/maze.h"

static int
flood(const struct pb_maze *z, bool seen[][PB_MAZE_SIDE], int r, int c)
{
	if (!pb_maze_open(z, r, c) || seen[r][c])
		return 0;
	seen[r][c] = true;
	return 1 + flood(z, seen, r - 1, c) + flood(z, seen, r + 1, c) +
	       flood(z, seen, r, c - 1) + flood(z, seen, r, c + 1);
}

static bool
connected(const struct pb_maze *z)
{
	bool seen[PB_MAZE_SIDE][PB_MAZE_SIDE] = {{false}};

	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++)
			if (pb_maze_open(z, r, c))
				return flood(z, seen, r, c) ==
				       pb_maze_open_cells(z);
	return true;
}

static int
dead_ends(const struct pb_maze *z)
{
	int n = 0;

	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++)
			n += pb_maze_open(z, r, c) &&
			     pb_maze_open(z, r - 1, c) +
			             pb_maze_open(z, r + 1, c) +
			             pb_maze_open(z, r, c - 1) +
			             pb_maze_open(z, r, c + 1) <
			         2;
	return n;
}

test(standard_grids)
{
	static const struct {
		const char *name;
		int cells, pellets, power;
	} want[] = {{"pacman", 288, 240, 4}, {"playground", 20, 19, 0},
	    {"outer", 116, 115, 0}, {"blank", 1, 1, 0}, {"open", 900, 899, 0}};
	struct pb_maze z;
	struct pb_maze_fault f;

	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		int dots = 0, power = 0;

		check_int(pb_maze_standard(want[i].name, &z), PB_OK);
		for (int r = 0; r < z.rows; r++)
			for (int c = 0; c < z.cols; c++) {
				dots += z.cell[r][c] == PB_MAZE_PELLET;
				power += z.cell[r][c] == PB_MAZE_POWER;
			}
		check_int(pb_maze_open_cells(&z), want[i].cells);
		check_int(dots, want[i].pellets);
		check_int(power, want[i].power);
		check(connected(&z));
		check(pb_maze_open(&z, z.start.row, z.start.col));
		/* The open grid is the one that is exempt. */
		check(pb_maze_rules(&z, &f) == (strcmp(z.name, "open") != 0));
		check_str(pb_maze_names()[i], want[i].name);
	}
	check_str(pb_maze_names()[5], "roomba");
	check_int(pb_maze_standard("pac", &z), PB_ENOENT);
}

static void
blank(struct pb_maze *z)
{
	*z = (struct pb_maze){.rows = 12, .cols = 10};
	memset(z->cell, PB_MAZE_WALL, sizeof(z->cell));
}

test(each_rule)
{
	static const struct {
		int rule, row, col, n, at[4][2];
	} t[] = {
	    {1, 3, 0, 1, {{3, 0}}},
	    {2, 4, 9, 1, {{4, 9}}},
	    {3, 0, 5, 1, {{0, 5}}},
	    {4, 11, 5, 1, {{11, 5}}},
	    {5, 2, 2, 4, {{2, 2}, {2, 3}, {3, 2}, {3, 3}}},
	    {6, -1, -1, 0, {{0}}},
	    {7, 3, 4, 2, {{2, 4}, {4, 4}}},
	    {8, 6, 3, 2, {{6, 2}, {6, 4}}},
	};
	struct pb_maze z;
	struct pb_maze_fault f;

	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		blank(&z);
		for (int k = 0; k < t[i].n; k++)
			z.cell[t[i].at[k][0]][t[i].at[k][1]] = PB_MAZE_PELLET;
		check(!pb_maze_rules(&z, &f));
		check_int(f.rule, t[i].rule);
		check_int(f.row, t[i].row);
		check_int(f.col, t[i].col);
		check(strcmp(pb_maze_rule_text(f.rule), pb_maze_rule_text(0)) !=
		      0);
	}
	check_str(pb_maze_rule_text(0), pb_maze_rule_text(9));
	blank(&z);
	z.cell[2][2] = z.cell[2][3] = z.cell[5][2] = PB_MAZE_PELLET;
	check(pb_maze_rules(&z, &f));
}

test(random_mazes_keep_the_rules)
{
	static const int size[][2] = {
	    {5, 5}, {5, 64}, {9, 9}, {10, 13}, {31, 28}, {32, 32}, {64, 64}};
	struct pb_maze z;
	struct pb_maze_fault f;

	for (int i = 0; i < 1400; i++) {
		struct pb_board_opts o = pb_board_defaults(PB_BOARD_MAZE);

		o.rows = size[i % 7][0];
		o.cols = size[i % 7][1];
		o.seed = (uint64_t)i;
		o.mirror = i / 7 % 2;
		check_int(pb_gen_board(&o, &z), PB_OK);
		check(pb_maze_rules(&z, &f));
		check(connected(&z));
		if (o.rows > 8 && o.cols > 8)
			check_int(dead_ends(&z), 0);
	}
}

test(mirror)
{
	struct pb_board_opts o = pb_board_defaults(PB_BOARD_MAZE);
	struct pb_maze z;

	for (o.seed = 0; o.seed < 200; o.seed++) {
		o.cols = 27 + (int)(o.seed % 3);
		check_int(pb_gen_board(&o, &z), PB_OK);
		for (int r = 0; r < z.rows; r++)
			for (int c = 0; c < z.cols; c++)
				check(pb_maze_open(&z, r, c) ==
				      pb_maze_open(&z, r, z.cols - 1 - c));
	}
}

test(options_are_checked)
{
	struct pb_board_opts o = pb_board_defaults(PB_BOARD_MAZE);
	const char *field;
	struct pb_maze z;

	o.cols = PB_MAZE_SIDE + 1;
	field = pb_board_opts_wrong(&o);
	check(field != NULL && strcmp(field, "cols") == 0);
	check_int(pb_gen_board(&o, &z), PB_EVALUE);
	o = pb_board_defaults(PB_BOARD_MAZE);
	o.loops = NAN;
	field = pb_board_opts_wrong(&o);
	check(field != NULL && strcmp(field, "loops") == 0);
}

test(as_map)
{
	struct pb_maze z;
	struct pb_map m;

	check_int(pb_maze_standard("pacman", &z), PB_OK);
	check_int(pb_maze_to_map(&z, PB_MAZE_CELL, 4, &m), PB_OK);
	check_int(m.width, 28 * 4);
	check_int(m.height, 31 * 4);
	check_near(m.resolution * m.width, 28 * PB_MAZE_CELL, 1e-12);
	for (int r = 0; r < z.rows; r++)
		for (int c = 0; c < z.cols; c++) {
			struct pb_cell at = pb_map_cell(
			    &m, (struct pb_vec){(c + 0.4) * PB_MAZE_CELL,
				    (z.rows - r - 0.4) * PB_MAZE_CELL});

			check(pb_cell_free(pb_map_at(&m, at)) ==
			      pb_maze_open(&z, r, c));
		}
	pb_map_clear(&m);
	check_int(pb_maze_to_map(&z, NAN, 4, &m), PB_OK);
	check_near(m.resolution, PB_MAZE_CELL / 4, 1e-15);
	pb_map_clear(&m);
	check_int(pb_maze_to_map(&z, INFINITY, 4, &m), PB_EVALUE);
	check_int(pb_maze_to_map(&z, 1, -1, &m), PB_ESIZE);
}
