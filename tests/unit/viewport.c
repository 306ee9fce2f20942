/* viewport.c - tests of the window, scale and shrinking of pictures. */
#include "check.h"

#include "view/canvas.h"

static struct pb_map
random_map(uint64_t seed, int w, int h, double walls)
{
	struct pb_rng r = draws(seed, PB_FOR_MAP);
	struct pb_map m;

	check_int(
	    pb_map_init(&m, w, h, 0.05, (struct pb_pose){-1, 2, 0}), PB_OK);
	for (size_t i = 0; i < pb_map_cells(&m); i++) {
		double u = pb_rng_unit(&r);

		m.cell[i] = u < walls ? 100 : u < walls + 0.1 ? -1 : 0;
	}
	return m;
}

/* Place of dot i among n cells, by the definition of a port. */
static int
in_dot(long c, long i, long num, long den, int n)
{
	long a = i * num / den, b = (i + 1) * num / den;

	if (b <= a)
		b = a + 1;
	if (b > n)
		b = n;
	if (a >= b)
		a = b - 1;
	return c >= a && c < b;
}

static int
kind(int v)
{
	return pb_cell_occupied(v) ? PB_DOT_WALL
	       : pb_cell_free(v)   ? PB_DOT_FREE
	                           : PB_DOT_UNKNOWN;
}

/* The twin: each dot looks at every cell of the window. */
static int
slow_dot(const struct pb_viewport *p, const struct pb_map *m, int x, int y)
{
	int best = PB_DOT_FREE;

	for (int r = 0; r < p->rows; r++)
		for (int c = 0; c < p->cols; c++) {
			int k = kind(pb_map_at(
			    m, (struct pb_cell){p->col0 + c, p->row0 + r}));

			if (in_dot(c, x, p->num, p->den, p->cols) &&
			    in_dot(r, p->height - 1 - y, p->num * p->tall,
				p->den, p->rows) &&
			    k > best)
				best = k;
		}
	return best;
}

static void
compare(const struct pb_scene *s, int width, int height, int tall)
{
	const struct pb_map *m = s->map;
	struct pb_render_opts o = {.whole = true};
	struct pb_viewport p;
	unsigned char *dot;
	int bad = 0;

	check(pb_viewport_window(s, &o, &p));
	pb_viewport_fit(&p, width, height, tall, 8);
	check(p.width >= 1 && p.width <= width);
	check(p.height >= 1 && p.height <= height);
	dot = malloc((size_t)p.width * (size_t)p.height);
	pb_viewport_shrink(&p, m, dot);
	for (int y = 0; y < p.height; y++)
		for (int x = 0; x < p.width; x++)
			bad += dot[y * p.width + x] != slow_dot(&p, m, x, y);
	check_int(bad, 0);
	free(dot);
}

test(shrink_is_its_definition)
{
	static const int size[][2] = {
	    {1, 1}, {7, 3}, {20, 20}, {13, 40}, {60, 31}};
	static const int room[][2] = {{1, 1}, {5, 9}, {16, 16}, {61, 90}};

	for (size_t i = 0; i < 5; i++)
		for (size_t j = 0; j < 4; j++)
			for (int tall = 1; tall <= 2; tall++) {
				struct pb_map m = random_map(
				    10 * i + j, size[i][0], size[i][1], 0.05);

				compare(&(struct pb_scene){.map = &m},
				    room[j][0], room[j][1], tall);
				pb_map_clear(&m);
			}
}

/* Every wall cell shows: its dot is a wall, whatever the scale. */
test(no_wall_disappears)
{
	struct pb_map m = random_map(3, 97, 61, 0.01);
	struct pb_scene s = {.map = &m};
	struct pb_render_opts o = {.whole = true};
	struct pb_viewport p;

	for (int width = 1; width < 120; width += 7) {
		unsigned char *dot;
		int lost = 0;

		check(pb_viewport_window(&s, &o, &p));
		pb_viewport_fit(&p, width, 80, 1 + width % 2, 1);
		dot = malloc((size_t)p.width * (size_t)p.height);
		pb_viewport_shrink(&p, &m, dot);
		for (int r = 0; r < m.height; r++)
			for (int c = 0; c < m.width; c++) {
				int seen = 0;

				if (m.cell[r * m.width + c] != 100)
					continue;
				for (int y = 0; y < p.height; y++)
					for (int x = 0; x < p.width; x++)
						seen |=
						    in_dot(c, x, p.num, p.den,
							p.cols) &&
						    in_dot(r, p.height - 1 - y,
							p.num * p.tall, p.den,
							p.rows) &&
						    dot[y * p.width + x] ==
							PB_DOT_WALL;
				lost += !seen;
			}
		check_int(lost, 0);
		free(dot);
	}
	pb_map_clear(&m);
}

