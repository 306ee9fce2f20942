/* slam_loops.c - the pose graph, and old places that a robot came back to. */
#include "localize/slam_work.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/pool.h"
#include "localize/gauss.h"
#include "localize/slam.h"

/* A list of unknowns in ascending order. */
struct list {
	int *at; /* n of them, owned */
	int n;
	size_t room;
};

/*
 * Rows and columns are numbered by the order of elimination. Column k of the
 * factor has a block on the diagonal and, below, one for each row[first[k]..
 * first[k + 1] - 1], ascending.
 */
struct pb_blocks {
	int n;
	int *place; /* unknown: its number in the order */
	size_t *first;
	int *row;
	double (*diag)[3][3];
	double (*low)[3][3];
	double *x; /* 3 n: a right side in the order */
};

static bool
insert(struct list *l, int v)
{
	int k = l->n;

	while (k > 0 && l->at[k - 1] > v)
		k--;
	if (k > 0 && l->at[k - 1] == v)
		return true;
	if (!pb_grow(&l->at, (size_t)l->n, &l->room, sizeof(*l->at)))
		return false;
	memmove(&l->at[k + 1], &l->at[k], (size_t)(l->n - k) * sizeof(*l->at));
	l->at[k] = v;
	l->n++;
	return true;
}

static void
take_out(struct list *l, int v)
{
	int k = 0;

	while (k < l->n && l->at[k] != v)
		k++;
	if (k == l->n)
		return;
	memmove(
	    &l->at[k], &l->at[k + 1], (size_t)(l->n - k - 1) * sizeof(*l->at));
	l->n--;
}

/* The unknown with the fewest neighbours of those that are left. */
static int
fewest(const struct list *near, const int *place, int n)
{
	int best = -1;

	for (int i = 0; i < n; i++)
		if (place[i] < 0 && (best < 0 || near[i].n < near[best].n))
			best = i;
	return best;
}

/* Join the neighbours of v with each other, and take v out. */
static bool
eliminate(struct list *near, int v)
{
	const struct list *l = &near[v];

	for (int a = 0; a < l->n; a++) {
		take_out(&near[l->at[a]], v);
		for (int b = 0; b < l->n; b++)
			if (a != b && !insert(&near[l->at[a]], l->at[b]))
				return false;
	}
	return true;
}

/*
 * Give every unknown its place, by minimum degree, which keeps the factor
 * sparse. What is left in near[v] when v is eliminated
 * are the unknowns below it in the factor.
 */
static bool
order(struct pb_blocks *a, struct list *near)
{
	for (int k = 0; k < a->n; k++) {
		int v = fewest(near, a->place, a->n);

		a->place[v] = k;
		if (!eliminate(near, v))
			return false;
	}
	return true;
}

static int
ascending(const void *a, const void *b)
{
	int p = *(const int *)a, q = *(const int *)b;

	return (p > q) - (p < q);
}

/* Lay out the factor from what is left in the lists. */
static bool
lay_out(struct pb_blocks *a, const struct list *near)
{
	size_t total = 0;

	for (int v = 0; v < a->n; v++)
		a->first[a->place[v] + 1] = (size_t)near[v].n;
	for (int k = 0; k < a->n; k++)
		a->first[k + 1] += a->first[k];
	total = a->first[a->n];
	a->row = malloc((total + 1) * sizeof(*a->row));
	a->low = malloc((total + 1) * sizeof(*a->low));
	if (a->row == NULL || a->low == NULL)
		return false;
	for (int v = 0; v < a->n; v++) {
		int *row = a->row + a->first[a->place[v]];

		for (int i = 0; i < near[v].n; i++)
			row[i] = a->place[near[v].at[i]];
		qsort(row, (size_t)near[v].n, sizeof(*row), ascending);
	}
	return true;
}

static bool
link_all(struct list *near, const struct pb_blocks_pair *pair, size_t m)
{
	for (size_t k = 0; k < m; k++)
		if (!insert(&near[pair[k].i], pair[k].j) ||
		    !insert(&near[pair[k].j], pair[k].i))
			return false;
	return true;
}

