/* safe.c - the player that plans in time against a forecast of Clyde. */
#include "policy/safe_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "pb/clyde.h"
#include "policy/players.h"

/* Variance of rounding, for estimates without error (m2, rad2). */
#define TINY 1e-8

/*
 * One step of the Kalman filter: the state moves by `step`, with variance
 * `noise`; the localizer's error decays by `keep` and keeps its variance sd2;
 * then the sum of both is measured as z.
 */
static void
update_axis(struct pb_safe_axis *a, double keep, double sd2, double step,
    double noise, double z)
{
	double g, e, v;

	a->at += step;
	a->error *= keep;
	a->var += noise;
	a->cov *= keep;
	a->evar = keep * keep * (a->evar - sd2) + sd2;
	g = a->var + a->cov;
	e = a->cov + a->evar;
	v = g + e + TINY;
	z -= a->at + a->error;
	a->at += g / v * z;
	a->error += e / v * z;
	a->var -= g * g / v;
	a->cov -= g * e / v;
	a->evar -= e * e / v;
}

/* The whole deviation of the first estimate is localizer error. */
static struct pb_safe_axis
begin_axis(double z, double sd2)
{
	return (struct pb_safe_axis){z, 0, sd2, -sd2, sd2};
}

void
pb_safe_pose_update(struct pb_safe_pose *f, const struct pb_round_opts *o,
    struct pb_pose z, struct pb_pose odom)
{
	struct pb_safe_axis *x = &f->axis[0], *y = &f->axis[1],
			    *th = &f->axis[2];
	double sd2 = o->estimate.sd * o->estimate.sd;
	double th2 = o->estimate.th_sd * o->estimate.th_sd;
	struct pb_pose step = pb_pose_into(f->odom, odom);
	double d = pb_hypot(step.x, step.y), turn = fabs(step.th);
	double c = pb_cos(th->at), s = pb_sin(th->at), noise;
	double dx = c * step.x - s * step.y, dy = s * step.x + c * step.y;

	f->odom = odom;
	if (f->seen++ == 0) {
		*x = begin_axis(z.x, sd2);
		*y = begin_axis(z.y, sd2);
		*th = begin_axis(z.th, th2);
		return;
	}
	noise = o->wheels.trans_trans * d + o->wheels.trans_rot * turn;
	update_axis(
	    x, o->estimate.keep, sd2, dx, noise + dy * dy * th->var, z.x);
	update_axis(
	    y, o->estimate.keep, sd2, dy, noise + dx * dx * th->var, z.y);
	noise = o->wheels.rot_rot * turn + o->wheels.rot_trans * d;
	/* The heading's turn nearest to that of the state. */
	z.th = th->at + step.th + pb_wrap(z.th - th->at - step.th);
	update_axis(th, o->estimate.keep, th2, step.th, noise, z.th);
	th->at = pb_wrap(th->at);
}

struct pb_pose
pb_safe_pose_frame(const struct pb_safe_pose *f)
{
	struct pb_pose p = {f->axis[0].at, f->axis[1].at, f->axis[2].at};

	return pb_pose_compose(p, pb_pose_inverse(f->odom));
}

/* Period of decisions: that of Clyde's messages (s). */
#define PERIOD 0.2

/*
 * A plan is renewed after PLAN_LASTS (s), or PLAN_FAR times Clyde's distance
 * (s/m), but no later than PLAN_MOST (s), since a robot at the end of its path
 * waits. A turn of Clyde's renews it at once within REPLAN_WITHIN (m). With
 * PLAN_FAR 0.8 a round takes 0.6 of the computing time, but 794 of 1,000 rounds
 * 9 of the published house are completed instead of 815.
 */
#define PLAN_LASTS    0.2
#define PLAN_FAR      0.4
#define PLAN_MOST     2.5
#define REPLAN_WITHIN 3.0

/* Distance at which navigation may confirm a pellet (m). */
#define PICKUP 0.27

/* Time for that: one period of the global costmap (s). */
#define CONFIRM_TIME 1.5

/* Longest time to ask for a pellet whose path is blocked (s). */
#define CONFIRM_MOST 6.0

/*
 * The time weight: the collision risk that one second is worth. Without
 * progress towards the end of the tour for PATIENCE (s), less where less time
 * is left for each pellet but at least IMPATIENT (s), it doubles each DOUBLING
 * of that time, up to TIME_WEIGHT_MOST.
 */
