/* safe_plan.c - the next seconds: a search over places and times. */
#include "policy/safe_plan.h"

#include <math.h>
#include <string.h>

/* Ways from where the robot stands into the net. */
enum { ENTRIES = PB_SAFE_SPOTS };

/*
 * Nodes in sight, no farther than this, can be driven to straight (m). The
 * net knows nothing of headings, so a node nearer than the second (m) would be
 * a cheap place to turn round at: it takes what such a turn does (s).
 */
#define ENTRY_REACH 1.0
#define ENTRY_NEAR  0.35
#define ENTRY_TURN  1.0

/*
 * The follower turns on the spot where the way bends by more than the first,
 * until it is less than the second (rad).
 */
#define TURN_AT 0.8
#define TURN_TO 0.25

/*
 * A robot that changes its mind with each estimate gets nowhere. It goes on
 * as before unless something else is better by so many seconds and by this
 * share of the risk.
 */
#define KEEP_TIME  1.0
#define KEEP_SHARE 0.1

/*
 * A robot that turns gets a new estimate with nearly every scan, one that
 * drives straight about one a step: so many more chances to be seen caught.
 */
#define TURN_LOOKS 2

/* A search: tables of steps + 1 rows, a row being nodes and "here". */
struct search {
	const struct pb_safe_field *f;
	const struct pb_safe_task *task;
	size_t wide;  /* numbers in a row: nodes, and last where it is */
	float *harm;  /* chance of being caught in the step that ends there */
	float *live;  /* S: of being caught from there on */
	float *cost;  /* V: the same with the price of what is left */
	float *leaf;  /* row: S after the last step */
	float *chain; /* work */
	int *soon;    /* by node: first step in which the robot can be there */
	int *line;    /* work: a ring of nodes */
	int entries;
	int entry[ENTRIES]; /* nodes that can be driven to from here */
	int delay[ENTRIES]; /* steps that it takes */
	int turn[ENTRIES];  /* of these on the spot, before the way there */
	int blind[ENTRIES]; /* of these until the next estimate */
	double far[ENTRIES];         /* length of the way (m) */
	struct pb_vec spot[ENTRIES]; /* half-way */
	double within[PB_SAFE_PLAN_STEPS + 1]; /* as in struct pb_safe_robot */
};

size_t
pb_safe_plan_bytes(const struct pb_safe_field *f)
{
	size_t wide = (size_t)f->net->n + PB_SAFE_EXTRAS;
	size_t rows = (size_t)f->steps + 1;

	return (3 * rows * wide + wide) * sizeof(float) +
	       4 * ((size_t)f->chain->states + 1) * sizeof(float) +
	       2 * wide * sizeof(int);
}

static float
smaller(float a, float b)
{
	return a < b ? a : b;
}

static struct search
search_in(
    const struct pb_safe_field *f, const struct pb_safe_task *task, void *work)
{
	struct search s = {.f = f, .task = task, .harm = work};
	size_t table;

	s.wide = (size_t)f->net->n + PB_SAFE_EXTRAS;
	table = ((size_t)f->steps + 1) * s.wide;
	s.live = s.harm + table;
	s.cost = s.live + table;
	s.leaf = s.cost + table;
	s.chain = s.leaf + s.wide;
	s.soon = (int *)(void *)(s.chain + 4 * ((size_t)f->chain->states + 1));
	s.line = s.soon + s.wide;
	return s;
}

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

/* Steps to drive from where the robot is to a node in sight, turn first. */
static void
time_entry(struct search *s, int i)
{
	struct pb_vec p = s->task->at, q = s->f->net->at[s->entry[i]];
	double d = pb_dist(p, q), turn = 0, dt = s->f->dt, by = 0;
	double look = s->task->look_d / s->f->speed;

	if (d > 0.05)
		by = pb_wrap(atan2(q.y - p.y, q.x - p.x) - s->task->th);
	turn = turn_time(s->task, by);
	if (fabs(by) > s->task->look_a)
		look = fmin(look, s->task->look_t);
	s->far[i] = d;
	s->blind[i] = (int)(look / dt + 0.5);
	s->spot[i] = (struct pb_vec){(p.x + q.x) / 2, (p.y + q.y) / 2};
	if (d < ENTRY_NEAR && isinf(s->task->fetch[s->entry[i]]))
		turn += ENTRY_TURN;
	s->delay[i] = (int)((d / s->f->speed + turn) / dt + 0.5);
	if (s->delay[i] < 1)
		s->delay[i] = 1;
	s->turn[i] = (int)(turn / dt + 0.5);
}