test(small_maps_grow_by_whole_numbers)
{
	struct pb_map m = random_map(1, 10, 6, 0.2);
	struct pb_scene s = {.map = &m};
	struct pb_render_opts o = {.whole = true};
	struct pb_viewport p;

	check(pb_viewport_window(&s, &o, &p));
	pb_viewport_fit(&p, 75, 75, 1, 64);
	check_int(p.width, 70);
	check_int(p.height, 42);
	pb_viewport_fit(&p, 75, 75, 2, 64); /* tall dots: even factors */
	check_int(p.width, 60);
	check_int(p.height, 18);
	pb_viewport_fit(&p, 75, 75, 1, 3);
	check_int(p.width, 30);
	pb_map_clear(&m);
}

test(margins_of_unknown_go)
{
	struct pb_map m;
	struct pb_scene s = {.map = &m};
	struct pb_render_opts o = {0};
	struct pb_viewport p;

	check_int(pb_map_init(&m, 50, 40, 1, (struct pb_pose){0, 0, 0}), PB_OK);
	m.cell[20 * 50 + 10] = 0;
	m.cell[25 * 50 + 15] = 100;
	check(pb_viewport_window(&s, &o, &p));
	check_int(p.col0, 9);
	check_int(p.cols, 8);
	check_int(p.row0, 19);
	check_int(p.rows, 8);
	pb_scene_pose(
	    pb_scene_body(&s, "robot"), (struct pb_pose){40.5, 2.5, 0});
	check(pb_viewport_window(&s, &o, &p));
	check(p.col0 + p.cols > 40 && p.row0 <= 2);
	o.whole = true;
	check(pb_viewport_window(&s, &o, &p));
	check(p.cols == 50 && p.rows == 40);
	pb_scene_clear(&s);
	pb_map_clear(&m);
}

/* A robot that leaves the map is followed, but not to the end of the world. */
test(trails_off_the_map)
{
	static const double end[] = {1e308, -1e308, INFINITY, NAN, 60.5};
	struct pb_map m = random_map(0, 20, 10, 1);
	struct pb_scene s = {.map = &m};
	struct pb_render_opts o = {0};
	struct pb_viewport p;
	struct pb_body *b = pb_scene_body(&s, "robot");

	m.origin = (struct pb_pose){0, 0, 0};
	m.resolution = 1;
	for (int i = 0; i < 5; i++) {
		pb_scene_pose(b, (struct pb_pose){-30.5, 0.5, 0});
		pb_scene_pose(b, (struct pb_pose){end[i], 0.5, 0});
		check(pb_viewport_window(&s, &o, &p));
		check(p.col0 == (i < 4 ? -32 : -33));
		check(p.col0 + p.cols == (i < 4 ? 20 : 63));
		check(p.row0 == 0 && p.rows == 10);
		compare(&s, 40, 30, 2);
	}
	pb_scene_clear(&s);
	pb_map_clear(&m);
}

test(box)
{
	struct pb_map m = random_map(2, 40, 20, 0.1); /* 2 x 1 m at (-1, 2) */
	struct pb_scene s = {.map = &m};
	struct pb_render_opts o = {0};
	struct pb_viewport p;
	struct pb_error bad;

	check(pb_render_box(&o, "-0.5,2.25,0,2.5", &bad));
	check(pb_viewport_window(&s, &o, &p));
	check_int(p.col0, 10);
	check_int(p.cols, 10);
	check_int(p.row0, 5);
	check_int(p.rows, 5);
	check(pb_render_box(&o, "-90,-90,90,90", &bad));
	check(pb_viewport_window(&s, &o, &p));
	check(p.cols == 40 && p.rows == 20);
	check(pb_render_box(&o, "3,3,4,4", &bad));
	check(!pb_viewport_window(&s, &o, &p));
	check(!pb_render_box(&o, "0,0,1", &bad));
	check(!pb_render_box(&o, "0,0,1,1,2", &bad));
	check(!pb_render_box(&o, "0,0,nan,1", &bad));
	check(!pb_render_box(&o, "1,0,0,1", &bad));
	check(!pb_render_box(&o, "0, 0,1,1", &bad));
	pb_map_clear(&m);
}

