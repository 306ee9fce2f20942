/* posegraph.h - poses that fit best what was measured between them. */
#ifndef PB_LOCALIZE_POSEGRAPH_H
#define PB_LOCALIZE_POSEGRAPH_H

#include <stddef.h>

#include "base/geom.h"
#include "base/status.h"

/*
 * Nodes are poses in one frame, edges are measured poses of one node in the
 * frame of another. The best poses minimise the sum of rho(e' P e) over
 * the edges, where e is what the measurement is off by and rho is 1 for plain
 * edges and Cauchy's soft limit, c^2 log(1 + s / c^2), for doubtful ones.
 */
struct pb_edge {
	int a, b;               /* nodes */
	struct pb_pose z;       /* of b in the frame of a */
	double precision[3][3]; /* P: of z in the frame of a, inverse covariance
	                      (1/m2, 1/m, 1/rad2) */
	double soft;            /* c; INFINITY: a plain edge */
};

/*
 * Move the nodes to where the sum is least, by Levenberg's and Marquardt's
 * method from where they are; node 0 stays.
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

#endif
