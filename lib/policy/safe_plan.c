/* safe_plan.c - the next seconds: a dynamic program over places and times. */
#include "policy/safe_plan.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "game/pacmanbot/view.h"

/* Below this the error is nothing beside the cells of a map (m). */
#define LEAST_SD 0.005

/* Beyond this (s) coarse blocks tell well enough where Clyde is. */
#define FINE_TIME 3.0

/* Steps in which the present error of the estimate lasts. */
#define SOON 4

/* Steps that the robot may be on its way to a node that counts already. */
#define AROUND 8

/* Chances of Clyde's being somewhere below this are not followed up; of his
 * state at the end. */
#define FAINT       2e-4f
#define FAINT_STATE 1e-3f

/* Nodes in sight, no farther than this, are driven to straight (m). */
#define ENTRY_REACH 1.0

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
 * Few ways last just as long as the plan, and shorter ones cost the same
 * whenever they begin: they begin now, unless to wait gains this part of a
 * step. By ties, whoever waits does so for ever.
 */
#define IDLE 0.01f

/*
 * Chance that a normal error of deviation sd brings a point at distance d
 * into the disc of radius r: over slices of the disc across the line to the
 * point, density of the slice times chance of hitting its width.
 */
static double
in_disc(double d, double r, double sd)
{
	const int slices = 64;
	double sum = 0;

	for (int i = 0; i < slices; i++) {
		/* Slices end at cosines: narrow where the disc is steep. */
		double a = pb_cos(acos(-1.0) * i / slices) * r;
		double b = pb_cos(acos(-1.0) * (i + 1) / slices) * r;
		double x = (a + b) / 2;
		double half = sqrt(r * r - x * x) / (sd * sqrt(2.0));
		double lo = (b - d) / (sd * sqrt(2.0));
		double hi = (a - d) / (sd * sqrt(2.0));

		sum += (pb_erfc(lo) - pb_erfc(hi)) / 2 * (1 - pb_erfc(half));
	}
	return fmin(sum, 1);
}

struct pb_safe_kill
pb_safe_kill_make(double radius, double sd, double least)
{
	struct pb_safe_kill k;

	sd = fmax(sd, LEAST_SD);
	k.reach = radius;
	while (in_disc(k.reach, radius, sd) >= least)
		k.reach += sd / 8;
	k.reach2 = k.reach * k.reach;
	k.scale = PB_SAFE_KILL_STEPS / k.reach2;
	for (int i = 0; i < PB_SAFE_KILL_STEPS; i++)
		k.chance[i] = (float)in_disc(sqrt(i / k.scale), radius, sd);
	k.chance[PB_SAFE_KILL_STEPS] = 0;
	return k;
}

/* Value iteration at work. */
struct values {
	const struct pb_safe_net *net;
	const struct pb_clyde_chain *chain;
	int parts;           /* steps of Clyde in one of the robot's */
	float *go;           /* by state: chance of leaving in a part */
	float *caught;       /* by coarse block and node: in a part */
	int *near, *far;     /* by coarse block: first node with such a chance,
	                        and one after the last */
	float *was, *next;   /* values, before and after */
	struct pb_pool pool; /* of all but one of the values */
};

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
values_init(struct values *k, const struct pb_safe_value *v,
    const struct pb_safe_kill *kill)
{
	const struct pb_clyde_chain *c = k->chain;
	size_t n = (size_t)k->net->n, states = (size_t)c->states;
	double walk = v->step * v->speed;

	k->go = pb_pool_get(&k->pool, states, sizeof(float));
	k->caught = pb_pool_get(&k->pool, (size_t)c->blocks * n, sizeof(float));
	k->near = pb_pool_get(&k->pool, (size_t)c->blocks, sizeof(int));
	k->far = pb_pool_get(&k->pool, (size_t)c->blocks, sizeof(int));
	k->was = v->risk;
	k->next = pb_pool_get(&k->pool, states * n, sizeof(float));
	if (k->pool.failed)
		return false;
	for (int b = 0; b < c->blocks; b++) {
		k->near[b] = k->net->n;
		for (int x = 0; x < k->net->n; x++) {
			float p =
			    pb_safe_kill_at(kill, k->net->at[x], c->at[b]);

			k->caught[b * k->net->n + x] = p;
			if (p <= 0)
				continue;
			k->near[b] = x < k->near[b] ? x : k->near[b];
			k->far[b] = x + 1;
		}
	}
	/* A part is short enough that the mean visit lasts one or longer. */
	k->parts = (int)fmin(fmax(ceil(walk / c->visit - 1e-9), 1), 8);
	for (int s = 0; s < c->states; s++)
		k->go[s] = pb_lesser((float)(walk / k->parts) / c->stay[s], 1);
	return true;
}