static bool
build(struct pb_blocks *a, const struct pb_blocks_pair *pair, size_t m)
{
	size_t n = (size_t)a->n;
	struct list *near = calloc(n + 1, sizeof(*near));
	bool ok;

	a->place = malloc((n + 1) * sizeof(*a->place));
	a->first = calloc(n + 1, sizeof(*a->first));
	a->diag = malloc((n + 1) * sizeof(*a->diag));
	a->x = malloc((3 * n + 1) * sizeof(*a->x));
	ok = near != NULL && a->place != NULL && a->first != NULL &&
	     a->diag != NULL && a->x != NULL;
	for (size_t i = 0; ok && i < n; i++)
		a->place[i] = -1;
	ok =
	    ok && link_all(near, pair, m) && order(a, near) && lay_out(a, near);
	for (size_t i = 0; near != NULL && i < n; i++)
		free(near[i].at);
	free(near);
	return ok;
}

enum pb_status
pb_blocks_new(
    int n, const struct pb_blocks_pair *pair, size_t m, struct pb_blocks **a)
{
	struct pb_blocks *t = calloc(1, sizeof(*t));

	if (t == NULL)
		return PB_ENOMEM;
	t->n = n;
	if (!build(t, pair, m)) {
		pb_blocks_free(t);
		return PB_ENOMEM;
	}
	*a = t;
	return PB_OK;
}

void
pb_blocks_free(struct pb_blocks *a)
{
	if (a == NULL)
		return;
	free(a->place);
	free(a->first);
	free(a->row);
	free(a->diag);
	free(a->low);
	free(a->x);
	free(a);
}

void
pb_blocks_zero(struct pb_blocks *a)
{
	memset(a->diag, 0, (size_t)a->n * sizeof(*a->diag));
	memset(a->low, 0, a->first[a->n] * sizeof(*a->low));
}

/* The block in that row and column of the factor, row > column. */
static double (*low_at(struct pb_blocks *a, int row, int col))[3]
{
	size_t lo = a->first[col], hi = a->first[col + 1];

	while (lo + 1 < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (a->row[mid] <= row)
			lo = mid;
		else
			hi = mid;
	}
	return a->low[lo];
}

void
pb_blocks_add(struct pb_blocks *a, int i, int j, const double v[3][3])
{
	int p = a->place[i], q = a->place[j];
	double(*to)[3] = p == q  ? a->diag[p]
	                 : p > q ? low_at(a, p, q)
	                         : low_at(a, q, p);

	for (int r = 0; r < 3; r++)
		for (int c = 0; c < 3; c++)
			to[r][c] += p >= q ? v[r][c] : v[c][r];
}

/* The inverse of a symmetric positive definite block; false if it is none. */
static bool
invert(const double m[3][3], double out[3][3])
{
	double a = m[0][0], b = m[0][1], c = m[0][2];
	double d = m[1][1], e = m[1][2], f = m[2][2];
	double x = d * f - e * e, y = c * e - b * f, z = b * e - c * d;
	double det = a * x + b * y + c * z;

	if (!(a > 0 && a * d - b * b > 0 && det > 0))
		return false;
	out[0][0] = x / det;
	out[0][1] = out[1][0] = y / det;
	out[0][2] = out[2][0] = z / det;
	out[1][1] = (a * f - c * c) / det;
	out[1][2] = out[2][1] = (b * c - a * e) / det;
	out[2][2] = (a * d - b * b) / det;
	return true;
}

/* to -= a b'. */
static void
subtract(double to[3][3], const double a[3][3], const double b[3][3])
{
	for (int r = 0; r < 3; r++)
		for (int c = 0; c < 3; c++)
			to[r][c] -= a[r][0] * b[c][0] + a[r][1] * b[c][1] +
			            a[r][2] * b[c][2];
}

static void
multiply(const double a[3][3], const double b[3][3], double out[3][3])
{
	for (int r = 0; r < 3; r++)
		for (int c = 0; c < 3; c++)
			out[r][c] = a[r][0] * b[0][c] + a[r][1] * b[1][c] +
			            a[r][2] * b[2][c];
}

/*
 * Column k: its diagonal becomes the inverse, each block below becomes
 * L = A / D, and what follows loses L A'.
 */
static bool
factor_column(struct pb_blocks *a, int k)
{
	double inv[3][3];

	if (!invert(a->diag[k], inv))
		return false;
	for (size_t i = a->first[k]; i < a->first[k + 1]; i++) {
		double l[3][3];

		multiply(a->low[i], inv, l);
		for (size_t j = a->first[k]; j < i; j++)
			subtract(low_at(a, a->row[i], a->row[j]), l, a->low[j]);
		subtract(a->diag[a->row[i]], l, a->low[i]);
	}
	for (size_t i = a->first[k]; i < a->first[k + 1]; i++) {
		double l[3][3];

		multiply(a->low[i], inv, l);
		memcpy(a->low[i], l, sizeof(l));
	}
	memcpy(a->diag[k], inv, sizeof(inv));
	return true;
}

