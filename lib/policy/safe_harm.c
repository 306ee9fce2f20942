/*
 * safe_harm.c - the chance of being caught: by the judge, by place and time,
 * for good.
 */
#include "policy/safe_harm.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"

/* Below this the error is nothing beside the cells of a map (m). */
#define LEAST_SD 0.005

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

enum { LANES = PB_SAFE_LANES };

/*
 * Costs are kept by group of LANES nodes, state and lane. Most of them are 0
 * for good: what Clyde cannot come to from a state in time is not worked out.
 */
struct work {
	const struct pb_safe_net *net;
	const struct pb_clyde_chain *chain;
	const struct pb_safe_kill *kill;
	int parts;     /* steps of Clyde in one of the robot's */
	float *go;     /* states: chance of leaving in a part */
	float *caught; /* of being caught in a part, by group of nodes, block
	                  and lane */
	int *edge;     /* by edge of the net: where its end is in costs */
	int *first;    /* states + 1: start in from; */
	int *from;     /* states that a state follows */
	float *was, *next;   /* costs, before and after */
	unsigned char *live; /* by group and state: LIVE if there may be a
	                        cost, SPREAD if so before it, too */
	struct pb_pool pool; /* of all but one of the costs */
};

enum { LIVE = 1, SPREAD = 2 };

