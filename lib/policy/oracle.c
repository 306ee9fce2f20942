/* oracle.c - a player that is given the truth and the ghosts' future. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "pb/clyde.h"
#include "policy/pacmanbot_players.h"
#include "policy/safe.h"
#include "policy/safe_net.h"

/*
 * A measure, not a player that one could build: its rate is about the most
 * that any player could reach in the same rounds. It knows where the robot is
 * and where Clyde will be. What it does not know is how the estimate will err
 * that decides pickup and death, so it keeps off Clyde as far as that asks for
 * where there is room, and less where there is none.
 *
 * Time is cut into steps. For each step and node of a fine net there is a
 * chance that the judge will see the robot caught. Backwards from the last
 * step two games are solved: survive; and fetch a pellet, pay for the time
 * that the rest of the best tour takes, and survive from then on. The values
 * hold whatever the robot does, so they are worked out anew only when a pellet
 * has gone, half of the time is over, or Clyde does something else.
 */

/* Blocks of the net (m), larger where there would be more nodes than this. */
#define BLOCK 0.15
#define NODES 2500

/* Steps (s), and how many ahead; decisions as often (s). */
#define STEP   0.2
#define STEPS  150
#define PERIOD 0.2

/* Robots are up to so many steps late. */
#define LATE 8

/* Rows of survival that are kept: edges longer than this take no longer. */
#define RING 32

/* Corners and accelerations cost this part of the top speed. */
#define BRISK 0.92

/* Deviation of the follower from the nodes (m), and what is added to the death
 * radius (m): part of what Clyde walks between two of his ticks. */
#define FOLLOWS 0.06
#define MARGIN  0.02

/* Chances below this count as none. */
#define LEAST 1e-6

/* A second is worth this much chance of being caught. */
#define PRICE 2e-5

/* To stand costs this part of it: who waits does not fidget. */
#define REST 0.98f

/* At a pellet for so long (steps); a goal to have it confirmed lasts (s). */
#define FETCH_STEPS 4
#define HAND_TIME   1.5

/* From here navigation's own result counts as having a pellet (m). */
#define IN_HAND 0.27

/*
 * Nodes between these (m) are gone to straight, at most so many: the follower
 * aims about as far ahead, so that it turns as the entry says.
 */
#define ENTRY_FROM 0.42
#define ENTRY      0.8
#define ENTRIES    128

/* A node this near is where the robot is (m). */
#define THERE 0.1

/* A robot that turns has another estimate after so many steps. */
#define TURN_BLIND 2

/* Slower than this it stands (m/s, rad/s). */
#define SETTLED 0.1

/* A plan is good for so long (s), longer by so much for each metre (s/m) to
 * Clyde. */
#define LASTS 0.2
#define FAR   0.25

/* Ways keep this much more than the body from walls (m); points of a way. */
#define OFF_WALLS 0.2
#define BAND      128
#define WAY       24

/* An edge of the net: where to, and what it takes in steps. */
struct edge {
	int to, whole;
	float part, steps; /* beside the whole ones; together */
};

struct known {
	struct pb_safe_net net;
	struct pb_tour tour;
	struct pb_safe_kill moving, still;
	float weight;        /* of a step's chance: estimates in a step */
	struct edge *edge;   /* of the net; owned */
	double speed;        /* along the net (m/s) */
	struct pb_pool pool; /* of all that */
};

struct mind {
	bool planned;  /* what follows is of this round */
	int remaining; /* pellets when it was worked out */
	double t0;     /* time of step 0 (s) */
	double clyde;  /* his speed then (m/s) */
	double plan_t; /* when the way was chosen (s) */
	int hand;      /* pellet that navigation is to confirm, or -1 */
	double hand_t; /* since when (s) */
	bool turns;    /* its follower, which it does until it drives */
	struct pb_vec at[STEPS + 1]; /* of Clyde, by step */
	struct pb_vec band[BAND];
};

/* Lists in the memory behind struct mind. */
struct lists {
	struct pb_tour_lists tour;
	float *value;   /* by step and node: fetch the rest */
	float *survive; /* by step modulo RING and node */
	float *risk;    /* likewise: of being caught in the step */
};

