/* arena.c - tests of what all games on one map share, by slow twins. */
#include "check.h"

#include "game/pacmanbot/arena.h"

/* A map of text rows, top row first: '#' occupied, '?' unknown, else free. */
static struct pb_map
drawn(const char *const *row, int h, double res, struct pb_pose origin)
{
	int w = (int)strlen(row[0]);
	struct pb_map m = {0};

	check_int(pb_map_init(&m, w, h, res, origin), PB_OK);
	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++)
			m.cell[y * w + x] = row[h - 1 - y][x] == '#'   ? 100
			                    : row[h - 1 - y][x] == '?' ? -1
			                                               : 0;
	return m;
}

/* A walled hall of w x h cells of 0.1 m with some pillars. */
static struct pb_map
hall(int w, int h, struct pb_pose origin, unsigned pillars)
{
	struct pb_map m = {0};
	struct pb_rng r = draws(3, PB_FOR_MAP);

	check_int(pb_map_init(&m, w, h, 0.1, origin), PB_OK);
	for (int i = 0; i < w * h; i++) {
		int x = i % w, y = i / w;
		bool edge = x == 0 || y == 0 || x == w - 1 || y == h - 1;

		m.cell[i] = edge ? 100 : 0;
	}
	for (unsigned k = 0; k < pillars; k++)
		m.cell[pb_rng_below(&r, (uint32_t)(w * h))] = k % 4 ? 100 : -1;
	return m;
}

static struct pb_round_opts
options(double spacing)
{
	struct pb_round_opts o = pb_round_defaults();

	o.pellet_spacing = spacing;
	return o;
}

/* Distance of cell i to the nearest wall or border cell, by looking at all. */
static double
slow_clearance(const struct pb_map *m, int i)
{
	int w = m->width, h = m->height, x = i % w, y = i / w;
	double best = fmin(fmin(x + 1, w - x), fmin(y + 1, h - y));

	for (int j = 0; j < w * h; j++)
		if (!pb_cell_free(m->cell[j]))
			best = fmin(best, hypot(j % w - x, j / w - y));
	return best * m->resolution;
}

/* Bellman-Ford over the grid's moves: sweep until nothing changes. */
static void
slow_field(const struct pb_grid *g, int goal, double *d)
{
	int n = g->width * g->height;
	bool changed = true;

	for (int i = 0; i < n; i++)
		d[i] = i == goal ? 0 : INFINITY;
	while (changed) {
		changed = false;
		for (int i = 0; i < n; i++) {
			for (int k = 0; k < PB_MOVES; k++) {
				int j = i + pb_move_col(k) +
				        pb_move_row(k) * g->width;
				double c = k < 4 ? PB_STEP : PB_DIAG;

				if (!(g->move[i] >> k & 1) || d[j] + c >= d[i])
					continue;
				d[i] = d[j] + c;
				changed = true;
			}
		}
	}
}

static void
check_field(const struct pb_arena *a, const struct pb_way_field *f, double *d)
{
	int n = a->map.width * a->map.height;

	slow_field(f->grid, f->goal, d);
	for (int i = 0; i < n; i++)
		check(isinf(d[i]) ? f->d[i] == PB_FIELD_NONE
				  : f->d[i] == (int32_t)d[i]);
}

test(grids_and_fields)
{
	struct pb_round_opts o = options(1);
	struct pb_map m = hall(47, 36, (struct pb_pose){-1, 2, 0}, 25);
	double *d = calloc(47 * 36, sizeof(*d));
	struct pb_arena *a = NULL;

	check_int(pb_arena_new(&a, &m, &o, NULL, NULL), PB_OK);
	for (int i = 0; i < 47 * 36; i++) {
		double c = slow_clearance(&m, i);
		struct pb_vec p = pb_arena_centre(a, i);

		if (!pb_cell_free(m.cell[i]))
			c = 0;
		check_near(pb_arena_clearance(a, p), c, 1e-9);
		check_int(pb_arena_cell(a, p), i);
		check_int(pb_grid_free(&a->hard, i), c > o.inscribed);
		check_int(pb_grid_free(&a->soft, i), c > o.inflation);
	}
	check(a->n > 3 && a->reach > 0);
	for (int i = 0; i < a->n; i++) {
		check_int(a->field[i].goal, a->cell[i]);
		check_field(a, pb_arena_field(a, i), d);
	}
	check_int(a->field[a->n].goal, a->home);
	check_field(a, pb_arena_field(a, a->n), d);
	free(d);
	pb_arena_free(a);
	pb_map_clear(&m);
}

