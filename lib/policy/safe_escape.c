/* safe_escape.c - ways on which those that hunt do not catch the robot. */
#include "policy/safe_escape.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"

/* Ways that are gone on with from each step, how many there may be before the
 * worst are dropped, and places to look up which are alike. */
#define WIDTH 60
#define ROOM  240
#define MET   512

/* Of 64 bits those that are left of a place. */
#define MET_SHIFT 55

/*
 * A robot turns on the spot where the cosine of the angle between two edges is
 * less than this; directions are alike if both their parts are the same side
 * of the second.
 */
#define TURNS_AT 0.4
#define ASIDE    0.38F

/*
 * To wait costs so much more, less by and by until the last step. Ways end
 * there: most lose nothing if they wait first, and so it would wait for ever.
 */
#define IDLE 0.05

/* A robot on its way, at the end of a step. */
struct state {
	float cost;   /* of the way so far: risk and price of time */
	float risk;   /* of being caught on it */
	float score;  /* cost, and what is to come */
	uint64_t key; /* the same for those with nearly the same future */
	int up;       /* the state before: step * ROOM + place; -1: it stood */
	int node;     /* -1: it stands where it stood */
	int entry;    /* by which it set out ... */
	int delay;    /* ... after so many steps */
	float rest;   /* time for the rest, once something is fetched (s); < 0:
	                 nothing is */
	float x, y;   /* direction in which it drove last, of length 1 */
	struct pb_safe_hound hound[PB_HUNTERS - 1];
};

/* States at the end of a step. */
struct layer {
	int n;
	float worst; /* who costs as much need not be put there */
	struct state s[ROOM];
	short met[MET]; /* by key: place + 1, 0: none */
};

struct search {
	const struct pb_safe_escape *e;
	const struct pb_safe_pack *pack;
	struct layer *layer; /* steps + 1 */
	struct state done;   /* the best that ends the round, node -1: none */
};

/* What lies in the memory of a search. */
static struct layer *
layers_in(const struct pb_safe_field *f, struct pb_block *b)
{
	return pb_block_take(b, (size_t)f->steps + 1, sizeof(struct layer));
}

size_t
pb_safe_escape_bytes(const struct pb_safe_field *f)
{
	struct pb_block b = {.at = NULL};

	layers_in(f, &b);
	return f->hunted ? b.used : 0;
}

static int
node_of(const struct search *l, const struct state *s)
{
	return s->node < 0 ? l->e->in->e[0].node : s->node;
}

/* What a state has cost, and what is to come. */
static float
score_of(const struct search *l, const struct state *s)
{
	const struct pb_safe_task *t = l->e->task;
	int node = node_of(l, s), x = l->e->field->flees[node];
	float rest =
	    s->rest < 0 ? pb_lesser(t->rest[node], t->fetch[node]) : s->rest;
	float sum = s->cost + l->e->leaf[node] + (float)t->price * rest;

	for (int i = 0; i < l->pack->n; i++)
		sum += pb_safe_chase_worth(t->chase, x, &s->hound[i]);
	return sum;
}

/* All that makes a difference: 17 bits, and as many as a block takes by each
 * hunter. */
static uint64_t
key_of(const struct search *l, const struct state *s)
{
	const struct pb_clyde_chain *c = l->e->field->chain;
	uint64_t k = (uint64_t)(s->node + 1) * 2 + (s->rest >= 0);

	k = k * 8 + (s->x > ASIDE) + 2 * (s->y > ASIDE) + 4 * (s->x < -ASIDE);
	for (int i = 0; i < l->pack->n; i++)
		k = k * (uint64_t)c->blocks +
		    (uint64_t)c->block[s->hound[i].node];
	return k;
}

/* Where to look a key up, or where it is to be put: first by the golden
 * ratio (Knuth, "The Art of Computer Programming", 6.4). */
static short *
find(struct layer *y, uint64_t key)
{
	size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> MET_SHIFT);

	while (y->met[at] != 0 && y->s[y->met[at] - 1].key != key)
		at = (at + 1) % MET;
	return &y->met[at];
}

