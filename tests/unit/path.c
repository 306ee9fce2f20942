/* path.c - tests of the shortest paths, the published ghost's first of all. */
#include "check.h"

#include "boards.h"
#include "pb/path.h"

enum { W = 41, H = 35, N = W * H };

/*
 * The published search written out: a list of (f, x, y) of which the smallest
 * is taken, entries never removed when they are outdated, y counted from the
 * top. Returns the number of cells of the path, as indices from the bottom.
 */
struct entry {
	double f;
	int x, y;
};

struct slow {
	const unsigned char *b; /* 1 where free, row 0 at the bottom */
	struct entry *list;
	size_t n, room;
	double cost[N];
	int came[N]; /* by x + W * y; -1: not reached */
};

static int
slow_free(const struct slow *s, int x, int y)
{
	return x >= 0 && y >= 0 && x < W && y < H && s->b[(H - 1 - y) * W + x];
}

static void
slow_push(struct slow *s, double f, int x, int y)
{
	if (s->n == s->room) {
		s->room = 2 * s->room + 64;
		s->list = realloc(s->list, s->room * sizeof(*s->list));
		if (s->list == NULL)
			abort();
	}
	s->list[s->n++] = (struct entry){f, x, y};
}

static struct entry
slow_pop(struct slow *s)
{
	size_t best = 0;
	struct entry e;

	for (size_t i = 1; i < s->n; i++) {
		struct entry *a = &s->list[i], *c = &s->list[best];

		if (a->f < c->f ||
		    (a->f == c->f &&
			(a->x < c->x || (a->x == c->x && a->y < c->y))))
			best = i;
	}
	e = s->list[best];
	s->list[best] = s->list[--s->n];
	return e;
}

static void
slow_visit(struct slow *s, struct entry e, int dx, int dy, int gx, int gy)
{
	int x = e.x + dx, y = e.y + dy;
	double c = s->cost[e.x + W * e.y] + (dx && dy ? sqrt(2) : 1);

	if (!slow_free(s, x, y) ||
	    (dx && dy &&
		!(slow_free(s, e.x + dx, e.y) && slow_free(s, e.x, e.y + dy))))
		return;
	if (s->came[x + W * y] >= 0 && c >= s->cost[x + W * y])
		return;
	s->cost[x + W * y] = c;
	s->came[x + W * y] = e.x + W * e.y;
	slow_push(s, c + sqrt((x - gx) * (x - gx) + (y - gy) * (y - gy)), x, y);
}

static int
slow_path(struct slow *s, int from, int to, int *path)
{
	static const int move[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1},
	    {-1, 1}, {1, -1}, {-1, -1}};
	int x0 = from % W, y0 = H - 1 - from / W, n = 0, at;
	int gx = to % W, gy = H - 1 - to / W;

	s->n = 0;
	for (int i = 0; i < N; i++)
		s->came[i] = -1;
	s->cost[x0 + W * y0] = 0;
	s->came[x0 + W * y0] = x0 + W * y0;
	slow_push(s, 0, x0, y0);
	while (s->n > 0) {
		struct entry e = slow_pop(s);

		if (e.x == gx && e.y == gy)
			break;
		for (int k = 0; k < 8; k++)
			slow_visit(s, e, move[k][0], move[k][1], gx, gy);
	}
	at = gx + W * gy;
	if (s->came[at] < 0)
		return 0;
	for (; at != x0 + W * y0; at = s->came[at])
		path[n++] = (H - 1 - at / W) * W + at % W;
	path[n++] = from;
	for (int i = 0; i < n / 2; i++) {
		int t = path[i];

		path[i] = path[n - 1 - i];
		path[n - 1 - i] = t;
	}
	return n;
}

static void
check_same(struct pb_path p, const int *want, int n)
{
	check_int((long long)p.n, n);
	for (int i = 0; i < n && p.n == (size_t)n; i++)
		check_int(p.cell[i], want[i]);
}

static int
random_free(struct pb_rng *r, const unsigned char *b)
{
	for (int tries = 0; tries < 1000; tries++) {
		int i = (int)pb_rng_below(r, N);

		if (b[i])
			return i;
	}
	return 0;
}

