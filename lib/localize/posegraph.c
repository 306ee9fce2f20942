/* posegraph.c - poses from relative measurements (pose graph optimization). */
#include "localize/slam.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/pool.h"
#include "localize/gauss.h"

/*
 * Rows and columns are numbered in elimination order. Column k of the factor
 * has a diagonal block and, below, one block for each row[first[k]..first[k +
 * 1] - 1], ascending.
 */
struct pb_blocks {
	int n;
	int *place; /* by unknown: its number in elimination order */
	size_t *first;
	int *row;
	double (*diag)[3][3];
	double (*low)[3][3];
	double *x;           /* 3 n: right-hand side in elimination order */
	struct pb_pool pool; /* owner of all arrays but row */
};

static int
ascending(const void *a, const void *b)
{
	int p = *(const int *)a, q = *(const int *)b;

	return (p > q) - (p < q);
}

/* Adjacency among the unknowns that are not eliminated yet. */
struct neighbours {
	size_t n;
	unsigned char *of; /* n rows of n bits, one after the other */
	int *count;        /* n, of each row */
};

static bool
is_neighbour(const struct neighbours *g, int i, int j)
{
	size_t at = (size_t)i * g->n + (size_t)j;

	return g->of[at / 8] >> at % 8 & 1;
}

/* Set whether j is a neighbour of i. */
static void
set_neighbour(struct neighbours *g, int i, int j, bool near)
{
	size_t at = (size_t)i * g->n + (size_t)j;

	if (is_neighbour(g, i, j) == near)
		return;
	g->of[at / 8] ^= (unsigned char)(1u << at % 8);
	g->count[i] += near ? 1 : -1;
}

/* The unknown with the fewest neighbours among those not ordered yet. */
static int
find_fewest(const struct neighbours *g, const int *place)
{
	int best = -1;

	for (int i = 0; i < (int)g->n; i++)
		if (place[i] < 0 && (best < 0 || g->count[i] < g->count[best]))
			best = i;
	return best;
}

/*
 * Order the unknowns by minimum degree, which keeps the factor sparse: the
 * neighbours of an unknown are the blocks below it, and become neighbours of
 * each other when it is eliminated.
 */
static bool
order_unknowns(struct pb_blocks *a, struct neighbours *g)
{
	size_t all = 0, room = 0;

	for (int k = 0; k < a->n; k++) {
		int v = find_fewest(g, a->place);

		a->place[v] = k;
		for (int i = 0; i < a->n; i++) {
			if (!is_neighbour(g, v, i))
				continue;
			if (!pb_grow(&a->row, all, &room, sizeof(*a->row)))
				return false;
			a->row[all++] = i;
		}
		a->first[k + 1] = all;
		for (size_t i = a->first[k]; i < all; i++) {
			set_neighbour(g, a->row[i], v, false);
			for (size_t j = a->first[k]; j < all; j++)
				if (i != j)
					set_neighbour(
					    g, a->row[i], a->row[j], true);
		}
	}
	for (size_t i = 0; i < all; i++)
		a->row[i] = a->place[a->row[i]];
	for (int k = 0; all > 0 && k < a->n; k++)
		qsort(a->row + a->first[k], a->first[k + 1] - a->first[k],
		    sizeof(*a->row), ascending);
	a->low = pb_pool_get(&a->pool, all, sizeof(*a->low));
	return a->low != NULL;
}

static bool
build_structure(
    struct pb_blocks *a, const struct pb_blocks_pair *pair, size_t m)
{
	size_t n = (size_t)a->n;
	struct pb_pool scratch = {0};
	struct neighbours g = {n, pb_pool_get(&scratch, n * n / 8 + 1, 1),
	    pb_pool_get(&scratch, n, sizeof(int))};
	bool ok;

