/* merge.c - tests of one map made of two. */
#include "check.h"

#include "map/change.h"
#include "pb/map.h"

static const signed char values[] = {-1, -1, 0, 20, 50, 70, 100};

static struct pb_map
noise(uint64_t seed, int width, int height, double res, struct pb_pose at)
{
	struct pb_map m;
	struct pb_rng r = draws(seed, PB_FOR_MAP);

	check_int(pb_map_init(&m, width, height, res, at), PB_OK);
	for (size_t i = 0; i < pb_map_cells(&m); i++)
		m.cell[i] = values[pb_rng_below(&r, 7)];
	strcpy(m.name, "noise");
	return m;
}

static int
at(const struct pb_map *m, struct pb_vec p)
{
	return pb_map_at(m, pb_map_cell(m, p));
}

static int
rank(int value)
{
	return pb_cell_occupied(value) ? 2 : pb_cell_free(value) ? 1 : 0;
}

/* The strongest of what is said about a cell of the merged map, the slow way.
 */
static int
twin(const struct pb_map *a, const struct pb_map *b, const struct pb_map *dst,
    size_t i)
{
	struct pb_cell c = pb_map_cell_of(dst, i);
	struct pb_vec p = pb_map_centre(dst, c);
	int best = at(a, p), v = at(b, p);

	if (rank(v) > rank(best) || (rank(v) == rank(best) && v > best))
		best = v;
	for (size_t k = 0; k < pb_map_cells(b); k++) {
		struct pb_vec q = pb_map_centre(b, pb_map_cell_of(b, k));
		struct pb_cell d = pb_map_cell(dst, q);

		v = b->cell[k];
		if (d.col != c.col || d.row != c.row || rank(v) < 2)
			continue;
		if (rank(best) < 2 || v > best)
			best = v;
	}
	return best;
}

test(twin)
{
	static const struct {
		int width, height;
		double res;
		struct pb_pose at;
	} other[] = {
	    {9, 7, 0.1, {3, -2, 0.7}},       /* the same frame */
	    {9, 7, 0.1, {2.3, -2.9, 0.7}},   /* beside it */
	    {12, 5, 0.04, {3.1, -1.7, 0.7}}, /* finer */
	    {5, 6, 0.26, {2.6, -2.4, -0.4}}, /* coarser, and turned */
	    {1, 1, 0.1, {6, 1, 3}},          /* a cell far off */
	};
	struct pb_map a = noise(1, 9, 7, 0.1, (struct pb_pose){3, -2, 0.7});

	for (size_t k = 0; k < sizeof other / sizeof other[0]; k++) {
		struct pb_map b = noise(k + 2, other[k].width, other[k].height,
		    other[k].res, other[k].at);
		struct pb_map dst;

		b.cell[0] = 100;
		check_int(pb_map_merge(&a, &b, &dst), PB_OK);
		check_str(dst.name, "noise");
		for (size_t i = 0; i < pb_map_cells(&dst); i++)
			check_int(dst.cell[i], twin(&a, &b, &dst, i));
		/* Nothing that b knows is lost. */
		for (size_t i = 0; i < pb_map_cells(&b); i++)
			if (b.cell[i] >= 0)
				check(pb_map_inside(
				    &dst, pb_map_cell(&dst,
					      pb_map_centre(
						  &b, pb_map_cell_of(&b, i)))));
		pb_map_clear(&dst);
		pb_map_clear(&b);
	}
	pb_map_clear(&a);
}

/* A map and itself, and a map and one that knows nothing, are the map. */
test(nothing_new)
{
	struct pb_map a = noise(1, 9, 7, 0.1, (struct pb_pose){3, -2, 0.7});
	struct pb_map none, dst;

	check_int(
	    pb_map_init(&none, 4, 4, 1, (struct pb_pose){1e6, 0, 0}), PB_OK);
	for (int k = 0; k < 2; k++) {
		check_int(pb_map_merge(&a, k ? &a : &none, &dst), PB_OK);
		check_int(dst.width, a.width);
		check_int(dst.height, a.height);
		check(memcmp(dst.cell, a.cell, pb_map_cells(&a)) == 0);
		pb_map_clear(&dst);
	}
	pb_map_clear(&none);
	pb_map_clear(&a);
}

test(too_far)
{
	static const double x[] = {1e5, -1e5};
	struct pb_map a = noise(1, 9, 7, 0.1, (struct pb_pose){3, -2, 0.7});

	for (int k = 0; k < 2; k++) {
		struct pb_map b =
		    noise(2, 3, 3, 0.1, (struct pb_pose){x[k], 0, 0});
		struct pb_map dst = {.width = 77};

		b.cell[4] = 0;
		check_int(pb_map_merge(&a, &b, &dst), PB_ESIZE);
		check_int(dst.width, 77);
		pb_map_clear(&b);
	}
	pb_map_clear(&a);
}
