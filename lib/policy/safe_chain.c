/* safe_chain.c - how Clyde wanders in the long run: a Markov chain. */
#include "policy/safe_chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Chances below this do not spread. */
#define TRACE 1e-5f

enum { WAYS = 9 };

/* What is counted over all pairs, by (block, way). */
struct counts {
	double *visits; /* weight of the legs that enter */
	double *length; /* weight times length walked there (m) */
	double *out;    /* WAYS each: weight that leaves by a way, or ends */
	float *load;    /* by node: weight of the legs through it */
	int *came;      /* by node: way into its block */
	void *tree;     /* lists of a tree */
};

int
pb_safe_way(const struct pb_safe_chain *c, int node_a, int node_b)
{
	int a = c->block[node_a], b = c->block[node_b];
	int col = c->col[b] - c->col[a], row = c->row[b] - c->row[a];

	if (col < -1 || col > 1 || row < -1 || row > 1)
		return PB_SAFE_BEGIN;
	return (row + 1) * 3 + col + 1;
}

static enum pb_status
make_blocks(struct pb_safe_chain *c, const struct pb_safe_walk *w)
{
	int cols = (w->cols + c->side - 1) / c->side;
	int rows = (w->rows + c->side - 1) / c->side;
	size_t n = (size_t)cols * (size_t)rows;
	int *number = malloc(n * sizeof(*number));

	c->block = malloc(((size_t)w->n + 1) * sizeof(*c->block));
	c->col = malloc((n + 1) * sizeof(*c->col));
	c->row = malloc((n + 1) * sizeof(*c->row));
	if (!number || !c->block || !c->col || !c->row) {
		free(number);
		return PB_ENOMEM;
	}
	memset(number, -1, n * sizeof(*number));
	for (int i = 0; i < w->cols * w->rows; i++) {
		int col = i % w->cols / c->side, row = i / w->cols / c->side;
		int *k = &number[row * cols + col];

		if (w->node[i] < 0)
			continue;
		if (*k < 0)
			*k = c->blocks++;
		c->col[*k] = col;
		c->row[*k] = row;
		c->block[w->node[i]] = *k;
	}
	free(number);
	return PB_OK;
}

static enum pb_status
place_blocks(struct pb_safe_chain *c, const struct pb_safe_walk *w)
{
	size_t n = (size_t)c->blocks + 1;
	float *share = calloc(n, sizeof(*share));

	c->at = calloc(n, sizeof(*c->at));
	c->centre = malloc(n * sizeof(*c->centre));
	c->way = malloc(n * WAYS * sizeof(*c->way));
	if (share == NULL || c->at == NULL || c->centre == NULL ||
	    c->way == NULL) {
		free(share);
		return PB_ENOMEM;
	}
	for (int i = 0; i < w->n; i++) {
		int b = c->block[i];

		c->at[b].x += w->at[i].x * w->share[i];
		c->at[b].y += w->at[i].y * w->share[i];
		share[b] += w->share[i];
		c->centre[b] = -1;
	}
	for (int b = 0; b < c->blocks; b++) {
		c->at[b].x /= share[b];
		c->at[b].y /= share[b];
	}
	free(share);
	for (int i = 0; i < w->n; i++) {
		int b = c->block[i], j = c->centre[b];

		if (j < 0 ||
		    pb_dist(w->at[i], c->at[b]) < pb_dist(w->at[j], c->at[b]))
			c->centre[b] = i;
	}
	return PB_OK;
}

/* Count the legs from one node to everywhere, each destination by share. */
static void
count_from(struct counts *k, const struct pb_safe_chain *c,
    const struct pb_safe_walk *w, int root)
{
	struct pb_safe_tree t = pb_safe_tree_in(k->tree, w->n);

	pb_safe_tree_grow(&t, w, root);
	for (int j = 0; j < t.count; j++) {
		int i = t.order[j], up = t.up[i];

		k->load[i] = w->share[i];
		if (up < 0)
			k->came[i] = PB_SAFE_BEGIN;
		else if (c->block[up] == c->block[i])
			k->came[i] = k->came[up];
		else
			k->came[i] = pb_safe_way(c, up, i);
	}
	for (int j = t.count - 1; j > 0; j--)
		k->load[t.up[t.order[j]]] += k->load[t.order[j]];
	for (int j = 0; j < t.count; j++) {
		int i = t.order[j], up = t.up[i];
		int s = c->block[i] * WAYS + k->came[i];

		k->out[s * WAYS + PB_SAFE_BEGIN] += w->share[i];
		if (up >= 0)
			k->length[s] +=
			    k->load[i] * (t.dist[i] - t.dist[up]) * w->unit;
		if (up >= 0 && c->block[up] == c->block[i])
			continue;
		k->visits[s] += k->load[i];
		if (up >= 0)
			k->out[(c->block[up] * WAYS + k->came[up]) * WAYS +
			       k->came[i]] += k->load[i];
	}
}

static bool
counts_init(struct counts *k, int blocks, int nodes)
{
	size_t s = (size_t)blocks * WAYS + 1, n = (size_t)nodes + 1;

	k->visits = calloc(s, sizeof(*k->visits));
	k->length = calloc(s, sizeof(*k->length));
	k->out = calloc(s * WAYS, sizeof(*k->out));
	k->load = calloc(n, sizeof(*k->load));
	k->came = calloc(n, sizeof(*k->came));
	k->tree = malloc(pb_safe_tree_bytes(nodes));
	return k->visits && k->length && k->out && k->load && k->came &&
	       k->tree;
}

static void
counts_clear(struct counts *k)
{
	free(k->visits);
	free(k->length);
	free(k->out);
	free(k->load);
	free(k->came);
	free(k->tree);
}