/* A turned map is the same world in another frame. */
test(turned_map)
{
	struct pb_map m = hall(40, 30, (struct pb_pose){-1, 2, 0.7}, 0);
	struct pb_round_opts o = options(1);
	struct pb_arena *a = NULL;

	check_int(pb_arena_new(&a, &m, &o, NULL, NULL), PB_OK);
	for (int i = 0; i < 40 * 30; i++) {
		struct pb_vec p = pb_arena_centre(a, i);
		struct pb_vec q =
		    pb_map_centre(&m, (struct pb_cell){i % 40, i / 40});

		check_near(pb_dist(p, q), 0, 1e-9);
		check_int(pb_arena_cell(a, p), i);
	}
	check_int(pb_arena_cell(a, (struct pb_vec){-1.1, 2}), -1);
	check_int(pb_arena_cell(a, (struct pb_vec){NAN, 2}), -1);
	check(pb_arena_clearance(a, (struct pb_vec){-9, 2}) == 0);
	pb_arena_free(a);
	pb_map_clear(&m);
}

/* The lower and left edges belong to the map, the others do not. */
test(edges)
{
	struct pb_map m = hall(40, 30, (struct pb_pose){0, 0, 0}, 0);
	struct pb_round_opts o = options(1);
	struct pb_arena *a = NULL;

	check_int(pb_arena_new(&a, &m, &o, NULL, NULL), PB_OK);
	check_int(pb_arena_cell(a, (struct pb_vec){0, 0}), 0);
	check_int(pb_arena_cell(a, (struct pb_vec){4, 1}), -1);
	check_int(pb_arena_cell(a, (struct pb_vec){1, 3}), -1);
	check_int(pb_arena_cell(a, (struct pb_vec){-1e-9, 1}), -1);
	check_int(pb_arena_cell(a, (struct pb_vec){1, -1e-9}), -1);
	pb_arena_free(a);
	pb_map_clear(&m);
}

/* The roomiest cell off the pellets, the lowest index of equals. */
test(start_of_its_own)
{
	struct pb_map m = hall(47, 36, (struct pb_pose){-1, 2, 0}, 9);
	struct pb_round_opts o = options(1);
	struct pb_arena *a = NULL;
	double best = 0;
	int at = -1;

	check_int(pb_arena_new(&a, &m, &o, NULL, NULL), PB_OK);
	for (int i = 0; i < 47 * 36; i++) {
		double c = slow_clearance(&m, i);
		bool off = pb_grid_part(&a->hard, i) == a->hard.main;

		for (int k = 0; k < a->n; k++)
			off = off && pb_dist(pb_arena_centre(a, i), a->at[k]) >
			                 2 * o.pickup_radius;
		if (off && c > best + 1e-9) {
			best = c;
			at = i;
		}
	}
	check_int(a->home, at);
	check(pb_dist(pb_pose_vec(a->start), pb_arena_centre(a, at)) < 1e-9);
	pb_arena_free(a);
	o.has_start = true;
	o.start = (struct pb_pose){0.5, 3.5, 7};
	check_int(pb_arena_new(&a, &m, &o, NULL, NULL), PB_OK);
	check(a->start.x == 0.5 && a->start.y == 3.5);
	check_near(a->start.th, 7 - 2 * PB_PI, 1e-12);
	pb_arena_free(a);
	pb_map_clear(&m);
}

/* The nearest cell of a grid, by looking at all of them. */
test(near)
{
	struct pb_map m = hall(40, 30, (struct pb_pose){0, 0, 0}, 20);
	struct pb_round_opts o = options(1);
	struct pb_arena *a = NULL;
	const struct pb_vec nowhere[] = {{-1e300, 0}, {NAN, 0}};
	struct pb_rng r = draws(1, PB_FOR_TRIAL);

	check_int(pb_arena_new(&a, &m, &o, NULL, NULL), PB_OK);
	for (int k = 0; k < 300; k++) {
		struct pb_vec p = {pb_rng_between(&r, -0.3, 4.3),
		    pb_rng_between(&r, -0.3, 3.3)};
		double best = 0.5;
		int at = -1;

		for (int i = 0; i < 40 * 30; i++) {
			double d = pb_dist(p, pb_arena_centre(a, i));

			if (pb_grid_part(&a->hard, i) !=
				pb_grid_part(&a->hard, a->home) ||
			    !(d < best || (at < 0 && d <= best)))
				continue;
			best = d;
			at = i;
		}
		check_int(pb_arena_near(a, &a->hard, a->home, p, 0.5), at);
	}
	/* More cells about a point than a map can have; no point at all. */
	check_int(pb_arena_near(a, &a->hard, a->home, a->at[0], 1e300),
	    pb_arena_near(a, &a->hard, a->home, a->at[0], 5));
	for (int k = 0; k < 2; k++)
		check_int(
		    pb_arena_near(a, &a->hard, a->home, nowhere[k], 0.5), -1);
	pb_arena_free(a);
	pb_map_clear(&m);
}

