/* mcl_parts.c - the parts of Monte Carlo localization and their slow twins. */
#include "mcl_world.h"

#include "localize/mcl_state.h"

/* A small map with a few obstacles, its origin turned, and its field. */
static struct pb_rng
small_field(
    struct pb_map *m, struct pb_likelihood *f, uint64_t seed, double yaw)
{
	struct pb_rng r = draws(seed, PB_FOR_MAP);

	check_int(
	    pb_map_init(m, 41, 33, 0.1, (struct pb_pose){-1, 2, yaw}), PB_OK);
	for (size_t i = 0; i < pb_map_cells(m); i++)
		m->cell[i] = pb_rng_unit(&r) < 0.02 ? 100 : 0;
	m->cell[0] = 100;
	check_int(pb_likelihood_init(f, m, 0.15, 0.05), PB_OK);
	return r;
}

static void
clear(struct pb_map *m, struct pb_likelihood *f)
{
	pb_likelihood_clear(f);
	pb_map_clear(m);
}

/* Cost of a beam that ends at e of the grid frame: look at all obstacles. */
static int
slow_cost(const struct pb_map *m, struct pb_vec e, double sigma, double stray)
{
	int col = (int)floor(e.x / m->resolution);
	int row = (int)floor(e.y / m->resolution);
	double best = INFINITY, p;

	for (size_t i = 0; i < pb_map_cells(m); i++) {
		struct pb_cell c = pb_map_cell_of(m, i);
		double d = hypot(c.col - col, c.row - row) * m->resolution;

		if (pb_cell_occupied(m->cell[i]) && d < best)
			best = d;
	}
	if (!pb_map_inside(m, (struct pb_cell){col, row}))
		best = INFINITY;
	p = (1 - stray) * exp(-best * best / (2 * sigma * sigma)) + stray;
	return (int)floor(-log(p) * PB_LIKELIHOOD_NAT + 0.5);
}

static void
some_beams(struct pb_rng *r, struct pb_vec *e, int n)
{
	for (int i = 0; i < n; i++)
		e[i] = (struct pb_vec){
		    pb_rng_between(r, -3, 3), pb_rng_between(r, -3, 3)};
}

test(costs_equal_brute_force)
{
	struct pb_likelihood f;
	struct pb_map m;
	struct pb_rng r = small_field(&m, &f, 1, 0.5);

	for (int i = 0; i < 300; i++) {
		struct pb_pose p = {pb_rng_between(&r, -1, 5),
		    pb_rng_between(&r, -1, 4), pb_rng_between(&r, -3, 3)};
		struct pb_vec e[7];
		int slow = 0;

		some_beams(&r, e, 7);
		for (int b = 0; b < 7; b++)
			slow += slow_cost(&m,
			    pb_vec_from(p, (struct pb_vec){e[b].x, e[b].y}),
			    0.15, 0.05);
		check_int(pb_likelihood_cost(&f, p, e, 7), slow);
	}
	clear(&m, &f);
}

/* A border of a cell must fit around the longest map. */
test(longest_maps)
{
	for (int tall = 0; tall < 2; tall++) {
		int w = tall ? 3 : PB_MAP_SIDE, h = tall ? PB_MAP_SIDE : 3;
		struct pb_pose p = {0.15, 0.15, tall ? PB_PI / 2 : 0};
		struct pb_vec e = {(PB_MAP_SIDE - 1) * 0.1, 0};
		struct pb_likelihood f;
		struct pb_map m;

		check_int(pb_map_init(&m, w, h, 0.1, (struct pb_pose){0, 0, 0}),
		    PB_OK);
		m.cell[pb_map_index(&m, (struct pb_cell){1, 1})] = 0;
		m.cell[pb_map_index(&m, (struct pb_cell){w - 1, h - 1})] = 100;
		check_int(pb_likelihood_init(&f, &m, 0.15, 0.05), PB_OK);
		e.y = (tall ? -1 : 1) * 0.1;
		e.x -= 0.1;
		check_int(pb_likelihood_cost(&f, p, &e, 1), 0);
		e.x += 0.1;
		check_int(pb_likelihood_cost(&f, p, &e, 1), f.table.most);
		clear(&m, &f);
	}
}

