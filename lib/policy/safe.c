/* safe.c - the player that plans in time against a forecast of Clyde's way. */
#include "policy/safe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "pb/clyde.h"
#include "policy/pacmanbot_players.h"

/* What rounding, not a localizer, adds to a measurement (m2, rad2). */
#define TINY 1e-8

/* All of the first estimate's deviation is its error. */
static void
begin(struct pb_safe_pose *f, const struct pb_round_opts *o, struct pb_pose z)
{
	double var[3] = {o->pose_sd * o->pose_sd, o->pose_sd * o->pose_sd,
	    o->pose_th_sd * o->pose_th_sd};

	memset(f->p, 0, sizeof(f->p));
	f->s[0] = z.x;
	f->s[1] = z.y;
	f->s[2] = z.th;
	for (int i = 0; i < 3; i++) {
		f->s[i + 3] = 0;
		f->p[i][i] = f->p[i + 3][i + 3] = var[i];
		f->p[i][i + 3] = f->p[i + 3][i] = -var[i];
	}
}

/* p = a p a' for the Jacobian a of a move. */
static void
spread(double p[6][6], double a[6][6])
{
	double q[6][6];

	for (int i = 0; i < 6; i++) {
		for (int j = 0; j < 6; j++) {
			q[i][j] = 0;
			for (int k = 0; k < 6; k++)
				q[i][j] += a[i][k] * p[k][j];
		}
	}
	for (int i = 0; i < 6; i++) {
		for (int j = 0; j < 6; j++) {
			p[i][j] = 0;
			for (int k = 0; k < 6; k++)
				p[i][j] += q[i][k] * a[j][k];
		}
	}
}

/* The pose moves by odometry, the error decays and is stirred. */
static void
predict(
    struct pb_safe_pose *f, const struct pb_round_opts *o, struct pb_pose odom)
{
	struct pb_pose step = pb_pose_into(f->odom, odom);
	double d = pb_hypot(step.x, step.y), turn = fabs(step.th);
	double c = pb_cos(f->s[2]), s = pb_sin(f->s[2]);
	double along = o->odom_trans_trans * d + o->odom_trans_rot * turn;
	double fresh = 1 - o->pose_keep * o->pose_keep;
	double a[6][6] = {{0}};

	for (int i = 0; i < 6; i++)
		a[i][i] = i < 3 ? 1 : o->pose_keep;
	a[0][2] = -s * step.x - c * step.y;
	a[1][2] = c * step.x - s * step.y;
	spread(f->p, a);
	f->s[0] += c * step.x - s * step.y;
	f->s[1] += s * step.x + c * step.y;
	f->s[2] = pb_wrap(f->s[2] + step.th);
	for (int i = 3; i < 6; i++)
		f->s[i] *= o->pose_keep;
	f->p[0][0] += along;
	f->p[1][1] += along;
	f->p[2][2] += o->odom_rot_rot * turn + o->odom_rot_trans * d;
	f->p[3][3] += fresh * o->pose_sd * o->pose_sd;
	f->p[4][4] += fresh * o->pose_sd * o->pose_sd;
	f->p[5][5] += fresh * o->pose_th_sd * o->pose_th_sd;
}

/* Coordinate i of the estimate is s[i] + s[i + 3], as good as exactly. */
static void
correct(struct pb_safe_pose *f, int i, double residual)
{
	double g[6], v;

	for (int j = 0; j < 6; j++)
		g[j] = f->p[j][i] + f->p[j][i + 3];
	v = g[i] + g[i + 3] + TINY;
	for (int j = 0; j < 6; j++)
		f->s[j] += g[j] / v * residual;
	for (int j = 0; j < 6; j++)
		for (int k = 0; k < 6; k++)
			f->p[j][k] -= g[j] * g[k] / v;
}

void
pb_safe_pose_see(struct pb_safe_pose *f, const struct pb_round_opts *o,
    struct pb_pose z, struct pb_pose odom)
{
	if (f->seen++ == 0) {
		begin(f, o, z);
		f->odom = odom;
		return;
	}
	predict(f, o, odom);
	f->odom = odom;
	correct(f, 0, z.x - f->s[0] - f->s[3]);
	correct(f, 1, z.y - f->s[1] - f->s[4]);
	correct(f, 2, pb_wrap(z.th - f->s[2] - f->s[5]));
	f->s[2] = pb_wrap(f->s[2]);
}

