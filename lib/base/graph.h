/* graph.h - a directed graph in compressed sparse rows, and its distances. */
#pragma once

#include <stddef.h>

/* Nodes are numbered from 0; costs of edges are the user's. A value that
 * borrows its arrays. */
struct pb_graph {
	int n;      /* nodes */
	int *first; /* n + 1: where each node's edges begin in `to` */
	int *to;    /* by edge: the node it leads to */
};

/* Bytes of work memory for the distances of n nodes. */
size_t pb_graph_bytes(int n);

/*
 * Cost of the cheapest path to each node: Dijkstra's algorithm on a binary
 * heap ("A note on two problems in connexion with graphs", 1959).
 *
 * Given    cost    by edge, >= 0
 *          closed  by edge: not 0, it is no edge; NULL: all are open
 *          most    paths that cost more are none
 *          work    pb_graph_bytes(g->n)
 *          dist    by node: cost at which paths begin there, elsewhere INFINITY
 * Returns  dist    by node: the least cost, INFINITY where there is no path
 */
void pb_graph_distances(const struct pb_graph *g, const float *cost,
    const unsigned char *closed, float most, void *work, float *dist);
