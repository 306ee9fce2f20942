/* field.c - tests of planning grids and of distance fields. */
#include "check.h"

#include "boards.h"
#include "pb/plan_grid.h"

enum { W = 33, H = 29, N = W * H };

static int
free_at(const unsigned char *b, int x, int y)
{
	return x >= 0 && y >= 0 && x < W && y < H && b[y * W + x];
}

static void
slow_moves(const unsigned char *b, int x, int y, unsigned char *move)
{
	*move = 0;
	for (int k = 0; k < PB_MOVES; k++) {
		int dx = pb_move_col(k), dy = pb_move_row(k);

		if (free_at(b, x, y) && free_at(b, x + dx, y + dy) &&
		    free_at(b, x + dx, y) && free_at(b, x, y + dy))
			*move |= (unsigned char)(1 << k);
	}
}

/* Bellman and Ford: relax every move until nothing changes. */
static void
slow_field(const unsigned char *b, int from, int32_t *out)
{
	bool change = true;
	unsigned char move;

	for (int i = 0; i < N; i++)
		out[i] = PB_FIELD_NONE;
	if (from >= 0 && b[from])
		out[from] = 0;
	while (change) {
		change = false;
		for (int i = 0; i < N; i++) {
			slow_moves(b, i % W, i / W, &move);
			for (int k = 0; k < PB_MOVES; k++) {
				int32_t c = k < 4 ? PB_STEP : PB_DIAG;
				int j = i + pb_move_col(k) + W * pb_move_row(k);

				if (!(move & 1 << k) ||
				    out[i] == PB_FIELD_NONE ||
				    out[i] + c >= out[j])
					continue;
				out[j] = out[i] + c;
				change = true;
			}
		}
	}
}

test(moves_follow_the_published_order)
{
	/* Image coordinates: y counts down, so -row. */
	static const int order[PB_MOVES][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1},
	    {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};

	for (int k = 0; k < PB_MOVES; k++) {
		check_int(pb_move_col(k), order[k][0]);
		check_int(-pb_move_row(k), order[k][1]);
	}
}

test(moves_cut_no_corner)
{
	unsigned char b[N], move;
	struct pb_grid g;
	struct pb_rng r = draws(1, PB_FOR_MAP);

	for (int style = 0; style < 30; style++) {
		board_make(&r, style, W, H, b);
		check_int(pb_grid_init(&g, W, H, b), PB_OK);
		for (int i = 0; i < N; i++) {
			slow_moves(b, i % W, i / W, &move);
			check_int(g.move[i], move);
			check_int(pb_grid_free(&g, i), b[i]);
		}
		pb_grid_clear(&g);
	}
}

test(parts_are_what_fields_reach)
{
	unsigned char b[N];
	int32_t out[N];
	struct pb_grid g;
	struct pb_rng r = draws(2, PB_FOR_MAP);

	for (int style = 0; style < 30; style++) {
		uint32_t sum = 0;
		int from;

		board_make(&r, style, W, H, b);
		check_int(pb_grid_init(&g, W, H, b), PB_OK);
		from = (int)pb_rng_below(&r, N);
		slow_field(b, from, out);
		for (int i = 0; i < N; i++)
			check_int(pb_grid_joined(&g, from, i),
			    out[i] != PB_FIELD_NONE);
		for (int k = 0; k < g.nparts; k++) {
			sum += g.size[k];
			check(g.size[k] <= g.size[g.main]);
		}
		check_int(sum, (long long)g.nfree);
		pb_grid_clear(&g);
	}
}

