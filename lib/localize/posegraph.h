/* posegraph.h - poses from relative measurements (pose graph optimization). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "pb/geom.h"
#include "pb/status.h"

/*
 * A x = b with A symmetric and positive definite, of n by n blocks of which
 * most are zero. The sparsity is given once; then numbers may be entered and
 * the system solved any number of times. Belongs to one thread.
 */
struct pb_blocks;

struct pb_blocks_pair {
	int i, j; /* 0..n - 1, i != j */
};

/*
 * A system in which the n blocks of the diagonal and m others, in either
 * order and as often as one likes, may differ from zero.
 *
 * Returns  PB_OK and *a for pb_blocks_free, or PB_ENOMEM and *a untouched
 * Note     unknowns are eliminated in order of fewest neighbours first
 */
enum pb_status pb_blocks_new(
    int n, const struct pb_blocks_pair *pair, size_t m, struct pb_blocks **a);
void pb_blocks_free(struct pb_blocks *a);

/* Set all numbers to 0. */
void pb_blocks_zero(struct pb_blocks *a);

/* Add v to block (i, j), and its transpose to (j, i) if they differ. */
void pb_blocks_add(struct pb_blocks *a, int i, int j, const double v[3][3]);

/*
 * Solve by Cholesky factors (L D L', block by block); the matrix is
 * overwritten.
 *
 * Given    b  3 n numbers
 * Returns  true and x in b; false if A is not positive definite
 */
bool pb_blocks_solve(struct pb_blocks *a, double *b);

/*
 * Nodes are poses in one frame, edges are measured poses of one node in the
 * frame of another. The best poses minimise the sum of rho(e' P e) over
 * the edges, where e is what the measurement is off by and rho is 1 for plain
 * edges and Cauchy's soft limit, c^2 log(1 + s / c^2), for doubtful ones.
 */
struct pb_edge {
	int a, b;               /* nodes */
	struct pb_pose z;       /* measured pose of b in the frame of a */
	double precision[3][3]; /* P: of z in the frame of a, inverse covariance
	                      (1/m2, 1/m, 1/rad2) */
	double soft; /* c of the soft limit; INFINITY: a plain edge */
};

/*
 * Minimise the sum of the edges' errors by the Levenberg-Marquardt method from
 * the given poses; node 0 stays.
 *
 * Given    pose  n >= 1 nodes
 *          edge  m edges between them; each node hangs together with node 0
 *          times steps at most
 * Returns  PB_OK and the nodes, *sum (if not NULL) what is left; PB_ENOMEM
 *          and they are as they were
 */
enum pb_status pb_posegraph_solve(struct pb_pose *pose, int n,
    const struct pb_edge *edge, size_t m, int times, double *sum);

/* What edge e is off by, e' P e. */
double pb_edge_error(const struct pb_edge *e, const struct pb_pose *pose);