/* x[to] -= L x[from], or L' x[from]. */
static void
carry(double *to, const double l[3][3], const double *from, bool transposed)
{
	for (int r = 0; r < 3; r++)
		for (int c = 0; c < 3; c++)
			to[r] -= (transposed ? l[c][r] : l[r][c]) * from[c];
}

static void
substitute(struct pb_blocks *a)
{
	double *x = a->x;

	for (int k = 0; k < a->n; k++)
		for (size_t i = a->first[k]; i < a->first[k + 1]; i++)
			carry(&x[3 * a->row[i]], a->low[i], &x[3 * k], false);
	for (int k = a->n - 1; k >= 0; k--) {
		double y[3] = {0, 0, 0};

		for (int r = 0; r < 3; r++)
			for (int c = 0; c < 3; c++)
				y[r] += a->diag[k][r][c] * x[3 * k + c];
		memcpy(&x[3 * k], y, sizeof(y));
		for (size_t i = a->first[k]; i < a->first[k + 1]; i++)
			carry(&x[3 * k], a->low[i], &x[3 * a->row[i]], true);
	}
}

bool
pb_blocks_solve(struct pb_blocks *a, double *b)
{
	for (int k = 0; k < a->n; k++)
		if (!factor_column(a, k))
			return false;
	for (int i = 0; i < a->n; i++)
		memcpy(&a->x[3 * a->place[i]], &b[3 * i], 3 * sizeof(*b));
	substitute(a);
	for (int i = 0; i < a->n; i++)
		memcpy(&b[3 * i], &a->x[3 * a->place[i]], 3 * sizeof(*b));
	return true;
}

#define DAMP_FIRST 1e-4
#define DAMP_MOST  1e6
#define DONE       1e-9 /* share of the sum that a last step gains */

struct problem {
	int n;
	const struct pb_edge *edge;
	size_t m;
	struct pb_blocks *a; /* of nodes 1..n - 1 */
	double *b;           /* 3 (n - 1) */
	struct pb_pose *try; /* n */
};

/* Residual: place and heading of b in the frame of a, less the measured. */
static void
residual(const struct pb_edge *e, const struct pb_pose *pose, double r[3])
{
	pb_gauss_diff(pb_pose_into(pose[e->a], pose[e->b]), e->z, r);
}

double
pb_edge_error(const struct pb_edge *e, const struct pb_pose *pose)
{
	double r[3], s = 0;

	residual(e, pose, r);
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			s += r[i] * e->precision[i][j] * r[j];
	return s;
}

static double
total(const struct problem *p, const struct pb_pose *pose)
{
	double sum = 0;

	for (size_t k = 0; k < p->m; k++) {
		const struct pb_edge *e = &p->edge[k];
		double s = pb_edge_error(e, pose), c2 = e->soft * e->soft;

		sum += isfinite(c2) ? c2 * pb_log(1 + s / c2) : s;
	}
	return sum;
}

/* Derivatives of the residual by the poses of a and b. */
static void
derive(const struct pb_edge *e, const struct pb_pose *pose, double ja[3][3],
    double jb[3][3])
{
	double c = pb_cos(pose[e->a].th), s = pb_sin(pose[e->a].th);
	double x = pose[e->b].x - pose[e->a].x;
	double y = pose[e->b].y - pose[e->a].y;
	const double a[3][3] = {
	    {-c, -s, -s * x + c * y}, {s, -c, -c * x - s * y}, {0, 0, -1}};
	const double b[3][3] = {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};

	memcpy(ja, a, sizeof(a));
	memcpy(jb, b, sizeof(b));
}

/* out = w j' p k. */
static void
product(const double j[3][3], const double p[3][3], const double k[3][3],
    double w, double out[3][3])
{
	for (int r = 0; r < 3; r++)
		for (int c = 0; c < 3; c++) {
			double s = 0;

			for (int i = 0; i < 3; i++)
				for (int l = 0; l < 3; l++)
					s += j[i][r] * p[i][l] * k[l][c];
			out[r][c] = w * s;
		}
}

/* b -= w j' p r, for one node. */
static void
pull(const struct problem *p, int node, const struct pb_edge *e,
    const double j[3][3], const double r[3], double w)
{
	for (int c = 0; node > 0 && c < 3; c++)
		for (int i = 0; i < 3; i++)
			for (int l = 0; l < 3; l++)
				p->b[3 * (node - 1) + c] -=
				    w * j[i][c] * e->precision[i][l] * r[l];
}

