/* safe.c - tests of what the player `safe` is made of. */
#include "check.h"

#include <string.h>

#include "base/rng.h"
#include "policy/safe_band.h"
#include "policy/safe_chain.h"
#include "policy/safe_kill.h"
#include "policy/safe_known.h"
#include "policy/safe_pose.h"
#include "policy/safe_tour.h"

/* The chance of being caught against throwing darts. */
static void
test_kill_is_the_part_of_darts_that_hit(void)
{
	const double sd[] = {0.05, 0.2}, dist[] = {0, 0.2, 0.35, 0.6};
	struct pb_rng r;

	pb_rng_start(&r, 1, 0, PB_FOR_PLAYER, 0);
	for (int i = 0; i < 2; i++) {
		struct pb_safe_kill k = pb_safe_kill_make(0.25, sd[i], 1e-4);

		for (int j = 0; j < 4; j++) {
			struct pb_vec a = {dist[j], 0}, o = {0, 0};
			int hit = 0, n = 40000;

			for (int t = 0; t < n; t++) {
				double x = dist[j] + sd[i] * pb_rng_normal(&r);
				double y = sd[i] * pb_rng_normal(&r);

				hit += x * x + y * y <= 0.25 * 0.25;
			}
			/* Four deviations of the darts, and a table step. */
			check_near(
			    pb_safe_kill_at(&k, a, o), (double)hit / n, 0.03);
		}
		check(pb_safe_kill_at(&k, (struct pb_vec){9, 0},
			  (struct pb_vec){0, 0}) == 0);
		for (int j = 1; j <= PB_SAFE_KILL_STEPS; j++)
			check(k.chance[j] <= k.chance[j - 1] + 1e-6f);
	}
}

/* The shortest open tour by trying all orders. */
static float
shortest(int n, const float *d, int at, unsigned seen)
{
	float best = INFINITY;

	if (seen == (1u << n) - 1)
		return 0;
	for (int j = 0; j < n; j++) {
		float len;

		if (seen >> j & 1)
			continue;
		len = d[at * n + j] + shortest(n, d, j, seen | 1u << j);
		best = len < best ? len : best;
	}
	return best;
}

static void
random_places(struct pb_rng *r, int n, float *d)
{
	double x[32], y[32];

	for (int i = 0; i < n; i++) {
		x[i] = pb_rng_unit(r);
		y[i] = pb_rng_unit(r);
	}
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			d[i * n + j] = (float)hypot(x[i] - x[j], y[i] - y[j]);
}

static void
test_tour_is_the_shortest(void)
{
	struct pb_rng r;

	pb_rng_start(&r, 2, 0, PB_FOR_PLAYER, 0);
	for (int n = 1; n <= 7; n++) {
		float d[49], rest[7];
		int left[7] = {0, 1, 2, 3, 4, 5, 6};
		void *work = malloc(pb_safe_tour_bytes(n));

		random_places(&r, n, d);
		pb_safe_tour(n, d, n, left, work, rest);
		for (int i = 0; i < n; i++)
			check_near(rest[i], shortest(n, d, i, 1u << i), 1e-4);
		free(work);
	}
}

/* Beyond the exact size: never shorter than what has to be driven. */
static void
test_long_tours_are_not_far_off(void)
{
	enum { N = 24 };
	float d[N * N], rest[N];
	int left[N];
	void *work = malloc(pb_safe_tour_bytes(N));
	struct pb_rng r;

	pb_rng_start(&r, 3, 0, PB_FOR_PLAYER, 0);
	random_places(&r, N, d);
	for (int i = 0; i < N; i++)
		left[i] = i;
	pb_safe_tour(N, d, N, left, work, rest);
	for (int i = 0; i < N; i++) {
		float least = 0;

		for (int j = 0; j < N; j++) {
			float near = INFINITY;

			for (int k = 0; k < N; k++)
				if (k != j && d[j * N + k] < near)
					near = d[j * N + k];
			least += j == i ? 0 : near;
		}
		check(rest[i] >= least - 1e-4f);
		/* 0.7124 sqrt(N) is the long run's mean for a unit square. */
		check(rest[i] < 2 * 0.7124f * sqrtf(N));
	}
	free(work);
}

