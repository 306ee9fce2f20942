/* mcl_search.c - all places of a window where a scan fits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "localize/mcl_state.h"

/*
 * Branch and bound over blocks of places, as Hess, Kohler, Rapp and Andor,
 * "Real-time loop closure in 2D lidar SLAM" (2016), but keeping all that is
 * within `slack` of the best instead of the best alone. The cost of a block is
 * the sum of the lowest costs that each beam can have from anywhere in it:
 * never more than the cost of a place inside.
 */
struct search {
	const struct pb_mcl_known *k;
	const struct pb_mcl_scan *s;
	const struct pb_mcl_window *w;
	int level;
	int turn;                /* whose offsets these are */
	int32_t ox[PB_MCL_SEEK]; /* of each beam's end (blocks) */
	int32_t oy[PB_MCL_SEEK];
	struct pb_mcl_node *list; /* room for PB_MCL_NODES */
	int n;
	int room;
	int32_t limit; /* cost beyond which nothing is kept */
	bool again;    /* if a level is left empty, with the limit it began */
};

static void
aim(struct search *s, int turn)
{
	double th = turn * (2 * PB_PI / PB_MCL_TURNS);
	double scale = 1 / s->k->field.resolution / (1 << s->level);
	double c = pb_cos(th) * scale, n = pb_sin(th) * scale;

	for (int b = 0; b < s->s->nseek; b++) {
		const struct pb_beam_end *e = &s->s->seek[b];

		/* One more: windows begin a block before the table. */
		s->ox[b] = (int32_t)floor(c * e->x - n * e->y) + 1;
		s->oy[b] = (int32_t)floor(n * e->x + c * e->y) + 1;
	}
	s->turn = turn;
}

static int32_t
cost(const struct search *s, int i, int j)
{
	const struct pb_likelihood_level *l = &s->k->field.level[s->level];
	unsigned w = (unsigned)l->width, h = (unsigned)l->height;
	int32_t sum = 0, most = s->k->field.most;

	i -= l->left;
	j -= l->below;
	for (int b = 0; b < s->s->nseek; b++) {
		unsigned u = (unsigned)(i + s->ox[b]);
		unsigned v = (unsigned)(j + s->oy[b]);

		sum += u < w && v < h ? l->cost[(size_t)v * w + u] : most;
		if (sum > s->limit)
			return sum;
	}
	return sum;
}

/*
 * Keep the better half. Of those that are as good as the last that is kept,
 * the first found stay.
 */
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

static void
try(struct search *s, int i, int j)
{
	const struct pb_likelihood_level *l = &s->k->field.level[s->level];
	int u = i - l->left, v = j - l->below;
	int32_t c;

	if (u < 0 || v < 0 || u >= l->width || v >= l->height ||
	    !l->free[(size_t)v * (size_t)l->width + (size_t)u])
		return;
	c = cost(s, i, j);
	if (c > s->limit)
		return;
	if (s->n == s->room)
		prune(s);
	if (c <= s->limit)
		s->list[s->n++] = (struct pb_mcl_node){
		    (int16_t)i, (int16_t)j, (uint16_t)s->turn, (uint16_t)c};
}

/* Blocks of the window, as indices lo..hi. */
struct frame {
	int i0, i1, j0, j1;
};

static int
block(const struct search *s, double v, int n)
{
	double b = floor((v / s->k->field.resolution + 1) / (1 << s->level));

	return b < 0 ? 0 : b > n - 1 ? n - 1 : (int)b;
}

static struct frame
frame(const struct search *s)
{
	const struct pb_likelihood_level *l = &s->k->field.level[s->level];
	int cols = l->left + l->width, rows = l->below + l->height;

	return (struct frame){block(s, s->w->lo.x, cols),
	    block(s, s->w->hi.x, cols), block(s, s->w->lo.y, rows),
	    block(s, s->w->hi.y, rows)};
}

static void
roots(struct search *s)
{
	double turn = 2 * PB_PI / PB_MCL_TURNS;
	int mid = (int)floor(s->w->th / turn + 0.5);
	int side = (int)ceil(s->w->half / turn);
	int last = side;
	struct frame f = frame(s);

	if (2 * side + 1 > PB_MCL_TURNS) {
		side = PB_MCL_TURNS / 2;
		last = PB_MCL_TURNS - side - 1;
	}
	for (int d = -side; d <= last; d++) {
		aim(s,
		    ((mid + d) % PB_MCL_TURNS + PB_MCL_TURNS) % PB_MCL_TURNS);
		for (int j = f.j0; j <= f.j1; j++)
			for (int i = f.i0; i <= f.i1; i++)
				try(s, i, j);
	}
}

