/* safe.c - tests of what the player `safe` is made of. */
#include "check.h"

#include "policy/clyde_forecast.h"
#include "policy/safe.h"
#include "policy/safe_net.h"
#include "policy/safe_plan.h"

/* The chance of being caught against throwing darts. */
test(kill_is_the_part_of_darts_that_hit)
{
	const double sd[] = {0.05, 0.2}, dist[] = {0, 0.2, 0.35, 0.6};
	struct pb_rng r = draws(1, PB_FOR_PLAYER);

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
			/* Four standard deviations of the darts. */
			check_near(
			    pb_safe_kill_at(&k, a, o), (double)hit / n, 0.01);
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

test(tour_is_the_shortest)
{
	struct pb_rng r = draws(2, PB_FOR_PLAYER);

	for (int n = 1; n <= 7; n++) {
		float d[49], rest[7];
		int left[7] = {0, 1, 2, 3, 4, 5, 6};
		void *work = malloc(pb_round_trip_bytes(n));

		random_places(&r, n, d);
		pb_round_trip(n, d, n, left, work, rest);
		for (int i = 0; i < n; i++)
			check_near(rest[i], shortest(n, d, i, 1u << i), 1e-4);
		free(work);
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
	void *work = malloc(pb_round_trip_bytes(N));
	const int turns = 10;
	double sum = 0;

	for (int turn = 0; turn < turns; turn++) {
		float d[N * N], rest[N], want[N];
		int left[N];

		random_places(&r, N, d);
		for (int i = 0; i < N; i++)
			left[i] = i;
		pb_round_trip(N, d, N, left, work, rest);
		shortest_all(N, d, want);
		for (int i = 0; i < N; i++) {
			check(rest[i] >= want[i] - 1e-4f);
			check(rest[i] <= 1.2f * want[i]);
			sum += rest[i] / want[i];
		}
	}
	check(sum <= 1.05 * N * turns);
	free(work);
}

/* A robot drives circles; estimates err by an autoregressive process. */
test(filter_beats_the_estimates)
{
	struct pb_round_opts o = {.pose_sd = 0.2,
	    .pose_th_sd = 0.02,
	    .pose_keep = 0.7,
	    .odom_rot_rot = 1e-4,
	    .odom_rot_trans = 1e-4,
	    .odom_trans_trans = 1e-4,
	    .odom_trans_rot = 1e-5};
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
		pb_safe_pose_see(&f, &o, z, odom);
		p = pb_safe_pose_now(&f, odom);
		/* Its two parts add up to what it was shown. */
		check_near(p.x + f.s[3], z.x, 1e-3);
		if (i < 50)
			continue;
		raw += e[0] * e[0] + e[1] * e[1];
		smooth += pow(p.x - true_at.x, 2) + pow(p.y - true_at.y, 2);
	}
	check(smooth < raw / 4);
	check(sqrt((f.p[0][0] + f.p[1][1]) / 2) < 0.1);
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

/* What the tests of Clyde's ways are on. */
struct flat {
	struct pb_map m;
	struct pb_clyde_world world;
	struct pb_clyde_ground g;
	struct pb_clyde_chain c;
	struct pb_pool pool;
};

static void
flat_make(struct flat *f, void make(struct pb_map *))
{
	struct pb_clyde_opts o = pb_clyde_defaults();

	memset(f, 0, sizeof(*f));
	make(&f->m);
	check_int(pb_clyde_world_init(&f->world, &f->m, &o), PB_OK);
	check_int(pb_clyde_ground_init(&f->g, &f->world, 0.15, 2000, &f->pool),
	    PB_OK);
	check_int(
	    pb_clyde_chain_init(&f->c, &f->g, 2, 1 << 20, &f->pool), PB_OK);
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
	for (int a = 0; a < f.g.n; a++) {
		const uint16_t *way = &f.g.way[a * f.g.n];
		const uint16_t *order = &f.g.order[a * f.g.n];

		for (int i = 0; i < f.g.n; i++) {
			int least = i == a ? 0 : 1 << 30;

			check_int(way[i], f.g.way[i * f.g.n + a]);
			check(i == 0 || way[order[i - 1]] <= way[order[i]]);
			for (int j = 0; j < 8; j++) {
				int k = f.g.next[8 * i + j];
				int on = j < 4 ? 5 : 7;

				if (i != a && k >= 0 && way[k] + on < least)
					least = way[k] + on;
			}
			check_int(way[i], least);
		}
	}
	flat_clear(&f);
}

test(chain_loses_nobody)
{
	struct flat f;
	struct pb_block size = {.at = NULL}, block = {.at = NULL};
	struct pb_clyde_spread p;
	float sum = 0;

	flat_make(&f, make_flat);
	check(f.c.states > 20);
	pb_clyde_spread_in(&size, f.c.states);
	block.at = malloc(size.used);
	p = pb_clyde_spread_in(&block, f.c.states);
	pb_clyde_spread_clear(&p, &f.c);
	pb_clyde_spread_add(&p, &f.c, 0, PB_CLYDE_BEGINS, 1);
	for (int s = 0; s < f.c.states; s++) {
		float all = 0;

		for (int j = f.c.first[s]; j < f.c.first[s + 1]; j++) {
			check(f.c.to[j] >= 0 && f.c.to[j] < f.c.states);
			all += f.c.chance[j];
		}
		check_near(all, 1, 1e-5);
	}
	for (int i = 0; i < 100; i++)
		pb_clyde_spread_walk(&p, &f.c, 0.12);
	check(p.n > 10);
	for (int i = 0; i < p.n; i++)
		sum += p.p[p.state[i]];
	check_near(sum, 1, 1e-4);
	free(block.at);
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
behind(const struct flat *f, const struct pb_clyde_leg *l, double x)
{
	float part = 0;

	for (int j = 0; j < l->n; j++) {
		int i = l->order[j], up = l->load[i] > 0 ? l->up[i] : 0;
		float sum = l->ends[i];

		for (int k = 0; k < f->g.n; k++)
			sum += l->load[k] > 0 && l->up[k] == i ? l->load[k] : 0;
		check_near(l->load[i], sum, 1e-4);
		if (l->load[i] > 0)
			check(
			    up >= 0 ? l->way[up] < l->way[i] : l->way[i] == 0);
		part += f->g.at[i].x < x ? l->ends[i] : 0;
	}
	check_near(l->load[l->order[0]], 1, 1e-4);
	return part;
}

/* Who came along a corridor goes on; who stood for a moment may turn. */
test(legs_go_on)
{
	struct pb_block size = {.at = NULL}, block = {.at = NULL};
	struct pb_clyde_belief b;
	struct pb_clyde_leg l;
	struct flat f;

	flat_make(&f, make_rooms);
	pb_clyde_leg_in(&size, f.g.n);
	block.at = malloc(size.used);
	l = pb_clyde_leg_in(&block, f.g.n);
	pb_clyde_belief_reset(&b, &f.g, (struct pb_vec){1, 3.75}, 0);
	for (int i = 1; i <= 60; i++)
		check(!pb_clyde_belief_see(&b, &f.g, &f.c,
		    (struct pb_vec){1 + 0.05 * i, 3.75}, 0.2 * i, 0.25));
	pb_clyde_belief_leg(&b, &f.g, &l);
	check_int(l.n, f.g.n);
	check(behind(&f, &l, 3.5) < 0.05f);
	check(pb_clyde_belief_see(
	    &b, &f.g, &f.c, (struct pb_vec){4.01, 3.75}, 12.2, 0.25));
	pb_clyde_belief_leg(&b, &f.g, &l);
	check(behind(&f, &l, 3.5) > 0.25f);
	free(block.at);
	flat_clear(&f);
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
test(band_keeps_off_a_wall_that_ends)
{
	struct pb_round_opts o = pb_round_defaults();
	struct pb_vec way[3] = {{1, 1}, {3, 2.2}, {5, 1}}, band[64], few[5];
	struct pb_safe_net net = {.n = 0};
	struct pb_arena *a;
	struct pb_map m;
	int n;

	check_int(
	    pb_map_init(&m, 60, 40, 0.1, (struct pb_pose){0, 0, 0}), PB_OK);
	for (int i = 0; i < 60 * 40; i++)
		m.cell[i] = i % 60 == 30 && i / 60 < 20 ? 100 : 0;
	check_int(pb_arena_new(&a, &m, &o, NULL, NULL), PB_OK);
	net.arena = a;
	n = pb_path_smooth(&net, way, 3, 0.375, band, 64);
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
	n = pb_path_smooth(&net, way, 3, 0.1, band, 64);
	check(n > 3);
	check_near(pb_dist(band[n / 2], way[1]), 0, 0.1);
	check_int(pb_path_smooth(&net, way, 3, 0.3, few, 5), 5);
	check_int(pb_path_smooth(&net, way, 1, 0.3, few, 5), 1);
	pb_arena_free(a);
	pb_map_clear(&m);
}
