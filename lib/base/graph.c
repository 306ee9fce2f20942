/* graph.c - a directed graph in compressed sparse rows, and its distances. */
#include "base/graph.h"

#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "base/pool.h"

/* Lay out a heap of n items in b; its positions are 0. */
static struct pb_heap
lay_out_heap(struct pb_block *b, int n)
{
	size_t items = (size_t)n;
	struct pb_heap h = {
	    .at = pb_block_take(b, items, sizeof(struct pb_heap_entry)),
	    .pos = pb_block_take(b, items, sizeof(int32_t))};

	if (h.pos != NULL)
		memset(h.pos, 0, items * sizeof(int32_t));
	return h;
}

size_t
pb_graph_bytes(int n)
{
	struct pb_block b = {.at = NULL};

	lay_out_heap(&b, n);
	return b.used;
}

void
pb_graph_distances(const struct pb_graph *g, const float *cost,
    const unsigned char *closed, float most, void *work, float *dist)
{
	struct pb_block b = {.at = work};
	struct pb_heap h = lay_out_heap(&b, g->n);

	for (int x = 0; x < g->n; x++)
		if (dist[x] < INFINITY)
			pb_heap_push(
			    &h, (struct pb_heap_entry){
				    pb_heap_key(dist[x]), (uint64_t)x});
	while (!pb_heap_empty(&h)) {
		int x = pb_heap_pop(&h);

		for (int j = g->first[x]; j < g->first[x + 1]; j++) {
			int to = g->to[j];
			float d = dist[x] + cost[j];

			if (d >= dist[to] || d > most ||
			    (closed != NULL && closed[j]))
				continue;
			dist[to] = d;
			pb_heap_push(&h, (struct pb_heap_entry){
					     pb_heap_key(d), (uint64_t)to});
		}
	}
}
