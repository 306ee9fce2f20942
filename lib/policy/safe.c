/* safe.c - the player that plans in time against a belief of Clyde's way. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "policy/policy.h"
#include "policy/safe_band.h"
#include "policy/safe_known.h"
#include "policy/safe_tour.h"

/* Decisions: as often as Clyde is heard of (s). */
#define PERIOD 0.2

/*
 * A plan is good for so long if nothing happens (s), longer by so much for
 * each metre that Clyde is away (s/m), in a coarse net up to the third (s),
 * since a robot that has come to its end waits; beyond the last (m) his turns
 * are no news.
 */
#define PLAN_LASTS 0.2
#define PLAN_FAR   0.25
#define PLAN_MOST  2.5
#define NEWS_FROM  3.0

/* A robot this near to where it is to wait need not turn and go there (m). */
#define AS_GOOD_AS_THERE 0.12

/*
 * To turn on the spot it goes for a point so far to the left (rad) and away
 * (m) that it never gets there.
 */
#define SPIN_TH   0.9
#define SPIN_DIST 0.3

/* From here navigation's own result counts as having it (m). */
#define IN_HAND 0.27

/* Navigation may take one turn of its global costmap to say so (s). */
#define HAND_TIME 1.5

/* What a pellet takes beside the way to it (s). */
#define FETCH_TIME 0.7

/*
 * A second is worth this much chance of being caught, while there is time;
 * the price doubles with each tenth of the limit that has passed beyond half.
 */
#define PRICE 1e-4

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

/* The player's memory: this, then lists found by offsets. */
struct mind {
	struct pb_safe_pose pose;
	struct pb_safe_belief belief;
	int remaining; /* pellets when the tour was last worked out */
	bool planned;  /* the plan below is of this round */
	double plan_t; /* when it was made (s) */
	struct pb_safe_plan plan;
	int hand;           /* pellet that navigation is to confirm, or -1 */
	struct pb_pose rub; /* odometry when progress was last seen */
	double rub_t;       /* and when (s) */
	int rubs;           /* times it has backed out */
	struct pb_vec band[BAND]; /* the way, kept off the walls */
};

/* Lists in the memory behind struct mind. */
struct lists {
	struct pb_safe_ways ways;
	float *rest;  /* by node, as in struct pb_safe_task */
	float *fetch; /* by node */
	float *tour;  /* by pellet left: rest of the tour from it (m) */
	int *left;    /* pellets left */
	void *tour_work;
	void *plan_work;
};

static float
smaller(float a, float b)
{
	return a < b ? a : b;
}

static size_t
round_up(size_t n)
{
	return (n + 15) / 16 * 16;
}

/* Lay the lists out from `at`; returns bytes used. */
static size_t
lay_lists(const struct pb_safe_known *k, char *at, struct lists *l)
{
	size_t n = (size_t)k->net.n, p = (size_t)k->pellets, used = 0;
	size_t size[] = {pb_safe_ways_bytes(k->walk.n), n * sizeof(float),
	    n * sizeof(float), p * sizeof(float), p * sizeof(int),
	    pb_safe_tour_bytes(k->pellets), pb_safe_plan_bytes(&k->field)};
	char *list[7];

	for (int i = 0; i < 7; i++) {
		list[i] = at == NULL ? NULL : at + used;
		used += round_up(size[i]);
	}
	if (at == NULL)
		return used;
	l->ways = pb_safe_ways_in(list[0], k->walk.n);
	l->rest = (float *)(void *)list[1];
	l->fetch = (float *)(void *)list[2];
	l->tour = (float *)(void *)list[3];
	l->left = (int *)(void *)list[4];
	l->tour_work = list[5];
	l->plan_work = list[6];
	return used;
}

static size_t
memory(const struct pb_arena *a, const void *known)
{
	(void)a;
	return round_up(sizeof(struct mind)) + lay_lists(known, NULL, NULL);
}

static struct lists
lists_of(const struct pb_safe_known *k, void *mem)
{
	struct lists l;

	lay_lists(k, (char *)mem + round_up(sizeof(struct mind)), &l);
	return l;
}

static void
hear(void *mem, const void *known, const struct pb_view *v)
{
	const struct pb_safe_known *k = known;
	struct mind *m = mem;

	pb_safe_pose_see(&m->pose, &k->pose, v->pose, v->odom_at_pose);
}