test(points_meet_their_dots)
{
	struct pb_map m = random_map(4, 100, 80, 0.1);
	struct pb_scene s = {.map = &m};
	struct pb_render_opts o = {.whole = true};
	struct pb_viewport p;
	struct pb_vec d;

	m.origin.th = 0.6;
	check(pb_viewport_window(&s, &o, &p));
	pb_viewport_fit(&p, 50, 50, 1, 8);
	check_near(pb_viewport_metres(&p), 0.1, 1e-12);
	d = pb_viewport_at(&p, pb_map_centre(&m, (struct pb_cell){0, 0}));
	check_near(d.x, 0.25, 1e-9);
	check_near(d.y, p.height - 0.25, 1e-9);
	d = pb_viewport_at(&p, pb_map_centre(&m, (struct pb_cell){99, 79}));
	check_near(d.x, 49.75, 1e-9);
	check_near(d.y, 0.25, 1e-9);
	pb_map_clear(&m);
}

test(axes_are_named_by_yaw)
{
	struct pb_map m = random_map(5, 40, 20, 0.1);
	struct pb_scene s = {.map = &m};
	struct pb_render_opts o = {.whole = true};
	struct pb_viewport p;
	struct pb_axis a;
	char text[128];

	check(pb_viewport_window(&s, &o, &p));
	a = pb_viewport_axis(&p, false, 1);
	check(strcmp(a.name, "x") == 0 && a.zero == -1 && a.sign == 1);
	a = pb_viewport_axis(&p, true, 1);
	check(strcmp(a.name, "y") == 0 && a.zero == 2 && a.sign == 1);
	m.origin.th = PB_PI / 2;
	check(pb_viewport_window(&s, &o, &p));
	a = pb_viewport_axis(&p, false, 1);
	check(strcmp(a.name, "y") == 0 && a.zero == 2 && a.sign == 1);
	a = pb_viewport_axis(&p, true, 1);
	check(strcmp(a.name, "x") == 0 && a.zero == -1 && a.sign == -1);
	m.origin.th = 0.3;
	check(pb_viewport_window(&s, &o, &p));
	a = pb_viewport_axis(&p, false, 1);
	check(strcmp(a.name, "u") == 0 && a.zero == 0 && a.sign == 1);
	check(pb_viewport_turned(&p, text, sizeof(text)));
	pb_map_clear(&m);
}

test(nice_numbers)
{
	check_near(pb_nice_above(1), 1, 0);
	check_near(pb_nice_above(1.01), 2, 0);
	check_near(pb_nice_above(3), 5, 0);
	check_near(pb_nice_above(0.06), 0.1, 1e-15);
	check_near(pb_nice_above(7000), 10000, 0);
	check_int(pb_nice_digits(0.05), 2);
	check_int(pb_nice_digits(0.1), 1);
	check_int(pb_nice_digits(20), 0);
}

/* About a board without an outer wall is one; ways that are shrunk stay. */
test(boards)
{
	static const char *const name[] = {"zumy", "roomba", "pacman"};

	for (int i = 0; i < 3; i++) {
		struct pb_scene s = {0};
		struct pb_render_opts o = {0};
		struct pb_viewport p;
		struct pb_maze z;
		unsigned char dot[40 * 40];
		int houses = 0;

		check_int(pb_maze_standard(name[i], &z), PB_OK);
		check_int(pb_scene_build_maze(&s, &z), PB_OK);
		check(pb_viewport_window(&s, &o, &p));
		check_int(p.cols, s.map->width + (i < 2 ? 2 : 0));
		pb_viewport_fit(&p, 40, i < 2 ? 40 : 20, i < 2 ? 1 : 2, 1);
		pb_viewport_shrink(&p, s.map, dot);
		for (int k = 0; k < p.width * p.height; k++)
			houses += dot[k] == PB_DOT_HOUSE;
		for (int x = 0; x < p.width; x++)
			check_int(dot[x], PB_DOT_WALL);
		check((houses > 0) == (i > 0));
		/* Each cell of the board that is open is seen so. */
		for (int k = 0; i == 2 && k < z.rows * z.cols; k++) {
			int row = k / z.cols, col = k % z.cols;
			struct pb_vec v = pb_viewport_at(&p,
			    pb_pose_vec(
				pb_maze_pose(&s.board, row, col, PB_STAY, 0)));

			if (pb_maze_open(&z, row, col))
				check_int(dot[(int)v.y * p.width + (int)v.x],
				    PB_DOT_FREE);
		}
		pb_scene_clear(&s);
	}
}