static void
swap(struct values *k)
{
	float *was = k->was;

	k->was = k->next;
	k->next = was;
}

/* A part of Clyde's step: he moves on, and may catch the robot. */
static void
move_clyde(struct values *k)
{
	const struct pb_clyde_chain *c = k->chain;
	int n = k->net->n;

	for (int s = 0; s < c->states; s++) {
		const float *at = &k->was[(size_t)s * (size_t)n];
		int b = c->where[s];
		const float *hit = &k->caught[b * n];
		float *restrict out = &k->next[(size_t)s * (size_t)n];
		float go = k->go[s];

		for (int x = 0; x < n; x++)
			out[x] = (1 - go) * at[x];
		for (int j = c->first[s]; j < c->first[s + 1]; j++) {
			const float *to = &k->was[(size_t)c->to[j] * (size_t)n];
			float p = go * c->chance[j];

			for (int x = 0; x < n; x++)
				out[x] += p * to[x];
		}
		for (int x = k->near[b]; x < k->far[b]; x++)
			out[x] += hit[x] * (1 - out[x]);
	}
	swap(k);
}

/* The robot stays or moves, whichever is better. */
static void
move_robot(struct values *k, float keep)
{
	const struct pb_safe_net *net = k->net;

	for (int s = 0; s < k->chain->states; s++) {
		const float *was = &k->was[(size_t)s * (size_t)net->n];
		float *next = &k->next[(size_t)s * (size_t)net->n];

		for (int x = 0; x < net->n; x++) {
			float least = was[x];

			for (int j = net->first[x];
			     least > 0 && j < net->first[x + 1]; j++)
				least = pb_lesser(was[net->to[j]], least);
			next[x] = keep * least;
		}
	}
	swap(k);
}

enum pb_status
pb_safe_value_init(struct pb_safe_value *v, const struct pb_safe_net *net,
    const struct pb_clyde_chain *c, const struct pb_safe_kill *kill,
    double speed, double clyde, double horizon, struct pb_pool *pool)
{
	struct values k = {.net = net, .chain = c};
	size_t n = (size_t)net->n * (size_t)c->states;
	double step = mean_edge(net) / speed;
	float keep = (float)pb_exp(-step / horizon);
	/* After half a horizon what is missing is about the same everywhere, so
	 * that nobody chooses by it: three times as long played no better. */
	int sweeps = (int)ceil(0.5 * horizon / step);
	bool ok;

	*v = (struct pb_safe_value){.net = net,
	    .step = step,
	    .speed = clyde,
	    .risk = pb_pool_get(pool, n, sizeof(float))};
	ok = v->risk != NULL && values_init(&k, v, kill);
	for (int i = 0; ok && i < sweeps; i++) {
		for (int j = 0; j < k.parts; j++)
			move_clyde(&k);
		move_robot(&k, keep);
	}
	if (ok && k.was != v->risk)
		memcpy(v->risk, k.was, n * sizeof(float));
	pb_pool_clear(&k.pool);
	return ok ? PB_OK : PB_ENOMEM;
}

/* Places of Clyde's: nodes of his ground, then coarse blocks. */
static int
places(const struct pb_safe_field *f)
{
	return f->ground->n + f->chain->blocks;
}

