/* safe_plan.c - tests of the values and plans of the player `safe`. */
#define CHECK_MAIN
#include "check.h"

#include "policy/safe.h"

/* A hall of 6 m by 4 m, learned once for all tests, which only read it. */
static struct pb_map map;
static struct pb_arena *arena;
static void *learned;

test(learn)
{
	struct pb_round_opts o = pb_round_defaults();

	check_int(
	    pb_map_init(&map, 60, 40, 0.1, (struct pb_pose){0, 0, 0}), PB_OK);
	memset(map.cell, 0, 60 * 40);
	check_int(pb_arena_new(&arena, &map, &o, NULL, NULL), PB_OK);
	check_int(pb_safe_learn(arena, &o, &learned), PB_OK);
}

static void
forget(void)
{
	pb_safe_forget(learned);
	pb_arena_free(arena);
	pb_map_clear(&map);
}

/* A task in it. */
struct hall {
	struct pb_round_opts o;
	const struct pb_safe_known *k;
	struct pb_clyde_belief belief;
	struct pb_safe_task task;
	float *rest, *fetch;
	void *work;
};

static void
hall_make(struct hall *h, struct pb_vec robot, struct pb_vec clyde, int goal)
{
	h->o = pb_round_defaults();
	h->k = learned;
	h->work = malloc(pb_safe_plan_bytes(&h->k->field));
	h->rest = calloc((size_t)h->k->net.n, sizeof(float));
	h->fetch = calloc((size_t)h->k->net.n, sizeof(float));
	for (int x = 0; x < h->k->net.n; x++) {
		h->fetch[x] = x == goal ? 0 : INFINITY;
		h->rest[x] =
		    (float)(pb_dist(h->k->net.at[x], h->k->net.at[goal]) /
			    h->k->field.speed);
	}
	pb_clyde_belief_reset(&h->belief, &h->k->ground, clyde, 0);
	h->task = (struct pb_safe_task){.at = robot,
	    .w_max = h->o.w_max,
	    .w_acc = h->o.w_acc,
	    .judged = robot,
	    .belief = &h->belief,
	    .clyde = h->o.clyde_speed,
	    .price = 1e-4,
	    .rest = h->rest,
	    .fetch = h->fetch};
}

static void
hall_clear(struct hall *h)
{
	free(h->work);
	free(h->rest);
	free(h->fetch);
}

/* One sweep over all places and states, one at a time. */
static void
sweep_slowly(const struct pb_safe_net *net, const struct pb_clyde_chain *c,
    const struct pb_safe_kill *kill, double walk, float keep, float *next,
    float *risk)
{
	int n = c->states;

	for (int x = 0; x < net->n; x++) {
		for (int s = 0; s < n; s++) {
			double go = fmin(walk / c->stay[s], 1), on = 0;
			double here = risk[x * n + s], caught;

			for (int j = c->first[s]; j < c->first[s + 1]; j++)
				on += c->chance[j] * risk[x * n + c->to[j]];
			on = here + go * (on - here);
			caught = pb_safe_kill_at(
			    kill, net->at[x], c->at[c->where[s]]);
			next[x * n + s] = (float)(on + caught * (1 - on));
		}
	}
	for (int x = 0; x < net->n; x++) {
		for (int s = 0; s < n; s++) {
			float least = next[x * n + s];

			for (int j = net->first[x]; j < net->first[x + 1]; j++)
				least = fminf(least, next[net->to[j] * n + s]);
			risk[x * n + s] = keep * least;
		}
	}
}

/* Values against sweeps that take nothing together. */
test(values_are_those_of_slow_sweeps)
{
	const double speed = 0.5, clyde = 0.05, horizon = 9;
	struct pb_safe_kill kill = pb_safe_kill_make(0.3, 0.1, 1e-4);
	struct pb_vec robot = {1, 1}, away = {5, 3};
	struct pb_safe_value v;
	struct pb_pool pool = {.failed = false};
	struct hall h;
	float *risk, *next, far = 0;
	size_t n;

	hall_make(&h, robot, away, 0);
	n = (size_t)h.k->net.n * (size_t)h.k->chain.states;
	/* Clyde is so slow that one part a step is enough. */
	check_int(pb_safe_value_init(&v, &h.k->net, &h.k->chain, &kill, speed,
		      clyde, horizon, &pool),
	    PB_OK);
	risk = calloc(n, sizeof(*risk));
	next = calloc(n, sizeof(*next));
	for (int i = 0; i < (int)ceil(0.5 * horizon / v.step); i++)
		sweep_slowly(&h.k->net, &h.k->chain, &kill, v.step * clyde,
		    (float)exp(-v.step / horizon), next, risk);
	for (int i = 0; i < (int)n; i++) {
		int x = i / h.k->chain.states, s = i % h.k->chain.states;

		far = fmaxf(far, fabsf(risk[i] - v.risk[s * h.k->net.n + x]));
	}
	check_near(far, 0, 1e-5);
	free(risk);
	free(next);
	pb_pool_clear(&pool);
	hall_clear(&h);
}