static double
speed_of(const struct pb_round_opts *o)
{
	return BRISK * o->v_max;
}

static void
make_kills(struct known *k, const struct pb_round_opts *o)
{
	bool estimate = o->judge == PB_JUDGE_ESTIMATE;
	double radius = o->death_radius + MARGIN;
	double sd = estimate ? pb_hypot(o->pose_sd, FOLLOWS) : FOLLOWS;
	double looks = estimate ? STEP * k->speed / (o->pose_min_d + 1e-9) : 1;

	k->moving = pb_safe_kill_make(radius, sd, LEAST);
	/* Where it stands and is judged is known; so is where he will be. */
	k->still = pb_safe_kill_make(radius, MARGIN, LEAST);
	k->weight = (float)fmin(looks, 1);
}

static void
forget(void *known)
{
	struct known *k = known;

	if (k == NULL)
		return;
	pb_pool_clear(&k->pool);
	free(k);
}

static enum pb_status
make_net(struct known *k, const struct pb_arena *a)
{
	double side = fmax(BLOCK, 1.25 * k->speed * STEP);
	enum pb_status err =
	    pb_safe_net_init(&k->net, a, side, NODES, &k->pool);
	int edges;

	if (err != PB_OK)
		return err;
	edges = k->net.first[k->net.n];
	k->edge = pb_pool_get(&k->pool, (size_t)edges, sizeof(*k->edge));
	if (k->pool.failed)
		return PB_ENOMEM;
	for (int i = 0; i < edges; i++) {
		double t = k->net.len[i] / k->speed / STEP;
		float steps = (float)fmin(fmax(t, 1), RING - 3);

		k->edge[i] = (struct edge){
		    k->net.to[i], (int)steps, steps - (float)(int)steps, steps};
	}
	return pb_tour_init(&k->tour, &k->net, &k->pool);
}

static enum pb_status
learn(const void *world, const void *opts, void **known)
{
	const struct pb_round_opts *o = opts;
	struct known *k = calloc(1, sizeof(*k));
	enum pb_status err;

	if (k == NULL)
		return PB_ENOMEM;
	k->speed = speed_of(o);
	make_kills(k, o);
	err = make_net(k, world);
	if (err != PB_OK)
		forget(k);
	else
		*known = k;
	return err;
}

static struct mind *
mind_in(const struct known *k, struct pb_block *b, struct lists *l)
{
	struct mind *m = pb_block_take(b, 1, sizeof(*m));
	size_t n = (size_t)k->net.n;

	l->tour = pb_tour_lists_in(b, &k->tour);
	l->value = pb_block_take(b, (STEPS + 1) * n, sizeof(float));
	l->survive = pb_block_take(b, RING * n, sizeof(float));
	l->risk = pb_block_take(b, RING * n, sizeof(float));
	return m;
}

static size_t
memory(const void *world, const void *opts, const void *known)
{
	const struct known *k = known;
	struct pb_block b = {.at = NULL};
	struct lists l;

	(void)world;
	(void)opts;
	mind_in(k, &b, &l);
	return b.used;
}

static void
reset(void *mem, const void *known, const void *view)
{
	struct mind *m = mem;

	(void)known;
	(void)view;
	m->planned = false;
	m->hand = -1;
}

static int
clip(double step)
{
	return step >= STEPS ? STEPS : (int)step;
}

/* Rows of the tables, the last for all that is later. */
static float *
row(float *table, const struct known *k, int step, int ring)
{
	if (step > STEPS)
		step = STEPS;
	return table +
	       (size_t)(ring > 0 ? step % ring : step) * (size_t)k->net.n;
}

/* Value at a moment between two steps. */
static float
value_at(const struct known *k, const struct lists *l, int node, double step)
{
	int i = (int)step;
	float part = (float)(step - i);

	return (1 - part) * row(l->value, k, i, 0)[node] +
	       part * row(l->value, k, i + 1, 0)[node];
}