/* Part the states lo..hi: those up to *lo cost no more than those from *hi. */
static void
part(struct state *s, int *lo, int *hi)
{
	float pivot = s[*lo + (*hi - *lo) / 2].score;
	int i = *lo, j = *hi;

	while (i <= j) {
		while (s[i].score < pivot)
			i++;
		while (s[j].score > pivot)
			j--;
		if (i <= j) {
			struct state was = s[i];

			s[i++] = s[j];
			s[j--] = was;
		}
	}
	*lo = j;
	*hi = i;
}

/* Drop all but the best. */
static void
thin(struct layer *y)
{
	int lo = 0, hi = y->n - 1;

	if (y->n <= WIDTH)
		return;
	while (lo < hi) {
		int below = lo, above = hi;

		part(y->s, &below, &above);
		if (below < WIDTH - 1)
			lo = above;
		if (above > WIDTH - 1)
			hi = below;
	}
	y->n = WIDTH;
	y->worst = 0;
	memset(y->met, 0, sizeof(y->met));
	for (int i = 0; i < y->n; i++) {
		if (y->s[i].score > y->worst)
			y->worst = y->s[i].score;
		*find(y, y->s[i].key) = (short)(i + 1);
	}
}

/* A way leads to a state at the end of step t. */
static void
put(struct search *l, int t, struct state *s)
{
	struct layer *y = &l->layer[t];
	short *at;

	s->score = score_of(l, s);
	s->key = key_of(l, s);
	if (s->score >= y->worst)
		return;
	at = find(y, s->key);
	if (*at == 0 && y->n == ROOM) {
		thin(y);
		if (s->score >= y->worst)
			return;
		at = find(y, s->key);
	}
	if (*at == 0)
		*at = (short)++y->n;
	else if (s->score >= y->s[*at - 1].score)
		return;
	y->s[*at - 1] = *s;
}

/* It comes to its node at the end of step t, and may fetch what lies there. */
static void
arrive(struct search *l, int t, struct state *s)
{
	float rest = l->e->task->fetch[s->node];

	put(l, t, s);
	if (s->rest >= 0 || isinf(rest))
		return;
	s->rest = rest;
	if (!l->e->task->last) {
		put(l, t, s);
		return;
	}
	s->score = s->cost;
	if (l->done.node < 0 || s->score < l->done.score)
		l->done = *s;
}

/* Where the robot is seen in a step, and how. */
struct sight {
	struct pb_vec at;
	int block;                     /* nearest to it where hunters can be */
	const struct pb_safe_kill *by; /* chance of being caught, by distance */
	float looks;                   /* estimates in the step */
	float harm;                    /* what Clyde does, in one */
};

/* The hunters walk in a step that ends t steps from now. */
static void
pass(const struct search *l, int t, const struct sight *v, struct state *s)
{
	const struct pb_safe_field *f = l->e->field;
	const struct pb_safe_task *task = l->e->task;
	struct pb_safe_prey prey = {v->at, v->block, s->x, s->y};
	float risk = v->harm;

	pb_safe_chase_step(
	    task->chase, l->pack, &prey, t * f->dt, f->dt, s->hound);
	for (int i = 0; i < l->pack->n; i++)
		if (l->pack->hunter[i].calm < t * f->dt)
			risk += pb_safe_kill_at(
			    v->by, v->at, f->walk->at[s->hound[i].node]);
	s->risk += v->looks * risk;
	s->cost += v->looks * risk + (float)(task->price * f->dt);
}

/* Seen at a node in a step that ends t steps from now. */
static void
pass_at(const struct search *l, int t, int x, float looks, struct state *s)
{
	const struct pb_safe_field *f = l->e->field;
	size_t wide = (size_t)f->net->n + PB_SAFE_EXTRAS;
	struct sight v = {f->net->at[x], l->e->task->chase->goal[x], &f->moving,
	    looks, l->e->harm[(size_t)t * wide + (size_t)x]};

	pass(l, t, &v, s);
}

