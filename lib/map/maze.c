/* maze.c - a board of cells: storage and the grid rules. */
#include "map/maze.h"

#include <string.h>

#include "base/hash.h"

const signed char pb_dir_row[5] = {-1, 0, 1, 0, 0};
const signed char pb_dir_col[5] = {0, -1, 0, 1, 0};

bool
pb_maze_open(const struct pb_maze *z, int row, int col)
{
	return row >= 0 && row < z->rows && col >= 0 && col < z->cols &&
	       z->cell[row][col] != PB_MAZE_WALL;
}

bool
pb_maze_pass(const struct pb_maze *z, int row, int col, enum pb_dir d)
{
	return pb_maze_open(z, row, col) && !(z->side[row][col] >> d & 1) &&
	       pb_maze_open(z, row + pb_dir_row[d], col + pb_dir_col[d]);
}

static void
put_side(struct pb_maze *z, int row, int col, int d, bool wall)
{
	unsigned char *s = &z->side[row][col];

	*s = (unsigned char)(wall ? *s | 1 << d : *s & ~(1 << d));
}

void
pb_maze_side(struct pb_maze *z, int row, int col, enum pb_dir d, bool wall)
{
	int r = row + pb_dir_row[d], c = col + pb_dir_col[d];

	put_side(z, row, col, (int)d, wall);
	if (r >= 0 && r < z->rows && c >= 0 && c < z->cols)
		put_side(z, r, c, (int)(d + 2) % 4, wall);
}

void
pb_maze_tidy(struct pb_maze *z)
{
	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++)
			for (int d = 0; d < 4; d++)
				if (!pb_maze_open(z, r, c) ||
				    !pb_maze_open(z, r + pb_dir_row[d],
					c + pb_dir_col[d]))
					put_side(z, r, c, d, false);
}

int
pb_maze_reach(const struct pb_maze *z, int row, int col,
    bool seen[PB_MAZE_SIDE][PB_MAZE_SIDE],
    short order[PB_MAZE_SIDE * PB_MAZE_SIDE])
{
	int n = 0;

	seen[row][col] = true;
	order[n++] = (short)(row * PB_MAZE_SIDE + col);
	for (int i = 0; i < n; i++)
		for (int d = 0; d < 4; d++) {
			int r = order[i] / PB_MAZE_SIDE;
			int c = order[i] % PB_MAZE_SIDE;

			if (!pb_maze_pass(z, r, c, (enum pb_dir)d))
				continue;
			r += pb_dir_row[d];
			c += pb_dir_col[d];
			if (seen[r][c])
				continue;
			seen[r][c] = true;
			order[n++] = (short)(r * PB_MAZE_SIDE + c);
		}
	return n;
}

bool
pb_maze_sided(const struct pb_maze *z)
{
	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++)
			if (z->side[r][c] != 0)
				return true;
	return false;
}

double
pb_maze_pitch(const struct pb_maze *z)
{
	return z->pitch > 0 ? z->pitch : PB_MAZE_CELL;
}

static uint64_t
hash_places(uint64_t h, const struct pb_maze_place *p, int n)
{
	h = pb_hash_u64(h, (uint64_t)n);
	for (int i = 0; i < n; i++) {
		h = pb_hash_u64(h, (uint64_t)p[i].row);
		h = pb_hash_u64(h, (uint64_t)p[i].col);
		h = pb_hash_u64(h, (uint64_t)p[i].dir);
	}
	return h;
}

uint64_t
pb_maze_hash(const struct pb_maze *z)
{
	uint64_t h = PB_HASH_START;

	h = pb_hash_u64(h, (uint64_t)z->rows);
	h = pb_hash_u64(h, (uint64_t)z->cols);
	h = pb_hash_double(h, pb_maze_pitch(z));
	for (int r = 0; r < z->rows; r++) {
		h = pb_hash_bytes(h, z->cell[r], (size_t)z->cols);
		h = pb_hash_bytes(h, z->side[r], (size_t)z->cols);
	}
	h = hash_places(h, &z->start, 1);
	h = hash_places(h, z->ghost, z->ghosts);
	return hash_places(h, z->home, z->homes);
}

int
pb_maze_open_cells(const struct pb_maze *z)
{
	int n = 0;

	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++)
			n += z->cell[r][c] != PB_MAZE_WALL;
	return n;
}

