/* tour.c - the pellets that are left, and how long the rest of them takes. */
#include "policy/tour.h"

#include <math.h>

#include "base/elementary.h"

/* What a pellet takes beside the way to it (s). */
#define FETCH_TIME 0.7

enum pb_status
pb_tour_init(
    struct pb_tour *t, const struct pb_safe_net *net, struct pb_pool *pool)
{
	const struct pb_arena *a = net->arena;
	size_t p = (size_t)a->n, n = (size_t)net->n;
	int *line;

	*t = (struct pb_tour){.net = net, .n = a->n};
	line = pb_pool_get(pool, n, sizeof(*line));
	t->node = pb_pool_get(pool, p, sizeof(*t->node));
	t->reach = pb_pool_get(pool, p * n, sizeof(*t->reach));
	t->apart = pb_pool_get(pool, p * p, sizeof(*t->apart));
	if (pool->failed)
		return PB_ENOMEM;
	for (int i = 0; i < a->n; i++) {
		float *row = &t->reach[(size_t)i * n];

		t->node[i] = a->cell[i] < 0 ? -1 : net->owner[a->cell[i]];
		for (size_t x = 0; x < n; x++)
			row[x] = INFINITY;
		if (t->node[i] >= 0)
			pb_safe_net_dist(net, t->node[i], line, row);
	}
	for (int i = 0; i < a->n; i++)
		for (int j = 0; j < a->n; j++)
			t->apart[i * a->n + j] =
			    t->node[j] < 0
				? INFINITY
				: t->reach[(size_t)i * n + (size_t)t->node[j]];
	return PB_OK;
}

struct pb_tour_lists
pb_tour_lists_in(struct pb_block *b, const struct pb_tour *t)
{
	size_t n = (size_t)t->net->n, p = (size_t)t->n;
	struct pb_tour_lists l;

	l.rest = pb_block_take(b, n, sizeof(float));
	l.fetch = pb_block_take(b, n, sizeof(float));
	l.tour = pb_block_take(b, p, sizeof(float));
	l.left = pb_block_take(b, p, sizeof(int));
	l.work = pb_block_take(b, 1, pb_round_trip_bytes(t->n));
	return l;
}

int
pb_tour_rest(const struct pb_tour *t, const unsigned char *left, double speed,
    const struct pb_tour_lists *l)
{
	int n = 0, nodes = t->net->n;

	for (int i = 0; i < t->n; i++)
		if (left[i] && t->node[i] >= 0)
			l->left[n++] = i;
	pb_round_trip(n, t->apart, t->n, l->left, l->work, l->tour);
	for (int x = 0; x < nodes; x++) {
		l->rest[x] = PB_ROUND_TRIP_NONE;
		l->fetch[x] = INFINITY;
	}
	for (int i = 0; i < n; i++) {
		const float *reach =
		    &t->reach[(size_t)l->left[i] * (size_t)nodes];
		float rest = (float)(l->tour[i] / speed + FETCH_TIME * n);
		float *fetch = &l->fetch[t->node[l->left[i]]];

		*fetch = pb_lesser(*fetch, rest);
		for (int x = 0; x < nodes; x++)
			l->rest[x] = pb_lesser(
			    l->rest[x], rest + reach[x] / (float)speed);
	}
	return n;
}

double
pb_until_estimate(const struct pb_view *v)
{
	double x = fabs(v->odom.x - v->odom_at_pose.x);
	double y = fabs(v->odom.y - v->odom_at_pose.y);

	return fmax(v->opts->pose_min_d - fmax(x, y), 0);
}

double
pb_price_of_time(double price, const struct pb_view *v)
{
	double late = v->run_t / v->opts->duration - 0.5;

	return late > 0 ? price * pb_pow(2, 10 * late) : price;
}