/*
 * Only what is near the known cells is kept of a field; costs and distances
 * are the same as of a map whose far corners are known to be empty.
 */
test(a_small_house_in_a_large_image)
{
	struct pb_likelihood whole, f;
	struct pb_map m;
	struct pb_rng r = draws(6, PB_FOR_MAP);

	check_int(
	    pb_map_init(&m, 500, 300, 0.1, (struct pb_pose){0, 0, 0}), PB_OK);
	for (int row = 140; row < 180; row++)
		for (int col = 230; col < 290; col++)
			m.cell[row * 500 + col] =
			    pb_rng_unit(&r) < 0.03 ? 100 : 0;
	check_int(pb_likelihood_init(&f, &m, 0.15, 0.05), PB_OK);
	check(f.table.left > 0 && f.table.below > 0 && f.table.width < 200 &&
	      f.table.height < 150);
	/* Neither free nor occupied: no obstacle, no place, but known. */
	m.cell[0] = m.cell[500 * 300 - 1] = 50;
	check_int(pb_likelihood_init(&whole, &m, 0.15, 0.05), PB_OK);
	check(whole.table.left == 0 && whole.table.width == 502 &&
	      whole.table.height == 302);
	check(f.nfree > 0 && f.nfree == whole.nfree);
	for (uint32_t i = 0; i < f.nfree; i++) {
		struct pb_cell a = pb_likelihood_free(&f, i);
		struct pb_cell b = pb_likelihood_free(&whole, i);

		check(a.col == b.col && a.row == b.row);
	}
	for (int i = 0; i < 20000; i++) {
		struct pb_pose p = {pb_rng_between(&r, -2, 52),
		    pb_rng_between(&r, -2, 32), pb_rng_between(&r, -3, 3)};
		struct pb_vec e[7];
		struct pb_vec g, h;

		some_beams(&r, e, 7);
		check_int(pb_likelihood_cost(&f, p, e, 7),
		    pb_likelihood_cost(&whole, p, e, 7));
		check(pb_likelihood_dist(&f, p.x, p.y, &g) ==
		      pb_likelihood_dist(&whole, p.x, p.y, &h));
		check(g.x == h.x && g.y == h.y);
	}
	for (int k = 1; k < PB_CORR_LEVELS; k++) {
		const struct pb_corr_level *a = &f.table.level[k];
		const struct pb_corr_level *b = &whole.table.level[k];

		for (int n = 0; n < b->width * b->height; n++) {
			int col = n % b->width, row = n / b->width;
			size_t i = pb_corr_at(b, col, row);
			size_t j = pb_corr_at(a, col - a->left, row - a->below);

			check_int(b->cost[i], a->cost[j]);
			check_int(b->open[i], a->open[j]);
		}
	}
	pb_likelihood_clear(&whole);
	clear(&m, &f);
}

/* A tile read at any place is of the windows that are there one by one. */
static void
check_tile(
    const struct pb_likelihood *f, const struct pb_corr_level *l, int u, int v)
{
	size_t row = (size_t)(l->width + PB_CORR_TILE);

	for (int y = 0; y < 2; y++)
		for (int x = 0; x < PB_CORR_TILE; x++) {
			size_t at =
			    pb_corr_at(l, u, v) + (size_t)y * row + (size_t)x;
			bool in = u + x >= 0 && u + x < l->width &&
			          v + y >= 0 && v + y < l->height;

			check_int(l->cost[at],
			    in ? l->cost[pb_corr_at(l, u + x, v + y)]
			       : f->table.most);
		}
}

