/* safe.c - tests of what the player `safe` is made of. */
#include "check.h"

#include "policy/safe_plan.h"

/* The chance of being caught against throwing darts. */
test(kill_is_the_part_of_darts_that_hit)
{
	const double sd[] = {0.05, 0.2}, dist[] = {0, 0.2, 0.35, 0.6};
	struct pb_rng r = draws(1, PB_FOR_PLAYER);

	for (int i = 0; i < 2; i++) {
		struct pb_collision_risk k =
		    pb_collision_risk_make(0.25, sd[i], 1e-4);

		for (int j = 0; j < 4; j++) {
			struct pb_vec a = {dist[j], 0}, o = {0, 0};
			int hit = 0, n = 40000;

			for (int t = 0; t < n; t++) {
				double x = dist[j] + sd[i] * pb_rng_normal(&r);
				double y = sd[i] * pb_rng_normal(&r);

				hit += x * x + y * y <= 0.25 * 0.25;
			}
			/* Four standard deviations of the darts. */
			check_near(pb_collision_risk_at(&k, a, o),
			    (double)hit / n, 0.01);
		}
		check(pb_collision_risk_at(&k, (struct pb_vec){9, 0},
			  (struct pb_vec){0, 0}) == 0);
		for (int j = 1; j <= PB_COLLISION_RISK_STEPS; j++)
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

/* What a pellet takes beside the way to it (s). */
#define FETCH_TIME 0.7

/* The tours that the player finds over n places, d apart, at 1 m/s. */
static void
find_tours(int n, float *d, float *rest)
{
	int stand[16];
	unsigned char left[16];
	struct pb_arena a = {.n = n};
	struct pb_roadmap r = {.arena = &a,
	    .graph = {.n = n},
	    .pellet_node = stand,
	    .pellet_dist = d};
	struct pb_block size = {.at = NULL}, block = {.at = NULL};
	struct pb_tour t;

	for (int i = 0; i < n; i++) {
		stand[i] = i;
		left[i] = 1;
	}
	pb_tour_alloc(&size, &r);
	block.at = malloc(size.used);
	t = pb_tour_alloc(&block, &r);
	pb_tour_update(&t, &r, left, 1);
	for (int i = 0; i < n; i++) {
		rest[i] = t.fetch[i] - (float)(FETCH_TIME * n);
		/* From a node the tour may begin at another one. */
		check(t.rest[i] <= t.fetch[i]);
	}
	free(block.at);
}

test(tour_is_the_shortest)
{
	struct pb_rng r = draws(2, PB_FOR_PLAYER);

	for (int n = 1; n <= 7; n++) {
		float d[49], rest[7];

		random_places(&r, n, d);
		find_tours(n, d, rest);
		for (int i = 0; i < n; i++)
			check_near(rest[i], shortest(n, d, i, 1u << i), 1e-4);
	}
}

/* The shortest open tours from all places, by Held and Karp (1962). */
static void
shortest_all(int n, const float *d, float *rest)
{
	size_t sets = (size_t)1 << n;
	float *best = malloc(sets * (size_t)n * sizeof(*best));

	/* best[set * n + i]: from i through all that is not in set. */
	for (size_t set = sets; set-- > 0;)
		for (int i = 0; i < n; i++) {
			float *b = &best[set * (size_t)n + (size_t)i];

			*b = set == sets - 1 ? 0 : INFINITY;
			for (int k = 0; k < n; k++)
				if (!(set >> k & 1))
					*b =
					    fminf(*b, d[i * n + k] +
							  best[(set | 1u << k) *
								   (size_t)n +
							       (size_t)k]);
		}
	for (int i = 0; i < n; i++)
		rest[i] = best[((size_t)1 << i) * (size_t)n + (size_t)i];
	free(best);
}

/* Beyond the exact size tours are at most a fifth longer than the shortest, and
 * a twentieth in the mean. */
test(long_tours_are_not_far_off)
{
	enum { N = 14 };
	struct pb_rng r = draws(3, PB_FOR_PLAYER);
	const int turns = 10;
	double sum = 0;

	for (int turn = 0; turn < turns; turn++) {
		float d[N * N], rest[N], want[N];

		random_places(&r, N, d);
		find_tours(N, d, rest);
		shortest_all(N, d, want);
		for (int i = 0; i < N; i++) {
			check(rest[i] >= want[i] - 1e-4f);
			check(rest[i] <= 1.2f * want[i]);
			sum += rest[i] / want[i];
		}
	}
	check(sum <= 1.05 * N * turns);
}

/* A robot drives circles; estimates err by an autoregressive process. */
test(filter_beats_the_estimates)
{
	struct pb_round_opts o = {.estimate.sd = 0.2,
	    .estimate.th_sd = 0.02,
	    .estimate.keep = 0.7,
	    .wheels.rot_rot = 1e-4,
	    .wheels.rot_trans = 1e-4,
	    .wheels.trans_trans = 1e-4,
	    .wheels.trans_rot = 1e-5};
	struct pb_safe_pose f = {.seen = 0};
	struct pb_pose true_at = {1, 2, 0.5}, odom = {0, 0, 0};
	struct pb_rng r = draws(4, PB_FOR_PLAYER);
	double e[3] = {0}, raw = 0, smooth = 0;

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
		pb_safe_pose_update(&f, &o, z, odom);
		p = pb_pose_compose(pb_safe_pose_frame(&f), odom);
		/* Its two parts add up to what it was shown. */
		check_near(p.x + f.axis[0].error, z.x, 1e-3);
		if (i < 50)
			continue;
		raw += e[0] * e[0] + e[1] * e[1];
		smooth += pow(p.x - true_at.x, 2) + pow(p.y - true_at.y, 2);
	}
	check(smooth < raw / 4);
	check(sqrt((f.axis[0].var + f.axis[1].var) / 2) < 0.1);
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

/* What the tests of Clyde's ways are on, with a forecast. */
struct flat {
	struct pb_map m;
	struct pb_clyde_world world;
	struct pb_clyde_model c;
	struct pb_clyde_forecast f;
	struct pb_pool pool;
};

static void
flat_make(struct flat *f, void make(struct pb_map *))
{
	struct pb_clyde_grain grain = {0.15, 2000, 0.3, 1 << 20};
	struct pb_block size = {.at = NULL}, block = {.at = NULL};
	struct pb_clyde_opts o = pb_clyde_defaults();

	memset(f, 0, sizeof(*f));
	make(&f->m);
	check_int(pb_clyde_world_init(&f->world, &f->m, &o), PB_OK);
	check_int(
	    pb_clyde_model_init(&f->c, &f->world, grain, &f->pool), PB_OK);
	pb_clyde_forecast_alloc(&size, &f->c);
	block.at = pb_pool_get(&f->pool, size.used, 1);
	f->f = pb_clyde_forecast_alloc(&block, &f->c);
}

static void
flat_clear(struct flat *f)
{
	pb_pool_clear(&f->pool);
	pb_clyde_world_clear(&f->world);
	pb_map_clear(&f->m);
}

/* Every way is one move longer than that of some neighbour. */
test(ways_are_shortest)
{
	struct flat f;

	flat_make(&f, make_flat);
	for (int a = 0; a < f.c.n; a++) {
		const struct pb_clyde_belief b = {.node = a, .from = a};
		const uint16_t *way = f.f.ahead.len, *order = f.f.ahead.order;

		pb_clyde_forecast_begin(&f.f, &b);
		check_int(f.f.n, f.c.n);
		for (int i = 0; i < f.c.n; i++) {
			int least = i == a ? 0 : 1 << 30;

			check(i == 0 || way[order[i - 1]] <= way[order[i]]);
			for (int j = 0; j < 8; j++) {
				int k = f.c.next[8 * i + j];
				int on = j < 4 ? 5 : 7;

				if (i != a && k >= 0 && way[k] + on < least)
					least = way[k] + on;
			}
			check_int(way[i], least);
		}
	}
	flat_clear(&f);
}

test(forecast_loses_nobody)
{
	struct pb_clyde_belief b;
	struct flat f;

	flat_make(&f, make_flat);
	check(f.c.states > 20);
	for (int s = 0; s < f.c.states; s++) {
		float all = 0;

		for (int j = f.c.first[s]; j < f.c.first[s + 1]; j++) {
			check(f.c.to[j] >= 0 && f.c.to[j] < f.c.states);
			all += f.c.chance[j];
		}
		check_near(all, 1, 1e-5);
	}
	pb_clyde_belief_reset(&b, &f.c, f.c.at[0], 0);
	for (int turn = 0; turn < 2; turn++) {
		float sum = 0;

		if (turn == 0)
			pb_clyde_forecast_begin(&f.f, &b);
		else
			pb_clyde_forecast_begin_at(&f.f, b.at);
		for (int i = 0; i < 20; i++) {
			float all = 0;

			pb_clyde_forecast_step(&f.f, 0.12);
			for (int a = 0; a < f.c.areas; a++)
				all += f.f.occupied[a];
			/* A leg that ends in a step counts twice there. */
			check_near(all, 1, 0.03);
		}
		pb_clyde_forecast_end(&f.f);
		check(f.f.states > 10);
		for (int i = 0; i < f.f.states; i++)
			sum += f.f.p[f.f.state[i]];
		check_near(sum, 1, 1e-3);
	}
	flat_clear(&f);
}

/* A flat of 10 m by 8 m: rooms along a corridor. */
static void
make_rooms(struct pb_map *m)
{
	check_int(
	    pb_map_init(m, 200, 160, 0.05, (struct pb_pose){0, 0, 0}), PB_OK);
	for (int i = 0; i < 200 * 160; i++) {
		int col = i % 200, row = i / 200;
		bool wall = row == 60 || row == 90 ||
		            (col % 50 == 0 && (row < 60 || row > 90));
		bool door = col % 50 > 15 && col % 50 < 35;

		m->cell[i] =
		    wall && !(door && (row == 60 || row == 90)) ? 100 : 0;
	}
}

/* Whatever is on the way to the ends of a leg, and the chance of what lies
 * behind a place. */
static float
behind(const struct flat *f, double x)
{
	const struct pb_clyde_forecast *l = &f->f;
	float part = 0;

	for (int j = 0; j < l->n; j++) {
		int i = l->ahead.order[j], up = l->load[i] > 0 ? l->up[i] : 0;
		float sum = l->ends[i];

		for (int k = 0; k < f->c.n; k++)
			sum += l->load[k] > 0 && l->up[k] == i ? l->load[k] : 0;
		check_near(l->load[i], sum, 1e-4);
		if (l->load[i] > 0)
			check(up >= 0 ? l->ahead.len[up] < l->ahead.len[i]
				      : l->ahead.len[i] == 0);
		part += f->c.at[i].x < x ? l->ends[i] : 0;
	}
	check_near(l->load[l->ahead.order[0]], 1, 1e-4);
	return part;
}

/* Who came along a corridor goes on; who stood for a moment may turn. */
test(legs_go_on)
{
	struct pb_clyde_belief b;
	struct flat f;

	flat_make(&f, make_rooms);
	pb_clyde_belief_reset(&b, &f.c, (struct pb_vec){1, 3.75}, 0);
	for (int i = 1; i <= 60; i++)
		check(!pb_clyde_belief_update(&b, &f.f,
		    (struct pb_vec){1 + 0.05 * i, 3.75}, 0.2 * i, 0.25));
	pb_clyde_forecast_begin(&f.f, &b);
	check_int(f.f.n, f.c.n);
	check(behind(&f, 3.5) < 0.05f);
	check(pb_clyde_belief_update(
	    &b, &f.f, (struct pb_vec){4.01, 3.75}, 12.2, 0.25));
	pb_clyde_forecast_begin(&f.f, &b);
	check(behind(&f, 3.5) > 0.25f);
	flat_clear(&f);
}
