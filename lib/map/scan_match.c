/* scan_match.c - scans, and where one fits best. */
#include "map/scan_match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "pb/map.h"
#include "pb/scan.h"

enum pb_scan_says
pb_scan_beam(const struct pb_scan *s, size_t i)
{
	double r = s->range[i];

	if (isnan(r) || r == INFINITY || r > s->range_max)
		return PB_BEAM_FREE;
	return r > 0 && r >= s->range_min ? PB_BEAM_HIT : PB_BEAM_NONE;
}

double
pb_scan_way(const struct pb_scan *s, size_t i)
{
	return s->range[i] + s->radius;
}

struct pb_pose
pb_scan_from(const struct pb_scan *s, struct pb_pose p)
{
	const struct pb_pose m = s->mount;

	/* Without rounding where there is nothing to add_point. */
	return m.x != 0 || m.y != 0 || m.th != 0 ? pb_pose_compose(p, m) : p;
}

#define ASIDE      4    /* neighbours on either side that a line may have */
#define LINE_REACH 0.35 /* ... if they are so near (m) */
#define SPACINGS                                                              \
	12.0             /* ... or, along a wall seen from its end, within so \
	                    many distances between beams */
#define FLAT        0.1  /* spread across the line: share of that along it */
#define THIN        0.03 /* ... and at most (m) */
#define LINE_POINTS 3    /* points that make a line */

/* Sums over points, from which the line through them follows. */
struct line_sums {
	double n, x, y, xx, xy, yy;
};

static void
add_point(struct line_sums *s, struct pb_vec v)
{
	s->n++;
	s->x += v.x;
	s->y += v.y;
	s->xx += v.x * v.x;
	s->xy += v.x * v.y;
	s->yy += v.y * v.y;
}

/*
 * The direction in which the points spread least, 0, 0 if that is not clear:
 * the eigenvector of the smaller eigenvalue of their covariance.
 */
static struct pb_vec
across(const struct line_sums *s)
{
	double xx = s->xx / s->n - s->x * s->x / (s->n * s->n);
	double xy = s->xy / s->n - s->x * s->y / (s->n * s->n);
	double yy = s->yy / s->n - s->y * s->y / (s->n * s->n);
	double mid = (xx + yy) / 2;
	double off = sqrt((xx - yy) * (xx - yy) / 4 + xy * xy);
	double a = pb_atan2(2 * xy, xx - yy) / 2 + PB_PI / 2;

	if (s->n < LINE_POINTS || mid - off > FLAT * FLAT * (mid + off) ||
	    mid - off > THIN * THIN)
		return (struct pb_vec){0, 0};
	return (struct pb_vec){pb_cos(a), pb_sin(a)};
}

/* The normal of point i among n, from `reach` (m) about it, to `eye`. */
static struct pb_vec
normal_of(const struct pb_point *p, size_t n, size_t i, double reach,
    size_t aside, struct pb_vec eye)
{
	struct line_sums s = {0};
	struct pb_vec at = p[i].at, v;

	for (size_t j = i > aside ? i - aside : 0; j < n && j <= i + aside;
	     j++) {
		struct pb_vec d = {p[j].at.x - at.x, p[j].at.y - at.y};

		if (d.x * d.x + d.y * d.y <= reach * reach)
			add_point(&s, d);
	}
	v = across(&s);
	if (v.x * (at.x - eye.x) + v.y * (at.y - eye.y) > 0)
		v = (struct pb_vec){-v.x, -v.y};
	return v;
}

size_t
pb_returns(const struct pb_scan *s, double max, struct pb_point *out)
{
	const struct pb_pose eye = pb_scan_from(s, (struct pb_pose){0, 0, 0});
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		double r = pb_scan_way(s, i);
		double a = eye.th + s->angle_min + (double)i * s->inc;

		if (pb_scan_beam(s, i) != PB_BEAM_HIT || r > max)
			continue;
		out[n].at.x = eye.x + r * pb_cos(a);
		out[n++].at.y = eye.y + r * pb_sin(a);
	}
	for (size_t i = 0; i < n; i++) {
		double x = out[i].at.x - eye.x, y = out[i].at.y - eye.y;
		double r = sqrt(x * x + y * y);

		r = fmax(LINE_REACH, SPACINGS * r * fabs(s->inc));
		for (size_t k = ASIDE; k > 0; k /= 2) {
			out[i].normal = normal_of(
			    out, n, i, r, k, (struct pb_vec){eye.x, eye.y});
			if (out[i].normal.x != 0 || out[i].normal.y != 0)
				break;
		}
	}
	return n;
}

