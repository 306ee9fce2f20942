/* correlate.c - correlative scan matching by branch and bound. */
#include "map/correlate.h"

#include <string.h>

#include "base/elementary.h"

/* Bytes of a level's array. */
static size_t
level_size(const struct pb_corr_level *l)
{
	return (size_t)(l->width + PB_CORR_TILE) * (size_t)(l->height + 3) +
	       PB_CORR_TILE;
}

size_t
pb_corr_layout(struct pb_corr_field *f)
{
	/* Scratch: lowest costs of four rows, padded by two and three cells. */
	size_t size = (size_t)f->width + 5;

	for (int k = 1; k < PB_CORR_LEVELS; k++) {
		struct pb_corr_level *l = &f->level[k];

		l->left = f->left >> k;
		l->below = f->below >> k;
		l->width = ((f->width - 1) >> k) + 2;
		l->height = ((f->height - 1) >> k) + 2;
		size += level_size(l);
	}
	return size;
}

static inline uint8_t
min2(uint8_t a, uint8_t b)
{
	return a < b ? a : b;
}

/*
 * Build level 1: the lowest cost in windows of 4 x 4 cells; `row` is scratch.
 */
static void
build_first(struct pb_corr_field *f, uint8_t *row)
{
	struct pb_corr_level *l = &f->level[1];
	size_t width = (size_t)f->width;

	for (int j = 0; j < l->height; j++) {
		uint8_t *out = l->cost + pb_corr_at(l, 0, j);

		memset(row, f->most, width + 5);
		for (int v = 2 * j - 2; v < 2 * j + 2; v++) {
			const uint8_t *in;

			if (v < 0 || v >= f->height)
				continue;
			in = f->cost + (size_t)v * width;
			for (size_t u = 0; u < width; u++)
				row[u + 2] = min2(row[u + 2], in[u]);
		}
		for (int i = 0; i < l->width; i++) {
			const uint8_t *r = row + 2 * i;

			out[i] = min2(min2(r[0], r[1]), min2(r[2], r[3]));
		}
	}
}

/*
 * Build level k: a window is the union of four of the level below, two apart.
 */
static void
build_next(struct pb_corr_field *f, int k)
{
	const struct pb_corr_level *in = &f->level[k - 1];
	struct pb_corr_level *l = &f->level[k];

	for (int j = 0; j < l->height; j++)
		for (int i = 0; i < l->width; i++) {
			const uint8_t *a =
			    in->cost + pb_corr_at(in, 2 * i - 1, 2 * j - 1);
			const uint8_t *b =
			    in->cost + pb_corr_at(in, 2 * i - 1, 2 * j + 1);

			l->cost[pb_corr_at(l, i, j)] =
			    min2(min2(a[0], a[2]), min2(b[0], b[2]));
		}
}

void
pb_corr_build(struct pb_corr_field *f, uint8_t *memory)
{
	uint8_t *at = memory;

	for (int k = 1; k < PB_CORR_LEVELS; k++) {
		struct pb_corr_level *l = &f->level[k];

		l->cost = at;
		at += level_size(l);
	}
	memset(memory, f->most, (size_t)(at - memory));
	build_first(f, at);
	for (int k = 2; k < PB_CORR_LEVELS; k++)
		build_next(f, k);
}

/* Eight sums; or sixteen costs, two in each lane. */
typedef uint16_t lanes __attribute__((vector_size(16)));

/* Costs of adjacent blocks, in two rows. */
struct tile {
	int i, j;         /* of the first block, multiples of the sides */
	lanes cost[2][2]; /* by row: costs of even columns, and of odd ones */
};

/* Side of the cache of tiles: the quarters of adjacent blocks follow each other
 * and share tiles. */
#define SIDE 8

/* Indices of four windows in a level's array. */
typedef uint32_t places __attribute__((vector_size(16)));
typedef int32_t places_mask __attribute__((vector_size(16)));

/* Unsigned numbers offset by LEAST compare correctly as signed ones, which all
 * processors can. */
#define LEAST 0x80000000u

/*
 * Branch and bound over blocks of places that keeps all blocks that cost at
 * most the limit instead of the best one. The cost of a block is the sum of the
 * lowest costs that each point can have in it: a lower bound of its places'
 * costs.
 */
struct search {
	const struct pb_corr_field *f;
	const struct pb_vec *p; /* points (cells) */
	int points;
	const struct pb_corr_window *w;
	int level;
	int turn; /* heading of the offsets */
	places
	    ox[PB_CORR_POINTS / 4]; /* column offsets of the points (blocks) */
	places oy[PB_CORR_POINTS / 4]; /* row offsets, in blocks of the array */
	struct tile tile[SIDE * SIDE];
	struct pb_corr_node *list; /* nodes of the current level */
	int n;
	int room;
	bool pulls;    /* distances from the window's place have a penalty */
	bool stopped;  /* ended by w->stop */
	int32_t limit; /* largest cost that is kept */
};

