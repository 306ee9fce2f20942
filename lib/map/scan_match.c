/* scan_match.c - points of scans, and matching them to other scans. */
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

	/* A zero mount adds no rounding. */
	return m.x != 0 || m.y != 0 || m.th != 0 ? pb_pose_compose(p, m) : p;
}

#define ASIDE      4 /* most neighbours of a point on either side of a line */
#define LINE_REACH 0.35 /* and their largest distance (m) */
#define SPACINGS                                                              \
	12.0             /* ... or, along a wall seen from its end, within so \
	                    many distances between beams */
#define FLAT        0.1  /* most spread across a line, share of that along */
#define THIN        0.03 /* most spread across a line (m) */
#define LINE_POINTS 3    /* least points of a line */

/* Sums for fitting a line to points. */
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

/* The direction in which the points spread least, 0, 0 if that is unclear: the
 * eigenvector of the smaller eigenvalue of their covariance. */
static struct pb_vec
normal_direction(const struct line_sums *s)
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

/* The normal, facing `eye`, of point i of n, from at most `aside` neighbours on
 * either side within `reach` (m). */
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
	v = normal_direction(&s);
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

/* A frame with the cosine and sine of its heading. */
struct frame {
	struct pb_vec at;
	pb_pair x;
};

static struct frame
frame_at(struct pb_pose p)
{
	return (struct frame){pb_pose_vec(p), pb_direction(p.th)};
}

static struct pb_vec
turn_from(const struct frame *f, struct pb_vec v)
{
	return (struct pb_vec){
	    f->x[0] * v.x - f->x[1] * v.y, f->x[1] * v.x + f->x[0] * v.y};
}

static struct pb_point
point_from(const struct frame *f, const struct pb_point *p)
{
	return (struct pb_point){
	    {f->at.x + f->x[0] * p->at.x - f->x[1] * p->at.y,
		f->at.y + f->x[1] * p->at.x + f->x[0] * p->at.y},
	    turn_from(f, p->normal)};
}

struct pb_point
pb_point_from(struct pb_pose f, struct pb_point p)
{
	const struct frame in = frame_at(f);

	return point_from(&in, &p);
}

/* Nearness is 0 beyond this many sigma. */
#define REACH 3.0

/*
 * Distances are drawn as half their squares, in a unit in which the reach is
 * FINE: 15 bits hold the sum of two, and a compiler compares eight at once.
 * When all is drawn, costs follow in steps of 1 << COARSE.
 */
enum { FINE = 181, UNSEEN = FINE * FINE / 2 + 1, COARSE = 5, WIDE = 16 };

/* Cost, PB_MATCH_FULL less nearness, at half the squared distance i << COARSE,
 * in units of which REACH sigma are FINE. */
static uint8_t
cost_at_distance(int i)
{
	double d2 = 2 * (double)(i << COARSE) / (FINE * FINE);

	return (
	    uint8_t)(PB_MATCH_FULL -
		     lround(PB_MATCH_FULL * pb_exp(-REACH * REACH * d2 / 2)));
}

struct pb_target
pb_target_empty(double cell, double sigma)
{
	return (struct pb_target){.cell = cell, .sigma = sigma};
}

void
pb_target_clear(struct pb_target *t)
{
	free(t->field.cost);
	free(t->levels);
	free(t->near);
	free(t->far);
	free(t->point);
	*t = pb_target_empty(t->cell, t->sigma);
}