test(ghost_takes_the_published_path)
{
	struct slow s = {0};
	unsigned char b[N];
	int want[N];
	struct pb_search *q;
	struct pb_grid g;
	struct pb_rng r = draws(1, PB_FOR_MAP);

	for (int style = 0; style < 300; style++) {
		board_make(&r, style, W, H, b);
		s.b = b;
		check_int(pb_grid_init(&g, W, H, b), PB_OK);
		check_int(pb_search_new(&q, &g), PB_OK);
		for (int i = 0; i < 10; i++) {
			int from = random_free(&r, b), to = random_free(&r, b);
			int n = b[from] && b[to] ? slow_path(&s, from, to, want)
			                         : 0;

			check_same(pb_path_ghost(q, &g, from, to), want, n);
			check_same(
			    pb_path_ghost_literal(q, &g, from, to), want, n);
		}
		pb_search_free(q);
		pb_grid_clear(&g);
	}
	free(s.list);
}

/* Beyond W x H: the two ways of the library against each other. */
test(ghost_on_large_boards)
{
	enum { SIDE = 400 };
	unsigned char *b = malloc(SIDE * SIDE);
	int *want = malloc(SIDE * SIDE * sizeof(*want));
	struct pb_search *q;
	struct pb_grid g;
	struct pb_rng r = draws(2, PB_FOR_MAP);

	for (int style = 0; style < 12; style++) {
		board_make(&r, style, SIDE, SIDE, b);
		check_int(pb_grid_init(&g, SIDE, SIDE, b), PB_OK);
		check_int(pb_search_new(&q, &g), PB_OK);
		for (int i = 0; i < 12; i++) {
			int from = (int)pb_rng_below(&r, SIDE * SIDE);
			int to = (int)pb_rng_below(&r, SIDE * SIDE);
			struct pb_path p =
			    pb_path_ghost_literal(q, &g, from, to);

			if (p.n > 0)
				memcpy(want, p.cell, p.n * sizeof(*want));
			check_same(
			    pb_path_ghost(q, &g, from, to), want, (int)p.n);
		}
		pb_search_free(q);
		pb_grid_clear(&g);
	}
	free(b);
	free(want);
}

/* A way so long that the short cut must not be taken. */
test(ghost_in_a_long_snake)
{
	enum { SIDE = 161 };
	unsigned char *b = malloc(SIDE * SIDE);
	struct pb_search *q;
	struct pb_path p;
	struct pb_grid g;

	board_open(b, SIDE, 0, 0, SIDE, SIDE, 1);
	for (int y = 1; y < SIDE; y += 2)
		board_open(b, SIDE, y % 4 == 1 ? 0 : 1, y,
		    SIDE - (y % 4 == 1 ? 1 : 0), y + 1, 0);
	check_int(pb_grid_init(&g, SIDE, SIDE, b), PB_OK);
	check_int(pb_search_new(&q, &g), PB_OK);
	p = pb_path_ghost(q, &g, 0, SIDE * SIDE - 1);
	check_int((long long)p.n, 81 * 161 + 80);
	pb_search_free(q);
	pb_grid_clear(&g);
	free(b);
}

test(no_path)
{
	static const unsigned char b[] = {1, 0, 1};
	struct pb_search *q;
	struct pb_path p;
	struct pb_grid g;

	check_int(pb_grid_init(&g, 3, 1, b), PB_OK);
	check_int(pb_search_new(&q, &g), PB_OK);
	check_int((long long)pb_path_ghost(q, &g, 0, 2).n, 0);
	check_int((long long)pb_path_ghost(q, &g, 0, 1).n, 0);
	check_int((long long)pb_path_ghost(q, &g, -1, 2).n, 0);
	check_int(
	    (long long)pb_path_find(q, &g, 0, 2, NULL, 0, NULL, PB_FIELD_NONE)
		.n,
	    0);
	p = pb_path_ghost(q, &g, 2, 2);
	check(p.n == 1 && p.cell[0] == 2);
	p = pb_path_find(q, &g, 2, 2, NULL, 0, NULL, PB_FIELD_NONE);
	check(p.n == 1 && p.cell[0] == 2);
	pb_search_free(q);
	pb_search_free(NULL);
	pb_grid_clear(&g);
}

/* Length by a field over a board on which the discs are walls. */
static int32_t
length_around(const unsigned char *b, int from, int to,
    const struct pb_disc *disc, int n, int32_t *out)
{
	unsigned char c[N];
	struct pb_grid g;

	memcpy(c, b, N);
	for (int i = 0; i < N; i++)
		for (int k = 0; k < n; k++)
			if (i != from && hypot(i % W - disc[k].col,
					     i / W - disc[k].row) <= disc[k].r)
				c[i] = 0;
	check_int(pb_grid_init(&g, W, H, c), PB_OK);
	check_int(pb_field_from(&g, to, out), PB_OK);
	pb_grid_clear(&g);
	return out[from];
}