static void
refused(const struct pb_map *m, const struct pb_round_opts *o,
    const struct pb_pellets *s, enum pb_status st, const char *why)
{
	struct pb_arena *a = NULL;
	const char *got = "";

	check_int(pb_arena_new(&a, m, o, s, &got), st);
	check_str(got, why);
	check(!a);
}

test(bad_places)
{
	struct pb_map m = hall(40, 30, (struct pb_pose){0, 0, 0}, 0);
	struct pb_round_opts o = options(1);

	o.has_start = true;
	o.start = (struct pb_pose){-5, 1, 0};
	refused(&m, &o, NULL, PB_EWALL, "the robot's start is outside the map");
	o.start = (struct pb_pose){0.15, 1, 0};
	refused(&m, &o, NULL, PB_EWALL,
	    "the robot's start is in a wall or too near one");
	o.has_start = false;
	o.has_spawn = true;
	o.spawn = (struct pb_vec){0.1, 0.1};
	refused(&m, &o, NULL, PB_EWALL,
	    "Clyde's place is in a wall, too near one, or outside the map");
	o = options(1);
	o.inflation = 0.1;
	refused(&m, &o, NULL, PB_EVALUE, "inflation");
	pb_map_clear(&m);
}

/* What is unknown all around a hall is on the map, and is no place. */
test(bad_places_about_a_hall)
{
	static const struct pb_vec off[] = {
	    {-0.05, 1}, {10.05, 1}, {1, -0.05}, {1, 8.05}};
	static const struct pb_vec on[] = {
	    {0.05, 1}, {9.95, 1}, {1, 0.05}, {1, 7.95}};
	struct pb_map h = hall(40, 30, (struct pb_pose){0}, 0), m;
	struct pb_round_opts o = options(1);

	check_int(pb_map_init(&m, 100, 80, 0.1, (struct pb_pose){0}), PB_OK);
	for (int row = 0; row < 30; row++)
		memcpy(m.cell + (row + 30) * 100 + 20, h.cell + row * 40, 40);
	o.has_start = true;
	for (int i = 0; i < 4; i++) {
		o.start = (struct pb_pose){off[i].x, off[i].y, 0};
		refused(&m, &o, NULL, PB_EWALL,
		    "the robot's start is outside the map");
		o.start = (struct pb_pose){on[i].x, on[i].y, 0};
		refused(&m, &o, NULL, PB_EWALL,
		    "the robot's start is in a wall or too near one");
	}
	pb_map_clear(&h);
	pb_map_clear(&m);
}

test(bad_maps)
{
	static const char *const unknown[] = {"????", "????", "????"};
	static const char *const tight[] = {"####", "#  #", "####"};
	static const char *const pocket[] = {"##########", "#    #####",
	    "#    #   #", "#    #   #", "#    #   #", "#    #####",
	    "##########"};
	struct pb_map m = drawn(unknown, 3, 0.1, (struct pb_pose){0});
	struct pb_round_opts o = options(1);

	refused(&m, &o, NULL, PB_ENOFREE, "the map has no free cell");
	pb_map_clear(&m);
	m = drawn(tight, 3, 0.1, (struct pb_pose){0});
	refused(&m, &o, NULL, PB_ENOFREE, "the robot fits nowhere on the map");
	pb_map_clear(&m);
	m = hall(9, 9, (struct pb_pose){0}, 0);
	o.clyde_clearance = 2;
	refused(&m, &o, NULL, PB_ENOFREE, "Clyde fits nowhere on the map");
	o.clyde_clearance = 0.4; /* one cell only */
	refused(&m, &o, NULL, PB_ENOFREE, "Clyde fits nowhere on the map");
	o.clyde_clearance = 0.3;
	refused(&m, &o, NULL, PB_EPATH, "Clyde has no destination to go to");
	o = options(50);
	refused(&m, &o, NULL, PB_ENOENT,
	    "the map has no place for a pellet with this spacing and clearance");
	pb_map_clear(&m);
	/* A pocket of one cell beside a hall. */
	m = drawn(pocket, 7, 0.1, (struct pb_pose){0});
	o = options(0.1);
	o.clyde_clearance = 0.1;
	o.has_spawn = true;
	o.spawn = (struct pb_vec){0.7, 0.4};
	refused(&m, &o, NULL, PB_EPATH, "Clyde has no destination to go to");
	pb_map_clear(&m);
}