/* floor(), inline, of numbers within a map. */
static int32_t
floor_to_int(double v)
{
	const int32_t far = 1 << 14;
	int32_t n = v < -far ? -far : v > far ? far : (int32_t)v;

	return n - (v < n);
}

/* Row pitch of a level's array. */
static uint32_t
row_pitch(const struct pb_corr_level *l)
{
	return (uint32_t)(l->width + PB_CORR_TILE);
}

/* Compute the points' offsets at a heading, and empty the cache of tiles. The
 * search may be stopped here: a heading takes less than 10 ms. */
static void
set_heading(struct search *s, int turn)
{
	uint32_t row = row_pitch(&s->f->level[s->level]);
	double scale = 1.0 / (1 << s->level);
	pb_pair u = pb_direction(s->w->th + turn * s->w->turn);
	double x = s->w->at.x * scale, y = s->w->at.y * scale;
	double c = u[0] * scale, n = u[1] * scale;

	for (int b = 0; b < s->points; b++) {
		const struct pb_vec *e = &s->p[b];

		/* Plus one: windows begin a block before the table. */
		s->ox[b / 4][b % 4] =
		    (uint32_t)(floor_to_int(x + c * e->x - n * e->y) + 1);
		s->oy[b / 4][b % 4] =
		    (uint32_t)(floor_to_int(y + n * e->x + c * e->y) + 1) * row;
	}
	s->stopped = s->stopped || (s->w->stop != NULL && s->w->stop());
	s->turn = turn;
	for (int i = 0; i < SIDE * SIDE; i++)
		s->tile[i].j = -1;
}

/*
 * pb_corr_at() for four points, 0 for those outside.
 *
 * Given    u, v  place of the tile in the array, offset by LEAST
 */
static inline places
window_indices(const struct pb_corr_level *l, places u, places v)
{
	uint32_t row = row_pitch(l);
	places right = (places){0} + (LEAST + row);
	places top = (places){0} + (LEAST + row * (uint32_t)l->height);
	places_mask out = ((places_mask)u > (places_mask)right) |
	                  ((places_mask)v > (places_mask)top);

	return (u + v) & ~(places)out;
}

/*
 * Add a row of costs to sums: sum[0] of 16-bit lanes, in which the odd column
 * counts 256-fold, and sum[1] of the odd column alone. Together they determine
 * the even one, in fewer instructions.
 */
static inline void
add_row(lanes sum[2], const uint8_t *cost)
{
	lanes c;

	memcpy(&c, cost, sizeof(c));
	sum[0] += c;
	sum[1] += c >> 8;
}

/* Extract the sums of a tile. Returns whether a block of it can be kept. */
static inline bool
may_keep(const struct search *s, lanes sum[2][2], struct tile *t)
{
	const union {
		uint8_t byte[2];
		uint16_t pair;
	} first = {{1, 0}};
	uint16_t limit =
	    s->limit < UINT16_MAX ? (uint16_t)s->limit : UINT16_MAX;
	lanes most = (lanes){0} + limit, kept = {0};
	uint64_t bits[2];
	int even = first.pair == 1 ? 0 : 1;

	/* The lower byte is that of the even column where it comes first. */
	for (int j = 0; j < 2; j++) {
		t->cost[j][even] = sum[j][0] - (sum[j][1] << 8);
		t->cost[j][1 - even] = sum[j][1];
		kept |= (lanes)(t->cost[j][0] <= most) |
		        (lanes)(t->cost[j][1] <= most);
	}
	memcpy(bits, &kept, sizeof(bits));
	return (bits[0] | bits[1]) != 0;
}

/* Compute the costs of a tile; stops early once all exceed the limit. */
static void
weigh_tile(const struct search *s, struct tile *t)
{
	const struct pb_corr_level *l = &s->f->level[s->level];
	uint32_t row = row_pitch(l);
	uint32_t u = LEAST + (uint32_t)(t->i - l->left + PB_CORR_TILE);
	uint32_t v = LEAST + (uint32_t)(t->j - l->below + 1) * row;
	lanes sum[2][2] = {{{0}}};

	for (int b = 0; b < s->points; b += 16) {
		int n = s->points - b < 16 ? s->points - b : 16;
		union {
			places four[4];
			uint32_t one[16];
		} at;

		for (int i = 0; i < 4; i++)
			at.four[i] = window_indices(
			    l, s->ox[b / 4 + i] + u, s->oy[b / 4 + i] + v);
		for (int i = 0; i < n; i++) {
			add_row(sum[0], l->cost + at.one[i]);
			add_row(sum[1], l->cost + at.one[i] + row);
		}
		if (!may_keep(s, sum, t))
			break;
	}
}