static void
add_entry(struct search *s, int x)
{
	for (int i = 0; i < s->entries; i++)
		if (s->entry[i] == x)
			return;
	if (s->entries < ENTRIES) {
		s->entry[s->entries] = x;
		time_entry(s, s->entries++);
	}
}

/* The node that owns this place, and those around it that it can see. */
static void
find_entries(struct search *s)
{
	const struct pb_safe_net *net = s->f->net;
	int here = pb_safe_net_at(net, s->task->at);

	if (here < 0)
		return;
	add_entry(s, here);
	for (int x = 0; x < net->n; x++)
		if (pb_dist(net->at[x], s->task->at) < ENTRY_REACH &&
		    pb_safe_net_sees(net, s->task->at, net->at[x]))
			add_entry(s, x);
}

/* First step in which each node can be reached, by label correction. */
static void
find_soon(struct search *s)
{
	const struct pb_safe_net *net = s->f->net;
	int head = 0, count = 0, n = net->n;

	for (int x = 0; x < n; x++)
		s->soon[x] = s->f->steps + 1;
	for (int i = 0; i < s->entries; i++) {
		s->soon[s->entry[i]] = s->delay[i];
		s->line[count++] = s->entry[i];
	}
	while (count > 0) {
		int x = s->line[head];

		head = (head + 1) % n;
		count--;
		for (int j = net->first[x]; j < net->first[x + 1]; j++) {
			int y = net->to[j], k = s->soon[x] + s->f->edge[j];

			if (k >= s->soon[y])
				continue;
			s->soon[y] = k;
			/* A full ring can only hold stale doubles. */
			if (count < n)
				s->line[(head + count++) % n] = y;
		}
	}
}

/* How far from here it can be in each step, to the end of any edge. */
static void
find_within(struct search *s)
{
	const struct pb_safe_net *net = s->f->net;
	int longest = 1;

	for (int t = 0; t <= s->f->steps; t++)
		s->within[t] = ENTRY_REACH;
	for (int j = 0; j < net->first[net->n]; j++)
		longest = s->f->edge[j] > longest ? s->f->edge[j] : longest;
	for (int x = 0; x < net->n; x++) {
		int t = s->soon[x] > longest ? s->soon[x] - longest : 0;

		if (s->soon[x] <= s->f->steps)
			s->within[t] = fmax(
			    s->within[t], pb_dist(net->at[x], s->task->at));
	}
	for (int t = 1; t <= s->f->steps; t++)
		s->within[t] = fmax(s->within[t], s->within[t - 1]);
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
	int k = s->f->edge[j], half = s->f->half[j];
	float sum = 0;

	for (int i = 0; i < k; i++, row += s->wide)
		sum += row[i < half ? x : y];
	return sum;
}

/* Where the judge sees it in step k of the way by entry i: a place in a row
 * of harm. */
static size_t
place_on_entry(const struct search *s, int i, int k)
{
	size_t n = (size_t)s->f->net->n;
	double gone = (k - s->turn[i] + 0.5) * s->f->dt * s->f->speed;

	if (k < s->blind[i])
		return n + PB_SAFE_STANDS;
	gone -= s->f->lag;
	if (3 * gone < s->far[i])
		return n + PB_SAFE_TURNS;
	if (3 * gone < 2 * s->far[i])
		return n + PB_SAFE_SPOT + (size_t)i;
	return (size_t)s->entry[i];
}

/* Harm on the way from here by entry i, left after step t. */
static float
on_entry(const struct search *s, int t, int i)
{
	const float *row = s->harm + (size_t)(t + 1) * s->wide;
	float sum = 0;

	for (int k = 0; k < s->delay[i]; k++, row += s->wide) {
		float h = row[place_on_entry(s, i, k)];

		sum += k < s->turn[i] && k >= s->blind[i] ? TURN_LOOKS * h : h;
	}
	return sum;
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
		int k = f->edge[j];
		float h;

		if (t + k > f->steps)
			continue;
		h = on_the_way(s, t, x, j);
		then = (size_t)(t + k) * s->wide + y;
		live = smaller(live, h + s->live[then]);
		cost = smaller(cost, h + s->cost[then] + price * (float)k);
	}
	fetch = live + (float)s->task->price * s->task->fetch[x];
	s->live[here] = live;
	s->cost[here] = smaller(cost, fetch);
}

