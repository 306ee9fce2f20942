/* safe_plan.c - the best way in time: how the robot sets out, and the plan. */
#include "policy/safe_plan.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "game/pacmanbot/view.h"

/*
 * The net knows nothing of headings, so a node nearer than this (m) would be a
 * cheap place to turn round at: it takes what such a turn does (s).
 */
#define ENTRY_NEAR 0.35
#define ENTRY_TURN 1.0

/*
 * A robot that turns gets a new estimate with nearly every scan, one that
 * drives straight about one a step: so many more chances to be seen caught.
 */
#define TURN_LOOKS 2

/*
 * A way from where the robot is straight to a node in sight. It takes the
 * turn on the spot that the follower makes first; and until there is a new
 * estimate the judge sees the robot where it was.
 */
struct entry {
	int node;
	int delay;  /* steps until it is there, >= 1 */
	int turn;   /* of these on the spot, first */
	int blind;  /* of these until the next estimate */
	double far; /* length of the way (m) */
};

/* Nodes in sight, no farther than this, are driven to straight (m). */
#define ENTRY_REACH 1.0

struct entries {
	int n; /* the first leads to the node that owns the place */
	struct entry e[PB_SAFE_SPOTS];
	struct pb_vec spot[PB_SAFE_SPOTS]; /* half-way (m) */
};

/* Time until a robot that turns to the left at w looks `by` to the left, near
 * enough to drive on (s). */
static double
turn_time(const struct pb_safe_task *task, double by, double w)
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
static struct entry
time_entry(const struct pb_safe_field *f, const struct pb_safe_task *task,
    int x, struct pb_vec *spot)
{
	struct pb_vec p = task->at, q = f->net->at[x];
	struct entry e = {.node = x, .far = pb_dist(p, q)};
	double look = task->look_d / f->speed, by = 0, turn;

	if (e.far > 0.05)
		by = pb_wrap(pb_atan2(q.y - p.y, q.x - p.x) - task->th);
	turn = turn_time(task, by, task->w);
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
    struct entries *out)
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
	double least = ENTRY_REACH;

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

/*
 * Ways to the node that owns the place and to others that it can see; none
 * if the net has no node.
 */
static void
find_entries(const struct pb_safe_field *f, const struct pb_safe_task *task,
    struct entries *out)
{
	const struct pb_safe_net *net = f->net;
	int here = open_node(net, task->at);

	out->n = 0;
	if (here < 0)
		return;
	add_entry(f, task, here, out);
	for (int x = 0; x < net->n; x++)
		if (pb_dist(net->at[x], task->at) < ENTRY_REACH &&
		    !(net->shut && net->shut[x]) &&
		    pb_safe_net_sees(net, task->at, net->at[x]))
			add_entry(f, task, x, out);
}

/* Where the judge sees it in step k of the way by entry i: a place in a row
 * of harm. */
static size_t
entry_place(const struct pb_safe_field *f, const struct entry *e, int i, int k)
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

/*
 * Chance of being caught on the way by entry i.
 *
 * Given    row  of the table of harm, of the first step of the way
 */
static float
entry_harm(const struct pb_safe_field *f, const struct entries *in, int i,
    const float *row)
{
	size_t wide = (size_t)f->net->n + PB_SAFE_EXTRAS;
	const struct entry *e = &in->e[i];
	float sum = 0;

	for (int k = 0; k < e->delay; k++, row += wide) {
		float h = row[entry_place(f, e, i, k)];

		sum += k < e->turn && k >= e->blind ? TURN_LOOKS * h : h;
	}
	return sum;
}

/*
 * First step in which the robot can be at each node.
 *
 * Given    line  room for two numbers a node
 * Returns  soon  a number a node, INFINITY where it cannot be
 */
static void
entries_soon(const struct pb_safe_field *f, const struct entries *in, int *line,
    float *soon)
{
	for (int x = 0; x < f->net->n; x++)
		soon[x] = INFINITY;
	for (int i = 0; i < in->n; i++)
		soon[in->e[i].node] = (float)in->e[i].delay;
	pb_safe_net_distances(f->net, f->edge, (float)f->steps, line, soon);
}

/*
 * How far from here it can be in each step, to the end of any edge.
 *
 * Given    soon    from entries_soon
 * Returns  within  steps + 1 distances (m), never falling
 */
static void
entries_within(const struct pb_safe_field *f, const struct pb_safe_task *task,
    const float *soon, double *within)
{
	const struct pb_safe_net *net = f->net;
	float longest = 1;

	for (int t = 0; t <= f->steps; t++)
		within[t] = ENTRY_REACH;
	for (int j = 0; j < net->first[net->n]; j++)
		if (f->edge[j] > longest && f->edge[j] <= (float)f->steps)
			longest = f->edge[j];
	for (int x = 0; x < net->n; x++) {
		int t;

		if (soon[x] > (float)f->steps)
			continue;
		t = soon[x] > longest ? (int)(soon[x] - longest) : 0;
		within[t] = fmax(within[t], pb_dist(net->at[x], task->at));
	}
	for (int t = 1; t <= f->steps; t++)
		within[t] = fmax(within[t], within[t - 1]);
}