/* Replace the blocks of `from` by those of their quarters worth keeping. */
static void
descend(struct search *s, const struct pb_mcl_node *from, int n)
{
	struct frame f;

	s->level--;
	s->n = 0;
	s->turn = -1;
	f = frame(s);
	for (int a = 0; a < n; a++) {
		if (from[a].turn != s->turn)
			aim(s, from[a].turn);
		for (int q = 0; q < 4; q++) {
			int i = 2 * from[a].i + q % 2;
			int j = 2 * from[a].j + q / 2;

			if (i >= f.i0 && i <= f.i1 && j >= f.j0 && j <= f.j1)
				try(s, i, j);
		}
	}
}

/*
 * Where to begin: blocks a quarter of the window, but no larger than `level`,
 * unless there are too many of those.
 */
static int
top(const struct search *s, int level)
{
	double x = s->w->hi.x - s->w->lo.x, y = s->w->hi.y - s->w->lo.y;
	double side = (x > y ? x : y) / s->k->field.resolution;
	int l = 1;

	while (l < level && (4 << l) < side)
		l++;
	while (l < PB_LIKELIHOOD_LEVELS - 1 && side / (1 << l) > 200)
		l++;
	return l;
}

/* From that level to the leaves, in lists of so much room. */
static void
run(struct search *s, struct pb_mcl_node *a, struct pb_mcl_node *b, int room,
    int level, int32_t limit)
{
	s->level = top(s, level);
	s->list = a;
	s->n = 0;
	s->room = room;
	s->limit = limit;
	roots(s);
	while (s->level > 1) {
		struct pb_mcl_node *from = s->list;
		int n = s->n;

		s->list = from == a ? b : a;
		descend(s, from, n);
		if (s->n > 0 || s->limit == limit || !s->again)
			continue;
		/* Bounds that no quarter keeps had lowered the limit. */
		s->limit = limit;
		s->level++;
		descend(s, from, n);
	}
}

static int
better(const void *a, const void *b)
{
	const struct pb_mcl_node *x = a, *y = b;

	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	if (x->turn != y->turn)
		return x->turn < y->turn ? -1 : 1;
	if (x->j != y->j)
		return x->j < y->j ? -1 : 1;
	return x->i < y->i ? -1 : x->i > y->i;
}

static bool
apart(struct pb_pose a, const struct pb_pose *b, int n)
{
	for (int i = 0; i < n; i++) {
		double dx = a.x - b[i].x, dy = a.y - b[i].y;

		if (dx * dx + dy * dy < 0.3 * 0.3 &&
		    fabs(pb_wrap(a.th - b[i].th)) < 0.2)
			return false;
	}
	return true;
}

/* The best leaves that are apart from each other. */
static int
pick(const struct search *s, struct pb_pose *out, int max)
{
	double cell = s->k->field.resolution;
	int n = 0;

	qsort(s->list, (size_t)s->n, sizeof(*s->list), better);
	for (int a = 0; a < s->n && n < max; a++) {
		struct pb_pose p = {(2 * s->list[a].i) * cell,
		    (2 * s->list[a].j) * cell,
		    pb_wrap(s->list[a].turn * (2 * PB_PI / PB_MCL_TURNS))};

		if (apart(p, out, n))
			out[n++] = p;
	}
	return n;
}

/*
 * Places of the window, best first, each at least 0.3 m or 0.2 rad from the
 * better ones, where the scan fits nearly as well as at the best.
 */
int
pb_mcl_search(struct pb_mcl_mem *m, const struct pb_mcl_known *k,
    const struct pb_mcl_window *w, struct pb_pose *out, int max)
{
	struct pb_mcl_node *a = PB_MCL_ARRAY(m, k, struct pb_mcl_node, node);
	struct pb_mcl_node *b = PB_MCL_ARRAY(m, k, struct pb_mcl_node, next);
	/* Wheels carry the belief past a scan that finds nothing. */
	struct search s = {.k = k, .s = &m->scan, .w = w, .again = !m->moved};
	const int32_t slack = 12 * PB_LIKELIHOOD_NAT;
	int32_t best = INT32_MAX;

	if (m->scan.nseek == 0)
		return 0;
	/*
	 * A dive in a narrow list says how good the best is. Bounds of large
	 * blocks would say nothing there; once a limit is known they do.
	 */
	run(&s, a, b, 2048, 3, UINT16_MAX);
	for (int i = 0; i < s.n; i++)
		best = s.list[i].cost < best ? s.list[i].cost : best;
	if (s.n == 0)
		return 0;
	run(&s, a, b, PB_MCL_NODES, 5, best + slack);
	return pick(&s, out, max);
}