static void
reset(void *mem, const void *known, const struct pb_view *v)
{
	const struct pb_safe_known *k = known;
	struct mind *m = mem;

	m->planned = false;
	m->plan.n = 0;
	m->plan.spin = false;
	m->rub = v->odom;
	m->rub_t = v->t;
	pb_safe_belief_reset(&m->belief, &k->walk, v->clyde, v->clyde_t);
	m->remaining = -1;
	m->hand = -1;
}

/* How long what is left takes from every node. */
static void
work_out_tour(const struct pb_safe_known *k, struct mind *m, struct lists *l,
    const struct pb_view *v)
{
	double speed = k->field.speed;
	int n = 0;

	for (int i = 0; i < k->pellets; i++)
		if (v->left[i] && k->node[i] >= 0)
			l->left[n++] = i;
	pb_safe_tour(n, k->apart, k->pellets, l->left, l->tour_work, l->tour);
	for (int x = 0; x < k->net.n; x++) {
		l->rest[x] = PB_SAFE_TOUR_NONE;
		l->fetch[x] = INFINITY;
	}
	for (int i = 0; i < n; i++) {
		const float *reach =
		    &k->reach[(size_t)l->left[i] * (size_t)k->net.n];
		float rest = (float)(l->tour[i] / speed + FETCH_TIME * n);
		float *fetch = &l->fetch[k->node[l->left[i]]];

		*fetch = smaller(*fetch, rest);
		for (int x = 0; x < k->net.n; x++)
			l->rest[x] =
			    smaller(l->rest[x], rest + reach[x] / (float)speed);
	}
	m->remaining = v->remaining;
}

static double
price_of_time(const struct pb_view *v)
{
	double late = v->run_t / v->opts->duration - 0.5;

	return late > 0 ? PRICE * pb_pow(2, 10 * late) : PRICE;
}

/*
 * A pellet that is left and within reach of p, -1 if there is none. In a large
 * map a node may be too far from its pellet: navigation is asked from there.
 */
static int
pellet_at(const struct pb_safe_known *k, const struct pb_view *v, int node,
    struct pb_vec p)
{
	for (int i = 0; i < v->pellets; i++) {
		struct pb_vec at = v->arena->at[i];
		double reach = IN_HAND;

		if (k->node[i] == node &&
		    pb_dist(k->net.at[node], at) >= IN_HAND)
			reach += pb_dist(k->net.at[node], at);
		if (v->left[i] && pb_dist(at, p) < reach)
			return i;
	}
	return -1;
}

/* How far it has to drive until there is another estimate (m). */
static double
still_to_go(const struct pb_view *v)
{
	double x = fabs(v->odom.x - v->odom_at_pose.x);
	double y = fabs(v->odom.y - v->odom_at_pose.y);

	return fmax(v->opts->pose_min_d - fmax(x, y), 0);
}

/* Whether a plan is to be where the robot is. */
static bool
stays(const struct pb_safe_known *k, const struct pb_safe_plan *p,
    struct pb_vec at)
{
	return p->n == 1 && !p->fetch &&
	       pb_dist(at, k->net.at[p->node[0]]) < AS_GOOD_AS_THERE;
}

