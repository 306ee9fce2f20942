/* maze.c - mazes of cells, and random ones. */
#include "pb/maze.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/hash.h"
#include "map/gen_maze.h"
#include "pb/rng.h"

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
		per = sided ? PB_MAZE_PER : 1;
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

/* The square whose lower right corner is the centre of cell (row, col). */
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

enum pb_status
pb_maze_walled(const struct pb_maze *z, struct pb_map *m)
{
	struct pb_map in;
	double side = pb_maze_pitch(z) / PB_MAZE_WALLED;
	enum pb_status s = pb_maze_to_map(z, 0, PB_MAZE_WALLED, &in);

	if (s != PB_OK)
		return s;
	s = pb_map_init(m, in.width + 2, in.height + 2, side,
	    (struct pb_pose){-side, -side, 0});
	if (s == PB_OK) {
		memset(m->cell, 100, pb_map_cells(m));
		for (int row = 0; row < in.height; row++)
			for (int col = 0; col < in.width; col++)
				m->cell[pb_map_index(
				    m, (struct pb_cell){col + 1, row + 1})] =
				    pb_map_at(&in, (struct pb_cell){col, row});
		memcpy(m->name, z->name, sizeof(z->name));
	}
	pb_map_clear(&in);
	return s;
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
number(struct pb_cells *c, const struct pb_maze *z)
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
spread(struct pb_cells *c, int j)
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
			/* From k the way leads back against d. */
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
	number(&k, z);
	memset(k.dist, 0xff, n * n * sizeof(*k.dist));
	memset(k.near, 0xff, n * n * sizeof(*k.near));
	for (int j = 0; j < k.n; j++)
		spread(&k, j);
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
	/* Its x runs down the rows. */
	return (struct pb_pose){0.5, rows - 0.5, -PB_PI / 2};
}

void
pb_cells_of_xy(struct pb_vec v, int *row, int *col)
{
	*row = pb_to_int(floor(v.x + 0.5));
	*col = pb_to_int(floor(v.y + 0.5));
}

/* A line of the grid along which a ray runs, between two rows of cells. */
struct line {
	const struct pb_cells *c;
	int lo, hi; /* the rows on its two sides; equal if it is on one */
	bool rows;  /* it runs across rows, not along one */
};

static bool
wall_at(const struct line *l, int p)
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

	/*
	 * Between four centres there is wall if all four cells are walls. On
	 * the line through centres a single wall cell ahead stops the ray too.
	 */
	p = step > 0 ? (int)floor(along) : (int)ceil(along);
	while (!wall_at(&l, p) || !(wall_at(&l, p + step) ||
				      (l.lo == l.hi && (p - along) * step > 0)))
		p += step;
	return fmax(0, (p - along) * step);
}

/*
 * Corridors run along lines that are at least three cells apart: then no two
 * of them touch, and every wall between them is at least two cells thick,
 * which is what the grid rules ask. The maze is a graph: its nodes are the
 * crossings of a horizontal and a vertical line, its edges the stretches of
 * corridor between neighbouring crossings.
 */
#define GAP   3
#define LINES (PB_MAZE_SIDE / GAP + 1)

struct graph {
	int row[LINES], col[LINES]; /* where the lines are, ascending */
	int rows, cols;             /* how many there are */
	bool east[LINES][LINES];    /* edge from (i, j) to (i, j + 1) */
	bool south[LINES][LINES];   /* edge from (i, j) to (i + 1, j) */
};

struct pb_maze_opts
pb_maze_defaults(void)
{
	return (struct pb_maze_opts){
	    .rows = 31,
	    .cols = 28,
	    .seed = 1,
	    .loops = 0.15,
	    .mirror = true,
	    .power = 4,
	};
}

/* The first that is wrong of what both kinds of boards have, NULL if none. */
static const char *
wrong_of(int rows, int cols, int least, int most, double loops, int power,
    int powers)
{
	return rows < least || rows > most   ? "rows"
	       : cols < least || cols > most ? "cols"
	       : !(loops >= 0 && loops <= 1) ? "loops"
	       : power < 0 || power > powers ? "power"
	                                     : NULL;
}

const char *
pb_maze_opts_wrong(const struct pb_maze_opts *o)
{
	return wrong_of(o->rows, o->cols, PB_MAZE_RULE_MIN, PB_MAZE_SIDE,
	    o->loops, o->power, PB_MAZE_POWER_MAX);
}