static struct pb_vec
place_at(const struct pb_safe_field *f, int i)
{
	int n = f->ground->n;

	return i < n ? f->ground->at[i] : f->chain->at[i - n];
}

/* Nodes of the net that Clyde harms from place i, beyond its own extent. */
static int
find_near(const struct pb_safe_field *f, int i, int *near, float *harm)
{
	struct pb_vec p = place_at(f, i);
	int side = i < f->ground->n ? 1 : f->chain->side;
	double reach = f->kill.reach + side * f->ground->unit * 5 * 0.7072;
	int n = 0;

	for (int x = 0; x < f->net->n; x++) {
		if (pb_dist(p, f->net->at[x]) >= reach)
			continue;
		if (near != NULL) {
			near[n] = x;
			harm[n] = pb_safe_kill_at(&f->kill, p, f->net->at[x]);
		}
		n++;
	}
	return n;
}

static unsigned char
in_steps(double x, double least)
{
	return (unsigned char)(fmin(fmax(x, least), 200) + 0.5);
}

enum pb_status
pb_safe_field_init(struct pb_safe_field *f, struct pb_pool *pool)
{
	int edges = f->net->first[f->net->n], n = places(f);

	f->edge = pb_pool_get(pool, (size_t)edges, sizeof(float));
	f->half = pb_pool_get(pool, (size_t)edges, 1);
	f->flees = pb_pool_get(pool, (size_t)f->net->n, sizeof(int));
	f->first = pb_pool_get(pool, (size_t)n + 1, sizeof(int));
	if (pool->failed)
		return PB_ENOMEM;
	for (int i = 0; i < n; i++)
		f->first[i + 1] = f->first[i] + find_near(f, i, NULL, NULL);
	f->near = pb_pool_get(pool, (size_t)f->first[n], sizeof(int));
	f->harm = pb_pool_get(pool, (size_t)f->first[n], sizeof(float));
	if (pool->failed)
		return PB_ENOMEM;
	for (int i = 0; i < n; i++)
		find_near(f, i, &f->near[f->first[i]], &f->harm[f->first[i]]);
	for (int j = 0; j < edges; j++) {
		double step = f->speed * f->dt, len = f->net->len[j];

		f->edge[j] = in_steps(len / step, 1);
		f->half[j] = in_steps((len / 2 + f->lag) / step, 0);
	}
	for (int x = 0; x < f->net->n; x++)
		f->flees[x] = pb_safe_net_at(f->value->net, f->net->at[x]);
	return PB_OK;
}

/* Driving from a node to the next. */
struct move {
	int to;
	int steps; /* >= 1 */
	int blind; /* of these the judge sees it where it saw it last, */
	int turn;  /* up to this many it turns on the spot, */
	int half;  /* up to this many it is where it set out, */
	int late;  /* up to this many half-way, then where it goes */
	int mid;   /* the place half-way, a number in a row */
};

enum { ENTRIES = 48 };

/* A search: tables of steps + 1 rows, a number for each node and some more. */
struct search {
	const struct pb_safe_field *f;
	const struct pb_safe_task *task;
	int here;    /* the first of these: where the robot is; the second:
	                where the judge sees it while it stands */
	int wide;    /* numbers in a row */
	float *harm; /* chance of being caught in the step that ends there */
	float *live; /* S: of being caught from there on */
	float *cost; /* V: the same with the price of what is left */
	float *leaf; /* row: S after the last step */
	float *occupied; /* by place: chance of Clyde's being there */
	float *rough;    /* by node of the value's net: leaf */
	struct pb_clyde_leg leg;
	struct pb_clyde_spread chain; /* he is on another leg, there */
	float *soon; /* by node: first step in which the robot can be there */
	int *line;   /* the n nodes where it can be in time; first a queue */
	int n;
	int around;  /* the first so many of them are near */
	int entries; /* moves from where the robot is; the first leads to the
	                node that owns the place */
	struct move entry[ENTRIES];
	struct pb_vec mid[ENTRIES]; /* half-way (m) */
};