#define TIME_WEIGHT      1e-4
#define PATIENCE         30.0
#define IMPATIENT        5.0
#define DOUBLING         0.4
#define TIME_WEIGHT_MOST 0.03
#define NEARER           0.5 /* least progress (s) */

/*
 * A robot on a path that has not moved RUB_DIST (m) within RUB_TIME (s), not
 * counting time in which it turned faster than RUB_TURN (rad/s), rubs along a
 * wall that its pose estimate misplaces: it backs out by BACK_OUT (m), in
 * another direction each time. Chosen by hand. Without this 14 of 200 rounds in
 * a house of 40 x 30 m end with a stuck robot, with it 3 (random-house -S 40,30
 * -s 5, spacing=4 v-max=0.31).
 */
#define RUB_DIST 0.1
#define RUB_TIME 1.2
#define RUB_TURN 0.3
#define BACK_OUT 0.35

/* Distance of the points of a path (m); their largest number. */
#define SPACING 0.1
enum { POINTS = 128 };

/*
 * The roadmap grazes the ends of walls, where a robot with a pose error rubs.
 * So the path is an elastic band (Quinlan and Khatib, "Elastic bands", 1993):
 * its points move by steps of BAND_MOVE (m), in at most BAND_PASSES passes, so
 * as to keep OFF_WALLS (m) beside the body and to bend less. A missing distance
 * costs BAND_STIFF times as much as a bend, both squared. Chosen by hand. In
 * that house 24 of 200 rounds are completed in time, without the band none.
 */
#define OFF_WALLS   0.2
#define BAND_MOVE   0.05
#define BAND_PASSES 8
#define BAND_STIFF  4.0

/* The state that lasts; the workspace follows it in memory. */
struct state {
	struct pb_safe_pose pose;
	struct pb_clyde_belief belief;
	int remaining;  /* pellets when the tour was last computed */
	double least;   /* least time to the end of the tour so far (s) ... */
	double least_t; /* time when that was reached (s) */
	bool planned;   /* `plan` is of this round */
	double plan_t;  /* time when it was made (s) */
	struct pb_safe_plan plan;
	int confirm;        /* pellet that navigation is to confirm, or -1 */
	double confirm_t;   /* time since when navigation is asked (s) */
	struct pb_pose rub; /* odometry at the last progress */
	double rub_t;       /* time of the last progress (s) */
	int rubs;           /* number of times backed out */
	struct pb_vec way[POINTS];
};

/* Arrays in the memory behind struct state. */
struct workspace {
	struct pb_tour tour;
	struct pb_marks marks;
	struct pb_clyde_forecast forecast;
	void *plan_work;
};

static void
forget(void *model)
{
	if (model == NULL)
		return;
	pb_safe_model_clear(model);
	free(model);
}

static enum pb_status
learn(const void *world, const void *opts, void **model)
{
	struct pb_safe_model *k = calloc(1, sizeof(*k));
	enum pb_status err;

	if (k == NULL)
		return PB_ENOMEM;
	err = pb_safe_model_init(k, world, opts);
	if (err != PB_OK)
		forget(k);
	else
		*model = k;
	return err;
}

static struct state *
lay_out_memory(
    const struct pb_safe_model *k, struct pb_block *b, struct workspace *l)
{
	struct state *m = pb_block_take(b, 1, sizeof(*m));

	l->tour = pb_tour_alloc(b, &k->roads);
	l->marks = pb_marks_alloc(b, &k->roads, pb_round_marks(&k->opts));
	l->forecast = pb_clyde_forecast_alloc(b, &k->clyde);
	l->plan_work = pb_block_take(b, 1, pb_safe_plan_bytes(k));
	return m;
}

static size_t
memory(const void *world, const void *opts, const void *model)
{
	struct pb_block b = {.at = NULL};
	struct workspace l;

	(void)world;
	(void)opts;
	lay_out_memory(model, &b, &l);
	return b.used;
}

static void
see_estimate(void *mem, const void *model, const void *view)
{
	const struct pb_view *v = view;
	const struct pb_safe_model *k = model;
	struct state *m = mem;

	pb_safe_pose_update(&m->pose, &k->opts, v->pose, v->odom_at_pose);
}

