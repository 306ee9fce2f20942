/* safe_entry.c - ways from where the robot is into the net. */
#include "policy/safe_entry.h"

#include <math.h>

#include "base/elementary.h"

/*
 * The net knows nothing of headings, so a node nearer than this (m) would be a
 * cheap place to turn round at: it takes what such a turn does (s).
 */
#define ENTRY_NEAR 0.35
#define ENTRY_TURN 1.0

/*
 * The follower turns on the spot where the way bends by more than the first,
 * until it is less than the second (rad).
 */
#define TURN_AT 0.8
#define TURN_TO 0.25

/* Time until the robot looks `by` to the left, near enough to drive on (s). */
static double
turn_time(const struct pb_safe_task *task, double by)
{
	double a = fabs(by), w = by < 0 ? -task->w : task->w;
	double reach = task->w_max * task->w_max / task->w_acc;

	if (a <= TURN_AT)
		return 0;
	a -= TURN_TO;
	if (a < reach)
		a = 2 * sqrt(a / task->w_acc);
	else
		a = task->w_max / task->w_acc + a / task->w_max;
	/* What it turns now helps, or has to be undone first. */
	a -= w / task->w_acc;
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
	turn = turn_time(task, by);
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

/* The node that owns this place, and those around it that it can see. */
void
pb_safe_entries_find(const struct pb_safe_field *f,
    const struct pb_safe_task *task, struct pb_safe_entries *out)
{
	const struct pb_safe_net *net = f->net;
	int here = pb_safe_net_at(net, task->at);

	out->n = 0;
	if (here < 0)
		return;
	add_entry(f, task, here, out);
	for (int x = 0; x < net->n; x++)
		if (pb_dist(net->at[x], task->at) < PB_SAFE_ENTRY_REACH &&
		    pb_safe_net_sees(net, task->at, net->at[x]))
			add_entry(f, task, x, out);
}

/* Where the judge sees it in step k of the way by entry i: a place in a row
 * of harm. */
static size_t
place(
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

float
pb_safe_entry_harm(const struct pb_safe_field *f,
    const struct pb_safe_entries *in, int i, const float *row)
{
	size_t wide = (size_t)f->net->n + PB_SAFE_EXTRAS;
	const struct pb_safe_entry *e = &in->e[i];
	float sum = 0;

	for (int k = 0; k < e->delay; k++, row += wide) {
		float h = row[place(f, e, i, k)];

		sum +=
		    k < e->turn && k >= e->blind ? PB_SAFE_TURN_LOOKS * h : h;
	}
	return sum;
}

void
pb_safe_entries_soon(const struct pb_safe_field *f,
    const struct pb_safe_entries *in, int *line, int *soon)
{
	const struct pb_safe_net *net = f->net;
	int head = 0, count = 0, n = net->n;

	/* By label correction. */
	for (int x = 0; x < n; x++)
		soon[x] = f->steps + 1;
	for (int i = 0; i < in->n; i++) {
		soon[in->e[i].node] = in->e[i].delay;
		line[count++] = in->e[i].node;
	}
	while (count > 0) {
		int x = line[head];

		head = (head + 1) % n;
		count--;
		for (int j = net->first[x]; j < net->first[x + 1]; j++) {
			int y = net->to[j], k = soon[x] + f->edge[j];

			if (k >= soon[y])
				continue;
			soon[y] = k;
			/* A full ring can only hold stale doubles. */
			if (count < n)
				line[(head + count++) % n] = y;
		}
	}
}

void
pb_safe_entries_within(const struct pb_safe_field *f,
    const struct pb_safe_task *task, const int *soon, double *within)
{
	const struct pb_safe_net *net = f->net;
	int longest = 1;

	for (int t = 0; t <= f->steps; t++)
		within[t] = PB_SAFE_ENTRY_REACH;
	for (int j = 0; j < net->first[net->n]; j++)
		longest = f->edge[j] > longest ? f->edge[j] : longest;
	for (int x = 0; x < net->n; x++) {
		int t = soon[x] > longest ? soon[x] - longest : 0;

		if (soon[x] <= f->steps)
			within[t] =
			    fmax(within[t], pb_dist(net->at[x], task->at));
	}
	for (int t = 1; t <= f->steps; t++)
		within[t] = fmax(within[t], within[t - 1]);
}
