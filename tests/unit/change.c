/* change.c - tests of cropping maps. */
#include "check.h"

#include "map/change.h"
#include "pb/map.h"

static struct pb_map
noise(int width, int height, double yaw)
{
	static const signed char value[] = {-1, 0, 100, 20, 50, 70};
	struct pb_map m;
	struct pb_rng r = draws(3, PB_FOR_MAP);

	check_int(
	    pb_map_init(&m, width, height, 0.1, (struct pb_pose){3, -2, yaw}),
	    PB_OK);
	for (size_t i = 0; i < pb_map_cells(&m); i++)
		m.cell[i] = value[pb_rng_below(&r, 6)];
	strcpy(m.name, "noise");
	return m;
}

test(crop_keeps_every_cell_in_its_place)
{
	struct pb_map m = noise(17, 11, 0.7), part;

	check_int(pb_map_crop(&m, (struct pb_cell){4, -2},
		      (struct pb_cell){20, 7}, &part),
	    PB_OK);
	check_int(part.width, 17);
	check_int(part.height, 10);
	check_str(part.name, "noise");
	for (size_t i = 0; i < pb_map_cells(&part); i++) {
		struct pb_cell c = pb_map_cell_of(&part, i);
		struct pb_cell d = {c.col + 4, c.row - 2};
		struct pb_vec p = pb_map_centre(&part, c);
		struct pb_vec q = pb_map_centre(&m, d);

		check_near(pb_dist(p, q), 0, 1e-12);
		check_int(part.cell[i], pb_map_at(&m, d));
	}
	pb_map_clear(&part);
	check_int(pb_map_crop(&m, (struct pb_cell){4, 4},
		      (struct pb_cell){3, 9}, &part),
	    PB_ESIZE);
	check_int(pb_map_crop(&m, (struct pb_cell){-2000000000, 0},
		      (struct pb_cell){2000000000, 9}, &part),
	    PB_ESIZE);
	pb_map_clear(&m);
}

test(known_box)
{
	struct pb_map m;
	struct pb_cellbox k;

	check_int(pb_map_init(&m, 9, 7, 0.1, (struct pb_pose){0, 0, 0}), PB_OK);
	check(pb_cellbox_empty(pb_map_known(&m)));
	m.cell[2 * 9 + 5] = 0;
	m.cell[4 * 9 + 3] = 100;
	k = pb_map_known(&m);
	check(k.lo.col == 3 && k.lo.row == 2);
	check(k.hi.col == 5 && k.hi.row == 4);
	pb_map_clear(&m);
}

test(change_in_order)
{
	struct pb_map m = noise(20, 20, 0), n;
	struct pb_change c = {
	    .crop = true, .lo = {3.52, -1.48}, .hi = {4.48, -0.52}};

	check_int(pb_map_copy(&n, &m), PB_OK);
	check_int(pb_map_change(&m, &c), PB_OK);
	check_int(m.width, 10); /* columns 5..14: ten centres in the box */
	check_int(m.height, 10);
	check_near(m.origin.x, 3.5, 1e-9);
	c.lo.x = c.hi.x = 90;
	check_int(pb_map_change(&n, &c), PB_ENOENT);
	check(n.cell != NULL);
	memset(n.cell, -1, 400);
	check_int(
	    pb_map_change(&n, &(struct pb_change){.trim = true}), PB_ENOENT);
	n.cell[7 * 20 + 9] = 0;
	check_int(pb_map_change(&n, &(struct pb_change){.trim = true}), PB_OK);
	check(n.width == 1 && n.height == 1 && n.cell[0] == 0);
	pb_map_clear(&m);
	pb_map_clear(&n);
}

/* A part's places are those of the whole map, to the last bit. */
test(a_part_keeps_its_places)
{
	struct pb_map m = noise(61, 47, 0.7), part, again;
	struct pb_rng r = draws(4, PB_FOR_MAP);

	for (size_t i = 0; i < pb_map_cells(&m); i++)
		if (i % 61 < 13 || i % 61 > 38 || i / 61 < 9 || i / 61 > 30)
			m.cell[i] = -1;
	m.cell[9 * 61 + 13] = m.cell[30 * 61 + 38] = 0;
	check_int(pb_map_part(&m, &part), PB_OK);
	check_int(part.width, 26);
	check_int(part.height, 22);
	check(part.left == 13 && part.right == 22);
	check(part.below == 9 && part.above == 16);
	for (size_t i = 0; i < pb_map_cells(&part); i++) {
		struct pb_cell c = pb_map_cell_of(&part, i);
		struct pb_cell d = {c.col + 13, c.row + 9};
		struct pb_vec p = pb_map_centre(&part, c);
		struct pb_vec q = pb_map_corner(&part, c);

		check_int(part.cell[i], pb_map_at(&m, d));
		check(p.x == pb_map_centre(&m, d).x);
		check(p.y == pb_map_centre(&m, d).y);
		check(q.x == pb_map_corner(&m, d).x);
		check(q.y == pb_map_corner(&m, d).y);
	}
	for (int i = 0; i < 2000; i++) {
		struct pb_vec p = {
		    pb_rng_between(&r, -9, 15), pb_rng_between(&r, -9, 15)};
		struct pb_cell c = pb_map_cell(&part, p);
		struct pb_cell d = pb_map_cell(&m, p);
		struct pb_cell e = pb_map_corner_cell(&part, p);
		struct pb_cell f = pb_map_corner_cell(&m, p);

		check(c.col + 13 == d.col && c.row + 9 == d.row);
		check(e.col + 13 == f.col && e.row + 9 == f.row);
	}
	/* A part of a part leaves out what both leave out. */
	check_int(pb_map_part(&part, &again), PB_OK);
	check(again.left == 13 && again.above == 16 && again.width == 26);
	pb_map_clear(&again);
	pb_map_clear(&part);
	memset(m.cell, -1, pb_map_cells(&m));
	check_int(pb_map_part(&m, &part), PB_OK);
	check_int((long long)pb_map_cells(&part), 1);
	pb_map_clear(&part);
	pb_map_clear(&m);
}