/* Update the belief; returns whether Clyde began a new leg nearby. */
static bool
update_belief(struct state *m, struct workspace *l, const struct pb_view *v)
{
	if (v->truth != NULL || v->clyde_t <= m->belief.t)
		return false;
	return pb_clyde_belief_update(&m->belief, &l->forecast, v->clyde,
		   v->clyde_t, v->clyde_speed) &&
	       pb_dist(v->clyde, pb_pose_vec(v->pose)) < REPLAN_WITHIN;
}

static void
reset(void *mem, const void *model, const void *view)
{
	const struct pb_view *v = view;
	const struct pb_safe_model *k = model;
	struct state *m = mem;

	m->planned = false;
	m->plan.n = 0;
	pb_clyde_belief_reset(&m->belief, &k->clyde, v->clyde, v->clyde_t);
	m->remaining = -1;
	m->confirm = -1;
	m->rub = v->odom;
	m->rub_t = v->t;
}

/*
 * A remaining pellet within reach of p, -1 if there is none. In a large map a
 * node may be farther than PICKUP from its pellet: the way to the pellet begins
 * at the node.
 */
static int
find_pellet(const struct pb_roadmap *r, const struct pb_view *v, int node,
    struct pb_vec p)
{
	for (int i = 0; i < v->pellets; i++) {
		struct pb_vec at = v->arena->at[i];
		double reach = PICKUP;

		if (r->pellet_node[i] == node &&
		    pb_dist(r->at[node], at) >= PICKUP)
			reach += pb_dist(r->at[node], at);
		if (v->left[i] && pb_dist(at, p) < reach)
			return i;
	}
	return -1;
}

/* The odometry frame in the map: by the filter, or the truth. */
static struct pb_pose
get_odom_frame(const struct state *m, const struct pb_view *v)
{
	return v->truth != NULL
	           ? pb_pose_compose(v->truth->robot, pb_pose_inverse(v->odom))
	           : pb_safe_pose_frame(&m->pose);
}

/* Clyde's future places, for the oracle: at[i] after i * dt seconds, i < n.
 * Clyde ignores the robot, so a copy of it is ticked ahead. */
static void
foresee_clyde(const struct pb_view *v, double dt, int n, struct pb_vec *at)
{
	struct pb_clyde *ahead = v->truth->ahead;
	double period = v->truth->clyde->opts.period;
	double since = v->t - v->clyde_t;
	long ticks = 0;

	pb_clyde_copy(ahead, v->truth->clyde);
	for (int i = 0; i < n; i++) {
		/* 1e-6 ticks of tolerance for rounding. */
		double due = (since + i * dt) / period + 1e-6;

		for (; ticks + 1 <= due; ticks++)
			pb_clyde_tick(ahead);
		at[i] = ahead->at;
	}
}

/* Distance to drive until the next estimate (m). */
static double
distance_to_estimate(const struct pb_view *v)
{
	double x = fabs(v->odom.x - v->odom_at_pose.x);
	double y = fabs(v->odom.y - v->odom_at_pose.y);

	return fmax(v->opts->estimate.min_d - fmax(x, y), 0);
}

/* The current time weight. It does not grow while marks of the lidar close a
 * part of the map: more risk would not open that part. */
static double
weigh_time(const struct pb_roadmap *r, struct state *m,
    const struct workspace *l, const struct pb_view *v, struct pb_vec p)
{
	double left = fmax(v->opts->duration - v->run_t, 1);
	int here = pb_roadmap_node_at(r, p);
	float rest = here < 0 ? 0 : l->tour.rest[here];
	double spare = (left - rest) / (v->remaining > 0 ? v->remaining : 1);
	double patience = fmin(fmax(spare, IMPATIENT), PATIENCE), waits;

	if (rest < m->least - NEARER) {
		m->least = rest;
		m->least_t = v->t;
	}
	waits = v->t - m->least_t - patience;
	if (waits <= 0 || r->marked != NULL)
		return TIME_WEIGHT;
	return fmin(TIME_WEIGHT * pb_pow(2, waits / (DOUBLING * patience)),
	    TIME_WEIGHT_MOST);
}