static void
enter(const struct problem *p, const struct pb_edge *e,
    const struct pb_pose *pose)
{
	double ja[3][3], jb[3][3], h[3][3], r[3];
	double w = 1 / (1 + pb_edge_error(e, pose) / (e->soft * e->soft));

	residual(e, pose, r);
	derive(e, pose, ja, jb);
	pull(p, e->a, e, ja, r, w);
	pull(p, e->b, e, jb, r, w);
	if (e->a > 0) {
		product(ja, e->precision, ja, w, h);
		pb_blocks_add(p->a, e->a - 1, e->a - 1, h);
	}
	if (e->b > 0) {
		product(jb, e->precision, jb, w, h);
		pb_blocks_add(p->a, e->b - 1, e->b - 1, h);
	}
	if (e->a > 0 && e->b > 0) {
		product(ja, e->precision, jb, w, h);
		pb_blocks_add(p->a, e->a - 1, e->b - 1, h);
	}
}

/* The step from pose with that much damping, into p->try. */
static bool
step(const struct problem *p, const struct pb_pose *pose, double damp)
{
	const double d[3][3] = {{damp, 0, 0}, {0, damp, 0}, {0, 0, damp}};

	pb_blocks_zero(p->a);
	memset(p->b, 0, 3 * (size_t)(p->n - 1) * sizeof(*p->b));
	for (size_t k = 0; k < p->m; k++)
		enter(p, &p->edge[k], pose);
	for (int i = 0; i < p->n - 1; i++)
		pb_blocks_add(p->a, i, i, d);
	if (!pb_blocks_solve(p->a, p->b))
		return false;
	p->try[0] = pose[0];
	for (int i = 1; i < p->n; i++) {
		const double *x = &p->b[3 * (i - 1)];

		p->try[i] = (struct pb_pose){pose[i].x + x[0], pose[i].y + x[1],
		    pb_wrap(pose[i].th + x[2])};
	}
	return true;
}

static void
minimise(const struct problem *p, struct pb_pose *pose, int times, double *sum)
{
	double damp = DAMP_FIRST, now = total(p, pose), then;

	for (int k = 0; k < times && damp < DAMP_MOST; k++) {
		if (!step(p, pose, damp) ||
		    !((then = total(p, p->try)) < now)) {
			damp = damp * 10 + 1e-6;
			continue;
		}
		memcpy(pose, p->try, (size_t)p->n * sizeof(*pose));
		damp /= 10;
		if (now - then <= DONE * now) {
			now = then;
			break;
		}
		now = then;
	}
	if (sum != NULL)
		*sum = now;
}

static enum pb_status
make_system(struct problem *p)
{
	struct pb_blocks_pair *pair = malloc((p->m + 1) * sizeof(*pair));
	enum pb_status st;
	size_t n = 0;

	if (pair == NULL)
		return PB_ENOMEM;
	for (size_t k = 0; k < p->m; k++)
		if (p->edge[k].a > 0 && p->edge[k].b > 0)
			pair[n++] = (struct pb_blocks_pair){
			    p->edge[k].a - 1, p->edge[k].b - 1};
	st = pb_blocks_new(p->n - 1, pair, n, &p->a);
	free(pair);
	return st;
}

enum pb_status
pb_posegraph_solve(struct pb_pose *pose, int n, const struct pb_edge *edge,
    size_t m, int times, double *sum)
{
	struct problem p = {.n = n, .edge = edge, .m = m};
	enum pb_status st = make_system(&p);

	p.b = malloc(3 * (size_t)n * sizeof(*p.b));
	p.try = malloc((size_t)n * sizeof(*p.try));
	if (st == PB_OK && (p.b == NULL || p.try == NULL))
		st = PB_ENOMEM;
	if (st == PB_OK)
		minimise(&p, pose, times, sum);
	pb_blocks_free(p.a);
	free(p.b);
	free(p.try);
	return st;
}

/* Keys on either side of an old one, and before the new one, that count. */
#define OLD_SIDE 15
#define NEW_SIDE 10

/* A loop is worth closing if the way along the graph is so much longer. */
#define WAY_LEAST 10.0 /* (m) */
#define WAY_TIMES 2.0

/* How far to look: at least, and at most (m, rad). */
#define LOOP_LOOK_LEAST 0.7
#define LOOK_MOST       8.0
#define LOOP_TURN_LEAST 0.15
#define TURN_PER_WAY    0.01
#define TURN_MOST       0.7

/* What a deviation of the guess, a third of the look, costs of a score. */
#define LOOP_WEIGHT 0.05