static void
make_plan(const struct pb_safe_known *k, struct mind *m, struct lists *l,
    const struct pb_view *v, struct pb_answer *out)
{
	struct pb_pose at = pb_safe_pose_now(&m->pose, v->odom);
	bool estimate = v->opts->judge == PB_JUDGE_ESTIMATE;
	struct pb_safe_task task = {.at = pb_pose_vec(at),
	    .th = at.th,
	    .w = v->w,
	    .w_max = v->opts->w_max,
	    .w_acc = v->opts->w_acc,
	    .look_d = estimate ? still_to_go(v) : 0,
	    .look_a = v->opts->pose_min_a,
	    .judged = pb_pose_vec(estimate ? v->pose : at),
	    .error = pb_safe_pose_error(&m->pose),
	    .clyde = v->clyde_speed,
	    .price = price_of_time(v),
	    .rest = l->rest,
	    .fetch = l->fetch,
	    .kept = m->planned ? m->plan.n : 0,
	    .keep = m->plan.node};
	struct pb_vec way[PB_SAFE_PLAN_STEPS + 2];
	struct pb_safe_plan plan;
	int n = 0;

	if (estimate)
		task.look_t = sqrt(2 * task.look_a / task.w_acc) +
		              v->opts->scan_period / 2;
	pb_safe_belief_grow(&m->belief, &l->ways, &k->walk, &k->chain);
	plan = pb_safe_plan_make(&k->field, &l->ways, &task, l->plan_work);
	m->plan = plan;
	m->planned = true;
	m->plan_t = v->t;
	m->hand = plan.fetch && plan.n > 0 && plan.n <= 2 && !plan.spin
	              ? pellet_at(k, v, plan.node[plan.n - 1], task.at)
	              : -1;
	if (m->hand >= 0) {
		out->kind = PB_GO_PELLET;
		out->pellet = m->hand;
		return;
	}
	if (!plan.spin && (plan.n == 0 || stays(k, &plan, task.at))) {
		out->kind = PB_STOP;
		return;
	}
	way[n++] = task.at;
	if (plan.spin)
		way[n++] =
		    (struct pb_vec){at.x + SPIN_DIST * pb_cos(at.th + SPIN_TH),
			at.y + SPIN_DIST * pb_sin(at.th + SPIN_TH)};
	else
		for (int i = 0; i < plan.n; i++)
			way[n++] = k->net.at[plan.node[i]];
	out->kind = PB_GO_PATH;
	out->way = m->band;
	out->ways = pb_safe_band(
	    v->arena, way, n, v->opts->inscribed + OFF_WALLS, m->band, BAND);
}

/* Where to back out: first to where the map has most room. */
static double
roomiest(const struct mind *m, const struct pb_view *v, struct pb_pose at)
{
	double best = -1, th = 0;

	for (int i = 0; i < 8; i++) {
		double a = i * PB_PI / 4;
		struct pb_vec p = {
		    at.x + BACK_OUT * pb_cos(a), at.y + BACK_OUT * pb_sin(a)};
		double room = pb_arena_clearance(v->arena, p);

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
	double moved = pb_dist(pb_pose_vec(v->odom), pb_pose_vec(m->rub));
	struct pb_pose at = pb_safe_pose_now(&m->pose, v->odom);
	double th;

	if (v->goal != PB_GOAL_PATH || moved > RUB_DIST) {
		m->rub = v->odom;
		m->rub_t = v->t;
	}
	if (fabs(v->w) > RUB_TURN)
		m->rub_t += PERIOD;
	if (v->t < m->rub_t + RUB_TIME - 1e-9)
		return false;
	th = roomiest(m, v, at);
	m->rubs++;
	m->rub_t = v->t;
	m->band[0] = pb_pose_vec(at);
	m->band[1] = (struct pb_vec){
	    at.x + BACK_OUT * pb_cos(th), at.y + BACK_OUT * pb_sin(th)};
	out->kind = PB_GO_PATH;
	out->way = m->band;
	out->ways = 2;
	m->plan.n = 0;
	m->planned = true;
	m->plan_t = v->t + 1;
	return true;
}

static void
decide(void *mem, const void *known, const struct pb_view *v,
    struct pb_answer *out)
{
	const struct pb_safe_known *k = known;
	struct mind *m = mem;
	struct lists l = lists_of(k, mem);
	double far = pb_dist(v->clyde, pb_pose_vec(v->pose));
	double lasts =
	    m->hand >= 0 ? HAND_TIME : fmax(PLAN_LASTS, PLAN_FAR * far);
	bool news = !m->planned;

	if (k->field.idle > 0)
		lasts = fmin(lasts, PLAN_MOST);
	if (v->clyde_t > m->belief.t)
		news |= pb_safe_belief_see(&m->belief, &l.ways, &k->walk,
			    &k->chain, v->clyde, v->clyde_t, v->clyde_speed) &&
		        far < NEWS_FROM;
	if (v->remaining != m->remaining) {
		work_out_tour(k, m, &l, v);
		news = true;
	}
	out->localizes = true;
	out->odom_in_map = pb_safe_pose_frame(&m->pose);
	if (m->belief.node < 0 || back_out(m, v, out))
		return;
	news |= m->plan.spin;
	if (news || v->t >= m->plan_t + lasts - 1e-9)
		make_plan(k, m, &l, v, out);
}

const struct pb_player pb_player_safe = {
    .name = "safe",
    .summary = "plans in time against a belief of where Clyde will be",
    .period = PERIOD,
    .learn = pb_safe_learn,
    .forget = pb_safe_forget,
    .memory = memory,
    .hear = hear,
    .reset = reset,
    .decide = decide,
};
