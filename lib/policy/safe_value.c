/* safe_value.c - how likely is one caught in the end, playing on well. */
#include "policy/safe_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"

/* Nodes that are worked on together: two registers of four floats. */
enum { LANES = 8 };

struct work {
	const struct pb_safe_net *net;
	const struct pb_safe_chain *chain;
	const struct pb_safe_kill *kill;
	int parts;     /* steps of Clyde in one of the robot's */
	float *go;     /* states: chance of leaving in a part */
	float *caught; /* of being caught in a part, by LANES nodes, blocks
	                  and lanes */
	float *next;   /* node * states: cost once there */
	float *part;   /* 2 * LANES * states */
};

static float
smaller(float a, float b)
{
	return a < b ? a : b;
}

/* Mean length of the net's edges: one move (m). */
static double
mean_edge(const struct pb_safe_net *net)
{
	double sum = 0;
	int n = net->first[net->n];

	for (int i = 0; i < n; i++)
		sum += net->len[i];
	return n > 0 ? sum / n : net->side * net->arena->map.resolution;
}

static bool
work_init(struct work *k, const struct pb_safe_value *v)
{
	const struct pb_safe_chain *c = k->chain;
	size_t s = (size_t)c->states + 1;
	size_t wide = (size_t)k->net->n + LANES;
	double walk = v->step * v->speed, least = 0;

	k->go = malloc(s * sizeof(float));
	k->caught = calloc(wide * ((size_t)c->blocks + 1), sizeof(float));
	k->part = calloc(2 * LANES * s, sizeof(float));
	k->next = malloc(((size_t)k->net->n * s) * sizeof(float));
	if (!k->go || !k->caught || !k->part || !k->next)
		return false;
	for (int x = 0; x < k->net->n; x++)
		for (int b = 0; b < c->blocks; b++)
			k->caught[(x / LANES * c->blocks + b) * LANES +
				  x % LANES] =
			    pb_safe_kill_at(k->kill, k->net->at[x], c->at[b]);
	/* A part is short enough that the mean visit lasts one or longer. */
	for (int i = 0; i < c->states; i++)
		least += c->mass[i] > 0 ? c->mass[i] / c->stay[i] : 0;
	k->parts = (int)ceil(walk * least - 1e-9);
	k->parts = k->parts < 1 ? 1 : k->parts > 8 ? 8 : k->parts;
	for (int i = 0; i < c->states; i++)
		k->go[i] = smaller((float)(walk / k->parts) / c->stay[i], 1);
	return true;
}

static void
work_clear(struct work *k)
{
	free(k->go);
	free(k->caught);
	free(k->next);
	free(k->part);
}

/* One part of a step, for LANES nodes at once. */
static void
stand_part(const struct work *k, const float *restrict was,
    const float *restrict caught, float *restrict out)
{
	const struct pb_safe_chain *c = k->chain;

	for (int s = 0; s < c->states; s++) {
		const float *at = &was[LANES * s];
		const float *hit = &caught[LANES * c->where[s]];
		float go = k->go[s], on[LANES] = {0};

		for (int j = c->first[s]; j < c->first[s + 1]; j++)
			for (int i = 0; i < LANES; i++)
				on[i] +=
				    c->chance[j] * was[LANES * c->to[j] + i];
		for (int i = 0; i < LANES; i++) {
			on[i] = at[i] + go * (on[i] - at[i]);
			out[LANES * s + i] = on[i] + hit[i] * (1 - on[i]);
		}
	}
}

/*
 * The cost at nodes x .. x + LANES - 1, given what it costs after a step of
 * Clyde's: in each part he may catch the robot, and moves on. The nodes lie
 * side by side meanwhile, so that the compiler can take them together.
 */
static void
stand(struct work *k, int x, const float *risk)
{
	size_t n = (size_t)k->chain->states;
	int lanes = k->net->n - x < LANES ? k->net->n - x : LANES;
	float *a = k->part, *b = a + LANES * n;

	for (size_t s = 0; s < n; s++)
		for (int i = 0; i < lanes; i++)
			a[LANES * s + (size_t)i] =
			    risk[(size_t)(x + i) * n + s];
	for (int i = 0; i < k->parts; i++) {
		float *swap = a;

		stand_part(k, a, &k->caught[x * k->chain->blocks], b);
		a = b;
		b = swap;
	}
	for (size_t s = 0; s < n; s++)
		for (int i = 0; i < lanes; i++)
			k->next[(size_t)(x + i) * n + s] =
			    a[LANES * s + (size_t)i];
}

/* out = the lesser of out and keep times p, number by number. */
static void
take_less(float *restrict out, const float *restrict p, float keep, size_t n)
{
	size_t s = 0;

	for (; s + LANES <= n; s += LANES)
		for (size_t i = 0; i < LANES; i++)
			out[s + i] = smaller(keep * p[s + i], out[s + i]);
	for (; s < n; s++)
		out[s] = smaller(keep * p[s], out[s]);
}

/* The best of staying and moving, for every state of Clyde at once. */
static void
choose(const struct work *k, int x, float keep, float *out)
{
	const struct pb_safe_net *net = k->net;
	size_t n = (size_t)k->chain->states;

	for (size_t s = 0; s < n; s++)
		out[s] = keep * k->next[(size_t)x * n + s];
	for (int j = net->first[x]; j < net->first[x + 1]; j++)
		take_less(out, &k->next[(size_t)net->to[j] * n], keep, n);
}

enum pb_status
pb_safe_value_init(struct pb_safe_value *v, const struct pb_safe_net *net,
    const struct pb_safe_chain *c, const struct pb_safe_kill *kill,
    double speed, double clyde, double horizon)
{
	struct pb_safe_value s = {.states = c->states, .speed = clyde};
	struct work k = {.net = net, .chain = c, .kill = kill};
	size_t n = (size_t)c->states;
	float keep;
	int sweeps;

	s.step = mean_edge(net) / speed;
	s.risk = calloc((size_t)net->n * n + 1, sizeof(float));
	if (s.risk == NULL || !work_init(&k, &s)) {
		work_clear(&k);
		free(s.risk);
		return PB_ENOMEM;
	}
	keep = (float)pb_exp(-s.step / horizon);
	/* After one horizon and a half what is missing is small, and about the
	 * same everywhere. */
	sweeps = (int)ceil(1.5 * horizon / s.step);
	for (int i = 0; i < sweeps; i++) {
		for (int x = 0; x < net->n; x += LANES)
			stand(&k, x, s.risk);
		for (int x = 0; x < net->n; x++)
			choose(&k, x, keep, &s.risk[(size_t)x * n]);
	}
	work_clear(&k);
	*v = s;
	return PB_OK;
}

void
pb_safe_value_clear(struct pb_safe_value *v)
{
	free(v->risk);
	memset(v, 0, sizeof(*v));
}
