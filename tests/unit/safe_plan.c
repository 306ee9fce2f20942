/* safe_plan.c - tests of the values and plans of the player `safe`. */
#define CHECK_MAIN
#include "check.h"

#include "policy/safe_plan.h"

/* A hall of 6 m by 4 m, learned once for all tests, which only read it. */
static struct pb_map map;
static struct pb_arena *arena;
static struct pb_safe_model model;

test(learn)
{
	struct pb_round_opts o = pb_round_defaults();

	check_int(
	    pb_map_init(&map, 60, 40, 0.1, (struct pb_pose){0, 0, 0}), PB_OK);
	memset(map.cell, 0, 60 * 40);
	check_int(pb_arena_new(&arena, &map, &o, NULL, NULL), PB_OK);
	check_int(pb_safe_model_init(&model, arena, &o), PB_OK);
}

/* A chain that has to be coarser than asked stays within its memory. */
test(chain_of_few_states)
{
	struct pb_pool pool = {.failed = false};
	struct pb_clyde_model m;

	check_int(
	    pb_clyde_model_init(&m, &arena->clyde,
		(struct pb_clyde_grain){
		    .block = 0.2, .nodes = 2500, .area = 0.4, .states = 60},
		&pool),
	    PB_OK);
	check(m.states > 1 && m.states <= 60);
	for (int s = 0; s < m.states; s++) {
		double sum = 0;

		for (int j = m.first[s]; j < m.first[s + 1]; j++) {
			check(m.to[j] >= 0 && m.to[j] < m.states);
			sum += m.chance[j];
		}
		check_near(sum, 1, 1e-5);
	}
	pb_pool_clear(&pool);
}

/* Blocks on both sides of a wall are no neighbours, however large they are. */
test(walls_part_blocks)
{
	struct pb_round_opts o = pb_round_defaults();
	struct pb_pool pool = {.failed = false};
	struct pb_block size = {.at = NULL}, block = {.at = NULL};
	struct pb_clyde_model m;
	struct pb_clyde_forecast f;
	struct pb_clyde_belief b;
	struct pb_arena *a;
	struct pb_map z;
	int left, right;

	check_int(
	    pb_map_init(&z, 60, 40, 0.1, (struct pb_pose){0, 0, 0}), PB_OK);
	memset(z.cell, 0, 60 * 40);
	for (int row = 0; row < 30; row++)
		z.cell[row * 60 + 30] = 100;
	check_int(pb_arena_new(&a, &z, &o, NULL, NULL), PB_OK);
	check_int(pb_clyde_model_init(&m, &a->clyde,
		      (struct pb_clyde_grain){
			  .block = 1, .nodes = 2500, .area = 1, .states = 1000},
		      &pool),
	    PB_OK);
	left = pb_clyde_node_at(&m, (struct pb_vec){2.5, 1.5});
	right = pb_clyde_node_at(&m, (struct pb_vec){3.7, 1.5});
	check(left >= 0 && right >= 0 && left != right);
	for (int j = 0; j < PB_MOVES; j++)
		check(m.next[PB_MOVES * left + j] != right);
	/* The way round is 3 blocks up, over, and 3 down at least. */
	pb_clyde_forecast_alloc(&size, &m);
	block.at = calloc(1, size.used);
	f = pb_clyde_forecast_alloc(&block, &m);
	b = (struct pb_clyde_belief){.node = left, .from = left};
	pb_clyde_forecast_begin(&f, &b);
	check(f.ahead.len[right] * m.unit > 3);
	free(block.at);
	pb_pool_clear(&pool);
	pb_arena_free(a);
	pb_map_clear(&z);
}

static void
forget(void)
{
	pb_safe_model_clear(&model);
	pb_arena_free(arena);
	pb_map_clear(&map);
}

/* A task in it. */
struct hall {
	struct pb_clyde_belief belief;
	struct pb_safe_task task;
	struct pb_clyde_forecast forecast;
	struct pb_tour tour;
	void *work, *ways;
};

static void
hall_make(struct hall *h, struct pb_vec robot, struct pb_vec clyde, int goal)
{
	const struct pb_roadmap *r = &model.roads;
	size_t n = (size_t)r->graph.n;
	struct pb_block size = {.at = NULL}, block;

	pb_clyde_forecast_alloc(&size, &model.clyde);
	h->ways = calloc(1, size.used);
	block = (struct pb_block){.at = h->ways};
	h->forecast = pb_clyde_forecast_alloc(&block, &model.clyde);
	h->work = malloc(pb_safe_plan_bytes(&model));
	h->tour = (struct pb_tour){.rest = calloc(n, sizeof(float)),
	    .fetch = calloc(n, sizeof(float))};
	for (int x = 0; x < r->graph.n; x++) {
		h->tour.fetch[x] = x == goal ? 0 : INFINITY;
		h->tour.rest[x] =
		    (float)(pb_dist(r->at[x], r->at[goal]) / model.speed);
	}
	pb_clyde_belief_reset(&h->belief, &model.clyde, clyde, 0);
	h->task = (struct pb_safe_task){.roads = r,
	    .tour = &h->tour,
	    .at = robot,
	    .judged = robot,
	    .belief = &h->belief,
	    .forecast = &h->forecast,
	    .clyde = model.opts.clyde_speed,
	    .time_weight = 1e-4};
}

