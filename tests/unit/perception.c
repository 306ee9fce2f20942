/* perception.c - tests of the robot's own senses and of what they meet. */

#include "check.h"
#include "rounds.h"

#include "base/elementary.h"
#include "game/pacmanbot/arena.h"

/* A round of the house with senses, or with what they are for. */
static struct game
aware(const struct pb_round_opts *o, const struct pb_map *truth)
{
	struct pb_map m = house();
	struct game g = {.p = &pb_player_seed};
	const char *why = NULL;

	check_int(pb_arena_new(&g.a, &m, o, NULL, NULL), PB_OK);
	check_int(pb_arena_surround(g.a, &m, truth, o, &why), PB_OK);
	check_int(pb_round_new(&g.r, g.a, o, g.p, NULL), PB_OK);
	pb_map_clear(&m);
	return g;
}

static struct pb_round_opts
with_mcl(void)
{
	struct pb_round_opts o = pb_round_defaults();

	o.localizer = PB_BY_MCL;
	o.has_start = true;
	o.start = (struct pb_pose){0, 0, 0.3};
	return o;
}

/* The slow way: half a millimetre after the other until something is there. */
static double
march(const struct pb_map *m, const struct pb_thing *t, int n, struct pb_pose p,
    double max)
{
	double c = pb_cos(p.th), s = pb_sin(p.th);

	for (double d = 0; d < max; d += 5e-4) {
		struct pb_vec v = {p.x + d * c, p.y + d * s};
		struct pb_cell k = pb_map_cell(m, v);

		if (!pb_map_inside(m, k) ||
		    pb_cell_occupied(m->cell[pb_map_index(m, k)]) ||
		    pb_things_gap(t, n, v) <= 0)
			return d;
	}
	return max;
}

/* Beams end at walls, boxes and people, seen from where the lidar sits. */
test(scan)
{
	static const struct pb_thing t[3] = {
	    {.at = {1, 0.5}, .half = {0.2, 0.3}},
	    {.at = {-0.5, 1}, .radius = 0.25},
	    {.at = {0, -1}, .half = {0.15, 0.15}}};
	struct pb_round_opts o = with_mcl();
	struct game g;
	struct pb_map m = house();
	double range[360];
	int hits = 0;

	o.lidar.share = o.lidar.drop = 0;
	g = aware(&o, NULL);
	for (int k = 0; k < 5; k++) {
		struct pb_pose p = {0.2 * k, 0.1 * k - 0.2, 1.1 * k}, at;
		struct pb_rng rng;
		struct pb_scan z;

		pb_rng_start(&rng, 1, 1, PB_FOR_SENSOR, 0);
		z = pb_surroundings_scan(
		    &g.a->around, &o, t, 3, p, &rng, range);
		check(z.n == 360 && z.range == range);
		at = pb_pose_compose(p, z.mount);
		for (int i = 0; i < 360; i++) {
			double a = z.angle_min + i * z.inc;
			struct pb_pose ray = {at.x, at.y, at.th + a};
			double want = march(&m, t, 3, ray, 12);

			if (want < 0.15)
				continue;
			check_near(range[i], want, 2e-3);
			hits += want < march(&m, NULL, 0, ray, 12) - 0.01;
		}
	}
	check(hits > 200);
	over(g);
	pb_map_clear(&m);
}

/* The estimate is the filter's, near the truth, and the game is played. */
test(localized)
{
	struct pb_round_opts o = with_mcl();
	double worst = 0;
	struct game g;
	struct pb_outcome e;

	g = aware(&o, NULL);
	pb_round_start(g.r, 3, 4);
	for (int i = 0; i < 400; i++) {
		steps(g.r, 1);
		worst =
		    fmax(worst, pb_pose_dist(g.r->g.est.pose, g.r->g.truth));
	}
	check(g.r->g.est.ever);
	/* Between two updates it lags behind by 0.25 m. */
	check(worst > 0.01 && worst < 0.5);
	e = pb_round_play(g.r, 3, 4);
	check(
	    e.localized.updates > 20 && e.localized.wrong == 0 && e.bumps >= 0);
	check(e.localized.sum / e.localized.updates < 0.1);
	over(g);
}