/* A search: tables of steps + 1 rows, a row being nodes and "here". */
struct search {
	const struct pb_safe_field *f;
	const struct pb_safe_task *task;
	size_t wide; /* numbers in a row: nodes, and last where it is */
	float *harm; /* chance of being caught in the step that ends there */
	float *live; /* S: of being caught from there on */
	float *cost; /* V: the same with the price of what is left */
	float *leaf; /* row: S after the last step */
	struct pb_clyde_spread chain; /* work, as the next */
	float *block;
	float *soon; /* by node: first step in which the robot can be there */
	int *line;   /* the n nodes where it can be in time; first a queue */
	int n;
	struct entries in;                     /* from here */
	double within[PB_SAFE_PLAN_STEPS + 1]; /* as in struct pb_safe_robot */
};

/* Lay the tables of a search out in b. */
static void
search_in(struct search *s, struct pb_block *b)
{
	const struct pb_safe_field *f = s->f;
	size_t rows = (size_t)f->steps + 1;

	s->wide = (size_t)f->net->n + PB_SAFE_EXTRAS;
	s->harm = pb_block_take(b, rows * s->wide, sizeof(float));
	s->live = pb_block_take(b, rows * s->wide, sizeof(float));
	s->cost = pb_block_take(b, rows * s->wide, sizeof(float));
	s->leaf = pb_block_take(b, s->wide, sizeof(float));
	s->chain = pb_clyde_spread_in(b, f->chain->states);
	s->block = pb_block_take(b, (size_t)f->chain->blocks, sizeof(float));
	s->soon = pb_block_take(b, s->wide, sizeof(float));
	s->line = pb_block_take(b, 2 * s->wide, sizeof(int));
}

size_t
pb_safe_plan_bytes(const struct pb_safe_field *f)
{
	struct search s = {.f = f};
	struct pb_block b = {.at = NULL};

	search_in(&s, &b);
	return b.used;
}

/*
 * Harm on the way from x, left after step t, by edge j to y: until the judge
 * sees it half-way it counts as x, then as y.
 */
static float
on_the_way(const struct search *s, int t, size_t x, int j)
{
	const float *row = s->harm + (size_t)(t + 1) * s->wide;
	size_t y = (size_t)s->f->net->to[j];
	int k = (int)s->f->edge[j], half = s->f->half[j];
	float sum = 0;

	for (int i = 0; i < k; i++, row += s->wide)
		sum += row[i < half ? x : y];
	return sum;
}

/* What it costs to leave by entry i after step t; INFINITY: too late. */
static float
cost_by(const struct search *s, int t, int i, float *live)
{
	const struct entry *e = &s->in.e[i];
	const struct pb_safe_field *f = s->f;
	size_t then = (size_t)(t + e->delay) * s->wide + (size_t)e->node;
	float h;

	if (t + e->delay > f->steps)
		return INFINITY;
	h = entry_harm(f, &s->in, i, s->harm + (size_t)(t + 1) * s->wide);
	*live = pb_lesser(*live, h + s->live[then]);
	return h + s->cost[then] +
	       (float)(s->task->price * f->dt) * (float)e->delay;
}

/* Both values of one node after step t. */
static void
solve(struct search *s, int t, size_t x)
{
	const struct pb_safe_field *f = s->f;
	const struct pb_safe_net *net = f->net;
	size_t here = (size_t)t * s->wide + x, then = here + s->wide;
	float price = (float)(s->task->price * f->dt);
	float live = s->harm[then] + s->live[then];
	float cost = s->harm[then] + s->cost[then] + price;
	float fetch;

	for (int j = net->first[x]; j < net->first[x + 1]; j++) {
		size_t y = (size_t)net->to[j];
		int k = (int)f->edge[j];
		float h;

		if (t + k > f->steps)
			continue;
		h = on_the_way(s, t, x, j);
		then = (size_t)(t + k) * s->wide + y;
		live = pb_lesser(live, h + s->live[then]);
		cost = pb_lesser(cost, h + s->cost[then] + price * (float)k);
	}
	fetch = live + (float)s->task->price * s->task->fetch[x];
	s->live[here] = live;
	s->cost[here] = pb_lesser(cost, fetch);
}