/* Block that lies by a way from a block: where counted legs went. */
static int
block_by_way(const struct pb_safe_chain *c, const struct pb_safe_walk *w,
    const int *number, int b, int way)
{
	int cols = (w->cols + c->side - 1) / c->side;

	return number[(c->row[b] + way / 3 - 1) * cols + c->col[b] + way % 3 -
		      1];
}

static int *
number_blocks(const struct pb_safe_chain *c, const struct pb_safe_walk *w)
{
	int cols = (w->cols + c->side - 1) / c->side;
	int rows = (w->rows + c->side - 1) / c->side;
	int *number = calloc((size_t)cols * (size_t)rows, sizeof(*number));

	for (int b = 0; number != NULL && b < c->blocks; b++)
		number[c->row[b] * cols + c->col[b]] = b;
	return number;
}

static void
link_states(struct pb_safe_chain *c, const struct pb_safe_walk *w,
    const struct counts *k, const int *number)
{
	int n = 0;

	for (int s = 0, b = 0; b < c->blocks; b++) {
		for (int way = 0; way < WAYS; way++) {
			const double *out = &k->out[(b * WAYS + way) * WAYS];
			double sum = 0;

			if (c->way[b * WAYS + way] < 0)
				continue;
			for (int j = 0; j < WAYS; j++)
				sum += out[j];
			c->first[s++] = n;
			for (int j = 0; j < WAYS; j++) {
				if (out[j] <= 0)
					continue;
				c->to[n] =
				    c->way[block_by_way(c, w, number, b, j) *
					       WAYS +
					   j];
				c->chance[n++] = (float)(out[j] / sum);
			}
		}
	}
	c->first[c->states] = n;
}

static enum pb_status
make_states(struct pb_safe_chain *c, const struct pb_safe_walk *w,
    const struct counts *k)
{
	size_t n;
	double all = 0;
	int *number = number_blocks(c, w);

	for (int i = 0; i < c->blocks * WAYS; i++)
		c->way[i] = k->visits[i] > 0 ? c->states++ : -1;
	n = (size_t)c->states + 1;
	c->where = malloc(n * sizeof(*c->where));
	c->stay = malloc(n * sizeof(*c->stay));
	c->mass = malloc(n * sizeof(*c->mass));
	c->first = malloc(n * sizeof(*c->first));
	c->to = malloc(n * WAYS * sizeof(*c->to));
	c->chance = malloc(n * WAYS * sizeof(*c->chance));
	if (!number || !c->where || !c->stay || !c->mass || !c->first ||
	    !c->to || !c->chance) {
		free(number);
		return PB_ENOMEM;
	}
	for (int i = 0; i < c->blocks * WAYS; i++)
		all += k->length[i];
	for (int i = 0; i < c->blocks * WAYS; i++) {
		int s = c->way[i];

		if (s < 0)
			continue;
		c->where[s] = i / WAYS;
		c->stay[s] = (float)fmax(k->length[i] / k->visits[i], w->unit);
		c->mass[s] = (float)(all > 0 ? k->length[i] / all : 0);
	}
	link_states(c, w, k, number);
	free(number);
	return PB_OK;
}

enum pb_status
pb_safe_chain_init(
    struct pb_safe_chain *c, const struct pb_safe_walk *w, int side)
{
	struct pb_safe_chain s = {.side = side};
	struct counts k = {0};
	enum pb_status err = make_blocks(&s, w);

	if (err == PB_OK)
		err = place_blocks(&s, w);
	if (err == PB_OK && !counts_init(&k, s.blocks, w->n))
		err = PB_ENOMEM;
	for (int b = 0; err == PB_OK && b < s.blocks; b++)
		count_from(&k, &s, w, s.centre[b]);
	if (err == PB_OK)
		err = make_states(&s, w, &k);
	counts_clear(&k);
	if (err != PB_OK)
		pb_safe_chain_clear(&s);
	else
		*c = s;
	return err;
}

void
pb_safe_chain_clear(struct pb_safe_chain *c)
{
	free(c->block);
	free(c->col);
	free(c->row);
	free(c->at);
	free(c->centre);
	free(c->way);
	free(c->where);
	free(c->stay);
	free(c->mass);
	free(c->first);
	free(c->to);
	free(c->chance);
	memset(c, 0, sizeof(*c));
}

void
pb_safe_chain_mark(const struct pb_safe_chain *c, const struct pb_safe_tree *t,
    int way, int *state)
{
	for (int j = 0; j < t->count; j++) {
		int i = t->order[j], up = t->up[i], b = c->block[i];

		if (up < 0)
			state[i] = c->way[b * WAYS + way];
		else if (c->block[up] == b)
			state[i] = state[up];
		else
			state[i] = c->way[b * WAYS + pb_safe_way(c, up, i)];
		if (state[i] < 0)
			state[i] = c->way[b * WAYS + PB_SAFE_BEGIN];
	}
}

void
pb_safe_chain_pace(const struct pb_safe_chain *c, double dist, float *leave)
{
	for (int s = 0; s < c->states; s++)
		leave[s] = (float)fmin(dist / c->stay[s], 1);
}

void
pb_safe_chain_step(
    const struct pb_safe_chain *c, const float *p, const float *leave, float *q)
{
	memset(q, 0, (size_t)c->states * sizeof(*q));
	for (int s = 0; s < c->states; s++) {
		float go;

		if (p[s] == 0)
			continue;
		/* What hardly anybody does stays where it is. */
		if (p[s] < TRACE) {
			q[s] += p[s];
			continue;
		}
		q[s] += p[s] * (1 - leave[s]);
		go = p[s] * leave[s];
		for (int j = c->first[s]; j < c->first[s + 1]; j++)
			q[c->to[j]] += go * c->chance[j];
	}
}
