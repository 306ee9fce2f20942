/* house.c - tests of the random houses. */
#include "check.h"

#include "map/gen_house.h"

/* Pieces of true cells that are larger than `least` cells; ok is used up. */
static int
pieces(bool *ok, int w, int h, int least)
{
	int *stack = malloc((size_t)(w * h) * sizeof(*stack)), n = 0;

	for (int i = 0; i < w * h; i++) {
		int top = 0, size = 0;

		if (!ok[i])
			continue;
		ok[i] = false;
		stack[top++] = i;
		while (top > 0) {
			int c = stack[--top], x = c % w;
			int to[4] = {x > 0 ? c - 1 : c, x < w - 1 ? c + 1 : c,
			    c >= w ? c - w : c, c + w < w * h ? c + w : c};

			size++;
			for (int d = 0; d < 4; d++)
				if (ok[to[d]]) {
					ok[to[d]] = false;
					stack[top++] = to[d];
				}
		}
		n += size > least;
	}
	free(stack);
	return n;
}

/* Where a square robot that keeps c cells from everything may be. */
static bool *
places(const struct pb_map *m, int c)
{
	bool *ok = malloc(pb_map_cells(m));

	for (size_t i = 0; i < pb_map_cells(m); i++) {
		struct pb_cell at = pb_map_cell_of(m, i);

		ok[i] = true;
		for (int y = -c; y <= c && ok[i]; y++)
			for (int x = -c; x <= c && ok[i]; x++)
				ok[i] = pb_cell_free(pb_map_at(m,
				    (struct pb_cell){at.col + x, at.row + y}));
	}
	return ok;
}

static double
share(const struct pb_map *m, bool (*is)(int))
{
	size_t n = 0;

	for (size_t i = 0; i < pb_map_cells(m); i++)
		n += is(m->cell[i]);
	return (double)n / (double)pb_map_cells(m);
}

test(one_piece_for_the_robot)
{
	struct pb_house_opts o = pb_house_defaults();
	struct pb_map m;

	for (o.seed = 1; o.seed <= 30; o.seed++) {
		int c = (int)(o.clearance / o.resolution);
		bool *ok;

		/* Some so full that many pieces would shut a way. */
		o.furniture = o.seed % 3 ? 0.25 : 1;
		check_int(pb_gen_house(&o, &m), PB_OK);
		ok = places(&m, 0);
		check_int(pieces(ok, m.width, m.height, 0), 1);
		free(ok);
		ok = places(&m, c);
		check_int(
		    pieces(ok, m.width, m.height, (2 * c + 1) * (2 * c + 1)),
		    1);
		free(ok);
		check(share(&m, pb_cell_free) > (o.seed % 3 ? 0.35 : 0.2));
		check(share(&m, pb_cell_occupied) > 0.01);
		check(share(&m, pb_cell_unknown) > 0.1);
		pb_map_clear(&m);
	}
}

test(sizes_and_resolutions)
{
	static const double t[][3] = {{4, 4, 0.05}, {30, 5, 0.1}, {5, 30, 0.02},
	    {25, 25, 0.2}, {8.037, 6.11, 0.05}};
	struct pb_house_opts o = pb_house_defaults();
	struct pb_map m;

	o.clearance = 0.2;
	for (size_t i = 0; i < sizeof(t) / sizeof(*t); i++) {
		bool *ok;

		o.width = t[i][0];
		o.height = t[i][1];
		o.resolution = t[i][2];
		check_int(pb_gen_house(&o, &m), PB_OK);
		check_near(m.width * m.resolution, o.width, o.resolution);
		check_near(m.height * m.resolution, o.height, o.resolution);
		check(pb_map_at(&m, pb_map_cell(&m, (struct pb_vec){0, 0})) >=
		      PB_CELL_UNKNOWN);
		ok = places(&m, 0);
		check_int(pieces(ok, m.width, m.height, 0), 1);
		free(ok);
		pb_map_clear(&m);
	}
}

/*
 * One piece in a room of 6 m by 6 m. A leg of a table is 6 cm thick, and one
 * cell where that is less than half a cell; boxes and pots are closed and two
 * cells wide or more. So a piece that fills four cells is a table, of 0.8 to
 * 1.6 m by 0.6 to 0.9 m, and three of ten pieces are.
 */