/* The pose of the odometry frame in the map; after the first estimate. */
static struct pb_pose
pose_frame(const struct pb_safe_pose *f)
{
	struct pb_pose p = {f->s[0], f->s[1], f->s[2]};

	return pb_pose_compose(p, pb_pose_inverse(f->odom));
}

struct pb_pose
pb_safe_pose_now(const struct pb_safe_pose *f, struct pb_pose odom)
{
	return pb_pose_compose(pose_frame(f), odom);
}

/*
 * Blocks of the robot's nets and of Clyde's chain (m): as large as they may be
 * to tell meeting from passing.
 */
#define BLOCK 0.3

/* Blocks of Clyde's ground (m), and most nodes of it, of which each pair has an
 * entry in a table. */
#define CLYDE_BLOCK 0.1
#define CLYDE_NODES 2500

/*
 * Most nodes of the net that it plans on, and of that on which fleeing is
 * solved, of which each has a row in the table of values; most entries of that.
 */
#define NODES       6000
#define ROUGH_NODES 1200
#define VALUES      6000000

/* Corners and accelerations cost this part of the top speed. */
#define BRISK 0.92

/* Steps of the plan last as long as half a block, and reach this far (s). */
#define AHEAD 10.0

/* Being caught counts up to about so far in the future (s). */
#define HORIZON 60.0

/*
 * What is added to the death radius (m): half of what Clyde walks between two
 * of his messages.
 */
#define MARGIN 0.04

/* Deviations (m): of the follower from its way, of Clyde from the way that he
 * was thought to take. */
#define FOLLOWS 0.03
#define IN_WALK 0.12

/* Chances of being caught below this count as none. */
#define LEAST 1e-4

static double
root_sum(double a, double b, double c)
{
	return sqrt(a * a + b * b + c * c);
}

/* Deviation of what the judge will see from where the robot wants to be. */
static double
judge_sd(const struct pb_round_opts *o)
{
	if (o->judge == PB_JUDGE_ESTIMATE)
		return o->pose_sd;
	/* The filter averages over some twenty estimates of a lasting error. */
	return 0.5 * o->pose_sd;
}

/* Clyde's speed in the round. */
static double
clyde_speed(const struct pb_round_opts *o)
{
	return o->clyde_speed + (o->round - 1) * o->clyde_step;
}

static enum pb_status
make_graphs(struct pb_safe_known *k, const struct pb_arena *a)
{
	enum pb_status err =
	    pb_safe_net_init(&k->net, a, BLOCK, NODES, &k->pool);
	int side;

	if (err == PB_OK)
		err = pb_safe_net_init(
		    &k->rough, a, BLOCK, ROUGH_NODES, &k->pool);
	if (err == PB_OK)
		err = pb_clyde_ground_init(
		    &k->ground, &a->clyde, CLYDE_BLOCK, CLYDE_NODES, &k->pool);
	if (err != PB_OK)
		return err;
	side = (int)(BLOCK / (5 * k->ground.unit) + 0.5);
	return pb_clyde_chain_init(&k->chain, &k->ground, side < 1 ? 1 : side,
	    VALUES / (k->rough.n + 1), &k->pool);
}

/* Deviation from the middle of a coarse block, if it is larger than BLOCK. */
static double
block_sd(const struct pb_clyde_chain *c, const struct pb_clyde_ground *g)
{
	return c->side * 5 * g->unit / sqrt(12);
}

static enum pb_status
make_field(struct pb_safe_known *k, const struct pb_round_opts *o)
{
	struct pb_safe_field *f = &k->field;
	double clyde_sd = fmax(IN_WALK, block_sd(&k->chain, &k->ground));
	enum pb_status err;

	*f = (struct pb_safe_field){.ground = &k->ground,
	    .chain = &k->chain,
	    .net = &k->net,
	    .value = &k->value,
	    .kill = pb_safe_kill_make(o->death_radius + MARGIN,
		root_sum(judge_sd(o), FOLLOWS, clyde_sd), LEAST),
	    .lag = o->judge == PB_JUDGE_ESTIMATE ? o->pose_min_d / 2 : 0,
	    .keep = o->judge == PB_JUDGE_ESTIMATE ? o->pose_keep : 0,
	    .speed = BRISK * o->v_max};
	f->dt = k->net.side * k->net.arena->map.resolution / 2 / f->speed;
	f->steps = (int)(AHEAD / f->dt + 0.5);
	f->steps = f->steps < 8 ? 8 : f->steps;
	if (f->steps > PB_SAFE_PLAN_STEPS)
		f->steps = PB_SAFE_PLAN_STEPS;
	err = pb_safe_value_init(&k->value, &k->rough, &k->chain, &f->kill,
	    f->speed, clyde_speed(o), HORIZON, &k->pool);
	if (err == PB_OK)
		err = pb_safe_field_init(f, &k->pool);
	return err;
}