/* Cost of a band point at p; mid is the middle of its neighbours. */
static double
find_strain(
    const struct pb_roadmap *r, struct pb_vec p, struct pb_vec mid, double room)
{
	int cell = pb_arena_cell(r->arena, p);
	bool marked = cell >= 0 && r->marked != NULL && r->marked[cell];
	double lack = marked ? room : room - pb_arena_clearance(r->arena, p);
	double x = p.x - mid.x, y = p.y - mid.y;

	return (lack > 0 ? BAND_STIFF * lack * lack : 0) + x * x + y * y;
}

/* Move p to the best of its eight neighbours, if one is better. */
static bool
relax_point(const struct pb_roadmap *r, struct pb_vec *p, struct pb_vec mid,
    double room)
{
	double least = find_strain(r, *p, mid, room) - 1e-9;
	struct pb_vec from = *p;
	bool moved = false;

	for (int i = 0; i < PB_MOVES; i++) {
		struct pb_vec q = {from.x + pb_move_col(i) * BAND_MOVE,
		    from.y + pb_move_row(i) * BAND_MOVE};
		double s = find_strain(r, q, mid, room);

		if (s < least) {
			least = s;
			*p = q;
			moved = true;
		}
	}
	return moved;
}

/* Relax the band of n points; its ends stay. */
static void
relax_way(const struct pb_roadmap *r, struct pb_vec *way, int n, double room)
{
	bool moved = true;

	for (int k = 0; k < BAND_PASSES && moved; k++) {
		moved = false;
		for (int i = 1; i + 1 < n; i++)
			moved |= relax_point(r, &way[i],
			    pb_segment_at(way[i - 1], way[i + 1], 0.5), room);
	}
}

/* Fill m->way with the plan's path from p; returns its length. */
static int
fill_way(
    struct state *m, const struct pb_roadmap *r, struct pb_vec p, double room)
{
	int n = 0;

	m->way[n++] = p;
	for (int i = 0; i < m->plan.n; i++) {
		struct pb_vec q = r->at[m->plan.node[i]];
		int parts = (int)ceil(pb_dist(p, q) / SPACING);

		for (int j = 1; j <= parts && n < POINTS; j++)
			m->way[n++] = pb_segment_at(p, q, (double)j / parts);
		p = q;
	}
	relax_way(r, m->way, n, room);
	return n;
}

/* Answer with what the plan has navigation do. */
static void
answer_by_plan(const struct pb_roadmap *r, struct state *m,
    const struct pb_view *v, struct pb_vec from, struct pb_answer *out)
{
	const struct pb_safe_plan *p = &m->plan;

	m->confirm = p->fetch && p->n > 0 && p->n <= 2
	                 ? find_pellet(r, v, p->node[p->n - 1], from)
	                 : -1;
	if (m->confirm >= 0) {
		out->kind = PB_GO_PELLET;
		out->pellet = m->confirm;
		return;
	}
	if (p->n == 0) {
		out->kind = PB_STOP;
		return;
	}
	out->kind = PB_GO_PATH;
	out->way = m->way;
	out->ways = fill_way(m, r, from, v->opts->inscribed + OFF_WALLS);
}

static void
make_plan(const struct pb_safe_model *k, const struct pb_roadmap *r,
    struct state *m, struct workspace *l, const struct pb_view *v,
    struct pb_answer *out)
{
	struct pb_pose at = pb_pose_compose(get_odom_frame(m, v), v->odom);
	struct pb_vec future[PB_SAFE_PLAN_STEPS + 1];
	bool estimate = v->opts->judge == PB_JUDGE_ESTIMATE;
	struct pb_safe_task task = {.roads = r,
	    .tour = &l->tour,
	    .at = pb_pose_vec(at),
	    .th = at.th,
	    .look = estimate ? distance_to_estimate(v) : 0,
	    .judged = pb_pose_vec(estimate ? v->pose : at),
	    .belief = &m->belief,
	    .forecast = &l->forecast,
	    .clyde = v->clyde_speed,
	    .time_weight = weigh_time(r, m, l, v, pb_pose_vec(at))};
	int was = m->confirm;

	if (v->truth != NULL) {
		foresee_clyde(v, k->dt, k->steps + 1, future);
		task.future = future;
	}
	m->plan = pb_safe_plan_make(k, &task, l->plan_work);
	m->planned = true;
	m->plan_t = v->t;
	answer_by_plan(r, m, v, task.at, out);
	if (m->confirm < 0 || m->confirm != was)
		m->confirm_t = v->t;
	if (m->confirm >= 0 && r->marked != NULL &&
	    v->t > m->confirm_t + CONFIRM_MOST) {
		pb_marks_postpone(&l->marks, m->confirm, v->t);
		m->confirm = -1;
		out->kind = PB_STOP;
	}
}