/* Steps of turning on the spot before it drives in another direction. */
static int
turning(const struct search *l, const struct state *s, float x, float y)
{
	double along = s->x * x + s->y * y, dt = l->e->field->dt, by;

	if (along >= TURNS_AT)
		return 0;
	by = fabs(pb_atan2(s->x * y - s->y * x, along));
	return (int)(pb_safe_turn_time(l->e->task, by, 0) / dt + 0.5);
}

/* By edge j, from a state at the end of step t. */
static void
drive(struct search *l, int t, int j, struct state s)
{
	const struct pb_safe_field *f = l->e->field;
	int x = s.node, y = f->net->to[j], turn;
	struct pb_vec from = f->net->at[x], to = f->net->at[y];
	double len = pb_dist(from, to);
	float dx = (float)((to.x - from.x) / len);
	float dy = (float)((to.y - from.y) / len);

	turn = turning(l, &s, dx, dy);
	if (t + turn + f->edge[j] > f->steps)
		return;
	for (int k = 0; k < turn; k++)
		pass_at(l, ++t, x, PB_SAFE_TURN_LOOKS, &s);
	s.x = dx;
	s.y = dy;
	for (int k = 0; k < f->edge[j]; k++)
		pass_at(l, ++t, k < f->half[j] ? x : y, 1, &s);
	s.node = y;
	arrive(l, t, &s);
}

/* What it costs more to wait after step t. */
static float
idle(const struct search *l, int t)
{
	const struct pb_safe_field *f = l->e->field;

	return (float)(IDLE * l->e->task->price * f->dt * (f->steps - t) /
		       f->steps);
}

/* All that can follow state i at the end of step t. */
static void
go_on(struct search *l, int t, int i)
{
	const struct pb_safe_net *net = l->e->field->net;
	struct state s = l->layer[t].s[i];

	s.up = t * ROOM + i;
	for (int j = net->first[s.node]; j < net->first[s.node + 1]; j++)
		drive(l, t, j, s);
	pass_at(l, t + 1, s.node, 1, &s);
	s.cost += idle(l, t);
	put(l, t + 1, &s);
}

/* What is seen in step k of the way by entry i, which begins after step t. */
static struct sight
entry_sight(const struct search *l, int t, int i, int k)
{
	const struct pb_safe_field *f = l->e->field;
	const struct pb_safe_task *task = l->e->task;
	const struct pb_safe_entry *in = &l->e->in->e[i];
	size_t n = (size_t)f->net->n, wide = n + PB_SAFE_EXTRAS;
	size_t at = pb_safe_entry_place(f, in, i, k);
	int near = k < in->turn ? l->e->in->e[0].node : in->node;
	bool turns = k < in->turn && k >= in->blind;
	struct sight v = {f->net->at[in->node], task->chase->goal[near],
	    &f->moving, turns ? PB_SAFE_TURN_LOOKS : 1,
	    l->e->harm[(size_t)(t + 1 + k) * wide + at]};

	if (at == n + PB_SAFE_STANDS) {
		v.at = task->judged;
		v.by = &f->still;
	} else if (at == n + PB_SAFE_TURNS) {
		v.at = task->at;
	} else if (at >= n + PB_SAFE_SPOT) {
		v.at = l->e->in->spot[i];
	}
	return v;
}

/* Set out by entry i, from standing until the end of step t. */
static void
set_out(struct search *l, int t, int i, struct state s)
{
	const struct pb_safe_field *f = l->e->field;
	const struct pb_safe_entry *in = &l->e->in->e[i];
	struct pb_vec to = f->net->at[in->node], from = l->e->task->at;

	if (t + in->delay > f->steps)
		return;
	for (int k = 0; k < in->delay; k++) {
		struct sight v = entry_sight(l, t, i, k);

		if (k == in->turn && in->far > 0) {
			s.x = (float)((to.x - from.x) / in->far);
			s.y = (float)((to.y - from.y) / in->far);
		}
		pass(l, t + 1 + k, &v, &s);
	}
	s.node = in->node;
	s.entry = i;
	s.delay = t;
	arrive(l, t + in->delay, &s);
}