enum pb_status
pb_safe_learn(const void *world, const void *opts, void **known)
{
	const struct pb_round_opts *o = opts;
	struct pb_safe_known *k = calloc(1, sizeof(*k));
	enum pb_status err;

	if (k == NULL)
		return PB_ENOMEM;
	k->opts = *o;
	err = make_graphs(k, world);
	if (err == PB_OK)
		err = make_field(k, o);
	if (err == PB_OK)
		err = pb_tour_init(&k->tour, &k->net, &k->pool);
	if (err == PB_OK && pb_round_marks(o))
		err = pb_safe_floor_init(
		    &k->floor, &k->field, &k->tour, &k->pool);
	if (err != PB_OK)
		pb_safe_forget(k);
	else
		*known = k;
	return err;
}

void
pb_safe_forget(void *known)
{
	struct pb_safe_known *k = known;

	if (k == NULL)
		return;
	pb_pool_clear(&k->pool);
	free(k);
}

/* Decisions: as often as Clyde is heard of (s). */
#define PERIOD 0.2

/*
 * A plan is good for so long if nothing happens (s), longer by so much for
 * each metre that Clyde is away (s/m), up to the third (s), since a robot that
 * has come to its end waits; beyond the last (m) his turns are no news.
 */
#define PLAN_LASTS 0.2
#define PLAN_FAR   0.4
#define PLAN_MOST  2.5
#define NEWS_FROM  3.0

/* A robot this near to where it is to wait need not turn and go there (m). */
#define AS_GOOD_AS_THERE 0.12

/* From here navigation's own result counts as having it (m). */
#define IN_HAND 0.27

/* Navigation may take one turn of its global costmap to say so (s). */
#define HAND_TIME 1.5

/* Where something is in the way it is asked no longer than this (s). */
#define HAND_LONG 6.0

/* A second is worth this much chance of being caught. */
#define PRICE 1e-4

/*
 * Who is as far from the end of the tour as so long ago (s) waits; sooner,
 * where there is less to spare for each pellet, but not sooner than the second.
 * From then on the price doubles each time that this part of it has passed, at
 * most to the last, where the risk that a plan's seconds buy is bounded; over
 * the part of the limit that is left, since a round that ends by it is lost.
 */
#define PATIENCE   30.0
#define IMPATIENT  5.0
#define DEARER     0.4
#define PRICE_MOST 0.03
#define NEARER     0.5 /* what counts as progress (s) */

/*
 * Where the limit leaves hardly more time than it takes to the last pellet, a
 * second is worth at least this, less by e for each so many left over (s).
 */
#define LAST_PRICE 0.2
#define LAST_TIME  15.0

/*
 * A robot that follows a path and has not come this far (m) in this time (s),
 * less what it turned faster than this (rad/s), rubs along a wall that is not
 * where the estimate puts it; it backs out by this much (m), in another
 * direction each time.
 */
#define RUB_DIST 0.1
#define RUB_TIME 1.2
#define RUB_TURN 0.3
#define BACK_OUT 0.35

/*
 * Ways keep this much more than the body from walls where there is room (m),
 * and have at most so many points.
 */
#define OFF_WALLS 0.2
#define BAND      128

/* The player's memory: this, then lists. */
struct mind {
	struct pb_safe_pose pose;
	struct pb_clyde_belief belief;
	int remaining;  /* pellets when the tour was last worked out */
	double least;   /* it was so near to the end of the tour (s) ... */
	double least_t; /* ... first then (s) */
	bool planned;   /* the plan below is of this round */
	double plan_t;  /* when it was made (s) */
	struct pb_safe_plan plan;
	int hand;           /* pellet that navigation is to confirm, or -1 */
	double hand_t;      /* since when (s) */
	struct pb_pose rub; /* odometry when progress was last seen */
	double rub_t;       /* and when (s) */
	int rubs;           /* times it has backed out */
	struct pb_vec band[BAND]; /* the way, kept off the walls */
};

/* Lists in the memory behind struct mind. */
struct lists {
	struct pb_tour_lists tour;
	struct pb_safe_marks marks;
	void *plan_work;
};

