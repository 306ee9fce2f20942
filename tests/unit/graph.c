/* graph.c - tests of the distances in a graph. */
#include "check.h"

#include "base/graph.h"

enum { N = 40, EDGES = 160 };

/* Distances by relaxing all edges until nothing changes (Bellman-Ford). */
static void
relax_all(const struct pb_graph *g, const float *cost,
    const unsigned char *closed, float most, float *dist)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (int x = 0; x < g->n; x++) {
			for (int j = g->first[x]; j < g->first[x + 1]; j++) {
				float d = dist[x] + cost[j];

				if ((closed != NULL && closed[j]) || d > most ||
				    d >= dist[g->to[j]])
					continue;
				dist[g->to[j]] = d;
				changed = true;
			}
		}
	}
}

test(distances_are_the_least)
{
	struct pb_rng r = draws(1, PB_FOR_PLAYER);
	void *work = malloc(pb_graph_bytes(N));
	int first[N + 1], to[EDGES];
	struct pb_graph g = {N, first, to};
	unsigned char closed[EDGES];
	float cost[EDGES], is[N], want[N];

	for (int turn = 0; turn < 50; turn++) {
		const unsigned char *mask = turn % 2 ? closed : NULL;
		float most = turn % 3 ? INFINITY : 1.5f;

		for (int x = 0; x <= N; x++)
			first[x] = x * EDGES / N;
		for (int j = 0; j < EDGES; j++) {
			to[j] = (int)pb_rng_below(&r, N);
			cost[j] = (float)pb_rng_unit(&r);
			closed[j] = pb_rng_below(&r, 4) == 0;
		}
		for (int x = 0; x < N; x++)
			is[x] = want[x] =
			    x < 3 ? (float)pb_rng_unit(&r) : INFINITY;
		pb_graph_distances(&g, cost, mask, most, work, is);
		relax_all(&g, cost, mask, most, want);
		check(memcmp(is, want, sizeof(is)) == 0);
	}
	free(work);
}