/* A robot drives circles; estimates err by an autoregressive process. */
static void
test_filter_beats_the_estimates(void)
{
	struct pb_safe_pose_opts o = {.sd = 0.2,
	    .th_sd = 0.02,
	    .keep = 0.7,
	    .rot_rot = 1e-4,
	    .rot_trans = 1e-4,
	    .trans_trans = 1e-4,
	    .trans_rot = 1e-5};
	struct pb_safe_pose f;
	struct pb_pose true_at = {1, 2, 0.5}, odom = {0, 0, 0};
	struct pb_rng r;
	double e[3] = {0}, raw = 0, smooth = 0;

	pb_safe_pose_reset(&f);
	pb_rng_start(&r, 4, 0, PB_FOR_PLAYER, 0);
	for (int i = 0; i < 400; i++) {
		struct pb_pose step = {0.25, 0, 0.2}, noisy = step, z, p;
		double fresh = sqrt(1 - 0.49);

		noisy.x += 0.005 * pb_rng_normal(&r);
		noisy.th += 0.006 * pb_rng_normal(&r);
		true_at = pb_pose_compose(true_at, step);
		odom = pb_pose_compose(odom, noisy);
		e[0] = 0.7 * e[0] + fresh * 0.2 * pb_rng_normal(&r);
		e[1] = 0.7 * e[1] + fresh * 0.2 * pb_rng_normal(&r);
		e[2] = 0.7 * e[2] + fresh * 0.02 * pb_rng_normal(&r);
		z = (struct pb_pose){true_at.x + e[0], true_at.y + e[1],
		    pb_wrap(true_at.th + e[2])};
		pb_safe_pose_see(&f, &o, z, odom);
		p = pb_safe_pose_now(&f, odom);
		/* Its two parts add up to what it was shown. */
		check_near(p.x + pb_safe_pose_error(&f).x, z.x, 1e-3);
		if (i < 50)
			continue;
		raw += e[0] * e[0] + e[1] * e[1];
		smooth += pow(p.x - true_at.x, 2) + pow(p.y - true_at.y, 2);
	}
	check(smooth < raw / 4);
	check(pb_safe_pose_sd(&f) < 0.1);
}

static void
make_flat(struct pb_map *m)
{
	struct pb_pose o = {0, 0, 0};

	check_int(pb_map_init(m, 60, 50, 0.05, o), PB_OK);
	memset(m->cell, 0, pb_map_cells(m));
	/* A wall with a way round it. */
	for (int row = 0; row < 32; row++)
		m->cell[pb_map_index(m, (struct pb_cell){30, row})] = 100;
}

/* Every node's distance is one move more than that of some neighbour. */
static void
test_trees_are_shortest(void)
{
	struct pb_clyde_opts o = pb_clyde_defaults();
	struct pb_clyde_world world;
	struct pb_safe_walk w;
	struct pb_safe_tree t;
	struct pb_map m;
	void *mem;

	make_flat(&m);
	check_int(pb_clyde_world_init(&world, &m, &o), PB_OK);
	check_int(pb_safe_walk_init(&w, &world), PB_OK);
	mem = malloc(pb_safe_tree_bytes(w.n));
	t = pb_safe_tree_in(mem, w.n);
	pb_safe_tree_grow(&t, &w, 0);
	check_int(t.count, w.n);
	for (int i = 0; i < w.n; i++) {
		int least = i == 0 ? 0 : 1 << 30;

		for (int j = 0; j < 8; j++) {
			int k = w.next[8 * i + j];

			if (i > 0 && k >= 0 &&
			    t.dist[k] + (j < 4 ? 5 : 7) < least)
				least = t.dist[k] + (j < 4 ? 5 : 7);
		}
		check_int(t.dist[i], least);
	}
	for (int j = 1; j < t.count; j++)
		check(t.dist[t.order[j - 1]] <= t.dist[t.order[j]]);
	free(mem);
	pb_safe_walk_clear(&w);
	pb_clyde_world_clear(&world);
	pb_map_clear(&m);
}