static bool
at(struct pb_maze_fault *f, int rule, int row, int col)
{
	*f = (struct pb_maze_fault){rule, row, col};
	return true;
}

static bool
open_edge(const struct pb_maze *z, struct pb_maze_fault *f)
{
	for (int r = 0; r < z->rows; r++)
		if (pb_maze_open(z, r, 0))
			return at(f, 1, r, 0);
	for (int r = 0; r < z->rows; r++)
		if (pb_maze_open(z, r, z->cols - 1))
			return at(f, 2, r, z->cols - 1);
	for (int c = 0; c < z->cols; c++)
		if (pb_maze_open(z, 0, c))
			return at(f, 3, 0, c);
	for (int c = 0; c < z->cols; c++)
		if (pb_maze_open(z, z->rows - 1, c))
			return at(f, 4, z->rows - 1, c);
	return false;
}

static bool
square(const struct pb_maze *z, struct pb_maze_fault *f)
{
	for (int r = 0; r + 1 < z->rows; r++)
		for (int c = 0; c + 1 < z->cols; c++)
			if (pb_maze_open(z, r, c) &&
			    pb_maze_open(z, r + 1, c) &&
			    pb_maze_open(z, r, c + 1) &&
			    pb_maze_open(z, r + 1, c + 1))
				return at(f, 5, r, c);
	return false;
}

static bool
thin_wall(const struct pb_maze *z, struct pb_maze_fault *f)
{
	for (int r = 1; r + 1 < z->rows; r++)
		for (int c = 1; c + 1 < z->cols; c++) {
			if (pb_maze_open(z, r, c))
				continue;
			if (pb_maze_open(z, r - 1, c) &&
			    pb_maze_open(z, r + 1, c))
				return at(f, 7, r, c);
			if (pb_maze_open(z, r, c - 1) &&
			    pb_maze_open(z, r, c + 1))
				return at(f, 8, r, c);
		}
	return false;
}

bool
pb_maze_rules(const struct pb_maze *z, struct pb_maze_fault *fault)
{
	if (open_edge(z, fault) || square(z, fault))
		return false;
	if (pb_maze_open_cells(z) == 0) {
		at(fault, 6, -1, -1);
		return false;
	}
	return !thin_wall(z, fault);
}

const char *
pb_maze_rule_text(int rule)
{
	static const char *const text[] = {
	    "left edge is not all walls",
	    "right edge is not all walls",
	    "top edge is not all walls",
	    "bottom edge is not all walls",
	    "2 x 2 square of walkable cells at",
	    "no walkable cell",
	    "wall with walkable cells both above and below at",
	    "wall with walkable cells both to the left and right at",
	};

	return rule >= 1 && rule <= 8 ? text[rule - 1] : "unknown rule";
}

/* Whether map cell (x, y) of a maze cell, from its upper left, is wall. */
static bool
solid(const struct pb_maze *z, int row, int col, int x, int y, int per)
{
	const bool edge[4] = {y == 0, x == 0, y == per - 1, x == per - 1};
	bool wall = !pb_maze_open(z, row, col);

	for (int d = 0; d < 4; d++)
		wall |= edge[d] && z->side[row][col] >> d & 1;
	return wall;
}

enum pb_status
pb_maze_to_map(const struct pb_maze *z, double size, int per, struct pb_map *m)
{
	bool sided = pb_maze_sided(z);
	enum pb_status s;

	if (!(size > 0))
		size = pb_maze_pitch(z);
	if (per == 0)
		per = sided ? 8 : 1;
	if (per < (sided ? 3 : 1) || per > PB_MAP_SIDE / PB_MAZE_SIDE)
		return PB_ESIZE;
	s = pb_map_init(m, z->cols * per, z->rows * per, size / per,
	    (struct pb_pose){0, 0, 0});
	if (s != PB_OK)
		return s;
	memcpy(m->name, z->name, sizeof(z->name));
	for (size_t i = 0; i < pb_map_cells(m); i++) {
		struct pb_cell c = pb_map_cell_of(m, i);
		int down = m->height - 1 - c.row;

		m->cell[i] = solid(z, down / per, c.col / per, c.col % per,
				 down % per, per)
		                 ? 100
		                 : 0;
	}
	return PB_OK;
}