/* Lay the tables of a search out in b. */
static void
search_in(struct search *s, struct pb_block *b)
{
	const struct pb_safe_field *f = s->f;
	size_t rows = (size_t)f->steps + 1,
	       wide = (size_t)f->net->n + 2 + ENTRIES;

	s->here = f->net->n;
	s->wide = f->net->n + 2 + ENTRIES;
	s->harm = pb_block_take(b, rows * wide, sizeof(float));
	s->live = pb_block_take(b, rows * wide, sizeof(float));
	s->cost = pb_block_take(b, rows * wide, sizeof(float));
	s->leaf = pb_block_take(b, wide, sizeof(float));
	s->occupied = pb_block_take(b, (size_t)places(f), sizeof(float));
	s->chain = pb_clyde_spread_in(b, f->chain->states);
	s->rough = pb_block_take(b, (size_t)f->value->net->n, sizeof(float));
	s->leg = pb_clyde_leg_in(b, f->ground->n);
	s->soon = pb_block_take(b, wide, sizeof(float));
	s->line = pb_block_take(b, 2 * wide, sizeof(int));
}

size_t
pb_safe_plan_bytes(const struct pb_safe_field *f)
{
	struct search s = {.f = f};
	struct pb_block b = {.at = NULL};

	search_in(&s, &b);
	return b.used;
}

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

/*
 * A move from where the robot is straight to a node in sight. It takes the turn
 * on the spot that the follower makes first; and until there is a new estimate
 * the judge sees the robot where it was.
 */