test(windows_equal_brute_force)
{
	struct pb_likelihood f;
	struct pb_map m;

	small_field(&m, &f, 2, 0);
	for (int k = 1; k < PB_CORR_LEVELS; k++) {
		const struct pb_corr_level *l = &f.table.level[k];

		for (int a = 0; a < l->width * l->height; a++) {
			int u0 = (a % l->width - 1) * (1 << k);
			int v0 = (a / l->width - 1) * (1 << k),
			    low = f.table.most;

			for (int v = v0; v < v0 + (2 << k); v++)
				for (int u = u0; u < u0 + (2 << k); u++)
					if (u >= 0 && v >= 0 &&
					    u < f.table.width &&
					    v < f.table.height &&
					    f.table.cost[v * f.table.width +
							 u] < low)
						low =
						    f.table.cost
							[v * f.table.width + u];
			check_int(
			    l->cost[pb_corr_at(l, a % l->width, a / l->width)],
			    low);
		}
		for (int v = -4; v < l->height + 4; v++)
			for (int u = -40; u < l->width + 40; u++)
				check_tile(&f, l, u, v);
	}
	clear(&m, &f);
}

/* 256ths of a cell are kept in 16 bits, so no distance is above 255 cells. */
test(distances_end_at_255_cells)
{
	struct pb_likelihood f;
	struct pb_vec g;
	struct pb_map m;

	check_int(
	    pb_map_init(&m, 400, 3, 0.1, (struct pb_pose){0, 0, 0}), PB_OK);
	memset(m.cell, 0, pb_map_cells(&m));
	m.cell[pb_map_index(&m, (struct pb_cell){0, 1})] = 100;
	check_int(pb_likelihood_init(&f, &m, 10, 0.05), PB_OK);
	check_near(f.reach, 25.5, 1e-12);
	for (int col = 0; col < 400; col++)
		check_near(pb_likelihood_dist(&f, 0.1 * (col + 0.5), 0.15, &g),
		    fmin(0.1 * col, 25.5), 1e-3);
	pb_likelihood_clear(&f);
	check_int(pb_likelihood_init(&f, &m, 4, 0.05), PB_OK);
	check_near(f.reach, 20, 1e-12);
	clear(&m, &f);
}

test(slope_of_the_distance)
{
	struct pb_likelihood f;
	struct pb_vec g, none;
	struct pb_map m;
	struct pb_rng r = small_field(&m, &f, 3, 0);

	for (int i = 0; i < 200; i++) {
		/* Within a cell's middle, where the surface is smooth. */
		double x = 0.1 * (1 + pb_rng_below(&r, 38)) + 0.07;
		double y = 0.1 * (1 + pb_rng_below(&r, 30)) + 0.08;
		double d = pb_likelihood_dist(&f, x, y, &g);

		check_near(pb_likelihood_dist(&f, x + 1e-4, y, &none) - d,
		    g.x * 1e-4, 1e-9);
		check_near(pb_likelihood_dist(&f, x, y + 1e-4, &none) - d,
		    g.y * 1e-4, 1e-9);
	}
	clear(&m, &f);
}

static void
begin(struct robot *b, unsigned seed)
{
	struct pb_loc_start s = {.kind = PB_LOC_ANYWHERE, .seed = seed};

	open_robot(b, seed, 0);
	pb_loc_mcl.reset(b->mem, b->model, &s);
}

/* Bins by comparing every particle with every other. */
static int
slow_bins(const struct pb_mcl_particle *p, int n, const struct pb_mcl_model *k)
{
	int bins = 0;

	for (int i = 0; i < n; i++) {
		int j = 0;

		for (; j < i; j++) {
			double turn = 2 * PB_PI / k->turn_bins;

			if (floor(p[i].at.x / k->o.bin) ==
				floor(p[j].at.x / k->o.bin) &&
			    floor(p[i].at.y / k->o.bin) ==
				floor(p[j].at.y / k->o.bin) &&
			    (int)((p[i].at.th + PB_PI) / turn) % k->turn_bins ==
				(int)((p[j].at.th + PB_PI) / turn) %
				    k->turn_bins)
				break;
		}
		bins += j == i;
	}
	return bins;
}

test(bins_equal_brute_force)
{
	struct robot b = {0};
	struct pb_mcl_particle *p;
	struct pb_mcl_model *k;

	begin(&b, 1);
	k = b.model;
	p = PB_MCL_ARRAY(b.mem, k, struct pb_mcl_particle, particle);
	for (int n = 1; n <= 1500; n += 499)
		check_int(pb_mcl_fill_bins(b.mem, k, n), slow_bins(p, n, k));
	/* A whole turn is the same bin. */
	p[0].at = p[1].at = (struct pb_pose){1, 1, PB_PI};
	p[1].at.th = -PB_PI + 1e-9;
	check_int(pb_mcl_fill_bins(b.mem, k, 2), 1);
	close_robot(&b);
}