	a->place = pb_pool_get(&a->pool, n, sizeof(*a->place));
	a->first = pb_pool_get(&a->pool, n + 1, sizeof(*a->first));
	a->diag = pb_pool_get(&a->pool, n, sizeof(*a->diag));
	a->x = pb_pool_get(&a->pool, 3 * n, sizeof(*a->x));
	ok = !scratch.failed && !a->pool.failed;
	for (size_t i = 0; ok && i < n; i++)
		a->place[i] = -1;
	for (size_t k = 0; ok && k < m; k++) {
		set_neighbour(&g, pair[k].i, pair[k].j, true);
		set_neighbour(&g, pair[k].j, pair[k].i, true);
	}
	ok = ok && order_unknowns(a, &g);
	pb_pool_clear(&scratch);
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
	if (!build_structure(t, pair, m)) {
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
	pb_pool_clear(&a->pool);
	free(a->row);
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

/* Factor column k: its diagonal becomes the inverse D^-1, each block A below
 * becomes L = A D^-1, and L A' is subtracted from later columns. */
static bool
factor_column(struct pb_blocks *a, int k)
{
	double inv[3][3];

	if (!pb_gauss_invert(a->diag[k], inv))
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
subtract_product(
    double *to, const double l[3][3], const double *from, bool transposed)
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
			subtract_product(
			    &x[3 * a->row[i]], a->low[i], &x[3 * k], false);
	for (int k = a->n - 1; k >= 0; k--) {
		double y[3] = {0, 0, 0};

		for (int r = 0; r < 3; r++)
			for (int c = 0; c < 3; c++)
				y[r] += a->diag[k][r][c] * x[3 * k + c];
		memcpy(&x[3 * k], y, sizeof(y));
		for (size_t i = a->first[k]; i < a->first[k + 1]; i++)
			subtract_product(
			    &x[3 * k], a->low[i], &x[3 * a->row[i]], true);
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

#define DAMP_FIRST 1e-4 /* first damping (factor of the diagonal) */
#define DAMP_MOST  1e6  /* give up above this damping */
#define DONE       1e-9 /* a step that gains a smaller share is the last */

struct problem {
	int n;
	const struct pb_edge *edge;
	size_t m;
	struct pb_blocks *a; /* system of nodes 1..n - 1 */
	double *b;           /* 3 (n - 1): right-hand side */
	struct pb_pose *try; /* n: poses after the step */
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
total_error(const struct problem *p, const struct pb_pose *pose)
{
	double sum = 0;

	for (size_t k = 0; k < p->m; k++) {
		const struct pb_edge *e = &p->edge[k];
		double s = pb_edge_error(e, pose), c2 = e->soft * e->soft;

		sum += isfinite(c2) ? c2 * pb_log(1 + s / c2) : s;
	}
	return sum;
}

/* Jacobians of the residual for the poses of a and b. */
static void
residual_jacobians(const struct pb_edge *e, const struct pb_pose *pose,
    double ja[3][3], double jb[3][3])
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
weighted_product(const double j[3][3], const double p[3][3],
    const double k[3][3], double w, double out[3][3])
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
add_gradient(const struct problem *p, int node, const struct pb_edge *e,
    const double j[3][3], const double r[3], double w)
{
	for (int c = 0; node > 0 && c < 3; c++)
		for (int i = 0; i < 3; i++)
			for (int l = 0; l < 3; l++)
				p->b[3 * (node - 1) + c] -=
				    w * j[i][c] * e->precision[i][l] * r[l];
}

static void
add_edge(const struct problem *p, const struct pb_edge *e,
    const struct pb_pose *pose)
{
	double j[2][3][3], h[3][3], r[3];
	double w = 1 / (1 + pb_edge_error(e, pose) / (e->soft * e->soft));
	const int node[2] = {e->a, e->b};

	residual(e, pose, r);
	residual_jacobians(e, pose, j[0], j[1]);
	for (int k = 0; k < 2; k++) {
		add_gradient(p, node[k], e, j[k], r, w);
		for (int l = k; l < 2; l++) {
			if (node[k] == 0 || node[l] == 0)
				continue;
			weighted_product(j[k], e->precision, j[l], w, h);
			pb_blocks_add(p->a, node[k] - 1, node[l] - 1, h);
		}
	}
}

/* Solve for the step from pose with damping `damp`, into p->try. */
static bool
solve_step(const struct problem *p, const struct pb_pose *pose, double damp)
{
	const double d[3][3] = {{damp, 0, 0}, {0, damp, 0}, {0, 0, damp}};

	pb_blocks_zero(p->a);
	memset(p->b, 0, 3 * (size_t)(p->n - 1) * sizeof(*p->b));
	for (size_t k = 0; k < p->m; k++)
		add_edge(p, &p->edge[k], pose);
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
	double damp = DAMP_FIRST, now = total_error(p, pose), then;

	for (int k = 0; k < times && damp < DAMP_MOST; k++) {
		if (!solve_step(p, pose, damp) ||
		    !((then = total_error(p, p->try)) < now)) {
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

enum pb_status
pb_posegraph_solve(struct pb_pose *pose, int n, const struct pb_edge *edge,
    size_t m, int times, double *sum)
{
	struct problem p = {.n = n, .edge = edge, .m = m};
	struct pb_pool pool = {0};
	struct pb_blocks_pair *pair = pb_pool_get(&pool, m, sizeof(*pair));
	enum pb_status st = PB_ENOMEM;
	size_t pairs = 0;

	p.b = pb_pool_get(&pool, 3 * (size_t)n, sizeof(*p.b));
	p.try = pb_pool_get(&pool, (size_t)n, sizeof(*p.try));
	if (!pool.failed) {
		for (size_t k = 0; k < m; k++)
			if (edge[k].a > 0 && edge[k].b > 0)
				pair[pairs++] = (struct pb_blocks_pair){
				    edge[k].a - 1, edge[k].b - 1};
		st = pb_blocks_new(n - 1, pair, pairs, &p.a);
	}
	if (st == PB_OK)
		minimise(&p, pose, times, sum);
	pb_blocks_free(p.a);
	pb_pool_clear(&pool);
	return st;
}