static void
add_entry(struct search *s, int x)
{
	const struct pb_safe_task *task = s->task;
	const struct pb_safe_field *f = s->f;
	struct pb_vec p = task->at, q = f->net->at[x];
	double far = pb_dist(p, q), look = task->look_d / f->speed;
	double by = 0, turn;

	if (s->entries == ENTRIES || (s->entries > 0 && s->entry[0].to == x))
		return;
	if (far > 0.05)
		by = pb_wrap(pb_atan2(q.y - p.y, q.x - p.x) - task->th);
	turn = turn_time(task, by, task->w);
	if (fabs(by) > task->look_a)
		look = fmin(look, task->look_t);
	if (far < ENTRY_NEAR && isinf(task->fetch[x]))
		turn += ENTRY_TURN;
	s->mid[s->entries] = (struct pb_vec){(p.x + q.x) / 2, (p.y + q.y) / 2};
	s->entry[s->entries] = (struct move){.to = x,
	    .steps = in_steps((far / f->speed + turn) / f->dt, 1),
	    .blind = in_steps(look / f->dt, 0),
	    .turn = in_steps(turn / f->dt, 0),
	    .half = in_steps(((far / 3 + f->lag) / f->speed + turn) / f->dt, 0),
	    .late =
		in_steps(((2 * far / 3 + f->lag) / f->speed + turn) / f->dt, 0),
	    .mid = s->here + 2 + s->entries};
	s->entries++;
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

/* Moves to the node that owns the place and to others that it can see; none if
 * the net has no node. */
static void
find_entries(struct search *s)
{
	const struct pb_safe_net *net = s->f->net;
	struct pb_vec at = s->task->at;
	int own = open_node(net, at);

	if (own < 0)
		return;
	add_entry(s, own);
	for (int x = 0; x < net->n; x++)
		if (pb_dist(net->at[x], at) < ENTRY_REACH &&
		    !(net->shut && net->shut[x]) &&
		    pb_safe_net_sees(net, at, net->at[x]))
			add_entry(s, x);
}

/* First step in which the robot can be at each node, and the list of those to
 * which it can come in time. */
static void
find_soon(struct search *s)
{
	const struct pb_safe_field *f = s->f;

	for (int x = 0; x < f->net->n; x++)
		s->soon[x] = INFINITY;
	for (int i = 0; i < s->entries; i++)
		s->soon[s->entry[i].to] = (float)s->entry[i].steps;
	pb_safe_net_distances(
	    f->net, f->edge, (float)f->steps, s->line, s->soon);
	for (int x = 0; x < f->net->n; x++)
		if (s->soon[x] <= SOON + AROUND)
			s->line[s->n++] = x;
	s->around = s->n;
	for (int x = 0; x < f->net->n; x++)
		if (s->soon[x] > SOON + AROUND && s->soon[x] <= (float)f->steps)
			s->line[s->n++] = x;
}

/*
 * Add to step t the chance of being caught by a Clyde who is at p, one of his
 * places, with a chance. For some steps the judge sees the robot off by the
 * present error, which decays while new estimates build up, about one a step.
 */
static void
add_harm(
    const struct search *s, int t, int place, struct pb_vec p, float chance)
{
	const struct pb_safe_field *f = s->f;
	const struct pb_safe_task *task = s->task;
	double left = t > SOON ? 0 : pb_pow(f->keep, t);
	struct pb_vec off = {
	    p.x - left * task->error.x, p.y - left * task->error.y};
	double around = f->kill.reach + pb_hypot(task->error.x, task->error.y);
	double drives = fmax(t * f->dt * f->speed, ENTRY_REACH / 2);
	double far = pb_dist(p, task->at);
	float *row = &s->harm[(size_t)t * (size_t)s->wide];

	if (far > around + drives + ENTRY_REACH / 2)
		return;
	row[s->here] += chance * pb_safe_kill_at(&f->kill, task->at, off);
	row[s->here + 1] += chance * pb_safe_kill_at(&f->kill, task->judged, p);
	for (int i = 0; far < around + ENTRY_REACH / 2 && i < s->entries; i++)
		row[s->here + 2 + i] +=
		    chance * pb_safe_kill_at(&f->kill, s->mid[i], off);
	/* The error may be larger than what lies near the place. */
	for (int i = 0; t <= SOON && i < s->around; i++) {
		int x = s->line[i];

		row[x] +=
		    chance * pb_safe_kill_at(&f->kill, f->net->at[x], off);
	}
	for (int j = f->first[place]; t > SOON && j < f->first[place + 1];
	     j++) {
		int x = f->near[j];

		row[x] +=
		    chance * (task->future == NULL ? f->harm[j]
						   : pb_safe_kill_at(&f->kill,
							 f->net->at[x], p));
	}
}

/* The units that he walks in a step, and the first of the leg's order that may
 * be among them. */
struct window {
	double from, to;
	int first;
};

/* This leg's part of a step; whoever ends in it joins the chain. */
static void
walk_leg(struct search *s, struct window *w, bool fine)
{
	const struct pb_clyde_leg *l = &s->leg;
	const struct pb_clyde_chain *c = s->f->chain;

	while (w->first < l->n && l->way[l->order[w->first]] < w->from)
		w->first++;
	for (int j = w->first; j < l->n; j++) {
		int i = l->order[j];
		double hi = l->way[i], lo, part;

		if (hi > w->to + 7)
			break;
		if (l->load[i] <= 0)
			continue;
		lo = l->up[i] < 0 ? -7 : l->way[l->up[i]];
		part = fmin(hi, w->to) - fmax(lo, w->from);
		if (hi >= w->from && hi < w->to)
			pb_clyde_spread_add(
			    &s->chain, c, i, PB_CLYDE_BEGINS, l->ends[i]);
		if (part > 0)
			s->occupied[fine ? i : s->f->ground->n + c->block[i]] +=
			    (float)(part * l->load[i] / (w->to - w->from));
	}
}

/* Whoever is on this leg at the end joins the chain. */
static void
end_leg(struct search *s, double walked)
{
	const struct pb_safe_field *f = s->f;
	const struct pb_clyde_leg *l = &s->leg;

	for (int j = 0; j < l->n; j++) {
		int i = l->order[j];

		if (l->load[i] > 0 && l->way[i] >= walked &&
		    (l->up[i] < 0 || l->way[l->up[i]] < walked))
			pb_clyde_spread_add(&s->chain, f->chain, i,
			    pb_clyde_leg_came(l, f->ground, f->chain, i),
			    l->load[i]);
	}
}

/* A step in which his place is not known. */
static void
step_unknown(struct search *s, int t, struct window *w)
{
	const struct pb_safe_field *f = s->f;
	const struct pb_clyde_chain *c = f->chain;
	double far = s->task->clyde * f->dt;
	bool fine = t * f->dt <= FINE_TIME;
	int nodes = f->ground->n, all = places(f);

	memset(s->occupied, 0, (size_t)all * sizeof(float));
	pb_clyde_spread_walk(&s->chain, c, far);
	w->from = w->to;
	w->to = t * far / f->ground->unit;
	walk_leg(s, w, fine);
	for (int i = 0; i < s->chain.n; i++) {
		int x = s->chain.state[i];

		s->occupied[nodes + c->where[x]] += s->chain.p[x];
	}
	for (int i = fine ? 0 : nodes; i < all; i++)
		if (s->occupied[i] > FAINT)
			add_harm(s, t, i, place_at(f, i), s->occupied[i]);
}

/* A known future; the state of the chain in which it ends. */
static void
step_known(struct search *s)
{
	const struct pb_safe_field *f = s->f;
	const struct pb_vec *at = s->task->future;
	struct pb_clyde_belief b;

	pb_clyde_belief_reset(&b, f->ground, at[0], 0);
	for (int t = 1; t <= f->steps; t++) {
		add_harm(s, t, b.node, at[t - 1], 0.5f);
		pb_clyde_belief_see(
		    &b, f->ground, f->chain, at[t], t * f->dt, s->task->clyde);
		add_harm(s, t, b.node, at[t], 0.5f);
	}
	pb_clyde_spread_add(&s->chain, f->chain, b.node, b.came, 1);
}

/* The mean value of fleeing over where he may be in the end. */
static void
fill_leaf(struct search *s)
{
	const struct pb_safe_value *v = s->f->value;
	int nodes = v->net->n;
	float sum = 0;

	memset(s->rough, 0, (size_t)nodes * sizeof(float));
	for (int i = 0; i < s->chain.n; i++) {
		int x = s->chain.state[i];
		const float *risk = &v->risk[(size_t)x * (size_t)nodes];
		float p = s->chain.p[x];

		if (p < FAINT_STATE)
			continue;
		sum += p;
		for (int k = 0; k < nodes; k++)
			s->rough[k] += p * risk[k];
	}
	for (int x = 0; x < s->f->net->n; x++)
		s->leaf[x] = sum > 0 ? s->rough[s->f->flees[x]] / sum : 0;
}

/* Fill the table of harm, and what is after the last step. */
static void
forecast(struct search *s)
{
	const struct pb_safe_field *f = s->f;
	size_t all = ((size_t)f->steps + 1) * (size_t)s->wide;
	struct window w = {.to = 0};

	memset(s->harm, 0, all * sizeof(float));
	pb_clyde_spread_clear(&s->chain, f->chain);
	if (s->task->future != NULL) {
		step_known(s);
	} else {
		pb_clyde_belief_leg(s->task->belief, f->ground, &s->leg);
		for (int t = 1; t <= f->steps; t++)
			step_unknown(s, t, &w);
		end_leg(s, w.to);
	}
	for (size_t i = 0; i < all; i++)
		s->harm[i] = pb_lesser(s->harm[i], 1);
	fill_leaf(s);
}

/* After the last step: flee for ever, pay for the shortest rest. The robot
 * stands beside its first entry. */
static void
solve_last(struct search *s)
{
	size_t base = (size_t)s->f->steps * (size_t)s->wide;
	float price = (float)s->task->price;

	for (int i = 0; i <= s->here; i++) {
		int x = i < s->here ? i : s->entry[0].to;

		s->live[base + (size_t)i] = s->leaf[x];
		s->cost[base + (size_t)i] =
		    s->leaf[x] +
		    price * pb_lesser(s->task->rest[x], s->task->fetch[x]);
	}
}

/* The j-th move from x; to -1: there are no more. */
static struct move
move_from(const struct search *s, int x, int j)
{
	const struct pb_safe_net *net = s->f->net;

	if (x == s->here)
		return j < s->entries ? s->entry[j] : (struct move){.to = -1};
	j += net->first[x];
	if (j >= net->first[x + 1])
		return (struct move){.to = -1};
	return (struct move){.to = net->to[j],
	    .steps = (int)s->f->edge[j],
	    .half = s->f->half[j]};
}

/* Chance of being caught on a move from x, begun after step t. */
static float
move_harm(const struct search *s, int t, int x, const struct move *m)
{
	const float *row = &s->harm[(size_t)(t + 1) * (size_t)s->wide];
	float sum = 0;

	for (int i = 0; i < m->steps; i++, row += s->wide) {
		if (i < m->blind)
			sum += row[s->here + 1];
		else if (i < m->turn)
			sum += TURN_LOOKS * row[x];
		else
			sum += row[i < m->half   ? x
				   : i < m->late ? m->mid
						 : m->to];
	}
	return sum;
}

enum { WAIT = -1, FETCH = -2 };

/* Solve both games for node x after step t. Returns the best move, or WAIT or
 * FETCH. */
static int
solve(struct search *s, int t, int x)
{
	size_t at = (size_t)t * (size_t)s->wide + (size_t)x;
	size_t then = at + (size_t)s->wide;
	float price = (float)(s->task->price * s->f->dt), least, fetch;
	float wait = s->harm[x == s->here ? then + 1 : then];
	struct move m;
	int best = WAIT;

	s->live[at] = wait + s->live[then];
	s->cost[at] = wait + s->cost[then] + price;
	least = s->cost[at] + (x == s->here ? price * IDLE : 0);
	for (int j = 0; (m = move_from(s, x, j)).to >= 0; j++) {
		float h, c;

		if (t + m.steps > s->f->steps)
			continue;
		h = move_harm(s, t, x, &m);
		then = (size_t)(t + m.steps) * (size_t)s->wide + (size_t)m.to;
		s->live[at] = pb_lesser(h + s->live[then], s->live[at]);
		c = h + s->cost[then] + price * (float)m.steps;
		if (c < least) {
			least = c;
			best = j;
		}
	}
	s->cost[at] = pb_lesser(least, s->cost[at]);
	fetch = x == s->here
	            ? INFINITY
	            : s->live[at] + (float)s->task->price * s->task->fetch[x];
	if (fetch > s->cost[at])
		return best;
	s->cost[at] = fetch;
	return FETCH;
}

/* Follow the best moves until the first wait. */
static void
trace(struct search *s, struct pb_safe_plan *p)
{
	int x = s->here;

	for (int t = 0; t < s->f->steps;) {
		int j = solve(s, t, x);
		struct move m;

		p->fetch = j == FETCH;
		if (j < 0)
			return;
		m = move_from(s, x, j);
		p->node[p->n++] = x = m.to;
		t += m.steps;
	}
}

struct pb_safe_plan
pb_safe_plan_make(
    const struct pb_safe_field *f, const struct pb_safe_task *task, void *work)
{
	struct search s = {.f = f, .task = task};
	struct pb_block b = {.at = work};
	struct pb_safe_plan p = {.n = 0};

	search_in(&s, &b);
	find_entries(&s);
	if (s.entries == 0)
		return p;
	find_soon(&s);
	forecast(&s);
	solve_last(&s);
	for (int t = f->steps - 1; t >= 0; t--) {
		for (int i = 0; i < s.n; i++)
			if (s.soon[s.line[i]] <= (float)t)
				solve(&s, t, s.line[i]);
		solve(&s, t, s.here);
	}
	p.cost = s.cost[s.here];
	p.risk = s.live[s.here];
	trace(&s, &p);
	return p;
}