/* The cached tile of block (i, j). */
static inline const struct tile *
get_tile(struct search *s, unsigned i, unsigned j)
{
	unsigned x = i / PB_CORR_TILE, y = j / 2;
	struct tile *t = &s->tile[x % SIDE * SIDE + y % SIDE];

	if (t->i != (int)(x * PB_CORR_TILE) || t->j != (int)(2 * y)) {
		t->i = (int)(x * PB_CORR_TILE);
		t->j = (int)(2 * y);
		weigh_tile(s, t);
	}
	return t;
}

/* Keep the better half; of equal costs at the cut those found first. */
static void
prune(struct search *s)
{
	enum { STEP = 16 };
	int32_t bin[UINT16_MAX / STEP + 1] = {0}, lo = 0;
	int kept = 0, sum = 0, spare;

	for (int i = 0; i < s->n; i++)
		bin[s->list[i].cost / STEP]++;
	while (sum + bin[lo] <= s->room / 2)
		sum += bin[lo++];
	spare = s->room / 2 - sum;
	for (int i = 0; i < s->n; i++) {
		int32_t at = s->list[i].cost / STEP;

		if (at < lo || (at == lo && spare-- > 0))
			s->list[kept++] = s->list[i];
	}
	s->n = kept;
	s->limit = lo * STEP + STEP - 1;
}

/* Distance from a place to the nearest of a block. */
static inline double
block_distance(int from, int block, int level)
{
	int first = block * (1 << level), last = first + (1 << level) - 1;

	return from < first ? first - from : from > last ? from - last : 0;
}

/*
 * Penalty of the distance to the nearest place of block (i, j), rounded down.
 */
static int32_t
distance_penalty(const struct search *s, int i, int j)
{
	const struct pb_corr_window *w = s->w;
	double x = block_distance(w->i, i, s->level),
	       y = block_distance(w->j, j, s->level);
	double th = s->turn - w->heading;
	double c = w->pull * (x * x + y * y) + w->pull_th * th * th;

	return c < UINT16_MAX ? (int32_t)c : UINT16_MAX;
}

/* Keep block (i, j) with cost c if that is within the limit. */
static inline void
keep_block(struct search *s, int i, int j, int32_t c)
{
	if (c > s->limit)
		return;
	if (s->pulls && (c += distance_penalty(s, i, j)) > s->limit)
		return;
	if (s->n == s->room)
		prune(s);
	if (c <= s->limit)
		s->list[s->n++] = (struct pb_corr_node){
		    (int16_t)i, (int16_t)j, (uint16_t)s->turn, (uint16_t)c};
}

/* The window in blocks, as indices lo..hi. */
struct frame {
	int i0, i1, j0, j1;
};

static struct frame
window_frame(const struct search *s)
{
	const struct pb_corr_window *w = s->w;
	int k = s->level;

	return (struct frame){w->i0 >> k, w->i1 >> k, w->j0 >> k, w->j1 >> k};
}

/* Add the blocks of a row of the window at the current heading. */
static void
add_root_row(struct search *s, const struct frame *f, int j)
{
	const struct pb_corr_level *l = &s->f->level[s->level];
	const uint8_t *open =
	    l->open == NULL ? NULL : l->open + pb_corr_at(l, 0, j - l->below);

	for (int i = f->i0; i <= f->i1; i++)
		if (open == NULL || open[i - l->left]) {
			const struct tile *t =
			    get_tile(s, (unsigned)i, (unsigned)j);
			int x = i % PB_CORR_TILE;

			keep_block(s, i, j, t->cost[j % 2][x % 2][x / 2]);
		}
}

/* All blocks of the window at all headings. */
static void
add_roots(struct search *s)
{
	struct frame f = window_frame(s);

	for (int turn = 0; turn < s->w->turns && !s->stopped; turn++) {
		set_heading(s, turn);
		for (int j = f.j0; j <= f.j1; j++)
			add_root_row(s, &f, j);
	}
}