static void
test_chain_loses_nobody(void)
{
	struct pb_clyde_opts o = pb_clyde_defaults();
	struct pb_clyde_world world;
	struct pb_safe_chain c;
	struct pb_safe_walk w;
	struct pb_map m;
	float *p, *q, *leave, sum = 0;

	make_flat(&m);
	check_int(pb_clyde_world_init(&world, &m, &o), PB_OK);
	check_int(pb_safe_walk_init(&w, &world), PB_OK);
	check_int(pb_safe_chain_init(&c, &w, 3), PB_OK);
	p = calloc((size_t)c.states, sizeof(*p));
	q = calloc((size_t)c.states, sizeof(*q));
	leave = calloc((size_t)c.states, sizeof(*leave));
	p[0] = 1;
	for (int s = 0; s < c.states; s++) {
		float all = 0;

		for (int j = c.first[s]; j < c.first[s + 1]; j++) {
			check(c.to[j] >= 0 && c.to[j] < c.states);
			all += c.chance[j];
		}
		check_near(all, 1, 1e-5);
	}
	pb_safe_chain_pace(&c, 0.12, leave);
	for (int i = 0; i < 100; i++) {
		float *swap = p;

		pb_safe_chain_step(&c, p, leave, q);
		p = q;
		q = swap;
	}
	for (int s = 0; s < c.states; s++)
		sum += p[s];
	check_near(sum, 1, 1e-4);
	free(p);
	free(q);
	free(leave);
	pb_safe_chain_clear(&c);
	pb_safe_walk_clear(&w);
	pb_clyde_world_clear(&world);
	pb_map_clear(&m);
}

static double
least_room(const struct pb_arena *a, const struct pb_vec *p, int n)
{
	double least = INFINITY;

	for (int i = 0; i < n; i++)
		least = fmin(least, pb_arena_clearance(a, p[i]));
	return least;
}

/* The least room along the straight lines between the points. */
static double
straight_room(const struct pb_arena *a, const struct pb_vec *p, int n)
{
	double least = INFINITY;

	for (int i = 0; i + 1 < n; i++)
		for (double u = 0; u <= 1; u += 0.01)
			least = fmin(least,
			    pb_arena_clearance(
				a, (struct pb_vec){
				       p[i].x + u * (p[i + 1].x - p[i].x),
				       p[i].y + u * (p[i + 1].y - p[i].y)}));
	return least;
}

/* A hall of 6 m by 4 m with a wall that ends in its middle. */
static void
test_band_keeps_off_a_wall_that_ends(void)
{
	struct pb_round_opts o = pb_round_defaults();
	struct pb_vec way[3] = {{1, 1}, {3, 2.2}, {5, 1}}, band[64], few[5];
	struct pb_arena *a;
	struct pb_map m;
	int n;

	check_int(
	    pb_map_init(&m, 60, 40, 0.1, (struct pb_pose){0, 0, 0}), PB_OK);
	for (int i = 0; i < 60 * 40; i++)
		m.cell[i] = i % 60 == 30 && i / 60 < 20 ? 100 : 0;
	check_int(pb_arena_new(&a, &m, &o, NULL, NULL), PB_OK);
	n = pb_safe_band(a, way, 3, 0.375, band, 64);
	check(n > 40 && n < 64);
	check(pb_dist(band[0], way[0]) == 0);
	check(pb_dist(band[n - 1], way[2]) == 0);
	/* The cells at the corner of the wall are two steps away. */
	check(straight_room(a, way, 3) <= 0.2 + 1e-9);
	check(least_room(a, band, n) >= 0.2 * sqrt(2) - 1e-9);
	for (int i = 1; i < n; i++)
		check(pb_dist(band[i - 1], band[i]) < 0.3);
	/* Where there is room all the way it stays as it is. */
	way[1].y = 3;
	n = pb_safe_band(a, way, 3, 0.1, band, 64);
	check(n > 3);
	check_near(pb_dist(band[n / 2], way[1]), 0, 0.1);
	check_int(pb_safe_band(a, way, 3, 0.3, few, 5), 5);
	check_int(pb_safe_band(a, way, 1, 0.3, few, 5), 1);
	pb_arena_free(a);
	pb_map_clear(&m);
}

