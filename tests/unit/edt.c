/* edt.c - tests of the distance transform and of the square rule. */
#include "check.h"

#include "map/edt.h"
#include "pb/plan_grid.h"

enum { SIDE = 37 };

/* A random mask: walls with a chance of p, or none, or all. */
static void
random_mask(struct pb_rng *r, size_t n, double p, unsigned char *mask)
{
	for (size_t i = 0; i < n; i++)
		mask[i] = pb_rng_unit(r) < p ? 1 + (i & 1) * 200 : 0;
}

static int32_t
slow_d2(const unsigned char *wall, int w, int h, bool border, int x, int y)
{
	int32_t best = PB_EDT_FAR;

	for (int v = -1; v <= h; v++)
		for (int u = -1; u <= w; u++) {
			bool out = v < 0 || u < 0 || v == h || u == w;
			int32_t d = (u - x) * (u - x) + (v - y) * (v - y);

			if ((out ? border : wall[v * w + u] != 0) && d < best)
				best = d;
		}
	return best;
}

static void
compare_edt(const unsigned char *wall, int w, int h, bool border)
{
	struct pb_edt e;

	check_int(pb_edt_init(&e, wall, w, h, border), PB_OK);
	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++)
			check_int(
			    e.d2[y * w + x], slow_d2(wall, w, h, border, x, y));
	pb_edt_clear(&e);
}

test(edt_equals_brute_force)
{
	static const double chance[] = {0, 0.002, 0.02, 0.1, 0.5, 1};
	unsigned char wall[SIDE * SIDE];
	struct pb_rng r = draws(1, PB_FOR_MAP);

	for (int i = 0; i < 240; i++) {
		int w = 1 + (int)pb_rng_below(&r, SIDE);
		int h = 1 + (int)pb_rng_below(&r, SIDE);

		random_mask(&r, (size_t)(w * h), chance[i % 6], wall);
		compare_edt(wall, w, h, i / 6 % 2);
	}
}

test(edt_of_long_rows_and_columns)
{
	unsigned char *wall = calloc(PB_MAP_SIDE, 1);
	struct pb_edt e;

	for (int i = 0; i < 2; i++) {
		int w = i ? 1 : PB_MAP_SIDE, h = i ? PB_MAP_SIDE : 1;

		check_int(pb_edt_init(&e, wall, w, h, false), PB_OK);
		check_int(e.d2[0], PB_EDT_FAR);
		check_int(e.d2[PB_MAP_SIDE - 1], PB_EDT_FAR);
		pb_edt_clear(&e);
		wall[0] = 1;
		check_int(pb_edt_init(&e, wall, w, h, false), PB_OK);
		check_int(e.d2[PB_MAP_SIDE - 1], 19999 * 19999);
		pb_edt_clear(&e);
		wall[0] = 0;
		check_int(pb_edt_init(&e, wall, w, h, true), PB_OK);
		check_int(e.d2[PB_MAP_SIDE / 2], 1);
		pb_edt_clear(&e);
	}
	free(wall);
}

test(edt_far_corners)
{
	enum { N = 1500 };
	unsigned char *wall = calloc(N, N);
	struct pb_edt e;

	wall[0] = 1;
	check_int(pb_edt_init(&e, wall, N, N, false), PB_OK);
	for (int i = 0; i < N; i += 7)
		check_int(e.d2[i * N + (N - 1 - i)],
		    i * i + (N - 1 - i) * (N - 1 - i));
	check_int(e.d2[N * N - 1], 2 * (N - 1) * (N - 1));
	pb_edt_clear(&e);
	free(wall);
}

test(edt_mirrors)
{
	enum { N = 31 };
	unsigned char wall[N * N], mirror[N * N];
	struct pb_edt a, b;
	struct pb_rng r = draws(2, PB_FOR_MAP);

	random_mask(&r, sizeof(wall), 0.03, wall);
	for (int i = 0; i < N * N; i++) /* across the diagonal */
		mirror[i % N * N + i / N] = wall[i];
	check_int(pb_edt_init(&a, wall, N, N, true), PB_OK);
	check_int(pb_edt_init(&b, mirror, N, N, true), PB_OK);
	for (int i = 0; i < N * N; i++)
		check_int(a.d2[i], b.d2[i % N * N + i / N]);
	pb_edt_clear(&a);
	pb_edt_clear(&b);
}

