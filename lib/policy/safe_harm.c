/* safe_harm.c - the chance of being caught, by place and time. */
#include "policy/safe_harm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Chances below this are not followed up. */
#define FAINT 2e-4f

/* Time for which a step of the table follows the distances of the tree. */
struct window {
	double from, to; /* units walked */
	int first;       /* of tree.order that may lie within */
};

static double
block_radius(const struct pb_safe_field *f)
{
	return f->chain->side * f->walk->unit * 5 * 0.7072;
}

static int
count_near(const struct pb_safe_field *f, int b, int *out)
{
	double reach = f->moving.reach + block_radius(f);
	int n = 0;

	for (int x = 0; x < f->net->n; x++) {
		if (pb_dist(f->chain->at[b], f->net->at[x]) >= reach)
			continue;
		if (out != NULL)
			out[n] = x;
		n++;
	}
	return n;
}

static enum pb_status
find_near(struct pb_safe_field *f)
{
	int n = 0;

	f->first = malloc(((size_t)f->chain->blocks + 1) * sizeof(int));
	if (f->first == NULL)
		return PB_ENOMEM;
	for (int b = 0; b < f->chain->blocks; b++) {
		f->first[b] = n;
		n += count_near(f, b, NULL);
	}
	f->first[f->chain->blocks] = n;
	f->near = malloc(((size_t)n + 1) * sizeof(int));
	f->harm = malloc(((size_t)n + 1) * sizeof(float));
	if (f->near == NULL || f->harm == NULL)
		return PB_ENOMEM;
	for (int b = 0; b < f->chain->blocks; b++)
		count_near(f, b, &f->near[f->first[b]]);
	for (int b = 0; b < f->chain->blocks; b++)
		for (int j = f->first[b]; j < f->first[b + 1]; j++)
			f->harm[j] = pb_safe_kill_at(&f->moving,
			    f->chain->at[b], f->net->at[f->near[j]]);
	return PB_OK;
}

enum pb_status
pb_safe_field_init(struct pb_safe_field *f)
{
	int edges = f->net->first[f->net->n];

	f->edge = malloc((size_t)edges + 1);
	if (f->edge == NULL || find_near(f) != PB_OK) {
		pb_safe_field_clear(f);
		return PB_ENOMEM;
	}
	for (int j = 0; j < edges; j++) {
		double k = f->net->len[j] / (f->speed * f->dt);

		f->edge[j] = (unsigned char)(k < 1     ? 1
					     : k > 200 ? 200
						       : k + 0.5);
	}
	return PB_OK;
}

void
pb_safe_field_clear(struct pb_safe_field *f)
{
	free(f->edge);
	free(f->first);
	free(f->near);
	free(f->harm);
	f->edge = NULL;
	f->first = f->near = NULL;
	f->harm = NULL;
}

/* Clyde is at a node of the walk for a part of the step, by some chance. */
static void
stamp_node(const struct pb_safe_field *f, int i, float chance,
    struct pb_vec judged, float *row)
{
	struct pb_vec p = f->walk->at[i];
	int b = f->chain->block[i];

	for (int j = f->first[b]; j < f->first[b + 1]; j++) {
		int x = f->near[j];

		row[x] +=
		    chance * pb_safe_kill_at(&f->moving, f->net->at[x], p);
	}
	row[f->net->n] += chance * pb_safe_kill_at(&f->still, judged, p);
}

static void
stamp_block(const struct pb_safe_field *f, int b, float chance,
    struct pb_vec judged, float *row)
{
	for (int j = f->first[b]; j < f->first[b + 1]; j++)
		row[f->near[j]] += chance * f->harm[j];
	row[f->net->n] +=
	    chance * pb_safe_kill_at(&f->still, judged, f->chain->at[b]);
}

