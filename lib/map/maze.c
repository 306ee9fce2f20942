/* maze.c - boards of cells. */
#include "pb/maze.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
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
set_side_bit(struct pb_maze *z, int row, int col, int d, bool wall)
{
	unsigned char *s = &z->side[row][col];

	*s = (unsigned char)(wall ? *s | 1 << d : *s & ~(1 << d));
}

void
pb_maze_side(struct pb_maze *z, int row, int col, enum pb_dir d, bool wall)
{
	int r = row + pb_dir_row[d], c = col + pb_dir_col[d];

	set_side_bit(z, row, col, (int)d, wall);
	if (r >= 0 && r < z->rows && c >= 0 && c < z->cols)
		set_side_bit(z, r, c, (int)(d + 2) % 4, wall);
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
					set_side_bit(z, r, c, d, false);
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

struct pb_pose
pb_maze_pose(
    const struct pb_maze *z, int row, int col, enum pb_dir d, double th)
{
	static const double heading[] = {[PB_UP] = PB_PI / 2,
	    [PB_LEFT] = PB_PI,
	    [PB_DOWN] = -PB_PI / 2,
	    [PB_RIGHT] = 0};
	double side = pb_maze_pitch(z);

	return (struct pb_pose){(col + 0.5) * side,
	    (z->rows - 1 - row + 0.5) * side, d == PB_STAY ? th : heading[d]};
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

/* Whether a cell breaks the rule of that number. */
static bool
breaks_rule(const struct pb_maze *z, int rule, int r, int c)
{
	bool open = pb_maze_open(z, r, c);
	bool inner = r > 0 && c > 0 && r + 1 < z->rows && c + 1 < z->cols;

	switch (rule) {
	case 1:
		return open && c == 0;
	case 2:
		return open && c == z->cols - 1;
	case 3:
		return open && r == 0;
	case 4:
		return open && r == z->rows - 1;
	case 5:
		return open && pb_maze_open(z, r + 1, c) &&
		       pb_maze_open(z, r, c + 1) &&
		       pb_maze_open(z, r + 1, c + 1);
	case 7:
		return !open && inner && pb_maze_open(z, r - 1, c) &&
		       pb_maze_open(z, r + 1, c);
	case 8:
		return !open && inner && pb_maze_open(z, r, c - 1) &&
		       pb_maze_open(z, r, c + 1);
	default:
		return false;
	}
}

bool
pb_maze_rules(const struct pb_maze *z, struct pb_maze_fault *fault)
{
	/* The two kinds of thin walls are tested together. */
	static const int also[] = {[7] = 8};

	for (int rule = 1; rule <= 7; rule++) {
		for (int i = 0; i < z->rows * z->cols; i++) {
			int r = i / z->cols, c = i % z->cols;
			bool first = breaks_rule(z, rule, r, c);

			*fault = (struct pb_maze_fault){
			    first ? rule : also[rule], r, c};
			if (first || breaks_rule(z, also[rule], r, c))
				return false;
		}
		*fault = (struct pb_maze_fault){6, -1, -1};
		if (rule == 6 && pb_maze_open_cells(z) == 0)
			return false;
	}
	return true;
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

/* Whether map cell (x, y), from the upper left of a maze cell, is wall. */
static bool
is_wall_at(const struct pb_maze *z, int row, int col, int x, int y, int per)
{
	const bool edge[4] = {y == 0, x == 0, y == per - 1, x == per - 1};
	bool wall = !pb_maze_open(z, row, col);

	for (int d = 0; !wall && d < 4; d++)
		wall |= edge[d] && z->side[row][col] >> d & 1;
	return wall;
}

/* Draw z with `per` map cells along a cell of side `size` (m), and a rim of
 * wall `rim` cells wide. */
static enum pb_status
draw_map(
    const struct pb_maze *z, double size, int per, int rim, struct pb_map *m)
{
	int w = z->cols * per, h = z->rows * per;
	double side = size / per, corner = 0 - rim * side;
	enum pb_status s = pb_map_init(m, w + 2 * rim, h + 2 * rim, side,
	    (struct pb_pose){corner, corner, 0});

	if (s != PB_OK)
		return s;
	memcpy(m->name, z->name, sizeof(z->name));
	for (size_t i = 0; i < pb_map_cells(m); i++) {
		struct pb_cell c = pb_map_cell_of(m, i);
		int x = c.col - rim, y = h - 1 - (c.row - rim);
		bool free =
		    x >= 0 && y >= 0 && x < w && y < h &&
		    !is_wall_at(z, y / per, x / per, x % per, y % per, per);

		m->cell[i] = free ? 0 : 100;
	}
	return PB_OK;
}

enum pb_status
pb_maze_to_map(const struct pb_maze *z, double size, int per, struct pb_map *m)
{
	bool sided = pb_maze_sided(z);

	if (per == 0)
		per = sided ? PB_MAZE_PER : 1;
	if (per < (sided ? 3 : 1) || per > PB_MAP_SIDE / PB_MAZE_SIDE)
		return PB_ESIZE;
	return draw_map(z, size > 0 ? size : pb_maze_pitch(z), per, 0, m);
}

enum pb_status
pb_maze_walled(const struct pb_maze *z, struct pb_map *m)
{
	return draw_map(z, pb_maze_pitch(z), PB_MAZE_WALLED, 1, m);
}

/* Whether the square whose lower right corner is the centre of cell (row, col)
 * is wall. */
static bool
corner_solid(const struct pb_maze *z, int row, int col)
{
	return !pb_maze_open(z, row, col) && !pb_maze_open(z, row - 1, col) &&
	       !pb_maze_open(z, row, col - 1) &&
	       !pb_maze_open(z, row - 1, col - 1);
}

enum pb_status
pb_maze_solid(const struct pb_maze *z, double cell, struct pb_map *m)
{
	enum pb_status s = pb_map_init(m, z->cols + 1, z->rows + 1, cell,
	    (struct pb_pose){-cell / 2, -cell / 2, 0});

	if (s != PB_OK)
		return s;
	for (int row = 0; row <= z->rows; row++)
		for (int col = 0; col <= z->cols; col++) {
			struct pb_cell c = {col, z->rows - row};

			m->cell[pb_map_index(m, c)] =
			    corner_solid(z, row, col) ? 100 : 0;
		}
	memcpy(m->name, z->name, sizeof(z->name));
	return PB_OK;
}

static int
steps_to_wall(const struct pb_maze *z, int row, int col, int d)
{
	int n = 1;

	while (pb_maze_pass(z, row, col, (enum pb_dir)d)) {
		row += pb_dir_row[d];
		col += pb_dir_col[d];
		n++;
	}
	return n;
}

static void
number_cells(struct pb_cells *c, const struct pb_maze *z)
{
	int n = 0;

	memset(c->at, -1, sizeof(c->at));
	for (int r = 0; r < z->rows; r++)
		for (int k = 0; k < z->cols; k++) {
			if (!pb_maze_open(z, r, k))
				continue;
			c->at[r + 1][k + 1] = (int16_t)n;
			c->cell[n].row = (int8_t)r;
			c->cell[n].col = (int8_t)k;
			n++;
		}
	for (int i = 0; i < n; i++) {
		struct pb_cell_at *p = &c->cell[i];

		for (int d = 0; d < 4; d++) {
			p->to[d] = -1;
			if (pb_maze_pass(z, p->row, p->col, (enum pb_dir)d))
				p->to[d] = (int16_t)pb_cells_at(c,
				    p->row + pb_dir_row[d],
				    p->col + pb_dir_col[d]);
			p->exits |= (uint8_t)((p->to[d] >= 0) << d);
			p->wall[d] =
			    (uint8_t)steps_to_wall(z, p->row, p->col, d);
		}
	}
}

/* Distances from every cell to cell j, and the first steps that lead there. */
static void
fill_distances(struct pb_cells *c, int j)
{
	size_t n = (size_t)c->n;
	int16_t *queue = c->near + (size_t)j * n;
	int head = 0, tail = 0;

	queue[tail++] = (int16_t)j;
	c->dist[(size_t)j * n + (size_t)j] = 0;
	while (head < tail) {
		int i = queue[head++];
		uint16_t next =
		    (uint16_t)(c->dist[(size_t)i * n + (size_t)j] + 1);

		for (int d = 0; d < 4; d++) {
			int k = c->cell[i].to[d];
			size_t at = (size_t)k * n + (size_t)j;

			if (k < 0 || c->dist[at] < next)
				continue;
			if (c->dist[at] == PB_FAR)
				queue[tail++] = (int16_t)k;
			c->dist[at] = next;
			/* From k the path leads back, opposite to d. */
			c->first[at] |= (uint8_t)(1u << ((d + 2) & 3));
		}
	}
}

enum pb_status
pb_cells_init(struct pb_cells *c, const struct pb_maze *z)
{
	struct pb_cells k = {
	    .n = pb_maze_open_cells(z), .rows = z->rows, .cols = z->cols};
	size_t n = (size_t)k.n;

	if (n == 0)
		return PB_ENOFREE;
	k.cell = calloc(n, sizeof(*k.cell));
	k.dist = malloc(n * n * sizeof(*k.dist));
	k.first = calloc(n, n);
	k.near = malloc(n * n * sizeof(*k.near));
	if (!k.cell || !k.dist || !k.first || !k.near) {
		pb_cells_clear(&k);
		return PB_ENOMEM;
	}
	number_cells(&k, z);
	memset(k.dist, 0xff, n * n * sizeof(*k.dist));
	memset(k.near, 0xff, n * n * sizeof(*k.near));
	for (int j = 0; j < k.n; j++)
		fill_distances(&k, j);
	*c = k;
	return PB_OK;
}

void
pb_cells_clear(struct pb_cells *c)
{
	free(c->cell);
	free(c->dist);
	free(c->first);
	free(c->near);
	*c = (struct pb_cells){0};
}

unsigned
pb_cells_first(const struct pb_cells *c, int i, int j)
{
	return c->first[(size_t)i * (size_t)c->n + (size_t)j];
}

struct pb_vec
pb_cells_xy(int row, int col)
{
	return (struct pb_vec){row, col};
}

struct pb_pose
pb_maze_frame(int rows)
{
	/* The x axis of the maze points down the rows. */
	return (struct pb_pose){0.5, rows - 0.5, -PB_PI / 2};
}

void
pb_cells_of_xy(struct pb_vec v, int *row, int *col)
{
	*row = pb_to_int(floor(v.x + 0.5));
	*col = pb_to_int(floor(v.y + 0.5));
}

/* A grid line that a ray follows, between two rows of cells. */
struct line {
	const struct pb_cells *c;
	int lo, hi; /* the rows on its two sides; equal if it is on one */
	bool rows;  /* it runs across rows, not along one */
};

static bool
is_wall_at_line(const struct line *l, int p)
{
	int a =
	    l->rows ? pb_cells_at(l->c, p, l->lo) : pb_cells_at(l->c, l->lo, p);
	int b =
	    l->rows ? pb_cells_at(l->c, p, l->hi) : pb_cells_at(l->c, l->hi, p);

	return a < 0 && b < 0;
}

double
pb_cells_ray(const struct pb_cells *c, struct pb_vec v, int d)
{
	bool rows = d == PB_UP || d == PB_DOWN;
	int step = d == PB_DOWN || d == PB_RIGHT ? 1 : -1, p;
	double along = rows ? v.x : v.y, across = rows ? v.y : v.x;
	struct line l = {c, (int)floor(across), (int)ceil(across), rows};

	/* Between four centres is wall if all four cells are walls. On the line
	 * through centres one wall cell ahead stops the ray too. */
	p = step > 0 ? (int)floor(along) : (int)ceil(along);
	while (!is_wall_at_line(&l, p) ||
	       !(is_wall_at_line(&l, p + step) ||
		   (l.lo == l.hi && (p - along) * step > 0)))
		p += step;
	return fmax(0, (p - along) * step);
}