/* Values are chances, and greater where Clyde is. */
test(values_are_chances)
{
	struct pb_vec robot = {1, 1}, clyde = {5, 3};
	double on = 0, off = 0;
	int n_on = 0, n_off = 0;
	struct hall h;

	hall_make(&h, robot, clyde, 0);
	for (int x = 0; x < h.k->rough.n; x++) {
		for (int s = 0; s < h.k->chain.states; s++) {
			float r = h.k->value.risk[s * h.k->rough.n + x];
			double d = pb_dist(
			    h.k->net.at[x], h.k->chain.at[h.k->chain.where[s]]);

			check(r >= 0 && r <= 1);
			if (d < 0.2) {
				on += r;
				n_on++;
			} else if (d > 3) {
				off += r;
				n_off++;
			}
		}
	}
	check(n_on > 0 && n_off > 0);
	check(on / n_on > 2 * off / n_off);
	hall_clear(&h);
}

/* With Clyde far it fetches; with Clyde before it, it does not drive there. */
test(plans_fetch_and_flee)
{
	struct pb_vec robot = {1, 1}, far = {5.5, 3.5}, near = {1.8, 1};
	struct pb_safe_plan p;
	struct hall h;
	int goal;

	hall_make(&h, robot, far, 0);
	goal = pb_safe_net_at(&h.k->net, (struct pb_vec){2.2, 1});
	hall_clear(&h);
	hall_make(&h, robot, far, goal);
	p = pb_safe_plan_make(&h.k->field, &h.task, h.work);
	check(p.n > 0 && p.fetch);
	check_int(p.node[p.n - 1], goal);
	check(p.risk >= 0 && p.risk < 0.1);
	hall_clear(&h);
	hall_make(&h, robot, near, goal);
	p = pb_safe_plan_make(&h.k->field, &h.task, h.work);
	for (int i = 0; i < p.n && i < 3; i++)
		check(pb_dist(h.k->net.at[p.node[i]], near) > 0.4);
	hall_clear(&h);
}

/* Until the next estimate the judge sees the robot where the last one was. */
test(the_last_look_counts)
{
	struct pb_vec robot = {3, 1}, clyde = {3, 2.4};
	struct pb_vec off[2] = {{0, 0.9}, {0, -0.4}};
	struct pb_safe_plan p[2];

	for (int i = 0; i < 2; i++) {
		struct hall h;

		hall_make(&h, robot, clyde, 0);
		h.task.judged.x += off[i].x;
		h.task.judged.y += off[i].y;
		h.task.look_d = h.o.pose_min_d;
		h.task.look_a = h.o.pose_min_a;
		h.task.look_t = 0.4;
		p[i] = pb_safe_plan_make(&h.k->field, &h.task, h.work);
		hall_clear(&h);
	}
	check(p[0].risk > p[1].risk + 0.01f);
}

/* A known future of Clyde closes only where Clyde will be. */
test(a_known_future_is_certain)
{
	struct pb_vec robot = {1, 1}, here = robot, away = {5, 3};
	struct pb_vec future[PB_SAFE_PLAN_STEPS + 1];
	struct pb_safe_plan p[2];
	struct hall h;

	hall_make(&h, robot, here, 0);
	for (int i = 0; i < 2; i++) {
		for (int t = 0; t <= h.k->field.steps; t++)
			future[t] = i == 0 ? here : away;
		h.task.future = future;
		p[i] = pb_safe_plan_make(&h.k->field, &h.task, h.work);
	}
	check(p[1].risk < p[0].risk - 0.05f);
	hall_clear(&h);
}

int
main(void)
{
	run_tests();
	forget();
	return done();
}
