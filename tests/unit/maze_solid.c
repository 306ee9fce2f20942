/* maze_solid.c - tests of the walls of mazes as they stand. */
#include "check.h"

#include "localize/maze_rays.h"
#include "map/board.h"
#include "pb/maze.h"
#include "pb/ray.h"

test(squares)
{
	/* Between the centres of four walls there is wall, and nowhere else. */
	static const char *const rows[] = {"####", "#..#", "#.##", "####"};
	static const char *const want[] = {
	    "#####", "#...#", "#...#", "#..##", "#####"};
	struct pb_maze z = {.rows = 4, .cols = 4, .start.row = -1};
	struct pb_map m;

	for (int r = 0; r < 4; r++)
		memcpy(z.cell[r], rows[r], 4);
	check_int(pb_maze_solid(&z, 0.5, &m), PB_OK);
	check_int(m.width, 5);
	check_int(m.height, 5);
	check_near(m.origin.x, -0.25, 0);
	for (int r = 0; r < 5; r++)
		for (int c = 0; c < 5; c++)
			check_int(m.cell[(4 - r) * 5 + c],
			    want[r][c] == '#' ? 100 : 0);
	pb_map_clear(&m);
}

/*
 * Rays through them are those that localizers walk through squares, at any
 * angle, but for those that hit a corner.
 */
static void
compare(const struct pb_maze *z, struct pb_rng *g, int n)
{
	struct pb_pose frame = pb_maze_frame(z->rows);
	struct pb_regions squares;
	struct pb_cells c;
	struct pb_rays *w;
	struct pb_map m;

	check_int(pb_cells_init(&c, z), PB_OK);
	check_int(pb_regions_init(&squares, &c), PB_OK);
	check_int(pb_maze_solid(z, 1, &m), PB_OK);
	check_int(pb_rays_new(&m, true, &w), PB_OK);
	for (int i = 0; i < n; i++) {
		struct pb_pose p = {pb_rng_between(g, 0, z->rows - 1),
		    pb_rng_between(g, 0, z->cols - 1),
		    pb_rng_between(g, -PB_PI, PB_PI)};
		double most = pb_rng_between(g, 0, 40);

		check_near(pb_ray(w, pb_pose_compose(frame, p), most),
		    pb_square_ray(&squares, pb_pose_vec(p), cos(p.th),
			sin(p.th), most, NULL),
		    1e-9);
	}
	pb_rays_free(w);
	pb_map_clear(&m);
	pb_regions_clear(&squares);
	pb_cells_clear(&c);
}

test(rays_at_any_angle)
{
	struct pb_board_opts o = pb_board_defaults(PB_BOARD_MAZE);
	struct pb_maze z;
	struct pb_rng g = draws(1, PB_FOR_SENSOR);

	check_int(pb_maze_standard("pacman", &z), PB_OK);
	compare(&z, &g, 20000);
	check_int(pb_maze_standard("open", &z), PB_OK);
	compare(&z, &g, 5000);
	for (int i = 0; i < 10; i++) {
		o.seed = (uint64_t)i;
		check_int(pb_gen_board(&o, &z), PB_OK);
		compare(&z, &g, 2000);
	}
}

/* Whether (x, y) is in a wall of z, counted in cells: from the sides that a
 * cell has, and no map. */
static bool
in_wall(const struct pb_maze *z, double x, double y)
{
	int col = (int)floor(x), row = z->rows - 1 - (int)floor(y);
	double u = x - floor(x), v = y - floor(y);
	const double off[4] = {
	    [PB_UP] = 1 - v, [PB_LEFT] = u, [PB_DOWN] = v, [PB_RIGHT] = 1 - u};

	if (!pb_maze_open(z, row, col))
		return true;
	for (int d = 0; d < 4; d++)
		if (off[d] < 1.0 / 16 && (z->side[row][col] >> d & 1))
			return true;
	return false;
}

/* Up to where a ray ends there is no wall, and there is one. */
static void
compare_walled(const struct pb_maze *z, struct pb_rng *g, int n)
{
	double side = pb_maze_pitch(z);
	struct pb_rays *w;
	struct pb_map m;

	check_int(pb_maze_walled(z, &m), PB_OK);
	check_int(pb_rays_new(&m, false, &w), PB_OK);
	for (int i = 0; i < n; i++) {
		double x = pb_rng_between(g, 0, z->cols);
		double y = pb_rng_between(g, 0, z->rows);
		double th = pb_rng_between(g, -PB_PI, PB_PI);
		double dx = cos(th), dy = sin(th);
		double d =
		    pb_ray(w, (struct pb_pose){x * side, y * side, th}, 1000) /
		    side;

		for (double k = 0; k < d - 1e-6; k += 0.003)
			check(!in_wall(z, x + k * dx, y + k * dy));
		check(in_wall(z, x + (d + 1e-6) * dx, y + (d + 1e-6) * dy));
	}
	pb_rays_free(w);
	pb_map_clear(&m);
}

test(walled_boards)
{
	static const char *const name[] = {"roomba", "zumy", "pacman"};
	struct pb_maze z;
	struct pb_rng g = draws(3, PB_FOR_TRIAL);

	for (int i = 0; i < 3; i++) {
		check_int(pb_maze_standard(name[i], &z), PB_OK);
		compare_walled(&z, &g, 3000);
	}
}