struct pb_point
pb_point_from(struct pb_pose f, struct pb_point p)
{
	struct pb_pose turn = {0, 0, f.th};

	return (struct pb_point){
	    pb_vec_from(f, p.at), pb_vec_from(turn, p.normal)};
}

/* Nearness ends at so many sigma. */
#define REACH 3.0

struct pb_target
pb_target_empty(double cell, double sigma)
{
	return (struct pb_target){.cell = cell, .sigma = sigma};
}

void
pb_target_clear(struct pb_target *t)
{
	free(t->level);
	free(t->near);
	free(t->point);
	*t = pb_target_empty(t->cell, t->sigma);
}

static enum pb_status
make_room(struct pb_target *t, size_t cells, size_t points)
{
	void *p;

	if (cells > t->cells) {
		free(t->level);
		free(t->near);
		t->cells = 0;
		t->level = malloc(cells * PB_MATCH_LEVELS);
		t->near = malloc(cells * sizeof(*t->near));
		if (t->level == NULL || t->near == NULL)
			return PB_ENOMEM;
		t->cells = cells;
	}
	if (points > t->points) {
		p = realloc(t->point, points * sizeof(*t->point));
		if (p == NULL)
			return PB_ENOMEM;
		t->point = p;
		t->points = points;
	}
	return PB_OK;
}

/* How far a point is drawn (cells). */
static double
reach(const struct pb_target *t)
{
	return REACH * t->sigma / t->cell;
}

/*
 * Cells about the box: what a point at its edge is drawn into, and an empty
 * block of the widest level, so that a block that begins outside is empty.
 */
static int
border(const struct pb_target *t)
{
	return (1 << (PB_MATCH_LEVELS - 1)) + (int)ceil(reach(t)) + 1;
}

enum pb_status
pb_target_begin(
    struct pb_target *t, struct pb_vec lo, struct pb_vec hi, size_t points)
{
	int side = border(t);
	double w = ceil((hi.x - lo.x) / t->cell) + 2 * side;
	double h = ceil((hi.y - lo.y) / t->cell) + 2 * side;
	size_t cells;
	enum pb_status st;

	t->n = 0;
	t->width = t->height = t->levels = 0;
	if (!(w <= PB_MAP_SIDE && h <= PB_MAP_SIDE))
		return PB_ESIZE;
	cells = (size_t)w * (size_t)h;
	st = make_room(t, cells, points);
	if (st != PB_OK)
		return st;
	t->width = (int)w;
	t->height = (int)h;
	t->lo = (struct pb_vec){lo.x - side * t->cell, lo.y - side * t->cell};
	memset(t->level, 0, cells);
	memset(t->near, 0xff, cells * sizeof(*t->near));
	return PB_OK;
}

/* Nearness by squared distance, in steps of 1 / STEPS of a squared reach. */
enum { STEPS = 1024 };
struct kernel {
	uint8_t at[STEPS + 1];
};

static void
make_kernel(struct kernel *k)
{
	for (int i = 0; i <= STEPS; i++)
		k->at[i] = (uint8_t)lround(
		    PB_MATCH_FULL * pb_exp(-REACH * REACH * i / STEPS / 2));
}