test(parts_are_numbered_by_first_cell)
{
	/* Three islands; the middle one is the largest. */
	static const unsigned char b[] = {1, 0, 1, 1, 0, 1, /* bottom */
	    1, 0, 1, 1, 0, 1};
	struct pb_grid g;

	check_int(pb_grid_init(&g, 6, 2, b), PB_OK);
	check_int(g.nparts, 3);
	check_int(g.main, 1);
	check(pb_grid_part(&g, 0) == 0 && pb_grid_part(&g, 9) == 1 &&
	      pb_grid_part(&g, 11) == 2);
	check(pb_grid_part(&g, 1) == -1 && g.size[1] == 4);
	check(pb_grid_joined(&g, 2, 9) && !pb_grid_joined(&g, 0, 2));
	check(!pb_grid_joined(&g, -1, 2) && !pb_grid_joined(&g, 1, 1));
	check_int(pb_grid_index(&g, (struct pb_cell){6, 0}), -1);
	check_int(pb_grid_index(&g, (struct pb_cell){5, 1}), 11);
	pb_grid_clear(&g);
	pb_grid_clear(&g);
}

test(grid_without_free_cells)
{
	static const unsigned char b[4] = {0};
	struct pb_grid g = {.width = -7};

	check_int(pb_grid_init(&g, 0, 1, b), PB_ESIZE);
	check_int(g.width, -7);
	check_int(pb_grid_init(&g, 2, 2, b), PB_OK);
	check(g.nparts == 0 && g.main == -1 && g.nfree == 0);
	pb_grid_clear(&g);
}

static void
compare_fields(struct pb_rng *r, const unsigned char *b)
{
	int from = (int)pb_rng_below(r, N + 1) - 1;
	int to = (int)pb_rng_below(r, N);
	int32_t fast[N], slow[N], work[3 * N + 1], known;
	struct pb_grid g;

	check_int(pb_grid_init(&g, W, H, b), PB_OK);
	slow_field(b, from, slow);
	check_int(pb_field_from(&g, from, fast), PB_OK);
	for (int i = 0; i < N; i++)
		check_int(fast[i], slow[i]);
	/* As far as another cell and a quarter more; beyond it all are equal.
	 */
	known = pb_field_between(&g, from, to, work, fast);
	for (int i = 0; i < N; i++) {
		check_int(fast[i], slow[i] < known ? slow[i] : known);
		if (slow[i] != PB_FIELD_NONE && slow[i] >= known)
			check(slow[to] < known / 5 * 4);
	}
	pb_grid_clear(&g);
}

test(fields_equal_brute_force)
{
	unsigned char b[N];
	struct pb_rng r = draws(3, PB_FOR_MAP);

	for (int style = 0; style < 60; style++) {
		board_make(&r, style, W, H, b);
		for (int k = 0; k < 4; k++)
			compare_fields(&r, b);
	}
}

test(descent_is_a_shortest_path)
{
	unsigned char b[N];
	int32_t f[N];
	int path[N];
	struct pb_grid g;
	struct pb_rng r = draws(5, PB_FOR_MAP);

	board_make(&r, 2, W, H, b);
	b[N / 2] = 1;
	check_int(pb_grid_init(&g, W, H, b), PB_OK);
	check_int(pb_field_from(&g, N / 2, f), PB_OK);
	for (int i = 0; i < N; i++) {
		size_t n = pb_field_descend(&g, f, i, path, N);

		check(n > 0 || f[i] == PB_FIELD_NONE);
		if (n == 0)
			continue;
		check(path[0] == i && path[n - 1] == N / 2);
		check(f[i] <= (int32_t)(n - 1) * PB_DIAG);
		check(f[i] >= (int32_t)(n - 1) * PB_STEP);
		for (size_t k = 1; k < n; k++)
			check(f[path[k]] < f[path[k - 1]]);
		if (n > 2)
			check_int(
			    (long long)pb_field_descend(&g, f, i, path, n - 1),
			    (long long)n - 1);
	}
	check_int((long long)pb_field_descend(&g, f, -1, path, N), 0);
	pb_grid_clear(&g);
}

test(units)
{
	check_near(pb_field_cells(PB_DIAG), sqrt(2), 2e-8);
	check(isinf(pb_field_cells(PB_FIELD_NONE)));
}