/* A hall of 6 m by 4 m, learned, and a task in it. */
struct hall {
	struct pb_round_opts o;
	struct pb_map m;
	struct pb_arena *a;
	struct pb_safe_known *k;
	struct pb_safe_ways ways;
	struct pb_safe_task task;
	float *rest, *fetch;
	void *ways_mem, *work;
};

static void
hall_make(struct hall *h, struct pb_vec robot, struct pb_vec clyde, int goal)
{
	struct pb_safe_belief b;
	void *known = NULL;

	h->o = pb_round_defaults();
	check_int(
	    pb_map_init(&h->m, 60, 40, 0.1, (struct pb_pose){0, 0, 0}), PB_OK);
	memset(h->m.cell, 0, 60 * 40);
	check_int(pb_arena_new(&h->a, &h->m, &h->o, NULL, NULL), PB_OK);
	check_int(pb_safe_learn(h->a, &h->o, &known), PB_OK);
	h->k = known;
	h->ways_mem = malloc(pb_safe_ways_bytes(h->k->walk.n));
	h->ways = pb_safe_ways_in(h->ways_mem, h->k->walk.n);
	h->work = malloc(pb_safe_plan_bytes(&h->k->field));
	h->rest = calloc((size_t)h->k->net.n, sizeof(float));
	h->fetch = calloc((size_t)h->k->net.n, sizeof(float));
	for (int x = 0; x < h->k->net.n; x++) {
		h->fetch[x] = x == goal ? 0 : INFINITY;
		h->rest[x] =
		    (float)(pb_dist(h->k->net.at[x], h->k->net.at[goal]) /
			    h->k->field.speed);
	}
	pb_safe_belief_reset(&b, &h->k->walk, clyde, 0);
	pb_safe_belief_grow(&b, &h->ways, &h->k->walk, &h->k->chain);
	h->task = (struct pb_safe_task){.at = robot,
	    .w_max = h->o.w_max,
	    .w_acc = h->o.w_acc,
	    .judged = robot,
	    .clyde = h->o.clyde_speed,
	    .price = 1e-4,
	    .rest = h->rest,
	    .fetch = h->fetch};
}

static void
hall_clear(struct hall *h)
{
	pb_safe_forget(h->k);
	pb_arena_free(h->a);
	pb_map_clear(&h->m);
	free(h->ways_mem);
	free(h->work);
	free(h->rest);
	free(h->fetch);
}