/* Draw point number i of t. */
static void
draw(struct pb_target *t, int32_t i, const struct kernel *k)
{
	double far = reach(t);
	double x = (t->point[i].at.x - t->lo.x) / t->cell - 0.5;
	double y = (t->point[i].at.y - t->lo.y) / t->cell - 0.5;
	int x0 = (int)ceil(x - far), x1 = (int)floor(x + far);
	int y0 = (int)ceil(y - far), y1 = (int)floor(y + far);
	double unit = STEPS / (far * far);

	for (int r = y0; r <= y1; r++) {
		size_t row = (size_t)r * (size_t)t->width;

		for (int c = x0; c <= x1; c++) {
			double d2 = (c - x) * (c - x) + (r - y) * (r - y);
			uint8_t v =
			    d2 * unit <= STEPS ? k->at[(int)(d2 * unit)] : 0;

			if (v > t->level[row + (size_t)c]) {
				t->level[row + (size_t)c] = v;
				t->near[row + (size_t)c] = i;
			}
		}
	}
}

/* Whether p lies in the box. */
static bool
fits(const struct pb_target *t, struct pb_vec p)
{
	double side = border(t) - 1;
	double x = (p.x - t->lo.x) / t->cell, y = (p.y - t->lo.y) / t->cell;

	return x >= side && y >= side && x <= t->width - side &&
	       y <= t->height - side;
}

void
pb_target_add(
    struct pb_target *t, struct pb_pose f, const struct pb_point *p, size_t n)
{
	struct kernel k;

	make_kernel(&k);
	for (size_t i = 0; i < n && t->n < t->points; i++) {
		t->point[t->n] = pb_point_from(f, p[i]);
		if (fits(t, t->point[t->n].at))
			draw(t, (int32_t)t->n++, &k);
	}
}

static uint8_t
max2(uint8_t a, uint8_t b)
{
	return a > b ? a : b;
}

/* Each cell of `out` is the best of the four of `in` that are `step` apart. */
static void
coarser(const uint8_t *in, int width, int height, int step, uint8_t *out)
{
	for (int r = 0; r < height; r++) {
		const uint8_t *a = in + (size_t)r * (size_t)width;
		const uint8_t *b =
		    r + step < height ? a + (size_t)step * (size_t)width : a;
		uint8_t *o = out + (size_t)r * (size_t)width;
		int c = 0;

		for (; c < width - step; c++)
			o[c] = max2(
			    max2(a[c], a[c + step]), max2(b[c], b[c + step]));
		for (; c < width; c++)
			o[c] = max2(a[c], b[c]);
	}
}

void
pb_target_finish(struct pb_target *t, int levels)
{
	size_t n = (size_t)t->width * (size_t)t->height;

	for (int k = 1; k < levels; k++)
		coarser(t->level + (size_t)(k - 1) * n, t->width, t->height,
		    1 << (k - 1), t->level + (size_t)k * n);
	t->levels = levels;
}

#define SOFT  0.05 /* distances beyond count less and less (m) */
#define FACES 0.7  /* cosine of how far surfaces may differ in direction */
#define LEAST 10   /* points without which there is no fit */
#define STILL 1e-5 /* a step that is none (m, rad) */

/* The normal equations of one step. */
struct equations {
	double h[3][3]; /* weighted */
	double b[3];
	double h1[3][3]; /* without weights */
	size_t n;
	size_t near; /* points near the target, with a line or without */
};

/* The index of the cell that holds v; false if none does. */
static bool
cell_of(const struct pb_target *t, struct pb_vec v, size_t *i)
{
	double x = (v.x - t->lo.x) / t->cell, y = (v.y - t->lo.y) / t->cell;

	if (!(x >= 0 && y >= 0 && x < t->width && y < t->height))
		return false;
	*i = (size_t)y * (size_t)t->width + (size_t)x;
	return true;
}

/* The point of t nearest to v, NULL if none is near. */
static const struct pb_point *
nearest(const struct pb_target *t, struct pb_vec v, double near)
{
	const struct pb_point *p;
	size_t i;

	if (!cell_of(t, v, &i) || t->near[i] < 0)
		return NULL;
	p = &t->point[t->near[i]];
	return pb_dist(p->at, v) <= near ? p : NULL;
}