/* The direction to back out in (rad): first the one with most clearance. */
static double
find_free_direction(
    const struct state *m, const struct pb_view *v, struct pb_vec at)
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
	/* 3/8 of a turn further each time: all eight directions come. */
	return th + 3 * PB_PI / 4 * (m->rubs % 8);
}

/* Whether the robot rubs along a wall; *out then backs out. */
static bool
back_out(struct state *m, const struct pb_view *v, struct pb_vec at,
    struct pb_answer *out)
{
	if (v->goal != PB_GOAL_PATH ||
	    pb_pose_dist(v->odom, m->rub) > RUB_DIST) {
		m->rub = v->odom;
		m->rub_t = v->t;
	}
	if (fabs(v->w) > RUB_TURN)
		m->rub_t += PERIOD;
	if (v->t < m->rub_t + RUB_TIME - 1e-9)
		return false;
	m->way[0] = at;
	m->way[1] = pb_point_at(at, find_free_direction(m, v, at), BACK_OUT);
	m->rubs++;
	m->rub_t = v->t;
	out->kind = PB_GO_PATH;
	out->way = m->way;
	out->ways = 2;
	m->plan.n = 0;
	m->planned = true;
	m->plan_t = v->t + 1;
	return true;
}

/* Whether no remaining pellet has a node; navigation is then asked for one, and
 * reports that it is unreachable. */
static bool
are_all_unreachable(const struct pb_safe_model *k, const struct pb_view *v,
    struct pb_answer *out)
{
	for (int i = 0; i < v->pellets; i++) {
		if (!v->left[i])
			continue;
		if (k->roads.pellet_node[i] >= 0)
			return false;
		out->pellet = i;
	}
	out->kind = PB_GO_PELLET;
	return true;
}

static void
decide(void *mem, const void *model, const void *view, struct pb_answer *out)
{
	const struct pb_view *v = view;
	const struct pb_safe_model *k = model;
	struct pb_block b = {.at = mem};
	struct workspace l;
	struct state *m = lay_out_memory(k, &b, &l);
	struct pb_pose frame = get_odom_frame(m, v);
	struct pb_vec at = pb_pose_vec(pb_pose_compose(frame, v->odom));
	double far = pb_dist(v->clyde, pb_pose_vec(v->pose));
	double lasts = m->confirm >= 0
	                   ? CONFIRM_TIME
	                   : fmin(fmax(PLAN_LASTS, PLAN_FAR * far), PLAN_MOST);
	bool replan = !m->planned, measured;
	struct pb_roadmap now;

	replan |= update_belief(m, &l, v);
	measured = pb_marks_update(&l.marks, &k->roads, v, at, &replan);
	now = pb_marks_apply(&l.marks, &k->roads);
	if (measured || v->remaining != m->remaining)
		pb_tour_update(&l.tour, &now, v->left, k->speed);
	if (v->remaining != m->remaining) {
		m->least = INFINITY;
		m->remaining = v->remaining;
		replan = true;
	}
	replan |= m->plan.n > 0 && v->goal == PB_GOAL_NONE &&
	          v->last_end == PB_END_FAILED;
	out->localizes = true;
	out->odom_in_map = frame;
	if (m->belief.node < 0 || are_all_unreachable(k, v, out) ||
	    back_out(m, v, at, out))
		return;
	if (replan || v->t >= m->plan_t + lasts - 1e-9)
		make_plan(k, &now, m, &l, v, out);
}

/* clang-format off */
#define PLAYS                                                              \
	.period = PERIOD, .learn = learn, .forget = forget,                \
	.memory = memory, .see_estimate = see_estimate, .reset = reset,     \
	.decide = decide
/* clang-format on */

const struct pb_player pb_player_safe = {.name = "safe",
    .summary = "plans in time against a forecast of where Clyde will be",
    PLAYS};

const struct pb_player pb_player_oracle = {.name = "oracle",
    .summary = "safe, told the true pose and where Clyde will be",
    .foresees = true,
    PLAYS};