/* The net and what lies on it, as they are now. */
struct ground {
	const struct pb_safe_net *net;
	const struct pb_safe_field *field;
	const struct pb_tour *tour;
};

/* The player's memory. */
static struct mind *
mind_in(const struct pb_safe_known *k, struct pb_block *b, struct lists *l)
{
	struct mind *m = pb_block_take(b, 1, sizeof(*m));

	l->tour = pb_tour_lists_in(b, &k->tour);
	l->marks = pb_safe_marks_in(b, &k->floor);
	l->plan_work = pb_block_take(b, 1, pb_safe_plan_bytes(&k->field));
	return m;
}

static size_t
memory(const void *world, const void *opts, const void *known)
{
	struct pb_block b = {.at = NULL};
	struct lists l;

	(void)world;
	(void)opts;
	mind_in(known, &b, &l);
	return b.used;
}

static void
hear(void *mem, const void *known, const void *view)
{
	const struct pb_view *v = view;
	const struct pb_safe_known *k = known;
	struct mind *m = mem;

	pb_safe_pose_see(&m->pose, &k->opts, v->pose, v->odom_at_pose);
}

/* What was seen of Clyde. Returns whether it is news. */
static bool
see_clyde(
    const struct pb_safe_known *k, struct mind *m, const struct pb_view *v)
{
	if (v->truth != NULL || v->clyde_t <= m->belief.t)
		return false;
	return pb_clyde_belief_see(&m->belief, &k->ground, &k->chain, v->clyde,
		   v->clyde_t, v->clyde_speed) &&
	       pb_dist(v->clyde, pb_pose_vec(v->pose)) < NEWS_FROM;
}

static void
reset(void *mem, const void *known, const void *view)
{
	const struct pb_view *v = view;
	const struct pb_safe_known *k = known;
	struct mind *m = mem;

	m->planned = false;
	m->plan.n = 0;
	m->rub = v->odom;
	m->rub_t = v->t;
	pb_clyde_belief_reset(&m->belief, &k->ground, v->clyde, v->clyde_t);
	m->remaining = -1;
	m->hand = -1;
}

/*
 * A pellet that is left and within reach of p, -1 if there is none. In a large
 * map a node may be too far from its pellet: navigation is asked from there.
 */
static int
pellet_at(
    const struct ground *g, const struct pb_view *v, int node, struct pb_vec p)
{
	for (int i = 0; i < v->pellets; i++) {
		struct pb_vec at = v->arena->at[i];
		double reach = IN_HAND;

		if (g->tour->node[i] == node &&
		    pb_dist(g->net->at[node], at) >= IN_HAND)
			reach += pb_dist(g->net->at[node], at);
		if (v->left[i] && pb_dist(at, p) < reach)
			return i;
	}
	return -1;
}

/* Odometry's frame in the map, as far as it is known. */
static struct pb_pose
frame_now(const struct mind *m, const struct pb_view *v)
{
	return v->truth != NULL
	           ? pb_pose_compose(v->truth->robot, pb_pose_inverse(v->odom))
	           : pose_frame(&m->pose);
}

/* Where the robot is, likewise. */
static struct pb_pose
pose_now(const struct mind *m, const struct pb_view *v)
{
	return pb_pose_compose(frame_now(m, v), v->odom);
}

