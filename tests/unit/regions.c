/* regions.c - tests of the regions of mazes and of rays through them. */
#include "check.h"
#include "mazelot.h"
#include "mazeworld.h"

#include "localize/maze_rays.h"

test(numbers_of_regions)
{
	static const int published[] = {143, 13, 8, 1, 1};

	for (int i = 0; i < 5; i++) {
		struct world w;
		struct pb_regions g;

		open_world(&w, pb_maze_names()[i]);
		check_int(pb_regions_init(&g, &w.cells), PB_OK);
		check_int(g.n, published[i]);
		pb_regions_clear(&g);
		close_world(&w);
	}
}

/* Four rays from the middle of a square. */
static void
look(const struct pb_cells *c, int x, int y, double ray[4])
{
	for (int i = 0; i < 4; i++)
		ray[i] = pb_cells_ray(
		    c, (struct pb_vec){x + 0.5, y + 0.5}, (int)pb_tof_dir(i));
}

/*
 * Regions cover what is not wall, once; their squares see what they say; and
 * no two that touch along an edge see the same.
 */
static void
check_regions(const struct pb_cells *c, const struct pb_regions *g)
{
	int covered = 0, free_squares = 0;

	for (int i = 0; i < g->n; i++)
		covered += (g->at[i].hi[0] - g->at[i].lo[0]) *
		           (g->at[i].hi[1] - g->at[i].lo[1]);
	for (int x = -1; x < c->rows; x++)
		for (int y = -1; y < c->cols; y++) {
			int k = pb_region_at(g, x, y);
			double ray[4];

			look(c, x, y, ray);
			check((k < 0) == (ray[0] + ray[1] == 0));
			if (k < 0)
				continue;
			free_squares++;
			for (int i = 0; i < 4; i++)
				check_near(
				    pb_tof_sign(i) * (g->at[k].face[i] -
							 (i % 2 ? y : x) - 0.5),
				    ray[i], 0);
			for (int d = 0; d < 2; d++) {
				int n = pb_region_at(g, x + d, y + !d);

				check(n < 0 || n == k ||
				      memcmp(g->at[n].face, g->at[k].face, 4) !=
					  0);
			}
		}
	check_int(covered, free_squares);
	/* A point on edges is in a region if a square beside it is. */
	for (int u = 0; u <= 2 * c->rows; u++)
		for (int v = 0; v <= 2 * c->cols; v++) {
			struct pb_vec at = {u / 2.0, v / 2.0};
			bool some = false;

			for (int x = (u + 1) / 2 - 1; x <= u / 2; x++)
				for (int y = (v + 1) / 2 - 1; y <= v / 2; y++)
					some |= pb_region_at(g, x, y) >= 0;
			check((pb_region_of(g, at) >= 0) == some);
		}
}

test(regions_are_what_rays_see)
{
	struct pb_rng r = draws(5, PB_FOR_TRIAL);

	for (int i = 0; i < 14; i++) {
		struct pb_maze z;
		struct pb_cells c;
		struct pb_regions g;

		lot(i, &z);
		check_int(pb_cells_init(&c, &z), PB_OK);
		check_int(pb_regions_init(&g, &c), PB_OK);
		check_regions(&c, &g);
		for (int k = 0; k < 200; k++) {
			const struct pb_cell_at *at =
			    &c.cell[pb_rng_below(&r, (uint32_t)c.n)];
			struct pb_vec v = {
			    at->row + pb_rng_between(&r, -0.9, 0.9),
			    at->col + pb_rng_between(&r, -0.9, 0.9)};

			for (int a = 0; a < 4; a++)
				check_near(pb_regions_ray(&g, v, a),
				    pb_cells_ray(&c, v, (int)pb_tof_dir(a)),
				    1e-12);
		}
		pb_regions_clear(&g);
		pb_cells_clear(&c);
	}
}

/* The ray at an angle against steps of a thousandth. */
test(ray_at_angles)
{
	struct world w;
	struct pb_regions g;
	struct pb_rng r = draws(6, PB_FOR_TRIAL);

	open_world(&w, "pacman");
	check_int(pb_regions_init(&g, &w.cells), PB_OK);
	for (int k = 0; k < 300; k++) {
		const struct pb_cell_at *at =
		    &w.cells.cell[pb_rng_below(&r, (uint32_t)w.cells.n)];
		struct pb_vec v = {at->row + pb_rng_between(&r, -0.9, 0.9),
		    at->col + pb_rng_between(&r, -0.9, 0.9)};
		double a = k < 8 ? k * PB_PI / 4 : pb_rng_between(&r, -4, 4);
		double d = 0, ux = cos(a), uy = sin(a);

		while (d < 2.8 && pb_region_of(&g, (struct pb_vec){v.x + d * ux,
						       v.y + d * uy}) >= 0)
			d += 1e-3;
		/* The walker may slip through where two walls meet. */
		if (fabs(pb_square_ray(&g, v, ux, uy, 2.8, NULL) - d) > 3e-3)
			check(d < 2.8 && pb_square_ray(&g, v, ux, uy, 2.8,
					     NULL) <= d + 3e-3);
	}
	pb_regions_clear(&g);
	close_world(&w);
}

/* Whatever is outside is wall, however far away. */
test(far_outside)
{
	static const double at[] = {1e9, -1e9, 1e300, -1e300, NAN, INFINITY};
	struct world w;
	struct pb_regions g;

	open_world(&w, "pacman");
	check_int(pb_regions_init(&g, &w.cells), PB_OK);
	for (size_t i = 0; i < sizeof(at) / sizeof(*at); i++)
		for (int turned = 0; turned < 2; turned++) {
			struct pb_vec v = {
			    turned ? 5 : at[i], turned ? at[i] : 5};

			check(pb_square_ray(&g, v, 0.6, -0.8, 9, NULL) == 0);
			check(pb_square_touch(&g, v, 0.1));
			check(pb_region_of(&g, v) < 0);
		}
	pb_regions_clear(&g);
	close_world(&w);
}
