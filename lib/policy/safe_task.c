/* safe_task.c - how the robot sets out from where it is. */
#include "policy/safe_task.h"

#include <math.h>

#include "base/elementary.h"
#include "game/pacmanbot/view.h"

/*
 * The net knows nothing of headings, so a node nearer than this (m) would be a
 * cheap place to turn round at: it takes what such a turn does (s).
 */
#define ENTRY_NEAR 0.35
#define ENTRY_TURN 1.0

double
pb_safe_turn_time(const struct pb_safe_task *task, double by, double w)
{
	double a = fabs(by);
	double reach = task->w_max * task->w_max / task->w_acc;

	if (a <= PB_TURN_AT)
		return 0;
	a -= PB_TURN_TO;
	if (a < reach)
		a = 2 * sqrt(a / task->w_acc);
	else
		a = task->w_max / task->w_acc + a / task->w_max;
	/* What it turns now helps, or has to be undone first. */
	a -= (by < 0 ? -w : w) / task->w_acc;
	return a > 0 ? a : 0;
}

/* Fill in an entry to a node, and the place half-way. */
static struct pb_safe_entry
time_entry(const struct pb_safe_field *f, const struct pb_safe_task *task,
    int x, struct pb_vec *spot)
{
	struct pb_vec p = task->at, q = f->net->at[x];
	struct pb_safe_entry e = {.node = x, .far = pb_dist(p, q)};
	double look = task->look_d / f->speed, by = 0, turn;

	if (e.far > 0.05)
		by = pb_wrap(pb_atan2(q.y - p.y, q.x - p.x) - task->th);
	turn = pb_safe_turn_time(task, by, task->w);
	if (fabs(by) > task->look_a)
		look = fmin(look, task->look_t);
	if (e.far < ENTRY_NEAR && isinf(task->fetch[x]))
		turn += ENTRY_TURN;
	e.blind = (int)(look / f->dt + 0.5);
	e.turn = (int)(turn / f->dt + 0.5);
	e.delay = (int)((e.far / f->speed + turn) / f->dt + 0.5);
	e.delay = e.delay < 1 ? 1 : e.delay;
	*spot = (struct pb_vec){(p.x + q.x) / 2, (p.y + q.y) / 2};
	return e;
}

static void
add_entry(const struct pb_safe_field *f, const struct pb_safe_task *task, int x,
    struct pb_safe_entries *out)
{
	for (int i = 0; i < out->n; i++)
		if (out->e[i].node == x)
			return;
	if (out->n == PB_SAFE_SPOTS)
		return;
	out->e[out->n] = time_entry(f, task, x, &out->spot[out->n]);
	out->n++;
}

/* The node nearest to p of those that are not shut; -1: none. */
static int
open_node(const struct pb_safe_net *net, struct pb_vec p)
{
	int here = pb_safe_net_at(net, p), best = -1;
	double least = PB_SAFE_ENTRY_REACH;

	if (here < 0 || net->shut == NULL || !net->shut[here])
		return here;
	for (int x = 0; x < net->n; x++) {
		double d = pb_dist(net->at[x], p);

		if (net->shut[x] || d >= least)
			continue;
		least = d;
		best = x;
	}
	return best;
}

void
pb_safe_entries_find(const struct pb_safe_field *f,
    const struct pb_safe_task *task, struct pb_safe_entries *out)
{
	const struct pb_safe_net *net = f->net;
	int here = open_node(net, task->at);

	out->n = 0;
	if (here < 0)
		return;
	add_entry(f, task, here, out);
	for (int x = 0; x < net->n; x++)
		if (pb_dist(net->at[x], task->at) < PB_SAFE_ENTRY_REACH &&
		    !(net->shut && net->shut[x]) &&
		    pb_safe_net_sees(net, task->at, net->at[x]))
			add_entry(f, task, x, out);
}

size_t
pb_safe_entry_place(
    const struct pb_safe_field *f, const struct pb_safe_entry *e, int i, int k)
{
	size_t n = (size_t)f->net->n;
	double gone = (k - e->turn + 0.5) * f->dt * f->speed - f->lag;

	if (k < e->blind)
		return n + PB_SAFE_STANDS;
	if (3 * gone < e->far)
		return n + PB_SAFE_TURNS;
	if (3 * gone < 2 * e->far)
		return n + PB_SAFE_SPOT + (size_t)i;
	return (size_t)e->node;
}