/* The share of points that a loop needs grows by this with the look. */
#define DOUBT 0.15

/* A place so far from the best one (m), or turned so much where all headings
 * are searched (rad), must score lower by this margin. */
#define APART      0.6
#define APART_TURN 0.3
#define MARGIN     0.06

#define LOOP_TURN_AT 10.0 /* angles move a point here by a cell (m) */
#define RADIAN       0.5  /* a turn counts as so much way (m/rad) */
#define CUT_WAY      1e3  /* ... and the begin of a piece (m) */
#define PIECE_LEAST  4    /* keys of a piece that may be joined */
#define PIECE_EAGER  30 /* after so many of them all headings cost too much: */
#define PIECE_EVERY  5  /* each of so many is looked for */

/* Two ties of a piece have so many keys between them, and agree if they are
 * off by less than that (m, rad). */
#define TIE_STEPS 5
#define TIE_OFF   0.5
#define TIE_TURN  0.1
#define SOLVE     20

static double
length(const struct pb_slam *w, const struct pb_edge *e)
{
	return pb_hypot(e->z.x, e->z.y) + RADIAN * fabs(e->z.th) +
	       (pb_slam_guessed(w, e) ? CUT_WAY : 0);
}

static bool
relax(const struct pb_slam *w, const struct pb_edge *e)
{
	double d = length(w, e), *dist = w->dist;

	if (dist[e->a] + d < dist[e->b]) {
		dist[e->b] = dist[e->a] + d;
		return true;
	}
	if (dist[e->b] + d < dist[e->a]) {
		dist[e->a] = dist[e->b] + d;
		return true;
	}
	return false;
}

/*
 * The shortest way along the graph from key k to all others, by Bellman and
 * Ford, sweeping to and fro. Edges lie along
 * the way of the robot but for loops, so that a few sweeps do.
 */
static void
find_ways(struct pb_slam *w, int k)
{
	bool changed = true;

	for (int j = 0; j < w->keys; j++)
		w->dist[j] = INFINITY;
	w->dist[k] = 0;
	while (changed) {
		changed = false;
		for (size_t e = w->edges; e > 0; e--)
			changed |= relax(w, &w->edge[e - 1]);
		for (size_t e = 0; e < w->edges; e++)
			changed |= relax(w, &w->edge[e]);
	}
}

/* How far off key j may be, seen from the newest (m). */
static double
look(const struct pb_slam *w, int j)
{
	return fmin(LOOP_LOOK_LEAST + w->o->drift * w->dist[j], LOOK_MOST);
}

/* How far its heading may be off. */
static double
turn_of(const struct pb_slam *w, int j)
{
	return w->dist[j] >= CUT_WAY
	           ? PB_PI
	           : fmin(LOOP_TURN_LEAST + TURN_PER_WAY * w->dist[j],
			 TURN_MOST);
}

/* The last of the keys about key j that the newest is matched with. */
static int
until(const struct pb_slam *w, int j)
{
	int k = w->keys - 1, last = j;

	while (last < j + OLD_SIDE && last < k - w->o->local &&
	       w->key[last + 1].first == w->key[j].first)
		last++;
	return last;
}

static bool
worth(const struct pb_slam *w, int j, double d)
{
	return d < look(w, j) + 1 && w->dist[j] > WAY_LEAST + WAY_TIMES * d;
}

/* Whether nothing but guesses leads from the newest key to key j. */
static bool
astray(const struct pb_slam *w, int j)
{
	return w->dist[j] >= CUT_WAY;
}

/* Move the piece of the newest key to where t has it. */
static void
move_piece(struct pb_slam *w, const struct pb_slam_tie *t)
{
	struct pb_pose at = w->pose[t->b];
	struct pb_pose to = pb_pose_compose(w->pose[t->a], t->fit.pose);

	for (int i = w->key[t->b].first; i < w->keys; i++)
		w->pose[i] = pb_pose_compose(to, pb_pose_into(at, w->pose[i]));
}

/* Whether two ties with new scans between them say the same. */
static bool
agree(const struct pb_slam *w, const struct pb_slam_tie *t,
    const struct pb_slam_tie *u)
{
	struct pb_pose p = pb_pose_compose(w->pose[u->a], u->fit.pose);
	struct pb_pose q =
	    pb_pose_compose(pb_pose_compose(w->pose[t->a], t->fit.pose),
		pb_slam_between(w, t->b, u->b));

	return u->b - t->b >= TIE_STEPS && pb_pose_dist(p, q) < TIE_OFF &&
	       fabs(pb_wrap(p.th - q.th)) < TIE_TURN;
}