/* One point: its distance from the line through `at`, with derivatives. */
static void
add(struct equations *e, struct pb_pose f, struct pb_vec v, struct pb_vec at,
    struct pb_vec normal)
{
	double d = normal.x * (v.x - at.x) + normal.y * (v.y - at.y);
	double w = 1 / (1 + d * d / (SOFT * SOFT));
	double j[3] = {normal.x, normal.y,
	    normal.y * (v.x - f.x) - normal.x * (v.y - f.y)};

	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			e->h[r][c] += w * j[r] * j[c];
			e->h1[r][c] += j[r] * j[c];
		}
		e->b[r] += w * j[r] * d;
	}
	e->n++;
}

/*
 * The normal of a point's neighbour, or its own if that has none; false if
 * the surfaces of the two face differently.
 */
static bool
face(struct pb_vec own, struct pb_vec other, struct pb_vec *normal)
{
	bool has_own = own.x != 0 || own.y != 0;
	bool has_other = other.x != 0 || other.y != 0;

	*normal = has_other ? other : own;
	return !has_own || !has_other ||
	       own.x * other.x + own.y * other.y > FACES;
}

static struct equations
gather(const struct pb_target *t, const struct pb_point *p, size_t n,
    struct pb_pose f, double near)
{
	struct equations e = {.n = 0};

	for (size_t i = 0; i < n; i++) {
		struct pb_point v = pb_point_from(f, p[i]);
		const struct pb_point *q = nearest(t, v.at, near);
		struct pb_vec normal;

		if (q == NULL || !face(v.normal, q->normal, &normal))
			continue;
		e.near++;
		if (normal.x != 0 || normal.y != 0)
			add(&e, f, v.at, q->at, normal);
	}
	return e;
}

/*
 * Solve h x = b by elimination.
 *
 * Returns  false if h is not positive definite
 */
static bool
solve3(const double h[3][3], const double b[3], double x[3])
{
	double a[3][4];

	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++)
			a[r][c] = h[r][c];
		a[r][3] = b[r];
	}
	for (int k = 0; k < 3; k++) {
		if (!(a[k][k] > 0))
			return false;
		for (int r = k + 1; r < 3; r++)
			for (int c = 3; c >= k; c--)
				a[r][c] -= a[r][k] / a[k][k] * a[k][c];
	}
	for (int k = 2; k >= 0; k--) {
		x[k] = a[k][3];
		for (int c = k + 1; c < 3; c++)
			x[k] -= a[k][c] * x[c];
		x[k] /= a[k][k];
	}
	return true;
}

/*
 * Where all lines are parallel the points slide along them: this much of a
 * pull towards the pose before the step (1, m2) keeps them.
 */
#define HOLD 0.5

/* A Gauss-Newton step; returns how far it went (m and rad, summed). */
static double
step(const struct equations *e, struct pb_pose *f)
{
	double h[3][3], d[3];

	for (int r = 0; r < 3; r++)
		for (int c = 0; c < 3; c++)
			h[r][c] = e->h[r][c] + (r == c ? HOLD : 0);
	if (!solve3(h, e->b, d))
		return 0;
	f->x -= d[0];
	f->y -= d[1];
	f->th = pb_wrap(f->th - d[2]);
	return fabs(d[0]) + fabs(d[1]) + fabs(d[2]);
}

struct pb_fit
pb_match_lines(const struct pb_target *t, const struct pb_point *p, size_t n,
    struct pb_pose guess, double near, int times)
{
	struct pb_fit fit = {.pose = guess};
	struct equations e = gather(t, p, n, guess, near);

	for (int k = 0; k < times && e.n >= LEAST; k++) {
		double moved = step(&e, &fit.pose);

		e = gather(t, p, n, fit.pose, near);
		if (moved < STILL)
			break;
	}
	if (e.n < LEAST)
		return fit;
	for (int r = 0; r < 3; r++)
		for (int c = 0; c < 3; c++)
			fit.precision[r][c] = e.h1[r][c];
	fit.n = e.n;
	fit.share = (double)e.near / (double)n;
	return fit;
}

double
pb_match_score(const struct pb_target *t, const struct pb_point *p, size_t n,
    struct pb_pose pose)
{
	long sum = 0;

