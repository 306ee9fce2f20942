/* match_search.c - the best pose of a window, by branch and bound. */
#include "map/match.h"

#include <math.h>
#include <stdlib.h>

/* A square of places at one angle: a block of a level. */
struct block {
	double bound; /* no place in it scores higher */
	int turn;     /* number of the angle */
	int x, y;     /* its first place (cells from the guess) */
};

struct search {
	const struct pb_target *t;
	const struct pb_match_window *w;
	struct pb_pose guess;
	size_t n;      /* points */
	int nx, ny;    /* places are -nx..nx, -ny..ny (cells) */
	int turns;     /* angles are -turns..turns */
	int32_t *cell; /* an angle, a point: column and row at the guess */
	struct block best;
};

static int32_t
clamp_cell(double v)
{
	return v > -1e9 && v < 1e9 ? (int32_t)floor(v) : (int32_t)-1e9;
}

/* The cells of all points at all angles. */
static void
place_points(struct search *s, const struct pb_point *p, struct pb_pose guess)
{
	const struct pb_target *t = s->t;
	int32_t *out = s->cell;

	for (int k = -s->turns; k <= s->turns; k++) {
		struct pb_pose f = guess;

		f.th += k * s->w->turn;
		for (size_t i = 0; i < s->n; i++) {
			struct pb_vec v = pb_vec_from(f, p[i].at);

			*out++ = clamp_cell((v.x - t->lo.x) / t->cell);
			*out++ = clamp_cell((v.y - t->lo.y) / t->cell);
		}
	}
}

/* Cells from 0 to the nearest of first..first + side - 1, none beyond n. */
static double
nearest(int first, int side, int n)
{
	int last = first + side - 1 < n ? first + side - 1 : n;

	return first > 0 ? first : last < 0 ? -last : 0;
}

/* What the way from the guess to the nearest place of a block costs. */
static double
cost(const struct search *s, const struct block *b, int side)
{
	double x = nearest(b->x, side, s->nx) * s->t->cell;
	double y = nearest(b->y, side, s->ny) * s->t->cell;
	double th = b->turn * s->w->turn;

	return s->w->weight / 2 *
	       ((x * x + y * y) / (s->w->spread * s->w->spread) +
		   th * th / (s->w->spread_th * s->w->spread_th));
}

/* The bound of a block of that level: exact for single places. */
static double
bound(const struct search *s, const struct block *b, int level)
{
	const struct pb_target *t = s->t;
	const uint8_t *in =
	    t->level + (size_t)level * (size_t)t->width * (size_t)t->height;
	const int32_t *c = s->cell + 2 * s->n * (size_t)(b->turn + s->turns);
	unsigned w = (unsigned)t->width, h = (unsigned)t->height;
	long sum = 0;

	for (size_t i = 0; i < s->n; i++) {
		unsigned x = (unsigned)(c[2 * i] + b->x);
		unsigned y = (unsigned)(c[2 * i + 1] + b->y);

		if (x < w && y < h)
			sum += in[(size_t)y * w + x];
	}
	return (double)sum / (PB_MATCH_FULL * (double)s->n) -
	       cost(s, b, 1 << level);
}

/* Highest bound first; else in order of angle and place. */
static int
by_bound(const void *a, const void *b)
{
	const struct block *p = a, *q = b;

	if (p->bound != q->bound)
		return p->bound > q->bound ? -1 : 1;
	if (p->turn != q->turn)
		return p->turn < q->turn ? -1 : 1;
	if (p->y != q->y)
		return p->y < q->y ? -1 : 1;
	return (p->x > q->x) - (p->x < q->x);
}

/* Whether a place is one that does not count. */
static bool
avoided(const struct search *s, const struct block *b)
{
	double x = s->guess.x + b->x * s->t->cell - s->w->avoid.x;
	double y = s->guess.y + b->y * s->t->cell - s->w->avoid.y;

	return x * x + y * y < s->w->apart * s->w->apart;
}

