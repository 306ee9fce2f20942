/* map.c - tests of the occupancy map and its frames. */
#include "check.h"

#include "pb/map.h"

test(init_refuses)
{
	struct pb_map m = {.width = -7};
	struct pb_pose o = {0, 0, 0}, bad = {NAN, 0, 0};

	check_int(pb_map_init(&m, 0, 5, 0.05, o), PB_ESIZE);
	check_int(pb_map_init(&m, 5, PB_MAP_SIDE + 1, 0.05, o), PB_ESIZE);
	check_int(pb_map_init(&m, 5, 5, 0, o), PB_EVALUE);
	check_int(pb_map_init(&m, 5, 5, NAN, o), PB_EVALUE);
	check_int(pb_map_init(&m, 5, 5, INFINITY, o), PB_EVALUE);
	check_int(pb_map_init(&m, 5, 5, 0.05, bad), PB_EVALUE);
	bad.x = INFINITY;
	check_int(pb_map_init(&m, 5, 5, 1e300, bad), PB_EVALUE);
	bad = (struct pb_pose){0, 0, INFINITY};
	check_int(pb_map_init(&m, 5, 5, 0.05, bad), PB_EVALUE);
	bad = (struct pb_pose){0, -0.06e12, 0};
	check_int(pb_map_init(&m, 5, 5, 0.05, bad), PB_EVALUE);
	check_int(m.width, -7);
}

/* The least map, and what is just outside of it. */
test(one_cell)
{
	static const struct pb_cell beside[] = {
	    {-1, 0}, {1, 0}, {0, -1}, {0, 1}};
	struct pb_pose o = {-7, 3, PB_PI / 2};
	struct pb_map m;
	struct pb_cell c;
	struct pb_vec v;

	check_int(pb_map_init(&m, 1, 1, 2, o), PB_OK);
	check_int((long long)pb_map_cells(&m), 1);
	m.cell[0] = 7;
	check_int(pb_map_at(&m, (struct pb_cell){0, 0}), 7);
	for (int i = 0; i < 4; i++) {
		check(!pb_map_inside(&m, beside[i]));
		check_int(pb_map_at(&m, beside[i]), PB_CELL_UNKNOWN);
	}
	/* It lies to the left of its origin's heading: from x = -9 to -7. */
	v = pb_map_centre(&m, (struct pb_cell){0, 0});
	check_near(v.x, -8, 1e-12);
	check_near(v.y, 4, 1e-12);
	c = pb_map_cell(&m, (struct pb_vec){-8.99, 4.99});
	check(c.col == 0 && c.row == 0);
	c = pb_map_cell(&m, (struct pb_vec){-6.99, 4});
	check(c.col == 0 && c.row == -1);
	c = pb_map_cell(&m, (struct pb_vec){-8, 5.01});
	check(c.col == 1 && c.row == 0);
	c = pb_map_corner_cell(&m, (struct pb_vec){1e9, -1e9});
	check(c.col == 0 && c.row == 0);
	pb_map_clear(&m);
	check(m.cell == NULL && m.width == 0);
}

/* As far away as a map may lie its cells are still different places. */
test(cells_far_away)
{
	struct pb_pose far = {-PB_MAP_FAR * 0.05, PB_MAP_FAR * 0.05, 0.3};
	struct pb_map m;

	check_int(pb_map_init(&m, 9, 9, 0.05, far), PB_OK);
	for (size_t i = 0; i < pb_map_cells(&m); i++) {
		struct pb_cell c = pb_map_cell_of(&m, i);
		struct pb_cell d = pb_map_cell(&m, pb_map_centre(&m, c));

		check(c.col == d.col && c.row == d.row);
	}
	pb_map_clear(&m);
}

test(every_value_has_one_meaning)
{
	for (int v = -1; v <= 100; v++)
		check_int(
		    pb_cell_free(v) + pb_cell_occupied(v) + pb_cell_unknown(v),
		    1);
	check(pb_cell_unknown(-1) && pb_cell_free(0) && pb_cell_occupied(100));
}

test(frames_round_trip)
{
	struct pb_map m;

	check_int(
	    pb_map_init(&m, 7, 5, 0.1, (struct pb_pose){3, -2, 0.7}), PB_OK);
	for (size_t i = 0; i < pb_map_cells(&m); i++) {
		struct pb_cell c = pb_map_cell_of(&m, i);
		struct pb_cell d = pb_map_cell(&m, pb_map_centre(&m, c));

		check_int((long long)pb_map_index(&m, c), (long long)i);
		check(c.col == d.col && c.row == d.row);
	}
	check_int(pb_map_at(&m, (struct pb_cell){-1, 0}), PB_CELL_UNKNOWN);
	pb_map_clear(&m);
	check(m.cell == NULL);
	pb_map_clear(&m);
}

test(published_corner)
{
	struct pb_map m;
	struct pb_cell c = {200, 368 - 1 - 80}, d;
	struct pb_vec p;

	/* Pellet 0 of the published house: u = 200, v = 80. */
	check_int(
	    pb_map_init(&m, 349, 368, 0.05, (struct pb_pose){-4.163, -6.09, 0}),
	    PB_OK);
	p = pb_map_corner(&m, c);
	check_near(p.x, 5.837, 1e-9);
	check_near(p.y, 8.31, 1e-9);
	d = pb_map_corner_cell(&m, p);
	check(d.col == c.col && d.row == c.row);
	d = pb_map_corner_cell(&m, (struct pb_vec){-1e300, 1e300});
	check(d.col == 0 && d.row == 367);
	pb_map_clear(&m);
}

test(far_points_do_not_overflow)
{
	struct pb_map m;
	struct pb_cell c;

	check_int(
	    pb_map_init(&m, 3, 3, 1e-3, (struct pb_pose){0, 0, 0}), PB_OK);
	c = pb_map_cell(&m, (struct pb_vec){1e300, -1e300});
	check(!pb_map_inside(&m, c));
	c = pb_map_cell(&m, (struct pb_vec){NAN, 0});
	check(!pb_map_inside(&m, c));
	c = pb_map_cell(&m, (struct pb_vec){0, NAN});
	check(!pb_map_inside(&m, c));
	c = pb_map_corner_cell(&m, (struct pb_vec){NAN, 1e300});
	check(c.col == 0 && c.row == 2);
	pb_map_clear(&m);
}

test(hash_sees_every_part)
{
	struct pb_map m, n;
	uint64_t h;

	check_int(
	    pb_map_init(&m, 4, 4, 0.05, (struct pb_pose){0, 0, 0}), PB_OK);
	check_int(pb_map_copy(&n, &m), PB_OK);
	h = pb_map_hash(&m);
	check(pb_map_hash(&n) == h);
	n.cell[5] = 100;
	check(pb_map_hash(&n) != h);
	n.cell[5] = m.cell[5];
	n.origin.th = 0.1;
	check(pb_map_hash(&n) != h);
	pb_map_clear(&m);
	pb_map_clear(&n);
}
