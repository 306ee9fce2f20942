/* posegraph.c - tests of sparse systems and of graphs of poses. */
#include "check.h"

#include "localize/slam.h"

enum { NODES = 12, WIDE = 3 * NODES };

/* Solve the dense system a x = b by elimination, the slow way. */
static void
slow_solve(double a[WIDE][WIDE], double *b)
{
	for (int k = 0; k < WIDE; k++)
		for (int r = 0; r < WIDE; r++) {
			double f = a[r][k] / a[k][k];

			if (r == k)
				continue;
			for (int c = 0; c < WIDE; c++)
				a[r][c] -= f * a[k][c];
			b[r] -= f * b[k];
		}
	for (int k = 0; k < WIDE; k++)
		b[k] /= a[k][k];
}

/* A random symmetric block system with a strong diagonal, both ways. */
static void
random_system(struct pb_rng *r, const struct pb_blocks_pair *pair, int m,
    struct pb_blocks *s, double a[WIDE][WIDE], double *b)
{
	double v[3][3];

	memset(a, 0, WIDE * sizeof(a[0]));
	for (int k = 0; k < m + NODES; k++) {
		int i = k < m ? pair[k].i : k - m, j = k < m ? pair[k].j : i;

		for (int c = 0; c < 9; c++)
			v[c / 3][c % 3] = pb_rng_between(r, -1, 1);
		for (int c = 0; i == j && c < 3; c++)
			for (int d = 0; d < c; d++)
				v[c][d] = v[d][c];
		for (int c = 0; i == j && c < 3; c++)
			v[c][c] += 25;
		pb_blocks_add(s, i, j, v);
		for (int c = 0; c < 9; c++) {
			a[3 * i + c / 3][3 * j + c % 3] += v[c / 3][c % 3];
			if (i != j)
				a[3 * j + c % 3][3 * i + c / 3] +=
				    v[c / 3][c % 3];
		}
	}
	for (int k = 0; k < WIDE; k++)
		b[k] = pb_rng_between(r, -5, 5);
}

test(sparse_equals_dense)
{
	struct pb_rng r = draws(5, PB_FOR_MAP);

	for (int i = 0; i < 50; i++) {
		struct pb_blocks_pair pair[20];
		double a[WIDE][WIDE], b[WIDE], x[WIDE];
		struct pb_blocks *s;

		for (int k = 0; k < 20; k++) {
			pair[k].i = (int)pb_rng_below(&r, NODES);
			pair[k].j =
			    (pair[k].i + 1 + (int)pb_rng_below(&r, NODES - 1)) %
			    NODES;
		}
		check_int(
		    pb_blocks_new(NODES, pair, (size_t)(i % 21), &s), PB_OK);
		for (int again = 0; again < 2; again++) {
			pb_blocks_zero(s);
			random_system(&r, pair, i % 21, s, a, b);
			memcpy(x, b, sizeof(x));
			check(pb_blocks_solve(s, x));
			slow_solve(a, b);
			for (int k = 0; k < WIDE; k++)
				check_near(x[k], b[k], 1e-10);
		}
		pb_blocks_zero(s);
		check(!pb_blocks_solve(s, x));
		pb_blocks_free(s);
	}
}

/* A ring of poses and what would be measured between them. */
static size_t
ring(struct pb_pose *pose, int n, struct pb_edge *edge)
{
	size_t m = 0;

	for (int i = 0; i < n; i++) {
		double a = 2 * PB_PI * i / n;

		pose[i] = (struct pb_pose){
		    5 * cos(a), 5 * sin(a), pb_wrap(a + PB_PI / 2)};
	}
	for (int i = 0; i < n; i++)
		for (int k = 1; k <= 3; k += 2)
			edge[m++] = (struct pb_edge){.a = i,
			    .b = (i + k) % n,
			    .z = pb_pose_compose(
				pb_pose_inverse(pose[i]), pose[(i + k) % n]),
			    .precision = {{40, 3, 1}, {3, 60, -2},
				{1, -2, 200}},
			    .soft = INFINITY};
	return m;
}

static void
shake(struct pb_rng *r, struct pb_pose *p, double size)
{
	p->x += pb_rng_between(r, -size, size);
	p->y += pb_rng_between(r, -size, size);
	p->th = pb_wrap(p->th + pb_rng_between(r, -size, size));
}

test(consistent_graph_is_found_again)
{
	struct pb_pose want[20], pose[20];
	struct pb_edge edge[40];
	size_t m = ring(want, 20, edge);
	struct pb_rng r = draws(6, PB_FOR_MAP);
	double sum;

	memcpy(pose, want, sizeof(pose));
	for (int i = 1; i < 20; i++)
		shake(&r, &pose[i], 0.4);
	check_int(pb_posegraph_solve(pose, 20, edge, m, 50, &sum), PB_OK);
	check_near(sum, 0, 1e-12);
	for (int i = 0; i < 20; i++) {
		check_near(pose[i].x, want[i].x, 1e-6);
		check_near(pose[i].y, want[i].y, 1e-6);
		check_near(pb_wrap(pose[i].th - want[i].th), 0, 1e-6);
	}
}

static double
slow_sum(const struct pb_edge *e, size_t m, const struct pb_pose *p)
{
	double sum = 0;

	for (size_t k = 0; k < m; k++) {
		double s = pb_edge_error(&e[k], p), c = e[k].soft;

		sum += isfinite(c) ? c * c * log1p(s / (c * c)) : s;
	}
	return sum;
}

test(no_step_away_from_the_solution_gains)
{
	struct pb_pose pose[20];
	struct pb_edge edge[40];
	size_t m = ring(pose, 20, edge);
	struct pb_rng r = draws(7, PB_FOR_MAP);
	double sum;

	for (size_t k = 0; k < m; k++) {
		shake(&r, &edge[k].z, 0.05);
		edge[k].soft = k % 2 ? 2 : INFINITY;
	}
	check_int(pb_posegraph_solve(pose, 20, edge, m, 100, &sum), PB_OK);
	check_near(sum, slow_sum(edge, m, pose), 1e-9);
	for (int i = 0; i < 200; i++) {
		struct pb_pose other[20];

		memcpy(other, pose, sizeof(other));
		for (int k = 1; k < 20; k++)
			shake(&r, &other[k], 1e-3);
		check(slow_sum(edge, m, other) > sum);
	}
}

test(a_wrong_soft_edge_is_outvoted)
{
	struct pb_pose want[20], pose[20];
	struct pb_edge edge[41];
	size_t m = ring(want, 20, edge);

	memcpy(pose, want, sizeof(pose));
	edge[m] = edge[0];
	edge[m].soft = 1;
	edge[m].b = 10;
	check_int(pb_posegraph_solve(pose, 20, edge, m + 1, 50, NULL), PB_OK);
	for (int i = 0; i < 20; i++)
		check(
		    pb_dist(pb_pose_vec(pose[i]), pb_pose_vec(want[i])) < 0.05);
}
