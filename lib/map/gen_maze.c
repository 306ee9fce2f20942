/* gen_maze.c - random mazes that keep the grid rules. */
#include "map/gen_maze.h"

#include <string.h>

#include "base/rng.h"

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

enum pb_status
pb_maze_opts_check(const struct pb_maze_opts *o, const char **bad)
{
	const char *wrong = NULL;

	if (o->rows < PB_MAZE_RULE_MIN || o->rows > PB_MAZE_SIDE)
		wrong = "rows";
	else if (o->cols < PB_MAZE_RULE_MIN || o->cols > PB_MAZE_SIDE)
		wrong = "cols";
	else if (!(o->loops >= 0 && o->loops <= 1))
		wrong = "loops";
	else if (o->power < 0 || o->power > PB_MAZE_POWER_MAX)
		wrong = "power";
	if (wrong == NULL)
		return PB_OK;
	if (bad != NULL)
		*bad = wrong;
	return PB_EVALUE;
}

/*
 * Lay lines from `first` to `last`, both included, with gaps of GAP to
 * GAP + 2 but for what is left at the end; how many.
 */
static int
lay_lines(struct pb_rng *r, int first, int last, int *at)
{
	int n = 0, p = first;

	at[n++] = p;
	while (last - p >= 2 * GAP) {
		int room = last - p - GAP, more = room < 2 ? room : 2;

		p += GAP + (int)pb_rng_below(r, (uint32_t)more + 1);
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
		return lay_lines(r, 1, n - 2, at);
	half = k = lay_lines(r, 1, last, at);
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

static void
dig(struct pb_maze *z, int r0, int c0, int r1, int c1)
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

			dig(z, r, c, r, c);
			if (g->east[i][j])
				dig(z, r, c, r, g->col[j + 1]);
			if (g->south[i][j])
				dig(z, r, c, g->row[i + 1], c);
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
	enum pb_status s = pb_maze_opts_check(o, NULL);
	struct graph g = {.rows = 0};
	struct pb_rng r;

	if (s != PB_OK)
		return s;
	pb_rng_start(&r, o->seed, 0, PB_FOR_MAP, 1);
	g.rows = lay_lines(&r, 1, o->rows - 2, g.row);
	g.cols = o->mirror ? lay_mirrored(&r, o->cols, g.col)
	                   : lay_lines(&r, 1, o->cols - 2, g.col);
	grow_tree(&g, &r, o->mirror);
	add_loops(&g, o, &r);
	*z = (struct pb_maze){.rows = o->rows, .cols = o->cols};
	memset(z->cell, PB_MAZE_WALL, sizeof(z->cell));
	memcpy(z->name, "maze", sizeof "maze");
	draw(&g, z);
	populate(z, o->power);
	return PB_OK;
}