test(tables_have_legs)
{
	/* 40 cells between walls of 1 and margins of 3. */
	enum { FIRST = 4, SIDE = 40 };
	struct pb_house_opts o = pb_house_defaults();
	int tables = 0;

	o.width = o.height = 48 * 0.15;
	o.resolution = 0.15;
	o.room_area = 1e6;
	o.furniture = 1 / 36.0;
	o.ragged = o.clearance = 0;
	for (o.seed = 1; o.seed <= 400; o.seed++) {
		int x0 = SIDE, y0 = SIDE, x1 = 0, y1 = 0, n = 0;
		struct pb_map m;

		check_int(pb_gen_house(&o, &m), PB_OK);
		for (int y = 0; y < SIDE; y++)
			for (int x = 0; x < SIDE; x++) {
				if (pb_cell_free(pb_map_at(
					&m, (struct pb_cell){
						FIRST + x, FIRST + y})))
					continue;
				n++;
				x0 = x < x0 ? x : x0;
				x1 = x > x1 ? x : x1;
				y0 = y < y0 ? y : y0;
				y1 = y > y1 ? y : y1;
			}
		if (n == 4 && x1 - x0 + y1 - y0 > 2) {
			int a = x1 - x0 + 1, b = y1 - y0 + 1;

			tables++;
			check(fmin(a, b) >= 4 && fmin(a, b) <= 6);
			check(fmax(a, b) >= 5 && fmax(a, b) <= 11);
		} else
			check(n >= 4);
		pb_map_clear(&m);
	}
	check_near(tables / 400.0, 0.3, 4 * sqrt(0.3 * 0.7 / 400));
}

test(seed_decides)
{
	struct pb_house_opts o = pb_house_defaults();
	struct pb_map a, b;

	check_int(pb_gen_house(&o, &a), PB_OK);
	check_int(pb_gen_house(&o, &b), PB_OK);
	check(pb_map_hash(&a) == pb_map_hash(&b));
	pb_map_clear(&b);
	o.seed = 2;
	check_int(pb_gen_house(&o, &b), PB_OK);
	check(pb_map_hash(&a) != pb_map_hash(&b));
	pb_map_clear(&a);
	pb_map_clear(&b);
}

/* The bytes of houses are part of the contract: experiments name a seed. */
test(hash_is_pinned)
{
	struct pb_house_opts o = pb_house_defaults();
	uint64_t h = 0;
	struct pb_map m;

	for (o.seed = 1; o.seed <= 20; o.seed++) {
		o.width = 10 + 3 * (double)o.seed;
		check_int(pb_gen_house(&o, &m), PB_OK);
		h = h * 31 + pb_map_hash(&m);
		pb_map_clear(&m);
	}
	check(h == 0xb806442f85951c6cULL);
}

/* As above, with every option drawn anew for each house. */
test(hash_is_pinned_with_other_options)
{
	struct pb_house_opts o = pb_house_defaults();
	struct pb_rng r;
	uint64_t h = 0;

	pb_rng_start(&r, 7, 0, 0, 0);
	for (o.seed = 1; o.seed <= 60; o.seed++) {
		struct pb_map m = {0};

		o.width = pb_rng_between(&r, 3.74, 18);
		o.height = pb_rng_between(&r, 3.74, 18);
		o.resolution = pb_rng_between(&r, 0.05, 0.2);
		o.room_area = pb_rng_between(&r, 4, 40);
		o.corridor = pb_rng_between(&r, 1, 2);
		o.door = pb_rng_between(&r, 0.6, 1.5);
		o.loops = pb_rng_unit(&r);
		o.cut = pb_rng_unit(&r);
		o.furniture = pb_rng_unit(&r);
		o.ragged = pb_rng_unit(&r) / 2;
		o.clearance = pb_rng_between(&r, 0, o.door / 2 - o.resolution);
		h = h * 31 + (uint64_t)pb_gen_house(&o, &m);
		h = h * 31 + pb_map_hash(&m);
		pb_map_clear(&m);
	}
	check(h == 0x2592ba90177c78e6ULL);
}

test(options_are_checked)
{
	struct pb_house_opts o = pb_house_defaults();
	struct pb_map m = {.width = 3};
	const char *field = "";

	check_int(pb_house_check(&o, &field), PB_OK);
	o.resolution = NAN;
	check_int(pb_house_check(&o, &field), PB_EVALUE);
	check_str(field, "resolution");
	o = pb_house_defaults();
	o.loops = 1;
	check_int(pb_house_check(&o, &field), PB_OK);
	o.loops = 1.5;
	check_int(pb_house_check(&o, &field), PB_EVALUE);
	check_str(field, "loops");
	o = pb_house_defaults();
	o.width = 1;
	check_int(pb_house_check(&o, &field), PB_EVALUE);
	check_str(field, "width");
	o.width = 400;
	o.resolution = 0.01;
	check_int(pb_gen_house(&o, &m), PB_ESIZE);
	/* The largest map, and one of one row or column more. */
	o.resolution = 1 / 64.0;
	o.width = o.height = PB_MAP_SIDE / 64.0;
	check_int(pb_house_check(&o, &field), PB_OK);
	o.width += o.resolution;
	check_int(pb_house_check(&o, &field), PB_ESIZE);
	check_str(field, "width");
	o.width = 10;
	o.height += o.resolution;
	check_int(pb_house_check(&o, &field), PB_ESIZE);
	check_str(field, "height");
	o = pb_house_defaults();
	o.clearance = 0.6;
	check_int(pb_house_check(&o, &field), PB_EVALUE);
	check_str(field, "clearance");
	check_int(m.width, 3);
}
