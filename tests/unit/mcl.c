/* mcl.c - tests of Monte Carlo localization in a house. */
#include "mcl_world.h"

#include "base/hash.h"
#include "pb/localizer.h"

static void
begin(struct robot *b, enum pb_loc_begin kind, uint64_t seed)
{
	struct pb_loc_start s = {.kind = kind, .pose = b->at, .seed = seed};

	s.cov[0][0] = s.cov[1][1] = 0.04;
	s.cov[2][2] = 0.03;
	pb_loc_mcl.reset(b->mem, b->model, &s);
}

/* It follows a robot whose odometry is wrong by 3 % and 3 degrees a metre. */
test(it_follows)
{
	for (unsigned seed = 1; seed <= 3; seed++) {
		struct robot b = {0};
		double sum = 0;
		int sure = 0;

		open_robot(&b, seed, seed == 3 ? 0.7 : 0);
		begin(&b, PB_LOC_NEAR, seed);
		for (int i = 0; i < 60; i++) {
			struct pb_belief e = go(&b, 10);
			double d = off(&b, &e);

			check(d < 0.25);
			sum += d * d;
			sure += e.status == PB_LOC_TRACKING;
		}
		check(sqrt(sum / 60) < 0.05);
		check(sure >= 55);
		close_robot(&b);
	}
}

/* It follows scans up to a metre apart when nobody tells it of the way. */
test(it_follows_without_wheels)
{
	for (unsigned seed = 1; seed <= 3; seed++) {
		struct robot b = {0};
		int sure = 0, near = 0, wrong = 0;

		open_robot(&b, seed, seed == 3 ? 0.7 : 0);
		begin(&b, PB_LOC_NEAR, seed);
		for (int i = 0; i < 40; i++) {
			struct pb_scan z;
			struct pb_belief e;

			for (int k = 0; k < 20; k++)
				drive(&b);
			look(&b);
			z = scan_of(&b);
			pb_loc_mcl.scan(b.mem, b.model, &z);
			pb_loc_mcl.estimate(b.mem, b.model, &e);
			near += off(&b, &e) < 0.25;
			sure += e.status == PB_LOC_TRACKING;
			wrong +=
			    e.status == PB_LOC_TRACKING && off(&b, &e) > 0.5;
		}
		check(near >= 36);
		check(sure >= 8);
		check_int(wrong, 0);
		close_robot(&b);
	}
}

test(it_finds_itself)
{
	int found = 0, wrong = 0;

	for (unsigned seed = 1; seed <= 8; seed++) {
		struct robot b = {0};
		struct pb_belief e = {0};

		open_robot(&b, seed, 0);
		begin(&b, PB_LOC_ANYWHERE, seed);
		for (int i = 0; i < 12; i++) {
			e = go(&b, 10);
			wrong +=
			    e.status == PB_LOC_TRACKING && off(&b, &e) > 0.5;
		}
		found += off(&b, &e) < 0.2;
		close_robot(&b);
	}
	check(found >= 7);
	check_int(wrong, 0);
}

test(it_notices_a_kidnap)
{
	int found = 0;

	for (unsigned seed = 11; seed <= 14; seed++) {
		struct robot b = {0};
		struct pb_belief e = {0};

		open_robot(&b, seed, 0);
		begin(&b, PB_LOC_NEAR, seed);
		for (int i = 0; i < 10; i++)
			go(&b, 10);
		put(&b);
		for (int i = 0; i < 15; i++)
			e = go(&b, 10);
		found += off(&b, &e) < 0.2;
		close_robot(&b);
	}
	check(found >= 3);
}

static uint64_t
hash_of(const struct pb_belief *e, uint64_t h)
{
	for (int i = 0; i < e->n; i++) {
		h = pb_hash_double(h, e->at[i].pose.x);
		h = pb_hash_double(h, e->at[i].pose.th);
		h = pb_hash_double(h, e->at[i].weight);
	}
	return h;
}