test(how_many_particles)
{
	struct pb_mcl_opts o;

	pb_localizer_defaults(&pb_loc_mcl, &o);
	check_int(pb_mcl_kld(&o, 0), o.least);
	check_int(pb_mcl_kld(&o, 1), o.least); /* not the most */
	/* Equation 7 by hand: k - 1 = 100, error 0.05, z 2.33. */
	check_int(pb_mcl_kld(&o, 101), 1359);
	check_int(pb_mcl_kld(&o, 1000000), o.most);
	for (int k = 2; k < 2000; k++)
		check(pb_mcl_kld(&o, k) >= pb_mcl_kld(&o, k - 1));
}

/*
 * What is drawn: as many as the bins of the draw need, each about as often as
 * it weighs, never more than one off.
 */
test(resampling_is_fair)
{
	struct robot b = {0};
	struct pb_mcl_mem *m;
	struct pb_mcl_particle *p;
	const struct pb_mcl_model *k;
	enum { N = 3000 };
	double w[N], sum = 0;

	begin(&b, 2);
	m = b.mem;
	k = b.model;
	p = PB_MCL_ARRAY(m, k, struct pb_mcl_particle, particle);
	for (int i = 0; i < N; i++)
		sum += w[i] = i % 7 == 0 ? 0 : pb_rng_unit(&b.r);
	for (int i = 0; i < N; i++) {
		p[i].at.x = 0.001 * i; /* tells them apart */
		p[i].w = w[i] /= sum;
	}
	pb_mcl_resample(m, k, N);
	check(m->n >= pb_mcl_kld(&k->o, slow_bins(p, m->n, k)));
	for (int i = 0, j = 0; i < N; i++) {
		int times = 0;

		for (; j < m->n && p[j].at.x == 0.001 * i; j++)
			times++;
		check(fabs(times - w[i] * m->n) < 1 + 1e-9);
	}
	check_near(p[0].w * m->n, 1, 1e-12);
	close_robot(&b);
}

static int asked;

static bool
stop_at_third(void)
{
	return ++asked >= 3;
}

test(a_search_ends_when_it_is_asked_to)
{
	struct robot b = {0};
	struct pb_mcl_model k;
	struct pb_mcl_window w;
	struct pb_pose out[8], at;

	begin(&b, 1);
	k = *(const struct pb_mcl_model *)b.model;
	k.stop = stop_at_third;
	at = pb_likelihood_into(&k.field, b.at);
	go(&b, 0);
	w = (struct pb_mcl_window){
	    {at.x - 1, at.y - 1}, {at.x + 1, at.y + 1}, at.th, 0.5};
	check_int(pb_mcl_search(b.mem, &k, &w, k.o.blocks, out, 8), 0);
	check(asked == 3);
	close_robot(&b);
}

/* The search finds the place that trying all places and headings finds. */
test(search_equals_brute_force)
{
	for (unsigned seed = 1; seed <= 2; seed++) {
		struct robot b = {0};
		struct pb_mcl_mem *m;
		const struct pb_mcl_model *k;
		struct pb_pose out[8], at;
		struct pb_mcl_window w;
		struct pb_gauss g;
		int32_t best = INT32_MAX;

		begin(&b, seed);
		m = b.mem;
		k = b.model;
		at = pb_likelihood_into(&k->field, b.at);
		go(&b, 0);
		w = (struct pb_mcl_window){
		    {at.x - 1, at.y - 1}, {at.x + 1, at.y + 1}, at.th, 0.5};
		check(pb_mcl_search(m, k, &w, k->o.blocks, out, 8) > 0);
		for (int t = -14; t <= 14; t++)
			for (int j = -10; j <= 10; j++)
				for (int i = -10; i <= 10; i++) {
					struct pb_pose p = {at.x + 0.1 * i,
					    at.y + 0.1 * j, at.th + 0.035 * t};
					int32_t c =
					    pb_likelihood_cost(&k->field, p,
						m->scan.seek, m->scan.nseek);

					best = c < best ? c : best;
				}
		check(pb_mcl_match(k, &m->scan, NULL, out[0], &g));
		check(pb_likelihood_cost(&k->field, g.mean, m->scan.seek,
			  m->scan.nseek) <= best + PB_LIKELIHOOD_NAT);
		close_robot(&b);
	}
}