/* Two rooms with a wall between them; 30 x 20 cells of 0.1 m. */
static struct pb_map
two_rooms(void)
{
	struct pb_map m = hall(31, 20, (struct pb_pose){0}, 0);

	for (int y = 0; y < 20; y++)
		for (int x = 14; x < 17; x++)
			m.cell[y * 31 + x] = 100;
	return m;
}

test(unreachable)
{
	struct pb_pellet two[2] = {
	    {.id = 0, .at = {2.5, 1}}, {.id = 1, .at = {0.7, 1}}};
	struct pb_pellets s = {.n = 2, .all = two};
	struct pb_map m = two_rooms();
	struct pb_round_opts o = options(1);
	struct pb_arena *a = NULL;

	o.has_start = true;
	o.start = (struct pb_pose){0.8, 0.8, 0};
	check_int(pb_arena_new(&a, &m, &o, &s, NULL), PB_OK);
	check(a->n == 2 && a->reach == 1);
	check(a->cell[0] == -1 && a->cell[1] >= 0);
	for (int i = 0; i < 31 * 20; i++)
		check_int(pb_arena_field(a, 0)->d[i], PB_FIELD_NONE);
	pb_arena_free(a);
	s.n = 1;
	refused(
	    &m, &o, &s, PB_EPATH, "no pellet can be reached from the start");
	two[0].id = 7;
	refused(
	    &m, &o, &s, PB_EVALUE, "the ids of pellets must be 0, 1, 2, ...");
	s.n = 0;
	refused(&m, &o, &s, PB_ENOENT,
	    "the map has no place for a pellet with this spacing and clearance");
	s.n = PB_ROUND_IDS + 1;
	s.all = calloc(s.n, sizeof(*s.all));
	refused(&m, &o, &s, PB_ESIZE, "a round has at most 4096 pellets");
	free(s.all);
	pb_map_clear(&m);
}

/* A pellet in a wall is driven to from the nearest cell, 0.5 m away at most. */
test(pellet_in_a_wall)
{
	struct pb_pellet in[3] = {{.id = 0, .at = {1.35, 1}},
	    {.id = 1, .at = {-0.2, 1}}, {.id = 2, .at = {-0.6, 1}}};
	struct pb_pellets s = {.n = 3, .all = in};
	struct pb_map m = two_rooms();
	struct pb_round_opts o = options(1);
	struct pb_arena *a = NULL;

	o.has_start = true;
	o.start = (struct pb_pose){0.8, 0.8, 0};
	check_int(pb_arena_new(&a, &m, &o, &s, NULL), PB_OK);
	check(a->cell[0] >= 0 && a->cell[1] >= 0 && a->cell[2] < 0);
	for (int i = 0; i < 2; i++)
		check_int(a->cell[i],
		    pb_arena_near(a, &a->hard, a->home, in[i].at, o.plan_tol));
	pb_arena_free(a);
	pb_map_clear(&m);
}

/* Through unknown cells only where that was asked for. */
test(unknown)
{
	struct pb_map m = two_rooms();
	struct pb_round_opts o = options(0.5);
	struct pb_arena *a = NULL, *b = NULL;
	int laid;

	for (int i = 0; i < 31 * 20; i++)
		if (i % 31 >= 14 && i % 31 < 17 && i / 31 > 0 && i / 31 < 19)
			m.cell[i] = -1;
	o.has_start = true;
	o.start = (struct pb_pose){0.8, 0.8, 0};
	check_int(pb_arena_new(&a, &m, &o, NULL, NULL), PB_OK);
	o.plan_unknown = true;
	check_int(pb_arena_new(&b, &m, &o, NULL, NULL), PB_OK);
	check(a->hard.nparts == 2 && b->hard.nparts == 1);
	check(a->reach == a->n && a->left_out > 0);
	check(b->reach == b->n && b->left_out == 0);
	laid = b->n;
	check_int(a->n + a->left_out, laid);
	for (int i = 0; i < a->n; i++)
		check(a->pellet[i].id == i && a->cell[i] >= 0);
	pb_arena_free(a);
	o.plan_unknown = false;
	o.keep_unreachable = true; /* as published */
	check_int(pb_arena_new(&a, &m, &o, NULL, NULL), PB_OK);
	check(a->n == laid && a->reach < laid && a->left_out == 0);
	pb_arena_free(a);
	pb_arena_free(b);
	pb_arena_free(NULL);
	pb_map_clear(&m);
}
