/* aggregate.c - players over all maps and rounds at once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "game/report.h"
#include "game/tally_state.h"

/* Values of one kind, stratum by stratum. */
struct columns {
	const struct pb_group **group; /* of each stratum */
	size_t *n;                     /* trials of it */
	size_t strata;
	size_t all;
	double *x;
	void *work;
	size_t times;
	double confidence;
};

enum column { SUCCESS, SHARE, TIME };

/* Whether two groups are of one player with the same constants. */
static bool
same_player(const struct pb_trial *a, const struct pb_trial *b)
{
	return a->options == b->options && strcmp(a->rules, b->rules) == 0 &&
	       strcmp(a->policy, b->policy) == 0;
}

static double
value_of(const struct pb_entry *e, enum column c)
{
	switch (c) {
	case SUCCESS:
		return e->success;
	case SHARE:
		return e->total ? (double)e->collected / e->total : NAN;
	case TIME:
		break;
	}
	return e->capped < 0 ? NAN : PB_US * (double)e->capped;
}

/* Strata have an order of their own, so that the input's order is none. */
static int
by_task(const void *a, const void *b)
{
	const struct pb_trial *x = &(*(const struct pb_group *const *)a)->key;
	const struct pb_trial *y = &(*(const struct pb_group *const *)b)->key;

	if (x->map_hash != y->map_hash)
		return x->map_hash < y->map_hash ? -1 : 1;
	return x->round < y->round ? -1 : x->round > y->round;
}

/* The strata of group i's player; false without memory. */
static bool
make_columns(struct columns *c, const struct pb_tally *t, int i)
{
	struct pb_strata s;

	c->n = calloc((size_t)t->groups, sizeof(*c->n));
	c->group = calloc((size_t)t->groups, sizeof(const struct pb_group *));
	if (!c->n || !c->group)
		return false;
	for (int k = i; k < t->groups; k++)
		if (same_player(&t->group[i].key, &t->group[k].key))
			c->group[c->strata++] = &t->group[k];
	qsort(c->group, c->strata, sizeof(const struct pb_group *), by_task);
	for (size_t k = 0; k < c->strata; k++)
		c->all += c->n[k] = c->group[k]->n;
	c->x = malloc((c->all + 1) * sizeof(*c->x));
	c->times = pb_draws(c->all);
	s = (struct pb_strata){c->x, c->n, c->strata};
	c->work = malloc(pb_boot_work(&s, c->times));
	return c->x && c->work;
}

static void
free_columns(struct columns *c)
{
	free(c->group);
	free(c->n);
	free(c->x);
	free(c->work);
}

/* Sorted within each stratum, so that the order of trials is none. */
static struct pb_estimate
estimate(struct columns *c, enum column kind)
{
	const struct pb_strata s = {c->x, c->n, c->strata};
	double *x = c->x;

	for (size_t k = 0; k < c->strata; x += c->n[k++]) {
		for (size_t m = 0; m < c->n[k]; m++) {
			x[m] = value_of(&c->group[k]->entry[m], kind);
			if (isnan(x[m]))
				return (struct pb_estimate){NAN, {NAN, NAN}};
		}
		pb_sort(x, c->n[k]);
	}
	return pb_boot_strata(&s, kind == SHARE ? PB_BOOT_IQM : PB_BOOT_MEAN,
	    c->confidence, c->times, 1, c->work);
}

static struct pb_trial
key_of(const struct pb_trial *k)
{
	struct pb_trial key = {.options = k->options};

	memcpy(key.rules, k->rules, sizeof(key.rules));
	memcpy(key.policy, k->policy, sizeof(key.policy));
	memcpy(key.preset, k->preset, sizeof(key.preset));
	memcpy(key.told, k->told, sizeof(key.told));
	return key;
}

static enum pb_status
add_one(struct pb_report *r, const struct pb_tally *t, int i, double confidence)
{
	struct columns c = {.confidence = confidence};
	struct pb_aggregate a = {.key = key_of(&t->group[i].key)};

	if (!make_columns(&c, t, i)) {
		free_columns(&c);
		return PB_ENOMEM;
	}
	a.strata = (int)c.strata;
	a.n = (long)c.all;
	if (a.strata > 1) {
		a.rate = estimate(&c, SUCCESS);
		a.pellets = estimate(&c, SHARE);
		a.time = estimate(&c, TIME);
		r->aggregate[r->aggregates++] = a;
	}
	free_columns(&c);
	return PB_OK;
}

/* Whether an earlier group is of the same player. */
static bool
came_before(const struct pb_tally *t, int i)
{
	for (int k = 0; k < i; k++)
		if (same_player(&t->group[i].key, &t->group[k].key))
			return true;
	return false;
}

enum pb_status
pb_report_aggregate(
    struct pb_report *r, const struct pb_tally *t, double confidence)
{
	enum pb_status s = PB_OK;

	r->aggregate = calloc((size_t)t->groups + 1, sizeof(*r->aggregate));
	if (!r->aggregate)
		return PB_ENOMEM;
	for (int i = 0; s == PB_OK && i < t->groups; i++)
		if (!came_before(t, i))
			s = add_one(r, t, i, confidence);
	return s;
}