/* The same seed gives the same bytes, another seed others. */
test(a_seed_decides)
{
	uint64_t h[3];

	for (int k = 0; k < 3; k++) {
		struct robot b = {0};

		open_robot(&b, 5, 0);
		begin(&b, PB_LOC_NEAR, k == 2 ? 2 : 1);
		h[k] = PB_HASH_START;
		for (int i = 0; i < 5; i++) {
			struct pb_belief e = go(&b, 10);

			h[k] = hash_of(&e, h[k]);
		}
		close_robot(&b);
	}
	check(h[0] == h[1] && h[0] != h[2]);
}

/* The same answers from every compiler; changes when the method does. */
test(same_bytes_everywhere)
{
	struct robot b = {0};
	uint64_t h = PB_HASH_START;

	open_robot(&b, 5, 0);
	begin(&b, PB_LOC_ANYWHERE, 1);
	for (int i = 0; i < 30; i++) {
		struct pb_belief e = go(&b, 10);

		h = hash_of(&e, h);
	}
	if (h != UINT64_C(0xb12c50f2377bd31c))
		printf("# 0x%016llx\n", (unsigned long long)h);
	check(h == UINT64_C(0xb12c50f2377bd31c));
	close_robot(&b);
}

/* A copy of the memory goes on as the original does. */
test(a_copy_is_a_snapshot)
{
	struct robot b = {0}, c;
	struct pb_belief e, f;

	open_robot(&b, 6, 0);
	begin(&b, PB_LOC_ANYWHERE, 1);
	go(&b, 10);
	c = b;
	c.mem = malloc(pb_localizer_memory(&pb_loc_mcl, b.model));
	memcpy(c.mem, b.mem, pb_localizer_memory(&pb_loc_mcl, b.model));
	e = go(&b, 10);
	f = go(&c, 10);
	check(hash_of(&e, 1) == hash_of(&f, 1));
	free(c.mem);
	close_robot(&b);
}

test(nonsense_is_survived)
{
	static const double bad[] = {NAN, INFINITY, -1, 0, 1e300, -INFINITY};
	struct robot b = {0};
	struct pb_belief e;

	open_robot(&b, 7, 0);
	begin(&b, PB_LOC_NEAR, 1);
	go(&b, 10);
	for (int i = 0; i < 6; i++) {
		struct pb_scan z = scan_of(&b);
		struct pb_pose p = b.odom;

		for (int k = 0; k < BEAMS; k++)
			b.range[k] = bad[i];
		pb_loc_mcl.scan(b.mem, b.model, &z);
		z.n = 0;
		pb_loc_mcl.scan(b.mem, b.model, &z);
		p.th = bad[i];
		pb_loc_mcl.predict(b.mem, b.model, p);
		p = b.odom;
		p.x = bad[i];
		pb_loc_mcl.predict(b.mem, b.model, p);
		pb_loc_mcl.predict(b.mem, b.model, b.odom);
		pb_loc_mcl.estimate(b.mem, b.model, &e);
		check(e.n == 0 || isfinite(e.at[0].pose.x));
	}
	close_robot(&b);
}

test(worlds_that_it_refuses)
{
	struct pb_mcl_opts o;
	struct pb_map m = {0};
	struct pb_loc_world w = {.map = &m};
	void *model = NULL;

	pb_localizer_defaults(&pb_loc_mcl, &o);
	check(pb_localizer_find("mcl") == &pb_loc_mcl);
	pb_map_init(&m, 9, 9, 0.05, (struct pb_pose){0, 0, 0});
	check_int(pb_loc_mcl.learn(&pb_loc_mcl, &w, &o, &model), PB_ENOFREE);
	m.cell[40] = 0;
	check_int(pb_loc_mcl.learn(&pb_loc_mcl, &w, &o, &model), PB_EEMPTY);
	m.cell[41] = 100;
	o.slow = o.fast + 0.1;
	check_int(pb_loc_mcl.learn(&pb_loc_mcl, &w, &o, &model), PB_EVALUE);
	w.map = NULL;
	pb_localizer_defaults(&pb_loc_mcl, &o);
	check_int(pb_loc_mcl.learn(&pb_loc_mcl, &w, &o, &model), PB_EVALUE);
	check(model == NULL);
	pb_map_clear(&m);
}
