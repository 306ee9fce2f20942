/* safe_plan.c - the next seconds: a dynamic program over places and times. */
#include "policy/safe_plan.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "game/pacmanbot/arena.h"

/* Side of the roadmap's blocks and of Clyde's areas (m): the largest that still
 * distinguishes a collision from passing by. */
#define BLOCK 0.3

/* Side of the blocks of Clyde's graph (m), and its most nodes: tables have an
 * entry for each pair. */
#define CLYDE_BLOCK 0.1
#define CLYDE_NODES 2500

/*
 * Most nodes of the roadmap for planning and of the rough one for the pursuit-
 * evasion game; most entries of the game's value table. With 4,000,000 entries
 * round 9 of the published house falls from 94 to 88 % of 500 rounds; 6,000,000
 * gain nothing.
 */
#define NODES       6000
#define ROUGH_NODES 1200
#define TABLE_MOST  4500000

/* Mean over top speed, because of corners and acceleration. */
#define SPEED_SHARE 0.92

/* Length of a plan (s). */
#define PLAN_LENGTH 10.0

/* Time constant of the pursuit-evasion game (s). */
#define HORIZON 60.0

/* Added to the death radius (m): half of Clyde's path between two of its
 * messages. */
#define MARGIN 0.04

/* Standard deviations (m): of the robot from its path, of Clyde from its
 * forecast place. */
#define FOLLOWER_SD 0.03
#define CLYDE_SD    0.12

/* Least standard deviation: smaller ones vanish in map cells (m). */
#define LEAST_SD 0.005

/* Risks below this count as 0. */
#define LEAST 1e-4

/* Probabilities of Clyde's areas, and of its final states, that are ignored. */
#define FAINT       5e-4f
#define FAINT_STATE 2e-3f

/* The robot drives straight to visible nodes this near (m). */
#define ENTRY_REACH 1.0

/*
 * A roadmap has no headings, so a node nearer than ENTRY_NEAR (m) would be a
 * cheap place to turn round at: driving there costs the time of a turn,
 * ENTRY_TURN (s). Without this a round of the published house takes 185 s
 * instead of 146.
 */
#define ENTRY_NEAR 0.35
#define ENTRY_TURN 1.0

/*
 * Plans shorter than the horizon cost the same whenever they begin or continue:
 * they do so now, unless waiting gains this share of a step's weight. Otherwise
 * the next plan would wait again: without this a round of the published house
 * takes 240 s instead of 145, and where only the first move was hurried, 8 of
 * 20 robots in a house of 50 x 50 m stood still for ever.
 */
#define IDLE 0.01f

/*
 * Probability that a normal error of deviation sd brings a point at distance d
 * into a disc of radius r: the sum over slices of the disc, across the line to
 * the point, of their density times the probability of hitting their width.
 */
