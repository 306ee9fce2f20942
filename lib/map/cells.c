/* cells.c - the cells to walk on in a maze: numbers, distances, rays. */
#include "map/cells.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

int
pb_cells_at(const struct pb_cells *c, int row, int col)
{
	if (row < 0 || row >= c->rows || col < 0 || col >= c->cols)
		return -1;
	return c->at[row + 1][col + 1];
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

/* The nearest integer, at the ends of int where v is beyond them or NAN. */
static int
nearest(double v)
{
	v = floor(v + 0.5);
	return v > INT_MAX ? INT_MAX : v >= INT_MIN ? (int)v : INT_MIN;
}

void
pb_cells_of_xy(struct pb_vec v, int *row, int *col)
{
	*row = nearest(v.x);
	*col = nearest(v.y);
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