/* After the last step: flee for ever, pay for the shortest rest. */
static void
solve_last(struct search *s)
{
	size_t base = (size_t)s->f->steps * s->wide;

	for (size_t x = 0; x < (size_t)s->f->net->n; x++) {
		s->live[base + x] = s->leaf[x];
		s->cost[base + x] = s->leaf[x] + (float)s->task->price *
		                                     pb_lesser(s->task->rest[x],
							 s->task->fetch[x]);
	}
}

/*
 * Few ways last just as long as the plan, and shorter ones cost the same
 * whenever they begin: they begin now, unless to wait gains this part of a
 * step. By ties, whoever waits does so for ever.
 */
#define IDLE 0.01f

/* The values of standing where it stands, from step t on; best entry. */
static int
solve_here(struct search *s, int t)
{
	const struct pb_safe_field *f = s->f;
	size_t x = (size_t)f->net->n + PB_SAFE_STANDS,
	       here = (size_t)t * s->wide + x;
	float price = (float)(s->task->price * f->dt);
	float least;
	int best = -1;

	if (t == f->steps) {
		/* It stands beside its first entry. */
		s->live[here] = s->live[here - x + (size_t)s->in.e[0].node];
		s->cost[here] = s->cost[here - x + (size_t)s->in.e[0].node];
		return -1;
	}
	s->live[here] = s->harm[here + s->wide] + s->live[here + s->wide];
	s->cost[here] =
	    s->harm[here + s->wide] + s->cost[here + s->wide] + price;
	least = s->cost[here] + price * IDLE;
	for (int i = 0; i < s->in.n; i++) {
		float c = cost_by(s, t, i, &s->live[here]);

		if (c < least) {
			least = c;
			best = i;
		}
	}
	s->cost[here] = pb_lesser(s->cost[here], least);
	return best;
}

/* The edge by which the best plan leaves x after step t; -1: it waits,
 * -2: it has fetched something there. */
static int
choose(const struct search *s, int t, size_t x)
{
	const struct pb_safe_field *f = s->f;
	const struct pb_safe_net *net = f->net;
	size_t here = (size_t)t * s->wide + x, then = here + s->wide;
	float price = (float)(s->task->price * f->dt);
	float least = s->harm[then] + s->cost[then] + price;
	int best = -1;

	if (s->live[here] + (float)s->task->price * s->task->fetch[x] <=
	    s->cost[here])
		return -2;
	for (int j = net->first[x]; j < net->first[x + 1]; j++) {
		size_t y = (size_t)net->to[j];
		int k = (int)f->edge[j];
		float c;

		if (t + k > f->steps)
			continue;
		c = on_the_way(s, t, x, j) + price * (float)k +
		    s->cost[(size_t)(t + k) * s->wide + y];
		if (c < least) {
			least = c;
			best = j;
		}
	}
	return best;
}

static void
trace(const struct search *s, int entry, struct pb_safe_plan *p)
{
	int t, j, x;

	if (entry < 0)
		return;
	t = s->in.e[entry].delay;
	x = s->in.e[entry].node;
	for (;;) {
		p->node[p->n++] = x;
		if (t >= s->f->steps)
			return;
		j = choose(s, t, (size_t)x);
		p->fetch = j == -2;
		if (j < 0)
			return;
		t += (int)s->f->edge[j];
		x = s->f->net->to[j];
	}
}

struct pb_safe_plan
pb_safe_plan_make(const struct pb_safe_field *f,
    const struct pb_clyde_ways *ways, const struct pb_safe_task *task,
    void *work)
{
	struct search s = {.f = f, .task = task};
	struct pb_block b = {.at = work};
	struct pb_safe_plan p = {.n = 0};
	struct pb_safe_robot robot = {.at = task->at,
	    .judged = task->judged,
	    .error = task->error,
	    .within = s.within,
	    .spot = s.in.spot};
	size_t here = (size_t)f->net->n + PB_SAFE_STANDS;
	int best = -1;

	search_in(&s, &b);
	find_entries(f, task, &s.in);
	if (s.in.n == 0)
		return p;
	entries_soon(f, &s.in, s.line, s.soon);
	entries_within(f, task, s.soon, s.within);
	for (int x = 0; x < f->net->n; x++)
		if (s.soon[x] <= (float)f->steps)
			s.line[s.n++] = x;
	robot.soon = s.soon;
	robot.spots = s.in.n;
	pb_safe_harm_fill(f, ways, task->future, task->clyde, &robot, &s.chain,
	    s.block, s.harm, s.leaf);
	solve_last(&s);
	for (int t = f->steps; t >= 0; t--) {
		for (int i = 0; t < f->steps && i < s.n; i++)
			if (s.soon[s.line[i]] <= (float)t)
				solve(&s, t, (size_t)s.line[i]);
		best = solve_here(&s, t);
	}
	p.cost = s.cost[here];
	p.risk = s.live[here];
	trace(&s, best, &p);
	return p;
}