/* Rows of the tables from one step on. */
struct rows {
	float *value[RING], *survive[RING], *risk[RING];
};

/* The least in a table over an edge, from when it has been driven. */
static inline float
after(float *const *table, const struct edge *e)
{
	return (1 - e->part) * table[e->whole][e->to] +
	       e->part * table[e->whole + 1][e->to];
}

/* Of being caught at p in step i, or by being late there. */
static float
chance(const struct known *k, const struct mind *m, int i, struct pb_vec p)
{
	static const struct {
		int steps;
		float part;
	} late[] = {{0, 1}, {2, 0.5f}, {5, 0.25f}, {LATE, 0.1f}};
	double far = k->moving.reach + LATE * STEP * m->clyde;
	const struct pb_vec *at = m->at;
	float c = 0;

	if (fabs(p.x - at[i].x) > far || fabs(p.y - at[i].y) > far)
		return 0;
	for (int j = 0; j < (int)(sizeof(late) / sizeof(*late)); j++) {
		int l = i + late[j].steps;

		c += late[j].part *
		     pb_safe_kill_at(&k->moving, p, at[l > STEPS ? STEPS : l]);
	}
	return k->weight * c;
}

/* One node at one step of both games. */
static void
solve_node(const struct known *k, const struct lists *l, const struct rows *r,
    int x, float price)
{
	float here = r->risk[0][x];
	float s = here + r->survive[1][x];
	float v = here + REST * price + r->value[1][x];

	if (isfinite(l->tour.fetch[x]))
		v = pb_lesser(v, FETCH_STEPS * here +
				     r->survive[FETCH_STEPS][x] +
				     price / (float)STEP * l->tour.fetch[x]);
	for (int i = k->net.first[x]; i < k->net.first[x + 1]; i++) {
		const struct edge *e = &k->edge[i];
		float risk = e->steps * (here + r->risk[e->whole][e->to]) / 2;

		v = pb_lesser(v, risk + price * e->steps + after(r->value, e));
		if (s > 0)
			s = pb_lesser(s, risk + after(r->survive, e));
	}
	r->value[0][x] = v;
	r->survive[0][x] = s;
}

static void
solve(const struct known *k, const struct mind *m, const struct lists *l,
    double price)
{
	int n = k->net.n;

	for (int x = 0; x < n; x++) {
		row(l->value, k, STEPS, 0)[x] = (float)price * l->tour.rest[x];
		row(l->survive, k, STEPS, RING)[x] = 0;
		row(l->risk, k, STEPS, RING)[x] = 0;
	}
	for (int i = STEPS - 1; i >= 0; i--) {
		struct rows r;

		for (int j = 0; j < RING; j++) {
			r.value[j] = row(l->value, k, i + j, 0);
			r.survive[j] = row(l->survive, k, i + j, RING);
			r.risk[j] = row(l->risk, k, i + j, RING);
		}
		for (int x = 0; x < n; x++)
			r.risk[0][x] = chance(k, m, i, k->net.at[x]);
		for (int x = 0; x < n; x++)
			solve_node(k, l, &r, x, (float)(price * STEP));
	}
}

/* A way straight to a node in sight. */
struct entry {
	int node;
	double turn, drive; /* steps on the spot, then on the way */
	bool leads;         /* on; else only to what is fetched there */
};

/* What the decision at hand goes by. */
struct now {
	const struct known *k;
	const struct mind *m;
	const struct lists *l;
	const struct pb_view *v;
	struct pb_pose at;  /* where it is */
	struct pb_vec seen; /* where it is judged until it moves */
	double step;        /* since t0 (steps) */
	float price;        /* of a step */
	int blind;          /* steps straight on until an estimate */
	float unsettled;    /* chance of being caught as it comes to rest */
	float caught[STEPS + 2]; /* sum before each step of standing still */
	int n;
	struct entry e[ENTRIES];
};

/*
 * Time until a robot that looks a (rad) aside drives: it turns on the spot if
 * it has to turn far, or does so already. Its rate rises evenly, to the limit
 * or to the root of what is left to turn, which it then follows.
 */
