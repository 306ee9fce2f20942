/* pellets.c - tests of the pellet generator and of the set. */
#include "check.h"

#include "base/hash.h"
#include "game/pellets.h"
#include "map/gen_house.h"

/* A map of free cells, row by row from the top; '#' is a wall. */
static void
make_map(struct pb_map *m, int w, int h, double res, const char *rows)
{
	static const struct pb_pose origin = {-1, 2, 0};

	check_int(pb_map_init(m, w, h, res, origin), PB_OK);
	for (int v = 0; v < h; v++)
		for (int u = 0; u < w; u++)
			m->cell[(h - 1 - v) * w + u] =
			    rows == NULL || rows[v * w + u] == '.' ? 0 : 100;
}

/* So many are laid, so many more cannot be reached. */
static void
lays(const struct pb_map *m, const struct pb_pellet_opts *o, int n, int beyond)
{
	struct pb_pellets s;

	check_int(pb_pellets_lay(&s, m, o), PB_OK);
	check_int((long long)s.n, n);
	check_int((long long)s.unreachable, beyond);
	pb_pellets_clear(&s);
}

/* The published generator, written out. Returns the number of pellets. */
static int
slow_lay(const struct pb_map *m, int step, int clr, struct pb_vec *at)
{
	int n = 0;

	for (int y = 0; y < m->height; y += step)
		for (int x = 0; x < m->width; x += step) {
			bool free = x >= clr && x < m->width - clr &&
			            y >= clr && y < m->height - clr;

			for (int v = y - clr; free && v <= y + clr; v++)
				for (int u = x - clr; u <= x + clr; u++)
					if (m->cell[(m->height - 1 - v) *
							m->width +
						    u] != 0)
						free = false;
			if (free)
				at[n++] = (struct pb_vec){
				    x * m->resolution + m->origin.x,
				    (m->height - y) * m->resolution +
					m->origin.y};
		}
	return n;
}

test(published_generator)
{
	struct pb_pellet_opts o = pb_pellet_defaults();
	struct pb_vec want[400];
	struct pb_pellets s;
	struct pb_map m;
	struct pb_rng r = draws(1, PB_FOR_MAP);

	o.spacing = 0.2; /* 4 cells */
	for (int i = 0; i < 60; i++) {
		int w = 1 + (int)pb_rng_below(&r, 60);
		int h = 1 + (int)pb_rng_below(&r, 60);
		int clr = (int)pb_rng_below(&r, 3), n;

		make_map(&m, w, h, 0.05, NULL);
		for (int k = 0; k < w * h / 40; k++)
			m.cell[pb_rng_below(&r, (unsigned)(w * h))] =
			    (signed char)(k % 2 ? 100 : -1);
		m.cell[0] = 0;
		o.clearance = clr * 0.05;
		check_int(pb_pellets_lay(&s, &m, &o), PB_OK);
		n = slow_lay(&m, 4, clr > 1 ? clr : 1, want);
		check_int((long long)s.n, n);
		for (int k = 0; k < n; k++) {
			check_int(s.all[k].id, k);
			check_near(s.all[k].at.x, want[k].x, 0);
			check_near(s.all[k].at.y, want[k].y, 0);
		}
		pb_pellets_clear(&s);
		pb_map_clear(&m);
	}
}

test(centres_turn_with_the_map)
{
	struct pb_pellet_opts o = pb_pellet_defaults();
	struct pb_pellets s;
	struct pb_map m;

	make_map(&m, 5, 5, 1, NULL);
	m.origin.th = PB_PI / 2;
	check_int(pb_pellets_lay(&s, &m, &o), PB_OK);
	check_int((long long)s.n, 1); /* u = v = 2 */
	check_near(s.all[0].at.x, -1 + 2, 1e-12);
	check_near(s.all[0].at.y, 2 + 3, 1e-12);
	pb_pellets_clear(&s);
	o.center = true;
	check_int(pb_pellets_lay(&s, &m, &o), PB_OK);
	check_near(s.all[0].at.x, -1 - 2.5, 1e-12);
	check_near(s.all[0].at.y, 2 + 2.5, 1e-12);
	pb_pellets_clear(&s);
	pb_map_clear(&m);
}