/* Rays end at a cell's face, the field's lowest is its middle: half a cell. */
test(match_comes_home)
{
	struct robot b = {0};
	struct pb_mcl_mem *m;
	struct pb_gauss g;
	struct pb_pose at;

	begin(&b, 4);
	m = b.mem;
	for (int i = 0; i < 10; i++) {
		go(&b, 8);
		at = pb_likelihood_into(
		    &((struct pb_mcl_model *)b.model)->field, b.at);
		check(pb_mcl_match(b.model, &m->scan, NULL,
		    (struct pb_pose){at.x + 0.1, at.y - 0.1, at.th + 0.05},
		    &g));
		check(pb_dist(pb_pose_vec(g.mean), pb_pose_vec(at)) < 0.08);
		check(fabs(pb_wrap(g.mean.th - at.th)) < 0.02);
	}
	close_robot(&b);
}

/* Beams that cannot be used are gone before beams are chosen. */
test(invalid_beams_are_dropped_first)
{
	struct robot b = {0};
	struct pb_mcl_scan s;
	struct pb_scan z;

	begin(&b, 5);
	for (int i = 0; i < BEAMS; i++)
		b.range[i] = i % 2 ? NAN : 4;
	z = scan_of(&b);
	pb_mcl_choose_beams(b.model, &z, &s);
	check(s.n > 40); /* 4 m by 2 degrees is 0.14 m: every other */
	for (int i = 0; i < s.n; i++)
		check_near(hypot(s.end[i].x, s.end[i].y), 4, 1e-9);
	check(s.temper > 0 && s.temper < 1);
	z.range_min = 5;
	pb_mcl_choose_beams(b.model, &z, &s);
	check_int(s.n, 0);
	z.range_min = 0;
	z.range_max = 4; /* no return */
	pb_mcl_choose_beams(b.model, &z, &s);
	check_int(s.n, 0);
	close_robot(&b);
}

/*
 * Who stands in front hides beams, which are left out; not so where others go
 * through walls.
 */
test(hidden_beams_are_left_out)
{
	double cov[3][3] = {{0.01, 0, 0}, {0, 0.01, 0}, {0, 0, 0.01}};
	struct robot b = {0};
	struct pb_mcl_scan s;
	struct pb_pose at;
	struct pb_gauss prior;
	struct pb_scan z;
	double hidden, off;

	begin(&b, 5);
	at = pb_likelihood_into(&((struct pb_mcl_model *)b.model)->field, b.at);
	check(pb_gauss_init(&prior, at, cov));
	look(&b);
	z = scan_of(&b);
	pb_mcl_choose_beams(b.model, &z, &s);
	pb_mcl_skip_beams(b.model, &s, &prior, &at, 1, &hidden, &off);
	check(hidden == 0 && off == 0);
	for (int i = BEAMS / 4; i < 3 * BEAMS / 4; i++)
		b.range[i] = fmin(b.range[i], 0.3 + 0.0001 * i);
	pb_mcl_choose_beams(b.model, &z, &s);
	pb_mcl_skip_beams(b.model, &s, &prior, &at, 1, &hidden, &off);
	check(hidden > 0.1 && off == 0);
	check(s.n > 0 && s.nseek > 0 && s.temper > 0);
	for (int i = 0; i < s.n; i++)
		check(hypot(s.end[i].x, s.end[i].y) > 0.32 ||
		      fabs(atan2(s.end[i].y, s.end[i].x)) > PB_PI / 4 - 0.01);
	for (int i = 0; i < BEAMS / 4; i++)
		b.range[i] = 7.9;
	pb_mcl_choose_beams(b.model, &z, &s);
	pb_mcl_skip_beams(b.model, &s, &prior, &at, 1, &hidden, &off);
	check(hidden == 0 && off == 0);
	close_robot(&b);
}