static double
turn_time(const struct mind *m, const struct pb_view *v, double a)
{
	double acc = v->opts->w_acc, past = v->w * fabs(v->w) / acc / 2;
	double by = fabs(pb_wrap(a - past)), w, left;
	/* What turns the wrong way has to brake first. */
	double t = pb_wrap(a) * v->w < 0 ? fabs(v->w) / acc : 0;

	if (fabs(pb_wrap(a)) < (m->turns ? PB_TURN_TO : PB_TURN_AT))
		return 0;
	if (by < PB_TURN_TO)
		return t;
	w = fmin(sqrt(2 * by * acc / 3), v->opts->w_max);
	left = fmax(w * w / acc, PB_TURN_TO);
	return t + w / acc + fmax(by - w * w / acc / 2 - left, 0) / w +
	       2 * (sqrt(left) - sqrt(PB_TURN_TO)) / sqrt(acc);
}

/* Ways to nodes from a distance on, and to what is fetched nearer by. */
static void
find_entries(struct now *w, double from)
{
	const struct known *k = w->k;
	struct pb_vec p = pb_pose_vec(w->at);
	int owner = pb_safe_net_at(&k->net, p);

	for (int x = 0; x < k->net.n && w->n < ENTRIES; x++) {
		struct pb_vec q = k->net.at[x];
		double d = pb_dist(p, q), a;

		if (d < from && !isfinite(w->l->tour.fetch[x]))
			continue;
		if (x != owner &&
		    (d > ENTRY || !pb_safe_net_sees(&k->net, p, q)))
			continue;
		a = pb_atan2(q.y - p.y, q.x - p.x) - w->at.th;
		w->e[w->n++] = (struct entry){x,
		    (d < THERE ? 0 : turn_time(w->m, w->v, a)) / STEP,
		    d / k->speed / STEP, d >= from};
	}
}

/* Estimates come with motion: until then the judge sees it where it was. */
static void
look(struct now *w)
{
	const struct pb_view *v = w->v;
	bool estimate = v->opts->judge == PB_JUDGE_ESTIMATE;
	double togo = pb_until_estimate(v);

	w->seen = pb_pose_vec(estimate ? v->pose : w->at);
	w->blind = estimate ? (int)fmin(togo / w->k->speed / STEP, STEPS) : 0;
	/* What turns or drives still may have another estimate before it
	 * stands. */
	if (estimate && (fabs(v->w) > SETTLED || fabs(v->v) > SETTLED))
		w->unsettled = pb_safe_kill_at(&w->k->moving,
		    pb_pose_vec(w->at), w->m->at[clip(w->step + 1)]);
	w->caught[0] = 0;
	for (int i = 0; i <= STEPS; i++)
		w->caught[i + 1] = w->caught[i] + pb_safe_kill_at(&w->k->still,
						      w->seen, w->m->at[i]);
}

/* Chance of being caught on the way of e, begun at a step. */
static float
on_the_way(const struct now *w, double step, const struct entry *e)
{
	const struct known *k = w->k;
	struct pb_vec p = pb_pose_vec(w->at), q = k->net.at[e->node];
	int blind = e->turn > 0 ? TURN_BLIND : w->blind;
	float c = 0;

	for (int i = 0; i < e->turn + e->drive; i++) {
		int at = clip(step + i + 1);
		double part = fmax(i + 1 - e->turn, 0) / (e->drive + 1);
		struct pb_vec x = pb_segment_at(p, q, part);

		if (i < blind)
			c += pb_safe_kill_at(&k->still, w->seen, w->m->at[at]);
		else if (i < e->turn)
			c += pb_safe_kill_at(&k->moving, x, w->m->at[at]);
		else
			c += chance(k, w->m, at, x);
	}
	return c;
}

/* What it costs to stay for j steps and then go by e. */
static float
cost(const struct now *w, int j, const struct entry *e)
{
	double there = w->step + j + e->turn + e->drive;

	return w->caught[clip(w->step + j)] - w->caught[clip(w->step)] +
	       on_the_way(w, w->step + j, e) + (j > 0 ? w->unsettled : 0) +
	       w->price * (float)(there - w->step - (1 - REST) * j) +
	       value_at(w->k, w->l, e->node, fmin(there, STEPS));
}