/* Two rooms and a slit that is 3 cells wide between the last two. */
static const char rooms[] = "###############"
			    "#...#...#.....#"
			    "#...#...#.....#"
			    "#...#.........#"
			    "#...#.........#"
			    "#...#.........#"
			    "#...#...#.....#"
			    "###############";

test(reachable)
{
	struct pb_pellet_opts o = pb_pellet_defaults();
	struct pb_pellets s;
	struct pb_map m;

	make_map(&m, 15, 8, 0.1, rooms);
	o.spacing = 0.2;
	o.clearance = 0.1;
	lays(&m, &o, 9, 0);
	o.reach = PB_REACH_FROM;
	o.from = pb_map_centre(&m, (struct pb_cell){6, 3});
	o.robot = 0.19; /* through the slit, on its middle */
	lays(&m, &o, 7, 2);
	o.robot = 0.21; /* too large even for the rooms */
	check_int(pb_pellets_lay(&s, &m, &o), PB_EWALL);
	o.reach = PB_REACH_MAIN; /* the right room alone */
	lays(&m, &o, 5, 4);
	o.robot = 0.19;
	lays(&m, &o, 7, 2);
	o.reach = PB_REACH_FROM;
	o.from = (struct pb_vec){1e9, 0};
	check_int(pb_pellets_lay(&s, &m, &o), PB_EWALL);
	pb_map_clear(&m);
}

/* Corners do not turn with the map, and may lie where nobody comes. */
test(reachable_in_turned_maps)
{
	struct pb_pellet_opts o = pb_pellet_defaults();
	struct pb_map m;

	make_map(&m, 9, 9, 1, NULL);
	m.origin = (struct pb_pose){0, 0, PB_PI / 2};
	o.from = (struct pb_vec){-4.5, 4.5};
	o.reach = PB_REACH_FROM;
	lays(&m, &o, 0, 9); /* all at x > 0, the map at x < 0 */
	o.center = true;
	lays(&m, &o, 9, 0);
	pb_map_clear(&m);
}

/* What lies nearer to a wall than the robot can go is picked up from afar. */
test(pickup_reaches_over)
{
	struct pb_pellet_opts o = pb_pellet_defaults();
	struct pb_map m;

	make_map(&m, 9, 9, 0.1, NULL);
	o.spacing = 0.1;
	o.clearance = 0;
	o.reach = PB_REACH_FROM;
	o.from = pb_map_centre(&m, (struct pb_cell){4, 4});
	o.robot = 0.4; /* it fits in the inner 3 x 3 cells */
	o.pickup = 0.1;
	lays(&m, &o, 9 + 12, 49 - 9 - 12);
	o.pickup = 1e6;
	lays(&m, &o, 49, 0); /* the border rule leaves 7 x 7 */
	pb_map_clear(&m);
}

test(spacing_that_works)
{
	struct pb_pellet_opts o = pb_pellet_defaults();
	struct pb_map m;
	size_t n;

	make_map(&m, 15, 8, 0.1, rooms);
	o.clearance = 0.1;
	lays(&m, &o, 0, 0);
	check_near(pb_pellets_spacing(&m, &o, &n), 0.2, 1e-12);
	check_int((long long)n, 9);
	o.reach = PB_REACH_MAIN;
	check_near(pb_pellets_spacing(&m, &o, &n), 0.2, 1e-12);
	check_int((long long)n, 7);
	o.clearance = 1;
	check(pb_pellets_spacing(&m, &o, &n) == 0 && n == 0);
	pb_map_clear(&m);
}

test(kept_pellets_lie_in_the_corners)
{
	struct pb_pellet_opts o = pb_pellet_defaults();
	struct pb_pellets s;
	struct pb_map m;

	make_map(&m, 13, 13, 1, NULL);
	o.count = 10000;
	check_int(pb_pellets_lay(&s, &m, &o), PB_OK);
	check_int((long long)s.n, 25); /* 5 x 5 */
	pb_pellets_clear(&s);
	o.count = 4;
	check_int(pb_pellets_lay(&s, &m, &o), PB_OK);
	check_int((long long)s.n, 4);
	for (int i = 0; i < 4; i++) { /* numbered anew, in scan order */
		check_int(s.all[i].id, i);
		check_int(s.all[i].cell.col, i % 2 ? 10 : 2);
		check_int(s.all[i].cell.row, i / 2 ? 2 : 10);
	}
	pb_pellets_clear(&s);
	pb_map_clear(&m);
}