/*
 * The piece of the newest key may belong where t says. It does when an earlier
 * tie has said so: places look alike, but not all along a way.
 */
static enum pb_status
tie(struct pb_slam *w, const struct pb_slam_tie *t, bool *closed)
{
	const struct pb_slam_tie *u = NULL;
	int first = w->key[t->b].first;
	enum pb_status st;

	for (int i = 0; i < w->ties && i < PB_SLAM_TIES; i++)
		if (w->tie[i].b >= first && agree(w, &w->tie[i], t))
			u = &w->tie[i];
	if (u == NULL) {
		w->tie[w->ties % PB_SLAM_TIES] = *t;
		w->ties++;
		return PB_OK;
	}
	*closed = w->joined[first] = true;
	w->report->loops += 2;
	move_piece(w, t);
	st = pb_slam_fit_edge(w, u->a, u->b, &u->fit, INFINITY);
	return st == PB_OK ? pb_slam_fit_edge(w, t->a, t->b, &t->fit, INFINITY)
	                   : st;
}

/*
 * Gather points of key k and of those before it, in the frame of k, thinned
 * out, in w->gathered.
 *
 * Returns  how many
 */
static size_t
gather(struct pb_slam *w, int k)
{
	int first = pb_slam_from(w, k, NEW_SIDE);
	size_t all = 0, seen = 0, n = 0;

	for (int j = first; j <= k; j++)
		all += w->key[j].n;
	w->gathered_far = 0;
	for (int j = first; j <= k; j++) {
		struct pb_pose f = pb_slam_between(w, k, j);

		for (size_t i = 0; i < w->key[j].n; i++) {
			if (seen++ * PB_SLAM_GATHER / (all + 1) < n)
				continue;
			w->gathered[n] = pb_point_from(f, w->key[j].point[i]);
			w->gathered_far = fmax(w->gathered_far,
			    pb_dist(w->gathered[n].at, (struct pb_vec){0, 0}));
			n++;
		}
	}
	return n;
}

/* Try to close a loop between key j and the newest. */
static enum pb_status
attempt(struct pb_slam *w, int j, bool *closed)
{
	int k = w->keys - 1;
	int first = pb_slam_from(w, j, OLD_SIDE), last = until(w, j);
	struct pb_pose guess = pb_slam_between(w, j, k), pose, other;
	double r = look(w, j), score, second;
	struct pb_match_window win = {.x = r,
	    .y = r,
	    .th = turn_of(w, j),
	    .turn = w->loop.cell / LOOP_TURN_AT,
	    .spread = r / 3,
	    .spread_th = INFINITY,
	    .weight = LOOP_WEIGHT};
	size_t n = gather(w, k);
	const struct pb_slam_view view = {
	    j, first, last, pb_pose_vec(guess), w->gathered_far + r};
	struct pb_fit fit;
	enum pb_status st = pb_slam_draw(w, &view, 7, &w->loop);

	if (st != PB_OK)
		return st;
	st = pb_match_search(&w->loop, w->gathered, n, guess, &win,
	    w->o->loop_score, &pose, &score);
	if (st != PB_OK)
		return st == PB_ENOENT ? PB_OK : st;
	fit = pb_match_lines(
	    &w->loop, w->gathered, n, pose, PB_SLAM_NEAR, PB_SLAM_STEPS);
	if (fit.share < w->o->loop_share + DOUBT * r / LOOK_MOST)
		return PB_OK;
	second = score - MARGIN;
	win.avoid = pose;
	win.apart = APART;
	win.apart_th = astray(w, j) ? APART_TURN : INFINITY;
	st = pb_match_search(
	    &w->loop, w->gathered, n, guess, &win, second, &other, &second);
	if (st != PB_ENOENT)
		return st;
	if (astray(w, j))
		return tie(w, &(struct pb_slam_tie){j, k, fit}, closed);
	*closed = true;
	w->report->loops++;
	return pb_slam_fit_edge(w, j, k, &fit, INFINITY);
}

/* So many keys of a piece must be known before it is looked for. */
static int
least_of(const struct pb_slam *w, int k)
{
	return w->joined[w->key[k].first] ? 1 : PIECE_LEAST;
}

/* Whether the piece of key k is looked for once more. */
static bool
due(const struct pb_slam *w, int k)
{
	int n = k - w->key[k].first;

	return n <= PIECE_EAGER || n % PIECE_EVERY == 0;
}