/* This leg's part of a step; whoever ends in it joins the chain. */
static void
stamp_leg(const struct pb_safe_field *f, const struct pb_safe_ways *ways,
    struct window *w, struct pb_vec judged, float *chain, float *row)
{
	const struct pb_safe_tree *t = &ways->tree;

	while (w->first < t->count && t->dist[t->order[w->first]] < w->from)
		w->first++;
	for (int j = w->first; j < t->count; j++) {
		int i = t->order[j], up = t->up[i];
		double lo = up < 0 ? -7 : t->dist[up], hi = t->dist[i];
		double part = fmin(hi, w->to) - fmax(lo, w->from);

		if (hi > w->to + 7)
			break;
		if (hi >= w->from && hi < w->to)
			chain[f->chain->way[9 * f->chain->block[i] +
					    PB_SAFE_BEGIN]] += ways->ends[i];
		part /= w->to - w->from;
		if (part > 0 && ways->load[i] * part > FAINT)
			stamp_node(
			    f, i, (float)(ways->load[i] * part), judged, row);
	}
}

/* What he does once this leg is over. */
static void
stamp_chain(const struct pb_safe_field *f, const float *chain,
    struct pb_vec judged, float *row)
{
	const struct pb_safe_chain *c = f->chain;

	for (int s = 0; s < c->states;) {
		int b = c->where[s];
		float sum = 0;

		for (; s < c->states && c->where[s] == b; s++)
			sum += chain[s];
		if (sum > FAINT)
			stamp_block(f, b, sum, judged, row);
	}
}

/* Mean risk over where Clyde may be at the end of the table. */
static void
fill_leaf(const struct pb_safe_field *f, const struct pb_safe_ways *ways,
    const struct window *w, float *chain, float *leaf)
{
	const struct pb_safe_tree *t = &ways->tree;
	const struct pb_safe_value *v = f->value;
	float sum = 0;
	int n = 0;
	int *list = (int *)(void *)(chain + f->chain->states);

	for (int j = w->first; j < t->count; j++) {
		int i = t->order[j], up = t->up[i];

		if (t->dist[i] > w->to + 7)
			break;
		if (t->dist[i] >= w->to && (up < 0 || t->dist[up] < w->to))
			chain[ways->state[i]] += ways->load[i];
	}
	for (int s = 0; s < f->chain->states; s++) {
		if (chain[s] < 1e-3f)
			continue;
		list[n++] = s;
		sum += chain[s];
	}
	for (int x = 0; x < f->net->n; x++) {
		const float *risk = &v->risk[(size_t)x * (size_t)v->states];
		float r = 0;

		for (int k = 0; k < n; k++)
			r += chain[list[k]] * risk[list[k]];
		leaf[x] = sum > 0 ? r / sum : 0;
	}
}

void
pb_safe_harm_fill(const struct pb_safe_field *f,
    const struct pb_safe_ways *ways, double clyde, struct pb_vec judged,
    float *chain, float *harm, float *leaf)
{
	size_t wide = (size_t)f->net->n + 1;
	float *p = chain, *q = chain + f->chain->states;
	double step = clyde * f->dt / f->walk->unit;
	struct window w = {.first = 0};

	memset(p, 0, (size_t)f->chain->states * sizeof(*p));
	for (int t = 1; t <= f->steps; t++) {
		float *row = harm + (size_t)t * wide, *swap = p;

		memset(row, 0, wide * sizeof(*row));
		pb_safe_chain_step(f->chain, p, clyde * f->dt, q);
		p = q;
		q = swap;
		w.from = w.to;
		w.to = t * step;
		stamp_leg(f, ways, &w, judged, p, row);
		stamp_chain(f, p, judged, row);
		for (size_t x = 0; x < wide; x++)
			row[x] = row[x] < 1 ? row[x] : 1;
	}
	if (p != chain)
		memcpy(chain, p, (size_t)f->chain->states * sizeof(*p));
	w.first = 0;
	fill_leaf(f, ways, &w, chain, leaf);
}