/* How far off the last estimate was, likewise (m). */
static struct pb_vec
error_now(const struct mind *m, const struct pb_view *v)
{
	struct pb_pose was;

	if (v->truth == NULL)
		return (struct pb_vec){m->pose.s[3], m->pose.s[4]};
	was = pb_pose_compose(frame_now(m, v), v->odom_at_pose);
	return (struct pb_vec){v->pose.x - was.x, v->pose.y - was.y};
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

/* Whether a plan is to be where the robot is. */
static bool
stays(const struct pb_safe_net *net, const struct pb_safe_plan *p,
    struct pb_vec at)
{
	return p->n == 1 && !p->fetch &&
	       pb_dist(at, net->at[p->node[0]]) < AS_GOOD_AS_THERE;
}

/* How far the robot has to drive until there is another estimate (m). */
static double
until_estimate(const struct pb_view *v)
{
	double x = fabs(v->odom.x - v->odom_at_pose.x);
	double y = fabs(v->odom.y - v->odom_at_pose.y);

	return fmax(v->opts->pose_min_d - fmax(x, y), 0);
}

/*
 * What a second is worth, after however much waiting. It doubles with each
 * tenth of the limit that has passed beyond half.
 */
static double
price_now(const struct ground *g, struct mind *m, const struct lists *l,
    const struct pb_view *v, struct pb_vec p)
{
	double late = fmax(v->run_t / v->opts->duration - 0.5, 0);
	double price = PRICE * pb_pow(2, 10 * late);
	int here = pb_safe_net_at(g->net, p);
	float rest = here < 0 ? 0 : l->tour.rest[here];
	double left = fmax(v->opts->duration - v->run_t, 1);
	double spare = (left - rest) / (v->remaining > 0 ? v->remaining : 1);
	double patience = fmin(fmax(spare, IMPATIENT), PATIENCE), waits;
	double most = PRICE_MOST * v->opts->duration / left;

	if (v->remaining == 1 && left > rest && g->net->marked == NULL)
		price = fmax(
		    price, LAST_PRICE * pb_exp(-(left - rest) / LAST_TIME));
	if (rest < m->least - NEARER) {
		m->least = rest;
		m->least_t = v->t;
	}
	waits = v->t - m->least_t - patience;
	/* What is closed does not open for being brave. */
	if (waits <= 0 || g->net->marked != NULL || price > most)
		return price;
	return fmin(price * pb_pow(2, waits / (DEARER * patience)), most);
}

/* What navigation is to do, by the plan. */
static void
carry_out(const struct ground *g, struct mind *m, const struct pb_view *v,
    struct pb_vec from, struct pb_answer *out)
{
	const struct pb_safe_plan *p = &m->plan;
	struct pb_vec way[PB_SAFE_PLAN_STEPS + 2];
	int n = 0;

	m->hand = p->fetch && p->n > 0 && p->n <= 2
	              ? pellet_at(g, v, p->node[p->n - 1], from)
	              : -1;
	if (m->hand >= 0) {
		out->kind = PB_GO_PELLET;
		out->pellet = m->hand;
		return;
	}
	if (p->n == 0 || stays(g->net, p, from)) {
		out->kind = PB_STOP;
		return;
	}
	way[n++] = from;
	for (int i = 0; i < p->n; i++)
		way[n++] = g->net->at[p->node[i]];
	out->kind = PB_GO_PATH;
	out->way = m->band;
	out->ways = pb_path_smooth(
	    g->net, way, n, v->opts->inscribed + OFF_WALLS, m->band, BAND);
}

static void
plan_on(const struct ground *g, struct mind *m, struct lists *l,
    const struct pb_view *v, struct pb_answer *out)
{
	struct pb_pose at = pose_now(m, v);
	struct pb_vec future[PB_SAFE_PLAN_STEPS + 1];
	bool estimate = v->opts->judge == PB_JUDGE_ESTIMATE;
	struct pb_safe_task task = {.at = pb_pose_vec(at),
	    .th = at.th,
	    .w = v->w,
	    .w_max = v->opts->w_max,
	    .w_acc = v->opts->w_acc,
	    .look_d = estimate ? until_estimate(v) : 0,
	    .look_a = v->opts->pose_min_a,
	    .judged = pb_pose_vec(estimate ? v->pose : at),
	    .error = error_now(m, v),
	    .belief = &m->belief,
	    .clyde = v->clyde_speed,
	    .price = price_now(g, m, l, v, pb_pose_vec(at)),
	    .rest = l->tour.rest,
	    .fetch = l->tour.fetch};

	if (estimate)
		task.look_t = sqrt(2 * task.look_a / task.w_acc) +
		              v->opts->scan_period / 2;
	if (v->truth != NULL) {
		foresee_clyde(v, g->field->dt, g->field->steps + 1, future);
		task.future = future;
	}
	m->plan = pb_safe_plan_make(g->field, &task, l->plan_work);
	m->planned = true;
	m->plan_t = v->t;
	carry_out(g, m, v, task.at, out);
}

static void
make_plan(const struct pb_safe_known *k, struct mind *m, struct lists *l,
    const struct pb_view *v, struct pb_answer *out)
{
	struct ground g = {&k->net, &k->field, &k->tour};
	struct pb_safe_field field;
	struct pb_safe_net net;
	struct pb_tour tour;
	int was = m->hand;

	if (l->marks.now != NULL && l->marks.now->any) {
		net = pb_safe_marks_net(&k->floor, &l->marks);
		tour = pb_safe_marks_apply(&k->floor, &l->marks);
		field = k->field;
		field.net = &net;
		field.edge = l->marks.edge;
		g = (struct ground){&net, &field, &tour};
	}
	plan_on(&g, m, l, v, out);
	if (m->hand < 0 || m->hand != was)
		m->hand_t = v->t;
	if (m->hand >= 0 && g.net == &net && v->t > m->hand_t + HAND_LONG) {
		pb_safe_marks_put_off(&l->marks, m->hand, v->t);
		m->hand = -1;
		out->kind = PB_STOP;
	}
}

/* Where to back out: first to where the map has most room. */
static double
roomiest(const struct mind *m, const struct pb_view *v, struct pb_vec at)
{
	double best = -1, th = 0;

	for (int i = 0; i < 8; i++) {
		double a = i * PB_PI / 4;
		double room =
		    pb_arena_clearance(v->arena, pb_point_at(at, a, BACK_OUT));

		if (room > best) {
			best = room;
			th = a;
		}
	}
	/* Three eighths on each time: all directions, never two alike. */
	return th + 3 * PB_PI / 4 * (m->rubs % 8);
}

/* Whether the robot rubs along a wall; then out leads away from it. */
static bool
back_out(struct mind *m, const struct pb_view *v, struct pb_answer *out)
{
	double moved = pb_pose_dist(v->odom, m->rub);
	struct pb_vec at = pb_pose_vec(pose_now(m, v));

	if (v->goal != PB_GOAL_PATH || moved > RUB_DIST) {
		m->rub = v->odom;
		m->rub_t = v->t;
	}
	if (fabs(v->w) > RUB_TURN)
		m->rub_t += PERIOD;
	if (v->t < m->rub_t + RUB_TIME - 1e-9)
		return false;
	m->band[0] = at;
	m->band[1] = pb_point_at(at, roomiest(m, v, at), BACK_OUT);
	m->rubs++;
	m->rub_t = v->t;
	out->kind = PB_GO_PATH;
	out->way = m->band;
	out->ways = 2;
	m->plan.n = 0;
	m->planned = true;
	m->plan_t = v->t + 1;
	return true;
}

/* Of pellets that nothing leads to navigation has to say so. */
static bool
none_to_reach(const struct pb_safe_known *k, const struct pb_view *v,
    struct pb_answer *out)
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
	const struct pb_safe_known *k = known;
	struct pb_block b = {.at = mem};
	struct lists l;
	struct mind *m = mind_in(k, &b, &l);
	double far = pb_dist(v->clyde, pb_pose_vec(v->pose));
	double lasts = m->hand >= 0
	                   ? HAND_TIME
	                   : fmin(fmax(PLAN_LASTS, PLAN_FAR * far), PLAN_MOST);
	bool news = !m->planned;

	news |= see_clyde(k, m, v);
	news |= pb_safe_marks_see(&k->floor, &l.marks, v);
	if (pb_safe_marks_tour(
		&k->floor, &l.marks, v, pb_pose_vec(pose_now(m, v))) ||
	    v->remaining != m->remaining) {
		struct pb_tour t = k->tour;

		if (l.marks.now != NULL && l.marks.now->any)
			t = pb_safe_marks_apply(&k->floor, &l.marks);
		pb_tour_rest(&t, v->left, k->field.speed, &l.tour);
		if (v->remaining != m->remaining) {
			m->least = INFINITY;
			news = true;
		}
		m->remaining = v->remaining;
	}
	news |= m->plan.n > 0 && v->goal == PB_GOAL_NONE &&
	        v->last_end == PB_END_FAILED;
	out->localizes = true;
	out->odom_in_map = frame_now(m, v);
	if (m->belief.node < 0 || none_to_reach(k, v, out) ||
	    back_out(m, v, out))
		return;
	if (news || v->t >= m->plan_t + lasts - 1e-9)
		make_plan(k, m, &l, v, out);
}

const struct pb_player pb_player_safe = {
    .name = "safe",
    .summary = "plans in time against a forecast of where Clyde will be",
    .period = PERIOD,
    .learn = pb_safe_learn,
    .forget = pb_safe_forget,
    .memory = memory,
    .hear = hear,
    .reset = reset,
    .decide = decide,
};

const struct pb_player pb_player_oracle = {
    .name = "oracle",
    .summary = "safe, told the true pose and where Clyde will be",
    .period = PERIOD,
    .foresees = true,
    .learn = pb_safe_learn,
    .forget = pb_safe_forget,
    .memory = memory,
    .hear = hear,
    .reset = reset,
    .decide = decide,
};