const char *
pb_board_opts_wrong(const struct pb_board_opts *o)
{
	const char *wrong = wrong_of(o->rows, o->cols, PB_BOARD_SIDE_MIN,
	    PB_BOARD_SIDE_MAX, o->loops, o->power, 4);

	if (wrong == NULL && !(o->obstacles >= 0 && o->obstacles <= 0.6))
		return "obstacles";
	return wrong;
}

/*
 * Lay lines from 1 to `last`, both included, with gaps of GAP to GAP + 2 but
 * for what is left at the end; how many.
 */
static int
lay_lines(struct pb_rng *r, int last, int *at)
{
	int n = 0, p = 1;

	at[n++] = p;
	while (last - p >= 2 * GAP) {
		p += GAP + (int)pb_rng_below(r, 3);
		at[n++] = p;
	}
	if (last - p >= GAP)
		at[n++] = last;
	return n;
}

/*
 * Lines that mirror themselves over the middle of cells 1..n-2. The two in
 * the middle must not be nearer than GAP; an odd board may have one in the
 * middle itself.
 */
static int
lay_mirrored(struct pb_rng *r, int n, int *at)
{
	bool centre = n % 2 == 1 && n / 2 - 1 >= GAP;
	int last = centre ? n / 2 - GAP : (n - 1 - GAP) / 2, half, k;

	if (last < 1)
		return lay_lines(r, n - 2, at);
	half = k = lay_lines(r, last, at);
	if (centre)
		at[k++] = n / 2;
	while (half-- > 0)
		at[k++] = n - 1 - at[half];
	return k;
}

/* The node that node i stands for when the maze is mirrored. */
static int
image(const struct graph *g, int i)
{
	return i / g->cols * g->cols + (g->cols - 1 - i % g->cols);
}

static bool *
edge(struct graph *g, int i, int j)
{
	int a = i < j ? i : j;

	return (i < j ? j - i : i - j) == 1 && g->cols > 1
	           ? &g->east[a / g->cols][a % g->cols]
	           : &g->south[a / g->cols][a % g->cols];
}

static void
join(struct graph *g, int i, int j, bool mirror)
{
	*edge(g, i, j) = true;
	if (mirror)
		*edge(g, image(g, i), image(g, j)) = true;
}

/* The neighbours of node i in the lattice; how many. */
static int
beside(const struct graph *g, int i, int *to)
{
	int n = 0, r = i / g->cols, c = i % g->cols;

	if (r > 0)
		to[n++] = i - g->cols;
	if (c > 0)
		to[n++] = i - 1;
	if (r + 1 < g->rows)
		to[n++] = i + g->cols;
	if (c + 1 < g->cols)
		to[n++] = i + 1;
	return n;
}

static int
degree(struct graph *g, int i)
{
	int to[4], n = beside(g, i, to), d = 0;

	while (n-- > 0)
		d += *edge(g, i, to[n]);
	return d;
}

/*
 * A random tree over the lattice by depth-first search: long winding
 * corridors. With the mirror each step is taken on both sides at once, which
 * adds loops across the middle but keeps all connected.
 */
static void
grow_tree(struct graph *g, struct pb_rng *r, bool mirror)
{
	bool seen[LINES * LINES] = {false};
	int stack[LINES * LINES], top = 0;

	stack[top++] = 0;
	seen[0] = true;
	while (top > 0) {
		int i = stack[top - 1], to[4], n = beside(g, i, to), k = 0;

		for (int d = 0; d < n; d++)
			if (!seen[to[d]])
				to[k++] = to[d];
		if (k == 0) {
			top--;
			continue;
		}
		k = to[pb_rng_below(r, (uint32_t)k)];
		seen[k] = true;
		join(g, i, k, mirror);
		stack[top++] = k;
	}
}

/* Give every dead end a second way out, and some other nodes a further one. */
static void
add_loops(struct graph *g, const struct pb_maze_opts *o, struct pb_rng *r)
{
	for (int i = 0; i < g->rows * g->cols; i++) {
		int to[4], n = beside(g, i, to), k = 0;

		for (int d = 0; d < n; d++)
			if (!*edge(g, i, to[d]))
				to[k++] = to[d];
		if (k > 0 && ((!o->dead_ends && degree(g, i) < 2) ||
				 pb_rng_unit(r) < o->loops))
			join(g, i, to[pb_rng_below(r, (uint32_t)k)], o->mirror);
	}
}