/* Keep the quarters of a block that are within the limit. */
static inline void
keep_quarters(struct search *s, const struct pb_corr_level *l,
    const struct frame *f, const struct pb_corr_node *from)
{
	static const uint8_t all[2] = {1, 1};
	int i = 2 * from->i, j = 2 * from->j;
	size_t at =
	    l->open == NULL ? 0 : pb_corr_at(l, i - l->left, j - l->below);
	const uint8_t *open = l->open == NULL ? all : l->open + at;
	const uint8_t *above = l->open == NULL ? all : open + row_pitch(l);
	bool left = i >= f->i0 && i <= f->i1,
	     right = i >= f->i0 - 1 && i < f->i1;
	bool low = j >= f->j0 && j <= f->j1, high = j >= f->j0 - 1 && j < f->j1;
	bool a = left & low & open[0], b = right & low & open[1];
	bool c = left & high & above[0], d = right & high & above[1];
	const struct tile *t;
	unsigned x = (unsigned)i % PB_CORR_TILE / 2;

	if (!(a | b | c | d))
		return;
	t = get_tile(s, (unsigned)i, (unsigned)j);
	if (a)
		keep_block(s, i, j, t->cost[0][0][x]);
	if (b)
		keep_block(s, i + 1, j, t->cost[0][1][x]);
	if (c)
		keep_block(s, i, j + 1, t->cost[1][0][x]);
	if (d)
		keep_block(s, i + 1, j + 1, t->cost[1][1][x]);
}

/* Replace the blocks of `from` by their kept quarters. */
static void
descend(struct search *s, const struct pb_corr_node *from, int n)
{
	const struct pb_corr_level *l = &s->f->level[--s->level];
	struct frame f;

	s->n = 0;
	s->turn = -1;
	f = window_frame(s);
	for (int a = 0; a < n && !s->stopped; a++) {
		if (from[a].turn != s->turn)
			set_heading(s, from[a].turn);
		keep_quarters(s, l, &f, &from[a]);
	}
}

/* The level to begin at: blocks of a quarter of the window, at most `level`, or
 * higher if there are too many. */
static int
start_level(const struct pb_corr_window *w, int level)
{
	int x = w->i1 - w->i0, y = w->j1 - w->j0;
	int side = x > y ? x : y, l = 1;

	while (l < level && (4 << l) < side)
		l++;
	while (l < PB_CORR_LEVELS - 1 && side >> l > 200)
		l++;
	return l;
}

int
pb_corr_search(const struct pb_corr_field *f, const struct pb_vec *p, int n,
    const struct pb_corr_window *w, int level, int32_t limit,
    struct pb_corr_node *a, struct pb_corr_node *b, int room,
    struct pb_corr_node **list)
{
	struct search s = {.f = f,
	    .p = p,
	    .points = n,
	    .w = w,
	    .level = start_level(w, level),
	    .list = a,
	    .room = room,
	    .pulls = w->pull > 0 || w->pull_th > 0,
	    .limit = limit};

	add_roots(&s);
	while (s.level > 1 && !s.stopped) {
		struct pb_corr_node *from = s.list;
		int all = s.n;

		s.list = from == a ? b : a;
		descend(&s, from, all);
		if (s.n > 0 || s.limit == limit)
			continue;
		/* Pruning may have lowered the limit below all quarters:
		 * descend again with the full one. */
		s.limit = limit;
		s.level++;
		descend(&s, from, all);
	}
	*list = s.list;
	return s.stopped ? 0 : s.n;
}

/* Order of a node in pb_corr_pop(): unique. */
static inline uint64_t
node_order(const struct pb_corr_node *a)
{
	return (uint64_t)a->cost << 48 | (uint64_t)a->turn << 32 |
	       (uint64_t)(uint16_t)(a->j - INT16_MIN) << 16 |
	       (uint16_t)(a->i - INT16_MIN);
}

/* Sift e down from place i of the heap. */
static void
sink(struct pb_corr_node *heap, int n, int i, struct pb_corr_node e)
{
	uint64_t at = node_order(&e);

	for (int k; (k = 2 * i + 1) < n; i = k) {
		k += k + 1 < n &&
		     node_order(&heap[k + 1]) < node_order(&heap[k]);
		if (at < node_order(&heap[k]))
			break;
		heap[i] = heap[k];
	}
	heap[i] = e;
}

void
pb_corr_heap(struct pb_corr_node *list, int n)
{
	for (int i = n / 2; i-- > 0;)
		sink(list, n, i, list[i]);
}

struct pb_corr_node
pb_corr_pop(struct pb_corr_node *heap, int *n)
{
	struct pb_corr_node first = heap[0];

	if (--*n > 0)
		sink(heap, *n, 0, heap[*n]);
	return first;
}

int
pb_corr_order(int i, int n)
{
	int r = 0;

	for (int bit = 1; bit < n; bit *= 2)
		r = 2 * r + ((i & bit) != 0);
	return r;
}