/* What is best at node x from the step on: an edge, -1 to stay, -2 to fetch. */
static int
best_move(const struct now *w, int i, int x)
{
	const struct known *k = w->k;
	float here = chance(k, w->m, i, k->net.at[x]);
	float best = here + REST * w->price + row(w->l->value, k, i + 1, 0)[x];
	int move = -1;

	for (int e = k->net.first[x]; e < k->net.first[x + 1]; e++) {
		int y = k->net.to[e];
		float there =
		    chance(k, w->m, clip(i + k->edge[e].steps), k->net.at[y]);
		float c = k->edge[e].steps * (w->price + (here + there) / 2) +
		          value_at(k, w->l, y, i + k->edge[e].steps);

		if (c < best) {
			best = c;
			move = e;
		}
	}
	if (isfinite(w->l->tour.fetch[x]) &&
	    row(w->l->value, k, i, 0)[x] < best * (1 - 1e-5f))
		return -2;
	return move;
}

/* A pellet that is left at node x, -1 if there is none. */
static int
pellet_at(const struct now *w, int x)
{
	for (int i = 0; i < w->v->pellets; i++)
		if (w->v->left[i] && w->k->tour.node[i] == x)
			return i;
	return -1;
}

/* Put down the way from entry e until the first wait; set the pellet that is
 * fetched at its end, or -1. Returns the number of points. */
static int
trace(
    const struct now *w, const struct entry *e, struct pb_vec *way, int *pellet)
{
	const struct known *k = w->k;
	double step = w->step + e->turn + e->drive;
	int n = 0, x = e->node, move = 0;

	*pellet = -1;
	way[n++] = pb_pose_vec(w->at);
	way[n++] = k->net.at[x];
	while (n < WAY - 1 && step < STEPS &&
	       (move = best_move(w, clip(step + 0.5), x)) >= 0) {
		step += k->edge[move].steps;
		x = k->net.to[move];
		way[n++] = k->net.at[x];
	}
	if (move == -2 && (*pellet = pellet_at(w, x)) >= 0)
		way[n++] =
		    pb_arena_centre(w->v->arena, w->v->arena->cell[*pellet]);
	return n;
}

/* Whether e may be taken: to be near by is worth what is fetched there, as the
 * values of nodes know nothing of turns. */
static bool
leads(const struct now *w, int j, const struct entry *e)
{
	int i = clip(w->step + j + e->turn + e->drive + 0.5);

	return e->leads || best_move(w, i, e->node) == -2;
}

static void
choose(const struct now *w, struct mind *m, struct pb_answer *out)
{
	const struct pb_arena *a = w->v->arena;
	const struct entry *best = NULL;
	struct pb_vec way[WAY], p = pb_pose_vec(w->at);
	float least = INFINITY;
	int wait = 0, n, pellet;

	/* Later waits are looked at less closely. */
	for (int j = 0; j == 0 || w->step + j < STEPS; j += 1 + j / 8)
		for (int i = 0; i < w->n; i++) {
			float c = cost(w, j, &w->e[i]);

			if (c < least && leads(w, j, &w->e[i])) {
				least = c;
				best = &w->e[i];
				wait = j;
			}
		}
	m->plan_t = w->v->t;
	out->kind = PB_STOP;
	if (best == NULL || wait > 0)
		return;
	n = trace(w, best, way, &pellet);
	if (pellet >= 0 &&
	    pb_dist(p, pb_arena_centre(a, a->cell[pellet])) < IN_HAND) {
		if (m->hand != pellet)
			m->hand_t = w->v->t;
		m->hand = w->v->t < m->hand_t + HAND_TIME ? pellet : -1;
		if (m->hand < 0)
			return;
		out->kind = PB_GO_PELLET;
		out->pellet = pellet;
		return;
	}
	m->hand = -1;
	if (n == 2 && pb_dist(p, way[1]) < THERE)
		return;
	out->kind = PB_GO_PATH;
	out->way = m->band;
	out->ways = pb_path_smooth(&w->k->net, way, n,
	    w->v->opts->inscribed + OFF_WALLS, m->band, BAND);
}