static int
groups_of(const struct pb_safe_net *net)
{
	return (net->n + LANES - 1) / LANES;
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

/* What each place of Clyde's does to each node. */
static void
fill_caught(struct work *k)
{
	const struct pb_clyde_chain *c = k->chain;

	for (int x = 0; x < k->net->n; x++) {
		int g = x / LANES, lane = x % LANES;
		float *caught = &k->caught[LANES * g * c->blocks + lane];

		for (int b = 0; b < c->blocks; b++)
			caught[LANES * b] =
			    pb_safe_kill_at(k->kill, k->net->at[x], c->at[b]);
		for (int s = 0; s < c->states; s++)
			if (caught[LANES * c->where[s]] > 0)
				k->live[g * c->states + s] = LIVE;
	}
}

/* The links of the chain, backwards. */
static void
fill_from(struct work *k)
{
	const struct pb_clyde_chain *c = k->chain;

	for (int j = 0; j < c->first[c->states]; j++)
		k->first[c->to[j]]++;
	for (int s = 0; s < c->states; s++)
		k->first[s + 1] += k->first[s];
	for (int s = 0; s < c->states; s++)
		for (int j = c->first[s]; j < c->first[s + 1]; j++)
			k->from[--k->first[c->to[j]]] = s;
}

static bool
work_init(struct work *k, const struct pb_safe_value *v)
{
	const struct pb_clyde_chain *c = k->chain;
	size_t s = (size_t)c->states, groups = (size_t)groups_of(k->net);
	size_t edges = (size_t)k->net->first[k->net->n];
	double walk = v->step * v->speed, least = 0;

	k->go = pb_pool_get(&k->pool, s, sizeof(float));
	k->caught = pb_pool_get(
	    &k->pool, groups * (size_t)c->blocks * LANES, sizeof(float));
	k->edge = pb_pool_get(&k->pool, edges, sizeof(int));
	k->first = pb_pool_get(&k->pool, s + 1, sizeof(int));
	k->from = pb_pool_get(&k->pool, (size_t)c->first[s], sizeof(int));
	k->was = v->risk;
	k->next = pb_pool_get(&k->pool, groups * s * LANES, sizeof(float));
	k->live = pb_pool_get(&k->pool, groups * s, 1);
	if (k->pool.failed)
		return false;
	fill_caught(k);
	fill_from(k);
	for (size_t j = 0; j < edges; j++)
		k->edge[j] = pb_safe_value_row(k->net->to[j], c->states);
	/* A part is short enough that the mean visit lasts one or longer. */
	for (int i = 0; i < c->states; i++)
		least += c->mass[i] > 0 ? c->mass[i] / c->stay[i] : 0;
	k->parts = (int)ceil(walk * least - 1e-9);
	k->parts = k->parts < 1 ? 1 : k->parts > 8 ? 8 : k->parts;
	for (int i = 0; i < c->states; i++)
		k->go[i] = pb_lesser((float)(walk / k->parts) / c->stay[i], 1);
	return true;
}

/* What state s costs a group of nodes: Clyde may catch the robot, or moves on.
 */
static void
stand_in(const struct work *k, int s, const float *was,
    const float *restrict hit, float *restrict out)
{
	const struct pb_clyde_chain *c = k->chain;
	const float *at = &was[LANES * s];
	float go = k->go[s], on[LANES] = {0};

	for (int j = c->first[s]; j < c->first[s + 1]; j++)
		for (int i = 0; i < LANES; i++)
			on[i] += c->chance[j] * was[LANES * c->to[j] + i];
	for (int i = 0; i < LANES; i++) {
		on[i] = at[i] + go * (on[i] - at[i]);
		out[i] = on[i] + hit[i] * (1 - on[i]);
	}
}

/* What costs a group something does so in the states before it. */
static void
spread(const struct work *k, unsigned char *live, int s, const float *cost)
{
	for (int i = 0; i < LANES; i++)
		if (cost[i] > 0)
			live[s] = SPREAD;
	for (int j = k->first[s]; live[s] == SPREAD && j < k->first[s + 1]; j++)
		if (live[k->from[j]] == 0)
			live[k->from[j]] = LIVE;
}

/* Costs to a group of nodes, given what it costs after a part of a step of
 * Clyde's. */
static void
stand(const struct work *k, int g)
{
	const struct pb_clyde_chain *c = k->chain;
	size_t base = (size_t)g * (size_t)c->states;
	const float *was = &k->was[LANES * base];
	const float *caught = &k->caught[LANES * g * c->blocks];
	float *next = &k->next[LANES * base];
	unsigned char *live = &k->live[base];

	for (int s = 0; s < c->states; s++) {
		if (live[s] == 0)
			continue;
		stand_in(
		    k, s, was, &caught[LANES * c->where[s]], &next[LANES * s]);
		if (live[s] == LIVE)
			spread(k, live, s, &next[LANES * s]);
	}
}

/* The best of staying and moving. */
static float
best_of(const struct work *k, int x, const float *cost, float least)
{
	const struct pb_safe_net *net = k->net;

	for (int j = net->first[x]; j < net->first[x + 1]; j++)
		least = pb_lesser(cost[k->edge[j]], least);
	return least;
}

/* The same for a group of nodes and every state. */
static void
choose(const struct work *k, int g, float keep)
{
	size_t states = (size_t)k->chain->states, base = (size_t)g * states;
	int x = LANES * g;
	int lanes = k->net->n - x < LANES ? k->net->n - x : LANES;

	for (size_t s = 0; s < states; s++) {
		const float *stay = &k->was[LANES * (base + s)];
		float *out = &k->next[LANES * (base + s)];

		if (k->live[base + s] != SPREAD)
			continue;
		for (int i = 0; i < lanes; i++)
			out[i] = stay[i] <= 0
			             ? 0
			             : keep * best_of(k, x + i,
						  &k->was[LANES * s], stay[i]);
	}
}

static void
swap(struct work *k)
{
	float *was = k->was;

	k->was = k->next;
	k->next = was;
}

/* Fill v->risk. Returns whether there was memory for it. */
static bool
solve(struct pb_safe_value *v, struct work *k, double horizon)
{
	float keep = (float)pb_exp(-v->step / horizon);
	/* After half a horizon what is missing is about the same everywhere, so
	 * that nobody chooses by it: three times as long played no better. */
	int sweeps = (int)ceil(0.5 * horizon / v->step);
	int groups = groups_of(k->net);
	bool ok = work_init(k, v);

	for (int i = 0; ok && i < sweeps; i++) {
		for (int j = 0; j < k->parts; j++, swap(k))
			for (int g = 0; g < groups; g++)
				stand(k, g);
		for (int g = 0; g < groups; g++)
			choose(k, g, keep);
		swap(k);
	}
	if (ok && k->was != v->risk)
		memcpy(v->risk, k->was,
		    (size_t)groups * (size_t)v->states * LANES * sizeof(float));
	pb_pool_clear(&k->pool);
	return ok;
}

enum pb_status
pb_safe_value_init(struct pb_safe_value *v, const struct pb_safe_net *net,
    const struct pb_clyde_chain *c, const struct pb_safe_kill *kill,
    double speed, double clyde, double horizon, struct pb_pool *pool)
{
	struct work k = {.net = net, .chain = c, .kill = kill};
	size_t n = (size_t)groups_of(net) * (size_t)c->states * LANES;

	*v = (struct pb_safe_value){.net = net,
	    .states = c->states,
	    .step = mean_edge(net) / speed,
	    .speed = clyde,
	    .risk = pb_pool_get(pool, n, sizeof(float))};
	if (v->risk == NULL || !solve(v, &k, horizon))
		return PB_ENOMEM;
	return PB_OK;
}

/* Chances below this are not followed up. */
#define FAINT 2e-4f

/* Beyond this (s) coarse blocks tell well enough where Clyde is. */
#define FINE_TIME 3.0

/* Steps in which the present error lasts. */
#define SOON 4

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
	double reach = f->kill.reach + block_radius(f);
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

/* The nodes near each coarse block, after they were counted. */
static bool
find_near(struct pb_safe_field *f, struct pb_pool *pool)
{
	int n = 0, blocks = f->chain->blocks;

	f->first = pb_pool_get(pool, (size_t)blocks + 1, sizeof(int));
	if (f->first == NULL)
		return false;
	for (int b = 0; b < blocks; b++) {
		f->first[b] = n;
		n += count_near(f, b, NULL);
	}
	f->first[blocks] = n;
	f->near = pb_pool_get(pool, (size_t)n, sizeof(int));
	f->harm = pb_pool_get(pool, (size_t)n, sizeof(float));
	for (int b = 0; !pool->failed && b < blocks; b++) {
		count_near(f, b, &f->near[f->first[b]]);
		for (int j = f->first[b]; j < f->first[b + 1]; j++)
			f->harm[j] = pb_safe_kill_at(
			    &f->kill, f->chain->at[b], f->net->at[f->near[j]]);
	}
	return !pool->failed;
}

static unsigned char
in_steps(double x, double least)
{
	return (unsigned char)(fmin(fmax(x, least), 200) + 0.5);
}

enum pb_status
pb_safe_field_init(struct pb_safe_field *f, struct pb_pool *pool)
{
	int edges = f->net->first[f->net->n];

	f->edge = pb_pool_get(pool, (size_t)edges, sizeof(float));
	f->half = pb_pool_get(pool, (size_t)edges, 1);
	f->flees = pb_pool_get(pool, (size_t)f->net->n, sizeof(int));
	if (!find_near(f, pool))
		return PB_ENOMEM;
	for (int j = 0; j < edges; j++) {
		double step = f->speed * f->dt, len = f->net->len[j];

		f->edge[j] = in_steps(len / step, 1);
		f->half[j] = in_steps((len / 2 + f->lag) / step, 0);
	}
	for (int x = 0; x < f->net->n; x++)
		f->flees[x] = pb_safe_net_at(f->value->net, f->net->at[x]);
	return PB_OK;
}

int
pb_safe_field_reach(const struct pb_safe_field *f, double clyde)
{
	double walk = f->steps * clyde * f->dt / f->walk->unit;

	/* A diagonal more, and one from there on. */
	return (int)fmin(
	    ceil(walk) + 2 * PB_SAFE_DIAGONAL, PB_CLYDE_NO_WAY / 2);
}

/* A step being filled in. */
struct step {
	const struct pb_safe_field *f;
	const struct pb_safe_robot *robot;
	struct pb_vec error; /* the judge sees it off by this */
	double near;         /* Clyde farther from the robot than this cannot
	                        harm it (m) */
	double near_spots;   /* the same of its spots (m) */
	bool coarse;         /* blocks will do */
	struct window window;
	float *row;                    /* of the table */
	struct pb_clyde_spread *chain; /* he is on another leg, there */
	float *block; /* coarse blocks: chance that he is there */
};

/*
 * Add the risk from Clyde at p, with a chance, to the robot close by; for the
 * judge he is at `off` from a robot that moves.
 */
static void
stamp_here(
    const struct step *s, struct pb_vec p, struct pb_vec off, float chance)
{
	const struct pb_safe_kill *kill = &s->f->kill;
	const struct pb_safe_robot *r = s->robot;
	float *here = s->row + s->f->net->n;

	here[PB_SAFE_STANDS] += chance * pb_safe_kill_at(kill, r->judged, p);
	here[PB_SAFE_TURNS] += chance * pb_safe_kill_at(kill, r->at, off);
	if (pb_dist(p, r->at) > s->near_spots)
		return;
	for (int j = 0; j < r->spots; j++)
		here[PB_SAFE_SPOT + j] +=
		    chance * pb_safe_kill_at(kill, r->spot[j], off);
}

/* Add the risk from Clyde at p, in coarse block b, with a chance. */
static void
stamp_place(const struct step *s, struct pb_vec p, int b, float chance)
{
	const struct pb_safe_field *f = s->f;
	struct pb_vec off = {p.x - s->error.x, p.y - s->error.y};

	if (pb_dist(p, s->robot->at) > s->near)
		return;
	for (int j = f->first[b]; j < f->first[b + 1]; j++)
		s->row[f->near[j]] += chance * pb_safe_kill_at(&f->kill,
						   f->net->at[f->near[j]], off);
	stamp_here(s, p, off, chance);
}

/* This leg's part of a step; whoever ends in it joins the chain. */
static void
stamp_leg(struct step *s, const struct pb_clyde_ways *ways)
{
	const struct pb_safe_tree *t = &ways->tree;
	const struct pb_clyde_chain *c = s->f->chain;
	struct window *w = &s->window;

	while (w->first < t->count && t->dist[t->order[w->first]] < w->from)
		w->first++;
	for (int j = w->first; j < t->count; j++) {
		int i = t->order[j], up = t->up[i], b = c->block[i];
		double lo = up < 0 ? -7 : t->dist[up], hi = t->dist[i];
		double part = fmin(hi, w->to) - fmax(lo, w->from);

		if (hi > w->to + 7)
			break;
		if (hi >= w->from && hi < w->to)
			pb_clyde_spread_add(s->chain,
			    c->way[9 * b + PB_SAFE_BEGIN], ways->ends[i]);
		part *= ways->load[i] / (w->to - w->from);
		if (part <= FAINT)
			continue;
		if (s->coarse)
			s->block[b] += (float)part;
		else
			stamp_place(s, s->f->walk->at[i], b, (float)part);
	}
}

/* What he does once this leg is over, and what was left to blocks. */
static void
stamp_blocks(const struct step *s)
{
	const struct pb_safe_field *f = s->f;
	const struct pb_clyde_chain *c = f->chain;

	for (int i = 0; i < s->chain->n; i++) {
		int x = s->chain->state[i];

		s->block[c->where[x]] += s->chain->p[x];
	}
	for (int b = 0; b < c->blocks; b++) {
		float chance = s->block[b];

		if (chance <= FAINT ||
		    pb_dist(c->at[b], s->robot->at) > s->near)
			continue;
		for (int j = f->first[b]; j < f->first[b + 1]; j++)
			s->row[f->near[j]] += chance * f->harm[j];
		stamp_here(s, c->at[b], c->at[b], chance);
	}
}

/* Whoever is on this leg at the end of the table joins the chain. */
static void
end_leg(struct step *s, const struct pb_clyde_ways *ways)
{
	const struct pb_safe_tree *t = &ways->tree;

	for (int j = 0; j < t->count; j++) {
		int i = t->order[j], up = t->up[i];

		if (t->dist[i] > s->window.to + 7)
			break;
		if (t->dist[i] >= s->window.to &&
		    (up < 0 || t->dist[up] < s->window.to))
			pb_clyde_spread_add(s->chain,
			    pb_clyde_ways_state(ways, s->f->chain, i),
			    ways->load[i]);
	}
}

/* Step t of a known future: Clyde goes from place t - 1 to place t. */
static void
stamp_future(const struct step *s, const struct pb_vec *future, int t)
{
	for (int i = t - 1; i <= t; i++)
		stamp_place(s, future[i],
		    pb_clyde_chain_at(s->f->chain, s->f->walk, future[i]),
		    0.5f);
}

/* Mean risk over where Clyde may be at the end of the table. */
static void
fill_leaf(const struct pb_safe_field *f, const float *soon,
    struct pb_clyde_spread *chain, float *leaf)
{
	const struct pb_safe_value *v = f->value;
	float sum = 0;
	int n = 0, *list = chain->state;

	for (int i = 0; i < chain->n; i++) {
		int s = chain->state[i];

		if (chain->p[s] < 1e-3f)
			continue;
		list[n++] = s;
		sum += chain->p[s];
	}
	for (int x = 0; x < f->net->n; x++) {
		const float *risk =
		    &v->risk[pb_safe_value_row(f->flees[x], v->states)];
		float r = 0;

		for (int k = 0; soon[x] <= (float)f->steps && k < n; k++)
			r += chain->p[list[k]] * risk[LANES * list[k]];
		leaf[x] = sum > 0 ? r / sum : 0;
	}
}

/* The present error of the estimate decays while new ones build up: about one
 * estimate a step. */
static void
set_error(struct step *s, int t)
{
	const struct pb_safe_robot *r = s->robot;
	double left = t > SOON ? 0 : pb_pow(s->f->keep, t);

	s->error = (struct pb_vec){r->error.x * left, r->error.y * left};
	s->near_spots = s->f->kill.reach + pb_dist(r->judged, r->at) +
	                pb_hypot(s->error.x, s->error.y) + r->within[0];
	s->near = s->near_spots + r->within[t] - r->within[0];
}

void
pb_safe_harm_fill(const struct pb_safe_field *f,
    const struct pb_clyde_ways *ways, const struct pb_vec *future, double clyde,
    const struct pb_safe_robot *robot, struct pb_clyde_spread *chain,
    float *block, float *harm, float *leaf)
{
	size_t wide = (size_t)f->net->n + PB_SAFE_EXTRAS;
	double walk = clyde * f->dt / f->walk->unit;
	struct step s = {
	    .f = f, .robot = robot, .chain = chain, .block = block};

	pb_clyde_spread_clear(chain, f->chain);
	for (int t = 1; t <= f->steps; t++) {
		s.row = harm + (size_t)t * wide;
		memset(s.row, 0, wide * sizeof(*s.row));
		set_error(&s, t);
		if (future != NULL) {
			stamp_future(&s, future, t);
			continue;
		}
		memset(s.block, 0, (size_t)f->chain->blocks * sizeof(float));
		pb_clyde_spread_step(chain, f->chain, clyde * f->dt);
		s.window.from = s.window.to;
		s.window.to = t * walk;
		s.coarse = t * f->dt > FINE_TIME;
		stamp_leg(&s, ways);
		stamp_blocks(&s);
		for (size_t x = 0; x < wide; x++)
			s.row[x] = s.row[x] < 1 ? s.row[x] : 1;
	}
	if (future != NULL)
		pb_clyde_spread_add(chain,
		    pb_clyde_chain_state(
			f->chain, f->walk, future, f->steps + 1),
		    1);
	else
		end_leg(&s, ways);
	fill_leaf(f, robot->soon, chain, leaf);
}