static enum pb_status
make_room(struct pb_target *t, size_t cells, size_t points)
{
	void *p;

	if (cells > t->cells) {
		free(t->field.cost);
		free(t->near);
		free(t->far);
		t->cells = 0;
		t->field.cost = malloc(cells);
		t->near = malloc((cells + WIDE) * sizeof(*t->near));
		t->far = malloc((cells + WIDE) * sizeof(*t->far));
		if (t->field.cost == NULL || t->near == NULL || t->far == NULL)
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

/* Radius within which a point is drawn (cells). */
static double
draw_radius(const struct pb_target *t)
{
	return REACH * t->sigma / t->cell;
}

/* Width of the border around the box (cells). */
static int
border_width(const struct pb_target *t)
{
	return (int)ceil(draw_radius(t)) + 1;
}

enum pb_status
pb_target_begin(
    struct pb_target *t, struct pb_vec lo, struct pb_vec hi, size_t points)
{
	int side = border_width(t);
	double w = ceil((hi.x - lo.x) / t->cell) + 2 * side;
	double h = ceil((hi.y - lo.y) / t->cell) + 2 * side;
	size_t cells;
	enum pb_status st;

	t->n = 0;
	t->field.width = t->field.height = 0;
	if (!(w <= PB_MAP_SIDE && h <= PB_MAP_SIDE))
		return PB_ESIZE;
	cells = (size_t)w * (size_t)h;
	st = make_room(t, cells, points);
	if (st != PB_OK)
		return st;
	t->field.width = (int)w;
	t->field.height = (int)h;
	t->field.most = PB_MATCH_FULL;
	t->lo = (struct pb_vec){lo.x - side * t->cell, lo.y - side * t->cell};
	for (size_t i = 0; i < cells + WIDE; i++)
		t->far[i] = UNSEEN;
	return PB_OK;
}

/* Draw point i into WIDE cells: it is stored where it is nearer than all points
 * before it. */
static void
draw_cells(int32_t i, const int16_t *restrict dx2, int16_t dy2,
    int16_t *restrict far, int32_t *restrict near)
{
	int16_t nearer[WIDE]; /* all bits are set, or none */

	for (int c = 0; c < WIDE; c++) {
		int16_t d = (int16_t)(dx2[c] + dy2);

		nearer[c] = d < far[c] ? -1 : 0;
		far[c] = d < far[c] ? d : far[c];
	}
	for (int c = 0; c < WIDE; c++)
		near[c] ^= (i ^ near[c]) & nearer[c];
}

/* Half the squared distance d (cells), in a unit of 1/k cells. */
static int16_t
half_square(double d, double k)
{
	int n = (int)(fabs(d) * k + 0.5);

	return (int16_t)(n * n / 2);
}

/* Draw point number i of t. */
static void
draw_point(struct pb_target *t, int32_t i)
{
	double r = draw_radius(t), k = FINE / r;
	double x = (t->point[i].at.x - t->lo.x) / t->cell - 0.5;
	double y = (t->point[i].at.y - t->lo.y) / t->cell - 0.5;
	int x0 = (int)ceil(x - r), x1 = (int)floor(x + r);
	int y0 = (int)ceil(y - r), y1 = (int)floor(y + r);
	int16_t dx2[WIDE];

	for (; x0 <= x1; x0 += WIDE) {
		for (int c = 0; c < WIDE; c++)
			dx2[c] =
			    x0 + c <= x1 ? half_square(x0 + c - x, k) : UNSEEN;
		for (int row = y0; row <= y1; row++) {
			size_t at =
			    (size_t)row * (size_t)t->field.width + (size_t)x0;

			draw_cells(i, dx2, half_square(row - y, k), &t->far[at],
			    &t->near[at]);
		}
	}
}

/* Whether p lies in the box. */
static bool
is_in_box(const struct pb_target *t, struct pb_vec p)
{
	double side = border_width(t) - 1;
	double x = (p.x - t->lo.x) / t->cell, y = (p.y - t->lo.y) / t->cell;

	return x >= side && y >= side && x <= t->field.width - side &&
	       y <= t->field.height - side;
}

void
pb_target_add(
    struct pb_target *t, struct pb_pose f, const struct pb_point *p, size_t n)
{
	const struct frame in = frame_at(f);

	for (size_t i = 0; i < n && t->n < t->points; i++) {
		t->point[t->n] = point_from(&in, &p[i]);
		if (is_in_box(t, t->point[t->n].at))
			draw_point(t, (int32_t)t->n++);
	}
}

enum pb_status
pb_target_finish(struct pb_target *t)
{
	size_t size = pb_corr_layout(&t->field);
	size_t cells = (size_t)t->field.width * (size_t)t->field.height;
	uint8_t cost[(UNSEEN >> COARSE) + 1];

	for (int i = 0; i <= UNSEEN >> COARSE; i++)
		cost[i] = cost_at_distance(i);
	for (size_t i = 0; i < cells; i++)
		t->field.cost[i] = t->far[i] == UNSEEN
		                       ? PB_MATCH_FULL
		                       : cost[t->far[i] >> COARSE];
	if (size > t->size) {
		free(t->levels);
		t->size = 0;
		t->levels = malloc(size);
		if (t->levels == NULL)
			return PB_ENOMEM;
		t->size = size;
	}
	pb_corr_build(&t->field, t->levels);
	return PB_OK;
}

#define SOFT  0.05 /* larger distances are down-weighted (m) */
#define FACES 0.7  /* least cosine between matched normals */
#define LEAST 10   /* least points of a fit */
#define STILL 1e-5 /* the last step is shorter (m, rad) */

/* Normal equations of one step. */
struct equations {
	double h[3][3]; /* weighted normal matrix */
	double b[3];
	double h1[3][3]; /* the same without weights */
	size_t n;
	size_t near; /* points near the target, also without a normal */
};

/* The index of the cell that holds v; false if none does. */
static bool
cell_of(const struct pb_target *t, struct pb_vec v, size_t *i)
{
	double x = (v.x - t->lo.x) / t->cell, y = (v.y - t->lo.y) / t->cell;

	if (!(x >= 0 && y >= 0 && x < t->field.width && y < t->field.height))
		return false;
	*i = (size_t)y * (size_t)t->field.width + (size_t)x;
	return true;
}

/* The point of t nearest to v, NULL if none is near. */
static const struct pb_point *
nearest_point(const struct pb_target *t, struct pb_vec v, double near)
{
	const struct pb_point *p;
	size_t i;

	if (!cell_of(t, v, &i) || t->far[i] == UNSEEN)
		return NULL;
	p = &t->point[t->near[i]];
	v = (struct pb_vec){p->at.x - v.x, p->at.y - v.y};
	return v.x * v.x + v.y * v.y <= near * near ? p : NULL;
}

/* Add a point: its distance from the line through `at`, with derivatives. */
static void
add_equation(struct equations *e, struct pb_pose f, struct pb_vec v,
    struct pb_vec at, struct pb_vec normal)
{
	double d = normal.x * (v.x - at.x) + normal.y * (v.y - at.y);
	double w = 1 / (1 + d * d / (SOFT * SOFT));
	double j[3] = {normal.x, normal.y,
	    normal.y * (v.x - f.x) - normal.x * (v.y - f.y)};

	for (int r = 0; r < 3; r++) {
		for (int c = 0; c <= r; c++) {
			e->h[r][c] += w * j[r] * j[c];
			e->h1[r][c] += j[r] * j[c];
		}
		e->b[r] += w * j[r] * d;
	}
	e->n++;
}

/* The normal of the matched point, or the own one if that has none; false if
 * the surfaces face differently. */
static bool
matching_normal(struct pb_vec own, struct pb_vec other, struct pb_vec *normal)
{
	bool has_own = own.x != 0 || own.y != 0;
	bool has_other = other.x != 0 || other.y != 0;

	*normal = has_other ? other : own;
	return !has_own || !has_other ||
	       own.x * other.x + own.y * other.y > FACES;
}

static struct equations
build_equations(const struct pb_target *t, const struct pb_point *p, size_t n,
    struct pb_pose f, double near)
{
	const struct frame in = frame_at(f);
	struct equations e = {.n = 0};

	for (size_t i = 0; i < n; i++) {
		struct pb_point v = point_from(&in, &p[i]);
		const struct pb_point *q = nearest_point(t, v.at, near);
		struct pb_vec normal;

		if (q == NULL || !matching_normal(v.normal, q->normal, &normal))
			continue;
		e.near++;
		if (normal.x != 0 || normal.y != 0)
			add_equation(&e, f, v.at, q->at, normal);
	}
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < r; c++) {
			e.h[c][r] = e.h[r][c];
			e.h1[c][r] = e.h1[r][c];
		}
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

/* Regularisation (1, m2): where all lines are parallel, nothing else holds the
 * points along them. */
#define HOLD 0.5

/* A Gauss-Newton step; returns its length (m and rad, summed). */
static double
gauss_newton_step(const struct equations *e, struct pb_pose *f)
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
	struct equations e = build_equations(t, p, n, guess, near);

	for (int k = 0; k < times && e.n >= LEAST; k++) {
		double moved = gauss_newton_step(&e, &fit.pose);

		e = build_equations(t, p, n, fit.pose, near);
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
			sum += PB_MATCH_FULL - t->field.cost[at];
	}
	return n > 0 ? (double)sum / (PB_MATCH_FULL * (double)n) : 0;
}

/* Most blocks of the first search, which finds a good pose soon, and of the
 * second, which keeps all that may be better. */
#define FEW_NODES 2048
#define ALL_NODES 65536

/* A search for the best pose. */
struct search {
	const struct pb_target *t;
	const struct pb_match_window *w;
	struct pb_pose guess;
	struct pb_corr_window in;        /* the window in cells */
	struct pb_vec p[PB_CORR_POINTS]; /* points (cells) */
	int n;
	double best; /* highest score so far */
	struct pb_pose at;
};

/* Convert points to cells, ordered so that all directions come early. */
static void
choose_points(struct search *s, const struct pb_point *p, size_t n)
{
	for (int i = 0; i < PB_CORR_POINTS; i++) {
		size_t b = (size_t)pb_corr_order(i, PB_CORR_POINTS);

		if (n > PB_CORR_POINTS)
			b = b * n / PB_CORR_POINTS;
		if (b < n)
			s->p[s->n++] = (struct pb_vec){
			    p[b].at.x / s->t->cell, p[b].at.y / s->t->cell};
	}
}

/* Half of a side in cells, at most what nodes can count. */
static int
half_cells(const struct pb_target *t, double half)
{
	return (int)fmin(half / t->cell, INT16_MAX);
}

static void
choose_window(struct search *s)
{
	const struct pb_match_window *w = s->w;
	double cell = s->t->cell, unit = PB_MATCH_FULL * s->n * w->weight / 2;
	int nx = half_cells(s->t, w->x), ny = half_cells(s->t, w->y);
	int turns = (int)fmin(w->th / w->turn, INT16_MAX);

	s->in = (struct pb_corr_window){.i1 = 2 * nx,
	    .j1 = 2 * ny,
	    .at = {(s->guess.x - s->t->lo.x) / cell - nx,
		(s->guess.y - s->t->lo.y) / cell - ny},
	    .th = s->guess.th - turns * w->turn,
	    .turn = w->turn,
	    .turns = 2 * turns + 1,
	    .i = nx,
	    .j = ny,
	    .heading = turns,
	    .pull = unit * cell * cell / (w->spread * w->spread),
	    .pull_th =
		unit * w->turn * w->turn / (w->spread_th * w->spread_th)};
}

/* The largest cost that scores higher than the best. */
static int32_t
cost_limit(const struct search *s)
{
	double c = ceil(PB_MATCH_FULL * s->n * (1 - s->best));

	return c < UINT16_MAX ? (int32_t)c : UINT16_MAX;
}

/* Columns and rows of the points for place (0, 0). */
static void
place_points(const struct search *s, int turn, int32_t (*out)[2])
{
	pb_pair u = pb_direction(s->in.th + turn * s->in.turn);

	for (int i = 0; i < s->n; i++) {
		const struct pb_vec e = s->p[i], at = s->in.at;
		double x = at.x + u[0] * e.x - u[1] * e.y;
		double y = at.y + u[1] * e.x + u[0] * e.y;

		out[i][0] = (int32_t)floor(pb_clamp(x, -1e9, 1e9));
		out[i][1] = (int32_t)floor(pb_clamp(y, -1e9, 1e9));
	}
}

/* Score of place (i, j). */
static double
score_place(const struct search *s, int32_t (*point)[2], int i, int j, int turn)
{
	const struct pb_corr_field *f = &s->t->field;
	const struct pb_corr_window *w = &s->in;
	double x = i - w->i, y = j - w->j, th = turn - w->heading;
	double pull = w->pull * (x * x + y * y) + w->pull_th * th * th;
	long sum = 0;

	for (int k = 0; k < s->n; k++) {
		unsigned u = (unsigned)(point[k][0] + i);
		unsigned v = (unsigned)(point[k][1] + j);

		sum += u < (unsigned)f->width && v < (unsigned)f->height
		           ? f->cost[(size_t)v * (size_t)f->width + u]
		           : f->most;
	}
	return 1 - ((double)sum + pull) / (PB_MATCH_FULL * (double)s->n);
}

/* Compare the places of a block of level 1 with the best. */
static void
try_block(struct search *s, const struct pb_corr_node *b)
{
	const struct pb_match_window *w = s->w;
	int32_t point[PB_CORR_POINTS][2];

	place_points(s, b->turn, point);
	for (int k = 0; k < 4; k++) {
		int i = 2 * b->i + k % 2, j = 2 * b->j + k / 2;
		double score = i <= s->in.i1 && j <= s->in.j1
		                   ? score_place(s, point, i, j, b->turn)
		                   : -INFINITY;
		struct pb_pose p = {s->guess.x + (i - s->in.i) * s->t->cell,
		    s->guess.y + (j - s->in.j) * s->t->cell,
		    pb_wrap(s->in.th + b->turn * s->in.turn)};

		if (score <= s->best ||
		    (pb_pose_dist(p, w->avoid) < w->apart &&
			fabs(pb_wrap(p.th - w->avoid.th)) < w->apart_th))
			continue;
		s->best = score;
		s->at = p;
	}
}

/* Search all blocks that may be better, in lists of `room` nodes. */
static void
search_blocks(struct search *s, int level, struct pb_corr_node *a,
    struct pb_corr_node *b, int room)
{
	struct pb_corr_node *list;
	int n = pb_corr_search(&s->t->field, s->p, s->n, &s->in, level,
	    cost_limit(s), a, b, room, &list);

	pb_corr_heap(list, n);
	while (n > 0 && list->cost <= cost_limit(s)) {
		struct pb_corr_node next = pb_corr_pop(list, &n);

		try_block(s, &next);
	}
}

enum pb_status
pb_match_search(const struct pb_target *t, const struct pb_point *p, size_t n,
    struct pb_pose guess, const struct pb_match_window *w, double least,
    struct pb_pose *pose, double *score)
{
	struct search s = {.t = t, .w = w, .guess = guess, .best = least};
	struct pb_corr_node *list;

	choose_points(&s, p, n);
	if (s.n == 0 || !(least < 1) || !isfinite(guess.x) ||
	    !isfinite(guess.y) || !isfinite(guess.th))
		return PB_ENOENT;
	list = malloc(2 * ALL_NODES * sizeof(*list));
	if (list == NULL)
		return PB_ENOMEM;
	choose_window(&s);
	search_blocks(&s, 3, list, list + ALL_NODES, FEW_NODES);
	search_blocks(&s, 5, list, list + ALL_NODES, ALL_NODES);
	free(list);
	if (!(s.best > least))
		return PB_ENOENT;
	*pose = s.at;
	*score = s.best;
	return PB_OK;
}

/* Direction bins, 3 degrees each. */
#define DIRECTIONS 120

/* Returns this near along a beam are on one surface (m). */
#define SURFACE 0.3

static int
direction_bin(struct pb_vec v)
{
	int d = (int)((pb_atan2(v.y, v.x) + PB_PI) / (2 * PB_PI) * DIRECTIONS);

	return d % DIRECTIONS;
}

static struct pb_vec
relative_to(struct pb_vec p, struct pb_vec from)
{
	return (struct pb_vec){p.x - from.x, p.y - from.y};
}

/* Fill near with the nearest return of v (m) in each direction bin and its
 * neighbours, 0: none. */
static void
fill_nearest(const struct pb_match_view *v, double *near)
{
	for (int d = 0; d < DIRECTIONS; d++)
		near[d] = 0;
	for (size_t i = 0; i < v->n; i++) {
		struct pb_vec p = relative_to(v->point[i].at, v->from);
		double r = pb_hypot(p.x, p.y);
		int d = direction_bin(p) + DIRECTIONS;

		for (int j = d - 1; j <= d + 1; j++)
			if (near[j % DIRECTIONS] == 0 ||
			    near[j % DIRECTIONS] > r)
				near[j % DIRECTIONS] = r;
	}
}

/* Count the returns of b in view of a, and those that a's beams crossed. */
static void
count_through(const struct pb_match_view *a, const struct pb_match_view *b,
    struct pb_pose at, size_t *all, size_t *through)
{
	const struct frame in = frame_at(at);
	double near[DIRECTIONS];

	fill_nearest(a, near);
	for (size_t i = 0; i < b->n; i++) {
		struct pb_vec p =
		    relative_to(point_from(&in, &b->point[i]).at, a->from);
		double r = pb_hypot(p.x, p.y), end = near[direction_bin(p)];

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