test(right_angles_lose_nothing)
{
	for (int k = -1; k <= 2; k++) {
		struct pb_map m = noise(9, 5, k * PB_PI / 2), s;

		check_int(pb_map_straighten(&m, &s), PB_OK);
		check_int(s.width, k % 2 == 0 ? 9 : 5);
		check_int(s.height, k % 2 == 0 ? 5 : 9);
		check(s.origin.th == 0);
		for (size_t i = 0; i < pb_map_cells(&m); i++) {
			struct pb_vec v =
			    pb_map_centre(&m, pb_map_cell_of(&m, i));

			check_int(pb_map_at(&s, pb_map_cell(&s, v)), m.cell[i]);
		}
		pb_map_clear(&s);
		pb_map_clear(&m);
	}
}

test(a_turn_makes_no_holes)
{
	for (int k = 1; k < 60; k++) {
		struct pb_map m = noise(21, 13, k * 0.1), s;

		check_int(pb_map_straighten(&m, &s), PB_OK);
		for (size_t i = 0; i < pb_map_cells(&m); i++) {
			struct pb_cell c = pb_map_cell(
			    &s, pb_map_centre(&m, pb_map_cell_of(&m, i)));

			check(pb_map_inside(&s, c));
			if (pb_cell_occupied(m.cell[i]))
				check(pb_cell_occupied(pb_map_at(&s, c)));
		}
		/* What is not occupied is what lies there in m. */
		for (size_t i = 0; i < pb_map_cells(&s); i++) {
			struct pb_vec v =
			    pb_map_centre(&s, pb_map_cell_of(&s, i));

			if (!pb_cell_occupied(s.cell[i]))
				check_int(s.cell[i],
				    pb_map_at(&m, pb_map_cell(&m, v)));
		}
		pb_map_clear(&s);
		pb_map_clear(&m);
	}
}

/* A record has angles to 1e-6 rad: no row or column more, and all cells. */
test(straighten_rounded_right_angles)
{
	static const double yaw[] = {1.570796, -1.570796, 3.141593, 0.000001};

	for (size_t k = 0; k < sizeof(yaw) / sizeof(*yaw); k++) {
		struct pb_pose origin = {-3, 5, yaw[k]};
		bool upright = fabs(sin(yaw[k])) < 0.5;
		struct pb_map m, s;

		check_int(pb_map_init(&m, PB_MAP_SIDE, 3, 0.05, origin), PB_OK);
		for (size_t i = 0; i < pb_map_cells(&m); i++)
			m.cell[i] = i % 7 < 3 ? 100 : 0;
		check_int(pb_map_straighten(&m, &s), PB_OK);
		check_int(s.width, upright ? PB_MAP_SIDE : 3);
		check_int(s.height, upright ? 3 : PB_MAP_SIDE);
		for (size_t i = 0; i < pb_map_cells(&m); i += 11) {
			struct pb_vec v =
			    pb_map_centre(&m, pb_map_cell_of(&m, i));

			check_int(pb_map_at(&s, pb_map_cell(&s, v)), m.cell[i]);
		}
		pb_map_clear(&s);
		pb_map_clear(&m);
	}
}

/* How many of the k x k cells of m below cell c are of each kind. */
static void
count(const struct pb_map *m, int k, struct pb_cell c, int n[3])
{
	memset(n, 0, 3 * sizeof(*n));
	for (int i = 0; i < k * k; i++) {
		struct pb_cell d = {c.col * k + i % k, c.row * k + i / k};
		int v = pb_map_at(m, d);

		n[pb_cell_occupied(v) ? 2 : pb_cell_free(v) ? 0 : 1]++;
	}
}

test(coarse_walls_have_no_holes)
{
	for (int k = 1; k <= 4; k++) {
		struct pb_map m = noise(17, 11, -2), big;

		/* Free and unknown stretches, too. */
		memset(m.cell, 0, 17 * 4);
		memset(m.cell + 17 * 8, -1, 17 * 3);
		check_int(pb_map_coarsen(&m, k, &big), PB_OK);
		check_int(big.width, (17 + k - 1) / k);
		check_near(big.resolution, 0.1 * k, 1e-12);
		check(big.origin.x == m.origin.x);
		for (size_t i = 0; i < pb_map_cells(&big); i++) {
			int n[3], v = big.cell[i];

			count(&m, k, pb_map_cell_of(&big, i), n);
			check(pb_cell_occupied(v) == (n[2] > 0));
			check(pb_cell_free(v) == (n[1] == 0 && n[2] == 0));
		}
		pb_map_clear(&big);
		pb_map_clear(&m);
	}
}

test(coarsen_by_one_changes_nothing)
{
	struct pb_map m = noise(13, 8, 1), same;

	check_int(pb_map_coarsen(&m, 1, &same), PB_OK);
	check(pb_map_hash(&m) == pb_map_hash(&same));
	pb_map_clear(&m);
	pb_map_clear(&same);
}