static double
disc_probability(double d, double r, double sd)
{
	const int slices = 64;
	double sum = 0;

	for (int i = 0; i < slices; i++) {
		/* Slices end at cosines: narrow at the disc's edge. */
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

struct pb_collision_risk
pb_collision_risk_make(double radius, double sd, double least)
{
	struct pb_collision_risk k;

	sd = fmax(sd, LEAST_SD);
	k.reach = radius;
	while (disc_probability(k.reach, radius, sd) >= least)
		k.reach += sd / 8;
	k.reach2 = k.reach * k.reach;
	k.scale = PB_COLLISION_RISK_STEPS / k.reach2;
	for (int i = 0; i < PB_COLLISION_RISK_STEPS; i++)
		k.chance[i] =
		    (float)disc_probability(sqrt(i / k.scale), radius, sd);
	k.chance[PB_COLLISION_RISK_STEPS] = 0;
	return k;
}

/* List the nodes at risk from Clyde in area a, or count them if h->node is
 * NULL; h->first[a] is where the list begins. */
static void
list_hits(struct pb_safe_hits *h, const struct pb_safe_model *m,
    const struct pb_roadmap *r, int a)
{
	int n = h->first[a];

	for (int x = 0; x < r->graph.n; x++) {
		float p = pb_collision_risk_at(
		    &m->collision, r->at[x], m->clyde.middle[a]);

		if (p > 0 && h->node != NULL) {
			h->node[n] = x;
			h->p[n] = p;
		}
		n += p > 0;
	}
	h->first[a + 1] = n;
}

/* Fill h for a roadmap. Returns whether there was memory. */
static bool
make_hits(struct pb_safe_hits *h, const struct pb_safe_model *m,
    const struct pb_roadmap *r, struct pb_pool *pool)
{
	int areas = m->clyde.areas;
	size_t n;

	h->first = pb_pool_get(pool, (size_t)areas + 1, sizeof(*h->first));
	for (int a = 0; h->first != NULL && a < areas; a++)
		list_hits(h, m, r, a);
	n = h->first != NULL ? (size_t)h->first[areas] : 0;
	h->p = pb_pool_get(pool, n, sizeof(*h->p));
	h->node = pb_pool_get(pool, n, sizeof(*h->node));
	for (int a = 0; !pool->failed && a < areas; a++)
		list_hits(h, m, r, a);
	return !pool->failed;
}

/* The value table is stored in blocks of COLUMNS nodes, each with all states in
 * sequence: Clyde's moves stay within a block, which fits into a cache. After
 * the values of all states follows a flag of each: 0 if its values are all 0,
 * as those of three quarters are while Clyde is too far. */
enum { COLUMNS = 64 };

/*
 * Value iteration. Chances are integers in units of 1 / PB_SAFE_RISK_UNITS, for
 * vector instructions; those of a state's moves add up to 1. Products are
 * rounded down, so values are slightly low.
 */
struct values {
	const struct pb_roadmap *r;
	const struct pb_clyde_model *clyde;
	struct pb_safe_hits hits;
	uint16_t *stay; /* by state: chance of staying during a part */
	uint16_t *go;   /* by entry of clyde->to: probability of going there */
	uint16_t **block; /* by node / COLUMNS, and a spare: block of values */
	int blocks;
	uint16_t *row; /* work space: a value of each node */
};

/* The product of two chances, rounded down. */
static inline uint16_t
multiply_chances(uint16_t a, uint16_t b)
{
	return (uint16_t)(((uint32_t)a * b) >> 16);
}

/* The value of state s where the robot is at node x. */
static uint16_t *
value_at(const struct values *k, int s, int x)
{
	return &k->block[x / COLUMNS][(ptrdiff_t)s * COLUMNS + x % COLUMNS];
}

/* Copy the row of state s out of the blocks. */
static void
copy_row(const struct values *k, int s, uint16_t *row)
{
	for (int i = 0; i < k->blocks; i++)
		memcpy(&row[i * COLUMNS], value_at(k, s, i * COLUMNS),
		    COLUMNS * sizeof(*row));
}

/* Add n values of one state, times its chance, to those of another. */
static inline void
add_values(uint16_t chance, const uint16_t *restrict from,
    uint16_t *restrict to, int n)
{
	for (int i = 0; i < n; i++)
		to[i] = (uint16_t)(to[i] + multiply_chances(chance, from[i]));
}

/* The flags of a block. */
static uint16_t *
flags_of(const struct values *k, uint16_t *block)
{
	return &block[(ptrdiff_t)k->clyde->states * COLUMNS];
}

/* Clyde's move, for one block of values. */
static void
move_block(
    const struct values *k, uint16_t *restrict from, uint16_t *restrict to)
{
	const struct pb_clyde_model *c = k->clyde;
	const uint16_t *some = flags_of(k, from);
	uint16_t *flag = flags_of(k, to);

	for (int s = 0; s < c->states; s++, to += COLUMNS) {
		const uint16_t *at = &from[(ptrdiff_t)s * COLUMNS];

		/* Until it is set, the flag is of the values that `to` has. */
		if (some[s])
			for (int i = 0; i < COLUMNS; i++)
				to[i] = multiply_chances(k->stay[s], at[i]);
		else if (flag[s])
			memset(to, 0, COLUMNS * sizeof(*to));
		flag[s] = some[s];
		for (int j = c->first[s]; j < c->first[s + 1]; j++)
			if (some[c->to[j]]) {
				flag[s] = 1;
				add_values(k->go[j],
				    &from[(ptrdiff_t)c->to[j] * COLUMNS], to,
				    COLUMNS);
			}
	}
}

/* Clyde's moves and captures during one part of a robot's move. */
static void
move_clyde(struct values *k)
{
	const struct pb_safe_hits *h = &k->hits;

	for (int i = 0; i < k->blocks; i++) {
		uint16_t *from = k->block[i];

		k->block[i] = k->block[k->blocks];
		k->block[k->blocks] = from;
		move_block(k, from, k->block[i]);
	}
	for (int s = 0; s < k->clyde->states; s++) {
		int a = k->clyde->where[s];

		for (int j = h->first[a]; j < h->first[a + 1]; j++) {
			int x = h->node[j];
			uint16_t *v = value_at(k, s, x);

			flags_of(k, k->block[x / COLUMNS])[s] = 1;
			*v = (uint16_t)(*v +
					h->p[j] * (PB_SAFE_RISK_UNITS - *v));
		}
	}
}

/* The least of the values of a node and its neighbours. */
static uint16_t
least_around(const struct pb_graph *g, const uint16_t *row, int x)
{
	uint16_t least = row[x];

	for (int j = g->first[x]; least > 0 && j < g->first[x + 1]; j++)
		least = row[g->to[j]] < least ? row[g->to[j]] : least;
	return least;
}

/* The robot's move in one state, to the nodes of one block: stay or go,
 * whichever value is lower; row has the values of all nodes. Returns whether
 * some value is not 0. */
static bool
move_robot_to(const struct values *k, const uint16_t *row, int first,
    uint16_t keep, uint16_t *out)
{
	const struct pb_graph *g = &k->r->graph;
	int end = first + COLUMNS < g->n ? first + COLUMNS : g->n;
	unsigned some = 0;

	/* Four nodes at a time, most of which are 0; after the last node stand
	 * zeros. */
	for (int x = first; x < end; x += 4) {
		uint64_t four;

		memcpy(&four, &row[x], sizeof(four));
		if (four == 0)
			memset(&out[x - first], 0, sizeof(four));
		else
			for (int y = x; y < x + 4 && y < end; y++)
				some |= out[y - first] = multiply_chances(
				    keep, least_around(g, row, y));
	}
	return some != 0;
}

/* The robot's move in all states. */
static void
move_robot(struct values *k, uint16_t keep)
{
	for (int s = 0; s < k->clyde->states; s++) {
		copy_row(k, s, k->row);
		for (int i = 0; i < k->blocks; i++) {
			uint16_t *flag = &flags_of(k, k->block[i])[s];

			if (*flag)
				*flag = move_robot_to(k, k->row, i * COLUMNS,
				    keep, value_at(k, s, i * COLUMNS));
		}
	}
}

/* Mean length of a roadmap's edges, one move (m). */
static double
mean_edge(const struct pb_roadmap *r)
{
	double sum = 0;
	int n = r->graph.first[r->graph.n];

	for (int i = 0; i < n; i++)
		sum += r->len[i];
	return n > 0 ? sum / n : r->side * r->arena->map.resolution;
}

/* Allocate values of 0, and compute Clyde's chances for parts in which it walks
 * `part` (m). Returns whether there was memory. */
static bool
make_values(struct values *k, double part, struct pb_pool *pool)
{
	const struct pb_clyde_model *c = k->clyde;
	size_t states = (size_t)c->states;

	k->blocks = (k->r->graph.n + COLUMNS - 1) / COLUMNS;
	k->block = pb_pool_get(pool, (size_t)k->blocks + 1, sizeof(*k->block));
	for (int i = 0; k->block != NULL && i <= k->blocks; i++)
		k->block[i] = pb_pool_get(
		    pool, states * (COLUMNS + 1), sizeof(*k->block[i]));
	k->row =
	    pb_pool_get(pool, (size_t)k->blocks * COLUMNS, sizeof(*k->row));
	k->stay = pb_pool_get(pool, states, sizeof(*k->stay));
	k->go = pb_pool_get(pool, (size_t)c->first[c->states], sizeof(*k->go));
	for (int s = 0; !pool->failed && s < c->states; s++) {
		float go = pb_lesser((float)part / c->stay[s], 1);

		k->stay[s] = UINT16_MAX;
		for (int j = c->first[s]; j < c->first[s + 1]; j++) {
			k->go[j] =
			    (uint16_t)(go * c->chance[j] * PB_SAFE_RISK_UNITS);
			k->stay[s] = (uint16_t)(k->stay[s] - k->go[j]);
		}
	}
	return !pool->failed;
}

enum pb_status
pb_safe_solve_pursuit(struct pb_safe_model *m, double clyde, double horizon)
{
	struct values k = {.r = &m->rough, .clyde = &m->clyde};
	int states = m->clyde.states, n = m->rough.graph.n;
	double step = mean_edge(&m->rough) / m->speed, walk = step * clyde;
	/* Clyde leaves at most one area in a part. */
	int parts = (int)fmin(fmax(ceil(walk / m->clyde.visit - 1e-9), 1), 8);
	/* After half a horizon the missing value is about the same everywhere,
	 * so that it decides nothing. */
	int sweeps = (int)ceil(0.5 * horizon / step);
	double keep = pb_exp(-step / horizon) * PB_SAFE_RISK_UNITS;
	struct pb_pool own = {.failed = false};

	m->sweep = step;
	m->risk =
	    pb_pool_get(&m->pool, (size_t)states * (size_t)n, sizeof(*m->risk));
	if (make_values(&k, walk / parts, &own) &&
	    make_hits(&k.hits, m, &m->rough, &own) && !m->pool.failed) {
		for (int i = 0; i < sweeps; i++) {
			for (int j = 0; j < parts; j++)
				move_clyde(&k);
			move_robot(&k, (uint16_t)keep);
		}
		for (int s = 0; s < states; s++) {
			copy_row(&k, s, k.row);
			memcpy(&m->risk[(size_t)s * (size_t)n], k.row,
			    (size_t)n * sizeof(*m->risk));
		}
	}
	m->pool.failed |= own.failed;
	pb_pool_clear(&own);
	return m->pool.failed ? PB_ENOMEM : PB_OK;
}

static int
round_to_steps(double x, int least)
{
	return (int)(fmin(fmax(x, least), 200) + 0.5);
}

/* Make the rough roadmap; only rough_node needs its owners of cells. */
static enum pb_status
make_rough_roadmap(struct pb_safe_model *m, const struct pb_arena *a)
{
	int n = m->roads.graph.n;
	struct pb_pool own = {.failed = false};
	enum pb_status err =
	    pb_roadmap_init(&m->rough, a, BLOCK, ROUGH_NODES, &m->pool, &own);

	m->rough_node =
	    pb_pool_get(&m->pool, (size_t)n, sizeof(*m->rough_node));
	if (m->rough_node == NULL)
		err = PB_ENOMEM;
	for (int x = 0; err == PB_OK && x < n; x++)
		m->rough_node[x] =
		    pb_roadmap_node_at(&m->rough, m->roads.at[x]);
	pb_pool_clear(&own);
	m->rough.owner = NULL;
	return err;
}

/* Make both roadmaps and Clyde's model. */
static enum pb_status
make_graphs(struct pb_safe_model *m, const struct pb_arena *a)
{
	enum pb_status err =
	    pb_roadmap_init(&m->roads, a, BLOCK, NODES, &m->pool, &m->pool);

	if (err == PB_OK)
		err = pb_roadmap_measure_pellets(&m->roads, &m->pool);
	if (err == PB_OK)
		err = make_rough_roadmap(m, a);
	if (err != PB_OK)
		return err;
	return pb_clyde_model_init(&m->clyde, &a->clyde,
	    (struct pb_clyde_grain){.block = CLYDE_BLOCK,
		.nodes = CLYDE_NODES,
		.area = BLOCK,
		.states = TABLE_MOST / (m->rough.graph.n + 1)},
	    &m->pool);
}

/* Standard deviation of the distance of robot and Clyde, as the judge will see
 * it, from the plan (m). */
static double
find_deviation(const struct pb_safe_model *m, const struct pb_round_opts *o)
{
	/* Averaging over some twenty correlated estimates leaves half. */
	double judge = o->judge == PB_JUDGE_ESTIMATE ? o->estimate.sd
	                                             : 0.5 * o->estimate.sd;
	/* Clyde's distance from the middle of its area. */
	double area = m->clyde.wide * 5 * m->clyde.unit / sqrt(12);
	double clyde = fmax(CLYDE_SD, area);

	return sqrt(judge * judge + FOLLOWER_SD * FOLLOWER_SD + clyde * clyde);
}

enum pb_status
pb_safe_model_init(struct pb_safe_model *m, const struct pb_arena *a,
    const struct pb_round_opts *o)
{
	enum pb_status err;
	int edges;

	*m = (struct pb_safe_model){.opts = *o,
	    .speed = SPEED_SHARE * o->v_max,
	    .lag = o->judge == PB_JUDGE_ESTIMATE ? o->estimate.min_d / 2 : 0};
	err = make_graphs(m, a);
	if (err != PB_OK)
		return err;
	m->collision = pb_collision_risk_make(
	    o->death_radius + MARGIN, find_deviation(m, o), LEAST);
	m->dt = m->roads.side * a->map.resolution / 2 / m->speed;
	m->steps =
	    (int)fmin(fmax(PLAN_LENGTH / m->dt + 0.5, 8), PB_SAFE_PLAN_STEPS);
	edges = m->roads.graph.first[m->roads.graph.n];
	m->edge = pb_pool_get(&m->pool, (size_t)edges, sizeof(*m->edge));
	if (!make_hits(&m->hits, m, &m->roads, &m->pool))
		return PB_ENOMEM;
	for (int j = 0; j < edges; j++)
		m->edge[j] = (float)round_to_steps(
		    m->roads.len[j] / (m->speed * m->dt), 1);
	return pb_safe_solve_pursuit(
	    m, o->clyde_speed + (o->round - 1) * o->clyde_step, HORIZON);
}

void
pb_safe_model_clear(struct pb_safe_model *m)
{
	pb_pool_clear(&m->pool);
}

enum { ENTRIES = 48, VIA = 10 };

/* A move to a node, in steps. */
struct move {
	int to;
	int steps; /* >= 1 */
	int blind; /* first steps, in which the judge sees the old place */
	int leave; /* first steps, in which the robot has not left */
	int *via;  /* nodes nearby in the next steps; NULL: `to` */
};

/* A search: tables of steps + 1 rows, one column for each node plus two. */
struct search {
	const struct pb_safe_model *m;
	const struct pb_safe_task *task;
	int here;        /* column of the robot's place; the next column: where
	                    the judge sees a standing robot */
	int wide;        /* columns */
	float *hazard;   /* risk summed over steps, see risk_between() */
	float *live;     /* S: risk from here on */
	float *cost;     /* V: risk plus weighted time of the rest */
	float *leaf;     /* row: S after the last step */
	uint16_t *rough; /* by node of the rough roadmap: mean value */
	struct pb_clyde_forecast clyde; /* the task's */
	float *soon; /* by node: earliest step in which it can be reached */
	int *line;   /* the n nodes that can be reached in time */
	int n;
	int entries; /* moves from the robot's place; the first leads to the
	                node that owns it */
	struct move entry[ENTRIES];
	int via[ENTRIES][VIA];
	void *work; /* work space for distances */
};

static void
lay_out_search(struct search *s, struct pb_block *b)
{
	const struct pb_safe_model *m = s->m;
	int n = m->roads.graph.n;
	size_t rows = (size_t)m->steps + 1, wide = (size_t)n + 2;

	s->here = n;
	s->wide = n + 2;
	s->hazard = pb_block_take(b, rows * wide, sizeof(float));
	s->live = pb_block_take(b, rows * wide, sizeof(float));
	s->cost = pb_block_take(b, rows * wide, sizeof(float));
	s->leaf = pb_block_take(b, wide, sizeof(float));
	s->rough =
	    pb_block_take(b, (size_t)m->rough.graph.n, sizeof(*s->rough));
	s->soon = pb_block_take(b, wide, sizeof(float));
	s->line = pb_block_take(b, wide, sizeof(int));
	s->work = pb_block_take(b, 1, pb_graph_bytes(n));
}

size_t
pb_safe_plan_bytes(const struct pb_safe_model *m)
{
	struct search s = {.m = m};
	struct pb_block b = {.at = NULL};

	lay_out_search(&s, &b);
	return b.used;
}

/*
 * Add the straight move from the robot's place to visible node x: first the
 * follower's turn on the spot; until the next estimate the judge sees the old
 * place.
 */
static void
add_entry(struct search *s, int x)
{
	const struct pb_safe_model *m = s->m;
	const struct pb_safe_task *task = s->task;
	struct pb_vec p = task->at, q = task->roads->at[x];
	double far = pb_dist(p, q), step = m->speed * m->dt, by = 0, turn = 0;
	int *via;

	if (s->entries == ENTRIES || (s->entries > 0 && s->entry[0].to == x))
		return;
	via = s->via[s->entries];
	if (far > 0.05)
		by = fabs(pb_wrap(pb_atan2(q.y - p.y, q.x - p.x) - task->th));
	if (by > PB_TURN_AT)
		turn = by / m->opts.w_max + m->opts.w_max / m->opts.w_acc;
	if (far < ENTRY_NEAR && isinf(task->tour->fetch[x]))
		turn += ENTRY_TURN;
	for (int i = 0; i < VIA; i++) {
		double on = fmax((i + 1) * step - m->lag, 0);

		via[i] = pb_roadmap_node_at(
		    task->roads, pb_segment_at(p, q, far > on ? on / far : 1));
	}
	s->entry[s->entries++] = (struct move){.to = x,
	    .steps = round_to_steps(far / step + turn / m->dt, 1),
	    .blind = round_to_steps(task->look / step, 0),
	    .leave = round_to_steps(turn / m->dt, 0),
	    .via = via};
}

/* The open node nearest to p; -1: none. */
static int
find_open_node(const struct pb_roadmap *r, struct pb_vec p)
{
	int here = pb_roadmap_node_at(r, p), best = -1;
	double least = ENTRY_REACH;

	if (here < 0 || r->shut == NULL || !r->shut[here])
		return here;
	for (int x = 0; x < r->graph.n; x++) {
		double d = pb_dist(r->at[x], p);

		if (r->shut[x] || d >= least)
			continue;
		least = d;
		best = x;
	}
	return best;
}

/* Add moves to the node that owns the robot's place and to visible nodes; none
 * if the roadmap has no node. */
static void
find_entries(struct search *s)
{
	const struct pb_roadmap *r = s->task->roads;
	struct pb_vec at = s->task->at;
	int own = find_open_node(r, at);

	if (own < 0)
		return;
	add_entry(s, own);
	for (int x = 0; x < r->graph.n; x++)
		if (pb_dist(r->at[x], at) < ENTRY_REACH &&
		    !(r->shut && r->shut[x]) &&
		    pb_roadmap_can_drive(r, at, r->at[x]))
			add_entry(s, x);
}

/* Compute the earliest step for each node, and list those reached in time. */
static void
find_earliest(struct search *s)
{
	const struct pb_roadmap *r = s->task->roads;
	float last = (float)s->m->steps;

	for (int x = 0; x < r->graph.n; x++)
		s->soon[x] = INFINITY;
	for (int i = 0; i < s->entries; i++)
		s->soon[s->entry[i].to] = (float)s->entry[i].steps;
	pb_graph_distances(
	    &r->graph, s->m->edge, r->closed, last, s->work, s->soon);
	for (int x = 0; x < r->graph.n; x++)
		if (s->soon[x] <= last)
			s->line[s->n++] = x;
}

/* Add `chance` times the collision risk with Clyde at p to step t, once for the
 * robot's place and once for the place that the judge sees. Returns the step's
 * row of risks. */
static float *
add_standing_risk(struct search *s, int t, struct pb_vec p, float chance)
{
	const struct pb_collision_risk *k = &s->m->collision;
	float *row = &s->hazard[(size_t)t * (size_t)s->wide];

	row[s->here] += chance * pb_collision_risk_at(k, s->task->at, p);
	row[s->here + 1] +=
	    chance * pb_collision_risk_at(k, s->task->judged, p);
	return row;
}

/* Add the risk of step t by the forecast. */
static void
add_forecast(struct search *s, int t)
{
	const struct pb_clyde_model *c = &s->m->clyde;
	const struct pb_safe_hits *h = &s->m->hits;

	pb_clyde_forecast_step(&s->clyde, s->task->clyde * s->m->dt);
	for (int a = 0; a < c->areas; a++) {
		float chance = s->clyde.occupied[a], *row;

		if (chance <= FAINT)
			continue;
		row = add_standing_risk(s, t, c->middle[a], chance);
		for (int j = h->first[a]; j < h->first[a + 1]; j++)
			row[h->node[j]] += chance * h->p[j];
	}
}

/* Add the risk of a known future, half of it at either end of a step; the
 * forecast continues from its end. */
static void
add_future(struct search *s)
{
	const struct pb_safe_model *m = s->m;
	const struct pb_vec *at = s->task->future;

	for (int t = 1; t <= m->steps; t++) {
		for (int i = t - 1; i <= t; i++) {
			float *row = add_standing_risk(s, t, at[i], 0.5f);

			for (int x = 0; x < s->here; x++)
				row[x] +=
				    0.5f * pb_collision_risk_at(&m->collision,
					       s->task->roads->at[x], at[i]);
		}
	}
	pb_clyde_forecast_begin_at(&s->clyde, at[m->steps]);
}

/* Terminal value: mean value of the pursuit-evasion game over Clyde's final
 * states. */
static void
fill_leaf(struct search *s)
{
	const struct pb_safe_model *m = s->m;
	int nodes = m->rough.graph.n;
	float sum = 0;

	memset(s->rough, 0, (size_t)nodes * sizeof(*s->rough));
	for (int i = 0; i < s->clyde.states; i++) {
		int x = s->clyde.state[i];
		/* Rounded sums must stay below UINT16_MAX. */
		float p = s->clyde.p[x] * (PB_SAFE_RISK_UNITS - 64);

		if (s->clyde.p[x] < FAINT_STATE)
			continue;
		sum += p;
		add_values((uint16_t)p, &m->risk[(size_t)x * (size_t)nodes],
		    s->rough, nodes);
	}
	for (int x = 0; x < s->here; x++)
		s->leaf[x] = sum > 0 ? s->rough[m->rough_node[x]] / sum : 0;
}

/* Fill the table of summed risk, and the terminal values. */
static void
fill_risk(struct search *s)
{
	size_t wide = (size_t)s->wide, all = ((size_t)s->m->steps + 1) * wide;

	memset(s->hazard, 0, all * sizeof(float));
	if (s->task->future != NULL) {
		add_future(s);
	} else {
		pb_clyde_forecast_begin(&s->clyde, s->task->belief);
		for (int t = 1; t <= s->m->steps; t++)
			add_forecast(s, t);
		pb_clyde_forecast_end(&s->clyde);
	}
	for (size_t i = wide; i < all; i++)
		s->hazard[i] = pb_lesser(s->hazard[i], 1) + s->hazard[i - wide];
	fill_leaf(s);
}

/* Values after the last step: the terminal value, plus the weighted time of the
 * shortest rest of the tour. The robot's place counts as its first entry. */
static void
solve_last(struct search *s)
{
	const struct pb_tour *tour = s->task->tour;
	size_t base = (size_t)s->m->steps * (size_t)s->wide;
	float price = (float)s->task->time_weight;

	for (int i = 0; i <= s->here; i++) {
		int x = i < s->here ? i : s->entry[0].to;

		s->live[base + (size_t)i] = s->leaf[x];
		s->cost[base + (size_t)i] =
		    s->leaf[x] +
		    price * pb_lesser(tour->rest[x], tour->fetch[x]);
	}
}

/* The j-th move from x; `to` is -1 if there are no more. */
static struct move
move_from(const struct search *s, int x, int j)
{
	const struct pb_roadmap *r = s->task->roads;
	int steps;

	if (x == s->here)
		return j < s->entries ? s->entry[j] : (struct move){.to = -1};
	j += r->graph.first[x];
	if (j >= r->graph.first[x + 1])
		return (struct move){.to = -1};
	steps = r->closed != NULL && r->closed[j] ? PB_SAFE_PLAN_ROOM
	                                          : (int)s->m->edge[j];
	return (struct move){
	    .to = r->graph.to[j], .steps = steps, .leave = steps / 2};
}

/* Risk at node x after step t, up to step `to`. */
static inline float
risk_between(const struct search *s, int x, int t, int to)
{
	const float *column = &s->hazard[x];

	return column[(ptrdiff_t)to * s->wide] - column[(ptrdiff_t)t * s->wide];
}

/* Risk on a move from x, begun after step t. */
static float
risk_of_move(const struct search *s, int t, int x, const struct move *m)
{
	float sum = 0;

	if (m->via == NULL)
		return risk_between(s, x, t, t + m->leave) +
		       risk_between(s, m->to, t + m->leave, t + m->steps);
	for (int i = 0; i < m->steps; i++) {
		int on = i - m->leave, at = m->to;

		if (i < m->blind)
			at = s->here + 1;
		else if (on < 0)
			at = x;
		else if (on < VIA)
			at = m->via[on];
		sum += risk_between(s, at, t + i, t + i + 1);
	}
	return sum;
}

enum { WAIT = -1, FETCH = -2 };

/* Compute S and V for node x after step t. Returns the best move, or WAIT or
 * FETCH. */
static int
solve_node(struct search *s, int t, int x)
{
	size_t at = (size_t)t * (size_t)s->wide + (size_t)x;
	size_t then = at + (size_t)s->wide;
	float price = (float)(s->task->time_weight * s->m->dt), least, fetch;
	float wait = risk_between(s, x == s->here ? s->here + 1 : x, t, t + 1);
	struct move m;
	int best = WAIT;

	s->live[at] = wait + s->live[then];
	s->cost[at] = wait + s->cost[then] + price;
	least = s->cost[at] + price * IDLE;
	for (int j = 0; (m = move_from(s, x, j)).to >= 0; j++) {
		float h, c;

		if (t + m.steps > s->m->steps)
			continue;
		h = risk_of_move(s, t, x, &m);
		then = (size_t)(t + m.steps) * (size_t)s->wide + (size_t)m.to;
		s->live[at] = pb_lesser(h + s->live[then], s->live[at]);
		c = h + s->cost[then] + price * (float)m.steps;
		if (c < least) {
			least = c;
			best = j;
		}
	}
	s->cost[at] = pb_lesser(least, s->cost[at]);
	fetch = x == s->here ? INFINITY
	                     : s->live[at] + (float)s->task->time_weight *
	                                         s->task->tour->fetch[x];
	if (fetch > s->cost[at])
		return best;
	s->cost[at] = fetch;
	return FETCH;
}

/* Fill p with the best moves up to the first wait. */
static void
follow_plan(struct search *s, struct pb_safe_plan *p)
{
	int x = s->here;

	for (int t = 0; t < s->m->steps;) {
		int j = solve_node(s, t, x);
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
    const struct pb_safe_model *m, const struct pb_safe_task *task, void *work)
{
	struct search s = {.m = m, .task = task, .clyde = *task->forecast};
	struct pb_block b = {.at = work};
	struct pb_safe_plan p = {.n = 0};

	lay_out_search(&s, &b);
	find_entries(&s);
	if (s.entries == 0)
		return p;
	find_earliest(&s);
	fill_risk(&s);
	solve_last(&s);
	for (int t = m->steps - 1; t >= 0; t--) {
		for (int i = 0; i < s.n; i++)
			if (s.soon[s.line[i]] <= (float)t)
				solve_node(&s, t, s.line[i]);
		solve_node(&s, t, s.here);
	}
	p.cost = s.cost[s.here];
	p.risk = s.live[s.here];
	follow_plan(&s, &p);
	return p;
}