enum pb_status
pb_slam_close(struct pb_slam *w)
{
	int k = w->keys - 1, end = k - w->o->local;
	bool closed = false;
	struct pb_vec at = pb_pose_vec(w->pose[k]);

	if (end <= 0 || k - w->key[k].first + 1 < least_of(w, k))
		return PB_OK;
	find_ways(w, k);
	for (int j = 0; j < end; j++) {
		int best = -1;
		double least = INFINITY;
		enum pb_status st;

		/* The nearest of a row of keys that are worth it. */
		for (; j < end; j++) {
			double d = pb_dist(at, pb_pose_vec(w->pose[j]));

			if (!worth(w, j, d))
				break;
			if (d < least) {
				least = d;
				best = j;
			}
		}
		if (best < 0 || (astray(w, best) && !due(w, k)))
			continue;
		st = attempt(w, best, &closed);
		if (st != PB_OK)
			return st;
	}
	return closed ? pb_posegraph_solve(
			    w->pose, w->keys, w->edge, w->edges, SOLVE, NULL)
	              : PB_OK;
}

void
pb_slam_find_pieces(struct pb_slam *w)
{
	for (int k = 0; k < w->keys; k++)
		w->piece[k] = k;
	for (size_t i = 0; i < w->firm; i++) {
		const struct pb_edge *e = &w->edge[i];

		if (!pb_slam_guessed(w, e))
			w->piece[pb_root(w->piece, e->b)] =
			    pb_root(w->piece, e->a);
	}
	for (int k = 0; k < w->keys; k++) {
		w->report->pieces += w->piece[k] == k;
		w->piece[k] = pb_root(w->piece, k);
	}
}

double
pb_slam_loops_off(const struct pb_slam *w)
{
	double most = 0;

	for (size_t i = 0; i < w->firm; i++) {
		const struct pb_edge *e = &w->edge[i];

		if (e->b - e->a >= w->o->local)
			most = fmax(most,
			    pb_pose_dist(e->z, pb_slam_between(w, e->a, e->b)));
	}
	return most;
}

#define NEIGHBOURS   4.0  /* between neighbours, at most (m) */
#define MOST         12   /* partners of a key, at most */
#define NEAR         0.15 /* of points to lines (m) */
#define STEPS        15
#define SHARE        0.3  /* of points near lines that make a pair */
#define SHIFT        0.15 /* a match moves a pair by less (m) ... */
#define TURN         0.1  /* ... and turns it by less (rad) */
#define SOFT         1.0  /* deviations beyond which an edge is doubted */
#define REFINE_STEPS 30
/* Keys on either side that other scans are matched with. */
#define NEAR_SIDE 12

/* A partner of a key. */
struct partner {
	double d; /* (m) */
	int key;
};

static int
nearer(const void *a, const void *b)
{
	const struct partner *p = a, *q = b;

	if (p->d != q->d)
		return p->d < q->d ? -1 : 1;
	return (p->key > q->key) - (p->key < q->key);
}

/* The keys before k that are nearest to it. */
static int
partners(const struct pb_slam *w, int k, struct partner *out)
{
	struct pb_vec at = pb_pose_vec(w->pose[k]);
	int n = 0;

	for (int j = 0; j < k; j++) {
		double d = pb_dist(at, pb_pose_vec(w->pose[j]));

		if (d <= NEIGHBOURS && w->piece[j] == w->piece[k])
			out[n++] = (struct partner){d, j};
	}
	qsort(out, (size_t)n, sizeof(*out), nearer);
	return n < MOST ? n : MOST;
}

static bool
believable(const struct pb_fit *f, struct pb_pose guess)
{
	return f->share >= SHARE &&
	       pb_hypot(f->pose.x - guess.x, f->pose.y - guess.y) < SHIFT &&
	       fabs(pb_wrap(f->pose.th - guess.th)) < TURN;
}

/* Match the partners of key k with it. */
static enum pb_status
match_key(struct pb_slam *w, int k, struct partner *p)
{
	const struct pb_slam_view view = {k, k, k, {0, 0}, w->key[k].far + 1};
	int n = partners(w, k, p);
	enum pb_status st;

	if (n == 0)
		return PB_OK;
	st = pb_slam_draw(w, &view, 1, &w->local);
	for (int i = 0; st == PB_OK && i < n; i++) {
		const struct pb_slam_key *q = &w->key[p[i].key];
		struct pb_pose guess = pb_slam_between(w, k, p[i].key);
		struct pb_fit f = pb_match_lines(
		    &w->local, q->point, q->n, guess, NEAR, STEPS);

		if (!believable(&f, guess))
			continue;
		w->report->pairs++;
		st = pb_slam_fit_edge(w, k, p[i].key, &f, SOFT);
	}
	return st;
}