/* One sweep over all places and states, one at a time. */
static void
sweep_slowly(const struct pb_safe_net *net, const struct pb_safe_chain *c,
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
static void
test_values_are_those_of_slow_sweeps(void)
{
	const double speed = 0.5, clyde = 0.05, horizon = 3;
	struct pb_safe_kill kill = pb_safe_kill_make(0.3, 0.1, 1e-4);
	struct pb_vec robot = {1, 1}, away = {5, 3};
	struct pb_safe_value v;
	struct hall h;
	float *risk, *next, far = 0;
	size_t n;

	hall_make(&h, robot, away, 0);
	n = (size_t)h.k->net.n * (size_t)h.k->chain.states;
	/* Clyde is so slow that one part a step is enough. */
	check_int(pb_safe_value_init(
		      &v, &h.k->net, &h.k->chain, &kill, speed, clyde, horizon),
	    PB_OK);
	risk = calloc(n, sizeof(*risk));
	next = calloc(n, sizeof(*next));
	for (int i = 0; i < (int)ceil(1.5 * horizon / v.step); i++)
		sweep_slowly(&h.k->net, &h.k->chain, &kill, v.step * clyde,
		    (float)exp(-v.step / horizon), next, risk);
	for (size_t i = 0; i < n; i++)
		far = fmaxf(far, fabsf(risk[i] - v.risk[i]));
	check_near(far, 0, 1e-5);
	free(risk);
	free(next);
	pb_safe_value_clear(&v);
	hall_clear(&h);
}

/* Values are chances, and greater where Clyde is. */
static void
test_values_are_chances(void)
{
	struct pb_vec robot = {1, 1}, clyde = {5, 3};
	double on = 0, off = 0;
	int n_on = 0, n_off = 0;
	struct hall h;

	hall_make(&h, robot, clyde, 0);
	for (int x = 0; x < h.k->net.n; x++) {
		for (int s = 0; s < h.k->value.states; s++) {
			float r = h.k->value.risk[x * h.k->value.states + s];
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
static void
test_plans_fetch_and_flee(void)
{
	struct pb_vec robot = {1, 1}, far = {5.5, 3.5}, near = {1.8, 1};
	struct pb_safe_plan p;
	struct hall h;
	int goal;

	hall_make(&h, robot, far, 0);
	goal = pb_safe_net_at(&h.k->net, (struct pb_vec){2.2, 1});
	hall_clear(&h);
	hall_make(&h, robot, far, goal);
	p = pb_safe_plan_make(&h.k->field, &h.ways, &h.task, h.work);
	check(p.n > 0 && p.fetch);
	check_int(p.node[p.n - 1], goal);
	check(p.risk >= 0 && p.risk < 0.1);
	hall_clear(&h);
	hall_make(&h, robot, near, goal);
	p = pb_safe_plan_make(&h.k->field, &h.ways, &h.task, h.work);
	for (int i = 0; i < p.n && i < 3; i++)
		check(pb_dist(h.k->net.at[p.node[i]], near) > 0.4);
	hall_clear(&h);
}

/* Between two that are as good it goes on to the one it was on its way to. */
static void
test_plans_are_kept(void)
{
	struct pb_vec robot = {3, 2}, clyde = {3, 3.8};
	struct pb_vec at[2] = {{2.2, 2}, {3.8, 2}};
	struct hall h;
	int goal[2];

	hall_make(&h, robot, clyde, 0);
	h.fetch[0] = INFINITY;
	h.task.th = PB_PI / 2;
	for (int i = 0; i < 2; i++) {
		goal[i] = pb_safe_net_at(&h.k->net, at[i]);
		h.fetch[goal[i]] = 0;
	}
	for (int i = 0; i < 2; i++) {
		struct pb_safe_plan p;

		h.task.kept = 1;
		h.task.keep = &goal[i];
		p = pb_safe_plan_make(&h.k->field, &h.ways, &h.task, h.work);
		check(p.n > 0 && p.fetch);
		check_int(p.node[p.n - 1], goal[i]);
	}
	hall_clear(&h);
}

/* Until the next estimate the judge sees the robot where the last one was. */
static void
test_the_last_look_counts(void)
{
	struct pb_vec robot = {3, 1}, clyde = {3, 2.4};
	struct pb_vec off[2] = {{0, 0.9}, {0, -0.4}};
	struct pb_safe_plan p[2];

	for (int i = 0; i < 2; i++) {
		struct hall h;

		hall_make(&h, robot, clyde, 0);
		h.task.judged.x += off[i].x;
		h.task.judged.y += off[i].y;
		h.task.error = off[i];
		h.task.look_d = h.o.pose_min_d;
		h.task.look_a = h.o.pose_min_a;
		h.task.look_t = 0.4;
		p[i] = pb_safe_plan_make(&h.k->field, &h.ways, &h.task, h.work);
		hall_clear(&h);
	}
	check(p[0].risk > p[1].risk + 0.01f);
	check(!p[1].spin);
}

int
main(void)
{
	run(test_values_are_chances);
	run(test_values_are_those_of_slow_sweeps);
	run(test_plans_fetch_and_flee);
	run(test_plans_are_kept);
	run(test_the_last_look_counts);
	run(test_band_keeps_off_a_wall_that_ends);
	run(test_kill_is_the_part_of_darts_that_hit);
	run(test_tour_is_the_shortest);
	run(test_long_tours_are_not_far_off);
	run(test_filter_beats_the_estimates);
	run(test_trees_are_shortest);
	run(test_chain_loses_nobody);
	return done();
}