/*
 * Where Clyde will be: at[i] after i * dt seconds, i < n. He wanders whatever
 * the robot does, so a copy of him is ticked ahead.
 */
static void
foresee_clyde(const struct pb_view *v, double dt, int n, struct pb_vec *at)
{
	struct pb_clyde *ahead = v->truth->ahead;
	double period = v->truth->clyde->opts.period;
	double since = v->t - v->clyde_t;
	long ticks = 0;

	pb_clyde_copy(ahead, v->truth->clyde);
	for (int i = 0; i < n; i++) {
		/* A tick at the very moment counts: 1e-6 of one is rounding. */
		double due = (since + i * dt) / period + 1e-6;

		for (; ticks + 1 <= due; ticks++)
			pb_clyde_tick(ahead);
		at[i] = ahead->at;
	}
}

/* Work out the tables, or only what has changed. */
static bool
refresh(const struct known *k, struct mind *m, const struct lists *l,
    const struct pb_view *v)
{
	const struct pb_clyde *c = v->truth->clyde;
	double step = (v->t - m->t0) / STEP + 1e-6;

	if (m->planned && v->remaining == m->remaining &&
	    v->clyde_speed == m->clyde && step < STEPS / 2 &&
	    pb_dist(c->at, m->at[(int)step]) < 1e-3 + STEP * m->clyde)
		return false;
	foresee_clyde(v, STEP, STEPS + 1, m->at);
	pb_tour_rest(&k->tour, v->left, k->speed, &l->tour);
	m->t0 = v->t;
	m->clyde = v->clyde_speed;
	m->remaining = v->remaining;
	m->planned = true;
	solve(k, m, l, pb_price_of_time(PRICE, v));
	return true;
}

/* Of pellets that nothing leads to navigation has to say so. */
static bool
none_to_reach(
    const struct known *k, const struct pb_view *v, struct pb_answer *out)
{
	for (int i = 0; i < v->pellets; i++) {
		if (!v->left[i])
			continue;
		if (k->tour.node[i] >= 0)
			return false;
		out->pellet = i;
	}
	out->kind = PB_GO_PELLET;
	return true;
}

static void
decide(void *mem, const void *known, const void *view, struct pb_answer *out)
{
	const struct pb_view *v = view;
	const struct known *k = known;
	struct pb_block b = {.at = mem};
	struct lists l;
	struct mind *m;
	struct now w = {.k = k, .l = &l, .v = v};
	double far;

	m = mind_in(k, &b, &l);
	w.m = m;
	out->localizes = true;
	w.at = v->truth->robot;
	out->odom_in_map = pb_pose_compose(w.at, pb_pose_inverse(v->odom));
	if (none_to_reach(k, v, out))
		return;
	far = pb_dist(v->clyde, pb_pose_vec(w.at));
	if (v->goal == PB_GOAL_PATH && fabs(v->w) > SETTLED)
		m->turns = true;
	if (fabs(v->v) > SETTLED)
		m->turns = false;
	if (!refresh(k, m, &l, v) && v->goal == PB_GOAL_PATH &&
	    v->t < m->plan_t + LASTS + FAR * far - 1e-9)
		return;
	w.step = (v->t - m->t0) / STEP + 1e-6; /* against rounding */
	w.price = (float)(pb_price_of_time(PRICE, v) * STEP);
	look(&w);
	find_entries(&w, ENTRY_FROM);
	if (w.n == 0)
		find_entries(&w, 0);
	choose(&w, m, out);
}

const struct pb_player pb_player_oracle = {
    .name = "oracle",
    .summary =
	"knows the truth and the ghosts' future: what can be had at most",
    .period = PERIOD,
    .foresees = true,
    .learn = learn,
    .forget = forget,
    .memory = memory,
    .reset = reset,
    .decide = decide,
};