enum pb_status
pb_slam_refine(struct pb_slam *w)
{
	struct partner *p = malloc((size_t)w->keys * sizeof(*p));
	enum pb_status st = PB_OK;

	if (p == NULL)
		return PB_ENOMEM;
	w->report->pairs = 0;
	w->edges = w->firm;
	for (int k = 0; st == PB_OK && k < w->keys; k++) {
		st = pb_slam_tell(w, w->key[k].scan);
		if (st == PB_OK)
			st = match_key(w, k, p);
	}
	free(p);
	if (st != PB_OK)
		return st;
	return pb_posegraph_solve(
	    w->pose, w->keys, w->edge, w->edges, REFINE_STEPS, NULL);
}

/* Keys are compared that see such a share of each other's returns; so many of
 * those before a key, spread out over them. At right poses one pair of a
 * hundred contradicts so much, for people walk and there is glass. */
#define SEEN        0.22
#define COMPARED    24
#define CONTRADICTS 0.3

/* Whether scans of keys a and b can be compared. */
static bool
near(const struct pb_slam *w, int a, int b)
{
	return w->piece[a] == w->piece[b] &&
	       pb_dist(pb_pose_vec(w->pose[a]), pb_pose_vec(w->pose[b])) <=
	           NEIGHBOURS;
}

static void
compare(struct pb_slam *w, int k)
{
	int n = 0, i = 0;

	for (int j = 0; j < k; j++)
		n += near(w, j, k);
	for (int j = 0; j < k; j++) {
		struct pb_match_sight s;

		if (!near(w, j, k) || i++ % (n / COMPARED + 1) != 0)
			continue;
		s = pb_slam_sight(w, j, k, pb_slam_between(w, j, k));
		if (s.seen < SEEN)
			continue;
		w->report->compared++;
		w->report->contradictions += s.through > CONTRADICTS;
	}
}

void
pb_slam_compare(struct pb_slam *w)
{
	for (int k = 0; k < w->keys; k++)
		compare(w, k);
}

/*
 * Where the wheels say that scan i was, in the frame of key k, with the share
 * of what they are off by at the next key that has come up by then.
 */
static struct pb_pose
spread_out(const struct pb_slam *w, int k, size_t i)
{
	struct pb_pose rel = w->other[i].rel, end, off;
	size_t from = w->key[k].scan, to;
	double f;

	if (w->odom == NULL || k + 1 >= w->keys || w->key[k + 1].first == k + 1)
		return rel;
	to = w->key[k + 1].scan;
	end = pb_pose_into(w->odom[from], w->odom[to]);
	off = pb_pose_into(end, pb_slam_between(w, k, k + 1));
	f = (double)(i - from) / (double)(to - from);
	off = (struct pb_pose){f * off.x, f * off.y, f * off.th};
	return pb_pose_compose(rel, off);
}

/* Match the scans between key k and the next with what lies about them. */
static enum pb_status
settle(struct pb_slam *w, int k, struct pb_point *p)
{
	size_t i = w->key[k].scan + 1;
	size_t end = k + 1 < w->keys ? w->key[k + 1].scan : w->n;
	int first = k > NEAR_SIDE ? k - NEAR_SIDE : 0;
	int last = k + NEAR_SIDE < w->keys ? k + NEAR_SIDE : w->keys - 1;
	const struct pb_slam_view view = {
	    k, first, last, {0, 0}, w->key[k].far + 1, NEIGHBOURS};
	enum pb_status st = pb_slam_tell(w, w->key[k].scan);

	if (st == PB_OK && i < end)
		st = pb_slam_draw(w, &view, 1, &w->local);
	for (; st == PB_OK && i < end; i++) {
		struct pb_pose guess = spread_out(w, k, i);
		struct pb_fit f;
		size_t n;

		if (w->other[i].key != k)
			continue;
		n = pb_returns(&w->scan[i], w->o->reach, p);
		f = pb_match_lines(&w->local, p, n, guess, NEAR, STEPS);
		w->other[i].rel = believable(&f, guess) ? f.pose : guess;
	}
	return st;
}

enum pb_status
pb_slam_settle(struct pb_slam *w)
{
	struct pb_point *p = w->point + w->points;
	enum pb_status st = PB_OK;

	for (int k = 0; st == PB_OK && k < w->keys; k++)
		st = settle(w, k, p);
	return st;
}