static void
hall_clear(struct hall *h)
{
	free(h->work);
	free(h->ways);
	free(h->tour.rest);
	free(h->tour.fetch);
}

/* One sweep over all places and states, one at a time. */
static void
sweep_slowly(const struct pb_roadmap *r, const struct pb_clyde_model *c,
    const struct pb_collision_risk *kill, double walk, float keep, float *next,
    float *risk)
{
	int n = c->states;

	for (int x = 0; x < r->graph.n; x++) {
		for (int s = 0; s < n; s++) {
			double go = fmin(walk / c->stay[s], 1), on = 0;
			double here = risk[x * n + s], caught;

			for (int j = c->first[s]; j < c->first[s + 1]; j++)
				on += c->chance[j] * risk[x * n + c->to[j]];
			on = here + go * (on - here);
			caught = pb_collision_risk_at(
			    kill, r->at[x], c->middle[c->where[s]]);
			next[x * n + s] = (float)(on + caught * (1 - on));
		}
	}
	for (int x = 0; x < r->graph.n; x++) {
		for (int s = 0; s < n; s++) {
			float least = next[x * n + s];

			for (int j = r->graph.first[x];
			     j < r->graph.first[x + 1]; j++)
				least =
				    fminf(least, next[r->graph.to[j] * n + s]);
			risk[x * n + s] = keep * least;
		}
	}
}

/* Values against sweeps that take nothing together. */
test(values_are_those_of_slow_sweeps)
{
	const double clyde = 0.05, horizon = 9;
	struct pb_safe_model m = model;
	float *risk, *next, less = 0, more = 0;
	int sweeps;
	size_t n = (size_t)m.rough.graph.n * (size_t)m.clyde.states;

	/* Clyde is so slow that one part a step is enough. */
	m.pool = (struct pb_pool){.failed = false};
	check_int(pb_safe_solve_pursuit(&m, clyde, horizon), PB_OK);
	risk = calloc(n, sizeof(*risk));
	next = calloc(n, sizeof(*next));
	sweeps = (int)ceil(0.5 * horizon / m.sweep);
	for (int i = 0; i < sweeps; i++)
		sweep_slowly(&m.rough, &m.clyde, &m.collision, m.sweep * clyde,
		    (float)exp(-m.sweep / horizon), next, risk);
	for (int i = 0; i < (int)n; i++) {
		int x = i / m.clyde.states, s = i % m.clyde.states;

		float d = risk[i] * PB_SAFE_RISK_UNITS -
		          m.risk[s * m.rough.graph.n + x];

		less = fmaxf(less, d);
		more = fmaxf(more, -d);
	}
	/* Each product is rounded down, chances before that. */
	check_near(more, 0, 1);
	check_near(less, 0, sweeps * (2 * PB_CLYDE_SIDES + 3));
	free(risk);
	free(next);
	pb_pool_clear(&m.pool);
}

/* Values are chances, and greater where Clyde is. */
test(values_are_chances)
{
	const struct pb_roadmap *r = &model.rough;
	const struct pb_clyde_model *c = &model.clyde;
	double on = 0, off = 0;
	int n_on = 0, n_off = 0;

	for (int x = 0; x < r->graph.n; x++) {
		for (int s = 0; s < c->states; s++) {
			float risk =
			    model.risk[s * r->graph.n + x] / PB_SAFE_RISK_UNITS;
			double d = pb_dist(r->at[x], c->middle[c->where[s]]);

			check(risk >= 0 && risk <= 1);
			if (d < 0.2) {
				on += risk;
				n_on++;
			} else if (d > 3) {
				off += risk;
				n_off++;
			}
		}
	}
	check(n_on > 0 && n_off > 0);
	check(on / n_on > 2 * off / n_off);
}

/* With Clyde far it fetches; with Clyde before it, it does not drive there. */
test(plans_fetch_and_flee)
{
	struct pb_vec robot = {1, 1}, far = {5.5, 3.5}, near = {1.8, 1};
	struct pb_safe_plan p;
	struct hall h;
	int goal;

	goal = pb_roadmap_node_at(&model.roads, (struct pb_vec){2.2, 1});
	hall_make(&h, robot, far, goal);
	p = pb_safe_plan_make(&model, &h.task, h.work);
	check(p.n > 0 && p.fetch);
	check_int(p.node[p.n - 1], goal);
	check(p.risk >= 0 && p.risk < 0.1);
	hall_clear(&h);
	hall_make(&h, robot, near, goal);
	p = pb_safe_plan_make(&model, &h.task, h.work);
	for (int i = 0; i < p.n && i < 3; i++)
		check(pb_dist(model.roads.at[p.node[i]], near) > 0.4);
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
		h.task.look = model.opts.estimate.min_d;
		p[i] = pb_safe_plan_make(&model, &h.task, h.work);
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
		for (int t = 0; t <= model.steps; t++)
			future[t] = i == 0 ? here : away;
		h.task.future = future;
		p[i] = pb_safe_plan_make(&model, &h.task, h.work);
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