/* Sets of random options, pinned: experiments name a seed of a house alone. */
test(sets_are_pinned)
{
	struct pb_house_opts house = pb_house_defaults();
	uint64_t h = PB_HASH_START;
	struct pb_rng r;
	struct pb_map m;

	house.width = 9;
	house.height = 7;
	check_int(pb_gen_house(&house, &m), PB_OK);
	m.origin.th = 0.3;
	pb_rng_start(&r, 2, 0, 0, 0);
	for (int i = 0; i < 200; i++) {
		struct pb_pellet_opts o = {
		    .spacing = pb_rng_between(&r, 0.1, 2),
		    .clearance = pb_rng_between(&r, 0, 0.6),
		    .center = pb_rng_below(&r, 2),
		    .reach = (enum pb_pellet_reach)pb_rng_below(&r, 3),
		    .robot = pb_rng_between(&r, 0, 0.5),
		    .pickup = pb_rng_between(&r, 0, 1),
		    .count = (int)pb_rng_below(&r, 30)};
		struct pb_pellets s = {.n = 0};

		o.from = pb_map_centre(
		    &m, pb_map_cell_of(&m, pb_rng_below(&r, 180 * 140)));
		h = pb_hash_u64(h, (uint64_t)pb_pellets_lay(&s, &m, &o));
		h = pb_hash_u64(h, s.unreachable);
		for (size_t k = 0; k < s.n; k++)
			h = pb_hash_vec(h, s.all[k].at);
		pb_pellets_clear(&s);
	}
	check(h == 0x0b2044d6d8f5b579ULL);
	pb_map_clear(&m);
}

test(set)
{
	struct pb_pellet_opts o = pb_pellet_defaults();
	struct pb_pellets s = {0};
	struct pb_map m;

	pb_pellets_reset(&s);
	check_int(pb_pellets_remove(&s, 0), PB_ENOENT);
	pb_pellets_clear(&s);
	make_map(&m, 13, 9, 1, NULL);
	check_int(pb_pellets_lay(&s, &m, &o), PB_OK);
	check_int((long long)s.left, 15);
	check_int(pb_pellets_remove(&s, 3), PB_OK);
	check_int(pb_pellets_remove(&s, 3), PB_ENOENT);
	check_int(pb_pellets_remove(&s, 15), PB_ENOENT);
	check_int(pb_pellets_remove(&s, -1), PB_ENOENT);
	check(s.gone[3] && !s.gone[4]);
	check_int((long long)s.left, 14);
	pb_pellets_reset(&s);
	check(!s.gone[3] && s.left == 15);
	pb_pellets_clear(&s);
	pb_map_clear(&m);
}

test(refusals)
{
	struct pb_pellet_opts o = pb_pellet_defaults(), bad;
	struct pb_pellets s = {.n = 77};
	struct pb_map m;

	make_map(&m, 1001, 1001, 0.05, NULL);
	for (int i = 0; i < 4; i++) {
		bad = o;
		bad.spacing = i == 0 ? 0 : o.spacing;
		bad.clearance = i == 1 ? NAN : o.clearance;
		bad.count = i == 2 ? -1 : o.count;
		bad.count = i == 3 ? PB_PELLETS_PICK + 1 : bad.count;
		check_int(pb_pellets_lay(&s, &m, &bad), PB_EVALUE);
	}
	o.clearance = 0;
	o.spacing = 0.05;
	lays(&m, &o, 999 * 999, 0); /* as many as are allowed */
	pb_map_clear(&m);
	make_map(&m, 1003, 1002, 0.05, NULL);
	check_int(pb_pellets_lay(&s, &m, &o), PB_ESIZE);
	memset(m.cell, -1, pb_map_cells(&m));
	check_int(pb_pellets_lay(&s, &m, &o), PB_ENOFREE);
	check_int((long long)s.n, 77);
	m.cell[5] = 0; /* free, but nothing fits */
	check_int(pb_pellets_lay(&s, &m, &o), PB_OK);
	check(s.n == 0 && s.left == 0);
	pb_pellets_clear(&s);
	pb_map_clear(&m);
}