/* Keep the best place of a block, if it is better than what there is. */
static void
descend(struct search *s, const struct block *b, int level)
{
	struct block part[4];
	int n = 0, half = (1 << level) / 2;

	if (b->bound <= s->best.bound)
		return;
	if (level == 0) {
		if (!avoided(s, b))
			s->best = *b;
		return;
	}
	for (int k = 0; k < 4; k++) {
		struct block c = {
		    0, b->turn, b->x + (k & 1) * half, b->y + (k >> 1) * half};

		if (c.x > s->nx || c.y > s->ny)
			continue;
		c.bound = bound(s, &c, level - 1);
		part[n++] = c;
	}
	qsort(part, (size_t)n, sizeof(*part), by_bound);
	for (int k = 0; k < n; k++)
		descend(s, &part[k], level - 1);
}

/* All blocks of a level, best first. */
static size_t
tile(struct search *s, int level, struct block *out)
{
	int side = 1 << level;
	size_t n = 0;

	for (int k = -s->turns; k <= s->turns; k++)
		for (int y = -s->ny; y <= s->ny; y += side)
			for (int x = -s->nx; x <= s->nx; x += side) {
				out[n] = (struct block){0, k, x, y};
				out[n].bound = bound(s, &out[n], level);
				n++;
			}
	qsort(out, n, sizeof(*out), by_bound);
	return n;
}

/* Tiles of side `side` along -n..n. */
static size_t
tiles(int n, int side)
{
	return (size_t)((2 * n + side) / side);
}

/* The level to begin with: no block wider than the window. */
static int
first_level(const struct search *s)
{
	int level = s->t->levels - 1;

	while (level > 0 && 1 << level > 2 * s->nx && 1 << level > 2 * s->ny)
		level--;
	return level;
}

static enum pb_status
run(struct search *s)
{
	int level = first_level(s);
	size_t room = tiles(s->nx, 1 << level) * tiles(s->ny, 1 << level) *
	              (size_t)(2 * s->turns + 1);
	struct block *top = malloc(room * sizeof(*top));
	size_t n;

	if (top == NULL)
		return PB_ENOMEM;
	n = tile(s, level, top);
	for (size_t i = 0; i < n; i++)
		descend(s, &top[i], level);
	free(top);
	return PB_OK;
}

/* Numbers that the cells of all points at all angles need. */
static enum pb_status
make_work(struct pb_target *t, size_t size)
{
	if (size <= t->worksize)
		return PB_OK;
	free(t->work);
	t->worksize = 0;
	t->work = malloc(size * sizeof(*t->work));
	if (t->work == NULL)
		return PB_ENOMEM;
	t->worksize = size;
	return PB_OK;
}

enum pb_status
pb_match_search(struct pb_target *t, const struct pb_point *p, size_t n,
    struct pb_pose guess, const struct pb_match_window *w, double least,
    struct pb_pose *pose, double *score)
{
	struct search s = {.t = t,
	    .w = w,
	    .guess = guess,
	    .n = n,
	    .nx = (int)(w->x / t->cell),
	    .ny = (int)(w->y / t->cell),
	    .turns = (int)(w->th / w->turn),
	    .best = {.bound = least}};
	enum pb_status st;

	if (n == 0)
		return PB_ENOENT;
	st = make_work(t, 2 * n * (size_t)(2 * s.turns + 1));
	if (st != PB_OK)
		return st;
	s.cell = t->work;
	place_points(&s, p, guess);
	st = run(&s);
	if (st != PB_OK)
		return st;
	if (!(s.best.bound > least))
		return PB_ENOENT;
	*pose = (struct pb_pose){guess.x + s.best.x * t->cell,
	    guess.y + s.best.y * t->cell,
	    pb_wrap(guess.th + s.best.turn * w->turn)};
	*score = s.best.bound;
	return PB_OK;
}
