/* traverse.c - tests of the cells that a line crosses. */
#include "check.h"
#include "share.h"

#include "pb/ray.h"

enum { SIDE = 24 };

/* Visit the line's cells: how often each, in n[row][col]. */
static void
count_visits(struct pb_vec a, struct pb_vec b, int n[SIDE][SIDE])
{
	struct pb_traverse w = pb_traverse_start(a, b);
	struct pb_cell last;

	memset(n, 0, SIDE * sizeof(n[0]));
	do {
		n[w.at.row][w.at.col]++;
		last = w.at;
	} while (pb_traverse_next(&w) &&
		 abs(w.at.row - last.row) + abs(w.at.col - last.col) == 1);
	check_int(w.at.col, (int)floor(b.x));
	check_int(w.at.row, (int)floor(b.y));
}

static void
compare_line(struct pb_vec a, struct pb_vec b)
{
	int n[SIDE][SIDE];

	count_visits(a, b, n);
	for (int r = 0; r < SIDE; r++)
		for (int c = 0; c < SIDE; c++) {
			double s = share_in_cell(a, b, c, r);

			check(n[r][c] <= 1);
			if (s > 1e-9)
				check_int(n[r][c], 1);
			if (s < -1e-9)
				check_int(n[r][c], 0);
		}
}

test(line_crosses_the_cells_that_it_crosses)
{
	struct pb_rng r = draws(1, PB_FOR_MAP);

	for (int i = 0; i < 3000; i++) {
		struct pb_vec v[2];

		for (int k = 0; k < 2; k++)
			v[k] = (struct pb_vec){pb_rng_between(&r, 0, SIDE),
			    pb_rng_between(&r, 0, SIDE)};
		if (i % 3 == 1) /* through corners, along sides */
			for (int k = 0; k < 2; k++)
				v[k] = (struct pb_vec){
				    floor(v[k].x), floor(v[k].y)};
		if (i % 3 == 2)
			v[1].x = v[0].x;
		compare_line(v[0], v[1]);
	}
}

test(line_of_no_length)
{
	struct pb_vec a = {3.5, 4.5};
	struct pb_traverse w = pb_traverse_start(a, a);

	check_int(w.at.col, 3);
	check_int(w.at.row, 4);
	check(!pb_traverse_next(&w));
}