test(clearance_and_inflation)
{
	unsigned char wall[9 * 9] = {0}, in[9 * 9];
	struct pb_edt e;

	wall[4 * 9 + 4] = 1;
	check_int(pb_edt_init(&e, wall, 9, 9, false), PB_OK);
	check_near(pb_edt_clearance(&e, 4 * 9 + 1, 0.05), 0.15, 1e-12);
	pb_edt_within(&e, sqrt(8), in); /* on the rim, with rounding */
	check(in[2 * 9 + 2] && !in[1 * 9 + 4] && in[4 * 9 + 4]);
	pb_edt_within(&e, 0, in);
	check(in[4 * 9 + 4] && !in[4 * 9 + 5]);
	pb_edt_within(&e, 1e30, in);
	check(in[0]);
	pb_edt_clear(&e);
	wall[4 * 9 + 4] = 0;
	check_int(pb_edt_init(&e, wall, 9, 9, false), PB_OK);
	check(isinf(pb_edt_clearance(&e, 0, 0.05)));
	pb_edt_within(&e, 1e30, in);
	check(!in[0]); /* no wall: nothing is near one */
	check_int(e.d2[0], PB_EDT_FAR);
	pb_edt_clear(&e);
	pb_edt_clear(&e);
}

test(edt_refuses)
{
	struct pb_edt e = {.width = -7};

	check_int(pb_edt_init(&e, NULL, 0, 5, true), PB_ESIZE);
	check_int(pb_edt_init(&e, NULL, 5, PB_EDT_SIDE + 1, true), PB_ESIZE);
	check_int(pb_edt_init(&e, NULL, PB_EDT_SIDE + 1, 5, true), PB_ESIZE);
	check_int(e.width, -7);
}

static int
slow_square(const unsigned char *in, int w, int h, int c, int x, int y)
{
	for (int v = y - c; v <= y + c; v++)
		for (int u = x - c; u <= x + c; u++)
			if (u < 0 || v < 0 || u >= w || v >= h ||
			    !in[v * w + u])
				return 0;
	return 1;
}

test(square_equals_brute_force)
{
	static const double chance[] = {1, 0.99, 0.95, 0.7};
	unsigned char in[SIDE * SIDE], out[SIDE * SIDE];
	uint16_t run[SIDE];
	struct pb_rng r = draws(3, PB_FOR_MAP);

	for (int i = 0; i < 400; i++) {
		int w = 1 + (int)pb_rng_below(&r, SIDE);
		int h = 1 + (int)pb_rng_below(&r, SIDE);
		int c = (int)pb_rng_below(&r, i % 5 == 0 ? 25 : 6);

		random_mask(&r, (size_t)(w * h), chance[i % 4], in);
		memset(out, 9, sizeof(out));
		pb_square_mask(in, w, h, c, run, out);
		for (int k = 0; k < w * h; k++)
			check_int(
			    out[k], slow_square(in, w, h, c, k % w, k / w));
	}
}

test(published_rounding)
{
	check_int(pb_square_cells(0.3, 0.05), 6);
	check_int(pb_square_cells(2, 0.05), 40);
	check_int(pb_square_cells(0.25, 0.1), 2); /* 2.5, halves to even */
	check_int(pb_square_cells(0.35, 0.1), 3);
	check_int(pb_square_cells(0, 0.05), 1);
	check_int(pb_square_cells(0.01, 0.05), 1);
	check_int(pb_square_cells(1e300, 0.05), PB_MAP_SIDE + 1);
}

test(free_mask)
{
	static const struct pb_pose origin = {0, 0, 0};
	unsigned char out[102];
	struct pb_map m;

	check_int(pb_map_init(&m, 102, 1, 1, origin), PB_OK);
	for (int i = 0; i < 102; i++)
		m.cell[i] = (signed char)(i - 1);
	pb_mask_free(&m, out);
	for (int i = 0; i < 102; i++)
		check_int(out[i], pb_cell_free(i - 1));
	pb_map_clear(&m);
}