/* A path's length in field units, 0 if a move is not allowed. */
static int32_t
path_units(const struct pb_grid *g, struct pb_path p)
{
	int32_t sum = 0;

	for (size_t i = 1; i < p.n; i++) {
		int k = 0;

		while (k < PB_MOVES && !(g->move[p.cell[i - 1]] & 1 << k &&
					   p.cell[i - 1] + pb_move_row(k) * W +
						   pb_move_col(k) ==
					       p.cell[i]))
			k++;
		if (k == PB_MOVES)
			return 0;
		sum += k < 4 ? PB_STEP : PB_DIAG;
	}
	return sum;
}

test(find_is_shortest_around_discs)
{
	unsigned char b[N];
	int32_t field[N], around[N];
	struct pb_search *q;
	struct pb_grid g;
	struct pb_rng r = draws(3, PB_FOR_MAP);

	for (int i = 0; i < 600; i++) {
		struct pb_disc disc[2];
		int n = i % 3, from, to;

		board_make(&r, i, W, H, b);
		from = random_free(&r, b);
		to = random_free(&r, b);
		for (int k = 0; k < 2; k++)
			disc[k] =
			    (struct pb_disc){pb_rng_between(&r, -5, W + 5),
				pb_rng_between(&r, -5, H + 5),
				pb_rng_between(&r, -1, 9)};
		check_int(pb_grid_init(&g, W, H, b), PB_OK);
		check_int(pb_search_new(&q, &g), PB_OK);
		check_int(pb_field_from(&g, to, field), PB_OK);
		for (int with = 0; with < 3; with++) {
			int32_t d = length_around(b, from, to, disc, n, around);
			struct pb_path p = pb_path_find(q, &g, from, to, disc,
			    (size_t)n, with ? field : NULL,
			    with == 2 ? field[from] : PB_FIELD_NONE);

			if (d == PB_FIELD_NONE) {
				check_int((long long)p.n, 0);
				continue;
			}
			check(p.n > 0);
			check_int(path_units(&g, p), d);
			check(p.cell[0] == from && p.cell[p.n - 1] == to);
			for (size_t c = 1; c < p.n; c++)
				check(around[p.cell[c]] < PB_FIELD_NONE);
		}
		pb_search_free(q);
		pb_grid_clear(&g);
	}
}

test(find_copes_with_any_disc)
{
	static const struct pb_disc odd[] = {{NAN, 1, 1}, {1, NAN, 1},
	    {1, 1, NAN}, {1e300, 1e300, 1}, {-1e300, 0, 1}, {0, 0, -1},
	    {3, 3, 1e-300}};
	unsigned char b[N];
	struct pb_search *q;
	struct pb_disc all = {0, 0, 1e300};
	struct pb_grid g;

	board_open(b, W, 0, 0, W, H, 1);
	check_int(pb_grid_init(&g, W, H, b), PB_OK);
	check_int(pb_search_new(&q, &g), PB_OK);
	check_int((long long)pb_path_find(
		      q, &g, 0, N - 1, odd, 7, NULL, PB_FIELD_NONE)
		      .n,
	    W);
	check_int((long long)pb_path_find(
		      q, &g, 0, N - 1, &all, 1, NULL, PB_FIELD_NONE)
		      .n,
	    0);
	check_int(
	    (long long)pb_path_find(q, &g, 5, 5, &all, 1, NULL, PB_FIELD_NONE)
		.n,
	    1);
	pb_search_free(q);
	pb_grid_clear(&g);
}

/* With the static field around a disc in the way little is expanded. */
test(find_expands_little_with_a_field)
{
	unsigned char b[N];
	int32_t field[N];
	struct pb_search *q;
	struct pb_disc disc = {20, 17, 2};
	struct pb_grid g;
	uint64_t without;

	board_open(b, W, 0, 0, W, H, 1);
	board_open(b, W, 10, 4, 11, H, 0); /* a wall to go around */
	check_int(pb_grid_init(&g, W, H, b), PB_OK);
	check_int(pb_search_new(&q, &g), PB_OK);
	check_int(pb_field_from(&g, 17 * W + 38, field), PB_OK);
	check(pb_path_find(
		  q, &g, 17 * W, 17 * W + 38, &disc, 1, NULL, PB_FIELD_NONE)
		  .n > 0);
	without = pb_search_expanded(q);
	check(pb_path_find(
		  q, &g, 17 * W, 17 * W + 38, &disc, 1, field, PB_FIELD_NONE)
		  .n > 0);
	check(pb_search_expanded(q) - without < without / 4);
	pb_search_free(q);
	pb_grid_clear(&g);
}