/* After the last step: flee for ever, pay for the shortest rest. */
static void
solve_last(struct search *s)
{
	size_t base = (size_t)s->f->steps * s->wide;

	for (size_t x = 0; x < (size_t)s->f->net->n; x++) {
		s->live[base + x] = s->leaf[x];
		s->cost[base + x] = s->leaf[x] + (float)s->task->price *
		                                     smaller(s->task->rest[x],
							 s->task->fetch[x]);
	}
}

/* The values of standing where it stands, from step t on; best entry. */
static int
solve_here(struct search *s, int t)
{
	const struct pb_safe_field *f = s->f;
	size_t x = (size_t)f->net->n + PB_SAFE_STANDS,
	       here = (size_t)t * s->wide + x;
	float price = (float)(s->task->price * f->dt);
	int best = -1;

	if (t == f->steps) {
		/* It stands beside its first entry. */
		s->live[here] = s->live[here - x + (size_t)s->entry[0]];
		s->cost[here] = s->cost[here - x + (size_t)s->entry[0]];
		return -1;
	}
	s->live[here] = s->harm[here + s->wide] + s->live[here + s->wide];
	s->cost[here] =
	    s->harm[here + s->wide] + s->cost[here + s->wide] + price;
	for (int i = 0; i < s->entries; i++) {
		int k = s->delay[i];
		size_t y = (size_t)s->entry[i];
		size_t then = (size_t)(t + k) * s->wide + y;
		float h;

		if (t + k > f->steps)
			continue;
		h = on_entry(s, t, i);
		s->live[here] = smaller(s->live[here], h + s->live[then]);
		h += s->cost[then] + price * (float)k;
		if (h < s->cost[here]) {
			s->cost[here] = h;
			best = i;
		}
	}
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
		int k = f->edge[j];
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

/* What it costs to leave by entry i at once; INFINITY: too late. */
static float
cost_by(const struct search *s, int i)
{
	int k = s->delay[i];

	if (k > s->f->steps)
		return INFINITY;
	return on_entry(s, 0, i) +
	       s->cost[(size_t)k * s->wide + (size_t)s->entry[i]] +
	       (float)(s->task->price * s->f->dt * k);
}

static bool
was_planned(const struct search *s, int x)
{
	for (int j = 0; j < s->task->kept; j++)
		if (s->task->keep[j] == x)
			return true;
	return false;
}

/* The best entry, or one that goes on as before if that is as good. */
static int
keep_on(const struct search *s, int best)
{
	size_t here = (size_t)s->f->net->n + PB_SAFE_STANDS;
	double limit = s->cost[here] + KEEP_TIME * s->task->price +
	               KEEP_SHARE * s->live[here];

	if (best >= 0 && was_planned(s, s->entry[best]))
		return best;
	for (int i = 0; i < s->entries; i++) {
		float c;

		if (!was_planned(s, s->entry[i]))
			continue;
		c = cost_by(s, i);
		if (c > limit)
			continue;
		limit = c;
		best = i;
	}
	return best;
}

static void
trace(const struct search *s, int entry, struct pb_safe_plan *p)
{
	int t, j, x;

	if (entry < 0)
		return;
	t = s->delay[entry];
	x = s->entry[entry];
	for (;;) {
		p->node[p->n++] = x;
		if (t >= s->f->steps)
			return;
		j = choose(s, t, (size_t)x);
		p->fetch = j == -2;
		if (j < 0)
			return;
		t += s->f->edge[j];
		x = s->f->net->to[j];
	}
}

struct pb_safe_plan
pb_safe_plan_make(const struct pb_safe_field *f,
    const struct pb_safe_ways *ways, const struct pb_safe_task *task,
    void *work)
{
	struct search s = search_in(f, task, work);
	struct pb_safe_plan p = {.n = 0};
	struct pb_safe_robot robot = {.at = task->at,
	    .judged = task->judged,
	    .error = task->error,
	    .within = s.within,
	    .soon = s.soon,
	    .spot = s.spot};
	size_t here = (size_t)f->net->n + PB_SAFE_STANDS;
	int best = -1;

	find_entries(&s);
	if (s.entries == 0)
		return p;
	find_soon(&s);
	find_within(&s);
	robot.spots = s.entries;
	pb_safe_harm_fill(
	    f, ways, task->clyde, &robot, s.chain, s.harm, s.leaf);
	solve_last(&s);
	for (int t = f->steps; t >= 0; t--) {
		for (int x = 0; t < f->steps && x < f->net->n; x++)
			if (s.soon[x] <= t)
				solve(&s, t, (size_t)x);
		best = solve_here(&s, t);
	}
	p.cost = s.cost[here];
	p.risk = s.live[here];
	trace(&s, keep_on(&s, best), &p);
	return p;
}