/*
 * A room of 4 by 4 m, whose right side is open to cells that nobody knows, with
 * a wall on the left behind which there is another room.
 */
static void
open_room(struct pb_map *m)
{
	check_int(
	    pb_map_init(m, 120, 60, 0.1, (struct pb_pose){0, 0, 0}), PB_OK);
	memset(m->cell, PB_CELL_UNKNOWN, pb_map_cells(m));
	for (int row = 10; row < 50; row++)
		for (int col = 10; col < 80; col++)
			m->cell[pb_map_index(m, (struct pb_cell){col, row})] =
			    row == 10 || row == 49 || col == 10 || col == 40
				? 100
				: 0;
}

/* What a beam meets is told by its whole way, not by its end. */
test(what_beams_meet)
{
	static const struct {
		double x, y; /* where it ends, seen from (6, 3) (m) */
		enum pb_mcl_met met;
	} beam[] = {{-1.95, 0, PB_MCL_AS_MAPPED}, {0, 1.9, PB_MCL_AS_MAPPED},
	    {-1, 0, PB_MCL_IN_FRONT}, {-4.9, 0, PB_MCL_BEHIND},
	    {-3, 0, PB_MCL_BEHIND}, {1, 0, PB_MCL_IN_FRONT},
	    {4, 0, PB_MCL_OFF_MAP}, {20, 0, PB_MCL_OFF_MAP},
	    {1.9, 1.95, PB_MCL_AS_MAPPED}, {0, 2.8, PB_MCL_BEHIND}};
	struct pb_mcl_model k = {.o = {.obstacle = 0.05}};
	struct pb_mcl_scan s = {.temper = 1};
	struct pb_mcl_view v;
	struct pb_map m;

	open_room(&m);
	check_int(pb_likelihood_init(&k.field, &m, 0.07, 0.05), PB_OK);
	for (size_t i = 0; i < sizeof(beam) / sizeof(*beam); i++) {
		s.end[s.n++] = (struct pb_vec){beam[i].x, beam[i].y};
	}
	pb_mcl_classify_beams(&k, &s, (struct pb_pose){6, 3, 0}, &v);
	for (int i = 0; i < s.n; i++)
		check_int(v.met[i], beam[i].met);
	check_int(v.n[PB_MCL_OFF_MAP], 2);
	pb_mcl_classify_beams(&k, &s, (struct pb_pose){-50, 3, 0}, &v);
	check_int(v.n[PB_MCL_OFF_MAP], s.n);
	clear(&m, &k.field);
}

test(gauss)
{
	double cov[3][3] = {
	    {0.04, 0.01, 0.002}, {0.01, 0.09, -0.003}, {0.002, -0.003, 0.02}};
	double inv[3][3], d[3] = {0.1, -0.2, 0.05}, q = 0, got[3][3];
	struct pb_moments mo = {0};
	struct pb_pose mean = {1, 2, PB_PI - 0.01}, p;
	struct pb_gauss g;
	struct pb_rng r = draws(7, PB_FOR_FILTER);

	check(pb_gauss_init(&g, mean, cov));
	check(pb_gauss_invert(cov, inv));
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			q += d[i] * inv[i][j] * d[j];
	p = (struct pb_pose){1.1, 1.8, pb_wrap(mean.th + 0.05)};
	check_near(pb_gauss_log(&g, mean) - pb_gauss_log(&g, p), q / 2, 1e-9);
	for (int i = 0; i < 40000; i++)
		pb_moments_add(&mo, pb_gauss_draw(&g, &r), 0.5);
	pb_moments_get(&mo, &p, got);
	check_near(pb_wrap(p.th - mean.th), 0, 0.003);
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			check_near(got[i][j], cov[i][j], 0.0025);
	cov[0][0] = -1;
	check(!pb_gauss_init(&g, mean, cov));
}