/* Stand, and set out after each step. */
static void
stand(struct search *l)
{
	const struct pb_safe_field *f = l->e->field;
	const struct pb_safe_task *task = l->e->task;
	size_t n = (size_t)f->net->n, wide = n + PB_SAFE_EXTRAS;
	struct state s = {.up = -1, .node = -1, .entry = -1, .rest = -1};
	struct sight v = {.at = task->judged,
	    .block = task->chase->goal[l->e->in->e[0].node],
	    .by = &f->still,
	    .looks = 1};

	s.x = (float)pb_cos(task->th);
	s.y = (float)pb_sin(task->th);
	for (int i = 0; i < l->pack->n; i++)
		s.hound[i] = pb_safe_hound_at(task->chase, &l->pack->hunter[i]);
	for (int t = 0; t < f->steps; t++) {
		for (int i = 0; i < l->e->in->n; i++)
			set_out(l, t, i, s);
		v.harm =
		    l->e->harm[(size_t)(t + 1) * wide + n + PB_SAFE_STANDS];
		pass(l, t + 1, &v, &s);
		s.cost += idle(l, t);
	}
	put(l, f->steps, &s);
}

/* The nodes of a way, until it waits or has fetched something. */
static void
trace(const struct search *l, const struct state *s, struct pb_safe_plan *p)
{
	const struct state *way[PB_SAFE_PLAN_ROOM];
	int n = 0;

	if (s->node < 0 || s->delay > 0)
		return;
	way[n++] = s;
	for (; s->up >= 0; way[n++] = s)
		s = &l->layer[s->up / ROOM].s[s->up % ROOM];
	while (n-- > 0 && !p->fetch &&
	       (p->n == 0 || p->node[p->n - 1] != way[n]->node)) {
		p->node[p->n++] = way[n]->node;
		p->fetch = way[n]->rest >= 0;
	}
}

/* Whether a state's way sets out as the robot drives now. */
static bool
goes_on(const struct search *l, const struct state *s)
{
	const struct pb_safe_task *t = l->e->task;
	bool does = false;

	for (int j = 0; j < t->kept && s->node >= 0 && s->delay == 0; j++)
		does |= t->keep[j] == l->e->in->e[s->entry].node;
	return does;
}

/* The best way; or one that goes on as before, if that is as good. */
static const struct state *
choose(const struct search *l)
{
	const struct layer *last = &l->layer[l->e->field->steps];
	const struct state *best = NULL, *keep = NULL;
	float limit;

	for (int i = -1; i < last->n; i++) {
		const struct state *s = i < 0 ? &l->done : &last->s[i];

		if (i < 0 && s->node < 0)
			continue;
		if (best == NULL || s->score < best->score)
			best = s;
		if (goes_on(l, s) && (keep == NULL || s->score < keep->score))
			keep = s;
	}
	if (best == NULL)
		return &l->done; /* none that can be paid: it stands */
	limit = best->score + (float)(PB_SAFE_KEEP_TIME * l->e->task->price +
				      PB_SAFE_KEEP_SHARE * best->risk);
	return keep != NULL && keep->score <= limit ? keep : best;
}

struct pb_safe_plan
pb_safe_escape_find(const struct pb_safe_escape *e, void *work)
{
	struct pb_block b = {.at = work};
	int steps = e->field->steps;
	struct search l = {.e = e,
	    .pack = &e->task->pack,
	    .layer = layers_in(e->field, &b),
	    .done = {.node = -1}};
	struct pb_safe_plan p = {.n = 0};
	const struct state *best;

	for (int t = 0; t <= steps; t++) {
		l.layer[t].n = 0;
		l.layer[t].worst = INFINITY;
		memset(l.layer[t].met, 0, sizeof(l.layer[t].met));
	}
	stand(&l);
	for (int t = 1; t < steps; t++) {
		thin(&l.layer[t]);
		for (int i = 0; i < l.layer[t].n; i++)
			go_on(&l, t, i);
	}
	best = choose(&l);
	p.cost = best->score;
	p.risk = best->risk;
	trace(&l, best, &p);
	return p;
}