/* Put down anywhere, it turns until it knows; home is where that was. */
test(anywhere)
{
	struct pb_round_opts o = with_mcl();
	struct game g;
	int i = 0;

	o.start_anywhere = true;
	o.start = (struct pb_pose){1.3, -1.1, 2};
	g = aware(&o, NULL);
	pb_round_start(g.r, 1, 0);
	pb_round_step(g.r);
	check(!g.r->g.est.ever);
	while (!g.r->g.est.ever && i++ < 2000)
		pb_round_step(g.r);
	check(g.r->g.est.ever);
	check(pb_pose_dist(g.r->g.est.pose, g.r->g.truth) < 0.3);
	over(g);
}

/* A copy goes on as the game that it was made of does. */
test(copy)
{
	struct pb_round_opts o = with_mcl();
	struct game g, h;

	o.people = 4;
	o.clutter = 6;
	g = aware(&o, NULL);
	h = aware(&o, NULL);
	pb_round_start(g.r, 5, 2);
	pb_round_start(h.r, 9, 9);
	steps(g.r, 600);
	pb_round_copy(h.r, g.r);
	steps(g.r, 600);
	steps(h.r, 600);
	check(pb_round_hash(g.r) == pb_round_hash(h.r));
	check(g.r->g.marks == h.r->g.marks && g.r->g.marks > 0);
	for (int i = 0; i < 4; i++)
		check(g.r->people[i].at.x == h.r->people[i].at.x);
	over(g);
	over(h);
}

/* Nobody is run over, boxes hold, and the layer leads around them. */
test(things)
{
	struct pb_round_opts o = with_mcl();
	double nearest = 1;
	struct game g;

	o.people = 6;
	o.clutter = 4;
	o.death_radius = 0;
	g = aware(&o, NULL);
	pb_round_start(g.r, 2, 1);
	for (int i = 0; i < 3000; i++) {
		steps(g.r, 1);
		nearest = fmin(nearest, pb_things_gap(g.r->g.thing, o.clutter,
					    pb_pose_vec(g.r->g.truth)));
	}
	check(nearest > 0.1);
	check(g.r->g.track.ended > 0 || g.r->g.ctl.collected > 3);
	over(g);
}

/* Where the world has a wall that the map has not, the wall is what counts. */
test(world)
{
	struct pb_round_opts o = with_mcl();
	struct pb_map truth = house();
	struct game g;

	/* The gap is closed. */
	for (int y = 20; y < 36; y++)
		truth.cell[y * 80 + 37] = 100;
	o.death_radius = 0;
	o.duration = 120;
	g = aware(&o, &truth);
	for (uint64_t t = 0; t < 3; t++) {
		struct pb_outcome e = pb_round_play(g.r, 1, t);

		check(e.ending != PB_DONE && *e.cause);
		check(g.r->g.truth.x < 2.75);
	}
	over(g);
	pb_map_clear(&truth);
}

static enum pb_status
refused(struct pb_round_opts *o, const struct pb_map *truth, const char **why)
{
	struct pb_map m = house();
	struct pb_arena *a;
	enum pb_status st;

	check_int(pb_arena_new(&a, &m, o, NULL, NULL), PB_OK);
	st = pb_arena_surround(a, &m, truth, o, why);
	pb_arena_free(a);
	pb_map_clear(&m);
	return st;
}

test(refused)
{
	struct pb_round_opts o = with_mcl();
	struct pb_map far, small = {0}, walled = house();
	const char *why = NULL;

	far = house();
	far.origin.x += 6;
	check_int(refused(&o, &far, &why), PB_EVALUE);
	check(why != NULL);
	walled.cell[20 * 80 + 10] = 100;
	why = NULL;
	check_int(refused(&o, &walled, &why), PB_EWALL);
	check(why != NULL);
	check_int(
	    pb_map_init(&small, 20, 20, 0.1, (struct pb_pose){5, 5, 0}), PB_OK);
	check_int(refused(&o, &small, &why), PB_EVALUE);
	pb_map_clear(&far);
	pb_map_clear(&small);
	pb_map_clear(&walled);
}