void
pb_maze_dig(struct pb_maze *z, int r0, int c0, int r1, int c1)
{
	for (int r = r0; r <= r1; r++)
		for (int c = c0; c <= c1; c++)
			z->cell[r][c] = PB_MAZE_PELLET;
}

static void
draw(const struct graph *g, struct pb_maze *z)
{
	for (int i = 0; i < g->rows; i++)
		for (int j = 0; j < g->cols; j++) {
			int r = g->row[i], c = g->col[j];

			pb_maze_dig(z, r, c, r, c);
			if (g->east[i][j])
				pb_maze_dig(z, r, c, r, g->col[j + 1]);
			if (g->south[i][j])
				pb_maze_dig(z, r, c, g->row[i + 1], c);
		}
}

/* The cell to walk on that is nearest to (row, col) and holds a pellet. */
static struct pb_maze_place
nearest(const struct pb_maze *z, int row, int col)
{
	struct pb_maze_place best = {-1, -1, PB_LEFT};
	int least = 0;

	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++) {
			int d = (r - row) * (r - row) + (c - col) * (c - col);

			if (z->cell[r][c] != PB_MAZE_PELLET ||
			    (best.row >= 0 && d >= least))
				continue;
			best.row = r;
			best.col = c;
			least = d;
		}
	return best;
}

/* Start, ghosts and power pellets, where the arcade has them. */
static void
populate(struct pb_maze *z, int power)
{
	z->start = nearest(z, z->rows * 3 / 4, z->cols / 2);
	z->cell[z->start.row][z->start.col] = PB_MAZE_EMPTY;
	for (int i = 0; i < 4; i++) {
		struct pb_maze_place p =
		    nearest(z, z->rows * 3 / 8, z->cols / 2 + (i - 2) * 2);

		if (p.row >= 0)
			z->ghost[z->ghosts++] = p;
	}
	for (int i = 0; i < power; i++) {
		/* From the corners inwards, one ring of four at a time. */
		int in = 1 + i / 4 * z->rows / 8;
		struct pb_maze_place p = nearest(z,
		    i & 1 ? z->rows - 1 - in - z->rows / 8 : in + z->rows / 16,
		    i & 2 ? z->cols - 1 - in : in);

		if (p.row >= 0)
			z->cell[p.row][p.col] = PB_MAZE_POWER;
	}
}

enum pb_status
pb_gen_maze(const struct pb_maze_opts *o, struct pb_maze *z)
{
	struct graph g = {.rows = 0};
	struct pb_rng r;

	if (pb_maze_opts_wrong(o) != NULL)
		return PB_EVALUE;
	pb_rng_start(&r, o->seed, 0, PB_FOR_MAP, 1);
	g.rows = lay_lines(&r, o->rows - 2, g.row);
	g.cols = o->mirror ? lay_mirrored(&r, o->cols, g.col)
	                   : lay_lines(&r, o->cols - 2, g.col);
	grow_tree(&g, &r, o->mirror);
	add_loops(&g, o, &r);
	*z = (struct pb_maze){.rows = o->rows, .cols = o->cols};
	memset(z->cell, PB_MAZE_WALL, sizeof(z->cell));
	memcpy(z->name, "maze", sizeof "maze");
	draw(&g, z);
	populate(z, o->power);
	return PB_OK;
}

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

/* Open the wall on side d of a cell, unless it is that around the board. */
static void
open_side(struct pb_maze *z, int row, int col, int d)
{
	if (inside(z, row + pb_dir_row[d], col + pb_dir_col[d]))
		pb_maze_side(z, row, col, (enum pb_dir)d, false);
}

/* Open walls that stand in nobody's way. */
static void
open_up(struct pb_maze *z, const struct pb_board_opts *o, struct pb_rng *rng)
{
	for (int r = 0; r < z->rows; r++)
		for (int c = 0; c < z->cols; c++) {
			for (int d = PB_DOWN; d <= PB_RIGHT; d++)
				if (pb_rng_unit(rng) < o->loops)
					open_side(z, r, c, d);
			while (!o->dead_ends && exits(z, r, c) < 2)
				open_side(z, r, c, (int)pb_rng_below(rng, 4));
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

	if (pb_board_opts_wrong(o) != NULL)
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

/* Numbers 0..n - 1 in a random order, by Fisher and Yates, from the inside. */
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

	if (pb_board_opts_wrong(o) != NULL)
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
