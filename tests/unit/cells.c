/* cells.c - tests of the numbers, distances and rays of mazes. */
#include "check.h"
#include "mazelot.h"

#include "pb/maze.h"

static const int drow[] = {-1, 0, 1, 0}, dcol[] = {0, -1, 0, 1};

/* Distances by relaxing until nothing changes: slow and obvious. */
static void
check_distances_to(const struct pb_cells *c, int j)
{
	int *d = malloc((size_t)c->n * sizeof(*d));
	bool changed = true;

	for (int i = 0; i < c->n; i++)
		d[i] = i == j ? 0 : PB_FAR;
	while (changed) {
		changed = false;
		for (int i = 0; i < c->n; i++)
			for (int k = 0; k < 4; k++) {
				int to = c->cell[i].to[k];

				if (to >= 0 && d[to] + 1 < d[i]) {
					d[i] = d[to] + 1;
					changed = true;
				}
			}
	}
	for (int i = 0; i < c->n; i++) {
		unsigned first = 0;

		check_int(pb_cells_dist(c, i, j), d[i]);
		for (int k = 0; k < 4; k++) {
			int to = c->cell[i].to[k];

			if (to >= 0 && d[i] < PB_FAR && d[to] + 1 == d[i])
				first |= 1u << k;
		}
		check_int(pb_cells_first(c, i, j), first);
	}
	free(d);
}

test(tables)
{
	struct pb_maze z;
	struct pb_cells c;

	for (int i = 0; i < 20; i++) {
		lot(i, &z);
		check_int(pb_cells_init(&c, &z), PB_OK);
		check_int(c.n, pb_maze_open_cells(&z));
		for (int k = 0; k < c.n; k++) {
			int r = c.cell[k].row, q = c.cell[k].col;

			check_int(pb_cells_at(&c, r, q), k);
			for (int d = 0; d < 4; d++) {
				int n = c.cell[k].wall[d];

				check(
				    (c.cell[k].exits >> d & 1) ==
				    pb_maze_open(&z, r + drow[d], q + dcol[d]));
				check(!pb_maze_open(
				    &z, r + n * drow[d], q + n * dcol[d]));
			}
		}
		for (int j = 0; j < c.n; j += 1 + c.n / 7)
			check_distances_to(&c, j);
		check_int(pb_cells_at(&c, -1, 3), -1);
		check_int(pb_cells_at(&c, c.rows, 3), -1);
		check_int(pb_cells_at(&c, c.rows + 1000, 3), -1);
		check_int(pb_cells_at(&c, 3, c.cols), -1);
		pb_cells_clear(&c);
	}
}

test(all_wall)
{
	struct pb_maze z = {.rows = 9, .cols = 9};
	struct pb_cells c = {.n = -3};

	memset(z.cell, PB_MAZE_WALL, sizeof(z.cell));
	check_int(pb_cells_init(&c, &z), PB_ENOFREE);
	check_int(c.n, -3);
}

/* A square between four centres is wall if all four cells are. */
static bool
solid(const struct pb_maze *z, struct pb_vec v)
{
	int r = (int)floor(v.x), c = (int)floor(v.y);

	return !pb_maze_open(z, r, c) && !pb_maze_open(z, r + 1, c) &&
	       !pb_maze_open(z, r, c + 1) && !pb_maze_open(z, r + 1, c + 1);
}

test(rays_against_small_steps)
{
	const double e = 1e-3;
	struct pb_maze z;
	struct pb_cells c;
	struct pb_rng rng = draws(3, PB_FOR_TRIAL);

	for (int i = 0; i < 12; i++) {
		lot(i, &z);
		pb_cells_init(&c, &z);
		for (int k = 0; k < 60; k++) {
			const struct pb_cell_at *at =
			    &c.cell[pb_rng_below(&rng, (uint32_t)c.n)];
			struct pb_vec v = {
			    at->row + pb_rng_between(&rng, -0.9, 0.9),
			    at->col + pb_rng_between(&rng, -0.9, 0.9)};
			int d = (int)pb_rng_below(&rng, 4);
			struct pb_vec w = v;

			while (!solid(&z, w)) {
				w.x += e * drow[d];
				w.y += e * dcol[d];
			}
			check_near(
			    pb_cells_ray(&c, v, d), pb_dist(v, w), 2 * e);
		}
		pb_cells_clear(&c);
	}
}

test(rays_from_centres)
{
	struct pb_maze z;
	struct pb_cells c;

	for (int i = 0; i < 12; i++) {
		lot(i, &z);
		pb_cells_init(&c, &z);
		for (int k = 0; k < c.n; k++)
			for (int d = 0; d < 4; d++)
				check_near(pb_cells_ray(&c,
					       pb_cells_xy(c.cell[k].row,
						   c.cell[k].col),
					       d),
				    c.cell[k].wall[d], 0);
		pb_cells_clear(&c);
	}
}

test(frame)
{
	int r, c;

	pb_cells_of_xy(pb_cells_xy(5, 9), &r, &c);
	check(r == 5 && c == 9);
	pb_cells_of_xy((struct pb_vec){2.5, -0.51}, &r, &c);
	check(r == 3 && c == -1);
	pb_cells_of_xy((struct pb_vec){1e300, -1e300}, &r, &c);
	check(r > 1000000 && c < -1000000);
	pb_cells_of_xy((struct pb_vec){NAN, INFINITY}, &r, &c);
	check(r < 0 && c > 1000000);
}