	for (size_t i = 0; i < n; i++) {
		size_t at;

		if (cell_of(t, pb_vec_from(pose, p[i].at), &at))
			sum += t->level[at];
	}
	return n > 0 ? (double)sum / (PB_MATCH_FULL * (double)n) : 0;
}

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
search_nearest(int first, int side, int n)
{
	int last = first + side - 1 < n ? first + side - 1 : n;

	return first > 0 ? first : last < 0 ? -last : 0;
}

/* What the way from the guess to the nearest place of a block costs. */
static double
cost(const struct search *s, const struct block *b, int side)
{
	double x = search_nearest(b->x, side, s->nx) * s->t->cell;
	double y = search_nearest(b->y, side, s->ny) * s->t->cell;
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

static struct pb_pose
pose_of(const struct search *s, const struct block *b)
{
	return (struct pb_pose){s->guess.x + b->x * s->t->cell,
	    s->guess.y + b->y * s->t->cell,
	    pb_wrap(s->guess.th + b->turn * s->w->turn)};
}

/* Whether a pose is one that does not count. */
static bool
avoided(const struct search *s, const struct block *b)
{
	const struct pb_match_window *w = s->w;
	struct pb_pose p = pose_of(s, b);

	return pb_pose_dist(p, w->avoid) < w->apart &&
	       fabs(pb_wrap(p.th - w->avoid.th)) < w->apart_th;
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

enum pb_status
pb_match_search(const struct pb_target *t, const struct pb_point *p, size_t n,
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
	s.cell = malloc(2 * n * (size_t)(2 * s.turns + 1) * sizeof(*s.cell));
	if (s.cell == NULL)
		return PB_ENOMEM;
	place_points(&s, p, guess);
	st = run(&s);
	free(s.cell);
	if (st != PB_OK)
		return st;
	if (!(s.best.bound > least))
		return PB_ENOENT;
	*pose = pose_of(&s, &s.best);
	*score = s.best.bound;
	return PB_OK;
}

/* Directions that are told apart, 3 degrees each. */
#define DIRECTIONS 120

/* Returns less apart along a beam are the same surface (m). */
#define SURFACE 0.3

static int
direction(struct pb_vec v)
{
	int d = (int)((pb_atan2(v.y, v.x) + PB_PI) / (2 * PB_PI) * DIRECTIONS);

	return d % DIRECTIONS;
}

static struct pb_vec
seen_from(struct pb_vec p, struct pb_vec from)
{
	return (struct pb_vec){p.x - from.x, p.y - from.y};
}

/* The nearest return (m) of v in each direction or beside it, 0: none. */
static void
nearest_of(const struct pb_match_view *v, double *near)
{
	for (int d = 0; d < DIRECTIONS; d++)
		near[d] = 0;
	for (size_t i = 0; i < v->n; i++) {
		struct pb_vec p = seen_from(v->point[i].at, v->from);
		double r = pb_hypot(p.x, p.y);
		int d = direction(p) + DIRECTIONS;

		for (int j = d - 1; j <= d + 1; j++)
			if (near[j % DIRECTIONS] == 0 ||
			    near[j % DIRECTIONS] > r)
				near[j % DIRECTIONS] = r;
	}
}

/* Count the returns of b in view of a, and those that a saw through. */
static void
count_through(const struct pb_match_view *a, const struct pb_match_view *b,
    struct pb_pose at, size_t *all, size_t *through)
{
	double near[DIRECTIONS];

	nearest_of(a, near);
	for (size_t i = 0; i < b->n; i++) {
		struct pb_vec p =
		    seen_from(pb_point_from(at, b->point[i]).at, a->from);
		double r = pb_hypot(p.x, p.y), end = near[direction(p)];

		*all += end > 0 && r < end + SURFACE;
		*through += end > 0 && r < end - SURFACE;
	}
}

struct pb_match_sight
pb_match_sight(const struct pb_match_view *a, const struct pb_match_view *b,
    struct pb_pose at)
{
	size_t all = 0, through = 0, n = a->n + b->n;

	count_through(a, b, at, &all, &through);
	count_through(b, a, pb_pose_inverse(at), &all, &through);
	return (struct pb_match_sight){n > 0 ? (double)all / (double)n : 0,
	    all > 0 ? (double)through / (double)all : 0};
}
